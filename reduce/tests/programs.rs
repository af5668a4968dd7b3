//! Promela models: the verdicts that their headers record, and no more states than Spin's default
//! verifiers store, for models of others where that folder is.

mod support;

use network::{Network, PropertyId};
use reduce::Passes;
use search::Order;
use std::path::Path;
use support::{Answer, BOTH, CLEAR, MERGE, NOTHING, search, search_within};

fn load(path: &Path, options: promela::Options) -> Network {
    let bytes = std::fs::read(path).expect("a model");
    let name = path.display().to_string();
    let mut read = |_: &str| Err("no includes here".to_string());
    let loaded = promela::load(promela::Input {
        path: &name,
        bytes: &bytes,
        defines: &[],
        queries: &[],
        options,
        read_include: &mut read,
    });
    loaded.network.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics))
}

fn has_errors(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let line = text.lines().find_map(|line| line.split_once("errors:"));
    line.unwrap_or_else(|| panic!("{}: no header", path.display())).1.trim() != "0"
}

#[test]
fn golden_models_keep_their_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/promela");
    let files = std::fs::read_dir(folder).expect("golden models").flatten().map(|it| it.path());
    let mut models = 0;
    for path in files.filter(|path| path.extension().is_some_and(|it| it == "pml")) {
        let network = load(&path, promela::Options::default());
        let property = &network.properties[PropertyId(0)];
        for passes in [CLEAR, MERGE, BOTH] {
            let found = search(&network, property, passes, Order::DepthFirst);
            assert_eq!(
                found.answer.is_found(),
                has_errors(&path),
                "{}, {passes:?}: {found:?}",
                path.display()
            );
        }
        models += 1;
    }
    assert!(models > 10);
}

/// The states of a full search that looks for nothing.
fn stored(path: &Path, passes: Passes) -> u64 {
    let options = promela::Options { deadlock: false, asserts: false, ..Default::default() };
    let network = load(path, options);
    let property = &network.properties[PropertyId(0)];
    let found = search_within(1_000_000, &network, property, passes, Order::DepthFirst);
    assert_eq!(found.answer, Answer::Unreachable, "{}", path.display());
    found.stored
}

/// `spin -a m.pml; gcc -O2 -DSAFETY -DNOREDUCE pan.c; ./pan -m1000000 -c0 -n -E -A` stores so many
/// states; with `spin -o1 -o2 -o3` so many.
fn models_of_others_have_no_more_states_than_spin_stores() {
    let folder = testing::models_of_others("promela");
    let models = [
        ("spin-examples/loops.pml", 15, 17),
        ("spin-examples/eratosthenes.pml", 25_295, 47_669),
        ("spin-examples/leader0.pml", 15_779, 41_692),
        ("spin-examples/snoopy.pml", 61_619, 91_920),
        ("spin-examples/sort.pml", 107_713, 659_683),
    ];
    for (name, spin, plain) in models {
        let path = folder.join(name);
        let reduced = stored(&path, BOTH);
        assert!(reduced <= spin, "{name}: {reduced} of {spin}");
        if plain < 100_000 {
            assert_eq!(stored(&path, NOTHING), plain, "{name}");
        }
    }
}

testing::test_with_models_of_others!(models_of_others_have_no_more_states_than_spin_stores);
