//! Skeleton of any model; a single frame of vertex animation becomes one joint.

use glam::{Affine3A, Mat3A, Vec3};

use super::bake::frame_info;
use super::split::{SurfaceTarget, split_surfaces};
use super::{ConvertError, ConvertOptions, Origin, SurfaceLimits, TagOrigin, VertexOrigin, clips, dropped_lods};
use crate::model::{
    Binding, FrameInfo, Joint, JointFrames, JointTransform, Model, Motion, SkeletalMotion, SkeletalTag, Surface,
    Weight, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, sample, sample_joints};

/// Returns the rotations of the joints in a frame, for a model without bind pose. In this frame, all weights of a vertex
/// then have the same normal in model space; the model's own are for the first weight only.
fn bind_at(model: &Model, frame: u32, bindings: &mut [Binding]) -> Vec<Mat3A> {
    let mut pose = Pose::default();
    sample_joints(model, FrameBlend::single(frame), &mut pose);
    let bind: Vec<Mat3A> = pose.joints.iter().map(|joint| joint.matrix3).collect();
    let turn = |weight: &Weight| bind.get(weight.joint as usize).copied().unwrap_or(Mat3A::IDENTITY);
    for Binding { vertices, weights, .. } in bindings {
        for (first, count) in &*vertices {
            let own = weights.get_mut(*first as usize..*first as usize + *count as usize).unwrap_or_default();
            let normal = own.first().map_or(Vec3::Z, |first| (turn(first) * first.normal).normalize_or(Vec3::Z));
            own.iter_mut().for_each(|weight| weight.normal = turn(weight).transpose() * normal);
        }
    }
    bind
}

pub(super) struct Skeleton {
    pub names: Vec<String>,
    /// Parent of each joint. A tag that becomes a joint follows the joint that moved it.
    pub parents: Vec<Option<u32>>,
    pub bind: Vec<Mat3A>,
    pub surfaces: Vec<Surface>,
    pub bindings: Vec<Binding>,
    pub tags: Vec<(String, u32)>,
    /// Frames of the model to convert.
    pub frames: Vec<u32>,
    pub origin: Origin,
    /// Tags of the model that became joints after its own, in their order.
    tag_joints: Vec<usize>,
    rest: Vec<Affine3A>,
}

impl Skeleton {
    /// Creates the skeleton, and the surfaces of the first `lods` LODs, which are split at `limits`.
    pub fn from_model(
        model: &Model,
        options: &ConvertOptions,
        limits: SurfaceLimits,
        lods: u32,
        losses: &mut Vec<String>,
    ) -> Result<Self, ConvertError> {
        let mut skeleton = Self::unsplit(model, options, losses)?;
        skeleton.split(model, options, limits, lods, losses);
        Ok(skeleton)
    }

    /// Creates the skeleton, and a binding for each surface of the model.
    pub fn unsplit(model: &Model, options: &ConvertOptions, losses: &mut Vec<String>) -> Result<Self, ConvertError> {
        let frames = clips::frames(model, options);
        let has_own_tags = options.format.traits().tags.is_apart_from_joints();
        let mut skeleton = match (model.motion(), frames.as_slice()) {
            (Motion::Skeletal(motion), frames) => {
                Self::of_joints(model, motion, frames.first().copied().unwrap_or(0), has_own_tags)
            }
            (Motion::Morph(_), [frame]) => Self::of_frame(model, *frame, has_own_tags),
            (Motion::Morph(_), _) => {
                return Err(ConvertError::NeedsSkeleton(format!(
                    "{} needs a skeleton, but this model has vertex animation; choose a single frame (--frame F)",
                    options.format.title()
                )));
            }
        };
        if model.joints().is_empty() && matches!(model.motion(), Motion::Skeletal(_)) {
            let name = options.format.title();
            return Err(ConvertError::NeedsSkeleton(format!("{name} needs a skeleton, but this model has no joints")));
        }
        let pairs = model.joints().iter().zip(&skeleton.names).filter(|(joint, name)| joint.name != **name);
        losses.extend(pairs.map(|(joint, name)| {
            format!(
                "the joint “{}” is called “{name}”: the tag of its name has other axes, and is a further joint",
                joint.name
            )
        }));
        skeleton.origin.frames = frames.iter().copied().map(FrameBlend::single).collect();
        skeleton.frames = frames;
        Ok(skeleton)
    }

