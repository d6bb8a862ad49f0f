//! Motion as joints: those of the skins, then one for each other node that moves surfaces or tags.

use std::collections::HashMap;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3};

use super::frames::{Frames, NodePose, SampledMotion};
use super::scene::{Local, unit};
use super::vertices::{flat_normals, single, usable};
use super::{LoadedScene, Part, rest_weights};
use crate::model::{
    Binding, Bounds, Joint, JointFrames, JointTrack, JointTransform, Motion, SkeletalMotion, SkeletalTag, Surface,
    Weight, matrix_rows, u32_or_max,
};
use crate::pose::PosedSurface;

/// Largest difference from a rotation that the bind pose leaves out.
const RIGID: f64 = 1e-6;

/// Largest difference between the scales of a joint's axes that counts as rounding, relative to the scale.
const EVEN: f64 = 1e-4;

/// Joint of the model, and the node that moves it.
pub(super) struct NodeJoint {
    /// Node; `None` for the origin, the joint of surfaces and tags that do not move.
    node: Option<u32>,
    pub name: String,
    parent: Option<u32>,
    /// Change from the node's space to the joint's, so that the joint is not scaled at rest.
    joint_from_node: DMat3,
    /// Inverse of the change.
    node_from_joint: DMat3,
}

/// Joints of the model, and the joint of each node.
pub(super) struct NodeJoints {
    pub joints: Vec<NodeJoint>,
    of_node: HashMap<u32, u32>,
    /// Nearest joint above each node, or the node's own.
    nearest_joint: Vec<Option<u32>>,
    /// Transform of each node to the node of its nearest joint, or to the scene without one.
    below: Vec<DAffine3>,
}

impl NodeJoints {
    pub fn new(loaded: &LoadedScene) -> Self {
        let count = loaded.scene.locals.len();
        let mut of_node: HashMap<u32, u32> = HashMap::new();
        let mut names: Vec<u32> = loaded.joint_nodes.clone();
        of_node.extend(loaded.joint_nodes.iter().zip(0..).map(|(node, joint)| (*node, joint)));
        // Rigid surfaces and tags follow the nearest joint or moving node.
        let mut nearest: Vec<Option<u32>> = vec![None; count];
        for node in &loaded.scene.order {
            let is_moving = of_node.contains_key(node) || loaded.moving.contains(node);
            let above = loaded.scene.parent(*node).and_then(|parent| nearest.get(parent as usize).copied().flatten());
            if let Some(nearest) = nearest.get_mut(*node as usize) {
                *nearest = if is_moving { Some(*node) } else { above };
            }
        }
        let rigid = loaded.parts.iter().filter(|part| part.skin.is_none()).map(|part| part.node);
        let mut needed: Vec<bool> = vec![false; count];
        let mut needs_origin = false;
        for node in rigid.chain(loaded.scene.tags.iter().map(|tag| tag.node)) {
            match nearest.get(node as usize).copied().flatten() {
                Some(above) => {
                    if let Some(needed) = needed.get_mut(above as usize) {
                        *needed = true;
                    }
                }
                None => needs_origin = true,
            }
        }
        for node in &loaded.scene.visited {
            if needed.get(*node as usize) == Some(&true) && !of_node.contains_key(node) {
                of_node.insert(*node, u32_or_max(names.len()));
                names.push(*node);
            }
        }
        let mut node_joints = Self { joints: Vec::new(), of_node, nearest_joint: vec![None; count], below: Vec::new() };
        node_joints.attach(loaded);
        for node in names {
            node_joints.add(loaded, node);
        }
        if needs_origin && !node_joints.joints.is_empty() {
            let change = loaded.model_from_scene;
            node_joints.joints.push(NodeJoint {
                node: None,
                name: "origin".to_owned(),
                parent: None,
                joint_from_node: change,
                node_from_joint: change.inverse(),
            });
        }
        node_joints
    }

    fn attach(&mut self, loaded: &LoadedScene) {
        if self.of_node.is_empty() {
            return;
        }
        self.below = vec![DAffine3::IDENTITY; loaded.scene.locals.len()];
        for node in &loaded.scene.order {
            let index = *node as usize;
            let own = loaded.scene.locals.get(index).map_or(DAffine3::IDENTITY, Local::matrix);
            let parent = loaded.scene.parent(*node).map(|parent| parent as usize);
            let above = parent.and_then(|parent| self.below.get(parent)).copied();
            let (joint, below) = match self.of_node.get(node) {
                Some(joint) => (Some(*joint), DAffine3::IDENTITY),
                None => (
                    parent.and_then(|parent| self.nearest_joint.get(parent).copied().flatten()),
                    above.map_or(own, |above| above * own),
                ),
            };
            if let (Some(to), Some(to_below)) = (self.nearest_joint.get_mut(index), self.below.get_mut(index)) {
                (*to, *to_below) = (joint, below);
            }
        }
    }

