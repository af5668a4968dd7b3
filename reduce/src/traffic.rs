//! Where processes meet, and where it matters that they cannot.

use network::{
    Action, Channel, ChannelKind, ChannelRef, Edge, Id, Location, LocationId, LocationKind,
    Network, Priority, Process, Storage,
};

/// Whether an edge can fire only together with edges of other processes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// It never does.
    Never,
    /// It does, on the channel with this number.
    On(usize),
    /// It may, on any channel without a buffer.
    OnAny,
}

/// Facts about the whole network that decide what may be merged.
pub struct Traffic {
    /// Whether there are clocks.
    pub is_timed: bool,
    /// Whether some location is committed.
    pub has_committed: bool,
    /// Whether some location has an invariant.
    has_invariants: bool,
    broadcast: Vec<bool>,
    unbuffered: Vec<bool>,
    /// Channels on which somebody who receives may keep control.
    kept: Vec<bool>,
    /// Channels on which it matters to somebody that no process receives.
    missed_receivers: Vec<bool>,
}

impl Traffic {
    /// Looks at all edges.
    pub fn of(network: &Network) -> Traffic {
        let locations = || network.processes.iter().flat_map(|process| &process.locations);
        let none = vec![false; network.channels.len()];
        let mut traffic = Traffic {
            is_timed: !network.clocks.is_empty(),
            has_committed: locations().any(|it| it.kind == LocationKind::Committed),
            has_invariants: locations().any(|it| !it.invariant.is_always()),
            broadcast: network
                .channels
                .iter()
                .map(|it| it.kind == ChannelKind::Broadcast)
                .collect(),
            unbuffered: network.channels.iter().map(is_unbuffered).collect(),
            kept: none.clone(),
            missed_receivers: none,
        };
        for process in &network.processes {
            traffic.add(process);
        }
        traffic
    }

    fn add(&mut self, process: &Process) {
        let mut controlled = vec![false; process.locations.len()];
        let mut lowest = vec![i32::MAX; process.locations.len()];
        for edge in &process.edges {
            controlled[edge.target.index()] |= edge.keeps_control;
            let lowest = &mut lowest[edge.source.index()];
            *lowest = edge.preference.min(*lowest);
            if edge.keeps_control && matches!(edge.action, Action::Receive(_)) {
                mark(self.meeting(edge), &self.unbuffered, &mut self.kept);
            }
        }
        for edge in &process.edges {
            // Whether control is kept and what is preferred depend on what the process can do by
            // itself or send.
            let at = edge.source.index();
            let matters = controlled[at] || edge.preference > lowest[at];
            if matters && matches!(edge.action, Action::Send(_)) {
                mark(self.meeting(edge), &self.unbuffered, &mut self.missed_receivers);
            }
        }
    }

    /// Where an edge meets others.
    pub fn meeting(&self, edge: &Edge) -> Meeting {
        match edge.action.channel() {
            Some(ChannelRef::Element(id, _)) if self.unbuffered[id.index()] => {
                Meeting::On(id.index())
            }
            Some(ChannelRef::Value(_)) if self.unbuffered.contains(&true) => Meeting::OnAny,
            _ => Meeting::Never,
        }
    }

    /// Whether it could matter to others that the process is not yet at a location that it leaves
    /// by an edge: they might miss it, or take it along in a broadcast.
    pub fn is_missed(&self, edge: &Edge) -> bool {
        let meeting = self.meeting(edge);
        matches!(edge.action, Action::Receive(_))
            && (is_in(meeting, &self.missed_receivers) || is_in(meeting, &self.broadcast))
    }

    /// Whether the process of an edge that keeps control or does not (`keeps`) certainly has control
    /// after it, if an edge without a guard leads on: no invariant can forbid that.
    pub fn has_control_after(&self, edge: &Edge, keeps: bool) -> bool {
        let meeting = self.meeting(edge);
        let comes_last = match edge.action {
            Action::Internal => true,
            Action::Send(_) => meeting == Meeting::Never,
            Action::Receive(_) => !is_in(meeting, &self.broadcast),
        };
        keeps && comes_last && !self.has_invariants
    }

    /// Whether certainly nobody has control after an edge that keeps it or does not (`keeps`).
    pub fn nobody_has_control_after(&self, edge: &Edge, keeps: bool) -> bool {
        let meeting = self.meeting(edge);
        match edge.action {
            Action::Internal => !keeps,
            // Of two that meet, the receiver comes last.
            Action::Send(_) => {
                !is_in(meeting, &self.kept) && (!keeps || matches!(meeting, Meeting::On(_)))
            }
            Action::Receive(_) => {
                !(keeps || is_in(meeting, &self.broadcast) && is_in(meeting, &self.kept))
            }
        }
    }
}

/// Why nothing may be merged in a network, if that is so.
pub fn forbids_merging(network: &Network) -> bool {
    let mut locations = network.processes.iter().flat_map(|process| &process.locations);
    let timed = !network.clocks.is_empty();
    let mut priorities = network.processes.iter().filter(|it| !it.observes).map(|it| it.priority);
    let first = priorities.next();
    // A step of higher priority may come between, or one of lower priority may have to wait.
    matches!(first, Some(Priority::Variable(_)))
        || priorities.any(|priority| Some(priority) != first)
        || network.channels.iter().any(|it| it.priorities.iter().any(|&priority| priority != 0))
        // What delays are possible then is not worth the thought.
        || timed && network.channels.iter().any(|channel| channel.urgent)
        || timed && locations.any(|location: &Location| !location.rates.is_empty())
}

/// Whether states that a search takes as the same can behave differently: then every change of the
/// order in which states are found may change what is found.
pub fn depends_on_order(network: &Network, useful: &[bool]) -> bool {
    let mut variables = network.variables.iter().zip(useful);
    variables.any(|(variable, &useful)| variable.storage == Storage::Meta && useful)
}

/// The edges that leave each location.
pub fn outgoing(process: &Process) -> Vec<Vec<network::EdgeId>> {
    let mut outgoing = vec![Vec::new(); process.locations.len()];
    for (id, edge) in process.edges.enumerate() {
        outgoing[LocationId::index(edge.source)].push(id);
    }
    outgoing
}

fn is_unbuffered(channel: &Channel) -> bool {
    !matches!(channel.kind, ChannelKind::Buffered { capacity, .. } if capacity > 0)
}

fn mark(meeting: Meeting, unbuffered: &[bool], channels: &mut [bool]) {
    match meeting {
        Meeting::Never => {}
        Meeting::On(channel) => channels[channel] = true,
        Meeting::OnAny => channels.iter_mut().zip(unbuffered).for_each(|(it, &may)| *it |= may),
    }
}

fn is_in(meeting: Meeting, channels: &[bool]) -> bool {
    match meeting {
        Meeting::Never => false,
        Meeting::On(channel) => channels[channel],
        Meeting::OnAny => channels.contains(&true),
    }
}
