//! Models with any number of vertices; the index of a vertex defines its position and normal.

use std::f32::consts::TAU;

use maquette_core::glam::{Quat, Vec2, Vec3};
use maquette_core::model::packed_normal::{nearest_ring_normal, nearest_table_normal, nearest_zenith_azimuth};
use maquette_core::model::{
    Binding, ByteFrame, ChannelJoint, Format, FrameInfo, Joint, JointChannels, JointFrames, JointTrack, JointTransform,
    KeyDeltaFrame, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices, ShortVertex, SkeletalMotion,
    Surface, TagTrack, Weight,
};

use serde_json::json;

use crate::ghoul2_files::{Gla, GlaBone, Glm, GlmVertex, bind_at, raised_by};
use crate::gltf::{GltfFile, U16, U32};
use crate::iqm::{Iqm, IqmAnim, IqmArray, IqmJoint, IqmMesh, IqmPose};
use crate::skeletal_files::MdrVertex;
use crate::wolfenstein_files::Wolf;

/// Frame count of every model except MDC, which has [`MDC_FRAMES`].
pub const FRAMES: usize = 3;
/// A key frame, two delta frames, another key frame.
pub const MDC_FRAMES: [(u16, Option<u16>); 4] = [(0, None), (0, Some(0)), (0, Some(1)), (1, None)];
/// Joint count of every skeletal model.
pub const JOINTS: usize = 40;

/// Returns a direction on a spiral over the sphere, so that neighbours are similar, as in real models.
pub fn direction(vertex: usize, frame: usize) -> Vec3 {
    let height = 1.0 - (vertex % 4096) as f32 / 2048.0;
    let (sin, cos) = (vertex as f32 * 0.05 + frame as f32 * 0.3).sin_cos();
    Vec3::new(cos, sin, 0.0) * (1.0 - height * height).sqrt() + Vec3::Z * height
}

/// Returns a vertex of an MD3 or of an MDC key frame.
pub fn short_vertex(vertex: usize, frame: usize) -> ShortVertex {
    let [x, y, z] = (direction(vertex, frame) * (8000.0 + 500.0 * frame as f32)).to_array().map(|steps| steps as i16);
    ShortVertex { position: [x, y, z], normal: nearest_zenith_azimuth(direction(vertex, frame + 1)) }
}

/// Returns an MD2 vertex.
pub fn byte_vertex(vertex: usize, frame: usize) -> [u8; 4] {
    let [x, y, z] = (direction(vertex, frame) * 120.0 + 128.0).to_array().map(|steps| steps as u8);
    [x, y, z, nearest_table_normal(direction(vertex, frame + 1))]
}

/// Returns a vertex of an MDC delta.
pub fn delta_vertex(vertex: usize, frame: usize) -> [u8; 4] {
    let [x, y, z] = (direction(vertex, frame) * 100.0 + 127.0).to_array().map(|steps| steps as u8);
    [x, y, z, nearest_ring_normal(direction(vertex, frame + 2))]
}

/// Returns scale and translation of an MD2 frame.
pub fn byte_frame(frame: usize) -> ByteFrame {
    ByteFrame { scale: Vec3::new(0.5, 0.25, 1.0 + frame as f32), translate: Vec3::new(-64.0, frame as f32, 3.0) }
}

/// Returns the stored vertex of an MD2 vertex.
pub fn stored_of(vertex: usize, stored: usize) -> usize {
    (vertex * 7) % stored
}

/// Returns one of the `count` weights of a vertex.
pub fn weight(vertex: usize, index: usize, count: usize) -> Weight {
    Weight {
        joint: ((vertex / 64 + index) % JOINTS) as u32,
        bias: (index + 1) as f32 / (count * (count + 1) / 2) as f32,
        offset: direction(vertex, index) * 10.0,
        normal: direction(vertex, 5),
    }
}

/// Returns a model with these vertex counts per surface; MDR and MD5 get `weights` weights per vertex.
pub fn model(format: Format, surfaces: &[usize], weights: usize) -> Model {
    let (motion, frames) = match format {
        Format::Mdr | Format::Md5 => (skeletal(format, surfaces, weights), FRAMES),
        Format::Mdc => (morphing(format, surfaces), MDC_FRAMES.len()),
        _ => (morphing(format, surfaces), FRAMES),
    };
    let surface = |count: &usize| Surface { uvs: vec![Vec2::ZERO; *count], ..Surface::default() };
    let parts = ModelParts {
        format,
        version: None,
        name: String::new(),
        surfaces: surfaces.iter().map(surface).collect(),
        frames: vec![FrameInfo::default(); frames],
        tags: Vec::new(),
        clips: Vec::new(),
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion,
        data: Default::default(),
        details: Vec::new(),
    };
    Model::new(parts).expect("it is sound")
}

