//! Zones packed for storage and compared where they lie.
//!
//! Clocks that are compared with nothing any more are left out, where all constants are small a
//! bound takes two bytes, and equal zones are stored once. Zones of one discrete state have the
//! same clocks and the same L and U: its [`Frame`], which is computed when the state comes up.

use crate::shared_blocks::{BlockId, SharedBlocks};
use explore::{Abstraction, Explorer};
use zones::{NO_BOUND, bound, compact};

/// The number of a stored zone.
pub type ZoneRef = BlockId;

/// The clocks of a discrete state that are worth keeping, and their bounds.
#[derive(Debug, Default)]
struct Frame {
    /// L and U of all clocks.
    lower: Vec<i32>,
    upper: Vec<i32>,
    /// The clocks worth keeping, the constant 0 first.
    keep: Vec<usize>,
    /// Their L and U for compact zones.
    compact: compact::Bounds,
    /// Their L and U for wide ones.
    kept_lower: Vec<i32>,
    kept_upper: Vec<i32>,
}

/// A stored zone over the clocks that are worth keeping in its discrete state.
#[derive(Clone, Copy, Debug)]
pub enum StoredZone<'a> {
    /// In two bytes per bound, as in [`compact`].
    Compact(&'a [i16]),
    /// In four.
    Wide(&'a [i32]),
}

impl StoredZone<'_> {
    /// Whether every point of another zone over the same clocks lies in it.
    pub fn includes(self, inner: StoredZone) -> bool {
        match (self, inner) {
            (StoredZone::Compact(outer), StoredZone::Compact(inner)) => {
                compact::includes(outer, inner)
            }
            (StoredZone::Wide(outer), StoredZone::Wide(inner)) => zones::includes(outer, inner),
            _ => unreachable!("a store has zones of one kind"),
        }
    }

    /// Writes it as a zone of so many clocks, of which it has those in `keep`; the others have any value.
    pub fn unpack(self, keep: &[usize], out: &mut [i32], dim: usize) {
        let stored = match self {
            StoredZone::Compact(stored) => return compact::unpack(stored, keep, out, dim),
            StoredZone::Wide(stored) => stored,
        };
        zones::universe(out, dim);
        for (&i, bounds) in keep.iter().zip(stored.chunks_exact(keep.len())) {
            let row = &mut out[i * dim..(i + 1) * dim];
            row.fill(bounds[0]);
            keep.iter().zip(bounds).for_each(|(&j, &bound)| row[j] = bound);
        }
    }
}

/// All stored zones of a search.
pub struct ZoneStore {
    dim: usize,
    cover_alu: bool,
    wide: bool,
    small: SharedBlocks<i16>,
    large: SharedBlocks<i32>,
    frame: Frame,
    /// The packed zone that is being offered.
    offered_small: Vec<i16>,
    offered_large: Vec<i32>,
    /// Whether a bound came near the end of the range that zones can compute with.
    overflow: bool,
}

/// Twice the greatest constant with which zones are sure to compute rightly for another step.
const MAX_WIDE: i32 = 1 << 28;

/// The constants up to which bounds fit into two bytes, sums and strictness included.
const MAX_COMPACT: i32 = 8_000;

/// Whether clocks that are compared with nothing any more are left out. Without abstraction, and with diagonal
/// constraints, all clocks count.
pub fn keeps_compared_clocks(explorer: &Explorer) -> bool {
    matches!(explorer.abstraction(), Abstraction::CoverAlu | Abstraction::ExtraLuCoverAlu)
}

impl ZoneStore {
    /// A store for an explorer's zones.
    pub fn new(explorer: &Explorer) -> ZoneStore {
        let dim = explorer.layout.dim;
        let abstraction = explorer.abstraction();
        let extrapolated =
            matches!(abstraction, Abstraction::ExtraLu | Abstraction::ExtraLuCoverAlu);
        let small = explorer.clock_maxima().iter().all(|&c| c <= MAX_COMPACT);
        ZoneStore {
            dim,
            cover_alu: keeps_compared_clocks(explorer),
            wide: !(extrapolated && small),
            small: SharedBlocks::new(),
            large: SharedBlocks::new(),
            frame: Frame { lower: vec![0; dim], upper: vec![0; dim], ..Frame::default() },
            offered_small: Vec::new(),
            offered_large: Vec::new(),
            overflow: false,
        }
    }

