//! A system of one part of the model: its projection, explored, with labels on its steps.

use super::labels::{Label, ModelEdge};
use super::system::{IRRELEVANT, State, Steps, System, sort};
use crate::discrete_table::{DiscreteTable, hash};
use crate::heuristics::pattern::{AbstractProblem, pack, packed_bytes};
use explore::{Explorer, Raised, Step};
use network::{Id, ProcessId, cancellation};
use rustc_hash::FxHashMap;

/// The edges of an abstract step: the first, the one that it meets or that hears it, and the observer's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Edges {
    first: Option<u32>,
    second: Option<u32>,
    observer: Option<u32>,
}

/// A part's states and steps.
pub struct Atom {
    /// The packed words of its states. Where an error was raised there is one more state, for all others.
    pub states: DiscreteTable,
    pub system: System,
}

/// How much a part may be.
#[derive(Clone, Copy)]
pub struct Room {
    pub states: usize,
    pub steps: usize,
}

/// Explores a part, if it is small; says how many steps were found.
pub fn atom(part: &AbstractProblem, labels: &[Label], room: Room) -> (Option<Atom>, usize) {
    let mut exploration = Exploration::new(part);
    exploration.begin();
    while exploration.goals.len() < exploration.states.len() {
        let is_small = exploration.states.len() <= room.states && exploration.count <= room.steps;
        if !is_small {
            return (None, exploration.count);
        }
        exploration.expand_next();
    }
    let count = exploration.count;
    (exploration.finish(labels), count)
}

struct Exploration<'p> {
    part: &'p AbstractProblem<'p>,
    numbers: EdgeNumbers,
    states: DiscreteTable,
    initial: Vec<State>,
    goals: Vec<bool>,
    /// The states in which an error was raised: what follows may be missing.
    raising: Vec<State>,
    steps: FxHashMap<Edges, Steps>,
    count: usize,
}

/// Numbers for the edges of the abstract network.
struct EdgeNumbers {
    observer: Option<ProcessId>,
    firsts: Vec<u32>,
}

impl EdgeNumbers {
    fn of(part: &AbstractProblem) -> EdgeNumbers {
        let mut next = 0;
        let mut first = |edges: usize| {
            next += edges as u32;
            next - edges as u32
        };
        let processes = part.projection.network.processes.iter();
        let firsts = processes.map(|process| first(process.edges.len())).collect();
        EdgeNumbers { observer: part.projection.property.observer, firsts }
    }

    fn edges(&self, explorer: &Explorer, step: Step) -> Edges {
        let mut found = Edges { first: None, second: None, observer: None };
        for number in explorer.edges_of(step) {
            let (process, edge) = explorer.edge(number);
            let number = Some(self.firsts[process.index()] + edge.index() as u32);
            match (self.observer == Some(process), found.first, found.second) {
                (true, ..) => found.observer = number,
                (_, None, _) => found.first = number,
                (_, _, None) => found.second = number,
                _ => {}
            }
        }
        found
    }
}

impl<'p> Exploration<'p> {
    fn new(part: &'p AbstractProblem) -> Self {
        Exploration {
            part,
            numbers: EdgeNumbers::of(part),
            states: DiscreteTable::new(packed_bytes(&part.explorer.layout)),
            initial: Vec::new(),
            goals: Vec::new(),
            raising: Vec::new(),
            steps: FxHashMap::default(),
            count: 0,
        }
    }

    fn begin(&mut self) {
        let explorer = &self.part.explorer;
        let mut found = Vec::new();
        let raised = explorer.initial(&mut explorer.workspace(), &mut |state, _| {
            found.push(store(explorer, &mut self.states, state));
        });
        self.initial = found;
        // The state for all others is put in its place later.
        self.raising.extend(raised.is_err().then_some(State::MAX));
    }

    fn expand_next(&mut self) {
        cancellation::check();
        let explorer = &self.part.explorer;
        let (layout, mut ws) = (&explorer.layout, explorer.workspace());
        let from = self.goals.len() as State;
        let mut state = vec![0; layout.words()];
        let packed = self.states.at(from);
        layout.identity_packing().unpack(packed, &mut state);
        layout.meta_packing().unpack(&packed[layout.identity_packing().bytes()..], &mut state);
        let mut successors = 0;
        let expanded = explorer.successors(&mut ws, &state, &mut |successor, step| {
            let to = store(explorer, &mut self.states, successor);
            self.steps.entry(self.numbers.edges(explorer, step)).or_default().push((from, to));
            successors += 1;
        });
        self.count += successors;
        let is_goal = match explorer.seeks_dead_ends() && successors > 0 {
            true => Ok(false),
            false => explorer.is_goal(&mut ws, &state),
        };
        let ends = expanded.as_ref().is_err_and(|raised| self.counts(raised));
        // Where the goal cannot be told it may be reached.
        self.goals.push(ends || is_goal.unwrap_or(true));
        self.raising.extend(expanded.is_err().then_some(from));
    }

    fn counts(&self, raised: &Raised) -> bool {
        self.part.explorer.counts_errors() || raised.error.lacks_room()
    }

