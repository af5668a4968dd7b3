//! Conditions on data that somebody beside the explorer wants to ask of its states.

use crate::condition::{Compiler, Test};
use crate::layout::Layout;
use crate::machine::Machine;
use crate::program::Program;
use network::{Arena, Expr, Local, LocalId, Network, RunTimeError, Span};

/// Conditions ready to be evaluated, with buffers for doing so.
#[derive(Debug)]
pub struct Questions {
    program: Program,
    tests: Vec<Test>,
    machine: Machine,
    /// The words before the zone of the state that is asked about.
    state: Vec<i32>,
}

impl Questions {
    /// Compiles expressions without clocks and deadlock, all with the same locals.
    pub fn new(
        network: &Network,
        layout: &Layout,
        locals: &Arena<LocalId, Local>,
        expressions: &[Expr],
    ) -> Questions {
        let program = Program::new(network, layout);
        let mut compiler = Compiler { network, layout, program };
        let tests = expressions.iter().map(|e| compiler.test(locals, e, Span::NONE)).collect();
        let state = vec![0; layout.discrete];
        Questions { program: compiler.program, tests, machine: Machine::default(), state }
    }

    /// Names the state that is asked about from now on.
    pub fn look_at(&mut self, state: &[i32]) {
        let words = self.state.len();
        self.state.copy_from_slice(&state[..words]);
    }

    /// Whether the condition with a number holds.
    pub fn holds(&mut self, number: usize) -> Result<bool, RunTimeError> {
        self.tests[number].holds(&self.program, &mut self.machine, &mut self.state)
    }
}
