//! Which answers cannot all be right.
//!
//! What may differ: a run-time error may be found instead of an answer, and a search that looks ahead
//! need not meet it; a limit may be reached; a trace may be longer where nothing is proven.

use super::answer::{Answer, Outcome};
use super::combination::{Combination, LOWER_BOUNDS};
use super::oracle::{Found, Truth};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DefectKind {
    /// The program broke down or contradicted itself.
    Crash,
    /// The program did not end.
    Hang,
    /// The parts of a report do not fit together.
    Report,
    /// A saved trace is refused.
    Replay,
    /// The same command gave another report.
    Repeat,
    /// One found a trace, the other proved that there is none.
    Verdict,
    /// One proved a length that the other beats.
    Length,
    /// One proved a cost that the other beats.
    Cost,
    /// One met an error where the other saw everything and none, or said that there can be none.
    Error,
    /// A search did not keep what it promises.
    Promise,
    /// The oracle says otherwise.
    Oracle,
}

/// A run with its answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// What was run.
    pub combination: Combination,
    /// What it said.
    pub answer: Answer,
}

/// What is wrong with one answer by itself.
pub fn alone(run: &Checked) -> Option<DefectKind> {
    match run.answer.outcome {
        Outcome::Crash => Some(DefectKind::Crash),
        Outcome::Late => Some(DefectKind::Hang),
        Outcome::Refused(_) => None,
        _ => (!is_consistent(run)).then_some(DefectKind::Report),
    }
}

/// Whether the parts of a report fit together.
fn is_consistent(run: &Checked) -> bool {
    let answer = &run.answer;
    let has_trace = matches!(answer.outcome, Outcome::Goal | Outcome::Error);
    let codes: &[i32] = match (&answer.outcome, answer.verdict.as_str()) {
        (Outcome::Error, _) | (_, "violated") => &[1],
        (_, "satisfied") => &[0],
        _ => &[2, 3],
    };
    let ending = match answer.outcome {
        Outcome::Goal => answer.ending == "goal" || answer.error.is_some(),
        Outcome::Error => answer.ending == "error",
        _ => answer.ending.is_empty(),
    };
    answer.code.is_some_and(|code| codes.contains(&code))
        && has_trace == answer.length.is_some()
        && answer.steps == answer.length
        && ending
        && !(answer.shortest && answer.length.is_none())
        && !(answer.shortest && answer.cost.is_some())
        && (!has_trace || answer.cost.is_some() != run.combination.costs.is_empty())
}

/// What a search says about itself, where zones describe exactly what the model can do.
pub fn promise(run: &Checked) -> Option<DefectKind> {
    let found = run.answer.outcome == Outcome::Goal && !run.answer.cut_off;
    let broken = found && run.combination.promises_shortest() && !run.answer.shortest;
    broken.then_some(DefectKind::Promise)
}

/// What is wrong with two answers to the same question.
pub fn pair(a: &Checked, b: &Checked) -> Option<DefectKind> {
    one_way(a, b).or_else(|| one_way(b, a))
}

fn one_way(a: &Checked, b: &Checked) -> Option<DefectKind> {
    let (first, second) = (&a.answer, &b.answer);
    match (&first.outcome, &second.outcome) {
        (Outcome::NoGoal, Outcome::Goal) => return Some(DefectKind::Verdict),
        (Outcome::NoGoal, Outcome::Error) if a.combination.is_exhaustive() => {
            return Some(DefectKind::Error);
        }
        (Outcome::Goal | Outcome::NoGoal, Outcome::Error) if !first.may_have_errors => {
            return Some(DefectKind::Error);
        }
        (Outcome::Error, Outcome::Goal) if misses(a, second.length.unwrap_or(0)) => {
            return Some(DefectKind::Length);
        }
        _ => {}
    }
    // An error on the way does not make a shortest path to the goal longer.
    let counts = second.outcome == Outcome::Goal || first.outcome == Outcome::Error;
    let shorter = second.length < first.length && second.length.is_some();
    if first.shortest && shorter && counts {
        return Some(DefectKind::Length);
    }
    let same_costs = a.combination.costs == b.combination.costs;
    let cheaper = second.cost < first.cost && second.cost.is_some();
    if first.cheapest && same_costs && cheaper && second.outcome == Outcome::Goal {
        return Some(DefectKind::Cost);
    }
    exceeds(a, b).then_some(DefectKind::Promise)
}

/// Whether a careful search came to an error although a goal is no farther than that.
fn misses(run: &Checked, goal: u64) -> bool {
    // The searches of a plan look for any goal first, and end where they meet an error.
    let careful = run.combination.promises_shortest() && run.combination.search != "anytime";
    careful && run.answer.length.is_some_and(|length| goal <= length)
}

