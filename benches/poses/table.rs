//! Median ratios of times, measured alternately.

#![forbid(unsafe_code)]

use std::time::Instant;

use maquette_core::pose::{Pose, sample_on};

use crate::case::{Case, Copy, Moment, SIZES};

/// Returns the CPU seconds of this thread.
#[cfg(target_os = "linux")]
fn seconds() -> f64 {
    let spent = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    spent.tv_sec as f64 + spent.tv_nsec as f64 / 1e9
}

/// Returns seconds of real time, where CPU time is not available.
#[cfg(not(target_os = "linux"))]
fn seconds() -> f64 {
    std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0.0, |since| since.as_secs_f64())
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A task to measure.
type Work<'a> = Box<dyn FnMut() + 'a>;

/// Returns the median seconds of each task. Tasks alternate, and each turn is long enough for the clock.
fn by_turns<const N: usize>(vertices: usize, clock: impl Fn() -> f64, mut works: [Work; N]) -> [f64; N] {
    let times = (1_000_000 / vertices).max(1);
    let mut spent: [Vec<f64>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..41 {
        for (work, spent) in works.iter_mut().zip(&mut spent) {
            // Fill the caches with the task's own data.
            work();
            let start = clock();
            (0..times).for_each(|_| work());
            spent.push((clock() - start) / times as f64);
        }
    }
    spent.map(median)
}

fn posing<'a>(threads: usize, case: &'a Case, moment: Moment) -> Work<'a> {
    let mut pose = Pose::default();
    Box::new(move || sample_on(threads, &case.model, &moment.sampling(), &mut pose))
}

pub fn print() {
    println!(
        "| format | vertices | bytes a vertex | copy, ns a vertex | between frames : copy | whole frame : copy | between frames : whole frame |"
    );
    println!("|---|---|---|---|---|---|---|");
    for vertices in SIZES {
        for format in crate::formats() {
            let case = Case::new(format, vertices);
            let mut copies = [Moment::Between, Moment::Whole].map(|time| case.copy(time));
            let [copy, whole_copy] = copies.each_mut().map(|copy| Box::new(|| copy.run()) as Work);
            let works = [copy, whole_copy, posing(1, &case, Moment::Between), posing(1, &case, Moment::Whole)];
            let [copy, whole_copy, between, whole] = by_turns(vertices, seconds, works);
            println!(
                "| {format} | {vertices} | {} | {:.2} | {:.2} | {:.2} | {:.2} |",
                case.bytes(Moment::Between),
                copy * 1e9 / vertices as f64,
                between / copy,
                whole / whole_copy,
                between / whole
            );
        }
    }
    println!();
    println!("| format | vertices | one thread : two | copy, one thread : two |");
    println!("|---|---|---|---|");
    for vertices in SIZES.into_iter().filter(|vertices| *vertices >= 100_000) {
        for format in crate::formats() {
            let case = Case::new(format, vertices);
            let (mut copy, mut copy_on_two): (Copy, Copy) = (case.copy(Moment::Between), case.copy(Moment::Between));
            let start = Instant::now();
            let works = [
                posing(1, &case, Moment::Between),
                posing(2, &case, Moment::Between),
                Box::new(|| copy.run()),
                Box::new(|| copy_on_two.run_on_two()),
            ];
            let [one, two, copy, copy_on_two] = by_turns(vertices, || start.elapsed().as_secs_f64(), works);
            println!("| {format} | {vertices} | {:.2} | {:.2} |", one / two, copy / copy_on_two);
        }
    }
}
