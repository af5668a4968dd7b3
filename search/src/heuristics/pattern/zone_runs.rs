//! The zones of nodes that share a discrete part, and what they say about a zone.
//!
//! A valuation in the zone of a node is at least as far from the goal as the node. So every node that
//! covers a zone gives a bound for it, and the greatest is the best one; if none does, some node has the
//! valuation that is nearest to the goal, and the least bound of all that intersect the zone holds. Where nodes
//! have several distances, this holds for each of them.

use super::graph::{NodeNumber, Nodes};
use super::rows::Rows;
use super::saved::{Bytes, write_list};
use crate::heuristic::UNREACHABLE;
use crate::zone_store::StoredZone;
use network::cancellation;
use rustc_hash::FxHashMap;
use std::ops::Range;
use zones::compact;

/// In longer runs nodes that say nothing new are not looked for.
const MOST_COMPARED: usize = 512;

/// How many comparisons an intersection takes as long as.
const INTERSECTION: u64 = 8;

/// A node: the number of its zone, and the row of its distances.
#[derive(Clone, Copy, Debug)]
struct Entry {
    zone: u32,
    row: u32,
}

/// Runs of nodes, each with its greatest row first.
pub struct ZoneRuns {
    dim: usize,
    /// Where the nodes of each run begin, and the end of the last.
    starts: Vec<u32>,
    entries: Vec<Entry>,
    /// Zones side by side: in two bytes per bound if all constants are small, and else in four.
    compact: Vec<i16>,
    wide: Vec<i32>,
    asked: Asked,
    /// How many zones were compared with one that was asked about.
    compared: u64,
}

/// The zone that is asked about, and buffers for comparing it.
#[derive(Default)]
struct Asked {
    zone: Vec<i32>,
    /// In two bytes per bound.
    narrow: Vec<i16>,
    other: Vec<i32>,
    scratch: Vec<i32>,
    /// All clocks.
    clocks: Vec<usize>,
}

impl ZoneRuns {
    /// No runs yet.
    pub fn new(dim: usize) -> ZoneRuns {
        ZoneRuns {
            dim,
            starts: vec![0],
            entries: Vec::new(),
            compact: Vec::new(),
            wide: Vec::new(),
            asked: Asked { clocks: (0..dim).collect(), ..Asked::default() },
            compared: 0,
        }
    }

    /// Adds a run for each group of nodes with the same packed words; tells a node of each in order. The nodes
    /// must be sorted by their words and, within a group, by their rows, the greatest first.
    pub fn add(
        &mut self,
        nodes: &Nodes,
        sorted: &[NodeNumber],
        (rows, row_of): (&Rows, &[u32]),
        told: &mut dyn FnMut(NodeNumber),
    ) {
        let mut known = FxHashMap::default();
        for group in sorted.chunk_by(|&a, &b| nodes.packed(a) == nodes.packed(b)) {
            for node in telling(nodes, group, (rows, row_of)) {
                let zone = nodes.zone(node);
                let zone = *known.entry(zone).or_insert_with(|| self.store(nodes.zones.at(zone)));
                self.entries.push(Entry { zone, row: row_of[node as usize] });
            }
            self.starts.push(self.entries.len() as u32);
            told(group[0]);
        }
    }

    fn store(&mut self, zone: StoredZone) -> u32 {
        let words = match zone {
            StoredZone::Compact(words) => {
                self.compact.extend_from_slice(words);
                self.compact.len()
            }
            StoredZone::Wide(words) => {
                self.wide.extend_from_slice(words);
                self.wide.len()
            }
        };
        (words / (self.dim * self.dim) - 1) as u32
    }

    /// What a run says about the zone that `write` writes, a distance for each column; says whether it says
    /// anything: it does not if no node covers the zone, nor may the nearest valuation be expected in one of
    /// them.
    pub fn estimate(
        &mut self,
        (run, has_all_nodes): (u32, bool),
        rows: &Rows,
        write: impl FnOnce(&mut Vec<i32>),
        found: &mut [u32],
    ) -> bool {
        write(&mut self.asked.zone);
        self.asked.narrow.clear();
        self.asked.narrow.extend(self.asked.zone.iter().map(|&bound| narrow(bound)));
        let run = self.starts[run as usize] as usize..self.starts[run as usize + 1] as usize;
        self.greatest_covering(run.clone(), rows, found)
            || has_all_nodes && self.least_intersecting(run, rows, found)
    }

    /// Of a single column the first node that covers the zone has the greatest distance.
    fn greatest_covering(&mut self, run: Range<usize>, rows: &Rows, found: &mut [u32]) -> bool {
        let mut is_covered = false;
        found.fill(0);
        for at in run {
            let Entry { zone, row } = self.entries[at];
            self.compared += 1;
            if self.covers_asked(zone) {
                is_covered = true;
                found.iter_mut().zip(rows.at(row)).for_each(|(own, other)| *own = *other.max(own));
                if rows.width() == 1 {
                    break;
                }
            }
        }
        is_covered
    }

    /// Of a single column the last node that intersects the zone has the least distance.
    fn least_intersecting(&mut self, run: Range<usize>, rows: &Rows, found: &mut [u32]) -> bool {
        let mut is_met = false;
        found.fill(UNREACHABLE);
        for at in run.rev() {
            let Entry { zone, row } = self.entries[at];
            if self.intersects_asked(zone) {
                is_met = true;
                found.iter_mut().zip(rows.at(row)).for_each(|(own, other)| *own = *other.min(own));
                if rows.width() == 1 {
                    break;
                }
            }
        }
        is_met
    }

