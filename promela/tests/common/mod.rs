//! Prints a tree as Promela again, one statement per line, with every operator in parentheses and
//! inlines opened: what Spin makes of that text must be what it makes of the original.
#![allow(dead_code)]

use promela::ast::*;

/// Parses a model that includes nothing.
pub fn parse(text: &str) -> promela::Parsed {
    parse_with(text, &[], &[])
}

/// Parses a model with macros from outside and files to include.
pub fn parse_with(text: &str, defines: &[(&str, &str)], files: &[(&str, &str)]) -> promela::Parsed {
    let defines: Vec<_> =
        defines.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let mut read = |path: &str| {
        let found = files.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or("no such file".to_string())
    };
    promela::parse("model.pml", text.as_bytes(), &defines, &mut read)
}

/// The diagnostics, one per line: `severity path:line:column message`.
pub fn problems(parsed: &promela::Parsed) -> String {
    let line = |it: &source::Diagnostic| {
        let place = parsed.sources.resolve(it.span).expect("every span leads to a file");
        let severity = if it.is_error() { "error" } else { "warning" };
        format!("{severity} {}:{}:{} {}\n", place.path, place.line, place.column, it.message)
    };
    parsed.diagnostics.iter().map(line).collect()
}

/// The whole model.
pub fn print(model: &Model) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    for unit in &model.units {
        printer.unit(unit);
    }
    printer.text
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, text: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn unit(&mut self, unit: &Unit) {
        match unit {
            Unit::Mtype(it) => {
                let subtype =
                    it.subtype.as_ref().map_or(String::new(), |it| format!(":{}", it.text));
                let names: Vec<_> = it.names.iter().map(|it| it.text.as_str()).collect();
                self.line(&format!("mtype{subtype} = {{ {} }};", names.join(", ")));
            }
            Unit::Typedef(it) => {
                let fields: Vec<_> = it.fields.iter().map(variables).collect();
                self.line(&format!("typedef {} {{ {} }};", it.name.text, fields.join("; ")));
            }
            Unit::Variables(it) => self.line(&format!("{};", variables(it))),
            Unit::Inline(_) => {}
            Unit::Proctype(it) => self.proctype(it),
            Unit::Init(it) => self.block(&format!("init{}", priority(&it.priority)), &it.body),
            Unit::Never(it) => {
                let name = it.name.as_ref().map_or(String::new(), |it| format!(" {}", it.text));
                self.block(&format!("never{name}"), &it.body);
            }
            Unit::Trace(it) => {
                self.block(if it.forbidden { "notrace" } else { "trace" }, &it.body);
            }
            Unit::Ltl(it) => {
                let name = it.name.as_ref().map_or(String::new(), |it| format!(" {}", it.text));
                self.line(&format!("ltl{name} {{ {} }}", formula(&it.formula)));
            }
        }
    }

    fn proctype(&mut self, it: &Proctype) {
        let active = match &it.active {
            Active::No => String::new(),
            Active::One => "active ".to_string(),
            Active::Many(count) => format!("active [{}] ", expr(count)),
        };
        let word = if it.deterministic { "D_proctype" } else { "proctype" };
        let parameters: Vec<_> = it.parameters.iter().map(variables).collect();
        let provided = it.provided.as_ref();
        let provided = provided.map_or(String::new(), |it| format!(" provided ({})", expr(it)));
        let head = format!(
            "{active}{word} {}({}){}{provided}",
            it.name.text,
            parameters.join("; "),
            priority(&it.priority)
        );
        self.block(&head, &it.body);
    }

    fn block(&mut self, head: &str, block: &Block) {
        self.line(format!("{head} {{").trim_start());
        self.statements(block);
        self.line("}");
    }

    fn statements(&mut self, block: &Block) {
        self.depth += 1;
        for (index, statement) in block.statements.iter().enumerate() {
            self.statement(statement);
            if index + 1 < block.statements.len() {
                self.text.truncate(self.text.trim_end().len());
                self.text.push_str(";\n");
            }
        }
        self.depth -= 1;
    }

    fn options(&mut self, open: &str, options: &[Block], close: &str) {
        self.line(open);
        for option in options {
            self.line("::");
            self.statements(option);
        }
        self.line(close);
    }

    fn statement(&mut self, statement: &Statement) {
        for label in &statement.labels {
            self.line(&format!("{}:", label.text));
        }
        match &statement.kind {
            StatementKind::If(options) => self.options("if", options, "fi"),
            StatementKind::Do(options) => self.options("do", options, "od"),
            StatementKind::Atomic(block) => self.block("atomic", block),
            StatementKind::DStep(block) => self.block("d_step", block),
            StatementKind::Block(block) => self.block("", block),
            StatementKind::Inline(call) => self.block("", &call.body),
            StatementKind::Unless(body, escape) => {
                self.statement(body);
                // A line break before `unless` would count as `;`.
                self.text.truncate(self.text.trim_end().len());
                self.text.push_str(" unless\n");
                self.statement(escape);
            }
            StatementKind::For { variable, range, body } => {
                let range = match range {
                    ForRange::Between(low, high) => format!(": {} .. {}", expr(low), expr(high)),
                    ForRange::In(name) => format!("in {}", reference(name)),
                };
                self.block(&format!("for ({} {range})", reference(variable)), body);
            }
            kind => self.line(&simple(kind)),
        }
    }
}

