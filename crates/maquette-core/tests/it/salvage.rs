//! Salvage of damaged files. Table offsets are calculated by hand from the layouts of the formats.

use maquette_core::error::FilePosition;
use maquette_core::formats::{self, Salvaged};
use maquette_core::model::Model;
use maquette_core::pose::{Pose, Sampling, sample};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use maquette_testing::bytes::with_i32;
use maquette_testing::files::{Md2, Md3, Mdc};
use maquette_testing::memory::peak_of;
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

/// Salvages a file that does not load. The first warning must be the load error, and a warning must name `field`.
#[track_caller]
fn intact(bytes: &[u8], field: &str) -> Model {
    let error = formats::load(bytes).expect_err("it is damaged");
    let Salvaged { model, warnings, is_damaged } = formats::salvage(bytes).unwrap();
    assert!(is_damaged && warnings[0].to_string().starts_with(&error.to_string()), "{warnings:?}");
    assert!(warnings.iter().any(|warning| warning.to_string().contains(field)), "{field} in {warnings:?}");
    model
}

/// Returns the numbers of surfaces, triangles of the first surface, frames and tags.
fn counts(model: &Model) -> [usize; 4] {
    let triangles = model.surfaces().first().map_or(0, |surface| surface.triangles.len());
    [model.surfaces().len(), triangles, model.frames().len(), model.tags().len()]
}

/// Asserts that salvage keeps everything although a number is damaged.
#[track_caller]
fn all_is_left(sound: &[u8], offset: usize, number: i32, field: &str) {
    let (whole, _) = formats::load(sound).unwrap();
    let model = intact(&with_i32(sound, offset, number), field);
    assert_eq!(counts(&model), counts(&whole), "{field} {number}");
    let (mut a, mut b) = (Pose::default(), Pose::default());
    sample(&model, &Sampling::default(), &mut a);
    sample(&whole, &Sampling::default(), &mut b);
    assert_eq!(a.surfaces[0].positions, b.surfaces[0].positions, "{field} {number}");
}

#[test]
fn salvage_ignores_wrong_version_or_frame_size() {
    let md2 = Md2::typical().build();
    for (offset, numbers, field) in [(4, [7, -1], "version"), (16, [-1, 55], "framesize")] {
        numbers.into_iter().for_each(|number| all_is_left(&md2, offset, number, field));
    }
    for bytes in [Md3 { surfaces: 3, ..Md3::typical() }.build(), Mdc::typical().build(), Mdr::typical().build()] {
        [14, 0].into_iter().for_each(|number| all_is_left(&bytes, 4, number, "version"));
    }
}

#[test]
fn salvage_rejects_corrupt_header_counts_like_load() {
    let cases = [
        (Md2::typical().build(), vec![(24, "num_xyz"), (40, "num_frames")]),
        (Md3::typical().build(), vec![(76, "numFrames"), (80, "numTags"), (84, "numSurfaces")]),
        (Mdc::typical().build(), vec![(76, "numFrames"), (80, "numTags"), (84, "numSurfaces")]),
        (Mdr::typical().build(), vec![(72, "numFrames"), (76, "numBones"), (84, "numLODs"), (92, "numTags")]),
    ];
    for (sound, fields) in cases {
        for (offset, field) in fields {
            for number in [i32::MAX, -1] {
                let damaged = with_i32(&sound, offset, number);
                let error = formats::salvage(&damaged).unwrap_err();
                assert_eq!(error, formats::load(&damaged).unwrap_err());
                assert_eq!((error.field.as_str(), error.position), (field, FilePosition::Byte(offset as u64)));
            }
        }
    }
}

#[test]
fn corrupt_surface_count_skips_the_surface() {
    // MD3: header of 108 bytes, two frames of 56, two tags of 112. numVerts and numTriangles are at 80 and 84 of the
    // surface.
    let md3 = Md3::typical().build();
    for (at, field) in [(80, "surface 0: numVerts at byte 0x20c"), (84, "surface 0: numTriangles at byte 0x210")] {
        assert_eq!(counts(&intact(&with_i32(&md3, 444 + at, -1), field)), [0, 0, 2, 1]);
    }
    // MDC: header of 112 bytes, three frames of 56, a name of 64, three tags of 12. The counts are at 72, 76, 84 and 88
    // of the surface.
    let mdc = Mdc::typical().build();
    for (at, field) in [(72, "numCompFrames"), (76, "numBaseFrames"), (84, "numVerts"), (88, "numTriangles")] {
        assert_eq!(counts(&intact(&with_i32(&mdc, 380 + at, i32::MIN), field)), [0, 0, 3, 1]);
    }
    // MDR: header of 104 bytes, two frames of 56 and two bones of 48 each, 12 of the LOD. numTriangles is at 148 of the
    // surface.
    let mdr = Mdr { lods: 1, ..Mdr::typical() }.build();
    for (at, field) in [(408, "numSurfaces at byte 0x198"), (568, "LOD 0: surface 0: numTriangles at byte 0x238")] {
        assert_eq!(counts(&intact(&with_i32(&mdr, at, -1), field)), [0, 0, 2, 1]);
    }
}

