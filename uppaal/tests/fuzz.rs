//! Damaged models: whatever the bytes, parsing and loading end soon and without a panic.
//!
//! The seed is fixed and printed on failure; set `FUZZ_SEED` and `FUZZ_ROUNDS` to search further.

use std::time::Duration;
use testing::{Busy, Numbers, setting};

const MODELS: &[&str] = &[
    "const N 3; typedef int[0,N-1] id_t; int[0,5] v[id_t][2] = { { 1, 2 }, {3, 4}, {5, 0} };\n\
     chan c[N]; urgent broadcast chan go; clock x = 3, y; struct { int a; bool b; } s = { a: 1, true };\n\
     int f(const id_t i, int &r) { int k; for (k = 0; k < N; k++) r += v[i][k]; if (r > 3) return 1;\n\
     else while (r > 0) { r--; } do r++; while (r < 3); for (j : id_t) assert j >= 0; return r ? 1 : 0; }\n\
     process T(const id_t id; clock z) { state A { z <= 3, x' == 0 }, B { ; 2 : 3 }; branchpoint E;\n\
     commit B; urgent A; init A; trans A -> B { select i : id_t; guard z > 3 && forall (j : id_t) v[j][0] < 2;\n\
     sync c[i]!; assign z := 0, s.a = f(i, v[0][1]); }, -> E { sync go?; }, E -u-> A { probability 3; }; }\n\
     P(const id_t i) = T(i, y); Q = T(0, x); chan priority go < default < c[0];\n\
     system P < Q; progress { v[0][0]; } gantt { G(i : id_t): v[i][0] -> 1, for (j : id_t) s.b -> j; }",
    "<?xml version=\"1.0\"?><!DOCTYPE nta SYSTEM 'flat.dtd'><nta><declaration>broadcast chan a; /* é */ int x = 1 &lt; 2; clock z;\n\
     </declaration><template><name>T</name><parameter>int[0,1] i, clock &amp;y</parameter><declaration>int v;\n\
     </declaration><location id=\"a\"><name>L</name><label kind=\"invariant\">y &lt;= 3 &amp;&amp; v == &#49;</label>\n\
     <urgent/></location><location id=\"b\"><committed/></location><branchpoint id=\"c\"/><init ref=\"a\"/>\n\
     <transition><source ref=\"a\"/><target ref=\"c\"/><label kind=\"select\">k : int[0,3]</label>\n\
     <label kind=\"guard\"><![CDATA[y < 3]]></label><label kind=\"synchronisation\">a!</label></transition>\n\
     <transition controllable=\"false\"><source ref=\"c\"/><target ref=\"b\"/><label kind=\"assignment\">v = i, y = 0\n\
     </label></transition></template><system>P = T(1, z); system P;</system><queries><query>\n\
     <formula>E&lt;&gt; P.L and deadlock</formula><comment>c</comment></query></queries></nta>",
    "<!DOCTYPE nta [<!ENTITY t '<template><name>T</name></template>'> <!ENTITY n '3'>]><nta>&t;\n\
     <declaration>int x = &n;;</declaration><system>system P;&n;</system></nta>",
    "E<> P.a and x > 3\nA[] not deadlock\n/* c\n */ A<> p\np --> q\nPr[<=10](<> p)\nE<> forall (i : int[0,3]) P(i).l\n",
];

/// Pieces that make trouble out of proportion to their length.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    "\"",
    "/*",
    "*/",
    "//",
    "<![CDATA[",
    "]]>",
    "&lt;",
    "&",
    "&#x0;",
    "&#1114112;",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "2147483648",
    "-",
    "++",
    "'",
    "?",
    ":",
    "!",
    "if (",
    "for (",
    "forall (i : ",
    "process ",
    "system ",
    "struct {",
    "const ",
    "typedef ",
    "é",
    "\u{feff}",
    "\0",
    "\\\n",
    "\r\n",
    "1e999",
    "0.",
    "A[]",
    "E<>",
    "-->",
    "import \"",
    "dynamic T(",
    "<nta>",
    "</nta>",
    "<template>",
    "else ",
    "trans ",
    "state ",
    "init ",
    "return ",
];

