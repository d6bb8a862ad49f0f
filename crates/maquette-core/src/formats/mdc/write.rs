//! MDC writer, one file per LOD.

use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::write::{OTHER_MOTION, morph, write_frame, write_mesh, write_short_vertices};
use crate::model::{Model, MorphTrack, PackedVertices, Surface, TagTrack};

/// Writes one LOD with the model's frames and tags; a coarser LOD has as many frames as its surfaces. Fails if a name
/// is too long or the model is not packed as an MDC.
pub fn write(model: &Model, lod: u32) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("mdc").with_latin1(model.data().has_latin1);
    let motion = morph(model, &writer)?;
    let TagTrack::Angles(tags) = &motion.tags else { return Err(writer.error("tags", OTHER_MOTION)) };
    let surfaces = || model.surfaces().iter().zip(&motion.surfaces).filter(|(surface, _)| surface.lod == lod);
    let own_frames = surfaces().map(|(_, track)| track.frame_count as usize).max().unwrap_or(1);
    let frames = if lod == 0 { model.frames() } else { model.frames().get(..own_frames).unwrap_or(model.frames()) };

    writer.raw(b"IDPC");
    writer.i32(2);
    writer.text("name", model.name(), 64)?;
    writer.i32(model.data().flags);
    writer.count("numFrames", frames.len())?;
    writer.count("numTags", model.tags().len())?;
    writer.count("numSurfaces", surfaces().count())?;
    writer.i32(model.data().skin_count);
    let [ofs_frames, ofs_tag_names, ofs_tags, ofs_surfaces, ofs_end] = std::array::from_fn(|_| writer.later());
    writer.here("ofsFrames", ofs_frames, 0)?;
    for (index, frame) in frames.iter().enumerate() {
        write_frame(&mut writer, frame, true).map_err(|error| error.within(&format!("frame {index}")))?;
    }
    writer.here("ofsTagNames", ofs_tag_names, 0)?;
    for name in model.tags() {
        writer.text("tag name", name, 64)?;
    }
    writer.here("ofsTags", ofs_tags, 0)?;
    for number in tags.iter().take(frames.len() * model.tags().len()).flatten() {
        writer.i16(*number);
    }
    writer.here("ofsSurfaces", ofs_surfaces, 0)?;
    for (surface, track) in surfaces() {
        let written = write_surface(&mut writer, surface, track, frames.len());
        written.map_err(|error| error.within(&format!("surface “{}”", surface.name)))?;
    }
    writer.here("ofsEnd", ofs_end, 0)?;
    Ok(writer.into_bytes())
}

fn write_surface(
    writer: &mut ByteWriter,
    surface: &Surface,
    track: &MorphTrack,
    frames: usize,
) -> Result<(), WriteError> {
    let (PackedVertices::KeyDeltas { keys, deltas, frames: table }, None) = (&track.vertices, &track.remap) else {
        return Err(writer.error("vertices", OTHER_MOTION));
    };
    let start = writer.position();
    // Without vertices, only the frame table determines the count.
    let count = |vertices: usize, named: Option<u16>| match vertices.checked_div(track.stored as usize) {
        Some(count) => count,
        None => named.map_or(0, |last| usize::from(last) + 1),
    };
    let last_key = table.iter().map(|frame| frame.key).max();
    let last_delta = table.iter().filter_map(|frame| frame.delta).max();
    writer.raw(b"IDPC");
    writer.text("name", &surface.name, 64)?;
    writer.i32(surface.data.flags);
    writer.count("numCompFrames", count(deltas.len(), last_delta))?;
    writer.count("numBaseFrames", count(keys.len(), last_key))?;
    writer.count("numShaders", surface.materials.len())?;
    writer.count("numVerts", surface.vertex_count())?;
    writer.count("numTriangles", surface.triangles.len())?;
    let [triangles, shaders, st] = std::array::from_fn(|_| writer.later());
    let [xyz_normals, xyz_compressed, base_frames, comp_frames, end] = std::array::from_fn(|_| writer.later());
    write_mesh(writer, surface, [triangles, shaders, st], start)?;
    writer.here("ofsXyzNormals", xyz_normals, start)?;
    write_short_vertices(writer, keys);
    writer.here("ofsXyzCompressed", xyz_compressed, start)?;
    deltas.iter().for_each(|vertex| writer.raw(vertex));
    // Repeat the last frame of a surface with fewer frames than the model.
    let frame = |index: usize| table.get(index).or(table.last());
    writer.here("ofsFrameBaseFrames", base_frames, start)?;
    for index in 0..frames {
        let key = frame(index).map_or(0, |frame| frame.key);
        let key = i16::try_from(key).map_err(|_| writer.error("frameBaseFrames", format!("{key} exceeds 32767")))?;
        writer.i16(key);
    }
    writer.here("ofsFrameCompFrames", comp_frames, start)?;
    for index in 0..frames {
        let delta = frame(index).and_then(|frame| frame.delta);
        let delta = delta.map_or(Ok(-1), i16::try_from);
        writer.i16(delta.map_err(|_| writer.error("frameCompFrames", "a delta frame is beyond 32767"))?);
    }
    // Pad the tables of 16-bit numbers to 4 bytes.
    if !writer.position().is_multiple_of(4) {
        writer.i16(0);
    }
    writer.here("ofsEnd", end, start)
}
