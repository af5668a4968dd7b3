//! How UPPAAL models are made smaller.

use super::model::{Declaration, Edge, Location, Model, Template};
use crate::texts::cut::{Cut, Cuttable};
use crate::texts::parts::Expression;

impl Cuttable for Model {
    fn cut(&mut self, cut: &mut Cut) -> bool {
        if cut.shorter(&mut self.templates) || cut.shorter(&mut self.declarations) {
            return true;
        }
        for flag in [&mut self.is_xml, &mut self.priorities] {
            if *flag && cut.is_here() {
                *flag = false;
                return true;
            }
        }
        self.query.iter_mut().any(|query| cut.expression(query))
            || self.templates.iter_mut().any(|template| cut.template(template))
            || self.declarations.iter_mut().any(|declaration| cut.declaration(declaration))
    }
}

impl Cut {
    fn template(&mut self, template: &mut Template) -> bool {
        self.shorter(&mut template.edges)
            || self.locations(template)
            || self.shorter(&mut template.declarations)
            || template.instances.len() > 1 && self.shorter(&mut template.instances)
            || self.parameters(template)
            || template.edges.iter_mut().any(|edge| self.edge(edge))
            || template.locations.iter_mut().any(|location| self.location(location))
            || template.declarations.iter_mut().any(|declaration| self.declaration(declaration))
    }

    /// Leaves out a location with its edges.
    fn locations(&mut self, template: &mut Template) -> bool {
        for i in (0..template.locations.len()).filter(|i| *i != template.initial) {
            if self.is_here() {
                let name = template.locations.remove(i).name;
                template.initial -= usize::from(i < template.initial);
                template.edges.retain(|edge| edge.source != name && edge.target != name);
                return true;
            }
        }
        false
    }

    /// Leaves out a parameter with its arguments.
    fn parameters(&mut self, template: &mut Template) -> bool {
        for i in 0..template.parameters.len() {
            if self.is_here() {
                template.parameters.remove(i);
                for (_, arguments) in &mut template.instances {
                    arguments.remove(i);
                }
                return true;
            }
        }
        false
    }

    fn edge(&mut self, edge: &mut Edge) -> bool {
        if edge.sync.is_some() && self.is_here() {
            edge.sync = None;
            return true;
        }
        self.shorter(&mut edge.guard)
            || self.shorter(&mut edge.assignments)
            || self.shorter(&mut edge.selects)
            || self.expressions(&mut edge.guard)
            || edge.sync.iter_mut().any(|sync| self.parts(sync))
            || edge.assignments.iter_mut().any(|assignment| self.parts(assignment))
    }

    fn location(&mut self, location: &mut Location) -> bool {
        if !location.kind.is_empty() && self.is_here() {
            location.kind = "";
            return true;
        }
        self.shorter(&mut location.invariant) || self.expressions(&mut location.invariant)
    }

    fn expressions(&mut self, all: &mut [Expression]) -> bool {
        all.iter_mut().any(|expression| self.expression(expression))
    }

    fn declaration(&mut self, declaration: &mut Declaration) -> bool {
        let body = declaration.body.as_mut();
        self.parts(&mut declaration.head)
            || body.is_some_and(|body| {
                self.shorter(body) || body.iter_mut().any(|statement| self.parts(statement))
            })
    }
}
