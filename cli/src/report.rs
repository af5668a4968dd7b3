//! What the user is told, in words and as JSON.

pub mod json;
pub mod text;
