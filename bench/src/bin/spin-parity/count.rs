//! Counts the states of a Promela model and the transitions between them the way `pan` does.
//!
//! `pan` counts an arrival at a state that it stores, new or not, and the initial state. It neither
//! stores nor recognises the states inside an atomic sequence: where two paths through one meet, what
//! follows counts once for each way. Here such a state is visited once, and the number of arrivals
//! after it is kept. A loop inside an atomic sequence makes that number infinite.

use crate::answer::Space;
use explore::{Abstraction, Explorer, Workspace};
use network::ErrorKind;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::Instant;
use vizsla::{Input, Language, Model, Promela};

/// How far to count.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Stored states.
    pub states: u64,
    /// The time.
    pub until: Instant,
}

/// Counts with assertions ignored; nothing beyond the limits, or if there is a run-time error.
pub fn count(model: &Path, limits: Limits) -> Result<Option<Space>, String> {
    count_in(Input::file(model), limits)
}

fn count_in(input: Input, limits: Limits) -> Result<Option<Space>, String> {
    let lacks_room = |counted: &Counted| matches!(counted, Ok(Err(Stop::NoRoom)));
    let counted = load(input)?.with_room(|model| count_once(model, limits), lacks_room);
    Ok(counted.map_err(|refusal| refusal.to_string())?.1?.ok())
}

/// What came of counting, if the model could be compiled.
type Counted = Result<Result<Space, Stop>, String>;

fn count_once(model: &Model, limits: Limits) -> Counted {
    let property = model.network.properties.iter().next();
    let explorer = Explorer::compile(model.network.clone(), property, Abstraction::None);
    let explorer = explorer.map_err(|error| error.message)?;
    Ok(Counter::new(&explorer, limits).run())
}

/// A model without its assertions, or why there is none.
pub fn load(input: Input) -> Result<Model, String> {
    let promela = Promela { asserts: false, ..Promela::default() };
    let input = Input { language: Some(Language::Promela), promela, ..input };
    Model::load(input).map_err(|refusal| refusal.to_string())
}

/// A state's name: two hashes of its identity, 128 bits together.
type Name = (u64, u64);

/// A state whose successors are being visited: a stored one at the bottom of the stack, transient
/// ones above it.
struct Frame {
    name: Name,
    /// The arrivals counted so far.
    arrivals: u64,
    /// The successors that are still to be visited.
    rest: Vec<Box<[i32]>>,
}

struct Counter<'a> {
    explorer: &'a Explorer,
    workspace: Workspace,
    limits: Limits,
    /// The states seen. A transient one has the number of arrivals after it, once that is known.
    seen: HashMap<Name, Option<u64>>,
    /// Stored states whose successors are still to be visited.
    open: Vec<(Name, Box<[i32]>)>,
    stack: Vec<Frame>,
    counted: Space,
    endless: bool,
}

/// Why there is no number.
enum Stop {
    /// Too many states, too long, or an error of the model.
    Over,
    /// There are too few slots for processes.
    NoRoom,
}

impl From<ErrorKind> for Stop {
    fn from(kind: ErrorKind) -> Self {
        if kind == ErrorKind::NoRoom { Stop::NoRoom } else { Stop::Over }
    }
}

impl<'a> Counter<'a> {
    fn new(explorer: &'a Explorer, limits: Limits) -> Self {
        Counter {
            explorer,
            workspace: explorer.workspace(),
            limits,
            seen: HashMap::new(),
            open: Vec::new(),
            stack: Vec::new(),
            counted: Space::default(),
            endless: false,
        }
    }

    fn run(&mut self) -> Result<Space, Stop> {
        let mut rest = Vec::new();
        let Counter { explorer, workspace, .. } = self;
        let entered = explorer.initial(workspace, &mut |state, _| rest.push(state.into()));
        entered.map_err(|raised| raised.error.kind)?;
        let mut transitions = self.arrivals(Frame { name: (0, 0), arrivals: 0, rest })?;
        let mut invalid_ends = 0;
        while let Some((name, state)) = self.open.pop() {
            if Instant::now() > self.limits.until {
                return Err(Stop::Over);
            }
            let frame = self.frame(name, &state)?;
            transitions = transitions.saturating_add(self.arrivals(frame)?);
            let end = self.explorer.is_goal(&mut self.workspace, &state);
            let end = end.map_err(|error| error.kind)?;
            invalid_ends += u64::from(end);
        }
        self.counted.transitions = Some(transitions).filter(|_| !self.endless);
        self.counted.invalid_ends = Some(invalid_ends);
        Ok(self.counted)
    }

