//! How long loading and posing take: `cargo bench`. Compare figures of one run with each other; machines differ.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark may stop where it stands")]

use divan::Bencher;
use divan::counter::ItemsCount;
use maquette::formats;
use maquette::model::{Format, Model};
use maquette::pose::{BoneBlend, FrameBlend, Pose, Sampling, sample};
use maquette::scene::open_sample;

fn main() {
    divan::main();
}

const FORMATS: [&str; 5] = ["md2", "md3", "mdc", "mdr", "md5"];

fn format(name: &str) -> Format {
    formats::FORMATS.iter().find(|entry| entry.format.name() == name).map_or(Format::Md3, |entry| entry.format)
}

fn sample_model(name: &str) -> std::sync::Arc<Model> {
    open_sample(format(name)).expect("the samples load").model
}

fn vertices(model: &Model) -> usize {
    model.surfaces().iter().filter(|surface| surface.lod == 0).map(|surface| surface.vertex_count()).sum()
}

/// The yardstick: copying as many positions and normals as a pose has.
#[divan::bench(args = FORMATS)]
fn copy_of_a_pose(bencher: Bencher, name: &str) {
    let model = sample_model(name);
    let mut pose = Pose::default();
    sample(&model, &Sampling::at(FrameBlend::still(1)), &mut pose);
    let mut copy = pose.clone();
    bencher.counter(ItemsCount::new(vertices(&model))).bench_local(|| {
        for (to, from) in copy.surfaces.iter_mut().zip(&pose.surfaces) {
            to.positions.copy_from_slice(&from.positions);
            to.normals.copy_from_slice(&from.normals);
        }
    });
}

/// A pose halfway between two frames.
#[divan::bench(args = FORMATS)]
fn pose_between_frames(bencher: Bencher, name: &str) {
    let model = sample_model(name);
    let mut pose = Pose::default();
    let sampling = Sampling { blend: FrameBlend { from: 1, to: 2, t: 0.5 }, lod: 0, bones: BoneBlend::Slerp };
    bencher.counter(ItemsCount::new(vertices(&model))).bench_local(|| sample(&model, &sampling, &mut pose));
}

/// The whole file of the built-in figure and, for MD5, its animations, pictures included.
#[divan::bench(args = FORMATS)]
fn open(bencher: Bencher, name: &str) {
    bencher.bench_local(|| open_sample(format(name)));
}
