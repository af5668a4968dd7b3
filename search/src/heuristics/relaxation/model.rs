//! The network as the relaxation sees it: operations with conditions and effects, and who must be
//! told when something becomes possible.

use super::condition::Condition;
use super::term::{Action, Fact, Function, Target, Term};
use super::values::Values;
use explore::{Buffer, EdgeNumber};
use network::Type;

/// The network as the relaxation sees it.
#[derive(Debug, Default)]
pub struct Model {
    /// The operations: edges, one for each choice of selects and channel; goals; possible errors.
    pub ops: Vec<Op>,
    /// What the layers look at all the time, apart from the rest.
    pub heads: Vec<Head>,
    /// What each operation waits for, in the order of evaluation.
    pub waits: Lists<u32>,
    /// What it does, if that is to set words to constants.
    pub constants: Lists<(u32, i32)>,
    /// What operations wait for, each once.
    pub conditions: Vec<Condition>,
    /// The words that each condition looks at.
    pub condition_words: Lists<u32>,
    /// The locations that each condition looks at.
    pub condition_facts: Lists<Fact>,
    /// The operations that wait for each condition.
    pub users: Lists<u32>,
    /// The operations that leave each location; those of goals and the like leave none.
    pub leaving: Lists<u32>,
    /// The operations that leave no location.
    pub everywhere: Vec<u32>,
    /// The conditions to look at again when a word or a location gains something.
    pub word_conditions: Lists<u32>,
    /// See `word_conditions`.
    pub fact_conditions: Lists<u32>,
    /// The operations whose effect changes when a word or a location gains something.
    pub word_readers: Lists<u32>,
    /// See `word_readers`.
    pub fact_readers: Lists<u32>,
    /// For each channel element, whether a receiver's effect depends on the sender.
    pub coupled: Vec<bool>,
    /// The receivers of broadcasts on such elements.
    pub coupled_listeners: Vec<u32>,
    /// Where messages wait.
    pub buffers: Vec<Buffer>,
    /// Functions.
    pub functions: Vec<Function>,
    /// The words that values are kept for.
    pub words: Vec<u32>,
    /// The number of the first location of each process, and the number of all.
    pub first_facts: Vec<u32>,
    /// The process of each location.
    pub owners: Vec<u32>,
    /// All values that each word of a state before the zone can have.
    pub ranges: Vec<Values>,
    /// The layer from which on words with many values have all of their range.
    pub coarse_from: u32,
    /// Room for the locals of every operation.
    pub locals: usize,
    /// The number of edges of the network.
    pub edges: usize,
    /// Whether goals that demand a deadlock are left out.
    pub ignores_deadlock: bool,
    /// Whether run-time errors are goals.
    pub counts_errors: bool,
    /// Whether some errors are not foreseen, such as loops that do not end.
    pub blind_spots: bool,
}

/// Lists of items, all in one piece of memory.
#[derive(Debug)]
pub struct Lists<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Lists { ends: vec![0], items: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// The lists, put together.
    pub fn new(lists: Vec<Vec<T>>) -> Lists<T> {
        let mut all = Lists::default();
        for list in lists {
            all.items.extend(list);
            all.ends.push(all.items.len() as u32);
        }
        all
    }

    /// One of the lists.
    #[inline]
    pub fn of(&self, list: u32) -> &[T] {
        &self.items[self.ends[list as usize] as usize..self.ends[list as usize + 1] as usize]
    }
}

/// What is needed of an operation most often.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// What it is.
    pub kind: OpKind,
    /// Whether its effect is its target and constants.
    pub is_simple: bool,
    /// Its process.
    pub process: u32,
    /// The number of its edge.
    pub edge: EdgeNumber,
    /// The channel element on which it meets others.
    pub element: u32,
    /// Where it ends.
    pub target: Fact,
}

/// Something that can happen.
#[derive(Debug, Default)]
pub struct Op {
    /// The number of its edge; of no meaning for goals.
    pub edge: EdgeNumber,
    /// Its process.
    pub process: u32,
    /// What it is.
    pub kind: OpKind,
    /// The channel element on which it meets others.
    pub element: u32,
    /// Where it starts and ends.
    pub source: Fact,
    /// See `source`.
    pub target: Fact,
    /// What it waits for, in the order of evaluation.
    pub conditions: Vec<u32>,
    /// What it does, if that is to set words to constants.
    pub constants: Vec<(u32, i32)>,
    /// What it does otherwise.
    pub actions: Vec<Action>,
    /// The values that its locals start with.
    pub frame: Vec<i32>,
    /// The message that it hands over, with the types of the fields.
    pub message: Vec<(Term, Type)>,
    /// What it wants handed over.
    pub patterns: Vec<Option<Term>>,
    /// Where it puts that.
    pub targets: Vec<Option<Target>>,
    /// The words that its effect depends on.
    pub reads: Vec<u32>,
    /// The locations that its effect depends on.
    pub looks: Vec<Fact>,
    /// The words that its effect may change.
    pub writes: Vec<u32>,
    /// The locations that its effect may put processes at.
    pub enters: Vec<Fact>,
}

/// What an operation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OpKind {
    /// An edge that needs nobody.
    #[default]
    Alone,
    /// An edge that hands something to another process.
    Sender,
    /// An edge that takes it.
    Receiver,
    /// The sender of a broadcast.
    Broadcaster,
    /// A receiver of a broadcast.
    Listener,
    /// A goal: it is reached when the conditions hold.
    Goal,
    /// A condition whose evaluation may be a run-time error.
    MayFail,
}

impl Model {
    /// The number of locations of all processes.
    pub fn facts(&self) -> usize {
        self.owners.len()
    }

    /// The locations of the process that a location belongs to.
    pub fn siblings(&self, fact: Fact) -> std::ops::Range<u32> {
        let owner = self.owners[fact as usize] as usize;
        self.first_facts[owner]..self.first_facts[owner + 1]
    }
}
