//! Models with bytes changed: loading never panics or takes long, and what it accepts is well
//! formed. The golden models, and those of others where they are at hand.
//!
//! The seed is fixed and printed on failure; set `FUZZ_SEED` and `FUZZ_ROUNDS` to search further.

mod loading;

use std::time::Duration;
use testing::{Busy, Numbers, files_below, golden_models, models_of_others, setting};

fn models() -> Vec<Vec<u8>> {
    let mut found = golden_models("promela", &["pml"]);
    let others = models_of_others("promela");
    if others.exists() {
        found.extend(files_below(&others, &["pml", "pm"]));
    }
    let short = |bytes: &Vec<u8>| bytes.len() < 20_000;
    found.iter().filter_map(|it| std::fs::read(it).ok()).filter(short).collect()
}

/// Characters that have a meaning, so that many a changed model is still one.
const BYTES: &[u8] = b"0123456789(){}[];:,.<>=!?&|+-*/%~^@_#\"'\\ \nabcpqxy";

fn mutate(bytes: &mut Vec<u8>, other: &[u8], random: &mut Numbers) {
    let at = random.below(bytes.len());
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(8) {
        0..=2 if at < bytes.len() => bytes[at] = BYTES[random.below(BYTES.len())],
        3 => bytes.insert(at, BYTES[random.below(BYTES.len())]),
        4 => drop(bytes.drain(at..end)),
        5 => {
            let copy = bytes[at..end].to_vec();
            let to = random.below(bytes.len());
            bytes.splice(to..to, copy);
        }
        6 => {
            let from = random.below(other.len());
            let to = (from + random.below(60)).min(other.len());
            bytes.splice(at..at, other[from..to].iter().copied());
        }
        _ => {
            // A line goes somewhere else: declarations missing, statements out of place.
            let lines: Vec<_> = bytes.split_inclusive(|&it| it == b'\n').collect();
            let mut lines: Vec<Vec<u8>> = lines.into_iter().map(<[u8]>::to_vec).collect();
            let line = lines.remove(random.below(lines.len()));
            lines.insert(random.below(lines.len() + 1), line);
            *bytes = lines.concat();
        }
    }
}

/// Whether it was accepted.
fn load(bytes: &[u8]) -> bool {
    let busy = Busy::start();
    let loaded = loading::load(bytes, promela::Options::default());
    assert!(busy.elapsed() < Duration::from_secs(60), "took {:?}", busy.elapsed());
    let refused = loaded.diagnostics.iter().any(|it| it.is_error());
    assert_eq!(loaded.network.is_none(), refused, "{:?}", loaded.diagnostics);
    loaded.network.map(|network| assert_eq!(network::verify(&network), [])).is_some()
}

#[test]
fn changed_models_never_panic() {
    let models = models();
    let (first, rounds) = (setting("FUZZ_SEED", 1), setting("FUZZ_ROUNDS", 4000));
    let mut accepted = 0;
    for seed in first..first + rounds {
        let mut random = Numbers::new(seed);
        let mut bytes = models[random.below(models.len())].clone();
        let other = &models[random.below(models.len())];
        for _ in 0..1 + random.below(4) {
            mutate(&mut bytes, other, &mut random);
        }
        match std::panic::catch_unwind(|| load(&bytes)) {
            Ok(fine) => accepted += usize::from(fine),
            Err(_) => panic!("seed {seed}\n{}", String::from_utf8_lossy(&bytes)),
        }
    }
    println!("{rounds} models, {accepted} accepted");
    assert!(accepted > 0, "no model survived the changes");
}
