//! Names in converted models: kept in UTF-8, different, and one loss for all that change.

use std::collections::HashSet;

use maquette_core::convert::{ConvertOptions, ConvertedFiles, animation_config, animation_config_losses, to_files};
use maquette_core::error::Warnings;
use maquette_core::formats;
use maquette_core::formats::animation_cfg::AnimationConfig;
use maquette_core::model::{Clip, ClipSource, Format, Model};
use maquette_testing::files::{Md3, Mdl};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

fn load(file: &GltfFile) -> Model {
    formats::load(&file.glb()).unwrap().0
}

fn written(file: &GltfFile, format: Format) -> ConvertedFiles {
    to_files(&load(file), &ConvertOptions::to(format)).unwrap()
}

fn joints(files: &ConvertedFiles) -> Vec<&str> {
    files.model.joints().iter().map(|joint| joint.name.as_str()).collect()
}

/// Two joints, a surface and a tag with names beyond Latin-1.
fn japanese() -> GltfFile {
    let mut file = GltfFile::skinned();
    for (node, name) in [(0, "頭"), (1, "根"), (2, "腕"), (3, "tag_手")] {
        file.json["nodes"][node]["name"] = json!(name);
    }
    file.json["materials"][0]["name"] = json!("models/töst/кожа");
    file
}

/// lsalzman's exporter writes UTF-8 (`iqm_export.py`), and games compare bytes.
#[test]
fn names_beyond_latin_1_are_kept_in_every_format() {
    let file = japanese();
    let iqm = written(&file, Format::Iqm);
    assert_eq!(joints(&iqm), ["根", "腕", "tag_手"]);
    assert!(iqm.main("x").windows(3).any(|bytes| bytes == "腕".as_bytes()));
    for format in [Format::Iqm, Format::Md5, Format::Mdr, Format::Md3, Format::Mdc] {
        let files = written(&file, format);
        assert_eq!(files.model.surfaces()[0].materials, ["models/töst/кожа"], "{format:?}");
        assert!(!files.losses.iter().any(|loss| loss.contains("renamed")), "{format:?}: {:?}", files.losses);
        if format != Format::Md5 {
            assert!(files.model.tags().iter().any(|tag| tag == "tag_手"), "{format:?}: {:?}", files.model.tags());
        }
        assert_eq!(files.model.surfaces()[0].script_name(), "頭", "{format:?}");
    }
}

/// Old models have Latin-1: a byte that is not UTF-8 is a character.
#[test]
fn bytes_that_are_not_utf8_are_latin_1() {
    let mut bytes = maquette_testing::iqm::Iqm::typical().build();
    let at = bytes.windows(4).position(|bytes| bytes == b"Body").unwrap();
    bytes[at..at + 4].copy_from_slice(b"b\xf6dy");
    assert_eq!(formats::load(&bytes).unwrap().0.surfaces()[0].name, "bödy");
    bytes[at..at + 4].copy_from_slice("böy".as_bytes());
    assert_eq!(formats::load(&bytes).unwrap().0.surfaces()[0].name, "böy");
}

/// ioquake3 `R_IQMLerpTag` and Doom 3 take the first joint of a name.
#[test]
fn joints_of_one_name_are_numbered_in_one_loss() {
    let mut file = GltfFile::skinned();
    for node in [1, 2] {
        file.json["nodes"][node]["name"] = json!("Bone");
    }
    for format in [Format::Iqm, Format::Md5] {
        let files = written(&file, format);
        let named: Vec<_> = joints(&files).into_iter().filter(|name| name.starts_with("Bone")).collect();
        assert_eq!(named, ["Bone", "Bone_2"], "{format:?}");
        let renamed: Vec<_> = files.losses.iter().filter(|loss| loss.contains("renamed")).collect();
        assert_eq!(renamed, ["1 joint was renamed: “Bone” to “Bone_2” (names must differ)"], "{format:?}");
    }
}

#[test]
fn quotation_marks_and_control_characters_are_replaced_in_md5() {
    let mut file = GltfFile::skinned();
    file.json["nodes"][1]["name"] = json!("say \"hi\"\u{7}");
    file.json["nodes"][2]["name"] = json!("next\u{85}line");
    let files = written(&file, Format::Md5);
    assert_eq!(&joints(&files)[..2], ["say 'hi'_", "next\u{85}line"]);
    let renamed = files.losses.iter().find(|loss| loss.contains("renamed")).unwrap();
    assert!(renamed.ends_with("(quotation marks and control characters cannot be stored)"), "{renamed}");
}

