//! Who touches what: the processes to which everything that touches a variable can be put down.
//!
//! A process that is parked (at a location that no edge leaves) can be prepared and started by
//! others, in statements that run only while it is parked: `if (P at idle) { P.x = 3; enter P at
//! start; }`. Such a block is as good as an edge of the parked process, because that process cannot
//! do anything else in the same step; so what it touches may belong to the parked process.

use analysis::{Risk, Touch, Touches};
use network::{
    Arena, Base, BinaryOp, Expr, Id, Local, LocalId, Location, LocationId, Network, Place,
    Priority, Process, ProcessId, Property, Rate, Statement, StatementKind, VariableId,
    cancellation,
};

/// What a look at the whole network tells; properties are not part of it.
pub struct Survey<'a> {
    /// The network.
    pub network: &'a Network,
    /// What its parts touch.
    pub touches: Touches<'a>,
    /// What may fail in it.
    pub risk: Risk<'a>,
    variables: Vec<Users>,
    processes: Vec<Facts<'a>>,
}

/// Statements that others run while a process is parked.
pub struct Block<'a> {
    /// Where it is parked.
    pub at: LocationId,
    /// The statements.
    pub statements: &'a [Statement],
}

/// Who uses a variable.
#[derive(Default)]
struct Users {
    touch: Owners,
    write: Owners,
    /// Whether something depends on its value other than the values of variables.
    matters: bool,
    /// The variables that get values made from it.
    feeds: Vec<VariableId>,
}

/// The processes to which all uses seen so far can be put down.
#[derive(Default)]
enum Owners {
    /// There was no use yet.
    #[default]
    Anyone,
    These(Vec<ProcessId>),
}

/// What is known about a process.
struct Facts<'a> {
    /// The locations that some expression asks for.
    named: Vec<bool>,
    /// The locations where others put it.
    entered: Vec<bool>,
    /// The locations that no edge leaves.
    parking: Vec<bool>,
    /// Whether others put it somewhere while it is not parked.
    is_disturbed: bool,
    blocks: Vec<Block<'a>>,
}

