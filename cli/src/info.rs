//! `vizsla info`: what is in a model.

use crate::arguments::Info;
use crate::convert::open;
use crate::exit::Exit;
use crate::output::Output;
use crate::{report, words};
use network::{
    Action, ChannelKind, ClockConstraint, Expr, LocationKind, Network, Priority, Process, Property,
    Storage, Type,
};
use vizsla::{Group, Interchangeable, Model};

/// Prints what is in the model.
pub fn run(arguments: &Info, output: &Output) -> Exit {
    let model = match open(&arguments.source, output) {
        Ok(model) => model,
        Err(exit) => return exit,
    };
    if output.print(&describe(&model, output)) { Exit::Satisfied } else { Exit::Wrong }
}

fn describe(model: &Model, output: &Output) -> String {
    let paint = output.paint;
    let mut text = format!("{}\n", paint.bold(&model.path));
    let margin = "            ".len();
    for (name, value) in rows(&model.network) {
        let lines = words::wrap(&value, output.width.saturating_sub(margin + 2).max(20));
        for (i, line) in lines.iter().enumerate() {
            let name = if i == 0 { name } else { "" };
            text.push_str(&format!("  {}{line}\n", paint.dim(&format!("{name:<12}"))));
        }
    }
    text.push_str(&processes(&model.network, output));
    text.push_str(&symmetry(model, output));
    text.push_str(&properties(model, output));
    text
}

fn rows(network: &Network) -> Vec<(&'static str, Vec<String>)> {
    let locations: usize = network.processes.iter().map(|p| p.locations.len()).sum();
    let edges: usize = network.processes.iter().map(|p| p.edges.len()).sum();
    let clocks: usize = network.clocks.iter().map(|c| c.len()).sum();
    let number = |n: usize| vec![words::count(n as u64)];
    let mut rows = vec![
        ("processes", number(network.processes.len())),
        ("locations", number(locations)),
        ("edges", number(edges)),
        ("variables", variables(network)),
        ("clocks", number(clocks)),
        ("channels", channels(network)),
        ("functions", number(network.functions.len())),
        ("properties", number(network.properties.len())),
        ("state", vec![format!("{} bits without clocks", words::count(state_bits(network)))]),
    ];
    let features = features(network);
    rows.push(("features", if features.is_empty() { vec!["none".to_string()] } else { features }));
    rows
}

fn variables(network: &Network) -> Vec<String> {
    let elements = |storage| -> usize {
        let kept = network.variables.iter().filter(|v| v.storage == storage);
        kept.map(|v| v.len()).sum()
    };
    let mut parts = vec![words::count(elements(Storage::State) as u64)];
    let others = [(Storage::Meta, "meta"), (Storage::Constant, "constant")];
    let others = others.map(|(storage, name)| (elements(storage), name));
    parts.extend(others.iter().filter(|o| o.0 > 0).map(|(n, name)| format!("{n} {name}")));
    parts
}

fn channels(network: &Network) -> Vec<String> {
    let total: usize = network.channels.iter().map(|c| c.len()).sum();
    vec![words::count(total as u64)]
}

/// The bits that locations and variables take.
fn state_bits(network: &Network) -> u64 {
    let bits =
        |values: u64| u64::from(values.saturating_sub(1).checked_ilog2().map_or(0, |b| b + 1));
    let width = |ty: Type| bits((i64::from(ty.high) - i64::from(ty.low) + 1).max(1) as u64);
    let locations: u64 = network.processes.iter().map(|p| bits(p.locations.len() as u64)).sum();
    let kept = network.variables.iter().filter(|v| v.storage == Storage::State);
    locations + kept.map(|v| width(v.ty) * v.len() as u64).sum::<u64>()
}

/// What the model makes use of beyond plain timed automata.
fn features(network: &Network) -> Vec<String> {
    let mut list = Vec::new();
    let mut add = |number: usize, thing: &str| {
        if number > 0 {
            list.push(format!("{thing} ({})", words::count(number as u64)));
        }
    };
    let locations = || network.processes.iter().flat_map(|p| &p.locations);
    let edges = || network.processes.iter().flat_map(|p| &p.edges);
    let kind = |kind| locations().filter(|l| l.kind == kind).count();
    add(kind(LocationKind::Urgent), "urgent locations");
    add(kind(LocationKind::Committed), "committed locations");
    add(edges().filter(|e| e.keeps_control).count(), "edges that keep control");
    let buffered = |c: &&network::Channel| matches!(c.kind, ChannelKind::Buffered { .. });
    add(network.channels.iter().filter(buffered).map(|c| c.len()).sum(), "channels with messages");
    let channels = || network.channels.iter();
    let elements = |it: &mut dyn Iterator<Item = &network::Channel>| it.map(|c| c.len()).sum();
    add(elements(&mut channels().filter(|c| c.urgent)), "urgent channels");
    let broadcast = |c: &&network::Channel| c.kind == ChannelKind::Broadcast;
    add(elements(&mut channels().filter(broadcast)), "broadcast channels");
    let buffered = |c: &&network::Channel| matches!(c.kind, ChannelKind::Buffered { .. });
    add(elements(&mut channels().filter(buffered)), "buffered channels");
    let preferred = channels().flat_map(|c| &c.priorities).filter(|&&p| p != 0).count();
    add(preferred, "channels with priority");
    add(
        network.processes.iter().filter(|p| p.priority != Priority::Fixed(0)).count(),
        "processes with priority",
    );
    add(locations().filter(|l| !l.rates.is_empty()).count(), "locations that stop clocks");
    add(diagonals(network), "diagonal clock constraints");
    add(edges().filter(|e| !e.selects.is_empty()).count(), "edges with select");
    let chosen = |e: &&network::Edge| {
        matches!(e.action.channel(), Some(network::ChannelRef::Value(_)))
            && e.action != Action::Internal
    };
    add(edges().filter(chosen).count(), "edges on a channel chosen at run time");
    add(network.variables.iter().filter(|v| v.storage == Storage::Meta).count(), "meta variables");
    add(network.scalar_sets.len(), "scalar sets");
    list
}

