//! Edges that keep a record of what they print, for those who tell a trace.

use super::emit::Emit;
use super::resolved::Value;
use super::runs::Work;
use crate::wording::{LENGTH, Print, RECORD};
use network::{Arena, BinaryOp, Expr, Local, LocalId, Place, StatementKind, Type, ValueNamesId};
use std::cell::RefCell;

/// A longer record is cut off.
const LONGEST: u32 = 1000;

/// What a process may print, so far.
#[derive(Default)]
pub(super) struct Prints(RefCell<Vec<Print>>);

impl Prints {
    pub fn into_list(self) -> Vec<Print> {
        self.0.into_inner()
    }

    /// The number of a `printf`.
    fn add(&self, print: Print) -> i32 {
        let mut list = self.0.borrow_mut();
        list.push(print);
        list.len() as i32 - 1
    }
}

/// The locals of an edge: with room for a record, if it keeps one.
pub(super) fn locals(emit: &Emit) -> Arena<LocalId, Local> {
    let local = |name: &str, sizes| Local { name: name.to_string(), ty: Type::ANY, sizes };
    match emit.prints {
        // In the order of their numbers.
        Some(_) => [local("record", vec![LONGEST]), local("length", vec![])].into_iter().collect(),
        None => Arena::new(),
    }
}

impl Emit<'_> {
    /// What a variable's values are called.
    fn names_of(&self, value: &Value) -> Option<ValueNamesId> {
        let Value::Read(target) = value else { return None };
        let variable = self.variable(target.base)?;
        self.plan.network.variables[variable].ty.names
    }

    /// Writes down what is printed, if somebody wants to know.
    pub(super) fn record(&self, format: &str, values: &[Value], work: &mut Work) {
        // A process that was started cannot be started again to be told.
        let Some(prints) = self.prints.filter(|_| !values.iter().any(Value::has_run)) else {
            return;
        };
        let names = values.iter().map(|it| self.names_of(it)).collect();
        let print = Print { format: format.to_string(), values: names };
        let number = Expr::Const(prints.add(print));
        let entries = std::iter::once(number).chain(values.iter().map(|it| self.value(it)));
        let after = |more: usize| {
            Expr::binary(BinaryOp::Add, Expr::local(LENGTH), Expr::Const(more as i32))
        };
        let mut code = vec![];
        for (position, entry) in entries.enumerate() {
            let place =
                Place { base: network::Base::Local(RECORD), indices: vec![after(position)] };
            code.push(self.statement(StatementKind::Assign(place, entry), work.span));
        }
        let length = Place { base: network::Base::Local(LENGTH), indices: vec![] };
        let assign = StatementKind::Assign(length, after(values.len() + 1));
        code.push(self.statement(assign, work.span));
        let room = Expr::Const(LONGEST as i32);
        let fits = Expr::binary(BinaryOp::Le, after(values.len() + 1), room);
        work.code.push(self.statement(StatementKind::If(fits, code, vec![]), work.span));
    }
}
