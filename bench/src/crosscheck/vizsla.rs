//! Runs the command on a text.

use super::answer::Answer;
use super::combination::{Combination, KNOWN};
use super::text::Text;
use crate::command::{Run, run};
use std::path::{Path, PathBuf};

/// The command, and a folder for its files.
pub struct Vizsla {
    program: PathBuf,
    folder: PathBuf,
}

/// A run that has not ended long after its own limit is at an end is one that hangs. Runs end by their
/// work; even on a busy machine that takes far less.
const PATIENCE: f64 = 300.0;
const LIMITS: [&str; 6] = ["--max-states", "3000", "--time-limit", "60s", "--memory-limit", "2G"];
const TRACE: &str = "t.json";
/// The file of a converted model.
pub const CONVERTED: &str = "m.network";

impl Vizsla {
    /// The program and a folder that exists.
    pub fn new(program: impl Into<PathBuf>, folder: impl Into<PathBuf>) -> Vizsla {
        Vizsla { program: program.into(), folder: folder.into() }
    }

    /// Writes a text where runs will find it.
    pub fn write(&self, text: &Text) -> Result<(), String> {
        for old in [TRACE, KNOWN] {
            // There may be none.
            let _ = std::fs::remove_file(self.folder.join(old));
        }
        let write = |name: &str, text: String| {
            std::fs::write(self.folder.join(name), text).map_err(|error| error.to_string())
        };
        if let Text::Uppaal(model) = text {
            write("m.q", model.query())?;
        }
        write(text.file(), text.source())
    }

    /// The options of a check.
    pub fn arguments(text: &Text, combination: &Combination) -> Vec<String> {
        let (file, question) = match combination.converted {
            true => (CONVERTED, text.converted_question()),
            false => (text.file(), text.question()),
        };
        let mut all = vec!["check".to_string(), file.into()];
        all.extend(question);
        all.extend(combination.arguments());
        all
    }

    /// The answer to the question of the text that was written last.
    pub fn check(&self, text: &Text, combination: &Combination) -> Result<Answer, String> {
        if combination.converted {
            let mut convert = vec!["convert"];
            convert.extend(text.convertible());
            convert.extend(["--to", "network", "-o", CONVERTED]);
            let ran = self.run(&convert.into_iter().map(String::from).collect::<Vec<_>>())?;
            if ran.code != Some(0) {
                return Ok(Answer::read(&ran));
            }
        }
        let mut arguments = Vizsla::arguments(text, combination);
        arguments.extend(LIMITS.map(String::from));
        arguments.extend(["--format", "json", "--trace", TRACE].map(String::from));
        Ok(Answer::read(&self.run(&arguments)?))
    }

    /// What is wrong with the trace that was written last, in the eyes of `vizsla replay`.
    pub fn replay(&self, text: &Text) -> Result<Option<String>, String> {
        let flags = ["--no-assert", "--no-deadlock", "--strict-end"];
        let question = text.question().into_iter();
        let mut arguments = vec!["replay".to_string(), TRACE.into()];
        arguments.extend(question.filter(|it| flags.contains(&it.as_str())));
        let ran = self.run(&arguments)?;
        let complaint = || format!("{} {}", ran.output.trim(), ran.errors.trim());
        Ok((ran.code != Some(0)).then(complaint))
    }

    /// Keeps the last trace as one that heuristics can be given.
    pub fn keep_trace(&self) {
        let _ = std::fs::copy(self.folder.join(TRACE), self.folder.join(KNOWN));
    }

    /// Whether there is such a trace.
    pub fn has_trace(&self) -> bool {
        self.folder.join(KNOWN).exists()
    }

    fn run(&self, arguments: &[String]) -> Result<Run, String> {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        run(Path::new(&self.program), &arguments, &self.folder, PATIENCE)
    }
}
