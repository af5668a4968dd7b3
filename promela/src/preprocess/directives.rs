//! The lines that begin with `#`.

use super::{Macro, OpenFile, Preprocessor};
use crate::ast::Span;
use crate::lexer::{Token, TokenKind};
use source::Diagnostic;
use std::rc::Rc;

/// An `#if` whose `#endif` has not come yet.
pub(super) struct Group {
    /// The `#if`.
    pub span: Span,
    state: State,
    else_seen: bool,
}

/// Whether the lines of a group count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// They do.
    Read,
    /// No condition has held so far.
    Waiting,
    /// A condition has held before, or the whole group is left out.
    Over,
}

impl Group {
    pub fn is_read(&self) -> bool {
        self.state == State::Read
    }
}

impl Preprocessor<'_, '_> {
    /// Carries out the directive here.
    pub(super) fn directive(&mut self) {
        let (hash, line) = self.take_line();
        let Some(&first) = line.first() else {
            return;
        };
        let word = self.text(first).to_string();
        let (span, rest) = (hash.span.to(first.span), &line[1..]);
        match word.as_str() {
            "if" => self.begin_group(span, |it| it.condition(rest, span)),
            "ifdef" => self.begin_group(span, |it| it.is_defined(rest, span)),
            "ifndef" => self.begin_group(span, |it| !it.is_defined(rest, span)),
            "elif" => self.next_group(span, &word, |it| it.condition(rest, span)),
            "else" => self.next_group(span, &word, |_| true),
            "endif" => self.end_group(span),
            _ if !self.is_reading() => {}
            "define" => self.define(rest, span),
            "undef" => self.undefine(rest, span),
            "include" => self.include_line(rest, span),
            "error" => self.complain(rest, span, Diagnostic::error),
            "warning" => self.complain(rest, span, Diagnostic::warning),
            // Marks left by another preprocessor: our own places are better.
            "line" | "ident" => {}
            _ if first.kind == TokenKind::Int => {}
            _ => {
                let message = format!("`#{}` is not a directive", word.escape_debug());
                self.error(message, span);
            }
        }
    }

    fn is_reading(&self) -> bool {
        self.files.last().is_none_or(OpenFile::is_read)
    }

    /// The `#` here and the other tokens of its line.
    fn take_line(&mut self) -> (Token, Vec<Token>) {
        let file = self.files.last_mut().expect("a directive stands in a file");
        let hash = file.tokens[file.at];
        let rest = &file.tokens[file.at + 1..];
        let length = rest.iter().position(|token| token.starts_line).unwrap_or(rest.len());
        file.at += 1 + length;
        (hash, rest[..length].to_vec())
    }

    fn begin_group(&mut self, span: Span, holds: impl FnOnce(&mut Self) -> bool) {
        let state = match self.is_reading() {
            false => State::Over,
            true if holds(self) => State::Read,
            true => State::Waiting,
        };
        if let Some(file) = self.files.last_mut() {
            file.groups.push(Group { span, state, else_seen: false });
        }
    }

    fn next_group(&mut self, span: Span, word: &str, holds: impl FnOnce(&mut Self) -> bool) {
        let groups = self.files.last_mut().map(|file| &mut file.groups);
        let Some(group) = groups.and_then(|groups| groups.last_mut()) else {
            return self.error(format!("`#{word}` without `#if`"), span);
        };
        if group.else_seen {
            return self.error(format!("`#{word}` after `#else`"), span);
        }
        group.else_seen = word == "else";
        let waiting = group.state == State::Waiting;
        let state = if waiting && holds(self) {
            State::Read
        } else if waiting {
            State::Waiting
        } else {
            State::Over
        };
        if let Some(group) = self.files.last_mut().and_then(|file| file.groups.last_mut()) {
            group.state = state;
        }
    }

    fn end_group(&mut self, span: Span) {
        let group = self.files.last_mut().and_then(|file| file.groups.pop());
        if group.is_none() {
            self.error("`#endif` without `#if`", span);
        }
    }

    fn is_defined(&mut self, rest: &[Token], span: Span) -> bool {
        match rest.first() {
            Some(&name) if name.kind == TokenKind::Word => {
                self.macros.by_name.contains_key(self.text(name))
            }
            _ => {
                self.error("expected the name of a macro", span);
                false
            }
        }
    }

