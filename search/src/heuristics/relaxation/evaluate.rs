//! What terms and actions can come to if every word has any of its possible values.
//!
//! Supersets throughout: a choice of values that the network could make is always among those
//! looked at here. Straight-line code replaces what it assigns to; code that may or may not run adds.

use super::memory::Memory;
use super::model::Model;
use super::term::{Action, Cells, Elements, Function, IfImpossible, Receive, Target, Term};
use super::values::{Computed, Values};
use explore::Buffer;
use network::{BinaryOp, Probe, Quantifier, Type, cancellation};

/// How many values of a binder are tried one by one.
const BINDERS: i64 = 4096;

/// How many rounds of a loop that is sure to go on are followed exactly.
const ROUNDS: u32 = 10_000;

/// After how many rounds without an end a loop gives every value of a type.
const ROUNDS_BEFORE_WIDENING: u32 = 40;

impl Model {
    /// The values of a term.
    pub fn eval(&self, memory: &mut Memory, term: &Term) -> Values {
        memory.work += 1;
        match term {
            Term::Known(values) => *values,
            Term::Word(word) => memory.word(*word),
            Term::Cell(cells) => {
                let from = self.cells(memory, cells);
                let all = memory.stack[from..].iter().map(|&cell| memory.word(cell));
                let values = all.fold(Values::EMPTY, Values::union);
                memory.stack.truncate(from);
                values
            }
            Term::Table(table, cells) => {
                let from = self.cells(memory, cells);
                let all = memory.stack[from..].iter().map(|&at| Values::just(table[at as usize]));
                let values = all.fold(Values::EMPTY, Values::union);
                memory.stack.truncate(from);
                values
            }
            Term::Local(slot) => memory.locals[memory.base + *slot as usize],
            Term::LocalCell(cells) => {
                let from = self.cells(memory, cells);
                let local = |&cell: &u32| memory.locals[memory.base + cell as usize];
                let values =
                    memory.stack[from..].iter().map(local).fold(Values::EMPTY, Values::union);
                memory.stack.truncate(from);
                values
            }
            Term::Unary(op, a) => self.eval(memory, a).unary(*op),
            Term::Binary(op, operands) => self.binary(memory, *op, operands),
            Term::Conditional(operands) => self.conditional(memory, operands),
            Term::Quantified(quantifier, slot, range, operand) => {
                self.quantified(memory, *quantifier, *slot, *range, operand)
            }
            Term::Call(function, arguments) => {
                let function = &self.functions[*function as usize];
                self.call(memory, function, arguments, true)
            }
            Term::At(fact) => self.at(memory, *fact),
            Term::Probe(probe, elements) => self.probe(memory, *probe, elements),
            Term::Poll(elements, patterns) => self.poll(memory, elements, patterns),
        }
    }

    /// Whether a term may be other than 0.
    pub fn may_hold(&self, memory: &mut Memory, term: &Term) -> bool {
        self.eval(memory, term).may_hold()
    }

    fn binary(&self, memory: &mut Memory, op: BinaryOp, [a, b]: &[Term; 2]) -> Values {
        let a = self.eval(memory, a);
        // The right side is looked at only where the left does not decide.
        let decided = match op {
            BinaryOp::And => !a.may_hold(),
            BinaryOp::Or => !a.may_fail(),
            _ => false,
        };
        if a.is_empty() {
            return Values::EMPTY;
        }
        if decided {
            return Values::just((op == BinaryOp::Or) as i32);
        }
        let b = self.eval(memory, b);
        if op == BinaryOp::And && a.may_fail() || op == BinaryOp::Or && a.may_hold() {
            // The left side alone may decide, whatever becomes of the right.
            let alone = Values::just((op == BinaryOp::Or) as i32);
            return alone.union(keep(memory, a.binary(op, b)));
        }
        keep(memory, a.binary(op, b))
    }

