//! Abstractions of networks: what can happen if parts of the model are left out.
//!
//! [`project`] drops the parts that a [`Pattern`] does not keep. Every step of the model is one of the
//! result, so distances there never exceed those of the model (docs/algorithms.md, section 3.11). [`prepare`] makes
//! a network say as much as it can beforehand.

mod errors;
mod pattern;
mod prepare;
mod project;
mod sight;
mod slice;
mod stuck;

pub use pattern::{Contents, Part, Pattern, parts};
pub use prepare::prepare;
pub use project::{Projection, project, project_every_step};
