//! Executes the statements of updates and functions.

use network::{
    Action, Base, Edge, ErrorKind, Expr, Function, FunctionId, MAX_CLOCK_BOUND, MAX_LOOP_ROUNDS,
    Overflow, Place, Statement, StatementKind, Type, cancellation,
};

use crate::evaluator::Evaluator;
use crate::frame::Frame;
use crate::offers::Role;
use crate::{Message, Stop};

/// How a statement ends.
pub(crate) enum Flow {
    Next,
    Return(Option<i32>),
}

impl Evaluator<'_> {
    /// Executes the action of an edge, then its update; the message is that of a rendezvous.
    pub fn edge(
        &mut self,
        edge: &Edge,
        selects: &[i32],
        role: Role,
        handed: Option<&Message>,
    ) -> Result<(), Stop> {
        self.edge_within(edge, &mut Frame::of_edge(edge, selects), role, handed)
    }

    /// The same with the locals of the edge.
    pub fn edge_within(
        &mut self,
        edge: &Edge,
        frame: &mut Frame,
        role: Role,
        handed: Option<&Message>,
    ) -> Result<(), Stop> {
        match (&edge.action, role, handed) {
            (Action::Send(send), Role::Put(_), _) => self.send(send, frame)?,
            (Action::Receive(receive), Role::Take(_), _) => self.receive(receive, frame)?,
            (Action::Receive(receive), _, Some(message)) => {
                self.span = receive.span;
                self.store_fields(&receive.message, message, frame)?;
            }
            _ => {}
        }
        self.block(&edge.update, frame).map(|_| ())
    }

    fn block(&mut self, statements: &[Statement], frame: &mut Frame) -> Result<Flow, Stop> {
        for statement in statements {
            if let Flow::Return(value) = self.statement(statement, frame)? {
                return Ok(Flow::Return(value));
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn statement(
        &mut self,
        statement: &Statement,
        frame: &mut Frame,
    ) -> Result<Flow, Stop> {
        self.span = statement.span;
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                let value = self.expr(value, frame)?;
                self.store(place, value, frame)?;
            }
            StatementKind::Reset(clock, value) => {
                let value = self.expr(value, frame)?;
                let clock = self.clock(clock, frame)?;
                self.check_setting(value)?;
                self.check_writing()?;
                self.draft.set(clock.clock, clock.element, value);
            }
            StatementKind::If(condition, then, otherwise) => {
                let chosen = if self.expr(condition, frame)? != 0 { then } else { otherwise };
                return self.block(chosen, frame);
            }
            StatementKind::While(condition, body) => {
                return self.repeat(statement, condition, body, frame);
            }
            StatementKind::Call(place, function, arguments) => {
                let value = self.call(*function, arguments, frame)?;
                if let Some(place) = place {
                    let value = value.ok_or_else(|| Stop::illegal("a function gives no result"))?;
                    self.store(place, value, frame)?;
                }
            }
            StatementKind::Return(None) => return Ok(Flow::Return(None)),
            StatementKind::Return(Some(value)) => {
                return Ok(Flow::Return(Some(self.expr(value, frame)?)));
            }
            StatementKind::Assert(condition) => {
                if self.expr(condition, frame)? == 0 {
                    return self.error(ErrorKind::Assertion);
                }
            }
            StatementKind::Send(send) => self.send(send, frame)?,
            StatementKind::Receive(receive) => self.receive(receive, frame)?,
            StatementKind::Await(condition) => {
                if self.expr(condition, frame)? == 0 {
                    return self.error(ErrorKind::Blocked);
                }
            }
            StatementKind::Fail(failure) => return self.error(ErrorKind::Failure(*failure)),
            StatementKind::NoRoom => return self.error(ErrorKind::NoRoom),
            StatementKind::Enter(process, location) => {
                self.check_writing()?;
                self.draft.go(*process, *location);
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        statement: &Statement,
        condition: &Expr,
        body: &[Statement],
        frame: &mut Frame,
    ) -> Result<Flow, Stop> {
        while self.expr(condition, frame)? != 0 {
            self.count_round()?;
            if let Flow::Return(value) = self.block(body, frame)? {
                return Ok(Flow::Return(value));
            }
            self.span = statement.span;
        }
        Ok(Flow::Next)
    }

    pub fn store(&mut self, place: &Place, value: i32, frame: &mut Frame) -> Result<(), Stop> {
        let element = self.element(place, frame)?;
        match place.base {
            Base::Variable(variable) => {
                let value = self.fit(value, self.simulator.network().variables[variable].ty)?;
                self.check_writing()?;
                self.draft.assign(variable, element, value);
            }
            Base::Local(local) => {
                let value = self.fit(value, frame.ty(local))?;
                frame.write(local, element, value);
            }
        }
        Ok(())
    }

    /// Counts a round of a loop or quantifier, or a call: too many are taken as endless.
    pub fn count_round(&mut self) -> Result<(), Stop> {
        cancellation::check();
        self.rounds += 1;
        if self.rounds > MAX_LOOP_ROUNDS {
            return self.error(ErrorKind::EndlessLoop);
        }
        Ok(())
    }

    /// Calls a function in a frame of its own and returns its result, if its type has one.
    pub fn call(
        &mut self,
        function: FunctionId,
        arguments: &[Expr],
        frame: &mut Frame,
    ) -> Result<Option<i32>, Stop> {
        self.count_round()?;
        let span = self.span;
        let function: &Function = &self.simulator.network().functions[function];
        let mut inner = Frame::new(&function.locals);
        for (&parameter, argument) in function.parameters.iter().zip(arguments) {
            let value = self.expr(argument, frame)?;
            inner.write(parameter, 0, self.fit(value, inner.ty(parameter))?);
        }
        let flow = self.block(&function.body, &mut inner)?;
        let result = match (function.result, flow) {
            (None, _) => None,
            (Some(ty), Flow::Return(Some(value))) => Some(self.fit(value, ty)?),
            (Some(ty), _) => Some(ty.low),
        };
        self.span = span;
        Ok(result)
    }

    /// The value as its type keeps it.
    pub fn fit(&self, value: i32, ty: Type) -> Result<i32, Stop> {
        let kept = match ty.overflow {
            Overflow::Error => value,
            Overflow::Wrap => cut(value, ty),
        };
        if ty.contains(kept) {
            return Ok(kept);
        }
        self.error(ErrorKind::OutOfRange { value, low: ty.low, high: ty.high })
    }

    fn check_setting(&self, value: i32) -> Result<(), Stop> {
        if value < 0 {
            return self.error(ErrorKind::NegativeClock(value));
        }
        if value > MAX_CLOCK_BOUND {
            return self.error(ErrorKind::ClockBound(value));
        }
        Ok(())
    }

    pub fn check_writing(&self) -> Result<(), Stop> {
        if self.pure > 0 {
            return Err(Stop::illegal("a function that is called in an expression has an effect"));
        }
        Ok(())
    }
}

/// Keeps as many low bits as the values of the type need, and the sign if they have one.
fn cut(value: i32, ty: Type) -> i32 {
    let fits = |bits: &u32| match ty.low < 0 {
        true => -(1_i64 << (bits - 1)) <= ty.low as i64 && (ty.high as i64) < 1 << (bits - 1),
        false => (ty.high as i64) < 1 << bits,
    };
    let unused = 32 - (1..32).find(fits).unwrap_or(32);
    match ty.low < 0 {
        true => value << unused >> unused,
        false => ((value as u32) << unused >> unused) as i32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrapping_types_keep_their_bits() {
        let wrap = |low, high| Type { overflow: Overflow::Wrap, ..Type::range(low, high) };
        assert_eq!(cut(256 + 7, wrap(0, 255)), 7);
        assert_eq!(cut(-1, wrap(0, 255)), 255);
        assert_eq!(cut(2, wrap(0, 1)), 0);
        assert_eq!(cut(32768, wrap(-32768, 32767)), -32768);
        assert_eq!(cut(-32769, wrap(-32768, 32767)), 32767);
        assert_eq!(cut(i32::MIN, wrap(i32::MIN, i32::MAX)), i32::MIN);
        assert_eq!(cut(-1, wrap(0, i32::MAX)), i32::MAX);
    }
}
