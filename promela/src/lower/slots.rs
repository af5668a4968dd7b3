//! How many processes of each proctype there can be at once: a slot for each.

use super::automaton::Automaton;
use super::flow::{ElementKind, Flow};
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
    let recursive = recursive(proctypes.len(), &sites);
    let mut counts: Vec<u32> = proctypes.iter().map(|it| it.active).collect();
    for _ in 0..proctypes.len() {
        let mut next: Vec<u32> = proctypes.iter().map(|it| it.active).collect();
        for (site, &recursive) in sites.iter().zip(&recursive) {
            let each = if site.in_loop || recursive { in_loops } else { 1 };
            let more = match recursive {
                true => each,
                false => each.saturating_mul(counts[site.starter]),
            };
            let running = counts[site.starter] > 0;
            next[site.started] = next[site.started].saturating_add(if running { more } else { 0 });
        }
        next.iter_mut().for_each(|it| *it = (*it).min(MOST_PROCESSES));
        if next == counts {
            break;
        }
        counts = next;
    }
    let mut run = vec![false; counts.len()];
    for site in sites.iter().filter(|site| counts[site.starter] > 0) {
        run[site.started] = true;
    }
    counts.into_iter().zip(run).collect()
}

fn collect(starter: usize, flow: &Flow, automaton: &Automaton, sites: &mut Vec<Site>) {
    let (mut loops, first) = (None, sites.len());
    for &state in &automaton.states {
        for transition in &automaton.transitions[state] {
            let Some(element) = transition.element else { continue };
            let ElementKind::Basic(basic) = &flow.elements[element].kind else { continue };
            basic.each_run(&mut |run| {
                let loops = loops.get_or_insert_with(|| Loops::new(automaton));
                let in_loop = transition.target.is_some_and(|it| loops.share(state, it));
                let known = sites[first..].iter().find(|it| it.in_loop);
                match known {
                    Some(site) if in_loop && site.started == run.proctype => {}
                    _ => sites.push(Site { starter, started: run.proctype, in_loop }),
                }
            });
        }
    }
}

/// For each site, whether whom it starts may start its starter, directly or through others.
fn recursive(proctypes: usize, sites: &[Site]) -> Vec<bool> {
    let mut started = vec![vec![]; proctypes];
    for site in sites {
        started[site.starter].push(site.started);
    }
    let loops = Loops::of(&started, 0..proctypes);
    sites.iter().map(|site| loops.share(site.starter, site.started)).collect()
}
