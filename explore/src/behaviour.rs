//! What two explorers must have in common so that they find the same states and steps.

use crate::bounds::Bounds;
use crate::diagonal::Diagonals;
use crate::explorer::{Abstraction, Explorer};
use network::{Arena, Network, ProcessId};

/// All that `Explorer::initial` and `Explorer::successors` depend on: the network, whoever observes it, and how
/// zones are made finite in number, in which clocks of the goal have a say. Explorers that are equal in
/// this number their edges and lay out their states alike as well.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behaviour {
    /// Without what is asked about it, and without the text that it comes from.
    network: Network,
    observer: Option<ProcessId>,
    bounds: Bounds,
    diagonals: Diagonals,
    abstraction: Abstraction,
}

impl Behaviour {
    /// That of an explorer.
    pub fn of(explorer: &Explorer) -> Behaviour {
        let network = Network::clone(explorer.network());
        Behaviour {
            network: Network { properties: Arena::new(), sources: Arena::new(), ..network },
            observer: explorer.property().observer,
            bounds: explorer.bounds.clone(),
            diagonals: explorer.diagonals.clone(),
            abstraction: explorer.abstraction,
        }
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }
}
