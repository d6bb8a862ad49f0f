//! Text report, JSON report and OBJ.

use maquette_assets::info::Report;
use maquette_core::error::Warning;
use maquette_core::export::{ExportPart, obj};
use maquette_core::formats;
use maquette_core::model::{Clip, ClipSource};
use maquette_core::pose::{Pose, Sampling, sample};

use maquette_testing::files::{Md2, Md3, Mdl};
use maquette_testing::iqm::{Iqm, IqmArray};
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

fn posed(bytes: &[u8]) -> (maquette_core::model::Model, Pose, Vec<Warning>) {
    let (model, warnings) = formats::load(bytes).expect("the built file is sound");
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    (model, pose, warnings)
}

#[test]
fn clips_of_frame_names_are_left_out_if_a_file_lists_them() {
    let (mut model, pose, warnings) = posed(&Md2::typical().build());
    // A list leaves out the last frame of a loop if it repeats the first.
    for (name, count, expected) in [("stand", 2, vec![30.0]), ("Stand", 1, vec![30.0]), ("walk", 2, vec![30.0, 10.0])] {
        model.replace_clips(vec![Clip::new(name, 0, count, 30.0, ClipSource::AnimationConfig)]);
        let report = serde_json::to_value(Report::new(&model, &pose, &warnings, "box.md2")).unwrap();
        let clips = report["animations"].as_array().unwrap();
        // Quake II plays frames that are named `stand` at 10 frames per second.
        assert_eq!(clips.iter().filter_map(|clip| clip["fps"].as_f64()).collect::<Vec<_>>(), expected, "{name}");
    }
}

#[test]
fn json_report_contains_all_file_fields() {
    let (model, pose, warnings) = posed(&Md2::typical().build());
    let report: serde_json::Value = serde_json::to_value(Report::new(&model, &pose, &warnings, "box.md2")).unwrap();
    assert_eq!(report["format"], "md2");
    assert_eq!(report["version"], 8);
    assert_eq!(report["name"], "box.md2");
    assert_eq!(report["frames"], 2);
    assert_eq!(report["surfaces"][0]["triangles"], 2);
    assert_eq!(report["surfaces"][0]["materials"][1], "models/box/pain.pcx");
    assert_eq!(report["skins"][0], "models/box/skin.pcx");
    assert_eq!(report["animations"][0]["name"], "stand");
    assert_eq!(report["animations"][0]["frames"], 2);
    assert_eq!(report["details"]["skinwidth"], "64");
    assert_eq!(report["details"]["glCommands"][0], 4);
    assert_eq!(report["details"]["glCommands in words"], "strips 1, fans 0, triangles 2");
    assert_eq!(report["frame_list"][1]["name"], "stand02");
    assert_eq!(report["bounds"]["min"], serde_json::json!([10.0, 20.0, 30.0]));
}

#[test]
fn reports_list_times_of_frame_groups() {
    let (model, pose, warnings) = posed(&Mdl::grouped().build());
    let report = Report::new(&model, &pose, &warnings, "x.mdl");
    let text = report.to_text(24);
    assert!(text.contains("frames end (s)") && text.contains("  0.1 0.3  "), "{text}");
    assert_eq!(report.animations[0].end_times, [0.1, 0.3]);
    let (model, pose, warnings) = posed(&Mdl::typical().build());
    let report = Report::new(&model, &pose, &warnings, "x.mdl");
    assert!(!report.to_text(24).contains("frames end"));
    let report = serde_json::to_value(report).unwrap();
    assert_eq!(report["animations"][0]["end_times"], serde_json::json!([]));
}

#[test]
fn json_report_lists_tags_and_joints_of_pose() {
    let (model, pose, warnings) = posed(&Mdr::typical().build());
    let report = serde_json::to_value(Report::new(&model, &pose, &warnings, "x")).unwrap();
    assert_eq!(report["lods"], 2);
    assert_eq!(report["surfaces"][1]["lod"], 1);
    assert_eq!(report["tags"][0]["name"], "tag_hand");
    assert_eq!(report["tags"][0]["origin"], serde_json::json!([10.0, 0.0, 0.0]));
    assert_eq!(report["tags"][0]["axis"][1], serde_json::json!([0.0, 1.0, 0.0]));
    assert_eq!(report["joints"][0]["name"], "bone 0");
    assert_eq!(report["joints"][1]["name"], "tag_hand");
    assert_eq!(report["joints"][1]["parent"], -1);
    assert_eq!(report["surfaces"][0]["details"]["boneReferences"], serde_json::json!([0, 1]));
    let (model, pose, warnings) = posed(MD5_MESH.as_bytes());
    let report = serde_json::to_value(Report::new(&model, &pose, &warnings, "x")).unwrap();
    assert_eq!(report["joints"][1]["parent"], 0);
    assert_eq!(report["animations"], serde_json::json!([]), "the bind pose is no animation");
    assert_eq!(report["details"]["commandline"], "mesh box");
}

#[test]
fn report_counts_different_vertex_colours() {
    let mut file = Iqm::typical();
    file.arrays.push(IqmArray::bytes(6, 4, &[255, 128, 0, 255, 0, 0, 0, 0, 255, 128, 0, 255]));
    let (model, pose, warnings) = posed(&file.build());
    let report = Report::new(&model, &pose, &warnings, "x");
    assert_eq!(serde_json::to_value(&report).unwrap()["surfaces"][0]["colours"], 2);
    assert!(report.to_text(10).contains("2 vertex colours"), "{}", report.to_text(10));
}

#[test]
fn text_report_truncates_long_tables() {
    let mut file = Md3::typical();
    file.frames = vec![file.frames[0].clone(); 40];
    file.tags.clear();
    let (model, pose, warnings) = posed(&file.build());
    let text = Report::new(&model, &pose, &warnings, "box.md3").to_text(10);
    assert!(text.contains("Frames (40)"), "{text}");
    assert!(text.contains("… and 30 more"), "{text}");
    assert!(text.contains("u_torso"), "{text}");
    assert!(text.starts_with("box.md3\n  format                md3 (Quake III), version 15\n"), "{text}");
}

#[test]
fn obj_has_groups_outward_winding_and_flipped_v() {
    let (model, pose, _) = posed(&Md3::typical().build());
    let mut out = Vec::new();
    obj::write(&[ExportPart::alone(&model, &pose)], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines[..3], ["o u_torso", "g u_torso", "usemtl models/box/skin.tga"]);
    assert_eq!(lines[3..6], ["v 0 0 0", "v 0 1 0", "v 0 0 2"]);
    assert_eq!(lines[6..9], ["vt 0 1", "vt 1 1", "vt 0.5 -0.5"]);
    assert_eq!(lines.last(), Some(&"f 1/1/1 3/3/3 2/2/2"));
}

#[test]
fn obj_indices_count_through_all_surfaces() {
    let (model, pose, _) = posed(&Md3 { surfaces: 2, ..Md3::typical() }.build());
    let mut out = Vec::new();
    obj::write(&[ExportPart::alone(&model, &pose)], &mut out).unwrap();
    assert!(String::from_utf8(out).unwrap().ends_with("f 4/4/4 6/6/6 5/5/5\n"));
}
