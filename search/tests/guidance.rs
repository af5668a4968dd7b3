//! Guidance and costs on the worked examples of docs/algorithms.md (sections 2.4, 4, 6): the expected
//! numbers were computed independently of this program.

mod support;

use explore::{EdgeNumber, End, Path, Step};
use network::{Expr, Id};
use search::catalog::{self, Settings};
use search::{
    Child, Contexts, Costs, EdgeSet, Guarantees, Guidance, Heuristic, Judgement, Limits, Outcome,
    Parent, Parts, Penalty, Problem, Statistics, Ties, UNREACHABLE, Unlimited,
};
use std::cell::RefCell;
use std::rc::Rc;
use support::answer::replay;
use support::case::Case;
use support::worked::{X4, X6};

/// What a search came to.
struct Found {
    path: Path,
    shortest: bool,
    statistics: Statistics,
}

impl Case {
    fn search<'a>(
        &'a self,
        name: &str,
        settings: &Settings,
        mut heuristic: Box<dyn Heuristic + 'a>,
    ) -> Found {
        let search = catalog::search(name).expect(name);
        let guidance = search.guidance(&self.problem(), settings, &mut *heuristic).expect(name);
        self.run(name, settings, Parts { heuristic: Some(heuristic), guidance, ..Parts::default() })
    }

    fn run(&self, name: &str, settings: &Settings, parts: Parts) -> Found {
        let configuration = catalog::search(name).expect(name).configuration(settings);
        let limits = Limits::default();
        let (outcome, statistics) =
            search::run_with(&self.explorer, &configuration, parts, &limits, &mut Unlimited);
        let Outcome::Reached { path, end, shortest } = outcome else { panic!("{outcome:?}") };
        assert!(matches!(end, End::Goal));
        replay(&self.problem(), &path, &end).expect("a right trace");
        Found { path, shortest, statistics }
    }

    /// The names of the processes that move in each step.
    fn movers(&self, path: &Path) -> Vec<String> {
        let names = |step: Step| {
            let edges = self.explorer.edges_of(step);
            let owners = edges.map(|edge| self.explorer.edge(edge).0);
            owners.map(|process| self.network.processes[process].name.clone()).collect()
        };
        path.iter().map(names).collect()
    }
}

fn ties(ties: Ties) -> Settings {
    Settings { ties, ..Settings::default() }
}

/// The greatest distance of a process from the location that the goal wants it in (d^L).
struct GraphMax<'a> {
    problem: Problem<'a>,
    /// For each process, where it must go.
    targets: Vec<Option<usize>>,
}

impl<'a> GraphMax<'a> {
    fn new(case: &'a Case) -> Self {
        let mut targets = vec![None; case.network.processes.len()];
        let goal = case.problem().property().claim.expression().expect("a goal");
        goal.walk(&mut |part| {
            if let Expr::At(process, location) = part {
                targets[process.index()] = Some(location.index());
            }
        });
        GraphMax { problem: case.problem(), targets }
    }

    fn farthest(&self, state: &[i32], removed: &EdgeSet) -> u32 {
        let all = self.targets.iter().enumerate();
        let goals = all.filter_map(|(process, target)| Some((process, (*target)?)));
        goals.map(|(process, goal)| self.steps(process, state, goal, removed)).max().unwrap_or(0)
    }

    fn steps(&self, process: usize, state: &[i32], goal: usize, removed: &EdgeSet) -> u32 {
        let mut reached = vec![state[process] as usize];
        for distance in 0.. {
            if reached.contains(&goal) {
                return distance;
            }
            let before = reached.len();
            for (number, owner, edge) in self.problem.edges() {
                let known = reached[..before].contains(&edge.source.index());
                let new = !reached.contains(&edge.target.index());
                if owner.index() == process && !removed.contains(number) && known && new {
                    reached.push(edge.target.index());
                }
            }
            if reached.len() == before {
                return UNREACHABLE;
            }
        }
        UNREACHABLE
    }
}

