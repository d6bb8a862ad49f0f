//! DXF (AutoCAD's drawing exchange format, text): faces as the modelling tools of the nineties wrote them.
//!
//! Source: *DXF Reference* (Autodesk). Two lines make a group: a code and a value. Code 0 begins an entity:
//!
//! | entity | groups that are read |
//! |---|---|
//! | all | 8: layer; 62: colour. Without it, that of the `LAYER` counts |
//! | `3DFACE` | corners 10 20 30, 11 21 31, 12 22 32, 13 23 33; the last may be missing or repeat the third |
//! | `POLYLINE`, `VERTEX` …, `SEQEND` | [`polyline`] |
//! | `MESH` | 10 20 30 of points; 93: number of 90 after it, for each face its corners and their points |
//! | `BLOCK` … `ENDBLK` | entities that `INSERT` copies; 2: name; 10 20 30: base |
//! | `INSERT` | 2: block; 10 20 30: position; 41 42 43: scale; 50: degrees about Z; 210 220 230: axis |
//!
//! Points are in the space of the drawing, with Z up: the games' space is taken to be the same, as for an ASE. A
//! surface is a layer, or the faces of a layer with one colour. Corners are taken to be counter-clockwise, as exporters
//! wrote them; both sides are visible, as in AutoCAD. There are no normals: faces up to 30 degrees apart are smooth.

mod groups;
mod polyline;

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::HashMap;
use glam::{Affine3A, Mat3, Vec2, Vec3};

use super::polygons::{Corner, MISSING_CORNERS, Meshes, WHITE, comparisons, smooth_corners, welded};
use super::unusable_numbers::{UnusableNumbers, finite};
use crate::budget::Budget;
use crate::bytes::{Source, utf8_or_latin1};
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::{FormatDef, HEAD};
use crate::limits::{BYTES_PER_DXF_TRIANGLE, MAX_DXF_TRIANGLES, MAX_NESTING};
use crate::model::{AnimationFiles, Companions, EmbeddedMaterial, Format, ModelParts, Precision, SurfaceData, linear};
use crate::text::printable;
use groups::{Entity, Groups};
use polyline::Polyline;

/// AutoCAD, text.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "dxf",
    title: "DXF",
    extensions: &["dxf"],
    media_type: "image/vnd.dxf",
    signature: "",
    game: "modelling programs",
    is_text: true,
    precision: Precision::Decimals,
    stores_normals: false,
    companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: true },
    looks_like: Some(looks_like),
    ..FormatDef::plain(load)
};

const BINARY: &[u8] = b"AutoCAD Binary DXF";
/// Number of the colour of layers and entities without one.
const WHITE_COLOUR: u8 = 7;
/// Number of kinds of entities that a warning names.
const NAMED_KINDS: usize = 8;

/// Returns whether the first group after comments begins a section.
fn looks_like(bytes: &[u8]) -> bool {
    let mut groups = Groups::new(bytes.get(..HEAD as usize).unwrap_or(bytes));
    let first = std::iter::from_fn(|| groups.next().ok().flatten()).find(|(code, _)| *code != 999);
    bytes.starts_with(BINARY) || first.is_some_and(|(code, value)| code == 0 && value.bytes == b"SECTION")
}

/// Loads a DXF.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let refuse = |why: &str| LoadError::new("dxf", "", FilePosition::Whole, Reason::Broken(why.to_owned()));
    if source.bytes().starts_with(BINARY) {
        return Err(refuse("this is a binary DXF, which is not supported; save it as text (ASCII)"));
    }
    let limit = MAX_DXF_TRIANGLES.max(source.len() / BYTES_PER_DXF_TRIANGLE);
    let mut drawing = Drawing { budget: Budget::new(limit), ..Drawing::default() };
    let mut groups = Groups::new(source.bytes());
    loop {
        let start = groups.position();
        let entity = groups.entity();
        let read = entity.and_then(|entity| Ok(entity.map(|entity| drawing.read(&entity)).transpose()?.is_some()));
        if source.is_recorded() {
            let name = || utf8_or_latin1(groups.kind);
            source.note_statement(None, name, start, groups.position());
        }
        match read {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => source.forgive(error, || "the entity is skipped".to_owned())?,
        }
    }
    drawing.finish_polyline();
    let meshes = drawing.into_meshes(source.len(), warnings);
    let meshes = meshes.map_err(|reason| LoadError::new("dxf", "ENTITIES", FilePosition::Whole, reason))?;
    if meshes.is_empty() {
        return Err(refuse("the drawing has no faces (3DFACE, POLYLINE with faces or MESH)"));
    }
    Ok(meshes.into_parts(Format::Dxf, None, Vec::new()))
}

