//! Declarations of random UPPAAL models.

use super::generate::Generator;
use super::model::Declaration;
use super::scope::{Channel, Function, Place};
use crate::texts::parts::{Expression, Part, Piece};

impl Generator {
    /// Everything global.
    pub(super) fn declare(&mut self) {
        self.line("const int N = 2".into());
        self.globals.constants.push(Place::plain("N", 2, 2));
        for _ in 0..self.numbers.between(1, 3) {
            let line = self.variable(true);
            self.line(line);
        }
        if self.features.structs {
            self.line("struct { int[0,2] f; bool g; } s, t".into());
            for name in ["s", "t"] {
                self.globals.structs.push(name.into());
                self.globals.places.push(Place::plain(&format!("{name}.f"), 0, 2));
                self.globals.places.push(Place::plain(&format!("{name}.g"), 0, 1));
            }
        }
        if self.features.clocks {
            self.global_clocks();
        }
        for _ in 0..self.numbers.between(1, 3) {
            self.channel();
        }
        for _ in 0..if self.features.functions { self.numbers.between(1, 2) } else { 0 } {
            self.function();
        }
    }

    fn line(&mut self, text: String) {
        self.model.declarations.push(Declaration::line(text));
    }

    /// The declaration of a variable or array, which comes into scope.
    pub(super) fn variable(&mut self, global: bool) -> String {
        let name = self.name("v");
        let (low, high, ty) = self.range();
        let initial = match self.numbers.chance(30) {
            true => Some(self.within(low, high)),
            false => None,
        };
        let scope = if global { &mut self.globals } else { &mut self.locals };
        if self.features.arrays && self.numbers.chance(40) {
            let length = self.numbers.between(1, 3) as u32;
            scope.places.push(Place::array(&name, length, low, high));
            return format!("{ty} {name}[{length}]");
        }
        scope.places.push(Place::plain(&name, low, high));
        let initial = initial.map_or(String::new(), |value| format!(" = {value}"));
        format!("{ty} {name}{initial}")
    }

    /// The range of a variable, with its type.
    fn range(&mut self) -> (i32, i32, String) {
        if self.features.extreme && self.numbers.chance(30) {
            const WIDE: [(i32, i32); 4] = [
                (i32::MIN, i32::MAX),
                (i32::MAX - 1, i32::MAX),
                (i32::MIN, i32::MIN + 2),
                (-1, i32::MAX),
            ];
            let (low, high) = *self.numbers.pick(&WIDE).unwrap_or(&WIDE[0]);
            return (low, high, format!("int[{low},{high}]"));
        }
        match self.numbers.below(10) {
            0 | 1 => (0, 1, "bool".into()),
            2 => (-32768, 32767, "int".into()),
            3 => (-1, 2, "int[-1,2]".into()),
            4 => (1, 3, "int[1,3]".into()),
            _ => {
                let high = self.numbers.between(1, 3);
                (0, high, format!("int[0,{high}]"))
            }
        }
    }

    /// A number that fits: small, if small ones do.
    pub(super) fn within(&mut self, low: i32, high: i32) -> i32 {
        if self.features.extreme && self.numbers.chance(25) {
            return if self.numbers.chance(50) { low } else { high };
        }
        let (small, large) = (low.max(-1).min(high), high.min(3).max(low));
        self.numbers.between(small.min(large), large.max(small))
    }

    fn global_clocks(&mut self) {
        for _ in 0..self.numbers.between(1, 2) {
            let name = self.name("x");
            self.line(format!("clock {name}"));
            self.globals.clocks.push(vec![Piece::Text(name)]);
        }
        if self.features.arrays && self.numbers.chance(20) {
            let name = self.name("x");
            self.line(format!("clock {name}[2]"));
            self.globals.clocks.push(vec![Piece::Text(name), Piece::Index(2)]);
        }
    }

    fn channel(&mut self) {
        let name = self.name("c");
        let (broadcast, urgent) = (self.numbers.chance(40), self.numbers.chance(20));
        let array = self.features.arrays && self.numbers.chance(25);
        let mut pieces = vec![Piece::Text(name.clone())];
        pieces.extend(array.then_some(Piece::Index(2)));
        let channel = Channel { pieces, broadcast, urgent };
        let size = if array { "[2]" } else { "" };
        self.line(format!("{}chan {name}{size}", channel.prefix()));
        self.globals.channels.push(channel);
    }

    /// The levels of channels, once all are known.
    pub(super) fn channel_priorities(&mut self) {
        if !self.features.channel_priorities {
            return;
        }
        let mut levels = vec!["default".to_string()];
        for channel in self.globals.channels.clone() {
            let [Piece::Text(name), ..] = &channel.pieces[..] else { continue };
            let at = self.numbers.below(levels.len() + 1);
            levels.insert(at, name.clone());
        }
        self.line(format!("chan priority {}", levels.join(" < ")));
    }

    /// A function that computes a value, or one that changes variables.
    fn function(&mut self) {
        let is_pure = self.numbers.chance(60);
        let (name, parameters) = (self.name("f"), self.numbers.below(3));
        let names: Vec<String> = (0..parameters).map(|i| format!("a{i}")).collect();
        for name in &names {
            self.locals.constants.push(Place::plain(name, -32768, 32767));
        }
        let head: Vec<String> = names.iter().map(|name| format!("int {name}")).collect();
        let body = if is_pure { self.pure_body() } else { self.effects() };
        let ty = if is_pure { "int" } else { "void" };
        let head = vec![Part::text(format!("{ty} {name}({})", head.join(", ")))];
        self.model.declarations.push(Declaration { head, body: Some(body) });
        self.locals = Default::default();
        self.globals.functions.push(Function { name, parameters, is_pure });
    }

    fn pure_body(&mut self) -> Vec<Vec<Part>> {
        let mut body = vec![vec!["int r = 0;".into()]];
        self.locals.constants.push(Place::plain("r", -32768, 32767));
        if self.numbers.chance(40) {
            let step = self.small();
            body.push(vec!["for (i : int[0,2]) r += ".into(), step.into(), ";".into()]);
        }
        if self.numbers.chance(30) {
            body.push(vec!["while (r > 2) { r = r - 2; }".into()]);
        }
        if self.numbers.chance(30) {
            let condition = self.condition(1);
            body.push(vec!["if (".into(), condition.into(), ") return 1; else r++;".into()]);
        }
        let result = self.expression(1);
        let modulus = self.numbers.between(2, 3);
        let end = format!(") % {modulus};");
        body.push(vec!["return (r + ".into(), result.into(), end.into()]);
        body
    }

    fn effects(&mut self) -> Vec<Vec<Part>> {
        let mut body = Vec::new();
        for _ in 0..self.numbers.between(1, 2) {
            let Some(mut assignment) = self.assignment() else { continue };
            if self.numbers.chance(40) {
                let condition = self.condition(1);
                assignment.splice(0..0, ["if (".into(), condition.into(), ") ".into()]);
            }
            assignment.push(";".into());
            body.push(assignment);
        }
        body
    }

    /// A number or name.
    fn small(&mut self) -> Expression {
        let places = self.readable();
        match self.numbers.pick(&places).cloned() {
            Some(place) if self.numbers.chance(50) => self.spell(&place.pieces),
            _ => Expression::leaf(self.numbers.between(0, 2).to_string()),
        }
    }
}
