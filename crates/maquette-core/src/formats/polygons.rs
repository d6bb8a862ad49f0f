//! Static meshes of polygon formats (ASE, LWO, OBJ). Their corners name a position and have a normal and texture
//! coordinates of their own; a model needs a vertex for each combination.

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use glam::{Vec2, Vec3};

use super::frame_names;
use crate::model::{
    Detail, FloatVertex, Format, FormatData, FrameInfo, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices,
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
#[derive(Default)]
pub(super) struct Meshes {
    surfaces: Vec<Surface>,
    tracks: Vec<MorphTrack>,
}

impl Meshes {
    /// Adds a surface. The corners of a triangle are clockwise, and their indices are in range.
    pub fn add(
        &mut self,
        name: &str,
        material: String,
        details: Vec<Detail>,
        positions: &[Vec3],
        triangles: impl Iterator<Item = [Corner; 3]>,
    ) {
        let mut known: HashMap<(u32, [u32; 5], [u8; 4]), u32> = HashMap::new();
        let (mut uvs, mut vertices, mut colours) = (Vec::new(), Vec::new(), Vec::new());
        let mut vertex = |corner: Corner| {
            let Corner { position, normal, uv, colour } = corner;
            let bits = [normal.x, normal.y, normal.z, uv.x, uv.y].map(f32::to_bits);
            *known.entry((position, bits, colour)).or_insert_with(|| {
                let position = positions.get(position as usize).copied().unwrap_or_default();
                vertices.push(FloatVertex { position, normal });
                uvs.push(uv);
                colours.push(colour);
                u32_or_max(vertices.len() - 1)
            })
        };
        let triangles = triangles.map(|corners| corners.map(&mut vertex)).collect();
        let is_coloured = colours.iter().any(|colour| *colour != WHITE);
        let colours = is_coloured.then(|| colours.into_flattened().into_iter().map(i32::from).collect::<Arc<[i32]>>());
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
            data: SurfaceData { colours, ..SurfaceData::default() },
            details,
            ..Surface::default()
        });
    }

    /// Returns whether there are no surfaces.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty()
    }

    /// Returns the model with one frame.
    pub fn into_parts(self, format: Format, version: Option<i32>, details: Vec<Detail>) -> ModelParts {
        let frames = vec![FrameInfo::default()];
        ModelParts {
            format,
            version,
            name: String::new(),
            surfaces: self.surfaces,
            clips: frame_names::clips_or_all(&frames, format.usual_rate()),
            frames,
            tags: Vec::new(),
            alternative_clips: Vec::new(),
            skins: Vec::new(),
            motion: Motion::Morph(MorphMotion { surfaces: self.tracks, tags: TagTrack::Axes(Vec::new()) }),
            data: FormatData::default(),
            details,
        }
    }
}

/// Maximum number of faces at a position whose normals are compared. At a position with more, each face has its own.
const MAX_FACES: usize = 1 << 10;

/// Returns the normals of the corners of all faces: the sum of the normals of the faces at the same position that `joins`
/// joins with the face. `normals` has a normal for each face, whose length is its weight.
pub(super) fn smooth_corners<const N: usize>(
    faces: &[[u32; N]],
    positions: usize,
    normals: &[Vec3],
    joins: impl Fn(usize, usize) -> bool,
) -> Vec<[Vec3; N]> {
    // Faces of each position, one after another.
    let mut starts = vec![0_usize; positions + 1];
    for corner in faces.iter().flatten() {
        if let Some(count) = starts.get_mut(*corner as usize + 1) {
            *count += 1;
        }
    }
    let mut sum = 0;
    for start in &mut starts {
        sum += *start;
        *start = sum;
    }
    let mut at = vec![0_u32; sum];
    let mut ends = starts.clone();
    for (face, corners) in (0_u32..).zip(faces) {
        for corner in corners {
            if let Some(end) = ends.get_mut(*corner as usize) {
                if let Some(entry) = at.get_mut(*end) {
                    *entry = face;
                }
                *end += 1;
            }
        }
    }
    let range = |position: u32| Some(*starts.get(position as usize)?..*starts.get(position as usize + 1)?);
    let normal = |face: usize| normals.get(face).copied().unwrap_or_default();
    let corner = |face: usize, position: u32| {
        let others = range(position).and_then(|range| at.get(range)).filter(|others| others.len() <= MAX_FACES);
        let others = others.unwrap_or_default().iter().map(|other| *other as usize);
        let others = others.filter(|other| *other != face && joins(face, *other));
        others.fold(normal(face), |sum, other| sum + normal(other)).normalize_or(normal(face).normalize_or_zero())
    };
    faces.iter().enumerate().map(|(face, corners)| corners.map(|position| corner(face, position))).collect()
}
