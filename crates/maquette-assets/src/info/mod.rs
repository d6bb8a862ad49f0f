//! Reports on a model, for the `info` command (text and JSON) and the report panel. Numbers that are not finite are
//! replaced by 0.

mod archive;
mod character;
mod materials;
mod text;

pub use archive::{ArchiveReport, ArchivedModel, FailedModel};
pub use character::{CharacterReport, PartReport};
pub use materials::{MapReport, MaterialReport, MaterialReports, ScriptLocation, StageReport};

use std::collections::HashSet;

use glam::{Affine3A, Quat};
use serde::ser::{SerializeMap, Serializer};

use crate::engines::Engine;
use crate::material::SurfaceMaterial;
use crate::open::{Skin, SkinSource};
use maquette_core::error::Warning;
use maquette_core::model::{
    Bounds, Clip, ClipSource, Detail, DetailValue, FrameInfo, FrameNumbering, Model, Surface, SurfaceStorage, finite,
    u32_or_max,
};
use maquette_core::pose::Pose;

/// Report on a model, with its tags and joints in one pose.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Report<'a> {
    /// Short name of the format: `mdl`, `md2`, `md3`, `mdc`, `mdr`, `md5`.
    pub format: &'static str,
    /// Version in the file; `None` if an MD5 states none.
    pub version: Option<i32>,
    /// Display name of the model, usually its path.
    pub name: &'a str,
    /// Name of the archive or folder that overrides the file in the game, if any.
    pub replaced_by: Option<&'a str>,
    /// Name stored inside the file.
    pub stored_name: &'a str,
    /// Number of frames in the model file; of all clips if every clip numbers its own frames.
    pub frames: usize,
    /// Number of levels of detail, at least 1.
    pub lods: u32,
    /// Bounding box of the pose, in units; `None` without vertices.
    pub bounds: Option<BoundsReport>,
    /// Surfaces of all levels of detail, in file order. Surfaces that a GLM turns off are left out.
    pub surfaces: Vec<SurfaceReport<'a>>,
    /// Tags of the file, in file order.
    pub tags: Vec<TagReport<'a>>,
    /// Tags that companion files add.
    pub companion_tags: Vec<TagReport<'a>>,
    /// Joints in file order.
    pub joints: Vec<JointReport<'a>>,
    /// Clips without the bind pose, then the file's own clips that a companion file overrides.
    pub animations: Vec<ClipReport<'a>>,
    /// Alternative clips of the same frames (tables of Quake and Quake II players).
    pub alternative_animations: Vec<ClipReport<'a>>,
    /// Names of the skins in the model file, then of those in skin files.
    pub skins: Vec<&'a str>,
    /// Skins of skin files.
    pub skin_files: Vec<SkinReport<'a>>,
    /// All skins that can be chosen, in the order of their numbers; empty if they were not searched for.
    pub available_skins: Vec<AvailableSkin<'a>>,
    /// Materials of the surfaces; empty if they were not searched for.
    pub materials: MaterialReports<'a>,
    /// Warnings, one sentence each.
    pub warnings: Vec<String>,
    /// Other fields of the file.
    #[serde(serialize_with = "details_map")]
    pub details: &'a [Detail],
    /// Frames as stored.
    pub frame_list: Vec<FrameReport<'a>>,
    #[serde(skip)]
    game: &'static str,
    /// Whether each surface of the model is listed.
    #[serde(skip)]
    listed: Vec<bool>,
}

/// A skin of a skin file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SkinReport<'a> {
    /// Name of the skin.
    pub name: &'a str,
    /// Path of the file in the game.
    pub file: &'a str,
}

/// A skin that can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct AvailableSkin<'a> {
    /// Name of the skin.
    pub name: &'a str,
    /// Kind of source: `model`, `skin file`, `game file` or `image names`, see [`SkinSource`].
    pub source: &'static str,
    /// Game path of the file that defines the skin; `None` without such a file.
    pub file: Option<&'a str>,
}

/// A bounding box, in units.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct BoundsReport {
    /// Minimum corner.
    pub min: [f32; 3],
    /// Maximum corner.
    pub max: [f32; 3],
}

/// Report on a surface.
#[derive(Clone, Debug, serde::Serialize)]
pub struct SurfaceReport<'a> {
    /// Name as stored; empty if the format has none.
    pub name: &'a str,
    /// Level of detail; 0 is the finest.
    pub lod: u32,
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles with valid vertices.
    pub triangles: usize,
    /// Names of materials as stored.
    pub materials: &'a [String],
    /// Whether the surface is hidden by default.
    pub hidden: bool,
    /// Number of different colours of the vertices. `None` if the surface has no colours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colours: Option<u32>,
    /// Other fields of the surface.
    #[serde(serialize_with = "details_map")]
    pub details: &'a [Detail],
    /// Whether the model's file defines the surface's material (glTF).
    #[serde(skip)]
    pub defines_material: bool,
}

