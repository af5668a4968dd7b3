//! `trace` and `notrace` in the network: a variable that holds the state of the automaton, and for
//! every channel that it mentions a function that says which state an event leads to.
//!
//! As in Spin, an event must fit one transition of the state exactly. A jump at the beginning of an
//! option is a transition that any event fits.

use super::emit::{Emit, any, not};
use super::events::{Event, Tracing};
use super::failures::Failure;
use super::flow::{El, ElementKind};
use super::others::{equal, function, give, statement};
use super::plan::{Place, Plan};
use super::resolved::{Base, Basic, Target, Value};
use crate::ast::Span;
use network::{
    Arena, BinaryOp, ChannelId, ChannelKind, Expr, Function, FunctionId, Id, Local, LocalId,
    Statement, StatementKind, Storage, Type, Variable, VariableId,
};

/// What a function says instead of a state where the event is an error.
pub(super) const WRONG: i32 = -1;
/// The same where it fits two transitions.
pub(super) const AMBIGUOUS: i32 = -2;

/// The trace of a model in its network.
#[derive(Clone, Debug)]
pub(super) struct Watch {
    /// The state of the automaton.
    pub state: VariableId,
    /// What an event is that is an error.
    pub failure: Failure,
    pub rules: Vec<Rule>,
    /// Whether the automaton is at a valid end.
    pub is_over: Expr,
}

/// What happens when a message is sent to, or received from, a channel of the trace.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub sends: bool,
    pub channel: ChannelId,
    /// The number of the element of the channel.
    pub number: i32,
    pub has_buffer: bool,
    /// The types of a message's fields.
    pub types: Vec<Type>,
    /// The fields that matter.
    pub compared: Vec<usize>,
    pub function: FunctionId,
}

/// A transition of the automaton.
struct Step {
    /// None if any event fits.
    event: Option<Known>,
    target: i32,
}

/// An event whose channel is known.
struct Known {
    sends: bool,
    channel: ChannelId,
    number: i32,
    fields: Vec<Option<Value>>,
}

