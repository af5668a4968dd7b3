//! `vizsla completions` and `vizsla man`: what packages install beside the program, made from the
//! description of the command line itself.

use crate::arguments::{Arguments, Completions, Manual};
use crate::exit::Exit;
use crate::output::Output;
use clap::CommandFactory;
use clap_mangen::Man;

/// Prints the completions of a shell.
pub fn completions(arguments: &Completions, output: &Output) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "vizsla", &mut script);
    print(script, output)
}

/// Prints a page of the manual.
pub fn page(arguments: &Manual, output: &Output) -> Exit {
    let mut program = Arguments::command();
    program.build();
    let page = match &arguments.command {
        None => Some(program),
        Some(name) => program.find_subcommand(name).cloned(),
    };
    let Some(page) = page else {
        let name = arguments.command.as_deref().unwrap_or_default();
        output.complain(&format!("there is no command `{name}`; see `vizsla help`"));
        return Exit::Wrong;
    };
    let mut text = Vec::new();
    match Man::new(page).render(&mut text) {
        Ok(()) => print(text, output),
        Err(error) => {
            output.complain(&format!("the page cannot be made: {error}"));
            Exit::Defect
        }
    }
}

fn print(text: Vec<u8>, output: &Output) -> Exit {
    match output.print(&String::from_utf8_lossy(&text)) {
        true => Exit::Satisfied,
        false => Exit::Wrong,
    }
}
