//! Reads XML models. The structure comes from `roxmltree`; the texts inside are unescaped here,
//! because only then is the way from a text back to the file exact.

mod labels;
mod text;

use crate::ast::{Branchpoint, Endpoint, Location, Model, Name, Span, Template};
use crate::lexer;
use crate::parser::{self, Parser, Scope};
use roxmltree::{Document, Node, ParsingOptions};
use source::{Diagnostic, Diagnostics, Parse, SourceMap};
use std::collections::HashMap;

/// Parses the XML model that is fragment `whole` of `sources`.
pub(crate) fn parse(sources: &mut SourceMap, whole: u32, diagnostics: &mut Diagnostics) -> Model {
    let text = sources.text(whole).to_string();
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    match Document::parse_with_options(&text, options) {
        Ok(document) => {
            let mut reader = Reader { sources, whole, text: &text, diagnostics, old: false };
            reader.document(&document)
        }
        Err(error) => {
            diagnostics.push(text::malformed(&error, &text, whole));
            Model::default()
        }
    }
}

struct Reader<'a> {
    sources: &'a mut SourceMap,
    /// The fragment of the whole file.
    whole: u32,
    text: &'a str,
    diagnostics: &'a mut Diagnostics,
    old: bool,
}

/// Labels with a meaning, in the wrong place or not.
const KINDS: &[&str] = &[
    "invariant",
    "exponentialrate",
    "select",
    "guard",
    "synchronisation",
    "assignment",
    "probability",
];

/// The locations and branchpoints of a template by their XML ids.
type Ids = HashMap<String, Endpoint>;

