//! What violates a `trace` or `notrace`, and where. Spin 6.5.2 was asked with
//! `spin -o1 -o2 -o3 -a`, gcc -DNOREDUCE -DSAFETY, pan -c1; its message is the first of each case.

mod loading;

use vizsla::{Input, Model, Promela};

/// The column of the message that is an error, or nothing.
fn error(model: &str) -> Option<(String, u32)> {
    let promela = Promela { asserts: false, ..Promela::default() };
    let model = Model::load(Input { promela, ..Input::text("test.pml", model) });
    let model = model.unwrap_or_else(|refusal| panic!("{refusal}"));
    let answer = loading::answer(&model);
    let found = answer.witness.map(|it| it.finding.message);
    match answer.error {
        Some(error) => Some((error.kind.name(&answer.model.network).into(), error.span.column)),
        None => found.map(|found| panic!("another end: {found}")),
    }
}

const HEAD: &str =
    "mtype = { a, b }; chan q = [3] of { mtype }; chan c = [0] of { mtype }; byte x; ";

fn check(model: &str, wanted: Option<(&str, &str)>) {
    let text = format!("{HEAD}\n{model}");
    let column = |part: &str| model.rfind(part).expect("a part of the model") as u32 + 1;
    let wanted = wanted.map(|(failure, part)| (failure.to_string(), column(part)));
    assert_eq!(error(&text), wanted, "{model}");
}

#[test]
fn no_matching_event() {
    let wrong = |part| Some(("unexpected-message", part));
    check("trace { q!a; q?a } active proctype P() { q!a; q!b }", wrong("q!b"));
    check("trace { q!a; q?b } active proctype P() { q!a; q?_ }", wrong("q?_"));
    check("trace { q!a; end: q?b } active proctype P() { d_step { q!a; q!a } }", wrong("q!a"));
    check("trace { q!a; q?b } active proctype P() { d_step { q!a; x = 1; q?_ } }", wrong("q?_"));
    // Only what the trace mentions counts, each direction for itself.
    check("trace { q!a } active proctype P() { q!a; q?a; x = 1 }", None);
    // At its end it allows nothing.
    check("trace { q!a } active proctype P() { q!a; q?a; q!a }", wrong("q!a"));
    // A message that somebody only looks at is none.
    check("trace { q?a } active proctype P() { q!a; q?<_>; q?[a]; q?a }", None);
}

#[test]
fn all_events_matched() {
    let wrong = |part| Some(("forbidden-messages", part));
    check("notrace { q!a; q!b } active proctype P() { q!a; q!b }", wrong("q!b"));
    check("notrace { q!b; q!b } active proctype P() { q!a; q!b; q!b }", None);
    check("notrace { q!a; q!b } active proctype P() { q!a; q!a; q!b }", None);
    check("notrace { q!a; if :: q!a :: q!_ fi } active proctype P() { q!a; q!a }", wrong("q!a"));
}

#[test]
fn non_determinism() {
    let wrong = |part| Some(("ambiguous-message", part));
    check("trace { if :: q!a; q?a :: q!_; q?b fi } active proctype P() { q!a }", wrong("q!a"));
    // The same target is no excuse, and a jump fits everything.
    check("trace { if :: q!a :: q!_ fi } active proctype P() { q!a }", wrong("q!a"));
    check("trace { do :: q!a :: break od; q!b } active proctype P() { q!a }", wrong("q!a"));
    check("trace { do :: q!a :: break od; q!b } active proctype P() { q!b; q!b }", None);
}

#[test]
fn a_rendezvous_is_seen_when_it_is_offered() {
    let wrong = |part| Some(("unexpected-message", part));
    let receiver = "active proctype R() { x = 1; c?a }";
    let trace = "trace { c!a; c?a }";
    check(&format!("{receiver} active proctype P() {{ c!a }} {trace}"), None);
    let other = "active proctype P() { if :: c!a :: c!b fi }";
    check(&format!("{receiver} {other} {trace}"), wrong("c!b"));
    let blocked = "active proctype P() { c!a; x = 2 } active proctype R() { byte y; c?_ }";
    check(&format!("{blocked} trace {{ c!a; c?b }}"), wrong("c?_"));
}
