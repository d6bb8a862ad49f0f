//! Idle: breathing, weight from foot to foot, a look around, a flick of an ear.

use super::motion::{blink, look, lower_arms, pulse, stand, sway, swing_scarf, swing_tail, track};
use super::skeleton::{CHEST, HIPS, Pose, SPINE, Side};

pub fn pose(phase: f64) -> Pose {
    let mut pose = Pose::bind();
    let breath = sway(phase, 1.0, 0.1);
    let weight = sway(phase, 1.0, 0.35);

    pose.shifts[HIPS].y = 0.55 * weight;
    pose.shifts[HIPS].z = -0.45 + 0.12 * breath;
    pose.turn(HIPS, -1.6 * weight, 0.0, 2.0 * weight);
    pose.turn(SPINE, 2.0 * weight, -0.6 * breath, -weight);
    pose.turn(CHEST, 0.6 * weight, -1.6 * breath, 2.0);
    pose.shifts[CHEST].z = 0.12 * breath;
    stand(&mut pose, 0.0);

    lower_arms(&mut pose, 20.0, 16.0);
    for side in Side::BOTH {
        let [upper, fore, hand] = side.arm();
        let late = sway(phase, 1.0, 0.18);
        pose.turn(upper, (1.6 * late - 0.6 * weight * side.sign()) * side.sign(), 1.5 * late, 0.0);
        pose.turn(fore, 0.0, -2.0 * late, 0.0);
        pose.turn(hand, -6.0 * side.sign(), 0.0, 0.0);
    }

    let yaw = |phase| {
        track(&[(0.0, 9.0), (0.16, 9.0), (0.28, 27.0), (0.46, 24.0), (0.60, -17.0), (0.80, -15.0), (0.94, 8.0)], phase)
    };
    let tilt = track(&[(0.0, 2.5), (0.16, 2.5), (0.30, -5.0), (0.46, -3.0), (0.62, 5.0), (0.80, 4.0)], phase);
    look(&mut pose, tilt, -1.0 + 0.9 * breath + 5.0 * pulse(phase, 0.53, 0.16), yaw(phase));
    // Shut at whole frames of the coarse frame rate, open at their neighbours: eyes half shut look cross.
    let closed = [5.0, 13.0, 21.0].map(|frame| pulse(phase, frame / 24.0, 2.0 / 24.0));
    blink(&mut pose, closed.into_iter().fold(0.0, f64::max));

    // Ears trail the head's turns, and each flicks once.
    let trail = yaw(phase - 0.035) - yaw(phase);
    let flicks = [(Side::Left, 0.40), (Side::Right, 0.72)];
    for (side, at) in flicks {
        let flick = pulse(phase, at, 0.08) - 0.5 * pulse(phase, at + 0.055, 0.08);
        pose.turn(
            side.ear(),
            0.25 * trail - 20.0 * flick * side.sign(),
            -9.0 * flick,
            0.5 * trail + 16.0 * flick * side.sign(),
        );
    }
    swing_tail(&mut pose, |joint| {
        let lag = 0.08 * joint;
        (1.5 * sway(phase, 2.0, lag) - 1.0, 6.0 + (5.0 + 2.0 * joint) * sway(phase, 1.0, 0.2 + lag))
    });
    swing_scarf(&mut pose, |joint| {
        (2.5 * sway(phase, 2.0, 0.1 + 0.09 * joint), 3.0 * sway(phase, 1.0, 0.45 + 0.08 * joint))
    });
    pose
}
