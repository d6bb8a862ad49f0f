//! Speed of loading and checking files. `cargo bench --bench loading` prints times. `cargo bench --bench loading --
//! table` prints the CPU-time ratios of `docs/performance.md`. Compare only results of one run, because machines
//! differ.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(clippy::print_stdout, reason = "the benchmark prints its tables")]

mod cases;
mod checks;
mod table;

use divan::Bencher;
use divan::counter::BytesCount;

use cases::{Case, GENERATED, Size};

fn main() {
    if std::env::args().any(|argument| argument == "table") {
        table::print();
    } else {
        divan::main();
    }
}

/// Baseline: measures reading and copying a file of each kind, about 2 MB long.
#[divan::bench(args = GENERATED)]
fn read_and_copy(bencher: Bencher, kind: &str) {
    let case = Case::generated(kind, Size::Large);
    bencher.counter(BytesCount::new(case.len())).bench(|| case.copy());
}

#[divan::bench(args = GENERATED)]
fn read_and_load(bencher: Bencher, kind: &str) {
    let case = Case::generated(kind, Size::Large);
    bencher.counter(BytesCount::new(case.len())).bench(|| case.load());
}
