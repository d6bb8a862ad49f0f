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

mod materials;
mod write;

use std::sync::Arc;

use glam::{Vec2, Vec3};

use super::line::Line;
use super::polygons::{Face, MISSING_CORNERS, Meshes, NONE, Polygons, comparisons};
use super::unusable_numbers::{UnusableNumbers, finite};
use crate::bytes::Source;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{AnimationFiles, Companions, Format, ModelParts, Precision, SurfaceData, u32_or_max};
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
    writer: Some(FormatWriter::static_mesh(
        "Wavefront model",
        "one frame of surfaces, for GZDoom and map compilers",
        write::write,
    )),
    ..FormatDef::plain(load)
};

/// First words of lines that occur in OBJ files. Those after `mtllib` are for curves and lines, which are not drawn.
const KEYWORDS: [&[u8]; 14] =
    [b"v", b"vt", b"vn", b"f", b"o", b"g", b"s", b"usemtl", b"mtllib", b"vp", b"l", b"p", b"mg", b"usemap"];

/// Returns whether the first lines are those of an OBJ.
fn looks_like(bytes: &[u8]) -> bool {
    // Without a line that may be cut.
    let head = bytes.get(..bytes.len().min(1 << 14)).unwrap_or_default();
    let is_cut = head.len() < bytes.len();
    let end = head.iter().rposition(|byte| is_cut && *byte == b'\n').unwrap_or(if is_cut { 0 } else { head.len() });
    let mut line = Line::before(head.get(..end).unwrap_or_default());
    let mut words = std::iter::from_fn(|| line.advance().then_some(line.word)).take(32).peekable();
    words.peek().is_some() && words.all(|word| KEYWORDS.contains(&word))
}

/// Loads an OBJ, and the materials next to it.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut file = File { mirrored: source.options().mirrored == Some(true), ..File::default() };
    let mut line = Line::before(source.bytes());
    while line.advance() {
        if let Err(error) = file.read(&mut line, source, warnings) {
            source.forgive(error, || "the line is skipped".to_owned())?;
        }
        if source.is_recorded() {
            let (start, end) = line.span(source.len());
            source.note_statement(None, || String::from_utf8_lossy(line.word).into_owned(), start, end);
        }
    }
    file.numbers.warn(warnings);
    let short =
        ["face has fewer than three corners and is skipped", "faces have fewer than three corners and are skipped"];
    warnings.add_counted(WarningKind::LeftOut, "faces", file.short, short);
    warnings.add_counted(WarningKind::LeftOut, "faces", file.outside, MISSING_CORNERS);
    if file.polygons.faces.is_empty() {
        let why = "the file has no faces".to_owned();
        return Err(LoadError::new("obj", "f", FilePosition::Whole, Reason::Broken(why)));
    }
    let meshes = file.into_meshes(source.len());
    let meshes = meshes.map_err(|reason| LoadError::new("obj", "usemtl", FilePosition::Whole, reason))?;
    Ok(meshes.into_parts(Format::Obj, None, Vec::new()))
}

#[derive(Default)]
struct File {
    polygons: Polygons,
    /// Name and material of each part.
    parts: Vec<[Arc<str>; 2]>,
    materials: Materials,
    /// Corners of the face that is read.
    corners: Vec<[u32; 3]>,
    /// Name of the object or group and material of the faces that follow.
    names: [Arc<str>; 2],
    smoothing: u32,
    /// Whether the next face begins a part.
    begins: bool,
    /// Whether the model is the mirror image of the file.
    mirrored: bool,
    numbers: UnusableNumbers,
    /// Number of faces with fewer than three corners, and with corners that do not exist.
    short: usize,
    outside: usize,
}

