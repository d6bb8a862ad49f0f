//! Objects of an ASE and their meshes.

use glam::{Mat3, Vec2, Vec3};

use super::material::Material;
use crate::budget::Budget;
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::keyed_blocks::KeyedBlocks;
use crate::formats::polygons::{Face, Meshes, Polygons, colour};
use crate::model::{Detail, SurfaceData};
use crate::text::{Dialect, Lexer, Token};

/// Blocks of an object that are read.
#[rustfmt::skip]
const BLOCKS: [&str; 9] = [
    "*NODE_TM", "*MESH", "*MESH_VERTEX_LIST", "*MESH_FACE_LIST", "*MESH_TVERTLIST", "*MESH_TFACELIST", "*MESH_CVERTLIST",
    "*MESH_CFACELIST", "*MESH_NORMALS",
];
/// Keys of the lists with indices of faces, and the places of their indices in a corner.
const FACES: [(&str, usize); 3] = [("*MESH_FACE", 0), ("*MESH_TFACE", 1), ("*MESH_CFACE", 3)];
/// Keys of numbers of elements that the file announces: those of vertices and faces.
const COUNTS: [&str; 2] = ["*MESH_NUMVERTEX", "*MESH_NUMFACES"];

/// Object with a mesh.
#[derive(Default)]
pub(super) struct Object {
    name: String,
    /// Matrix of `*NODE_TM`, which turns stored normals.
    turn: Mat3,
    /// `*MATERIAL_REF`; −1 for none.
    material: i64,
    polygons: Polygons,
    /// Number of lines of each list of [`FACES`].
    lines: [usize; 3],
    /// Face of the normals that follow.
    face: usize,
    announced: [Option<i64>; 2],
}

impl Object {
    /// Reads the block of an object.
    pub fn read(
        reader: &mut KeyedBlocks,
        comparisons: &mut Budget,
        warnings: &mut Warnings,
    ) -> Result<Self, LoadError> {
        let mut object = Self { face: usize::MAX, ..Self::default() };
        reader.lexer = reader.lexer.in_dialect(Dialect::Labels);
        reader.block(&BLOCKS, |reader, key| object.read_key(reader, key))?;
        reader.lexer = reader.lexer.in_dialect(Dialect::Script);
        object.polygons.faces.truncate(object.lines[0]);
        object.polygons.smooth(comparisons, |a, b| a & b != 0);
        let (name, [faces, uv_faces, _]) = (&object.name, object.lines);
        let found = [object.polygons.positions.len(), faces];
        for ((key, announced), found) in COUNTS.iter().zip(object.announced).zip(found) {
            if let Some(announced) = announced.filter(|announced| usize::try_from(*announced) != Ok(found)) {
                let message = format!("{key} is {announced}, but the file has {found}; all are used");
                warnings.add(WarningKind::Inconsistent, name, message);
            }
        }
        if uv_faces > 0 && uv_faces != faces {
            let message = format!("{uv_faces} faces have texture coordinates, of {faces}; Doom 3 refuses the file");
            warnings.add(WarningKind::Substituted, name, message);
        }
        Ok(object)
    }

