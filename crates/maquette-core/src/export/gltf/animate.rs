//! Export of clips as glTF animations: weight channels for morph targets, transform channels for joints and tags.

use glam::Quat;
use serde_json::json;

use super::PartNodes;
use super::buffer::{Builder, number};
use super::json::{Animation as Written, AnimationExtras, Path};
use super::sampler::FrameSampler;
use crate::export::ExportError;
use crate::export::scene::{Animation, ExportPart, ExportScene, Track};
use crate::model::ClipSource;
use crate::pose::FrameBlend;

pub(super) fn add(
    builder: &mut Builder,
    subject: &ExportScene<'_>,
    animation: &Animation,
    nodes: &[PartNodes],
) -> Result<(), ExportError> {
    let mut written = Written {
        name: animation.name.clone(),
        channels: Vec::new(),
        samplers: Vec::new(),
        extras: AnimationExtras {
            first_frame: animation.first,
            frame_count: animation.count,
            frames_per_second: animation.rate,
            loop_frames: animation.loop_frames,
            reversed: animation.reversed,
            unlisted: animation.source == ClipSource::AllFrames,
            frame_group: animation.source == ClipSource::FrameGroup,
        },
    };
    for track in animation.tracks.iter().filter(|track| !track.keys.is_empty()) {
        let (Some(part), Some(nodes)) = (subject.parts.get(track.part), nodes.get(track.part)) else { continue };
        let mut times = Times::from_track(track);
        if let Some(targets) = nodes.morph.as_ref().filter(|targets| targets.count > 0 && !targets.nodes.is_empty()) {
            let shown: Vec<Option<usize>> = track.keys.iter().map(|key| nodes.target_of(key.frame)).collect();
            let output = builder.shown_targets(&shown, targets.count)?;
            let input = times.accessor(builder, shown.len())?;
            written.add(input, output, targets.nodes.iter().map(|node| (*node, Path::Weights)));
        }
        add_transforms(builder, part, track, nodes, &mut times, &mut written)?;
    }
    // An animation needs a channel, so animate the root of a static model with zero translations.
    if let (true, Some(root), Some(track)) = (written.channels.is_empty(), nodes.first(), animation.tracks.first()) {
        let input = Times::from_track(track).accessor(builder, track.keys.len())?;
        let output = builder.values(&vec![[0.0_f32; 3]; track.keys.len()])?;
        written.add(input, output, std::iter::once((root.own, Path::Translation)));
    }
    if !written.channels.is_empty() {
        builder.document.animations.push(written);
    }
    Ok(())
}

impl Written {
    fn add(&mut self, input: u32, output: u32, targets: impl Iterator<Item = (u32, Path)>) {
        let sampler = number(self.samplers.len());
        self.samplers.push(json!({ "input": input, "output": output }));
        let channel = |(node, path)| json!({ "sampler": sampler, "target": { "node": node, "path": path } });
        self.channels.extend(targets.map(channel));
    }

    fn add_channel<const N: usize>(
        &mut self,
        builder: &mut Builder,
        times: &mut Times<'_>,
        node: u32,
        path: Path,
        mut values: Vec<[f32; N]>,
    ) -> Result<(), ExportError> {
        let Some(first) = values.first().copied() else { return Ok(()) };
        if values.iter().all(|value| *value == first) {
            values.truncate(1);
        }
        let input = times.accessor(builder, values.len())?;
        let output = builder.values(&values)?;
        self.add(input, output, std::iter::once((node, path)));
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AnimatedChannels {
    translation: bool,
    rotation: bool,
    scale: bool,
}

pub(super) fn moves(subject: &ExportScene<'_>, index: usize, nodes: &PartNodes) -> Vec<AnimatedChannels> {
    let mut moves = vec![AnimatedChannels::default(); nodes.rest.len()];
    let Some(part) = subject.parts.get(index) else { return moves };
    let mut sampler = FrameSampler::new(part.model);
    for frame in subject.shown_frames(index) {
        for ((now, rest), moves) in sampler.at(FrameBlend::single(frame)).iter().zip(&nodes.rest).zip(&mut moves) {
            moves.translation |= now.translation != rest.translation;
            moves.rotation |= now.rotation != rest.rotation;
            moves.scale |= now.scale != rest.scale;
        }
    }
    moves
}

#[derive(Default)]
struct Values {
    translation: Vec<[f32; 3]>,
    rotation: Vec<[f32; 4]>,
    scale: Vec<[f32; 3]>,
}

/// Adds the transform channels of a track. Omits channels that equal the part's pose in all animations. A channel that
/// changes only in other animations gets one key in this one, because not every program resets it.
fn add_transforms(
    builder: &mut Builder,
    part: &ExportPart<'_>,
    track: &Track,
    nodes: &PartNodes,
    times: &mut Times<'_>,
    written: &mut Written,
) -> Result<(), ExportError> {
    let own = if nodes.joints.is_empty() { &nodes.tags } else { &nodes.joints };
    let mut values: Vec<Values> = nodes.moves.iter().map(|_| Values::default()).collect();
    let mut sampler = FrameSampler::new(part.model);
    for key in &track.keys {
        for ((now, moves), values) in
            sampler.at(FrameBlend::single(key.frame)).iter().zip(&nodes.moves).zip(&mut values)
        {
            if moves.translation {
                values.translation.push(now.translation.to_array());
            }
            if moves.rotation {
                // Pick the quaternion nearer to the last one, for the shorter path.
                let last = values.rotation.last().map(|last| Quat::from_array(*last));
                let turned = last.is_some_and(|last| last.dot(now.rotation) < 0.0);
                values.rotation.push(if turned { -now.rotation } else { now.rotation }.to_array());
            }
            if moves.scale {
                values.scale.push(now.scale.to_array());
            }
        }
    }
    for (node, values) in own.iter().zip(values) {
        written.add_channel(builder, times, *node, Path::Translation, values.translation)?;
        written.add_channel(builder, times, *node, Path::Rotation, values.rotation)?;
        written.add_channel(builder, times, *node, Path::Scale, values.scale)?;
    }
    Ok(())
}

struct Times<'a> {
    track: &'a Track,
    all: Option<u32>,
    first: Option<u32>,
}

impl<'a> Times<'a> {
    fn from_track(track: &'a Track) -> Self {
        Self { track, all: None, first: None }
    }

    fn accessor(&mut self, builder: &mut Builder, count: usize) -> Result<u32, ExportError> {
        let known = if count == 1 { &mut self.first } else { &mut self.all };
        if let Some(known) = known {
            return Ok(*known);
        }
        let times: Vec<f32> = self.track.keys.iter().take(count).map(|key| key.time).collect();
        Ok(*known.insert(builder.times(&times)?))
    }
}
