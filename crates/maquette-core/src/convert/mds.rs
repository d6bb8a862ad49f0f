//! Conversion to MDS, and to MDM with an MDX: bones with absolute angles, at fixed distances from their parents.

use std::collections::{HashMap, HashSet};

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::names::{FittedNames, NAME, cut, report_lost_frame_names};
use super::rigid::{Hierarchy, RigidFrames, fold_scales, give_normal_to_first, rigid};
use super::skeleton::Skeleton;
use super::{Conversion, ConvertError, ConvertOptions, TagOrigin, build, clips};
use crate::error::counted;
use crate::model::{
    AngleBone, BoneAngles, Bounds, FormatData, Joint, JointFrames, JointStorage, JointTrack, JointTransform, Model,
    ModelParts, Motion, PackedAngles, SkeletalMotion, SkeletalTag, TagStorage, is_tag_name, parents_first, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, angle_direction, sample};

/// Maximum number of bones that the games can pose (iortcw and ET: Legacy `qfiles.h`, `MDS_MAX_BONES`, `MDX_MAX_BONES`).
const GAME_BONES: usize = 128;
/// Largest deviation of a joint's distance from its parent that counts as rounding in a format that rounds joints: both to
/// 1/64 unit along each axis in a compressed MDR or a GLA, which changes the distance by up to √3/64.
const ROUNDED: f32 = 1.0 / 32.0;
/// Largest such deviation in other formats, as a share of the skeleton's size, and the largest due to the precision of
/// numbers. A step of an angle has about as much effect as the first.
const STEADY: f32 = 1e-4;
const EXACT: f32 = 1e-5;

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let format = options.format.title();
    let mut losses = Vec::new();
    let mut skeleton = Skeleton::unsplit(model, options, &mut losses)?;
    let mut names = FittedNames::new(["tag", "tags"], NAME, model);
    let has_offsets = options.format.traits().tags == TagStorage::Offsets;
    let (tag_names, tags): (Vec<String>, Vec<(u32, Affine3A)>) = if has_offsets {
        skeleton.origin.tags = (0..u32_or_max(model.tags().len())).map(TagOrigin::Tag).collect();
        model.tags().iter().map(|name| names.unique(name)).zip(offset_tags(model, &skeleton)).unzip()
    } else {
        skeleton.tags.iter().map(|(name, joint)| (names.unique(name), (*joint, Affine3A::IDENTITY))).unzip()
    };
    names.report(&mut losses);
    fold_scales(model, &mut skeleton, options.format, &mut losses);
    let hierarchy = Hierarchy::new(model, &mut skeleton, options.format, &mut losses);
    let root = hierarchy.root.clone();
    let mut bones = Bones::new(hierarchy, &tags);
    if !has_offsets {
        bones.separate_tags(&skeleton, &tag_names);
    }
    bones.link(model, &mut skeleton, format, &mut losses);
    root.into_iter().for_each(|root| root.report(&bones.joints, options.format, &mut losses));
    give_normal_to_first(model, &mut skeleton.bindings);
    skeleton.split(model, options, options.limits, 1, &mut losses);
    let frames = RigidFrames::new(model, &skeleton, &skeleton.frames, &bones.sources);
    let mut infos = skeleton.frame_infos(model);
    let lost = format!("{format} stores no frame names");
    report_lost_frame_names(infos.iter().map(|info| info.name.as_str()), &lost, &mut losses);
    infos.iter_mut().for_each(|info| info.name.clear());
    let tag = |(joint, (_, place)): (&u32, &(u32, Affine3A))| match has_offsets {
        true => SkeletalTag::Offset(*joint, *place),
        false => SkeletalTag::Joint(*joint),
    };
    let motion_tags = bones.tags.iter().zip(&tags).map(tag).collect();
    let frame_count = u32_or_max(infos.len());
    let joint_frames = JointFrames::Angles(bones.pack(model, &frames));
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        name: cut(model.name(), NAME, model.data().has_latin1).to_owned(),
        clips: clips::blending(model, &skeleton.frames, options.format.usual_rate()),
        tags: tag_names,
        surfaces: skeleton.surfaces,
        frames: infos,
        motion: Motion::Skeletal(SkeletalMotion {
            joints: bones.joints,
            bindings: skeleton.bindings,
            tracks: vec![JointTrack { first: 0, frame_count, frames: joint_frames }],
            tags: motion_tags,
        }),
        data: FormatData { lod: model.data().lod, ..FormatData::default() },
        ..ModelParts::empty(options.format)
    };
    Ok(Conversion { model: build(parts)?, losses, origin: skeleton.origin })
}

