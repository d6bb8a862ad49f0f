//! Edits of clips in an `animation.cfg` keep everything else of the file.

use maquette_core::convert::frame_groups;
use maquette_core::edit::{apply, edited_clip_list};
use maquette_core::error::Warnings;
use maquette_core::formats::animation_cfg::{AnimationConfig, BodyPart};
use maquette_core::model::{Clip, ClipSource, Model};

use crate::operations::{frames, load, operation};

/// Returns a model of 10 frames with the clips of a list.
fn listed(text: &str) -> Model {
    let mut model = load(&frames(10));
    let config = AnimationConfig::parse(text.as_bytes(), &mut Warnings::default());
    model.replace_clips(config.clips(BodyPart::Whole, 10, &mut Warnings::default()));
    model
}

fn edited(text: &str, edits: &[&str]) -> Result<String, String> {
    let before = listed(text);
    let edits: Vec<_> = edits.iter().map(|edit| operation(edit)).collect();
    let after = apply(&before, &edits).unwrap();
    edited_clip_list(text.as_bytes(), &before, &after).map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn first_clips_make_a_new_list() {
    let all = edited("", &["add-clip clip=idle frames=0-3 rate=8", "add-clip clip=fire frames=4-9 loop=no"]);
    assert_eq!(all.unwrap(), "// NAME first count loop fps\nidle 0 4 0 8\nfire 4 6 -1 10\n");
}

#[test]
fn keywords_comments_and_columns_of_a_list_stay() {
    // With a keyword of Quake III, the third number counts the frames that repeat.
    let list =
        "// a gun\r\nsex\tn\r\nfootsteps normal\r\n\r\nidle\t0\t4\t4\t8\t// waits\r\nfire\t4\t6\t0\t20\r\n// end\r\n";
    let all = edited(list, &["change-clip clip=idle name=wait rate=12", "add-clip clip=raise frames=2-5 loop=no"]);
    let idle = "idle\t0\t4\t4\t8\t// waits\r\n";
    let wanted = list
        .replace(idle, "wait\t0\t4\t4\t12\t// waits\r\n")
        .replace("fire\t4\t6\t0\t20\r\n", "fire\t4\t6\t0\t20\r\nraise\t2\t4\t0\t10\r\n");
    assert_eq!(all.unwrap(), wanted);
    assert_eq!(edited(list, &["remove-clip clip=idle"]).unwrap(), list.replace(idle, ""));
    assert_eq!(edited(list, &[]).unwrap(), list);
}

#[test]
fn list_without_final_newline_gets_further_lines() {
    assert_eq!(edited("idle 0 4 -1 8", &["add-clip clip=run frames=4-9"]).unwrap(), "idle 0 4 -1 8\nrun 4 6 0 10\n");
}

#[test]
fn lines_of_clips_follow_removed_frames() {
    let list = "a 0 4 -1 8 // first\nb 4 3 1 9\nc 7 3 -1 7\n";
    assert_eq!(edited(list, &["delete-frames frames=1,7-9"]).unwrap(), "a 0 3 -1 8 // first\nb 3 3 1 9\n");
}

/// Without a keyword, only a loop as long as its clip shows that loops are numbers of frames.
#[test]
fn list_whose_dialect_follows_from_the_changed_line_keeps_other_loops() {
    let list = "a 0 4 4 8 // all\nb 4 4 2 9\n";
    let text = edited(list, &["change-clip clip=a loop=no"]).unwrap();
    assert_eq!(text, "a 0 4 -1 8 // all\nb 4 4 2 9\n");
    let loops: Vec<u32> = listed(&text).clips().iter().map(|clip| clip.loop_frames).collect();
    assert_eq!(loops, [0, 2]);
}

#[test]
fn lists_of_other_kinds_and_models_are_refused() {
    let add = ["add-clip clip=x frames=0"];
    let why = edited(&"0 1 0 10\n".repeat(25), &add).unwrap_err();
    assert_eq!(why, "it has the animations of a player in a fixed order; edit it with a text editor");
    let why = edited("a\n0 4 -1 8\nb 4 4 -1 8\n", &add).unwrap_err();
    assert_eq!(why, "it has clips in several lines; edit it with a text editor");
    let before = load(&frames(10));
    let after = apply(&before, &[operation(add[0])]).unwrap();
    let why = edited_clip_list(b"walk 30 10 -1 8\n", &before, &after).unwrap_err();
    assert_eq!(why, "its clips are not those of this model; move the model to its own folder");
}

#[test]
fn clips_in_a_list_leave_the_bytes_of_the_model() {
    let bytes = frames(10);
    let before = load(&bytes);
    let after = apply(&before, &[operation("add-clip clip=x frames=0-3")]).unwrap();
    assert_eq!(maquette_core::edit::save(&bytes, &before, &after).unwrap(), (bytes, false));
}

#[test]
fn list_with_frames_beyond_the_model_is_refused() {
    let why = edited("stand 0 5 -1 10\nrun 5 95 -1 10\n", &["delete-frames frames=0"]).unwrap_err();
    assert_eq!(why, "“run” has frames that this model lacks; edit it with a text editor");
}

#[test]
fn list_is_kept_if_the_clips_of_its_names_are_from_the_model() {
    let mut before = load(&frames(10));
    before.set_clips(vec![Clip::new("run", 0, 10, 10.0, ClipSource::FrameNames)]);
    let after = apply(&before, &[operation("add-clip clip=x frames=0")]).unwrap();
    let why = edited_clip_list(b"run 0 10 0 10\n", &before, &after).unwrap_err();
    assert_eq!(why, "its clips are not those of this model; move the model to its own folder");
}

/// DarkPlaces: first frame, number of frames, frames per second, whether the group repeats.
#[test]
fn frame_groups_have_numbers_and_names_as_comments() {
    let clip = |name: &str, first, count| Clip::new(name, first, count, 12.5, ClipSource::AnimationConfig);
    let once = Clip { loop_frames: 0, ..clip("Die once", 6, 4) };
    let back = Clip { loop_frames: 2, reversed: true, ..clip("swim", 10, 5) };
    let (text, losses) = frame_groups(&[clip("run", 0, 6), once, back]).unwrap();
    let rows: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(rows, ["0 6 12.5 1 // run", "6 4 12.5 0 // Die once", "10 5 12.5 1 // swim"]);
    assert_eq!(losses, ["groups play forward: “swim”", "groups repeat from their first frame: “swim”"]);
    assert!(frame_groups(&[]).is_none());
}
