//! glTF 2.0 (Khronos): `.glb`, and `.gltf` with its buffers in files next to it or in the text.
//!
//! Source of the layout: Khronos, *glTF 2.0 Specification*. A `.glb` has a header of 12 bytes (magic `glTF`, version,
//! length) and chunks: length, type, bytes. The first chunk is the JSON text, and the second may be buffer 0.
//!
//! The scene's (X, Y, Z) in metres is the model's (Z, X, Y) / 0.0254, the inverse of
//! [`export::gltf`](crate::export::gltf); [`LoadOptions`] changes both. Each primitive of triangles of each node is a
//! surface. Frame 0 is the rest pose; the animations follow, sampled at a fixed rate. The modules are:
//!
//! - `json`, `container`, `accessor`: the document, its buffers and their numbers.
//! - `scene`, `surface`, `animation`, `weights`: nodes, primitives and samplers, in the space of the file.
//! - `frames`: the frames of the clips.
//! - `joints`, `vertices`: the moving part of the model, as joints or as vertices of every frame.
//! - `material`: names and definitions of the materials.

mod accessor;
mod animation;
mod container;
mod frames;
mod joints;
mod json;
mod material;
mod scene;
mod surface;
mod vertices;
mod weights;

use crate::formats::FormatDef;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use glam::{DAffine3, DMat3, DVec3, Vec3};

use crate::bytes::{Forward, LoadOptions, Source};
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings, counted};
use crate::limits::{MAX_GLTF_OBJECTS, MAX_GLTF_VARIANTS, MAX_GLTF_VARIED_SURFACES};
use crate::model::{
    AnimationFiles, Companions, Detail, Format, FormatData, JointStorage, Model, ModelParts, Surface, TagStorage,
    WithJoints, u32_or_max,
};
use accessor::Data;
use animation::Animation;
use frames::Frames;
use scene::{Scene, Skin};
use surface::Shape;
use weights::TargetWeights;

/// glTF of Khronos, version 2: models of Blender and other programs, for conversion.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "gltf",
    title: "glTF",
    extensions: &["glb", "gltf"],
    media_type: "model/gltf-binary",
    signature: "glTF",
    game: "glTF",
    version: 2,
    // Blender's own rate, so that frames fall on keys.
    usual_rate: 24.0,
    tags: TagStorage::Joints,
    joints: JointStorage::Skeleton,
    is_sampled: true,
    has_textures: true,
    colours_tint: true,
    companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: true },
    looks_like: Some(looks_like),
    ..FormatDef::plain(load)
};

/// Size of a model, largest side in units, beyond which a warning suggests another scale.
const USUAL_SIZE: std::ops::RangeInclusive<f32> = 4.0..=1000.0;

/// Returns the rotation from the scene to the model.
fn rotation_from_scene(forward: Forward) -> DMat3 {
    let forward = match forward {
        Forward::PlusZ => DVec3::Z,
        Forward::MinusZ => DVec3::NEG_Z,
        Forward::PlusX => DVec3::X,
        Forward::MinusX => DVec3::NEG_X,
    };
    // Rows: forward, left and up.
    DMat3::from_cols(forward, DVec3::Y.cross(forward), DVec3::Y).transpose()
}

/// Returns whether these are the first bytes of a `.glb` or a `.gltf`.
pub fn looks_like(bytes: &[u8]) -> bool {
    if bytes.starts_with(container::MAGIC) {
        return true;
    }
    let start = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    // Some programs sort the properties, so that `asset` follows a long list of accessors.
    let has = |word: &[u8]| head.windows(word.len()).any(|found| found == word);
    start.starts_with(b"{") && (has(b"\"asset\"") || has(b"\"accessors\""))
}

const HEAD: usize = super::HEAD as usize;

fn broken(field: &str, why: impl Into<String>) -> LoadError {
    broken_at(field, FilePosition::Whole, why)
}

