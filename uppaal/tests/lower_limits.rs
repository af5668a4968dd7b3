//! Large and hostile models: linear time, bounded work, no panic.

mod lowering;

use lowering::*;
use std::time::Duration;
use testing::Busy;

/// Does something for which so many seconds are plenty; ten times as many on a slow machine.
fn quickly<R>(limit: u64, work: impl FnOnce() -> R) -> R {
    let start = Busy::start();
    let result = work();
    let time = start.elapsed();
    assert!(time < Duration::from_secs(10 * limit), "took {time:?}");
    result
}

#[test]
fn a_million_elements() {
    let list: Vec<String> = (0..1_000_000).map(|i| (i % 100).to_string()).collect();
    let model = format!("int a[1000000]; int b[1000000] = {{ {} }};\n{IDLE}", list.join(","));
    let network = quickly(20, || network_with(&model, &[]));
    assert_eq!(network.variables[network::VariableId(1)].initial[123_456], 56);
}

#[test]
fn hundreds_of_processes() {
    let model = "typedef int[0,254] id_t; clock x[id_t]; chan c[id_t]; int v[id_t];
        int next(id_t i) { return (i + 1) % 255; }
        process P(const id_t i) { int n; state A { x[i] <= 3 }; init A; trans A -> A { guard v[i] < 3 && next(i) > 0; sync c[i]!; assign n++; }; } system P;";
    let queries = ["A[] forall (i : id_t) forall (j : id_t) P(i).A && P(j).A imply i == j"];
    let network = quickly(20, || network_with(model, &queries));
    assert_eq!(network.processes.len(), 255);
}

#[test]
fn endless_constants_end() {
    let model =
        format!("int f() {{ while (true) {{ }} return 1; }} const int N = f(); int a[N];\n{IDLE}");
    let found = quickly(30, || errors_with(&model, &[]));
    assert!(found[0].contains("too long to compute"), "{found:?}");
}

#[test]
fn inlining_cannot_explode() {
    let mut model = String::from("int r; void f0(int &p) { p++; }\n");
    for n in 1..40 {
        model += &format!("void f{n}(int &p) {{ f{}(p); f{}(p); }}\n", n - 1, n - 1);
    }
    model += "void g() { int l; f39(l); r = l; }\n";
    let found = quickly(60, || errors_with(&edge(&model, "assign g();"), &[]));
    assert!(found[0].contains("used in too many different ways"), "{found:?}");
}

#[test]
fn quantifiers_over_clocks_cannot_explode() {
    let model = format!(
        "clock x[1000]; {}",
        edge(
            "",
            "guard forall (i : int[0,999]) forall (j : int[0,999]) forall (k : int[0,999]) x[i] - x[j] < k;"
        )
    );
    let found = quickly(60, || errors_with(&model, &[]));
    assert!(found[0].contains("too large"), "{found:?}");
}

#[test]
fn long_chains_of_calls() {
    let chain = |length: usize| {
        let mut model = String::from("int f0(int n) { return n; }\n");
        for n in 1..length {
            model += &format!("int f{n}(int n) {{ return -(-(-f{}(n))); }}\n", n - 1);
        }
        format!("{model}int x = f{}(1);\n{IDLE}", length - 1)
    };
    assert_eq!(network_with(&chain(200), &[]).functions.len(), 200);
    for length in [300, 5000] {
        let found = quickly(60, || errors_with(&chain(length), &[]));
        assert!(found[0].contains("nested too deeply"), "{found:?}");
    }
}

#[test]
fn inlining_may_nest_too_deeply() {
    let mut model = String::from("int r; void f0(int &p) { p++; }\n");
    for n in 1..13 {
        let open = "if (p > 1) ".repeat(100);
        model += &format!("void f{n}(int &p) {{ {open} f{}(p); }}\n", n - 1);
    }
    model += "void g() { int l; f12(l); r = l; }\n";
    let found = quickly(20, || errors_with(&edge(&model, "assign g();"), &[]));
    assert!(found[0].contains("nested"), "{found:?}");
}

#[test]
fn structs_cannot_explode() {
    let mut model = String::from("typedef struct { int a; int b; } S0;\n");
    for n in 1..60 {
        model += &format!("typedef struct {{ S{} a; S{} b[3]; }} S{n};\n", n - 1, n - 1);
    }
    model += "S59 s;\n";
    let found = quickly(10, || errors_with(&format!("{model}{IDLE}"), &[]));
    assert!(found[0].contains("the struct has more than 10000 parts"), "{found:?}");
}

#[test]
fn giant_parameters() {
    let model = format!("void f(int &a[2000000000][2000000000]) {{ a[0][0] = 1; }}\n{IDLE}");
    let found = quickly(10, || errors_with(&model, &[]));
    assert!(found[0].contains("which is too much"), "{found:?}");
}

#[test]
fn process_sets_cannot_explode() {
    error(
        "process P(const int[0,1000] i, const int[0,1000] j) { state A; init A; } system P;",
        "1:81 `P` instantiates too many processes",
    );
}

#[test]
fn long_lines_are_no_slower_than_short_ones() {
    let edge = |i: u32| format!("A -> A {{ guard v == {i}; assign v = {i} % 30; }}");
    let edges: Vec<String> = (0..40_000).map(edge).collect();
    let taken = |separator: &str| {
        let edges = edges.join(separator);
        let model = format!("int v; process P() {{ state A; init A; trans {edges}; }} system P;");
        let start = Busy::start();
        assert!(load_with(&model, &[]).network.is_some());
        start.elapsed()
    };
    // Others who use the memory may slow down one of them.
    let mut tries = (0..5).map(|_| (taken(",\n"), taken(", ")));
    let fits = |(short, long): (Duration, Duration)| long < short * 4 + Duration::from_secs(1);
    assert!(tries.any(fits), "one line takes longer than several");
}

#[test]
fn many_unknown_names() {
    let wrong: Vec<String> = (0..6_000).map(|i| format!("int v{i} = unknown{i};")).collect();
    let found = quickly(20, || errors_with(&format!("{}\n{IDLE}", wrong.join("\n")), &[]));
    assert!(found[200].ends_with("5800 more problems are not shown"), "{}", found[200]);
    let states: Vec<String> = (0..6_000).map(|i| format!("L{i}")).collect();
    let model = format!("process P() {{ state {}; init L0; }} system P;", states.join(", "));
    let queries: Vec<String> = (0..6_000).map(|i| format!("E<> P.M{i}")).collect();
    let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
    let found = quickly(20, || errors_with(&model, &queries));
    assert_eq!(found.len(), 6_000);
}

#[test]
fn selects_cannot_explode() {
    let of = |high: u32| {
        edge("", &format!("select i : int[0,{high}], j : int[0,{high}], k : int[0,{high}];"))
    };
    assert!(load_with(&of(99), &[]).network.is_some());
    error(&of(999), "2:38 the selects of this edge give 1000000000 choices");
}
