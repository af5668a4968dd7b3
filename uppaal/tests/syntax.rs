//! The language as trees: operators, old and new spellings, templates and queries.

use source::SourceMap;
use uppaal::Parsed;
use uppaal::ast::*;

/// Parses a model that must have no mistakes.
#[track_caller]
fn parse(text: &str) -> Parsed {
    let parsed = uppaal::parse("model.xta", text.as_bytes());
    let messages: Vec<&str> = parsed.diagnostics.iter().map(|it| it.message.as_str()).collect();
    assert!(messages.is_empty(), "{messages:?} in:\n{text}");
    parsed
}

#[track_caller]
fn declarations(text: &str) -> Vec<Declaration> {
    parse(&format!("{text}\nprocess P() {{ state A; init A; }}\nsystem P;")).model.declarations
}

#[track_caller]
fn variables(text: &str) -> Variables {
    match declarations(text).remove(0) {
        Declaration::Variables(it) => it,
        other => panic!("expected variables, found {other:?}"),
    }
}

/// An expression with all its parentheses.
fn show(expression: &Expr) -> String {
    let list = |items: &[Expr]| items.iter().map(show).collect::<Vec<_>>().join(", ");
    match &expression.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Double(value) => format!("{value:?}"),
        ExprKind::String(text) => format!("{text:?}"),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Deadlock => "DEADLOCK".to_string(),
        ExprKind::Unary(op, a) => format!("({op:?} {})", show(a)),
        ExprKind::Binary(op, a, b) => format!("({op:?} {} {})", show(a), show(b)),
        ExprKind::Assign(None, a, b) => format!("(= {} {})", show(a), show(b)),
        ExprKind::Assign(Some(op), a, b) => format!("({op:?}= {} {})", show(a), show(b)),
        ExprKind::Increment(op, a) => format!("({op:?} {})", show(a)),
        ExprKind::Conditional(c, a, b) => format!("(? {} {} {})", show(c), show(a), show(b)),
        ExprKind::Index(a, b) => format!("{}[{}]", show(a), show(b)),
        ExprKind::Call(a, b) => format!("{}({})", show(a), list(b)),
        ExprKind::Field(a, name) => format!("{}.{}", show(a), name.text),
        ExprKind::Rate(a) => format!("{}'", show(a)),
        ExprKind::Quantified(q, b, body) => format!("({q:?} {} {})", b.name.text, show(body)),
        ExprKind::Comma(items) => format!("(, {})", list(items)),
        ExprKind::Spawn(name, items) => format!("(spawn {} {})", name.text, list(items)),
        ExprKind::Exit => "EXIT".to_string(),
        ExprKind::NumOf(name) => format!("(numOf {})", name.text),
    }
}

