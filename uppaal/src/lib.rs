//! The UPPAAL front end: models in `.xml`, `.xta` and `.ta`, queries in `.q`.
//!
//! This crate never searches: it turns text into a syntax tree, checks it and lowers it.

pub mod ast;
