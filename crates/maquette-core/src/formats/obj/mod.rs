//! OBJ (Wavefront) with its materials (MTL): static meshes as text, for GZDoom, DarkPlaces, FTE and map compilers.
//!
//! | line | meaning |
//! |---|---|
//! | `v x y z`, `vt u v`, `vn x y z` | position, texture coordinates, normal; further numbers are ignored |
//! | `f c c c …` | corners `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1, or from −1 back from the last |
//! | `usemtl NAME` | material of the faces that follow |
//! | `o NAME`, `g NAME` | object, group |
//! | `s N` | smoothing group where normals are missing; 0 or `off` for none |
//! | `mtllib FILE` | file with materials |
//!
//! The (x, y, z) of the file is (x, −z, y) in the game, as in GZDoom (`models_obj.cpp`) and map compilers. DarkPlaces
//! (`model_brush.c`, `mod_obj_orientation`), FTE and Quetoo read its mirror image, (x, z, y)
//! ([`LoadOptions::mirrored`](crate::bytes::LoadOptions)). Corners are counter-clockwise, and texture coordinates count
//! from the bottom. A surface begins at each `usemtl` that precedes faces, because GZDoom's `SurfaceSkin` counts them
//! in this way.

mod lines;
mod materials;
mod write;

use std::rc::Rc;
use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::polygons::{Corner, Meshes, WHITE, corners_of, smooth_corners};
use super::unusable_numbers::{UnusableNumbers, finite};
use crate::bytes::Source;
use crate::convert;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{AnimationFiles, Companions, Format, ModelParts, Precision, SurfaceData, u32_or_max};
use lines::{Line, lines};
use materials::Materials;

/// Wavefront, text.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "obj",
    title: "OBJ",
    extensions: &["obj"],
    media_type: "model/obj",
    signature: "",
    game: "GZDoom",
    version: 1,
    is_text: true,
    precision: Precision::Decimals,
    companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: true },
    looks_like: Some(looks_like),
    writer: Some(FormatWriter {
        model_name: "Wavefront model",
        holds: "one frame of surfaces, for GZDoom and map compilers",
        write: write::write,
        convert: convert::static_mesh::convert,
        bytes_of_frame: |counts, _| counts.vertices * 24,
        sampling_rate: 15.0,
    }),
    ..FormatDef::plain(load)
};

/// First words of lines that occur in OBJ files. Those after `mtllib` are for curves and lines, which are not drawn.
const KEYWORDS: [&[u8]; 14] =
    [b"v", b"vt", b"vn", b"f", b"o", b"g", b"s", b"usemtl", b"mtllib", b"vp", b"l", b"p", b"mg", b"usemap"];

/// Returns whether the first lines are those of an OBJ.
fn looks_like(bytes: &[u8]) -> bool {
    // Without a line that may be cut.
    let head = bytes.get(..bytes.len().min(1 << 14)).unwrap_or_default();
    let cut =
        if head.len() < bytes.len() { head.iter().rposition(|byte| *byte == b'\n').unwrap_or(0) } else { head.len() };
    let mut first = lines(head.get(..cut).unwrap_or_default()).take(32).peekable();
    first.peek().is_some() && first.all(|line| KEYWORDS.contains(&line.word))
}

/// Loads an OBJ, and the materials next to it.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut mesh = Mesh { mirrored: source.options().mirrored == Some(true), ..Mesh::default() };
    for line in lines(source.bytes()) {
        if let Err(error) = mesh.read(&line, source, warnings) {
            source.forgive(error, || "the line is skipped".to_owned())?;
        }
        source.note_statement(None, || String::from_utf8_lossy(line.word).into_owned(), line.start, line.end);
    }
    mesh.numbers.warn(warnings);
    for (count, message) in [
        (
            mesh.dropped,
            ["face has fewer than three corners and is skipped", "faces have fewer than three corners and are skipped"],
        ),
        (
            mesh.outside,
            [
                "face has a corner that does not exist and is skipped",
                "faces have corners that do not exist and are skipped",
            ],
        ),
    ] {
        if count > 0 {
            warnings.add_counted(WarningKind::LeftOut, "faces", count, message);
        }
    }
    if mesh.faces.is_empty() {
        let why = "the file has no faces".to_owned();
        return Err(LoadError::new("obj", "f", FilePosition::Whole, Reason::Broken(why)));
    }
    let meshes = mesh.into_meshes(source.len());
    let meshes = meshes.map_err(|reason| LoadError::new("obj", "usemtl", FilePosition::Whole, reason))?;
    Ok(meshes.into_parts(Format::Obj, None, Vec::new()))
}

/// Triangle of a polygon.
struct Face {
    positions: [u32; 3],
    /// Index into the list of texture coordinates and of normals, for each corner.
    uvs: [Option<u32>; 3],
    normals: [Option<u32>; 3],
    smoothing: u32,
}

#[derive(Default)]
struct Mesh {
    positions: Vec<Vec3>,
    uvs: Vec<Vec2>,
    normals: Vec<Vec3>,
    faces: Vec<Face>,
    /// Name, material and first face of each surface.
    surfaces: Vec<(Rc<str>, Rc<str>, usize)>,
    materials: Materials,
    /// Corners of the face that is read.
    corners: Vec<FaceCorner>,
    /// Name of the object or group, material and smoothing group of the faces that follow.
    name: Rc<str>,
    material: Rc<str>,
    smoothing: u32,
    /// Whether the next face begins a surface.
    begins: bool,
    /// Whether the model is the mirror image of the file.
    mirrored: bool,
    numbers: UnusableNumbers,
    dropped: usize,
    outside: usize,
}

