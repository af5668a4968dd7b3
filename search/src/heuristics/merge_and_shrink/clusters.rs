//! Parts whose values depend on each other begin together: apart, a value that is copied from one to the other
//! could be any.

use crate::heuristics::pattern::selection::Dependencies;
use crate::problem::Problem;
use abstraction::Part;
use network::{BinaryOp, Edge, Expr, UnaryOp};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// All parts without clocks, in clusters with so many states at most, as a power of two.
pub fn clusters(problem: &Problem, most_bits: f64) -> Vec<Vec<Part>> {
    let dependencies = Dependencies::of(problem.network());
    let is_clock = |part: &Part| matches!(part, Part::Clock(_));
    let parts = abstraction::parts(problem.network()).into_iter().filter(|it| !is_clock(it));
    let mut clusters: Vec<Vec<Part>> = parts.map(|part| vec![part]).collect();
    let mut links: Vec<_> = links(problem, &dependencies).into_iter().collect();
    links.sort_by_key(|&(pair, count)| (Reverse(count), pair));
    for ((one, other), _) in links {
        let find = |part: Part| clusters.iter().position(|cluster| cluster.contains(&part));
        if let (Some(one), Some(other)) = (find(one), find(other))
            && one != other
        {
            let together = clusters[one].iter().chain(&clusters[other]);
            if together.map(|&part| dependencies.bits(part)).sum::<f64>() <= most_bits {
                let (kept, gone) = (one.min(other), one.max(other));
                let moved = clusters.remove(gone);
                clusters[kept].extend(moved);
            }
        }
    }
    clusters
}

/// How often two parts occur together in what cannot be taken apart.
fn links(problem: &Problem, dependencies: &Dependencies) -> BTreeMap<(Part, Part), usize> {
    let mut links = BTreeMap::new();
    for (.., edge) in problem.edges().filter(|(_, id, _)| problem.takes_part(*id)) {
        for parts in inseparable(dependencies, edge) {
            for (&one, &other) in parts.iter().flat_map(|it| parts.iter().map(move |to| (it, to))) {
                if one < other {
                    *links.entry((one, other)).or_default() += 1;
                }
            }
        }
    }
    links
}

/// The parts of each statement, and of each condition that is not made of others.
fn inseparable(dependencies: &Dependencies, edge: &Edge) -> Vec<BTreeSet<Part>> {
    let mut found: Vec<BTreeSet<Part>> =
        edge.update.iter().map(|it| dependencies.of_statement(it)).collect();
    found.push(dependencies.of_action(&edge.action));
    let mut waiting = vec![&edge.guard.data];
    while let Some(expr) = waiting.pop() {
        match expr {
            Expr::Unary(UnaryOp::Not, operand) => waiting.push(operand),
            Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                waiting.extend([&**left, &**right])
            }
            _ => found.push(dependencies.of_expr(expr)),
        }
    }
    found
}
