//! From the network's expressions and statements to terms and actions.

use super::term::{self, Action, Cells, Elements, Function, IfImpossible, Target, Term};
use super::values::Values;
use explore::{Home, Layout};
use network::{
    Arena, Base, BinaryOp, ChannelRef, Dimension, Expr, FunctionId, Id, Local, LocalId, LocationId,
    Network, Pattern, Place, ProcessId, Receive, Send, Statement, StatementKind, Storage,
};

/// Where names are looked up.
pub struct Resolver<'a> {
    /// The network.
    pub network: &'a Network,
    /// Where its values lie.
    pub layout: &'a Layout,
    /// The number of the first location of each process.
    pub first_facts: &'a [u32],
}

/// The locals of an edge, function or property.
pub struct Scope<'a> {
    /// The locals.
    pub locals: &'a Arena<LocalId, Local>,
    /// What is known about some of them: the selects of an edge.
    pub known: &'a [(LocalId, Values)],
}

impl Scope<'_> {
    /// The place of a local in a frame.
    pub fn slot(&self, local: LocalId) -> u32 {
        self.locals.iter().take(local.index()).map(|l| l.len() as u32).sum()
    }

    /// The values that locals start with.
    pub fn frame(&self) -> Vec<i32> {
        let values = self.locals.iter().map(|l| std::iter::repeat_n(l.ty.zero(), l.len()));
        values.flatten().collect()
    }
}

