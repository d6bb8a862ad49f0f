//! Static meshes of polygon formats (ASE, LWO, OBJ, 3DS, DXF). Each corner of a polygon combines a position, a normal and texture
//! coordinates; a model needs a vertex for each combination.

use std::hash::Hash;

use foldhash::{HashMap, HashMapExt as _};
use glam::{Vec2, Vec3};

use super::frame_names;
use super::write::OTHER_MOTION;
use crate::budget::Budget;
use crate::error::{Reason, WriteError};
use crate::model::{
    Detail, FloatVertex, Format, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices,
    Surface, SurfaceData, TagTrack, u32_or_max,
};

/// Corner of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    /// Index into the positions.
    pub position: u32,
    pub normal: Vec3,
    pub uv: Vec2,
    /// Red, green, blue and alpha.
    pub colour: [u8; 4],
}

impl Corner {
    /// Returns everything but the position, as it is stored.
    fn bits(&self) -> ([u32; 3], [u32; 2], [u8; 4]) {
        (self.normal.to_array().map(f32::to_bits), self.uv.to_array().map(f32::to_bits), self.colour)
    }
}

/// Colour of corners without a colour.
pub(super) const WHITE: [u8; 4] = [255; 4];

/// Converts parts of a colour from 0 to 1.
pub(super) fn colour(parts: [f32; 4]) -> [u8; 4] {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast clamps")]
    parts.map(|part| (part * 255.0) as u8)
}

/// Index of what a corner or a list does not have.
pub(super) const NONE: u32 = u32::MAX;

/// Indices of a corner into the positions, texture coordinates, normals and colours, or [`NONE`].
pub(super) type Indices = [u32; 4];
pub(super) const NORMAL: usize = 2;

/// Triangle with clockwise corners.
#[derive(Clone, Copy)]
pub(super) struct Face {
    pub corners: [Indices; 3],
    /// Smoothing groups, as the format stores them.
    pub smoothing: u32,
    /// Number of the part that has the face.
    pub part: i64,
}

impl Face {
    /// Face without corners.
    pub const EMPTY: Self = Self { corners: [[NONE; 4]; 3], smoothing: 0, part: 0 };
}

/// Lists of a text format, and the faces with indices into them.
#[derive(Default)]
pub(super) struct Polygons {
    pub positions: Vec<Vec3>,
    pub uvs: Vec<Vec2>,
    pub normals: Vec<Vec3>,
    pub colours: Vec<[u8; 4]>,
    pub faces: Vec<Face>,
    /// Latest stored normal of each position; empty if no normal belongs to one.
    of_positions: Vec<u32>,
}

impl Polygons {
    /// Adds the stored normal of a position, and of the corner of a face at that position. Normals without length are
    /// ignored.
    pub fn add_normal(&mut self, face: usize, position: u32, normal: Vec3) {
        let Some(normal) = normal.try_normalize() else { return };
        let index = u32_or_max(self.normals.len());
        self.normals.push(normal);
        self.of_positions.resize(self.positions.len(), NONE);
        self.of_positions.get_mut(position as usize).into_iter().for_each(|latest| *latest = index);
        let mut corners = self.faces.get_mut(face).into_iter().flat_map(|face| &mut face.corners);
        if let Some(corner) = corners.find(|corner| corner[0] == position && corner[NORMAL] == NONE) {
            corner[NORMAL] = index;
        }
    }

    /// Completes the normals of corners: those of the positions, or of the faces if other positions have one. Without these
    /// they are the sums of the faces whose smoothing groups `joins` joins, weighted by area.
    pub fn smooth(&mut self, comparisons: &mut Budget, joins: impl Fn(u32, u32) -> bool) {
        let has_some = !self.of_positions.is_empty();
        for corner in self.faces.iter_mut().filter(|_| has_some).flat_map(|face| &mut face.corners) {
            let normal = self.of_positions.get(corner[0] as usize).copied().filter(|_| corner[NORMAL] == NONE);
            corner[NORMAL] = normal.unwrap_or(corner[NORMAL]);
        }
        if !self.faces.iter().flat_map(|face| &face.corners).any(|corner| corner[NORMAL] == NONE) {
            return;
        }
        let at = |[index, ..]: Indices| self.positions.get(index as usize).copied().unwrap_or_default();
        let area = |[a, b, c]: [Vec3; 3]| (c - a).cross(b - a);
        let areas: Vec<Vec3> = self.faces.iter().map(|face| area(face.corners.map(at))).collect();
        let corners: Vec<(u32, u32)> =
            (0..).zip(&self.faces).flat_map(|(face, own)| own.corners.map(|[position, ..]| (position, face))).collect();
        let smoothing = |face: usize| self.faces.get(face).map_or(0, |face| face.smoothing);
        let joins = |a, b| !has_some && joins(smoothing(a), smoothing(b));
        let computed = smooth_corners(&corners, self.positions.len(), &areas, joins, comparisons);
        for (corner, normal) in self.faces.iter_mut().flat_map(|face| &mut face.corners).zip(computed) {
            if corner[NORMAL] == NONE {
                corner[NORMAL] = u32_or_max(self.normals.len());
                self.normals.push(normal);
            }
        }
    }

