//! Conversion of clips: names of frames, lists of clips, and files of animations.

use std::collections::BTreeMap;
use std::path::Path;

use maquette_core::convert::{CompanionKind, Conversion, ConvertOptions, convert, to_files};
use maquette_core::error::Warnings;
use maquette_core::formats::animation_cfg::AnimationConfig;
use maquette_core::model::{Clip, ClipSource, Format, JointFrames, Model, Motion};

use maquette_testing::files::{Md2, Md3};
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr};

use crate::convert::{load, pose, problems, read_again};

#[test]
fn clips_convert_to_frame_names_and_animation_config() {
    let mut model = load(&Md3::typical().build());
    let count = u32::try_from(model.frames().len()).unwrap();
    let mut clip = Clip::new("LEGS_RUN", 0, count, 15.0, ClipSource::AnimationConfig);
    clip.loop_frames = 0;
    model.set_clips(vec![clip.clone()]);
    // Columns: name, first, count, loop, rate. A loop of −1 means no repetition.
    let config = maquette_core::convert::animation_config(model.clips()).unwrap();
    assert_eq!(config.lines().last().unwrap(), format!("LEGS_RUN 0 {count} -1 15"));
    let read =
        maquette_core::formats::animation_cfg::AnimationConfig::parse(config.as_bytes(), &mut Default::default());
    assert_eq!((read.entries[0].count, read.entries[0].loop_frames), (count, 0));
    let md2 = read_again(&convert(&model, &ConvertOptions::to(Format::Md2)).unwrap());
    assert_eq!(md2.clips()[0].name, "LEGS_RUN");
    assert_eq!(md2.frames()[0].name, "LEGS_RUN01");
}

#[test]
fn clips_that_frame_names_cannot_tell_apart_are_renamed() {
    let mut original = load(MD5_MESH.as_bytes());
    for name in ["Melee_Attack_Slice", "Melee_Attack_Stab", "walk"] {
        original.add_animation(name, MD5_ANIM.as_bytes()).unwrap();
    }
    let losses = convert(&original, &ConvertOptions::to(Format::Md2)).unwrap().losses;
    let wanted = "“Melee_Attack_Slice” to “Melee_Slice”, “Melee_Attack_Stab” to “Melee_A_Stab”";
    assert!(losses.iter().any(|loss| loss.contains(wanted)), "{losses:?}");
}

#[test]
fn native_exporters_write_companion_files() {
    use maquette_core::export::{Animation, ExportFiles, ExportOptions, ExportPart, ExportScene, exporter_for};

    #[derive(Default)]
    struct Files(BTreeMap<String, Vec<u8>>, Vec<u8>);
    impl ExportFiles for Files {
        fn main(&mut self) -> &mut dyn std::io::Write {
            &mut self.1
        }
        fn companion_name(&self, ending: &str) -> String {
            format!("box{ending}")
        }
        fn write_companion(&mut self, name: &str, bytes: &[u8]) -> std::io::Result<()> {
            self.0.insert(name.to_owned(), bytes.to_vec());
            Ok(())
        }
        fn is_there(&self, name: &str) -> bool {
            name == "animation.cfg"
        }
    }

    let model = load(&Mdr::typical().build());
    let pose = pose(&model, 0, 0);
    let whole = Animation {
        name: "all".to_owned(),
        first: 0,
        count: 2,
        rate: 10.0,
        reversed: false,
        loop_frames: 0,
        source: ClipSource::AnimationList,
        tracks: Vec::new(),
    };
    let parts = vec![ExportPart { name: "arm", ..ExportPart::alone(&model, &pose) }];
    let mut subject = ExportScene { parts, animations: vec![whole], ..ExportScene::default() };
    let written = |subject: &ExportScene, name: &str| {
        let mut files = Files::default();
        let exporter = exporter_for(Path::new(name)).unwrap();
        exporter.write(subject, &ExportOptions::default(), &mut files).map(|losses| (files, losses))
    };
    // MD3 stores the coarser LOD in a separate file.
    let (files, _) = written(&subject, "box.md3").unwrap();
    assert_eq!(load(&files.1).frames().len(), 2);
    assert_eq!(files.0.keys().collect::<Vec<_>>(), ["box_1.md3"]);
    let (files, losses) = written(&subject, "box.md5mesh").unwrap();
    assert!(losses.iter().any(|loss| loss.starts_with("normals were dropped")), "{losses:?}");
    assert_eq!(files.0.keys().collect::<Vec<_>>(), ["frame.md5anim"]);
    // Without animations, the file contains the frame of the pose.
    subject.animations.clear();
    assert_eq!(load(&written(&subject, "box.mdc").unwrap().0.1).frames().len(), 1);
    // The second model gets its own file, named after the part.
    subject.parts.push(ExportPart { name: "other", ..ExportPart::alone(&model, &pose) });
    let (files, losses) = written(&subject, "box.md2").unwrap();
    assert_eq!(files.0.keys().collect::<Vec<_>>(), ["other.md2"]);
    assert!(losses.iter().all(|loss| loss.starts_with("arm: ") || loss.starts_with("other: ")), "{losses:?}");
}

