//! Expressions, messages and patterns with their names looked up.

use super::declare::{ShapeKind, Symbol};
use super::numbers::RemoteLabel;
use super::resolved::{Base, Field, Incoming, Outgoing, Remote, Target, Value};
use super::resolver::{RemoteVariable, Resolver, text};
use crate::ast::{self, BinaryOp as Op, Expr, ExprKind, Name, Part, Pattern, Reference, Span};
use network::{BinaryOp, Probe, UnaryOp};
use source::Diagnostic;

impl Resolver<'_> {
    /// An expression; errors are reported and give 0.
    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        self.try_value(expr).unwrap_or(Value::Const(0))
    }

    fn boxed(&mut self, expr: &Expr) -> Box<Value> {
        Box::new(self.value(expr))
    }

    fn try_value(&mut self, expr: &Expr) -> Option<Value> {
        Some(match &expr.kind {
            ExprKind::Int(value) => Value::Const(*value),
            ExprKind::Bool(value) => Value::Const((*value).into()),
            ExprKind::Skip => Value::Const(1),
            ExprKind::Reference(reference) => self.read(reference)?,
            ExprKind::Unary(op, operand) => Value::Unary(unary(*op), self.boxed(operand)),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Conditional(condition, yes, no) => {
                Value::Conditional(self.boxed(condition), self.boxed(yes), self.boxed(no))
            }
            ExprKind::Len(channel) => self.without_runs(|it| it.probe(Probe::Length, channel))?,
            ExprKind::Probe(probe, channel) => {
                self.without_runs(|it| it.channel_probe(*probe, channel))?
            }
            ExprKind::Poll(poll) => self.without_runs(|it| it.poll(poll, expr.span))?,
            ExprKind::Run(run) if self.runs_allowed => {
                Value::Run(Box::new(self.run(run, expr.span)?))
            }
            ExprKind::Timeout => {
                self.timeouts += 1;
                Value::Timeout
            }
            ExprKind::GetPriority(process) => {
                self.without_runs(|it| it.priority_of(process, expr.span))
            }
            ExprKind::Enabled(process) => {
                self.ask_enabled(expr.span);
                self.without_runs(|it| Value::Enabled(it.boxed(process)))
            }
            ExprKind::NonProgress => self.non_progress(expr.span)?,
            ExprKind::PcValue(process) => {
                self.uses.pc_value = true;
                Value::StateOf(self.without_runs(|it| it.boxed(process)))
            }
            ExprKind::RemoteLabel { proctype, process, label } => {
                self.remote_label(proctype, process.as_deref(), label)?
            }
            ExprKind::RemoteVariable { proctype, process, variable } => {
                self.remote_variable(proctype, process.as_deref(), variable)?
            }
            ExprKind::Run(_) => {
                self.refuse_run(expr.span);
                return None;
            }
        })
    }

    /// Runs `look_up` for a part of an expression where `run` cannot stand.
    fn without_runs<T>(&mut self, look_up: impl FnOnce(&mut Self) -> T) -> T {
        let allowed = std::mem::take(&mut self.runs_allowed);
        let result = look_up(self);
        self.runs_allowed = allowed;
        result
    }

    fn refuse_run(&mut self, span: Span) {
        let message = "`run` is allowed here only as a statement of its own";
        let hint = "assign its value to a variable first";
        self.diagnostics.push(Diagnostic::error(message, span).hint(hint));
    }

    fn read(&mut self, reference: &Reference) -> Option<Value> {
        let name = reference.parts[0].name.text.as_str();
        let alone = reference.parts.len() == 1;
        if alone && let Some(Symbol::Constant(value)) = self.lookup(name) {
            return Some(Value::Const(*value));
        }
        match name {
            "_pid" if self.outside || self.current.is_none() => {
                self.error("`_pid` has no meaning outside a process", reference.span);
                None
            }
            "_pid" => Some(Value::Pid),
            "_nr_pr" => Some(Value::ProcessCount),
            "_priority" if alone => self.own_priority(reference.span),
            "_last" => {
                self.uses.last = true;
                Some(Value::Last)
            }
            "_" => {
                self.error("`_` can be written, but not read", reference.span);
                None
            }
            _ => Some(Value::Read(self.target(reference)?)),
        }
    }

    fn ask_enabled(&mut self, span: Span) {
        // Processes that wait for `timeout` are asked about, so this may mention it too.
        self.timeouts += 1;
        self.uses.enabled.get_or_insert(span);
        if let Some(current) = self.current {
            self.proctypes[current].asks_enabled.get_or_insert(span);
        }
    }

    /// Spin refuses `np_` in processes, whose moves its value would have to depend on.
    fn non_progress(&mut self, span: Span) -> Option<Value> {
        if self.current.is_some() && !self.outside {
            self.error("`np_` is possible only in claims and queries", span);
            return None;
        }
        Some(Value::NonProgress)
    }

    fn poll(&mut self, poll: &ast::Poll, span: Span) -> Option<Value> {
        let (channel, arity) = self.channel_target(&poll.channel)?;
        let mut fields = self.patterns(&poll.patterns, false);
        if let Some(arity) = arity
            && fields.len() > arity
        {
            let compared = fields[arity..].iter().any(|it| matches!(it, Field::Equal(_)));
            match compared || poll.random {
                true => self.check_arity(fields.len(), arity, &poll.channel, span),
                false => {
                    let message = format!("only {arity} of {} fields are compared", fields.len());
                    self.diagnostics.push(Diagnostic::warning(message, span));
                }
            }
        }
        fields.iter_mut().filter(|it| matches!(it, Field::Store(_))).for_each(|it| {
            *it = Field::Any;
        });
        self.polls.push(span);
        let poll = Incoming { channel, fields, anywhere: poll.random, keep: true, span };
        Some(Value::Poll(Box::new(poll)))
    }

    fn binary(&mut self, op: Op, left: &Expr, right: &Expr) -> Value {
        let (left, right) = (self.value(left), self.value(right));
        let op = match op {
            Op::Add => BinaryOp::Add,
            Op::Subtract => BinaryOp::Sub,
            Op::Multiply => BinaryOp::Mul,
            Op::Divide => BinaryOp::Div,
            Op::Modulo => BinaryOp::Rem,
            Op::BitAnd => BinaryOp::BitAnd,
            Op::BitOr => BinaryOp::BitOr,
            Op::BitXor => BinaryOp::BitXor,
            Op::ShiftLeft => BinaryOp::Shl,
            Op::ShiftRight => BinaryOp::Shr,
            Op::Less => BinaryOp::Lt,
            Op::LessEqual => BinaryOp::Le,
            Op::Equal => BinaryOp::Eq,
            Op::NotEqual => BinaryOp::Ne,
            Op::GreaterEqual => BinaryOp::Ge,
            Op::Greater => BinaryOp::Gt,
            Op::And => BinaryOp::And,
            Op::Or => BinaryOp::Or,
            Op::Imply => return Value::binary(BinaryOp::Or, left.negated(), right),
        };
        Value::binary(op, left, right)
    }

    // ---- channels ----

    fn probe(&mut self, probe: Probe, channel: &Reference) -> Option<Value> {
        Some(Value::Probe(probe, self.channel_target(channel)?.0))
    }

    /// A rendezvous channel is never full for Spin's verifiers, though it has no room either.
    fn full(&mut self, channel: &Reference) -> Option<Value> {
        let full = self.probe(Probe::Full, channel)?;
        let filled = self.probe(Probe::Empty, channel)?.negated();
        Some(Value::Binary(BinaryOp::And, Box::new(full), Box::new(filled)))
    }

    fn channel_probe(&mut self, probe: ast::Probe, channel: &Reference) -> Option<Value> {
        Some(match probe {
            ast::Probe::Full => self.full(channel)?,
            ast::Probe::Empty => self.probe(Probe::Empty, channel)?,
            ast::Probe::NotFull => self.full(channel)?.negated(),
            ast::Probe::NotEmpty => self.probe(Probe::Empty, channel)?.negated(),
        })
    }

    pub(super) fn outgoing(&mut self, send: &ast::Send, span: Span) -> Option<Outgoing> {
        let (channel, arity) = self.channel_target(&send.channel)?;
        let fields = self.fields_of(&send.arguments);
        if let Some(arity) = arity {
            self.check_arity(fields.len(), arity, &send.channel, span);
            if fields.len() < arity {
                let message = format!("only {} of {arity} fields are sent", fields.len());
                self.warn_of_error(message, span);
            }
        }
        Some(Outgoing { channel, fields, sorted: send.sorted })
    }

    pub(super) fn check_arity(
        &mut self,
        count: usize,
        arity: usize,
        channel: &Reference,
        span: Span,
    ) {
        if count > arity {
            let channel = text(channel);
            let message = format!("the messages of `{channel}` have {arity} fields, not {count}");
            self.error(message, span);
        }
    }

    fn warn_of_error(&mut self, message: String, span: Span) {
        let diagnostic = Diagnostic::warning(message, span);
        self.diagnostics.push(diagnostic.hint("executing this is a run-time error"));
    }

    /// Arguments or parts of a message, each struct taken apart into its fields.
    pub(super) fn fields_of(&mut self, arguments: &[Expr]) -> Vec<Value> {
        let mut fields = vec![];
        for argument in arguments {
            match self.struct_leaves(argument) {
                Some(leaves) => fields.extend(leaves.into_iter().map(Value::Read)),
                None => fields.push(self.value(argument)),
            }
        }
        fields
    }

    /// The leaves of a struct given as a whole.
    pub(super) fn struct_leaves(&mut self, expr: &Expr) -> Option<Vec<Target>> {
        let ExprKind::Reference(reference) = &expr.kind else { return None };
        let Some(Symbol::Variable(_)) = self.lookup(&reference.parts[0].name.text) else {
            return None;
        };
        let before = self.diagnostics.count();
        let (shape, indices) = self.array_or_place(reference)?;
        let is_struct = matches!(shape.kind, ShapeKind::Struct(..)) && shape.size.is_none();
        (is_struct && before == self.diagnostics.count()).then(|| self.leaves(&shape, &indices))
    }

    pub(super) fn incoming(&mut self, receive: &ast::Receive, span: Span) -> Option<Incoming> {
        let (channel, arity) = self.channel_target(&receive.channel)?;
        let fields = self.patterns(&receive.patterns, true);
        let count = fields.len();
        match arity {
            Some(arity) if count < arity && !receive.keep => {
                self.warn_of_error(format!("only {count} of {arity} fields are received"), span);
            }
            Some(arity) if count > arity && receive.random => {
                self.check_arity(count, arity, &receive.channel, span);
            }
            Some(arity) if count > arity => {
                self.warn_of_error(format!("{count} fields are received of {arity}"), span);
            }
            _ => {}
        }
        if receive.keep {
            self.polls.push(span);
        }
        let (anywhere, keep) = (receive.random, receive.keep);
        Some(Incoming { channel, fields, anywhere, keep, span })
    }

    /// The patterns of a message.
    pub(super) fn patterns(&mut self, patterns: &[Pattern], stores: bool) -> Vec<Field> {
        let mut fields = vec![];
        for pattern in patterns {
            match pattern {
                Pattern::Eval(expr) | Pattern::Constant(expr) => {
                    fields.push(Field::Equal(self.value(expr)));
                }
                Pattern::Reference(reference) => self.store(reference, &mut fields, stores),
            }
        }
        fields
    }

    fn store(&mut self, reference: &Reference, fields: &mut Vec<Field>, stores: bool) {
        let name = reference.parts[0].name.text.as_str();
        if name == "_" {
            fields.push(Field::Any);
            return;
        }
        if name == "_priority" {
            fields.extend(self.priority_target(reference).map(Field::Store));
            return;
        }
        if let Some(Symbol::Constant(value)) = self.lookup(name) {
            fields.push(Field::Equal(Value::Const(*value)));
            return;
        }
        let Some((shape, indices)) = self.place(reference) else {
            fields.push(Field::Any);
            return;
        };
        for target in self.leaves(&shape, &indices) {
            if stores {
                self.mark_assigned(target.base);
            }
            fields.push(Field::Store(target));
        }
    }

    // ---- remote references ----

    fn remote(&mut self, name: &Name, process: Option<&Expr>) -> Option<Remote> {
        let proctype = self.known_proctype(name)?;
        self.uses.oldest |= process.is_none();
        let process = self.without_runs(|this| process.map(|it| this.boxed(it)));
        Some(Remote { proctype, process, label: String::new() })
    }

    fn remote_label(
        &mut self,
        proctype: &Name,
        process: Option<&Expr>,
        label: &Name,
    ) -> Option<Value> {
        let mut remote = self.remote(proctype, process)?;
        remote.label = label.text.clone();
        let (proctype, label, position) = (remote.proctype, label.clone(), self.position());
        self.remote_labels.push(RemoteLabel { proctype, label, position });
        Some(Value::At(remote))
    }

    fn remote_variable(
        &mut self,
        proctype: &Name,
        process: Option<&Expr>,
        variable: &Part,
    ) -> Option<Value> {
        let remote = self.remote(proctype, process)?;
        let index = variable.index.as_ref();
        let index = self.without_runs(|this| index.map(|it| this.value(it)));
        // The proctype may stand after this one, so its locals are looked up at the end.
        let target = Target { base: Base::Local(usize::MAX), indices: index.into_iter().collect() };
        let mut remote = remote;
        remote.label = variable.name.text.clone();
        self.uses.pc_value |= remote.label == "_p";
        if remote.label == "_priority" {
            self.use_priorities(variable.name.span);
        }
        self.remote_variables.push(RemoteVariable {
            proctype: remote.proctype,
            name: variable.name.clone(),
            has_index: variable.index.is_some(),
        });
        Some(Value::RemoteRead(remote, Box::new(target)))
    }
}

fn unary(op: ast::UnaryOp) -> UnaryOp {
    match op {
        ast::UnaryOp::Minus => UnaryOp::Neg,
        ast::UnaryOp::Not => UnaryOp::Not,
        ast::UnaryOp::BitNot => UnaryOp::BitNot,
    }
}
