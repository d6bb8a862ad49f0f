//! `animation.cfg` in all dialects, compared with what the games do.

use maquette_core::error::Warnings;
use maquette_core::formats::animation_cfg::{AnimationConfig, BodyPart, Dialect, Entry};
use maquette_core::model::{Clip, ClipSource, Wrap};
use maquette_core::pose::{Repeat, blend_at};
use proptest::prelude::*;

use maquette_testing::memory::peak_of;
use maquette_testing::optional::shared_folder;

fn parse(text: &str) -> (AnimationConfig, Vec<String>) {
    let mut warnings = Warnings::default();
    let config = AnimationConfig::parse(text.as_bytes(), &mut warnings);
    (config, warnings.into_vec().iter().map(ToString::to_string).collect())
}

/// Parses a file that must give no warnings.
#[track_caller]
fn sound(text: &str) -> AnimationConfig {
    let (config, warnings) = parse(text);
    assert!(warnings.is_empty(), "{warnings:?}");
    config
}

/// Returns first frame, count, loop frames, and whether the clip is reversed.
#[track_caller]
fn numbers(config: &AnimationConfig, name: &str) -> (u32, u32, u32, bool) {
    let entry = config.entries.iter().find(|entry| entry.name == name);
    let Entry { first, count, loop_frames, reversed, .. } = entry.unwrap_or_else(|| panic!("{name} is not there"));
    (*first, *count, *loop_frames, *reversed)
}

#[track_caller]
fn rate(config: &AnimationConfig, name: &str) -> f32 {
    config.entries.iter().find(|entry| entry.name == name).expect("it is there").frames_per_second
}

fn clips(config: &AnimationConfig, part: BodyPart, frames: u32) -> (Vec<Clip>, Vec<String>) {
    let mut warnings = Warnings::default();
    let clips = config.clips(part, frames, &mut warnings);
    (clips, warnings.into_vec().iter().map(ToString::to_string).collect())
}

fn names(clips: &[Clip]) -> Vec<&str> {
    clips.iter().map(|clip| clip.name.as_str()).collect()
}

/// Returns rows of ten frames each: row `n` begins at frame `10 n`.
fn rows(count: usize) -> Vec<String> {
    (0..count).map(|row| format!("{} 10 0 15", row * 10)).collect()
}

#[test]
fn quake3_rows_are_named_and_legs_shifted() {
    let config = sound(&rows(31).join("\n"));
    assert_eq!((config.dialect, config.entries.len()), (Dialect::QuakeThree, 31));
    assert_eq!(numbers(&config, "BOTH_DEATH1"), (0, 10, 0, false));
    assert_eq!(numbers(&config, "TORSO_STAND2"), (120, 10, 0, false));
    // LEGS_WALKCR is row 13, TORSO_GESTURE row 6: 70 frames of the torso alone.
    assert_eq!(numbers(&config, "LEGS_WALKCR").0, 60);
    assert_eq!(numbers(&config, "LEGS_TURN").0, 170);
    assert_eq!(numbers(&config, "TORSO_GETFLAG").0, 250, "those after the legs are the torso's");
    assert_eq!(numbers(&config, "TORSO_NEGATIVE").0, 300);
}

#[test]
fn keywords_accept_any_order_case_and_line_breaks() {
    let mut lines = rows(25);
    lines[14] = "140 12 4 20".to_owned();
    let spread = format!(
        "HeadOffset -2.2 0 -0.3 // looks down\nFIXEDLEGS /* no\nturning */ footsteps boot fixedtorso Sex f\n{}",
        lines.join(" // named\n")
    );
    let one_line = format!("sex f fixedtorso headoffset 1 2 3 footsteps mech fixedlegs {}", lines.join(" "));
    for text in [spread, one_line] {
        let config = sound(&text);
        assert!(config.fixed_legs && config.fixed_torso);
        assert_eq!(numbers(&config, "BOTH_DEATH1"), (0, 10, 0, false), "{text}");
        assert_eq!(numbers(&config, "LEGS_WALK"), (70, 12, 4, false));
    }
}

