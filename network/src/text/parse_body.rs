//! Reads expressions, statements and actions.

use super::lexer::TokenKind;
use super::parse::{Parsed, Parser};
use super::{OPERATORS, RELATIONS, level};
use crate::{
    Base, BinaryOp, ChannelId, ChannelRef, ClockConstraint, ClockId, ClockRef, Expr, FailureId,
    FunctionId, LocationId, MAX_DEPTH, Pattern, Place, Poll, Probe, ProcessId, Quantifier, Receive,
    Relation, Send, Span, Statement, StatementKind, UnaryOp, VariableId,
};

/// An expression and its depth, which decides whether the tree may grow further.
struct Tree {
    expr: Expr,
    depth: usize,
}

/// Printed text needs at most two levels of reading per level of the tree: operand, parenthesis.
/// This and the functions that are never inlined keep the stack that reading takes below 2 MB.
const MAX_READING_DEPTH: usize = 2 * MAX_DEPTH + 2;

const TOO_DEEP: &str = "this is nested too deeply";

impl<'t> Parser<'t> {
    // ---- expressions ----

    pub fn expr(&mut self) -> Parsed<Expr> {
        Ok(self.tree(level::LOWEST)?.expr)
    }

    /// A new node above operands of the given depth.
    fn node(&self, expr: Expr, depth: usize) -> Parsed<Tree> {
        if self.statement_depth + depth >= MAX_DEPTH {
            self.fail(TOO_DEEP)
        } else {
            Ok(Tree { expr, depth: depth + 1 })
        }
    }

    /// An expression that holds together at least as tightly as the level demands.
    fn tree(&mut self, demanded: u8) -> Parsed<Tree> {
        if 2 * self.statement_depth + self.expression_depth >= MAX_READING_DEPTH {
            return self.fail(TOO_DEEP);
        }
        self.expression_depth += 1;
        let operand = self.operand(demanded)?;
        let tree = self.operators(operand, demanded)?;
        self.expression_depth -= 1;
        Ok(tree)
    }

    /// An expression that never needs parentheses; it counts for both levels of reading.
    fn inner(&mut self) -> Parsed<Tree> {
        self.expression_depth += 1;
        let tree = self.tree(level::LOWEST)?;
        self.expression_depth -= 1;
        Ok(tree)
    }

    /// The operators that follow an operand.
    #[inline(never)]
    fn operators(&mut self, mut tree: Tree, demanded: u8) -> Parsed<Tree> {
        while let Some((op, level)) = self.operator(demanded) {
            self.advance();
            let right = self.tree(level + 1)?;
            let depth = tree.depth.max(right.depth);
            tree = self.node(Expr::binary(op, tree.expr, right.expr), depth)?;
        }
        if demanded <= level::IMPLY && self.accept_word("imply") {
            tree = self.imply(tree)?;
        }
        if demanded == level::LOWEST && self.accept("?") {
            tree = self.conditional(tree)?;
        }
        Ok(tree)
    }

    /// A condition: the data part and the clock constraints.
    ///
    /// The conjunction is not built as a tree, whose depth would limit the number of constraints.
    pub fn conjunction(&mut self) -> Parsed<(Expr, Vec<ClockConstraint>)> {
        let mut parts = Vec::new();
        loop {
            parts.push(self.tree(level::AND + 1)?);
            if !self.accept("&&") {
                break;
            }
        }
        let lower = self.operator(level::LOWEST).is_some() || self.at_symbol("?");
        if lower || *self.peek() == TokenKind::Keyword("imply") {
            let left = self.conjoin(parts)?;
            parts = vec![self.operators(left, level::LOWEST)?];
        }
        let (mut data, mut clocks) = (Vec::new(), Vec::new());
        for part in parts {
            match part.expr {
                Expr::Clock(constraint) => clocks.push(*constraint),
                _ => data.push(part),
            }
        }
        Ok((self.conjoin(data)?.expr, clocks))
    }
    fn conjoin(&self, parts: Vec<Tree>) -> Parsed<Tree> {
        let mut parts = parts.into_iter();
        let mut tree = parts.next().unwrap_or(Tree { expr: Expr::TRUE, depth: 1 });
        for part in parts {
            let depth = tree.depth.max(part.depth);
            tree = self.node(Expr::binary(BinaryOp::And, tree.expr, part.expr), depth)?;
        }
        Ok(tree)
    }

