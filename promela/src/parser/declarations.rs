//! Variables, their types, sizes and initial values.

use super::{Parse, Parser};
use crate::ast::{
    BinaryOp, ChannelInitialiser, Declarator, Expr, ExprKind, Initialiser, Type, TypeKind, UnaryOp,
    Variables, Visibility,
};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

/// The types that every model has.
pub(super) const TYPES: &[&str] =
    &["bit", "bool", "byte", "pid", "short", "int", "unsigned", "chan", "mtype"];

impl Parser<'_> {
    /// Whether a declaration of variables comes next.
    pub(super) fn starts_declaration(&self) -> bool {
        match self.word() {
            "hidden" | "show" | "local" => true,
            word => self.is_type(word),
        }
    }

    fn is_type(&self, word: &str) -> bool {
        basic_type(word).is_some() || word == "mtype" || self.typedefs.contains(word)
    }

    /// `hidden byte a = 1, b[3]`
    pub(super) fn variables(&mut self) -> Parse<Variables> {
        let start = self.cursor.at;
        let visibility = self.visibility();
        let ty = self.ty()?;
        let mut declarators = vec![self.declarator()?];
        while self.eat(TokenKind::Comma) {
            if self.is_type(self.word()) {
                let message = format!("expected a name, found the type `{}`", self.word());
                let diagnostic = Diagnostic::error(message, self.here());
                return Err(self.report(diagnostic.hint("separate types with `;`, names with `,`")));
            }
            declarators.push(self.declarator()?);
        }
        Ok(Variables { visibility, ty, declarators, span: self.since(start) })
    }

    fn visibility(&mut self) -> Option<Visibility> {
        let visibility = match self.word() {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            "local" => Visibility::Local,
            _ => return None,
        };
        self.advance();
        Some(visibility)
    }

    fn ty(&mut self) -> Parse<Type> {
        let start = self.cursor.at;
        let word = self.word();
        let kind = if let Some(kind) = basic_type(word) {
            self.advance();
            kind
        } else if self.eat_word("mtype") {
            match self.eat(TokenKind::Colon) {
                true => TypeKind::Mtype(Some(self.name("the name of the subtype")?)),
                false => TypeKind::Mtype(None),
            }
        } else if self.typedefs.contains(word) {
            self.advance();
            TypeKind::Named(word.to_string())
        } else {
            return self.expected("a type");
        };
        Ok(Type { kind, span: self.since(start) })
    }

    fn declarator(&mut self) -> Parse<Declarator> {
        let start = self.cursor.at;
        let name = self.name("the name of a variable")?;
        let mut bits = None;
        let mut size = None;
        if self.eat(TokenKind::Colon) {
            bits = Some(self.bits()?);
        } else if self.eat(TokenKind::OpenBracket) {
            size = Some(self.constant("the size of the array")?);
            self.expect(TokenKind::CloseBracket, "after the size of the array")?;
        }
        let initialiser = match self.eat(TokenKind::Assign) {
            true => Some(self.initialiser()?),
            false => None,
        };
        Ok(Declarator { name, bits, size, initialiser, span: self.since(start) })
    }

    fn bits(&mut self) -> Parse<u32> {
        let width = self.text_of(self.token(0)).parse();
        match width {
            Ok(width @ 1..=31) if self.at(TokenKind::Int) => {
                self.advance();
                Ok(width)
            }
            _ => self.expected("a width of 1 to 31 bits"),
        }
    }

    fn initialiser(&mut self) -> Parse<Initialiser> {
        match self.kind() {
            TokenKind::OpenBracket => Ok(Initialiser::Channel(self.channel_initialiser()?)),
            TokenKind::OpenBrace => {
                self.advance();
                let mut list = vec![self.constant("a constant")?];
                while self.eat(TokenKind::Comma) {
                    list.push(self.constant("a constant")?);
                }
                self.expect(TokenKind::CloseBrace, "after the initial values")?;
                Ok(Initialiser::List(list))
            }
            _ => Ok(Initialiser::Value(self.plain_expression()?)),
        }
    }

    /// `[2] of { byte, chan }`
    fn channel_initialiser(&mut self) -> Parse<ChannelInitialiser> {
        let start = self.cursor.at;
        self.advance();
        let capacity = self.constant("the capacity of the channel")?;
        self.expect(TokenKind::CloseBracket, "after the capacity")?;
        self.expect_word("of", "after the capacity")?;
        self.expect(TokenKind::OpenBrace, "before the message type")?;
        let mut fields = vec![self.message_field()?];
        while self.eat(TokenKind::Comma) {
            fields.push(self.message_field()?);
        }
        self.expect(TokenKind::CloseBrace, "after the message type")?;
        Ok(ChannelInitialiser { capacity, fields, span: self.since(start) })
    }

    fn message_field(&mut self) -> Parse<Type> {
        let ty = self.ty()?;
        if ty.kind == TypeKind::Unsigned {
            return self.error("`unsigned` cannot be part of a message", ty.span);
        }
        Ok(ty)
    }

    /// A constant expression, or a name whose value the lowering knows.
    pub(super) fn constant(&mut self, what: &str) -> Parse<Expr> {
        let value = self.plain_expression()?;
        if !is_constant(&value) {
            return self.error(format!("expected {what} as a constant"), value.span);
        }
        Ok(value)
    }
}

fn basic_type(word: &str) -> Option<TypeKind> {
    Some(match word {
        "bit" => TypeKind::Bit,
        "bool" => TypeKind::Bool,
        "byte" => TypeKind::Byte,
        "pid" => TypeKind::Pid,
        "short" => TypeKind::Short,
        "int" => TypeKind::Int,
        "unsigned" => TypeKind::Unsigned,
        "chan" => TypeKind::Chan,
        _ => return None,
    })
}

/// Whether an expression has the shape of a constant: names may be `mtype` constants.
fn is_constant(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::Skip => true,
        ExprKind::Reference(it) => it.parts.len() == 1 && it.parts[0].index.is_none(),
        ExprKind::Unary(UnaryOp::Minus, inner) => is_constant(inner),
        ExprKind::Binary(operator, left, right) => {
            use BinaryOp as Op;
            let allowed =
                matches!(operator, Op::Add | Op::Subtract | Op::Multiply | Op::Divide | Op::Modulo);
            allowed && is_constant(left) && is_constant(right)
        }
        _ => false,
    }
}