/// Returns the joint of each tag, and the transform from tag space to joint space in the first frame.
fn offset_tags(model: &Model, skeleton: &Skeleton) -> Vec<(u32, Affine3A)> {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(skeleton.frames.first().copied().unwrap_or(0))), &mut pose);
    let Motion::Skeletal(motion) = model.motion() else { return pose.tags.iter().map(|tag| (0, *tag)).collect() };
    let tag = |(index, (tag, posed)): (usize, (&SkeletalTag, &Affine3A))| {
        if let Some(joint) = skeleton.joint_of_tag(model, index) {
            return (joint, Affine3A::IDENTITY);
        }
        let joint = tag.joint().unwrap_or(0);
        let transform = pose.joints.get(joint as usize).copied().unwrap_or_default();
        let in_model = match tag {
            SkeletalTag::Joint(_) => transform,
            SkeletalTag::Offset(_, place) => transform * *place,
            SkeletalTag::Triangle(_) => *posed,
        };
        (joint, Affine3A::from(rigid(&transform).inverse()) * in_model)
    };
    motion.tags.iter().zip(&pose.tags).enumerate().map(tag).collect()
}

/// Bones of the file.
struct Bones {
    joints: Vec<Joint>,
    /// Joint of the skeleton; `None` for an added joint at the origin.
    sources: Vec<Option<u32>>,
    /// Joint of each tag.
    tags: Vec<u32>,
    /// Joints whose axes are those of tags.
    tag_joints: HashSet<u32>,
    distances: Vec<f32>,
    /// Whether a bone is a link, which lets the distance of its child from the parent change.
    are_links: Vec<bool>,
}

impl Bones {
    fn new(Hierarchy { joints, sources, .. }: Hierarchy, tags: &[(u32, Affine3A)]) -> Self {
        let places: HashMap<u32, u32> =
            sources.iter().zip(0..).filter_map(|(source, place)| Some(((*source)?, place))).collect();
        let tags = tags.iter().map(|(joint, _)| places.get(joint).copied().unwrap_or(0)).collect();
        let (tag_joints, distances, are_links) = (HashSet::new(), Vec::new(), Vec::new());
        Self { joints, sources, tags, tag_joints, distances, are_links }
    }

    /// Gives tags on joints with vertices their own joints, because the axes of a tag are the rows of a bone's matrix and not
    /// the columns.
    fn separate_tags(&mut self, skeleton: &Skeleton, names: &[String]) {
        let weights = skeleton.bindings.iter().flat_map(|binding| &binding.weights);
        let used: HashSet<u32> = weights.map(|weight| weight.joint).collect();
        for (tag, name) in self.tags.iter_mut().zip(names) {
            if used.contains(tag) {
                let (parent, at) = (Some(*tag), *tag as usize);
                let joint = Joint { name: name.clone(), parent, bind: JointTransform::IDENTITY, is_added: false };
                self.joints.push(joint);
                self.sources.push(self.sources.get(at).copied().flatten());
                *tag = u32_or_max(self.joints.len() - 1);
            }
            self.tag_joints.insert(*tag);
        }
    }

