//! What steps cost (docs/algorithms.md, section 2.7), and the rules by which a user says so.

use crate::problem::Problem;
use explore::{EdgeNumber, Explorer, Path};
use network::{
    Action, Arena, ChannelId, ChannelRef, Diagnostic, Edge, EdgeId, Expr, Network, Process,
    ProcessId, StatementKind,
};
use std::collections::BTreeMap;
use std::str::FromStr;

/// The cost of every edge; a step costs as much as the most expensive edge in it, and what each edge in it
/// costs afterwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Costs {
    edges: Arena<EdgeNumber, u32>,
    after: Arena<EdgeNumber, u32>,
    least: u32,
}

impl Costs {
    /// The costs of the edges, in the order of their numbers.
    pub fn new(edges: impl IntoIterator<Item = u32>) -> Self {
        let edges: Arena<EdgeNumber, u32> = edges.into_iter().collect();
        let least = edges.iter().copied().min().unwrap_or(0);
        Costs { after: edges.iter().map(|_| 0).collect(), edges, least }
    }

    /// The lengths of steps, where an edge stands for several steps, the later of which its process
    /// takes alone and without fail.
    pub fn of_lengths(problem: &Problem, length: impl Fn(ProcessId, EdgeId) -> usize) -> Self {
        let explorer = problem.explorer;
        let later = |number| {
            let (process, edge) = explorer.edge(number);
            length(process, edge) as u32 - 1
        };
        let after = explorer.edges().map(later).collect();
        Costs { after, ..Costs::new(explorer.edges().map(|_| 1)) }
    }

    /// The same by the numbers that another explorer has for the same edges.
    pub(crate) fn renumbered(&self, from: &Explorer, to: &Explorer) -> Costs {
        // An edge with two numbers costs the same by both.
        let known: BTreeMap<(ProcessId, EdgeId), EdgeNumber> =
            from.edges().map(|number| (from.edge(number), number)).collect();
        let numbers = || to.edges().map(|number| known[&to.edge(number)]);
        let after = numbers().map(|number| self.after[number]).collect();
        Costs { after, ..Costs::new(numbers().map(|number| self.edges[number])) }
    }

    /// Costs by rules that were checked; later ones win, and an edge without any costs 1.
    pub fn by_rules(problem: &Problem, rules: &[Rule]) -> Self {
        let network = problem.network();
        let cost = |process: ProcessId, edge: &Edge| {
            let mut rules = rules.iter().rev();
            let rule = rules.find(|rule| rule.what.matches(network, process, edge));
            rule.map_or(1, |rule| rule.cost)
        };
        let observes = |process: ProcessId| network.processes[process].observes;
        let moving = problem.edges().filter(|(_, process, _)| !observes(*process));
        // An observer moves along with the others: it must not make their steps more expensive.
        let least = moving.map(|(_, process, edge)| cost(process, edge)).min().unwrap_or(1);
        let of_edge = |(_, process, edge)| match observes(process) {
            true => least,
            false => cost(process, edge),
        };
        Costs::new(problem.edges().map(of_edge))
    }

    /// The cost of a step.
    pub fn of(&self, edges: impl Iterator<Item = EdgeNumber> + Clone) -> u32 {
        let after: u32 = edges.clone().map(|edge| self.after[edge]).sum();
        edges.map(|edge| self.edges[edge]).max().unwrap_or(0) + after
    }

    /// The cost of an edge, without what it costs afterwards.
    pub fn of_edge(&self, edge: EdgeNumber) -> u32 {
        self.edges[edge]
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        2 * self.edges.len() * size_of::<u32>()
    }

    /// A cost that no step undercuts.
    pub fn least(&self) -> u32 {
        self.least
    }

    /// The cost of a path.
    pub fn of_path(&self, explorer: &Explorer, path: &Path) -> u64 {
        path.iter().map(|step| u64::from(self.of(explorer.edges_of(step)))).sum()
    }
}

/// Says what some edges cost: `channel NAME = 5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    what: What,
    cost: u32,
}

/// The edges that a rule is about.
#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Every,
    Communication,
    Channel(String),
    Process(String),
    Edge { process: String, source: String, target: String },
}

/// The greatest cost that a rule may give, so that sums stay far from what numbers can hold.
const MAX_RULE_COST: u32 = 1_000_000;

