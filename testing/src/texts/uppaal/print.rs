//! UPPAAL models as text, in the format `.xta` unless they want to be `.xml`.

use super::model::{Declaration, Edge, Location, Model, Template};
use crate::texts::parts::{Expression, Part};
use std::fmt::{Display, Formatter, Result};

impl Model {
    /// The query as text.
    pub fn query(&self) -> String {
        match &self.query {
            Some(body) => format!("{} {body}", self.quantifier),
            None => network::NO_ERRORS.into(),
        }
    }

    /// The processes and the system line.
    pub(super) fn system(&self) -> String {
        let (mut lines, mut groups) = (String::new(), Vec::new());
        for template in &self.templates {
            let mut names = Vec::new();
            for (name, arguments) in &template.instances {
                lines += &format!("{name} = {}({});\n", template.name, arguments.join(", "));
                names.push(name.as_str());
            }
            let own = [template.name.as_str()];
            groups.push(if names.is_empty() { own.join("") } else { names.join(", ") });
        }
        let groups = groups.join(if self.priorities { " < " } else { ", " });
        format!("{lines}system {groups};\n")
    }
}

impl Display for Model {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if self.is_xml {
            return self.xml(f);
        }
        declarations(f, &self.declarations, "")?;
        for template in &self.templates {
            print(f, template)?;
        }
        f.write_str(&self.system())
    }
}

/// Declarations line by line.
pub(super) fn declarations(
    f: &mut dyn std::fmt::Write,
    all: &[Declaration],
    indent: &str,
) -> Result {
    for declaration in all {
        f.write_str(indent)?;
        f.write_str(&spelled(&declaration.head))?;
        let Some(body) = &declaration.body else {
            f.write_str(";\n")?;
            continue;
        };
        f.write_str(" {\n")?;
        for statement in body {
            write!(f, "{indent}  ")?;
            f.write_str(&spelled(statement))?;
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

pub(super) fn joined(parts: &[Expression]) -> String {
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

pub(super) fn spelled(parts: &[Part]) -> String {
    Expression(parts.to_vec()).to_string()
}
