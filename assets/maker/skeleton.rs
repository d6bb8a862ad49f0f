//! The figure's joints, where they are in the bind pose, and how a pose of local turns becomes matrices.
//!
//! All joints but the grip have model-space axes in the bind pose: a turn about Y is a nod whatever the joint, and MDR's
//! rule that a normal turns with the bone's matrix alone holds exactly. Heights here are above the floor.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::model::Joint;

/// Half of the body; left is +Y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// +1 for left, −1 for right.
    pub fn sign(self) -> f64 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }

    /// Of a joint's two indices, this side's.
    fn pick(self, left: usize, right: usize) -> usize {
        if self == Self::Left { left } else { right }
    }

    pub fn ear(self) -> usize {
        self.pick(EAR_L, EAR_R)
    }

    pub fn lid(self) -> usize {
        self.pick(LID_L, LID_R)
    }

    /// Upper arm, forearm, hand.
    pub fn arm(self) -> [usize; 3] {
        [0, 1, 2].map(|bone| self.pick(ARM_L, ARM_R) + bone)
    }

    /// Thigh, shin, foot.
    pub fn leg(self) -> [usize; 3] {
        [0, 1, 2].map(|bone| self.pick(LEG_L, LEG_R) + bone)
    }
}

// Places in the table of joints below.
pub const ORIGIN: usize = 0;
pub const HIPS: usize = 1;
pub const SPINE: usize = 2;
pub const CHEST: usize = 3;
pub const NECK: usize = 4;
pub const HEAD: usize = 5;
pub const EAR_L: usize = 6;
pub const EAR_R: usize = 7;
pub const LID_L: usize = 8;
const ARM_L: usize = 9;
const ARM_R: usize = 12;
const LEG_L: usize = 15;
const LEG_R: usize = 18;
pub const TAIL: [usize; 4] = [21, 22, 23, 24];
pub const SCARF: [usize; 3] = [25, 26, 27];
pub const GRIP: usize = 28;
pub const EYES: usize = 29;
pub const LID_R: usize = 30;

/// Name, parent, place in the bind pose.
const JOINTS: [(&str, Option<usize>, [f64; 3]); 31] = [
    ("origin", None, [0.0, 0.0, 0.0]),
    ("hips", Some(ORIGIN), [0.0, 0.0, 16.5]),
    ("spine", Some(HIPS), [-0.2, 0.0, 20.0]),
    ("chest", Some(SPINE), [0.0, 0.0, 24.0]),
    ("neck", Some(CHEST), [0.2, 0.0, 28.6]),
    ("head", Some(NECK), [0.4, 0.0, 31.2]),
    ("ear_l", Some(HEAD), [-0.9, 4.8, 42.4]),
    ("ear_r", Some(HEAD), [-0.9, -4.8, 42.4]),
    ("lid_l", Some(HEAD), EYE),
    ("upperarm_l", Some(CHEST), [-0.2, 4.9, 26.2]),
    ("forearm_l", Some(ARM_L), [-0.6, 9.6, 21.9]),
    ("hand_l", Some(ARM_L + 1), [0.3, 13.0, 18.3]),
    ("upperarm_r", Some(CHEST), [-0.2, -4.9, 26.2]),
    ("forearm_r", Some(ARM_R), [-0.6, -9.6, 21.9]),
    ("hand_r", Some(ARM_R + 1), [0.3, -13.0, 18.3]),
    ("thigh_l", Some(HIPS), [0.0, 3.3, 15.6]),
    ("shin_l", Some(LEG_L), [0.9, 3.6, 9.1]),
    ("foot_l", Some(LEG_L + 1), [-0.5, 3.8, 2.8]),
    ("thigh_r", Some(HIPS), [0.0, -3.3, 15.6]),
    ("shin_r", Some(LEG_R), [0.9, -3.6, 9.1]),
    ("foot_r", Some(LEG_R + 1), [-0.5, -3.8, 2.8]),
    ("tail_1", Some(HIPS), [-4.2, 0.0, 16.3]),
    ("tail_2", Some(TAIL[0]), [-8.6, 0.0, 15.8]),
    ("tail_3", Some(TAIL[1]), [-13.4, 0.0, 18.6]),
    ("tail_4", Some(TAIL[2]), [-16.8, 0.0, 24.0]),
    ("scarf_1", Some(CHEST), [-3.6, 2.6, 28.8]),
    ("scarf_2", Some(SCARF[0]), [-6.2, 4.2, 26.0]),
    ("scarf_3", Some(SCARF[1]), [-8.0, 5.2, 22.6]),
    ("grip_r", Some(ARM_R + 2), [1.4, -14.7, 16.4]),
    ("eyes", Some(HEAD), [EYE[0], 0.0, EYE[2]]),
    ("lid_r", Some(HEAD), [EYE[0], -EYE[1], EYE[2]]),
];

/// Centre of the left eye; the right one mirrors it.
pub const EYE: [f64; 3] = [3.6, 3.35, 37.7];

/// Centre of an eyeball.
pub fn eye_centre(side: Side) -> DVec3 {
    DVec3::new(EYE[0], EYE[1] * side.sign(), EYE[2])
}