    /// Adds the surfaces of the first `lods` LODs, which are split at `limits`.
    pub fn split(
        &mut self,
        model: &Model,
        options: &ConvertOptions,
        limits: SurfaceLimits,
        lods: u32,
        losses: &mut Vec<String>,
    ) {
        let joints = options.format.traits().max_surface_joints;
        let target = SurfaceTarget { limits, lods, joints, materials: 1, format: options.format };
        (self.surfaces, self.origin.surfaces) = split_surfaces(model, &self.bindings, &target, losses);
        self.bind_surfaces();
        let coarser = model.lod_count().saturating_sub(lods);
        if coarser > 0 {
            losses.push(dropped_lods(options.format, coarser));
        }
    }

    /// Creates the skeleton of `motion`. Each tag that is not a joint becomes a further joint, unless the target stores
    /// tags apart from joints, and so does a tag that turns unlike its joint.
    fn of_joints(model: &Model, motion: &SkeletalMotion, first: u32, has_own_tags: bool) -> Self {
        let mut names: Vec<String> = motion.joints.iter().map(|joint| joint.name.clone()).collect();
        let mut parents: Vec<Option<u32>> = motion.joints.iter().map(|joint| joint.parent).collect();
        let unbound = |own: &Binding| Binding { bind: Vec::new(), ..own.clone() };
        let mut bindings: Vec<Binding> = motion.bindings.iter().map(unbound).collect();
        let mut bind: Vec<Mat3A> = motion.joints.iter().map(|joint| Mat3A::from_quat(joint.bind.rotation)).collect();
        let angles = motion.tracks.iter().find_map(|track| match &track.frames {
            JointFrames::Angles(angles) => Some(angles),
            _ => None,
        });
        if angles.is_some() {
            bind = bind_at(model, first, &mut bindings);
        }
        let is_turned = |joint: u32| angles.is_some_and(|angles| angles.turns_tag(joint));
        let (mut tags, mut tag_joints) = (Vec::new(), Vec::new());
        for (index, (name, tag)) in model.tags().iter().zip(&motion.tags).enumerate() {
            let joint = match tag {
                SkeletalTag::Joint(joint) if !is_turned(*joint) => *joint,
                SkeletalTag::Offset(..) | SkeletalTag::Triangle(_) if has_own_tags => continue,
                SkeletalTag::Joint(_) | SkeletalTag::Offset(..) | SkeletalTag::Triangle(_) => {
                    tag_joints.push(index);
                    // Games find a tag by its name, so the joint that it follows gets another name.
                    let followed = tag.joint().and_then(|joint| names.get_mut(joint as usize));
                    if let Some(followed) = followed.filter(|followed| *followed == name) {
                        *followed = format!("joint_{name}");
                    }
                    names.push(name.clone());
                    parents.push(tag.joint());
                    bind.push(Mat3A::IDENTITY);
                    u32_or_max(names.len() - 1)
                }
            };
            tags.push((name.clone(), joint));
        }
        let origin = Origin { tags: (0..u32_or_max(tags.len())).map(TagOrigin::Tag).collect(), ..Origin::default() };
        Self {
            names,
            parents,
            bind,
            surfaces: Vec::new(),
            bindings,
            tags,
            frames: Vec::new(),
            origin,
            tag_joints,
            rest: Vec::new(),
        }
    }