#[track_caller]
fn check(text: &str, expected: &str) {
    let it = variables(&format!("int x = {text};"));
    match &it.declarators[0].initialiser {
        Some(Initialiser::Value(value)) => assert_eq!(show(value), expected, "for {text}"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn precedence() {
    check("1 + 2 * 3 - 4", "(Subtract (Add 1 (Multiply 2 3)) 4)");
    check("a || b && c | d ^ e & f", "(Or a (And b (BitOr c (BitXor d (BitAnd e f)))))");
    check("a & b == c", "(BitAnd a (Equal b c))");
    check("a == b < c", "(Equal a (Less b c))");
    check("a < b <? c", "(Less a (Minimum b c))");
    check("a <? b << c + d", "(Minimum a (ShiftLeft b (Add c d)))");
    check("a % b ** c ** d", "(Modulo a (Power (Power b c) d))");
    check("-a ** b", "(Power (Minus a) b)");
    check("!a == b", "(Equal (Not a) b)");
    check("not a == b", "(Equal (Not a) b)");
    check("- -a", "(Minus (Minus a))");
    check("-a.b[1]++", "(Minus (PostIncrement a.b[1]))");
    check("++a[i]", "(PreIncrement a[i])");
    check("x' == 0 && y", "(And (Equal x' 0) y)");
}

#[test]
fn keyword_operators_bind_like_their_symbols() {
    check("a or b and c", "(Or a (And b c))");
    check("a and b || c and d", "(Or (And a b) (And c d))");
    check("a imply b or c", "(Or (Imply a b) c)");
    check("a or b imply c", "(Imply (Or a b) c)");
    check("a imply b imply c", "(Imply (Imply a b) c)");
    check("a xor b or c", "(Or (Xor a b) c)");
    check("a = b or c", "(= a (Or b c))");
    check("a imply b == 1 and c", "(Imply a (And (Equal b 1) c))");
}

#[test]
fn assignments_conditionals_and_quantifiers() {
    check("a = b = c", "(= a (= b c))");
    check("a := 1", "(= a 1)");
    check("a += b <<= c", "(Add= a (ShiftLeft= b c))");
    check("a ? b : c ? d : e", "(? a b (? c d e))");
    check("a || b ? c = 1 : d = 2", "(? (Or a b) (= c 1) (= d 2))");
    check("(a ? b : c) = 1", "(= (? a b c) 1)");
    check("forall (i : int[0,2]) a[i] && b", "(Forall i (And a[i] b))");
    check("c && exists (i : id_t) a[i] || b", "(And c (Exists i (Or a[i] b)))");
    check("sum (i : id_t) a[i] + 1", "(Sum i (Add a[i] 1))");
}

#[test]
fn literals_and_names() {
    check("-2147483648", "-2147483648");
    check("0 - 2147483647", "(Subtract 0 2147483647)");
    check("007", "7");
    check("1.5e-3 + 2e3", "(Add 0.0015 2000.0)");
    check("\"text\"", "\"text\"");
    check("switch + case + enum + break + continue", {
        "(Add (Add (Add (Add switch case) enum) break) continue)"
    });
    check("deadlock + sup + location + string", "(Add (Add (Add deadlock sup) location) string)");
    check("P(3).loc", "P(3).loc");
    check("a$1 + b#2", "(Add a$1 b#2)");
    check("spawn T(1, 2)", "(spawn T 1, 2)");
    check("exit()", "EXIT");
    check("x =< 3 && y => 4", "(And (LessEqual x 3) (GreaterEqual y 4))");
}

#[test]
fn comments_and_continuations() {
    check("1 /* one */ + // two\n 3", "(Add 1 3)");
    check("1 + \\\n 2", "(Add 1 2)");
}

#[test]
fn types_and_prefixes() {
    let it = variables("urgent broadcast chan c[3][int[0,1]][id_t];");
    assert!(it.ty.prefix.urgent && it.ty.prefix.broadcast && it.ty.kind == TypeKind::Channel);
    let kinds: Vec<bool> =
        it.declarators[0].dimensions.iter().map(|it| matches!(it, Dimension::Type(_))).collect();
    assert_eq!(kinds, [false, true, false]);
    assert!(variables("meta bool b;").ty.prefix.meta);
    assert!(variables("hybrid clock x;").ty.prefix.hybrid);
    assert!(matches!(variables("double d = 1.0;").ty.kind, TypeKind::Double));
    assert!(matches!(variables("string s;").ty.kind, TypeKind::String));
    assert!(matches!(variables("id_t a, b;").ty.kind, TypeKind::Named(name) if name == "id_t"));
    let list =
        declarations("typedef scalar[N] s_t; typedef struct { int a, b[2]; s_t c; } t, u[2];");
    let Declaration::Typedef(it) = &list[1] else { panic!("{list:?}") };
    let TypeKind::Struct(fields) = &it.ty.kind else { panic!("{it:?}") };
    assert_eq!((fields.len(), fields[0].declarators.len(), it.declarators.len()), (2, 2, 2));
}

#[test]
fn initialisers() {
    let it = variables("t x = { a: 1, { 2, 3 }, c: { d: 4 } }, y = c ? 1 : 2;");
    let Some(Initialiser::List(items, _)) = &it.declarators[0].initialiser else {
        panic!("{it:?}");
    };
    let fields: Vec<Option<&str>> =
        items.iter().map(|it| it.field.as_ref().map(|it| it.text.as_str())).collect();
    assert_eq!(fields, [Some("a"), None, Some("c")]);
    assert!(matches!(it.declarators[1].initialiser, Some(Initialiser::Value(_))));
}

#[test]
fn old_constants() {
    for text in ["const N 5, M -1;", "const N 5, M { 1, 2 };", "const N = 5, M (N + 1);"] {
        let it = variables(text);
        assert!(it.ty.prefix.constant && it.ty.kind == TypeKind::Int, "{text}");
        assert_eq!(it.declarators.len(), 2, "{text}");
        assert!(it.declarators.iter().all(|it| it.initialiser.is_some()), "{text}");
    }
    let it = variables("const id_t N = 5;");
    assert_eq!(it.ty.kind, TypeKind::Named("id_t".to_string()));
    let list = declarations("const N 5; const M N; const K M + 1;");
    assert_eq!(list.len(), 3);
}

#[test]
fn functions_and_statements() {
    let list = declarations(
        "int f(int a, const int &b, t &c[3]) {
            int i = 0, j[2];
            typedef int[0,3] local_t;
            id_t k = 1;
            ;
            { i = 1; }
            if (i == 1, j[0]) i++; else if (k) --i; else { i = 2; }
            for (i = 0, k = 0; i < 3; i++) j[i] += 1;
            for (;;) return;
            for (l : id_t) i = l;
            while (i > 0) i--;
            do i++; while (i < 3);
            assert i == 3;
            int late = 4;
            return i;
        }",
    );
    let Declaration::Function(it) = &list[0] else { panic!("{list:?}") };
    let by_reference: Vec<bool> = it.parameters.iter().map(|it| it.by_reference).collect();
    assert_eq!(by_reference, [false, true, true]);
    let kinds: Vec<&str> = it.body.statements.iter().map(|it| kind(&it.kind)).collect();
    let expected = "declaration declaration declaration empty block if2else for for iterate while \
                    do assert declaration return";
    assert_eq!(kinds.join(" "), expected);
}

fn kind(statement: &StatementKind) -> &'static str {
    match statement {
        StatementKind::Empty => "empty",
        StatementKind::Declaration(_) => "declaration",
        StatementKind::Expr(_) => "expression",
        StatementKind::Block(_) => "block",
        StatementKind::If { arms, otherwise: Some(_) } if arms.len() == 2 => "if2else",
        StatementKind::If { .. } => "if",
        StatementKind::For { .. } => "for",
        StatementKind::Iterate { .. } => "iterate",
        StatementKind::While { .. } => "while",
        StatementKind::DoWhile { .. } => "do",
        StatementKind::Return(_) => "return",
        StatementKind::Assert(_) => "assert",
    }
}

#[test]
fn dangling_else_belongs_to_the_inner_if() {
    let list = declarations("void f() { if (a) if (b) x = 1; else x = 2; }");
    let Declaration::Function(it) = &list[0] else { panic!("{list:?}") };
    let StatementKind::If { arms, otherwise } = &it.body.statements[0].kind else { panic!() };
    assert!(otherwise.is_none());
    assert!(matches!(&arms[0].1.kind, StatementKind::If { otherwise: Some(_), .. }));
}

const PROCESS: &str = "
chan a, b; chan priority a < default, b[0] < c;
process T(const int[0,3] id, clock &x) {
    int v;
    urgent chan local;
    state A { x <= 3 && v == 1 ; 2 : 3 }, B { ; 5 }, C, D;
    branchpoint E;
    commit B; urgent C, D;
    init A;
    trans
        A -> B { select i : int[0,3], j : id_t; guard x > 3, v < 2; sync a!; assign v = i, x := 0; probability 3; },
        -> C { sync b[i]?; },
        -u-> D { },
        B -> E { sync c; }, E -> C { probability v; };
}
P(const int[0,3] i) = T(i, y);
Q() = P(2);
clock z;
R := T(1, z);
system P, Q < R;
progress { v; g : v + 1; }
gantt { G(i : int[0,1], j : id_t): v > 0 -> 1, for (k : id_t, l : id_t) v == k -> 2; H: w -> 3; }
";

#[test]
fn processes() {
    let model = parse(PROCESS).model;
    let Declaration::ChannelPriority(priority) = &model.declarations[1] else { panic!() };
    let sizes: Vec<usize> = priority.levels.iter().map(Vec::len).collect();
    assert_eq!(sizes, [1, 2, 1]);
    let it = &model.templates[0];
    assert_eq!((it.locations.len(), it.branchpoints.len(), it.initial), (4, 1, Some(0)));
    let flags: Vec<_> = it.locations.iter().map(|it| (it.urgent, it.committed)).collect();
    assert_eq!(flags, [(false, false), (false, true), (true, false), (true, false)]);
    assert!(it.locations[0].rate.as_ref().is_some_and(|it| it.denominator.is_some()));
    assert!(it.locations[1].invariant.is_none() && it.locations[1].rate.is_some());
    let by_reference: Vec<bool> = it.parameters.iter().map(|it| it.by_reference).collect();
    assert_eq!((by_reference, it.declarations.len()), (vec![false, true], 2));
}

#[test]
fn edges() {
    let model = parse(PROCESS).model;
    let edges = &model.templates[0].edges;
    let ends: Vec<_> = edges.iter().map(|it| (it.source, it.target, it.controllable)).collect();
    use Endpoint::{Branchpoint, Location};
    let expected = [
        (Location(0), Location(1), true),
        (Location(0), Location(2), true),
        (Location(0), Location(3), false),
        (Location(1), Branchpoint(0), true),
        (Branchpoint(0), Location(2), true),
    ];
    assert_eq!(ends, expected);
    let first = &edges[0];
    assert_eq!((first.selects.len(), first.updates.len()), (2, 2));
    assert_eq!(first.guard.as_ref().map(show).unwrap(), "(And (Greater x 3) (Less v 2))");
    assert!(first.weight.is_some());
    let directions: Vec<_> =
        edges.iter().map(|it| it.sync.as_ref().map(|it| it.direction)).collect();
    use Direction::*;
    assert_eq!(directions, [Some(Send), Some(Receive), None, Some(Csp), None]);
}

#[test]
fn system_section() {
    let system = parse(PROCESS).model.system;
    let kinds: Vec<bool> =
        system.declarations.iter().map(|it| matches!(it, Declaration::Instantiation(_))).collect();
    assert_eq!(kinds, [true, true, false, true]);
    let Declaration::Instantiation(it) = &system.declarations[0] else { panic!() };
    assert_eq!((it.parameters.len(), it.arguments.len()), (1, 2));
    let processes: Vec<_> =
        system.processes.iter().map(|it| (it.name.text.as_str(), it.priority)).collect();
    assert_eq!(processes, [("P", 0), ("Q", 0), ("R", 1)]);
    assert_eq!((system.progress.len(), system.gantt.len()), (2, 2));
    assert_eq!((system.gantt[0].bindings.len(), system.gantt[0].bars.len()), (2, 2));
}

#[test]
fn old_process_parameters_are_references() {
    let text = "const N 3;
        process P(clock x, y; int v; const k, l; chan a) {
            state A { x <= k, y =< l }; init A;
            trans A -> A { guard x >= 3, y > 2; sync a!; assign x := 0, v := 1; };
        }
        P1 := P(x, y, v, 1, 2, a);
        system P1;";
    let model = parse(text).model;
    let it = &model.templates[0];
    let shown: Vec<_> =
        it.parameters.iter().map(|it| (it.name.text.as_str(), it.by_reference)).collect();
    let expected = [("x", true), ("y", true), ("v", true), ("k", false), ("l", false), ("a", true)];
    assert_eq!(shown, expected);
    assert_eq!(it.parameters[4].ty.kind, TypeKind::Int);
    assert_eq!(it.locations[0].invariant.as_ref().map(show).unwrap(), {
        "(And (LessEqual x k) (LessEqual y l))"
    });
}

#[test]
fn the_extension_ta_means_old_parameters() {
    let text = "process P(clock x) { state A; init A; } P1 = P(x); system P1;";
    let reference = |path: &str| {
        uppaal::parse(path, text.as_bytes()).model.templates[0].parameters[0].by_reference
    };
    assert!(reference("model.ta"));
    assert!(!reference("model.xta"));
}

const XML: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.6//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_6.dtd'>
<nta>
  <declaration>chan a; clock x;</declaration>
  <template>
    <name x="5" y="5">T</name>
    <parameter>const int[0,3] id, clock &amp;y</parameter>
    <declaration>int v; // local</declaration>
    <location id="id0" x="0" y="0" color="#ff0000"><name x="1" y="2">Idle</name>
      <label kind="invariant" x="0" y="0">y &lt;= 3</label><label kind="comments">hello</label></location>
    <location id="id1"><label kind="exponentialrate">3</label><urgent/></location>
    <location id="id2"><name>init</name><committed/></location>
    <branchpoint id="id3"/>
    <init ref="id0"/>
    <transition controllable="false"><source ref="id0"/><target ref="id3"/>
      <label kind="select">i : int[0,1]</label><label kind="guard"><![CDATA[y < 3 && v > 1]]></label>
      <label kind="synchronisation">a!</label><label kind="assignment">v = 1, y = 0</label><nail x="0" y="0"/></transition>
    <transition><source ref="id3"/><target ref="id1"/><label kind="probability">2</label></transition>
    <transition><source ref="id3"/><target ref="id2"/><label kind="guard"> // nothing
      </label></transition>
  </template>
  <system>P = T(1, x); system P, T;</system>
  <queries>
    <option key="--extrapolation" value="1"/>
    <query><formula>E&lt;&gt; P.Idle and deadlock</formula><comment>reach &amp; stop</comment>
      <expect outcome="success" type="symbolic"/></query>
    <query><formula></formula><comment/></query>
    <query><formula>// only a comment</formula><comment/></query>
    <query><formula>P.Idle --&gt; P.init</formula></query>
    <query><formula>A[] forall (i : int[0,3])
      P(i).v &lt; 3</formula></query>
  </queries>
</nta>"##;

#[test]
fn xml_templates() {
    let model = parse(XML).model;
    let it = &model.templates[0];
    let names: Vec<_> = it.locations.iter().map(|it| it.name.text.as_str()).collect();
    assert_eq!(names, ["Idle", "_id1", "init"]);
    assert!(it.locations[1].anonymous && it.locations[1].urgent && it.locations[2].committed);
    assert_eq!((it.parameters.len(), it.parameters[1].by_reference), (2, true));
    assert_eq!((it.branchpoints.len(), it.initial, it.edges.len()), (1, Some(0), 3));
    let edge = &it.edges[0];
    assert_eq!((edge.controllable, edge.target), (false, Endpoint::Branchpoint(0)));
    assert_eq!(edge.guard.as_ref().map(show).unwrap(), "(And (Less y 3) (Greater v 1))");
    assert_eq!((edge.selects.len(), edge.updates.len()), (1, 2));
    assert!(it.edges[2].guard.is_none());
    assert_eq!((model.system.declarations.len(), model.system.processes.len()), (1, 2));
}

#[test]
fn xml_queries() {
    let queries = parse(XML).model.queries;
    assert_eq!(queries.len(), 3);
    let QueryKind::Reachable(property) = &queries[0].kind else { panic!() };
    assert_eq!(show(property), "(And P.Idle DEADLOCK)");
    assert_eq!(queries[0].comment.as_deref(), Some("reach & stop"));
    assert_eq!(queries[0].text, "E<> P.Idle and deadlock");
    assert_eq!(queries[1].kind, QueryKind::Unsupported("not supported: `-->` (leads to)".into()));
    let QueryKind::Invariant(property) = &queries[2].kind else { panic!() };
    assert_eq!(show(property), "(Forall i (Less P(i).v 3))");
}

#[test]
fn query_files() {
    let text = "//comment\n/*\nEXPECT:T\n*/\nE<> P.a /* in\nside */ and x == 1\r\n\nA[] not \\\n  deadlock\nA[] (numOf(T) == 1)";
    let mut sources = SourceMap::default();
    let (queries, diagnostics) = uppaal::parse_queries("m.q", text.as_bytes(), &mut sources);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    let shown: Vec<String> = queries
        .iter()
        .map(|it| match &it.kind {
            QueryKind::Reachable(it) => format!("E<> {}", show(it)),
            QueryKind::Invariant(it) => format!("A[] {}", show(it)),
            QueryKind::Unsupported(reason) => reason.clone(),
            QueryKind::Mistaken(mistakes) => panic!("{mistakes:?}"),
        })
        .collect();
    let expected = ["E<> (And P.a (Equal x 1))", "A[] (Not DEADLOCK)", "A[] (Equal (numOf T) 1)"];
    assert_eq!(shown, expected);
    assert_eq!(sources.resolve(queries[1].span).unwrap().line, 8);
}

#[test]
fn unsupported_queries_keep_their_place() {
    let text = "A<> p\nE[] p\np --> q\nsup: x\nsup{p}: x, y\ninf{p}: x\nbounds: x\nPr[<=10](<> p)\n\
        simulate [<=10; 5] { x, #y }\nE[<=10; 3](max: x)\ncontrol: A[] p\ncontrol_t*(1,2): A<> p\n\
        strategy S = control: A[] p\nE<> p under S\nminE(x)[<=10]: <> p\nsat: L\nA[p U q]\n\
        A[] (p and A<> q)\nE<> control: A[] p\n{x, y} control: A[] p\nPr(<>[0,3] p \\/ q) >= 0.5\n\
        saveStrategy(\"f\", S)";
    let mut sources = SourceMap::default();
    let (queries, diagnostics) = uppaal::parse_queries("m.q", text.as_bytes(), &mut sources);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    assert_eq!(queries.len(), text.lines().count());
    for (line, query) in text.lines().zip(&queries) {
        let QueryKind::Unsupported(reason) = &query.kind else { panic!("{line}: {query:?}") };
        assert!(reason.starts_with("not supported: "), "{line}: {reason}");
        assert_eq!(query.text, line);
        assert_eq!(sources.snippet(query.span), line);
    }
}

#[test]
fn queries_on_the_command_line() {
    let mut sources = SourceMap::default();
    let query = uppaal::parse_query("E<> sup + A.control > 1", &mut sources);
    let QueryKind::Reachable(property) = query.kind else { panic!() };
    assert_eq!(show(&property), "(Greater (Add sup A.control) 1)");
    let query = uppaal::parse_query("  // nothing", &mut sources);
    let QueryKind::Mistaken(mistakes) = query.kind else { panic!() };
    assert_eq!(mistakes[0].message, "the query is empty");
}

#[test]
fn query_blocks_after_the_system_line() {
    let process = "process P() { state A; init A; }";
    let parsed =
        parse(&format!("{process} system P; query {{ E<> P.A }} progress {{ 1; }} query {{ }}"));
    let [Query { kind: QueryKind::Reachable(property), text, span, .. }] =
        &parsed.model.queries[..]
    else {
        panic!("{:?}", parsed.model.queries)
    };
    assert_eq!((show(property).as_str(), text.as_str()), ("P.A", "E<> P.A"));
    assert_eq!(parsed.sources.snippet(*span), "E<> P.A");
    let open = uppaal::parse("m.xta", format!("{process} system P; query {{ E<>").as_bytes());
    assert_eq!(open.diagnostics[0].message, "this `query` block is never closed");
}
