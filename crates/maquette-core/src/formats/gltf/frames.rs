//! Frames of the clips: which time of which animation a frame shows.

use glam::DAffine3;

use super::animation::Animation;
use super::scene::Scene;
use super::weights::{self, TargetWeights};
use super::{LoadedScene, Part, rest_weights};
use crate::error::WarningKind;
use crate::formats::track::JOINT_FRAMES;
use crate::limits::MAX_GLTF_OBJECTS;
use crate::model::{Bounds, Clip, ClipSource, Format, FrameInfo, Motion, Wrap, u32_or_max};

/// Bytes of a file for each node and frame beyond [`JOINT_FRAMES`].
const BYTES_EACH: usize = 16;
/// Minimum number of nodes and surfaces that a frame counts as.
const MIN_NODES: usize = 4;
/// Largest difference of positions in metres, and of axes, of equal poses.
const EQUAL: f64 = 1e-4;
/// Frames by which rounding of the times of keys may shorten a clip. Its length must not depend on its start.
const ROUNDED_FRAMES: f64 = 1e-3;
/// Largest distance in frames of a key from the time of its frame at a constant rate.
const EVEN_FRAMES: f64 = 1e-2;
/// Maximum step from the last frame of a loop to its first, relative to the steps next to it.
const MAX_LAST_STEP: f64 = 3.0;

/// Moving part of a model, with its frames.
pub(super) struct SampledMotion {
    pub motion: Motion,
    pub frames: Vec<FrameInfo>,
    pub clips: Vec<Clip>,
    /// Largest side of the rest pose in units; `None` without vertices.
    pub size: Option<f32>,
}

impl SampledMotion {
    pub fn new(motion: Motion, frames: Frames, bounds: Bounds) -> Self {
        let rate = Format::Gltf.usual_rate();
        let mut clips = vec![Clip::new("bind pose", 0, 1, rate, ClipSource::BindPose)];
        clips.extend(frames.clips);
        let size = (!bounds.is_empty()).then(|| bounds.size().max_element());
        Self { motion, frames: vec![FrameInfo::default(); frames.times.len() + 1], clips, size }
    }
}

/// Frame after the rest pose: index of an animation, and a time in seconds.
pub(super) type FrameTime = (usize, f64);

/// Frames of all clips. The rest pose is frame 0 and not in the list.
pub(super) struct Frames {
    pub times: Vec<FrameTime>,
    pub clips: Vec<Clip>,
    /// Nodes that must be posed, parents first.
    pub nodes: Vec<u32>,
}

/// Frames of one animation.
struct ClipPlan {
    animation: usize,
    /// Frame that the file states. `None` follows the clip before.
    first: Option<u32>,
    count: u32,
    rate: f32,
    /// Time of frame 0 in seconds.
    zero: f64,
    /// Times in seconds of the frames and of the end, if the frames last differently.
    uneven: Option<Vec<f64>>,
    /// Whether a key after the last frame closes a loop.
    closes: bool,
    /// Whether the file states the frames.
    is_stated: bool,
    reversed: bool,
    /// Number of repeated frames that the file states.
    loop_frames: Option<u32>,
    /// Source of the clip in the exported model.
    source: ClipSource,
}

impl ClipPlan {
    fn new(loaded: &LoadedScene, index: usize, animation: &Animation) -> Self {
        let options = loaded.options;
        let length = (animation.end - animation.start).max(0.0);
        let extras = &animation.extras;
        let stated = match (extras.frames_per_second, extras.frame_count) {
            (Some(rate), Some(count)) if options.rate.is_none() && is_rate(rate) && count >= 1.0 => Some((rate, count)),
            _ => None,
        };
        if let Some((rate, count)) = stated {
            let first = extras.first_frame.filter(|first| *first >= 0.0 && *first < f64::from(u32::MAX));
            return Self {
                animation: index,
                first: first.map(whole),
                count: whole(count),
                rate: single(rate),
                zero: 0.0,
                uneven: uneven_times(&animation.keys, count, rate),
                closes: animation.end > (count - 0.5) / rate,
                is_stated: true,
                reversed: extras.reversed,
                loop_frames: extras.loop_frames.map(whole),
                source: match (extras.unlisted, extras.frame_group) {
                    (true, _) => ClipSource::AllFrames,
                    (false, true) => ClipSource::FrameGroup,
                    (false, false) => ClipSource::AnimationList,
                },
            };
        }
        let own = extras.frames_per_second.filter(|rate| is_rate(*rate));
        let default = f64::from(Format::Gltf.usual_rate());
        let rate = options.rate.map(f64::from).or(own).or(options.usual_rate.map(f64::from)).unwrap_or(default);
        let rate = if is_rate(rate) { rate } else { default };
        Self {
            animation: index,
            first: None,
            count: whole((length * rate + 0.5 + ROUNDED_FRAMES).floor()).saturating_add(1),
            rate: single(rate),
            zero: animation.start,
            uneven: None,
            closes: false,
            is_stated: false,
            reversed: extras.reversed,
            loop_frames: extras.loop_frames.map(whole),
            source: ClipSource::AnimationList,
        }
    }

