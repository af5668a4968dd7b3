//! From seed to seed: runs, comparisons, and small texts for what does not fit.

use super::answer::Outcome;
use super::combination::Combination;
use super::judge::{self, Checked, DefectKind};
use super::oracle::{self, Truth};
use super::tally::{Tally, without_names};
use super::text::{Language, Text};
use super::vizsla::{CONVERTED, Vizsla};
use std::collections::{HashMap, HashSet};
use testing::Numbers;
use testing::texts::shrink;

/// How much to do with each text.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Every combination instead of some.
    pub all: bool,
    /// Whether texts are made smaller.
    pub shrink: bool,
    /// Only texts of this language.
    pub language: Option<Language>,
}

/// A cross-check under way.
pub struct Session {
    vizsla: Vizsla,
    options: Options,
    /// What was done so far.
    pub tally: Tally,
    /// How often something of the same kind was found.
    known: HashMap<String, u32>,
}

/// What does not fit: its kind, and the runs that show it; one, or two that differ.
#[derive(Clone, Debug, PartialEq)]
struct Finding {
    kind: DefectKind,
    runs: Vec<Combination>,
}

/// How many random combinations a text is checked with.
const SOME: usize = 7;
/// How many smaller texts are tried.
const ATTEMPTS: u32 = 600;
/// How many findings of the same kind are shown.
const SHOWN: u32 = 2;

impl Session {
    /// A session that has done nothing yet.
    pub fn new(vizsla: Vizsla, options: Options) -> Session {
        Session { vizsla, options, tally: Tally::default(), known: HashMap::new() }
    }

    /// Checks the text of a seed; what to print about what was found.
    pub fn seed(&mut self, seed: u64) -> Result<Vec<String>, String> {
        let text = Text::of_seed(self.options.language, seed);
        let language = text.language();
        self.tally.model(language);
        let mut findings = self.check(&text, &mut Numbers::new(seed ^ 0xC0DE))?;
        self.tally.findings += findings.len() as u64;
        // What is wrong with one command is wrong with others, too.
        let mut kinds = HashSet::new();
        findings.retain(|finding| kinds.insert(finding.kind));
        let mut shown = Vec::new();
        for finding in findings {
            let searches: Vec<&str> = finding.runs.iter().map(|it| it.search.as_str()).collect();
            let name = format!("{language:?}, {:?}: {}", finding.kind, searches.join(" / "));
            let count = self.known.entry(name.clone()).or_default();
            *count += 1;
            if *count <= SHOWN {
                shown.push(self.show(&text, &finding, &format!("seed {seed}, {name}"))?);
            }
        }
        Ok(shown)
    }

    fn check(&mut self, text: &Text, numbers: &mut Numbers) -> Result<Vec<Finding>, String> {
        self.vizsla.write(text)?;
        let mut findings = Vec::new();
        let reference = self.run(text, &Combination::reference(), &mut findings)?;
        if let Outcome::Refused(why) | Outcome::Unknown(why) = &reference.answer.outcome {
            *self.tally.left_out.entry(without_names(why)).or_default() += 1;
            return Ok(findings);
        }
        let mut runs = vec![reference];
        for combination in self.combinations(text, numbers) {
            if let Some(why) = self.obstacle(text, &combination) {
                *self.tally.skipped.entry(why.into()).or_default() += 1;
                continue;
            }
            runs.push(self.run(text, &combination, &mut findings)?);
        }
        self.repeat(text, numbers.pick(&runs), &mut findings)?;
        self.compare(text, &runs, &mut findings);
        Ok(findings)
    }

