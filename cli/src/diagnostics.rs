//! Shows diagnostics: place, source line, caret, what it belongs to and what to do.

use crate::output::{Output, Paint};
use crate::words;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use network::{Diagnostic, Severity, SourcePlace};
use std::ops::Range;

/// More than this many tell nothing new.
const SHOWN: usize = 50;

/// Shows diagnostics on standard error, all at once.
pub fn show(output: &Output, diagnostics: &[Diagnostic]) {
    output.print_error(&render(diagnostics, output.error_paint, output.width));
}

/// The text of diagnostics: errors and warnings in the order given, and how many there are.
pub fn render(diagnostics: &[Diagnostic], paint: Paint, width: usize) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        text.push_str(&render_one(diagnostic, paint, width));
        text.push_str("\n\n");
    }
    if diagnostics.len() > SHOWN {
        text.push_str(&format!("... and {} more\n\n", diagnostics.len() - SHOWN));
    }
    let errors = diagnostics.iter().filter(|d| d.is_error()).count();
    if errors > 1 {
        text.push_str(&format!("{}: {errors} errors in all\n", paint.red("error")));
    } else if !diagnostics.is_empty() {
        text.pop();
    }
    text
}

/// The text of one diagnostic, without a line break at its end.
pub fn render_one(diagnostic: &Diagnostic, paint: Paint, width: usize) -> String {
    let diagnostic = &visible(diagnostic);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.message.as_str()));
    if let Some(place) = &diagnostic.place {
        group = locate(group, place, diagnostic.label.as_deref());
        if let Some(within) = &place.within {
            group = group.element(Level::NOTE.message(format!("in {within}")));
        }
    }
    let renderer = if paint.colored { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.term_width(width);
    match &diagnostic.hint {
        None => renderer.render(&[group]),
        Some(hint) if diagnostic.place.is_some() => {
            renderer.render(&[group.element(Level::HELP.message(hint.as_str()))])
        }
        Some(hint) => {
            let help = Group::with_title(Level::HELP.primary_title(hint.as_str()));
            format!("{}\n{}", renderer.render(&[group]), renderer.render(&[help]))
        }
    }
}

/// The diagnostic without control characters; those of the source line give way to one sign each, so
/// that columns stay what they are.
fn visible(diagnostic: &Diagnostic) -> Diagnostic {
    let option = |text: &Option<String>| text.as_deref().map(words::visible);
    let place = diagnostic.place.as_ref().map(|place| SourcePlace {
        path: words::visible(&place.path),
        source_line: words::visible(&place.source_line),
        within: option(&place.within),
        ..place.clone()
    });
    Diagnostic {
        message: words::visible(&diagnostic.message),
        place,
        label: option(&diagnostic.label),
        hint: option(&diagnostic.hint),
        ..diagnostic.clone()
    }
}

fn locate<'a>(group: Group<'a>, place: &'a SourcePlace, label: Option<&'a str>) -> Group<'a> {
    if place.line == 0 {
        return group.element(Origin::path(place.path.as_str()));
    }
    if place.source_line.trim().is_empty() {
        let origin = Origin::path(place.path.as_str()).line(place.line as usize);
        return group.element(origin.char_column(place.column as usize));
    }
    let annotation = AnnotationKind::Primary.span(caret(place)).label(label);
    let snippet = Snippet::source(place.source_line.as_str()).line_start(place.line as usize);
    group.element(snippet.path(place.path.as_str()).annotation(annotation))
}

/// The bytes of the source line that are marked: to its end if the place has further lines.
fn caret(place: &SourcePlace) -> Range<usize> {
    let line = &place.source_line;
    let offset = |column: u32| {
        let mut characters = line.char_indices().map(|(at, _)| at);
        characters.nth((column as usize).saturating_sub(1)).unwrap_or(line.len())
    };
    let start = offset(place.column);
    let end = if place.end_line > place.line { line.len() } else { offset(place.end_column) };
    start..end.max(start)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Paint = Paint { colored: false };

    fn place(line: &str, column: u32, end_column: u32) -> SourcePlace {
        SourcePlace {
            path: "train.xml".to_string(),
            line: 12,
            column,
            end_line: 12,
            end_column,
            source_line: line.to_string(),
            within: Some("template \"Train\", guard".to_string()),
        }
    }

    #[test]
    fn a_diagnostic_shows_its_line_and_a_caret() {
        let mut diagnostic = Diagnostic::error("unknown name `öd`").at(place("ä + öd", 5, 7));
        diagnostic.label = Some("not declared".to_string());
        let text = render_one(&diagnostic.hint("declare it"), PLAIN, 80);
        let expected = [
            "error: unknown name `öd`",
            "  --> train.xml:12:5",
            "   |",
            "12 | ä + öd",
            "   |     ^^ not declared",
            "   |",
            "   = note: in template \"Train\", guard",
            "   = help: declare it",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn places_beyond_the_line_do_no_harm() {
        for (line, column, end_column) in [("", 1, 9), ("ab", 9, 4), ("ab", 3, 3), ("äö", 2, 1)] {
            let diagnostic = Diagnostic::error("odd").at(place(line, column, end_column));
            assert!(render_one(&diagnostic, PLAIN, 80).contains("train.xml:12"), "{line}");
        }
        let nowhere = SourcePlace { line: 0, ..place("ab", 0, 0) };
        assert!(render_one(&Diagnostic::error("odd").at(nowhere), PLAIN, 80).contains("train.xml"));
    }

    #[test]
    fn not_more_than_fifty_are_shown() {
        let diagnostics = vec![Diagnostic::error("wrong"); 143];
        let text = render(&diagnostics, PLAIN, 80);
        assert_eq!(text.matches("error: wrong").count(), 50);
        assert!(text.contains("... and 93 more") && text.contains("143 errors in all"));
    }
}