impl Heuristic for GraphMax<'_> {
    fn guarantees(&self) -> Guarantees {
        Guarantees::ALL
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.farthest(state, &EdgeSet::new(self.problem.explorer.edges().len()))
    }

    fn estimate_without(&mut self, state: &[i32], removed: &EdgeSet) -> Option<u32> {
        Some(self.farthest(state, removed))
    }
}

/// Estimates by the location of the first process; cannot leave out edges, prefers some.
struct Table {
    estimates: Vec<u32>,
    guarantees: Guarantees,
    preferred: Option<EdgeSet>,
}

impl Table {
    fn new(estimates: &[u32], guarantees: Guarantees) -> Box<Self> {
        Box::new(Table { estimates: estimates.to_vec(), guarantees, preferred: None })
    }
}

impl Heuristic for Table {
    fn guarantees(&self) -> Guarantees {
        self.guarantees
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.estimates[state[0] as usize]
    }

    fn preferred(&self) -> Option<&EdgeSet> {
        self.preferred.as_ref()
    }
}

/// Writes down the locations of the first process in states that are expanded to something new.
struct Diary(Rc<RefCell<Vec<i32>>>);

impl Guidance for Diary {
    fn enter(&mut self, _: &mut dyn Heuristic, parent: &Parent) {
        self.0.borrow_mut().push(parent.state[0]);
    }

    fn judge(&mut self, _: &mut dyn Heuristic, _: &Parent, _: &Child) -> Judgement {
        Judgement::default()
    }
}

/// X1: n processes that go up and down; the goal is that all are up.
fn up_and_down(n: usize) -> Case {
    let mut text = "network 1\n".to_string();
    for i in 0..n {
        text += &format!(
            "process P{i} {{ location down; location up; init down; edge down -> up; \
             edge up -> down; }}\n"
        );
    }
    let goal: Vec<String> = (0..n).map(|i| format!("P{i} at up")).collect();
    text += &format!("property \"x1\" reachable {}\n", goal.join(" && "));
    Case::parse(&text)
}

/// What a search makes of X1: states explored, length of the trace.
fn x1(n: usize, name: &str, settings: &Settings) -> (u64, usize) {
    let case = up_and_down(n);
    let found = case.search(name, settings, Box::new(GraphMax::new(&case)));
    let result = (found.statistics.explored, found.path.len());
    // The heuristic of the catalog must do the same.
    let named = catalog::heuristic("graph-max").expect("graph-max");
    let found = case.search(name, settings, named.build(&case.problem()).expect("d^L"));
    assert_eq!((found.statistics.explored, found.path.len()), result, "{name}, n = {n}");
    result
}

#[test]
fn useless_steps_lead_straight_up() {
    let newest = ties(Ties::Lifo);
    for (n, greedy, useless) in [(5, (10, 9), (6, 5)), (6, (11, 10), (7, 6))] {
        assert_eq!(x1(n, "greedy", &newest), greedy, "n = {n}");
        assert_eq!(x1(n, "useless-penalty", &newest), useless, "n = {n}");
        assert_eq!(x1(n, "useless-queues", &newest), useless, "n = {n}");
        let succ = Settings { penalty: Penalty::Succ, ..newest };
        assert_eq!(x1(n, "useless-penalty", &succ), useless, "n = {n}");
    }
}

#[test]
fn useless_steps_gain_nothing_if_the_oldest_come_first() {
    let oldest = ties(Ties::Fifo);
    for (n, explored) in [(5, 28), (6, 59)] {
        for name in ["greedy", "useless-penalty", "useless-queues"] {
            assert_eq!(x1(n, name, &oldest).0, explored, "{name}, n = {n}");
        }
    }
}

