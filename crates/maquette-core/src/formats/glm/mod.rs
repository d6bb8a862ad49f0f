//! GLM (Ghoul2: Jedi Outcast, Jedi Academy, Soldier of Fortune II): a skinned mesh without its skeleton. `2LGM`,
//! version 6.
//!
//! Source of the layout: OpenJK `mdx_format.h`, `tr_ghoul2.cpp` (`R_LoadMDXM`).
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 164 |
//! | hierarchy offsets | byte 164 | `numSurfaces` | 4: offset of an entry from byte 164 |
//! | hierarchy entries | byte 164 | `numSurfaces` | 144 + 4 per child: name, flags, shader, parent, children |
//! | LODs | file, `ofsLODs`; the next at `ofsEnd` of each | `numLODs` | 4: `ofsEnd` |
//! | surface offsets | LOD + 4 | `numSurfaces` | 4: offset of a surface from LOD + 4 |
//! | surfaces | LOD + 4 | `numSurfaces` | 40 and their tables |
//! | vertices | surface, `ofsVerts` | `numVerts` | 32: normal, position, packed bones and weights |
//! | texture coordinates | end of the vertices | `numVerts` | 8: s t |
//! | triangles | surface, `ofsTriangles` | `numTriangles` | 12: three vertex indices |
//! | bone references | surface, `ofsBoneReferences` | `numBoneReferences` | 4: bone of the skeleton |
//!
//! Vertices are in model space and the bind pose. The modules are:
//!
//! - [`gla`]: `.gla`, the skeleton and its frames, read by [`load_animation`] for a loaded mesh.
//! - `surface`: the surfaces of a LOD.
//! - `write`: the writer of both files.

pub mod gla;
mod surface;
mod write;

pub use gla::load_animation;
pub use write::write;
pub(crate) use write::{WEIGHT_STEPS, entries, name_and_lod};

use std::cell::Cell;

use super::chunk::i32_at;
use super::md3_common::{
    Losses, TableStart, blame_offset, chain_start, limits, next_record, no_next, version, warn_about_end,
};
use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::convert;
use crate::error::{FilePosition, LoadError, WarningKind, Warnings, counted};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{
    AnimationFiles, Binding, Clip, ClipSource, Companions, Detail, Format, FormatData, FrameInfo, JointFrames,
    JointStorage, JointTrack, LodStorage, ModelParts, Motion, NameLimits, SkeletalMotion, SkeletalTag, Surface,
    SurfaceNode, SurfaceStorage, TagStorage,
};

/// Jedi Outcast, Jedi Academy and Soldier of Fortune II, `2LGM` version 6.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "glm",
    title: "GLM",
    extensions: &["glm"],
    media_type: "model/x-ghoul2-glm",
    signature: "2LGM",
    size_at: Some(160),
    game: "Jedi Academy",
    version: 6,
    usual_rate: 20.0,
    surfaces: SurfaceStorage::Switched,
    lods: LodStorage::Inside,
    tags: TagStorage::Triangles,
    joints: JointStorage::Skeleton,
    first_turns_normal: true,
    max_surface_joints: surface::REFERENCES as usize,
    name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
    companions: Companions { animations: AnimationFiles::NamedSkeleton("gla"), clip_lists: true, skins: true },
    animation: Some(load_animation),
    writer: Some(FormatWriter {
        model_name: "Jedi Academy model",
        holds: "surfaces on bones, their hierarchy, LODs and tags; the bones and their frames are in a GLA",
        write,
        convert: convert::glm::convert,
        // A frame has an index for each bone; in the worst case, its bones are in no other frame.
        bytes_of_frame: |counts, _| counts.joints * 17,
        sampling_rate: 20.0,
    }),
    ..FormatDef::plain(load)
};

/// Reason why names do not end in the suffix of hidden surfaces.
pub(crate) const HIDES: &str = "GLM hides surfaces whose names end in “_off”";

/// Label of the detail with the path of the skeleton, without extension.
const SKELETON: &str = "animName";
/// Label of the detail with the number of bones of the skeleton.
const BONES: &str = "numBones";

