//! The command line.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::{Path, PathBuf};
use std::time::Duration;
use vizsla::catalog::{self, HEURISTICS, SEARCHES};
use vizsla::{
    Abstraction, Contexts, Estimator, ImprovedEnd, Language, Limits, Method, Options, Switch,
    Symmetry,
};
use vizsla::{PLANS, Penalty, Rule, Ties, Weight};

/// A directed model checker: finds the error state and points at the shortest path to it.
#[derive(Parser, Debug)]
#[command(name = "vizsla", version, about, max_term_width = 100, after_help = EXIT_CODES)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub color: Color,
}

const EXIT_CODES: &str = "\
Exit codes:
  0  every property is satisfied
  1  some property is violated, or a run-time error of the model was found
  2  the input or the command line is invalid
  3  some property is unknown
  4  an internal defect";

/// The subcommands.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Check the properties of a model
    Check(Box<Check>),
    /// Say what is in a model
    Info(Info),
    /// Convert a model to another format
    Convert(Convert),
    /// Check a saved trace against its model, without searching
    Replay(Replay),
    /// Print the completions for a shell
    Completions(Completions),
    /// Print the manual page, in the format of man
    #[command(name = "man")]
    Manual(Manual),
}

/// `vizsla completions`.
#[derive(Args, Debug)]
pub struct Completions {
    /// The shell
    pub shell: Shell,
}

/// `vizsla man`.
#[derive(Args, Debug)]
pub struct Manual {
    /// Print the page of this command
    pub command: Option<String>,
}

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// What has nothing to do with a trace that is given: it says itself which query it is about, and is measured in
/// steps.
const NOT_IMPROVED: [&str; 9] = [
    "query_file",
    "query",
    "query_index",
    "errors",
    "claim",
    "towards",
    "cost",
    "save_heuristic",
    "load_heuristic",
];

/// `vizsla check`.
#[derive(Args, Debug)]
#[command(after_help = EXIT_CODES)]
pub struct Check {
    /// The model: UPPAAL .xml, .xta or .ta, Promela .pml, or network text; `-` for standard input
    pub model: PathBuf,
    /// A file of queries; by default those in the model, or else in a .q file beside it
    #[arg(value_name = "QUERIES.q")]
    pub query_file: Option<PathBuf>,
    /// Check this query instead; may be given several times
    #[arg(long, value_name = "QUERY", conflicts_with_all = ["query_file", "query_index"])]
    pub query: Vec<String>,
    /// Check only the query with this number, from 1; may be given several times
    #[arg(long, value_name = "N")]
    pub query_index: Vec<usize>,
    /// Also check that the model raises no run-time error, as the property `no errors`; a Promela model
    /// is asked that by default
    #[arg(long)]
    pub errors: bool,
    /// What the model is written in; by default its name or else its content tells
    #[arg(long, value_name = "NAME")]
    pub language: Option<LanguageName>,
    /// The order in which states are explored
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = search_parser())]
    pub search: Method,
    /// The heuristic that estimates distances to the goal, for directed searches
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = heuristic_parser())]
    pub heuristic: HeuristicName,
    /// A trace written by --trace that leads to the goal, for heuristics that need a known goal
    #[arg(long, value_name = "FILE")]
    pub towards: Option<PathBuf>,
    /// Replace a trace written by --trace, or a trail of Spin, by the shortest way to the same state; a limit leaves
    /// the best so far
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IMPROVED)]
    pub improve: Option<PathBuf>,
    /// The same by the shortest way to any state that violates the same property
    #[arg(long, value_name = "FILE", conflicts_with_all = NOT_IMPROVED, conflicts_with = "improve")]
    pub improve_any: Option<PathBuf>,
    /// Write what the heuristic was made of, if it is a table of distances, for --load-heuristic; numbered
    /// as for --trace
    #[arg(long, value_name = "FILE")]
    pub save_heuristic: Option<PathBuf>,
    /// Make the heuristic from what --save-heuristic wrote for the same model, query, heuristic and costs
    #[arg(long, value_name = "FILE")]
    pub load_heuristic: Option<PathBuf>,
    /// How much an estimate counts in weighted-astar: 1 or more
    #[arg(long, value_name = "W", default_value = "3", value_parser = weight)]
    pub weight: Weight,
    /// Which of equally good states comes first
    #[arg(long, value_name = "WHICH", default_value = "newest")]
    pub ties: TiesName,
    /// The depth that useless-penalty adds to the estimates of states after useless steps
    #[arg(long, value_name = "DEPTH", default_value = "pred")]
    pub penalty: PenaltyName,
    /// When a step is a switch for context-bounding
    #[arg(long, value_name = "WHEN", default_value = "equal")]
    pub contexts: ContextsName,
    /// The cost of steps, for astar, weighted-astar and bounded-dfs: `every = N`, `communication = N`,
    /// `channel NAME = N`, `process NAME = N` or `edge PROCESS: SOURCE -> TARGET = N`; may be given
    /// several times, later rules win
    #[arg(long, value_name = "RULE")]
    pub cost: Vec<Rule>,
    /// The seed of random choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Explore the model as it is, without reductions
    #[arg(long)]
    pub plain: bool,
    /// Leave out steps whose order does not matter: where it pays, wherever it can be done, or never
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub partial_order: SwitchName,
    /// Take states for one that differ only in the order of what is interchangeable, such as processes made from one
    /// template
    #[arg(long, value_name = "HOW", default_value = "auto")]
    pub symmetry: SymmetryName,
    /// How clock zones are abstracted, so that there are finitely many
    #[arg(long, value_name = "NAME", default_value = "extra-lu-alu")]
    pub abstraction: AbstractionName,
    /// Give up a property after this time: 500ms, 10s, 5m, 2h; reading the model may take as long
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Give up when the program takes more memory than this: 500M, 2G
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub memory_limit: Option<u64>,
    /// Give up a property after storing this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// How to report
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
    /// Write the trace as JSON; FILE-1.json, FILE-2.json ... if several properties are checked
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Write the trace as a trail that Spin replays (Promela only); numbered as for --trace
    #[arg(long, value_name = "FILE")]
    pub trail: Option<PathBuf>,
    /// Leave traces out of the report
    #[arg(long)]
    pub no_trace: bool,
    /// Show the whole state after every step of a trace, not only at its end
    #[arg(long, conflicts_with = "no_trace")]
    pub states: bool,
    /// Of Promela models only.
    #[command(flatten)]
    pub promela: Promela,
}