    /// The operator that stands here, if it binds at least as tightly as demanded.
    fn operator(&self, demanded: u8) -> Option<(BinaryOp, u8)> {
        let TokenKind::Symbol(symbol) = self.peek() else {
            return None;
        };
        let &(op, _, level) = OPERATORS.iter().find(|entry| entry.1 == *symbol)?;
        (level >= demanded).then_some((op, level))
    }

    #[inline(never)]
    fn imply(&mut self, when: Tree) -> Parsed<Tree> {
        let start = self.position;
        let right = self.tree(level::IMPLY + 1)?;
        let depth = right.depth.max(when.depth + 1);
        match right.expr {
            Expr::Clock(mut constraint) if constraint.when.is_none() => {
                constraint.when = Some(when.expr);
                self.node(Expr::Clock(constraint), depth - 1)
            }
            _ => self.fail_at(start, "`imply` leads to a clock constraint only"),
        }
    }

    #[inline(never)]
    fn conditional(&mut self, condition: Tree) -> Parsed<Tree> {
        let yes = self.inner()?;
        self.expect(":")?;
        let no = self.inner()?;
        let depth = condition.depth.max(yes.depth).max(no.depth);
        let boxes = [condition, yes, no].map(|tree| Box::new(tree.expr));
        let [condition, yes, no] = boxes;
        self.node(Expr::Conditional(condition, yes, no), depth)
    }

    fn operand(&mut self, demanded: u8) -> Parsed<Tree> {
        match self.peek() {
            TokenKind::Number(_) => self.constant(),
            TokenKind::Symbol("-") if matches!(self.peek_at(1), TokenKind::Number(_)) => {
                self.constant()
            }
            TokenKind::Symbol("-") => self.prefix(UnaryOp::Neg),
            TokenKind::Symbol("!") => self.prefix(UnaryOp::Not),
            TokenKind::Symbol("~") => self.prefix(UnaryOp::BitNot),
            TokenKind::Symbol("(") if *self.peek_at(1) == TokenKind::Keyword("clock") => {
                self.clock_constraint(demanded)
            }
            TokenKind::Symbol("(") => {
                self.advance();
                let tree = self.tree(level::LOWEST)?;
                self.expect(")")?;
                Ok(tree)
            }
            TokenKind::Keyword(word) => self.keyword_operand(word),
            _ => self.named_operand(demanded),
        }
    }

    #[inline(never)]
    fn constant(&mut self) -> Parsed<Tree> {
        let value = self.integer()?;
        self.node(Expr::Const(value), 0)
    }

    #[inline(never)]
    fn prefix(&mut self, op: UnaryOp) -> Parsed<Tree> {
        self.advance();
        let operand = self.tree(level::UNARY)?;
        self.node(Expr::unary(op, operand.expr), operand.depth)
    }

    #[inline(never)]
    fn keyword_operand(&mut self, word: &str) -> Parsed<Tree> {
        let op = match word {
            "deadlock" => {
                self.advance();
                return self.node(Expr::Deadlock, 0);
            }
            "timeout" => {
                self.advance();
                return self.node(Expr::Timeout, 0);
            }
            "len" => return self.probe(Probe::Length),
            "full" => return self.probe(Probe::Full),
            "empty" => return self.probe(Probe::Empty),
            "poll" => return self.poll(),
            "forall" => return self.quantified(Quantifier::ForAll),
            "exists" => return self.quantified(Quantifier::Exists),
            "sum" => return self.quantified(Quantifier::Sum),
            "abs" => return self.absolute(),
            "min" => BinaryOp::Min,
            "max" => BinaryOp::Max,
            _ => return self.expected("an expression"),
        };
        self.advance();
        self.expect("(")?;
        let left = self.inner()?;
        self.expect(",")?;
        let right = self.inner()?;
        self.expect(")")?;
        let depth = left.depth.max(right.depth);
        self.node(Expr::binary(op, left.expr, right.expr), depth)
    }

    #[inline(never)]
    fn absolute(&mut self) -> Parsed<Tree> {
        self.advance();
        self.expect("(")?;
        let operand = self.inner()?;
        self.expect(")")?;
        self.node(Expr::unary(UnaryOp::Abs, operand.expr), operand.depth)
    }

