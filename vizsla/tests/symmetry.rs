//! Searches that take states for one which differ only in the order of what is interchangeable, against those that do
//! not: random models whose processes are interchangeable, or would be but for a line. The same verdicts, the same
//! lengths where they are proven, every trace confirmed by `replay`.
//!
//! `SYMMETRIC=20000 cargo test -p vizsla --test symmetry` looks at more of them.

use network::Property;
use testing::symmetric::{self, Symmetric};
use testing::{Numbers, setting};
use vizsla::{Answer, Input, Limits, Model, Options, Symmetry, Verdict, check};

/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;

const WAYS: [Symmetry; 5] =
    [Symmetry::Full, Symmetry::Segmented, Symmetry::Sorted, Symmetry::Rotations, Symmetry::Auto];

/// What was seen.
#[derive(Default, Debug)]
struct Tally {
    models: u64,
    symmetric: u64,
    answers: u64,
    plain: u64,
    full: u64,
}

fn options(search: &str, symmetry: Symmetry) -> Options {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    Options { symmetry, limits, ..Options::searching(search).expect("a search") }
}

fn length(answer: &Answer) -> Option<usize> {
    answer.witness.as_ref().map(|it| it.trace.steps.len())
}

fn load(seed: u64) -> Option<(Model, String)> {
    let mut numbers = Numbers::new(seed);
    let (name, Symmetric { text, queries }) = match seed % 3 {
        0 => ("m.pml", symmetric::promela(&mut numbers)),
        1 => ("m.xta", symmetric::uppaal(&mut numbers, false)),
        _ => ("m.xta", symmetric::uppaal(&mut numbers, true)),
    };
    let mut input = Input::text(name, text.clone());
    for query in queries {
        input = input.query(query);
    }
    match Model::load(input) {
        Ok(model) => Some((model, text)),
        Err(refusal) => panic!("seed {seed}: {refusal}\n{text}"),
    }
}

fn compare(
    model: &Model,
    property: &Property,
    id: network::PropertyId,
    seed: u64,
    tally: &mut Tally,
) {
    let ask = |search: &str, way| check(model, id, &options(search, way), &mut ());
    let plain = ask("bfs", Symmetry::None);
    if plain.verdict == Verdict::Unknown && plain.error.is_none() {
        return;
    }
    assert_eq!(plain.defect, None, "seed {seed}");
    let classes = model.symmetry(property).classes;
    tally.symmetric += u64::from(!classes.is_empty());
    let mut full = None;
    for way in WAYS {
        let found = ask("bfs", way);
        let about = format!("seed {seed}, {}, {way:?}", property.text);
        assert_eq!(found.defect, None, "{about}");
        assert_eq!(found.verdict, plain.verdict, "{about}");
        assert_eq!(length(&found), length(&plain), "{about}");
        assert_eq!(found.shortest, plain.shortest, "{about}");
        tally.answers += 1;
        let stored = found.statistics.stored;
        if way == Symmetry::Full && plain.statistics.complete {
            tally.plain += plain.statistics.stored;
            tally.full += stored;
            full = Some(stored);
        }
        // Both give one representative to all states that are alike; but zones may cover others in one order only.
        if way == Symmetry::Segmented && model.network.clocks.is_empty() {
            assert_eq!(full.unwrap_or(stored), stored, "{about}");
        }
    }
    for search in ["dfs", "greedy", "astar"] {
        let found = ask(search, Symmetry::Full);
        let about = format!("seed {seed}, {}, {search}", property.text);
        assert_eq!(found.defect, None, "{about}");
        // Estimates may tell that there is nothing where a search comes upon an error first.
        if found.verdict != Verdict::Unknown && plain.error.is_none() {
            assert_eq!(found.verdict, plain.verdict, "{about}");
        }
        if found.shortest && plain.shortest {
            assert_eq!(length(&found), length(&plain), "{about}");
        }
        tally.answers += 1;
    }
}

#[test]
fn what_is_interchangeable_makes_no_difference() {
    let mut tally = Tally::default();
    for seed in 0..setting("SYMMETRIC", 300) {
        let Some((model, text)) = load(seed) else { continue };
        tally.models += 1;
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for (id, property) in model.network.properties.enumerate() {
                compare(&model, property, id, seed, &mut tally);
            }
        }));
        if let Err(cause) = outcome {
            eprintln!("{text}");
            std::panic::resume_unwind(cause);
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.symmetric * 3 > tally.models, "{tally:?}");
}