fn diagonals(network: &Network) -> usize {
    let diagonal = |c: &ClockConstraint| c.right.is_some();
    let processes = || network.processes.iter();
    let invariants = processes().flat_map(|p| &p.locations).flat_map(|l| &l.invariant.clocks);
    let guards = processes().flat_map(|p| &p.edges).flat_map(|e| &e.guard.clocks);
    let mut number = invariants.chain(guards).filter(|c| diagonal(c)).count();
    for expression in network.properties.iter().filter_map(|p| p.claim.expression()) {
        expression.walk(&mut |expr| {
            if matches!(expr, Expr::Clock(constraint) if diagonal(constraint)) {
                number += 1;
            }
        });
    }
    number
}

/// More processes than this are not listed one by one.
const LISTED: usize = 40;

fn processes(network: &Network, output: &Output) -> String {
    let mut text = String::from("\nprocesses\n");
    let shown = || network.processes.iter().take(LISTED);
    let width = shown().map(|p| p.name.chars().count()).max().unwrap_or(0);
    let line = |process: &Process| {
        let start = words::visible(&process.locations[process.initial].name);
        format!(
            "  {}  {:>3} locations  {:>3} edges  starts in {start}\n",
            output.paint.cyan(&format!("{:<width$}", words::visible(&process.name))),
            process.locations.len(),
            process.edges.len()
        )
    };
    text.extend(shown().map(line));
    if network.processes.len() > LISTED {
        text.push_str(&format!("  ... and {} more\n", network.processes.len() - LISTED));
    }
    text
}

/// What is interchangeable, and what tells processes made from one template apart.
fn symmetry(model: &Model, output: &Output) -> String {
    let found = model.symmetry(&Property::unreachable());
    let mut text = String::from("\nsymmetry\n");
    for class in &found.classes {
        text.push_str(&format!("  {}\n", interchangeable(class)));
    }
    for (number, property) in (1..).zip(&model.network.properties) {
        if !found.classes.is_empty() {
            text.extend(left_by(model, &found.classes, number, property));
        }
    }
    for obstacle in &found.obstacles {
        let template = output.paint.cyan(&words::visible(&obstacle.template));
        let place = model
            .place(obstacle.span)
            .map(|it| format!(" ({}:{}:{})", it.path, it.line, it.column));
        let place = place.unwrap_or_default();
        text.push_str(&format!("  {template} is not interchangeable: {}{place}\n", obstacle.what));
        let line = model.place(obstacle.span).map(|it| it.source_line);
        text.extend(line.map(|it| format!("    {}\n", output.paint.dim(it.trim()))));
    }
    if found.classes.is_empty() && found.obstacles.is_empty() {
        text.push_str("  none\n");
    }
    text
}

/// What is still interchangeable while a property is checked that tells some apart.
fn left_by(
    model: &Model,
    all: &[Interchangeable],
    number: usize,
    property: &Property,
) -> Option<String> {
    let left = model.symmetry(property).classes;
    let sizes = |classes: &[Interchangeable]| classes.iter().map(|it| it.size).collect::<Vec<_>>();
    if sizes(&left) == sizes(all) {
        return None;
    }
    let left: Vec<String> = left.iter().map(interchangeable).collect();
    let left = if left.is_empty() { "nothing".to_string() } else { left.join("; ") };
    Some(format!("  property {number} tells some apart, and leaves {left}\n"))
}

/// What may be exchanged for what, in words.
fn interchangeable(class: &Interchangeable) -> String {
    let some = |names: &[String]| match names {
        [first, .., last] if names.len() > 4 => format!("{first} ... {last}"),
        few => few.join(", "),
    };
    let names: Vec<String> = class.processes.iter().map(|it| words::visible(it)).collect();
    let values: Vec<String> = class.values.iter().map(i32::to_string).collect();
    let what = match (names.is_empty(), values.is_empty()) {
        (true, true) => words::counted(u64::from(class.size), "channel"),
        (true, false) => format!("the values {} of {}", some(&values), class.names.join(", ")),
        (false, true) => some(&names),
        (false, false) => format!("the ids {} with {}", some(&values), some(&names)),
    };
    match class.group {
        Group::All => format!("{what} in any order"),
        Group::Rotations => format!("{what} in a ring"),
    }
}

fn properties(model: &Model, output: &Output) -> String {
    let properties = &model.network.properties;
    if properties.is_empty() {
        return String::new();
    }
    let source = model.found_queries.as_ref().map(|path| format!(" (from {path})"));
    let mut text = format!("\nproperties{}\n", source.unwrap_or_default());
    let width = properties.len().to_string().len();
    for (i, property) in properties.iter().enumerate() {
        let query = report::text::one_line(&property.text);
        let why = match &property.claim {
            network::Claim::Unsupported(why) => output.paint.yellow(&format!("  ({why})")),
            _ => String::new(),
        };
        text.push_str(&format!("  {:>width$}  {query}{why}\n", i + 1));
    }
    text
}
