//! MDR (Elite Force): the mesh weighted to bones, with a coarser level of detail, and each frame's bone matrices.

use glam::{DAffine3, DVec3, Vec3};
use maquette_core::convert::{BonePacking, ConvertOptions, convert};
use maquette_core::formats;
use maquette_core::model::{
    Binding, Bounds, Clip as Frames, ClipSource, Format, FrameInfo, Joint, JointFrames, JointTrack, JointTransform,
    Model, ModelParts, Motion, SkeletalMotion, SkeletalTag, Surface, Weight,
};

use super::model::{Clip, Rigged};

/// Writes a model with compressed frames. `levels` is the mesh from the finest level of detail to the coarsest; joints and
/// tags are those of the first.
///
/// # Panics
/// Without any level, or if the model does not fit the format.
pub fn write(levels: &[&Rigged], clips: &[Clip]) -> Vec<u8> {
    let model = levels[0];
    let poses: Vec<&Vec<DAffine3>> = clips.iter().flat_map(|clip| &clip.frames).collect();
    let meshes = (0..).zip(levels).flat_map(|(lod, level)| level.surfaces.iter().map(move |mesh| (lod, *level, mesh)));
    let frame_count = poses.len() as u32;
    let joint = |name: &String| Joint { name: name.clone(), parent: None, bind: JointTransform::IDENTITY };
    let parts = ModelParts {
        format: Format::Mdr,
        version: Some(2),
        name: model.name.clone(),
        surfaces: (meshes.clone())
            .map(|(lod, _, mesh)| Surface {
                name: mesh.name.clone(),
                lod,
                materials: vec![mesh.material.clone()],
                triangles: mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex as u32)).collect(),
                uvs: mesh.vertices.iter().map(|vertex| vertex.uv.as_vec2()).collect(),
                ..Surface::default()
            })
            .collect(),
        frames: poses.iter().map(|pose| frame_info(model, pose)).collect(),
        tags: model.tags.iter().map(|tag| tag.name.clone()).collect(),
        clips: vec![Frames::new("all frames", 0, frame_count, 10.0, ClipSource::AllFrames)],
        alternative_clips: Vec::new(),
        skins: Vec::new(),
        motion: Motion::Skeletal(SkeletalMotion {
            joints: model.joints.iter().map(|own| joint(&own.name)).collect(),
            bindings: meshes.map(|(_, level, mesh)| binding(level, mesh)).collect(),
            tracks: vec![JointTrack {
                first: 0,
                frame_count,
                frames: JointFrames::Matrices(poses.into_iter().flatten().map(rows).collect()),
            }],
            tags: model.tags.iter().map(|tag| SkeletalTag::Joint(tag.joint as u32)).collect(),
        }),
        data: Default::default(),
        details: Vec::new(),
    };
    let options = ConvertOptions { packing: Some(BonePacking::Compressed), ..ConvertOptions::to(Format::Mdr) };
    let plain = Model::new(parts).expect("all indices are in range");
    let compressed = convert(&plain, &options).expect("bones stay within 512 units");
    formats::write(&compressed.model).expect("names are short").main
}

fn frame_info(model: &Rigged, pose: &[DAffine3]) -> FrameInfo {
    let (low, high) = model.posed_bounds(pose);
    FrameInfo {
        name: String::new(),
        bounds: Some(Bounds { min: single(low), max: single(high) }),
        origin: single((low + high) / 2.0),
        radius: ((high - low).length() / 2.0) as f32,
    }
}

fn binding(level: &Rigged, mesh: &super::model::Surface) -> Binding {
    let mut binding = Binding::default();
    for vertex in &mesh.vertices {
        binding.vertices.push((binding.weights.len() as u32, vertex.weights.len() as u32));
        binding.weights.extend(vertex.weights.iter().map(|&(joint, share)| Weight {
            joint: joint as u32,
            bias: share as f32,
            offset: single(level.joints[joint].bind.inverse().transform_point3(vertex.position)),
            normal: single(vertex.normal),
        }));
    }
    binding
}

/// Three rows of rotation and translation.
fn rows(bone: &DAffine3) -> [f32; 12] {
    let rows = [0, 1, 2].map(|row| bone.matrix3.row(row).extend(bone.translation[row]).as_vec4().to_array());
    std::array::from_fn(|index| rows[index / 4][index % 4])
}

/// The nearest single-precision vector, with minus zero as zero: minus zero would only make files differ.
fn single(value: DVec3) -> Vec3 {
    value.as_vec3() + Vec3::ZERO
}
