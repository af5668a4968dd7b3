//! Counts the reachable states of a Promela model, to be compared with what Spin's `pan` stores.
//!
//! `count [--flow | --print | --verdict] [--slots N] [--assert] [--limit N] model.pml`

use explore::{Abstraction, Explorer};
use std::collections::HashSet;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut options = promela::Options { asserts: false, ..Default::default() };
    let (mut flow, mut print, mut verdict, mut path) = (false, false, false, String::new());
    let mut limit = usize::MAX;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|it| it.parse().ok()).unwrap_or(8);
        match argument.as_str() {
            "--flow" => flow = true,
            "--print" => print = true,
            "--verdict" => (verdict, options.asserts) = (true, true),
            "--assert" => options.asserts = true,
            "--slots" => options.slots_in_loops = number(),
            "--limit" => limit = number() as usize,
            _ => path = argument,
        }
    }
    let Ok(bytes) = std::fs::read(&path) else {
        eprintln!("cannot read {path}");
        return ExitCode::from(2);
    };
    let mut read = |name: &str| std::fs::read(name).map_err(|error| error.to_string());
    let loaded = promela::load(promela::Input {
        path: &path,
        bytes: &bytes,
        defines: &[],
        queries: &[],
        options,
        read_include: &mut read,
    });
    for it in loaded.diagnostics.iter().filter(|it| it.is_error()) {
        let line = it.place.as_ref().map_or(0, |place| place.line);
        eprintln!("{path}:{line}: {}", it.message);
    }
    let Some(network) = loaded.network else { return ExitCode::from(2) };
    if print {
        println!("{}", network::print(&network));
    }
    if flow {
        for process in &network.processes {
            let (states, edges) = (process.locations.len() - 1, process.edges.len());
            println!("{} {states} {edges}", process.template);
        }
        return ExitCode::SUCCESS;
    }
    if verdict { check(&network) } else { explore(&network, limit) }
}

fn check(network: &network::Network) -> ExitCode {
    for property in &network.properties {
        let Ok(explorer) = Explorer::compile(network.clone(), Some(property), Abstraction::None)
        else {
            return ExitCode::from(2);
        };
        let configuration = search::Configuration::from(search::Order::BreadthFirst);
        let limits = search::Limits::default();
        let (outcome, _) = search::run(&explorer, &configuration, &limits, &mut search::Unlimited);
        match outcome {
            search::Outcome::Reached { path, end, .. } => {
                println!("error after {} steps: {end:?}", path.len());
            }
            other => println!("{other:?}"),
        }
    }
    ExitCode::SUCCESS
}

fn explore(network: &network::Network, limit: usize) -> ExitCode {
    let explorer = match Explorer::compile(network.clone(), None, Abstraction::None) {
        Ok(explorer) => explorer,
        Err(error) => {
            eprintln!("{}", error.message);
            return ExitCode::from(2);
        }
    };
    let mut ws = explorer.workspace();
    let (mut seen, mut open) = (HashSet::<Box<[i32]>>::new(), Vec::<Box<[i32]>>::new());
    let (mut stored, mut stuck, mut error) = (0, 0, None);
    explorer.initial(&mut ws, &mut |state, _| open.push(state.into())).ok();
    open.iter().for_each(|it| {
        seen.insert(it.clone());
    });
    while let Some(state) = open.pop() {
        stored += usize::from(!explorer.is_transient(&state));
        let mut steps = 0;
        let result = explorer.successors(&mut ws, &state, &mut |next, _| {
            steps += 1;
            if !seen.contains(next) {
                seen.insert(next.into());
                open.push(next.into());
            }
        });
        if let Err(raised) = result {
            error.get_or_insert(raised.error);
        } else if steps == 0 {
            stuck += 1;
        }
        if seen.len() > limit {
            println!("more than {limit}");
            return ExitCode::from(1);
        }
    }
    print!("stored {stored} all {} stuck {stuck}", seen.len());
    match error {
        Some(error) => {
            println!(" error {} line {}", error.kind.message(network), error.span.line);
        }
        None => println!(),
    }
    ExitCode::SUCCESS
}
