//! The rules for expressions, statements and actions.

use super::{MAX_DEPTH, Verifier};
use crate::{
    Action, Arena, Base, Channel, ChannelId, ChannelKind, ChannelRef, ClockConstraint, ClockRef,
    Expr, Function, FunctionId, Id, Local, LocalId, LocationId, Network, Pattern, Place, Poll,
    ProcessId, Receive, Send, Statement, StatementKind, Storage,
};

/// What the owner of an expression has and allows.
#[derive(Default)]
pub(super) struct Scope<'a> {
    locals: Option<&'a Arena<LocalId, Local>>,
    function: Option<(FunctionId, &'a Function)>,
    is_property: bool,
    /// Whether `timeout` may stand in the expression being checked.
    pub allows_timeout: bool,
    /// How many statements the expression being checked stands in.
    statements: usize,
    uses: Vec<Use>,
}

/// How a local is used.
#[derive(Clone, Copy, Default)]
struct Use {
    /// Some quantifier binds it.
    bound: bool,
    /// It is read outside of its quantifiers, or assigned.
    free: bool,
    /// A quantifier that is being checked binds it.
    active: bool,
}

impl<'a> Scope<'a> {
    pub fn of_automaton(locals: &'a Arena<LocalId, Local>) -> Self {
        let uses = vec![Use::default(); locals.len()];
        Scope { locals: Some(locals), uses, ..Scope::default() }
    }
    pub fn of_property(locals: &'a Arena<LocalId, Local>) -> Self {
        Scope { is_property: true, ..Scope::of_automaton(locals) }
    }
    pub fn of_function(function: &'a Function, id: FunctionId) -> Self {
        Scope { function: Some((id, function)), ..Scope::of_automaton(&function.locals) }
    }
}

impl<'a> Verifier<'a> {
    /// Reports quantifiers' locals that are used for something else, such as being one of `outer`.
    pub fn check_binders(&mut self, outer: &[LocalId]) {
        for &id in outer {
            if let Some(used) = self.scope.uses.get_mut(id.index()) {
                used.free = true;
            }
        }
        for index in 0..self.scope.uses.len() {
            let Use { bound, free, .. } = self.scope.uses[index];
            self.demand(!(bound && free), || {
                format!("local {index} is bound by a quantifier and used outside of it")
            });
        }
    }

    // ---- expressions ----

    /// An expression that stands by itself.
    pub fn root(&mut self, expr: &'a Expr) {
        if expression_is_too_deep(expr, self.scope.statements) {
            self.report(format!("an expression is nested more than {MAX_DEPTH} deep"));
        } else {
            self.expr(expr);
        }
    }
    fn roots(&mut self, exprs: &'a [Expr]) {
        exprs.iter().for_each(|expr| self.root(expr));
    }

