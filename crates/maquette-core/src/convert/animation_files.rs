//! Animation files of a model whose format stays: one for each clip.

use super::Origin;
use super::clips::report_lost;
use super::names::listed;
use crate::error::counted;
use crate::model::{
    Clip, JointChannels, JointFrames, JointTrack, LocalFrames, ModelParts, Motion, SkeletalMotion, u32_or_max,
};
use crate::pose::FrameBlend;

/// Gives each clip of an animation file its own file with its own rate, because the script that named the clips is not
/// converted. Games find an animation and its rate by the file.
pub(super) fn separate(parts: &mut ModelParts, origin: &mut Origin, losses: &mut Vec<String>) {
    parts.clips.iter_mut().for_each(|clip| clip.own_rate = None);
    let Motion::Skeletal(SkeletalMotion { tracks, .. }) = &mut parts.motion else { return };
    let is_in_file = |(index, track): (usize, &JointTrack)| match track.frames {
        JointFrames::Channels(_) => true,
        JointFrames::Local(_) => index > 0,
        _ => false,
    };
    let Some(own) = tracks.iter().enumerate().position(is_in_file) else { return };
    let old_tracks = tracks.split_off(own);
    let own_frames = old_tracks.first().map_or(0, |track| track.first);
    let old_frames = parts.frames.split_off(own_frames as usize);
    origin.frames.truncate(own_frames as usize);
    let (kept, in_files) = std::mem::take(&mut parts.clips).into_iter().partition(|clip| clip.end() <= own_frames);
    parts.clips = kept;
    let (mut lost, mut played) = (Vec::new(), vec![false; old_frames.len()]);
    let mut fractions = Vec::new();
    for clip in in_files {
        let holds = |track: &&JointTrack| track.first <= clip.first && clip.end() <= track.first + track.frame_count;
        let Some(track) = old_tracks.iter().find(holds) else {
            lost.push(clip);
            continue;
        };
        let range = (clip.first - own_frames) as usize..(clip.end() - own_frames) as usize;
        played.get_mut(range.clone()).unwrap_or_default().fill(true);
        let first = u32_or_max(parts.frames.len());
        parts.frames.extend_from_slice(old_frames.get(range).unwrap_or_default());
        origin.frames.extend((clip.first..clip.end()).map(FrameBlend::single));
        let frames = part_of(&track.frames, (clip.first - track.first) as usize, clip.count as usize);
        if matches!(frames, JointFrames::Channels(_)) && clip.frames_per_second.fract() != 0.0 {
            fractions.push(format!("“{}” ({})", clip.name, clip.frames_per_second));
        }
        tracks.push(JointTrack { first, frame_count: clip.count, frames });
        parts.clips.push(Clip { first, ..clip });
    }
    report_lost(&lost, parts.format, losses);
    if !fractions.is_empty() {
        let clips = counted(fractions.len(), "clip has", "clips have");
        let names = listed(fractions.into_iter());
        losses.push(format!("Doom 3 needs a whole frame rate, but {clips} another: {names}"));
    }
    let unplayed = played.iter().filter(|is_played| !**is_played).count();
    if unplayed > 0 {
        let frames = counted(unplayed, "frame was", "frames were");
        losses.push(format!("{frames} dropped, because no clip plays them"));
    }
}

fn part_of(frames: &JointFrames, first: usize, count: usize) -> JointFrames {
    fn sliced<T: Copy>(numbers: &[T], stride: u32, first: usize, count: usize) -> Vec<T> {
        let stride = stride as usize;
        numbers.get(first * stride..(first + count) * stride).unwrap_or_default().to_vec()
    }
    match frames {
        JointFrames::Channels(JointChannels { joints, stride, components, joint_of_mesh }) => {
            JointFrames::Channels(JointChannels {
                joints: joints.clone(),
                stride: *stride,
                components: sliced(components, *stride, first, count),
                joint_of_mesh: joint_of_mesh.clone(),
            })
        }
        JointFrames::Local(LocalFrames { skeleton, poses, stride, words, computes_w }) => {
            JointFrames::Local(LocalFrames {
                skeleton: skeleton.clone(),
                poses: poses.clone(),
                stride: *stride,
                words: sliced(words, *stride, first, count),
                computes_w: *computes_w,
            })
        }
        other => other.clone(),
    }
}
