//! DXF (AutoCAD's drawing exchange format, text): faces as the modelling tools of the nineties wrote them.
//!
//! Source: *DXF Reference* (Autodesk). Two lines make a group: a code and a value. Code 0 begins an entity:
//!
//! | entity | groups that are read |
//! |---|---|
//! | all | 8: layer; 62: colour. Without it, that of the `LAYER` counts |
//! | `3DFACE` | corners 10 20 30, 11 21 31, 12 22 32, 13 23 33; the last may be missing or repeat the third |
//! | `POLYLINE`, `VERTEX` …, `SEQEND` | [`polyline`] |
//! | `MESH` | 92: number of points, 10 20 30 each; 93: number of 90 that follow, for each face its corners and their points |
//! | `BLOCK` … `ENDBLK` | entities that `INSERT` copies; 2: name; 10 20 30: base |
//! | `INSERT` | 2: block; 10 20 30: position; 41 42 43: scale; 50: angle about Z in degrees |
//!
//! Points are in the space of the drawing, with Z up: the games' space is taken to be the same, as for an ASE. A surface is
//! a layer, or the faces of a layer with one colour. Corners are taken to be counter-clockwise, as exporters wrote them;
//! both sides are visible, as in AutoCAD. There are no normals: faces up to 30 degrees apart are smooth.

mod groups;
mod polyline;

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt as _};
use glam::{Affine3A, Mat3, Vec2, Vec3};

use super::polygons::{Corner, Meshes, WHITE, smooth_corners};
use super::unusable_numbers::UnusableNumbers;
use crate::budget::Budget;
use crate::bytes::{Source, utf8_or_latin1};
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::limits::{MAX_DXF_COPIES, MAX_NESTING};
use crate::model::{
    AnimationFiles, Companions, EmbeddedMaterial, Format, ModelParts, Precision, SurfaceData, linear, u32_or_max,
};
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

/// Returns whether the first group after comments begins a section.
fn looks_like(bytes: &[u8]) -> bool {
    let mut groups = Groups::new(bytes);
    let first = std::iter::from_fn(|| groups.next().ok().flatten()).find(|(code, _)| *code != 999);
    bytes.starts_with(BINARY) || first == Some((0, b"SECTION"))
}

/// Loads a DXF.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let refuse = |why: &str| LoadError::new("dxf", "", FilePosition::Whole, Reason::Broken(why.to_owned()));
    if source.bytes().starts_with(BINARY) {
        return Err(refuse("this is a binary DXF, which is not supported; save it as text (ASCII)"));
    }
    let mut drawing = Drawing::default();
    let mut groups = Groups::new(source.bytes());
    loop {
        let start = groups.position();
        let entity = groups.entity();
        let read = entity.and_then(|entity| Ok(entity.map(|entity| drawing.read(&entity)).transpose()?.is_some()));
        if source.is_recorded() {
            let name = || utf8_or_latin1(&groups.kind);
            source.note_statement(None, name, start, groups.position());
        }
        match read {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => source.forgive(error, || "the entity is skipped".to_owned())?,
        }
    }
    drawing.finish_polyline();
    drawing.numbers.warn(warnings);
    let meshes = drawing.into_meshes(source.len(), warnings);
    let meshes = meshes.map_err(|reason| LoadError::new("dxf", "ENTITIES", FilePosition::Whole, reason))?;
    if meshes.is_empty() {
        return Err(refuse("the drawing has no faces (3DFACE, POLYLINE with faces or MESH)"));
    }
    Ok(meshes.into_parts(Format::Dxf, None, Vec::new()))
}

