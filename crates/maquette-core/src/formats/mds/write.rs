//! MDS writer.

use super::LAYOUT;
use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::angle_skeleton::{BoneLists, write_header, write_tables};
use crate::formats::bone_surface::write_list;
use crate::formats::write::{OTHER_MOTION, skeletal};
use crate::model::{JointFrames, Model, SkeletalTag};

/// Writes the model. Fails if a name is too long or the model is not packed as an MDS.
pub fn write(model: &Model) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("mds").with_latin1(model.data().has_latin1);
    let motion = skeletal(model, &writer)?;
    let [track] = motion.tracks.as_slice() else { return Err(writer.error("frames", OTHER_MOTION)) };
    let JointFrames::Angles(angles) = &track.frames else { return Err(writer.error("frames", OTHER_MOTION)) };
    let lists = super::write_start(&mut writer, &super::FORMAT, model, |writer| {
        write_header(writer, model.frames().len(), angles)
    })?;
    write_tables(&mut writer, lists.start, &motion.joints, model.frames(), angles)?;
    writer.here("ofsSurfaces", lists.surfaces, 0)?;
    let mut references = BoneLists::new(angles);
    write_list(&mut writer, &LAYOUT, model, motion, |writer, bones| references.with_ancestors(writer, bones))?;
    writer.here("ofsTags", lists.tags, 0)?;
    for (name, tag) in model.tags().iter().zip(&motion.tags) {
        let SkeletalTag::Joint(joint) = tag else { return Err(writer.error("tags", OTHER_MOTION)) };
        writer.text("tag name", name, 64)?;
        writer.f32(angles.bones.get(*joint as usize).map_or(0.0, |bone| bone.torso_weight));
        writer.count("boneIndex", *joint as usize)?;
    }
    writer.here("ofsEnd", lists.end, 0)?;
    Ok(writer.into_bytes())
}
