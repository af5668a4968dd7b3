//! `vizsla info` and `vizsla convert --to dot`.

mod support;

use support::{COUNTER, Folder};

#[test]
fn info_counts_what_is_there() {
    let folder = Folder::with("m.xta", COUNTER);
    folder.write("m.q", "E<> n == 2\nP.A --> P.B\n");
    let run = folder.run(&["info", "m.xta"]).code(0);
    let counts = "\
m.xta
  processes   2
  locations   3
  edges       3
  variables   1
  clocks      1
  channels    3
  functions   0
  properties  2
  state       3 bits without clocks
  features    edges with select (1)
";
    run.says(counts).says("properties (from m.q)").says("1  E<> n == 2").says("not supported");
}

#[test]
fn info_names_special_features() {
    let model = "typedef scalar[2] s_t;
clock x, y;
broadcast chan b;
urgent chan u;
meta int[0,1] m;
s_t who;
process P() {
  state A { x' == 0 }, B, C, D;
  commit C;
  urgent D;
  init A;
  trans A -> B { guard x - y < 3; sync b!; }, B -> C { sync u!; }, C -> D { };
}
process Q() { state A; init A; trans A -> A { sync u?; }; }
system P < Q;
";
    let run = Folder::with("m.xta", model).run(&["info", "m.xta"]).code(0);
    let text = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for feature in [
        "urgent locations (1)",
        "committed locations (1)",
        "urgent channels (1)",
        "broadcast channels (1)",
        "processes with priority (1)",
        "locations that stop clocks (1)",
        "diagonal clock constraints (1)",
        "meta variables (1)",
        "scalar sets (1)",
    ] {
        assert!(text.contains(feature), "{feature}: {text}");
    }
}

#[test]
fn dot_draws_every_process() {
    let run = Folder::with("m.xta", COUNTER).run(&["convert", "m.xta", "--to", "dot"]).code(0);
    run.says("digraph network {").says("subgraph cluster_p0").says("subgraph cluster_p1");
    run.says(r#"p0l0 [label="A\nx <= 5", peripheries=2];"#);
    run.says(r#"p0l0 -> p0l1 [label="i : int[0, 2]\nx >= 2\ngo[i]!\nn = n + 1, x = 0"];"#);
    run.says(r#"p1l0 -> p1l0 [label="go[1]?"];"#);
}

#[test]
fn info_says_what_is_interchangeable() {
    let model = "typedef int[0,2] id_t; bool f[id_t];
process P(const id_t me) {
  state A, B; init A;
  trans A -> B { guard !f[me]; assign f[me] = true; };
}
process Q(const id_t me) {
  int[0,9] n; state A; init A;
  trans A -> A { guard n < 9;
    assign n = n + me; };
}
system P, Q;
";
    let folder = Folder::with("m.xta", model);
    folder.write("m.q", "E<> exists (i : id_t) P(i).B\nE<> P(0).B\n");
    let run = folder.run(&["info", "m.xta"]).code(0);
    run.says("the ids 0, 1, 2 with P(0), P(1), P(2) in any order")
        .says("property 2 tells some apart, and leaves the ids 1, 2 with P(1), P(2) in any order")
        .says("Q is not interchangeable: the processes differ in more than names (m.xta:6:9)");
}
