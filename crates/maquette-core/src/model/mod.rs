//! Model data, independent of file formats, GPU and window.
//!
//! A [`Model`] has a static part ([`Surface`]: triangles, texture coordinates, material names) and a moving part
//! ([`Motion`]: packed vertices or joints). The static part is uploaded once; [`crate::pose::sample`] samples the
//! moving part at any time.
//!
//! Conventions follow the files: X forward, Y left, Z up, right-handed; the front of a triangle is **clockwise**, so
//! the outward normal of (a, b, c) is (c−a) × (b−a); texture coordinate (0, 0) is the top-left texel; units are the
//! games' (about an inch).
//!
//! Loaders build [`ModelParts`], which [`Model::new`] validates: in a [`Model`] every index is in range and the lengths
//! of all lists agree, so later code cannot fail.

mod bone_angles;
mod bone_pool;
mod bounds;
mod clip;
mod embedded;
mod extremes;
mod format;
mod format_data;
mod game_path;
mod local_frames;
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

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

pub use bone_angles::{AngleBone, BoneAngles, PackedAngles};
pub use bone_pool::{BonePool, PackedBone, StoredBone};
pub use bounds::Bounds;
pub use clip::{Clip, ClipSource, Wrap};
pub use embedded::{AlphaMode, EmbeddedImage, EmbeddedMaterial, EmbeddedSkin, PixelKind, Pixels, linear};
pub use extremes::Extremes;
pub use format::{
    AnimationFiles, Companions, Format, JointStorage, LodStorage, MaterialStorage, NameLimits, Precision, ScriptOrder,
    SurfaceStorage, TagStorage,
};
pub use format_data::{FormatData, Sprite, SurfaceData, SurfaceNode, SurfaceVariant, VertexArray, WithJoints};
pub use game_path::path_in_game;
pub use local_frames::{LocalFrames, LocalPose, LocalSkeleton, LocalTransform, with_computed_w};
pub(crate) use local_frames::{push_child, usable};
pub use morph::{
    ByteFrame, FloatVertex, KeyDeltaFrame, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame, TagTrack,
};
pub use normals::{face_normal, smooth_normals, smooth_normals_of};
pub(crate) use number::are_usable;
pub use number::{finite, is_usable, u32_or_max};
pub use quaternion::quaternion_of_xyz;
pub use skeleton::{
    Binding, ChannelJoint, Joint, JointChannels, JointFrames, JointTrack, JointTransform, PackedMatrix, SkeletalMotion,
    SkeletalTag, SkeletonFile, Weight,
};
pub(crate) use skeleton::{matrix_rows, parents_first};
pub use surface::{PLAYER_PARTS, Surface};

use crate::error::{FilePosition, LoadError, Reason};

/// Returns whether a name is one of a tag: it begins with `tag_`, in any case.
pub(crate) fn is_tag_name(name: &str) -> bool {
    name.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("tag_"))
}

/// Description of a frame as stored. The bounds may be wrong; [`crate::pose::Pose::bounds`] has the true ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrameInfo {
    /// Name of the frame; empty if the format has none.
    pub name: String,
    /// Stored box in model space, if the format has one.
    pub bounds: Option<Bounds>,
    /// Centre of the culling sphere in model space; never added to vertices.
    pub origin: Vec3,
    /// Radius of the culling sphere in units.
    pub radius: f32,
}

/// Stored field for reports: header flags, counts, GL commands, … Code uses [`FormatData`] and [`SurfaceData`] instead.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// Name of the field in the format's own spelling.
    pub label: &'static str,
    /// Value of the field.
    pub value: DetailValue,
}

/// Value of a [`Detail`], formatted for display.
#[derive(Clone, Debug, PartialEq)]
pub enum DetailValue {
    /// Text or number.
    Text(String),
    /// Several texts.
    Texts(Vec<String>),
    /// Table of whole numbers, as stored.
    Integers(Arc<[i32]>),
}

impl Detail {
    /// Creates a text detail.
    pub fn text(label: &'static str, value: impl fmt::Display) -> Self {
        Self { label, value: DetailValue::Text(value.to_string()) }
    }

    /// Creates a detail with flags, in hexadecimal.
    #[must_use]
    pub fn flags(flags: i32) -> Self {
        Self::text("flags", format_args!("{flags:#x}"))
    }

    /// Creates a table detail.
    #[must_use]
    pub fn integers(label: &'static str, values: &Arc<[i32]>) -> Self {
        Self { label, value: DetailValue::Integers(Arc::clone(values)) }
    }
}

