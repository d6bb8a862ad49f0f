//! Command outputs: inputs are never lost, no partial files remain, and control characters never reach a terminal.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::process::Command;
use std::process::Output;

use crate::support::command::{maquette, text};
use maquette_testing::archives::folder;
use maquette_testing::files::{Md2, Md3, TGA};
use maquette_testing::waiting::wait_until;

#[cfg(unix)]
const BINARY: &str = env!("CARGO_BIN_EXE_maquette");

fn names_in(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[track_caller]
fn assert_reports(output: &Output, status: i32, words: &str) {
    let printed = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{printed}");
    assert!(printed.contains(words), "{printed}");
}

// ---------------------------------------------------------------- existing files

#[test]
fn output_never_overwrites_its_input_model() {
    let original = Md3::typical().build();
    let root = folder(&[("a.md3", &original), ("in/b.md2.md3", &original)]);
    let path = |name: &str| root.path().join(name).display().to_string();
    let refused = "output is the input file";
    assert_reports(&maquette(&["export", &path("a.md3"), "-o", &path("a.md3"), "--frame", "1"]), 2, refused);
    let (folder, target) = (path("in"), path("in"));
    assert_reports(&maquette(&["export", &folder, "--output-dir", &target, "--to", "md3", "--frame", "1"]), 1, refused);
    #[cfg(unix)]
    for (command, link) in [("export", "l.glb"), ("snapshot", "l.png"), ("sheet", "m.png"), ("film", "l.gif")] {
        std::os::unix::fs::symlink("a.md3", path(link)).unwrap();
        assert_reports(&maquette(&[command, &path("a.md3"), "-o", &path(link)]), 2, refused);
    }
    for name in ["a.md3", "in/b.md2.md3"] {
        assert_eq!(std::fs::read(path(name)).unwrap(), original, "{name}");
    }
}

#[test]
fn foreign_companion_output_files_are_not_overwritten() {
    let model = Md3::typical().build();
    let root = folder(&[("a.md3", &model), ("a_1.md3", &model), ("d_1.mdc", b"of another"), ("g.bin", b"of another")]);
    let path = |name: &str| root.path().join(name).display().to_string();
    let convert = || maquette(&["convert", &path("a.md3"), "-o", &path("d.mdc")]);
    let export = || maquette(&["export", &path("a.md3"), "-o", &path("g.gltf")]);
    assert_reports(&convert(), 1, "d_1.mdc: file already exists");
    assert_reports(&export(), 1, "g.bin");
    assert!(["d_1.mdc", "g.bin"].iter().all(|name| std::fs::read(path(name)).unwrap() == b"of another"));
    assert!(!Path::new(&path("d.mdc")).exists() && !Path::new(&path("g.gltf")).exists());
    for name in ["d_1.mdc", "g.bin"] {
        std::fs::remove_file(path(name)).unwrap();
    }
    // A model's own companion files are overwritten without a message, like the outputs.
    for _ in 0..2 {
        assert_eq!((convert().status.code(), export().status.code()), (Some(0), Some(0)));
    }
    assert!(Path::new(&path("d_1.mdc")).exists() && Path::new(&path("g.bin")).exists());
}

#[test]
fn lod_and_other_model_get_distinct_output_names() {
    let (md3, md2) = (Md3::typical().build(), Md2::typical().build());
    let root = folder(&[("x.md3", &md3), ("x_1.md3", &md3), ("x_1.md2", &md2)]);
    let path = |name: &str| root.path().join(name).display().to_string();
    let output = maquette(&["convert", &path("x.md3"), &path("x_1.md2"), "--output-dir", &path("o"), "--to", "mdc"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let made: Vec<String> =
        names_in(&root.path().join("o")).into_iter().filter(|name| name.ends_with(".mdc")).collect();
    assert_eq!(made, ["x.mdc", "x_1.md2.mdc", "x_1.mdc"]);
    // Other formats have no LODs.
    let export = ["export", &path("x.md3"), &path("x_1.md2"), "--output-dir", &path("p"), "--to", "obj"];
    assert_eq!(maquette(&export).status.code(), Some(0));
    assert_eq!(names_in(&root.path().join("p")), ["x.obj", "x_1.obj"]);
}

#[test]
fn batch_converts_lods_as_models_once() {
    let model = Md3::typical().build();
    let names: Vec<String> =
        (0..12).flat_map(|model| ["", "_1", "_2"].map(|level| format!("m{model}{level}.md3"))).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), model.as_slice())).collect();
    let root = folder(&files);
    let out = tempfile::tempdir().unwrap();
    for (command, run) in [("convert", "a"), ("convert", "b"), ("export", "c")] {
        // Coarser LODs may be written before the finest one.
        let target = out.path().join(run);
        let (from, to) = (root.path().to_str().unwrap(), target.to_str().unwrap());
        for _ in 0..2 {
            assert_reports(&maquette(&[command, from, "--output-dir", to, "--to", "mdc"]), 0, "36 done, 0 failed");
        }
        assert_eq!(names_in(&target).len(), 36);
    }
}

