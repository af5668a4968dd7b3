//! The answer of Spin: its verifier is made with `spin -a`, compiled with gcc and run.

use crate::answer::{Answer, Check, Claim, ErrorKind, Found, Question, Space};
use crate::reduced::Stored;
use crate::settings::Settings;
use bench::command::{Run, run};
use std::path::{Path, PathBuf};

/// The folder in which verifiers are made, and how.
pub struct Spin<'a> {
    settings: &'a Settings,
    folder: PathBuf,
}

/// Without merging of statements, data-flow optimisation and hiding of write-only variables.
const PLAIN: [&str; 4] = ["-o1", "-o2", "-o3", "-a"];

/// Without partial-order reduction.
const UNORDERED: &str = "-DNOREDUCE";

/// What leaves claims and cycles out.
const SAFETY: [&str; 2] = ["-DSAFETY", "-DNOCLAIM"];

/// Room for 255 processes with channels of their own; the usual 1024 bytes are soon full.
const VECTOR: &str = "-DVECTORSZ=16384";

/// Seconds for the generator and the compiler.
const TOOLS: f64 = 300.0;

impl<'a> Spin<'a> {
    /// Spin in a folder of its own.
    pub fn new(settings: &'a Settings, folder: &Path) -> Self {
        Spin { settings, folder: folder.to_path_buf() }
    }

    /// Whether both programs are there.
    pub fn is_installed() -> Result<(), String> {
        let here = Path::new(".");
        for (tool, flag) in [("spin", "-V"), ("gcc", "--version")] {
            run(tool, &[flag], here, TOOLS).map_err(|_| {
                format!("`{tool}` is not installed; spin-parity needs spin and gcc")
            })?;
        }
        Ok(())
    }

    /// What Spin says about a model.
    pub fn ask(&self, model: &Path, question: Question) -> Result<Answer, String> {
        let mut answer = Answer::default();
        let model = std::fs::canonicalize(model).map_err(|error| error.to_string())?;
        let claims = match self.generate(&model, &PLAIN, &mut answer) {
            Ok(claims) => claims,
            Err(why) => return Ok(Answer { refused: Some(why), ..answer }),
        };
        match self.compile("pan", &SAFETY) {
            Ok(seconds) => answer.cost.compile = seconds,
            Err(why) => return Ok(Answer { refused: Some(why), ..answer }),
        }
        if question.space {
            self.explore(&mut answer)?;
        }
        if question.errors {
            for (check, found) in answer.checks().iter().zip(0..) {
                let implied = answer.implied();
                answer.found[found] =
                    Some(implied.map_or_else(|| self.search("./pan", *check), Ok)?);
            }
        }
        if question.space {
            self.count_ends(&mut answer)?;
        }
        if question.breadth_first
            && answer.implied().is_none()
            && self.compile("panb", &[&SAFETY[..], &["-DBFS"]].concat()).is_ok()
        {
            answer.breadth_first = Some(self.search("./panb", Check::ALL)?);
        }
        if question.claims
            && !answer.incomplete
            && !claims.is_empty()
            && self.compile("panc", &[]).is_ok()
        {
            for name in claims {
                answer.claims.push(self.claim(name)?);
            }
        }
        Ok(answer)
    }

    /// How many states Spin stores of a model, with its optimisations.
    pub fn stored(&self, model: &Path) -> Result<Stored, String> {
        let model = std::fs::canonicalize(model).map_err(|error| error.to_string())?;
        if self.generate(&model, &["-a"], &mut Answer::default()).is_err() {
            return Ok(Stored::default());
        }
        let (usual, unordered) =
            (self.compile_usual("pan", &SAFETY), self.compile("panu", &SAFETY));
        Ok(Stored {
            usual: if usual.is_ok() { self.stored_by("./pan")? } else { None },
            unordered: if unordered.is_ok() { self.stored_by("./panu")? } else { None },
        })
    }

    /// How many states a verifier stores that looks for nothing, if it comes to its end.
    fn stored_by(&self, program: &str) -> Result<Option<u64>, String> {
        let ran = self.pan(program, Check { assertions: false, ends: false }, &["-c0"])?;
        let stored = number_before(&ran.output, " states, stored").map(|stored| stored as u64);
        Ok(stored.filter(|_| verdict(&ran) == Found::Nothing))
    }

