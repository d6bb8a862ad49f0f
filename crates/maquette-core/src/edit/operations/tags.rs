//! Operations that add, move and remove tags.

use glam::{Affine3A, Mat3, Vec3};

use super::insert::FILES;
use super::names::{NAME, lacks_tags, refuse_known_tag, row};
use super::transform::{ANGLE, FRAMES, TURN_AXIS, turn};
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach, surfaces_named, tag_named};
use crate::edit::repairs::{check_cost, check_product};
use crate::edit::vertices::{NewTag, decoded, encode_tags, tags};
use crate::inspect::weights;
use crate::limits::MAX_COORDINATE;
use crate::model::{
    Model, ModelParts, MorphMotion, Motion, SkeletalMotion, SkeletalTag, TagFrame, TagStorage, TagTrack, is_usable,
    u32_or_max,
};
use crate::pose::{FrameBlend, Pose, sample_joints};

pub(super) const TAG: Parameter = Parameter::new("tag", "Tag", ParameterKind::Tag);

const ON_BONES: &str = "the tags are bones; they can be renamed, but not moved or removed";

fn why_not_stored(model: &Model) -> Option<String> {
    let name = model.format().title();
    lacks_tags(model).or_else(|| match model.format().traits().tags {
        TagStorage::Joints | TagStorage::Bones => Some(format!("Tags of an {name} are bones and can only be renamed")),
        TagStorage::Offsets => Some(format!("Tags of an {name} follow bones and can only be renamed")),
        TagStorage::Triangles => Some(format!("Tags of a {name} follow bones and can only be renamed")),
        TagStorage::None | TagStorage::Frames => None,
    })
}

/// Returns the tags of all frames, frame after frame.
fn all_tags(model: &Model, motion: &MorphMotion) -> Vec<NewTag> {
    let of_frame = |frame| tags(motion, model.tags().len(), FrameBlend::single(frame));
    (0..u32_or_max(model.frames().len())).flat_map(of_frame).collect()
}

/// Changes a tag in the chosen frames.
fn change_tag(model: &Model, call: &Call, change: impl Fn(&mut TagFrame)) -> Result<ModelParts, String> {
    let tag = tag_named(model, call.text("tag"))?;
    let mut parts = model.clone().into_parts();
    let Motion::Morph(motion) = &mut parts.motion else { return Err(ON_BONES.to_owned()) };
    let mut all = all_tags(model, motion);
    let mut frames = call.frames(model, "frames")?;
    // Ranges and clips may share frames.
    frames.sort_unstable();
    frames.dedup();
    for frame in frames {
        if let Some((tag, _)) = all.get_mut(frame as usize * model.tags().len() + tag) {
            change(tag);
            within_reach(tag.origin)?;
        }
    }
    encode_tags(&mut motion.tags, all)?;
    Ok(parts)
}

/// Moves a tag.
pub const MOVE_TAG: Operation = Operation {
    parameters: &[TAG, Parameter::new("by", "Offset X, Y, Z", ParameterKind::Vector { unit: "units" }), FRAMES],
    why_not_stored,
    apply: |model, call, _| {
        let by = call.vector("by").unwrap_or_default();
        change_tag(model, call, |tag| tag.origin += by)
    },
    ..row("move-tag", "Move tag", "Moves a tag in all frames or in some")
};

/// Group of operations on tags.
pub const TAGS: &str = "Tags";

const fn tag_row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation::plain(TAGS, Reach::Mesh, [name, title, help])
}

/// Turns a tag.
pub(super) const TURN_TAG: Operation = Operation {
    parameters: &[TAG, TURN_AXIS, ANGLE, FRAMES],
    why_not_stored,
    apply: |model, call, _| {
        let turn = turn(call);
        change_tag(model, call, |tag| {
            let [x, y, z] = tag.axes;
            let turned = Mat3::from_cols(x, y, z) * turn;
            tag.axes = [turned.x_axis, turned.y_axis, turned.z_axis];
        })
    },
    ..tag_row("turn-tag", "Turn tag", "Turns a tag about one of its own axes: X is forward, Y is left, Z is up")
};

