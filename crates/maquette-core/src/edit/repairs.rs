//! Edits of a model.

use glam::Vec3;

use super::normals;
use super::operation::Call;
use crate::convert::sixty_fourths;
use crate::limits::{MAX_COORDINATE, MAX_POSED_VERTICES};
use crate::model::{
    Bounds, MaterialStorage, Model, ModelParts, Motion, SkeletalTag, TagFrame, TagStorage, TagTrack, is_usable,
};
use crate::pose::{FrameBlend, Pose, Sampling, cost_of_frame, sample};

/// Edit of a model. Elements are identified by their index in the model's lists.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Renames a surface.
    RenameSurface {
        /// Index of the surface.
        surface: usize,
        /// New name.
        name: String,
    },
    /// Sets a material of a surface.
    SetMaterial {
        /// Index of the surface.
        surface: usize,
        /// Index of the material. An index equal to the number of materials adds one.
        material: usize,
        /// Game path of the material.
        name: String,
    },
    /// Renames a tag.
    RenameTag {
        /// Index of the tag.
        tag: usize,
        /// New name.
        name: String,
    },
    /// Moves a tag in every frame.
    MoveTag {
        /// Index of the tag.
        tag: usize,
        /// Offset in units.
        by: Vec3,
    },
    /// Adds a tag at one position in every frame.
    AddTag {
        /// Name of the tag.
        name: String,
        /// Position; the axes are those of the model.
        at: Vec3,
    },
    /// Removes a tag.
    RemoveTag {
        /// Index of the tag.
        tag: usize,
    },
    /// Renames a frame.
    RenameFrame {
        /// Index of the frame.
        frame: usize,
        /// New name.
        name: String,
    },
    /// Reorders the skins of an MD2.
    ReorderSkins {
        /// Old index of each skin in the new order.
        order: Vec<usize>,
    },
    /// Recomputes all normals from the triangles.
    RecomputeNormals,
    /// Recomputes the box and the radius of every frame.
    RecomputeBounds,
    /// Removes triangles that have no area in any frame.
    DropDegenerateTriangles,
    /// Applies an operation.
    Operation(Call),
}

impl Edit {
    fn takes_all_frames(&self) -> bool {
        matches!(self, Self::RecomputeNormals | Self::RecomputeBounds | Self::DropDegenerateTriangles)
    }
}

/// Applies edits in order. Fails if an element is missing, the format does not support an edit, or it would take too
/// long.
pub fn apply(model: &Model, edits: &[Edit]) -> Result<Model, String> {
    apply_with_notes(model, edits, &mut Vec::new())
}

/// Like [`apply`]. Adds sentences about lost data.
pub fn apply_with_notes(model: &Model, edits: &[Edit], notes: &mut Vec<String>) -> Result<Model, String> {
    if edits.iter().any(Edit::takes_all_frames) {
        check_cost(model)?;
    }
    let mut parts = model.clone().into_parts();
    for edit in edits {
        parts = apply_one(parts, edit, notes)?;
    }
    whole(parts)
}

fn apply_one(mut parts: ModelParts, edit: &Edit, notes: &mut Vec<String>) -> Result<ModelParts, String> {
    match edit {
        Edit::RenameSurface { surface, name } => {
            let found = parts.surfaces.get_mut(*surface).ok_or_else(|| missing("surface", *surface))?;
            found.name.clone_from(name);
        }
        Edit::SetMaterial { surface, material, name } => set_material(&mut parts, *surface, *material, name)?,
        Edit::RenameTag { tag, name } => {
            refuse_known_tag(&parts, name, Some(*tag))?;
            let found = parts.tags.get_mut(*tag).ok_or_else(|| missing("tag", *tag))?;
            found.clone_from(name);
            name_joint(&mut parts, *tag);
        }
        Edit::RenameFrame { frame, name } => {
            let found = parts.frames.get_mut(*frame).ok_or_else(|| missing("frame", *frame))?;
            found.name.clone_from(name);
        }
        Edit::MoveTag { tag, by } => move_tag(&mut parts, *tag, *by)?,
        Edit::AddTag { name, at } => add_tag(&mut parts, name, *at)?,
        Edit::RemoveTag { tag } => remove_tag(&mut parts, *tag)?,
        Edit::ReorderSkins { order } => reorder_skins(&mut parts, order)?,
        Edit::RecomputeNormals => recompute_normals(&mut parts)?,
        Edit::RecomputeBounds => return recompute_bounds(parts),
        Edit::DropDegenerateTriangles => return drop_degenerate(parts),
        Edit::Operation(call) => return call.apply(&whole(parts)?, notes),
    }
    Ok(parts)
}

