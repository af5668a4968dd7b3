//! The interval of an expression contains every value that evaluation gives, and is not needlessly
//! wide where the result is known.

mod support;

use network::*;
use support::{BINARY, UNARY};
use testing::Numbers;

const MODEL: &str = r#"network 1
var a : int[-2, 3]
var b : int[0, 4]
var top : int[2147483645, 2147483647] = 2147483645
var bottom : int[-2147483648, -2147483647] = -2147483648
const table[2][3] : int = 1, 5, -7, 20, 21, 40
var byte : int[0, 255] wrap
chan h : handshake
chan q : buffered 3 (bool)
chan r[2] : buffered 7 ()
chan s : buffered 0 (bool)
chan t : buffered 4294967295 ()
function f() -> int[2, 3] { return 2; }
process P { location A; init A; }
property ""
  local i#0 : int[-1, 1];
  local j#1 : int[1, 2];
  local k#2 : int[0, 1];
  reachable 1
"#;

const TABLE: [[i32; 3]; 2] = [[1, 5, -7], [20, 21, 40]];

fn model() -> Network {
    parse(MODEL).unwrap_or_else(|errors| panic!("{errors:#?}"))
}

fn range(text: &str) -> (i32, i32) {
    let text = MODEL.replace("reachable 1", &format!("reachable {text}"));
    let network = parse(&text).unwrap_or_else(|errors| panic!("{errors:#?}"));
    let property = &network.properties[PropertyId(0)];
    range_of(&network, &property.locals, property.claim.expression().expect("an expression"))
}

const FULL: (i32, i32) = (i32::MIN, i32::MAX);

#[test]
fn known_ranges() {
    for (text, expected) in [
        ("7", (7, 7)),
        ("a", (-2, 3)),
        ("byte", (0, 255)),
        ("a + b", (-2, 7)),
        ("a - b", (-6, 3)),
        ("a * b", (-8, 12)),
        ("-a", (-3, 2)),
        ("~a", (-4, 1)),
        ("abs(a)", (0, 3)),
        ("abs(a - 5)", (2, 7)),
        ("a / 2", (-1, 1)),
        ("7 / b", (1, 7)),
        ("7 / a", (-7, 7)),
        ("byte % 10", (0, 9)),
        ("b % 10", (0, 4)),
        ("a % 2", (-1, 1)),
        ("b ** 2", (0, 16)),
        ("2 ** b", (1, 16)),
        ("a ** 3", (-27, 27)),
        ("min(a, b)", (-2, 3)),
        ("max(a, b)", (0, 4)),
        ("byte & 15", (0, 15)),
        ("b | 8", (8, 15)),
        ("b ^ 1", (0, 7)),
        ("a & b", (0, 4)),
        ("1 << b", (1, 16)),
        ("byte >> 4", (0, 15)),
        ("a >> 1", (-1, 1)),
        ("a < b", (0, 1)),
        ("b < 5", (1, 1)),
        ("b > 4", (0, 0)),
        ("b != 9", (1, 1)),
        ("b == 9", (0, 0)),
        ("3 == 3", (1, 1)),
        ("b >= 0 && 1", (1, 1)),
        ("b > 9 || 0", (0, 0)),
        ("!b", (0, 1)),
        ("!7", (0, 0)),
        ("!0", (1, 1)),
        ("a < 0 ? b : 10", (0, 10)),
        ("1 ? b : 10", (0, 4)),
        ("0 ? b : 10", (10, 10)),
        ("f()", (2, 3)),
        ("P at A", (0, 1)),
        ("deadlock", (0, 1)),
        ("timeout", (0, 1)),
        ("len(q)", (0, 3)),
        ("len(r[1])", (0, 7)),
        ("len(s)", (0, 0)),
        ("len(t)", (0, i32::MAX)),
        ("len(channel(b))", (0, i32::MAX)),
        ("full(q)", (0, 1)),
        ("empty(q)", (0, 1)),
        ("poll q(== 1)", (0, 1)),
        ("poll q(_) anywhere", (0, 1)),
        ("i#0", (-1, 1)),
        ("sum (j#1) b", (0, 8)),
        ("forall (j#1) b", (0, 1)),
        ("exists (j#1) b", (0, 1)),
        ("table[1][2]", (40, 40)),
        ("table[0][b]", (-7, 5)),
        ("table[1][k#2]", (20, 21)),
        ("table[b][0]", (-7, 40)),
        ("top", (i32::MAX - 2, i32::MAX)),
        ("top + 1", FULL),
        ("bottom - 1", FULL),
        ("-bottom", FULL),
        ("abs(bottom)", FULL),
        ("bottom / a", FULL),
        ("top * 2", FULL),
        ("top << 1", FULL),
        ("top ** 2", FULL),
        ("sum (i#0) top", FULL),
    ] {
        assert_eq!(range(text), expected, "{text}");
    }
}

