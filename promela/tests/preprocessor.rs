//! Macros, conditions and included files: what they make, and where it is reported.
//!
//! The expected bodies are what `gcc -E` makes of the same text.

mod common;

use promela::ast::{Span, Statement, StatementKind, Unit};

fn body(parsed: &promela::Parsed) -> String {
    assert!(!parsed.has_errors(), "{}", common::problems(parsed));
    let printed = common::print(&parsed.model);
    let lines = printed.lines().skip_while(|line| !line.starts_with("init")).skip(1);
    let lines = lines.take_while(|line| *line != "}");
    lines.map(|line| line.trim()).collect::<Vec<_>>().join(" ")
}

/// The statements of `init` in one line.
fn statements(text: &str) -> String {
    body(&common::parse(text))
}

#[test]
fn macros_are_opened() {
    let cases = [
        ("#define N 3\ninit { x = N }", "x = 3"),
        ("#define N M\n#define M 3\ninit { x = N }", "x = 3"),
        ("#define A B\n#define B A\ninit { A = B }", "A = B"),
        ("#define x x + 1\ninit { y = x }", "y = (x + 1)"),
        ("#define SQ(x) x*x\ninit { y = SQ(1 + 2) }", "y = ((1 + (2 * 1)) + 2)"),
        ("#define ID(x) x\ninit { y = ID(ID(3)) + ID(ID)[3] }", "y = (3 + ID[3])"),
        (
            "#define F(a, b) a[b]\ninit { y = F(p, (1 + 2)) + F(q, r[1]) }",
            "y = (p[(1 + 2)] + q[r[1]])",
        ),
        ("#define z z[0]\n#define t(a) a\ninit { y = t(z) }", "y = z[0]"),
        ("#define f(a) a*g\n#define g(a) f(a)\ninit { y = f(2)(9) }", "y = ((2 * 9) * g)"),
        ("#define F() 4\ninit { y = F() }", "y = 4"),
        ("#define F(x) 4 + x\nint F; init { y = F; z = F(1) }", "y = F; z = (4 + 1)"),
        ("#define E\n#define F(x) E x E\ninit { y = F(1 E) }", "y = 1"),
        ("#define C(a, b) a##b\ninit { C(x, 1) = C(, 2) + C(3, ) }", "x1 = (2 + 3)"),
        ("#define N 5\n#define C(a, b) a ## b\ninit { x = C(N, N) }", "x = NN"),
        ("#define C(a) y##a##z = a\n#define N 5\ninit { C(N) }", "yNz = 5"),
        (
            "#define S(x) printf(#x)\ninit { S(a  +  b \"c\\n\") }",
            "printf(\"a + b \\\"c\\\\n\\\"\")",
        ),
        ("#define V(x, ...) run x(__VA_ARGS__)\ninit { V(P, 1, 2); V(Q) }", "run P(1, 2); run Q()"),
        ("#define T(x) x = 1; \\\n  y = 2\ninit { T(z); w = 3 }", "z = 1; y = 2; w = 3"),
        ("#define N 1\n#undef N\nint N; init { x = N }", "x = N"),
        ("int a;\n#define a b\ninit { a = __LINE__ }", "b = 3"),
        ("#define X(op) x op 1\ninit { y = X(+) }", "y = (x + 1)"),
        ("# define /* c */ N /* d\n e */ 7 // f\ninit { x = N }", "x = 7"),
        ("#define LOOP do ::\n#define END od\ninit { LOOP x -> skip END }", "do :: x; skip od"),
    ];
    for (text, expected) in cases {
        assert_eq!(statements(text), expected, "{text}");
    }
}

#[test]
fn conditions_choose() {
    let holds = [
        "1",
        "!0",
        "1 + 1 == 2",
        "defined N",
        "defined(N) && !defined M",
        "N > 3 && N <= 5",
        "M == 0",
        "0x10 == 16 && 010 == 8 && 7L",
        "N ? 1 : 0",
        "0 ? 1/0 : 1",
        "1 || 1/0",
        "(N & 4) && (N | 2) == 7 && (N ^ 1) == 4",
        "N << 2 == 20 && -8 >> 1 == -4 && ~0 == -1",
        "-1 < 0 && +1 > 0",
        "'a' == 97",
        "F(2) == 4",
        "N % 3 * 2 - 1 == 3",
    ];
    for condition in holds {
        let text = format!(
            "#define N 5\n#define F(x) x * 2\n#if {condition}\ninit {{ yes }}\n#else\n\
             init {{ no }}\n#endif"
        );
        assert_eq!(statements(&text), "yes", "{condition}");
    }
}

#[test]
fn groups_nest() {
    let text = "#ifdef A\ninit { a }\n#if 1\n'\n#else\n#endif\n#elif B + 0\ninit { b }\n\
                #ifndef C\ninit2\n#endif\n#else\ninit { c }\n#endif";
    let with = |defines: &[(&str, &str)]| body(&common::parse_with(text, defines, &[]));
    assert_eq!(with(&[]), "c");
    assert_eq!(with(&[("B", "1"), ("C", "")]), "b");
    assert_eq!(with(&[("B", "")]), "c");
}

