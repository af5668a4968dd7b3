//! Where priorities are kept, and what is wrong with a priority at run time.

mod loading;

use network::{ErrorKind, Priority};
use vizsla::{Input, Model, Promela};

fn load(text: &str) -> Model {
    let promela = Promela { asserts: false, ..Promela::default() };
    let model = Model::load(Input { promela, ..Input::text("test.pml", text) });
    model.unwrap_or_else(|refusal| panic!("{refusal}"))
}

/// The priority of every process: a number, or `?` where it changes.
fn kept(text: &str) -> String {
    let model = load(text);
    let list = model.network.processes.iter().map(|process| match process.priority {
        Priority::Fixed(priority) => priority.to_string(),
        Priority::Variable(_) => "?".to_string(),
    });
    list.collect::<Vec<_>>().join(" ")
}

#[test]
fn only_what_changes_is_a_variable() {
    assert_eq!(kept("active proctype P() { skip } init { run P() }"), "0 0 0");
    assert_eq!(kept("active proctype P() priority 3 { skip } init { skip }"), "3 1");
    assert_eq!(kept("proctype P() priority 3 { skip } init { run P() }"), "1 1");
    assert_eq!(kept("proctype P() { skip } init { run P() priority 2 }"), "1 2");
    let twice = "proctype P() { skip } init { run P() priority 2; run P() priority 2 }";
    assert_eq!(kept(twice), "1 2 2");
    assert_eq!(kept("proctype P() { skip } init { run P() priority 2; run P() }"), "1 ? ?");
    assert_eq!(kept("active proctype P() priority 2 { skip } init { run P() }"), "? 1 ?");
    assert_eq!(kept("active proctype P() { set_priority(_pid, 2) } init { skip }"), "? 1");
    assert_eq!(kept("active proctype P() { set_priority(1, 2) } init { skip }"), "1 ?");
    assert_eq!(kept("active proctype P() { set_priority(7, 2) } init { skip }"), "1 1");
    assert_eq!(kept("byte x; active proctype P() { set_priority(x, 2) } init { skip }"), "? ?");
    assert_eq!(kept("active [2] proctype P() { _priority++ } init { skip }"), "? ? 1");
    assert_eq!(kept("byte x; active proctype P() { x = get_priority(x) } init { skip }"), "1 1");
}

/// The first run-time error, with its line.
fn error(text: &str) -> Option<(ErrorKind, u32)> {
    let raised = loading::answer(&load(text)).error;
    raised.map(|error| (error.kind, error.span.line))
}

#[test]
fn out_of_range_is_an_error_where_there_is_such_a_process() {
    let beyond = |value| ErrorKind::OutOfRange { value, low: 1, high: 255 };
    assert_eq!(error("init {\n set_priority(0, 0) }"), Some((beyond(0), 2)));
    assert_eq!(error("init {\n set_priority(_pid, 256) }"), Some((beyond(256), 2)));
    assert_eq!(
        error("byte x; init { d_step { x = 1;\n set_priority(0, x - 2) } }"),
        Some((beyond(-1), 2))
    );
    assert_eq!(error("init { set_priority(1, 0) }"), None);
    assert_eq!(error("byte x; init { set_priority(x - 1, 300) }"), None);
    assert_eq!(error("init { _priority = 0; set_priority(_pid, 255); _priority = 256 }"), None);
}