/// Counter-clockwise triangle, and the index of its part.
type Triangle = ([Vec3; 3], u32);

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
    blocks: HashMap<&'a [u8], Block<'a>>,
    block: &'a [u8],
    /// Colours of layers.
    layers: HashMap<&'a [u8], i64>,
    /// Layer and colour of each part, and their index.
    parts: Vec<(&'a [u8], Option<i64>)>,
    known: HashMap<(&'a [u8], Option<i64>), u32>,
    polyline: Option<Polyline>,
    numbers: UnusableNumbers,
    /// Number of entities of each kind without faces.
    others: BTreeMap<&'a [u8], usize>,
    missing_points: usize,
}

impl<'a> Drawing<'a> {
    fn read(&mut self, entity: &Entity<'a>) -> Result<(), LoadError> {
        match entity.kind {
            b"VERTEX" => {
                let Some(polyline) = &mut self.polyline else { return Ok(()) };
                return polyline.add(entity, &mut self.numbers);
            }
            _ => self.finish_polyline(),
        }
        match (self.section, entity.kind) {
            (_, b"SECTION") => self.section = entity.text(2),
            (b"TABLES", b"LAYER") => {
                let colour = entity.integer(62)?.unwrap_or(7);
                self.layers.insert(entity.text(2), colour.saturating_abs());
            }
            (b"BLOCKS", b"BLOCK") => {
                self.block = entity.text(2);
                let base = entity.point(10, &mut self.numbers)?.unwrap_or_default();
                self.blocks.entry(self.block).or_default().base = base;
            }
            (b"BLOCKS", b"ENDBLK") => self.block = b"",
            // Entities on paper.
            (b"BLOCKS" | b"ENTITIES", _) if entity.integer(67)? == Some(1) => {}
            (b"BLOCKS" | b"ENTITIES", b"3DFACE") => {
                let mut corners = Vec::with_capacity(4);
                for code in 10..14 {
                    corners.extend(entity.point(code, &mut self.numbers)?);
                }
                let part = self.part(entity)?;
                self.add_polygon(&corners, part);
            }
            (b"BLOCKS" | b"ENTITIES", b"POLYLINE") => {
                let part = self.part(entity)?;
                self.polyline = Some(Polyline::new(entity, part)?);
            }
            (b"BLOCKS" | b"ENTITIES", b"MESH") => self.read_mesh(entity)?,
            (b"BLOCKS" | b"ENTITIES", b"INSERT") => {
                let to = entity.point(10, &mut self.numbers)?.unwrap_or_default();
                let mut scale = Vec3::ONE;
                for (code, part) in (41..).zip(scale.as_mut()) {
                    *part = entity.number(code, &mut self.numbers)?.unwrap_or(1.0);
                }
                let angle = entity.number(50, &mut self.numbers)?.unwrap_or(0.0).to_radians();
                let turn = Mat3::from_rotation_z(angle) * Mat3::from_diagonal(scale);
                self.current().inserts.push((entity.text(2), Affine3A::from_mat3_translation(turn, to)));
            }
            (b"BLOCKS" | b"ENTITIES", b"ENDSEC" | b"SEQEND" | b"ATTRIB" | b"VIEWPORT" | b"EOF") => {}
            (b"BLOCKS" | b"ENTITIES", kind) => *self.others.entry(kind).or_default() += 1,
            _ => {}
        }
        self.numbers.locate(entity.position(), || utf8_or_latin1(entity.kind));
        Ok(())
    }

    fn current(&mut self) -> &mut Block<'a> {
        self.blocks.entry(self.block).or_default()
    }

    /// Returns the index of the part of an entity.
    fn part(&mut self, entity: &Entity<'a>) -> Result<u32, LoadError> {
        // 0 and 256 are the colours of the block and of the layer.
        let key = (entity.text(8), entity.integer(62)?.filter(|colour| (1..256).contains(colour)));
        let new = u32_or_max(self.parts.len());
        let index = *self.known.entry(key).or_insert(new);
        if index == new {
            self.parts.push(key);
        }
        Ok(index)
    }

    /// Adds a polygon as a fan from its first corner, without triangles that have no area because corners are equal.
    fn add_polygon(&mut self, corners: &[Vec3], part: u32) {
        let Some((first, rest)) = corners.split_first() else { return };
        for pair in rest.array_windows::<2>() {
            let [second, third] = *pair;
            if *first != second && second != third && third != *first {
                self.current().triangles.push(([*first, second, third], part));
            }
        }
    }

    fn read_mesh(&mut self, entity: &Entity<'a>) -> Result<(), LoadError> {
        let part = self.part(entity)?;
        let points = entity.points(&mut self.numbers)?;
        let mut numbers = entity.integers_after(93)?.into_iter();
        while let Some(count) = numbers.next() {
            let corners = numbers.by_ref().take(usize::try_from(count).unwrap_or(0));
            let corners: Vec<Option<Vec3>> =
                corners.map(|index| points.get(usize::try_from(index).ok()?).copied()).collect();
            self.add_corners(corners, part);
        }
        Ok(())
    }

    /// Adds a polygon if all of its corners exist.
    fn add_corners(&mut self, corners: Vec<Option<Vec3>>, part: u32) {
        match corners.into_iter().collect::<Option<Vec<Vec3>>>() {
            Some(corners) => self.add_polygon(&corners, part),
            None => self.missing_points += 1,
        }
    }

    fn finish_polyline(&mut self) {
        let Some(polyline) = self.polyline.take() else { return };
        if !polyline.has_faces() {
            *self.others.entry(b"POLYLINE").or_default() += 1;
        }
        for corners in polyline.polygons() {
            self.add_corners(corners, polyline.part);
        }
    }

    fn warn(&self, left_out: usize, warnings: &mut Warnings) {
        let texts = [
            "face has a corner that does not exist and is skipped",
            "faces have corners that do not exist and are skipped",
        ];
        warnings.add_counted(WarningKind::LeftOut, "faces", self.missing_points, texts);
        let texts =
            ["copy of a block is left out: there are too many", "copies of blocks are left out: there are too many"];
        warnings.add_counted(WarningKind::LeftOut, "INSERT", left_out, texts);
        let others = self.others.iter().map(|(kind, count)| format!("{count} {}", utf8_or_latin1(kind)));
        let others: Vec<String> = others.collect();
        if !others.is_empty() {
            let message = format!("entities without faces are not shown: {}", others.join(", "));
            warnings.add(WarningKind::NotShown, "ENTITIES", message);
        }
    }

    fn into_meshes(self, len: u64, warnings: &mut Warnings) -> Result<Meshes, Reason> {
        let (mut triangles, mut left_out) = (Vec::new(), 0);
        let mut budget = Budget::new(MAX_DXF_COPIES.max(len / 16));
        let mut copies = vec![(&b""[..], Affine3A::IDENTITY, 0)];
        while let Some((name, to, depth)) = copies.pop() {
            let Some(block) = self.blocks.get(name) else { continue };
            let cost = 1 + block.triangles.len() + block.inserts.len();
            if depth > 0 && (depth > MAX_NESTING || budget.take(cost as u64).is_err()) {
                left_out += 1;
                continue;
            }
            let is_mirrored = to.matrix3.determinant() < 0.0;
            let moved = |(corners, part): &Triangle| {
                let [a, b, c] = corners.map(|corner| to.transform_point3(corner - block.base));
                (if is_mirrored { [a, c, b] } else { [a, b, c] }, *part)
            };
            triangles.extend(block.triangles.iter().map(moved));
            let to = to * Affine3A::from_translation(-block.base);
            copies.extend(block.inserts.iter().rev().map(|(name, own)| (*name, to * *own, depth + 1)));
        }
        self.warn(left_out, warnings);
        let mut meshes = Meshes::new(len);
        let faces = Faces::new(&triangles);
        for (index, (layer, colour)) in (0..).zip(&self.parts) {
            let name = utf8_or_latin1(layer);
            let colour = colour.or_else(|| self.layers.get(layer).copied()).unwrap_or(7);
            let [red, green, blue] = rgb(colour).map(linear);
            let material =
                EmbeddedMaterial { colour: [red, green, blue, 1.0], double_sided: true, ..EmbeddedMaterial::default() };
            let data = SurfaceData { embedded_material: Some(Arc::new(material)), ..SurfaceData::default() };
            let mut triangles = faces.of_part(&triangles, index).peekable();
            if triangles.peek().is_some() {
                meshes.add(&name, name.clone(), data, Vec::new(), &faces.positions, triangles)?;
            }
        }
        Ok(meshes)
    }
}

