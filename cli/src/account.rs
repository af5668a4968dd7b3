//! What is told of the answers: on standard output, and in files of traces.

use crate::arguments::{Check, Format};
use crate::exit::{Exit, report_defect};
use crate::output::Output;
use crate::{files, memory, replay, report};
use network::cancellation::Cause;
use network::{Id, PropertyId};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use vizsla::{Answer, Model, Reason, Verdict, trail};

/// The account of a run.
#[derive(Clone)]
pub struct Account {
    arguments: &'static Check,
    output: Output,
    model: Model,
    properties: Arc<Vec<PropertyId>>,
    /// Kept while something is told: the watchdog does not speak in between.
    reported: Arc<Mutex<Reported>>,
}

struct Reported {
    answers: Vec<Entry>,
    exit: Exit,
}

/// An answer, and what it took.
pub struct Entry {
    /// The answer.
    pub answer: Answer,
    /// The greatest number of bytes that the process took.
    pub peak_memory: u64,
}

impl Entry {
    /// The number of the property, from 1.
    pub fn number(&self) -> usize {
        self.property.index() + 1
    }
}

impl Deref for Entry {
    type Target = Answer;

    fn deref(&self) -> &Answer {
        &self.answer
    }
}

impl Account {
    /// An account of some properties, about which so much is known beforehand.
    pub fn new(
        arguments: &'static Check,
        output: &Output,
        model: &Model,
        properties: &[PropertyId],
        exit: Exit,
    ) -> Account {
        let reported = Reported { answers: Vec::new(), exit };
        Account {
            arguments,
            output: *output,
            model: model.clone(),
            properties: Arc::new(properties.to_vec()),
            reported: Arc::new(Mutex::new(reported)),
        }
    }

    /// Tells an answer.
    pub fn add(&self, entry: Entry) {
        self.tell(&mut self.lock(), entry);
    }

    /// Tells the end.
    pub fn conclude(&self) -> Exit {
        self.end(&mut self.lock())
    }

    /// Tells what is known if the work on a property does not end.
    pub fn give_up(&self, cause: Cause) -> Exit {
        let mut reported = self.lock();
        let mut reason = Reason::from(cause).describe();
        for &id in &self.properties[reported.answers.len()..] {
            let answer = Answer::unknown(&self.model, id).because(reason);
            self.tell(&mut reported, Entry { answer, peak_memory: memory::peak().unwrap_or(0) });
            if cause == Cause::Time {
                reason = "not checked: the work on another property did not end in time";
            }
        }
        self.end(&mut reported)
    }

    fn tell(&self, reported: &mut Reported, answer: Entry) {
        reported.exit = reported.exit.max(Exit::from(&answer.answer));
        if let Some(what) = &answer.defect {
            report_defect(&format!("{what}\n  property {}", answer.query()));
        }
        let written =
            [self.write_trace(&answer), self.write_trail(&answer), self.write_heuristic(&answer)];
        let mut all_reported = written.iter().all(|&written| written);
        if self.arguments.format == Format::Text {
            let text = report::text::answer(&answer, self.arguments, &self.output);
            all_reported &= self.output.print(&text);
        }
        reported.note(all_reported);
        reported.answers.push(answer);
    }

    fn end(&self, reported: &mut Reported) -> Exit {
        let (model, answers) = (&self.model, &reported.answers);
        let printed = match self.arguments.format {
            Format::Text => self.output.print(&report::text::conclusion(answers, &self.output)),
            Format::Json => {
                self.output.print_data(&report::json::document(model, answers, self.arguments))
            }
        };
        reported.note(printed);
        reported.exit
    }

    /// Writes the trace where the user wants it; false if that fails.
    fn write_trace(&self, answer: &Entry) -> bool {
        let Some(path) = &self.arguments.trace else { return true };
        let path = self.place(path, answer);
        match &answer.witness {
            Some(it) => self.write_file("trace", &path, report::json::pretty(&it.file)),
            None => self.remove_stale("trace", &path),
        }
    }

    /// Writes the trace as a trail where the user wants it; false if that fails.
    fn write_trail(&self, answer: &Entry) -> bool {
        let Some(path) = &self.arguments.trail else { return true };
        let path = self.place(path, answer);
        let Some(trace) = answer.trace() else { return self.remove_stale("trail", &path) };
        let property = &answer.model.network.properties[answer.property];
        match trail::write(&answer.model, property, trace) {
            Ok(trail) => self.write_file("trail", &path, trail.to_string()),
            Err(problem) => {
                let message = format!("the trace cannot be written as a trail: {problem}");
                self.output.complain(&message);
                false
            }
        }
    }

    /// Writes the heuristic where the user wants it; false if that fails.
    fn write_heuristic(&self, answer: &Entry) -> bool {
        let Some(path) = &self.arguments.save_heuristic else { return true };
        let path = self.place(path, answer);
        let Some(heuristic) = &answer.saved_heuristic else {
            let message = format!("there is no heuristic to write to `{}`", path.display());
            // It may not have been ready.
            if answer.verdict == Verdict::Unknown {
                self.output.note(&message);
                return true;
            }
            let name = self.arguments.heuristic.name();
            self.output
                .complain(&format!("{message}: {name} has no table that takes long to make"));
            return false;
        };
        self.write_file("heuristic", &path, heuristic.to_bytes())
    }

    fn place(&self, path: &Path, answer: &Entry) -> PathBuf {
        place(path, self.properties.len(), answer.number())
    }

    fn write_file(&self, what: &str, path: &Path, content: impl AsRef<[u8]>) -> bool {
        let written = files::write(path, content, &self.model.files);
        match &written {
            Ok(()) => self.output.note(&format!("the {what} is in {}", path.display())),
            Err(why) => {
                let message = format!("cannot write the {what} to `{}`: {why}", path.display());
                self.output.complain(&message);
            }
        }
        written.is_ok()
    }

    /// What an earlier run has left must not look like something that this one found.
    fn remove_stale(&self, what: &str, path: &Path) -> bool {
        if !path.is_file() {
            return true;
        }
        let name = path.display();
        if !replay::is_saved(path) {
            self.output
                .note(&format!("there is no {what}; {name} is not a {what} and is left as it is"));
            return true;
        }
        let removed = std::fs::remove_file(path);
        match &removed {
            Ok(()) => {
                self.output.note(&format!(
                    "there is no {what}; that of an earlier run in {name} is removed"
                ));
            }
            Err(error) => {
                let message =
                    format!("cannot remove the {what} of an earlier run, `{name}`: {error}");
                self.output.complain(&message);
            }
        }
        removed.is_ok()
    }

    fn lock(&self) -> MutexGuard<'_, Reported> {
        self.reported.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reported {
    /// An answer that nobody can read is no success.
    fn note(&mut self, done: bool) {
        if !done {
            self.exit = self.exit.max(Exit::Wrong);
        }
    }
}

/// Where the trace of a property is written: if there are several, `t.json` becomes `t-2.json`.
pub fn place(path: &Path, properties: usize, number: usize) -> PathBuf {
    if properties == 1 {
        return path.to_path_buf();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let name = match path.extension() {
        Some(extension) => format!("{stem}-{number}.{}", extension.to_string_lossy()),
        None => format!("{stem}-{number}"),
    };
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_traces_have_numbers() {
        assert_eq!(place(Path::new("a/t.json"), 3, 2), Path::new("a/t-2.json"));
        assert_eq!(place(Path::new("t"), 11, 10), Path::new("t-10"));
        assert_eq!(place(Path::new("t"), 1, 1), Path::new("t"));
    }
}