fn broken_at(field: &str, position: FilePosition, why: impl Into<String>) -> LoadError {
    LoadError::new(Format::Gltf.name(), field, position, Reason::Broken(why.into()))
}

fn because(field: &str, reason: Reason) -> LoadError {
    LoadError::new(Format::Gltf.name(), field, FilePosition::Whole, reason)
}

/// Returns the object that `owner` refers to.
fn lookup<'a, T: json::Listed>(list: &'a [T], index: u32, owner: &str) -> Result<&'a T, LoadError> {
    let missing = || broken(owner, format!("{} {index} does not exist; there are {}", T::NAME, list.len()));
    list.get(index as usize).ok_or_else(missing)
}

/// Primitive of a shown node.
struct Part {
    node: u32,
    skin: Option<u32>,
    shape: Shape,
}

/// All that is needed to pose the model.
struct LoadedScene<'a> {
    data: &'a Data<'a>,
    options: &'a LoadOptions,
    scene: Scene,
    skins: HashMap<u32, Skin>,
    /// Nodes of the joints of skins.
    joint_nodes: Vec<u32>,
    parts: Vec<Part>,
    animations: Vec<Animation>,
    /// Nodes that an animation moves.
    moving: HashSet<u32>,
    /// Whether each node or one of its ancestors moves.
    moved: Vec<bool>,
    /// Nodes whose morph targets an animation moves.
    morphing: HashSet<u32>,
    /// Transforms of the nodes in the rest pose.
    rest: Vec<DAffine3>,
    /// Rotation and scale from the scene to the model.
    model_from_scene: DMat3,
    /// Rotation of the axes of a tag, from forward, left and up to the axes of its node.
    tag_axes: DMat3,
}

impl LoadedScene<'_> {
    /// Returns whether an animation moves the morph targets of a part.
    fn is_morphing(&self, part: &Part) -> bool {
        !part.shape.targets.is_empty() && self.morphing.contains(&part.node)
    }

    /// Returns the transform from a node to the model.
    fn model_from(&self, world: &DAffine3) -> DAffine3 {
        DAffine3::from_mat3(self.model_from_scene) * *world
    }

    /// Returns the axes of a tag's node that are forward, left and up.
    fn axes_of(&self, tag: &scene::Tag) -> DMat3 {
        if tag.in_model_space { DMat3::IDENTITY } else { self.tag_axes }
    }
}

/// Returns the weights of the morph targets of a part at rest.
fn rest_weights(data: &Data, part: &Part) -> TargetWeights {
    let Some(node) = data.document.nodes.get(part.node as usize) else { return TargetWeights::new() };
    let mesh = node.mesh.and_then(|mesh| data.document.meshes.get(mesh as usize));
    let own = if node.weights.is_empty() { mesh.map(|mesh| &mesh.weights) } else { Some(&node.weights) };
    let stated = (0_u32..).zip(own.into_iter().flatten());
    stated
        .filter(|(_, weight)| weight.is_finite() && **weight != 0.0)
        .map(|(at, weight)| (at, f64::from(*weight)))
        .collect()
}

