//! The text form loses nothing, and text that is no network is refused without a panic.

mod support;

use network::*;
use support::{tame, wild};
use testing::Numbers;

fn check_round_trip(network: &Network) {
    let text = print(network);
    match parse(&text) {
        Ok(parsed) if parsed == *network => {}
        Ok(parsed) => panic!("changed:\n{text}\nbecame\n{}", print(&parsed)),
        Err(diagnostics) => panic!("refused: {diagnostics:#?}\n{text}"),
    }
}

/// Text whose printed form is the text itself.
fn check_canonical(text: &str) -> Network {
    let network = parse(text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    assert_eq!(verify(&network), []);
    assert_eq!(print(&network), text);
    network
}

const EVERYTHING: &str = include_str!("everything.network");

#[test]
fn every_construct_prints_as_written() {
    let network = check_canonical(EVERYTHING);
    assert_eq!(network.channels.len(), 4);
}

#[test]
fn the_example_of_the_documentation_is_sound() {
    let page = include_str!("../../docs/network-text.md");
    let example = page.split("```\n").nth(1).expect("an example");
    check_canonical(example);
}

fn property_expr(declarations: &str, expr: &str) -> Expr {
    let text = format!("network 1\n{declarations}\nproperty \"\" reachable {expr}");
    let network = parse(&text).unwrap_or_else(|errors| panic!("{expr}: {errors:#?}"));
    network.properties[PropertyId(0)].claim.expression().cloned().expect("a claim")
}

fn constant(value: i32) -> Expr {
    Expr::Const(value)
}

/// The reading of text is compared with trees built by hand, so that a mistake that printing and
/// parsing share shows.
#[test]
fn operators_bind_as_documented() {
    use BinaryOp::*;
    let binary = |op, a, b| Expr::binary(op, a, b);
    let check = |text: &str, expected: Expr| assert_eq!(property_expr("", text), expected);
    let [one, two, three] = [1, 2, 3].map(constant);
    let (one, two, three) = (|| one.clone(), || two.clone(), || three.clone());
    check("1 + 2 * 3", binary(Add, one(), binary(Mul, two(), three())));
    check("1 - 2 - 3", binary(Sub, binary(Sub, one(), two()), three()));
    check("1 - (2 - 3)", binary(Sub, one(), binary(Sub, two(), three())));
    check("1 && 2 || 3", binary(Or, binary(And, one(), two()), three()));
    check("1 || 2 && 3", binary(Or, one(), binary(And, two(), three())));
    check("1 | 2 == 3", binary(Eq, binary(BitOr, one(), two()), three()));
    check("1 ^ 2 & 3", binary(BitXor, one(), binary(BitAnd, two(), three())));
    check("1 << 2 + 3", binary(Shl, one(), binary(Add, two(), three())));
    check("1 * 2 ** 3", binary(Mul, one(), binary(Pow, two(), three())));
    check("1 >> 2 < 3", binary(Lt, binary(Shr, one(), two()), three()));
    check("1 != 2", binary(Ne, one(), two()));
    check("1 <= 2", binary(Le, one(), two()));
    check("1 >= 2", binary(Ge, one(), two()));
    check("1 > 2", binary(Gt, one(), two()));
    check("1 / 2 % 3", binary(Rem, binary(Div, one(), two()), three()));
    check("1 + 2 % 3", binary(Add, one(), binary(Rem, two(), three())));
    check("1 - 2 / 3", binary(Sub, one(), binary(Div, two(), three())));
    check("min(1, max(2, 3))", binary(Min, one(), binary(Max, two(), three())));
    check("-3", constant(-3));
    check("-2147483648", constant(i32::MIN));
    check("-(3)", Expr::unary(UnaryOp::Neg, three()));
    check("1 - -3", binary(Sub, one(), constant(-3)));
    check(
        "!1 + ~2",
        binary(Add, Expr::unary(UnaryOp::Not, one()), Expr::unary(UnaryOp::BitNot, two())),
    );
    check("abs(1)", Expr::unary(UnaryOp::Abs, one()));
    check(
        "1 ? 2 : 3 ? 1 : 2",
        Expr::Conditional(
            Box::new(one()),
            Box::new(two()),
            Box::new(Expr::Conditional(Box::new(three()), Box::new(one()), Box::new(two()))),
        ),
    );
}

#[test]
fn names_mean_what_they_should() {
    let declarations = "var v[2] : int\nclock c\nclock v\n";
    let read =
        Expr::Read(Place { base: Base::Variable(VariableId(0)), indices: vec![constant(1)] });
    assert_eq!(property_expr(declarations, "v[1]"), read);
    let bound = |clock, when| {
        let left = ClockRef { clock: ClockId(clock), indices: Vec::new() };
        let relation = Relation::Ge;
        Expr::Clock(Box::new(ClockConstraint {
            when,
            left,
            right: None,
            relation,
            bound: constant(3),
        }))
    };
    assert_eq!(property_expr(declarations, "c >= 3"), bound(0, None));
    assert_eq!(property_expr(declarations, "(clock v) >= 3"), bound(1, None));
    assert_eq!(property_expr(declarations, "v[1] imply c >= 3"), bound(0, Some(read)));
}

#[test]
fn clock_constraints_may_stand_anywhere_in_a_conjunction() {
    let text = "network 1 var v : int clock c
        process P { location A; init A; edge A -> A { when c >= 3 && v == 0 && c < 5 && v < 2; } }";
    let network = parse(text).expect("text");
    let guard = &network.processes[ProcessId(0)].edges[EdgeId(0)].guard;
    assert_eq!(guard.clocks.len(), 2);
    assert!(matches!(guard.data, Expr::Binary(BinaryOp::And, ..)));
    check_round_trip(&network);
}

#[test]
fn random_networks_are_well_formed_and_survive() {
    for seed in 0..300 {
        println!("seed {seed}");
        let network = tame(seed);
        assert_eq!(verify(&network), []);
        check_round_trip(&network);
    }
}

/// The random networks are of use only if they contain everything.
#[test]
fn random_networks_have_every_construct() {
    let all: String = (0..300).map(|seed| format!("{:?}", tame(seed))).collect();
    let words = "Unary( Binary( Conditional( Quantified( Call( At( Clock( Deadlock Neg Not BitNot Abs \
        Add Sub Mul Div Rem Pow Min Max BitAnd BitOr BitXor Shl Shr Eq Ne Lt Le Gt Ge And Or ForAll \
        Exists Sum Assign( Reset( If( While( Call(Some Call(None Return(Some Return(None) Assert( \
        Handshake Broadcast Buffered Element( Value( Equal( Store( Any Urgent Committed \
        Timeout Probe( Length Full Empty Poll( Send(Send Receive(Receive Enter( Await( \
        Fail( NoRoom \
        Normal Meta Constant State Wrap Reachable( Always( Unsupported( Internal when:";
    for word in words.split_whitespace() {
        assert!(all.contains(word), "{word} never occurs");
    }
    for word in [
        "sorted: true",
        "anywhere: true",
        "keep: true",
        "urgent: true",
        "scalar: Some",
        "names: Some",
        "keeps_control: true",
        "preference: -2147483648",
        "counts_errors: true",
        "observes: true",
        "observer: Some",
        "beyond: Some",
        "priority: Variable(",
        "capacity: 0",
        "kind: Send(Send",
        "kind: Receive(Receive",
    ] {
        assert!(all.contains(word), "{word} never occurs");
    }
}

#[test]
fn broken_networks_print_without_panic() {
    for seed in 0..500 {
        println!("seed {seed}");
        let _ = parse(&print(&wild(seed)));
    }
}

// ---- depth and size ----

fn with_property(expr: Expr) -> Network {
    let claim = Claim::Reachable(expr);
    let property = Property {
        text: String::new(),
        claim,
        locals: Arena::new(),
        counts_errors: false,
        observer: None,
        beyond: None,
        span: Span::NONE,
    };
    let text = "network 1 var v : int var a[2] : bool clock c chan q[2] : buffered 1 (bool)";
    let mut network = parse(text).expect("text");
    network.properties.push(property);
    network
}

fn nested(depth: usize, wrap: impl Fn(Expr) -> Expr) -> Network {
    with_property((1..depth).fold(constant(1), |expr, _| wrap(expr)))
}

#[test]
fn deep_expressions_survive_up_to_the_limit() {
    let element =
        |index| Expr::Read(Place { base: Base::Variable(VariableId(1)), indices: vec![index] });
    let clock = |when| {
        let left = ClockRef { clock: ClockId(0), indices: Vec::new() };
        Expr::Clock(Box::new(ClockConstraint {
            when: Some(when),
            left,
            right: None,
            relation: Relation::Lt,
            bound: constant(1),
        }))
    };
    let queue = |index| ChannelRef::Element(ChannelId(0), vec![index]);
    let length = |channel| Expr::Probe(Probe::Length, Box::new(channel));
    let poll = |value| {
        let (channel, message) = (queue(constant(0)), vec![Pattern::Equal(value)]);
        Expr::Poll(Box::new(Poll { channel, message, anywhere: true }))
    };
    let shapes: [&dyn Fn(Expr) -> Expr; 10] = [
        &|expr| length(queue(expr)),
        &|expr| length(ChannelRef::Value(expr)),
        &poll,
        &|expr| Expr::unary(UnaryOp::Not, expr),
        &|expr| Expr::binary(BinaryOp::And, expr, constant(1)),
        &|expr| Expr::binary(BinaryOp::And, constant(1), expr),
        &|expr| Expr::Conditional(Box::new(expr), Box::new(constant(1)), Box::new(constant(1))),
        &|expr| Expr::Conditional(Box::new(constant(1)), Box::new(constant(1)), Box::new(expr)),
        &element,
        &clock,
    ];
    for shape in shapes {
        let network = nested(MAX_DEPTH, shape);
        assert_eq!(verify(&network), []);
        check_round_trip(&network);
        let network = nested(MAX_DEPTH + 1, shape);
        assert_eq!(verify(&network).len(), 1);
        assert!(parse(&print(&network)).is_err());
    }
}

/// The block that is nested most deeply in blocks of one statement each.
fn innermost(block: &mut Vec<Statement>) -> &mut Vec<Statement> {
    if block.is_empty() {
        return block;
    }
    match &mut block[0].kind {
        StatementKind::While(_, body) => innermost(body),
        StatementKind::If(_, then, otherwise) if otherwise.is_empty() => innermost(then),
        StatementKind::If(_, _, otherwise) => innermost(otherwise),
        _ => panic!("no block"),
    }
}

fn deep_assertion(depth: usize) -> Statement {
    let wrap = |expr, _| Expr::binary(BinaryOp::And, constant(1), expr);
    let condition = (1..depth).fold(constant(1), wrap);
    Statement { kind: StatementKind::Assert(condition), span: Span::NONE }
}

#[test]
fn deep_statements_survive_up_to_the_limit() {
    let shapes: [&dyn Fn(Vec<Statement>) -> StatementKind; 3] = [
        &|body| StatementKind::While(constant(1), body),
        &|body| StatementKind::If(constant(1), body, Vec::new()),
        &|body| StatementKind::If(constant(1), Vec::new(), body),
    ];
    for shape in shapes {
        let nested = |depth| {
            let wrap = |body, _| vec![Statement { kind: shape(body), span: Span::NONE }];
            let mut network = parse("network 1 function f() {}").expect("text");
            network.functions[FunctionId(0)].body = (1..depth).fold(Vec::new(), wrap);
            network
        };
        let network = nested(MAX_DEPTH);
        assert_eq!(verify(&network), []);
        check_round_trip(&network);
        assert!(parse(&print(&nested(MAX_DEPTH + 1))).is_err());
        let mut both = nested(MAX_DEPTH / 2);
        innermost(&mut both.functions[FunctionId(0)].body).push(deep_assertion(MAX_DEPTH / 2));
        assert_eq!(verify(&both), []);
        check_round_trip(&both);
        assert_eq!(verify(&nested(MAX_DEPTH + 1)).len(), 1);
    }
}

#[test]
fn hostile_nesting_is_refused() {
    for opening in ["(", "!", "-", "a[", "1 ? ", "1 + (", "f(", "forall (i#0) ", "min(", "c < "]
        .into_iter()
        .chain(["len(channel(", "poll q(== ", "full(q["])
    {
        let text = format!(
            "network 1 clock c chan q : handshake property \"\" reachable {}",
            opening.repeat(200_000)
        );
        assert!(parse(&text).is_err(), "{opening}");
    }
    for opening in ["while (1) {", "if (1) {} else ", "if (1) {"] {
        let text = format!("network 1 function f() {{ {}", opening.repeat(200_000));
        assert!(parse(&text).is_err(), "{opening}");
    }
    for chain in ["1 + ", "1 && ", "(1 + 1) * (", "1 + 1 * ("] {
        let text = format!("network 1 property \"\" reachable {}1", chain.repeat(200_000));
        assert!(parse(&text).is_err(), "{chain}");
    }
    for size in ["[4000000000]", "[100000][100000][100000]", "[4294967295][4294967295][4294967295]"]
    {
        assert!(parse(&format!("network 1 var a{size} : int")).is_err());
    }
}

#[test]
fn long_conjunctions_of_clock_constraints_are_no_nesting() {
    let constraints = vec!["c < 5"; 5000].join(" && ");
    let text = format!(
        "network 1 clock c process P {{ location A {{ invariant {constraints}; }} init A; }}"
    );
    let network = parse(&text).expect("text");
    assert_eq!(verify(&network), []);
    check_round_trip(&network);
}

#[test]
fn odd_characters_are_visible() {
    let mut network = Network::default();
    network.sources.push(Source { path: "\u{7}\u{85}\t\r\n\"\\é".into() });
    let expected = "network 1\nsource 0 \"\\u{7}\\u{85}\\t\\r\\n\\\"\\\\é\"\n";
    assert_eq!(print(&network), expected);
    check_round_trip(&network);
}

#[test]
fn large_arrays_print_as_runs() {
    let text = "network 1\nvar a[1000000] : bool = 0 * 999999, 1\n";
    assert_eq!(check_canonical(text).variables[VariableId(0)].initial.len(), 1_000_000);
}

// ---- mistakes ----

fn check_error(text: &str, line: u32, column: u32, message: &str) {
    let errors = parse(text).expect_err("a mistake");
    let place = errors[0].place.as_ref().expect("a place");
    assert_eq!((place.line, place.column), (line, column), "{errors:#?}");
    assert!(errors[0].message.contains(message), "{errors:#?}");
}

#[test]
fn mistakes_are_reported_where_they_stand() {
    check_error("", 1, 1, "expected `network`, found the end");
    check_error("network 2", 1, 9, "version 2");
    check_error("network 1\nvar ü : int", 2, 5, "no meaning");
    check_error("network 1\nvar \"ü\" :: int", 2, 10, "expected `int`");
    check_error("network 1\nvar \"x", 2, 5, "not closed");
    check_error("network 1\nvar \"\\q\" : int", 2, 5, "escape");
    check_error("network 1\nvar a[3] : int = 1, 2", 2, 22, "2 values for 3");
    check_error("network 1\nvar a[3] : int = 1 * 4", 2, 23, "more values");
    check_error("network 1\nvar a : int[0, 2147483648]", 2, 16, "32 bits");
    check_error("network 1\nvar a : int of S", 2, 16, "no scalar set");
    check_error("network 1\nvar a : int named S", 2, 19, "no value names");
    check_error("network 1\nnames S { a b }", 2, 13, "`,`");
    check_error("network 1\nproperty \"\" reachable x", 2, 23, "no variable");
    check_error("network 1 var x : int var x : int\nproperty \"\" reachable x", 2, 23, "several");
    check_error("network 1\nproperty \"\" reachable i#0", 2, 23, "local 0 is not declared");
    check_error(
        "network 1\nproperty \"\" local i#0 : int; reachable j#0",
        2,
        40,
        "local 0 is called \"i\"",
    );
    check_error("network 1\nproperty \"\" local i#1 : int; reachable 1", 2, 41, "gaps");
    check_error("network 1 clock c\nproperty \"\" reachable 1 + c < 3", 2, 27, "only be compared");
    check_error("network 1\nproperty \"\" reachable 1 imply 2", 2, 31, "imply");
    check_error("network 1\nprocess P { location A; }", 2, 26, "no initial location");
    check_error("network 1\nprocess P { location A; init B; }", 2, 30, "no location \"B\"");
    check_error("network 1\nvar x : int 3", 2, 13, "expected the next item");
    check_error("network 1\nproperty \"\" counts reachable 1", 2, 20, "expected `errors`");
    check_error("network 1\nproperty \"\" reachable len(3)", 2, 27, "expected a name");
    check_error("network 1\nproperty \"\" reachable poll q", 2, 28, "no channel \"q\"");
    let edge =
        |part: &str| format!("network 1\nprocess P {{ location A; init A; edge A -> A {{ {part}");
    check_error(&edge("keeps it;"), 2, 53, "expected `control`");
    check_error(&edge("preference x;"), 2, 58, "expected a number");
    check_error(&edge("do { enter P; }"), 2, 59, "expected `at`");
    check_error(&edge("do { enter P at B; }"), 2, 63, "no location \"B\"");
    check_error("network 1\nsource 1 \"x\"", 2, 8, "numbered from 0");
}

#[test]
fn every_item_with_a_mistake_is_reported() {
    let errors =
        parse("network 1\nvar a : itn\nvar b : int\nclock 3\nvar c").expect_err("mistakes");
    let lines: Vec<_> = errors.iter().map(|e| e.place.as_ref().map_or(0, |p| p.line)).collect();
    assert_eq!(lines, [2, 4, 5]);
    assert_eq!(errors[0].place.as_ref().map(|p| p.source_line.as_str()), Some("var a : itn"));
}

#[test]
fn mutated_text_never_panics() {
    let fragments = [
        "{",
        "}",
        "(",
        ")",
        "\"",
        "@",
        "#",
        "##",
        "-",
        "9999999999",
        "forall",
        "\\",
        "é",
        "\n",
        ";",
    ];
    for seed in 0..3000 {
        let mut numbers = Numbers::new(seed);
        let mut text: Vec<char> = print(&tame(seed % 100)).chars().collect();
        for _ in 0..1 + numbers.below(4) {
            let at = numbers.below(text.len());
            let end = (at + numbers.below(8)).min(text.len());
            let fragment: Vec<char> = match numbers.below(3) {
                0 => Vec::new(),
                1 => numbers.one(&fragments).chars().collect(),
                _ => text[at..end].repeat(2),
            };
            text.splice(at..end, fragment);
        }
        let text: String = text.into_iter().collect();
        if let Ok(network) = parse(&text) {
            println!("seed {seed}");
            if verify(&network).is_empty() {
                check_round_trip(&network);
            }
        }
    }
}
