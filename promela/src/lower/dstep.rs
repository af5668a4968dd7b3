//! `d_step`: a whole sequence as one edge. Of several options the first that can be taken is, and
//! what blocks after the guard is an error. Sequences with `goto` are written in `jumps.rs`.

use super::emit::{Buffer, Emit, any, not, or};
use super::flow::{El, ElementKind, Flow, Jump, Seq};
use super::meetings::Met;
use super::recording;
use super::resolved::Basic;
use crate::ast;
use network::{
    Arena, BinaryOp, Expr, Local, LocalId, Place, Probe, Statement, StatementKind, Type,
};
use rustc_hash::FxHashMap;

/// Code that is being written for one edge.
pub(super) struct Code<'a> {
    pub emit: Emit<'a>,
    pub flow: &'a Flow,
    pub locals: Arena<LocalId, Local>,
    /// The loops around, each with the local that says that it was left.
    loops: Vec<(usize, LocalId)>,
    /// What the receives at the start do that the edge may have done.
    pub met: FxHashMap<El, Met>,
}

/// Choices with more options first find out which one is taken: statements nest only so deep.
const MOST_NESTED: usize = 100;

/// An option of a choice: when it can be taken, and what it does then.
pub(super) struct Choice {
    pub guard: Expr,
    pub option: Seq,
    /// Whether the guard is all that the first statement does.
    pub tested: bool,
}

impl<'a> Code<'a> {
    pub fn new(emit: Emit<'a>, flow: &'a Flow) -> Self {
        let locals = recording::locals(&emit);
        Code { emit, flow, locals, loops: vec![], met: FxHashMap::default() }
    }

