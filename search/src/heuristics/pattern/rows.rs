//! Rows of distances: a column for each way in which steps are shared between tables.
//!
//! Many abstract states have the same distances, so each row is kept once.

use super::saved::{Bytes, write_list};
use network::cancellation;
use rustc_hash::FxHashMap;

/// Different rows, all with as many distances.
pub struct Rows {
    width: usize,
    distances: Vec<u32>,
}

impl Rows {
    /// The rows of nodes whose distances are in columns, and which of them is that of each node.
    pub fn of(columns: &[&[u32]]) -> (Rows, Vec<u32>) {
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut rows = Rows { width: columns.len(), distances: Vec::new() };
        let mut row = Vec::new();
        let nodes = columns.first().map_or(0, |column| column.len());
        let numbers = (0..nodes).map(|node| {
            cancellation::check();
            row.clear();
            row.extend(columns.iter().map(|column| column[node]));
            if let Some(&number) = known.get(&row) {
                return number;
            }
            rows.distances.extend_from_slice(&row);
            let number = known.len() as u32;
            known.insert(row.clone(), number);
            number
        });
        let numbers = numbers.collect();
        (rows, numbers)
    }

    /// A row.
    #[inline]
    pub fn at(&self, row: u32) -> &[u32] {
        let first = row as usize * self.width;
        &self.distances[first..first + self.width]
    }

    /// Whether a row says as much as another one in every column.
    pub fn says_no_less(&self, row: u32, than: u32) -> bool {
        self.at(row).iter().zip(self.at(than)).all(|(own, other)| own >= other)
    }

    /// How many distances a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.distances.len() / self.width.max(1)
    }

    /// The bytes they take.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.distances[..])
    }

    /// Appends what it holds.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&(self.width as u32).to_le_bytes());
        write_list(out, self.distances.iter().map(|it| it.to_le_bytes()));
    }

    /// Takes what was written, if it fits together.
    pub fn read(bytes: &mut Bytes) -> Option<Rows> {
        let width = bytes.number()? as usize;
        let distances = bytes.list(u32::from_le_bytes)?;
        let fits = width > 0 && distances.len().is_multiple_of(width);
        fits.then_some(Rows { width, distances })
    }
}
