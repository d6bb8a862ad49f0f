//! Joints of the Wolfenstein skeletons (MDS, MDX).
//!
//! Sources: iortcw `tr_animation.c` (`R_CalcBone`, `R_CalcBoneLerp`), ET: Legacy `tr_animation_mdm.c`. Rotations are
//! absolute and blended as angles, without quaternions. Positions add up from parent to child.

use std::f32::consts::PI;

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use crate::model::{BoneAngles, PackedAngles};

/// Steps of half a turn.
const HALF_TURN: f32 = 32768.0;
const RADIANS: f32 = PI / HALF_TURN;

/// Two frames of one track and the weight of the second.
#[derive(Clone, Copy)]
pub(super) struct AngleBlend<'a> {
    pub angles: &'a BoneAngles,
    pub from: usize,
    pub to: usize,
    pub t: f32,
}

/// Poses the joints. Bones with a torso weight use frames of `torso`, which may be of another track with as many bones.
/// The skeleton is that of `legs`. Matrices of tags are like those of other bones; see [`turn_tags`].
pub(super) fn sample_angles(legs: AngleBlend, torso: AngleBlend, joints: &mut Vec<Affine3A>) {
    let bones = &legs.angles.bones;
    let root = legs.root();
    joints.clear();
    joints.extend(bones.iter().enumerate().map(|(index, bone)| {
        let (angles, direction) = match bone.torso_weight {
            weight if weight <= 0.0 => legs.bone(index),
            weight if weight >= 1.0 => torso.bone(index),
            weight => {
                let ((legs, from), (torso, to)) = (legs.bone(index), torso.bone(index));
                let difference = (torso - legs).map(nearest_turn);
                (legs + difference * weight, from.lerp(to, weight).normalize_or_zero())
            }
        };
        let [forward, left, up] = rows(angles);
        let matrix3 = Mat3A::from_cols(forward, left, up).transpose();
        Affine3A { matrix3, translation: direction * bone.distance }
    }));
    for index in &legs.angles.order {
        let index = *index as usize;
        let parent = bones.get(index).and_then(|bone| bone.parent);
        let start = parent.map(|parent| joints.get(parent as usize).map_or(Vec3A::ZERO, |parent| parent.translation));
        if let Some(joint) = joints.get_mut(index) {
            joint.translation = start.map_or(root, |start| start + joint.translation);
        }
    }
}

/// Gives joints that are tags the axes of tags, unless vertices need their matrices unchanged.
pub(super) fn turn_tags(angles: &BoneAngles, joints: &mut [Affine3A]) {
    for (joint, _) in joints.iter_mut().zip(&angles.bones).filter(|(_, bone)| bone.is_tag && !bone.has_vertices) {
        joint.matrix3 = joint.matrix3.transpose();
    }
}

impl AngleBlend<'_> {
    fn root(&self) -> Vec3A {
        let root = |frame: usize| self.angles.roots.get(frame).copied().unwrap_or_default();
        Vec3A::from(if self.t > 0.0 { root(self.from).lerp(root(self.to), self.t) } else { root(self.from) })
    }

    /// Returns pitch, yaw and roll of a bone in steps, and the direction from its parent.
    fn bone(&self, bone: usize) -> (Vec3, Vec3A) {
        let count = self.angles.bones.len();
        let packed = |frame: usize| self.angles.angles.get(frame * count + bone).copied().unwrap_or_default();
        let from = packed(self.from);
        if self.t <= 0.0 {
            return (rotation(from), direction(from));
        }
        let to = packed(self.to);
        let [a, b] = [from, to].map(|[pitch, yaw, roll, ..]| [pitch, yaw, roll]);
        let step = |axis: usize| f32::from(b[axis].wrapping_sub(a[axis]));
        let steps = Vec3::new(step(0), step(1), step(2));
        (rotation(to) - steps * (1.0 - self.t), direction(from).lerp(direction(to), self.t).normalize_or_zero())
    }
}

fn rotation([pitch, yaw, roll, ..]: PackedAngles) -> Vec3 {
    Vec3::new(pitch.into(), yaw.into(), roll.into())
}

/// Returns the direction from the parent.
pub(crate) fn direction([.., pitch, yaw]: PackedAngles) -> Vec3A {
    let [(sin_pitch, cos_pitch), (sin_yaw, cos_yaw)] = [pitch, yaw].map(|angle| (f32::from(angle) * RADIANS).sin_cos());
    Vec3A::new(cos_pitch * cos_yaw, cos_pitch * sin_yaw, -sin_pitch)
}

/// Returns a difference of angles as at most half a turn.
fn nearest_turn(difference: f32) -> f32 {
    let turn = 2.0 * HALF_TURN;
    if difference.abs() > HALF_TURN { difference - turn * (difference / turn).round() } else { difference }
}

/// Returns forward, left and up of Quake's `AngleVectors`, the rows of a bone's matrix.
fn rows(angles: Vec3) -> [Vec3A; 3] {
    let [(sp, cp), (sy, cy), (sr, cr)] = (angles * RADIANS).to_array().map(f32::sin_cos);
    [
        Vec3A::new(cp * cy, cp * sy, -sp),
        Vec3A::new(sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp),
        Vec3A::new(cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp),
    ]
}
