//! Loader of `.tag` files of UFO: Alien Invasion, the tags of an MD2. `JDP2`, version 1.
//!
//! Source of the layout: the game's 65 files, all of which match exactly, and `R_ModLoadTags` of its `r_model_md2.c`.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 32: `JDP2`, version, `num_tags`, `num_frames`, `ofs_names`, `ofs_tags`, `ofs_end`, `ofs_extractend` |
//! | names | file, `ofs_names` | `num_tags` | 64 |
//! | tags | file, `ofs_tags` | `num_tags` × `num_frames`, **tag after tag** | 48: forward, left, up, origin |
//!
//! `ofs_end` is the file size; `ofs_extractend` is the size with 64 bytes per tag, for use by the game.

use glam::Vec3;

use crate::limits::MAX_HELD_TAGS;
use maquette_core::bytes::{Column, Kind, Record, Source, utf8_or_latin1};
use maquette_core::error::{LoadError, Reason, WarningKind, Warnings};
use maquette_core::model::{TagFrame, is_usable};

/// Limits of accepted files. The game's files have up to 4 tags and 1,007 frames.
mod limits {
    pub const TAGS: u32 = 1 << 10;
    pub const FRAMES: u32 = 1 << 20;
}

/// Tags in all frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TagFile {
    /// Names in file order.
    pub names: Vec<String>,
    /// Number of frames, at least 1.
    pub frame_count: u32,
    /// All frames of the first tag, then of the next, in model space.
    pub tags: Vec<TagFrame>,
}

const NAMES: Record = Record::new("names", &[Column::new("name", Kind::Text, 64)]);
const TAGS: Record = Record::new(
    "tags",
    &[
        Column::new("axis 0", Kind::F32, 3),
        Column::new("axis 1", Kind::F32, 3),
        Column::new("axis 2", Kind::F32, 3),
        Column::new("origin", Kind::F32, 3),
    ],
);

/// Loads a `.tag` file.
pub fn load(bytes: &[u8], warnings: &mut Warnings) -> Result<TagFile, LoadError> {
    load_from(&Source::new("tag", bytes), warnings)
}

/// Like [`load`], and records reads in the recorder of `source`.
pub fn load_from(source: &Source, warnings: &mut Warnings) -> Result<TagFile, LoadError> {
    let mut reader = source.start();
    let magic = reader.name("ident", 4)?;
    if magic != "JDP2" {
        return Err(source.error("ident", 0, Reason::WrongMagic { found: format!("“{}”", magic.escape_debug()) }));
    }
    let at_version = reader;
    let version = reader.i32("version")?;
    if version != 1 {
        return Err(at_version
            .error("version", Reason::UnsupportedVersion { found: version.into(), supported: "1".to_owned() }));
    }
    let count = reader.count("num_tags", limits::TAGS)?;
    let at_frames = reader;
    let frame_count = reader.count("num_frames", limits::FRAMES)?;
    if frame_count == 0 {
        return Err(at_frames.error("num_frames", Reason::Broken("no frames".to_owned())));
    }
    let ofs_names = reader.offset("ofs_names")?.counted_by("num_tags", 8);
    let ofs_tags = reader.offset("ofs_tags")?.counted_by("num_tags", 8);
    // The offsets are redundant, and a file may end before them.
    let _ = (reader.i32("ofs_end"), reader.i32("ofs_extractend"));
    let names = reader.table(0, ofs_names, count.into(), &NAMES)?;
    let text = |name: &[u8; 64]| utf8_or_latin1(name.split(|byte| *byte == 0).next().unwrap_or_default());
    let names = names.as_chunks::<64>().0.iter().map(text).collect();
    let table = reader.table(0, ofs_tags, u64::from(count) * u64::from(frame_count), &TAGS)?;
    let vector = |bytes: &[u8; 12]| {
        let mut numbers = bytes.as_chunks::<4>().0.iter().map(|number| f32::from_le_bytes(*number));
        Vec3::from_array(std::array::from_fn(|_| numbers.next().unwrap_or_default()))
    };
    let tag = |record: &[u8; 48]| {
        let mut vectors = record.as_chunks::<12>().0.iter().map(vector);
        let [x, y, z, origin] = std::array::from_fn(|_| vectors.next().unwrap_or_default());
        TagFrame { axes: [x, y, z], origin }
    };
    let tags: Vec<TagFrame> = table.as_chunks::<48>().0.iter().map(tag).collect();
    let is_broken = |tag: &&TagFrame| {
        !tag.origin.to_array().into_iter().all(is_usable) || tag.axes.iter().any(|axis| !axis.is_finite())
    };
    let broken = tags.iter().filter(is_broken).count();
    if broken > 0 {
        let message = format!(
            "{broken} have numbers that are not finite or beyond a billion; the origin without rotation is used for them"
        );
        warnings.add(WarningKind::Substituted, "tags", message);
    }
    Ok(TagFile { names, frame_count, tags })
}

impl TagFile {
    /// Returns the tags for a model with this number of frames, frame after frame. The last stored frame is repeated if
    /// the file has fewer. `None` if that would be far more than the file contains.
    pub fn for_frames(&self, frames: usize, warnings: &mut Warnings) -> Option<Vec<TagFrame>> {
        let stored = self.frame_count as usize;
        if stored != frames {
            let message = format!("the file has {stored} frames, but the model has {frames}");
            warnings.add(WarningKind::Inconsistent, "num_frames", message);
        }
        let count = self.names.len().saturating_mul(frames);
        if count > self.tags.len().saturating_add(MAX_HELD_TAGS) {
            warnings.add(
                WarningKind::LeftOut,
                "tags",
                "the model has far more frames than the file; the tags are skipped",
            );
            return None;
        }
        let cells = (0..frames).flat_map(|frame| (0..self.names.len()).map(move |tag| (frame, tag)));
        cells.map(|(frame, tag)| self.tags.get(tag * stored + frame.min(stored - 1)).copied()).collect()
    }
}