/// Counter-clockwise triangle, and the index of its part.
type Triangle = ([Vec3; 3], usize);

/// Entities of a block, or of the drawing.
#[derive(Default)]
struct Block<'a> {
    base: Vec3,
    triangles: Vec<Triangle>,
    /// Names of blocks, and the transforms of their copies.
    inserts: Vec<(&'a [u8], Affine3A)>,
}

#[derive(Default)]
struct Drawing<'a> {
    section: &'a [u8],
    /// Blocks by name. The drawing itself has no name.
    blocks: BTreeMap<&'a [u8], Block<'a>>,
    block: &'a [u8],
    /// Colours of layers.
    layers: HashMap<&'a [u8], u8>,
    /// Index of the part with a layer and a colour, which is 0 for that of the layer.
    parts: BTreeMap<(&'a [u8], u8), usize>,
    polyline: Option<Polyline>,
    numbers: UnusableNumbers,
    /// Number of entities of each kind that are not shown.
    others: BTreeMap<&'a [u8], usize>,
    missing_points: usize,
    /// Triangles and copies of blocks that may be added, and the number of those beyond.
    budget: Budget,
    left_out: usize,
}

impl<'a> Drawing<'a> {
    fn read(&mut self, entity: &Entity<'a>) -> Result<(), LoadError> {
        if entity.kind == b"VERTEX" {
            return self.polyline.as_mut().map_or(Ok(()), |polyline| polyline.add(entity, &mut self.numbers));
        }
        self.finish_polyline();
        match (self.section, entity.kind) {
            (_, b"SECTION") => self.section = entity.text(2),
            (b"TABLES", b"LAYER") => {
                let colour = entity.integer(62)?.and_then(|colour| u8::try_from(colour.saturating_abs()).ok());
                self.layers.insert(entity.text(2), colour.unwrap_or(WHITE_COLOUR));
            }
            (b"BLOCKS", b"BLOCK") => {
                self.block = entity.text(2);
                self.current().base = entity.point(10, &mut self.numbers)?.unwrap_or_default();
            }
            (b"BLOCKS", b"ENDBLK") => self.block = b"",
            // Entities with 1 in group 67 are on paper.
            (b"BLOCKS" | b"ENTITIES", _) if entity.integer(67)? != Some(1) => self.read_shape(entity)?,
            _ => {}
        }
        self.numbers.locate(entity.position(), || utf8_or_latin1(entity.kind));
        Ok(())
    }

    fn read_shape(&mut self, entity: &Entity<'a>) -> Result<(), LoadError> {
        match entity.kind {
            b"3DFACE" => {
                let mut corners = Vec::with_capacity(4);
                for code in 10..14 {
                    corners.extend(entity.point(code, &mut self.numbers)?.map(Some));
                }
                let part = self.part(entity)?;
                self.add_polygon(corners.into_iter(), part);
            }
            b"POLYLINE" => {
                let part = self.part(entity)?;
                self.polyline = Some(Polyline::new(entity, part)?);
            }
            b"MESH" => {
                let part = self.part(entity)?;
                let points = entity.points(&mut self.numbers)?;
                let mut numbers = entity.integers_after(93)?.into_iter();
                while let Some(count) = numbers.next() {
                    let corners = numbers.by_ref().take(usize::try_from(count).unwrap_or(0));
                    let point = |index| points.get(usize::try_from(index).ok()?).copied();
                    self.add_polygon(corners.map(point), part);
                }
            }
            // Copies in rows and columns are counted only.
            b"INSERT" if entity.integer(70)?.max(entity.integer(71)?) > Some(1) => self.count_other(entity.kind),
            b"INSERT" => {
                let copy = (entity.text(2), self.transform(entity)?);
                match self.budget.take(1) {
                    Ok(()) => self.current().inserts.push(copy),
                    Err(_) => self.left_out += 1,
                }
            }
            b"ENDSEC" | b"SEQEND" | b"ATTRIB" | b"VIEWPORT" | b"EOF" => {}
            kind => self.count_other(kind),
        }
        Ok(())
    }

    fn count_other(&mut self, kind: &'a [u8]) {
        *self.others.entry(kind).or_default() += 1;
    }

