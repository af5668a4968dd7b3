//! Explores the whole state space of a network in text form and prints what that cost.
use explore::{Abstraction, Explorer};
use search::{Limits, Unlimited};
fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let abstraction = match std::env::args().nth(2).as_deref() {
        Some("extra-lu") => Abstraction::ExtraLu,
        Some("alu") => Abstraction::CoverAlu,
        Some("none") => Abstraction::None,
        _ => Abstraction::ExtraLuCoverAlu,
    };
    let text = std::fs::read_to_string(path).expect("readable");
    let network = network::parse(&text).expect("a network");
    let explorer = Explorer::compile(&network, None, abstraction).expect("executable");
    let start = std::time::Instant::now();
    let configuration = search::catalog::search("bfs").expect("known").configuration(0);
    let (_, s) = search::run(&explorer, &configuration, &Limits::default(), &mut Unlimited);
    let seconds = start.elapsed().as_secs_f64();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find(|l| l.starts_with("VmHWM")).unwrap_or("");
    println!(
        "{s:?}\n{seconds:.3} s, {:.0} explored/s, {} bytes/stored, {peak}",
        s.explored as f64 / seconds,
        s.bytes / s.stored.max(1)
    );
}