fn simple(kind: &StatementKind) -> String {
    match kind {
        StatementKind::Variables(it) => variables(it),
        StatementKind::Exclusive(exclusive, channels) => {
            let word = if *exclusive == Exclusive::Receive { "xr" } else { "xs" };
            let channels: Vec<_> = channels.iter().map(reference).collect();
            format!("{word} {}", channels.join(", "))
        }
        StatementKind::Expr(value) => expr(value),
        StatementKind::Else => "else".to_string(),
        StatementKind::Assign(target, value) => format!("{} = {}", reference(target), expr(value)),
        StatementKind::Return { target, value } => {
            format!("{} = {}", reference(target), expr(value))
        }
        StatementKind::Increment(target) => format!("{}++", reference(target)),
        StatementKind::Decrement(target) => format!("{}--", reference(target)),
        StatementKind::Send(it) => {
            let mark = if it.sorted { "!!" } else { "!" };
            format!("{}{mark}{}", reference(&it.channel), list(&it.arguments))
        }
        StatementKind::Receive(it) => {
            let mark = if it.random { "??" } else { "?" };
            let (open, close) = if it.keep { ("<", ">") } else { ("", "") };
            format!("{}{mark}{open}{}{close}", reference(&it.channel), patterns(&it.patterns))
        }
        StatementKind::Select { variable, low, high, .. } => {
            format!("select ({} : {} .. {})", reference(variable), expr(low), expr(high))
        }
        StatementKind::Break => "break".to_string(),
        StatementKind::Goto(label) => format!("goto {}", label.text),
        StatementKind::Assert(value) => format!("assert({})", expr(value)),
        StatementKind::Printf(format, values) if values.is_empty() => {
            format!("printf(\"{format}\")")
        }
        StatementKind::Printf(format, values) => format!("printf(\"{format}\", {})", list(values)),
        StatementKind::Printm(value) => format!("printm({})", expr(value)),
        StatementKind::SetPriority(process, priority) => {
            format!("set_priority({}, {})", expr(process), expr(priority))
        }
        _ => unreachable!("compound statements are printed elsewhere"),
    }
}

fn priority(priority: &Option<Expr>) -> String {
    priority.as_ref().map_or(String::new(), |it| format!(" priority {}", expr(it)))
}

fn variables(it: &Variables) -> String {
    let visibility = match it.visibility {
        None => "",
        Some(Visibility::Hidden) => "hidden ",
        Some(Visibility::Show) => "show ",
        Some(Visibility::Local) => "local ",
    };
    let names: Vec<_> = it.declarators.iter().map(declarator).collect();
    format!("{visibility}{} {}", ty(&it.ty), names.join(", "))
}

fn ty(it: &Type) -> String {
    match &it.kind {
        TypeKind::Bit => "bit".to_string(),
        TypeKind::Bool => "bool".to_string(),
        TypeKind::Byte => "byte".to_string(),
        TypeKind::Pid => "pid".to_string(),
        TypeKind::Short => "short".to_string(),
        TypeKind::Int => "int".to_string(),
        TypeKind::Unsigned => "unsigned".to_string(),
        TypeKind::Chan => "chan".to_string(),
        TypeKind::Mtype(None) => "mtype".to_string(),
        TypeKind::Mtype(Some(name)) => format!("mtype:{}", name.text),
        TypeKind::Named(name) => name.clone(),
    }
}

fn declarator(it: &Declarator) -> String {
    let mut text = it.name.text.clone();
    if let Some(bits) = it.bits {
        text.push_str(&format!(" : {bits}"));
    }
    if let Some(size) = &it.size {
        text.push_str(&format!("[{}]", expr(size)));
    }
    match &it.initialiser {
        None => {}
        Some(Initialiser::Value(value)) => text.push_str(&format!(" = {}", expr(value))),
        Some(Initialiser::List(values)) => text.push_str(&format!(" = {{ {} }}", list(values))),
        Some(Initialiser::Channel(it)) => {
            let fields: Vec<_> = it.fields.iter().map(ty).collect();
            let capacity = expr(&it.capacity);
            text.push_str(&format!(" = [{capacity}] of {{ {} }}", fields.join(", ")));
        }
    }
    text
}

fn list(values: &[Expr]) -> String {
    values.iter().map(expr).collect::<Vec<_>>().join(", ")
}

