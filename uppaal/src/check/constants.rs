//! Evaluates constant expressions, calls of functions included, within a fixed number of rounds.
//!
//! It works on lowered expressions, so there is one definition of what an operator does to
//! constants. Locals of the expression itself have no value here, except bound ones.

use network::{
    Arena, Base, BinaryOp, ErrorKind, Expr, FunctionId, Id, Local, LocalId, Network, Place,
    Quantifier, Statement, StatementKind, Storage, Type,
};
use thiserror::Error;

/// Why an expression has no constant value.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum Fault {
    #[error("the value is not a constant")]
    NotConstant,
    #[error("division by zero in a constant")]
    DivisionByZero,
    #[error("shift by a count outside 0..31, or a negative exponent, in a constant")]
    Operand,
    #[error("index {0} is outside an array of size {1}")]
    Index(i32, u32),
    #[error("the value {0} is outside the range {1}..{2}")]
    Range(i32, i32, i32),
    #[error("an assertion fails")]
    Assertion,
    #[error("the constant takes too long to compute")]
    TooLong,
    #[error("the constant is too deeply nested to compute")]
    TooDeep,
}

/// How many expressions and statements all constants of a model may evaluate.
const BUDGET: u64 = 50_000_000;

/// How deeply expressions and calls may be nested while they are evaluated.
const MAX_DEPTH: u32 = 20_000;

/// Evaluates constants; remembers how much work is left.
pub(crate) struct Evaluator {
    left: u64,
}

impl Default for Evaluator {
    fn default() -> Self {
        Evaluator { left: BUDGET }
    }
}

/// The values of one owner's locals; none are those that have no value.
struct Frame<'a> {
    locals: &'a Arena<LocalId, Local>,
    values: Vec<Option<Vec<i32>>>,
}

/// How a list of statements ended.
enum Flow {
    Next,
    Return(i32),
}

impl Evaluator {
    /// The value of an expression whose own locals are unknown, except those it binds itself.
    pub fn value(
        &mut self,
        network: &Network,
        locals: &Arena<LocalId, Local>,
        e: &Expr,
    ) -> Result<i32, Fault> {
        let values = vec![None; locals.len()];
        Run { network, left: &mut self.left, depth: 0 }.expr(e, &mut Frame { locals, values })
    }
}

struct Run<'a> {
    network: &'a Network,
    left: &'a mut u64,
    depth: u32,
}

impl<'a> Run<'a> {
    fn tick(&mut self) -> Result<(), Fault> {
        *self.left = self.left.checked_sub(1).ok_or(Fault::TooLong)?;
        Ok(())
    }

    fn expr(&mut self, e: &Expr, frame: &mut Frame) -> Result<i32, Fault> {
        self.tick()?;
        if self.depth == MAX_DEPTH {
            return Err(Fault::TooDeep);
        }
        self.depth += 1;
        let value = self.operands(e, frame)?;
        self.depth -= 1;
        Ok(value)
    }

