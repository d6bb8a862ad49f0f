//! Nodes of the scene: order, transforms, surfaces, tags and joints.

use std::collections::{HashMap, HashSet};

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3};

use super::accessor::Data;
use super::json::{self, Document, Node};
use super::{broken, lookup};
use crate::error::{LoadError, WarningKind};
use crate::model::{PLAYER_PARTS, is_tag_name, u32_or_max};

/// Rotation of a root node that stands for model space: what the export writes. X, Y and Z below it are forward, left
/// and up.
const MODEL_SPACE: DQuat = DQuat::from_xyzw(-0.5, -0.5, -0.5, 0.5);
/// Largest difference of the numbers of [`MODEL_SPACE`].
const MODEL_SPACE_TOLERANCE: f64 = 1e-4;

/// Transform of a node relative to its parent.
#[derive(Clone)]
pub(super) struct Local {
    pub translation: DVec3,
    pub rotation: DQuat,
    pub scale: DVec3,
    /// Transform of a node that is not divided into translation, rotation and scale. An animation divides it.
    matrix: Option<Box<DAffine3>>,
}

impl Local {
    fn of_node(node: &Node) -> Self {
        let vector = |numbers: &[f64; 3]| DVec3::from_array(numbers.map(finite_number));
        let rotation =
            node.rotation.as_deref().map_or(DQuat::IDENTITY, |numbers| DQuat::from_array(numbers.map(finite_number)));
        let matrix = node.matrix.as_deref().map(|numbers| Box::new(affine(&numbers.map(finite_number))));
        Self {
            translation: node.translation.as_deref().map_or(DVec3::ZERO, vector),
            rotation: unit(rotation),
            scale: node.scale.as_deref().map_or(DVec3::ONE, vector),
            matrix,
        }
    }

    /// Returns the transform as a matrix.
    pub fn matrix(&self) -> DAffine3 {
        let own = || DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation);
        self.matrix.as_deref().copied().unwrap_or_else(own)
    }

    /// Returns the transform with separate parts, which an animation replaces.
    pub fn divided(&self) -> Self {
        let Some(matrix) = &self.matrix else { return self.clone() };
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let is_sound = scale.is_finite() && rotation.is_finite();
        let (scale, rotation) = if is_sound { (scale, unit(rotation)) } else { (DVec3::ONE, DQuat::IDENTITY) };
        Self { translation, rotation, scale, matrix: None }
    }
}

/// Numbers beyond the range of coordinates would only produce others.
fn finite_number(number: f64) -> f64 {
    if number.is_finite() && number.abs() <= 1e12 { number } else { 0.0 }
}

/// Returns a rotation with unit length; the identity if it has no direction.
pub(super) fn unit(rotation: DQuat) -> DQuat {
    let length = rotation.length();
    if length.is_finite() && length > 1e-12 { rotation / length } else { DQuat::IDENTITY }
}

/// Converts a matrix of 16 numbers, column after column. The last row is ignored.
pub(super) fn affine(numbers: &[f64; 16]) -> DAffine3 {
    let matrix = DMat4::from_cols_array(numbers);
    DAffine3 {
        matrix3: DMat3::from_cols(matrix.x_axis.truncate(), matrix.y_axis.truncate(), matrix.z_axis.truncate()),
        translation: matrix.w_axis.truncate(),
    }
}

/// Node that shows a mesh.
pub(super) struct Shown {
    pub node: u32,
    pub mesh: u32,
    pub skin: Option<u32>,
    /// Whether the node or an ancestor is invisible (`KHR_node_visibility`).
    pub hidden: bool,
    /// Nearest ancestor that is a tag or a part of a player.
    pub below: Option<u32>,
}

/// Properties that a node inherits from its ancestors.
#[derive(Clone, Copy, Default)]
struct Inherited {
    in_model_space: bool,
    hidden: bool,
    below: Option<u32>,
}

/// Node that is a tag.
pub(super) struct Tag {
    pub name: String,
    pub node: u32,
    /// Whether X, Y and Z of the node are forward, left and up.
    pub in_model_space: bool,
}

/// Nodes, and what the scene shows of them.
#[derive(Default)]
pub(super) struct Scene {
    pub parents: Vec<Option<u32>>,
    /// All nodes, parents before their children.
    pub order: Vec<u32>,
    pub locals: Vec<Local>,
    pub shown: Vec<Shown>,
    pub tags: Vec<Tag>,
    /// Nodes of the scene, depth first.
    pub visited: Vec<u32>,
}

