//! From a field of a file to what it is of the model, and back.
//!
//! A field is named by the names that lead to it, from the outermost inwards, as [`Outline`](super::Outline) gives and
//! takes them: `surface 2`, `xyzNormals[531]`.

use crate::model::{Format, Model, Motion, PackedVertices};

/// What of a model a field is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Which part of it.
    pub target: Target,
    /// In which of its frames; none if it is the same in all.
    pub frame: Option<usize>,
}

/// A part of a model, by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A frame, as a whole.
    Frame,
    /// A surface.
    Surface(usize),
    /// A triangle of a surface.
    Triangle {
        /// The surface.
        surface: usize,
        /// Its triangle.
        triangle: usize,
    },
    /// A vertex of a surface.
    Vertex {
        /// The surface.
        surface: usize,
        /// Its vertex.
        vertex: usize,
    },
    /// A tag.
    Tag(usize),
    /// A joint.
    Joint(usize),
}

/// The word and the number of `surface 2` or `xyzNormals[531]`.
fn numbered(name: &str) -> Option<(&str, usize)> {
    let (word, number) = match name.strip_suffix(']') {
        Some(record) => record.split_once('[')?,
        None => name.rsplit_once(' ')?,
    };
    Some((word, number.parse().ok()?))
}

/// What a field is about; none if it is about the file as a whole.
#[must_use]
pub fn target(model: &Model, names: &[String]) -> Option<Link> {
    // Tables have no number of their own: their records do.
    let mut levels = names.iter().filter_map(|name| numbered(name)).peekable();
    let lod = match levels.peek().copied() {
        Some(("LOD", lod)) => {
            levels.next();
            u32::try_from(lod).ok()?
        }
        _ => 0,
    };
    if model.format() == Format::Md5 && names.first().is_some_and(|name| name == "joints") {
        let joint = names.get(1)?;
        let index = model.joints().iter().position(|known| known.name == *joint)?;
        return Some(Link { target: Target::Joint(index), frame: None });
    }
    let first = levels.next()?;
    match first {
        ("surface" | "mesh", number) => {
            let surface = surface_of(model, lod, number)?;
            let inner = levels.next().and_then(|inner| in_surface(model, surface, inner));
            Some(inner.unwrap_or(Link { target: Target::Surface(surface), frame: None }))
        }
        ("frames", frame) => {
            let frame = Some(frame).filter(|frame| *frame < model.frames().len())?;
            let target = match levels.next() {
                Some(("verts", vertex)) => vertex_showing(model, vertex)?,
                Some(("bones", joint)) => Target::Joint(joint),
                _ => Target::Frame,
            };
            Some(Link { target, frame: Some(frame) })
        }
        ("frameBaseFrames" | "frameCompFrames", frame) => Some(Link { target: Target::Frame, frame: Some(frame) }),
        ("tris", triangle) => in_surface(model, 0, ("triangles", triangle)),
        ("tags", index) => match model.format() {
            Format::Mdr => Some(Link { target: Target::Tag(index), frame: None }),
            _ => {
                let (tag, frame) = (index.checked_rem(model.tags().len())?, index / model.tags().len());
                (frame < model.frames().len()).then_some(Link { target: Target::Tag(tag), frame: Some(frame) })
            }
        },
        ("tagNames", tag) => Some(Link { target: Target::Tag(tag), frame: None }),
        ("skins", _) if !model.surfaces().is_empty() => Some(Link { target: Target::Surface(0), frame: None }),
        _ => None,
    }
}

/// The surface that has this number in its level of detail.
fn surface_of(model: &Model, lod: u32, number: usize) -> Option<usize> {
    let of_level = model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == lod);
    of_level.map(|(index, _)| index).nth(number)
}

/// The first drawn vertex of an MD2 that shows a stored one.
fn vertex_showing(model: &Model, stored: usize) -> Option<Target> {
    let Motion::Morph(motion) = model.motion() else { return None };
    let remap = motion.surfaces.first()?.remap.as_ref()?;
    let vertex = remap.iter().position(|own| *own as usize == stored)?;
    Some(Target::Vertex { surface: 0, vertex })
}

