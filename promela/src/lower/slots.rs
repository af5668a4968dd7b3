//! How many processes of each proctype there can be at once: a slot for each.

use super::automaton::Automaton;
use super::flow::{Flow, Kind};
use super::loops::Loops;
use super::resolver::Proctype;

/// The most processes that Spin lets run at once.
pub(super) const MOST_PROCESSES: u32 = 255;

/// A place where a proctype starts another.
struct Site {
    starter: usize,
    started: usize,
    in_loop: bool,
}

/// The number of slots of every proctype and whether `run` can ever start one of it.
pub(super) fn count(
    proctypes: &[Proctype],
    automata: &[Automaton],
    in_loops: u32,
) -> Vec<(u32, bool)> {
    let mut sites = vec![];
    for (starter, (proctype, automaton)) in proctypes.iter().zip(automata).enumerate() {
        collect(starter, &proctype.flow, automaton, &mut sites);
    }
    // Who starts itself, through others too, may do so again and again.
    let reach = closure(proctypes.len(), &sites);
    let mut counts: Vec<u32> = proctypes.iter().map(|it| it.active).collect();
    for _ in 0..proctypes.len() {
        let mut next: Vec<u32> = proctypes.iter().map(|it| it.active).collect();
        for site in &sites {
            let again = site.in_loop || reach[site.started][site.starter];
            let each = if again { in_loops } else { 1 };
            let more = match reach[site.started][site.starter] {
                true => each,
                false => each.saturating_mul(counts[site.starter]),
            };
            let running = counts[site.starter] > 0;
            next[site.started] = next[site.started].saturating_add(if running { more } else { 0 });
        }
        next.iter_mut().for_each(|it| *it = (*it).min(MOST_PROCESSES));
        counts = next;
    }
    let run = |it: usize| sites.iter().any(|site| site.started == it && counts[site.starter] > 0);
    (0..counts.len()).map(|it| (counts[it], run(it))).collect()
}

fn collect(starter: usize, flow: &Flow, automaton: &Automaton, sites: &mut Vec<Site>) {
    let mut loops = None;
    for &state in &automaton.states {
        for transition in &automaton.transitions[state] {
            let Some(element) = transition.element else { continue };
            let Kind::Basic(basic) = &flow.elements[element].kind else { continue };
            basic.each_run(&mut |run| {
                let loops = loops.get_or_insert_with(|| Loops::new(automaton));
                let in_loop = transition.target.is_some_and(|it| loops.share(state, it));
                let known = sites.iter_mut().find(|it| it.starter == starter && it.in_loop);
                match known {
                    Some(site) if in_loop && site.started == run.proctype => {}
                    _ => sites.push(Site { starter, started: run.proctype, in_loop }),
                }
            });
        }
    }
}

/// Which proctype starts which, directly or through others.
fn closure(count: usize, sites: &[Site]) -> Vec<Vec<bool>> {
    let mut reach = vec![vec![false; count]; count];
    for site in sites {
        reach[site.starter][site.started] = true;
    }
    for middle in 0..count {
        for from in 0..count {
            for to in 0..count {
                reach[from][to] |= reach[from][middle] && reach[middle][to];
            }
        }
    }
    reach
}
