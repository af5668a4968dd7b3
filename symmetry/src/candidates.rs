//! Permutations that may change nothing, and whether they do.
//!
//! An exchange of values, or of processes, says what becomes of the rest: a process goes where its constants are the
//! exchanged ones, its variables where the same is said about them.

use crate::code;
use crate::image::{Token, Tokens, Writing, WrittenEdge};
use crate::order::{self, Clash};
use crate::permutation::Permutation;
use crate::position::moved;
use crate::sorts::{Sort, Sorts};
use analysis::{DeadVariables, Risk};
use network::{
    Channel, ChannelId, ChannelKind, ClockId, EdgeId, FunctionId, Id, Network, ProcessId, Property,
    Span, Storage, VariableId, cancellation,
};
use std::collections::{HashMap, HashSet};

/// Why a permutation changes something, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is there.
    pub what: &'static str,
    /// Where it stands; nowhere if it is spread over the model.
    pub span: Span,
}

/// A part of a network that is looked at: what can still happen once everything has been started.
pub struct Scene<'a> {
    pub network: &'a Network,
    pub property: &'a Property,
    pub sorts: &'a Sorts<'a>,
    pub dead: &'a DeadVariables,
    /// By process, the edges that count; none for a process that takes no part.
    pub edges: Vec<Vec<EdgeId>>,
    /// The functions that are called.
    pub functions: Vec<FunctionId>,
    /// Whether channels are values somewhere.
    pub has_channel_values: bool,
    /// What edges cost.
    pub cost: &'a dyn Fn(ProcessId, EdgeId) -> u32,
}

/// Makes and tries permutations.
pub struct Candidates<'a> {
    scene: &'a Scene<'a>,
    risk: Risk<'a>,
    clashes: Vec<Clash>,
    same: Permutation,
    /// By process, as it is: without edges, and its edges.
    frames: Vec<Tokens>,
    edges: Vec<Vec<WrittenEdge>>,
    /// By process, in the order of the network.
    literal: Vec<Tokens>,
    /// By process, without the names of what belongs to it.
    shapes: Vec<Vec<Tokens>>,
    functions: HashMap<FunctionId, Tokens>,
    goal: Tokens,
}

impl<'a> Candidates<'a> {
    /// Looks at the network as it is.
    pub fn new(scene: &'a Scene<'a>) -> Self {
        let network = scene.network;
        let candidates = Candidates {
            scene,
            risk: Risk::of(network),
            clashes: order::clashes(network),
            same: Permutation::identity(network),
            frames: Vec::new(),
            edges: Vec::new(),
            literal: Vec::new(),
            shapes: Vec::new(),
            functions: HashMap::new(),
            goal: Vec::new(),
        };
        let writing = candidates.writing(&candidates.same);
        let frames = network.processes.ids().map(|it| writing.frame(it)).collect();
        let edges = network.processes.ids().map(|it| candidates.written(&writing, it)).collect();
        let goal = writing.goal(scene.property);
        let functions = scene.functions.iter().map(|&it| (it, writing.function(it))).collect();
        let literally = Writing { literal: true, ..writing };
        let literal =
            network.processes.ids().map(|it| candidates.in_order(&literally, it)).collect();
        let shapes = network.processes.ids().map(|it| candidates.shape(&writing, it)).collect();
        Candidates { frames, edges, literal, shapes, functions, goal, ..candidates }
    }

    fn writing<'w>(&'w self, permutation: &'w Permutation) -> Writing<'w> {
        let Scene { network, sorts, dead, cost, .. } = self.scene;
        Writing { network, sorts, risk: &self.risk, dead, cost, permutation, literal: false }
    }

    /// The edges of a process that count, in an order of their own.
    fn written(&self, writing: &Writing, process: ProcessId) -> Vec<WrittenEdge> {
        let edges = self.scene.edges[process.index()].iter();
        let mut written: Vec<WrittenEdge> = edges.map(|&it| writing.edge(process, it)).collect();
        written.sort_unstable_by(|one, other| one.0.cmp(&other.0));
        written
    }

    fn in_order(&self, writing: &Writing, process: ProcessId) -> Tokens {
        let mut tokens = writing.frame(process);
        for &edge in &self.scene.edges[process.index()] {
            tokens.extend(writing.edge(process, edge).0);
        }
        tokens
    }

