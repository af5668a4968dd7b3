//! Several tables at once, whose estimates are added up (docs/algorithms.md, section 3.13).

use super::AbstractProblem;
use super::saved::{Bytes, DAMAGED};
use super::table::PatternTable;
use crate::heuristic::{FARTHEST, Guarantees, Heuristic, TableAccount, UNREACHABLE};
use crate::problem::Problem;

/// Tables that are added up, once for each way in which they share the steps between them. The greatest sum
/// counts.
pub struct Collection {
    /// All have a distance for each of these ways.
    tables: Vec<PatternTable>,
    in_costs: bool,
    sums: Vec<u32>,
}

impl Collection {
    /// Tables between which the steps are shared out already.
    pub(super) fn added_up(tables: Vec<PatternTable>, in_costs: bool) -> Collection {
        let ways = tables.first().map_or(0, PatternTable::width);
        assert!(tables.iter().all(|table| table.width() == ways), "tables do not match");
        Collection { tables, in_costs, sums: vec![0; ways] }
    }

    /// The collection that was saved for a problem.
    pub fn load(problem: &Problem, saved: &[u8]) -> Result<Collection, String> {
        let mut bytes = Bytes(saved);
        let count = bytes.number().ok_or(DAMAGED)?;
        let [in_costs] = *bytes.take(1).ok_or(DAMAGED)? else { return Err(DAMAGED.to_string()) };
        let mut tables = Vec::new();
        for _ in 0..count {
            tables.push(AbstractProblem::read(problem, &mut bytes)?);
        }
        let fits = |table: &PatternTable| table.width() == tables[0].width();
        match bytes.0.is_empty() && tables.iter().all(fits) {
            true => Ok(Collection::added_up(tables, in_costs != 0)),
            false => Err(DAMAGED.to_string()),
        }
    }
}

impl Heuristic for Collection {
    /// The sum of consistent estimates, each of which counts a part of every step, is consistent, and so is the
    /// greatest of such sums.
    fn guarantees(&self) -> Guarantees {
        Guarantees { consistent: !self.sees_clocks(), ..Guarantees::ALL }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.sums.fill(0);
        for table in &mut self.tables {
            for (sum, &distance) in self.sums.iter_mut().zip(table.look_up(state)) {
                if distance == UNREACHABLE {
                    return UNREACHABLE;
                }
                *sum = distance.saturating_add(*sum).min(FARTHEST);
            }
        }
        self.sums.iter().copied().max().unwrap_or(0)
    }

    fn sees_clocks(&self) -> bool {
        self.tables.iter().any(|table| table.sees_clocks())
    }

    fn is_in_costs(&self) -> bool {
        self.in_costs
    }

    fn tables(&self) -> Vec<TableAccount> {
        self.tables.iter().flat_map(|table| table.tables()).collect()
    }

    fn saved(&self) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        out.extend_from_slice(&(self.tables.len() as u32).to_le_bytes());
        out.push(u8::from(self.in_costs));
        self.tables.iter().for_each(|table| table.write(&mut out));
        Some(out)
    }

    fn work(&self) -> u64 {
        self.tables.iter().map(|table| table.work()).sum()
    }
}