/// A tag in the pose.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct TagReport<'a> {
    /// Name as stored.
    pub name: &'a str,
    /// Origin in model space, in units.
    pub origin: [f32; 3],
    /// Axes forward, left, up: three rows of unit length.
    pub axis: [[f32; 3]; 3],
}

/// A joint in the pose.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct JointReport<'a> {
    /// Name as stored.
    pub name: &'a str,
    /// Index of the parent, −1 for a root.
    pub parent: i64,
    /// Position in model space, in units.
    pub position: [f32; 3],
    /// Unit quaternion q as x, y, z, w, which rotates a vector v to q v q*.
    pub rotation: [f32; 4],
    /// Whether the file does not store the joint: it holds vertices that the file attaches to none.
    #[serde(skip_serializing_if = "is_false")]
    pub added: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}

/// A named range of frames.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct ClipReport<'a> {
    /// Name of the clip.
    pub name: &'a str,
    /// First frame in the file that contains the frames: the model's or the animation's.
    pub first: u32,
    /// Number of frames.
    pub frames: u32,
    /// Frames per second in the animation's file.
    pub fps: f32,
    /// Frames per second in a script of the game, if any.
    pub script_fps: Option<f32>,
    /// Whether the clip repeats.
    pub loops: bool,
    /// Number of frames at the end that repeat; 0 to hold the last frame.
    pub loop_frames: u32,
    /// Whether the clip is played backwards.
    pub reversed: bool,
    /// Times in seconds at which each frame of a group ends (MDL, SPR); empty for other clips.
    pub end_times: &'a [f32],
}

/// Stored data of a frame.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct FrameReport<'a> {
    /// Name as stored; empty if the format has none.
    pub name: &'a str,
    /// Stored bounding box, if any.
    pub bounds: Option<BoundsReport>,
    /// Centre of the culling sphere.
    pub origin: [f32; 3],
    /// Radius of the culling sphere.
    pub radius: f32,
}

/// Serialises labels and values as a JSON object in file order.
fn details_map<S: Serializer>(details: &&[Detail], serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(details.len()))?;
    for detail in *details {
        match &detail.value {
            DetailValue::Text(text) => map.serialize_entry(detail.label, text)?,
            DetailValue::Texts(texts) => map.serialize_entry(detail.label, texts)?,
            DetailValue::Integers(values) => map.serialize_entry(detail.label, &**values)?,
        }
    }
    map.end()
}

impl<'a> Report<'a> {
    /// Creates the report on `model`, called `name`, in `pose`.
    #[must_use]
    pub fn new(model: &'a Model, pose: &Pose, warnings: &[Warning], name: &'a str) -> Self {
        let clips = |clips: &'a [Clip], more: &'a [Clip]| {
            // Names of frames often give the clips that the companion file lists, also the last frame of a loop, which
            // the file leaves out if it repeats the first.
            let is_listed = |own: &&Clip| {
                own.source == ClipSource::FrameNames
                    && clips.iter().any(|clip| clip.name.eq_ignore_ascii_case(&own.name))
            };
            let more = more.iter().filter(|own| !is_listed(own));
            let shown = clips.iter().chain(more).filter(|clip| clip.source != ClipSource::BindPose);
            shown.map(|clip| clip_report(clip, model)).collect()
        };
        let mut tags: Vec<TagReport> = model.tags().iter().zip(&pose.tags).map(tag_report).collect();
        let companion_tags = tags.split_off(model.own_tag_count().min(tags.len()));
        let lists_hidden = model.format().traits().surfaces != SurfaceStorage::Switched;
        let listed: Vec<bool> = model.surfaces().iter().map(|surface| lists_hidden || !surface.hidden).collect();
        Self {
            format: model.format().name(),
            version: model.version(),
            name,
            replaced_by: None,
            stored_name: model.name(),
            frames: match model.frame_numbering() {
                FrameNumbering::Shared => model.own_frame_count(),
                FrameNumbering::PerClip => model.frames().len(),
            },
            lods: model.lod_count(),
            bounds: BoundsReport::new(pose.bounds),
            surfaces: of_listed(model.surfaces(), &listed).map(surface_report).collect(),
            tags,
            companion_tags,
            joints: model
                .joints()
                .iter()
                .zip(&pose.joints)
                .map(|(joint, transform)| JointReport {
                    name: &joint.name,
                    parent: joint.parent.map_or(-1, i64::from),
                    position: finite(transform.translation.into()),
                    rotation: rotation(transform),
                    added: joint.is_added,
                })
                .collect(),
            animations: clips(model.clips(), model.own_clips()),
            alternative_animations: clips(model.alternative_clips(), &[]),
            skins: model.skins().iter().map(String::as_str).collect(),
            skin_files: Vec::new(),
            available_skins: Vec::new(),
            materials: MaterialReports::default(),
            warnings: warnings.iter().map(ToString::to_string).collect(),
            details: model.details(),
            frame_list: model.frames().iter().map(frame_report).collect(),
            game: model.format().game(),
            listed,
        }
    }

