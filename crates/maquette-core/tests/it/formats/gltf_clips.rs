//! Clips of a glTF: their frames, those that show nothing, and exports with many or uneven frames.

use glam::Vec3;
use maquette_core::bytes::LoadOptions;
use maquette_core::convert::{BonePacking, ConvertOptions, to_files};
use maquette_core::formats;
use maquette_core::model::{Clip, ClipSource, Format, Model};
use maquette_testing::files::{Md3, Mdl, MdlFrame, MdlPose};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

use super::gltf::exported_and_read;
use super::load;

fn names(model: &Model) -> Vec<&str> {
    model.clips().iter().map(|clip| clip.name.as_str()).collect()
}

/// 20 frames at 24 per second last 0.8333 s: 12.5 intervals of 1/15 s, and halves are rounded up.
#[test]
fn number_of_frames_is_independent_of_the_start() {
    for start in [0_u8, 1, 2, 10, 17, 100] {
        let mut file = GltfFile::triangle();
        let times = [start, start + 20].map(|frame| f32::from(frame) / 24.0);
        file.animate("move", 0, "translation", &times, &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "LINEAR");
        let options = LoadOptions { rate: Some(15.0), ..LoadOptions::default() };
        let model = formats::load_with(&file.glb(), options, None).unwrap().0;
        assert_eq!(model.clip("move").unwrap().count, 14, "start {start}");
    }
}

#[test]
fn clips_that_move_nothing_shown_are_skipped() {
    let mut file = GltfFile::triangle();
    let empty = file.push("nodes", json!({ "name": "light" }));
    file.show(&[0, empty]);
    file.animate("tool", empty, "translation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0], "LINEAR");
    file.animate("still", 0, "translation", &[0.0], &[0.0, 0.0, 0.0], "LINEAR");
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.frames().len(), 1, "{:?}", names(&model));
    for name in ["tool", "still"] {
        assert!(warnings.contains(&format!("“{name}”: the animation moves nothing shown; skipped")), "{warnings}");
    }
    file.animate("pose", 0, "translation", &[0.0], &[0.0, 1.0, 0.0], "LINEAR");
    assert_eq!(names(&load(&file.glb()).0), ["bind pose", "pose"]);
}

#[test]
fn still_clips_of_joints_and_of_exports_are_kept() {
    let mut file = GltfFile::skinned();
    file.animate("stand", 2, "rotation", &[0.0], &[0.0, 0.0, 0.0, 1.0], "LINEAR");
    assert_eq!(names(&load(&file.glb()).0), ["bind pose", "bend", "stand"]);
    let mut file = GltfFile::triangle();
    file.animate("stated", 0, "translation", &[0.0], &[0.0, 0.0, 0.0], "LINEAR");
    file.json["animations"][0]["extras"] = json!({ "firstFrame": 0, "frameCount": 3, "framesPerSecond": 2 });
    assert_eq!(load(&file.glb()).0.clip("stated").unwrap().count, 3);
}

/// A morph target whose weight stays at rest moves nothing, so that the joints remain.
#[test]
fn still_morph_target_leaves_the_skeleton() {
    let mut file = GltfFile::skinned();
    let target = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
    file.json["meshes"][0]["weights"] = json!([0.5]);
    file.animate("face", 0, "weights", &[0.0, 1.0], &[0.5, 0.5], "LINEAR");
    assert_eq!(load(&file.glb()).0.joints().len(), 2);
    file.animate("smile", 0, "weights", &[0.0, 1.0], &[0.5, 1.0], "LINEAR");
    assert!(load(&file.glb()).0.joints().is_empty(), "moving targets become vertices");
}

/// An export has a morph target and a key for each frame, so that its weights are the square of the frames.
#[test]
fn export_of_thousands_of_frames_is_read_again() {
    let corners = |x: i16| vec![([x, 64, 0], [64, 0]), ([x, 64, 64], [64, 64]), ([x, 0, 128], [128, 0])];
    let file = Md3 { tags: Vec::new(), frames: (0..3000).map(corners).collect(), ..Md3::typical() };
    let (model, _) = load(&file.build());
    let clip = Clip::new("all", 0, 3000, 10.0, ClipSource::AnimationConfig);
    let back = exported_and_read(&model, &[clip]);
    assert_eq!(back.frames().len(), 3001);
    let x = |frame: u32| super::gltf::at(&back, frame).surfaces[0].positions[0];
    for frame in [0, 1, 1234, 2999_u16] {
        let wanted = Vec3::new(f32::from(frame) / 64.0, 1.0, 0.0);
        // Target offsets are single floats, and times of keys have steps of 2⁻¹⁵ s at 300 s.
        assert!(
            x(u32::from(frame) + 1).abs_diff_eq(wanted, 2e-3 + 1.0 / 64.0 * 0.1),
            "{frame}: {}",
            x(u32::from(frame) + 1)
        );
    }
}

