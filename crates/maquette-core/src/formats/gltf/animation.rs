//! Animations: samplers, and the transforms of nodes at a time.

use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _};
use glam::{DQuat, DVec3, Vec3};

use super::accessor::{Data, VEC3, VEC4, Wanted};
use super::broken;
use super::json;
use super::scene::{Local, unit};
use super::weights::{TargetWeights, WeightSampler};
use crate::error::{LoadError, WarningKind};

/// Seconds by which a step happens early, so that rounding of times never holds it back a frame.
const EARLY_STEP_SECS: f64 = 1e-4;

/// Largest difference from 1 of the dot product of rotations that are blended without slerp. Their angle is 1.1°, and the
/// error is below 1e-7 radians.
const NEAR: f64 = 5e-5;

/// Property of a node that a channel moves.
#[derive(Clone, Copy)]
enum Path {
    Translation,
    Rotation,
    Scale,
    Weights,
}

#[derive(Clone, Copy, PartialEq)]
enum Interpolation {
    Linear,
    Step,
    Cubic,
}

/// Times of the keys of a property, and the interpolation between them.
pub(super) struct Keys {
    pub times: Rc<Vec<f32>>,
    interpolation: Interpolation,
}

/// Keys of a transform's part.
pub(super) struct Sampler {
    keys: Keys,
    /// Numbers of each key; for cubic splines the incoming tangent, the value and the outgoing tangent.
    values: Vec<f32>,
    width: usize,
}

/// Samplers of the properties of a node.
#[derive(Default)]
struct Channels {
    translation: Option<Rc<Sampler>>,
    rotation: Option<Rc<Sampler>>,
    scale: Option<Rc<Sampler>>,
    weights: Option<Rc<WeightSampler>>,
}

/// Animation with the samplers of all nodes.
pub(super) struct Animation {
    pub name: String,
    pub extras: json::Extras,
    channels: HashMap<u32, Channels>,
    /// Times of the keys of the property that has most.
    pub keys: Rc<Vec<f32>>,
    /// Time of the first key in seconds.
    pub start: f64,
    /// Time of the last key in seconds.
    pub end: f64,
}

/// Reads the animations that move anything.
pub(super) fn read(data: &Data) -> Result<Vec<Animation>, LoadError> {
    let mut animations = Vec::new();
    for (index, animation) in (0..).zip(&*data.document.animations) {
        let about = json::label(&data.document.animations, index);
        let name = if animation.name.is_empty() { about.clone() } else { animation.name.clone() };
        let mut channels: HashMap<u32, Channels> = HashMap::new();
        let mut samplers = Samplers::new(data, &about, animation);
        let (mut start, mut end, mut keys) = (f64::INFINITY, f64::NEG_INFINITY, Rc::<Vec<f32>>::default());
        for channel in &animation.channels {
            let path = match channel.target.path.as_str() {
                "translation" => Path::Translation,
                "rotation" => Path::Rotation,
                "scale" => Path::Scale,
                "weights" => Path::Weights,
                _ => continue,
            };
            let Some(node) = channel.target.node else { continue };
            let Some(own) = data.document.nodes.get(node as usize) else { continue };
            let mut used = Channels::default();
            let all = match path {
                Path::Weights => {
                    let targets = targets(data, own);
                    if targets == 0 {
                        continue;
                    }
                    let sampler = samplers.weights(channel.sampler, targets)?;
                    Rc::clone(used.weights.insert(sampler).times())
                }
                Path::Translation | Path::Rotation | Path::Scale => {
                    let sampler = samplers.transform(channel.sampler, path)?;
                    let slot = match path {
                        Path::Translation => &mut used.translation,
                        Path::Rotation => &mut used.rotation,
                        _ => &mut used.scale,
                    };
                    Rc::clone(&slot.insert(sampler).keys.times)
                }
            };
            if !all.is_empty() {
                let times = all.iter().map(|time| f64::from(*time));
                (start, end) = times.fold((start, end), |(start, end), time| (start.min(time), end.max(time)));
                channels.entry(node).or_default().replace_by(used);
            }
            if all.len() > keys.len() {
                keys = all;
            }
        }
        if channels.is_empty() {
            data.warn(WarningKind::LeftOut, about, "the animation moves nothing that is read; skipped");
            continue;
        }
        animations.push(Animation { name, extras: animation.extras.clone(), channels, keys, start, end });
    }
    Ok(animations)
}

/// Returns the number of morph targets of a node's mesh.
fn targets(data: &Data, node: &json::Node) -> usize {
    let mesh = node.mesh.and_then(|mesh| data.document.meshes.get(mesh as usize));
    mesh.map_or(0, |mesh| mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0))
}

impl Channels {
    /// Takes the samplers that `other` has.
    fn replace_by(&mut self, other: Self) {
        let take = |own: &mut Option<Rc<Sampler>>, other: Option<Rc<Sampler>>| *own = other.or(own.take());
        take(&mut self.translation, other.translation);
        take(&mut self.rotation, other.rotation);
        take(&mut self.scale, other.scale);
        self.weights = other.weights.or(self.weights.take());
    }
}

