//! 3DS (3D Studio for DOS): meshes of the modelling tools of the nineties, with their materials.
//!
//! Sources of the layout: *3DS Chunk Definitions* of Autodesk's file toolkit, and the readers of Assimp
//! (`3DSLoader.cpp`), lib3ds (`mesh.c`) and Blender (`import_3ds.py`). A chunk has an id, its size with this header of 6
//! bytes, its fields, and chunks:
//!
//! | chunk | within | content |
//! |---|---|---|
//! | `4D4D` | file | everything: version `0002`, editor `3D3D`, keyframer `B000` |
//! | `4000`, `4100` | `3D3D`, `4000` | name of an object; its mesh |
//! | `4110`, `4140` | `4100` | points; texture coordinates of the points, which count from the bottom |
//! | `4120` | `4100` | faces: three points counter-clockwise, flags of the edges |
//! | `4130`, `4150` | `4120` | a material and the faces that have it; smoothing groups of each face, as bits |
//! | `AFFF` | `3D3D` | material: [`material`] |
//! | `B002` | `B000` | object in the animation: its name, and tracks of keys |
//!
//! Points are in the space of the scene, with Z up, even if the matrix of the object (`4160`) mirrors: the games' space
//! is taken to be the same, as for an ASE. Pivots and hierarchies (`B000`) move nothing in the first frame.

mod material;

use std::cell::Cell;

use foldhash::{HashMap, HashMapExt as _, HashSet};
use glam::{Vec2, Vec3};

use super::polygons::{Face, Meshes, NONE, Polygons};
use super::unusable_numbers::UNUSABLE;
use crate::bytes::{ByteReader, Column, Kind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::formats::chunk::{f32s, u16s, vec3_at};
use crate::model::{AnimationFiles, Companions, Format, ModelParts, SurfaceData, is_usable, u32_or_max};
use material::Materials;

/// 3D Studio, little-endian chunks.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "3ds",
    title: "3DS",
    extensions: &["3ds"],
    media_type: "image/x-3ds",
    signature: "",
    game: "modelling programs",
    version: 3,
    stores_normals: false,
    companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: true },
    looks_like: Some(looks_like),
    ..FormatDef::plain(load)
};

/// Ids of chunks; `FILE` is the parent of the first.
mod id {
    pub const FILE: u16 = 0;
    pub const VERSION: u16 = 0x0002;
    pub const MAIN: u16 = 0x4d4d;
    pub const EDITOR: u16 = 0x3d3d;
    pub const OBJECT: u16 = 0x4000;
    pub const MESH: u16 = 0x4100;
    pub const POINTS: u16 = 0x4110;
    pub const FACES: u16 = 0x4120;
    pub const FACE_MATERIAL: u16 = 0x4130;
    pub const TEXTURE_COORDINATES: u16 = 0x4140;
    pub const SMOOTHING: u16 = 0x4150;
    pub const KEYFRAMER: u16 = 0xb000;
    pub const NODE: u16 = 0xb002;
    pub const NODE_NAME: u16 = 0xb010;
}

const POINTS: Record = Record::new("points", &[Column::new("position", Kind::F32, 3)]);
const TEXTURE_COORDINATES: Record = Record::new("texture coordinates", &[Column::new("uv", Kind::F32, 2)]);
const FACES: Record = Record::new("faces", &[Column::new("points", Kind::U16, 3), Column::new("flags", Kind::U16, 1)]);
const FACE_MATERIAL: Record = Record::new("faces of the material", &[Column::new("face", Kind::U16, 1)]);
const SMOOTHING: Record = Record::new("smoothing groups", &[Column::new("groups", Kind::U32, 1)]);
/// Bytes of the id and the size of a chunk.
const HEADER: u64 = 6;