#[test]
fn command_lines_define() {
    let parsed = common::parse_with("init { x = N + F(2) }", &[("N", "3"), ("F(x)", "x*x")], &[]);
    assert_eq!(body(&parsed), "x = (3 + (2 * 2))");
}

#[test]
fn files_are_included_beside_the_file() {
    let files = [
        ("sub/a.h", "#include \"b.h\"\n"),
        ("sub/b.h", "#ifndef B\n#define B 4\nint b;\n#endif\n"),
    ];
    let text = "#include \"sub/a.h\"\n#include \"sub/b.h\"\n#define H \"sub/b.h\"\n#include H\n\
                init { x = B }";
    let parsed = common::parse_with(text, &[], &files);
    assert_eq!(body(&parsed), "x = 4");
    assert_eq!(common::print(&parsed.model).lines().next(), Some("int b;"));
    assert_eq!(parsed.sources.paths().collect::<Vec<_>>(), ["model.pml", "sub/a.h", "sub/b.h"]);
}

/// What is wrong with a text, without the path.
fn problems(text: &str) -> String {
    common::problems(&common::parse(text)).replace("model.pml:", "")
}

#[test]
fn mistakes_are_reported_where_they_are() {
    let cases = [
        ("#if 1\ninit { x }", "error 1:1 this `#if` has no `#endif`\n"),
        ("#endif\ninit { x }", "error 1:1 `#endif` without `#if`\n"),
        ("#else\ninit { x }", "error 1:1 `#else` without `#if`\n"),
        ("#if 0\n#else\n#else\n#endif\ninit { x }", "error 3:1 `#else` after `#else`\n"),
        ("#if 1 +\n#endif\ninit { x }", "error 1:1 expected a value in the condition\n"),
        ("#if (1\n#endif\ninit { x }", "error 1:1 expected `)` in the condition\n"),
        ("#if 1 1\n#endif\ninit { x }", "error 1:7 expected an operator in the condition\n"),
        ("#if 1 / 0\n#endif\ninit { x }", "error 1:1 division by zero in the condition\n"),
        ("#define\ninit { x }", "error 1:1 expected the name of a macro\n"),
        ("#define F(a b\ninit { x }", "error 1:10 the parameters are never closed\n"),
        ("#define A ## b\ninit { x }", "error 1:11 `##` needs something on both sides\n"),
        (
            "#define F(a) a\ninit { F(1, 2) }",
            "error 2:8 the macro `F` takes 1 arguments, 2 are given\n\
          error 2:16 expected a statement, found `}`\n",
        ),
        ("#error not \"this\" way\ninit { x }", "error 1:1 not \"this\" way\n"),
        ("#warning old\ninit { x }", "warning 1:1 old\n"),
        ("#define N 1\n#define N 2\ninit { x }", "warning 2:9 the macro `N` is redefined\n"),
        ("#define N 1\n#define N 1\ninit { x }", ""),
        ("#include \"none.h\"\ninit { x }", "error 1:10 cannot include `none.h`: no such file\n"),
        ("init { x } /* never", "error 1:12 this comment is never closed\n"),
        ("# 1 \"a.pml\"\n#line 3\n#ident \"x\"\n#\ninit { x }", ""),
    ];
    for (text, expected) in cases {
        assert_eq!(problems(text), expected, "{text}");
    }
}

#[test]
fn what_a_macro_makes_is_reported_at_its_use() {
    let text = "#define BAD(x) x = = 1;\n\n\ninit {\n  skip;\n  BAD(y)\n}";
    assert_eq!(problems(text), "error 6:3 expected an expression, found `=`\n");
    let text = "#define ADD(a, b) a + b\ninit { x = ADD(1, 2); y = ADD(p, ) }";
    assert_eq!(problems(text), "error 2:36 expected an expression, found `}`\n");
}

fn init(parsed: &promela::Parsed) -> &[Statement] {
    match parsed.model.units.last() {
        Some(Unit::Init(init)) => &init.body.statements,
        _ => panic!("the last unit is `init`"),
    }
}

#[test]
fn spans_lead_to_the_users_lines() {
    let files = [("in.h", "inline f(a) {\n  x = a;\n  a = 2\n}\n#define SET(v) v = 1\n")];
    let text = "#include \"in.h\"\nint x, y;\ninit {\n  SET(y);\n  f(y)\n}";
    let parsed = common::parse_with(text, &[], &files);
    assert!(!parsed.has_errors(), "{}", common::problems(&parsed));
    let place = |span: Span| {
        let place = parsed.sources.resolve(span).expect("every span leads to a file");
        format!("{}:{}:{}-{}", place.path, place.line, place.column, place.end_column)
    };
    let statements = init(&parsed);
    assert_eq!(place(statements[0].span), "model.pml:4:3-9");
    assert_eq!(place(statements[1].span), "model.pml:5:3-7");
    let StatementKind::Inline(call) = &statements[1].kind else {
        panic!("a call of an inline");
    };
    assert_eq!(place(call.call), "model.pml:5:3-7");
    assert_eq!(place(call.body.statements[0].span), "in.h:2:3-8");
    let StatementKind::Assign(target, _) = &call.body.statements[1].kind else {
        panic!("an assignment");
    };
    assert_eq!(place(target.span), "in.h:3:3-4");
    assert_eq!(place(target.parts[0].name.span), "model.pml:5:5-6");
}
