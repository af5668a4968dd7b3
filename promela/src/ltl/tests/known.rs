//! Formulas whose monitors are known.

use super::super::{Analysis, Beyond, Monitor, Refusal, analyse};
use super::{formula, shown};

fn monitor_of(text: &str) -> Monitor {
    let Analysis { monitor, beyond } = analyse(&formula(text)).expect(text);
    assert_eq!(beyond, None, "{text}");
    monitor
}

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    assert_eq!(shown(&monitor_of(text)), expected.join("\n"), "{text}");
}

#[test]
fn invariants_have_one_state() {
    check("[] p", &["0: p -> 0; !p -> violated"]);
    check("always !p", &["0: !p -> 0; p -> violated"]);
    check("[] (p -> q)", &["0: !p || q -> 0; p && !q -> violated"]);
    check("[] p && [] q", &["0: p && q -> 0; !p || !q -> violated"]);
    check("!<> p", &["0: !p -> 0; p -> violated"]);
    check("[][] p", &["0: p -> 0; !p -> violated"]);
}

#[test]
fn equal_conditions_are_one_atom() {
    let one = "0: (x Less 3) -> 0; !(x Less 3) -> violated";
    check("[] (x < 3 && x<3 && 3 > x && !(x >= (3)))", &[one]);
    check("[] (x <= 3)", &["0: !(3 Less x) -> 0; (3 Less x) -> violated"]);
    check("[] (x == 1 || x != 1)", &["0: true -> 0"]);
    check("[] (a[i].b -> a[i].b)", &["0: true -> 0"]);
    check("[] (P[1]@here -> P[1]@here)", &["0: true -> 0"]);
    check("[] (P[1]:x -> P[1]:x)", &["0: true -> 0"]);
    check("[] (q?[1,eval(x)] <-> q?[1,eval(x)])", &["0: true -> 0"]);
    assert_eq!(monitor_of("[] (q?[1] || q?[2] || P:x == 1 || Q:x == 1)").atoms.len(), 4);
}

#[test]
fn weak_until_ends() {
    let weak = ["0: p && !q -> 0; q -> 1; !p && !q -> violated", "1: true -> 1"];
    check("p W q", &weak);
    check("(p U q) || [] p", &weak);
    let weak = ["0: !q && p -> 0; q -> 1; !q && !p -> violated", "1: true -> 1"];
    check("q V (p || q)", &weak);
    check("!(!q U (!p && !q))", &weak);
    // It may be as if `p` had been released.
    check("!(p U q)", &["0: p && !q -> 0; !p && !q -> 1; q -> violated", "1: true -> 1"]);
}

#[test]
fn obligations_come_and_go() {
    let expected = [
        "0: !p || r -> 0; p && (q && !r) -> 1; p && (!q && !r) -> violated",
        "1: r -> 0; q && !r -> 1; !q && !r -> violated",
    ];
    check("[] (p -> (q W r))", &expected);
    check(
        "[] (p -> [] q)",
        &["0: !p -> 0; p && q -> 1; p && !q -> violated", "1: q -> 1; !q -> violated"],
    );
}

/// Two states without a violation ahead can still be different.
#[test]
fn phases_are_told_apart() {
    let text = "!p W (p && (p W (!p && (!p W (p && [] !r)))))";
    check(
        text,
        &[
            "0: !p -> 0; p -> 1",
            "1: p -> 1; !p -> 2",
            "2: !p -> 2; p && !r -> 3; p && r -> violated",
            "3: !r -> 3; r -> violated",
        ],
    );
}

#[track_caller]
fn needs_acceptance(text: &str, part: Option<&str>) {
    let Ok(Analysis { beyond: Some(Beyond { part: span }), .. }) = analyse(&formula(text)) else {
        panic!("{text} is a safety property");
    };
    let whole = format!("ltl f {{ {text} }}");
    let found = span.map(|it| &whole[it.start as usize..it.end as usize]);
    assert_eq!(found, part, "{text}");
}

#[test]
fn liveness_needs_acceptance_cycles() {
    needs_acceptance("[] (p -> <> q)", Some("<> q"));
    needs_acceptance("<> p", Some("<> p"));
    needs_acceptance("p U q", Some("p U q"));
    needs_acceptance("[] <> p", Some("<> p"));
    needs_acceptance("<> [] p", Some("<> [] p"));
    needs_acceptance("[] p -> [] q", Some("[] p"));
    needs_acceptance("!(p W q) && [] r", Some("(p W q)"));
    needs_acceptance("<> p && <> q", None);
    needs_acceptance("[] p <-> q", Some("[] p"));
}