/// Samplers of an animation that were read. Channels share them.
struct Samplers<'a> {
    data: &'a Data<'a>,
    about: &'a str,
    animation: &'a json::AnimationJson,
    transforms: HashMap<(u32, usize), Rc<Sampler>>,
    weights: HashMap<(u32, usize), Rc<WeightSampler>>,
}

impl<'a> Samplers<'a> {
    fn new(data: &'a Data<'a>, about: &'a str, animation: &'a json::AnimationJson) -> Self {
        Self { data, about, animation, transforms: HashMap::new(), weights: HashMap::new() }
    }

    fn listed(&self, index: u32) -> Result<&'a json::SamplerJson, LoadError> {
        let missing = || broken(self.about, format!("sampler {index} does not exist"));
        self.animation.samplers.get(index as usize).ok_or_else(missing)
    }

    fn transform(&mut self, index: u32, path: Path) -> Result<Rc<Sampler>, LoadError> {
        let (width, wanted) = if matches!(path, Path::Rotation) { (4, VEC4) } else { (3, VEC3) };
        if let Some(known) = self.transforms.get(&(index, width)) {
            return Ok(Rc::clone(known));
        }
        let sampler = Rc::new(Sampler::read(self.data, self.listed(index)?, width, wanted, self.about)?);
        self.transforms.insert((index, width), Rc::clone(&sampler));
        Ok(sampler)
    }

    fn weights(&mut self, index: u32, targets: usize) -> Result<Rc<WeightSampler>, LoadError> {
        if let Some(known) = self.weights.get(&(index, targets)) {
            return Ok(Rc::clone(known));
        }
        let sampler = Rc::new(WeightSampler::read(self.data, self.listed(index)?, targets, self.about)?);
        self.weights.insert((index, targets), Rc::clone(&sampler));
        Ok(sampler)
    }
}

impl Keys {
    pub fn read(data: &Data, listed: &json::SamplerJson, about: &str) -> Result<Self, LoadError> {
        let interpolation = match listed.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => return Err(broken(about, format!("the interpolation “{other}” does not exist"))),
        };
        Ok(Self { times: data.times(listed.input, about)?, interpolation })
    }

    pub fn is_cubic(&self) -> bool {
        self.interpolation == Interpolation::Cubic
    }

    /// Returns the number of rows of `width` numbers that the keys need. Fails if there are fewer than `count` numbers.
    pub fn check(&self, count: u64, width: usize, about: &str) -> Result<usize, LoadError> {
        let each = width * if self.is_cubic() { 3 } else { 1 };
        let needed = self.times.len().checked_mul(each).filter(|needed| *needed as u64 <= count);
        let why = || format!("{} keys need {each} numbers each, but there are {count}", self.times.len());
        needed.map(|needed| needed / width.max(1)).ok_or_else(|| broken(about, why()))
    }

    /// Returns the row of the value of a key.
    pub fn value_row(&self, key: usize) -> usize {
        if self.is_cubic() { key * 3 + 1 } else { key }
    }

    /// Returns the rows whose sum, each times its share, is the value at a time.
    pub fn shares(&self, time: f64) -> [(usize, f64); 4] {
        let (key, step, t) = self.place(time);
        let (row, unused) = (self.value_row(key), (0, 0.0));
        if t <= 0.0 {
            return [(row, 1.0), unused, unused, unused];
        }
        if !self.is_cubic() {
            return [(row, 1.0 - t), (row + 1, t), unused, unused];
        }
        // Spec, appendix C.5. The rows of a key are the incoming tangent, the value and the outgoing tangent.
        let (square, cube) = (t * t, t * t * t);
        [
            (row, 2.0 * cube - 3.0 * square + 1.0),
            (row + 1, step * (cube - 2.0 * square + t)),
            (row + 3, -2.0 * cube + 3.0 * square),
            (row + 2, step * (cube - square)),
        ]
    }

    /// Returns the key at or before a time, its distance to the next key in seconds, and the share of that distance that
    /// has passed; 0 where the value is held.
    fn place(&self, time: f64) -> (usize, f64, f64) {
        let time = if self.interpolation == Interpolation::Step { time + EARLY_STEP_SECS } else { time };
        let after = self.keys_until(time);
        let key = after.saturating_sub(1);
        let step = self.time_of(key + 1) - self.time_of(key);
        let is_held =
            after == 0 || after >= self.times.len() || self.interpolation == Interpolation::Step || step <= 0.0;
        (key, step, if is_held { 0.0 } else { ((time - self.time_of(key)) / step).clamp(0.0, 1.0) })
    }

    fn time_of(&self, key: usize) -> f64 {
        self.times.get(key).map_or(0.0, |time| f64::from(*time))
    }

    /// Returns the number of keys until a time.
    fn keys_until(&self, time: f64) -> usize {
        let count = self.times.len();
        // The distances of keys are usually equal.
        let (first, last) = (self.time_of(0), self.time_of(count.saturating_sub(1)));
        let guess = ((time - first) / (last - first) * (count.saturating_sub(1)) as f64 + 0.5) as usize;
        let fits = |after: &usize| {
            (1..count).contains(after) && self.time_of(after - 1) <= time && time < self.time_of(*after)
        };
        let search = || self.times.partition_point(|key| f64::from(*key) <= time);
        [guess, guess.saturating_add(1)].into_iter().find(fits).unwrap_or_else(search)
    }
}