    fn of_frame(model: &Model, frame: u32, has_own_tags: bool) -> Self {
        let mut bindings = vec![Binding::default(); model.surfaces().len()];
        let mut pose = Pose::default();
        for lod in (0..model.lod_count()).rev() {
            sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
            for (binding, posed) in
                bindings.iter_mut().zip(&pose.surfaces).filter(|(_, posed)| !posed.positions.is_empty())
            {
                let weight =
                    |(offset, normal): (&Vec3, &Vec3)| Weight { joint: 0, bias: 1.0, offset: *offset, normal: *normal };
                binding.weights = posed.positions.iter().zip(&posed.normals).map(weight).collect();
                binding.vertices = (0_u32..).zip(&binding.weights).map(|(first, _)| (first, 1)).collect();
            }
        }
        let tags = (1_u32..).zip(model.tags()).filter(|_| !has_own_tags);
        let joints = tags.clone().count() + 1;
        Self {
            names: std::iter::once("origin".to_owned()).chain(tags.clone().map(|(_, name)| name.clone())).collect(),
            parents: vec![None; joints],
            bind: vec![Mat3A::IDENTITY; joints],
            surfaces: Vec::new(),
            bindings,
            tags: tags.clone().map(|(joint, name)| (name.clone(), joint)).collect(),
            frames: vec![frame],
            origin: Origin { tags: tags.map(|(joint, _)| TagOrigin::Tag(joint - 1)).collect(), ..Origin::default() },
            tag_joints: Vec::new(),
            rest: std::iter::once(Affine3A::IDENTITY).chain(pose.tags.iter().copied()).collect(),
        }
    }

    /// Calls `take` with the joints of one frame after another. All frames at once would take far more memory than the
    /// result.
    pub fn each_frame<E>(&self, model: &Model, take: impl FnMut(&[Affine3A]) -> Result<(), E>) -> Result<(), E> {
        self.each_of(model, &self.frames, take)
    }

    /// Like [`Self::each_frame`], for some frames of the model.
    pub fn each_of<E>(
        &self,
        model: &Model,
        frames: &[u32],
        mut take: impl FnMut(&[Affine3A]) -> Result<(), E>,
    ) -> Result<(), E> {
        let Motion::Skeletal(_) = model.motion() else { return take(&self.rest) };
        let mut pose = Pose::default();
        frames.iter().try_for_each(|frame| {
            sample_joints(model, FrameBlend::single(*frame), &mut pose);
            let tags = &pose.tags;
            pose.joints.extend(self.tag_joints.iter().filter_map(|tag| tags.get(*tag)));
            take(&pose.joints)
        })
    }

    /// Returns the joints, without bind pose.
    pub fn joints(&self) -> Vec<Joint> {
        let joint = |(name, parent): (&String, &Option<u32>)| Joint {
            name: name.clone(),
            parent: *parent,
            bind: JointTransform::IDENTITY,
            is_added: false,
        };
        self.names.iter().zip(&self.parents).map(joint).collect()
    }

    /// Returns the joint that a tag of the model became.
    pub fn joint_of_tag(&self, model: &Model, tag: usize) -> Option<u32> {
        let place = self.tag_joints.binary_search(&tag).ok()?;
        Some(u32_or_max(model.joints().len() + place))
    }

    /// Replaces the bindings of the model's surfaces by those of the converted ones.
    fn bind_surfaces(&mut self) {
        let own = std::mem::take(&mut self.bindings);
        let bound = |vertices: &Vec<VertexOrigin>| {
            let mut binding = Binding::default();
            for VertexOrigin { surface, vertex } in vertices {
                let Some(own) = own.get(*surface as usize) else { continue };
                binding.bind.extend(own.bind.get(*vertex as usize));
                let vertex = own.vertices.get(*vertex as usize).copied().unwrap_or_default();
                binding.vertices.push((u32_or_max(binding.weights.len()), vertex.1));
                binding.weights.extend_from_slice(own.weights_of(vertex));
            }
            binding
        };
        self.bindings = self.origin.surfaces.iter().map(bound).collect();
    }
    /// Returns the boxes, spheres and names of the frames.
    pub fn frame_infos(&self, model: &Model) -> Vec<FrameInfo> {
        let mut pose = Pose::default();
        let mut bounds = |frame: u32| {
            sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
            pose.bounds
        };
        self.frames.iter().map(|frame| frame_info(model, *frame, || bounds(*frame))).collect()
    }
}