    /// Computes the distances of the joints from their parents. If a distance changes, a link between both, half as long as
    /// the largest distance, lets the angles change it.
    fn link(&mut self, model: &Model, skeleton: &mut Skeleton, format: &str, losses: &mut Vec<String>) {
        let frames = RigidFrames::new(model, skeleton, &skeleton.frames, &self.sources);
        let frames: Vec<&[JointTransform]> =
            (0..u32_or_max(skeleton.frames.len())).map(|at| frames.frame(at)).collect();
        let size = size(&frames);
        let steady = if is_rounded(model) { ROUNDED } else { STEADY * size };
        let parents = self.joints.iter().map(|joint| joint.parent.map(|parent| parent as usize));
        let (sequence, parents) = match model.format().traits().joints {
            JointStorage::Bones if self.joints.len() <= GAME_BONES => tree(&frames, self.joints.len(), steady),
            _ => ((0..self.joints.len()).collect(), parents.collect::<Vec<_>>()),
        };
        let ranges = parents.iter().enumerate().map(|(joint, parent)| range(&frames, joint, (*parent)?));
        let ranges: Vec<[f32; 2]> = ranges.map(Option::unwrap_or_default).collect();
        let change = |joint: &usize| ranges.get(*joint).map_or(0.0, |[min, max]| (max - min) / 2.0);
        let mut linked: Vec<usize> = (0..ranges.len()).filter(|joint| change(joint) > steady).collect();
        linked.sort_by(|a, b| change(b).total_cmp(&change(a)));
        let rest = linked.split_off(linked.len().min(GAME_BONES.saturating_sub(self.joints.len())));
        report_links(linked.len(), rest.len(), format, losses);
        let small = (0..ranges.len()).map(|joint| change(&joint)).filter(|own| *own > EXACT * size && *own <= steady);
        report_small_changes(&small.map(|own| own / size).collect::<Vec<_>>(), format, losses);
        let linked: HashSet<usize> = linked.into_iter().collect();
        // A link precedes its joint.
        let with_link = |joint| linked.contains(&joint).then_some((joint, true)).into_iter().chain([(joint, false)]);
        let order: Vec<(usize, bool)> = sequence.into_iter().flat_map(with_link).collect();
        let mut places = vec![0; parents.len()];
        for (place, (joint, _)) in order.iter().enumerate().filter(|(_, (_, is_link))| !is_link) {
            places.get_mut(*joint).into_iter().for_each(|own| *own = u32_or_max(place));
        }
        let place = |joint: usize| places.get(joint).copied().unwrap_or(0);
        let bone = |(at, (index, is_link)): (usize, &(usize, bool))| {
            let own = self.joints.get(*index)?;
            let above = parents.get(*index).copied().flatten().map(place);
            let (parent, name) = match (*is_link, linked.contains(index)) {
                (true, _) => (above, format!("{}_link", cut(&own.name, NAME - 5, false))),
                (false, true) => (Some(u32_or_max(at - 1)), own.name.clone()),
                (false, false) => (above, own.name.clone()),
            };
            let [min, max] = ranges.get(*index).copied()?;
            let distance = if linked.contains(index) { max / 2.0 } else { min.midpoint(max) };
            Some((Joint { name, parent, ..own.clone() }, (distance, self.sources.get(*index).copied().flatten())))
        };
        let (joints, fields): (Vec<Joint>, Vec<(f32, Option<u32>)>) = order.iter().enumerate().filter_map(bone).unzip();
        (self.distances, self.sources) = fields.into_iter().unzip();
        self.joints = joints;
        self.are_links = order.iter().map(|(_, is_link)| *is_link).collect();
        self.tag_joints = self.tag_joints.iter().map(|joint| place(*joint as usize)).collect();
        let weights = skeleton.bindings.iter_mut().flat_map(|own| &mut own.weights).map(|weight| &mut weight.joint);
        weights.chain(&mut self.tags).for_each(|joint| *joint = place(*joint as usize));
    }

    /// Returns the share of the torso in each bone, and the bone about which it turns. Without stored shares, the torso is
    /// the first joint called a spine or torso, with all joints below it.
    fn torso(&self, model: &Model) -> (Vec<f32>, u32) {
        let tracks = match model.motion() {
            Motion::Skeletal(motion) => motion.tracks.as_slice(),
            Motion::Morph(_) => &[],
        };
        let stored = tracks.iter().find_map(|track| match &track.frames {
            JointFrames::Angles(angles) => Some(angles),
            _ => None,
        });
        let is_torso = |joint: &Joint| {
            let name = joint.name.to_ascii_lowercase();
            !is_tag_name(&name) && (name.contains("spine") || name.contains("torso"))
        };
        let is_link = |bone: &usize| self.are_links.get(*bone) == Some(&true);
        let named = self.joints.iter().position(is_torso).filter(|_| stored.is_none());
        let mut weights: Vec<f32> = Vec::with_capacity(self.joints.len());
        for (index, (joint, source)) in self.joints.iter().zip(&self.sources).enumerate() {
            let of_parent = joint.parent.and_then(|parent| weights.get(parent as usize)).copied().unwrap_or(0.0);
            let own = source.and_then(|source| stored?.bones.get(source as usize)).map(|bone| bone.torso_weight);
            weights.push(own.unwrap_or(if named == Some(index) { 1.0 } else { of_parent }));
        }
        let is_pivot = |(bone, source): &(usize, &Option<u32>)| {
            source.map(u32::cast_signed) == stored.map(|stored| stored.torso_parent)
                && source.is_some()
                && !is_link(bone)
        };
        let kept = self.sources.iter().enumerate().find(is_pivot).map(|(bone, _)| bone);
        let pivot = kept.or(named.map(|bone| bone + usize::from(is_link(&bone))));
        (weights, pivot.map_or(0, u32_or_max))
    }

