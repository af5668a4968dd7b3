//! Where to end.

use explore::{Explorer, Home, Layout};
use network::{
    Base, BinaryOp, ChannelRef, Claim, Expr, Id, LocationId, Place, Probe, Property, Storage,
    element_indices,
};

/// Where a search has to end that looks for a certain answer, and passes by all that is none: run-time errors
/// that say nothing about the property, and everything in other states.
#[derive(Clone, Copy, Debug)]
pub enum Target<'a> {
    /// Anywhere.
    Any,
    /// In a discrete state: where the processes are, and what variables and buffers hold; clocks may be as they
    /// like. It is given by the words that identify a state and not by an expression, because none
    /// tells what all messages in a buffer are.
    State(&'a [i32]),
}

impl<'a> Target<'a> {
    /// The discrete part of a state.
    pub fn discrete(state: &'a [i32], layout: &Layout) -> Self {
        Target::State(&state[..layout.identity])
    }

    /// Whether a state is one to end in.
    pub fn is_at(&self, state: &[i32]) -> bool {
        match self {
            Target::Any => true,
            Target::State(words) => state.starts_with(words),
        }
    }
}

/// Asks the explorer's network whether a state can be reached, clocks aside, as far as an expression can say
/// which state it is: of messages in buffers it says how many there are. What gets there is what heuristics
/// for the way to the state look for.
pub fn reaching(state: &[i32], explorer: &Explorer) -> Property {
    let (network, layout, asked) = (explorer.network(), &explorer.layout, explorer.property());
    let mut parts = Vec::new();
    for (id, process) in network.processes.enumerate() {
        if !process.observes || asked.observer == Some(id) {
            parts.push(Expr::At(id, LocationId::new(state[layout.location(id)] as usize)));
        }
    }
    for (id, variable) in network.variables.enumerate() {
        let Home::State(at) = layout.home(id) else { continue };
        // What does not tell states apart is no part of them.
        if variable.storage == Storage::State {
            parts.extend((0..variable.len()).map(|element| {
                let indices = constants(element_indices(&variable.dimensions, element));
                let place = Place { base: Base::Variable(id), indices };
                equals(Expr::Read(place), state[at as usize + element])
            }));
        }
    }
    for (id, channel) in network.channels.enumerate() {
        let buffers = layout.buffers[layout.channel(id) as usize..].iter().take(channel.len());
        for (element, buffer) in buffers.enumerate().filter(|(_, buffer)| buffer.capacity > 0) {
            let indices = constants(element_indices(&channel.dimensions, element));
            let channel = Box::new(ChannelRef::Element(id, indices));
            parts.push(equals(Expr::Probe(Probe::Length, channel), state[buffer.at as usize]));
        }
    }
    let claim = Claim::Reachable(all(parts));
    Property { claim, observer: asked.observer, ..Property::unreachable() }
}

fn constants(values: Vec<i32>) -> Vec<Expr> {
    values.into_iter().map(Expr::Const).collect()
}

fn equals(expr: Expr, value: i32) -> Expr {
    Expr::binary(BinaryOp::Eq, expr, Expr::Const(value))
}

/// All of some conditions; halved again and again, so that many of them are no deep expression.
fn all(mut parts: Vec<Expr>) -> Expr {
    match parts.len() {
        0 => Expr::TRUE,
        1 => parts.remove(0),
        count => {
            let rest = parts.split_off(count / 2);
            all(parts).and(all(rest))
        }
    }
}
