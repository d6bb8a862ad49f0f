//! Primitives: triangles, vertices, weights and morph targets.

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::accessor::{Data, INDICES, JOINTS, VEC2, VEC3, VEC4, VertexList};
use super::json::{Attributes, Material, Primitive, TextureTransform, attribute};
use super::weights::TargetWeights;
use super::{broken, lookup};
use crate::error::{LoadError, WarningKind};
use crate::model::u32_or_max;
use crate::pose::PosedSurface;

const TRIANGLES: u32 = 4;
const TRIANGLE_STRIP: u32 = 5;
const TRIANGLE_FAN: u32 = 6;

/// Weights of the joints of a skin.
#[derive(Default)]
pub(super) struct Influences {
    /// First influence and number of influences of each vertex.
    pub vertices: Vec<(u32, u32)>,
    /// Index into the joints of the skin, and share of the vertex.
    pub shares: Vec<(u32, f32)>,
}

impl Influences {
    /// Returns the joints of the skin that move a vertex, and their shares.
    pub fn of(&self, vertex: usize) -> &[(u32, f32)] {
        let (first, count) = self.vertices.get(vertex).copied().unwrap_or_default();
        self.shares.get(first as usize..(first + count) as usize).unwrap_or_default()
    }
}

/// Vertices of a primitive, in the space of its node. A file may have 65,535 of them.
pub(super) struct Shape {
    pub positions: Box<[Vec3]>,
    /// Normals; `None` if each triangle is flat and shares no vertices.
    pub normals: Option<Box<[Vec3]>>,
    pub targets: Box<[PosedSurface]>,
    pub influences: Option<Box<Influences>>,
}

/// Part of a primitive that its surface holds.
pub(super) struct Topology {
    /// Corners in the order of the file, counter-clockwise seen from outside.
    pub triangles: Vec<[u32; 3]>,
    pub uvs: Vec<Vec2>,
    /// Packed as in [`SurfaceData`](crate::model::SurfaceData). `None` if all are white.
    pub colours: Option<Arc<[i32]>>,
}

impl Shape {
    /// Reads a primitive. `None` if it has no triangles to show, which is a warning. `skin` is the number of joints of
    /// the skin.
    pub fn read(
        data: &Data,
        about: &str,
        primitive: &Primitive,
        skin: Option<usize>,
    ) -> Result<Option<(Self, Topology)>, LoadError> {
        let mode = primitive.mode.unwrap_or(TRIANGLES);
        if !(TRIANGLES..=TRIANGLE_FAN).contains(&mode) {
            data.warn(WarningKind::NotShown, about, "points and lines are not shown; skipped");
            return Ok(None);
        }
        let Some(position) = attribute(&primitive.attributes, "POSITION") else {
            data.warn(WarningKind::LeftOut, about, "the primitive has no positions; skipped");
            return Ok(None);
        };
        let stored = data.count(position, VEC3, about)?;
        let mut triangles = triangles(data, about, primitive, mode, stored)?;
        let normal = attribute(&primitive.attributes, "NORMAL");
        let vertices = match normal {
            Some(_) => VertexList::used_by(&mut triangles, stored),
            None => VertexList::of_corners(&mut triangles, stored),
        };
        let positions = vectors(data, position, &vertices, about)?.into();
        let normals = match normal {
            Some(accessor) => Some(vectors(data, accessor, &vertices, about)?.into()),
            None => None,
        };
        let targets = primitive.targets.iter().map(|target| {
            let offsets = |name: &str| match attribute(target, name) {
                Some(accessor) => vectors(data, accessor, &vertices, about),
                None => Ok(Vec::new()),
            };
            let normals = if normal.is_some() { offsets("NORMAL")? } else { Vec::new() };
            Ok(PosedSurface { positions: offsets("POSITION")?, normals, ..PosedSurface::default() })
        });
        let targets = targets.collect::<Result<_, LoadError>>()?;
        let influences = match skin {
            Some(joints) => influences(data, about, &primitive.attributes, &vertices, joints)?.map(Box::new),
            None => None,
        };
        let uvs = texture_coordinates(data, about, primitive, &vertices)?;
        let colours = colours(data, about, primitive, &vertices).unwrap_or_else(|error| {
            data.warn(
                WarningKind::LeftOut,
                about,
                format!("the colours of the vertices are skipped: {}", error.reason),
            );
            None
        });
        Ok(Some((Self { positions, normals, targets, influences }, Topology { triangles, uvs, colours })))
    }

