//! Everything in a network that has a value, numbered: variables, indices, fields of messages, locals, results.

use network::{
    Arena, ChannelId, ChannelKind, ClockId, FunctionId, Id, Local, LocalId, Network, VariableId,
};

/// Something that has values.
pub type Cell = u32;

/// The locals that an expression can name, and the number of the first.
#[derive(Clone, Copy)]
pub struct Scope<'a> {
    pub locals: &'a Arena<LocalId, Local>,
    first: Cell,
}

/// The numbers of a network's cells.
pub struct Cells {
    /// The value of each variable; its indices follow.
    variables: Vec<Cell>,
    /// The first index of each clock.
    clocks: Vec<Cell>,
    /// The first index of each channel; the fields of its messages follow.
    channels: Vec<Cell>,
    /// How many indices each channel has.
    dimensions: Vec<u32>,
    /// The result of each function; its locals follow.
    functions: Vec<Cell>,
    /// By process, the first local of each edge and of each location.
    edges: Vec<Vec<Cell>>,
    locations: Vec<Vec<Cell>>,
    property: Cell,
    /// The number of a channel, where it is a value.
    pub channel_number: Cell,
    /// How many there are.
    pub count: u32,
}

impl Cells {
    /// Numbers the cells of a network and of a property with these locals.
    pub fn of(network: &Network, property: &Arena<LocalId, Local>) -> Cells {
        let mut next = 0;
        let mut take = |count: usize| {
            next += count as u32;
            next - count as u32
        };
        let variables = network.variables.iter().map(|it| take(1 + it.dimensions.len())).collect();
        let clocks = network.clocks.iter().map(|it| take(it.dimensions.len())).collect();
        let fields = |kind: &ChannelKind| match kind {
            ChannelKind::Buffered { fields, .. } => fields.len(),
            ChannelKind::Handshake | ChannelKind::Broadcast => 0,
        };
        let channels = network.channels.iter();
        let channels = channels.map(|it| take(it.dimensions.len() + fields(&it.kind))).collect();
        let dimensions = network.channels.iter().map(|it| it.dimensions.len() as u32).collect();
        let functions = network.functions.iter().map(|it| take(1 + size(&it.locals))).collect();
        let processes = &network.processes;
        let edges =
            processes.iter().map(|p| p.edges.iter().map(|it| take(size(&it.locals))).collect());
        let edges = edges.collect();
        let locations =
            processes.iter().map(|p| p.locations.iter().map(|it| take(size(&it.locals))).collect());
        let locations = locations.collect();
        let property = take(size(property));
        let channel_number = take(1);
        Cells {
            variables,
            clocks,
            channels,
            dimensions,
            functions,
            edges,
            locations,
            property,
            channel_number,
            count: next,
        }
    }

    /// The values of a variable.
    pub fn variable(&self, id: VariableId) -> Cell {
        self.variables[id.index()]
    }
    /// An index of a variable.
    pub fn variable_index(&self, id: VariableId, dimension: usize) -> Cell {
        self.variables[id.index()] + 1 + dimension as u32
    }
    /// An index of a clock.
    pub fn clock_index(&self, id: ClockId, dimension: usize) -> Cell {
        self.clocks[id.index()] + dimension as u32
    }
    /// An index of a channel.
    pub fn channel_index(&self, id: ChannelId, dimension: usize) -> Cell {
        self.channels[id.index()] + dimension as u32
    }
    /// A field of a channel's messages.
    pub fn field(&self, id: ChannelId, field: usize) -> Cell {
        self.channels[id.index()] + self.dimensions[id.index()] + field as u32
    }
    /// The result of a function.
    pub fn result(&self, id: FunctionId) -> Cell {
        self.functions[id.index()]
    }

    /// The locals of a function.
    pub fn in_function<'a>(&self, network: &'a Network, id: FunctionId) -> Scope<'a> {
        Scope { locals: &network.functions[id].locals, first: self.functions[id.index()] + 1 }
    }
    /// The locals of an edge, by the numbers of its process and itself.
    pub fn in_edge<'a>(
        &self,
        process: usize,
        edge: usize,
        locals: &'a Arena<LocalId, Local>,
    ) -> Scope<'a> {
        Scope { locals, first: self.edges[process][edge] }
    }
    /// The locals of a location, by the numbers of its process and itself.
    pub fn in_location<'a>(
        &self,
        process: usize,
        location: usize,
        locals: &'a Arena<LocalId, Local>,
    ) -> Scope<'a> {
        Scope { locals, first: self.locations[process][location] }
    }
    /// The locals of the property.
    pub fn in_property<'a>(&self, locals: &'a Arena<LocalId, Local>) -> Scope<'a> {
        Scope { locals, first: self.property }
    }
}

impl Scope<'_> {
    /// The values of a local.
    pub fn local(&self, id: LocalId) -> Cell {
        let before = self.locals.iter().take(id.index()).map(|it| 1 + it.sizes.len());
        self.first + before.sum::<usize>() as u32
    }
    /// An index of a local.
    pub fn local_index(&self, id: LocalId, dimension: usize) -> Cell {
        self.local(id) + 1 + dimension as u32
    }
}

fn size(locals: &Arena<LocalId, Local>) -> usize {
    locals.iter().map(|it| 1 + it.sizes.len()).sum()
}
