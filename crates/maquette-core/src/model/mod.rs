//! What a model is: no file format, no GPU, no window.
//!
//! A [`Model`] is split into what never moves ([`Surface`]: triangles, texture coordinates, material names) and what
//! moves ([`Motion`]: packed vertices or joints). The first half is uploaded once, the second is sampled at any moment by
//! [`crate::pose::sample`].
//!
//! Conventions, the files' own, kept throughout: X forward, Y left, Z up, right-handed; the front of a triangle is
//! **clockwise**, so the outward normal of (a, b, c) is (c−a) × (b−a); texture coordinate (0, 0) is the top-left texel;
//! units are the games' (about an inch).
//!
//! Loaders build [`ModelParts`]; [`Model::new`] is the door: behind it every index is in range and every list as long as
//! the lists it goes with, so nothing later can fail.

#![forbid(unsafe_code)]

mod bounds;
mod clip;
mod extremes;
mod format;
mod morph;
mod nearest_normal;
mod normals;
mod number;
pub mod packed_normal;
mod quaternion;
mod size;
mod skeleton;
mod surface;
mod validate;

use std::fmt;

use glam::Vec3;

pub use bounds::Bounds;
pub use clip::{Clip, ClipSource, Wrap};
pub use extremes::Extremes;
pub use format::{
    Companions, Format, FormatTraits, JointStorage, LodStorage, MaterialStorage, NameLimits, Precision, ScriptOrder,
    SurfaceStorage, TagStorage,
};
pub use morph::{ByteFrame, KeyDeltaFrame, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame, TagTrack};
pub use normals::{face_normal, smooth_normals, smooth_normals_of};
pub(crate) use number::are_usable;
pub use number::{finite, is_usable, u32_or_max};
pub use quaternion::quaternion_of_xyz;
pub use skeleton::{
    Binding, ChannelJoint, Joint, JointChannels, JointFrames, JointTrack, JointTransform, PackedMatrix, SkeletalMotion,
    Weight,
};
pub use surface::Surface;

use crate::error::{FilePosition, LoadError, Reason};

/// One stored moment, as far as the file describes it. Bounds are the file's own claim and may be wrong; the true ones
/// are in [`crate::pose::Pose::bounds`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameInfo {
    /// Free text, empty where the format has none.
    pub name: String,
    /// Claimed box in model space, if the format has one.
    pub bounds: Option<Bounds>,
    /// Centre of the culling sphere in model space; never added to vertices.
    pub origin: Vec3,
    /// Radius of that sphere in units.
    pub radius: f32,
}

/// Something else the file says, kept for [`info`](crate::info): header flags, GL commands, bone references, …
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The field in the format's own words.
    pub label: &'static str,
    /// What it says.
    pub value: DetailValue,
}

/// Value of a [`Detail`].
#[derive(Clone, Debug, PartialEq)]
pub enum DetailValue {
    /// A text or a number, ready to read.
    Text(String),
    /// A table of whole numbers, as stored.
    Integers(Vec<i32>),
}

impl Detail {
    /// A detail that reads as text.
    pub fn text(label: &'static str, value: impl fmt::Display) -> Self {
        Self { label, value: DetailValue::Text(value.to_string()) }
    }

    /// A detail that is a table.
    #[must_use]
    pub fn integers(label: &'static str, values: Vec<i32>) -> Self {
        Self { label, value: DetailValue::Integers(values) }
    }
}

/// How frames are counted for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameNumbering {
    /// One list of frames in the file, clips are ranges of it (MD2, MD3, MDC, MDR).
    Shared,
    /// Each clip is a file of its own and counts from 0 (MD5).
    PerClip,
}

/// What a loader hands over; every field may still be wrong. See [`Model::new`].
#[derive(Clone, Debug)]
pub struct ModelParts {
    /// Which format it was.
    pub format: Format,
    /// Version number in the file; absent where a text file has no such line.
    pub version: Option<i32>,
    /// Name stored inside the file, often a path of the author's disk.
    pub name: String,
    /// In file order, all levels of detail.
    pub surfaces: Vec<Surface>,
    /// All frames of all clips, one after another. Never empty. For MD5 frame 0 is the bind pose.
    pub frames: Vec<FrameInfo>,
    /// Tag names in file order, repeated names included.
    pub tags: Vec<String>,
    /// Named ranges of `frames`.
    pub clips: Vec<Clip>,
    /// Another grouping of the same frames, if the documents give one (the Quake II player table).
    pub alternative_clips: Vec<Clip>,
    /// Skin pictures the file lists (MD2).
    pub skins: Vec<String>,
    /// What moves.
    pub motion: Motion,
    /// Whatever else the file says.
    pub details: Vec<Detail>,
}