    /// Why a combination is not for a text.
    fn obstacle(&self, text: &Text, combination: &Combination) -> Option<&'static str> {
        let blind = combination.towards && !self.vizsla.has_trace();
        let bound = combination.converted && text.is_bound_to_file();
        blind
            .then_some("no trace to go towards")
            .or(bound.then_some("options that need the text itself"))
    }

    fn combinations(&self, text: &Text, numbers: &mut Numbers) -> Vec<Combination> {
        if self.options.all {
            return Combination::all();
        }
        let mut all: Vec<_> = (0..SOME).map(|_| Combination::random(numbers)).collect();
        if numbers.chance(25) {
            let costs = costs(text, numbers);
            all.extend((0..3).map(|_| Combination::with_costs(numbers, &costs)));
        }
        all
    }

    /// One run, judged by itself.
    fn run(
        &mut self,
        text: &Text,
        combination: &Combination,
        findings: &mut Vec<Finding>,
    ) -> Result<Checked, String> {
        let answer = self.vizsla.check(text, combination)?;
        self.tally.run(combination, &answer.outcome);
        let mut note = |kind| findings.push(Finding { kind, runs: vec![combination.clone()] });
        if answer.length.is_some() {
            self.tally.comparison("replay");
            if self.vizsla.replay(text)?.is_some() {
                note(DefectKind::Replay);
            }
        }
        if answer.outcome == Outcome::Goal && !self.vizsla.has_trace() {
            self.vizsla.keep_trace();
        }
        let run = Checked { combination: combination.clone(), answer };
        judge::alone(&run).map(note);
        Ok(run)
    }

    /// Runs one of the commands again: the same must come out.
    fn repeat(
        &mut self,
        text: &Text,
        run: Option<&Checked>,
        findings: &mut Vec<Finding>,
    ) -> Result<(), String> {
        let Some(run) = run.filter(|run| run.answer.is_decided()) else { return Ok(()) };
        self.tally.comparison("the same again");
        let again = self.vizsla.check(text, &run.combination)?;
        let late = matches!(&again.outcome, Outcome::Unknown(why) if why.contains("time limit"));
        if !late && again.report != run.answer.report {
            findings
                .push(Finding { kind: DefectKind::Repeat, runs: vec![run.combination.clone()] });
        }
        Ok(())
    }

    /// Judges answers together.
    fn compare(&mut self, text: &Text, runs: &[Checked], findings: &mut Vec<Finding>) {
        let truth = oracle::consult(text);
        let exact = oracle::keeps_promises(text);
        for (i, run) in runs.iter().enumerate().filter(|(_, run)| run.answer.is_decided()) {
            let mut note = |kind: Option<DefectKind>, runs: &[&Checked]| {
                let runs = runs.iter().map(|run| run.combination.clone()).collect();
                findings.extend(kind.map(|kind| Finding { kind, runs }));
            };
            if let Some(truth) = &truth {
                self.tally.comparison(truth.name());
                note(judge::against(run, truth), &[run]);
            }
            if exact {
                self.tally.comparison("promise");
                note(judge::promise(run), &[run]);
            }
            for other in runs[i + 1..].iter().filter(|other| other.answer.is_decided()) {
                self.tally.comparison(pair_name(run, other));
                note(judge::pair(run, other), &[run, other]);
            }
        }
    }

    /// A finding with a small text.
    fn show(&self, text: &Text, finding: &Finding, name: &str) -> Result<String, String> {
        // Waiting for what hangs takes long.
        let most = if finding.kind == DefectKind::Hang { ATTEMPTS / 60 } else { ATTEMPTS };
        let mut attempts = 0;
        let small = match self.options.shrink {
            false => text.clone(),
            true => shrink(text.clone(), &mut |smaller| {
                attempts += 1;
                attempts <= most && self.again(smaller, finding).is_some()
            }),
        };
        let lines = self.again(&small, finding);
        let lines = lines.unwrap_or_else(|| vec!["(it does not happen again)".into()]);
        let lines = lines.join("\n");
        Ok(format!("## {name}\n```\n{}```\n{}\n", small.source(), lines.trim_end()))
    }

    /// The commands of a finding with their answers, if the text has it.
    fn again(&self, text: &Text, finding: &Finding) -> Option<Vec<String>> {
        self.vizsla.write(text).ok()?;
        if finding.runs.iter().any(|combination| combination.towards) {
            self.vizsla.check(text, &Combination::reference()).ok()?;
            self.vizsla.keep_trace();
        }
        let mut runs = Vec::new();
        for combination in &finding.runs {
            let answer = self.vizsla.check(text, combination).ok()?;
            runs.push(Checked { combination: combination.clone(), answer });
        }
        let reason = self.reason(text, finding.kind, &runs)?;
        let said = |run: &Checked| {
            format!("{}\n    {}", command(text, &run.combination), run.answer.words())
        };
        Some(runs.iter().map(said).chain([reason]).collect())
    }

    /// Why these runs are a finding of a kind, if they are.
    fn reason(&self, text: &Text, kind: DefectKind, runs: &[Checked]) -> Option<String> {
        let same = |found: Option<DefectKind>| found.filter(|found| *found == kind);
        match (kind, runs) {
            (DefectKind::Replay, [run]) => {
                run.answer.length?;
                let complaint = self.vizsla.replay(text).ok()??;
                Some(format!("vizsla replay t.json\n    {complaint}"))
            }
            (DefectKind::Repeat, [run]) => {
                let again = self.vizsla.check(text, &run.combination).ok()?;
                let differs = again.report != run.answer.report;
                differs.then(|| format!("again\n    {}", again.words()))
            }
            (DefectKind::Oracle, [run]) => {
                let truth = oracle::consult(text)?;
                same(judge::against(run, &truth)).map(|_| format!("oracle: {:?}", truth.found))
            }
            (DefectKind::Promise, [run]) => same(judge::promise(run))
                .filter(|_| oracle::keeps_promises(text))
                .map(|_| "not proven shortest".into()),
            (_, [run]) => same(judge::alone(run)).map(|_| String::new()),
            (_, [first, second]) => same(judge::pair(first, second)).map(|_| String::new()),
            _ => None,
        }
    }
}

