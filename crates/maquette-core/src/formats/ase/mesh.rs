//! Objects of an ASE and their meshes.

use foldhash::{HashMap, HashMapExt as _};
use glam::{Mat3, Vec2, Vec3};

use super::material::Material;
use super::{Reader, check_count};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::polygons::{Corner, Meshes, WHITE, corners_of, smooth_corners};
use crate::model::{Detail, SurfaceData};
use crate::text::{Dialect, Lexer, Token};

/// Object with a mesh.
#[derive(Default)]
pub(super) struct Object {
    name: String,
    /// Rows of `*NODE_TM`, which turns stored normals.
    rows: [Vec3; 3],
    mesh: Mesh,
    /// `*MATERIAL_REF`; −1 for none.
    material: i64,
}

#[derive(Default)]
struct Mesh {
    positions: Vec<Vec3>,
    faces: Vec<Face>,
    uvs: Vec<Vec2>,
    uv_faces: Vec<[u32; 3]>,
    colours: Vec<[u8; 4]>,
    colour_faces: Vec<[u32; 3]>,
    /// Stored normals, each with the preceding face and the number of its vertex.
    normals: Vec<(usize, u32, Vec3)>,
    /// Numbers of vertices and faces that the file announces.
    announced: [Option<i64>; 2],
}

struct Face {
    corners: [u32; 3],
    /// Bits of the smoothing groups.
    groups: u32,
    /// `*MESH_MTLID`.
    part: i64,
}

impl Object {
    /// Reads the block of an object.
    pub fn read(reader: &mut Reader, warnings: &mut Warnings) -> Result<Self, LoadError> {
        let mut object = Self { rows: [Vec3::X, Vec3::Y, Vec3::Z], ..Self::default() };
        reader.block(|reader, word| {
            if word.is("*NODE_NAME") {
                object.name = reader.lexer.parse_text("*NODE_NAME")?;
            } else if word.is("*NODE_TM") {
                reader.block(|reader, word| {
                    let row = ["*TM_ROW0", "*TM_ROW1", "*TM_ROW2"].iter().position(|row| word.is(row));
                    if let Some(row) = row.and_then(|row| object.rows.get_mut(row)) {
                        *row = reader.vec3("*NODE_TM")?;
                    }
                    Ok(())
                })?;
            } else if word.is("*MESH") {
                object.mesh.read(reader)?;
            } else if word.is("*MATERIAL_REF") {
                object.material = reader.lexer.parse_integer("*MATERIAL_REF")?;
            }
            Ok(())
        })?;
        let Mesh { positions, faces, uv_faces, announced, .. } = &object.mesh;
        check_count(warnings, &object.name, "*MESH_NUMVERTEX", announced[0], positions.len());
        check_count(warnings, &object.name, "*MESH_NUMFACES", announced[1], faces.len());
        if !uv_faces.is_empty() && uv_faces.len() != faces.len() {
            let message = format!(
                "{} faces have texture coordinates, of {}; Doom 3 refuses the file",
                uv_faces.len(),
                faces.len()
            );
            warnings.add(WarningKind::Substituted, &object.name, message);
        }
        Ok(object)
    }

    /// Adds the object as a surface for each submaterial that its faces use, in the order of first use.
    pub fn add_to(&self, meshes: &mut Meshes, materials: &[Material], warnings: &mut Warnings) -> Result<(), Reason> {
        let material = usize::try_from(self.material).ok().and_then(|index| materials.get(index));
        let normals = self.mesh.corner_normals(self.rows);
        let mut parts: Vec<(Option<i64>, Vec<usize>)> = Vec::new();
        let mut known = HashMap::new();
        for (index, face) in self.mesh.faces.iter().enumerate() {
            let part = material.and_then(|material| material.part_of(face.part));
            let at = *known.entry(part).or_insert_with(|| {
                parts.push((part, Vec::new()));
                parts.len() - 1
            });
            if let Some((_, faces)) = parts.get_mut(at) {
                faces.push(index);
            }
        }
        for (part, faces) in parts {
            let part = material.map(|material| material.part(part));
            let name = part.map(|part| Material::game_name(&part.name, &part.bitmap)).unwrap_or_default();
            let named = part.filter(|part| !(part.name.is_empty() && part.bitmap.is_empty()));
            let details = named
                .map(|part| vec![Detail::text("*MATERIAL_NAME", &part.name), Detail::text("*BITMAP", &part.bitmap)]);
            let triangles = faces.iter().filter_map(|face| self.mesh.corners(*face, part, normals.get(*face)?));
            let details = details.unwrap_or_default();
            meshes.add(&self.name, name, SurfaceData::default(), details, &self.mesh.positions, triangles)?;
        }
        if material.is_none() && !materials.is_empty() && !self.mesh.faces.is_empty() && self.material >= 0 {
            let message = format!("material {} does not exist; Doom 3 shows the default material", self.material);
            warnings.add(WarningKind::Inconsistent, &self.name, message);
        }
        Ok(())
    }
}