impl Plan<'_> {
    /// Makes the variable and the functions; an error says what cannot be lowered, and where.
    pub fn make_trace(&mut self, tracing: Tracing) -> Result<(), (String, Span)> {
        let steps = self.steps(tracing.proctype)?;
        let automaton = &self.automata[tracing.proctype];
        let at = |state: &El| automaton.states.binary_search(state).unwrap_or(0) as i32;
        let end = self.end_of(tracing.proctype);
        let state = self.network.variables.push(Variable {
            name: self.proctypes[tracing.proctype].name.clone(),
            ty: Type::range(0, end.max(automaton.states.len() as i32 - 1)),
            dimensions: vec![],
            storage: Storage::State,
            initial: vec![at(&automaton.start)],
            span: network::Span::NONE,
        });
        let is = |it: i32| equal(Expr::variable(state), Expr::Const(it));
        let ends = automaton.states.iter().filter(|&&it| automaton.valid_end[it]).map(at);
        let is_over = any(ends.filter(|&it| it != end).chain([end]).map(is).collect());
        let failure = match tracing.forbidden {
            true => Failure::ForbiddenMessages,
            false => Failure::UnexpectedMessage,
        };
        let mut watch = Watch { state, failure, rules: self.rules(&steps), is_over };
        for rule in &mut watch.rules {
            let end = tracing.forbidden.then_some(end);
            let next = Next { plan: self, rule, state, steps: &steps, end }.function();
            rule.function = self.network.functions.push(next);
        }
        self.trace = Some(watch);
        Ok(())
    }

    /// The end of the automaton, which may be beyond the states that it can reach by itself.
    fn end_of(&self, proctype: usize) -> i32 {
        let elements = &self.proctypes[proctype].flow.elements;
        let states = &self.automata[proctype].states;
        let end = states.iter().position(|&it| matches!(elements[it].kind, ElementKind::End));
        end.unwrap_or(states.len()) as i32
    }

    /// The transitions of each state.
    fn steps(&self, proctype: usize) -> Result<Vec<Vec<Step>>, (String, Span)> {
        let (automaton, flow) = (&self.automata[proctype], &self.proctypes[proctype].flow);
        let mut list = vec![];
        for &state in &automaton.states {
            let mut steps = vec![];
            for transition in &automaton.transitions[state] {
                let (Some(element), Some(target)) = (transition.element, transition.target) else {
                    continue;
                };
                let element = &flow.elements[element];
                let event = match &element.kind {
                    ElementKind::Basic(Basic::Event(event)) => {
                        Some(self.known(event, element.span)?)
                    }
                    ElementKind::Basic(basic) if !basic.is_skip() => {
                        let what = "a step of a trace that is neither a send nor a receive";
                        return Err((what.to_string(), element.span));
                    }
                    _ => None,
                };
                let target = automaton.states.iter().position(|&it| it == target).unwrap_or(0);
                steps.push(Step { event, target: target as i32 });
            }
            list.push(steps);
        }
        Ok(list)
    }

    fn known(&self, event: &Event, span: Span) -> Result<Known, (String, Span)> {
        let refuse = |what: &str| Err((what.to_string(), span));
        let Base::Global(index) = event.channel.base else {
            return refuse("a trace about a channel that is not global");
        };
        let Place { channel: Some(channel), direct: true, .. } = self.global_places[index] else {
            return refuse("a trace about a channel variable that is assigned");
        };
        let Some(element) = self.element(index, &event.channel) else {
            return refuse("a trace about an element that its array does not have");
        };
        let number = self.numbers[channel.index()] + element;
        Ok(Known { sends: event.sends, channel, number, fields: event.fields.clone() })
    }

    /// Which element of an array of channels is meant.
    fn element(&self, global: usize, target: &Target) -> Option<i32> {
        let sizes = self.globals[global].sizes.iter();
        sizes.zip(&target.indices).try_fold(0, |element, (&size, index)| match index {
            Value::Const(index) if (0..size as i32).contains(index) => {
                Some(element * size as i32 + index)
            }
            _ => None,
        })
    }

    /// One for each channel and direction that some event has.
    fn rules(&self, steps: &[Vec<Step>]) -> Vec<Rule> {
        let mut rules: Vec<Rule> = vec![];
        for event in steps.iter().flatten().filter_map(|it| it.event.as_ref()) {
            let known = rules.iter().position(|rule| rule.is_about(event));
            let at = known.unwrap_or_else(|| {
                rules.push(self.rule(event));
                rules.len() - 1
            });
            let fields = event.fields.iter().enumerate().filter(|it| it.1.is_some());
            let compared = &mut rules[at].compared;
            compared.extend(fields.map(|it| it.0));
            compared.sort_unstable();
            compared.dedup();
        }
        rules
    }

    fn rule(&self, event: &Known) -> Rule {
        let (has_buffer, types) = match &self.network.channels[event.channel].kind {
            ChannelKind::Buffered { capacity, fields } => (*capacity > 0, fields.clone()),
            _ => (true, vec![]),
        };
        Rule {
            sends: event.sends,
            channel: event.channel,
            number: event.number,
            has_buffer,
            types,
            compared: vec![],
            function: FunctionId::new(0),
        }
    }
}

impl Rule {
    fn is_about(&self, event: &Known) -> bool {
        self.sends == event.sends && self.number == event.number
    }
}

// ---- functions ----

/// The function that says which state comes next.
struct Next<'a, 'b> {
    plan: &'a Plan<'b>,
    rule: &'a Rule,
    state: VariableId,
    steps: &'a [Vec<Step>],
    /// Where a `notrace` goes when it is over.
    end: Option<i32>,
}

