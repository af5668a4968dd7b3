//! The control flow of a proctype as Spin lays it out: elements chained into sequences.
//!
//! Which elements there are, how they are chained and which of them are atomic decides the states
//! of the automaton, so this follows Spin's own construction step by step, quirks included.

use super::labels::Labels;
use super::resolved::Basic;
use crate::ast::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// An element of the arena.
pub(super) type El = usize;
/// A sequence of the arena.
pub(super) type Seq = usize;

/// Keeps control after its step.
pub(super) const ATOM: u8 = 2;
/// The last step of an atomic sequence.
pub(super) const LAST: u8 = 4;
/// Within a `d_step`.
pub(super) const DSTEP: u8 = 32;

/// What an element is.
#[derive(Clone, Debug)]
pub(super) enum ElementKind {
    Basic(Basic),
    Else,
    Goto(Jump),
    /// The join after a choice.
    Join,
    /// The exit of a loop.
    Exit,
    If,
    Do,
    Unless,
    Atomic(Seq),
    DStep(Seq),
    Block(Seq),
    /// The end of the process.
    End,
}

/// Where a `goto` or `break` leads.
#[derive(Clone, Debug)]
pub(super) enum Jump {
    Break(usize),
    Label { name: String, scope: Vec<u32> },
}

#[derive(Clone, Debug)]
pub(super) struct Element {
    pub kind: ElementKind,
    pub next: Option<El>,
    /// The options of a choice; the body and the escape of an `unless`.
    pub options: Vec<Seq>,
    /// The escapes, the outermost first.
    pub escapes: Vec<Seq>,
    pub status: u8,
    pub span: Span,
    /// The words of its statement.
    pub text: String,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Sequence {
    pub first: Option<El>,
    pub last: Option<El>,
    /// The last element that was written, before joins were added.
    pub extent: Option<El>,
}

/// All elements of a proctype.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub elements: Vec<Element>,
    pub sequences: Vec<Sequence>,
    pub labels: Labels,
    /// How many elements were written; those after them are jumps that gave way to a `skip`.
    pub written: usize,
    /// The exits of the loops.
    pub breaks: Vec<Option<El>>,
    /// The numbers of the exits of loops.
    exits: FxHashMap<El, usize>,
    /// The `d_step` sequences in which `timeout` stands.
    pub timed: FxHashSet<Seq>,
    /// The sequences being built, the innermost last.
    open: Vec<Seq>,
}

impl Flow {
    pub fn open(&mut self) {
        self.sequences.push(Sequence::default());
        self.open.push(self.sequences.len() - 1);
    }

    pub fn close(&mut self) -> Seq {
        let seq = self.open.pop().unwrap_or(0);
        self.sequences[seq].extent = self.sequences[seq].last;
        seq
    }

    pub fn element(&mut self, kind: ElementKind, span: Span) -> El {
        self.elements.push(Element {
            kind,
            next: None,
            options: vec![],
            escapes: vec![],
            status: 0,
            span,
            text: String::new(),
        });
        self.elements.len() - 1
    }

    /// Gives the words of a statement to the elements made for it that have none of their own.
    pub fn say(&mut self, first: El, text: &str) {
        for element in self.elements[first..].iter_mut().filter(|it| it.text.is_empty()) {
            element.text = text.to_string();
        }
    }

    pub fn current(&self) -> Seq {
        self.open.last().copied().unwrap_or(0)
    }

    pub fn is_empty(&self, seq: Seq) -> bool {
        self.sequences[seq].first.is_none()
    }

    /// The elements of a sequence as written, without the joins after them.
    pub fn elements_of(&self, seq: Seq) -> Vec<El> {
        let extent = self.sequences[seq].extent;
        let mut list = vec![];
        let mut at = self.sequences[seq].first;
        while let Some(element) = at {
            list.push(element);
            at = if at == extent { None } else { self.elements[element].next };
        }
        list
    }

    /// The number of the exit of a loop.
    pub fn exit_of(&self, choice: El) -> Option<usize> {
        self.exits.get(&choice).copied()
    }

    /// Appends to the sequence being built.
    pub fn add(&mut self, element: El) {
        let seq = self.current();
        self.append(element, seq);
    }

