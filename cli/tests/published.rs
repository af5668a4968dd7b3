//! Models by others with results that others published or recorded; ignored where they are not. What
//! takes longer than a test may is measured by `bench/src/bin/papers`.

mod support;

use explore::Explorer;
use search::Problem;
use std::path::Path;
use support::Folder;
use testing::models_of_others;
use vizsla::catalog::HEURISTICS;
use vizsla::{Abstraction, Answer, Estimator, Input, Model, Options, PropertyId, check};

testing::test_with_models_of_others!(
    astar_finds_the_published_lengths,
    useless_transitions_explore_as_few_states_as_published,
    promela_traces_are_as_short_as_spins,
    shortest_lengths_are_the_published_ones,
    state_counts_are_those_of_tchecker,
);

/// A model, with a question of ours or with its own.
fn load(path: &Path, query: Option<&str>) -> Model {
    let input = query.into_iter().fold(Input::file(path), |input, query| input.query(query));
    Model::load(input).unwrap_or_else(|refusal| panic!("{}: {refusal}", path.display()))
}

/// The answer to the first question, step by step.
fn ask(model: &Model, search: &str, heuristic: Option<&str>) -> Answer {
    let heuristic = heuristic.map(|name| Estimator::named(name).expect(name));
    let options = Options::searching(search).expect(search);
    let options = Options { heuristic, plain: true, ..options };
    let answer = check(model, PropertyId(0), &options, &mut ());
    assert_eq!(answer.defect, None);
    answer
}

/// A model with one question about it, ready to be searched.
struct Case {
    model: Model,
}

/// What a directed search found.
struct Found {
    length: usize,
    shortest: bool,
    explored: u64,
}

impl Case {
    /// A model, with a question of ours or with its own first one.
    fn load(path: &Path, query: Option<&str>) -> Case {
        Case { model: load(path, query) }
    }

    fn avacs(name: &str) -> Case {
        Case::load(&models_of_others("timed").join(format!("avacs/{name}.xml")), None)
    }

    /// An arbiter tree of some height; the goal is two clients of different halves at work. This pair
    /// gives the numbers of the papers, which do not say which one they are about.
    fn arbiter(height: u32) -> Case {
        let clients = 1 << height;
        let query = format!("E<> Client_{}.work and Client_{}.work", clients / 2 - 1, clients - 1);
        let path = models_of_others("timed").join(format!("avacs/arbiter_tree_{height}.xml"));
        Case::load(&path, Some(&query))
    }

    /// A flawed version of Fischer's protocol among the project's own models.
    fn fischer(name: &str, processes: usize) -> Case {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/uppaal/examples");
        let read = |end| std::fs::read_to_string(folder.join(format!("{name}.{end}"))).expect(name);
        let (text, query) = (read("xta"), read("q"));
        assert_eq!(text.matches("const int N = 5;").count(), 1, "{name}");
        let text = text.replace("const int N = 5;", &format!("const int N = {processes};"));
        let input = Input::text(format!("{name}.xta"), text).query(query.trim());
        Case { model: Model::load(input).expect(name) }
    }

    /// The names of the heuristics that are never too high for this question.
    fn admissible(&self) -> Vec<&'static str> {
        let network = &self.model.network;
        let property = &network.properties[PropertyId(0)];
        let explorer = Explorer::compile(network.clone(), Some(property), Abstraction::default());
        let explorer = explorer.expect("executable");
        let problem = Problem::of(&explorer);
        let built = HEURISTICS.iter().filter_map(|it| Some((it.name, it.build(&problem).ok()?)));
        built.filter(|it| it.1.guarantees().admissible).map(|it| it.0).collect()
    }

    fn search(&self, search: &str, heuristic: &str) -> Found {
        let answer = ask(&self.model, search, Some(heuristic));
        let length = answer.trace().expect("a trace").steps.len();
        Found { length, shortest: answer.shortest, explored: answer.statistics.explored }
    }

    /// A* with each of some heuristics proves the length to be the shortest.
    #[track_caller]
    fn is_shortest<'n>(&self, heuristics: impl IntoIterator<Item = &'n str>, length: usize) {
        for heuristic in heuristics {
            let found = self.search("astar", heuristic);
            assert_eq!((found.length, found.shortest), (length, true), "{heuristic}");
        }
    }

    #[track_caller]
    fn is_shortest_for_all(&self, length: usize) {
        let admissible = self.admissible();
        assert!(admissible.len() >= 5, "{}", admissible.len());
        self.is_shortest(admissible, length);
    }
}

