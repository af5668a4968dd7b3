//! Predefined names in queries. What is reachable was asked of Spin 6.5.2 with the claim
//! `never { do :: true :: (condition) -> break od }`, gcc -DNOREDUCE, pan -a -c1.

mod loading;

use vizsla::{Answer, Input, Model};

/// What a search for the first property finds.
fn answer(input: Input) -> Answer {
    let model = Model::load(input).unwrap_or_else(|refusal| panic!("{refusal}"));
    loading::answer(&model)
}

fn is_reachable(model: &str, condition: &str) -> bool {
    let input = Input::text("test.pml", model).query(format!("E<> {condition}"));
    answer(input).witness.is_some()
}

#[test]
fn progress() {
    let model = "byte x, y;
        active proctype P() {
            do
            :: x < 3 -> x++
            :: x == 3 -> progress: x = 0
            :: progress1: x == 2 -> y = 1; y = 0
            :: x == 4 -> accept: x = 5
            od
        }";
    let cases = [
        ("np_ && x == 3", true),
        ("np_ && P[0]@progress", false),
        ("!np_ && x == 1", false),
        // A label before the condition of an option marks the state after it.
        ("!np_ && x == 2", true),
        ("!np_ && x == 2 && y == 1", false),
        ("np_ && x == 2 && y == 1", true),
        ("!np_ && x == 3", true),
    ];
    for (condition, wanted) in cases {
        assert_eq!(is_reachable(model, condition), wanted, "{condition}");
    }
}

#[test]
fn enabled() {
    let model = "byte x, y;
        active proctype A() { x == 1 -> x = 2; x == 0; x = 3 }
        active proctype B() { y == 1; if :: x == 7 :: else -> y = 3 fi; y == 2 }
        active proctype C() { y = 1; x = 1; y = 2 }";
    let cases = [
        ("enabled(0) && !enabled(1)", true),
        ("enabled(1) && y == 0", false),
        ("enabled(1) && y == 1 && x == 7", false),
        ("!enabled(0) && x == 1", false),
        ("enabled(5)", false),
        ("enabled(0) && x == 2", false),
        ("!enabled(1) && y == 2", true),
        // The same with a number that is not known before.
        ("enabled(y + 4)", false),
        ("!enabled(y - 1) && y == 2", true),
    ];
    for (condition, wanted) in cases {
        assert_eq!(is_reachable(model, condition), wanted, "{condition}");
    }
}

/// Spin says "used: enabled(pid=thisproc)".
#[test]
fn nobody_asks_about_itself() {
    let model = "byte x;
        active proctype P() { x = 1; x = 2 }
        active proctype Q() {
            byte i;
            do :: i < 3 && enabled(i) -> i++ :: x == 2 -> break od
        }";
    let answer = answer(Input::text("test.pml", model));
    let error = answer.error.expect("an error");
    assert_eq!((error.kind.name(&answer.model.network), error.span.line), ("own-process", 5));
}