    /// Turns to the zones of a discrete state.
    fn enter(&mut self, explorer: &Explorer, state: &[i32]) {
        let Frame { lower, upper, keep, compact, kept_lower, kept_upper } = &mut self.frame;
        explorer.clock_bounds(state, lower, upper);
        let all = !self.cover_alu;
        let worth = |&x: &usize| x == 0 || all || lower[x] != NO_BOUND || upper[x] != NO_BOUND;
        keep.clear();
        keep.extend((0..self.dim).filter(worth));
        if self.wide {
            kept_lower.clear();
            kept_lower.extend(keep.iter().map(|&x| lower[x]));
            kept_upper.clear();
            kept_upper.extend(keep.iter().map(|&x| upper[x]));
        } else {
            compact.refill(lower, upper, keep);
        }
    }

    /// Packs a state's zone, to be compared with others of its discrete part and perhaps stored.
    pub fn offer(&mut self, explorer: &Explorer, state: &[i32]) {
        self.enter(explorer, state);
        let (zone, keep) = (&state[explorer.layout.zone()], &self.frame.keep);
        if self.wide {
            self.offered_large.clear();
            for &i in keep {
                let row = &zone[i * self.dim..(i + 1) * self.dim];
                self.offered_large.extend(keep.iter().map(|&j| row[j]));
            }
            let far = |&b: &i32| b != bound::INFINITY && !(-MAX_WIDE..MAX_WIDE).contains(&b);
            self.overflow |= self.offered_large.iter().any(far);
        } else {
            self.offered_small.clear();
            let fits = compact::pack(zone, self.dim, keep, &mut self.offered_small);
            assert!(fits, "an extrapolated bound exceeds the greatest constant");
        }
    }

    /// Whether a bound came near the end of the range that zones can compute with; it can only
    /// where nothing keeps exact zones from growing.
    pub fn has_overflowed(&self) -> bool {
        self.overflow
    }

    /// Whether a stored zone covers the offered one.
    #[inline]
    pub fn covers_offered(&self, zone: ZoneRef) -> bool {
        if self.wide {
            self.covers_wide(self.large.at(zone), &self.offered_large)
        } else {
            self.covers_compact(self.small.at(zone), &self.offered_small)
        }
    }

    /// Whether the offered zone covers a stored one.
    #[inline]
    pub fn offered_covers(&self, zone: ZoneRef) -> bool {
        if self.wide {
            self.covers_wide(&self.offered_large, self.large.at(zone))
        } else {
            self.covers_compact(&self.offered_small, self.small.at(zone))
        }
    }

    // The abstraction of a zone includes the zone, so one test is enough.
    fn covers_compact(&self, outer: &[i16], inner: &[i16]) -> bool {
        if self.cover_alu {
            compact::included_in_alu(inner, outer, &self.frame.compact)
        } else {
            compact::includes(outer, inner)
        }
    }

    fn covers_wide(&self, outer: &[i32], inner: &[i32]) -> bool {
        let Frame { keep, kept_lower, kept_upper, .. } = &self.frame;
        if self.cover_alu {
            zones::included_in_alu(inner, outer, keep.len(), kept_lower, kept_upper)
        } else {
            zones::includes(outer, inner)
        }
    }

    /// Stores the offered zone.
    pub fn store_offered(&mut self) -> ZoneRef {
        if self.wide {
            self.large.acquire(&self.offered_large)
        } else {
            self.small.acquire(&self.offered_small)
        }
    }

    /// A stored zone.
    pub fn at(&self, zone: ZoneRef) -> StoredZone<'_> {
        match self.wide {
            true => StoredZone::Wide(self.large.at(zone)),
            false => StoredZone::Compact(self.small.at(zone)),
        }
    }

    /// Ends the use of a stored zone.
    pub fn release(&mut self, zone: ZoneRef) {
        if self.wide {
            self.large.release(zone);
        } else {
            self.small.release(zone);
        }
    }

    /// Writes the zone of a state, whose discrete part is there already; clocks that were left out
    /// have any value.
    pub fn unpack(&mut self, explorer: &Explorer, zone: ZoneRef, state: &mut [i32]) {
        self.enter(explorer, state);
        self.at(zone).unpack(&self.frame.keep, &mut state[explorer.layout.zone()], self.dim);
    }

    /// The bytes the store takes.
    pub fn bytes(&self) -> usize {
        self.small.bytes() + self.large.bytes()
    }
}