/// Reads the animations. Those that leave everything shown at rest are skipped, with a warning. A clip of joints is kept,
/// because games refer to it.
fn read_animations(
    data: &Data,
    scene: &Scene,
    parts: &[Part],
    joints: &[u32],
    keeps_joints: bool,
) -> Result<Vec<Animation>, LoadError> {
    let mut animations = animation::read(data)?;
    let posed: HashSet<u32> = frames::posed_nodes(scene, parts, joints).into_iter().collect();
    let joints: HashSet<u32> = joints.iter().copied().collect();
    let is_shown = |animation: &Animation| {
        animation.states_frames()
            || animation.nodes().any(|node| joints.contains(&node))
            || animation.moving(&scene.locals).any(|node| posed.contains(&node))
    };
    let mut morphed = HashSet::new();
    animations.retain(|animation| {
        let morphs = |part: &&Part| animation.morphs(part.node, &rest_weights(data, part));
        let mut morphing = parts.iter().filter(morphs).map(|part| part.node).peekable();
        let morphs = morphing.peek().is_some();
        if keeps_joints {
            morphed.extend(morphing);
        }
        let is_kept = is_shown(animation) || morphs && !keeps_joints;
        if !is_kept {
            let what = if morphs { "only shapes, not joints" } else { "nothing shown" };
            let message = format!("the animation moves {what}; skipped");
            data.warn(WarningKind::LeftOut, format!("“{}”", animation.name), message);
        }
        is_kept
    });
    if !morphed.is_empty() {
        let shapes = counted(morphed.len(), "mesh stay", "meshes stay");
        data.warn(
            WarningKind::LeftOut,
            "morph targets",
            format!("the shapes of {shapes} at rest, so that joints can move the model"),
        );
    }
    Ok(animations)
}

/// Loads a `.glb` or `.gltf`. Files that a `.gltf` names are read through the source.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut own = Warnings::default();
    let (mut parts, hides_joints) = load_as(source, source.options().keeps_joints, &mut own)?;
    let own = own.into_vec();
    if hides_joints {
        let mut others = Warnings::default();
        match load_as(source, true, &mut others).and_then(|(parts, _)| Model::new(parts)) {
            Ok(model) => {
                let warnings = others.into_vec().into_iter().filter(|warning| !own.contains(warning)).collect();
                parts.data.with_joints = Some(Arc::new(WithJoints { model, warnings }));
            }
            Err(error) => {
                warnings.add(WarningKind::LeftOut, "joints", format!("the joints are left out of exports: {error}"))
            }
        }
    }
    warnings.append(own);
    Ok(parts)
}

/// Loads a file, and returns whether moving shapes replace joints. With `keeps_joints`, shapes stay at rest in a model with
/// joints.
fn load_as(source: &Source, keeps_joints: bool, warnings: &mut Warnings) -> Result<(ModelParts, bool), LoadError> {
    let (document, buffers) = container::read(source, warnings)?;
    let data = Data::new(document, buffers, source.bytes().len());
    let loaded = load_data(source.options(), keeps_joints, &data)?;
    warnings.append(data.into_warnings().into_vec());
    Ok(loaded)
}