/// Refuses edits that would take minutes. Frames may share vertices, so a small file can have many of them.
pub(super) fn check_cost(model: &Model) -> Result<(), String> {
    let frames = model.frames().len();
    check_frames(model, frames).map_err(|_| format!("the model has too many frames to be recomputed ({frames})"))
}

/// Refuses more frames of a model than can be posed.
pub(super) fn check_frames(model: &Model, frames: usize) -> Result<(), String> {
    let triangles: usize = model.surfaces().iter().map(|surface| surface.triangles.len()).sum();
    if frames.saturating_mul(cost_of_frame(model) + triangles) > MAX_POSED_VERTICES {
        return Err(format!("{frames} frames of this model would be too large"));
    }
    Ok(())
}

fn missing(what: &str, index: usize) -> String {
    format!("no {what} {index}")
}

fn set_material(parts: &mut ModelParts, surface: usize, material: usize, name: &str) -> Result<(), String> {
    let found = parts.surfaces.get_mut(surface).ok_or_else(|| missing("surface", surface))?;
    if material == found.materials.len() {
        found.materials.push(String::new());
    }
    let known = found.materials.get_mut(material).ok_or_else(|| missing("material", material))?;
    name.clone_into(known);
    if parts.format.traits().materials == MaterialStorage::Skins {
        parts.skins.clone_from(&found.materials);
    }
    Ok(())
}

/// Renames the bone of a tag, because MDR bones have the names of their tags.
fn name_joint(parts: &mut ModelParts, tag: usize) {
    let Motion::Skeletal(skeletal) = &mut parts.motion else { return };
    let joint =
        skeletal.tags.get(tag).and_then(SkeletalTag::joint).and_then(|joint| skeletal.joints.get_mut(joint as usize));
    if let (Some(joint), Some(name)) = (joint, parts.tags.get(tag)) {
        joint.name.clone_from(name);
    }
}

const ON_BONES: &str = "the tags are bones; they can be renamed, but not moved, added or removed";

/// Returns a position as numbers of an MDC tag.
fn packed(position: Vec3) -> Result<[i16; 3], String> {
    sixty_fourths(position).ok_or_else(|| "the tag would be more than 512 units from the origin".to_owned())
}

fn move_tag(parts: &mut ModelParts, tag: usize, by: Vec3) -> Result<(), String> {
    let count = parts.tags.len();
    if tag >= count {
        return Err(missing("tag", tag));
    }
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
    Ok(())
}

fn within_reach(position: Vec3) -> Result<Vec3, String> {
    let is_reached = position.to_array().into_iter().all(is_usable);
    is_reached.then_some(position).ok_or_else(|| format!("a tag must be within {MAX_COORDINATE} units of the origin"))
}

/// Refuses the name of a tag other than `renamed`. Games find a tag by its name, ignoring case.
fn refuse_known_tag(parts: &ModelParts, name: &str, renamed: Option<usize>) -> Result<(), String> {
    let mut others = parts.tags.iter().enumerate().filter(|(index, _)| Some(*index) != renamed);
    if others.any(|(_, tag)| tag.eq_ignore_ascii_case(name)) {
        return Err(format!("the model already has a tag “{name}”"));
    }
    Ok(())
}

fn add_tag(parts: &mut ModelParts, name: &str, at: Vec3) -> Result<(), String> {
    refuse_known_tag(parts, name, None)?;
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
        Motion::Skeletal(_) => return Err(ON_BONES.to_owned()),
    }
    parts.tags.push(name.to_owned());
    Ok(())
}

fn with_one_more<T: Copy>(tags: &[T], count: usize, frames: usize, new: T) -> Vec<T> {
    let of_frame = |frame: usize| tags.get(frame * count..(frame + 1) * count).unwrap_or_default();
    (0..frames).flat_map(|frame| of_frame(frame).iter().copied().chain(std::iter::once(new))).collect()
}

fn remove_tag(parts: &mut ModelParts, tag: usize) -> Result<(), String> {
    let count = parts.tags.len();
    if tag >= count {
        return Err(missing("tag", tag));
    }
    match &mut parts.motion {
        Motion::Morph(morph) => match &mut morph.tags {
            TagTrack::Axes(tags) => without(tags, count, tag),
            TagTrack::Angles(tags) => without(tags, count, tag),
        },
        Motion::Skeletal(_) => return Err(ON_BONES.to_owned()),
    }
    parts.tags.remove(tag);
    Ok(())
}

