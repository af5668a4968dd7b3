//! Types with no more values than occur: languages have few types, and a variable that only ever holds four
//! values may be a byte.
//!
//! These are the least intervals that have the initial values and all that is assigned, sent and received. They
//! are closed under all statements, whatever guards say, so nothing depends on the types being narrower. But a
//! part is smaller, and where its value is not known there is less to choose from.

use super::flow::{Source, Target, each_flow, fields};
use network::{ChannelKind, Id, Network, Overflow, Storage, Type, range_of};

/// After so many rounds what still grows may have all values of its type.
const MOST_ROUNDS: usize = 100;

/// Narrows the types of variables and of the fields of messages.
pub fn narrow(network: &mut Network) {
    let mut narrowing = Narrowing::of(network);
    for round in 0.. {
        network::cancellation::check();
        narrowing.widens = round >= MOST_ROUNDS;
        narrowing.grows = false;
        each_flow(network, &mut |target, source| narrowing.add(target, source));
        if !narrowing.grows {
            break;
        }
    }
    let Narrowing { narrowed, sent, .. } = narrowing;
    network.variables = narrowed.variables;
    for (channel, sent) in network.channels.iter_mut().zip(sent) {
        if let ChannelKind::Buffered { fields, .. } = &mut channel.kind {
            for (ty, sent) in fields.iter_mut().zip(sent) {
                *ty = sent.unwrap_or(part_of(*ty, (ty.zero(), ty.zero())));
            }
        }
    }
}

struct Narrowing<'a> {
    declared: &'a Network,
    /// The same with the types that variables are known to need so far.
    narrowed: Network,
    /// The types that the fields of each channel need; none as long as nothing is sent.
    sent: Vec<Vec<Option<Type>>>,
    /// Whether what grows gets its whole type.
    widens: bool,
    grows: bool,
}

impl<'a> Narrowing<'a> {
    fn of(declared: &'a Network) -> Narrowing<'a> {
        let mut narrowed = declared.clone();
        for variable in narrowed.variables.iter_mut().filter(|it| it.storage != Storage::Constant) {
            let ends = variable.initial.iter().min().zip(variable.initial.iter().max());
            if let Some((&low, &high)) = ends {
                variable.ty = part_of(variable.ty, (low, high));
            }
        }
        let sent = declared.channels.iter().map(|it| vec![None; fields(it).len()]).collect();
        Narrowing { declared, narrowed, sent, widens: false, grows: false }
    }

    fn add(&mut self, target: Target, source: Source) {
        let values = match source {
            Source::Value(locals, expr) => Some(range_of(&self.narrowed, locals, expr)),
            Source::Field(channel, position) => {
                self.sent[channel.index()][position].map(|it| (it.low, it.high))
            }
            Source::Result(ty) => Some((ty.low, ty.high)),
        };
        let Some(values) = values else { return };
        match target {
            Target::Variable(id) => {
                let (known, declared) =
                    (self.narrowed.variables[id].ty, self.declared.variables[id].ty);
                self.narrowed.variables[id].ty =
                    self.grown(Some(known), declared, values).unwrap_or(known);
            }
            Target::Field(channel, position) => {
                let declared = fields(&self.declared.channels[channel])[position];
                let known = self.sent[channel.index()][position];
                self.sent[channel.index()][position] = self.grown(known, declared, values);
            }
        }
    }

    /// A type with some more values, as far as the declared one has them.
    fn grown(
        &mut self,
        known: Option<Type>,
        declared: Type,
        (low, high): (i32, i32),
    ) -> Option<Type> {
        let is_inside = declared.contains(low) && declared.contains(high);
        let (low, high) = match declared.overflow {
            _ if is_inside => (low, high),
            // Any value may come out.
            Overflow::Wrap => (declared.low, declared.high),
            // Beyond it is an error.
            Overflow::Error => (low.max(declared.low), high.min(declared.high)),
        };
        if low > high || known.is_some_and(|it| it.contains(low) && it.contains(high)) {
            return known;
        }
        self.grows = true;
        let ends = known.map_or((low, high), |it| (it.low.min(low), it.high.max(high)));
        Some(if self.widens { declared } else { part_of(declared, ends) })
    }
}

/// A part of a type; values outside do not occur, or are errors anyway.
fn part_of(declared: Type, (low, high): (i32, i32)) -> Type {
    match (low, high) == (declared.low, declared.high) {
        true => declared,
        false => Type { low, high, overflow: Overflow::Error, ..declared },
    }
}