fn load_data(options: &LoadOptions, keeps_joints: bool, data: &Data) -> Result<(ModelParts, bool), LoadError> {
    let scene = Scene::read(data)?;
    if data.document.extensions_used.iter().any(|name| name == "EXT_mesh_gpu_instancing") {
        data.warn(WarningKind::LeftOut, "EXT_mesh_gpu_instancing", "one copy of each mesh is shown");
    }
    let used: HashSet<u32> = scene.shown.iter().filter_map(|shown| shown.skin).collect();
    let all = || (0..u32_or_max(data.document.skins.len())).collect();
    let used = if scene.shown.is_empty() { all() } else { used };
    let skins = scene::read_skins(data, &used)?;
    let joint_nodes = scene::joint_nodes(&scene, &skins);
    let rest = scene.rest();
    let (surfaces, parts) = read_surfaces(data, &scene, &skins, &rest)?;
    if surfaces.is_empty() && scene.tags.is_empty() && joint_nodes.is_empty() {
        return Err(broken("", "there is nothing to show: the scene has no triangles, joints or tags"));
    }
    let keeps_joints = keeps_joints && !joint_nodes.is_empty();
    let animations = read_animations(data, &scene, &parts, &joint_nodes, keeps_joints)?;
    let moving: HashSet<u32> = animations.iter().flat_map(|animation| animation.moving(&scene.locals)).collect();
    let mut moved = vec![false; scene.locals.len()];
    for node in &scene.order {
        let above = scene.parent(*node).and_then(|parent| moved.get(parent as usize)).copied();
        if let Some(moved) = moved.get_mut(*node as usize) {
            *moved = above == Some(true) || moving.contains(node);
        }
    }
    let morphs = |part: &&Part| {
        let rest = rest_weights(data, part);
        !keeps_joints && animations.iter().any(|animation| animation.morphs(part.node, &rest))
    };
    let morphing = parts.iter().filter(morphs).map(|part| part.node).collect();
    let rotation = rotation_from_scene(options.forward);
    let scale = if options.scale.is_finite() && options.scale > 0.0 { options.scale } else { LoadOptions::INCH };
    let loaded = LoadedScene {
        data,
        options,
        scene,
        skins,
        joint_nodes,
        parts,
        animations,
        moving,
        moved,
        morphing,
        rest,
        model_from_scene: rotation * (1.0 / f64::from(scale)),
        tag_axes: rotation.transpose(),
    };
    let node_joints = joints::NodeJoints::new(&loaded);
    let is_morphing = loaded.parts.iter().any(|part| loaded.is_morphing(part));
    let hidden_joints = node_joints.joints.as_slice();
    let hidden_joints = if is_morphing && !loaded.joint_nodes.is_empty() { hidden_joints } else { &[] };
    let built = if is_morphing || node_joints.joints.is_empty() {
        let frames = Frames::new(&loaded, data.len(), vertices::limit(&loaded, data.len()));
        vertices::build(&loaded, &surfaces, frames)
    } else {
        let frames = Frames::new(&loaded, data.len(), usize::MAX);
        joints::build(&loaded, &node_joints, &surfaces, frames)
    };
    if let Some(size) = built.size.filter(|size| !USUAL_SIZE.contains(size)) {
        let message = format!(
            "the largest side has {size:.1} units; if the model is not made in metres, choose the length of a unit \
             (--scale; 1 reads each metre as one unit)"
        );
        data.warn(WarningKind::Unit, "scale", message);
    }
    let fields = fields(data, &loaded.scene, surfaces.len());
    let parts = ModelParts {
        version: Some(2),
        surfaces,
        frames: built.frames,
        tags: loaded.scene.tags.iter().map(|tag| tag.name.clone()).collect(),
        clips: built.clips,
        motion: built.motion,
        details: details(data, hidden_joints),
        data: fields,
        ..ModelParts::empty(Format::Gltf)
    };
    Ok((parts, !hidden_joints.is_empty()))
}

/// Returns the variants of the materials, and the fields of a game's model that extras of nodes state.
fn fields(data: &Data, scene: &Scene, surfaces: usize) -> FormatData {
    let nodes = scene.visited.iter().filter_map(|node| data.document.nodes.get(*node as usize));
    let extras: Vec<&json::Extras> = nodes.filter_map(|node| node.extras.as_deref()).collect();
    let number = |field: fn(&json::Extras) -> Option<f64>| extras.iter().find_map(|extras| field(extras));
    let variants = data.document.extensions.as_ref().and_then(|extensions| extensions.variants.as_ref());
    let variants = variants.map_or(&[][..], |variants| &variants.variants);
    let limit = MAX_GLTF_VARIANTS.min(MAX_GLTF_VARIED_SURFACES / surfaces.max(1));
    if variants.len() > limit {
        let message = format!("{} variants; the first {limit} are read", variants.len());
        data.warn(WarningKind::LeftOut, "KHR_materials_variants", message);
    }
    let bits = |number: f64| (number as i64) as i32;
    let eye = extras.iter().find_map(|extras| extras.eye_position);
    let with_flags = extras.iter().find(|extras| extras.model_flags.is_some());
    let format = with_flags.and_then(|extras| extras.model_format.as_deref());
    FormatData {
        variants: variants.iter().take(limit).map(|variant| variant.name.to_string()).collect(),
        flags: number(|extras| extras.model_flags).map_or(0, bits),
        flags_format: Format::ALL.into_iter().find(|known| Some(known.name()) == format),
        sync_type: number(|extras| extras.sync_type).map_or(0, bits),
        eye_position: eye.map_or(Vec3::ZERO, |at| DVec3::from_array(at).as_vec3()),
        ..FormatData::default()
    }
}

