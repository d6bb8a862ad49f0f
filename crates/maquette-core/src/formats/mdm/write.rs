//! Writer of an MDM and its MDX files.

use glam::{Affine3A, Vec3};

use super::{LAYOUT, TAG_HEADER, mdx};
use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::angle_skeleton::{BoneLists, write_header, write_tables};
use crate::formats::bone_surface::write_list;
use crate::formats::mds::write_start;
use crate::formats::write::{AnimationFile, OTHER_MOTION, WrittenModel, skeletal};
use crate::model::{BoneAngles, ClipSource, JointFrames, JointTrack, Model, SkeletalTag};

/// Writes the mesh, and a skeleton for each track of frames. Fails if a name is too long, the model is not packed as an
/// MDM, or its skeleton is missing.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let mut writer = ByteWriter::new("mdm").with_latin1(model.data().has_latin1);
    let motion = skeletal(model, &writer)?;
    let mut tracks = Vec::new();
    for track in &motion.tracks {
        match &track.frames {
            JointFrames::Angles(angles) => tracks.push((track, angles)),
            JointFrames::Missing => {
                return Err(writer.error("boneReferences", "the mesh needs its skeleton (.mdx), which was not found"));
            }
            _ => return Err(writer.error("frames", OTHER_MOTION)),
        }
    }
    let [(_, angles), ..] = tracks.as_slice() else { return Err(writer.error("frames", OTHER_MOTION)) };
    let lists = write_start(&mut writer, &super::FORMAT, model, |_| Ok(()))?;
    writer.here("ofsSurfaces", lists.surfaces, 0)?;
    let mut references = BoneLists::new(angles);
    write_list(&mut writer, &LAYOUT, model, motion, |writer, bones| references.with_ancestors(writer, bones))?;
    writer.here("ofsTags", lists.tags, 0)?;
    for (name, tag) in model.tags().iter().zip(&motion.tags) {
        let (joint, place) = match tag {
            SkeletalTag::Joint(joint) => (*joint, Affine3A::IDENTITY),
            SkeletalTag::Offset(joint, place) => (*joint, *place),
            SkeletalTag::Triangle(_) => return Err(writer.error("tags", OTHER_MOTION)),
        };
        let bones = references.with_ancestors(&writer, [joint])?;
        write_tag(&mut writer, name, joint, &place, &bones)?;
    }
    writer.here("ofsEnd", lists.end, 0)?;
    let animations = tracks.into_iter().map(|(track, angles)| write_skeleton(model, track, angles));
    let animations = animations.collect::<Result<_, _>>()?;
    Ok(WrittenModel { main: writer.into_bytes(), animations, ..WrittenModel::default() })
}

fn write_tag(
    writer: &mut ByteWriter,
    name: &str,
    joint: u32,
    place: &Affine3A,
    references: &[u32],
) -> Result<(), WriteError> {
    writer.text("tag name", name, 64)?;
    let axes = place.matrix3;
    [axes.x_axis, axes.y_axis, axes.z_axis].into_iter().for_each(|axis| writer.vec3(Vec3::from(axis)));
    writer.count("boneIndex", joint as usize)?;
    writer.vec3(place.translation.into());
    writer.count("numBoneReferences", references.len())?;
    writer.count("ofsBoneReferences", TAG_HEADER as usize)?;
    writer.count("ofsEnd", TAG_HEADER as usize + 4 * references.len())?;
    references.iter().for_each(|bone| writer.i32(bone.cast_signed()));
    Ok(())
}

fn write_skeleton(model: &Model, track: &JointTrack, angles: &BoneAngles) -> Result<AnimationFile, WriteError> {
    let mut writer = ByteWriter::new("mdx").with_latin1(model.data().has_latin1);
    writer.raw(mdx::MAGIC);
    writer.i32(mdx::VERSION);
    writer.text("name", model.name(), 64)?;
    let tables = write_header(&mut writer, track.frame_count as usize, angles)?;
    let end = writer.later();
    let frames = track.first as usize..(track.first + track.frame_count) as usize;
    write_tables(&mut writer, tables, model.joints(), model.frames().get(frames).unwrap_or_default(), angles)?;
    writer.here("ofsEnd", end, 0)?;
    let is_own = |clip: &&crate::model::Clip| clip.source == ClipSource::AnimationFile && clip.first == track.first;
    let name = model.clips().iter().find(is_own).map_or("skeleton", |clip| &clip.name).to_owned();
    Ok(AnimationFile { name, bytes: writer.into_bytes() })
}
