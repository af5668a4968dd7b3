//! Small random networks from a seed, for every crate that explores networks.
//!
//! The same seed and options always give the same network. With [`Options::default`] truth in dense
//! time needs only closed constraints, so [`crate::discrete::shortest`] is exact; each option adds
//! something that is harder. The options from `buffers` on keep it exact unless `negated` (or
//! something else that is harder) is set too.

mod edges;
mod goal;
mod messages;
mod observer;
mod processes;

use network::{
    Arena, Channel, ChannelId, ChannelKind, Clock, ClockConstraint, ClockRef, Condition, Dimension,
    Expr, Location, LocationId, LocationKind, Network, Priority, Process, Property, Rate, Relation,
    Span, Storage, Type, Variable, VariableId,
};

use crate::Numbers;

/// What the networks may contain beyond the plain parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Constraints with `<` and `>`.
    pub strict: bool,
    /// Clock guards on urgent channels and on receivers of broadcasts: there it matters that a guard
    /// does *not* hold.
    pub negated: bool,
    /// Constraints on differences of clocks, in guards and goals.
    pub diagonals: bool,
    /// Clocks that stand still in some locations.
    pub stopwatches: bool,
    /// Priorities of channels and processes.
    pub priorities: bool,
    /// Assignments that may leave the range of a variable.
    pub out_of_range: bool,
    /// Goals that contain `deadlock`.
    pub deadlock: bool,
    /// Channels with messages, with and without a buffer; probes and polls.
    pub buffers: bool,
    /// Edges that keep control.
    pub control: bool,
    /// Edges that count only if others cannot fire, and such that go first.
    pub preferences: bool,
    /// Guards with `timeout`.
    pub timeouts: bool,
    /// Processes that others start and end.
    pub processes: bool,
    /// A process that watches the others.
    pub observers: bool,
    /// No clocks: less instead of more.
    pub clockless: bool,
    /// Most processes touch few variables but their own, and no state demands anything of data.
    pub private: bool,
    /// An array whose indices are constants, everywhere.
    pub constant_indices: bool,
}

impl Options {
    /// Everything about time; no messages, control, preferences, timeouts and started processes.
    pub const ALL: Options = Options {
        strict: true,
        negated: true,
        diagonals: true,
        stopwatches: true,
        priorities: true,
        out_of_range: true,
        deadlock: true,
        ..Options::NONE
    };
    /// Messages, control, preferences, timeouts and started processes, without clocks.
    pub const UNTIMED: Options = Options {
        buffers: true,
        control: true,
        preferences: true,
        timeouts: true,
        processes: true,
        observers: true,
        clockless: true,
        ..Options::NONE
    };
    /// Everything.
    pub const EVERYTHING: Options = Options {
        buffers: true,
        control: true,
        preferences: true,
        timeouts: true,
        processes: true,
        observers: true,
        ..Options::ALL
    };
    /// Nothing beside the plainest constructs.
    pub const NONE: Options = Options {
        strict: false,
        negated: false,
        diagonals: false,
        stopwatches: false,
        priorities: false,
        out_of_range: false,
        deadlock: false,
        buffers: false,
        control: false,
        preferences: false,
        timeouts: false,
        processes: false,
        observers: false,
        clockless: false,
        private: false,
        constant_indices: false,
    };
}

/// A network of 2 to 4 processes with one property.
pub fn network(seed: u64, options: &Options) -> Network {
    network_with_properties(seed, options, 1)
}

/// The same with several properties, the first of which is the same.
pub fn network_with_properties(seed: u64, options: &Options, properties: usize) -> Network {
    let mut builder = Builder {
        numbers: Numbers::new(seed),
        options: *options,
        network: Network { failures: processes::failures(), ..Network::default() },
        integers: Vec::new(),
        array: None,
        next: None,
        bump: None,
        elements: Vec::new(),
        carriers: Vec::new(),
    };
    builder.variables();
    builder.clocks();
    builder.channels();
    builder.message_channels();
    builder.functions();
    let processes = builder.numbers.between(2, 4);
    for number in 0..processes {
        let process = builder.process(number, processes);
        builder.network.processes.push(process);
    }
    builder.change_processes();
    let observer = builder.observer();
    for _ in 0..properties {
        let property = Property { observer, ..builder.property() };
        builder.network.properties.push(property);
    }
    builder.network
}