/// Triangles with common points, and the normals of their corners.
struct Faces {
    positions: Vec<Vec3>,
    /// Index of the position, and the normal, of each corner.
    corners: Vec<(u32, Vec3)>,
}

/// Cosine of the largest angle between smooth faces: 30 degrees.
const SMOOTH: f32 = 0.866_025_4;

impl Faces {
    fn new(triangles: &[Triangle]) -> Self {
        let (mut positions, mut known) = (Vec::new(), HashMap::new());
        let mut index = |position: Vec3| {
            let key = position.to_array().map(|part| (part + 0.0).to_bits());
            *known.entry(key).or_insert_with(|| {
                positions.push(position);
                u32_or_max(positions.len() - 1)
            })
        };
        let corners: Vec<(u32, u32)> =
            (0..).zip(triangles).flat_map(|(face, (corners, _))| corners.map(|corner| (index(corner), face))).collect();
        let areas: Vec<Vec3> = triangles.iter().map(|([a, b, c], _)| (b - a).cross(c - a)).collect();
        let directions: Vec<Vec3> = areas.iter().map(|area| area.normalize_or_zero()).collect();
        let joins = |own: usize, other: usize| {
            let part = |face: usize| triangles.get(face).map(|(_, part)| part);
            let cosine = directions.get(own).zip(directions.get(other)).map(|(own, other)| own.dot(*other));
            part(own) == part(other) && cosine >= Some(SMOOTH)
        };
        let normals = smooth_corners(&corners, positions.len(), &areas, joins);
        let corners = corners.into_iter().map(|(position, _)| position).zip(normals).collect();
        Self { positions, corners }
    }