    fn expr(&mut self, expr: &'a Expr) {
        match expr {
            Expr::Const(_) => {}
            Expr::Read(place) => self.read(place),
            Expr::Unary(_, operand) => self.expr(operand),
            Expr::Binary(_, left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Conditional(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            Expr::Quantified(_, binder, operand) => self.quantified(*binder, operand),
            Expr::Call(function, arguments) => {
                self.expression_call(*function, arguments.len());
                arguments.iter().for_each(|argument| self.expr(argument));
            }
            Expr::At(process, location) => self.process_location(*process, *location),
            Expr::Clock(constraint) => {
                self.property_only("a clock constraint");
                self.clock(&constraint.left);
                constraint.right.iter().for_each(|right| self.clock(right));
                constraint.expressions().for_each(|expr| self.expr(expr));
            }
            Expr::Deadlock => self.property_only("`deadlock`"),
            Expr::Timeout => {
                let allowed = self.scope.allows_timeout;
                self.demand(allowed, || "`timeout` is allowed only in guards of edges".to_string());
            }
            Expr::Probe(_, channel) => {
                self.channel_shape(channel);
                self.buffered(channel);
                channel.expressions().iter().for_each(|expr| self.expr(expr));
            }
            Expr::Poll(poll) => self.poll(poll, expr),
        }
    }

    fn process_location(&mut self, process: ProcessId, location: LocationId) {
        let found = self.network.processes.try_at(process);
        self.demand(found.is_some(), || format!("there is no process {}", process.0));
        let missing = found.is_some_and(|p| p.locations.try_at(location).is_none());
        self.demand(!missing, || format!("process {} has no location {}", process.0, location.0));
    }

    fn poll(&mut self, poll: &'a Poll, whole: &'a Expr) {
        self.channel_shape(&poll.channel);
        self.buffered(&poll.channel);
        self.message(&poll.channel, poll.message.len(), true);
        let stores = poll.message.iter().any(|pattern| matches!(pattern, Pattern::Store(_)));
        self.demand(!stores, || "a poll stores a field".to_string());
        whole.children().into_iter().for_each(|expr| self.expr(expr));
    }

    fn property_only(&mut self, what: &str) {
        let allowed = self.scope.is_property;
        self.demand(allowed, || format!("{what} is an expression only in properties"));
    }

    fn read(&mut self, place: &'a Place) {
        self.place_shape(place);
        if let Base::Local(id) = place.base
            && let Some(used) = self.scope.uses.get_mut(id.index())
        {
            used.free |= !used.active;
        }
        place.indices.iter().for_each(|index| self.expr(index));
    }

    /// Checks that the place exists and has as many indices as dimensions.
    fn place_shape(&mut self, place: &Place) {
        let dimensions = match place.base {
            Base::Variable(id) => {
                let variable = self.network.variables.try_at(id);
                self.demand(variable.is_some(), || format!("there is no variable {}", id.0));
                variable.map(|variable| variable.dimensions.len())
            }
            Base::Local(id) => {
                let local = self.scope.locals.and_then(|locals| locals.try_at(id));
                self.demand(local.is_some(), || format!("there is no local {}", id.0));
                local.map(|local| local.sizes.len())
            }
        };
        self.index_count(place.indices.len(), dimensions);
    }

    fn index_count(&mut self, indices: usize, dimensions: Option<usize>) {
        if let Some(dimensions) = dimensions.filter(|&dimensions| dimensions != indices) {
            self.report(format!("{indices} indices for {dimensions} dimensions"));
        }
    }

    fn quantified(&mut self, binder: LocalId, operand: &'a Expr) {
        let local = self.scope.locals.and_then(|locals| locals.try_at(binder));
        let Some(local) = local else {
            self.report(format!("there is no local {}", binder.0));
            return self.expr(operand);
        };
        let scalar = local.sizes.is_empty();
        self.demand(scalar, || format!("a quantifier binds local {}, an array", binder.0));
        let before = self.scope.uses[binder.index()];
        self.demand(!before.active, || {
            format!("local {} is bound again within its quantifier", binder.0)
        });
        self.scope.uses[binder.index()] = Use { bound: true, active: true, ..before };
        self.expr(operand);
        self.scope.uses[binder.index()].active = before.active;
    }

    // ---- calls ----

    fn expression_call(&mut self, id: FunctionId, arguments: usize) {
        let Some(function) = self.callee(id, arguments) else { return };
        self.demand(function.result.is_some(), || no_result(function));
        let impure = self.impure.get(id.index()).copied().unwrap_or(false);
        self.demand(!impure, || {
            format!("function {} has side effects, but an expression calls it", function.name)
        });
    }

    /// The function that is called, if it is there; what its caller must obey is checked.
    fn callee(&mut self, id: FunctionId, arguments: usize) -> Option<&'a Function> {
        let function = self.network.functions.try_at(id);
        self.demand(function.is_some(), || format!("there is no function {}", id.0));
        let function = function?;
        let earlier = self.scope.function.is_none_or(|(caller, _)| id < caller);
        self.demand(earlier, || {
            format!("function {} is called but not declared before its caller", function.name)
        });
        let expected = function.parameters.len();
        self.demand(arguments == expected, || {
            format!("{arguments} arguments for {expected} parameters of {}", function.name)
        });
        Some(function)
    }

    // ---- clocks and channels ----

    fn clock(&mut self, clock: &ClockRef) {
        let found = self.network.clocks.try_at(clock.clock);
        self.demand(found.is_some(), || format!("there is no clock {}", clock.clock.0));
        self.index_count(clock.indices.len(), found.map(|clock| clock.dimensions.len()));
    }
    pub fn clock_ref(&mut self, clock: &'a ClockRef) {
        self.clock(clock);
        self.roots(&clock.indices);
    }
    /// A constraint of a guard or invariant.
    pub fn constraint(&mut self, constraint: &'a ClockConstraint) {
        self.clock(&constraint.left);
        constraint.right.iter().for_each(|right| self.clock(right));
        constraint.expressions().for_each(|expr| self.root(expr));
    }

    pub fn action(&mut self, action: &'a Action) {
        match action {
            Action::Internal => {}
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
        }
    }
    fn send(&mut self, send: &'a Send) {
        self.check_span(send.span);
        self.channel_ref(&send.channel);
        self.roots(&send.message);
        self.message(&send.channel, send.message.len(), send.sorted);
    }
    fn receive(&mut self, receive: &'a Receive) {
        self.check_span(receive.span);
        self.channel_ref(&receive.channel);
        receive.message.iter().for_each(|pattern| self.pattern(pattern));
        let special = receive.anywhere || receive.keep;
        self.message(&receive.channel, receive.message.len(), special);
    }

    fn channel_ref(&mut self, channel: &'a ChannelRef) {
        self.channel_shape(channel);
        self.roots(channel.expressions());
    }
    /// Checks that the channel exists and has as many indices as dimensions.
    fn channel_shape(&mut self, channel: &ChannelRef) {
        if let ChannelRef::Element(id, indices) = channel {
            let found = self.network.channels.try_at(*id);
            self.demand(found.is_some(), || format!("there is no channel {}", id.0));
            self.index_count(indices.len(), found.map(|channel| channel.dimensions.len()));
        }
    }
    /// Checks that the channel can be a buffered one.
    fn buffered(&mut self, channel: &ChannelRef) {
        let ChannelRef::Element(id, _) = channel else { return };
        let other = self.channel_at(*id).is_some_and(|channel| {
            matches!(channel.kind, ChannelKind::Handshake | ChannelKind::Broadcast)
        });
        self.demand(!other, || format!("channel {} holds no messages", id.0));
    }

    /// Checks that some channel that can be meant takes messages of this length and treatment.
    fn message(&mut self, channel: &ChannelRef, fields: usize, special: bool) {
        let takes = |channel: &Channel| match &channel.kind {
            ChannelKind::Buffered { fields: types, .. } => types.len() == fields,
            ChannelKind::Handshake | ChannelKind::Broadcast => fields == 0 && !special,
        };
        let fits = match channel {
            ChannelRef::Element(id, _) => self.channel_at(*id).is_none_or(takes),
            ChannelRef::Value(_) => self.network.channels.iter().any(takes),
        };
        self.demand(fits, || format!("a message of {fields} fields does not match the channel"));
    }
    fn channel_at(&self, id: ChannelId) -> Option<&'a Channel> {
        self.network.channels.try_at(id)
    }

