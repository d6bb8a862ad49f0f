//! Input of an export: models, transforms, animations and materials.

use std::collections::BTreeSet;

use glam::{Affine3A, Vec3};

use crate::model::{AlphaMode, Clip, ClipSource, EmbeddedSkin, Model, Wrap, is_tag_name};
use crate::pose::{FrameBlend, Pose};

/// Exported model with its pose, transform and materials.
#[derive(Clone, Debug)]
pub struct ExportPart<'a> {
    /// Loaded model.
    pub model: &'a Model,
    /// Pose of the model in the exported LOD.
    pub pose: &'a Pose,
    /// Time of the pose.
    pub blend: FrameBlend,
    /// Time of the torso, if it differs ([`Sampling::torso`](crate::pose::Sampling)).
    pub torso: Option<FrameBlend>,
    /// Transform from model space to the space of the scene.
    pub world_from_model: Affine3A,
    /// Whether each surface is written. Surfaces beyond the end of the list are written.
    pub drawn: Vec<bool>,
    /// Prefix of the group names.
    pub group: Option<&'a str>,
    /// Display name.
    pub name: &'a str,
    /// Exported level of detail.
    pub lod: u32,
    /// Parent; `None` for an independent part.
    pub attached: Option<ExportParent>,
    /// Index into [`ExportScene::materials`] for each surface; `None` beyond the end.
    pub materials: Vec<Option<usize>>,
    /// Path of the shader or image that each surface shows, relative to the game; empty if there is none.
    pub shown_paths: Vec<String>,
    /// Size of the first texture in texels, for formats that store a skin size.
    pub skin: Option<[u16; 2]>,
    /// Images of the skins, for formats that store skins inside the file.
    pub skin_images: Vec<Option<EmbeddedSkin>>,
    /// Other skins in formats without materials for surfaces: name, and the material of each surface.
    pub variants: Vec<(String, Vec<usize>)>,
}

/// Attachment of a part to a parent.
#[derive(Clone, Copy, Debug)]
pub struct ExportParent {
    /// Index of the parent, which comes before the part.
    pub to: usize,
    /// Attachment point on the parent.
    pub at: ExportAnchor,
    /// Offset from the attachment point, in its space, in units.
    pub offset: Vec3,
}

/// Attachment point on a parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportAnchor {
    /// Tag, by its index.
    Tag(usize),
    /// Joint, by its index.
    Joint(usize),
    /// Origin of the parent.
    Origin,
}

impl<'a> ExportPart<'a> {
    /// Creates a part at the origin, without parent or materials.
    #[must_use]
    pub fn alone(model: &'a Model, pose: &'a Pose) -> Self {
        Self {
            model,
            pose,
            blend: FrameBlend::default(),
            torso: None,
            world_from_model: Affine3A::IDENTITY,
            drawn: Vec::new(),
            group: None,
            name: "",
            lod: 0,
            attached: None,
            materials: Vec::new(),
            shown_paths: Vec::new(),
            skin: None,
            skin_images: Vec::new(),
            variants: Vec::new(),
        }
    }

    /// Returns whether a reader of glTF shows anything of the part. Joints are written for surfaces only.
    pub(super) fn is_shown(&self) -> bool {
        self.surfaces().next().is_some() || self.model.tags().iter().any(|tag| is_tag_name(tag))
    }

    pub(super) fn surfaces(&self) -> impl Iterator<Item = usize> + '_ {
        let surfaces = self.model.surfaces().iter().enumerate();
        let is_written = |(index, surface): &(usize, &crate::model::Surface)| {
            let posed = self.pose.surfaces.get(*index).map_or(0, |posed| posed.positions.len());
            let is_drawn = self.drawn.get(*index).copied().unwrap_or(true);
            // Surfaces of other LODs have no vertices in this pose.
            is_drawn && !surface.triangles.is_empty() && posed == surface.vertex_count()
        };
        surfaces.filter(is_written).map(|(index, _)| index)
    }
}

/// Contents of one exported file.
#[derive(Clone, Debug, Default)]
pub struct ExportScene<'a> {
    /// Name of a scene with several parts.
    pub name: String,
    /// Models; parents come before attached parts.
    pub parts: Vec<ExportPart<'a>>,
    /// Animations; if empty, only the frame of each pose is written.
    pub animations: Vec<Animation>,
    /// Materials of surfaces.
    pub materials: Vec<ExportMaterial>,
    /// Images of [`Self::materials`].
    pub images: Vec<ExportImage>,
}

