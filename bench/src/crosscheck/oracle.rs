//! What the naive explorer in discrete time says about a text.

use super::text::Text;
use network::{
    Action, ChannelId, ChannelKind, ChannelRef, Edge, Expr, Network, Priority, Property,
    PropertyId, Relation, Storage,
};
use testing::discrete::{Limits, Outcome, shortest_within};

/// What is known about a text without any search of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// What the explorer found.
    pub found: Found,
    /// Whether it is the whole truth; otherwise a goal that was found is one, and nothing more.
    pub is_exact: bool,
    /// The kinds of errors that every explorer meets.
    pub certain: &'static [&'static str],
}

/// What the explorer found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// A goal after so many steps.
    Goal(u64),
    /// No goal and no error.
    Nothing,
    /// An error that nobody can miss, after so many steps, and no goal after as few.
    Error(u64),
    /// The same, but one that is raised only if somebody evaluates what need not be evaluated.
    Doubtful(u64),
    /// Too much to explore.
    TooMuch,
}

const MOST_STATES: usize = 2000;
/// A grid so fine that every run of that many steps has an equal on it.
const FINE: Limits = Limits { scale: 6, max_states: MOST_STATES, max_steps: 4 };
const COARSE: Limits = Limits { scale: 1, max_states: MOST_STATES, max_steps: usize::MAX };

/// Asks the explorer.
pub fn consult(text: &Text) -> Option<Truth> {
    let (model, id) = text.model()?;
    let lacks_room =
        |outcome: &Outcome| matches!(outcome, Outcome::Error(error, _) if error.lacks_room());
    let (model, outcome) = model.with_room(|model| explore(&model.network, id), lacks_room).ok()?;
    let (network, property) = (&model.network, &model.network.properties[id]);
    let certain = certain_errors(network);
    let found = match outcome {
        Outcome::Reached(steps) => Found::Goal(steps as u64),
        Outcome::Unreachable => Found::Nothing,
        Outcome::GaveUp => Found::TooMuch,
        Outcome::Error(error, steps) if !certain.contains(&error.kind.name(network)) => {
            Found::Doubtful(steps as u64)
        }
        Outcome::Error(_, steps) if property.counts_errors => Found::Goal(steps as u64),
        Outcome::Error(_, steps) => Found::Error(steps as u64),
    };
    Some(Truth { found, is_exact: !stops_clocks(network), certain })
}

fn explore(network: &Network, property: PropertyId) -> Outcome {
    let property = &network.properties[property];
    let limits = if is_closed(network, property) { COARSE } else { FINE };
    shortest_within(network, property, limits)
}

/// The kinds of errors that every explorer meets: those of guards may be skipped.
fn certain_errors(network: &Network) -> &'static [&'static str] {
    match network.functions.is_empty() {
        true => &["assertion", "blocked", "out-of-range"],
        false => &["assertion", "blocked"],
    }
}

/// Whether searches can keep what they promise: the zones describe exactly what the model can do,
/// and no two states that differ are taken as the same.
pub fn keeps_promises(text: &Text) -> bool {
    text.model().is_some_and(|(model, _)| {
        let network = &model.network;
        let urgent = |edge: &Edge| {
            let mut used = channels(network, edge);
            !edge.guard.clocks.is_empty() && used.any(|id| network.channels[id].urgent)
        };
        !stops_clocks(network) && !has_meta_variables(network) && !edges(network).any(urgent)
    })
}

/// Whether states that differ are taken as the same.
fn has_meta_variables(network: &Network) -> bool {
    network.variables.iter().any(|variable| variable.storage == Storage::Meta)
}

/// Whether whole units of time are all that matters.
fn is_closed(network: &Network, property: &Property) -> bool {
    if network.clocks.is_empty() {
        return true;
    }
    let strict = |relation: Relation| matches!(relation, Relation::Lt | Relation::Gt);
    let invariants = network.processes.iter().flat_map(|it| &it.locations).map(|it| &it.invariant);
    let mut conditions = edges(network).map(|edge| &edge.guard).chain(invariants);
    let is_strict = conditions.any(|it| it.clocks.iter().any(|clock| strict(clock.relation)));
    let levels = network.channels.iter().flat_map(|channel| channel.priorities.clone());
    let ranks = network.processes.iter().map(|process| process.priority);
    let has_priorities = differ(levels) || ranks.clone().any(|it| it != Priority::Fixed(0));
    !is_strict
        && !has_priorities
        && !stops_clocks(network)
        && !asks_about_time(property)
        && !edges(network).any(|edge| is_failure_sensitive(network, edge))
}

fn differ(mut levels: impl Iterator<Item = i32>) -> bool {
    levels.next().is_some_and(|first| levels.any(|level| level != first))
}

fn asks_about_time(property: &Property) -> bool {
    let mut found = false;
    if let Some(expr) = property.claim.expression() {
        expr.walk(&mut |expr| found |= matches!(expr, Expr::Clock(_) | Expr::Deadlock));
    }
    found
}

fn stops_clocks(network: &Network) -> bool {
    network.processes.iter().flat_map(|it| &it.locations).any(|it| !it.rates.is_empty())
}

fn edges(network: &Network) -> impl Iterator<Item = &Edge> {
    network.processes.iter().flat_map(|process| &process.edges)
}

/// Whether it matters that the clock guard of an edge does not hold.
fn is_failure_sensitive(network: &Network, edge: &Edge) -> bool {
    let receives = matches!(edge.action, Action::Receive(_));
    !edge.guard.clocks.is_empty()
        && channels(network, edge).any(|id| {
            let broadcast = network.channels[id].kind == ChannelKind::Broadcast;
            network.channels[id].urgent || broadcast && receives
        })
}

/// The channels that an edge may use.
fn channels<'n>(network: &'n Network, edge: &'n Edge) -> impl Iterator<Item = ChannelId> + 'n {
    let named = match &edge.action {
        Action::Internal => None,
        Action::Send(send) => Some(&send.channel),
        Action::Receive(receive) => Some(&receive.channel),
    };
    network.channels.ids().filter(move |id| match named {
        None => false,
        Some(ChannelRef::Element(own, _)) => own == id,
        Some(ChannelRef::Value(_)) => true,
    })
}