    fn read_key(&mut self, reader: &mut KeyedBlocks, key: &Token) -> Result<(), LoadError> {
        let Polygons { positions, uvs, colours, faces, .. } = &mut self.polygons;
        let mut unknown = Face::EMPTY;
        let latest = faces.get_mut(self.lines[0].wrapping_sub(1)).unwrap_or(&mut unknown);
        if key.is("*MESH_VERTEX") {
            positions.push(read_vector(reader, "*MESH_VERTEX")?);
        } else if key.is("*MESH_TVERT") {
            let uv = read_vector(reader, "*MESH_TVERT")?;
            uvs.push(Vec2::new(uv.x, uv.y));
        } else if key.is("*MESH_VERTCOL") {
            let Vec3 { x, y, z } = read_vector(reader, "*MESH_VERTCOL")?;
            colours.push(colour([x, y, z, 1.0]));
        } else if let Some(list) = FACES.iter().position(|(face, _)| key.is(face)) {
            let (field, place) = FACES[list];
            let corners = read_corners(reader, field, [positions.len(), uvs.len(), colours.len()][list])?;
            if self.lines[list] == faces.len() {
                faces.push(Face::EMPTY);
            }
            for (corner, index) in faces[self.lines[list]].corners.iter_mut().zip(corners) {
                corner[place] = index;
            }
            self.lines[list] += 1;
        } else if key.is("*MESH_VERTEXNORMAL") {
            let vertex = reader.lexer.parse_index("*MESH_VERTEXNORMAL", positions.len())?;
            let normal = reader.vec3("*MESH_VERTEXNORMAL")?;
            self.polygons.add_normal(self.face, vertex, self.turn * normal);
        } else if key.is("*MESH_FACENORMAL") {
            self.face = usize::try_from(reader.lexer.parse_integer("*MESH_FACENORMAL")?).unwrap_or(usize::MAX);
            reader.vec3("*MESH_FACENORMAL")?;
        } else if key.is("*MESH_SMOOTHING") {
            latest.smoothing = read_groups(&mut reader.lexer)?;
        } else if key.is("*MESH_MTLID") {
            latest.part = reader.lexer.take_integer().unwrap_or(0);
        } else if key.is("*MATERIAL_REF") {
            self.material = reader.lexer.parse_integer("*MATERIAL_REF")?;
        } else if key.is("*NODE_NAME") && self.name.is_empty() {
            // `*NODE_TM` has the name again.
            self.name = reader.lexer.parse_text("*NODE_NAME")?;
        } else if let Some(count) = COUNTS.iter().position(|count| key.is(count)) {
            self.announced[count] = Some(reader.lexer.parse_integer(COUNTS[count])?);
        } else if let Some(row) = ["*TM_ROW0", "*TM_ROW1", "*TM_ROW2"].iter().position(|row| key.is(row)) {
            *self.turn.col_mut(row) = reader.vec3("*NODE_TM")?;
        }
        Ok(())
    }

    /// Adds the object as a surface for each submaterial that its faces use, in the order of first use.
    pub fn add_to(&self, meshes: &mut Meshes, materials: &[Material], warnings: &mut Warnings) -> Result<(), Reason> {
        let material = usize::try_from(self.material).ok().and_then(|index| materials.get(index));
        let (plain, polygons) = (Material::default(), &self.polygons);
        for (part, faces) in polygons.parts(|part| material?.part_of(part)) {
            let part = material.map_or(&plain, |material| material.part(part));
            let details = [("*MATERIAL_NAME", &part.name), ("*BITMAP", &part.bitmap)];
            let details = details.into_iter().filter(|(_, text)| !text.is_empty());
            let details = details.map(|(label, text)| Detail::text(label, text)).collect();
            let name = Material::game_name(&part.name, &part.bitmap);
            let transform = part.transform();
            let triangles = faces.into_iter().map(|face| polygons.triangle(face, &transform));
            meshes.add(&self.name, name, SurfaceData::default(), details, &polygons.positions, triangles)?;
        }
        if material.is_none() && !materials.is_empty() && !polygons.faces.is_empty() && self.material >= 0 {
            let message = format!("material {} does not exist; Doom 3 shows the default material", self.material);
            warnings.add(WarningKind::Inconsistent, &self.name, message);
        }
        Ok(())
    }
}

fn read_vector(reader: &mut KeyedBlocks, key: &str) -> Result<Vec3, LoadError> {
    reader.lexer.parse_integer(key)?;
    reader.vec3(key)
}

/// Reads `i a b c`, or for faces `i: A: a B: b C: c`, where the first colon may be missing. Returns the indices clockwise.
fn read_corners(reader: &mut KeyedBlocks, key: &str, count: usize) -> Result<[u32; 3], LoadError> {
    reader.lexer.parse_integer(key)?;
    reader.lexer.check(":")?;
    let mut corner = |label: &str| {
        let may_have_label = key == FACES[0].0 && !reader.lexer.take_label(label);
        if may_have_label && reader.lexer.check(label)? {
            reader.lexer.expect(":", key)?;
        }
        reader.lexer.parse_index(key, count)
    };
    let [a, b, c] = [corner("A")?, corner("B")?, corner("C")?];
    Ok([a, c, b])
}

/// Reads the numbers of smoothing groups, `1,2`, as bits. There may be none.
fn read_groups(lexer: &mut Lexer) -> Result<u32, LoadError> {
    let mut bits = 0;
    while let Some(group) = lexer.take_integer() {
        bits |= if (1..=32).contains(&group) { 1 << (group - 1) } else { 0 };
        lexer.check(",")?;
    }
    Ok(bits)
}
