//! Loads a model of any format and writes it as glTF with all clips.
//!
//! `cargo run -p maquette-core --example export_gltf -- MODEL OUT.glb`

#![forbid(unsafe_code)]

use std::error::Error;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};

use maquette_core::export::{Animation, ExportFiles, ExportOptions, ExportPart, ExportScene, Track, gltf};
use maquette_core::formats;
use maquette_core::pose::{Pose, Sampling, sample};

/// An export target of one file without companion files.
struct OneFile(BufWriter<File>);

impl ExportFiles for OneFile {
    fn main(&mut self) -> &mut dyn Write {
        &mut self.0
    }

    fn companion_name(&self, ending: &str) -> String {
        ending.to_owned()
    }

    fn write_companion(&mut self, name: &str, _: &[u8]) -> io::Result<()> {
        Err(io::Error::other(format!("{name} would be written next to the file")))
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let usage = "usage: export_gltf MODEL OUT.glb";
    let (file, out) = (arguments.next().ok_or(usage)?, arguments.next().ok_or(usage)?);

    let (model, _) = formats::load(&fs::read(&file)?)?;
    // The first frame is the rest pose of the file.
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    let animations = model.clips().iter().filter(|clip| clip.count > 1 && clip.frames_per_second > 0.0);
    let subject = ExportScene {
        parts: vec![ExportPart { name: "model", ..ExportPart::alone(&model, &pose) }],
        animations: animations
            .map(|clip| {
                let rate = clip.frames_per_second;
                Animation::new(clip, rate, vec![Track::new(0, clip, rate)])
            })
            .collect(),
        ..ExportScene::default()
    };

    let mut files = OneFile(BufWriter::new(File::create(out)?));
    let losses = gltf::write_glb(&subject, &ExportOptions::default(), &mut files)?;
    files.0.flush()?;
    for loss in losses {
        eprintln!("{loss}");
    }
    Ok(())
}
