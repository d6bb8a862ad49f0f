//! IQM writer. Tables follow each other in the order of the header, each aligned to four bytes.

use std::collections::HashMap;

use glam::Vec2;

use super::MAGIC;
use crate::bytes::{ByteWriter, OffsetSlot, encoded};
use crate::error::WriteError;
use crate::formats::write::{AnimationFile, OTHER_MOTION, WrittenModel, skeletal};
use crate::model::{
    Bounds, Clip, ClipSource, FrameInfo, Joint, JointFrames, JointTrack, LocalFrames, LocalPose, LocalTransform, Model,
    SkeletalMotion, Surface, Weight,
};

/// Maximum number of weights of a vertex.
pub(crate) const MAX_WEIGHTS: usize = 4;

/// Writes the mesh with the frames of the model file. Each animation from another file becomes a file without meshes.
/// Fails if a vertex has more than four weights, the model has no surfaces, or its frames are not
/// packed as in an IQM.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let writer = ByteWriter::new("iqm");
    let motion = skeletal(model, &writer)?;
    let other = || writer.error("", OTHER_MOTION);
    if model.surfaces().is_empty() {
        return Err(writer.error("num_meshes", "a file without meshes is only an animation"));
    }
    let mut tracks = motion.tracks.iter().map(|track| match &track.frames {
        JointFrames::Local(local) => Ok((track, local)),
        _ => Err(other()),
    });
    let (own, local) = tracks.next().ok_or_else(other)??;
    let clips = if model.own_clips().is_empty() { model.clips() } else { model.own_clips() };
    let is_listed = |clip: &&Clip| !matches!(clip.source, ClipSource::AllFrames | ClipSource::BindPose);
    let listed: Vec<Clip> =
        clips.iter().filter(is_listed).filter(|clip| clip.end() <= own.frame_count).cloned().collect();
    let main = write_file(model, Some(motion), own, local, &listed)?;
    let mut animations = Vec::new();
    for track in tracks {
        let (track, local) = track?;
        let clip = model.clips().iter().find(|clip| clip.first == track.first);
        let clip = clip.ok_or_else(|| writer.error("", "an animation has no clip to name the file after"))?;
        let listed = [Clip { first: 0, ..clip.clone() }];
        let bytes = write_file(model, None, track, local, &listed)?;
        animations.push(AnimationFile { name: clip.name.clone(), bytes });
    }
    Ok(WrittenModel { main, animations, ..WrittenModel::default() })
}

/// Text block under construction, which stores each name once.
struct Names {
    text: Vec<u8>,
    known: HashMap<String, usize>,
    is_latin1: bool,
}

impl Names {
    fn new(is_latin1: bool) -> Self {
        Self { text: vec![0], known: HashMap::from([(String::new(), 0)]), is_latin1 }
    }

    fn add(&mut self, name: &str) -> usize {
        if let Some(at) = self.known.get(name) {
            return *at;
        }
        let at = self.text.len();
        self.text.extend(encoded(name, self.is_latin1).into_iter().take_while(|byte| *byte != 0).chain([0]));
        self.known.insert(name.to_owned(), at);
        at
    }
}

