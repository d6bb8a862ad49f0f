//! MD5 writer: one text for the mesh and one per animation. Numbers have enough digits to be read back exactly.

use std::collections::{BTreeSet, HashMap};
use std::fmt::{self, Write as _};

use glam::{Quat, Vec3};

use super::MAX_SQUARE;
use crate::bytes::encoded;
use crate::error::WriteError;
use crate::formats::write::{AnimationFile, OTHER_MOTION, WrittenModel};
use crate::model::{
    Binding, Bounds, ClipSource, FrameInfo, JointChannels, JointFrames, JointTrack, Model, Motion, SkeletalMotion,
    Surface, Weight, quaternion_of_xyz, u32_or_max,
};

/// Writes the mesh and every animation. Fails if a name contains a quotation mark or a control character, which the
/// grammar cannot represent, or the model is not packed as an MD5.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let Motion::Skeletal(motion) = model.motion() else { return Err(error("", OTHER_MOTION)) };
    let mut animations = Vec::new();
    for track in &motion.tracks {
        let JointFrames::Channels(channels) = &track.frames else { continue };
        let clip = model.clips().iter().find(|clip| clip.first == track.first);
        let clip = clip.ok_or_else(|| error("", "an animation has no clip to name the file after"))?;
        let frames = track.first as usize..(track.first + track.frame_count) as usize;
        let frames = model.frames().get(frames).unwrap_or_default();
        let rate = clip.own_rate.unwrap_or(clip.frames_per_second);
        let text = animation(track, channels, motion, frames, rate);
        animations.push(AnimationFile { name: clip.name.clone(), bytes: encoded(&text?, model.data().has_latin1) });
    }
    if model.clips().first().is_some_and(|clip| clip.source != ClipSource::BindPose) {
        return Err(error("", OTHER_MOTION));
    }
    Ok(WrittenModel {
        main: encoded(&mesh(model, motion)?, model.data().has_latin1),
        animations,
        ..WrittenModel::default()
    })
}

fn error(field: &str, why: &str) -> WriteError {
    WriteError { format: "md5", field: field.to_owned(), why: why.to_owned() }
}

fn quoted(field: &str, text: &str) -> Result<String, WriteError> {
    // Line separators are written as they are: the grammar knows bytes up to the space only.
    if text.contains(|c: char| c == '"' || c.is_ascii_control()) {
        let shown = text.escape_debug();
        let why = format!("“{shown}” contains a quotation mark or a control character, which the format cannot store");
        return Err(error(field, &why));
    }
    Ok(format!("\"{text}\""))
}

struct Numbers(Vec3);

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Vec3 { x, y, z } = self.0;
        write!(f, "( {x} {y} {z} )")
    }
}

/// Returns the stored three components of a rotation. The loader computes the fourth component and normalises, which
/// rounds, so this function chooses floats that reproduce the rotation.
fn stored_rotation(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w > 0.0 { -rotation } else { rotation };
    let exact = rotation.xyz();
    let distance = |xyz: &Vec3| (quaternion_of_xyz(*xyz) - rotation).length_squared();
    if distance(&exact) == 0.0 {
        return exact;
    }
    // Vectors longer than 1, of square n, also have a fourth component √(n − 1) and are shortened by √(2n − 1). Doom 3
    // does not shorten them, so only rounding may make them longer.
    let square = rotation.w * rotation.w;
    let longer = exact * (2.0 * (1.0 - square) / (1.0 - 2.0 * square).max(0.5) - 1.0).sqrt();
    let neighbours = |number: f32| {
        let (up, down) = (number.next_up(), number.next_down());
        [number, up, down, up.next_up(), down.next_down()]
    };
    let around = |Vec3 { x, y, z }: Vec3| {
        let xy = neighbours(x).into_iter().flat_map(move |x| neighbours(y).map(|y| (x, y)));
        xy.flat_map(move |(x, y)| neighbours(z).map(|z| Vec3::new(x, y, z)))
    };
    let near = around(exact).chain(around(longer).filter(|xyz| xyz.length_squared() <= MAX_SQUARE));
    near.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(exact)
}

fn parent(parent: Option<u32>) -> i64 {
    parent.map_or(-1, i64::from)
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($text:expr) => { $text.push('\n') };
    ($text:expr, $($format:tt)*) => {{
        let _ = writeln!($text, $($format)*);
    }};
}

fn mesh(model: &Model, motion: &SkeletalMotion) -> Result<String, WriteError> {
    let mut text = String::new();
    line!(text, "MD5Version 10");
    line!(text, "commandline {}", quoted("commandline", model.data().command_line.as_deref().unwrap_or_default())?);
    line!(text);
    line!(text, "numJoints {}", motion.joints.len());
    line!(text, "numMeshes {}", model.surfaces().len());
    line!(text);
    line!(text, "joints {{");
    for joint in &motion.joints {
        let name = quoted("joints", &joint.name)?;
        let (translation, rotation) = (Numbers(joint.bind.translation), Numbers(stored_rotation(joint.bind.rotation)));
        line!(text, "\t{name}\t{} {translation} {rotation}", parent(joint.parent));
    }
    line!(text, "}}");
    for (index, (surface, binding)) in model.surfaces().iter().zip(&motion.bindings).enumerate() {
        write_mesh(&mut text, surface, binding).map_err(|error| error.within(&format!("mesh {index}")))?;
    }
    Ok(text)
}

