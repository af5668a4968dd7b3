//! The library as a program uses it: models at hand, questions one after the other, answers with runs.

use std::time::Duration;
use vizsla::finding::FindingKind;
use vizsla::{
    Cancellation, Cause, Control, Input, Language, Limits, Model, Observer, Options, Phase, Reason,
    Refusal, Session, Statistics, Switch, Symmetry, Verdict, check, replay,
};

/// A chain of processes, each started by the one before.
const CHAIN: &str = "byte n;
    proctype P(byte left) { n++; if :: left > 0 -> run P(left - 1) :: else fi }
    init { run P(9) }";

/// Sixteen counters: too many states for a test.
const HUGE: &str = "typedef int[0,15] id_t;
    process P(const id_t id) { int[0,9] n; state A; init A;
        trans A -> A { guard n < 9; assign n = n + 1; }, A -> A { guard n == 9; assign n = 0; }; }
    system P;";

fn load(input: Input) -> Model {
    Model::load(input).unwrap_or_else(|refusal| panic!("{refusal}"))
}

#[test]
fn a_model_knows_its_language() {
    let uppaal = load(Input::text("m", HUGE));
    let promela = load(Input::text("m", CHAIN));
    let network = load(Input::text("m", network::print(&promela.network)));
    let languages = [&uppaal, &promela, &network].map(|model| model.language);
    assert_eq!(languages, [Language::Uppaal, Language::Promela, Language::Network]);
    let refused = Model::load(Input::text("m", CHAIN).language(Language::Uppaal));
    assert!(matches!(refused, Err(Refusal::Input(_))));
}

#[test]
fn a_refusal_names_the_place() {
    let refused = Model::load(Input::text("m.xta", "int x;\nint y = z;\nsystem P;"));
    let text = refused.expect_err("wrong").to_string();
    assert!(text.starts_with("m.xta:2:9: "), "{text}");
}

/// The model of the answer has as much room as it took; that is kept for the next question.
#[test]
fn a_session_keeps_the_room_that_it_took() {
    let input = Input::text("m.pml", CHAIN).query("E<> n == 10").query("A[] n < 10");
    let model = load(input);
    let properties: Vec<_> = model.properties().collect();
    let (mut session, mut phases) = (Session::new(&model), Phases::default());
    let options = Options::searching("bfs").expect("a search");
    let first = session.check(properties[0], &options, &mut phases);
    assert_eq!(first.verdict, Verdict::Satisfied);
    assert!(first.model.network.processes.len() > model.network.processes.len());
    assert!(phases.0.contains(&Phase::Reload));
    phases.0.clear();
    let second = session.check(properties[1], &options, &mut phases);
    assert_eq!(second.verdict, Verdict::Violated);
    assert_eq!(phases.0, [Phase::Search, Phase::Confirm]);
    assert_eq!(second.model.network.processes.len(), first.model.network.processes.len());
    // The simple form finds the same.
    let again = check(&model, properties[1], &options, &mut ());
    assert_eq!(again.trace(), second.trace());
}

/// Remembers what was done.
#[derive(Default)]
struct Phases(Vec<Phase>);

impl Observer for Phases {
    fn enters(&mut self, phase: Phase) {
        self.0.push(phase);
    }
}

/// No room is ever enough: that is an error of the model.
#[test]
fn what_no_room_suffices_for_is_an_error() {
    let text = "proctype P() { run P(); false } init { run P() }";
    let model = load(Input::text("m.pml", text));
    let answer = &model.check_all(&Options::searching("dfs").expect("a search"))[0];
    assert_eq!(answer.verdict, Verdict::Violated, "{:?}", answer.reason);
    assert!(answer.error.is_some());
}

#[test]
fn an_observer_ends_a_search() {
    struct Stopping;
    impl Observer for Stopping {
        fn tick(&mut self, statistics: &Statistics) -> Control {
            match statistics.explored > 1000 {
                true => Control::Stop(Reason::Interrupted),
                false => Control::Continue,
            }
        }
    }
    let model = load(Input::text("m.xta", HUGE).query("A[] true"));
    let property = model.properties().next().expect("a property");
    let options = Options::searching("bfs").expect("a search");
    let answer = check(&model, property, &options, &mut Stopping);
    assert_eq!(answer.verdict, Verdict::Unknown);
    assert_eq!(answer.cut_off, Some(Reason::Interrupted));
    let limits = Limits { states: Some(100), ..Limits::default() };
    let limited = Options { limits, ..options };
    let answer = check(&model, property, &limited, &mut ());
    assert_eq!((answer.verdict, answer.cut_off), (Verdict::Unknown, Some(Reason::States)));
}

