//! Animations: samplers, and the transforms of nodes at a time.

use std::rc::Rc;

use foldhash::{HashMap, HashMapExt as _};
use glam::{DQuat, DVec3, Vec3};

use super::accessor::{Data, SCALARS, VEC3, VEC4, Wanted};
use super::broken;
use super::json;
use super::scene::{Local, unit};
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

/// Keys of a property.
pub(super) struct Sampler {
    times: Rc<Vec<f32>>,
    /// Numbers of each key; for cubic splines the incoming tangent, the value and the outgoing tangent.
    values: Vec<f32>,
    width: usize,
    interpolation: Interpolation,
}

/// Samplers of the properties of a node.
#[derive(Default)]
struct Channels {
    translation: Option<Rc<Sampler>>,
    rotation: Option<Rc<Sampler>>,
    scale: Option<Rc<Sampler>>,
    weights: Option<Rc<Sampler>>,
}

/// Animation with the samplers of all nodes.
pub(super) struct Animation {
    pub name: String,
    pub extras: json::Extras,
    channels: HashMap<u32, Channels>,
    /// Time of the first key in seconds.
    pub start: f64,
    /// Time of the last key in seconds.
    pub end: f64,
}

/// Reads the animations that move anything.
pub(super) fn read(data: &Data) -> Result<Vec<Animation>, LoadError> {
    let mut animations = Vec::new();
    for (index, animation) in data.document.animations.iter().enumerate() {
        let about = format!("animation {index}");
        let name = if animation.name.is_empty() { about.clone() } else { animation.name.clone() };
        let mut channels: HashMap<u32, Channels> = HashMap::new();
        let mut samplers: HashMap<(u32, usize), Rc<Sampler>> = HashMap::new();
        let (mut start, mut end) = (f64::INFINITY, f64::NEG_INFINITY);
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
            let width = match path {
                Path::Translation | Path::Scale => 3,
                Path::Rotation => 4,
                Path::Weights => targets(data, own),
            };
            if width == 0 {
                continue;
            }
            let known = samplers.get(&(channel.sampler, width)).cloned();
            let sampler = match known {
                Some(sampler) => sampler,
                None => {
                    let listed = animation.samplers.get(channel.sampler as usize);
                    let missing = || broken(&about, format!("sampler {} does not exist", channel.sampler));
                    let listed = listed.ok_or_else(missing)?;
                    let sampler = Rc::new(Sampler::read(data, listed, path, width, &about)?);
                    samplers.insert((channel.sampler, width), Rc::clone(&sampler));
                    sampler
                }
            };
            let times = sampler.times.iter().map(|time| f64::from(*time));
            (start, end) = times.fold((start, end), |(start, end), time| (start.min(time), end.max(time)));
            if !sampler.times.is_empty() {
                let channels = channels.entry(node).or_default();
                let channel = match path {
                    Path::Translation => &mut channels.translation,
                    Path::Rotation => &mut channels.rotation,
                    Path::Scale => &mut channels.scale,
                    Path::Weights => &mut channels.weights,
                };
                *channel = Some(sampler);
            }
        }
        if channels.is_empty() {
            data.warn(WarningKind::LeftOut, about, format!("“{name}” moves nothing that is read; skipped"));
            continue;
        }
        animations.push(Animation { name, extras: animation.extras.clone(), channels, start, end });
    }
    Ok(animations)
}

/// Returns the number of morph targets of a node's mesh.
fn targets(data: &Data, node: &json::Node) -> usize {
    let mesh = node.mesh.and_then(|mesh| data.document.meshes.get(mesh as usize));
    mesh.map_or(0, |mesh| mesh.primitives.iter().map(|primitive| primitive.targets.len()).max().unwrap_or(0))
}