/// Returns whether a file begins with the main chunk and the version, the editor or the keyframer. A TIFF begins with the
/// same two bytes.
fn looks_like(bytes: &[u8]) -> bool {
    let first = bytes.get(6..8).and_then(|id| id.try_into().ok()).map(u16::from_le_bytes);
    bytes.starts_with(b"MM") && matches!(first, Some(id::VERSION | id::EDITOR | id::KEYFRAMER))
}

/// Loads a 3DS.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut scene = Scene::new(source);
    scene.read_chunks(id::FILE, 0, source.len())?;
    scene.warn(warnings);
    let materials = scene.materials.finish(warnings);
    let mut meshes = Meshes::new(source.len());
    for mut object in scene.objects {
        object.weld();
        // Faces at one point are smooth if they share a group.
        object.polygons.smooth(|a, b| a & b != 0);
        for (part, faces) in object.polygons.parts(|part| part) {
            let material = usize::try_from(part).ok().and_then(|part| object.materials.get(part));
            let material = material.cloned().unwrap_or_default();
            let embedded_material = materials.get(&material).cloned();
            let data = SurfaceData { embedded_material, ..SurfaceData::default() };
            let place = |uv: Vec2| Vec2::new(uv.x, 1.0 - uv.y);
            let triangles = faces.into_iter().map(|face| object.polygons.triangle(face, place));
            let added = meshes.add(&object.name, material, data, Vec::new(), &object.polygons.positions, triangles);
            added.map_err(|reason| source.error("chunk 3D3D", 0, reason))?;
        }
    }
    if meshes.is_empty() {
        return Err(source.error("chunk 3D3D", 0, Reason::Broken("no object has faces".to_owned())));
    }
    Ok(meshes.into_parts(Format::ThreeDs, scene.version, Vec::new()))
}

/// Object with a mesh. The corners of faces are points, also as indices into the texture coordinates.
#[derive(Default)]
struct Object {
    name: String,
    polygons: Polygons,
    /// Names of the materials, the parts of the faces.
    materials: Vec<String>,
}

impl Object {
    /// Joins points at one position, because exporters repeat points that have several texture coordinates.
    fn weld(&mut self) {
        let mut known = HashMap::new();
        let first: Vec<u32> = (0..)
            .zip(&self.polygons.positions)
            .map(|(index, position)| {
                *known.entry(position.to_array().map(|part| (part + 0.0).to_bits())).or_insert(index)
            })
            .collect();
        let uvs = self.polygons.uvs.len();
        for corner in self.polygons.faces.iter_mut().flat_map(|face| &mut face.corners) {
            let point = corner[0] as usize;
            corner[1] = if point < uvs { corner[0] } else { NONE };
            corner[0] = first.get(point).copied().unwrap_or(NONE);
        }
    }
}

/// Contents of a file.
struct Scene<'a> {
    source: &'a Source<'a>,
    version: Option<i32>,
    objects: Vec<Object>,
    /// Object that is read.
    object: Object,
    materials: Materials,
    /// Names of objects in the animation.
    nodes: HashSet<String>,
    instances: usize,
    /// Number of tracks with several keys.
    tracks: usize,
    /// Number of faces with points that do not exist, of numbers that cannot be used, and of chunks beyond their parents.
    outside: usize,
    unusable: Cell<usize>,
    cut: usize,
}

impl<'a> Scene<'a> {
    fn new(source: &'a Source<'a>) -> Self {
        Self {
            source,
            version: None,
            objects: Vec::new(),
            object: Object::default(),
            materials: Materials::default(),
            nodes: HashSet::default(),
            instances: 0,
            tracks: 0,
            outside: 0,
            unusable: Cell::new(0),
            cut: 0,
        }
    }

