//! The frame of random UPPAAL models: which features one has, names, and the order of its parts.
//!
//! The same seed always gives the same model. Every model draws the features it may use, so that
//! some of them are plain enough for the discrete-time oracle and others mix what is hard.

use super::model::Model;
use super::scope::{Channel, Place, Scope};
use crate::Numbers;
use crate::texts::parts::{Expression, Piece, spell};

/// The model of a seed.
pub fn generate(seed: u64) -> Model {
    let mut numbers = Numbers::new(seed);
    let features = Features::draw(&mut numbers);
    let mut generator = Generator {
        numbers,
        features,
        model: Model { quantifier: "E<>", ..Model::default() },
        globals: Scope::default(),
        locals: Scope::default(),
        names: 0,
    };
    generator.declare();
    generator.templates();
    generator.channel_priorities();
    generator.ask();
    generator.model.is_xml = generator.numbers.chance(20);
    generator.model
}

/// What a model may contain beyond the plain parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Features {
    pub clocks: bool,
    /// Constraints with `<` and `>`.
    pub strict: bool,
    pub diagonals: bool,
    /// Clock guards on receivers of broadcasts and on urgent channels.
    pub negated: bool,
    pub stopwatches: bool,
    pub channel_priorities: bool,
    pub process_priorities: bool,
    pub deadlock: bool,
    /// What may raise a run-time error.
    pub wild: bool,
    /// Constants at the ends of their types.
    pub extreme: bool,
    pub functions: bool,
    pub parameters: bool,
    pub arrays: bool,
    pub structs: bool,
    pub quantifiers: bool,
    /// Committed and urgent locations.
    pub kinds: bool,
    /// Edges with little on them, so that there is much to be merged.
    pub bare: bool,
}

impl Features {
    fn draw(numbers: &mut Numbers) -> Features {
        // Some models have few of them, so that they are seen one by one; some have many.
        let share = [25, 100, 100, 200][numbers.below(4)];
        let mut often = |percent: u32| numbers.chance(percent * share / 100);
        Features {
            clocks: often(65),
            strict: often(40),
            diagonals: often(25),
            negated: often(35),
            stopwatches: often(7),
            channel_priorities: often(15),
            process_priorities: often(12),
            deadlock: often(15),
            wild: often(35),
            extreme: often(20),
            functions: often(35),
            parameters: often(45),
            arrays: often(45),
            structs: often(12),
            quantifiers: often(25),
            kinds: often(50),
            bare: numbers.chance(45),
        }
    }
}

pub(super) struct Generator {
    pub numbers: Numbers,
    pub features: Features,
    pub model: Model,
    /// Global names, and those of the template, edge or function in the making.
    pub globals: Scope,
    pub locals: Scope,
    names: usize,
}

impl Generator {
    pub fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A choice among texts.
    pub fn word(&mut self, words: &[&'static str]) -> &'static str {
        self.numbers.pick(words).copied().unwrap_or_default()
    }

    /// Everything that can be written.
    pub fn places(&self) -> Vec<Place> {
        self.globals.places.iter().chain(&self.locals.places).cloned().collect()
    }

    /// Everything that can be read.
    pub fn readable(&self) -> Vec<Place> {
        let constants = self.globals.constants.iter().chain(&self.locals.constants);
        self.places().into_iter().chain(constants.cloned()).collect()
    }

    pub fn channels(&self) -> Vec<Channel> {
        self.globals.channels.iter().chain(&self.locals.channels).cloned().collect()
    }

    /// Some clock.
    pub fn clock(&mut self) -> Option<Expression> {
        let clocks: Vec<Vec<Piece>> =
            self.globals.clocks.iter().chain(&self.locals.clocks).cloned().collect();
        let pieces = self.numbers.pick(&clocks)?.clone();
        Some(self.spell(&pieces))
    }

    /// A name with its indices.
    pub fn spell(&mut self, pieces: &[Piece]) -> Expression {
        spell(pieces, |length| self.index(length))
    }

    /// An index that is in bounds, mostly.
    fn index(&mut self, length: u32) -> Expression {
        let wild = self.features.wild && self.numbers.chance(25);
        let fits = |place: &Place| {
            place.name().is_some() && (wild || place.low >= 0 && place.high < length as i32)
        };
        let places: Vec<Place> = self.readable().into_iter().filter(fits).collect();
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(50) => self.spell(&place.pieces),
            _ => Expression::leaf(self.numbers.below(length as usize).to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_one_model() {
        for seed in 0..50 {
            assert_eq!(generate(seed), generate(seed));
            assert_ne!(generate(seed).to_string(), generate(seed + 1).to_string());
        }
    }

    /// Nearly all of them must be valid, or comparing them would mean nothing.
    #[test]
    fn most_models_are_valid() {
        let valid = |seed: &u64| {
            let model = generate(*seed);
            let text = model.to_string();
            let queries: Vec<String> = model.query.iter().map(|_| model.query()).collect();
            let input = uppaal::Input {
                path: "m.xta",
                bytes: text.as_bytes(),
                query_file: None,
                queries: &queries,
            };
            uppaal::load(&input).network.is_some()
        };
        let count = (0..400).filter(valid).count();
        assert!(count > 370, "{count}");
    }
}