    /// Returns the faces of each part, in the order of their first use. `key` converts the numbers of parts.
    pub fn parts<K: Copy + Eq + Hash>(&self, key: impl Fn(i64) -> K) -> Vec<(K, Vec<&Face>)> {
        let (mut parts, mut known) = (Vec::<(K, Vec<&Face>)>::new(), HashMap::new());
        for face in &self.faces {
            let key = key(face.part);
            let at = *known.entry(key).or_insert(parts.len());
            if at == parts.len() {
                parts.push((key, Vec::new()));
            }
            if let Some((_, faces)) = parts.get_mut(at) {
                faces.push(face);
            }
        }
        parts
    }

    /// Returns the corners of a face. `convert` turns stored texture coordinates into those of games.
    pub fn triangle(&self, face: &Face, convert: impl Fn(Vec2) -> Vec2) -> [Corner; 3] {
        face.corners.map(|[position, uv, normal, colour]| Corner {
            position,
            normal: self.normals.get(normal as usize).copied().unwrap_or_default(),
            uv: self.uvs.get(uv as usize).map_or(Vec2::ZERO, |uv| convert(*uv)),
            colour: self.colours.get(colour as usize).copied().unwrap_or(WHITE),
        })
    }
}

/// Message about faces, for one and for several.
pub(super) const MISSING_CORNERS: [&str; 2] =
    ["face has a corner that does not exist and is skipped", "faces have corners that do not exist and are skipped"];

/// Surfaces and their vertices.
pub(super) struct Meshes {
    surfaces: Vec<Surface>,
    tracks: Vec<MorphTrack>,
    /// Latest vertex at each position of the surface that is added, or [`NONE`].
    latest: Vec<u32>,
    /// Bytes that surfaces and their names may take.
    budget: Budget,
    file: u64,
}

/// Number of vertices at a position that a corner is compared with. A corner that equals none of them is a new vertex.
const COMPARED_VERTICES: usize = 1 << 8;
/// Bytes of a surface without its vertices and names.
const SURFACE_BYTES: u64 = 256;

impl Meshes {
    /// Creates an empty list for a file of `len` bytes.
    pub fn new(len: u64) -> Self {
        Self { surfaces: Vec::new(), tracks: Vec::new(), latest: Vec::new(), budget: Budget::for_file(len), file: len }
    }

    /// Adds a surface. The corners of a triangle are clockwise, and their indices are in range. Fails if the surfaces
    /// and their names would take much more memory than the file.
    pub fn add(
        &mut self,
        name: &str,
        material: String,
        data: SurfaceData,
        details: Vec<Detail>,
        positions: &[Vec3],
        triangles: impl Iterator<Item = [Corner; 3]>,
    ) -> Result<(), Reason> {
        let taken = self.budget.take(SURFACE_BYTES + (name.len() + material.len()) as u64);
        taken.map_err(|claimed| Reason::TooMuchData { claimed, file: self.file })?;
        self.latest.resize(self.latest.len().max(positions.len()), NONE);
        // Each vertex, and the one before it at its position.
        let mut vertices: Vec<(Corner, u32)> = Vec::with_capacity(triangles.size_hint().0);
        let mut vertex = |corner: Corner| {
            let latest = self.latest.get_mut(corner.position as usize);
            let (mut index, mut compared) = (latest.as_ref().map_or(NONE, |latest| **latest), 0);
            while let Some((known, before)) = vertices.get(index as usize).filter(|_| compared < COMPARED_VERTICES) {
                if known.bits() == corner.bits() {
                    return index;
                }
                (index, compared) = (*before, compared + 1);
            }
            let new = u32_or_max(vertices.len());
            vertices.push((corner, latest.map_or(NONE, |latest| std::mem::replace(latest, new))));
            new
        };
        let triangles = triangles.map(|corners| corners.map(&mut vertex)).collect();
        for (corner, _) in &vertices {
            if let Some(latest) = self.latest.get_mut(corner.position as usize) {
                *latest = NONE;
            }
        }
        let colours = vertices.iter().any(|(corner, _)| corner.colour != WHITE);
        let colours = colours.then(|| vertices.iter().map(|(corner, _)| i32::from_le_bytes(corner.colour)).collect());
        let uvs = vertices.iter().map(|(corner, _)| corner.uv).collect();
        let position = |corner: &Corner| positions.get(corner.position as usize).copied().unwrap_or_default();
        let float = |(corner, _): &(Corner, u32)| FloatVertex { position: position(corner), normal: corner.normal };
        let vertices: Vec<FloatVertex> = vertices.iter().map(float).collect();
        self.tracks.push(MorphTrack {
            stored: u32_or_max(vertices.len()),
            frame_count: 1,
            remap: None,
            vertices: PackedVertices::Floats(vertices),
        });
        self.surfaces.push(Surface {
            name: name.to_owned(),
            materials: if material.is_empty() { Vec::new() } else { vec![material] },
            triangles,
            uvs,
            data: SurfaceData { colours, ..data }.into(),
            details,
            ..Surface::default()
        });
        Ok(())
    }