    /// Returns the transform of a copy.
    fn transform(&mut self, entity: &Entity) -> Result<Affine3A, LoadError> {
        let numbers = &mut self.numbers;
        let to = entity.point(10, numbers)?.unwrap_or_default();
        let mut scale = Vec3::ONE;
        for (code, part) in (41..).zip(scale.as_mut()) {
            *part = entity.number(code, numbers)?.unwrap_or(1.0);
        }
        let angle = entity.number(50, numbers)?.unwrap_or(0.0).to_radians();
        let own = Affine3A::from_mat3_translation(Mat3::from_rotation_z(angle) * Mat3::from_diagonal(scale), to);
        // *DXF Reference*, “Arbitrary Axis Algorithm”.
        let up = entity.point(210, numbers)?.and_then(Vec3::try_normalize).unwrap_or(Vec3::Z);
        let near = if up.x.abs() < 1.0 / 64.0 && up.y.abs() < 1.0 / 64.0 { Vec3::Y } else { Vec3::Z };
        let side = near.cross(up).normalize();
        Ok(Affine3A::from_mat3(Mat3::from_cols(side, up.cross(side), up)) * own)
    }

    fn current(&mut self) -> &mut Block<'a> {
        self.blocks.entry(self.block).or_default()
    }

    /// Returns the index of the part of an entity.
    fn part(&mut self, entity: &Entity<'a>) -> Result<usize, LoadError> {
        // 0 and 256 are the colours of the block and of the layer.
        let colour = entity.integer(62)?.and_then(|colour| u8::try_from(colour).ok()).unwrap_or(0);
        let new = self.parts.len();
        Ok(*self.parts.entry((entity.text(8), colour)).or_insert(new))
    }

    /// Adds a polygon whose corners exist as a fan from its first corner, without triangles that have no area because
    /// corners are equal.
    fn add_polygon(&mut self, corners: impl Iterator<Item = Option<Vec3>>, part: usize) {
        // Reads all corners, also after one that does not exist.
        let corners: Vec<Option<Vec3>> = corners.collect();
        let Some(corners) = corners.into_iter().collect::<Option<Vec<Vec3>>>() else {
            self.missing_points += 1;
            return;
        };
        let Some((first, rest)) = corners.split_first() else { return };
        for [second, third] in rest.array_windows::<2>() {
            if first == second || second == third || third == first {
                continue;
            }
            match self.budget.take(1) {
                Ok(()) => self.current().triangles.push(([*first, *second, *third], part)),
                Err(_) => self.left_out += 1,
            }
        }
    }

    fn finish_polyline(&mut self) {
        let Some(polyline) = self.polyline.take() else { return };
        if !polyline.has_faces() {
            self.count_other(b"POLYLINE");
        }
        for corners in polyline.polygons() {
            self.add_polygon(corners.into_iter(), polyline.part);
        }
    }

    fn warn(&self, warnings: &mut Warnings) {
        self.numbers.warn(warnings);
        warnings.add_counted(WarningKind::LeftOut, "faces", self.missing_points, MISSING_CORNERS);
        let texts = [
            "triangle or copy of a block is left out: there are too many",
            "triangles and copies of blocks are left out: there are too many",
        ];
        warnings.add_counted(WarningKind::LeftOut, "ENTITIES", self.left_out, texts);
        let others = self.others.iter().map(|(kind, count)| format!("{count} {}", printable(kind)));
        let mut others: Vec<String> = others.take(NAMED_KINDS).collect();
        if self.others.len() > NAMED_KINDS {
            others.push("…".to_owned());
        }
        if !others.is_empty() {
            let message = format!("entities without faces, or in rows, are not shown: {}", others.join(", "));
            warnings.add(WarningKind::NotShown, "ENTITIES", message);
        }
    }

    /// Returns the triangles of each part, with those of copies. Corners are clockwise.
    fn take_triangles(&mut self) -> Vec<Vec<[Vec3; 3]>> {
        let mut parts = vec![Vec::new(); self.parts.len()];
        let mut copies = vec![(&b""[..], Affine3A::IDENTITY, 0)];
        while let Some((name, to, depth)) = copies.pop() {
            let Some(block) = self.blocks.get(name) else { continue };
            let cost = 1 + block.triangles.len() + block.inserts.len();
            if depth > 0 && (depth > MAX_NESTING || self.budget.take(cost as u64).is_err()) {
                self.left_out += 1;
                continue;
            }
            let is_mirrored = to.matrix3.determinant() < 0.0;
            let numbers = &mut self.numbers;
            let mut place = |corner: &Vec3| {
                let corner = to.transform_point3(corner - block.base);
                Vec3::from_array(corner.to_array().map(|number| finite(number, numbers)))
            };
            for ([a, b, c], part) in &block.triangles {
                let corners = if is_mirrored { [a, b, c] } else { [a, c, b] }.map(&mut place);
                let Some(triangles) = parts.get_mut(*part) else { continue };
                if triangles.is_empty() {
                    // The usual space for four would exceed the memory for many small parts.
                    triangles.reserve_exact(1);
                }
                triangles.push(corners);
            }
            let to = to * Affine3A::from_translation(-block.base);
            copies.extend(block.inserts.iter().rev().map(|(name, own)| (*name, to * *own, depth + 1)));
        }
        self.numbers.locate(FilePosition::Whole, || "INSERT".to_owned());
        self.blocks.clear();
        parts
    }

    fn into_meshes(mut self, len: u64, warnings: &mut Warnings) -> Result<Meshes, Reason> {
        let mut triangles = self.take_triangles();
        self.warn(warnings);
        let (mut meshes, mut comparisons) = (Meshes::new(len), comparisons());
        for ((layer, colour), part) in &self.parts {
            let triangles = triangles.get_mut(*part).map(std::mem::take).unwrap_or_default();
            if triangles.is_empty() {
                continue;
            }
            let of_layer = self.layers.get(layer).copied().unwrap_or(WHITE_COLOUR);
            let [red, green, blue] = rgb(if *colour == 0 { of_layer } else { *colour }).map(linear);
            let material =
                EmbeddedMaterial { colour: [red, green, blue, 1.0], double_sided: true, ..EmbeddedMaterial::default() };
            let data = SurfaceData { embedded_material: Some(Arc::new(material)), ..SurfaceData::default() };
            let (positions, corners, normals) = smooth(triangles, &mut comparisons);
            let corner = |(at, normal): (&(u32, u32), &Vec3)| Corner {
                position: at.0,
                normal: *normal,
                uv: Vec2::ZERO,
                colour: WHITE,
            };
            let triangles = corners.as_chunks::<3>().0.iter().zip(normals.as_chunks::<3>().0);
            let triangles = triangles.map(|([a, b, c], [d, e, f])| [(a, d), (b, e), (c, f)].map(corner));
            let name = utf8_or_latin1(layer);
            meshes.add(&name, name.clone(), data, Vec::new(), &positions, triangles)?;
        }
        Ok(meshes)
    }
}