    fn finish(mut self, labels: &[Label]) -> Option<Atom> {
        let known = self.goals.len();
        let unknown = (!self.raising.is_empty()).then_some(known as State);
        let mut states = known;
        if let Some(unknown) = unknown {
            states += 1;
            self.goals.push(true);
            self.initial.extend(self.raising.contains(&State::MAX).then_some(unknown));
            self.raising.retain(|&state| state != State::MAX);
        }
        if self.initial.is_empty() {
            return None;
        }
        let escapes = self.escapes(unknown);
        self.steps.values_mut().for_each(sort);
        let mut system = System {
            states,
            initial: self.initial,
            goals: self.goals,
            group_of: Vec::new(),
            groups: Vec::new(),
            distances: Vec::new(),
        };
        Naming::new(self.part, &self.numbers, self.steps, escapes).name(labels, &mut system);
        system.tidy();
        system.measure();
        Some(Atom { states: self.states, system })
    }

    /// The steps that every label may be: to the unknown from where an error was raised, and from there to
    /// anywhere.
    fn escapes(&self, unknown: Option<State>) -> Steps {
        let Some(unknown) = unknown else { return Vec::new() };
        let away = self.raising.iter().map(|&state| (state, unknown));
        away.chain((0..=unknown).map(|state| (unknown, state))).collect()
    }
}

fn store(explorer: &Explorer, states: &mut DiscreteTable, state: &[i32]) -> State {
    let mut packed = Vec::with_capacity(states.width());
    pack(&explorer.layout, state, &mut packed);
    states.insert(hash(&packed), &packed).0
}

/// Finds the steps of labels.
struct Naming<'p> {
    part: &'p AbstractProblem<'p>,
    /// For each edge of the model the abstract edges that stand for it.
    images: FxHashMap<ModelEdge, Vec<u32>>,
    steps: Vec<(Edges, Steps)>,
    /// The positions of steps by their first and by the observer's edge.
    by_first: FxHashMap<u32, Vec<usize>>,
    by_observer: FxHashMap<u32, Vec<usize>>,
    escapes: Steps,
}

impl<'p> Naming<'p> {
    fn new(
        part: &'p AbstractProblem<'p>,
        numbers: &EdgeNumbers,
        steps: FxHashMap<Edges, Steps>,
        escapes: Steps,
    ) -> Self {
        let mut images: FxHashMap<ModelEdge, Vec<u32>> = FxHashMap::default();
        for (origins, first) in part.projection.origins.iter().zip(&numbers.firsts) {
            for (number, origins) in (*first..).zip(origins) {
                origins.iter().for_each(|&edge| images.entry(edge).or_default().push(number));
            }
        }
        let mut steps: Vec<(Edges, Steps)> = steps.into_iter().collect();
        steps.sort_unstable_by_key(|(edges, _)| *edges);
        let (mut by_first, mut by_observer) = (FxHashMap::default(), FxHashMap::default());
        for (position, (edges, _)) in steps.iter().enumerate() {
            for (index, edge) in [(&mut by_first, edges.first), (&mut by_observer, edges.observer)]
            {
                let positions = edge.map(|edge| index.entry(edge).or_insert_with(Vec::new));
                positions.into_iter().for_each(|it: &mut Vec<usize>| it.push(position));
            }
        }
        Naming { part, images, steps, by_first, by_observer, escapes }
    }

    /// Gives a system the steps of all labels.
    fn name(&self, labels: &[Label], system: &mut System) {
        let mut known: FxHashMap<Vec<usize>, u32> = FxHashMap::default();
        for label in labels {
            let group = match self.standing_still(label) {
                true => IRRELEVANT,
                false => *known.entry(self.positions(label)).or_insert_with_key(|positions| {
                    system.groups.push(self.united(positions));
                    system.groups.len() as u32 - 1
                }),
            };
            system.group_of.push(group);
        }
    }

    /// Whether a label is that of an observer that moves alone and is not seen.
    fn standing_still(&self, label: &Label) -> bool {
        let observes = self.part.projection.network.processes[label.first.0].observes;
        observes && self.part.projection.property.observer.is_none()
    }

    /// Which steps a label may be.
    fn positions(&self, label: &Label) -> Vec<usize> {
        let none = Vec::new();
        let images = |edge: ModelEdge| self.images.get(&edge).unwrap_or(&none);
        let seconds = label.second.map(images);
        // A step that may or may not meet others has a label for the case that it does not.
        let meets = |position: &&usize| {
            let second = self.steps[**position].0.second;
            seconds.is_none_or(|seconds| second.is_some_and(|it| seconds.contains(&it)))
        };
        let mut found = Vec::new();
        for image in images(label.first) {
            let begun = self.by_first.get(image).into_iter().flatten();
            found.extend(begun.filter(meets).copied());
            // The observer may move along with what is not seen.
            found.extend(self.by_observer.get(image).into_iter().flatten().copied());
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn united(&self, positions: &[usize]) -> Steps {
        let mut steps = self.escapes.clone();
        positions.iter().for_each(|&position| steps.extend(&self.steps[position].1));
        sort(&mut steps);
        steps
    }
}
