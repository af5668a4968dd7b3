//! UPPAAL models as text in the format `.xta`.

use super::model::{Declaration, Edge, Location, Model, Template};
use crate::random::parts::{Expression, Part, write_parts};
use std::fmt::{Display, Formatter, Result};

impl Model {
    /// The query as text.
    pub fn query(&self) -> String {
        let body = self.query.as_ref().map_or("true".into(), Expression::to_string);
        format!("{} {body}", self.quantifier)
    }

    /// The names of the processes, as they stand in the system line.
    fn system(&self) -> String {
        let group = |template: &Template| match template.instances.is_empty() {
            true => template.name.clone(),
            false => {
                let names: Vec<&str> =
                    template.instances.iter().map(|(name, _)| name.as_str()).collect();
                names.join(", ")
            }
        };
        let groups: Vec<String> = self.templates.iter().map(group).collect();
        groups.join(if self.priorities { " < " } else { ", " })
    }
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        declarations(f, &self.declarations, "")?;
        for template in &self.templates {
            print(f, template)?;
        }
        for template in &self.templates {
            for (name, arguments) in &template.instances {
                writeln!(f, "{name} = {}({});", template.name, arguments.join(", "))?;
            }
        }
        writeln!(f, "system {};", self.system())
    }
}

fn declarations(f: &mut Formatter<'_>, all: &[Declaration], indent: &str) -> Result {
    for declaration in all {
        f.write_str(indent)?;
        write_parts(f, &declaration.head)?;
        let Some(body) = &declaration.body else {
            f.write_str(";\n")?;
            continue;
        };
        f.write_str(" {\n")?;
        for statement in body {
            write!(f, "{indent}  ")?;
            write_parts(f, statement)?;
            f.write_str("\n")?;
        }
        writeln!(f, "{indent}}}")?;
    }
    Ok(())
}

fn print(f: &mut Formatter<'_>, template: &Template) -> Result {
    writeln!(f, "process {}({}) {{", template.name, template.parameters.join(", "))?;
    declarations(f, &template.declarations, "  ")?;
    let locations: Vec<String> = template.locations.iter().map(location).collect();
    writeln!(f, "  state {};", locations.join(", "))?;
    for kind in ["commit", "urgent"] {
        let of_kind = template.locations.iter().filter(|location| location.kind == kind);
        let names: Vec<&str> = of_kind.map(|location| location.name.as_str()).collect();
        if !names.is_empty() {
            writeln!(f, "  {kind} {};", names.join(", "))?;
        }
    }
    let initial = template.locations.get(template.initial);
    writeln!(f, "  init {};", initial.map_or("", |location| &location.name))?;
    if !template.edges.is_empty() {
        let edges: Vec<String> = template.edges.iter().map(edge).collect();
        writeln!(f, "  trans\n    {};", edges.join(",\n    "))?;
    }
    f.write_str("}\n")
}

fn location(location: &Location) -> String {
    match location.invariant.is_empty() {
        true => location.name.clone(),
        false => format!("{} {{ {} }}", location.name, joined(&location.invariant)),
    }
}

fn joined(parts: &[Expression]) -> String {
    let texts: Vec<String> = parts.iter().map(Expression::to_string).collect();
    texts.join(" && ")
}

fn edge(edge: &Edge) -> String {
    let mut text = format!("{} -> {} {{ ", edge.source, edge.target);
    if !edge.selects.is_empty() {
        text += &format!("select {}; ", edge.selects.join(", "));
    }
    if !edge.guard.is_empty() {
        text += &format!("guard {}; ", joined(&edge.guard));
    }
    if let Some(sync) = &edge.sync {
        text += &format!("sync {}; ", spelled(sync));
    }
    if !edge.assignments.is_empty() {
        let all: Vec<String> = edge.assignments.iter().map(|parts| spelled(parts)).collect();
        text += &format!("assign {}; ", all.join(", "));
    }
    text + "}"
}

fn spelled(parts: &[Part]) -> String {
    Expression(parts.to_vec()).to_string()
}