impl Mesh {
    fn read(&mut self, line: &Line, source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
        match line.word {
            b"v" => {
                let [x, y, z] = line.numbers::<3>(3)?.map(|number| finite(number, &mut self.numbers));
                self.numbers.locate(line.position(), || format!("v {}", self.positions.len() + 1));
                self.positions.push(self.in_game(x, y, z));
            }
            b"vt" => {
                let [u, v] = line.numbers::<2>(1)?.map(|number| finite(number, &mut self.numbers));
                self.numbers.locate(line.position(), || format!("vt {}", self.uvs.len() + 1));
                self.uvs.push(Vec2::new(u, 1.0 - v));
            }
            b"vn" => {
                let [x, y, z] = line.numbers::<3>(3)?.map(|number| finite(number, &mut self.numbers));
                self.numbers.locate(line.position(), || format!("vn {}", self.normals.len() + 1));
                self.normals.push(self.in_game(x, y, z).normalize_or_zero());
            }
            b"f" => self.read_face(line)?,
            b"o" | b"g" => self.name = line.rest().into(),
            b"s" => {
                self.smoothing = std::str::from_utf8(line.rest).ok().and_then(|text| text.parse().ok()).unwrap_or(0)
            }
            b"usemtl" => {
                self.material = line.rest().into();
                self.begins = true;
            }
            b"mtllib" => self.materials.read(&line.rest(), source, warnings),
            _ => {}
        }
        Ok(())
    }

    fn in_game(&self, x: f32, y: f32, z: f32) -> Vec3 {
        Vec3::new(x, if self.mirrored { z } else { -z }, y)
    }

    fn read_face(&mut self, line: &Line) -> Result<(), LoadError> {
        let counts = [self.positions.len(), self.uvs.len(), self.normals.len()];
        let (mut corners, mut missing) = (std::mem::take(&mut self.corners), 0);
        corners.clear();
        for field in line.fields() {
            match line.corner(field, counts)? {
                Some(corner) => corners.push(corner),
                None => missing += 1,
            }
        }
        self.add_polygon(&corners, missing);
        self.corners = corners;
        Ok(())
    }

    fn add_polygon(&mut self, corners: &[FaceCorner], missing: usize) {
        if corners.len() + missing < 3 {
            self.dropped += 1;
            return;
        } else if missing > 0 {
            self.outside += 1;
            return;
        }
        if self.begins || self.surfaces.is_empty() {
            self.surfaces.push((Rc::clone(&self.name), Rc::clone(&self.material), self.faces.len()));
            self.begins = false;
        }
        let [first, rest @ ..] = corners else { return };
        for pair in rest.windows(2) {
            // Clockwise.
            let &[second, third] = pair else { continue };
            let corners = if self.mirrored { [*first, second, third] } else { [*first, third, second] };
            self.faces.push(Face {
                positions: corners.map(|corner| corner.position),
                uvs: corners.map(|corner| corner.uv),
                normals: corners.map(|corner| corner.normal),
                smoothing: self.smoothing,
            });
        }
    }

    /// Returns the computed normals of the corners of all faces.
    fn smooth(&self) -> Vec<[Vec3; 3]> {
        let at = |index: u32| self.positions.get(index as usize).copied().unwrap_or_default();
        let area = |face: &Face| {
            let [a, b, c] = face.positions.map(at);
            (c - a).cross(b - a)
        };
        let areas: Vec<Vec3> = self.faces.iter().map(area).collect();
        let corners = corners_of(self.faces.iter().map(|face| face.positions));
        let group = |face: usize| self.faces.get(face).map_or(0, |face| face.smoothing);
        let joins = |a, b| group(a) != 0 && group(a) == group(b);
        smooth_corners(&corners, self.positions.len(), &areas, joins).as_chunks::<3>().0.to_vec()
    }

    fn into_meshes(self, len: u64) -> Result<Meshes, Reason> {
        let lacks_normals = self.faces.iter().any(|face| face.normals.contains(&None));
        let smooth = if lacks_normals { self.smooth() } else { Vec::new() };
        let triangle = |index: usize, face: &Face| -> [Corner; 3] {
            std::array::from_fn(|corner| {
                let stored = face.normals[corner].and_then(|normal| self.normals.get(normal as usize).copied());
                let normal = stored.or_else(|| smooth.get(index).map(|normals| normals[corner]));
                let uv = face.uvs[corner].and_then(|uv| self.uvs.get(uv as usize).copied());
                Corner {
                    position: face.positions[corner],
                    normal: normal.unwrap_or_default(),
                    uv: uv.unwrap_or_default(),
                    colour: WHITE,
                }
            })
        };
        let mut meshes = Meshes::new(len);
        for (index, (name, material, first)) in self.surfaces.iter().enumerate() {
            let end = self.surfaces.get(index + 1).map_or(self.faces.len(), |(_, _, next)| *next);
            let faces = self.faces.get(*first..end).unwrap_or_default();
            let triangles = (*first..).zip(faces).map(|(index, face)| triangle(index, face));
            let embedded = self.materials.get(material);
            let data = SurfaceData { embedded_material: embedded.map(Arc::clone), ..SurfaceData::default() };
            meshes.add(name, material.to_string(), data, Vec::new(), &self.positions, triangles)?;
        }
        Ok(meshes)
    }
}

/// Corner of a face: indices from 0.
#[derive(Clone, Copy)]
struct FaceCorner {
    position: u32,
    uv: Option<u32>,
    normal: Option<u32>,
}

/// Converts a number of the file to an index below `count`. Negative numbers count back from the last.
fn index_of(number: i64, count: usize) -> Option<u32> {
    let count = i64::try_from(count).ok()?;
    let index = if number < 0 { count.checked_add(number)? } else { number - 1 };
    (0..count).contains(&index).then(|| u32_or_max(usize::try_from(index).unwrap_or(usize::MAX)))
}