/// Path of the skeleton in meshes that need none: all vertices keep their positions. The game has it, with one bone
/// (OpenJK `mdx_format.h`, `sDEFAULT_GLA_NAME`).
const NO_SKELETON: &str = "*default";

const HEADER: u64 = 164;
const LODS: u32 = 64;
const MAX_BONES: u32 = 1 << 16;

/// Flag of a surface whose first three vertices are a tag.
const IS_TAG: u32 = 1;
/// Suffix of the names of surfaces that are drawn only on request. Surfaces with any flag are not drawn either.
const OFF_SUFFIX: &str = "_off";

const HIERARCHY_OFFSETS: Record = Record::new("hierarchyOffsets", &[Column::new("offset", Kind::I32, 1)]);
const CHILDREN: Record = Record::new("childIndexes", &[Column::new("index", Kind::I32, 1)]);
const SURFACE_OFFSETS: Record = Record::new("surfaceOffsets", &[Column::new("offset", Kind::I32, 1)]);

struct Header {
    name: String,
    skeleton: String,
    bones: u32,
    lods: u32,
    ofs_lods: Offset,
    surfaces: u32,
    surfaces_at: u64,
    ofs_hierarchy: Offset,
    ofs_end: Offset,
}

/// Entry of the surface hierarchy.
struct Node {
    name: String,
    shader: String,
    is_off: bool,
    flags: u32,
    parent: i32,
    is_empty: Cell<bool>,
}

impl Node {
    fn into_entry(self) -> SurfaceNode {
        let parent = u32::try_from(self.parent).ok();
        let Self { name, shader, flags, is_empty, .. } = self;
        SurfaceNode { name, shader, flags, parent, is_empty: is_empty.get() }
    }

    fn is_tag(&self) -> bool {
        self.flags & IS_TAG != 0
    }
}

/// Surfaces, tags and their names, of all LODs.
#[derive(Default)]
struct Mesh {
    surfaces: Vec<Surface>,
    bindings: Vec<Binding>,
    tag_names: Vec<String>,
    tags: Vec<SkeletalTag>,
}

/// Returns a name without the ending that hides its surface. `None` if it has another ending.
pub(crate) fn shown_name(stored: &str) -> Option<&str> {
    let (name, ending) = stored.split_at_checked(stored.len().checked_sub(OFF_SUFFIX.len())?)?;
    ending.eq_ignore_ascii_case(OFF_SUFFIX).then_some(name)
}

/// Loads a GLM without its skeleton. The model has one frame, the bind pose, and no joints; [`load_animation`] loads them.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = version(&mut reader, 6)?;
    let header = read_header(&mut reader)?;
    drop(head);
    warn_about_end(source, header.ofs_end, &[], warnings);
    let nodes = read_hierarchy(source, &header, warnings)?;
    let mesh = read_lods(source, &header, &nodes, warnings)?;
    Ok(ModelParts {
        version: Some(version),
        name: header.name,
        surfaces: mesh.surfaces,
        frames: vec![FrameInfo::default()],
        tags: mesh.tag_names,
        clips: vec![Clip::new("bind pose", 0, 1, FORMAT.usual_rate, ClipSource::BindPose)],
        motion: Motion::Skeletal(SkeletalMotion {
            joints: Vec::new(),
            bindings: mesh.bindings,
            tracks: vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind }],
            tags: mesh.tags,
        }),
        details: vec![
            Detail::text(SKELETON, &header.skeleton),
            Detail::text(BONES, header.bones),
            Detail::text("numLODs", header.lods),
            Detail::text("numSurfaces", header.surfaces),
        ],
        data: FormatData {
            skeleton: Some((header.skeleton, header.bones)).filter(|(path, _)| path != NO_SKELETON),
            hierarchy: nodes.into_iter().map(Node::into_entry).collect(),
            ..FormatData::default()
        },
        ..ModelParts::empty(Format::Glm)
    })
}