#[test]
fn liveness_may_be_violated_early() {
    let monitor = |text| analyse(&formula(text)).expect(text).monitor;
    let until = monitor("p U q");
    assert_eq!(shown(&until), "0: p && !q -> 0; q -> 1; !p && !q -> violated\n1: true -> 1");
    assert!(until.can_be_violated());
    assert!(!monitor("[] <> p").can_be_violated());
}

#[test]
fn constants_are_folded() {
    check("true", &["0: true -> 0"]);
    check("false", &["0: true -> violated"]);
    check("[] p && <> true", &["0: p -> 0; !p -> violated"]);
    check("[] (p || 1)", &["0: true -> 0"]);
    check("p && !p", &["0: true -> violated"]);
    check("[] p && <> !p", &["0: true -> violated"]);
    check("<> p || [] !p", &["0: true -> 0"]);
}

#[test]
fn formulas_on_the_first_state_only() {
    check("p", &["0: p -> 1; !p -> violated", "1: true -> 1"]);
}

#[test]
fn guards_do_not_double() {
    let monitor = monitor_of("[] ((a || b) && (c || d) && (e || f))");
    let fine = "(a || b) && ((c || d) && (e || f)) -> 0";
    let violated = "(!a && !b) || ((!c && !d) || (!e && !f)) -> violated";
    assert_eq!(shown(&monitor), format!("0: {fine}; {violated}"));
    check("[] (p <-> q)", &["0: p -> q : !q -> 0; p -> !q : q -> violated"]);
}

#[test]
fn an_index_is_not_looked_at_where_it_does_not_matter() {
    let expected = ["0: !(i Less 3) || a -> 0; (i Less 3) && !a -> violated"];
    check("[] (i < 3 -> a[i])", &expected);
    check("[] (i >= 3 || a[i])", &expected);
    // Not `(i < 3 || z) && (a[i] || z)`.
    let fine = "(i Less 3) -> (a || z) : z -> 0";
    let violated = "(i Less 3) -> (!a && !z) : !z -> violated";
    check("[] ((i < 3 && a[i]) || z)", &[&format!("0: {fine}; {violated}")]);
}

#[test]
fn next_is_refused_where_it_stands() {
    let text = "[] (p -> X q)";
    let Err(Refusal::Next(span)) = analyse(&formula(text)) else {
        panic!("no refusal");
    };
    let whole = format!("ltl f {{ {text} }}");
    assert_eq!(&whole[span.start as usize..span.end as usize], "X q");
}

/// Deep and wide formulas end with a monitor or a refusal, soon.
#[test]
fn no_formula_takes_for_ever() {
    for text in hostile() {
        let began = testing::Busy::start();
        let result = analyse(&formula(&text));
        assert!(began.elapsed().as_secs() < 600, "{text}");
        assert!(!matches!(result, Err(Refusal::Next(_))), "{text}");
    }
}

fn hostile() -> Vec<String> {
    let many = |part: &dyn Fn(usize) -> String, between: &str, count: usize| {
        (0..count).map(part).collect::<Vec<_>>().join(between)
    };
    let nested = |operator: &str, count: usize| {
        (0..count).fold("z".to_string(), |inner, index| format!("({inner}) {operator} p{index}"))
    };
    let right = |operator: &str, count: usize| {
        (0..count).fold("z".to_string(), |inner, index| format!("p{index} {operator} ({inner})"))
    };
    let mut list = vec![
        many(&|it| format!("(p{it} U q{it})"), " && ", 30),
        many(&|it| format!("(p{it} W q{it})"), " && ", 30),
        many(&|it| format!("[] (p{it} -> (q{it} W r{it}))"), " && ", 30),
        many(&|it| format!("[] <> p{it}"), " && ", 30),
        many(&|it| format!("[] <> p{it}"), " || ", 30),
        many(&|it| format!("<> [] p{it}"), " <-> ", 12),
        many(&|it| format!("[] (p{it} -> q{it})"), " && ", 200),
        many(&|it| format!("p{it}"), " <-> ", 100),
        format!("[] ({})", many(&|it| format!("(p{it} || q{it})"), " && ", 200)),
        format!("[] ({})", many(&|it| format!("p{it}"), " + ", 200)),
        format!("[] (p {})", "-> [] (p || <> q) ".repeat(40)),
    ];
    for operator in ["U", "W", "V", "<->", "->"] {
        list.extend([nested(operator, 30), right(operator, 30)]);
        list.extend([
            format!("[] ({})", nested(operator, 30)),
            format!("<> ({})", right(operator, 30)),
        ]);
    }
    list
}
