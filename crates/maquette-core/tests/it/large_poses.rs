//! Poses of many vertices: vertex count and thread count do not change any vertex.
//!
//! Expected values follow the formulas of the formats, calculated vertex by vertex.

use maquette_core::glam::{Affine3A, Vec3};
use maquette_core::model::packed_normal::{ring_normal, table_normal, zenith_azimuth};
use maquette_core::model::{Bounds, Format, Model, ModelParts, Motion, PackedVertices};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample, sample_on};

use maquette_testing::large::{
    MDC_FRAMES, byte_frame, byte_vertex, delta_vertex, direction, model, short_vertex, stored_of, weight,
};

const ALL: [Format; 5] = [Format::Md2, Format::Md3, Format::Mdc, Format::Mdr, Format::Md5];

/// Counts around all SIMD block sizes.
const COUNTS: [usize; 18] = [1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 65, 127, 129, 300];

fn between(from: u32, to: u32, t: f32) -> Sampling {
    Sampling::at(FrameBlend { from, to, t })
}

fn posed(model: &Model, sampling: &Sampling) -> Pose {
    let mut pose = Pose::default();
    sample(model, sampling, &mut pose);
    pose
}

/// Returns the stored position and normal of a morphed vertex in a frame.
fn stored(format: Format, vertex: usize, count: usize, frame: usize) -> (Vec3, Vec3) {
    let short = |frame: usize| {
        let stored = short_vertex(vertex, frame);
        (Vec3::from_array(stored.position.map(f32::from)) / 64.0, zenith_azimuth(stored.normal))
    };
    match format {
        Format::Md2 => {
            let [x, y, z, normal] = byte_vertex(stored_of(vertex, count.div_ceil(2)), frame);
            let frame = byte_frame(frame);
            (Vec3::from_array([x, y, z].map(f32::from)) * frame.scale + frame.translate, table_normal(normal))
        }
        Format::Md3 => short(frame),
        _ => match MDC_FRAMES[frame] {
            (key, None) => short(key.into()),
            (key, Some(delta)) => {
                let [x, y, z, normal] = delta_vertex(vertex, delta.into());
                let offset = (Vec3::from_array([x, y, z].map(f32::from)) - 127.0) * 0.05;
                (short(key.into()).0 + offset, ring_normal(normal))
            }
        },
    }
}

#[test]
fn morphed_vertices_match_the_format_formulas() {
    for format in [Format::Md2, Format::Md3, Format::Mdc] {
        for count in COUNTS {
            let model = model(format, &[count], 0);
            let frames = model.frames().len();
            let pairs = (0..frames).flat_map(|from| (0..frames).map(move |to| (from, to)));
            for ((from, to), t) in pairs.flat_map(|pair| [0.0, 0.3, 1.0].map(|t| (pair, t))) {
                let pose = posed(&model, &between(from as u32, to as u32, t));
                let surface = &pose.surfaces[0];
                assert_eq!((surface.positions.len(), surface.normals.len()), (count, count));
                for vertex in 0..count {
                    let (a, b) = (stored(format, vertex, count, from), stored(format, vertex, count, to));
                    let (position, normal) = (a.0.lerp(b.0, t), a.1.lerp(b.1, t).normalize());
                    let what = format!("{format}: vertex {vertex} of {count}, {from} to {to} at {t}");
                    assert!(surface.positions[vertex].distance(position) < 1e-4, "{what}");
                    assert!(surface.normals[vertex].distance(normal) < 1e-5, "{what}");
                }
                assert_eq!(pose.bounds, Bounds::from_points(surface.positions.iter().copied()), "{format}: {count}");
            }
        }
    }
}

#[test]
fn skinned_vertices_are_weighted_sums() {
    for format in [Format::Mdr, Format::Md5] {
        for (count, weights) in COUNTS.into_iter().flat_map(|count| [1, 2, 3, 5].map(|weights| (count, weights))) {
            let model = model(format, &[count], weights);
            let pose = posed(&model, &between(1, 2, 0.3));
            let surface = &pose.surfaces[0];
            for vertex in 0..count {
                let (mut position, mut normal) = (Vec3::ZERO, Vec3::ZERO);
                for weight in (0..weights).map(|index| weight(vertex, index, weights)) {
                    let joint: Affine3A = pose.joints[weight.joint as usize];
                    position += joint.transform_point3(weight.offset) * weight.bias;
                    normal += joint.transform_vector3(weight.normal) * weight.bias;
                }
                let what = format!("{format}: vertex {vertex} of {count} with {weights} weights");
                assert!(surface.positions[vertex].distance(position) < 1e-4, "{what}");
                assert!(surface.normals[vertex].distance(normal.normalize()) < 1e-5, "{what}");
                if format == Format::Mdr {
                    assert!((surface.normal_lengths[vertex] - normal.length()).abs() < 1e-5, "{what}");
                }
            }
            assert_eq!(surface.normal_lengths.len(), if format == Format::Mdr { count } else { 0 });
            assert_eq!(pose.bounds, Bounds::from_points(surface.positions.iter().copied()));
        }
    }
}

