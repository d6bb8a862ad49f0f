//! Unit normals packed into one or two bytes.
//!
//! - MD2: an index into 162 vectors, the vertices of a subdivided icosahedron (the published MD2 description lists them).
//! - MD3 and MDC key frames: zenith and azimuth, a byte each.
//! - MDC delta frames: an index into 256 vectors on rings (published MDC description, with y corrected to sin σ · sin ρ).

use std::f32::consts::TAU;
use std::sync::LazyLock;

use glam::Vec3;

use super::nearest_normal::NearestNormal;

/// Unpacks an MD3 normal: the **low** byte is the angle from +Z, the **high** byte the azimuth from +X towards +Y, both
/// in 1/256 turns. The published MD3 description swaps them when encoding, which contradicts the geometry of real
/// files.
pub fn zenith_azimuth(normal: u16) -> Vec3 {
    let [zenith, azimuth] = normal.to_le_bytes();
    let (sin_zenith, cos_zenith) = SIN_COS[usize::from(zenith)];
    let (sin_azimuth, cos_azimuth) = SIN_COS[usize::from(azimuth)];
    Vec3::new(cos_azimuth * sin_zenith, sin_azimuth * sin_zenith, cos_zenith)
}

/// Packs a normal for [`zenith_azimuth`]. A zero vector becomes straight up.
pub fn nearest_zenith_azimuth(normal: Vec3) -> u16 {
    let normal = normal.normalize_or(Vec3::Z);
    let steps = |radians: f32| (radians * (256.0 / TAU)).round().rem_euclid(256.0) as u8;
    let zenith = steps(normal.z.clamp(-1.0, 1.0).acos());
    // The azimuth is arbitrary at the poles.
    let azimuth = if zenith == 0 || zenith == 128 { 0 } else { steps(normal.y.atan2(normal.x)) };
    u16::from_le_bytes([zenith, azimuth])
}

static SIN_COS: LazyLock<[(f32, f32); 256]> =
    LazyLock::new(|| std::array::from_fn(|step| (step as f32 * (TAU / 256.0)).sin_cos()));

/// Unpacks the normal index of an MDC delta frame. The normal replaces that of the key frame.
pub fn ring_normal(index: u8) -> Vec3 {
    RING_NORMALS[usize::from(index)]
}

/// Rings of the 256 normals: number of vectors, and angle from +Z in steps of 11.25 degrees.
const RINGS: [(u8, u8); 15] = [
    (32, 8),
    (28, 9),
    (24, 10),
    (20, 11),
    (16, 12),
    (12, 13),
    (8, 14),
    (4, 15),
    (28, 7),
    (24, 6),
    (20, 5),
    (16, 4),
    (12, 3),
    (8, 2),
    (4, 1),
];

static RING_NORMALS: LazyLock<[Vec3; 256]> = LazyLock::new(|| {
    let mut normals = RINGS.iter().flat_map(|(count, steps)| {
        let (sin_zenith, cos_zenith) = (f32::from(*steps) * (TAU / 32.0)).sin_cos();
        (0..*count).map(move |k| {
            let (sin, cos) = (f32::from(k) * TAU / f32::from(*count)).sin_cos();
            Vec3::new(cos * sin_zenith, sin * sin_zenith, cos_zenith)
        })
    });
    std::array::from_fn(|_| normals.next().unwrap_or(Vec3::Z))
});

/// Returns the index of the nearest MDC delta normal.
pub fn nearest_ring_normal(normal: Vec3) -> u8 {
    static NEAREST: LazyLock<NearestNormal> = LazyLock::new(|| NearestNormal::new(RING_NORMALS.as_slice()));
    NEAREST.find(normal)
}

/// Unpacks an MD2 normal index; an index above 161 becomes +Z.
pub fn table_normal(index: u8) -> Vec3 {
    MD2_NORMALS.get(usize::from(index)).map_or(Vec3::Z, |normal| Vec3::from_array(*normal))
}

/// Returns whether all normal indices of MD2 vertices are in the table. Branch-free, so that it vectorises.
pub(crate) fn are_in_table(vertices: &[[u8; 4]]) -> bool {
    // An index beyond the table carries into the ninth bit.
    const CARRY: u32 = 256;
    let carried = |vertex: &[u8; 4]| (u32::from_le_bytes(*vertex) >> 24) + CARRY - MD2_NORMALS.len() as u32;
    vertices.iter().fold(0, |all, vertex| all | carried(vertex)) < CARRY
}

