//! A rendezvous that is received in an option at the start of a `d_step`: an edge for each such
//! option. The edge keeps the message in its locals, and the code of the `d_step` takes from there
//! what the first option stores that can receive it.

use super::determinism::{equal, same_channel};
use super::dstep::Code;
use super::edges::{Edges, Effect};
use super::emit::{Buffer, Emit, any, not};
use super::failures::Failure;
use super::flow::{El, ElementKind, Seq};
use super::messages::Exchange;
use super::resolved::{Basic, Incoming};
use crate::ast;
use network::{Action, Expr, LocalId, Pattern, Place, Receive, Statement, StatementKind, Type};

/// A receive that the edge may have done.
pub(super) struct Met {
    /// The local that says which one it was.
    which: LocalId,
    number: i32,
    stores: Vec<Statement>,
}

/// An option that begins with a rendezvous.
pub(super) struct Head<'a> {
    element: El,
    receive: &'a Incoming,
    /// The conditions of the options that would be taken instead.
    before: Vec<Expr>,
}

impl<'a> Code<'a> {
    /// The options at the start of a sequence that begin with a rendezvous.
    pub fn heads(&self, elements: &[El]) -> Vec<Head<'a>> {
        let mut found = vec![];
        let first = elements.iter().find(|&&it| !matches!(self.kind(it), ElementKind::Join));
        if let Some(&choice) = first
            && matches!(self.kind(choice), ElementKind::If | ElementKind::Do)
        {
            self.find_heads(choice, vec![], &mut found);
        }
        found
    }

    fn find_heads(&self, choice: El, mut before: Vec<Expr>, found: &mut Vec<Head<'a>>) {
        for &option in &self.flow.elements[choice].options {
            let Some(element) = self.start(option) else { continue };
            match self.kind(element) {
                ElementKind::If | ElementKind::Do => {
                    self.find_heads(element, before.clone(), found)
                }
                ElementKind::Block(inner) => {
                    if let Some(first) = self.flow.sequences[*inner].first {
                        self.find_heads(first, before.clone(), found);
                    }
                }
                ElementKind::Basic(basic) => {
                    if let Basic::Receive(receive) = basic
                        && self.emit.buffer(&receive.channel) != Buffer::Yes
                    {
                        found.push(Head { element, receive, before: before.clone() });
                    }
                    before.push(self.executable(basic).unwrap_or(Expr::TRUE));
                }
                _ => before.push(Expr::TRUE),
            }
        }
    }

    /// Whether an option can be taken, or the edge did its first statement.
    pub fn is_met_or(&self, element: El, guard: Expr) -> Expr {
        match self.met.get(&element) {
            Some(met) => any(vec![equal(&Expr::local(met.which), &Expr::Const(met.number)), guard]),
            None => guard,
        }
    }

    /// The effect of a statement, or what is left of it if the edge did it.
    pub fn met_or(&self, element: El, effect: Vec<Statement>) -> Vec<Statement> {
        let Some(met) = self.met.get(&element) else { return effect };
        let span = self.flow.elements[element].span;
        let is_met = equal(&Expr::local(met.which), &Expr::Const(met.number));
        let reset = StatementKind::Assign(Place::local(met.which), Expr::Const(0));
        let mut done = met.stores.clone();
        done.push(self.emit.statement(reset, span));
        vec![self.emit.statement(StatementKind::If(is_met, done, effect), span)]
    }

    /// Lets a receive store its message in locals; the fields of the message.
    fn open(&mut self, receive: &mut Receive) -> Vec<Expr> {
        let mut fields = vec![];
        for pattern in &mut receive.message {
            fields.push(match pattern {
                Pattern::Equal(value) => value.clone(),
                Pattern::Store(_) | Pattern::Any => {
                    let local = self.local("field", Type::ANY);
                    *pattern = Pattern::Store(Place::local(local));
                    Expr::local(local)
                }
            });
        }
        fields
    }

    /// What a receive stores of a message.
    fn stores(&self, receive: &Receive, fields: &[Expr], span: ast::Span) -> Vec<Statement> {
        let pairs = receive.message.iter().zip(fields);
        let store = |(pattern, field): (&Pattern, &Expr)| match pattern {
            Pattern::Store(place) => {
                let kind = StatementKind::Assign(place.clone(), field.clone());
                Some(self.emit.statement(kind, span))
            }
            _ => None,
        };
        pairs.filter_map(store).collect()
    }
}

impl Edges<'_> {
    /// The edges of a `d_step` that begin with a rendezvous in an option.
    pub fn meetings_at_start(
        &self,
        emit: Emit,
        seq: Seq,
        elements: &[El],
        span: ast::Span,
    ) -> Vec<Effect> {
        let heads = Code::new(emit, self.flow).heads(elements);
        let mut effects = vec![];
        for head in &heads {
            let guard = self.emit.has_no_buffer(&head.receive.channel);
            let guard = guard.and(not(any(head.before.clone())));
            let possible = guard != Expr::Const(0);
            for option in
                emit.settled().receives(head.receive, span).into_iter().filter(|_| possible)
            {
                let Exchange { action: Action::Receive(receive), is_wrong } = option else {
                    continue;
                };
                let mut effect = match is_wrong {
                    true => {
                        let wrong = emit.statement(Failure::WrongFields.statement(), span);
                        let action = Action::Receive(receive);
                        Effect { action, ..Effect::new(Expr::TRUE, vec![wrong]) }
                    }
                    false => self.meeting(emit, seq, elements, &heads, receive),
                };
                effect.guard = guard.clone();
                effects.push(effect);
            }
        }
        effects
    }

    fn meeting(
        &self,
        emit: Emit,
        seq: Seq,
        elements: &[El],
        heads: &[Head],
        mut receive: Receive,
    ) -> Effect {
        let mut code = Code::new(emit, self.flow);
        let which = code.local("met", Type::range(0, heads.len() as i32));
        let fields = code.open(&mut receive);
        let mut choose = vec![];
        for (number, head) in (1..).zip(heads) {
            let span = self.flow.elements[head.element].span;
            let options = emit.settled().receives(head.receive, span).into_iter();
            let right = options.filter(|it| !it.is_wrong).filter_map(|it| match it.action {
                Action::Receive(other) if other.message.len() == fields.len() => Some(other),
                _ => None,
            });
            for other in right {
                let Some(same) = same_channel(&receive.channel, &other.channel) else { continue };
                let stores = code.stores(&other, &fields, span);
                code.met.insert(head.element, Met { which, number, stores });
                let chosen = StatementKind::Assign(Place::local(which), Expr::Const(number));
                let chosen = vec![emit.statement(chosen, span)];
                choose.push((same.and(matches(&other, &fields)), chosen));
            }
        }
        let span = elements.first().map_or(ast::Span::default(), |&it| self.flow.elements[it].span);
        let mut update = code.first_of(choose, span);
        update.extend(match code.has_jumps(seq) {
            true => code.with_jumps(elements, span),
            false => code.list(elements),
        });
        let action = Action::Receive(receive);
        Effect { action, locals: code.locals, ..Effect::new(Expr::TRUE, update) }
    }
}

/// Whether a message is one that a receive takes.
fn matches(receive: &Receive, fields: &[Expr]) -> Expr {
    let pairs = receive.message.iter().zip(fields);
    pairs.fold(Expr::TRUE, |all, (pattern, field)| match pattern {
        Pattern::Equal(value) => all.and(equal(value, field)),
        Pattern::Store(_) | Pattern::Any => all,
    })
}
