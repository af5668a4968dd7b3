//! From elements to states and transitions, in the way of Spin's verifiers: a state per element,
//! then choices resolved into the transitions of their options, then escapes put in front.

use super::flow::{ATOM, DSTEP, El, ElementKind, Flow, LAST, Seq};
use super::resolved::{Basic, Value};

/// One way to leave a state.
#[derive(Clone, Debug)]
pub(super) struct Transition {
    /// The element whose statement is done; none for a link from a choice to an option.
    pub element: Option<El>,
    /// The next state; none after the end of the process.
    pub target: Option<El>,
    pub keeps_control: bool,
    /// The first states of the escapes that may happen instead.
    escapes: Vec<El>,
    /// For an escape: the state it starts in.
    pub escape: Option<El>,
    id: usize,
}

#[cfg(test)]
impl Transition {
    pub fn to(target: El) -> Self {
        Transition {
            element: None,
            target: Some(target),
            keeps_control: false,
            escapes: vec![],
            escape: None,
            id: target,
        }
    }
}

/// The automaton of a proctype; states are elements.
#[derive(Clone, Debug)]
pub(super) struct Automaton {
    pub start: El,
    /// The ways to leave each state, in the order in which they are tried.
    pub transitions: Vec<Vec<Transition>>,
    /// The states that can be reached, in their written order.
    pub states: Vec<El>,
    /// Whether a process may stay in a state for ever.
    pub valid_end: Vec<bool>,
    /// Whether a state is marked as progress.
    pub progress: Vec<bool>,
}

/// Control flow that Spin would call confusing: jumps in a circle, or no way on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Confusing(pub El);

/// Chains of jumps longer than this are taken for circles.
const LONGEST_CHAIN: usize = 500;

/// Builds the automaton of a proctype whose body is `body`.
pub(super) fn automaton(flow: &mut Flow, body: Seq) -> Result<Automaton, Confusing> {
    let count = flow.elements.len();
    let first = flow.sequences[body].first.unwrap_or(0);
    let mut valid_end = vec![false; count];
    for (element, valid) in valid_end.iter_mut().enumerate() {
        *valid = flow.labels.at(element).any(|it| it.name.starts_with("end"))
            || matches!(flow.elements[element].kind, ElementKind::End);
    }
    let progress = |it: usize| flow.labels.at(it).any(|it| it.name.starts_with("progress"));
    let progress = (0..count).map(progress).collect();
    let (done, table) = (vec![false; count], vec![vec![]; count]);
    let mut builder = Builder { flow, done, table, valid_end, progress };
    builder.sequence(body)?;
    let start = builder.hunt(first, builder.flow.elements[first].status)?;
    builder.flatten();
    builder.pull();
    builder.add_escapes();
    let states = builder.reachable(start);
    let Builder { table: transitions, valid_end, progress, .. } = builder;
    Ok(Automaton { start, transitions, states, valid_end, progress })
}

struct Builder<'a> {
    flow: &'a mut Flow,
    done: Vec<bool>,
    /// The transitions of each state; those of a choice are links.
    table: Vec<Vec<Transition>>,
    valid_end: Vec<bool>,
    progress: Vec<bool>,
}

