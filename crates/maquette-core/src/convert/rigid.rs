//! Joints that only rotate and move, with a single root: MD5, GLM, MDS and MDM.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Quat, Vec3};

use super::names::{FittedNames, NAME};
use super::skeleton::Skeleton;
use crate::error::counted;
use crate::model::{Binding, Format, Joint, JointFrames, JointStorage, JointTransform, Model, Motion, u32_or_max};

/// Joints in the order of the file.
pub(super) struct Hierarchy {
    /// Joints with the identity as their bind pose.
    pub joints: Vec<Joint>,
    /// Joint of the skeleton; `None` for an added joint at the origin.
    pub sources: Vec<Option<u32>>,
    /// Joint that became the parent of several roots, to report.
    pub root: Option<Root>,
}

/// The first joint, which became the parent of several roots.
#[derive(Clone)]
pub(super) struct Root {
    name: String,
    how: &'static str,
}

impl Root {
    /// Reports the joint with the number of its children.
    pub fn report(&self, joints: &[Joint], format: Format, losses: &mut Vec<String>) {
        let children = joints.iter().filter(|joint| joint.parent == Some(0)).count();
        losses.push(format!(
            "{} allows one root, so a joint “{}” {} the parent of {}",
            format.traits().game,
            self.name,
            self.how,
            counted(children, "joint", "joints")
        ));
    }
}

impl Hierarchy {
    /// Creates joints with a single root: Doom 3 refuses animations with several (dhewm3 `Anim.cpp`,
    /// `idMD5Anim::LoadAnim`), and Jedi Academy reads the parent of every joint but the first (OpenJK `tr_ghoul2.cpp`,
    /// `G2_TransformBone`). A joint at the origin then comes first, and the weights of `skeleton` refer to the new
    /// order.
    pub fn new(model: &Model, skeleton: &mut Skeleton, format: Format, losses: &mut Vec<String>) -> Self {
        // Animations and games refer to joints by name.
        let max_bytes = if format.traits().is_text { usize::MAX } else { NAME };
        let mut unique = FittedNames::new(["joint", "joints"], max_bytes, model).by_key(str::to_ascii_lowercase);
        if format.traits().is_text {
            unique = unique.quoted();
        }
        let mut names: Vec<String> = skeleton.names.iter().map(|name| unique.unique(name)).collect();
        let mut parents = skeleton.parents.clone();
        let mut sources: Vec<Option<u32>> = (0..u32_or_max(names.len())).map(Some).collect();
        let roots = parents.iter().filter(|parent| parent.is_none()).count();
        let has_bones = model.format().traits().joints == JointStorage::Bones;
        if roots <= 1 {
            unique.report(losses);
            losses.extend(has_bones.then(|| "bones were converted to joints without parents".to_owned()));
            return Self::with(names, parents, sources, None);
        }
        let mut root = None;
        // A converted frame of vertices has a joint at the origin already.
        if matches!(model.motion(), Motion::Skeletal(_)) {
            let is_at_origin = |joint: &Joint| joint.is_added && joint.bind == JointTransform::IDENTITY;
            let own = model.joints().iter().position(is_at_origin);
            let (origin, how) = match own {
                Some(own) => (names.remove(own), "is"),
                None => (unique.added("origin"), "was added as"),
            };
            root = Some(Root { name: origin.clone(), how });
            if let Some(own) = own {
                parents.remove(own);
                sources.remove(own);
            }
            names.insert(0, origin);
            parents.insert(0, None);
            sources.insert(0, own.map(u32_or_max));
            let places: HashMap<u32, u32> =
                sources.iter().zip(0..).filter_map(|(source, place)| Some(((*source)?, place))).collect();
            let weights = skeleton.bindings.iter_mut().flat_map(|binding| &mut binding.weights);
            for joint in parents.iter_mut().flatten().chain(weights.map(|weight| &mut weight.joint)) {
                *joint = places.get(joint).copied().unwrap_or(0);
            }
        }
        unique.report(losses);
        for parent in parents.iter_mut().skip(1) {
            parent.get_or_insert(0);
        }
        Self::with(names, parents, sources, root)
    }

    fn with(names: Vec<String>, parents: Vec<Option<u32>>, sources: Vec<Option<u32>>, root: Option<Root>) -> Self {
        let joint = |(name, parent)| Joint { name, parent, bind: JointTransform::IDENTITY, is_added: false };
        Self { joints: names.into_iter().zip(parents).map(joint).collect(), sources, root }
    }
}

/// Applies the scales and mirrorings of joints to the offsets and normals of their weights, because `format` stores rotations only.
/// The result is exact if they stay in all frames.
pub(super) fn fold_scales(model: &Model, skeleton: &mut Skeleton, format: Format, losses: &mut Vec<String>) {
    let mut folded: Vec<Mat3A> = Vec::new();
    let mut changing = HashSet::new();
    let Ok(()) = skeleton.each_frame(model, |joints| {
        let own: Vec<Mat3A> = joints.iter().map(beyond_rotation).collect();
        if folded.is_empty() {
            folded = own;
            return Ok::<_, Infallible>(());
        }
        for ((index, own), first) in (0_u32..).zip(&own).zip(&folded) {
            let reach = [first.x_axis, first.y_axis, first.z_axis].iter().map(|axis| axis.length()).fold(1.0, f32::max);
            if !own.abs_diff_eq(*first, STEADY * reach) {
                changing.insert(index);
            }
        }
        Ok(())
    });
    // Poses turn normals by the cofactors of such joints, and by the other joints themselves.
    let is_local = matches!(model.motion(), Motion::Skeletal(motion) if motion.tracks.iter().any(|track| matches!(track.frames, JointFrames::Local(_))));
    let mut lost = HashSet::new();
    for weight in skeleton.bindings.iter_mut().flat_map(|binding| &mut binding.weights) {
        if changing.contains(&weight.joint) {
            lost.insert(weight.joint);
        }
        let own = folded.get(weight.joint as usize).copied().unwrap_or(Mat3A::IDENTITY);
        if !own.abs_diff_eq(Mat3A::IDENTITY, STEADY) {
            weight.offset = own * weight.offset;
            weight.normal = if is_local && own.determinant().abs() > STEADY { own.inverse().transpose() } else { own }
                * weight.normal;
        }
    }
    if !lost.is_empty() {
        let joints = counted(lost.len(), "joint changes its", "joints change their");
        let name = format.title();
        losses.push(format!("{joints} scale; {name} stores no scale, so that of the first frame was kept"));
    }
}

