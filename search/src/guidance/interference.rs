//! Interference between edges: one writes what the other reads or writes.
//!
//! The distance of two edges counts the transitions on a shortest path from one to the other on which
//! neighbours interfere; edges that fire together belong to one transition.

use crate::footprint::{Footprint, Spans, footprints};
use crate::problem::Problem;
use analysis::Touches;
use explore::EdgeNumber;
use network::{Action, Arena, ChannelKind, ProcessId, cancellation};
use std::ops::Range;

/// The distance of edges that no path connects.
pub const UNCONNECTED: u8 = u8::MAX;

/// Distances between edges; a row is computed when it is asked for first.
pub struct Interference {
    edges: Arena<EdgeNumber, Node>,
    /// Words that the same edges use: who reads them and who writes them.
    cells: Vec<Users>,
    meetings: Vec<Meeting>,
    rows: Arena<EdgeNumber, Option<Arena<EdgeNumber, u8>>>,
}

/// What an edge has to do with others.
struct Node {
    process: ProcessId,
    reads: Vec<u32>,
    writes: Vec<u32>,
    meetings: Vec<u32>,
}

#[derive(Default)]
struct Users {
    readers: Vec<EdgeNumber>,
    writers: Vec<EdgeNumber>,
}

/// The edges that may fire together because of one element of a channel.
#[derive(Default)]
struct Meeting {
    broadcast: bool,
    senders: Vec<EdgeNumber>,
    receivers: Vec<EdgeNumber>,
}

impl Interference {
    /// The interference of a problem's edges.
    pub fn new(problem: &Problem) -> Self {
        let mut prints = footprints(problem);
        // An observer moves along with everybody, so it would connect everything.
        for (number, process, _) in problem.edges() {
            if problem.network().processes[process].observes {
                prints[number] = Footprint::default();
            }
        }
        let bounds = boundaries(&prints);
        let mut cells: Vec<Users> = bounds.iter().map(|_| Users::default()).collect();
        let mut edges = Arena::new();
        for (number, process, _) in problem.edges() {
            let footprint = &prints[number];
            let reads = cells_of(&bounds, &footprint.reads);
            let writes = cells_of(&bounds, &footprint.writes);
            reads.iter().for_each(|&cell| cells[cell as usize].readers.push(number));
            writes.iter().for_each(|&cell| cells[cell as usize].writers.push(number));
            edges.push(Node { process, reads, writes, meetings: Vec::new() });
        }
        let meetings = meetings(problem, &mut edges);
        let rows = edges.iter().map(|_| None).collect();
        Interference { edges, cells, meetings, rows }
    }

    /// The distance from one set of edges that fire together to another.
    pub fn distance(
        &mut self,
        from: impl Iterator<Item = EdgeNumber>,
        to: impl Iterator<Item = EdgeNumber> + Clone,
    ) -> u8 {
        let mut least = UNCONNECTED;
        for edge in from {
            let row = self.row(edge);
            least = to.clone().map(|edge| row[edge]).fold(least, u8::min);
        }
        least
    }

    fn row(&mut self, edge: EdgeNumber) -> &Arena<EdgeNumber, u8> {
        if self.rows[edge].is_none() {
            self.rows[edge] = Some(self.distances(edge));
        }
        self.rows[edge].as_ref().expect("just computed")
    }

    /// The least distance, from an edge, at which each edge takes part in a transition that
    /// interferes with one before by this edge of it.
    fn distances(&self, edge: EdgeNumber) -> Arena<EdgeNumber, u8> {
        let mut wave = Wave::new(self);
        wave.active[edge] = true;
        let mut front = vec![edge];
        let mut distance: u8 = 0;
        while !front.is_empty() {
            // Farther than that makes no difference.
            distance = (distance + 1).min(UNCONNECTED - 1);
            let mut next = Vec::new();
            front.iter().for_each(|&edge| wave.spread(edge, distance, &mut next));
            front = wave.joined(next);
        }
        wave.row
    }
}

/// Interference that spreads from an edge.
struct Wave<'a> {
    graph: &'a Interference,
    row: Arena<EdgeNumber, u8>,
    /// Edges of transitions that were reached.
    active: Arena<EdgeNumber, bool>,
    /// Which cells were passed from a reader, and from a writer.
    read: Vec<bool>,
    written: Vec<bool>,
}