/// One assignment of values to everything an expression can read.
struct Values {
    variables: [i32; 4],
    result: i32,
    at: i32,
    locals: [i32; 3],
}

impl Values {
    /// The value, or none if there is a run-time error.
    fn eval(&mut self, expr: &Expr) -> Option<i32> {
        Some(match expr {
            Expr::Const(value) => *value,
            Expr::Read(place) => self.read(place)?,
            Expr::Unary(op, operand) => {
                let value = self.eval(operand)?;
                match op {
                    UnaryOp::Neg => value.wrapping_neg(),
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::BitNot => !value,
                    UnaryOp::Abs => value.wrapping_abs(),
                }
            }
            Expr::Binary(BinaryOp::And, a, b) => {
                i32::from(self.eval(a)? != 0 && self.eval(b)? != 0)
            }
            Expr::Binary(BinaryOp::Or, a, b) => i32::from(self.eval(a)? != 0 || self.eval(b)? != 0),
            Expr::Binary(op, a, b) => apply(*op, self.eval(a)?, self.eval(b)?)?,
            Expr::Conditional(condition, yes, no) => match self.eval(condition)? {
                0 => self.eval(no)?,
                _ => self.eval(yes)?,
            },
            Expr::Quantified(quantifier, binder, operand) => {
                self.quantified(*quantifier, binder.index(), operand)?
            }
            Expr::Call(..) => self.result,
            Expr::At(..) => self.at,
            Expr::Clock(_) | Expr::Deadlock => return None,
            Expr::Timeout | Expr::Probe(..) | Expr::Poll(_) => return None,
        })
    }