const FORMS: &str = "expected `every = N`, `communication = N`, `channel NAME = N`, \
                     `process NAME = N` or `edge PROCESS: SOURCE -> TARGET = N`";

impl FromStr for Rule {
    type Err = String;

    fn from_str(text: &str) -> Result<Rule, String> {
        let (what, cost) = text.rsplit_once('=').ok_or(FORMS)?;
        let cost = cost.trim().parse().ok().filter(|&cost| cost <= MAX_RULE_COST);
        let cost = cost.ok_or_else(|| format!("a cost is a number from 0 to {MAX_RULE_COST}"))?;
        let what = what.trim();
        let (kind, name) = what.split_once(char::is_whitespace).unwrap_or((what, ""));
        let name = name.trim();
        let what = match (kind, name.is_empty()) {
            ("every", true) => What::Every,
            ("communication", true) => What::Communication,
            ("channel", false) => What::Channel(name.to_string()),
            ("process", false) => What::Process(name.to_string()),
            ("edge", false) => What::edge(name).ok_or(FORMS)?,
            _ => return Err(FORMS.to_string()),
        };
        Ok(Rule { what, cost })
    }
}

impl Rule {
    /// Whether the names in it mean something in a network.
    pub fn check(&self, network: &Network) -> Result<(), Box<Diagnostic>> {
        match &self.what {
            What::Every | What::Communication => Ok(()),
            What::Channel(name) => check_channel(network, name),
            What::Process(name) => check_process(network, name).map(|_| ()),
            What::Edge { process, source, target } => check_edge(network, process, source, target),
        }
    }
}

fn refuse(message: String, hint: String) -> Box<Diagnostic> {
    Box::new(Diagnostic::error(message).hint(hint))
}

fn check_channel(network: &Network, name: &str) -> Result<(), Box<Diagnostic>> {
    let channels = || network.channels.iter().map(|channel| &channel.name);
    if !channels().any(|channel| channel == name) {
        let message = format!("there is no channel `{name}`");
        return Err(refuse(message, known("channels", channels())));
    }
    let unknown =
        |edge: &Edge| channels_of(edge).any(|channel| element(network, channel).is_none());
    let mut processes = network.processes.iter();
    if let Some(process) = processes.find(|process| process.edges.iter().any(unknown)) {
        let message = format!(
            "process `{}` decides at run time which channel it uses, so edges on `{name}` cannot be \
             told from others",
            process.name
        );
        let hint = "give costs by `communication`, `process` or `edge`".to_string();
        return Err(refuse(message, hint));
    }
    Ok(())
}

/// The processes that a name stands for: that of a process, or of a template.
fn check_process<'a>(
    network: &'a Network,
    name: &'a str,
) -> Result<impl Iterator<Item = &'a Process>, Box<Diagnostic>> {
    let named = network.processes.iter().filter(move |process| is_named(process, name));
    if named.clone().next().is_none() {
        let message = format!("there is no process `{name}`");
        let names = network.processes.iter().map(|process| &process.name);
        return Err(refuse(message, known("processes", names)));
    }
    Ok(named)
}

fn is_named(process: &Process, name: &str) -> bool {
    process.name == name || process.template == name
}

fn check_edge(
    network: &Network,
    process: &str,
    source: &str,
    target: &str,
) -> Result<(), Box<Diagnostic>> {
    let mut processes: Vec<&Process> = check_process(network, process)?.collect();
    for name in [source, target] {
        processes.retain(|process| process.locations.iter().any(|location| location.name == name));
        if processes.is_empty() {
            let message = format!("process `{process}` has no location `{name}`");
            let named = network.processes.iter().filter(|p| is_named(p, process)).take(1);
            let names = named.flat_map(|process| process.locations.iter().map(|l| &l.name));
            return Err(refuse(message, known("locations", names)));
        }
    }
    let leads = |process: &Process, edge: &Edge| joins(process, edge, source, target);
    if !processes.iter().any(|process| process.edges.iter().any(|edge| leads(process, edge))) {
        let message = format!("no edge of `{process}` leads from `{source}` to `{target}`");
        let from = |process: &&Process, edge: &Edge| process.locations[edge.source].name == source;
        let edges = processes.iter().flat_map(|p| p.edges.iter().map(move |edge| (p, edge)));
        let targets = edges.filter(|(process, edge)| from(process, edge));
        let names = targets.map(|(process, edge)| &process.locations[edge.target].name);
        return Err(refuse(message, known(&format!("targets from `{source}`"), names)));
    }
    Ok(())
}