impl File {
    fn read(&mut self, line: &mut Line, source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
        match line.word {
            b"v" => {
                let position = self.vector(line, 3, self.polygons.positions.len())?;
                self.polygons.positions.push(self.in_game(position));
            }
            b"vt" => {
                let uv = self.vector(line, 1, self.polygons.uvs.len())?;
                self.polygons.uvs.push(uv.into());
            }
            b"vn" => {
                let normal = self.vector(line, 3, self.polygons.normals.len())?;
                self.polygons.normals.push(self.in_game(normal).normalize_or_zero());
            }
            b"f" => self.read_face(line)?,
            b"o" | b"g" => self.names[0] = line.rest().into(),
            b"s" => self.smoothing = line.rest().parse().unwrap_or(0),
            b"usemtl" => {
                self.names[1] = line.rest().into();
                self.begins = true;
            }
            b"mtllib" => self.materials.read(&line.rest(), source, warnings),
            _ => {}
        }
        Ok(())
    }

    /// Reads the numbers of the element with this index, of which `needed` must be present.
    fn vector<const N: usize>(&mut self, line: &mut Line, needed: usize, index: usize) -> Result<[f32; N], LoadError> {
        let numbers = line.numbers(needed)?.map(|number| finite(number, &mut self.numbers));
        self.numbers.locate(line.position(), || format!("{} {}", String::from_utf8_lossy(line.word), index + 1));
        Ok(numbers)
    }

    fn in_game(&self, [x, y, z]: [f32; 3]) -> Vec3 {
        Vec3::new(x, if self.mirrored { z } else { -z }, y)
    }

    fn read_face(&mut self, line: &mut Line) -> Result<(), LoadError> {
        let Polygons { positions, uvs, normals, .. } = &self.polygons;
        let counts = [positions.len(), uvs.len(), normals.len()];
        self.corners.clear();
        loop {
            let word = line.next_word();
            if word.is_empty() {
                break;
            }
            let mut corner = [NONE; 3];
            let parts = word.split(|byte| *byte == b'/');
            for ((index, count), part) in corner.iter_mut().zip(counts).zip(parts).filter(|(_, part)| !part.is_empty())
            {
                let number = line.token(part).integer().ok_or_else(|| line.unexpected(word, "a corner"))?;
                *index = index_of(number, count);
            }
            self.corners.push(corner);
        }
        if self.corners.len() < 3 {
            self.short += 1;
        } else if self.corners.iter().any(|[position, ..]| *position == NONE) {
            self.outside += 1;
        } else {
            self.add_polygon();
        }
        Ok(())
    }

    fn add_polygon(&mut self) {
        if self.begins || self.parts.is_empty() {
            self.parts.push(self.names.clone());
            self.begins = false;
        }
        let (part, smoothing) = (u32_or_max(self.parts.len() - 1).into(), self.smoothing);
        let [first, rest @ ..] = &self.corners[..] else { return };
        for pair in rest.windows(2) {
            // Clockwise.
            let &[second, third] = pair else { continue };
            let corners = if self.mirrored { [*first, second, third] } else { [*first, third, second] };
            let corners = corners.map(|[position, uv, normal]| [position, uv, normal, NONE]);
            self.polygons.faces.push(Face { corners, smoothing, part });
        }
    }

    fn into_meshes(mut self, len: u64) -> Result<Meshes, Reason> {
        self.polygons.smooth(&mut comparisons(), |a, b| a != 0 && a == b);
        let mut meshes = Meshes::new(len);
        for ([name, material], (_, faces)) in self.parts.iter().zip(self.polygons.parts(|part| part)) {
            let embedded = self.materials.get(material).map(Arc::clone);
            let data = SurfaceData { embedded_material: embedded, ..SurfaceData::default() };
            // Stored texture coordinates count from the bottom.
            let place = |uv: Vec2| Vec2::new(uv.x, 1.0 - uv.y);
            let triangles = faces.into_iter().map(|face| self.polygons.triangle(face, place));
            meshes.add(name, material.to_string(), data, Vec::new(), &self.polygons.positions, triangles)?;
        }
        Ok(meshes)
    }
}

/// Converts a number of the file to an index below `count`. Negative numbers count back from the last.
fn index_of(number: i64, count: usize) -> u32 {
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    let index = if number < 0 { count.saturating_add(number) } else { number - 1 };
    if (0..count).contains(&index) { usize::try_from(index).map_or(NONE, u32_or_max) } else { NONE }
}