    /// A process without the names of what may belong to it.
    fn shape(&self, writing: &Writing, process: ProcessId) -> Vec<Tokens> {
        let edges = self.scene.edges[process.index()].iter();
        let mut texts: Vec<Tokens> = edges.map(|&it| writing.edge(process, it).0).collect();
        texts.push(writing.frame(process));
        for token in texts.iter_mut().flatten() {
            *token = match *token {
                Token::Variable(_) => Token::Mark("variable"),
                Token::Clock(_) => Token::Mark("clock"),
                Token::Channel(_) => Token::Mark("channel"),
                Token::Function(_) => Token::Mark("function"),
                Token::Process(_) => Token::Mark("process"),
                other => other,
            };
        }
        texts.sort_unstable();
        texts
    }

    /// The constants of a sort that a process is written with.
    pub fn constants(&self, process: ProcessId, sort: Sort) -> Vec<i32> {
        let own = |token: &Token| match token {
            Token::Id(it, value) if *it == sort => Some(*value),
            _ => None,
        };
        let mut found: Vec<i32> = self.literal[process.index()].iter().filter_map(own).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The sorts of the constants that a process is written with.
    pub fn sorts_in(&self, process: ProcessId) -> HashSet<Sort> {
        let own = |token: &Token| match token {
            Token::Id(sort, _) => Some(*sort),
            _ => None,
        };
        self.literal[process.index()].iter().filter_map(own).collect()
    }

    /// Pairs of sorts that are likely to be the same: where processes made from one template are written with
    /// different constants, the constants of both differ in the same way.
    pub fn sorts_of_same_constants(&self) -> HashSet<(Sort, Sort)> {
        let network = self.scene.network;
        let mut last: HashMap<&str, ProcessId> = HashMap::new();
        let mut alike = HashSet::new();
        for (id, process) in network.processes.enumerate() {
            let Some(before) = last.insert(&process.template, id) else { continue };
            let mut sorts: HashMap<(i32, i32), Sort> = HashMap::new();
            let (left, right) = (&self.literal[before.index()], &self.literal[id.index()]);
            for pair in left.iter().zip(right) {
                let (&Token::Id(one, a), &Token::Id(other, b)) = pair else { continue };
                let known = *sorts.entry((a, b)).or_insert(one);
                if a != b && one == other && known != one {
                    alike.insert((known, one));
                }
            }
        }
        alike
    }

    /// Whether two processes may be the same but for the names of what belongs to them.
    pub fn are_alike(&self, one: ProcessId, other: ProcessId) -> bool {
        let processes = &self.scene.network.processes;
        let (a, b) = (&processes[one], &processes[other]);
        a.template == b.template
            && a.observes == b.observes
            && self.shapes[one.index()] == self.shapes[other.index()]
    }

    /// Tries to change the values of a sort.
    pub fn with_values(
        &self,
        sort: Sort,
        values: HashMap<i32, i32>,
        is_rotation: bool,
    ) -> Result<Permutation, Change> {
        let mut permutation = self.same.clone();
        permutation.rotated = is_rotation.then_some((sort, values.len() as i32));
        permutation.values.insert(sort, values);
        self.move_processes(&mut permutation)?;
        self.complete(permutation)
    }

    /// Tries to exchange two processes.
    pub fn with_processes(&self, one: ProcessId, other: ProcessId) -> Result<Permutation, Change> {
        let mut permutation = self.same.clone();
        permutation.processes.swap(one.index(), other.index());
        self.complete(permutation)
    }

    /// Tries to exchange two channels.
    pub fn with_channels(&self, one: ChannelId, other: ChannelId) -> Result<Permutation, Change> {
        let mut permutation = self.same.clone();
        permutation.channels.swap(one.index(), other.index());
        self.complete(permutation)
    }

    /// Finds where processes go if values change: to those that are written with the new ones.
    fn move_processes(&self, permutation: &mut Permutation) -> Result<(), Change> {
        let network = self.scene.network;
        let writing = self.writing(permutation);
        let mut taken = HashSet::new();
        let mut images = Vec::new();
        for (id, process) in network.processes.enumerate() {
            let shape = self.shape(&writing, id);
            let fits = |other: &ProcessId| {
                network.processes[*other].template == process.template
                    && self.shapes[other.index()] == shape
                    && !taken.contains(other)
            };
            let image = std::iter::once(id).chain(network.processes.ids()).find(fits);
            let Some(image) = image else { return Err(self.first_difference(permutation, id)) };
            taken.insert(image);
            images.push(image);
        }
        permutation.processes = images;
        Ok(())
    }

    /// Where a process becomes something that there is no process of.
    fn first_difference(&self, permutation: &Permutation, process: ProcessId) -> Change {
        let writing = self.writing(permutation);
        let broken =
            self.written(&writing, process).into_iter().find(|it| it.0.contains(&Token::Broken));
        let own = &self.edges[process.index()];
        let changed = || {
            let edges = self.written(&writing, process).into_iter();
            edges.filter(|it| !own.iter().any(|own| own.0 == it.0)).map(|it| it.1).next()
        };
        match broken {
            Some((_, span)) => Change { what: "the order of the values matters here", span },
            None => {
                let span = changed().unwrap_or(self.scene.network.processes[process].span);
                Change { what: "this is said of one of the values, and not of the others", span }
            }
        }
    }

    /// Finds out what becomes of everything else, and whether anything has changed then.
    fn complete(&self, mut permutation: Permutation) -> Result<Permutation, Change> {
        cancellation::check();
        let mut pairs = Pairs::default();
        for (id, process) in self.scene.network.processes.enumerate() {
            let image = permutation.process(id);
            if image != id && !pairs.collect(self, id, image) {
                return Err(Change {
                    what: "the processes differ in more than names",
                    span: process.span,
                });
            }
        }
        pairs.into_permutation(&mut permutation)?;
        self.move_channel_numbers(&mut permutation)?;
        self.verify(&permutation)?;
        Ok(permutation)
    }

    /// Channels that are values change along with the channels.
    fn move_channel_numbers(&self, permutation: &mut Permutation) -> Result<(), Change> {
        let Scene { network, sorts, .. } = self.scene;
        let mut first = HashMap::new();
        let mut next = 1;
        for (id, channel) in network.channels.enumerate() {
            first.insert(id, next);
            next += channel.len() as i32;
        }
        let mut numbers = HashMap::new();
        for (id, channel) in network.channels.enumerate() {
            let to = permutation.channel(id);
            let sort = |at| Some(sorts.of(sorts.cells.channel_index(id, at)));
            let before = numbers.len();
            for element in 0..channel.len() {
                let image =
                    moved(&channel.dimensions, element, |at, i| permutation.value(sort(at), i));
                let (from, to) = (first[&id] + element as i32, first[&to] + image as i32);
                if from != to {
                    numbers.insert(from, to);
                }
            }
            if numbers.len() > before {
                fits_channel(channel, &network.channels[to])?;
            }
        }
        let sort = sorts.of(sorts.cells.channel_number);
        if numbers.is_empty() || !self.scene.has_channel_values {
            return Ok(());
        }
        if let Some(span) = sorts.number(sort) {
            return Err(Change { what: "a channel is used as a number here", span });
        }
        match permutation.values.insert(sort, numbers) {
            None => Ok(()),
            Some(_) => {
                Err(Change { what: "channels are numbers of something else", span: Span::NONE })
            }
        }
    }

    /// Whether a permutation changes nothing.
    fn verify(&self, permutation: &Permutation) -> Result<(), Change> {
        self.verify_declarations(permutation)?;
        let writing = self.writing(permutation);
        let is_moved = |id: ProcessId| permutation.process(id) != id;
        if let Some(clash) =
            self.clashes.iter().find(|it| it.processes.iter().any(|&id| is_moved(id)))
        {
            return Err(Change {
                what: "the order of those who receive this matters",
                span: clash.span,
            });
        }
        // What is moved is looked at first: that is where most differences are.
        let mut processes: Vec<ProcessId> = self.scene.network.processes.ids().collect();
        processes.sort_by_key(|&id| !is_moved(id));
        for id in processes {
            self.verify_process(&writing, id, permutation.process(id))?;
        }
        for &function in &self.scene.functions {
            let text = writing.function(function);
            let image = self.functions.get(&permutation.function(function));
            if image != Some(&text) || text.contains(&Token::Broken) {
                let span = self.scene.network.functions[function].span;
                return Err(Change { what: "this function does not treat all alike", span });
            }
        }
        let goal = writing.goal(self.scene.property);
        match goal == self.goal && !goal.contains(&Token::Broken) {
            true => Ok(()),
            false => Err(Change {
                what: "the property tells them apart",
                span: self.scene.property.span,
            }),
        }
    }

    fn verify_process(
        &self,
        writing: &Writing,
        one: ProcessId,
        image: ProcessId,
    ) -> Result<(), Change> {
        let process = &self.scene.network.processes[one];
        let frame = writing.frame(one);
        if frame != self.frames[image.index()] || frame.contains(&Token::Broken) {
            return Err(Change { what: "invariants or priorities differ", span: process.span });
        }
        let (edges, others) = (self.written(writing, one), &self.edges[image.index()]);
        if let Some(broken) = edges.iter().find(|it| it.0.contains(&Token::Broken)) {
            return Err(Change { what: "the order of the values matters here", span: broken.1 });
        }
        let differs = edges.iter().zip(others).find(|(one, other)| one.0 != other.0);
        match differs {
            Some((edge, _)) => {
                Err(Change { what: "this is said of some, and not of the others", span: edge.1 })
            }
            None if edges.len() != others.len() => {
                Err(Change { what: "the processes differ", span: process.span })
            }
            None => Ok(()),
        }
    }

    fn verify_declarations(&self, permutation: &Permutation) -> Result<(), Change> {
        let Scene { network, sorts, .. } = self.scene;
        let cells = &sorts.cells;
        for (id, variable) in network.variables.enumerate() {
            let image = &network.variables[permutation.variable(id)];
            let sizes =
                |it: &network::Variable| it.dimensions.iter().map(|it| it.size).collect::<Vec<_>>();
            let (a, b) = (&variable.ty, &image.ty);
            let values = Some(sorts.of(cells.variable(id)));
            let index = |at| Some(sorts.of(cells.variable_index(id, at)));
            let mut dimensions = variable.dimensions.iter().enumerate();
            let fits = (a.low, a.high, a.overflow) == (b.low, b.high, b.overflow)
                && variable.storage == image.storage
                && sizes(variable) == sizes(image)
                && permutation.keeps_type(values, a)
                && dimensions
                    .all(|(at, it)| permutation.keeps_range(index(at), 0, it.size as i32 - 1));
            let keeps = |element: usize| {
                let to =
                    moved(&variable.dimensions, element, |at, i| permutation.value(index(at), i));
                permutation.value(values, variable.initial[element]) == image.initial[to]
            };
            let is_constant = variable.storage == Storage::Constant;
            if !self.is_dead_alike(permutation, id) {
                return Err(Change {
                    what: "it is not read in the same places",
                    span: variable.span,
                });
            }
            if !fits || is_constant && !(0..variable.len()).all(keeps) {
                return Err(Change { what: "this is not the same for all", span: variable.span });
            }
        }
        for (id, clock) in network.clocks.enumerate() {
            let image = &network.clocks[permutation.clock(id)];
            let sizes =
                |it: &network::Clock| it.dimensions.iter().map(|it| it.size).collect::<Vec<_>>();
            let index = |at| Some(sorts.of(cells.clock_index(id, at)));
            let mut dimensions = clock.dimensions.iter().enumerate();
            let keeps = dimensions
                .all(|(at, it)| permutation.keeps_range(index(at), 0, it.size as i32 - 1));
            if sizes(clock) != sizes(image) || !keeps {
                return Err(Change { what: "this is not the same for all", span: clock.span });
            }
        }
        self.verify_channels(permutation)
    }

    /// Whether a variable is dead where the one that it becomes is.
    fn is_dead_alike(&self, permutation: &Permutation, id: VariableId) -> bool {
        let (dead, image) = (self.scene.dead, permutation.variable(id));
        let known = dead.of(id).map(|(process, rows)| (permutation.process(process), rows));
        known == dead.of(image) && dead.is_useless(id) == dead.is_useless(image)
    }

    fn verify_channels(&self, permutation: &Permutation) -> Result<(), Change> {
        let Scene { network, sorts, .. } = self.scene;
        let cells = &sorts.cells;
        for (id, channel) in network.channels.enumerate() {
            let index = |at| Some(sorts.of(cells.channel_index(id, at)));
            let field = |at| Some(sorts.of(cells.field(id, at)));
            let mut dimensions = channel.dimensions.iter().enumerate();
            let mut keeps = dimensions
                .all(|(at, it)| permutation.keeps_range(index(at), 0, it.size as i32 - 1));
            if let ChannelKind::Buffered { fields, .. } = &channel.kind {
                let mut fields = fields.iter().enumerate();
                keeps &= fields.all(|(at, ty)| permutation.keeps_type(field(at), ty));
            }
            if !keeps {
                return Err(Change { what: "this is not the same for all", span: channel.span });
            }
        }
        Ok(())
    }
}

/// Whether a channel may become another one.
fn fits_channel(one: &Channel, other: &Channel) -> Result<(), Change> {
    let sizes = |it: &Channel| it.dimensions.iter().map(|it| it.size).collect::<Vec<_>>();
    let types = |it: &Channel| match &it.kind {
        ChannelKind::Handshake => (0, 0, Vec::new()),
        ChannelKind::Broadcast => (1, 0, Vec::new()),
        ChannelKind::Buffered { capacity, fields } => {
            let ranges = fields.iter().map(|it| (it.low, it.high, it.overflow)).collect();
            (2, *capacity, ranges)
        }
    };
    let fits =
        sizes(one) == sizes(other) && types(one) == types(other) && one.urgent == other.urgent;
    let same = one.priorities.windows(2).all(|pair| pair[0] == pair[1])
        && one.priorities.first() == other.priorities.first();
    match fits && same {
        true => Ok(()),
        false => Err(Change { what: "the channels differ", span: one.span }),
    }
}

/// What stands in the same places of processes that are exchanged.
#[derive(Default)]
struct Pairs {
    variables: HashMap<VariableId, VariableId>,
    clocks: HashMap<ClockId, ClockId>,
    channels: HashMap<ChannelId, ChannelId>,
    functions: HashMap<FunctionId, FunctionId>,
    owners: HashMap<VariableId, ProcessId>,
}

impl Pairs {
    /// Takes note of what stands in the same places; false if something stands beside two things.
    fn collect(&mut self, candidates: &Candidates, one: ProcessId, other: ProcessId) -> bool {
        let (left, right) = (&candidates.literal[one.index()], &candidates.literal[other.index()]);
        self.compare(candidates, one, left, right)
    }