/// Writes one file, without a mesh if `mesh` is `None`.
fn write_file(
    model: &Model,
    mesh: Option<&SkeletalMotion>,
    track: &JointTrack,
    local: &LocalFrames,
    clips: &[Clip],
) -> Result<Vec<u8>, WriteError> {
    let mut names = Names::new(model.data().has_latin1);
    let surfaces = if mesh.is_some() { model.surfaces() } else { &[] };
    let joints = mesh.map_or(&[][..], |mesh| &mesh.joints);
    let bind = if mesh.is_some() { local.skeleton.bind() } else { &[] };
    let named = surfaces.iter().map(|surface| {
        let material = surface.materials.first().map_or("", String::as_str);
        [names.add(&surface.name), names.add(material)]
    });
    let mesh_names: Vec<[usize; 2]> = named.collect();
    let joint_names: Vec<usize> = joints.iter().zip(bind).map(|(joint, _)| names.add(&joint.name)).collect();
    let anim_names: Vec<usize> = clips.iter().map(|clip| names.add(&clip.name)).collect();
    let range = track.first as usize..(track.first + track.frame_count) as usize;
    let frames = if local.poses.is_empty() { &[] } else { model.frames().get(range).unwrap_or_default() };
    let arrays = mesh.map_or_else(|| Ok(Vec::new()), |mesh| arrays(surfaces, mesh, bind.len()))?;
    let comment = if mesh.is_some() { comment(model) } else { Vec::new() };
    let has_nine = local.computes_w || mesh.is_some() && model.version() == Some(1);

    let mut writer = ByteWriter::new("iqm");
    writer.raw(MAGIC);
    writer.i32(if has_nine { 1 } else { 2 });
    let filesize = writer.later();
    writer.i32(model.data().flags);
    let text_at = head(&mut writer, "num_text", names.text.len())?;
    let meshes_at = head(&mut writer, "num_meshes", surfaces.len())?;
    writer.count("num_vertexarrays", arrays.len())?;
    writer.count("num_vertexes", surfaces.iter().map(Surface::vertex_count).sum())?;
    let arrays_at = writer.later();
    let triangles_at =
        head(&mut writer, "num_triangles", surfaces.iter().map(|surface| surface.triangles.len()).sum())?;
    writer.i32(0);
    let joints_at = head(&mut writer, "num_joints", joint_names.len())?;
    let poses_at = head(&mut writer, "num_poses", local.poses.len())?;
    let anims_at = head(&mut writer, "num_anims", clips.len())?;
    writer.count("num_frames", frames.len())?;
    writer.count("num_framechannels", local.stride as usize)?;
    let [frames_at, bounds_at] = std::array::from_fn(|_| writer.later());
    let comment_at = head(&mut writer, "num_comment", comment.len())?;
    head(&mut writer, "num_extensions", 0)?;

    table(&mut writer, "ofs_text", text_at, |writer| writer.raw(&names.text))?;
    table(&mut writer, "ofs_meshes", meshes_at, |writer| write_meshes(writer, surfaces, &mesh_names))?;
    let mut offsets = Vec::new();
    table(&mut writer, "ofs_vertexarrays", arrays_at, |writer| {
        for array in &arrays {
            [array.kind, 0, array.format, array.size].into_iter().for_each(|number| writer.i32(number));
            offsets.push(writer.later());
        }
    })?;
    for (array, offset) in arrays.iter().zip(offsets) {
        table(&mut writer, "offset", offset, |writer| writer.raw(&array.bytes))?;
    }
    table(&mut writer, "ofs_triangles", triangles_at, |writer| write_triangles(writer, surfaces))?;
    table(&mut writer, "ofs_joints", joints_at, |writer| {
        let named = joints.iter().zip(&joint_names).zip(bind);
        named.for_each(|((joint, name), bind)| write_joint(writer, joint, *name, bind, has_nine));
    })?;
    let parents = model.joints().iter().map(|joint| joint.parent);
    table(&mut writer, "ofs_poses", poses_at, |writer| {
        local.poses.iter().zip(parents).for_each(|(pose, parent)| write_pose(writer, pose, parent, has_nine));
    })?;
    table(&mut writer, "ofs_anims", anims_at, |writer| {
        clips.iter().zip(&anim_names).for_each(|(clip, name)| write_clip(writer, clip, *name));
    })?;
    table(&mut writer, "ofs_frames", frames_at, |writer| local.words.iter().for_each(|word| writer.u16(*word)))?;
    if frames.iter().all(|frame| frame.bounds.is_some()) {
        table(&mut writer, "ofs_bounds", bounds_at, |writer| write_bounds(writer, frames))?;
    }
    table(&mut writer, "ofs_comment", comment_at, |writer| writer.raw(&comment))?;
    writer.here("filesize", filesize, 0)?;
    Ok(writer.into_bytes())
}

