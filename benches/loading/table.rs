//! Median ratios of CPU times, measured alternately.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;

use crate::cases::{Case, GENERATED, Size};
use crate::checks;

/// Returns the CPU seconds of this process.
#[cfg(target_os = "linux")]
pub fn seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// Returns seconds of real time, where CPU time is not available.
#[cfg(not(target_os = "linux"))]
pub fn seconds() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64())
}

pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Cost of loading a file.
struct Cost {
    /// Length of the file in bytes.
    length: usize,
    /// Time of reading and loading divided by time of reading and copying.
    ratio: f64,
    /// Loading speed without reading, in megabytes per second.
    speed: f64,
    /// Peak memory divided by file length.
    memory: f64,
}

impl Cost {
    fn new(case: &Case) -> Self {
        let length = case.len();
        // Load short files repeatedly, so that each measurement takes long enough.
        let times = (200_000 / length.max(1)).clamp(1, 50);
        let timed = |work: &dyn Fn()| {
            let start = seconds();
            (0..times).for_each(|_| work());
            (seconds() - start) / times as f64
        };
        let bytes = case.bytes();
        let turns = (20_000_000 / (length * times)).clamp(5, 31);
        let turn = |_| (timed(&|| case.copy()), timed(&|| case.load()), timed(&|| case.load_from(&bytes)));
        let turns: Vec<(f64, f64, f64)> = (0..turns).map(turn).collect();
        let copy = median(turns.iter().map(|(copy, ..)| *copy).collect());
        let load = median(turns.iter().map(|(_, load, _)| *load).collect());
        let alone = median(turns.iter().map(|(.., alone)| *alone).collect());
        let memory = case.peak() as f64 / length as f64;
        Self { length, ratio: load / copy, speed: length as f64 / alone / 1e6, memory }
    }
}

pub fn print() {
    println!("| file | length | read + load : read + copy | load, MB/s | peak memory : file |");
    println!("|---|---|---|---|---|");
    for size in Size::ALL {
        for kind in GENERATED {
            let case = Case::generated(kind, size);
            let Cost { length, ratio, speed, memory } = Cost::new(&case);
            println!("| {} | {} KB | {ratio:.2} | {speed:.0} | {memory:.2} |", case.name, length / 1000);
        }
    }
    let mut real: BTreeMap<String, Vec<Cost>> = BTreeMap::new();
    for case in Case::real() {
        let long = if case.len() >= 1_000_000 { "from 1 MB" } else { "below 1 MB" };
        real.entry(format!("{}, {long}", case.name)).or_default().push(Cost::new(&case));
    }
    if !real.is_empty() {
        println!();
        println!(
            "| real files | how many | read + load : read + copy, median (worst) | load, MB/s, median (least) | peak memory : file, most, from 100 KB (below) |"
        );
        println!("|---|---|---|---|---|");
    }
    for (name, costs) in real {
        let ratios: Vec<f64> = costs.iter().map(|cost| cost.ratio).collect();
        let speeds: Vec<f64> = costs.iter().map(|cost| cost.speed).collect();
        let worst = ratios.iter().copied().fold(0.0, f64::max);
        let least = speeds.iter().copied().fold(f64::INFINITY, f64::min);
        let most = |large: bool| {
            let costs = costs.iter().filter(|cost| (cost.length >= 100_000) == large);
            costs.map(|cost| cost.memory).fold(0.0, f64::max)
        };
        let (count, ratio, speed) = (costs.len(), median(ratios), median(speeds));
        let (large, small) = (most(true), most(false));
        println!("| {name} | {count} | {ratio:.2} ({worst:.2}) | {speed:.0} ({least:.0}) | {large:.2} ({small:.2}) |");
    }
    println!();
    checks::print();
}
