//! GLA: skeleton of a GLM with the frames of all its animations. `2LGA`, version 6.
//!
//! Source of the layout: OpenJK `mdx_format.h`, `tr_ghoul2.cpp` (`R_LoadMDXA`).
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | header | file | 1 | 100 |
//! | bone offsets | byte 100 | `numBones` | 4: offset of a bone from byte 100 |
//! | bones | byte 100 | `numBones` | 172 + 4 per child: name, flags, parent, bind pose, its inverse, children |
//! | frames | file, `ofsFrames` | `numFrames` | 3 per bone: index into the pool |
//! | pool | file, `ofsCompBonePool` | highest index + 1 | 14; see [`crate::model::PackedBone`] |

use glam::{Mat3, Quat, Vec3};

use super::super::LoadedAnimation;
use super::super::chunk::{f32s, i32_at, u16s};
use super::super::md3_common::{frame_count, version, warn_about_end};
use super::{BONES, MAX_BONES};
use crate::bytes::{Column, Count, Kind, Offset, PartKind, Record, Source};
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings, counted};
use crate::model::{
    BonePool, Clip, ClipSource, Format, FrameInfo, Joint, JointFrames, JointTransform, Model, PackedBone, SkeletonFile,
    StoredBone, is_usable, parents_first, u32_or_max,
};

/// First bytes of a GLA.
pub const MAGIC: &[u8] = b"2LGA";

/// Position of the file's own path.
const HEADER: u64 = 100;
/// Bytes of a bone without its children.
const BONE: u64 = 172;

const OFFSETS: Record = Record::new("boneOffsets", &[Column::new("offset", Kind::I32, 1)]);
const CHILDREN: Record = Record::new("children", &[Column::new("index", Kind::I32, 1)]);
const BIND: Record = Record::new("BasePoseMat", &[Column::new("matrix", Kind::F32, 12)]);
const INVERSE_BIND: Record = Record::new("BasePoseMatInv", &[Column::new("matrix", Kind::F32, 12)]);
const POOL: Record = Record::new("compBonePool", &[Column::new("Comp", Kind::U16, 7)]);

const INDEX: &[Column] = &[Column::new("iIndex", Kind::U8, 3)];

const fn frames_record(bones: u64) -> Record {
    let index = Record::new("bones", INDEX).holding(PartKind::Joint);
    Record::new("frames", &[]).holding(PartKind::Frame).followed_by(index, Count::Fixed(bones))
}

/// Skeleton and frames of a GLA.
pub struct Skeleton {
    /// Joints of the bones.
    pub skeleton: SkeletonFile,
    /// All frames.
    pub pool: BonePool,
    /// Number of frames.
    pub frame_count: u32,
}

/// Loads the skeleton of a `.gla` file for a GLM, and its frames as a clip called `name`. Fails if the file is invalid, or
/// the mesh was made for more bones than the file has.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<LoadedAnimation, LoadError> {
    let Skeleton { skeleton, pool, frame_count } = load(&Source::new("gla", bytes), warnings)?;
    check_bones(model, skeleton.joints.len(), warnings)?;
    // The rate and the division into clips are in other files.
    let clip = Clip::new(name, 0, frame_count, Format::Glm.usual_rate(), ClipSource::AllFrames);
    let frames = vec![FrameInfo::default(); frame_count as usize];
    Ok(LoadedAnimation { skeleton: Some(skeleton), track: (clip, JointFrames::Pool(pool), frames), clips: Vec::new() })
}

fn check_bones(model: &Model, found: usize, warnings: &mut Warnings) -> Result<(), LoadError> {
    let number = model.data().skeleton.as_ref().map(|(_, bones)| *bones as usize);
    let Some(number) = number.filter(|number| *number != found) else { return Ok(()) };
    let message = format!("the mesh was made for a skeleton of {number} bones, but this one has {found}");
    if number > found {
        return Err(LoadError::new("gla", BONES, FilePosition::Whole, Reason::Broken(message)));
    }
    warnings.add(WarningKind::Inconsistent, BONES, message);
    Ok(())
}

/// Loads the bones and frames of a GLA.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<Skeleton, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    version(&mut reader, 6)?;
    reader.name("name", 64)?;
    let scale = reader.f32("fScale")?;
    let frames_at = reader.position();
    let frames = frame_count(&mut reader, "numFrames")?;
    let ofs_frames = reader.offset("ofsFrames")?.counted_by("numFrames", frames_at);
    let bones_at = reader.position();
    let bones = reader.count(BONES, MAX_BONES)?;
    if bones == 0 {
        return Err(source.error(BONES, bones_at, Reason::Broken("a skeleton needs at least one bone".to_owned())));
    }
    let ofs_pool = reader.offset("ofsCompBonePool")?;
    reader.i32("ofsSkel")?;
    let ofs_end = reader.offset("ofsEnd")?;
    drop(head);
    warn_about_end(source, ofs_end, &[], warnings);

    let stored_bones = read_bones(source, (BONES, bones_at), bones, warnings)?;
    let order = parents_first(&stored_bones.iter().map(|(joint, _)| joint.parent).collect::<Vec<_>>());
    let mut joint_of_bone = vec![0; stored_bones.len()];
    (0_u32..).zip(&order).for_each(|(joint, bone)| joint_of_bone[*bone as usize] = joint);
    let table = source.start().table(0, ofs_frames, frames.into(), &frames_record(bones.into()))?;
    let stored = table.as_chunks::<3>().0;
    let frame_count = u32_or_max(stored.len() / bones as usize);
    let mut indices = Vec::with_capacity(stored.len());
    for frame in stored.chunks_exact(bones as usize) {
        indices.extend(order.iter().filter_map(|bone| frame.get(*bone as usize)));
    }
    let bones = read_pool(source, ofs_pool, &mut indices, warnings)?;
    let stored = order.iter().filter_map(|bone| Some(stored_bones.get(*bone as usize)?.1)).collect();
    let pool = BonePool { indices, bones, scale, stored };
    let placed = |(own, bone): (u32, &u32)| {
        let joint = stored_bones.get(*bone as usize)?.0.clone();
        let parent = joint.parent.and_then(|parent| joint_of_bone.get(parent as usize).copied());
        Some(Joint { parent: parent.filter(|parent| *parent < own), ..joint })
    };
    let joints = (0..).zip(&order).filter_map(placed).collect();
    Ok(Skeleton { skeleton: SkeletonFile { joints, joint_of_bone }, pool, frame_count })
}

