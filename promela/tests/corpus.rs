//! Real models by others: all of them parse, unless they embed C.

use std::path::Path;
use testing::{files_below, models_of_others};

fn parse(path: &Path) -> promela::Parsed {
    let bytes = std::fs::read(path).expect("a listed file can be read");
    let mut read = |name: &str| std::fs::read(name).map_err(|error| error.to_string());
    promela::parse(&path.to_string_lossy(), &bytes, &[], &mut read)
}

testing::test_with_models_of_others!(all_models_parse);

fn all_models_parse() {
    let mut failures = vec![];
    let models = files_below(&models_of_others("promela"), &["pml", "pm", "p", "prm"]);
    assert!(!models.is_empty(), "there are no models");
    for path in models {
        let parsed = parse(&path);
        let Some(first) = parsed.diagnostics.iter().find(|it| it.is_error()) else {
            continue;
        };
        let place = parsed.sources.resolve(first.span);
        let line = place.map_or(0, |place| place.line);
        failures.push(format!("{}:{line}: {}", path.display(), first.message));
    }
    assert!(failures.is_empty(), "{} fail:\n{}", failures.len(), failures.join("\n"));
}
