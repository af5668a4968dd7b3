//! Small models with the verdict of Spin 6.5.2 (`spin -a`), and with the tree they mean.
//!
//! Where we deviate on purpose the reason stands beside the model. What Spin refuses for other
//! reasons than syntax (undeclared names, wrong types) is not tested here.

mod common;

/// Texts that Spin accepts and we must.
const ACCEPTED: &[&str] = &[
    // Line breaks as separators.
    "int x,a,b;\ninit { x = a\n - b }",
    "int x,a,b;\ninit { x = a +\n b }",
    "int x;\ninit { do :: x=1 od unless { x==3 } }",
    "int x;\ninit { { x=1 }\n unless { x==3 } }",
    "int x; init { x = 1;;; x=2 ;;; }",
    "byte x\nbyte y init { x = y }",
    "int x; init { atomic { x = 1 } x = 2; d_step { x = 3 } }",
    "int x; init { do :: else x = 1 :: x -> else od }",
    // Inlines.
    "int x; inline f(a) { byte y; y = a; x = y }\ninit { f(1); f(2) }",
    "int x; inline f(l) { goto l }\ninit { L: x = 1; f(L); }",
    "int x; inline f(a) { x = a; return x+1 }\ninit { int y; y = f(1); y = f(2) }",
    "int x; inline f() { x = 1 }\ninit { f() x = 2; f(); f()\n f() }",
    "int x; inline f() { x==1; x = 2 }\ninit { if :: f() -> x = 2 :: f() :: else f() fi }",
    "int x; inline f() { x==1; x = 2 }\ninit { f() unless { x == 3 } }",
    "int x; inline f(a,b) { a = b }\ninit { int p[3]; f(p[x+1], (x>1 -> 2 : 3)) }",
    "chan q = [1] of {byte}; inline f(c,b) { c!b; c?b; c?[b] }\ninit { byte z; f(q, z) }",
    "int x; inline f(a) { x = a; L: x++; if :: x < 3 -> goto L :: else fi; x = 5 }\n\
     init { x=0; f(1); x=3; f(2) }",
    // Channels.
    "mtype = {m}; chan q=[2] of {mtype,byte,byte}; byte x,y; init { q!m(1,2); q!!m,1,2; \
     q?m(x,y); q??m,x,y; q?<m,x,y>; q??<m(x,_)>; q?[m(x,y)]; q??[m,eval(x),-1] -> skip; \
     q?(m,x,y); q!(m)(1,2) }",
    "chan q=[1] of {byte}; int x;\ninit { (full(q) || x == 1) && nempty(q) -> q!1 }",
    "chan q=[1] of {byte}; active proctype P() { xr q; xs q; q!1 }",
    "chan q=[1] of {byte}; trace { do :: q!1; q?1 od }\ninit { q!1 }",
    // Expressions.
    "int x,y;\ninit { x = (x -> 1 : (y -> 2 : 3)); (x -> y : 1) }",
    "int x; init { x = 'a'; x = '\\n'; x = '\\\\'; x = '\\'' }",
    "int x; init { assert x == 0; assert(x) && 1 }",
    "int in; init { in = 1 }",
    // Units.
    "proctype P() { skip }\ninit { run P() priority 3; pid p; p = run P() }",
    "int x; active [2] proctype P() priority 2 provided (x == 0) { skip }",
    "mtype { a b, c }; mtype:z = {d}; mtype:z v = d; init { v = d }",
    "int x; never a { x }\nnever b { true }\ninit { x = 1}",
    "unsigned x : 3, y : 5 = 2; init { x = 1; y = 2}",
    "byte N = 3; byte a[N]; init { a[0] = 1}",
    "active D_proctype P() { skip }",
    "active proctype P() { set_priority(_pid, 3); int x = get_priority(_pid) }",
    "active proctype P() { skip } \
     never { do :: enabled(0) && pc_value(0) == 2 && np_ && _last == 0 od}",
    "int x; init { x = 1; int y = 2; x = y; { int z; z = 3 } }",
    // Formulas.
    "int x,y,z;\ninit { x = 1 }\nltl p { x U y; }",
    "int x;\nltl { [] !P[0]@L }\nactive proctype P() { L: x = 1 }",
    "int x;\nltl { [] (P[0]:y == 0) && (P:y == 0) && P@L}\nactive proctype P() { int y; L: y = 1 }",
    // The preprocessor.
    "#define N 3\nint i,x;\ninit { for (i : 1 .. N) { x = i } }",
    "#define S(x) printf(#x)\n#define C(a,b) a##b\nint xy;\ninit { S(hello); C(x,y) = 1 }",
    "#define M(a,b) a + b\nint x; init { x = M(x,\n 2) }",
    "#define E\n#define M x = 1\nint x; init { M\n E M\nx=2 E\n M }",
    "#define F(a) a\nint x; init { x = F\n(3)\n }",
    "int x; init { x\\\n= 1 }",
    "#define M(a) a\nint x, y; init { x = M(1\n); y = M(\n2) - 1 }",
    "chan q = [1] of { int; }; int x[2] = { 1, 2; }; init { q!1 }",
];

