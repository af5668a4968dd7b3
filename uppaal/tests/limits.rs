//! Hostile sizes and depths: a diagnostic, no crash, no long wait.

use std::time::Duration;
use testing::Busy;
use uppaal::ast::{Expr, ExprKind};

/// A model around a global declaration.
fn model(declaration: &str) -> String {
    format!("{declaration}\nprocess P() {{ state A; init A; }}\nsystem P;")
}

/// Parses and returns the messages; fails if that takes far longer than it should.
#[track_caller]
fn messages(text: &str) -> Vec<String> {
    let start = Busy::start();
    let parsed = uppaal::parse("model", text.as_bytes());
    assert!(start.elapsed() < Duration::from_secs(120), "took {:?}", start.elapsed());
    parsed.diagnostics.into_iter().map(|it| it.message).collect()
}

#[test]
fn deep_nesting_is_one_error() {
    let n = 200_000;
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}", open.repeat(n), close.repeat(n))
    };
    let deep = "this is nested more than 256 levels deep";
    let cases = [
        format!("int x = {};", nested("(", "1", ")")),
        format!("int x = {};", nested("-", "1", "")),
        format!("int x = {};", nested("a[", "1", "]")),
        format!("int x = {};", nested("f(", "1", ")")),
        format!("int x = {};", nested("a = ", "1", "")),
        format!("int x = {};", nested("a ? b : ", "1", "")),
        format!("int x = {};", nested("forall (i : int[0,1]) ", "1", "")),
        format!("int x = {};", nested("{", "1", "}")),
        format!("{} x;", nested("struct { ", "int a;", "} b;")),
        format!("int[0, {} x;", nested("forall (i : int[0, ", "1", "]) 1]")),
        format!("void f() {}", nested("{", "", "}")),
        format!("void f() {{ {} }}", nested("if (1) ", ";", "")),
        format!("void f() {{ {} }}", nested("while (1) ", ";", "")),
        format!("void f() {{ {} }}", nested("do ", ";", " while (1);")),
        format!("int x[{}];", nested("(", "1", ")")),
    ];
    for case in cases {
        let found = messages(&model(&case));
        assert_eq!(found, [deep], "in {}...", &case[..40]);
    }
}

#[test]
fn nesting_within_the_limit_is_fine() {
    let n = 120;
    let text = format!("int x = {}1{};", "(1 + ".repeat(n), ")".repeat(n));
    assert_eq!(messages(&model(&text)), [""; 0]);
    let text = format!("void f() {{ {};{} }}", "{ if (1) ".repeat(60), "}".repeat(60));
    assert_eq!(messages(&model(&text)), [""; 0]);
}

#[test]
fn long_chains_of_conjunctions_stay_low() {
    let n = 100_000;
    let text = format!("bool x = {}true;", "a && ".repeat(n));
    let parsed = uppaal::parse("model", model(&text).as_bytes());
    assert!(parsed.diagnostics.is_empty());
    let uppaal::ast::Declaration::Variables(variables) = &parsed.model.declarations[0] else {
        panic!("expected variables");
    };
    let Some(uppaal::ast::Initialiser::Value(value)) = &variables.declarators[0].initialiser else {
        panic!("expected a value");
    };
    assert_eq!(leaves(value), n + 1);
    assert_eq!(height(value), 18);
}

fn leaves(expression: &Expr) -> usize {
    match &expression.kind {
        ExprKind::Binary(_, a, b) => leaves(a) + leaves(b),
        _ => 1,
    }
}

fn height(expression: &Expr) -> usize {
    match &expression.kind {
        ExprKind::Binary(_, a, b) => 1 + height(a).max(height(b)),
        _ => 1,
    }
}

#[test]
fn other_long_chains_are_refused() {
    let expected = ["this expression has more than 512 operators in a row"];
    for operator in ["+ 1", "- 1", "imply b ", "[0]", ".a", "'", "++"] {
        let text = format!("int x = a {};", operator.repeat(100_000).replace('1', "1 "));
        assert_eq!(messages(&model(&text)), expected, "for {operator}");
    }
    let text = format!("int x = a{};", " + 1".repeat(500));
    assert_eq!(messages(&model(&text)), [""; 0]);
}

#[test]
fn long_flat_texts_are_fine() {
    let n = 50_000;
    let elses = "if (a) ; else ".repeat(n);
    assert_eq!(messages(&model(&format!("void f() {{ {elses} ; }}"))), [""; 0]);
    assert_eq!(messages(&model(&"int x; ".repeat(n))), [""; 0]);
    assert_eq!(messages(&model(&format!("int x[9] = {{ {}1 }};", "1, ".repeat(n)))), [""; 0]);
    assert_eq!(messages(&model(&format!("void f() {{ {} }}", "x = 1; ".repeat(n)))), [""; 0]);
    let edges = "A -> A { guard x > 1, y < 2; assign x = 1; }, ".repeat(n);
    let text = format!("process P() {{ state A; init A; trans {edges} A -> A {{ }}; }}\nsystem P;");
    assert_eq!(messages(&text), [""; 0]);
}

#[test]
fn many_mistakes_are_cut_short() {
    for mistake in ["int 3; ", "@ ", "} ", "{ ", "( ", "x ", "process ", "typedef ", "/ ", "\" "] {
        let found = messages(&model(&mistake.repeat(100_000)));
        assert!((1..=101).contains(&found.len()), "{} for {mistake}", found.len());
    }
    let block = format!("void f() {{ {} }}", "x = ; ".repeat(100_000));
    let found = messages(&model(&block));
    assert_eq!(found.len(), 101);
    assert_eq!(found[100], "99900 more problems are not shown");
}

#[test]
fn large_xml() {
    let label = "<label kind=\"guard\">x &lt; 3 &amp;&amp; y &gt; 2</label>";
    let edge = format!("<transition><source ref=\"a\"/><target ref=\"a\"/>{label}</transition>");
    let text = format!(
        "<nta><template><name>T</name><location id=\"a\"/><init ref=\"a\"/>{}</template>\
         <system>system T;</system></nta>",
        edge.repeat(30_000)
    );
    assert_eq!(messages(&text), [""; 0]);
    let entities = format!(
        "<nta><declaration>bool b = 1 {};</declaration><system>system T;</system></nta>",
        "&lt; 1 &amp;&amp; 2".repeat(100_000)
    );
    assert_eq!(messages(&entities), [""; 0]);
    let open = "<a>".repeat(300_000);
    assert_eq!(messages(&format!("<nta>{open}")), ["the file ends in the middle of the model"]);
}
