//! Run-time errors: each kind is raised where it should be, and claims of errors are checked.

mod common;

use common::*;
use network::*;

fn ending(kind: ErrorKind, moves: &[Move]) -> Ending {
    let error = RunTimeError { kind, span: Span::NONE };
    Ending::Error { error, moves: moves.to_vec() }
}

/// None of these errors is one that only a language knows.
fn told(kind: ErrorKind) -> String {
    kind.message(&Network::default())
}

fn claim(kind: ErrorKind, moves: &[Move]) -> Trace {
    Trace { ending: ending(kind, moves), ..trace(1, &[]) }
}

/// One process whose only edge has the update.
fn updating(update: Vec<Statement>) -> Network {
    let process = process("P", &["0", "1"]).edge(0, 1, |e| {
        e.update = update;
        let (name, ty) = ("n".to_string(), Type::range(0, 3));
        e.locals.push(Local { name, ty, sizes: vec![2] });
    });
    network([process]).clock("x").variable("v", -5, 5, 0).array("a", Type::range(0, 7), &[4, 5, 6])
}

fn element(index: Expr) -> Place {
    Place { base: Base::Variable(VariableId(1)), indices: vec![index] }
}

/// Demands that the edge raises just this error.
#[track_caller]
fn raises(update: Vec<Statement>, kind: ErrorKind) {
    let network = updating(update);
    accepted(&network, &claim(kind, &[moved(0, 0)]));
    let other = ErrorKind::Shift(77);
    rejected(
        &network,
        &claim(other, &[moved(0, 0)]),
        &format!(
            "at the end: the run-time error should be: {}; it is: {}",
            told(other),
            told(kind)
        ),
    );
    rejected(
        &network,
        &trace(1, &[step(0, &[moved(0, 0)], &[])]),
        &format!("step 1: a run-time error is raised: {}", told(kind)),
    );
    rejected(
        &network,
        &claim(kind, &[]),
        &format!("at the end: the run-time error should be: {}; there is none", told(kind)),
    );
}

fn constant(op: BinaryOp, left: i32, right: i32) -> Vec<Statement> {
    vec![assign(0, Expr::binary(op, Expr::Const(left), Expr::Const(right)))]
}

#[test]
fn every_kind_of_error_in_updates() {
    let out_of_range = |value| ErrorKind::OutOfRange { value, low: -5, high: 5 };
    raises(vec![assign(0, Expr::Const(6))], out_of_range(6));
    raises(vec![assign(0, Expr::Const(-6))], out_of_range(-6));
    raises(constant(BinaryOp::Div, 1, 0), ErrorKind::DivisionByZero);
    raises(constant(BinaryOp::Rem, 1, 0), ErrorKind::DivisionByZero);
    raises(constant(BinaryOp::Shl, 0, 32), ErrorKind::Shift(32));
    raises(constant(BinaryOp::Shr, 0, -1), ErrorKind::Shift(-1));
    raises(constant(BinaryOp::Pow, 1, -2), ErrorKind::NegativeExponent(-2));
    raises(vec![reset(0, -1)], ErrorKind::NegativeClock(-1));
    raises(vec![reset(0, 100_000_001)], ErrorKind::ClockBound(100_000_001));
    let index = |index| ErrorKind::Index { index, size: 3 };
    raises(vec![assign(0, Expr::Read(element(Expr::Const(3))))], index(3));
    let write = StatementKind::Assign(element(Expr::Const(-1)), Expr::Const(0));
    raises(vec![statement(write)], index(-1));
    let local = Place { base: Base::Local(LocalId(0)), indices: vec![Expr::Const(2)] };
    let write = StatementKind::Assign(local, Expr::Const(0));
    raises(vec![statement(write)], ErrorKind::Index { index: 2, size: 2 });
    raises(vec![statement(StatementKind::Assert(var(0)))], ErrorKind::Assertion);
    let endless = statement(StatementKind::While(Expr::TRUE, Vec::new()));
    raises(vec![endless], ErrorKind::EndlessLoop);
}

