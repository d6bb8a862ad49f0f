//! Skeletons of MDS and MDX: frames of angles, and bones.
//!
//! | chunk | offset from | count | bytes each |
//! |---|---|---|---|
//! | frames | file, `ofsFrames` | `numFrames` | 52 + 12 per bone: bounds, localOrigin, radius, parentOffset, angles |
//! | bones | file, `ofsBones` | `numBones` | 80: name, parent, torsoWeight, parentDist, flags |

use glam::Vec3;

use super::bone_surface::BONES;
use super::chunk::{f32_at, i32_at, vec3_at};
use super::md3_common::frame_count;
use super::write::write_frame;
use crate::bytes::{ByteReader, ByteWriter, Column, Count, Kind, Offset, OffsetSlot, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings, WriteError};
use crate::limits::MAX_CONVERTED_BYTES;
use crate::model::{
    AngleBone, BoneAngles, Bounds, FrameInfo, Joint, JointTransform, PackedAngles, finite, is_usable, parents_first,
};

const FRAME_HEAD: &[Column] = &[
    Column::new("mins", Kind::F32, 3),
    Column::new("maxs", Kind::F32, 3),
    Column::new("localOrigin", Kind::F32, 3),
    Column::new("radius", Kind::F32, 1),
    Column::new("parentOffset", Kind::F32, 3),
];
/// Bytes of a frame without its bones.
pub(super) const FRAME_BYTES: usize = 52;
const ANGLES: Record =
    Record::new("bones", &[Column::new("angles", Kind::I16, 4), Column::new("ofsAngles", Kind::I16, 2)])
        .holding(PartKind::Joint);
const BONE_RECORDS: Record = Record::new(
    "bones",
    &[
        Column::new("name", Kind::Text, 64),
        Column::new("parent", Kind::I32, 1),
        Column::new("torsoWeight", Kind::F32, 1),
        Column::new("parentDist", Kind::F32, 1),
        Column::new("flags", Kind::I32, 1),
    ],
)
.holding(PartKind::Joint);
/// Flag of bones that are tags.
const TAG: i32 = 1;

/// Fields of the file's header.
pub(super) struct Header {
    frames: u32,
    pub bones: u32,
    bones_at: u64,
    ofs_frames: Offset,
    ofs_bones: Offset,
    /// Bone about whose origin the torso turns.
    pub torso_parent: i32,
}

impl Header {
    pub fn read(reader: &mut ByteReader) -> Result<Self, LoadError> {
        let frames_at = reader.position();
        let frames = frame_count(reader, "numFrames")?;
        let at = *reader;
        let bones = reader.count("numBones", BONES)?;
        if bones == 0 {
            return Err(at.error("numBones", Reason::Broken("a skeleton needs at least one bone".to_owned())));
        }
        Ok(Self {
            frames,
            bones,
            bones_at: at.position(),
            ofs_frames: reader.offset("ofsFrames")?.counted_by("numFrames", frames_at),
            ofs_bones: reader.offset("ofsBones")?.counted_by("numBones", at.position()),
            torso_parent: reader.i32("torsoParent")?,
        })
    }

    /// Returns the number of entries and the offset of each table.
    pub fn tables(&self) -> [(u32, Offset); 2] {
        [(self.frames, self.ofs_frames), (self.bones, self.ofs_bones)]
    }
}

/// Skeleton with its frames.
pub(super) struct Skeleton {
    pub joints: Vec<Joint>,
    pub frames: Vec<FrameInfo>,
    pub angles: BoneAngles,
}

impl Skeleton {
    /// Reads frames and bones. `has_tags` selects whether a flag makes bones tags, as in an MDS.
    pub fn read(source: &Source, header: &Header, has_tags: bool, warnings: &mut Warnings) -> Result<Self, LoadError> {
        let mut unusable = 0;
        let (joints, bones, order) = read_bones(source, header, has_tags, &mut unusable, warnings)?;
        let (frames, roots, angles) = read_frames(source, header, &mut unusable)?;
        if unusable > 0 {
            let message = format!("{unusable} numbers are not finite or beyond a billion; replaced by 0");
            warnings.add(WarningKind::Substituted, "frames and bones", message);
        }
        Ok(Self {
            joints,
            frames,
            angles: BoneAngles { bones, order, roots, angles, torso_parent: header.torso_parent },
        })
    }
}

/// Returns a number, or 0 if it is not usable, which `unusable` counts.
fn repaired(number: f32, unusable: &mut usize) -> f32 {
    *unusable += usize::from(!is_usable(number));
    if is_usable(number) { number } else { 0.0 }
}

type Frames = (Vec<FrameInfo>, Vec<Vec3>, Vec<PackedAngles>);

