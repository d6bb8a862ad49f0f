//! SPR (Quake, Half-Life) and SPR32 (DarkPlaces): sprites with their pixels. `IDSP`, version 1, 2 or 32.
//!
//! Source of the layout: Quake `model.c` (`Mod_LoadSpriteModel`), DarkPlaces `model_sprite.c` (`Mod_IDSP_Load`). Each chunk
//! follows the previous one.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | header | 1 | 36, or 40 in version 2, which has a texture format |
//! | palette of version 2 | 1 | 2: number of colours, 256; then red, green, blue of each |
//! | frame: type | 1 | 4: 0 for a single image, else a group |
//! | of a group: number of images | 1 | 4 |
//! | of a group: intervals | images | 4: time in seconds at which the image ends |
//! | image | 1, or images | 16 + pixels: origin x and y, width, height; pixels from the top row |
//!
//! A pixel is a byte, an index into Quake's palette (version 1) or that of the file (version 2), or four bytes (version 32).
//! The left edge of an image is at origin x, its top at origin y.

use std::sync::Arc;

use super::sprite::{self, FrameImage};
use super::{FormatDef, end_times, md3_common};
use crate::bytes::{ByteReader, Column, Kind, PartKind, Record, Source};
use crate::error::{LoadError, Reason, Warnings};
use crate::model::{
    AlphaMode, Clip, ClipSource, Detail, DetailValue, EmbeddedImage, Format, MaterialStorage, ModelParts, PixelKind,
    Pixels, ScriptOrder, Sprite, SurfaceStorage, are_usable, is_usable, u32_or_max,
};

/// Quake, `IDSP` version 1; Half-Life's version 2; DarkPlaces' version 32.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "spr",
    title: "SPR",
    extensions: &["spr", "spr32"],
    media_type: "image/x-quake-spr",
    signature: "IDSP",
    game: "Quake",
    version: 1,
    surfaces: SurfaceStorage::One,
    materials: MaterialStorage::Frames,
    stores_normals: false,
    scripts: ScriptOrder::None,
    alpha_without_script: true,
    ..FormatDef::plain(load)
};

/// Names of the types, as numbered in the file.
#[rustfmt::skip]
const TYPES: [&str; 8] = [
    "parallel upright", "facing upright", "parallel", "oriented", "parallel oriented", "label", "label scale",
    "overhead",
];
/// Names of the texture formats, as numbered in the file.
const TEXTURE_FORMATS: [&str; 4] = ["opaque", "additive", "index alpha", "alpha test"];

const PIXELS: Record = Record::new("pixels", &[Column::new("index", Kind::U8, 1)]);
const COLOURS: Record = Record::new("pixels", &[Column::new("rgba", Kind::U8, 4)]);
const PALETTE: Record = Record::new("palette", &[Column::new("rgb", Kind::U8, 3)]);

/// Bytes of a frame and its vertices without the pixels.
const EMPTY_BYTES: u64 = 256;

struct Loader<'a> {
    source: &'a Source<'a>,
    kind: PixelKind,
    placed: Vec<FrameImage>,
    /// Image that stands for all images without pixels.
    nothing: Option<Arc<Pixels>>,
    clips: Vec<Clip>,
    details: Vec<String>,
}

/// Loads an SPR.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut reader = source.start();
    let (version, sprite, frames, mut details, sync, radius) = read_header(source, &mut reader)?;
    let kind = pixel_kind(&mut reader, version, sprite)?;
    let mut loader = Loader { source, kind, placed: Vec::new(), nothing: None, clips: Vec::new(), details: Vec::new() };
    for number in 0..frames {
        if let Err(error) = loader.read_frame(&mut reader, number, warnings) {
            let error = error.within(&format!("frame {number}"));
            if loader.placed.is_empty() {
                return Err(error);
            }
            source.forgive(error, || format!("{number} of {frames} frames are used"))?;
            break;
        }
    }
    let Loader { placed, clips, details: images, .. } = loader;
    details.push(Detail { label: "images", value: DetailValue::Texts(images) });
    let clips = with_single_images(clips, u32_or_max(placed.len()));
    let mut parts = sprite::into_parts(Format::Spr, version, sprite, placed, clips, Vec::new(), details);
    (parts.data.sync_type, parts.data.radius) = (sync, radius);
    Ok(parts)
}

