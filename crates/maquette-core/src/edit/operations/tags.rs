//! Operations that add, move and remove tags.

use glam::{Affine3A, Vec3};

use super::names::{NAME, lacks_tags, refuse_known_tag, row};
use crate::convert::sixty_fourths;
use crate::edit::operation::{Call, Operation, Parameter, ParameterKind, tag_named};
use crate::limits::MAX_COORDINATE;
use crate::model::{Model, ModelParts, Motion, SkeletalTag, TagFrame, TagStorage, TagTrack, is_usable, u32_or_max};
use crate::pose::{FrameBlend, Pose, sample_joints};

pub(super) const TAG: Parameter = Parameter::new("tag", "Tag", ParameterKind::Tag);

const ON_BONES: &str = "the tags are bones; they can be renamed, but not moved or removed";

fn unstored(model: &Model) -> Option<String> {
    let are_bones = model.format().traits().tags == TagStorage::Bones;
    let why = || format!("Tags of an {} are bones and can only be renamed", model.format().title());
    lacks_tags(model).or_else(|| are_bones.then(why))
}

/// Moves a tag in every frame.
pub const MOVE_TAG: Operation = Operation {
    parameters: &[TAG, Parameter::new("by", "Offset X, Y, Z", ParameterKind::Vector { unit: "units" })],
    unstored,
    apply: |model, call, _| {
        let (tag, by) = (tag_named(model, call.text("tag"))?, call.vector("by").unwrap_or_default());
        let mut parts = model.clone().into_parts();
        let count = parts.tags.len();
        match &mut parts.motion {
            Motion::Morph(morph) => match &mut morph.tags {
                TagTrack::Axes(tags) => {
                    for tag in tags.iter_mut().skip(tag).step_by(count) {
                        tag.origin = within_reach(tag.origin + by)?;
                    }
                }
                TagTrack::Angles(tags) => {
                    for [x, y, z, ..] in tags.iter_mut().skip(tag).step_by(count) {
                        [*x, *y, *z] = packed(Vec3::from_array([*x, *y, *z].map(f32::from)) / 64.0 + by)?;
                    }
                }
            },
            Motion::Skeletal(_) => return Err(ON_BONES.to_owned()),
        }
        Ok(parts)
    },
    ..row("move-tag", "Move tag", "Moves a tag in every frame")
};

/// Returns a position as numbers of an MDC tag.
fn packed(position: Vec3) -> Result<[i16; 3], String> {
    sixty_fourths(position).ok_or_else(|| "the tag would be more than 512 units from the origin".to_owned())
}

fn within_reach(position: Vec3) -> Result<Vec3, String> {
    let is_reached = position.to_array().into_iter().all(is_usable);
    is_reached.then_some(position).ok_or_else(|| format!("a tag must be within {MAX_COORDINATE} units of the origin"))
}

/// Adds a tag at one position in every frame. In a model with joints, the tag follows a joint.
pub const ADD_TAG: Operation = Operation {
    parameters: &[
        NAME,
        Parameter::new("at", "Position X, Y, Z", ParameterKind::Vector { unit: "units" }),
        Parameter::new("joint", "Joint to follow", ParameterKind::Text).or(""),
    ],
    unstored,
    apply: add,
    ..row(
        "add-tag",
        "Add tag",
        "Adds a tag with the axes of the model; it has one position in every frame, or follows a joint from its position \
         in the first frame, by default the first joint of the model",
    )
};

fn add(model: &Model, call: &Call, notes: &mut Vec<String>) -> Result<ModelParts, String> {
    let (name, at) = (call.text("name"), call.vector("at").unwrap_or_default());
    refuse_known_tag(model, name, None)?;
    let mut parts = model.clone().into_parts();
    let (count, frames) = (parts.tags.len(), parts.frames.len());
    match &mut parts.motion {
        Motion::Morph(_) if parts.format.traits().tags == TagStorage::None => {
            return Err(format!("an {} has no tags", parts.format.title()));
        }
        Motion::Morph(morph) => match &mut morph.tags {
            TagTrack::Axes(tags) => {
                let new = TagFrame { origin: within_reach(at)?, axes: [Vec3::X, Vec3::Y, Vec3::Z] };
                *tags = with_one_more(tags, count, frames, new);
            }
            TagTrack::Angles(tags) => {
                let [x, y, z] = packed(at)?;
                *tags = with_one_more(tags, count, frames, [x, y, z, 0, 0, 0]);
            }
        },
        Motion::Skeletal(motion) => {
            let wanted = call.text("joint");
            let is_wanted = |name: &str| wanted.is_empty() || name.eq_ignore_ascii_case(wanted);
            let joint = motion.joints.iter().position(|joint| is_wanted(&joint.name));
            let joint = joint.ok_or_else(|| match wanted {
                "" => "the model has no joints".to_owned(),
                _ => format!("the model has no joint “{wanted}”"),
            })?;
            let mut pose = Pose::default();
            sample_joints(model, FrameBlend::single(0), &mut pose);
            let place = pose.joints.get(joint).copied().unwrap_or_default();
            let offset = place.inverse() * Affine3A::from_translation(within_reach(at)?);
            if !offset.is_finite() {
                return Err("the joint is scaled to nothing in the first frame".to_owned());
            }
            motion.tags.push(SkeletalTag::Offset(u32_or_max(joint), offset));
            let followed = motion.joints.get(joint).map_or("", |joint| &joint.name);
            notes.push(format!("tag “{name}” follows joint “{followed}”"));
        }
    }
    parts.tags.push(name.to_owned());
    Ok(parts)
}

fn with_one_more<T: Copy>(tags: &[T], count: usize, frames: usize, new: T) -> Vec<T> {
    let of_frame = |frame: usize| tags.get(frame * count..(frame + 1) * count).unwrap_or_default();
    (0..frames).flat_map(|frame| of_frame(frame).iter().copied().chain(std::iter::once(new))).collect()
}

/// Removes a tag.
pub const REMOVE_TAG: Operation = Operation {
    parameters: &[TAG],
    unstored,
    apply: |model, call, _| {
        let tag = tag_named(model, call.text("tag"))?;
        let mut parts = model.clone().into_parts();
        let count = parts.tags.len();
        match &mut parts.motion {
            Motion::Morph(morph) => match &mut morph.tags {
                TagTrack::Axes(tags) => without(tags, count, tag),
                TagTrack::Angles(tags) => without(tags, count, tag),
            },
            Motion::Skeletal(_) => return Err(ON_BONES.to_owned()),
        }
        parts.tags.remove(tag);
        Ok(parts)
    },
    ..row("remove-tag", "Remove tag", "Removes a tag")
};

fn without<T>(tags: &mut Vec<T>, count: usize, tag: usize) {
    let mut index = 0;
    tags.retain(|_| {
        index += 1;
        (index - 1) % count != tag
    });
}