    #[inline(never)]
    fn quantified(&mut self, quantifier: Quantifier) -> Parsed<Tree> {
        self.advance();
        self.expect("(")?;
        let binder = self.binder()?;
        self.expect(")")?;
        let operand = self.inner()?;
        let expr = Expr::Quantified(quantifier, binder, Box::new(operand.expr));
        self.node(expr, operand.depth)
    }

    /// Something that starts with a name: a local, call, location test, variable or clock.
    #[inline(never)]
    fn named_operand(&mut self, demanded: u8) -> Parsed<Tree> {
        if !matches!(self.peek(), TokenKind::Word(_) | TokenKind::Quoted(_)) {
            return self.expected("an expression");
        }
        let after = if *self.peek_at(1) == TokenKind::Symbol("##") { 3 } else { 1 };
        match self.peek_at(after) {
            TokenKind::Symbol("(") => self.call(),
            TokenKind::Keyword("at") => self.at_location(),
            TokenKind::Symbol("#") => self.read(),
            _ if self.names_clock() => self.clock_constraint(demanded),
            _ => self.read(),
        }
    }

    /// Whether the name here is a clock's and not also a variable's.
    fn names_clock(&self) -> bool {
        let name = match self.peek() {
            TokenKind::Word(word) => *word,
            TokenKind::Quoted(text) => text,
            _ => return false,
        };
        self.symbols.clocks.contains(name) && !self.symbols.variables.contains(name)
    }

    #[inline(never)]
    fn call(&mut self) -> Parsed<Tree> {
        let function = self.function_reference()?;
        let (arguments, depth) = self.trees()?;
        self.node(Expr::Call(function, arguments), depth)
    }
    fn function_reference(&mut self) -> Parsed<FunctionId> {
        Ok(FunctionId(self.reference(&self.symbols.functions, "function")?))
    }
    /// Expressions in parentheses and the depth of the deepest.
    #[inline(never)]
    fn trees(&mut self) -> Parsed<(Vec<Expr>, usize)> {
        let mut depth = 0;
        let exprs = self.list(|parser| {
            let tree = parser.inner()?;
            depth = depth.max(tree.depth);
            Ok(tree.expr)
        })?;
        Ok((exprs, depth))
    }

    #[inline(never)]
    fn at_location(&mut self) -> Parsed<Tree> {
        let (process, location) = self.process_at_location()?;
        self.node(Expr::At(process, location), 0)
    }
    fn process_at_location(&mut self) -> Parsed<(ProcessId, LocationId)> {
        let process = self.reference(&self.symbols.processes, "process")?;
        self.expect_word("at")?;
        let locations = &self.symbols.locations[process as usize];
        let location = LocationId(self.reference(locations, "location")?);
        Ok((ProcessId(process), location))
    }

    #[inline(never)]
    fn read(&mut self) -> Parsed<Tree> {
        let (place, depth) = self.place()?;
        self.node(Expr::Read(place), depth)
    }
    /// A place and the depth of its deepest index.
    #[inline(never)]
    fn place(&mut self) -> Parsed<(Place, usize)> {
        let base = if *self.peek_at(1) == TokenKind::Symbol("#") {
            Base::Local(self.local_mention()?)
        } else {
            Base::Variable(VariableId(self.reference(&self.symbols.variables, "variable")?))
        };
        let (indices, depth) = self.indices()?;
        Ok((Place { base, indices }, depth))
    }
    #[inline(never)]
    fn indices(&mut self) -> Parsed<(Vec<Expr>, usize)> {
        let (mut indices, mut depth) = (Vec::new(), 0);
        while self.accept("[") {
            let tree = self.inner()?;
            depth = depth.max(tree.depth);
            indices.push(tree.expr);
            self.expect("]")?;
        }
        Ok((indices, depth))
    }

    // ---- clocks ----

