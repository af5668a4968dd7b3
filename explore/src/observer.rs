//! The observer of a property: in every step one of its edges fires along with those of the others.
//!
//! It looks at the state before the step. Where nobody else can move, it moves alone; where it
//! cannot move, nobody can. In the middle of a longer step, while some process has control, it waits.

use crate::edge::{LocationCode, Update};
use crate::explorer::Explorer;
use crate::step::{EdgeNumber, Raised, Step, word_of};
use crate::steps::{Candidate, Enabled};
use crate::successors::{Expansion, Fired, OnFired, Prune};
use network::{Id, Network, Property};

/// The edges of an observer.
#[derive(Debug)]
pub struct Observer {
    process: usize,
    /// The edges that leave each of its locations, those with the highest preference first.
    edges: Vec<Vec<EdgeNumber>>,
}

impl Observer {
    /// Takes all edges of observers out of their locations, so that nobody moves by them alone, and
    /// returns those of the property's observer.
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
    /// Calls `on_successor` for every successor of the state by steps that are not pruned, after time
    /// has passed and the observer has moved, and then tells of the first error.
    pub(crate) fn each_successor(
        &self,
        expansion: &mut Expansion,
        prune: &mut Prune,
        on_successor: &mut OnFired,
    ) -> Result<(), Raised> {
        let waits = self.is_transient(&expansion.state);
        match self.observer.as_ref().filter(|_| !waits) {
            Some(observer) => {
                let mut observed = std::mem::take(&mut expansion.observed);
                let result =
                    self.each_observed(expansion, observer, &mut observed, prune, on_successor);
                expansion.observed = observed;
                result
            }
            None => {
                self.enabled(expansion);
                prune(&expansion.state, &mut expansion.steps);
                let fired = self.each_fired(expansion, &mut |fired| {
                    self.finish(fired);
                    on_successor(fired)
                });
                fired.map(|_| ())
            }
        }
    }

    /// Lets the others move, and the observer with them by an edge that it can take.
    fn each_observed(
        &self,
        expansion: &mut Expansion,
        observer: &Observer,
        observed: &mut Vec<EdgeNumber>,
        prune: &mut Prune,
        on_successor: &mut OnFired,
    ) -> Result<(), Raised> {
        self.look(expansion, observer, false, observed)?;
        if observed.is_empty() {
            return Ok(());
        }
        self.enabled(expansion);
        prune(&expansion.state, &mut expansion.steps);
        if expansion.steps.timeout {
            self.look(expansion, observer, true, observed)?;
        }
        let possible = self.each_fired(expansion, &mut |fired| {
            self.finish(fired);
            self.follow_along(fired, observer, observed, on_successor)
        })?;
        match possible {
            true => Ok(()),
            false => self.move_alone(expansion, observed, on_successor),
        }
    }

    /// Lets time pass and writes the step down.
    fn finish(&self, fired: &mut Fired) {
        self.elapse(fired.next);
        fired.words.clear();
        if !fired.prefix.is_empty() {
            fired.words.extend_from_slice(fired.prefix);
        }
        self.write(*fired.step, fired.words);
    }

    /// Finds the edges that the observer can take.
    fn look(
        &self,
        expansion: &mut Expansion,
        observer: &Observer,
        timeout: bool,
        observed: &mut Vec<EdgeNumber>,
    ) -> Result<(), Raised> {
        let Expansion { machine, state, .. } = expansion;
        machine.timeout = timeout;
        observed.clear();
        let mut level = None;
        let mut result = Ok(());
        for &number in &observer.edges[state[observer.process] as usize] {
            let edge = &self.edges[number];
            if level.is_some_and(|level| edge.preference < level) {
                break;
            }
            let mut holds = edge.guard.holds(&self.program, machine, state);
            if holds == Ok(true)
                && let Update::Code(entry, frame) = edge.update
            {
                // It asserts something about the state before the step.
                machine.begin_step();
                holds = machine.run(&self.program, entry, frame, state).map(|_| true);
            }
            match holds {
                Ok(false) => {}
                Ok(true) => {
                    observed.push(number);
                    level = Some(edge.preference);
                }
                Err(error) => {
                    result = Err(Raised::by(Step::from_words(&[word_of(number)]), error));
                    break;
                }
            }
        }
        machine.timeout = false;
        result
    }

    /// Completes a step of the others by each move that the observer can make.
    fn follow_along(
        &self,
        fired: &mut Fired,
        observer: &Observer,
        observed: &[EdgeNumber],
        on_successor: &mut OnFired,
    ) -> Result<(), Raised> {
        let zone = self.layout.zone();
        let exact = fired.next.state[zone.clone()].to_vec();
        let mut result = Ok(());
        for &edge in observed {
            // Who was told of the move before may have abstracted the zone.
            fired.next.state[zone.clone()].copy_from_slice(&exact);
            fired.next.state[observer.process] = self.edges[edge].target;
            fired.words.push(word_of(edge));
            result = result.and(on_successor(fired));
            fired.words.pop();
        }
        result
    }

    /// Lets the observer move where nobody else can.
    fn move_alone(
        &self,
        expansion: &mut Expansion,
        observed: &[EdgeNumber],
        on_successor: &mut OnFired,
    ) -> Result<(), Raised> {
        let Expansion { machine, state, next, prefix, words, .. } = expansion;
        let mut result = Ok(());
        for &edge in observed {
            let step = Enabled { moves: &[Candidate::of(edge)], values: &[], cell: None };
            let moved = match self.fire(machine, state, step, next) {
                Ok(false) => continue,
                Ok(true) => {
                    let fired = &mut Fired { machine, step: &step, next, prefix, words };
                    self.finish(fired);
                    on_successor(fired)
                }
                Err(error) => Err(self.raised(prefix, step, next, error)),
            };
            result = result.and(moved);
        }
        result
    }
}
