//! Canonical difference bound matrices, the zones of timed automata.
//!
//! A zone of dimension `dim` (clock 0 is the constant zero) is a row-major slice of `dim * dim`
//! words; word `i * dim + j` is the encoded [`bound`] on `x_i - x_j`. Unless it says otherwise an
//! operation takes a non-empty canonical zone and leaves a canonical one. One that may empty the
//! zone returns whether anything is left; it then marks the zone so that [`is_empty`] sees it,
//! and nothing else about the words is promised. No operation of the hot path allocates.

mod alu;
mod assign;
pub mod bound;
mod close;
pub mod compact;
mod delay;
mod describe;
mod extrapolate;
mod point;
mod relax;
mod subtract;
mod zone;

pub use alu::included_in_alu;
pub use assign::{copy, free, reset};
pub use close::{
    clearly_disjoint, close, close_touched, constrain, constrain_above, disjoint, intersect,
};
pub use delay::{down, up, up_with_stopped};
pub use describe::describe;
pub use extrapolate::{extrapolate_lu_plus, extrapolate_m_plus};
pub use point::{Point, contains_point, point};
pub use subtract::{covered_by_union, subtract};
pub use zone::{includes, is_empty, universe, zero};

/// A clock without lower or upper comparison, in the `lower` and `upper` arguments.
///
/// Clocks are never negative, so every negative value means the same.
pub const NO_BOUND: i32 = i32::MIN;
