//! MDX (Kingpin): an MD2 with parts. `IDPX`, version 4.
//!
//! Source of the layout: FTE `com_mesh.c` (`Mod_LoadKingpinModel`), yquake2 remaster `models.c` (`Mod_LoadModel_MDX`). The
//! engines draw the GL commands; the texture coordinates of the triangle list are unusable.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 92: 23 32-bit numbers |
//! | skins | file, `ofs_skins` | `num_skins` | 64: path of an image |
//! | triangles | file, `ofs_tris` | `num_tris` | 12, unused |
//! | frames | file, `ofs_frames` | `num_frames` | `framesize`: scale, translation, 16-character name, vertices |
//! | vertices | frame + 40 | `num_xyz` | 4: x y z, normal index |
//! | GL commands | file, `ofs_glcmds` | `num_glcmds` | 4, see `gl_commands.rs`, with the number of a part |

use super::gl_commands::Commands;
use super::md2_common::{self, FrameTable};
use super::{FormatDef, md3_common};
use crate::bytes::{Offset, PartKind, Source};
use crate::error::{LoadError, Reason, Warnings};
use crate::model::{Detail, Format, ModelParts};

/// Kingpin, `IDPX` version 4.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "kmdx",
    title: "Kingpin MDX",
    extensions: &["mdx"],
    media_type: "model/x-kingpin-mdx",
    signature: "IDPX",
    size_at: Some(88),
    game: "Kingpin",
    version: 4,
    load,
    ..md2_common::RELATIVE
};

struct Header {
    version: i32,
    frame_size: (i32, u64),
    skins: i32,
    vertices: u32,
    triangles: i32,
    commands: i32,
    frames: u32,
    parts: u32,
    ofs_skins: Offset,
    ofs_frames: Offset,
    ofs_glcmds: Offset,
}

/// Loads a Kingpin MDX.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = read_header(source)?;
    let skins = md2_common::read_skins(source, header.ofs_skins, header.skins, warnings);
    let commands = Commands::read(source, header.ofs_glcmds, header.commands, header.vertices, 2, warnings);
    let mut meshes = commands.meshes(0..commands.words.len(), header.vertices, header.parts as usize);
    meshes.retain(|mesh| !mesh.triangles.is_empty());
    if meshes.is_empty() {
        let (field, at) = header.ofs_glcmds.counter();
        let why = "nothing can be drawn: the GL commands have no triangles of a part".to_owned();
        return Err(source.error(field, at, Reason::Broken(why)));
    }
    let table = FrameTable::of_bytes(header.ofs_frames, header.frames, header.frame_size, header.vertices);
    let details = vec![
        Detail::text("framesize", header.frame_size.0),
        Detail::text("num_xyz", header.vertices),
        Detail::text("num_tris", header.triangles),
        Detail::text("num_glcmds", header.commands),
        Detail::text("num_subobj", header.parts),
        Detail::text("glCommands in words", commands.summary()),
    ];
    let parts = ModelParts { version: Some(header.version), skins, details, ..ModelParts::empty(Format::Kmdx) };
    md2_common::with_byte_frames(source, &table, parts, meshes, warnings)
}

fn read_header(source: &Source) -> Result<Header, LoadError> {
    let _group = source.group_of(PartKind::Header.at(0), || "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = md3_common::version(&mut reader, 4)?;
    reader.i32("skinwidth")?;
    reader.i32("skinheight")?;
    let (frame_size, (skins, skins_at), vertices) = md2_common::read_sizes(&mut reader, 4)?;
    let triangles = reader.i32("num_tris")?;
    let commands_at = reader.position();
    let commands = reader.i32("num_glcmds")?;
    let frames_at = reader.position();
    let frames = md3_common::frame_count(&mut reader, "num_frames")?;
    reader.i32("num_sfxdef")?;
    reader.i32("num_sfxent")?;
    let parts = reader.count("num_subobj", md3_common::limits::SURFACES)?;
    let ofs_skins = reader.offset("ofs_skins")?.counted_by("num_skins", skins_at);
    reader.i32("ofs_tris")?;
    let ofs_frames = reader.offset("ofs_frames")?.counted_by("num_frames", frames_at);
    let ofs_glcmds = reader.offset("ofs_glcmds")?.counted_by("num_glcmds", commands_at);
    for field in ["ofs_verts", "ofs_sfxdef", "ofs_sfxent", "ofs_bbox", "unused"] {
        reader.i32(field)?;
    }
    let end = reader.offset("ofs_end")?;
    if end.target(0) != i64::try_from(source.len()).unwrap_or(i64::MAX) {
        let why = format!("the value is {}, but the file has {} bytes", end.value, source.len());
        let error = if end.target(0) > 0 && end.target(0).cast_unsigned() > source.len() {
            source.outside(0, end, 0)
        } else {
            source.error(end.field, end.at, Reason::Broken(why))
        };
        source.forgive(error, || "the size of the file is used".to_owned())?;
    }
    Ok(Header {
        version,
        frame_size,
        skins,
        vertices,
        triangles,
        commands,
        frames,
        parts,
        ofs_skins,
        ofs_frames,
        ofs_glcmds,
    })
}