/// Trace lengths of A* in the tables of the papers; all admissible heuristics where that is quick.
fn astar_finds_the_published_lengths() {
    Case::avacs("C1").is_shortest_for_all(54);
    Case::avacs("M_R00").is_shortest(["graph-split", "relaxation-layers"], 47);
    for (name, length) in [("M_R10", 50), ("M_R01", 50), ("M_R11", 53)] {
        Case::avacs(name).is_shortest(["graph-split"], length);
    }
    Case::avacs("M_R11").is_shortest(["cone-of-influence", "russian-doll", "patterns"], 53);
    Case::arbiter(2).is_shortest_for_all(12);
    let quick = ["graph-split", "relaxation-layers", "cone-of-influence", "patterns"];
    Case::arbiter(3).is_shortest(quick, 17);
    Case::arbiter(4).is_shortest(["patterns"], 22);
}

/// Explored states and trace lengths of UT on arbiter trees, TACAS 2009: tables 1 and 2. Length 22 of
/// the third one is the shortest, says A* there; here it takes too long.
fn useless_transitions_explore_as_few_states_as_published() {
    let published = [
        ("relaxation-layers", [(15, 12), (32, 17), (95, 22), (34, 27), (39, 32)]),
        ("relaxation-trace", [(20, 18), (27, 17), (34, 22), (42, 27), (50, 32)]),
    ];
    for (heuristic, rows) in published {
        for (height, (explored, length)) in (2..).zip(rows) {
            let found = Case::arbiter(height).search("useless-queues", heuristic);
            let what = format!("{heuristic} A{height}: {} explored", found.explored);
            assert!(found.explored <= 3 * explored, "{what}, not {explored}");
            assert!(found.length <= length, "{what}, length {}, not {length}", found.length);
        }
    }
}

/// Trace lengths of F^A and F^B in TACAS 2009, for our own models of them.
#[test]
fn flawed_versions_of_fischers_protocol_have_the_published_lengths() {
    for processes in [5, 10, 15] {
        for (name, length) in [("fischer-observed", 8), ("fischer-pair", 6)] {
            Case::fischer(name, processes).is_shortest(["relaxation-layers"], length);
        }
    }
    Case::fischer("fischer-observed", 5).is_shortest_for_all(8);
    Case::fischer("fischer-pair", 5).is_shortest_for_all(6);
}

/// Depths at which Spin stops: `spin -o1 -o2 -o3 -a m.pml && gcc -DBFS -DNOREDUCE -DSAFETY -o pan pan.c
/// && ./pan`.
fn promela_traces_are_as_short_as_spins() {
    let models = models_of_others("promela");
    let lengths = [
        ("spin-examples/snoopy.pml", 44),
        ("spin-examples/hajek.pml", 56),
        ("beem/phils.5.pm", 12),
        ("beem/lamport.6.pm", 14),
    ];
    for (name, length) in lengths {
        let path = models.join(name).display().to_string();
        for search in ["bfs", "astar"] {
            let arguments = ["--search", search, "--format", "json", "--no-trace"];
            let run = Folder::new().run(&[&["check", &path], &arguments[..]].concat()).code(1);
            let result = &run.json()["results"][0];
            assert_eq!(result["trace_length"], length, "{name} {search}");
            assert_eq!(result["shortest"], true, "{name} {search}");
        }
    }
}

/// Shortest error traces of the papers on directed model checking of timed automata, without any
/// heuristic.
fn shortest_lengths_are_the_published_ones() {
    let folder = models_of_others("timed");
    let opposite = "E<> Client_1.work and Client_3.work";
    let published = [
        ("M_R00", None, 47),
        ("M_R10", None, 50),
        ("M_R01", None, 50),
        ("M_R11", None, 53),
        ("C1", None, 54),
        ("arbiter_tree_2", Some(opposite), 12),
    ];
    for (name, query, length) in published {
        let model = load(&folder.join(format!("avacs/{name}.xml")), query);
        let answer = ask(&model, "bfs", None);
        assert!(answer.shortest, "{name}");
        assert_eq!(answer.trace().map(|trace| trace.steps.len()), Some(length), "{name}");
    }
}

/// Whole state spaces: as many states visited and stored as TChecker's `covreach` recorded.
fn state_counts_are_those_of_tchecker() {
    let folder = models_of_others("timed").join("tchecker-instances");
    let table = std::fs::read_to_string(folder.join("tchecker.csv")).expect("readable");
    let mut compared = 0;
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let (visited, stored): (u64, u64) =
            (cells[2].parse().expect("a number"), cells[3].parse().expect("a number"));
        let path = folder.join(format!("{}.xta", cells[0]));
        if visited > 60_000 || !path.exists() {
            continue;
        }
        let statistics = ask(&load(&path, Some("A[] true")), "bfs", None).statistics;
        let found = (statistics.explored, statistics.stored);
        if cells[0].starts_with("fddi") {
            // The twin has other receivers' numbering; coverage by aLU stores no more.
            assert!(found.1 <= stored, "{}: {found:?}, not {:?}", cells[0], (visited, stored));
        } else {
            assert_eq!(found, (visited, stored), "{}", cells[0]);
        }
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}
