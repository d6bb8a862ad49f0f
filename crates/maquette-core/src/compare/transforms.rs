//! Comparison of tags and joints, frame by frame.

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::frames::{FramePair, frame_position};
use super::matching::Matching;
use super::precision::{ComparePrecision, is_further};
use super::report::{BindChange, JointChange, ModelSide, Pair, TagChange, TransformDelta};
use crate::model::{Joint, Model, Motion, TagStorage, TagTrack};
use crate::pose::Pose;

pub(super) fn angle(a: Vec3, b: Vec3) -> f32 {
    if a == b { 0.0 } else { a.cross(b).length().atan2(a.dot(b)).to_degrees() }
}

fn turn(a: Mat3A, b: Mat3A) -> f32 {
    let axes = |matrix: Mat3A| [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(Vec3::from);
    axes(a).into_iter().zip(axes(b)).map(|(a, b)| angle(a, b)).fold(0.0, f32::max)
}

#[derive(Clone, Copy, Default)]
struct TransformMoves {
    frames: usize,
    /// Frame, distance in units, angle in degrees.
    furthest: Option<(u32, f32, f32)>,
}

impl TransformMoves {
    fn add(&mut self, frame: u32, distance: f32, degrees: f32, tolerance: (f32, f32)) -> bool {
        if distance <= tolerance.0 && degrees <= tolerance.1 {
            return false;
        }
        self.frames += 1;
        let is_worse = self.furthest.is_none_or(|(_, furthest, turned)| {
            is_further(distance, furthest) || !is_further(furthest, distance) && is_further(degrees, turned)
        });
        if is_worse {
            self.furthest = Some((frame, distance, degrees));
        }
        true
    }

    fn furthest(&self, model: &Model) -> Option<TransformDelta> {
        let (frame, distance, degrees) = self.furthest?;
        Some(TransformDelta { frame: frame_position(model, frame), distance, degrees })
    }
}

fn offset(a: &Affine3A, b: &Affine3A) -> (f32, f32) {
    let distance = if a.translation == b.translation { 0.0 } else { a.translation.distance(b.translation) };
    (distance, turn(a.matrix3, b.matrix3))
}

pub(super) struct TagsInMotion<'a> {
    matching: Matching,
    moves: Vec<TransformMoves>,
    scaled: Vec<usize>,
    stored: Option<[(&'a TagTrack, usize); 2]>,
    tolerance: (f32, f32),
}

impl<'a> TagsInMotion<'a> {
    pub(super) fn new(
        a: &'a Model,
        b: &'a Model,
        resolution: &ComparePrecision,
        notes: &mut Vec<String>,
    ) -> (Vec<TagChange>, Self) {
        let has_added_tags = |model: &Model| model.tags().len() > model.own_tag_count();
        if has_added_tags(a) != has_added_tags(b) {
            let name = if has_added_tags(a) { "A" } else { "B" };
            notes.push(format!("tags of companion files: only {name} has a companion file with tags"));
        }
        let names = |model: &'a Model| {
            let count = if has_added_tags(a) && has_added_tags(b) { model.tags().len() } else { model.own_tag_count() };
            model.tags().get(..count).unwrap_or_default()
        };
        let (mut of_a, mut of_b) = (names(a), names(b));
        if a.format() != b.format() {
            for (model, own, other, others) in [(a, of_a, "B", of_b), (b, of_b, "A", of_a)] {
                let has_none = model.format().traits().tags == TagStorage::None && own.is_empty();
                if has_none && !others.is_empty() {
                    notes.push(format!("tags of {other} not compared: {} has no tags", model.format().title()));
                    (of_a, of_b) = (&[], &[]);
                }
            }
        }
        let matching = Matching::by_name(of_a.iter().map(String::as_str), of_b.iter().map(String::as_str));
        let only = |name: &String, index, which| TagChange {
            name: name.clone(),
            index,
            only: Some(which),
            ..TagChange::default()
        };
        let mut alone: Vec<TagChange> = Vec::new();
        alone.extend(matching.only_a.iter().map(|index| only(&of_a[*index], *index, ModelSide::A)));
        alone.extend(matching.only_b.iter().map(|index| only(&of_b[*index], *index, ModelSide::B)));
        let axes = |model: &'a Model| match model.motion() {
            Motion::Morph(motion) if matches!(motion.tags, TagTrack::Axes(_)) => {
                Some((&motion.tags, model.tags().len()))
            }
            _ => None,
        };
        let own = Self {
            moves: vec![TransformMoves::default(); matching.pairs.len()],
            scaled: vec![0; matching.pairs.len()],
            matching,
            stored: axes(a).zip(axes(b)).map(|(a, b)| [a, b]),
            tolerance: (resolution.distance, resolution.degrees),
        };
        (alone, own)
    }

    pub(super) fn add(&mut self, frames: &FramePair, a: &Pose, b: &Pose) {
        for ((pair, moves), scaled) in self.matching.pairs.iter().zip(&mut self.moves).zip(&mut self.scaled) {
            let (Some(own), Some(other)) = (a.tags.get(pair.0), b.tags.get(pair.1)) else { continue };
            let (distance, degrees) = offset(own, other);
            if moves.add(frames.a, distance, degrees, self.tolerance) {
                continue;
            }
            // Posed tags have axes of unit length.
            if let Some([of_a, of_b]) = self.stored {
                let axes = |(tags, count): (&TagTrack, usize), frame: u32, tag: usize| match tags {
                    TagTrack::Axes(tags) => tags.get(frame as usize * count + tag).map(|tag| tag.axes),
                    TagTrack::Angles(_) => None,
                };
                let (one, other) = (axes(of_a, frames.a, pair.0), axes(of_b, frames.b, pair.1));
                *scaled += usize::from(one.zip(other).is_some_and(|(one, other)| !are_same(&one, &other)));
            }
        }
    }

    pub(super) fn finish(&self, model: &Model) -> Vec<TagChange> {
        let orders = self.matching.orders();
        let all = self.matching.pairs.iter().zip(&self.moves).zip(&self.scaled).zip(orders);
        let changes = all.map(|((((index, _), moves), scaled), order)| TagChange {
            name: model.tags().get(*index).cloned().unwrap_or_default(),
            index: *index,
            only: None,
            order,
            frames: moves.frames,
            furthest: moves.furthest(model),
            scaled: (*scaled > 0).then_some(*scaled),
        });
        changes.filter(|tag| tag.order.is_some() || tag.frames > 0 || tag.scaled.is_some()).collect()
    }
}

