//! Process declarations of textual models, and the edge labels that XML models share with them.

use super::declarations::Scope;
use super::{Failed, Parse, Parser};
use crate::ast::{
    Branchpoint, Direction, Edge, Endpoint, ExponentialRate, Location, Name, Span, Sync, Template,
};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic, nearest};
use std::collections::HashMap;

/// A process whose edges still name their ends.
#[derive(Default)]
struct Body {
    template: Vec<crate::ast::Declaration>,
    locations: Vec<Location>,
    branchpoints: Vec<Branchpoint>,
    initial: Option<Name>,
    committed: Vec<Name>,
    urgent: Vec<Name>,
    edges: Vec<(Name, Name, Edge)>,
    /// Whether some locations may be missing because of a mistake.
    incomplete: bool,
}

impl Body {
    /// Whether there is nothing that the process could do, nor a mistake about it.
    fn is_empty(&self) -> bool {
        let named = self.committed.len() + self.urgent.len() + self.branchpoints.len();
        self.locations.is_empty()
            && self.edges.is_empty()
            && self.initial.is_none()
            && named == 0
            && !self.incomplete
    }

    /// A process without a body stays in a location without a name.
    fn stay(&mut self, span: Span) {
        let name = Name { text: "_".to_string(), span };
        self.initial = Some(name.clone());
        self.locations.push(Location { anonymous: true, ..plain_location(name) });
    }
}

