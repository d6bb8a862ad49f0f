//! MD2 (Quake II): one mesh, byte positions scaled per frame, normals from a fixed list, GL commands.

use std::collections::HashMap;

use glam::{DVec2, DVec3};

use super::bytes::Bytes;
use super::model::{Baked, BakedFrame};
use super::normals::nearest;
use super::strips::{Corner, runs};
use maquette_core::model::packed_normal::MD2_NORMALS;

const HEADER_LENGTH: usize = 68;

/// Writes a model. `skin_size` is the size in texels that texture coordinates are stored against; the image may have any
/// other size, and Quake II wants at most 480 rows here.
pub fn write(model: &Baked, skin_size: [u32; 2]) -> Vec<u8> {
    let joined = Joined::new(model, skin_size);
    let mut skins: Vec<&str> = Vec::new();
    for surface in &model.surfaces {
        if !skins.contains(&surface.material.as_str()) {
            skins.push(&surface.material);
        }
    }
    let commands = commands(&joined, skin_size);
    let frame_length = 40 + 4 * joined.sources.len();
    let skins_at = HEADER_LENGTH;
    let coordinates_at = skins_at + 64 * skins.len();
    let triangles_at = coordinates_at + 4 * joined.coordinates.len();
    let frames_at = triangles_at + 12 * joined.triangles.len();
    let commands_at = frames_at + frame_length * model.frames.len();
    let end = commands_at + commands.len();

    let mut file = Bytes::default();
    file.0.extend(b"IDP2");
    let counts = [
        8,
        skin_size[0] as usize,
        skin_size[1] as usize,
        frame_length,
        skins.len(),
        joined.sources.len(),
        joined.coordinates.len(),
        joined.triangles.len(),
        commands.len() / 4,
        model.frames.len(),
    ];
    let offsets = [skins_at, coordinates_at, triangles_at, frames_at, commands_at, end];
    counts.into_iter().chain(offsets).for_each(|value| file.size(value));
    skins.iter().for_each(|skin| file.text(skin, 64));
    joined.coordinates.iter().flatten().for_each(|&value| file.i16(value));
    for triangle in &joined.triangles {
        triangle.iter().for_each(|corner| file.u16(corner.0 as u16));
        triangle.iter().for_each(|corner| file.u16(corner.1 as u16));
    }
    model.frames.iter().for_each(|frame| write_frame(&mut file, frame, &joined.sources));
    file.0.extend(commands.0);
    file.0
}

/// All surfaces as one mesh, in which vertices that differ only in their texture coordinate are one.
struct Joined {
    /// Per vertex, the surface and its vertex that it comes from.
    sources: Vec<(usize, usize)>,
    /// In texels.
    coordinates: Vec<[i16; 2]>,
    triangles: Vec<[Corner; 3]>,
}

impl Joined {
    fn new(model: &Baked, skin_size: [u32; 2]) -> Self {
        let mut joined = Self { sources: Vec::new(), coordinates: Vec::new(), triangles: Vec::new() };
        let mut vertex_of: HashMap<Vec<i64>, usize> = HashMap::new();
        let mut coordinate_of: HashMap<[i16; 2], usize> = HashMap::new();
        let size = DVec2::new(skin_size[0].into(), skin_size[1].into());
        for (index, surface) in model.surfaces.iter().enumerate() {
            let corners: Vec<Corner> = (surface.uvs.iter().enumerate())
                .map(|(vertex, uv)| {
                    // The same in every frame is the same vertex.
                    let key = (model.frames.iter())
                        .flat_map(|frame| {
                            let (position, normal) = frame.points[index][vertex];
                            [position * 4096.0, normal * 64.0].map(|v| v.round().to_array().map(|x| x as i64))
                        })
                        .flatten()
                        .collect();
                    let vertex = *vertex_of.entry(key).or_insert_with(|| {
                        joined.sources.push((index, vertex));
                        joined.sources.len() - 1
                    });
                    // Readers take the middle of the texel.
                    let texel = (*uv * size - 0.5).round().to_array().map(|x| x as i16);
                    let coordinate = *coordinate_of.entry(texel).or_insert_with(|| {
                        joined.coordinates.push(texel);
                        joined.coordinates.len() - 1
                    });
                    (vertex, coordinate)
                })
                .collect();
            joined.triangles.extend(surface.triangles.iter().map(|triangle| triangle.map(|i| corners[i])));
        }
        joined
    }
}

fn write_frame(file: &mut Bytes, frame: &BakedFrame, sources: &[(usize, usize)]) {
    let (low, high) = frame.bounds();
    // Rounded as the file stores it, so that bytes are found against what a reader will use; a flat axis needs no scale.
    let scale = ((high - low) / 255.0).as_vec3().as_dvec3();
    let low = low.as_vec3().as_dvec3();
    file.vec3(scale);
    file.vec3(low);
    file.text(&frame.name, 16);
    for &(surface, vertex) in sources {
        let (position, normal) = frame.points[surface][vertex];
        let steps = DVec3::select(scale.cmpgt(DVec3::ZERO), (position - low) / scale, DVec3::ZERO);
        steps.to_array().into_iter().for_each(|step| file.u8(step.round().clamp(0.0, 255.0) as u8));
        file.u8(nearest(&MD2_NORMALS, normal) as u8);
    }
}

/// The command list: positive counts are strips, negative ones fans, zero ends it.
fn commands(joined: &Joined, skin_size: [u32; 2]) -> Bytes {
    let mut list = Bytes::default();
    for run in runs(&joined.triangles) {
        let count = run.corners.len() as i32;
        list.i32(if run.is_fan { -count } else { count });
        for (vertex, coordinate) in run.corners {
            for (texel, size) in joined.coordinates[coordinate].into_iter().zip(skin_size) {
                list.f32((f64::from(texel) + 0.5) / f64::from(size));
            }
            list.size(vertex);
        }
    }
    list.i32(0);
    list
}