fn are_same(one: &[Vec3; 3], other: &[Vec3; 3]) -> bool {
    let numbers = |axes: &[Vec3; 3]| axes.map(|axis| axis.to_array()).concat();
    numbers(one).iter().zip(numbers(other)).all(|(a, b)| *a == b || a.is_nan() && b.is_nan())
}

pub(super) struct JointsInMotion<'a> {
    matching: Matching,
    joints: [&'a [Joint]; 2],
    is_same_format: bool,
    moves: Vec<TransformMoves>,
    tolerance: (f32, f32),
}

/// Rounding error of a transform relative to its parent: as a fraction of the lengths, and in degrees.
const NOISE: (f32, f32) = (1e-5, 1e-3);

impl<'a> JointsInMotion<'a> {
    pub(super) fn new(
        a: &'a Model,
        b: &'a Model,
        resolution: &ComparePrecision,
        notes: &mut Vec<String>,
    ) -> (Vec<JointChange>, Self) {
        let (mut of_a, mut of_b) = (a.joints(), b.joints());
        let is_same_format = a.format() == b.format();
        if !is_same_format && (!of_a.is_empty() || !of_b.is_empty()) {
            // MDR bones have neither names nor parents.
            notes.push("joints: only models of the same format can be compared".to_owned());
            (of_a, of_b) = (&[], &[]);
        }
        let names = |joints: &'a [Joint]| joints.iter().map(|joint| joint.name.as_str());
        let mut matching = Matching::by_name(names(of_a), names(of_b));
        // In skeletons with equally many joints, joints of equal index are renamed ones.
        matching.match_rest(|one, other| one == other && of_a.len() == of_b.len());
        let only = |joints: &[Joint], index: usize, which| JointChange {
            name: joints[index].name.clone(),
            index,
            only: Some(which),
            ..JointChange::default()
        };
        let mut alone: Vec<JointChange> = Vec::new();
        alone.extend(matching.only_a.iter().map(|index| only(of_a, *index, ModelSide::A)));
        alone.extend(matching.only_b.iter().map(|index| only(of_b, *index, ModelSide::B)));
        let own = Self {
            moves: vec![TransformMoves::default(); matching.pairs.len()],
            matching,
            joints: [of_a, of_b],
            is_same_format,
            tolerance: (resolution.distance, resolution.degrees),
        };
        (alone, own)
    }