    fn pack(&self, model: &Model, frames: &RigidFrames) -> BoneAngles {
        let count = self.joints.len();
        let (mut roots, mut angles) = (Vec::new(), Vec::<PackedAngles>::new());
        let packed = frames.pack(&self.joints, |_, index, own, parent| {
            let before = angles.len().checked_sub(count).and_then(|at| angles.get(at)).copied();
            let is_tag = self.tag_joints.contains(&u32_or_max(index));
            let rows = if is_tag { own.matrix3 } else { own.matrix3.transpose() };
            let [pitch, yaw, roll] = rotation_angles(&rows, before);
            let mut packed = [pitch, yaw, roll, 0, 0, 0];
            let mut translation = own.translation;
            if let Some(parent) = parent {
                let distance = self.distances.get(index).copied().unwrap_or(0.0);
                let way = own.translation - parent.translation;
                let before = before.unwrap_or_default();
                let way = match self.are_links.get(index) {
                    Some(true) => bent(way, distance, angle_direction(before)),
                    _ => way,
                };
                [packed[4], packed[5]] = direction_angles(way).unwrap_or([before[4], before[5]]);
                translation = parent.translation + angle_direction(packed) * distance;
            } else {
                roots.push(Vec3::from(translation));
            }
            angles.push(packed);
            Ok::<_, std::convert::Infallible>(Affine3A { translation, ..own })
        });
        let Ok(()) = packed;
        let parents: Vec<Option<u32>> = self.joints.iter().map(|joint| joint.parent).collect();
        let (torso_weights, torso_parent) = self.torso(model);
        let bone = |(index, parent): (usize, &Option<u32>)| AngleBone {
            parent: *parent,
            distance: self.distances.get(index).copied().unwrap_or(0.0),
            torso_weight: torso_weights.get(index).copied().unwrap_or(0.0),
            is_tag: self.tag_joints.contains(&u32_or_max(index)),
            // Tags on joints with vertices have their own joints.
            has_vertices: false,
        };
        BoneAngles {
            bones: parents.iter().enumerate().map(bone).collect(),
            order: parents_first(&parents),
            roots,
            angles,
            torso_parent: torso_parent.cast_signed(),
        }
    }
}

fn report_links(linked: usize, rest: usize, format: &str, losses: &mut Vec<String>) {
    let fixed = format!("because the distances of {format} are fixed");
    if linked > 0 {
        let joints = counted(
            linked,
            "joint changes its distance from the parent and follows",
            "joints change their distances from the parents and follow",
        );
        losses.push(format!("{joints} further joints called “…_link”, {fixed}"));
    }
    if rest > 0 {
        let joints = counted(
            rest,
            "joint keeps a mean distance from its parent",
            "joints keep mean distances from their parents",
        );
        losses.push(format!("{joints}, {fixed} and games have room for {GAME_BONES} joints"));
    }
}

/// Reports changes of distances that are left out, as shares of the skeleton's size.
fn report_small_changes(changes: &[f32], format: &str, losses: &mut Vec<String>) {
    if let Some(most) = changes.iter().copied().reduce(f32::max) {
        let joints = counted(
            changes.len(),
            "joint changes its distance from the parent",
            "joints change their distances from the parents",
        );
        let percent = 100.0 * most;
        losses
            .push(format!("{joints} by at most {percent:.3} % of the skeleton’s size, which {format} does not store"));
    }
}

/// Returns whether the model's format rounds joints to 1/64 unit.
fn is_rounded(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    let is_packed = |track: &JointTrack| matches!(track.frames, JointFrames::PackedMatrices(_) | JointFrames::Pool(_));
    motion.tracks.iter().any(is_packed)
}

/// Returns the diagonal of the box around all joints in all frames.
fn size(frames: &[&[JointTransform]]) -> f32 {
    let joints = frames.iter().copied().flatten();
    Bounds::from_points(joints.map(|joint| joint.translation)).size().length()
}