    fn warn(&self, warnings: &mut Warnings) {
        let not_shown = WarningKind::NotShown;
        let (track, tracks) = ("track of the animation is not read", "tracks of the animation are not read");
        warnings.add_counted(not_shown, "chunk B000", self.tracks, [track, tracks]);
        let (copy, copies) =
            ("copy of an object in the animation is not shown", "copies of objects in the animation are not shown");
        warnings.add_counted(not_shown, "chunk B000", self.instances, [copy, copies]);
        warnings.add_counted(WarningKind::Substituted, "points", self.unusable.get(), UNUSABLE);
        let (face, faces) = (
            "face has a point that does not exist and is skipped",
            "faces have points that do not exist and are skipped",
        );
        warnings.add_counted(WarningKind::LeftOut, "faces", self.outside, [face, faces]);
        let (chunk, chunks) =
            ("chunk ends after its parent; the rest is skipped", "chunks end after their parents; the rest is skipped");
        warnings.add_counted(WarningKind::Inconsistent, "chunks", self.cut, [chunk, chunks]);
    }

    /// Reads the chunks from `at` to `end`.
    fn read_chunks(&mut self, parent: u16, mut at: u64, end: u64) -> Result<(), LoadError> {
        while at + HEADER <= end {
            let source = self.source;
            let [low, high, ..] = source.number_at(at).unwrap_or_default().to_le_bytes();
            let name = || format!("chunk {high:02X}{low:02X}");
            let _group = source.group(name);
            let mut reader = source.at(at);
            let (id, size_at) = (reader.u16("id")?, reader);
            let size = u64::from(reader.u32("size")?);
            let mut stop = at + size;
            let reason = match stop {
                _ if size < HEADER => Some(Reason::Broken(format!("the size is {size}; a chunk has at least 6 bytes"))),
                _ if stop > source.len() => {
                    Some(Reason::UnexpectedEnd { wanted: size, left: source.len().saturating_sub(at) })
                }
                _ => None,
            };
            if let Some(reason) = reason {
                let forgiven =
                    source.forgive(size_at.error("size", reason), || "the rest is read as one chunk".to_owned());
                forgiven.map_err(|error| error.within(&name()))?;
                stop = end;
            }
            self.cut += usize::from(stop > end && stop <= source.len());
            if let Err(error) = self.read_chunk((parent, id), reader, stop.min(end)) {
                let forgiven = source.forgive(error, || "the rest of the chunk is skipped".to_owned());
                forgiven.map_err(|error| error.within(&name()))?;
            }
            at = stop;
        }
        Ok(())
    }

    fn read_chunk(&mut self, (parent, id): (u16, u16), mut reader: ByteReader<'a>, end: u64) -> Result<(), LoadError> {
        match (parent, id) {
            (id::FILE, id::MAIN) | (id::MAIN, id::EDITOR | id::KEYFRAMER) | (id::KEYFRAMER, id::NODE) => {}
            (id::MAIN, id::VERSION) => self.version = Some(reader.i32("version")?),
            (id::EDITOR, id::OBJECT) => {
                self.object = Object { name: reader.text_before("name", end)?, ..Object::default() }
            }
            (id::OBJECT, id::MESH) => {
                self.object = Object { name: std::mem::take(&mut self.object.name), ..Object::default() };
                let read = self.read_chunks(id, reader.position(), end);
                self.finish_object();
                return read;
            }
            (id::MESH, id::POINTS) => self.read_points(&mut reader, end)?,
            (id::MESH, id::TEXTURE_COORDINATES) => {
                let table = table(&mut reader, end, &TEXTURE_COORDINATES)?.as_chunks::<8>().0;
                let uv = |record: &[u8; 8]| Vec2::from_array(f32s(record).map(|number| self.usable(number)));
                self.object.polygons.uvs = table.iter().map(uv).collect();
            }
            (id::MESH, id::FACES) => self.read_faces(&mut reader, end)?,
            (id::FACES, id::FACE_MATERIAL) => self.read_face_material(&mut reader, end)?,
            (id::FACES, id::SMOOTHING) => {
                let (at, count) = (reader.position() - 4, end.saturating_sub(reader.position()) / SMOOTHING.stride());
                let groups = reader.next_table(("size", at), count, &SMOOTHING)?.as_chunks::<4>().0;
                for (face, groups) in self.object.polygons.faces.iter_mut().zip(groups) {
                    face.smoothing = u32::from_le_bytes(*groups);
                }
                return Ok(());
            }
            (id::NODE, id::NODE_NAME) => {
                let name = reader.text_before("name", end)?;
                self.instances += usize::from(name != "$$$DUMMY" && !self.nodes.insert(name));
                return Ok(());
            }
            // Tracks of positions, rotations, scales, shapes and so on.
            (id::NODE, 0xb020..=0xb029) => {
                reader.skip("flags", 10)?;
                self.tracks += usize::from(reader.u32("keys")? > 1);
                return Ok(());
            }
            _ if self.materials.read_chunk((parent, id), &mut reader, end)? => {}
            _ => return Ok(()),
        }
        self.read_chunks(id, reader.position(), end)
    }

