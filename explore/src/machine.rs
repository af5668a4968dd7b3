//! Runs the code of a [`Program`] on the words of a state.

use crate::program::{Entry, Op, Program};
use network::{
    BinaryOp, ErrorKind, MAX_CLOCK_BOUND, MAX_LOOP_ROUNDS, Overflow, RunTimeError, Type, UnaryOp,
    cancellation,
};

/// How many rounds of loops pass before anybody asks whether there are too many.
const ROUNDS_BETWEEN_LOOKS: u64 = 128;
const _: () = assert!(MAX_LOOP_ROUNDS.is_multiple_of(ROUNDS_BETWEEN_LOOKS));

/// The stacks of a running program; reused, so that nothing is allocated once they have grown.
#[derive(Debug, Default)]
pub struct Machine {
    stack: Vec<i32>,
    /// The locals of the running owner and, above them, of the functions it calls.
    pub locals: Vec<i32>,
    calls: Vec<(u32, usize)>,
    /// The clocks that were set, in order.
    pub resets: Vec<(u32, i32)>,
    rounds: u64,
    /// What `timeout` is.
    pub timeout: bool,
}

impl Machine {
    /// Makes room for an owner's locals.
    pub fn reserve(&mut self, frame: usize) {
        if self.locals.len() < frame {
            self.locals.resize(frame, 0);
        }
    }

    /// Starts the updates of a step, whose loops are counted together.
    pub fn begin_step(&mut self) {
        self.rounds = 0;
        self.resets.clear();
    }

    /// Evaluates an expression.
    pub fn evaluate(
        &mut self,
        program: &Program,
        entry: Entry,
        frame: u32,
        state: &mut [i32],
    ) -> Result<i32, RunTimeError> {
        self.rounds = 0;
        self.run(program, entry, frame, state)?;
        Ok(self.pop())
    }

    /// Runs code that finds values on the stack, the last one on top.
    pub fn run_with(
        &mut self,
        program: &Program,
        entry: Entry,
        frame: u32,
        state: &mut [i32],
        values: impl Iterator<Item = i32>,
    ) -> Result<(), RunTimeError> {
        self.stack.clear();
        self.stack.extend(values);
        self.calls.clear();
        self.reserve(frame as usize);
        let mut at = entry as usize;
        self.execute(program, &mut at, frame as usize, state)
            .map_err(|kind| RunTimeError { kind, span: program.spans[at] })
    }

    /// Runs code; what it leaves on the stack is its value.
    pub fn run(
        &mut self,
        program: &Program,
        entry: Entry,
        frame: u32,
        state: &mut [i32],
    ) -> Result<(), RunTimeError> {
        self.stack.clear();
        self.calls.clear();
        self.reserve(frame as usize);
        let mut at = entry as usize;
        self.execute(program, &mut at, frame as usize, state)
            .map_err(|kind| RunTimeError { kind, span: program.spans[at] })
    }

