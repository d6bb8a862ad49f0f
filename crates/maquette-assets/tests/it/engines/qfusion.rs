//! Tests of qfusion (Warsow, Warfork).

use super::*;
use maquette_assets::engines::Profile;
use maquette_assets::open::{divide_levels, finest_level};
use maquette_testing::iqm::{Iqm, IqmAnim};
use std::path::{Path, PathBuf};

const CONFIG: &[u8] =
    b"// first, last, looping frames, fps\nsex m\nrootanim upper \"Tag_hand\"\nrotationbone head \"Tag_hand\"\n\
    tagmask \"Tag_hand\" \"tag_weapon\" 1 2 3 90 0 0\ntagmask tag_hand tag_head\ntagmask gone tag_flag 0 0 0 0 0 0\n\
    10 19 0 24 // BOTH_DEATH1\n19 19 0 5\n20 29 0 24\n29 29 0 24\n30 39 0 24\n39 39 0 24\n40 60 20 24\n61 80 40 24\n";

fn iqm(frames: usize) -> Iqm {
    let anims = vec![IqmAnim { name: "anim 0", first: 0, count: frames as u32, rate: 10.0, flags: 0 }];
    Iqm { frames: vec![vec![0, 1]; frames], bounds: Vec::new(), anims, ..Iqm::typical() }
}

fn posed(part: &ModelAsset, lod: u32) -> Pose {
    let mut pose = Pose::default();
    sample(&part.model, &Sampling { lod, ..Sampling::at(FrameBlend::single(1)) }, &mut pose);
    pose
}

#[test]
fn qfusion_rows_have_first_and_last_frame() {
    // qfusion `cg_pmodels.cpp`: `CG_ParseAnimationScript`; names by `gs_public.h`; at least 10 frames a second.
    let body = iqm(81).build();
    let vfs = vfs_of(&[
        ("models/players/box/tris.iqm", &body),
        ("models/players/box/animation.cfg", CONFIG),
        ("models/box/skin.png", b""),
    ]);
    let part = open(&vfs, "models/players/box/tris.iqm");
    let clips = part.model.clips();
    let row = |clip: &Clip| (clip.name.clone(), clip.first, clip.end() - 1, clip.frames_per_second, clip.loop_frames);
    let found: Vec<_> = clips.iter().map(row).collect();
    let wanted = [
        ("BOTH_DEATH1", 10, 19, 24.0, 0),
        ("BOTH_DEAD1", 19, 19, 10.0, 0),
        ("BOTH_DEATH2", 20, 29, 24.0, 0),
        ("BOTH_DEAD2", 29, 29, 24.0, 0),
        ("BOTH_DEATH3", 30, 39, 24.0, 0),
        ("BOTH_DEAD3", 39, 39, 24.0, 0),
        ("LEGS_STAND_IDLE", 40, 60, 24.0, 20),
        ("LEGS_WALK_FORWARD", 61, 80, 24.0, 20),
    ];
    assert_eq!(found, wanted.map(|(name, first, last, rate, loops)| (name.to_owned(), first, last, rate, loops)));
    assert_eq!(part.model.tags(), ["Tag_hand", "tag_weapon", "tag_head"]);
    let warnings = warnings_of(&part);
    assert_eq!(warnings.lines().count(), 1, "{warnings}");
    assert!(warnings.contains("unknown joint “gone”"), "{warnings}");
    assert_eq!(part.engine().short_name, "qfusion");
    let pose = posed(&part, 0);
    let (joint, tag) = (pose.tags[0], pose.tags[1]);
    assert!((tag.translation - joint.transform_point3a(Vec3::new(1.0, 2.0, 3.0).into())).length() < 1e-4, "{tag:?}");
    // A positive pitch turns the nose down: forward is −Z of the joint (`AnglesToAxis`).
    assert!((tag.matrix3 * Vec3::X - joint.matrix3 * Vec3::NEG_Z).length() < 1e-4, "{tag:?}");
    assert!((pose.tags[2].translation - joint.translation).length() < 1e-5);
}

#[test]
fn base_folder_identifies_qfusion() {
    let sign = |path: &str| {
        let body = md3("x");
        let known = KnownEngine::for_model(&vfs_of(&[(path, &body)]), path, Format::Md3);
        known.map(|known| (known.engine.short_name, known.by))
    };
    for folder in ["basewf", "basewsw"] {
        assert_eq!(sign(&format!("{folder}/models/a.md3")), Some(("qfusion", format!("the folder {folder}"))));
    }
    assert_eq!(sign("baseq3/models/a.md3"), None);
    let profile = Profile::named("qfusion").unwrap();
    assert_eq!(profile.formats, [Format::Md3, Format::Iqm]);
}

