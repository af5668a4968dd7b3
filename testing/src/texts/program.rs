//! Promela programs as trees: coarse enough to be generated easily, fine enough to be shrunk.

use super::parts::{Part, write_parts};
use std::fmt::{Display, Formatter, Result, Write};

/// A program.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Program {
    /// Declarations and processes in the order of the text.
    pub units: Vec<Unit>,
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A declaration or macro in a line of its own.
    Line(String),
    /// A proctype, `init`, inline or claim.
    Body {
        /// What stands before the brace.
        head: Vec<Part>,
        /// What stands between the braces.
        body: Vec<Statement>,
    },
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Without statements inside; a declaration too.
    Simple(Vec<Part>),
    /// With a label.
    Labelled(String, Box<Statement>),
    /// `atomic`, `d_step` or nothing, and braces.
    Block(&'static str, Vec<Statement>),
    /// `if` or `do` with its options.
    Choice(&'static str, Vec<Vec<Statement>>),
    /// A statement and its escape.
    Unless(Vec<Statement>, Vec<Statement>),
    /// The head of a `for` loop and its body.
    For(Vec<Part>, Vec<Statement>),
}

impl Statement {
    /// A simple statement that is nothing but text.
    pub fn text(text: impl Into<String>) -> Self {
        Statement::Simple(vec![Part::text(text)])
    }
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for unit in &self.units {
            match unit {
                Unit::Line(line) => writeln!(f, "{line}")?,
                Unit::Body { head, body } => {
                    write_parts(f, head)?;
                    f.write_str(" {\n")?;
                    sequence(f, body, 1)?;
                    f.write_str("}\n")?;
                }
            }
        }
        Ok(())
    }
}

fn indent(f: &mut Formatter<'_>, depth: usize) -> Result {
    (0..depth).try_for_each(|_| f.write_char('\t'))
}

fn sequence(f: &mut Formatter<'_>, statements: &[Statement], depth: usize) -> Result {
    for statement in statements {
        indent(f, depth)?;
        print(f, statement, depth)?;
        f.write_str(";\n")?;
    }
    Ok(())
}

fn braces(f: &mut Formatter<'_>, statements: &[Statement], depth: usize) -> Result {
    f.write_str("{\n")?;
    sequence(f, statements, depth + 1)?;
    indent(f, depth)?;
    f.write_char('}')
}

fn print(f: &mut Formatter<'_>, statement: &Statement, depth: usize) -> Result {
    match statement {
        Statement::Simple(all) => write_parts(f, all),
        Statement::Labelled(label, statement) => {
            write!(f, "{label}: ")?;
            print(f, statement, depth)
        }
        Statement::Block(keyword, statements) => {
            f.write_str(keyword)?;
            braces(f, statements, depth)
        }
        Statement::Choice(keyword, options) => choice(f, keyword, options, depth),
        Statement::Unless(main, escape) => {
            braces(f, main, depth)?;
            f.write_str(" unless ")?;
            braces(f, escape, depth)
        }
        Statement::For(head, body) => {
            f.write_str("for (")?;
            write_parts(f, head)?;
            f.write_str(") ")?;
            braces(f, body, depth)
        }
    }
}

fn choice(
    f: &mut Formatter<'_>,
    keyword: &str,
    options: &[Vec<Statement>],
    depth: usize,
) -> Result {
    writeln!(f, "{keyword}")?;
    for option in options {
        indent(f, depth)?;
        f.write_str("::\n")?;
        sequence(f, option, depth + 1)?;
    }
    indent(f, depth)?;
    f.write_str(if keyword == "do" { "od" } else { "fi" })
}