/// With t left out, the relaxation finds another way for x, as long as the one with t: t is called useless,
/// though a shortest trace starts with it. Without those who read x, in whatever process, there is none.
/// Seen to fail: with readers left out in processes that do not take part.
#[test]
fn a_step_that_another_can_replace_is_useless() {
    let case = Case::parse(X4);
    let problem = case.problem();
    let build = || catalog::heuristic("relaxation-layers").expect("h^L").build(&problem);
    let mut layers = build().expect("a heuristic");
    let initial = case.initial();
    let (mut states, mut path) = (Vec::new(), Path::default());
    let mut workspace = case.explorer.workspace();
    let visit = &mut |state: &[i32], step: Step| {
        states.push(state.to_vec());
        path.push(step);
    };
    case.explorer.successors(&mut workspace, &initial, visit).expect("no error");
    path.truncate(1);
    assert_eq!(case.movers(&path), ["A"]);
    let (state, step) = (&states[0], path.step(0));

    let estimate = layers.estimate(state);
    assert_eq!((layers.estimate(&initial), estimate), (3, 3));
    let mut alone = EdgeSet::new(case.explorer.edges().len());
    alone.insert(EdgeNumber::new(0));
    assert_eq!(layers.estimate_without(&initial, &alone), Some(3));
    alone.insert(EdgeNumber::new(2));
    assert_eq!(layers.estimate_without(&initial, &alone), Some(UNREACHABLE));

    let search = catalog::search("useless-queues").expect("a search");
    let guidance = search.guidance(&problem, &Settings::default(), &mut *layers);
    let mut guidance = guidance.expect("guidance").expect("some");
    let parent = Parent { node: 0, state: &initial, cost: 0, step: Step::default() };
    let child = Child { node: 1, state, cost: 1, step, estimate };
    guidance.enter(&mut *layers, &parent);
    assert_eq!(guidance.judge(&mut *layers, &parent, &child), Judgement { queue: 1, penalty: 0 });
}

#[test]
fn searches_refuse_heuristics_that_cannot_do_what_they_need() {
    let case = Case::parse(X4);
    let table = Table::new(&[0, 0], Guarantees::NONE);
    let mut table: Box<dyn Heuristic> = table;
    for name in ["useless-penalty", "useless-queues"] {
        let search = catalog::search(name).expect(name);
        let refused = search.guidance(&case.problem(), &Settings::default(), &mut *table);
        let why = refused.err().expect("a reason");
        assert!(why.contains("as if some edges did not exist"), "{why}");
    }
    let search = catalog::search("preferred").expect("a search");
    let refused = search.guidance(&case.problem(), &Settings::default(), &mut *table);
    assert!(refused.err().expect("a reason").contains("which edges it would take"));
}

/// Remembers what was left out.
struct Mask(Rc<RefCell<Vec<Vec<usize>>>>);

impl Heuristic for Mask {
    fn guarantees(&self) -> Guarantees {
        Guarantees::ALL
    }

    fn estimate(&mut self, _: &[i32]) -> u32 {
        0
    }

    fn estimate_without(&mut self, _: &[i32], removed: &EdgeSet) -> Option<u32> {
        self.0.borrow_mut().push(removed.iter().map(EdgeNumber::index).collect());
        Some(0)
    }
}

/// The sets that are left out for the steps of the initial state, in order.
fn removed_at_first(text: &str) -> Vec<Vec<usize>> {
    let case = Case::parse(text);
    let seen = Rc::new(RefCell::new(Vec::new()));
    let mut mask = Mask(seen.clone());
    let search = catalog::search("useless-queues").expect("a search");
    let mut guidance = search
        .guidance(&case.problem(), &Settings::default(), &mut mask)
        .expect("guidance")
        .expect("some");
    seen.borrow_mut().clear();
    let state = case.initial();
    let parent = Parent { node: 0, state: &state, cost: 0, step: Step::default() };
    guidance.enter(&mut mask, &parent);
    let mut workspace = case.explorer.workspace();
    let visit = &mut |state: &[i32], step: Step| {
        let child = Child { node: 1, state, cost: 1, step, estimate: 0 };
        guidance.judge(&mut mask, &parent, &child);
    };
    case.explorer.successors(&mut workspace, &state, visit).expect("no error");
    seen.take()
}

/// Edges of X4: 0 t, 1 u, 2 of B, 3 to 5 of C. B reads x, but takes no part in t and u.
/// Seen to fail: with readers left out in all processes.
#[test]
fn readers_elsewhere_stay() {
    assert_eq!(removed_at_first(X4), [vec![0], vec![1], vec![3]]);
}

