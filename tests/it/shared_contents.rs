//! Frames, clips, weights, names and materials that a small file can multiply. Their cost is limited before the work
//! begins, so that time and memory stay in proportion to the file.

use std::collections::HashSet;

use maquette_assets::info::MaterialReports;
use maquette_assets::open::open;
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::formats::load;
use maquette_core::model::Format;

use crate::support::command::{maquette, text};
use maquette_testing::archives::folder;
use maquette_testing::files::{Md3, Mdc};
use maquette_testing::memory::peak_of;
use maquette_testing::skeletal_files::Mdr;

/// Runs a command that must fail with this message.
fn refuses(arguments: &[&str], sentence: &str) {
    let output = maquette(arguments);
    let message = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{message}");
    assert!(message.contains(sentence), "{message}");
}

/// Returns an animation of static joints.
fn static_animation(joints: usize, frames: usize) -> String {
    let each = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    format!(
        "MD5Version 10\nnumFrames {frames}\nnumJoints {joints}\nframeRate 24\nnumAnimatedComponents 0\n\
         hierarchy{{\n{}}}\nbounds{{\n{}}}\nbaseframe{{\n{}}}\n{}",
        each(joints, &|joint| format!("\"j{joint}\" -1 0 0\n")),
        each(frames, &|_| "(0 0 0)(1 1 1)\n".to_owned()),
        each(joints, &|_| "(1 0 0)(0 0 0)\n".to_owned()),
        each(frames, &|frame| format!("frame {frame}{{}}\n")),
    )
}

/// Returns a mesh with these numbers of joints and vertices.
fn mesh_of(joints: usize, vertices: usize) -> String {
    let joint_lines: String = (0..joints).map(|joint| format!("\"j{joint}\" -1 (0 0 0)(0 0 0)\n")).collect();
    let vertex_lines: String = (0..vertices).map(|vertex| format!("vert {vertex} (0 0) 0 1\n")).collect();
    format!(
        "MD5Version 10\n\
         numJoints {joints}\n\
         numMeshes 1\n\
         joints{{\n\
         {joint_lines}}}\n\
         mesh{{\n\
         shader \"a\"\n\
         numverts {vertices}\n\
         \
         {vertex_lines}numtris 1\ntri 0 0 1 2\nnumweights 1\nweight 0 0 1 (1 2 3)\n}}\n"
    )
}

#[test]
fn static_joints_cannot_multiply_animation_frames() {
    let mut model = load(mesh_of(1000, 3).as_bytes()).unwrap().0;
    let animation = static_animation(1000, 30_000);
    let warnings = model.add_animation("still", animation.as_bytes()).unwrap();
    let frames = model.clips().last().unwrap().count as usize;
    // The limit is a million joint transforms per model, or one per byte of the file.
    assert!(frames > 1 && frames * 1000 <= animation.len().max(1 << 20), "{frames} frames are used");
    let warnings = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(
        warnings.contains(&format!("30000 frames of 1000 joints are too many for a file of {} bytes", animation.len())),
        "{warnings}"
    );
    // Typical numbers of joints and frames are fully used.
    let mut model = load(mesh_of(110, 3).as_bytes()).unwrap().0;
    let warnings = model.add_animation("still", static_animation(110, 2000).as_bytes()).unwrap();
    assert!(warnings.iter().all(|warning| !warning.message.contains("too many")), "{warnings:?}");
    assert_eq!(model.clips().last().unwrap().count, 2000);
}