    #[inline(never)]
    fn clock_constraint(&mut self, demanded: u8) -> Parsed<Tree> {
        if demanded > level::COMPARE {
            return self.fail("a clock can only be compared; parentheses may be missing");
        }
        let (left, left_depth) = self.clock_operand()?;
        let (mut right, mut right_depth) = (None, 0);
        if self.accept("-") {
            let (clock, depth) = self.clock_operand()?;
            right = Some(clock);
            right_depth = depth;
        }
        let relation = self.relation()?;
        let bound = self.tree(level::COMPARE + 1)?;
        let depth = left_depth.max(right_depth).max(bound.depth);
        let constraint = ClockConstraint { when: None, left, right, relation, bound: bound.expr };
        self.node(Expr::Clock(Box::new(constraint)), depth)
    }
    fn relation(&mut self) -> Parsed<Relation> {
        let found = match self.peek() {
            TokenKind::Symbol(symbol) => RELATIONS.iter().find(|entry| entry.1 == *symbol),
            _ => None,
        };
        let Some((relation, _)) = found else {
            return self.expected("a comparison of the clock");
        };
        self.advance();
        Ok(*relation)
    }
    /// A clock within an expression: `x`, or `(clock x)` where a variable has the same name.
    fn clock_operand(&mut self) -> Parsed<(ClockRef, usize)> {
        let enclosed = self.accept("(");
        if enclosed {
            self.expect_word("clock")?;
        }
        let clock = ClockId(self.reference(&self.symbols.clocks, "clock")?);
        if enclosed {
            self.expect(")")?;
        }
        let (indices, depth) = self.indices()?;
        Ok((ClockRef { clock, indices }, depth))
    }
    pub fn clock_ref(&mut self) -> Parsed<ClockRef> {
        let clock = ClockId(self.reference(&self.symbols.clocks, "clock")?);
        Ok(ClockRef { clock, indices: self.indices()?.0 })
    }

    // ---- channels ----

    #[inline(never)]
    fn probe(&mut self, probe: Probe) -> Parsed<Tree> {
        self.advance();
        self.expect("(")?;
        let (channel, depth) = self.channel_ref()?;
        self.expect(")")?;
        self.node(Expr::Probe(probe, Box::new(channel)), depth)
    }

    #[inline(never)]
    fn poll(&mut self) -> Parsed<Tree> {
        self.advance();
        let (channel, channel_depth) = self.channel_ref()?;
        let (message, depth) = self.patterns()?;
        let anywhere = self.accept_word("anywhere");
        let poll = Poll { channel, message, anywhere };
        self.node(Expr::Poll(Box::new(poll)), depth.max(channel_depth))
    }

    /// A channel and the depth of its deepest expression.
    #[inline(never)]
    fn channel_ref(&mut self) -> Parsed<(ChannelRef, usize)> {
        if self.accept_word("channel") {
            self.expect("(")?;
            let value = self.inner()?;
            self.expect(")")?;
            return Ok((ChannelRef::Value(value.expr), value.depth));
        }
        let channel = ChannelId(self.reference(&self.symbols.channels, "channel")?);
        let (indices, depth) = self.indices()?;
        Ok((ChannelRef::Element(channel, indices), depth))
    }

    /// The patterns of a message and the depth of the deepest expression in them.
    #[inline(never)]
    fn patterns(&mut self) -> Parsed<(Vec<Pattern>, usize)> {
        if !self.at_symbol("(") {
            return Ok((Vec::new(), 0));
        }
        let mut deepest = 0;
        let patterns = self.list(|parser| {
            let (pattern, depth) = parser.pattern()?;
            deepest = deepest.max(depth);
            Ok(pattern)
        })?;
        Ok((patterns, deepest))
    }
    fn pattern(&mut self) -> Parsed<(Pattern, usize)> {
        if self.accept_word("_") {
            return Ok((Pattern::Any, 0));
        }
        if self.accept("==") {
            let value = self.inner()?;
            return Ok((Pattern::Equal(value.expr), value.depth));
        }
        let (place, depth) = self.place()?;
        Ok((Pattern::Store(place), depth))
    }

    pub fn send(&mut self) -> Parsed<Send> {
        let (channel, _) = self.channel_ref()?;
        let message = if self.at_symbol("(") { self.trees()?.0 } else { Vec::new() };
        let sorted = self.accept_word("sorted");
        Ok(Send { channel, message, sorted, span: self.span()? })
    }

    pub fn receive(&mut self) -> Parsed<Receive> {
        let (channel, _) = self.channel_ref()?;
        let (message, _) = self.patterns()?;
        let anywhere = self.accept_word("anywhere");
        let keep = self.accept_word("keep");
        Ok(Receive { channel, message, anywhere, keep, span: self.span()? })
    }

    // ---- statements ----