#[test]
fn values_come_before_indices_and_both_before_the_range() {
    let divided = Expr::binary(BinaryOp::Div, Expr::Const(1), Expr::Const(0));
    let both = StatementKind::Assign(element(Expr::Const(9)), divided);
    raises(vec![statement(both)], ErrorKind::DivisionByZero);
    let both = StatementKind::Assign(element(Expr::Const(9)), Expr::Const(99));
    raises(vec![statement(both)], ErrorKind::Index { index: 9, size: 3 });
}

#[test]
fn lazy_operators_protect() {
    let read = || op(BinaryOp::Eq, Expr::Read(element(Expr::Const(9))), 0);
    let cases = [
        Expr::binary(BinaryOp::And, Expr::Const(0), read()),
        Expr::binary(BinaryOp::Or, Expr::Const(2), read()),
        Expr::Conditional(Box::new(Expr::Const(0)), Box::new(read()), Box::new(Expr::Const(1))),
    ];
    for (case, value) in cases.into_iter().zip([0, 1, 1]) {
        let network = updating(vec![assign(0, case)]);
        let trace = completed(&network, &[(0, vec![moved(0, 0)])]);
        let last = trace.steps[0].changes.last().cloned();
        let expected = match value {
            0 => location_change(0, 0, 1),
            value => variable_change(0, 0, 0, value),
        };
        assert_eq!(last, Some(expected));
    }
}

#[test]
fn quantifiers_stop_early() {
    // exists (n: 0..3) a[n] == 6 stops at 2, before a[3]; the sum does not stop.
    let quantified = |quantifier| {
        let read = Expr::Read(element(Expr::local(LocalId(0))));
        let operand = match quantifier {
            Quantifier::Sum => read,
            Quantifier::Exists => op(BinaryOp::Eq, read, 6),
            Quantifier::ForAll => op(BinaryOp::Ne, read, 6),
        };
        let quantified = Expr::Quantified(quantifier, LocalId(0), Box::new(operand));
        let mut network = updating(vec![assign(0, quantified)]);
        let edge = &mut network.processes[ProcessId(0)].edges[EdgeId(0)];
        edge.locals[LocalId(0)].sizes.clear();
        network
    };
    let moves = vec![moved(0, 0)];
    for quantifier in [Quantifier::Exists, Quantifier::ForAll] {
        completed(&quantified(quantifier), &[(0, moves.clone())]);
    }
    let index = ErrorKind::Index { index: 3, size: 3 };
    accepted(&quantified(Quantifier::Sum), &claim(index, &moves));
}

#[test]
fn functions_check_arguments_and_results() {
    let function = |parameter: Type, result: Type| {
        let mut locals = Arena::new();
        let id = locals.push(Local { name: "p".to_string(), ty: parameter, sizes: Vec::new() });
        let body = vec![statement(StatementKind::Return(Some(Expr::local(id))))];
        let name = "f".to_string();
        let result = Some(result);
        Function { name, parameters: vec![id], locals, result, body, span: Span::NONE }
    };
    let calling = |parameter, result| {
        let call = Expr::Call(FunctionId(0), vec![Expr::Const(3)]);
        let mut network = updating(vec![assign(0, call)]);
        network.functions.push(function(parameter, result));
        network
    };
    let small = Type::range(0, 2);
    let error = ErrorKind::OutOfRange { value: 3, low: 0, high: 2 };
    accepted(&calling(small, Type::ANY), &claim(error, &[moved(0, 0)]));
    accepted(&calling(Type::ANY, small), &claim(error, &[moved(0, 0)]));
    let trace = completed(&calling(Type::ANY, Type::ANY), &[(0, vec![moved(0, 0)])]);
    assert_eq!(trace.steps[0].changes[1], variable_change(0, 0, 0, 3));
    // Bits are cut: 3 is 1 in one bit.
    let bit = Type { overflow: Overflow::Wrap, ..Type::BOOL };
    let trace = completed(&calling(bit, Type::ANY), &[(0, vec![moved(0, 0)])]);
    assert_eq!(trace.steps[0].changes[1], variable_change(0, 0, 0, 1));
}