#[test]
fn static_clip_is_not_expanded_to_gigabytes() {
    let mesh = mesh_of(1, 20_000);
    let root = folder(&[("a.md5mesh", mesh.as_bytes()), ("a.md5anim", static_animation(1, 60_000).as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    for name in ["b.md3", "b.md2", "b.mdc"] {
        let output = maquette(&["convert", &path("a.md5mesh"), "-o", &path(name)]);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{message}");
        assert!(message.contains("60000 frames would take") && message.contains("the limit of 256 MB"), "{message}");
        assert!(!root.path().join(name).exists());
    }
    let output = maquette(&["convert", &path("a.md5mesh"), "--frame", "0", "-o", &path("b.md3")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn converter_numbers_40000_equal_tag_names() {
    let tag = ("tag_same", vec![[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; 2]);
    let bytes = Md3 { tags: vec![tag; 40_000], ..Md3::typical() }.build();
    let model = load(&bytes).unwrap().0;
    let options = ConvertOptions { frame: Some(0), ..ConvertOptions::to(Format::Md5) };
    let converted = convert(&model, &options).unwrap().model;
    let names: HashSet<&str> = converted.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names.len(), 40_001, "the root, and each tag");
    assert!(names.contains("tag_same") && names.contains("tag_same_2") && names.contains("tag_same_40000"));
}

#[test]
fn info_lists_shared_material_once() {
    let bytes = Md3 { surfaces: 2000, shaders: vec!["models/box/not there"], ..Md3::typical() }.build();
    let root = folder(&[("models/box/a.md3", &bytes)]);
    let output = maquette(&["info", "--json", root.path().join("models/box/a.md3").to_str().unwrap()]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let materials = report["materials"].as_array().unwrap();
    assert_eq!(materials.len(), 1);
    let surfaces: Vec<u64> = materials[0]["surfaces"].as_array().unwrap().iter().filter_map(|it| it.as_u64()).collect();
    assert_eq!(surfaces, (0..2000).collect::<Vec<u64>>());
    assert!(!materials[0]["steps"].as_array().unwrap().is_empty(), "search steps are missing");
}

#[test]
fn static_animation_packs_bones_in_bounded_memory() {
    let mesh = mesh_of(1000, 3);
    let animation = static_animation(1000, 30_000);
    let mut model = load(mesh.as_bytes()).unwrap().0;
    model.add_animation("still", animation.as_bytes()).unwrap();
    let options = ConvertOptions::to(Format::Mdr);
    let (converted, peak) = peak_of(|| convert(&model, &options).unwrap().model);
    assert_eq!(converted.frames().len() * converted.joints().len(), (model.frames().len() - 1) * 1000);
    let promised = 16 * (mesh.len() + animation.len()) + (96 << 20);
    assert!(peak < promised / 2, "{peak} bytes, and the model beside them");
}

#[test]
fn export_limits_frames_that_share_vertices() {
    let corners = 20_000;
    let bytes = Mdc {
        uvs: vec![[0.0; 2]; corners],
        keys: vec![vec![([0; 3], [0; 2]); corners], vec![([64; 3], [0; 2]); corners]],
        deltas: Vec::new(),
        tags: Vec::new(),
        tag_frames: Vec::new(),
        frames: (0..30_000).map(|frame| [frame % 2, -1]).collect(),
        ..Mdc::typical()
    }
    .build();
    let root = folder(&[("a.mdc", &bytes)]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let output = maquette(&["export", &path("a.mdc"), "-o", &path("a.glb")]);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(
        message.contains("30000 frames are too many to export; export fewer animations or a single frame"),
        "{message}"
    );
    assert!(!root.path().join("a.glb").exists());
}

#[test]
fn material_report_is_written_in_bounded_memory() {
    let name = "models/box/abcdefghij";
    // Each number has a different spelling of one definition.
    let spelled = |number: usize| -> String {
        let is_upper = |at: usize| at >= 11 && number >> (at - 11) & 1 == 1;
        name.char_indices().map(|(at, c)| if is_upper(at) { c.to_ascii_uppercase() } else { c }).collect()
    };
    let mesh =
        |number: usize| format!("mesh{{\nshader \"{}\"\nnumverts 0\nnumtris 0\nnumweights 0\n}}\n", spelled(number));
    let meshes: String = (0..1000).map(mesh).collect();
    let model = format!("MD5Version 10\nnumJoints 1\nnumMeshes 1000\njoints{{\n\"j\" -1 (0 0 0)(0 0 0)\n}}\n{meshes}");
    let stage = "{\nblend add\nmap textures/a_name_of_some_length\nscroll time, time\n}\n";
    let script = format!("{name}\n{{\n{}}}\n", stage.repeat(60));
    let root = folder(&[("models/box/a.md5mesh", model.as_bytes()), ("materials/a.mtr", script.as_bytes())]);
    let asset = open(&root.path().join("models/box/a.md5mesh")).unwrap();
    let materials = &asset.skins.first().unwrap().materials;
    let write = || {
        let report = MaterialReports::new(materials.iter());
        let mut written = Counted(0);
        serde_json::to_writer(&mut written, &report).unwrap();
        (report.iter().count(), written.0)
    };
    let ((looks, written), peak) = peak_of(write);
    assert_eq!(looks, 1000);
    assert!(peak * 10 < written, "{peak} bytes for {written} of {looks} looks");
}

/// Counts the written bytes.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn conversion_limit_counts_weights_per_frame() {
    let weights: String = (0..24_000).map(|weight| format!("weight {weight} 0 0.0001 (1 2 3)\n")).collect();
    let vertices: String = (0..3).map(|vertex| format!("vert {vertex} (0 0) {} 8000\n", vertex * 8000)).collect();
    let mesh = format!(
        "MD5Version 10\n\
         numJoints 1\n\
         numMeshes 1\n\
         joints{{\n\
         \"j0\" -1 (0 0 0)(0 0 0)\n\
         }}\n\
         mesh{{\n\
         shader \"a\"\n\
         numverts 3\n\
         \
         {vertices}numtris 1\ntri 0 0 1 2\nnumweights 24000\n{weights}}}\n"
    );
    let root = folder(&[("a.md5mesh", mesh.as_bytes()), ("a.md5anim", static_animation(1, 30_000).as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (from, to) = (path("a.md5mesh"), path("b.md3"));
    refuses(&["convert", &from, "-o", &to], "30000 frames of 3 vertices and 24000 weights are too many to convert");
    let output = maquette(&["convert", &from, "--frame", "0", "-o", &to]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn conversion_and_export_limit_frames_of_overlapping_clips() {
    let frames = vec![Mdr::typical().frames[0].clone(); 4000];
    let clips: String = (0..2000).map(|clip| format!("CLIP_{clip} 0 4000 0 10\n")).collect();
    let bytes = Mdr { frames, ..Mdr::typical() }.build();
    let root = folder(&[("a.mdr", &bytes), ("animation.cfg", clips.as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let from = path("a.mdr");
    refuses(&["convert", &from, "-o", &path("b.md5mesh")], "the clips with 8000000 frames in total would take");
    refuses(&["export", &from, "-o", &path("b.glb")], "have too many frames in total; export fewer animations");
    let output = maquette(&["export", &from, "--animation", "CLIP_7", "-o", &path("b.glb")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn edits_limit_frames_that_share_vertices() {
    let corners = 20_000;
    let bytes = Mdc {
        uvs: vec![[0.0; 2]; corners],
        keys: vec![vec![([0; 3], [0; 2]); corners]],
        deltas: Vec::new(),
        tags: Vec::new(),
        tag_frames: Vec::new(),
        frames: vec![[0, -1]; 20_000],
        ..Mdc::typical()
    }
    .build();
    let root = folder(&[("a.mdc", &bytes)]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    for change in [&["--recompute", "bounds"][..], &["--recompute", "normals"], &["--drop-degenerate"]] {
        let (from, to) = (path("a.mdc"), path("b.mdc"));
        refuses(
            &[&["convert", &from, "-o", &to], change].concat(),
            "the model has too many frames to be recomputed (20000)",
        );
    }
}