/// Renames the frames of a built MD3 (`frame 0`, `frame 1`), whose table begins after the header of 108 bytes.
fn md3_with_frame_names(names: [&str; 2]) -> Model {
    let mut bytes = Md3::typical().build();
    for (index, name) in names.iter().enumerate() {
        let field = &mut bytes[108 + 56 * index + 40..][..16];
        field.fill(0);
        field[..name.len()].copy_from_slice(name.as_bytes());
    }
    load(&bytes)
}

#[test]
fn frame_names_survive_conversion_and_give_clips() {
    let model = md3_with_frame_names(["SPR2_STND00", "SPR2_STND01"]);
    let ranges = |model: &Model| -> Vec<(String, u32, u32)> {
        model.clips().iter().map(|clip| (clip.name.clone(), clip.first, clip.count)).collect()
    };
    assert_eq!(ranges(&model), [("SPR2_STND".to_owned(), 0, 2)]);
    assert_eq!(model.clips()[0].source, ClipSource::FrameNames);
    for format in [Format::Md2, Format::Md3, Format::Mdc] {
        let files = to_files(&model, &ConvertOptions::to(format)).unwrap();
        // The names are in the model, so that no clip list has to be next to it.
        assert!(files.companions("x", format.extension()).iter().all(|file| file.kind != CompanionKind::ClipList));
        let again = &files.model;
        let names: Vec<&str> = again.frames().iter().map(|frame| frame.name.as_str()).collect();
        assert_eq!(names, ["SPR2_STND00", "SPR2_STND01"], "{format:?}");
        assert_eq!(ranges(again), ranges(&model), "{format:?}");
        assert!(!files.losses.iter().any(|loss| loss.contains("frame")), "{:?}", files.losses);
    }
}

#[test]
fn frame_names_that_do_not_fit_are_reported() {
    // A field of 16 bytes has room for 15 characters and a NUL.
    let model = md3_with_frame_names(["SPR2_LONGNAME_00", "SPR2_LONGNAME_01"]);
    let conversion = convert(&model, &ConvertOptions::to(Format::Md2)).unwrap();
    assert!(conversion.losses.iter().any(|loss| loss.starts_with("2 frames were renamed")), "{conversion:?}");
    let still = ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Md5) };
    let conversion = convert(&model, &still).unwrap();
    assert!(conversion.losses.contains(&"the name of 1 frame was dropped: MD5 stores no frame names".to_owned()));
}

#[test]
fn equal_frame_names_give_one_clip_of_all_frames() {
    let model = md3_with_frame_names(["(from ASE)", "(from ASE)"]);
    assert_eq!(model.clips().len(), 1);
    assert_eq!(model.clips()[0].source, ClipSource::AllFrames);
}

