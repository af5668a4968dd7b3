//! Never claims and formulas of random programs.

use super::{Construct, Generator};
use crate::texts::parts::Part;
use crate::texts::program::{Statement, Unit};

impl Generator<'_> {
    /// A claim about global values, sometimes.
    pub(super) fn claim(&mut self) {
        if !self.sometimes(Construct::Claim) {
            return;
        }
        self.locals = Default::default();
        if self.numbers.chance(50) {
            let body = self.automaton();
            self.program.units.push(Unit::Body { head: vec![Part::text("never")], body });
            return;
        }
        let (first, second) = (self.fact(), self.fact());
        let formula = match self.numbers.below(4) {
            0 => vec!["[] ".into(), first],
            1 => vec!["[] (".into(), first, " -> ".into(), second, ")".into()],
            2 => vec![first, " W ".into(), second],
            _ => vec!["! (".into(), first, " U ".into(), second, ")".into()],
        };
        let formula: Vec<String> = formula.iter().map(Part::to_string).collect();
        self.line(format!("ltl {{ {} }}", formula.concat()));
    }

    /// A condition on global variables in parentheses.
    fn fact(&mut self) -> Part {
        let places = self.places(|kind| !kind.is_symbol());
        let Some(place) = self.numbers.pick(&places).cloned() else { return "(true)".into() };
        let (place, value) = (self.spell(&place.pieces), self.numbers.between(0, 2));
        let relation = self.numbers.pick(&["==", "!=", ">"]).copied().unwrap_or("==");
        format!("({place} {relation} {value})").into()
    }

    /// Waits for one fact after the other, and comes to its end.
    fn automaton(&mut self) -> Vec<Statement> {
        let mut body = Vec::new();
        for _ in 0..self.numbers.between(1, 2) {
            let fact = Statement::Simple(vec![self.fact()]);
            let otherwise = self.numbers.pick(&["else", "true"]).copied().unwrap_or("true");
            let options =
                vec![vec![fact, Statement::text("break")], vec![Statement::text(otherwise)]];
            body.push(Statement::Choice("do", options));
        }
        body
    }
}