/// Whether a trace of weighted A* is longer than its weight allows.
fn exceeds(a: &Checked, b: &Checked) -> bool {
    let bounded = LOWER_BOUNDS.contains(&a.combination.heuristic.as_str());
    let both = a.answer.outcome == Outcome::Goal && b.answer.outcome == Outcome::Goal;
    let (Some(long), Some(short)) = (a.answer.length, b.answer.length) else { return false };
    let Some(weight) = a.combination.weight() else { return false };
    let unit = a.combination.costs.is_empty() && b.combination.costs.is_empty();
    bounded && both && unit && long as f64 > weight * short as f64
}

/// What is wrong with an answer in the eyes of the oracle.
pub fn against(run: &Checked, truth: &Truth) -> Option<DefectKind> {
    let answer = &run.answer;
    let certain = answer.error.as_ref().is_none_or(|kind| truth.certain.contains(&kind.as_str()));
    let length = answer.length.unwrap_or(0);
    let too_long = |steps| answer.shortest && length > steps;
    let too_short = |steps| truth.is_exact && certain && length < steps;
    let wrong = match (truth.found, &answer.outcome) {
        _ if !answer.is_decided() => false,
        (Found::TooMuch, _) => false,
        (Found::Goal(_), Outcome::NoGoal) => true,
        (Found::Goal(steps), Outcome::Goal) => too_long(steps) || too_short(steps),
        (Found::Goal(steps), _) => too_long(steps) || certain && misses(run, steps),
        (Found::Nothing, Outcome::NoGoal) => false,
        (Found::Nothing, _) => truth.is_exact && certain,
        (Found::Error(_), Outcome::NoGoal) => truth.is_exact && run.combination.is_exhaustive(),
        (Found::Doubtful(_), Outcome::NoGoal) => false,
        // There is no goal after as few steps, but there may be another error.
        (Found::Error(steps) | Found::Doubtful(steps), Outcome::Goal) => {
            too_short(steps + u64::from(answer.error.is_none()))
        }
        (Found::Error(steps), _) => {
            too_short(steps) || run.combination.is_exhaustive() && too_long(steps)
        }
        (Found::Doubtful(steps), _) => too_short(steps),
    };
    wrong.then_some(DefectKind::Oracle)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(search: &str, outcome: Outcome, length: Option<u64>) -> Checked {
        let verdict = match outcome {
            Outcome::Goal => "satisfied",
            Outcome::NoGoal => "violated",
            _ => "unknown",
        };
        let (ending, error, code) = match outcome {
            Outcome::Goal => ("goal", None, 0),
            Outcome::NoGoal => ("", None, 1),
            Outcome::Error => ("error", Some("out-of-range".into()), 1),
            _ => ("", None, 3),
        };
        let answer = Answer {
            outcome,
            verdict: verdict.into(),
            length,
            steps: length,
            ending: ending.into(),
            error,
            code: Some(code),
            may_have_errors: true,
            ..Answer::default()
        };
        Checked { combination: Combination::of(search, "auto"), answer }
    }

    fn without_errors(mut run: Checked) -> Checked {
        run.answer.may_have_errors = false;
        run
    }

    fn proven(mut run: Checked) -> Checked {
        run.answer.shortest = true;
        run
    }

    fn with_cost(mut run: Checked, cost: u64) -> Checked {
        run.combination.costs = vec!["every = 2".into()];
        (run.answer.cost, run.answer.cheapest) = (Some(cost), true);
        run
    }

    fn truth(found: Found) -> Truth {
        Truth { found, is_exact: true, certain: &["assertion", "out-of-range"] }
    }

    fn goal(search: &str, length: u64) -> Checked {
        run(search, Outcome::Goal, Some(length))
    }

    fn error(search: &str, length: u64) -> Checked {
        run(search, Outcome::Error, Some(length))
    }

    fn nothing(search: &str) -> Checked {
        run(search, Outcome::NoGoal, None)
    }

    #[test]
    fn what_fits_is_left_alone() {
        for run in [goal("dfs", 3), nothing("dfs"), error("dfs", 2), proven(goal("bfs", 2))] {
            assert_eq!(alone(&run), None, "{run:?}");
        }
        assert_eq!(alone(&run("bfs", Outcome::Unknown("a limit".into()), None)), None);
        assert_eq!(alone(&with_cost(goal("astar", 2), 4)), None);
        assert_eq!(pair(&proven(goal("bfs", 2)), &goal("dfs", 3)), None);
        assert_eq!(pair(&nothing("auto"), &error("dfs", 2)), None);
        assert_eq!(pair(&proven(goal("bfs", 5)), &error("dfs", 2)), None);
        assert_eq!(pair(&error("dfs", 9), &goal("auto", 2)), None);
        assert_eq!(pair(&error("anytime", 2), &goal("bfs", 1)), None);
        assert_eq!(promise(&proven(goal("bfs", 2))), None);
        assert_eq!(promise(&goal("dfs", 2)), None);
        let mut cut_off = goal("bounded-dfs", 2);
        cut_off.answer.cut_off = true;
        assert_eq!(promise(&cut_off), None);
    }

    #[test]
    fn a_report_that_contradicts_itself_is_noticed() {
        let broken: [fn(&mut Checked); 8] = [
            |run| run.answer.code = Some(1),
            |run| run.answer.length = None,
            |run| run.answer.steps = Some(1),
            |run| run.answer.ending = "error".into(),
            |run| run.answer.ending = String::new(),
            |run| run.answer.cost = Some(1),
            |run| run.answer.verdict = "unknown".into(),
            |run| run.combination.costs = vec!["every = 1".into()],
        ];
        for break_it in broken {
            let mut run = proven(goal("bfs", 2));
            break_it(&mut run);
            assert_eq!(alone(&run), Some(DefectKind::Report), "{run:?}");
        }
        assert_eq!(alone(&proven(nothing("bfs"))), Some(DefectKind::Report));
        assert_eq!(alone(&run("bfs", Outcome::Crash, None)), Some(DefectKind::Crash));
        assert_eq!(alone(&run("bfs", Outcome::Late, None)), Some(DefectKind::Hang));
    }

    #[test]
    fn answers_that_contradict_each_other_are_noticed() {
        let cases = [
            (nothing("auto"), goal("dfs", 7), DefectKind::Verdict),
            (proven(goal("bfs", 3)), goal("dfs", 2), DefectKind::Length),
            (proven(error("astar", 3)), error("dfs", 2), DefectKind::Length),
            (error("bounded-dfs", 2), goal("auto", 2), DefectKind::Length),
            (nothing("bfs"), error("dfs", 2), DefectKind::Error),
            (without_errors(nothing("auto")), error("dfs", 2), DefectKind::Error),
            (without_errors(goal("auto", 1)), error("dfs", 2), DefectKind::Error),
            (
                with_cost(goal("astar", 2), 4),
                with_cost(goal("bounded-dfs", 2), 5),
                DefectKind::Cost,
            ),
        ];
        for (a, b, kind) in cases {
            assert_eq!(pair(&a, &b), Some(kind), "{a:?} {b:?}");
            assert_eq!(pair(&b, &a), Some(kind), "{a:?} {b:?}");
        }
    }

    #[test]
    fn broken_promises_are_noticed() {
        assert_eq!(promise(&goal("bfs", 2)), Some(DefectKind::Promise));
        let mut weighted = goal("weighted-astar", 7);
        weighted.combination.heuristic = "graph-max".into();
        assert_eq!(pair(&weighted, &goal("dfs", 2)), Some(DefectKind::Promise));
        assert_eq!(pair(&weighted, &goal("dfs", 3)), None);
    }

    #[test]
    fn the_oracle_is_believed() {
        let cases = [
            (Found::Goal(2), nothing("auto")),
            (Found::Goal(2), goal("dfs", 1)),
            (Found::Goal(2), proven(goal("bfs", 3))),
            (Found::Goal(2), error("bfs", 3)),
            (Found::Nothing, goal("dfs", 3)),
            (Found::Nothing, error("dfs", 3)),
            (Found::Error(2), nothing("bfs")),
            (Found::Error(2), goal("dfs", 2)),
            (Found::Error(2), error("dfs", 1)),
            (Found::Error(2), proven(error("bfs", 3))),
            (Found::Doubtful(2), goal("dfs", 2)),
            (Found::Doubtful(2), error("dfs", 1)),
        ];
        for (found, run) in cases {
            assert_eq!(against(&run, &truth(found)), Some(DefectKind::Oracle), "{found:?} {run:?}");
        }
        let cases = [
            (Found::Goal(2), goal("dfs", 3)),
            (Found::Goal(2), proven(goal("bfs", 2))),
            (Found::Nothing, nothing("bfs")),
            (Found::Error(2), nothing("auto")),
            (Found::Error(2), goal("auto", 3)),
            (Found::Doubtful(2), nothing("bfs")),
            (Found::TooMuch, goal("dfs", 1)),
        ];
        for (found, run) in cases {
            assert_eq!(against(&run, &truth(found)), None, "{found:?} {run:?}");
        }
    }
}
