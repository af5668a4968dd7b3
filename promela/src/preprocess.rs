//! The preprocessor: directives, included files and macros, as C has them.
//!
//! It works on tokens, and every token keeps a place in the user's files: what a macro makes is
//! reported where the macro is used. Start reading at [`preprocess`]; [`Preprocessor::source`]
//! yields the tokens of the files with directives carried out, `expansion` opens macros.

mod condition;
mod directives;
mod expansion;

use crate::ast::Span;
use crate::decode;
use crate::lexer::{self, Token, TokenKind};
use directives::Group;
use expansion::Frame;
use network::cancellation;
use rustc_hash::FxHashMap;
use source::{Diagnostic, Diagnostics, SourceMap};
use std::rc::Rc;

/// Reads an included file, or says why that is not possible.
pub type ReadInclude<'a> = dyn FnMut(&str) -> Result<Vec<u8>, String> + 'a;

/// The macros that are defined at the end of a model.
#[derive(Clone, Debug, Default)]
pub struct Macros {
    by_name: FxHashMap<String, Rc<Macro>>,
}

impl Macros {
    /// Where the text stands that a macro is for, if it is for any.
    pub(crate) fn body(&self, name: &str) -> Option<Span> {
        let body = &self.by_name.get(name)?.body;
        Some(body.first()?.text.to(body.last()?.text))
    }
}

/// A macro as defined.
#[derive(Clone, Debug)]
struct Macro {
    /// None for a macro without parentheses.
    parameters: Option<Vec<String>>,
    /// Whether the last parameter takes all that is left, commas included.
    variadic: bool,
    body: Vec<Token>,
}

/// How many tokens macros may make altogether.
const MOST_EXPANDED: usize = 1_000_000;

/// How many tokens a model may have after preprocessing.
const MOST_TOKENS: usize = 16_000_000;

/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 100;

/// How many times files may be included altogether.
const MOST_INCLUDES: usize = 10_000;

/// A file that is being read.
struct OpenFile {
    tokens: Rc<[Token]>,
    at: usize,
    /// Its path, to which others are relative.
    path: String,
    /// The `#if`s around the current line.
    groups: Vec<Group>,
}

impl OpenFile {
    /// Whether the current line counts. A group within one that does not count never does, so the
    /// innermost tells.
    fn is_read(&self) -> bool {
        self.groups.last().is_none_or(Group::is_read)
    }
}

/// What preprocessing yields.
pub(crate) struct Preprocessed {
    /// The tokens of the model, closed by an `End`; none if a limit was met.
    pub tokens: Option<Vec<Token>>,
    pub macros: Macros,
}

/// Preprocesses a model; `defines` are taken as written on a command line.
pub(crate) fn preprocess(
    file: u32,
    defines: &[(String, String)],
    sources: &mut SourceMap,
    read_include: &mut ReadInclude,
    diagnostics: &mut Diagnostics,
) -> Preprocessed {
    let mut it = Preprocessor::new(sources, read_include, diagnostics, Macros::default());
    it.define_all(defines);
    it.open(file);
    let tokens = it.run(file);
    Preprocessed { tokens, macros: it.macros }
}

/// Opens the macros of a text that stands outside the model, such as a query.
pub(crate) fn expand(
    file: u32,
    macros: &Macros,
    sources: &mut SourceMap,
    diagnostics: &mut Diagnostics,
) -> Option<Vec<Token>> {
    let refuse = &mut |_: &str| Err("a query includes no files".to_string());
    let mut it = Preprocessor::new(sources, refuse, diagnostics, macros.clone());
    it.open(file);
    it.run(file)
}

struct Preprocessor<'a, 'b> {
    sources: &'a mut SourceMap,
    read_include: &'a mut ReadInclude<'b>,
    diagnostics: &'a mut Diagnostics,
    macros: Macros,
    /// The files that include each other, the innermost last.
    files: Vec<OpenFile>,
    /// Every file that was read, by path.
    known: FxHashMap<String, (u32, Rc<[Token]>)>,
    includes: usize,
    /// The macros that are being opened, the innermost last.
    frames: Vec<Frame>,
    /// How many frames at the bottom are out of reach while an argument is opened.
    floor: usize,
    /// How many arguments are being opened within each other.
    depth: usize,
    /// A token of the files that was looked at and not taken.
    ahead: Option<Token>,
    /// Whether a line was broken since the last token.
    line_broken: bool,
    /// Whether the arguments of a macro went on to another line, to which the next token that
    /// stands after a blank is put.
    line_after: bool,
    expanded: usize,
    /// Whether a limit was met.
    stopped: bool,
}