/// Edges 0 and 1 of P, 2 and 3 of Q, who takes part in P's step, 4 of R, who does not.
#[test]
fn readers_in_processes_that_take_part_are_left_out() {
    let text = "network 1
var x : int[0, 1]
chan c : handshake
process P { location p; location r; init p;
  edge p -> r { send c; do { x = 1; } }
  edge r -> p { when x == 1; } }
process Q { location p; location r; init p;
  edge p -> r { receive c; }
  edge r -> p { when x == 1; } }
process R { location p; location r; init p; edge p -> r { when x == 1; } }
property \"p\" reachable R at r
";
    assert_eq!(removed_at_first(text), [vec![0, 1, 2, 3]]);
}

#[test]
fn edges_to_the_same_place_are_left_out() {
    let text = "network 1
process P { location a; location b; location c; init a; edge a -> b; edge c -> b; edge a -> c; }
process Q { location a; location b; init a; edge a -> b; }
property \"p\" reachable P at c
";
    assert_eq!(removed_at_first(text), [vec![0, 1], vec![2], vec![3]]);
}

/// Buffers are variables that a send and a receive read and write; of arrays the element counts.
#[test]
fn buffers_and_elements_of_arrays_are_variables() {
    let text = "network 1
var a[3] : int[0, 9]
var i : int[0, 2]
chan q[2] : buffered 1 (int[0, 9])
process P { location p; location r; location s; init p;
  edge p -> r { send q[0](3); }
  edge r -> p { receive q[0](a[0]); }
  edge r -> s { receive q[1](_); } }
process R { location p; location r; location s; init p;
  edge p -> r { when a[1] == 1; }
  edge r -> p { when a[i] == 1; }
  edge p -> s { do { a[2] = 4; } } }
property \"p\" reachable R at s
";
    // P sends to q[0], from which it also receives; R writes a[2], which only `a[i]` may read.
    assert_eq!(removed_at_first(text), [vec![0, 1], vec![4, 5]]);
}

