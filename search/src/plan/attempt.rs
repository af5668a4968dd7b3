//! How a plan looks for shorter traces than the one that is there.

use super::ground::Ground;
use super::pursuit::Pursuit;
use super::scent::Senses;
use crate::Outcome;
use crate::catalog::Settings;
use crate::configuration::Weight;

/// What an attempt may be in work for a plan without patience: about a second.
const LARGE: u64 = 60_000_000;

/// How many times as much a proof may be.
const PROOF: u64 = 3;

/// What an estimate counts in careless attempts.
const CARELESS: Weight = Weight(500);

/// An attempt to find shorter traces, or to prove that there are none.
pub struct Attempt<'a> {
    kind: Kind,
    /// The search, once it has begun.
    pub pursuit: Option<Pursuit<'a>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Breadth first.
    Breadth,
    /// With an estimate that is never too high.
    Layers,
    /// With one that counts as much as the way so far.
    Careful,
    /// With one that counts much.
    Careless,
}

impl<'a> Attempt<'a> {
    /// All attempts; the first is breadth-first search, which may have begun. There is none with estimates
    /// that are never too high where those say nothing.
    pub fn all(breadth: Option<Pursuit<'a>>, has_layers: bool) -> Vec<Attempt<'a>> {
        let attempt = |kind| Attempt { kind, pursuit: None };
        let mut all = vec![Attempt { kind: Kind::Breadth, pursuit: breadth }];
        all.extend(has_layers.then(|| attempt(Kind::Layers)));
        all.extend([attempt(Kind::Careful), attempt(Kind::Careless)]);
        all
    }

    /// What it may be in work for a plan without patience that has a trace of some length.
    pub fn most(&self, length: u32) -> u64 {
        let depth = self.pursuit.as_ref().map_or(0, |pursuit| pursuit.statistics().depth);
        match self.kind {
            // Layers grow, so the second half of the way is the longer one.
            Kind::Breadth if depth * 4 >= u64::from(length) * 3 => PROOF * LARGE,
            Kind::Layers => PROOF * LARGE,
            _ => LARGE,
        }
    }

    /// What it may be in work when breadth-first search may be so much: all others together less than
    /// that one.
    pub fn part(&self, turn: u64) -> u64 {
        match self.kind {
            Kind::Breadth => turn,
            Kind::Layers => turn / 2,
            Kind::Careful | Kind::Careless => turn / 8,
        }
    }

    /// Whether it is made on the ground with all traces of the model.
    pub fn is_exact(&self) -> bool {
        self.kind != Kind::Careless
    }

    /// Makes the search, if that was not done before.
    pub fn begin(
        &mut self,
        field: &mut Field<'a>,
        found: &Outcome,
        settings: &Settings,
    ) -> Result<(), String> {
        if self.pursuit.is_none() {
            self.pursuit = Some(self.make(field, found, settings)?);
        }
        Ok(())
    }

    fn make(
        &self,
        field: &mut Field<'a>,
        found: &Outcome,
        settings: &Settings,
    ) -> Result<Pursuit<'a>, String> {
        let Field { ground, exact, .. } = *field;
        let weigh = |weight| Settings { weight, ..*settings };
        match self.kind {
            Kind::Breadth => Pursuit::plain(&exact, "bfs", settings),
            Kind::Layers => {
                let layers = field.exactly().layers();
                Pursuit::guided(&exact, "astar", settings, Box::new(layers))
            }
            Kind::Careful => {
                let heuristic = field.exactly().of_end(found);
                Pursuit::guided(&exact, "weighted-astar", &weigh(Weight::ONE), heuristic)
            }
            Kind::Careless => {
                let heuristic = field.senses.of_end(found);
                Pursuit::guided(&ground, "weighted-astar", &weigh(CARELESS), heuristic)
            }
        }
    }
}

/// Where traces are shortened.
pub struct Field<'a> {
    /// Where the first trace was found.
    pub ground: Ground<'a>,
    /// A ground that has all traces of the model; the same, if that one has.
    pub exact: Ground<'a>,
    senses: Senses<'a>,
    senses_there: Option<Senses<'a>>,
}

impl<'a> Field<'a> {
    /// The grounds, and what is known of the first.
    pub fn new(ground: &Ground<'a>, exact: &Ground<'a>, senses: Senses<'a>) -> Self {
        Field { ground: *ground, exact: *exact, senses, senses_there: None }
    }

    /// The heuristics of the ground with all traces.
    fn exactly(&mut self) -> &mut Senses<'a> {
        match self.ground.has_all_traces() {
            true => &mut self.senses,
            false => {
                let problem = &self.exact.problem;
                self.senses_there.get_or_insert_with(|| Senses::new(problem))
            }
        }
    }

    /// A length that no trace undercuts.
    pub fn least_length(&mut self) -> u32 {
        let exact = self.exact;
        exact.least_length(self.exactly())
    }
}
