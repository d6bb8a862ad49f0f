//! Validation of [`super::Model`]: all indices are in range, and the lengths of all lists agree.
//!
//! Loaders drop or repair invalid data. A failure here means a bug in a loader or a file beyond repair, and is reported
//! as an error.

use super::number::{is_usable, u32_or_max};
use super::packed_normal::are_in_table;
use super::{
    Binding, BoneAngles, BonePool, Clip, Joint, JointFrames, JointTrack, ModelParts, MorphMotion, MorphTrack, Motion,
    PackedVertices, Pixels, SkeletalMotion, SkeletalTag, SkeletonFile, Surface,
};
use crate::error::{FilePosition, LoadError, Reason};

pub(super) fn check(parts: &ModelParts) -> Result<(), LoadError> {
    let format = parts.format.name();
    inner(parts).map_err(|error| LoadError { format, ..error })
}

fn inner(parts: &ModelParts) -> Result<(), LoadError> {
    require(!parts.frames.is_empty(), "frames", "the model has no frames")?;
    let frame_count = parts.frames.len();
    for clip in parts.clips.iter().chain(&parts.alternative_clips) {
        check_clip(clip, frame_count)?;
    }
    for (index, surface) in parts.surfaces.iter().enumerate() {
        check_surface(surface).map_err(|error| error.within(&format!("surface {index} “{}”", surface.name)))?;
    }
    for skin in &parts.data.embedded_skins {
        let is_whole = !skin.images.is_empty() && skin.pixels().all(Pixels::is_whole);
        require(is_whole, &format!("skin “{}”", skin.name), "the pixels do not have the size of the image")?;
    }
    match &parts.motion {
        Motion::Morph(morph) => check_morph(parts, morph),
        Motion::Skeletal(skeletal) => check_skeletal(parts, skeletal),
    }
}

fn require(holds: bool, field: &str, why: &str) -> Result<(), LoadError> {
    if holds { Ok(()) } else { Err(LoadError::new("", field, FilePosition::Whole, Reason::Broken(why.to_owned()))) }
}

fn are_below(indices: &[u32], count: usize) -> bool {
    indices.iter().fold(0, |last, index| last.max(*index)) < u32_or_max(count) || indices.is_empty()
}

pub(super) fn check_clip(clip: &Clip, frame_count: usize) -> Result<(), LoadError> {
    let inside = clip.count > 0 && clip.first as usize + clip.count as usize <= frame_count;
    require(inside, &format!("clip “{}”", clip.name), "some frames of the clip are outside the model")?;
    require(
        clip.loop_frames <= clip.count,
        &format!("clip “{}”", clip.name),
        "the loop has more frames than the clip",
    )?;
    let times = clip.end_times.as_slice();
    let are_in_order = times.is_sorted_by(|a, b| a < b) && times.iter().all(|time| is_usable(*time) && *time > 0.0);
    require(
        times.is_empty() || times.len() == clip.count as usize && are_in_order,
        &format!("clip “{}”", clip.name),
        "the end times of the frames do not increase",
    )?;
    let rate = clip.frames_per_second;
    require(rate.is_finite() && rate > 0.0, &format!("clip “{}”", clip.name), "the rate is not a positive number")
}

fn check_surface(surface: &Surface) -> Result<(), LoadError> {
    let vertices = surface.vertex_count();
    require(
        are_below(surface.triangles.as_flattened(), vertices),
        "triangles",
        "a triangle names a vertex that does not exist",
    )
}

fn check_morph(parts: &ModelParts, morph: &MorphMotion) -> Result<(), LoadError> {
    require(
        morph.surfaces.len() == parts.surfaces.len(),
        "surfaces",
        "the number of vertex tracks differs from the number of surfaces",
    )?;
    for (surface, track) in parts.surfaces.iter().zip(&morph.surfaces) {
        check_track_of(surface, track).map_err(|error| error.within(&format!("surface “{}”", surface.name)))?;
    }
    require(morph.tags.len() == parts.tags.len() * parts.frames.len(), "tags", "a frame does not have every tag")
}

