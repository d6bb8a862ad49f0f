//! Tag files of Enemy Territory (`.tag`): the tags of a model for the server, which reads no models. `TAG1`, version 1.
//!
//! Source: ET: Legacy (`qfiles.h`, `tagHeader_t`; `sv_main.c`, `SV_LoadTag`; `sv_game.c`, `SV_GetTag`). The game reads the
//! file next to the model of a `script_mover` or `misc_gamemodel`, and finds a tag by its name, ignoring case.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | header | 1 | 16: `TAG1`, version, `numTags`, `ofsEnd` |
//! | tags | `numTags` | 112, as in an MD3: 64-character name, origin, three axes |

use glam::{Affine3A, Vec3};

use super::md3;
use crate::bytes::{ByteWriter, Source};
use crate::error::{LoadError, Reason, Warnings, WriteError};
use crate::model::{Format, FrameInfo, Model, ModelParts, MorphMotion, Motion, TagTrack};

pub(super) const MAGIC: &[u8] = b"TAG1";
const VERSION: i32 = 1;
/// Number of tags in all files of a map at which the server stops (`q_shared.h`, `MAX_SERVER_TAGS`).
const SERVER_TAGS: usize = 256;

/// Returns whether these are the first bytes of a tag file.
pub fn is_tag_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Loads the tags as an MD3 of one frame without surfaces.
pub fn load(bytes: &[u8], warnings: &mut Warnings) -> Result<Model, LoadError> {
    load_from(&Source::new("tag", bytes), warnings)
}

/// Like [`load`], and records reads in the recorder of `source`.
pub fn load_from(source: &Source, warnings: &mut Warnings) -> Result<Model, LoadError> {
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let at = reader;
    let version = reader.i32("version")?;
    if version != VERSION {
        let reason = Reason::UnsupportedVersion { found: version.into(), supported: VERSION.to_string() };
        return Err(at.error("version", reason));
    }
    let at = reader.position();
    let count = reader.count("numTags", u32::from(u16::MAX))?;
    // The server ignores it.
    reader.i32("ofsEnd")?;
    let table = reader.next_table(("numTags", at), count.into(), &md3::TAGS)?;
    let (tags, track) = md3::tags_of(source, table, count, warnings);
    Model::new(ModelParts {
        tags,
        frames: vec![FrameInfo::default()],
        motion: Motion::Morph(MorphMotion { surfaces: Vec::new(), tags: TagTrack::Axes(track) }),
        ..ModelParts::empty(Format::Md3)
    })
}

/// Writes a tag file with the tags of a model in a pose. Fails if a name is too long, or there are more tags than the server
/// takes.
pub fn write(model: &Model, tags: &[Affine3A]) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("tag").with_latin1(model.data().has_latin1);
    let names = model.tags();
    if names.is_empty() || names.len() >= SERVER_TAGS {
        let why = format!("the model has {} tags; Enemy Territory takes 1 to {}", names.len(), SERVER_TAGS - 1);
        return Err(writer.error("tags", why));
    }
    writer.raw(MAGIC);
    writer.i32(VERSION);
    writer.count("numTags", names.len())?;
    let end = writer.later();
    for (name, tag) in names.iter().zip(tags) {
        writer.text("tag name", name, 64)?;
        let axes = [tag.matrix3.x_axis, tag.matrix3.y_axis, tag.matrix3.z_axis].map(Vec3::from);
        [tag.translation.into(), axes[0], axes[1], axes[2]].into_iter().for_each(|vector| writer.vec3(vector));
    }
    writer.here("ofsEnd", end, 0)?;
    Ok(writer.into_bytes())
}
