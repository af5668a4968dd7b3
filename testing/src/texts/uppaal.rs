//! Random UPPAAL models: small, mostly valid, and broad in what they use of the language.

mod declarations;
mod expressions;
mod generate;
mod model;
mod print;
mod queries;
mod scope;
mod shrink;
mod templates;
mod xml;

pub use generate::generate;
pub use model::Model;