#[test]
fn unknown_keywords_are_skipped_with_their_values() {
    for head in ["speed 320\n", "vendor\n", "boundingbox -10 -10 0 10 10 40\nname of 3 things\n"] {
        let (config, warnings) = parse(&format!("sex m\n{head}{}", rows(25).join("\n")));
        assert_eq!(numbers(&config, "BOTH_DEAD1"), (10, 10, 0, false), "{head}");
        assert!(warnings.len() == 1 && warnings[0].starts_with("line 2: “"), "{warnings:?}");
    }
    // In one line, the game takes the following words as the first row.
    let (config, _) = parse(&format!("speed {}", rows(25).join(" ")));
    assert_eq!(numbers(&config, "BOTH_DEAD1"), (10, 10, 0, false));
}

#[test]
fn missing_gesture_rows_copy_row_6() {
    let mut lines = rows(27);
    lines[6] = "60 7 7 8".to_owned();
    let config = sound(&lines.join("\n"));
    assert_eq!(config.entries.len(), 31);
    assert_eq!(numbers(&config, "TORSO_GUARDBASE"), (260, 10, 0, false), "this one is there");
    assert_eq!(numbers(&config, "TORSO_PATROL"), (60, 7, 7, false));
    assert_eq!(numbers(&config, "TORSO_NEGATIVE"), (60, 7, 7, false));
    assert!((rate(&config, "TORSO_NEGATIVE") - 8.0).abs() < 1e-6);
}

#[test]
fn frame_rate_has_minimum_and_zero_means_one() {
    let mut lines = rows(25);
    for (row, line) in ["0 1 0 0", "0 1 0 -15", "0 1 0 1e9", "0 1 0 12.5", "0 1 0 nan"].into_iter().enumerate() {
        lines[row] = line.to_owned();
    }
    lines[4] = "0 1 0 1.#QNAN".to_owned();
    let (config, warnings) = parse(&lines.join("\n"));
    let rates: Vec<f32> = config.entries.iter().take(5).map(|entry| entry.frames_per_second).collect();
    assert_eq!(rates, [1.0, 0.1, 1000.0, 12.5, 1.0]);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert_eq!(warnings[0], "line 2: BOTH_DEAD1: the rate is -15 frames per second; 0.1 is used");
}

#[test]
fn negative_and_excessive_numbers_are_corrected() {
    let mut lines = rows(25);
    lines[0] = "-3 -8 3 15".to_owned();
    lines[1] = "5 4 9 15".to_owned();
    lines[2] = "7 4 -1 15".to_owned();
    lines[3] = "99999999999999999999 -99999999999999999999 0 15".to_owned();
    let (config, warnings) = parse(&lines.join("\n"));
    assert_eq!(numbers(&config, "BOTH_DEATH1"), (0, 8, 3, true));
    assert_eq!(numbers(&config, "BOTH_DEAD1"), (5, 4, 4, false));
    assert_eq!(numbers(&config, "BOTH_DEATH2"), (7, 4, 0, false));
    assert_eq!(numbers(&config, "BOTH_DEAD2"), (u32::MAX, u32::MAX, 0, true));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    let (clips, warnings) = clips(&config, BodyPart::Legs, 100);
    assert_eq!((clips[3].first, clips[3].count), (99, 1));
    assert!(warnings.iter().any(|warning| warning.starts_with("BOTH_DEAD2: ")), "{warnings:?}");
}

#[test]
fn truncated_file_keeps_complete_rows() {
    let (config, warnings) = parse(&format!("{}\n140 10", rows(14).join("\n")));
    assert_eq!(config.entries.len(), 14);
    assert_eq!(numbers(&config, "LEGS_WALKCR").0, 60, "it is moved all the same");
    let expected =
        ["line 15: the last animation is incomplete; skipped", "only 14 of 25 animations are defined; those are used"];
    assert_eq!(warnings, expected);
    let (config, warnings) = parse("0 1 0 1 /* it breaks off");
    assert_eq!(config.entries.len(), 1);
    assert!(warnings[0].starts_with("line 1: ") && warnings[0].contains("unclosed"), "{warnings:?}");
    let (config, warnings) = parse("");
    assert!(config.entries.is_empty());
    assert_eq!(warnings, ["the file has no animations"]);
    let (config, warnings) = parse(&format!("{} 1 2 3 4", rows(31).join(" ")));
    assert_eq!((config.entries.len(), warnings.len()), (31, 1), "{warnings:?}");
}