fn check_track_of(surface: &Surface, track: &MorphTrack) -> Result<(), LoadError> {
    let (stored, frames) = (track.stored as usize, track.frame_count as usize);
    require(frames > 0, "frames", "the surface has no frames")?;
    match &track.remap {
        None => {
            require(stored == surface.vertex_count(), "vertices", "positions and texture coordinates differ in number")?
        }
        Some(remap) => {
            require(
                remap.len() == surface.vertex_count(),
                "vertices",
                "the vertex map and the vertices differ in number",
            )?;
            require(are_below(remap, stored), "vertices", "the vertex map names a vertex that does not exist")?;
        }
    }
    match &track.vertices {
        PackedVertices::Bytes { frames: scales, vertices } => {
            require(scales.len() == frames && vertices.len() == frames * stored, "frames", "a frame is not complete")?;
            require(are_in_table(vertices), "frames", "a normal is not in the table")
        }
        PackedVertices::Shorts(vertices) => {
            require(vertices.len() == frames * stored, "frames", "a frame is not complete")
        }
        PackedVertices::Floats(vertices) => {
            require(vertices.len() == frames * stored, "frames", "a frame is not complete")
        }
        PackedVertices::KeyDeltas { keys, deltas, frames: table } => {
            require(table.len() == frames, "frames", "the frame table and the frames differ in number")?;
            let inside = table.iter().all(|frame| {
                (usize::from(frame.key) + 1) * stored <= keys.len()
                    && frame.delta.is_none_or(|delta| (usize::from(delta) + 1) * stored <= deltas.len())
            });
            require(inside, "frames", "a frame uses vertices that do not exist")
        }
    }
}

fn check_skeletal(parts: &ModelParts, skeletal: &SkeletalMotion) -> Result<(), LoadError> {
    let joints = skeletal.joints.len();
    check_parents(&skeletal.joints)?;
    require(
        skeletal.bindings.len() == parts.surfaces.len(),
        "surfaces",
        "the weights and the surfaces differ in number",
    )?;
    for (surface, binding) in parts.surfaces.iter().zip(&skeletal.bindings) {
        check_binding(surface, binding).map_err(|error| error.within(&format!("surface “{}”", surface.name)))?;
    }
    require(skeletal.tags.len() == parts.tags.len(), "tags", "the tags and their joints differ in number")?;
    check_uses(skeletal, joints)?;
    for (name, tag) in parts.tags.iter().zip(&skeletal.tags) {
        check_tag(tag).map_err(|error| error.within(&format!("tag “{name}”")))?;
    }
    let mut next = 0;
    for track in &skeletal.tracks {
        require(track.first == next, "frames", "there is a gap between two tracks")?;
        check_track(track, joints)?;
        next = track.first.saturating_add(track.frame_count);
    }
    require(next as usize == parts.frames.len(), "frames", "the tracks do not cover all frames")
}

fn check_parents(joints: &[Joint]) -> Result<(), LoadError> {
    let parents_first = |(index, parent): (usize, Option<u32>)| parent.is_none_or(|parent| (parent as usize) < index);
    let ordered = joints.iter().map(|joint| joint.parent).enumerate().all(parents_first);
    require(ordered, "joints", "a joint comes before its parent")
}

/// Checks a skeleton for a model that has none.
pub(super) fn check_skeleton(skeletal: &SkeletalMotion, skeleton: &SkeletonFile) -> Result<(), LoadError> {
    let SkeletonFile { joints, joint_of_bone } = skeleton;
    require(skeletal.joints.is_empty(), "joints", "the model already has joints")?;
    check_parents(joints)?;
    require(are_below(joint_of_bone, joints.len()), "joints", "a bone has no joint")?;
    check_uses(skeletal, joint_of_bone.len())
}

/// Checks the joints of weights and tags. Without joints, they refer to those of a skeleton that is not loaded.
fn check_uses(skeletal: &SkeletalMotion, joints: usize) -> Result<(), LoadError> {
    let triangles = skeletal.tags.iter().filter_map(|tag| match tag {
        SkeletalTag::Triangle(binding) => Some(binding),
        SkeletalTag::Joint(_) | SkeletalTag::Offset(..) => None,
    });
    let mut weights = skeletal.bindings.iter().chain(triangles).flat_map(|binding| &binding.weights);
    let known = joints == 0 || weights.all(|weight| (weight.joint as usize) < joints);
    require(known, "weights", "a weight names a joint that does not exist")?;
    let known = skeletal.tags.iter().all(|tag| match tag {
        SkeletalTag::Joint(joint) => (*joint as usize) < joints,
        SkeletalTag::Offset(joint, _) => joints == 0 || (*joint as usize) < joints,
        SkeletalTag::Triangle(_) => true,
    });
    require(known, "tags", "a tag names a joint that does not exist")
}

fn check_tag(tag: &SkeletalTag) -> Result<(), LoadError> {
    let SkeletalTag::Triangle(binding) = tag else { return Ok(()) };
    require(binding.vertices.len() == 3, "vertices", "the tag does not have three vertices")?;
    check_weights(binding)
}

