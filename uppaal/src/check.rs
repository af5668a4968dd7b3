//! What the checker knows about a model: types, scopes, constants and the messages so far.
//!
//! Checking happens while lowering (`crate::lower`); this module holds the parts that lower nothing.

pub(crate) mod constants;
pub(crate) mod fold;
pub(crate) mod report;
pub(crate) mod scope;
pub(crate) mod types;
pub(crate) mod walk;