#[test]
fn elite_force_multiplayer_has_no_gestures_after_legs() {
    for head in ["soundpath models/players2/borg", "footsteps borg"] {
        let config = sound(&format!("{head}\n{}", rows(25).join("\n")));
        assert_eq!((config.dialect, config.entries.len()), (Dialect::EliteForceMultiplayer, 25));
        assert_eq!(numbers(&config, "LEGS_TURN").0, 170);
    }
}

#[test]
fn elite_force_rows_name_the_return_frame() {
    let config = sound(
        "// any order\n\
         LEGS_RUN 173 9 0 15\n\
         BOTH_DEATH1 0 30 -1 25\n\
         TORSO_TALK 90 10 4 -12\n\
         LEGS_WALKCR 153 8 0 20 TORSO_GESTURE 90 1 -1 1",
    );
    assert_eq!(config.dialect, Dialect::EliteForce);
    assert_eq!(numbers(&config, "LEGS_RUN"), (173, 9, 9, false), "legs are not moved");
    assert_eq!(numbers(&config, "BOTH_DEATH1"), (0, 30, 0, false));
    assert_eq!(numbers(&config, "TORSO_TALK"), (90, 10, 6, true));
    assert!((rate(&config, "TORSO_TALK") - 12.0).abs() < 1e-6);
    let (config, warnings) = parse("WALK 0 4 4 10\nRUN 4 4 9 10\n");
    assert_eq!((config.dialect, numbers(&config, "WALK")), (Dialect::Named, (0, 4, 4, false)));
    assert_eq!(numbers(&config, "RUN"), (4, 4, 4, false));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    let (config, warnings) = parse("RUN 4 4 9 10\n");
    assert_eq!((config.dialect, numbers(&config, "RUN")), (Dialect::EliteForce, (4, 4, 0, false)));
    assert_eq!(warnings.len(), 1, "{warnings:?}");
}

#[test]
fn header_makes_named_rows_count_loops_like_quake3() {
    let config = sound("sex n\nIDLE 0 10 0 10\nRUN 10 -6 2 10\n");
    assert_eq!(config.dialect, Dialect::Named);
    assert_eq!(numbers(&config, "IDLE"), (0, 10, 0, false));
    assert_eq!(numbers(&config, "RUN"), (10, 6, 2, true));
    let (config, warnings) = parse("IDLE 0 10 0 10\nRUN 10 6 2\nWALK 16 4 4 10 5\nJUMP 20 1 -1 10\n");
    assert_eq!(config.entries.len(), 2);
    assert_eq!(warnings[0], "line 2: “RUN” has 3 numbers, but an animation needs 4; skipped");
    assert_eq!(warnings.len(), 2);
}

#[test]
fn named_legs_beyond_model_are_shifted_to_fit() {
    let text = "sex m BOTH_DEATH1 0 20 0 20 TORSO_GESTURE 20 30 0 20 LEGS_WALKCR 50 8 8 10 LEGS_RUN 58 10 10 20";
    let config = sound(text);
    assert_eq!(numbers(&config, "LEGS_RUN").0, 58);
    let ranges = |frames| -> Vec<(u32, u32)> {
        clips(&config, BodyPart::Legs, frames).0.iter().map(|clip| (clip.first, clip.count)).collect()
    };
    assert_eq!(ranges(38), [(0, 20), (20, 8), (28, 10)], "a model of legs alone");
    assert_eq!(ranges(68), [(0, 20), (50, 8), (58, 10)], "a model that has them all");
    assert_eq!(clips(&config, BodyPart::Legs, 38).1, Vec::<String>::new());
}