    fn conditional(&self, memory: &mut Memory, [condition, yes, no]: &[Term; 3]) -> Values {
        let condition = self.eval(memory, condition);
        let mut values = Values::EMPTY;
        if condition.may_hold() {
            values = self.eval(memory, yes);
        }
        if condition.may_fail() {
            values = values.union(self.eval(memory, no));
        }
        values
    }

    fn quantified(
        &self,
        memory: &mut Memory,
        quantifier: Quantifier,
        slot: u32,
        (low, high): (i32, i32),
        operand: &Term,
    ) -> Values {
        if i64::from(high) - i64::from(low) >= BINDERS {
            memory.failed = true;
            return if quantifier == Quantifier::Sum { Values::ALL } else { Values::TRUTH };
        }
        let at = memory.base + slot as usize;
        let saved = memory.locals[at];
        let mut result = Values::just((quantifier == Quantifier::ForAll) as i32);
        for value in low..=high {
            cancellation::check();
            memory.locals[at] = Values::just(value);
            let operand = self.eval(memory, operand);
            let op = match quantifier {
                Quantifier::ForAll => BinaryOp::And,
                Quantifier::Exists => BinaryOp::Or,
                Quantifier::Sum => BinaryOp::Add,
            };
            result = match quantifier {
                // An operand that fails for some choices has no value there.
                Quantifier::ForAll if result.may_fail() => {
                    Values::just(0).union(result.binary(op, operand).values)
                }
                Quantifier::Exists if result.may_hold() => {
                    Values::just(1).union(result.binary(op, operand).values)
                }
                _ => result.binary(op, operand).values,
            };
        }
        memory.locals[at] = saved;
        result
    }

    fn at(&self, memory: &Memory, fact: u32) -> Values {
        let mut others = self.siblings(fact).filter(|&other| other != fact);
        let elsewhere = others.any(|other| memory.sees(other));
        match (memory.sees(fact), elsewhere) {
            (true, true) => Values::TRUTH,
            (here, _) => Values::just(here as i32),
        }
    }

    fn probe(&self, memory: &mut Memory, probe: Probe, elements: &Elements) -> Values {
        let from = self.elements(memory, elements);
        let mut values = Values::EMPTY;
        for i in from..memory.stack.len() {
            let buffer = &self.buffers[memory.stack[i] as usize];
            let capacity = buffer.capacity as i32;
            let length = if capacity == 0 { Values::just(0) } else { memory.word(buffer.at) };
            let at = |value| length.binary(BinaryOp::Eq, Values::just(value)).values;
            values = values.union(match probe {
                Probe::Length => length,
                Probe::Full => at(capacity),
                Probe::Empty => at(0),
            });
        }
        memory.stack.truncate(from);
        values
    }

    fn poll(&self, memory: &mut Memory, elements: &Elements, patterns: &[Option<Term>]) -> Values {
        let from = self.elements(memory, elements);
        let mut values = Values::just(0);
        for i in from..memory.stack.len() {
            let element = memory.stack[i];
            if self.buffers[element as usize].capacity > 0 && self.fits(memory, element, patterns) {
                // Whether a message that could fit is there is not certain.
                values = Values::TRUTH;
            }
        }
        memory.stack.truncate(from);
        values
    }

    /// Whether some message in a buffer may fit.
    fn fits(&self, memory: &mut Memory, element: u32, patterns: &[Option<Term>]) -> bool {
        let buffer = &self.buffers[element as usize];
        if memory.word(buffer.at).high() < 1 || buffer.fields.len() != patterns.len() {
            return false;
        }
        let first = buffer.at + 1;
        let wanted = patterns.iter().enumerate().filter_map(|(i, p)| Some((i, p.as_ref()?)));
        for (i, pattern) in wanted {
            let wanted = self.eval(memory, pattern);
            if memory.word(first + i as u32).intersect(wanted).is_empty() {
                return false;
            }
        }
        true
    }

