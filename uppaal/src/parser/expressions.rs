//! Expressions, by climbing precedence.
//!
//! The levels are UPPAAL's, which are C's with three surprises: `or`, `xor` and `imply` share one
//! left-associative level with `||`, so `a imply b or c` is `(a imply b) or c`; `and` and `not`
//! bind exactly like `&&` and `!`, whatever the manual's prose says; and `<?` and `>?` stand
//! between the comparisons and the shifts. Assignment is below all of them, and the body of a
//! quantifier reaches as far to the right as it can.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Binding, Expr, ExprKind, IncrementOp, Quantifier, Span, UnaryOp};
use crate::lexer::{Syntax, TokenKind};
use source::{Descent, Diagnostic};

/// The levels of infix operators, loosest first.
mod level {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const BIT_OR: u8 = 3;
    pub const BIT_XOR: u8 = 4;
    pub const BIT_AND: u8 = 5;
    pub const EQUALITY: u8 = 6;
    pub const COMPARISON: u8 = 7;
    pub const EXTREMUM: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const SUM: u8 = 10;
    pub const PRODUCT: u8 = 11;
    pub const POWER: u8 = 12;
}

impl Parser<'_> {
    /// Any expression except a bare comma list.
    pub(crate) fn expression(&mut self) -> Parse<Expr> {
        self.nested(|parser| parser.assignment())
    }

    /// `a, b, c` as one expression, as in the conditions of statements.
    pub(super) fn comma_expression(&mut self) -> Parse<Expr> {
        let mut list = self.expression_list()?;
        if list.len() == 1 {
            return Ok(list.remove(0));
        }
        let span = list[0].span.to(list[list.len() - 1].span);
        Ok(Expr { kind: ExprKind::Comma(list), span })
    }

    /// `a, b, c`, at least one.
    pub(crate) fn expression_list(&mut self) -> Parse<Vec<Expr>> {
        let mut list = vec![self.expression()?];
        while self.eat(TokenKind::Comma) {
            list.push(self.expression()?);
        }
        Ok(list)
    }

    /// The updates of an edge: a comma list in which a forgotten comma is named.
    pub(crate) fn updates(&mut self) -> Parse<Vec<Expr>> {
        let list = self.expression_list()?;
        if self.starts_item() {
            return self.missing_comma();
        }
        Ok(list)
    }

    /// A guard or invariant, in which commas of old syntax mean conjunction.
    pub(crate) fn conjunction(&mut self) -> Parse<Expr> {
        let mut heights = 0;
        let mut list = vec![];
        loop {
            list.push(self.expression()?);
            heights = self.cursor.height.max(heights);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.cursor.height = heights;
        self.balanced(BinaryOp::And, list)
    }

    fn assignment(&mut self) -> Parse<Expr> {
        let target = self.conditional()?;
        let Some(operator) = assignment_operator(self.kind()) else {
            return Ok(target);
        };
        self.advance();
        let height = self.cursor.height;
        let value = self.expression()?;
        let span = target.span.to(value.span);
        let kind = ExprKind::Assign(operator, Box::new(target), Box::new(value));
        self.node(kind, span, height)
    }

    fn conditional(&mut self) -> Parse<Expr> {
        let condition = self.infix(level::OR)?;
        if !self.at(TokenKind::Question) || self.ends_label() {
            return Ok(condition);
        }
        self.advance();
        let mut height = self.cursor.height;
        let yes = self.expression()?;
        height = height.max(self.cursor.height);
        self.expect(TokenKind::Colon, "in the conditional expression `c ? a : b`")?;
        let no = self.expression()?;
        let span = condition.span.to(no.span);
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
        self.node(kind, span, height)
    }

    /// Whether the `?` here is that of a synchronisation.
    fn ends_label(&self) -> bool {
        matches!(self.kind_ahead(1), TokenKind::End | TokenKind::Semicolon | TokenKind::CloseBrace)
    }

    /// Infix operators of at least the given level.
    fn infix(&mut self, lowest: u8) -> Parse<Expr> {
        let mut left = self.prefix()?;
        while let Some((operator, level)) = self.infix_operator() {
            if level < lowest {
                break;
            }
            left = match operator {
                BinaryOp::And | BinaryOp::Or => self.chain(operator, level, left)?,
                _ => self.pair(operator, level, left)?,
            };
        }
        Ok(left)
    }

    fn pair(&mut self, operator: BinaryOp, level: u8, left: Expr) -> Parse<Expr> {
        let height = self.cursor.height;
        self.advance();
        let right = self.infix(level + 1)?;
        let span = left.span.to(right.span);
        let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
        self.node(kind, span, height)
    }

    /// `a && b && c ...`: generated models have thousands, so the tree is kept low.
    fn chain(&mut self, operator: BinaryOp, level: u8, left: Expr) -> Parse<Expr> {
        let mut height = self.cursor.height;
        let mut operands = vec![left];
        while self.infix_operator() == Some((operator, level)) {
            self.advance();
            operands.push(self.infix(level + 1)?);
            height = height.max(self.cursor.height);
        }
        self.cursor.height = height;
        self.balanced(operator, operands)
    }

    /// Joins operands, which are at most `self.cursor.height` high, in a tree of least height.
    fn balanced(&mut self, operator: BinaryOp, operands: Vec<Expr>) -> Parse<Expr> {
        let levels = operands.len().next_power_of_two().trailing_zeros();
        let span = operands[0].span.to(operands[operands.len() - 1].span);
        self.check_height(self.cursor.height + levels, span)?;
        let mut row = operands;
        while row.len() > 1 {
            row = join_neighbours(operator, row);
        }
        row.pop().map_or_else(|| self.expected("an expression"), Ok)
    }

    fn infix_operator(&self) -> Option<(BinaryOp, u8)> {
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
            TokenKind::Minimum => (Op::Minimum, level::EXTREMUM),
            TokenKind::Maximum => (Op::Maximum, level::EXTREMUM),
            TokenKind::ShiftLeft => (Op::ShiftLeft, level::SHIFT),
            TokenKind::ShiftRight => (Op::ShiftRight, level::SHIFT),
            TokenKind::Plus => (Op::Add, level::SUM),
            TokenKind::Minus => (Op::Subtract, level::SUM),
            TokenKind::Times => (Op::Multiply, level::PRODUCT),
            TokenKind::Divide => (Op::Divide, level::PRODUCT),
            TokenKind::Modulo => (Op::Modulo, level::PRODUCT),
            TokenKind::Power => (Op::Power, level::POWER),
            TokenKind::Word => match self.word_ahead(0)? {
                "or" => (Op::Or, level::OR),
                "xor" => (Op::Xor, level::OR),
                "imply" => (Op::Imply, level::OR),
                "and" => (Op::And, level::AND),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn prefix(&mut self) -> Parse<Expr> {
        let start = self.here();
        let make: fn(Box<Expr>) -> ExprKind = match self.kind() {
            TokenKind::Minus if self.is_least_integer() => return self.least_integer(),
            TokenKind::Minus => |it| ExprKind::Unary(UnaryOp::Minus, it),
            TokenKind::Plus => |it| ExprKind::Unary(UnaryOp::Plus, it),
            TokenKind::Exclamation => |it| ExprKind::Unary(UnaryOp::Not, it),
            TokenKind::Word if self.at_word("not") => |it| ExprKind::Unary(UnaryOp::Not, it),
            TokenKind::Increment => |it| ExprKind::Increment(IncrementOp::PreIncrement, it),
            TokenKind::Decrement => |it| ExprKind::Increment(IncrementOp::PreDecrement, it),
            _ => return self.postfix(),
        };
        self.advance();
        let operand = self.nested(|parser| parser.prefix())?;
        let span = start.to(operand.span);
        self.node(make(Box::new(operand)), span, 0)
    }

    /// `-2147483648`, whose digits alone would not fit.
    fn is_least_integer(&self) -> bool {
        let digits = self.token(1);
        digits.kind == TokenKind::Int
            && self.text_of(digits).trim_start_matches('0') == "2147483648"
    }

    fn least_integer(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        self.advance();
        self.cursor.height = 0;
        self.node(ExprKind::Int(i32::MIN), start.to(self.last()), 0)
    }

    fn postfix(&mut self) -> Parse<Expr> {
        let mut base = self.primary()?;
        loop {
            let height = self.cursor.height;
            let start = base.span;
            let kind = match self.kind() {
                TokenKind::OpenBracket => self.index(base)?,
                TokenKind::OpenParen => ExprKind::Call(Box::new(base), self.arguments()?),
                TokenKind::Dot => self.field(base)?,
                TokenKind::Apostrophe => {
                    self.advance();
                    ExprKind::Rate(Box::new(base))
                }
                TokenKind::Increment => {
                    self.advance();
                    ExprKind::Increment(IncrementOp::PostIncrement, Box::new(base))
                }
                TokenKind::Decrement => {
                    self.advance();
                    ExprKind::Increment(IncrementOp::PostDecrement, Box::new(base))
                }
                _ => return Ok(base),
            };
            base = self.node(kind, start.to(self.last()), height)?;
        }
    }

    fn index(&mut self, base: Expr) -> Parse<ExprKind> {
        self.advance();
        let index = self.expression()?;
        self.expect(TokenKind::CloseBracket, "after the index")?;
        Ok(ExprKind::Index(Box::new(base), Box::new(index)))
    }

    fn field(&mut self, base: Expr) -> Parse<ExprKind> {
        self.advance();
        if !self.at(TokenKind::Word) {
            return self.expected("a name after `.`");
        }
        Ok(ExprKind::Field(Box::new(base), self.any_word()))
    }

    /// `(a, b)`; leaves the height of the highest argument after.
    pub(super) fn arguments(&mut self) -> Parse<Vec<Expr>> {
        self.expect(TokenKind::OpenParen, "before the arguments")?;
        let mut list = vec![];
        let mut height = 0;
        if !self.at(TokenKind::CloseParen) {
            loop {
                list.push(self.expression()?);
                height = self.cursor.height.max(height);
                if !self.another(TokenKind::CloseParen, "after the argument")? {
                    break;
                }
            }
        }
        self.advance();
        self.cursor.height = height;
        Ok(list)
    }

    fn primary(&mut self) -> Parse<Expr> {
        self.cursor.height = 0;
        let span = self.here();
        match self.kind() {
            TokenKind::Word => self.word_expression(),
            TokenKind::Int => self.integer(),
            TokenKind::Double => self.double(),
            TokenKind::Text => {
                let token = self.advance();
                let text = self.text_of(token).trim_matches('"').to_string();
                self.node(ExprKind::String(text), span, 0)
            }
            TokenKind::OpenParen => self.parenthesised(),
            _ => self.expected("an expression"),
        }
    }

    fn parenthesised(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        let mut inner = self.expression()?;
        let message = "to close the parenthesis";
        inner.span = start.to(self.expect(TokenKind::CloseParen, message)?);
        Ok(inner)
    }

    fn integer(&mut self) -> Parse<Expr> {
        let token = self.advance();
        let span = token.span;
        match self.text_of(token).parse::<i32>() {
            Ok(value) => self.node(ExprKind::Int(value), span, 0),
            Err(_) => {
                let message = format!("the number {} is too large", self.text_of(token));
                let hint = "integers have 32 bits: the largest is 2147483647";
                self.cursor.diagnostics.push(Diagnostic::error(message, span).hint(hint));
                // Parsing goes on, with a value that fits almost everywhere.
                self.node(ExprKind::Int(1), span, 0)
            }
        }
    }

    fn double(&mut self) -> Parse<Expr> {
        let token = self.advance();
        let span = token.span;
        match self.text_of(token).parse() {
            Ok(value) => self.node(ExprKind::Double(value), span, 0),
            Err(_) => self.error("this is not a number", span),
        }
    }

    fn word_expression(&mut self) -> Parse<Expr> {
        let span = self.here();
        let simple = match self.word_ahead(0).unwrap_or("") {
            "true" => ExprKind::Bool(true),
            "false" => ExprKind::Bool(false),
            "deadlock" if self.syntax == Syntax::Query => ExprKind::Deadlock,
            "forall" => return self.quantified(Quantifier::Forall),
            "exists" => return self.quantified(Quantifier::Exists),
            "sum" => return self.quantified(Quantifier::Sum),
            "foreach" if self.in_query_call() => return self.quantified(Quantifier::Foreach),
            "numOf" if self.in_query_call() => return self.number_of(),
            "spawn" if self.kind_ahead(1) == TokenKind::Word => return self.spawn(),
            "exit" if self.is_exit() => return self.exit(),
            _ => ExprKind::Name(self.name("an expression")?.text),
        };
        if !matches!(simple, ExprKind::Name(_)) {
            self.advance();
        }
        self.node(simple, span, 0)
    }

    fn in_query_call(&self) -> bool {
        self.syntax == Syntax::Query && self.kind_ahead(1) == TokenKind::OpenParen
    }

    fn is_exit(&self) -> bool {
        self.kind_ahead(1) == TokenKind::OpenParen && self.kind_ahead(2) == TokenKind::CloseParen
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        self.expect(TokenKind::OpenParen, "after the quantifier")?;
        let binding = self.binding()?;
        self.expect(TokenKind::CloseParen, "after the type")?;
        let body = self.expression()?;
        let span = start.to(body.span);
        let kind = ExprKind::Quantified(quantifier, Box::new(binding), Box::new(body));
        // Bounds within the type are expressions too, but their own limit applies to them.
        self.node(kind, span, 0)
    }

    /// `i : T`
    pub(crate) fn binding(&mut self) -> Parse<Binding> {
        let name = self.name("the name of a variable")?;
        self.expect(TokenKind::Colon, "between the name and its type")?;
        let ty = self.ty()?;
        let span = name.span.to(ty.span);
        Ok(Binding { name, ty, span })
    }

    /// `i : T, j : U`
    pub(crate) fn bindings(&mut self) -> Parse<Vec<Binding>> {
        let mut list = vec![self.binding()?];
        while self.eat(TokenKind::Comma) {
            list.push(self.binding()?);
        }
        Ok(list)
    }

    fn spawn(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        let template = self.name("the name of a dynamic template")?;
        let arguments = self.arguments()?;
        let span = start.to(self.last());
        self.node(ExprKind::Spawn(template, arguments), span, 0)
    }

    fn exit(&mut self) -> Parse<Expr> {
        let start = self.here();
        for _ in 0..3 {
            self.advance();
        }
        self.node(ExprKind::Exit, start.to(self.last()), 0)
    }

    fn number_of(&mut self) -> Parse<Expr> {
        let start = self.here();
        self.advance();
        self.advance();
        let template = self.name("the name of a dynamic template")?;
        let end = self.expect(TokenKind::CloseParen, "after the template")?;
        self.node(ExprKind::NumOf(template), start.to(end), 0)
    }

    /// Builds a node over children of height `other` and `self.cursor.height`.
    fn node(&mut self, kind: ExprKind, span: Span, other: u32) -> Parse<Expr> {
        self.check_height(self.cursor.height.max(other) + 1, span)?;
        Ok(Expr { kind, span })
    }
}

fn join_neighbours(operator: BinaryOp, row: Vec<Expr>) -> Vec<Expr> {
    let mut joined = Vec::with_capacity(row.len().div_ceil(2));
    let mut rest = row.into_iter();
    while let Some(left) = rest.next() {
        joined.push(match rest.next() {
            Some(right) => Expr {
                span: left.span.to(right.span),
                kind: ExprKind::Binary(operator, Box::new(left), Box::new(right)),
            },
            None => left,
        });
    }
    joined
}

/// The operator of an assignment; the inner one is that of `+=` and its like.
fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    use BinaryOp as Op;
    Some(match kind {
        TokenKind::Assign => None,
        TokenKind::PlusAssign => Some(Op::Add),
        TokenKind::MinusAssign => Some(Op::Subtract),
        TokenKind::TimesAssign => Some(Op::Multiply),
        TokenKind::DivideAssign => Some(Op::Divide),
        TokenKind::ModuloAssign => Some(Op::Modulo),
        TokenKind::OrAssign => Some(Op::BitOr),
        TokenKind::AndAssign => Some(Op::BitAnd),
        TokenKind::XorAssign => Some(Op::BitXor),
        TokenKind::ShiftLeftAssign => Some(Op::ShiftLeft),
        TokenKind::ShiftRightAssign => Some(Op::ShiftRight),
        _ => return None,
    })
}