#[test]
fn a_function_without_return_gives_the_least_value() {
    let call = StatementKind::Call(Some(Place::variable(VariableId(0))), FunctionId(0), Vec::new());
    let mut network = updating(vec![statement(call)]);
    network.functions.push(Function {
        name: "f".to_string(),
        parameters: Vec::new(),
        locals: Arena::new(),
        result: Some(Type::range(-3, 2)),
        body: Vec::new(),
        span: Span::NONE,
    });
    let trace = completed(&network, &[(0, vec![moved(0, 0)])]);
    assert_eq!(trace.steps[0].changes[1], variable_change(0, 0, 0, -3));
}

#[test]
fn expressions_may_not_have_effects() {
    let mut network = updating(vec![assign(0, Expr::Call(FunctionId(0), Vec::new()))]);
    network.functions.push(Function {
        name: "f".to_string(),
        parameters: Vec::new(),
        locals: Arena::new(),
        result: Some(Type::ANY),
        body: vec![assign(0, Expr::Const(1))],
        span: Span::NONE,
    });
    rejected(
        &network,
        &trace(1, &[step(0, &[moved(0, 0)], &[])]),
        "step 1: a function that is called in an expression has an effect",
    );
}

#[test]
fn errors_in_guards_channels_and_bounds() {
    let with = |change: &dyn Fn(&mut Edge)| {
        let process = process("P", &["0", "1"]).edge(0, 1, |e| change(e));
        network([process]).clock("x").variable("v", 0, 1, 0).channel(
            "b",
            ChannelKind::Broadcast,
            false,
            0,
        )
    };
    let divided = || op(BinaryOp::Div, Expr::Const(1), 0);
    let moves = [moved(0, 0)];
    let zero = ErrorKind::DivisionByZero;
    accepted(&with(&|e| e.guard.data = divided()), &claim(zero, &moves));
    let far = ErrorKind::ClockBound(100_000_001);
    accepted(&with(&|e| e.guard.clocks.push(le(0, 100_000_001))), &claim(far, &moves));
    let channel = |value: i32| {
        move |e: &mut Edge| {
            e.action = send(0);
            if let Action::Send(send) = &mut e.action {
                send.channel = ChannelRef::Value(Expr::Const(value));
            }
        }
    };
    for value in [0, 2, -1] {
        accepted(&with(&channel(value)), &claim(ErrorKind::NoChannel(value), &moves));
    }
    completed(&with(&channel(1)), &[(0, moves.to_vec())]);
    // Behind a false guard nothing is evaluated.
    let hidden = with(&|e| {
        channel(0)(e);
        e.guard.data = var(0);
    });
    rejected(
        &hidden,
        &claim(ErrorKind::NoChannel(0), &moves),
        "at the end: the guard of P 0 -> 1 does not hold: its data part is false",
    );
    // Nor is it before time has come. Seen to fail: with channels looked at where data allows it.
    let early = with(&|e| {
        channel(0)(e);
        e.guard.clocks.push(ge(0, 1));
    });
    rejected(
        &early,
        &claim(ErrorKind::NoChannel(0), &moves),
        "at the end: the guard of P 0 -> 1 does not hold: x is 0, not >= 1",
    );
}

