//! MD2 writer.

use std::collections::HashMap;

use glam::Vec2;

use super::strips::{Corner, Group, groups};
use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::write::{OTHER_MOTION, morph};
use crate::model::{Model, PackedVertices, Surface};

const USUAL_SKIN: i32 = 256;

/// Writes an MD2, with texture coordinates rounded to whole texels. Stored GL commands are kept, or built from the
/// triangles. Fails if a name is too long, an index exceeds 16 bits, or the model is not packed as an MD2.
pub fn write(model: &Model) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("md2").with_latin1(model.data().has_latin1);
    let motion = morph(model, &writer)?;
    let ([surface], [track]) = (model.surfaces(), motion.surfaces.as_slice()) else {
        return Err(writer.error("", OTHER_MOTION));
    };
    let PackedVertices::Bytes { frames, vertices } = &track.vertices else {
        return Err(writer.error("frames", OTHER_MOTION));
    };
    let size = model.data().skin_size.unwrap_or_default().map(|side| match side {
        side @ 1..=0xffff => side,
        _ => USUAL_SKIN,
    });
    let corners = Corners::new(surface, track.remap.as_deref(), size, &writer)?;
    let triangles: Vec<[Corner; 3]> = surface.triangles.iter().map(|triangle| corners.of_triangle(*triangle)).collect();
    let commands = match &model.data().gl_commands {
        Some(words) => words.to_vec(),
        None => words(&groups(&triangles), &corners.coordinates, size),
    };

    writer.raw(b"IDP2");
    writer.i32(8);
    size.into_iter().for_each(|side| writer.i32(side));
    writer.count("framesize", (track.stored as usize).saturating_mul(4).saturating_add(40))?;
    writer.count("num_skins", model.skins().len())?;
    writer.count("num_xyz", track.stored as usize)?;
    writer.count("num_st", corners.coordinates.len())?;
    writer.count("num_tris", triangles.len())?;
    writer.count("num_glcmds", commands.len())?;
    writer.count("num_frames", frames.len())?;
    let [ofs_skins, ofs_st, ofs_tris, ofs_frames, ofs_glcmds, ofs_end] = std::array::from_fn(|_| writer.later());
    writer.here("ofs_skins", ofs_skins, 0)?;
    for skin in model.skins() {
        writer.text("skin", skin, 64)?;
    }
    writer.here("ofs_st", ofs_st, 0)?;
    corners.coordinates.iter().flatten().for_each(|texel| writer.i16(*texel));
    writer.here("ofs_tris", ofs_tris, 0)?;
    for triangle in &triangles {
        triangle.iter().for_each(|(xyz, _)| writer.u16(*xyz));
        triangle.iter().for_each(|(_, st)| writer.u16(*st));
    }
    writer.here("ofs_frames", ofs_frames, 0)?;
    let mut rest = vertices.as_slice();
    for (index, (frame, info)) in frames.iter().zip(model.frames()).enumerate() {
        writer.vec3(frame.scale);
        writer.vec3(frame.translate);
        writer.text("name", &info.name, 16).map_err(|error| error.within(&format!("frame {index}")))?;
        let (own, after) = rest.split_at_checked(track.stored as usize).unwrap_or_default();
        own.iter().for_each(|vertex| writer.raw(vertex));
        rest = after;
    }
    writer.here("ofs_glcmds", ofs_glcmds, 0)?;
    commands.iter().for_each(|word| writer.i32(*word));
    writer.here("ofs_end", ofs_end, 0)?;
    Ok(writer.into_bytes())
}

struct Corners {
    of_vertex: Vec<Corner>,
    coordinates: Vec<[i16; 2]>,
}

impl Corners {
    /// Assigns a texture coordinate to each vertex. Vertices with equal stored vertex and texel get separate
    /// coordinates, because a loader would merge them.
    fn new(surface: &Surface, remap: Option<&[u32]>, size: [i32; 2], writer: &ByteWriter) -> Result<Self, WriteError> {
        let (mut of_vertex, mut coordinates) = (Vec::with_capacity(surface.vertex_count()), Vec::new());
        let mut known: HashMap<[i16; 2], Vec<u16>> = HashMap::new();
        // Number of vertices with the same stored vertex and texel so far: each takes the next coordinate of the texel.
        let mut shown: HashMap<(u16, [i16; 2]), usize> = HashMap::new();
        for (index, uv) in (0_u32..).zip(&surface.uvs) {
            let stored = remap.and_then(|remap| remap.get(index as usize).copied()).unwrap_or(index);
            let stored = u16::try_from(stored);
            let stored =
                stored.map_err(|_| writer.error("num_xyz", "triangles can refer to at most 65536 vertices"))?;
            let texel = texel(*uv, size).ok_or_else(|| {
                writer.error("st", format!("vertex {index} lies at {uv}, beyond 32767 texels of a skin of {size:?}"))
            })?;
            let same = known.entry(texel).or_default();
            let shown = shown.entry((stored, texel)).or_default();
            let coordinate = match same.get(*shown) {
                Some(coordinate) => *coordinate,
                None => {
                    let new = u16::try_from(coordinates.len());
                    let new = new.map_err(|_| {
                        writer.error("num_st", "triangles can refer to at most 65536 texture coordinates")
                    })?;
                    coordinates.push(texel);
                    same.push(new);
                    new
                }
            };
            *shown += 1;
            of_vertex.push((stored, coordinate));
        }
        Ok(Self { of_vertex, coordinates })
    }

    fn of_triangle(&self, triangle: [u32; 3]) -> [Corner; 3] {
        triangle.map(|vertex| self.of_vertex.get(vertex as usize).copied().unwrap_or_default())
    }
}

/// Converts texture coordinates to texels; `None` if the texel does not fit in 16 bits. Subtracts half a texel, which
/// the loader adds.
fn texel(uv: Vec2, [width, height]: [i32; 2]) -> Option<[i16; 2]> {
    let texel = (uv * Vec2::new(width as f32, height as f32) - 0.5).round();
    let inside = |number: f32| (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(&number);
    texel.to_array().into_iter().all(inside).then(|| texel.to_array().map(|number| number as i16))
}

fn words(groups: &[Group], coordinates: &[[i16; 2]], [width, height]: [i32; 2]) -> Vec<i32> {
    let mut words = Vec::new();
    for group in groups {
        let count = i32::try_from(group.corners.len()).unwrap_or(i32::MAX);
        words.push(if group.is_strip { count } else { -count });
        for (xyz, st) in &group.corners {
            let [s, t] = coordinates.get(usize::from(*st)).copied().unwrap_or_default();
            let coordinate_bits =
                |texel: i16, side: i32| ((f32::from(texel) + 0.5) / side as f32).to_bits().cast_signed();
            words.extend([coordinate_bits(s, width), coordinate_bits(t, height), i32::from(*xyz)]);
        }
    }
    words.push(0);
    words
}