impl<'a> Wave<'a> {
    fn new(graph: &'a Interference) -> Self {
        let cells = graph.cells.len();
        Wave {
            graph,
            row: graph.edges.iter().map(|_| UNCONNECTED).collect(),
            active: graph.edges.iter().map(|_| false).collect(),
            read: vec![false; cells],
            written: vec![false; cells],
        }
    }

    /// Reaches the edges that interfere with one.
    fn spread(&mut self, edge: EdgeNumber, distance: u8, next: &mut Vec<EdgeNumber>) {
        cancellation::check();
        let graph = self.graph;
        for &cell in &graph.edges[edge].writes {
            let users = &graph.cells[cell as usize];
            if !std::mem::replace(&mut self.written[cell as usize], true) {
                self.reach(&users.readers, distance, next);
                self.reach(&users.writers, distance, next);
            }
        }
        for &cell in &graph.edges[edge].reads {
            let users = &graph.cells[cell as usize];
            if !std::mem::replace(&mut self.read[cell as usize], true) {
                self.reach(&users.writers, distance, next);
            }
        }
    }

    fn reach(&mut self, edges: &[EdgeNumber], distance: u8, next: &mut Vec<EdgeNumber>) {
        for &edge in edges {
            let known = &mut self.row[edge];
            if *known == UNCONNECTED {
                *known = distance;
                next.push(edge);
            }
        }
    }

    /// The edges that were reached, with those that fire together with them.
    fn joined(&mut self, reached: Vec<EdgeNumber>) -> Vec<EdgeNumber> {
        let graph = self.graph;
        let mut front = Vec::new();
        for edge in reached {
            self.activate(edge, &mut front);
            let node = &graph.edges[edge];
            for &meeting in &node.meetings {
                for other in graph.meetings[meeting as usize].partners(edge) {
                    if graph.edges[other].process != node.process {
                        self.activate(other, &mut front);
                    }
                }
            }
        }
        front
    }

    fn activate(&mut self, edge: EdgeNumber, front: &mut Vec<EdgeNumber>) {
        if !std::mem::replace(&mut self.active[edge], true) {
            front.push(edge);
        }
    }
}

impl Meeting {
    /// The edges that may fire together with one of them.
    fn partners(&self, edge: EdgeNumber) -> impl Iterator<Item = EdgeNumber> {
        let sends = self.senders.contains(&edge);
        let receivers = if sends || self.broadcast { &self.receivers[..] } else { &[] };
        let senders = if sends { &[] } else { &self.senders[..] };
        receivers.iter().chain(senders).copied()
    }
}

