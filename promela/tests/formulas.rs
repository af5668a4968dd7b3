//! `ltl` formulas from the text of a model to its properties.

mod loading;

use network::{Claim, Network};

fn load(text: &str, claim: Option<&str>) -> promela::Loaded {
    let claim = claim.map(str::to_string);
    loading::load(text, promela::Options { claim, ..Default::default() })
}

fn network(text: &str) -> Network {
    let loaded = load(text, None);
    loaded.network.unwrap_or_else(|| panic!("{text}: {:?}", loaded.diagnostics))
}

/// Every message with its line and column.
#[track_caller]
fn check(text: &str, claim: Option<&str>, expected: &[&str]) {
    let loaded = load(text, claim);
    let shown = |it: &network::Diagnostic| match &it.place {
        Some(place) => format!("{}:{} {}", place.line, place.column, it.message),
        None => it.message.clone(),
    };
    let found: Vec<String> = loaded.diagnostics.iter().map(shown).collect();
    assert_eq!(found, expected, "{text}");
}

const MODEL: &str = "byte x; active proctype P() { x = 1 }\n";

#[test]
fn each_is_a_property_as_written() {
    let formulas = "ltl one { [] /* all\n the time */ (x\t< 3) } // that is all\nltl { <> x }\n\
        ltl three {\n  (x == 0) W\n  // from then on\n  (x == 1)\n}";
    let network = network(&format!("{MODEL}{formulas}"));
    let texts: Vec<&str> = network.properties.iter().map(|it| it.text.as_str()).collect();
    let three = "ltl three { (x == 0) W (x == 1) }";
    assert_eq!(texts, ["no errors", "ltl one { [] (x < 3) }", "ltl { <> x }", three]);
    // As in Spin, where a failed assertion is an error whatever is checked.
    assert!(network.properties.iter().all(|it| it.counts_errors));
}

#[test]
fn mistakes_in_formulas_are_reported() {
    check(&format!("{MODEL}ltl p {{ [] (y == 1) }}"), None, &["2:13 `y` is not declared"]);
    let message = "2:23 formulas cannot have the operator `X`";
    check(&format!("{MODEL}ltl p {{ [] (x == 0 -> X (x == 1)) }}"), None, &[message]);
    let message = "2:13 formulas cannot have the operator `X`";
    check(&format!("{MODEL}ltl p {{ 3 + X x == 3 }}"), None, &[message]);
    let message = "2:11 formulas cannot have the operator `X`";
    check(&format!("{MODEL}ltl p {{ - X x }}"), None, &[message]);
    let twice = "ltl p { [] x } never p { x } ltl q { x }";
    check(&format!("{MODEL}{twice}"), None, &["2:16 the claim `p` is declared twice"]);
}

#[test]
fn names_on_the_command_line() {
    let text =
        format!("{MODEL}ltl p {{ [] x }} ltl {{ x }} never {{ x }} ltl {{ x }} never {{ x }}");
    for name in ["p", "ltl_0", "ltl_1", "never", "never_0", "never_1"] {
        check(&text, Some(name), &[]);
    }
    check(&text, None, &[]);
    check(&text, Some("ltl_2"), &["1:1 there is no never claim or formula `ltl_2`"]);
    // A formula that is not asked about does no harm.
    check(&format!("{MODEL}ltl p {{ [] x }} ltl q {{ X x }}"), Some("p"), &[]);
}

#[test]
fn what_cannot_be_checked_leaves_the_rest() {
    let parts: Vec<String> = (0..30).map(|n| format!("(x == {n} W x == {})", n + 100)).collect();
    let formulas = format!("ltl large {{ {} }} ltl p {{ [] (x < 3) }}", parts.join(" && "));
    let network = network(&format!("{MODEL}{formulas}"));
    let unsupported = |it: &network::Property| match &it.claim {
        Claim::Unsupported(why) => Some(why.clone()),
        _ => None,
    };
    let all: Vec<_> = network.properties.iter().map(unsupported).collect();
    let why = "the formula is too large: its automaton takes too long to make";
    assert_eq!(all, [None, Some(why.to_string()), None]);
}

#[test]
fn the_part_that_needs_cycles_is_named() {
    let network = network(&format!("{MODEL}ltl p {{ [] (x == 0 -> <> (x == 1)) && [] (x < 2) }}"));
    let beyond = network.properties.iter().nth(1).and_then(|it| it.beyond.clone());
    assert!(beyond.is_some_and(|it| it.contains("in `<> (x == 1)` takes a search")));
}
