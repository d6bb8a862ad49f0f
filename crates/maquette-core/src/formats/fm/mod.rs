//! FM (Heretic II): an MD2 in blocks, whose surfaces are lists of GL commands. The first block is `header`, version 2.
//!
//! Source of the layout: Heretic2R `gl1_FlexModel.c`, yquake2 remaster `models.c` (`Mod_LoadModel_Flex`). A block has a head
//! of 40 bytes: a name of 32 characters, a version and a size. Blocks without meaning for the mesh are skipped.
//!
//! | block | version | bytes |
//! |---|---|---|
//! | `header` | 2 | 40: ten 32-bit numbers |
//! | `skin` | 1 | `num_skins` × 64: path of an image |
//! | `st coord` | 1 | `num_st` × 4: s, t in texels, signed |
//! | `tris` | 1 | `num_tris` × 12: three vertex indices, three texture coordinate indices |
//! | `frames` | 1 | `num_frames` × `framesize`, as in an MD2 |
//! | `glcmds` | 1 | `num_glcmds` × 4, see `gl_commands.rs` |
//! | `mesh nodes` | 3 | `num_mesh_nodes` × 516: masks of triangles and vertices, first GL command, their number |

use foldhash::{HashMap, HashMapExt as _};
use glam::Vec2;

use super::chunk::{i16_at, u16_at, u16s};
use super::gl_commands::Commands;
use super::md2_common::{self, FrameTable, Mesh, limits};
use super::{FormatDef, md3_common};
use crate::bytes::{Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::model::{Detail, Format, ModelParts};

/// Heretic II, version 2 of the block `header`.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "fm",
    title: "FM",
    extensions: &["fm"],
    media_type: "model/x-heretic2-fm",
    signature: "",
    size_at: None,
    game: "Heretic II",
    version: 2,
    looks_like: Some(|bytes| bytes.starts_with(b"header\0")),
    load,
    ..md2_common::RELATIVE
};

const NODES: Record = Record::new(
    "mesh nodes",
    &[
        Column::new("tris", Kind::Bytes, 256),
        Column::new("verts", Kind::Bytes, 256),
        Column::new("start_glcmds", Kind::U16, 1),
        Column::new("num_glcmds", Kind::U16, 1),
    ],
);

struct Header {
    skin_size: [i32; 2],
    frame_size: (i32, u64),
    skins: i32,
    vertices: u32,
    coordinates: i32,
    triangles: i32,
    commands: i32,
    frames: u32,
    nodes: i32,
    /// Positions of the contents of blocks, by name.
    blocks: HashMap<String, Offset>,
}

impl Header {
    /// Returns where the contents of a block begin. A missing block begins outside of the file.
    fn block(&self, name: &'static str) -> Offset {
        self.blocks.get(name).copied().unwrap_or(Offset::new(name, 0, -1))
    }
}

/// Loads an FM.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_blocks(source)?;
    let skins = if header.skins == 0 {
        Vec::new()
    } else {
        md2_common::read_skins(source, header.block("skin"), header.skins, warnings)
    };
    let meshes = read_meshes(source, &header, warnings)?;
    let table = FrameTable::of_bytes(header.block("frames"), header.frames, header.frame_size, header.vertices);
    let details = vec![
        Detail::text("skinwidth", header.skin_size[0]),
        Detail::text("skinheight", header.skin_size[1]),
        Detail::text("num_xyz", header.vertices),
        Detail::text("num_st", header.coordinates),
        Detail::text("num_tris", header.triangles),
        Detail::text("num_glcmds", header.commands),
        Detail::text("num_mesh_nodes", header.nodes),
    ];
    let parts = ModelParts { version: Some(FORMAT.version), skins, details, ..ModelParts::empty(Format::Fm) };
    md2_common::with_byte_frames(source, &table, parts, meshes, warnings)
}