    fn time(&self, frame: u32, animation: &Animation) -> FrameTime {
        if let Some(time) = self.uneven.as_ref().and_then(|times| times.get(frame as usize)) {
            return (self.animation, *time);
        }
        let end = if self.is_stated { f64::INFINITY } else { animation.end };
        (self.animation, (self.zero + f64::from(frame) / f64::from(self.rate)).min(end))
    }
}

/// Returns the times of the frames of an export, and of their end, if they are not at equal distances (frame groups of an
/// MDL). Such an export has a key for each frame, and perhaps one that closes the loop.
fn uneven_times(keys: &[f32], count: f64, rate: f64) -> Option<Vec<f64>> {
    let mut times: Vec<f64> = keys.iter().map(|time| f64::from(*time)).collect();
    if times.len() as f64 == count {
        times.push(times.last()? + 1.0 / rate);
    }
    let is_whole = times.len() as f64 == count + 1.0 && times.is_sorted();
    let is_even = |(frame, time): (usize, &f64)| (time * rate - frame as f64).abs() <= EVEN_FRAMES;
    (is_whole && !times.iter().enumerate().all(is_even)).then_some(times)
}

fn is_rate(rate: f64) -> bool {
    (1e-3..=1e4).contains(&rate)
}

fn whole(number: f64) -> u32 {
    number as u32
}

fn single(rate: f64) -> f32 {
    rate as f32
}

impl Frames {
    /// Plans the frames of all animations. `bytes` is the size of the file, and `max` the number of frames that the
    /// vertices allow.
    pub fn new(loaded: &LoadedScene, bytes: usize, max: usize) -> Self {
        let nodes = posed_nodes(&loaded.scene, &loaded.parts, &loaded.joint_nodes);
        let mut plans: Vec<ClipPlan> = Vec::new();
        for (index, animation) in loaded.animations.iter().enumerate() {
            let mut plan = ClipPlan::new(loaded, index, animation);
            if plan.count as usize > MAX_GLTF_OBJECTS {
                let message = format!("{} frames; the first {MAX_GLTF_OBJECTS} are used", plan.count);
                loaded.data.warn(WarningKind::LeftOut, format!("“{}”", animation.name), message);
                plan.count = u32_or_max(MAX_GLTF_OBJECTS);
            }
            plans.push(plan);
        }
        let max = max
            .min(JOINT_FRAMES.max(bytes / BYTES_EACH) / (nodes.len() + loaded.parts.len()).max(MIN_NODES))
            .saturating_sub(1);
        let mut frames = Self { times: Vec::new(), clips: Vec::new(), nodes };
        let mut posed = NodePose::new(loaded);
        if !frames.place_as_stated(loaded, &plans, max, &mut posed) {
            frames.place_in_turn(loaded, &plans, max, &mut posed);
        }
        frames
    }

    /// Assigns the frames that the file states for its clips. Returns false if a clip states none, or if clips that
    /// share frames differ there.
    fn place_as_stated(&mut self, loaded: &LoadedScene, plans: &[ClipPlan], max: usize, posed: &mut NodePose) -> bool {
        let end = |plan: &ClipPlan| Some(u64::from(plan.first?) + u64::from(plan.count));
        let Some(ends) = plans.iter().map(end).collect::<Option<Vec<u64>>>() else { return false };
        let Some(last) = ends.into_iter().max().and_then(|last| usize::try_from(last).ok()).filter(|last| *last <= max)
        else {
            return false;
        };
        let mut slots: Vec<Option<FrameTime>> = vec![None; last];
        for plan in plans {
            let (Some(animation), Some(first)) = (loaded.animations.get(plan.animation), plan.first) else { continue };
            for frame in 0..plan.count {
                let Some(slot) = slots.get_mut(first as usize + frame as usize) else { continue };
                let own = plan.time(frame, animation);
                match slot {
                    Some(known) if !self.are_equal(loaded, *known, own, posed) => return false,
                    Some(_) => {}
                    None => *slot = Some(own),
                }
            }
        }
        // A frame that no clip holds shows the frame before it; the first ones show that of the first clip.
        let mut last = slots.iter().flatten().next().copied();
        for slot in &slots {
            last = slot.or(last);
            self.times.extend(last);
        }
        for plan in plans {
            self.add_clip(loaded, plan, plan.first.unwrap_or(0) + 1, plan.count, posed);
        }
        true
    }

