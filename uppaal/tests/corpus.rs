//! Models written by others must parse; they are read where they lie.

use std::path::PathBuf;
use uppaal::ast::QueryKind;

fn corpus(extensions: &[&str]) -> Vec<PathBuf> {
    let list = testing::files_below(&testing::models_of_others("timed"), extensions);
    assert!(!list.is_empty(), "there are no files {extensions:?}");
    list
}

testing::test_with_models_of_others!(every_model_parses, every_query_file_parses);

fn every_model_parses() {
    let mut broken = vec![];
    for path in corpus(&["xml", "xta", "ta"]) {
        // Published with a stray `=` in line 42.
        if path.ends_with("critical-2-25-50.xta") {
            continue;
        }
        let name = path.display().to_string();
        let parsed = uppaal::parse(&name, &std::fs::read(&path).unwrap());
        for it in parsed.diagnostics.iter().filter(|it| it.is_error()) {
            let shown = parsed.sources.diagnostic(it);
            let place = shown.place.map(|it| (it.path, it.line, it.column, it.source_line));
            broken.push(format!("{place:?}: {} {:?}", shown.message, shown.hint));
        }
        assert!(!parsed.model.templates.is_empty(), "{name} has no templates");
        assert!(!parsed.model.system.processes.is_empty(), "{name} has no system");
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

fn every_query_file_parses() {
    for path in corpus(&["q"]) {
        let name = path.display().to_string();
        let mut sources = source::SourceMap::default();
        let bytes = std::fs::read(&path).unwrap();
        let (queries, diagnostics) = uppaal::parse_queries(&name, &bytes, &mut sources);
        assert!(diagnostics.is_empty(), "{name}: {diagnostics:?}");
        let wrong = queries.iter().find(|it| matches!(it.kind, QueryKind::Mistaken(_)));
        assert_eq!(wrong, None, "{name}");
        assert!(!queries.is_empty(), "{name} has no queries");
    }
}