#[test]
fn character_export_never_overwrites_its_parts() {
    let root = tempfile::tempdir().unwrap();
    maquette_testing::player::write(root.path());
    let model_folder = root.path().join("models/players/box");
    let path = |name: &str| model_folder.join(name).display().to_string();
    let before = ["lower.md3", "upper.md3"].map(|name| std::fs::read(path(name)).unwrap());
    let whole = model_folder.display().to_string();
    assert_reports(&maquette(&["export", &whole, "-o", &path("lower.md3")]), 1, "lower.md3 is the exported model");
    assert_reports(
        &maquette(&["export", &path("lower.md3"), "--character", "-o", &path("upper.md3")]),
        1,
        "upper.md3 is the exported model",
    );
    assert_eq!(["lower.md3", "upper.md3"].map(|name| std::fs::read(path(name)).unwrap()), before);
}

#[test]
fn character_in_a_game_format_reports_files_that_are_not_written() {
    let root = tempfile::tempdir().unwrap();
    maquette_testing::player::write(root.path());
    let character = root.path().join("models/players/box").display().to_string();
    let out = tempfile::tempdir().unwrap();
    let output = maquette(&["export", &character, "-o", out.path().join("lower.md3").to_str().unwrap()]);
    assert_reports(&output, 0, "no animation.cfg is written for several models; copy that of the original");
    assert_reports(&output, 0, ".skin files are not copied: lower.md3, upper.md3, head.md3");
    assert!(names_in(out.path()).starts_with(&["head.md3".to_owned(), "lower.md3".to_owned()]));
}

