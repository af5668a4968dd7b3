//! The numbers that transitions have in Spin's trails.
//!
//! Spin numbers the elements of the whole model, claims included, in the order in which its parser
//! makes them; that is the order of our flows. A transition has the number of the element whose
//! statement it does. A jump that gives way to a `skip` takes its new number where the remote
//! reference stands, so everything after that place has a number greater by one.

use super::claims::{self, Chosen};
use super::edges::Origin;
use super::flow::El;
use super::plan::{Plan, Slot};
use super::resolver::Proctype;
use crate::ast::{Block, Model, Name, Statement, StatementKind, Unit};
use crate::trail::{Numbering, Pid, ProcessNumbers, TransitionNumbers};

/// A place between two elements: the one that comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Position {
    pub unit: usize,
    pub element: El,
}

/// A label of a proctype that a remote reference names; it has no position in a query.
#[derive(Clone, Debug)]
pub(super) struct RemoteLabel {
    pub proctype: usize,
    pub label: Name,
    pub position: Option<Position>,
}

/// A jump of a proctype that gave way to a `skip`, and the reference that made it.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovedJump {
    pub proctype: usize,
    pub position: Option<Position>,
}

/// The numbers of the elements of every proctype.
#[derive(Clone, Debug)]
pub(super) struct Numbers(Vec<Elements>);

/// How the elements of one proctype are numbered.
#[derive(Clone, Debug, Default)]
struct Elements {
    /// The number of the first one, if it is known.
    first: Option<u32>,
    written: usize,
    /// Before which elements another proctype took a number, in order.
    gaps: Vec<El>,
    /// The numbers of the jumps that were moved.
    moved: Vec<Option<u32>>,
}

impl Elements {
    fn number(&self, element: El) -> Option<u32> {
        if element >= self.written {
            return self.moved.get(element - self.written).copied().flatten();
        }
        let gaps = self.gaps.iter().filter(|&&gap| gap <= element).count();
        Some(self.first? + (element + gaps) as u32)
    }
}

impl Numbers {
    pub fn new(
        model: &Model,
        proctypes: &[Proctype],
        claims: &[Chosen],
        moved: &[MovedJump],
    ) -> Self {
        let mut numbers = Numbers(vec![Elements::default(); proctypes.len()]);
        let owners = owners(model, claims);
        let mut next = Some(0);
        for (unit, owner) in owners.iter().enumerate() {
            let positions = moved.iter().filter_map(|it| it.position);
            let own = positions.filter(|at| at.unit == unit).map(|at| at.element);
            let gaps: Vec<El> = own.collect();
            let taken = gaps.len();
            let written = match (owner, &model.units[unit]) {
                (Some(owner), _) => {
                    let written = proctypes[*owner].flow.written;
                    numbers.0[*owner] = Elements { first: next, written, gaps, moved: vec![] };
                    Some(written)
                }
                (None, Unit::Never(it)) => elements_of_claim(&it.body),
                (None, Unit::Trace(it)) => elements_of_claim(&it.body),
                // Formulas become claims after everything else.
                _ => continue,
            };
            next = next.zip(written).map(|(next, written)| next + (written + taken) as u32);
        }
        numbers.number_moved(&owners, moved);
        numbers
    }

    /// The number of an element; none if it depends on a claim that is not understood so far.
    pub fn number(&self, proctype: usize, element: El) -> Option<u32> {
        self.0.get(proctype)?.number(element)
    }

    fn number_moved(&mut self, owners: &[Option<usize>], moved: &[MovedJump]) {
        for (index, jump) in moved.iter().enumerate() {
            let number = jump.position.and_then(|at| {
                let referrer = owners.get(at.unit).copied().flatten()?;
                let same = |it: &&MovedJump| it.position.is_some_and(|it| it.unit == at.unit);
                let before = moved[..index].iter().filter(same).count();
                Some(self.0[referrer].first? + (at.element + before) as u32)
            });
            self.0[jump.proctype].moved.push(number);
        }
    }
}

/// The proctype that each unit of the model is, claims among them.
fn owners(model: &Model, claims: &[Chosen]) -> Vec<Option<usize>> {
    let mut written = 0..;
    let owner = |unit: &Unit| match unit {
        Unit::Proctype(_) | Unit::Init(_) => written.next(),
        Unit::Never(it) => {
            claims.iter().find(|claim| claim.span == it.span).map(|claim| claim.proctype)
        }
        _ => None,
    };
    model.units.iter().map(owner).collect()
}

// ---- processes ----

