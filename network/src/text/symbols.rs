//! The names a text declares, collected before anything else is read, so that an expression may
//! speak of a process or function that is declared further down.

use super::lexer::{Token, TokenKind};
use std::collections::HashMap;

/// The names of one kind, in order of declaration.
#[derive(Default, Debug)]
pub(super) struct Table {
    names: Vec<String>,
    /// The first declaration of each name, and whether there are others.
    first: HashMap<String, (u32, bool)>,
}

impl Table {
    fn add(&mut self, name: &str) {
        let id = self.names.len() as u32;
        self.names.push(name.to_string());
        self.first
            .entry(name.to_string())
            .and_modify(|entry| entry.1 = true)
            .or_insert((id, false));
    }

    pub fn contains(&self, name: &str) -> bool {
        self.first.contains_key(name)
    }

    /// The number of the declaration that a name, or a name with a number, refers to.
    pub fn resolve(&self, name: &str, number: Option<u32>, what: &str) -> Result<u32, String> {
        if let Some(number) = number {
            return match self.names.get(number as usize) {
                Some(found) if found == name => Ok(number),
                _ => Err(format!("{what} {number} is not called \"{name}\"")),
            };
        }
        match self.first.get(name) {
            None => Err(format!("there is no {what} \"{name}\"")),
            Some((_, true)) => Err(format!("there are several {what}s \"{name}\"; add its number")),
            Some((id, false)) => Ok(*id),
        }
    }
}

/// All names a text declares, and where its items start.
#[derive(Default, Debug)]
pub(super) struct Symbols {
    pub scalar_sets: Table,
    pub value_names: Table,
    pub failures: Table,
    pub variables: Table,
    pub clocks: Table,
    pub channels: Table,
    pub functions: Table,
    pub processes: Table,
    /// The locations of each process.
    pub locations: Vec<Table>,
    /// The tokens at which items start.
    pub items: Vec<usize>,
}

impl Symbols {
    /// Reads no more than the words that start a declaration and the names after them.
    pub fn collect(tokens: &[Token<'_>]) -> Self {
        let mut symbols = Symbols::default();
        let mut depth = 0_usize;
        for (i, token) in tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Symbol("{" | "(" | "[") => depth += 1,
                TokenKind::Symbol("}" | ")" | "]") => depth = depth.saturating_sub(1),
                TokenKind::Keyword(word) if depth == 0 => symbols.item(word, i, tokens),
                TokenKind::Keyword("location") if depth == 1 => symbols.location(tokens.get(i + 1)),
                _ => {}
            }
        }
        symbols
    }

    fn item(&mut self, word: &str, position: usize, tokens: &[Token<'_>]) {
        let table = match word {
            "source" | "property" => None,
            "scalar" => Some(&mut self.scalar_sets),
            "names" => Some(&mut self.value_names),
            "failure" => Some(&mut self.failures),
            "var" | "const" => Some(&mut self.variables),
            "clock" => Some(&mut self.clocks),
            "chan" => Some(&mut self.channels),
            "function" => Some(&mut self.functions),
            "process" => {
                self.locations.push(Table::default());
                Some(&mut self.processes)
            }
            _ => return,
        };
        self.items.push(position);
        if let Some(table) = table {
            // A missing name is reported when the item is read; until then it holds the place.
            table.add(tokens.get(position + 1).and_then(name).unwrap_or(""));
        }
    }

    fn location(&mut self, token: Option<&Token<'_>>) {
        if let (Some(table), Some(name)) = (self.locations.last_mut(), token.and_then(name)) {
            table.add(name);
        }
    }
}

/// The name that a token is.
pub(super) fn name<'t>(token: &'t Token<'_>) -> Option<&'t str> {
    match &token.kind {
        TokenKind::Word(word) => Some(word),
        TokenKind::Quoted(text) => Some(text),
        _ => None,
    }
}