    pub(super) fn add(&mut self, frames: &FramePair, a: &Pose, b: &Pose) {
        if frames.is_bind {
            return;
        }
        for ((own, other), moves) in self.matching.pairs.iter().zip(&mut self.moves) {
            let (Some(transform_a), Some(transform_b)) = (a.joints.get(*own), b.joints.get(*other)) else { continue };
            let parent = |side: usize, joint: usize, pose: &Pose| {
                let parent = self.joints[side].get(joint).and_then(|joint| joint.parent);
                parent.and_then(|parent| pose.joints.get(parent as usize).copied())
            };
            let (parent_a, parent_b) = (parent(0, *own, a), parent(1, *other, b));
            if transform_a == transform_b && parent_a == parent_b {
                continue;
            }
            // Compare relative to the parent, so that inherited motion does not count.
            let ((distance, degrees), tolerance) = match parent_a.zip(parent_b) {
                Some((parent_a, parent_b)) => {
                    let (local_a, local_b) = (parent_a.inverse() * *transform_a, parent_b.inverse() * *transform_b);
                    let lengths =
                        [transform_a, transform_b, &local_a, &local_b].map(|transform| transform.translation.length());
                    let length = lengths.into_iter().fold(1.0, f32::max);
                    let tolerance = (self.tolerance.0.max(NOISE.0 * length), self.tolerance.1.max(NOISE.1));
                    (offset(&local_a, &local_b), tolerance)
                }
                None => (offset(transform_a, transform_b), self.tolerance),
            };
            moves.add(frames.a, distance, degrees, tolerance);
        }
    }

    pub(super) fn finish(&self, model: &Model) -> Vec<JointChange> {
        let orders = self.matching.orders();
        let all = self.matching.pairs.iter().zip(&self.moves).zip(orders);
        let changes = all.filter_map(|(((own, other), moves), order)| {
            let (a, b) = (self.joints[0].get(*own)?, self.joints[1].get(*other)?);
            Some(JointChange {
                name: a.name.clone(),
                index: *own,
                only: None,
                renamed: (a.name != b.name).then(|| b.name.clone()),
                order,
                parent: Pair::if_different(self.parent_name(0, a), self.parent_name(1, b)),
                bind: self.bind(a, b),
                frames: moves.frames,
                furthest: moves.furthest(model),
            })
        });
        let differs = |joint: &JointChange| {
            joint.renamed.is_some()
                || joint.order.is_some()
                || joint.parent.is_some()
                || joint.bind.is_some()
                || joint.frames > 0
        };
        changes.filter(differs).collect()
    }

    fn parent_name(&self, side: usize, joint: &Joint) -> Option<String> {
        let parent = joint.parent.and_then(|parent| self.joints[side].get(parent as usize));
        parent.map(|parent| parent.name.clone())
    }

    fn bind(&self, a: &Joint, b: &Joint) -> Option<BindChange> {
        if !self.is_same_format || a.bind == b.bind {
            return None;
        }
        let axes = |rotation: Quat| Mat3A::from_quat(rotation);
        let distance = a.bind.translation.distance(b.bind.translation);
        let degrees = turn(axes(a.bind.rotation), axes(b.bind.rotation));
        (distance > self.tolerance.0 || degrees > self.tolerance.1).then_some(BindChange { distance, degrees })
    }
}