    /// Makes the verifier; returns the names of the claims, never claims first.
    fn generate(
        &self,
        model: &Path,
        how: &[&str],
        answer: &mut Answer,
    ) -> Result<Vec<String>, String> {
        let name = model.display().to_string();
        let arguments = [how, &[&name]].concat();
        // An old verifier must not stand in for one that could not be made.
        let _ = std::fs::remove_file(self.folder.join("pan.c"));
        let made = run("spin", &arguments, &self.folder, TOOLS)?;
        answer.cost.generate = made.seconds;
        if made.success && self.folder.join("pan.c").exists() {
            return Ok(claims(&made.output, &self.folder.join("pan.h")));
        }
        // Warnings call themselves errors too, but they come first.
        let reason = |line: &&str| line.to_lowercase().contains("error");
        let said = made.output.lines().rfind(reason);
        Err(format!("spin: {}", said.unwrap_or("no verifier").trim()))
    }

    /// Compiles the verifier and returns the seconds that took.
    fn compile(&self, name: &str, more: &[&str]) -> Result<f64, String> {
        self.compile_usual(name, &[&[UNORDERED], more].concat())
    }

    /// The same with partial-order reduction.
    fn compile_usual(&self, name: &str, more: &[&str]) -> Result<f64, String> {
        let memory = format!("-DMEMLIM={}", self.settings.megabytes);
        let optimise = if self.settings.is_random() { "-O0" } else { "-O2" };
        let mut arguments = vec![optimise, "-w", VECTOR, &memory];
        arguments.extend(more);
        arguments.extend(["-o", name, "pan.c"]);
        let made = run("gcc", &arguments, &self.folder, TOOLS)?;
        let said = made.errors.lines().find(|line| line.contains("error"));
        let refusal = || format!("gcc: {}", said.unwrap_or("no verifier").trim());
        if made.success { Ok(made.seconds) } else { Err(refusal()) }
    }

    /// A search for violations of a claim, and a second one that counts states.
    fn claim(&self, name: String) -> Result<Claim, String> {
        let found = verdict(&self.pan("./panc", Check::ALL, &["-a", "-N", &name])?);
        let ran = self.pan("./panc", Check::ALL, &["-c0", "-N", &name])?;
        let stored = number_before(&ran.output, " states, stored").map(|stored| stored as u64);
        let complete = verdict(&ran) == Found::Nothing;
        Ok(Claim { name, found, stored: stored.filter(|_| complete) })
    }

    fn pan(&self, program: &str, check: Check, more: &[&str]) -> Result<Run, String> {
        let (depth, hash) = (self.settings.depth(), self.settings.hash());
        let mut arguments = vec![depth.as_str(), hash.as_str(), "-n"];
        arguments.extend((!check.assertions).then_some("-A"));
        arguments.extend((!check.ends).then_some("-E"));
        arguments.extend(more);
        run(self.folder.join(program), &arguments, &self.folder, self.settings.seconds)
    }

    /// The whole state space, with all errors ignored.
    fn explore(&self, answer: &mut Answer) -> Result<(), String> {
        let none = Check { assertions: false, ends: false };
        let ran = self.pan("./pan", none, &["-c0"])?;
        answer.cost.search = ran.seconds;
        match verdict(&ran) {
            Found::Nothing => {}
            // Some errors end the search in spite of `-c0`; the others are passed over.
            Found::Error { kind, .. } if ran.output.contains("Search not completed") => {
                answer.notes.push(format!("pan stops at: {kind}"));
                return Ok(());
            }
            Found::Error { kind, .. } => answer.notes.push(format!("pan goes past: {kind}")),
            Found::Unknown(reason) => {
                answer.notes.push(format!("pan: {reason}"));
                answer.incomplete = true;
                return Ok(());
            }
        }
        let text = &ran.output;
        let Some(stored) = number_before(text, " states, stored") else { return Ok(()) };
        let transitions = number_before(text, " transitions (=").map(|n| n as u64);
        answer.space = Some(Space { stored: stored as u64, transitions, invalid_ends: None });
        answer.cost.megabytes = number_before(text, "\ttotal actual memory usage");
        let bytes = number_before(text, "\tactual memory usage for states").map(|m| m * 1048576.0);
        // Below that, the figure is the size of the first piece of memory that was asked for.
        let enough = stored >= 10_000.0;
        answer.cost.bytes_per_state = bytes.filter(|_| enough).map(|bytes| bytes / stored);
        Ok(())
    }

