//! MDR writer.

use std::collections::BTreeSet;

use super::LAYOUT;
use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::bone_surface;
use crate::formats::write::{OTHER_MOTION, skeletal, write_frame};
use crate::model::{JointFrames, Model, SkeletalTag};

/// Writes the model with all its LODs. Fails if a name is too long or the model is not packed as an MDR.
pub fn write(model: &Model) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("mdr").with_latin1(model.data().has_latin1);
    let motion = skeletal(model, &writer)?;
    let [track] = motion.tracks.as_slice() else { return Err(writer.error("frames", OTHER_MOTION)) };
    writer.raw(b"RDM5");
    writer.i32(2);
    writer.text("name", model.name(), 64)?;
    writer.count("numFrames", model.frames().len())?;
    writer.count("numBones", motion.joints.len())?;
    let ofs_frames = writer.later();
    let lods = if model.surfaces().is_empty() { 0 } else { model.lod_count() };
    writer.count("numLODs", lods as usize)?;
    let ofs_lods = writer.later();
    writer.count("numTags", motion.tags.len())?;
    let [ofs_tags, ofs_end] = std::array::from_fn(|_| writer.later());
    let compressed = matches!(track.frames, JointFrames::PackedMatrices(_));
    writer.here("ofsFrames", ofs_frames, 0)?;
    if compressed {
        let offset = i32::try_from(writer.position()).unwrap_or(i32::MAX);
        writer.set(ofs_frames, -offset);
    }
    write_frames(&mut writer, model, &track.frames, motion.joints.len())?;
    writer.here("ofsLODs", ofs_lods, 0)?;
    for lod in 0..lods {
        let start = writer.position();
        let own = || model.surfaces().iter().zip(&motion.bindings).filter(|(surface, _)| surface.lod == lod);
        writer.count("numSurfaces", own().count())?;
        writer.i32(12);
        let end = writer.later();
        for (surface, binding) in own() {
            let used: BTreeSet<u32> = binding.weights.iter().map(|weight| weight.joint).collect();
            let written = bone_surface::write(&mut writer, (b"RDM5", &LAYOUT), surface, binding, used);
            written.map_err(|error| error.within(&format!("LOD {lod}: surface “{}”", surface.name)))?;
        }
        writer.here("ofsEnd", end, start)?;
    }
    writer.here("ofsTags", ofs_tags, 0)?;
    for (tag, name) in motion.tags.iter().zip(model.tags()) {
        let SkeletalTag::Joint(joint) = tag else { return Err(writer.error("tags", OTHER_MOTION)) };
        writer.count("boneIndex", *joint as usize)?;
        writer.text("tag name", name, 32)?;
    }
    writer.here("ofsEnd", ofs_end, 0)?;
    Ok(writer.into_bytes())
}

fn write_frames(writer: &mut ByteWriter, model: &Model, frames: &JointFrames, joints: usize) -> Result<(), WriteError> {
    for (index, frame) in model.frames().iter().enumerate() {
        let bones = index * joints..(index + 1) * joints;
        let within = |error: WriteError| error.within(&format!("frame {index}"));
        match frames {
            JointFrames::Matrices(matrices) => {
                write_frame(writer, frame, true).map_err(within)?;
                let rows = matrices.get(bones).unwrap_or_default().iter().flatten();
                rows.for_each(|number| writer.f32(*number));
            }
            JointFrames::PackedMatrices(matrices) => {
                write_frame(writer, frame, false).map_err(within)?;
                let words = matrices.get(bones).unwrap_or_default().iter().flatten();
                words.for_each(|word| writer.u16(*word));
            }
            _ => return Err(writer.error("frames", OTHER_MOTION)),
        }
    }
    Ok(())
}