#[test]
fn wolfenstein_rows_are_named_and_head_frames_rebased() {
    let text = "// body\nversion 2\nskeletal\nsex m\nSTARTANIMS\nidle_alert 10 20 20 15 0\nLEGS_Run 30 12 12 15 180 100\ndeath_1 50 30 0 20 0 200 // dies\n\
                ENDANIMS\nHEADFRAMES\nneutral 200 1 0\ntalk 201 5\nblink 206 2 0\n";
    let config = sound(text);
    assert_eq!((config.dialect, config.entries.len()), (Dialect::Wolfenstein, 3));
    assert_eq!(numbers(&config, "idle_alert"), (10, 20, 20, false));
    assert_eq!(numbers(&config, "LEGS_Run"), (30, 12, 12, false));
    let heads: Vec<(&str, u32, u32)> =
        config.head_entries.iter().map(|entry| (entry.name.as_str(), entry.first, entry.count)).collect();
    assert_eq!(heads, [("neutral", 0, 1), ("talk", 1, 5), ("blink", 6, 2)]);
    assert_eq!(names(&clips(&config, BodyPart::Head, 8).0), ["neutral", "talk", "blink"]);
    assert_eq!(names(&clips(&config, BodyPart::Torso, 100).0), ["idle_alert", "death_1"]);
}

#[test]
fn old_wolfenstein_rows_have_five_numbers() {
    let text = |head: &str| {
        let rows: Vec<String> = rows(25).iter().map(|row| format!("{row} 120")).collect();
        format!("{head}\nSTARTANIMS\n{}\nENDANIMS\nHEADFRAMES\n400 1 0\n401 4 0\n", rows.join("\n"))
    };
    let config = sound(&text("version 1"));
    assert_eq!((config.dialect, config.entries.len()), (Dialect::Wolfenstein, 25));
    assert_eq!(numbers(&config, "LEGS_RUN"), (80, 10, 0, false));
    let heads: Vec<(u32, u32)> = config.head_entries.iter().map(|entry| (entry.first, entry.count)).collect();
    assert_eq!(heads, [(0, 1), (1, 4)]);
    assert_eq!(numbers(&sound(&text("skeletal")), "LEGS_RUN").0, 150, "its own frames");
}

#[test]
fn each_body_part_gets_its_own_clips() {
    let config = sound(&rows(25).join("\n"));
    let (legs, _) = clips(&config, BodyPart::Legs, 1000);
    assert_eq!((legs.len(), legs[6].name.as_str(), legs[6].first), (6 + 12, "LEGS_WALKCR", 60));
    let (torso, _) = clips(&config, BodyPart::Torso, 1000);
    assert_eq!((torso.len(), torso[6].name.as_str(), torso[6].first), (6 + 7 + 6, "TORSO_GESTURE", 60));
    assert!(torso.iter().all(|clip| clip.source == ClipSource::AnimationConfig && clip.wrap == Wrap::LastToFirst));
    assert!(clips(&config, BodyPart::Head, 10).0.is_empty());
    // A model with all frames plays every row, at the numbers of the file; a shorter one plays none.
    let (whole, _) = clips(&config, BodyPart::Whole, 241);
    let found = whole.iter().find(|clip| clip.name == "LEGS_WALKCR").map(|clip| clip.first);
    assert_eq!((whole.len(), found, config.last_first_frame()), (31, Some(130), Some(240)));
    assert!(clips(&config, BodyPart::Whole, 240).0.is_empty());
    let config = sound("WAVE 0 5 0 10 legs_run 5 5 0 10 TORSO_RUN 5 5 0 10");
    assert_eq!(names(&clips(&config, BodyPart::Legs, 10).0), ["WAVE", "legs_run"]);
    assert_eq!(names(&clips(&config, BodyPart::Torso, 10).0), ["WAVE", "TORSO_RUN"]);
    assert_eq!(names(&clips(&config, BodyPart::Head, 10).0), ["WAVE"]);
    assert_eq!(clips(&config, BodyPart::Whole, 10).0.len(), 3);
    assert!(clips(&config, BodyPart::Whole, 0).0.is_empty());
}

#[test]
fn body_part_is_detected_by_file_name() {
    for (stem, part) in [
        ("lower", BodyPart::Legs),
        ("LOWER_1", BodyPart::Legs),
        ("upper_2", BodyPart::Torso),
        ("head", BodyPart::Head),
        ("lower_3", BodyPart::Whole),
        ("umber", BodyPart::Whole),
    ] {
        assert_eq!(BodyPart::of_stem(stem), part, "{stem}");
    }
}

