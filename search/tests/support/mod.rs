//! What several tests share.

// Each test file uses another part of this.
#![allow(dead_code)]

pub mod answer;
pub mod case;
pub mod comparisons;
pub mod load;
pub mod promises;
pub mod worked;
