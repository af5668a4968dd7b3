//! Counts the states of a Promela model and the transitions between them the way `pan` does.
//!
//! `pan` counts an arrival at a state that it stores, new or not, and the initial state. It neither
//! stores nor recognises the states inside an atomic sequence: where two ways through one meet, what
//! follows counts once for each way. Here such a state is visited once, and the number of arrivals
//! behind it is kept. A loop inside an atomic sequence makes that number infinite.

use crate::answer::Space;
use explore::{Abstraction, Explorer, Workspace};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

/// Counts with assertions ignored; nothing if there are too many states or a run-time error.
pub fn count(model: &Path, limit: u64) -> Result<Option<Space>, String> {
    let path = model.display().to_string();
    let bytes = std::fs::read(model).map_err(|error| error.to_string())?;
    let network = load(&path, &bytes)?;
    let property = network.properties.iter().next();
    let explorer = Explorer::compile(&network, property, Abstraction::None);
    let explorer = explorer.map_err(|error| error.message)?;
    Ok(Counter::new(&explorer, limit).run().ok())
}

/// The network of a model, or the first reason why there is none.
pub fn load(path: &str, bytes: &[u8]) -> Result<network::Network, String> {
    let folder = Path::new(path).parent().unwrap_or(Path::new("."));
    let mut read = |name: &str| std::fs::read(folder.join(name)).map_err(|e| e.to_string());
    let options = promela::Options { asserts: false, ..Default::default() };
    let loaded = promela::load(promela::Input {
        path,
        bytes,
        defines: &[],
        queries: &[],
        options,
        read_include: &mut read,
    });
    let reason = loaded.diagnostics.into_iter().find(network::Diagnostic::is_error);
    let line = |it: &network::Diagnostic| it.place.as_ref().map_or(0, |place| place.line);
    let reason = reason.map(|it| format!("{} (line {})", it.message, line(&it)));
    loaded.network.ok_or(reason.unwrap_or("no network".into()))
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
    limit: u64,
    /// The states seen. A transient one has the number of arrivals behind it, once that is known.
    seen: HashMap<Name, Option<u64>>,
    /// Stored states whose successors are still to be visited.
    open: Vec<(Name, Box<[i32]>)>,
    stack: Vec<Frame>,
    counted: Space,
    endless: bool,
}

/// Too many states, or an error of the model.
struct Stop;

impl<'a> Counter<'a> {
    fn new(explorer: &'a Explorer, limit: u64) -> Self {
        Counter {
            explorer,
            workspace: explorer.workspace(),
            limit,
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
        explorer.initial(workspace, &mut |state, _| rest.push(state.into())).map_err(|_| Stop)?;
        let mut transitions = self.arrivals(Frame { name: (0, 0), arrivals: 0, rest })?;
        let mut invalid_ends = 0;
        while let Some((name, state)) = self.open.pop() {
            let frame = self.frame(name, &state)?;
            transitions = transitions.saturating_add(self.arrivals(frame)?);
            let end = self.explorer.is_goal(&mut self.workspace, &state).map_err(|_| Stop)?;
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
            if self.seen.len() as u64 > self.limit.saturating_mul(4) {
                return Err(Stop);
            }
        }
        match (transient, known) {
            (false, None) => {
                self.counted.stored += 1;
                self.open.push((name, state.into()));
                Ok(1)
            }
            (false, Some(_)) => Ok(1),
            (true, Some(Some(behind))) => Ok(behind),
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
        visited.map_err(|_| Stop)?;
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