/// Texts that Spin refuses, and our first message.
const REFUSED: &[(&str, &str)] = &[
    ("int x,a,b;\ninit { x = a\n + b }", "3:2 expected a statement, found `+`"),
    ("int x;\ninit { do :: x=1 od\n unless { x==3 } }", "3:2 expected a statement, found `unless`"),
    (
        "int x;\ninit { x=1 unless x==2 unless x==3 }",
        "2:24 `unless` cannot be chained without braces",
    ),
    ("init { }", "1:8 expected a statement, found `}`"),
    ("int x; init { ; x = 1 }", "1:15 expected a statement, found `;`"),
    ("int x; init { x = 1 /* c\n c */ + 2 }", "2:7 expected a statement, found `+`"),
    ("int x; init { x = 1 \\\n + 3\n }", "2:2 expected a statement, found `+`"),
    ("int x; init { x \n// comment\n = 3\n }", "3:2 expected a statement, found `=`"),
    (
        "chan q=[1] of {byte};\ninit { !full(q) -> q!1 }",
        "2:9 `full`, `empty`, `nfull` and `nempty` can only be joined by `&&` and `||`",
    ),
    (
        "chan q=[1] of {byte}; int x;\ninit { full(q) == 1 }",
        "2:8 `full`, `empty`, `nfull` and `nempty` can only be joined by `&&` and `||`",
    ),
    (
        "int x; inline f(a) { x = a; return x+1 }\ninit { f(1) }",
        "1:29 `return` is only possible in an inline called as `x = f(...)`",
    ),
    (
        "int x; inline f(a) { x = a; return x+1 }\ninit { int y; y = f(1) + 2 }",
        "2:24 expected a statement, found `+`",
    ),
    ("int x; init { f(1) }\ninline f(a) { x = a}", "1:15 `f` is not an inline defined above"),
    ("int x; inline f(a) { a: x++ }\ninit { f(1) }", "1:23 expected `;` or `->` after"),
    ("inline f(a) { printf(a) }\ninit { f(\"hi\") }", "2:10 expected an expression, found"),
    ("int x; inline f() { }\ninit { f(); x = 2 }", "1:21 expected a statement, found `}`"),
    (
        "int x; inline f(a,b) { a = b }\ninit { f(x) }",
        "2:8 the inline `f` takes 2 arguments, 1 are given",
    ),
    ("int x; inline f(a) { a = 1; f(a) }\ninit { f(x) }", "1:29 the inline `f` calls itself"),
    ("int x;\ninit { x = x -> 1 : 2 }", "2:19 expected `;` or `->` after the statement, found `:`"),
    ("int x; init { x = 0x10 }", "1:19 `0x10` is neither a number nor a name"),
    (
        "int x; active proctype Q() provided (x==1) priority 3 {skip}",
        "1:44 `priority` comes before `provided`",
    ),
    (
        "int x; init { A: int y; y = 1 }",
        "1:18 a label belongs before a statement, not before a declaration",
    ),
    (
        "chan q=[1] of {byte}; int x; trace { do :: q!1; x = 1 od }\ninit { q!1 }",
        "1:49 only sends and receives are events of a trace",
    ),
    ("proctype P(byte a;) { skip }\ninit { run P(1) }", "1:19 expected the type of a parameter"),
    ("mtype:z {d}; init { skip }", "1:9 expected `=` after the name of the subtype"),
    ("#pragma foo\ninit { skip }", "1:1 `#pragma` is not a directive"),
    ("#include <stdio2.h>\ninit { skip }", "1:10 only files of the model itself can be included"),
    ("#define M(a) a\nint x; init { x = M(\n1) + 1 }", "3:4 expected a statement, found `+`"),
    ("int x, y; ltl { x U U }", "1:21 expected an expression, found `U`"),
    ("init { skip", "1:12 expected `}` after the body of `init`, found the end of the text"),
    ("init { printf(\"x) }", "1:15 this string is never closed"),
    ("init { x = `1` }", "1:12 ``` has no meaning here"),
    ("init { x = ''; skip }", "1:12 expected a single character between quotes"),
    ("proctype P(byte a, byte b) { skip }", "1:20 expected a name, found the type `byte`"),
];