#[test]
fn frames_beyond_the_model_are_cut_off() {
    let config = sound("sex m A 0 10 4 10 B 6 -10 4 10 C 90 5 5 10 D 2 0 0 10 E 3 1 1 10");
    let (clips, warnings) = clips(&config, BodyPart::Whole, 8);
    let numbers: Vec<_> = clips.iter().map(|clip| (clip.first, clip.count, clip.loop_frames, clip.reversed)).collect();
    // A loops frames 6 to 9, of which 6 and 7 remain; B runs down from 15 and loops 6 to 9.
    assert_eq!(numbers, [(0, 8, 2, false), (6, 2, 2, true), (7, 1, 1, false), (2, 1, 0, false), (3, 1, 1, false)]);
    assert_eq!(warnings.len(), 4);
    assert_eq!(warnings[0], "A: the clip has frames 0 to 9, but the model's last frame is 7; the clip ends there");
    assert_eq!(warnings[3], "D: the clip has a length of 0; its first frame is shown");
}

#[test]
fn clip_playback_matches_the_game_formula() {
    // Frame of step k: k while k < N, then N − L + (k − N) mod L, or N − 1 if L is 0. Reversed: F + N − 1 − i.
    let frame = |first: u32, count: u32, looped: u32, reversed: bool, step: u32| {
        let i = match step {
            step if step < count => step,
            _ if looped == 0 => count - 1,
            step => count - looped + (step - count) % looped,
        };
        if reversed { first + count - 1 - i } else { first + i }
    };
    let config = sound("sex m A 5 6 0 10 B 5 6 2 10 C 5 6 6 10 D 5 -6 2 10 E 5 -6 0 10");
    let (clips, _) = clips(&config, BodyPart::Whole, 20);
    for clip in &clips {
        for step in 0..30 {
            let want = |step| frame(clip.first, clip.count, clip.loop_frames, clip.reversed, step);
            let got = blend_at(clip, f64::from(step), Repeat::Loop);
            assert_eq!((got.from, got.t), (want(step), 0.0), "{} at {step}", clip.name);
            let got = blend_at(clip, f64::from(step) + 0.25, Repeat::Loop).clamped(19);
            if got.t > 0.0 {
                assert_eq!((got.from, got.to, got.t), (want(step), want(step + 1), 0.25), "{} after {step}", clip.name);
            }
        }
    }
    // Calculated by hand: the last two of six frames, reversed from frame 10, are 6 and 5.
    let steps: Vec<u32> = (0..9).map(|step| blend_at(&clips[3], f64::from(step), Repeat::Loop).from).collect();
    assert_eq!(steps, [10, 9, 8, 7, 6, 5, 6, 5, 6]);
}

#[test]
fn sample_config_has_three_looping_clips() {
    let config = sound(include_str!("../../../../assets/sample/animation.cfg"));
    let (clips, warnings) = clips(&config, BodyPart::of_stem("umber"), 52);
    let numbers: Vec<_> =
        clips.iter().map(|clip| (clip.name.as_str(), clip.first, clip.count, clip.loop_frames)).collect();
    assert_eq!(numbers, [("idle", 0, 24, 24), ("run", 24, 8, 8), ("wave", 32, 20, 20)]);
    assert!(warnings.is_empty(), "{warnings:?}");
}

#[test]
fn model_rejects_clips_without_frames() {
    let (mut model, _) = maquette_core::formats::load(&maquette_testing::files::Md3::typical().build()).unwrap();
    let frames = u32::try_from(model.frames().len()).unwrap();
    let clip = |name: &str, first, count| Clip::new(name, first, count, 10.0, ClipSource::AnimationConfig);
    let broken = Clip { frames_per_second: f32::NAN, ..clip("no rate", 0, 1) };
    let greedy = Clip { loop_frames: 2, ..clip("greedy", 0, 1) };
    model.set_clips(vec![clip("all", 0, frames), clip("none", 0, 0), clip("past", 1, frames), broken, greedy]);
    assert_eq!(names(model.clips()), ["all"]);
}