/// Ends the work while a table is made, one way or the other.
struct Impatient {
    cancellation: Option<Cancellation>,
    searched: u64,
}

impl Observer for Impatient {
    fn tick(&mut self, statistics: &Statistics) -> Control {
        self.searched = statistics.explored;
        match self.searched < 1000 {
            true => Control::Continue,
            false => Control::Stop(Reason::Budget),
        }
    }

    fn prepares(&mut self, statistics: &Statistics) -> Control {
        match &self.cancellation {
            _ if statistics.stored < 1000 => Control::Continue,
            Some(cancellation) => {
                cancellation.end(Cause::Time);
                Control::Continue
            }
            None => Control::Stop(Reason::Interrupted),
        }
    }
}

/// The question whose table has 10^6 states.
fn tabled(search: &str) -> (Model, Options) {
    let model = load(Input::text("m.xta", HUGE).query("E<> forall (i : id_t) P(i).n == 9"));
    let heuristic = vizsla::Estimator::named("cone-of-influence");
    let options = Options::searching(search).expect("a search");
    // One counter after the other would not take long, nor would counters that are taken for each other.
    let (partial_order, symmetry) = (Switch::Off, Symmetry::None);
    (model, Options { heuristic, partial_order, symmetry, ..options })
}

/// Nobody searches with a table that was not wanted any more.
///
/// Seen to fail: with a search after the observer has said stop, and with a heuristic that is made
/// while nobody watches.
#[test]
fn a_table_is_made_within_limits() {
    for search in ["astar", "greedy", "auto"] {
        let (model, options) = tabled(search);
        let property = model.properties().next().expect("a property");
        let mut stopping = Impatient { cancellation: None, searched: 0 };
        let answer = check(&model, property, &options, &mut stopping);
        assert_eq!(answer.verdict, Verdict::Unknown, "{search}");
        assert_eq!((answer.cut_off, stopping.searched), (Some(Reason::Interrupted), 0), "{search}");

        let cancellation = Some(Cancellation::default());
        let mut ending = Impatient { cancellation: cancellation.clone(), searched: 0 };
        let cancelled = Options { cancellation, ..options.clone() };
        let answer = check(&model, property, &cancelled, &mut ending);
        let reason = answer.reason.as_ref().map(ToString::to_string).unwrap_or_default();
        assert_eq!((answer.verdict, ending.searched), (Verdict::Unknown, 0), "{search}");
        assert!(reason.starts_with("the time limit was reached"), "{search}: {reason}");
        if search != "auto" {
            let told = "before the heuristic cone-of-influence was ready; ";
            assert!(reason.contains(told) && reason.ends_with("explored for it"), "{reason}");
        }

        let limits = Limits { states: Some(2000), ..Limits::default() };
        let answer = check(&model, property, &Options { limits, ..options }, &mut ());
        let table = answer.tables.first().map(|table| (table.truncated, table.states / 1000));
        assert_eq!(table, Some((true, 2)), "{search}: {:?}", answer.tables);
        assert_eq!((answer.verdict, answer.cut_off), (Verdict::Unknown, Some(Reason::States)));
    }
}

/// What was found is a run, and what was tampered with is none.
#[test]
fn runs_are_replayed() {
    let text = "int[0,3] n;
        process P() { state A; init A; trans A -> A { guard n < 3; assign n = n + 1; }; }
        system P;";
    let model = load(Input::text("m.xta", text).query("E<> n == 3"));
    let property = model.properties().next().expect("a property");
    let answer = check(&model, property, &Options::default(), &mut ());
    let mut trace = answer.trace().expect("a trace").clone();
    assert_eq!(trace.steps.len(), 3);
    let witness = replay(&model, property, trace.clone()).expect("a run");
    assert_eq!(witness.file, answer.witness.expect("a run").file);
    trace.steps.pop();
    assert!(replay(&model, property, trace).is_err());
}

#[test]
fn a_network_is_a_model() {
    let text = "network 1 process P { location a; location b; init a; edge a -> b; }
        property \"b\" reachable P at b";
    let model = Model::of_network(network::parse(text).expect("a network")).expect("a model");
    let answers = model.check_all(&Options::default());
    assert_eq!((answers[0].verdict, answers[0].shortest), (Verdict::Satisfied, true));
}