    /// Returns whether there are no surfaces.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Returns the model with one frame.
    pub fn into_parts(self, format: Format, version: Option<i32>, details: Vec<Detail>) -> ModelParts {
        let frames = vec![FrameInfo::default()];
        ModelParts {
            version,
            surfaces: self.surfaces,
            clips: frame_names::clips_or_all(&frames, format.usual_rate()),
            frames,
            motion: Motion::Morph(MorphMotion { surfaces: self.tracks, tags: TagTrack::Axes(Vec::new()) }),
            details,
            ..ModelParts::empty(format)
        }
    }
}

/// Returns the surfaces of a static mesh with their vertices. Fails if the model is packed in another way.
pub(super) fn static_vertices(model: &Model) -> Result<impl Iterator<Item = (&Surface, &[FloatVertex])>, WriteError> {
    let other = || WriteError { format: model.format().name(), field: String::new(), why: OTHER_MOTION.to_owned() };
    let Motion::Morph(motion) = model.motion() else { return Err(other()) };
    let vertices: Option<Vec<&[FloatVertex]>> = motion
        .surfaces
        .iter()
        .map(|track| match &track.vertices {
            PackedVertices::Floats(vertices) if track.frame_count == 1 && track.remap.is_none() => Some(&**vertices),
            _ => None,
        })
        .collect();
    Ok(model.surfaces().iter().zip(vertices.ok_or_else(other)?))
}

/// Returns the different positions, and the index of each position among them.
pub(super) fn welded(positions: impl Iterator<Item = Vec3>) -> (Vec<Vec3>, Vec<u32>) {
    let (mut different, mut known) = (Vec::new(), HashMap::new());
    let index = |position: Vec3| {
        // Zeros of both signs are equal.
        let key = position.to_array().map(|part| (part + 0.0).to_bits());
        *known.entry(key).or_insert_with(|| {
            different.push(position);
            u32_or_max(different.len() - 1)
        })
    };
    let indices = positions.map(index).collect();
    (different, indices)
}

/// Number of faces at a position up to which they are compared. With more, each face has its own normal.
const COMPARED_FACES: usize = 1 << 10;
/// Returns the number of faces that may be compared for all corners of a file together. Later corners have the normal of
/// their face.
pub(super) fn comparisons() -> Budget {
    Budget::new(1 << 28)
}

/// Returns the normal of each corner: the sum of the normal of its face and of the other faces at its position that
/// `joins` joins with it, as far as `comparisons` allows. `corners` has the position and the face of each corner. The
/// length of a face's normal is its weight.
pub(super) fn smooth_corners(
    corners: &[(u32, u32)],
    positions: usize,
    normals: &[Vec3],
    joins: impl Fn(usize, usize) -> bool,
    comparisons: &mut Budget,
) -> Vec<Vec3> {
    // Faces of each position, one after another.
    let mut starts = vec![0_usize; positions + 1];
    for (position, _) in corners {
        if let Some(count) = starts.get_mut(*position as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut faces = vec![0_u32; sum];
    let mut ends = starts.clone();
    for (position, face) in corners {
        if let Some(end) = ends.get_mut(*position as usize) {
            if let Some(entry) = faces.get_mut(*end) {
                *entry = *face;
            }
            *end += 1;
        }
    }
    let range = |position: usize| Some(*starts.get(position)?..*starts.get(position + 1)?);
    let normal = |face: usize| normals.get(face).copied().unwrap_or_default();
    let smooth = |&(position, face): &(u32, u32)| {
        let others = range(position as usize).and_then(|range| faces.get(range));
        let is_compared =
            |others: &&[u32]| others.len() <= COMPARED_FACES && comparisons.take(others.len() as u64).is_ok();
        let others = others.filter(is_compared).unwrap_or_default();
        let face = face as usize;
        let others = others.iter().map(|other| *other as usize).filter(|other| *other != face && joins(face, *other));
        let own = normal(face);
        others.fold(own, |sum, other| sum + normal(other)).normalize_or(own.normalize_or_zero())
    };
    corners.iter().map(smooth).collect()
}
