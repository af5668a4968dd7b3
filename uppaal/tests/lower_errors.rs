//! Mistakes and what is refused: one message each, at the right place, with a hint.

mod lowering;

use lowering::*;

/// One error in the declarations of an otherwise fine model.
#[track_caller]
fn declaration(text: &str, expected: &str) {
    error(&format!("{text}\n{IDLE}"), expected);
}

/// One error in an update.
#[track_caller]
fn update(declarations: &str, assign: &str, expected: &str) {
    error(&edge(declarations, &format!("assign {assign};")), &format!("2:{expected}"));
}

/// One error in a guard.
#[track_caller]
fn guard(declarations: &str, guard: &str, expected: &str) {
    error(&edge(declarations, &format!("guard {guard};")), &format!("2:{expected}"));
}

#[test]
fn unknown_and_duplicate_names() {
    declaration("int a = counter;", "1:9 unknown name `counter`");
    declaration(
        "int counter; int a[countr];",
        "1:20 unknown name `countr` [did you mean `counter`?]",
    );
    declaration("my_type a;", "1:1 unknown name `my_type`");
    declaration("int a; bool a;", "1:13 `a` is declared twice [it is first declared in line 1]");
    declaration("void f(int a, int a) { }", "1:19 `a` is declared twice");
    declaration("void f() { int a; int a; }", "1:23 `a` is declared twice");
    declaration("typedef struct { int x; int x; } S;", "1:29 the field `x` is declared twice");
    declaration("int f() { return late; } int late;", "1:18 `late` is used before it is declared");
    error(
        "process P() { state A, A; init A; } system P;",
        "1:24 the location `A` is declared twice",
    );
    error(
        "process P() { int A; state A; init A; } system P;",
        "1:28 `A` is both a location and a declared name",
    );
}

#[test]
fn types() {
    declaration("int a[0];", "1:7 an array cannot have 0 elements");
    declaration("const int N = -1; int a[N];", "1:25 an array cannot have -1 elements");
    declaration("int[3,1] a;", "1:10 the range 3..1 is empty");
    declaration("int[0,1] a = 2;", "1:14 the value 2 is outside the range 0..1");
    declaration("int a = 40000;", "1:9 the value 40000 is outside the range -32768..32767");
    declaration("int a[100000][100000];", "1:5 this has 10000000000 elements, which is too much");
    declaration(
        "void f() { int a[20000000]; a[0] = 1; }",
        "1:16 this has 20000000 elements, which is too much",
    );
    declaration("typedef struct { int a; S next; } S;", "1:25 unknown name `S`");
    declaration("void a;", "1:6 nothing can have the type `void`");
    declaration("const int a;", "1:11 the constant `a` has no value");
    declaration("const int a = 1 / 0;", "1:15 division by zero in a constant");
    declaration("int a; int b = a;", "1:16 this must be a constant");
    declaration("int a[2] = { 1, 2, 3 };", "1:12 the list has 3 values for 2 elements");
    declaration("typedef struct { int x; } S; S s = { y: 1 };", "1:38 the struct has no field `y`");
    declaration("int a = { 1 };", "1:9 a value of type `int` cannot be given as a list");
    declaration("int a[2] = 3;", "1:12 expected a value of type `int[2]`, found `int`");
    declaration("urgent int a;", "1:1 only channels can be `urgent` or `broadcast`");
    declaration("clock x = -1;", "1:11 a clock cannot start at -1");
    declaration("const clock x;", "1:1 only data can be `const` or `meta`");
}

#[test]
fn what_is_not_supported() {
    declaration("double d;", "1:1 not supported: `double`");
    declaration("hybrid clock h;", "1:1 not supported: hybrid clocks");
    declaration("const string s = \"a\";", "1:1 not supported: strings");
    guard("clock x;", "x < 2.5", "57 not supported: numbers with a fraction (`double`)");
    guard("int a;", "a == sqrt(4)", "58 not supported: `sqrt`, a function on `double`");
    update("clock x, y;", "x = y", "54 not supported: copying the value of a clock to a clock");
}

#[test]
fn constant_references_that_are_changed_behind_their_back() {
    update(
        "int g, h; void f(const int &x) { g = 5; h = x; }",
        "f(h + 1), f(g)",
        "64 not supported: a constant reference to a variable that the function changes",
    );
    declaration(
        "void f(const int &x, int &y) { y = x; } void k() { int l, m; f(m, l); f(l, l); }",
        "1:71 not supported: a constant reference to a variable that is also given as a reference",
    );
}

