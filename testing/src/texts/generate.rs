//! Random Promela programs: small, well-formed, and broad in what they use of the language.
//!
//! The same seed and weights always give the same program. Values are kept small, mostly by taking
//! remainders, so that most state spaces are small too; divisors are never 0 and indices are in
//! bounds, except in the few places that the weight `wild` allows. What Spin leaves undefined, such
//! as reading a `hidden` variable that another state left behind, does not occur.

mod claims;
mod declarations;
mod expressions;
mod messages;
mod scope;
mod statements;

use super::parts::Part;
use super::program::{Program, Statement, Unit};
use super::weights::{Construct, Weights};
use crate::Numbers;
use scope::{Channel, Kind, Place, Proctype, Scope, Shape, StructType};

/// The program of a seed.
pub fn generate(seed: u64, weights: &Weights) -> Program {
    let mut generator = Generator::new(seed, weights);
    generator.declare();
    generator.heads();
    generator.inlines();
    generator.bodies();
    generator.claim();
    generator.program
}

struct Generator<'a> {
    numbers: Numbers,
    weights: &'a Weights,
    program: Program,
    /// Global names, and those of the process in the making.
    globals: Scope,
    locals: Scope,
    /// Global variables that are written only.
    hidden: Vec<Place>,
    shapes: Vec<Shape>,
    structs: Vec<StructType>,
    mtypes: Vec<String>,
    /// The names of the subtype of `mtype`, if there is one.
    subtypes: Vec<String>,
    /// Names of inlines with the number of their parameters.
    inlines: Vec<(String, usize)>,
    processes: Vec<Proctype>,
    /// The process in the making.
    current: usize,
    /// Labels of that process that may be jumped to.
    labels: Vec<String>,
    /// How many names were given.
    names: usize,
    /// How large this program may become, up to the weight `size`.
    size: u32,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    depth: u32,
    in_loop: bool,
    in_atomic: bool,
    in_d_step: bool,
    in_inline: bool,
}

impl Spot {
    fn deeper(self) -> Spot {
        Spot { depth: self.depth + 1, ..self }
    }
}

impl<'a> Generator<'a> {
    fn new(seed: u64, weights: &'a Weights) -> Self {
        let mut numbers = Numbers::new(seed);
        let size = numbers.below(weights.of(Construct::Size) as usize + 1) as u32;
        Generator {
            numbers,
            weights,
            size,
            program: Program::default(),
            globals: Scope::default(),
            locals: Scope::default(),
            hidden: Vec::new(),
            shapes: Vec::new(),
            structs: Vec::new(),
            mtypes: Vec::new(),
            subtypes: Vec::new(),
            inlines: Vec::new(),
            processes: Vec::new(),
            current: 0,
            labels: Vec::new(),
            names: 0,
        }
    }

    /// The same for a construct that may be left out altogether: then nothing is drawn.
    fn sometimes(&mut self, construct: Construct) -> bool {
        self.weights.of(construct) > 0 && self.often(construct)
    }