    /// The number of arrivals at stored states, directly or through transient ones.
    fn arrivals(&mut self, bottom: Frame) -> Result<u64, Stop> {
        self.stack.push(bottom);
        let mut arrivals = 0;
        while let Some(mut frame) = self.stack.pop() {
            if let Some(next) = frame.rest.pop() {
                self.stack.push(frame);
                arrivals = self.arrive(&next)?;
            } else {
                arrivals = frame.arrivals;
                self.seen.insert(frame.name, Some(arrivals));
            }
            if let Some(below) = self.stack.last_mut() {
                below.arrivals = below.arrivals.saturating_add(arrivals);
            }
        }
        Ok(arrivals)
    }

    /// The arrivals that a step to a state adds at once; a new state is put aside for later.
    fn arrive(&mut self, state: &[i32]) -> Result<u64, Stop> {
        let name = name(&state[..self.explorer.layout.identity]);
        let transient = self.explorer.is_transient(state);
        let known = self.seen.get(&name).copied();
        if known.is_none() {
            self.seen.insert(name, None);
            // Four times: most of them may lie inside atomic sequences.
            if self.seen.len() as u64 > self.limits.states.saturating_mul(4) {
                return Err(Stop::Over);
            }
        }
        match (transient, known) {
            (false, None) => {
                self.counted.stored += 1;
                self.open.push((name, state.into()));
                Ok(1)
            }
            (false, Some(_)) => Ok(1),
            (true, Some(Some(after))) => Ok(after),
            (true, Some(None)) => {
                // It is on the stack: there is a loop inside an atomic sequence.
                self.endless = true;
                Ok(0)
            }
            (true, None) => {
                let frame = self.frame(name, state)?;
                self.stack.push(frame);
                Ok(0)
            }
        }
    }

    fn frame(&mut self, name: Name, state: &[i32]) -> Result<Frame, Stop> {
        let Counter { explorer, workspace, .. } = self;
        let mut rest = Vec::new();
        let visited = explorer.successors(workspace, state, &mut |next, _| rest.push(next.into()));
        visited.map_err(|raised| raised.error.kind)?;
        Ok(Frame { name, arrivals: 0, rest })
    }
}

fn name(identity: &[i32]) -> Name {
    let hash = |salt: u64| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        identity.hash(&mut hasher);
        hasher.finish()
    };
    (hash(1), hash(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn counted(text: &str) -> Option<(u64, Option<u64>, Option<u64>)> {
        let until = Instant::now() + Duration::from_secs(60);
        let space = count_in(Input::text("test.pml", text), Limits { states: 100, until });
        space.expect("accepted").map(|it| (it.stored, it.transitions, it.invalid_ends))
    }

    // The numbers are those of Spin 6.5.2: spin -o1 -o2 -o3 -a, gcc -DNOREDUCE -DSAFETY,
    // pan -A -c0.

    #[test]
    fn what_follows_two_ways_through_an_atomic_sequence_counts_twice() {
        let text = "byte x;
            active proctype P() { atomic { if :: x = 1 :: x = 2 fi; x = 0; x = 3 } }
            active proctype Q() { atomic { x = 5; x == 9 }; x = 1 }";
        assert_eq!(counted(text), Some((5, Some(7), Some(2))));
    }

    #[test]
    fn a_loop_in_an_atomic_sequence_has_no_number() {
        let text = "bit x; active proctype P() { atomic { do :: x = 1 - x od } }";
        assert_eq!(counted(text), Some((1, None, Some(0))));
    }

    #[test]
    fn there_is_room_for_as_many_processes_as_it_takes() {
        let text = "proctype P(byte n) { if :: n > 0 -> run P(n - 1) :: else fi }
            init { run P(11) }";
        assert_eq!(counted(text), Some((38, Some(38), Some(0))));
    }

    #[test]
    fn too_many_states_have_no_number() {
        let text = "byte x; active proctype P() { do :: x++ :: x = x + 2 od }";
        assert_eq!(counted(text), Some((256, Some(513), Some(0))));
        let text = "int x; active proctype P() { do :: x++ od }";
        assert_eq!(counted(text), None);
    }
}
