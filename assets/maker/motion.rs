//! The figure's motions, each a pose for a phase that runs from 0 to 1 and meets itself at the ends; and what they share.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::profile::Profile;
use super::skeleton::{self, Pose, SCARF, Side, TAIL, place};
use super::{idle, run, wave};

/// A looping motion.
pub struct Motion {
    pub name: &'static str,
    /// Frames for the formats that store frames without a rate, which are played at 10 to 15 a second.
    pub frames: usize,
    /// Length in seconds, where a rate is stored.
    pub seconds: f64,
    pub pose: fn(f64) -> Pose,
}

/// All motions, in the order the files hold them.
pub const MOTIONS: [Motion; 3] = [
    Motion { name: "idle", frames: 24, seconds: 3.0, pose: idle::pose },
    Motion { name: "run", frames: 8, seconds: 2.0 / 3.0, pose: run::pose },
    Motion { name: "wave", frames: 20, seconds: 2.0, pose: wave::pose },
];

/// A sine over the phase: `cycles` of them, late by `lag` of the phase.
pub fn sway(phase: f64, cycles: f64, lag: f64) -> f64 {
    (TAU * cycles * (phase - lag)).sin()
}

/// A value through keys of phase and value, smooth and without overshoot, the last leading on to the first.
pub fn track(keys: &[(f64, f64)], phase: f64) -> f64 {
    let turns = [-1.0, 0.0, 1.0];
    let rows: Vec<(f64, [f64; 1])> =
        turns.iter().flat_map(|turn| keys.iter().map(move |(at, value)| (at + turn, [*value]))).collect();
    Profile::new(&rows).tight(phase.rem_euclid(1.0))[0]
}

/// 1 at `at`, 0 from half `width` away on: a blink, a twitch.
pub fn pulse(phase: f64, at: f64, width: f64) -> f64 {
    let distance = (phase - at + 0.5).rem_euclid(1.0) - 0.5;
    let t = (1.0 - 2.0 * distance.abs() / width).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Arms at the sides, elbows a little bent.
pub fn lower_arms(pose: &mut Pose, by: f64, elbow: f64) {
    for side in Side::BOTH {
        let [upper, fore, _] = side.arm();
        pose.turn(upper, -by * side.sign(), 0.0, 0.0);
        bend_elbow(pose, side, elbow);
        pose.turn_about(fore, arm_direction(side), -18.0 * side.sign());
    }
}

/// Bends an elbow forward, in degrees.
pub fn bend_elbow(pose: &mut Pose, side: Side, degrees: f64) {
    let axis = arm_direction(side).cross(DVec3::X);
    pose.turn_about(side.arm()[1], axis, degrees);
}

/// The way an arm points in the bind pose.
pub fn arm_direction(side: Side) -> DVec3 {
    let [_, fore, hand] = side.arm();
    (place(hand) - place(fore)).normalize()
}

/// Puts both feet where they stand in the bind pose, toes turned out a little.
pub fn stand(pose: &mut Pose, lift: f64) {
    for side in Side::BOTH {
        let out = DQuat::from_rotation_z((9.0 * side.sign()).to_radians());
        let ankle = place(side.leg()[2]) + DVec3::new(0.0, 0.35 * side.sign(), lift);
        pose.plant(side, ankle, out);
    }
}

/// Turns the tail's joints: `turn` gives pitch and yaw in degrees for a joint counted from the root as 0 to 3.
pub fn swing_tail(pose: &mut Pose, turn: impl Fn(f64) -> (f64, f64)) {
    for (index, &joint) in TAIL.iter().enumerate() {
        let (pitch, yaw) = turn(index as f64);
        pose.turn(joint, 0.0, pitch, yaw);
    }
}

/// Turns the scarf's ends in the same way, joints 0 to 2.
pub fn swing_scarf(pose: &mut Pose, turn: impl Fn(f64) -> (f64, f64)) {
    for (index, &joint) in SCARF.iter().enumerate() {
        let (pitch, yaw) = turn(index as f64);
        pose.turn(joint, 0.0, pitch, yaw);
    }
}

/// Turns the head and lets the neck take a third of it. `roll` tilts towards the right shoulder.
pub fn look(pose: &mut Pose, roll: f64, pitch: f64, yaw: f64) {
    pose.turn(skeleton::NECK, roll * 0.3, pitch * 0.3, yaw * 0.3);
    pose.turn(skeleton::HEAD, roll * 0.7, pitch * 0.7, yaw * 0.7);
}

/// Closes the eyes: 0 open, 1 shut. They sink in a little, or the lids would stand out like balls.
pub fn blink(pose: &mut Pose, closed: f64) {
    for side in Side::BOTH {
        pose.turn_about(side.lid(), skeleton::lid_hinge(side), 72.0 * closed);
        pose.shifts[side.lid()].x = -0.3 * closed;
    }
    pose.shifts[skeleton::EYES].x = -0.8 * closed;
}