    fn compare(
        &mut self,
        candidates: &Candidates,
        owner: ProcessId,
        left: &Tokens,
        right: &Tokens,
    ) -> bool {
        left.iter().zip(right).all(|pair| match pair {
            (Token::Variable(a), Token::Variable(b)) => {
                if a != b {
                    self.owners.insert(*a, owner);
                }
                *self.variables.entry(*a).or_insert(*b) == *b
            }
            (Token::Clock(a), Token::Clock(b)) => *self.clocks.entry(*a).or_insert(*b) == *b,
            (Token::Channel(a), Token::Channel(b)) => *self.channels.entry(*a).or_insert(*b) == *b,
            (Token::Function(a), Token::Function(b)) => match self.functions.get(a) {
                Some(known) => known == b,
                None => {
                    self.functions.insert(*a, *b);
                    let writing = candidates.writing(&candidates.same);
                    let literally = Writing { literal: true, ..writing };
                    let (left, right) = (literally.function(*a), literally.function(*b));
                    a == b || self.compare(candidates, owner, &left, &right)
                }
            },
            _ => true,
        })
    }

    /// What becomes of everything; an error if two things become the same.
    fn into_permutation(self, permutation: &mut Permutation) -> Result<(), Change> {
        let is_fine = assign(&mut permutation.variables, &self.variables)
            && assign(&mut permutation.clocks, &self.clocks)
            && (self.channels.is_empty() || assign(&mut permutation.channels, &self.channels))
            && assign(&mut permutation.functions, &self.functions);
        permutation.owners = self.owners;
        match is_fine {
            true => Ok(()),
            false => {
                Err(Change { what: "something belongs to several processes", span: Span::NONE })
            }
        }
    }
}

/// Enters images; false if two have the same.
fn assign<I: Id + std::hash::Hash>(images: &mut [I], pairs: &HashMap<I, I>) -> bool {
    for (from, to) in pairs {
        images[from.index()] = *to;
    }
    let distinct: HashSet<&I> = images.iter().collect();
    distinct.len() == images.len()
}

/// The functions that expressions and statements call, and those that these call.
pub fn called(network: &Network, roots: impl Iterator<Item = FunctionId>) -> Vec<FunctionId> {
    let mut found: Vec<FunctionId> = Vec::new();
    let mut open: Vec<FunctionId> = roots.collect();
    while let Some(id) = open.pop() {
        if found.contains(&id) {
            continue;
        }
        found.push(id);
        let body = &network.functions[id].body;
        body.iter().for_each(|it| code::calls(it, &mut |called| open.push(called)));
    }
    found.sort_unstable();
    found
}