fn damage(bytes: &mut Vec<u8>, random: &mut Numbers) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(40)).min(bytes.len());
    match random.below(8) {
        0 if !bytes.is_empty() => {
            let index = at.min(bytes.len() - 1);
            bytes[index] = random.draw() as u8;
        }
        1 => drop(bytes.drain(at..end)),
        2 => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        3 => bytes.truncate(at),
        4 => {
            let piece = PIECES[random.below(PIECES.len())].repeat(1 + random.below(400));
            bytes.splice(at..at, piece.into_bytes());
        }
        5 => {
            let other = MODELS[random.below(MODELS.len())].as_bytes();
            let from = random.below(other.len());
            bytes.splice(at..at, other[from..].iter().take(60).copied());
        }
        _ => {
            let piece = PIECES[random.below(PIECES.len())];
            bytes.splice(at..end, piece.bytes());
        }
    }
}

/// Runs every entry point over the bytes and looks up every place.
fn exercise(bytes: &[u8]) {
    let parsed = uppaal::parse("fuzz.xml", bytes);
    for diagnostic in &parsed.diagnostics {
        let shown = parsed.sources.diagnostic(diagnostic);
        let place = shown.place.as_ref().expect("every diagnostic has a place");
        assert!(place.line >= 1 && place.column >= 1);
        assert!((place.end_line, place.end_column) >= (place.line, place.column), "{shown:?}");
    }
    let mut sources = source::SourceMap::default();
    uppaal::parse_queries("fuzz.q", bytes, &mut sources);
    // XML that is read as if it were none, too.
    uppaal::parse("fuzz.ta", &[b";", bytes].concat());
    exercise_loading(bytes, b"E<> P.L and P.v > 0\nE<> forall (i : id_t) P(i).A\nA[] not deadlock");
    exercise_loading(MODELS[1].as_bytes(), bytes);
}

/// Loads a model with queries: it is refused exactly if an error is reported.
fn exercise_loading(model: &[u8], queries: &[u8]) {
    let query_file = Some(("fuzz.q", queries));
    let input = uppaal::Input { path: "fuzz.xml", bytes: model, query_file, queries: &[] };
    let loaded = uppaal::load(&input);
    let refused = loaded.diagnostics.iter().any(network::Diagnostic::is_error);
    assert_eq!(loaded.network.is_none(), refused);
    for mistake in &loaded.mistakes {
        assert!(mistake.diagnostics.iter().all(|it| it.is_error() && it.place.is_some()));
    }
    assert_eq!(loaded.network.map(|it| network::verify(&it)).unwrap_or_default(), []);
}

#[test]
fn damaged_models_never_panic_or_hang() {
    let seed = setting("FUZZ_SEED", 1);
    let mut random = Numbers::new(seed);
    for round in 0..setting("FUZZ_ROUNDS", 4000) {
        let mut bytes = MODELS[random.below(MODELS.len())].as_bytes().to_vec();
        for _ in 0..1 + random.below(6) {
            damage(&mut bytes, &mut random);
        }
        let busy = Busy::start();
        let outcome = std::panic::catch_unwind(|| exercise(&bytes));
        let input = String::from_utf8_lossy(&bytes);
        assert!(outcome.is_ok(), "panic in round {round} of seed {seed}:\n{input}");
        let taken = busy.elapsed();
        assert!(taken < Duration::from_secs(60), "{taken:?}, round {round}, seed {seed}:\n{input}");
    }
}

#[test]
fn undamaged_models_load() {
    for text in &MODELS[..2] {
        let bytes = text.as_bytes();
        let input = uppaal::Input { path: "model", bytes, query_file: None, queries: &[] };
        let loaded = uppaal::load(&input);
        assert!(loaded.network.is_some(), "{:?}", loaded.diagnostics);
    }
}
