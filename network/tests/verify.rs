//! Every rule of the verifier has a network that breaks it and nothing else.

mod support;

use network::*;
use support::wild;

const SOUND: &str = r##"network 1
source 0 "model.xml"
scalar S 3
failure odd "an odd one"
var v : int[0, 7] = 3 @0:1:1-1:5
var a[2][3 of S] : int[0, 255] wrap
const table[2] : int = 1, 2
var id : int[0, 2] of S
clock c
clock d[2]
chan h : handshake
chan b[2] : broadcast
chan q : buffered 2 (int, bool)
function pure(i#0 : int[0, 3], j#1 : bool) -> int[0, 9] @0:2:1-2:9 {
  local k#2[2] : int;
  k#2[0] = sum (n#3 : bool) n#3 + i#0;
  return k#2[0];
}
function impure() {
  v = 1 @0:3:1-3:9;
  return;
}
function indirect() -> bool {
  call impure();
  return 1;
}
process P = T(p = 1 of S) {
  location A { invariant v < 3 && c <= 5; rate c = 0; }
  location B { invariant 1; }
  init A;
  edge A -> B @0:4:1-4:9 {
    local t#1 : int;
    local u#2[2] : int;
    select e#0 : bool;
    when pure(1, 0) == e#0 && d[e#0] > 3;
    send q(1, 0) @0:5:1-5:9;
    do {
      u#2[0] = a[0][1];
      reset c = 0;
      call indirect();
      t#1 = call pure(1, 0);
    }
  }
  edge B -> A { receive q(v, == table[0]); }
  edge B -> A { send h; }
  edge B -> A { receive b[0]; }
}
process Q { location A; init A; }
property "p" reachable P at A && c > 3 && !deadlock @0:6:1-6:9
property "q" always forall (i#0 : bool) exists (j#1 : bool) i#0 == j#1
"##;

fn sound() -> Network {
    parse(SOUND).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

/// Breaks the sound network and demands exactly the defects whose messages contain the given texts.
fn check(place: &str, messages: &[&str], break_it: impl FnOnce(&mut Network)) {
    let mut network = sound();
    break_it(&mut network);
    let defects = verify(&network);
    let found = defects.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert_eq!(defects.len(), messages.len(), "{found}");
    for (defect, message) in defects.iter().zip(messages) {
        assert!(defect.message.contains(message), "{found}");
        assert_eq!(defect.place, place, "{found}");
    }
}

const P: ProcessId = ProcessId(0);
const EDGE: &str = "process P, edge 0";

fn variable(network: &mut Network) -> &mut Variable {
    &mut network.variables[VariableId(0)]
}
fn array(network: &mut Network) -> &mut Variable {
    &mut network.variables[VariableId(1)]
}
fn function(network: &mut Network, id: u32) -> &mut Function {
    &mut network.functions[FunctionId(id)]
}
fn edge(network: &mut Network, id: u32) -> &mut Edge {
    &mut network.processes[P].edges[EdgeId(id)]
}
fn location(network: &mut Network) -> &mut Location {
    &mut network.processes[P].locations[LocationId(0)]
}
fn statement(kind: StatementKind) -> Statement {
    Statement { kind, span: Span::NONE }
}
/// Adds a statement to the update of the first edge.
fn update(network: &mut Network, kind: StatementKind) {
    edge(network, 0).update.push(statement(kind));
}
fn guard(network: &mut Network, expr: Expr) {
    edge(network, 0).guard.data = expr;
}
fn read(base: Base, indices: usize) -> Expr {
    Expr::Read(place(base, indices))
}
fn place(base: Base, indices: usize) -> Place {
    Place { base, indices: vec![Expr::Const(0); indices] }
}
fn var(id: u32) -> Base {
    Base::Variable(VariableId(id))
}
fn loc(id: u32) -> Base {
    Base::Local(LocalId(id))
}
fn clock(id: u32, indices: usize) -> ClockRef {
    ClockRef { clock: ClockId(id), indices: vec![Expr::Const(0); indices] }
}
fn constraint(left: ClockRef) -> ClockConstraint {
    ClockConstraint { when: None, left, right: None, relation: Relation::Lt, bound: Expr::Const(3) }
}
fn quantified(binder: u32, operand: Expr) -> Expr {
    Expr::Quantified(Quantifier::ForAll, LocalId(binder), Box::new(operand))
}
fn at(source: u32) -> Span {
    Span { source: SourceId(source), line: 1, column: 1, end_line: 1, end_column: 2 }
}
/// Adds a scalar local to the first edge, for a quantifier.
fn binder(network: &mut Network) -> u32 {
    let local = Local { name: "n".into(), ty: Type::BOOL, sizes: Vec::new() };
    edge(network, 0).locals.push(local).0
}

#[test]
fn the_sound_network_is_sound() {
    check("", &[], |_| {});
}

#[test]
fn spans_point_to_sources() {
    let missing = &["source 1, which is missing"];
    check("variable v", missing, |n| variable(n).span = at(1));
    check("scalar set S", missing, |n| n.scalar_sets[ScalarSetId(0)].span = at(1));
    check("clock c", missing, |n| n.clocks[ClockId(0)].span = at(1));
    check("channel h", missing, |n| n.channels[ChannelId(0)].span = at(1));
    check("function pure", missing, |n| function(n, 0).span = at(1));
    check("function pure", missing, |n| function(n, 0).body[0].span = at(1));
    check("process P, location A", missing, |n| location(n).span = at(1));
    check("process P, location A", missing, |n| location(n).invariant.span = at(1));
    check(EDGE, missing, |n| edge(n, 0).span = at(1));
    check(EDGE, missing, |n| edge(n, 0).guard.span = at(1));
    check(EDGE, missing, |n| match &mut edge(n, 0).action {
        Action::Send(send) => send.span = at(1),
        _ => panic!("no send"),
    });
    check("process P, edge 1", missing, |n| match &mut edge(n, 1).action {
        Action::Receive(receive) => receive.span = at(1),
        _ => panic!("no receive"),
    });
    check("property 0", missing, |n| n.properties[PropertyId(0)].span = at(1));
    // A process is visited once for its name and once for its parts.
    check("process P", &[missing[0], missing[0]], |n| n.processes[P].span = at(1));
}

#[test]
fn types_are_ranges() {
    check("variable v", &["empty range 4..3", "outside the range 4..3"], |n| {
        variable(n).ty = Type::range(4, 3);
    });
    check("function pure", &["the type of the result is the empty range"], |n| {
        function(n, 0).result = Some(Type::range(1, 0));
    });
    check("channel q", &["the type of a field is the empty range"], |n| {
        let fields = vec![Type::range(1, 0), Type::BOOL];
        n.channels[ChannelId(2)].kind = ChannelKind::Buffered { capacity: 1, fields };
    });
    check(EDGE, &["the type of local 1 (t) is the empty range"], |n| {
        edge(n, 0).locals[LocalId(1)].ty = Type::range(1, 0);
    });
}

#[test]
fn wrapping_types_have_a_number_of_bits() {
    let wrap = |low, high| Type { overflow: Overflow::Wrap, ..Type::range(low, high) };
    for (low, high) in [(0, 1), (0, 255), (-1, 0), (-128, 127), (0, i32::MAX), (i32::MIN, i32::MAX)]
    {
        check("", &[], |n| {
            n.variables.push(var_of(wrap(low, high)));
        });
    }
    for (low, high) in [(0, 0), (0, 2), (1, 2), (-128, 128), (-127, 128), (-1, 1), (i32::MIN, 0)] {
        check("variable w", &["is not the range of a number of bits"], |n| {
            n.variables.push(var_of(wrap(low, high)));
        });
    }
}

fn var_of(ty: Type) -> Variable {
    let (name, initial) = ("w".to_string(), vec![0.clamp(ty.low, ty.high)]);
    let (dimensions, storage, span) = (Vec::new(), Storage::State, Span::NONE);
    Variable { name, ty, dimensions, storage, initial, span }
}

#[test]
fn scalar_sets_fit() {
    check("variable id", &["not the range of its scalar set"], |n| {
        n.variables[VariableId(3)].ty.high = 3;
    });
    check("variable v", &["no scalar set 1"], |n| variable(n).ty.scalar = Some(ScalarSetId(1)));
    check("variable a", &["no scalar set 1"], |n| {
        array(n).dimensions[1].scalar = Some(ScalarSetId(1));
    });
    check("variable a", &["not have the size of its scalar set"], |n| {
        array(n).dimensions[0].scalar = Some(ScalarSetId(0));
    });
    check("process P", &["argument p is not in its scalar set"], |n| {
        n.processes[P].arguments[0].value = 3;
    });
    check("process P", &["argument p is not in its scalar set"], |n| {
        n.processes[P].arguments[0].value = -1;
    });
    check("process P", &["no scalar set 9"], |n| {
        n.processes[P].arguments[0].scalar = Some(ScalarSetId(9));
    });
    check("variable v", &["no value names 0"], |n| variable(n).ty.names = Some(ValueNamesId(0)));
    for size in [0, 1 << 31] {
        check("scalar set Z", &["it has"], |n| {
            n.scalar_sets.push(ScalarSet { name: "Z".into(), size, span: Span::NONE });
        });
    }
}

#[test]
fn arrays_have_elements_and_values() {
    check("variable a", &["dimension of size 0", "6 values for 0 elements"], |n| {
        array(n).dimensions[0].size = 0;
    });
    check("variable a", &["7 values for 6 elements"], |n| array(n).initial.push(0));
    check("variable a", &["value 256 is outside"], |n| array(n).initial[3] = 256);
    check("variable a", &["value -1 is outside"], |n| array(n).initial[3] = -1);
    check("clock d", &["dimension of size 0", "2 values for 0 elements"], |n| {
        n.clocks[ClockId(1)].dimensions[0].size = 0;
    });
    check("channel b", &["dimension of size 0", "2 values for 0 elements"], |n| {
        n.channels[ChannelId(1)].dimensions[0].size = 0;
    });
    check("clock d", &["1 values for 2 elements"], |n| {
        n.clocks[ClockId(1)].initial.pop();
    });
    check("clock d", &["value -1 is outside"], |n| n.clocks[ClockId(1)].initial[1] = -1);
    check("clock d", &["value 50000001 is outside"], |n| {
        n.clocks[ClockId(1)].initial[1] = MAX_CLOCK_BOUND + 1;
    });
    check("channel b", &["1 values for 2 elements"], |n| {
        n.channels[ChannelId(1)].priorities.pop();
    });
    check(EDGE, &["local 2 has a dimension of size 0"], |n| {
        edge(n, 0).locals[LocalId(2)].sizes = vec![0];
    });
}

#[test]
fn locals_are_checked_in_every_owner() {
    let spoil = |locals: &mut Arena<LocalId, Local>| {
        let name = "bad".to_string();
        locals.push(Local { name, ty: Type::range(1, 0), sizes: Vec::new() });
    };
    let message = &["(bad) is the empty range"];
    check("function pure", message, |n| spoil(&mut function(n, 0).locals));
    check("process P, location A", message, |n| spoil(&mut location(n).locals));
    check(EDGE, message, |n| spoil(&mut edge(n, 0).locals));
    check("property 0", message, |n| spoil(&mut n.properties[PropertyId(0)].locals));
}

#[test]
fn elements_can_be_counted() {
    let dimensions = |sizes: &[u32]| {
        sizes.iter().map(|&size| Dimension { size, first: 0, scalar: None }).collect::<Vec<_>>()
    };
    let mut network = sound();
    for sizes in [&[1 << 14, 1 << 13][..], &[u32::MAX, u32::MAX, u32::MAX]] {
        network.clocks[ClockId(0)].dimensions = dimensions(sizes);
        let defects = verify(&network);
        assert!(defects.iter().any(|d| d.place == "network" && d.message.contains("elements")));
    }
    check(EDGE, &["locals have more than"], |n| {
        let sizes = vec![u32::MAX, u32::MAX, u32::MAX];
        edge(n, 0).locals.push(Local { name: "t".into(), ty: Type::BOOL, sizes });
    });
}

#[test]
fn functions_call_only_functions_before_them() {
    for callee in [0, 1] {
        check("function pure", &["not declared before its caller"], |n| {
            function(n, 1).parameters = Vec::new();
            let arguments = if callee == 0 { vec![Expr::Const(0); 2] } else { Vec::new() };
            let call = StatementKind::Call(None, FunctionId(callee), arguments);
            function(n, 0).body.push(statement(call));
            // The callee has side effects; then nothing may call this one in an expression.
            guard(n, Expr::TRUE);
        });
    }
    check(EDGE, &["no function 7"], |n| guard(n, Expr::Call(FunctionId(7), Vec::new())));
    check(EDGE, &["no function 7"], |n| {
        update(n, StatementKind::Call(None, FunctionId(7), Vec::new()));
    });
}

#[test]
fn parameters_are_scalar_locals() {
    check("function pure", &["no local 9"], |n| function(n, 0).parameters[0] = LocalId(9));
    check("function pure", &["parameter 2 is an array"], |n| {
        function(n, 0).parameters[0] = LocalId(2);
    });
    check("function pure", &["local 1 is a parameter twice"], |n| {
        function(n, 0).parameters[0] = LocalId(1);
    });
}

#[test]
fn calls_suit_the_function() {
    let call = |function, arguments| Expr::Call(FunctionId(function), vec![Expr::TRUE; arguments]);
    check(EDGE, &["1 arguments for 2 parameters of pure"], |n| guard(n, call(0, 1)));
    check(EDGE, &["3 arguments for 2 parameters of pure"], |n| {
        update(n, StatementKind::Call(None, FunctionId(0), vec![Expr::TRUE; 3]));
    });
    check(EDGE, &["indirect has side effects"], |n| guard(n, call(2, 0)));
    check(EDGE, &["result of function impure is used", "impure has side effects"], |n| {
        guard(n, call(1, 0));
    });
    check(EDGE, &["result of function impure is used"], |n| {
        update(n, StatementKind::Call(Some(place(var(0), 0)), FunctionId(1), Vec::new()));
    });
}

#[test]
fn side_effects_are_seen() {
    let effects = [
        StatementKind::Assign(place(var(0), 0), Expr::TRUE),
        StatementKind::Reset(clock(0, 0), Expr::TRUE),
        StatementKind::While(
            Expr::TRUE,
            vec![statement(StatementKind::Assign(place(var(1), 2), Expr::TRUE))],
        ),
        StatementKind::Send(sent(buffered(), 2)),
        StatementKind::Receive(received(buffered(), vec![Pattern::Any; 2])),
        StatementKind::Enter(ProcessId(1), LocationId(0)),
    ];
    for effect in effects {
        check(EDGE, &["pure has side effects"], |n| function(n, 0).body.push(statement(effect)));
    }
    check("", &[], |n| {
        function(n, 0).body.push(statement(StatementKind::Assert(Expr::TRUE)));
        function(n, 0).body.push(statement(StatementKind::Await(Expr::TRUE)));
        function(n, 0).body.push(statement(StatementKind::Fail(FailureId(0))));
        function(n, 0).body.push(statement(StatementKind::NoRoom));
    });
}

#[test]
fn returns_suit_the_function() {
    check(EDGE, &["`return` outside"], |n| update(n, StatementKind::Return(None)));
    check("function pure", &["that has a result"], |n| {
        function(n, 0).body.push(statement(StatementKind::Return(None)));
    });
    check("function impure", &["that has no result"], |n| {
        function(n, 1).body.push(statement(StatementKind::Return(Some(Expr::TRUE))));
    });
}

#[test]
fn processes_and_locations_have_names_of_their_own() {
    check("process P", &["another process has the same name"], |n| {
        n.processes[ProcessId(1)].name = "P".into();
    });
    check("process P, location A", &["another location"], |n| {
        n.processes[P].locations[LocationId(1)].name = "A".into();
    });
}

#[test]
fn failures_are_in_the_table_once() {
    check("failure odd", &["another failure has the same name"], |n| {
        n.failures.push(Failure { name: "odd".into(), message: "another".into() });
    });
    check(EDGE, &["no failure 1"], |n| update(n, StatementKind::Fail(FailureId(1))));
}

#[test]
fn control_stays_within_the_process() {
    check("process P", &["no initial location 2"], |n| n.processes[P].initial = LocationId(2));
    check("process Q", &["no initial location 0"], |n| {
        n.processes[ProcessId(1)].locations = Arena::new();
    });
    check(EDGE, &["no location 2"], |n| edge(n, 0).source = LocationId(2));
    check(EDGE, &["no location 2"], |n| edge(n, 0).target = LocationId(2));
    check(EDGE, &["no process 2"], |n| guard(n, Expr::At(ProcessId(2), LocationId(0))));
    check(EDGE, &["process 1 has no location 1"], |n| {
        guard(n, Expr::At(ProcessId(1), LocationId(1)));
    });
}

#[test]
fn places_exist_and_have_all_indices() {
    check(EDGE, &["no variable 9"], |n| guard(n, read(var(9), 0)));
    check(EDGE, &["no local 9"], |n| guard(n, read(loc(9), 0)));
    check(EDGE, &["1 indices for 2 dimensions"], |n| guard(n, read(var(1), 1)));
    check(EDGE, &["1 indices for 0 dimensions"], |n| guard(n, read(var(0), 1)));
    check(EDGE, &["0 indices for 1 dimensions"], |n| guard(n, read(loc(2), 0)));
    check(EDGE, &["3 indices for 2 dimensions"], |n| {
        update(n, StatementKind::Assign(place(var(1), 3), Expr::TRUE));
    });
    check(EDGE, &["no variable 9"], |n| {
        update(n, StatementKind::Assign(place(var(9), 0), Expr::TRUE));
    });
    check("process P, edge 1", &["no local 0"], |n| match &mut edge(n, 1).action {
        Action::Receive(receive) => receive.message[0] = Pattern::Store(place(loc(0), 0)),
        _ => panic!("no receive"),
    });
    check("function pure", &["no local 9"], |n| {
        function(n, 0).body.push(statement(StatementKind::Assert(read(loc(9), 0))));
    });
    check("process P, location A", &["no local 0"], |n| {
        location(n).invariant.data = read(loc(0), 0);
    });
    check("property 0", &["no local 0"], |n| {
        n.properties[PropertyId(0)].claim = Claim::Always(read(loc(0), 0));
    });
}

#[test]
fn defects_are_found_wherever_an_expression_stands() {
    let bad = || read(var(9), 0);
    let boxed = || Box::new(bad());
    let yes = || Box::new(Expr::TRUE);
    let expressions = [
        Expr::unary(UnaryOp::Neg, bad()),
        Expr::binary(BinaryOp::Add, bad(), Expr::TRUE),
        Expr::binary(BinaryOp::Add, Expr::TRUE, bad()),
        Expr::Conditional(boxed(), yes(), yes()),
        Expr::Conditional(yes(), boxed(), yes()),
        Expr::Conditional(yes(), yes(), boxed()),
        Expr::Call(FunctionId(0), vec![Expr::TRUE, bad()]),
        Expr::Read(Place { base: var(2), indices: vec![bad()] }),
    ];
    for expr in expressions {
        check(EDGE, &["no variable 9"], |n| guard(n, expr));
    }
    let statements = [
        StatementKind::Assign(place(var(0), 0), bad()),
        StatementKind::Assign(Place { base: loc(2), indices: vec![bad()] }, Expr::TRUE),
        StatementKind::Reset(clock(0, 0), bad()),
        StatementKind::Reset(ClockRef { clock: ClockId(1), indices: vec![bad()] }, Expr::TRUE),
        StatementKind::If(bad(), Vec::new(), Vec::new()),
        StatementKind::If(Expr::TRUE, vec![statement(StatementKind::Assert(bad()))], Vec::new()),
        StatementKind::If(Expr::TRUE, Vec::new(), vec![statement(StatementKind::Assert(bad()))]),
        StatementKind::While(bad(), Vec::new()),
        StatementKind::While(Expr::TRUE, vec![statement(StatementKind::Assert(bad()))]),
        StatementKind::Call(None, FunctionId(0), vec![Expr::TRUE, bad()]),
    ];
    for kind in statements {
        check(EDGE, &["no variable 9"], |n| update(n, kind));
    }
    let condition = |change: fn(&mut ClockConstraint, Expr)| {
        check("process P, location A", &["no variable 9"], |n| {
            change(&mut location(n).invariant.clocks[0], bad());
        });
    };
    condition(|constraint, bad| constraint.when = Some(bad));
    condition(|constraint, bad| constraint.bound = bad);
    check("process P, location A", &["no variable 9"], |n| location(n).rates[0].rate = bad());
    check("process P, location A", &["no variable 9"], |n| {
        location(n).rates[0].when = Some(bad());
    });
    check("process P, edge 3", &["no variable 9"], |n| match &mut edge(n, 3).action {
        Action::Receive(receive) => {
            receive.channel = ChannelRef::Element(ChannelId(1), vec![bad()]);
        }
        _ => panic!("no receive"),
    });
    check(EDGE, &["no variable 9"], |n| match &mut edge(n, 0).action {
        Action::Send(send) => send.message[1] = bad(),
        _ => panic!("no send"),
    });
    check("process P, edge 1", &["no variable 9"], |n| match &mut edge(n, 1).action {
        Action::Receive(receive) => receive.message[1] = Pattern::Equal(bad()),
        _ => panic!("no receive"),
    });
}

#[test]
fn constants_are_never_assigned() {
    check(EDGE, &["constant 2 is assigned"], |n| {
        update(n, StatementKind::Assign(place(var(2), 1), Expr::TRUE));
    });
    check(EDGE, &["constant 2 is assigned"], |n| {
        let arguments = vec![Expr::TRUE; 2];
        update(n, StatementKind::Call(Some(place(var(2), 1)), FunctionId(0), arguments));
    });
    check("process P, edge 1", &["constant 2 is assigned"], |n| match &mut edge(n, 1).action {
        Action::Receive(receive) => receive.message[0] = Pattern::Store(place(var(2), 1)),
        _ => panic!("no receive"),
    });
}

#[test]
fn selects_are_scalar_locals() {
    check(EDGE, &["no local 9"], |n| edge(n, 0).selects.push(LocalId(9)));
    check(EDGE, &["local 0 is a select twice"], |n| edge(n, 0).selects.push(LocalId(0)));
    check(EDGE, &["the select 2 is an array"], |n| edge(n, 0).selects.push(LocalId(2)));
}

#[test]
fn binders_are_used_for_nothing_else() {
    check("", &[], |n| {
        let id = binder(n);
        let holds = quantified(id, read(loc(id), 0));
        guard(n, holds.clone().and(holds));
    });
    check(EDGE, &["no local 9"], |n| guard(n, quantified(9, Expr::TRUE)));
    check(EDGE, &["binds local 3, an array"], |n| {
        let id = binder(n);
        edge(n, 0).locals[LocalId(id)].sizes = vec![2];
        guard(n, quantified(id, Expr::TRUE));
    });
    check(EDGE, &["bound again"], |n| {
        let id = binder(n);
        guard(n, quantified(id, quantified(id, Expr::TRUE)));
    });
    let outside = &["local 3 is bound by a quantifier and used outside"];
    check(EDGE, outside, |n| {
        let id = binder(n);
        guard(n, quantified(id, Expr::TRUE).and(read(loc(id), 0)));
    });
    check(EDGE, outside, |n| {
        let id = binder(n);
        guard(n, quantified(id, Expr::TRUE));
        update(n, StatementKind::Assign(place(loc(id), 0), Expr::TRUE));
    });
    check(EDGE, outside, |n| {
        let id = binder(n);
        guard(n, quantified(id, Expr::TRUE));
        edge(n, 0).selects.push(LocalId(id));
    });
}

#[test]
fn binders_are_checked_in_every_owner() {
    let local = || Local { name: "n".into(), ty: Type::BOOL, sizes: Vec::new() };
    let misused = |id: u32| quantified(id, Expr::TRUE).and(read(loc(id), 0));
    let outside = &["is bound by a quantifier and used outside"];
    check("function pure", outside, |n| {
        let assertion = StatementKind::Assert(quantified(1, Expr::TRUE));
        function(n, 0).body.push(statement(assertion));
    });
    check("process P, location A", outside, |n| {
        let id = location(n).locals.push(local()).0;
        location(n).invariant.data = misused(id);
    });
    check("property 0", outside, |n| {
        let property = &mut n.properties[PropertyId(0)];
        property.claim = Claim::Always(misused(property.locals.push(local()).0));
    });
}

#[test]
fn clocks_exist_and_have_all_indices() {
    check("process P, location A", &["no clock 9"], |n| {
        location(n).invariant.clocks[0].left = clock(9, 0);
    });
    check("process P, location A", &["0 indices for 1 dimensions"], |n| {
        location(n).invariant.clocks[0].right = Some(clock(1, 0));
    });
    check("process P, location A", &["1 indices for 0 dimensions"], |n| {
        location(n).rates[0].clock = clock(0, 1);
    });
    check(EDGE, &["no clock 9"], |n| update(n, StatementKind::Reset(clock(9, 0), Expr::TRUE)));
    check("property 0", &["no clock 9"], |n| {
        let expr = Expr::Clock(Box::new(constraint(clock(9, 0))));
        n.properties[PropertyId(0)].claim = Claim::Always(expr);
    });
}

#[test]
fn clocks_and_deadlock_are_expressions_only_in_properties() {
    let clock = || Expr::Clock(Box::new(constraint(clock(0, 0))));
    let message = &["only in properties"];
    check(EDGE, message, |n| guard(n, clock()));
    check(EDGE, message, |n| guard(n, Expr::Deadlock));
    check(EDGE, message, |n| update(n, StatementKind::Assert(clock())));
    check("process P, location A", message, |n| location(n).invariant.data = Expr::Deadlock);
    check("function pure", message, |n| {
        function(n, 0).body.push(statement(StatementKind::Assert(Expr::Deadlock)));
    });
}

fn send(network: &mut Network, channel: ChannelRef, fields: usize, sorted: bool) {
    let message = vec![Expr::TRUE; fields];
    edge(network, 0).action = Action::Send(Send { channel, message, sorted, span: Span::NONE });
}

fn receive(network: &mut Network, channel: u32, fields: usize, anywhere: bool, keep: bool) {
    let channel = ChannelRef::Element(ChannelId(channel), Vec::new());
    let (message, span) = (vec![Pattern::Any; fields], Span::NONE);
    edge(network, 0).action = Action::Receive(Receive { channel, message, anywhere, keep, span });
}

#[test]
fn messages_suit_the_channel() {
    let element = |id| ChannelRef::Element(ChannelId(id), Vec::new());
    let message = &["does not match the channel"];
    check("", &[], |n| send(n, element(2), 2, true));
    check("", &[], |n| receive(n, 2, 2, true, true));
    check("", &[], |n| send(n, ChannelRef::Value(Expr::TRUE), 2, false));
    check("", &[], |n| send(n, ChannelRef::Value(Expr::TRUE), 0, false));
    check(EDGE, message, |n| send(n, element(2), 1, false));
    check(EDGE, message, |n| send(n, element(0), 1, false));
    check(EDGE, message, |n| send(n, element(0), 0, true));
    check(EDGE, message, |n| send(n, ChannelRef::Value(Expr::TRUE), 1, false));
    check(EDGE, message, |n| receive(n, 2, 3, false, false));
    check(EDGE, message, |n| receive(n, 0, 1, false, false));
    check(EDGE, message, |n| receive(n, 0, 0, true, false));
    check(EDGE, message, |n| receive(n, 0, 0, false, true));
    check(EDGE, &["0 indices for 1 dimensions"], |n| send(n, element(1), 0, false));
    check(EDGE, &["no channel 9"], |n| send(n, element(9), 0, false));
}

fn element(id: u32) -> ChannelRef {
    ChannelRef::Element(ChannelId(id), Vec::new())
}
/// The channel with messages of two fields.
fn buffered() -> ChannelRef {
    element(2)
}
fn sent(channel: ChannelRef, fields: usize) -> Send {
    Send { channel, message: vec![Expr::TRUE; fields], sorted: false, span: Span::NONE }
}
fn received(channel: ChannelRef, message: Vec<Pattern>) -> Receive {
    Receive { channel, message, anywhere: true, keep: true, span: Span::NONE }
}
fn poll(channel: ChannelRef, message: Vec<Pattern>) -> Expr {
    Expr::Poll(Box::new(Poll { channel, message, anywhere: false }))
}
fn length(channel: ChannelRef) -> Expr {
    Expr::Probe(Probe::Length, Box::new(channel))
}

#[test]
fn timeout_stands_only_in_guards() {
    let message = &["`timeout` is allowed only in guards"];
    check("", &[], |n| guard(n, Expr::unary(UnaryOp::Not, Expr::Timeout)));
    check(EDGE, message, |n| {
        edge(n, 0).guard.clocks[0].when = Some(Expr::Timeout);
    });
    check(EDGE, message, |n| update(n, StatementKind::Assert(Expr::Timeout)));
    check(EDGE, message, |n| {
        let send = Send { message: vec![Expr::Timeout, Expr::TRUE], ..sent(buffered(), 2) };
        edge(n, 0).action = Action::Send(send);
    });
    check("process P, location A", message, |n| location(n).invariant.data = Expr::Timeout);
    check("property 0", message, |n| {
        n.properties[PropertyId(0)].claim = Claim::Always(Expr::Timeout);
    });
    check("function pure", message, |n| {
        function(n, 0).body.push(statement(StatementKind::Assert(Expr::Timeout)));
    });
}

#[test]
fn questions_are_about_channels_with_messages() {
    let any = |fields| vec![Pattern::Any; fields];
    let value = || ChannelRef::Value(Expr::TRUE);
    for expr in [
        length(buffered()),
        length(value()),
        poll(buffered(), vec![Pattern::Any, Pattern::Equal(Expr::TRUE)]),
        poll(value(), any(2)),
    ] {
        check("", &[], |n| guard(n, expr.clone()));
        check("", &[], |n| n.properties[PropertyId(0)].claim = Claim::Reachable(expr));
    }
    check(EDGE, &["channel 0 holds no messages"], |n| guard(n, length(element(0))));
    check(EDGE, &["channel 0 holds no messages", "does not match"], |n| {
        guard(n, poll(element(0), any(0)));
    });
    check(EDGE, &["no channel 9"], |n| guard(n, length(element(9))));
    check(EDGE, &["1 indices for 0 dimensions"], |n| {
        guard(n, length(ChannelRef::Element(ChannelId(2), vec![Expr::TRUE])));
    });
    check(EDGE, &["no variable 9"], |n| guard(n, length(ChannelRef::Value(read(var(9), 0)))));
    check(EDGE, &["does not match"], |n| guard(n, poll(buffered(), any(1))));
    check(EDGE, &["does not match"], |n| guard(n, poll(value(), any(1))));
    check(EDGE, &["a poll stores a field"], |n| {
        guard(n, poll(buffered(), vec![Pattern::Any, Pattern::Store(place(var(0), 0))]));
    });
    check(EDGE, &["no variable 9"], |n| {
        let wrong = Pattern::Equal(read(var(9), 0));
        guard(n, poll(buffered(), vec![Pattern::Any, wrong]));
    });
}

#[test]
fn statements_send_and_receive_on_channels_with_messages() {
    let any = |fields| vec![Pattern::Any; fields];
    let value = || ChannelRef::Value(Expr::TRUE);
    check("", &[], |n| update(n, StatementKind::Send(sent(buffered(), 2))));
    check("", &[], |n| update(n, StatementKind::Send(sent(value(), 2))));
    check("", &[], |n| update(n, StatementKind::Receive(received(buffered(), any(2)))));
    check(EDGE, &["channel 0 holds no messages"], |n| {
        update(n, StatementKind::Send(sent(element(0), 0)));
    });
    check(EDGE, &["does not match", "channel 0 holds no messages"], |n| {
        update(n, StatementKind::Receive(received(element(0), any(0))));
    });
    check(EDGE, &["does not match"], |n| update(n, StatementKind::Send(sent(buffered(), 3))));
    check(EDGE, &["does not match"], |n| {
        update(n, StatementKind::Receive(received(buffered(), any(1))));
    });
    check(EDGE, &["no channel 9"], |n| update(n, StatementKind::Send(sent(element(9), 0))));
    check(EDGE, &["constant"], |n| {
        let constant = n.variables.enumerate().find(|(_, v)| v.storage == Storage::Constant);
        let (id, variable) = constant.map(|(id, v)| (id, v.dimensions.len())).expect("a constant");
        let stored = Pattern::Store(place(Base::Variable(id), variable));
        update(n, StatementKind::Receive(received(buffered(), vec![Pattern::Any, stored])));
    });
    check(EDGE, &["source 7"], |n| {
        update(n, StatementKind::Send(Send { span: at(7), ..sent(buffered(), 2) }));
    });
    check(EDGE, &["no variable 9"], |n| update(n, StatementKind::Await(read(var(9), 0))));
}

#[test]
fn processes_that_start_or_end_exist() {
    let enter = |process, location| StatementKind::Enter(ProcessId(process), LocationId(location));
    check("", &[], |n| update(n, enter(1, 0)));
    check(EDGE, &["no process 9"], |n| update(n, enter(9, 0)));
    check(EDGE, &["process 1 has no location 1"], |n| update(n, enter(1, 1)));
}

#[test]
fn nesting_is_limited() {
    let deep = |depth| (1..depth).fold(Expr::TRUE, |expr, _| Expr::unary(UnaryOp::Not, expr));
    check("", &[], |n| guard(n, deep(MAX_DEPTH)));
    check(EDGE, &["an expression is nested"], |n| guard(n, deep(MAX_DEPTH + 1)));
    check("", &[], |n| update(n, StatementKind::Assert(deep(MAX_DEPTH - 1))));
    check(EDGE, &["an expression is nested"], |n| {
        update(n, StatementKind::Assert(deep(MAX_DEPTH)));
    });
    check(EDGE, &["statements are nested"], |n| {
        let wrap = |body, _| vec![statement(StatementKind::While(Expr::TRUE, body))];
        edge(n, 0).update = (0..=MAX_DEPTH).fold(Vec::new(), wrap);
    });
}

#[test]
fn defects_carry_the_nearest_span() {
    let mut network = sound();
    function(&mut network, 1).body[0].kind = StatementKind::Assert(read(var(9), 0));
    let defects = verify(&network);
    assert_eq!(defects[0].span.line, 3);
    let mut network = sound();
    guard(&mut network, read(var(9), 0));
    assert_eq!(verify(&network)[0].span.line, 4);
}

#[test]
fn broken_networks_are_reported_without_panic() {
    let mut reported = 0;
    for seed in 0..2000 {
        println!("seed {seed}");
        reported += usize::from(!verify(&wild(seed)).is_empty());
    }
    assert!(reported > 1000, "only {reported}");
}
