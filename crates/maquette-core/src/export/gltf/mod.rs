//! glTF 2.0 export (Khronos): surfaces, skeletons, animations, tags and materials.
//!
//! The model's axes (x forward, y left, z up) become (y, z, x) in the scene, because glTF uses +Z forward and +Y up. A
//! unit is [`ExportOptions::scale`] metres. The root node applies both, so all numbers below it are those of the file.
//! Each surface becomes a mesh with triangles in file order and reversed corners, because glTF front faces are
//! counter-clockwise.
//!
//! | in the model | in glTF |
//! |---|---|
//! | vertex animation (MDL, MD2, MD3, MDC) | a morph target per frame; weights blend linearly between whole frames |
//! | joints with parents (MD5) | the same joints; channels of their transforms relative to their parents |
//! | bones without parents (MDR) | a node for each below the model's, likewise |
//! | weights, each with an offset of its own | one position in the bind pose, moved by joint × inverse bind matrix |
//! | tag | a node of its name: its X, Y and Z are forward, left and up |
//! | flags, synchronisation and position of the eyes (MDL, MD3, IQM) | `modelFlags` with their `modelFormat`, `syncType` and `eyePosition` in `extras` of the model's node |
//! | clip | an animation with `firstFrame`, `frameCount`, `framesPerSecond` and `loopFrames` in `extras`; frame f is at (f − `firstFrame`) / `framesPerSecond` |
//! | frames without a clip | an animation with `unlisted` in `extras` |
//! | frame group (MDL) | an animation with `frameGroup` in `extras` |
//! | clip that loops from its last frame to its first | a closing key, equal to the first |

mod animate;
mod bind_pose;
mod buffer;
mod fidelity;
mod joint_weights;
mod json;
mod material;
mod morph;
mod sampler;
mod skin;
mod tangent;

use std::io;

use glam::{Affine3A, Quat, Vec3};
use serde_json::{Map, Value, json};

use super::scene::{ExportAnchor, ExportPart, ExportScene};
use super::{ExportError, ExportFiles, ExportOptions, Losses, TexturePlacement};
use crate::model::{LocalTransform, Model, Motion, is_tag_name};
use bind_pose::Bind;
use buffer::{Builder, number};
use json::{Buffer, Node, Scene};

/// Rotation from model axes to scene axes: (x, y, z) becomes (y, z, x).
const AXES: Quat = Quat::from_xyzw(-0.5, -0.5, -0.5, 0.5);

