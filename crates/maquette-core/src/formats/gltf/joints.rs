//! Motion as joints: those of the skins, then one for each other node that moves surfaces or tags.

use std::collections::HashMap;

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3, Quat, Vec3};

use super::frames::{Built, Frames, Posed};
use super::scene::{Local, unit};
use super::surface::Vertices;
use super::vertices::{flat_normals, single, usable};
use super::{Part, Rig};
use crate::model::{
    Binding, Bounds, Joint, JointFrames, JointTrack, JointTransform, Motion, SkeletalMotion, SkeletalTag, Surface,
    Weight, u32_or_max,
};

/// Largest difference from a rotation that the bind pose leaves out.
const RIGID: f64 = 1e-6;

/// Joint of the model, and the node that moves it.
pub(super) struct Carrier {
    /// Node; `None` for the origin, the joint of surfaces and tags that do not move.
    node: Option<u32>,
    name: String,
    parent: Option<u32>,
    /// Change from the node's space to the joint's, so that the joint is not scaled at rest.
    joint_from_node: DMat3,
    /// Inverse of the change.
    node_from_joint: DMat3,
}

/// Joints of the model, and the joint of each node.
pub(super) struct Carriers {
    pub joints: Vec<Carrier>,
    of_node: HashMap<u32, u32>,
    /// Joint that carries each node.
    carrier: Vec<Option<u32>>,
    /// Transform of each node to its carrier's node, or to the scene if none carries it.
    below: Vec<DAffine3>,
}

impl Carriers {
    pub fn new(rig: &Rig) -> Self {
        let count = rig.scene.locals.len();
        let mut of_node: HashMap<u32, u32> = HashMap::new();
        let mut names: Vec<u32> = rig.joint_nodes.clone();
        of_node.extend(rig.joint_nodes.iter().zip(0..).map(|(node, joint)| (*node, joint)));
        // Rigid surfaces and tags follow the nearest joint or moving node.
        let mut nearest: Vec<Option<u32>> = vec![None; count];
        for node in &rig.scene.order {
            let is_carrier = of_node.contains_key(node) || rig.moving.contains(node);
            let above = rig.scene.parent(*node).and_then(|parent| nearest.get(parent as usize).copied().flatten());
            if let Some(nearest) = nearest.get_mut(*node as usize) {
                *nearest = if is_carrier { Some(*node) } else { above };
            }
        }
        let rigid = rig.parts.iter().filter(|part| part.skin.is_none()).map(|part| part.node);
        let mut carried: Vec<bool> = vec![false; count];
        let mut needs_origin = false;
        for node in rigid.chain(rig.scene.tags.iter().map(|tag| tag.node)) {
            match nearest.get(node as usize).copied().flatten() {
                Some(carrier) => {
                    if let Some(carried) = carried.get_mut(carrier as usize) {
                        *carried = true;
                    }
                }
                None => needs_origin = true,
            }
        }
        for node in &rig.scene.visited {
            if carried.get(*node as usize) == Some(&true) && !of_node.contains_key(node) {
                of_node.insert(*node, u32_or_max(names.len()));
                names.push(*node);
            }
        }
        let mut carriers = Self { joints: Vec::new(), of_node, carrier: vec![None; count], below: Vec::new() };
        carriers.attach(rig);
        for node in names {
            carriers.add(rig, node);
        }
        if needs_origin && !carriers.joints.is_empty() {
            let change = rig.model_from_scene;
            carriers.joints.push(Carrier {
                node: None,
                name: "origin".to_owned(),
                parent: None,
                joint_from_node: change,
                node_from_joint: change.inverse(),
            });
        }
        carriers
    }

    fn attach(&mut self, rig: &Rig) {
        self.below = vec![DAffine3::IDENTITY; rig.scene.locals.len()];
        for node in &rig.scene.order {
            let index = *node as usize;
            let own = rig.scene.locals.get(index).map_or(DAffine3::IDENTITY, Local::matrix);
            let parent = rig.scene.parent(*node).map(|parent| parent as usize);
            let above = parent.and_then(|parent| self.below.get(parent)).copied();
            let (carrier, below) = match self.of_node.get(node) {
                Some(joint) => (Some(*joint), DAffine3::IDENTITY),
                None => (
                    parent.and_then(|parent| self.carrier.get(parent).copied().flatten()),
                    above.map_or(own, |above| above * own),
                ),
            };
            if let (Some(to), Some(to_below)) = (self.carrier.get_mut(index), self.below.get_mut(index)) {
                (*to, *to_below) = (carrier, below);
            }
        }
    }

    fn add(&mut self, rig: &Rig, node: u32) {
        let own = u32_or_max(self.joints.len());
        let world = rig.rest.get(node as usize).map(|world| rig.model_from(world)).unwrap_or_default();
        let length = |axis: DVec3| {
            let length = axis.length();
            let usual = rig.model_from_scene.x_axis.length();
            if length.is_finite() && length > usual * 1e-9 { length } else { usual }
        };
        let DMat3 { x_axis, y_axis, z_axis } = world.matrix3;
        let lengths = DVec3::new(length(x_axis), length(y_axis), length(z_axis));
        let parent = rig.scene.parent(node).and_then(|parent| self.carrier.get(parent as usize).copied().flatten());
        let name = rig.data.document.nodes.get(node as usize).map_or("", |node| &node.name);
        self.joints.push(Carrier {
            node: Some(node),
            name: if name.is_empty() { format!("node {node}") } else { name.to_owned() },
            // A joint of a skin comes before the joints of other nodes.
            parent: parent.filter(|parent| *parent < own),
            joint_from_node: DMat3::from_diagonal(lengths),
            node_from_joint: DMat3::from_diagonal(lengths.recip()),
        });
    }