    /// Returns the triangles of a part, clockwise.
    fn of_part<'a>(&'a self, triangles: &'a [Triangle], part: u32) -> impl Iterator<Item = [Corner; 3]> + 'a {
        let corner = |(position, normal): (u32, Vec3)| Corner { position, normal, uv: Vec2::ZERO, colour: WHITE };
        let own = triangles.iter().zip(self.corners.as_chunks::<3>().0).filter(move |((_, own), _)| *own == part);
        own.map(move |(_, [a, b, c])| [*a, *c, *b].map(corner))
    }
}

/// Returns the red, green and blue parts of a number of AutoCAD's palette: nine basic colours, 24 hues in five brightnesses,
/// each full and pale, and six greys.
fn rgb(colour: i64) -> [f32; 3] {
    const BASIC: [[f32; 3]; 9] = [
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 1.0, 1.0],
        [0.0, 0.0, 1.0],
        [1.0, 0.0, 1.0],
        [1.0, 1.0, 1.0],
        [0.5, 0.5, 0.5],
        [0.75, 0.75, 0.75],
    ];
    let Ok(index @ 1..=255) = u8::try_from(colour) else { return [1.0; 3] };
    match index {
        1..=9 => BASIC[usize::from(index) - 1],
        250.. => [f32::from(index - 250) / 5.0; 3],
        _ => {
            let hue = f32::from(index / 10 - 1) / 4.0;
            let brightness = [1.0, 0.65, 0.5, 0.3, 0.15][usize::from(index % 10 / 2)];
            let pale = if index % 2 == 1 { 0.5 } else { 0.0 };
            // The distance of the hue from red, green and blue, of six in the circle.
            [0.0, 2.0, 4.0].map(|primary| {
                let distance = ((hue - primary + 9.0) % 6.0 - 3.0_f32).abs();
                let full = (2.0 - distance).clamp(0.0, 1.0);
                brightness * (full + pale * (1.0 - full))
            })
        }
    }
}
