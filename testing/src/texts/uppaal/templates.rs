//! Templates of random UPPAAL models, and the processes made from them.

use super::generate::Generator;
use super::model::{Declaration, Edge, Location, Template};
use super::scope::{Channel, Place, Scope};
use crate::texts::parts::{Expression, Part, Piece};

/// Where an argument comes from.
enum Argument {
    /// A number up to this one.
    Number(i32),
    /// Something that all processes share.
    Shared(String),
}

impl Generator {
    pub(super) fn templates(&mut self) {
        let count = self.numbers.between(1, 3);
        for i in 0..count {
            let template = self.template(format!("T{i}"), count);
            self.model.templates.push(template);
            self.locals = Scope::default();
        }
        self.model.priorities = self.features.process_priorities;
    }

    fn template(&mut self, name: String, count: i32) -> Template {
        let mut template = Template { name, ..Template::default() };
        let arguments = match self.features.parameters {
            true => self.parameters(&mut template),
            false => Vec::new(),
        };
        self.instances(&mut template, &arguments, count);
        if self.numbers.chance(35) {
            let line = self.variable(false);
            template.declarations.push(Declaration::line(line));
        }
        if self.features.clocks && self.numbers.chance(35) {
            let name = self.name("x");
            template.declarations.push(Declaration::line(format!("clock {name}")));
            self.locals.clocks.push(vec![Piece::Text(name)]);
        }
        self.locations(&mut template);
        self.edges(&mut template);
        template
    }

    /// Parameters of all kinds, and what is passed for them.
    fn parameters(&mut self, template: &mut Template) -> Vec<Argument> {
        let mut arguments = Vec::new();
        for _ in 0..self.numbers.between(0, 2) {
            let name = self.name("p");
            let (text, argument) = match self.numbers.below(6) {
                0 => self.channel_parameter(&name),
                1 => self.reference(&name),
                2 => self.clock_parameter(&name),
                _ => None,
            }
            .unwrap_or_else(|| self.number_parameter(&name));
            template.parameters.push(text);
            arguments.push(argument);
        }
        arguments
    }

    fn number_parameter(&mut self, name: &str) -> (String, Argument) {
        let high = self.numbers.between(1, 2);
        self.locals.constants.push(Place::plain(name, 0, high));
        (format!("const int[0,{high}] {name}"), Argument::Number(high))
    }

    fn channel_parameter(&mut self, name: &str) -> Option<(String, Argument)> {
        let single = |channel: &&Channel| channel.pieces.len() == 1;
        let all: Vec<Channel> = self.globals.channels.iter().filter(single).cloned().collect();
        let channel = self.numbers.pick(&all)?.clone();
        let [Piece::Text(global)] = &channel.pieces[..] else { return None };
        let text = format!("{}chan &{name}", channel.prefix());
        let argument = Argument::Shared(global.clone());
        self.locals.channels.push(Channel { pieces: vec![Piece::Text(name.into())], ..channel });
        Some((text, argument))
    }

    fn reference(&mut self, name: &str) -> Option<(String, Argument)> {
        let plain = |place: &&Place| place.name().is_some_and(|name| !name.contains('.'));
        let small = |place: &&Place| place.low == 0 && place.high > 1 && place.high <= 3;
        let all = self.globals.places.iter().filter(plain).filter(small);
        let all: Vec<Place> = all.cloned().collect();
        let place = self.numbers.pick(&all)?.clone();
        self.locals.places.push(Place::plain(name, place.low, place.high));
        let text = format!("int[{},{}] &{name}", place.low, place.high);
        Some((text, Argument::Shared(place.name()?.into())))
    }

    fn clock_parameter(&mut self, name: &str) -> Option<(String, Argument)> {
        let clock = self.globals.clocks.first()?.clone();
        let [Piece::Text(global)] = &clock[..] else { return None };
        self.locals.clocks.push(vec![Piece::Text(name.into())]);
        Some((format!("clock &{name}"), Argument::Shared(global.clone())))
    }

