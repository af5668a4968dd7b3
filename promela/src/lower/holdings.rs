//! Which kinds of channels a channel variable may hold, as far as the text tells: through
//! initial values, assignments, arguments and messages, without regard to their order.

use super::flow::ElementKind;
use super::resolved::{Base, Basic, Field, Leaf, Run, Start, Value};
use super::resolver::Proctype;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What matters about a channel to a statement that uses it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Shape {
    /// How many fields its messages have.
    pub width: usize,
    pub has_buffer: bool,
}

/// A variable of the model: of a proctype, or a global one.
type Node = (Option<usize>, Base);

/// The shapes of the channels that each variable may hold.
#[derive(Debug, Default)]
pub(super) struct Holdings {
    /// None for variables that may hold any channel.
    known: FxHashMap<Node, Option<BTreeSet<Shape>>>,
    /// For variables that never get a channel.
    nothing: BTreeSet<Shape>,
}

impl Holdings {
    pub fn new(proctypes: &[Proctype], globals: &[Leaf]) -> Self {
        let mut search = Search { proctypes, globals, current: None, found: vec![] };
        search.leaves();
        for (number, proctype) in proctypes.iter().enumerate() {
            search.current = Some(number);
            search.statements(proctype);
        }
        solve(search.found)
    }

    /// The shapes of the channels that a variable may hold, if that is known.
    pub fn of(&self, proctype: Option<usize>, base: Base) -> Option<&BTreeSet<Shape>> {
        let proctype = proctype.filter(|_| matches!(base, Base::Local(_)));
        match self.known.get(&(proctype, base)) {
            Some(shapes) => shapes.as_ref(),
            None => Some(&self.nothing),
        }
    }
}

/// Where something comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Origin {
    New(Shape),
    Variable(Node),
    /// Any message.
    Message,
    /// Any channel at all.
    Anywhere,
}

/// A way into a variable, or into the messages.
struct Flow {
    to: Option<Node>,
    from: Origin,
}

struct Search<'a> {
    proctypes: &'a [Proctype],
    globals: &'a [Leaf],
    current: Option<usize>,
    found: Vec<Flow>,
}

impl Search<'_> {
    fn leaves(&mut self) {
        for (index, leaf) in self.globals.iter().enumerate() {
            self.leaf((None, Base::Global(index)), leaf);
        }
        for proctype in 0..self.proctypes.len() {
            self.current = Some(proctype);
            for (index, leaf) in self.proctypes[proctype].locals.iter().enumerate() {
                self.leaf((Some(proctype), Base::Local(index)), leaf);
            }
        }
    }

    fn leaf(&mut self, node: Node, leaf: &Leaf) {
        match &leaf.start {
            Start::Channel(shape) => {
                let (width, has_buffer) = (shape.fields.len(), shape.capacity > 0);
                let from = Origin::New(Shape { width, has_buffer });
                self.found.push(Flow { to: Some(node), from });
            }
            Start::Value(value) if leaf.is_channel => self.value(Some(node), value),
            Start::List(values) if leaf.is_channel => {
                values.iter().for_each(|value| self.value(Some(node), value));
            }
            _ => {}
        }
    }

    fn node(&self, base: Base) -> Node {
        (self.current.filter(|_| matches!(base, Base::Local(_))), base)
    }

    fn is_channel(&self, (proctype, base): Node) -> bool {
        let leaf = match (proctype, base) {
            (_, Base::Global(index)) => self.globals.get(index),
            (Some(proctype), Base::Local(index)) => self.proctypes[proctype].locals.get(index),
            (None, Base::Local(_)) => None,
        };
        leaf.is_some_and(|it| it.is_channel)
    }

    fn statements(&mut self, proctype: &Proctype) {
        for element in &proctype.flow.elements {
            let ElementKind::Basic(basic) = &element.kind else { continue };
            basic.each_run(&mut |run| self.run(run));
            match basic {
                Basic::Assign(target, value) => {
                    let node = self.node(target.base);
                    if self.is_channel(node) {
                        self.value(Some(node), value);
                    }
                }
                Basic::Send(send) => send.fields.iter().for_each(|it| self.sent(it)),
                Basic::Receive(receive) => receive.fields.iter().for_each(|it| self.received(it)),
                _ => {}
            }
        }
    }

    fn run(&mut self, run: &Run) {
        let parameters = &self.proctypes[run.proctype].parameters;
        for (&parameter, argument) in parameters.iter().zip(&run.arguments) {
            let node = (Some(run.proctype), Base::Local(parameter));
            if self.is_channel(node) {
                self.value(Some(node), argument);
            }
        }
    }

    /// Numbers that are sent are not channels: Spin does not let one become the other.
    fn sent(&mut self, value: &Value) {
        if let Value::Read(target) = value
            && self.is_channel(self.node(target.base))
        {
            self.value(None, value);
        }
    }

    fn received(&mut self, field: &Field) {
        if let Field::Store(target) = field {
            let to = Some(self.node(target.base));
            self.found.push(Flow { to, from: Origin::Message });
        }
    }

    fn value(&mut self, to: Option<Node>, value: &Value) {
        let from = match value {
            Value::Const(0) => return,
            Value::Read(target) if self.is_channel(self.node(target.base)) => {
                Origin::Variable(self.node(target.base))
            }
            Value::Conditional(_, yes, no) => {
                self.value(to, yes);
                return self.value(to, no);
            }
            _ => Origin::Anywhere,
        };
        self.found.push(Flow { to, from });
    }
}

/// Lets everything flow until nothing new arrives.
fn solve(flows: Vec<Flow>) -> Holdings {
    let mut holdings: FxHashMap<Node, Option<BTreeSet<Shape>>> = FxHashMap::default();
    let mut messages = Some(BTreeSet::new());
    loop {
        let mut changed = false;
        for flow in &flows {
            let arriving = match flow.from {
                Origin::New(shape) => Some(BTreeSet::from([shape])),
                Origin::Variable(node) => {
                    holdings.get(&node).cloned().unwrap_or_else(|| Some(BTreeSet::new()))
                }
                Origin::Message => messages.clone(),
                Origin::Anywhere => None,
            };
            let held = match flow.to {
                Some(node) => holdings.entry(node).or_insert_with(|| Some(BTreeSet::new())),
                None => &mut messages,
            };
            changed |= add(held, arriving);
        }
        if !changed {
            return Holdings { known: holdings, nothing: BTreeSet::new() };
        }
    }
}

/// Whether something was added.
fn add(held: &mut Option<BTreeSet<Shape>>, arriving: Option<BTreeSet<Shape>>) -> bool {
    let Some(known) = held else { return false };
    match arriving {
        None => {
            *held = None;
            true
        }
        Some(shapes) => {
            let before = known.len();
            known.extend(shapes);
            known.len() > before
        }
    }
}
