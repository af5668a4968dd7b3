//! Expressions and statements as compact code for the [`Machine`](crate::machine::Machine).
//!
//! One flat array of operations holds everything; a piece of code is known by its entry. A parallel
//! array says which source span an operation belongs to, for run-time errors of the model.

use crate::layout::{Buffer, Home, Layout};
use network::{
    Action, Arena, Base, BinaryOp, ChannelRef, Expr, FailureId, FunctionId, Id, Local, LocalId,
    Network, Pattern, Place, Probe, Quantifier, Receive, Send, Span, Statement, StatementKind,
    Type, UnaryOp,
};

/// Where a piece of code starts.
pub type Entry = u32;

/// One operation of the stack machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// Pushes a constant.
    Const(i32),
    /// Pushes a word of the state.
    Load(u32),
    /// Pushes a local.
    LoadLocal(u32),
    /// Pops an element number, pushes that word after the base.
    LoadAt(u32),
    /// The same for a constant array.
    LoadConstantAt(u32),
    /// The same for a local array.
    LoadLocalAt(u32),
    /// Checks the index on top against the size of the first dimension.
    FirstIndex(u32),
    /// Pops an index, checks it, and folds it into the element number below.
    NextIndex(u32),
    /// Pops a value, fits it to the type, stores it.
    Store(u32, u32),
    /// Pops an element number and a value, fits it to the type, stores it.
    StoreAt(u32, u32),
    /// Like `Store`, to a local.
    StoreLocal(u32, u32),
    /// Like `StoreAt`, to a local array.
    StoreLocalAt(u32, u32),
    /// Pops a value into a local without a check.
    SetLocal(u32),
    /// Sets locals `from..from + count` to a value.
    Fill(u32, u32, i32),
    /// Applies an operator to the top.
    Unary(UnaryOp),
    /// Applies an operator to the two values on top.
    Binary(BinaryOp),
    /// Pushes the comparison of a word of the state with a constant.
    Compare(BinaryOp, u32, i32),
    /// Replaces the top by 0 or 1.
    Truth,
    /// Continues elsewhere.
    Jump(u32),
    /// Pops; continues elsewhere if it was 0.
    JumpIfZero(u32),
    /// Continues at the start of a loop, and counts the round.
    LoopBack(u32),
    /// If the local is below the limit: adds one and continues elsewhere.
    CountUp(u32, i32, u32),
    /// Fits the top to a type.
    Fit(u32),
    /// Calls a function; its arguments are on the stack.
    Call(u32),
    /// Leaves a function.
    Return,
    /// Pops the value of a clock.
    Reset(u32),
    /// Pops an element number and the value of a clock.
    ResetAt(u32),
    /// Pops; an error if it was 0.
    Assert,
    /// Pops; another error if it was 0.
    Await,
    /// An error that the language of the model knows.
    Fail(FailureId),
    /// The error that no process is left that could be started.
    NoRoom,
    /// Puts a process (its word) at a location.
    Enter(u32, i32),
    /// Pushes whether this is the second try, after no step was possible in the first.
    Timeout,
    /// Pops the value of a channel variable, pushes the number of the element it stands for.
    ChannelNumber(u32),
    /// Pops an element number, pushes what is asked.
    Probe(Probe),
    /// Pops an element number, pushes whether it has a buffer for messages of a length.
    HasBuffer(u32),
    /// Pops an element number and the values of a pattern, pushes whether a message fits.
    Poll(u32),
    /// Pops an element number and a message, puts the message into the buffer.
    Send(u32, bool),
    /// Pops an element number and the values of a pattern, takes the message that fits, and pushes
    /// the fields to be stored, the first one on top.
    Receive(u32),
    /// Pops.
    Drop,
    /// The code is done.
    End,
}

/// All code of a network.
#[derive(Debug, Default)]
pub struct Program {
    /// The operations.
    pub ops: Vec<Op>,
    /// The span of each operation.
    pub spans: Vec<Span>,
    /// The values of constant arrays.
    pub constants: Vec<i32>,
    /// The types that values are fitted to.
    pub types: Vec<Type>,
    /// The functions.
    pub functions: Vec<FunctionCode>,
    /// The buffers of channel elements.
    pub buffers: Vec<Buffer>,
    /// What messages must look like.
    pub patterns: Vec<PatternCode>,
}

