//! Loading takes time in proportion to the text, whatever the text is made of.

mod loading;

use std::fmt::Write;
use std::time::Duration;
use testing::Busy;

/// Generated models are this large; the smaller size is a quarter of it.
const LARGE: usize = 40_000;

fn load(text: &str) -> Duration {
    let start = Busy::start();
    let loaded = loading::load(text, promela::Options::default());
    assert!(loaded.network.is_some(), "{:?}", loaded.diagnostics.first());
    start.elapsed()
}

/// A model with as many parts as told, each made from its number.
fn repeated(before: &str, count: usize, part: impl Fn(usize) -> String, after: &str) -> String {
    let mut text = before.to_string();
    (0..count).for_each(|number| writeln!(text, "{}", part(number)).expect("a string grows"));
    text + after
}

fn nested(open: &str, inner: &str, close: &str) -> String {
    format!("{}{inner}{}", open.repeat(50), close.repeat(50))
}

/// A model of a shape with about so many statements.
type Shape = (&'static str, fn(usize) -> String);

const SHAPES: &[Shape] = &[
    ("statements in a row", |n| repeated("int x; init {\n", n, |i| format!("x = x + {i};"), "}")),
    ("options", |n| {
        repeated("int x; init { do\n", n / 2, |i| format!(":: x == {i} -> x = {i}"), "od }")
    }),
    ("labels and jumps", |n| {
        let part =
            |i: usize| format!("l{i}: if :: x == {i} -> goto l{} :: else fi;", i * 7 % (n / 3));
        repeated("int x; init {\n", n / 3, part, "}")
    }),
    ("jumps to jumps", |n| {
        let part = |i: usize| match i % 100 {
            0 => format!("l{i}: x++; goto l{};", i + 1),
            _ => format!("l{i}: goto l{};", i + 1),
        };
        repeated("int x; init {\n", n, part, &format!("l{n}: skip }}"))
    }),
    ("calls of inlines with labels", |n| {
        let before =
            "int x; inline f(a) { byte y = a; again: if :: y > x -> goto again :: else fi }\n";
        repeated(&format!("{before}init {{\n"), n / 4, |i| format!("f({i});"), "}")
    }),
    ("atomic sequences", |n| {
        repeated("int x; init {\n", n / 2, |i| format!("atomic {{ x == {i} -> x++ }};"), "}")
    }),
    ("a long d_step", |n| {
        let part = |i: usize| format!("if :: x == {i} -> x++ :: else fi;");
        repeated("int x; init { d_step {\n", n / 3, part, "} }")
    }),
    ("a d_step with many options", |n| {
        let part = |i: usize| format!(":: x == {i} -> x++");
        repeated("int x; init { d_step { do\n", n / 2, part, ":: else -> break od } }")
    }),
    ("a d_step with jumps", |n| {
        let part =
            |i: usize| format!("l{i}: if :: x == {i} -> goto l{} :: else fi;", (i + 9).min(n / 3));
        repeated("int x; init { d_step { x = 1;\n", n / 3, part, &format!("l{}: skip }} }}", n / 3))
    }),
    ("one escape", |n| {
        repeated("int x; init { {\n", n, |i| format!("x = {i};"), "} unless { x == 3 } }")
    }),
    ("globals", |n| {
        let part = |i: usize| format!("x{i} = {i};");
        let globals = repeated("", n / 2, |i| format!("int x{i};"), "init {\n");
        repeated(&globals, n / 2, part, "}")
    }),
    ("locals in braces", |n| {
        repeated("int x; init {\n", n / 2, |i| format!("{{ int y = {i}; x = y }};"), "}")
    }),
    ("remote references", |n| {
        let labels = repeated("active proctype P() {\n", n / 2, |i| format!("l{i}: skip;"), "}\n");
        repeated(&format!("{labels}init {{\n"), n / 2, |i| format!("P@l{i};"), "}")
    }),
    ("processes", |n| {
        repeated("int x; active [200] proctype P() {\n", n / 200, |i| format!("x = {i};"), "}")
    }),
    ("arrays", |n| format!("int x[{n}]; active proctype P() {{ int y[{n}] = 3; y[1] = x[2] }}")),
    ("nested choices", |n| {
        let part = |_: usize| nested("if :: x > 1 -> ", "x++", " :: x == 1 fi") + ";";
        repeated("int x; init {\n", n / 100, part, "}")
    }),
    ("nested loops", |n| {
        let part = |_: usize| nested("do :: x > 1 -> ", "x++", " :: break od") + ";";
        repeated("int x; init {\n", n / 100, part, "}")
    }),
    ("processes that are started", |n| {
        let part = |i: usize| format!("run P({});", i % 256);
        repeated("int x; proctype P(byte a) { x = a } init {\n", n / 8, part, "}")
    }),
    ("fields of a struct", |n| {
        let fields = repeated("typedef T {\n", n / 32, |i| format!("int f{i};"), "}\n");
        repeated(&format!("{fields}T t; init {{\n"), n / 32, |i| format!("t.f{i} = {i};"), "}")
    }),
    ("proctypes", |n| {
        let part = |i: usize| format!("proctype P{i}() {{ x = {i} }}");
        repeated("int x; init { run P1() }\n", n / 16, part, "")
    }),
    ("nested conditions of the preprocessor", |n| {
        let part = |i: usize| format!("#ifndef A{i}");
        let after = "init { skip }\n".to_string() + &"#endif\n".repeat(n);
        repeated("", n, part, &after)
    }),
    ("nested conditions that are left out", |n| {
        let part = |i: usize| format!("#ifdef A{i}\nx = 1");
        let after = "#endif\n".repeat(n) + "init { skip }";
        repeated("", n, part, &after)
    }),
];

/// What is quadratic takes sixteen times as long for a text four times as long. A machine with
/// other work to do can delay some measurements, but hardly all of them.
#[test]
fn four_times_the_text_takes_about_four_times_as_long() {
    for (name, shape) in SHAPES {
        let (small, large) = (shape(LARGE / 4), shape(LARGE));
        let mut seen = vec![];
        for _ in 0..8 {
            let ratio = load(&large).as_secs_f64() / load(&small).as_secs_f64();
            seen.push(ratio);
            if ratio < 8.0 {
                break;
            }
        }
        assert!(seen.iter().any(|&ratio| ratio < 8.0), "{name}: {seen:?} times as long");
    }
}

#[test]
fn sixty_thousand_statements_load() {
    let (_, in_a_row) = SHAPES[0];
    assert!(load(&in_a_row(60_000)) < Duration::from_secs(600));
}
