//! MD5 (Doom 3): a text file with the weighted mesh and one per clip with the joints' motion.

use glam::{DAffine3, DQuat};

use super::model::{Clip, Joint, Rigged, Surface};

/// Writes the mesh.
pub fn write_mesh(model: &Rigged) -> String {
    let mut text = String::new();
    text += "MD5Version 10\ncommandline \"make-sample\"\n\n";
    text += &format!("numJoints {}\nnumMeshes {}\n\njoints {{\n", model.joints.len(), model.surfaces.len());
    for joint in &model.joints {
        let parent = joint.parent.map_or(-1, |parent| parent as i64);
        let (position, turn) = parts(&joint.bind);
        text += &format!("\t\"{}\" {parent} ( {position} ) ( {turn} )\n", joint.name);
    }
    text += "}\n";
    model.surfaces.iter().for_each(|surface| write_surface(&mut text, surface, &model.joints));
    text
}

fn write_surface(text: &mut String, surface: &Surface, joints: &[Joint]) {
    // Materials are named without an extension.
    let material = surface.material.rsplit_once('.').map_or(surface.material.as_str(), |(stem, _)| stem);
    *text += &format!("\nmesh {{\n\tname \"{}\"\n\tshader \"{material}\"\n", surface.name);
    *text += &format!("\n\tnumverts {}\n", surface.vertices.len());
    let mut first = 0;
    for (index, vertex) in surface.vertices.iter().enumerate() {
        let uv = numbers(vertex.uv.to_array(), 6);
        *text += &format!("\tvert {index} ( {uv} ) {first} {}\n", vertex.weights.len());
        first += vertex.weights.len();
    }
    *text += &format!("\n\tnumtris {}\n", surface.triangles.len());
    for (index, [a, b, c]) in surface.triangles.iter().enumerate() {
        *text += &format!("\ttri {index} {a} {b} {c}\n");
    }
    *text += &format!("\n\tnumweights {first}\n");
    let weights = surface.vertices.iter().flat_map(|vertex| vertex.weights.iter().map(move |weight| (vertex, weight)));
    for (index, (vertex, (joint, share))) in weights.enumerate() {
        let position = joints[*joint].bind.inverse().transform_point3(vertex.position);
        let (share, position) = (numbers([*share], 6), numbers(position.to_array(), 5));
        *text += &format!("\tweight {index} {joint} {share} ( {position} )\n");
    }
    *text += "}\n";
}

/// Writes one clip for a model. Its first frame is the base frame, and only what moves is stored for the others.
pub fn write_anim(model: &Rigged, clip: &Clip) -> String {
    let joints = &model.joints;
    let frames: Vec<Vec<[String; 6]>> = clip.frames.iter().map(|pose| local_parts(joints, pose)).collect();
    let moves = |joint: usize, part: usize| frames.iter().any(|frame| frame[joint][part] != frames[0][joint][part]);
    let moving: Vec<Vec<usize>> =
        (0..joints.len()).map(|joint| (0..6).filter(|&part| moves(joint, part)).collect()).collect();
    let count: usize = moving.iter().map(Vec::len).sum();

    let mut text = String::new();
    text += "MD5Version 10\ncommandline \"make-sample\"\n\n";
    text += &format!("numFrames {}\nnumJoints {}\nframeRate {}\n", clip.frames.len(), joints.len(), clip.rate);
    text += &format!("numAnimatedComponents {count}\n\nhierarchy {{\n");
    let mut first = 0;
    for (joint, parts) in joints.iter().zip(&moving) {
        let parent = joint.parent.map_or(-1, |parent| parent as i64);
        let flags: u32 = parts.iter().map(|part| 1 << part).sum();
        text += &format!("\t\"{}\" {parent} {flags} {}\n", joint.name, if parts.is_empty() { 0 } else { first });
        first += parts.len();
    }
    text += "}\n\nbounds {\n";
    for pose in &clip.frames {
        let (low, high) = model.posed_bounds(pose);
        text += &format!("\t( {} ) ( {} )\n", numbers(low.to_array(), 4), numbers(high.to_array(), 4));
    }
    text += "}\n\nbaseframe {\n";
    for parts in &frames[0] {
        text += &format!("\t( {} ) ( {} )\n", parts[..3].join(" "), parts[3..].join(" "));
    }
    text += "}\n";
    for (index, frame) in frames.iter().enumerate() {
        text += &format!("\nframe {index} {{\n");
        for (parts, moving) in frame.iter().zip(&moving).filter(|(_, moving)| !moving.is_empty()) {
            let values: Vec<&str> = moving.iter().map(|&part| parts[part].as_str()).collect();
            text += &format!("\t{}\n", values.join(" "));
        }
        text += "}\n";
    }
    text
}

/// Each joint's place in its parent, as the six numbers an animation stores.
fn local_parts(joints: &[Joint], pose: &[DAffine3]) -> Vec<[String; 6]> {
    (joints.iter().zip(pose))
        .map(|(joint, place)| {
            let local = joint.parent.map_or(*place, |parent| pose[parent].inverse() * *place);
            let turn = turn(&local);
            let values = [local.translation.to_array(), [turn.x, turn.y, turn.z]].concat();
            std::array::from_fn(|part| numbers([values[part]], if part < 3 { 4 } else { 6 }))
        })
        .collect()
}

fn parts(place: &DAffine3) -> (String, String) {
    let turn = turn(place);
    (numbers(place.translation.to_array(), 5), numbers([turn.x, turn.y, turn.z], 7))
}

/// The rotation as readers rebuild it: they take w to be negative, so x, y and z must belong to that sign.
fn turn(place: &DAffine3) -> DQuat {
    let turn = DQuat::from_mat3(&place.matrix3).normalize();
    if turn.w > 0.0 { -turn } else { turn }
}

/// Decimal numbers with blanks between them, without trailing zeros.
fn numbers<const N: usize>(values: [f64; N], digits: usize) -> String {
    let one = |value: f64| {
        let text = format!("{value:.digits$}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        if text == "-0" { "0".to_owned() } else { text.to_owned() }
    };
    values.map(one).join(" ")
}
