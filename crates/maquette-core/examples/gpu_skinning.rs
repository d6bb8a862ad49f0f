//! Vertex data and per-frame matrices for skinning an MD5 or MDR model in a vertex shader with four weights.
//!
//! `cargo run -p maquette-core --example gpu_skinning -- MESH.md5mesh [ANIMATION.md5anim]`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;

use glam::{Affine3A, Vec3};
use maquette_core::formats;
use maquette_core::pose::{FrameBlend, Pose, Sampling, Skinning, sample};

const WEIGHTS: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: gpu_skinning MESH [ANIMATION]")?;
    let (mut model, _) = formats::load(&std::fs::read(&file)?)?;
    if let Some(animation) = arguments.next() {
        for warning in model.add_animation("animation", &std::fs::read(&animation)?)? {
            eprintln!("{warning}");
        }
    }

    // Once: vertex buffers in the bind pose.
    let skinning = Skinning::from_model(&model, WEIGHTS).ok_or("the model has no joints")?;
    let losses = skinning.losses;
    println!("{} joints, at most {} weights a vertex", skinning.inverse_binds.len(), losses.max_weights);
    println!("{} vertices lose up to {:.3} of their weight", losses.cut_vertices, losses.largest_cut);
    println!("elsewhere than exact by at most {:.4} units", losses.largest_distance);

    // Every frame: one matrix per joint.
    let mut pose = Pose::default();
    let last = model.frames().len() - 1;
    sample(&model, &Sampling::at(FrameBlend::single(u32::try_from(last)?)), &mut pose);
    let palette: Vec<Affine3A> = skinning.palette(&pose).collect();

    // The computation of the vertex shader.
    for (surface, skinned) in model.surfaces().iter().zip(&skinning.surfaces) {
        let weights = skinned.joints.chunks(WEIGHTS).zip(skinned.weights.chunks(WEIGHTS));
        let first = skinned.positions.iter().zip(weights).next().map(|(position, (joints, weights))| {
            let transformed =
                |(joint, weight): (&u32, &f32)| palette[*joint as usize].transform_point3(*position) * *weight;
            joints.iter().zip(weights).map(transformed).sum::<Vec3>()
        });
        println!("{}: its first vertex stands at {first:?}", surface.name);
    }
    Ok(())
}
