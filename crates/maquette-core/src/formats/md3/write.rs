//! MD3 writer, one file per LOD.

use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::write::{OTHER_MOTION, morph, write_frame, write_mesh, write_short_vertices};
use crate::model::{Model, MorphTrack, PackedVertices, Surface, TagTrack};

/// Writes one LOD with the model's frames and tags; a coarser LOD has as many frames as its surfaces. Fails if a name
/// is too long or the model is not packed as an MD3.
pub fn write(model: &Model, lod: u32) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("md3").with_latin1(model.data().has_latin1);
    let motion = morph(model, &writer)?;
    let TagTrack::Axes(tags) = &motion.tags else { return Err(writer.error("tags", OTHER_MOTION)) };
    let surfaces = || model.surfaces().iter().zip(&motion.surfaces).filter(|(surface, _)| surface.lod == lod);
    let own_frames = surfaces().map(|(_, track)| track.frame_count as usize).max().unwrap_or(1);
    let frames = if lod == 0 { model.frames() } else { model.frames().get(..own_frames).unwrap_or(model.frames()) };
    let per_frame = model.tags().len();

    writer.raw(b"IDP3");
    writer.i32(15);
    writer.text("name", model.name(), 64)?;
    writer.i32(model.data().flags);
    writer.count("numFrames", frames.len())?;
    writer.count("numTags", per_frame)?;
    writer.count("numSurfaces", surfaces().count())?;
    writer.i32(model.data().skin_count);
    let [ofs_frames, ofs_tags, ofs_surfaces, ofs_end] = std::array::from_fn(|_| writer.later());
    writer.here("ofsFrames", ofs_frames, 0)?;
    for (index, frame) in frames.iter().enumerate() {
        write_frame(&mut writer, frame, true).map_err(|error| error.within(&format!("frame {index}")))?;
    }
    writer.here("ofsTags", ofs_tags, 0)?;
    for (tag, name) in tags.iter().zip(model.tags().iter().cycle()).take(frames.len() * per_frame) {
        writer.text("tag name", name, 64)?;
        writer.vec3(tag.origin);
        tag.axes.into_iter().for_each(|axis| writer.vec3(axis));
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
    let (PackedVertices::Shorts(vertices), None) = (&track.vertices, &track.remap) else {
        return Err(writer.error("vertices", OTHER_MOTION));
    };
    let start = writer.position();
    writer.raw(b"IDP3");
    writer.text("name", &surface.name, 64)?;
    writer.i32(surface.data.flags);
    writer.count("numFrames", frames)?;
    writer.count("numShaders", surface.materials.len())?;
    writer.count("numVerts", surface.vertex_count())?;
    writer.count("numTriangles", surface.triangles.len())?;
    let [triangles, shaders, st, xyz_normals, end] = std::array::from_fn(|_| writer.later());
    write_mesh(writer, surface, [triangles, shaders, st], start)?;
    writer.here("ofsXyzNormals", xyz_normals, start)?;
    let per_frame = track.stored as usize;
    write_short_vertices(writer, vertices);
    // Repeat the last frame of a surface with fewer frames than the model.
    let last = vertices.len().saturating_sub(per_frame)..;
    for _ in track.frame_count as usize..frames {
        write_short_vertices(writer, vertices.get(last.clone()).unwrap_or_default());
    }
    writer.here("ofsEnd", end, start)
}
