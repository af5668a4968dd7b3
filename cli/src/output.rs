//! Where text goes and whether it may be coloured.

use crate::arguments::Color;
use crate::words::visible;
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
    /// Whether standard output is read by a person right now.
    pub is_terminal: bool,
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
            is_terminal: std::io::stdout().is_terminal(),
        }
    }

    /// Writes a report to standard output; false if that fails for another reason than a reader who
    /// left.
    pub fn print(&self, text: &str) -> bool {
        self.print_raw(&without_controls(text, self.paint))
    }

    /// Writes what other programs read: as it is, unless it goes to a terminal.
    pub fn print_data(&self, text: &str) -> bool {
        if self.is_terminal { self.print_raw(&visible(text)) } else { self.print_raw(text) }
    }

    fn print_raw(&self, text: &str) -> bool {
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
        let text = without_controls(text, self.error_paint);
        // Nobody is left to be told if standard error is closed.
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }

    /// A line of standard error that begins with `error:`.
    pub fn complain(&self, message: &str) {
        self.print_error(&format!("{}: {message}\n", self.error_paint.red("error")));
    }

    /// A line of standard error that begins with `warning:`.
    pub fn warn(&self, message: &str) {
        self.print_error(&format!("{}: {message}\n", self.error_paint.yellow("warning")));
    }

    /// A line of standard error that begins with `note:`.
    pub fn note(&self, message: &str) {
        self.print_error(&format!("{}: {message}\n", self.error_paint.bold("note")));
    }
}

fn set(variable: &str) -> bool {
    std::env::var_os(variable).is_some_and(|value| !value.is_empty())
}

/// That of the terminal; without one what the user says, or what fits everywhere.
fn width() -> usize {
    let terminal = terminal_size::terminal_size_of(std::io::stdout());
    let terminal = terminal.map(|(width, _)| usize::from(width.0)).filter(|&width| width > 0);
    let said = || std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    terminal.or_else(said).unwrap_or(80).clamp(40, 240)
}

/// The text without any control characters but those that colour it, where that is wanted.
fn without_controls(text: &str, paint: Paint) -> String {
    if !paint.colored {
        return visible(text);
    }
    let mut safe = String::with_capacity(text.len());
    for (i, part) in text.split('\x1b').enumerate() {
        if i > 0 {
            safe.push(if is_colour(part) { '\x1b' } else { '\u{241b}' });
        }
        safe.push_str(&visible(part));
    }
    safe
}

/// Whether what stands after an escape character begins with a change of colour: `[1;31m`.
fn is_colour(text: &str) -> bool {
    let rest = text
        .strip_prefix('[')
        .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';'));
    rest.is_some_and(|rest| rest.starts_with('m'))
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
            format!("\x1b[{code}m{}\x1b[0m", visible(text))
        } else {
            text.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_colours_of_our_own_reach_a_terminal() {
        let (coloured, plain) = (Paint { colored: true }, Paint { colored: false });
        let text = format!("{} \x1b[2Jx\x07\n", coloured.red("a\x1b[2mb"));
        let safe = "\x1b[1;31ma\u{241b}[2mb\x1b[0m \u{241b}[2Jx\u{2407}\n";
        assert_eq!(without_controls(&text, coloured), safe);
        assert_eq!(without_controls("\x1b[31mx", plain), "\u{241b}[31mx");
    }
}
