//! Queries: locations and variables of processes, clocks anywhere, quantifiers, what is refused.

mod lowering;

use lowering::*;
use network::Claim;

const MODEL: &str = "typedef int[0,2] id_t; clock x, y; int n; bool b; bool odd(int k) { return k % 2 == 1; }
process P(const id_t i) { int v = i; clock z; int twice(int k) { return k * 2 + i; } state A, B; init A; }
process Q() { int v; const int C = 4; state A; init A; }
system P, Q;";

fn claim(query: &str) -> String {
    let text = lowered_with(MODEL, &[query]);
    let line = text.lines().find(|it| it.starts_with("reachable") || it.starts_with("always"));
    line.unwrap_or_else(|| panic!("{text}")).to_string()
}

#[test]
fn locations_and_variables() {
    assert_eq!(claim("E<> Q.A and not P(1).B"), "reachable Q at A && !(\"P(1)\" at B)");
    assert_eq!(claim("A[] P(2).v == Q.C imply Q.v > n"), "always \"P(2).v\" != 4 || Q.v > n");
    assert_eq!(
        claim("E<> odd(n) && P(1).twice(3) == 7 && P(2).i == 2"),
        "reachable odd(n) && \"P(1).twice\"(3) == 7"
    );
}

#[test]
fn clocks_in_any_combination() {
    assert_eq!(claim("E<> x > 3 or b and P(0).z <= 2"), "reachable x > 3 || b && \"P(0).z\" <= 2");
    assert_eq!(claim("A[] not (x < 3 && n == 1)"), "always x >= 3 || n != 1");
    assert_eq!(
        claim("A[] x != 3 imply x - y >= 2"),
        "always x == 3 || x - y >= 2".replace("x == 3", "x >= 3 && x <= 3")
    );
    assert_eq!(claim("E<> x == 3 && !(y == 2)"), "reachable x == 3 && (y < 2 || y > 2)");
    assert_eq!(claim("E<> (x > 3) == b"), "reachable x > 3 && b || x <= 3 && !b");
    assert_eq!(claim("A[] b ? x < 1 : y < 1"), "always (!b || x < 1) && (b || y < 1)");
}

#[test]
fn deadlock() {
    assert_eq!(claim("A[] not deadlock"), "always !deadlock");
}

#[test]
fn quantifiers() {
    assert_eq!(
        claim("E<> forall (i : id_t) P(i).B"),
        "reachable \"P(0)\" at B && \"P(1)\" at B && \"P(2)\" at B"
    );
    assert_eq!(claim("A[] exists (i : id_t) n == i"), "always exists (i#0 : int[0, 2]) n == i#0");
    assert_eq!(
        claim("A[] (sum (i : id_t) P(i).v) < 4"),
        "always \"P(0).v\" + \"P(1).v\" + \"P(2).v\" < 4"
    );
    assert_eq!(
        claim("A[] forall (i : id_t) forall (j : id_t) P(i).B && P(j).B imply i == j")
            .matches(" at B")
            .count(),
        12
    );
    assert_eq!(
        claim("E<> exists (i : int[0,1]) P(i + 1).z > i"),
        "reachable \"P(1).z\" > 0 || \"P(2).z\" > 1"
    );
}

#[test]
fn the_rest_is_unsupported() {
    for query in ["A<> Q.A", "E[] Q.A", "Q.A --> P(0).B", "sup: n", "Pr[<=10](<> Q.A)"] {
        let network = network_with(MODEL, &[query]);
        let claim = &network.properties[network::PropertyId(0)].claim;
        assert!(
            matches!(claim, Claim::Unsupported(why) if why.starts_with("not supported")),
            "{query}"
        );
    }
}

