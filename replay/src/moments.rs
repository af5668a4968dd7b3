//! Sets of delays from now on, exactly.
//!
//! Every constraint changes its truth only at whole ticks. So the delays fall into classes:
//! class 2k is the delay of exactly k ticks, class 2k + 1 all delays strictly between k and k + 1.
//! A conjunction of constraints holds for an interval of classes.

use network::Relation;

/// The delays from class `first` to class `last`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Moments {
    pub first: i128,
    pub last: i128,
}

impl Moments {
    pub const ALL: Moments = Moments { first: 0, last: i128::MAX };
    pub const NONE: Moments = Moments { first: 0, last: -1 };
    pub const NOW: Moments = Moments { first: 0, last: 0 };

    /// The delays t with `t relation ticks`.
    pub fn compared(relation: Relation, ticks: i128) -> Moments {
        let class = 2 * ticks;
        let (first, last) = match relation {
            Relation::Lt => (0, class - 1),
            Relation::Le => (0, class),
            Relation::Eq => (class, class),
            Relation::Ge => (class, i128::MAX),
            Relation::Gt => (class + 1, i128::MAX),
        };
        Moments { first: first.max(0), last }
    }
    /// The delays below a number of ticks.
    pub fn before(ticks: i128) -> Moments {
        Moments::compared(Relation::Lt, ticks)
    }
    pub fn and(self, other: Moments) -> Moments {
        Moments { first: self.first.max(other.first), last: self.last.min(other.last) }
    }
    pub fn is_empty(self) -> bool {
        self.first > self.last
    }
    pub fn contains(self, class: i128) -> bool {
        self.first <= class && class <= self.last
    }
    /// The whole ticks of the first class, rounded down.
    pub fn first_ticks(self) -> i128 {
        self.first / 2
    }
}