/// Direction in which an eye looks.
pub fn gaze(side: Side) -> DVec3 {
    DVec3::new(0.91, 0.40 * side.sign(), 0.03).normalize()
}

/// The axis about which a lid closes.
pub fn lid_hinge(side: Side) -> DVec3 {
    DVec3::Z.cross(gaze(side)).normalize()
}

/// A joint's place in the bind pose.
pub fn place(joint: usize) -> DVec3 {
    DVec3::from(JOINTS[joint].2)
}

/// All joints in the bind pose.
pub fn joints() -> Vec<Joint> {
    (JOINTS.iter().enumerate())
        .map(|(index, &(name, parent, _))| Joint {
            name: name.to_owned(),
            parent,
            bind: DAffine3 { matrix3: bind_axes(index), translation: place(index) },
        })
        .collect()
}

/// A joint's axes in the bind pose.
fn bind_axes(joint: usize) -> DMat3 {
    if joint == GRIP {
        // Chosen so that what the hand holds is upright and points ahead while the figure stands.
        let forward = DVec3::new(0.976, 0.144, -0.165).normalize();
        let left = DVec3::new(0.086, 0.444, 0.892).cross(forward).normalize();
        return DMat3::from_cols(forward, left, forward.cross(left));
    }
    DMat3::IDENTITY
}

/// A pose: each joint's turn and shift against the bind pose, in its parent's axes.
#[derive(Clone, Debug)]
pub struct Pose {
    pub turns: Vec<DQuat>,
    pub shifts: Vec<DVec3>,
}

impl Pose {
    /// The bind pose.
    pub fn bind() -> Self {
        Self { turns: vec![DQuat::IDENTITY; JOINTS.len()], shifts: vec![DVec3::ZERO; JOINTS.len()] }
    }

    /// Turns a joint further, in its parent's axes: by roll about X, then pitch about Y (positive nods), then yaw about Z
    /// (positive to the left), in degrees.
    pub fn turn(&mut self, joint: usize, roll: f64, pitch: f64, yaw: f64) {
        let [roll, pitch, yaw] = [roll, pitch, yaw].map(f64::to_radians);
        let turn = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
        self.turns[joint] = turn * self.turns[joint];
    }

    /// Turns a joint further about an axis, in degrees.
    pub fn turn_about(&mut self, joint: usize, axis: DVec3, degrees: f64) {
        self.turns[joint] = DQuat::from_axis_angle(axis.normalize(), degrees.to_radians()) * self.turns[joint];
    }

    /// Joint space to model space, for every joint.
    pub fn matrices(&self) -> Vec<DAffine3> {
        let mut matrices: Vec<DAffine3> = Vec::with_capacity(JOINTS.len());
        for (index, &(_, parent, _)) in JOINTS.iter().enumerate() {
            let from_parent = place(index) - parent.map_or(DVec3::ZERO, place);
            let turn = DMat3::from_quat(self.turns[index]) * bind_axes(index);
            let local = DAffine3 { matrix3: turn, translation: from_parent + self.shifts[index] };
            matrices.push(parent.map_or(local, |parent| matrices[parent] * local));
        }
        matrices
    }

    /// Turns thigh, shin and foot so that the ankle is at `ankle` and the foot has the given axes, both in model space.
    /// The knee points to where the foot does.
    pub fn plant(&mut self, side: Side, ankle: DVec3, foot: DQuat) {
        let [thigh, shin, toes] = side.leg();
        let hips = self.matrices()[HIPS];
        let into_hips = hips.inverse();
        let hip_turn = DQuat::from_mat3(&hips.matrix3);
        let target = into_hips.transform_point3(ankle) - (place(thigh) - place(HIPS));
        let (upper, lower) = (place(shin) - place(thigh), place(toes) - place(shin));
        let (a, b) = (upper.length(), lower.length());
        let reach = target.length().clamp((a - b).abs() + 0.01, a + b - 0.01);
        let knee_ahead = into_hips.transform_vector3(foot * DVec3::X);
        let down = target.normalize();
        let ahead = knee_ahead.reject_from(down).normalize();
        let along = (a * a + reach * reach - b * b) / (2.0 * reach);
        let knee = down * along + ahead * (a * a - along * along).max(0.0).sqrt();
        let side_axis = DVec3::Y;
        let thigh_turn = align(upper, side_axis, knee, ahead.cross(down));
        let shin_turn = align(lower, side_axis, down * reach - knee, ahead.cross(down));
        self.turns[thigh] = thigh_turn;
        self.turns[shin] = thigh_turn.inverse() * shin_turn;
        self.turns[toes] = (hip_turn * shin_turn).inverse() * foot;
    }
}

/// The turn that takes one direction to another and, as well as that allows, one side axis to another.
fn align(from: DVec3, from_side: DVec3, to: DVec3, to_side: DVec3) -> DQuat {
    let basis = |along: DVec3, side: DVec3| {
        let along = along.normalize();
        let side = side.reject_from(along).normalize();
        DMat3::from_cols(along, side, along.cross(side))
    };
    DQuat::from_mat3(&(basis(to, to_side) * basis(from, from_side).transpose()))
}