impl Mesh {
    fn read(&mut self, reader: &mut Reader) -> Result<(), LoadError> {
        reader.block(|reader, word| {
            if word.is("*MESH_NUMVERTEX") {
                self.announced[0] = Some(reader.lexer.parse_integer("*MESH_NUMVERTEX")?);
            } else if word.is("*MESH_NUMFACES") {
                self.announced[1] = Some(reader.lexer.parse_integer("*MESH_NUMFACES")?);
            } else if word.is("*MESH_NORMALS") {
                self.read_normals(reader)?;
            } else if word.is_any(&LISTS) {
                reader.block(|reader, word| self.read_line(reader, word))?;
            }
            Ok(())
        })
    }

    fn read_line(&mut self, reader: &mut Reader, word: &Token) -> Result<(), LoadError> {
        if word.is("*MESH_VERTEX") {
            reader.lexer.parse_integer("*MESH_VERTEX")?;
            self.positions.push(reader.vec3("*MESH_VERTEX")?);
        } else if word.is("*MESH_FACE") {
            let corners = read_face(reader, self.positions.len())?;
            self.faces.push(Face { corners, groups: 0, part: 0 });
        } else if word.is("*MESH_SMOOTHING") {
            let groups = read_groups(reader)?;
            if let Some(face) = self.faces.last_mut() {
                face.groups = groups;
            }
        } else if word.is("*MESH_MTLID") {
            let part = reader.lexer.take_integer().unwrap_or(0);
            if let Some(face) = self.faces.last_mut() {
                face.part = part;
            }
        } else if word.is("*MESH_TVERT") {
            reader.lexer.parse_integer("*MESH_TVERT")?;
            let [u, v, _] = reader.vec3("*MESH_TVERT")?.to_array();
            self.uvs.push(Vec2::new(u, v));
        } else if word.is("*MESH_TFACE") {
            self.uv_faces.push(read_indices(reader, "*MESH_TFACE", self.uvs.len())?);
        } else if word.is("*MESH_VERTCOL") {
            reader.lexer.parse_integer("*MESH_VERTCOL")?;
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast clamps")]
            let [r, g, b] = reader.vec3("*MESH_VERTCOL")?.to_array().map(|part| (part * 255.0) as u8);
            self.colours.push([r, g, b, 255]);
        } else if word.is("*MESH_CFACE") {
            self.colour_faces.push(read_indices(reader, "*MESH_CFACE", self.colours.len())?);
        }
        Ok(())
    }

    fn read_normals(&mut self, reader: &mut Reader) -> Result<(), LoadError> {
        let mut face = usize::MAX;
        reader.block(|reader, word| {
            if word.is("*MESH_FACENORMAL") {
                face = usize::try_from(reader.lexer.parse_integer("*MESH_FACENORMAL")?).unwrap_or(usize::MAX);
                reader.vec3("*MESH_FACENORMAL")?;
            } else if word.is("*MESH_VERTEXNORMAL") {
                let vertex = reader.index("*MESH_VERTEXNORMAL", self.positions.len())?;
                self.normals.push((face, vertex, reader.vec3("*MESH_VERTEXNORMAL")?));
            }
            Ok(())
        })
    }

    /// Returns the stored normals of the corners of each face. A corner whose face has none takes that of its vertex, because
    /// q3map2 writes one for each vertex, after the last face.
    fn stored_normals(&self) -> Vec<[Option<Vec3>; 3]> {
        let mut of_vertices = vec![None; self.positions.len()];
        let mut normals = vec![[None; 3]; self.faces.len()];
        for (face, vertex, normal) in &self.normals {
            if let Some(known) = of_vertices.get_mut(*vertex as usize) {
                *known = Some(*normal);
            }
            if let (Some(face), Some(normals)) = (self.faces.get(*face), normals.get_mut(*face)) {
                let mut corners = face.corners.iter().zip(normals).filter(|(_, known)| known.is_none());
                if let Some((_, known)) = corners.find(|(corner, _)| *corner == vertex) {
                    *known = Some(*normal);
                }
            }
        }
        for (face, normals) in self.faces.iter().zip(&mut normals) {
            for (corner, normal) in face.corners.iter().zip(normals) {
                *normal = normal.or_else(|| of_vertices.get(*corner as usize).copied().flatten());
            }
        }
        normals
    }