impl Builder<'_> {
    fn next(&self, element: El) -> Option<El> {
        self.flow.elements[element].next
    }

    fn destination(&self, element: El) -> Result<El, Confusing> {
        let ElementKind::Goto(jump) = &self.flow.elements[element].kind else {
            return Err(Confusing(element));
        };
        self.flow.destination(jump).ok_or(Confusing(element))
    }

    /// The state in which a process rests that comes to an element: jumps and joins are passed,
    /// unless control is kept and would be lost on the way.
    fn hunt(&self, from: El, status: u8) -> Result<El, Confusing> {
        let mut at = from;
        for _ in 0..LONGEST_CHAIN {
            let onward = match self.flow.elements[at].kind {
                ElementKind::Goto(_) => match self.destination(at)? {
                    same if same == at => return Ok(at),
                    other => other,
                },
                ElementKind::Join | ElementKind::Exit => match self.next(at) {
                    Some(next) => next,
                    None => return Ok(at),
                },
                ElementKind::Unless => self.hunt(self.first_of_unless(at), status)?,
                _ => return Ok(at),
            };
            if status & ATOM != 0 && self.flow.elements[onward].status & ATOM == 0 {
                return Ok(at);
            }
            at = onward;
        }
        Err(Confusing(from))
    }

    fn first_of_unless(&self, element: El) -> El {
        let body = self.flow.elements[element].options[0];
        self.flow.sequences[body].first.unwrap_or(element)
    }

    /// The first statement of an option.
    fn hunt_start(&self, from: El) -> El {
        let mut at = from;
        for _ in 0..LONGEST_CHAIN {
            at = match (&self.flow.elements[at].kind, self.next(at)) {
                (ElementKind::Join, Some(next)) => next,
                (ElementKind::Unless, _) => self.first_of_unless(at),
                _ => return at,
            };
        }
        at
    }

    // ---- a transition per element ----

    fn sequence(&mut self, seq: Seq) -> Result<(), Confusing> {
        let last = self.flow.sequences[seq].last;
        let mut at = self.flow.sequences[seq].first;
        while let Some(element) = at {
            if !std::mem::replace(&mut self.done[element], true) {
                self.element(element)?;
            }
            at = if at == last { None } else { self.next(element) };
        }
        Ok(())
    }

    fn element(&mut self, element: El) -> Result<(), Confusing> {
        match self.flow.elements[element].kind {
            ElementKind::Unless => self.sequence(self.flow.elements[element].options[0]),
            ElementKind::If | ElementKind::Do => self.choice(element),
            ElementKind::Atomic(seq) | ElementKind::Block(seq) => self.inner(element, seq),
            ElementKind::DStep(seq) => {
                self.patch(seq)?;
                self.tie(element, seq);
                self.step(element)
            }
            _ => self.step(element),
        }
    }

    fn link(&self, from: El, target: Option<El>) -> Transition {
        Transition {
            element: None,
            target,
            keeps_control: false,
            escapes: vec![],
            escape: None,
            id: from,
        }
    }

    fn choice(&mut self, element: El) -> Result<(), Confusing> {
        let options = self.flow.elements[element].options.clone();
        let mut links = vec![self.link(element, None)];
        for &option in &options {
            let Some(first) = self.flow.sequences[option].first else { continue };
            let start = self.hunt_start(first);
            if !self.is_dead(start) {
                links.push(self.link(element, Some(start)));
            }
        }
        self.table[element] = links;
        options.into_iter().try_for_each(|option| self.sequence(option))
    }

    /// Whether an option that starts here can never be taken.
    fn is_dead(&self, element: El) -> bool {
        let it = &self.flow.elements[element];
        matches!(it.kind, ElementKind::Basic(Basic::Guard(Value::Const(0))))
            && it.escapes.is_empty()
    }

    fn inner(&mut self, element: El, seq: Seq) -> Result<(), Confusing> {
        self.patch(seq)?;
        let first = self.flow.sequences[seq].first.unwrap_or(element);
        let start = self.hunt_start(first);
        self.tie(element, seq);
        self.table[element] = vec![self.link(element, None), self.link(element, Some(start))];
        self.sequence(seq)
    }

    fn tie(&mut self, element: El, seq: Seq) {
        if let Some(last) = self.flow.sequences[seq].last {
            self.flow.elements[last].next = self.flow.elements[element].next;
        }
    }

    /// Jumps out of an atomic sequence give control up, jumps into another keep it.
    fn patch(&mut self, seq: Seq) -> Result<(), Confusing> {
        let extent = self.flow.sequences[seq].extent;
        let mut at = self.flow.sequences[seq].first;
        while let Some(element) = at {
            if let ElementKind::Goto(_) = self.flow.elements[element].kind {
                let inside = self.flow.elements[self.destination(element)?].status & (ATOM | LAST);
                let status = &mut self.flow.elements[element].status;
                if *status & (ATOM | LAST) != 0 && inside == 0 {
                    *status = *status & !ATOM | LAST;
                }
                if *status & LAST != 0 && inside != 0 {
                    *status = *status & !LAST | ATOM;
                }
            } else {
                for option in self.flow.elements[element].options.clone() {
                    self.patch(option)?;
                }
            }
            at = if at == extent { None } else { self.next(element) };
        }
        Ok(())
    }

    fn step(&mut self, element: El) -> Result<(), Confusing> {
        let it = &self.flow.elements[element];
        let (status, next) = (it.status, it.next);
        let target = match it.kind {
            ElementKind::Goto(_) => Some(self.hunt(self.destination(element)?, status)?),
            _ => next.map(|next| self.hunt(next, status)).transpose()?,
        };
        let mut transition = self.link(element, target);
        transition.element = Some(element);
        transition.keeps_control = status & ATOM != 0;
        let escapes = self.flow.elements[element].escapes.clone();
        if !matches!(self.flow.elements[element].kind, ElementKind::Join) {
            for &escape in &escapes {
                let first = self.flow.sequences[escape].first.unwrap_or(element);
                transition.escapes.push(self.hunt(first, status)?);
            }
        }
        self.table[element] = vec![transition];
        debug_assert!(status & DSTEP == 0 || status & ATOM != 0 || status & LAST != 0);
        escapes.into_iter().try_for_each(|escape| self.sequence(escape))
    }

    // ---- choices within choices ----

    fn is_choice(&self, state: El) -> bool {
        self.table[state].len() > 1
    }

    /// What Spin does to marks when it passes over a state: they go to the state after.
    fn pass_mark(&mut self, over: El, to: Option<El>) {
        if let Some(to) = to {
            self.valid_end[to] |= self.valid_end[over];
            self.progress[to] |= self.progress[over];
        }
    }

    /// Opens links to choices until every link leads to a single statement.
    fn flatten(&mut self) {
        for _ in 0..LONGEST_CHAIN {
            let mut changed = false;
            for state in 0..self.table.len() {
                let nested = |it: &Transition| it.target.is_some_and(|to| self.is_choice(to));
                if self.is_choice(state) && self.table[state][1..].iter().any(nested) {
                    self.open_links(state);
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    fn open_links(&mut self, state: El) {
        let old = self.table[state].clone();
        let mut links = vec![old[0].clone()];
        for link in &old[1..] {
            let Some(option) = link.target else { continue };
            if option == state {
                continue;
            }
            if !self.is_choice(option) {
                links.push(link.clone());
                continue;
            }
            let inner_links = self.table[option][1..].to_vec();
            for inner in inner_links {
                self.pass_mark(option, inner.target);
                links.push(inner);
            }
        }
        self.table[state] = links;
    }

    /// Replaces the links of a choice by the transitions they lead to.
    fn pull(&mut self) {
        for state in 0..self.table.len() {
            if !self.is_choice(state) {
                continue;
            }
            let links = self.table[state][1..].to_vec();
            let mut pulled = vec![];
            for option in links.iter().filter_map(|it| it.target) {
                if let Some(first) = self.table[option].first().cloned() {
                    self.pass_mark(option, first.target);
                    pulled.push(first);
                }
            }
            self.table[state] = pulled;
        }
    }

    // ---- escapes ----

    fn add_escapes(&mut self) {
        for state in 0..self.table.len() {
            for transition in self.table[state].clone() {
                for &start in transition.escapes.iter().rev() {
                    for escape in self.table[start].clone() {
                        self.put_in_front(state, start, escape);
                    }
                }
            }
        }
    }

    fn put_in_front(&mut self, state: El, start: El, mut escape: Transition) {
        if !self.table[state].iter().any(|it| it.id == escape.id) {
            escape.escape = Some(start);
            self.table[state].insert(0, escape);
        }
    }

    fn reachable(&self, start: El) -> Vec<El> {
        let mut seen = vec![false; self.table.len()];
        let mut stack = vec![start];
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut seen[state], true) {
                stack.extend(self.table[state].iter().filter_map(|it| it.target));
            }
        }
        (0..seen.len()).filter(|&state| seen[state]).collect()
    }
}
