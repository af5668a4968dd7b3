//! Random formulas against a naive evaluator on all words up to a small length.
//!
//! A word is a lasso: letters, and the position to which it goes back from its end. A formula with
//! few operators that can be satisfied at all can be satisfied by a short lasso.

use super::super::{Analysis, Guard, Monitor, Target, analyse};
use super::{formula, shown};
use testing::Numbers;

#[derive(Clone, Debug)]
enum Tree {
    Constant(bool),
    Atom(usize),
    Not(Box<Tree>),
    Unary(&'static str, Box<Tree>),
    Binary(&'static str, Box<Tree>, Box<Tree>),
}

const NAMES: [&str; 3] = ["p", "q", "r"];

impl Tree {
    fn text(&self) -> String {
        match self {
            Tree::Constant(value) => value.to_string(),
            Tree::Atom(atom) => NAMES[*atom].to_string(),
            Tree::Not(inner) => format!("!({})", inner.text()),
            Tree::Unary(operator, inner) => format!("{operator} ({})", inner.text()),
            Tree::Binary(operator, left, right) => {
                format!("({}) {operator} ({})", left.text(), right.text())
            }
        }
    }
}

// ---- words ----

struct Lasso {
    /// The atoms that hold, as bits.
    letters: Vec<usize>,
    back_to: usize,
}

impl Lasso {
    fn letter(&self, position: usize) -> usize {
        self.letters[self.at(position)]
    }

    /// The position within the lasso of a position of the infinite word.
    fn at(&self, position: usize) -> usize {
        let length = self.letters.len();
        match position.checked_sub(length) {
            None => position,
            Some(beyond) => self.back_to + beyond % (length - self.back_to),
        }
    }

    /// The truth of a formula at every position.
    fn truth(&self, tree: &Tree) -> Vec<bool> {
        let count = self.letters.len();
        match tree {
            Tree::Constant(value) => vec![*value; count],
            Tree::Atom(atom) => self.letters.iter().map(|it| it >> atom & 1 == 1).collect(),
            Tree::Not(inner) => self.truth(inner).into_iter().map(|it| !it).collect(),
            Tree::Unary(operator, inner) => {
                let inner = self.truth(inner);
                // Within twice the length every position of the loop comes by.
                let mut future =
                    (0..count).map(|from| (from..2 * count).map(|it| inner[self.at(it)]));
                match *operator {
                    "[]" => future.map(|mut it| it.all(|it| it)).collect(),
                    _ => future.by_ref().map(|mut it| it.any(|it| it)).collect(),
                }
            }
            Tree::Binary(operator, left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                (0..count).map(|from| self.binary(operator, &left, &right, from)).collect()
            }
        }
    }

    fn binary(&self, operator: &str, left: &[bool], right: &[bool], from: usize) -> bool {
        let (now, then) = (left[from], right[from]);
        let future =
            (from..2 * self.letters.len()).map(|it| (left[self.at(it)], right[self.at(it)]));
        match operator {
            "&&" => now && then,
            "||" => now || then,
            "->" => !now || then,
            "<->" => now == then,
            "V" => {
                for (left, right) in future {
                    if !right {
                        return false;
                    }
                    if left {
                        return true;
                    }
                }
                true
            }
            _ => {
                for (left, right) in future {
                    if right {
                        return true;
                    }
                    if !left {
                        return false;
                    }
                }
                operator == "W"
            }
        }
    }
}

/// All lassos over so many atoms with at most so many letters.
fn lassos(atoms: usize, most: usize) -> Vec<Lasso> {
    let mut list = vec![];
    let mut words: Vec<Vec<usize>> = vec![vec![]];
    for _ in 0..most {
        words = longer(&words, atoms);
        for word in &words {
            let lasso = |back_to| Lasso { letters: word.clone(), back_to };
            list.extend((0..word.len()).map(lasso));
        }
    }
    list
}

fn longer(words: &[Vec<usize>], atoms: usize) -> Vec<Vec<usize>> {
    let extended = |word: &Vec<usize>| {
        let word = word.clone();
        (0..1 << atoms).map(move |letter| word.iter().copied().chain([letter]).collect())
    };
    words.iter().flat_map(extended).collect()
}

// ---- random formulas ----

/// A formula with so many temporal operators.
fn random_tree(numbers: &mut Numbers, atoms: usize, temporal: usize) -> Tree {
    if temporal == 0 {
        return random_condition(numbers, atoms, 2);
    }
    let first = numbers.below(temporal + 1);
    match numbers.below(8) {
        0 => Tree::Not(Box::new(random_tree(numbers, atoms, temporal))),
        1 | 2 => {
            let operator = numbers.one(&["[]", "<>"]);
            Tree::Unary(operator, Box::new(random_tree(numbers, atoms, temporal - 1)))
        }
        3..=5 => {
            let operator = numbers.one(&["U", "W", "V"]);
            let first = numbers.below(temporal);
            let left = random_tree(numbers, atoms, first);
            let right = random_tree(numbers, atoms, temporal - 1 - first);
            Tree::Binary(operator, Box::new(left), Box::new(right))
        }
        _ => {
            let operator = numbers.one(&["&&", "||", "->", "<->"]);
            let left = random_tree(numbers, atoms, first);
            let right = random_tree(numbers, atoms, temporal - first);
            Tree::Binary(operator, Box::new(left), Box::new(right))
        }
    }
}

fn random_condition(numbers: &mut Numbers, atoms: usize, height: usize) -> Tree {
    match numbers.below(if height == 0 { 8 } else { 12 }) {
        0 => Tree::Constant(numbers.below(2) == 1),
        1 | 2 => Tree::Not(Box::new(Tree::Atom(numbers.below(atoms)))),
        3..=7 => Tree::Atom(numbers.below(atoms)),
        _ => {
            let operator = numbers.one(&["&&", "||", "->", "<->"]);
            let left = random_condition(numbers, atoms, height - 1);
            let right = random_condition(numbers, atoms, height - 1);
            Tree::Binary(operator, Box::new(left), Box::new(right))
        }
    }
}

// ---- running a monitor ----

/// A monitor for beginnings of words, and whether it says all.
fn analysis(text: &str) -> (Monitor, bool) {
    let Analysis { monitor, beyond } = analyse(&formula(text)).expect(text);
    (monitor, beyond.is_none())
}

struct Runner<'a> {
    monitor: &'a Monitor,
    /// For each of the monitor's atoms its bit in a letter.
    bits: Vec<usize>,
}

impl<'a> Runner<'a> {
    fn new(monitor: &'a Monitor) -> Self {
        let bit = |atom| NAMES.iter().position(|it| *it == super::name(atom)).unwrap();
        Runner { monitor, bits: monitor.atoms.iter().map(bit).collect() }
    }

