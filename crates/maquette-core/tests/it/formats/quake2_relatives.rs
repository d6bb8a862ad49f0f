//! Kingpin MDX, Heretic II FM and Daikatana DKM.

use glam::{Vec2, Vec3};
use maquette_core::model::Model;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::quake2_files::{dkm, fm, kmdx};

/// Returns position and normal of the corners of a triangle in a frame.
fn corners(model: &Model, frame: u32, surface: usize, triangle: usize) -> [(Vec3, Vec3); 3] {
    let mut pose = Pose::default();
    sample(model, &Sampling { blend: FrameBlend::single(frame), ..Sampling::default() }, &mut pose);
    let posed = &pose.surfaces[surface];
    model.surfaces()[surface].triangles[triangle]
        .map(|index| (posed.positions[index as usize], posed.normals[index as usize]))
}

fn uvs(model: &Model, surface: usize, triangle: usize) -> [Vec2; 3] {
    let surface = &model.surfaces()[surface];
    surface.triangles[triangle].map(|index| surface.uvs[index as usize])
}

/// Corners of the triangles 0 2 1 and 0 3 2 of the square: bytes times (1, 2, 3) plus (10, 20, 30).
const FIRST: [Vec3; 3] = [Vec3::new(10.0, 20.0, 30.0), Vec3::new(12.0, 22.0, 30.0), Vec3::new(12.0, 20.0, 30.0)];
const SECOND: [Vec3; 3] = [Vec3::new(10.0, 20.0, 30.0), Vec3::new(10.0, 22.0, 30.0), Vec3::new(12.0, 22.0, 30.0)];

#[test]
fn kingpin_parts_are_surfaces_of_gl_commands() {
    let (model, warnings) = load(&kmdx());
    assert_eq!((warnings.as_str(), model.version(), model.format().name()), ("", Some(4), "kmdx"));
    let counts: Vec<_> = model.surfaces().iter().map(|surface| surface.triangles.len()).collect();
    assert_eq!(counts, [1, 1], "the last step of the strip has no area");
    assert_eq!(corners(&model, 0, 0, 0).map(|(position, _)| position), SECOND);
    assert_eq!(corners(&model, 0, 1, 0), FIRST.map(|position| (position, Vec3::Z)));
    let lifted = corners(&model, 1, 1, 0).map(|(position, _)| position.z);
    assert_eq!(lifted, [60.0; 3]);
    assert_eq!(uvs(&model, 1, 0), [Vec2::ZERO, Vec2::new(1.0, 0.0), Vec2::new(1.0, 0.5)]);
    assert!(model.surfaces().iter().all(|surface| surface.materials == ["models/thug/body.tga"]));
    let clips: Vec<_> = model.clips().iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(clips, ["all"], "no two frames form a group");
}

#[test]
fn heretic_mesh_nodes_are_surfaces() {
    let (model, warnings) = load(&fm(2));
    assert_eq!((warnings.as_str(), model.surfaces().len()), ("", 2));
    assert_eq!(corners(&model, 0, 0, 0).map(|(position, _)| position), FIRST);
    assert_eq!(corners(&model, 0, 1, 0).map(|(position, _)| position), SECOND);
    assert_eq!(model.skins(), ["models/elf/skin.m8"]);
}

#[test]
fn heretic_models_without_mesh_nodes_have_the_triangle_list() {
    let (model, warnings) = load(&fm(0));
    assert_eq!((warnings.as_str(), model.surfaces().len()), ("", 1));
    assert_eq!(corners(&model, 0, 0, 0).map(|(position, _)| position), FIRST);
    // Texels 31, 63 of a skin of 64 × 128, at their centres.
    assert_eq!(uvs(&model, 0, 0)[1], Vec2::new(31.5 / 64.0, 63.5 / 128.0));
}

#[test]
fn daikatana_adds_the_translation_of_the_header() {
    for version in [1, 2] {
        let (model, warnings) = load(&dkm(version));
        assert_eq!((warnings.as_str(), model.version(), model.surfaces().len()), ("", Some(version), 2));
        // Version 2 has the bits of x = 1000 and y = 500 more.
        let offset =
            Vec3::new(100.0, 0.0, 0.0) + if version == 2 { Vec3::new(1000.0, 1000.0, 0.0) } else { Vec3::ZERO };
        assert_eq!(corners(&model, 0, 1, 0), FIRST.map(|position| (position + offset, Vec3::Z)));
        assert_eq!(corners(&model, 0, 0, 0).map(|(position, _)| position), SECOND.map(|position| position + offset));
        assert_eq!(uvs(&model, 1, 0), [Vec2::ZERO, Vec2::new(0.25, -0.5), Vec2::ZERO]);
        let clips: Vec<_> = model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
        assert_eq!(clips, [("amba", 0, 2)]);
    }
}

#[test]
fn broken_relatives_of_md2_are_refused() {
    let file = kmdx();
    let longer = [file.as_slice(), b"x"].concat();
    let message = format!(
        "Kingpin MDX: ofs_end at byte 0x58: the value is {}, but the file has {} bytes",
        file.len(),
        longer.len()
    );
    assert_eq!(refusal(&longer).replace("KMDX", "Kingpin MDX"), message);
    let without_parts = with_i32(&file, 48, 0);
    assert!(refusal(&without_parts).contains("the GL commands have no triangles of a part"));
    let cut = &fm(0)[..300];
    assert_eq!(refusal(cut), "FM: block at byte 0x128: the file ends here; 40 bytes are needed, but only 4 are left");
    assert!(refusal(&with_i32(&dkm(1), 4, 3)).contains("version 3 is not supported; expected version 1 or 2"));
    assert!(refusal(&with_i32(&dkm(1), 28, 0)).contains("at least one vertex"));
}

#[test]
fn groups_outside_of_the_frames_are_skipped() {
    let file = dkm(1);
    let last = file.len() - 4;
    let (model, warnings) = load(&with_i32(&file, last - 4, 7));
    assert_eq!(warnings, "animgroups: 1 group has no frames of the model; skipped");
    assert_eq!(model.clips().len(), 1);
}

#[test]
fn surface_of_unknown_vertices_is_skipped() {
    let file = dkm(1);
    let ofs_tris = i32::from_le_bytes(file[60..64].try_into().unwrap()) as usize;
    // The first two vertices of the only triangle of a surface.
    let (model, warnings) = load(&with_i32(&file, ofs_tris + 4, 99 << 16 | 99));
    assert_eq!(warnings, "tris: 1 surface has only triangles of vertices that do not exist; skipped");
    assert_eq!(model.surfaces().len(), 1);
    let none = with_i32(&with_i32(&file, ofs_tris + 4, 99), ofs_tris + 20, 99);
    assert!(refusal(&none).contains("tris"), "{}", refusal(&none));
}

#[test]
fn broken_gl_commands_of_heretic_are_reported() {
    let file = fm(2);
    let block = file.windows(6).position(|name| name == b"glcmds").unwrap();
    // After the head of 40 bytes: the number of vertices, then s, t and the index of the first.
    let (model, warnings) = load(&with_i32(&file, block + 52, 99));
    let wanted =
        "glcmds: 1 mesh node has GL commands that are cut or name vertices that do not exist; skipped from there";
    assert_eq!((warnings.as_str(), model.surfaces().len()), (wanted, 1));
}
