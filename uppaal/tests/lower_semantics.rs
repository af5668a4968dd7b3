//! What lowered functions compute: initial values run them, so the results can be compared with
//! those of the same C code.

mod lowering;

use lowering::*;

/// The value of a call.
#[track_caller]
fn computes(declarations: &str, call: &str, expected: i32) {
    let model = format!("{declarations}\nint32_t computed = {call};\n{IDLE}");
    let network = network_with(&model, &[]);
    let found = network.variables.iter().find(|it| it.name == "computed").map(|it| it.initial[0]);
    assert_eq!(found, Some(expected), "{call} in\n{declarations}");
}

#[test]
fn sorting_a_local_array_through_references() {
    let sort = "void swap(int &a, int &b) { int h = a; a = b; b = h; }
        void sort(int &v[5]) { int i, j; for (i = 0; i < 5; i++) for (j = 0; j + 1 < 5 - i; j++) if (v[j] > v[j + 1]) swap(v[j], v[j + 1]); }
        int f() { int v[5] = { 5, 3, 9, 1, 4 }; int i, r; sort(v); for (i = 0; i < 5; i++) r = r * 10 + v[i]; return r; }";
    computes(sort, "f()", 13459);
}

#[test]
fn arrays_by_value_leave_the_original_alone() {
    let text = "int g(int v[3]) { v[0] = 100; return v[0] + v[1]; }
        int f() { int v[3] = { 1, 2, 3 }; int r = g(v); return r * 100 + v[0]; }";
    computes(text, "f()", 10_201);
}

#[test]
fn order_of_evaluation() {
    computes("int f() { int i = 3; return i++ + i++ * 10 + i; }", "f()", 3 + 40 + 5);
    computes("int f() { int i = 3; return i + (i = 5) + i; }", "f()", 3 + 5 + 5);
    computes("int f() { int i = 1; int a[3]; a[i++] = i; return a[1] * 10 + i; }", "f()", 22);
    computes(
        "int next(int &n) { n++; return n; } int f() { int n; return next(n) * 100 + next(n) * 10 + next(n); }",
        "f()",
        123,
    );
    computes(
        "int two(int a, int b) { return a * 10 + b; } int f() { int i = 1; return two(i, ++i); }",
        "f()",
        12,
    );
    computes("int f() { int i = 5, j; j = i-- - --i; return j * 100 + i; }", "f()", 203);
}

#[test]
fn choices_as_targets() {
    computes(
        "int f(int n) { int i = 1, j = 2; (n > 3 ? i : j) += n; return i * 100 + j; }",
        "f(5) * 10000 + f(2)",
        602 * 10000 + 104,
    );
}

#[test]
fn laziness() {
    computes("int f() { int i; bool b = false && i++ > 0; return i; }", "f()", 0);
    computes("int f() { int i; bool b = true || i++ > 0; return i; }", "f()", 0);
    computes("int f() { int i; bool b = true && i++ > 0; return i * 10 + b; }", "f()", 10);
    computes("int f() { int i, j; bool b = i > 0 imply j++ > 0; return j * 10 + b; }", "f()", 1);
    computes("int f() { int i, j, r = i == 0 ? 7 : j++; return r * 10 + j; }", "f()", 70);
    computes(
        "int f(int n) { int a[2] = { 4, 6 }; return n < 2 && a[n] == 6 ? 1 : 0; }",
        "f(1) * 10 + f(9)",
        10,
    );
}

#[test]
fn loops() {
    computes("int f() { int i, r; for (i = 1; i <= 10; i++) r += i; return r; }", "f()", 55);
    computes(
        "int f() { int i = 10, r; while (i-- > 0) r += i; return r * 100 + i + 1; }",
        "f()",
        4500,
    );
    computes(
        "int f() { int i = 10, r; do { r++; } while (i++ < 3); return r * 100 + i; }",
        "f()",
        111,
    );
    computes("int f() { int r; for (i : int[3,6]) r = r * 10 + i; return r; }", "f()", 3456);
    computes("int f() { int r; for (i : int[1,0]) r++; return r; }", "f()", 0);
    computes(
        "int f() { int i, j, r; for (i = 0, j = 10; i < j; i++, j--) r++; return r; }",
        "f()",
        5,
    );
    computes(
        "int f() { int i, r; for (i = 0; i < 3; i++) { int n; n += 5; r += n; } return r; }",
        "f()",
        15,
    );
    computes(
        "int f(int n) { int i; for (i = 0; i < 9; i++) if (i * i >= n) return i; return -1; }",
        "f(17) * 100 + f(1000)",
        499,
    );
}

