//! Formulas in negation normal form, each kept once, simplified as they are made.
//!
//! Conditions on one state are diagrams; above them there are only `&&`, `||`, until and release.
//! `||` and release are made as the negations of their duals, so a rule is written once for both.
//! The rules are those of Somenzi and Bloem, "Efficient Büchi automata from LTL formulae" (2000).

use super::Fallible;
use super::diagram::{Diagram, Diagrams};
use network::cancellation;
use rustc_hash::FxHashMap;

/// The number of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FormulaId(u32);

/// What a formula says. Lists are sorted and have at least two members.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    Condition(Diagram),
    And(Vec<FormulaId>),
    Or(Vec<FormulaId>),
    /// The second becomes true, and until then the first is.
    Until(FormulaId, FormulaId),
    /// The second is true up to and including the moment at which the first is, or for ever.
    Release(FormulaId, FormulaId),
}

/// All formulas.
#[derive(Default)]
pub(super) struct Formulas {
    pub diagrams: Diagrams,
    nodes: Vec<Node>,
    ids: FxHashMap<Node, FormulaId>,
    negations: FxHashMap<FormulaId, FormulaId>,
    implications: FxHashMap<(FormulaId, FormulaId), bool>,
}

impl Formulas {
    pub fn node(&self, id: FormulaId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn condition(&mut self, diagram: Diagram) -> FormulaId {
        self.number(Node::Condition(diagram))
    }

    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.condition(Diagram::constant(value))
    }

    pub fn and(&mut self, left: FormulaId, right: FormulaId) -> Fallible<FormulaId> {
        self.all(&[left, right])
    }

    pub fn or(&mut self, left: FormulaId, right: FormulaId) -> Fallible<FormulaId> {
        let (left, right) = (self.negate(left)?, self.negate(right)?);
        let dual = self.and(left, right)?;
        self.negate(dual)
    }

    pub fn until(&mut self, left: FormulaId, right: FormulaId) -> Fallible<FormulaId> {
        if self.is(right, true) || self.implies(left, right)? {
            return Ok(right);
        }
        if let Node::Until(middle, last) = *self.node(right) {
            if self.implies(left, middle)? {
                return Ok(right);
            }
            if self.is(left, true) {
                return self.until(left, last);
            }
        }
        if self.is(right, false) || self.recurs(right) {
            return Ok(right);
        }
        let otherwise = self.negate(right)?;
        let left = if self.implies(otherwise, left)? { self.constant(true) } else { left };
        Ok(self.number(Node::Until(left, right)))
    }

    pub fn release(&mut self, left: FormulaId, right: FormulaId) -> Fallible<FormulaId> {
        let (left, right) = (self.negate(left)?, self.negate(right)?);
        let dual = self.until(left, right)?;
        self.negate(dual)
    }

    /// The negation, in normal form.
    pub fn negate(&mut self, id: FormulaId) -> Fallible<FormulaId> {
        if let Some(&known) = self.negations.get(&id) {
            return Ok(known);
        }
        let dual = match self.node(id).clone() {
            Node::Condition(diagram) => Node::Condition(self.diagrams.not(diagram)?),
            Node::And(list) => Node::Or(self.negate_all(list)?),
            Node::Or(list) => Node::And(self.negate_all(list)?),
            Node::Until(left, right) => Node::Release(self.negate(left)?, self.negate(right)?),
            Node::Release(left, right) => Node::Until(self.negate(left)?, self.negate(right)?),
        };
        let result = self.number(dual);
        self.negations.insert(id, result);
        self.negations.insert(result, id);
        Ok(result)
    }

    /// A formula and all its parts, each once.
    pub fn reached(&self, id: FormulaId) -> Vec<FormulaId> {
        let mut seen = vec![false; self.nodes.len()];
        seen[id.0 as usize] = true;
        let mut list = vec![id];
        let mut next = 0;
        while let Some(&id) = list.get(next) {
            next += 1;
            for part in self.parts(id) {
                if !std::mem::replace(&mut seen[part.0 as usize], true) {
                    list.push(part);
                }
            }
        }
        list
    }

    /// Whether an until occurs; without one the formula is a safety property.
    pub fn has_until(&self, id: FormulaId) -> bool {
        self.reached(id).into_iter().any(|id| matches!(self.node(id), Node::Until(..)))
    }

    fn parts(&self, id: FormulaId) -> Vec<FormulaId> {
        match self.node(id) {
            Node::Condition(_) => vec![],
            Node::And(list) | Node::Or(list) => list.clone(),
            Node::Until(left, right) | Node::Release(left, right) => vec![*left, *right],
        }
    }

    fn negate_all(&mut self, list: Vec<FormulaId>) -> Fallible<Vec<FormulaId>> {
        let mut list = list.into_iter().map(|it| self.negate(it)).collect::<Fallible<Vec<_>>>()?;
        list.sort_unstable();
        Ok(list)
    }

    fn number(&mut self, node: Node) -> FormulaId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    fn is(&self, id: FormulaId, value: bool) -> bool {
        *self.node(id) == Node::Condition(Diagram::constant(value))
    }

    /// Whether it is of the form `[]<>f`, which is the same now and later.
    fn recurs(&self, id: FormulaId) -> bool {
        match *self.node(id) {
            Node::Release(left, right) if self.is(left, false) => {
                matches!(*self.node(right), Node::Until(left, _) if self.is(left, true))
            }
            _ => false,
        }
    }
}

// ---- conjunctions ----

