//! Searches that take states for one which differ only in the order of what is interchangeable, against those that do
//! not: random models whose processes are interchangeable, or would be but for a line. The same verdicts, the same
//! lengths where they are proven, every trace confirmed by `replay`.
//!
//! `SYMMETRIC=20000 cargo test -p vizsla --test symmetry` looks at more of them.

use network::Property;
use testing::symmetric::{self, Symmetric};
use testing::{Numbers, setting};
use vizsla::{Answer, Group, Input, Limits, Model, Options, Symmetry, Verdict, check};

/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;

const WAYS: [Symmetry; 5] =
    [Symmetry::Full, Symmetry::Segmented, Symmetry::Sorted, Symmetry::Rotations, Symmetry::Auto];

/// What was seen.
#[derive(Default, Debug)]
struct Tally {
    models: u64,
    symmetric: u64,
    answers: u64,
    plain: u64,
    full: u64,
}

fn options(search: &str, symmetry: Symmetry) -> Options {
    let limits = Limits { states: Some(MOST_STATES), ..Limits::default() };
    Options { symmetry, limits, ..Options::searching(search).expect("a search") }
}

fn length(answer: &Answer) -> Option<usize> {
    answer.witness.as_ref().map(|it| it.trace.steps.len())
}

fn load(seed: u64) -> Option<(Model, String)> {
    let mut numbers = Numbers::new(seed);
    let (name, Symmetric { text, queries }) = match seed % 3 {
        0 => ("m.pml", symmetric::promela(&mut numbers)),
        1 => ("m.xta", symmetric::uppaal(&mut numbers, false)),
        _ => ("m.xta", symmetric::uppaal(&mut numbers, true)),
    };
    let mut input = Input::text(name, text.clone());
    for query in queries {
        input = input.query(query);
    }
    match Model::load(input) {
        Ok(model) => Some((model, text)),
        Err(refusal) => panic!("seed {seed}: {refusal}\n{text}"),
    }
}

fn compare(
    model: &Model,
    property: &Property,
    id: network::PropertyId,
    seed: u64,
    tally: &mut Tally,
) {
    let ask = |search: &str, way| check(model, id, &options(search, way), &mut ());
    let plain = ask("bfs", Symmetry::None);
    if plain.verdict == Verdict::Unknown && plain.error.is_none() {
        return;
    }
    assert_eq!(plain.defect, None, "seed {seed}");
    let classes = model.symmetry(property).classes;
    tally.symmetric += u64::from(!classes.is_empty());
    let mut full = None;
    for way in WAYS {
        let found = ask("bfs", way);
        let about = format!("seed {seed}, {}, {way:?}", property.text);
        assert_eq!(found.defect, None, "{about}");
        assert_eq!(found.verdict, plain.verdict, "{about}");
        assert_eq!(length(&found), length(&plain), "{about}");
        assert_eq!(found.shortest, plain.shortest, "{about}");
        tally.answers += 1;
        let stored = found.statistics.stored;
        if way == Symmetry::Full && plain.statistics.complete {
            tally.plain += plain.statistics.stored;
            tally.full += stored;
            full = Some(stored);
        }
        // Both give one representative to all states that are alike; but zones may cover others in one order only.
        if way == Symmetry::Segmented && model.network.clocks.is_empty() {
            assert_eq!(full.unwrap_or(stored), stored, "{about}");
        }
    }
    for search in ["dfs", "greedy", "astar"] {
        let found = ask(search, Symmetry::Full);
        let about = format!("seed {seed}, {}, {search}", property.text);
        assert_eq!(found.defect, None, "{about}");
        // Estimates may tell that there is nothing where a search comes upon an error first.
        if found.verdict != Verdict::Unknown && plain.error.is_none() {
            assert_eq!(found.verdict, plain.verdict, "{about}");
        }
        if found.shortest && plain.shortest {
            assert_eq!(length(&found), length(&plain), "{about}");
        }
        tally.answers += 1;
    }
}