#[test]
fn truncated_md3_keeps_data_before_the_cut() {
    // The first half of the file ends inside the first of three surfaces (bytes 444 to 704), so only the tags remain.
    let three = Md3 { surfaces: 3, ..Md3::typical() }.build();
    assert_eq!(three.len(), 1224);
    assert_eq!(counts(&intact(&three[..612], "ofsXyzNormals")), [0, 0, 2, 1]);
    // One frame of four vertices: header of 108 bytes, frame of 56, surface header of 108, two triangles of 12, shader
    // of 68, coordinates of 32.
    let corner = |x: i16| ([x, 0, 0], [0, 0]);
    let single_frame = Md3 {
        tags: Vec::new(),
        triangles: vec![[0, 1, 2], [1, 2, 3]],
        uvs: vec![[0.5; 2]; 4],
        frames: vec![[0, 64, 128, 192].map(corner).to_vec()],
        ..Md3::typical()
    };
    let bytes = single_frame.build();
    assert_eq!(bytes.len(), 396 + 4 * 8);
    let model = intact(&bytes[..396 + 3 * 8 + 5], "3 of 4 vertices are used");
    assert_eq!(counts(&model), [1, 1, 1, 0]);
    assert_eq!((model.surfaces()[0].vertex_count(), &model.surfaces()[0].triangles[0]), (3, &[0, 1, 2]));
}

#[test]
fn truncated_mdc_keeps_whole_key_frames() {
    // The surface is at 380, and its vertices are at 228 of it, in key frames of 24 bytes. The table of keys per frame
    // follows.
    let bytes = Mdc::typical().build();
    assert_eq!(bytes.len(), 380 + 300);
    let Salvaged { model, warnings, is_damaged } = formats::salvage(&bytes[..380 + 228 + 24 + 4]).unwrap();
    assert!(is_damaged && warnings[0].message.contains("ofsXyzNormals at byte 0x1e4"), "{warnings:?}");
    assert_eq!(counts(&model), [1, 1, 3, 1]);
    let (whole, _) = formats::load(&bytes).unwrap();
    let (mut cut, mut first) = (Pose::default(), Pose::default());
    sample(&whole, &Sampling::default(), &mut first);
    for frame in 0..3 {
        let blend = maquette_core::pose::FrameBlend::at_frame(f64::from(frame));
        sample(&model, &Sampling { blend, ..Sampling::default() }, &mut cut);
        assert_eq!(cut.surfaces[0].positions, first.surfaces[0].positions, "frame {frame}");
    }
    // Half of the file ends in the header of the surface, so only the tag remains.
    assert_eq!(counts(&formats::salvage(&bytes[..bytes.len() / 2 + 40]).unwrap().model)[3], 1);
}

#[test]
fn truncated_mdr_keeps_bones_and_triangles_before_the_cut() {
    // The LOD is at 408. Its surface is at 420, with a header of 168 bytes, vertices of 152, then triangles of 12.
    let bytes = Mdr { triangles: vec![[0, 1, 2], [2, 1, 0]], ..Mdr::typical() }.build();
    let model = intact(&bytes[..740 + 12 + 3], "1 of 2 records are used");
    assert_eq!((counts(&model), model.joints().len()), ([1, 1, 2, 0], 2));
    let model = intact(&bytes[..bytes.len() / 2], "surface 0: header");
    assert_eq!((counts(&model), model.joints().len()), ([0, 0, 2, 0], 2));
    // The file is truncated within the second frame: 104 + 152 + 20.
    let model = intact(&bytes[..276], "1 of 2 records are used");
    assert_eq!((counts(&model), model.joints().len()), ([0, 0, 1, 0], 2));
    // An empty first LOD is dropped, and the second becomes the first.
    let model = intact(&with_i32(&bytes, 420 + 144, -10_000), "ofsVerts");
    assert_eq!((counts(&model), model.lod_count()), ([1, 2, 2, 1], 1));
}

#[test]
fn truncated_md2_keeps_whole_frames() {
    // Frames of 56 bytes begin at 240; framesize is at byte 16.
    let bytes = Md2::typical().build();
    assert_eq!(counts(&intact(&with_i32(&bytes[..300], 16, 0), "framesize at byte 0x10")), [1, 2, 1, 0]);
    // Without a whole frame, nothing remains.
    for length in [204, 272, 20, 5] {
        let cut = &bytes[..length];
        assert_eq!(formats::salvage(cut).unwrap_err(), formats::load(cut).unwrap_err());
    }
}