/// Cosine of the largest angle between smooth faces: 30 degrees.
const SMOOTH: f32 = 0.866_025_4;

/// Returns the positions of triangles; the position and the triangle of each corner; its normal.
fn smooth(triangles: Vec<[Vec3; 3]>, comparisons: &mut Budget) -> (Vec<Vec3>, Vec<(u32, u32)>, Vec<Vec3>) {
    let (positions, indices) = welded(triangles.iter().flatten().copied());
    let areas: Vec<Vec3> = triangles.iter().map(|[a, b, c]| (c - a).cross(b - a)).collect();
    drop(triangles);
    let corners: Vec<(u32, u32)> = indices.into_iter().zip((0..).flat_map(|face| [face; 3])).collect();
    let direction = |face: usize| areas.get(face).copied().unwrap_or_default().normalize_or_zero();
    let joins = |own, other| direction(own).dot(direction(other)) >= SMOOTH;
    let normals = smooth_corners(&corners, positions.len(), &areas, joins, comparisons);
    (positions, corners, normals)
}

/// Returns the red, green and blue parts of a number of AutoCAD's palette: six full colours, white, two greys, 24 hues
/// in five brightnesses, each full and pale, and six greys.
fn rgb(colour: u8) -> [f32; 3] {
    // The hue is a number of sixths of the colour circle.
    let (hue, brightness, pale) = match colour {
        1..=6 => (f32::from(colour - 1), 1.0, 0.0),
        0 | 7 => return [1.0; 3],
        8 => return [0.5; 3],
        9 => return [0.75; 3],
        250.. => return [f32::from(colour - 250) / 5.0; 3],
        _ => {
            let brightness = [1.0, 0.65, 0.5, 0.3, 0.15][usize::from(colour % 10 / 2)];
            (f32::from(colour / 10 - 1) / 4.0, brightness, f32::from(colour % 2) / 2.0)
        }
    };
    // The distance of the hue from red, green and blue.
    [0.0, 2.0, 4.0].map(|primary| {
        let distance = ((hue - primary + 9.0) % 6.0 - 3.0_f32).abs();
        let full = (2.0 - distance).clamp(0.0, 1.0);
        brightness * (full + pale * (1.0 - full))
    })
}