fn read_frames(source: &Source, header: &Header, unusable: &mut usize) -> Result<Frames, LoadError> {
    let record = Record::new("frames", FRAME_HEAD)
        .holding(PartKind::Frame)
        .followed_by(ANGLES, Count::Fixed(header.bones.into()));
    let mut offset = header.ofs_frames;
    // A single frame exceeds the file, so blame the number of bones.
    if record.stride() > source.len() {
        offset = offset.counted_by("numBones", header.bones_at);
    }
    let table = source.start().table(0, offset, header.frames.into(), &record)?;
    let stride = FRAME_BYTES + 12 * header.bones as usize;
    let (mut frames, mut roots) = (Vec::new(), Vec::new());
    let mut angles: Vec<PackedAngles> = Vec::with_capacity(table.len() / stride * header.bones as usize);
    for frame in table.chunks_exact(stride) {
        let Some((head, bones)) = frame.split_first_chunk::<FRAME_BYTES>() else { continue };
        let corner = |at: usize| Vec3::from_array(finite(vec3_at(head, at)));
        let radius = f32_at(head, 36);
        frames.push(FrameInfo {
            name: String::new(),
            bounds: Some(Bounds { min: corner(0), max: corner(12) }),
            origin: corner(24),
            radius: if radius.is_finite() { radius } else { 0.0 },
        });
        roots.push(Vec3::from_array(vec3_at(head, 40).to_array().map(|number| repaired(number, unusable))));
        angles.extend(bones.as_chunks::<12>().0.iter().map(|bone| {
            let mut words = bone.as_chunks::<2>().0.iter().map(|word| i16::from_le_bytes(*word));
            std::array::from_fn(|_| words.next().unwrap_or(0))
        }));
    }
    Ok((frames, roots, angles))
}

type Bones = (Vec<Joint>, Vec<AngleBone>, Vec<u32>);

fn read_bones(
    source: &Source,
    header: &Header,
    has_tags: bool,
    unusable: &mut usize,
    warnings: &mut Warnings,
) -> Result<Bones, LoadError> {
    let table = source.start().table(0, header.ofs_bones, header.bones.into(), &BONE_RECORDS)?.as_chunks::<80>().0;
    if table.len() < header.bones as usize {
        // The frames have angles for each bone.
        return Err(source.outside(0, header.ofs_bones, u64::from(header.bones) * 80));
    }
    let mut names: Vec<String> = table.iter().map(|record| source.text(record.get(..64).unwrap_or_default())).collect();
    let mut bones: Vec<AngleBone> = Vec::with_capacity(table.len());
    for (index, record) in table.iter().enumerate() {
        let stored = i32_at(record, 64);
        let parent = u32::try_from(stored).ok().filter(|parent| *parent < header.bones && *parent as usize != index);
        if parent.is_none() && stored != -1 {
            warn_about_parent(&names, index, &format!("has no valid parent ({stored})"), warnings);
        }
        bones.push(AngleBone {
            parent,
            torso_weight: repaired(f32_at(record, 68), unusable).clamp(0.0, 1.0),
            distance: repaired(f32_at(record, 72), unusable),
            is_tag: has_tags && i32_at(record, 76) & TAG != 0,
            has_vertices: false,
        });
    }
    let order = parents_first(&bones.iter().map(|bone| bone.parent).collect::<Vec<_>>());
    let mut is_placed = vec![false; bones.len()];
    for index in order.iter().map(|index| *index as usize) {
        let is_after = |parent: u32| is_placed.get(parent as usize) == Some(&true);
        if let Some(bone) = bones.get_mut(index).filter(|bone| !bone.parent.is_none_or(is_after)) {
            bone.parent = None;
            warn_about_parent(&names, index, "is its own ancestor", warnings);
        }
        if let Some(placed) = is_placed.get_mut(index) {
            *placed = true;
        }
    }
    let joints = bones.iter().enumerate().map(|(index, bone)| {
        let parent = bone.parent.filter(|parent| (*parent as usize) < index);
        if parent != bone.parent {
            let name = names.get(index).map_or("", String::as_str);
            let message = "the parent comes after the bone; poses use it, but lists show the bone as a root";
            warnings.add(WarningKind::Inconsistent, format!("bone {index} “{name}”"), message);
        }
        let name = names.get_mut(index).map(std::mem::take).unwrap_or_default();
        Joint { name, parent, bind: JointTransform::IDENTITY, is_added: false }
    });
    Ok((joints.collect(), bones, order))
}

fn warn_about_parent(names: &[String], index: usize, problem: &str, warnings: &mut Warnings) {
    let name = names.get(index).map_or("", String::as_str);
    let message = format!("the bone {problem}; it becomes a root");
    warnings.add(WarningKind::Substituted, format!("bone {index} “{name}”"), message);
}

