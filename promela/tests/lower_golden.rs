//! The golden models: as many states stored, and as many states and transitions per proctype, as
//! the header of each says that Spin printed.

mod loading;

use promela::trail::TransitionNumbers;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use vizsla::{Input, Model, Promela};

fn models() -> Vec<PathBuf> {
    testing::golden_models("promela", &["pml"])
}

fn load(path: &Path, promela: Promela) -> Model {
    let model = Model::load(Input { promela, ..Input::file(path) });
    model.unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// What stands after a word in the header.
fn header(path: &Path, word: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let mut found = lines.filter_map(|line| line.split_once(word));
    found.next().map(|(_, rest)| rest.trim().to_string())
}

#[test]
fn as_many_states_as_spin_stores() {
    for path in models() {
        let unchecked = Promela { asserts: false, deadlock: false, ..Promela::default() };
        let stored = loading::stored(&load(&path, unchecked)).expect("no run-time error");
        let wanted = header(&path, "stored:").expect("a header");
        assert_eq!(stored.to_string(), wanted, "{}", path.display());
    }
}

#[test]
fn as_many_control_states_and_transitions_as_spin_has() {
    for path in models() {
        let bytes = std::fs::read(&path).expect("a golden model");
        let loaded = loading::load(bytes, promela::Options::default());
        let network = loaded.network.expect("a network");
        let mut flow = BTreeMap::new();
        for (process, numbers) in network.processes.iter().zip(&loaded.numbering.processes) {
            // A transition with several cases is several edges.
            let transition = |it: &TransitionNumbers| (it.id, it.source, it.target);
            let transitions: HashSet<_> =
                numbers.transitions.iter().flatten().map(transition).collect();
            let counts = format!("{} {}", process.locations.len() - 1, transitions.len());
            if !process.observes {
                flow.insert(process.template.clone(), counts);
            }
        }
        let flow: Vec<_> = flow.iter().map(|(name, counts)| format!("{name} {counts}")).collect();
        let wanted = header(&path, "flow:").expect("a header");
        assert_eq!(flow.join("; "), wanted, "{}", path.display());
    }
}

#[test]
fn errors_where_spin_finds_some() {
    for path in models() {
        let answer = loading::answer(&load(&path, Promela::default()));
        let wanted = header(&path, "errors:").expect("a header") != "0";
        assert_eq!(answer.witness.is_some(), wanted, "{}: {:?}", path.display(), answer.reason);
    }
}
