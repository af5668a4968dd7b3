//! Expressions, by climbing precedence.
//!
//! The levels are those of Spin's grammar, which are C's except that prefix operators take as
//! little as possible. Spin keeps `full(q)` and its like out of everything but `&&` and `||`;
//! formulas and queries may use them freely.

use super::{Parse, Parser, Syntax};
use crate::ast::{BinaryOp, Expr, ExprKind, Name, Part, Probe, Reference, Run, Span, UnaryOp};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

/// The levels of infix operators, loosest first.
pub(super) mod level {
    pub const IMPLY: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const UNTIL: u8 = 4;
    pub const BIT_OR: u8 = 5;
    pub const BIT_XOR: u8 = 6;
    pub const BIT_AND: u8 = 7;
    pub const EQUALITY: u8 = 8;
    pub const COMPARISON: u8 = 9;
    pub const SHIFT: u8 = 10;
    pub const SUM: u8 = 11;
    pub const PRODUCT: u8 = 12;
}

impl Parser<'_> {
    /// Any expression.
    pub(super) fn expression(&mut self) -> Parse<Expr> {
        self.nested(|parser| parser.infix(level::IMPLY))
    }

    /// An expression that is not made of `full(q)` and its like.
    pub(super) fn plain_expression(&mut self) -> Parse<Expr> {
        let value = self.expression()?;
        self.refuse_probe(&value)?;
        Ok(value)
    }

    fn refuse_probe(&mut self, value: &Expr) -> Parse<()> {
        if self.syntax == Syntax::Query || !is_probe(value) {
            return Ok(());
        }
        let message = "`full`, `empty`, `nfull` and `nempty` can only be joined by `&&` and `||`";
        let hint = "negate `full(q)` as `nfull(q)` and `empty(q)` as `nempty(q)`";
        Err(self.report(Diagnostic::error(message, value.span).hint(hint)))
    }

    /// Infix operators of at least the given level.
    fn infix(&mut self, lowest: u8) -> Parse<Expr> {
        let start = self.cursor.at;
        let mut left = self.prefix()?;
        while let Some((operator, level)) = self.infix_operator() {
            if level < lowest {
                break;
            }
            left = match operator {
                BinaryOp::And | BinaryOp::Or => self.chain(operator, level, left, start)?,
                _ => self.pair(operator, level, left, start)?,
            };
        }
        Ok(left)
    }

    fn pair(&mut self, operator: BinaryOp, level: u8, left: Expr, start: usize) -> Parse<Expr> {
        let height = self.cursor.height;
        self.refuse_probe(&left)?;
        self.advance();
        let right = self.infix(level + 1)?;
        self.refuse_probe(&right)?;
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        self.node(kind, self.since(start), height)
    }

    /// `a && b && c ...`: generated models have thousands, so the tree is kept low.
    fn chain(&mut self, operator: BinaryOp, level: u8, left: Expr, start: usize) -> Parse<Expr> {
        let mut height = self.cursor.height;
        let mut operands = vec![left];
        while self.infix_operator() == Some((operator, level)) {
            self.advance();
            operands.push(self.infix(level + 1)?);
            height = height.max(self.cursor.height);
        }
        let levels = operands.len().next_power_of_two().trailing_zeros();
        self.check_height(height + levels, self.since(start))?;
        Ok(balanced(operator, operands))
    }

    pub(super) fn infix_operator(&self) -> Option<(BinaryOp, u8)> {
        use BinaryOp as Op;
        Some(match self.kind() {
            TokenKind::BarBar => (Op::Or, level::OR),
            TokenKind::AndAnd => (Op::And, level::AND),
            TokenKind::Bar => (Op::BitOr, level::BIT_OR),
            TokenKind::Caret => (Op::BitXor, level::BIT_XOR),
            TokenKind::Ampersand => (Op::BitAnd, level::BIT_AND),
            TokenKind::Equal => (Op::Equal, level::EQUALITY),
            TokenKind::NotEqual => (Op::NotEqual, level::EQUALITY),
            TokenKind::Less => (Op::Less, level::COMPARISON),
            TokenKind::LessEqual => (Op::LessEqual, level::COMPARISON),
            TokenKind::GreaterEqual => (Op::GreaterEqual, level::COMPARISON),
            TokenKind::Greater => (Op::Greater, level::COMPARISON),
            TokenKind::ShiftLeft => (Op::ShiftLeft, level::SHIFT),
            TokenKind::ShiftRight => (Op::ShiftRight, level::SHIFT),
            TokenKind::Plus => (Op::Add, level::SUM),
            TokenKind::Minus => (Op::Subtract, level::SUM),
            TokenKind::Times => (Op::Multiply, level::PRODUCT),
            TokenKind::Divide => (Op::Divide, level::PRODUCT),
            TokenKind::Modulo => (Op::Modulo, level::PRODUCT),
            TokenKind::Word if self.syntax == Syntax::Query => match self.word() {
                "or" => (Op::Or, level::OR),
                "and" => (Op::And, level::AND),
                "imply" => (Op::Imply, level::IMPLY),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn prefix(&mut self) -> Parse<Expr> {
        let operator = match self.kind() {
            TokenKind::Minus => UnaryOp::Minus,
            TokenKind::Tilde => UnaryOp::BitNot,
            TokenKind::Exclamation => UnaryOp::Not,
            TokenKind::Word if self.syntax == Syntax::Query && self.at_word("not") => UnaryOp::Not,
            _ => return self.primary(),
        };
        let start = self.cursor.at;
        self.advance();
        let operand = self.nested(|parser| parser.prefix())?;
        self.refuse_probe(&operand)?;
        self.node(ExprKind::Unary(operator, Box::new(operand)), self.since(start), 0)
    }

    /// An expression without operators around it.
    pub(super) fn primary(&mut self) -> Parse<Expr> {
        self.cursor.height = 0;
        let start = self.cursor.at;
        let kind = match self.kind() {
            TokenKind::Word => self.word_expression()?,
            TokenKind::Int => self.integer()?,
            TokenKind::Char => self.character()?,
            TokenKind::OpenParen => return self.parenthesised(),
            _ => return self.expected("an expression"),
        };
        self.node(kind, self.since(start), 0)
    }

    /// `(e)` or `(c -> a : b)`
    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.cursor.at;
        self.advance();
        let ends = std::mem::take(&mut self.colon_ends);
        let inner = self.expression();
        self.colon_ends = ends;
        let mut inner = inner?;
        if self.at(TokenKind::Arrow) {
            return self.conditional(inner, start);
        }
        self.expect(TokenKind::CloseParen, "to close the parenthesis")?;
        inner.span = self.since(start);
        Ok(inner)
    }

    fn conditional(&mut self, condition: Expr, start: usize) -> Parse<Expr> {
        self.refuse_probe(&condition)?;
        self.advance();
        let mut height = self.cursor.height;
        let ends = std::mem::replace(&mut self.colon_ends, true);
        let yes = self.plain_expression();
        self.colon_ends = ends;
        let yes = yes?;
        height = height.max(self.cursor.height);
        self.expect(TokenKind::Colon, "in the conditional expression `(c -> a : b)`")?;
        let no = self.plain_expression()?;
        self.expect(TokenKind::CloseParen, "to close the conditional expression")?;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.node(kind, self.since(start), height)
    }

    /// A number; like Spin, one that is too large loses its upper bits.
    fn integer(&mut self) -> Parse<ExprKind> {
        let token = self.token(0);
        let text = self.text_of(token);
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let message = format!("`{text}` is neither a number nor a name");
            let hint = "numbers are decimal, names begin with a letter or `_`";
            return Err(self.report(Diagnostic::error(message, token.span).hint(hint)));
        }
        self.advance();
        let value = text.parse::<i64>().unwrap_or(i64::MAX);
        if i32::try_from(value).is_err() {
            let message = format!("the number {text} does not fit and is read as {}", value as i32);
            self.cursor.diagnostics.push(Diagnostic::warning(message, token.span));
        }
        Ok(ExprKind::Int(value as i32))
    }

    fn character(&mut self) -> Parse<ExprKind> {
        let token = self.token(0);
        let value = match self.text_of(token).as_bytes() {
            [b'\'', b'\\', escape, b'\''] => match escape {
                b'n' => b'\n',
                b'r' => b'\r',
                b't' => b'\t',
                b'f' => 0xc,
                other => *other,
            },
            [b'\'', plain, b'\''] => *plain,
            _ => return self.error("expected a single character between quotes", token.span),
        };
        self.advance();
        Ok(ExprKind::Int(i32::from(value)))
    }

    fn word_expression(&mut self) -> Parse<ExprKind> {
        let simple = match self.word() {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "skip" => ExprKind::Skip,
            "timeout" => ExprKind::Timeout,
            "np_" => ExprKind::NonProgress,
            "run" => return self.run(),
            "len" => return Ok(ExprKind::Len(self.channel_argument()?)),
            "full" => return self.probe(Probe::Full),
            "empty" => return self.probe(Probe::Empty),
            "nfull" => return self.probe(Probe::NotFull),
            "nempty" => return self.probe(Probe::NotEmpty),
            "enabled" => return Ok(ExprKind::Enabled(self.process_argument()?)),
            "pc_value" => return Ok(ExprKind::PcValue(self.process_argument()?)),
            "get_priority" => return Ok(ExprKind::GetPriority(self.process_argument()?)),
            "c_expr" | "c_code" => return self.embedded_c(),
            _ => return self.named_expression(),
        };
        self.advance();
        Ok(simple)
    }

    fn probe(&mut self, probe: Probe) -> Parse<ExprKind> {
        Ok(ExprKind::Probe(probe, self.channel_argument()?))
    }

    fn channel_argument(&mut self) -> Parse<Reference> {
        let message = format!("after `{}`", self.word());
        self.advance();
        self.expect(TokenKind::OpenParen, &message)?;
        let channel = self.reference()?;
        self.expect(TokenKind::CloseParen, "after the channel")?;
        Ok(channel)
    }

    fn process_argument(&mut self) -> Parse<Box<Expr>> {
        let message = format!("after `{}`", self.word());
        self.advance();
        self.expect(TokenKind::OpenParen, &message)?;
        let process = self.plain_expression()?;
        self.expect(TokenKind::CloseParen, "after the process")?;
        Ok(Box::new(process))
    }

    fn run(&mut self) -> Parse<ExprKind> {
        self.advance();
        let proctype = self.name("the name of a proctype")?;
        self.expect(TokenKind::OpenParen, "after the proctype")?;
        let mut arguments = vec![];
        let mut height = 0;
        if !self.at(TokenKind::CloseParen) {
            loop {
                arguments.push(self.plain_expression()?);
                height = self.cursor.height.max(height);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
        }
        self.expect(TokenKind::CloseParen, "after the arguments")?;
        let priority = self.priority()?.map(Box::new);
        self.cursor.height = height;
        Ok(ExprKind::Run(Run { proctype, arguments, priority }))
    }

    /// A variable, a poll or a reference into another process.
    fn named_expression(&mut self) -> Parse<ExprKind> {
        if self.inlines.contains_key(self.word()) && self.kind_ahead(1) == TokenKind::OpenParen {
            let message = format!("the inline `{}` is not an expression", self.word());
            let hint = "call it as a statement, `f(...)` or `x = f(...)`";
            return Err(self.report(Diagnostic::error(message, self.here()).hint(hint)));
        }
        if self.syntax == Syntax::Ltl && self.at_temporal_word() {
            return self.expected("an expression");
        }
        let reference = self.reference()?;
        match self.kind() {
            TokenKind::Question | TokenKind::Questions
                if self.kind_ahead(1) == TokenKind::OpenBracket =>
            {
                self.poll(reference)
            }
            TokenKind::At => self.remote_label(reference),
            TokenKind::Colon if self.is_remote(&reference) => self.remote_variable(reference),
            _ => Ok(ExprKind::Reference(reference)),
        }
    }

    fn is_remote(&self, reference: &Reference) -> bool {
        self.syntax != Syntax::Model && !self.colon_ends
            || self.proctypes.contains(reference.parts[0].name.text.as_str())
    }

    /// The proctype and process number before `@` or `:`.
    fn process(&mut self, mut reference: Reference) -> Parse<(Name, Option<Box<Expr>>)> {
        match reference.parts.pop() {
            Some(part) if reference.parts.is_empty() => Ok((part.name, part.index.map(Box::new))),
            _ => self.error("expected a proctype, as in `P[1]@label`", reference.span),
        }
    }

    fn remote_label(&mut self, reference: Reference) -> Parse<ExprKind> {
        let (proctype, process) = self.process(reference)?;
        self.advance();
        let label = self.name("a label after `@`")?;
        Ok(ExprKind::RemoteLabel { proctype, process, label })
    }

    fn remote_variable(&mut self, reference: Reference) -> Parse<ExprKind> {
        let (proctype, process) = self.process(reference)?;
        self.advance();
        let variable = Box::new(self.part()?);
        Ok(ExprKind::RemoteVariable { proctype, process, variable })
    }

    /// `a[i].b.c[j]`
    pub(super) fn reference(&mut self) -> Parse<Reference> {
        let start = self.cursor.at;
        let mut parts = vec![self.part()?];
        let mut height = self.cursor.height;
        while self.eat(TokenKind::Dot) {
            parts.push(self.part()?);
            height = height.max(self.cursor.height);
        }
        self.cursor.height = height;
        Ok(Reference { parts, span: self.since(start) })
    }

    fn part(&mut self) -> Parse<Part> {
        self.cursor.height = 0;
        let name = self.name("a variable")?;
        if self.typedefs.contains(name.text.as_str()) {
            let message = format!("expected a variable, found the type `{}`", name.text);
            return self.error(message, name.span);
        }
        let mut index = None;
        if self.at(TokenKind::OpenBracket) && !self.at_always() {
            self.advance();
            index = Some(self.plain_expression()?);
            self.expect(TokenKind::CloseBracket, "after the index")?;
        }
        Ok(Part { name, index })
    }

    /// Builds a node over children of height `other` and `self.cursor.height`.
    pub(super) fn node(&mut self, kind: ExprKind, span: Span, other: u32) -> Parse<Expr> {
        let height = self.cursor.height.max(other) + 1;
        self.check_height(height, span)?;
        Ok(Expr { kind, span })
    }
}

/// Whether `full(q)` or its like is part of an expression, joined by `&&` and `||` only.
fn is_probe(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Probe(..) => true,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
            is_probe(left) || is_probe(right)
        }
        _ => false,
    }
}

/// Joins operands, of which there is at least one, in a tree of least height.
pub(super) fn balanced(operator: BinaryOp, mut operands: Vec<Expr>) -> Expr {
    if operands.len() == 1 {
        return operands.remove(0);
    }
    let right = operands.split_off(operands.len().div_ceil(2));
    let (left, right) = (balanced(operator, operands), balanced(operator, right));
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)), span }
}