fn write_mesh(text: &mut String, surface: &Surface, binding: &Binding) -> Result<(), WriteError> {
    line!(text);
    line!(text, "mesh {{");
    let exported = &surface.data.exported_name;
    if !exported.is_empty() {
        line!(text, "\t// meshes: {exported}");
    }
    if !surface.name.is_empty() {
        line!(text, "\tname {}", quoted("name", &surface.name)?);
    }
    let shader = surface.materials.first().map_or("", String::as_str);
    line!(text, "\tshader {}", quoted("shader", shader)?);
    line!(text);
    let (vertices, weights) = shared_weights(surface, binding);
    line!(text, "\tnumverts {}", surface.vertex_count());
    for (index, ((first, count), uv)) in vertices.iter().zip(&surface.uvs).enumerate() {
        line!(text, "\tvert {index} ( {} {} ) {first} {count}", uv.x, uv.y);
    }
    line!(text);
    line!(text, "\tnumtris {}", surface.triangles.len());
    for (index, [a, b, c]) in surface.triangles.iter().enumerate() {
        line!(text, "\ttri {index} {a} {b} {c}");
    }
    line!(text);
    line!(text, "\tnumweights {}", weights.len());
    for (index, weight) in weights.iter().enumerate() {
        line!(text, "\tweight {index} {} {} {}", weight.joint, weight.bias, Numbers(weight.offset));
    }
    line!(text, "}}");
    Ok(())
}

/// Shares equal weights between vertices if the source file did: it had fewer weights than its vertices use in total.
fn shared_weights(surface: &Surface, binding: &Binding) -> (Vec<(u32, u32)>, Vec<Weight>) {
    let in_file = surface.data.stored_weights;
    if in_file == 0 || in_file >= binding.weights.len() {
        return (binding.vertices.clone(), binding.weights.clone());
    }
    let mut weights: Vec<Weight> = Vec::new();
    let mut known: HashMap<Vec<[u32; 5]>, u32> = HashMap::new();
    let vertices = binding.vertices.iter().map(|vertex| {
        let own = binding.weights_of(*vertex);
        let bits = |weight: &Weight| {
            let [x, y, z] = weight.offset.to_array().map(f32::to_bits);
            [weight.joint, weight.bias.to_bits(), x, y, z]
        };
        let first = known.entry(own.iter().map(bits).collect()).or_insert_with(|| {
            let first = u32_or_max(weights.len());
            weights.extend_from_slice(own);
            first
        });
        (*first, vertex.1)
    });
    (vertices.collect(), weights)
}

fn names(channels: &JointChannels, motion: &SkeletalMotion) -> Vec<String> {
    let mut names: Vec<String> = (0..channels.joints.len()).map(|index| format!("joint {index}")).collect();
    // If joints share a name, animations move the first of them.
    for (own, joint) in channels.joint_of_mesh.iter().zip(&motion.joints).rev() {
        if let Some(name) = own.and_then(|own| names.get_mut(own as usize)) {
            name.clone_from(&joint.name);
        }
    }
    names
}

fn animation(
    track: &JointTrack,
    channels: &JointChannels,
    motion: &SkeletalMotion,
    frames: &[FrameInfo],
    rate: f32,
) -> Result<String, WriteError> {
    let mut text = String::new();
    line!(text, "MD5Version 10");
    line!(text, "commandline \"\"");
    line!(text);
    line!(text, "numFrames {}", track.frame_count);
    line!(text, "numJoints {}", channels.joints.len());
    line!(text, "frameRate {rate}");
    line!(text, "numAnimatedComponents {}", channels.stride);
    line!(text);
    line!(text, "hierarchy {{");
    for (joint, name) in channels.joints.iter().zip(names(channels, motion)) {
        let name = quoted("hierarchy", &name)?;
        line!(text, "\t{name}\t{} {} {}", parent(joint.parent), joint.flags, joint.first);
    }
    line!(text, "}}");
    line!(text);
    line!(text, "bounds {{");
    for frame in frames {
        let bounds = frame.bounds.unwrap_or(Bounds { min: Vec3::ZERO, max: Vec3::ZERO });
        line!(text, "\t{} {}", Numbers(bounds.min), Numbers(bounds.max));
    }
    line!(text, "}}");
    line!(text);
    line!(text, "baseframe {{");
    for joint in &channels.joints {
        line!(text, "\t{} {}", Numbers(joint.translation), Numbers(joint.rotation_xyz));
    }
    line!(text, "}}");
    // Doom 3's exporter writes a line for each joint that moves, and importers of other programs depend on it.
    let moving = channels.joints.iter().filter(|joint| joint.flags != 0).map(|joint| joint.first as usize);
    let starts: BTreeSet<usize> = moving.filter(|start| *start > 0).collect();
    let ends = channels.stride as usize;
    let starts: Vec<usize> = std::iter::once(0).chain(starts).filter(|start| *start < ends).chain([ends]).collect();
    // An animation without motion has no numbers, but its frames are still written.
    let mut rest = channels.components.as_slice();
    for frame in 0..track.frame_count {
        let (own, after) = rest.split_at_checked(channels.stride as usize).unwrap_or_default();
        rest = after;
        line!(text);
        line!(text, "frame {frame} {{");
        for (start, end) in starts.iter().zip(starts.iter().skip(1)) {
            let numbers: Vec<String> = own.get(*start..*end).unwrap_or_default().iter().map(f32::to_string).collect();
            line!(text, "\t{}", numbers.join(" "));
        }
        line!(text, "}}");
    }
    Ok(text)
}
