//! Names of things for messages.

use network::{ChannelId, EdgeId, Network, ProcessId, Relation, element_name};

/// `Train(2) Appr -> Cross`.
pub(crate) fn edge(network: &Network, process: ProcessId, edge: EdgeId) -> String {
    let process = &network.processes[process];
    let edge = &process.edges[edge];
    let name = |location| &process.locations[location].name;
    format!("{} {} -> {}", process.name, name(edge.source), name(edge.target))
}

/// `go[2]`.
pub(crate) fn channel(network: &Network, channel: ChannelId, element: usize) -> String {
    let channel = &network.channels[channel];
    element_name(&channel.name, &channel.dimensions, element)
}

/// The sign of a relation.
pub(crate) fn relation(relation: Relation) -> &'static str {
    match relation {
        Relation::Lt => "<",
        Relation::Le => "<=",
        Relation::Eq => "==",
        Relation::Ge => ">=",
        Relation::Gt => ">",
    }
}

/// Ticks in units of time: `3.5`, or `10/3` where decimals do not end soon.
pub(crate) fn time(ticks: i128, scale: i64) -> String {
    let divisor = gcd(ticks.unsigned_abs(), scale.unsigned_abs().into()).max(1);
    let (top, bottom) = (ticks / divisor as i128, scale as i128 / divisor as i128);
    let Some(digits) = (0..=6).find(|&digits| 10_i128.pow(digits) % bottom.max(1) == 0) else {
        return format!("{top}/{bottom}");
    };
    if digits == 0 {
        return top.to_string();
    }
    let sign = if top < 0 { "-" } else { "" };
    let (whole, rest) = (top.unsigned_abs() / bottom as u128, top.unsigned_abs() % bottom as u128);
    let fraction = rest * 10_u128.pow(digits) / bottom as u128;
    format!("{sign}{whole}.{fraction:0width$}", width = digits as usize)
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_exact() {
        assert_eq!(time(7, 2), "3.5");
        assert_eq!(time(-7, 2), "-3.5");
        assert_eq!(time(10, 3), "10/3");
        assert_eq!(time(6, 3), "2");
        assert_eq!(time(1, 1000), "0.001");
        assert_eq!(time(0, 4), "0");
        assert_eq!(time(-1, 4), "-0.25");
        assert!(time(i128::MIN / 4, i64::MAX).contains('/'));
    }
}