/// Returns a model whose clip “walk” has 3 frames, of which the last `loop_frames` repeat.
fn walking(loop_frames: u32) -> Model {
    let mut file = GltfFile::skinned();
    file.json["animations"] = json!([]);
    let turned = [0.0, 0.0, 0.0, 1.0, 0.6, 0.0, 0.0, 0.8, 0.8, 0.0, 0.0, 0.6];
    file.animate("walk", 2, "rotation", &[0.0, 0.1, 0.2], &turned, "LINEAR");
    file.json["animations"][0]["extras"] =
        json!({ "firstFrame": 0, "frameCount": 3, "framesPerSecond": 10, "loopFrames": loop_frames });
    load(&file.glb()).0
}

#[test]
fn frames_without_names_are_named_after_their_clips() {
    for (format, packing) in
        [(Format::Md3, None), (Format::Mdc, None), (Format::Mdr, Some(BonePacking::Plain)), (Format::Md2, None)]
    {
        let options = ConvertOptions { packing, ..ConvertOptions::to(format) };
        let files = to_files(&walking(3), &options).unwrap();
        let names: Vec<&str> = files.model.frames().iter().map(|frame| frame.name.as_str()).collect();
        assert_eq!(names, ["walk01", "walk02", "walk03"], "{format:?}");
        assert!(files.losses.iter().all(|loss| !loss.contains("frame")), "{:?}", files.losses);
    }
}

/// Quake III `cg_players.c`, `CG_RunLerpFrame`: after the last frame, `f %= loopFrames; f += numFrames - loopFrames`. With
/// 1, the last frame stays, as in a clip that plays once.
#[test]
fn repeated_last_frame_is_held_in_an_iqm() {
    for (loop_frames, loops, is_told) in [(0, false, false), (1, false, false), (2, true, true), (3, true, false)] {
        let files = to_files(&walking(loop_frames), &ConvertOptions::to(Format::Iqm)).unwrap();
        let clip = files.model.clip("walk").unwrap();
        assert_eq!((clip.count, clip.loops()), (3, loops), "{loop_frames}");
        let told = files.losses.iter().any(|loss| loss.contains("IQM cannot repeat only the last ones"));
        assert_eq!(told, is_told, "{loop_frames}: {:?}", files.losses);
    }
}

/// Quake `r_alias.c`, `R_AliasSetupFrame`: an interval is the time at which its frame ends.
#[test]
fn uneven_frame_group_keeps_its_times_in_an_export() {
    let poses = [0, 3, 9].map(|lift| MdlPose::typical("flame", lift)).into();
    let file = Mdl { frames: vec![MdlFrame::Group(vec![0.1, 0.3, 0.6], poses)], ..Mdl::typical() };
    let (model, _) = load(&file.build());
    let group = model.clips().iter().find(|clip| clip.source == ClipSource::FrameGroup).unwrap();
    let track = maquette_core::export::Track::new(0, group, group.frames_per_second);
    let times: Vec<f32> = track.keys.iter().map(|key| (key.time * 1000.0).round() / 1000.0).collect();
    assert_eq!(times, [0.0, 0.1, 0.3, 0.6]);
    let back = exported_and_read(&model, std::slice::from_ref(group));
    let clip = back.clip(&group.name).unwrap();
    assert_eq!((clip.count, clip.source, back.frames().len()), (3, ClipSource::FrameGroup, 4));
    assert!(clip.end_times.iter().zip([0.1, 0.3, 0.6]).all(|(own, wanted)| (own - wanted).abs() < 1e-6), "{clip:?}");
    for frame in 0..3 {
        let [own, again] = [(&model, frame), (&back, frame + 1)].map(|(model, frame)| super::gltf::at(model, frame));
        assert!(own.surfaces[0].positions[0].abs_diff_eq(again.surfaces[0].positions[0], 1e-3), "frame {frame}");
    }
    let written = to_files(&back, &ConvertOptions::to(Format::Mdl)).unwrap().model;
    let again = written.clips().iter().find(|clip| clip.source == ClipSource::FrameGroup).unwrap();
    assert_eq!((again.count, again.end_times.len()), (3, 3));
}
