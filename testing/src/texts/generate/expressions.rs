//! Expressions of random programs.

use super::scope::{Channel, Kind, Place};
use super::{Construct, Generator};
use crate::texts::parts::{Expression, Piece, spell};

impl Generator<'_> {
    /// A place or channel with its indices. Where it must stay one, only its parts go into the tree.
    pub(super) fn spell(&mut self, pieces: &[Piece]) -> Expression {
        spell(pieces, |length| self.index(length))
    }

    fn index(&mut self, length: u32) -> Expression {
        let plain: fn(&Place) -> bool = |place| place.pieces.len() == 1;
        let natural = self.places(Kind::is_natural);
        let natural: Vec<_> = natural.into_iter().filter(plain).collect();
        let chosen = self.numbers.pick(&natural).cloned();
        match (chosen, self.numbers.below(10)) {
            (Some(place), 0..=3) => {
                let inner = self.spell(&place.pieces);
                if self.often(Construct::Wild) {
                    return inner;
                }
                Expression(vec!["(".into(), inner.into(), format!(" % {length})").into()])
            }
            (_, 4) => Expression::leaf(format!("(_pid % {length})")),
            _ => Expression::leaf(self.numbers.below(length as usize).to_string()),
        }
    }

    /// A value for a variable: small unless the variable is.
    pub(super) fn value(&mut self, kind: Kind) -> Expression {
        if kind.is_symbol() {
            return self.symbol(kind);
        }
        if self.numbers.chance(40) {
            return Expression::leaf(self.numbers.between(0, 2).to_string());
        }
        let inner = self.expression(2);
        if kind.is_narrow() || self.often(Construct::Wild) {
            return inner;
        }
        let modulus = self.numbers.between(2, 3);
        Expression(vec!["(".into(), inner.into(), format!(") % {modulus}").into()])
    }

    /// An `mtype` value.
    fn symbol(&mut self, wanted: Kind) -> Expression {
        let places = self.places(|kind| kind == wanted);
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(40) => self.spell(&place.pieces),
            _ => self.mtype_name(wanted),
        }
    }

    /// The name of an `mtype` value.
    pub(super) fn mtype_name(&mut self, kind: Kind) -> Expression {
        let names = if kind == Kind::Subtype { &self.subtypes } else { &self.mtypes };
        let name = self.numbers.pick(names).cloned();
        Expression::leaf(name.unwrap_or("1".into()))
    }

    /// A value for a parameter: for an `mtype`, Spin does not take a variable.
    pub(super) fn argument(&mut self, kind: Kind) -> Expression {
        if kind.is_symbol() { self.mtype_name(kind) } else { self.value(kind) }
    }

    /// Any number.
    pub(super) fn expression(&mut self, depth: u32) -> Expression {
        if depth == 0 || self.numbers.chance(45) {
            return self.leaf();
        }
        let left = self.expression(depth - 1);
        if self.numbers.chance(12) {
            return self.unary(left);
        }
        let right = self.expression(depth - 1);
        if self.numbers.chance(8) {
            let condition = self.expression(depth - 1);
            let parts = ["(".into(), condition.into(), " -> ".into(), left.into(), " : ".into()];
            let rest = [right.into(), ")".into()];
            return Expression(parts.into_iter().chain(rest).collect());
        }
        const OPERATORS: [&str; 13] =
            ["+", "+", "-", "*", "&", "|", "^", "==", "!=", "<", "<=", "&&", "||"];
        let operator = self.numbers.pick(&OPERATORS).copied().unwrap_or("+");
        self.binary(left, operator, right)
    }

    fn unary(&mut self, inner: Expression) -> Expression {
        let (before, after) = match self.numbers.below(7) {
            0 => ("-(", ")"),
            1 => ("~(", ")"),
            2 => ("!(", ")"),
            3 => ("((", ") / 2)"),
            4 => ("((", ") % 3)"),
            5 => ("((", ") << 1)"),
            _ => ("((", ") >> 1)"),
        };
        Expression(vec![before.into(), inner.into(), after.into()])
    }

    fn binary(&mut self, left: Expression, operator: &str, right: Expression) -> Expression {
        let operator = format!(" {operator} ");
        Expression(vec!["(".into(), left.into(), operator.into(), right.into(), ")".into()])
    }

    fn leaf(&mut self) -> Expression {
        if self.sometimes(Construct::Extreme) {
            const EXTREME: [&str; 8] =
                ["255", "256", "32767", "32768", "65536", "2147483647", "(-2147483647)", "-1"];
            return Expression::leaf(self.numbers.pick(&EXTREME).copied().unwrap_or("255"));
        }
        if self.sometimes(Construct::Priority) {
            return Expression::leaf("get_priority(_pid)");
        }
        let places = self.places(|_| true);
        let chosen = self.numbers.pick(&places).cloned();
        match (self.numbers.below(20), chosen) {
            (0..=11, Some(place)) => self.spell(&place.pieces),
            (12, _) => Expression::leaf("_pid"),
            (13, _) => Expression::leaf("_nr_pr"),
            (14, _) if self.often(Construct::Remote) => self.remote(),
            (15, _) if self.often(Construct::Poll) => self.poll(),
            (16, _) => self.length(),
            (17, _) if self.weights.of(Construct::Macro) > 0 => self.macro_call(),
            _ => Expression::leaf(self.numbers.between(0, 3).to_string()),
        }
    }

    fn macro_call(&mut self) -> Expression {
        let defined = |unit: &_| matches!(unit, super::Unit::Line(l) if l.starts_with("#define"));
        if !self.program.units.iter().any(defined) {
            return Expression::leaf("1");
        }
        let inner = Expression::leaf(self.numbers.between(0, 2).to_string());
        Expression(vec!["SUM(TWO, ".into(), inner.into(), ")".into()])
    }

    fn length(&mut self) -> Expression {
        let channels = self.channels(|channel| !channel.variable);
        match self.numbers.pick(&channels).cloned() {
            Some(channel) => {
                let mut parts = vec!["len(".into()];
                parts.extend(self.spell(&channel.pieces).0);
                parts.push(")".into());
                Expression(parts)
            }
            None => Expression::leaf("1"),
        }
    }

    /// A label or variable of another process.
    fn remote(&mut self) -> Expression {
        let known = self.processes.iter().filter(|process| !process.pids.is_empty());
        let known: Vec<_> = known.cloned().collect();
        let Some(process) = self.numbers.pick(&known) else { return Expression::leaf("0") };
        let pid = self.numbers.pick(&process.pids).copied().unwrap_or(0);
        let label = self.numbers.pick(&process.labels).cloned();
        let variable = self.numbers.pick(&process.variables).cloned();
        let name = &process.name;
        match (label, variable) {
            (Some(label), _) if self.numbers.chance(60) => {
                Expression::leaf(format!("{name}[{pid}]@{label}"))
            }
            (_, Some(variable)) => Expression::leaf(format!("{name}[{pid}]:{variable}")),
            _ => Expression::leaf("1"),
        }
    }

    /// Something that can be waited for, often.
    pub(super) fn condition(&mut self, depth: u32) -> Expression {
        let left = self.expression(depth);
        if self.numbers.chance(20) {
            return left;
        }
        const RELATIONS: [&str; 6] = ["==", "!=", "<", "<=", ">", ">="];
        let relation = self.numbers.pick(&RELATIONS).copied().unwrap_or("==");
        let right = match self.numbers.chance(60) {
            true => Expression::leaf(self.numbers.between(0, 2).to_string()),
            false => self.expression(depth.saturating_sub(1)),
        };
        self.binary(left, relation, right)
    }

    /// The condition of a statement, where probes and `timeout` may stand too.
    pub(super) fn waiting(&mut self, timeout: bool) -> Expression {
        if self.sometimes(Construct::Dead) {
            return Expression::leaf("false");
        }
        let condition = self.condition(2);
        if timeout && self.often(Construct::Timeout) {
            return match self.numbers.below(3) {
                0 => Expression::leaf("timeout"),
                1 => self.binary(Expression::leaf("timeout"), "&&", condition),
                _ => self.binary(condition, "||", Expression::leaf("timeout")),
            };
        }
        let channels = self.channels(|channel| !channel.variable);
        let Some(channel) = self.numbers.pick(&channels).cloned() else { return condition };
        if !self.often(Construct::Probe) {
            return condition;
        }
        let probe = self.probe(&channel);
        match self.numbers.below(4) {
            0 => self.binary(condition, "&&", probe),
            1 => self.binary(probe, "||", condition),
            _ => probe,
        }
    }

    fn probe(&mut self, channel: &Channel) -> Expression {
        const PROBES: [&str; 4] = ["full", "empty", "nfull", "nempty"];
        let probe = self.numbers.pick(&PROBES).copied().unwrap_or("full");
        let mut parts = vec![format!("{probe}(").into()];
        parts.extend(self.spell(&channel.pieces).0);
        parts.push(")".into());
        Expression(parts)
    }
}