fn read_bones(
    source: &Source,
    counter: (&'static str, u64),
    count: u32,
    warnings: &mut Warnings,
) -> Result<Vec<(Joint, StoredBone)>, LoadError> {
    let mut reader = source.at(HEADER);
    let table = reader.next_table(counter, count.into(), &OFFSETS)?;
    let mut bones = Vec::with_capacity(table.len() / 4);
    for (index, record) in table.as_chunks::<4>().0.iter().enumerate() {
        let offset = Offset::new("boneOffsets", HEADER + 4 * index as u64, i32_at(record, 0));
        let start = u64::try_from(offset.target(HEADER)).map_err(|_| source.outside(HEADER, offset, BONE))?;
        let _group = source.group_of(PartKind::Joint.at(index), || format!("bone {index}"));
        let bone = read_bone(source, start, index, count, warnings);
        bones.push(bone.map_err(|error| error.within(&format!("bone {index}")))?);
    }
    Ok(bones)
}

fn read_bone(
    source: &Source,
    start: u64,
    index: usize,
    count: u32,
    warnings: &mut Warnings,
) -> Result<(Joint, StoredBone), LoadError> {
    let mut reader = source.at(start);
    reader.claim("boneOffsets", BONE)?;
    let name = reader.name("name", 64)?;
    let about = || format!("bone {index} “{name}”");
    let flags = reader.u32("flags")?;
    let parent_at = reader.position();
    let stored = reader.i32("parent")?;
    let parent = u32::try_from(stored).ok().filter(|parent| *parent < count && *parent as usize != index);
    if parent.is_none() && stored != -1 {
        let message = format!("the parent {stored} does not exist; the bone becomes a root");
        warnings.add_at(WarningKind::Substituted, about(), message, FilePosition::Byte(parent_at));
    }
    let bind_at = reader.position();
    let rows = f32s(reader.next_table(("boneOffsets", start), 1, &BIND)?);
    let bind = bind_transform(rows).unwrap_or_else(|| {
        let message = "the bind pose is not a rotation; the origin without rotation is used";
        warnings.add_at(WarningKind::Substituted, about(), message, FilePosition::Byte(bind_at));
        JointTransform::IDENTITY
    });
    let inverse = f32s(reader.next_table(("boneOffsets", start), 1, &INVERSE_BIND)?);
    let counter = ("numChildren", reader.position());
    // The parents already state the hierarchy.
    let children = reader.count("numChildren", MAX_BONES);
    if let Err(error) = children.and_then(|count| reader.next_table(counter, count.into(), &CHILDREN)) {
        let message = format!("the children are skipped: {}", error.reason);
        warnings.add_error(WarningKind::LeftOut, about(), message, &error);
    }
    let stored = StoredBone { number: u32_or_max(index), flags, bind: rows, inverse };
    Ok((Joint { name, parent, bind, is_added: false }, stored))
}

/// Returns the rotation and translation of three rows (r r r t). `None` if the rows do not determine a rotation. The
/// scale does not affect poses, because it is equal in the bind pose and in all frames.
fn bind_transform(rows: [f32; 12]) -> Option<JointTransform> {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = rows;
    let columns = [Vec3::new(a, d, g), Vec3::new(b, e, h), Vec3::new(c, f, i)].map(Vec3::try_normalize);
    let [Some(forward), Some(left), Some(up)] = columns else { return None };
    let rotation = Quat::from_mat3(&Mat3::from_cols(forward, left, up));
    let translation = Vec3::new(x, y, z);
    let is_sound = rotation.length_squared() > f32::MIN_POSITIVE && translation.to_array().into_iter().all(is_usable);
    (is_sound && rotation.is_finite()).then(|| JointTransform { rotation: rotation.normalize(), translation })
}

/// Reads the bones that `indices` use. Indices of missing bones are replaced by that of a bone without movement.
fn read_pool(
    source: &Source,
    offset: Offset,
    indices: &mut [[u8; 3]],
    warnings: &mut Warnings,
) -> Result<Vec<PackedBone>, LoadError> {
    let used = indices.iter().map(|index| u64::from(BonePool::number(*index)) + 1).max().unwrap_or(0);
    let present = source.start().whole_records(0, offset, POOL.stride());
    let table = source.start().table(0, offset, used.min(present.max(1)), &POOL)?;
    let mut bones: Vec<PackedBone> = table.as_chunks::<14>().0.iter().map(|record| u16s(record)).collect();
    let identity = u32_or_max(bones.len());
    let mut missing = 0_usize;
    for index in indices.iter_mut().filter(|index| BonePool::number(**index) >= identity) {
        let [low, middle, high, _] = identity.to_le_bytes();
        *index = [low, middle, high];
        missing += 1;
    }
    if missing > 0 {
        bones.push(BonePool::IDENTITY);
        let message = counted(
            missing,
            "index leads outside the pool; the bone keeps its bind pose",
            "indices lead outside the pool; the bones keep their bind pose",
        );
        warnings.add(WarningKind::Substituted, offset.field, message);
    }
    Ok(bones)
}
