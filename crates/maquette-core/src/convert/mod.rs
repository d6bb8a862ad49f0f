//! A model of one format becomes a model of another: what moves is packed anew, and what the other format cannot hold is told.
//!
//! ```text
//! any format ──bake──► frames of vertices ──shorts, deltas, bytes──► MD3, MDC, MD2
//! MDR, MD5, or one frame of any ──bones, joints──► MDR, MD5
//! ```
//!
//! The result is a [`Model`] that [`formats::write`](crate::formats::write) makes files of. [`measure`] says how far those are
//! from the original once they are read again.

#![forbid(unsafe_code)]

mod bake;
mod clips;
mod conversion_error;
mod files;
mod md2;
mod md3;
mod md5;
mod mdc;
mod mdr;
mod names;
mod skeleton;
mod split;
mod unique_names;

use std::fmt;

use crate::limits::{MAX_CONVERTED_BYTES, MAX_POSED_VERTICES};
use crate::model::{Format, JointFrames, JointStorage, Model, Motion, u32_or_max};
use crate::pose::cost_of_frame;

pub use clips::animation_config;
pub use conversion_error::{MaxError, Measured, measure};
pub use files::{CompanionFile, ConvertedFiles};
pub use unique_names::UniqueNames;

/// How a model is converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConvertOptions {
    /// The format it becomes one of.
    pub format: Format,
    /// Only this frame, by its place in [`Model::frames`].
    pub frame: Option<u32>,
    /// How the bones of an MDR are stored; an MDR stays as it is, all others are compressed.
    pub packing: Option<BonePacking>,
    /// The size of an MD2's skin in texels, to which its texture coordinates are rounded.
    pub skin: [u16; 2],
    /// Surfaces with more are split.
    pub most: SurfaceLimits,
}

/// How an MDR stores its bones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonePacking {
    /// Twelve numbers of single precision.
    Plain,
    /// Twelve whole numbers of 16 bits.
    Compressed,
}

/// The most that one surface may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceLimits {
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
}

impl SurfaceLimits {
    /// Every surface stays whole.
    pub const NONE: Self = Self { vertices: usize::MAX, triangles: usize::MAX };
}

impl ConvertOptions {
    /// The size of a skin that nothing tells, in texels.
    pub const USUAL_SKIN: [u16; 2] = [256; 2];

    /// The size of the skin of an MD2 that wears an image so large: halved until Quake II's renderer takes it (640 × 480).
    #[must_use]
    pub fn skin_for(width: u32, height: u32) -> [u16; 2] {
        let mut size = [width, height];
        while size[0] > 640 || size[1] > 480 {
            size = size.map(|side| side / 2);
        }
        size.map(|side| u16::try_from(side.max(1)).unwrap_or(1))
    }

    /// To this format: all frames, surfaces whole, the skin of an MD2 256 texels square.
    #[must_use]
    pub fn to(format: Format) -> Self {
        Self { format, frame: None, packing: None, skin: Self::USUAL_SKIN, most: SurfaceLimits::NONE }
    }
}

/// A converted model.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// The model in its new format.
    pub model: Model,
    /// What is not kept, each in a sentence.
    pub losses: Vec<String>,
    /// Where its parts come from.
    pub origin: Origin,
}

/// What of a converted model was what of the original.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// For each frame that of the original.
    pub frames: Vec<u32>,
    /// For each surface its vertices.
    pub surfaces: Vec<Vec<VertexOrigin>>,
    /// For each tag what it was.
    pub tags: Vec<TagOrigin>,
}

/// A vertex of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexOrigin {
    /// Index of its surface.
    pub surface: u32,
    /// Its index there.
    pub vertex: u32,
}

/// What a tag was in the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagOrigin {
    /// A tag, by its index.
    Tag(u32),
    /// A joint, by its index.
    Joint(u32),
}

/// Why a model cannot be converted, in a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvertError(String);

impl ConvertError {
    fn new(why: impl Into<String>) -> Self {
        Self(why.into())
    }
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConvertError {}

/// Converts a model. To its own format it stays as it is, but for what the options ask for.
///
/// # Errors
///
/// If the other format has no way to hold it: vertices that move by themselves in a format of joints, places beyond the
/// range of its numbers, more vertices than its indices count.
pub fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    if options.frame.is_some_and(|frame| frame as usize >= model.frames().len()) {
        return Err(ConvertError::new(format!("the model has {} frames", model.frames().len())));
    }
    if options.format == model.format() && options.frame.is_none() {
        return same(model, options);
    }
    let Some(target) = TARGETS.iter().find(|target| target.format == options.format) else {
        return Err(ConvertError::new(format!("{} files are only read", options.format.name().to_uppercase())));
    };
    check_size(model, options, target)?;
    (target.convert)(model, options)
}

/// A format that models are converted to.
struct Target {
    format: Format,
    convert: fn(&Model, &ConvertOptions) -> Result<Conversion, ConvertError>,
    /// Bytes that a frame takes in the file.
    bytes_of_frame: fn(&Counts, &ConvertOptions) -> u64,
}

/// Number of things that are stored in each frame.
struct Counts {
    vertices: u64,
    tags: u64,
    joints: u64,
}