fn over<T>(frames: usize, vertices: usize, vertex: impl Fn(usize, usize) -> T) -> Vec<T> {
    let vertex = &vertex;
    (0..frames).flat_map(|frame| (0..vertices).map(move |index| vertex(index, frame))).collect()
}

fn morphing(format: Format, surfaces: &[usize]) -> Motion {
    let track = |count: &usize| {
        let (stored, frames) = match format {
            Format::Md2 => (count.div_ceil(2), FRAMES),
            Format::Mdc => (*count, MDC_FRAMES.len()),
            _ => (*count, FRAMES),
        };
        let vertices = match format {
            Format::Md2 => PackedVertices::Bytes {
                frames: (0..FRAMES).map(byte_frame).collect(),
                vertices: over(FRAMES, stored, byte_vertex),
            },
            Format::Mdc => PackedVertices::KeyDeltas {
                keys: over(2, stored, short_vertex),
                deltas: over(2, stored, delta_vertex),
                frames: MDC_FRAMES.map(|(key, delta)| KeyDeltaFrame { key, delta }).to_vec(),
            },
            _ => PackedVertices::Shorts(over(FRAMES, stored, short_vertex)),
        };
        let remap = (format == Format::Md2).then(|| (0..*count).map(|index| stored_of(index, stored) as u32).collect());
        MorphTrack { stored: stored as u32, frame_count: frames as u32, remap, vertices }
    };
    let tags = if format == Format::Mdc { TagTrack::Angles(Vec::new()) } else { TagTrack::Axes(Vec::new()) };
    Motion::Morph(MorphMotion { surfaces: surfaces.iter().map(track).collect(), tags })
}

fn skeletal(format: Format, surfaces: &[usize], weights: usize) -> Motion {
    let transform = |joint: usize| JointTransform {
        rotation: Quat::from_rotation_z(joint as f32 * TAU / JOINTS as f32),
        translation: Vec3::new(joint as f32, 1.0, -2.0),
    };
    let joint =
        |joint: usize| Joint { name: format!("{joint}"), parent: None, bind: transform(joint), is_added: false };
    let binding = |count: &usize| Binding {
        bind: Vec::new(),
        vertices: (0..*count).map(|vertex| ((vertex * weights) as u32, weights as u32)).collect(),
        weights: (0..*count).flat_map(|vertex| (0..weights).map(move |index| weight(vertex, index, weights))).collect(),
    };
    let tracks = if format == Format::Mdr {
        // Each bone is rotated about Z by its own angle, and moved.
        let matrix = |bone: usize| {
            let (sin, cos) = (bone as f32 * 0.1).sin_cos();
            [cos, -sin, 0.0, bone as f32, sin, cos, 0.0, 2.0, 0.0, 0.0, 1.0, 3.0]
        };
        let frames = JointFrames::Matrices((0..FRAMES * JOINTS).map(matrix).collect());
        vec![JointTrack { first: 0, frame_count: FRAMES as u32, frames }]
    } else {
        let rest = FRAMES - 1;
        let channel = |joint: usize| ChannelJoint {
            parent: None,
            flags: 63,
            first: 6 * joint as u32,
            translation: Vec3::ZERO,
            rotation_xyz: Vec3::ZERO,
        };
        let channels = JointChannels {
            joints: (0..JOINTS).map(channel).collect(),
            stride: 6 * JOINTS as u32,
            components: (0..rest * 6 * JOINTS).map(|index| (index % 23) as f32 * 0.02).collect(),
            joint_of_mesh: (0..JOINTS as u32).map(Some).collect(),
        };
        vec![
            JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind },
            JointTrack { first: 1, frame_count: rest as u32, frames: JointFrames::Channels(channels) },
        ]
    };
    Motion::Skeletal(SkeletalMotion {
        joints: (0..JOINTS).map(joint).collect(),
        bindings: surfaces.iter().map(binding).collect(),
        tracks,
        tags: Vec::new(),
    })
}