impl Truth {
    /// What comparing with it is called in the summary.
    fn name(&self) -> &'static str {
        match self.found {
            oracle::Found::TooMuch => "oracle gave up",
            oracle::Found::Goal(_) => "oracle: goal",
            oracle::Found::Nothing => "oracle: no goal",
            oracle::Found::Error(_) | oracle::Found::Doubtful(_) => "oracle: error",
        }
    }
}

fn pair_name(a: &Checked, b: &Checked) -> &'static str {
    match (a.answer.shortest && b.answer.shortest, a.answer.cheapest && b.answer.cheapest) {
        (true, _) => "proven lengths",
        (_, true) => "proven costs",
        _ => "verdicts",
    }
}

/// What steps cost.
fn costs(text: &Text, numbers: &mut Numbers) -> Vec<String> {
    let mut rules = vec![format!("every = {}", numbers.between(0, 3))];
    if numbers.chance(50) {
        rules.push(format!("communication = {}", numbers.between(0, 4)));
    }
    let processes: &[&str] = match text {
        Text::Uppaal(_) => &["T0", "T1", "T2"],
        Text::Promela { .. } => &["P0", "P1"],
        Text::Symmetric { .. } => &["P"],
    };
    let source = text.source();
    for name in processes.iter().filter(|name| source.contains(**name)) {
        if numbers.chance(40) {
            rules.push(format!("process {name} = {}", numbers.between(0, 5)));
        }
    }
    rules
}

/// The command as it can be typed.
fn command(text: &Text, combination: &Combination) -> String {
    let convert = match combination.converted {
        true => {
            format!("vizsla convert {} --to network -o {CONVERTED}\n", text.convertible().join(" "))
        }
        false => String::new(),
    };
    let quoted = |word: &String| match word.contains(|c: char| " <>()!&|'".contains(c)) {
        true => format!("'{}'", word.replace('\'', "'\\''")),
        false => word.clone(),
    };
    let words: Vec<String> = Vizsla::arguments(text, combination).iter().map(quoted).collect();
    format!("{convert}vizsla {}", words.join(" "))
}
