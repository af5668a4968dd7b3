//! The comment that a golden model begins with: what must come out (`models/README.md`).

/// The lines of a header that tests read.
#[derive(Debug, Default)]
pub struct Header {
    /// The `expect:` lines.
    pub expectations: Vec<Expectation>,
    /// The `refuse:` lines.
    pub refusals: Vec<Refusal>,
    /// The `query:` lines.
    pub queries: Vec<String>,
    /// The searches and plans of the `run:` line; none if the usual ones are to be run.
    pub run: Option<Vec<String>>,
    /// What is wrong with the header itself.
    pub mistakes: Vec<String>,
}

/// An `expect:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expectation {
    /// What is asked.
    pub query: String,
    /// The answer.
    pub verdict: Verdict,
    /// The number of steps of a shortest trace.
    pub length: Option<usize>,
    /// The line of the run-time error.
    pub line: Option<u32>,
}

/// What must come out of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Satisfied,
    /// It does not.
    Violated,
    /// An approximation allows no answer.
    Unknown,
    /// It is none of the queries that can be answered.
    Unsupported,
    /// A run-time error of this kind.
    Error(String),
}

/// A `refuse:` line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `LINE:COLUMN`, or `query:LINE:COLUMN` inside a query.
    pub place: String,
    /// A part of the message.
    pub message: String,
}

impl Header {
    /// The header of a model.
    pub fn of(model: &str) -> Header {
        Header::parse(&leading_comment(model))
    }

    /// A header without comment marks.
    pub fn parse(text: &str) -> Header {
        let mut header = Header::default();
        for line in text.lines().map(str::trim) {
            if let Err(mistake) = header.parse_line(line) {
                header.mistakes.push(format!("{mistake}: {line}"));
            }
        }
        if header.expectations.is_empty() && header.refusals.is_empty() {
            header.mistakes.push("there is neither `expect:` nor `refuse:`".into());
        }
        header
    }

    fn parse_line(&mut self, line: &str) -> Result<(), &'static str> {
        if let Some(rest) = line.strip_prefix("expect:") {
            self.expectations.push(Expectation::parse(rest)?);
        } else if let Some(rest) = line.strip_prefix("refuse:") {
            let (place, message) = rest.trim().split_once(' ').ok_or("no message")?;
            self.refusals.push(Refusal { place: place.into(), message: message.trim().into() });
        } else if let Some(rest) = line.strip_prefix("query:") {
            self.queries.push(rest.trim().into());
        } else if let Some(rest) = line.strip_prefix("run:") {
            self.run = Some(rest.split_whitespace().map(str::to_string).collect());
        }
        Ok(())
    }
}

/// The comment that a model begins with, without its marks.
fn leading_comment(text: &str) -> String {
    let text = text.trim_start();
    if let Some((_, rest)) = text.split_once("<!--").filter(|_| text.starts_with('<')) {
        return rest.split("-->").next().unwrap_or("").into();
    }
    let lines = text.lines().map_while(|line| line.strip_prefix("//"));
    lines.collect::<Vec<_>>().join("\n")
}

impl Expectation {
    fn parse(text: &str) -> Result<Expectation, &'static str> {
        let mut fields = text.split(" | ").map(str::trim);
        let query = fields.next().unwrap_or("").to_string();
        let verdict = match fields.next().ok_or("no verdict")? {
            "satisfied" => Verdict::Satisfied,
            "violated" => Verdict::Violated,
            "unknown" => Verdict::Unknown,
            "unsupported" => Verdict::Unsupported,
            other => Verdict::Error(other.strip_prefix("error ").ok_or("no such verdict")?.into()),
        };
        let mut expectation = Expectation { query, verdict, length: None, line: None };
        let mut reason = false;
        for field in fields {
            match field.split_once(' ') {
                Some(("length", n)) => expectation.length = Some(n.parse().or(Err("no number"))?),
                Some(("line", n)) => expectation.line = Some(n.parse().or(Err("no number"))?),
                Some(("because", _)) => reason = true,
                _ => return Err("no such field"),
            }
        }
        if reason { Ok(expectation) } else { Err("no `because`") }
    }

    /// Whether a step is carried out until it counts as endless: each time takes millions of rounds,
    /// so that a few searches must do.
    pub fn is_endless(&self) -> bool {
        self.verdict == Verdict::Error("endless-loop".into())
    }
}
