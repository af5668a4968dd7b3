//! Finds out whether the models of others are here: tests that need them are ignored if they are not.

use std::path::Path;

/// Where they are, if not beside the project.
const ELSEWHERE: &str = "MODELS_OF_OTHERS";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed={ELSEWHERE}");
    println!("cargo::rustc-check-cfg=cfg(models_of_others)");
    let beside = || format!("{}/../../shared/models", env!("CARGO_MANIFEST_DIR"));
    let folder = std::env::var(ELSEWHERE).unwrap_or_else(|_| beside());
    println!("cargo::rustc-env={ELSEWHERE}={folder}");
    if Path::new(&folder).is_dir() {
        println!("cargo::rustc-cfg=models_of_others");
    }
}
