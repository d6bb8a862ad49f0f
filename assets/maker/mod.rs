//! Maker of the sample character that the viewer shows at first start: shape, paint, motion and files are computed, and
//! are identical on every run.
//!
//! The maker writes MD5 and MDR. `open/sample.rs` of `maquette-assets` converts the MDR to the other formats.

pub mod arm;
pub mod atlas;
pub mod coats;
pub mod eyes;
pub mod face;
pub mod field;
pub mod figure;
pub mod head;
pub mod idle;
pub mod leg;
pub mod model;
pub mod motion;
pub mod noise;
pub mod occlusion;
pub mod paint;
pub mod part;
pub mod profile;
pub mod run;
pub mod scarf;
pub mod sheet;
pub mod skeleton;
pub mod tail;
pub mod torso;
pub mod tube;
pub mod tunic;
pub mod wave;
pub mod write_md5;
pub mod write_mdr;

use figure::{Figure, NAME, clip};
use model::Clip;
use motion::MOTIONS;

/// Frames per second of the MD5 clips.
const RATE: u32 = 24;

/// All files: name and bytes.
pub fn make() -> Vec<(String, Vec<u8>)> {
    let figure = Figure::new();
    let model = figure.model();
    let clips: Vec<Clip> = MOTIONS.iter().map(|motion| clip(motion, motion.frames, 10, false)).collect();
    let mut files = vec![
        (format!("{NAME}.png"), paint::encode_png(&figure.texture())),
        (format!("{NAME}.md5mesh"), write_md5::write_mesh(&model).into_bytes()),
        (format!("{NAME}.mdr"), write_mdr::write(&[&model, &figure.coarse_model()], &clips)),
        ("animation.cfg".to_owned(), animation_cfg().into_bytes()),
    ];
    for motion in &MOTIONS {
        let count = (motion.seconds * f64::from(RATE)).round() as usize + 1;
        let text = write_md5::write_anim(&model, &clip(motion, count, RATE, true));
        files.push((format!("{}.md5anim", motion.name), text.into_bytes()));
    }
    files
}

/// The clips of the files that only number their frames: name, first frame, count, loop from, frames per second.
fn animation_cfg() -> String {
    let mut text = "// name first count loop fps\n".to_owned();
    let mut first = 0;
    for motion in &MOTIONS {
        let rate = (motion.frames as f64 / motion.seconds).round();
        text += &format!("{} {first} {} 0 {rate}\n", motion.name, motion.frames);
        first += motion.frames;
    }
    text
}