fn without<T>(tags: &mut Vec<T>, count: usize, tag: usize) {
    let mut index = 0;
    tags.retain(|_| {
        index += 1;
        (index - 1) % count != tag
    });
}

fn reorder_skins(parts: &mut ModelParts, order: &[usize]) -> Result<(), String> {
    let mut sorted = order.to_vec();
    sorted.sort_unstable();
    if sorted.into_iter().ne(0..parts.skins.len()) {
        return Err(format!("expected each of the {} skins once", parts.skins.len()));
    }
    parts.skins = order.iter().filter_map(|skin| parts.skins.get(*skin).cloned()).collect();
    for surface in &mut parts.surfaces {
        surface.materials.clone_from(&parts.skins);
    }
    Ok(())
}

fn recompute_normals(parts: &mut ModelParts) -> Result<(), String> {
    match &mut parts.motion {
        Motion::Morph(morph) => {
            for (surface, track) in parts.surfaces.iter().zip(&mut morph.surfaces) {
                normals::recompute(surface, track);
            }
            Ok(())
        }
        Motion::Skeletal(_) => Err("normals of a skeletal model cannot be recomputed".to_owned()),
    }
}

/// Recomputes the bounds and radius of each frame, and keeps its origin. The radius is the distance from the origin to
/// the furthest vertex of the finest LOD.
fn recompute_bounds(parts: ModelParts) -> Result<ModelParts, String> {
    if !parts.format.traits().bounds_frames {
        return Err(format!("{} files store no bounds", parts.format));
    }
    with_new_bounds(parts)
}

/// Recomputes the stored bounds of frames like [`recompute_bounds`], if there are any.
pub(super) fn with_new_bounds(parts: ModelParts) -> Result<ModelParts, String> {
    let has_radius = parts.data.seams.is_some();
    if parts.frames.iter().all(|frame| frame.bounds.is_none()) && !has_radius {
        return Ok(parts);
    }
    let model = whole(parts)?;
    check_cost(&model)?;
    let mut pose = Pose::default();
    let mut boxes = Vec::with_capacity(model.frames().len());
    for (index, frame) in (0_u32..).zip(model.frames()) {
        sample(&model, &Sampling::at(FrameBlend::single(index)), &mut pose);
        let positions = || pose.surfaces.iter().flat_map(|surface| &surface.positions);
        let origin = if has_radius { Vec3::ZERO } else { frame.origin };
        let radius = positions().map(|position| position.distance(origin)).fold(0.0, f32::max);
        boxes.push((Bounds::from_points(positions().copied()), radius));
    }
    let mut parts = model.into_parts();
    if has_radius {
        // The radius of an MDL contains all frames.
        parts.data.radius = boxes.iter().map(|(_, radius)| *radius).fold(parts.data.radius, f32::max);
    }
    let boxes = boxes.into_iter().filter(|_| parts.format.traits().bounds_frames);
    for (frame, (bounds, radius)) in parts.frames.iter_mut().zip(boxes).filter(|(_, (bounds, _))| !bounds.is_empty()) {
        frame.bounds = Some(bounds);
        frame.radius = radius;
    }
    Ok(parts)
}

fn drop_degenerate(parts: ModelParts) -> Result<ModelParts, String> {
    let model = whole(parts)?;
    let mut has_area: Vec<Vec<bool>> =
        model.surfaces().iter().map(|surface| vec![false; surface.triangles.len()]).collect();
    let mut pose = Pose::default();
    for lod in 0..model.lod_count() {
        for frame in (0_u32..).take(model.frames().len()) {
            sample(&model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
            for ((surface, posed), has_area) in model.surfaces().iter().zip(&pose.surfaces).zip(&mut has_area) {
                for (triangle, has_area) in surface.triangles.iter().zip(has_area).filter(|(_, known)| !**known) {
                    let at = |corner: u32| posed.positions.get(corner as usize).copied();
                    let [a, b, c] = triangle.map(at);
                    *has_area = matches!((a, b, c), (Some(a), Some(b), Some(c)) if (c - a).cross(b - a) != Vec3::ZERO);
                }
            }
        }
    }
    let mut parts = model.into_parts();
    for (surface, has_area) in parts.surfaces.iter_mut().zip(has_area) {
        let mut has_area = has_area.into_iter();
        surface.triangles.retain(|_| has_area.next().unwrap_or(true));
    }
    // Drop the stored GL commands; the writer rebuilds them from the triangles.
    parts.data.gl_commands = None;
    Ok(parts)
}

fn whole(parts: ModelParts) -> Result<Model, String> {
    Model::new(parts).map_err(|error| error.to_string())
}