    /// Pushes the cells that indices may mean; returns where they begin.
    fn cells(&self, memory: &mut Memory, cells: &Cells) -> usize {
        let from = memory.stack.len();
        memory.stack.push(0);
        for (&size, index) in cells.sizes.iter().zip(&cells.indices) {
            let index = self.eval(memory, index);
            let inside = index.intersect(Values::range(0, size as i32 - 1));
            memory.failed |= index.is_empty() || index.low() < 0 || index.high() >= size as i32;
            let so_far = memory.stack.len();
            for i in from..so_far {
                let row = memory.stack[i] * size;
                if !inside.is_empty() {
                    let columns = inside.low()..=inside.high();
                    let columns = columns.filter(|&column| inside.contains(column));
                    memory.stack.extend(columns.map(|column| row + column as u32));
                }
            }
            memory.stack.drain(from..so_far);
        }
        memory.stack[from..].iter_mut().for_each(|cell| *cell += cells.first);
        memory.work += (memory.stack.len() - from) as u64;
        from
    }

    /// Pushes the channel elements that may be meant; returns where they begin.
    fn elements(&self, memory: &mut Memory, elements: &Elements) -> usize {
        match elements {
            Elements::Of(cells) => self.cells(memory, cells),
            Elements::Value(term) => {
                let value = self.eval(memory, term);
                let from = memory.stack.len();
                let inside = value.intersect(Values::range(1, self.buffers.len() as i32));
                memory.failed |= value != inside;
                if !inside.is_empty() {
                    let all = inside.low()..=inside.high();
                    let all = all.filter(|&number| inside.contains(number));
                    memory.stack.extend(all.map(|number| number as u32 - 1));
                }
                memory.work += (memory.stack.len() - from) as u64;
                from
            }
        }
    }

    fn call(
        &self,
        memory: &mut Memory,
        function: &Function,
        arguments: &[Term],
        straight: bool,
    ) -> Values {
        cancellation::check();
        let base = memory.locals.len();
        memory.locals.extend(function.frame.iter().map(|&value| Values::just(value)));
        for (&(slot, ty), argument) in function.parameters.iter().zip(arguments) {
            let value = self.eval(memory, argument);
            let value = keep(memory, value.fit(&ty));
            memory.locals[base + slot as usize] = value;
        }
        // The result lies after the locals.
        memory.locals.push(Values::EMPTY);
        let caller = std::mem::replace(&mut memory.base, base);
        let left = std::mem::replace(&mut memory.left, false);
        let returned = self.run(memory, &function.body, straight);
        (memory.base, memory.left) = (caller, left);
        let mut result = memory.locals[base + function.frame.len()];
        memory.locals.truncate(base);
        if let (Some(ty), false) = (function.result, returned) {
            result = result.union(Values::just(ty.low));
        }
        match function.result {
            Some(ty) => keep(memory, result.fit(&ty)),
            None => result,
        }
    }

    /// Runs actions; says whether they are sure to return.
    pub fn run(&self, memory: &mut Memory, actions: &[Action], straight: bool) -> bool {
        for action in actions {
            if memory.dead || self.act(memory, action, straight) {
                return true;
            }
        }
        false
    }