#[test]
fn longest_valid_file_name_is_written() {
    let root = folder(&[("a.md3", &Md3::typical().build())]);
    let long = root.path().join("n".repeat(251) + ".obj");
    let output = maquette(&["export", root.path().join("a.md3").to_str().unwrap(), "-o", long.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(long.is_file());
}

// ---------------------------------------------------------------- signals

#[test]
#[cfg(target_os = "linux")]
fn signal_removes_partly_written_files() {
    use rustix::process::{Pid, Signal, kill_process};

    let root = folder(&[("a.md3", &Md3::typical().build()), ("g.gltf", b"old")]);
    let path = |name: &str| root.path().join(name).display().to_string();
    // A pipe without a reader blocks the command in the middle of its work.
    assert!(Command::new("mkfifo").arg(path("g.bin")).status().unwrap().success());
    let has_part = || names_in(root.path()).iter().any(|name| name.ends_with(".part"));
    // The command keeps ignoring signals that the test run ignores, such as SIGHUP under nohup.
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    let ignored = u64::from_str_radix(ignored, 16).unwrap();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        if ignored & (1 << (signal.as_raw() - 1)) != 0 {
            continue;
        }
        let mut child = Command::new(BINARY).args(["export", &path("a.md3"), "-o", &path("g.gltf")]).spawn().unwrap();
        wait_until("the command begins to write", has_part);
        kill_process(Pid::from_child(&child), signal).unwrap();
        // The exit status equals that of an unhandled signal.
        assert_eq!(child.wait().unwrap().code(), None, "{signal:?}");
        assert_eq!(names_in(root.path()), ["a.md3", "g.bin", "g.gltf"], "{signal:?}");
    }
    assert_eq!(std::fs::read(path("g.gltf")).unwrap(), b"old");
}

#[test]
#[cfg(target_os = "linux")]
fn file_size_limit_is_reported_as_error() {
    let root = folder(&[]);
    let sample = format!("{}/assets/sample/umber.md3", env!("CARGO_MANIFEST_DIR"));
    let target = root.path().join("a.glb");
    let script = "ulimit -f 4; exec \"$@\"";
    let output =
        Command::new("bash").args(["-c", script, "bash", BINARY, "export", &sample, "-o"]).arg(&target).output();
    assert_reports(&output.unwrap(), 1, "a.glb: File too large");
    assert_eq!(names_in(root.path()), Vec::<String>::new());
}

#[test]
#[cfg(target_os = "linux")]
fn full_stderr_does_not_fail_commands() {
    let root = folder(&[]);
    let sample = format!("{}/assets/sample/umber.md3", env!("CARGO_MANIFEST_DIR"));
    let target = root.path().join("a.md2");
    for command in ["convert", "export"] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(BINARY).args([command, &sample, "-o"]).arg(&target).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}");
    }
}

// ---------------------------------------------------------------- messages

/// A name that colours a terminal, changes its title, starts another line and reverses the text direction, in the
/// encoding of the file formats.
const ODD: &str = "a\x1b[31m\x1b]0;b\x07\r\nLINE2\u{9b}1m";

#[test]
fn unprintable_characters_in_names_are_escaped() {
    let mut model = Md3 { shaders: vec![ODD], ..Md3::typical() };
    model.tags[0].0 = ODD;
    let root = folder(&[("m.md3", &model.build()), ("n.md3", b"IDP3")]);
    let path = |name: &str| root.path().join(name).display().to_string();
    let (m, n, all) = (path("m.md3"), path("n.md3"), root.path().display().to_string());
    let mut odd_file = PathBuf::from(&all);
    odd_file.push("f\x1b[31m\u{202e}\nLINE2.md3");
    let has_odd_file = std::fs::write(&odd_file, model.build()).is_ok();
    let odd = odd_file.display().to_string();
    let rules = path("rules.txt");
    std::fs::write(&rules, format!("no {}", ODD.replace('\n', ""))).unwrap();
    let commands: &[&[&str]] = &[
        &["info", &m],
        &["info", &m, "--json"],
        &["info", &n],
        &["info", "--each", &all],
        &["info", &m, "--animation", ODD],
        &["info", &m, "--attach", &format!("{m}@nosuch")],
        &["info", &odd],
        &["anatomy", &m],
        &["anatomy", &m, "--json"],
        &["diff", &m, &odd],
        &["check", &all],
        &["check", "--warnings", &all],
        &["check", "--textures", "-v", &all],
        &["check", "--profile", "any", &all],
        &["check", "--profile", "any", "--json", &all],
        &["check", "--rules", &rules, &all],
        &["convert", &m, "-o", &path("o.md2")],
        &["convert", &m, "-o", &path("o.mdc")],
        &["convert", &m, "-o", &path("p.md3"), "--rename-tag", "nosuch=1"],
        &["convert", &m, "-o", &path("p.md3"), "--rename-surface", "nosuch=1"],
        &["convert", &all, "--to", "mdr", "--output-dir", &path("out"), "--keep-going"],
        &["export", &odd, "-o", &format!("{odd}.glb")],
        &["snapshot", &m, "-o", &format!("{all}/{ODD}.txt")],
    ];
    for arguments in commands {
        if !has_odd_file && arguments.contains(&odd.as_str()) {
            continue;
        }
        let output = maquette(arguments);
        for printed in [text(&output.stdout), text(&output.stderr)] {
            let is_unprintable = |c: &char| c.is_control() && !"\n\t".contains(*c) || *c == '\u{202e}';
            assert_eq!(printed.chars().find(is_unprintable), None, "{arguments:?}: {printed:?}");
            assert!(!printed.lines().any(|line| line.starts_with("LINE2")), "{arguments:?}: {printed:?}");
        }
    }
}