    fn pattern(&mut self, pattern: &'a Pattern) {
        match pattern {
            Pattern::Equal(value) => self.root(value),
            Pattern::Store(place) => self.target(place),
            Pattern::Any => {}
        }
    }

    // ---- statements ----

    pub fn statements(&mut self, statements: &'a [Statement]) {
        if statements_are_too_deep(statements) {
            self.report(format!("statements are nested more than {MAX_DEPTH} deep"));
        } else {
            self.block(statements);
        }
    }
    fn block(&mut self, statements: &'a [Statement]) {
        let outer = self.span;
        self.scope.statements += 1;
        for statement in statements {
            self.check_span(statement.span);
            self.span = if statement.span.is_none() { outer } else { statement.span };
            self.statement(statement);
        }
        self.scope.statements -= 1;
        self.span = outer;
    }

    fn statement(&mut self, statement: &'a Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                self.target(place);
                self.root(value);
            }
            StatementKind::Reset(clock, value) => {
                self.clock_ref(clock);
                self.root(value);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.root(condition);
                self.block(then);
                self.block(otherwise);
            }
            StatementKind::While(condition, body) => {
                self.root(condition);
                self.block(body);
            }
            StatementKind::Call(place, function, arguments) => {
                let callee = self.callee(*function, arguments.len());
                if let Some(place) = place {
                    self.target(place);
                    let missing = callee.filter(|callee| callee.result.is_none());
                    missing.into_iter().for_each(|callee| self.report(no_result(callee)));
                }
                self.roots(arguments);
            }
            StatementKind::Return(value) => {
                self.returned(value.is_some());
                value.iter().for_each(|value| self.root(value));
            }
            StatementKind::Assert(condition) | StatementKind::Await(condition) => {
                self.root(condition);
            }
            StatementKind::Fail(failure) => {
                let known = self.network.failures.try_at(*failure).is_some();
                self.demand(known, || format!("there is no failure {}", failure.0));
            }
            StatementKind::NoRoom => {}
            StatementKind::Send(send) => {
                self.send(send);
                self.buffered(&send.channel);
            }
            StatementKind::Receive(receive) => {
                self.receive(receive);
                self.buffered(&receive.channel);
            }
            StatementKind::Enter(process, location) => {
                self.process_location(*process, *location);
                let observes = self.network.processes.try_at(*process).is_some_and(|p| p.observes);
                self.demand(!observes, || "an observer is entered".to_string());
            }
        }
    }

    fn returned(&mut self, with_value: bool) {
        let Some((_, function)) = self.scope.function else {
            return self.report("`return` outside a function");
        };
        let fits = with_value == function.result.is_some();
        self.demand(fits, || {
            let demanded = if with_value { "has no" } else { "has a" };
            format!("`return` does not match a function that {demanded} result")
        });
    }

    /// A place that is assigned.
    fn target(&mut self, place: &'a Place) {
        self.place_shape(place);
        match place.base {
            Base::Variable(id) => {
                let variable = self.network.variables.try_at(id);
                let constant = variable.filter(|variable| variable.storage == Storage::Constant);
                self.demand(constant.is_none(), || format!("constant {} is assigned", id.0));
            }
            Base::Local(id) => {
                if let Some(used) = self.scope.uses.get_mut(id.index()) {
                    used.free = true;
                }
            }
        }
        self.roots(&place.indices);
    }
}