    /// Returns the normals of the corners of each face: stored ones, or the sums of the faces of the same smoothing groups,
    /// weighted by area.
    fn corner_normals(&self, rows: [Vec3; 3]) -> Vec<[Vec3; 3]> {
        let position = |index: u32| self.positions.get(index as usize).copied().unwrap_or_default();
        let area = |face: &Face| {
            let [a, b, c] = face.corners.map(position);
            (b - a).cross(c - a)
        };
        let normals: Vec<Vec3> = self.faces.iter().map(area).collect();
        if self.normals.is_empty() {
            let corners = corners_of(self.faces.iter().map(|face| face.corners));
            let groups = |face: usize| self.faces.get(face).map_or(0, |face| face.groups);
            let smooth = smooth_corners(&corners, self.positions.len(), &normals, |a, b| groups(a) & groups(b) != 0);
            return smooth.as_chunks::<3>().0.to_vec();
        }
        let turn = Mat3::from_cols(rows[0], rows[1], rows[2]);
        let corners = |(stored, area): ([Option<Vec3>; 3], Vec3)| {
            stored.map(|stored| {
                stored.and_then(|stored| (turn * stored).try_normalize()).unwrap_or(area.normalize_or_zero())
            })
        };
        self.stored_normals().into_iter().zip(normals).map(corners).collect()
    }

    /// Returns the corners of a face, clockwise.
    fn corners(&self, face: usize, material: Option<&Material>, normals: &[Vec3; 3]) -> Option<[Corner; 3]> {
        let positions = self.faces.get(face)?.corners;
        let uvs = self.uv_faces.get(face);
        let colours = self.colour_faces.get(face);
        let corner = |index: usize| {
            let uv = uvs.and_then(|uvs| self.uvs.get(*uvs.get(index)? as usize));
            let uv = uv.map_or(Vec2::ZERO, |uv| {
                material.map_or(Vec2::new(uv.x, 1.0 - uv.y), |material| material.transform(*uv))
            });
            let colour = colours.and_then(|colours| self.colours.get(*colours.get(index)? as usize));
            Some(Corner {
                position: *positions.get(index)?,
                normal: *normals.get(index)?,
                uv,
                colour: colour.copied().unwrap_or(WHITE),
            })
        };
        Some([corner(0)?, corner(2)?, corner(1)?])
    }
}

/// Blocks of a mesh that are lists of lines.
#[rustfmt::skip]
const LISTS: [&str; 6] = [
    "*MESH_VERTEX_LIST", "*MESH_FACE_LIST", "*MESH_TVERTLIST", "*MESH_TFACELIST", "*MESH_CVERTLIST", "*MESH_CFACELIST",
];

/// Reads `i: A: a B: b C: c`. There may be a space before the colon, or none after it.
fn read_face(reader: &mut Reader, vertices: usize) -> Result<[u32; 3], LoadError> {
    let mut corners = [0; 3];
    for (corner, label) in corners.iter_mut().zip(*b"ABC") {
        loop {
            let before = reader.lexer;
            let Some(word) = reader.lexer.next()?.filter(|word| !word.bytes.starts_with(b"*")) else {
                return Err(before.unexpected(before.peek()?, "*MESH_FACE", "three corners"));
            };
            let Some(rest) = word.bytes.strip_prefix(&[label, b':']) else { continue };
            if rest.is_empty() {
                *corner = reader.index("*MESH_FACE", vertices)?;
            } else {
                let (_, line) = before.rest();
                let mut attached = Lexer::resumed("ase", Dialect::Script, rest, line);
                std::mem::swap(&mut reader.lexer, &mut attached);
                let read = reader.index("*MESH_FACE", vertices);
                reader.lexer = attached;
                *corner = read?;
            }
            break;
        }
    }
    Ok(corners)
}

/// Reads the numbers of smoothing groups, `1,2`, as bits. There may be none.
fn read_groups(reader: &mut Reader) -> Result<u32, LoadError> {
    let Some(word) = reader.lexer.peek()?.filter(|word| word.bytes.first().is_some_and(u8::is_ascii_digit)) else {
        return Ok(0);
    };
    reader.lexer.next()?;
    let numbers = word.bytes.split(|byte| *byte == b',').filter_map(|number| std::str::from_utf8(number).ok());
    let numbers = numbers.filter_map(|number| number.parse::<u32>().ok()).filter(|number| (1..=32).contains(number));
    Ok(numbers.fold(0, |bits, number| bits | 1 << (number - 1)))
}

fn read_indices(reader: &mut Reader, field: &str, count: usize) -> Result<[u32; 3], LoadError> {
    reader.lexer.parse_integer(field)?;
    Ok([reader.index(field, count)?, reader.index(field, count)?, reader.index(field, count)?])
}