/// What a record or a statement within a surface is about.
fn in_surface(model: &Model, surface: usize, (word, index): (&str, usize)) -> Option<Link> {
    let still = model.surfaces().get(surface)?;
    let count = still.vertex_count();
    let vertex = |vertex: usize, frame| {
        let target = Target::Vertex { surface, vertex };
        (vertex < count).then_some(Link { target, frame })
    };
    match word {
        "triangles" | "tri" => {
            let target = Target::Triangle { surface, triangle: index };
            (index < still.triangles.len()).then_some(Link { target, frame: None })
        }
        "st" | "verts" | "vert" => vertex(index, None),
        "xyzNormals" | "xyzCompressed" => {
            let (own, stored) = (index.checked_rem(count)?, index / count);
            vertex(own, Some(frame_showing(model, surface, word == "xyzCompressed", stored)?))
        }
        "frameBaseFrames" | "frameCompFrames" => {
            let frame = (index < model.frames().len()).then_some(index)?;
            Some(Link { target: Target::Surface(surface), frame: Some(frame) })
        }
        "weight" => {
            let Motion::Skeletal(motion) = model.motion() else { return None };
            let uses = |(first, count): &(u32, u32)| (*first as usize..(*first + *count) as usize).contains(&index);
            let own = motion.bindings.get(surface)?.vertices.iter().position(uses)?;
            vertex(own, None)
        }
        _ => None,
    }
}

/// The first frame that a stored frame of vertices is part of.
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

/// The names that lead to the field which says most of a part of the model in a frame; none if the file has none.
#[must_use]
pub fn names(model: &Model, target: Target, frame: usize) -> Option<Vec<String>> {
    let frame = frame.min(model.frames().len().saturating_sub(1));
    match target {
        Target::Frame => match model.format() {
            Format::Md5 => None,
            _ => Some(vec!["frames".to_owned(), format!("frames[{frame}]")]),
        },
        Target::Joint(joint) => match model.format() {
            Format::Md5 => Some(vec!["joints".to_owned(), model.joints().get(joint)?.name.clone()]),
            _ => {
                let bone = format!("bones[{joint}]");
                Some(vec!["frames".to_owned(), format!("frames[{frame}]"), "bones".to_owned(), bone])
            }
        },
        Target::Tag(tag) => {
            let index = match model.format() {
                Format::Mdr => tag,
                _ => frame * model.tags().len() + tag,
            };
            Some(vec!["tags".to_owned(), format!("tags[{index}]")])
        }
        Target::Surface(surface) => structure(model, surface),
        Target::Triangle { surface, triangle } => Some(match model.format() {
            Format::Md2 => vec!["tris".to_owned(), format!("tris[{triangle}]")],
            Format::Md5 => [structure(model, surface)?, vec![format!("tri {triangle}")]].concat(),
            _ => {
                let record = format!("triangles[{triangle}]");
                [structure(model, surface)?, vec!["triangles".to_owned(), record]].concat()
            }
        }),
        Target::Vertex { surface, vertex } => vertex_names(model, surface, vertex, frame),
    }
}

/// The names that lead to a surface's structure.
fn structure(model: &Model, surface: usize) -> Option<Vec<String>> {
    let lod = model.surfaces().get(surface)?.lod;
    let before = model.surfaces().iter().take(surface).filter(|other| other.lod == lod).count();
    Some(match model.format() {
        Format::Md2 => vec!["header".to_owned()],
        Format::Md5 => vec![format!("mesh {before}")],
        Format::Mdr => vec![format!("LOD {lod}"), format!("surface {before}")],
        // Coarser levels of an MD3 are files of their own.
        _ if lod > 0 => return None,
        _ => vec![format!("surface {before}")],
    })
}

fn vertex_names(model: &Model, surface: usize, vertex: usize, frame: usize) -> Option<Vec<String>> {
    let record = |table: &str, index: usize| vec![table.to_owned(), format!("{table}[{index}]")];
    let count = model.surfaces().get(surface)?.vertex_count();
    let inner = match model.motion() {
        Motion::Skeletal(_) if model.format() == Format::Md5 => vec![format!("vert {vertex}")],
        Motion::Skeletal(_) => record("verts", vertex),
        Motion::Morph(motion) => {
            let track = motion.surfaces.get(surface)?;
            match &track.vertices {
                PackedVertices::Bytes { .. } => {
                    let stored =
                        track.remap.as_ref().map_or(Some(vertex as u32), |remap| remap.get(vertex).copied())?;
                    return Some([record("frames", frame), record("verts", stored as usize)].concat());
                }
                PackedVertices::Shorts(_) => record("xyzNormals", frame * count + vertex),
                PackedVertices::KeyDeltas { frames, .. } => {
                    let entry = frames.get(frame)?;
                    match entry.delta {
                        Some(delta) => record("xyzCompressed", usize::from(delta) * count + vertex),
                        None => record("xyzNormals", usize::from(entry.key) * count + vertex),
                    }
                }
            }
        }
    };
    Some([structure(model, surface)?, inner].concat())
}
