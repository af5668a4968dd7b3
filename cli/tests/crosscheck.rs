//! A short run of the cross-check: random texts of both languages through the whole command, with
//! searches, heuristics, abstractions and flags of all kinds. `crosscheck` in `bench` does the same for
//! hours.

use bench::crosscheck::{Options, Session, Vizsla};

#[test]
fn answers_about_random_texts_fit_together() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let vizsla = Vizsla::new(env!("CARGO_BIN_EXE_vizsla"), folder.path());
    let options = Options { all: false, shrink: true, language: None };
    let mut session = Session::new(vizsla, options);
    for seed in 0..60 {
        let findings = session.seed(seed).expect("a run");
        assert!(findings.is_empty(), "{}", findings.join("\n"));
    }
    let tally = &session.tally;
    println!("{tally}");
    for (kind, least) in [("oracle: goal", 100), ("proven lengths", 50), ("verdicts", 500)] {
        assert!(tally.compared.get(kind).is_some_and(|count| *count >= least), "{kind}: {tally}");
    }
    assert!(tally.combinations.len() > 80, "{tally}");
}