impl Formulas {
    fn all(&mut self, list: &[FormulaId]) -> Fallible<FormulaId> {
        let (condition, mut list) = self.flattened(list)?;
        if condition == Diagram::FALSE {
            return Ok(self.constant(false));
        }
        if self.merge_one(&mut list)? {
            list.push(self.condition(condition));
            return self.all(&list);
        }
        if condition != Diagram::TRUE {
            list.push(self.condition(condition));
        }
        if self.drop_implied(&mut list)? {
            return Ok(self.constant(false));
        }
        list.sort_unstable();
        match list[..] {
            [] => Ok(self.constant(true)),
            [only] => Ok(only),
            _ => Ok(self.number(Node::And(list))),
        }
    }

    /// The conditions of a conjunction in one, and everything else.
    fn flattened(&mut self, list: &[FormulaId]) -> Fallible<(Diagram, Vec<FormulaId>)> {
        let mut condition = Diagram::TRUE;
        let mut others = vec![];
        for &id in list {
            let members = match self.node(id) {
                Node::And(members) => members.clone(),
                _ => vec![id],
            };
            for id in members {
                self.diagrams.spend(1)?;
                match *self.node(id) {
                    Node::Condition(it) => condition = self.diagrams.and(condition, it)?,
                    _ => others.push(id),
                }
            }
        }
        others.sort_unstable();
        others.dedup();
        Ok((condition, others))
    }

    /// Makes one formula of two, if there are two of the right form.
    fn merge_one(&mut self, list: &mut Vec<FormulaId>) -> Fallible<bool> {
        for last in 1..list.len() {
            for first in 0..last {
                self.diagrams.spend(1)?;
                if let Some(merged) = self.merged(list[first], list[last])? {
                    list[first] = merged;
                    list.remove(last);
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// `(a V b) && (a V c)` is `a V (b && c)`; `(a U c) && (b U c)` is `(a && b) U c`.
    fn merged(&mut self, one: FormulaId, other: FormulaId) -> Fallible<Option<FormulaId>> {
        match (self.node(one), self.node(other)) {
            (&Node::Release(left, one), &Node::Release(same, other)) if left == same => {
                let right = self.and(one, other)?;
                self.release(left, right).map(Some)
            }
            (&Node::Until(one, right), &Node::Until(other, same)) if right == same => {
                let left = self.and(one, other)?;
                self.until(left, right).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// Drops members that follow from others; whether two contradict each other.
    fn drop_implied(&mut self, list: &mut Vec<FormulaId>) -> Fallible<bool> {
        let mut at = 0;
        while let Some(&id) = list.get(at) {
            cancellation::check();
            let negation = self.negate(id)?;
            let mut implied = false;
            for (index, &other) in list.iter().enumerate() {
                if self.implies(other, negation)? {
                    return Ok(true);
                }
                implied |= index != at && self.implies(other, id)?;
            }
            if implied {
                list.remove(at);
            } else {
                at += 1;
            }
        }
        Ok(false)
    }
}

// ---- implication ----

impl Formulas {
    /// Whether `right` follows from `left` by the form of both; it may follow without being seen.
    pub fn implies(&mut self, left: FormulaId, right: FormulaId) -> Fallible<bool> {
        if left == right || self.is(left, false) || self.is(right, true) {
            return Ok(true);
        }
        if let Some(&known) = self.implications.get(&(left, right)) {
            return Ok(known);
        }
        self.diagrams.spend(1)?;
        let result = self.implies_by_left(left, right)?
            || self.implies_by_right(left, right)?
            || self.implies_by_both(left, right)?;
        self.implications.insert((left, right), result);
        Ok(result)
    }

    fn implies_by_left(&mut self, left: FormulaId, right: FormulaId) -> Fallible<bool> {
        match self.node(left).clone() {
            Node::Condition(_) => Ok(false),
            Node::And(list) => self.any(list, |it, part| it.implies(part, right)),
            Node::Or(list) => self.each(&list, |it, part| it.implies(part, right)),
            Node::Until(a, b) => self.each(&[b, a], |it, part| it.implies(part, right)),
            Node::Release(_, b) => self.implies(b, right),
        }
    }

    fn implies_by_right(&mut self, left: FormulaId, right: FormulaId) -> Fallible<bool> {
        match self.node(right).clone() {
            Node::Condition(_) => Ok(false),
            Node::And(list) => self.each(&list, |it, part| it.implies(left, part)),
            Node::Or(list) => self.any(list, |it, part| it.implies(left, part)),
            Node::Until(_, b) => self.implies(left, b),
            Node::Release(a, b) => self.each(&[b, a], |it, part| it.implies(left, part)),
        }
    }

    fn implies_by_both(&mut self, left: FormulaId, right: FormulaId) -> Fallible<bool> {
        match (self.node(left), self.node(right)) {
            (&Node::Condition(left), &Node::Condition(right)) => self.diagrams.implies(left, right),
            (&Node::Until(a, b), &Node::Until(c, d))
            | (&Node::Release(a, b), &Node::Release(c, d)) => {
                Ok(self.implies(a, c)? && self.implies(b, d)?)
            }
            _ => Ok(false),
        }
    }

    fn any(
        &mut self,
        list: Vec<FormulaId>,
        test: impl Fn(&mut Self, FormulaId) -> Fallible<bool>,
    ) -> Fallible<bool> {
        for id in list {
            if test(self, id)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn each(
        &mut self,
        list: &[FormulaId],
        test: impl Fn(&mut Self, FormulaId) -> Fallible<bool>,
    ) -> Fallible<bool> {
        for &id in list {
            if !test(self, id)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