/// Returns the bits of every number of a pose.
fn bits(pose: &Pose) -> Vec<u32> {
    let corners = [pose.bounds.min, pose.bounds.max];
    let vectors = pose.surfaces.iter().flat_map(|surface| surface.positions.iter().chain(&surface.normals));
    let numbers = vectors.chain(&corners).flat_map(|vector| vector.to_array());
    let lengths = pose.surfaces.iter().flat_map(|surface| &surface.normal_lengths).copied();
    numbers.chain(lengths).map(f32::to_bits).collect()
}

#[test]
fn thread_count_does_not_change_results() {
    for format in ALL {
        for surfaces in [&[150_001][..], &[3, 70_000, 0, 17, 60_007, 4096, 31]] {
            let model = model(format, surfaces, 2);
            for sampling in [between(1, 2, 0.3), Sampling::at(FrameBlend::single(1))] {
                let on = |threads: usize| {
                    let mut pose = Pose::default();
                    sample_on(threads, &model, &sampling, &mut pose);
                    bits(&pose)
                };
                let one = on(1);
                for threads in [0, 2, 3, 7] {
                    assert!(on(threads) == one, "{format}: {surfaces:?} on {threads}");
                }
            }
        }
    }
}

#[test]
fn vertex_count_does_not_change_results() {
    for format in ALL.into_iter().filter(|format| *format != Format::Md2) {
        let sampling = between(1, 2, 0.3);
        let many = posed(&model(format, &[5000], 2), &sampling);
        for count in [1, 2, 3, 6, 31, 32, 33, 4097] {
            let few = posed(&model(format, &[count], 2), &sampling);
            assert_eq!(few.surfaces[0].positions, many.surfaces[0].positions[..count], "{format}: {count}");
            assert_eq!(few.surfaces[0].normals, many.surfaces[0].normals[..count], "{format}: {count}");
        }
    }
}

#[test]
fn pose_is_reusable_for_any_model() {
    let mut pose = Pose::default();
    for (count, format) in [900, 5, 300, 0, 40, 33, 2].into_iter().zip(ALL.into_iter().cycle()) {
        let model = model(format, &[count, 7], 2);
        sample(&model, &between(1, 2, 0.5), &mut pose);
        assert_eq!(bits(&pose), bits(&posed(&model, &between(1, 2, 0.5))), "{format}: {count}");
    }
}

/// Returns an MD2 of `count` vertices with the normal `from` in frame 0 and `to` in frame 1.
fn md2_with_normals(count: usize, from: u8, to: u8) -> Model {
    let mut parts: ModelParts = model(Format::Md2, &[count], 0).into_parts();
    let Motion::Morph(motion) = &mut parts.motion else { panic!("it morphs") };
    let track = &mut motion.surfaces[0];
    let PackedVertices::Bytes { vertices, .. } = &mut track.vertices else { panic!("an MD2") };
    for (index, vertex) in vertices.iter_mut().enumerate() {
        vertex[3] = if index < track.stored as usize { from } else { to };
    }
    Model::new(parts).unwrap()
}

#[test]
fn cancelling_normals_fall_back_to_the_first() {
    let opposite = (0..162).find(|index| table_normal(*index) == -table_normal(52)).unwrap();
    for count in [1, 5, 70] {
        let pose = posed(&md2_with_normals(count, 52, opposite), &between(0, 1, 0.5));
        assert_eq!(pose.surfaces[0].normals, vec![table_normal(52); count]);
    }
}

#[test]
fn non_finite_vertices_are_excluded_from_bounds() {
    let mut parts = model(Format::Mdr, &[100], 1).into_parts();
    let Motion::Skeletal(motion) = &mut parts.motion else { panic!("it has joints") };
    let maquette_core::model::JointFrames::Matrices(matrices) = &mut motion.tracks[0].frames else { panic!("an MDR") };
    matrices[0][3] = f32::NAN;
    matrices[1] = [0.0; 12];
    let pose = posed(&Model::new(parts).unwrap(), &Sampling::at(FrameBlend::single(0)));
    let surface = &pose.surfaces[0];
    // Vertices 0 to 63 belong to joint 0, the others to joint 1.
    assert!(surface.positions[..64].iter().all(|position| position.x.is_nan()));
    assert_eq!((pose.bounds.min, pose.bounds.max), (Vec3::ZERO, Vec3::ZERO));
    assert!(surface.normals[64..].iter().all(|normal| *normal == Vec3::Z), "no length: straight up");
    assert!(surface.normals[..64].iter().zip(0..).all(|(normal, vertex)| normal.distance(direction(vertex, 5)) < 1e-5));

    let mut parts = model(Format::Md2, &[50], 0).into_parts();
    let Motion::Morph(motion) = &mut parts.motion else { panic!("it morphs") };
    let PackedVertices::Bytes { frames, .. } = &mut motion.surfaces[0].vertices else { panic!("an MD2") };
    frames[1].translate.y = f32::INFINITY;
    let model = Model::new(parts).unwrap();
    assert!(posed(&model, &Sampling::at(FrameBlend::single(1))).bounds.is_empty());
    assert!(posed(&model, &between(0, 1, 0.5)).bounds.is_empty());
}
