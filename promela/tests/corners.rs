//! Small models with what Spin 6.5.2 made of them: `spin -o1 -o2 -o3 -a`, then a verifier compiled
//! with `-DNOREDUCE -DSAFETY`; states stored by `pan -A -E -c0 -n`, errors found by `pan -n`.

mod loading;

use std::path::Path;
use vizsla::{Input, Model, Promela};

fn load(text: &str, strict: bool) -> Option<Model> {
    let promela = Promela { deadlock: strict, asserts: strict, ..Promela::default() };
    Model::load(Input { promela, ..Input::text("corner.pml", text) }).ok()
}

/// The run-time error that is found first, `end` for an invalid end state, or nothing.
fn error(model: &Model) -> Option<String> {
    let answer = loading::answer(model);
    let name = |error: network::RunTimeError| error.kind.name(&answer.model.network).to_string();
    answer.error.map(name).or(answer.witness.map(|_| "end".to_string()))
}

/// In the words of the files: `refused`, `fails` for an error that no option turns off, or the
/// number of states, with `error` if an assertion fails or an end state is invalid.
fn ours(text: &str) -> String {
    let Some(model) = load(text, false) else { return "refused".to_string() };
    let Some(stored) = loading::stored(&model) else { return "fails".to_string() };
    match error(&load(text, true).expect("a model")) {
        Some(_) => format!("{stored} states, error"),
        None => format!("{stored} states"),
    }
}

/// Every case begins with a line `=== outcome`.
fn check(file: &str) {
    check_by(file, ours);
}

fn check_by(file: &str, ours: fn(&str) -> String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corners").join(file);
    let cases = std::fs::read_to_string(path).expect("a file of cases");
    let mut wrong = String::new();
    for case in cases.split("=== ").filter(|it| !it.trim().is_empty()) {
        let (outcome, text) = case.split_once('\n').expect("an outcome and a model");
        let ours = ours(text);
        // What Spin said in other words stands before a bar.
        if Some(ours.as_str()) != outcome.rsplit(" | ").next() {
            wrong += &format!("{text}Spin: {outcome}\nhere: {ours}\n\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn deterministic_steps() {
    check("d_step.txt");
}

#[test]
fn starting_processes() {
    check("run.txt");
}

#[test]
fn deterministic_processes() {
    check("d_proctype.txt");
}

#[test]
fn messages_and_channel_variables() {
    check("messages.txt");
}

#[test]
fn deterministic_steps_that_begin_with_a_rendezvous() {
    check("d_step_rendezvous.txt");
}

#[test]
fn declarations_and_loops() {
    check("declarations.txt");
}

#[test]
fn statements() {
    check("statements.txt");
}

#[test]
fn expressions() {
    check("expressions.txt");
}

#[test]
fn channels_and_structs() {
    check("channels.txt");
}

#[test]
fn initial_values_and_parameters_that_are_structs() {
    check("structs.txt");
}

#[test]
fn tokens_and_indices_that_are_tolerated() {
    check("tolerated.txt");
}

#[test]
fn processes() {
    check("processes.txt");
}

/// What `pan -n` says is wrong, then the name of that error here.
#[test]
fn kinds_of_errors() {
    check_by("errors.txt", |text| {
        let Some(model) = load(text, true) else { return "refused".to_string() };
        error(&model).unwrap_or("none".to_string())
    });
}
