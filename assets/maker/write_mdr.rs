//! MDR (Elite Force): a mesh weighted to bones, and each frame's bone matrices in a compressed form.

use glam::{DAffine3, DVec3};

use super::bytes::Bytes;
use super::model::{Clip, Joint, Rigged, Surface};

/// Writes a model. `levels` is the mesh from the finest level of detail to the coarsest; joints and tags are the first one's.
///
/// # Panics
/// Without any level.
pub fn write(levels: &[&Rigged], clips: &[Clip]) -> Vec<u8> {
    let model = levels[0];
    let frames: Vec<&Vec<DAffine3>> = clips.iter().flat_map(|clip| &clip.frames).collect();
    let mut file = Bytes::default();
    file.0.extend(b"RDM5");
    file.i32(2);
    file.text(&model.name, 64);
    file.size(frames.len());
    file.size(model.joints.len());
    let frames_at = file.len();
    file.i32(0);
    file.size(levels.len());
    let levels_at = file.len();
    file.i32(0);
    file.size(model.tags.len());
    let tags_at = file.len();
    (0..2).for_each(|_| file.i32(0));

    // A negative offset says that the frames are compressed.
    let start = -(file.len() as i32);
    file.0[frames_at..frames_at + 4].copy_from_slice(&start.to_le_bytes());
    frames.iter().for_each(|pose| write_frame(&mut file, model, pose));
    file.set_size(levels_at, file.len());
    levels.iter().for_each(|level| write_level(&mut file, level));
    file.set_size(tags_at, file.len());
    for tag in &model.tags {
        file.size(tag.joint);
        file.text(&tag.name, 32);
    }
    file.set_size(tags_at + 4, file.len());
    file.0
}

fn write_frame(file: &mut Bytes, model: &Rigged, pose: &[DAffine3]) {
    let (low, high) = model.posed_bounds(pose);
    file.vec3(low);
    file.vec3(high);
    file.vec3((low + high) / 2.0);
    file.f32((high - low).length() / 2.0);
    for bone in pose {
        // Translations first, in 1/64 units, then the matrix row by row; both count from the middle of 16 bits.
        let packed = |value: f64, scale: f64| ((value * scale).round() as i64 + 32768).clamp(0, 65535) as u16;
        bone.translation.to_array().into_iter().for_each(|part| file.u16(packed(part, 64.0)));
        let rows = bone.matrix3.transpose().to_cols_array();
        rows.into_iter().for_each(|part| file.u16(packed(part, 32766.0)));
    }
}

fn write_level(file: &mut Bytes, level: &Rigged) {
    let start = file.len();
    file.size(level.surfaces.len());
    file.size(12); // the surfaces follow at once
    file.i32(0);
    level.surfaces.iter().for_each(|surface| write_surface(file, surface, &level.joints));
    file.set_size(start + 8, file.len() - start);
}

fn write_surface(file: &mut Bytes, surface: &Surface, joints: &[Joint]) {
    let start = file.len();
    let mut used: Vec<usize> = surface.vertices.iter().flat_map(|v| v.weights.iter().map(|weight| weight.0)).collect();
    used.sort_unstable();
    used.dedup();
    file.i32(0); // the engine's number for this kind of surface
    file.text(&surface.name, 64);
    file.text(&surface.material, 64);
    file.i32(0); // shader, filled in at run time
    file.i32(-(start as i32)); // back to the header
    let counts_at = file.len();
    (0..7).for_each(|_| file.i32(0));

    file.set_size(counts_at, surface.vertices.len());
    file.set_size(counts_at + 4, file.len() - start);
    for vertex in &surface.vertices {
        file.vec3(vertex.normal);
        file.vec2(vertex.uv);
        file.size(vertex.weights.len());
        for &(joint, share) in &vertex.weights {
            file.size(joint);
            file.f32(share);
            file.vec3(in_joint(&joints[joint], vertex.position));
        }
    }
    file.set_size(counts_at + 8, surface.triangles.len());
    file.set_size(counts_at + 12, file.len() - start);
    surface.triangles.iter().flatten().for_each(|&index| file.size(index));
    file.set_size(counts_at + 16, used.len());
    file.set_size(counts_at + 20, file.len() - start);
    used.iter().for_each(|&joint| file.size(joint));
    file.set_size(counts_at + 24, file.len() - start);
}

/// A bind-pose position in a joint's own space.
fn in_joint(joint: &Joint, position: DVec3) -> DVec3 {
    joint.bind.inverse().transform_point3(position)
}