    fn read(&mut self, place: &Place) -> Option<i32> {
        let mut indices = Vec::new();
        for index in &place.indices {
            indices.push(usize::try_from(self.eval(index)?).ok()?);
        }
        match place.base {
            Base::Variable(VariableId(4)) => TABLE.get(indices[0])?.get(indices[1]).copied(),
            Base::Variable(id) => Some(self.variables[id.index()]),
            Base::Local(id) => Some(self.locals[id.index()]),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, binder: usize, operand: &Expr) -> Option<i32> {
        let range = [-1..=1, 1..=2, 0..=1][binder].clone();
        let before = self.locals[binder];
        let mut values = Vec::new();
        for value in range {
            self.locals[binder] = value;
            values.push(self.eval(operand));
            let stop = match quantifier {
                Quantifier::ForAll => values.last() == Some(&Some(0)),
                Quantifier::Exists => values.last().is_some_and(|v| v.is_none_or(|v| v != 0)),
                Quantifier::Sum => false,
            };
            if stop {
                break;
            }
        }
        self.locals[binder] = before;
        let values: Vec<i32> = values.into_iter().collect::<Option<_>>()?;
        Some(match quantifier {
            Quantifier::ForAll => i32::from(values.iter().all(|&value| value != 0)),
            Quantifier::Exists => i32::from(values.iter().any(|&value| value != 0)),
            Quantifier::Sum => values.into_iter().fold(0, i32::wrapping_add),
        })
    }
}

fn apply(op: BinaryOp, a: i32, b: i32) -> Option<i32> {
    let truth = |holds: bool| Some(i32::from(holds));
    let count = || u32::try_from(b).ok().filter(|&count| count < 32);
    match op {
        BinaryOp::Add => Some(a.wrapping_add(b)),
        BinaryOp::Sub => Some(a.wrapping_sub(b)),
        BinaryOp::Mul => Some(a.wrapping_mul(b)),
        BinaryOp::Div => (b != 0).then(|| a.wrapping_div(b)),
        BinaryOp::Rem => (b != 0).then(|| a.wrapping_rem(b)),
        BinaryOp::Pow => u32::try_from(b).ok().map(|exponent| a.wrapping_pow(exponent)),
        BinaryOp::Min => Some(a.min(b)),
        BinaryOp::Max => Some(a.max(b)),
        BinaryOp::BitAnd => Some(a & b),
        BinaryOp::BitOr => Some(a | b),
        BinaryOp::BitXor => Some(a ^ b),
        BinaryOp::Shl => count().map(|count| a.wrapping_shl(count)),
        BinaryOp::Shr => count().map(|count| a.wrapping_shr(count)),
        BinaryOp::Eq => truth(a == b),
        BinaryOp::Ne => truth(a != b),
        BinaryOp::Lt => truth(a < b),
        BinaryOp::Le => truth(a <= b),
        BinaryOp::Gt => truth(a > b),
        BinaryOp::Ge => truth(a >= b),
        BinaryOp::And | BinaryOp::Or => None,
    }
}

fn random_expr(numbers: &mut Numbers, depth: usize) -> Expr {
    if depth == 0 {
        return leaf(numbers);
    }
    match numbers.below(10) {
        0..=5 => {
            let op = *numbers.one(&BINARY);
            Expr::binary(op, random_expr(numbers, depth - 1), random_expr(numbers, depth - 1))
        }
        6 => Expr::unary(*numbers.one(&UNARY), random_expr(numbers, depth - 1)),
        7 => {
            let [a, b, c] = [(); 3].map(|()| Box::new(random_expr(numbers, depth - 1)));
            Expr::Conditional(a, b, c)
        }
        8 => {
            let quantifiers =
                [Quantifier::ForAll, Quantifier::Exists, Quantifier::Sum, Quantifier::Sum];
            let binder = LocalId::new(1 + numbers.below(2));
            let operand = Box::new(random_expr(numbers, depth - 1));
            Expr::Quantified(*numbers.one(&quantifiers), binder, operand)
        }
        _ => leaf(numbers),
    }
}

fn leaf(numbers: &mut Numbers) -> Expr {
    let constants = [0, 1, -1, 2, 3, 7, -8, 30, 31, 32, 100, i32::MAX, i32::MIN];
    match numbers.below(9) {
        0 | 1 => Expr::Const(*numbers.one(&constants)),
        2..=4 => Expr::variable(VariableId::new(*numbers.one(&[0, 0, 1, 1, 2, 3]))),
        5 => Expr::local(LocalId::new(numbers.below(3))),
        6 => Expr::Call(FunctionId(0), Vec::new()),
        7 => Expr::At(ProcessId(0), LocationId(0)),
        _ => {
            let indices = vec![Expr::Const(numbers.below(2) as i32), Expr::variable(VariableId(1))];
            Expr::Read(Place { base: Base::Variable(VariableId(4)), indices })
        }
    }
}

#[test]
fn the_range_contains_every_value() {
    let network = model();
    let locals = &network.properties[PropertyId(0)].locals;
    let mut narrow = 0;
    for seed in 0..15_000 {
        let mut numbers = Numbers::new(seed);
        let depth = 1 + numbers.below(3);
        let expr = random_expr(&mut numbers, depth);
        let (low, high) = range_of(&network, locals, &expr);
        narrow += usize::from((low, high) != FULL);
        let check = |values: &mut Values| {
            if let Some(value) = values.eval(&expr) {
                assert!(
                    low <= value && value <= high,
                    "seed {seed}: {value} not in {low}..{high}: {expr:?}"
                );
            }
        };
        if depth == 1 { every(check) } else { some(&mut numbers, check) }
    }
    assert!(narrow > 7_500, "only {narrow} ranges say anything");
}

/// All assignments.
fn every(mut check: impl FnMut(&mut Values)) {
    let sizes = [6, 5, 3, 2, 3, 2, 2, 2, 2];
    for assignment in 0..sizes.iter().product() {
        let mut rest = assignment;
        let digits = sizes.map(|size| {
            let digit = rest % size;
            rest /= size;
            digit
        });
        let [a, b, top, bottom, i, j, k, result, at] = digits;
        check(&mut Values {
            variables: [a - 2, b, i32::MAX - top, i32::MIN + bottom],
            result: 2 + result,
            at,
            locals: [i - 1, j + 1, k],
        });
    }
}

fn some(numbers: &mut Numbers, mut check: impl FnMut(&mut Values)) {
    for _ in 0..150 {
        let a = numbers.between(-2, 3);
        let b = numbers.between(0, 4);
        let top = i32::MAX - numbers.below(3) as i32;
        let bottom = i32::MIN + numbers.below(2) as i32;
        let [x, y, z] = [3, 2, 2].map(|n| numbers.below(n) as i32);
        let (result, at) = (2 + numbers.below(2) as i32, numbers.below(2) as i32);
        check(&mut Values {
            variables: [a, b, top, bottom],
            result,
            at,
            locals: [x - 1, y + 1, z],
        });
    }
}