#[test]
fn mistakes() {
    let errors = |query: &str| errors_with(MODEL, &[query]).join("; ");
    assert_eq!(errors("E<> R.A"), "1:5 unknown name `R`");
    assert_eq!(errors("E<> P(1).C"), "1:10 the process `P(1)` has no location or variable `C`");
    assert!(errors("1. E<> Q.A").starts_with("1:1 expected `E<>` or `A[]`, found `1`"));
    assert!(errors("EF Q.A").ends_with("[write `E<>` for `EF`]"));
    assert!(errors("A[] n < 3;").ends_with("[a query ends without `;`]"));
    assert!(errors("E<> P.A").starts_with("1:5 `P` is a set of processes and takes 1 values"));
    assert_eq!(errors("E<> P(7).A"), "1:5 there is no process `P(7)`");
    assert!(errors("E<> P(n).A").starts_with("1:7 this must be a constant"));
    assert!(errors("E<> n++ > 1").starts_with("1:5 a query must not change anything"));
    assert!(errors("E<> Q.v = 1").contains("must not change anything"));
    assert!(errors("E<> x").starts_with("1:5 the value of a clock cannot be used"));
    assert!(errors("E<> Q").starts_with("1:5 a process is not a value"));
}

#[test]
fn a_wrong_query_is_a_property_that_cannot_be_checked() {
    let queries = ["E<> Q.A", "===== GOALS =====", "E<> Q.B", "A<> Q.B", "A[] odd(n)"];
    let loaded = load_with(MODEL, &queries);
    let network = loaded.network.unwrap();
    assert_eq!(network::verify(&network), []);
    let texts: Vec<&str> = network.properties.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(texts, queries);
    let whys = network.properties.iter().map(|it| match &it.claim {
        Claim::Unsupported(why) => why.split(':').next().unwrap(),
        _ => "",
    });
    assert_eq!(whys.collect::<Vec<_>>(), ["", "wrong query", "wrong query", "not supported", ""]);
    let mistakes = loaded.mistakes.iter().map(|it| (it.property.0, messages(&it.diagnostics)));
    let hint = "write `E<> p` to ask whether p can be reached, `A[] p` whether it always holds";
    let expected = [
        (1, vec![format!("1:1 expected `E<>` or `A[]`, found `==` [{hint}]")]),
        (2, vec!["1:7 the process `Q` has no location or variable `B`".to_string()]),
    ];
    assert_eq!(mistakes.collect::<Vec<_>>(), expected);
    assert!(loaded.diagnostics.is_empty());
}

#[test]
fn what_a_query_calls_is_no_mistake_of_the_query() {
    let model = format!("bool f(int k) {{ return k == m; }} {IDLE}");
    let loaded = load_with(&model, &["E<> f(1) && g"]);
    assert!(loaded.network.is_none());
    assert_eq!(messages(&loaded.diagnostics), ["1:29 unknown name `m`"]);
    assert_eq!(messages(&loaded.mistakes[0].diagnostics), ["1:13 unknown name `g`"]);
    let loaded = load_with(&format!("{model} query {{ E<> f(1) && g }}"), &[]);
    assert_eq!(messages(&loaded.diagnostics), ["1:29 unknown name `m`"]);
    assert_eq!(messages(&loaded.mistakes[0].diagnostics), ["1:103 unknown name `g`"]);
}

#[test]
fn query_files_and_command_line_replace_one_another() {
    let xml = "<nta><declaration>int n;</declaration><template><name>P</name><location id=\"a\"/><init ref=\"a\"/></template>
      <system>system P;</system><queries><query><formula>E&lt;&gt; n == 1</formula><comment/></query></queries></nta>";
    let load = |file, queries: &[String]| {
        let input =
            uppaal::Input { path: "m.xml", bytes: xml.as_bytes(), query_file: file, queries };
        let network = uppaal::load(&input).network.unwrap();
        network.properties.iter().map(|it| it.text.clone()).collect::<Vec<_>>()
    };
    let file = Some(("m.q", "E<> n == 2\n\n// more\nA[] n == 3\n".as_bytes()));
    assert_eq!(load(None, &[]), ["E<> n == 1"]);
    assert_eq!(load(file, &[]), ["E<> n == 2", "A[] n == 3"]);
    assert_eq!(load(file, &["E<> n == 4".to_string()]), ["E<> n == 4"]);
}

#[test]
fn a_query_that_is_too_large_leaves_room_for_the_next() {
    let model = "clock c[1000]; process P() { state A; init A; } system P;";
    let one = "exists (i : int[0,999]) c[i] > 3";
    let huge = format!("E<> exists (j : int[0,999]) {one}");
    let loaded = load_with(model, &[&huge, &format!("E<> {one}")]);
    let wrong: Vec<_> = loaded.mistakes.iter().map(|it| it.property.0).collect();
    assert_eq!(wrong, [0]);
    assert!(loaded.network.is_some());
}
