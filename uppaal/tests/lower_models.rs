//! Every real model loads, or is refused for a construct that we name.

use std::path::Path;
use uppaal::{Input, Loaded, load};

fn load_file(path: &Path) -> Loaded {
    let bytes = std::fs::read(path).unwrap();
    let queries = path.with_extension("q");
    let query_bytes = std::fs::read(&queries).ok();
    let query_path = queries.display().to_string();
    load(&Input {
        path: &path.display().to_string(),
        bytes: &bytes,
        query_file: query_bytes.as_deref().map(|bytes| (query_path.as_str(), bytes)),
        queries: &[],
    })
}

testing::test_with_models_of_others!(real_models_load);

fn real_models_load() {
    let folder = testing::models_of_others("timed");
    let mut list = testing::files_below(&folder, &["xml", "xta", "ta"]);
    assert!(!list.is_empty(), "there are no models");
    let mut refused = Vec::new();
    // This one is broken: it has a stray `=` between two locations.
    list.retain(|path| !path.ends_with("critical-2-25-50.xta"));
    for path in &list {
        let start = std::time::Instant::now();
        let loaded = load_file(path);
        let errors: Vec<_> = loaded.all_diagnostics().filter(|it| it.is_error()).collect();
        assert!(loaded.network.is_some() || !errors.is_empty());
        let name = path.strip_prefix(&folder).unwrap().display().to_string();
        if let Some(network) = &loaded.network {
            assert_eq!(network::verify(network), [], "{name}");
            let edges: usize = network.processes.iter().map(|p| p.edges.len()).sum();
            println!(
                "{name}: {} processes, {edges} edges, {} functions, {} properties, {} warnings, {:?}",
                network.processes.len(),
                network.functions.len(),
                network.properties.len(),
                loaded.diagnostics.len(),
                start.elapsed(),
            );
        }
        for error in errors {
            let place = error.place.as_ref().map_or((0, 0), |p| (p.line, p.column));
            println!("{name}:{}:{}: {}", place.0, place.1, error.message);
            if !error.message.starts_with("not supported") {
                refused.push(format!("{name}:{}:{}: {}", place.0, place.1, error.message));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