/// Writes the fields of the header, whose offsets [`write_tables`] fills in.
pub(super) fn write_header(
    writer: &mut ByteWriter,
    frames: usize,
    angles: &BoneAngles,
) -> Result<[OffsetSlot; 2], WriteError> {
    writer.count("numFrames", frames)?;
    writer.count("numBones", angles.bones.len())?;
    let tables = std::array::from_fn(|_| writer.later());
    writer.i32(angles.torso_parent);
    Ok(tables)
}

/// Writes frames and bones.
pub(super) fn write_tables(
    writer: &mut ByteWriter,
    [frames_at, bones_at]: [OffsetSlot; 2],
    joints: &[Joint],
    frames: &[FrameInfo],
    angles: &BoneAngles,
) -> Result<(), WriteError> {
    writer.here("ofsFrames", frames_at, 0)?;
    let bones_of_frames = angles.angles.chunks_exact(angles.bones.len().max(1));
    for ((frame, root), bones) in frames.iter().zip(&angles.roots).zip(bones_of_frames) {
        write_frame(writer, frame, false)?;
        writer.vec3(*root);
        bones.iter().flatten().for_each(|angle| writer.i16(*angle));
    }
    writer.here("ofsBones", bones_at, 0)?;
    for (joint, bone) in joints.iter().zip(&angles.bones) {
        let named = writer.text("name", &joint.name, 64);
        named.map_err(|error| error.within(&format!("bone “{}”", joint.name)))?;
        writer.i32(bone.parent.map_or(-1, u32::cast_signed));
        writer.f32(bone.torso_weight);
        writer.f32(bone.distance);
        writer.i32(if bone.is_tag { TAG } else { 0 });
    }
    Ok(())
}

/// Lists of bones with all that games need to compute them.
pub(super) struct BoneLists<'a> {
    angles: &'a BoneAngles,
    /// Begin of each list: the bone about which the torso turns, with its ancestors.
    first: Vec<u32>,
    /// Place of each bone in an order with parents before their children.
    ranks: Vec<u32>,
    /// Number of the last list with each bone.
    listed: Vec<u32>,
    lists: u32,
    /// Remaining bytes: a long chain of bones may be in every list.
    left: u64,
}

impl<'a> BoneLists<'a> {
    pub fn new(angles: &'a BoneAngles) -> Self {
        let pivot = u32::try_from(angles.torso_parent).ok().filter(|bone| (*bone as usize) < angles.bones.len());
        let mut first: Vec<u32> = pivot.into_iter().flat_map(|bone| above(angles, bone)).collect();
        if first.len() > 2 {
            first.reverse();
        }
        let mut ranks = vec![0; angles.bones.len()];
        for (rank, bone) in (0..).zip(&angles.order) {
            ranks.get_mut(*bone as usize).into_iter().for_each(|own| *own = rank);
        }
        Self { angles, first, ranks, listed: vec![0; angles.bones.len()], lists: 0, left: MAX_CONVERTED_BYTES }
    }

    /// Returns bones with all that games need to compute them. Games compute the bones of such a list in order, each after
    /// its parent, but a parent that comes later without its own parent (iortcw `tr_animation.c`, `R_CalcBones`). The
    /// bone about which the torso turns comes first if it is that near to the root. Fails if all lists together exceed the
    /// size of a conversion.
    pub fn with_ancestors(
        &mut self,
        writer: &ByteWriter,
        bones: impl IntoIterator<Item = u32>,
    ) -> Result<Vec<u32>, WriteError> {
        let max = usize::try_from(self.left / 4).unwrap_or(usize::MAX);
        self.lists += 1;
        let mut list = Vec::new();
        for bone in self.first.iter().copied().chain(bones) {
            for bone in above(self.angles, bone) {
                match self.listed.get_mut(bone as usize) {
                    Some(last) if *last != self.lists => *last = self.lists,
                    _ => break,
                }
                if list.len() == max {
                    let megabytes = MAX_CONVERTED_BYTES >> 20;
                    let why = format!("the lists of the bones of all surfaces and tags would take over {megabytes} MB");
                    return Err(writer.error("boneReferences", why));
                }
                list.push(bone);
            }
        }
        self.left -= 4 * list.len() as u64;
        let rest = list.get_mut(self.first.len()..).unwrap_or_default();
        rest.sort_unstable_by_key(|bone| self.ranks.get(*bone as usize).copied().unwrap_or(0));
        list.iter_mut().zip(&self.first).for_each(|(own, first)| *own = *first);
        Ok(list)
    }
}

/// Returns a bone and its ancestors. A valid skeleton has no cycles.
fn above(angles: &BoneAngles, bone: u32) -> impl Iterator<Item = u32> + '_ {
    let parent = |bone: &u32| angles.bones.get(*bone as usize).and_then(|bone| bone.parent);
    std::iter::successors(Some(bone), parent)
}
