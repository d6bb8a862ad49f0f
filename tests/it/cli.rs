//! Command line: output, exit status and wording.

use std::path::Path;
use std::process::Command;

use crate::support::command::{maquette, text};
use maquette_core::edit::OPERATIONS;
use maquette_core::formats;
use maquette_core::pose::{self, Pose, Sampling};
use maquette_testing::archives::{folder, zip};
use maquette_testing::files::{Md2, Md3, Mdl, TGA};
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

fn sample(name: &str) -> String {
    format!("{}/assets/sample/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn help_names_every_command() {
    let output = maquette(&["--help"]);
    let help = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    for word in ["info", "diff", "snapshot", "export", "convert", "check", "MODEL"] {
        assert!(help.contains(word), "{word} is not in the help");
    }
}

#[test]
fn options_of_version_0_1_still_exist() {
    let scene = "attach character legs root skin torso";
    let image = "background camera fov light lod look orthographic output scale shading show size time view";
    for (command, options) in [
        ("info", format!("animation frame json {scene}")),
        ("check", "root textures warnings".to_owned()),
        ("export", format!("animation frame lod output {scene}")),
        ("snapshot", format!("animation frame {image} {scene}")),
        ("film", format!("animation fps once repeat turntable {image} {scene}")),
        ("sheet", format!("{image} {scene}")),
    ] {
        let help = text(&maquette(&[command, "--help"]).stdout);
        for option in options.split_whitespace() {
            let is_there = help.split_whitespace().any(|word| word.trim_matches([',', ']']) == format!("--{option}"));
            assert!(is_there, "{command} has lost --{option}");
        }
    }
    // Options that were renamed are no longer in the help.
    for (commands, option) in [
        (&["snapshot", "film", "sheet"][..], "--inside"),
        (&["snapshot", "film", "sheet"], "--two-sided"),
        (&["snapshot", "film", "sheet"], "--tone=light"),
        (&["film"], "--still"),
        (&["sheet"], "--moments=2"),
    ] {
        for command in commands {
            assert!(maquette(&[command, option, "--help"]).status.success(), "{command} has lost {option}");
        }
    }
}

#[test]
fn usage_errors_exit_with_2() {
    for arguments in [
        &["info"][..],
        &["export", "x.md3"],
        &["snapshot", "x.md3", "-o", "x.png", "--size", "0x10"],
        &["snapshot", "x.md3", "-o", "x.png", "--size", "large"],
        &["snapshot", "x.md3", "-o", "x.png", "--view", "sideways"],
        &["check"],
    ] {
        assert_eq!(maquette(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let output = maquette(&["info", &sample("umber.md2"), "--animation", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("unknown clip"), "{}", text(&output.stderr));
    let output = maquette(&["info", &sample("umber.md2"), "--frame", "100000"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("frames 0 to"), "{}", text(&output.stderr));
    // Where each clip counts its own frames, a clip is needed.
    let output = maquette(&["info", &sample("umber.md5mesh"), "--frame", "3"]);
    let wanted = "the bind pose has only frame 0; other frames belong to clips, so name one with --animation";
    assert!(text(&output.stderr).contains(wanted), "{}", text(&output.stderr));
}

#[test]
fn usage_errors_name_the_options_that_were_typed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap().to_owned();
    let (md2, md5, file) = (sample("umber.md2"), sample("umber.md5mesh"), format!("{out}/new"));
    let refused = |arguments: &[&str], message: &str| {
        let output = maquette(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
        assert!(error.starts_with(&format!("maquette: {message}")), "{arguments:?}: {error}");
    };
    refused(
        &["convert", &md2, "--to", "xyz", "--output-dir", &out],
        "--to xyz: unknown format; available: .mdl, .md2,",
    );
    refused(&["export", &md2, "--to", "xyz", "--output-dir", &out], "--to xyz: unknown format; available: .obj, .glb,");
    refused(&["export", &md2, "-o", &file], &format!("-o {file}: unknown format; available: .obj"));
    refused(&["--root", &out, "info", &md2], "--root belongs after the command: maquette info --root DIR MODEL");
    let md5_file = format!("{file}.md5mesh");
    refused(
        &["convert", &md5, "-o", &md5_file, "--rename-tag", "a=b"],
        &format!("{md5}: --rename-tag a: the model has no tags, only joints"),
    );
    let md2_file = format!("{file}.md2");
    refused(
        &["convert", &md2, "-o", &md2_file, "--rename-tag", "a=b"],
        &format!("{md2}: --rename-tag a: the model has no tags"),
    );
    refused(
        &["convert", &md2, "-o", &md2_file, "--add-tag", "a=1,2,3"],
        &format!("{md2}: --add-tag a: an MD2 has no tags"),
    );
    refused(&["convert", &md2, "-o", "-"], "-o -: convert writes files");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
}

#[test]
fn wrong_uses_get_the_next_step() {
    let part = Md3::typical().build();
    let mixed = folder(&[("a.md3", &part), ("neko/lower.md3", &part), ("neko/upper.md3", &part)]);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap().to_owned();
    let md2 = sample("umber.md2");
    let psk = format!("{out}/x.psk");
    let says = |arguments: &[&str], code: i32, words: &str| {
        let output = maquette(arguments);
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
        error
    };
    says(&["chek"], 2, "no such file or command: chek; a similar command is check");
    says(&["convrt", "x.md3", "-o", "y.md3"], 2, "unknown command: convrt; a similar command is convert");
    says(&["snapshot", &md2, "-o", "x"], 2, "-o x: unknown format; available: .png");
    says(&["info", mixed.path().to_str().unwrap()], 0, "neko, not 1 other model");
    says(&["help", "inof"], 2, "unknown command: inof; a similar command is info");
    let error = says(&["nothing-alike.md3"], 1, "no such file or command: nothing-alike.md3");
    assert!(!error.contains("similar"), "{error}");
    for command in ["convert", "export", "snapshot", "sheet"] {
        says(&[command, &md2], 2, "|--output-dir <DIR>>");
    }
    says(
        &["convert", &md2, "--output-dir", &out],
        2,
        "--output-dir needs the format as --to EXTENSION; available: mdl",
    );
    for command in ["convert", "export"] {
        says(&[command, &md2, "-o", &psk], 2, "x.psk: PSK can be read, but not written; available: .");
    }
    says(&["convert", &md2, "-o", &psk, "--set-material", "a"], 2, "expected SURFACE=PATH, for example");
    says(&["convert", &md2, "-o", &psk, "--add-tag", "a"], 2, "expected NAME=X,Y,Z, for example");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 0);
}

#[test]
fn paths_are_printed_as_they_were_typed() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad.pk3"), b"PK\x03\x04junk").unwrap();
    let output =
        Command::new(env!("CARGO_BIN_EXE_maquette")).args(["info", "bad.pk3"]).current_dir(folder.path()).output();
    let error = text(&output.unwrap().stderr);
    assert!(error.starts_with("maquette: bad.pk3: ZIP"), "{error}");
}

/// Animations that exist stay, as textures do.
#[test]
fn existing_animations_are_kept_without_overwrite() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("run.md5anim"), "mine").unwrap();
    let model = sample("umber.md5mesh");
    let arguments = ["convert", &model, "--animation", "run", "-o", &path("x.md5mesh")];
    let output = maquette(&arguments);
    let (shown, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{error}");
    assert!(shown.contains("run.md5anim: already exists and was not replaced; --overwrite replaces it"), "{shown}");
    assert_eq!(std::fs::read(path("run.md5anim")).unwrap(), b"mine");
    assert_eq!(maquette(&[&arguments[..], &["--overwrite"]].concat()).status.code(), Some(0));
    assert_ne!(std::fs::read(path("run.md5anim")).unwrap(), b"mine");
}

#[test]
fn kept_animation_of_an_edited_model_is_reported_as_old() {
    let folder = folder(&[("box.md5mesh", MD5_MESH.as_bytes()), ("wave.md5anim", MD5_ANIM.as_bytes())]);
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let kept = |edit: &str| {
        let output = maquette(&["convert", &path("box.md5mesh"), "--edit", edit, "-o", &path("b.md5mesh")]);
        text(&output.stdout).lines().find(|line| line.contains("wave.md5anim")).map(str::to_owned)
    };
    let why =
        "already exists and was not replaced, so the edited model plays the old animation; --overwrite replaces it";
    assert_eq!(kept("scale factor=2"), Some(format!("{}: {why}", path("wave.md5anim"))));
    assert_eq!(kept("rename-surface surfaces=#0 name=x"), None);
}

#[test]
fn failed_file_exits_with_1_and_one_stderr_line() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.md3");
    std::fs::write(&broken, b"IDP3\x0f\0\0\0").unwrap();
    let output = maquette(&["info", broken.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "");
    let message = text(&output.stderr);
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(message.contains("broken.md3: MD3: the file is truncated: its header ends after 8 bytes; name at byte 0x8: the file ends here"), "{message}");
    let output = maquette(&["info", "no/such/file.md3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no such file"));
}

#[test]
fn salvage_option_opens_intact_part_of_damaged_file() {
    let folder = tempfile::tempdir().unwrap();
    let damaged = folder.path().join("umber.md3");
    let mut bytes = std::fs::read(sample("umber.md3")).unwrap();
    bytes[4..8].copy_from_slice(&14_i32.to_le_bytes());
    let (path, damaged) = (&damaged, damaged.to_str().unwrap());
    std::fs::copy(sample("umber.md3"), path).unwrap();
    let sound = maquette(&["info", damaged, "--json"]);
    std::fs::write(path, &bytes).unwrap();
    let output = maquette(&["info", damaged]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("version at byte 0x4") && message.contains("pass --salvage to open the recoverable part"),
        "{message}"
    );
    let output = maquette(&["info", damaged, "--salvage", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(report["warnings"][0].to_string().contains("version at byte 0x4"), "{}", report["warnings"]);
    let sound: serde_json::Value = serde_json::from_slice(&sound.stdout).unwrap();
    assert_eq!((&report["surfaces"], &report["tags"]), (&sound["surfaces"], &sound["tags"]));
    let output = maquette(&["export", damaged, "--salvage", "-o", "-"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn anatomy_prints_json_up_to_the_damage() {
    let output = maquette(&["anatomy", &sample("umber.md3"), "--json", "--depth", "4"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["file"], &json["format"], &json["error"]), (&"umber.md3".into(), &"md3".into(), &().into()));
    let named = |fields: &serde_json::Value, name: &str| {
        fields.as_array().unwrap().iter().find(|field| field["name"] == name).unwrap().clone()
    };
    let header = named(&json["fields"], "header");
    let version = serde_json::json!({"name": "version", "offset": 4, "size": 4, "value": 15});
    assert_eq!(named(&header["children"], "version"), version);
    let frames = named(&json["fields"], "frames");
    let count = named(&header["children"], "numFrames")["value"].clone();
    assert_eq!((&frames["count"], &frames["each"]), (&count, &56.into()));
    assert_eq!(frames["children"].as_array().unwrap().len() as u64, count.as_u64().unwrap());
    assert_eq!(
        named(&frames["children"][1]["children"], "radius")["offset"],
        frames["offset"].as_u64().unwrap() + 56 + 36
    );

    let folder = tempfile::tempdir().unwrap();
    let cut = folder.path().join("cut.md3");
    std::fs::write(&cut, &std::fs::read(sample("umber.md3")).unwrap()[..90]).unwrap();
    let output = maquette(&["anatomy", cut.to_str().unwrap(), "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["error"]["offset"], 88);
    assert_eq!(named(&named(&json["fields"], "header")["children"], "numSurfaces")["offset"], 84);
    assert_eq!(json["gaps"], serde_json::json!([{"offset": 88, "size": 2}]));
    assert_eq!(maquette(&["anatomy"]).status.code(), Some(2));
}

#[test]
fn info_prints_json_for_every_sample() {
    for (name, format) in [
        ("umber.md2", "md2"),
        ("umber.md3", "md3"),
        ("umber.mdc", "mdc"),
        ("umber.mdr", "mdr"),
        ("umber.md5mesh", "md5"),
    ] {
        let output = maquette(&["info", &sample(name), "--json"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", text(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["format"], format);
        assert!(!report["surfaces"].as_array().unwrap().is_empty(), "{name} has surfaces");
        assert_eq!(report["warnings"].as_array().unwrap().len(), 0, "{name}: {}", report["warnings"]);
    }
}

#[test]
fn frame_option_is_relative_to_named_clip() {
    let path = sample("umber.md2");
    let all: serde_json::Value = serde_json::from_slice(&maquette(&["info", &path, "--json"]).stdout).unwrap();
    let clip = &all["animations"][1];
    let (name, first) = (clip["name"].as_str().unwrap(), clip["first"].as_u64().unwrap());
    let bounds = |arguments: &[&str]| {
        let output = maquette(&[&["info", &path, "--json"], arguments].concat());
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()["bounds"].clone()
    };
    let absolute = format!("{}.5", first + 2);
    assert_eq!(bounds(&["--animation", name, "--frame", "2.5"]), bounds(&["--frame", &absolute]));
}

#[test]
fn export_writes_obj_with_every_triangle() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.obj");
    let output = maquette(&["export", &sample("umber.md3"), "-o", target.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let obj = std::fs::read_to_string(&target).unwrap();
    let json = maquette(&["info", &sample("umber.md3"), "--json"]).stdout;
    let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
    let surfaces = report["surfaces"].as_array().unwrap();
    let finest = surfaces.iter().filter(|surface| surface["lod"] == 0);
    let triangles: u64 = finest.map(|surface| surface["triangles"].as_u64().unwrap()).sum();
    assert_eq!(obj.lines().filter(|line| line.starts_with("f ")).count() as u64, triangles);
}

#[test]
fn convert_writes_other_format_and_reports_deviation() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let output = maquette(&["convert", &sample("umber.md5mesh"), "-o", &path("umber.md3"), "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    // The error is at most √3 times half a step of 1/64 unit, because each axis has half a step.
    let distance = report["measured"]["positions"]["distance"].as_f64().unwrap();
    assert!(distance > 0.0 && distance < 0.0136, "{distance}");
    assert_eq!((&report["source"]["format"], &report["target"]["format"]), (&"md5".into(), &"md3".into()));
    assert!(!report["losses"].as_array().unwrap().is_empty() && report["refused"].as_array().unwrap().is_empty());
    for file in report["files"].as_array().unwrap() {
        assert!(Path::new(file.as_str().unwrap()).is_file(), "{file}");
    }
    assert_eq!(maquette(&["info", &path("umber.md3")]).status.code(), Some(0));
    // The clip list may belong to another model, so it stays.
    std::fs::write(folder.path().join("animation.cfg"), "mine").unwrap();
    let output = maquette(&["convert", &sample("umber.md5mesh"), "-o", &path("umber.mdc")]);
    assert!(text(&output.stdout).contains("already exists and was not replaced"), "{}", text(&output.stdout));
    assert_eq!(std::fs::read(folder.path().join("animation.cfg")).unwrap(), b"mine");
    // Nothing is written if the format cannot store the model.
    let output = maquette(&["convert", &sample("umber.md3"), "-o", &path("umber.mdr")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("choose a single frame"), "{}", text(&output.stderr));
    assert!(!folder.path().join("umber.mdr").exists());
    assert_eq!(maquette(&["convert", &sample("umber.md3"), "-o", "x.ply"]).status.code(), Some(2));
}

#[test]
fn convert_to_glm_names_its_skeleton_by_the_path_in_the_game() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("base/models/players/umber")).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, stored, has_note) in
        [("base/models/players/umber/model.glm", "models/players/umber/model", false), ("umber.glm", "umber", true)]
    {
        let output = maquette(&["convert", &sample("umber.md5mesh"), "-o", &path(name)]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let glm = std::fs::read(path(name)).unwrap();
        assert!(glm[72..].starts_with(&[stored.as_bytes(), b"\0"].concat()), "{name}");
        assert_eq!(text(&output.stderr).contains("the game looks for the GLA in its base folder"), has_note);
        let json = maquette(&["info", &path(name), "--json"]).stdout;
        let report: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert!(report["joints"].as_array().unwrap().len() > 1, "the skeleton is found again");
        // An existing skeleton belongs to another model.
        std::fs::remove_file(path(name)).unwrap();
        let output = maquette(&["convert", &sample("umber.md5mesh"), "-o", &path(name)]);
        assert!(text(&output.stderr).contains("file already exists; pass --overwrite to replace it"));
    }
}

#[test]
fn existing_animation_is_kept_even_if_its_name_begins_like_the_model() {
    let files: [(&str, &[u8]); 4] = [
        ("box.md5mesh", MD5_MESH.as_bytes()),
        ("all_wave.md5anim", MD5_ANIM.as_bytes()),
        ("out/all.md5mesh", MD5_MESH.as_bytes()),
        ("out/all_wave.md5anim", b"of another model"),
    ];
    let folder = folder(&files);
    let path = |name: &str| folder.path().join(name).to_string_lossy().into_owned();
    let output = maquette(&["convert", &path("box.md5mesh"), "-o", &path("out/all.md5mesh")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(std::fs::read(path("out/all_wave.md5anim")).unwrap(), b"of another model");
    assert!(text(&output.stdout).contains("all_wave.md5anim"), "{}", text(&output.stdout));
}

#[test]
fn convert_edits_model_and_requires_overwrite_for_original() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let original = std::fs::read(sample("umber.md3")).unwrap();
    std::fs::write(path("a.md3"), &original).unwrap();
    let renamed = ["--rename-tag", "tag_weapon=tag_hand", "--set-material", "0=models/mended", "--recompute", "bounds"];
    let output = maquette(&[&["convert", &path("a.md3"), "-o", &path("b.md3")], &renamed[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("bytes changed"), "{}", text(&output.stdout));
    let again = std::fs::read(path("b.md3")).unwrap();
    assert_eq!(again.len(), original.len());
    let report = text(&maquette(&["info", &path("b.md3"), "--json"]).stdout);
    assert!(report.contains("tag_hand") && !report.contains("tag_weapon") && report.contains("models/mended"));
    // Edits also apply to a conversion.
    let output = maquette(&["convert", &path("a.md3"), "-o", &path("c.mdc"), "--rename-tag", "TAG_WEAPON=tag_hand"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&maquette(&["info", &path("c.mdc"), "--json"]).stdout).contains("tag_hand"));
    // A missing tag is a usage error. The original as output is one, too.
    for wrong in [&["-o", &path("d.md3"), "--remove-tag", "nothing"][..], &["-o", &path("a.md3"), "--drop-degenerate"]]
    {
        let output = maquette(&[&["convert", &path("a.md3")], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    }
    assert_eq!(std::fs::read(path("a.md3")).unwrap(), original);
    let output =
        maquette(&["convert", &path("a.md3"), "-o", &path("a.md3"), "--overwrite", "--rename-tag", "tag_weapon=tag_x"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_ne!(std::fs::read(path("a.md3")).unwrap(), original);
}

#[test]
fn convert_edits_the_clip_list_and_keeps_its_layout() {
    let list = "// my clips\r\nstop   0 1 -1 5 // stands\r\ngo     1 1 -1 7\r\n";
    let folder = folder(&[("box.md3", &Md3::typical().build()), ("animation.cfg", list.as_bytes())]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::create_dir(path("new")).unwrap();
    let edit = |output: &str, more: &[&str]| {
        let edit = ["--edit", "change-clip clip=stop rate=9 loop=yes"];
        let output = maquette(&[&["convert", &path("box.md3"), "-o", &path(output)], &edit[..], more].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let read = |name: &str| std::fs::read_to_string(path(name)).unwrap();
    let edited = list.replace("stop   0 1 -1 5", "stop   0 1 0 9");
    assert_eq!(edit("new/box.md3", &[]), "");
    assert_eq!((read("new/animation.cfg"), read("animation.cfg")), (edited.clone(), list.to_owned()));
    edit("box.md3", &["--overwrite"]);
    assert_eq!(read("animation.cfg"), edited);
    // A list that cannot be changed is written again.
    std::fs::write(path("animation.cfg"), list.replace("go     1 1", "go     1 5")).unwrap();
    let why = "“go” has frames that this model lacks; edit it with a text editor";
    let notes = edit("box.md3", &["--overwrite"]);
    assert!(notes.contains(why), "{notes}");
    assert!(read("animation.cfg").starts_with("// NAME first count loop fps\nstop 0 1 0 9\n"));
}

#[test]
fn convert_applies_operations_in_order() {
    let files = [("a.md3", Md3::typical().build())];
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, bytes)| std::fs::write(folder.path().join(name), bytes).unwrap());
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Two frames: reversed, and the second one deleted. The remaining one was the second: its tag was at (8, 0, 5).
    let operations = ["--edit", "scale factor=2", "--edit", "reverse-frames", "--edit", "delete-frames frames=1"];
    let output = maquette(&[&["convert", &path("a.md3"), "-o", &path("b.md3")], &operations[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (model, _) = formats::load(&std::fs::read(path("b.md3")).unwrap()).unwrap();
    let mut pose = Pose::default();
    pose::sample(&model, &Sampling::default(), &mut pose);
    assert_eq!(model.frames().len(), 1);
    assert_eq!(pose.tags[0].translation, glam::Vec3A::new(16.0, 0.0, 10.0));
    // Operations also apply to a conversion, and to many models.
    let output = maquette(&["convert", &path("a.md3"), "-o", &path("c.md2"), "--edit", "scale height=56"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let out = path("out");
    let batch = ["--to", "md3", "--output-dir", &out, "--edit", "move by=1,0,0"];
    assert_eq!(maquette(&[&["convert", &path("a.md3")], &batch[..]].concat()).status.code(), Some(0));
    for (wrong, why) in [
        ("grow", "unknown operation “grow”; expected scale"),
        ("scale factor=x", "factor=x: expected a number from 0.001 to 10000"),
        ("move by=1,0,0 surfaces=hat", "--edit move: unknown surface “hat”; available: u_torso"),
    ] {
        let output = maquette(&["convert", &path("a.md3"), "-o", &path("d.md3"), "--edit", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(text(&output.stderr).contains(why), "{}", text(&output.stderr));
    }
    // A numbered file is a frame, and not a coarser LOD of walk.md3.
    for (name, x) in [("walk.md3", 9), ("walk_1.md3", 1), ("walk_2.md3", 2)] {
        let corners = [([x * 64, 0, 0], [0, 0]), ([0, 64, 0], [0, 0]), ([0, 0, 64], [0, 0])];
        let file = Md3 { tags: vec![], frames: vec![corners.to_vec()], ..Md3::typical() };
        std::fs::write(path(name), file.build()).unwrap();
    }
    let animate = format!("animate files={}", path("walk_*.md3"));
    let output = maquette(&["convert", &path("walk_1.md3"), "-o", &path("e.md3"), "--edit", &animate]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (model, _) = formats::load(&std::fs::read(path("e.md3")).unwrap()).unwrap();
    pose::sample(&model, &Sampling::at(pose::FrameBlend::single(1)), &mut pose);
    assert_eq!((model.frames().len(), pose.surfaces[0].positions[0].x), (2, 2.0));
    // A tag becomes a joint where joints hold no tags.
    std::fs::write(path("f.md5mesh"), MD5_MESH).unwrap();
    let tag = ["--add-tag", "tag_hand=14,0,0"];
    let output = maquette(&[&["convert", &path("f.md5mesh"), "-o", &path("f.md3")], &tag[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(formats::load(&std::fs::read(path("f.md3")).unwrap()).unwrap().0.tags(), ["tag_hand"]);
    let output = maquette(&[&["convert", &path("f.md5mesh"), "-o", &path("g.md5mesh")], &tag[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let (model, _) = formats::load(&std::fs::read(path("g.md5mesh")).unwrap()).unwrap();
    assert_eq!(model.joints().last().unwrap().name, "tag_hand");
    // The tags of an IQM are its joints.
    std::fs::write(path("h.iqm"), Iqm::typical().build()).unwrap();
    let add = ["--edit", "add-tag name=tag_new at=14,0,0"];
    let output = maquette(&[&["convert", &path("h.iqm"), "-o", &path("i.iqm")], &add[..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(formats::load(&std::fs::read(path("i.iqm")).unwrap()).unwrap().0.tags().contains(&"tag_new".to_owned()));
    let remove = ["--remove-tag", "tag_new"];
    let output = maquette(&[&["convert", &path("i.iqm"), "-o", &path("j.iqm")], &remove[..]].concat());
    let why = "the tags are bones; they can be renamed, but not moved or removed";
    assert!(output.status.code() == Some(2) && text(&output.stderr).contains(why), "{}", text(&output.stderr));
    let help = text(&maquette(&["convert", "--help"]).stdout);
    assert!(OPERATIONS.iter().all(|operation| help.contains(&format!("{}: ", operation.name))), "{help}");
}

#[test]
fn snapshot_draws_model_on_transparent_background() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("out.png");
    let path = target.to_str().unwrap();
    let size = ["--size", "120x160", "--background", "transparent", "--show", "none"];
    let output = maquette(&[&["snapshot", &sample("umber.md3"), "-o", path], &size[..]].concat());
    let message = text(&output.stderr);
    if message.contains("no graphics driver") && std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none() {
        eprintln!("skipped: no adapter");
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{message}");
    let image = image::open(&target).unwrap().into_rgba8();
    assert_eq!(image.dimensions(), (120, 160));
    assert_eq!(image.get_pixel(0, 0)[3], 0, "nothing in the corner");
    assert_eq!(image.get_pixel(60, 80)[3], 255, "the figure in the middle");
    // The model fills 84 % of the height.
    let rows: Vec<u32> = (0..160).filter(|y| (0..120).any(|x| image.get_pixel(x, *y)[3] > 0)).collect();
    assert!((125..=140).contains(&rows.len()), "{} rows of 160", rows.len());
}

#[test]
fn check_lists_failed_models() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(sample("umber.md2"), folder.path().join("good.md2")).unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(maquette(&["check", path]).status.code(), Some(0));
    let empty = tempfile::tempdir().unwrap();
    let output = maquette(&["check", empty.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "nothing was checked");
    assert!(text(&output.stdout).ends_with(": no model found\n"), "{}", text(&output.stdout));
    std::fs::write(folder.path().join("bad.md2"), b"IDP2").unwrap();
    let output = maquette(&["check", path]);
    assert_eq!(output.status.code(), Some(1));
    let list = text(&output.stdout);
    assert_eq!(list.lines().count(), 1, "{list}");
    assert!(list.contains("bad.md2"), "{list}");
    assert!(text(&output.stderr).contains("2 models checked, 1 failed"));
    let output = maquette(&["check", &format!("{path}/missing")]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).ends_with("missing: no such file\n"), "{}", text(&output.stdout));
    assert!(text(&output.stderr).starts_with("0 models checked, 1 failed"), "{}", text(&output.stderr));
}

#[cfg(unix)]
#[test]
fn closed_stdout_pipe_ends_command_silently() {
    let script = format!(
        "{} info {} --json | head -c 10; exit ${{PIPESTATUS[0]}}",
        env!("CARGO_BIN_EXE_maquette"),
        sample("umber.md3")
    );
    let Ok(output) = Command::new("bash").args(["-c", &script]).output() else { return };
    assert_eq!((output.status.code(), text(&output.stderr).as_str()), (Some(0), ""));
}

#[test]
fn broken_archive_fails_check() {
    let folder = tempfile::tempdir().unwrap();
    let sound = maquette_testing::archives::zip(&[("models/a.md3", b"no model")]);
    std::fs::write(folder.path().join("cut.pk3"), &sound[..sound.len() - 9]).unwrap();
    for path in [folder.path().join("cut.pk3"), folder.path().to_path_buf()] {
        let output = maquette(&["check", path.to_str().unwrap()]);
        assert_eq!(output.status.code(), Some(1), "{}", path.display());
        assert!(text(&output.stdout).contains("cut.pk3: ZIP: "), "{}", text(&output.stdout));
    }
}

#[test]
fn missing_root_folder_is_a_usage_error() {
    let output = maquette(&["info", &sample("umber.md3"), "--root", "no/such/folder"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("no/such/folder"), "{}", text(&output.stderr));
    let sample = sample("umber.md3");
    let output = maquette(&[&["info", &sample][..], &["--root", "."].repeat(257)].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("at most 256"), "{}", text(&output.stderr));
}

#[test]
fn info_reports_characters_and_archives() {
    let folder = tempfile::tempdir().unwrap();
    maquette_testing::player::write(folder.path());
    let model_folder = folder.path().join("models/players/box");
    let model_folder = model_folder.to_str().unwrap();
    // The position is five intervals into a clip of two looped frames: between the last frame, 15, and the first.
    let output = maquette(&["info", model_folder, "--json", "--character", "--legs", "LEGS_WALKCR@5.5"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let parts = json["parts"].as_array().unwrap();
    let names: Vec<&str> = parts.iter().map(|part| part["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["lower", "upper", "head", "weapon", "barrel", "flash"]);
    assert_eq!(parts[0]["frame"].as_f64(), Some(13.5));
    assert_eq!(parts[2]["origin"], serde_json::json!([1.0, 7.0, 13.0]));
    assert_eq!((&parts[5]["shown"], &parts[5]["on"]), (&false.into(), &"weapon".into()));
    let output = maquette(&["info", model_folder, "--character", "--legs", "LEGS_MOONWALK"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("LEGS_RUN"), "the clips that there are: {}", text(&output.stderr));

    let files = maquette_testing::player::files();
    let entries: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())).collect();
    let archive = folder.path().join("box.pk3");
    std::fs::write(&archive, maquette_testing::archives::zip(&entries)).unwrap();
    let output = maquette(&["info", archive.to_str().unwrap(), "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"].as_u64(), Some(files.len() as u64));
    let models = json["models"].as_array().unwrap();
    assert_eq!(models.len(), 7);
    let upper = models.iter().find(|model| model["path"] == "models/players/box/upper.md3").unwrap();
    assert_eq!(upper["tags"], serde_json::json!(["tag_head", "tag_weapon"]));
    assert_eq!((upper["frames"].as_u64(), upper["triangles"].as_u64()), (Some(60), Some(1)));
}

#[test]
fn batch_export_keeps_order_and_skips_existing_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    for (name, from) in
        [("in/a/umber.md3", "umber.md3"), ("in/b/umber.mdr", "umber.mdr"), ("in/b/umber.mdc", "umber.mdc")]
    {
        std::fs::create_dir_all(Path::new(&path(name)).parent().unwrap()).unwrap();
        std::fs::copy(sample(from), path(name)).unwrap();
    }
    std::fs::write(path("in/c.md2"), "IDP2").unwrap();
    let run = |more: &[&str]| {
        let output =
            maquette(&[&["export", &path("in"), "--output-dir", &path("out"), "--to", "obj", "--json"], more].concat());
        let lines: Vec<serde_json::Value> =
            text(&output.stdout).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        (output.status.code(), lines)
    };
    // Results are ordered by name and keep their subfolders. If outputs would have equal names, these include the
    // extensions.
    let (status, lines) = run(&["--keep-going"]);
    assert_eq!(status, Some(1));
    let results: Vec<String> = lines.iter().map(|line| format!("{} {}", line["status"], line["file"])).collect();
    assert_eq!(results.len(), 4, "{results:?}");
    assert_eq!(lines.iter().filter(|line| line["status"] == "failed").count(), 1, "{results:?}");
    for made in ["out/a/umber.obj", "out/b/umber.mdr.obj", "out/b/umber.mdc.obj"] {
        assert!(Path::new(&path(made)).is_file(), "{made} {results:?}");
    }
    // Existing outputs are skipped.
    std::fs::remove_file(path("in/c.md2")).unwrap();
    std::fs::remove_file(path("out/b/umber.mdr.obj")).unwrap();
    let (status, lines) = run(&["--newer"]);
    let skipped = lines.iter().filter(|line| line["status"] == "skipped").count();
    assert_eq!((status, skipped, lines.len()), (Some(0), 2, 3));
    // Every model belongs to exactly one shard.
    let shards: Vec<usize> = ["1/3", "2/3", "3/3"].map(|shard| run(&["--shard", shard]).1.len()).to_vec();
    assert_eq!(shards.iter().sum::<usize>(), 3, "{shards:?}");
    for wrong in [&["--shard", "4/3"][..], &["--shard", "0/3"], &["--to", "txt"], &["-o", "x.obj"]] {
        assert_eq!(run(wrong).0, Some(2), "{wrong:?}");
    }
    // A relative folder works as well.
    let output = Command::new(env!("CARGO_BIN_EXE_maquette"))
        .args(["export", "in", "--output-dir", "beside", "--to", "obj"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(Path::new(&path("beside/a/umber.obj")).is_file());
    // Several folders keep their names.
    let output = maquette(&["export", &path("in/a"), &path("in/b"), "--output-dir", &path("both"), "--to", "ply"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(Path::new(&path("both/a/umber.ply")).is_file() && Path::new(&path("both/b/umber.mdc.ply")).is_file());
    // The program expands patterns that the shell does not.
    let output = maquette(&["info", "--json", &path("in/*/umber.md[rc]")]);
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert_eq!((output.status.code(), lines.len()), (Some(0), 2), "{lines:?}");
    assert!(lines[0].contains("\"info\":{"), "{}", lines[0]);
}

#[test]
#[cfg(target_os = "linux")]
fn run_script_without_display_draws_first_model() {
    use std::os::unix::fs::PermissionsExt as _;

    // Stand-ins for the build and for the list of installed packages.
    let tools = folder(&[
        ("bin/cargo", b"#!/bin/sh\n"),
        ("bin/dpkg-query", b"#!/bin/sh\necho install ok installed\n"),
        ("release/unused", b""),
    ]);
    for name in ["cargo", "dpkg-query"] {
        let path = tools.path().join("bin").join(name);
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_maquette"), tools.path().join("release/maquette")).unwrap();
    let root = folder(&[
        ("models/b/shape.iqm", &Iqm::typical().build()),
        ("models/b/twin.md3", b"damaged"),
        ("empty/notes.txt", b""),
    ]);
    let run = |arguments: &[&str]| {
        let bin = tools.path().join("bin").display().to_string();
        Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/run"))
            .args(arguments)
            .current_dir(root.path())
            .env("CARGO_TARGET_DIR", tools.path())
            .env("PATH", format!("{bin}:{}", std::env::var("PATH").unwrap()))
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .output()
            .unwrap()
    };
    let image = root.path().join("maquette.png");
    let output = run(&["empty"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).ends_with("maquette: no model found: empty\n"), "{}", text(&output.stderr));
    let output = run(&["info", "models/b/shape.iqm"]);
    assert!(output.status.success() && text(&output.stdout).contains("iqm"), "{}", text(&output.stdout));
    assert!(!image.exists(), "a command draws nothing");
    if maquette::render::Gpu::headless().is_err() {
        eprintln!("skipped: no adapter");
        return;
    }
    for arguments in [&["models"][..], &[]] {
        let output = run(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("no display found; writing an image instead: maquette.png"));
        assert_eq!(&std::fs::read(&image).unwrap()[1..4], b"PNG");
        std::fs::remove_file(&image).unwrap();
    }
}

#[test]
fn diff_exit_status_reports_same_different_or_error() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let mut md3 = Md3::typical();
    let original = write("a.md3", &md3.build());
    md3.frames[1][2].0[2] += 32;
    let edited = write("b.md3", &md3.build());
    let archive = write("pak0.pk3", &zip(&[("models/a.md3", &Md3::typical().build())]));
    let inside = format!("{archive}/models/a.md3");
    let broken = write("broken.md3", b"IDP3\x0f\0\0\0");

    let output = maquette(&["diff", &original, &inside]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("identical\n"), "{output:?}");
    let output = maquette(&["diff", &original, &edited]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(1), 0));
    let line = "  0 “u_torso”: 1 vertex moved in 1 frame, furthest vertex 2 by 0.5 in frame 1";
    assert!(text.lines().any(|found| found == line), "{text}");
    assert_eq!(maquette(&["diff", &original, &edited, "--tolerance", "0.5"]).status.code(), Some(0));
    for wrong in [
        &["diff", &original][..],
        &["diff", &original, &edited, "--tolerance", "-1"],
        &["diff", &original, &broken],
        &["diff", "no/such.md3", &original],
    ] {
        let output = maquette(wrong);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{wrong:?}");
        assert!(!output.stderr.is_empty());
    }

    let output = maquette(&["diff", &original, &edited, "--json"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["same"], false);
    assert_eq!(json["a"], serde_json::json!({"name": original, "format": "md3", "frames": 2}));
    let surface = serde_json::json!({
        "name": "u_torso", "index": 0, "lod": 0, "moved": 1, "frames": 1,
        "furthest": {"vertex": 2, "frame": 1, "distance": 0.5},
    });
    assert_eq!(json["surfaces"], serde_json::json!([surface]));
    for empty in ["header", "tags", "clips", "joints", "notes"] {
        assert_eq!(json[empty], serde_json::json!([]), "{empty}");
    }
    assert_eq!((&json["tolerance"], &json["frames"]), (&serde_json::json!(0.0), &serde_json::json!(2)));
}

#[test]
fn info_table_shortens_very_long_cells() {
    let mesh = MD5_MESH.replacen("shader \"", &format!("shader \"{}", "s".repeat(70_000)), 1);
    let root = folder(&[("a.md5mesh", mesh.as_bytes())]);
    let output = maquette(&["info", root.path().join("a.md5mesh").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("ssss…"), "shortened");
}

#[test]
fn snapshot_shows_light_of_chosen_engine() {
    if maquette::render::Gpu::headless().is_err() {
        eprintln!("skipped: no adapter");
        return;
    }
    let model = Md2 { skins: vec!["models/box/skin.tga"], ..Md2::typical() };
    let grey = [&TGA[..TGA.len() - 3], &[100; 3]].concat();
    let folder = folder(&[("models/box/box.md2", &model.build()), ("models/box/skin.tga", &grey)]);
    let image = |engine: &str| {
        let path = folder.path().join(format!("{engine}.png"));
        let arguments = ["-o", path.to_str().unwrap(), "--size", "96", "--look", "game", "--game-light-of", engine];
        let model = folder.path().join("models/box/box.md2").display().to_string();
        let output = maquette(&[&["snapshot", &model], &arguments[..]].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(path).unwrap()
    };
    let own = image("model");
    assert!(own == image("quake2"), "an MD2 is a model of Quake II");
    assert!(own != image("quake"));
}

#[test]
fn either_colour_of_a_player_can_be_left_out() {
    // The skin has the colours 0 to 31: those of the shirt, none of the trousers.
    let folder = folder(&[("box.mdl", &Mdl::typical().build())]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let exported = |colours: &[&str]| {
        let output = maquette(&[&["export", &path("box.mdl"), "-o", &path("box.glb")], colours].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        std::fs::read(path("box.glb")).unwrap()
    };
    let own = exported(&[]);
    assert!(exported(&["--player-colours", ",4"]) == own);
    let shirt = exported(&["--player-colours", "4,"]);
    assert!(shirt != own && shirt == exported(&["--player-colours", "4, 13"]));
    for wrong in ["4", "14,", ",-1", "red,", "4,4,4"] {
        let output = maquette(&["export", &path("box.mdl"), "-o", &path("box.glb"), "--player-colours", wrong]);
        assert_eq!(output.status.code(), Some(2), "{wrong}: {}", text(&output.stderr));
    }
}

#[test]
fn effect_without_its_light_is_reported() {
    if maquette::render::Gpu::headless().is_err() {
        eprintln!("skipped: no adapter");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.png").display().to_string();
    let reported = |model: &str, options: &[&str]| {
        let arguments = ["snapshot", &sample(model), "-o", &out, "--size", "16", "--game-effect", "shell-red"];
        let output = maquette(&[&arguments[..], options].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr).contains("--game-effect skipped")
    };
    assert!(reported("umber.md2", &[]), "the look is that of the studio");
    assert!(reported("umber.md3", &["--look", "game"]), "the light is that of Quake III");
    assert!(!reported("umber.md2", &["--look", "game"]));
    assert!(!reported("umber.md3", &["--look", "game", "--game-light-of", "quake2"]));
}

#[test]
fn snapshot_of_model_with_only_tags_shows_them() {
    if maquette::render::Gpu::headless().is_err() {
        eprintln!("skipped: no adapter");
        return;
    }
    let folder = folder(&[("tag.md3", &Md3 { surfaces: 0, ..Md3::typical() }.build())]);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let output = maquette(&["snapshot", &path("tag.md3"), "-o", &path("tag.png"), "--size", "96"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let image = image::open(path("tag.png")).unwrap().into_rgb8();
    // The Z axis of a tag is blue. Nothing else in the image is.
    assert!(image.pixels().any(|pixel| pixel[2] > 180 && pixel[0] < 120), "no axis was drawn");
}