    fn append(&mut self, element: El, seq: Seq) {
        if matches!(self.elements[element].kind, ElementKind::Goto(_)) && self.is_marked(element) {
            // A jump is no state of its own, so the label moves to a `skip` before it.
            let skip = self.skip(self.elements[element].span);
            self.labels.move_last(element, skip);
            self.append(skip, seq);
        }
        match self.sequences[seq].last {
            Some(last) => self.elements[last].next = Some(element),
            None => self.sequences[seq].first = Some(element),
        }
        self.sequences[seq].last = Some(element);
    }

    pub fn skip(&mut self, span: Span) -> El {
        let one = super::resolved::Value::Const(1);
        self.element(ElementKind::Basic(Basic::Guard(one)), span)
    }

    /// Whether it has a label with a meaning of its own.
    fn is_marked(&self, element: El) -> bool {
        let special = ["accept", "end", "progress"];
        self.labels.at(element).any(|it| special.iter().any(|s| it.name.starts_with(s)))
    }

    fn is_labelled(&self, element: El) -> bool {
        self.labels.at(element).next().is_some()
    }

    /// Starts a loop and returns the number of its exit.
    pub fn new_break(&mut self) -> usize {
        self.breaks.push(None);
        self.breaks.len() - 1
    }

    // ---- choices ----

    /// Adds `if` or, with the number of its exit, `do`; returns the element that labels stand for.
    pub fn choice(&mut self, mut options: Vec<Seq>, exit: Option<usize>, span: Span) -> El {
        options.retain(|&it| !self.is_empty(it));
        for &option in &options {
            self.prune(option);
        }
        self.move_else(&mut options);
        let kind = if exit.is_some() { ElementKind::Do } else { ElementKind::If };
        let choice = self.element(kind, span);
        let mut join = self.element(ElementKind::Join, span);
        for &option in &options {
            self.append(join, option);
        }
        self.elements[choice].options = options;
        if let Some(exit) = exit {
            self.add(join);
            join = self.element(ElementKind::Exit, span);
            self.breaks[exit] = Some(join);
            self.exits.insert(choice, exit);
        }
        self.add(choice);
        self.add(join);
        choice
    }

    /// Of several unlabelled skips in a row within an option only the first counts.
    fn prune(&mut self, seq: Seq) {
        let Sequence { first, last, .. } = self.sequences[seq];
        let (mut at, mut before, mut count) = (first, None, 0);
        while let Some(element) = at {
            at = self.elements[element].next;
            let print = matches!(self.elements[element].kind, ElementKind::Basic(Basic::Print(..)));
            let skip =
                matches!(&self.elements[element].kind, ElementKind::Basic(it) if it.is_skip());
            if (!print && !skip) || self.is_labelled(element) {
                (count, before) = (0, Some(element));
                continue;
            }
            count += 1;
            let inner = Some(element) != first && Some(element) != last;
            match before {
                Some(before) if count > 1 && skip && inner => self.elements[before].next = at,
                _ => before = Some(element),
            }
        }
    }

    fn starts_with_else(&self, seq: Seq) -> bool {
        let first = self.sequences[seq].first;
        first.is_some_and(|it| matches!(self.elements[it].kind, ElementKind::Else))
    }

    fn move_else(&self, options: &mut [Seq]) {
        if let Some(at) = options.iter().position(|&it| self.starts_with_else(it)) {
            options[at..].rotate_left(1);
        }
    }

    // ---- unless ----

    pub fn unless(&mut self, body: Seq, escape: Seq, span: Span) -> El {
        let unless = self.element(ElementKind::Unless, span);
        let join = self.element(ElementKind::Join, span);
        self.append(join, body);
        self.append(join, escape);
        self.elements[unless].options = vec![body, escape];
        self.attach(body, escape);
        self.add(unless);
        self.add(join);
        unless
    }

    /// Lets a sequence be left by an escape at every element that was written.
    fn attach(&mut self, seq: Seq, escape: Seq) {
        let Sequence { first, extent, .. } = self.sequences[seq];
        let mut at = first;
        while let Some(element) = at {
            self.attach_to(element, escape);
            at = if at == extent { None } else { self.elements[element].next };
        }
    }

