//! The claims of the golden models: violated where the header says that Spin reports an error.

use explore::{Abstraction, Explorer};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/promela");
    let entries = std::fs::read_dir(folder).expect("the folder of golden models");
    let mut list: Vec<_> = entries.filter_map(|entry| entry.ok().map(|it| it.path())).collect();
    list.sort();
    list
}

/// The names behind a word at the beginning of a line of the header.
fn names(path: &Path, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let header = text.lines().map_while(|line| line.strip_prefix("// "));
    let line = header.filter_map(|line| line.strip_prefix(word)).next();
    line.unwrap_or_default().split_whitespace().map(str::to_string).collect()
}

/// The network for one claim, whose property is the only one.
fn load(path: &Path, claim: &str) -> network::Network {
    let bytes = std::fs::read(path).expect("a golden model");
    let name = path.display().to_string();
    let mut read = |_: &str| Err("no includes here".to_string());
    let loaded = promela::load(promela::Input {
        path: &name,
        bytes: &bytes,
        defines: &[],
        queries: &[],
        options: promela::Options { claim: Some(claim.to_string()), ..Default::default() },
        read_include: &mut read,
    });
    let network = loaded.network.unwrap_or_else(|| panic!("{name}: {:?}", loaded.diagnostics));
    assert_eq!(network.properties.len(), 1, "{claim}");
    network
}

fn property(network: &network::Network) -> &network::Property {
    network.properties.iter().next().expect("a property")
}

/// Whether a search for the property ends with a trace.
fn is_refuted(network: &network::Network) -> bool {
    let explorer = Explorer::compile(network.clone(), Some(property(network)), Abstraction::None);
    let explorer = explorer.expect("compiles");
    let configuration = search::Configuration::from(search::Order::BreadthFirst);
    let limits = search::Limits::default();
    let (outcome, _) = search::run(&explorer, &configuration, &limits, &mut search::Unlimited);
    assert!(!matches!(outcome, search::Outcome::Unknown(_)), "{outcome:?}");
    matches!(outcome, search::Outcome::Reached { .. })
}

#[test]
fn claims_are_violated_where_spin_reports_an_error() {
    let mut compared = 0;
    for path in models() {
        for (word, wanted) in [("violated: ", true), ("satisfied: ", false)] {
            for name in names(&path, word) {
                let network = load(&path, &name);
                assert!(wanted || property(&network).beyond.is_none(), "{name} stays open");
                assert_eq!(is_refuted(&network), wanted, "{}: {name}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_needs_acceptance_cycles_stays_open() {
    let mut compared = 0;
    for path in models() {
        for name in names(&path, "cycles: ") {
            let network = load(&path, &name);
            let property = property(&network);
            let refused = matches!(property.claim, network::Claim::Unsupported(_));
            let open = refused || (property.beyond.is_some() && !is_refuted(&network));
            assert!(open, "{}: {name}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared}");
}
