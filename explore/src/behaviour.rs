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

#[cfg(test)]
mod tests {
    use super::*;
    use network::PropertyId;

    const TEXT: &str = "network 1
var v : int[0, 2]
clock x
clock y
process P { location a; location b; init a; edge a -> b { when x >= 2 && y >= 2; do { v = 1; } } }
process W observes { location w; init w; edge w -> w; }
";

    /// The behaviour while a property is checked, with something else in the place of a part of the text.
    fn behaviour(property: &str, (part, other): (&str, &str), zones: Abstraction) -> Behaviour {
        let text = format!("{}property \"p\"{property}\n", TEXT.replace(part, other));
        let network = network::parse(&text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let property = network.properties[PropertyId(0)].clone();
        let compiled = Explorer::compile(network, Some(&property), zones);
        Behaviour::of(&compiled.unwrap_or_else(|error| panic!("{error:?}")))
    }

    /// Data in goals and errors change nothing; everything else makes a difference by itself.
    ///
    /// Seen to fail: without each of the components in turn.
    #[test]
    fn everything_but_the_goal_makes_a_difference() {
        let (same, usual) = (("", ""), Abstraction::ExtraLu);
        let first = behaviour(" reachable P at b", same, usual);
        let again = |property: &str| behaviour(property, same, usual);
        assert_eq!(again(" reachable v == 2"), first);
        assert_eq!(again(" counts errors always !(P at b)"), first);
        assert_ne!(behaviour(" reachable P at b", ("v = 1", "v = 2"), usual), first);
        assert_ne!(behaviour(" reachable P at b", same, Abstraction::None), first);
        assert_ne!(again(" observer W reachable P at b"), first);
        // A bound that x does not have at b, and another difference with the same bounds.
        assert_ne!(again(" reachable x >= 2"), first);
        let difference = again(" reachable x - y >= 2");
        assert_ne!(difference, first);
        assert_ne!(again(" reachable y - x >= 2"), difference);
    }
}
