//! The body of a proctype: statements become elements, declarations leaves.

use super::declare::{Declared, Shape, ShapeKind, Symbol, byte};
use super::flow::{DSTEP, El, ElementKind, Jump, Seq};
use super::resolved::{Base, Basic, Field, Incoming, Leaf, Outgoing, Run, Start, Target, Value};
use super::resolver::{Resolver, text};
use crate::ast::{
    Block, Declarator, Expr, ExprKind, ForRange, Initialiser, Name, Reference, Span, Statement,
    StatementKind, TypeKind, Variables,
};
use network::{BinaryOp, Probe};
use source::Diagnostic;

/// Constant bounds of `select` up to this far apart become a choice of assignments.
const WIDEST_CHOICE: i64 = 32;

/// A statement whose own element is still to be made.
enum Part {
    Single(ElementKind),
    /// The options, and the number of the exit of a loop.
    Choice(Vec<Seq>, Option<usize>),
    /// The options and the exit of a loop whose labels stand at the statement before it.
    Labelled(Vec<Seq>, usize),
    /// It was refused.
    Wrong,
}

impl Resolver<'_> {
    /// Builds the flow of the current proctype's body.
    pub(super) fn body(&mut self, block: &Block) -> Seq {
        self.flow().open();
        self.at_start = true;
        self.statements(block);
        let end = self.flow().element(ElementKind::End, last_byte(block.span));
        self.flow().add(end);
        self.flow().written = self.flow().elements.len();
        self.flow().close()
    }

    fn statements(&mut self, block: &Block) {
        block.statements.iter().for_each(|it| self.statement(it));
    }

    /// A sequence of its own; `braces` open a scope.
    fn sequence(&mut self, block: &Block, braces: bool) -> Seq {
        self.open();
        if braces {
            self.enter_scope();
        }
        self.statements(block);
        if braces {
            self.leave_scope();
        }
        let current = self.flow().current();
        if self.flow().is_empty(current) {
            // A block of declarations alone: Spin refuses it, a step does no harm.
            self.add(ElementKind::Basic(Basic::Nothing), &[], block.span);
        }
        self.flow().close()
    }

    fn open(&mut self) {
        self.flow().open();
        self.at_start = false;
    }

    fn add(&mut self, kind: ElementKind, labels: &[Name], span: Span) -> El {
        let element = self.flow().element(kind, span);
        self.label(labels, element);
        self.flow().add(element);
        element
    }

    fn add_basic(&mut self, basic: Basic, span: Span) {
        self.add(ElementKind::Basic(basic), &[], span);
    }

    fn label(&mut self, labels: &[Name], element: El) {
        let scope = self.scope_path();
        for name in labels {
            if !self.flow().labels.add(&name.text, &scope, element) {
                self.error(format!("the label `{}` is declared twice", name.text), name.span);
            }
        }
    }

    fn statement(&mut self, it: &Statement) {
        let (labels, span) = (it.labels.as_slice(), it.span);
        let first = self.flow().elements.len();
        match &it.kind {
            StatementKind::Variables(variables) => return self.local_variables(variables),
            StatementKind::Exclusive(_, channels) => {
                for channel in channels {
                    self.channel_target(channel);
                }
                return;
            }
            StatementKind::Unless(body, escape) => self.unless(body, escape, span),
            _ => {
                let part = self.inside(it);
                self.complete(part, labels, span);
            }
        }
        self.flow().say(first, &it.text);
        self.at_start = false;
    }

    /// All elements of a statement but its own, which Spin makes only when the statement is added
    /// to a sequence. What a loop does before its first round goes to the sequence being built.
    fn inside(&mut self, it: &Statement) -> Part {
        match &it.kind {
            StatementKind::If(options) => {
                self.check_elses(options);
                let options = options.iter().map(|it| self.sequence(it, false)).collect();
                Part::Choice(options, None)
            }
            StatementKind::Do(options) => {
                self.check_elses(options);
                let exit = self.enter_loop();
                let options = options.iter().map(|it| self.sequence(it, false)).collect();
                Part::Choice(options, Some(exit))
            }
            StatementKind::For { variable, range, body } => {
                self.for_loop(variable, range, body, it.span)
            }
            StatementKind::Select { variable, low, high, scanned } => {
                self.select(variable, (low, high), *scanned, it)
            }
            _ => Part::Single(self.kind(it)),
        }
    }

    /// Adds a statement to the sequence being built.
    fn complete(&mut self, part: Part, labels: &[Name], span: Span) {
        match part {
            Part::Single(kind) => drop(self.add(kind, labels, span)),
            Part::Choice(options, exit) => self.choice(options, exit, labels, span),
            Part::Labelled(options, exit) => self.choice(options, Some(exit), &[], span),
            Part::Wrong => {}
        }
    }

    /// The element of a statement that is a single one.
    fn kind(&mut self, it: &Statement) -> ElementKind {
        match &it.kind {
            StatementKind::Else => ElementKind::Else,
            StatementKind::Break => match self.loops.last() {
                Some(&exit) => ElementKind::Goto(Jump::Break(exit)),
                None => {
                    self.error("`break` outside a loop", it.span);
                    ElementKind::Basic(Basic::Nothing)
                }
            },
            StatementKind::Goto(name) => {
                self.gotos.push((self.current.unwrap_or(0), name.clone()));
                ElementKind::Goto(Jump::Label { name: name.text.clone(), scope: self.scope_path() })
            }
            StatementKind::Atomic(block) => {
                let seq = self.sequence(block, true);
                self.flow().make_atomic(seq, 0);
                ElementKind::Atomic(seq)
            }
            StatementKind::DStep(block) => {
                let before = self.timeouts;
                let seq = self.sequence(block, true);
                if self.timeouts > before {
                    self.flow().timed.insert(seq);
                }
                self.flow().make_atomic(seq, DSTEP);
                ElementKind::DStep(seq)
            }
            StatementKind::Block(block) => ElementKind::Block(self.sequence(block, true)),
            StatementKind::Inline(call) => ElementKind::Block(self.sequence(&call.body, true)),
            _ => ElementKind::Basic(self.basic(it).unwrap_or(Basic::Nothing)),
        }
    }

    fn basic(&mut self, it: &Statement) -> Option<Basic> {
        Some(match &it.kind {
            StatementKind::Expr(expr) => match &expr.kind {
                ExprKind::Run(run) => Basic::Run(self.run(run, expr.span)?),
                _ => Basic::Guard(self.value(expr)),
            },
            StatementKind::Assign(target, value) | StatementKind::Return { target, value } => {
                self.assignment(target, value)?
            }
            StatementKind::Increment(target) => self.change(target, BinaryOp::Add)?,
            StatementKind::Decrement(target) => self.change(target, BinaryOp::Sub)?,
            StatementKind::Send(send) if self.in_trace() => {
                Basic::Event(self.sent_event(send, it.span)?)
            }
            StatementKind::Receive(receive) if self.in_trace() => {
                Basic::Event(self.received_event(receive, it.span)?)
            }
            StatementKind::Send(send) => Basic::Send(self.outgoing(send, it.span)?),
            StatementKind::Receive(receive) => Basic::Receive(self.incoming(receive, it.span)?),
            StatementKind::Assert(expr) => Basic::Assert(self.value_with_runs(expr)),
            StatementKind::Printf(format, values) => {
                let (format, values) = self.with_names(format, values);
                let values = values.into_iter().map(|it| self.value_with_runs(it)).collect();
                Basic::Print(format, values)
            }
            StatementKind::Printm(value) => {
                let (format, values) = self.with_names("%e", std::slice::from_ref(value));
                let values = values.into_iter().map(|it| self.value(it)).collect();
                Basic::Print(format, values)
            }
            StatementKind::SetPriority(process, priority) => {
                self.set_priority(process, priority, it.span)?
            }
            _ => return None,
        })
    }

    /// A format with the names of constants in place of their `%e`, and the other values: a number alone
    /// does not say which `mtype` it is of.
    fn with_names<'v>(&self, format: &str, values: &'v [Expr]) -> (String, Vec<&'v Expr>) {
        let (mut text, mut kept) = (String::new(), vec![]);
        let (mut values, mut rest) = (values.iter(), format.chars());
        while let Some(character) = rest.next() {
            let next = if matches!(character, '%' | '\\') { rest.next() } else { None };
            let value = match (character, next) {
                ('%', Some(kind)) if kind != '%' => values.next(),
                _ => None,
            };
            match value.and_then(|it| self.constant_name(it)).filter(|_| next == Some('e')) {
                Some(name) => text.push_str(name),
                None => {
                    text.push(character);
                    text.extend(next);
                    kept.extend(value);
                }
            }
        }
        kept.extend(values);
        (text, kept)
    }

    /// The name of a constant.
    fn constant_name<'v>(&self, value: &'v Expr) -> Option<&'v str> {
        let ExprKind::Reference(reference) = &value.kind else { return None };
        let [part] = reference.parts.as_slice() else { return None };
        let known = self.lookup(&part.name.text);
        matches!(known, Some(Symbol::Constant(_))).then_some(part.name.text.as_str())
    }

    fn assignment(&mut self, target: &Reference, value: &Expr) -> Option<Basic> {
        if target.parts[0].name.text == "_" {
            return Some(Basic::Evaluate(self.value_with_runs(value)));
        }
        let target = self.assigned(target)?;
        Some(Basic::Assign(target, self.value_with_runs(value)))
    }

    /// A value that is computed when a statement is done, so that it may start processes.
    fn value_with_runs(&mut self, expr: &Expr) -> Value {
        self.runs_allowed = true;
        let value = self.value(expr);
        self.runs_allowed = false;
        value
    }

    fn change(&mut self, target: &Reference, op: BinaryOp) -> Option<Basic> {
        let target = self.assigned(target)?;
        let value = Value::binary(op, Value::Read(target.clone()), Value::Const(1));
        Some(Basic::Assign(target, value))
    }

    pub(super) fn run(&mut self, run: &crate::ast::Run, span: Span) -> Option<Run> {
        let name = &run.proctype;
        let proctype = self.known_proctype(name)?;
        let priority = self.run_priority(proctype, run.priority.as_deref());
        let arguments = self.fields_of(&run.arguments);
        self.runs.push((proctype, arguments.len(), span));
        Some(Run { proctype, arguments, priority, span })
    }

    // ---- declarations ----

    /// Behind the first statement a declaration is a step of its own: it assigns the initial
    /// value (to the first element of an array); a struct takes a step without effect.
    fn local_variables(&mut self, variables: &Variables) {
        let at_start = self.at_start;
        let list = self.variables(variables, at_start);
        if at_start {
            return;
        }
        if matches!(variables.ty.kind, TypeKind::Named(_)) {
            self.add_basic(Basic::Nothing, variables.span);
            return;
        }
        for (Declared { shape, span }, declarator) in list.iter().zip(&variables.declarators) {
            let ShapeKind::Leaf(base) = shape.kind else { continue };
            let indices = shape.size.iter().map(|_| Value::Const(0)).collect();
            let basic = self.late_initialiser(declarator, Target { base, indices });
            self.add_basic(basic, *span);
        }
    }

    fn late_initialiser(&mut self, declarator: &Declarator, target: Target) -> Basic {
        self.mark_assigned(target.base);
        match &declarator.initialiser {
            None => Basic::Assign(target, Value::Const(0)),
            Some(Initialiser::Value(value)) => Basic::Assign(target, self.value(value)),
            Some(Initialiser::List(values)) => {
                let span = values.first().map_or(declarator.span, |it| it.span);
                self.error("a list of values is allowed only at the start of a process", span);
                Basic::Nothing
            }
            Some(Initialiser::Channel(channel)) => {
                let message = "a channel can be created only at the start of a process";
                let hint = "move the declaration before the first statement";
                self.diagnostics.push(Diagnostic::error(message, channel.span).hint(hint));
                Basic::Nothing
            }
        }
    }

    // ---- choices and loops ----

    fn enter_loop(&mut self) -> usize {
        let exit = self.flow().new_break();
        self.loops.push(exit);
        exit
    }

    fn check_elses(&mut self, options: &[Block]) {
        let first = |it: &Block| it.statements.first().cloned();
        let elses = options.iter().filter_map(first).filter(|it| it.kind == StatementKind::Else);
        let mut elses = elses.peekable();
        if elses.peek().is_some() {
            options.iter().for_each(|it| self.warn_of_assignment(it));
        }
        for it in elses.skip(1) {
            self.error("a second `else`", it.span);
        }
    }

    fn warn_of_assignment(&mut self, option: &Block) {
        if let [Statement { kind: StatementKind::Assign(..), span, .. }, _, ..] =
            &option.statements[..]
        {
            let message = "an assignment is always possible, so `else` never is";
            let hint = "to compare, write `==`";
            self.diagnostics.push(Diagnostic::warning(message, *span).hint(hint));
        }
    }

    fn choice(&mut self, options: Vec<Seq>, exit: Option<usize>, labels: &[Name], span: Span) {
        let choice = self.flow().choice(options, exit, span);
        self.label(labels, choice);
        if exit.is_some() {
            self.loops.pop();
        }
    }

    fn unless(&mut self, body: &Statement, escape: &Statement, span: Span) {
        let first = self.flow().elements.len();
        let part = self.inside(body);
        self.flow().say(first, &body.text);
        // A `break` in the escape leaves a loop around both.
        let own = match part {
            Part::Choice(_, Some(_)) | Part::Labelled(..) => self.loops.pop(),
            _ => None,
        };
        let escape = self.as_sequence(escape);
        self.loops.extend(own);
        match part {
            Part::Single(ElementKind::Block(seq)) if body.labels.is_empty() => {
                self.flow().unless(seq, escape, span);
            }
            Part::Single(ElementKind::Block(seq)) => {
                self.labelled_unless(ElementKind::Block, seq, escape, body);
            }
            Part::Single(ElementKind::Atomic(seq)) if !body.labels.is_empty() => {
                self.labelled_unless(ElementKind::Atomic, seq, escape, body);
            }
            Part::Single(ElementKind::DStep(seq)) if !body.labels.is_empty() => {
                self.labelled_unless(ElementKind::DStep, seq, escape, body);
            }
            part => {
                self.refuse_label(body);
                self.open();
                let first = self.flow().elements.len();
                self.complete(part, &body.labels, body.span);
                self.flow().say(first, &body.text);
                let body = self.flow().close();
                self.flow().unless(body, escape, span);
            }
        }
    }

    fn refuse_label(&mut self, body: &Statement) {
        if !body.labels.is_empty() {
            let hint = "write `label: { statement unless statement }`";
            let message = "a label before a statement with `unless`";
            self.diagnostics.push(Diagnostic::error(message, body.span).hint(hint));
        }
    }

    /// `label: { body } unless escape`: the label goes to a block around it all.
    fn labelled_unless(
        &mut self,
        wrap: fn(Seq) -> ElementKind,
        seq: Seq,
        escape: Seq,
        body: &Statement,
    ) {
        self.open();
        self.flow().unless(seq, escape, body.span);
        let around = self.flow().close();
        self.add(wrap(around), &body.labels, body.span);
    }

    /// A statement as a sequence of its own; a block is one already.
    fn as_sequence(&mut self, it: &Statement) -> Seq {
        let first = self.flow().elements.len();
        match self.inside(it) {
            Part::Single(ElementKind::Block(seq)) if it.labels.is_empty() => seq,
            part => {
                self.open();
                self.complete(part, &it.labels, it.span);
                self.flow().say(first, &it.text);
                self.flow().close()
            }
        }
    }

    fn for_loop(
        &mut self,
        variable: &Reference,
        range: &ForRange,
        body: &Block,
        span: Span,
    ) -> Part {
        let exit = self.enter_loop();
        self.enter_scope();
        let counter = match range {
            ForRange::Between(low, high) => {
                self.check_range(low, high, span);
                let (low, high) = (self.value(low), self.value(high));
                self.count_up(variable, low, high, span)
            }
            ForRange::In(reference) => self.for_in(variable, reference, span),
        };
        self.statements(body);
        if let Some(counter) = counter {
            self.increment(counter, span);
        }
        let body = self.flow().close();
        self.leave_scope();
        self.open();
        self.add(ElementKind::Else, &[], span);
        self.add(ElementKind::Goto(Jump::Break(exit)), &[], span);
        let leave = self.flow().close();
        Part::Choice(vec![leave, body], Some(exit))
    }

    fn count_up(&mut self, it: &Reference, low: Value, high: Value, span: Span) -> Option<Target> {
        let target = self.assigned(it);
        if let Some(target) = &target {
            self.add_basic(Basic::Assign(target.clone(), low), span);
        }
        self.open();
        let read = target.clone().map_or(Value::Const(0), Value::Read);
        self.add_basic(Basic::Guard(Value::binary(BinaryOp::Le, read, high)), span);
        target
    }

    fn increment(&mut self, counter: Target, span: Span) {
        let more = Value::binary(BinaryOp::Add, Value::Read(counter.clone()), Value::Const(1));
        self.add_basic(Basic::Assign(counter, more), span);
    }

    fn for_in(&mut self, variable: &Reference, it: &Reference, span: Span) -> Option<Target> {
        let Some((shape, _)) = self.array_or_place(it) else {
            self.open();
            return None;
        };
        let variable_is_struct = matches!(
            self.lookup(&variable.parts[0].name.text),
            Some(Symbol::Variable(shape)) if matches!(shape.kind, ShapeKind::Struct(..))
        );
        match shape.size {
            Some(_) if variable_is_struct && self.is_channel(&shape) => {
                let first = self.first_element(it);
                self.for_messages(variable, &first, span)
            }
            Some(size) => {
                let last = Value::Const(size as i32 - 1);
                self.count_up(variable, Value::Const(0), last, span)
            }
            None if variable_is_struct => self.for_messages(variable, it, span),
            None => {
                self.error("`for` runs over an array, or over a channel of structs", it.span);
                self.open();
                None
            }
        }
    }

    fn is_channel(&self, shape: &Shape) -> bool {
        let ShapeKind::Leaf(base) = shape.kind else { return false };
        self.leaf_of(base).is_some_and(|leaf| leaf.is_channel)
    }

    /// What Spin takes an array of channels for.
    fn first_element(&mut self, array: &Reference) -> Reference {
        let message = format!("`{}` is an array of channels; its element 0 is used", text(array));
        self.diagnostics.push(Diagnostic::warning(message, array.span).hint("write the index"));
        let mut first = array.clone();
        if let Some(last) = first.parts.last_mut() {
            last.index = Some(Expr { kind: ExprKind::Int(0), span: array.span });
        }
        first
    }

    /// Takes every message once, each put back at the end of the channel.
    fn for_messages(&mut self, variable: &Reference, it: &Reference, span: Span) -> Option<Target> {
        let counter = self.add_leaf(Leaf {
            name: format!("for_{}", self.scope_count),
            ty: byte(),
            sizes: vec![],
            is_channel: false,
            hidden: false,
            start: Start::Zero,
            assigned: true,
            span,
        });
        let counter = Target { base: counter, indices: vec![] };
        self.add_basic(Basic::Assign(counter.clone(), Value::Const(0)), span);
        self.open();
        let (channel, _) = self.channel_target(it)?;
        let (shape, indices) = self.place(variable)?;
        let leaves = self.leaves(&shape, &indices);
        leaves.iter().for_each(|leaf| self.mark_assigned(leaf.base));
        let length = Value::Probe(Probe::Length, channel.clone());
        let more = Value::binary(BinaryOp::Lt, Value::Read(counter.clone()), length);
        self.add_basic(Basic::Guard(more), span);
        let fields = leaves.iter().cloned().map(Field::Store).collect();
        let take =
            Incoming { channel: channel.clone(), fields, anywhere: false, keep: false, span };
        self.add_basic(Basic::Receive(take), span);
        let fields = leaves.into_iter().map(Value::Read).collect();
        self.add_basic(Basic::Send(Outgoing { channel, fields, sorted: false }), span);
        Some(counter)
    }

    /// An empty range is refused if it can be seen at once, as by Spin.
    fn check_range(&mut self, low: &Expr, high: &Expr, span: Span) -> Option<(i32, i32)> {
        let (&ExprKind::Int(low), &ExprKind::Int(high)) = (&low.kind, &high.kind) else {
            return None;
        };
        if low > high {
            self.error(format!("there is nothing from {low} to {high}"), span);
        }
        Some((low, high))
    }

    fn select(
        &mut self,
        variable: &Reference,
        (low, high): (&Expr, &Expr),
        scanned: bool,
        it: &Statement,
    ) -> Part {
        let span = it.span;
        let Some(target) = self.assigned(variable) else { return Part::Wrong };
        let constants = self.check_range(low, high, span).filter(|_| scanned);
        if let Some((low, high)) = constants
            && i64::from(high) - i64::from(low) <= WIDEST_CHOICE
        {
            let options = (low..=high).map(|it| self.option(&target, it, span)).collect();
            return Part::Choice(options, None);
        }
        let (low, high) = (self.value(low), self.value(high));
        let exit = self.enter_loop();
        // The scanner writes the whole loop in place of the `select`; otherwise labels mean the
        // loop alone.
        let labels = if scanned { it.labels.as_slice() } else { &[] };
        self.add(ElementKind::Basic(Basic::Assign(target.clone(), low)), labels, span);
        let (more, leave) = self.rounds(target, high, exit, span);
        match scanned {
            true => Part::Labelled(vec![more, leave], exit),
            false => Part::Choice(vec![leave, more], Some(exit)),
        }
    }

    /// The options of a `select` that counts up to a bound: to go on, and to stop.
    fn rounds(&mut self, target: Target, high: Value, exit: usize, span: Span) -> (Seq, Seq) {
        self.open();
        let read = Value::Read(target.clone());
        self.add_basic(Basic::Guard(Value::binary(BinaryOp::Lt, read, high)), span);
        self.increment(target, span);
        let more = self.flow().close();
        self.open();
        self.add(ElementKind::Goto(Jump::Break(exit)), &[], span);
        (more, self.flow().close())
    }

    fn option(&mut self, target: &Target, value: i32, span: Span) -> Seq {
        self.open();
        self.add_basic(Basic::Assign(target.clone(), Value::Const(value)), span);
        self.flow().close()
    }

    /// The leaves that arguments go to: a parameter, or each field of one.
    pub(super) fn parameters(&mut self, parameters: &[Variables]) -> Vec<usize> {
        let mut list = vec![];
        for variables in parameters {
            for Declared { shape, span } in self.variables(variables, true) {
                for Target { base, indices } in self.leaves(&shape, &[]) {
                    let Base::Local(index) = base else { continue };
                    if !indices.is_empty() {
                        self.error("a parameter cannot be or hold an array", span);
                        break;
                    }
                    self.mark_assigned(base);
                    list.push(index);
                }
            }
        }
        // What the fields of a struct start with gives way to the arguments.
        let current = self.current.unwrap_or(0);
        list.iter().for_each(|&it| self.proctypes[current].locals[it].start = Start::Zero);
        list
    }
}

/// The closing brace.
fn last_byte(span: Span) -> Span {
    Span { start: span.end.saturating_sub(1).max(span.start), ..span }
}
