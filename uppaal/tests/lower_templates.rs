//! Processes: parameters, partial instantiation, process sets, priorities, edges.

mod lowering;

use lowering::*;

#[test]
fn value_parameters_are_constants() {
    let text = lowered(
        "int v; process P(const int n, int m) { int a[n]; state A; init A; trans A -> A { guard v == n + m; assign a[0] = n; }; }
         P1 = P(2, 3); system P1;",
    );
    has(&text, "var P1.a[2] : int[-32768, 32767]");
    has(&text, "process P1 = P(n = 2, m = 3) {");
    has(&text, "when v == 5;");
    has(&text, "P1.a[0] = 2;");
}

#[test]
fn a_value_parameter_that_is_changed_is_a_variable() {
    let text = lowered(
        "process P(int[0,9] n) { state A; init A; trans A -> A { assign n++; }; } P1 = P(2); system P1;",
    );
    has(&text, "var P1.n : int[0, 9] = 2");
    has(&text, "P1.n = P1.n + 1;");
}

#[test]
fn reference_parameters_are_the_variables_themselves() {
    let text = lowered(
        "int v, a[3]; clock x[2]; chan c[2]; const int T[2] = { 4, 5 }; typedef struct { int f; } S; S s;
         process P(int &r, int &e, clock &z, chan &d, const int t[2], S &u) {
           state A { z <= t[1] }; init A; trans A -> A { guard r == 1; sync d!; assign e = t[r], z = 0, u.f = 2; }; }
         P1 = P(v, a[2], x[1], c[0], T, s); system P1;",
    );
    has(&text, "invariant x[1] <= 5;");
    has(&text, "when v == 1;\nsend c[0];\ndo {\na[2] = T[v];\nreset x[1] = 0;\ns.f = 2;\n}");
}

#[test]
fn whole_arrays_as_reference_parameters() {
    let text = lowered(
        "int a[2][3]; chan c[2]; process P(int &row[3], chan &d[2]) { state A; init A; trans A -> A { sync d[1]?; assign row[2] = 1; }; }
         P1 = P(a[1], c); system P1;",
    );
    has(&text, "receive c[1];\ndo {\na[1][2] = 1;");
}

#[test]
fn free_parameters_make_process_sets() {
    let text = lowered(
        "typedef int[1,2] id_t; process P(const id_t i, const bool b) { state A; init A; } system P;",
    );
    for name in ["P(1,0)", "P(1,1)", "P(2,0)", "P(2,1)"] {
        assert!(text.contains(&format!("process \"{name}\" = P(i = ")), "{name}\n{text}");
    }
    has(&text, "process \"P(2,1)\" = P(i = 2, b = 1) {");
}

#[test]
fn scalar_parameters_are_marked() {
    let network = network_with(
        "typedef scalar[2] set_t; int a[set_t]; process P(const set_t i) { state A; init A; trans A -> A { assign a[i] = 1; }; } system P;",
        &[],
    );
    assert_eq!(network.processes.len(), 2);
    for process in &network.processes {
        assert_eq!(process.arguments[0].scalar, Some(network::ScalarSetId(0)));
    }
    assert_eq!(network.scalar_sets[network::ScalarSetId(0)].name, "set_t");
}

#[test]
fn partial_instantiation_in_chains() {
    let text = lowered(
        "int v; process P(const int n, int &r, const int m) { state A; init A; trans A -> A { assign r = n * 10 + m; }; }
         Q(const int[0,1] k, int &s) = P(k, s, 5);
         const int SEVEN = 7;
         R(const int[0,1] j) = Q(j, v);
         Z = P(SEVEN, v, 1);
         system R, Z;",
    );
    has(&text, "process \"R(0)\" = P(n = 0, m = 5) {");
    has(&text, "process \"R(1)\" = P(n = 1, m = 5) {");
    has(&text, "process Z = P(n = 7, m = 1) {");
    has(&text, "v = 15;");
    has(&text, "v = 71;");
}

#[test]
fn process_priorities() {
    let network = network_with(
        "process P() { state A; init A; } A1 = P(); A2 = P(); A3 = P(); A4 = P(); system A1, A2 < A3 < A4;",
        &[],
    );
    let priorities: Vec<_> = network.processes.iter().map(|it| it.priority).collect();
    assert_eq!(priorities, [0, 0, 1, 2].map(network::Priority::Fixed));
}

