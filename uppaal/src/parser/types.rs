//! Types, array dimensions and parameters.

use super::{Parse, Parser};
use crate::ast::{Dimension, Field, Parameter, Prefix, Span, Type, TypeKind};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

impl Parser<'_> {
    /// Whether a type begins here, as far as its first word tells.
    pub(super) fn at_type_keyword(&self) -> bool {
        let Some(word) = self.word_ahead(0) else {
            return false;
        };
        match word {
            "int" | "bool" | "clock" | "chan" | "void" | "scalar" | "struct" | "const" | "meta"
            | "urgent" | "broadcast" => true,
            // Ordinary names in UPPAAL 4.
            "double" | "string" | "hybrid" => {
                matches!(
                    self.kind_ahead(1),
                    TokenKind::Word | TokenKind::Ampersand | TokenKind::CloseBracket
                ) && !matches!(self.word_ahead(1), Some("and" | "or" | "xor" | "imply"))
            }
            _ => false,
        }
    }

    /// A type without array dimensions.
    pub(crate) fn ty(&mut self) -> Parse<Type> {
        self.nested(|parser| {
            let start = parser.here();
            let prefix = parser.prefix_words();
            let kind = parser.base_type()?;
            let span = start.to(parser.last());
            Ok(Type { prefix, kind, span })
        })
    }

    fn prefix_words(&mut self) -> Prefix {
        let mut prefix = Prefix::default();
        loop {
            let flag = match self.word_ahead(0) {
                Some("const") => &mut prefix.constant,
                Some("meta") => &mut prefix.meta,
                Some("urgent") => &mut prefix.urgent,
                Some("broadcast") => &mut prefix.broadcast,
                Some("hybrid") if self.word_ahead(1) == Some("clock") => &mut prefix.hybrid,
                _ => return prefix,
            };
            *flag = true;
            self.advance();
        }
    }

    fn base_type(&mut self) -> Parse<TypeKind> {
        let kind = match self.word_ahead(0) {
            Some("int") => return self.integer_type(),
            Some("scalar") => return self.scalar_type(),
            Some("struct") => return self.struct_type(),
            Some("bool") => TypeKind::Bool,
            Some("clock") => TypeKind::Clock,
            Some("chan") => TypeKind::Channel,
            Some("void") => TypeKind::Void,
            Some("double") if self.at_type_keyword() => TypeKind::Double,
            Some("string") if self.at_type_keyword() => TypeKind::String,
            _ => return Ok(TypeKind::Named(self.name("a type")?.text)),
        };
        self.advance();
        Ok(kind)
    }

    fn integer_type(&mut self) -> Parse<TypeKind> {
        self.advance();
        if !self.eat(TokenKind::OpenBracket) {
            return Ok(TypeKind::Int);
        }
        let low = self.expression()?;
        if self.at(TokenKind::CloseBracket) {
            let message = "a bounded integer needs two bounds";
            let diagnostic = Diagnostic::error(message, self.here());
            let hint = "write `int[low, high]`; array sizes come after the variable's name";
            return Err(self.report(diagnostic.hint(hint)));
        }
        self.expect(TokenKind::Comma, "between the bounds")?;
        let high = self.expression()?;
        self.expect(TokenKind::CloseBracket, "after the bounds")?;
        Ok(TypeKind::Range(Box::new(low), Box::new(high)))
    }

    fn scalar_type(&mut self) -> Parse<TypeKind> {
        self.advance();
        self.expect(TokenKind::OpenBracket, "after `scalar`")?;
        let size = self.expression()?;
        self.expect(TokenKind::CloseBracket, "after the size of the scalar set")?;
        Ok(TypeKind::Scalar(Box::new(size)))
    }

    fn struct_type(&mut self) -> Parse<TypeKind> {
        self.advance();
        self.expect(TokenKind::OpenBrace, "after `struct`")?;
        let mut fields = vec![];
        while !self.at(TokenKind::CloseBrace) {
            let ty = self.ty()?;
            let declarators = self.declarators("the name of a field")?;
            self.expect(TokenKind::Semicolon, "after the field")?;
            fields.push(Field { ty, declarators });
        }
        self.advance();
        Ok(TypeKind::Struct(fields))
    }

    /// `[3][id_t]`
    pub(super) fn dimensions(&mut self) -> Parse<Vec<Dimension>> {
        let mut list = vec![];
        while self.at(TokenKind::OpenBracket) {
            self.advance();
            list.push(self.dimension()?);
            self.expect(TokenKind::CloseBracket, "after the size of the array")?;
        }
        Ok(list)
    }

    fn dimension(&mut self) -> Parse<Dimension> {
        if self.at(TokenKind::CloseBracket) {
            return self.error("the size of the array is missing", self.here());
        }
        if self.at_type_keyword() {
            return Ok(Dimension::Type(self.ty()?));
        }
        Ok(Dimension::Size(self.expression()?))
    }

    /// `(int a, clock& x)` of a function, with both parentheses.
    pub(super) fn function_parameters(&mut self) -> Parse<Vec<Parameter>> {
        self.expect(TokenKind::OpenParen, "before the parameters")?;
        let mut list = vec![];
        while !self.at(TokenKind::CloseParen) {
            list.push(self.parameter()?);
            if !self.another(TokenKind::CloseParen, "after the parameter")? {
                break;
            }
        }
        self.advance();
        Ok(list)
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        if self.at_untyped_parameter() {
            let name = self.any_word();
            let message = format!("the parameter `{}` has no type", name.text);
            let diagnostic = Diagnostic::error(message, name.span);
            let hint = format!("write its type before it, as in `int {}`", name.text);
            return Err(self.report(diagnostic.hint(hint)));
        }
        let ty = self.ty()?;
        let by_reference = self.eat(TokenKind::Ampersand);
        self.parameter_named(ty, by_reference)
    }

    fn parameter_named(&mut self, ty: Type, by_reference: bool) -> Parse<Parameter> {
        let name = self.name("the name of a parameter")?;
        let dimensions = self.dimensions()?;
        let span = ty.span.to(name.span).to(self.last());
        Ok(Parameter { ty, by_reference, name, dimensions, span })
    }

    /// A name right before the end of a parameter.
    fn at_untyped_parameter(&self) -> bool {
        self.at(TokenKind::Word)
            && !self.at_type_keyword()
            && matches!(
                self.kind_ahead(1),
                TokenKind::Comma
                    | TokenKind::Semicolon
                    | TokenKind::CloseParen
                    | TokenKind::OpenBracket
                    | TokenKind::End
            )
    }

    /// The parameters of a template up to `close`, in new or old syntax.
    ///
    /// In old syntax `;` separates groups, a group repeats its type, `const N` is an integer by
    /// value and everything else is by reference.
    pub(crate) fn template_parameters(&mut self, close: TokenKind) -> Parse<Vec<Parameter>> {
        let mut list: Vec<Parameter> = vec![];
        while !self.at(close) {
            let previous = list.last().map(|last| last.ty.clone());
            list.push(self.template_parameter(previous)?);
            if self.eat(TokenKind::Semicolon) {
                self.old = true;
            } else if close == TokenKind::End && !self.at(close) {
                self.expect(TokenKind::Comma, "after the parameter")?;
            } else if close != TokenKind::End && !self.another(close, "after the parameter")? {
                break;
            }
        }
        Ok(list)
    }

    fn template_parameter(&mut self, previous: Option<Type>) -> Parse<Parameter> {
        if self.at_old_const_parameter() {
            self.old = true;
            let ty = self.old_const_type();
            return self.parameter_named(ty, false);
        }
        match previous {
            Some(ty) if self.at_untyped_parameter() => {
                self.old = true;
                let by_reference = !ty.prefix.constant;
                let mut parameter = self.parameter_named(ty, by_reference)?;
                parameter.span = parameter.name.span.to(self.last());
                Ok(parameter)
            }
            _ => self.parameter(),
        }
    }

    fn at_old_const_parameter(&self) -> bool {
        self.at_word("const")
            && self.kind_ahead(1) == TokenKind::Word
            && matches!(
                self.kind_ahead(2),
                TokenKind::Comma | TokenKind::Semicolon | TokenKind::CloseParen | TokenKind::End
            )
    }

    /// Takes the `const` of old syntax, which means `const int`.
    pub(super) fn old_const_type(&mut self) -> Type {
        let span: Span = self.here();
        self.advance();
        let prefix = Prefix { constant: true, ..Prefix::default() };
        Type { prefix, kind: TypeKind::Int, span }
    }
}