// ---------------------------------------------------------------- patterns

#[test]
fn pattern_without_matches_fails() {
    let root = folder(&[("a.md3", &Md3::typical().build())]);
    let pattern = root.path().join("none*.md3").display().to_string();
    assert_reports(&maquette(&["check", &pattern]), 1, "no file matches this pattern");
    assert_reports(&maquette(&["info", &pattern]), 1, "no file matches this pattern");
}

#[test]
#[cfg(unix)]
fn patterns_ignore_symlink_cycles() {
    let root = folder(&[("h/a/m.md3", &Md3::typical().build()), ("h/n.md3", &Md3::typical().build())]);
    for (link, to) in [("h/a/up", ".."), ("h/a/up2", "../../h")] {
        std::os::unix::fs::symlink(to, root.path().join(link)).unwrap();
    }
    let check =
        |pattern: &str| Command::new(BINARY).args(["check", pattern]).current_dir(root.path()).output().unwrap();
    for pattern in ["h/**/*.md3", "h/**", "**/*.md3", "./**/*.md3", "./h/**/*.md3", "**", "*/**/*.md3", "h//**/*.md3"] {
        assert_reports(&check(pattern), 0, "2 models checked, 0 failed");
    }
    // Patterns are case-sensitive, with and without `**`; folders contribute only models.
    std::fs::write(root.path().join("h/q3config.cfg"), "bind x\n").unwrap();
    assert_reports(&check("h/**"), 0, "2 models checked, 0 failed");
    for pattern in ["h/**/*.MD3", "h/*.MD3", "none/**"] {
        assert_reports(&check(pattern), 1, "no file matches this pattern");
    }
}

#[test]
fn two_files_of_one_path_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a"), "old").unwrap();
    let files = [(path("a"), b"new".as_slice()), (path("b"), b"1"), (folder.path().join(".").join("b"), b"2")];
    let (refused, error) =
        maquette::output::write_together(files.iter().map(|(path, bytes)| (path.as_path(), *bytes))).unwrap_err();
    assert_eq!(
        (refused, error.to_string().as_str()),
        (files[2].0.as_path(), "two files of this path would be written")
    );
    assert_eq!(std::fs::read(path("a")).unwrap(), b"old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no partial file remains");
}

// ---------------------------------------------------------------- links, devices and full disks

#[cfg(unix)]
mod special_files {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn sample_model() -> String {
        format!("{}/assets/sample/umber.md2", env!("CARGO_MANIFEST_DIR"))
    }

    fn export_to(path: &Path) -> Output {
        maquette(&["export", &sample_model(), "-o", path.to_str().unwrap()])
    }

