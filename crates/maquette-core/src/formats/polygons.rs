//! Static meshes of polygon formats (ASE, LWO, OBJ). Each corner of a polygon combines a position, a normal and texture
//! coordinates; a model needs a vertex for each combination.

use std::sync::Arc;

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Corner {
    /// Index into the positions.
    pub position: u32,
    pub normal: Vec3,
    pub uv: Vec2,
    /// Red, green, blue and alpha.
    pub colour: [u8; 4],
}

/// Colour of corners without a colour.
pub(super) const WHITE: [u8; 4] = [255; 4];

/// Surfaces and their vertices.
pub(super) struct Meshes {
    surfaces: Vec<Surface>,
    tracks: Vec<MorphTrack>,
    /// Bytes that surfaces and their names may take.
    budget: Budget,
    file: u64,
}

/// Bytes of a surface without its vertices and names.
const SURFACE_BYTES: u64 = 256;

impl Meshes {
    /// Creates an empty list for a file of `len` bytes.
    pub fn new(len: u64) -> Self {
        Self { surfaces: Vec::new(), tracks: Vec::new(), budget: Budget::for_file(len), file: len }
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
        let expected = triangles.size_hint().0.min(positions.len());
        // The hash of an array of numbers is computed at once.
        let mut known: HashMap<[u32; 7], u32> = HashMap::with_capacity(expected);
        let (mut uvs, mut vertices, mut colours) = (Vec::new(), Vec::new(), Vec::new());
        let mut vertex = |corner: Corner| {
            let Corner { position, normal, uv, colour } = corner;
            let [x, y, z, u, v] = [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits);
            *known.entry([position, x, y, z, u, v, u32::from_le_bytes(colour)]).or_insert_with(|| {
                let position = positions.get(position as usize).copied().unwrap_or_default();
                vertices.push(FloatVertex { position, normal });
                uvs.push(uv);
                colours.push(colour);
                u32_or_max(vertices.len() - 1)
            })
        };
        let triangles = triangles.map(|corners| corners.map(&mut vertex)).collect();
        let is_coloured = colours.iter().any(|colour| *colour != WHITE);
        let colours = is_coloured.then(|| colours.into_iter().map(i32::from_le_bytes).collect::<Arc<[i32]>>());
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

/// Number of faces at a position up to which they are compared. With more, each face has its own normal.
const COMPARED_FACES: usize = 1 << 10;
/// Number of faces that are compared for all corners together. Later corners have the normal of their face.
const COMPARISONS: u64 = 1 << 28;

/// Returns the normal of each corner: the sum of the normal of its face and of the other faces at its position that
/// `joins` joins with it. `corners` has the position and the face of each corner. The length of a face's normal is its
/// weight.
pub(super) fn smooth_corners(
    corners: &[(u32, u32)],
    positions: usize,
    normals: &[Vec3],
    joins: impl Fn(usize, usize) -> bool,
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
    let mut comparisons = Budget::new(COMPARISONS);
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

/// Returns the corners of triangles for [`smooth_corners`].
pub(super) fn corners_of(triangles: impl Iterator<Item = [u32; 3]>) -> Vec<(u32, u32)> {
    (0..).zip(triangles).flat_map(|(face, corners)| corners.map(|position| (position, face))).collect()
}