/// Numbering of frames for display.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameNumbering {
    /// Single numbering for all frames of the file; clips are ranges of it (most formats).
    Shared,
    /// Each clip counts from 0 (MD5, GLM, glTF, IQM without stored frames).
    PerClip,
}

/// Unvalidated output of a loader. See [`Model::new`].
#[derive(Clone, Debug, PartialEq)]
pub struct ModelParts {
    /// Format of the file.
    pub format: Format,
    /// Version number in the file; `None` if a text file has no such line.
    pub version: Option<i32>,
    /// Name stored in the file, often a path on the author's disk.
    pub name: String,
    /// Surfaces of all LODs, in file order.
    pub surfaces: Vec<Surface>,
    /// Frames of all clips, one after another. Never empty. If other files have the animations, frame 0 is the bind
    /// pose.
    pub frames: Vec<FrameInfo>,
    /// Tag names in file order, including repeated names.
    pub tags: Vec<String>,
    /// Named ranges of `frames`.
    pub clips: Vec<Clip>,
    /// Alternative clips of the same frames, if documented (the tables of Quake and Quake II players).
    pub alternative_clips: Vec<Clip>,
    /// Skins of the file: paths of images (MD2), or names of [`Model::embedded_skins`].
    pub skins: Vec<String>,
    /// Moving part.
    pub motion: Motion,
    /// Stored data that only some formats have.
    pub data: FormatData,
    /// Stored fields for reports.
    pub details: Vec<Detail>,
}

impl ModelParts {
    /// Returns a model without frames, surfaces and other data.
    pub(crate) fn empty(format: Format) -> Self {
        Self {
            format,
            version: None,
            name: String::new(),
            surfaces: Vec::new(),
            frames: Vec::new(),
            tags: Vec::new(),
            clips: Vec::new(),
            alternative_clips: Vec::new(),
            skins: Vec::new(),
            motion: Motion::Morph(MorphMotion { surfaces: Vec::new(), tags: TagTrack::Axes(Vec::new()) }),
            data: FormatData::default(),
            details: Vec::new(),
        }
    }
}

/// Moving part of a model.
#[derive(Clone, Debug, PartialEq)]
pub enum Motion {
    /// Vertices per frame: MDL, MD2, MD3, MDC, a glTF without joints or with moving morph targets.
    Morph(MorphMotion),
    /// Joints per frame with skinned vertices: MDR, MDS, MDM, MD5, GLM, IQM, glTF.
    Skeletal(SkeletalMotion),
}

/// Validated model. Additions keep it valid.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    parts: ModelParts,
    own_tags: usize,
    /// Clips of the model file, if companion clips replaced them.
    own_clips: Vec<Clip>,
}

impl Model {
    /// Validates the parts. A failure means a bug in a loader, which should drop invalid data, or a file beyond repair.
    pub fn new(parts: ModelParts) -> Result<Self, LoadError> {
        validate::check(&parts)?;
        Ok(Self { own_tags: parts.tags.len(), own_clips: Vec::new(), parts })
    }

    /// Returns the format of the file.
    pub fn format(&self) -> Format {
        self.parts.format
    }

    /// Returns the version number in the file; `None` if a text file has no such line.
    pub fn version(&self) -> Option<i32> {
        self.parts.version
    }

    /// Returns the name stored in the file, often a path on the author's disk; empty if the format has none.
    pub fn name(&self) -> &str {
        &self.parts.name
    }

    /// Returns the surfaces of all LODs, in file order.
    pub fn surfaces(&self) -> &[Surface] {
        &self.parts.surfaces
    }

    /// Returns the frames of all clips, one after another; never empty. Frame 0 of an MD5 or a GLM is its bind pose.
    pub fn frames(&self) -> &[FrameInfo] {
        &self.parts.frames
    }

    /// Returns how many of [`Model::frames`] are from the model file; they come first. Animation files add further
    /// ones.
    pub fn own_frame_count(&self) -> usize {
        match self.motion() {
            Motion::Morph(_) => self.frames().len(),
            Motion::Skeletal(motion) => motion.tracks.first().map_or(0, |track| track.frame_count as usize),
        }
    }

    /// Returns the tag names in file order, including repeated names, then those of companion files.
    pub fn tags(&self) -> &[String] {
        &self.parts.tags
    }

    /// Returns how many of [`Model::tags`] are from the model file; they come first.
    pub fn own_tag_count(&self) -> usize {
        self.own_tags
    }

