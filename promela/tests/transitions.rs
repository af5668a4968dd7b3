//! Transitions have the numbers that Spin's trails know them by.

mod loading;

use network::Id;
use std::collections::BTreeSet;

fn load(text: &str) -> promela::Loaded {
    loading::load(text, promela::Options::default())
}

/// The transitions of a proctype, each as `source>target:id`.
fn transitions(loaded: &promela::Loaded, proctype: &str) -> BTreeSet<String> {
    let network = loaded.network.as_ref().expect("a model without errors");
    let mut processes = network.processes.enumerate();
    let (process, _) = processes.find(|it| it.1.template == proctype).expect("the proctype");
    let number = |id: Option<u32>| id.map_or("?".to_string(), |id| id.to_string());
    let transitions = &loaded.numbering.processes[process.index()].transitions;
    transitions
        .iter()
        .flatten()
        .map(|it| format!("{}>{}:{}", it.source, it.target, number(it.id)))
        .collect()
}

fn set(text: &str) -> BTreeSet<String> {
    text.split(' ').map(str::to_string).collect()
}

fn compare(loaded: &promela::Loaded, line: &str) {
    let (proctype, rest) = line.split_once(' ').expect("a proctype and its transitions");
    assert_eq!(transitions(loaded, proctype), set(rest), "{proctype}");
}

#[test]
fn the_golden_models_have_the_numbers_of_spin() {
    let mut loaded = None;
    for line in include_str!("transitions.txt").lines().filter(|line| !line.starts_with('#')) {
        if line.ends_with(".pml") {
            let path = testing::golden("promela").join(line);
            loaded = Some(load(&std::fs::read_to_string(path).expect("a golden model")));
        } else {
            compare(loaded.as_ref().expect("a model first"), line);
        }
    }
}

#[test]
fn claims_take_numbers_where_they_stand_and_formulas_at_the_end() {
    let text = "byte x;\n\
        never N { do :: x == 1 -> break :: else od; accept: x == 2 -> goto accept }\n\
        active proctype P() { x = 1; x = 2; x = 2; assert(x == 3) }\n\
        ltl f { <> (x == 7) }\n\
        never M { x == 3; true }\n\
        active proctype R() {\n\
          if :: skip -> goto L :: x == 2 -> x = 2 fi;\n\
          L: skip; L1: goto L2; x = 1; L2: skip }\n\
        active proctype Q() { x == 0; R@L1 && x==0; x == 0 }";
    let loaded = load(text);
    compare(&loaded, "P 1>2:9 2>3:10 3>4:11 4>5:12 5>0:13");
    compare(&loaded, "R 5>7:17 5>4:19 7>8:23 8>10:24 10>11:26 11>0:27 4>7:20");
    // The jump that gives way to a `skip` takes 29.
    // Where a claim is over it stays.
    assert_eq!(transitions(&loaded, "never claim N"), set("4>7:0 4>4:2 7>7:6"));
    assert_eq!(transitions(&loaded, "never claim M"), set("1>2:14 2>3:15"));
    compare(&loaded, "Q 1>2:28 2>3:30 3>4:31 4>0:32");
}
