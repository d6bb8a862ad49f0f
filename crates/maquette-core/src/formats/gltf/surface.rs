//! Primitives: triangles, vertices, weights and morph targets.

use glam::{Vec2, Vec3};

use super::accessor::{Data, INDICES, JOINTS, VEC2, VEC3, VEC4};
use super::json::{Attributes, Material, Primitive, TextureTransform};
use super::{broken, lookup};
use crate::error::{LoadError, WarningKind};
use crate::model::u32_or_max;

const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

/// Offsets of a morph target, for each vertex.
pub(super) struct Target {
    pub positions: Vec<[f32; 3]>,
    pub normals: Vec<[f32; 3]>,
}

/// Weights of the joints of a skin.
#[derive(Default)]
pub(super) struct Influences {
    /// First influence and number of influences of each vertex.
    pub vertices: Vec<(u32, u32)>,
    /// Index into the joints of the skin, and share of the vertex.
    pub shares: Vec<(u32, f32)>,
}

/// Triangles of a primitive, in the space of its node.
pub(super) struct Shape {
    /// Corners in the order of the file, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    pub positions: Vec<[f32; 3]>,
    /// Normals; `None` if each triangle is flat and shares no vertices.
    pub normals: Option<Vec<[f32; 3]>>,
    pub uvs: Vec<Vec2>,
    pub targets: Vec<Target>,
    pub influences: Option<Influences>,
}

impl Shape {
    /// Reads a primitive. `None` if it has no triangles to show, which is a warning. `skin` is the number of joints of
    /// the skin.
    pub fn read(
        data: &Data,
        about: &str,
        primitive: &Primitive,
        skin: Option<usize>,
    ) -> Result<Option<Self>, LoadError> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if !(TRIANGLES..=TRIANGLE_FAN).contains(&mode) {
            data.warn(WarningKind::LeftOut, about, "points and lines are not shown; skipped");
            return Ok(None);
        }
        let Some(position) = primitive.attributes.get("POSITION").copied() else {
            data.warn(WarningKind::LeftOut, about, "the primitive has no positions; skipped");
            return Ok(None);
        };
        let positions = data.vectors::<3>(position, VEC3, about)?;
        let count = positions.len();
        let triangles = triangles(data, about, primitive, mode, count)?;
        let normals = match primitive.attributes.get("NORMAL") {
            Some(accessor) => Some(vectors(data, *accessor, count, about)?),
            None => None,
        };
        let targets = primitive.targets.iter().map(|target| {
            let offsets = |name: &str| match target.get(name) {
                Some(accessor) => vectors(data, *accessor, count, about),
                None => Ok(Vec::new()),
            };
            Ok(Target { positions: offsets("POSITION")?, normals: offsets("NORMAL")? })
        });
        let targets = targets.collect::<Result<_, LoadError>>()?;
        let influences = match skin {
            Some(joints) => influences(data, about, &primitive.attributes, count, joints)?,
            None => None,
        };
        let uvs = texture_coordinates(data, about, primitive, count)?;
        let shape = Self { triangles, positions, normals, uvs, targets, influences };
        if shape.normals.is_some() { Ok(Some(shape)) } else { shape.divided(data, about).map(Some) }
    }

    /// Splits the vertices that triangles share.
    fn divided(self, data: &Data, about: &str) -> Result<Self, LoadError> {
        let corners = self.triangles.as_flattened();
        let offsets = self.targets.iter().filter(|target| !target.positions.is_empty()).count();
        data.claim(about, (corners.len() as u64).saturating_mul(20 + 12 * offsets as u64))?;
        let of = |list: &[[f32; 3]]| corners.iter().filter_map(|corner| list.get(*corner as usize).copied()).collect();
        let influences = match &self.influences {
            Some(Influences { vertices, shares }) => {
                let mut own = Influences::default();
                for corner in corners {
                    let (first, count) = vertices.get(*corner as usize).copied().unwrap_or_default();
                    let first = first as usize;
                    data.claim(about, u64::from(count) * 8)?;
                    own.vertices.push((u32_or_max(own.shares.len()), count));
                    own.shares.extend(shares.get(first..first + count as usize).unwrap_or_default());
                }
                Some(own)
            }
            None => None,
        };
        let targets =
            self.targets.iter().map(|target| Target { positions: of(&target.positions), normals: Vec::new() });
        Ok(Self {
            triangles: (0..u32_or_max(self.triangles.len()))
                .map(|index| [0, 1, 2].map(|corner| index * 3 + corner))
                .collect(),
            positions: of(&self.positions),
            normals: None,
            uvs: corners.iter().filter_map(|corner| self.uvs.get(*corner as usize).copied()).collect(),
            targets: targets.collect(),
            influences,
        })
    }

    /// Writes the positions and normals after morphing. Without normals, `normals` stays empty.
    pub fn morphed(&self, weights: &[f64], positions: &mut Vec<Vec3>, normals: &mut Vec<Vec3>) {
        positions.clear();
        positions.extend(self.positions.iter().map(|position| Vec3::from_array(*position)));
        normals.clear();
        normals.extend(self.normals.iter().flatten().map(|normal| Vec3::from_array(*normal)));
        for (target, weight) in self.targets.iter().zip(weights).filter(|(_, weight)| **weight != 0.0) {
            #[allow(clippy::cast_possible_truncation, reason = "vertices have single precision")]
            let weight = *weight as f32;
            let add = |(sum, offset): (&mut Vec3, &[f32; 3])| *sum += Vec3::from_array(*offset) * weight;
            positions.iter_mut().zip(&target.positions).for_each(add);
            normals.iter_mut().zip(&target.normals).for_each(add);
        }
    }
}