    /// Returns the named ranges of [`Model::frames`]; an MD5's first is its bind pose. Empty if no clips are named.
    pub fn clips(&self) -> &[Clip] {
        &self.parts.clips
    }

    /// Returns the clips of the model file if [`Model::replace_clips`] replaced them; empty otherwise.
    pub fn own_clips(&self) -> &[Clip] {
        &self.own_clips
    }

    /// Returns the clips of the table of Quake or Quake II players as an alternative for the same frames; empty if none
    /// applies.
    pub fn alternative_clips(&self) -> &[Clip] {
        &self.parts.alternative_clips
    }

    /// Returns the skins of the file: paths of images (MD2), or names of [`Model::embedded_skins`].
    pub fn skins(&self) -> &[String] {
        &self.parts.skins
    }

    /// Returns the skins whose images are inside the file.
    pub fn embedded_skins(&self) -> &[EmbeddedSkin] {
        &self.parts.data.embedded_skins
    }

    /// Returns the variants of the materials, each of which is a skin. Variants that equal an earlier one are missing.
    /// `None` stands for the surfaces' own materials, and is missing if a variant has these.
    pub fn material_variants(&self) -> Vec<Option<u32>> {
        let materials = |variant| -> Vec<_> { self.surfaces().iter().map(|own| own.material_key(variant)).collect() };
        let mut known = HashSet::new();
        let all = (0..u32_or_max(self.data().variants.len())).map(Some);
        let mut variants: Vec<Option<u32>> = all.filter(|variant| known.insert(materials(*variant))).collect();
        if known.insert(materials(None)) {
            variants.insert(0, None);
        }
        variants
    }

