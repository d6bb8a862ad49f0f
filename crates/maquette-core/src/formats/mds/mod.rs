//! MDS (Return to Castle Wolfenstein): skeleton, frames, mesh and tags in one file. `MDSW`, version 4.
//!
//! Sources: iortcw `tr_model.c` (`R_LoadMDS`), `tr_animation.c`. Collapse maps and the parents of vertices
//! (`fixedParent`) have no effect on a pose in full detail; no renderer reads the latter.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 120 |
//! | frames, bones | file, `ofsFrames`, `ofsBones` | `numFrames`, `numBones` | as described in `angle_skeleton` |
//! | surfaces | file, `ofsSurfaces`; the next at `ofsEnd` of each | `numSurfaces` | 176 and their tables |
//! | vertices | surface, `ofsVerts` | `numVerts` | 32 + 20 per weight: normal, s t, `numWeights`, fixedParent, fixedDist |
//! | weights | in the vertex | `numWeights` | 20: bone (of the file), weight, offset in the bone's space |
//! | triangles, collapse map, bone references | surface | | 12, 4, 4 |
//! | tags | file, `ofsTags` | `numTags` | 72: name, torsoWeight (unused), bone |

mod write;

use super::angle_skeleton::{FRAME_BYTES, Header, Skeleton};
use super::bone_surface::{self, Layout, SurfaceList, Surfaces};
use super::chunk::i32_at;
use super::frame_names;
use super::md3_common::{limits, version, warn_about_end};
use super::write::single;
use crate::bytes::{ByteWriter, Column, Kind, Offset, OffsetSlot, PartKind, Record, Source};
use crate::convert;
use crate::error::{FilePosition, LoadError, WarningKind, Warnings, WriteError, counted};
use crate::formats::{FormatDef, FormatWriter};
use crate::model::{
    AnimationFiles, Companions, Detail, Format, FormatData, JointFrames, JointStorage, JointTrack, Model, ModelParts,
    Motion, NameLimits, SkeletalMotion, SkeletalTag, TagStorage, u32_or_max,
};

/// Return to Castle Wolfenstein, `MDSW` version 4.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "mds",
    title: "MDS",
    extensions: &["mds"],
    media_type: "model/x-wolfenstein-mds",
    signature: "MDSW",
    size_at: Some(116),
    game: "Return to Castle Wolfenstein",
    version: 4,
    usual_rate: 15.0,
    tags: TagStorage::Bones,
    joints: JointStorage::Skeleton,
    first_turns_normal: true,
    bounds_frames: true,
    name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
    companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true },
    writer: Some(FormatWriter {
        model_name: "Wolfenstein model",
        holds: "bones, surfaces and tags",
        write: |model| write::write(model).map(single),
        convert: convert::mds::convert,
        bytes_of_frame: |counts, _| FRAME_BYTES as u64 + counts.joints * 24,
        sampling_rate: 15.0,
    }),
    ..FormatDef::plain(load)
};

/// Scale of the number of drawn vertices for models that do not state one: games then draw all at any distance.
const FULL_DETAIL: f32 = 1e6;

const TAGS: Record = Record::new(
    "tags",
    &[
        Column::new("name", Kind::Text, 64),
        Column::new("torsoWeight", Kind::F32, 1),
        Column::new("boneIndex", Kind::I32, 1),
    ],
)
.holding(PartKind::Tag);
const LAYOUT: Layout = Layout { collapses: true, has_fixed_parent: true, first_turns_normal: true };