    fn add(&mut self, loaded: &LoadedScene, node: u32) {
        let own = u32_or_max(self.joints.len());
        let world = loaded.rest.get(node as usize).map(|world| loaded.model_from(world)).unwrap_or_default();
        let length = |axis: DVec3| {
            let length = axis.length();
            let usual = loaded.model_from_scene.x_axis.length();
            if length.is_finite() && length > usual * 1e-9 { length } else { usual }
        };
        let DMat3 { x_axis, y_axis, z_axis } = world.matrix3;
        let lengths = DVec3::new(length(x_axis), length(y_axis), length(z_axis));
        // If each axis had its own factor, the joints below could not be stored as rotation and scale.
        let mean = lengths.element_product().cbrt();
        let is_even = lengths.abs_diff_eq(DVec3::splat(mean), mean * EVEN);
        let lengths = if is_even { lengths } else { DVec3::splat(mean) };
        let parent =
            loaded.scene.parent(node).and_then(|parent| self.nearest_joint.get(parent as usize).copied().flatten());
        let name = loaded.data.document.nodes.get(node as usize).map_or("", |node| &node.name);
        self.joints.push(NodeJoint {
            node: Some(node),
            name: if name.is_empty() { format!("node {node}") } else { name.to_owned() },
            // A joint of a skin comes before the joints of other nodes.
            parent: parent.filter(|parent| *parent < own),
            joint_from_node: DMat3::from_diagonal(lengths),
            node_from_joint: DMat3::from_diagonal(lengths.recip()),
        });
    }

    /// Returns the nearest joint of a node, and the transform from the node to it.
    fn attachment(&self, node: u32) -> (u32, DAffine3) {
        let below = self.below.get(node as usize).copied().unwrap_or_default();
        let joint = self.nearest_joint.get(node as usize).copied().flatten();
        let joint = joint.unwrap_or_else(|| u32_or_max(self.joints.len().saturating_sub(1)));
        (joint, DAffine3::from_mat3(self.change(joint)) * below)
    }

    fn change(&self, joint: u32) -> DMat3 {
        self.joints.get(joint as usize).map_or(DMat3::IDENTITY, |joint| joint.joint_from_node)
    }

    /// Returns the transforms of the joints to the model.
    fn transforms<'a>(&'a self, loaded: &'a LoadedScene, posed: &'a NodePose) -> impl Iterator<Item = DAffine3> + 'a {
        self.joints.iter().map(|joint| {
            let world = joint.node.and_then(|node| posed.worlds.get(node as usize)).copied().unwrap_or_default();
            loaded.model_from(&world) * DAffine3::from_mat3(joint.node_from_joint)
        })
    }
}

/// Builds the model with joints and weights.
pub(super) fn build(
    loaded: &LoadedScene,
    node_joints: &NodeJoints,
    surfaces: &[Surface],
    frames: Frames,
) -> SampledMotion {
    let mut posed = NodePose::new(loaded);
    let rest: Vec<DAffine3> = node_joints.transforms(loaded, &posed).collect();
    let rest_joints: Vec<Affine3A> = rest.iter().map(single).collect();
    let mut bounds = Bounds::EMPTY;
    let bindings = loaded.parts.iter().zip(surfaces).map(|(part, surface)| {
        let binding = bind(loaded, node_joints, part, surface, &rest_joints);
        // The first weight of each vertex is enough for a hint about the size.
        let first = binding.vertices.iter().filter_map(|(first, _)| binding.weights.get(*first as usize));
        let position = |weight: &Weight| rest_joint(&rest_joints, weight.joint).transform_point3(weight.offset);
        bounds = bounds.union(Bounds::from_points(first.map(position)));
        binding
    });
    let bindings = bindings.collect();
    let tags = loaded.scene.tags.iter().map(|tag| {
        if let Some(joint) = node_joints.of_node.get(&tag.node).filter(|_| tag.in_model_space) {
            return SkeletalTag::Joint(*joint);
        }
        let (joint, transform) = node_joints.attachment(tag.node);
        let turned = DAffine3 { matrix3: transform.matrix3 * loaded.axes_of(tag), ..transform };
        // An exported MDR has a node for each tag, which is where its bone is.
        if turned.abs_diff_eq(DAffine3::IDENTITY, RIGID) {
            return SkeletalTag::Joint(joint);
        }
        SkeletalTag::Offset(joint, single(&turned))
    });
    let tags = tags.collect();
    let joints: Vec<Joint> = node_joints
        .joints
        .iter()
        .zip(&rest)
        .map(|(joint, rest)| Joint {
            name: joint.name.clone(),
            parent: joint.parent,
            bind: rigid(rest),
            is_added: joint.node.is_none(),
        })
        .collect();
    let is_rigid = joints.iter().zip(&rest).all(|(joint, rest)| {
        let own = DAffine3::from_quat(joint.bind.rotation.as_dquat()).matrix3;
        own.abs_diff_eq(rest.matrix3, RIGID * 10.0)
    });
    let bind =
        if is_rigid { JointFrames::Bind } else { JointFrames::Matrices(rest_joints.iter().map(matrix_rows).collect()) };
    let mut tracks = vec![JointTrack { first: 0, frame_count: 1, frames: bind }];
    if !frames.times.is_empty() {
        let mut matrices = Vec::with_capacity(frames.times.len() * joints.len());
        for time in &frames.times {
            posed.pose(loaded, &frames.nodes, Some(*time));
            matrices.extend(node_joints.transforms(loaded, &posed).map(|joint| matrix_rows(&single(&joint))));
        }
        let frame_count = u32_or_max(frames.times.len());
        tracks.push(JointTrack { first: 1, frame_count, frames: JointFrames::Matrices(matrices) });
    }
    SampledMotion::new(Motion::Skeletal(SkeletalMotion { joints, bindings, tracks, tags }), frames, bounds)
}

