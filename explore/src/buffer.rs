//! What happens to the messages in a channel's buffer.
//!
//! The words of a buffer are the number of messages, then the fields of each message; those beyond
//! the last message are 0, so that equal contents are equal words.

use crate::layout::Buffer;
use crate::machine::fit;
use crate::program::{FieldPattern, PatternCode};
use network::{ErrorKind, Probe};

impl PatternCode {
    /// The number of values it compares fields with.
    pub fn values(&self) -> usize {
        self.fields.iter().filter(|f| **f == FieldPattern::Equal).count()
    }

    /// Whether a message fits, given the values of the fields that must be equal to something.
    pub fn fits(&self, message: &[i32], values: &[i32]) -> bool {
        let mut values = values.iter();
        self.fields.iter().zip(message).all(|(field, word)| match field {
            FieldPattern::Equal => values.next() == Some(word),
            FieldPattern::Store | FieldPattern::Any => true,
        })
    }
}

impl Buffer {
    fn len(&self, state: &[i32]) -> usize {
        if self.capacity == 0 { 0 } else { state[self.at as usize] as usize }
    }

    fn message<'a>(&self, state: &'a [i32], number: usize) -> &'a [i32] {
        let width = self.fields.len();
        let from = self.at as usize + 1 + number * width;
        &state[from..from + width]
    }

    /// The messages in it, first to last.
    pub fn messages(&self, state: &[i32]) -> Vec<Vec<i32>> {
        (0..self.len(state)).map(|i| self.message(state, i).to_vec()).collect()
    }

    /// The answer to a probe.
    pub fn probe(&self, probe: Probe, state: &[i32]) -> i32 {
        let len = self.len(state);
        match probe {
            Probe::Length => len as i32,
            Probe::Full => (len == self.capacity as usize) as i32,
            Probe::Empty => (len == 0) as i32,
        }
    }

    /// The message that a receive would take.
    pub fn find(&self, state: &[i32], pattern: &PatternCode, values: &[i32]) -> Option<usize> {
        if pattern.fields.len() != self.fields.len() {
            return None;
        }
        let candidates = if pattern.anywhere { self.len(state) } else { self.len(state).min(1) };
        (0..candidates).find(|&i| pattern.fits(self.message(state, i), values))
    }

    /// Fits the fields of a message to the types of the channel.
    pub fn fit(&self, message: &mut [i32]) -> Result<(), ErrorKind> {
        for (word, ty) in message.iter_mut().zip(&self.fields) {
            *word = fit(*word, ty)?;
        }
        Ok(())
    }

    /// Puts a message into the buffer; false if it is full.
    pub fn send(
        &self,
        state: &mut [i32],
        message: &mut [i32],
        sorted: bool,
    ) -> Result<bool, ErrorKind> {
        let len = self.len(state);
        if len >= self.capacity as usize || message.len() != self.fields.len() {
            return Ok(false);
        }
        // The place is that of the message as it is sent, before its fields are cut.
        let greater = |&i: &usize| self.message(state, i) > &*message;
        let place = if sorted { (0..len).find(greater).unwrap_or(len) } else { len };
        self.fit(message)?;
        let (first, width) = (self.at as usize + 1, self.fields.len());
        let (from, end) = (first + place * width, first + len * width);
        state.copy_within(from..end, from + width);
        state[from..from + width].copy_from_slice(message);
        state[self.at as usize] += 1;
        Ok(true)
    }

    /// Takes a message out, unless it is kept, and pushes the fields to be stored, first on top.
    pub fn receive(
        &self,
        state: &mut [i32],
        number: usize,
        pattern: &PatternCode,
        stack: &mut Vec<i32>,
    ) {
        let message = self.message(state, number);
        let stored = pattern.fields.iter().zip(message).rev();
        stack.extend(stored.filter(|(f, _)| **f == FieldPattern::Store).map(|(_, &word)| word));
        if pattern.keep {
            return;
        }
        let (first, width) = (self.at as usize + 1, self.fields.len());
        let (from, end) = (first + number * width, first + self.len(state) * width);
        state.copy_within(from + width..end, from);
        state[end - width..end].fill(0);
        state[self.at as usize] -= 1;
    }
}
