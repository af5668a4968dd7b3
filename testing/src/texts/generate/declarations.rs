//! Declarations of random programs.

use super::scope::{Channel, Field, Kind, Parameter, Place, Shape, StructType};
use super::{Construct, Generator};
use crate::texts::parts::Piece;
use crate::texts::program::Statement;

impl Generator<'_> {
    /// Everything global.
    pub(super) fn declare(&mut self) {
        if self.often(Construct::Macro) {
            self.line("#define TWO 2".into());
            self.line("#define SUM(a, b) ((a) + (b))".into());
        }
        if self.numbers.chance(60) {
            self.mtypes = ["red", "green", "blue"].map(String::from).to_vec();
            self.line("mtype = { red, green, blue };".into());
        }
        if self.sometimes(Construct::Subtype) {
            self.subtypes = ["apple", "pear"].map(String::from).to_vec();
            self.line("mtype:fruit = { apple, pear };".into());
        }
        for _ in 0..self.numbers.between(1, 4) {
            self.global_variable();
        }
        if self.often(Construct::Hidden) {
            let name = self.name("h");
            self.line(format!("hidden byte {name};"));
            self.hidden.push(Place::plain(&name, Kind::Byte));
        }
        if self.often(Construct::Struct) {
            self.struct_type();
        }
        if self.often(Construct::Channel) {
            self.global_channels();
        }
        if self.shapes.is_empty() {
            // Channels in structs have no shape then.
            self.globals.channels.clear();
            self.structs.iter_mut().for_each(|it| it.has_channel = false);
        }
    }

    pub(super) fn kind(&mut self) -> Kind {
        let mut kinds = vec![Kind::Bit, Kind::Bool, Kind::Byte, Kind::Byte, Kind::Byte];
        kinds.extend([Kind::Pid, Kind::Short, Kind::Int, Kind::Unsigned(2)]);
        kinds.extend((!self.mtypes.is_empty()).then_some(Kind::Mtype));
        kinds.extend((!self.subtypes.is_empty()).then_some(Kind::Subtype));
        self.numbers.pick(&kinds).copied().unwrap_or_default()
    }

    fn global_variable(&mut self) {
        let name = self.name("g");
        let text = self.variable(&name, true);
        let prefix = match self.numbers.below(20) {
            0 => "show ",
            1 => "local ",
            _ => "",
        };
        self.line(format!("{prefix}{text};"));
    }

    /// The declaration of a variable or array, which comes into scope.
    fn variable(&mut self, name: &str, global: bool) -> String {
        let kind = self.kind();
        let array = !matches!(kind, Kind::Unsigned(_)) && self.often(Construct::Array);
        let initial = self.initial(kind);
        let length = self.numbers.between(1, 3) as u32;
        let scope = if global { &mut self.globals } else { &mut self.locals };
        if array {
            scope.places.push(Place::array(name, length, kind));
            scope.arrays.push((name.into(), length));
            return format!("{}{initial}", kind.declare(&format!("{name}[{length}]")));
        }
        scope.places.push(Place::plain(name, kind));
        if matches!(kind, Kind::Byte | Kind::Int | Kind::Short) {
            scope.counters.push(name.into());
        }
        format!("{}{initial}", kind.declare(name))
    }

    fn initial(&mut self, kind: Kind) -> String {
        if self.numbers.chance(60) {
            return String::new();
        }
        match kind {
            Kind::Mtype | Kind::Subtype => {
                let names = if kind == Kind::Mtype { &self.mtypes } else { &self.subtypes };
                self.numbers.pick(names).map_or_else(String::new, |m| format!(" = {m}"))
            }
            Kind::Bool => " = true".into(),
            Kind::Bit => " = 1".into(),
            Kind::Short | Kind::Int => format!(" = {}", self.numbers.between(-1, 2)),
            _ => format!(" = {}", self.numbers.between(1, 3)),
        }
    }

    fn struct_type(&mut self) {
        let mut fields = vec!["byte u".to_string(), "bit w[2]".into()];
        let mut places = vec![
            Place { pieces: vec![Piece::Text(".u".into())], kind: Kind::Byte },
            Place { pieces: vec![Piece::Text(".w".into()), Piece::Index(2)], kind: Kind::Bit },
        ];
        if self.numbers.chance(40) {
            self.line("typedef T0 { bool t; short z = 1 };".into());
            fields.push("T0 in".into());
            for (name, kind) in [(".in.t", Kind::Bool), (".in.z", Kind::Short)] {
                places.push(Place { pieces: vec![Piece::Text(name.into())], kind });
            }
        }
        let has_channel = self.sometimes(Construct::Reply);
        fields.extend(has_channel.then(|| "chan k".into()));
        self.line(format!("typedef T1 {{ {} }};", fields.join("; ")));
        self.structs.push(StructType { name: "T1".into(), places, has_channel });
        self.struct_variable(true);
    }

    fn struct_variable(&mut self, global: bool) -> Option<String> {
        let (name, declared) = (self.name("s"), self.structs.first()?.clone());
        let array = !global && self.numbers.chance(20);
        let mut base = vec![Piece::Text(name.clone())];
        base.extend(array.then_some(Piece::Index(2)));
        let scope = if global { &mut self.globals } else { &mut self.locals };
        for place in &declared.places {
            let pieces = base.iter().chain(&place.pieces).cloned().collect();
            scope.places.push(Place { pieces, kind: place.kind });
        }
        if !array {
            scope.structs.push((name.clone(), 0));
        }
        if declared.has_channel && !array {
            let channel = Channel::plain(&format!("{name}.k"), 0, None);
            scope.channels.push(Channel { variable: true, ..channel });
        }
        let text = format!("{} {name}{}", declared.name, if array { "[2]" } else { "" });
        if global {
            self.line(format!("{text};"));
        }
        Some(text)
    }

    fn global_channels(&mut self) {
        let replies = self.weights.of(Construct::Reply) > 0;
        let fewest = if replies { 2 } else { 1 };
        for shape in 0..self.numbers.between(1, 2).max(fewest) as usize {
            let mut fields: Vec<Field> =
                (0..self.numbers.between(1, 3)).map(|_| self.field(shape)).collect();
            if replies && shape > 0 {
                fields[0] = Field::Channel(0);
            }
            self.shapes.push(Shape { fields });
            for _ in 0..self.numbers.between(1, 2) {
                let name = self.name("q");
                let text = self.channel(&name, shape, true);
                self.line(format!("{text};"));
            }
        }
        if self.weights.of(Construct::ChannelValue) > 0 && self.numbers.chance(25) {
            let (name, shape) = (self.name("c"), self.numbers.below(self.shapes.len()));
            self.line(format!("chan {name};"));
            let channel = Channel { variable: true, ..Channel::plain(&name, shape, None) };
            self.globals.channels.push(channel);
        }
    }

    fn field(&mut self, shape: usize) -> Field {
        match self.numbers.below(12) {
            // Of the shape before, so that the types are finite.
            0 if shape > 0 && self.weights.of(Construct::ChannelValue) > 0 => {
                Field::Channel(shape - 1)
            }
            1..=5 if shape > 0 && self.weights.of(Construct::Reply) > 0 => {
                Field::Channel(shape - 1)
            }
            1 | 2 if !self.structs.is_empty() => Field::Struct(0),
            _ => Field::Number(self.kind()),
        }
    }

    /// The declaration of a channel of a shape, which comes into scope.
    fn channel(&mut self, name: &str, shape: usize, global: bool) -> String {
        let capacity = match self.often(Construct::Rendezvous) {
            true => 0,
            false => self.numbers.between(1, 3) as u32,
        };
        let array = self.numbers.chance(15);
        let types: Vec<String> =
            self.shapes[shape].fields.iter().map(|field| self.type_name(*field)).collect();
        let mut pieces = vec![Piece::Text(name.into())];
        pieces.extend(array.then_some(Piece::Index(2)));
        let channel = Channel { pieces, ..Channel::plain(name, shape, Some(capacity)) };
        let scope = if global { &mut self.globals } else { &mut self.locals };
        scope.channels.push(channel);
        let size = if array { "[2]" } else { "" };
        format!("chan {name}{size} = [{capacity}] of {{ {} }}", types.join(", "))
    }

    fn type_name(&self, field: Field) -> String {
        match field {
            // Fields have no names and no widths of their own.
            Field::Number(Kind::Unsigned(_)) => "byte".into(),
            Field::Number(kind) => kind.declare("").trim().into(),
            Field::Channel(_) => "chan".into(),
            Field::Struct(i) => self.structs[i].name.clone(),
        }
    }

    pub(super) fn parameters(&mut self) -> Vec<Parameter> {
        let mut all = Vec::new();
        for _ in 0..self.numbers.between(0, 2) {
            let name = self.name("p");
            let channel = !self.shapes.is_empty() && self.numbers.chance(50);
            let shape = channel.then(|| self.numbers.below(self.shapes.len()));
            let kind = match self.kind() {
                Kind::Unsigned(_) => Kind::Byte,
                kind => kind,
            };
            all.push(Parameter { name, kind, shape });
        }
        all
    }

    /// The declarations at the beginning of a process.
    pub(super) fn local_declarations(&mut self) -> Vec<Statement> {
        let mut all = Vec::new();
        for _ in 0..self.numbers.between(0, 2) {
            let name = self.name("l");
            all.push(Statement::text(self.variable(&name, false)));
            // Arrays and structs are not for remote references.
            if self.locals.places.last().is_some_and(|place| place.pieces.len() == 1) {
                self.processes[self.current].variables.push(name);
            }
        }
        if !self.structs.is_empty() && self.numbers.chance(30) {
            all.extend(self.struct_variable(false).map(Statement::text));
        }
        if !self.shapes.is_empty() && self.numbers.chance(12) {
            let (name, shape) = (self.name("q"), self.numbers.below(self.shapes.len()));
            all.push(Statement::text(self.channel(&name, shape, false)));
        }
        if !self.shapes.is_empty() && self.weights.of(Construct::Reply) > 0 {
            self.talk(&mut all);
        }
        all
    }

    /// A variable for a channel that is received, and a channel of one's own to hand over.
    fn talk(&mut self, all: &mut Vec<Statement>) {
        let (variable, own) = (self.name("r"), self.name("q"));
        all.push(Statement::text(format!("chan {variable}")));
        let channel = Channel { variable: true, ..Channel::plain(&variable, 0, None) };
        self.locals.channels.push(channel);
        all.push(Statement::text(self.channel(&own, 0, false)));
    }

    /// A declaration between statements.
    pub(super) fn late_declaration(&mut self) -> Statement {
        let name = self.name("l");
        let kind = self.kind();
        let initial = self.initial(kind);
        // It does not come into scope: what follows may stand outside its block.
        Statement::text(format!("{}{initial}", kind.declare(&name)))
    }
}