/// Returns the rotation and translation of a joint that may be scaled or mirrored.
fn rigid(joint: &DAffine3) -> JointTransform {
    let DMat3 { x_axis, y_axis, z_axis } = joint.matrix3;
    let x = x_axis.normalize_or(DVec3::X);
    let z = x.cross(y_axis).normalize_or(z_axis.normalize_or(DVec3::Z));
    let rotation = unit(DQuat::from_mat3(&DMat3::from_cols(x, z.cross(x).normalize_or(DVec3::Y), z)));
    let rotation = if rotation.is_finite() { rotation.as_quat() } else { Quat::IDENTITY };
    JointTransform { rotation, translation: usable(joint.translation.as_vec3()) }
}

fn rest_joint(rest: &[Affine3A], joint: u32) -> Affine3A {
    rest.get(joint as usize).copied().unwrap_or_default()
}

/// Returns the weights of a part.
fn bind(loaded: &LoadedScene, node_joints: &NodeJoints, part: &Part, surface: &Surface, rest: &[Affine3A]) -> Binding {
    let mut buffer = PosedSurface::default();
    let (positions, normals) = part.shape.morphed(&rest_weights(loaded.data, part), &mut buffer);
    // Transform of each joint of the skin, or of the node's nearest joint, from the space of the vertices.
    let skin = part.skin.and_then(|skin| loaded.skins.get(&skin));
    let joints: Vec<(u32, DAffine3)> = match skin {
        Some(skin) => {
            let joint = |(node, inverse): (&u32, &DAffine3)| {
                let joint = node_joints.of_node.get(node).copied().unwrap_or(0);
                (joint, DAffine3::from_mat3(node_joints.change(joint)) * *inverse)
            };
            skin.joints.iter().zip(&skin.inverses).map(joint).collect()
        }
        None => vec![node_joints.attachment(part.node)],
    };
    let joints: Vec<(u32, Affine3A, Mat3)> = joints
        .into_iter()
        .map(|(joint, transform)| (joint, single(&transform), cofactors(&transform.matrix3)))
        .collect();
    let mut binding = Binding::default();
    binding.vertices.reserve_exact(positions.len());
    binding.weights.reserve_exact(part.shape.influences.as_ref().map_or(positions.len(), |own| own.shares.len()));
    let whole = [(0, 1.0)];
    for (index, position) in positions.iter().enumerate() {
        let shares = part.shape.influences.as_ref().map_or(&whole[..], |influences| influences.of(index));
        let normal = normals.get(index).copied().unwrap_or(Vec3::ZERO);
        let first = u32_or_max(binding.weights.len());
        for (joint, share) in shares {
            let Some((joint, transform, turn)) = joints.get(*joint as usize) else { continue };
            let offset = usable(transform.transform_point3(*position));
            let normal = (*turn * normal).normalize_or_zero();
            binding.weights.push(Weight { joint: *joint, bias: *share, offset, normal });
        }
        binding.vertices.push((first, u32_or_max(binding.weights.len()) - first));
    }
    if part.shape.normals.is_none() {
        let position = |vertex: &(u32, u32)| {
            let weights = binding.weights_of(*vertex).iter();
            weights.map(|weight| rest_joint(rest, weight.joint).transform_point3(weight.offset) * weight.bias).sum()
        };
        let posed: Vec<Vec3> = binding.vertices.iter().map(position).collect();
        let flat = flat_normals(&surface.triangles, &posed);
        for (vertex, normal) in binding.vertices.iter().zip(flat) {
            let (first, count) = (vertex.0 as usize, vertex.1 as usize);
            for weight in binding.weights.get_mut(first..first + count).unwrap_or_default() {
                let turned = rest_joint(rest, weight.joint).matrix3;
                let back = if turned.determinant().abs() > 1e-12 { turned.inverse() } else { turned.transpose() };
                weight.normal = Vec3::from(back * glam::Vec3A::from(normal)).normalize_or_zero();
            }
        }
    }
    binding
}

/// Returns the matrix that turns normals: the inverse transpose, times a positive number.
pub(super) fn cofactors(matrix: &DMat3) -> Mat3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = *matrix;
    let turned = DMat3::from_cols(y.cross(z), z.cross(x), x.cross(y));
    let largest = turned.x_axis.abs().max(turned.y_axis.abs()).max(turned.z_axis.abs()).max_element();
    let sign = if matrix.determinant() < 0.0 { -1.0 } else { 1.0 };
    if largest.is_finite() && largest > 0.0 { (turned * (sign / largest)).as_mat3() } else { Mat3::ZERO }
}
