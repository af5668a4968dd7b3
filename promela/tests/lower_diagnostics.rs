//! What is wrong with a model is said where it stands, and nothing is silently ignored.

mod loading;

/// All that is said about a model.
fn diagnostics(text: &str) -> Vec<network::Diagnostic> {
    loading::load(text, promela::Options::default()).diagnostics
}

fn problems(text: &str) -> Vec<String> {
    let line = |it: &network::Diagnostic| it.place.as_ref().map_or(0, |place| place.line);
    diagnostics(text).iter().map(|it| format!("{}: {}", line(it), it.message)).collect()
}

#[track_caller]
fn refuses(text: &str, message: &str) {
    let problems = problems(text);
    assert!(problems.iter().any(|it| it == message), "{problems:?}");
}

/// Every message with its hint.
fn advice(text: &str) -> Vec<String> {
    let hint = |it: &network::Diagnostic| it.hint.clone().unwrap_or_default();
    diagnostics(text).iter().map(|it| format!("{} [{}]", it.message, hint(it))).collect()
}

#[track_caller]
fn advises(text: &str, expected: &str) {
    let found = advice(text);
    assert!(found.iter().any(|it| it == expected), "{found:?}");
}

#[test]
fn names_alike_are_suggested() {
    advises("byte count; init { coutn = 1 }", "`coutn` is not declared [did you mean `count`?]");
    let fields = "typedef Node { byte value } Node n; init { n.valeu = 1 }";
    advises(fields, "the type `Node` has no field `valeu` [did you mean `value`?]");
    let proctypes = "proctype Worker() { skip } init { run Wroker() }";
    advises(proctypes, "there is no proctype `Wroker` [did you mean `Worker`?]");
    let labels = "init { goto finsh; finish: skip }";
    assert_eq!(advice(labels), ["there is no label `finsh` [did you mean `finish`?]"]);
    let remote = "active proctype P() { here: skip } init { P@hree }";
    advises(remote, "`P` has no label `hree` [did you mean `here`?]");
    let inlines = "byte x; inline push(a) { x = a } init { puhs(1) }";
    advises(inlines, "`puhs` is not an inline defined above [did you mean `push`?]");
    let word = "expected `;` or `->` after the statement, found `{` [did you mean `atomic`?]";
    advises("byte x; init { atomc { x = 1 } }", word);
    let unit = "expected a proctype, `init` or a declaration, found";
    advises("bytte x; init { skip }", &format!("{unit} `bytte` [did you mean `byte`?]"));
    advises("proctpye P() { skip }", &format!("{unit} `proctpye` [did you mean `proctype`?]"));
}

#[test]
fn comparisons_and_separators_are_suggested() {
    let compare = "expected `)` to close the parenthesis, found `=` [to compare, write `==`]";
    advises("byte x; init { (x = 1) }", compare);
    advises("byte x; init { assert(x = 1) }", compare);
    let taken = "an assignment is always possible, so `else` never is [to compare, write `==`]";
    advises("byte x; init { if :: x = 1 -> skip :: else -> skip fi }", taken);
    assert_eq!(advice("byte x; init { if :: x = 1 -> skip :: x = 2 fi }"), [""; 0]);
    assert_eq!(advice("byte x; init { if :: x = 1 :: else fi }"), [""; 0]);
    let separator = "expected `;` or `->` after the statement, found `x` [put `;` before `x`]";
    advises("byte x; init { x = 1 x = 2 }", separator);
    let options =
        "expected `::` after `if`, found `(` [write `if :: condition -> statements :: else fi`]";
    advises("byte x; init { if (x == 1) :: skip fi }", options);
}

#[test]
fn what_a_macro_stands_for_is_shown() {
    let text = "#define BAD x = = 1\nint x; init { BAD }";
    let found = "expected an expression, found `=` [`BAD` is defined in line 1 as `x = = 1`]";
    advises(text, found);
    let text = "#define MORE(c) (coutn > c)\nint count; init { MORE(3) }";
    let hint = "did you mean `count`? (`MORE` is defined in line 1 as `(coutn > c)`)";
    advises(text, &format!("`coutn` is not declared [{hint}]"));
    let text = "#define N 0\nbyte a[N]; init { skip }";
    advises(text, "an array cannot have 0 elements [`N` is defined in line 1 as `0`]");
}