#[test]
fn long_names_stay_different_after_they_are_cut() {
    let mut file = GltfFile::skinned();
    let long = "ä".repeat(40);
    let tag = |ending: &str| format!("tag_{long}{ending}");
    file.json["nodes"][3]["name"] = json!(tag("a"));
    file.json["nodes"][2]["children"] = json!([3, 4]);
    file.push("nodes", json!({ "name": tag("b") }));
    let files = written(&file, Format::Md3);
    let tags = files.model.tags();
    // 4 + 2 × 29 = 62 bytes; a further character needs two.
    assert_eq!((tags[0].len(), tags.len()), (62, 2));
    // The names differ in the last letter, so the second one keeps its end.
    assert!(tags[1].starts_with("tag_ä") && tags[1].ends_with("äb") && tags[1].len() <= 63, "{tags:?}");
    let losses = files.losses.iter().filter(|loss| loss.starts_with("2 tags were renamed: “tag_")).count();
    assert_eq!(losses, 1, "{:?}", files.losses);
}

#[test]
fn clip_list_reads_back_the_names_that_are_reported() {
    let names =
        ["wälk", "run (fast)", "run_(fast)", "say \"hi\"", "2nd", "a//b", "Wälk", "", "sex", "ENDANIMS", "sexy", "_"];
    let clip = |(first, name): (u32, &&str)| Clip::new(*name, first, 1, 10.0, ClipSource::AnimationList);
    let clips: Vec<Clip> = (0..).zip(&names).map(clip).collect();
    let text = animation_config(&clips).unwrap();
    let mut warnings = Warnings::default();
    let read = AnimationConfig::parse(text.as_bytes(), &mut warnings);
    let found: Vec<&str> = read.entries.iter().map(|entry| entry.name.as_str()).collect();
    let words = ["wälk", "run__fast_", "run__fast__2", "say__hi_", "_2nd", "a__b", "Wälk_2"];
    assert_eq!(found[..7], words, "{text}");
    // Keywords of players and the empty name are not clips.
    assert_eq!(found[7..], ["_", "_sex", "_ENDANIMS", "sexy", "__2"], "{text}");
}

#[test]
fn clip_list_reports_losses_and_leaves_out_the_bind_pose() {
    let mut clips = vec![
        Clip::new("bind pose", 0, 1, 15.0, ClipSource::BindPose),
        Clip::new("wälk", 1, 2, 15.0, ClipSource::AnimationConfig),
    ];
    let text = animation_config(&clips).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), ["// NAME first count loop fps", "wälk 1 2 0 15"]);
    clips[1].end_times = vec![0.1, 0.4];
    let losses = animation_config_losses(&clips);
    assert_eq!(
        losses[0],
        "animation.cfg shows all frames of a clip for the same time; averaged: wälk (0.100 to 0.300 s)"
    );
    assert_eq!(losses[1..], ["some games and tools misread names that are not ASCII: “wälk”"]);
    clips.truncate(1);
    assert_eq!(animation_config(&clips), None);
}

/// Frame names carry the clips of an MD2: 12 bytes of a name, and a number.
#[test]
fn clips_in_frame_names_stay_different() {
    let mut file = GltfFile::triangle();
    for name in [
        "tödlich.001",
        "extraordinary run",
        "extraordinary walk",
        "pain2",
        "a/b",
        "extraordinarily dry run",
        "attack_left_1",
        "attack_left_2",
    ] {
        file.animate(name, 0, "translation", &[0.0, 0.2], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "LINEAR");
    }
    let files = written(&file, Format::Md2);
    let found: Vec<&str> = files.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    let [run, again, walk] = ["extraord_run", "extraord_r_b", "extraor_walk"];
    assert_eq!(found, ["tödlich.001", run, walk, "pain2", "a_b", again, "attack_lef_1", "attack_lef_2"]);
    let renamed: Vec<_> = files.losses.iter().filter(|loss| loss.contains("clips were renamed")).collect();
    assert_eq!(renamed.len(), 1, "{:?}", files.losses);
    assert!(renamed[0].starts_with("6 clips were renamed: “extraordinary run” to “extraord_run”"), "{renamed:?}");
    let why = "frame names have no spaces, slashes and control characters; frame names have room for 12 bytes of a clip; \
        names must differ";
    assert!(renamed[0].ends_with(&format!("({why})")), "{renamed:?}");
}