    /// How many stored states are an invalid end, if that is the only kind of error left.
    fn count_ends(&self, answer: &mut Answer) -> Result<(), String> {
        let implied = answer.implied().map(|_| 0);
        let Some(space) = &mut answer.space else { return Ok(()) };
        if implied.is_some() {
            space.invalid_ends = implied;
            return Ok(());
        }
        let ran = self.pan("./pan", Check::ENDS, &["-c0"])?;
        let all_ends = kinds(&ran.output).all(|kind| kind == ErrorKind::InvalidEnd);
        if all_ends && !ran.late {
            space.invalid_ends = number_after(&ran.output, "errors: ");
        }
        Ok(())
    }

    fn search(&self, program: &str, check: Check) -> Result<Found, String> {
        Ok(verdict(&self.pan(program, check, &[])?))
    }
}

/// The names of the claims, which `spin -a` lists in reverse if there are several.
fn claims(output: &str, header: &Path) -> Vec<String> {
    let listed = output.lines().find_map(|line| line.split_once(" never claims: "));
    if let Some((_, names)) = listed {
        return names.rsplit(", ").map(|name| name.trim().to_owned()).collect();
    }
    // A single one has no line of its own, and needs no name: `pan` ignores it.
    let text = std::fs::read_to_string(header).unwrap_or_default();
    let single = text.contains("#ifndef NOCLAIM\n\t#define NCLAIMS");
    single.then(|| "claim".to_owned()).into_iter().collect()
}

fn verdict(ran: &Run) -> Found {
    let text = &ran.output;
    if ran.late {
        return Found::Unknown("time is over".into());
    }
    match number_after(text, "errors: ") {
        // Nothing is known about what lies deeper; an error that was found is one.
        Some(0) if text.contains("max search depth too small") => {
            Found::Unknown("the depth is too small".into())
        }
        Some(0) => Found::Nothing,
        Some(_) => Found::Error {
            kind: kinds(text).next().unwrap_or(ErrorKind::Other("an error".into())),
            depth: number_after(text, "(at depth "),
        },
        None => Found::Unknown(last_words(ran)),
    }
}

/// Why a verifier ended without a result.
fn last_words(ran: &Run) -> String {
    let lines = ran.output.lines().chain(ran.errors.lines());
    let mut told = lines.filter(|line| !line.trim().is_empty());
    let said = told.find(|line| line.contains("error") || line.contains("pan:"));
    said.map_or("no result".into(), |line| line.trim().to_owned())
}

/// The kinds of errors that `pan` names, as `pan:1: invalid end state (at depth 12)`.
fn kinds(text: &str) -> impl Iterator<Item = ErrorKind> {
    let at_depth = |line: &&str| line.starts_with("pan:") && line.contains(" (at depth ");
    text.lines().filter(at_depth).filter_map(|line| {
        let message = line.splitn(3, ':').nth(2)?.split(" (at depth ").next()?.trim();
        Some(kind(message))
    })
}

fn kind(message: &str) -> ErrorKind {
    match message {
        _ if message.starts_with("assertion violated - invalid array index") => ErrorKind::Index,
        _ if message.starts_with("assertion violated") => ErrorKind::Assertion,
        "invalid end state" => ErrorKind::InvalidEnd,
        _ if message.contains("block in d_step") => ErrorKind::Blocked,
        _ if message.contains("uninitialized chan") => ErrorKind::NoChannel,
        "error to poll rendezvous channel" | "polling rv chan" => ErrorKind::Poll,
        _ => ErrorKind::Other(message.to_owned()),
    }
}

fn number_before(text: &str, mark: &str) -> Option<f64> {
    let at = text.find(mark)?;
    text[..at].rsplit(char::is_whitespace).next()?.parse().ok()
}

fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    rest[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_read() {
        let text = "pan:1: invalid end state (at depth 12)\npan: wrote x.trail\n\
                    pan:2: assertion violated (x==1) (at depth 3)\n";
        assert_eq!(kinds(text).collect::<Vec<_>>(), [ErrorKind::InvalidEnd, ErrorKind::Assertion]);
        assert_eq!(number_after(text, "(at depth "), Some(12));
    }

    #[test]
    fn numbers_are_read() {
        let text = "State-vector 20 byte, depth reached 29, errors: 0\n 1.25e+08 states, stored\n";
        assert_eq!(number_before(text, " states, stored"), Some(125_000_000.0));
        assert_eq!(number_after(text, "errors: "), Some(0));
        assert_eq!(number_before(text, " transitions"), None);
    }
}