struct Builder {
    numbers: Numbers,
    options: Options,
    network: Network,
    /// The variables that are no arrays.
    integers: Vec<VariableId>,
    array: Option<VariableId>,
    /// A function that returns another value of its argument's range.
    next: Option<network::FunctionId>,
    /// A function that changes a variable.
    bump: Option<network::FunctionId>,
    /// Each element of each clock.
    elements: Vec<ClockRef>,
    /// The channels with messages.
    carriers: Vec<ChannelId>,
}

/// The greatest constant that clocks are compared with.
const LARGEST: i32 = 4;

impl Builder {
    fn variables(&mut self) {
        let least = if self.options.constant_indices { 3 } else { 0 };
        let count = self.numbers.between(least, 3);
        for number in 0..count {
            let array = number == 2;
            let low = if self.numbers.chance(20) { -1 } else { 0 };
            let ty = Type::range(low, self.numbers.between(1, 3));
            let size = self.numbers.between(2, 3) as u32;
            let dimensions =
                if array { vec![Dimension { size, first: 0, scalar: None }] } else { Vec::new() };
            let length = if array { size as usize } else { 1 };
            let id = self.network.variables.push(Variable {
                name: if array { "a".to_string() } else { format!("v{number}") },
                ty,
                dimensions,
                storage: Storage::State,
                initial: vec![0; length],
                span: Span::NONE,
            });
            match array {
                true => self.array = Some(id),
                false => self.integers.push(id),
            }
        }
    }

    fn clocks(&mut self) {
        if self.options.clockless {
            return;
        }
        let count = self.numbers.between(0, 3);
        let array = count >= 2 && self.numbers.chance(20);
        let sizes = if array { vec![2; count as usize - 1] } else { vec![1; count as usize] };
        for (number, size) in sizes.into_iter().enumerate() {
            // Only the first may be an array, so that there are never more than three clocks.
            let size = if number == 0 { size } else { 1 };
            let dimension = Dimension { size, first: 0, scalar: None };
            let initial = if self.numbers.chance(10) { 1 } else { 0 };
            let clock = self.network.clocks.push(Clock {
                name: format!("x{number}"),
                dimensions: if size > 1 { vec![dimension] } else { Vec::new() },
                initial: vec![initial; size as usize],
                span: Span::NONE,
            });
            let single = ClockRef { clock, indices: Vec::new() };
            let elements =
                (0..size as i32).map(|i| ClockRef { clock, indices: vec![Expr::Const(i)] });
            if size > 1 { self.elements.extend(elements) } else { self.elements.push(single) }
        }
    }

    fn channels(&mut self) {
        let count = if self.numbers.chance(20) { 3 } else { self.numbers.between(1, 2) };
        for number in 0..count {
            let size = if self.numbers.chance(25) { 2 } else { 1 };
            let broadcast = self.numbers.chance(40);
            let mut priorities = vec![0; size];
            if self.options.priorities && self.numbers.chance(60) {
                priorities.iter_mut().for_each(|p| *p = self.numbers.between(-1, 2));
            }
            self.network.channels.push(Channel {
                name: format!("c{number}"),
                dimensions: vec![Dimension { size: size as u32, first: 0, scalar: None }; size - 1],
                kind: if broadcast { ChannelKind::Broadcast } else { ChannelKind::Handshake },
                urgent: self.numbers.chance(25),
                priorities,
                span: Span::NONE,
            });
        }
    }

    /// A process that has a variable of its own, and mostly nothing to do with others but messages to and from
    /// its neighbours.
    fn private_process(&mut self, number: i32, processes: i32) -> Process {
        let own = self.network.variables.push(Variable {
            name: format!("w{number}"),
            ty: Type::range(0, self.numbers.between(1, 3)),
            dimensions: Vec::new(),
            storage: Storage::State,
            initial: vec![0],
            span: Span::NONE,
        });
        let common = (self.integers.clone(), self.carriers.clone(), self.array, self.bump);
        self.integers.push(own);
        if self.numbers.chance(80) {
            self.integers = vec![own];
            (self.array, self.bump) = (None, None);
            let neighbours = [number as usize, number as usize + 1];
            let of = |at: usize| common.1.get(at % common.1.len().max(1)).copied();
            self.carriers = neighbours.into_iter().filter_map(of).collect();
        }
        let process = self.process_with(number, processes);
        (self.integers, self.carriers, self.array, self.bump) = common;
        process
    }

