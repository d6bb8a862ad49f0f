//! Joints of a GLA: decoding of pooled bones, blending and composition (OpenJK `matcomp.cpp`, `tr_ghoul2.cpp`).

use glam::{Affine3A, Mat3A, Vec3A};

use crate::model::{BonePool, Joint, PackedBone};

/// Poses the joints in model space. Bones are blended entry by entry, as in the game, and then composed.
pub(super) fn sample_pool(
    joints: &[Joint],
    pool: &BonePool,
    from: usize,
    to: usize,
    t: f32,
    posed: &mut Vec<Affine3A>,
) {
    let count = joints.len();
    let frame = |frame: usize| pool.indices.get(frame * count..(frame + 1) * count).unwrap_or_default();
    let bone = |index: &[u8; 3]| {
        let packed = pool.bones.get(BonePool::number(*index) as usize);
        packed.map_or(Affine3A::IDENTITY, unpacked_bone)
    };
    for ((joint, a), b) in joints.iter().zip(frame(from)).zip(frame(to)) {
        let own = if a == b || t <= 0.0 { bone(a) } else { blended(&bone(a), &bone(b), t) };
        let parent = joint.parent.and_then(|parent| posed.get(parent as usize));
        posed.push(parent.map_or(own, |parent| *parent * own));
    }
    for (posed, joint) in posed.iter_mut().zip(joints) {
        *posed *= Affine3A::from_rotation_translation(joint.bind.rotation, joint.bind.translation);
    }
}

fn blended(from: &Affine3A, to: &Affine3A, t: f32) -> Affine3A {
    Affine3A {
        matrix3: from.matrix3 * (1.0 - t) + to.matrix3 * t,
        translation: from.translation.lerp(to.translation, t),
    }
}

/// Decodes a bone. The quaternion is not normalised, because the game does not normalise it either.
pub(crate) fn unpacked_bone(bone: &PackedBone) -> Affine3A {
    let [w, x, y, z, a, b, c] = bone.map(f32::from);
    let [w, x, y, z] = [w, x, y, z].map(|word| word / 16_383.0 - 2.0);
    let columns = [
        Vec3A::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
        Vec3A::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
        Vec3A::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
    ];
    Affine3A {
        matrix3: Mat3A::from_cols(columns[0], columns[1], columns[2]),
        translation: Vec3A::new(a, b, c) / 64.0 - 512.0,
    }
}