/// Writes a count, and reserves the offset of its table.
fn head(writer: &mut ByteWriter, field: &str, count: usize) -> Result<OffsetSlot, WriteError> {
    writer.count(field, count)?;
    Ok(writer.later())
}

/// Writes a table and its offset. The offset of an empty table stays 0.
fn table(
    writer: &mut ByteWriter,
    field: &str,
    offset: OffsetSlot,
    fill: impl FnOnce(&mut ByteWriter),
) -> Result<(), WriteError> {
    writer.raw(&[0; 3][..writer.position().wrapping_neg() % 4]);
    let start = writer.position();
    writer.here(field, offset, 0)?;
    fill(writer);
    if writer.position() == start {
        writer.set(offset, 0);
    }
    Ok(())
}

/// Offsets in the text and counts of vertices fit, because the writer of the counts checks their sums.
fn number(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}

fn comment(model: &Model) -> Vec<u8> {
    let text = &model.data().comment;
    if text.is_empty() { Vec::new() } else { [encoded(text, model.data().has_latin1), vec![0]].concat() }
}

fn write_meshes(writer: &mut ByteWriter, surfaces: &[Surface], names: &[[usize; 2]]) {
    let (mut vertex, mut triangle) = (0, 0);
    for (surface, [name, material]) in surfaces.iter().zip(names) {
        let (vertices, triangles) = (surface.vertex_count(), surface.triangles.len());
        let record = [*name, *material, vertex, vertices, triangle, triangles];
        record.into_iter().for_each(|count| writer.i32(number(count)));
        (vertex, triangle) = (vertex + vertices, triangle + triangles);
    }
}

fn write_triangles(writer: &mut ByteWriter, surfaces: &[Surface]) {
    let mut first = 0;
    for surface in surfaces {
        for corner in surface.triangles.as_flattened() {
            writer.i32((first + corner).cast_signed());
        }
        first += crate::model::u32_or_max(surface.vertex_count());
    }
}

fn write_joint(writer: &mut ByteWriter, joint: &Joint, name: usize, bind: &LocalTransform, has_nine: bool) {
    writer.i32(number(name));
    writer.i32(joint.parent.map_or(-1, u32::cast_signed));
    writer.vec3(bind.translation);
    let [x, y, z, w] = bind.rotation.to_array();
    let rotation = if has_nine { &[x, y, z][..] } else { &[x, y, z, w] };
    rotation.iter().for_each(|number| writer.f32(*number));
    writer.vec3(bind.scale);
}

fn write_clip(writer: &mut ByteWriter, clip: &Clip, name: usize) {
    let range = [number(name), clip.first.cast_signed(), clip.count.cast_signed()];
    range.into_iter().for_each(|number| writer.i32(number));
    writer.f32(clip.own_rate.unwrap_or(clip.frames_per_second));
    writer.i32(i32::from(clip.loops()));
}

fn write_pose(writer: &mut ByteWriter, pose: &LocalPose, parent: Option<u32>, has_nine: bool) {
    writer.i32(parent.map_or(-1, u32::cast_signed));
    let mask = i32::from(pose.mask);
    writer.i32(if has_nine { mask & 0x3f | mask >> 1 & 0x1c0 } else { mask });
    for channels in [pose.offset, pose.scale] {
        let stored = channels.into_iter().enumerate().filter(|(channel, _)| !has_nine || *channel != W);
        stored.for_each(|(_, number)| writer.f32(number));
    }
}

/// Channel that version 1 computes.
const W: usize = 6;

fn write_bounds(writer: &mut ByteWriter, frames: &[FrameInfo]) {
    for frame in frames {
        let Some(Bounds { min, max }) = frame.bounds else { continue };
        writer.vec3(min);
        writer.vec3(max);
        // The box reaches at least as far as the vertices, whose radius around the Z axis is not kept.
        let reach = min.abs().max(max.abs());
        writer.f32(Vec2::new(reach.x, reach.y).length().min(frame.radius));
        writer.f32(frame.radius);
    }
}

