//! The ways in which a text is checked.

use search::catalog::{HEURISTICS, SEARCHES};
use testing::Numbers;

/// A search with all that goes with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// Its name.
    pub search: String,
    /// The name of the heuristic.
    pub heuristic: String,
    /// The name of the abstraction.
    pub abstraction: &'static str,
    /// Whether there are no reductions.
    pub plain: bool,
    /// Whether the heuristic is given a known trace.
    pub towards: bool,
    /// Whether the model is converted to network text first.
    pub converted: bool,
    /// What steps cost.
    pub costs: Vec<String>,
    /// Other options.
    pub more: Vec<String>,
}

const PLANS: [&str; 2] = ["auto", "anytime"];
const ABSTRACTIONS: [&str; 4] = ["extra-lu-alu", "extra-lu", "alu", "none"];
/// Searches that look for what is cheapest.
const CAREFUL: [&str; 3] = ["astar", "weighted-astar", "bounded-dfs"];
/// Heuristics that are always a lower bound.
pub const LOWER_BOUNDS: [&str; 4] = ["blind", "graph-max", "graph-split", "formula-max"];

impl Combination {
    /// Breadth-first search of the model as it is: the one that others are compared with.
    pub fn reference() -> Combination {
        Combination { plain: true, ..Combination::of("bfs", "auto") }
    }

    /// A search with a heuristic, and nothing else.
    pub fn of(search: &str, heuristic: &str) -> Combination {
        Combination {
            search: search.into(),
            heuristic: heuristic.into(),
            abstraction: ABSTRACTIONS[0],
            plain: false,
            towards: matches!(heuristic, "hamming" | "fsm"),
            converted: false,
            costs: Vec::new(),
            more: Vec::new(),
        }
    }

    /// Every search with every heuristic it may be given and with every abstraction, reduced and not.
    pub fn all() -> Vec<Combination> {
        let mut all = Vec::new();
        for search in searches() {
            for heuristic in heuristics(search) {
                for abstraction in ABSTRACTIONS {
                    for plain in [false, true] {
                        let one = Combination::of(search, heuristic);
                        all.push(Combination { abstraction, plain, ..one });
                    }
                }
            }
        }
        all
    }

    /// A random one.
    pub fn random(numbers: &mut Numbers) -> Combination {
        let searches: Vec<&str> = searches().collect();
        let search = numbers.pick(&searches).copied().unwrap_or("auto");
        let heuristics: Vec<&str> = heuristics(search).collect();
        let heuristic = numbers.pick(&heuristics).copied().unwrap_or("auto");
        let mut one = Combination::of(search, heuristic);
        if numbers.chance(50) {
            one.abstraction = ABSTRACTIONS[numbers.below(ABSTRACTIONS.len())];
        }
        one.plain = numbers.chance(40);
        one.converted = numbers.chance(5);
        one.more = more(search, numbers);
        one
    }

    /// A random one that looks for what is cheapest.
    pub fn with_costs(numbers: &mut Numbers, costs: &[String]) -> Combination {
        let search = numbers.pick(&CAREFUL).copied().unwrap_or("astar");
        let heuristics: Vec<&str> = heuristics(search).collect();
        let heuristic = numbers.pick(&heuristics).copied().unwrap_or("auto");
        let one = Combination::of(search, heuristic);
        Combination { plain: numbers.chance(50), costs: costs.to_vec(), ..one }
    }

    /// The options for the command.
    pub fn arguments(&self) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        let mut option = |name: &str, value: &str| all.extend([name.into(), value.into()]);
        option("--search", &self.search);
        if self.heuristic != "auto" {
            option("--heuristic", &self.heuristic);
        }
        if self.abstraction != ABSTRACTIONS[0] {
            option("--abstraction", self.abstraction);
        }
        self.costs.iter().for_each(|rule| option("--cost", rule));
        if self.towards {
            option("--towards", KNOWN);
        }
        all.extend(self.plain.then(|| "--plain".into()));
        all.extend(self.more.clone());
        all
    }

    /// What an estimate counts, in weighted A*.
    pub fn weight(&self) -> Option<f64> {
        let given = self.more.iter().find_map(|option| option.strip_prefix("--weight="));
        let weight = given.map_or(Some(3.0), |text| text.parse().ok());
        weight.filter(|_| self.search == "weighted-astar")
    }

    /// Whether it looks at every reachable state if there is no goal.
    pub fn is_exhaustive(&self) -> bool {
        let is_reduced = |option: &String| option == LEAVES_OUT || option.starts_with(SYMMETRY);
        let leaves_out = self.more.iter().any(is_reduced);
        let is_plain = matches!(self.search.as_str(), "bfs" | "dfs" | "random-dfs" | "bounded-dfs");
        is_plain && !leaves_out
    }

    /// Whether a trace that it finds is a shortest one, whatever the model.
    pub fn promises_shortest(&self) -> bool {
        let careful = matches!(self.search.as_str(), "bfs" | "bounded-dfs" | "anytime");
        let bounded = LOWER_BOUNDS.contains(&self.heuristic.as_str());
        self.costs.is_empty() && (careful || self.search == "astar" && bounded)
    }
}

/// The option with which searches leave out steps.
const LEAVES_OUT: &str = "--partial-order=on";

/// The option with which states are taken for one.
const SYMMETRY: &str = "--symmetry=";

/// The file with a known trace.
pub const KNOWN: &str = "known.json";

fn searches() -> impl Iterator<Item = &'static str> {
    PLANS.into_iter().chain(SEARCHES.iter().map(|search| search.name))
}

fn heuristics(search: &str) -> impl Iterator<Item = &'static str> + use<> {
    let named = SEARCHES.iter().find(|it| it.name == search);
    let directed = named.is_none_or(|search| search.is_directed());
    let all = HEURISTICS.iter().map(|heuristic| heuristic.name).filter(move |_| directed);
    std::iter::once("auto").chain(all)
}

/// The options that only some searches look at, and those that all do.
fn more(search: &str, numbers: &mut Numbers) -> Vec<String> {
    let mut pick = |words: &[&'static str]| numbers.pick(words).copied().unwrap_or_default();
    let own = match search {
        "random-dfs" => pick(&["--seed=1", "--seed=2", "--seed=18446744073709551615"]),
        "weighted-astar" => pick(&["--weight=1", "--weight=1.5", "--weight=2", "--weight=1000"]),
        "useless-penalty" => pick(&["--penalty=pred", "--penalty=succ"]),
        "context-bounding" => {
            pick(&["--contexts=equal", "--contexts=intersect", "--contexts=exact"])
        }
        _ => "",
    };
    let ties = pick(&["", "", "--ties=oldest"]);
    let order = pick(&["", LEAVES_OUT, LEAVES_OUT, "--partial-order=off"]);
    let symmetry = pick(&[
        "",
        "--symmetry=full",
        "--symmetry=full",
        "--symmetry=segmented",
        "--symmetry=sorted",
        "--symmetry=rotations",
        "--symmetry=none",
    ]);
    [own, ties, order, symmetry]
        .into_iter()
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}
