//! `d_step`: a whole sequence as one edge. Of several options the first that can be taken is, and
//! what blocks behind the guard is an error.

use super::emit::{Buffer, Emit, not, or};
use super::flow::{El, Flow, Jump, Kind, Seq};
use super::resolved::Basic;
use crate::ast;
use network::{Arena, BinaryOp, Expr, Local, LocalId, Place, Probe, Statement, StatementKind};

/// Code that is being written for one edge.
pub(super) struct Code<'a> {
    pub emit: Emit<'a>,
    pub flow: &'a Flow,
    pub locals: Arena<LocalId, Local>,
    /// The loops around, each with the local that says that it was left.
    loops: Vec<(usize, LocalId)>,
    /// What cannot be lowered.
    pub refused: Vec<(String, ast::Span)>,
}

impl<'a> Code<'a> {
    pub fn new(emit: Emit<'a>, flow: &'a Flow) -> Self {
        Code { emit, flow, locals: Arena::new(), loops: vec![], refused: vec![] }
    }

    fn kind(&self, element: El) -> &'a Kind {
        &self.flow.elements[element].kind
    }

    /// The written elements of a sequence.
    fn elements(&self, seq: Seq) -> Vec<El> {
        let extent = self.flow.sequences[seq].extent;
        let mut list = vec![];
        let mut at = self.flow.sequences[seq].first;
        while let Some(element) = at {
            list.push(element);
            at = if at == extent { None } else { self.flow.elements[element].next };
        }
        list
    }

    // ---- guards ----

    /// When the sequence as a whole can be executed.
    pub fn guard(&self, seq: Seq) -> Expr {
        let elements = self.elements(seq);
        let Some(&first) = elements.first() else { return Expr::TRUE };
        match self.kind(first) {
            Kind::Block(inner) => self.guard(*inner),
            Kind::Unless => self.guard(self.flow.elements[first].options[0]),
            Kind::If => self.guard_of_choice(first),
            Kind::Join => match elements.get(1) {
                Some(&choice) if matches!(self.kind(choice), Kind::Do) => {
                    self.guard_of_choice(choice)
                }
                _ => Expr::TRUE,
            },
            Kind::Basic(basic) => self.executable(basic).unwrap_or(Expr::TRUE),
            _ => Expr::TRUE,
        }
    }

    /// Spin counts only options that start with a condition, a message or `else`.
    fn guard_of_choice(&self, choice: El) -> Expr {
        let mut guards = vec![];
        self.collect_guards(choice, &mut guards);
        if guards.is_empty() {
            return Expr::TRUE;
        }
        guards.into_iter().fold(Expr::Const(0), or)
    }

    fn collect_guards(&self, choice: El, guards: &mut Vec<Expr>) {
        for &option in &self.flow.elements[choice].options {
            let Some(first) = self.start(option) else { continue };
            match self.kind(first) {
                Kind::Block(inner) => {
                    if let Some(first) = self.flow.sequences[*inner].first {
                        self.collect_guards(first, guards);
                    }
                }
                Kind::If | Kind::Do => self.collect_guards(first, guards),
                Kind::Else => guards.push(Expr::TRUE),
                Kind::Basic(basic) => guards.extend(self.executable(basic)),
                _ => {}
            }
        }
    }

    fn start(&self, seq: Seq) -> Option<El> {
        let mut at = self.flow.sequences[seq].first?;
        loop {
            at = match (self.kind(at), self.flow.elements[at].next) {
                (Kind::Join, Some(next)) => next,
                (Kind::Unless, _) => self.flow.sequences[self.flow.elements[at].options[0]].first?,
                _ => return Some(at),
            };
        }
    }

    /// When a basic statement can be executed; none for those that always can.
    fn executable(&self, basic: &Basic) -> Option<Expr> {
        match basic {
            Basic::Guard(value) => Some(self.emit.value(value)),
            Basic::Send(send) => {
                let channel = Box::new(self.emit.channel(&send.channel));
                Some(not(Expr::Probe(Probe::Full, channel)))
            }
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

    fn list(&mut self, elements: &[El]) -> Vec<Statement> {
        let mut code = vec![];
        for (position, &element) in elements.iter().enumerate() {
            code.extend(self.element(element));
            let mut left = self.jumps(element);
            left.retain(|it| self.loops.iter().any(|(_, local)| local == it));
            if left.is_empty() || position + 1 == elements.len() {
                continue;
            }
            let stays = left.into_iter().map(|it| not(Expr::local(it)));
            let stays = stays.reduce(|a, b| Expr::binary(BinaryOp::And, a, b));
            let rest = self.list(&elements[position + 1..]);
            if !rest.is_empty() {
                let kind = StatementKind::If(stays.unwrap_or(Expr::TRUE), rest, vec![]);
                code.push(self.emit.statement(kind, self.flow.elements[element].span));
            }
            break;
        }
        code
    }

    /// The loops around that an element may leave.
    fn jumps(&self, element: El) -> Vec<LocalId> {
        let it = &self.flow.elements[element];
        let mut list = vec![];
        if let Kind::Goto(Jump::Break(exit)) = &it.kind {
            list.extend(self.loops.iter().filter(|(number, _)| number == exit).map(|it| it.1));
        }
        let inner = match it.kind {
            Kind::Block(seq) => Some(seq),
            _ => None,
        };
        for seq in it.options.iter().copied().chain(inner) {
            for element in self.elements(seq) {
                for local in self.jumps(element) {
                    if !list.contains(&local) {
                        list.push(local);
                    }
                }
            }
        }
        list
    }

    fn element(&mut self, element: El) -> Vec<Statement> {
        let it = &self.flow.elements[element];
        match &it.kind {
            Kind::Basic(basic) => self.basic(basic, it.span),
            Kind::Block(seq) | Kind::Atomic(seq) | Kind::DStep(seq) => self.sequence(*seq, false),
            Kind::Unless => self.sequence(it.options[0], false),
            Kind::If => self.choice(element),
            Kind::Do => self.repeat(element),
            Kind::Goto(Jump::Break(exit)) => self.leave(*exit, it.span),
            Kind::Goto(Jump::Label { .. }) => {
                self.refused.push(("`goto` within a `d_step`".to_string(), it.span));
                vec![]
            }
            Kind::Else | Kind::Join | Kind::Exit | Kind::End => vec![],
        }
    }

    fn basic(&mut self, basic: &Basic, span: ast::Span) -> Vec<Statement> {
        match basic {
            Basic::Run(_) => self.refused.push(("`run` within a `d_step`".to_string(), span)),
            Basic::Send(send) if self.emit.buffer(&send.channel) == Buffer::No => {
                let what = "a rendezvous behind the first statement of a `d_step`";
                self.refused.push((what.to_string(), span));
            }
            _ => {}
        }
        self.emit.effect(basic, span)
    }

    fn choice(&mut self, element: El) -> Vec<Statement> {
        let (options, span) =
            (self.flow.elements[element].options.clone(), self.flow.elements[element].span);
        let blocked = StatementKind::Await(Expr::Const(0));
        let mut otherwise = vec![self.emit.statement(blocked, span)];
        for &option in options.iter().rev() {
            let Some(first) = self.flow.sequences[option].first else { continue };
            let (guard, tested) = match self.kind(first) {
                Kind::Else => (Expr::TRUE, true),
                Kind::Basic(basic) => match self.executable(basic) {
                    Some(guard) => (guard, matches!(basic, Basic::Guard(_))),
                    None => (Expr::TRUE, false),
                },
                _ => (Expr::TRUE, false),
            };
            let code = self.sequence(option, tested);
            otherwise = match guard.is_true() {
                true => code,
                false => {
                    let kind = StatementKind::If(guard, code, otherwise);
                    vec![self.emit.statement(kind, span)]
                }
            };
        }
        otherwise
    }

    fn repeat(&mut self, element: El) -> Vec<Statement> {
        let span = self.flow.elements[element].span;
        // The exit stands right behind the loop.
        let exit = self.flow.elements[element].next;
        let number = self.flow.breaks.iter().position(|it| it.is_some() && *it == exit);
        let ty = network::Type::BOOL;
        let name = format!("left_{}", self.loops.len());
        let left = self.locals.push(Local { name, ty, sizes: vec![] });
        self.loops.push((number.unwrap_or(usize::MAX), left));
        let body = self.choice(element);
        self.loops.pop();
        let reset = StatementKind::Assign(Place::local(left), Expr::Const(0));
        let repeat = StatementKind::While(not(Expr::local(left)), body);
        vec![self.emit.statement(reset, span), self.emit.statement(repeat, span)]
    }

    fn leave(&mut self, exit: usize, span: ast::Span) -> Vec<Statement> {
        match self.loops.iter().find(|(number, _)| *number == exit) {
            Some(&(_, left)) => {
                let kind = StatementKind::Assign(Place::local(left), Expr::Const(1));
                vec![self.emit.statement(kind, span)]
            }
            // `break` as the last statement of the whole sequence leaves a loop outside.
            None => vec![],
        }
    }
}