/// What moves: a closed set of two.
#[derive(Clone, Debug)]
pub enum Motion {
    /// Whole vertices per frame: MD2, MD3, MDC.
    Morph(MorphMotion),
    /// Joints per frame that carry vertices: MDR, MD5.
    Skeletal(SkeletalMotion),
}

/// A model whose every index is in range. It can be added to, and stays so.
#[derive(Clone, Debug)]
pub struct Model {
    parts: ModelParts,
    /// How many of the tags are the file's own; they come first.
    own_tags: usize,
    /// The file's own clips, once those of a file beside it have taken their place.
    own_clips: Vec<Clip>,
}

impl Model {
    /// Checks every invariant and refuses what later stages could trip over. Loaders drop bad triangles, tags and the
    /// like themselves, with a warning; what still fails here is a loader's mistake or a file beyond repair.
    pub fn new(parts: ModelParts) -> Result<Self, LoadError> {
        validate::check(&parts)?;
        Ok(Self { own_tags: parts.tags.len(), own_clips: Vec::new(), parts })
    }

    /// Which format it was.
    #[must_use]
    pub fn format(&self) -> Format {
        self.parts.format
    }

    /// Version number in the file; absent where a text file has no such line.
    #[must_use]
    pub fn version(&self) -> Option<i32> {
        self.parts.version
    }

    /// Name stored inside the file, often a path of the author's disk; empty where the format has none.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// The surfaces in file order, all levels of detail.
    #[must_use]
    pub fn surfaces(&self) -> &[Surface] {
        &self.parts.surfaces
    }

    /// All frames of all clips, one after another; never empty. An MD5's frame 0 is its bind pose.
    #[must_use]
    pub fn frames(&self) -> &[FrameInfo] {
        &self.parts.frames
    }

    /// Tag names in file order, repeated names included, then those of files beside the model.
    #[must_use]
    pub fn tags(&self) -> &[String] {
        &self.parts.tags
    }

    /// How many of [`Model::tags`] stand in the file itself; they come first.
    #[must_use]
    pub fn own_tag_count(&self) -> usize {
        self.own_tags
    }

    /// Named ranges of [`Model::frames`]; an MD5's first is its bind pose. Empty where nothing names any.
    #[must_use]
    pub fn clips(&self) -> &[Clip] {
        &self.parts.clips
    }

    /// The clips that the file itself names, where [`Model::replace_clips`] put others in their place; else empty.
    #[must_use]
    pub fn own_clips(&self) -> &[Clip] {
        &self.own_clips
    }

    /// Another grouping of the same frames, if the documents give one (the Quake II player table).
    #[must_use]
    pub fn alternative_clips(&self) -> &[Clip] {
        &self.parts.alternative_clips
    }

    /// Skin pictures the file lists (MD2).
    #[must_use]
    pub fn skins(&self) -> &[String] {
        &self.parts.skins
    }

