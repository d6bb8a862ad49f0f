//! Transforms of a model or of its surfaces.

use std::collections::HashSet;

use glam::{Mat3, Vec3};

use super::mesh::{bits, refine};
use super::operation::{Call, Notes};
use super::vertices::{NewFrame, decoded, encode, encode_tags, pack_in_box, short, tags};
use super::{joints, repairs};
use crate::model::packed_normal::{nearest_table_normal, nearest_zenith_azimuth, table_normal, zenith_azimuth};
use crate::model::{
    Bounds, ByteFrame, JointStorage, Model, ModelParts, MorphTrack, Motion, PackedVertices, TagFrame, TagTrack,
    are_usable, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Scale, then rotation or reflection, then translation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Transform {
    pub scale: Vec3,
    pub turn: Mat3,
    pub by: Vec3,
}

impl Transform {
    pub const IDENTITY: Self = Self { scale: Vec3::ONE, turn: Mat3::IDENTITY, by: Vec3::ZERO };

    pub fn point(&self, point: Vec3) -> Vec3 {
        self.turn * (self.scale * point) + self.by
    }

    fn normal(&self, normal: Vec3) -> Vec3 {
        (self.turn * (normal / self.scale)).normalize_or(normal)
    }

    pub fn is_mirrored(&self) -> bool {
        self.turn.determinant() < 0.0
    }

    fn is_uniform(&self) -> bool {
        self.scale.x == self.scale.y && self.scale.y == self.scale.z
    }

    /// Returns the factor of each axis if no axis is turned towards another.
    fn factors(&self) -> Option<Vec3> {
        let Mat3 { x_axis, y_axis, z_axis } = self.turn;
        let signs = Vec3::new(x_axis.x, y_axis.y, z_axis.z);
        (self.turn == Mat3::from_diagonal(signs)).then(|| signs * self.scale)
    }
}

/// Transforms the surfaces and frames of the model that the call chooses. In frames of all surfaces, tags follow; in
/// the whole model, joints do, too.
pub(super) fn transformed(
    model: &Model,
    call: &Call,
    transform: &Transform,
    notes: &mut Notes,
) -> Result<ModelParts, String> {
    repairs::check_cost(model)?;
    let (mut surfaces, frames) = (call.surfaces(model)?, call.frames(model, "frames")?);
    let vertices = chosen_vertices(model, call)?;
    if let Some((surface, _)) = &vertices {
        surfaces = vec![*surface];
    }
    let mut is_chosen = vec![frames.is_empty(); model.frames().len()];
    for frame in frames {
        is_chosen.get_mut(frame as usize).into_iter().for_each(|own| *own = true);
    }
    let has_all_surfaces = vertices.is_none() && surfaces.len() == model.surfaces().len();
    let is_whole = has_all_surfaces && is_chosen.iter().all(|own| *own);
    let mut parts = model.clone().into_parts();
    let has_one_box = parts.data.seams.is_some();
    let keeps_origin = parts.format.traits().joints == JointStorage::Skeleton;
    match &mut parts.motion {
        Motion::Skeletal(_) if !is_whole => {
            let what = match (has_all_surfaces, &vertices) {
                (true, _) => "frames",
                (_, None) => "surfaces",
                (_, Some(_)) => "vertices",
            };
            return Err(format!("{what} of a model with joints can only be transformed together"));
        }
        Motion::Skeletal(_) if !transform.is_uniform() => {
            return Err("a model with joints can only be scaled equally along all axes".to_owned());
        }
        Motion::Skeletal(motion) => joints::transform(motion, transform)?,
        Motion::Morph(motion) => {
            for (_, track) in motion.surfaces.iter_mut().enumerate().filter(|(index, _)| surfaces.contains(index)) {
                let moved = vertices.as_ref().map(|(_, chosen)| moved_vertices(track, chosen)).unwrap_or_default();
                transform_track(track, [&is_chosen, &moved], has_one_box, transform, notes)?;
            }
            if has_all_surfaces && !parts.tags.is_empty() {
                let of_frame = |(frame, is_chosen): (u32, &bool)| {
                    let own = tags(motion, parts.tags.len(), FrameBlend::single(frame));
                    let change = |(tag, from)| (if *is_chosen { transformed_tag(tag, transform) } else { tag }, from);
                    own.into_iter().map(change).collect::<Vec<_>>()
                };
                let all = (0..).zip(&is_chosen).flat_map(of_frame).collect();
                encode_tags(&mut motion.tags, all)?;
            }
        }
    }
    if transform.is_mirrored() {
        for (_, surface) in parts.surfaces.iter_mut().enumerate().filter(|(index, _)| surfaces.contains(index)) {
            surface.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        }
        parts.data.gl_commands = None;
    }
    if is_whole {
        let largest = transform.scale.max_element();
        parts.data.radius *= largest;
        parts.data.mean_area *= largest * largest;
        parts.data.eye_position = transform.point(parts.data.eye_position);
    }
    let mut is_exact = is_whole && transform.is_uniform() && (!has_one_box || transform.by == Vec3::ZERO);
    for frame in &mut parts.frames {
        if is_whole && !keeps_origin {
            frame.origin = transform.point(frame.origin);
        }
        match (frame.bounds, transform.factors()) {
            (Some(bounds), Some(_)) if is_exact && (!keeps_origin || transform.by == Vec3::ZERO) => {
                frame.bounds =
                    Some(Bounds::from_points([bounds.min, bounds.max].map(|corner| transform.point(corner))));
                frame.radius *= transform.scale.x;
            }
            (Some(_), _) => is_exact = false,
            _ => {}
        }
    }
    within_reach(if is_exact { parts } else { with_chosen_bounds(model, parts, &is_chosen)? })
}

/// Recomputes the bounds of the chosen frames.
fn with_chosen_bounds(model: &Model, parts: ModelParts, is_chosen: &[bool]) -> Result<ModelParts, String> {
    let (before, has_one_box) = (parts.frames.clone(), parts.data.seams.is_some());
    let mut parts = repairs::with_new_bounds(parts)?;
    let (old, new) = (own_boxes(model.motion()), own_boxes(&parts.motion));
    // The bounds of an MD2 are the box in which the vertices of the frame are packed.
    let keeps_box = |frame: usize| !has_one_box && old.get(frame).is_some_and(|own| new.get(frame) == Some(own));
    for (index, ((frame, before), is_chosen)) in parts.frames.iter_mut().zip(before).zip(is_chosen).enumerate() {
        if !is_chosen || keeps_box(index) {
            *frame = before;
        }
    }
    Ok(parts)
}

/// Returns the boxes of the frames of the first surface, if its vertices are bytes.
fn own_boxes(motion: &Motion) -> &[ByteFrame] {
    let Motion::Morph(motion) = motion else { return &[] };
    match motion.surfaces.first() {
        Some(MorphTrack { vertices: PackedVertices::Bytes { frames, .. }, .. }) => frames,
        _ => &[],
    }
}

/// Refuses positions, tags, joints and eyes that loaders would reject.
fn within_reach(parts: ModelParts) -> Result<ModelParts, String> {
    let is_usable = |place: Vec3| are_usable(&place.to_array());
    let mut is_reached = is_usable(parts.data.eye_position);
    if let Motion::Morph(motion) = &parts.motion {
        is_reached &= motion.surfaces.iter().all(|track| match &track.vertices {
            PackedVertices::Floats(vertices) => vertices.iter().all(|vertex| is_usable(vertex.position)),
            PackedVertices::Bytes { frames, .. } => frames
                .iter()
                .all(|frame| is_usable(frame.translate) && is_usable(frame.translate + frame.scale * 255.0)),
            // Positions of 16 bits are within 512 units.
            PackedVertices::Shorts(_) | PackedVertices::KeyDeltas { .. } => true,
        });
        let TagTrack::Axes(tags) = &motion.tags else { return reached(parts, is_reached) };
        is_reached &= tags.iter().all(|tag| is_usable(tag.origin));
        return reached(parts, is_reached);
    }
    let model = Model::new(parts).map_err(|error| error.to_string())?;
    let mut pose = Pose::default();
    for (frame, lod) in (0..model.frames().len()).flat_map(|frame| (0..model.lod_count()).map(move |lod| (frame, lod)))
    {
        sample(&model, &Sampling { lod, ..Sampling::at(FrameBlend::single(u32_or_max(frame))) }, &mut pose);
        let places = pose.tags.iter().chain(&pose.joints).map(|place| Vec3::from(place.translation));
        let positions = pose.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        is_reached &= places.chain(positions).all(is_usable);
    }
    reached(model.into_parts(), is_reached)
}

fn reached(parts: ModelParts, is_reached: bool) -> Result<ModelParts, String> {
    is_reached.then_some(parts).ok_or_else(|| "the model would be too far from the origin".to_owned())
}

fn transformed_tag(tag: TagFrame, transform: &Transform) -> TagFrame {
    let [forward, left, up] = tag.axes.map(|axis| transform.turn * axis);
    // A mirrored tag keeps a rotation, so that models at the tag are not mirrored.
    let left = if transform.is_mirrored() { -left } else { left };
    TagFrame { origin: transform.point(tag.origin), axes: [forward, left, up] }
}

/// Returns the surface of the parameter `vertices`, and whether each of its vertices is chosen; `None` if all are.
fn chosen_vertices(model: &Model, call: &Call) -> Result<Option<(usize, Vec<bool>)>, String> {
    if matches!(call.text("vertices"), "" | "all") {
        return Ok(None);
    }
    let surface = call.one_surface(model)?;
    let count = model.surfaces().get(surface).map_or(0, |surface| surface.vertex_count());
    Ok(call.indices("vertices", count)?.map(|chosen| (surface, chosen)))
}

/// Returns whether each stored vertex moves with the chosen vertices of its surface: vertices at one position in all
/// frames stay together.
fn moved_vertices(track: &MorphTrack, chosen: &[bool]) -> Vec<bool> {
    let mut classes = vec![0; track.stored as usize];
    for frame in 0..track.frame_count {
        refine(&mut classes, decoded(track, frame).positions.into_iter().map(bits));
    }
    let stored = |vertex: usize| match &track.remap {
        Some(remap) => remap.get(vertex).map_or(vertex, |own| *own as usize),
        None => vertex,
    };
    let chosen = chosen.iter().enumerate().filter(|(_, is_chosen)| **is_chosen).map(|(vertex, _)| stored(vertex));
    let moved: HashSet<u32> = chosen.filter_map(|vertex| classes.get(vertex).copied()).collect();
    classes.iter().map(|class| moved.contains(class)).collect()
}

/// Transforms the chosen frames of a surface, and in them the moved stored vertices, or all if the second list is empty.
fn transform_track(
    track: &mut MorphTrack,
    [is_chosen, is_moved]: [&[bool]; 2],
    has_one_box: bool,
    transform: &Transform,
    notes: &mut Notes,
) -> Result<(), String> {
    let keeps_normals = transform.turn == Mat3::IDENTITY && transform.is_uniform();
    let stored = track.stored as usize;
    let is_partial = is_chosen.contains(&false);
    let moves = |vertex: usize| is_moved.get(vertex).is_none_or(|own| *own);
    match &mut track.vertices {
        PackedVertices::Shorts(vertices) => {
            let frames = vertices.chunks_exact_mut(stored.max(1)).zip(is_chosen).filter(|(_, is_chosen)| **is_chosen);
            for (_, vertex) in frames.flat_map(|(own, _)| own.iter_mut().enumerate()).filter(|(at, _)| moves(*at)) {
                let position = Vec3::from_array(vertex.position.map(f32::from)) / 64.0;
                let normal = match keeps_normals {
                    true => vertex.normal,
                    false => nearest_zenith_azimuth(transform.normal(zenith_azimuth(vertex.normal))),
                };
                *vertex = short(transform.point(position), normal)?;
            }
            return Ok(());
        }
        PackedVertices::Bytes { frames, vertices }
            if is_moved.is_empty()
                && (keeps_normals && !(has_one_box && is_partial) || mirrors_only(transform) && !is_partial) =>
        {
            let factors = transform.factors().unwrap_or(Vec3::ONE);
            for (frame, _) in frames.iter_mut().zip(is_chosen).filter(|(_, is_chosen)| **is_chosen) {
                // Byte 255 of a mirrored axis becomes byte 0.
                let end = Vec3::select(factors.cmplt(Vec3::ZERO), frame.scale * 255.0, Vec3::ZERO);
                frame.translate = (frame.translate + end) * factors + transform.by;
                frame.scale *= factors.abs();
                if !are_usable(&frame.translate.to_array()) {
                    return Err("the model would be too far from the origin".to_owned());
                }
            }
            for vertex in vertices.iter_mut().filter(|_| !keeps_normals) {
                let normal = transform.normal(table_normal(vertex[3]));
                for (byte, factor) in vertex.iter_mut().zip(factors.to_array()) {
                    *byte = if factor < 0.0 { 255 - *byte } else { *byte };
                }
                vertex[3] = nearest_table_normal(normal);
            }
            return Ok(());
        }
        _ => {}
    }
    let mut frames = Vec::new();
    for (frame, is_chosen) in (0..track.frame_count).zip(is_chosen) {
        if !is_chosen {
            frames.push(NewFrame::Kept(frame));
            continue;
        }
        let mut posed = decoded(track, frame);
        let vertices = posed.positions.iter_mut().zip(&mut posed.normals).enumerate();
        for (_, (position, normal)) in vertices.filter(|(vertex, _)| moves(*vertex)) {
            (*position, *normal) = (transform.point(*position), transform.normal(*normal));
        }
        let is_packed = pack_in_box(track, frame, &posed, is_moved);
        frames.push(if is_packed { NewFrame::Kept(frame) } else { NewFrame::Made(posed) });
    }
    encode(track, has_one_box, frames, notes)
}

fn mirrors_only(transform: &Transform) -> bool {
    transform.scale == Vec3::ONE && transform.factors().is_some()
}
