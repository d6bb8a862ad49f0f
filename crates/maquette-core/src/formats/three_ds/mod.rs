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

use std::sync::Arc;

use foldhash::HashSet;
use glam::{Vec2, Vec3};

use super::polygons::{Face, MISSING_CORNERS, Meshes, NONE, Polygons, comparisons, welded};
use super::unusable_numbers::{UnusableNumbers, finite};
use crate::bytes::{ByteReader, Column, Kind, Record, Source};
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::formats::chunk::{f32s, u16s};
use crate::model::{AnimationFiles, Companions, Format, ModelParts, SurfaceData, u32_or_max};
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
/// Bytes of the flags and the number of keys of a track.
const TRACK_HEADER: u64 = 14;

/// Returns whether a file begins with the main chunk and the version, the editor or the keyframer. A TIFF begins with the
/// same two bytes.
fn looks_like(bytes: &[u8]) -> bool {
    let first = bytes.get(6..8).and_then(|id| id.try_into().ok()).map(u16::from_le_bytes);
    bytes.starts_with(b"MM") && matches!(first, Some(id::VERSION | id::EDITOR | id::KEYFRAMER))
}

/// Loads a 3DS.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut scene = Scene::default();
    scene.read_chunks(source, id::FILE, 0, source.len())?;
    scene.warn(warnings);
    let materials = scene.materials.finish(warnings);
    let (mut meshes, mut comparisons) = (Meshes::new(source.len()), comparisons());
    for mut object in scene.objects {
        // Faces at one point are smooth if they share a group.
        object.polygons.smooth(&mut comparisons, |a, b| a & b != 0);
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
    name: Arc<str>,
    polygons: Polygons,
    /// Names of the materials, the parts of the faces.
    materials: Vec<String>,
}

/// Contents of a file.
#[derive(Default)]
struct Scene {
    version: Option<i32>,
    objects: Vec<Object>,
    /// Object that is read.
    object: Object,
    materials: Materials,
    /// Names of objects in the animation.
    nodes: HashSet<String>,
    instances: usize,
    /// Number of tracks with several keys, or that end too early.
    tracks: usize,
    numbers: UnusableNumbers,
    /// Number of faces with points that do not exist, and of chunks beyond their parents.
    outside: usize,
    cut: usize,
}

impl Scene {
    fn warn(&self, warnings: &mut Warnings) {
        let not_shown = WarningKind::NotShown;
        let (track, tracks) = ("track of the animation is not read", "tracks of the animation are not read");
        warnings.add_counted(not_shown, "chunk B000", self.tracks, [track, tracks]);
        let (copy, copies) =
            ("copy of an object in the animation is not shown", "copies of objects in the animation are not shown");
        warnings.add_counted(not_shown, "chunk B000", self.instances, [copy, copies]);
        self.numbers.warn(warnings);
        warnings.add_counted(WarningKind::LeftOut, "faces", self.outside, MISSING_CORNERS);
        let (chunk, chunks) =
            ("chunk ends after its parent; the rest is skipped", "chunks end after their parents; the rest is skipped");
        warnings.add_counted(WarningKind::Inconsistent, "chunks", self.cut, [chunk, chunks]);
    }

    /// Reads the chunks from `at` to `end`; in the file, only the first.
    fn read_chunks(&mut self, source: &Source, parent: u16, mut at: u64, end: u64) -> Result<(), LoadError> {
        while at + HEADER <= end {
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
            if let Err(error) = self.read_chunk(source, (parent, id), reader, stop.min(end)) {
                let forgiven = source.forgive(error, || "the rest of the chunk is skipped".to_owned());
                forgiven.map_err(|error| error.within(&name()))?;
            }
            self.numbers.locate(FilePosition::Byte(at), name);
            at = if parent == id::FILE { end } else { stop };
        }
        Ok(())
    }