#[test]
fn only_named_clips_are_converted() {
    let mut original = load(MD5_MESH.as_bytes());
    for name in ["wave", "walk", "fall"] {
        original.add_animation(name, MD5_ANIM.as_bytes()).unwrap();
    }
    let names = ["FALL".to_owned(), "wave".to_owned()];
    for format in [Format::Md3, Format::Md5] {
        let options = ConvertOptions { clips: Some(&names), ..ConvertOptions::to(format) };
        let conversion = convert(&original, &options).unwrap();
        let own = conversion
            .model
            .clips()
            .iter()
            .filter(|clip| !matches!(clip.source, ClipSource::BindPose | ClipSource::AllFrames));
        assert_eq!(own.map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["wave", "fall"], "{format:?}");
        let fall = conversion.model.clip("fall").unwrap().first;
        let wanted = pose(&original, original.clip("fall").unwrap().first + 1, 0).surfaces[0].positions[0];
        assert!(pose(&conversion.model, fall + 1, 0).surfaces[0].positions[0].distance(wanted) < 0.02, "{format:?}");
    }
}

#[test]
fn clip_lists_avoid_names_that_read_as_numbers() {
    let clip = Clip::new("1H Attack", 0, 10, 15.0, ClipSource::AnimationList);
    let list = maquette_core::convert::animation_config(&[clip]).unwrap();
    let config = AnimationConfig::parse(list.as_bytes(), &mut Warnings::default());
    assert_eq!(config.entries[0].name, "_1H_Attack");
}

/// A script names frames 0 to 2 of an animation file three times, and frames 1 and 2 once.
#[test]
fn clips_of_one_animation_file_are_files_with_own_rates() {
    let iqm = Iqm { frames: vec![vec![0, 1], vec![1, 0], vec![1, 1]], bounds: Vec::new(), ..Iqm::animation() }.build();
    let sources: [(Vec<u8>, &[u8]); 2] = [
        (MD5_MESH.as_bytes().to_vec(), MD5_ANIM.as_bytes()),
        (Iqm { anims: Vec::new(), ..Iqm::typical() }.build(), &iqm),
    ];
    for (mesh, animation) in sources {
        let mut model = load(&mesh);
        let own = model.frames().len();
        model.add_animation("walk", animation).unwrap();
        let walk = model.clips().last().unwrap().clone();
        let named = |name: &str, rate| Clip {
            name: name.to_owned(),
            frames_per_second: rate,
            own_rate: Some(30.0),
            ..walk.clone()
        };
        let half = named("half", 8.0).part(walk.first + 1, 2);
        let added = [named("walk", 16.0), named("run", 18.0), half, named("a/b", 12.0)];
        let before = model.clips().iter().filter(|clip| clip.name != "walk").cloned();
        model.set_clips(before.chain(added).collect());
        let files = to_files(&model, &ConvertOptions::to(model.format())).unwrap();
        let clips = files.model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationFile);
        let found: Vec<_> = clips.map(|clip| (clip.name.as_str(), clip.count, clip.frames_per_second)).collect();
        assert_eq!(found, [("walk", 3, 16.0), ("run", 3, 18.0), ("half", 2, 8.0), ("a_b", 3, 12.0)]);
        assert_eq!(files.losses, ["1 clip was renamed: “a/b” to “a_b” (each is a file)"]);
        assert_eq!(files.measured.unwrap().position.value, 0.0);
        // “half” follows the six frames of the clips before it, and begins with the second frame of the file.
        let half = u32::try_from(own).unwrap() + 6;
        assert_eq!(pose(&files.model, half, 0).joints, pose(&model, walk.first + 1, 0).joints);
    }
}

#[test]
fn frames_of_an_animation_that_no_clip_plays_are_reported() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("walk", MD5_ANIM.as_bytes()).unwrap();
    let mut clips = model.clips().to_vec();
    clips[1] = clips[1].part(2, 2);
    model.set_clips(clips);
    let files = to_files(&model, &ConvertOptions::to(Format::Md5)).unwrap();
    assert_eq!(files.model.frames().len(), 3);
    assert_eq!(files.losses, ["1 frame was dropped, because no clip plays them"]);
}