/// Writes a `.glb`, which contains everything except separate texture files. Fails if the scene exceeds the limits of
/// glTF or a file cannot be written.
pub fn write_glb(
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<Losses, ExportError> {
    let (mut builder, losses) = build(subject, options, files)?;
    builder.bytes.resize(builder.bytes.len().next_multiple_of(4), 0);
    builder.document.buffers = buffers(&builder, None);
    let mut json = serde_json::to_vec(&builder.document).map_err(io::Error::from)?;
    json.resize(json.len().next_multiple_of(4), b' ');
    let binary = if builder.bytes.is_empty() { 0 } else { 8 + builder.bytes.len() };
    // The lengths are 32-bit numbers.
    let whole = u32::try_from(12 + 8 + json.len() + binary).map_err(|_| buffer::too_large())?;
    let out = files.main();
    out.write_all(b"glTF")?;
    for word in [2, whole, number(json.len())] {
        out.write_all(&word.to_le_bytes())?;
    }
    out.write_all(b"JSON")?;
    out.write_all(&json)?;
    if !builder.bytes.is_empty() {
        out.write_all(&number(builder.bytes.len()).to_le_bytes())?;
        out.write_all(b"BIN\0")?;
        out.write_all(&builder.bytes)?;
    }
    Ok(losses)
}

/// Writes a `.gltf`, and its buffer as a `.bin` next to it. Fails if the scene exceeds the limits of glTF or a file
/// cannot be written.
pub fn write_gltf(
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<Losses, ExportError> {
    let (mut builder, losses) = build(subject, options, files)?;
    let name = files.companion_name(".bin");
    builder.document.buffers = buffers(&builder, Some(uri(&name)));
    if !builder.bytes.is_empty() {
        files.write_companion(&name, &builder.bytes)?;
    }
    let out = files.main();
    serde_json::to_writer_pretty(&mut *out, &builder.document).map_err(io::Error::from)?;
    writeln!(out)?;
    Ok(losses)
}

fn buffers(builder: &Builder, uri: Option<String>) -> Vec<Buffer> {
    let has_bytes = !builder.bytes.is_empty();
    has_bytes.then(|| Buffer { uri, byte_length: number(builder.bytes.len()) }).into_iter().collect()
}

fn uri(name: &str) -> String {
    let mut uri = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

struct PartNodes {
    own: u32,
    tags: Vec<u32>,
    joints: Vec<u32>,
    rest: Vec<LocalTransform>,
    moves: Vec<animate::AnimatedChannels>,
    morph: Option<morph::Targets>,
}

impl PartNodes {
    fn new(own: u32) -> Self {
        Self { own, tags: Vec::new(), joints: Vec::new(), rest: Vec::new(), moves: Vec::new(), morph: None }
    }
}

fn build(
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<(Builder, Losses), ExportError> {
    let mut builder = Builder::default();
    let mut losses = Losses::new();
    material::add(&mut builder, subject, options, files)?;
    let mut scene = Scene::default();
    let mut nodes: Vec<PartNodes> = Vec::new();
    // Common root of all parts; a single model is its own root.
    let alone = subject.parts.len() == 1;
    let root = builder.node(Node {
        name: subject.parts.first().filter(|_| alone).map_or_else(|| subject.name.clone(), |part| part.name.to_owned()),
        rotation: Some(AXES.to_array()),
        scale: Some([options.scale; 3]),
        ..Node::default()
    });
    scene.nodes.push(root);
    for (index, part) in subject.parts.iter().enumerate() {
        let own = if alone { root } else { part_node(&mut builder, part, root, &nodes) };
        if let Some(node) = builder.document.nodes.get_mut(own as usize) {
            node.extras = fields(part.model);
        }
        let mut added = PartNodes::new(own);
        match part.model.motion() {
            Motion::Morph(_) => {
                add_tags(&mut builder, part, &mut added);
                added.morph = Some(morph::add(&mut builder, subject, index, own, options, &mut losses)?);
                fidelity::report_tag_loss(subject, index, &mut losses);
            }
            Motion::Skeletal(motion) => {
                skin::add_joints(&mut builder, part, motion, &mut added);
                let bind = Bind::new(part, motion);
                scene.nodes.extend(skin::add_surfaces(&mut builder, subject, part, motion, &added, &bind)?);
                fidelity::report_skin_loss(subject, index, motion, &bind, &mut losses);
            }
        }
        added.moves = animate::moves(subject, index, &added);
        nodes.push(added);
    }
    for animation in &subject.animations {
        animate::add(&mut builder, subject, animation, &nodes)?;
    }
    builder.document.scenes.push(scene);
    Ok((builder, losses))
}

impl ExportScene<'_> {
    fn has_normal_map(&self, material: Option<usize>) -> bool {
        material.and_then(|material| self.materials.get(material)).is_some_and(|material| material.normal.is_some())
    }
}

impl Builder {
    fn node(&mut self, node: Node) -> u32 {
        self.document.nodes.push(node);
        number(self.document.nodes.len() - 1)
    }

    /// Adds a node for a tag. Readers recognise a tag by its name, or else by a mark.
    fn tag(&mut self, parent: u32, name: &str, transform: LocalTransform) -> u32 {
        let node = self.child(parent, name, transform);
        if let Some(node) = self.document.nodes.get_mut(node as usize).filter(|_| !is_tag_name(name)) {
            node.extras = Some(json!({ "tag": true }));
        }
        node
    }

    fn child(&mut self, parent: u32, name: &str, transform: LocalTransform) -> u32 {
        let node = self.node(Node { name: name.to_owned(), ..transformed(transform) });
        self.adopt(parent, node);
        node
    }

    fn adopt(&mut self, parent: u32, node: u32) {
        if let Some(parent) = self.document.nodes.get_mut(parent as usize) {
            parent.children.push(node);
        }
    }
}

/// Returns the fields of the header that are not 0 (MDL, MD3, IQM).
fn fields(model: &Model) -> Option<Value> {
    let data = model.data();
    let format = data.flags_format.or_else(|| Some(model.format()).filter(|format| !format.traits().is_sampled));
    let format = format.filter(|_| data.flags != 0);
    let has_eyes = data.eye_position != Vec3::ZERO && data.eye_position.is_finite();
    let fields = [
        ("modelFlags", (data.flags != 0).then(|| json!(data.flags.cast_unsigned()))),
        ("modelFormat", format.map(|format| json!(format.name()))),
        ("syncType", (data.sync_type != 0).then(|| json!(data.sync_type))),
        ("eyePosition", has_eyes.then(|| json!(data.eye_position.to_array()))),
    ];
    let stated: Map<String, Value> =
        fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect();
    (!stated.is_empty()).then_some(Value::Object(stated))
}

fn transformed(transform: LocalTransform) -> Node {
    Node {
        translation: (transform.translation != Vec3::ZERO).then(|| transform.translation.to_array()),
        rotation: (transform.rotation != Quat::IDENTITY).then(|| transform.rotation.to_array()),
        scale: (transform.scale != Vec3::ONE).then(|| transform.scale.to_array()),
        ..Node::default()
    }
}

fn part_node(builder: &mut Builder, part: &ExportPart<'_>, root: u32, nodes: &[PartNodes]) -> u32 {
    let parent = part.attached.and_then(|attached| {
        let parent = nodes.get(attached.to)?;
        let node = match attached.at {
            ExportAnchor::Tag(tag) => *parent.tags.get(tag)?,
            ExportAnchor::Joint(joint) => *parent.joints.get(joint)?,
            ExportAnchor::Origin => parent.own,
        };
        Some((node, Affine3A::from_translation(attached.offset)))
    });
    let (parent, transform) = parent.unwrap_or((root, part.world_from_model));
    builder.child(parent, part.name, LocalTransform::from_affine(&transform))
}

fn add_tags(builder: &mut Builder, part: &ExportPart<'_>, nodes: &mut PartNodes) {
    for (name, transform) in part.model.tags().iter().zip(&part.pose.tags) {
        let transform = LocalTransform::from_affine(transform).rigid();
        nodes.tags.push(builder.tag(nodes.own, name, transform));
        nodes.rest.push(transform);
    }
}

fn surface_name(part: &ExportPart<'_>, surface: usize) -> String {
    let own = part.model.surfaces().get(surface).map_or("", |surface| surface.script_name());
    if own.is_empty() { part.model.display_name_of_surface(surface) } else { own.to_owned() }
}
