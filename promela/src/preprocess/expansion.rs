//! Macros: their uses, arguments, `#` and `##`.
//!
//! The body of a used macro becomes a frame from which tokens are read on, so what it makes is
//! looked at again; as long as the frame is open, the macro's own name stays as it is.

use super::{MOST_EXPANDED, Macro, Preprocessor, made_token};
use crate::ast::Span;
use crate::lexer::{self, Token, TokenKind};
use std::rc::Rc;

/// How deep arguments may use macros in their own arguments.
const DEEPEST: usize = 100;

/// How many macros may be open within each other.
const DEEPEST_FRAME: usize = 1000;

/// What is left of an opened macro.
pub(super) struct Frame {
    tokens: Vec<Token>,
    at: usize,
    /// The macro, which is not opened again within.
    name: String,
}

/// The argument of a macro, as written and with its own macros opened.
struct Argument {
    raw: Vec<Token>,
    expanded: Option<Vec<Token>>,
}

impl Preprocessor<'_, '_> {
    /// The next token with all macros opened.
    pub(super) fn expanded_token(&mut self) -> Option<Token> {
        loop {
            let token = self.raw_token()?;
            if let Some(mut token) = self.open_macro(token) {
                token.newline = std::mem::take(&mut self.line_broken);
                return Some(token);
            }
        }
    }

    /// A list of tokens on its own with all macros opened.
    pub(super) fn expand_alone(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        self.depth += 1;
        if self.depth > DEEPEST {
            let span = tokens.first().map_or(Span::default(), |token| token.span);
            self.stop("macros are nested too deeply in their arguments", span);
            self.depth -= 1;
            return vec![];
        }
        let floor = std::mem::replace(&mut self.floor, self.frames.len() + 1);
        let broken = self.line_broken;
        self.frames.push(Frame { tokens, at: 0, name: String::new() });
        let mut result = vec![];
        while let Some(token) = self.expanded_token() {
            result.push(token);
        }
        // The list's own frame is at the floor, so that no token after it is reached.
        self.frames.truncate(self.floor.saturating_sub(1));
        self.floor = if self.stopped { 0 } else { floor };
        self.line_broken = broken;
        self.depth -= 1;
        self.count(result.len(), result.first().map_or(Span::default(), |token| token.span));
        result
    }

    /// The next token as it stands, from the innermost frame or else from the files.
    fn raw_token(&mut self) -> Option<Token> {
        while let Some(frame) = self.frames.last_mut() {
            if let Some(&token) = frame.tokens.get(frame.at) {
                frame.at += 1;
                return Some(token);
            }
            if self.frames.len() <= self.floor {
                return None;
            }
            self.frames.pop();
        }
        let token = match self.ahead.take() {
            Some(token) => token,
            None => self.source()?,
        };
        if token.newline || token.spaced && self.line_after {
            self.line_broken = true;
            self.line_after = false;
        }
        Some(token)
    }

    /// Whether the next token is an opening parenthesis, which stays where it is.
    fn parenthesis_follows(&mut self) -> bool {
        while let Some(frame) = self.frames.last() {
            if let Some(token) = frame.tokens.get(frame.at) {
                return token.kind == TokenKind::OpenParen;
            }
            if self.frames.len() <= self.floor {
                return false;
            }
            self.frames.pop();
        }
        if self.ahead.is_none() {
            self.ahead = self.source();
        }
        self.ahead.is_some_and(|token| token.kind == TokenKind::OpenParen)
    }

    /// Opens the macro that a token names; any other token comes back.
    fn open_macro(&mut self, token: Token) -> Option<Token> {
        if token.kind != TokenKind::Word || token.painted || self.stopped {
            return Some(token);
        }
        let name = self.text(token);
        let Some(defined) = self.macros.by_name.get(name).cloned() else {
            return Some(self.builtin(token));
        };
        let name = name.to_string();
        if self.frames.iter().any(|frame| frame.name == name) {
            return Some(Token { painted: true, ..token });
        }
        let (tokens, span) = match &defined.parameters {
            None => (self.body(&defined, &mut [], token.span), token.span),
            Some(_) if !self.parenthesis_follows() => return Some(token),
            Some(parameters) => {
                let (mut arguments, span) = self.arguments(&defined, parameters.len(), token)?;
                (self.body(&defined, &mut arguments, span), span)
            }
        };
        self.push_frame(name, tokens, span);
        None
    }

    /// Adds to what macros have made, up to the limit.
    fn count(&mut self, tokens: usize, span: Span) {
        self.expanded += tokens;
        if self.expanded > MOST_EXPANDED {
            self.stop("macros make more than a million tokens", span);
        }
    }

    fn push_frame(&mut self, name: String, tokens: Vec<Token>, span: Span) {
        self.count(tokens.len() + 1, span);
        if self.frames.len() >= DEEPEST_FRAME {
            return self.stop("macros are nested too deeply", span);
        }
        if !self.stopped {
            self.frames.push(Frame { tokens, at: 0, name });
        }
    }

    /// `__LINE__` and `__FILE__`.
    fn builtin(&mut self, token: Token) -> Token {
        let (kind, text) = match self.text(token) {
            "__LINE__" => (TokenKind::Int, self.sources.line(token.span).to_string()),
            "__FILE__" => {
                let path = self.sources.path(token.span).unwrap_or("");
                (TokenKind::Text, format!("\"{}\"", path.escape_default()))
            }
            _ => return token,
        };
        Token { kind, text: self.sources.make(&text), ..token }
    }

