//! Draws a network for Graphviz: a cluster for each process, as one would draw it by hand.

use network::{Edge, Id, Location, LocationKind, Network, Process};
use std::fmt::Write;
use vizsla::describe::Describer;

/// The drawing, in the language of Graphviz.
pub fn draw(network: &Network) -> String {
    let mut text = String::from(
        "digraph network {\n  rankdir=LR;\n  fontname=\"sans-serif\";\n  \
         node [shape=ellipse, fontname=\"sans-serif\", fontsize=11];\n  \
         edge [fontname=\"sans-serif\", fontsize=10];\n",
    );
    for (id, process) in network.processes.enumerate() {
        draw_process(&mut text, network, id.index(), process);
    }
    text.push_str("}\n");
    text
}

fn draw_process(text: &mut String, network: &Network, number: usize, process: &Process) {
    let node = |location: usize| format!("p{number}l{location}");
    // Writing to a string cannot fail.
    let _ =
        write!(text, "\n  subgraph cluster_p{number} {{\n    label={};\n", quote(&process.name));
    for (id, location) in process.locations.enumerate() {
        let initial = id == process.initial;
        let style = attributes(network, location, initial);
        let _ = writeln!(text, "    {} [{style}];", node(id.index()));
    }
    for edge in &process.edges {
        let (source, target) = (node(edge.source.index()), node(edge.target.index()));
        let label = quote(&edge_label(network, edge));
        let _ = writeln!(text, "    {source} -> {target} [label={label}];");
    }
    text.push_str("  }\n");
}

fn attributes(network: &Network, location: &Location, initial: bool) -> String {
    let describer = Describer::new(network, &location.locals);
    let mut lines = vec![location.name.clone()];
    lines.extend(match location.kind {
        LocationKind::Normal => None,
        LocationKind::Urgent => Some("urgent".to_string()),
        LocationKind::Committed => Some("committed".to_string()),
    });
    lines.push(describer.condition(&location.invariant));
    lines.extend(location.rates.iter().map(|rate| describer.rate(rate)));
    lines.retain(|line| !line.is_empty());
    let peripheries = if initial { ", peripheries=2" } else { "" };
    let fill = match location.kind {
        LocationKind::Normal => "",
        LocationKind::Urgent => ", style=filled, fillcolor=\"#fff3c4\"",
        LocationKind::Committed => ", style=filled, fillcolor=\"#ffd6d6\"",
    };
    format!("label={}{peripheries}{fill}", quote(&lines.join("\n")))
}

/// Select, guard, action and update, each on a line of its own.
fn edge_label(network: &Network, edge: &Edge) -> String {
    let describer = Describer::new(network, &edge.locals);
    let mut lines = vec![
        describer.selects(edge).join(", "),
        describer.condition(&edge.guard),
        describer.action(&edge.action),
        describer.update(&edge.update),
    ];
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{}\"", escaped.replace('\r', ""))
}