    /// Returns a number, or 0 for one that cannot be used, which is counted.
    fn usable(&self, number: f32) -> f32 {
        self.unusable.set(self.unusable.get() + usize::from(!is_usable(number)));
        if is_usable(number) { number } else { 0.0 }
    }

    fn read_points(&mut self, reader: &mut ByteReader, end: u64) -> Result<(), LoadError> {
        let table = table(reader, end, &POINTS)?.as_chunks::<12>().0;
        let point = |record| Vec3::from_array(vec3_at(record, 0).to_array().map(|number| self.usable(number)));
        self.object.polygons.positions = table.iter().map(point).collect();
        Ok(())
    }

    fn read_faces(&mut self, reader: &mut ByteReader, end: u64) -> Result<(), LoadError> {
        let table = table(reader, end, &FACES)?.as_chunks::<8>().0;
        let face = |record: &[u8; 8]| {
            let [a, b, c, _] = u16s::<4>(record).map(|point| [point.into(), NONE, NONE, NONE]);
            // Clockwise.
            Face { corners: [a, c, b], part: -1, ..Face::EMPTY }
        };
        self.object.polygons.faces = table.iter().map(face).collect();
        Ok(())
    }

    fn read_face_material(&mut self, reader: &mut ByteReader, end: u64) -> Result<(), LoadError> {
        let part = i64::from(u32_or_max(self.object.materials.len()));
        self.object.materials.push(reader.text_before("name", end)?);
        for face in table(reader, end, &FACE_MATERIAL)?.as_chunks::<2>().0 {
            let face = self.object.polygons.faces.get_mut(usize::from(u16::from_le_bytes(*face)));
            face.into_iter().for_each(|face| face.part = part);
        }
        Ok(())
    }

    /// Adds the object that was read, without faces whose points do not exist.
    fn finish_object(&mut self) {
        let name = self.object.name.clone();
        let mut object = std::mem::replace(&mut self.object, Object { name, ..Object::default() });
        let (points, faces) = (object.polygons.positions.len(), object.polygons.faces.len());
        object.polygons.faces.retain(|face| face.corners.iter().all(|corner| (corner[0] as usize) < points));
        self.outside += faces - object.polygons.faces.len();
        if !object.polygons.faces.is_empty() {
            self.objects.push(object);
        }
    }
}

/// Reads a table after its number of records.
fn table<'a>(reader: &mut ByteReader<'a>, end: u64, record: &'static Record) -> Result<&'a [u8], LoadError> {
    let at = *reader;
    let count = u64::from(reader.u16("count")?);
    let left = end.saturating_sub(reader.position());
    let fitting = count.min(left / record.stride());
    if fitting < count {
        let why = format!("{count} records need {} bytes, but the chunk has {left}", count * record.stride());
        at.forgive(at.error("count", Reason::Broken(why)), || format!("{fitting} of {count} records are used"))?;
    }
    reader.next_table(("count", at.position()), fitting, record)
}