    fn attach_to(&mut self, element: El, escape: Seq) {
        let known = self.elements[element].escapes.clone();
        if known.contains(&escape) {
            return;
        }
        for inner in known {
            self.attach(inner, escape);
        }
        self.elements[element].escapes.insert(0, escape);
        match self.elements[element].kind {
            ElementKind::Unless => self.attach(self.elements[element].options[0], escape),
            ElementKind::If | ElementKind::Do => {
                for option in self.elements[element].options.clone() {
                    self.attach(option, escape);
                }
            }
            ElementKind::DStep(seq) => {
                if let Some(first) = self.sequences[seq].first {
                    self.attach_to(first, escape);
                }
            }
            ElementKind::Atomic(seq) | ElementKind::Block(seq) => self.attach(seq, escape),
            _ => {}
        }
    }

    // ---- atomic sequences ----

    /// Marks a sequence as atomic, its last step as the one that gives control up.
    pub fn make_atomic(&mut self, seq: Seq, added: u8) {
        self.walk_atomic(seq, added);
        let Some(last) = self.sequences[seq].last else { return };
        match self.elements[last].kind {
            ElementKind::Block(inner) | ElementKind::Atomic(inner) => {
                self.make_atomic(inner, added)
            }
            ElementKind::Unless => self.make_atomic(self.elements[last].options[0], added),
            _ => {
                self.elements[last].status &= !ATOM;
                self.elements[last].status |= LAST;
            }
        }
    }

    fn walk_atomic(&mut self, seq: Seq, added: u8) {
        let Sequence { first, last, .. } = self.sequences[seq];
        let mut at = first;
        while let Some(element) = at {
            self.elements[element].status |= ATOM | added;
            let inner = match self.elements[element].kind {
                ElementKind::Atomic(inner) | ElementKind::Block(inner) => Some(inner),
                ElementKind::DStep(inner) if added != 0 => Some(inner),
                _ => None,
            };
            if let Some(inner) = inner {
                self.elements[element].kind = ElementKind::Block(inner);
                self.walk_atomic(inner, added);
            }
            for option in self.elements[element].options.clone() {
                self.walk_atomic(option, added);
            }
            at = if at == last { None } else { self.elements[element].next };
        }
    }

    // ---- jumps ----

    /// Where a jump leads.
    pub fn destination(&self, jump: &Jump) -> Option<El> {
        match jump {
            Jump::Break(number) => self.breaks[*number],
            Jump::Label { name, scope } => self.labels.seen_from(name, scope),
        }
    }

    /// The element of a label as seen from outside the proctype. A jump there becomes a `skip`
    /// before the jump, or nobody would ever be at the label.
    pub fn remote_label(&mut self, name: &str) -> Option<El> {
        let element = self.labels.last(name)?;
        if matches!(self.elements[element].kind, ElementKind::Goto(_)) {
            let mut jump = self.elements[element].clone();
            (jump.escapes, jump.status) = (vec![], 0);
            self.elements.push(jump);
            let one = super::resolved::Value::Const(1);
            self.elements[element].kind = ElementKind::Basic(Basic::Guard(one));
            self.elements[element].next = Some(self.elements.len() - 1);
        }
        Some(element)
    }

    /// Ties the ends of inner sequences to what follows them.
    pub fn tie_ends(&mut self) {
        for element in (0..self.elements.len()).rev() {
            let (ElementKind::Atomic(seq) | ElementKind::Block(seq) | ElementKind::DStep(seq)) =
                self.elements[element].kind
            else {
                continue;
            };
            let mut follow = self.elements[element].next;
            while let Some(it) = follow
                && matches!(self.elements[it].kind, ElementKind::Join)
            {
                follow = self.elements[it].next;
            }
            if let (Some(last), Some(follow)) = (self.sequences[seq].last, follow) {
                match self.elements[last].next {
                    None => self.elements[last].next = Some(follow),
                    Some(next) if matches!(self.elements[next].kind, ElementKind::Goto(_)) => {
                        self.sequences[seq].last = Some(next);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