/// Every format that models are converted to.
static TARGETS: [Target; 5] = [
    Target { format: Format::Md2, convert: md2::convert, bytes_of_frame: |counts, _| counts.vertices * 4 },
    Target {
        format: Format::Md3,
        convert: md3::convert,
        bytes_of_frame: |counts, _| counts.vertices * 8 + counts.tags * 112,
    },
    Target {
        format: Format::Mdc,
        convert: mdc::convert,
        bytes_of_frame: |counts, _| counts.vertices * 8 + counts.tags * 12,
    },
    Target {
        format: Format::Mdr,
        convert: mdr::convert,
        bytes_of_frame: |counts, options| {
            counts.joints * if options.packing == Some(BonePacking::Plain) { 48 } else { 24 }
        },
    },
    // Six numbers in words.
    Target { format: Format::Md5, convert: md5::convert, bytes_of_frame: |counts, _| counts.joints * 60 },
];

/// The formats that models are converted to.
pub fn targets() -> impl Iterator<Item = Format> {
    TARGETS.iter().map(|target| target.format)
}

/// Refuses what would be out of all proportion to the model: what moves for no byte of its file, as the vertices of a still
/// clip, is written in every frame.
fn check_size(model: &Model, options: &ConvertOptions, target: &Target) -> Result<(), ConvertError> {
    let kept = clips::frames(model, options.frame);
    if kept.len() <= 1 {
        return Ok(());
    }
    let frames = if options.format.traits().companions.animations {
        // An animation has all frames of its clip, and clips may share them.
        md5::played(model, &kept).iter().map(|clip| clip.count as usize).sum()
    } else {
        kept.len()
    };
    let vertices = model.surfaces().iter().map(|surface| surface.vertex_count() as u64).sum::<u64>();
    let tags = model.tags().len() as u64;
    let joints = model.joints().len().max(model.tags().len() + 1) as u64;
    let bytes_of_frame = (target.bytes_of_frame)(&Counts { vertices, tags, joints }, options);
    let bytes = (frames as u64).saturating_mul(bytes_of_frame);
    if bytes > MAX_CONVERTED_BYTES.max(model.bytes().saturating_mul(2)) {
        let (megabytes, most) = (bytes >> 20, MAX_CONVERTED_BYTES >> 20);
        let what = if frames == kept.len() {
            format!("its {frames} frames")
        } else {
            format!("its clips, of {frames} frames together,")
        };
        return Err(ConvertError::new(format!(
            "{what} would take {megabytes} MB, and at most {most} MB are written; one of them can be converted"
        )));
    }
    if kept.len().saturating_mul(cost_of_frame(model)) > MAX_POSED_VERTICES {
        let frames = kept.len();
        let weights = match model.motion() {
            Motion::Morph(_) => String::new(),
            Motion::Skeletal(motion) => {
                format!(" and {} weights", motion.bindings.iter().map(|binding| binding.weights.len()).sum::<usize>())
            }
        };
        return Err(ConvertError::new(format!(
            "{frames} frames of {vertices} vertices{weights} are too many to convert; one of them can be converted"
        )));
    }
    Ok(())
}

/// The model itself; the bones of an MDR may be packed otherwise.
fn same(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let whole = |surface: usize, vertices: usize| {
        (0..u32_or_max(vertices)).map(move |vertex| VertexOrigin { surface: u32_or_max(surface), vertex }).collect()
    };
    let surfaces = model.surfaces().iter().enumerate();
    let origin = Origin {
        frames: (0..u32_or_max(model.frames().len())).collect(),
        surfaces: surfaces.map(|(index, surface)| whole(index, surface.vertex_count())).collect(),
        tags: (0..u32_or_max(model.tags().len())).map(TagOrigin::Tag).collect(),
    };
    let mut losses = Vec::new();
    let mut parts = model.clone().into_parts();
    if let (Some(packing), Motion::Skeletal(skeletal)) = (options.packing, &mut parts.motion) {
        let has_bones = model.format().traits().joints == JointStorage::Bones;
        for track in skeletal.tracks.iter_mut().filter(|_| has_bones) {
            mdr::pack(&mut track.frames, packing, &mut losses)?;
        }
        let is_compressed = skeletal.tracks.iter().any(|track| matches!(track.frames, JointFrames::PackedMatrices(_)));
        let names = || parts.frames.iter().filter(|frame| !frame.name.is_empty()).count();
        if has_bones && is_compressed && names() > 0 {
            losses.push(format!("names of {} frames are left out: compressed frames have none", names()));
            parts.frames.iter_mut().for_each(|frame| frame.name.clear());
        }
    }
    Ok(Conversion { model: built(parts)?, losses, origin })
}

/// Returns the loss of a format that has one LOD.
fn dropped_lods(format: Format, coarser: u32) -> String {
    let dropped = if coarser == 1 { "1 coarser LOD was".to_owned() } else { format!("{coarser} coarser LODs were") };
    format!("{} has no LODs; {dropped} dropped", format.name().to_uppercase())
}

/// A model of parts that fit each other.
fn built(parts: crate::model::ModelParts) -> Result<Model, ConvertError> {
    Model::new(parts).map_err(|error| ConvertError::new(error.to_string()))
}
