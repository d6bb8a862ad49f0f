//! Links between the fields of a file and the parts of a model.
//!
//! A field is identified by parts, outermost first: surface 2, vertex 531 of all its frames.

use maquette_core::bytes::{Part, PartKind};
use maquette_core::inspect::Selection;
use maquette_core::model::{FrameNumbering, JointFrames, Model, Motion, PackedVertices, Surface};

/// The part of a model that a field describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The part of the model; [`Selection::None`] for a frame as a whole.
    pub target: Selection,
    /// Index of the frame; `None` if the field applies to all frames.
    pub frame: Option<usize>,
}

/// Returns the part of the model that a field describes; `None` if the field is about the file as a whole.
pub fn target(model: &Model, parts: &[Part]) -> Option<Link> {
    let (outer, inner) = (*parts.first()?, parts.get(1).copied());
    let index = outer.index();
    let in_all = |target: Selection| Some(Link { target, frame: None });
    match outer.kind {
        PartKind::Surface => {
            model.surfaces().get(index)?;
            let inner = inner.and_then(|inner| in_surface(model, index, inner));
            inner.or_else(|| in_all(Selection::Surface(index)))
        }
        PartKind::Frame => {
            let frame = Some(index).filter(|frame| *frame < model.frames().len())?;
            let target = match inner {
                Some(vertex) if vertex.kind == PartKind::StoredVertex => vertex_showing(model, vertex.index())?,
                Some(joint) if joint.kind == PartKind::Joint => Selection::Joint(joint.index()),
                _ => Selection::None,
            };
            Some(Link { target, frame: Some(frame) })
        }
        PartKind::FrameTag => {
            let (tag, frame) = (index.checked_rem(model.tags().len())?, index / model.tags().len());
            (frame < model.frames().len()).then_some(Link { target: Selection::Tag(tag), frame: Some(frame) })
        }
        PartKind::Tag => in_all(Selection::Tag(index)),
        PartKind::Joint => in_all(Selection::Joint(index)).filter(|_| index < model.joints().len()),
        PartKind::Triangle => in_surface(model, 0, outer),
        PartKind::Skin => in_all(Selection::Surface(0)).filter(|_| !model.surfaces().is_empty()),
        _ => None,
    }
}

fn vertex_showing(model: &Model, stored: usize) -> Option<Selection> {
    let Motion::Morph(motion) = model.motion() else { return None };
    let remap = motion.surfaces.first()?.remap.as_ref()?;
    let vertex = remap.iter().position(|own| *own as usize == stored)?;
    Some(Selection::Vertex { surface: 0, vertex })
}

fn in_surface(model: &Model, surface: usize, part: Part) -> Option<Link> {
    let posed = model.surfaces().get(surface)?;
    let (index, count) = (part.index(), posed.vertex_count());
    let vertex = |vertex: usize, frame| {
        let target = Selection::Vertex { surface, vertex };
        (vertex < count).then_some(Link { target, frame })
    };
    match part.kind {
        PartKind::Triangle => {
            let target = Selection::Triangle { surface, triangle: index };
            (index < posed.triangles.len()).then_some(Link { target, frame: None })
        }
        PartKind::Vertex => vertex(index, None),
        PartKind::KeyVertex | PartKind::DeltaVertex => {
            let (own, stored) = (index.checked_rem(count)?, index / count);
            vertex(own, Some(frame_showing(model, surface, part.kind == PartKind::DeltaVertex, stored)?))
        }
        PartKind::SurfaceFrame => {
            let frame = (index < model.frames().len()).then_some(index)?;
            Some(Link { target: Selection::Surface(surface), frame: Some(frame) })
        }
        PartKind::Weight => {
            let Motion::Skeletal(motion) = model.motion() else { return None };
            let uses = |(first, count): &(u32, u32)| (*first as usize..(*first + *count) as usize).contains(&index);
            let own = motion.bindings.get(surface)?.vertices.iter().position(uses)?;
            vertex(own, None)
        }
        _ => None,
    }
}