    fn covers_asked(&self, zone: u32) -> bool {
        let words = self.words(zone);
        match self.wide.is_empty() {
            true => compact::includes(&self.compact[words], &self.asked.narrow),
            false => zones::includes(&self.wide[words], &self.asked.zone),
        }
    }

    fn intersects_asked(&mut self, zone: u32) -> bool {
        let words = self.words(zone);
        let Asked { zone, other, scratch, clocks, .. } = &mut self.asked;
        other.resize(self.dim * self.dim, 0);
        match self.wide.is_empty() {
            true => compact::unpack(&self.compact[words], clocks, other, self.dim),
            false => other.copy_from_slice(&self.wide[words]),
        }
        self.compared += INTERSECTION;
        !zones::disjoint(other, zone, self.dim, scratch)
    }

    fn words(&self, zone: u32) -> Range<usize> {
        let size = self.dim * self.dim;
        zone as usize * size..(zone as usize + 1) * size
    }

    /// Appends what it holds.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_list(out, self.starts.iter().map(|it| it.to_le_bytes()));
        write_list(out, self.entries.iter().map(|it| it.zone.to_le_bytes()));
        write_list(out, self.entries.iter().map(|it| it.row.to_le_bytes()));
        write_list(out, self.compact.iter().map(|it| it.to_le_bytes()));
        write_list(out, self.wide.iter().map(|it| it.to_le_bytes()));
    }

    /// Takes what was written, if it fits together and there are as many rows.
    pub fn read(bytes: &mut Bytes, dim: usize, rows: usize) -> Option<ZoneRuns> {
        let starts = bytes.list(u32::from_le_bytes)?;
        let (zones, row_of) = (bytes.list(u32::from_le_bytes)?, bytes.list(u32::from_le_bytes)?);
        let (compact, wide) = (bytes.list(i16::from_le_bytes)?, bytes.list(i32::from_le_bytes)?);
        let count = compact.len().max(wide.len()) / (dim * dim);
        let fits = zones.len() == row_of.len()
            && row_of.iter().all(|&row| (row as usize) < rows)
            && zones.iter().all(|&zone| (zone as usize) < count)
            && starts.first() == Some(&0)
            && starts.is_sorted()
            && starts.last().is_some_and(|&end| end as usize == zones.len());
        let entries =
            zones.into_iter().zip(row_of).map(|(zone, row)| Entry { zone, row }).collect();
        fits.then(|| ZoneRuns { starts, entries, compact, wide, ..ZoneRuns::new(dim) })
    }

    /// The number of runs.
    pub fn runs(&self) -> usize {
        self.starts.len() - 1
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many zones were compared with one that was asked about.
    pub fn compared(&self) -> u64 {
        self.compared
    }

    /// The bytes they take.
    pub fn bytes(&self) -> usize {
        let zones = size_of_val(&self.compact[..]) + size_of_val(&self.wide[..]);
        zones + size_of_val(&self.entries[..]) + size_of_val(&self.starts[..])
    }
}

/// The nodes of a group without those that say nothing new: whatever they cover or contain another one does
/// whose distances, also bounds for all valuations in it, are no less.
fn telling(
    nodes: &Nodes,
    group: &[NodeNumber],
    (rows, row_of): (&Rows, &[u32]),
) -> Vec<NodeNumber> {
    if group.len() > MOST_COMPARED {
        return group.to_vec();
    }
    let zone = |node: NodeNumber| nodes.zones.at(nodes.zone(node));
    let replaces = |node: NodeNumber, other: NodeNumber| {
        rows.says_no_less(row_of[node as usize], row_of[other as usize])
            && zone(node).includes(zone(other))
    };
    let mut kept: Vec<NodeNumber> = Vec::new();
    for &node in group {
        cancellation::check();
        if !kept.iter().any(|&other| replaces(other, node)) {
            kept.retain(|&other| !replaces(node, other));
            kept.push(node);
        }
    }
    kept
}

/// A bound in two bytes. One that does not fit is beyond all constants of the table, on the same side as
/// what it becomes.
fn narrow(bound: i32) -> i16 {
    bound.clamp(i32::from(-i16::MAX), i32::from(compact::INFINITY)) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use zones::bound::{INFINITY, le, lt};

    /// What is beyond the constants of a table stays there.
    ///
    /// Seen to fail: with what is left of a number in two bytes.
    #[test]
    fn wide_bounds_stay_on_their_side() {
        for constant in [16_000, 40_000, 65_536, 100_000_000] {
            for bound in [le(constant), lt(constant)] {
                assert!((16_000 * 2..=i16::MAX).contains(&narrow(bound)), "{bound}");
            }
            for bound in [le(-constant), lt(-constant)] {
                assert!((-i16::MAX..=-16_000 * 2 + 1).contains(&narrow(bound)), "{bound}");
            }
        }
        assert_eq!(narrow(INFINITY), compact::INFINITY);
        assert_eq!([le(-3), lt(8_000)].map(narrow), [le(-3) as i16, lt(8_000) as i16]);
    }
}
