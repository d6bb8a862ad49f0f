//! Makes the sample figure that the viewer shows at first start, in all five formats: shape, paint, motion and files are
//! computed here, the same on every run. `main.rs` writes them; a test compares them with the committed files. Those of
//! frames, the largest, the program makes anew when they are asked for.

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
    let model = figure.model();
    let mut files = vec![
        (format!("{NAME}.png"), paint::encode_png(&figure.texture())),
        (format!("{NAME}.md5mesh"), write_md5::write_mesh(&model).into_bytes()),
        ("animation.cfg".to_owned(), animation_cfg().into_bytes()),
    ];
    files.extend(FRAME_FORMATS.into_iter().flat_map(frame_files));
    for motion in &MOTIONS {
        let count = (motion.seconds * f64::from(RATE)).round() as usize + 1;
        let text = write_md5::write_anim(&model, &clip(motion, count, RATE, true));
        files.push((format!("{}.md5anim", motion.name), text.into_bytes()));
    }
    files
}

/// Extensions of the formats that keep a picture of every frame: the largest files, and made in a moment.
pub const FRAME_FORMATS: [&str; 4] = ["md2", "md3", "mdc", "mdr"];

/// The files of one of these formats: name and bytes. None of any other format.
pub fn frame_files(extension: &str) -> Vec<(String, Vec<u8>)> {
    let figure = Figure::new();
    let clips: Vec<Clip> = MOTIONS.iter().map(|motion| clip(motion, motion.frames, 10, false)).collect();
    let file = |suffix: &str, bytes: Vec<u8>| (format!("{NAME}{suffix}.{extension}"), bytes);
    let model = figure.model();
    match extension {
        "md2" => vec![file("", write_md2::write(&model.bake(&clips), MD2_SKIN))],
        "md3" => {
            let coarse = figure.coarse_model().bake(&clips);
            vec![file("", write_md3::write(&model.bake(&clips))), file("_1", write_md3::write(&coarse))]
        }
        "mdc" => {
            let baked = model.bake(&clips);
            let bases: Vec<usize> = (0..baked.frames.len()).step_by(BASE_INTERVAL).collect();
            vec![file("", write_mdc::write(&baked, &bases))]
        }
        "mdr" => vec![file("", write_mdr::write(&[&model, &figure.coarse_model()], &clips))],
        _ => Vec::new(),
    }
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
