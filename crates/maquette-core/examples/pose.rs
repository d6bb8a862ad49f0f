//! Loads a model of any format, poses it at a time of a clip, and writes the pose as OBJ.
//!
//! `cargo run -p maquette-core --example pose -- MODEL CLIP SECONDS > pose.obj`

#![forbid(unsafe_code)]

use std::error::Error;
use std::io::{self, Write};

use maquette_core::export::{ExportPart, obj};
use maquette_core::formats;
use maquette_core::pose::{Pose, Repeat, Sampling, blend_at_seconds, sample};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: pose MODEL CLIP SECONDS";
    let file = arguments.next().ok_or(usage)?;
    let clip = arguments.next().ok_or(usage)?;
    let seconds: f64 = arguments.next().ok_or(usage)?.parse()?;

    let (model, warnings) = formats::load(&std::fs::read(&file)?)?;
    for warning in warnings {
        eprintln!("{warning}");
    }
    let Some(clip) = model.clip(&clip) else {
        let names: Vec<&str> = model.clips().iter().map(|clip| clip.name.as_str()).collect();
        return Err(format!("its clips are {}", names.join(", ")).into());
    };

    let mut pose = Pose::default();
    sample(&model, &Sampling::at(blend_at_seconds(clip, seconds, Repeat::Loop)), &mut pose);

    let mut out = io::BufWriter::new(io::stdout().lock());
    obj::write(&[ExportPart::alone(&model, &pose)], &mut out)?;
    out.flush()?;
    Ok(())
}
