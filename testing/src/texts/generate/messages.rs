//! Messages of random programs.

use super::scope::{Channel, Field, Kind};
use super::{Construct, Generator, Spot};
use crate::texts::parts::{Expression, Part};
use crate::texts::program::Statement;

impl Generator<'_> {
    /// A channel to talk through; in a `d_step` one that surely has a buffer.
    fn partner(&mut self, spot: Spot) -> Option<Channel> {
        let wild = self.often(Construct::Wild) || self.sometimes(Construct::Reply);
        let fits = |channel: &Channel| {
            let buffered = channel.capacity.is_some_and(|capacity| capacity > 0);
            (!channel.variable || wild) && (!spot.in_d_step || buffered)
        };
        let channels = self.channels(fits);
        self.numbers.pick(&channels).cloned()
    }

    /// The name of some channel of a shape.
    pub(super) fn channel_of(&mut self, shape: usize) -> Option<Expression> {
        let channels = self.channels(|channel| channel.shape == shape && !channel.variable);
        let channel = self.numbers.pick(&channels)?.clone();
        Some(self.spell(&channel.pieces))
    }

    /// A channel stored in a channel variable.
    pub(super) fn channel_value(&mut self) -> Option<Statement> {
        let variables = self.channels(|channel| channel.variable);
        let variable = self.numbers.pick(&variables)?.clone();
        let channel = self.channel_of(variable.shape)?;
        let mut parts = self.spell(&variable.pieces).0;
        parts.push(" = ".into());
        parts.extend(channel.0);
        Some(Statement::Simple(parts))
    }

    pub(super) fn send(&mut self, spot: Spot) -> Option<Statement> {
        let channel = self.partner(spot)?;
        let fields = self.fields(&channel, |generator, field| generator.sent(field))?;
        let operator = if self.numbers.chance(15) { "!!" } else { "!" };
        self.message(&channel, operator, fields, "")
    }

    pub(super) fn receive(&mut self, spot: Spot) -> Option<Statement> {
        let channel = self.partner(spot)?;
        let fields = self.fields(&channel, |generator, field| generator.received(field, true))?;
        let random = self.numbers.chance(15);
        let copy = self.numbers.chance(12) && channel.capacity != Some(0);
        let (operator, end) = match (random, copy) {
            (false, false) => ("?", ""),
            (true, false) => ("??", ""),
            (false, true) => ("?<", ">"),
            (true, true) => ("??<", ">"),
        };
        let statement = self.message(&channel, operator, fields, end)?;
        let Statement::Simple(parts) = &statement else { return None };
        let text = Expression(parts.clone()).to_string();
        self.is_reversible(&text).then_some(statement)
    }

    /// Hands over a channel and waits for the reply, or takes such a channel and replies.
    pub(super) fn exchange(&mut self) -> Option<Statement> {
        let carries = |shape: usize| {
            self.shapes[shape].fields.iter().any(|field| matches!(field, Field::Channel(_)))
        };
        let requests = self.channels(|channel| !channel.variable && carries(channel.shape));
        let request = self.numbers.pick(&requests)?.clone();
        let asks = self.numbers.chance(50);
        let fits = |it: &&Channel| it.shape == 0 && it.variable != asks;
        let replies: Vec<Channel> = self.locals.channels.iter().filter(fits).cloned().collect();
        let reply = self.numbers.pick(&replies)?.clone();
        let handed = self.spell(&reply.pieces);
        let mut both = |generator: &mut Self, field| match field {
            Field::Channel(_) => Some(handed.clone()),
            field if asks => generator.sent(field),
            field => generator.received(field, true),
        };
        let fields = self.fields(&request, &mut both)?;
        let first = self.message(&request, if asks { "!" } else { "?" }, fields, "")?;
        let fields = self.fields(&reply, |generator, field| match asks {
            true => generator.received(field, true),
            false => generator.sent(field),
        })?;
        let second = self.message(&reply, if asks { "?" } else { "!" }, fields, "")?;
        let receive = if asks { &second } else { &first };
        let Statement::Simple(parts) = receive else { return None };
        let fine = self.is_reversible(&Expression(parts.clone()).to_string());
        fine.then(|| Statement::Block("", vec![first, second]))
    }

    /// Whether no name occurs twice. Spin refuses a receive that stores two fields in one variable;
    /// and if a variable that is stored to is also an index or in an `eval`, its verifiers undo the
    /// step with the new value instead of the old one, and go on with a wrong state.
    fn is_reversible(&self, text: &str) -> bool {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        let named = |word: &&str| word.starts_with(|c: char| c.is_alphabetic()) && *word != "eval";
        let constant =
            |word: &&str| self.mtypes.iter().chain(&self.subtypes).any(|name| name == word);
        let mut names: Vec<_> = words.filter(named).filter(|word| !constant(word)).collect();
        names.sort_unstable();
        names.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// Whether a message is there, without taking it.
    pub(super) fn poll(&mut self) -> Expression {
        let buffered = self.channels(|channel| channel.capacity.is_some_and(|c| c > 0));
        let Some(channel) = self.numbers.pick(&buffered).cloned() else {
            return Expression::leaf("1");
        };
        let operator = if self.numbers.chance(25) { "??[" } else { "?[" };
        let fields = self.fields(&channel, |generator, field| generator.received(field, false));
        let mut parts = self.spell(&channel.pieces).0;
        parts.push(operator.into());
        parts.extend(separated(fields.unwrap_or_default(), false));
        parts.push("]".into());
        Expression(parts)
    }

    fn fields(
        &mut self,
        channel: &Channel,
        mut make: impl FnMut(&mut Self, Field) -> Option<Expression>,
    ) -> Option<Vec<Expression>> {
        let fields = self.shapes[channel.shape].fields.clone();
        fields.into_iter().map(|field| make(self, field)).collect()
    }

    fn message(
        &mut self,
        channel: &Channel,
        operator: &str,
        fields: Vec<Expression>,
        end: &str,
    ) -> Option<Statement> {
        let mut parts = self.spell(&channel.pieces).0;
        parts.push(operator.into());
        let call = fields.len() > 1 && self.numbers.chance(15);
        parts.extend(separated(fields, call));
        parts.push(end.into());
        Some(Statement::Simple(parts))
    }

    fn sent(&mut self, field: Field) -> Option<Expression> {
        match field {
            Field::Number(kind) => Some(self.value(kind)),
            Field::Channel(shape) => self.channel_of(shape),
            Field::Struct(i) => self.struct_of(i),
        }
    }

    fn struct_of(&mut self, i: usize) -> Option<Expression> {
        let all = self.globals.structs.iter().chain(&self.locals.structs);
        let all: Vec<_> = all.filter(|it| it.1 == i).cloned().collect();
        self.numbers.pick(&all).map(|(name, _)| Expression::leaf(name))
    }

    fn received(&mut self, field: Field, stored: bool) -> Option<Expression> {
        match field {
            Field::Number(kind) => Some(self.received_number(kind, stored)),
            Field::Channel(shape) if stored && self.sometimes(Construct::Reply) => {
                let fits = |channel: &Channel| channel.variable && channel.shape == shape;
                let variables = self.channels(fits);
                let variable = self.numbers.pick(&variables).cloned();
                Some(variable.map_or(Expression::leaf("_"), |it| self.spell(&it.pieces)))
            }
            Field::Channel(_) => Some(Expression::leaf("_")),
            // A struct stands for all its fields, so `_` would be too few.
            Field::Struct(i) => self.struct_of(i),
        }
    }

    fn received_number(&mut self, kind: Kind, stored: bool) -> Expression {
        let same = |other: Kind| match kind.is_symbol() {
            true => other == kind,
            false => !other.is_symbol(),
        };
        let places = self.places(same);
        let place = self.numbers.pick(&places).cloned();
        match (self.numbers.below(10), place) {
            (0..=5, Some(place)) if stored => self.spell(&place.pieces),
            (6 | 7, Some(place)) => {
                let inner = self.spell(&place.pieces);
                Expression(vec!["eval(".into(), inner.into(), ")".into()])
            }
            (8, _) if stored => Expression::leaf("_"),
            _ if kind.is_symbol() => self.mtype_name(kind),
            _ => Expression::leaf(self.numbers.between(0, 2).to_string()),
        }
    }
}

/// Fields with commas, or the first with the others in parentheses.
fn separated(fields: Vec<Expression>, call: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    for (field, i) in fields.into_iter().zip(0..) {
        match i {
            0 => {}
            1 if call => parts.push("(".into()),
            _ => parts.push(", ".into()),
        }
        parts.push(field.into());
    }
    parts.extend(call.then(|| ")".into()));
    parts
}
