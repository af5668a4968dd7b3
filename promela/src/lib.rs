//! Promela: from text to a network.

pub mod ast;