    fn place_in_turn(&mut self, loaded: &LoadedScene, plans: &[ClipPlan], max: usize, posed: &mut NodePose) {
        let mut skipped = 0;
        for plan in plans {
            let Some(animation) = loaded.animations.get(plan.animation) else { continue };
            let count = (plan.count as usize).min(max.saturating_sub(self.times.len()));
            let first = u32_or_max(self.times.len() + 1);
            if count == 0 {
                skipped += 1;
                continue;
            }
            if count < plan.count as usize {
                let message = format!("{} frames are too many for the file; the first {count} are used", plan.count);
                loaded.data.warn(WarningKind::LeftOut, format!("“{}”", animation.name), message);
            }
            self.times.extend((0..u32_or_max(count)).map(|frame| plan.time(frame, animation)));
            self.add_clip(loaded, plan, first, u32_or_max(count), posed);
        }
        if skipped > 0 {
            let message = format!("{skipped} animations have more frames than the file allows; skipped");
            loaded.data.warn(WarningKind::LeftOut, "animations", message);
        }
    }

    fn add_clip(&mut self, loaded: &LoadedScene, plan: &ClipPlan, first: u32, count: u32, posed: &mut NodePose) {
        let Some(animation) = loaded.animations.get(plan.animation) else { return };
        let mut clip = Clip::new(animation.name.clone(), first, count, plan.rate, plan.source);
        clip.reversed = plan.reversed;
        if let Some(times) = plan.uneven.as_ref().filter(|_| count == plan.count) {
            clip.end_times = times.iter().skip(1).map(|time| single(*time)).collect();
        } else if plan.source == ClipSource::FrameGroup {
            clip.end_times = (1..=count).map(|frame| frame as f32 / plan.rate).collect();
        }
        let is_whole = count == plan.count && count > 1;
        let loop_frames = plan.loop_frames.map(|frames| frames.min(count));
        if plan.is_stated
            && let Some(loop_frames) = loop_frames
        {
            clip.loop_frames = loop_frames;
            // The export closes a loop from the last frame to the first with a key. A motion without changes has one key.
            let closes = plan.closes || animation.end <= 0.0 || clip.loop_frames < count;
            clip.wrap = if closes { Wrap::LastToFirst } else { Wrap::LastIsFirst };
        } else if plan.closes {
            clip.wrap = Wrap::LastToFirst;
        } else if is_whole && self.are_equal(loaded, plan.time(0, animation), plan.time(count - 1, animation), posed) {
            clip.wrap = Wrap::LastIsFirst;
            clip.loop_frames = loop_frames.unwrap_or(count);
        } else if let Some(loop_frames) = loop_frames {
            clip.loop_frames = loop_frames;
        } else if plan.first.is_some() || is_whole && !self.is_cycle(loaded, plan, animation, posed) {
            // The export closes every loop with a key.
            clip.loop_frames = 0;
        }
        self.clips.push(clip);
    }

    /// Returns whether the step from the last frame to the first is like the steps next to it, as in a walk, and unlike
    /// a fall.
    fn is_cycle(&self, loaded: &LoadedScene, plan: &ClipPlan, animation: &Animation, posed: &mut NodePose) -> bool {
        let last = plan.count.saturating_sub(1);
        let mut step = |from: u32, to: u32| -> f64 {
            let [a, b] = [from, to].map(|frame| self.state(loaded, plan.time(frame, animation), posed));
            let moved: f64 = a.transforms.iter().zip(&b.transforms).map(|(a, b)| (a - b).powi(2)).sum();
            // An export may have a target for each frame, so that the weights of all pairs of frames differ equally.
            let shapes = loaded.parts.iter().filter(|part| loaded.is_morphing(part)).map(|part| &part.shape);
            let shaped = shapes.zip(a.weights.iter().zip(&b.weights)).map(|(shape, (a, b))| shape.step(a, b));
            moved + shaped.sum::<f64>()
        };
        let usual = step(0, 1).max(step(last.saturating_sub(1), last));
        step(last, 0) <= usual * (MAX_LAST_STEP * MAX_LAST_STEP)
    }

