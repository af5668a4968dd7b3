//! What the steps of an abstract network cost: no more than those of the model that they stand for
//! (docs/algorithms.md, section 3.10).

use crate::costs::Costs;
use crate::problem::Problem;
use abstraction::Projection;
use explore::Explorer;
use network::{Action, ChannelKind, ChannelRef, Edge, Id, Network};

/// The least cost of the edges of the model that each abstract edge stands for.
pub fn abstract_costs(
    problem: &Problem,
    projection: &Projection,
    explorer: &Explorer,
    costs: &Costs,
) -> Costs {
    let network = problem.network();
    let mut concrete: Vec<Vec<u32>> =
        network.processes.iter().map(|it| vec![u32::MAX; it.edges.len()]).collect();
    for number in problem.explorer.edges() {
        let (process, edge) = problem.explorer.edge(number);
        let least = &mut concrete[process.index()][edge.index()];
        *least = costs.of_edge(number).min(*least);
    }
    let least = |number| {
        let (process, edge) = explorer.edge(number);
        if may_be_unheard(network, &projection.network.processes[process].edges[edge]) {
            return 0;
        }
        let origins = &projection.origins[process.index()][edge.index()];
        let each = origins.iter().map(|(process, edge)| concrete[process.index()][edge.index()]);
        each.min().unwrap_or(0)
    };
    Costs::new(explorer.edges().map(least))
}

/// Whether an abstract edge may stand for a process that takes no part in a step of the model: one that
/// cannot receive a broadcast.
fn may_be_unheard(network: &Network, edge: &Edge) -> bool {
    let does_nothing = edge.source == edge.target && edge.update.is_empty();
    let Action::Receive(receive) = &edge.action else { return false };
    does_nothing
        && match &receive.channel {
            ChannelRef::Element(id, _) => network.channels[*id].kind == ChannelKind::Broadcast,
            ChannelRef::Value(_) => true,
        }
}
