//! Why a shortest path of an abstraction is none of the model: which parts are missing (docs/algorithms.md,
//! section 3.12).

use super::initial_state;
use super::parts::Dependencies;
use crate::heuristic::{Heuristic, UNREACHABLE};
use crate::heuristics::pattern::labelled_graph::LabelledGraph;
use crate::heuristics::pattern::{AbstractProblem, PatternTable};
use crate::problem::Problem;
use abstraction::Part;
use explore::Step;
use network::{EdgeId, Id, LocationKind, ProcessId, cancellation};
use std::collections::BTreeSet;

/// Lets the model follow a shortest path of an abstraction, and says which parts keep it from doing the next step:
/// the fewest, and none of those in `refused`. None if the path leads to the goal of the abstraction, or nothing
/// that could be added is to blame.
pub fn missing(
    problem: &Problem,
    dependencies: &Dependencies,
    graph: &LabelledGraph,
    refused: &BTreeSet<Part>,
) -> Option<BTreeSet<Part>> {
    let (abstracted, mut table) = (&graph.abstracted, graph.own_table());
    let state = initial_state(problem)?;
    let image = initial_state(&Problem::of(&abstracted.explorer))?;
    let mut path = Path { problem, dependencies, abstracted, refused, state, image };
    loop {
        cancellation::check();
        match path.follow(&mut table) {
            Followed::Step => {}
            Followed::Goal => return None,
            Followed::Stuck(candidates) => {
                let helpful = candidates.into_iter().filter(|parts| !parts.is_empty());
                return helpful.min_by_key(BTreeSet::len);
            }
        }
    }
}

/// A path of the abstraction that the model follows.
struct Path<'p, 'a> {
    problem: &'p Problem<'a>,
    dependencies: &'p Dependencies<'a>,
    abstracted: &'p AbstractProblem<'a>,
    refused: &'p BTreeSet<Part>,
    /// Where the model is.
    state: Vec<i32>,
    /// Where the abstraction is: at the same place as far as it can be seen, with a zone that may be larger.
    image: Vec<i32>,
}

enum Followed {
    Step,
    Goal,
    /// For each step that comes nearer to the goal what is missing for it.
    Stuck(Vec<BTreeSet<Part>>),
}

impl Path<'_, '_> {
    /// Does the first step that comes nearer to the goal, by a table for abstract states, and that the model can
    /// do.
    fn follow(&mut self, table: &mut PatternTable) -> Followed {
        let explorer = &self.abstracted.explorer;
        let distance = table.estimate(&self.image);
        if matches!(distance, 0 | UNREACHABLE) {
            return Followed::Goal;
        }
        let (mut nearer, mut missing) = (Vec::new(), Vec::new());
        // An error is found again by the search itself.
        let _ = explorer.successors(&mut explorer.workspace(), &self.image, &mut |next, step| {
            if table.estimate(next) < distance {
                nearer.push(next.to_vec());
                missing.push(self.missing_for(step));
            }
        });
        let words = explorer.layout.discrete;
        let mut found = None;
        let explorer = self.problem.explorer;
        let _ = explorer.successors(&mut explorer.workspace(), &self.state, &mut |next, _| {
            if found.is_none() {
                let image = self.abstracted.image(next);
                let same = nearer.iter().find(|it| it[..words] == image[..words]);
                found = same.map(|image| (next.to_vec(), image.clone()));
            }
        });
        let Some(found) = found else { return Followed::Stuck(missing) };
        (self.state, self.image) = found;
        Followed::Step
    }

    /// What is missing for an abstract step: for each of its edges the fewest parts of an edge that it stands for;
    /// if there are none, what keeps time from passing.
    fn missing_for(&self, step: Step) -> BTreeSet<Part> {
        let mut parts = BTreeSet::new();
        for number in self.abstracted.explorer.edges_of(step) {
            let (process, edge) = self.abstracted.explorer.edge(number);
            let origins = &self.abstracted.projection.origins[process.index()][edge.index()];
            let missing = origins.iter().map(|&origin| self.missing_for_edge(origin));
            parts.extend(missing.min_by_key(BTreeSet::len).unwrap_or_default());
        }
        if parts.is_empty() { self.missing_for_time() } else { parts }
    }

    /// What is missing for an edge of the model: its process, if that is elsewhere; else what its guard and its
    /// channel depend on; else what it does.
    fn missing_for_edge(&self, (id, edge): (ProcessId, EdgeId)) -> BTreeSet<Part> {
        let process = &self.problem.network().processes[id];
        let edge = &process.edges[edge];
        if self.location(id) != edge.source.index() {
            return self.wanted(BTreeSet::from([Part::Process(id)]));
        }
        let mut needed = self.dependencies.of_condition(&edge.guard);
        needed.extend(self.dependencies.of_action(&edge.action));
        let needed = self.wanted(needed);
        if needed.is_empty() { self.wanted(self.dependencies.of_edge(id, edge)) } else { needed }
    }