    fn act(&self, memory: &mut Memory, action: &Action, straight: bool) -> bool {
        memory.work += 1;
        // Where some choice has left already, this is only done by others.
        let straight = straight && !memory.left;
        match action {
            Action::Assign(target, term) => {
                let values = self.eval(memory, term);
                self.assign(memory, target, values, straight);
            }
            Action::If(condition, then, otherwise) => {
                let condition = self.eval(memory, condition);
                return match (condition.may_hold(), condition.may_fail()) {
                    (true, true) => {
                        let first = self.run(memory, then, false);
                        self.run(memory, otherwise, false) && first
                    }
                    (true, false) => self.run(memory, then, straight),
                    (false, true) => self.run(memory, otherwise, straight),
                    (false, false) => self.give_up(memory, straight),
                };
            }
            Action::While(condition, body) => {
                return self.repeat(memory, condition, body, straight);
            }
            Action::Call(target, function, arguments) => {
                let function = &self.functions[*function as usize];
                let result = self.call(memory, function, arguments, straight);
                if let Some(target) = target {
                    self.assign(memory, target, result, straight);
                }
            }
            Action::Return(value) => {
                if let Some(value) = value {
                    let value = self.eval(memory, value);
                    if let Some(result) = memory.locals.last_mut() {
                        *result = result.union(value);
                    }
                }
                memory.left |= !straight;
                return true;
            }
            Action::Demand(condition) => {
                let condition = self.eval(memory, condition);
                memory.failed |= condition.may_fail() || condition.is_empty();
                if !condition.may_hold() {
                    return self.give_up(memory, straight);
                }
            }
            Action::Send(elements, message, otherwise) => {
                let sent = self.send(memory, elements, message, *otherwise, straight);
                return !sent && self.give_up(memory, straight);
            }
            Action::Receive(receive, otherwise) => {
                let received = self.receive(memory, receive, *otherwise, straight);
                return !received && self.give_up(memory, straight);
            }
            Action::Fail => {
                memory.failed = true;
                return self.give_up(memory, straight);
            }
            Action::Enter(fact) => memory.entered.push(*fact),
        }
        false
    }

    /// Nothing comes of it here; if it is sure to be reached, nothing at all.
    fn give_up(&self, memory: &mut Memory, straight: bool) -> bool {
        memory.dead |= straight;
        true
    }

    fn repeat(
        &self,
        memory: &mut Memory,
        condition: &Term,
        body: &[Action],
        straight: bool,
    ) -> bool {
        let mut rounds = 0;
        loop {
            let straight = straight && !memory.left;
            cancellation::check();
            let holds = self.eval(memory, condition);
            if !holds.may_hold() {
                return holds.is_empty() && self.give_up(memory, straight);
            }
            if holds.may_fail() || !straight || rounds == ROUNDS {
                break;
            }
            if self.run(memory, body, straight) {
                return true;
            }
            rounds += 1;
        }
        // From here on nobody knows when it ends.
        memory.failed = true;
        let (grown, widened) = (memory.grown, memory.widened);
        for round in 0.. {
            cancellation::check();
            memory.grown = false;
            memory.widened = widened || round > ROUNDS_BEFORE_WIDENING;
            self.run(memory, body, false);
            if !memory.grown || !self.may_hold(memory, condition) {
                break;
            }
        }
        memory.grown |= grown;
        memory.widened = widened;
        false
    }

    fn assign(&self, memory: &mut Memory, target: &Target, values: Values, straight: bool) {
        let (Target::Word(_, ty) | Target::Cell(_, ty)) = target else {
            return self.assign_local(memory, target, values, straight);
        };
        let mut values = keep(memory, values.fit(ty));
        if values.is_empty() {
            self.give_up(memory, straight);
            return;
        }
        if memory.widened {
            values = Values::range(ty.low, ty.high);
        }
        match target {
            Target::Word(word, _) => memory.write(*word, values, straight),
            Target::Cell(cells, _) => {
                let from = self.cells(memory, cells);
                let one = memory.stack.len() - from == 1;
                for i in from..memory.stack.len() {
                    memory.write(memory.stack[i], values, straight && one);
                }
                if memory.stack.len() == from {
                    self.give_up(memory, straight);
                }
                memory.stack.truncate(from);
            }
            Target::Local(..) | Target::LocalCell(..) => {}
        }
    }

    fn assign_local(&self, memory: &mut Memory, target: &Target, values: Values, straight: bool) {
        let (Target::Local(_, ty) | Target::LocalCell(_, ty)) = target else { return };
        let mut values = keep(memory, values.fit(ty));
        if values.is_empty() {
            self.give_up(memory, straight);
            return;
        }
        if memory.widened {
            values = Values::range(ty.low, ty.high);
        }
        let from = match target {
            Target::LocalCell(cells, _) => self.cells(memory, cells),
            Target::Local(slot, _) => {
                memory.stack.push(*slot);
                memory.stack.len() - 1
            }
            _ => return,
        };
        let instead = straight && memory.stack.len() - from == 1;
        for i in from..memory.stack.len() {
            let at = memory.base + memory.stack[i] as usize;
            let old = memory.locals[at];
            let new = if instead { values } else { old.union(values) };
            memory.grown |= new != old;
            memory.locals[at] = new;
        }
        memory.stack.truncate(from);
    }