impl Numbers {
    /// The numbers of all edges, given the transitions that the edges of each process are.
    pub fn of_processes<'a>(
        &self,
        plan: &Plan,
        origins: impl Iterator<Item = &'a [Origin]>,
    ) -> Numbering {
        let processes = plan.slots.iter().zip(origins);
        Numbering { processes: processes.map(|(slot, it)| self.process(plan, slot, it)).collect() }
    }

    fn process(&self, plan: &Plan, slot: &Slot, origins: &[Origin]) -> ProcessNumbers {
        let transition = |it: &Origin| self.transition(slot.proctype, it);
        ProcessNumbers {
            claim: None,
            pid: match (slot.pid, slot.started) {
                (Some(variable), _) => Pid::Variable(variable),
                (None, number) => Pid::Fixed(number.unwrap_or(0) as i32),
            },
            absent: plan.absent(slot.proctype),
            transitions: origins.iter().map(|it| vec![transition(it)]).collect(),
        }
    }

    /// The numbers of the edges of a claim's observer.
    pub fn claim(&self, model: &Model, plan: &Plan, claim: &Chosen) -> ProcessNumbers {
        let joined = claims::origins(plan, claim);
        let transition = |it: &Origin| self.transition(claim.proctype, it);
        ProcessNumbers {
            claim: number_among_proctypes(model, claim),
            pid: Pid::Fixed(0),
            absent: plan.absent(claim.proctype),
            transitions: joined
                .iter()
                .map(|chain| chain.iter().map(transition).collect())
                .collect(),
        }
    }

    fn transition(&self, proctype: usize, it: &Origin) -> TransitionNumbers {
        let state = |element: El| element as u32 + 1;
        TransitionNumbers {
            id: self.number(proctype, it.element),
            source: state(it.source),
            target: it.target.map_or(0, state),
        }
    }
}

// ---- claims ----

/// The number of a claim among all proctypes and claims, in the order of the text.
fn number_among_proctypes(model: &Model, claim: &Chosen) -> Option<u32> {
    let counts = |unit: &&Unit| {
        matches!(unit, Unit::Proctype(_) | Unit::Init(_) | Unit::Never(_) | Unit::Trace(_))
    };
    let mut all = model.units.iter().filter(counts);
    all.position(|unit| unit.span() == claim.span).map(|number| number as u32)
}

/// How many elements Spin makes of the body of a claim, its end included.
fn elements_of_claim(body: &Block) -> Option<usize> {
    let is_variables = |it: &&Statement| matches!(it.kind, StatementKind::Variables(_));
    let rest = body.statements.iter().skip_while(is_variables);
    Some(rest.map(statement).sum::<Option<usize>>()? + 1)
}

fn elements(block: &Block) -> Option<usize> {
    block.statements.iter().map(statement).sum()
}

fn statement(it: &Statement) -> Option<usize> {
    let all = |options: &[Block]| options.iter().map(elements).sum::<Option<usize>>();
    Some(match &it.kind {
        StatementKind::If(options) => all(options)? + 2,
        StatementKind::Do(options) => all(options)? + 3,
        StatementKind::Atomic(block) | StatementKind::DStep(block) => elements(block)? + 1,
        StatementKind::Block(block) => elements(block)? + 1,
        StatementKind::Inline(call) => elements(&call.body)? + 1,
        StatementKind::Goto(_) | StatementKind::Break => 1 + usize::from(is_marked(it)),
        StatementKind::Unless(body, escape) => unless_body(body)? + as_sequence(escape)? + 2,
        // What these become depends on types, and claims have no use for them.
        StatementKind::Variables(_)
        | StatementKind::For { .. }
        | StatementKind::Select { .. }
        | StatementKind::Return { .. } => return None,
        StatementKind::Exclusive(..) => 0,
        _ => 1,
    })
}

/// A jump with such a label gets a `skip` before it.
fn is_marked(it: &Statement) -> bool {
    let special = ["accept", "end", "progress"];
    it.labels.iter().any(|it| special.iter().any(|s| it.text.starts_with(s)))
}

fn as_sequence(it: &Statement) -> Option<usize> {
    match &it.kind {
        StatementKind::Block(block) if it.labels.is_empty() => elements(block),
        _ => statement(it),
    }
}

/// With a label there is a block around it all.
fn unless_body(it: &Statement) -> Option<usize> {
    match &it.kind {
        StatementKind::Block(block)
        | StatementKind::Atomic(block)
        | StatementKind::DStep(block)
            if !it.labels.is_empty() =>
        {
            Some(elements(block)? + 1)
        }
        _ => as_sequence(it),
    }
}
