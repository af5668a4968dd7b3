//! The formula heuristic of HSF-SPIN (docs/algorithms.md, section 3.3): each part of the goal is
//! estimated by itself, parts that must all hold are added up, and of alternatives the nearest counts.
//!
//! With the maximum instead of sums, and 0 or 1 for every test of data, no estimate is too high.

use super::goal_form::GoalForm;
use super::graph_distance::{Combination, GraphDistance};
use crate::heuristic::{Guarantees, Heuristic, UNREACHABLE};
use crate::problem::Problem;
use explore::{Layout, Questions};
use network::{ChannelRef, Expr, Pattern, Poll, Probe, range_of};

/// Estimates by the parts of the goal.
pub struct Formula {
    layout: Layout,
    questions: Questions,
    root: Part,
    adds_up: bool,
    /// The path to an error, where errors count.
    errors: GraphDistance,
}

enum Part {
    Known(u32),
    /// Where a process must be.
    Place(GraphDistance),
    /// The question must have this answer.
    Data(usize, bool),
    /// Messages of a channel element that must come or go.
    Messages(usize, Messages),
    All(Vec<Part>),
    Any(Vec<Part>),
}

enum Messages {
    /// Until it is full.
    Missing,
    /// Until it is empty.
    Left,
    /// Until one with these fields is the first.
    Before(Vec<Option<i32>>),
}

impl Formula {
    /// For the goal of a problem; with sums, or with what is farthest.
    pub fn new(problem: &Problem, adds_up: bool) -> Self {
        let form = GoalForm::of(problem);
        let mut builder = Builder { problem, adds_up, questions: Vec::new() };
        let root = builder.part(&form);
        let locals = &problem.property().locals;
        let layout = problem.explorer.layout.clone();
        let questions = Questions::new(problem.network(), &layout, locals, &builder.questions);
        let errors = GraphDistance::to(problem, &GoalForm::Known(false), Combination::Max);
        Formula { layout, questions, root, adds_up, errors }
    }
}

impl Heuristic for Formula {
    fn guarantees(&self) -> Guarantees {
        if self.adds_up { Guarantees::DEAD_ENDS } else { Guarantees::ALL }
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.questions.look_at(state);
        let Formula { layout, questions, root, adds_up, errors } = self;
        let mut asked = Asked { layout, questions, state, adds_up: *adds_up };
        asked.value(root).min(errors.estimate(state))
    }
}

/// A state whose distance is asked.
struct Asked<'a> {
    layout: &'a Layout,
    questions: &'a mut Questions,
    state: &'a [i32],
    adds_up: bool,
}

impl Asked<'_> {
    fn value(&mut self, part: &mut Part) -> u32 {
        match part {
            Part::Known(value) => *value,
            Part::Place(distance) => distance.estimate(self.state),
            // What raises an error may mean anything.
            Part::Data(question, answer) => {
                self.questions.holds(*question).is_ok_and(|holds| holds != *answer) as u32
            }
            Part::Messages(element, messages) => self.messages(*element, messages),
            Part::All(parts) if self.adds_up => {
                parts.iter_mut().fold(0, |sum: u32, part| sum.saturating_add(self.value(part)))
            }
            Part::All(parts) => parts.iter_mut().map(|part| self.value(part)).max().unwrap_or(0),
            Part::Any(parts) => {
                parts.iter_mut().map(|part| self.value(part)).min().unwrap_or(UNREACHABLE)
            }
        }
    }

    fn messages(&self, element: usize, messages: &Messages) -> u32 {
        let buffer = &self.layout.buffers[element];
        let length = self.state[buffer.at as usize] as u32;
        let pattern = match messages {
            Messages::Missing => return buffer.capacity - length,
            Messages::Left => return length,
            Messages::Before(pattern) => pattern,
        };
        let width = buffer.fields.len().max(1);
        let words = &self.state[buffer.at as usize + 1..];
        let fits = |message: &[i32]| {
            pattern.iter().zip(message).all(|(wanted, &is)| wanted.is_none_or(|value| value == is))
        };
        let first = words.chunks(width).take(length as usize).position(fits);
        // Where there is no such message, it must at least be sent.
        first.map_or(length.max(1), |position| position as u32)
    }
}

struct Builder<'a, 'p> {
    problem: &'a Problem<'p>,
    adds_up: bool,
    questions: Vec<Expr>,
}

impl Builder<'_, '_> {
    fn part(&mut self, form: &GoalForm) -> Part {
        match form {
            GoalForm::Known(false) => Part::Known(UNREACHABLE),
            GoalForm::Known(true) | GoalForm::Open => Part::Known(0),
            GoalForm::At(..) => Part::Place(GraphDistance::without_errors(self.problem, form)),
            GoalForm::Data(expr, sign) => self.data(expr, *sign),
            GoalForm::All(parts) => Part::All(parts.iter().map(|part| self.part(part)).collect()),
            GoalForm::Any(parts) => Part::Any(parts.iter().map(|part| self.part(part)).collect()),
        }
    }

    fn data(&mut self, expr: &Expr, sign: bool) -> Part {
        // A step may send or receive several messages, so their number is no lower bound.
        if self.adds_up
            && sign
            && let Some((element, messages)) = self.wanted(expr)
        {
            return Part::Messages(element, messages);
        }
        self.questions.push(expr.clone());
        Part::Data(self.questions.len() - 1, sign)
    }

    /// The messages that a question about a known buffer is about.
    fn wanted(&self, expr: &Expr) -> Option<(usize, Messages)> {
        let (channel, messages) = match expr {
            Expr::Probe(Probe::Full, channel) => (&**channel, Messages::Missing),
            Expr::Probe(Probe::Empty, channel) => (&**channel, Messages::Left),
            Expr::Poll(poll) if !poll.anywhere => {
                (&poll.channel, Messages::Before(self.pattern(poll)?))
            }
            _ => return None,
        };
        let element = self.element(channel)?;
        let capacity = self.problem.explorer.layout.buffers[element].capacity;
        (capacity > 0).then_some((element, messages))
    }

    /// The element that a channel stands for, if it is always the same.
    fn element(&self, channel: &ChannelRef) -> Option<usize> {
        let ChannelRef::Element(id, indices) = channel else { return None };
        let dimensions = &self.problem.network().channels[*id].dimensions;
        let mut element = 0;
        for (index, dimension) in indices.iter().zip(dimensions) {
            let index = u32::try_from(self.constant(index)?).ok()?;
            if index >= dimension.size {
                return None;
            }
            element = element * dimension.size as usize + index as usize;
        }
        Some(self.problem.explorer.layout.channel(*id) as usize + element)
    }

    /// The fields that a poll asks for, if they are always the same.
    fn pattern(&self, poll: &Poll) -> Option<Vec<Option<i32>>> {
        let field = |pattern: &Pattern| match pattern {
            Pattern::Equal(expr) => self.constant(expr).map(Some),
            Pattern::Store(_) | Pattern::Any => Some(None),
        };
        poll.message.iter().map(field).collect()
    }

    fn constant(&self, expr: &Expr) -> Option<i32> {
        let (low, high) = range_of(self.problem.network(), &self.problem.property().locals, expr);
        (low == high).then_some(low)
    }
}