impl Reader<'_> {
    fn document(&mut self, document: &Document) -> Model {
        let mut root = document.root_element();
        if root.has_tag_name("project") {
            let inner = root.children().find(|child| child.has_tag_name("nta"));
            root = inner.unwrap_or(root);
        } else if !root.has_tag_name("nta") {
            let message =
                format!("this is not a UPPAAL model: its root is `{}`", root.tag_name().name());
            let hint = "the root of a model is `<nta>`";
            self.error_at(root, message, Some(hint));
            return Model::default();
        }
        let mut model = Model::default();
        for child in root.children().filter(Node::is_element) {
            self.part(child, &mut model);
        }
        self.missing_system(root);
        if self.old {
            parser::pass_by_reference(&mut model.templates);
        }
        model
    }

    fn part(&mut self, node: Node, model: &mut Model) {
        match node.tag_name().name() {
            "declaration" => {
                let list = self.declarations(node, Scope::Global, "the declarations".to_string());
                model.declarations.extend(list);
            }
            "template" => model.templates.extend(self.template(node)),
            "instantiation" => {
                let list = self.declarations(node, Scope::System, "instantiations".to_string());
                model.system.declarations.extend(list);
            }
            "system" => self.system(node, model),
            "queries" => self.queries(node, model),
            "lsc" => self.error_at(node, "not supported: live sequence charts (`<lsc>`)", None),
            "imports" if self.is_blank(node) => {}
            "imports" => self.error_at(node, "not supported: `<imports>`", None),
            // Layout and settings of the editor.
            "simulation" | "settings" | "option" => {}
            _ => self.unknown_element(node),
        }
    }

    fn unknown_element(&mut self, node: Node) {
        let message = format!("the element `<{}>` is unknown and ignored", node.tag_name().name());
        self.warn_at(node, message);
    }

    fn missing_system(&mut self, root: Node) {
        if !root.children().any(|child| child.has_tag_name("system")) {
            let hint = "add `<system>system P, Q;</system>`";
            self.error_at(root, "the model has no `<system>` element", Some(hint));
        }
    }

    fn system(&mut self, node: Node, model: &mut Model) {
        let fragment = self.fragment(node, Some("the system declaration".to_string()));
        let mut system = std::mem::take(&mut model.system);
        let what = "the system declaration";
        let read = |parser: &mut Parser| {
            parser.system_section(&mut system);
            Ok(std::mem::take(&mut parser.queries))
        };
        let queries = parser::parse_fragment(self.sources, fragment, what, self.diagnostics, read);
        model.queries.extend(queries.unwrap_or_default());
        model.system = system;
    }

    fn declarations(
        &mut self,
        node: Node,
        scope: Scope,
        within: String,
    ) -> Vec<crate::ast::Declaration> {
        let (list, old) = self
            .parse(node, "the declarations", within, |parser| {
                Ok((parser.declarations(scope), parser.old))
            })
            .unwrap_or_default();
        self.old |= old;
        list
    }

    /// Parses the text of an element, or nothing if it is blank.
    fn parse<T>(
        &mut self,
        node: Node,
        what: &str,
        within: String,
        production: impl FnOnce(&mut Parser) -> Parse<T>,
    ) -> Option<T> {
        let fragment = self.fragment(node, Some(within));
        let read = |parser: &mut Parser| match parser.is_empty() {
            true => Ok(None),
            false => production(parser).map(Some),
        };
        parser::parse_fragment(self.sources, fragment, what, self.diagnostics, read).flatten()
    }

    /// Adds the unescaped text of an element to the source map.
    fn fragment(&mut self, node: Node, within: Option<String>) -> u32 {
        let content = text::content(self.text, node.range());
        for (entity, at) in content.unknown_entities {
            let message = format!("the entity `{entity}` is not supported inside a model");
            let end = at + entity.len() as u32;
            let span = Span { fragment: self.whole, start: at, end };
            self.diagnostics.push(Diagnostic::error(message, span));
        }
        self.sources.add_fragment(self.whole, content.text, content.pieces, within)
    }

    fn is_blank(&self, node: Node) -> bool {
        text::content(self.text, node.range()).text.trim().is_empty()
    }

    /// The opening tag of an element.
    fn tag(&self, node: Node) -> Span {
        let range = node.range();
        let end = text::tag_end(self.text, range.clone());
        Span { fragment: self.whole, start: range.start as u32, end: end as u32 }
    }

    fn error_at(&mut self, node: Node, message: impl Into<String>, hint: Option<&str>) {
        let mut diagnostic = Diagnostic::error(message, self.tag(node));
        diagnostic.hint = hint.map(str::to_string);
        self.diagnostics.push(diagnostic);
    }

    fn warn_at(&mut self, node: Node, message: String) {
        self.diagnostics.push(Diagnostic::warning(message, self.tag(node)));
    }

    /// An error about a reference: an edge or the beginning is missing, but no declaration is.
    fn reference_error(&mut self, node: Node, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(message, self.tag(node)).without_holes());
    }

    fn template(&mut self, node: Node) -> Option<Template> {
        let name = self.child_name(node, "template")?;
        let within = format!("template \"{}\"", name.text);
        let mut template = Template {
            span: name.span,
            name,
            parameters: vec![],
            declarations: vec![],
            locations: vec![],
            branchpoints: vec![],
            edges: vec![],
            initial: None,
        };
        let mut ids = Ids::new();
        for child in node.children().filter(Node::is_element) {
            self.template_part(child, &within, &mut template, &mut ids);
        }
        let initial = self.initial(node, &ids);
        // With any initial location the rest can still be checked for mistakes.
        template.initial = initial.or((!template.locations.is_empty()).then_some(0));
        let ends = self::labels::Ends { ids: &ids, within: &within };
        for child in node.children().filter(|it| it.has_tag_name("transition")) {
            let edge = self.edge(child, &ends, &template);
            template.edges.extend(edge);
        }
        Some(template)
    }

    fn template_part(&mut self, node: Node, within: &str, template: &mut Template, ids: &mut Ids) {
        match node.tag_name().name() {
            "parameter" => self.parameters(node, within, template),
            "declaration" => {
                let within = format!("{within}, the declarations");
                let list = self.declarations(node, Scope::Template, within);
                template.declarations.extend(list);
            }
            "location" => {
                let end = Endpoint::Location(template.locations.len());
                template.locations.extend(self.location(node, within, ids, end));
            }
            "branchpoint" => {
                let end = Endpoint::Branchpoint(template.branchpoints.len());
                template.branchpoints.extend(self.branchpoint(node, ids, end));
            }
            "name" | "init" | "transition" => {}
            "anchor" | "x" | "y" => {}
            "instance" | "message" | "prechart" | "condition" | "update" | "yloccoord" => {
                self.error_at(node, "not supported: live sequence charts", None)
            }
            _ => self.unknown_element(node),
        }
    }

    fn parameters(&mut self, node: Node, within: &str, template: &mut Template) {
        let within = format!("{within}, the parameters");
        let parsed = self.parse(node, "the parameters", within, |parser| {
            let list = parser.template_parameters(crate::lexer::TokenKind::End)?;
            Ok((list, parser.old))
        });
        if let Some((list, old)) = parsed {
            template.parameters = list;
            self.old |= old;
        }
    }

    fn location(
        &mut self,
        node: Node,
        within: &str,
        ids: &mut Ids,
        end: Endpoint,
    ) -> Option<Location> {
        let id = self.id(node, ids, end)?;
        let named = node.children().find(|it| it.has_tag_name("name") && !self.is_blank(*it));
        // A location with a bad name is kept, so that the edges still find it.
        let given = named.and_then(|child| self.name_in(child, "location"));
        let anonymous = given.is_none();
        let name = given.unwrap_or_else(|| Name { text: format!("_{id}"), span: self.tag(node) });
        let mut location = Location {
            anonymous,
            invariant: None,
            rate: None,
            urgent: false,
            committed: false,
            span: name.span,
            name,
        };
        for child in node.children().filter(Node::is_element) {
            self.location_part(child, within, &mut location);
        }
        Some(location)
    }

    fn location_part(&mut self, node: Node, within: &str, location: &mut Location) {
        let of = |what: &str| format!("{within}, {what} of location {}", location.name.text);
        match node.tag_name().name() {
            "name" => {}
            "urgent" => location.urgent = true,
            "committed" => location.committed = true,
            "label" => match node.attribute("kind") {
                Some("invariant") => {
                    let parsed =
                        self.parse(node, "the invariant", of("invariant"), |it| it.conjunction());
                    self.put(&mut location.invariant, parsed, node, "invariant");
                }
                Some("exponentialrate") => {
                    let parsed =
                        self.parse(node, "the rate", of("rate"), |it| it.exponential_rate());
                    self.put(&mut location.rate, parsed, node, "exponential rate");
                }
                kind => self.other_label(node, kind),
            },
            _ => self.unknown_element(node),
        }
    }

    /// Stores a label, of which there may be only one.
    fn put<T>(&mut self, slot: &mut Option<T>, value: Option<T>, node: Node, what: &str) {
        if slot.is_some() && value.is_some() {
            return self.error_at(node, format!("there is a second {what} here"), None);
        }
        *slot = slot.take().or(value);
    }

    /// Labels that mean nothing to the analysis, and mistakes.
    fn other_label(&mut self, node: Node, kind: Option<&str>) {
        match kind {
            Some("comments" | "testcode" | "testcodeEnter" | "testcodeExit") => {}
            Some(_) | None if self.is_blank(node) => {}
            Some(kind) if KINDS.contains(&kind) => {
                let message =
                    format!("a label of kind `{kind}` has no meaning here and is ignored");
                self.warn_at(node, message);
            }
            Some(kind) => {
                let message = format!("labels of kind `{kind}` are unknown and ignored");
                self.warn_at(node, message);
            }
            None => self.error_at(node, "this label has no `kind`", None),
        }
    }

    fn branchpoint(&mut self, node: Node, ids: &mut Ids, end: Endpoint) -> Option<Branchpoint> {
        let id = self.id(node, ids, end)?;
        let span = self.tag(node);
        let name = Name { text: format!("_{id}"), span };
        Some(Branchpoint { name, span })
    }

    /// The id of an element, recorded so that edges find it.
    fn id(&mut self, node: Node, ids: &mut Ids, end: Endpoint) -> Option<String> {
        let Some(id) = node.attribute("id") else {
            let message = format!("this {} has no `id`", node.tag_name().name());
            self.error_at(node, message, None);
            return None;
        };
        if ids.insert(id.to_string(), end).is_some() {
            // As in UPPAAL.
            let message = format!(
                "the id `{id}` is used twice in this template; edges refer to the last one"
            );
            self.warn_at(node, message);
        }
        Some(id.to_string())
    }

    fn initial(&mut self, template: Node, ids: &Ids) -> Option<usize> {
        let Some(init) = template.children().find(|it| it.has_tag_name("init")) else {
            let hint = "add `<init ref=\"...\"/>` with the id of a location";
            let message = "this template has no initial location";
            let diagnostic = Diagnostic::error(message, self.tag(template)).hint(hint);
            self.diagnostics.push(diagnostic.without_holes());
            return None;
        };
        let Some(id) = init.attribute("ref") else {
            self.reference_error(init, "this `<init>` has no `ref`");
            return None;
        };
        match ids.get(id) {
            Some(Endpoint::Location(index)) => Some(*index),
            _ => {
                self.reference_error(init, format!("there is no location with the id `{id}`"));
                None
            }
        }
    }

    fn child_name(&mut self, node: Node, what: &str) -> Option<Name> {
        match node.children().find(|it| it.has_tag_name("name")) {
            Some(child) => self.name_in(child, what),
            None => {
                self.error_at(node, format!("this {what} has no `<name>`"), None);
                None
            }
        }
    }

    /// The name that is the text of an element.
    fn name_in(&mut self, node: Node, what: &str) -> Option<Name> {
        let fragment = self.fragment(node, Some(format!("the name of a {what}")));
        let text = self.sources.text(fragment);
        let name = text.trim();
        let start = (text.len() - text.trim_start().len()) as u32;
        let span = Span { fragment, start, end: start + name.len() as u32 };
        if lexer::is_identifier(name) {
            return Some(Name { text: name.to_string(), span });
        }
        let message = match name {
            "" => format!("the name of this {what} is empty"),
            _ => format!("`{name}` cannot be the name of a {what}"),
        };
        let hint = "names consist of letters, digits and `_`, and do not begin with a digit";
        self.diagnostics.push(Diagnostic::error(message, span).hint(hint));
        None
    }
}
