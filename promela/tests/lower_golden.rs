//! The golden models: as many states stored, and as many states and transitions per proctype, as
//! the header of each says that Spin printed.

use explore::{Abstraction, Explorer};
use promela::trail::TransitionNumbers;
use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};
use vizsla::{Model, Options, PropertyId, check};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/promela");
    let mut list: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of golden models")
        .filter_map(|entry| entry.ok().map(|it| it.path()))
        .filter(|path| path.extension().is_some_and(|it| it == "pml"))
        .collect();
    list.sort();
    assert!(!list.is_empty());
    list
}

fn load(path: &Path, asserts: bool) -> promela::Loaded {
    let bytes = std::fs::read(path).expect("a golden model");
    let name = path.display().to_string();
    let mut read = |_: &str| Err("no includes here".to_string());
    promela::load(promela::Input {
        path: &name,
        bytes: &bytes,
        defines: &[],
        queries: &[],
        options: promela::Options { asserts, ..Default::default() },
        read_include: &mut read,
    })
}

fn load_network(path: &Path, asserts: bool) -> network::Network {
    let loaded = load(path, asserts);
    loaded.network.unwrap_or_else(|| panic!("{}: {:?}", path.display(), loaded.diagnostics))
}

/// What stands after a word in the header.
fn header(path: &Path, word: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let mut found = lines.filter_map(|line| line.split_once(word));
    found.next().map(|(_, rest)| rest.trim().to_string())
}

/// The reachable states in which no process is in the middle of an atomic sequence.
fn stored(network: &network::Network) -> usize {
    let explorer = Explorer::compile(network.clone(), None, Abstraction::None).expect("compiles");
    let mut ws = explorer.workspace();
    let mut open: Vec<Vec<i32>> = vec![];
    explorer.initial(&mut ws, &mut |state, _| open.push(state.to_vec())).expect("starts");
    let mut seen: HashSet<Vec<i32>> = open.iter().cloned().collect();
    let mut stored = 0;
    while let Some(state) = open.pop() {
        stored += usize::from(!explorer.is_transient(&state));
        let mut visit = |next: &[i32], _: explore::Step| {
            if seen.insert(next.to_vec()) {
                open.push(next.to_vec());
            }
        };
        explorer.successors(&mut ws, &state, &mut visit).expect("no run-time error");
    }
    stored
}

#[test]
fn as_many_states_as_spin_stores() {
    for path in models() {
        let wanted = header(&path, "stored:").expect("a header");
        assert_eq!(stored(&load_network(&path, false)).to_string(), wanted, "{}", path.display());
    }
}

#[test]
fn as_many_control_states_and_transitions_as_spin_has() {
    for path in models() {
        let loaded = load(&path, true);
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
        let model = Model::load(path.as_path()).unwrap_or_else(|refusal| panic!("{refusal}"));
        let options = Options { plain: true, ..Options::searching("bfs").expect("a search") };
        let answer = check(&model, PropertyId(0), &options, &mut ());
        assert_eq!(answer.defect, None, "{}", path.display());
        let wanted = header(&path, "errors:").expect("a header") != "0";
        assert_eq!(answer.witness.is_some(), wanted, "{}: {:?}", path.display(), answer.reason);
    }
}