#[test]
fn locations_and_edges() {
    let text = lowered(
        "chan c[3]; int n; process P() { state A, B, C; commit B; urgent C; init B;
           trans A -> B { select i : int[0,2], j : int[0, 1]; guard i > j; sync c[i]!; assign n = j; }, B -> C { sync c[n]?; }; }
         system P;",
    );
    has(&text, "location A;\ncommitted location B;\nurgent location C;\ninit B;");
    has(
        &text,
        "edge A -> B {
           select i#0 : int[0, 2];
           select j#1 : bool;
           when i#0 > j#1;
           send c[i#0];
           do {
             n = j#1;
           }
         }
         edge B -> C {
           receive c[n];
         }",
    );
}

#[test]
fn a_select_over_nothing_has_no_edge() {
    let text = lowered(&edge("int n;", "select i : int[1,0]; assign n = i;"));
    assert!(!text.contains("edge"));
}

#[test]
fn branchpoints_are_nondeterminism() {
    let text = lowered(
        "int n; chan c; process P() { state A, B, C; branchpoint D; init A;
           trans A -> D { select i : int[0,1]; guard n == i; sync c!; assign n = 1; },
                 D -> B { assign n = n + 2; probability 3; }, D -> C { probability 1; }; }
         system P;",
    );
    has(
        &text,
        "edge A -> B {
           select i#0 : bool;
           when n == i#0;
           send c;
           do {
             n = 1;
             n = n + 2;
           }
         }
         edge A -> C {
           select i#0 : bool;
           when n == i#0;
           send c;
           do {
             n = 1;
           }
         }",
    );
}

#[test]
fn branches_select_after_the_edge_before_them() {
    let text = lowered(
        "int n; process P() { state A, B; branchpoint D; init A;
           trans A -> D { select i : int[0,1]; assign n = i; }, D -> B { select i : int[2,3]; assign n = n + i; }; }
         system P;",
    );
    has(
        &text,
        "edge A -> B {
           select i#0 : bool;
           select i#1 : int[2, 3];
           do {
             n = i#0;
             n = n + i#1;
           }
         }",
    );
    let guarded = "process P() { state A, B; branchpoint D; init A; trans A -> D { }, D -> B { guard true; }; } system P;";
    error(guarded, "1:68 an edge that leaves a branchpoint has neither guard nor synchronisation");
}

#[test]
fn variables_of_the_system_section() {
    let text = lowered(
        "process P(int &r) { state A; init A; trans A -> A { assign r = 1; }; } int late = 4; P1 = P(late); system P1;",
    );
    has(&text, "var late : int[-32768, 32767] = 4");
    has(&text, "late = 1;");
}

#[test]
fn xml_models_have_places_in_the_file() {
    let model = r#"<nta>
<declaration>int level;</declaration>
<template><name>P</name>
<location id="id0"><name>A</name></location><location id="id1"><committed/></location><init ref="id0"/>
<transition><source ref="id0"/><target ref="id1"/>
<label kind="guard">level &lt; levl</label>
<label kind="assignment">level = 1</label></transition>
</template>
<system>system P;</system>
</nta>"#;
    let load_model = |text: &str| {
        uppaal::load(&uppaal::Input {
            path: "m.xml",
            bytes: text.as_bytes(),
            query_file: None,
            queries: &[],
        })
    };
    let found = load_model(model).diagnostics;
    assert_eq!(messages(&found), ["6:32 unknown name `levl` [did you mean `level`?]"]);
    let place = found[0].place.as_ref().unwrap();
    assert_eq!(place.source_line, "<label kind=\"guard\">level &lt; levl</label>");
    assert!(place.within.as_ref().unwrap().contains("guard"), "{:?}", place.within);
    let network = load_model(&model.replace("&lt; levl", "&lt; 3")).network.unwrap();
    let edge = &network.processes[network::ProcessId(0)].edges[network::EdgeId(0)];
    assert_eq!((edge.update[0].span.line, edge.update[0].span.column), (7, 26));
    assert_eq!(
        network.processes[network::ProcessId(0)].locations[network::LocationId(1)].name,
        "_id1"
    );
}
