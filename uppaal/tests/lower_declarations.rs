//! Declarations: types, structs as arrays of their parts, constants, initial values.

mod lowering;

use lowering::*;

fn declared(declarations: &str) -> String {
    lowered(&format!("{declarations}\n{IDLE}"))
}

#[test]
fn plain_variables_have_the_range_of_their_type() {
    let text = declared("int a; int[-2,5] b = 3; bool c = true; meta int[0,1] d; int[2,4] e;");
    has(
        &text,
        "var a : int[-32768, 32767]
         var b : int[-2, 5] = 3
         var c : bool = 1
         var d : bool meta
         var e : int[2, 4] = 2",
    );
}

#[test]
fn constants_fold_and_may_depend_on_others() {
    let text = declared(
        "const int N = 3; const int M = N * 2 + 1; const bool B = M > 6;
         int a[N][M]; int x = M - 1, y = B ? 1 : 2;",
    );
    has(&text, "var a[3][7] : int[-32768, 32767]");
    has(&text, "var x : int[-32768, 32767] = 6\nvar y : int[-32768, 32767] = 1");
    assert!(!text.contains("const"));
}

#[test]
fn constant_arrays_stay_and_fold_at_constant_indices() {
    let text = declared("const int T[2][2] = { {1, 2}, {3, 4} }; int x = T[1][0]; int a[T[0][1]];");
    has(&text, "const T[2][2] : int[1, 4] = 1, 2, 3, 4");
    has(&text, "var x : int[-32768, 32767] = 3\nvar a[2] : int[-32768, 32767]");
}

#[test]
fn constants_without_a_range_hold_large_numbers() {
    let text = declared(
        "const int BIG = 1000000, T[2] = { 40000, 1 }; int32_t x = BIG; uint8_t y; int8_t z = INT8_MIN;",
    );
    has(
        &text,
        "var x : int = 1000000
         var y : int[0, 255]
         var z : int[-128, 127] = -128",
    );
}

#[test]
fn structs_become_arrays_of_their_parts() {
    let text = declared(
        "typedef struct { int x; bool y[3]; } S;
         typedef struct { S s; int[0,9] n; } T;
         S one = { 1, { true, false, true } };
         S many[2] = { { y: { 0, 0, 1 }, x: 5 }, { 6, { 1, 0, 0 } } };
         T nested[2];",
    );
    has(
        &text,
        "var one.x : int[-32768, 32767] = 1
         var one.y[3] : bool = 1, 0, 1
         var \"many[].x\"[2] : int[-32768, 32767] = 5, 6
         var \"many[].y\"[2][3] : bool = 0, 0, 1, 1, 0, 0
         var \"nested[].s.x\"[2] : int[-32768, 32767]
         var \"nested[].s.y\"[2][3] : bool
         var \"nested[].n\"[2] : int[0, 9]",
    );
}

#[test]
fn constant_structs_fold_their_numbers() {
    let text = declared(
        "typedef struct { int x; int y[2]; } S; const S s = { 7, { 8, 9 } }; S t = s; int n = s.x + s.y[1];",
    );
    has(&text, "const s.y[2] : int[8, 9] = 8, 9");
    has(&text, "var t.x : int[-32768, 32767] = 7\nvar t.y[2] : int[-32768, 32767] = 8, 9");
    has(&text, "var n : int[-32768, 32767] = 16");
}

#[test]
fn initial_values_may_call_functions() {
    let text = declared(
        "int fib(int n) { int a = 0, b = 1, i; for (i = 0; i < n; i++) { int c = a + b; a = b; b = c; } return a; }
         typedef int[0,2] row[3];
         int x = fib(10);
         const int t[3] = { fib(1), fib(2), fib(3) };
         int y = sum (i : int[0,2]) t[i] * 10;
         row r = { 2, 1, 0 };",
    );
    has(&text, "var x : int[-32768, 32767] = 55");
    has(&text, "const t[3] : int[1, 2] = 1, 1, 2");
    has(&text, "var y : int[-32768, 32767] = 40");
    has(&text, "var r[3] : int[0, 2] = 2, 1, 0");
}

#[test]
fn functions_may_return_constant_structs_and_be_constant() {
    let text = declared(
        "typedef struct { int a; int b[2]; } S;
         S make(int n) { S s; s.a = n; s.b[0] = n + 1; s.b[1] = n + 2; return s; }
         S s = make(4); const S c = make(1); int x = c.b[1];",
    );
    has(&text, "var s.a : int[-32768, 32767] = 4\nvar s.b[2] : int[-32768, 32767] = 5, 6");
    has(&text, "var x : int[-32768, 32767] = 3");
}

#[test]
fn arrays_are_indexed_by_ranges_and_scalars() {
    let text = lowered(&edge(
        "typedef int[1,3] id_t; typedef scalar[4] set_t; int a[id_t]; int b[set_t]; set_t s; int i;",
        "guard a[i] == a[1]; assign b[s] = a[3], i = 0;",
    ));
    has(&text, "scalar set_t 4");
    has(
        &text,
        "var a[3 from 1] : int[-32768, 32767]\nvar b[4 of set_t] : int[-32768, 32767]\nvar s : int[0, 3] of set_t",
    );
    has(&text, "when a[i - 1] == a[0];");
    has(&text, "b[s] = a[2];");
}

#[test]
fn clocks_and_channels() {
    let text = declared(
        "clock x, y = 5, z[2][2]; chan a; broadcast chan b[2]; urgent chan c; urgent broadcast chan d;
         typedef chan link; link e;",
    );
    has(&text, "clock x\nclock y = 5\nclock z[2][2]");
    has(
        &text,
        "chan a : handshake
         chan b[2] : broadcast
         chan c : handshake urgent
         chan d : broadcast urgent
         chan e : handshake",
    );
}

#[test]
fn channel_priorities_count_from_the_default() {
    let text = declared("chan a, b, c[3], d[2]; chan priority a, c[0] < b < default < d < c[2];");
    has(
        &text,
        "chan a : handshake priority -2
         chan b : handshake priority -1
         chan c[3] : handshake priority -2, 0, 2
         chan d[2] : handshake priority 1, 1",
    );
}

#[test]
fn names_may_be_shadowed_in_inner_scopes() {
    let text = lowered(
        "int x = 1; int f() { int x = 2; { int x = 3; x++; } return x; }
         process P() { int x = 4; state A; init A; trans A -> A { assign x = f(); }; } system P;",
    );
    has(&text, "var x : int[-32768, 32767] = 1\nvar P.x : int[-32768, 32767] = 4");
    has(&text, "x#0 = 2;\nx#1 = 3;\nx#1 = x#1 + 1;\nreturn x#0;");
    has(&text, "P.x = f();");
}
