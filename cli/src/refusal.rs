//! Why there is no model, in the words of the command line.

use crate::diagnostics;
use crate::exit::{Exit, report_defect};
use crate::output::Output;
use network::Diagnostic;
use vizsla::{Refusal, Unsuitable};

/// What is wrong with the input, or else with Vizsla.
pub fn diagnostics(refusal: Refusal) -> Result<Vec<Diagnostic>, String> {
    match refusal {
        Refusal::Input(diagnostics) => Ok(diagnostics),
        Refusal::Unsuitable(what) => Ok(vec![unsuitable(what)]),
        Refusal::Defect(what) => Err(what),
    }
}

fn unsuitable(what: Unsuitable) -> Diagnostic {
    match what {
        Unsuitable::QueryFile => {
            Diagnostic::error(what.to_string()).hint("ask with --query 'E<> ...'")
        }
        Unsuitable::ErrorsBesideQueries => Diagnostic::error(
            "--errors: a Promela model is checked for errors if no --query is given",
        ),
    }
}

/// Shows it.
pub fn show(refusal: Refusal, output: &Output) -> Exit {
    match diagnostics(refusal) {
        Ok(diagnostics) => {
            diagnostics::show(output, &diagnostics);
            Exit::Wrong
        }
        Err(what) => {
            report_defect(&what);
            Exit::Defect
        }
    }
}