    /// The fewest parts that a process needs so that it is seen when it may not stay where it is.
    fn missing_for_time(&self) -> BTreeSet<Part> {
        let hurried = self.problem.network().processes.enumerate().map(|(id, process)| {
            let location = &process.locations[network::LocationId::new(self.location(id))];
            let mut parts = self.dependencies.of_condition(&location.invariant);
            if location.kind != LocationKind::Normal || !parts.is_empty() {
                parts.insert(Part::Process(id));
            }
            self.wanted(parts)
        });
        hurried.filter(|parts| !parts.is_empty()).min_by_key(BTreeSet::len).unwrap_or_default()
    }

    fn location(&self, process: ProcessId) -> usize {
        self.state[self.problem.explorer.layout.location(process)] as usize
    }

    /// Those of some parts that could be added.
    fn wanted(&self, mut parts: BTreeSet<Part>) -> BTreeSet<Part> {
        let pattern = &self.abstracted.projection.pattern;
        parts.retain(|part| !pattern.keeps(*part) && !self.refused.contains(part));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unlimited;
    use crate::catalog::{Budget, Making, Settings};
    use crate::heuristics::pattern::labelled_graph::FirstEdges;
    use abstraction::Pattern;
    use explore::{Abstraction, Explorer};

    /// The names of the parts that a path lacks if some are kept.
    fn lacks(text: &str, kept: &[&str]) -> Option<Vec<String>> {
        let network = network::parse(text).unwrap_or_else(|error| panic!("{error:?}"));
        let property = network.properties.iter().next().cloned().expect("a property");
        let explorer = Explorer::compile(network.clone(), Some(&property), Abstraction::default())
            .unwrap_or_else(|error| panic!("{error:?}"));
        let name = |part: &Part| match *part {
            Part::Process(id) => network.processes[id].name.clone(),
            Part::Variable(id) => network.variables[id].name.clone(),
            Part::Clock(id) => network.clocks[id].name.clone(),
            Part::Channel(id) => network.channels[id].name.clone(),
        };
        let mut pattern = Pattern::nothing(&network);
        let parts = abstraction::parts(&network).into_iter();
        parts.filter(|it| kept.contains(&&name(it)[..])).for_each(|it| pattern.add(it));
        let problem = Problem::of(&explorer);
        let (settings, budget) = (&Settings::default(), Budget::default());
        let observer = &mut Unlimited;
        let making = &mut Making::new(settings, budget, observer);
        let abstracted = AbstractProblem::new(&problem, &pattern).expect("an abstraction");
        let edges = FirstEdges::of(&problem, None);
        let graph = LabelledGraph::explore(abstracted, &edges, making, budget);
        let dependencies = Dependencies::of(&network);
        let missing = missing(&problem, &dependencies, &graph, &BTreeSet::new());
        missing.map(|parts| parts.iter().map(name).collect())
    }

    /// P waits for x; then Q, which is elsewhere after its first step, is to change it; then nothing is missing.
    ///
    /// Seen to fail: with guards before locations, with all that an edge touches, and with a model that stays
    /// where it begins.
    #[test]
    fn what_a_step_lacks_is_found() {
        let text = "network 1
var x : int[0, 2]
var y : int[0, 2]
var z : int[0, 2]
process P { location a; location b; location c; init a;
  edge a -> b { when y == 0; } edge b -> c { when x == 2; do { z = 1; } } }
process Q { location q; location r; init q;
  edge q -> r { when x < 2 && y == 0; do { x = x + 1; } } edge r -> q; }
property \"c\" reachable P at c
";
        let lacks = |kept: &[&str]| lacks(text, kept);
        assert_eq!(lacks(&["P"]), Some(vec!["x".to_string()]));
        assert_eq!(lacks(&["P", "x"]), Some(vec!["Q".to_string()]));
        assert_eq!(lacks(&["P", "Q", "x"]), None);
    }

    /// P waits for y, but time passes only until U is to leave.
    ///
    /// Seen to fail: without what keeps time from passing.
    #[test]
    fn what_keeps_time_from_passing_is_found() {
        let text = "network 1
clock y
clock z
process P { location a; location b; init a; edge a -> b { when y >= 3; } }
process U { location u { invariant z <= 1; } location v; init u; edge u -> v; }
property \"b\" reachable P at b
";
        assert_eq!(lacks(text, &["P", "y"]), Some(vec!["U".to_string(), "z".to_string()]));
        assert_eq!(lacks(text, &["P", "y", "U", "z"]), None);
    }
}
