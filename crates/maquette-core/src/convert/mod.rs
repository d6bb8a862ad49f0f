//! Conversion of models between formats. Motion is repacked, and data that the target format cannot store is reported.
//!
//! ```text
//! any format ──bake──► frames of vertices ──shorts, deltas, bytes──► MD3, MDC, MD2, MDL
//! one frame of any ──floats──► ASE, OBJ
//! MDR, MD5, IQM, …, or one frame of any ──bones, joints──► MDR, MDS, MDM, MD5, IQM, GLM
//! ```
//!
//! [`to_files`] converts a model, writes it, reads the files again and compares them with the original ([`measure`]).

mod animation_files;
mod bake;
mod clips;
mod convert_error;
mod cost;
mod files;
pub(crate) mod glm;
pub(crate) mod iqm;
mod materials;
pub(crate) mod md2;
pub(crate) mod md3;
pub(crate) mod md5;
pub(crate) mod mdc;
pub(crate) mod mdl;
pub(crate) mod mdr;
pub(crate) mod mds;
mod measure;
mod merged;
mod names;
mod player;
mod rigid;
mod short_vertices;
mod skeleton;
mod split;
pub(crate) mod static_mesh;
mod unique_names;

use crate::error::counted;
use crate::model::{
    EmbeddedSkin, Format, JointFrames, JointStorage, MaterialStorage, Model, Motion, SkeletalTag, TagStorage,
    u32_or_max,
};
use crate::pose::FrameBlend;
use cost::check_size;
use materials::report_materials;
use names::report_lost_tags;

pub use clips::{animation_config, animation_config_losses, frame_groups, listed_clips};
pub(crate) use clips::{listed_numbers, named as named_clips, words_of};
pub use convert_error::ConvertError;
pub use files::{CompanionFile, CompanionKind, ConvertedFiles, to_files};
pub(crate) use materials::{coloured_surfaces, lost_colours};
pub use measure::{MaxError, Measured, measure};
pub(crate) use merged::{Grid, STEPS, name_unnamed, packed};
pub use player::{Player, player};
pub(crate) use short_vertices::sixty_fourths;
pub use unique_names::UniqueNames;

/// Options of a conversion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConvertOptions<'a> {
    /// Target format.
    pub format: Format,
    /// Single frame to convert, as an index into [`Model::frames`]; all frames if `None`.
    pub frame: Option<u32>,
    /// Names of the clips to convert, ignoring case; all frames if `None`.
    pub clips: Option<&'a [String]>,
    /// Packing of MDR bones. By default an MDR keeps its packing, and other models become
    /// compressed unless their joints are scaled (IQM).
    pub packing: Option<BonePacking>,
    /// Skin size of an MD2 or MDL in texels. Texture coordinates are rounded to whole texels.
    pub skin: [u16; 2],
    /// Skins for [`takes_skin_image`], which replace `skin`; grey by default. Those without an image get the first one.
    pub skin_images: &'a [Option<EmbeddedSkin>],
    /// Limits beyond which surfaces are split.
    pub limits: SurfaceLimits,
    /// Path of the model in the game, without extension, which is also that of a new skeleton (GLM). `None` if unknown.
    pub path: Option<&'a str>,
    /// Whether the caller writes the textures inside the file, so that they are not lost.
    pub writes_textures: bool,
}

/// Packing of the bones of an MDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BonePacking {
    /// Twelve 32-bit floats.
    Plain,
    /// Twelve 16-bit integers.
    Compressed,
}

/// Maximum size of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurfaceLimits {
    /// Maximum number of vertices.
    pub vertices: usize,
    /// Maximum number of triangles.
    pub triangles: usize,
}

impl SurfaceLimits {
    /// No limits.
    pub const NONE: Self = Self { vertices: usize::MAX, triangles: usize::MAX };
}

impl ConvertOptions<'_> {
    /// Default skin size in texels.
    pub const USUAL_SKIN: [u16; 2] = [256; 2];

    /// Returns whether the format and the frames of a model stay.
    pub(crate) fn keeps_frames_of(&self, model: &Model) -> bool {
        self.format == model.format() && self.frame.is_none() && self.clips.is_none()
    }

    /// Returns the skin size for an image: halved until it fits the maximum of Quake II's renderer (640 × 480).
    pub fn skin_for(width: u32, height: u32) -> [u16; 2] {
        let mut size = [width, height];
        while size[0] > 640 || size[1] > 480 {
            size = size.map(|side| side / 2);
        }
        size.map(|side| u16::try_from(side.max(1)).unwrap_or(1))
    }

    /// Creates options for `format`: all frames, unsplit surfaces, an MD2 skin of 256 × 256 texels.
    #[must_use]
    pub fn to(format: Format) -> Self {
        Self {
            format,
            frame: None,
            clips: None,
            packing: None,
            skin: Self::USUAL_SKIN,
            skin_images: &[],
            limits: SurfaceLimits::NONE,
            path: None,
            writes_textures: false,
        }
    }
}