    fn are_equal(&self, loaded: &LoadedScene, a: FrameTime, b: FrameTime, posed: &mut NodePose) -> bool {
        let [own, other] = [a, b].map(|time| self.state(loaded, time, posed));
        let near = |(a, b): (f64, f64)| (a - b).abs() <= EQUAL * a.abs().max(1.0);
        own.pairs(&other).all(near)
    }

    /// Returns the numbers that determine the pose at a time.
    fn state(&self, loaded: &LoadedScene, time: FrameTime, posed: &mut NodePose) -> State {
        posed.pose(loaded, &self.nodes, Some(time));
        let nodes = self.nodes.iter().filter_map(|node| posed.worlds.get(*node as usize));
        let transforms = nodes.flat_map(|world| world.to_cols_array()).collect();
        let morphing = loaded.parts.iter().filter(|part| loaded.is_morphing(part));
        State { transforms, weights: morphing.map(|part| posed.weights(loaded, part, Some(time))).collect() }
    }
}

/// Numbers that determine a pose.
struct State {
    transforms: Vec<f64>,
    /// Weights of the morph targets of each part.
    weights: Vec<TargetWeights>,
}

impl State {
    /// Returns the corresponding numbers of two poses of a model.
    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (f64, f64)> + 'a {
        let transforms = self.transforms.iter().copied().zip(other.transforms.iter().copied());
        transforms.chain(self.weights.iter().zip(&other.weights).flat_map(|(a, b)| weights::pairs(a, b)))
    }
}

/// Returns the nodes that the pose of a part, a joint or a tag depends on, parents first.
pub(super) fn posed_nodes(scene: &Scene, parts: &[Part], joints: &[u32]) -> Vec<u32> {
    let mut needed = vec![false; scene.locals.len()];
    let shown = parts.iter().map(|part| part.node).chain(scene.tags.iter().map(|tag| tag.node));
    for node in shown.chain(joints.iter().copied()) {
        if let Some(needed) = needed.get_mut(node as usize) {
            *needed = true;
        }
    }
    // Children come after their parents, so that a pass from the end marks all ancestors.
    for node in scene.order.iter().rev() {
        if needed.get(*node as usize) == Some(&true)
            && let Some(parent) = scene.parent(*node)
            && let Some(needed) = needed.get_mut(parent as usize)
        {
            *needed = true;
        }
    }
    scene.order.iter().copied().filter(|node| needed.get(*node as usize) == Some(&true)).collect()
}

/// Transforms of nodes to the scene at a time.
pub(super) struct NodePose {
    pub worlds: Vec<DAffine3>,
}

impl NodePose {
    pub fn new(loaded: &LoadedScene) -> Self {
        Self { worlds: loaded.rest.clone() }
    }

    /// Poses `nodes`, parents first. `None` is the rest pose.
    pub fn pose(&mut self, loaded: &LoadedScene, nodes: &[u32], time: Option<FrameTime>) {
        let Some((animation, seconds)) = time else { return self.worlds.clone_from(&loaded.rest) };
        let Some(animation) = loaded.animations.get(animation) else { return };
        for node in nodes {
            let Some(rest) = loaded.scene.locals.get(*node as usize) else { continue };
            let own = animation.local(*node, rest, seconds).matrix();
            let parent = loaded.scene.parent(*node).and_then(|parent| self.worlds.get(parent as usize)).copied();
            if let Some(world) = self.worlds.get_mut(*node as usize) {
                *world = parent.map_or(own, |parent| parent * own);
            }
        }
    }

    /// Returns the weights of the morph targets of a part.
    pub fn weights(&self, loaded: &LoadedScene, part: &Part, time: Option<FrameTime>) -> TargetWeights {
        let moved = time.and_then(|(animation, at)| Some(loaded.animations.get(animation)?.weights(part.node)?.at(at)));
        moved.unwrap_or_else(|| rest_weights(loaded.data, part))
    }
}
