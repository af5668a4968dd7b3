//! Queries over the names of a model.

mod common;

use promela::ast::QueryKind;

/// The query in full parentheses, or what is wrong with it.
fn query(text: &str) -> String {
    let mut parsed = common::parse("#define N 3\n#define critical P[N]@cs\nproctype P() { skip }");
    let (query, diagnostics) = promela::parse_query(text, &parsed.macros, &mut parsed.sources);
    match query {
        Some(query) => {
            assert!(diagnostics.is_empty());
            assert_eq!(query.text, text.trim());
            match query.kind {
                QueryKind::Reachable(property) => format!("E<> {}", common::expr(&property)),
                QueryKind::Invariant(property) => format!("A[] {}", common::expr(&property)),
            }
        }
        None => {
            let first = &diagnostics[0];
            let place = parsed.sources.resolve(first.span).expect("every span leads to a file");
            format!("{}:{} {}", place.path, place.column, first.message)
        }
    }
}

#[test]
fn queries_are_parsed() {
    let cases = [
        ("E<> x == 3", "E<> (x == 3)"),
        ("A[] !(P[1]@cs && P[2]@cs)", "A[] (!(P[1]@cs && P[2]@cs))"),
        ("A[] not P[1]@cs or P[2]@cs and x > 1", "A[] ((!P[1]@cs) || (P[2]@cs && (x > 1)))"),
        ("E<> P[1]:x == 3 imply y", "E<> ((P[1]:x == 3) imply y)"),
        (" E <> P:x[2] imply Q@l ", "E<> (P:x[2] imply Q@l)"),
        (
            "E<> !empty(q) && len(q) == full(r) && q?[req]",
            "E<> ((!empty(q)) && (len(q) == full(r)) && q?[req])",
        ),
        ("E<> x == N && critical", "E<> ((x == 3) && P[3]@cs)"),
        (
            "E<> (a -> b)",
            "query:12 expected `:` in the conditional expression `(c -> a : b)`, found `)`",
        ),
        ("E<> (a -> b : c) == (P:x -> (P:y) : 2)", "E<> ((a -> b : c) == (P:x -> P:y : 2))"),
        ("", "query:1 expected `E<>` or `A[]`, found the end of the text"),
        ("E<>", "query:4 expected an expression, found the end of the text"),
        ("E<> x == 3 4", "query:12 expected the end of the query, found `4`"),
        ("E<> c_expr { x }", "query:5 embedded C (`c_expr`) is not supported"),
        ("A<> x", "query:1 expected `E<>` or `A[]`, found `A`"),
    ];
    for (text, expected) in cases {
        assert_eq!(query(text), expected, "{text}");
    }
}