/// Five steps by the same edge ask once.
#[test]
fn equal_sets_are_estimated_once() {
    let text = "network 1
process P { location a; location b; init a;
  edge a -> b { select k#0 : int[0, 4]; do { x = k#0; } } }
var x : int[0, 4]
property \"p\" reachable x == 3 && P at b
";
    assert_eq!(removed_at_first(text), [vec![0]]);
}

fn switches(movers: &[String]) -> usize {
    movers.windows(2).filter(|pair| pair[0] != pair[1]).count()
}

#[test]
fn few_switches_come_first() {
    let case = Case::parse(X6);
    for (contexts, count, explored) in
        [(Contexts::Equal, 2, 5), (Contexts::Intersect, 2, 5), (Contexts::Exact, 1, 6)]
    {
        let settings = Settings { contexts, ..ties(Ties::Fifo) };
        let found = case.search("context-bounding", &settings, Box::new(search::heuristics::Blind));
        let movers = case.movers(&found.path);
        assert_eq!((movers.len(), switches(&movers)), (3, count), "{contexts:?}: {movers:?}");
        assert_eq!(found.statistics.explored, explored, "{contexts:?}");
    }
}

/// After a handshake of both, a step of one is a switch unless it is enough to have been there.
#[test]
fn a_partner_goes_on_without_a_switch_if_sets_may_intersect() {
    let text = "network 1
chan go : handshake
process A { location a0; location a1; location a2; init a0;
  edge a0 -> a1 { send go; } edge a1 -> a2; }
process B { location b0; location b1; init b0; edge b0 -> b1 { receive go; } }
process C { location c0; location c1; location c2; location c3; init c0;
  edge c0 -> c1; edge c1 -> c2; edge c2 -> c3; }
property \"p\" reachable A at a2
";
    let case = Case::parse(text);
    let explored = |contexts| {
        let settings = Settings { contexts, ..ties(Ties::Fifo) };
        let blind = Box::new(search::heuristics::Blind);
        case.search("context-bounding", &settings, blind).statistics.explored
    };
    // Initially, three steps of C without a switch and one of A and B; then, with intersection, A
    // alone: the goal. Without it, that step waits until all of C is done.
    assert!(explored(Contexts::Intersect) < explored(Contexts::Equal));
}

/// X8 and X9: one process whose locations are the nodes of a graph.
fn graph(nodes: &[&str], edges: &[(&str, &str)]) -> Case {
    let locations: String = nodes.iter().map(|node| format!("location {node}; ")).collect();
    let edges: String = edges.iter().map(|(from, to)| format!("edge {from} -> {to}; ")).collect();
    let goal = "property \"g\" reachable P at G";
    Case::parse(&format!("network 1\nprocess P {{ {locations}init S; {edges}}}\n{goal}\n"))
}

const ADMISSIBLE: Guarantees =
    Guarantees { admissible: true, consistent: false, dead_end_safe: true };

#[test]
fn a_cheaper_path_opens_a_state_again() {
    let edges = [("S", "A"), ("A", "B"), ("S", "B"), ("B", "G")];
    let case = graph(&["S", "A", "B", "G"], &edges);
    let costs = Costs::new(vec![1, 1, 3, 3]);
    let diary = Rc::new(RefCell::new(Vec::new()));
    let parts = Parts {
        heuristic: Some(Table::new(&[0, 4, 0, 0], ADMISSIBLE)),
        guidance: Some(Box::new(Diary(diary.clone()))),
        costs: Some(&costs),
        ..Parts::default()
    };
    let found = case.run("astar", &Settings::default(), parts);
    let cost: u32 = found.path.iter().map(|step| costs.of(case.explorer.edges_of(step))).sum();
    assert_eq!((cost, found.shortest), (5, true));
    // S, B, A, B are expanded, then G is found.
    assert_eq!(diary.take(), [0, 2, 1, 2]);
    assert_eq!((found.statistics.explored, found.statistics.reopened), (5, 1));
}

fn x9(first: &str, second: &str) -> Case {
    let edges = [("S", first), ("S", second), ("a", "b"), ("b", "x"), ("c", "x"), ("x", "G")];
    graph(&["S", "a", "b", "c", "x", "G"], &edges)
}

#[test]
fn a_cheaper_path_moves_a_state_that_waits() {
    let case = x9("c", "a");
    let diary = Rc::new(RefCell::new(Vec::new()));
    let parts = Parts {
        heuristic: Some(Table::new(&[3, 2, 1, 2, 1, 0], Guarantees::ALL)),
        guidance: Some(Box::new(Diary(diary.clone()))),
        costs: None,
        ..Parts::default()
    };
    let found = case.run("astar", &Settings::default(), parts);
    assert_eq!((found.path.len(), found.shortest), (3, true));
    // S, a, b, c, x, then G.
    assert_eq!(diary.take(), [0, 1, 2, 3, 4]);
    assert_eq!(found.statistics.explored, 6);
}

#[test]
fn bounded_depth_first_search_enters_a_state_again_at_a_lower_depth() {
    let case = x9("a", "c");
    let bounded = case.run("bounded-dfs", &Settings::default(), Parts::default());
    assert_eq!((bounded.path.len(), bounded.shortest), (3, true));
    // Without looking at depths the first trace is the answer.
    let plain = case.run("dfs", &Settings::default(), Parts::default());
    assert_eq!((plain.path.len(), plain.shortest), (4, false));
}

#[test]
fn preferred_steps_come_first() {
    // Two paths of the same length; the heuristic likes the second one and is wrong about nothing.
    let edges = [("S", "a"), ("S", "b"), ("a", "c"), ("b", "G"), ("c", "G")];
    let case = graph(&["S", "a", "b", "c", "G"], &edges);
    let explored = |liked: &[usize], oldest| {
        let mut preferred = EdgeSet::new(case.explorer.edges().len());
        liked.iter().for_each(|&edge| preferred.insert(EdgeNumber::new(edge)));
        let mut table = Table::new(&[0; 5], Guarantees::NONE);
        table.preferred = Some(preferred);
        let found = case.search("preferred", &ties(oldest), table);
        (found.statistics.explored, found.path.len())
    };
    for oldest in [Ties::Fifo, Ties::Lifo] {
        assert_eq!(explored(&[1, 3], oldest), (3, 2));
        assert_eq!(explored(&[0, 2, 4], oldest), (4, 3));
    }
}

/// X2+: A and B must move; C and D only could.
#[test]
fn steps_of_the_relaxed_trace_are_preferred() {
    let text = "network 1
chan go : handshake
process A { location a0; location a1; location a2; init a0;
  edge a0 -> a1; edge a1 -> a2 { send go; } }
process B { location b0; location b1; location b2; init b0;
  edge b0 -> b1; edge b1 -> b2 { receive go; } }
process C { location c0; location c1; init c0; edge c0 -> c1; edge c1 -> c0; }
process D { location d0; location d1; init d0; edge d0 -> d1; }
property \"x2\" reachable A at a2 && B at b2
";
    let case = Case::parse(text);
    let named = catalog::heuristic("relaxation-trace").expect("h^U");
    let mut trace = named.build(&case.problem()).expect("a heuristic");
    assert_eq!(trace.estimate(&case.initial()), 3);
    let preferred: Vec<usize> =
        trace.preferred().expect("edges").iter().map(EdgeNumber::index).collect();
    assert_eq!(preferred, [0, 2]);
    for oldest in [Ties::Fifo, Ties::Lifo] {
        let again = named.build(&case.problem()).expect("a heuristic");
        let found = case.search("preferred", &ties(oldest), again);
        assert_eq!((found.statistics.explored, found.path.len()), (4, 3));
    }
}

/// Only the first step may be told from the others: t1 writes x, t2 reads it and writes y, t3 reads y,
/// t4 writes z.
#[test]
fn steps_that_interact_come_first() {
    let text = "network 1
var x : int[0, 1]
var y : int[0, 1]
var z : int[0, 9]
process P1 { location p; location q; init p; edge p -> q { do { x = 1; } } }
process P2 { location p; location q; init p; edge p -> q { when x == 1; do { y = 1; } } }
process P3 { location p; location q; init p; edge p -> q { when y == 1; do { x = 0; } } }
process P4 { location p; init p; edge p -> p { when z < 9; do { z = z + 1; } } }
property \"p\" reachable P3 at q && x == 0
";
    let case = Case::parse(text);
    for oldest in [Ties::Fifo, Ties::Lifo] {
        let blind = Box::new(search::heuristics::Blind);
        let found = case.search("context-enhanced", &ties(oldest), blind);
        assert_eq!(case.movers(&found.path), ["P1", "P2", "P3"]);
    }
}

/// No step interacts with another process's; what the goal asks for comes first all the same.
#[test]
fn steps_that_serve_the_goal_come_first() {
    let text = "network 1
clock c
var a[3] : int[0, 3]
chan q : buffered 3 (bool)
process P { location p; init p; edge p -> p { when a[0] < 3; do { a[0] = a[0] + 1; } } }
process Q { location p; init p; edge p -> p { when a[1] < 3; do { a[1] = a[1] + 1; } } }
process R { location p; location r; init p; edge p -> r { when c >= 2; do { reset c = 0; } } }
process S { location p; init p; edge p -> p { send q(1); } }
property \"p\" reachable GOAL
";
    let movers = |goal: &str, oldest| {
        let case = Case::parse(&text.replace("GOAL", goal));
        let blind = Box::new(search::heuristics::Blind);
        let found = case.search("context-enhanced", &ties(oldest), blind);
        (case.movers(&found.path).concat(), found.statistics.explored)
    };
    for oldest in [Ties::Fifo, Ties::Lifo] {
        assert_eq!(movers("a[1] >= 1", oldest), ("Q".to_string(), 2));
        assert_eq!(movers("exists (i#0 : int[0, 1]) a[i#0 + 1] >= 1", oldest).0, "Q");
        assert_eq!(movers("!(P at p && a[1] == 0)", oldest).0, "Q");
        assert_eq!(movers("R at r", oldest), ("R".to_string(), 2));
        assert_eq!(movers("len(q) == 1", oldest), ("S".to_string(), 2));
        // Both R's location and its clock are wanted; one of them is enough to come first.
        assert_eq!(movers("R at r && c <= 1", oldest), ("R".to_string(), 2));
    }
}
