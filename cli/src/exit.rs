//! Exit codes, and the guard that turns a panic into one.

use crate::words;
use std::backtrace::Backtrace;
use std::io::Write;
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use vizsla::{Answer, Verdict};

/// How the program ends; the order is that of precedence.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    /// Every property is satisfied, or all went well.
    Satisfied,
    /// Some property is unknown.
    Unknown,
    /// Some property is violated, or an error of the model was found.
    Violated,
    /// The input or the call is wrong.
    Wrong,
    /// The program itself is wrong.
    Defect,
}

impl Exit {
    /// The number that the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Satisfied => 0,
            Exit::Violated => 1,
            Exit::Wrong => 2,
            Exit::Unknown => 3,
            Exit::Defect => 4,
        }
    }
}

impl From<&Answer> for Exit {
    fn from(answer: &Answer) -> Exit {
        match answer.verdict {
            _ if answer.defect.is_some() => Exit::Defect,
            _ if answer.error.is_some() => Exit::Violated,
            Verdict::Satisfied => Exit::Satisfied,
            Verdict::Violated => Exit::Violated,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Deeply nested input recurses deeply.
const STACK: usize = 256 << 20;

/// Runs the program so that a panic ends it with a request to report it.
pub fn guard(work: fn() -> Exit) -> Exit {
    std::panic::set_hook(Box::new(|panic| report_defect(&describe_panic(panic))));
    let worker = std::thread::Builder::new().name("main".to_string()).stack_size(STACK);
    match worker.spawn(work) {
        Ok(thread) => thread.join().unwrap_or(Exit::Defect),
        // Without a thread of our own, the one at hand must do.
        Err(_) => std::panic::catch_unwind(work).unwrap_or(Exit::Defect),
    }
}

/// Says on standard error that the program is wrong, not the model.
pub fn report_defect(what: &str) {
    let call: Vec<String> = std::env::args().collect();
    let version = env!("CARGO_PKG_VERSION");
    let message = format!(
        "vizsla: internal defect: {what}\n\
         This is a mistake in Vizsla, not in your model. Please report it together with the model.\n  \
         version {version}, {} {}\n  call    {}\n",
        std::env::consts::OS,
        std::env::consts::ARCH,
        call.join(" ")
    );
    // Nobody is left to be told if standard error is closed.
    let _ = std::io::stderr().write_all(words::visible(&message).as_bytes());
}

fn describe_panic(panic: &PanicHookInfo) -> String {
    let payload = panic.payload();
    let text = payload.downcast_ref::<&str>().copied();
    let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("no message");
    let place = panic.location().map(|at| format!(" at {at}")).unwrap_or_default();
    format!("{text}{place}\n{}", Backtrace::force_capture())
}

/// Prints what is wrong with the call, or the help or version that it asked for.
pub fn refuse_call(message: &clap::Error) -> Exit {
    // A closed pipe is no reason to complain.
    let _ = message.print();
    if message.use_stderr() { Exit::Wrong } else { Exit::Satisfied }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_internal_defect() {
        assert_eq!(guard(|| panic!("on purpose")), Exit::Defect);
        assert_eq!(guard(|| Exit::Unknown), Exit::Unknown);
    }

    #[test]
    fn worse_endings_prevail() {
        let order = [Exit::Satisfied, Exit::Unknown, Exit::Violated, Exit::Wrong, Exit::Defect];
        assert!(order.is_sorted());
        assert_eq!(order.map(Exit::code), [0, 3, 1, 2, 4]);
    }
}