fn check_binding(surface: &Surface, binding: &Binding) -> Result<(), LoadError> {
    require(
        binding.vertices.len() == surface.vertex_count(),
        "vertices",
        "the weighted vertices and the vertices differ in number",
    )?;
    let is_bound = binding.bind.is_empty() || binding.bind.len() == binding.vertices.len();
    require(is_bound, "vertices", "the vertices and those of the bind pose differ in number")?;
    check_weights(binding)
}

fn check_weights(binding: &Binding) -> Result<(), LoadError> {
    let weights = binding.weights.len();
    let inside = |(first, count): &(u32, u32)| *first as usize + *count as usize <= weights;
    require(binding.vertices.iter().all(inside), "vertices", "a vertex names a weight that does not exist")
}

pub(super) fn check_track(track: &JointTrack, joints: usize) -> Result<(), LoadError> {
    let frames = track.frame_count as usize;
    require(frames > 0, "frames", "a track has no frames")?;
    match &track.frames {
        JointFrames::Bind => require(frames == 1, "frames", "the bind pose must be exactly one frame"),
        JointFrames::Matrices(matrices) | JointFrames::Relative(matrices) => {
            require(matrices.len() == frames * joints, "frames", "the frames do not have every bone")
        }
        JointFrames::PackedMatrices(matrices) => {
            require(matrices.len() == frames * joints, "frames", "the frames do not have every bone")
        }
        JointFrames::Channels(channels) => {
            let own = channels.joints.len();
            let stride = channels.stride as usize;
            require(channels.components.len() == frames * stride, "frame", "a frame is not complete")?;
            require(
                channels.joint_of_mesh.len() == joints,
                "hierarchy",
                "the matched joints and the joints of the mesh differ in number",
            )?;
            let known = channels.joint_of_mesh.iter().flatten().all(|joint| (*joint as usize) < own);
            require(known, "hierarchy", "a joint is matched to a joint that does not exist")?;
            let sound = channels.joints.iter().enumerate().all(|(index, joint)| {
                joint.parent.is_none_or(|parent| (parent as usize) < index)
                    && joint.first as usize + (joint.flags & 63).count_ones() as usize <= stride
            });
            require(sound, "hierarchy", "a joint names a parent or a component that does not exist")
        }
        JointFrames::Missing => require(frames == 1 && joints == 0, "frames", "a mesh without joints has one frame"),
        JointFrames::Angles(angles) => check_angles(angles, frames, joints),
        JointFrames::Pool(BonePool { indices, bones, stored, .. }) => {
            require(stored.is_empty() || stored.len() == joints, "bones", "the bones and the joints differ in number")?;
            require(indices.len() == frames * joints, "frames", "the frames do not have every bone")?;
            let known = indices.iter().all(|index| (BonePool::number(*index) as usize) < bones.len());
            require(known, "frames", "a frame names a bone that does not exist")
        }
        JointFrames::Local(local) => {
            let (own, stride) = (local.skeleton.bind().len(), local.stride as usize);
            require(own <= joints, "joints", "the bind pose has more joints than the model")?;
            require(local.words.len() == frames * stride, "frames", "a frame is not complete")?;
            let is_animated = local.poses.len() == own;
            require(is_animated || local.poses.is_empty(), "poses", "the poses and the joints differ in number")?;
            let sound = local.poses.iter().all(|pose| pose.first as usize + pose.mask.count_ones() as usize <= stride);
            require(sound, "poses", "a pose names a channel that does not exist")
        }
    }
}

fn check_angles(angles: &BoneAngles, frames: usize, joints: usize) -> Result<(), LoadError> {
    let BoneAngles { bones, order, roots, angles, .. } = angles;
    require(bones.len() == joints, "bones", "the bones of the frames and of the model differ in number")?;
    let is_whole = roots.len() == frames && angles.len() == frames * joints;
    require(is_whole, "frames", "the frames do not have every bone")?;
    let mut placed = vec![false; joints];
    for index in order {
        let bone = bones.get(*index as usize);
        let is_next =
            bone.is_some_and(|bone| bone.parent.is_none_or(|parent| placed.get(parent as usize) == Some(&true)));
        require(is_next, "bones", "a bone is placed before its parent")?;
        if let Some(placed) = placed.get_mut(*index as usize) {
            *placed = true;
        }
    }
    require(order.len() == joints && placed.iter().all(|placed| *placed), "bones", "a bone is not placed exactly once")
}
