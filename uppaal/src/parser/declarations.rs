//! Declarations: variables, types, functions, channel priorities and instantiations.

use super::{Failed, Parse, Parser};
use crate::ast::{
    ChannelPriority, Declaration, Declarator, Expr, ExprKind, Function, Initialiser,
    InitialiserItem, Instantiation, Name, PriorityItem, Span, Type, TypeKind, Typedef, Variables,
};
use crate::lexer::TokenKind;
use source::{Descent, Diagnostic};

/// Where a declaration stands; not all kinds are allowed everywhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    Global,
    Template,
    Block,
    System,
}

impl Parser<'_> {
    /// All declarations of a fragment, each mistake reported.
    pub(crate) fn declarations(&mut self, scope: Scope) -> Vec<Declaration> {
        let mut list = vec![];
        while !self.at(TokenKind::End) {
            self.declaration_or_recover(scope, &mut list);
        }
        list
    }

    /// Adds the next declaration, or reports what is wrong with it and skips it.
    pub(super) fn declaration_or_recover(&mut self, scope: Scope, list: &mut Vec<Declaration>) {
        let before = self.cursor.at;
        match self.declaration(scope) {
            Ok(Some(declaration)) => list.push(declaration),
            Ok(None) => {}
            Err(Failed) => self.recover(before),
        }
        if self.cursor.at == before {
            self.advance();
        }
    }

    /// One declaration; nothing for a lone `;` and for constructs refused by name.
    pub(super) fn declaration(&mut self, scope: Scope) -> Parse<Option<Declaration>> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(None);
        }
        if self.refused_declaration()? {
            return Ok(None);
        }
        let declaration = match self.word_ahead(0) {
            None => return self.expected("a declaration"),
            Some("typedef") => self.typedef()?,
            Some("chan") if self.word_ahead(1) == Some("priority") => self.channel_priority()?,
            Some("const") if self.at_old_const() => self.old_constants()?,
            Some(_) if self.at_instantiation() => return self.instantiation(scope).map(Some),
            Some(_) => self.typed_declaration()?,
        };
        self.check_scope(&declaration, scope);
        Ok(Some(declaration))
    }

    fn check_scope(&mut self, declaration: &Declaration, scope: Scope) {
        let what = match (declaration, scope) {
            (Declaration::Function(_), Scope::Block) => "a function cannot be declared in a block",
            (Declaration::ChannelPriority(_), Scope::Block | Scope::Template) => {
                "channel priorities belong in the global declarations"
            }
            (Declaration::Function(it), _) => return self.check_function_name(&it.name),
            _ => return,
        };
        self.cursor.diagnostics.push(Diagnostic::error(what, declaration.span()));
    }

    /// UPPAAL calls functions of these names by itself, which would change what the model does.
    fn check_function_name(&mut self, name: &Name) {
        const CALLED: [&str; 4] =
            ["__ON_CONSTRUCT__", "__ON_BEGIN__", "before_update", "after_update"];
        if CALLED.contains(&name.text.as_str()) {
            let message = format!("not supported: the function `{}`", name.text);
            self.cursor.diagnostics.push(Diagnostic::error(message, name.span).without_holes());
        }
    }

    /// Skips a construct that is known but not supported, and names it.
    fn refused_declaration(&mut self) -> Parse<bool> {
        let what = match (self.word_ahead(0), self.kind_ahead(1)) {
            (Some("import"), TokenKind::Text) => "external functions (`import`)",
            (Some("dynamic"), TokenKind::Word) => "dynamic templates (`dynamic`)",
            (Some("before_update"), TokenKind::OpenBrace) => "`before_update`",
            (Some("after_update"), TokenKind::OpenBrace) => "`after_update`",
            _ => return Ok(false),
        };
        let start = self.here();
        self.advance();
        if self.at(TokenKind::Text) {
            self.advance();
        }
        self.recover(self.cursor.at);
        let message = format!("not supported: {what}");
        self.cursor.diagnostics.push(Diagnostic::error(message, start));
        Ok(true)
    }

    fn typedef(&mut self) -> Parse<Declaration> {
        let start = self.here();
        self.advance();
        let ty = self.ty()?;
        let declarators = self.declarators("the name of the new type")?;
        let span = start.to(self.expect(TokenKind::Semicolon, "after the type declaration")?);
        Ok(Declaration::Typedef(Typedef { ty, declarators, span }))
    }

    /// Names with array dimensions but without initialisers.
    pub(super) fn declarators(&mut self, what: &str) -> Parse<Vec<Declarator>> {
        let mut list = vec![];
        loop {
            let name = self.name(what)?;
            let dimensions = self.dimensions()?;
            let span = name.span.to(self.last());
            list.push(Declarator { name, dimensions, initialiser: None, span });
            if !self.another(TokenKind::Semicolon, "after the name")? {
                return Ok(list);
            }
        }
    }

    /// Variables or a function: the difference shows after the first name.
    fn typed_declaration(&mut self) -> Parse<Declaration> {
        let ty = self.ty()?;
        if let (TypeKind::Channel, Some(word @ ("broadcast" | "urgent"))) =
            (&ty.kind, self.word_ahead(0))
        {
            let message = format!("`{word}` comes before `chan`");
            let diagnostic = Diagnostic::error(message, self.here());
            return Err(self.report(diagnostic.hint(format!("write `{word} chan`"))));
        }
        if self.kind_ahead(1) == TokenKind::OpenParen {
            return self.function(ty);
        }
        let declarators = self.variables()?;
        let span = ty.span.to(self.last());
        Ok(Declaration::Variables(Variables { ty, declarators, span }))
    }

    /// `x = 1, y[3];`
    fn variables(&mut self) -> Parse<Vec<Declarator>> {
        let mut list = vec![];
        loop {
            let declarator = self.variable()?;
            let after = format!("after the declaration of `{}`", declarator.name.text);
            list.push(declarator);
            if self.eat(TokenKind::Comma) {
                continue;
            }
            if self.at(TokenKind::Word) && !self.is_line_broken() && !self.at_type_keyword() {
                return self.missing_comma();
            }
            self.expect(TokenKind::Semicolon, &after)?;
            return Ok(list);
        }
    }

    fn variable(&mut self) -> Parse<Declarator> {
        let name = self.name("the name of a variable")?;
        let dimensions = self.dimensions()?;
        let initialiser = match self.eat(TokenKind::Assign) {
            true => Some(self.initialiser()?),
            false => None,
        };
        let span = name.span.to(self.last());
        Ok(Declarator { name, dimensions, initialiser, span })
    }

    fn initialiser(&mut self) -> Parse<Initialiser> {
        if !self.at(TokenKind::OpenBrace) {
            return Ok(Initialiser::Value(self.expression()?));
        }
        self.nested(|parser| parser.initialiser_list())
    }

    fn initialiser_list(&mut self) -> Parse<Initialiser> {
        let start = self.here();
        self.advance();
        let mut items = vec![];
        while !self.at(TokenKind::CloseBrace) {
            items.push(self.initialiser_item()?);
            if !self.another(TokenKind::CloseBrace, "in the list of initial values")? {
                break;
            }
        }
        let span = start.to(self.here());
        self.advance();
        Ok(Initialiser::List(items, span))
    }

    fn initialiser_item(&mut self) -> Parse<InitialiserItem> {
        let mut field = None;
        if self.at(TokenKind::Word) && self.kind_ahead(1) == TokenKind::Colon {
            field = Some(self.name("the name of a field")?);
            self.advance();
        }
        let value = self.initialiser()?;
        Ok(InitialiserItem { field, value })
    }

    fn function(&mut self, result: Type) -> Parse<Declaration> {
        let name = self.name("the name of a function")?;
        let parameters = self.function_parameters()?;
        if !self.at(TokenKind::OpenBrace) {
            return self.expected("`{` before the body of the function");
        }
        let body = self.block()?;
        let span = result.span.to(body.span);
        Ok(Declaration::Function(Function { result, name, parameters, body, span }))
    }

    /// `const N 5;`: a name, not a type, follows `const`.
    fn at_old_const(&self) -> bool {
        let keyword = matches!(
            self.word_ahead(1),
            Some(
                "int"
                    | "bool"
                    | "clock"
                    | "chan"
                    | "scalar"
                    | "struct"
                    | "meta"
                    | "urgent"
                    | "broadcast"
                    | "void"
                    | "const"
            )
        );
        if keyword || self.kind_ahead(1) != TokenKind::Word {
            return false;
        }
        match self.kind_ahead(2) {
            // `const N M;` against `const T x = 1;`
            TokenKind::Word => match self.kind_ahead(3) {
                TokenKind::Assign | TokenKind::OpenBracket | TokenKind::End => false,
                TokenKind::Comma | TokenKind::Semicolon => self.old,
                TokenKind::Word | TokenKind::OpenBrace => false,
                _ => true,
            },
            TokenKind::Semicolon | TokenKind::Comma | TokenKind::End => false,
            _ => true,
        }
    }

    fn old_constants(&mut self) -> Parse<Declaration> {
        self.old = true;
        let ty = self.old_const_type();
        let mut declarators = vec![];
        loop {
            declarators.push(self.old_constant()?);
            if !self.another(TokenKind::Semicolon, "after the constant")? {
                break;
            }
        }
        self.advance();
        let span = ty.span.to(self.last());
        Ok(Declaration::Variables(Variables { ty, declarators, span }))
    }

    fn old_constant(&mut self) -> Parse<Declarator> {
        let name = self.name("the name of a constant")?;
        let dimensions = self.dimensions()?;
        self.eat(TokenKind::Assign);
        let initialiser = Some(self.initialiser()?);
        let span = name.span.to(self.last());
        Ok(Declarator { name, dimensions, initialiser, span })
    }

    fn channel_priority(&mut self) -> Parse<Declaration> {
        let start = self.here();
        self.advance();
        self.advance();
        let mut levels = vec![vec![self.priority_item()?]];
        loop {
            let higher = self.eat(TokenKind::Less);
            if !higher && !self.another(TokenKind::Semicolon, "in the channel priorities")? {
                break;
            }
            let item = self.priority_item()?;
            match levels.last_mut() {
                Some(level) if !higher => level.push(item),
                _ => levels.push(vec![item]),
            }
        }
        self.advance();
        let span = start.to(self.last());
        Ok(Declaration::ChannelPriority(ChannelPriority { levels, span }))
    }

    /// `default`, a channel or `c[0]`; not a full expression, because `<` separates.
    fn priority_item(&mut self) -> Parse<PriorityItem> {
        if self.at_word("default") {
            let token = self.advance();
            return Ok(PriorityItem::Default(token.span));
        }
        let name = self.name("a channel or `default`")?;
        let mut channel = Expr { kind: ExprKind::Name(name.text), span: name.span };
        let mut height = 1;
        while self.eat(TokenKind::OpenBracket) {
            let index = self.expression()?;
            height = height.max(self.cursor.height);
            let end = self.expect(TokenKind::CloseBracket, "after the index")?;
            let span = channel.span.to(end);
            height += 1;
            self.check_height(height, span)?;
            let kind = ExprKind::Index(Box::new(channel), Box::new(index));
            channel = Expr { kind, span };
        }
        Ok(PriorityItem::Channel(channel))
    }

    /// `P = T(1);`, `P() = T(1);` or `P(const id_t i) = T(i);`
    fn at_instantiation(&self) -> bool {
        self.at(TokenKind::Word)
            && !self.at_type_keyword()
            && matches!(self.kind_ahead(1), TokenKind::Assign | TokenKind::OpenParen)
    }

    fn instantiation(&mut self, scope: Scope) -> Parse<Declaration> {
        let name = self.name("the name of a process")?;
        if scope != Scope::System {
            return self.misplaced_instantiation(&name.text, name.span);
        }
        let mut parameters = vec![];
        if self.eat(TokenKind::OpenParen) {
            parameters = self.template_parameters(TokenKind::CloseParen)?;
            self.advance();
        }
        self.expect(TokenKind::Assign, "in the instantiation")?;
        let template = self.name("the name of a template")?;
        let arguments = self.arguments()?;
        let span = name.span.to(self.expect(TokenKind::Semicolon, "after the instantiation")?);
        Ok(Declaration::Instantiation(Instantiation {
            name,
            parameters,
            template,
            arguments,
            span,
        }))
    }

    fn misplaced_instantiation<T>(&mut self, name: &str, span: Span) -> Parse<T> {
        let message = format!("expected a type before `{name}`");
        let hint = "processes are instantiated in the system section";
        let diagnostic = Diagnostic::error(message, span).hint(hint);
        Err(self.report(diagnostic))
    }
}
