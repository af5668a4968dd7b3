//! What one run of the command said.

use crate::command::Run;
use serde_json::Value;

/// The answer to one question.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Answer {
    /// What came out.
    pub outcome: Outcome,
    /// The verdict as it stands in the report.
    pub verdict: String,
    /// The number of steps of the trace.
    pub length: Option<u64>,
    /// Whether no shorter trace exists.
    pub shortest: bool,
    /// Whether a limit ended the search for a shorter trace.
    pub cut_off: bool,
    /// What the trace costs.
    pub cost: Option<u64>,
    /// Whether no cheaper trace exists.
    pub cheapest: bool,
    /// The number of steps that the trace lists.
    pub steps: Option<u64>,
    /// The kind of its ending.
    pub ending: String,
    /// Whether the model may raise errors that nobody looked for.
    pub may_have_errors: bool,
    /// The kind of the run-time error.
    pub error: Option<String>,
    /// The exit code.
    pub code: Option<i32>,
    /// The beginning of what it complained about.
    pub complaint: String,
    /// The whole report without what differs from run to run.
    pub report: String,
}

/// What came out.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Outcome {
    /// A trace leads to the goal.
    Goal,
    /// There is no such trace.
    NoGoal,
    /// A run-time error instead of an answer.
    Error,
    /// No answer, and why.
    Unknown(String),
    /// The input was refused, and why.
    Refused(String),
    /// The program did not end.
    Late,
    /// The program broke down.
    #[default]
    Crash,
}

impl Answer {
    /// The answer of a run.
    pub fn read(run: &Run) -> Answer {
        let document: Value = serde_json::from_str(&run.output).unwrap_or_default();
        let result = &document["results"][0];
        let outcome = match run.code {
            _ if run.late => Outcome::Late,
            Some(0..=3) if result.is_object() => outcome(result),
            Some(2) => Outcome::Refused(refusal(&document, run)),
            _ => Outcome::Crash,
        };
        let text = |value: &Value| value.as_str().map(str::to_owned);
        Answer {
            outcome,
            verdict: text(&result["verdict"]).unwrap_or_default(),
            length: result["trace_length"].as_u64(),
            shortest: result["shortest"] == true,
            cut_off: result["cut_off"].is_string(),
            cost: result["cost"].as_u64(),
            cheapest: result["cheapest"] == true,
            steps: result["trace"]["steps"].as_array().map(|steps| steps.len() as u64),
            ending: text(&result["trace"]["ending"]["kind"]).unwrap_or_default(),
            may_have_errors: result["may_have_errors"] != false,
            error: text(&result["error"]["kind"]),
            code: run.code,
            complaint: run.errors.lines().take(3).collect::<Vec<_>>().join(" / "),
            report: timeless(document.clone()),
        }
    }

    /// Whether it says something that others can be compared with.
    pub fn is_decided(&self) -> bool {
        matches!(self.outcome, Outcome::Goal | Outcome::NoGoal | Outcome::Error)
    }

    /// The answer in a few words.
    pub fn words(&self) -> String {
        let what = match &self.outcome {
            Outcome::Goal => "goal".into(),
            Outcome::NoGoal => "no goal".into(),
            Outcome::Error => "error".into(),
            Outcome::Unknown(why) => format!("unknown: {why}"),
            Outcome::Refused(why) => format!("refused: {why}"),
            Outcome::Late => "no end".into(),
            Outcome::Crash => format!("exit code {:?}: {}", self.code, self.complaint),
        };
        let error = self.error.as_ref().map_or(String::new(), |kind| format!(" ({kind})"));
        let length = self.length.map_or(String::new(), |n| format!(", {n} steps"));
        let proven = if self.shortest { " proven" } else { "" };
        let cost = self.cost.map_or(String::new(), |n| format!(", cost {n}"));
        let cheapest = if self.cheapest { " proven" } else { "" };
        format!("{what}{error}{length}{proven}{cost}{cheapest}")
    }
}

fn outcome(result: &Value) -> Outcome {
    let exists = result["query"].as_str().is_some_and(|query| query.starts_with("E<>"));
    match result["verdict"].as_str() {
        Some("satisfied") if exists => Outcome::Goal,
        Some("violated") if !exists => Outcome::Goal,
        Some("satisfied" | "violated") => Outcome::NoGoal,
        _ if !result["error"].is_null() => Outcome::Error,
        _ => Outcome::Unknown(result["reason"].as_str().unwrap_or("no reason").to_owned()),
    }
}

fn refusal(document: &Value, run: &Run) -> String {
    let all = document["diagnostics"].as_array();
    let errors = all.into_iter().flatten().filter(|it| it["severity"] == "error");
    let first = errors.filter_map(|it| it["message"].as_str()).next();
    first.or(run.errors.lines().next()).unwrap_or("no reason").to_owned()
}

/// A report without times and memory.
fn timeless(mut document: Value) -> String {
    for result in document["results"].as_array_mut().into_iter().flatten() {
        for field in ["seconds", "setup_seconds", "peak_memory_bytes"] {
            result["stats"][field] = Value::Null;
        }
    }
    document.to_string()
}
