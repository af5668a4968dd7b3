//! The published figures, read from tables in CSV; a table that is not there is empty.

use std::collections::HashMap;
use std::path::Path;

/// What a run cost in a paper, as it was printed; empty where nothing was.
#[derive(Clone, Debug, Default)]
pub struct Figures {
    /// States explored.
    pub explored: String,
    /// Seconds.
    pub seconds: String,
    /// Memory.
    pub megabytes: String,
    /// The length of the trace.
    pub length: String,
}

/// For each instance its row: columns with their cells.
type Table = HashMap<String, HashMap<String, String>>;

/// The tables of the papers.
pub struct Published {
    /// By heuristic: A*, greedy search and useless transitions (TACAS 2009).
    searches: Vec<(&'static str, Table)>,
    /// A* with abstractions (TACAS 2011).
    abstractions: Table,
    /// A* with the best heuristic of MCTA 2012.
    best: Table,
}

/// Our names of the papers' heuristics, and their tables.
const HEURISTICS: [(&str, &str); 3] = [
    ("relaxation-layers", "tacas09_t1_hL.csv"),
    ("relaxation-trace", "tacas09_t2_hU.csv"),
    ("graph-max", "tacas09_t3_hgd.csv"),
];

/// Our names of the papers' abstractions, and what their columns are called.
const ABSTRACTIONS: [(&str, &str); 6] = [
    ("downward-pattern", "hdpr"),
    ("downward-pattern-clocks", "mcta12"),
    ("russian-doll", "hrd"),
    ("cone-of-influence", "hcoi"),
    ("predicate-abstraction", "hpa"),
    ("merge-and-shrink", "haa"),
];

impl Published {
    /// Reads the tables in a folder.
    pub fn read(folder: &Path) -> Published {
        if !folder.is_dir() {
            eprintln!("papers: no tables in {}", folder.display());
        }
        let table = |file: &str| table(&folder.join(file));
        Published {
            searches: HEURISTICS.map(|(name, file)| (name, table(file))).into(),
            abstractions: table("tacas11_t1_dpr.csv"),
            best: table("mcta12_t2_astar.csv"),
        }
    }

    /// What was published about an instance: the same search with the same heuristic, or for a search
    /// that chooses its own heuristic the best A*.
    pub fn figures(&self, name: &str, search: &str, heuristic: Option<&str>) -> Option<Figures> {
        let Some(heuristic) = heuristic else {
            return Some(figures(self.best.get(name)?, "mcta12", "trace_len"));
        };
        if let Some((_, method)) = ABSTRACTIONS.iter().find(|it| it.0 == heuristic) {
            let table = if *method == "mcta12" { &self.best } else { &self.abstractions };
            return Some(figures(table.get(name)?, method, "trace_len"));
        }
        let (_, table) = self.searches.iter().find(|it| it.0 == heuristic)?;
        let method = match search {
            "astar" => "astar",
            "greedy" => "greedy",
            "useless-queues" | "useless-penalty" => "ut",
            _ => return None,
        };
        Some(figures(table.get(name)?, method, &format!("trace_len_{method}")))
    }
}

fn figures(row: &HashMap<String, String>, method: &str, length: &str) -> Figures {
    let cell = |column: &str| row.get(column).cloned().unwrap_or_default();
    Figures {
        explored: cell(&format!("explored_{method}")),
        seconds: cell(&format!("time_s_{method}")),
        megabytes: cell(&format!("mem_mb_{method}")),
        length: cell(length),
    }
}

fn table(path: &Path) -> Table {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let pairs = columns.iter().zip(&cells);
        let row = pairs.map(|(column, cell)| (column.to_string(), cell.to_string())).collect();
        (cells[0].to_owned(), row)
    };
    lines.map(row).collect()
}