/// Returns a deterministic number in the range of model coordinates.
pub fn number(index: usize) -> f32 {
    (index as f32 * 0.618_034).fract() * 40.0 - 20.0
}

/// Returns a chain of joints, and vertices with two weights, for an MDS, or for an MDM and an MDX.
pub fn wolf(vertices: usize, frames: usize, triangles: Vec<[i32; 3]>) -> Wolf {
    let weight = |index: usize| ((index % JOINTS) as i32, 0.5, [number(index), 1.0, 2.0]);
    let vertex = |index: usize| MdrVertex {
        normal: [0.0, 0.0, 1.0],
        uv: [number(index), number(index + 5)],
        weights: vec![weight(index), weight(index + 1)],
    };
    let angles =
        |frame: usize| (0..JOINTS).map(move |joint| [0, 1, 2, 0, 3, 4].map(|axis| (frame * 7 + joint + axis) as i16));
    Wolf {
        bones: (0..JOINTS).map(|index| ("bone", index as i32 - 1, 0.5, 2.0, 0)).collect(),
        frames: (0..frames).map(|frame| ([1.0, 2.0, 3.0], angles(frame).collect())).collect(),
        vertices: (0..vertices).map(vertex).collect(),
        triangles,
        tags: Vec::new(),
        mdm_tags: Vec::new(),
        ..Wolf::typical()
    }
}

/// Returns a mesh for [`gla`]. Vertices have two weights.
pub fn glm(vertices: usize, triangles: Vec<[i32; 3]>) -> Glm {
    let vertex = |index: usize| GlmVertex {
        normal: [0.0, 0.0, 1.0],
        position: [number(index), 1.0, 2.0],
        uv: [number(index), number(index + 5)],
        weights: vec![((index % 31) as u32, 511), ((index % 31) as u32 + 1, 512)],
    };
    let mut glm = Glm { bones: JOINTS as i32, lods: 1, ..Glm::typical() };
    let body = &mut glm.surfaces[0];
    body.references = (0..32).collect();
    body.vertices = (0..vertices).map(vertex).collect();
    body.triangles = triangles;
    glm
}

/// Returns a chain of joints, each with a separate entry in each frame.
pub fn gla(frames: usize) -> Gla {
    let bone = |index: usize| GlaBone { name: "bone", parent: index as i32 - 1, bind: bind_at([1.0, 2.0, 3.0]) };
    let entries = |frame: usize| (frame * JOINTS..(frame + 1) * JOINTS).map(|entry| entry as u32).collect();
    Gla {
        bones: (0..JOINTS).map(bone).collect(),
        frames: (0..frames).map(entries).collect(),
        pool: (0..frames * JOINTS).map(|entry| raised_by((entry % 100) as u16)).collect(),
    }
}

/// Returns a mesh with two weights for each vertex, and an animation in which every joint rotates and moves.
pub fn iqm(vertices: usize, frames: usize, triangles: Vec<[i32; 3]>) -> Iqm {
    let numbers = |size: usize| (0..vertices * size).map(number).collect::<Vec<f32>>();
    let joints = |index: usize| [(index % JOINTS) as u8, ((index + 1) % JOINTS) as u8, 0, 0];
    let moving = |index: usize| {
        let still = IqmPose::still(index as i32 - 1, [0.0; 3]);
        (0..6).fold(still, |pose, channel| pose.moving(channel, 0.1, 1e-5))
    };
    let row = |frame: usize| (0..6 * JOINTS).map(|channel| (frame * 31 + channel * 7) as u16).collect();
    Iqm {
        vertices: vertices as u32,
        meshes: vec![IqmMesh {
            name: "body",
            material: "models/box/skin",
            vertices: (0, vertices as u32),
            triangles: (0, triangles.len() as u32),
        }],
        arrays: vec![
            IqmArray::floats(0, 3, &numbers(3)),
            IqmArray::floats(1, 2, &numbers(2)),
            IqmArray::floats(2, 3, &[0.0, 0.0, 1.0].repeat(vertices)),
            IqmArray::bytes(4, 4, &(0..vertices).flat_map(joints).collect::<Vec<u8>>()),
            IqmArray::bytes(5, 4, &[127, 128, 0, 0].repeat(vertices)),
        ],
        triangles: triangles.iter().map(|triangle| triangle.map(|index| index as u32)).collect(),
        joints: (0..JOINTS).map(|index| IqmJoint::at("bone", index as i32 - 1, [1.0, 2.0, 3.0])).collect(),
        poses: (0..JOINTS).map(moving).collect(),
        anims: vec![IqmAnim { name: "run", first: 0, count: frames as u32, rate: 20.0, flags: 1 }],
        frames: (0..frames).map(row).collect(),
        bounds: vec![[-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 2.0]; frames],
        ..Iqm::typical()
    }
}