#[test]
fn time_is_limited() {
    let model = load(Input::text("m.xta", HUGE).query("A[] true"));
    let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
    let options = Options { limits, ..Options::searching("bfs").expect("a search") };
    let property = model.properties().next().expect("a property");
    let answer = check(&model, property, &options, &mut ());
    assert_eq!((answer.verdict, answer.cut_off), (Verdict::Unknown, Some(Reason::Time)));
    assert_eq!(answer.reason, Some(Reason::Time.describe().into()));
}

/// Two questions at once: what ends one of them is nothing to the other.
#[test]
fn questions_are_answered_side_by_side() {
    let model = load(Input::text("m.xta", HUGE).query("A[] true"));
    let property = model.properties().next().expect("a property");
    let impatient = Options {
        cancellation: Some(Cancellation::default()),
        ..Options::searching("bfs").expect("a search")
    };
    let limits = Limits { states: Some(200_000), ..Limits::default() };
    let patient =
        Options { limits, cancellation: Some(Cancellation::default()), ..impatient.clone() };
    let ask = |options| check(&model, property, options, &mut ());
    let (first, second) = std::thread::scope(|scope| {
        let first = scope.spawn(|| ask(&impatient));
        let second = scope.spawn(|| ask(&patient));
        impatient.cancellation.as_ref().expect("a handle").end(Cause::Interruption);
        (first.join().expect("an answer"), second.join().expect("an answer"))
    });
    assert_eq!(first.reason, Some("interrupted".into()));
    assert_eq!(second.cut_off, Some(Reason::States));
}

/// As deep as the language allows, on the stack of an ordinary thread.
#[test]
fn deep_models_need_no_deep_stack() {
    let deep = |operator: &str| {
        let (open, close) = (format!("(n {operator} ").repeat(120), ")".repeat(120));
        format!("{open}1{close}")
    };
    let (guard, query) = (deep("+"), format!("E<> {} > 0", deep("+")));
    let text = format!(
        "int n; process P() {{ state A, B; init A; trans A -> B {{ guard {guard} > 0; }}; }}
         system P;"
    );
    let answers = load(Input::text("m.xta", text).query(query)).check_all(&Options::default());
    assert_eq!(answers[0].verdict, Verdict::Satisfied);
    let text = format!("int n; active proctype P() {{ do :: {guard} > 0 -> n = {guard} od }}");
    let model = load(Input::text("m.pml", text).query("E<> n == 121"));
    assert_eq!(model.check_all(&Options::default())[0].verdict, Verdict::Satisfied);
}

/// Long chains are as deep as they are long.
#[test]
fn long_chains_need_no_deep_stack() {
    let chain = vec!["n >= 0"; 3900].join(" && ");
    let text = format!(
        "int n; process P() {{ state A, B; init A; trans A -> B {{ guard {chain}; }}; }}
         system P;"
    );
    let input = Input::text("m.xta", text).query(format!("E<> P.B && {chain}"));
    let answers = load(input).check_all(&Options::default());
    assert_eq!(answers[0].verdict, Verdict::Satisfied);
}

/// Run-time errors that count make no invalid end of a state that a network is asked for.
#[test]
fn ends_are_invalid_in_promela_only() {
    let kind = |claim: &str| {
        let process = "process P { location A; location B; init A; edge A -> B; }";
        let text = format!("network 1 {process} property \"p\" counts errors {claim}");
        let model = load(Input::text("p.network", text));
        let answer = model.check_all(&Options::default()).remove(0);
        answer.witness.expect("a trace").finding.kind
    };
    assert_eq!(kind("reachable P at B"), FindingKind::Goal);
    assert_eq!(kind("always !deadlock"), FindingKind::Deadlock);
}

/// A message that is handed over is made up before anybody is looked for who takes it: Spin, too, finds the index that
/// is out of bounds.
#[test]
fn an_error_in_a_message_that_nobody_takes_is_found() {
    let text = "byte a[1]; byte i = 1; chan q = [0] of { byte }; active proctype P() { q!a[i] }";
    let model = load(Input::text("m.pml", text));
    let property = model.properties().next().expect("a property");
    for search in ["bfs", "auto", "anytime", "astar", "greedy"] {
        let options = Options::searching(search).expect("a search");
        let answer = check(&model, property, &options, &mut ());
        assert_eq!(answer.verdict, Verdict::Violated, "{search}");
        assert!(answer.error.is_some(), "{search}");
    }
}