/// Copies the tags of another model.
pub(super) const COPY_TAGS: Operation = Operation {
    parameters: &[FILES],
    why_not_stored,
    apply: |model, call, _| {
        let [other] = call.models() else { return Err("expected a single model".to_owned()) };
        let (frames, others) = (model.frames().len(), other.frames().len());
        if others != frames && others != 1 {
            return Err(format!("the other model has {others} frames; expected {frames}, or a single one"));
        }
        // A tag costs as much as a vertex.
        check_product(frames, model.tags().len() + other.tags().len())?;
        let mut parts = model.clone().into_parts();
        let (Motion::Morph(motion), Motion::Morph(source)) = (&mut parts.motion, other.motion()) else {
            return Err("tags of models with joints are bones and cannot be copied".to_owned());
        };
        let (own, theirs) = (all_tags(model, motion), all_tags(other, source));
        let place = |name: &String| model.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name));
        let places: Vec<Option<usize>> = other.tags().iter().map(place).collect();
        let mut all = Vec::new();
        for frame in 0..frames {
            let mut of_frame = frame_of(&own, model.tags().len(), frame).to_vec();
            let from = frame_of(&theirs, other.tags().len(), if others == 1 { 0 } else { frame });
            for ((tag, _), place) in from.iter().zip(&places) {
                match place.and_then(|place| of_frame.get_mut(place)) {
                    Some(known) => *known = (*tag, None),
                    None => of_frame.push((*tag, None)),
                }
            }
            all.extend(of_frame);
        }
        encode_tags(&mut motion.tags, all)?;
        for (name, _) in other.tags().iter().zip(&places).filter(|(_, place)| place.is_none()) {
            if parts.tags.iter().any(|tag| tag.eq_ignore_ascii_case(name)) {
                return Err(format!("the other model has two tags “{name}”"));
            }
            parts.tags.push(name.clone());
        }
        Ok(parts)
    },
    ..tag_row("copy-tags", "Copy tags", "Copies the tags of a model with as many frames, or with a single one")
};

fn frame_of<T>(tags: &[T], count: usize, frame: usize) -> &[T] {
    tags.get(frame * count..(frame + 1) * count).unwrap_or_default()
}

fn within_reach(position: Vec3) -> Result<Vec3, String> {
    let is_reached = position.to_array().into_iter().all(is_usable);
    is_reached.then_some(position).ok_or_else(|| format!("a tag must be within {MAX_COORDINATE} units of the origin"))
}

/// Adds a tag. It stays where it is, or follows a vertex or a joint.
pub const ADD_TAG: Operation = Operation {
    parameters: &[
        NAME,
        Parameter::new("at", "Position X, Y, Z", ParameterKind::Vector { unit: "units" }),
        Parameter::new("joint", "Joint to follow", ParameterKind::Text).or(""),
        Parameter::new("vertex", "Vertex to follow, such as head:12", ParameterKind::Text).or(""),
        Parameter::new("frame", "Frame of the position", ParameterKind::Whole { min: 0, max: 1_000_000 }).or("0"),
    ],
    why_not_stored,
    apply: add,
    ..row(
        "add-tag",
        "Add tag",
        "Adds a tag with the axes of the model in a frame; it has one position in every frame, or follows a vertex, or \
         a joint: by default the joint that moves the vertex most, or the first one",
    )
};

fn add(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let (name, at) = (call.text("name"), within_reach(call.vector("at").unwrap_or_default())?);
    refuse_known_tag(model, name, None)?;
    let vertex = vertex_named(model, call.text("vertex"))?;
    let known = call.whole("frame").unwrap_or(0).unsigned_abs();
    if known as usize >= model.frames().len().max(1) {
        return Err(format!("the model has no frame {known}"));
    }
    let mut parts = model.clone().into_parts();
    match &mut parts.motion {
        Motion::Morph(_) if parts.format.traits().tags == TagStorage::None => {
            return Err(format!("an {} has no tags", parts.format.title()));
        }
        Motion::Morph(motion) => {
            check_cost(model)?;
            let path = vertex.map(|vertex| path_of(model, motion, vertex)).unwrap_or_default();
            let to_vertex = path.get(known as usize).map_or(Affine3A::IDENTITY, Affine3A::inverse);
            let mut all = Vec::new();
            for frame in 0..model.frames().len() {
                all.extend(tags(motion, model.tags().len(), FrameBlend::single(u32_or_max(frame))));
                let moved = path.get(frame).map_or(Affine3A::IDENTITY, |place| *place * to_vertex);
                let origin = within_reach(moved.transform_point3(at))?;
                let Mat3 { x_axis, y_axis, z_axis } = moved.matrix3.into();
                all.push((TagFrame { origin, axes: [x_axis, y_axis, z_axis] }, None));
            }
            encode_tags(&mut motion.tags, all)?;
        }
        Motion::Skeletal(motion) => {
            let joint = joint_to_follow(motion, call.text("joint"), vertex)?;
            let mut pose = Pose::default();
            sample_joints(model, FrameBlend::single(known), &mut pose);
            let place = pose.joints.get(joint).copied().unwrap_or_default();
            let offset = place.inverse() * Affine3A::from_translation(at);
            if !offset.is_finite() {
                return Err("the joint is scaled to nothing in the frame".to_owned());
            }
            motion.tags.push(SkeletalTag::Offset(u32_or_max(joint), offset));
            let followed = motion.joints.get(joint).map_or("", |joint| &joint.name);
            notes.results.push(format!("tag “{name}” follows joint “{followed}”"));
        }
    }
    parts.tags.push(name.to_owned());
    Ok(parts)
}