/// Largest difference of scales that counts as rounding. Packed bones of an MDR have less.
const STEADY: f32 = 1e-3;

/// Returns what remains of a joint's axes without their rotation: scale, shear and mirroring, along the joint's axes.
fn beyond_rotation(joint: &Affine3A) -> Mat3A {
    Mat3A::from_quat(rigid(joint).rotation).transpose() * joint.matrix3
}

pub(super) struct RigidFrames {
    joints: Vec<JointTransform>,
    joint_count: usize,
}

impl RigidFrames {
    /// Returns the joints of some frames. `sources` has the joint of the skeleton for each joint of the file.
    pub fn new(model: &Model, skeleton: &Skeleton, frames_of_model: &[u32], sources: &[Option<u32>]) -> Self {
        let mut frames = Self { joints: Vec::new(), joint_count: sources.len() };
        let Ok(()) = skeleton.each_of(model, frames_of_model, |joints| {
            let source = |source: &Option<u32>| joints.get((*source)? as usize).map(rigid);
            frames.joints.extend(sources.iter().map(|joint| source(joint).unwrap_or(JointTransform::IDENTITY)));
            Ok::<_, Infallible>(())
        });
        frames
    }

    /// Returns the joints of a frame relative to their parents.
    pub fn local(&self, index: u32, joints: &[Joint]) -> Vec<JointTransform> {
        let frame = self.frame(index);
        let relative = |(transform, joint): (&JointTransform, &Joint)| {
            let parent = joint.parent.and_then(|parent| frame.get(parent as usize));
            parent.map_or(*transform, |parent| parent.inverse().then_inner(*transform))
        };
        frame.iter().zip(joints).map(relative).collect()
    }

    /// Packs the joints of all frames. `pack` gets a frame, the index of a joint, its transform and that of its packed
    /// parent, and returns its packed transform. Packed parents keep errors from adding up along a chain.
    pub fn pack<E>(
        &self,
        joints: &[Joint],
        mut pack: impl FnMut(u32, usize, Affine3A, Option<&Affine3A>) -> Result<Affine3A, E>,
    ) -> Result<(), E> {
        let mut posed: Vec<Affine3A> = Vec::with_capacity(joints.len());
        for (frame, own) in (0..).zip(self.joints.chunks_exact(self.joint_count.max(1))) {
            posed.clear();
            for (index, (joint, transform)) in joints.iter().zip(own).enumerate() {
                let parent = joint.parent.and_then(|parent| posed.get(parent as usize));
                let packed = pack(frame, index, Affine3A::from(*transform), parent)?;
                posed.push(packed);
            }
        }
        Ok(())
    }

    pub fn frame(&self, index: u32) -> &[JointTransform] {
        let joints = index as usize * self.joint_count..(index as usize + 1) * self.joint_count;
        self.joints.get(joints).unwrap_or_default()
    }
}

/// Returns the nearest rotation, because the axes may be scaled and sheared. A mirrored transform is first mirrored
/// back at the joint.
pub(super) fn rigid(transform: &Affine3A) -> JointTransform {
    let sign = if transform.matrix3.determinant() < 0.0 { -1.0 } else { 1.0 };
    let mut matrix = sign
        * DMat3::from_cols(
            transform.matrix3.x_axis.as_dvec3().normalize_or(DVec3::X),
            transform.matrix3.y_axis.as_dvec3().normalize_or(DVec3::Y),
            transform.matrix3.z_axis.as_dvec3().normalize_or(DVec3::Z),
        );
    // Polar decomposition (N. Higham, 1986). Converges quadratically.
    for _ in 0..ROUNDS {
        let inverse = matrix.inverse();
        if matrix.determinant() > 1e-3 && inverse.is_finite() {
            matrix = (matrix + inverse.transpose()) * 0.5;
        }
    }
    let rotation = DQuat::from_mat3(&matrix).normalize().as_quat();
    JointTransform {
        rotation: if rotation.is_finite() { rotation } else { Quat::IDENTITY },
        translation: transform.translation.into(),
    }
}

/// Iterations until any rotation converges to single precision.
const ROUNDS: usize = 8;

/// Gives the normal of each vertex to its first weight, for formats in which the first joint alone turns it. The weights
/// are then ordered by size, unless they come from such a format.
pub(super) fn give_normal_to_first(model: &Model, bindings: &mut [Binding]) {
    for Binding { vertices, weights, .. } in bindings {
        for (first, count) in &*vertices {
            let own = weights.get_mut(*first as usize..(first + count) as usize).unwrap_or_default();
            if !model.format().traits().first_turns_normal {
                own.sort_by(|a, b| b.bias.total_cmp(&a.bias));
            }
            if let Some(first) = own.first_mut() {
                first.normal = first.normal.normalize_or_zero();
            }
            own.iter_mut().skip(1).for_each(|weight| weight.normal = Vec3::ZERO);
        }
    }
}
