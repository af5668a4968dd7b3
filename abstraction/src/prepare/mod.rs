//! Networks in which less is open: they do the same, state by state and word by word, but say more about it, so
//! that projections lose less.

mod flow;
mod narrow;
mod resolve;
mod split;
mod starts;

use network::{Arena, Network, Property};

/// A network that does the same and has the property as its only one. Processes, locations and edges keep
/// their ids, and the words of states their places and values; variables, clocks and channels may have others.
pub fn prepare(network: &Network, property: &Property) -> Network {
    let mut network =
        Network { properties: Arena::from_iter([property.clone()]), ..network.clone() };
    starts::settle(&mut network);
    split::split(&mut network);
    resolve::resolve(&mut network);
    narrow::narrow(&mut network);
    network
}