    /// One process or two; or as many as the parameters have values.
    fn instances(&mut self, template: &mut Template, arguments: &[Argument], templates: i32) {
        let numbers: Vec<i32> = arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Number(high) => Some(*high),
                Argument::Shared(_) => None,
            })
            .collect();
        let is_small = numbers.len() == arguments.len() && numbers.len() < 2;
        if is_small && self.numbers.chance(40) {
            return;
        }
        let most = if templates > 2 { 1 } else { 2 };
        for _ in 0..self.numbers.between(1, most) {
            let name = self.name("P");
            let values = arguments.iter().map(|argument| match argument {
                Argument::Number(high) => self.numbers.between(0, *high).to_string(),
                Argument::Shared(name) => name.clone(),
            });
            let values = values.collect();
            template.instances.push((name, values));
        }
    }

    fn locations(&mut self, template: &mut Template) {
        for i in 0..self.numbers.between(1, 5) {
            let mut location = Location { name: format!("l{i}"), ..Location::default() };
            if self.features.kinds && self.numbers.chance(25) {
                location.kind = self.word(&["commit", "urgent"]);
            }
            if self.features.clocks && self.numbers.chance(25) {
                location.invariant.extend(self.invariant());
            }
            if self.numbers.chance(4) {
                location.invariant.push(self.condition(1));
            }
            template.locations.push(location);
        }
        template.initial = match self.numbers.chance(80) {
            true => 0,
            false => self.numbers.below(template.locations.len()),
        };
    }

    fn invariant(&mut self) -> Option<Expression> {
        if self.features.stopwatches && self.numbers.chance(50) {
            let clock = self.clock()?;
            return Some(Expression(vec![clock.into(), "' == 0".into()]));
        }
        if self.numbers.chance(10) {
            return self.constraint(true);
        }
        let clock = self.clock()?;
        let relation = if self.features.strict { self.word(&[" <= ", " < "]) } else { " <= " };
        let bound = Expression::leaf(self.numbers.between(1, 4).to_string());
        Some(Expression(vec![clock.into(), relation.into(), bound.into()]))
    }

    /// A way to most locations, and some edges more, in any order.
    fn edges(&mut self, template: &mut Template) {
        let count = template.locations.len();
        let mut ends = Vec::new();
        for target in (0..count).filter(|i| *i != template.initial) {
            if self.numbers.chance(80) {
                let source =
                    if target == 0 { template.initial } else { self.numbers.below(target) };
                ends.push((source, target));
            }
        }
        for _ in 0..self.numbers.between(0, 4) {
            ends.push((self.numbers.below(count), self.numbers.below(count)));
        }
        for i in (1..ends.len()).rev() {
            ends.swap(i, self.numbers.below(i + 1));
        }
        for (source, target) in ends {
            let name = |i: usize| template.locations[i].name.clone();
            let edge = self.edge(name(source), name(target));
            template.edges.push(edge);
        }
    }

    fn edge(&mut self, source: String, target: String) -> Edge {
        let mut edge = Edge { source, target, ..Edge::default() };
        if self.features.bare && self.numbers.chance(60) {
            return edge;
        }
        let outer = self.locals.clone();
        if self.numbers.chance(12) {
            let (name, high) = (self.name("i"), self.numbers.between(1, 2));
            edge.selects.push(format!("{name} : int[0,{high}]"));
            self.locals.constants.push(Place::plain(&name, 0, high));
        }
        if self.numbers.chance(35) {
            let condition = self.condition(1);
            edge.guard.push(condition);
        }
        let closed = self.synchronise(&mut edge);
        if self.features.clocks && self.numbers.chance(40) && (!closed || self.features.negated) {
            edge.guard.extend(self.constraint(true));
        }
        for _ in 0..self.numbers.between(0, 2) {
            edge.assignments.extend(self.assignment());
        }
        if self.features.clocks && self.numbers.chance(30) {
            edge.assignments.extend(self.reset());
        }
        self.locals = outer;
        edge
    }

    fn reset(&mut self) -> Option<Vec<Part>> {
        let clock = self.clock()?;
        let value = if self.numbers.chance(80) { 0 } else { self.numbers.between(0, 3) };
        Some(vec![clock.into(), format!(" = {value}").into()])
    }

    /// Gives an edge a channel, sometimes; whether clock guards there are hard.
    fn synchronise(&mut self, edge: &mut Edge) -> bool {
        let channels = self.channels();
        let Some(channel) = self.numbers.pick(&channels).cloned() else { return false };
        if self.numbers.chance(50) {
            return false;
        }
        let mut parts = self.spell(&channel.pieces).0;
        let sends = self.numbers.chance(50);
        parts.push(if sends { "!" } else { "?" }.into());
        edge.sync = Some(parts);
        channel.urgent || channel.broadcast && !sends
    }
}