/// Loads an MDS.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = version(&mut reader, 4)?;
    let name = reader.name("name", 64)?;
    let (lod_scale, lod_bias) = (reader.f32("lodScale")?, reader.f32("lodBias")?);
    let header = Header::read(&mut reader)?;
    let counted_at = reader.position();
    let count = reader.count("numSurfaces", limits::SURFACES)?;
    let offset = reader.offset("ofsSurfaces")?;
    let tags_at = reader.position();
    let tag_count = reader.count("numTags", limits::TAGS)?;
    let ofs_tags = reader.offset("ofsTags")?.counted_by("numTags", tags_at);
    let ofs_end = reader.offset("ofsEnd")?;
    drop(head);
    let [frames, bones] = header.tables();
    warn_about_end(source, ofs_end, &[frames, bones, (count, offset), (tag_count, ofs_tags)], warnings);

    let mut skeleton = Skeleton::read(source, &header, true, warnings)?;
    let (tags, joints): (Vec<String>, Vec<u32>) =
        read_tags(source, ofs_tags, tag_count, header.bones, warnings)?.into_iter().unzip();
    for joint in &joints {
        if let Some(bone) = skeleton.angles.bones.get_mut(*joint as usize) {
            bone.is_tag = true;
        }
    }
    let mut surfaces = Surfaces::default();
    let list = SurfaceList { lod: None, base: 0, offset, count, counted_at, bones: header.bones };
    bone_surface::read_all(source, &list, &LAYOUT, &mut surfaces, warnings)?;
    let (surfaces, bindings) = surfaces;
    for weight in bindings.iter().flat_map(|binding| &binding.weights) {
        if let Some(bone) = skeleton.angles.bones.get_mut(weight.joint as usize) {
            bone.has_vertices = true;
        }
    }
    let frame_count = u32_or_max(skeleton.frames.len());
    let track = JointTrack { first: 0, frame_count, frames: JointFrames::Angles(skeleton.angles) };
    Ok(ModelParts {
        clips: frame_names::clips_or_all(&skeleton.frames, FORMAT.usual_rate),
        version: Some(version),
        name,
        surfaces,
        frames: skeleton.frames,
        motion: Motion::Skeletal(SkeletalMotion {
            joints: skeleton.joints,
            bindings,
            tracks: vec![track],
            tags: joints.into_iter().map(SkeletalTag::Joint).collect(),
        }),
        tags,
        details: vec![
            Detail::text("numBones", header.bones),
            Detail::text("torsoParent", header.torso_parent),
            Detail::text("lodScale", lod_scale),
            Detail::text("lodBias", lod_bias),
        ],
        data: FormatData { lod: Some([lod_scale, lod_bias]), ..FormatData::default() },
        ..ModelParts::empty(Format::Mds)
    })
}

fn read_tags(
    source: &Source,
    offset: Offset,
    count: u32,
    bones: u32,
    warnings: &mut Warnings,
) -> Result<Vec<(String, u32)>, LoadError> {
    let table = match source.start().table(0, offset, count.into(), &TAGS) {
        Ok(table) => table.as_chunks::<72>().0,
        Err(error) => {
            source.forgive(error, || counted(count, "tag is skipped", "tags are skipped"))?;
            &[]
        }
    };
    let start = u64::try_from(offset.target(0)).unwrap_or(0);
    let mut tags = Vec::with_capacity(table.len());
    for (at, record) in (start..).step_by(72).zip(table) {
        let (name, bone) = (source.text(record.get(..64).unwrap_or_default()), i32_at(record, 68));
        match u32::try_from(bone) {
            Ok(bone) if bone < bones => tags.push((name, bone)),
            _ => warnings.add_at(
                WarningKind::LeftOut,
                format!("tag “{name}”"),
                format!("bone {bone} does not exist; the tag is skipped"),
                FilePosition::Byte(at),
            ),
        }
    }
    Ok(tags)
}

/// Offsets that are filled in later.
pub(super) struct Lists<T> {
    /// Fields between the LOD and the lists.
    pub start: T,
    pub surfaces: OffsetSlot,
    pub tags: OffsetSlot,
    pub end: OffsetSlot,
}

/// Writes the header of an MDS or MDM; `between` writes the fields after those of the LOD.
pub(super) fn write_start<T>(
    writer: &mut ByteWriter,
    format: &FormatDef,
    model: &Model,
    between: impl FnOnce(&mut ByteWriter) -> Result<T, WriteError>,
) -> Result<Lists<T>, WriteError> {
    writer.raw(format.signature.as_bytes());
    writer.i32(format.version);
    writer.text("name", model.name(), 64)?;
    model.data().lod.unwrap_or([FULL_DETAIL, 0.0]).into_iter().for_each(|number| writer.f32(number));
    let start = between(writer)?;
    writer.count("numSurfaces", model.surfaces().iter().filter(|surface| surface.lod == 0).count())?;
    let surfaces = writer.later();
    writer.count("numTags", model.tags().len())?;
    let [tags, end] = std::array::from_fn(|_| writer.later());
    Ok(Lists { start, surfaces, tags, end })
}
