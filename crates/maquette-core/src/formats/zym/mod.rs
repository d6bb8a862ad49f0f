//! ZYM (Zymotic): skeletal animation with matrices relative to the parent and one bone per vertex. `ZYMOTICMODEL`, type 1,
//! big-endian.
//!
//! Source of the layout: the loader of DarkPlaces (`model_alias.c`, `Mod_ZYMOTICMODEL_Load`; `model_zymotic.h`). The header
//! of 68 bytes has the counts; nine pairs of an offset and a length follow. Corners are counter-clockwise, texture
//! coordinates count from the bottom. There are no normals: DarkPlaces computes smooth ones.
//!
//! | lump | bytes each | content |
//! |---|---|---|
//! | scenes | 76 | name, box, rate, flags, range of frames |
//! | poses | 48 per bone | three rows of four numbers, frame by frame |
//! | bones | 40 | name, flags, parent |
//! | vertex bone counts | 4 | 1 for each vertex |
//! | vertices | 16 | bone, position in its space |
//! | texture coordinates | 8 | of each vertex |
//! | triangles | 4 + 12 per triangle | for each shader |
//! | shaders | 32 | name |
//! | zones | 1 per triangle | for the game |

use glam::{Vec2, Vec3};

use super::dpm::usable;
use super::frame_names;
use super::md3_common::limits;
use super::relative_bones::{
    BONE_MATRICES, BoneFrames, Contents, RATE, TEXCOORDS, TRIANGLES, bind_normals, bone_count, check_type, count,
    floats, joints, offset, words,
};
use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::limits::MAX_CLIPS;
use crate::model::{
    AnimationFiles, Binding, Clip, ClipSource, Companions, Format, FrameInfo, JointStorage, ModelParts, NameLimits,
    Surface, SurfaceStorage, TagStorage, Weight, are_usable, u32_or_max,
};

/// Zymotic model of Nexuiz, `ZYMOTICMODEL` type 1.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "zym",
    title: "ZYM",
    extensions: &["zym"],
    media_type: "model/x-zymotic-zym",
    signature: "ZYMOTICMODEL",
    game: "DarkPlaces (Nexuiz, Xonotic)",
    version: 1,
    usual_rate: RATE,
    surfaces: SurfaceStorage::Unnamed,
    tags: TagStorage::Joints,
    joints: JointStorage::Skeleton,
    stores_normals: false,
    name_limits: NameLimits { surface: Some(31), tag: Some(31), frame: None },
    companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true },
    alpha_without_script: true,
    ..FormatDef::plain(load)
};

const SCENES: Record = Record::new(
    "scenes",
    &[
        Column::new("name", Kind::Text, 32),
        Column::new("mins", Kind::F32Be, 3),
        Column::new("maxs", Kind::F32Be, 3),
        Column::new("radius", Kind::F32Be, 1),
        Column::new("framerate", Kind::F32Be, 1),
        Column::new("flags", Kind::U32Be, 1),
        Column::new("start", Kind::U32Be, 1),
        Column::new("length", Kind::U32Be, 1),
    ],
);
const BONES: Record = Record::new(
    "bones",
    &[Column::new("name", Kind::Text, 32), Column::new("flags", Kind::U32Be, 1), Column::new("parent", Kind::U32Be, 1)],
)
.holding(PartKind::Joint);
const BONE_COUNTS: Record = Record::new("vertbonecounts", &[Column::new("count", Kind::U32Be, 1)]);
const VERTICES: Record =
    Record::new("verts", &[Column::new("bonenum", Kind::U32Be, 1), Column::new("origin", Kind::F32Be, 3)])
        .holding(PartKind::Weight);
const SHADERS: Record = Record::new("shaders", &[Column::new("name", Kind::Text, 32)]).holding(PartKind::Shader);

/// Flag of scenes that do not loop.
const NO_LOOP: u32 = 1;

struct Header {
    version: i32,
    vertices: u32,
    triangles: u32,
    shaders: u32,
    bones: u32,
    scenes: u32,
    /// Offset and length of each lump.
    lumps: [(Offset, u32); 9],
}

