//! Models and what the library says about them.

// Each test file uses another part of this.
#![allow(dead_code)]

use vizsla::{Answer, Model, Options, PropertyId, Verdict};

/// What the front end makes of a model that includes nothing.
pub fn load(text: impl AsRef<[u8]>, options: promela::Options) -> promela::Loaded {
    promela::load(promela::Input {
        path: "m.pml",
        bytes: text.as_ref(),
        defines: &[],
        queries: &[],
        options,
        read_include: &mut |_| Err("no includes here".to_string()),
    })
}

/// The answer of breadth-first search to the first property, without reductions.
pub fn answer(model: &Model) -> Answer {
    answer_by("bfs", model)
}

/// The states that are stored, where no error ends the search; depth-first search meets errors soon.
pub fn stored(model: &Model) -> Option<u64> {
    let answer = answer_by("dfs", model);
    (answer.verdict == Verdict::Satisfied).then_some(answer.statistics.stored)
}

fn answer_by(search: &str, model: &Model) -> Answer {
    let options = Options { plain: true, ..Options::searching(search).expect("a search") };
    let answer = vizsla::check(model, PropertyId(0), &options, &mut ());
    assert_eq!(answer.defect, None, "{}", model.path);
    answer
}