fn vectors(data: &Data, accessor: u32, count: usize, about: &str) -> Result<Vec<[f32; 3]>, LoadError> {
    let vectors = data.vectors::<3>(accessor, VEC3, about)?;
    same_count(vectors.len(), count, accessor)?;
    Ok(vectors)
}

fn same_count(found: usize, count: usize, accessor: u32) -> Result<(), LoadError> {
    if found == count {
        return Ok(());
    }
    Err(broken(&format!("accessor {accessor}"), format!("{found} elements for {count} vertices")))
}

fn triangles(
    data: &Data,
    about: &str,
    primitive: &Primitive,
    mode: u32,
    vertices: usize,
) -> Result<Vec<[u32; 3]>, LoadError> {
    let count = u32_or_max(vertices);
    let corners = match primitive.indices {
        Some(accessor) => data.whole_numbers(accessor, INDICES, about)?,
        None => {
            data.claim(about, u64::from(count) * 4)?;
            (0..count).collect()
        }
    };
    let all: Vec<[u32; 3]> = match mode {
        TRIANGLES => {
            let (triangles, left) = corners.as_chunks::<3>();
            if !left.is_empty() {
                let message = format!("{} corners are left over after the last triangle; skipped", left.len());
                data.warn(WarningKind::LeftOut, about, message);
            }
            triangles.to_vec()
        }
        TRIANGLE_STRIP => {
            let odd = |(index, corners): (usize, &[u32; 3])| {
                let [a, b, c] = *corners;
                if index % 2 == 0 { [a, b, c] } else { [a, c, b] }
            };
            corners.array_windows::<3>().enumerate().map(odd).collect()
        }
        _ => {
            let centre = corners.first().copied().unwrap_or(0);
            let rim = corners.get(1..).unwrap_or_default();
            rim.array_windows::<2>().map(|[a, b]| [*a, *b, centre]).collect()
        }
    };
    if all.as_flattened().iter().fold(0, |last, corner| last.max(*corner)) < count {
        return Ok(all);
    }
    let known = all.len();
    let kept: Vec<[u32; 3]> = all.into_iter().filter(|corners| corners.iter().all(|corner| *corner < count)).collect();
    if kept.len() < known {
        let dropped = known - kept.len();
        let message = format!("{dropped} of {known} triangles name vertices that do not exist; skipped");
        data.warn(WarningKind::LeftOut, about, message);
    }
    Ok(kept)
}