#[test]
fn damaged_md5_keeps_its_intact_meshes() {
    let mesh = &MD5_MESH[MD5_MESH.find("mesh {").unwrap()..];
    let two = format!("{MD5_MESH}{}", mesh.replace("models/box/skin", "second"));
    let of = |text: &str, field: &str| {
        let model = intact(text.as_bytes(), field);
        let materials: Vec<String> = model.surfaces().iter().map(|it| it.materials[0].clone()).collect();
        (counts(&model), model.joints().len(), materials)
    };
    let (first, second) = ("models/box/skin".to_owned(), "second".to_owned());
    let cut = &two[..two.rfind("numtris").unwrap()];
    assert_eq!(of(cut, "mesh 1"), ([1, 1, 1, 0], 2, vec![first.clone()]));
    let wrong = two.replacen("vert 1 ( 1 0 )", "vert 1 ( x 0 )", 1);
    assert_eq!(of(&wrong, "vert 1"), ([1, 1, 1, 0], 2, vec![second]));
    for (from, to) in [("numJoints 2", "numJoints 99"), ("numJoints 2", "numJoints -2"), ("numMeshes 1", "numMeshes x")]
    {
        let field = &from[..from.len() - 2];
        assert_eq!(of(&MD5_MESH.replace(from, to), field), ([1, 1, 1, 0], 2, vec![first.clone()]), "{to}");
    }
    // The file ends in the weights of the second triangle, so the first remains.
    let more = MD5_MESH.replace("numtris 1", "numtris 2\n\ttri 1 0 1 1");
    let cut = &more[..more.find("weight 2").unwrap()];
    assert_eq!(of(cut, "mesh 0"), ([1, 1, 1, 0], 2, vec![first]));
    // A mesh without its joints cannot be posed.
    let cut = &MD5_MESH[..MD5_MESH.find("\"arm\"").unwrap()];
    assert_eq!(formats::salvage(cut.as_bytes()).unwrap_err(), formats::load(cut.as_bytes()).unwrap_err());
}

#[test]
fn intact_file_is_salvaged_whole() {
    for bytes in files() {
        let (model, warnings) = formats::load(&bytes).unwrap();
        let salvaged = formats::salvage(&bytes).unwrap();
        assert_eq!((counts(&salvaged.model), salvaged.warnings), (counts(&model), warnings));
        assert!(!salvaged.is_damaged);
    }
}

fn files() -> Vec<Vec<u8>> {
    vec![
        Md2::typical().build(),
        Md3 { surfaces: 2, ..Md3::typical() }.build(),
        Mdc::typical().build(),
        Mdr::typical().build(),
        Mdr { compressed: true, ..Mdr::typical() }.build(),
        MD5_MESH.into(),
    ]
}

/// Salvages and poses a file within the memory limit of loaders.
fn survives(bytes: &[u8]) {
    let (salvaged, peak) = peak_of(|| formats::salvage(bytes));
    assert!(peak <= 16 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
    let loaded = formats::load(bytes);
    let Ok(Salvaged { model, warnings, is_damaged }) = salvaged else {
        assert!(loaded.is_err(), "what loads can be salvaged");
        return;
    };
    if let Err(error) = loaded {
        assert!(is_damaged && warnings[0].message.starts_with(&error.to_string()), "{warnings:?}");
    }
    let mut pose = Pose::default();
    for frame in [0, model.frames().len() / 2, model.frames().len() - 1] {
        let blend = maquette_core::pose::FrameBlend::at_frame(frame as f64);
        sample(&model, &Sampling { blend, ..Sampling::default() }, &mut pose);
    }
    Model::new(model.into_parts()).expect("it is sound");
}

#[test]
fn salvage_survives_every_cut_and_number() {
    for file in files() {
        (0..file.len()).for_each(|length| survives(&file[..length]));
        for offset in (0..file.len() - 3).step_by(4) {
            for value in [0, -1, 65_535, 1 << 20, i32::MAX, i32::MIN] {
                survives(&with_i32(&file, offset, value));
            }
        }
    }
}

#[test]
fn salvage_survives_random_corruption() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 4000, failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let files = files();
    let flips = prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..12);
    let cases = (0..files.len(), flips, any::<prop::sample::Index>(), any::<bool>());
    let run = |(file, flips, cut, is_cut): (usize, Vec<(prop::sample::Index, u8)>, prop::sample::Index, bool)| {
        let mut bytes = files[file].clone();
        for (index, value) in flips {
            let offset = 4 + index.index(bytes.len() - 4);
            bytes[offset] = value;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        survives(&bytes);
        Ok(())
    };
    runner.run(&cases, run).unwrap();
}

#[test]
fn salvage_allocates_nothing_for_counts_beyond_file() {
    // Many surfaces claim missing frames and vertices.
    let file = Md3 { surfaces: 200, ..Md3::typical() }.build();
    for (offset, value) in [(76, 6000), (80, 400), (80, i32::MAX), (76, i32::MAX)] {
        let mut bytes = with_i32(&file, offset, value);
        bytes = with_i32(&bytes, 4, 9);
        survives(&bytes);
        survives(&bytes[..bytes.len() / 2]);
    }
    let file = Mdc::typical().build();
    for value in [60, 85] {
        survives(&with_i32(&with_i32(&file, 4, 9), 76, value));
    }
}