    /// Returns the surface whose materials become the skins in a format with a single surface: that with the most
    /// materials in all variants.
    pub fn skin_surface(&self) -> usize {
        let variants = self.material_variants();
        let materials = |surface: &Surface| {
            let keys: HashSet<_> = variants.iter().map(|variant| surface.material_key(*variant)).collect();
            keys.len()
        };
        let finest = self.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == 0);
        // The last of several maxima counts.
        finest.rev().max_by_key(|(_, surface)| materials(surface)).map_or(0, |(index, _)| index)
    }

    /// Returns the moving part: packed vertices per frame, or joints.
    pub fn motion(&self) -> &Motion {
        &self.parts.motion
    }

    /// Returns the stored data that only some formats have.
    pub fn data(&self) -> &FormatData {
        &self.parts.data
    }

    /// Sets the path of the skeleton in the game, if the model states one.
    pub(crate) fn set_skeleton_path(&mut self, path: &str) {
        if let Some((own, _)) = &mut self.parts.data.skeleton {
            path.clone_into(own);
        }
    }

    /// Sets whether names beyond ASCII are stored in Latin-1.
    pub(crate) fn set_latin1(&mut self, has_latin1: bool) {
        self.parts.data.has_latin1 = has_latin1;
    }

    /// Returns the stored fields for reports.
    pub fn details(&self) -> &[Detail] {
        &self.parts.details
    }

    /// Returns a surface's name for display, or a substitute if it has none.
    pub fn display_name_of_surface(&self, index: usize) -> String {
        let has_names = self.format().traits().surfaces != SurfaceStorage::Unnamed;
        let surface = self.surfaces().get(index);
        let name = surface.map_or("", |surface| &surface.name);
        let stem = surface.filter(|_| !has_names).map_or("", Surface::material_stem);
        match [name, stem].into_iter().find(|name| !name.is_empty()) {
            Some(name) => name.to_owned(),
            None if self.surfaces().len() == 1 => "Mesh".to_owned(),
            None => format!("Surface {index}"),
        }
    }

    /// Returns the number of stored vertices of a surface. An MDL or MD2 may store fewer than its surface has, because
    /// loading splits vertices by texture coordinate.
    pub fn stored_vertices(&self, surface: usize) -> usize {
        match self.motion() {
            Motion::Morph(morph) => morph.surfaces.get(surface).map_or(0, |track| track.stored as usize),
            Motion::Skeletal(_) => self.surfaces().get(surface).map_or(0, Surface::vertex_count),
        }
    }

    /// Returns the parts, to be changed and passed to [`Model::new`] again.
    pub fn into_parts(self) -> ModelParts {
        self.parts
    }

    /// Returns the number of LODs, at least 1.
    pub fn lod_count(&self) -> u32 {
        self.surfaces().iter().map(|surface| surface.lod.saturating_add(1)).max().unwrap_or(1)
    }

    /// Returns whether frames are counted per file or per clip. In models whose first frame is the bind pose, each
    /// animation counts its own frames.
    pub fn frame_numbering(&self) -> FrameNumbering {
        let track = match self.motion() {
            Motion::Morph(_) => None,
            Motion::Skeletal(motion) => motion.tracks.first(),
        };
        let is_listed = self.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose);
        if is_listed || track.is_some_and(JointTrack::is_bind_pose) {
            FrameNumbering::PerClip
        } else {
            FrameNumbering::Shared
        }
    }

    /// Returns the number of a frame in its file: the model's, or that of the animation.
    pub fn frame_in_file(&self, frame: u32) -> u32 {
        match self.motion() {
            // The bind pose of a glTF is not a frame of the file.
            Motion::Morph(_) => frame.saturating_sub(u32::from(self.frame_numbering() == FrameNumbering::PerClip)),
            Motion::Skeletal(skeletal) => {
                let track = skeletal.tracks.iter().rfind(|track| track.first <= frame);
                track.map_or(frame, |track| frame - track.first)
            }
        }
    }

    /// Returns the joints; empty for models with vertex animation.
    pub fn joints(&self) -> &[Joint] {
        match self.motion() {
            Motion::Morph(_) => &[],
            Motion::Skeletal(skeletal) => &skeletal.joints,
        }
    }

    /// Returns whether a surface serves only collisions or shadows of Doom 3, so that it needs no image.
    pub fn is_helper(&self, surface: &Surface) -> bool {
        surface.hidden && self.format().traits().scripts == ScriptOrder::Doom3First
    }

    /// Returns whether the model is a mesh without its skeleton (MDM), which has no pose.
    pub fn lacks_skeleton(&self) -> bool {
        let Motion::Skeletal(skeletal) = self.motion() else { return false };
        skeletal.tracks.iter().any(|track| matches!(track.frames, JointFrames::Missing))
    }

    /// Returns whether the joints and frames are in the file of a skeleton.
    pub fn has_skeleton_file(&self) -> bool {
        match self.format().traits().companions.animations {
            AnimationFiles::Skeleton(_) => true,
            AnimationFiles::NamedSkeleton(_) => self.data().skeleton.is_some(),
            _ => false,
        }
    }

    /// Returns whether some joints can show another frame than the others: those of the torso (MDS, MDM).
    pub fn has_torso(&self) -> bool {
        let Motion::Skeletal(skeletal) = self.motion() else { return false };
        skeletal.tracks.iter().any(|track| match &track.frames {
            JointFrames::Angles(angles) => angles.bones.iter().any(|bone| bone.torso_weight > 0.0),
            _ => false,
        })
    }

    /// Appends the surfaces of `coarser` as LOD `lod` (a `_1.md3` file). If they have fewer frames, the last one is
    /// held. Joints, tags, clips and frames remain those of LOD 0. Returns false without a change if the joints differ.
    pub fn add_lod(&mut self, coarser: Model, lod: u32) -> bool {
        match (&mut self.parts.motion, coarser.parts.motion) {
            (Motion::Morph(own), Motion::Morph(other)) => own.surfaces.extend(other.surfaces),
            (Motion::Skeletal(own), Motion::Skeletal(other)) => {
                let identity = |joint: &Joint| (joint.name.clone(), joint.parent);
                if !own.joints.iter().map(identity).eq(other.joints.iter().map(identity)) {
                    return false;
                }
                own.bindings.extend(other.bindings);
            }
            _ => return false,
        }
        self.parts.surfaces.extend(coarser.parts.surfaces.into_iter().map(|mut surface| {
            surface.lod = lod;
            surface
        }));
        true
    }

    /// Finds a clip by name, ignoring case: in [`Model::clips`], then in replaced and alternative clips.
    pub fn clip(&self, name: &str) -> Option<&Clip> {
        let all = self.clips().iter().chain(self.own_clips()).chain(self.alternative_clips());
        all.into_iter().find(|clip| clip.name.eq_ignore_ascii_case(name))
    }

    /// Replaces the clips by those of a companion file; [`Model::own_clips`] keeps the model's own.
    pub fn replace_clips(&mut self, clips: Vec<Clip>) {
        if self.own_clips.is_empty() {
            self.own_clips = std::mem::take(&mut self.parts.clips);
        }
        self.set_clips(clips);
    }

    /// Replaces the clips. Clips with frames outside the model are left out.
    pub fn set_clips(&mut self, clips: Vec<Clip>) {
        let frames = self.parts.frames.len();
        self.parts.clips = clips.into_iter().filter(|clip| validate::check_clip(clip, frames).is_ok()).collect();
    }

    /// Appends the tags of a companion file, with `tags` frame after frame. Fails without a change if their number is
    /// wrong, or the model's tags are joints or angles (MDC).
    pub fn add_tags(&mut self, names: Vec<String>, tags: &[TagFrame]) -> Result<(), LoadError> {
        let refuse = |why: &str| Err(LoadError::new("", "tags", FilePosition::Whole, Reason::Broken(why.to_owned())));
        let (own, added, frames) = (self.parts.tags.len(), names.len(), self.parts.frames.len());
        let Motion::Morph(MorphMotion { tags: TagTrack::Axes(known), .. }) = &mut self.parts.motion else {
            return refuse("the model has a different kind of tags");
        };
        if tags.len() != added * frames {
            return refuse("a frame does not have every tag");
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

    /// Adds a tag at a joint. Returns false if there is no such joint.
    pub fn add_joint_tag(&mut self, name: &str, joint: u32) -> bool {
        let Motion::Skeletal(skeletal) = &mut self.parts.motion else { return false };
        if joint as usize >= skeletal.joints.len() {
            return false;
        }
        skeletal.tags.push(SkeletalTag::Joint(joint));
        self.parts.tags.push(name.to_owned());
        true
    }

    /// Adds a tag at a transform from tag space to the space of a joint. Returns false if there is no such joint.
    pub fn add_offset_tag(&mut self, name: &str, joint: u32, transform: Affine3A) -> bool {
        let is_added = self.add_joint_tag(name, joint);
        if let (true, Motion::Skeletal(skeletal)) = (is_added, &mut self.parts.motion)
            && let Some(tag) = skeletal.tags.last_mut()
        {
            *tag = SkeletalTag::Offset(joint, transform);
        }
        is_added
    }

    /// Appends a skeletal animation; `frames` determines its length. The first animation of a mesh without a skeleton
    /// (MDM), and the frames of a PSA, replace its only frame. Fails without a change if the animation does not fit the
    /// skeleton. See [`Model::add_animation`] for the bytes of a file.
    pub fn add_track(&mut self, mut clip: Clip, joints: JointFrames, frames: Vec<FrameInfo>) -> Result<(), LoadError> {
        // A mesh without its skeleton has no frame. DarkPlaces does not count the bind pose of a PSK among the frames.
        let lacks_skeleton = self.lacks_skeleton();
        let Motion::Skeletal(skeletal) = &mut self.parts.motion else { return Err(no_joints()) };
        let shows_bind_pose = skeletal.tracks.iter().all(JointTrack::is_bind_pose);
        let replaces = lacks_skeleton || shows_bind_pose && matches!(joints, JointFrames::Relative(_));
        let first = if replaces { 0 } else { self.parts.frames.len() };
        clip.first = u32_or_max(first);
        clip.count = u32_or_max(frames.len());
        let track = JointTrack { first: clip.first, frame_count: clip.count, frames: joints };
        validate::check_track(&track, skeletal.joints.len())?;
        validate::check_clip(&clip, first + frames.len())?;
        if replaces {
            skeletal.tracks.clear();
            self.parts.frames.clear();
        }
        skeletal.tracks.push(track);
        self.parts.frames.extend(frames);
        self.parts.clips.push(clip);
        Ok(())
    }

    /// Adds the joints of a skeleton to a model without joints, and its first animation like [`Self::add_track`].
    /// Vertices keep their positions in the bind pose (GLM). Fails without a change if the model has joints, or if its
    /// weights or tags name bones that the skeleton lacks.
    pub fn add_skeleton(
        &mut self,
        skeleton: SkeletonFile,
        mut clip: Clip,
        joints: JointFrames,
        frames: Vec<FrameInfo>,
    ) -> Result<(), LoadError> {
        let Motion::Skeletal(skeletal) = &mut self.parts.motion else { return Err(no_joints()) };
        validate::check_skeleton(skeletal, &skeleton)?;
        (clip.first, clip.count) = (0, u32_or_max(frames.len()));
        validate::check_clip(&clip, frames.len())?;
        let track = JointTrack { first: 0, frame_count: clip.count, frames: joints };
        validate::check_track(&track, skeleton.joints.len())?;
        skeletal.bind(skeleton);
        self.add_track(clip, track.frames, frames)
    }
}

fn no_joints() -> LoadError {
    let reason = Reason::Broken("a model without joints cannot play an animation of joints".to_owned());
    LoadError::new("", "", FilePosition::Whole, reason)
}
