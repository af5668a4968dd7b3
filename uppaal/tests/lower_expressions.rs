//! Expressions: folding, side effects in order, laziness, whole arrays and structs, quantifiers.

mod lowering;

use lowering::*;

const NAMES: &str = "int i, j, k, a[4]; bool b, c; int inc() { i++; return i; }";

fn update(assign: &str) -> String {
    lowered(&edge(NAMES, &format!("assign {assign};")))
}

fn guard(guard: &str) -> String {
    lowered(&edge(NAMES, &format!("guard {guard};")))
}

#[test]
fn operators() {
    has(
        &guard("i + j * 2 - k / 3 % 4 == -i && !(b || c) && (i <? j) < (j >? k)"),
        "when i + j * 2 - k / 3 % 4 == -i && !(b || c) && min(i, j) < max(j, k);",
    );
    has(&guard("(i & j | k ^ 1) << 2 >= i >> 1"), "when (i & j | k ^ 1) << 2 >= i >> 1;");
    has(
        &guard("(b xor c) && (b imply c) && abs(i) == 2 ** 3"),
        "when b != c && (!b || c) && abs(i) == 8;",
    );
}

#[test]
fn integers_become_truth_values_where_one_is_wanted() {
    has(&guard("i && !j"), "when i != 0 && j == 0;");
    has(&update("b = i, b = c, i = b + c"), "b = i != 0;\nb = c;\ni = b + c;");
}

#[test]
fn constants_are_folded_but_not_run_time_errors() {
    has(&guard("1 + 1 == 2 && i == 3"), "when i == 3;");
    has(&guard("i > 0 && j == 1 / 0"), "when i > 0 && j == 1 / 0;");
}

#[test]
fn steps_and_assignments_as_values() {
    has(
        &update("a[i++] = j = 3"),
        "temporary#0 = i; i = temporary#0 + 1; j = 3; a[temporary#0] = j;"
            .replace("; ", ";\n")
            .as_str(),
    );
    has(
        &update("k = ++i + j--"),
        "i = i + 1;\ntemporary#1 = i;\ntemporary#0 = j;\nj = temporary#0 - 1;\nk = temporary#1 + temporary#0;",
    );
    has(
        &update("i += 2, j -= i, k <<= 1, i++, --j"),
        "i = i + 2;\nj = j - i;\nk = k << 1;\ni = i + 1;\nj = j - 1;",
    );
}

#[test]
fn the_left_operand_is_read_before_the_right_one_changes_it() {
    has(
        &update("k = i + inc()"),
        "temporary#1 = i;\ntemporary#0 = call inc();\nk = temporary#1 + temporary#0;",
    );
    has(
        &update("a[i] = inc()"),
        "temporary#1 = i;\ntemporary#0 = call inc();\na[temporary#1] = temporary#0;",
    );
}

#[test]
fn the_right_operand_of_logic_is_lazy() {
    has(
        &update("b = c && inc() > 2"),
        "temporary#1 = c;
         if (temporary#1) {
           temporary#0 = call inc();
           temporary#1 = temporary#0 > 2;
         }
         b = temporary#1;",
    );
    has(
        &update("b = c || i++ > 2"),
        "temporary#1 = c;
         if (!temporary#1) {
           temporary#0 = i;
           i = temporary#0 + 1;
           temporary#1 = temporary#0 > 2;
         }",
    );
    has(
        &update("k = b ? inc() : j"),
        "if (b) {
           temporary#0 = call inc();
           temporary#1 = temporary#0;
         } else {
           temporary#1 = j;
         }
         k = temporary#1;",
    );
    has(&update("b ? i++ : j--"), "if (b) {\ni = i + 1;\n} else {\nj = j - 1;\n}");
}

#[test]
fn choices_can_be_assigned() {
    has(
        &update("(b ? i : a[j]) = 3"),
        "temporary#0 = b;
         if (temporary#0) {
           i = 3;
         } else {
           a[j] = 3;
         }",
    );
}

#[test]
fn quantifiers_bind_locals() {
    let text = guard(
        "forall (n : int[0,3]) exists (m : int[1,2]) a[n] == m && (sum (n : int[0,3]) a[n]) > 4",
    );
    has(
        &text,
        "when forall (n#0 : int[0, 3]) exists (m#1 : int[1, 2]) a[n#0] == m#1 && (sum (n#2 : int[0, 3]) a[n#2]) > 4;",
    );
}

#[test]
fn ranges_that_depend_on_an_outer_name_are_unrolled() {
    has(
        &guard("forall (n : int[0,2]) exists (m : int[n + 1, 3]) a[n] < a[m]"),
        "when (exists (m#0 : int[1, 3]) a[0] < a[m#0]) && (exists (m#1 : int[2, 3]) a[1] < a[m#1]) && (exists (m#2 : int[3, 3]) a[2] < a[m#2]);",
    );
}

#[test]
fn quantifiers_over_nothing() {
    has(&guard("(forall (n : int[1,0]) a[n] == 1) && i == 1"), "when i == 1;");
    has(&guard("(exists (n : int[1,0]) a[n] == 1) || i == 1"), "when i == 1;");
    has(&guard("(sum (n : int[1,0]) a[n]) == i"), "when 0 == i;");
}

#[test]
fn whole_arrays_and_structs() {
    let names =
        "typedef struct { int x; int y[2]; } S; S s, t[2]; int i, a[2], b[2], c[99], d[99];";
    let text = lowered(&edge(
        names,
        "guard s == t[i] && a != b && c == d; assign t[i] = s, c = d, a = b;",
    ));
    has(
        &text,
        "when s.x == \"t[].x\"[i] && (s.y[0] == \"t[].y\"[i][0] && s.y[1] == \"t[].y\"[i][1]) && !(a[0] == b[0] && a[1] == b[1]) && (forall (i#0 : int[0, 98]) c[i#0] == d[i#0]);",
    );
    has(
        &text,
        "\"t[].x\"[i] = s.x;
         \"t[].y\"[i][0] = s.y[0];
         \"t[].y\"[i][1] = s.y[1];
         temporary#1 = 0;
         while (temporary#1 < 99) {
           c[temporary#1] = d[temporary#1];
           temporary#1 = temporary#1 + 1;
         }
         a[0] = b[0];
         a[1] = b[1];",
    );
}

#[test]
fn choices_between_structs_are_copied() {
    let names = "typedef struct { int x; } S; S s, t, u; bool b;";
    has(
        &lowered(&edge(names, "assign u = b ? s : t;")),
        "if (b) {
           temporary.x#0 = s.x;
         } else {
           temporary.x#0 = t.x;
         }
         u.x = temporary.x#0;",
    );
}

#[test]
fn useless_expressions_are_warned_about() {
    let loaded = load_with(&edge("int i;", "assign i == 1;"), &[]);
    assert_eq!(
        messages(&loaded.diagnostics),
        ["2:54 this has no effect [an assignment is written `x = 1`]"]
    );
    assert!(loaded.network.is_some());
}
