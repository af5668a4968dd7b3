//! A `d_step` with `goto`: its statements in blocks, and a loop that goes from block to block.
//! What neither jumps out nor can be jumped into stays a plain statement of its block.

use super::dstep::{Choice, Code};
use super::flow::{El, ElementKind, Jump, Seq};
use crate::ast::Span;
use network::{BinaryOp, Expr, LocalId, Place, Statement, StatementKind, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The blocks written so far.
struct Blocks<'c, 'a> {
    code: &'c mut Code<'a>,
    /// The local that says which block comes next.
    at: LocalId,
    bodies: Vec<Vec<Statement>>,
    /// Where jumps lead.
    targets: FxHashSet<El>,
    /// The blocks that begin with a target.
    known: FxHashMap<El, usize>,
    /// Statements without jumps out of them or into them.
    whole: FxHashSet<El>,
}

/// The block that does nothing: the end.
const END: usize = 0;

/// A block that is being written; none while nothing leads here.
struct Open {
    block: Option<usize>,
    code: Vec<Statement>,
}

impl Code<'_> {
    /// Whether a sequence has a jump to a label.
    pub fn has_jumps(&self, seq: Seq) -> bool {
        self.elements(seq).into_iter().any(|element| {
            let it = &self.flow.elements[element];
            matches!(it.kind, ElementKind::Goto(Jump::Label { .. }))
                || it.options.iter().any(|&option| self.has_jumps(option))
        })
    }

    /// The code of elements among which there are jumps.
    pub fn with_jumps(&mut self, elements: &[El], span: Span) -> Vec<Statement> {
        let at = self.local("at", Type::BOOL);
        let mut blocks = Blocks {
            code: self,
            at,
            bodies: vec![vec![]],
            targets: FxHashSet::default(),
            known: FxHashMap::default(),
            whole: FxHashSet::default(),
        };
        blocks.find_targets(elements);
        elements.iter().for_each(|&it| drop(blocks.mark_whole(it)));
        let first = blocks.new_block();
        blocks.list(elements, first, END);
        let bodies = blocks.bodies;
        self.locals[at].ty = Type::range(0, bodies.len() as i32);
        let start = StatementKind::Assign(Place::local(at), Expr::Const(first as i32));
        let more = Expr::binary(BinaryOp::Ne, Expr::local(at), Expr::Const(END as i32));
        let rounds = StatementKind::While(more, self.dispatch(at, 0, bodies, span));
        vec![self.emit.statement(start, span), self.emit.statement(rounds, span)]
    }
}

impl Blocks<'_, '_> {
    fn below(&self, element: El) -> Vec<El> {
        let options = &self.code.flow.elements[element].options;
        options.iter().flat_map(|&option| self.code.elements(option)).collect()
    }

    fn find_targets(&mut self, elements: &[El]) {
        for &element in elements {
            if let ElementKind::Goto(jump @ Jump::Label { .. }) = self.code.kind(element) {
                self.targets.extend(self.code.flow.destination(jump));
            }
            let below = self.below(element);
            self.find_targets(&below);
        }
    }

    /// Notes which statements can stay whole; returns whether labels or jumps to them are inside,
    /// and the loops around that are left from inside.
    fn mark_whole(&mut self, element: El) -> (bool, FxHashSet<usize>) {
        let (mut cut, mut left) = (false, FxHashSet::default());
        for below in self.below(element) {
            let (inner_cut, inner_left) = self.mark_whole(below);
            cut |= inner_cut || self.targets.contains(&below);
            left.extend(inner_left);
        }
        match self.code.kind(element) {
            ElementKind::Goto(Jump::Label { .. }) => cut = true,
            ElementKind::Goto(Jump::Break(exit)) => left.extend([*exit]),
            ElementKind::Do => left.retain(|&exit| self.code.flow.exit_of(element) != Some(exit)),
            _ => {}
        }
        if !cut && left.is_empty() {
            self.whole.insert(element);
        }
        (cut, left)
    }

    fn new_block(&mut self) -> usize {
        self.bodies.push(vec![]);
        self.bodies.len() - 1
    }

    fn block_of(&mut self, target: El) -> usize {
        match self.known.get(&target) {
            Some(&block) => block,
            None => {
                let block = self.new_block();
                self.known.insert(target, block);
                block
            }
        }
    }

    fn go(&self, block: usize, span: Span) -> Statement {
        let kind = StatementKind::Assign(Place::local(self.at), Expr::Const(block as i32));
        self.code.emit.statement(kind, span)
    }

    /// Ends a block with a jump.
    fn close(&mut self, open: &mut Open, to: usize, span: Span) {
        let mut code = std::mem::take(&mut open.code);
        if let Some(block) = open.block.take() {
            code.push(self.go(to, span));
            self.bodies[block] = code;
        }
    }

    /// Writes elements from a block on; after them comes the block `follow`.
    fn list(&mut self, elements: &[El], block: usize, follow: usize) {
        let mut open = Open { block: Some(block), code: vec![] };
        for &element in elements {
            let span = self.code.flow.elements[element].span;
            if self.targets.contains(&element) {
                let block = self.block_of(element);
                self.close(&mut open, block, span);
                open.block = Some(block);
            }
            if self.whole.contains(&element) {
                open.code.extend(self.code.list(&[element]));
                continue;
            }
            match self.code.kind(element) {
                ElementKind::Goto(jump) => {
                    let target = self.code.flow.destination(jump);
                    let to = target.map_or(END, |it| self.block_of(it));
                    self.close(&mut open, to, span);
                }
                ElementKind::Do => self.repeat(element, &mut open),
                _ => {
                    let after = self.new_block();
                    self.choice(element, &mut open, after);
                    open.block = Some(after);
                }
            }
        }
        let span = elements.last().map_or(Span::default(), |&it| self.code.flow.elements[it].span);
        self.close(&mut open, follow, span);
    }

    /// Ends a block with a choice, whose options go on at `follow`.
    fn choice(&mut self, element: El, open: &mut Open, follow: usize) {
        let span = self.code.flow.elements[element].span;
        let mut branches = vec![];
        for Choice { guard, option, tested } in self.code.options(element) {
            let block = self.new_block();
            branches.push((guard, vec![self.go(block, span)]));
            let elements = self.code.elements(option);
            self.list(&elements[usize::from(tested).min(elements.len())..], block, follow);
        }
        let mut code = std::mem::take(&mut open.code);
        code.extend(self.code.first_of(branches, span));
        if let Some(block) = open.block.take() {
            self.bodies[block] = code;
        }
    }

    fn repeat(&mut self, element: El, open: &mut Open) {
        let span = self.code.flow.elements[element].span;
        let head = self.block_of(element);
        if open.block != Some(head) {
            self.close(open, head, span);
        }
        open.block = Some(head);
        self.choice(element, open, head);
        if let Some(exit) = self.code.flow.elements[element].next {
            self.targets.insert(exit);
            open.block = Some(self.block_of(exit));
        }
    }
}
