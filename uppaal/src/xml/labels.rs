//! Edges with their labels, and queries.

use super::{Ids, Reader};
use crate::ast::{Edge, Endpoint, Model, Template};
use crate::parser;
use roxmltree::Node;

/// What an edge may start from and lead to.
pub(super) struct Ends<'a> {
    pub ids: &'a Ids,
    /// The template, for messages.
    pub within: &'a str,
}

impl Reader<'_> {
    pub(super) fn edge(&mut self, node: Node, ends: &Ends, template: &Template) -> Option<Edge> {
        let source = self.end(node, "source", ends);
        let target = self.end(node, "target", ends);
        let controllable = node.attribute("controllable") != Some("false");
        let mut edge = parser::empty_edge(self.tag(node), controllable);
        let name = |end: Option<Endpoint>| end.map_or("?", |end| name_of(template, end));
        let of = format!("{} -> {}", name(source), name(target));
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "label" => self.edge_label(child, &of, ends.within, &mut edge),
                "source" | "target" | "nail" => {}
                _ => self.unknown_element(child),
            }
        }
        // With any location as its end the labels of an edge can still be checked.
        let any = (!template.locations.is_empty()).then_some(Endpoint::Location(0));
        (edge.source, edge.target) = (source.or(any)?, target.or(any)?);
        Some(edge)
    }

    fn end(&mut self, edge: Node, tag: &str, ends: &Ends) -> Option<Endpoint> {
        let Some(child) = edge.children().find(|it| it.has_tag_name(tag)) else {
            self.error_at(edge, format!("this transition has no `<{tag}>`"), None);
            return None;
        };
        let id = child.attribute("ref").unwrap_or("");
        let found = ends.ids.get(id).copied();
        if found.is_none() {
            let message = match id {
                "" => format!("this `<{tag}>` has no `ref`"),
                _ => format!("there is no location or branchpoint with the id `{id}`"),
            };
            self.reference_error(child, message);
        }
        found
    }

    fn edge_label(&mut self, node: Node, edge_name: &str, within: &str, edge: &mut Edge) {
        let of = |what: &str| format!("{within}, {what} of edge {edge_name}");
        match node.attribute("kind") {
            Some("select") => {
                let parsed = self.parse(node, "the select", of("select"), |it| it.bindings());
                self.put_list(&mut edge.selects, parsed, node, "select");
            }
            Some("guard") => {
                let parsed = self.parse(node, "the guard", of("guard"), |it| it.conjunction());
                self.put(&mut edge.guard, parsed, node, "guard");
            }
            Some("synchronisation" | "synchronization") => {
                let parsed =
                    self.parse(node, "the synchronisation", of("synchronisation"), |it| it.sync());
                self.put(&mut edge.sync, parsed, node, "synchronisation");
            }
            Some("assignment") => {
                let parsed = self.parse(node, "the update", of("update"), |it| it.updates());
                self.put_list(&mut edge.updates, parsed, node, "update");
            }
            Some("probability") => {
                let parsed = self.parse(node, "the weight", of("weight"), |it| it.expression());
                self.put(&mut edge.weight, parsed, node, "weight");
            }
            kind => self.other_label(node, kind),
        }
    }

    fn put_list<T>(&mut self, slot: &mut Vec<T>, list: Option<Vec<T>>, node: Node, what: &str) {
        let mut option = (!slot.is_empty()).then(|| std::mem::take(slot));
        self.put(&mut option, list, node, what);
        *slot = option.unwrap_or_default();
    }

    pub(super) fn queries(&mut self, node: Node, model: &mut Model) {
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "query" => self.query(child, model),
                "option" => {}
                _ => self.unknown_element(child),
            }
        }
    }

    fn query(&mut self, node: Node, model: &mut Model) {
        let mut query = None;
        let mut comment = None;
        for child in node.children().filter(Node::is_element) {
            match child.tag_name().name() {
                "formula" => {
                    let fragment = self.fragment(child, Some("a query".to_string()));
                    query = parser::parse_formula(self.sources, fragment);
                }
                "comment" => comment = self.comment(child),
                "option" | "expect" | "result" => {}
                _ => self.unknown_element(child),
            }
        }
        model.queries.extend(query.map(|mut query| {
            query.comment = comment;
            query
        }));
    }

    fn comment(&mut self, node: Node) -> Option<String> {
        let text = super::text::content(self.text, node.range()).text;
        let text = text.trim();
        (!text.is_empty()).then(|| text.replace('\r', ""))
    }
}

fn name_of(template: &Template, end: Endpoint) -> &str {
    match end {
        Endpoint::Location(index) => {
            template.locations.get(index).map_or("?", |it| it.name.text.as_str())
        }
        Endpoint::Branchpoint(index) => {
            template.branchpoints.get(index).map_or("?", |it| it.name.text.as_str())
        }
    }
}
