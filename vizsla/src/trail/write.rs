//! A trace of a Promela model as a trail.

use super::Walk;
use crate::Model;
use network::{Ending, Id, Move, ProcessId, Property, Trace};
use promela::trail::{Trail, TrailStep};

/// The trail of a trace of a property. A never claim moves before the processes; a formula is no
/// automaton of Spin's, so its trail is one without a claim.
pub fn write(model: &Model, property: &Property, trace: &Trace) -> Result<Trail, String> {
    let mut walk = Walk::start(model, Some(property))?;
    let numbers = |process: ProcessId| walk.numbering.processes.get(process.index());
    let claim = property.observer.and_then(|it| Some((it, numbers(it)?.claim?)));
    let trail = Trail { claim: claim.map(|it| it.1.into()), ..Trail::default() };
    let mut writer = Writer { claim: claim.map(|it| it.0), depth: 0, trail };
    let Trace { steps, ending, .. } = trace;
    for (number, step) in steps.iter().enumerate() {
        // A claim is violated by its own step to the end, whatever the others do.
        let over = number + 1 == steps.len() && *ending == Ending::Goal && claim.is_some();
        writer.step(&walk, &step.moves, over)?;
        walk.take(&step.moves).map_err(|stop| stop.message(&model.network))?;
    }
    if let Ending::Error { moves, .. } = ending {
        writer.error(&walk, moves)?;
    }
    Ok(writer.trail)
}

/// A trail under way.
struct Writer {
    claim: Option<ProcessId>,
    depth: i64,
    trail: Trail,
}

impl Writer {
    /// Adds the lines of a step that is possible now, of the claim alone if that is all.
    fn step(&mut self, walk: &Walk, moves: &[Move], over: bool) -> Result<(), String> {
        let (looks, others): (Vec<&Move>, Vec<&Move>) =
            moves.iter().partition(|moved| walk.observes(moved.process));
        let claim = self.claim;
        for look in looks.into_iter().filter(|look| Some(look.process) == claim) {
            self.move_of(walk, look, 0)?;
        }
        if over {
            return Ok(());
        }
        for moved in others {
            let pid = walk.pid(moved.process).ok_or("a process moves that does not run")?;
            self.move_of(walk, moved, pid + i64::from(self.claim.is_some()))?;
        }
        Ok(())
    }

    /// Adds the lines of a step that raises an error.
    fn error(&mut self, walk: &Walk, moves: &[Move]) -> Result<(), String> {
        let looks = moves.iter().any(|moved| walk.observes(moved.process));
        let claim = walk.simulator.observer_moves(&walk.state);
        let claim = claim.into_iter().filter(|_| !looks && !moves.is_empty()).take(1);
        self.step(walk, &claim.chain(moves.iter().cloned()).collect::<Vec<_>>(), moves.is_empty())
    }

    fn move_of(&mut self, walk: &Walk, moved: &Move, pid: i64) -> Result<(), String> {
        let ids = walk.numbering.ids(moved.process, moved.edge);
        let unknown = "the number of its transition depends on a claim that is not understood";
        for id in ids.ok_or_else(|| format!("step {}: {unknown}", self.depth + 1))? {
            self.depth += 1;
            self.trail.steps.push(TrailStep { depth: self.depth, pid, id: id.into() });
        }
        Ok(())
    }
}