    fn execute(
        &mut self,
        program: &Program,
        at: &mut usize,
        frame: usize,
        state: &mut [i32],
    ) -> Result<(), ErrorKind> {
        let (mut base, mut top) = (0, frame);
        let mut current = *at;
        loop {
            // Only for errors; everything else uses the copy.
            *at = current;
            let mut next = current + 1;
            match program.ops[current] {
                Op::Const(value) => self.stack.push(value),
                Op::Load(slot) => self.stack.push(state[slot as usize]),
                Op::LoadLocal(slot) => self.stack.push(self.locals[base + slot as usize]),
                Op::LoadAt(slot) => {
                    let element = self.pop() as usize;
                    self.stack.push(state[slot as usize + element]);
                }
                Op::LoadConstantAt(slot) => {
                    let element = self.pop() as usize;
                    self.stack.push(program.constants[slot as usize + element]);
                }
                Op::LoadLocalAt(slot) => {
                    let element = self.pop() as usize;
                    self.stack.push(self.locals[base + slot as usize + element]);
                }
                Op::FirstIndex(size) => {
                    let index = self.pop();
                    self.stack.push(checked_index(index, size)?);
                }
                Op::NextIndex(size) => {
                    let index = checked_index(self.pop(), size)?;
                    let outer = self.pop();
                    self.stack.push(outer * size as i32 + index);
                }
                Op::Store(slot, ty) => {
                    state[slot as usize] = fit(self.pop(), &program.types[ty as usize])?;
                }
                Op::StoreAt(slot, ty) => {
                    let element = self.pop() as usize;
                    state[slot as usize + element] = fit(self.pop(), &program.types[ty as usize])?;
                }
                Op::StoreLocal(slot, ty) => {
                    self.locals[base + slot as usize] =
                        fit(self.pop(), &program.types[ty as usize])?;
                }
                Op::StoreLocalAt(slot, ty) => {
                    let element = self.pop() as usize;
                    self.locals[base + slot as usize + element] =
                        fit(self.pop(), &program.types[ty as usize])?;
                }
                Op::SetLocal(slot) => self.locals[base + slot as usize] = self.pop(),
                Op::Fill(from, count, value) => {
                    let from = base + from as usize;
                    self.locals[from..from + count as usize].fill(value);
                }
                Op::Unary(op) => {
                    let a = self.pop();
                    self.stack.push(unary(op, a));
                }
                Op::Binary(op) => {
                    let b = self.pop();
                    let a = self.pop();
                    self.stack.push(binary(op, a, b)?);
                }
                Op::Compare(op, slot, value) => {
                    self.stack.push(compare(op, state[slot as usize], value) as i32);
                }
                Op::Truth => {
                    let a = self.pop();
                    self.stack.push((a != 0) as i32);
                }
                Op::Jump(target) => next = target as usize,
                Op::JumpIfZero(target) => {
                    if self.pop() == 0 {
                        next = target as usize;
                    }
                }
                Op::LoopBack(target) => {
                    self.count_round()?;
                    next = target as usize;
                }
                Op::CountUp(slot, limit, target) => {
                    self.count_round()?;
                    let local = &mut self.locals[base + slot as usize];
                    if *local < limit {
                        *local += 1;
                        next = target as usize;
                    }
                }
                Op::Fit(ty) => {
                    let value = self.pop();
                    self.stack.push(fit(value, &program.types[ty as usize])?);
                }
                Op::Call(function) => {
                    self.count_round()?;
                    let code = program.functions[function as usize];
                    self.calls.push((next as u32, base));
                    base = top;
                    top += code.frame as usize;
                    self.reserve(top);
                    next = code.entry as usize;
                }
                Op::Return => {
                    let Some((back, outer)) = self.calls.pop() else { return Ok(()) };
                    top = base;
                    base = outer;
                    next = back as usize;
                }
                Op::Reset(clock) => {
                    let value = self.pop();
                    self.reset(clock, value)?;
                }
                Op::ResetAt(clock) => {
                    let element = self.pop() as u32;
                    let value = self.pop();
                    self.reset(clock + element, value)?;
                }
                Op::Assert => {
                    if self.pop() == 0 {
                        return Err(ErrorKind::Assertion);
                    }
                }
                Op::Drop => {
                    self.pop();
                }
                Op::Await => {
                    if self.pop() == 0 {
                        return Err(ErrorKind::Blocked);
                    }
                }
                Op::Fail(failure) => return Err(ErrorKind::Failure(failure)),
                Op::NoRoom => return Err(ErrorKind::NoRoom),
                Op::Enter(slot, location) => state[slot as usize] = location,
                Op::Timeout => self.stack.push(self.timeout as i32),
                Op::ChannelNumber(count) => {
                    let value = self.pop();
                    if !(1..=count as i32).contains(&value) {
                        return Err(ErrorKind::NoChannel(value));
                    }
                    self.stack.push(value - 1);
                }
                Op::HasBuffer(width) => {
                    let buffer = &program.buffers[self.pop() as usize];
                    let has = buffer.capacity > 0 && buffer.fields.len() == width as usize;
                    self.stack.push(has as i32);
                }
                Op::Probe(probe) => {
                    let buffer = &program.buffers[self.pop() as usize];
                    self.stack.push(buffer.probe(probe, state));
                }
                Op::Poll(pattern) => {
                    let pattern = &program.patterns[pattern as usize];
                    let buffer = &program.buffers[self.pop() as usize];
                    let values = self.stack.len() - pattern.values();
                    let found = buffer.find(state, pattern, &self.stack[values..]);
                    self.stack.truncate(values);
                    self.stack.push(found.is_some() as i32);
                }
                Op::Send(fields, sorted) => {
                    let buffer = &program.buffers[self.pop() as usize];
                    let values = self.stack.len() - fields as usize;
                    if !buffer.send(state, &mut self.stack[values..], sorted)? {
                        return Err(ErrorKind::Blocked);
                    }
                    self.stack.truncate(values);
                }
                Op::Receive(pattern) => {
                    let pattern = &program.patterns[pattern as usize];
                    let buffer = &program.buffers[self.pop() as usize];
                    let values = self.stack.len() - pattern.values();
                    let found = buffer.find(state, pattern, &self.stack[values..]);
                    self.stack.truncate(values);
                    let Some(message) = found else { return Err(ErrorKind::Blocked) };
                    buffer.receive(state, message, pattern, &mut self.stack);
                }
                Op::End => return Ok(()),
            }
            current = next;
        }
    }

