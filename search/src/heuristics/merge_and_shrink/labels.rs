//! Labels: names of steps that are the same for all parts of a model.
//!
//! A step is named by its first edge and, if two processes meet, by its second one. Who hears a broadcast
//! and what the observer does along with a step is not part of the name.

use crate::problem::Problem;
use analysis::{Elements, Touches};
use network::{Action, ChannelKind, EdgeId, ProcessId};

/// An edge of the model.
pub type ModelEdge = (ProcessId, EdgeId);

/// So many pairs of edges are told apart; beyond that only first edges are.
const MOST_PAIRS: usize = 20_000;

/// The name of some steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Label {
    /// The edge that sends or moves alone; the observer's where nobody else moves.
    pub first: ModelEdge,
    /// The edge that it meets. Without one, the label stands for all steps with the first edge that have no
    /// label of their own.
    pub second: Option<ModelEdge>,
}

/// The labels of all steps of a problem.
pub fn labels(problem: &Problem) -> Vec<Label> {
    let offers = Offers::of(problem);
    let (mut labels, mut pairs) = (Vec::new(), Vec::new());
    for sender in &offers.all {
        let meetings = offers.meetings(sender);
        if offers.moves_alone(sender) || pairs.len() + meetings.len() > MOST_PAIRS {
            labels.push(Label { first: sender.edge, second: None });
        }
        if pairs.len() + meetings.len() <= MOST_PAIRS {
            pairs.extend(meetings);
        }
    }
    labels.append(&mut pairs);
    labels
}

/// What edges offer to others.
struct Offers {
    all: Vec<Offer>,
    /// What each element of a channel is.
    kinds: Vec<Kind>,
}

struct Offer {
    edge: ModelEdge,
    role: Role,
    elements: Elements,
}

#[derive(PartialEq)]
enum Role {
    Internal,
    Sender,
    Receiver,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// A sender and a receiver move together.
    Meeting,
    /// A sender does not wait for others.
    Broadcast,
    /// Senders and receivers move alone.
    Buffer,
}

impl Offers {
    fn of(problem: &Problem) -> Offers {
        let (network, touches) = (problem.network(), Touches::of(problem.network()));
        let mut all = Vec::new();
        for (id, process) in network.processes.enumerate() {
            for (number, edge) in process.edges.enumerate().filter(|_| problem.takes_part(id)) {
                let role = match edge.action {
                    Action::Internal => Role::Internal,
                    Action::Send(_) => Role::Sender,
                    Action::Receive(_) => Role::Receiver,
                };
                let none = Elements { first: 0, end: 0 };
                let elements = edge.action.channel().map_or(none, |it| touches.channel(it));
                all.push(Offer { edge: (id, number), role, elements });
            }
        }
        let kinds = network.channels.iter().flat_map(|it| vec![kind(&it.kind); it.len()]);
        Offers { all, kinds: kinds.collect() }
    }

    fn kinds(&self, elements: Elements) -> &[Kind] {
        &self.kinds[elements.first as usize..elements.end as usize]
    }

    /// Whether an edge may be the only one of a step, receivers of broadcasts aside.
    fn moves_alone(&self, offer: &Offer) -> bool {
        let kinds = self.kinds(offer.elements);
        match offer.role {
            Role::Internal => true,
            Role::Sender => kinds.iter().any(|&kind| kind != Kind::Meeting),
            Role::Receiver => kinds.contains(&Kind::Buffer),
        }
    }

    /// The labels of the steps in which a sender meets others.
    fn meetings(&self, sender: &Offer) -> Vec<Label> {
        let meets = |other: &&Offer| {
            let first = sender.elements.first.max(other.elements.first);
            let end = sender.elements.end.min(other.elements.end);
            sender.role == Role::Sender
                && other.role == Role::Receiver
                && other.edge.0 != sender.edge.0
                && first < end
                && self.kinds(Elements { first, end }).contains(&Kind::Meeting)
        };
        let met = self.all.iter().filter(meets);
        met.map(|other| Label { first: sender.edge, second: Some(other.edge) }).collect()
    }
}

fn kind(kind: &ChannelKind) -> Kind {
    match kind {
        ChannelKind::Broadcast => Kind::Broadcast,
        ChannelKind::Buffered { capacity: 1.., .. } => Kind::Buffer,
        _ => Kind::Meeting,
    }
}