    /// Returns the joint that carries a node, and the transform from the node to it.
    fn attachment(&self, node: u32) -> (u32, DAffine3) {
        let below = self.below.get(node as usize).copied().unwrap_or_default();
        let joint = self.carrier.get(node as usize).copied().flatten();
        let joint = joint.unwrap_or_else(|| u32_or_max(self.joints.len().saturating_sub(1)));
        (joint, DAffine3::from_mat3(self.change(joint)) * below)
    }

    fn change(&self, joint: u32) -> DMat3 {
        self.joints.get(joint as usize).map_or(DMat3::IDENTITY, |joint| joint.joint_from_node)
    }

    /// Returns the transforms of the joints to the model.
    fn transforms<'a>(&'a self, rig: &'a Rig, posed: &'a Posed) -> impl Iterator<Item = DAffine3> + 'a {
        self.joints.iter().map(|joint| {
            let world = joint.node.and_then(|node| posed.worlds.get(node as usize)).copied().unwrap_or_default();
            rig.model_from(&world) * DAffine3::from_mat3(joint.node_from_joint)
        })
    }
}

/// Builds the model with joints and weights.
pub(super) fn build(rig: &Rig, carriers: &Carriers, surfaces: &[Surface], frames: Frames) -> Built {
    let mut posed = Posed::new(rig);
    let rest: Vec<DAffine3> = carriers.transforms(rig, &posed).collect();
    let rest_joints: Vec<Affine3A> = rest.iter().map(single).collect();
    let mut bounds = Bounds::EMPTY;
    let bindings = rig.parts.iter().zip(surfaces).map(|(part, surface)| {
        let binding = bind(rig, carriers, part, surface, &rest_joints);
        // The first weight of each vertex is enough for a hint about the size.
        let first = binding.vertices.iter().filter_map(|(first, _)| binding.weights.get(*first as usize));
        let position = |weight: &Weight| rest_joint(&rest_joints, weight.joint).transform_point3(weight.offset);
        bounds = bounds.union(Bounds::from_points(first.map(position)));
        binding
    });
    let bindings = bindings.collect();
    let tags = rig.scene.tags.iter().map(|tag| {
        if let Some(joint) = carriers.of_node.get(&tag.node).filter(|_| tag.in_model_space) {
            return SkeletalTag::Joint(*joint);
        }
        let (joint, transform) = carriers.attachment(tag.node);
        let turned = DAffine3 { matrix3: transform.matrix3 * rig.axes_of(tag), ..transform };
        // An exported MDR has a node for each tag, which is where its bone is.
        if turned.abs_diff_eq(DAffine3::IDENTITY, RIGID) {
            return SkeletalTag::Joint(joint);
        }
        SkeletalTag::Offset(joint, single(&turned))
    });
    let tags = tags.collect();
    let joints: Vec<Joint> = carriers
        .joints
        .iter()
        .zip(&rest)
        .map(|(carrier, rest)| Joint { name: carrier.name.clone(), parent: carrier.parent, bind: rigid(rest) })
        .collect();
    let is_rigid = joints.iter().zip(&rest).all(|(joint, rest)| {
        let own = DAffine3::from_quat(joint.bind.rotation.as_dquat()).matrix3;
        own.abs_diff_eq(rest.matrix3, RIGID * 10.0)
    });
    let bind = if is_rigid { JointFrames::Bind } else { JointFrames::Matrices(rest_joints.iter().map(rows).collect()) };
    let mut tracks = vec![JointTrack { first: 0, frame_count: 1, frames: bind }];
    if !frames.times.is_empty() {
        let mut matrices = Vec::with_capacity(frames.times.len() * joints.len());
        for time in &frames.times {
            posed.pose(rig, &frames.nodes, Some(*time));
            matrices.extend(carriers.transforms(rig, &posed).map(|joint| rows(&single(&joint))));
        }
        let frame_count = u32_or_max(frames.times.len());
        tracks.push(JointTrack { first: 1, frame_count, frames: JointFrames::Matrices(matrices) });
    }
    Built::new(Motion::Skeletal(SkeletalMotion { joints, bindings, tracks, tags }), frames, bounds)
}

fn rows(joint: &Affine3A) -> [f32; 12] {
    let Mat3 { x_axis: x, y_axis: y, z_axis: z } = joint.matrix3.into();
    let t = joint.translation;
    [x.x, y.x, z.x, t.x, x.y, y.y, z.y, t.y, x.z, y.z, z.z, t.z]
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
fn bind(rig: &Rig, carriers: &Carriers, part: &Part, surface: &Surface, rest: &[Affine3A]) -> Binding {
    let mut buffer = Vertices::default();
    let (positions, normals) = part.shape.morphed(&rig.rest_weights(part), &mut buffer);
    // Transform of each joint of the skin, or of the one carrier, from the space of the vertices.
    let skin = part.skin.and_then(|skin| rig.skins.get(&skin));
    let joints: Vec<(u32, DAffine3)> = match skin {
        Some(skin) => {
            let joint = |(node, inverse): (&u32, &DAffine3)| {
                let joint = carriers.of_node.get(node).copied().unwrap_or(0);
                (joint, DAffine3::from_mat3(carriers.change(joint)) * *inverse)
            };
            skin.joints.iter().zip(&skin.inverses).map(joint).collect()
        }
        None => vec![carriers.attachment(part.node)],
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