    fn process(&mut self, number: i32, processes: i32) -> Process {
        match self.options.private {
            true => self.private_process(number, processes),
            false => self.process_with(number, processes),
        }
    }

    fn process_with(&mut self, number: i32, processes: i32) -> Process {
        let count = if self.numbers.chance(20) { 2 } else { self.numbers.between(3, 4) };
        let locations = (0..count).map(|l| self.location(l, number, processes)).collect();
        let edges = self.edges(count);
        let priority = match self.options.priorities && self.numbers.chance(40) {
            true => self.priority(),
            false => Priority::Fixed(0),
        };
        Process {
            name: format!("P{number}"),
            template: format!("P{number}"),
            arguments: Vec::new(),
            locations,
            edges,
            initial: LocationId(0),
            priority,
            observes: false,
            span: Span::NONE,
        }
    }

    fn priority(&mut self) -> Priority {
        match self.integers.first() {
            Some(&variable) if self.numbers.chance(40) => Priority::Variable(variable),
            _ => Priority::Fixed(self.numbers.between(-1, 1)),
        }
    }

    fn location(&mut self, number: i32, process: i32, processes: i32) -> Location {
        let kind = match self.numbers.between(0, 99) {
            0..=6 if number > 0 => LocationKind::Committed,
            7..=13 => LocationKind::Urgent,
            _ => LocationKind::Normal,
        };
        Location {
            name: format!("l{number}"),
            kind,
            invariant: self.invariant(number == 0),
            rates: self.rates(process, processes),
            locals: Arena::new(),
            span: Span::NONE,
        }
    }

    fn invariant(&mut self, initial: bool) -> Condition {
        let mut condition = Condition::always();
        // Whether a step is possible depends on invariants, and these options ask whether none is.
        let asked = self.options.control || self.options.timeouts;
        if (!asked || self.options.negated)
            && self.numbers.chance(30)
            && let Some(left) = self.clock()
        {
            let strict = self.options.strict && self.numbers.chance(30);
            let relation = if strict { Relation::Lt } else { Relation::Le };
            // Clocks start at 0 or 1, and most models have an initial state.
            let least = if initial { 2 } else { 1 };
            let bound = Expr::Const(self.numbers.between(least, LARGEST));
            let when = self.when();
            condition.clocks.push(ClockConstraint { when, left, right: None, relation, bound });
        }
        if !initial && !self.options.private && self.numbers.chance(8) {
            condition.data = self.data_condition(&[]);
        }
        condition
    }

    /// What a clock constraint depends on, sometimes.
    fn when(&mut self) -> Option<Expr> {
        let dependent = self.numbers.chance(15);
        dependent.then(|| self.comparison(&[])).flatten()
    }

    /// Each clock is stopped by one process only: two rates for a clock would be an error.
    fn rates(&mut self, process: i32, processes: i32) -> Vec<Rate> {
        let mut rates = Vec::new();
        for (number, clock) in self.elements.clone().into_iter().enumerate() {
            let mine = number as i32 % processes == process;
            if self.options.stopwatches && mine && self.numbers.chance(35) {
                let rate = match self.numbers.chance(25) {
                    true => self.comparison(&[]).unwrap_or(Expr::Const(0)),
                    false => Expr::Const(0),
                };
                rates.push(Rate { when: self.when(), clock, rate });
            }
        }
        rates
    }

    /// Some clock element.
    fn clock(&mut self) -> Option<ClockRef> {
        let elements = std::mem::take(&mut self.elements);
        let clock = self.numbers.pick(&elements).cloned();
        self.elements = elements;
        clock
    }

    fn ty(&self, variable: VariableId) -> Type {
        self.network.variables[variable].ty
    }
}