fn joins(process: &Process, edge: &Edge, source: &str, target: &str) -> bool {
    let name = |location| process.locations[location].name.as_str();
    name(edge.source) == source && name(edge.target) == target
}

/// `channels: a, b, c`.
fn known<'a>(what: &str, names: impl Iterator<Item = &'a String>) -> String {
    let mut names: Vec<&str> = names.map(String::as_str).collect();
    names.dedup();
    let dots = if names.len() > 12 { ", …" } else { "" };
    names.truncate(12);
    match names.is_empty() {
        true => format!("there are no {what}"),
        false => format!("{what}: {}{dots}", names.join(", ")),
    }
}

impl What {
    /// `P: a -> b`; names of processes may have colons in them.
    fn edge(text: &str) -> Option<What> {
        let (process, ends) = text.rsplit_once(':')?;
        let (source, target) = ends.split_once("->")?;
        let [process, source, target] = [process, source, target].map(|name| name.trim().into());
        Some(What::Edge { process, source, target })
    }

    fn matches(&self, network: &Network, id: ProcessId, edge: &Edge) -> bool {
        let process = &network.processes[id];
        match self {
            What::Every => true,
            What::Communication => channels_of(edge).next().is_some(),
            What::Channel(name) => {
                let mut channels = channels_of(edge).filter_map(|c| element(network, c));
                channels.any(|channel| network.channels[channel].name == *name)
            }
            What::Process(name) => is_named(process, name),
            What::Edge { process: name, source, target } => {
                is_named(process, name) && joins(process, edge, source, target)
            }
        }
    }
}

/// The channels that an edge uses, within statements too.
fn channels_of(edge: &Edge) -> impl Iterator<Item = &ChannelRef> {
    let mut todo: Vec<_> = edge.update.iter().collect();
    let within = std::iter::from_fn(move || {
        while let Some(statement) = todo.pop() {
            todo.extend(statement.children());
            match &statement.kind {
                StatementKind::Send(send) => return Some(&send.channel),
                StatementKind::Receive(receive) => return Some(&receive.channel),
                _ => {}
            }
        }
        None
    });
    Action::channel(&edge.action).into_iter().chain(within)
}

/// The channel that is meant, if that does not depend on the state.
fn element(network: &Network, channel: &ChannelRef) -> Option<ChannelId> {
    let mut left = match channel {
        ChannelRef::Element(id, _) => return Some(*id),
        ChannelRef::Value(Expr::Const(value)) => usize::try_from(*value).ok()?.checked_sub(1)?,
        ChannelRef::Value(_) => return None,
    };
    for (id, channel) in network.channels.enumerate() {
        if left < channel.len() {
            return Some(id);
        }
        left -= channel.len();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let rule = |text: &str| text.parse::<Rule>();
        assert_eq!(rule("every=0"), Ok(Rule { what: What::Every, cost: 0 }));
        assert_eq!(rule(" communication = 1 "), Ok(Rule { what: What::Communication, cost: 1 }));
        let what = What::Channel("a.go".into());
        assert_eq!(rule("channel a.go = 5"), Ok(Rule { what, cost: 5 }));
        let what = What::Process("Train(3)".into());
        assert_eq!(rule("process Train(3) = 0"), Ok(Rule { what, cost: 0 }));
        let what = What::Edge { process: ":init:".into(), source: "a".into(), target: "b".into() };
        assert_eq!(rule("edge :init:: a->b = 3"), Ok(Rule { what, cost: 3 }));
    }

    #[test]
    fn what_is_no_rule_is_refused() {
        for text in
            ["", "5", "every", "every x = 1", "channel = 1", "edge P = 1", "edge a -> b = 1"]
        {
            assert_eq!(text.parse::<Rule>(), Err(FORMS.to_string()), "{text}");
        }
        for text in ["every = -1", "every = 1000001", "every = x", "every ="] {
            assert!(text.parse::<Rule>().is_err_and(|e| e.starts_with("a cost is")), "{text}");
        }
    }
}