type Header = (i32, Sprite, u32, Vec<Detail>, i32, f32);

fn read_header(source: &Source, reader: &mut ByteReader) -> Result<Header, LoadError> {
    let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
    reader.name("ident", 4)?;
    let at = *reader;
    let version = reader.i32("version")?;
    if ![1, 2, 32].contains(&version) {
        let reason = Reason::UnsupportedVersion { found: version.into(), supported: "1, 2 or 32".to_owned() };
        return Err(at.error("version", reason));
    }
    let kind = reader.i32("type")?;
    let format = if version == 2 { reader.i32("texFormat")? } else { 3 };
    let radius = reader.f32("boundingradius")?;
    let (width, height) = (reader.i32("width")?, reader.i32("height")?);
    let frames = md3_common::frame_count(reader, "numframes")?;
    reader.f32("beamlength")?;
    let sync = reader.i32("synctype")?;
    let named = |names: &[&'static str], number: i32| {
        let name = usize::try_from(number).ok().and_then(|number| names.get(number));
        name.map_or_else(|| number.to_string(), |name| format!("{number}, {name}"))
    };
    let mut details = vec![
        Detail::text("type", named(&TYPES, kind)),
        Detail::text("boundingradius", radius),
        Detail::text("size", format!("{width} × {height}")),
        Detail::text("synctype", sync),
    ];
    if version == 2 {
        details.push(Detail::text("texFormat", named(&TEXTURE_FORMATS, format)));
    }
    let alpha = match (version, format) {
        (32, _) | (2, 2) => AlphaMode::Blend,
        (2, 0 | 1) => AlphaMode::Opaque,
        _ => AlphaMode::Mask(2.0 / 3.0),
    };
    let (faces_viewer, is_upright) = (kind != 3, matches!(kind, 0 | 1));
    let sprite = Sprite { faces_viewer, is_upright, alpha, is_added: (version, format) == (2, 1) };
    Ok((version, sprite, frames, details, sync, radius))
}

/// Returns the meaning of pixels, after the palette of version 2.
fn pixel_kind(reader: &mut ByteReader, version: i32, sprite: Sprite) -> Result<PixelKind, LoadError> {
    match version {
        32 => return Ok(PixelKind::Rgba),
        1 => return Ok(PixelKind::GamePalette { has_cutouts: true }),
        _ => {}
    }
    let at = *reader;
    let count = reader.u16("colours")?;
    if count != 256 {
        return Err(at.error("colours", Reason::Broken(format!("the palette has {count} colours; expected 256"))));
    }
    let colours = reader.next_table(("colours", at.position()), 256, &PALETTE)?.as_chunks::<3>().0;
    let mut palette = [[0, 0, 0, 255]; 256];
    for (colour, [red, green, blue]) in palette.iter_mut().zip(colours) {
        *colour = [*red, *green, *blue, 255];
    }
    match sprite.alpha {
        AlphaMode::Blend => {
            let [red, green, blue, _] = palette[255];
            palette = std::array::from_fn(|alpha| [red, green, blue, alpha as u8]);
        }
        AlphaMode::Mask(_) => palette[255] = [0; 4],
        AlphaMode::Opaque => {}
    }
    Ok(PixelKind::Palette(Arc::new(palette)))
}

