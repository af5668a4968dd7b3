//! What several tests share.

pub mod comparisons;
pub mod promises;