/// What a message must look like, and what becomes of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternCode {
    /// What each field must be.
    pub fields: Vec<FieldPattern>,
    /// Whether any message counts, not only the first.
    pub anywhere: bool,
    /// Whether the message stays.
    pub keep: bool,
}

/// What a field of a message must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldPattern {
    /// A value given on the stack.
    Equal,
    /// Anything; it is wanted.
    Store,
    /// Anything.
    Any,
}

/// What a call needs to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct FunctionCode {
    /// Where it starts.
    pub entry: Entry,
    /// The number of words of its locals.
    pub frame: u32,
}

/// Writes code for the expressions and statements of one owner (edge, location, function, property).
pub struct Assembler<'a> {
    program: &'a mut Program,
    network: &'a Network,
    layout: &'a Layout,
    locals: &'a Arena<LocalId, Local>,
    offsets: Vec<u32>,
    frame: u32,
    span: Span,
    function: Option<FunctionId>,
}

impl Program {
    /// A program with the code of all functions.
    pub fn new(network: &Network, layout: &Layout) -> Program {
        let mut program = Program { buffers: layout.buffers.clone(), ..Program::default() };
        for variable in &network.variables {
            if variable.storage == network::Storage::Constant {
                program.constants.extend(&variable.initial);
            }
        }
        for (id, function) in network.functions.enumerate() {
            let entry = program.ops.len() as u32;
            let mut code = Assembler::new(&mut program, network, layout, &function.locals);
            code.function = Some(id);
            code.span = function.span;
            for &parameter in function.parameters.iter().rev() {
                let slot = code.offsets[parameter.index()];
                let ty = code.ty(function.locals[parameter].ty);
                code.emit(Op::StoreLocal(slot, ty));
            }
            code.clear_locals(&function.parameters);
            code.statements(&function.body);
            if let Some(result) = function.result {
                code.emit(Op::Const(result.low));
            }
            code.emit(Op::Return);
            let frame = code.frame;
            program.functions.push(FunctionCode { entry, frame });
        }
        program
    }

    fn intern_type(&mut self, ty: Type) -> u32 {
        if let Some(known) = self.types.iter().rposition(|&t| t == ty) {
            return known as u32;
        }
        self.types.push(ty);
        self.types.len() as u32 - 1
    }
}

impl<'a> Assembler<'a> {
    /// An assembler for an owner with these locals.
    pub fn new(
        program: &'a mut Program,
        network: &'a Network,
        layout: &'a Layout,
        locals: &'a Arena<LocalId, Local>,
    ) -> Self {
        let mut frame = 0;
        let offsets = locals
            .iter()
            .map(|local| {
                frame += local.len() as u32;
                frame - local.len() as u32
            })
            .collect();
        let (span, function) = (Span::NONE, None);
        Assembler { program, network, layout, locals, offsets, frame, span, function }
    }

    /// The same for code that stands at a span.
    pub fn at(mut self, span: Span) -> Self {
        self.span = span;
        self
    }

    /// The number of words of the owner's locals.
    pub fn frame(&self) -> u32 {
        self.frame
    }

    /// The word of a local in the frame.
    pub fn local(&self, local: LocalId) -> u32 {
        self.offsets[local.index()]
    }

    /// Pushes the arguments of a call. The function takes the last one first, so those before it are
    /// fitted here: the first that does not fit is the error.
    fn push_arguments(&mut self, function: FunctionId, arguments: &[Expr]) {
        let network = self.network;
        let function = &network.functions[function];
        let last = arguments.len().saturating_sub(1);
        for (i, (argument, &parameter)) in arguments.iter().zip(&function.parameters).enumerate() {
            self.push(argument);
            if i < last {
                let ty = self.ty(function.locals[parameter].ty);
                self.emit(Op::Fit(ty));
            }
        }
    }

