//! Statements of random programs.

use super::{Construct, Generator, Spot};
use crate::texts::program::Statement;
use Construct::*;

/// What stands where a label is chosen later, when all are known.
const SOMEWHERE: &str = "goto ?";

impl Generator<'_> {
    /// A sequence of so many statements.
    pub(super) fn sequence(&mut self, spot: Spot, low: i32, high: i32) -> Vec<Statement> {
        let count = self.numbers.between(low, high.max(low));
        let mut all: Vec<Statement> = Vec::new();
        for _ in 0..count {
            let statement = self.labelled(spot);
            // Spin refuses a loop whose way out leads into a `d_step`.
            let after_loop = all.last().is_some_and(|it| !matches!(it, Statement::Simple(_)));
            if after_loop && is_d_step(&statement) {
                all.push(Statement::text("skip"));
            }
            all.push(statement);
        }
        all
    }

    /// The same for braces, where Spin wants no label at the beginning.
    fn block(&mut self, spot: Spot, low: i32, high: i32) -> Vec<Statement> {
        let mut all = self.sequence(spot, low, high);
        if let Some(Statement::Labelled(label, inner)) = all.first().cloned() {
            self.labels.retain(|it| *it != label);
            all[0] = *inner;
        }
        all
    }

    /// A statement, sometimes with a label.
    fn labelled(&mut self, spot: Spot) -> Statement {
        let statement = self.statement(spot);
        let declaration = matches!(&statement, Statement::Simple(parts) if is_declaration(parts));
        let bare = spot.in_d_step || spot.in_inline || declaration || is_d_step(&statement);
        // A jump to itself is refused.
        let bare = bare || statement == Statement::text(SOMEWHERE);
        if bare || matches!(statement, Statement::Unless(..)) || !self.often(Label) {
            return statement;
        }
        // Spin wants special labels outside atomic sequences.
        let prefix = match self.numbers.below(10) {
            _ if spot.in_atomic => "L",
            0 => "progress",
            1 => "accept",
            _ if self.often(EndLabel) => "end",
            _ => "L",
        };
        let name = self.name(prefix);
        self.labels.push(name.clone());
        Statement::Labelled(name, Box::new(statement))
    }

    fn statement(&mut self, spot: Spot) -> Statement {
        let free = !spot.in_d_step && !spot.in_inline;
        if free
            && self.sometimes(Reply)
            && let Some(exchange) = self.exchange()
        {
            return exchange;
        }
        if self.sometimes(Priority) && self.numbers.chance(30) {
            let priority = self.numbers.between(1, 3);
            return Statement::text(format!("set_priority(_pid, {priority})"));
        }
        for _ in 0..10 {
            let construct = self.construct(spot);
            if let Some(statement) = self.build(construct, spot) {
                return statement;
            }
        }
        Statement::text("skip")
    }

    /// A construct that may stand here, by weight.
    fn construct(&mut self, spot: Spot) -> Construct {
        let mut all = vec![Assign, Increment, Assert, Skip, Print];
        let nested = spot.depth < 1 + self.size / 20;
        if spot.in_d_step {
            all.extend(nested.then_some(If));
        } else {
            all.extend([Condition, Send, Receive, ChannelValue, Select]);
            all.extend(if nested { &[If, Do, Block, Unless, For, Atomic, DStep][..] } else { &[] });
        }
        if !spot.in_inline && !spot.in_d_step {
            all.extend([Goto, Call, Run, Declare]);
        }
        let total: u32 = all.iter().map(|it| self.weights.of(*it)).sum();
        let mut left = self.numbers.below(total as usize) as u32;
        for construct in all {
            match left.checked_sub(self.weights.of(construct)) {
                Some(rest) => left = rest,
                None => return construct,
            }
        }
        Skip
    }

    fn build(&mut self, construct: Construct, spot: Spot) -> Option<Statement> {
        let deeper = spot.deeper();
        Some(match construct {
            Assign => return self.assignment(),
            Increment => return self.increment(),
            Condition => Statement::Simple(vec![self.waiting(true).into()]),
            Send => return self.send(spot),
            Receive => return self.receive(spot),
            ChannelValue => return self.channel_value(),
            Assert => {
                let condition = self.condition(1);
                Statement::Simple(vec!["assert(".into(), condition.into(), ")".into()])
            }
            Print => Statement::text("printf(\"x\\n\")"),
            Goto => Statement::text(SOMEWHERE),
            Block => Statement::Block("", self.block(deeper, 1, 2)),
            Atomic if spot.in_atomic => return None,
            Atomic => {
                let inside = Spot { in_atomic: true, ..deeper };
                Statement::Block("atomic ", self.block(inside, 1, 4))
            }
            DStep if spot.in_atomic => return None,
            DStep => self.d_step(deeper),
            If => self.choice("if", deeper),
            Do => self.choice("do", Spot { in_loop: true, ..deeper }),
            Unless => {
                let main = self.block(deeper, 1, 3);
                let mut escape = vec![self.guard(deeper)];
                escape.extend(self.sequence(deeper, 0, 2));
                Statement::Unless(main, escape)
            }
            For => return self.for_loop(deeper),
            Select => {
                let counters = self.counters();
                let name = self.numbers.pick(&counters)?;
                Statement::text(format!("select ({name} : 0 .. {})", self.numbers.below(3)))
            }
            Call => return self.call(),
            Run => return self.run(spot),
            Declare => self.late_declaration(),
            _ => Statement::text("skip"),
        })
    }

    fn assignment(&mut self) -> Option<Statement> {
        let hidden = self.hidden.clone();
        let places = match self.numbers.chance(5) && !hidden.is_empty() {
            true => hidden,
            false => self.places(|_| true),
        };
        let place = self.numbers.pick(&places)?.clone();
        let (target, value) = (self.spell(&place.pieces), self.value(place.kind));
        Some(Statement::Simple(vec![target.into(), " = ".into(), value.into()]))
    }

    /// A step up or down; where that could go on for long, only below a limit.
    fn increment(&mut self) -> Option<Statement> {
        let places = self.places(|kind| !kind.is_symbol());
        let place = self.numbers.pick(&places)?.clone();
        let target = self.spell(&place.pieces);
        let operator = if self.numbers.chance(70) { "++" } else { "--" };
        let step = Statement::Simple(vec![target.clone().into(), operator.into()]);
        if place.kind.is_narrow() || self.often(Wild) {
            return Some(step);
        }
        let limit = if operator == "++" { " < 2" } else { " > 0" };
        let guard = Statement::Simple(vec!["(".into(), target.into(), limit.into(), ")".into()]);
        let otherwise = vec![Statement::text("else")];
        Some(Statement::Choice("if", vec![vec![guard, step], otherwise]))
    }

    /// Something that may have to wait.
    fn guard(&mut self, spot: Spot) -> Statement {
        let made = match self.numbers.below(10) {
            0 | 1 if !spot.in_d_step => self.send(spot),
            2..=4 => self.receive(spot),
            5 if !spot.in_d_step && !spot.in_atomic => {
                let inside = Spot { in_atomic: true, ..spot.deeper() };
                let mut body = vec![self.guard(inside)];
                body.extend(self.sequence(inside, 0, 2));
                Some(Statement::Block("atomic ", body))
            }
            _ => None,
        };
        made.unwrap_or_else(|| Statement::Simple(vec![self.waiting(!spot.in_d_step).into()]))
    }

    fn choice(&mut self, keyword: &'static str, spot: Spot) -> Statement {
        let mut options = Vec::new();
        let fixed = spot.in_d_step;
        let most = 2 + self.size as i32 / 30;
        for _ in 0..self.numbers.between(1, most) {
            let guarded = fixed || !self.often(Nondeterminism);
            let mut option: Vec<Statement> = Vec::new();
            option.extend(guarded.then(|| self.guard(spot)));
            let low = i32::from(!guarded);
            option.extend(self.sequence(spot, low, 2));
            options.push(option);
        }
        // In a `d_step` what is not possible is an error, so mostly something is.
        if self.often(Else) || (fixed && !self.often(Wild)) {
            let mut option = vec![Statement::text("else")];
            option.extend(self.sequence(spot, 0, 1));
            let at = if self.numbers.chance(85) { options.len() } else { 0 };
            options.insert(at, option);
        }
        if keyword == "do" && self.numbers.chance(70) {
            let at = self.numbers.below(options.len());
            options[at].push(Statement::text("break"));
        }
        Statement::Choice(keyword, options)
    }

    fn d_step(&mut self, spot: Spot) -> Statement {
        let mut body = Vec::new();
        let inside = Spot { in_d_step: true, ..spot };
        if self.numbers.chance(60) {
            let first = if self.numbers.chance(50) { self.send(inside) } else { None };
            body.push(first.unwrap_or_else(|| self.guard(inside)));
        }
        body.extend(self.sequence(inside, 1, 3));
        Statement::Block("d_step ", body)
    }

    fn counters(&self) -> Vec<String> {
        self.globals.counters.iter().chain(&self.locals.counters).cloned().collect()
    }

    fn for_loop(&mut self, spot: Spot) -> Option<Statement> {
        let counters = self.counters();
        let name = self.numbers.pick(&counters)?.clone();
        let arrays = self.globals.arrays.iter().chain(&self.locals.arrays);
        let arrays: Vec<String> = arrays.map(|(name, _)| name.clone()).collect();
        let head = match self.numbers.pick(&arrays) {
            Some(array) if self.numbers.chance(30) => format!("{name} in {array}"),
            _ => format!("{name} : 0 .. {}", self.numbers.below(3)),
        };
        let body = self.sequence(Spot { in_loop: true, ..spot }, 1, 2);
        Some(Statement::For(vec![head.into()], body))
    }

    fn call(&mut self) -> Option<Statement> {
        let (name, count) = self.numbers.pick(&self.inlines)?.clone();
        let places = self.places(|kind| !kind.is_symbol());
        let mut parts = vec![format!("{name}(").into()];
        for i in 0..count {
            let place = self.numbers.pick(&places)?.clone();
            parts.extend((i > 0).then(|| ", ".into()));
            parts.extend(self.spell(&place.pieces).0);
        }
        parts.push(")".into());
        Some(Statement::Simple(parts))
    }

    /// Starts a process of a later proctype, in loops only if there are few.
    fn run(&mut self, spot: Spot) -> Option<Statement> {
        let later: Vec<usize> = (self.current + 1..self.processes.len()).collect();
        let run = self.numbers.pick(&later).copied().map(|i| self.run_of(i))?;
        if !spot.in_loop && !self.often(Wild) {
            return Some(run);
        }
        let guard = Statement::text("(_nr_pr < 5)");
        let otherwise = vec![Statement::text("else")];
        Some(Statement::Choice("if", vec![vec![guard, run], otherwise]))
    }

    pub(super) fn run_of(&mut self, i: usize) -> Statement {
        let process = self.processes[i].clone();
        let mut parts = vec![format!("run {}(", process.name).into()];
        for (parameter, i) in process.parameters.iter().zip(0..) {
            parts.extend((i > 0).then(|| ", ".into()));
            match parameter.shape {
                // There is a global channel of every shape.
                Some(shape) => parts.extend(self.channel_of(shape).into_iter().flat_map(|it| it.0)),
                None => parts.push(self.argument(parameter.kind).into()),
            }
        }
        parts.push(")".into());
        Statement::Simple(parts)
    }

    /// Gives every jump of a finished body a label to go to.
    pub(super) fn land(&mut self, body: &mut [Statement]) {
        for statement in body {
            match statement {
                Statement::Simple(_) if *statement == Statement::text(SOMEWHERE) => {
                    let label = self.numbers.pick(&self.labels).cloned();
                    let text = label.map_or("skip".into(), |label| format!("goto {label}"));
                    *statement = Statement::text(text);
                }
                Statement::Simple(_) => {}
                Statement::Labelled(_, inner) => self.land(std::slice::from_mut(inner)),
                Statement::Block(_, body) | Statement::For(_, body) => self.land(body),
                Statement::Choice(_, options) => options.iter_mut().for_each(|o| self.land(o)),
                Statement::Unless(main, escape) => {
                    self.land(main);
                    self.land(escape);
                }
            }
        }
    }
}

fn is_d_step(statement: &Statement) -> bool {
    matches!(statement, Statement::Block(keyword, _) if keyword.starts_with("d_step"))
}

fn is_declaration(parts: &[crate::texts::parts::Part]) -> bool {
    const TYPES: [&str; 9] =
        ["bit ", "bool ", "byte ", "pid ", "short ", "int ", "unsigned ", "mtype ", "mtype:"];
    matches!(parts, [crate::texts::parts::Part::Text(text)]
        if TYPES.iter().any(|name| text.starts_with(name)))
}