/// Returns a glTF with one primitive.
pub fn gltf(vertices: usize, triangles: &[[i32; 3]]) -> GltfFile {
    let mut file = GltfFile::empty();
    let numbers = |size: usize| (0..vertices * size).map(number).collect::<Vec<f32>>();
    let positions = file.floats("VEC3", &numbers(3));
    let normals = file.floats("VEC3", &[0.0, 0.0, 1.0].repeat(vertices));
    let uvs = file.floats("VEC2", &numbers(2));
    let corners: Vec<u8> = triangles.as_flattened().iter().flat_map(|corner| corner.to_le_bytes()).collect();
    let indices = file.numbers(U32, "SCALAR", &corners, 3 * triangles.len());
    let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs });
    file.push("meshes", json!({ "primitives": [{ "attributes": attributes, "indices": indices }] }));
    file.push("nodes", json!({ "name": "body", "mesh": 0 }));
    file.show(&[0]);
    file
}

/// Returns a glTF with one primitive on [`JOINTS`] joints, four weights for each vertex, and an animation of all joints.
pub fn gltf_with_joints(vertices: usize, keys: usize, triangles: &[[i32; 3]]) -> GltfFile {
    let mut file = gltf(vertices, triangles);
    let joints = |vertex: usize| (0..4).map(move |index| ((vertex / 64 + index) % JOINTS) as u16);
    let joints: Vec<u8> = (0..vertices).flat_map(joints).flat_map(u16::to_le_bytes).collect();
    let joints = file.numbers(U16, "VEC4", &joints, vertices);
    let weights = file.floats("VEC4", &[0.4, 0.3, 0.2, 0.1].repeat(vertices));
    file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
    file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
    let times: Vec<f32> = (0..keys).map(|key| key as f32 / 24.0).collect();
    let times = file.floats("SCALAR", &times);
    let (mut channels, mut samplers) = (Vec::new(), Vec::new());
    for joint in 0..JOINTS {
        let children: Vec<usize> = (joint + 1 < JOINTS).then_some(joint + 2).into_iter().collect();
        let mut node = json!({ "name": format!("bone{joint}"), "translation": [0.0, 0.1, 0.0] });
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        file.push("nodes", node);
        let angle = |key: usize| Quat::from_rotation_x(number(key + joint) * 0.01).to_array();
        let rotations = file.floats("VEC4", &(0..keys).flat_map(angle).collect::<Vec<f32>>());
        channels.push(json!({ "sampler": joint, "target": { "node": joint + 1, "path": "rotation" } }));
        samplers.push(json!({ "input": times, "output": rotations }));
    }
    file.push("skins", json!({ "joints": (1..=JOINTS).collect::<Vec<usize>>() }));
    file.json["nodes"][0]["skin"] = json!(0);
    file.show(&[0, 1]);
    file.push("animations", json!({ "name": "run", "channels": channels, "samplers": samplers }));
    file
}

/// Returns a model of [`FRAMES`] frames, which is loaded from a generated file.
pub fn loaded(format: Format, vertices: usize) -> Model {
    let triangles = vec![[0, 1, 2]];
    let load = |bytes: Vec<u8>| maquette_core::formats::load(&bytes).expect("it is sound").0;
    let with = |mut model: Model, animation: &[u8]| {
        model.add_animation("run", animation).expect("it fits");
        model
    };
    match format {
        Format::Mds => load(wolf(vertices, FRAMES, triangles).mds()),
        Format::Mdm => {
            let wolf = wolf(vertices, FRAMES, triangles);
            with(load(wolf.mdm()), &wolf.mdx())
        }
        Format::Glm => with(load(glm(vertices, triangles).build()), &gla(FRAMES).build()),
        Format::Iqm => load(iqm(vertices, FRAMES, triangles).build()),
        other => panic!("no generator for a large {other:?}"),
    }
}
