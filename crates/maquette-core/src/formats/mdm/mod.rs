//! MDM (Enemy Territory): mesh and tags. `MDMW`, version 3. The skeleton and its frames are in MDX files.
//!
//! Sources: ET: Legacy `tr_model.c`, `tr_animation_mdm.c`. An MDM does not name its MDX, whose bones its weights and
//! tags refer to by index. A loaded MDM has no joints and one placeholder frame until
//! [`Model::add_animation`](crate::model::Model::add_animation) adds an MDX.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 100 |
//! | surfaces | file, `ofsSurfaces`; the next at `ofsEnd` of each | `numSurfaces` | 176 and their tables, as in an MDS |
//! | vertices | surface, `ofsVerts` | `numVerts` | 24 + 20 per weight: normal, s t, `numWeights`, weights |
//! | tags | file, `ofsTags`; the next at `ofsEnd` of each | `numTags` | 128 and the bone references: name, axes, bone, offset |

mod mdx;
mod write;

pub use mdx::{check_animation, is_animation, load_animation};

use crate::convert;
use crate::formats::{FormatDef, FormatWriter, mds};
use glam::{Affine3A, Mat3A, Vec3};

use super::angle_skeleton::FRAME_BYTES;
use super::bone_surface::{self, BONES, Layout, SurfaceList, Surfaces};
use super::md3_common::{chain_start, limits, next_record, version, warn_about_end};
use crate::bytes::{Offset, Part, PartKind, Source};
use crate::error::{FilePosition, LoadError, WarningKind, Warnings, counted};
use crate::model::{
    AnimationFiles, Companions, Detail, Format, FormatData, FrameInfo, JointFrames, JointTrack, ModelParts, Motion,
    SkeletalMotion, SkeletalTag, TagStorage, is_usable,
};

/// Enemy Territory, `MDMW` version 3.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "mdm",
    title: "MDM",
    extensions: &["mdm"],
    media_type: "model/x-wolfenstein-mdm",
    signature: "MDMW",
    size_at: Some(96),
    game: "Enemy Territory",
    version: 3,
    companions: Companions { animations: AnimationFiles::Skeleton("mdx"), clip_lists: false, skins: true },
    tags: TagStorage::Offsets,
    animation: Some(load_animation),
    writer: Some(FormatWriter {
        model_name: "Enemy Territory model",
        holds: "surfaces on bones, and tags; the bones and their frames are in an MDX",
        write: write::write,
        convert: convert::mds::convert,
        bytes_of_frame: |counts, _| FRAME_BYTES as u64 + counts.joints * 24,
        sampling_rate: 15.0,
    }),
    load,
    ..mds::FORMAT
};

const LAYOUT: Layout = Layout { collapses: true, has_fixed_parent: false, first_turns_normal: true };
/// Bytes of a tag before its bone references.
const TAG_HEADER: u64 = 128;

/// Loads an MDM without its skeleton.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    let version = version(&mut reader, 3)?;
    let name = reader.name("name", 64)?;
    let (lod_scale, lod_bias) = (reader.f32("lodScale")?, reader.f32("lodBias")?);
    let counted_at = reader.position();
    let count = reader.count("numSurfaces", limits::SURFACES)?;
    let offset = reader.offset("ofsSurfaces")?;
    let tags_at = reader.position();
    let tag_count = reader.count("numTags", limits::TAGS)?;
    let ofs_tags = reader.offset("ofsTags")?.counted_by("numTags", tags_at);
    let ofs_end = reader.offset("ofsEnd")?;
    drop(head);
    warn_about_end(source, ofs_end, &[(count, offset), (tag_count, ofs_tags)], warnings);

    let mut surfaces = Surfaces::default();
    let list = SurfaceList { lod: None, base: 0, offset, count, counted_at, bones: BONES };
    bone_surface::read_all(source, &list, &LAYOUT, &mut surfaces, warnings)?;
    let (surfaces, bindings) = surfaces;
    let (names, tags) = read_tags(source, ofs_tags, tag_count, warnings)?.into_iter().unzip();
    Ok(ModelParts {
        version: Some(version),
        name,
        surfaces,
        frames: vec![FrameInfo::default()],
        tags: names,
        motion: Motion::Skeletal(SkeletalMotion {
            joints: Vec::new(),
            bindings,
            tracks: vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Missing }],
            tags,
        }),
        details: vec![Detail::text("lodScale", lod_scale), Detail::text("lodBias", lod_bias)],
        data: FormatData { lod: Some([lod_scale, lod_bias]), ..FormatData::default() },
        ..ModelParts::empty(Format::Mdm)
    })
}

fn read_tags(
    source: &Source,
    offset: Offset,
    count: u32,
    warnings: &mut Warnings,
) -> Result<Vec<(String, SkeletalTag)>, LoadError> {
    let mut tags = Vec::new();
    let mut next = chain_start(source, 0, offset, count)?.map(|start| start.at);
    for index in 0..count {
        let Some(start) = next else { break };
        let _group = source.group(|| format!("tag {index}"));
        let tag = match read_tag(source, start, PartKind::Tag.at(tags.len())) {
            Ok(tag) => tag,
            Err(error) => {
                let left = count - index;
                source.forgive(error.within(&format!("tag {index}")), || {
                    counted(left, "tag is skipped", "tags are skipped")
                })?;
                break;
            }
        };
        let Tag { name, bone, transform, ofs_end } = tag;
        let about = || format!("tag “{name}”");
        match u32::try_from(bone).ok().filter(|bone| *bone < BONES) {
            Some(joint) => {
                let joint_from_tag = transform.unwrap_or_else(|| {
                    let message = "axes or offset are not finite or beyond a billion; the bone’s transform is used";
                    warnings.add(WarningKind::Substituted, about(), message);
                    Affine3A::IDENTITY
                });
                tags.push((name, SkeletalTag::Offset(joint, joint_from_tag)));
            }
            None => {
                let message = format!("bone {bone} does not exist; the tag is skipped");
                warnings.add_at(WarningKind::LeftOut, about(), message, FilePosition::Byte(start));
            }
        }
        let left = count - index - 1;
        next = next_record(start, ofs_end.value, TAG_HEADER).filter(|next| *next < source.len());
        if next.is_none() && left > 0 {
            let message = format!("tag {index} has no valid offset to the next; {left} skipped");
            warnings.add_at(WarningKind::LeftOut, "ofsEnd", message, FilePosition::Byte(ofs_end.at));
        }
    }
    Ok(tags)
}

struct Tag {
    name: String,
    bone: i32,
    transform: Option<Affine3A>,
    ofs_end: Offset,
}

fn read_tag(source: &Source, start: u64, part: Part) -> Result<Tag, LoadError> {
    let mut reader = source.at(start);
    reader.claim("tag", TAG_HEADER)?;
    let name = reader.name_of(part, "name", 64)?;
    let axes = [reader.vec3("axis[0]")?, reader.vec3("axis[1]")?, reader.vec3("axis[2]")?];
    let bone = reader.i32("boneIndex")?;
    let offset = reader.vec3("offset")?;
    reader.i32("numBoneReferences")?;
    reader.offset("ofsBoneReferences")?;
    let ofs_end = reader.offset("ofsEnd")?;
    let is_sound = |vector: &Vec3| vector.to_array().into_iter().all(is_usable);
    let transform = (axes.iter().all(is_sound) && is_sound(&offset)).then(|| Affine3A {
        matrix3: Mat3A::from_cols(axes[0].into(), axes[1].into(), axes[2].into()),
        translation: offset.into(),
    });
    Ok(Tag { name, bone, transform, ofs_end })
}
