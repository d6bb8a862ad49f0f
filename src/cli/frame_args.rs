//! `--animation` and `--frame`: the frame of a model.

use maquette_core::model::{Clip, ClipSource, FrameNumbering, Model, u32_or_max};
use maquette_core::pose::FrameBlend;

use super::Failure;
use super::args::FrameArguments;

/// Returns the requested frame. Frame numbers refer to the clip if one is named, or else to the file. If each clip
/// counts its own frames, the only frame without a clip is the bind pose.
pub fn blend(model: &Model, arguments: &FrameArguments) -> Result<FrameBlend, Failure> {
    let (name, first, count) = match &arguments.animation {
        Some(name) => {
            let clip = find_clip(model, name)?;
            (format!("clip {}", clip.name), clip.first, clip.count)
        }
        None if model.frame_numbering() == FrameNumbering::PerClip => ("the bind pose".to_owned(), 0, 1),
        None => ("the model".to_owned(), 0, u32_or_max(model.frames().len())),
    };
    let frame = arguments.frame.unwrap_or(0.0);
    let last = count.saturating_sub(1);
    if !(0.0..=f64::from(last)).contains(&frame) {
        let span = if last == 0 { "only frame 0".to_owned() } else { format!("frames 0 to {last}") };
        // Shorten numbers such as 1e308.
        let frame = if frame.abs() < 1e9 { frame.to_string() } else { format!("{frame:e}") };
        return Err(Failure::Usage(format!("--frame {frame}: {name} has {span}{}", hint(model, arguments))));
    }
    let within = FrameBlend::at_frame(frame).clamped(last);
    Ok(FrameBlend { from: first + within.from, to: first + within.to, t: within.t })
}

/// Returns the advice to name a clip, if frames are counted within clips and none is named.
fn hint(model: &Model, arguments: &FrameArguments) -> &'static str {
    let is_needed = arguments.animation.is_none()
        && model.frame_numbering() == FrameNumbering::PerClip
        && model.clips().iter().any(|clip| clip.source != ClipSource::BindPose);
    if is_needed { "; other frames belong to clips, so name one with --animation" } else { "" }
}

pub fn find_clip<'m>(model: &'m Model, name: &str) -> Result<&'m Clip, Failure> {
    model.clip(name).ok_or_else(|| {
        Failure::unknown(&format!("--animation {name}"), "clip", model.clips().iter().map(|clip| &clip.name))
    })
}