fn texture_coordinates(data: &Data, about: &str, primitive: &Primitive, count: usize) -> Result<Vec<Vec2>, LoadError> {
    let material: Option<&Material> = match primitive.material {
        Some(material) => Some(lookup(&data.document.materials, material, about)?),
        None => None,
    };
    let info = material.and_then(|material| material.pbr_metallic_roughness.as_ref()?.base_color_texture.as_ref());
    let transform = info.and_then(|info| info.extensions.as_ref()?.transform.as_ref());
    let set = transform.and_then(|transform| transform.tex_coord).or(info.map(|info| info.tex_coord)).unwrap_or(0);
    let Some(accessor) = primitive.attributes.get(&format!("TEXCOORD_{set}")) else {
        data.claim(about, 8 * count as u64)?;
        return Ok(vec![Vec2::ZERO; count]);
    };
    let uvs = data.vectors::<2>(*accessor, VEC2, about)?;
    same_count(uvs.len(), count, *accessor)?;
    Ok(uvs.into_iter().map(|uv| transformed(Vec2::from_array(uv), transform)).collect())
}

/// Applies `KHR_texture_transform`.
fn transformed(uv: Vec2, transform: Option<&TextureTransform>) -> Vec2 {
    let Some(transform) = transform else { return uv };
    let (sin, cos) = transform.rotation.unwrap_or(0.0).sin_cos();
    let scaled = uv * Vec2::from_array(transform.scale.unwrap_or([1.0; 2]));
    let turned = Vec2::new(cos * scaled.x + sin * scaled.y, cos * scaled.y - sin * scaled.x);
    let moved = turned + Vec2::from_array(transform.offset.unwrap_or_default());
    if moved.is_finite() { moved } else { uv }
}

/// Reads all sets of joints and weights. `None` if there are none.
fn influences(
    data: &Data,
    about: &str,
    attributes: &Attributes,
    count: usize,
    joints: usize,
) -> Result<Option<Influences>, LoadError> {
    let mut sets = Vec::new();
    for set in 0..attributes.len() {
        let [joints, weights] =
            [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")].map(|name| attributes.get(&name).copied());
        let (Some(joints), Some(weights)) = (joints, weights) else { break };
        let own = data.whole_numbers(joints, JOINTS, about)?.as_chunks::<4>().0.to_vec();
        same_count(own.len(), count, joints)?;
        let shares = data.vectors::<4>(weights, VEC4, about)?;
        same_count(shares.len(), count, weights)?;
        sets.push((own, shares));
    }
    let Some((first_set, _)) = sets.first() else {
        data.warn(WarningKind::Substituted, about, "the mesh has a skin, but no weights; it follows its node");
        return Ok(None);
    };
    let mut influences = Influences::default();
    influences.vertices.reserve_exact(count);
    influences.shares.reserve(count * 2);
    let (mut free, mut negative) = (0, 0);
    for vertex in 0..count {
        let first = influences.shares.len();
        for (joint, share) in sets.iter().filter_map(|(own, shares)| Some((own.get(vertex)?, shares.get(vertex)?))) {
            for (joint, share) in joint.iter().zip(share).filter(|(_, share)| **share != 0.0) {
                if *joint as usize >= joints {
                    let why = format!("vertex {vertex} names joint {joint} of a skin with {joints} joints");
                    return Err(broken(about, why));
                }
                if *share < 0.0 {
                    negative += 1;
                    continue;
                }
                influences.shares.push((*joint, *share));
            }
        }
        let own = influences.shares.get_mut(first..).unwrap_or_default();
        let sum: f32 = own.iter().map(|(_, share)| share).sum();
        own.iter_mut().for_each(|(_, share)| *share /= sum);
        if own.is_empty() {
            let joint = first_set.get(vertex).map_or(0, |[joint, ..]| *joint);
            free += 1;
            influences.shares.push((if (joint as usize) < joints { joint } else { 0 }, 1.0));
        }
        influences.vertices.push((u32_or_max(first), u32_or_max(influences.shares.len() - first)));
    }
    let warn = |count: usize, message: &str| {
        if count > 0 {
            data.warn(WarningKind::Substituted, about, format!("{count} {message}"));
        }
    };
    warn(free, "vertices have no weight; attached to their first joint");
    warn(negative, "weights are negative; skipped");
    Ok(Some(influences))
}