struct Array {
    kind: i32,
    format: i32,
    size: i32,
    bytes: Vec<u8>,
}

const U8: i32 = 1;
const I32: i32 = 4;
const F32: i32 = 7;

impl Array {
    fn floats(kind: i32, size: i32, numbers: impl Iterator<Item = f32>) -> Self {
        Self { kind, format: F32, size, bytes: numbers.flat_map(f32::to_le_bytes).collect() }
    }
}

fn arrays(surfaces: &[Surface], motion: &SkeletalMotion, joints: usize) -> Result<Vec<Array>, WriteError> {
    let writer = ByteWriter::new("iqm");
    let uvs = || surfaces.iter().flat_map(|surface| &surface.uvs);
    let bind = || motion.bindings.iter().flat_map(|binding| &binding.bind);
    if bind().count() != uvs().count() {
        return Err(writer.error("vertices", OTHER_MOTION));
    }
    let mut arrays = vec![
        Array::floats(0, 3, bind().flat_map(|vertex| vertex.position.to_array())),
        Array::floats(1, 2, uvs().flat_map(|uv| uv.to_array())),
        Array::floats(2, 3, bind().flat_map(|vertex| vertex.normal.to_array())),
    ];
    if joints > 0 {
        arrays.extend(weights(motion, joints)?);
    }
    let colours = surfaces.iter().map(|surface| surface.data.colours.as_deref());
    if colours.clone().any(|colours| colours.is_some()) {
        let white = |surface: &Surface| vec![-1; surface.vertex_count()];
        let all = colours.zip(surfaces).map(|(own, surface)| own.map_or_else(|| white(surface), <[i32]>::to_vec));
        arrays.push(Array { kind: 6, format: U8, size: 4, bytes: all.flatten().flat_map(i32::to_le_bytes).collect() });
    }
    Ok(arrays)
}

/// Returns the joints and weights of all vertices. Vertices of joints that the file does not store have no weights.
fn weights(motion: &SkeletalMotion, joints: usize) -> Result<[Array; 2], WriteError> {
    let mut all: Vec<[Option<&Weight>; MAX_WEIGHTS]> = Vec::new();
    for binding in &motion.bindings {
        for vertex in &binding.vertices {
            let own = binding.weights_of(*vertex);
            if own.len() > MAX_WEIGHTS {
                let why = format!("a vertex has {} weights; the format stores at most {MAX_WEIGHTS}", own.len());
                return Err(ByteWriter::new("iqm").error("blendweights", why));
            }
            let mut stored = own.iter().filter(|weight| (weight.joint as usize) < joints);
            all.push(std::array::from_fn(|_| stored.next()));
        }
    }
    let each = || all.as_flattened().iter();
    let joint = |weight: &Option<&Weight>| weight.map_or(0, |weight| weight.joint);
    let bias = |weight: &Option<&Weight>| weight.map_or(0.0, |weight| weight.bias);
    let (format, width) = if joints <= 1 << u8::BITS { (U8, 1) } else { (I32, 4) };
    let bytes = each().flat_map(|weight| joint(weight).to_le_bytes().into_iter().take(width)).collect();
    let indices = Array { kind: 4, format, size: 4, bytes };
    let is_byte = |weight: &Option<&Weight>| f32::from(byte(bias(weight))) / 255.0 == bias(weight);
    let weights = if each().all(is_byte) {
        Array { kind: 5, format: U8, size: 4, bytes: each().map(|weight| byte(bias(weight))).collect() }
    } else {
        Array::floats(5, 4, each().map(bias))
    };
    Ok([indices, weights])
}

fn byte(weight: f32) -> u8 {
    (weight * 255.0).round().clamp(0.0, 255.0) as u8
}
