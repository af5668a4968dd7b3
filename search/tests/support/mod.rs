//! What several tests share.

pub mod promises;
