//! MDL writer.

use glam::Vec3;

use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::write::{OTHER_MOTION, morph};
use crate::model::{ByteFrame, Clip, ClipSource, EmbeddedSkin, FrameInfo, Model, PackedVertices};

/// Corners of a box in steps of the scale.
type ByteBox = [[u8; 3]; 2];

/// Writes an MDL. Clips that the loader made of frame groups become groups again. Fails if a name or a number exceeds
/// its field, or the model is not packed as an MDL.
pub fn write(model: &Model) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("mdl").with_latin1(model.data().has_latin1);
    let motion = morph(model, &writer)?;
    let data = model.data();
    let ([surface], [track]) = (model.surfaces(), motion.surfaces.as_slice()) else {
        return Err(writer.error("", OTHER_MOTION));
    };
    let (PackedVertices::Bytes { frames: scales, vertices }, Some(coordinates)) = (&track.vertices, &data.seams) else {
        return Err(writer.error("frames", OTHER_MOTION));
    };
    let stored = track.stored as usize;
    let scale = scales.first().copied().unwrap_or(ByteFrame { scale: Vec3::ZERO, translate: Vec3::ZERO });
    if scales.iter().any(|other| *other != scale) || coordinates.len() != stored.saturating_mul(3) {
        return Err(writer.error("frames", OTHER_MOTION));
    }
    let groups = groups(model);
    let grouped: u32 = groups.iter().map(|group| group.count).sum();

    writer.raw(b"IDPO");
    writer.i32(6);
    writer.vec3(scale.scale);
    writer.vec3(scale.translate);
    writer.f32(data.radius);
    writer.vec3(data.eye_position);
    writer.count("numskins", data.embedded_skins.len())?;
    let skin_size = data.skin_size.unwrap_or_default();
    skin_size.into_iter().for_each(|side| writer.i32(side));
    writer.count("numverts", stored)?;
    writer.count("numtris", surface.triangles.len())?;
    writer.count("numframes", model.frames().len() - grouped as usize + groups.len())?;
    writer.i32(data.sync_type);
    writer.i32(data.flags);
    writer.f32(data.mean_area);

    data.embedded_skins.iter().try_for_each(|skin| write_skin(&mut writer, skin))?;
    coordinates.iter().for_each(|number| writer.i32(*number));
    let stored_of =
        |vertex: u32| track.remap.as_ref().and_then(|remap| remap.get(vertex as usize)).copied().unwrap_or(vertex);
    let width = skin_size[0] as f32;
    // A vertex of the surface that is not at the stored coordinate is half a skin further right, on the back.
    let is_moved = |vertex: &u32| {
        let own = surface.uvs.get(*vertex as usize).map_or(0.0, |uv| uv.x * width - 0.5);
        let s = coordinates.get(stored_of(*vertex) as usize * 3 + 1).copied().unwrap_or(0);
        (own - s as f32).abs() > 0.5
    };
    let faces_front = Some(&data.faces_front).filter(|table| table.len() == surface.triangles.len());
    for (index, triangle) in surface.triangles.iter().enumerate() {
        let known = faces_front.and_then(|table| table.get(index)).copied();
        writer.i32(known.unwrap_or_else(|| i32::from(!triangle.iter().any(is_moved))));
        triangle.iter().for_each(|vertex| writer.i32(stored_of(*vertex).cast_signed()));
    }

    let boxes: Vec<ByteBox> = model.frames().iter().map(|info| byte_box(info, scale)).collect();
    let mut vertices = vertices.chunks_exact(stored.max(1));
    let mut groups = groups.into_iter().peekable();
    let mut group_end = 0;
    for (index, (info, bounds)) in (0_u32..).zip(model.frames().iter().zip(&boxes)) {
        if let Some(group) = groups.next_if(|group| group.first == index) {
            group_end = group.end();
            write_group(&mut writer, group, boxes.get(index as usize..group_end as usize).unwrap_or_default())?;
        } else if index >= group_end {
            writer.i32(0);
        }
        write_box(&mut writer, *bounds);
        writer.text("name", &info.name, 16).map_err(|error| error.within(&format!("pose {index}")))?;
        vertices.next().into_iter().flatten().for_each(|vertex| writer.raw(vertex));
    }
    Ok(writer.into_bytes())
}

/// Returns the clips that are frame groups, in the order of their frames.
fn groups(model: &Model) -> Vec<&Clip> {
    let clips = if model.own_clips().is_empty() { model.clips() } else { model.own_clips() };
    let is_group = |clip: &&Clip| clip.source == ClipSource::FrameGroup && !clip.end_times.is_empty();
    let mut groups: Vec<&Clip> = clips.iter().filter(is_group).collect();
    groups.sort_by_key(|group| group.first);
    let mut end = 0;
    groups.retain(|group| {
        let is_apart = group.first >= end;
        end = end.max(group.end());
        is_apart
    });
    groups
}

fn write_skin(writer: &mut ByteWriter, skin: &EmbeddedSkin) -> Result<(), WriteError> {
    if skin.end_times.is_empty() {
        writer.i32(0);
    } else {
        writer.i32(1);
        writer.count("numskins", skin.images.len())?;
        skin.end_times.iter().for_each(|time| writer.f32(*time));
    }
    skin.pixels().for_each(|pixels| writer.raw(&pixels.bytes));
    Ok(())
}

fn write_group(writer: &mut ByteWriter, group: &Clip, boxes: &[ByteBox]) -> Result<(), WriteError> {
    writer.i32(1);
    writer.count("numframes", boxes.len())?;
    let around = |[min, max]: ByteBox, [low, high]: ByteBox| -> ByteBox {
        [std::array::from_fn(|axis| min[axis].min(low[axis])), std::array::from_fn(|axis| max[axis].max(high[axis]))]
    };
    write_box(writer, boxes.iter().copied().reduce(around).unwrap_or_default());
    group.end_times.iter().for_each(|time| writer.f32(*time));
    Ok(())
}

fn write_box(writer: &mut ByteWriter, corners: ByteBox) {
    for [x, y, z] in corners {
        writer.raw(&[x, y, z, 0]);
    }
}

/// Returns the stored box of a frame in steps of the scale.
fn byte_box(info: &FrameInfo, ByteFrame { scale, translate }: ByteFrame) -> ByteBox {
    info.bounds.map_or_else(Default::default, |bounds| {
        [bounds.min, bounds.max]
            .map(|corner| ((corner - translate) / scale).round().to_array().map(|steps| steps as u8))
    })
}
