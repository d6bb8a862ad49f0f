//! Loads a model of any of the five formats and says what is in it.
//!
//! `cargo run -p maquette-core --example load -- MODEL [ANIMATION.md5anim…]`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "its output is the point")]

use std::error::Error;

use maquette_core::formats;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: load MODEL [ANIMATION…]")?;

    // The first bytes say which format it is; what is odd but loads is a warning.
    let (mut model, mut warnings) = formats::load(&std::fs::read(&file)?)?;
    // A Doom 3 mesh has its animations in files of their own.
    for animation in arguments {
        warnings.extend(model.add_animation(&animation, &std::fs::read(&animation)?)?);
    }

    for surface in model.surfaces() {
        println!("surface {}: {} triangles", surface.name, surface.triangles.len());
    }
    for clip in model.clips() {
        println!("clip {}: {} frames from {}, {} a second", clip.name, clip.count, clip.first, clip.frames_per_second);
    }
    println!("{} frames", model.frames().len());
    for warning in warnings {
        eprintln!("{warning}");
    }
    Ok(())
}