#[test]
fn clocks_and_channels_are_no_data() {
    update(
        "clock x; int n;",
        "n = x",
        "58 the value of a clock cannot be used in a data expression",
    );
    update(
        "clock x; int n;",
        "n = x + 1",
        "58 the value of a clock cannot be used in a data expression",
    );
    update("clock x; bool b;", "b = x < 3", "58 a clock constraint cannot be used as a value");
    update("clock x;", "x += 1", "54 a clock can only be set with `=`");
    update("clock x;", "x++", "54 a clock can only be set with `=`");
    update("chan c; int n;", "n = c", "58 a channel is not a value");
    guard("chan c;", "c == 1", "53 a channel is not a value");
    error(&edge("int n;", "sync n!;"), "2:52 only channels can synchronise, found `int`");
    error(&edge("chan c[2];", "sync c!;"), "2:52 an array of channels needs an index here");
    guard("clock x, y, z;", "x + y < 3", "53 a clock constraint compares one clock");
    guard("clock x;", "x * 2 < 3", "53 the value of a clock cannot be used in a data expression");
    guard("clock x;", "x' == 1", "53 the rate of a clock can only be fixed in an invariant");
    guard(
        "clock x; bool b;",
        "x < 1 || x > 3",
        "53 a disjunction of clock constraints is not allowed in a guard",
    );
    guard("clock x;", "x != 3", "53 a disjunction of clock constraints is not allowed in a guard");
    guard("", "deadlock", "53 `deadlock` can only be used in queries");
}

#[test]
fn values_of_the_wrong_type() {
    guard("int a[2];", "a", "53 an array cannot be used as a number");
    guard("int a;", "a[0] == 1", "53 a value of type `int` cannot be indexed");
    guard("int a;", "a.x == 1", "53 a value of type `int` has no fields");
    guard(
        "typedef struct { int speed; } S; S s;",
        "s.sped == 1",
        "55 the struct has no field `sped` [did you mean `speed`?]",
    );
    guard("int a[2], b[3];", "a == b", "53 `int[2]` cannot be compared with `int[3]`");
    update("int a[2], b[3];", "a = b", "58 expected a value of type `int[2]`, found `int[3]`");
    guard("typedef int[0,1] T;", "T == 1", "53 `T` is a type, not a value");
    guard(
        "int f() { return 1; }",
        "f == 1",
        "53 `f` is a function, not a value [call it: `f(...)`]",
    );
    guard("int f;", "f(1) == 1", "53 `f` is not a function");
    guard("void f() { }", "f() == 1", "53 the function returns nothing");
}

#[test]
fn scalars() {
    let names = "typedef scalar[3] S; typedef scalar[3] T; S s; T t; int n, a[S];";
    guard(names, "s == t", "53 `scalar[3]` cannot be compared with `scalar[3]`");
    guard(names, "s < s", "53 scalars can only be compared with `==` and `!=`");
    guard(names, "s + 1 == 2", "53 a scalar cannot be computed with");
    update(names, "s = 1", "58 expected a value of type `scalar[3]`, found `int`");
    update(names, "n = a[1]", "60 the index must be the scalar type of the array");
    update(names, "n = a[t]", "60 the index must be the scalar type of the array");
}

#[test]
fn changes_where_none_are_allowed() {
    guard(
        "int n;",
        "n++ > 0",
        "53 a guard must not change anything [move the change to an update]",
    );
    guard(
        "int n; int f() { n = 1; return n; }",
        "f() > 0",
        "53 a guard must not change anything, but `f` does",
    );
    update("const int n = 1;", "n = 2", "54 a constant cannot be changed");
    error(
        &edge("", "select i : int[0,1]; assign i = 1;"),
        "2:75 a selected value cannot be changed",
    );
    declaration("int n; const int m = n++;", "1:22 an initial value must not change anything");
    update("int n;", "3 = n", "54 only variables can be changed");
    declaration("void f(const int &n) { n = 1; }", "1:24 a constant parameter cannot be changed");
}