#[test]
fn early_returns_of_inlined_functions() {
    let find = "int find(int &v[4], int n) { int i; while (true) { if (i == 4) return -1; if (v[i] == n) return i; i++; } return -2; }
        int f(int n) { int v[4] = { 4, 8, 1, 6 }; return find(v, n); }";
    computes(find, "f(8) * 100 + f(6) * 10 + f(5)", 100 + 30 - 1);
    let nested = "int g(int &p, int n) { if (n > 2) { if (n > 5) return 1; p = 7; } else { p = 8; return 2; } p++; return 3; }
        int f(int n) { int l; int r = g(l, n); return r * 10 + l; }";
    computes(nested, "f(1) * 10000 + f(4) * 100 + f(6)", 28 * 10000 + 38 * 100 + 10);
    let stepped =
        "int g(int &p) { int i; do { p++; if (p == 3) return i; i++; } while (i < 9); return 77; }
        int f() { int l; int r = g(l); return r * 10 + l; }";
    computes(stepped, "f()", 23);
}

#[test]
fn structs() {
    let text = "typedef struct { int x; int y[2]; } S;
        S make(int n) { S s = { n, { n + 1, n + 2 } }; return s; }
        S pick(bool b, S p, S q) { if (b) return p; return q; }
        int f() { S a = make(1), b = make(5), c; c = pick(a == b, a, b); a.y[0] = 9; return c.x * 1000 + c.y[1] * 100 + pick(true, a, b).y[0] * 10 + (c == b); }";
    computes(text, "f()", 5000 + 700 + 90 + 1);
    computes(
        "typedef struct { int x; } S; int f() { S v[3]; int i, r; for (i = 0; i < 3; i++) { S s; s.x += i; v[i] = s; } for (i = 0; i < 3; i++) r = r * 10 + v[i].x; return r; }",
        "f()",
        12,
    );
}

#[test]
fn a_struct_is_read_before_the_other_side_changes_it() {
    computes(
        "typedef struct { int x; } S; S next(S &s) { s.x++; return s; } int f() { S s; return s == next(s) ? 1 : 2; }",
        "f()",
        2,
    );
}

#[test]
fn whole_arrays() {
    computes(
        "int f() { int a[20], b[20]; int i; for (i = 0; i < 20; i++) a[i] = i; b = a; a[3] = 0; return b[3] * 10 + b[19] + (a == b); }",
        "f()",
        49,
    );
    computes(
        "int f() { int a[3][2] = { {1, 2}, {3, 4}, {5, 6} }; int b[2] = a[1]; a[1] = a[2]; return b[0] * 100 + a[1][1]; }",
        "f()",
        306,
    );
}

#[test]
fn quantifiers() {
    computes(
        "int f() { int a[4] = { 1, 2, 3, 4 }; return sum (i : int[0,3]) a[i] * i; }",
        "f()",
        20,
    );
    computes(
        "bool g(int v[4], int n) { return v[n] > n; } int f() { int a[4] = { 1, 2, 3, 3 }; return (forall (i : int[0,3]) g(a, i)) * 10 + (exists (i : int[0,3]) g(a, i)); }",
        "f()",
        1,
    );
    computes("int f() { return sum (i : int[0,3]) sum (j : int[i,3]) j; }", "f()", 6 + 6 + 5 + 3);
}

#[test]
fn arithmetic() {
    computes("int32_t f(int32_t a, int32_t b) { return a / b * 100 + a % b; }", "f(-7, 2)", -301);
    computes("int f(int a, int b) { return (a <? b) * 10 + (a >? b); }", "f(3, 5)", 35);
    computes(
        "int f(int a) { return abs(a) * 10 + (a ** 2) + (a << 2) + (a >> 1) + (a & 3) + (a | 1) + (a ^ 2); }",
        "f(5)",
        50 + 25 + 20 + 2 + 1 + 5 + 7,
    );
    computes(
        "const int32_t M = INT32_MAX; int32_t f(int32_t a) { return a + 1; }",
        "f(M)",
        i32::MIN,
    );
    computes(
        "int f() { int i = 5; i += 3; i -= 1; i *= 2; i /= 3; i %= 3; i |= 8; i ^= 1; i <<= 2; i >>= 1; i &= 22; return i; }",
        "f()",
        16,
    );
}

#[test]
fn arrays_that_do_not_begin_at_zero() {
    computes(
        "typedef int[3,5] T; int f() { int a[T] = { 7, 8, 9 }; int r; for (i : T) r = r * 10 + a[i]; return r; }",
        "f()",
        789,
    );
}

#[test]
fn shadowing_and_references_of_references() {
    computes(
        "void g(int &p) { p += 2; } void h(int &q) { int p = 50; g(q); g(p); q += p; } int f() { int p = 1; h(p); return p; }",
        "f()",
        55,
    );
    computes(
        "const int n = 4; int f(int n) { { int n = 9; n++; } return n; } int g() { return f(2) * 10 + n; }",
        "g()",
        24,
    );
}
