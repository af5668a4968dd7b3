//! The claims of the golden models: violated where the header says that Spin reports an error.

mod loading;

use std::path::Path;
use testing::golden_models;
use vizsla::{Input, Model, Promela, Property, PropertyId};

/// The names after a word at the beginning of a line of the header.
fn names(path: &Path, word: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let header = text.lines().map_while(|line| line.strip_prefix("// "));
    let line = header.filter_map(|line| line.strip_prefix(word)).next();
    line.unwrap_or_default().split_whitespace().map(str::to_string).collect()
}

/// The model for one claim, whose property is the only one.
fn load(path: &Path, claim: &str) -> Model {
    let promela = Promela { claim: Some(claim.to_string()), ..Promela::default() };
    let model = Model::load(Input { promela, ..Input::file(path) });
    let model = model.unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(model.properties().count(), 1, "{claim}");
    model
}

fn property(model: &Model) -> &Property {
    &model.network.properties[PropertyId(0)]
}

/// Whether a search for the property ends with a trace.
fn is_refuted(model: &Model) -> bool {
    loading::answer(model).witness.is_some()
}

#[test]
fn claims_are_violated_where_spin_reports_an_error() {
    let mut compared = 0;
    for path in golden_models("promela", &["pml"]) {
        for (word, wanted) in [("violated: ", true), ("satisfied: ", false)] {
            for name in names(&path, word) {
                let model = load(&path, &name);
                assert!(wanted || property(&model).beyond.is_none(), "{name} stays open");
                assert_eq!(is_refuted(&model), wanted, "{}: {name}", path.display());
                compared += 1;
            }
        }
    }
    assert!(compared > 40, "{compared}");
}

#[test]
fn what_needs_acceptance_cycles_stays_open() {
    let mut compared = 0;
    for path in golden_models("promela", &["pml"]) {
        for name in names(&path, "cycles: ") {
            let model = load(&path, &name);
            let property = property(&model);
            let refused = matches!(property.claim, network::Claim::Unsupported(_));
            let open = refused || (property.beyond.is_some() && !is_refuted(&model));
            assert!(open, "{}: {name}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 4, "{compared}");
}
