//! What expressions and statements touch: variables, locations, processes that they start or end.

use network::{
    Action, Base, ChannelRef, ClockConstraint, Condition, Expr, FunctionId, Id, LocationId,
    Network, Pattern, Place, ProcessId, Statement, StatementKind, VariableId,
};

/// One thing that an expression or statement touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Touch {
    /// The value of a variable, or of some of its elements, is read.
    Read(VariableId),
    /// A variable, or one of its elements, may be assigned.
    Write(VariableId),
    /// Something depends on whether a process is at a location.
    Name(ProcessId, LocationId),
    /// A process may be put at a location.
    Enter(ProcessId, LocationId),
}

/// What every function touches, through the functions that it calls too.
pub struct Functions {
    touches: Vec<Vec<Touch>>,
}

impl Functions {
    /// Functions call only functions before them, so one pass does.
    pub fn of(network: &Network) -> Functions {
        let mut functions = Functions { touches: Vec::new() };
        for function in &network.functions {
            let mut touches = Vec::new();
            functions.statements(&function.body, &mut |touch| touches.push(touch));
            touches.sort_unstable();
            touches.dedup();
            functions.touches.push(touches);
        }
        functions
    }

    /// What a function touches, each thing once.
    pub fn touched_by(&self, function: FunctionId) -> &[Touch] {
        self.touches.get(function.index()).map_or(&[], Vec::as_slice)
    }

    /// Everything in an expression.
    pub fn expr(&self, expr: &Expr, visit: &mut dyn FnMut(Touch)) {
        expr.walk(&mut |part| match part {
            Expr::Read(Place { base: Base::Variable(id), .. }) => visit(Touch::Read(*id)),
            Expr::At(process, location) => visit(Touch::Name(*process, *location)),
            Expr::Call(function, _) => self.touched_by(*function).iter().for_each(|&t| visit(t)),
            _ => {}
        });
    }

    /// Everything in several expressions.
    pub fn exprs<'a>(
        &self,
        exprs: impl IntoIterator<Item = &'a Expr>,
        visit: &mut dyn FnMut(Touch),
    ) {
        exprs.into_iter().for_each(|expr| self.expr(expr, visit));
    }

    /// Everything in a condition.
    pub fn condition(&self, condition: &Condition, visit: &mut dyn FnMut(Touch)) {
        self.expr(&condition.data, visit);
        self.exprs(condition.clocks.iter().flat_map(ClockConstraint::expressions), visit);
    }

    /// Everything in an action; what a receive stores is written.
    pub fn action(&self, action: &Action, visit: &mut dyn FnMut(Touch)) {
        let channel = action.channel().map_or(&[][..], ChannelRef::expressions);
        self.exprs(channel, visit);
        match action {
            Action::Internal => {}
            Action::Send(send) => self.exprs(&send.message, visit),
            Action::Receive(receive) => self.patterns(&receive.message, visit),
        }
    }

    /// Everything in the fields of a message to be received.
    pub fn patterns(&self, patterns: &[Pattern], visit: &mut dyn FnMut(Touch)) {
        for pattern in patterns {
            self.exprs(pattern.expressions(), visit);
            if let Some(id) = stored(pattern) {
                visit(Touch::Write(id));
            }
        }
    }

    /// Everything in statements and those below them.
    pub fn statements(&self, statements: &[Statement], visit: &mut dyn FnMut(Touch)) {
        for statement in statements {
            statement.walk(&mut |part| self.statement(part, visit));
        }
    }

    /// What stands in a statement itself.
    pub fn statement(&self, statement: &Statement, visit: &mut dyn FnMut(Touch)) {
        self.exprs(statement.expressions(), visit);
        match &statement.kind {
            StatementKind::Assign(place, _) => written(place).into_iter().for_each(visit),
            StatementKind::Call(place, function, _) => {
                self.touched_by(*function).iter().for_each(|&touch| visit(touch));
                place.as_ref().and_then(written).into_iter().for_each(visit);
            }
            StatementKind::Receive(receive) => {
                receive.message.iter().filter_map(stored).for_each(|id| visit(Touch::Write(id)));
            }
            StatementKind::Enter(process, location) => visit(Touch::Enter(*process, *location)),
            _ => {}
        }
    }
}

fn written(place: &Place) -> Option<Touch> {
    match place.base {
        Base::Variable(id) => Some(Touch::Write(id)),
        Base::Local(_) => None,
    }
}

/// The variable that a field goes to.
fn stored(pattern: &Pattern) -> Option<VariableId> {
    match pattern {
        Pattern::Store(Place { base: Base::Variable(id), .. }) => Some(*id),
        _ => None,
    }
}
