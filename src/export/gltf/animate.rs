//! Clips as animations: channels of weights for morph targets, of transforms for joints and tags.

use super::PartNodes;
use super::buffer::{Builder, number};
use super::json::{Animation as Written, AnimationExtras, Channel, ChannelTarget, Path, Sampler};
use super::walk::Walk;
use crate::export::ExportError;
use crate::export::subject::{Animation, Placed, Subject, Track};
use crate::pose::FrameBlend;

pub(super) fn add(
    builder: &mut Builder,
    subject: &Subject<'_>,
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
            reversed: animation.reversed,
        },
    };
    for track in animation.tracks.iter().filter(|track| !track.keys.is_empty()) {
        let (Some(part), Some(nodes)) = (subject.parts.get(track.part), nodes.get(track.part)) else { continue };
        let times: Vec<f32> = track.keys.iter().map(|key| key.time).collect();
        let times = builder.times(&times)?;
        if let Some(targets) = nodes.morph.as_ref().filter(|targets| targets.count > 0 && !targets.nodes.is_empty()) {
            let shown: Vec<Option<usize>> = track.keys.iter().map(|key| nodes.target_of(key.frame)).collect();
            let output = builder.shown_targets(&shown, targets.count)?;
            written.add(times, output, targets.nodes.iter().map(|node| (*node, Path::Weights)));
        }
        add_transforms(builder, part, track, nodes, times, &mut written)?;
    }
    // An animation of a model that stands still has to move something: its root, by nothing.
    if let (true, Some(root), Some(track)) = (written.channels.is_empty(), nodes.first(), animation.tracks.first()) {
        let times = builder.times(&track.keys.iter().map(|key| key.time).collect::<Vec<f32>>())?;
        let output = builder.values(&vec![[0.0_f32; 3]; track.keys.len()])?;
        written.add(times, output, std::iter::once((root.own, Path::Translation)));
    }
    if !written.channels.is_empty() {
        builder.document.animations.push(written);
    }
    Ok(())
}

impl Written {
    fn add(&mut self, input: u32, output: u32, targets: impl Iterator<Item = (u32, Path)>) {
        let sampler = number(self.samplers.len());
        self.samplers.push(Sampler { input, output });
        self.channels.extend(targets.map(|(node, path)| Channel { sampler, target: ChannelTarget { node, path } }));
    }
}

/// What of a node moves.
#[derive(Clone, Copy, Default)]
struct Moves {
    translation: bool,
    rotation: bool,
    scale: bool,
}

/// The values of a node's channels.
#[derive(Default)]
struct Values {
    translation: Vec<[f32; 3]>,
    rotation: Vec<[f32; 4]>,
    scale: Vec<[f32; 3]>,
}

/// Joints, or the tags of a model without joints. What stays as it is in the part's pose has no channel.
fn add_transforms(
    builder: &mut Builder,
    part: &Placed<'_>,
    track: &Track,
    nodes: &PartNodes,
    times: u32,
    written: &mut Written,
) -> Result<(), ExportError> {
    let own = if nodes.joints.is_empty() { &nodes.tags } else { &nodes.joints };
    let mut moves = vec![Moves::default(); nodes.rest.len()];
    let mut walk = Walk::of(part.model);
    for key in &track.keys {
        for ((now, rest), moves) in walk.at(FrameBlend::still(key.frame)).iter().zip(&nodes.rest).zip(&mut moves) {
            moves.translation |= now.translation != rest.translation;
            moves.rotation |= now.rotation != rest.rotation;
            moves.scale |= now.scale != rest.scale;
        }
    }
    let mut values: Vec<Values> = moves.iter().map(|_| Values::default()).collect();
    for key in &track.keys {
        for ((now, moves), values) in walk.at(FrameBlend::still(key.frame)).iter().zip(&moves).zip(&mut values) {
            if moves.translation {
                values.translation.push(now.translation.to_array());
            }
            if moves.rotation {
                // Two quaternions are one rotation: the one nearer to the last is the shorter way.
                let last = values.rotation.last().map(|last| glam::Quat::from_array(*last));
                let turned = last.is_some_and(|last| last.dot(now.rotation) < 0.0);
                values.rotation.push(if turned { -now.rotation } else { now.rotation }.to_array());
            }
            if moves.scale {
                values.scale.push(now.scale.to_array());
            }
        }
    }
    for (node, values) in own.iter().zip(values) {
        if !values.translation.is_empty() {
            let output = builder.values(&values.translation)?;
            written.add(times, output, std::iter::once((*node, Path::Translation)));
        }
        if !values.rotation.is_empty() {
            let output = builder.values(&values.rotation)?;
            written.add(times, output, std::iter::once((*node, Path::Rotation)));
        }
        if !values.scale.is_empty() {
            let output = builder.values(&values.scale)?;
            written.add(times, output, std::iter::once((*node, Path::Scale)));
        }
    }
    Ok(())
}
