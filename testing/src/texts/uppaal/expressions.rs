//! Expressions, constraints and assignments of random UPPAAL models.

use super::generate::Generator;
use super::scope::{Function, Place};
use crate::texts::parts::{Expression, Part};

const EXTREME: [&str; 8] =
    ["2147483647", "-2147483648", "-2147483647", "32767", "-32768", "32768", "65536", "1000000000"];
const RELATIONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];

/// Parts one after the other.
pub(super) fn tree<const N: usize>(parts: [Part; N]) -> Expression {
    Expression(parts.into())
}

impl Generator {
    /// Any number.
    pub(super) fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.numbers.chance(45) {
            return self.leaf();
        }
        let left = self.expression(depth - 1);
        match self.numbers.below(12) {
            0 => return self.unary(left),
            1 => return self.quotient(left),
            2 => {
                let (condition, right) = (self.condition(depth - 1), self.expression(depth - 1));
                let parts = ["(".into(), condition.into(), " ? ".into(), left.into()];
                let rest = [" : ".into(), right.into(), ")".into()];
                return Expression(parts.into_iter().chain(rest).collect());
            }
            3 => {
                if let Some(call) = self.call(true, depth - 1) {
                    return Expression(call);
                }
            }
            _ => {}
        }
        const OPERATORS: [&str; 13] =
            ["+", "+", "-", "-", "*", "&", "|", "^", "<?", ">?", "==", "<", "+"];
        let operator = self.word(&OPERATORS);
        let right = self.expression(depth - 1);
        tree(["(".into(), left.into(), format!(" {operator} ").into(), right.into(), ")".into()])
    }

    fn leaf(&mut self) -> Expression {
        if self.features.extreme && self.numbers.chance(20) {
            return Expression::leaf(self.word(&EXTREME));
        }
        let places = self.readable();
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(65) => self.spell(&place.pieces),
            _ => Expression::leaf(self.numbers.between(0, 3).to_string()),
        }
    }

    fn unary(&mut self, inner: Expression) -> Expression {
        let (before, after) = match self.numbers.below(4) {
            0 => ("-(", ")"),
            1 => ("!(", ")"),
            2 => ("((", ") << 1)"),
            _ => ("((", ") >> 1)"),
        };
        tree([before.into(), inner.into(), after.into()])
    }

    /// By a number other than 0, mostly.
    fn quotient(&mut self, left: Expression) -> Expression {
        let operator = self.word(&[" / ", " % "]);
        let right = match self.features.wild && self.numbers.chance(40) {
            true => self.leaf(),
            false => Expression::leaf(self.numbers.between(1, 3).to_string()),
        };
        tree(["(".into(), left.into(), operator.into(), right.into(), ")".into()])
    }

    /// Whether something holds, without clocks.
    pub(super) fn condition(&mut self, depth: u32) -> Expression {
        if depth > 0 && self.features.quantifiers && self.numbers.chance(15) {
            return self.quantified(depth);
        }
        if depth > 0 && self.numbers.chance(20) {
            let operator = self.word(&[" && ", " || ", " imply "]);
            let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
            return tree(["(".into(), left.into(), operator.into(), right.into(), ")".into()]);
        }
        let left = self.subject(depth);
        let relation = self.word(&RELATIONS);
        let right = match self.numbers.chance(70) {
            true => Expression::leaf(self.numbers.between(0, 2).to_string()),
            false => self.expression(depth.saturating_sub(1)),
        };
        tree(["(".into(), left.into(), format!(" {relation} ").into(), right.into(), ")".into()])
    }

    /// What a condition is about: not just a number.
    fn subject(&mut self, depth: u32) -> Expression {
        let places = self.places();
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(60) => self.spell(&place.pieces),
            _ => self.expression(depth),
        }
    }

    fn quantified(&mut self, depth: u32) -> Expression {
        let name = self.name("i");
        self.locals.constants.push(Place::plain(&name, 0, 1));
        let inner = self.condition(depth - 1);
        self.locals.constants.pop();
        let quantifier = self.word(&["forall", "exists"]);
        let head = format!("({quantifier} ({name} : int[0,1]) ");
        tree([head.into(), inner.into(), ")".into()])
    }

    /// The call of a function that returns a value, or of one that does not.
    fn call(&mut self, is_pure: bool, depth: u32) -> Option<Vec<Part>> {
        let all: Vec<Function> =
            self.globals.functions.iter().filter(|it| it.is_pure == is_pure).cloned().collect();
        let function = self.numbers.pick(&all)?.clone();
        let mut parts: Vec<Part> = vec![format!("{}(", function.name).into()];
        for i in 0..function.parameters {
            parts.extend((i > 0).then(|| ", ".into()));
            parts.push(self.expression(depth).into());
        }
        parts.push(")".into());
        Some(parts)
    }

    /// A constraint on a clock or on a difference of clocks.
    pub(super) fn constraint(&mut self, diagonal: bool) -> Option<Expression> {
        let mut left: Vec<Part> = vec![self.clock()?.into()];
        let diagonal = diagonal && self.features.diagonals && self.numbers.chance(35);
        if diagonal {
            left.extend([" - ".into(), self.clock()?.into()]);
        }
        let relations: &[&str] = match self.features.strict {
            true => &["<=", ">=", "==", "<", ">"],
            false => &["<=", ">=", "=="],
        };
        let relation = self.numbers.pick(relations).copied()?;
        let bound = self.bound(diagonal);
        Some(match self.numbers.chance(80) {
            true => {
                left.extend([format!(" {relation} ").into(), bound.into()]);
                Expression(left)
            }
            false => {
                let mut parts = vec![bound.into(), format!(" {} ", mirrored(relation)).into()];
                parts.extend(left);
                Expression(parts)
            }
        })
    }

    /// What a clock is compared with.
    fn bound(&mut self, diagonal: bool) -> Expression {
        if self.features.extreme && self.numbers.chance(20) {
            const FAR: [&str; 6] =
                ["2147483647", "-2147483648", "-2147483647", "50000000", "-1", "1000000"];
            return Expression::leaf(self.word(&FAR));
        }
        let small = |place: &Place| place.low >= 0 && place.high <= 3;
        let places: Vec<Place> = self.readable().into_iter().filter(small).collect();
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(20) => self.spell(&place.pieces),
            _ => {
                let low = if diagonal { -2 } else { 0 };
                Expression::leaf(self.numbers.between(low, 4).to_string())
            }
        }
    }

    /// Something that an edge or function does.
    pub(super) fn assignment(&mut self) -> Option<Vec<Part>> {
        if self.numbers.chance(15)
            && let Some(call) = self.call(false, 1)
        {
            return Some(call);
        }
        if !self.globals.structs.is_empty() && self.numbers.chance(8) {
            return Some(vec!["s = t".into()]);
        }
        let places = self.places();
        let place = self.numbers.pick(&places)?.clone();
        let target = self.spell(&place.pieces);
        if self.features.wild && self.numbers.chance(25) {
            return Some(vec![target.into(), self.word(&["++", "--", " += 1", " -= 2"]).into()]);
        }
        let value = self.value(&place);
        Some(vec![target.into(), " = ".into(), value.into()])
    }

    /// A value that fits, mostly.
    fn value(&mut self, place: &Place) -> Expression {
        if self.features.wild && self.numbers.chance(40) {
            return self.expression(2);
        }
        let fits = |other: &Place| other.low >= place.low && other.high <= place.high;
        let others: Vec<Place> = self.readable().into_iter().filter(fits).collect();
        let other = self.numbers.pick(&others).cloned();
        match (self.numbers.below(10), other) {
            (0..=2, Some(other)) => self.spell(&other.pieces),
            (3 | 4, _) if place.low == 0 && place.high <= 3 => {
                let inner = self.spell(&place.pieces);
                let end = format!(" + 1) % {}", place.high + 1);
                tree(["(".into(), inner.into(), end.into()])
            }
            (5, _) => {
                let condition = self.condition(1);
                let (yes, no) = (self.literal(place), self.literal(place));
                tree([condition.into(), " ? ".into(), yes.into(), " : ".into(), no.into()])
            }
            _ => self.literal(place),
        }
    }

    fn literal(&mut self, place: &Place) -> Expression {
        Expression::leaf(self.within(place.low, place.high).to_string())
    }
}

fn mirrored(relation: &str) -> &str {
    match relation {
        "<" => ">",
        "<=" => ">=",
        ">" => "<",
        ">=" => "<=",
        same => same,
    }
}