#[test]
fn unknown_names() {
    refuses("init {\n x = 1 }", "2: `x` is not declared");
    refuses("init {\n run P() }", "2: there is no proctype `P`");
    refuses("init {\n goto out }", "2: there is no label `out`");
    refuses("typedef T { byte a } T t;\ninit { t.b = 1 }", "2: the type `T` has no field `b`");
    refuses("byte x; active proctype P() { P[0]@out }", "1: `P` has no label `out`");
}

#[test]
fn misused_names() {
    refuses("byte x; init { x!1 }", "1: `x` is not a channel");
    refuses("byte x; init { x[1] = 2 }", "1: `x` is not an array");
    refuses("mtype = { a } init { a = 2 }", "1: `a` is a constant");
    refuses("typedef T { byte a } T t; init { t = 1 }", "1: `t` is a struct, not a value");
    refuses("init { break }", "1: `break` outside a loop");
    refuses("byte x; init { x = _ }", "1: `_` can be written, but not read");
}

#[test]
fn predefined_names() {
    refuses("init {\n np_ }", "2: `np_` is possible only in claims and queries");
    refuses("byte x = _pid; init { skip }", "1: `_pid` has no meaning outside a process");
    refuses("init { _last = 1 }", "1: `_last` cannot be assigned");
}

#[test]
fn enabled() {
    refuses(
        "chan q = [0] of { byte };\ninit { enabled(1) -> skip }",
        "2: not supported: `enabled` in a model with rendezvous channels, which Spin refuses too",
    );
    // Spin's verifier ends with a segmentation fault.
    refuses(
        "active proctype P() { enabled(1) }\nactive proctype Q() { enabled(0) }",
        "1: not supported: `enabled` about a process that may itself wait for `enabled` about this one",
    );
}

#[test]
fn traces() {
    let rest = "byte x; chan q = [2] of { byte, byte }; chan w; chan a[2] = [1] of { byte };\n";
    let refuses = |trace: &str, message: &str| {
        refuses(&format!("{rest}{trace} active proctype P() {{ q!!1,2; w = q }}"), message);
    };
    refuses("trace { q!1,2 } notrace { q?1,2 }", "2: a model has only one `trace` or `notrace`");
    refuses("trace { q?1,2; q!_,_,_ }", "2: the messages of `q` have 2 fields, not 3");
    refuses("trace { w!1 }", "2: not supported yet: a trace about a channel that is not global");
    refuses(
        "trace { a[x]!1 }",
        "2: not supported yet: a trace about a channel with a variable index",
    );
    refuses(
        "trace { a[2]!1 }",
        "2: not supported yet: a trace about an element that its array does not have",
    );
    refuses("trace { byte y; q?eval(y),_ }", "2: a variable of a trace has no value");
    refuses("trace { q?eval(_pid),_ }", "2: `_pid` has no meaning outside a process");
    refuses(
        "trace { q!1,-1; q?1,2 }",
        "2: a trace does not compare this field: it is not a plain constant",
    );
    refuses(
        "trace { q!1,2 }",
        "2: not supported yet: `!!` to a channel whose messages a trace checks",
    );
    refuses(
        "trace { for (x : 1 .. 2) { q?1,2 } }",
        "2: not supported yet: a step of a trace that is neither a send nor a receive",
    );
}

#[test]
fn remote_references() {
    let process = "typedef T { byte f } active proctype P() { byte x; byte a[2]; T t; skip }";
    let refuses = |expr: &str, message: &str| {
        refuses(&format!("{process}\nactive proctype Q() {{ byte y; y = {expr} }}"), message);
    };
    refuses("P[0]:z", "2: `P` has no variable `z`");
    refuses("P[0]:a", "2: `a` is an array and needs an index");
    refuses("P[0]:x[1]", "2: `x` is not an array");
    refuses("P[0]:t", "2: `t` is a struct, which cannot be read from outside its process");
    refuses("P[0]:_p[1]", "2: `P` has no variable `_p`");
}

