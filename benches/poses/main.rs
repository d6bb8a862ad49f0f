//! Speed of posing. `cargo bench --bench poses` prints times. `cargo bench --bench poses -- table` prints the ratios of
//! `docs/performance.md`. Compare only results of one run, because machines differ.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark may panic")]
#![allow(clippy::print_stdout, reason = "the benchmark prints its tables")]

mod case;
mod table;

use divan::Bencher;
use divan::counter::ItemsCount;
use maquette_assets::open::{open_sample, sample_formats};
use maquette_core::model::Format;
use maquette_core::pose::{Pose, sample, sample_on};

use case::{Case, Moment};

fn main() {
    if std::env::args().any(|argument| argument == "table") {
        table::print();
    } else {
        divan::main();
    }
}

/// Formats whose poses differ: an MDL is packed like an MD2, and a glTF like an IQM.
fn formats() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| !matches!(format, Format::Mdl | Format::Gltf))
}

fn samples() -> impl Iterator<Item = &'static str> {
    sample_formats().map(Format::name)
}

fn format(name: &str) -> Format {
    Format::by_name(name).expect("a format")
}

/// Returns every format with 4,000, 100,000 and 1,000,000 vertices.
fn sizes() -> impl Iterator<Item = String> {
    case::SIZES.into_iter().flat_map(|vertices| formats().map(move |format| format!("{format} {vertices}")))
}

fn case(size: &str) -> Case {
    let (name, vertices) = size.split_once(' ').expect("a format and a number");
    Case::new(format(name), vertices.parse().expect("a number"))
}

/// Baseline: measures a copy of the bytes that a pose between two frames reads and writes.
#[divan::bench(args = sizes())]
fn copy(bencher: Bencher, size: &str) {
    let mut copy = case(size).copy(Moment::Between);
    bencher.counter(ItemsCount::new(case(size).vertices)).bench_local(|| copy.run());
}

#[divan::bench(args = sizes())]
fn whole_frame(bencher: Bencher, size: &str) {
    let (case, mut pose) = (case(size), Pose::default());
    let sampling = Moment::Whole.sampling();
    bencher.counter(ItemsCount::new(case.vertices)).bench_local(|| sample_on(1, &case.model, &sampling, &mut pose));
}

#[divan::bench(args = sizes())]
fn between_frames(bencher: Bencher, size: &str) {
    let (case, mut pose) = (case(size), Pose::default());
    let sampling = Moment::Between.sampling();
    bencher.counter(ItemsCount::new(case.vertices)).bench_local(|| sample_on(1, &case.model, &sampling, &mut pose));
}

#[divan::bench(args = sizes())]
fn between_frames_on_all_cores(bencher: Bencher, size: &str) {
    let (case, mut pose) = (case(size), Pose::default());
    let sampling = Moment::Between.sampling();
    bencher.counter(ItemsCount::new(case.vertices)).bench_local(|| sample(&case.model, &sampling, &mut pose));
}

/// Measures posing the sample character between frames.
#[divan::bench(args = samples())]
fn figure_between_frames(bencher: Bencher, name: &str) {
    let model = open_sample(format(name)).expect("the samples load").model;
    let mut pose = Pose::default();
    let vertices = model.surfaces().iter().filter(|surface| surface.lod == 0).map(|surface| surface.vertex_count());
    let bencher = bencher.counter(ItemsCount::new(vertices.sum::<usize>()));
    bencher.bench_local(|| sample(&model, &Moment::Between.sampling(), &mut pose));
}

/// Measures opening the sample with its textures and, for MD5, its animations.
#[divan::bench(args = samples())]
fn open_figure(bencher: Bencher, name: &str) {
    bencher.bench_local(|| open_sample(format(name)));
}
