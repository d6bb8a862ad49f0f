//! Wave: down, a small hop up with the left arm, three waves with a tilted head and shut eyes, and back.

use super::motion::{arm_direction, blink, look, lower_arms, stand, sway, swing_scarf, swing_tail, track};
use super::profile::smooth_step;
use super::skeleton::{CHEST, HIPS, NECK, Pose, SPINE, Side};

pub fn pose(phase: f64) -> Pose {
    let mut pose = Pose::bind();
    let hips = |phase| {
        track(
            &[
                (0.0, -0.45),
                (0.10, -2.3),
                (0.20, 2.9),
                (0.30, -1.7),
                (0.40, -0.2),
                (0.5, -0.5),
                (0.76, -0.4),
                (0.86, -0.9),
            ],
            phase,
        )
    };
    let lift = track(&[(0.0, 0.0), (0.14, 0.0), (0.21, 3.0), (0.28, 0.0), (0.5, 0.0)], phase);
    // Height of the arm, and amplitude of the wave.
    let raised =
        track(&[(0.0, 0.0), (0.10, -0.10), (0.22, 1.06), (0.30, 0.97), (0.74, 1.0), (0.80, 1.02), (0.93, 0.0)], phase);
    let waving = smooth_step(0.26, 0.34, phase) * smooth_step(0.80, 0.72, phase);
    let beat = sway(phase, 5.0, 0.28);

    pose.shifts[HIPS].z = hips(phase);
    pose.shifts[HIPS].y = -0.6 * raised;
    let crouch = track(&[(0.0, 0.0), (0.10, 9.0), (0.20, -6.0), (0.30, 5.0), (0.42, -1.0), (0.8, 0.0)], phase);
    pose.turn(HIPS, 2.0 * raised, crouch, 0.0);
    pose.turn(SPINE, 3.5 * raised + 1.5 * waving * beat, 0.5 * crouch - 2.0 * raised, 3.0 * raised);
    pose.turn(CHEST, 3.5 * raised, -2.0 * raised, 5.0 * raised);
    stand(&mut pose, lift);

    lower_arms(&mut pose, 20.0, 16.0);
    raise_arm(&mut pose, raised, waving * beat);
    let [right, fore, _] = Side::Right.arm();
    pose.turn(right, -5.0 * raised - 0.7 * crouch.abs(), 1.2 * crouch, 0.0);
    pose.turn(fore, 0.0, -1.2 * crouch.max(0.0), 0.0);

    look(&mut pose, 9.0 * raised + 2.0 * waving * beat, -0.7 * crouch - 4.0 * raised, 6.0 + 10.0 * raised);
    pose.turn(NECK, 0.0, -0.3 * crouch, 0.0);
    let happy = [(0.05, 0.0), (0.10, 1.0), (0.15, 0.0), (0.35, 0.0), (0.40, 1.0), (0.60, 1.0), (0.65, 0.0)];
    let happy = track(&happy, phase);
    blink(&mut pose, happy);

    // Loose parts follow the hop with a delay.
    let drag = |lag: f64| hips(phase - lag) - hips(phase);
    for side in Side::BOTH {
        let perk = 5.0 * raised;
        pose.turn(side.ear(), -perk * side.sign(), 4.5 * drag(0.03) + 0.5 * perk, 0.0);
    }
    swing_tail(&mut pose, |joint| {
        let wag = track(&[(0.0, 0.25), (0.2, 0.5), (0.34, 1.0), (0.74, 1.0), (0.9, 0.4)], phase);
        let lag = 0.03 * joint;
        (2.6 * drag(0.03 + lag) + 3.0 * raised, 6.0 + (9.0 + 3.0 * joint) * wag * sway(phase, 5.0, 0.02 + lag))
    });
    swing_scarf(&mut pose, |joint| {
        let lag = 0.03 * joint;
        (-5.0 * drag(0.03 + lag), 3.0 * sway(phase, 2.0, 0.1 + lag))
    });
    pose
}

/// The left arm: out and up, palm to the front, waving from the elbow.
fn raise_arm(pose: &mut Pose, raised: f64, beat: f64) {
    let side = Side::Left;
    let [upper, fore, hand] = side.arm();
    let along = arm_direction(side);
    pose.turn_about(fore, along, -40.0 * raised);
    pose.turn_about(hand, along, -45.0 * raised);
    pose.turn(hand, -16.0 * beat, 0.0, 0.0);
    pose.turn(fore, 38.0 * raised + 20.0 * beat, 0.0, 0.0);
    pose.turn(upper, 80.0 * raised + 4.0 * beat, -12.0 * raised, 0.0);
}