/// Returns the surface and vertex of a text `SURFACE:VERTEX`; `None` of an empty text.
pub(super) fn vertex_named(model: &Model, text: &str) -> Result<Option<(usize, usize)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let (surface, vertex) = text.rsplit_once(':').ok_or("expected a surface and a vertex, such as head:12")?;
    let [surface] = surfaces_named(model, surface)?[..] else {
        return Err(format!("several surfaces are called “{surface}”; give an index, such as #0:{vertex}"));
    };
    let count = model.surfaces().get(surface).map_or(0, |surface| surface.vertex_count());
    let number = vertex.trim().parse().ok().filter(|vertex| *vertex < count);
    let number = number.ok_or_else(|| format!("no vertex “{vertex}”; the surface has {count} vertices"))?;
    Ok(Some((surface, number)))
}

/// Returns the place of a vertex in every frame, turned like the first of its triangles that has an area at first.
fn path_of(model: &Model, motion: &MorphMotion, (surface, vertex): (usize, usize)) -> Vec<Affine3A> {
    let (Some(track), Some(own)) = (motion.surfaces.get(surface), model.surfaces().get(surface)) else {
        return Vec::new();
    };
    let first = decoded(track, 0).positions;
    let has_vertex = |triangle: &&[u32; 3]| triangle.iter().any(|corner| *corner as usize == vertex);
    let triangle = own.triangles.iter().filter(has_vertex).find(|triangle| axes_of(&first, **triangle).is_some());
    let mut axes = Mat3::IDENTITY;
    let place = |frame| {
        let positions = decoded(track, frame).positions;
        // A triangle without an area keeps its direction.
        axes = triangle.and_then(|triangle| axes_of(&positions, *triangle)).unwrap_or(axes);
        Affine3A::from_mat3_translation(axes, positions.get(vertex).copied().unwrap_or_default())
    };
    (0..u32_or_max(model.frames().len())).map(place).collect()
}

fn axes_of(positions: &[Vec3], triangle: [u32; 3]) -> Option<Mat3> {
    let [a, b, c] = triangle.map(|corner| positions.get(corner as usize).copied().unwrap_or_default());
    let (x, z) = ((b - a).try_normalize()?, (b - a).cross(c - a).try_normalize()?);
    Some(Mat3::from_cols(x, z.cross(x), z))
}

fn joint_to_follow(motion: &SkeletalMotion, wanted: &str, vertex: Option<(usize, usize)>) -> Result<usize, String> {
    if let (true, Some((surface, vertex))) = (wanted.is_empty(), vertex) {
        let heaviest = weights(motion, surface, vertex).into_iter().next();
        return heaviest.map(|weight| weight.joint as usize).ok_or_else(|| "no joint moves the vertex".to_owned());
    }
    let is_wanted = |name: &str| wanted.is_empty() || name.eq_ignore_ascii_case(wanted);
    motion.joints.iter().position(|joint| is_wanted(&joint.name)).ok_or_else(|| match wanted {
        "" => "the model has no joints".to_owned(),
        _ => format!("the model has no joint “{wanted}”"),
    })
}

/// Removes a tag.
pub const REMOVE_TAG: Operation = Operation {
    parameters: &[TAG],
    why_not_stored,
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