    /// Puts a message into a buffer; false if that is impossible.
    fn send(
        &self,
        memory: &mut Memory,
        elements: &Elements,
        message: &[Term],
        otherwise: IfImpossible,
        straight: bool,
    ) -> bool {
        let fails = otherwise == IfImpossible::Fail;
        let from = self.elements(memory, elements);
        let one = memory.stack.len() - from == 1;
        let mut possible = false;
        for i in from..memory.stack.len() {
            let element = memory.stack[i] as usize;
            let buffer = &self.buffers[element];
            if buffer.capacity == 0 || buffer.fields.len() != message.len() {
                memory.failed |= fails;
                continue;
            }
            let length = memory.word(buffer.at);
            let room = length.intersect(Values::range(0, buffer.capacity as i32 - 1));
            memory.failed |= fails && length != room;
            if room.is_empty() {
                continue;
            }
            possible = true;
            for (j, (field, ty)) in message.iter().zip(&buffer.fields).enumerate() {
                let mut values = self.fit_field(memory, field, ty);
                if memory.widened {
                    values = Values::range(ty.low, ty.high);
                }
                memory.write(buffer.at + 1 + j as u32, values, false);
            }
            let longer = room.binary(BinaryOp::Add, Values::just(1)).values;
            set_length(memory, buffer, longer, straight && one);
        }
        memory.stack.truncate(from);
        possible
    }

    /// Takes a message from a buffer; false if that is impossible.
    fn receive(
        &self,
        memory: &mut Memory,
        receive: &Receive,
        otherwise: IfImpossible,
        straight: bool,
    ) -> bool {
        let from = self.elements(memory, &receive.from);
        let one = memory.stack.len() - from == 1;
        let mut possible = false;
        for i in from..memory.stack.len() {
            let element = memory.stack[i];
            let buffer = &self.buffers[element as usize];
            // That the message which fits is there is never certain.
            memory.failed |= otherwise == IfImpossible::Fail;
            if buffer.capacity == 0 || !self.fits(memory, element, &receive.patterns) {
                continue;
            }
            possible = true;
            for (j, target) in receive.targets.iter().enumerate() {
                if let Some(target) = target {
                    let values = memory.word(buffer.at + 1 + j as u32);
                    self.assign(memory, target, values, straight && one);
                }
            }
            if !receive.keeps {
                let length = memory.word(buffer.at);
                let some = length.intersect(Values::range(1, buffer.capacity as i32));
                let shorter = some.binary(BinaryOp::Sub, Values::just(1)).values;
                set_length(memory, buffer, shorter, straight && one);
            }
        }
        memory.stack.truncate(from);
        possible
    }

    /// The values of a message's fields, cut to the types of its channel.
    pub fn fit_field(&self, memory: &mut Memory, field: &Term, ty: &Type) -> Values {
        let values = self.eval(memory, field);
        keep(memory, values.fit(ty))
    }

    /// Stores a field of a message that was handed over.
    pub fn store(&self, memory: &mut Memory, target: &Target, values: Values) {
        self.assign(memory, target, values, true);
    }
}

/// Gives a buffer other lengths.
fn set_length(memory: &mut Memory, buffer: &Buffer, lengths: Values, instead: bool) {
    let any = Values::range(0, buffer.capacity as i32);
    memory.write(buffer.at, if memory.widened { any } else { lengths }, instead);
}

/// The values; that some choice fails is noted.
fn keep(memory: &mut Memory, computed: Computed) -> Values {
    memory.failed |= computed.may_fail;
    computed.values
}