impl Next<'_, '_> {
    fn function(&self) -> Function {
        let mut locals = Arena::new();
        let mut parameters = vec![];
        for &field in &self.rule.compared {
            let ty = self.rule.types.get(field).copied().unwrap_or(Type::ANY);
            parameters.push(locals.push(Local {
                name: format!("field {}", field + 1),
                ty,
                sizes: vec![],
            }));
        }
        let mut body = vec![];
        for (number, steps) in (0..).zip(self.steps) {
            let here = equal(Expr::variable(self.state), Expr::Const(number));
            let branches = self.branches(steps, &parameters);
            if !branches.is_empty() {
                body.push(statement(StatementKind::If(here, branches, vec![])));
            }
        }
        // Only the first event that does not fit counts for a `notrace`: then it is over.
        body.extend(give(Expr::Const(self.end.unwrap_or(WRONG))));
        let what = if self.rule.sends { "sent to" } else { "received from" };
        function(format!("event {what} {}", self.rule.number), parameters, locals, body)
    }

    /// Where each transition of a state leads that the event fits.
    fn branches(&self, steps: &[Step], parameters: &[LocalId]) -> Vec<Statement> {
        let fits: Vec<_> = steps.iter().map(|it| self.fits(it, parameters)).collect();
        let mut code = vec![];
        for (position, (step, fits_now)) in steps.iter().zip(&fits).enumerate() {
            if *fits_now == Expr::Const(0) {
                continue;
            }
            let mut result = vec![];
            let target = match self.end {
                Some(end) if step.target == end => WRONG,
                _ => step.target,
            };
            let second = any(fits[position + 1..].to_vec());
            if target != WRONG && second != Expr::Const(0) {
                let ambiguous = give(Expr::Const(AMBIGUOUS));
                result.push(statement(StatementKind::If(second, ambiguous, vec![])));
            }
            result.extend(give(Expr::Const(target)));
            code.push(statement(StatementKind::If(fits_now.clone(), result, vec![])));
        }
        code
    }

    fn fits(&self, step: &Step, parameters: &[LocalId]) -> Expr {
        let Some(event) = &step.event else { return Expr::TRUE };
        if !self.rule.is_about(event) {
            return Expr::Const(0);
        }
        let emit = Emit::new(self.plan, None).settled();
        let mut fits = Expr::TRUE;
        for (&field, &parameter) in self.rule.compared.iter().zip(parameters) {
            if let Some(Some(value)) = event.fields.get(field) {
                fits = fits.and(equal(Expr::local(parameter), emit.value(value)));
            }
        }
        fits
    }
}

impl Plan<'_> {
    /// Whether the trace still waits for something, which makes an end invalid unless no process
    /// is left.
    pub fn trace_is_open(&self) -> Expr {
        let Some(watch) = &self.trace else { return Expr::Const(0) };
        let there = self.slots.iter().map(|it| not(self.is_absent(it))).collect();
        not(watch.is_over.clone()).and(any(there))
    }

    /// The number of an element of a channel.
    pub fn number_of(&self, channel: ChannelId, indices: &[Expr]) -> Expr {
        let sizes = &self.network.channels[channel].dimensions;
        let first = Expr::Const(self.numbers[channel.index()]);
        let mut number = Expr::Const(0);
        for (dimension, index) in sizes.iter().zip(indices) {
            let size = Expr::Const(dimension.size as i32);
            number = sum(BinaryOp::Add, sum(BinaryOp::Mul, number, size), index.clone());
        }
        sum(BinaryOp::Add, first, number)
    }
}

/// An operation, done at once if it can be.
fn sum(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    match (op, &left, &right) {
        (BinaryOp::Add, Expr::Const(left), Expr::Const(right)) => Expr::Const(left + right),
        (BinaryOp::Mul, Expr::Const(left), Expr::Const(right)) => Expr::Const(left * right),
        _ => Expr::binary(op, left, right),
    }
}
