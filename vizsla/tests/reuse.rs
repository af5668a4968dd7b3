//! Tables that one session makes for several questions: answers are those of each question asked alone, and
//! work is not done twice.

use vizsla::{
    Answer, Cancellation, Cause, Control, Estimator, Input, Limits, Model, Observer, Options,
    Reason, Session, Statistics, TableAccount, Verdict, check,
};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/uppaal/examples");

const HEURISTICS: [&str; 6] = [
    "patterns",
    "russian-doll",
    "downward-pattern",
    "downward-pattern-clocks",
    "cone-of-influence",
    "predicate-abstraction",
];

fn load(input: Input) -> Model {
    Model::load(input).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn options(search: &str, heuristic: &str) -> Options {
    let options = Options::searching(search).expect("a search");
    Options { heuristic: Estimator::named(heuristic), ..options }
}

/// What an answer says, times and what was known before aside.
#[derive(Debug, PartialEq)]
struct Said {
    verdict: Verdict,
    length: Option<usize>,
    shortest: bool,
    statistics: Statistics,
    proven_by: Option<&'static str>,
    tables: Vec<TableAccount>,
}

impl Said {
    fn by(answer: &Answer) -> Said {
        let anew = |table: &TableAccount| TableAccount { reused: false, ..table.clone() };
        Said {
            verdict: answer.verdict,
            length: answer.trace().map(|trace| trace.steps.len()),
            shortest: answer.shortest,
            statistics: answer.statistics,
            proven_by: answer.proven_by,
            tables: answer.tables.iter().map(anew).collect(),
        }
    }
}

fn count_reused(answer: &Answer) -> usize {
    answer.tables.iter().filter(|table| table.reused).count()
}

/// With limits that change from question to question as well.
///
/// Seen to fail: without goals among states that are reused, and with nothing kept.
#[test]
fn answers_are_those_of_each_question_alone() {
    for model in ["peterson.xta", "csma-cd.xta", "bridge.xta"] {
        let model = load(Input::file(format!("{EXAMPLES}/{model}")));
        let mut reused = 0;
        for heuristic in HEURISTICS {
            for search in ["astar", "greedy", "auto"] {
                let mut session = Session::new(&model);
                for (number, property) in model.properties().enumerate() {
                    let states = [None, Some(2000), Some(30)][number % 3];
                    let limits = Limits { states, ..Limits::default() };
                    let options = Options { limits, ..options(search, heuristic) };
                    let alone = check(&model, property, &options, &mut ());
                    let answer = session.check(property, &options, &mut ());
                    let name = format!("{}, {search}, {heuristic}, {number}", model.path);
                    assert_eq!(Said::by(&answer), Said::by(&alone), "{name}");
                    reused += count_reused(&answer);
                }
            }
        }
        println!("{}: {reused}", model.path);
        assert!(reused > 20, "{}: {reused}", model.path);
    }
}

/// Six counters: a table of all of them has a million states.
const COUNTERS: &str = "typedef int[0,5] id_t;
    process P(const id_t id) { int[0,9] n; state A; init A;
        trans A -> A { guard n < 9; assign n = n + 1; }, A -> A { guard n == 9; assign n = 0; }; }
    system P;";

/// Ends the work while a table is made, one way or the other.
struct Impatient(Option<Cancellation>);

impl Observer for Impatient {
    fn tick(&mut self, _: &Statistics) -> Control {
        Control::Continue
    }

    fn prepares(&mut self, statistics: &Statistics) -> Control {
        match &self.0 {
            _ if statistics.stored < 1000 => Control::Continue,
            Some(cancellation) => {
                cancellation.end(Cause::Time);
                Control::Continue
            }
            None => Control::Stop(Reason::Interrupted),
        }
    }
}

/// What was not finished is not taken for something that was.
///
/// Seen to fail: with what was stopped kept.
#[test]
fn work_that_was_ended_leaves_nothing() {
    let query = |value: i32| format!("E<> forall (i : id_t) P(i).n == {value}");
    let model = load(Input::text("m.xta", COUNTERS).query(query(8)).query(query(9)));
    let properties: Vec<_> = model.properties().collect();
    let limits = Limits { states: Some(3000), ..Limits::default() };
    let options = Options { limits, ..options("astar", "cone-of-influence") };
    for cancellation in [Some(Cancellation::default()), None] {
        let mut session = Session::new(&model);
        let ended = Options { cancellation: cancellation.clone(), ..options.clone() };
        let answer = session.check(properties[0], &ended, &mut Impatient(cancellation));
        assert_eq!(answer.verdict, Verdict::Unknown);
        for (property, reused) in [(properties[0], 0), (properties[1], 1)] {
            let answer = session.check(property, &options, &mut ());
            assert_eq!(answer.cut_off, Some(Reason::States));
            assert_eq!((answer.tables.len(), count_reused(&answer)), (1, reused));
        }
    }
}