impl<'a> Survey<'a> {
    /// Looks at everything once, but not at observers other than that of the property: they stand
    /// still.
    pub fn of(network: &'a Network, property: &Property) -> Survey<'a> {
        let (touches, risk) = (Touches::of(network), Risk::of(network));
        let variables = network.variables.iter().map(|_| Users::default()).collect();
        let processes = network.processes.iter().map(Facts::of).collect();
        let mut survey = Survey { network, touches, risk, variables, processes };
        for (id, process) in network.processes.enumerate() {
            if !process.observes || property.observer == Some(id) {
                survey.process(id, process);
            }
        }
        survey
    }

    /// The process to which everything that touches a variable can be put down.
    pub fn owner(&self, variable: VariableId) -> Option<ProcessId> {
        let Owners::These(owners) = &self.variables[variable.index()].touch else { return None };
        owners.iter().copied().find(|&process| !self.is_disturbed(process))
    }

    /// Whether everything that touches a variable can be put down to a process.
    pub fn is_private(&self, variable: VariableId, process: ProcessId) -> bool {
        !self.is_disturbed(process) && self.variables[variable.index()].touch.include(process)
    }

    /// Whether nobody but a process changes a variable.
    pub fn is_stable(&self, variable: VariableId, process: ProcessId) -> bool {
        !self.is_disturbed(process) && self.variables[variable.index()].write.include(process)
    }

    /// The variables on whose values something depends, if it depends on those given. The others are
    /// never read, or only to compute values of such variables, which cannot fail.
    pub fn useful(&self, visible: &[bool]) -> Vec<bool> {
        let mut fed_by: Vec<Vec<usize>> = vec![Vec::new(); self.variables.len()];
        for (source, users) in self.variables.iter().enumerate() {
            users.feeds.iter().for_each(|target| fed_by[target.index()].push(source));
        }
        let matters = |i: &usize| visible[*i] || self.variables[*i].matters;
        let mut useful = vec![false; self.variables.len()];
        let mut open: Vec<usize> = (0..self.variables.len()).filter(matters).collect();
        while let Some(variable) = open.pop() {
            if !std::mem::replace(&mut useful[variable], true) {
                open.extend(&fed_by[variable]);
            }
        }
        useful
    }

    /// Whether some process depends on whether a process is at a location.
    pub fn is_named(&self, process: ProcessId, location: LocationId) -> bool {
        self.processes[process.index()].named[location.index()]
    }

    /// Whether some process puts a process at a location.
    pub fn is_entered(&self, process: ProcessId, location: LocationId) -> bool {
        self.processes[process.index()].entered[location.index()]
    }

    /// Whether others put a process somewhere while it is not parked.
    pub fn is_disturbed(&self, process: ProcessId) -> bool {
        self.processes[process.index()].is_disturbed
    }

    /// What others do while a process is parked.
    pub fn blocks(&self, process: ProcessId) -> &[Block<'a>] {
        &self.processes[process.index()].blocks
    }

    fn process(&mut self, id: ProcessId, process: &'a Process) {
        if let Priority::Variable(variable) = process.priority {
            // It decides what others may do, wherever the process is.
            let users = &mut self.variables[variable.index()];
            users.touch = Owners::These(Vec::new());
            users.matters = true;
        }
        for location in &process.locations {
            let touched = |touches: &Touches, visit: &mut dyn FnMut(Touch)| {
                location_touches(touches, location, visit);
            };
            self.note(id, &[], None, touched);
        }
        for edge in &process.edges {
            cancellation::check();
            self.note(id, &[], None, |touches, visit| {
                touches.condition(&edge.guard, visit);
                touches.action(&edge.action, visit);
            });
            self.statements(id, &edge.locals, &mut Vec::new(), &edge.update);
        }
    }

    /// Notes what statements touch that a process runs while others are certainly parked.
    fn statements(
        &mut self,
        runner: ProcessId,
        locals: &Arena<LocalId, Local>,
        parked: &mut Vec<ProcessId>,
        statements: &'a [Statement],
    ) {
        for statement in statements {
            let fed = fed(&self.risk, locals, statement);
            self.note(runner, parked, fed, |touches, visit| {
                touches.statement(statement, visit);
            });
            match &statement.kind {
                StatementKind::If(condition, then, otherwise) => {
                    let known = parked.len();
                    self.park(runner, condition, parked, then);
                    self.statements(runner, locals, parked, then);
                    parked.truncate(known);
                    self.statements(runner, locals, parked, otherwise);
                }
                StatementKind::While(_, body) => self.statements(runner, locals, parked, body),
                _ => {}
            }
        }
    }

    /// Adds the processes that a condition says are parked, and what is done to them then.
    fn park(
        &mut self,
        runner: ProcessId,
        condition: &Expr,
        parked: &mut Vec<ProcessId>,
        statements: &'a [Statement],
    ) {
        match condition {
            Expr::Binary(BinaryOp::And, left, right) => {
                self.park(runner, left, parked, statements);
                self.park(runner, right, parked, statements);
            }
            Expr::At(process, at) if *process != runner && !parked.contains(process) => {
                let facts = &mut self.processes[process.index()];
                if facts.parking[at.index()] {
                    parked.push(*process);
                    facts.blocks.push(Block { at: *at, statements });
                }
            }
            _ => {}
        }
    }

    /// Notes what is touched; what is read feeds a variable, or matters.
    fn note(
        &mut self,
        runner: ProcessId,
        parked: &[ProcessId],
        fed: Option<VariableId>,
        touched: impl FnOnce(&Touches, &mut dyn FnMut(Touch)),
    ) {
        let Survey { touches, variables, processes, .. } = self;
        touched(touches, &mut |touch| match touch {
            Touch::Read(id, _) => {
                let users = &mut variables[id.index()];
                users.touch.restrict(runner, parked);
                match fed {
                    Some(fed) if users.feeds.last() == Some(&fed) => {}
                    Some(fed) => users.feeds.push(fed),
                    None => users.matters = true,
                }
            }
            Touch::Write(id, _) => {
                let users = &mut variables[id.index()];
                users.touch.restrict(runner, parked);
                users.write.restrict(runner, parked);
            }
            Touch::Name(process, location) => {
                processes[process.index()].named[location.index()] = true;
            }
            // A process that moves ends at the target of its edge, whatever it says of itself.
            Touch::Enter(process, _) if process == runner => {}
            Touch::Enter(process, location) => {
                let facts = &mut processes[process.index()];
                facts.entered[location.index()] = true;
                facts.is_disturbed |= !parked.contains(&process);
            }
            // Clocks and buffers are nobody's own.
            Touch::Compare(..) | Touch::Set(..) | Touch::Look(_) | Touch::Change(_) => {}
        });
    }
}

/// What the invariant and the rates of a location touch.
pub fn location_touches(touches: &Touches, location: &Location, visit: &mut dyn FnMut(Touch)) {
    touches.condition(&location.invariant, visit);
    for Rate { when, clock, rate } in &location.rates {
        touches.exprs(when.iter().chain(&clock.indices).chain([rate]), visit);
    }
}

/// The only thing that depends on what a statement reads, if that is the value of a variable.
fn fed(risk: &Risk, locals: &Arena<LocalId, Local>, statement: &Statement) -> Option<VariableId> {
    match &statement.kind {
        StatementKind::Assign(Place { base: Base::Variable(id), .. }, _) => {
            risk.are_safe(locals, std::slice::from_ref(statement)).then_some(*id)
        }
        _ => None,
    }
}

impl Owners {
    fn include(&self, process: ProcessId) -> bool {
        match self {
            Owners::Anyone => true,
            Owners::These(owners) => owners.contains(&process),
        }
    }

    /// Another use: by a process, while others are parked.
    fn restrict(&mut self, runner: ProcessId, parked: &[ProcessId]) {
        let able = |process: &ProcessId| *process == runner || parked.contains(process);
        match self {
            Owners::Anyone => {
                let owners = std::iter::once(runner).chain(parked.iter().copied());
                *self = Owners::These(owners.collect());
            }
            Owners::These(owners) => owners.retain(able),
        }
    }
}

impl Facts<'_> {
    fn of(process: &Process) -> Self {
        let mut parking = vec![true; process.locations.len()];
        process.edges.iter().for_each(|edge| parking[edge.source.index()] = false);
        Facts {
            named: vec![false; process.locations.len()],
            entered: vec![false; process.locations.len()],
            parking,
            is_disturbed: false,
            blocks: Vec::new(),
        }
    }
}
