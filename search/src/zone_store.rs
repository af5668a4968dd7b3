//! Zones packed for storage and compared where they lie.
//!
//! Clocks that are compared with nothing any more are left out, and where all constants are small
//! a bound takes two bytes. Zones of one discrete state have the same clocks and the same L and U,
//! which are kept once, as a [`Frame`].

use explore::{Abstraction, Explorer};
use rustc_hash::FxHashMap;
use zones::{NO_BOUND, compact};

/// Where a zone begins in the store.
pub type ZoneRef = u32;

/// The clocks worth keeping and their bounds.
#[derive(Debug)]
pub struct Frame {
    keep: Vec<usize>,
    compact: compact::Bounds,
    lower: Vec<i32>,
    upper: Vec<i32>,
}

/// The number of a frame.
pub type FrameId = u32;

/// All stored zones of a search.
pub struct ZoneStore {
    dim: usize,
    cover_alu: bool,
    wide: bool,
    small: Blocks<i16>,
    large: Blocks<i32>,
    frames: Vec<Frame>,
    known_frames: FxHashMap<Box<[i32]>, FrameId>,
    /// L and U of a state, one behind the other.
    bounds: Vec<i32>,
    /// The packed zone that is being offered.
    offered_small: Vec<i16>,
    offered_large: Vec<i32>,
}

/// Blocks of words, with free ones listed by length.
struct Blocks<T> {
    words: Vec<T>,
    free: Vec<Vec<ZoneRef>>,
}