impl Sampler {
    fn read(data: &Data, listed: &json::SamplerJson, path: Path, width: usize, about: &str) -> Result<Self, LoadError> {
        let interpolation = match listed.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::Cubic,
            Some(other) => return Err(broken(about, format!("the interpolation “{other}” does not exist"))),
        };
        let wanted: Wanted = match path {
            Path::Translation | Path::Scale => VEC3,
            Path::Rotation => VEC4,
            Path::Weights => SCALARS,
        };
        let times = data.times(listed.input, about)?;
        let values = data.numbers(listed.output, wanted, about)?;
        let each = width * if interpolation == Interpolation::Cubic { 3 } else { 1 };
        if times.len().checked_mul(each).is_none_or(|needed| needed > values.len()) {
            let why = format!("{} keys need {each} numbers each, but there are {}", times.len(), values.len());
            return Err(broken(about, why));
        }
        Ok(Self { times, values, width, interpolation })
    }

    /// Returns the numbers of a key: 0 the incoming tangent of a cubic spline, 1 the value, 2 the outgoing tangent.
    fn key(&self, key: usize, part: usize) -> &[f32] {
        let row = if self.interpolation == Interpolation::Cubic { key * 3 + part } else { key };
        self.values.get(row * self.width..(row + 1) * self.width).unwrap_or_default()
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

    /// Writes the numbers at a time in seconds into `numbers`.
    fn at(&self, time: f64, numbers: &mut Vec<f64>) {
        numbers.clear();
        let (key, step, t) = self.place(time);
        let value = |key| self.key(key, 1).iter().map(|number| f64::from(*number));
        if t <= 0.0 {
            numbers.extend(value(key));
        } else if self.interpolation == Interpolation::Cubic {
            // Spec, appendix C.5.
            let (square, cube) = (t * t, t * t * t);
            let shares = [
                2.0 * cube - 3.0 * square + 1.0,
                step * (cube - 2.0 * square + t),
                -2.0 * cube + 3.0 * square,
                step * (cube - square),
            ];
            let parts = [self.key(key, 1), self.key(key, 2), self.key(key + 1, 1), self.key(key + 1, 0)];
            numbers.extend((0..self.width).map(|index| {
                let terms = parts.iter().zip(shares);
                terms.map(|(part, share)| part.get(index).map_or(0.0, |number| f64::from(*number)) * share).sum::<f64>()
            }));
        } else {
            numbers.extend(value(key).zip(value(key + 1)).map(|(a, b)| a + (b - a) * t));
        }
    }

    fn vector(&self, time: f64, numbers: &mut Vec<f64>) -> DVec3 {
        if self.interpolation == Interpolation::Linear {
            let (key, _, t) = self.place(time);
            let of_key =
                |key: usize| self.key(key, 1).first_chunk().map_or(DVec3::ZERO, |key| Vec3::from(*key).as_dvec3());
            return if t > 0.0 { of_key(key).lerp(of_key(key + 1), t) } else { of_key(key) };
        }
        self.at(time, numbers);
        numbers.first_chunk().map_or(DVec3::ZERO, |numbers| DVec3::from_array(*numbers))
    }

    fn rotation(&self, time: f64, numbers: &mut Vec<f64>) -> DQuat {
        if self.interpolation == Interpolation::Linear {
            let (key, _, t) = self.place(time);
            let of_key = |key: usize| {
                let numbers =
                    self.key(key, 1).first_chunk().map_or([0.0, 0.0, 0.0, 1.0], |numbers| numbers.map(f64::from));
                unit(DQuat::from_array(numbers))
            };
            return if t > 0.0 { slerp(of_key(key), of_key(key + 1), t) } else { of_key(key) };
        }
        self.at(time, numbers);
        numbers.first_chunk().map_or(DQuat::IDENTITY, |numbers| unit(DQuat::from_array(*numbers)))
    }

    /// Returns whether a key differs from `rest`.
    fn differs(&self, rest: &[f64]) -> bool {
        let is_rest = |key: usize| {
            let own = self.key(key, 1).iter().map(|number| f64::from(*number));
            own.zip(rest).all(|(own, rest)| (own - rest).abs() <= 1e-6 * rest.abs().max(1.0))
        };
        self.interpolation == Interpolation::Cubic || !(0..self.times.len()).all(is_rest)
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

    /// Returns the nodes whose morph targets move.
    pub fn morphing(&self) -> impl Iterator<Item = u32> + '_ {
        self.channels.iter().filter(|(_, channels)| channels.weights.is_some()).map(|(node, _)| *node)
    }

    /// Returns the transform of a node at a time in seconds. `numbers` is reused.
    pub fn local(&self, node: u32, rest: Local, time: f64, numbers: &mut Vec<f64>) -> Local {
        let Some(channels) = self.channels.get(&node) else { return rest };
        if channels.translation.is_none() && channels.rotation.is_none() && channels.scale.is_none() {
            return rest;
        }
        let mut local = rest.divided();
        if let Some(sampler) = &channels.translation {
            local.translation = sampler.vector(time, numbers);
        }
        if let Some(sampler) = &channels.rotation {
            local.rotation = sampler.rotation(time, numbers);
        }
        if let Some(sampler) = &channels.scale {
            local.scale = sampler.vector(time, numbers);
        }
        local
    }

    /// Returns the weights of a node's morph targets at a time in seconds; `None` if they stay at rest.
    pub fn weights(&self, node: u32, time: f64, numbers: &mut Vec<f64>) -> Option<()> {
        self.channels.get(&node)?.weights.as_ref().map(|sampler| sampler.at(time, numbers))
    }
}