    /// Counts a round of a loop or quantifier, or a call: too many are taken as endless.
    #[inline]
    fn count_round(&mut self) -> Result<(), ErrorKind> {
        if self.rounds.is_multiple_of(ROUNDS_BETWEEN_LOOKS) {
            cancellation::check();
            if self.rounds == MAX_LOOP_ROUNDS {
                return Err(ErrorKind::EndlessLoop);
            }
        }
        self.rounds += 1;
        Ok(())
    }

    fn pop(&mut self) -> i32 {
        // The assembler pushes before it pops.
        self.stack.pop().expect("code pushes what it pops")
    }

    fn reset(&mut self, clock: u32, value: i32) -> Result<(), ErrorKind> {
        if value < 0 {
            return Err(ErrorKind::NegativeClock(value));
        }
        if value > MAX_CLOCK_BOUND {
            return Err(ErrorKind::ClockBound(value));
        }
        self.resets.push((clock, value));
        Ok(())
    }
}

fn checked_index(index: i32, size: u32) -> Result<i32, ErrorKind> {
    if (index as u32) < size && index >= 0 {
        Ok(index)
    } else {
        Err(ErrorKind::Index { index, size })
    }
}

/// The value as the type holds it.
pub fn fit(value: i32, ty: &Type) -> Result<i32, ErrorKind> {
    if ty.contains(value) {
        return Ok(value);
    }
    match ty.overflow {
        Overflow::Error => Err(ErrorKind::OutOfRange { value, low: ty.low, high: ty.high }),
        Overflow::Wrap if ty.low < 0 => {
            let unused = (ty.high as u32).leading_zeros() - 1;
            Ok((value << unused) >> unused)
        }
        Overflow::Wrap => Ok(value & ty.high),
    }
}

/// The result of a comparison.
pub fn compare(op: BinaryOp, a: i32, b: i32) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        _ => a >= b,
    }
}

fn unary(op: UnaryOp, a: i32) -> i32 {
    match op {
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Not => (a == 0) as i32,
        UnaryOp::BitNot => !a,
        UnaryOp::Abs => a.wrapping_abs(),
    }
}

fn binary(op: BinaryOp, a: i32, b: i32) -> Result<i32, ErrorKind> {
    Ok(match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(ErrorKind::DivisionByZero),
        BinaryOp::Div => a.wrapping_div(b),
        BinaryOp::Rem => a.wrapping_rem(b),
        BinaryOp::Pow if b < 0 => return Err(ErrorKind::NegativeExponent(b)),
        BinaryOp::Pow => a.wrapping_pow(b as u32),
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        BinaryOp::BitAnd => a & b,
        BinaryOp::BitOr => a | b,
        BinaryOp::BitXor => a ^ b,
        BinaryOp::Shl | BinaryOp::Shr if !(0..32).contains(&b) => return Err(ErrorKind::Shift(b)),
        BinaryOp::Shl => a.wrapping_shl(b as u32),
        BinaryOp::Shr => a >> b,
        BinaryOp::And => (a != 0 && b != 0) as i32,
        BinaryOp::Or => (a != 0 || b != 0) as i32,
        comparison => compare(comparison, a, b) as i32,
    })
}
