//! How many states a heuristic estimates per second, apart from the search that asks for them.

use crate::instance::Instance;
use explore::{Abstraction, Explorer};
use network::PropertyId;
use reduce::Passes;
use search::catalog::{self, Settings};
use search::{Guarantees, Heuristic, Limits, Parts, Problem, UNREACHABLE, Unlimited};
use std::time::Instant;
use vizsla::Model;

/// How many times all states are estimated.
const TIMES: usize = 10;

/// Estimates every state that A* asks for, again and again.
pub fn measure(instance: &Instance, name: &str) -> Result<(), String> {
    let model = Model::load(instance.path.as_path()).map_err(|refusal| refusal.to_string())?;
    let property = &model.network.properties[PropertyId(0)];
    let passes = Passes { clear: true, merge: false };
    let network = reduce::reduce(&model.network, property, passes).network;
    let explorer = Explorer::compile(network, Some(property), Abstraction::default())
        .map_err(|error| error.message)?;
    let problem = Problem::of(&explorer);
    let entry = catalog::heuristic(name).ok_or("there is no such heuristic")?;
    let states = states(&problem, entry.build(&problem)?)?;
    let mut heuristic = entry.build(&problem)?;
    println!("{}: {} states that A* with {name} estimates", instance.name, states.len());
    for _ in 0..TIMES {
        let start = Instant::now();
        let hopeless = states.iter().filter(|it| heuristic.estimate(it) == UNREACHABLE).count();
        let rate = states.len() as f64 / start.elapsed().as_secs_f64();
        println!("{rate:.0} estimates per second ({hopeless} of them infinite)");
    }
    Ok(())
}

/// The states that A* asks a heuristic about.
fn states<'a>(
    problem: &Problem<'a>,
    inner: Box<dyn Heuristic + 'a>,
) -> Result<Vec<Vec<i32>>, String> {
    let search = catalog::search("astar").ok_or("there is no such search")?;
    let mut seen = Vec::new();
    let heuristic: Box<dyn Heuristic> = Box::new(Recorder { inner, seen: &mut seen });
    let parts = Parts { heuristic: Some(heuristic), ..Parts::default() };
    let configuration = search.configuration(&Settings::default());
    search::run_with(problem.explorer, &configuration, parts, &Limits::default(), &mut Unlimited);
    Ok(seen)
}

/// Remembers which states are estimated.
struct Recorder<'a, 's> {
    inner: Box<dyn Heuristic + 'a>,
    seen: &'s mut Vec<Vec<i32>>,
}

impl Heuristic for Recorder<'_, '_> {
    fn guarantees(&self) -> Guarantees {
        self.inner.guarantees()
    }

    fn sees_clocks(&self) -> bool {
        self.inner.sees_clocks()
    }

    fn estimate(&mut self, state: &[i32]) -> u32 {
        self.seen.push(state.to_vec());
        self.inner.estimate(state)
    }
}
