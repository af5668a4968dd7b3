//! Expressions and statements of a network, resolved: variables are words of the state, locations
//! are facts, selects are constants.

use super::values::Values;
use network::{BinaryOp, Probe, Quantifier, Type, UnaryOp};

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// Some fixed values: a constant, or what nothing is known about.
    Known(Values),
    /// A word of the state.
    Word(u32),
    /// A cell of an array of words.
    Cell(Cells),
    /// A cell of a constant array.
    Table(Vec<i32>, Cells),
    /// A local.
    Local(u32),
    /// A cell of an array of locals.
    LocalCell(Cells),
    /// An operator with one operand.
    Unary(UnaryOp, Box<Term>),
    /// An operator with two operands.
    Binary(BinaryOp, Box<[Term; 2]>),
    /// `condition ? yes : no`.
    Conditional(Box<[Term; 3]>),
    /// A quantifier: the local, its least and greatest value, the operand.
    Quantified(Quantifier, u32, (i32, i32), Box<Term>),
    /// The result of a function.
    Call(u32, Vec<Term>),
    /// Whether a process is at a location.
    At(Fact),
    /// Something about the messages in a channel.
    Probe(Probe, Box<Elements>),
    /// Whether some message fits.
    Poll(Box<Elements>, Vec<Option<Term>>),
}

/// A location of a process, numbered over all processes.
pub type Fact = u32;

/// The cells that an index may mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    /// The first cell.
    pub first: u32,
    /// The sizes of the dimensions.
    pub sizes: Vec<u32>,
    /// One index for each.
    pub indices: Vec<Term>,
}

/// The channel elements that an expression may mean.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Elements {
    /// An element of an array of channels; `first` is the number of the first element.
    Of(Cells),
    /// The element whose number plus 1 is the value.
    Value(Term),
}

/// Where a value goes.
#[derive(Clone, Debug)]
pub enum Target {
    /// To a word.
    Word(u32, Type),
    /// To a cell of an array of words.
    Cell(Cells, Type),
    /// To a local.
    Local(u32, Type),
    /// To a cell of an array of locals.
    LocalCell(Cells, Type),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Action {
    /// An assignment.
    Assign(Target, Term),
    /// A choice.
    If(Term, Vec<Action>, Vec<Action>),
    /// A loop.
    While(Term, Vec<Action>),
    /// A call, and where its result goes.
    Call(Option<Target>, u32, Vec<Term>),
    /// The end of a function.
    Return(Option<Term>),
    /// An error unless the condition holds.
    Demand(Term),
    /// A message is put into a buffer.
    Send(Elements, Vec<Term>, IfImpossible),
    /// A message is taken from a buffer.
    Receive(Box<Receive>, IfImpossible),
    /// An error.
    Fail,
    /// A process is put at a location.
    Enter(Fact),
}

/// What it means that a buffer is full or has no message that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IfImpossible {
    /// A run-time error.
    Fail,
    /// Waiting.
    Wait,
}

/// How a message is taken from a buffer.
#[derive(Clone, Debug)]
pub struct Receive {
    /// The buffer.
    pub from: Elements,
    /// What its fields must be.
    pub patterns: Vec<Option<Term>>,
    /// Where they go.
    pub targets: Vec<Option<Target>>,
    /// Whether the message stays.
    pub keeps: bool,
}

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// The locals that arguments go to, with their types.
    pub parameters: Vec<(u32, Type)>,
    /// The values that locals start with.
    pub frame: Vec<i32>,
    /// The type of the result.
    pub result: Option<Type>,
    /// What it does.
    pub body: Vec<Action>,
}

impl Term {
    /// A constant.
    pub fn constant(value: i32) -> Term {
        Term::Known(Values::just(value))
    }

    /// Its value, if it is a constant.
    pub fn as_constant(&self) -> Option<i32> {
        match self {
            Term::Known(values) => values.single(),
            _ => None,
        }
    }

    /// Calls `visit` for this term and every one below it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Term)) {
        visit(self);
        match self {
            Term::Known(_) | Term::Word(_) | Term::Local(_) | Term::At(_) => {}
            Term::Cell(cells) | Term::Table(_, cells) | Term::LocalCell(cells) => {
                cells.indices.iter().for_each(|index| index.walk(visit));
            }
            Term::Unary(_, a) | Term::Quantified(_, _, _, a) => a.walk(visit),
            Term::Binary(_, operands) => operands.iter().for_each(|a| a.walk(visit)),
            Term::Conditional(operands) => operands.iter().for_each(|a| a.walk(visit)),
            Term::Call(_, arguments) => arguments.iter().for_each(|a| a.walk(visit)),
            Term::Probe(_, elements) => elements.walk(visit),
            Term::Poll(elements, patterns) => {
                elements.walk(visit);
                patterns.iter().flatten().for_each(|a| a.walk(visit));
            }
        }
    }
}

impl Elements {
    /// Calls `visit` for every term in it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Term)) {
        match self {
            Elements::Of(cells) => cells.indices.iter().for_each(|index| index.walk(visit)),
            Elements::Value(term) => term.walk(visit),
        }
    }
}

impl Target {
    /// Calls `visit` for every term in it.
    pub fn walk(&self, visit: &mut dyn FnMut(&Term)) {
        if let Target::Cell(cells, _) | Target::LocalCell(cells, _) = self {
            cells.indices.iter().for_each(|index| index.walk(visit));
        }
    }
}

impl Action {
    /// Calls `on_action` for this statement and every one below it, and `on_term` for their terms.
    pub fn walk(&self, on_action: &mut dyn FnMut(&Action), on_term: &mut dyn FnMut(&Term)) {
        on_action(self);
        match self {
            Action::Assign(target, term) => {
                target.walk(on_term);
                term.walk(on_term);
            }
            Action::If(condition, then, otherwise) => {
                condition.walk(on_term);
                then.iter().chain(otherwise).for_each(|a| a.walk(on_action, on_term));
            }
            Action::While(condition, body) => {
                condition.walk(on_term);
                body.iter().for_each(|a| a.walk(on_action, on_term));
            }
            Action::Call(target, _, arguments) => {
                target.iter().for_each(|t| t.walk(on_term));
                arguments.iter().for_each(|a| a.walk(on_term));
            }
            Action::Return(value) => value.iter().for_each(|a| a.walk(on_term)),
            Action::Demand(condition) => condition.walk(on_term),
            Action::Send(elements, message, _) => {
                elements.walk(on_term);
                message.iter().for_each(|a| a.walk(on_term));
            }
            Action::Receive(receive, _) => {
                receive.from.walk(on_term);
                receive.patterns.iter().flatten().for_each(|a| a.walk(on_term));
                receive.targets.iter().flatten().for_each(|t| t.walk(on_term));
            }
            Action::Fail | Action::Enter(_) => {}
        }
    }
}