/// A clip in the frames of another one has no frame names of its own.
#[test]
fn dropped_clip_is_not_reported_as_renamed() {
    let mut model = formats::load(&Md3::typical().build()).unwrap().0;
    let clip = |name: &str, first, count| Clip::new(name, first, count, 10.0, ClipSource::AnimationList);
    model.set_clips(vec![clip("all of them", 0, 2), clip("second one", 1, 1)]);
    let losses = to_files(&model, &ConvertOptions::to(Format::Md2)).unwrap().losses;
    let about = |name: &str| losses.iter().filter(|loss| loss.contains(name)).collect::<Vec<_>>();
    let ([renamed], [dropped]) = (&about("all of them")[..], &about("second one")[..]) else { panic!("{losses:?}") };
    assert!(renamed.starts_with("1 clip was renamed: “all of them” to “all_of_them”"), "{renamed}");
    assert!(dropped.starts_with("1 clip was dropped"), "{dropped}");
}

/// id's `daliasframe_t` (Quake II `qfiles.h`) has 16 bytes for a frame name, of which the last is zero.
#[test]
fn names_of_thousand_frames_fit_and_stay_different() {
    let mut file = GltfFile::triangle();
    file.animate("extraordinary", 0, "translation", &[0.0, 100.0], &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0], "LINEAR");
    let model = written(&file, Format::Md2).model;
    let names: HashSet<&str> = model.frames().iter().map(|frame| frame.name.as_str()).collect();
    assert!(names.len() == model.frames().len() && names.len() >= 1000, "{}", names.len());
    assert!(names.contains("extraordina1000") && names.iter().all(|name| name.len() < 16));
}

/// Games compare bytes, and other tools read fields in different encodings.
#[test]
fn names_beyond_ascii_are_reported_once_for_fields_of_bytes() {
    for (format, is_reported) in [(Format::Md3, true), (Format::Mdr, true), (Format::Iqm, false), (Format::Md5, false)]
    {
        let files = written(&japanese(), format);
        let found: Vec<_> = files.losses.iter().filter(|loss| loss.contains("not ASCII")).collect();
        assert_eq!(found.len(), usize::from(is_reported), "{format:?}: {:?}", files.losses);
        assert!(found.iter().all(|loss| loss.contains("“models/töst/кожа”") && loss.contains("“tag_手”")), "{found:?}");
    }
    assert!(!written(&GltfFile::skinned(), Format::Md3).losses.iter().any(|loss| loss.contains("ASCII")));
}

/// An MD3 has 63 bytes for a name. Texture files need the name that the model has.
#[test]
fn renamed_materials_are_listed_by_their_original_names() {
    let mut file = GltfFile::skinned();
    let long = format!("models/{}/skin", "a".repeat(60));
    file.json["materials"][0]["name"] = json!(long);
    for format in [Format::Md3, Format::Md2] {
        let files = written(&file, format);
        assert_eq!(files.renamed_materials.get(&long).map(String::as_str), long.get(..63), "{format:?}");
    }
    assert!([Format::Iqm, Format::Mdl].iter().all(|format| written(&file, *format).renamed_materials.is_empty()));
}

/// Quake draws the frames of a group by their times (`r_alias.c`); an MD2 or an MD3 has one rate.
#[test]
fn uneven_frame_times_are_reported_where_they_are_lost() {
    let model = formats::load(&Mdl::grouped().build()).unwrap().0;
    for (format, is_lost) in [(Format::Md2, true), (Format::Md3, true), (Format::Mdc, true), (Format::Mdl, false)] {
        let files = to_files(&model, &ConvertOptions { frame: None, ..ConvertOptions::to(format) }).unwrap();
        let found = files.losses.iter().filter(|loss| loss.contains("averaged: run (0.100 to 0.200 s)")).count();
        assert_eq!(found, usize::from(is_lost), "{format:?}: {:?}", files.losses);
    }
}