/// Where sets of words begin and end, in order.
fn boundaries(prints: &Arena<EdgeNumber, Footprint>) -> Vec<u32> {
    let spans = prints.iter().flat_map(|print| print.reads.iter().chain(print.writes.iter()));
    let mut bounds: Vec<u32> = spans.flat_map(|span| [span.start, span.end]).collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

fn cells_of(bounds: &[u32], spans: &Spans) -> Vec<u32> {
    let cell = |word: u32| bounds.partition_point(|&bound| bound < word) as u32;
    let mut cells: Vec<u32> =
        spans.iter().flat_map(|span: &Range<u32>| cell(span.start)..cell(span.end)).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Finds out which edges may fire together.
fn meetings(problem: &Problem, edges: &mut Arena<EdgeNumber, Node>) -> Vec<Meeting> {
    let layout = &problem.explorer.layout;
    let touches = Touches::of(problem.network());
    let mut meetings: Vec<Meeting> = Vec::new();
    meetings.resize_with(layout.buffers.len(), Meeting::default);
    for (id, channel) in problem.network().channels.enumerate() {
        let first = layout.channel(id) as usize;
        let own = &mut meetings[first..first + channel.len()];
        own.iter_mut().for_each(|m| m.broadcast = channel.kind == ChannelKind::Broadcast);
    }
    for (number, _, edge) in problem.edges() {
        if problem.explorer.acts_on_buffer(number) {
            continue;
        }
        let Some(channel) = edge.action.channel() else { continue };
        let elements = touches.channel(channel);
        for element in elements.first..elements.end {
            let meeting = &mut meetings[element as usize];
            match edge.action {
                Action::Send(_) => meeting.senders.push(number),
                _ => meeting.receivers.push(number),
            }
            edges[number].meetings.push(element);
        }
    }
    meetings
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::{Abstraction, Explorer};
    use network::PropertyId;
    use std::sync::Arc;

    /// The distances between all edges of a network.
    fn distances(text: &str) -> Vec<Vec<u8>> {
        let network = Arc::new(network::parse(text).expect("a network"));
        assert_eq!(network::verify(&network), []);
        let property = &network.properties[PropertyId(0)];
        let explorer = Explorer::compile(network.clone(), Some(property), Abstraction::default());
        let explorer = explorer.expect("executable");
        let mut interference = Interference::new(&Problem::of(&explorer));
        let mut row = |from| {
            let to = |to| interference.distance([from].into_iter(), [to].into_iter());
            explorer.edges().map(to).collect()
        };
        explorer.edges().map(&mut row).collect()
    }

    const FAR: u8 = UNCONNECTED;

    /// One edge for each of several processes, with these guards and updates.
    fn processes(edges: &[&str]) -> String {
        let process = |(i, edge): (usize, &&str)| {
            format!("process P{i} {{ location p; location q; init p; edge p -> q {{ {edge} }} }}\n")
        };
        let processes: String = edges.iter().enumerate().map(process).collect();
        format!("network 1\n{processes}property \"p\" reachable P0 at q\n")
    }

    /// t1 writes x; t2 reads x, writes y; t3 reads y; t4 writes z.
    #[test]
    fn variables_connect_edges() {
        let edges =
            ["do { x = 1; }", "when x == 1; do { y = 1; }", "when y == 1;", "do { z = 1; }"];
        let text = processes(&edges) + "var x : bool var y : bool var z : bool";
        let expected = [[1, 1, 2, FAR], [1, 1, 1, FAR], [2, 1, 1, FAR], [FAR, FAR, FAR, 1]];
        assert_eq!(distances(&text), expected);
    }

    #[test]
    fn clocks_connect_edges_and_readers_alone_do_not() {
        let edges = ["do { reset c = 0; }", "when c >= 1;", "when c >= 2;"];
        let text = processes(&edges) + "clock c";
        assert_eq!(distances(&text), [[1, 1, 1], [1, 1, 2], [1, 2, 1]]);
    }

    #[test]
    fn locations_connect_the_edges_of_a_process() {
        let text = "network 1
process P { location a; location b; init a; edge a -> b; edge b -> a; }
process Q { location a; location b; init a; edge a -> b { when P at b; } }
process R { location a; location b; init a; edge a -> b; }
property \"p\" reachable P at b
";
        assert_eq!(distances(text)[0], [1, 1, 1, FAR]);
        assert_eq!(distances(text)[2], [1, 1, 1, FAR]);
    }

    /// Edge 1 sends to 2 or 5; only by these it has to do with 3 and 6.
    fn meeting(kind: &str) -> Vec<Vec<u8>> {
        let edges = [
            "when y == 1;",
            "send go; do { y = 1; }",
            "receive go; do { x = 1; }",
            "when x == 1;",
            "receive stop;",
            "receive go; do { w = 1; }",
            "when w == 1;",
        ];
        let variables = "var x : bool var y : bool var w : bool";
        let channels = format!("chan go : {kind} chan stop : {kind}");
        distances(&format!("{}{variables} {channels}", processes(&edges)))
    }

    #[test]
    fn partners_belong_to_one_transition() {
        // One step to 1, which takes 2 or 5 along; the next is 3 or 6.
        assert_eq!(meeting("handshake")[0], [1, 1, 2, 2, FAR, 2, 2]);
        // One step to 2 and 1, one to 1 and 5, one to 6.
        assert_eq!(meeting("handshake")[3], [2, 2, 1, 1, FAR, 3, 3]);
    }

    #[test]
    fn receivers_of_a_broadcast_belong_to_one_transition() {
        assert_eq!(meeting("broadcast")[3], [2, 2, 1, 1, FAR, 2, 2]);
    }
}
