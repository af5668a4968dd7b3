//! Conditions, actions and updates in the words of the model, for drawings and reports.

use network::{
    Action, Arena, Base, BinaryOp, ChannelRef, ClockConstraint, ClockRef, Condition, Edge,
    ErrorKind, Expr, Local, LocalId, Network, Pattern, Place, Probe, Process, Quantifier, Rate,
    Receive, Relation, Send, Statement, StatementKind, Type, UnaryOp,
};

/// Describes the parts of one owner (edge, location) of locals.
#[derive(Clone, Copy, Debug)]
pub struct Describer<'a> {
    network: &'a Network,
    locals: &'a Arena<LocalId, Local>,
    /// The process whose variables need not be called its own.
    own: Option<&'a str>,
}

/// Operators bind as in C; a higher level binds more tightly.
const ATOM: u8 = 20;
const UNARY: u8 = 15;
const LOWEST: u8 = 0;

impl<'a> Describer<'a> {
    /// A describer of what the owner of these locals says.
    pub fn new(network: &'a Network, locals: &'a Arena<LocalId, Local>) -> Self {
        Describer { network, locals, own: None }
    }

    /// The same in the words of a process, which does not name itself.
    pub fn within(self, process: &'a Process) -> Self {
        Describer { own: Some(&process.name), ..self }
    }