fn patterns(patterns: &[Pattern]) -> String {
    let one = |it: &Pattern| match it {
        Pattern::Reference(it) => reference(it),
        Pattern::Eval(value) => format!("eval({})", expr(value)),
        Pattern::Constant(value) => match &value.kind {
            ExprKind::Unary(UnaryOp::Minus, inner) => format!("-{}", expr(inner)),
            _ => expr(value),
        },
    };
    patterns.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn reference(it: &Reference) -> String {
    it.parts.iter().map(part).collect::<Vec<_>>().join(".")
}

fn part(it: &Part) -> String {
    let index = it.index.as_ref().map_or(String::new(), |index| format!("[{}]", expr(index)));
    format!("{}{index}", it.name.text)
}

/// An expression with every operator in parentheses.
pub fn expr(it: &Expr) -> String {
    let process = |name: &Name, process: &Option<Box<Expr>>| {
        let index = process.as_ref().map_or(String::new(), |it| format!("[{}]", expr(it)));
        format!("{}{index}", name.text)
    };
    match &it.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Skip => "skip".to_string(),
        ExprKind::Reference(it) => reference(it),
        ExprKind::Unary(operator, operand) => {
            let sign = match operator {
                UnaryOp::Minus => "-",
                UnaryOp::Not => "!",
                UnaryOp::BitNot => "~",
            };
            format!("({sign}{})", expr(operand))
        }
        ExprKind::Binary(operator @ (BinaryOp::And | BinaryOp::Or), left, right) => {
            let sides = [chain(*operator, left), chain(*operator, right)].concat();
            format!("({})", sides.join(&format!(" {} ", sign(*operator))))
        }
        ExprKind::Binary(operator, left, right) => {
            format!("({} {} {})", expr(left), sign(*operator), expr(right))
        }
        ExprKind::Conditional(condition, yes, no) => {
            format!("({} -> {} : {})", expr(condition), expr(yes), expr(no))
        }
        ExprKind::Run(it) => {
            let priority = it.priority.as_ref();
            let priority = priority.map_or(String::new(), |it| format!(" priority {}", expr(it)));
            format!("run {}({}){priority}", it.proctype.text, list(&it.arguments))
        }
        ExprKind::Len(channel) => format!("len({})", reference(channel)),
        ExprKind::Probe(probe, channel) => {
            let word = match probe {
                Probe::Full => "full",
                Probe::Empty => "empty",
                Probe::NotFull => "nfull",
                Probe::NotEmpty => "nempty",
            };
            format!("{word}({})", reference(channel))
        }
        ExprKind::Poll(it) => {
            let mark = if it.random { "??" } else { "?" };
            format!("{}{mark}[{}]", reference(&it.channel), patterns(&it.patterns))
        }
        ExprKind::Enabled(it) => format!("enabled({})", expr(it)),
        ExprKind::PcValue(it) => format!("pc_value({})", expr(it)),
        ExprKind::GetPriority(it) => format!("get_priority({})", expr(it)),
        ExprKind::Timeout => "timeout".to_string(),
        ExprKind::NonProgress => "np_".to_string(),
        ExprKind::RemoteLabel { proctype, process: index, label } => {
            format!("{}@{}", process(proctype, index), label.text)
        }
        ExprKind::RemoteVariable { proctype, process: index, variable } => {
            format!("{}:{}", process(proctype, index), part(variable))
        }
    }
}

/// The operands of a chain of `&&` or `||`, however its tree is balanced.
fn chain(operator: BinaryOp, it: &Expr) -> Vec<String> {
    match &it.kind {
        ExprKind::Binary(inner, left, right) if *inner == operator => {
            [chain(operator, left), chain(operator, right)].concat()
        }
        _ => vec![expr(it)],
    }
}

fn sign(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Greater => ">",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Imply => "imply",
    }
}

/// A formula with every operator in parentheses.
pub fn formula(it: &Formula) -> String {
    match &it.kind {
        FormulaKind::Atom(atom) => expr(atom),
        FormulaKind::Not(inner) => format!("(! {})", formula(inner)),
        FormulaKind::Unary(operator, inner) => {
            let sign = match operator {
                TemporalUnary::Always => "[]",
                TemporalUnary::Eventually => "<>",
                TemporalUnary::Next => "X",
            };
            format!("({sign} {})", formula(inner))
        }
        FormulaKind::Binary(operator, left, right) => {
            let sign = match operator {
                TemporalBinary::And => "&&",
                TemporalBinary::Or => "||",
                TemporalBinary::Implies => "->",
                TemporalBinary::Equivalent => "<->",
                TemporalBinary::Until => "U",
                TemporalBinary::WeakUntil => "W",
                TemporalBinary::Release => "V",
            };
            format!("({} {sign} {})", formula(left), formula(right))
        }
    }
}