impl Sampler {
    fn read(
        data: &Data,
        listed: &json::SamplerJson,
        width: usize,
        wanted: Wanted,
        about: &str,
    ) -> Result<Self, LoadError> {
        let keys = Keys::read(data, listed, about)?;
        let values = data.numbers(listed.output, wanted, about)?;
        keys.check(values.len() as u64, width, about)?;
        Ok(Self { keys, values, width })
    }

    fn row(&self, row: usize) -> &[f32] {
        self.values.get(row * self.width..(row + 1) * self.width).unwrap_or_default()
    }

    /// Returns the numbers at a time in seconds.
    fn at<const N: usize>(&self, time: f64) -> [f64; N] {
        let mut numbers = [0.0; N];
        for (row, share) in self.keys.shares(time) {
            numbers.iter_mut().zip(self.row(row)).for_each(|(sum, number)| *sum += f64::from(*number) * share);
        }
        numbers
    }

    fn vector(&self, time: f64) -> DVec3 {
        if self.keys.interpolation == Interpolation::Linear {
            let (key, _, t) = self.keys.place(time);
            let of_key =
                |key: usize| self.row(key).first_chunk().map_or(DVec3::ZERO, |key| Vec3::from(*key).as_dvec3());
            return if t > 0.0 { of_key(key).lerp(of_key(key + 1), t) } else { of_key(key) };
        }
        DVec3::from_array(self.at(time))
    }

    fn rotation(&self, time: f64) -> DQuat {
        if self.keys.interpolation == Interpolation::Linear {
            let (key, _, t) = self.keys.place(time);
            let of_key = |key: usize| {
                let numbers =
                    self.row(key).first_chunk().map_or([0.0, 0.0, 0.0, 1.0], |numbers| numbers.map(f64::from));
                unit(DQuat::from_array(numbers))
            };
            return if t > 0.0 { slerp(of_key(key), of_key(key + 1), t) } else { of_key(key) };
        }
        unit(DQuat::from_array(self.at(time)))
    }

    /// Returns whether a key differs from `rest`.
    fn differs(&self, rest: &[f64]) -> bool {
        let is_rest = |key: usize| {
            let own = self.row(self.keys.value_row(key)).iter().map(|number| f64::from(*number));
            own.zip(rest).all(|(own, rest)| (own - rest).abs() <= 1e-6 * rest.abs().max(1.0))
        };
        self.keys.is_cubic() || !(0..self.keys.times.len()).all(is_rest)
    }
}

fn slerp(from: DQuat, to: DQuat, t: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    unit(if from.dot(to) > 1.0 - NEAR { from.lerp(to, t) } else { from.slerp(to, t) })
}

impl Animation {
    /// Returns the nodes that move against their rest.
    pub fn moving<'a>(&'a self, locals: &'a [Local]) -> impl Iterator<Item = u32> + 'a {
        self.channels.iter().filter_map(|(node, channels)| {
            let rest = locals.get(*node as usize)?.divided();
            let differs =
                |sampler: &Option<Rc<Sampler>>, rest: &[f64]| sampler.as_ref().is_some_and(|own| own.differs(rest));
            let moves = differs(&channels.translation, &rest.translation.to_array())
                || differs(&channels.rotation, &rest.rotation.to_array())
                    && differs(&channels.rotation, &(-rest.rotation).to_array())
                || differs(&channels.scale, &rest.scale.to_array());
            moves.then_some(*node)
        })
    }

    /// Returns the nodes of the channels.
    pub fn nodes(&self) -> impl Iterator<Item = u32> + '_ {
        self.channels.keys().copied()
    }

    /// Returns whether the file states the frames of the animation, as an export does.
    pub fn states_frames(&self) -> bool {
        self.extras.frames_per_second.is_some() && self.extras.frame_count.is_some()
    }

    /// Returns whether the morph targets of a node move against `rest`.
    pub fn morphs(&self, node: u32, rest: &TargetWeights) -> bool {
        self.weights(node).is_some_and(|sampler| sampler.differs(rest))
    }

    /// Returns the transform of a node at a time in seconds.
    pub fn local(&self, node: u32, rest: &Local, time: f64) -> Local {
        let Some(channels) = self.channels.get(&node) else { return rest.clone() };
        if channels.translation.is_none() && channels.rotation.is_none() && channels.scale.is_none() {
            return rest.clone();
        }
        let mut local = rest.divided();
        if let Some(sampler) = &channels.translation {
            local.translation = sampler.vector(time);
        }
        if let Some(sampler) = &channels.rotation {
            local.rotation = sampler.rotation(time);
        }
        if let Some(sampler) = &channels.scale {
            local.scale = sampler.vector(time);
        }
        local
    }

    /// Returns the sampler of the weights of a node's morph targets; `None` if they stay at rest.
    pub fn weights(&self, node: u32) -> Option<&WeightSampler> {
        self.channels.get(&node)?.weights.as_deref()
    }
}
