//! UPPAAL models as text in the format `.xml`.

use super::model::{Edge, Model, Template};
use super::print::{declarations, joined, spelled};
use std::fmt::{Formatter, Result};

impl Model {
    /// Writes the model as XML.
    pub(super) fn xml(&self, f: &mut Formatter<'_>) -> Result {
        let mut global = String::new();
        declarations(&mut global, &self.declarations, "")?;
        writeln!(f, "<nta><declaration>{}</declaration>", escaped(&global))?;
        for template in &self.templates {
            print(f, template)?;
        }
        writeln!(f, "<system>{}</system></nta>", escaped(&self.system()))
    }
}

fn print(f: &mut Formatter<'_>, template: &Template) -> Result {
    let (name, parameters) = (&template.name, template.parameters.join(", "));
    writeln!(f, "<template><name>{name}</name><parameter>{}</parameter>", escaped(&parameters))?;
    let mut local = String::new();
    declarations(&mut local, &template.declarations, "")?;
    writeln!(f, "<declaration>{}</declaration>", escaped(&local))?;
    for location in &template.locations {
        let name = &location.name;
        let invariant = label("invariant", &joined(&location.invariant));
        let kind = match location.kind {
            "commit" => "<committed/>",
            "urgent" => "<urgent/>",
            _ => "",
        };
        writeln!(f, "<location id=\"{name}\"><name>{name}</name>{invariant}{kind}</location>")?;
    }
    let initial = template.locations.get(template.initial).map_or("", |it| &it.name);
    writeln!(f, "<init ref=\"{initial}\"/>")?;
    template.edges.iter().try_for_each(|it| f.write_str(&edge(it)))?;
    writeln!(f, "</template>")
}

fn edge(edge: &Edge) -> String {
    let assignments: Vec<String> = edge.assignments.iter().map(|it| spelled(it)).collect();
    let labels = [
        label("select", &edge.selects.join(", ")),
        label("guard", &joined(&edge.guard)),
        label("synchronisation", &edge.sync.as_ref().map_or(String::new(), |it| spelled(it))),
        label("assignment", &assignments.join(", ")),
    ];
    let (source, target, labels) = (&edge.source, &edge.target, labels.concat());
    format!(
        "<transition><source ref=\"{source}\"/><target ref=\"{target}\"/>{labels}</transition>\n"
    )
}

fn label(kind: &str, text: &str) -> String {
    match text.is_empty() {
        true => String::new(),
        false => format!("<label kind=\"{kind}\">{}</label>", escaped(text)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