/// What can be said about Promela models.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Promela")]
pub struct Promela {
    /// Define a macro, as `#define` would; may be given several times
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = definition)]
    pub define: Vec<(String, String)>,
    /// Let the model include files from this folder too, not only from its own; may be given several
    /// times
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// Do not check for invalid end states
    #[arg(long)]
    pub no_deadlock: bool,
    /// Do not check assertions
    #[arg(long)]
    pub no_assert: bool,
    /// Messages left in a channel make an end state invalid
    #[arg(long)]
    pub strict_end: bool,
    /// Check against this never claim or formula
    #[arg(long, value_name = "NAME")]
    pub claim: Option<String>,
}

impl Promela {
    /// How to read a Promela model.
    pub fn reading(&self) -> vizsla::Promela {
        vizsla::Promela {
            defines: self.define.clone(),
            include: self.include.clone(),
            deadlock: !self.no_deadlock,
            asserts: !self.no_assert,
            strict_end: self.strict_end,
            claim: self.claim.clone(),
        }
    }
}

/// `N=3`, or `N` for a macro that is 1, as compilers have it.
fn definition(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').unwrap_or((text, "1"));
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if name.is_empty() || !name.chars().all(plain) || name.starts_with(|c: char| c.is_ascii_digit())
    {
        return Err(format!("`{name}` is not a name"));
    }
    Ok((name.to_string(), value.to_string()))
}

/// `vizsla info`.
#[derive(Args, Debug)]
pub struct Info {
    /// What to read.
    #[command(flatten)]
    pub source: Source,
}

/// A model with queries.
#[derive(Args, Debug)]
pub struct Source {
    /// The model; `-` for standard input
    pub model: PathBuf,
    /// A file of queries
    #[arg(value_name = "QUERIES.q")]
    pub query_file: Option<PathBuf>,
    /// What the model is written in; by default its name or else its content tells
    #[arg(long, value_name = "NAME")]
    pub language: Option<LanguageName>,
}

/// `vizsla convert`.
#[derive(Args, Debug)]
pub struct Convert {
    /// What to read.
    #[command(flatten)]
    pub source: Source,
    /// The form to write
    #[arg(long, value_name = "FORM")]
    pub to: Form,
    /// Where to write it; standard output by default
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// `vizsla replay`.
#[derive(Args, Debug)]
#[command(override_usage = "vizsla replay [OPTIONS] [MODEL] TRACE")]
pub struct Replay {
    /// A trace written by `vizsla check --trace`, or a trail written by `--trail` or by a verifier
    /// of Spin; before it, the model
    #[arg(value_name = "TRACE", num_args = 1..=2, required = true)]
    files: Vec<PathBuf>,
    /// The model; by default the one that the trace names
    #[arg(long, value_name = "PATH")]
    model: Option<PathBuf>,
    /// What the model is written in; by default its name or else its content tells
    #[arg(long, value_name = "NAME")]
    pub language: Option<LanguageName>,
    /// Leave the steps out of the report
    #[arg(long)]
    pub no_trace: bool,
    /// Show the whole state after every step, not only at the end
    #[arg(long, conflicts_with = "no_trace")]
    pub states: bool,
    /// Of Promela models only.
    #[command(flatten)]
    pub promela: Promela,
}

impl Replay {
    /// The trace or trail.
    pub fn trace(&self) -> &Path {
        self.files.last().map_or(Path::new("-"), PathBuf::as_path)
    }