/// Returns the generator, and the joints that formats with joints get while the shapes stay at rest.
fn details(data: &Data, joints: &[joints::NodeJoint]) -> Vec<Detail> {
    let generator = data.document.asset.generator.iter().map(|generator| Detail::text("generator", generator));
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    generator.chain((!names.is_empty()).then(|| Detail::text("joints", names.join(", ")))).collect()
}

fn read_surfaces(
    data: &Data,
    scene: &Scene,
    skins: &HashMap<u32, Skin>,
    rest: &[DAffine3],
) -> Result<(Vec<Surface>, Vec<Part>), LoadError> {
    let document = &data.document;
    let count = scene.shown.len().min(MAX_GLTF_OBJECTS);
    let (mut surfaces, mut parts) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut materials = material::Materials::new(data);
    for shown in &scene.shown {
        let about = json::label(&document.nodes, shown.node);
        let mesh = lookup(&document.meshes, shown.mesh, &about)?;
        let skin = match shown.skin {
            Some(skin) => {
                lookup(&document.skins, skin, &about)?;
                skins.get(&skin).filter(|skin| !skin.joints.is_empty())
            }
            None => None,
        };
        let node_name = document.nodes.get(shown.node as usize).map_or("", |node| &node.name);
        let mut name = [node_name, &mesh.name].into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned();
        let mut number = 0;
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            if surfaces.len() >= MAX_GLTF_OBJECTS {
                let message = format!("there are more than {MAX_GLTF_OBJECTS} surfaces; the others are skipped");
                data.warn(WarningKind::LeftOut, about, message);
                return Ok((surfaces, parts));
            }
            let about = format!("{} primitive {index}", json::label(&document.meshes, shown.mesh));
            let joints = skin.map(|skin| skin.joints.len());
            let Some((shape, topology)) = Shape::read(data, &about, primitive, joints)? else { continue };
            if name.is_empty() {
                name = format!("surface {}", surfaces.len());
            }
            number += 1;
            let below = shown.below.and_then(|node| document.nodes.get(node as usize));
            let parent = below.map_or("", |node| &node.name);
            let place = (shown.mesh, index);
            let surface_data = materials.surface_data((primitive, place), shown.below, parent, topology.colours)?;
            let details = [("skin", &surface_data.skin_material), ("below", &surface_data.parent)];
            let details = details.into_iter().filter(|(_, name)| !name.is_empty());
            let details = details.map(|(label, name)| Detail::text(label, name)).collect();
            let names = materials.of(primitive.material)?.names();
            // Many surfaces may share long names.
            let length = |name: &String| name.len() + size_of::<String>();
            let shared = names.iter().map(length).sum::<usize>() + below.map_or(0, |node| node.name.len());
            data.claim(&about, (name.len() + shared) as u64)?;
            let world = rest.get(shown.node as usize).copied().unwrap_or_default();
            // The transform of the node decides, also if joints replace it (specification 3.7.4).
            let is_mirrored = world.matrix3.determinant() < 0.0;
            let turned = |[a, b, c]: [u32; 3]| if is_mirrored { [a, b, c] } else { [a, c, b] };
            let triangles = topology.triangles.into_iter().map(turned).collect();
            surfaces.push(Surface {
                name: if number == 1 { name.clone() } else { format!("{name}-{number}") },
                lod: 0,
                materials: names,
                triangles,
                uvs: topology.uvs,
                hidden: shown.hidden,
                data: surface_data,
                details,
            });
            let skin = shown.skin.filter(|_| shape.influences.is_some());
            parts.push(Part { node: shown.node, skin, shape });
        }
    }
    Ok((surfaces, parts))
}