impl Parser<'_> {
    /// `process P(parameters) { ... }`
    pub(super) fn process(&mut self) -> Parse<Template> {
        let start = self.here();
        self.advance();
        let name = self.name("the name of a process")?;
        let mut parameters = vec![];
        if self.eat(TokenKind::OpenParen) {
            parameters = self.template_parameters(TokenKind::CloseParen)?;
            self.advance();
        }
        let open = self.expect(TokenKind::OpenBrace, "before the body of the process")?;
        let mut body = self.process_body(open)?;
        if body.is_empty() {
            body.stay(name.span);
        }
        let mut template = Template {
            name,
            parameters,
            declarations: vec![],
            locations: vec![],
            branchpoints: vec![],
            edges: vec![],
            initial: None,
            span: start.to(self.last()),
        };
        self.resolve_names(body, &mut template);
        Ok(template)
    }

    fn process_body(&mut self, open: Span) -> Parse<Body> {
        let mut body = Body::default();
        while !self.at(TokenKind::CloseBrace) {
            if self.at(TokenKind::End) || self.at_word("process") || self.at_word("system") {
                return self.unclosed_process(open);
            }
            let before = self.cursor.at;
            if self.process_part(&mut body).is_err() {
                self.recover(before);
            }
            if self.cursor.at == before {
                self.advance();
            }
        }
        self.advance();
        Ok(body)
    }

    fn unclosed_process<T>(&mut self, open: Span) -> Parse<T> {
        let hint = format!("a `}}` is missing before {}", self.found());
        let diagnostic = Diagnostic::error("the body of this process is never closed", open);
        Err(self.report(diagnostic.hint(hint)))
    }

    fn process_part(&mut self, body: &mut Body) -> Parse<()> {
        match self.word_ahead(0) {
            Some("state") => self.states(body),
            Some("branchpoint") if self.kind_ahead(1) == TokenKind::Word => self.branchpoints(body),
            Some("commit") => self.names(&mut body.committed),
            Some("urgent") if self.at_urgent_locations() => self.names(&mut body.urgent),
            Some("init") => self.init(&mut body.initial),
            Some("trans") => self.transitions(&mut body.edges),
            _ => {
                self.declaration_or_recover(Scope::Template, &mut body.template);
                Ok(())
            }
        }
    }

    /// `urgent a, b;` against `urgent chan c;`
    fn at_urgent_locations(&self) -> bool {
        self.kind_ahead(1) == TokenKind::Word
            && !matches!(self.word_ahead(1), Some("chan" | "broadcast"))
            && matches!(self.kind_ahead(2), TokenKind::Comma | TokenKind::Semicolon)
    }

    fn states(&mut self, body: &mut Body) -> Parse<()> {
        self.advance();
        if self.locations(&mut body.locations).is_err() {
            body.incomplete = true;
            self.recover_list();
        }
        Ok(())
    }

    fn locations(&mut self, locations: &mut Vec<Location>) -> Parse<()> {
        loop {
            locations.push(self.location()?);
            if !self.another(TokenKind::Semicolon, "after the location")? {
                break;
            }
        }
        self.advance();
        Ok(())
    }

    /// `name`, `name { invariant }` or `name { invariant ; rate }`
    fn location(&mut self) -> Parse<Location> {
        let name = self.name("the name of a location")?;
        let mut location = plain_location(name);
        if self.eat(TokenKind::OpenBrace) {
            if self.location_labels(&mut location).is_err() {
                self.close_braces();
            }
            location.span = location.span.to(self.last());
        }
        Ok(location)
    }

    fn location_labels(&mut self, location: &mut Location) -> Parse<()> {
        if !matches!(self.kind(), TokenKind::Semicolon | TokenKind::CloseBrace) {
            location.invariant = Some(self.conjunction()?);
        }
        if self.eat(TokenKind::Semicolon) && !self.at(TokenKind::CloseBrace) {
            location.rate = Some(self.exponential_rate()?);
        }
        self.expect(TokenKind::CloseBrace, "after the invariant")?;
        Ok(())
    }

    /// Skips past the `}` that closes the labels we are in.
    fn close_braces(&mut self) {
        while !matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace | TokenKind::OpenBrace)
            && !self.starts_section()
        {
            self.advance();
        }
        self.eat(TokenKind::CloseBrace);
    }

    /// `rate` or `numerator : denominator`
    pub(crate) fn exponential_rate(&mut self) -> Parse<ExponentialRate> {
        let numerator = self.expression()?;
        let denominator = match self.eat(TokenKind::Colon) {
            true => Some(self.expression()?),
            false => None,
        };
        Ok(ExponentialRate { numerator, denominator })
    }

    fn branchpoints(&mut self, body: &mut Body) -> Parse<()> {
        let mut names = vec![];
        self.names(&mut names)?;
        body.branchpoints
            .extend(names.into_iter().map(|name| Branchpoint { span: name.span, name }));
        Ok(())
    }

    /// A keyword, names and a `;`.
    fn names(&mut self, list: &mut Vec<Name>) -> Parse<()> {
        self.advance();
        loop {
            list.push(self.name("the name of a location")?);
            if !self.another(TokenKind::Semicolon, "after the location")? {
                break;
            }
        }
        self.advance();
        Ok(())
    }

    fn init(&mut self, initial: &mut Option<Name>) -> Parse<()> {
        let span = self.here();
        self.advance();
        let name = self.name("the name of the initial location")?;
        if initial.replace(name).is_some() {
            return self.error("this process has a second `init`", span);
        }
        self.expect(TokenKind::Semicolon, "after the initial location")?;
        Ok(())
    }

    fn transitions(&mut self, edges: &mut Vec<(Name, Name, Edge)>) -> Parse<()> {
        self.advance();
        let mut source = None;
        loop {
            match self.transition(&mut source) {
                Ok(edge) => edges.push(edge),
                Err(Failed) => self.recover_edge(),
            }
            if !self.another(TokenKind::Semicolon, "after the edge")? {
                break;
            }
        }
        self.advance();
        Ok(())
    }

    /// Skips the rest of a broken edge, so that the next one is read again.
    fn recover_edge(&mut self) {
        while !matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace | TokenKind::Comma)
            && !self.starts_section()
        {
            if self.eat(TokenKind::OpenBrace) {
                return self.close_braces();
            }
            self.advance();
        }
    }

    /// `a -> b { ... }`, or `-> b { ... }` from the previous source.
    fn transition(&mut self, source: &mut Option<Name>) -> Parse<(Name, Name, Edge)> {
        let start = self.here();
        if self.at(TokenKind::Word) {
            *source = Some(self.name("the source of an edge")?);
        }
        let controllable = self.at(TokenKind::Arrow);
        if !controllable && !self.at(TokenKind::UncontrollableArrow) {
            return self.expected("`->`");
        }
        let Some(from) = source.clone() else {
            return self.error("the first edge needs a source before `->`", start);
        };
        self.advance();
        let target = self.name("the target of an edge")?;
        let mut edge = empty_edge(start, controllable);
        self.expect(TokenKind::OpenBrace, "before the labels of the edge")?;
        self.edge_labels(&mut edge);
        edge.span = start.to(self.last());
        Ok((from, target, edge))
    }

    /// All labels up to the `}`; a broken one does not hide the others.
    fn edge_labels(&mut self, edge: &mut Edge) {
        while !matches!(self.kind(), TokenKind::End | TokenKind::CloseBrace) {
            if self.edge_label(edge).is_ok() {
                continue;
            }
            while !matches!(
                self.kind(),
                TokenKind::End | TokenKind::CloseBrace | TokenKind::Semicolon
            ) {
                if self.starts_section() {
                    return;
                }
                self.advance();
            }
            self.eat(TokenKind::Semicolon);
        }
        self.eat(TokenKind::CloseBrace);
    }

    fn edge_label(&mut self, edge: &mut Edge) -> Parse<()> {
        let span = self.here();
        let word = self.word_ahead(0).unwrap_or("");
        let repeated = match word {
            "select" => !edge.selects.is_empty(),
            "guard" => edge.guard.is_some(),
            "sync" => edge.sync.is_some(),
            "assign" => !edge.updates.is_empty(),
            "probability" => edge.weight.is_some(),
            _ => return self.no_label(word),
        };
        if repeated {
            let message = format!("this edge has a second `{word}`");
            return self.error(message, span);
        }
        self.advance();
        match word {
            "select" => edge.selects = self.bindings()?,
            "guard" => edge.guard = Some(self.conjunction()?),
            "sync" => edge.sync = Some(self.sync()?),
            "assign" => edge.updates = self.updates()?,
            _ => edge.weight = Some(self.expression()?),
        }
        self.expect(TokenKind::Semicolon, &format!("after the `{word}` label"))?;
        Ok(())
    }

    fn no_label<T>(&mut self, word: &str) -> Parse<T> {
        const LABELS: [&str; 5] = ["select", "guard", "sync", "assign", "probability"];
        let known = LABELS.map(|label| format!("`{label}`")).join(", ");
        let message = format!("expected {known} or `}}`, found {}", self.found());
        let hint = match nearest(word, LABELS) {
            Some(label) => format!("did you mean `{label}`?"),
            None => "`;` ends a label: join conditions with `&&`, updates with `,`".to_string(),
        };
        Err(self.report(Diagnostic::error(message, self.here()).hint(hint)))
    }

    /// `c!`, `c?` or, CSP style, `c`
    pub(crate) fn sync(&mut self) -> Parse<Sync> {
        let channel = self.expression()?;
        let direction = match self.kind() {
            TokenKind::Exclamation => Direction::Send,
            TokenKind::Question => Direction::Receive,
            _ => Direction::Csp,
        };
        if direction != Direction::Csp {
            self.advance();
        }
        let span = channel.span.to(self.last());
        Ok(Sync { channel, direction, span })
    }

    fn resolve_names(&mut self, body: Body, template: &mut Template) {
        let ends = Ends::of(&body);
        template.declarations = body.template;
        template.locations = body.locations;
        template.branchpoints = body.branchpoints;
        for name in &body.committed {
            if let Some(index) = self.location_named(name, &ends) {
                template.locations[index].committed = true;
            }
        }
        for name in &body.urgent {
            if let Some(index) = self.location_named(name, &ends) {
                template.locations[index].urgent = true;
            }
        }
        let initial = match &body.initial {
            Some(name) => self.location_named(name, &ends),
            None => self.no_initial(template.name.span),
        };
        // With any initial location the rest can still be checked for mistakes.
        template.initial = initial.or((!template.locations.is_empty()).then_some(0));
        for (source, target, mut edge) in body.edges {
            // With any location as its end the labels of an edge can still be checked.
            let any = (!template.locations.is_empty()).then_some(Endpoint::Location(0));
            let source = self.endpoint(&source, &ends).or(any);
            let target = self.endpoint(&target, &ends).or(any);
            if let (Some(source), Some(target)) = (source, target) {
                (edge.source, edge.target) = (source, target);
                template.edges.push(edge);
            }
        }
    }

    fn no_initial(&mut self, process: Span) -> Option<usize> {
        let message = "this process has no initial location";
        let diagnostic = Diagnostic::error(message, process).hint("add `init name;`");
        self.cursor.diagnostics.push(diagnostic.without_holes());
        None
    }

    fn endpoint(&mut self, name: &Name, ends: &Ends) -> Option<Endpoint> {
        let found = ends.by_name.get(&name.text).copied();
        if found.is_none() && !ends.incomplete {
            let message = format!("there is no location named `{}` in this process", name.text);
            let mut diagnostic = Diagnostic::error(message, name.span).without_holes();
            let like = nearest(&name.text, ends.by_name.keys().map(String::as_str));
            diagnostic.hint = like.map(|like| format!("did you mean `{like}`?"));
            self.cursor.diagnostics.push(diagnostic);
        }
        found
    }

    fn location_named(&mut self, name: &Name, ends: &Ends) -> Option<usize> {
        match self.endpoint(name, ends)? {
            Endpoint::Location(index) => Some(index),
            Endpoint::Branchpoint(_) => {
                let message = format!("`{}` is a branchpoint, not a location", name.text);
                self.cursor.diagnostics.push(Diagnostic::error(message, name.span).without_holes());
                None
            }
        }
    }
}

/// The locations and branchpoints of a process by name.
struct Ends {
    by_name: HashMap<String, Endpoint>,
    incomplete: bool,
}

impl Ends {
    fn of(body: &Body) -> Self {
        let mut by_name = HashMap::new();
        for (index, location) in body.locations.iter().enumerate() {
            let name = location.name.text.clone();
            by_name.entry(name).or_insert(Endpoint::Location(index));
        }
        for (index, branchpoint) in body.branchpoints.iter().enumerate() {
            let name = branchpoint.name.text.clone();
            by_name.entry(name).or_insert(Endpoint::Branchpoint(index));
        }
        Ends { by_name, incomplete: body.incomplete }
    }
}

/// A location without labels.
fn plain_location(name: Name) -> Location {
    Location {
        span: name.span,
        name,
        anonymous: false,
        invariant: None,
        rate: None,
        urgent: false,
        committed: false,
    }
}

/// An edge without labels; its ends are filled in later.
pub(crate) fn empty_edge(span: Span, controllable: bool) -> Edge {
    Edge {
        source: Endpoint::Location(0),
        target: Endpoint::Location(0),
        controllable,
        selects: vec![],
        guard: None,
        sync: None,
        updates: vec![],
        weight: None,
        span,
    }
}