    pub fn kind(&self, element: El) -> &'a ElementKind {
        &self.flow.elements[element].kind
    }

    /// The written elements of a sequence, those of inner blocks in their place.
    pub fn elements(&self, seq: Seq) -> Vec<El> {
        let mut list = vec![];
        for element in self.flow.elements_of(seq) {
            match self.kind(element) {
                ElementKind::Block(inner)
                | ElementKind::Atomic(inner)
                | ElementKind::DStep(inner) => {
                    list.extend(self.elements(*inner));
                }
                _ => list.push(element),
            }
        }
        list
    }

    // ---- guards ----

    /// When the sequence as a whole can be executed.
    pub fn guard(&self, seq: Seq) -> Expr {
        let elements = self.elements(seq);
        let Some(&first) = elements.first() else { return Expr::TRUE };
        match self.kind(first) {
            ElementKind::If => self.guard_of_choice(first),
            ElementKind::Join => match elements.get(1) {
                Some(&choice) if matches!(self.kind(choice), ElementKind::Do) => {
                    self.guard_of_choice(choice)
                }
                _ => Expr::TRUE,
            },
            ElementKind::Basic(basic) => self.executable(basic).unwrap_or(Expr::TRUE),
            _ => Expr::TRUE,
        }
    }

    /// Spin counts only options that start with a condition, a message or `else`.
    fn guard_of_choice(&self, choice: El) -> Expr {
        let mut guards = vec![];
        self.collect_guards(choice, &mut |guard| guards.push(guard));
        if guards.is_empty() {
            return Expr::TRUE;
        }
        any(guards)
    }

    /// Calls `found` with every condition that decides whether a choice can be taken.
    fn collect_guards(&self, choice: El, found: &mut dyn FnMut(Expr)) {
        for &option in &self.flow.elements[choice].options {
            let Some(first) = self.start(option) else { continue };
            match self.kind(first) {
                ElementKind::Block(inner) => {
                    if let Some(first) = self.flow.sequences[*inner].first {
                        self.collect_guards(first, found);
                    }
                }
                ElementKind::If | ElementKind::Do => self.collect_guards(first, found),
                ElementKind::Else => found(Expr::TRUE),
                ElementKind::Basic(basic) => {
                    if let Some(guard) = self.executable(basic) {
                        found(guard);
                    }
                }
                _ => {}
            }
        }
    }

    pub fn start(&self, seq: Seq) -> Option<El> {
        let mut at = self.flow.sequences[seq].first?;
        loop {
            at = match (self.kind(at), self.flow.elements[at].next) {
                (ElementKind::Join, Some(next)) => next,
                _ => return Some(at),
            };
        }
    }

    /// When a basic statement can be executed; none for those that always can. Spin's verifiers
    /// take a rendezvous that is sent here for possible, and then report it.
    pub fn executable(&self, basic: &Basic) -> Option<Expr> {
        match basic {
            Basic::Guard(value) => Some(self.emit.value(value)),
            Basic::Send(send) => Some(match self.emit.buffer(&send.channel) {
                Buffer::No => Expr::TRUE,
                known => {
                    let channel = Box::new(self.emit.channel(&send.channel));
                    let room = not(Expr::Probe(Probe::Full, channel.clone()));
                    match known {
                        // Without a buffer a channel is full and empty at once.
                        Buffer::Unknown => or(room, Expr::Probe(Probe::Empty, channel)),
                        _ => room,
                    }
                }
            }),
            Basic::Receive(it) if it.keep => Some(or(self.emit.poll_error(it), self.emit.poll(it))),
            Basic::Receive(receive) => Some(self.emit.poll(receive)),
            _ => None,
        }
    }

    // ---- code ----

    /// The code of a sequence; `skip_first` if its first statement was done or tested already.
    pub fn sequence(&mut self, seq: Seq, skip_first: bool) -> Vec<Statement> {
        let elements = self.elements(seq);
        let rest = if skip_first { elements.get(1..).unwrap_or(&[]) } else { &elements };
        self.list(rest)
    }

    /// The code of some elements; what follows one that may leave a loop depends on that.
    pub fn list(&mut self, elements: &[El]) -> Vec<Statement> {
        let mut code = vec![];
        let mut left: Vec<LocalId> = vec![];
        let mut position = 0;
        while let Some(&first) = elements.get(position) {
            let mut part = vec![];
            let before = left.clone();
            while let Some(&element) = elements.get(position)
                && left.len() == before.len()
            {
                part.extend(self.element(element));
                left.extend(self.jumps(element));
                position += 1;
            }
            match before.into_iter().map(|it| not(Expr::local(it))).reduce(Expr::and) {
                None => code.extend(part),
                Some(_) if part.is_empty() => {}
                Some(stays) => {
                    let kind = StatementKind::If(stays, part, vec![]);
                    code.push(self.emit.statement(kind, self.flow.elements[first].span));
                }
            }
            left.sort_unstable();
            left.dedup();
        }
        code
    }

    /// The loops around that an element may leave.
    fn jumps(&self, element: El) -> Vec<LocalId> {
        let mut list = vec![];
        if !self.loops.is_empty() {
            self.collect_jumps(element, &mut list);
        }
        list.sort_unstable();
        list.dedup();
        list
    }

    fn collect_jumps(&self, element: El, list: &mut Vec<LocalId>) {
        let it = &self.flow.elements[element];
        if let ElementKind::Goto(Jump::Break(exit)) = &it.kind {
            list.extend(self.loops.iter().filter(|(number, _)| number == exit).map(|it| it.1));
        }
        for &option in &it.options {
            self.elements(option).into_iter().for_each(|it| self.collect_jumps(it, list));
        }
    }

    fn element(&mut self, element: El) -> Vec<Statement> {
        let it = &self.flow.elements[element];
        match &it.kind {
            ElementKind::Basic(basic) => {
                let effect = self.emit.effect(basic, it.span, &mut self.locals);
                self.met_or(element, effect)
            }
            ElementKind::Block(seq) | ElementKind::Atomic(seq) | ElementKind::DStep(seq) => {
                self.sequence(*seq, false)
            }
            ElementKind::If => self.choice(element),
            ElementKind::Do => self.repeat(element),
            ElementKind::Goto(Jump::Break(exit)) => self.leave(*exit, it.span),
            // Those with labels are in `jumps.rs`, and `unless` is refused.
            ElementKind::Goto(Jump::Label { .. }) | ElementKind::Unless => vec![],
            ElementKind::Else | ElementKind::Join | ElementKind::Exit | ElementKind::End => vec![],
        }
    }

    /// The options of a choice in the order in which they are tried.
    pub fn options(&self, element: El) -> Vec<Choice> {
        let mut list = vec![];
        for &option in &self.flow.elements[element].options {
            let Some(first) = self.flow.sequences[option].first else { continue };
            let (guard, tested) = match self.kind(first) {
                ElementKind::Else => (Expr::TRUE, true),
                ElementKind::Basic(basic) => match self.executable(basic) {
                    Some(guard) => (self.is_met_or(first, guard), matches!(basic, Basic::Guard(_))),
                    None => (Expr::TRUE, false),
                },
                _ => (Expr::TRUE, false),
            };
            list.push(Choice { guard, option, tested });
        }
        list
    }

    fn choice(&mut self, element: El) -> Vec<Statement> {
        let span = self.flow.elements[element].span;
        let mut branches = vec![];
        for Choice { guard, option, tested } in self.options(element) {
            branches.push((guard, self.sequence(option, tested)));
        }
        self.first_of(branches, span)
    }

    /// Takes the first branch whose guard holds; if there is none, that is an error.
    pub fn first_of(
        &mut self,
        branches: Vec<(Expr, Vec<Statement>)>,
        span: ast::Span,
    ) -> Vec<Statement> {
        let blocked = StatementKind::Await(Expr::Const(0));
        let blocked = vec![self.emit.statement(blocked, span)];
        if branches.len() <= MOST_NESTED {
            return self.nest(branches, blocked, span);
        }
        let taken = self.local("option", Type::range(0, branches.len() as i32));
        let is = |number: i32| Expr::binary(BinaryOp::Eq, Expr::local(taken), Expr::Const(number));
        let choose = |number: i32| StatementKind::Assign(Place::local(taken), Expr::Const(number));
        let (mut code, mut bodies) = (vec![], vec![]);
        let mut tests = vec![];
        for (number, (guard, body)) in (1..).zip(branches) {
            tests.push((guard, vec![self.emit.statement(choose(number), span)]));
            bodies.push(body);
        }
        code.push(self.emit.statement(choose(0), span));
        while !tests.is_empty() {
            let rest = tests.split_off(tests.len().min(MOST_NESTED));
            let part = self.nest(std::mem::replace(&mut tests, rest), vec![], span);
            code.push(self.emit.statement(StatementKind::If(is(0), part, vec![]), span));
        }
        bodies.insert(0, blocked);
        code.extend(self.dispatch(taken, 0, bodies, span));
        code
    }

    fn nest(
        &self,
        branches: Vec<(Expr, Vec<Statement>)>,
        otherwise: Vec<Statement>,
        span: ast::Span,
    ) -> Vec<Statement> {
        branches.into_iter().rev().fold(otherwise, |otherwise, (guard, body)| {
            if guard.is_true() {
                return body;
            }
            vec![self.emit.statement(StatementKind::If(guard, body, otherwise), span)]
        })
    }

    /// Does the body whose number the local has, counted from `first`: by halving.
    pub fn dispatch(
        &self,
        which: LocalId,
        first: i32,
        mut bodies: Vec<Vec<Statement>>,
        span: ast::Span,
    ) -> Vec<Statement> {
        if bodies.len() <= 1 {
            return bodies.pop().unwrap_or_default();
        }
        let upper = bodies.split_off(bodies.len() / 2);
        let middle = first + bodies.len() as i32;
        let is_lower = Expr::binary(BinaryOp::Lt, Expr::local(which), Expr::Const(middle));
        let lower = self.dispatch(which, first, bodies, span);
        let upper = self.dispatch(which, middle, upper, span);
        vec![self.emit.statement(StatementKind::If(is_lower, lower, upper), span)]
    }

    pub fn local(&mut self, name: &str, ty: Type) -> LocalId {
        let name = format!("{name}_{}", self.locals.len());
        self.locals.push(Local { name, ty, sizes: vec![] })
    }

    fn repeat(&mut self, element: El) -> Vec<Statement> {
        let span = self.flow.elements[element].span;
        let left = self.local("left", Type::BOOL);
        self.loops.push((self.flow.exit_of(element).unwrap_or(usize::MAX), left));
        let body = self.choice(element);
        self.loops.pop();
        let reset = StatementKind::Assign(Place::local(left), Expr::Const(0));
        let repeat = StatementKind::While(not(Expr::local(left)), body);
        vec![self.emit.statement(reset, span), self.emit.statement(repeat, span)]
    }

    fn leave(&mut self, exit: usize, span: ast::Span) -> Vec<Statement> {
        let left = self.loops.iter().find(|(number, _)| *number == exit);
        let leave = |&(_, left): &(usize, LocalId)| {
            let kind = StatementKind::Assign(Place::local(left), Expr::Const(1));
            self.emit.statement(kind, span)
        };
        left.map(leave).into_iter().collect()
    }
}
