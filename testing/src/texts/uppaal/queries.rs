//! Questions about random UPPAAL models.

use super::expressions::tree;
use super::generate::Generator;
use super::model::Template;
use crate::texts::parts::{Expression, Part};

impl Generator {
    /// A question, mostly about where processes can be; or about errors, where there may be some.
    pub(super) fn ask(&mut self) {
        if self.features.wild && self.numbers.chance(20) {
            return;
        }
        let goal = self.goal();
        if self.numbers.chance(50) {
            self.model.query = Some(goal);
            return;
        }
        self.model.quantifier = "A[]";
        self.model.query = Some(match self.numbers.chance(85) {
            true => tree(["not (".into(), goal.into(), ")".into()]),
            false => goal,
        });
    }

    fn goal(&mut self) -> Expression {
        let mut goal = self.atom();
        for _ in 0..self.numbers.between(0, 2) {
            let operator = self.word(&[" && ", " && ", " && ", " || ", " imply "]);
            let other = self.atom();
            let parts: [Part; 5] =
                ["(".into(), goal.into(), operator.into(), other.into(), ")".into()];
            goal = tree(parts);
        }
        goal
    }

    fn atom(&mut self) -> Expression {
        let atom = match self.numbers.below(10) {
            0 if self.features.deadlock => Some(Expression::leaf("deadlock")),
            0..=5 => self.somewhere(),
            6 if self.features.clocks => self.constraint(true),
            _ => None,
        };
        let atom = atom.unwrap_or_else(|| self.condition(1));
        match self.numbers.chance(10) {
            true => tree(["not (".into(), atom.into(), ")".into()]),
            false => atom,
        }
    }

    /// A process in a location, mostly one that is not the first.
    fn somewhere(&mut self) -> Option<Expression> {
        let templates = self.model.templates.clone();
        let template = self.numbers.pick(&templates)?;
        let last = template.locations.len() - 1;
        let at = if self.numbers.chance(60) { last } else { self.numbers.below(last + 1) };
        let location = &template.locations[at].name;
        let process = self.process(template)?;
        Some(Expression::leaf(format!("{process}.{location}")))
    }

    fn process(&mut self, template: &Template) -> Option<String> {
        match (&template.instances[..], &template.parameters[..]) {
            ([], []) => Some(template.name.clone()),
            ([], _) => Some(format!("{}({})", template.name, self.numbers.below(2))),
            (instances, _) => self.numbers.pick(instances).map(|(name, _)| name.clone()),
        }
    }
}