impl ExportScene<'_> {
    pub(super) fn shown_frames(&self, part: usize) -> BTreeSet<u32> {
        let tracks = self.animations.iter().flat_map(|animation| &animation.tracks);
        tracks.filter(|track| track.part == part).flat_map(|track| &track.keys).map(|key| key.frame).collect()
    }
}

/// Animation of all parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// Name of the animation.
    pub name: String,
    /// Number of the first frame, as displayed.
    pub first: u32,
    /// Number of frames, without the closing key of a loop.
    pub count: u32,
    /// Frames per second, above 0.
    pub rate: f32,
    /// Whether the clip plays backwards. Keys are in file order nevertheless.
    pub reversed: bool,
    /// Number of frames at the end that repeat; 0 for a clip that plays once.
    pub loop_frames: u32,
    /// Source of the clip. [`ClipSource::AllFrames`]: the frames belong to no clip of the model.
    pub source: ClipSource,
    /// Motion of each part; parts without a track are static.
    pub tracks: Vec<Track>,
}

impl Animation {
    /// Creates the animation of a clip at a rate.
    #[must_use]
    pub fn new(clip: &Clip, rate: f32, tracks: Vec<Track>) -> Self {
        Self {
            name: clip.name.clone(),
            first: clip.first,
            count: clip.count,
            rate,
            reversed: clip.reversed,
            loop_frames: clip.loop_frames,
            source: clip.source,
            tracks,
        }
    }
}

/// Frames that one part shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Index of the part.
    pub part: usize,
    /// Keys in the order of time; frames are blended between them.
    pub keys: Vec<Key>,
}

/// Key of a track: a frame and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// Time in seconds.
    pub time: f32,
    /// Index of the frame in the model.
    pub frame: u32,
}

impl Track {
    /// Creates the keys of a clip: frame f is at (f − first) / `rate` seconds, or later or earlier if the clip states the
    /// time of each frame. If all frames loop, the first is repeated when the last ends.
    #[must_use]
    pub fn new(part: usize, clip: &Clip, rate: f32) -> Self {
        let closes = clip.loop_frames >= clip.count && clip.wrap == Wrap::LastToFirst && clip.count > 1;
        let frames = (clip.first..clip.end()).chain(closes.then_some(clip.first));
        let time = |step: u32| seconds(clip.intervals_at(f64::from(step)), rate);
        Self { part, keys: frames.zip(0..).map(|(frame, step)| Key { time: time(step), frame }).collect() }
    }

    /// Returns the keys for another part, which shows `frame_of` each frame.
    #[must_use]
    pub fn followed_by(&self, part: usize, frame_of: impl Fn(u32) -> u32) -> Self {
        Self { part, keys: self.keys.iter().map(|key| Key { frame: frame_of(key.frame), ..*key }).collect() }
    }

    /// Returns the time of the last key in seconds.
    pub fn length(&self) -> f32 {
        self.keys.last().map_or(0.0, |key| key.time)
    }
}

pub(super) fn seconds(intervals: f64, rate: f32) -> f32 {
    // Broken files may state almost no frames per second.
    (intervals / f64::from(rate.max(1e-3))) as f32
}

/// Material for other programs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportMaterial {
    /// Name in the exported file.
    pub name: String,
    /// Base texture, as an index into [`ExportScene::images`].
    pub base: Option<usize>,
    /// Meaning of the alpha channel.
    pub alpha: AlphaMode,
    /// Whether both sides of triangles are visible.
    pub double_sided: bool,
    /// Normal map in tangent space.
    pub normal: Option<usize>,
    /// Specular map.
    pub specular: Option<usize>,
    /// Emissive map.
    pub emissive: Option<usize>,
    /// Whether textures are clamped instead of repeated.
    pub clamped: bool,
    /// Names of the surface's materials in the model's file. Other programs shorten or number the name.
    pub stored: Vec<String>,
    /// Name that a skin gives instead.
    pub skin: Option<String>,
    /// Shader or material source text of the game.
    pub script: Option<String>,
}

/// Image of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportImage {
    /// Unique file name without extension.
    pub name: String,
    /// Contents of a PNG file.
    pub png: Vec<u8>,
}