#[test]
fn functions() {
    declaration("void f() { f(); }", "1:12 `f` is used before it is declared");
    declaration(
        "int f(int n) { return n > 0 ? f(n - 1) : 0; }",
        "1:31 `f` is used before it is declared",
    );
    declaration("int f() { return; }", "1:11 the function must return a value");
    declaration("void f() { return 1; }", "1:12 a `void` function returns no value");
    declaration("void f() { clock x; }", "1:18 a function cannot have a variable of type `clock`");
    declaration("void f(clock x) { }", "1:8 the parameter `x` must be a reference [write `&x`");
    declaration("chan f() { }", "1:1 a function cannot return a `chan`");
    update("void f(int a) { }", "f()", "54 `f` takes 1 argument, found 0");
    update(
        "void f(int &a) { a = 1; }",
        "f(3)",
        "56 the parameter `a` is a reference and needs a variable",
    );
    update("const int N = 1; void f(int &a) { a = 1; }", "f(N)", "56 a constant cannot be changed");
    update(
        "clock x; void f(int &a) { a = 1; }",
        "f(x)",
        "56 expected a value of type `int`, found `clock`",
    );
}

#[test]
fn unused_things_are_checked_too() {
    declaration("int f(int &a, clock &x) { x = 0; return b; }", "1:41 unknown name `b`");
    error(
        "process T(const int n, int &r) { int a[n]; state A; init A; trans A -> A { guard q; }; }\nprocess P() { state A; init A; }\nsystem P;",
        "1:82 unknown name `q`",
    );
    error(
        "process P() { void f() { q = 1; } state A; init A; } system P;",
        "1:26 unknown name `q`",
    );
    error(
        "process T(int n) { state A; init A; } process P() { state A; init A; } Q = T(x); system P;",
        "1:78 unknown name `x`",
    );
}

#[test]
fn instantiation() {
    error("process P() { state A; init A; } system Q;", "1:41 unknown name `Q`");
    error(
        "int Q; process P() { state A; init A; } system Q;",
        "1:48 `Q` is not a template or process",
    );
    error("process P() { state A; init A; } system P, P;", "1:44 `P` is on the system line twice");
    error(
        "process P(int n) { state A; init A; } Q = P(); system Q;",
        "1:39 `P` takes 1 argument, found 0",
    );
    error(
        "process P(int n) { state A; init A; } system P;",
        "1:46 the parameter `n` of `P` has no value",
    );
    error(
        "process P(int &n) { state A; init A; } system P;",
        "1:47 the parameter `n` of `P` has no value",
    );
    error(
        "int v; process P(int n) { state A; init A; } Q = P(v); system Q;",
        "1:52 this must be a constant",
    );
    error(
        "process P(int[0,3] n) { state A; init A; } Q = P(4); system Q;",
        "1:50 the value 4 is outside the range 0..3",
    );
    error(
        "process P(int &n) { state A; init A; } Q = P(4); system Q;",
        "1:46 the parameter `n` is a reference and needs a variable",
    );
    error(
        "process P() { state A; init A; } Q = Q(); system Q;",
        "1:38 `Q` is used before it is declared",
    );
    error(
        "process P() { state A; init A; } int n = P.A; system P;",
        "1:42 the process `P` can only be named in queries",
    );
}

#[test]
fn repetitions_are_told_once() {
    let model = "process P(const int[0,254] i) { state A; init A; trans A -> A { guard q > i; }; } system P;";
    error(model, "1:71 unknown name `q`");
}

#[test]
fn all_mistakes_at_once() {
    let model = "int a = b;\nint c = d;\nprocess P() { state A { e }; init A; trans A -> A { guard f; sync g!; assign h = 1; }; }\nsystem P;";
    let found = errors_with(model, &["E<> i == 1", "E<> P.B"]);
    let names: Vec<&str> = found.iter().map(|it| it.split('`').nth(1).unwrap()).collect();
    assert_eq!(names, ["b", "d", "e", "f", "g", "h", "i", "P"]);
}

#[test]
fn mistakes_of_syntax_hide_only_unknown_names() {
    let found = errors_with(
        "int a = ;\nint b = a + c;\nint d[0];\nprocess P() { state A; init A; } system P;",
        &[],
    );
    assert_eq!(found.len(), 2, "{found:#?}");
    assert!(found[0].starts_with("1:"));
    assert_eq!(found[1], "3:7 an array cannot have 0 elements");
}