    fn operands(&mut self, e: &Expr, frame: &mut Frame) -> Result<i32, Fault> {
        match e {
            Expr::Const(value) => Ok(*value),
            Expr::Read(place) => self.read(place, frame),
            Expr::Unary(op, a) => Ok(op.apply(self.expr(a, frame)?)),
            Expr::Binary(op, a, b) => self.binary(*op, a, b, frame),
            Expr::Conditional(condition, yes, no) => {
                let branch = if self.expr(condition, frame)? != 0 { yes } else { no };
                self.expr(branch, frame)
            }
            Expr::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, *binder, body, frame)
            }
            Expr::Call(function, arguments) => {
                let arguments = self.exprs(arguments, frame)?;
                self.call(*function, &arguments)
            }
            Expr::At(..)
            | Expr::Clock(_)
            | Expr::Deadlock
            | Expr::Timeout
            | Expr::Probe(..)
            | Expr::Poll(_) => Err(Fault::NotConstant),
        }
    }

    fn exprs(&mut self, list: &[Expr], frame: &mut Frame) -> Result<Vec<i32>, Fault> {
        list.iter().map(|e| self.expr(e, frame)).collect()
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr, f: &mut Frame) -> Result<i32, Fault> {
        let left = self.expr(a, f)?;
        match (op, left != 0) {
            (BinaryOp::And, false) => return Ok(0),
            (BinaryOp::Or, true) => return Ok(1),
            _ => {}
        }
        let right = self.expr(b, f)?;
        op.apply(left, right).map_err(|error| match error {
            ErrorKind::DivisionByZero => Fault::DivisionByZero,
            _ => Fault::Operand,
        })
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        binder: LocalId,
        body: &Expr,
        frame: &mut Frame,
    ) -> Result<i32, Fault> {
        let ty = frame.locals[binder].ty;
        let mut sum = 0i32;
        for value in ty.low..=ty.high {
            frame.values[binder.index()] = Some(vec![value]);
            let result = self.expr(body, frame)?;
            match quantifier {
                Quantifier::ForAll if result == 0 => return Ok(0),
                Quantifier::Exists if result != 0 => return Ok(1),
                _ => sum = sum.wrapping_add(result),
            }
        }
        Ok(match quantifier {
            Quantifier::ForAll => 1,
            Quantifier::Exists => 0,
            Quantifier::Sum => sum,
        })
    }

    fn read(&mut self, place: &Place, frame: &mut Frame) -> Result<i32, Fault> {
        let indices = self.exprs(&place.indices, frame)?;
        match place.base {
            Base::Variable(id) => {
                let variable = &self.network.variables[id];
                if variable.storage != Storage::Constant {
                    return Err(Fault::NotConstant);
                }
                let sizes = variable.dimensions.iter().map(|d| d.size);
                Ok(variable.initial[offset(sizes, &indices)?])
            }
            Base::Local(id) => {
                let at = offset(frame.locals[id].sizes.iter().copied(), &indices)?;
                frame.values[id.index()].as_ref().map(|v| v[at]).ok_or(Fault::NotConstant)
            }
        }
    }

    fn call(&mut self, id: FunctionId, arguments: &[i32]) -> Result<i32, Fault> {
        let network: &'a Network = self.network;
        let function = &network.functions[id];
        let mut values = Vec::with_capacity(function.locals.len());
        for local in &function.locals {
            *self.left = self.left.checked_sub(local.len() as u64).ok_or(Fault::TooLong)?;
            values.push(Some(vec![local.ty.zero(); local.len()]));
        }
        for (&parameter, &argument) in function.parameters.iter().zip(arguments) {
            check(&function.locals[parameter].ty, argument)?;
            values[parameter.index()] = Some(vec![argument]);
        }
        let result = function.result.unwrap_or(Type::ANY);
        let mut frame = Frame { locals: &function.locals, values };
        match self.statements(&function.body, &mut frame)? {
            Flow::Return(value) => check(&result, value).map(|()| value),
            Flow::Next => Ok(result.low),
        }
    }

    fn statements(&mut self, list: &[Statement], frame: &mut Frame) -> Result<Flow, Fault> {
        for statement in list {
            if let Flow::Return(value) = self.statement(statement, frame)? {
                return Ok(Flow::Return(value));
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Statement, frame: &mut Frame) -> Result<Flow, Fault> {
        self.tick()?;
        self.depth += 1;
        let flow = self.step(statement, frame)?;
        self.depth -= 1;
        Ok(flow)
    }

    fn step(&mut self, statement: &Statement, frame: &mut Frame) -> Result<Flow, Fault> {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let value = self.expr(value, frame)?;
                self.assign(place, value, frame)?;
            }
            StatementKind::Reset(..)
            | StatementKind::Send(_)
            | StatementKind::Receive(_)
            | StatementKind::Await(_)
            | StatementKind::Fail(_)
            | StatementKind::NoRoom
            | StatementKind::Enter(..) => return Err(Fault::NotConstant),
            StatementKind::If(condition, then, otherwise) => {
                let branch = if self.expr(condition, frame)? != 0 { then } else { otherwise };
                return self.statements(branch, frame);
            }
            StatementKind::While(condition, body) => {
                while self.expr(condition, frame)? != 0 {
                    if let Flow::Return(value) = self.statements(body, frame)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            StatementKind::Call(place, function, arguments) => {
                let arguments = self.exprs(arguments, frame)?;
                let value = self.call(*function, &arguments)?;
                if let Some(place) = place {
                    self.assign(place, value, frame)?;
                }
            }
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|e| self.expr(e, frame)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or(0)));
            }
            StatementKind::Assert(condition) => {
                if self.expr(condition, frame)? == 0 {
                    return Err(Fault::Assertion);
                }
            }
        }
        Ok(Flow::Next)
    }

    fn assign(&mut self, place: &Place, value: i32, frame: &mut Frame) -> Result<(), Fault> {
        let indices = self.exprs(&place.indices, frame)?;
        let Base::Local(id) = place.base else { return Err(Fault::NotConstant) };
        let local = &frame.locals[id];
        check(&local.ty, value)?;
        let at = offset(local.sizes.iter().copied(), &indices)?;
        match &mut frame.values[id.index()] {
            Some(values) => values[at] = value,
            None => return Err(Fault::NotConstant),
        }
        Ok(())
    }
}

fn check(ty: &Type, value: i32) -> Result<(), Fault> {
    if ty.contains(value) { Ok(()) } else { Err(Fault::Range(value, ty.low, ty.high)) }
}

/// The position of an element, the last dimension running fastest.
fn offset(sizes: impl Iterator<Item = u32>, indices: &[i32]) -> Result<usize, Fault> {
    let mut at = 0;
    for (size, &index) in sizes.zip(indices) {
        match usize::try_from(index) {
            Ok(i) if i < size as usize => at = at * size as usize + i,
            _ => return Err(Fault::Index(index, size)),
        }
    }
    Ok(at)
}
