//! Large networks are reduced in a time that grows with their size, not faster.

use network::{Network, PropertyId};
use reduce::Passes;
use std::fmt::Write;

/// A process with a long chain of steps: some that nobody sees, some choices, some messages.
fn network(steps: usize, variables: usize) -> Network {
    let mut text =
        String::from("network 1 var g : int[0, 7] wrap chan q : buffered 3 (int[0, 7] wrap)\n");
    for number in 0..variables {
        let _ = writeln!(text, "var x{number} : int[0, 7] wrap");
    }
    text.push_str("process P {\n");
    (0..=steps).for_each(|number| {
        let _ = writeln!(text, "location l{number};");
    });
    text.push_str("init l0;\n");
    for number in 0..steps {
        let (x, y) = (number % variables, (number * 7 + 1) % variables);
        let part = match number % 5 {
            0 => format!("send q(x{x});"),
            1 => format!("do {{ x{x} = x{y} + 1; }}"),
            2 => format!("when x{x} < 3;"),
            3 => "do { g = 1; }".to_string(),
            _ => format!("receive q(x{y});"),
        };
        let _ = writeln!(text, "edge l{number} -> l{} {{ {part} }}", number + 1);
        if number % 5 == 2 {
            let _ = writeln!(text, "edge l{number} -> l{} {{ when x{x} >= 3; }}", number / 2);
        }
    }
    text.push_str("}\nproperty \"\" reachable g == 2\n");
    network::parse(&text).unwrap_or_else(|error| panic!("{error:?}"))
}

#[test]
fn a_hundred_thousand_edges_are_no_burden() {
    let network = network(83_000, 60);
    let edges =
        |network: &Network| network.processes.iter().map(|it| it.edges.len()).sum::<usize>();
    let start = testing::Busy::start();
    let passes = Passes { clear: true, merge: true };
    let reduced = reduce::reduce(&network, &network.properties[PropertyId(0)], passes);
    println!("{} of {} edges in {:?}", edges(&reduced.network), edges(&network), start.elapsed());
    assert!(edges(&reduced.network) < edges(&network));
    // Many minutes, if anything were quadratic.
    assert!(start.elapsed().as_secs() < 100);
}