/// Two processes that use a channel without `!` and `?` meet; more are refused, as is a mixture.
#[test]
fn joint_actions() {
    let process = |name: &str, sync: &str| {
        format!("process {name}() {{ state s; init s; trans s -> s {{ sync {sync}; }}; }}\n")
    };
    let two = process("P", "c") + &process("Q", "c");
    let network = network_with(&format!("chan c;\n{two}system P, Q;"), &[]);
    let actions: Vec<_> = network.processes.iter().flat_map(|p| p.edges.iter()).collect();
    assert!(matches!(actions[0].action, network::Action::Send(_)), "{:?}", actions[0]);
    assert!(matches!(actions[1].action, network::Action::Receive(_)), "{:?}", actions[1]);
    let mixed = format!("chan c;\n{two}{}system P, Q, R;", process("R", "c!"));
    let text = errors_with(&mixed, &[]).join("\n");
    assert!(text.contains("used with `!` or `?` elsewhere"), "{text}");
    let three = format!("chan c;\n{two}{}system P, Q, R;", process("R", "c"));
    let text = errors_with(&three, &[]).join("\n");
    assert!(text.contains("without `!` or `?` of 3 processes"), "{text}");
    let index = format!("chan c[2]; int i;\n{}system P;", process("P", "c[i]"));
    let text = errors_with(&index, &[]).join("\n");
    assert!(text.contains("index is not constant"), "{text}");
}

#[test]
fn nothing_runs_through_millions_of_values() {
    guard(
        "int x;",
        "forall (i : int[1,2000000000]) x < i",
        "65 `i` would run through 2000000000 values",
    );
    error(
        &edge("int x;", "select i : int[0,1000000]; assign x = i % 5;"),
        "2:58 `i` would run through 1000001 values",
    );
}

/// What is said, with its hint, about a model with these global declarations and labels of an edge.
fn said(declarations: &str, labels: &str) -> String {
    errors_with(&edge(declarations, labels), &[]).join("; ")
}

#[test]
fn comparisons_written_as_assignments() {
    let hint = "must not change anything [write `==` to compare; changes belong in an update]";
    assert_eq!(said("int n;", "guard n = 1;"), format!("2:53 a guard {hint}"));
    assert_eq!(said("int n;", "guard n := 1;"), format!("2:53 a guard {hint}"));
    assert_eq!(said("clock x; int n;", "guard x >= 2 && n = 1;"), format!("2:53 a guard {hint}"));
    let invariant = "clock x; process P() { state A { x = 5 }; init A; } system P;";
    assert_eq!(errors_with(invariant, &[]), [format!("1:34 an invariant {hint}")]);
    let query = errors_with(&edge("int n;", ""), &["E<> n = 1"]);
    assert_eq!(query, [format!("1:5 a query {hint}")]);
    assert!(said("int n;", "guard n++ > 1;").ends_with("[move the change to an update]"));
}

#[test]
fn misspelt_words() {
    assert!(said("int n;", "gaurd n == 1;").ends_with("[did you mean `guard`?]"));
    assert!(said("int n;", "asign n = 1;").ends_with("[did you mean `assign`?]"));
    let ended = "[`;` ends a label: join conditions with `&&`, updates with `,`]";
    assert!(said("int n, m;", "guard n == 1; m == 2;").ends_with(ended));
    for (word, meant) in
        [("clcok", "clock"), ("boolean", "bool"), ("in", "int"), ("countr_t", "counter_t")]
    {
        let declarations = format!("typedef int[0,3] counter_t; {word} a;");
        let found = said(&declarations, "");
        assert_eq!(found, format!("1:29 unknown name `{word}` [did you mean `{meant}`?]"));
    }
    let order = said("chan broadcast c;", "");
    assert_eq!(order, "1:6 `broadcast` comes before `chan` [write `broadcast chan`]");
    let location = "process P() { state begin; init begni; } system P;";
    let found = errors_with(location, &[]);
    let missing = "there is no location named `begni` in this process";
    assert_eq!(found, [format!("1:33 {missing} [did you mean `begin`?]")]);
}

#[test]
fn signs_of_other_alphabets() {
    assert_eq!(said("int n;", "guard n ≤ 3;"), "2:55 `≤` has no meaning here [write `<=`]");
    assert!(said("int n;", "guard n == 0x1F;").ends_with("[numbers are written in decimal]"));
}

#[test]
fn a_missing_semicolon_is_missing_where_it_belongs() {
    let label = said("int n;", "guard n == 1 assign n = 2;");
    assert_eq!(label, "2:59 expected `;` after the `guard` label, found `assign`");
    let choice = said("int f(int n) { if (n == 1) return 1 else return 2; }", "");
    assert_eq!(choice, "1:36 expected `;` after the returned value, found `else`");
    assert_eq!(said("int n", ""), "1:6 expected `;` after the declaration of `n`, found `process`");
    let operator = said("int n, m;", "guard n == 1 m == 2;");
    assert!(operator.ends_with("[an operator may be missing before `m`]"), "{operator}");
}