    /// Statements up to the brace that closes the block.
    pub fn statements_until_close(&mut self) -> Parsed<Vec<Statement>> {
        if self.statement_depth > MAX_DEPTH {
            return self.fail(TOO_DEEP);
        }
        self.statement_depth += 1;
        let mut statements = Vec::new();
        while !self.accept("}") {
            statements.push(self.statement()?);
        }
        self.statement_depth -= 1;
        Ok(statements)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        if self.accept_word("if") {
            return self.branch();
        }
        if self.accept_word("while") {
            let (condition, span) = self.head()?;
            let body = self.statements_until_close()?;
            return Ok(Statement { kind: StatementKind::While(condition, body), span });
        }
        let kind = self.simple_statement()?;
        let span = match &kind {
            StatementKind::Send(send) => self.outer_span(send.span)?,
            StatementKind::Receive(receive) => self.outer_span(receive.span)?,
            _ => self.span()?,
        };
        self.expect(";")?;
        Ok(Statement { kind, span })
    }
    /// The span of a statement around an action: that of the action unless it says otherwise.
    fn outer_span(&mut self, inner: Span) -> Parsed<Span> {
        if self.accept_word("of") { self.span() } else { Ok(inner) }
    }

    #[inline(never)]
    fn head(&mut self) -> Parsed<(Expr, Span)> {
        self.expect("(")?;
        let condition = self.expr()?;
        self.expect(")")?;
        let span = self.span()?;
        self.expect("{")?;
        Ok((condition, span))
    }

    #[inline(never)]
    fn branch(&mut self) -> Parsed<Statement> {
        let (condition, span) = self.head()?;
        let then = self.statements_until_close()?;
        let otherwise = self.otherwise()?;
        Ok(Statement { kind: StatementKind::If(condition, then, otherwise), span })
    }
    #[inline(never)]
    fn otherwise(&mut self) -> Parsed<Vec<Statement>> {
        if !self.accept_word("else") {
            return Ok(Vec::new());
        }
        if !self.accept_word("if") {
            self.expect("{")?;
            return self.statements_until_close();
        }
        if self.statement_depth > MAX_DEPTH {
            return self.fail(TOO_DEEP);
        }
        self.statement_depth += 1;
        let next = self.branch()?;
        self.statement_depth -= 1;
        Ok(vec![next])
    }

    #[inline(never)]
    fn simple_statement(&mut self) -> Parsed<StatementKind> {
        if self.accept_word("reset") {
            let clock = self.clock_ref()?;
            self.expect("=")?;
            return Ok(StatementKind::Reset(clock, self.expr()?));
        }
        if self.accept_word("return") {
            let empty = self.at_symbol(";") || self.at_symbol("@");
            return Ok(StatementKind::Return(if empty { None } else { Some(self.expr()?) }));
        }
        if self.accept_word("assert") {
            return Ok(StatementKind::Assert(self.expr()?));
        }
        if self.accept_word("call") {
            return self.call_statement(None);
        }
        if self.accept_word("await") {
            return Ok(StatementKind::Await(self.expr()?));
        }
        if self.accept_word("fail") {
            let failure = self.reference(&self.symbols.failures, "failure")?;
            return Ok(StatementKind::Fail(FailureId(failure)));
        }
        if self.accept_word("no") {
            self.expect_word("room")?;
            return Ok(StatementKind::NoRoom);
        }
        if self.accept_word("send") {
            return Ok(StatementKind::Send(self.send()?));
        }
        if self.accept_word("receive") {
            return Ok(StatementKind::Receive(self.receive()?));
        }
        if self.accept_word("enter") {
            let (process, location) = self.process_at_location()?;
            return Ok(StatementKind::Enter(process, location));
        }
        let place = match self.peek() {
            TokenKind::Word(_) | TokenKind::Quoted(_) => self.place()?.0,
            _ => return self.expected("a statement"),
        };
        self.expect("=")?;
        if self.accept_word("call") {
            return self.call_statement(Some(place));
        }
        Ok(StatementKind::Assign(place, self.expr()?))
    }
    fn call_statement(&mut self, place: Option<Place>) -> Parsed<StatementKind> {
        let function = self.function_reference()?;
        let (arguments, _) = self.trees()?;
        Ok(StatementKind::Call(place, function, arguments))
    }
}
