//! Loads a model of any format and prints its contents.
//!
//! `cargo run -p maquette-core --example load -- MODEL [ANIMATION.md5anim…]`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;

use maquette_core::formats;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().ok_or("usage: load MODEL [ANIMATION…]")?;

    // The first bytes identify the format. Recoverable errors become warnings.
    let (mut model, mut warnings) = formats::load(&std::fs::read(&file)?)?;
    // Doom 3 meshes have their animations in separate files.
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
