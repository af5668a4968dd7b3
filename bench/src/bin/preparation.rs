//! What it takes to read a model and to prepare the default search, up to the first state, for models of
//! growing size: doubling one should about double the other. Instructions are counted by valgrind, since
//! clocks are not steady enough to tell twice from three times.
//!
//! `cargo build --release -p vizsla-cli -p bench && cargo run --release -p bench --bin preparation`

use bench::command;

/// A family of models: what grows, the generator, and the size to begin with.
type Family = (&'static str, fn(usize) -> String, usize);

const FAMILIES: &[Family] = &[
    ("processes", |n| model(n, 40, 20, 1), 20),
    ("locations of a process", |n| model(4, n, 20, 1), 200),
    ("variables", |n| model(8, 100, n, 1), 100),
    ("formulas", |n| model(8, 60, 20, n), 5),
    ("options of a loop", options, 100),
    ("cells of an array", cells, 1_000),
    ("processes that count", counters, 15),
    ("fields of a struct", fields, 200),
    ("proctypes", proctypes, 200),
];

/// How often a size is doubled.
const DOUBLED: u32 = 3;

/// A run that ends with the first state.
const CHECK: [&str; 4] = ["check", "model.pml", "--max-states", "1"];

/// How long a run may take under valgrind.
const SECONDS: f64 = 300.0;

fn main() {
    if let Err(message) = run() {
        eprintln!("preparation: {message}");
        std::process::exit(2);
    }
}

fn run() -> Result<(), String> {
    let folder = std::env::temp_dir().join("vizsla-preparation");
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    println!("| what grows | size: million instructions, times as many |\n|---|---|");
    for (name, generate, first) in FAMILIES {
        let mut row = Vec::new();
        let mut before = None;
        for size in (0..=DOUBLED).map(|doubled| first << doubled) {
            std::fs::write(folder.join("model.pml"), generate(size))
                .map_err(|error| error.to_string())?;
            let count = command::instructions(&CHECK, &folder, SECONDS)?;
            let times = before.map_or(String::new(), |it: f64| format!(", {:.1}", count / it));
            row.push(format!("{size}: {:.0}{times}", count / 1e6));
            before = Some(count);
        }
        println!("| {name} | {} |", row.join("; "));
    }
    Ok(())
}

/// Processes that work on shared variables, with branches, channels and atomic sequences.
fn model(processes: usize, statements: usize, variables: usize, formulas: usize) -> String {
    let mut text = String::from("chan c = [2] of { byte };\n");
    let variable = |i: usize| format!("g{}", i * 7 % variables);
    (0..variables).for_each(|i| text += &format!("byte g{i};\n"));
    for process in 0..processes {
        text += &format!("active proctype P{process}() {{ byte x; do ::\n");
        for i in 0..statements {
            let (a, b) = (variable(i + process), variable(3 * i + 1));
            text += &match i % 4 {
                0 => format!("{a} = ({b} + 1) % 7;\n"),
                1 => format!("if :: {a} > 2 -> {b} = 1 :: else -> x = {a} fi;\n"),
                2 => format!("atomic {{ {a} == 1; {a} = 3 }};\n"),
                _ => "if :: c!x :: c?x :: skip fi;\n".to_string(),
            };
        }
        text += "od }\n";
    }
    let formula = |i: usize| format!("ltl f{i} {{ [] ({} == 6 -> {} < 5) }}\n", variable(i), "g1");
    text + &(0..formulas).map(formula).collect::<String>()
}

fn options(count: usize) -> String {
    let option = |i: usize| format!(":: g == {} -> g = {}; h = {}\n", i % 7, i % 5, i % 9);
    let options: String = (0..count).map(option).collect();
    format!("byte g; byte h; active [4] proctype P() {{ do\n{options}od }} ltl f {{ [] (g < 9) }}")
}

fn cells(count: usize) -> String {
    format!(
        "byte a[{count}]; byte g; ltl f {{ [] (g < 2) }} active [4] proctype P() {{ int i;
         do :: i < {count} - 1 -> i++ :: a[i] == 0 -> a[i] = 1; g = a[(i + 1) % {count}] od }}"
    )
}

fn counters(count: usize) -> String {
    format!(
        "int n; int m; byte g; ltl f {{ [] (g < 9) }} active [{count}] proctype P() {{ int y;
         do :: n++; y = n + m; m = y - 1; g = (g + 1) % 6 od }}"
    )
}

fn fields(count: usize) -> String {
    let declared: String = (0..count).map(|i| format!("byte f{i}; ")).collect();
    let used: String =
        (0..count).map(|i| format!("t.f{i} = t.f{} % 5;\n", i * 7 % count)).collect();
    let process = format!("active [2] proctype P() {{ do :: {used} od }}");
    format!("typedef T {{ {declared} }} T t; {process} ltl f {{ [] (t.f0 < 9) }}")
}

fn proctypes(count: usize) -> String {
    let one = |i: usize| format!("proctype P{i}() {{ g = {} }}\n", i % 7);
    let all: String = (0..count).map(one).collect();
    format!("byte g; {all} init {{ run P1(); run P2() }} ltl f {{ [] (g < 9) }}")
}