/// Quake II plays all frames at 10 per second, and a name of a frame belongs to one clip.
#[test]
fn clips_and_rates_that_an_md2_lacks_are_reported() {
    let mut model = load(&Md3::typical().build());
    let count = u32::try_from(model.frames().len()).unwrap();
    let clip = |name: &str, rate| Clip::new(name, 0, count, rate, ClipSource::ClipList);
    model.set_clips(vec![clip("run", 15.0), clip("flee", 20.0)]);
    let losses = to_files(&model, &ConvertOptions::to(Format::Md2)).unwrap().losses;
    for wanted in [
        "1 clip was dropped, because MD2 cannot store all clips: “flee”",
        "1 clip has another rate, because the frames of MD2 have none: “run” from 15 to 10 (frames per second)",
    ] {
        assert!(losses.iter().any(|loss| loss == wanted), "{losses:?}");
    }
    // A script next to an MD2 names clips that its frames do not.
    let mut model = load(&Md2::typical().build());
    model.set_clips(vec![Clip::new("swim", 0, 1, 10.0, ClipSource::ClipList)]);
    let losses = to_files(&model, &ConvertOptions::to(Format::Md2)).unwrap().losses;
    assert_eq!(losses, ["1 clip was dropped, because MD2 cannot store all clips: “swim”"]);
}

/// Doom 3 compares the parents of an animation with those of its mesh, and each clip is a file.
#[test]
fn md5_animations_have_mesh_parents_and_unique_names() {
    let mut source = load(MD5_MESH.as_bytes());
    source.add_animation("wave", MD5_ANIM.as_bytes()).unwrap();
    source.add_animation("Wave", MD5_ANIM.as_bytes()).unwrap();
    let source = convert(&source, &ConvertOptions::to(Format::Iqm)).unwrap().model;
    let conversion = convert(&source, &ConvertOptions::to(Format::Md5)).unwrap();
    let names: Vec<&str> = conversion.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["bind pose", "wave", "Wave_2"]);
    let Motion::Skeletal(motion) = conversion.model.motion() else { panic!("an MD5 has joints") };
    for track in motion.tracks.iter().skip(1) {
        let JointFrames::Channels(channels) = &track.frames else { panic!("{track:?}") };
        let parents = channels.joints.iter().map(|joint| joint.parent);
        assert!(parents.eq(motion.joints.iter().map(|joint| joint.parent)));
        // Only the root moves, and only the arm turns.
        let flags: Vec<u8> = channels.joints.iter().map(|joint| joint.flags).collect();
        assert_eq!(flags, [0b100, 0b11_1000 & flags[1]]);
    }
    for frame in 0..2 {
        // The converted model has a bind pose before its clips.
        let (own, converted) = (pose(&source, frame, 0), pose(&conversion.model, frame + 1, 0));
        for (a, b) in own.surfaces[0].positions.iter().zip(&converted.surfaces[0].positions) {
            assert!(a.distance(*b) < 1e-3, "{a} is not {b} in frame {frame}");
        }
    }
}

/// Converts [`MD5_MESH`] with an animation of each name and rate to IQM, and the result to MD5.
fn iqm_to_md5(clips: &[(&str, f32)]) -> (Model, Conversion) {
    let mut source = load(MD5_MESH.as_bytes());
    for (name, _) in clips {
        source.add_animation(name, MD5_ANIM.as_bytes()).unwrap();
    }
    let mut source = convert(&source, &ConvertOptions::to(Format::Iqm)).unwrap().model;
    let rated = source.clips().iter().zip(clips);
    let rated = rated.map(|(clip, (_, rate))| Clip { frames_per_second: *rate, ..clip.clone() }).collect();
    source.set_clips(rated);
    let conversion = convert(&source, &ConvertOptions::to(Format::Md5)).unwrap();
    (source, conversion)
}

/// Returns the names and texts of the companion files of an MD5.
fn companions(source: &Model) -> Vec<(String, String)> {
    let files = to_files(source, &ConvertOptions::to(Format::Md5)).unwrap().companions("x", "md5mesh");
    files.into_iter().map(|file| (file.name, String::from_utf8(file.bytes).unwrap())).collect()
}