    /// The arguments of a use, up to the closing parenthesis, and the span of the whole use.
    fn arguments(
        &mut self,
        defined: &Rc<Macro>,
        count: usize,
        name: Token,
    ) -> Option<(Vec<Argument>, Span)> {
        let broken = std::mem::take(&mut self.line_broken);
        let mut lists: Vec<Vec<Token>> = vec![vec![]];
        let mut open = 0;
        self.raw_token();
        let span = loop {
            let Some(token) = self.raw_token() else {
                let message = format!("the arguments of `{}` are never closed", self.text(name));
                self.error(message, name.span);
                return None;
            };
            match token.kind {
                TokenKind::OpenParen => open += 1,
                TokenKind::CloseParen if open == 0 => break name.span.to(token.span),
                TokenKind::CloseParen => open -= 1,
                TokenKind::Comma if open == 0 && !(defined.variadic && lists.len() >= count) => {
                    lists.push(vec![]);
                    continue;
                }
                _ => {}
            }
            lists.last_mut().expect("there is always one list").push(token);
        };
        self.line_after |= self.line_broken;
        self.line_broken = broken;
        self.count(lists.iter().map(Vec::len).sum(), span);
        self.check_count(lists, count, defined.variadic, name, span)
    }

    fn check_count(
        &mut self,
        mut lists: Vec<Vec<Token>>,
        count: usize,
        variadic: bool,
        name: Token,
        span: Span,
    ) -> Option<(Vec<Argument>, Span)> {
        if count == 0 && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        if variadic && lists.len() + 1 == count {
            lists.push(vec![]);
        }
        if lists.len() != count {
            let text = self.text(name);
            let message =
                format!("the macro `{text}` takes {count} arguments, {} are given", lists.len());
            self.error(message, span);
            return None;
        }
        let arguments = lists.into_iter().map(|raw| Argument { raw, expanded: None }).collect();
        Some((arguments, span))
    }

    /// The body of a macro with its arguments in place.
    fn body(&mut self, defined: &Rc<Macro>, arguments: &mut [Argument], use_: Span) -> Vec<Token> {
        let mut result: Vec<Token> = vec![];
        let body = &defined.body;
        let mut at = 0;
        while let Some(&token) = body.get(at) {
            let pastes = body.get(at + 1).is_some_and(|next| next.kind == TokenKind::HashHash);
            let pasted = at > 0 && body[at - 1].kind == TokenKind::HashHash;
            at += 1;
            if token.kind == TokenKind::HashHash {
                continue;
            }
            let next = body.get(at).and_then(|&next| self.parameter(defined, next));
            let operand = match (token.kind, next) {
                (TokenKind::Hash, Some(index)) if defined.parameters.is_some() => {
                    at += 1;
                    vec![self.stringify(&arguments[index].raw, use_)]
                }
                _ => self.operand(defined, arguments, token, pastes || pasted, use_),
            };
            match pasted {
                true => self.paste(&mut result, operand, use_),
                false => result.extend(operand),
            }
            if self.stopped || result.len() > MOST_EXPANDED {
                self.stop("macros make more than a million tokens", use_);
                return vec![];
            }
        }
        result.retain(|token| token.kind != TokenKind::End);
        result
    }

    fn parameter(&self, defined: &Macro, token: Token) -> Option<usize> {
        let parameters = defined.parameters.as_ref()?;
        let text = (token.kind == TokenKind::Word).then(|| self.text(token))?;
        parameters.iter().position(|parameter| parameter == text)
    }

    /// A token of the body: itself, or its argument; `End` marks an empty side of `##`.
    fn operand(
        &mut self,
        defined: &Macro,
        arguments: &mut [Argument],
        token: Token,
        raw: bool,
        use_: Span,
    ) -> Vec<Token> {
        let Some(index) = self.parameter(defined, token) else {
            return vec![Token { expanded: true, span: use_, name: use_, ..token }];
        };
        let argument = &mut arguments[index];
        if raw && argument.raw.is_empty() {
            return vec![made_token(TokenKind::End, use_, use_)];
        }
        if raw {
            return argument.raw.clone();
        }
        if argument.expanded.is_none() {
            let raw = argument.raw.clone();
            argument.expanded = Some(self.expand_alone(raw));
        }
        arguments[index].expanded.clone().unwrap_or_default()
    }

    /// `#argument`
    fn stringify(&mut self, tokens: &[Token], use_: Span) -> Token {
        let mut text = String::from("\"");
        for (index, &token) in tokens.iter().enumerate() {
            if index > 0 && (token.spaced || token.newline) {
                text.push(' ');
            }
            let part = self.text(token);
            match token.kind {
                TokenKind::Text | TokenKind::Char => {
                    text.push_str(&part.replace('\\', "\\\\").replace('"', "\\\""));
                }
                _ => text.push_str(part),
            }
        }
        text.push('"');
        let text = self.sources.make(&text);
        made_token(TokenKind::Text, text, use_)
    }

    /// Joins the last token of `left` with the first of `right`.
    fn paste(&mut self, left: &mut Vec<Token>, right: Vec<Token>, use_: Span) {
        let mut right = right.into_iter();
        let (Some(last), Some(first)) = (left.pop(), right.next()) else {
            return;
        };
        match (last.kind, first.kind) {
            (_, TokenKind::End) => left.push(last),
            (TokenKind::End, _) => left.push(first),
            _ => {
                let joined = self.joined(last, first, use_);
                left.extend(joined);
            }
        }
        left.extend(right);
    }

    fn joined(&mut self, last: Token, first: Token, use_: Span) -> Vec<Token> {
        let text = format!("{}{}", self.text(last), self.text(first));
        let place = self.sources.make(&text);
        let (tokens, _) = lexer::tokens(&text, place);
        match tokens.as_slice() {
            [only] => vec![made_token(only.kind, only.text, use_)],
            _ => {
                let message = format!("`##` makes no single token of `{}`", text.escape_debug());
                self.error(message, use_);
                vec![last, first]
            }
        }
    }
}