    /// Returns the positions and normals after morphing, which are in `buffer` if targets change them. Without normals,
    /// the second list is empty.
    pub fn morphed<'a>(&'a self, weights: &TargetWeights, buffer: &'a mut PosedSurface) -> (&'a [Vec3], &'a [Vec3]) {
        let normals = self.normals.as_deref().unwrap_or_default();
        if weights.is_empty() {
            return (&self.positions, normals);
        }
        for (own, stored) in [(&mut buffer.positions, &*self.positions), (&mut buffer.normals, normals)] {
            own.clear();
            own.extend_from_slice(stored);
        }
        for (target, weight) in weights {
            let Some(target) = self.targets.get(*target as usize) else { continue };
            let weight = *weight as f32;
            let add = |(sum, offset): (&mut Vec3, &Vec3)| *sum += *offset * weight;
            buffer.positions.iter_mut().zip(&target.positions).for_each(add);
            buffer.normals.iter_mut().zip(&target.normals).for_each(add);
        }
        (&buffer.positions, &buffer.normals)
    }

    /// Returns the mean squared distance between the vertices with two sets of weights.
    pub fn step(&self, a: &TargetWeights, b: &TargetWeights) -> f64 {
        let [mut own, mut other] = [PosedSurface::default(), PosedSurface::default()];
        let (own, other) = (self.morphed(a, &mut own).0, self.morphed(b, &mut other).0);
        let squares = own.iter().zip(other).map(|(a, b)| f64::from(a.distance_squared(*b)));
        squares.sum::<f64>() / own.len().max(1) as f64
    }
}

fn vectors(data: &Data, accessor: u32, vertices: &VertexList, about: &str) -> Result<Vec<Vec3>, LoadError> {
    Ok(data.elements(accessor, VEC3, vertices, about)?.into_iter().map(Vec3::from_array).collect())
}