    fn condition(&mut self, rest: &[Token], span: Span) -> bool {
        self.evaluate(rest, span).unwrap_or(false)
    }

    fn complain(&mut self, rest: &[Token], span: Span, make: fn(String, Span) -> Diagnostic) {
        let text = match (rest.first(), rest.last()) {
            (Some(first), Some(last)) => self.sources.snippet(first.text.to(last.text)),
            _ => "this line was reached",
        };
        let text = text.to_string();
        self.diagnostics.push(make(text, span));
    }

    fn undefine(&mut self, rest: &[Token], span: Span) {
        match rest.first() {
            Some(&name) if name.kind == TokenKind::Word => {
                let name = self.text(name).to_string();
                self.macros.by_name.remove(&name);
            }
            _ => self.error("expected the name of a macro", span),
        }
    }

    fn include_line(&mut self, rest: &[Token], span: Span) {
        let rest = match rest.first() {
            Some(first) if first.kind == TokenKind::Word => self.expand_alone(rest.to_vec()),
            _ => rest.to_vec(),
        };
        match rest.first() {
            Some(&name) if name.kind == TokenKind::Text => {
                let text = self.text(name).trim_matches('"').to_string();
                self.include(&text, name.span);
            }
            Some(name) if name.kind == TokenKind::Less => {
                let message = "only files of the model itself can be included";
                let hint = "write `#include \"file\"`, relative to this file";
                self.diagnostics.push(Diagnostic::error(message, name.span).hint(hint));
            }
            _ => self.error("expected `#include \"file\"`", span),
        }
    }

    fn define(&mut self, rest: &[Token], span: Span) {
        let Some((&name, rest)) =
            rest.split_first().filter(|(name, _)| name.kind == TokenKind::Word)
        else {
            return self.error("expected the name of a macro", span);
        };
        let text = self.text(name).to_string();
        if text == "defined" {
            return self.error("`defined` cannot be a macro", name.span);
        }
        let Some(defined) = self.macro_of(rest) else {
            return;
        };
        if let Some(before) = self.macros.by_name.get(&text).cloned()
            && !self.is_same(&before, &defined)
        {
            let message = format!("the macro `{text}` is redefined");
            self.diagnostics.push(Diagnostic::warning(message, name.span));
        }
        self.macros.by_name.insert(text, Rc::new(defined));
    }

    /// The parameters and body after the name of a macro.
    fn macro_of(&mut self, rest: &[Token]) -> Option<Macro> {
        let (parameters, variadic, body) = match rest.first() {
            Some(open) if open.kind == TokenKind::OpenParen && !open.spaced => {
                let (parameters, variadic, length) = self.parameters(&rest[1..], open.span)?;
                (Some(parameters), variadic, &rest[1 + length..])
            }
            _ => (None, false, rest),
        };
        let ends = [body.first(), body.last()].into_iter().flatten();
        if let Some(end) = ends.clone().find(|token| token.kind == TokenKind::HashHash) {
            self.error("`##` needs something on both sides", end.span);
            return None;
        }
        Some(Macro { parameters, variadic, body: body.to_vec() })
    }

    /// `a, b, ...)`: the names, whether there are dots, and the number of tokens.
    fn parameters(&mut self, rest: &[Token], open: Span) -> Option<(Vec<String>, bool, usize)> {
        let mut names = vec![];
        let mut variadic = false;
        for (index, &token) in rest.iter().enumerate() {
            match token.kind {
                TokenKind::CloseParen => return Some((names, variadic, index + 1)),
                TokenKind::Word if !variadic => names.push(self.text(token).to_string()),
                TokenKind::Ellipsis if !variadic => {
                    variadic = true;
                    names.push("__VA_ARGS__".to_string());
                }
                TokenKind::Comma if !variadic && !names.is_empty() => {}
                _ => {
                    self.error("expected the name of a parameter", token.span);
                    return None;
                }
            }
        }
        self.error("the parameters are never closed", open);
        None
    }

    fn is_same(&self, one: &Macro, other: &Macro) -> bool {
        let same = |(&a, &b): (&Token, &Token)| a.kind == b.kind && self.text(a) == self.text(b);
        one.parameters == other.parameters
            && one.body.len() == other.body.len()
            && one.body.iter().zip(&other.body).all(same)
    }
}
