//! Where text goes and whether it may be coloured.

use crate::arguments::Color;
use std::io::{ErrorKind, IsTerminal, Write};

/// Standard output and standard error.
#[derive(Clone, Copy, Debug)]
pub struct Output {
    /// How to write on standard output.
    pub paint: Paint,
    /// How to write on standard error.
    pub error_paint: Paint,
    /// The columns of a line.
    pub width: usize,
}

impl Output {
    /// Colours as the user wishes: by default on terminals, unless `NO_COLOR` is set.
    pub fn new(color: Color) -> Output {
        let plain = set("NO_COLOR") || std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let paint = |terminal: bool| Paint {
            colored: match color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => terminal && !plain,
            },
        };
        Output {
            paint: paint(std::io::stdout().is_terminal()),
            error_paint: paint(std::io::stderr().is_terminal()),
            width: width(),
        }
    }

    /// Writes to standard output; false if that fails for another reason than a reader who left.
    pub fn print(&self, text: &str) -> bool {
        let mut out = std::io::stdout().lock();
        let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
        match written {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                self.complain(&format!("cannot write to standard output: {error}"));
                false
            }
            _ => true,
        }
    }

    /// Writes to standard error.
    pub fn print_error(&self, text: &str) {
        // Nobody is left to be told if standard error is closed.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// A line of standard error that begins with `error:`.
    pub fn complain(&self, message: &str) {
        self.print_error(&format!("{}: {message}\n", self.error_paint.red("error")));
    }

    /// A line of standard error that begins with `note:`.
    pub fn note(&self, message: &str) {
        self.print_error(&format!("{}: {message}\n", self.error_paint.bold("note")));
    }
}

fn set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// What the user says, or what fits everywhere.
fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    columns.unwrap_or(80).clamp(40, 200)
}

/// Makes text bold or coloured, where that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Paint {
    /// Whether it is wanted.
    pub colored: bool,
}

impl Paint {
    /// For what matters most.
    pub fn bold(self, text: &str) -> String {
        self.wrap("1", text)
    }
    /// For what matters least.
    pub fn dim(self, text: &str) -> String {
        self.wrap("2", text)
    }
    /// For bad news.
    pub fn red(self, text: &str) -> String {
        self.wrap("1;31", text)
    }
    /// For good news.
    pub fn green(self, text: &str) -> String {
        self.wrap("1;32", text)
    }
    /// For no news.
    pub fn yellow(self, text: &str) -> String {
        self.wrap("1;33", text)
    }
    /// For names of edges.
    pub fn cyan(self, text: &str) -> String {
        self.wrap("36", text)
    }

    fn wrap(self, code: &str, text: &str) -> String {
        if self.colored && !text.is_empty() {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}
