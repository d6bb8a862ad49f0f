//! Skinned surfaces: nodes for the joints, a skin, and weights.

use glam::Mat4;

use super::bind_pose::Bind;
use super::buffer::{Builder, number};
use super::joint_weights::shares;
use super::json::Skin;
use super::sampler::FrameSampler;
use super::tangent::tangents;
use super::{PartNodes, surface_name};
use crate::export::ExportError;
use crate::export::scene::{ExportPart, ExportScene};
use crate::model::LocalTransform;
use crate::model::{Binding, SkeletalMotion, SkeletalTag};

pub(super) fn add_joints(builder: &mut Builder, part: &ExportPart<'_>, motion: &SkeletalMotion, nodes: &mut PartNodes) {
    nodes.rest.extend_from_slice(FrameSampler::new(part.model).halves_at(part.blend, part.torso));
    for (joint, transform) in motion.joints.iter().zip(&nodes.rest) {
        let parent = joint.parent.and_then(|parent| nodes.joints.get(parent as usize)).copied();
        nodes.joints.push(builder.child(parent.unwrap_or(nodes.own), &joint.name, *transform));
    }
    for ((name, tag), transform) in part.model.tags().iter().zip(&motion.tags).zip(&part.pose.tags) {
        let joint = tag.joint().and_then(|joint| Some((joint as usize, nodes.joints.get(joint as usize).copied()?)));
        let node = joint.map_or(nodes.own, |(_, node)| node);
        let is_called_so = joint.is_some_and(|(joint, _)| motion.joints.get(joint).is_some_and(|it| it.name == *name));
        nodes.tags.push(match tag {
            SkeletalTag::Joint(_) if is_called_so => node,
            SkeletalTag::Joint(_) => builder.tag(node, name, LocalTransform::IDENTITY),
            SkeletalTag::Offset(..) | SkeletalTag::Triangle(_) => {
                let model_from_joint = joint.and_then(|(joint, _)| part.pose.joints.get(joint)).copied();
                let local = model_from_joint.unwrap_or_default().inverse() * *transform;
                builder.tag(node, name, LocalTransform::from_affine(&local).rigid())
            }
        });
    }
}

/// Adds a node for each surface. Returns the nodes of skinned surfaces, which belong at the root of the scene, because
/// only joints position them. Without joints, the part is the parent.
pub(super) fn add_surfaces(
    builder: &mut Builder,
    subject: &ExportScene<'_>,
    part: &ExportPart<'_>,
    motion: &SkeletalMotion,
    nodes: &PartNodes,
    bind: &Bind,
) -> Result<Vec<u32>, ExportError> {
    let mut skin = None;
    let mut added = Vec::new();
    for surface in part.surfaces() {
        let (Some(shape), Some(binding)) = (part.model.surfaces().get(surface), motion.bindings.get(surface)) else {
            continue;
        };
        let Some(posed) = bind.surfaces.get(surface) else { continue };
        let material = part.materials.get(surface).copied().flatten();
        let positions = builder.vec3s(&posed.positions, true)?;
        let tangents = subject.has_normal_map(material).then(|| tangents(shape, &posed.positions, &posed.normals));
        let mut primitive = builder.primitive(shape, positions, &posed.normals, tangents.as_deref())?;
        builder.set_material(&mut primitive, part, surface);
        if motion.joints.is_empty() {
            let node = builder.mesh_node(&surface_name(part, surface), primitive);
            builder.adopt(nodes.own, node);
            continue;
        }
        for (set, (joints, weights)) in sets(binding).into_iter().enumerate() {
            primitive.attributes.insert(format!("JOINTS_{set}"), builder.joints(&joints)?);
            primitive.attributes.insert(format!("WEIGHTS_{set}"), builder.vec4s(&weights)?);
        }
        let node = builder.mesh_node(&surface_name(part, surface), primitive);
        if skin.is_none() {
            let inverse_bind_matrices = builder.matrices(bind.inverses.iter().map(|inverse| Mat4::from(*inverse)))?;
            let name = part.name.to_owned();
            // Blender reads the bind pose from the matrices only if `skeleton` is set.
            let (skeleton, joints) = (nodes.own, nodes.joints.clone());
            builder.document.skins.push(Skin { name, inverse_bind_matrices, skeleton, joints });
            skin = Some(number(builder.document.skins.len() - 1));
        }
        if let Some(node) = builder.document.nodes.get_mut(node as usize) {
            node.skin = skin;
        }
        added.push(node);
    }
    Ok(added)
}

type JointSet = (Vec<[u16; 4]>, Vec<[f32; 4]>);

fn sets(binding: &Binding) -> Vec<JointSet> {
    let all: Vec<Vec<(u16, f32)>> = binding.vertices.iter().map(|vertex| shares(binding.weights_of(*vertex))).collect();
    let most = all.iter().map(Vec::len).max().unwrap_or(0).div_ceil(4).max(1);
    (0..most)
        .map(|set| {
            let four = |shares: &Vec<(u16, f32)>| -> ([u16; 4], [f32; 4]) {
                let own = shares.get(set * 4..).unwrap_or_default();
                let share = |slot: usize| own.get(slot).copied().unwrap_or_default();
                ([0, 1, 2, 3].map(|slot| share(slot).0), [0, 1, 2, 3].map(|slot| share(slot).1))
            };
            all.iter().map(four).unzip()
        })
        .collect()
}
