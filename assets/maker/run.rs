//! Run: two steps, with a moment in the air after each; arms pump, ears lie back, tail and scarf stream behind.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use super::motion::{arm_direction, bend_elbow, look, sway, swing_scarf, swing_tail, track};
use super::skeleton::{CHEST, HIPS, Pose, SPINE, Side, place};

pub fn pose(phase: f64) -> Pose {
    let mut pose = Pose::bind();
    // +1 when the left foot is ahead, −1 when the right one is.
    let stride = (TAU * phase).cos();
    // Highest in the air, shortly before each foot comes down.
    let bounce = (TAU * 2.0 * (phase - 0.45)).cos();

    pose.shifts[HIPS].z = -0.55 + 1.15 * bounce;
    pose.shifts[HIPS].x = 0.8;
    pose.turn(HIPS, 3.0 * sway(phase, 1.0, 0.02), 11.0, -10.0 * stride);
    pose.turn(SPINE, -2.0 * sway(phase, 1.0, 0.02), 5.0, 9.0 * stride);
    pose.turn(CHEST, 0.0, 4.0 - 2.5 * (TAU * 2.0 * (phase - 0.52)).cos(), 13.0 * stride);
    for side in Side::BOTH {
        let own = if side == Side::Left { phase } else { phase + 0.5 };
        step(&mut pose, side, own);
        swing_arm(&mut pose, side, own);
        let flap = (TAU * 2.0 * (phase - 0.55)).cos();
        pose.turn(side.ear(), 7.0 * side.sign(), -26.0 + 8.0 * flap, 0.0);
    }
    look(&mut pose, 1.5 * stride, -17.0 + 3.0 * (TAU * 2.0 * (phase - 0.58)).cos(), -10.0 * stride);
    swing_tail(&mut pose, |joint| {
        let lag = 0.09 * joint;
        let lift = [20.0, 8.0, -14.0, -16.0][joint as usize];
        (lift + 8.0 * sway(phase, 2.0, 0.12 + lag), (7.0 + 3.0 * joint) * sway(phase, 1.0, 0.1 + 1.3 * lag))
    });
    swing_scarf(&mut pose, |joint| {
        let lift = [34.0, 18.0, 6.0][joint as usize];
        (
            lift + (6.0 + 5.0 * joint) * sway(phase, 2.0, 0.1 + 0.12 * joint),
            (4.0 + 4.0 * joint) * sway(phase, 1.0, 0.2 + 0.13 * joint),
        )
    });
    pose
}

/// One leg. Its foot comes down ahead at phase 0 and leaves the ground at 0.38.
fn step(pose: &mut Pose, side: Side, phase: f64) {
    let ahead =
        track(&[(0.0, 6.2), (0.19, 0.0), (0.38, -6.4), (0.50, -8.2), (0.66, -3.6), (0.80, 3.4), (0.92, 7.2)], phase);
    let lift = track(
        &[(0.0, 0.2), (0.06, 0.0), (0.24, 0.0), (0.38, 1.3), (0.54, 6.2), (0.66, 6.6), (0.80, 4.2), (0.93, 1.5)],
        phase,
    );
    // Positive points the toes down.
    let toes = track(
        &[(0.0, -16.0), (0.08, 0.0), (0.22, 2.0), (0.38, 38.0), (0.52, 72.0), (0.68, 46.0), (0.84, 4.0), (0.95, -18.0)],
        phase,
    );
    let rest = place(side.leg()[2]);
    let ankle = DVec3::new(rest.x + ahead, rest.y - 0.7 * side.sign(), rest.z + lift);
    pose.plant(side, ankle, DQuat::from_rotation_y(toes.to_radians()));
}

/// One arm, against its leg: back when that is ahead.
fn swing_arm(pose: &mut Pose, side: Side, phase: f64) {
    let swing = (TAU * (phase - 0.03)).cos();
    let [upper, fore, _] = side.arm();
    pose.turn(upper, -24.0 * side.sign(), 0.0, 0.0);
    pose.turn(upper, 0.0, 8.0 + 44.0 * swing, 0.0);
    bend_elbow(pose, side, 66.0 - 18.0 * swing);
    pose.turn_about(fore, arm_direction(side), -14.0 * side.sign());
}