fn triangles(
    data: &Data,
    about: &str,
    primitive: &Primitive,
    mode: u32,
    count: u32,
) -> Result<Vec<[u32; 3]>, LoadError> {
    let all: Vec<[u32; 3]> = match mode {
        TRIANGLES => {
            let length = match primitive.indices {
                Some(accessor) => lookup(&data.document.accessors, accessor, about)?.count,
                None => count.into(),
            };
            if !length.is_multiple_of(3) {
                let message = format!("{} corners are left over after the last triangle; skipped", length % 3);
                data.warn(WarningKind::LeftOut, about, message);
            }
            corners(data, about, primitive, count)?
        }
        TRIANGLE_STRIP => {
            let odd = |(index, corners): (usize, &[u32; 3])| {
                let [a, b, c] = *corners;
                if index % 2 == 0 { [a, b, c] } else { [a, c, b] }
            };
            let corners = corners::<1>(data, about, primitive, count)?;
            corners.as_flattened().array_windows().enumerate().map(odd).collect()
        }
        _ => {
            let corners = corners::<1>(data, about, primitive, count)?;
            let (centre, rim) = corners.as_flattened().split_first().unwrap_or((&0, &[]));
            rim.array_windows().map(|[a, b]| [*a, *b, *centre]).collect()
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

/// Returns the vertices of the corners in groups of `N`.
fn corners<const N: usize>(
    data: &Data,
    about: &str,
    primitive: &Primitive,
    vertices: u32,
) -> Result<Vec<[u32; N]>, LoadError> {
    let Some(accessor) = primitive.indices else {
        data.claim(about, u64::from(vertices) * 4)?;
        let all: Vec<u32> = (0..vertices).collect();
        return Ok(all.as_chunks().0.to_vec());
    };
    data.groups(accessor, INDICES, about)
}

fn texture_coordinates(
    data: &Data,
    about: &str,
    primitive: &Primitive,
    vertices: &VertexList,
) -> Result<Vec<Vec2>, LoadError> {
    let material: Option<&Material> = match primitive.material {
        Some(material) => Some(lookup(&data.document.materials, material, about)?),
        None => None,
    };
    let info = material.and_then(|material| material.base_colour().0);
    let transform = info.and_then(|info| info.extensions.as_ref()?.transform.as_ref());
    let set = transform.and_then(|transform| transform.tex_coord).or(info.map(|info| info.tex_coord)).unwrap_or(0);
    let Some(accessor) = attribute(&primitive.attributes, &format!("TEXCOORD_{set}")) else {
        data.claim(about, 8 * vertices.len() as u64)?;
        return Ok(vec![Vec2::ZERO; vertices.len()]);
    };
    let uvs = data.elements(accessor, VEC2, vertices, about)?;
    Ok(uvs.into_iter().map(|uv| transformed(Vec2::from_array(uv), transform)).collect())
}

/// Reads the linear factors of `COLOR_0`, in the encoding of images, which games multiply with the texture.
fn colours(
    data: &Data,
    about: &str,
    primitive: &Primitive,
    vertices: &VertexList,
) -> Result<Option<Arc<[i32]>>, LoadError> {
    let Some(accessor) = attribute(&primitive.attributes, "COLOR_0") else { return Ok(None) };
    let factors = match lookup(&data.document.accessors, accessor, about)?.shape.as_str() {
        "VEC3" => {
            let opaque = data.elements(accessor, VEC3, vertices, about)?;
            opaque.into_iter().map(|[r, g, b]: [f32; 3]| [r, g, b, 1.0]).collect()
        }
        _ => data.elements(accessor, VEC4, vertices, about)?,
    };
    let byte = |part: f32| (part * 255.0).round().clamp(0.0, 255.0) as u8;
    let encoded = |part: f32| if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 };
    let packed = |[r, g, b, a]: [f32; 4]| {
        let [r, g, b] = [r, g, b].map(|part| byte(encoded(part)));
        i32::from_le_bytes([r, g, b, byte(a)])
    };
    let colours: Arc<[i32]> = factors.into_iter().map(packed).collect();
    Ok(Some(colours).filter(|colours| colours.iter().any(|colour| *colour != -1)))
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
    vertices: &VertexList,
    joints: usize,
) -> Result<Option<Influences>, LoadError> {
    let mut sets = Vec::new();
    for set in 0..attributes.len() {
        let [joints, weights] =
            [format!("JOINTS_{set}"), format!("WEIGHTS_{set}")].map(|name| attribute(attributes, &name));
        let (Some(joints), Some(weights)) = (joints, weights) else { break };
        let own = data.elements::<u32, 4>(joints, JOINTS, vertices, about)?;
        sets.push((own, data.elements::<f32, 4>(weights, VEC4, vertices, about)?));
    }
    let Some((first_set, _)) = sets.first() else {
        data.warn(WarningKind::Substituted, about, "the mesh has a skin, but no weights; it follows its node");
        return Ok(None);
    };
    let count = vertices.len();
    let mut influences = Influences::default();
    influences.vertices.reserve_exact(count);
    influences.shares.reserve(count * 2);
    let (mut free, mut negative) = (0, 0);
    for vertex in 0..count {
        let first = influences.shares.len();
        for (joint, share) in sets.iter().filter_map(|(own, shares)| Some((own.get(vertex)?, shares.get(vertex)?))) {
            for (joint, share) in joint.iter().zip(share).filter(|(_, share)| **share != 0.0) {
                if *joint as usize >= joints {
                    let vertex = vertices.stored_index(vertex);
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
