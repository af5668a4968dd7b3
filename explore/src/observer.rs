//! The observer of a property: in every step one of its edges fires along with those of the others.
//!
//! It looks at the state before the step. Where nobody else can move, it moves alone; where it
//! cannot move, nobody can. In the middle of a longer step, while some process has control, it waits.

use crate::edge::{LocationCode, Update};
use crate::explorer::{Explorer, Raised, Workspace};
use crate::steps::{Candidate, OnStep};
use network::{Id, Network, Property};

/// The edges of an observer.
#[derive(Debug)]
pub struct Observer {
    process: usize,
    /// The edges that leave each of its locations, those with the highest preference first.
    edges: Vec<Vec<u32>>,
}

impl Observer {
    /// Takes all edges of observers out of their locations, so that nobody moves by them alone, and
    /// gives those of the property's observer.
    pub fn take(
        network: &Network,
        property: Option<&Property>,
        locations: &mut [Vec<LocationCode>],
    ) -> Option<Observer> {
        let chosen = property.and_then(|property| property.observer);
        let mut observer = None;
        for (id, _) in network.processes.enumerate().filter(|(_, process)| process.observes) {
            let own = locations[id.index()].iter_mut();
            let edges = own.map(|location| std::mem::take(&mut location.internal)).collect();
            if chosen == Some(id) {
                observer = Some(Observer { process: id.index(), edges });
            }
        }
        observer
    }
}

impl Explorer {
    /// Calls `on_successor` for every successor of the current state, with the moves in the
    /// workspace, the observer's last.
    pub(crate) fn each_successor(
        &self,
        ws: &mut Workspace,
        on_successor: &mut OnStep,
    ) -> Result<(), Raised> {
        let waits = self.is_transient(&ws.current);
        let Some(observer) = self.observer.as_ref().filter(|_| !waits) else {
            self.each_possible_step(ws, &mut |explorer, ws| {
                explorer.elapse(ws);
                on_successor(explorer, ws)
            })?;
            return Ok(());
        };
        self.look(ws, observer)?;
        if ws.observed.is_empty() {
            return Ok(());
        }
        let possible = self.each_possible_step(ws, &mut |explorer, ws| {
            if ws.machine.timeout {
                explorer.look(ws, observer)?;
            }
            explorer.elapse(ws);
            explorer.follow_along(ws, observer, on_successor)
        })?;
        if possible { Ok(()) } else { self.move_alone(ws, observer, on_successor) }
    }

    /// Finds the edges that the observer can take in the current state.
    fn look(&self, ws: &mut Workspace, observer: &Observer) -> Result<(), Raised> {
        let Workspace { machine, current, observed, .. } = ws;
        observed.clear();
        let mut level = None;
        for &number in &observer.edges[current[observer.process] as usize] {
            let edge = &self.edges[number as usize];
            if level.is_some_and(|level| edge.preference < level) {
                break;
            }
            let raise = |error| Raised { error, step: vec![number as i32] };
            if edge.guard.holds(&self.program, machine, current).map_err(raise)? {
                if let Update::Code(entry, frame) = edge.update {
                    // It asserts something about the state before the step.
                    machine.begin_step();
                    machine.run(&self.program, entry, frame, current).map_err(raise)?;
                }
                observed.push(number);
                level = Some(edge.preference);
            }
        }
        Ok(())
    }

    /// Completes a step of the others by each move that the observer can make.
    fn follow_along(
        &self,
        ws: &mut Workspace,
        observer: &Observer,
        on_successor: &mut OnStep,
    ) -> Result<(), Raised> {
        for i in 0..ws.observed.len() {
            let edge = ws.observed[i];
            ws.next[observer.process] = self.edges[edge as usize].target;
            ws.moves.push(Candidate { edge, ..Candidate::default() });
            on_successor(self, ws)?;
            ws.moves.pop();
        }
        Ok(())
    }

    /// Lets the observer move where nobody else can.
    fn move_alone(
        &self,
        ws: &mut Workspace,
        observer: &Observer,
        on_successor: &mut OnStep,
    ) -> Result<(), Raised> {
        ws.machine.timeout = self.traits.timeouts;
        let looked = self.look(ws, observer);
        ws.machine.timeout = false;
        looked?;
        for i in 0..ws.observed.len() {
            ws.moves.clear();
            ws.moves.push(Candidate { edge: ws.observed[i], ..Candidate::default() });
            if self.fire(ws)? {
                self.elapse(ws);
                on_successor(self, ws)?;
            }
        }
        Ok(())
    }
}