#[test]
fn what_is_interchangeable_makes_no_difference() {
    let mut tally = Tally::default();
    for seed in 0..setting("SYMMETRIC", 300) {
        let Some((model, text)) = load(seed) else { continue };
        tally.models += 1;
        let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for (id, property) in model.network.properties.enumerate() {
                compare(&model, property, id, seed, &mut tally);
            }
        }));
        if let Err(cause) = outcome {
            eprintln!("{text}");
            std::panic::resume_unwind(cause);
        }
    }
    eprintln!("{tally:?}");
    assert!(tally.symmetric * 3 > tally.models, "{tally:?}");
}

/// A model of three processes with ids, with what stands at the places of its text.
fn three(globals: &str, guard: &str, sync: &str, update: &str) -> String {
    let part = |word: &str, text: &str| match text {
        "" => String::new(),
        text => format!("{word} {text}; "),
    };
    let edge = [part("guard", guard), part("sync", sync), part("assign", update)].concat();
    format!(
        "const int N = 3; typedef int[0,N-1] id_t; bool f[id_t]; int[-1,2] own = -1; id_t turn; int d[id_t]; \
         int[0,5] n; broadcast chan b; bool v[2]; {globals} \
         process P(const id_t me) {{ id_t peer; state A, B; init A; trans A -> B {{ {edge} }}, \
         B -> A {{ assign f[me] = !f[me]; }}; }} process Q() {{ state A; init A; trans A -> A {{ sync b!; }}; }} \
         system P, Q;"
    )
}

/// How many ids may be exchanged, and how.
fn interchangeable(text: &str, query: &str) -> Vec<(u32, Group)> {
    let model = Model::load(Input::text("m.xta", text).query(query)).expect("a model");
    let property = model.network.properties.iter().next().expect("a property");
    model.symmetry(property).classes.iter().map(|it| (it.size, it.group)).collect()
}

/// Each trap of the algorithm's description, by itself.
#[test]
fn what_is_not_interchangeable_is_not_exchanged() {
    let all = "E<> exists (j : id_t) P(j).B && own == j";
    let some = "E<> exists (j : id_t) P(j).B && f[j]";
    let ring = "f[(me + 1) % N]";
    let cases = [
        ("", "f[me]", "", "own = me", all, &[(3, Group::All)][..]),
        ("", "f[0] && f[1] && f[2]", "", "own = me", all, &[(3, Group::All)]),
        ("", "sum (j : id_t) f[j] == 1", "", "own = me", all, &[(3, Group::All)]),
        ("", ring, "", "own = me", all, &[(3, Group::Rotations)]),
        // A property that names one leaves the others.
        ("", "f[me]", "", "own = me", "E<> P(0).B && own == 0", &[(2, Group::All)]),
        ("", "f[me]", "", "own = me", "E<> P(0).B && P(1).A && own == 2", &[]),
        // Ids as numbers, and single ids.
        ("", "me < peer", "", "own = me", all, &[]),
        ("", "n < 2", "", "n = me, own = me", all, &[]),
        ("", "f[1]", "", "own = me", all, &[(2, Group::All)]),
        ("", "f[me]", "", "own = me == 0 ? 1 : me", all, &[]),
        // The order of what may fail; the indices of `v` are interchangeable as well.
        (
            "",
            "f[0] && v[n] && f[1] && f[2]",
            "",
            "own = me",
            all,
            &[(2, Group::All), (2, Group::All)],
        ),
        ("", "exists (j : id_t) f[j] && 6 / d[j] == 2", "", "own = me", all, &[]),
        ("", "exists (j : id_t) f[j] && d[j] == 2", "", "own = me", all, &[(3, Group::All)]),
        // What nobody says is an id, too: the result of who does not return, what a local starts with.
        (
            "id_t g(id_t i) { if (f[i]) return i; }",
            "g(me) == peer",
            "",
            "own = me",
            all,
            &[(2, Group::All)],
        ),
        (
            "id_t g(id_t i) { if (f[i]) return i; else return turn; }",
            "g(me) == peer",
            "",
            "own = me",
            all,
            &[(3, Group::All)],
        ),
        (
            "id_t g() { id_t r; if (n > 2) r = turn; return r; }",
            "g() == me && n < 2",
            "",
            "own = me",
            all,
            &[(2, Group::All)],
        ),
        // The order of receivers.
        ("", "f[me]", "b?", "own = me", all, &[]),
        ("", "f[me]", "b?", "d[me] = 1", some, &[(3, Group::All)]),
        // The order of rounds.
        (
            "void g() { for (j : id_t) f[j] = true; }",
            "f[me]",
            "",
            "g(), own = me",
            all,
            &[(3, Group::All)],
        ),
        ("void g() { for (j : id_t) if (f[j]) own = j; }", "f[me]", "", "g()", all, &[]),
        (
            "void g() { for (j : id_t) if (f[j]) n++; }",
            "f[me]",
            "",
            "g(), own = me",
            all,
            &[(3, Group::All)],
        ),
        (
            "void g() { for (j : id_t) n = 2 * n % 3 + f[j]; }",
            "f[me]",
            "",
            "g(), own = me",
            all,
            &[],
        ),
        (
            "void g() { f[0] = true; f[1] = true; f[2] = true; }",
            "f[me]",
            "",
            "g(), own = me",
            all,
            &[(3, Group::All)],
        ),
        (
            "void g() { f[0] = true; f[1] = false; f[2] = true; }",
            "f[me]",
            "",
            "g(), own = me",
            all,
            &[(2, Group::All)],
        ),
    ];
    for (globals, guard, sync, update, query, expected) in cases {
        let text = three(globals, guard, sync, update);
        assert_eq!(interchangeable(&text, query), expected, "{text}\n{query}");
    }
}