#[test]
fn qfusion_loads_lods_of_iqm_from_files() {
    // qfusion `r_model.c`: `Mod_ForName` loads up to four LODs of an MD3 or IQM (`MOD_MAX_LODS`).
    let mut other = iqm(2);
    other.joints[1].name = "elsewhere";
    let (body, other) = (iqm(2).build(), other.build());
    let opened = |folder: &str, last: &[u8]| {
        let path = |name: &str| format!("{folder}/models/{name}.iqm");
        let names = ["a", "a_1", "a_2", "a_3", "a_4", "a_5"].map(path);
        let bytes = |name: &str| if name.contains("_3") { last } else { body.as_slice() };
        let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), bytes(name))).collect();
        files.push(("models/box/skin.png", b""));
        open(&vfs_of(&files), &names[0])
    };
    let part = opened("basewf", &body);
    assert_eq!((part.model.lod_count(), part.model.surfaces().len(), warnings_of(&part).as_str()), (5, 5, ""));
    assert_eq!(part.skins[0].materials.len(), 5);
    assert_eq!(posed(&part, 0).surfaces[0].positions, posed(&part, 4).surfaces[4].positions);
    assert_eq!(opened("other", &body).model.lod_count(), 1);
    let part = opened("basewf", &other);
    assert_eq!(part.model.lod_count(), 4);
    assert!(warnings_of(&part).contains("a_3.iqm: the LOD has other joints; skipped"), "{}", warnings_of(&part));
    // Lists leave them out.
    let list = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
    let all = list(&["basewf/a.iqm", "basewf/a_1.iqm", "basewf/a_2.iqm", "basewf/a_4.iqm", "x/b.iqm", "x/b_1.iqm"]);
    let shown = list(&["basewf/a.iqm", "basewf/a_4.iqm", "x/b.iqm", "x/b_1.iqm"]);
    assert_eq!(divide_levels(all).models, shown);
    assert_eq!(finest_level(Path::new("g/basewsw/a_4.md3")), Some(PathBuf::from("g/basewsw/a.md3")));
    assert_eq!(finest_level(Path::new("g/baseq3/a_3.md3")), None);
}

#[test]
fn qfusion_draws_normal_and_gloss_maps() {
    // qfusion `r_shader.c`: `Shaderpass_LoadMaterial`. It skips words that it does not know.
    let script = b"box { unheard of\n { map models/box.tga } }";
    let vfs = vfs_of(&[
        ("basewf/models/box.md3", &md3("models/box")),
        ("basewf/scripts/b.shader", script),
        ("models/box.tga", b""),
        ("models/box_norm.tga", b""),
        ("models/box_gloss.tga", b""),
        ("models/box_glow.tga", b""),
    ]);
    let part = open(&vfs, "basewf/models/box.md3");
    let stages = &first(&part).definition.stages;
    let relief = stages[0].relief.as_ref().unwrap();
    assert_eq!((stages.len(), relief.bump.is_some(), relief.specular.is_some()), (1, true, true));
}

#[test]
fn rows_for_players_in_parts_name_clips_of_whole_models_or_say_why_not() {
    // Quake III numbers frames as if one model had all parts (`cg_players.c`, `CG_ParseAnimationFile`).
    let rows_text: String = (0..25).map(|row| format!("{} 2 0 15\n", row * 2)).collect();
    let opened = |frames: usize, others: &[&str]| {
        let body = iqm(frames).build();
        let mut files: Vec<(&str, &[u8])> =
            vec![("m/body.iqm", &body), ("m/animation.cfg", rows_text.as_bytes()), ("models/box/skin.png", b"")];
        let lower = md3("x");
        files.extend(others.iter().map(|path| (*path, lower.as_slice())));
        open(&vfs_of(&files), "m/body.iqm")
    };
    let part = opened(50, &[]);
    let clip = |name: &str| part.model.clip(name).map(|clip| (clip.first, clip.count));
    // The legs keep their numbers: `LEGS_WALKCR` is row 13, `TORSO_GESTURE` row 6.
    assert_eq!(
        (clip("TORSO_GESTURE"), clip("LEGS_WALKCR"), clip("LEGS_TURN")),
        (Some((12, 2)), Some((26, 2)), Some((48, 2)))
    );
    assert_eq!(warnings_of(&part), "");
    let part = opened(40, &[]);
    assert_eq!(part.model.clips().len(), 1);
    let wanted = "animation.cfg: not used: the file is for a player whose last animation begins at frame 48, but the model \
        has 40 frames";
    assert_eq!(warnings_of(&part), wanted);
    // The file belongs to the parts next to the model.
    let part = opened(40, &["m/lower.md3"]);
    assert_eq!((part.model.clips().len(), warnings_of(&part).as_str()), (1, ""));
}

/// `cg_pmodels.cpp`, `CG_ParseAnimationScript`: the words before the rows are optional.
#[test]
fn rows_in_the_folder_of_the_game_need_no_words() {
    let body = iqm(81).build();
    let rows = b"sex f\n10 19 0 24\n19 19 0 20\n".as_slice();
    for (folder, wanted) in [("basewf", (10, 10)), ("basewsw", (10, 10)), ("base", (10, 19))] {
        let path = format!("{folder}/models/players/z/tris.iqm");
        let vfs = vfs_of(&[(&path, &body), (&path.replace("tris.iqm", "animation.cfg"), rows)]);
        let clips = open(&vfs, &path).model.clips().to_vec();
        assert_eq!((clips[0].first, clips[0].count), wanted, "{folder}");
    }
}