fn real(path: &str) -> Option<AnimationConfig> {
    let file = shared_folder("models", "MAQUETTE_MODELS")?.join(path);
    Some(AnimationConfig::parse(&std::fs::read(file).ok()?, &mut Warnings::default()))
}

#[test]
fn shared_players_have_expected_leg_frames() {
    let range = |config: &AnimationConfig, name: &str| {
        let (first, count, ..) = numbers(config, name);
        (first, count)
    };
    if let Some(sarge) = real("md3/openarena-sarge/models/players/sarge/animation.cfg") {
        assert_eq!((sarge.dialect, sarge.entries.len()), (Dialect::QuakeThree, 31));
        assert_eq!(range(&sarge, "LEGS_RUN"), (110, 9));
        assert_eq!(range(&sarge, "LEGS_IDLE"), (171, 10));
        assert_eq!(range(&sarge, "TORSO_NEGATIVE"), (90, 40));
        assert!(clips(&sarge, BodyPart::Legs, 213).1.is_empty());
    }
    if let Some(neko) = real("md3/openarena-neko/models/players/neko/animation.cfg") {
        assert_eq!(range(&neko, "LEGS_RUN"), (111, 16));
    }
    if let Some(drone) = real("mdr/conv-drone-player/models/players/drone/animation.cfg") {
        assert_eq!(range(&drone, "LEGS_TURN"), (45, 12));
        assert!(clips(&drone, BodyPart::Legs, 69).1.is_empty());
        assert!(clips(&drone, BodyPart::Torso, 38).1.is_empty());
    }
    if let Some(raph) = real("md3/turtlearena-raph/models/players/raph/animation.cfg") {
        assert_eq!((raph.dialect, raph.entries.len()), (Dialect::Named, 54));
        assert_eq!(numbers(&raph, "BOTH_LADDER_UP"), (65, 16, 16, false));
        assert_eq!(numbers(&raph, "LEGS_JUMP"), (319, 9, 0, false));
    }
}

#[test]
fn animation_config_memory_is_bounded_by_file_size() {
    let many = |entry: &str| entry.repeat(200_000);
    for text in [many("a 0 1 0 1 "), many("0 1 0 1 "), format!("STARTANIMS {}", many("a 0 1 0 1 0 ")), many("a ")] {
        let (_, peak) = peak_of(|| parse(&text).0.clips(BodyPart::Whole, 10, &mut Warnings::default()));
        assert!(peak <= text.len() + (4 << 20), "{peak} bytes for a file of {}", text.len());
    }
}

/// Keywords and separators of the grammar.
const SOUP: [&str; 34] = [
    "sex",
    "m",
    "footsteps",
    "boot",
    "borg",
    "headoffset",
    "fixedlegs",
    "soundpath",
    "version",
    "2",
    "skeletal",
    "STARTANIMS",
    "ENDANIMS",
    "HEADFRAMES",
    "BOTH_DEATH1",
    "LEGS_RUN",
    "TORSO_TALK",
    "idle",
    "0",
    "1",
    "-1",
    "10",
    "-7",
    "99999999999",
    "1e30",
    "12.5",
    "//",
    "/*",
    "*/",
    "\n",
    "\"",
    "{",
    ",",
    "-",
];

fn survives(bytes: &[u8]) {
    let mut warnings = Warnings::default();
    let config = AnimationConfig::parse(bytes, &mut warnings);
    for part in [BodyPart::Legs, BodyPart::Torso, BodyPart::Head, BodyPart::Whole] {
        for frames in [0, 1, 9, 1000] {
            for clip in config.clips(part, frames, &mut warnings) {
                assert!(clip.count >= 1 && clip.end() <= frames && clip.loop_frames <= clip.count, "{clip:?}");
                assert!((0.1..=1000.0).contains(&clip.frames_per_second), "{clip:?}");
            }
        }
    }
}

proptest! {
    #[test]
    fn animation_config_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn animation_config_parser_survives_arbitrary_words(words in proptest::collection::vec(0..SOUP.len(), 0..200)) {
        let text: Vec<&str> = words.iter().map(|word| SOUP[*word]).collect();
        survives(text.join(" ").as_bytes());
    }
}
