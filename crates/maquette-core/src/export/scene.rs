//! What is exported: models where they stand, how they move, what they look like.

use std::collections::BTreeSet;

use glam::{Affine3A, Vec3};

use crate::model::{Clip, Model, Wrap, u32_or_max};
use crate::pose::{FrameBlend, Pose};

/// A model where it stands.
#[derive(Clone, Debug)]
pub struct ExportPart<'a> {
    /// The model.
    pub model: &'a Model,
    /// The model at a moment, in the level of detail that is written.
    pub pose: &'a Pose,
    /// Which moment that is.
    pub blend: FrameBlend,
    /// Its place.
    pub world_from_model: Affine3A,
    /// Per surface, whether it is written; surfaces beyond the end are.
    pub drawn: Vec<bool>,
    /// What its groups' names begin with.
    pub group: Option<&'a str>,
    /// What it is called.
    pub name: &'a str,
    /// Level of detail that is written.
    pub lod: u32,
    /// What it is attached to; without it stands by itself.
    pub attached: Option<ExportParent>,
    /// Per surface, which of [`Subject::materials`] it has; none beyond the end.
    pub materials: Vec<Option<usize>>,
    /// Size of the image that it wears first, in texels.
    pub skin: Option<[u16; 2]>,
}

/// What a part is attached to.
#[derive(Clone, Copy, Debug)]
pub struct ExportParent {
    /// Index of its parent, which comes before it.
    pub to: usize,
    /// Where on its parent.
    pub at: ExportAnchor,
    /// From there to where it stands, in the space of what it is attached to, in units.
    pub offset: Vec3,
}

/// Where on a parent a part is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportAnchor {
    /// On a tag, by its index.
    Tag(usize),
    /// On a joint, by its index.
    Joint(usize),
    /// Where the parent itself stands.
    Origin,
}

impl<'a> ExportPart<'a> {
    /// A model by itself, where it was made.
    #[must_use]
    pub fn alone(model: &'a Model, pose: &'a Pose) -> Self {
        Self {
            model,
            pose,
            blend: FrameBlend::default(),
            world_from_model: Affine3A::IDENTITY,
            drawn: Vec::new(),
            group: None,
            name: "",
            lod: 0,
            attached: None,
            materials: Vec::new(),
            skin: None,
        }
    }

    /// The surfaces that are written, with their numbers: of one level of detail, with triangles.
    pub(super) fn surfaces(&self) -> impl Iterator<Item = usize> + '_ {
        let surfaces = self.model.surfaces().iter().enumerate();
        let is_written = |(index, surface): &(usize, &crate::model::Surface)| {
            let posed = self.pose.surfaces.get(*index).map_or(0, |posed| posed.positions.len());
            let is_drawn = self.drawn.get(*index).copied().unwrap_or(true);
            // Surfaces of other levels of detail have no vertices in this pose.
            is_drawn && !surface.triangles.is_empty() && posed == surface.vertex_count()
        };
        surfaces.filter(is_written).map(|(index, _)| index)
    }
}

/// Everything that is written into one file.
#[derive(Clone, Debug, Default)]
pub struct ExportScene<'a> {
    /// What several parts together are called.
    pub name: String,
    /// The models; parents before what is attached to them.
    pub parts: Vec<ExportPart<'a>>,
    /// How they move; without any, only the moment of their poses is written.
    pub animations: Vec<Animation>,
    /// Materials of surfaces.
    pub materials: Vec<ExportMaterial>,
    /// The pictures of [`Subject::materials`].
    pub images: Vec<ExportImage>,
}

impl ExportScene<'_> {
    /// The frames that animations show of a part.
    pub(super) fn shown_frames(&self, part: usize) -> BTreeSet<u32> {
        let tracks = self.animations.iter().flat_map(|animation| &animation.tracks);
        tracks.filter(|track| track.part == part).flat_map(|track| &track.keys).map(|key| key.frame).collect()
    }
}

/// A motion of all parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Animation {
    /// What it is called.
    pub name: String,
    /// The first frame, as people count them.
    pub first: u32,
    /// How many frames, without the closing key of a motion that repeats.
    pub count: u32,
    /// Frames per second, above 0.
    pub rate: f32,
    /// Played from its last frame to its first: its keys stand in file order all the same.
    pub reversed: bool,
    /// How each part moves; parts without one stay as they are.
    pub tracks: Vec<Track>,
}

/// The frames that one part shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Index of the part.
    pub part: usize,
    /// In the order of their times; between two of them, frames are blended.
    pub keys: Vec<Key>,
}

/// A frame at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Key {
    /// In seconds.
    pub time: f32,
    /// In the model's list of frames.
    pub frame: u32,
}

impl Track {
    /// The frames of a clip: frame f stands at (f − first) / `rate` seconds. A clip that repeats all of its frames ends with
    /// its first one again, one interval after the last.
    #[must_use]
    pub fn of(part: usize, clip: &Clip, rate: f32) -> Self {
        let closes = clip.loop_frames >= clip.count && clip.wrap == Wrap::LastToFirst && clip.count > 1;
        let frames = (clip.first..clip.end()).chain(closes.then_some(clip.first));
        Self { part, keys: frames.zip(0..).map(|(frame, step)| Key { time: seconds(step, rate), frame }).collect() }
    }

    /// The same keys for another part, whose frames are so many later.
    #[must_use]
    pub fn followed_by(&self, part: usize, shift: i64) -> Self {
        let shifted = |frame: u32| u32_or_max((i64::from(frame) + shift).max(0));
        Self { part, keys: self.keys.iter().map(|key| Key { frame: shifted(key.frame), ..*key }).collect() }
    }

    /// Seconds to its last key.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.keys.last().map_or(0.0, |key| key.time)
    }
}

/// The moment of a whole number of frame intervals.
#[allow(clippy::cast_possible_truncation, reason = "a time in seconds needs no more digits")]
pub(super) fn seconds(step: u32, rate: f32) -> f32 {
    (f64::from(step) / f64::from(rate)) as f32
}

/// A material as other programs know it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExportMaterial {
    /// Its name in the file.
    pub name: String,
    /// Its picture, by index into [`Subject::images`].
    pub base: Option<usize>,
    /// How its alpha is meant.
    pub alpha: Alpha,
    /// Both sides of its triangles are seen.
    pub double_sided: bool,
    /// Normals in the surface's own axes.
    pub normal: Option<usize>,
    /// How it shines.
    pub specular: Option<usize>,
    /// What glows in the dark.
    pub emissive: Option<usize>,
    /// Pictures are held at their edges, not repeated.
    pub clamped: bool,
    /// The text that defines it in its game.
    pub script: Option<String>,
}

/// How alpha is meant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Alpha {
    /// Not at all.
    #[default]
    Opaque,
    /// Texels below this are not there.
    Mask(f32),
    /// As opaque as it says.
    Blend,
}

/// A picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportImage {
    /// File name without its ending, each once.
    pub name: String,
    /// The bytes of a PNG file.
    pub png: Vec<u8>,
}
