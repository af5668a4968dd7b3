//! Predefined names in queries. What is reachable was asked of Spin 6.5.2 with the claim
//! `never { do :: true :: (condition) -> break od }`, gcc -DNOREDUCE, pan -a -c1.

use explore::{Abstraction, Explorer};

fn is_reachable(model: &str, condition: &str) -> bool {
    let mut read = |_: &str| Err("no includes here".to_string());
    let loaded = promela::load(promela::Input {
        path: "test.pml",
        bytes: model.as_bytes(),
        defines: &[],
        queries: &[format!("E<> {condition}")],
        options: promela::Options::default(),
        read_include: &mut read,
    });
    let network = loaded.network.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let property = network.properties.iter().next().expect("a property");
    let explorer = Explorer::compile(&network, Some(property), Abstraction::None);
    let explorer = explorer.expect("compiles");
    let configuration = search::Configuration::from(search::Order::BreadthFirst);
    let limits = search::Limits::default();
    let (outcome, _) = search::run(&explorer, &configuration, &limits, &mut search::Unlimited);
    matches!(outcome, search::Outcome::Reached { .. })
}

#[test]
fn progress() {
    let model = "byte x, y;
        active proctype P() {
            do
            :: x < 3 -> x++
            :: x == 3 -> progress: x = 0
            :: progress1: x == 2 -> y = 1; y = 0
            :: x == 4 -> accept: x = 5
            od
        }";
    let cases = [
        ("np_ && x == 3", true),
        ("np_ && P[0]@progress", false),
        ("!np_ && x == 1", false),
        // A label before the condition of an option marks the state behind it.
        ("!np_ && x == 2", true),
        ("!np_ && x == 2 && y == 1", false),
        ("np_ && x == 2 && y == 1", true),
        ("!np_ && x == 3", true),
    ];
    for (condition, wanted) in cases {
        assert_eq!(is_reachable(model, condition), wanted, "{condition}");
    }
}