/// Texts that Spin refuses and we accept, because the meaning is plain.
const ACCEPTED_BEYOND_SPIN: &[&str] = &[
    // Spin puts a `;` after every `}`.
    "chan a = [1] of {byte}, b = [1] of {byte};\ninit { a!1; b!2 }",
    "byte a[2] = {1,2}, b;\ninit { a[0]=1; b=2 }",
    "int a[2] = {-1, 2}; init { a[0] = 1 }",
    // The C preprocessor takes `1..N` for a number.
    "#define N 3\nint i,x;\ninit { for (i : 1..N) { x = i } }",
    "int x; init { x = 1;;;; x=2 ;;;; }",
    // Spin cannot tell the two apart and refuses the call.
    "inline f(a,b) { a = b }\ninit { int a, b; f(b, a) }",
    // Debian's Spin is built without `X`.
    "int x;\ninit { x = 1 }\nltl p { X (x==1) }",
    "chan q=[1] of {byte}; init { q!1 }\nltl { [] nfull(q) }",
    // Spin splits an argument at every comma.
    "chan q = [1] of {byte,byte}; int x; inline f(c) { x = c }\ninit { byte z; f(q?[z,z]) }",
    // Spin must have seen the proctype.
    "int x;\nnever { do :: P[1]@L od }\nactive proctype P() { L: x = 1 }",
];

#[test]
fn what_spin_accepts_is_accepted() {
    for text in ACCEPTED.iter().chain(ACCEPTED_BEYOND_SPIN) {
        let parsed = common::parse(text);
        assert!(!parsed.has_errors(), "{text}\n{}", common::problems(&parsed));
    }
}

