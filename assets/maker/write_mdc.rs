//! MDC (Return to Castle Wolfenstein): as MD3, but most frames store only each vertex's small offset from a base frame.

use glam::{DAffine3, DVec3};

use super::bytes::Bytes;
use super::model::{Baked, BakedFrame, BakedSurface};
use super::normals::{mdc_directions, nearest};
use super::write_md3::{steps, stored, write_frame, write_shader, write_triangles, write_vertex};

/// Units per step of an offset, and the step that means none.
const OFFSET_STEP: f64 = 0.05;
const NO_OFFSET: f64 = 127.0;

/// Largest offset that a byte holds on either side.
const LARGEST_OFFSET: f64 = 6.35;

/// Degrees per step of a tag's angles.
const ANGLE_STEP: f64 = 360.0 / 32700.0;

/// Writes a model. A base frame is stored for each frame in `bases`, and wherever a vertex has moved too far from the last one.
pub fn write(model: &Baked, bases: &[usize]) -> Vec<u8> {
    let mut file = Bytes::default();
    file.0.extend(b"IDPC");
    file.i32(2);
    file.text(&model.name, 64);
    file.i32(0); // flags
    for count in [model.frames.len(), model.tag_names.len(), model.surfaces.len(), 0] {
        file.size(count);
    }
    let offsets_at = file.len();
    (0..5).for_each(|_| file.i32(0));

    file.set_size(offsets_at, file.len());
    model.frames.iter().for_each(|frame| write_frame(&mut file, frame));
    file.set_size(offsets_at + 4, file.len());
    model.tag_names.iter().for_each(|name| file.text(name, 64));
    file.set_size(offsets_at + 8, file.len());
    for tag in model.frames.iter().flat_map(|frame| &frame.tags) {
        steps(tag.translation).into_iter().for_each(|step| file.i16(step));
        angles(tag).into_iter().for_each(|angle| file.i16((angle / ANGLE_STEP).round() as i16));
    }
    file.set_size(offsets_at + 12, file.len());
    let plan = plan(&model.frames, bases);
    let directions = mdc_directions();
    for (index, surface) in model.surfaces.iter().enumerate() {
        write_surface(&mut file, surface, index, &model.frames, &plan, &directions);
    }
    file.set_size(offsets_at + 16, file.len());
    file.0
}

/// For every frame, the frame it is based on: itself for a base frame.
fn plan(frames: &[BakedFrame], bases: &[usize]) -> Vec<usize> {
    let mut base = 0;
    let mut plan = Vec::new();
    for (index, frame) in frames.iter().enumerate() {
        let points = frame.points.iter().flatten().zip(frames[base].points.iter().flatten());
        let mut moves = points.map(|(now, then)| (now.0 - stored(then.0)).abs().max_element());
        if bases.contains(&index) || moves.any(|distance| distance >= LARGEST_OFFSET) {
            base = index;
        }
        plan.push(base);
    }
    plan
}

/// Pitch, yaw and roll in degrees, so that the axes are Rz(yaw) · Ry(pitch) · Rx(roll).
fn angles(place: &DAffine3) -> [f64; 3] {
    let [forward, left, up] = [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis];
    let level = forward.x.hypot(forward.y);
    let pitch = (-forward.z).atan2(level);
    // Looking straight up or down, yaw and roll turn about one axis: leave the roll out.
    let (yaw, roll) =
        if level > 1e-6 { (forward.y.atan2(forward.x), left.z.atan2(up.z)) } else { ((-left.x).atan2(left.y), 0.0) };
    [pitch, yaw, roll].map(f64::to_degrees)
}

fn write_surface(
    file: &mut Bytes,
    surface: &BakedSurface,
    index: usize,
    frames: &[BakedFrame],
    plan: &[usize],
    directions: &[[f32; 3]],
) {
    let start = file.len();
    let is_base = |frame: &usize| plan[*frame] == *frame;
    let bases: Vec<usize> = (0..frames.len()).filter(is_base).collect();
    let offsets: Vec<usize> = (0..frames.len()).filter(|frame| !is_base(frame)).collect();
    file.i32(7); // the engine's number for this kind of surface
    file.text(&surface.name, 64);
    file.i32(0); // flags
    for count in [offsets.len(), bases.len(), 1, surface.uvs.len(), surface.triangles.len()] {
        file.size(count);
    }
    let offsets_at = file.len();
    (0..8).for_each(|_| file.i32(0));

    file.set_size(offsets_at, file.len() - start);
    write_triangles(file, surface);
    file.set_size(offsets_at + 4, file.len() - start);
    write_shader(file, surface);
    file.set_size(offsets_at + 8, file.len() - start);
    surface.uvs.iter().for_each(|uv| file.vec2(*uv));
    file.set_size(offsets_at + 12, file.len() - start);
    for &frame in &bases {
        frames[frame].points[index].iter().for_each(|&(position, normal)| write_vertex(file, position, normal));
    }
    file.set_size(offsets_at + 16, file.len() - start);
    for &frame in &offsets {
        for (point, base) in frames[frame].points[index].iter().zip(&frames[plan[frame]].points[index]) {
            write_offset(file, point.0 - stored(base.0), point.1, directions);
        }
    }
    file.set_size(offsets_at + 20, file.len() - start);
    let place = |list: &[usize], frame: usize| list.iter().position(|&other| other == frame).map_or(-1, |i| i as i16);
    (0..frames.len()).for_each(|frame| file.i16(place(&bases, plan[frame])));
    file.set_size(offsets_at + 24, file.len() - start);
    (0..frames.len()).for_each(|frame| file.i16(place(&offsets, frame)));
    file.set_size(offsets_at + 28, file.len() - start);
}

fn write_offset(file: &mut Bytes, offset: DVec3, normal: DVec3, directions: &[[f32; 3]]) {
    for part in offset.to_array() {
        file.u8((part / OFFSET_STEP + NO_OFFSET).round().clamp(0.0, 255.0) as u8);
    }
    file.u8(nearest(directions, normal) as u8);
}