/// What breadth-first search takes to find the error of a family, and how long the way to it is.
fn family(name: &str, size: u32, symmetry: Symmetry) -> (u64, Option<usize>) {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../models/families");
    let mut input = Input::file(format!("{folder}/{name}.pml"));
    input.promela.defines = vec![("N".to_string(), size.to_string())];
    let model = Model::load(input).expect("a model");
    let property = model.properties().next().expect("a property");
    let options = Options { symmetry, ..Options::searching("bfs").expect("a search") };
    let answer = check(&model, property, &options, &mut ());
    assert!(answer.shortest && answer.verdict == Verdict::Violated, "{name} {size}");
    (answer.statistics.explored, length(&answer))
}

/// As in the tables of the paper: the least of all permutations and the least of those that are sorted are one for all
/// states that are alike, and sorting alone is not; lengths are the same.
#[test]
fn families_have_as_many_states_as_they_should() {
    for (name, size) in [("philosophers", 5), ("leader", 5), ("peterson", 3), ("database", 4)] {
        let [none, full, segmented, sorted] =
            [Symmetry::None, Symmetry::Full, Symmetry::Segmented, Symmetry::Sorted]
                .map(|it| family(name, size, it));
        assert_eq!(full, segmented, "{name}");
        assert!(full.0 < none.0 && full.0 <= sorted.0 && sorted.0 <= none.0, "{name}");
        assert!([full, sorted].iter().all(|it| it.1 == none.1), "{name}");
        if name == "philosophers" {
            // Everybody takes a fork; finding it free and taking it are two steps.
            assert_eq!(none.1, Some(2 * size as usize));
        }
    }
}

/// A channel that is a value may be one whose messages have another number of fields: that is an error when it is used.
#[test]
fn channels_may_carry_other_messages() {
    let text = "chan q = [1] of { chan, short, byte };
        proctype P(chan p) { chan r = [1] of { short }; p!0,0,0 }
        init { run P(q) }";
    let model = Model::load(Input::text("m.pml", text)).expect("a model");
    for property in &model.network.properties {
        assert_eq!(model.symmetry(property).obstacles, []);
    }
}
