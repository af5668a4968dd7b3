//! Input nobody should write: a diagnostic within bounded time, never a panic.

mod common;

use std::time::Duration;
use testing::{Busy, Numbers, setting};

/// Parses and returns the first message; the stack is that of a test thread.
fn first_problem(text: &str) -> String {
    let start = Busy::start();
    let parsed = common::parse(text);
    assert!(start.elapsed() < Duration::from_secs(200), "too slow");
    parsed.diagnostics.first().map_or(String::new(), |it| it.message.clone())
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, inner: &str, close: &str| {
        format!("init {{ x = 1; {}{inner}{} }}", open.repeat(100_000), close.repeat(100_000))
    };
    let texts = [
        deep("(", "1", ")"),
        deep("! ", "1", ""),
        deep("{ ", "skip", " }"),
        deep("if :: ", "skip", " fi"),
        deep("atomic { ", "skip", " }"),
        deep("a[", "1", "]"),
        deep("(1 -> 2 : ", "3", ")"),
        format!("init {{ q?{}x{} }}", "(".repeat(100_000), ")".repeat(100_000)),
        format!("ltl {{ {}p{} }}", "[] (".repeat(100_000), ")".repeat(100_000)),
        format!("ltl {{ {}p }}", "! ".repeat(100_000)),
        format!("ltl {{ {}p }}", "<> ".repeat(100_000)),
    ];
    for text in texts {
        assert_eq!(first_problem(&text), "this is nested more than 200 levels deep");
    }
    let text = format!("init {{ x = {}1 }}", "1 + ".repeat(100_000));
    assert_eq!(first_problem(&text), "this expression has more than 512 operators in a row");
    let text = format!("ltl {{ {}p }}", "p U ".repeat(100_000));
    assert_eq!(first_problem(&text), "this expression has more than 512 operators in a row");
    let text = format!("init {{ {}p }}", "p && ".repeat(100_000));
    assert_eq!(first_problem(&text), "");
    let text = format!("#if {}1\n#endif\ninit {{ p }}", "(".repeat(100_000));
    assert_eq!(first_problem(&text), "too many levels in the condition");
    let text = format!("#if {}1\n#endif\ninit {{ p }}", "!".repeat(100_000));
    assert_eq!(first_problem(&text), "too many levels in the condition");
}

#[test]
fn what_nests_within_the_bound_is_accepted() {
    let text = format!("init {{ {}skip{} }}", "if :: ".repeat(60), " fi".repeat(60));
    assert_eq!(first_problem(&text), "");
    let text = format!("init {{ {}1{} }}", "(".repeat(150), ")".repeat(150));
    assert_eq!(first_problem(&text), "");
}