#[test]
fn wrong_counts() {
    refuses(
        "chan q = [1] of { byte }; init { q!1,2 }",
        "1: the messages of `q` have 1 fields, not 2",
    );
    refuses(
        "proctype P(byte a) { skip } init { run P() }",
        "1: `P` has 1 parameters, but 0 are given",
    );
    refuses("byte a[0]; init { skip }", "1: an array cannot have 0 elements");
}

#[test]
fn declared_twice() {
    refuses("byte x;\nint x; init { skip }", "2: `x` is declared twice");
    refuses("init { l: skip;\n l: skip }", "2: the label `l` is declared twice");
    refuses(
        "proctype P() { skip }\nproctype P() { skip } init { skip }",
        "2: the proctype `P` is declared twice",
    );
}

#[test]
fn priorities() {
    refuses("init\npriority 0 { skip }", "2: 0 is not a priority: priorities are 1 to 255");
    refuses(
        "active proctype P()\npriority 256 { skip }",
        "2: 256 is not a priority: priorities are 1 to 255",
    );
    let by_value = "byte x = 3; proctype P() { skip } init {\nrun P() priority x }";
    refuses(by_value, "2: a priority is a number or a symbolic constant");
    let message = "2: priorities cannot be combined with rendezvous, in Spin's verifiers too";
    refuses("chan c = [0] of { byte }; init {\nset_priority(0, 2) }", message);
    refuses("byte x; init { chan c = [0] of { bit }; skip;\nx = get_priority(x) }", message);
    refuses("byte x = _priority; init { skip }", "1: `_priority` has no meaning outside a process");
    refuses("never {\n set_priority(0, 1) } init { skip }", "2: a claim cannot change priorities");
    let message = "2: `_priority` cannot be assigned like this";
    refuses("init {\n _priority[1] = 2 }", message);
    refuses("never {\n _priority = 2 } init { skip }", message);
    let message = "2: the priority 0 is taken as 1, as Spin does";
    refuses("proctype P() { skip } init { \nrun P() priority 0 }", message);
    let message = "1: this priority has no effect: the proctype is not `active`";
    refuses("proctype P() priority 3 { skip } init { run P() }", message);
}

#[test]
fn what_may_not_stand_in_a_d_step() {
    let step =
        |statements: &str| format!("byte x; init {{ d_step {{\n{statements} }}; m: x = 1 }}");
    refuses(&step("x = 1; goto m"), "2: this jump leaves its `d_step`");
    refuses(&step("x = 1; { x = 2 } unless x == 3"), "2: `unless` is not allowed in a `d_step`");
    refuses(&step("x = run P(); l: x = 1"), "2: there is no proctype `P`");
    refuses(&step("l: x = 1; goto l"), "2: the label `l` before the first statement");
    refuses(
        "byte x; init { goto l;\n d_step { x = 1; l: x = 2 } }",
        "1: this jump leads into a `d_step`",
    );
    refuses(
        "byte x; init { do :: d_step { x = 1;\n break } od }",
        "2: this jump leaves its `d_step`",
    );
    refuses(
        "byte x; proctype P() { skip } init { d_step {\n x = 1 + run P() } }",
        "2: `run` is not allowed in a `d_step`",
    );
}

#[test]
fn where_run_may_not_stand() {
    let message = "2: `run` is allowed here only as a statement of its own";
    let places =
        ["(run P() > 0)", "q!run P()", "a[run P()] = 1", "byte y = run P()", "q?eval(run P())"];
    for place in places {
        let text = format!(
            "byte a[3]; chan q = [1] of {{ byte }}; proctype P() {{ skip }}\ninit {{ {place} }}"
        );
        refuses(&text, message);
    }
}

#[test]
fn a_model_without_processes() {
    for text in ["byte x;", "byte x; proctype P() { x = 1 }", "active [0] proctype P() { skip }"] {
        refuses(text, "1: no process ever runs");
    }
}