/// Loads a ZYM.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = Header::read(source)?;
    let reader = source.start();
    let [scenes, poses, bones, counts, vertices, uvs, triangles, shaders, _] = header.lumps;
    let table = reader.table(0, bones.0, header.bones.into(), &BONES)?;
    let joints = joints(table, 36, source, u64::from(bones.0.value.cast_unsigned()))?;

    let mut frames = BoneFrames::default();
    let count = u64::from(poses.1) / 48 / u64::from(header.bones);
    frames.add(reader.table(0, poses.0, count * u64::from(header.bones), &BONE_MATRICES)?);
    let count = if joints.is_empty() { 0 } else { frames.matrices.len() / joints.len() };
    if count == 0 {
        return Err(source.error(poses.0.field, poses.0.at, Reason::Broken("the file has no pose".to_owned())));
    }
    frames.matrices.truncate(count * joints.len());
    let clips = read_scenes(source, &header, scenes.0, count, warnings)?;

    let table = reader.table(0, counts.0, header.vertices.into(), &BONE_COUNTS)?;
    if let Some(vertex) = table.as_chunks::<4>().0.iter().position(|count| u32::from_be_bytes(*count) != 1) {
        let at = u64::from(counts.0.value.cast_unsigned()) + vertex as u64 * 4;
        let why = format!("vertex {vertex} has another number of bones than 1");
        source.forgive(source.error("vertbonecounts", at, Reason::Broken(why)), || "one is used".to_owned())?;
    }
    let vertices = read_vertices(source, vertices.0, header.vertices, joints.len(), warnings)?;
    let mut uvs: Vec<Vec2> = reader
        .table(0, uvs.0, header.vertices.into(), &TEXCOORDS)?
        .as_chunks::<8>()
        .0
        .iter()
        .map(|record| usable(floats(record)))
        .map(|uv| Vec2::new(uv.x, 1.0 - uv.y))
        .collect();
    uvs.resize(vertices.len(), Vec2::ZERO);
    let needed = u64::from(header.shaders) * 4 + u64::from(header.triangles) * 12;
    if u64::from(triangles.1) != needed {
        let why = format!("{} bytes for {} triangles; {needed} are needed", triangles.1, header.triangles);
        let error = source.error(triangles.0.field, triangles.0.at + 4, Reason::Broken(why));
        source.forgive(error, || "the triangles of each shader are used".to_owned())?;
    }
    let names = reader.table(0, shaders.0, header.shaders.into(), &SHADERS)?;
    let names = names.as_chunks::<32>().0.iter().map(|name| source.text(name));
    let (surfaces, mut bindings) = read_surfaces(source, triangles.0, names, &vertices, &uvs)?;
    bind_normals(&surfaces, &mut bindings, &frames.first(&joints));

    let contents = Contents {
        format: Format::Zym,
        version: header.version,
        joints,
        surfaces,
        bindings,
        frames: vec![FrameInfo::default(); count],
        bones: frames,
        clips,
        details: Vec::new(),
    };
    Ok(contents.into_parts(warnings))
}

impl Header {
    fn read(source: &Source) -> Result<Self, LoadError> {
        let _group = source.group(|| "header".to_owned());
        let mut reader = source.start();
        reader.name("id", 12)?;
        let version = check_type(&mut reader, 1)?;
        reader.u32_be("filesize")?;
        reader.skip("mins, maxs, radius", 28)?;
        let vertices = count(&mut reader, "numverts", [3, limits::VERTICES])?;
        let triangles = count(&mut reader, "numtris", [1, limits::TRIANGLES])?;
        let shaders = count(&mut reader, "numshaders", [1, limits::SURFACES])?;
        let bones = bone_count(&mut reader, "numbones")?;
        let scenes = count(&mut reader, "numscenes", [0, limits::FRAMES])?;
        let mut lumps = [(Offset::new("", 0, 0), 0); 9];
        let names = [
            "lump_scenes",
            "lump_poses",
            "lump_bones",
            "lump_vertbonecounts",
            "lump_verts",
            "lump_texcoords",
            "lump_render",
            "lump_shaders",
            "lump_trizone",
        ];
        for (lump, name) in lumps.iter_mut().zip(names) {
            *lump = (offset(&mut reader, name)?, reader.u32_be(name)?);
        }
        Ok(Self { version, vertices, triangles, shaders, bones, scenes, lumps })
    }
}

