//! `maquette check`: listed problems, counts, and what it ignores.

use std::path::Path;
use std::process::{Command, Output};

use maquette_assets::lint::{BROKEN, PROFILES, RULES};

use crate::support::command::text;
use maquette_testing::archives::{folder, zip};
use maquette_testing::files::{Md2, Md3, TGA};

/// Returns the exit status, the lines of standard output, and standard error.
fn check(folder: &Path, options: &[&str]) -> (Option<i32>, Vec<String>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_maquette")).arg("check").arg(folder).args(options).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout).lines().map(str::to_owned).collect(), text(&output.stderr))
}

fn lint(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maquette")).arg("check").args(arguments).output().unwrap()
}

fn md3(shader: &'static str) -> Vec<u8> {
    Md3 { shaders: vec![shader], ..Md3::typical() }.build()
}

/// Any bytes suffice, because images are not decoded.
const PICTURE: &[u8] = TGA;

#[test]
fn check_groups_missing_texture_over_all_models() {
    let (gone, existing) = (md3("textures/gone.tga"), md3("textures/there.tga"));
    let two = Md3 { surfaces: 2, shaders: vec!["textures/gone.tga"], ..Md3::typical() }.build();
    let root = folder(&[
        ("models/a.md3", &gone),
        ("models/b.md3", &two),
        ("models/c.md3", &existing),
        ("textures/there.tga", PICTURE),
    ]);
    let (status, lines, summary) = check(root.path(), &["--textures"]);
    assert_eq!((status, lines.len()), (Some(1), 1), "{lines:?}");
    let path_of = |name: &str| root.path().join("models").join(name).display().to_string();
    let wanted =
        format!("textures/gone.tga: missing in 3 surfaces of 2 models: {}, {}", path_of("a.md3"), path_of("b.md3"));
    assert_eq!(lines[0], wanted);
    assert!(summary.contains("3 models checked, 0 failed") && summary.contains("missing: 2, guessed: 0"));
    let (_, lines, _) = check(root.path(), &["--textures", "--verbose"]);
    assert_eq!(lines[0], "textures/gone.tga: missing in 3 surfaces of 2 models");
    assert!(lines[1].contains("a.md3: u_torso"), "{lines:?}");
    assert!(lines.iter().any(|line| line.contains("not found: textures/gone.tga, ")), "{lines:?}");
    assert_eq!(check(root.path(), &[]).0, Some(0), "without --textures they do not count");
}

#[test]
fn check_groups_spellings_of_a_missing_texture() {
    let root = folder(&[("a.md3", &md3("textures/gone.tga")), ("b.md3", &md3("Textures/GONE.tga"))]);
    let (_, lines, _) = check(root.path(), &["--textures"]);
    assert!(
        lines.len() == 1 && lines[0].starts_with("textures/gone.tga: missing in 2 surfaces of 2 models"),
        "{lines:?}"
    );
}

#[test]
fn check_names_image_with_similar_name() {
    let root = folder(&[("models/gun/a.md3", &md3("models/gun/barrel.tga")), ("models/gun/barel.tga", PICTURE)]);
    let (_, lines, _) = check(root.path(), &["--textures"]);
    assert!(lines[0].ends_with("a.md3; nearest: models/gun/barel.tga"), "{lines:?}");
}

#[test]
fn check_names_scripts_that_request_missing_textures() {
    let script = b"textures/box\n{\n{\nmap textures/gone.tga\n}\n}\ntextures/lid\n{\n{\nmap textures/gone.tga\n}\n}\n";
    let root = folder(&[("models/a.md3", &md3("textures/box")), ("scripts/x.shader", script)]);
    let (status, lines, _) = check(root.path(), &["--textures"]);
    assert_eq!((status, lines.len()), (Some(1), 1), "{lines:?}");
    assert!(lines[0].starts_with("textures/gone.tga: missing in 1 surface of 1 model: "), "{lines:?}");
    assert!(lines[0].ends_with("; needed by scripts/x.shader line 1"), "{lines:?}");
    std::fs::write(root.path().join("models/b.md3"), md3("textures/lid")).unwrap();
    let (_, lines, _) = check(root.path(), &["--textures"]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("textures/gone.tga: missing in 2 surfaces of 2 models: "), "{lines:?}");
    assert!(lines[0].ends_with("; needed by scripts/x.shader lines 1, 7"), "{lines:?}");
}