impl Loader<'_> {
    fn read_frame(&mut self, reader: &mut ByteReader, number: u32, warnings: &mut Warnings) -> Result<(), LoadError> {
        let _group = self.source.group(|| format!("frame {number}"));
        if reader.i32("type")? == 0 {
            return self.read_image(reader);
        }
        let at = *reader;
        let count = reader.count("numframes", md3_common::limits::FRAMES)?;
        let refuse = |why: &str| at.error("numframes", Reason::Broken(why.to_owned()));
        if count == 0 {
            return Err(refuse("a group needs at least one image"));
        }
        let stored = |index: u32| self.source.number_at(reader.position() + u64::from(index) * 4);
        let mut intervals = (0..count).map_while(stored).map(|bits| f32::from_bits(bits.cast_unsigned()));
        // Quake stops at such a time.
        if intervals.any(|end| !is_usable(end) || end <= 0.0) {
            self.source.forgive(refuse("an interval is not above 0"), || "equal steps are used".to_owned())?;
        }
        let rate = FORMAT.usual_rate;
        let end_times = end_times::read(reader, ("numframes", at.position()), count, rate, warnings)?;
        let first = u32_or_max(self.placed.len());
        for _ in 0..count {
            self.read_image(reader)?;
        }
        let rate = end_times.last().map_or(rate, |end| (count as f32 / end).clamp(0.1, 1000.0));
        let name = format!("group {}", self.clips.len());
        let clip = Clip::new(name, first, count, rate, ClipSource::FrameGroup);
        let is_whole = end_times.len() == count as usize;
        self.clips.push(Clip { end_times: if is_whole { end_times } else { Vec::new() }, ..clip });
        Ok(())
    }

    fn read_image(&mut self, reader: &mut ByteReader) -> Result<(), LoadError> {
        let number = self.placed.len();
        if number >= md3_common::limits::FRAMES as usize {
            let reason = Reason::CountOutOfRange { count: number as i64 + 1, max: md3_common::limits::FRAMES.into() };
            return Err(reader.error("numframes", reason));
        }
        let _group = self.source.group_of(PartKind::Frame.at(number), || format!("image {number}"));
        let origin = [reader.i32("origin x")?, reader.i32("origin y")?];
        let width = reader.count("width", i32::MAX.cast_unsigned())?;
        let at_height = reader.position();
        let height = reader.count("height", i32::MAX.cast_unsigned())?;
        let count = u64::from(width) * u64::from(height);
        let record = if self.kind == PixelKind::Rgba { &COLOURS } else { &PIXELS };
        let is_empty = count == 0;
        let bytes = if is_empty { &[] } else { reader.next_table(("height", at_height), count, record)? };
        let pixels = Pixels { width, height, kind: self.kind.clone(), bytes: bytes.to_vec() };
        if !is_empty && !pixels.is_whole() {
            let left = bytes.len() as u64;
            return Err(reader.error("pixels", Reason::UnexpectedEnd { wanted: count * record.stride(), left }));
        }
        // Games draw nothing. Such images take more memory than bytes of the file.
        let nothing = || Pixels { width: 1, height: 1, kind: PixelKind::Rgba, bytes: vec![0; 4] };
        let pixels = if is_empty {
            Arc::clone(self.nothing.get_or_insert_with(|| Arc::new(nothing())))
        } else {
            Arc::new(pixels)
        };
        reader.claim_missing("pixels", if is_empty { EMPTY_BYTES } else { 0 })?;
        let [left, up] = origin.map(|number| number as f32);
        let (right, down) = if is_empty { (left, up) } else { (left + width as f32, up - height as f32) };
        if !are_usable(&[left, up, right, down]) {
            let why = format!("the image lies at {left}, {up}, which is beyond a billion");
            return Err(reader.error("origin", Reason::Broken(why)));
        }
        self.details.push(format!("{width} × {height} at {}, {}", origin[0], origin[1]));
        self.placed.push(FrameImage {
            name: String::new(),
            left,
            right,
            down,
            up,
            image: EmbeddedImage::Pixels(pixels),
        });
        Ok(())
    }
}

/// Adds clips for the images between groups.
fn with_single_images(groups: Vec<Clip>, images: u32) -> Vec<Clip> {
    let rate = FORMAT.usual_rate;
    if groups.is_empty() {
        return vec![Clip::new("all frames", 0, images, rate, ClipSource::AllFrames)];
    }
    let mut clips = Vec::new();
    let mut next = 0;
    let single = |clips: &mut Vec<Clip>, from: u32, to: u32| {
        if from < to {
            let last = to - 1;
            let name = if from == last { format!("frame {from}") } else { format!("frames {from} to {last}") };
            clips.push(Clip::new(name, from, to - from, rate, ClipSource::AllFrames));
        }
    };
    for group in groups {
        single(&mut clips, next, group.first);
        next = group.first + group.count;
        clips.push(group);
    }
    single(&mut clips, next, images);
    clips
}
