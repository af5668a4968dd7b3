//! Conditions that somebody beside the explorer wants to ask of its states.

use crate::condition::{Compiler, Constraint, Difference, Test, evaluate};
use crate::layout::Layout;
use crate::machine::Machine;
use crate::program::Program;
use network::{Arena, Expr, Local, LocalId, Network, RunTimeError, Span};

/// Conditions ready to be evaluated, with buffers for doing so.
#[derive(Debug)]
pub struct Questions {
    program: Program,
    questions: Vec<Question>,
    machine: Machine,
    /// The state that is asked about; without its zone if no question is about clocks.
    state: Vec<i32>,
    discrete: usize,
    dim: usize,
    demands: Vec<Difference>,
}

#[derive(Debug)]
enum Question {
    Data(Test),
    Clocks(Vec<Constraint>),
}

impl Questions {
    /// Compiles expressions, all with the same locals: either a clock constraint, or without clocks
    /// and deadlock.
    pub fn new(
        network: &Network,
        layout: &Layout,
        locals: &Arena<LocalId, Local>,
        expressions: &[Expr],
    ) -> Questions {
        let mut compiler = Compiler { network, layout, program: Program::new(network, layout) };
        let mut question = |expr: &Expr| match expr {
            Expr::Clock(constraint) => {
                Question::Clocks(compiler.constraint(locals, constraint, Span::NONE))
            }
            _ => Question::Data(compiler.test(locals, expr, Span::NONE)),
        };
        let questions: Vec<Question> = expressions.iter().map(&mut question).collect();
        let timed = questions.iter().any(|question| matches!(question, Question::Clocks(_)));
        Questions {
            program: compiler.program,
            questions,
            machine: Machine::default(),
            state: vec![0; if timed { layout.words() } else { layout.discrete }],
            discrete: layout.discrete,
            dim: layout.dim,
            demands: Vec::new(),
        }
    }

    /// Names the state that is asked about from now on.
    pub fn look_at(&mut self, state: &[i32]) {
        let words = self.state.len();
        self.state.copy_from_slice(&state[..words]);
    }

    /// Whether the condition with a number holds, for some valuation of the zone.
    pub fn holds(&mut self, number: usize) -> Result<bool, RunTimeError> {
        self.may_be(number, true)
    }

    /// Whether the condition with a number has this outcome, for some valuation of the zone.
    pub fn may_be(&mut self, number: usize, outcome: bool) -> Result<bool, RunTimeError> {
        let Questions { program, machine, state, demands, dim, .. } = self;
        let constraints = match &self.questions[number] {
            Question::Data(test) => return Ok(test.holds(program, machine, state)? == outcome),
            Question::Clocks(constraints) => constraints,
        };
        demands.clear();
        evaluate(constraints, program, machine, state, demands)?;
        let zone = &state[self.discrete..];
        // All of them bound one difference, so what is possible for each is possible for all.
        Ok(match outcome {
            true => demands.iter().all(|demand| demand.is_possible(zone, *dim)),
            false => demands.iter().any(|demand| demand.opposite().is_possible(zone, *dim)),
        })
    }
}
