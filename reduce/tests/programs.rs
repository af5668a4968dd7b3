//! Promela models: the verdicts that their headers record, and no more states than Spin's default
//! verifiers store, for models of others where that folder is.

use std::path::Path;
use vizsla::{Answer, Input, Model, Options, Promela, PropertyId, Verdict, check};

fn ask(path: &Path, promela: Promela, search: &str, plain: bool) -> Answer {
    let model = Model::load(Input { promela, ..Input::file(path) });
    let model = model.unwrap_or_else(|refusal| panic!("{refusal}"));
    let options = Options { plain, ..Options::searching(search).expect("a search") };
    let answer = check(&model, PropertyId(0), &options, &mut ());
    assert_eq!(answer.defect, None, "{}", path.display());
    answer
}

fn has_errors(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a golden model");
    let line = text.lines().find_map(|line| line.split_once("errors:"));
    line.unwrap_or_else(|| panic!("{}: no header", path.display())).1.trim() != "0"
}

/// Breadth-first search does not merge steps, depth-first search does.
#[test]
fn golden_models_keep_their_verdicts() {
    for path in testing::golden_models("promela", &["pml"]) {
        for search in ["bfs", "dfs"] {
            let answer = ask(&path, Promela::default(), search, false);
            let found = answer.witness.is_some();
            assert_eq!(found, has_errors(&path), "{}, {search}", path.display());
        }
    }
}

/// Choices leave room for the computation after them: there are no more states than the header says that
/// Spin stores.
#[test]
fn choices_leave_room_for_the_computation_after_them() {
    let mut models = testing::golden_models("promela", &["pml"]).into_iter();
    let path = models.find(|path| path.ends_with("choices_and_sums.pml")).expect("the model");
    let answer = ask(&path, Promela::default(), "dfs", false);
    assert!(answer.statistics.stored <= 512, "{}", answer.statistics.stored);
}

/// The states of a full search that looks for nothing.
fn stored(path: &Path, plain: bool) -> u64 {
    let unchecked = Promela { deadlock: false, asserts: false, ..Promela::default() };
    let answer = ask(path, unchecked, "dfs", plain);
    assert_eq!(answer.verdict, Verdict::Satisfied, "{}", path.display());
    answer.statistics.stored
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
        let reduced = stored(&path, false);
        assert!(reduced <= spin, "{name}: {reduced} of {spin}");
        if plain < 100_000 {
            assert_eq!(stored(&path, true), plain, "{name}");
        }
    }
}

testing::test_with_models_of_others!(models_of_others_have_no_more_states_than_spin_stores);