impl Resolver<'_> {
    /// The fact that a process is at a location.
    pub fn fact(&self, process: ProcessId, location: LocationId) -> u32 {
        self.first_facts[process.index()] + location.index() as u32
    }

    /// An expression.
    pub fn term(&self, scope: &Scope, expr: &Expr) -> Term {
        match expr {
            Expr::Const(value) => Term::constant(*value),
            Expr::Read(place) => self.read(scope, place),
            Expr::Unary(op, a) => {
                let a = self.term(scope, a);
                match a.as_constant() {
                    Some(value) => Term::constant(op.apply(value)),
                    None => Term::Unary(*op, Box::new(a)),
                }
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.term(scope, a), self.term(scope, b));
                let values = a.as_constant().zip(b.as_constant());
                match values.and_then(|(a, b)| op.apply(a, b).ok()) {
                    Some(value) => Term::constant(value),
                    None if decides(*op, &a) => Term::constant((*op == BinaryOp::Or) as i32),
                    None => Term::Binary(*op, Box::new([a, b])),
                }
            }
            Expr::Conditional(condition, yes, no) => {
                let operands = [condition, yes, no].map(|e| self.term(scope, e));
                Term::Conditional(Box::new(operands))
            }
            Expr::Quantified(quantifier, binder, operand) => {
                let ty = scope.locals[*binder].ty;
                let operand = Box::new(self.term(scope, operand));
                Term::Quantified(*quantifier, scope.slot(*binder), (ty.low, ty.high), operand)
            }
            Expr::Call(function, arguments) => {
                Term::Call(function.index() as u32, self.terms(scope, arguments))
            }
            Expr::At(process, location) => Term::At(self.fact(*process, *location)),
            // Time, deadlock and timeout are beyond the relaxation: they may or may not hold.
            Expr::Clock(_) | Expr::Deadlock | Expr::Timeout => Term::Known(Values::TRUTH),
            Expr::Probe(probe, channel) => {
                Term::Probe(*probe, Box::new(self.elements(scope, channel)))
            }
            Expr::Poll(poll) => {
                let elements = Box::new(self.elements(scope, &poll.channel));
                Term::Poll(elements, self.patterns(scope, &poll.message))
            }
        }
    }

    /// Several expressions.
    pub fn terms(&self, scope: &Scope, exprs: &[Expr]) -> Vec<Term> {
        exprs.iter().map(|e| self.term(scope, e)).collect()
    }

    /// What the fields of a message must be.
    pub fn patterns(&self, scope: &Scope, patterns: &[Pattern]) -> Vec<Option<Term>> {
        let pattern = |pattern: &Pattern| match pattern {
            Pattern::Equal(expr) => Some(self.term(scope, expr)),
            Pattern::Store(_) | Pattern::Any => None,
        };
        patterns.iter().map(pattern).collect()
    }

    /// Where the fields of a message go.
    pub fn targets(&self, scope: &Scope, patterns: &[Pattern]) -> Vec<Option<Target>> {
        let target = |pattern: &Pattern| match pattern {
            Pattern::Store(place) => Some(self.target(scope, place)),
            Pattern::Equal(_) | Pattern::Any => None,
        };
        patterns.iter().map(target).collect()
    }

    /// The channel elements that may be meant.
    pub fn elements(&self, scope: &Scope, channel: &ChannelRef) -> Elements {
        match channel {
            ChannelRef::Element(id, indices) => {
                let sizes = sizes(&self.network.channels[*id].dimensions);
                let indices = self.terms(scope, indices);
                Elements::Of(Cells { first: self.layout.channel(*id), sizes, indices })
            }
            ChannelRef::Value(expr) => Elements::Value(self.term(scope, expr)),
        }
    }

    fn read(&self, scope: &Scope, place: &Place) -> Term {
        match place.base {
            Base::Local(id) => {
                if let Some((_, values)) = scope.known.iter().find(|(known, _)| *known == id) {
                    return Term::Known(*values);
                }
                let local = &scope.locals[id];
                if local.sizes.is_empty() {
                    return Term::Local(scope.slot(id));
                }
                let indices = self.terms(scope, &place.indices);
                Term::LocalCell(Cells {
                    first: scope.slot(id),
                    sizes: local.sizes.clone(),
                    indices,
                })
            }
            Base::Variable(id) => {
                let variable = &self.network.variables[id];
                let sizes = sizes(&variable.dimensions);
                let indices = self.terms(scope, &place.indices);
                match self.layout.home(id) {
                    _ if variable.storage == Storage::Constant => {
                        let cells = Cells { first: 0, sizes, indices };
                        match constant_cell(&cells) {
                            Some(at) => Term::constant(variable.initial[at as usize]),
                            None => Term::Table(variable.initial.clone(), cells),
                        }
                    }
                    Home::State(first) => {
                        let cells = Cells { first, sizes, indices };
                        constant_cell(&cells).map_or(Term::Cell(cells), Term::Word)
                    }
                    Home::Constant(_) => {
                        Term::Known(Values::range(variable.ty.low, variable.ty.high))
                    }
                }
            }
        }
    }

    /// Where a place is.
    pub fn target(&self, scope: &Scope, place: &Place) -> Target {
        let indices = self.terms(scope, &place.indices);
        match place.base {
            Base::Local(id) => {
                let local = &scope.locals[id];
                if local.sizes.is_empty() {
                    return Target::Local(scope.slot(id), local.ty);
                }
                let cells = Cells { first: scope.slot(id), sizes: local.sizes.clone(), indices };
                Target::LocalCell(cells, local.ty)
            }
            Base::Variable(id) => {
                let variable = &self.network.variables[id];
                let first = match self.layout.home(id) {
                    Home::State(first) => first,
                    // The verifier lets nobody assign to a constant.
                    Home::Constant(_) => return Target::Local(0, variable.ty),
                };
                let cells = Cells { first, sizes: sizes(&variable.dimensions), indices };
                match constant_cell(&cells) {
                    Some(word) => Target::Word(word, variable.ty),
                    None => Target::Cell(cells, variable.ty),
                }
            }
        }
    }

    /// Statements; those about clocks alone have no counterpart.
    pub fn actions(&self, scope: &Scope, statements: &[Statement]) -> Vec<Action> {
        statements.iter().filter_map(|s| self.action(scope, s)).collect()
    }

    fn action(&self, scope: &Scope, statement: &Statement) -> Option<Action> {
        Some(match &statement.kind {
            StatementKind::Assign(place, value) => {
                Action::Assign(self.target(scope, place), self.term(scope, value))
            }
            StatementKind::Reset(..) => return None,
            StatementKind::If(condition, then, otherwise) => Action::If(
                self.term(scope, condition),
                self.actions(scope, then),
                self.actions(scope, otherwise),
            ),
            StatementKind::While(condition, body) => {
                Action::While(self.term(scope, condition), self.actions(scope, body))
            }
            StatementKind::Call(place, function, arguments) => Action::Call(
                place.as_ref().map(|place| self.target(scope, place)),
                function.index() as u32,
                self.terms(scope, arguments),
            ),
            StatementKind::Return(value) => {
                Action::Return(value.as_ref().map(|value| self.term(scope, value)))
            }
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                Action::Demand(self.term(scope, condition))
            }
            StatementKind::Send(send) => self.send(scope, send, IfImpossible::Fail),
            StatementKind::Receive(receive) => self.receive(scope, receive, IfImpossible::Fail),
            StatementKind::Fail(_) | StatementKind::NoRoom => Action::Fail,
            StatementKind::Enter(process, location) => {
                Action::Enter(self.fact(*process, *location))
            }
        })
    }

    /// A message that is put into a buffer.
    pub fn send(&self, scope: &Scope, send: &Send, otherwise: IfImpossible) -> Action {
        let message = self.terms(scope, &send.message);
        Action::Send(self.elements(scope, &send.channel), message, otherwise)
    }

    /// A message that is taken from a buffer.
    pub fn receive(&self, scope: &Scope, receive: &Receive, otherwise: IfImpossible) -> Action {
        let taken = term::Receive {
            from: self.elements(scope, &receive.channel),
            patterns: self.patterns(scope, &receive.message),
            targets: self.targets(scope, &receive.message),
            keeps: receive.keep,
        };
        Action::Receive(Box::new(taken), otherwise)
    }

    /// All functions.
    pub fn functions(&self) -> Vec<Function> {
        let function = |id: FunctionId| {
            let function = &self.network.functions[id];
            let scope = Scope { locals: &function.locals, known: &[] };
            let parameter = |&local: &LocalId| (scope.slot(local), function.locals[local].ty);
            Function {
                parameters: function.parameters.iter().map(parameter).collect(),
                frame: scope.frame(),
                result: function.result,
                body: self.actions(&scope, &function.body),
            }
        };
        self.network.functions.ids().map(function).collect()
    }
}

/// Whether the left operand of an operator decides alone.
fn decides(op: BinaryOp, left: &Term) -> bool {
    match op {
        BinaryOp::And => left.as_constant() == Some(0),
        BinaryOp::Or => left.as_constant().is_some_and(|value| value != 0),
        _ => false,
    }
}

/// The cell that constant indices mean, if they are within bounds.
pub fn constant_cell(cells: &Cells) -> Option<u32> {
    let mut at = 0;
    for (size, index) in cells.sizes.iter().zip(&cells.indices) {
        let index = u32::try_from(index.as_constant()?).ok().filter(|index| index < size)?;
        at = at * size + index;
    }
    Some(cells.first + at)
}

fn sizes(dimensions: &[Dimension]) -> Vec<u32> {
    dimensions.iter().map(|dimension| dimension.size).collect()
}
