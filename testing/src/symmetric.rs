//! Random models whose processes are interchangeable, or would be but for a line.
//!
//! They are put together from lines that treat all ids alike, lines that go round in a ring, and lines that do not
//! treat them alike; most models have only the first.

use crate::Numbers;

/// A model as text, and what to ask it.
pub struct Symmetric {
    /// The text.
    pub text: String,
    /// Queries beside those that every model has.
    pub queries: Vec<String>,
}

/// Which lines a model is made from.
struct Lines<'a> {
    fair: &'a [&'a str],
    ring: &'a [&'a str],
    unfair: &'a [&'a str],
}

/// How many of the ids there are.
const IDS: i32 = 3;

/// Draws lines for one model.
struct Drawing<'a> {
    numbers: &'a mut Numbers,
    has_ring: bool,
    /// How many lines may still treat ids differently.
    unfair: usize,
}

impl<'a> Drawing<'a> {
    fn new(numbers: &'a mut Numbers) -> Self {
        let has_ring = numbers.chance(25);
        let unfair = usize::from(numbers.chance(25));
        Drawing { numbers, has_ring, unfair }
    }

    fn line(&mut self, lines: &Lines<'a>) -> &'a str {
        if self.unfair > 0 && !lines.unfair.is_empty() && self.numbers.chance(15) {
            self.unfair -= 1;
            let line: &&str = self.numbers.one(lines.unfair);
            return line;
        }
        let is_round = self.has_ring && !lines.ring.is_empty() && self.numbers.chance(40);
        let line: &&str = self.numbers.one(if is_round { lines.ring } else { lines.fair });
        line
    }

    fn some(&mut self, most: usize, lines: &Lines<'a>) -> Vec<&'a str> {
        let count = self.numbers.below(most + 1);
        (0..count).map(|_| self.line(lines)).collect()
    }
}

const UPPAAL_GLOBALS: &str = "const int N = 3;
typedef int[0,N-1] id_t;
TURN
int[-1,N-1] own = -1;
bool f[id_t];
id_t ref[id_t] = REF;
int[0,3] n;
bool m[id_t][id_t];
chan go[id_t], c;
broadcast chan b, t[id_t];
int[0,3] count(id_t i) { int[0,3] r; for (j : id_t) if (j != i && f[j]) r++; return r; }
bool any() { for (j : id_t) if (f[j]) return true; return false; }
void clear() { for (j : id_t) f[j] = false; }
id_t other(id_t i, id_t j) { return f[i] ? j : i; }
";

const UPPAAL_GUARDS: Lines = Lines {
    fair: &[
        "turn == me",
        "turn != me",
        "own == -1",
        "own == me",
        "own == peer",
        "!f[me]",
        "f[peer]",
        "f[turn]",
        "forall (j : id_t) j == me || !f[j]",
        "exists (j : id_t) m[me][j] && j != peer",
        "exists (j : id_t) m[j][me]",
        "count(me) < 2",
        "any()",
        "ref[me] == peer",
        "ref[peer] == me",
        "ref[ref[me]] == me",
        "sum (j : id_t) f[j] <= 1",
        "k < 2",
        "k != 1",
        "other(me, peer) == me",
        "n < 3",
    ],
    ring: &["f[(me + 1) % N]", "turn == (me + 1) % N", "ref[(me + 2) % N] == me"],
    unfair: &["turn == 0", "me < peer", "f[0]", "ref[1] == me", "me != 2", "peer <= 1"],
};

const UPPAAL_UPDATES: Lines = Lines {
    fair: &[
        "turn = me",
        "turn = peer",
        "own = me",
        "own = -1",
        "f[me] = true",
        "f[me] = !f[me]",
        "f[peer] = false",
        "f[turn] = true",
        "ref[me] = peer",
        "ref[peer] = me",
        "ref[me] = ref[peer]",
        "peer = me",
        "peer = turn",
        "peer = ref[peer]",
        "k = (k + 1) % 3",
        "k = 0",
        "m[me][peer] = true",
        "m[peer][me] = !m[me][peer]",
        "clear()",
        "n = count(me)",
        "turn = other(me, peer)",
        "n = n < 3 ? n + 1 : 0",
    ],
    ring: &["turn = (me + 1) % N", "peer = (peer + 1) % N", "f[(me + 2) % N] = true"],
    unfair: &["turn = 0", "peer = 1", "n = me", "f[0] = true", "k = peer", "ref[2] = me"],
};

const UPPAAL_CLOCK_GUARDS: Lines = Lines {
    fair: &["y >= 1", "y <= 2", "x[me] > 1", "x[peer] <= 2", "x[me] == 1", "x[turn] >= 1", "y < 3"],
    ring: &["x[(me + 1) % N] <= 2"],
    unfair: &["x[0] >= 1"],
};

const UPPAAL_RESETS: Lines = Lines {
    fair: &["y = 0", "x[me] = 0", "x[peer] = 0", "x[me] = 0, y = 0", "y = 1"],
    ring: &["x[(me + 1) % N] = 0"],
    unfair: &["x[1] = 0"],
};

const UPPAAL_SYNCS: Lines = Lines {
    fair: &[
        "go[me]!",
        "go[me]?",
        "go[peer]!",
        "go[turn]?",
        "c!",
        "c?",
        "b!",
        "b?",
        "t[me]?",
        "t[peer]!",
    ],
    ring: &["go[(me + 1) % N]!", "t[(me + 1) % N]?"],
    unfair: &["go[0]!", "t[0]?"],
};

/// A random UPPAAL model, with clocks or without.
pub fn uppaal(numbers: &mut Numbers, timed: bool) -> Symmetric {
    let mut drawing = Drawing::new(numbers);
    // What is interchangeable at first need not stay so, and what is not can become so.
    let (turn, own) = (drawing.numbers.chance(50), drawing.numbers.chance(60));
    let turn = if turn { "id_t turn;" } else { "int[-1,N-1] turn = -1;" };
    let own = if own { "{0, 1, 2}" } else { "{0, 0, 0}" };
    let mut text = UPPAAL_GLOBALS.replace("TURN", turn).replace("REF", own);
    if timed {
        text += "clock x[id_t];\n";
    }
    let locations = 2 + drawing.numbers.below(2);
    text += "process P(const id_t me) {\n  id_t peer; int[0,2] k;\n";
    text += if timed { "  clock y;\n" } else { "" };
    let names: Vec<String> = (0..locations).map(|it| format!("L{it}")).collect();
    let invariant = |drawing: &mut Drawing| match timed && drawing.numbers.chance(40) {
        true => drawing.numbers.one(&[" { y <= 2 }", " { x[me] <= 3 }"]).to_string(),
        false => String::new(),
    };
    let states: Vec<String> =
        names.iter().map(|name| format!("{name}{}", invariant(&mut drawing))).collect();
    text += &format!("  state {};\n", states.join(", "));
    if drawing.numbers.chance(20) {
        let kind = *drawing.numbers.one(&["commit", "urgent"]);
        text += &format!("  {kind} L1;\n");
    }
    text += "  init L0;\n  trans\n";
    let edges = 2 + drawing.numbers.below(4);
    let edges: Vec<String> = (0..edges).map(|_| uppaal_edge(&mut drawing, &names, timed)).collect();
    text += &format!("{};\n}}\n", edges.join(",\n"));
    text += &environment(&mut drawing);
    let mut queries = vec![
        "E<> exists (j : id_t) P(j).L1 && f[j] && turn == j".to_string(),
        "A[] forall (i : id_t) forall (j : id_t) i == j || !P(i).L1 || !P(j).L1".to_string(),
        "A[] not deadlock".to_string(),
        "E<> (sum (j : id_t) f[j]) == 2".to_string(),
    ];
    let ids = drawing.numbers;
    let (one, other) = (ids.between(0, IDS - 1), ids.between(0, IDS - 1));
    queries.push(format!("E<> P({one}).L1 && own == {other}"));
    queries.push(format!("A[] not (P({one}).L1 && P({other}).L0 && ref[{one}] == {other})"));
    Symmetric { text, queries }
}

fn uppaal_edge(drawing: &mut Drawing, names: &[String], timed: bool) -> String {
    let (from, to) = (drawing.numbers.one(names).clone(), drawing.numbers.one(names).clone());
    let mut guards = drawing.some(2, &UPPAAL_GUARDS);
    let mut updates = drawing.some(3, &UPPAAL_UPDATES);
    if timed {
        guards.extend(drawing.some(1, &UPPAAL_CLOCK_GUARDS));
        updates.extend(drawing.some(1, &UPPAAL_RESETS));
    }
    let mut parts = String::new();
    if drawing.numbers.chance(30) {
        parts += "select e : id_t; ";
        updates.push("peer = e");
        if drawing.numbers.chance(50) {
            guards.insert(0, "e != me");
        }
    }
    if !guards.is_empty() {
        parts += &format!("guard ({}); ", guards.join(") && ("));
    }
    let syncs = drawing.some(1, &UPPAAL_SYNCS);
    // Clocks do not decide who receives a broadcast.
    if let [sync] = syncs[..]
        && !(timed && sync.ends_with('?') && (sync.starts_with('b') || sync.starts_with('t')))
    {
        parts += &format!("sync {sync}; ");
    }
    if !updates.is_empty() {
        parts += &format!("assign {}; ", updates.join(", "));
    }
    format!("    {from} -> {to} {{ {parts}}}")
}

/// A process that serves all others alike, or none.
fn environment(drawing: &mut Drawing) -> String {
    if drawing.numbers.chance(50) {
        return "system P;\n".to_string();
    }
    let steps = Lines {
        fair: &[
            "select e : id_t; guard f[e]; assign turn = e;",
            "select e : id_t; sync go[e]!;",
            "select e : id_t; sync go[e]?; assign own = e;",
            "sync c!; assign clear();",
            "sync b!;",
            "select e : id_t; sync t[e]!; assign f[e] = true;",
            "guard own != -1; assign turn = own;",
            "guard f[0] && f[1] && f[2]; assign own = -1;",
        ],
        ring: &["assign turn = (turn + 1) % N;"],
        unfair: &["guard f[1]; assign own = 1;", "sync go[2]!;"],
    };
    let steps: Vec<String> =
        (0..2).map(|_| format!("    A -> A {{ {} }}", drawing.line(&steps))).collect();
    format!(
        "process Q() {{\n  state A; init A;\n  trans\n{};\n}}\nsystem P, Q;\n",
        steps.join(",\n")
    )
}

const PROMELA_STEPS: Lines = Lines {
    fair: &[
        "turn == me -> turn = peer",
        "turn != me -> f[me] = 1",
        "own == 255 -> own = me",
        "own == me -> own = 255; f[me] = 0",
        "atomic { !f[peer] -> f[me] = 1; ref[me] = peer }",
        "d_step { own == peer -> own = me; peer = me }",
        "q[me]?k,peer",
        "nfull(q[peer]) -> q[peer]!1,me",
        "q[turn]!k,turn",
        "s[me]?peer",
        "s[peer]!me",
        "r!me",
        "r?peer",
        "peer = ref[me]",
        "ref[peer] = me; f[peer] = 0",
        "(f[0] && f[1] && f[2]) -> k = 1",
        "ref[me] == peer -> assert(own != peer || k != 1)",
        "if :: peer = 0 :: peer = 1 :: peer = 2 fi",
        "k < 2 -> k++",
        "k == 2 -> k = 0; turn = me",
        "q[me]??[1,eval(peer)] -> own = peer",
        "empty(q[peer]) -> peer = turn",
    ],
    ring: &[
        "turn = (me + 1) % N",
        "s[(me + 1) % N]!me",
        "f[(me + 1) % N] -> peer = (peer + 1) % N",
        "q[(me + 2) % N]!0,peer",
    ],
    unfair: &[
        "turn == 1 -> peer = 0",
        "me < peer -> f[me] = 1",
        "k = me % 2",
        "turn < 2 -> turn = turn + 1",
        "q[0]!1,me",
        "f[1] = 1",
    ],
};

/// A random Promela program.
pub fn promela(numbers: &mut Numbers) -> Symmetric {
    let mut drawing = Drawing::new(numbers);
    let mut text = "#define N 3\nbyte turn; byte own = 255; bool f[N]; byte ref[N];\n\
        chan q[N] = [2] of { byte, byte }; chan r = [0] of { byte }; chan s[N] = [0] of { byte };\n"
        .to_string();
    let phases = 1 + drawing.numbers.below(2);
    let mut body =
        if drawing.numbers.chance(60) { "ref[me] = me; peer = me;\n" } else { "" }.to_string();
    for phase in 0..phases {
        let steps = 2 + drawing.numbers.below(3);
        let next = (phase + 1) % phases;
        body += &format!("L{phase}: do\n");
        for _ in 0..steps {
            let step = drawing.line(&PROMELA_STEPS);
            let then =
                if drawing.numbers.chance(30) { format!("; goto L{next}") } else { String::new() };
            body += &format!("    :: {step}{then}\n");
        }
        body += "  od;\n";
    }
    let start = *drawing.numbers.one(&[
        "init { atomic { run P(0); run P(1); run P(2) } }",
        "init { byte i; atomic { do :: i < N -> run P(i); i++ :: else -> break od } }",
        "init { atomic { run P(2); run P(0); run P(1) }; own = 255 }",
        "init { do :: _nr_pr < 4 -> run P(turn) od }",
        "active",
    ]);
    if start.contains("_nr_pr") {
        // Some end, and others are started in their places.
        body = body.replacen("do\n", "do\n    :: k < 2 -> goto done\n", 1) + "done: skip\n";
    }
    match start {
        "active" => {
            text += "#define me _pid\nactive [3] proctype P() {\n  byte peer, k;\n";
            text += &format!("{body}}}\n");
        }
        init => text += &format!("proctype P(byte me) {{\n  byte peer, k;\n{body}}}\n{init}\n"),
    }
    let ids = drawing.numbers;
    let (one, other) = (ids.between(0, IDS - 1), ids.between(0, IDS - 1));
    let queries = vec![
        "E<> f[0] && f[1] && f[2]".to_string(),
        format!("E<> own == {one} && ref[{one}] == {other}"),
        format!("E<> f[{one}] && turn == {other}"),
        "E<> (own == 0 && f[0]) || (own == 1 && f[1]) || (own == 2 && f[2])".to_string(),
    ];
    Symmetric { text, queries }
}