/// Returns the smallest and the largest distance of two joints.
fn range(frames: &[&[JointTransform]], joint: usize, other: usize) -> Option<[f32; 2]> {
    let distances =
        frames.iter().filter_map(|frame| Some(frame.get(joint)?.translation.distance(frame.get(other)?.translation)));
    distances.map(|distance| [distance; 2]).reduce(|[min, max], [own, _]| [min.min(own), max.max(own)])
}

/// Returns parents for joints that have none, so that their distances change least, and an order in which they come first.
/// The first joint is the root.
fn tree(frames: &[&[JointTransform]], count: usize, steady: f32) -> (Vec<usize>, Vec<Option<usize>>) {
    let some: Vec<_> = frames.iter().copied().step_by(frames.len() / TREE_FRAMES + 1).collect();
    let (mut sequence, mut parents) = (vec![0], vec![None; count]);
    let mut best = vec![(f32::INFINITY, f32::INFINITY); count];
    let mut left: Vec<usize> = (1..count).collect();
    while let Some(last) = sequence.last().copied().filter(|_| !left.is_empty()) {
        for joint in &left {
            let Some([min, max]) = range(&some, *joint, last) else { continue };
            let own = ((max - min).max(steady), max);
            if let (Some(best), Some(parent)) = (best.get_mut(*joint), parents.get_mut(*joint))
                && own < *best
            {
                (*best, *parent) = (own, Some(last));
            }
        }
        let key = |joint: &usize| best.get(*joint).copied().unwrap_or_default();
        let nearest = (0..left.len()).min_by(|a, b| {
            let [a, b] = [a, b].map(|at| left.get(*at).map(key).unwrap_or_default());
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
        });
        sequence.extend(nearest.map(|at| left.swap_remove(at)));
    }
    (sequence, parents)
}

/// Number of frames by which parents are found, about.
const TREE_FRAMES: usize = 64;

/// Returns an angle in steps of the file.
fn steps(radians: f32) -> i16 {
    ((radians * (32_768.0 / std::f32::consts::PI)).round() as i32) as i16
}

/// Returns pitch, yaw and roll of axes whose columns are forward, left and up. Of equal rotations, returns that nearest to
/// the angles `before`, because games blend each angle.
fn rotation_angles(axes: &Mat3A, before: Option<PackedAngles>) -> [i16; 3] {
    let Mat3A { x_axis: forward, y_axis: left, z_axis: up } = axes;
    let flat = forward.x.hypot(forward.y);
    let pitch = steps((-forward.z).atan2(flat));
    let [.., roll_before, _, _, _] = before.unwrap_or_default();
    let near = if flat > UPRIGHT {
        [pitch, steps(forward.y.atan2(forward.x)), steps(left.z.atan2(up.z))]
    } else if forward.z < 0.0 {
        [pitch, roll_before.wrapping_sub(steps(left.x.atan2(left.y))), roll_before]
    } else {
        [pitch, steps((-left.x).atan2(left.y)).wrapping_sub(roll_before), roll_before]
    };
    let half = i16::MIN;
    let far = [half.wrapping_sub(near[0]), near[1].wrapping_add(half), near[2].wrapping_add(half)];
    let change = |angles: &[i16; 3]| -> u32 {
        let before = before.iter().flatten();
        angles.iter().zip(before).map(|(own, before)| u32::from(own.wrapping_sub(*before).unsigned_abs())).sum()
    };
    if change(&far) < change(&near) { far } else { near }
}

/// Largest length of the horizontal part of a forward axis that points straight up or down.
const UPRIGHT: f32 = 1e-5;

/// Returns pitch and yaw of a way. `None` if it has no direction.
fn direction_angles(way: Vec3A) -> Option<[i16; 2]> {
    let is_usable = way.length_squared() > 1e-12;
    is_usable.then(|| [steps((-way.z).atan2(way.x.hypot(way.y))), steps(way.y.atan2(way.x))])
}

/// Returns the first of two ways of one length that lead along `way` together, on the side of `before`.
fn bent(way: Vec3A, length: f32, before: Vec3A) -> Vec3A {
    let along = way.normalize_or(before.any_orthonormal_vector());
    let side = (before - along * before.dot(along)).normalize_or(along.any_orthonormal_vector());
    let half = way.length() / 2.0;
    along * half + side * (length * length - half * half).max(0.0).sqrt()
}