/// Doom 3 refuses an animation with a second root (dhewm3 `Anim.cpp`).
#[test]
fn several_roots_get_one_parent_in_md5() {
    let model = load(&Mdr::typical().build());
    let conversion = convert(&model, &ConvertOptions::to(Format::Md5)).unwrap();
    let roots = |parents: Vec<Option<u32>>| parents.iter().filter(|parent| parent.is_none()).count();
    let joints = conversion.model.joints();
    assert!(joints.len() > 2 && joints[0].name == "origin" && joints[0].parent.is_none(), "{joints:?}");
    assert_eq!(roots(joints.iter().map(|joint| joint.parent).collect()), 1);
    let Motion::Skeletal(motion) = conversion.model.motion() else { panic!("an MD5 has joints") };
    for track in motion.tracks.iter().skip(1) {
        let JointFrames::Channels(channels) = &track.frames else { panic!("{track:?}") };
        assert_eq!(roots(channels.joints.iter().map(|joint| joint.parent).collect()), 1);
    }
    let wanted = format!("“origin” was added as the parent of {} joints", joints.len() - 1);
    assert!(conversion.losses.iter().any(|loss| loss.ends_with(&wanted)), "{:?}", conversion.losses);
    assert_eq!(problems(&model, &conversion), Vec::<String>::new());

    let frame = ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Md5) };
    let posed = convert(&load(&Md3::typical().build()), &frame).unwrap();
    let parents: Vec<Option<u32>> = posed.model.joints().iter().map(|joint| joint.parent).collect();
    assert!(parents.len() > 1 && parents.iter().skip(1).all(|parent| *parent == Some(0)), "{parents:?}");
}

/// Doom 3 reads a whole number, and ends with an error at `29.97` (dhewm3 `Lexer.cpp`).
#[test]
fn md5_frame_rates_are_whole_numbers() {
    let rates = [("film", 29.97), ("half", 12.5), ("slow", 0.75), ("whole", 24.0)];
    let (source, conversion) = iqm_to_md5(&rates);
    let written: Vec<(u32, u32)> = companions(&source)
        .iter()
        .map(|(_, text)| {
            let number = |key: &str| {
                let line = text.lines().find_map(|line| line.strip_prefix(key)).unwrap();
                line.trim().parse().unwrap()
            };
            (number("frameRate"), number("numFrames"))
        })
        .collect();
    // The animation has two frames and repeats the first. Blended frames keep the times of the others.
    let frames = written[0].1;
    let subdivided = |steps: u32| (frames - 1) * steps + 1;
    assert_eq!(written, [(30, frames), (25, subdivided(2)), (3, subdivided(4)), (24, frames)]);
    assert_eq!(problems(&source, &conversion), Vec::<String>::new());
    let losses = conversion.losses.iter().filter(|loss| loss.starts_with("Doom 3 needs a whole frame rate"));
    assert_eq!(losses.count(), 3, "{:?}", conversion.losses);
}

#[test]
fn md5_clips_with_equal_file_names_are_all_written() {
    let long = "walk".repeat(100);
    let names = ["a/b", "a:b", "A?b", "con", "LPT1.x", "left\u{202e}\n", &long, &format!("{long}2"), "idle"];
    let (source, conversion) = iqm_to_md5(&names.map(|name| (name, 24.0)));
    let files: Vec<String> = companions(&source).into_iter().map(|(name, _)| name).collect();
    let cut = "walk".repeat(50);
    let stems = ["a_b", "a_b_2", "A_b_3", "_con", "_LPT1.x", "left__", &cut, &format!("{cut}_2"), "idle"];
    assert_eq!(files, stems.map(|stem| format!("{stem}.md5anim")));
    let clips = conversion.model.clips().iter().skip(1).map(|clip| clip.name.as_str());
    assert!(clips.eq(stems), "the clips have the names of their files");
    let renamed = conversion.losses.iter().find(|loss| loss.contains("clips were renamed")).unwrap();
    assert!(renamed.contains("“a:b” to “a_b_2”") && !renamed.contains("idle"), "{renamed}");
}