fn read_header(reader: &mut ByteReader) -> Result<Header, LoadError> {
    let name = reader.name("name", 64)?;
    let skeleton = reader.name(SKELETON, 64)?;
    reader.i32("animIndex")?;
    let bones = reader.count(BONES, MAX_BONES)?;
    let lods = reader.count("numLODs", LODS)?;
    let ofs_lods = reader.offset("ofsLODs")?;
    let surfaces_at = reader.position();
    let surfaces = reader.count("numSurfaces", limits::SURFACES)?;
    let ofs_hierarchy = reader.offset("ofsSurfHierarchy")?;
    let ofs_end = reader.offset("ofsEnd")?;
    Ok(Header { name, skeleton, bones, lods, ofs_lods, surfaces, surfaces_at, ofs_hierarchy, ofs_end })
}

fn read_hierarchy(source: &Source, header: &Header, warnings: &mut Warnings) -> Result<Vec<Node>, LoadError> {
    let counter = ("numSurfaces", header.surfaces_at);
    let table = source.at(HEADER).next_table(counter, header.surfaces.into(), &HIERARCHY_OFFSETS)?;
    let mut nodes = Vec::with_capacity(table.len() / 4);
    for (index, record) in table.as_chunks::<4>().0.iter().enumerate() {
        let offset = Offset::new("hierarchyOffsets", HEADER + 4 * index as u64, i32_at(record, 0));
        // The game follows the entries one after another from `ofsSurfHierarchy`; the offsets lead to the same bytes.
        let start = u64::try_from(offset.target(HEADER)).map_err(|_| source.outside(HEADER, offset, NODE))?;
        if index == 0 && header.ofs_hierarchy.target(0) != offset.target(HEADER) {
            let message =
                format!("the value is {}, but the first entry is at byte {start}", header.ofs_hierarchy.value);
            let at = FilePosition::Byte(header.ofs_hierarchy.at);
            warnings.add_at(WarningKind::Inconsistent, "ofsSurfHierarchy", message, at);
        }
        let node = read_node(source, start, index, warnings);
        match node.map_err(|error| error.within(&format!("hierarchy entry {index}"))) {
            Ok(node) => nodes.push(node),
            // Later entries may be intact, but surfaces refer to entries by index.
            Err(error) if !nodes.is_empty() => {
                let left = table.len() / 4 - index;
                source.forgive(error, || counted(left, "surface is skipped", "surfaces are skipped"))?;
                break;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(nodes)
}

/// Bytes of a hierarchy entry without its children.
const NODE: u64 = 144;

fn read_node(source: &Source, start: u64, index: usize, warnings: &mut Warnings) -> Result<Node, LoadError> {
    let _group = source.group(|| format!("hierarchy entry {index}"));
    let mut reader = source.at(start);
    reader.claim("hierarchyOffsets", NODE)?;
    let stored = reader.name("name", 64)?;
    let flags = reader.u32("flags")?;
    let shader = reader.name("shader", 64)?;
    reader.i32("shaderIndex")?;
    let parent = reader.i32("parentIndex")?;
    let counter = ("numChildren", reader.position());
    // The parents already state the hierarchy.
    let children = reader.count("numChildren", limits::SURFACES);
    if let Err(error) = children.and_then(|count| reader.next_table(counter, count.into(), &CHILDREN)) {
        let message = format!("the children are skipped: {}", error.reason);
        warnings.add_error(WarningKind::LeftOut, format!("hierarchy entry {index} “{stored}”"), message, &error);
    }
    let shown = shown_name(&stored);
    Ok(Node {
        name: shown.unwrap_or(&stored).to_owned(),
        shader,
        is_off: flags & !IS_TAG != 0 || shown.is_some(),
        flags,
        parent,
        is_empty: Cell::new(true),
    })
}

fn read_lods(source: &Source, header: &Header, nodes: &[Node], warnings: &mut Warnings) -> Result<Mesh, LoadError> {
    let mut mesh = Mesh::default();
    let mut next = chain_start(source, 0, header.ofs_lods, header.lods)?;
    for lod in 0..header.lods {
        let Some(start) = next else { break };
        let _group = source.group(|| format!("LOD {lod}"));
        let count_before = mesh.surfaces.len();
        match read_lod(source, start, lod, header, nodes, &mut mesh, warnings) {
            Ok(end) => {
                let left = header.lods - lod - 1;
                let after = next_record(start.at, end.value, 4);
                next = after.filter(|at| *at < source.len()).map(|at| TableStart { at, offset: end });
                if next.is_none() && left > 0 {
                    let message = no_next(source, "LOD", lod, after, left);
                    warnings.add_at(WarningKind::LeftOut, "ofsEnd", message, FilePosition::Byte(end.at));
                }
            }
            Err(error) if lod == 0 && !source.is_salvaged() => return Err(error),
            Err(error) => {
                mesh.surfaces.truncate(count_before);
                mesh.bindings.truncate(count_before);
                let left = header.lods - lod;
                let message = format!("{left} LODs are skipped; {error}");
                warnings.add_error(WarningKind::LeftOut, format!("LOD {lod}"), message, &error);
                break;
            }
        }
    }
    if source.is_salvaged() {
        let finest = mesh.surfaces.iter().map(|surface| surface.lod).min().unwrap_or(0);
        mesh.surfaces.iter_mut().for_each(|surface| surface.lod -= finest);
    }
    Ok(mesh)
}

fn read_lod(
    source: &Source,
    start: TableStart,
    lod: u32,
    header: &Header,
    nodes: &[Node],
    mesh: &mut Mesh,
    warnings: &mut Warnings,
) -> Result<Offset, LoadError> {
    let mut reader = source.at(start.at);
    let ofs_end = reader.offset("ofsEnd")?;
    let base = reader.position();
    let table = reader
        .next_table(("numSurfaces", header.surfaces_at), header.surfaces.into(), &SURFACE_OFFSETS)
        .map_err(|error| blame_offset(source, start, "LOD", &error))?;
    let (own_count, mut losses) = (mesh.surfaces.len(), Losses::default());
    for (index, record) in (0_u32..).zip(table.as_chunks::<4>().0) {
        let offset = Offset::new("surfaceOffsets", base + 4 * u64::from(index), i32_at(record, 0));
        if offset.value == 0 {
            let left = header.surfaces - index;
            let message = format!("the offset of surface {index} is 0; {left} surfaces are skipped");
            warnings.add_at(WarningKind::LeftOut, offset.field, message, FilePosition::Byte(offset.at));
            break;
        }
        let before = warnings.count();
        let target = u64::try_from(offset.target(base)).ok().filter(|at| *at < source.len());
        let target = target.ok_or_else(|| source.outside(base, offset, surface::HEADER));
        let read = target.and_then(|start| {
            let location = surface::Location { start, lod, index };
            let node = location.node(source, nodes)?;
            let part = (!node.is_tag()).then(|| PartKind::Surface.at(mesh.surfaces.len()));
            let _group = source.group_of(part, || format!("surface {index}"));
            surface::read(source, &location, node, header.bones, warnings).map(|read| (node, read))
        });
        match read {
            // A LOD without a surface of another LOD has an empty one.
            Ok((_, (surface, _))) if surface.uvs.is_empty() && surface.triangles.is_empty() => {}
            Ok((node, (surface, binding))) if node.is_tag() => {
                node.is_empty.set(false);
                if lod == 0 {
                    add_tag(surface, binding, mesh, warnings);
                }
            }
            Ok((node, (surface, binding))) => {
                node.is_empty.set(false);
                mesh.surfaces.push(surface);
                mesh.bindings.push(binding);
            }
            Err(error) => losses.add(error.within(&format!("LOD {lod}: surface {index}")), before, warnings),
        }
    }
    losses.check(mesh.surfaces.len() == own_count && !source.is_salvaged())?;
    Ok(ofs_end)
}

fn add_tag(surface: Surface, binding: Binding, mesh: &mut Mesh, warnings: &mut Warnings) {
    if binding.vertices.len() < 3 {
        let message = format!("the surface has {} vertices, but a tag needs 3; skipped", binding.vertices.len());
        warnings.add(WarningKind::LeftOut, format!("tag “{}”", surface.name), message);
        return;
    }
    let mut corners = binding;
    corners.vertices.truncate(3);
    corners.bind.truncate(3);
    let used = corners.vertices.last().map_or(0, |(first, count)| first + count);
    corners.weights.truncate(used as usize);
    mesh.tag_names.push(surface.name);
    mesh.tags.push(SkeletalTag::Triangle(corners));
}
