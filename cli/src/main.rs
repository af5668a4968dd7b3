//! The `vizsla` command.
fn main() {}