/// Result of a conversion.
#[derive(Clone, Debug)]
pub struct Conversion {
    /// Converted model.
    pub model: Model,
    /// Descriptions of lost data, one sentence each.
    pub losses: Vec<String>,
    /// Mapping to the original model.
    pub origin: Origin,
}

/// Mapping from a converted model to the original.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// Time of each frame in the original: a frame, or a blend of two. A bind pose that the conversion adds as the
    /// first frame is not in the list.
    pub frames: Vec<FrameBlend>,
    /// Original vertices of each surface.
    pub surfaces: Vec<Vec<VertexOrigin>>,
    /// Origin of each tag.
    pub tags: Vec<TagOrigin>,
}

/// Vertex of the original.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VertexOrigin {
    /// Index of the surface.
    pub surface: u32,
    /// Index of the vertex in the surface.
    pub vertex: u32,
}

/// Tag or joint of the original that a converted tag comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagOrigin {
    /// Tag, by its index.
    Tag(u32),
    /// Joint, by its index.
    Joint(u32),
}

/// Converts a model. If the format stays and no single frame is chosen, only the packing changes. Fails if the target
/// format cannot store the model: vertex animation in a skeletal format, positions out of range, or too many vertices.
pub fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    if options.frame.is_some_and(|frame| frame as usize >= model.frames().len()) {
        return Err(ConvertError::Options(format!("the model has {} frames", model.frames().len())));
    }
    // An added tag needs a separate joint or surface in the file. If all tags are joints (IQM), so does one of a
    // script.
    let traits = options.format.traits();
    let are_joints = traits.tags == TagStorage::Joints;
    let is_new = |tag: &SkeletalTag| match tag {
        SkeletalTag::Offset(..) => traits.tags != TagStorage::Offsets,
        SkeletalTag::Joint(_) => traits.tags == TagStorage::Triangles,
        SkeletalTag::Triangle(_) => false,
    };
    let has_new_tags = matches!(model.motion(), Motion::Skeletal(motion) if motion.tags.iter().any(is_new))
        || are_joints && joint_tags(model).any(|(name, joint)| name != joint);
    if model.lacks_skeleton() {
        return Err(ConvertError::NeedsSkeleton("the mesh needs a skeleton (.mdx), which was not found".to_owned()));
    }
    if options.keeps_frames_of(model) && !has_new_tags {
        return repack(model, options);
    }
    let Some(target) = &options.format.traits().writer else {
        return Err(ConvertError::NotWritten(options.format));
    };
    check_size(model, options, target)?;
    let mut conversion = (target.convert)(model, options).map_err(|error| match error {
        ConvertError::OutOfRange(why) if model.format().traits().is_sampled => {
            ConvertError::OutOfRange(format!("{why} (--scale changes the unit)"))
        }
        error => error,
    })?;
    // Texts, and lsalzman's exporter of IQM, have UTF-8. Fields of a fixed length hold the bytes of the source.
    let limits = options.format.traits().name_limits;
    let has_fields = limits.surface.or(limits.frame).is_some();
    conversion.model.set_latin1(has_fields && model.data().has_latin1);
    let flags = model.data().flags & !conversion.model.data().flags;
    if flags != 0 {
        conversion.losses.push(format!("flags of the header were dropped: {flags:#x}"));
    }
    let images = model.embedded_skins().len();
    let name = options.format.title();
    if model.data().sprite.is_some() {
        let lost = "the model does not turn to the camera and shows at most one image";
        conversion.losses.push(format!("{name} has no sprites; {lost}"));
    } else if images > 0 && options.format.traits().materials != MaterialStorage::Inside {
        let skins = counted(images, "skin inside the file was", "skins inside the file were");
        conversion.losses.push(format!("{name} stores no images; {skins} dropped"));
    }
    let has_textures = options.writes_textures || options.format.traits().materials == MaterialStorage::Inside;
    report_materials(model, options.format, has_textures, &mut conversion.losses);
    Ok(conversion)
}

