//! What the user is told, in words and as JSON.

pub mod finding;
pub mod json;
mod state;
pub mod text;
mod trace;
