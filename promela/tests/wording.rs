//! What people are told about edges: statements with what macros and inlines stand for, and what is
//! printed.

mod loading;

use network::{Id, ProcessId};
use promela::Loaded;

fn load(text: &str) -> Loaded {
    let loaded = loading::load(text, promela::Options::default());
    assert!(loaded.network.is_some(), "{:?}", loaded.diagnostics);
    loaded
}

/// The statements of the first process in the order of its edges.
fn statements(declarations: &str, body: &str) -> Vec<String> {
    let loaded = load(&format!("{declarations}\nactive proctype P() {{ {body} }}"));
    loaded.wording.processes[0].edges.iter().map(|edge| edge.statement.clone()).collect()
}

#[test]
fn blanks_stand_in_the_same_places_everywhere() {
    let declarations = "byte x, a[3]; chan q = [2] of { byte, byte }; proctype Q(byte n) { skip }";
    let body = "x=1;a [ x ]=-x+ 2*(x-1); q ! x,3; q ?? eval(x), _; (!x&&x!=3||~x); x ++; \
                run Q ( 3 ); assert( x==1 ); len( q )>0; q?[x,1]";
    let expected = [
        "x = 1",
        "a[x] = -x + 2 * (x - 1)",
        "q!x, 3",
        "q??eval(x), _",
        "(!x && x != 3 || ~x)",
        "x++",
        "run Q(3)",
        "assert(x == 1)",
        "len(q) > 0",
        "q?[x, 1]",
        "-end-",
    ];
    assert_eq!(statements(declarations, body), expected);
}

#[test]
fn macros_and_inlines_are_shown_by_what_they_stand_for() {
    let declarations = "#define READY (x == N)\n#define N 3\n#define BOTH x = 1; y = 2\n\
        byte x, y; inline put(v, w) { v = w; v++ }";
    let mut said = statements(declarations, "READY; BOTH; put(y, x+1)");
    // The first statement of a block belongs to the state of the block, which comes after it.
    said.sort();
    assert_eq!(said, ["(x == 3)", "-end-", "x = 1", "y = 2", "y = x + 1", "y++"]);
}

#[test]
fn loops_and_choices_are_told_by_their_parts() {
    let body = "byte i; for (i : 0 .. N) { x = i }; do :: x > 1 -> break :: else -> x++ od; \
        d_step { x = 1; x = 2 } unless { x == 7 }; byte late = 2";
    let said = statements("#define N 2\nbyte x;", body);
    for expected in [
        "for (i : 0..2)",
        "x = i",
        "x > 1",
        "else",
        "d_step { x = 1; x = 2 }",
        "x == 7",
        "late = 2",
    ] {
        assert!(said.iter().any(|it| it == expected), "{expected}: {said:?}");
    }
}

#[test]
fn edges_that_print_keep_a_record() {
    let loaded = load(
        "byte x; active proctype P() { printf(\"x is %d\\n\", x + 1); x = 2; \
         d_step { x = 3; printf(\"%d, %d\", x, x); x = 4 } }",
    );
    let process = &loaded.wording.processes[0];
    let formats: Vec<_> =
        process.prints.iter().map(|it| (it.format.as_str(), it.values.len())).collect();
    assert_eq!(formats, [("x is %d\\n", 1), ("%d, %d", 2)]);
    let network = loaded.network.as_ref().expect("a network");
    let edges = network.processes[ProcessId::new(0)].edges.enumerate();
    for (id, edge) in edges {
        let words = loaded.wording.edge(ProcessId::new(0), id).expect("words");
        assert_eq!(words.recording.is_some(), words.statement.contains("printf"), "{words:?}");
        // Only the record makes a difference.
        let recording = words.recording.as_deref().unwrap_or(edge);
        assert_eq!((recording.source, recording.target), (edge.source, edge.target));
        assert_eq!(recording.guard, edge.guard);
    }
}

#[test]
fn valid_ends_are_known() {
    let loaded = load("byte x; active proctype P() { x == 1; end: x == 2; x == 3 }");
    let network = loaded.network.expect("a network");
    let valid = |name: &str| {
        let process = &network.processes[ProcessId::new(0)];
        let found = process.locations.enumerate().find(|(_, it)| it.name == name);
        let (location, _) = found.unwrap_or_else(|| panic!("no location {name}"));
        loaded.wording.is_end(ProcessId::new(0), location)
    };
    assert!(valid("end") && valid("-") && !valid("s1") && !valid("s1_2"));
}

#[test]
fn channels_in_variables_and_messages_have_names() {
    let model = "chan q[2] = [1] of { byte, chan }; chan r = [0] of { byte };\n\
        active proctype P() { chan c = q[1]; q[0]!1,c; c = r }";
    let network = load(model).network.expect("a network");
    let variable = network.variables.iter().find(|it| it.name == "P.c").expect("P.c");
    let names = |value| network.value_name(variable.ty, value);
    assert_eq!([1, 2, 3, 0].map(names), [Some("q[0]"), Some("q[1]"), Some("r"), None]);
    let q = network.channels.iter().next().expect("q");
    let network::ChannelKind::Buffered { fields, .. } = &q.kind else { panic!("no buffer") };
    assert_eq!(network.value_name(fields[1], 3), Some("r"));
    assert_eq!(fields[0].names, None);
}