    #[test]
    fn output_link_target_is_replaced_with_its_mode() {
        let root = folder(&[("real.obj", b"old"), ("deep/other", b"")]);
        let at = |name: &str| root.path().join(name);
        std::fs::set_permissions(at("real.obj"), std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.obj", at("link.obj")).unwrap();
        symlink("deep/new.obj", at("dangling.obj")).unwrap();
        assert_eq!(export_to(&at("link.obj")).status.code(), Some(0));
        assert!(at("link.obj").is_symlink());
        assert!(std::fs::read(at("real.obj")).unwrap().len() > 1000);
        assert_eq!(std::fs::metadata(at("real.obj")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(export_to(&at("dangling.obj")).status.code(), Some(0));
        assert!(at("deep/new.obj").is_file() && at("dangling.obj").is_symlink());
        symlink("circle.obj", at("circle.obj")).unwrap();
        let output = export_to(&at("circle.obj"));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("circle.obj: "), "{}", text(&output.stderr));
        assert_eq!(leftover_files(root.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn output_devices_and_pipes_are_written_in_place() {
        let root = folder(&[]);
        let link = root.path().join("null.obj");
        symlink("/dev/null", &link).unwrap();
        assert_eq!(export_to(&link).status.code(), Some(0));
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let pipe = root.path().join("pipe.obj");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        assert_eq!(export_to(&pipe).status.code(), Some(0));
        assert!(text(&reader.join().unwrap()).contains("\nv "));
        assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn full_disk_is_reported_and_leaves_old_file() {
        let full = tempfile::tempdir().unwrap().path().join("full.obj");
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        symlink("/dev/full", &full).unwrap();
        let output = export_to(&full);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("full.obj: No space left on device"), "{}", text(&output.stderr));
        // A file size limit of 4 KB has the same effect.
        let root = folder(&[("old.obj", b"old")]);
        let old = root.path().join("old.obj");
        let script = format!(
            "trap '' XFSZ; ulimit -f 4; exec '{}' export '{}' -o '{}'",
            env!("CARGO_BIN_EXE_maquette"),
            sample_model(),
            old.display()
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("old.obj: "), "{}", text(&output.stderr));
        assert_eq!(std::fs::read(&old).unwrap(), b"old");
        assert_eq!(leftover_files(root.path()), Vec::<PathBuf>::new());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn unreadable_folder_fails_check() {
        let root = folder(&[("locked/a.md3", b"")]);
        let locked = root.path().join("locked");
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o0)).unwrap();
        let binary = env!("CARGO_BIN_EXE_maquette");
        // Root can read every folder unless it drops its capabilities.
        let mut command = if std::fs::read_dir(&locked).is_ok() {
            let mut command = Command::new("setpriv");
            command.args(["--bounding-set=-dac_override,-dac_read_search", binary]);
            command
        } else {
            Command::new(binary)
        };
        let Ok(output) = command.args(["check"]).arg(root.path()).output() else {
            eprintln!("skipped: setpriv is absent");
            return;
        };
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("locked: Permission denied"), "{}", text(&output.stdout));
    }

    #[test]
    fn dash_writes_to_standard_output() {
        let output = maquette(&["snapshot", &sample_model(), "--size", "16x16", "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stdout.starts_with(b"\x89PNG"));
        let output = maquette(&["film", &sample_model(), "--size", "16x16", "--fps", "2", "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stdout.starts_with(b"GIF8"));
        assert!(!Path::new("-").exists());
    }

    fn leftover_files(root: &Path) -> Vec<PathBuf> {
        let names = std::fs::read_dir(root).unwrap().flatten().map(|entry| entry.path());
        names.filter(|path| path.extension().is_some_and(|extension| extension == "part")).collect()
    }
}

#[test]
fn skin_file_has_the_image_of_each_surface_and_all_tags() {
    let (model, md2) = (Md3::typical().build(), Md2::typical().build());
    // The model names skin.tga; the game shows skin.jpg.
    let files = [("models/box/box.md3", model.as_slice()), ("models/box/skin.jpg", TGA), ("tris.md2", md2.as_slice())];
    let root = folder(&files);
    let at = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let out = at("models/box/box_red.skin");
    assert_reports(&maquette(&["export", &at("models/box/box.md3"), "-o", &out]), 0, "");
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "u_torso,models/box/skin.jpg\ntag_head,\n");
    let why = "the surfaces have no names, by which a .skin file finds them";
    assert_reports(&maquette(&["export", &at("tris.md2"), "-o", &at("tris.skin")]), 2, why);
}
