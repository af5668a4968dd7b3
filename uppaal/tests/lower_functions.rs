//! Functions: statements, references, arrays by value, results, copies for each binding.

mod lowering;

use lowering::*;

fn function(declarations: &str, call: &str) -> String {
    lowered(&edge(declarations, &format!("assign {call};")))
}

#[test]
fn statements() {
    let text = function(
        "int r; void f(int n) {
           int i;
           for (i = 0; i < n; i++) r += i;
           for (k : int[2,3]) r += k;
           while (r > 10) { r--; }
           do { r++; } while (r < 5);
           if (r == 1) r = 2; else if (r == 3) { r = 4; } else r = 5;
           assert r > 0;
         }",
        "f(3)",
    );
    has(
        &text,
        "i#1 = 0;
         while (i#1 < n#0) { r = r + i#1; i#1 = i#1 + 1; }
         temporary#3 = 2;
         while (temporary#3 <= 3) { k#2 = temporary#3; r = r + k#2; temporary#3 = temporary#3 + 1; }
         while (r > 10) { r = r - 1; }
         temporary#4 = 1;
         while (temporary#4) { r = r + 1; temporary#4 = r < 5; }
         if (r == 1) { r = 2; } else if (r == 3) { r = 4; } else { r = 5; }
         assert r > 0;"
            .replace("{ ", "{\n")
            .replace("; ", ";\n")
            .as_str(),
    );
    has(&text, "call f(3);");
}

#[test]
fn conditions_with_effects_are_evaluated_in_every_round() {
    let text = function("int i, r; void f() { while (i++ < 5) r++; }", "f()");
    has(
        &text,
        "temporary#1 = 1;
         while (temporary#1) {
           temporary#0 = i;
           i = temporary#0 + 1;
           temporary#1 = temporary#0 < 5;
           if (temporary#1) {
             r = r + 1;
           }
         }",
    );
}

#[test]
fn locals_of_a_loop_start_anew_in_every_round() {
    let text = function(
        "int r; void f() { int i; for (i = 0; i < 3; i++) { int n; n++; r += n; } }",
        "f()",
    );
    has(&text, "while (i#0 < 3) {\nn#1 = 0;\nn#1 = n#1 + 1;\nr = r + n#1;");
}

#[test]
fn functions_without_effects_are_expressions() {
    let text = lowered(&edge(
        "int a[3]; int twice(int n) { return 2 * n; } bool f(int n) { int l = n; l++; return twice(l) > a[0]; }",
        "guard f(2); assign a[0] = twice(a[1]);",
    ));
    has(&text, "when f(2);");
    has(&text, "a[0] = twice(a[1]);");
}

#[test]
fn references_to_variables_make_copies_of_the_function() {
    let text = function(
        "int x, y, a[3], i; void swap(int &p, int &q) { int h = p; p = q; q = h; }",
        "swap(x, y), swap(y, x), swap(x, y), swap(a[i], a[1])",
    );
    assert_eq!(text.matches("function swap").count(), 3, "{text}");
    has(&text, "function swap() {\nlocal h#0 : int[-32768, 32767];\nh#0 = x;\nx = y;\ny = h#0;\n}");
    has(
        &text,
        "function swap(index#0 : int) {\nlocal h#1 : int[-32768, 32767];\nh#1 = a[index#0];\na[index#0] = a[1];\na[1] = h#1;\n}",
    );
    has(&text, "call swap##0();\ncall swap##1();\ncall swap##0();\ncall swap##2(i);");
}

#[test]
fn references_to_clocks() {
    let text = function(
        "clock x, c[3]; int i; void f(clock &z, int n) { z = n + 1; }",
        "f(x, 2), f(c[i], 0)",
    );
    has(&text, "function f(n#0 : int[-32768, 32767]) {\nreset x = n#0 + 1;\n}");
    has(
        &text,
        "function f(n#1 : int[-32768, 32767], index#0 : int) {\nreset c[index#0] = n#1 + 1;\n}",
    );
}

#[test]
fn references_to_locals_are_inlined() {
    let text = function(
        "int r; void add(int &p, int n) { if (n == 0) return; p += n; }
         void f() { int l[2], i = 1; add(l[i], 3); r = l[1]; }",
        "f()",
    );
    has(
        &text,
        "i#1 = 1;
         temporary#2 = i#1;
         n#3 = 3;
         done#4 = 0;
         if (n#3 == 0) {
           done#4 = 1;
         }
         if (!done#4) {
           l#0[temporary#2] = l#0[temporary#2] + n#3;
         }
         r = l#0[1];",
    );
}

#[test]
fn return_from_a_loop_that_is_inlined() {
    let text = function(
        "int r; int find(int &a[3], int n) { int i; for (i = 0; i < 3; i++) { if (a[i] == n) return i; a[i] = n; } return -1; }
         void f() { int l[3]; r = find(l, 2); }",
        "f()",
    );
    has(
        &text,
        "while (!done#3 && i#4 < 3) {
           if (l#0[i#4] == n#1) {
             result#2 = i#4;
             done#3 = 1;
           }
           if (!done#3) {
             l#0[i#4] = n#1;
           }
           if (!done#3) {
             i#4 = i#4 + 1;
           }
         }
         if (!done#3) {
           result#2 = -1;
           done#3 = 1;
         }
         r = result#2;",
    );
}

#[test]
fn arrays_by_value_are_copied_only_if_somebody_writes() {
    let text = function(
        "int a[3], r; int read(int v[3]) { return v[0] + v[1]; }
         int write(int v[3]) { v[0] = 7; return v[0] + v[1]; }
         int other(int v[3]) { a[0] = 1; return v[0]; }",
        "r = read(a), r = write(a), r = other(a)",
    );
    has(&text, "function read() -> int[-32768, 32767] {\nreturn a[0] + a[1];\n}");
    has(&text, "v#0[2] = a[2];\nv#0[0] = 7;\nreturn v#0[0] + v#0[1];");
    has(&text, "v#0[2] = a[2];\na[0] = 1;\nreturn v#0[0];");
}

#[test]
fn structs_as_results() {
    let text = lowered(&edge(
        "typedef struct { int x; int y[2]; } S; S s; int i; S make(int n) { S r; r.x = n; r.y[1] = n; return r; }",
        "guard make(1).y[i] == 1; assign s = make(2), i = make(3).x;",
    ));
    has(&text, "when make(1, i) == 1;");
    has(&text, "return r.y#3[index#1];");
    has(&text, "n#0 = 2;");
    has(&text, "s.x = result.x#1;\ns.y[0] = result.y#2[0];\ns.y[1] = result.y#2[1];");
    has(&text, "i = result.x#6;");
}

#[test]
fn quantifiers_with_inlined_calls_become_loops() {
    let text = function(
        "bool r; bool at(int v[3], int n) { return v[n] == 1; } void f() { int l[3]; r = exists (n : int[0,2]) at(l, n); }",
        "f()",
    );
    has(
        &text,
        "temporary#5 = 0;
         temporary#4 = 0;
         while (temporary#4 <= 2 && !temporary#5) {
           n#1 = temporary#4;
           n#2 = n#1;
           result#3 = 0;
           result#3 = l#0[n#2] == 1;
           temporary#5 = result#3;
           temporary#4 = temporary#4 + 1;
         }
         r = temporary#5;",
    );
}

#[test]
fn functions_of_processes() {
    let text = lowered(
        "process P(const int n) { int x; int f(int k) { return k + n + x; } state A; init A; trans A -> A { assign x = f(1); }; }
         P1 = P(1); P2 = P(2); system P1, P2;",
    );
    has(
        &text,
        "function P1.f(k#0 : int[-32768, 32767]) -> int[-32768, 32767] {\nreturn k#0 + 1 + P1.x;\n}",
    );
    has(
        &text,
        "function P2.f(k#0 : int[-32768, 32767]) -> int[-32768, 32767] {\nreturn k#0 + 2 + P2.x;\n}",
    );
    has(&text, "P2.x = P2.f(1);");
}

#[test]
fn a_missing_return_is_warned_about() {
    let loaded =
        load_with(&edge("int r; int f(int n) { if (n > 1) return 2; }", "assign r = f(1);"), &[]);
    let expected =
        "1:12 `f` may end without `return` [the result is then the least value of its type]";
    assert_eq!(messages(&loaded.diagnostics), [expected]);
}

#[test]
fn long_chains_of_else_stay_flat() {
    let mut chain = String::new();
    for n in 0..3000 {
        chain += &format!("if (r == {n}) r = {}; else ", n + 1);
    }
    let network =
        network_with(&edge(&format!("int r; void f() {{ {chain} r = 0; }}"), "assign f();"), &[]);
    assert_eq!(network.functions.len(), 1);
}
