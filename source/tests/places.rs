//! Spans of all kinds of texts lead back to the file, and complaints come in its order.

use source::{Diagnostic, Diagnostics, Encoding, Piece, SourceMap, Span, decode};

/// `a &lt; b` in an element of the second line, with the unescaped text as fragment 1.
fn element() -> SourceMap {
    let mut sources = SourceMap::default();
    let whole = sources.add_file("model", "<nta>\n<g>a &lt; b</g>\n</nta>".to_string());
    let piece = |at, file_at, file_end| Piece { at, file_at, file_end };
    let pieces = vec![piece(0, 9, 11), piece(2, 11, 15), piece(3, 15, 17), piece(5, 17, 17)];
    sources.add_fragment(whole, "a < b".to_string(), pieces, Some("the guard".to_string()));
    sources
}

fn columns(sources: &SourceMap, span: Span) -> (u32, u32, u32) {
    let place = sources.resolve(span).expect("a span of a file");
    (place.line, place.column, place.end_column)
}

#[test]
fn spans_of_an_element_are_exact_after_an_entity() {
    let sources = element();
    let span = |start, end| Span { fragment: 1, start, end };
    assert_eq!(sources.snippet(span(4, 5)), "b");
    assert_eq!(columns(&sources, span(4, 5)), (2, 11, 12));
    assert_eq!(columns(&sources, span(2, 3)), (2, 6, 10), "all of the entity");
    assert_eq!(columns(&sources, span(5, 5)), (2, 12, 12), "before the closing tag");
    assert_eq!(sources.line(span(4, 5)), 2);
}

#[test]
fn text_of_no_file_can_be_read_but_has_no_place() {
    let mut sources = element();
    let (first, second) = (sources.make("ab"), sources.make("cd"));
    assert_eq!((sources.snippet(first), sources.snippet(second)), ("ab", "cd"));
    assert_eq!(sources.resolve(second), None);
    assert_eq!(first.to(Span::start_of(0)), first, "no span covers two fragments");
}

#[test]
fn complaints_come_once_and_in_the_order_of_the_file() {
    let mut diagnostics = Diagnostics::default();
    let after = Span { fragment: 0, start: 18, end: 19 };
    let inside = Span { fragment: 1, start: 4, end: 5 };
    for span in [after, inside, after, Span::start_of(0)] {
        diagnostics.push(Diagnostic::error("wrong", span));
    }
    let spans: Vec<Span> = diagnostics.finish(&element()).iter().map(|it| it.span).collect();
    assert_eq!(spans, [Span::start_of(0), inside, after]);
}

#[test]
fn hopeless_input_stays_readable() {
    let mut sources = SourceMap::default();
    let fragment = sources.add_file("model", "x".repeat(200));
    let mut diagnostics = Diagnostics::default();
    let spans = (0..130).map(|start| Span { fragment, start, end: start + 1 });
    diagnostics.extend(spans.map(|span| Diagnostic::error("wrong", span)));
    let list = diagnostics.finish(&sources);
    assert_eq!((list.len(), list[100].is_error()), (101, false));
    assert_eq!(list[100].message, "30 more problems are not shown");
}

#[test]
fn a_mark_is_stronger_than_the_encoding_assumed() {
    let text = |bytes: &[u8], unmarked| decode(bytes, unmarked).map(|it| (it.text, it.remark));
    let plain = |text: &str| Ok((text.to_string(), None));
    assert_eq!(text(b"\xFF\xFE\xE9\0", Encoding::Latin1), plain("é"));
    assert_eq!(text(b"\0\xE9", Encoding::Utf16Big), plain("é"));
    assert_eq!(text(b"\xE9", Encoding::Latin1), plain("é"));
    let remark = "line 2 is not valid UTF-8; the file is read as Latin-1".to_string();
    assert_eq!(text(b"a\n\xE9", Encoding::Utf8), Ok(("a\né".to_string(), Some(remark))));
    assert!(text(b"a\0", Encoding::Utf8).is_err_and(|it| it.contains("binary")));
}