/// Returns whether a conversion to `format` stores [`ConvertOptions::skin_images`]: the format stores skins in colours
/// of the game, and the model has none.
pub fn takes_skin_image(model: &Model, format: Format) -> bool {
    let skins = model.embedded_skins();
    // The images of a sprite are not skins.
    let has_skins = model.data().sprite.is_none() && !skins.is_empty();
    let is_kept = has_skins && skins.iter().all(EmbeddedSkin::is_in_game_palette);
    format.traits().materials == MaterialStorage::Inside && !is_kept
}

/// Function that converts a model to one format.
pub(crate) type ConvertFunction = fn(&Model, &ConvertOptions) -> Result<Conversion, ConvertError>;

/// Function that returns the bytes of a converted frame.
pub(crate) type FrameCost = fn(&Counts, &ConvertOptions) -> u64;

/// Numbers of what a frame stores.
pub(crate) struct Counts {
    pub vertices: u64,
    pub tags: u64,
    pub joints: u64,
}

/// Returns the formats that models can be converted to.
pub fn targets() -> impl Iterator<Item = Format> {
    Format::ALL.into_iter().filter(|format| format.is_written())
}

/// Returns the frames per second at which animations without frames (glTF) are sampled for a format.
pub fn sampling_rate(target: Format) -> f32 {
    target.traits().writer.as_ref().map_or(target.usual_rate(), |writer| writer.sampling_rate)
}

/// Returns the flags of the header if they keep their meaning in another format. A glTF may state their format.
fn kept_flags(model: &Model, format: Format) -> i32 {
    let from = model.data().flags_format.unwrap_or(model.format());
    if format.has_flags_of(from) { model.data().flags } else { 0 }
}

/// Keeps the format of a model, and changes its packing.
fn repack(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let whole = |surface: usize, vertices: usize| {
        (0..u32_or_max(vertices)).map(move |vertex| VertexOrigin { surface: u32_or_max(surface), vertex }).collect()
    };
    let surfaces = model.surfaces().iter().enumerate();
    let mut origin = Origin {
        frames: (0..u32_or_max(model.frames().len())).map(FrameBlend::single).collect(),
        surfaces: surfaces.map(|(index, surface)| whole(index, surface.vertex_count())).collect(),
        tags: (0..u32_or_max(model.tags().len())).map(TagOrigin::Tag).collect(),
    };
    let mut losses: Vec<String> = crate::edit::lost_by_rewriting(model).into_iter().collect();
    if model.format().traits().tags == TagStorage::None {
        report_lost_tags(joint_tags(model), model.format(), &mut losses);
    }
    let mut parts = model.clone().into_parts();
    animation_files::separate(&mut parts, &mut origin, &mut losses);
    if let (TagStorage::Triangles, Motion::Skeletal(skeletal)) = (options.format.traits().tags, &mut parts.motion) {
        let (surfaces, bindings) = (&mut parts.surfaces, &mut skeletal.bindings);
        glm::order_surfaces(&parts.data.hierarchy, surfaces, bindings, &mut origin.surfaces);
    }
    if let (Some(packing), Motion::Skeletal(skeletal)) = (options.packing, &mut parts.motion) {
        let has_bones = model.format().traits().joints == JointStorage::Bones;
        for track in skeletal.tracks.iter_mut().filter(|_| has_bones) {
            mdr::pack(&mut track.frames, packing, &mut losses)?;
        }
        let is_compressed = skeletal.tracks.iter().any(|track| matches!(track.frames, JointFrames::PackedMatrices(_)));
        if has_bones {
            mdr::store_frame_names(&mut parts.frames, is_compressed, model.data().has_latin1, &mut losses);
        }
    }
    Ok(Conversion { model: build(parts)?, losses, origin })
}

/// Returns the tags that are joints, and the names of these.
fn joint_tags(model: &Model) -> impl Iterator<Item = (&str, &str)> {
    let tags = match model.motion() {
        Motion::Skeletal(motion) => motion.tags.as_slice(),
        Motion::Morph(_) => &[],
    };
    model.tags().iter().zip(tags).filter_map(|(name, tag)| match tag {
        SkeletalTag::Joint(joint) => Some((name.as_str(), model.joints().get(*joint as usize)?.name.as_str())),
        _ => None,
    })
}

fn dropped_lods(format: Format, coarser: u32) -> String {
    let dropped = counted(coarser, "coarser LOD was", "coarser LODs were");
    format!("{} has no LODs; {dropped} dropped", format.title())
}

/// Validates the parts of a converted model.
fn build(parts: crate::model::ModelParts) -> Result<Model, ConvertError> {
    Model::new(parts).map_err(ConvertError::Invalid)
}
