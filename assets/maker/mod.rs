//! Makes the sample figure that the viewer shows at first start, in all five formats: shape, paint, motion and files are
//! computed here, the same on every run. `main.rs` writes them; a test compares them with the committed files.

pub mod arm;
pub mod atlas;
pub mod bytes;
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
pub mod normals;
pub mod occlusion;
pub mod paint;
pub mod part;
pub mod profile;
pub mod run;
pub mod scarf;
pub mod sheet;
pub mod skeleton;
pub mod strips;
pub mod tail;
pub mod torso;
pub mod tube;
pub mod tunic;
pub mod wave;
pub mod write_md2;
pub mod write_md3;
pub mod write_md5;
pub mod write_mdc;
pub mod write_mdr;

use figure::{Figure, NAME, clip};
use model::Clip;
use motion::MOTIONS;

/// Frames per second of the MD5 clips.
const RATE: u32 = 24;

/// Frames between two base frames of the MDC file.
const BASE_INTERVAL: usize = 10;

/// Quake II takes skins of at most 480 rows; texture coordinates are stored against this size whatever the image's is.
const MD2_SKIN: [u32; 2] = [480, 480];

/// All files: name and bytes.
pub fn make() -> Vec<(String, Vec<u8>)> {
    let figure = Figure::new();
    let (model, coarse) = (figure.model(), figure.coarse_model());
    let clips: Vec<Clip> = MOTIONS.iter().map(|motion| clip(motion, motion.frames, 10, false)).collect();
    let baked = model.bake(&clips);
    let bases: Vec<usize> = (0..baked.frames.len()).step_by(BASE_INTERVAL).collect();
    let mut files = vec![
        (format!("{NAME}.png"), paint::encode_png(&figure.texture())),
        (format!("{NAME}.md2"), write_md2::write(&baked, MD2_SKIN)),
        (format!("{NAME}.md3"), write_md3::write(&baked)),
        (format!("{NAME}_1.md3"), write_md3::write(&coarse.bake(&clips))),
        (format!("{NAME}.mdc"), write_mdc::write(&baked, &bases)),
        (format!("{NAME}.mdr"), write_mdr::write(&[&model, &coarse], &clips)),
        (format!("{NAME}.md5mesh"), write_md5::write_mesh(&model).into_bytes()),
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