fn no_result(function: &Function) -> String {
    format!("the result of function {} is used, but there is none", function.name)
}

/// Whether the expression is nested deeper than allowed; uses no recursion itself.
fn expression_is_too_deep(expr: &Expr, statements: usize) -> bool {
    let mut open = vec![(expr, statements + 1)];
    while let Some((expr, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return true;
        }
        open.extend(expr.children().into_iter().map(|child| (child, depth + 1)));
    }
    false
}

fn statements_are_too_deep(statements: &[Statement]) -> bool {
    let mut open: Vec<_> = statements.iter().map(|statement| (statement, 1)).collect();
    while let Some((statement, depth)) = open.pop() {
        if depth > MAX_DEPTH {
            return true;
        }
        open.extend(statement.children().map(|child| (child, depth + 1)));
    }
    false
}

/// Which functions change anything but their locals, directly or through functions before them.
pub(super) fn impure_functions(network: &Network) -> Vec<bool> {
    let mut impure: Vec<bool> = Vec::new();
    for function in &network.functions {
        let mut open: Vec<_> = function.body.iter().collect();
        let mut found = false;
        while let Some(statement) = open.pop() {
            found |= has_effect(statement, &impure);
            open.extend(statement.children());
        }
        impure.push(found);
    }
    impure
}

fn has_effect(statement: &Statement, impure: &[bool]) -> bool {
    let on_variable = |place: &Place| matches!(place.base, Base::Variable(_));
    match &statement.kind {
        StatementKind::Assign(place, _) => on_variable(place),
        StatementKind::Reset(..) => true,
        StatementKind::Send(_) | StatementKind::Receive(_) | StatementKind::Enter(..) => true,
        StatementKind::Call(place, function, _) => {
            let called = impure.get(function.index()).copied().unwrap_or(false);
            called || place.as_ref().is_some_and(on_variable)
        }
        _ => false,
    }
}