fn read_scenes(
    source: &Source,
    header: &Header,
    offset: Offset,
    frames: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Clip>, LoadError> {
    let scenes = header.scenes.min(u32_or_max(MAX_CLIPS));
    let dropped = ["scene is beyond the limit of clips; skipped", "scenes are beyond the limit of clips; skipped"];
    warnings.add_counted(WarningKind::LeftOut, "numscenes", (header.scenes - scenes) as usize, dropped);
    let table = source.start().table(0, offset, scenes.into(), &SCENES)?;
    let mut clips = Vec::with_capacity(table.len() / 76);
    for (index, record) in (0_u64..).zip(table.as_chunks::<76>().0) {
        let name = source.text(record.get(..32).unwrap_or_default());
        let [rate] = floats::<1>(record.get(60..).unwrap_or_default());
        let [flags, first, count] = words::<3>(record.get(64..).unwrap_or_default());
        let at = u64::from(offset.value.cast_unsigned()) + index * 76;
        let is_inside = u64::from(first) + u64::from(count) <= frames as u64 && count > 0;
        if !(is_inside && rate >= 0.0 && rate.is_finite()) {
            let why = match is_inside {
                true => format!("the rate of scene “{name}” is {rate}"),
                false => format!("scene “{name}” has {count} frames from {first} on; the file has {frames} poses"),
            };
            let (field, at) = if is_inside { ("framerate", at + 60) } else { ("start", at + 68) };
            let error = source.error(field, at, Reason::Broken(why));
            source.forgive(error, || "the scene is skipped".to_owned())?;
            continue;
        }
        let rate = if rate > 0.0 { rate } else { RATE };
        let mut clip = Clip::new(name, first, count, rate, ClipSource::AnimationList);
        if flags & NO_LOOP != 0 {
            clip.loop_frames = 0;
        }
        clips.push(clip);
    }
    frame_names::number_repeats(&mut clips);
    Ok(clips)
}

fn read_vertices(
    source: &Source,
    offset: Offset,
    count: u32,
    joints: usize,
    warnings: &mut Warnings,
) -> Result<Vec<Weight>, LoadError> {
    let table = source.start().table(0, offset, count.into(), &VERTICES)?;
    let mut broken = 0;
    let mut vertices = Vec::with_capacity(table.len() / 16);
    for (index, record) in (0..).zip(table.as_chunks::<16>().0) {
        let [joint] = words::<1>(record);
        let position = floats::<3>(record.get(4..).unwrap_or_default());
        if joint as usize >= joints {
            let at = u64::from(offset.value.cast_unsigned()) + index * 16;
            let why = format!("bone {joint} of vertex {index} does not exist; there are {joints}");
            let error = source.error("bonenum", at, Reason::Broken(why));
            source.forgive(error, || "bone 0 is used".to_owned())?;
        }
        let joint = if (joint as usize) < joints { joint } else { 0 };
        broken += usize::from(!are_usable(&position));
        let offset = if are_usable(&position) { Vec3::from(position) } else { Vec3::ZERO };
        vertices.push(Weight { joint, bias: 1.0, offset, normal: Vec3::Z });
    }
    warnings.add_counted(
        WarningKind::Substituted,
        "verts",
        broken,
        [
            "position is not finite or beyond a billion; the origin of the bone is used",
            "positions are not finite or beyond a billion; the origin of the bone is used",
        ],
    );
    Ok(vertices)
}

/// Reads the triangles of each shader, with the vertices that they use.
fn read_surfaces(
    source: &Source,
    offset: Offset,
    names: impl Iterator<Item = String>,
    vertices: &[Weight],
    uvs: &[Vec2],
) -> Result<(Vec<Surface>, Vec<Binding>), LoadError> {
    let (mut surfaces, mut bindings) = (Vec::new(), Vec::new());
    let mut reader: ByteReader = source.at(u64::from(offset.value.cast_unsigned()));
    let mut own_of = vec![u32::MAX; vertices.len()];
    for shader in names {
        let index = surfaces.len();
        let _group = source.group_of(PartKind::Surface.at(index), || format!("shader {index}"));
        let at = reader.position();
        let table = count(&mut reader, "numtriangles", [0, limits::TRIANGLES])
            .and_then(|triangles| reader.next_table(("numtriangles", at), triangles.into(), &TRIANGLES));
        let table = match table {
            Ok(table) => table,
            Err(error) => {
                source.forgive(error, || "the shader and later ones are skipped".to_owned())?;
                break;
            }
        };
        let (mut used, mut triangles) = (Vec::new(), Vec::with_capacity(table.len() / 12));
        for record in table.as_chunks::<12>().0 {
            let [a, b, c] = words::<3>(record);
            if let Some(corner) = [a, b, c].into_iter().find(|corner| *corner as usize >= vertices.len()) {
                let why = format!("vertex {corner} does not exist; there are {}", vertices.len());
                let error = source.error("triangles", at, Reason::Broken(why));
                source.forgive(error, || "the triangle is skipped".to_owned())?;
                continue;
            }
            let [a, b, c] = [a, b, c].map(|corner| {
                let Some(own) = own_of.get_mut(corner as usize) else { return 0 };
                if *own == u32::MAX {
                    *own = u32_or_max(used.len());
                    used.push(corner as usize);
                }
                *own
            });
            triangles.push([a, c, b]);
        }
        let (mut binding, mut own_uvs) = (Binding::default(), Vec::with_capacity(used.len()));
        for (own, vertex) in (0..).zip(&used) {
            binding.vertices.push((own, 1));
            binding.weights.extend(vertices.get(*vertex));
            own_uvs.push(uvs.get(*vertex).copied().unwrap_or_default());
            if let Some(own) = own_of.get_mut(*vertex) {
                *own = u32::MAX;
            }
        }
        let materials = if shader.is_empty() { Vec::new() } else { vec![shader] };
        surfaces.push(Surface { materials, triangles, uvs: own_uvs, ..Surface::default() });
        bindings.push(binding);
    }
    Ok((surfaces, bindings))
}