#[test]
fn macros_are_bounded() {
    let mut bomb = String::from("#define A0 x + x\n");
    for level in 1..40 {
        bomb += &format!("#define A{level} A{} + A{}\n", level - 1, level - 1);
    }
    bomb += "init { y = A39 }";
    assert_eq!(first_problem(&bomb), "macros make more than a million tokens");
    let mut empty = String::from("#define A0\n");
    for level in 1..40 {
        empty += &format!("#define A{level} A{} A{}\n", level - 1, level - 1);
    }
    empty += "init { A39 skip }";
    assert_eq!(first_problem(&empty), "macros make more than a million tokens");
    let text = format!("#define F(x) x x\ninit {{ {}skip{} }}", "F(".repeat(50), ")".repeat(50));
    assert_eq!(first_problem(&text), "macros make more than a million tokens");
    let text =
        format!("#define F(x) x\ninit {{ {}skip{} }}", "F(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(first_problem(&text), "macros make more than a million tokens");
    let text = format!("#define F(x) x\ninit {{ {}skip{} }}", "F(".repeat(200), ")".repeat(200));
    assert_eq!(first_problem(&text), "macros are nested too deeply in their arguments");
    let mut chain = String::from("#define A0 skip\n");
    for level in 1..20_000 {
        chain += &format!("#define A{level} A{}\n", level - 1);
    }
    chain += "init { A19999 }";
    assert_eq!(first_problem(&chain), "macros are nested too deeply");
    let problems = common::problems(&common::parse("#define F(x) x\ninit { F(1 }"));
    assert!(problems.contains("2:8 the arguments of `F` are never closed"), "{problems}");
}

#[test]
fn inlines_are_bounded() {
    let mut bomb = String::from("inline f0() { x = 1; x = 2 }\n");
    for level in 1..40 {
        bomb += &format!("inline f{level}() {{ f{}(); f{}() }}\n", level - 1, level - 1);
    }
    bomb += "init { f39() }";
    assert_eq!(first_problem(&bomb), "the calls of inlines make too much text");
    let mut deep = String::from("inline f0() { x = 1 }\n");
    for level in 1..5000 {
        deep += &format!("inline f{level}() {{ f{}() }}\n", level - 1);
    }
    deep += "init { f4999() }";
    assert_eq!(first_problem(&deep), "this is nested more than 200 levels deep");
}

#[test]
fn included_files_are_bounded() {
    let text = "#include \"a.h\"\ninit { skip }";
    let cases = [
        [("a.h", "#include \"a.h\"\n"), ("b.h", "")],
        [
            ("a.h", "#include \"b.h\"\n#include \"b.h\"\n"),
            ("b.h", "#include \"a.h\"\n#include \"a.h\"\n"),
        ],
    ];
    for files in cases {
        let parsed = common::parse_with(text, &[], &files);
        let message = &parsed.diagnostics[0].message;
        assert!(message.contains("is included too often or within itself"), "{message}");
    }
}

#[test]
fn strange_files_are_refused() {
    let parse = |bytes: &[u8]| {
        let mut read = |_: &str| Err("none".to_string());
        let parsed = promela::parse("model.pml", bytes, &[], &mut read);
        parsed.diagnostics.first().map_or(String::new(), |it| it.message.clone())
    };
    assert_eq!(parse(b""), "the file is empty");
    assert_eq!(parse(b" \n\t"), "the file is empty");
    assert_eq!(parse(b"// nothing\n"), "the model is empty");
    assert_eq!(parse(b"init {\0}"), "the file is binary, not text");
    assert_eq!(parse(&[0xFF, 0xFE, 0]), "the file looks like UTF-16 but is damaged");
    assert_eq!(parse(b"\xEF\xBB\xBFinit { skip }"), "");
    let utf16: Vec<u8> =
        "\u{FEFF}init { skip }".encode_utf16().flat_map(|unit| unit.to_le_bytes()).collect();
    assert_eq!(parse(&utf16), "");
    let latin1 = parse(b"init { skip /* \xE9 */ }");
    assert_eq!(latin1, "line 1 is not valid UTF-8; the file is read as Latin-1");
}

#[test]
fn embedded_c_is_refused_by_name() {
    let text = "c_decl { int x; }\nc_state \"int y\" \"Global\"\nc_track \"&x\" \"sizeof(x)\" \"Matched\"\n\
                init {\n  c_code { x = 1; };\n  c_expr { x > 0 };\n  y = c_expr[x] { 1 };\n  skip\n}\n\
                c_code { ; }\nproctype P() { y = 1 z = 2 }";
    let problems = common::problems(&common::parse(text)).replace("model.pml:", "");
    let expected = "error 1:1 embedded C (`c_decl`) is not supported\n\
                    error 2:1 embedded C (`c_state`) is not supported\n\
                    error 3:1 embedded C (`c_track`) is not supported\n\
                    error 5:3 embedded C (`c_code`) is not supported\n\
                    error 6:3 embedded C (`c_expr`) is not supported\n\
                    error 7:7 embedded C (`c_expr`) is not supported\n\
                    error 10:1 embedded C (`c_code`) is not supported\n\
                    error 11:22 expected `;` or `->` after the statement, found `z`\n";
    assert_eq!(problems, expected);
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let text = "mtype = { a b\nint x;\nproctype P( { x = 1 }\nproctype Q() {\n  x = ;\n  if\n  :: x = = 1\n  \
                :: x -> y = 2 2; skip\n  fi;\n  do\n  :: skip )\n  od\n  goto;\n  x = 3\n}\ninit {\n  run;\n  skip\n";
    let problems = common::problems(&common::parse(text));
    let lines: Vec<_> = problems.lines().filter_map(|line| line.split(':').nth(1)).collect();
    assert_eq!(lines, ["2", "3", "5", "7", "8", "11", "13", "17", "18"], "{problems}");
}

const SEEDS: &[&str] = &[
    "#define N 3\n#define F(a,b) a##b + #a\nmtype = { req, ack };\ntypedef T { byte a[N]; int b };\n\
     T t; chan q = [2] of { mtype, T };\ninline f(a, b) { int l; l = a; b = F(l, 1) }\n\
     active [2] proctype P(byte x; chan c) priority 2 provided (x == 0) {\n\
     L: do :: q?req(t.a[0]) -> atomic { f(x, t.b); q!ack, 1 } unless { x == 3 }\n\
     :: else -> if :: q?[ack, _] -> break :: timeout fi od; for (x : 1 .. N) { skip } }\n\
     #if defined(N) && N > 2\nltl p { [] (x == 1 -> <> P[0]@L U q?[req]) }\n#else\nnever { skip }\n#endif\n",
    "init { int i; select (i : 0 .. 3); d_step { i++; i-- } printf(\"%d\\n\", i); assert(i < 3);\n\
     run P(1, 'a') priority 3; goto L; L: xr q; q??<eval(i), -1>; q!!1(2); x = (i -> 1 : 2) }\n",
];

/// Pieces that matter to the lexer and parser.
const PIECES: &[&str] = &[
    "\n#define N ",
    "#if ",
    "#endif\n",
    "#include \"a\"\n",
    "(",
    ")",
    "{",
    "}",
    "::",
    "fi",
    "od",
    ";",
    "->",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "\\\n",
    "##",
    "#",
    "[]",
    "<>",
    "U",
    "if",
    "do",
    "inline f(",
    "f(",
    "typedef ",
    "P:x",
    "@",
    "?",
    "!",
    "..",
    "\u{e9}",
    "c_code",
    "unless",
    "else",
    "init",
    "99999999999",
];

/// Spoils good models byte by byte and piece by piece.
#[test]
fn spoilt_models_never_panic() {
    for seed in 0..setting("FUZZ_ROUNDS", 5000) {
        println!("seed {seed}");
        let mut random = Numbers::new(seed);
        let mut bytes = SEEDS[random.below(SEEDS.len())].as_bytes().to_vec();
        for _ in 0..1 + random.below(8) {
            spoil(&mut bytes, &mut random);
        }
        let mut read = |_: &str| Ok(b"#define A 1\nint a;".to_vec());
        let mut parsed = promela::parse("model.pml", &bytes, &[], &mut read);
        for diagnostic in &parsed.diagnostics {
            assert!(parsed.sources.resolve(diagnostic.span).is_some(), "{diagnostic:?}");
        }
        common::print(&parsed.model);
        let text = String::from_utf8_lossy(&bytes).to_string();
        promela::parse_query(&text, &parsed.macros, &mut parsed.sources);
    }
}

fn spoil(bytes: &mut Vec<u8>, random: &mut Numbers) {
    let at = random.below(bytes.len());
    match random.below(5) {
        0 if !bytes.is_empty() => bytes[at] = random.below(256) as u8,
        1 => bytes.truncate(at),
        2 => {
            let end = (at + random.below(20)).min(bytes.len());
            bytes.drain(at..end);
        }
        3 => {
            let end = (at + random.below(40)).min(bytes.len());
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..at, piece.bytes());
        }
    }
}