/// The constants up to which bounds fit into two bytes, sums and strictness included.
const MAX_COMPACT: i32 = 8_000;

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
            cover_alu: matches!(abstraction, Abstraction::CoverAlu | Abstraction::ExtraLuCoverAlu),
            wide: !(extrapolated && small),
            small: Blocks::new(),
            large: Blocks::new(),
            frames: Vec::new(),
            known_frames: FxHashMap::default(),
            bounds: vec![0; 2 * dim],
            offered_small: Vec::new(),
            offered_large: Vec::new(),
        }
    }

    /// The frame of a state's zone.
    pub fn frame(&mut self, explorer: &Explorer, state: &[i32]) -> FrameId {
        let (lower, upper) = self.bounds.split_at_mut(self.dim);
        explorer.clock_bounds(state, lower, upper);
        if let Some(&id) = self.known_frames.get(&self.bounds[..]) {
            return id;
        }
        let (lower, upper) = self.bounds.split_at(self.dim);
        // Without abstraction, and with diagonal constraints, all clocks count.
        let all = !self.cover_alu;
        let worth = |&x: &usize| x == 0 || all || lower[x] != NO_BOUND || upper[x] != NO_BOUND;
        let keep: Vec<usize> = (0..self.dim).filter(worth).collect();
        let project = |bounds: &[i32]| keep.iter().map(|&x| bounds[x]).collect();
        self.frames.push(Frame {
            compact: compact::Bounds::new(lower, upper, &keep).unwrap_or_default(),
            lower: project(lower),
            upper: project(upper),
            keep,
        });
        let id = self.frames.len() as FrameId - 1;
        self.known_frames.insert(self.bounds.clone().into(), id);
        id
    }

    /// Packs a zone, to be compared with others of its frame and perhaps stored.
    pub fn offer(&mut self, zone: &[i32], frame: FrameId) {
        let keep = &self.frames[frame as usize].keep;
        if self.wide {
            self.offered_large.clear();
            for &i in keep {
                let row = &zone[i * self.dim..(i + 1) * self.dim];
                self.offered_large.extend(keep.iter().map(|&j| row[j]));
            }
        } else {
            self.offered_small.clear();
            let fits = compact::pack(zone, self.dim, keep, &mut self.offered_small);
            debug_assert!(fits, "an extrapolated bound exceeds the greatest constant");
        }
    }

    /// Whether a stored zone covers the offered one.
    #[inline]
    pub fn covers_offered(&self, zone: ZoneRef, frame: FrameId) -> bool {
        if self.wide {
            let stored = self.large.at(zone, self.offered_large.len());
            self.covers_wide(stored, &self.offered_large, frame)
        } else {
            let stored = self.small.at(zone, self.offered_small.len());
            self.covers_compact(stored, &self.offered_small, frame)
        }
    }

    /// Whether the offered zone covers a stored one.
    #[inline]
    pub fn offered_covers(&self, zone: ZoneRef, frame: FrameId) -> bool {
        if self.wide {
            let stored = self.large.at(zone, self.offered_large.len());
            self.covers_wide(&self.offered_large, stored, frame)
        } else {
            let stored = self.small.at(zone, self.offered_small.len());
            self.covers_compact(&self.offered_small, stored, frame)
        }
    }

    fn covers_compact(&self, outer: &[i16], inner: &[i16], frame: FrameId) -> bool {
        compact::includes(outer, inner)
            || self.cover_alu
                && compact::included_in_alu(inner, outer, &self.frames[frame as usize].compact)
    }

    fn covers_wide(&self, outer: &[i32], inner: &[i32], frame: FrameId) -> bool {
        let Frame { keep, lower, upper, .. } = &self.frames[frame as usize];
        zones::includes(outer, inner)
            || self.cover_alu && zones::included_in_alu(inner, outer, keep.len(), lower, upper)
    }

    /// Stores the offered zone.
    pub fn store_offered(&mut self) -> ZoneRef {
        if self.wide {
            self.large.store(&self.offered_large)
        } else {
            self.small.store(&self.offered_small)
        }
    }

    /// Forgets a stored zone.
    pub fn release(&mut self, zone: ZoneRef, frame: FrameId) {
        let dim = self.frames[frame as usize].keep.len();
        if self.wide {
            self.large.release(zone, dim * dim);
        } else {
            self.small.release(zone, dim * dim);
        }
    }

    /// Writes a stored zone out in full; clocks that were left out have any value.
    pub fn unpack(&self, zone: ZoneRef, frame: FrameId, out: &mut [i32]) {
        let keep = &self.frames[frame as usize].keep;
        let count = keep.len() * keep.len();
        if !self.wide {
            return compact::unpack(self.small.at(zone, count), keep, out, self.dim);
        }
        let stored = self.large.at(zone, count);
        zones::universe(out, self.dim);
        for (&i, bounds) in keep.iter().zip(stored.chunks_exact(keep.len())) {
            let row = &mut out[i * self.dim..(i + 1) * self.dim];
            row.fill(bounds[0]);
            keep.iter().zip(bounds).for_each(|(&j, &bound)| row[j] = bound);
        }
    }

    /// The bytes the store takes.
    pub fn bytes(&self) -> usize {
        let frames = self.frames.len() * (size_of::<Frame>() + 32 * self.dim);
        self.small.words.capacity() * 2 + self.large.words.capacity() * 4 + frames
    }
}

impl<T: Copy> Blocks<T> {
    fn new() -> Self {
        Blocks { words: Vec::new(), free: Vec::new() }
    }

    #[inline]
    fn at(&self, zone: ZoneRef, len: usize) -> &[T] {
        &self.words[zone as usize..zone as usize + len]
    }

    fn store(&mut self, words: &[T]) -> ZoneRef {
        if let Some(block) = self.free.get_mut(words.len()).and_then(Vec::pop) {
            let at = block as usize;
            self.words[at..at + words.len()].copy_from_slice(words);
            return block;
        }
        let block = self.words.len() as ZoneRef;
        self.words.extend_from_slice(words);
        block
    }

    fn release(&mut self, zone: ZoneRef, len: usize) {
        if self.free.len() <= len {
            self.free.resize(len + 1, Vec::new());
        }
        self.free[len].push(zone);
    }
}