#[test]
fn errors_of_states() {
    let divided = || Expr::binary(BinaryOp::Div, Expr::Const(1), var(0));
    let process =
        process("P", &["0", "1"])
            .location(1, |l| l.invariant.data = divided())
            .edge(0, 1, |e| e.update.push(assign(0, Expr::Const(0))));
    let target = network([process]).variable("v", 0, 1, 1);
    // The invariant of the target belongs to the moves that lead there.
    accepted(&target, &claim(ErrorKind::DivisionByZero, &[moved(0, 0)]));
    rejected(
        &target,
        &claim(ErrorKind::DivisionByZero, &[]),
        "at the end: the run-time error should be: division by zero; there is none",
    );

    let broken = |initial| {
        let process = common::process("P", &["0", "1"])
            .location(0, |l| l.invariant.data = divided())
            .edge(0, 1, |_| ());
        network([process]).variable("v", 0, 1, initial)
    };
    accepted(&broken(0), &claim(ErrorKind::DivisionByZero, &[]));
    let raised = "a run-time error is raised: division by zero";
    rejected(&broken(0), &trace(1, &[]), &format!("at the end: {raised}"));
    let moves = [moved(0, 0)];
    rejected(&broken(0), &trace(1, &[step(0, &moves, &[])]), &format!("step 1: {raised}"));
    rejected(
        &broken(0),
        &claim(ErrorKind::DivisionByZero, &moves),
        &format!("at the end: {raised}"),
    );
    accepted(&broken(1), &trace(1, &[step(0, &moves, &[location_change(0, 0, 1)])]));
}

#[test]
fn errors_of_rates_and_goals() {
    let rate = |value| Rate { when: None, clock: clock(0), rate: Expr::Const(value) };
    let process = process("P", &["0"]).location(0, |l| l.rates = vec![rate(0), rate(1)]);
    let rates = network([process]).clock("x");
    accepted(&rates, &claim(ErrorKind::Rate(0), &[]));
    let goal = rates.goal(op(BinaryOp::Div, Expr::Const(1), 0));
    accepted(&goal, &claim(ErrorKind::DivisionByZero, &[]));
    rejected(&goal, &trace(1, &[]), "at the end: a run-time error is raised: division by zero");
}

#[test]
fn an_error_counts_only_in_a_step_that_may_be_taken() {
    let failing = || {
        process("P", &["0", "1"]).edge(0, 1, |e| {
            e.update.push(statement(StatementKind::Assert(Expr::Const(0))));
        })
    };
    let claim = claim(ErrorKind::Assertion, &[moved(0, 0)]);
    let committed = process("C", &["0", "1"]).kind(0, LocationKind::Committed).edge(0, 1, |_| ());
    rejected(
        &network([failing(), committed]),
        &claim,
        "at the end: P 0 -> 1 leaves no committed location, but C is in one",
    );
    let urgent = process("H", &["0", "1"]).edge(0, 1, |_| ()).priority(1);
    rejected(
        &network([failing(), urgent]),
        &claim,
        "at the end: P 0 -> 1 has to wait for H 0 -> 1, which has a higher priority",
    );
    accepted(&network([failing()]), &claim);
}

#[test]
fn loops_are_counted_over_the_whole_step() {
    // Two edges of one step, each with more than half of the rounds that are allowed.
    let rounds = |count: i32| {
        let read = || Expr::local(LocalId(0));
        let more = statement(StatementKind::Assign(
            Place::local(LocalId(0)),
            op(BinaryOp::Add, read(), 1),
        ));
        statement(StatementKind::While(op(BinaryOp::Lt, read(), count), vec![more]))
    };
    let side = |name: &str, action: Action, count| {
        process(name, &["0", "1"]).edge(0, 1, |e| {
            e.action = action;
            let (name, ty) = ("n".to_string(), Type::ANY);
            e.locals.push(Local { name, ty, sizes: Vec::new() });
            e.update.push(rounds(count));
        })
    };
    let pair = |one, two| {
        network([side("S", send(0), one), side("R", receive(0), two)]).channel(
            "c",
            ChannelKind::Handshake,
            false,
            0,
        )
    };
    let moves = [moved(0, 0), moved(1, 0)];
    completed(&pair(5_000_000, 5_000_000), &[(0, moves.to_vec())]);
    accepted(&pair(5_000_000, 5_000_001), &claim(ErrorKind::EndlessLoop, &moves));
}