impl Scene {
    /// Reads the nodes. Fails if they form a cycle or one has two parents.
    pub fn read(data: &Data) -> Result<Self, LoadError> {
        let document = &data.document;
        let parents = parents(document)?;
        let order = parents_first(document, &parents)?;
        let locals = document.nodes.iter().map(Local::of_node).collect();
        let mut scene = Self { parents, order, locals, ..Self::default() };
        let roots = roots(data, &scene.parents)?;
        scene.walk(data, &roots);
        Ok(scene)
    }

    fn walk(&mut self, data: &Data, roots: &[u32]) {
        let nodes = &data.document.nodes;
        let mut seen = HashSet::new();
        let mut names = HashSet::new();
        let joints: HashSet<u32> = data.document.skins.iter().flat_map(|skin| skin.joints.iter().copied()).collect();
        let mut left: Vec<(u32, Inherited)> = roots.iter().rev().map(|root| (*root, Inherited::default())).collect();
        while let Some((index, Inherited { in_model_space, hidden, below })) = left.pop() {
            let Some(node) = nodes.get(index as usize) else { continue };
            if !seen.insert(index) {
                continue;
            }
            self.visited.push(index);
            let visibility = node.extensions.as_ref().and_then(|extensions| extensions.visibility.as_ref());
            let hidden = hidden || visibility.is_some_and(|visibility| visibility.visible == Some(false));
            let is_tag = is_tag_name(&node.name) || node.extras.as_ref().is_some_and(|extras| extras.tag);
            if is_tag {
                if names.insert(node.name.to_ascii_lowercase()) {
                    self.tags.push(Tag { name: node.name.to_string(), node: index, in_model_space });
                } else {
                    data.warn(WarningKind::LeftOut, json::label(nodes, index), "another tag has this name; skipped");
                }
                if node.mesh.is_some() {
                    data.warn(WarningKind::LeftOut, json::label(nodes, index), "the mesh of a tag is skipped");
                }
            } else if let Some(mesh) = node.mesh {
                self.shown.push(Shown { node: index, mesh, skin: node.skin, hidden, below });
            }
            let is_part = || PLAYER_PARTS.iter().any(|part| node.name.eq_ignore_ascii_case(part));
            // Bones are often called “head”.
            let is_named = is_tag || is_part() && !joints.contains(&index);
            let inherited = Inherited {
                in_model_space: in_model_space || self.is_model_space(index),
                hidden,
                below: if is_named { Some(index) } else { below },
            };
            left.extend(node.children.iter().rev().map(|child| (*child, inherited)));
        }
    }

    /// Returns whether a node without parent stands for model space.
    fn is_model_space(&self, index: u32) -> bool {
        let index = index as usize;
        let (Some(None), Some(local)) = (self.parents.get(index), self.locals.get(index)) else { return false };
        let own = local.divided().rotation;
        let is_near = |other: DQuat| {
            own.to_array().iter().zip(other.to_array()).all(|(a, b)| (a - b).abs() <= MODEL_SPACE_TOLERANCE)
        };
        is_near(MODEL_SPACE) || is_near(-MODEL_SPACE)
    }

    /// Returns the transforms of all nodes to the scene in the rest pose.
    pub fn rest(&self) -> Vec<DAffine3> {
        let mut worlds = vec![DAffine3::IDENTITY; self.locals.len()];
        for index in &self.order {
            let own = self.locals.get(*index as usize).map_or(DAffine3::IDENTITY, Local::matrix);
            let parent = self.parent(*index).and_then(|parent| worlds.get(parent as usize)).copied();
            if let Some(world) = worlds.get_mut(*index as usize) {
                *world = parent.map_or(own, |parent| parent * own);
            }
        }
        worlds
    }

    pub fn parent(&self, node: u32) -> Option<u32> {
        self.parents.get(node as usize).copied().flatten()
    }

    /// Returns a node and its ancestors, from the node to the root.
    pub fn ancestors(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors(Some(node), |node| self.parent(*node))
    }
}