    /// Code that leaves the expression's value on the stack.
    pub fn expression(&mut self, expr: &Expr) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.push(expr);
        self.emit(Op::End);
        entry
    }

    /// Code that leaves the element number of an array access on the stack.
    pub fn element(&mut self, indices: &[Expr], sizes: &[u32]) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.push_indices(indices, sizes);
        self.emit(Op::End);
        entry
    }

    /// Code that runs the update of an edge, whose selects are set already.
    pub fn update(&mut self, selects: &[LocalId], statements: &[Statement]) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.clear_locals(selects);
        self.statements(statements);
        self.emit(Op::End);
        entry
    }

    fn clear_locals(&mut self, except: &[LocalId]) {
        for (id, local) in self.locals.enumerate() {
            if !except.contains(&id) {
                let from = self.offsets[id.index()];
                self.emit(Op::Fill(from, local.len() as u32, local.ty.zero()));
            }
        }
    }

    fn emit(&mut self, op: Op) -> usize {
        self.program.ops.push(op);
        self.program.spans.push(self.span);
        self.program.ops.len() - 1
    }

    fn here(&self) -> u32 {
        self.program.ops.len() as u32
    }

    /// Lets an earlier jump lead here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.program.ops[jump] {
            Op::Jump(target) | Op::JumpIfZero(target) | Op::CountUp(_, _, target) => *target = here,
            other => unreachable!("{other:?} is not a jump"),
        }
    }

    fn ty(&mut self, ty: Type) -> u32 {
        self.program.intern_type(ty)
    }

    fn push(&mut self, expr: &Expr) {
        match expr {
            Expr::Const(value) => self.emit(Op::Const(*value)),
            Expr::Read(place) => self.read(place),
            Expr::Unary(op, a) => {
                self.push(a);
                self.emit(Op::Unary(*op))
            }
            Expr::Binary(BinaryOp::And, a, b) => self.both(a, b),
            Expr::Binary(BinaryOp::Or, a, b) => self.either(a, b),
            Expr::Binary(op, a, b) => self.binary(*op, a, b),
            Expr::Conditional(condition, yes, no) => {
                self.push(condition);
                let skip = self.emit(Op::JumpIfZero(0));
                self.push(yes);
                let done = self.emit(Op::Jump(0));
                self.land(skip);
                self.push(no);
                self.land(done);
                done
            }
            Expr::Quantified(quantifier, binder, body) => {
                self.quantified(*quantifier, *binder, body)
            }
            Expr::Call(function, arguments) => {
                self.push_arguments(*function, arguments);
                self.emit(Op::Call(function.0))
            }
            Expr::At(process, location) => {
                let slot = self.layout.location(*process) as u32;
                self.emit(Op::Compare(BinaryOp::Eq, slot, location.0 as i32))
            }
            Expr::Timeout => self.emit(Op::Timeout),
            Expr::Probe(probe, channel) => {
                self.push_channel(channel);
                self.emit(Op::Probe(*probe))
            }
            Expr::Poll(poll) => self.poll(&poll.channel, &poll.message, poll.anywhere),
            // The verifier keeps these out of everything but goals, which `goal` takes apart.
            Expr::Clock(_) | Expr::Deadlock => self.emit(Op::Const(0)),
        };
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> usize {
        if let (Some(slot), Expr::Const(value), true) = (self.scalar(a), b, is_comparison(op)) {
            return self.emit(Op::Compare(op, slot, *value));
        }
        self.push(a);
        self.push(b);
        self.emit(Op::Binary(op))
    }

    /// The state word of a plain variable.
    fn scalar(&self, expr: &Expr) -> Option<u32> {
        scalar_slot(self.network, self.layout, expr)
    }

    fn both(&mut self, a: &Expr, b: &Expr) -> usize {
        self.push(a);
        let skip = self.emit(Op::JumpIfZero(0));
        self.push(b);
        self.emit(Op::Truth);
        let done = self.emit(Op::Jump(0));
        self.land(skip);
        self.emit(Op::Const(0));
        self.land(done);
        done
    }

    fn either(&mut self, a: &Expr, b: &Expr) -> usize {
        self.push(a);
        let second = self.emit(Op::JumpIfZero(0));
        self.emit(Op::Const(1));
        let done = self.emit(Op::Jump(0));
        self.land(second);
        self.push(b);
        self.emit(Op::Truth);
        self.land(done);
        done
    }

    fn quantified(&mut self, quantifier: Quantifier, binder: LocalId, body: &Expr) -> usize {
        let slot = self.offsets[binder.index()];
        let (low, high) = (self.locals[binder].ty.low, self.locals[binder].ty.high);
        if quantifier == Quantifier::Sum {
            self.emit(Op::Const(0));
        }
        self.emit(Op::Const(low));
        self.emit(Op::SetLocal(slot));
        let start = self.here();
        self.push(body);
        if quantifier == Quantifier::Sum {
            self.emit(Op::Binary(BinaryOp::Add));
            return self.emit(Op::CountUp(slot, high, start));
        }
        if quantifier == Quantifier::Exists {
            self.emit(Op::Unary(UnaryOp::Not));
        }
        let decided = self.emit(Op::JumpIfZero(0));
        self.emit(Op::CountUp(slot, high, start));
        let (all, early) = (Op::Const(1), Op::Const(0));
        let forall = quantifier == Quantifier::ForAll;
        self.emit(if forall { all } else { early });
        let done = self.emit(Op::Jump(0));
        self.land(decided);
        self.emit(if forall { early } else { all });
        self.land(done);
        done
    }

    fn push_indices(&mut self, indices: &[Expr], sizes: &[u32]) {
        for (i, (index, &size)) in indices.iter().zip(sizes).enumerate() {
            self.push(index);
            self.emit(if i == 0 { Op::FirstIndex(size) } else { Op::NextIndex(size) });
        }
    }

    /// Leaves the number of a channel element on the stack.
    fn push_channel(&mut self, channel: &ChannelRef) {
        match channel {
            ChannelRef::Element(id, indices) => {
                let base = self.layout.channel(*id) as i32;
                let sizes = sizes(&self.network.channels[*id].dimensions);
                if indices.is_empty() {
                    self.emit(Op::Const(base));
                } else {
                    self.push_indices(indices, &sizes);
                    self.emit(Op::Const(base));
                    self.emit(Op::Binary(BinaryOp::Add));
                }
            }
            ChannelRef::Value(expr) => {
                self.push(expr);
                self.emit(Op::ChannelNumber(self.layout.buffers.len() as u32));
            }
        }
    }

    /// Leaves the values of a pattern and the element number on the stack; returns the pattern.
    fn push_pattern(
        &mut self,
        channel: &ChannelRef,
        message: &[Pattern],
        anywhere: bool,
        keep: bool,
    ) -> u32 {
        let mut fields = Vec::new();
        for pattern in message {
            fields.push(match pattern {
                Pattern::Equal(expr) => {
                    self.push(expr);
                    FieldPattern::Equal
                }
                Pattern::Store(_) => FieldPattern::Store,
                Pattern::Any => FieldPattern::Any,
            });
        }
        self.push_channel(channel);
        self.program.patterns.push(PatternCode { fields, anywhere, keep });
        self.program.patterns.len() as u32 - 1
    }

    /// Leaves on the stack whether a message fits. What it is compared with is not evaluated, and cannot
    /// fail, where there is none.
    fn poll(&mut self, channel: &ChannelRef, message: &[Pattern], anywhere: bool) -> usize {
        self.push_channel(channel);
        self.emit(Op::Probe(Probe::Empty));
        let empty = self.emit(Op::JumpIfZero(0));
        self.emit(Op::Const(0));
        let over = self.emit(Op::Jump(0));
        self.land(empty);
        let pattern = self.push_pattern(channel, message, anywhere, true);
        let poll = self.emit(Op::Poll(pattern));
        self.land(over);
        poll
    }

    fn send(&mut self, send: &Send) {
        send.message.iter().for_each(|e| self.push(e));
        self.push_channel(&send.channel);
        self.emit(Op::Send(send.message.len() as u32, send.sorted));
    }

    fn receive(&mut self, receive: &Receive) {
        let Receive { channel, message, anywhere, keep, .. } = receive;
        let pattern = self.push_pattern(channel, message, *anywhere, *keep);
        self.emit(Op::Receive(pattern));
        self.store_fields(message);
    }

    /// Stores the fields on the stack, the first one on top.
    fn store_fields(&mut self, message: &[Pattern]) {
        for pattern in message {
            if let Pattern::Store(place) = pattern {
                self.store(place);
            }
        }
    }

    /// Code that runs the update of an edge after its [`Self::stores`], which may have set locals.
    pub fn update_after_stores(&mut self, statements: &[Statement]) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.statements(statements);
        self.emit(Op::End);
        entry
    }

    /// Code that stores the fields of a received message; they are on the stack already.
    pub fn stores(&mut self, selects: &[LocalId], message: &[Pattern]) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.clear_locals(selects);
        self.store_fields(message);
        self.emit(Op::End);
        entry
    }

    /// Code that leaves the number of a channel element on the stack.
    pub fn channel(&mut self, channel: &ChannelRef) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.push_channel(channel);
        self.emit(Op::End);
        entry
    }

    /// Code that tests whether a guard holds and an action on a buffer can be done.
    pub fn buffered_guard(&mut self, guard: &Expr, action: &Action) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.push(guard);
        let mut leave = vec![self.emit(Op::JumpIfZero(0))];
        if let Some(channel @ ChannelRef::Value(_)) = action.channel() {
            self.push_channel(channel);
            self.emit(Op::HasBuffer(action.width() as u32));
            leave.push(self.emit(Op::JumpIfZero(0)));
        }
        match action {
            Action::Send(send) => {
                self.push_channel(&send.channel);
                self.emit(Op::Probe(Probe::Full));
                self.emit(Op::Unary(UnaryOp::Not));
            }
            Action::Receive(it) => {
                self.poll(&it.channel, &it.message, it.anywhere);
            }
            Action::Internal => {
                self.emit(Op::Const(1));
            }
        }
        self.emit(Op::End);
        leave.into_iter().for_each(|jump| self.land(jump));
        self.emit(Op::Const(0));
        self.emit(Op::End);
        entry
    }

    /// Code that does an action on a buffer and then runs the update of the edge.
    pub fn buffered_update(
        &mut self,
        selects: &[LocalId],
        action: &Action,
        update: &[Statement],
    ) -> Entry {
        let entry = self.program.ops.len() as u32;
        self.clear_locals(selects);
        match action {
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
            Action::Internal => {}
        }
        self.statements(update);
        self.emit(Op::End);
        entry
    }

    fn sizes(&self, base: Base) -> Vec<u32> {
        match base {
            Base::Variable(id) => sizes(&self.network.variables[id].dimensions),
            Base::Local(id) => self.locals[id].sizes.clone(),
        }
    }

    fn read(&mut self, place: &Place) -> usize {
        if let Some(slot) = place_slot(self.network, self.layout, place) {
            return self.emit(Op::Load(slot));
        }
        let sizes = self.sizes(place.base);
        self.push_indices(&place.indices, &sizes);
        let scalar = place.indices.is_empty();
        let op = match (place.base, scalar) {
            (Base::Local(id), true) => Op::LoadLocal(self.offsets[id.index()]),
            (Base::Local(id), false) => Op::LoadLocalAt(self.offsets[id.index()]),
            (Base::Variable(id), _) => match (self.layout.home(id), scalar) {
                (Home::State(slot), true) => Op::Load(slot),
                (Home::State(slot), false) => Op::LoadAt(slot),
                (Home::Constant(at), true) => Op::Const(self.program.constants[at as usize]),
                (Home::Constant(at), false) => Op::LoadConstantAt(at),
            },
        };
        self.emit(op)
    }

    /// Stores the value on top of the stack.
    fn store(&mut self, place: &Place) {
        if let (Base::Variable(id), Some(slot)) =
            (place.base, place_slot(self.network, self.layout, place))
        {
            let ty = self.ty(self.network.variables[id].ty);
            self.emit(Op::Store(slot, ty));
            return;
        }
        let sizes = self.sizes(place.base);
        self.push_indices(&place.indices, &sizes);
        let scalar = place.indices.is_empty();
        let op = match place.base {
            Base::Local(id) => {
                let (slot, ty) = (self.offsets[id.index()], self.ty(self.locals[id].ty));
                if scalar { Op::StoreLocal(slot, ty) } else { Op::StoreLocalAt(slot, ty) }
            }
            Base::Variable(id) => {
                let ty = self.ty(self.network.variables[id].ty);
                // The verifier refuses assignments to constants.
                let Home::State(slot) = self.layout.home(id) else { return };
                if scalar { Op::Store(slot, ty) } else { Op::StoreAt(slot, ty) }
            }
        };
        self.emit(op);
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            let outer = std::mem::replace(&mut self.span, statement.span);
            self.statement(statement);
            self.span = outer;
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                self.push(value);
                self.store(place);
            }
            StatementKind::Reset(clock, value) => {
                self.push(value);
                let base = self.layout.clock(clock.clock);
                let sizes = sizes(&self.network.clocks[clock.clock].dimensions);
                self.push_indices(&clock.indices, &sizes);
                let scalar = clock.indices.is_empty();
                self.emit(if scalar { Op::Reset(base) } else { Op::ResetAt(base) });
            }
            StatementKind::If(condition, then, otherwise) => {
                self.push(condition);
                let skip = self.emit(Op::JumpIfZero(0));
                self.statements(then);
                let done = self.emit(Op::Jump(0));
                self.land(skip);
                self.statements(otherwise);
                self.land(done);
            }
            StatementKind::While(condition, body) => {
                let start = self.here();
                self.push(condition);
                let leave = self.emit(Op::JumpIfZero(0));
                self.statements(body);
                self.emit(Op::LoopBack(start));
                self.land(leave);
            }
            StatementKind::Call(place, function, arguments) => {
                self.push_arguments(*function, arguments);
                self.emit(Op::Call(function.0));
                match place {
                    Some(place) => self.store(place),
                    None if self.network.functions[*function].result.is_some() => {
                        self.emit(Op::Drop);
                    }
                    None => {}
                }
            }
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.push(value);
                    let function = self.function.map(|id| &self.network.functions[id]);
                    let ty = function.and_then(|f| f.result).unwrap_or(Type::ANY);
                    let ty = self.ty(ty);
                    self.emit(Op::Fit(ty));
                }
                self.emit(Op::Return);
            }
            StatementKind::Assert(condition) => {
                self.push(condition);
                self.emit(Op::Assert);
            }
            StatementKind::Await(condition) => {
                self.push(condition);
                self.emit(Op::Await);
            }
            StatementKind::Fail(failure) => {
                self.emit(Op::Fail(*failure));
            }
            StatementKind::NoRoom => {
                self.emit(Op::NoRoom);
            }
            StatementKind::Enter(process, location) => {
                let slot = self.layout.location(*process) as u32;
                self.emit(Op::Enter(slot, location.0 as i32));
            }
            StatementKind::Send(send) => self.send(send),
            StatementKind::Receive(receive) => self.receive(receive),
        }
    }
}

/// The state word of an expression that just reads a plain variable.
pub fn scalar_slot(network: &Network, layout: &Layout, expr: &Expr) -> Option<u32> {
    let Expr::Read(place) = expr else { return None };
    place_slot(network, layout, place)
}

/// The state word of a plain variable, or of an array's element with constant indices.
pub fn place_slot(network: &Network, layout: &Layout, place: &Place) -> Option<u32> {
    let Base::Variable(id) = place.base else { return None };
    let Home::State(slot) = layout.home(id) else { return None };
    if place.indices.is_empty() {
        return Some(slot);
    }
    let sizes = sizes(&network.variables[id].dimensions);
    Some(slot + crate::condition::constant_element(&place.indices, &sizes)?)
}

/// Whether the operator compares.
pub fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// The sizes of dimensions.
pub fn sizes(dimensions: &[network::Dimension]) -> Vec<u32> {
    dimensions.iter().map(|d| d.size).collect()
}
