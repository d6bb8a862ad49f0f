//! MD3 (Quake III Arena): surfaces of 16-bit positions for every frame, tags as origins and axes.

use glam::{DAffine3, DVec3};

use super::bytes::Bytes;
use super::model::{Baked, BakedFrame, BakedSurface};
use super::normals::to_angles;

/// Positions are stored in steps of 1/64 unit.
const STEPS_PER_UNIT: f64 = 64.0;

/// Writes a model.
pub fn write(model: &Baked) -> Vec<u8> {
    let mut file = Bytes::default();
    file.0.extend(b"IDP3");
    file.i32(15);
    file.text(&model.name, 64);
    file.i32(0); // flags
    for count in [model.frames.len(), model.tag_names.len(), model.surfaces.len(), 0] {
        file.size(count);
    }
    let offsets_at = file.len();
    (0..4).for_each(|_| file.i32(0));

    file.set_size(offsets_at, file.len());
    model.frames.iter().for_each(|frame| write_frame(&mut file, frame));
    file.set_size(offsets_at + 4, file.len());
    for frame in &model.frames {
        for (name, place) in model.tag_names.iter().zip(&frame.tags) {
            write_tag(&mut file, name, place);
        }
    }
    file.set_size(offsets_at + 8, file.len());
    for (index, surface) in model.surfaces.iter().enumerate() {
        write_surface(&mut file, surface, index, &model.frames);
    }
    file.set_size(offsets_at + 12, file.len());
    file.0
}

/// A frame's record: bounds, their middle and radius, name. MDC stores the same.
pub fn write_frame(file: &mut Bytes, frame: &BakedFrame) {
    let (low, high) = frame.bounds();
    file.vec3(low);
    file.vec3(high);
    file.vec3((low + high) / 2.0);
    file.f32((high - low).length() / 2.0);
    file.text(&frame.name, 16);
}

fn write_tag(file: &mut Bytes, name: &str, place: &DAffine3) {
    file.text(name, 64);
    file.vec3(place.translation);
    [place.matrix3.x_axis, place.matrix3.y_axis, place.matrix3.z_axis].into_iter().for_each(|axis| file.vec3(axis));
}

fn write_surface(file: &mut Bytes, surface: &BakedSurface, index: usize, frames: &[BakedFrame]) {
    let start = file.len();
    file.0.extend(b"IDP3");
    file.text(&surface.name, 64);
    file.i32(0); // flags
    for count in [frames.len(), 1, surface.uvs.len(), surface.triangles.len()] {
        file.size(count);
    }
    let offsets_at = file.len();
    (0..5).for_each(|_| file.i32(0));

    file.set_size(offsets_at, file.len() - start);
    write_triangles(file, surface);
    file.set_size(offsets_at + 4, file.len() - start);
    write_shader(file, surface);
    file.set_size(offsets_at + 8, file.len() - start);
    surface.uvs.iter().for_each(|uv| file.vec2(*uv));
    file.set_size(offsets_at + 12, file.len() - start);
    for frame in frames {
        frame.points[index].iter().for_each(|&(position, normal)| write_vertex(file, position, normal));
    }
    file.set_size(offsets_at + 16, file.len() - start);
}

/// A surface's triangles, as MDC stores them too.
pub fn write_triangles(file: &mut Bytes, surface: &BakedSurface) {
    surface.triangles.iter().flatten().for_each(|&index| file.size(index));
}

/// A surface's only shader, as MDC stores it too.
pub fn write_shader(file: &mut Bytes, surface: &BakedSurface) {
    file.text(&surface.material, 64);
    file.i32(0); // the engine's own number, filled in at run time
}

/// A vertex of one frame, as MDC's base frames store it too.
pub fn write_vertex(file: &mut Bytes, position: DVec3, normal: DVec3) {
    steps(position).into_iter().for_each(|step| file.i16(step));
    file.u16(to_angles(normal));
}

/// A position in stored steps.
pub fn steps(position: DVec3) -> [i16; 3] {
    (position * STEPS_PER_UNIT).round().to_array().map(|step| step as i16)
}

/// A position as a reader will see it.
pub fn stored(position: DVec3) -> DVec3 {
    DVec3::from(steps(position).map(f64::from)) / STEPS_PER_UNIT
}
