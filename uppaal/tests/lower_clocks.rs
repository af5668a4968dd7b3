//! Guards and invariants: shapes of clock constraints, conditions, rates, quantifiers.

mod lowering;

use lowering::*;

const NAMES: &str = "clock x, y, c[3]; int i, n; bool b;";

fn guard(guard: &str) -> String {
    lowered(&edge(NAMES, &format!("guard {guard};")))
}

fn invariant(invariant: &str) -> String {
    lowered(&format!("{NAMES} process P() {{ state A {{ {invariant} }}; init A; }} system P;"))
}

#[test]
fn every_way_to_write_a_bound() {
    has(
        &guard("x < 3 && x <= n && x == 4 && x >= n + 1 && x > 5"),
        "when x < 3 && x <= n && x == 4 && x >= n + 1 && x > 5;",
    );
    has(&guard("3 < x && n >= x && 4 == x"), "when x > 3 && x <= n && x == 4;");
    has(
        &guard("x - y < 3 && 5 >= x - y && x < y + 3 && x - n <= 2"),
        "when x - y < 3 && x - y <= 5 && x - y < 3 && x <= 2 + n;",
    );
    has(&guard("x + 3 <= n && x > y && n - x < 2"), "when x <= n - 3 && x - y > 0 && x > n - 2;");
    has(&guard("c[i] < 2 && c[0] - c[n] > -1"), "when c[i] < 2 && c[0] - c[n] > -1;");
}

#[test]
fn data_and_clocks_apart() {
    has(
        &guard("i == 1 && x < 3 && (b && y > 1 && n == 2)"),
        "when i == 1 && b && n == 2 && x < 3 && y > 1;",
    );
}

#[test]
fn conditional_constraints() {
    has(&guard("b || x < 3"), "when !b imply x < 3;");
    has(
        &guard("i == 1 imply (x < 3 && y < 4)"),
        "when (i == 1 imply x < 3) && (i == 1 imply y < 4);",
    );
    has(&guard("b ? x < 3 : y < n"), "when (b imply x < 3) && (!b imply y < n);");
    has(
        &guard("!(b && x >= 3)"),
        "when !b || x < 3;".replace("!b || x < 3", "b imply x < 3").as_str(),
    );
    has(&guard("b || (i == 1 && x < 3)"), "when (b || i == 1) && (!b imply x < 3);");
}

#[test]
fn conditions_that_are_constant() {
    let model = |n: i32| {
        format!(
            "clock x; process P(const int n) {{ state A; init A; trans A -> A {{ guard n == 0 || x > 2; }}; }} Q = P({n}); system Q;"
        )
    };
    let network = network_with(&model(0), &[]);
    let guard = &network.processes[network::ProcessId(0)].edges[network::EdgeId(0)].guard;
    assert!(guard.is_always());
    has(&lowered(&model(1)), "when x > 2;");
}

#[test]
fn quantifiers_over_clocks_are_unrolled() {
    has(
        &invariant("forall (k : int[0,2]) c[k] <= k + 1"),
        "invariant c[0] <= 1 && c[1] <= 2 && c[2] <= 3;",
    );
    has(
        &guard("forall (k : int[0,1]) (k == i imply c[k] > 2)"),
        "when (0 == i imply c[0] > 2) && (1 == i imply c[1] > 2);",
    );
}

#[test]
fn rates() {
    has(&invariant("x' == 0 && y <= 3"), "invariant y <= 3;\nrate x = 0;");
    has(&invariant("x' == (i == 1) && 1 == y'"), "rate x = i == 1;\nrate y = 1;");
    has(
        &invariant("(forall (k : int[0,1]) c[k]' == k) && (b imply x' == 0)"),
        "rate c[0] = 0;\nrate c[1] = 1;\nrate x = 0 when b;",
    );
}

#[test]
fn resets() {
    let text = lowered(&edge(NAMES, "assign x = 0, c[i] = n + 2, y = b;"));
    has(&text, "reset x = 0;\nreset c[i] = n + 2;\nreset y = b;");
}

#[test]
fn a_clock_guard_on_an_urgent_channel_is_warned_about() {
    let loaded = load_with(&edge("urgent chan u; clock x;", "guard x > 1; sync u!;"), &[]);
    let found = messages(&loaded.diagnostics);
    assert!(
        found[0].starts_with("2:65 a clock guard on an edge with an urgent channel"),
        "{found:?}"
    );
    assert!(loaded.network.is_some());
}