fn frame_showing(model: &Model, surface: usize, is_delta: bool, stored: usize) -> Option<usize> {
    let Motion::Morph(motion) = model.motion() else { return None };
    match &motion.surfaces.get(surface)?.vertices {
        PackedVertices::KeyDeltas { frames, .. } => frames.iter().position(|frame| {
            let own = if is_delta { frame.delta } else { Some(frame.key) };
            own.map(usize::from) == Some(stored)
        }),
        _ => (stored < model.frames().len()).then_some(stored),
    }
}

/// Returns the parts that lead to the field of a part of the model, or of the frame for [`Selection::None`], if any.
pub fn parts(model: &Model, target: Selection, frame: usize) -> Option<Vec<Part>> {
    let frame = frame.min(model.frames().len().saturating_sub(1));
    match target {
        Selection::None => stores_frames(model).then(|| vec![PartKind::Frame.at(frame)]),
        Selection::Joint(joint) => {
            let frame = stores_joints_per_frame(model).then(|| PartKind::Frame.at(frame));
            Some(frame.into_iter().chain([PartKind::Joint.at(joint)]).collect())
        }
        Selection::Tag(tag) => Some(vec![match model.motion() {
            Motion::Skeletal(_) => PartKind::Tag.at(tag),
            Motion::Morph(_) => PartKind::FrameTag.at(frame * model.tags().len() + tag),
        }]),
        Selection::Surface(surface) => within(model, surface, None),
        Selection::Triangle { surface, triangle } => within(model, surface, Some(PartKind::Triangle.at(triangle))),
        Selection::Vertex { surface, vertex } => match vertex_part(model, surface, vertex, frame)? {
            stored if stored.kind == PartKind::StoredVertex => Some(vec![PartKind::Frame.at(frame), stored]),
            vertex => within(model, surface, Some(vertex)),
        },
    }
}

/// Returns whether the model's own file has a structure for each frame; an `.md5mesh` does not.
fn stores_frames(model: &Model) -> bool {
    model.frame_numbering() == FrameNumbering::Shared
}

/// Returns whether the structure of each frame holds all joints. An IQM stores only their changing channels.
fn stores_joints_per_frame(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    let is_matrices =
        |frames: &JointFrames| matches!(frames, JointFrames::Matrices(_) | JointFrames::PackedMatrices(_));
    motion.tracks.iter().all(|track| is_matrices(&track.frames))
}

fn within(model: &Model, surface: usize, inner: Option<Part>) -> Option<Vec<Part>> {
    let lod = model.surfaces().get(surface)?.lod;
    let mut own = Some(PartKind::Surface.at(surface));
    if let Motion::Morph(motion) = model.motion() {
        // Coarser LODs are separate files.
        let track = motion.surfaces.get(surface).filter(|_| lod == 0)?;
        // The only surface of an MD2 has no structure of its own.
        if track.remap.is_some() {
            own = inner.is_none().then(|| PartKind::Header.at(0));
        }
    }
    Some(own.into_iter().chain(inner).collect())
}

fn vertex_part(model: &Model, surface: usize, vertex: usize, frame: usize) -> Option<Part> {
    let Motion::Morph(motion) = model.motion() else { return Some(PartKind::Vertex.at(vertex)) };
    let track = motion.surfaces.get(surface)?;
    let in_frame = |frame: usize| frame * model.surfaces().get(surface).map_or(0, Surface::vertex_count) + vertex;
    Some(match &track.vertices {
        // The surfaces of a relative of MD2 have copies of their part of the vertices.
        PackedVertices::Bytes { .. } if motion.surfaces.len() > 1 => return None,
        PackedVertices::Bytes { .. } => PartKind::StoredVertex.at(match &track.remap {
            Some(remap) => *remap.get(vertex)? as usize,
            None => vertex,
        }),
        PackedVertices::Floats(_) => return None,
        PackedVertices::Shorts(_) => PartKind::KeyVertex.at(in_frame(frame)),
        PackedVertices::KeyDeltas { frames, .. } => {
            let entry = frames.get(frame)?;
            let key = PartKind::KeyVertex.at(in_frame(entry.key.into()));
            entry.delta.map_or(key, |delta| PartKind::DeltaVertex.at(in_frame(delta.into())))
        }
    })
}