impl<'a, 'b> Preprocessor<'a, 'b> {
    fn new(
        sources: &'a mut SourceMap,
        read_include: &'a mut ReadInclude<'b>,
        diagnostics: &'a mut Diagnostics,
        macros: Macros,
    ) -> Self {
        Preprocessor {
            sources,
            read_include,
            diagnostics,
            macros,
            files: vec![],
            known: FxHashMap::default(),
            includes: 0,
            frames: vec![],
            floor: 0,
            depth: 0,
            ahead: None,
            line_broken: false,
            line_after: false,
            expanded: 0,
            stopped: false,
        }
    }

    fn define_all(&mut self, defines: &[(String, String)]) {
        if defines.is_empty() {
            return;
        }
        let line = |(name, value): &(String, String)| {
            format!("#define {} {}\n", name.replace('\n', " "), value.replace('\n', " "))
        };
        let text = defines.iter().map(line).collect();
        let file = self.sources.add_file("command line", text);
        self.open(file);
        self.run(file);
    }

    /// All tokens up to the end of the files, closed by an `End`.
    fn run(&mut self, file: u32) -> Option<Vec<Token>> {
        let mut output = vec![];
        while let Some(token) = self.expanded_token() {
            if output.len() >= MOST_TOKENS {
                self.stop("the model is too large", token.span);
            }
            output.push(token);
        }
        let end = self.sources.text(file).len() as u32;
        let span = Span { fragment: file, start: end, end };
        output.push(Token { kind: TokenKind::End, ..made_token(TokenKind::End, span, span) });
        (!self.stopped).then_some(output)
    }

    /// Adds a file on top of those being read.
    fn open(&mut self, file: u32) {
        let (tokens, problems) = lexer::tokens(self.sources.text(file), Span::start_of(file));
        self.diagnostics.extend(problems);
        let path = self.sources.path(Span::start_of(file)).unwrap_or("").to_string();
        let tokens: Rc<[Token]> = tokens.into();
        self.known.insert(path.clone(), (file, tokens.clone()));
        self.files.push(OpenFile { tokens, at: 0, path, groups: vec![] });
    }

    /// Reads an included file unless it was read before, and opens it.
    fn include(&mut self, name: &str, span: Span) {
        let path = self.beside_current(name);
        self.includes += 1;
        if self.files.len() >= DEEPEST_INCLUDE || self.includes > MOST_INCLUDES {
            let deepest = format!("`{name}` is included too often or within itself");
            return self.stop(&deepest, span);
        }
        if let Some((_, tokens)) = self.known.get(&path) {
            let tokens = tokens.clone();
            return self.files.push(OpenFile { tokens, at: 0, path, groups: vec![] });
        }
        match (self.read_include)(&path).and_then(|bytes| decode(&bytes)) {
            Ok(decoded) => {
                let file = self.sources.add_decoded(&path, Ok(decoded), self.diagnostics);
                file.into_iter().for_each(|file| self.open(file));
            }
            Err(reason) => self.error(format!("cannot include `{path}`: {reason}"), span),
        }
    }

    /// The path of a file that stands beside the one being read.
    fn beside_current(&self, name: &str) -> String {
        let current = self.files.last().map_or("", |file| file.path.as_str());
        match current.rfind('/') {
            Some(slash) if !name.starts_with('/') => format!("{}{name}", &current[..=slash]),
            _ => name.to_string(),
        }
    }

    /// The next token of the files, with all directives before it carried out.
    fn source(&mut self) -> Option<Token> {
        while !self.stopped {
            cancellation::check();
            let file = self.files.last_mut()?;
            let Some(&token) = file.tokens.get(file.at) else {
                self.close_file();
                continue;
            };
            if token.kind == TokenKind::Hash && token.starts_line {
                self.directive();
                continue;
            }
            file.at += 1;
            if file.is_read() {
                return Some(token);
            }
        }
        None
    }

    fn close_file(&mut self) {
        let closed = self.files.pop();
        for group in closed.map(|file| file.groups).unwrap_or_default() {
            self.error("this `#if` has no `#endif`", group.span);
        }
    }

    fn text(&self, token: Token) -> &str {
        self.sources.snippet(token.text)
    }

    fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(message, span));
    }

    /// Reports that a limit was met and ends preprocessing.
    fn stop(&mut self, message: &str, span: Span) {
        if !self.stopped {
            self.error(message, span);
        }
        self.stopped = true;
        self.files.clear();
        self.frames.clear();
        self.floor = 0;
    }
}

/// A token of its own.
fn made_token(kind: TokenKind, text: Span, span: Span) -> Token {
    Token {
        kind,
        starts_line: false,
        newline: false,
        spaced: false,
        expanded: true,
        painted: false,
        text,
        span,
        name: span,
    }
}
