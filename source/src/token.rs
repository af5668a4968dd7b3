//! What parsers need to know of the tokens of a language.

use crate::Span;

/// The kinds of tokens of a language.
pub trait TokenKinds: Copy + PartialEq + 'static {
    /// All symbols; of two that begin alike the longer stands first, of two spellings of one kind
    /// the usual one.
    const SYMBOLS: &'static [(&'static str, Self)];
    /// A name or keyword.
    const WORD: Self;
    /// The end of the text.
    const END: Self;
    /// The end of a line, where it means something.
    const LINE_END: Self;

    /// The usual spelling of a symbol; empty for words, numbers and texts.
    fn spelling(self) -> &'static str {
        Self::SYMBOLS.iter().find(|(_, kind)| *kind == self).map_or("", |(text, _)| *text)
    }

    /// The symbol that a text begins with.
    fn symbol(text: &str) -> Option<(&'static str, Self)> {
        let first = *text.as_bytes().first()?;
        // Most entries already differ in the first byte, which is cheaper to compare.
        let matches = |symbol: &str| symbol.as_bytes()[0] == first && text.starts_with(symbol);
        Self::SYMBOLS.iter().find(|(symbol, _)| matches(symbol)).copied()
    }
}

/// A token of a language.
pub trait Token: Copy {
    /// The kinds of tokens of that language.
    type Kind: TokenKinds;

    /// Its kind.
    fn kind(self) -> Self::Kind;
    /// Its characters.
    fn text(self) -> Span;
    /// Where it is reported.
    fn span(self) -> Span {
        self.text()
    }
    /// Where it stands as a name.
    fn name(self) -> Span {
        self.span()
    }
}
