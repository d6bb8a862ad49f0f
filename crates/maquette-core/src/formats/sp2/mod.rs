//! SP2 (Quake II): sprites with the names of their images. `IDS2`, version 2.
//!
//! Source of the layout: Quake II `qfiles.h` (`dsprite_t`), and for the position of an image `gl_rmain.c`
//! (`R_DrawSpriteModel`). DarkPlaces places images differently.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | header | 1 | 12: ident, version, number of frames, at most 32 |
//! | frame | `numframes` | 80: width, height, origin x and y, 64-character name of an image |

use super::chunk::i32_at;
use super::sprite::{self, FrameImage};
use super::{FormatDef, md3_common, spr};
use crate::bytes::{Column, Kind, PartKind, Record, Source};
use crate::error::{LoadError, Reason, Warnings};
use crate::model::{
    AlphaMode, Clip, ClipSource, Detail, DetailValue, EmbeddedImage, Format, ModelParts, NameLimits, Sprite,
    are_usable, u32_or_max,
};

/// Quake II, `IDS2` version 2.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "sp2",
    title: "SP2",
    extensions: &["sp2"],
    media_type: "image/x-quake2-sp2",
    signature: "IDS2",
    game: "Quake II",
    version: 2,
    name_limits: NameLimits { surface: Some(63), tag: None, frame: None },
    load,
    writer: None,
    ..spr::FORMAT
};

const FRAMES: Record = Record::new(
    "frames",
    &[
        Column::new("width", Kind::I32, 1),
        Column::new("height", Kind::I32, 1),
        Column::new("origin", Kind::I32, 2),
        Column::new("name", Kind::Text, 64),
    ],
)
.holding(PartKind::Frame);

/// `MAX_MD2SKINS` of the game.
const FRAMES_OF_GAME: u32 = 32;

/// Loads an SP2.
pub fn load(source: &Source, _: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut reader = source.start();
    let counter = {
        let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
        reader.name("ident", 4)?;
        md3_common::version(&mut reader, 2)?;
        let at = reader;
        let count = md3_common::frame_count(&mut reader, "numframes")?;
        if count > FRAMES_OF_GAME {
            let reason = Reason::CountOutOfRange { count: count.into(), max: FRAMES_OF_GAME.into() };
            return Err(at.error("numframes", reason));
        }
        (("numframes", at.position()), count)
    };
    let table = reader.next_table(counter.0, counter.1.into(), &FRAMES)?;
    let mut placed = Vec::new();
    let (mut names, mut images): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for (record, at) in table.as_chunks::<80>().0.iter().zip((12_u64..).step_by(80)) {
        let [width, height, x, y] = [0, 4, 8, 12].map(|at| i32_at(record, at));
        if width < 0 || height < 0 {
            let why = format!("an image has {width} × {height} units");
            return Err(source.error("width", at, Reason::Broken(why)));
        }
        let name = source.text(&record[16..]);
        images.push(format!("{width} × {height} at {x}, {y}: {name}"));
        if !names.contains(&name) {
            names.push(name.clone());
        }
        let [width, height, x, y] = [width, height, x, y].map(|number| number as f32);
        if !are_usable(&[width - x, height - y, x, y]) {
            let why = format!("the image lies at {x}, {y}, which is beyond a billion");
            return Err(source.error("origin_x", at, Reason::Broken(why)));
        }
        let image = EmbeddedImage::External(name.clone());
        placed.push(FrameImage { name, left: -x, right: width - x, down: -y, up: height - y, image });
    }
    let clip = Clip::new("all frames", 0, u32_or_max(placed.len()), FORMAT.usual_rate, ClipSource::AllFrames);
    let details = vec![Detail { label: "images", value: DetailValue::Texts(images) }];
    let sprite = Sprite { faces_viewer: true, is_upright: false, alpha: AlphaMode::Mask(2.0 / 3.0), is_added: false };
    Ok(sprite::into_parts(Format::Sp2, FORMAT.version, sprite, placed, vec![clip], names, details))
}