    fn name(&self, name: &'a str) -> &'a str {
        let rest = self.own.and_then(|own| name.strip_prefix(own)?.strip_prefix('.'));
        rest.unwrap_or(name)
    }

    /// `i : int[0, 3]` for each select.
    pub fn selects(&self, edge: &Edge) -> Vec<String> {
        let locals = edge.selects.iter().map(|&id| &self.locals[id]);
        locals.map(|local| format!("{} : {}", local.name, ty(local.ty))).collect()
    }

    /// `x < 3 && n == 2`; empty if it always holds.
    pub fn condition(&self, condition: &Condition) -> String {
        let data = (!condition.data.is_true()).then(|| self.expr(&condition.data, 5));
        let clocks = condition.clocks.iter().map(|clock| self.constraint(clock));
        data.into_iter().chain(clocks).collect::<Vec<_>>().join(" && ")
    }

    /// `go[i]!`; empty for an internal edge.
    pub fn action(&self, action: &Action) -> String {
        match action {
            Action::Internal => String::new(),
            Action::Send(send) => self.send(send),
            Action::Receive(receive) => self.receive(receive),
        }
    }

    fn send(&self, send: &Send) -> String {
        let mark = if send.sorted { "!!" } else { "!" };
        let fields = send.message.iter().map(|field| self.expr(field, LOWEST)).collect();
        format!("{}{mark}{}", self.channel(&send.channel), message(fields))
    }

    fn receive(&self, receive: &Receive) -> String {
        let mark = if receive.anywhere { "??" } else { "?" };
        let fields = receive.message.iter().map(|field| self.pattern(field)).collect();
        format!("{}{mark}{}", self.channel(&receive.channel), message(fields))
    }

    /// `x = 0, n = n + 1`.
    pub fn update(&self, update: &[Statement]) -> String {
        update.iter().map(|s| self.statement(s)).collect::<Vec<_>>().join(", ")
    }

    fn failure(&self, kind: ErrorKind) -> String {
        format!("fail: {}", kind.message(self.network))
    }

    /// `x' == 0`.
    pub fn rate(&self, rate: &Rate) -> String {
        let (clock, value) = (self.clock(&rate.clock), self.expr(&rate.rate, 8));
        match &rate.when {
            Some(when) => format!("{} imply {clock}' == {value}", self.expr(when, 2)),
            None => format!("{clock}' == {value}"),
        }
    }

    fn channel(&self, channel: &ChannelRef) -> String {
        match channel {
            ChannelRef::Element(id, indices) => {
                let name = self.name(&self.network.channels[*id].name);
                format!("{name}{}", self.indices(indices))
            }
            ChannelRef::Value(value) => format!("channel({})", self.expr(value, LOWEST)),
        }
    }

    fn pattern(&self, pattern: &Pattern) -> String {
        match pattern {
            Pattern::Equal(value) => format!("== {}", self.expr(value, LOWEST)),
            Pattern::Store(place) => self.place(place),
            Pattern::Any => "_".to_string(),
        }
    }

    fn statement(&self, statement: &Statement) -> String {
        let expr = |e| self.expr(e, LOWEST);
        match &statement.kind {
            StatementKind::Assign(place, value) => {
                format!("{} = {}", self.place(place), expr(value))
            }
            StatementKind::Reset(clock, value) => {
                format!("{} = {}", self.clock(clock), expr(value))
            }
            StatementKind::If(condition, then, otherwise) => {
                let head = format!("if ({}) {}", expr(condition), self.block(then));
                match otherwise.as_slice() {
                    [] => head,
                    list => format!("{head} else {}", self.block(list)),
                }
            }
            StatementKind::While(condition, body) => {
                format!("while ({}) {}", expr(condition), self.block(body))
            }
            StatementKind::Call(place, function, arguments) => {
                let call = self.call(&self.network.functions[*function].name, arguments);
                place.as_ref().map_or(call.clone(), |p| format!("{} = {call}", self.place(p)))
            }
            StatementKind::Return(value) => {
                value.as_ref().map_or("return".to_string(), |v| format!("return {}", expr(v)))
            }
            StatementKind::Assert(condition) => format!("assert {}", expr(condition)),
            StatementKind::Await(condition) => format!("await {}", expr(condition)),
            StatementKind::Fail(failure) => self.failure(ErrorKind::Failure(*failure)),
            StatementKind::NoRoom => self.failure(ErrorKind::NoRoom),
            StatementKind::Enter(process, location) => {
                let process = &self.network.processes[*process];
                format!("{} to {}", process.name, process.locations[*location].name)
            }
            StatementKind::Send(send) => self.send(send),
            StatementKind::Receive(receive) => self.receive(receive),
        }
    }

    fn block(&self, statements: &[Statement]) -> String {
        let list: Vec<String> = statements.iter().map(|s| self.statement(s)).collect();
        format!("{{ {} }}", list.join("; "))
    }

    fn constraint(&self, constraint: &ClockConstraint) -> String {
        let left = self.clock(&constraint.left);
        let right = constraint.right.as_ref().map(|r| format!(" - {}", self.clock(r)));
        let sign = match constraint.relation {
            Relation::Lt => "<",
            Relation::Le => "<=",
            Relation::Eq => "==",
            Relation::Ge => ">=",
            Relation::Gt => ">",
        };
        let bound = self.expr(&constraint.bound, 9);
        let core = format!("{left}{} {sign} {bound}", right.unwrap_or_default());
        match &constraint.when {
            Some(when) => format!("({} imply {core})", self.expr(when, 2)),
            None => core,
        }
    }

    fn clock(&self, clock: &ClockRef) -> String {
        let name = self.name(&self.network.clocks[clock.clock].name);
        format!("{name}{}", self.indices(&clock.indices))
    }

    fn place(&self, place: &Place) -> String {
        let name = match place.base {
            Base::Variable(id) => self.name(&self.network.variables[id].name),
            Base::Local(id) => self.locals[id].name.as_str(),
        };
        format!("{name}{}", self.indices(&place.indices))
    }

    fn indices(&self, indices: &[Expr]) -> String {
        indices.iter().map(|index| format!("[{}]", self.expr(index, LOWEST))).collect()
    }

    fn call(&self, name: &str, arguments: &[Expr]) -> String {
        let list: Vec<String> = arguments.iter().map(|a| self.expr(a, LOWEST)).collect();
        format!("{name}({})", list.join(", "))
    }

    /// `x + 1 == n`.
    pub fn expression(&self, expr: &Expr) -> String {
        self.expr(expr, LOWEST)
    }

    /// An expression, in parentheses if it binds less tightly than demanded.
    fn expr(&self, expr: &Expr, demanded: u8) -> String {
        let (text, level) = self.bare(expr);
        if level < demanded { format!("({text})") } else { text }
    }

    fn bare(&self, expr: &Expr) -> (String, u8) {
        match expr {
            Expr::Const(value) => (value.to_string(), if *value < 0 { UNARY } else { ATOM }),
            Expr::Read(place) => (self.place(place), ATOM),
            Expr::Unary(UnaryOp::Abs, operand) => {
                (format!("abs({})", self.expr(operand, LOWEST)), ATOM)
            }
            Expr::Unary(op, operand) => {
                let sign = match op {
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                    _ => "-",
                };
                (format!("{sign}{}", self.expr(operand, ATOM)), UNARY)
            }
            Expr::Binary(op, left, right) => self.binary(*op, left, right),
            Expr::Conditional(condition, yes, no) => {
                let [c, y, n] = [condition, yes, no].map(|e| self.expr(e, 3));
                (format!("{c} ? {y} : {n}"), 2)
            }
            Expr::Quantified(quantifier, binder, operand) => {
                let local = &self.locals[*binder];
                let word = match quantifier {
                    Quantifier::ForAll => "forall",
                    Quantifier::Exists => "exists",
                    Quantifier::Sum => "sum",
                };
                let binder = format!("{} : {}", local.name, ty(local.ty));
                (format!("{word} ({binder}) {}", self.expr(operand, LOWEST)), 1)
            }
            Expr::Call(function, arguments) => {
                (self.call(&self.network.functions[*function].name, arguments), ATOM)
            }
            Expr::At(process, location) => {
                let process = &self.network.processes[*process];
                (format!("{}.{}", process.name, process.locations[*location].name), ATOM)
            }
            Expr::Clock(constraint) => (self.constraint(constraint), 8),
            Expr::Deadlock => ("deadlock".to_string(), ATOM),
            Expr::Timeout => ("timeout".to_string(), ATOM),
            Expr::Probe(probe, channel) => {
                let name = match probe {
                    Probe::Length => "len",
                    Probe::Full => "full",
                    Probe::Empty => "empty",
                };
                (format!("{name}({})", self.channel(channel)), ATOM)
            }
            Expr::Poll(poll) => {
                let mark = if poll.anywhere { "??" } else { "?" };
                let fields: Vec<String> = poll.message.iter().map(|p| self.pattern(p)).collect();
                (format!("{}{mark}[{}]", self.channel(&poll.channel), fields.join(", ")), ATOM)
            }
        }
    }

    fn binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> (String, u8) {
        let Some((sign, level)) = infix(op) else {
            let name = if op == BinaryOp::Min { "min" } else { "max" };
            let (left, right) = (self.expr(left, LOWEST), self.expr(right, LOWEST));
            return (format!("{name}({left}, {right})"), ATOM);
        };
        let (left, right) = (self.expr(left, level), self.expr(right, level + 1));
        (format!("{left} {sign} {right}"), level)
    }
}

/// The sign of an operator and how tightly it binds.
fn infix(op: BinaryOp) -> Option<(&'static str, u8)> {
    Some(match op {
        BinaryOp::Or => ("||", 4),
        BinaryOp::And => ("&&", 5),
        BinaryOp::BitOr => ("|", 9),
        BinaryOp::BitXor => ("^", 10),
        BinaryOp::BitAnd => ("&", 11),
        BinaryOp::Eq => ("==", 7),
        BinaryOp::Ne => ("!=", 7),
        BinaryOp::Lt => ("<", 8),
        BinaryOp::Le => ("<=", 8),
        BinaryOp::Gt => (">", 8),
        BinaryOp::Ge => (">=", 8),
        BinaryOp::Shl => ("<<", 12),
        BinaryOp::Shr => (">>", 12),
        BinaryOp::Add => ("+", 13),
        BinaryOp::Sub => ("-", 13),
        BinaryOp::Mul => ("*", 14),
        BinaryOp::Div => ("/", 14),
        BinaryOp::Rem => ("%", 14),
        BinaryOp::Pow => ("**", 16),
        BinaryOp::Min | BinaryOp::Max => return None,
    })
}

fn message(fields: Vec<String>) -> String {
    if fields.is_empty() { String::new() } else { format!("({})", fields.join(", ")) }
}

/// `int[0, 3]`.
fn ty(ty: Type) -> String {
    match (ty.low, ty.high) {
        (0, 1) => "bool".to_string(),
        (i32::MIN, i32::MAX) => "int".to_string(),
        (low, high) => format!("int[{low}, {high}]"),
    }
}