    /// Sets the engine that the model belongs to.
    #[must_use]
    pub fn with_engine(mut self, engine: &'static Engine) -> Self {
        self.game = engine.name;
        self
    }

    /// Sets the archive or folder that overrides the file in the game.
    #[must_use]
    pub fn with_replacement(mut self, replaced_by: Option<&'a str>) -> Self {
        self.replaced_by = replaced_by;
        self
    }

    /// Adds the skins of the asset.
    #[must_use]
    pub fn with_skins(mut self, skins: &'a [Skin]) -> Self {
        let of_file = |skin: &'a Skin| match &skin.source {
            SkinSource::SkinFile(file) => Some(SkinReport { name: &skin.name, file }),
            _ => None,
        };
        self.skin_files = skins.iter().filter_map(of_file).collect();
        self.available_skins = skins.iter().map(available_skin).collect();
        self.skins.extend(self.skin_files.iter().map(|skin| skin.name));
        self
    }

    /// Adds the materials of the surfaces.
    #[must_use]
    pub fn with_materials(mut self, materials: &'a [SurfaceMaterial]) -> Self {
        self.materials = MaterialReports::new(of_listed(materials, &self.listed));
        self
    }
}

fn of_listed<'a, T>(items: &'a [T], listed: &[bool]) -> impl Iterator<Item = &'a T> {
    items.iter().zip(listed).filter(|(_, listed)| **listed).map(|(item, _)| item)
}

fn available_skin(skin: &Skin) -> AvailableSkin<'_> {
    let (source, file) = match &skin.source {
        SkinSource::Model => ("model", None),
        SkinSource::SkinFile(file) => ("skin file", Some(file.as_str())),
        SkinSource::GameFile(file) => ("game file", Some(file.as_str())),
        SkinSource::ImageNames => ("image names", None),
    };
    AvailableSkin { name: &skin.name, source, file }
}

fn surface_report(surface: &Surface) -> SurfaceReport<'_> {
    SurfaceReport {
        name: &surface.name,
        lod: surface.lod,
        vertices: surface.vertex_count(),
        triangles: surface.triangles.len(),
        materials: &surface.materials,
        hidden: surface.hidden,
        colours: surface.data.colours.as_ref().map(|colours| {
            let different: HashSet<i32> = colours.iter().copied().collect();
            u32_or_max(different.len())
        }),
        details: &surface.details,
        defines_material: surface.data.embedded_material.is_some(),
    }
}

fn tag_report<'a>((name, transform): (&'a String, &Affine3A)) -> TagReport<'a> {
    let axes = transform.matrix3;
    let axis = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| finite(axis.into()));
    TagReport { name, origin: finite(transform.translation.into()), axis }
}

fn clip_report<'a>(clip: &'a Clip, model: &Model) -> ClipReport<'a> {
    ClipReport {
        name: &clip.name,
        first: model.frame_in_file(clip.first),
        frames: clip.count,
        fps: clip.own_rate.unwrap_or(clip.frames_per_second),
        script_fps: clip.own_rate.map(|_| clip.frames_per_second),
        loops: clip.loops(),
        loop_frames: clip.loop_frames,
        reversed: clip.reversed,
        end_times: &clip.end_times,
    }
}

fn frame_report(frame: &FrameInfo) -> FrameReport<'_> {
    FrameReport {
        name: &frame.name,
        bounds: frame.bounds.map(|bounds| BoundsReport { min: finite(bounds.min), max: finite(bounds.max) }),
        origin: finite(frame.origin),
        radius: if frame.radius.is_finite() { frame.radius } else { 0.0 },
    }
}

impl BoundsReport {
    /// Reports `bounds`; `None` if they are empty.
    #[must_use]
    pub fn new(bounds: Bounds) -> Option<Self> {
        (!bounds.is_empty()).then(|| Self { min: finite(bounds.min), max: finite(bounds.max) })
    }
}

/// Returns the rotation of a joint. Axes that are scaled (in some MDR bones) are normalised first.
fn rotation(joint: &Affine3A) -> [f32; 4] {
    let axes = joint.matrix3;
    let columns = [axes.x_axis, axes.y_axis, axes.z_axis].map(|axis| axis.normalize_or_zero());
    let rotation = Quat::from_mat3a(&glam::Mat3A::from_cols(columns[0], columns[1], columns[2]));
    if rotation.is_finite() && rotation.length_squared() > 0.0 {
        rotation.normalize().to_array()
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}