#[test]
fn what_spin_refuses_is_refused() {
    let mut failures = String::new();
    for (text, message) in REFUSED {
        let problems = common::problems(&common::parse(text));
        let expected = format!("error model.pml:{message}");
        if !problems.starts_with(&expected) {
            failures.push_str(&format!("{text}\nexpected: {expected}\n{problems}\n"));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Printing a tree and parsing the print yields the same print.
#[test]
fn printing_and_parsing_again_changes_nothing() {
    for text in ACCEPTED.iter().chain(ACCEPTED_BEYOND_SPIN) {
        let printed = common::print(&common::parse(text).model);
        let again = common::parse(&printed);
        assert!(!again.has_errors(), "{printed}\n{}", common::problems(&again));
        assert_eq!(common::print(&again.model), printed);
    }
}

/// The value of an expression statement in full parentheses.
fn parenthesised(text: &str) -> String {
    let parsed = common::parse(&format!("init {{ {text} }}"));
    assert!(!parsed.has_errors(), "{text}\n{}", common::problems(&parsed));
    let printed = common::print(&parsed.model);
    printed.lines().nth(1).unwrap_or("").trim().to_string()
}

#[test]
fn operators_bind_as_in_spin() {
    let cases = [
        ("x = 1 + 2 * 3 - 4 / 2 % 3", "x = ((1 + (2 * 3)) - ((4 / 2) % 3))"),
        ("x = y << 2 + 1 & 7 | 3 ^ 4", "x = (((y << (2 + 1)) & 7) | (3 ^ 4))"),
        ("!y == z && y != 2 || z >= 3", "((((!y) == z) && (y != 2)) || (z >= 3))"),
        ("x = - y + ~z * -3", "x = ((-y) + ((~z) * (-3)))"),
        ("x < y < z", "((x < y) < z)"),
        ("x & 1 == 0", "(x & (1 == 0))"),
        ("i - -1 > 0", "((i - (-1)) > 0)"),
        ("i--", "i--"),
        ("x = (a -> b : c) + 1", "x = ((a -> b : c) + 1)"),
        ("q!a + 1, -b", "q!(a + 1), (-b)"),
        ("x = a[b[1] + 2].c[3].d - 1", "x = (a[(b[1] + 2)].c[3].d - 1)"),
        ("!q?[x] && !timeout", "((!q?[x]) && (!timeout))"),
        ("x = run P(1 + 2, y) priority 3", "x = run P((1 + 2), y) priority 3"),
        ("!P[_pid + 1]@L", "(!P[(_pid + 1)]@L)"),
    ];
    for (text, expected) in cases {
        assert_eq!(parenthesised(text), expected);
    }
}

/// The first formula in full parentheses; the right side is what Spin prints for it, without the
/// rewriting of `->`, `W` and the doubled parentheses.
#[test]
fn temporal_operators_bind_as_in_spin() {
    let cases = [
        ("x U y U z -> y -> z", "((((x U y) U z) -> y) -> z)"),
        ("[] p -> q", "(([] p) -> q)"),
        ("[] p U q", "(([] p) U q)"),
        ("! <> p || q", "((! (<> p)) || q)"),
        ("! x == 3 U y", "(((!x) == 3) U y)"),
        ("p && q U r", "(p && (q U r))"),
        ("[] (x == 1 implies eventually y)", "([] ((x == 1) -> (<> y)))"),
        ("p \\/ q /\\ r weakuntil s", "(p || (q && (r W s)))"),
        ("p <-> q release r", "(p <-> (q V r))"),
        ("p equivalent always q stronguntil r", "(p <-> (([] q) U r))"),
        ("X next X p", "(X (X (X p)))"),
        ("[](a + b > 2 && len(q) < 3)", "([] (((a + b) > 2) && (len(q) < 3)))"),
    ];
    for (text, expected) in cases {
        let parsed = common::parse(&format!("ltl p {{ {text} }}"));
        assert!(!parsed.has_errors(), "{text}\n{}", common::problems(&parsed));
        assert_eq!(common::print(&parsed.model).trim(), format!("ltl p {{ {expected} }}"));
    }
}

#[test]
fn a_formula_is_no_number_to_compute_with() {
    let message = "a temporal formula has no value";
    let problems = |text| common::problems(&common::parse(text));
    let warning =
        format!("warning model.pml:1:14 {message}: Spin computes with a number instead\n");
    assert_eq!(problems("int x; ltl { [] x == 3 }"), warning);
    // These are refused when they are to be checked.
    assert_eq!(problems("int x; ltl { 3 + X x == 3 } ltl { [] (x || - X x) == 3 }"), "");
}
