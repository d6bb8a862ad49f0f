//! Limits on the size of a conversion.

use super::{ConvertError, ConvertOptions, Counts, clips, md5};
use crate::formats::FormatWriter;
use crate::limits::{MAX_CONVERTED_BYTES, MAX_POSED_VERTICES};
use crate::model::{AnimationFiles, Model, Motion};
use crate::pose::cost_of_frame;

/// Refuses output out of proportion to the input: static vertices may take no bytes in further frames, but are written
/// per frame.
pub(super) fn check_size(model: &Model, options: &ConvertOptions, target: &FormatWriter) -> Result<(), ConvertError> {
    let chosen = clips::frames(model, options);
    if chosen.len() <= 1 {
        return Ok(());
    }
    let frames = if matches!(options.format.traits().companions.animations, AnimationFiles::Below(_)) {
        // Each animation stores all frames of its clip, even if clips share frames.
        md5::played(model, &chosen).iter().map(md5::stored_frames).sum()
    } else {
        chosen.len()
    };
    let vertices = model.surfaces().iter().map(|surface| surface.vertex_count() as u64).sum::<u64>();
    let tags = model.tags().len() as u64;
    let joints = model.joints().len().max(model.tags().len() + 1) as u64;
    let bytes_of_frame = (target.bytes_of_frame)(&Counts { vertices, tags, joints }, options);
    let bytes = (frames as u64).saturating_mul(bytes_of_frame);
    if bytes > MAX_CONVERTED_BYTES.max(model.bytes().saturating_mul(2)) {
        let (megabytes, max) = (bytes >> 20, MAX_CONVERTED_BYTES >> 20);
        let what = if frames == chosen.len() {
            format!("the {frames} frames")
        } else {
            format!("the clips with {frames} frames in total")
        };
        return Err(ConvertError::TooLarge(format!(
            "{what} would take {megabytes} MB, more than the limit of {max} MB; choose a single frame (--frame F)"
        )));
    }
    if chosen.len().saturating_mul(cost_of_frame(model)) > MAX_POSED_VERTICES {
        let frames = chosen.len();
        let weights = match model.motion() {
            Motion::Morph(_) => String::new(),
            Motion::Skeletal(motion) => {
                format!(" and {} weights", motion.bindings.iter().map(|binding| binding.weights.len()).sum::<usize>())
            }
        };
        return Err(ConvertError::TooLarge(format!(
            "{frames} frames of {vertices} vertices{weights} are too many to convert; choose a single frame (--frame F)"
        )));
    }
    Ok(())
}
