//! The text of an XML element with its way back to the file, and words for malformed XML.

use crate::ast::Span;
use roxmltree::Error;
use source::{Diagnostic, Piece};
use std::ops::Range;

/// The unescaped text of an element.
#[derive(Default)]
pub(super) struct Content {
    pub text: String,
    pub pieces: Vec<Piece>,
    /// Entities of the document's own making, with their offsets in the file.
    pub unknown_entities: Vec<(String, u32)>,
}

/// The offset after the opening tag of the element at `range`.
pub(super) fn tag_end(text: &str, range: Range<usize>) -> usize {
    let mut quote = None;
    for (index, byte) in text.as_bytes()[range.clone()].iter().enumerate() {
        match (quote, byte) {
            (None, b'>') => return range.start + index + 1,
            (None, b'"' | b'\'') => quote = Some(*byte),
            (Some(open), byte) if open == *byte => quote = None,
            _ => {}
        }
    }
    range.end
}

/// The text between the tags of the element at `range`, without comments and child elements.
pub(super) fn content(text: &str, range: Range<usize>) -> Content {
    let start = tag_end(text, range.clone());
    let end = match text[start..range.end].rfind("</") {
        Some(length) => start + length,
        None => start,
    };
    let mut content = Content::default();
    let mut at = start;
    while at < end {
        at = content.step(&text[..end], at);
    }
    // The end of the text stands before the closing tag.
    content.take("", end..end);
    content
}

impl Content {
    /// Takes one run of text, entity, comment or CDATA section, and returns where it ends.
    fn step(&mut self, text: &str, at: usize) -> usize {
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix("<![CDATA[") {
            let length = inner.find("]]>").unwrap_or(inner.len());
            self.take(&inner[..length], at + 9..at + 9 + length);
            return (at + 9 + length + 3).min(text.len());
        }
        if rest.starts_with("<!--") {
            return rest.find("-->").map_or(text.len(), |length| at + length + 3);
        }
        if rest.starts_with('<') {
            return rest.find('>').map_or(text.len(), |length| at + length + 1);
        }
        if rest.starts_with('&') {
            let length = rest.find(';').map_or(rest.len(), |length| length + 1);
            self.entity(&rest[..length], at);
            return at + length;
        }
        let length = rest.find(['<', '&']).unwrap_or(rest.len());
        self.take(&rest[..length], at..at + length);
        at + length
    }

    fn take(&mut self, text: &str, file: Range<usize>) {
        self.pieces.push(Piece {
            at: self.text.len() as u32,
            file_at: file.start as u32,
            file_end: file.end as u32,
        });
        self.text.push_str(text);
    }

    fn entity(&mut self, entity: &str, at: usize) {
        let name = entity.trim_start_matches('&').trim_end_matches(';');
        match character(name) {
            Some(character) => {
                let mut buffer = [0; 4];
                self.take(character.encode_utf8(&mut buffer), at..at + entity.len());
            }
            None => {
                self.unknown_entities.push((entity.to_string(), at as u32));
                // Something must stand here, or the gap would look like a second mistake.
                self.take("0", at..at + entity.len());
            }
        }
    }
}

fn character(entity: &str) -> Option<char> {
    let code = match entity {
        "lt" => return Some('<'),
        "gt" => return Some('>'),
        "amp" => return Some('&'),
        "quot" => return Some('"'),
        "apos" => return Some('\''),
        _ => entity.strip_prefix('#')?,
    };
    let number = match code.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => code.parse().ok()?,
    };
    char::from_u32(number)
}

/// The diagnostic for a document that is not well-formed.
pub(super) fn malformed(error: &Error, text: &str, fragment: u32) -> Diagnostic {
    let at_end =
        matches!(error, Error::UnclosedRootNode | Error::UnexpectedEndOfStream | Error::NoRootNode);
    let at = match at_end {
        true => text.trim_end().len(),
        false => offset(text, error.pos()),
    };
    let length = text[at..].chars().next().map_or(0, char::len_utf8);
    let span = Span { fragment, start: at as u32, end: (at + length) as u32 };
    let message = match error {
        Error::InvalidName(_) if text[..at].ends_with('<') => {
            "a bare `<` is not allowed in XML".to_string()
        }
        _ => describe(error),
    };
    let mut diagnostic = Diagnostic::error(message, span);
    diagnostic.hint = hint(error, &text[at..]);
    diagnostic
}

fn offset(text: &str, position: roxmltree::TextPos) -> usize {
    let line = position.row.max(1) as usize - 1;
    let start = match line {
        0 => 0,
        _ => text.match_indices('\n').nth(line - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    let column = position.col.max(1) as usize - 1;
    let rest = &text[start..];
    start + rest.char_indices().nth(column).map_or(rest.len(), |(at, _)| at)
}

fn describe(error: &Error) -> String {
    match error {
        Error::UnexpectedCloseTag(expected, found, _) => {
            format!("expected `</{expected}>`, found `</{found}>`")
        }
        Error::UnknownEntityReference(name, _) => format!("the entity `&{name};` is not defined"),
        Error::MalformedEntityReference(_) => "a bare `&` is not allowed in XML".to_string(),
        Error::InvalidAttributeValue(_) => "a bare `<` is not allowed in an attribute".to_string(),
        Error::DuplicatedAttribute(name, _) => format!("the attribute `{name}` is given twice"),
        Error::NoRootNode => "the file contains no model".to_string(),
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            "the file ends in the middle of the model".to_string()
        }
        Error::InvalidName(_) => "expected the name of an element or attribute".to_string(),
        Error::NonXmlChar(c, _) => {
            format!("the character `{}` is not allowed in XML", c.escape_debug())
        }
        Error::InvalidChar(expected, found, _) => {
            format!("expected `{}`, found `{}`", *expected as char, *found as char)
        }
        Error::InvalidChar2(expected, found, _) => {
            format!("expected {expected}, found `{}`", *found as char)
        }
        Error::InvalidString(expected, _) => format!("expected `{expected}`"),
        Error::InvalidComment(_) => "`--` is not allowed inside an XML comment".to_string(),
        Error::EntityReferenceLoop(_) => "entities refer to each other without end".to_string(),
        Error::UnexpectedDeclaration(_) => {
            "the XML declaration must be the very first thing in the file".to_string()
        }
        other => format!("malformed XML: {other}"),
    }
}

fn hint(error: &Error, rest: &str) -> Option<String> {
    let escape = "write `&lt;` for `<` and `&amp;` for `&`; `and` needs no escape";
    match error {
        Error::MalformedEntityReference(_)
        | Error::UnknownEntityReference(..)
        | Error::InvalidAttributeValue(_)
        | Error::InvalidName(_)
        | Error::UnknownToken(_) => Some(escape.to_string()),
        Error::InvalidChar(..) | Error::InvalidChar2(..) if !rest.starts_with('<') => {
            Some(escape.to_string())
        }
        Error::UnclosedRootNode | Error::UnexpectedEndOfStream => {
            Some("it may have been cut off".to_string())
        }
        _ => None,
    }
}