/// Reads the header, and the heads of the blocks after it.
fn read_blocks(source: &Source) -> Result<Header, LoadError> {
    let mut reader = source.start();
    let mut header = {
        let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
        reader.name("name", 32)?;
        md3_common::version(&mut reader, FORMAT.version)?;
        let at = reader;
        let size = reader.i32("size")?;
        if size != 40 {
            return Err(at.error("size", Reason::Broken(format!("the header has {size} bytes; expected 40"))));
        }
        let skin_size = [reader.i32("skinwidth")?, reader.i32("skinheight")?];
        let (frame_size, (skins, _), vertices) = md2_common::read_sizes(&mut reader, 4)?;
        Header {
            skin_size,
            frame_size,
            skins,
            vertices,
            coordinates: reader.i32("num_st")?,
            triangles: reader.i32("num_tris")?,
            commands: reader.i32("num_glcmds")?,
            frames: md3_common::frame_count(&mut reader, "num_frames")?,
            nodes: reader.i32("num_mesh_nodes")?,
            blocks: HashMap::new(),
        }
    };
    // Each head takes 40 bytes, so the number of blocks is limited by the file.
    while reader.position() < source.len() {
        let at = reader.position();
        let left = source.len() - at;
        if left < BLOCK_HEAD {
            let reason = Reason::UnexpectedEnd { wanted: BLOCK_HEAD, left };
            source.forgive(reader.error("block", reason), || "the blocks before it are used".to_owned())?;
            break;
        }
        let _group = source.group(|| "block".to_owned());
        let name = reader.name("name", 32)?.to_ascii_lowercase();
        reader.i32("version")?;
        let size_at = reader;
        let size = reader.count("size", i32::MAX.cast_unsigned())?;
        let start = reader.position();
        if start.saturating_add(size.into()) > source.len() {
            let left = source.len() - start;
            let reason = Reason::UnexpectedEnd { wanted: size.into(), left };
            source.forgive(size_at.error("size", reason), || format!("{left} bytes of block “{name}” are used"))?;
        }
        let field = BLOCKS.iter().find(|known| **known == name).copied();
        if let (Some(field), Ok(value)) = (field, i32::try_from(start)) {
            header.blocks.insert(name, Offset::new(field, at, value));
        }
        reader = source.at(start.saturating_add(size.into()));
    }
    if !header.blocks.contains_key("frames") {
        return Err(source.error("frames", source.len(), Reason::Broken("the file has no block “frames”".to_owned())));
    }
    Ok(header)
}

/// Bytes of the name, the version and the size of a block.
const BLOCK_HEAD: u64 = 40;

/// Blocks that are read.
const BLOCKS: [&str; 6] = ["skin", "st coord", "tris", "frames", "glcmds", "mesh nodes"];

/// Returns the surfaces of the mesh nodes, or the triangle list without any.
fn read_meshes(source: &Source, header: &Header, warnings: &mut Warnings) -> Result<Vec<Mesh>, LoadError> {
    let mut meshes = Vec::new();
    if header.nodes > 0 && header.commands > 0 {
        let commands = header.block("glcmds");
        // Each node ends with a 0, which need not end the list.
        let commands = Commands::read(source, commands, header.commands, header.vertices, 1, &mut Warnings::default());
        let nodes =
            md2_common::table(source, header.block("mesh nodes"), header.nodes, md3_common::limits::SURFACES, &NODES)?;
        let mut broken = 0;
        for node in nodes.as_chunks::<516>().0 {
            let (first, count) = (usize::from(u16_at(node, 512)), usize::from(u16_at(node, 514)));
            // Nodes may share commands.
            source.start().claim_missing("mesh nodes", count as u64 * 4)?;
            let end = (first + count).min(commands.words.len());
            let own = first.min(end)..end;
            broken += usize::from(commands.is_broken(own.clone(), header.vertices));
            meshes.extend(commands.meshes(own, header.vertices, 1));
        }
        let texts = [
            "mesh node has GL commands that are cut or name vertices that do not exist; skipped from there",
            "mesh nodes have GL commands that are cut or name vertices that do not exist; skipped from there",
        ];
        warnings.add_counted(WarningKind::LeftOut, "glcmds", broken, texts);
        meshes.retain(|mesh| !mesh.triangles.is_empty());
        if meshes.is_empty() {
            let message = "the GL commands of the mesh nodes have no triangles; the triangle list is used";
            warnings.add(WarningKind::Substituted, "mesh nodes", message);
        }
    }
    if meshes.is_empty() {
        meshes.push(listed_triangles(source, header, warnings)?);
    }
    Ok(meshes)
}

/// Returns the triangles of the list.
fn listed_triangles(source: &Source, header: &Header, warnings: &mut Warnings) -> Result<Mesh, LoadError> {
    let tris = md2_common::table(source, header.block("tris"), header.triangles, limits::TRIANGLES, &md2_common::TRIS)?;
    let st = md2_common::table(source, header.block("st coord"), header.coordinates, limits::VERTICES, &md2_common::ST);
    let st = md2_common::or_warn(&st, "the texture coordinates are skipped", warnings).as_chunks::<4>().0;
    let size = Vec2::from_array(header.skin_size.map(|side| side.clamp(1, limits::SKIN_SIDE) as f32));
    let texel = |st: &[u8; 4]| (Vec2::new(f32::from(i16_at(st, 0)), f32::from(i16_at(st, 2))) + 0.5) / size;
    let corners = |record: &[u8; 12]| {
        let [a, b, c, s, t, u] = u16s(record);
        ([a, b, c], [s, t, u])
    };
    let triangles = tris.as_chunks::<12>().0.iter().map(corners);
    md2_common::listed(source, header.block("tris"), header.vertices, st, texel, triangles, warnings)
}