    /// What moves: packed vertices per frame, or joints.
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.parts.motion
    }

    /// Whatever else the file says.
    #[must_use]
    pub fn details(&self) -> &[Detail] {
        &self.parts.details
    }

    /// Vertices that the file itself has for a surface: an MD2's have several texture coordinates each and are split.
    #[must_use]
    pub fn stored_vertices(&self, surface: usize) -> usize {
        let stored = self.details().iter().find(|detail| detail.label == Self::STORED_VERTICES);
        let stored = stored.and_then(|detail| match &detail.value {
            DetailValue::Text(number) => number.parse().ok(),
            DetailValue::Integers(_) => None,
        });
        stored.unwrap_or_else(|| self.surfaces().get(surface).map_or(0, Surface::vertex_count))
    }

    /// The detail in which an MD2, which is one surface, has the number of its vertices.
    pub const STORED_VERTICES: &str = "num_xyz";

    /// The parts it was made of, to be changed and given to [`Model::new`] again.
    #[must_use]
    pub fn into_parts(self) -> ModelParts {
        self.parts
    }

    /// How many levels of detail there are; at least 1.
    #[must_use]
    pub fn lod_count(&self) -> u32 {
        self.surfaces().iter().map(|surface| surface.lod.saturating_add(1)).max().unwrap_or(1)
    }

    /// Whether frames are counted through the file or within each clip.
    #[must_use]
    pub fn frame_numbering(&self) -> FrameNumbering {
        if self.format() == Format::Md5 { FrameNumbering::PerClip } else { FrameNumbering::Shared }
    }

    /// The joints, none for morphing models.
    #[must_use]
    pub fn joints(&self) -> &[Joint] {
        match self.motion() {
            Motion::Morph(_) => &[],
            Motion::Skeletal(skeletal) => &skeletal.joints,
        }
    }

    /// Appends the surfaces of `coarser` as level of detail `lod` (a `_1.md3` file beside this one). Its frames may be
    /// fewer; later frames hold its last. Tags, clips and frames stay those of level 0. Skeletal models carry their own
    /// levels and are left as they are.
    pub fn add_lod(&mut self, coarser: Model, lod: u32) {
        let (Motion::Morph(own), Motion::Morph(other)) = (&mut self.parts.motion, coarser.parts.motion) else { return };
        own.surfaces.extend(other.surfaces);
        self.parts.surfaces.extend(coarser.parts.surfaces.into_iter().map(|mut surface| {
            surface.lod = lod;
            surface
        }));
    }

    /// The clip of this name, in any case: of [`Model::clips`], else of those they replaced, else of the other grouping.
    #[must_use]
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        let all = self.clips().iter().chain(self.own_clips()).chain(self.alternative_clips());
        all.into_iter().find(|clip| clip.name.eq_ignore_ascii_case(name))
    }

    /// Takes the clips of a file beside the model in place of its own, which [`Model::own_clips`] keeps.
    pub fn replace_clips(&mut self, clips: Vec<Clip>) {
        if self.own_clips.is_empty() {
            self.own_clips = std::mem::take(&mut self.parts.clips);
        }
        self.set_clips(clips);
    }

    /// Takes `clips` in place of its own; those that are not all in the model are left out.
    pub fn set_clips(&mut self, clips: Vec<Clip>) {
        let frames = self.parts.frames.len();
        self.parts.clips = clips.into_iter().filter(|clip| validate::check_clip(clip, frames).is_ok()).collect();
    }

    /// Adds tags that lie in a file beside the model, after its own: `tags` has those called `names`, frame after frame, for
    /// every frame of the model. If they do not fit, or the model keeps its tags on joints or as angles (MDC), it stays as it
    /// was.
    pub fn add_tags(&mut self, names: Vec<String>, tags: &[TagFrame]) -> Result<(), LoadError> {
        let refuse = |why: &str| Err(LoadError::new("", "tags", FilePosition::Whole, Reason::Broken(why.to_owned())));
        let (own, added, frames) = (self.parts.tags.len(), names.len(), self.parts.frames.len());
        let Motion::Morph(MorphMotion { tags: TagTrack::Axes(known), .. }) = &mut self.parts.motion else {
            return refuse("the model has another kind of tags");
        };
        if tags.len() != added * frames {
            return refuse("not every frame has all of them");
        }
        let mut all = Vec::with_capacity(known.len() + tags.len());
        for frame in 0..frames {
            all.extend_from_slice(known.get(frame * own..(frame + 1) * own).unwrap_or_default());
            all.extend_from_slice(tags.get(frame * added..(frame + 1) * added).unwrap_or_default());
        }
        *known = all;
        self.parts.tags.extend(names);
        Ok(())
    }

    /// Calls a joint by the name of a tag, too; false if there is no such joint.
    pub fn add_joint_tag(&mut self, name: &str, joint: u32) -> bool {
        let Motion::Skeletal(skeletal) = &mut self.parts.motion else { return false };
        if joint as usize >= skeletal.joints.len() {
            return false;
        }
        skeletal.tags.push(joint);
        self.parts.tags.push(name.to_owned());
        true
    }

    /// Appends an animation of joints: a clip and the track it plays, as a loader hands them over (for the bytes of a file
    /// see [`Model::add_animation`]); `frames` gives its length. If it does not fit the
    /// skeleton, the model stays as it was.
    pub fn add_track(
        &mut self,
        mut clip: Clip,
        channels: JointChannels,
        frames: Vec<FrameInfo>,
    ) -> Result<(), LoadError> {
        let (first, count) = (self.parts.frames.len(), frames.len());
        clip.first = u32_or_max(first);
        clip.count = u32_or_max(count);
        let track = JointTrack { first: clip.first, frame_count: clip.count, frames: JointFrames::Channels(channels) };
        let Motion::Skeletal(skeletal) = &mut self.parts.motion else {
            let reason = Reason::Broken("a model without joints has no use for an animation of joints".to_owned());
            return Err(LoadError::new("", "", FilePosition::Whole, reason));
        };
        validate::check_track(&track, skeletal.joints.len())?;
        validate::check_clip(&clip, first + count)?;
        skeletal.tracks.push(track);
        self.parts.frames.extend(frames);
        self.parts.clips.push(clip);
        Ok(())
    }
}