    fn read_chunk(
        &mut self,
        source: &Source,
        (parent, id): (u16, u16),
        mut reader: ByteReader,
        end: u64,
    ) -> Result<(), LoadError> {
        let polygons = &mut self.object.polygons;
        match (parent, id) {
            (id::FILE, id::MAIN) | (id::MAIN, id::EDITOR | id::KEYFRAMER) | (id::KEYFRAMER, id::NODE) => {}
            (id::MAIN, id::VERSION) => self.version = Some(reader.i32("version")?),
            (id::EDITOR, id::OBJECT) => self.object.name = reader.text_before("name", end)?.into(),
            (id::OBJECT, id::MESH) => {
                let read = self.read_chunks(source, id, reader.position(), end);
                self.finish_object();
                return read;
            }
            (id::MESH, id::POINTS) => {
                let table = table(&mut reader, end, &POINTS)?.as_chunks::<12>().0;
                let point =
                    |record: &[u8; 12]| Vec3::from_array(f32s(record).map(|number| finite(number, &mut self.numbers)));
                polygons.positions = table.iter().map(point).collect();
            }
            (id::MESH, id::TEXTURE_COORDINATES) => {
                let table = table(&mut reader, end, &TEXTURE_COORDINATES)?.as_chunks::<8>().0;
                let uv =
                    |record: &[u8; 8]| Vec2::from_array(f32s(record).map(|number| finite(number, &mut self.numbers)));
                polygons.uvs = table.iter().map(uv).collect();
            }
            (id::MESH, id::FACES) => {
                let face = |record: &[u8; 8]| {
                    let [a, b, c, _] = u16s::<4>(record).map(|point| [point.into(), NONE, NONE, NONE]);
                    // Clockwise.
                    Face { corners: [a, c, b], part: -1, ..Face::EMPTY }
                };
                polygons.faces = table(&mut reader, end, &FACES)?.as_chunks::<8>().0.iter().map(face).collect();
            }
            (id::FACES, id::FACE_MATERIAL) => {
                let part = i64::from(u32_or_max(self.object.materials.len()));
                self.object.materials.push(reader.text_before("name", end)?);
                for face in table(&mut reader, end, &FACE_MATERIAL)?.as_chunks::<2>().0 {
                    let face = polygons.faces.get_mut(usize::from(u16::from_le_bytes(*face)));
                    face.into_iter().for_each(|face| face.part = part);
                }
            }
            (id::FACES, id::SMOOTHING) => {
                let (at, count) = (reader.position() - 4, end.saturating_sub(reader.position()) / SMOOTHING.stride());
                let groups = reader.next_table(("size", at), count, &SMOOTHING)?.as_chunks::<4>().0;
                for (face, groups) in polygons.faces.iter_mut().zip(groups) {
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
                let is_cut = reader.position() + TRACK_HEADER > end;
                self.tracks += usize::from(
                    is_cut || {
                        reader.skip("flags", TRACK_HEADER - 4)?;
                        reader.u32("keys")? > 1
                    },
                );
                return Ok(());
            }
            _ if self.materials.read_chunk((parent, id), &mut reader, end)? => {}
            _ => return Ok(()),
        }
        self.read_chunks(source, id, reader.position(), end)
    }

    /// Adds the object that was read, without faces whose points do not exist. Points at one position become one, because
    /// exporters repeat points that have several texture coordinates.
    fn finish_object(&mut self) {
        let name = Arc::clone(&self.object.name);
        let mut object = std::mem::replace(&mut self.object, Object { name, ..Object::default() });
        let Polygons { positions, uvs, faces, .. } = &mut object.polygons;
        let all = faces.len();
        faces.retain(|face| face.corners.iter().all(|corner| (corner[0] as usize) < positions.len()));
        self.outside += all - faces.len();
        if faces.is_empty() {
            return;
        }
        let (different, indices) = welded(positions.iter().copied());
        for corner in faces.iter_mut().flat_map(|face| &mut face.corners) {
            let point = corner[0] as usize;
            corner[1] = if point < uvs.len() { corner[0] } else { NONE };
            corner[0] = indices.get(point).copied().unwrap_or(NONE);
        }
        *positions = different;
        self.objects.push(object);
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