/// Returns the index of the nearest MD2 normal.
pub fn nearest_table_normal(normal: Vec3) -> u8 {
    static NEAREST: LazyLock<NearestNormal> = LazyLock::new(|| {
        let normals: Vec<Vec3> = MD2_NORMALS.iter().map(|normal| Vec3::from_array(*normal)).collect();
        NearestNormal::new(&normals)
    });
    NEAREST.find(normal)
}

/// The 162 unit normals of MD2 (and of Quake's MDL).
#[rustfmt::skip]
pub const MD2_NORMALS: [[f32; 3]; 162] = [
    [-0.525731, 0.000000, 0.850651], [-0.442863, 0.238856, 0.864188], [-0.295242, 0.000000, 0.955423],
    [-0.309017, 0.500000, 0.809017], [-0.162460, 0.262866, 0.951056], [0.000000, 0.000000, 1.000000],
    [0.000000, 0.850651, 0.525731], [-0.147621, 0.716567, 0.681718], [0.147621, 0.716567, 0.681718],
    [0.000000, 0.525731, 0.850651], [0.309017, 0.500000, 0.809017], [0.525731, 0.000000, 0.850651],
    [0.295242, 0.000000, 0.955423], [0.442863, 0.238856, 0.864188], [0.162460, 0.262866, 0.951056],
    [-0.681718, 0.147621, 0.716567], [-0.809017, 0.309017, 0.500000], [-0.587785, 0.425325, 0.688191],
    [-0.850651, 0.525731, 0.000000], [-0.864188, 0.442863, 0.238856], [-0.716567, 0.681718, 0.147621],
    [-0.688191, 0.587785, 0.425325], [-0.500000, 0.809017, 0.309017], [-0.238856, 0.864188, 0.442863],
    [-0.425325, 0.688191, 0.587785], [-0.716567, 0.681718, -0.147621], [-0.500000, 0.809017, -0.309017],
    [-0.525731, 0.850651, 0.000000], [0.000000, 0.850651, -0.525731], [-0.238856, 0.864188, -0.442863],
    [0.000000, 0.955423, -0.295242], [-0.262866, 0.951056, -0.162460], [0.000000, 1.000000, 0.000000],
    [0.000000, 0.955423, 0.295242], [-0.262866, 0.951056, 0.162460], [0.238856, 0.864188, 0.442863],
    [0.262866, 0.951056, 0.162460], [0.500000, 0.809017, 0.309017], [0.238856, 0.864188, -0.442863],
    [0.262866, 0.951056, -0.162460], [0.500000, 0.809017, -0.309017], [0.850651, 0.525731, 0.000000],
    [0.716567, 0.681718, 0.147621], [0.716567, 0.681718, -0.147621], [0.525731, 0.850651, 0.000000],
    [0.425325, 0.688191, 0.587785], [0.864188, 0.442863, 0.238856], [0.688191, 0.587785, 0.425325],
    [0.809017, 0.309017, 0.500000], [0.681718, 0.147621, 0.716567], [0.587785, 0.425325, 0.688191],
    [0.955423, 0.295242, 0.000000], [1.000000, 0.000000, 0.000000], [0.951056, 0.162460, 0.262866],
    [0.850651, -0.525731, 0.000000], [0.955423, -0.295242, 0.000000], [0.864188, -0.442863, 0.238856],
    [0.951056, -0.162460, 0.262866], [0.809017, -0.309017, 0.500000], [0.681718, -0.147621, 0.716567],
    [0.850651, 0.000000, 0.525731], [0.864188, 0.442863, -0.238856], [0.809017, 0.309017, -0.500000],
    [0.951056, 0.162460, -0.262866], [0.525731, 0.000000, -0.850651], [0.681718, 0.147621, -0.716567],
    [0.681718, -0.147621, -0.716567], [0.850651, 0.000000, -0.525731], [0.809017, -0.309017, -0.500000],
    [0.864188, -0.442863, -0.238856], [0.951056, -0.162460, -0.262866], [0.147621, 0.716567, -0.681718],
    [0.309017, 0.500000, -0.809017], [0.425325, 0.688191, -0.587785], [0.442863, 0.238856, -0.864188],
    [0.587785, 0.425325, -0.688191], [0.688191, 0.587785, -0.425325], [-0.147621, 0.716567, -0.681718],
    [-0.309017, 0.500000, -0.809017], [0.000000, 0.525731, -0.850651], [-0.525731, 0.000000, -0.850651],
    [-0.442863, 0.238856, -0.864188], [-0.295242, 0.000000, -0.955423], [-0.162460, 0.262866, -0.951056],
    [0.000000, 0.000000, -1.000000], [0.295242, 0.000000, -0.955423], [0.162460, 0.262866, -0.951056],
    [-0.442863, -0.238856, -0.864188], [-0.309017, -0.500000, -0.809017], [-0.162460, -0.262866, -0.951056],
    [0.000000, -0.850651, -0.525731], [-0.147621, -0.716567, -0.681718], [0.147621, -0.716567, -0.681718],
    [0.000000, -0.525731, -0.850651], [0.309017, -0.500000, -0.809017], [0.442863, -0.238856, -0.864188],
    [0.162460, -0.262866, -0.951056], [0.238856, -0.864188, -0.442863], [0.500000, -0.809017, -0.309017],
    [0.425325, -0.688191, -0.587785], [0.716567, -0.681718, -0.147621], [0.688191, -0.587785, -0.425325],
    [0.587785, -0.425325, -0.688191], [0.000000, -0.955423, -0.295242], [0.000000, -1.000000, 0.000000],
    [0.262866, -0.951056, -0.162460], [0.000000, -0.850651, 0.525731], [0.000000, -0.955423, 0.295242],
    [0.238856, -0.864188, 0.442863], [0.262866, -0.951056, 0.162460], [0.500000, -0.809017, 0.309017],
    [0.716567, -0.681718, 0.147621], [0.525731, -0.850651, 0.000000], [-0.238856, -0.864188, -0.442863],
    [-0.500000, -0.809017, -0.309017], [-0.262866, -0.951056, -0.162460], [-0.850651, -0.525731, 0.000000],
    [-0.716567, -0.681718, -0.147621], [-0.716567, -0.681718, 0.147621], [-0.525731, -0.850651, 0.000000],
    [-0.500000, -0.809017, 0.309017], [-0.238856, -0.864188, 0.442863], [-0.262866, -0.951056, 0.162460],
    [-0.864188, -0.442863, 0.238856], [-0.809017, -0.309017, 0.500000], [-0.688191, -0.587785, 0.425325],
    [-0.681718, -0.147621, 0.716567], [-0.442863, -0.238856, 0.864188], [-0.587785, -0.425325, 0.688191],
    [-0.309017, -0.500000, 0.809017], [-0.147621, -0.716567, 0.681718], [-0.425325, -0.688191, 0.587785],
    [-0.162460, -0.262866, 0.951056], [0.442863, -0.238856, 0.864188], [0.162460, -0.262866, 0.951056],
    [0.309017, -0.500000, 0.809017], [0.147621, -0.716567, 0.681718], [0.000000, -0.525731, 0.850651],
    [0.425325, -0.688191, 0.587785], [0.587785, -0.425325, 0.688191], [0.688191, -0.587785, 0.425325],
    [-0.955423, 0.295242, 0.000000], [-0.951056, 0.162460, 0.262866], [-1.000000, 0.000000, 0.000000],
    [-0.850651, 0.000000, 0.525731], [-0.955423, -0.295242, 0.000000], [-0.951056, -0.162460, 0.262866],
    [-0.864188, 0.442863, -0.238856], [-0.951056, 0.162460, -0.262866], [-0.809017, 0.309017, -0.500000],
    [-0.864188, -0.442863, -0.238856], [-0.951056, -0.162460, -0.262866], [-0.809017, -0.309017, -0.500000],
    [-0.681718, 0.147621, -0.716567], [-0.681718, -0.147621, -0.716567], [-0.850651, 0.000000, -0.525731],
    [-0.688191, 0.587785, -0.425325], [-0.587785, 0.425325, -0.688191], [-0.425325, 0.688191, -0.587785],
    [-0.425325, -0.688191, -0.587785], [-0.587785, -0.425325, -0.688191], [-0.688191, -0.587785, -0.425325],
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_packed_normal_is_optimal() {
        let directions = (0..4000).map(|index| {
            // Evenly distributed over the sphere.
            let z = 1.0 - (index as f32 + 0.5) / 2000.0;
            let (sin, cos) = (index as f32 * 2.399_963).sin_cos();
            Vec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + Vec3::Z * z
        });
        for direction in directions.chain([Vec3::X, Vec3::NEG_Y, Vec3::NEG_Z, Vec3::ONE, -Vec3::ONE]) {
            let best = |count: u8, normal: fn(u8) -> Vec3| {
                (0..=count).map(|index| normal(index).dot(direction)).fold(-2.0, f32::max)
            };
            assert!(table_normal(nearest_table_normal(direction)).dot(direction) >= best(161, table_normal) - 1e-6);
            assert!(ring_normal(nearest_ring_normal(direction)).dot(direction) >= best(255, ring_normal) - 1e-6);
        }
    }
}
