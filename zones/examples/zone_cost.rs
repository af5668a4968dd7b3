//! Prints what zone operations cost, in nanoseconds per call.
//!
//! Run with `cargo run --release -p vizsla-zones --example zone_cost`.

use std::hint::black_box;
use std::time::Instant;

use testing::Numbers;
use zones::bound::{add, le, negate};
use zones::compact;

const ZONES: usize = 64;
const REPEATS: usize = 200;

fn clock(numbers: &mut Numbers, dim: usize) -> usize {
    1 + numbers.below(dim - 1)
}

/// A zone as a search would meet it: resets, delays and a few constraints.
fn walk(numbers: &mut Numbers, dim: usize) -> Vec<i32> {
    let mut zone = vec![0; dim * dim];
    zones::zero(&mut zone, dim);
    for _ in 0..2 * dim {
        zones::up(&mut zone, dim);
        let mut tried = zone.clone();
        let most = le(5 + numbers.below(40) as i32);
        if zones::constrain(&mut tried, dim, clock(numbers, dim), 0, most) {
            zone.copy_from_slice(&tried);
        }
        zones::reset(&mut zone, dim, clock(numbers, dim), 0);
    }
    zones::up(&mut zone, dim);
    zones::constrain(&mut zone, dim, clock(numbers, dim), 0, le(30));
    zone
}

/// The best of several timings of `run` over fresh copies; includes the cost of copying.
fn cost(samples: &[Vec<i32>], run: impl Fn(usize, &mut [i32])) -> f64 {
    let mut work = samples[0].clone();
    best(|number| {
        work.copy_from_slice(&samples[number]);
        run(number, black_box(&mut work));
    })
}

fn best(mut run: impl FnMut(usize)) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = Instant::now();
        (0..ZONES).for_each(&mut run);
        least = least.min(start.elapsed().as_nanos() as f64 / ZONES as f64);
    }
    least
}

fn constants(numbers: &mut Numbers, dim: usize, limit: usize) -> Vec<i32> {
    let mut constants = vec![0];
    constants.resize_with(dim, || numbers.below(limit) as i32);
    constants
}

fn row(dim: usize, name: &str, cost: f64) {
    println!("{dim:4}  {name:<20}{cost:9.1}");
}

fn measure(dim: usize) {
    let mut numbers = Numbers::new(1);
    let samples: Vec<_> = (0..ZONES).map(|_| walk(&mut numbers, dim)).collect();
    let clocks: Vec<_> = (0..ZONES).map(|_| clock(&mut numbers, dim)).collect();
    measure_changes(dim, &samples, &clocks);
    for (name, limit) in [("extrapolate", 20), ("extrapolate, near", 3)] {
        let lower = constants(&mut numbers, dim, limit);
        let upper = constants(&mut numbers, dim, 2 * limit);
        let run = |_, zone: &mut [i32]| _ = zones::extrapolate_lu_plus(zone, dim, &lower, &upper);
        row(dim, name, cost(&samples, run));
    }
    let lower = constants(&mut numbers, dim, 20);
    let upper = constants(&mut numbers, dim, 40);
    measure_inclusion(dim, &samples, &lower, &upper);
    measure_compact(dim, &samples, &lower, &upper);
}

fn measure_changes(dim: usize, samples: &[Vec<i32>], clocks: &[usize]) {
    let above = |n: usize, zone: &mut [i32]| {
        let bound = add(negate(zone[clocks[n]]) | 1, le(2));
        black_box(zones::constrain(zone, dim, clocks[n], 0, bound));
    };
    let below = |n: usize, zone: &mut [i32]| {
        let bound = add(zone[clocks[n]], le(-2));
        black_box(zones::constrain(zone, dim, 0, clocks[n], bound));
    };
    let reset = |n: usize, zone: &mut [i32]| zones::reset(zone, dim, clocks[n], 0);
    row(dim, "(copy)", cost(samples, |_, _| ()));
    row(dim, "constrain, above", cost(samples, above));
    row(dim, "constrain, below", cost(samples, below));
    row(dim, "up", cost(samples, |_, zone| zones::up(zone, dim)));
    row(dim, "down", cost(samples, |_, zone| zones::down(zone, dim)));
    row(dim, "reset", cost(samples, reset));
    row(dim, "close", cost(samples, |_, zone| _ = zones::close(zone, dim)));
}

fn measure_inclusion(dim: usize, samples: &[Vec<i32>], lower: &[i32], upper: &[i32]) {
    let twins = samples.to_vec();
    let includes = |n: usize| _ = black_box(zones::includes(&samples[n], &twins[n]));
    row(dim, "includes, itself", best(includes));
    for (name, shift) in [("alu, itself", 0), ("alu, another", 1)] {
        let run = |n: usize| {
            let other = &twins[(n + shift) % ZONES];
            black_box(zones::included_in_alu(&samples[n], other, dim, lower, upper));
        };
        row(dim, name, best(run));
    }
}

fn measure_compact(dim: usize, samples: &[Vec<i32>], lower: &[i32], upper: &[i32]) {
    let keep: Vec<usize> = (0..dim).collect();
    let mut packed = vec![Vec::new(); ZONES];
    let packing = |n: usize| {
        packed[n].clear();
        assert!(compact::pack(&samples[n], dim, &keep, &mut packed[n]));
    };
    row(dim, "compact pack", best(packing));
    let bounds = compact::Bounds::new(lower, upper, &keep).expect("constants are small");
    let twins = packed.clone();
    let includes = |n: usize| _ = black_box(compact::includes(&packed[n], &twins[n]));
    row(dim, "compact includes", best(includes));
    let alu = |n: usize| _ = black_box(compact::included_in_alu(&packed[n], &twins[n], &bounds));
    row(dim, "compact alu", best(alu));
    let mut zone = vec![0; dim * dim];
    row(dim, "compact unpack", best(|n| compact::unpack(&packed[n], &keep, &mut zone, dim)));
}

fn main() {
    println!(" dim  operation             ns/call");
    [4, 11, 26].into_iter().for_each(measure);
}