#[test]
fn check_reports_guessed_texture_and_every_missing_skin() {
    // The file names models/box/skin.pcx and models/box/pain.pcx.
    let box_ = Md2::typical().build();
    let root = folder(&[("models/box/box.md2", &box_), ("models/box/other.png", PICTURE)]);
    let (status, lines, summary) = check(root.path(), &["--textures"]);
    let heads: Vec<&str> = lines.iter().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(heads, ["models/box/other.png", "models/box/skin.pcx", "models/box/pain.pcx"]);
    assert!(lines[0].contains(": guessed in 1 surface of 1 model: "), "{lines:?}");
    assert!(lines[1].contains(": missing in 1 surface of 1 model: "), "{lines:?}");
    assert!(summary.contains("missing: 2, guessed: 1"), "{summary}");
    assert_eq!(status, Some(1));

    let root = folder(&[("models/box/box.md2", &box_), ("models/box/skin.png", PICTURE)]);
    let (status, lines, summary) = check(root.path(), &["--textures"]);
    assert_eq!((status, lines.len()), (Some(1), 1), "{lines:?}");
    assert!(lines[0].starts_with("models/box/pain.pcx: missing in 1 surface of 1 model: "), "{lines:?}");
    assert!(summary.contains("missing: 1, guessed: 0"), "{summary}");

    // Without any skin, the first one is reported only as a missing texture, not also as a missing skin.
    let root = folder(&[("models/box/box.md2", &box_)]);
    let (_, lines, summary) = check(root.path(), &["--textures"]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(summary.contains("missing: 2, guessed: 0"), "{summary}");
}

#[test]
fn quake_2_player_skins_are_not_guesses() {
    let player = Md2 { skins: vec![], ..Md2::typical() }.build();
    let files: [(&str, &[u8]); 3] =
        [("players/box/tris.md2", &player), ("players/box/red.pcx", PICTURE), ("players/box/red_i.pcx", PICTURE)];
    assert_eq!(check(folder(&files).path(), &["--textures"]).0, Some(0));
    // The game does not offer a skin without an icon.
    let (status, lines, _) = check(folder(&files[..2]).path(), &["--textures"]);
    assert_eq!((status, lines.len()), (Some(1), 1), "{lines:?}");
    assert!(lines[0].contains("red.pcx: guessed"), "{lines:?}");
}

#[test]
fn check_separates_missing_local_skins_by_folder() {
    let model = Md2 { skins: vec![".gone"], ..Md2::typical() }.build();
    let root = folder(&[("models/a/a.md2", &model), ("models/b/b.md2", &model)]);
    let (_, lines, _) = check(root.path(), &["--textures"]);
    let heads: Vec<&str> = lines.iter().map(|line| line.split_once(": ").unwrap().0).collect();
    assert_eq!(heads, ["models/a/gone", "models/b/gone"]);
}

#[test]
fn surfaces_hidden_by_the_game_do_not_count() {
    let script = b"textures/nothing\n{\n{\n// do nothing\n}\n}\n";
    let hidden = md3("textures/other");
    let root = folder(&[
        ("models/a.md3", &md3("textures/nothing")),
        ("models/b.md3", &hidden),
        ("models/b_default.skin", b"u_torso,null\n"),
        ("models/c.md3", &hidden),
        ("models/c_default.skin", b"u_torso,textures/common/nodraw\n"),
        ("scripts/x.shader", script),
        // For the first model the image is not a guess, because that model lacks nothing.
        ("models/only.tga", PICTURE),
    ]);
    let (status, lines, summary) = check(root.path(), &["--textures"]);
    assert_eq!((status, lines.as_slice()), (Some(0), [].as_slice()), "{summary}");
    assert!(summary.contains("missing: 0, guessed: 0"), "{summary}");
}

#[test]
fn check_counts_unsupported_formats_by_extension() {
    let archive = zip(&[("models/a.skd", b"x"), ("models/b.SKD", b"x"), ("models/c.skb", b"x")]);
    let root = folder(&[("pak0.pk3", &archive), ("models/d.md4", b"x"), ("models/e.md3", &md3("")), ("e.txt", b"x")]);
    let (status, _, summary) = check(root.path(), &[]);
    assert_eq!(status, Some(0));
    assert!(
        summary.contains("1 model checked, 0 failed")
            && summary.contains("4 files of 3 formats are not supported: 1 MD4, 1 SKB, 2 SKD")
    );
    let (_, _, summary) = check(&root.path().join("pak0.pk3/models"), &[]);
    assert!(summary.contains("3 files of 2 formats are not supported: 1 SKB, 2 SKD"), "{summary}");
}

#[test]
fn empty_model_is_a_warning_not_a_failure() {
    let frame = |mut model: Md2| {
        model.frames.truncate(1);
        model.frames[0].vertices.clear();
        model
    };
    let empty =
        frame(Md2 { skins: vec![], triangles: vec![], coordinates: vec![], commands: vec![0], ..Md2::typical() });
    let root = folder(&[("models/clip.md2", &empty.build())]);
    let (status, lines, summary) = check(root.path(), &["--textures", "--warnings"]);
    assert_eq!((status, lines.len()), (Some(0), 1), "{lines:?} {summary}");
    assert!(lines[0].contains("no vertices and no triangles"), "{lines:?}");
    assert!(summary.contains("1 with warnings, "), "{summary}");
    let (_, lines, summary) = check(root.path(), &[]);
    assert!(lines.is_empty() && summary.contains("1 with warnings (--warnings prints them)"), "{lines:?} {summary}");
}

#[test]
fn check_warns_of_missing_textures_with_textures_option() {
    let root = folder(&[("models/a.md3", &md3("textures/gone.tga"))]);
    let (status, lines, summary) = check(root.path(), &["--warnings"]);
    assert_eq!((status, lines.len()), (Some(0), 0), "{lines:?}");
    assert!(summary.contains("1 model checked, 0 failed, 0 with warnings"), "{summary}");
    let (_, lines, _) = check(root.path(), &["--warnings", "--textures"]);
    assert!(lines.iter().any(|line| line.contains("warning: ") && line.contains("textures/gone.tga")), "{lines:?}");
}

#[test]
fn lint_fails_only_on_errors() {
    let large = Md3::grid(1500, 10).build();
    let root =
        folder(&[("models/a.md3", &Md3::typical().build()), ("rules", b"warn: at most 0 tags"), ("x/b.md3", &large)]);
    let path = |name: &str| root.path().join(name).display().to_string();
    let (models, large, rules) = (path("models"), path("x"), path("rules"));
    let warned = lint(&["--profile", "quake3", &models]);
    assert_eq!(warned.status.code(), Some(0), "{}", text(&warned.stdout));
    let lines = text(&warned.stdout);
    assert!(lines.starts_with(&path("models/a.md3")), "{lines}");
    assert!(
        lines.contains(
            "\n  warning: frame 1: vertices lie outside the bounding box in 1 frame (by up to 9.0 units) [wrong-bounds]"
        ),
        "{lines}"
    );
    let summary = text(&warned.stderr);
    assert!(summary.starts_with("1 model checked for Quake III Arena: no errors, "), "{summary}");

    let failed = lint(&["--profile", "quake3", &models, &large]);
    assert_eq!(failed.status.code(), Some(1));
    let wanted = "  error: surface u_torso: 1500 vertices; Quake III Arena supports at most 999 [too-many-vertices]\n";
    assert!(text(&failed.stdout).contains(wanted), "{}", text(&failed.stdout));
    assert!(
        text(&failed.stderr).contains("2 models checked for Quake III Arena: 1 error, "),
        "{}",
        text(&failed.stderr)
    );

    let ruled = lint(&["--rules", &rules, &models]);
    assert_eq!(ruled.status.code(), Some(0));
    assert!(text(&ruled.stdout).ends_with("  warning: 1 tag; at most 0 (line 1 of the rules file) [rules-file]\n"));
    std::fs::write(root.path().join("rules"), "at most 0 tags").unwrap();
    assert_eq!(lint(&["--rules", &rules, &models]).status.code(), Some(1));
    std::fs::write(root.path().join("rules"), "at most tags").unwrap();
    let broken = lint(&["--rules", &rules, &models]);
    assert_eq!(broken.status.code(), Some(2));
    assert!(text(&broken.stderr).contains("line 1, column 9: expected a whole number"), "{}", text(&broken.stderr));
}

#[test]
fn lint_usage_errors_list_valid_names() {
    let unknown = lint(&["--profile", "quake4", "."]);
    assert_eq!(unknown.status.code(), Some(2));
    for profile in PROFILES {
        assert!(text(&unknown.stderr).contains(profile.name), "{}", text(&unknown.stderr));
    }
    assert_eq!(lint(&["--json", "."]).status.code(), Some(2));
    assert_eq!(lint(&["--profile", "any"]).status.code(), Some(2));
    assert_eq!(lint(&["--profile", "any", "--textures", "."]).status.code(), Some(2));
    let list = lint(&["--list-rules"]);
    assert_eq!(list.status.code(), Some(0));
    let list = text(&list.stdout);
    assert!(RULES.iter().all(|rule| list.contains(rule.id) && list.contains(rule.reason)), "{list}");
    assert!(PROFILES.iter().all(|profile| list.contains(profile.name)), "{list}");
}

#[test]
fn lint_json_prints_one_object_per_line() {
    let root =
        folder(&[("a.md3", &Md3::typical().build()), ("b.md3", b"IDP3"), ("c.md2", &Md3::grid(1500, 10).build())]);
    let folder = root.path().display().to_string();
    let output = lint(&["--profile", "quake3", "--json", &folder]);
    assert_eq!(output.status.code(), Some(1));
    let lines: Vec<serde_json::Value> =
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of = |name: &str| lines.iter().find(|line| line["file"].as_str().unwrap().ends_with(name)).unwrap();
    assert_eq!((lines.len(), &of("a.md3")["format"]), (3, &serde_json::json!("md3")));
    let broken = of("b.md3");
    assert!(broken["format"].is_null() && broken["findings"][0]["rule"] == BROKEN, "{broken}");
    let finding = of("c.md2")["findings"].as_array().unwrap().iter().find(|found| found["rule"] == "too-many-vertices");
    let finding = finding.unwrap();
    assert_eq!(finding["severity"], "error");
    assert_eq!(finding["count"], 1);
    assert_eq!(finding["place"], serde_json::json!({"surface": {"index": 0, "name": "u_torso"}}));
    assert_eq!(of("c.md2")["left_out"], serde_json::json!([]));
}
