//! The `vizsla` command: flags, files, the terminal and exit codes around the library of that name. It is
//! the only part of the program that prints or reads the environment. Start reading at [`run`]; every
//! subcommand is a file of its own.

mod account;
mod arguments;
mod check;
mod convert;
mod diagnostics;
mod dot;
mod exit;
mod files;
mod improve;
mod info;
mod input;
mod manual;
mod memory;
mod output;
mod progress;
mod refusal;
mod replay;
mod report;
mod watchdog;
mod words;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use output::Output;
use std::process::ExitCode;

fn main() -> ExitCode {
    exit::guard(run).into()
}

fn run() -> Exit {
    // What the user asks for stays true to the end.
    let arguments: &'static Arguments = match Arguments::try_parse() {
        Ok(arguments) => Box::leak(Box::new(arguments)),
        Err(message) => return exit::refuse_call(&message),
    };
    let output = Output::new(arguments.color);
    match &arguments.command {
        Command::Check(check) => check::run(check, &output),
        Command::Info(info) => info::run(info, &output),
        Command::Convert(convert) => convert::run(convert, &output),
        Command::Replay(replay) => replay::run(replay, &output),
        Command::Completions(completions) => manual::completions(completions, &output),
        Command::Manual(manual) => manual::page(manual, &output),
    }
}