    fn holds(&self, guard: &Guard, letter: usize) -> bool {
        let atom = |index: usize| letter >> self.bits[index] & 1 == 1;
        match guard {
            Guard::True => true,
            Guard::Atom(index, value) => atom(*index) == *value,
            Guard::And(left, right) => self.holds(left, letter) && self.holds(right, letter),
            Guard::Or(left, right) => self.holds(left, letter) || self.holds(right, letter),
            Guard::Choice(index, yes, no) => {
                self.holds(if atom(*index) { yes } else { no }, letter)
            }
        }
    }

    /// Where exactly one move leads.
    fn after(&self, state: usize, letter: usize) -> Target {
        let moves = &self.monitor.states[state];
        let possible: Vec<_> = moves.iter().filter(|it| self.holds(&it.guard, letter)).collect();
        assert_eq!(possible.len(), 1, "moves of {state} on {letter}:\n{}", shown(self.monitor));
        possible[0].target
    }

    fn violated_by(&self, mut word: impl Iterator<Item = usize>) -> bool {
        let after = |target, letter| match target {
            Target::State(state) => Some(self.after(state, letter)),
            Target::Violated => None,
        };
        let end = word.try_fold(Target::State(0), after);
        end.is_none_or(|it| it == Target::Violated)
    }

    /// No two states are violated by the same words, judged by words up to the number of states.
    fn is_minimal(&self, atoms: usize) -> bool {
        let count = self.monitor.states.len();
        let mut blocks = vec![0; count];
        for _ in 0..count {
            let look = |state: usize| -> Vec<usize> {
                let block = |letter| match self.after(state, letter) {
                    Target::State(state) => blocks[state],
                    Target::Violated => count,
                };
                (0..1 << atoms).map(block).chain([blocks[state]]).collect()
            };
            let looks: Vec<_> = (0..count).map(look).collect();
            blocks =
                looks.iter().map(|it| looks.iter().position(|same| same == it).unwrap()).collect();
        }
        blocks.iter().enumerate().all(|(state, &block)| state == block)
    }
}

// ---- comparison ----

fn compare(tree: &Tree, atoms: usize, lassos: &[Lasso], prefix: usize) -> bool {
    let text = tree.text();
    let (monitor, safety) = analysis(&text);
    let runner = Runner::new(&monitor);
    let mut good = std::collections::BTreeSet::new();
    let mut witness = None;
    for lasso in lassos {
        if lasso.truth(tree)[0] {
            good.extend((0..=prefix).map(|length| first(lasso, length)));
        } else if !runner.violated_by(around(lasso, &monitor)) {
            witness = witness.or(Some(lasso));
        }
    }
    let mut words = vec![vec![]];
    for _ in 0..prefix {
        words = longer(&words, atoms);
        for word in &words {
            let bad = runner.violated_by(word.iter().copied());
            assert_eq!(bad, !good.contains(word), "{text} on {word:?}\n{}", shown(&monitor));
        }
    }
    assert_eq!(safety, witness.is_none(), "{text}: {:?}", witness.map(|it| &it.letters));
    assert!(runner.is_minimal(atoms), "{text}:\n{}", shown(&monitor));
    safety
}

fn first(lasso: &Lasso, length: usize) -> Vec<usize> {
    (0..length).map(|position| lasso.letter(position)).collect()
}

/// Enough of an infinite word for the monitor to be violated if it ever is.
fn around<'a>(lasso: &'a Lasso, monitor: &Monitor) -> impl Iterator<Item = usize> + 'a {
    let length = lasso.letters.len() * (monitor.states.len() + 1);
    (0..length).map(|position| lasso.letter(position))
}

fn compare_many(count: usize, atoms: usize, most: usize, prefix: usize, temporal: usize) {
    let lassos = lassos(atoms, most);
    let mut safe = 0;
    for seed in 0..count {
        let mut numbers = Numbers::new((seed * 4 + atoms) as u64);
        let temporal = 1 + numbers.below(temporal);
        let tree = random_tree(&mut numbers, atoms, temporal);
        safe += usize::from(compare(&tree, atoms, &lassos, prefix));
    }
    assert!(safe > count / 5 && safe < count * 4 / 5, "{safe} of {count} are safety properties");
}

#[test]
fn random_formulas_over_two_atoms() {
    compare_many(400, 2, 5, 2, 3);
}

#[test]
fn random_formulas_on_longer_words() {
    compare_many(60, 2, 6, 3, 3);
}

#[test]
fn random_formulas_over_three_atoms() {
    compare_many(100, 3, 4, 2, 2);
}