    /// True as often as the weight says.
    fn often(&mut self, construct: Construct) -> bool {
        self.numbers.chance(self.weights.of(construct))
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn line(&mut self, text: String) {
        self.program.units.push(Unit::Line(text));
    }

    /// All places of a kind of value, or of any number.
    fn places(&self, wanted: impl Fn(Kind) -> bool) -> Vec<Place> {
        let all = self.globals.places.iter().chain(&self.locals.places);
        all.filter(|place| wanted(place.kind)).cloned().collect()
    }

    fn channels(&self, wanted: impl Fn(&Channel) -> bool) -> Vec<Channel> {
        let all = self.globals.channels.iter().chain(&self.locals.channels);
        all.filter(|channel| wanted(channel)).cloned().collect()
    }

    /// The processes that run: which are active, with what parameters, where `init` stands.
    fn heads(&mut self) {
        let most = 1 + self.weights.of(Construct::Processes) as i32 / 25;
        let count = self.numbers.between(1, most.max(1));
        for i in 0..count {
            let name = format!("P{i}");
            let active =
                if self.numbers.chance(65) { self.numbers.between(1, 2) as u32 } else { 0 };
            let parameters = if active == 0 { self.parameters() } else { Vec::new() };
            self.processes.push(Proctype { name, active, parameters, ..Proctype::default() });
        }
        let mut pid = 0;
        for process in &mut self.processes {
            process.pids = (pid..pid + process.active).collect();
            pid += process.active;
        }
    }

    fn inlines(&mut self) {
        if self.weights.of(Construct::Call) == 0 {
            return;
        }
        for _ in 0..self.numbers.between(0, 2) {
            let (name, count) = (self.name("f"), self.numbers.between(0, 2) as usize);
            let parameters: Vec<String> = (0..count).map(|i| format!("a{i}")).collect();
            for parameter in &parameters {
                self.locals.places.push(Place::plain(parameter, Kind::Byte));
            }
            let spot = Spot { in_inline: true, depth: 1, ..Spot::default() };
            let body = self.sequence(spot, 1, 3);
            self.locals = Scope::default();
            let head = vec![Part::text(format!("inline {name}({})", parameters.join(", ")))];
            self.program.units.push(Unit::Body { head, body });
            self.inlines.push((name, count));
        }
    }

    fn bodies(&mut self) {
        for i in 0..self.processes.len() {
            self.current = i;
            self.body(i);
        }
        let idle = |process: &Proctype| process.active == 0;
        if self.processes.iter().any(idle) || self.often(Construct::Init) {
            self.init();
        }
    }

    fn body(&mut self, i: usize) {
        let process = self.processes[i].clone();
        self.enter(&process);
        let mut body = self.local_declarations();
        body.extend(self.sequence(Spot::default(), 1, 1 + self.size as i32 / 15));
        self.land(&mut body);
        let mut head = vec![Part::text(head(&process))];
        if self.sometimes(Construct::Priority) {
            head.push(format!(" priority {}", self.numbers.between(1, 3)).into());
        }
        if self.often(Construct::Provided) {
            self.locals = Scope::default();
            let condition = self.condition(1);
            head.extend([Part::text(" provided ("), condition.into(), Part::text(")")]);
        }
        self.program.units.push(Unit::Body { head, body });
        self.processes[i].labels = std::mem::take(&mut self.labels);
        self.locals = Scope::default();
    }

    /// Brings the parameters of a process into scope.
    fn enter(&mut self, process: &Proctype) {
        for parameter in &process.parameters {
            match parameter.shape {
                None => self.locals.places.push(Place::plain(&parameter.name, parameter.kind)),
                Some(shape) => {
                    let name = parameter.name.clone();
                    self.locals.channels.push(Channel::plain(&name, shape, None));
                }
            }
        }
    }

    /// Starts what is not active, in one step or in several.
    fn init(&mut self) {
        self.current = self.processes.len();
        let mut runs = Vec::new();
        for i in 0..self.processes.len() {
            let times = if self.processes[i].active == 0 { self.numbers.between(1, 2) } else { 0 };
            runs.extend((0..times).map(|_| self.run_of(i)));
        }
        let mut body = match self.numbers.chance(50) {
            true if !runs.is_empty() => vec![Statement::Block("atomic ", runs)],
            _ => runs,
        };
        if body.is_empty() || self.numbers.chance(40) {
            body.extend(self.sequence(Spot { depth: 1, ..Spot::default() }, 1, 2));
        }
        self.land(&mut body);
        self.labels.clear();
        self.program.units.push(Unit::Body { head: vec![Part::text("init")], body });
    }
}

fn head(process: &Proctype) -> String {
    let parameters: Vec<String> = process.parameters.iter().map(|p| p.declaration()).collect();
    let active = match process.active {
        0 => String::new(),
        1 => "active ".into(),
        n => format!("active [{n}] "),
    };
    format!("{active}proctype {}({})", process.name, parameters.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_program() {
        let weights = Weights::default();
        for seed in 0..50 {
            let program = generate(seed, &weights);
            assert_eq!(program, generate(seed, &weights));
            assert_ne!(program.to_string(), generate(seed + 1, &weights).to_string());
        }
    }
}