    /// The model, if the user names it.
    pub fn model(&self) -> Option<&Path> {
        let first = self.files.first().filter(|_| self.files.len() > 1);
        self.model.as_ref().or(first).map(PathBuf::as_path)
    }
}

/// How to report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// For people
    Text,
    /// One JSON document, described in docs/json.md
    Json,
}

/// What a model is converted to.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The text form of the intermediate representation, which `vizsla` reads too
    Network,
    /// A Graphviz drawing
    Dot,
    /// The states and transitions of a Promela model, with the numbers that Spin gives them
    Transitions,
}

/// The names of [`Language`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LanguageName {
    /// UPPAAL: .xml, .xta and .ta
    Uppaal,
    /// Promela, the language of Spin
    Promela,
    /// The text form of the intermediate representation
    Network,
}

impl From<LanguageName> for Language {
    fn from(name: LanguageName) -> Language {
        match name {
            LanguageName::Uppaal => Language::Uppaal,
            LanguageName::Promela => Language::Promela,
            LanguageName::Network => Language::Network,
        }
    }
}

/// The names of [`Switch`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwitchName {
    /// Where it pays
    Auto,
    /// Wherever it can be done
    On,
    /// Never
    Off,
}

impl SwitchName {
    /// What the name stands for.
    fn switch(self) -> Switch {
        match self {
            SwitchName::Auto => Switch::Auto,
            SwitchName::On => Switch::On,
            SwitchName::Off => Switch::Off,
        }
    }
}

/// The names of [`Symmetry`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymmetryName {
    /// All of them where several searches take turns; none in a search that is named
    Auto,
    /// All of them
    Full,
    /// All of them, by trying all orders of what looks alike at first sight
    Segmented,
    /// Those that are the same once what looks different at first sight is sorted
    Sorted,
    /// Those that are the same once all go round in a ring
    Rotations,
    /// None
    None,
}

impl SymmetryName {
    /// What the name stands for.
    fn symmetry(self) -> Symmetry {
        match self {
            SymmetryName::Auto => Symmetry::Auto,
            SymmetryName::Full => Symmetry::Full,
            SymmetryName::Segmented => Symmetry::Segmented,
            SymmetryName::Sorted => Symmetry::Sorted,
            SymmetryName::Rotations => Symmetry::Rotations,
            SymmetryName::None => Symmetry::None,
        }
    }
}

/// The names of [`Abstraction`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum AbstractionName {
    /// Zones are extrapolated (Extra LU+), and cover what their aLU abstraction includes
    ExtraLuAlu,
    /// Zones are extrapolated (Extra LU+), and cover what they include
    ExtraLu,
    /// Zones stay exact, and cover what their aLU abstraction includes
    Alu,
    /// Zones stay exact, and cover what they include: the search may not end
    None,
}

impl AbstractionName {
    /// What the name stands for.
    fn abstraction(self) -> Abstraction {
        match self {
            AbstractionName::ExtraLuAlu => Abstraction::ExtraLuCoverAlu,
            AbstractionName::ExtraLu => Abstraction::ExtraLu,
            AbstractionName::Alu => Abstraction::CoverAlu,
            AbstractionName::None => Abstraction::None,
        }
    }
}

/// Which of equally good states comes first.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum TiesName {
    /// The one found last
    Newest,
    /// The one found first
    Oldest,
}

/// The names of [`Penalty`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PenaltyName {
    /// That of the state before the step
    Pred,
    /// That of the state after it
    Succ,
}

/// The names of [`Contexts`].
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ContextsName {
    /// If other processes take part in it than in the step before
    Equal,
    /// If no process takes part in both
    Intersect,
    /// As equal, and the number of switches is the least possible
    Exact,
}

impl Check {
    /// The trace to improve, and where what replaces it has to end.
    pub fn improved(&self) -> Option<(&Path, ImprovedEnd)> {
        let same = self.improve.as_deref().map(|path| (path, ImprovedEnd::SameState));
        same.or(self.improve_any.as_deref().map(|path| (path, ImprovedEnd::Any)))
    }