fn parents(document: &Document) -> Result<Vec<Option<u32>>, LoadError> {
    let mut parents = vec![None; document.nodes.len()];
    for (index, node) in (0_u32..).zip(&*document.nodes) {
        for child in &node.children {
            match parents.get_mut(*child as usize) {
                Some(parent @ None) => *parent = Some(index),
                Some(_) => return Err(broken(&json::label(&document.nodes, *child), "the node has two parents")),
                None => drop(lookup(&document.nodes, *child, &json::label(&document.nodes, index))?),
            }
        }
    }
    Ok(parents)
}

fn parents_first(document: &Document, parents: &[Option<u32>]) -> Result<Vec<u32>, LoadError> {
    let is_root = |(_, parent): &(u32, &Option<u32>)| parent.is_none();
    let mut order: Vec<u32> = (0_u32..).zip(parents).filter(is_root).map(|(index, _)| index).collect();
    let mut next = 0;
    while let Some(node) = order.get(next).and_then(|index| document.nodes.get(*index as usize)) {
        // Every node has at most one parent, so that none is added twice.
        order.extend_from_slice(&node.children);
        next += 1;
    }
    if order.len() < parents.len() {
        let reached: HashSet<u32> = order.iter().copied().collect();
        let first = (0..u32_or_max(parents.len())).find(|index| !reached.contains(index)).unwrap_or(0);
        return Err(broken(&json::label(&document.nodes, first), "the node is its own ancestor"));
    }
    Ok(order)
}

fn roots(data: &Data, parents: &[Option<u32>]) -> Result<Vec<u32>, LoadError> {
    let document = &data.document;
    let scenes = &document.scenes;
    if scenes.is_empty() {
        return Ok((0_u32..).zip(parents).filter(|(_, parent)| parent.is_none()).map(|(index, _)| index).collect());
    }
    let shown = document.scene.unwrap_or(0);
    let scene = lookup(scenes, shown, "scene")?;
    if scenes.len() > 1 {
        let message = format!("the file has {} scenes; only scene {shown} is shown", scenes.len());
        data.warn(WarningKind::LeftOut, "scenes", message);
    }
    for node in &scene.nodes {
        lookup(&document.nodes, *node, &format!("scene {shown}"))?;
    }
    Ok(scene.nodes.clone())
}

/// Skin with its inverse bind matrices.
pub(super) struct Skin {
    pub joints: Vec<u32>,
    pub inverses: Vec<DAffine3>,
}

/// Reads the skins that `used` names.
pub(super) fn read_skins(data: &Data, used: &HashSet<u32>) -> Result<HashMap<u32, Skin>, LoadError> {
    let mut skins = HashMap::new();
    for (index, skin) in (0_u32..).zip(&*data.document.skins).filter(|(index, _)| used.contains(index)) {
        let name = format!("skin {index}");
        for joint in &skin.joints {
            lookup(&data.document.nodes, *joint, &name)?;
        }
        let mut inverses = vec![DAffine3::IDENTITY; skin.joints.len()];
        if let Some(accessor) = skin.inverse_bind_matrices {
            let matrices = data.groups::<f32, 16>(accessor, super::accessor::MATRICES, &name)?;
            if matrices.len() < inverses.len() {
                let why = format!("{} inverse bind matrices for {} joints", matrices.len(), inverses.len());
                return Err(broken(&name, why));
            }
            for (inverse, matrix) in inverses.iter_mut().zip(matrices) {
                *inverse = affine(&matrix.map(f64::from));
            }
        }
        skins.insert(index, Skin { joints: skin.joints.clone(), inverses });
    }
    Ok(skins)
}

/// Returns the joints of skins: in the order of `skins` and their joints, but ancestors first.
pub(super) fn joint_nodes(scene: &Scene, skins: &HashMap<u32, Skin>) -> Vec<u32> {
    let mut numbers: Vec<&u32> = skins.keys().collect();
    numbers.sort_unstable();
    let listed: Vec<u32> =
        numbers.into_iter().filter_map(|skin| skins.get(skin)).flat_map(|skin| skin.joints.clone()).collect();
    let all: HashSet<u32> = listed.iter().copied().collect();
    let (mut seen, mut joints) = (HashSet::new(), Vec::new());
    let mut path = Vec::new();
    for joint in listed {
        // All joints above a node that was seen are placed already.
        let above = scene.ancestors(joint).take_while(|node| seen.insert(*node));
        path.extend(above.filter(|node| all.contains(node)));
        joints.extend(path.drain(..).rev());
    }
    joints
}