    /// How to look for answers.
    pub fn options(&self) -> Options {
        Options {
            method: self.search,
            heuristic: self.heuristic.0,
            settings: self.settings(),
            costs: self.cost.clone(),
            abstraction: self.abstraction.abstraction(),
            partial_order: self.partial_order.switch(),
            symmetry: self.symmetry.symmetry(),
            plain: self.plain,
            // The watchdog sees to the others, for the whole process.
            limits: Limits { states: self.max_states, ..Limits::default() },
            cancellation: None,
            towards: None,
            improve: None,
            load_heuristic: None,
            save_heuristic: self.save_heuristic.is_some(),
            states: self.states,
        }
    }

    /// What is said about the search beside its name.
    fn settings(&self) -> catalog::Settings {
        let ties = match self.ties {
            TiesName::Newest => Ties::Lifo,
            TiesName::Oldest => Ties::Fifo,
        };
        let penalty = match self.penalty {
            PenaltyName::Pred => Penalty::Pred,
            PenaltyName::Succ => Penalty::Succ,
        };
        let contexts = match self.contexts {
            ContextsName::Equal => Contexts::Equal,
            ContextsName::Intersect => Contexts::Intersect,
            ContextsName::Exact => Contexts::Exact,
        };
        catalog::Settings { seed: self.seed, ties, weight: self.weight, penalty, contexts }
    }
}

/// An entry of the catalog of heuristics; none if the search may choose.
#[derive(Clone, Copy)]
pub struct HeuristicName(pub Option<Estimator>);

impl HeuristicName {
    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.map_or(AUTO, |entry| entry.0.name)
    }
}

impl std::fmt::Debug for HeuristicName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

/// What leaves the choice of a heuristic to the search.
const AUTO: &str = "auto";

fn search_parser() -> impl TypedValueParser<Value = Method> {
    let plans = PLANS.iter().map(|plan| PossibleValue::new(plan.name).help(plan.summary));
    let help = |entry: &catalog::SearchEntry| match entry.setting {
        Some(flag) => format!("{}; see --{flag}", entry.summary),
        None => entry.summary.to_string(),
    };
    let searches = SEARCHES.iter().map(|entry| PossibleValue::new(entry.name).help(help(entry)));
    let parser = PossibleValuesParser::new(plans.chain(searches));
    parser.try_map(|name| Method::named(&name).ok_or("no such search"))
}

fn heuristic_parser() -> impl TypedValueParser<Value = HeuristicName> {
    let help = |entry: &catalog::HeuristicEntry| {
        let see = if entry.needs_known_goal { "; see --towards" } else { "" };
        match entry.symbol {
            "" => format!("{}{see}", entry.summary),
            symbol => format!("{}{see} ({symbol})", entry.summary),
        }
    };
    let auto = PossibleValue::new(AUTO).help("Chosen to suit the search and the property");
    let values = HEURISTICS.iter().map(|entry| PossibleValue::new(entry.name).help(help(entry)));
    PossibleValuesParser::new([auto].into_iter().chain(values)).try_map(|name| {
        let found = Estimator::named(&name);
        let known = found.is_some() || name == AUTO;
        known.then_some(HeuristicName(found)).ok_or("no such heuristic")
    })
}

/// `2.5`: how much an estimate counts.
fn weight(text: &str) -> Result<Weight, String> {
    let weight: f64 = text.parse().map_err(|_| "expected a number".to_string())?;
    if !(1.0..=1000.0).contains(&weight) {
        return Err("a weight is a number from 1 to 1000".to_string());
    }
    Ok(Weight((weight * 100.0).round() as u32))
}

/// A number with a unit: the number, and what is left of the text.
fn split_unit(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| "expected a number".to_string())?;
    Ok((number, text[end..].trim()))
}

fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text.trim())?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "" | "s" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(format!("unknown unit `{unit}`; use ms, s, m or h")),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| "too long".to_string())
}

fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = split_unit(text.trim())?;
    let power = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(format!("unknown unit `{unit}`; use K, M, G or T")),
    };
    // Conversion from floating point saturates, and beyond that there is no memory anyway.
    Ok((number * (1_u64 << power) as f64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn durations_have_units() {
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("10"), Ok(Duration::from_secs(10)));
        assert_eq!(duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2 h"), Ok(Duration::from_secs(7200)));
        for wrong in ["", "s", "5 parsecs", "-1s", "1.2.3", "1e400"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert!(duration(&"9".repeat(400)).is_err());
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(size("2G"), Ok(2 << 30));
        assert_eq!(size("1.5k"), Ok(1536));
        assert_eq!(size("7"), Ok(7));
        assert_eq!(size("3 MiB"), Ok(3 << 20));
        assert!(size("2X").is_err() && size("").is_err() && size("-2G").is_err());
    }
}
