//! Hostile environments: changing files, full disks, unwritable folders, unusual names and file times, a missing or
//! failing GPU, a missing or lost display. Each condition is real and causes a message. The program continues, or exits
//! with status 1.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use maquette::app::Settings;
use maquette::output::{OffscreenRenderer, ThumbnailCache};
use maquette::render::Gpu;
use maquette::ui::Thumbnail;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Anchor, Opener, open_sample};
use maquette_assets::vfs::FileSystem;
use maquette_core::model::Format;
use maquette_scene::scene::{Attachment, ColourTheme, OverlayKind};
use maquette_scene::session::{
    Action, DisplayAction, Effect, FileAction, NotificationKind, SceneAction, Session, WindowAction,
};

use crate::support::command::text;
use crate::support::loading::{act, answer, settle};
use maquette_testing::files::Md3;
use maquette_testing::waiting::{MAX_WAIT, wait_until};

const BINARY: &str = env!("CARGO_BIN_EXE_maquette");

fn maquette(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).output().unwrap()
}

fn sample() -> String {
    format!("{}/assets/sample/umber.md3", env!("CARGO_MANIFEST_DIR"))
}

/// Asserts that the program ended with its own error message and without a panic.
fn assert_reports(output: &Output, words: &str) {
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("maquette: ") && message.contains(words), "{message}");
    assert!(!message.contains("panicked") && !message.contains(".rs:"), "{message}");
}

/// Whether a GPU is available; panics if one is required.
fn can_draw() -> bool {
    let can = Gpu::headless().is_ok();
    assert!(can || std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none_or(|value| value != "1"));
    if !can {
        eprintln!("skipped: no adapter");
    }
    can
}

fn everything_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = maquette_testing::optional::files_below(folder);
    found.iter_mut().for_each(|path| *path = path.strip_prefix(folder).unwrap().to_path_buf());
    found
}

// ---------------------------------------------------------------- changing files

/// Returns a model with `frames` frames.
fn model(frames: usize) -> Vec<u8> {
    let mut model = Md3::typical();
    while model.frames.len() < frames {
        model.frames.push(model.frames[0].clone());
        model.tags.iter_mut().for_each(|(_, transforms)| transforms.push(transforms[0]));
    }
    model.build()
}

#[test]
fn model_stays_open_while_file_is_rewritten_and_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("restless.md3");
    let whole = model(2);
    std::fs::write(&path, &whole).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
    assert!(session.asset().is_some());
    let is_over = AtomicBool::new(false);
    let mut reads = 0;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let changes: [&dyn Fn(); 5] = [
                &|| std::fs::write(&path, &whole[..whole.len() / 2]).unwrap(),
                &|| std::fs::write(&path, [0xFF; 4096]).unwrap(),
                &|| std::fs::remove_file(&path).unwrap(),
                &|| std::fs::write(&path, b"").unwrap(),
                &|| std::fs::write(&path, &whole).unwrap(),
            ];
            for change in changes.iter().cycle().take_while(|_| !is_over.load(Ordering::SeqCst)) {
                change();
                std::thread::sleep(Duration::from_millis(50));
            }
        });
        // A failed assertion must end the other thread, too.
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            wait_until("more than 20 reads, a failed one and a removed file", || {
                let mut effect = session.file_changed(&path);
                while let Some(Effect::Load(job)) = effect {
                    reads += 1;
                    effect = session.loaded(answer(job));
                }
                assert_eq!(session.asset().unwrap().model.surfaces().len(), 1, "the last readable model stays open");
                let notes = &session.interface.notes;
                reads > 20
                    && notes.iter().any(|note| note.kind == NotificationKind::Failed)
                    && notes.iter().any(|note| note.text.contains("deleted from disk"))
            });
        }));
        is_over.store(true, Ordering::SeqCst);
        result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    });
    let failed = session.interface.notes.iter().filter(|note| note.kind == NotificationKind::Failed);
    for note in failed {
        assert!(format!("{} {}", note.text, note.detail).contains("restless.md3"), "{} {}", note.text, note.detail);
    }
    // A repeated notification is shown once.
    let toasts: Vec<_> = session.interface.notes.iter().filter(|note| note.is_toast).map(|note| &note.text).collect();
    let different: std::collections::BTreeSet<_> = toasts.iter().collect();
    assert_eq!(toasts.len(), different.len(), "{toasts:?}");
    // The final state of the file is loaded.
    std::fs::write(&path, model(3)).unwrap();
    let effect = session.file_changed(&path);
    settle(&mut session, effect);
    assert_eq!(session.asset().unwrap().model.frames().len(), 3);
}

// ---------------------------------------------------------------- full disks

/// Every writing command with its output name.
const WRITERS: [(&[&str], &str); 7] = [
    (&["snapshot", "--size", "512x512"], "old.png"),
    (&["snapshot", "--size", "512x512", "--background", "transparent"], "clear.png"),
    (&["film", "--size", "256x256", "--fps", "4"], "old.gif"),
    (&["film", "--size", "256x256", "--fps", "4"], "moving.png"),
    (&["film", "--size", "256x256", "--fps", "4"], "frames/%04d.png"),
    (&["sheet", "--size", "192x192", "--moments", "1"], "sheet.png"),
    (&["export"], "old.obj"),
];

#[test]
fn shared_companion_files_are_read_again_when_changed() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    std::fs::create_dir(at("cube")).unwrap();
    for name in ["a.md3", "b.md3", "cube/tris.md3"] {
        std::fs::write(at(name), model(30)).unwrap();
    }
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let clips = |name: &str| -> Vec<String> {
        let asset = opener.model(&at(name)).unwrap();
        asset.model.clips().iter().map(|clip| clip.name.clone()).collect()
    };
    std::fs::write(at("animation.cfg"), "RUN 0 10 0 15\n").unwrap();
    std::fs::write(at("cube/md3.cfg"), "md3load tris.md3\nmd3anim idle 0 9\n").unwrap();
    assert_eq!([clips("a.md3"), clips("b.md3"), clips("cube/tris.md3")], [["RUN"], ["RUN"], ["idle"]]);
    std::fs::write(at("animation.cfg"), "WALK 0 10 0 15\nSWIM 10 10 0 15\n").unwrap();
    std::fs::write(at("cube/md3.cfg"), "md3load tris.md3\nmd3anim run 0 9\nmd3anim jump 9 9\n").unwrap();
    assert_eq!([clips("a.md3"), clips("b.md3")], [["WALK", "SWIM"], ["WALK", "SWIM"]]);
    assert_eq!(clips("cube/tris.md3"), ["run", "jump"]);
    let skins = |name: &str| -> Vec<String> {
        opener.model(&at(name)).unwrap().skins.iter().map(|skin| skin.materials[0].name.clone()).collect()
    };
    for texture in ["first", "another"] {
        std::fs::write(at("all.skin"), format!("u_torso,textures/{texture}\n")).unwrap();
        assert_eq!(
            [skins("a.md3"), skins("b.md3")],
            [[format!("textures/{texture}")], [format!("textures/{texture}")]]
        );
    }
    std::fs::remove_file(at("animation.cfg")).unwrap();
    assert!(!clips("a.md3").contains(&"WALK".to_owned()));
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_keeps_existing_output_files() {
    let draws = can_draw();
    let folder = tempfile::tempdir().unwrap();
    for (command, name) in WRITERS {
        if command[0] != "export" && !draws {
            continue;
        }
        // Mount a disk of 16 KB for this command only. Exit status 77 means that mounting failed.
        let script = "mount -t tmpfs -o size=16k none \"$1\" || exit 77
            cd \"$1\" && mkdir frames && printf old > old.png && cp old.png old.gif && cp old.png old.obj || exit 78
            shift; \"$@\"; status=$?
            for file in old.*; do [ \"$(cat $file)\" = old ] || echo \"$file is lost\" >&2; done
            find . -type f ! -name 'old.*' -exec echo left over: {} \\; >&2
            exit $status";
        let mut shell = Command::new("unshare");
        shell.args(["--mount", "--map-root-user", "sh", "-c", script, "sh"]).arg(folder.path()).arg(BINARY);
        let output = shell.arg(command[0]).arg(sample()).args(&command[1..]).args(["-o", name]).output();
        let output = output.ok().filter(|output| output.status.code() != Some(77));
        let Some(output) = output.filter(|output| !text(&output.stderr).starts_with("unshare: ")) else {
            eprintln!("skipped: no disk can be mounted here");
            return;
        };
        assert_reports(&output, "No space left on device");
        let message = text(&output.stderr);
        assert!(message.contains(name.split(['/', '%']).next().unwrap()), "{name}: {message}");
        assert_eq!(message.lines().count(), 1, "{name}: {message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn write_to_full_device_is_reported_by_every_command() {
    let draws = can_draw();
    let folder = tempfile::tempdir().unwrap();
    for (command, name) in WRITERS {
        let is_frames = name.contains('%');
        if command[0] != "export" && !draws || is_frames {
            continue;
        }
        let path = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &path).unwrap();
        let output =
            Command::new(BINARY).arg(command[0]).arg(sample()).args(&command[1..]).arg("-o").arg(&path).output();
        assert_reports(&output.unwrap(), &format!("{name}: No space left on device"));
        assert!(path.is_symlink());
        // Errors of standard output are reported as well.
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let mut program = Command::new(BINARY);
        program.arg(command[0]).arg(sample()).args(&command[1..]).args(["-o", "-"]).stdout(full);
        assert_reports(&program.output().unwrap(), "No space left on device");
    }
    let broken = folder.path().join("broken.md3");
    std::fs::write(&broken, b"IDP3").unwrap();
    for (arguments, path) in
        [(&["info"][..], Path::new(&sample())), (&["info", "--json"], Path::new(&sample())), (&["check"], &broken)]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(BINARY).args(arguments).arg(path).stdout(full).output().unwrap();
        assert_reports(&output, "No space left on device");
    }
}

/// Returns the error of saving settings after `befall` changed their folder.
fn save_error(path: &Path, befall: impl FnOnce()) -> Option<String> {
    let (mut settings, _) = Settings::in_file(path);
    befall();
    let mut session = Session::default();
    session.apply_preferences(settings.preferences().clone());
    session.apply(Action::Window(WindowAction::SetTheme(Some(ColourTheme::Light))));
    let mut error = None;
    wait_until("the settings are saved or refused", || {
        error = settings.keep(&session.current_preferences());
        error.is_some() || path.is_file() && std::fs::read_to_string(path).is_ok_and(|text| text.contains("\"light\""))
    });
    session.show(open_sample(Format::Md3).unwrap());
    if let Some(last) = session.last() {
        settings.keep_last(&last);
    }
    // Pending settings are written on drop, where errors must not stop the program.
    drop(settings);
    error.map(|error| error.0)
}

#[test]
#[cfg(target_os = "linux")]
fn unwritable_settings_are_reported_once() {
    let folder = tempfile::tempdir().unwrap();
    // Simulate a full disk.
    let full = |name| std::os::unix::fs::symlink("/dev/full", folder.path().join(name)).unwrap();
    let message = save_error(&folder.path().join("settings.json"), || {
        full("settings.json");
        full("last-session.json");
    });
    let message = message.unwrap();
    assert!(message.starts_with("settings.json not saved: No space left on device"), "{message}");
    // Put a file in place of the folder.
    std::fs::write(folder.path().join("maquette"), b"").unwrap();
    let message = save_error(&folder.path().join("maquette/settings.json"), || {}).unwrap();
    assert!(message.starts_with("settings.json not saved: "), "{message}");
    // Use a folder without write permission.
    let message = save_error(Path::new("/proc/self/maquette/settings.json"), || {}).unwrap();
    assert!(message.starts_with("settings.json not saved: "), "{message}");
    assert_eq!(save_error(&folder.path().join("good/settings.json"), || {}), None);
}

#[test]
#[cfg(target_os = "linux")]
fn unwritable_thumbnail_cache_is_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let image = image::RgbaImage::from_pixel(8, 8, image::Rgba([1, 2, 3, 255]));
    let thumbnail = Thumbnail { image, format: Format::Md3, frames: 2, damaged: false };
    std::fs::write(folder.path().join("file"), b"").unwrap();
    std::fs::create_dir(folder.path().join("full")).unwrap();
    std::os::unix::fs::symlink("/dev/full", folder.path().join("full/key.png")).unwrap();
    for cache_folder in [folder.path().join("file"), folder.path().join("full"), PathBuf::from("/proc/self/thumbnails")]
    {
        let mut cache = ThumbnailCache::in_folder(cache_folder.clone(), 1 << 20);
        cache.write("key", &thumbnail);
        assert_eq!(cache.read("key"), None, "{}", cache_folder.display());
    }
    assert!(folder.path().join("full/key.png").is_symlink());
}

// ---------------------------------------------------------------- names and links

#[test]
#[cfg(target_os = "linux")]
fn companions_belong_to_first_of_names_differing_in_case() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["HEAD.md3", "head.md3", "head_1.md3"] {
        std::fs::write(folder.path().join(name), model(2)).unwrap();
    }
    std::fs::write(folder.path().join("head_red.skin"), "u_torso,textures/red\n").unwrap();
    let open = |name: &str| Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&folder.path().join(name)).unwrap();
    // The first name in byte order wins.
    let (found, other) = (open("HEAD.md3"), open("head.md3"));
    assert_eq!((found.model.lod_count(), other.model.lod_count()), (2, 1));
    assert_eq!((found.skins[0].name.as_str(), other.skins[0].name.as_str()), ("red", "default"));
    let is_reported = |warning: &maquette_core::error::Warning| {
        warning.to_string().contains("games ignore case and load another file of this name")
    };
    assert_eq!([&found, &other].map(|asset| asset.warnings.iter().any(is_reported)), [false, true]);
}

#[test]
#[cfg(unix)]
fn pipes_and_devices_are_rejected_as_models() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe.md3");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [&pipe, Path::new("/dev/zero")] {
        let output = Command::new(BINARY).arg("info").arg(path).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("not a regular file"), "{}", text(&output.stderr));
    }
}

#[test]
#[cfg(target_os = "linux")]
fn non_utf8_paths_work_in_every_command() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"caf\xe9"));
    std::fs::create_dir(&odd).unwrap();
    let path = odd.join(std::ffi::OsStr::from_bytes(b"b\xffx.md3"));
    std::fs::write(&path, model(2)).unwrap();
    let run = |command: &str, path: &Path, rest: &[&std::ffi::OsStr]| {
        let output = Command::new(BINARY).arg(command).arg(path).args(rest).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{command}: {}", text(&output.stderr));
        text(&output.stdout) + &text(&output.stderr)
    };
    assert!(run("info", &path, &[]).contains("md3 (Quake III)"));
    assert!(run("check", folder.path(), &[]).contains("1 model checked, 0 failed"));
    let written = odd.join(std::ffi::OsStr::from_bytes(b"\xfe.obj"));
    run("export", &path, &["-o".as_ref(), written.as_os_str()]);
    assert!(written.is_file());
    if can_draw() {
        let written = odd.join(std::ffi::OsStr::from_bytes(b"\xfe.png"));
        run("snapshot", &path, &["-o".as_ref(), written.as_os_str(), "--size".as_ref(), "16x16".as_ref()]);
        assert!(written.is_file());
    }
    // Use these paths in the window, too: open, list, attach, and recent files.
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
    assert_eq!(session.asset().unwrap().file.as_deref(), Some(path.as_path()));
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    assert_eq!(session.asset().unwrap().file.as_deref(), Some(path.as_path()));
    let parent = session.document.scene.entities()[0].id;
    let to = Attachment { to: parent, anchor: Anchor::Tag(session.asset().unwrap().model.tags()[0].clone()) };
    act(&mut session, Action::Scene(SceneAction::Attach(path.clone(), to)));
    assert_eq!(session.document.scene.entities().len(), 2);
    let settings = folder.path().join("settings.json");
    let (mut saved, _) = Settings::in_file(&settings);
    saved.keep(&session.current_preferences());
    if let Some(last) = session.last() {
        saved.keep_last(&last);
    }
    drop(saved);
    let (_, errors) = Settings::in_file(&settings);
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
#[cfg(unix)]
fn symlink_cycles_are_visited_once() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let deep = folder.path().join("models/a");
    std::fs::create_dir_all(&deep).unwrap();
    std::fs::write(deep.join("one.md3"), model(2)).unwrap();
    symlink("..", deep.join("up")).unwrap();
    symlink(folder.path(), deep.join("top")).unwrap();
    symlink("self", deep.join("self")).unwrap();
    symlink("two.md3", deep.join("three.md3")).unwrap();
    symlink("three.md3", deep.join("two.md3")).unwrap();
    let output = maquette(&["check", folder.path().to_str().unwrap()]);
    let report = text(&output.stdout);
    // The model counts once, and each dangling link counts once.
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("3 models checked, 2 failed"), "{}", text(&output.stderr));
    assert!(report.lines().count() == 2 && report.contains("two.md3: ") && report.contains("three.md3: "), "{report}");
    assert_eq!(maquette(&["info", deep.join("up/a/one.md3").to_str().unwrap()]).status.code(), Some(0));
    assert_reports(&maquette(&["info", deep.join("two.md3").to_str().unwrap()]), "two.md3: ");
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().to_path_buf()])));
    assert!(session.asset().is_some());
}

// ---------------------------------------------------------------- file times

#[test]
fn odd_file_times_still_trigger_reload() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("old.md3");
    std::fs::write(&path, model(2)).unwrap();
    let day = Duration::from_secs(24 * 3600);
    let now = SystemTime::now();
    let mut keys = Vec::new();
    let mut session = Session::default();
    for (turn, time) in
        [now, now + 36_500 * day, now - 10 * day, SystemTime::UNIX_EPOCH - day, SystemTime::UNIX_EPOCH - 2 * day]
            .into_iter()
            .enumerate()
    {
        std::fs::write(&path, model(2 + turn)).unwrap();
        std::fs::File::options().append(true).open(&path).unwrap().set_modified(time).unwrap();
        // Each state counts as a different file and is read again.
        keys.push(ThumbnailCache::key(&FileSystem::default(), &path).unwrap());
        if turn == 0 {
            act(&mut session, Action::File(FileAction::Open(vec![path.clone()])));
        } else {
            let effect = session.file_changed(&path);
            settle(&mut session, effect);
        }
        assert_eq!(session.asset().unwrap().model.frames().len(), 2 + turn);
        assert_eq!(maquette(&["info", path.to_str().unwrap()]).status.code(), Some(0));
    }
    // Equal lengths: only the time differs, on either side of 1970.
    for days in [0, 1, 2] {
        std::fs::write(&path, model(2)).unwrap();
        let file = std::fs::File::options().append(true).open(&path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + day - days * day).unwrap();
        keys.push(ThumbnailCache::key(&FileSystem::default(), &path).unwrap());
    }
    let different: std::collections::BTreeSet<_> = keys.iter().collect();
    assert_eq!(different.len(), keys.len());
}

// ---------------------------------------------------------------- graphics devices

#[test]
fn lost_gpu_device_is_reported_and_new_renderer_works() {
    if !can_draw() {
        return;
    }
    let gpu = Gpu::headless().unwrap();
    let mut renderer = OffscreenRenderer::new(gpu.clone()).unwrap();
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    // Labels are drawn by a library that does not handle lost devices.
    session.apply(Action::Display(DisplayAction::Toggle(OverlayKind::Tags)));
    let before = renderer.draw(session.document_view(), (64, 64), 1.0, true).unwrap();
    gpu.device.destroy();
    for _ in 0..3 {
        let error = renderer.draw(session.document_view(), (64, 64), 1.0, true).unwrap_err();
        assert!(error.to_string().starts_with("the graphics device"), "{error}");
    }
    assert!(gpu.is_gone());
    assert!(OffscreenRenderer::new(gpu).is_err(), "nothing can be made with it any more");
    let after = OffscreenRenderer::open().unwrap().draw(session.document_view(), (64, 64), 1.0, true).unwrap();
    assert_eq!(before, after);
}

/// Environment in which no graphics driver is found.
const NO_DRIVER: [(&str, &str); 5] = [
    ("VK_DRIVER_FILES", "/dev/null"),
    ("VK_ICD_FILENAMES", "/dev/null"),
    ("__EGL_VENDOR_LIBRARY_FILENAMES", "/dev/null"),
    ("LIBGL_DRIVERS_PATH", "/nowhere"),
    ("GALLIUM_DRIVER", "none"),
];

#[test]
#[cfg(target_os = "linux")]
fn without_graphics_driver_only_rendering_commands_fail() {
    let folder = tempfile::tempdir().unwrap();
    let run = |command: &[&str], name: &str| {
        let mut program = Command::new(BINARY);
        program.arg(command[0]).arg(sample()).args(&command[1..]).envs(NO_DRIVER).current_dir(folder.path());
        if !name.is_empty() {
            program.args(["-o", name]);
        }
        program.output().unwrap()
    };
    for (command, name) in WRITERS {
        if command[0] != "export" {
            assert_reports(&run(command, name), "no graphics driver found");
            assert_eq!(everything_below(folder.path()), Vec::<PathBuf>::new());
        }
    }
    for (command, name) in [(&["export"][..], "a.obj"), (&["info"], ""), (&["info", "--json"], ""), (&["check"], "")] {
        assert_eq!(run(command, name).status.code(), Some(0), "{command:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn image_beyond_memory_limit_is_rejected() {
    if !can_draw() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    // The largest image needs more than four gigabytes with its samples. With a limit of two gigabytes, Mesa's driver may
    // crash while it compiles the last pipelines in the memory that the image left.
    let script = "ulimit -v 3000000; exec \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, "sh", BINARY, "snapshot", &sample(), "--size", "8192x8192", "-o", "huge.png"]);
    let output = shell.current_dir(folder.path()).output().unwrap();
    assert_reports(&output, "");
    assert_eq!(everything_below(folder.path()), Vec::<PathBuf>::new());
}

// ---------------------------------------------------------------- the display

#[cfg(target_os = "linux")]
mod display {
    use std::io::{BufRead as _, BufReader};
    use std::process::{Child, Stdio};
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    /// Program with a window on its own X server, and its output.
    struct Window {
        server: Child,
        program: Child,
        log: Receiver<String>,
        heard: String,
        folder: tempfile::TempDir,
    }

    impl Drop for Window {
        fn drop(&mut self) {
            for child in [&mut self.program, &mut self.server] {
                child.kill().ok();
                child.wait().ok();
            }
        }
    }

    impl Window {
        /// Starts the window; `None` without an X server or a driver.
        fn open() -> Option<Self> {
            if !can_draw() {
                return None;
            }
            let server = Command::new("Xvfb")
                .args(["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn();
            let Ok(mut server) = server else {
                eprintln!("skipped: Xvfb is absent");
                return None;
            };
            let mut number = String::new();
            BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
            let folder = tempfile::tempdir().unwrap();
            std::fs::write(folder.path().join("shown.md3"), model(2)).unwrap();
            let mut program = Command::new(BINARY)
                .arg(folder.path().join("shown.md3"))
                .env("DISPLAY", format!(":{}", number.trim()))
                .env_remove("WAYLAND_DISPLAY")
                .env("MAQUETTE_CONFIG", folder.path().join("config"))
                .env("MAQUETTE_CACHE", folder.path().join("cache"))
                .env("MAQUETTE_LOSE_DEVICE", folder.path().join("lose"))
                .env("RUST_LOG", "maquette=debug")
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let (send, log) = channel();
            let lines = BufReader::new(program.stderr.take().unwrap()).lines();
            std::thread::spawn(move || lines.map_while(Result::ok).try_for_each(|line| send.send(line)));
            let mut window = Self { server, program, log, heard: String::new(), folder };
            window.hear("drawing with");
            Some(window)
        }

        /// Waits until the program prints `words`.
        fn hear(&mut self, words: &str) {
            loop {
                let Ok(line) = self.log.recv_timeout(MAX_WAIT) else {
                    panic!("“{words}” was not said, but this:\n{}", self.heard);
                };
                self.heard += &format!("{line}\n");
                if line.contains(words) {
                    return;
                }
            }
        }

        /// Loses the device in a phase of the next frame, and waits for the loss.
        fn lose(&self, phase: &str) {
            let file = self.folder.path().join("lose");
            std::fs::write(&file, phase).unwrap();
            let mut turn = 0;
            wait_until("a frame is drawn", || {
                // The window draws only after changes, so save the model.
                turn += 1;
                std::fs::write(self.folder.path().join("shown.md3"), model(2 + turn % 3)).unwrap();
                std::thread::sleep(Duration::from_millis(500));
                !file.exists()
            });
        }

        /// Returns the exit status and the whole output.
        fn end(&mut self) -> (Option<i32>, String) {
            let mut status = None;
            wait_until("the program ends", || {
                status = self.program.try_wait().unwrap();
                status.is_some()
            });
            // The log ends with the program.
            self.heard.extend(self.log.iter().map(|line| line + "\n"));
            (status.and_then(|status| status.code()), self.heard.clone())
        }
    }

    #[test]
    fn missing_display_is_reported() {
        for (display, words) in [
            (None, "no display found (DISPLAY and WAYLAND_DISPLAY are not set)"),
            (Some(":4711"), "could not open a window"),
        ] {
            let mut program = Command::new(BINARY);
            program.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
            program.envs(display.map(|display| ("DISPLAY", display)));
            assert_reports(&program.output().unwrap(), words);
        }
    }

    #[test]
    fn killed_display_server_ends_program_with_message() {
        let Some(mut window) = Window::open() else { return };
        window.hear("with a model");
        window.server.kill().unwrap();
        let (status, log) = window.end();
        assert_eq!(status, Some(1), "{log}");
        assert!(!log.contains("panicked"), "{log}");
    }

    #[test]
    fn lost_window_device_is_replaced_three_times() {
        // Only builds with assertions can lose the device on request.
        if !cfg!(debug_assertions) {
            return;
        }
        let Some(mut window) = Window::open() else { return };
        for phase in ["before", "within", "before"] {
            window.lose(phase);
            window.hear("drawing with");
        }
        window.lose("within");
        let (status, log) = window.end();
        assert_eq!(status, Some(1), "{log}");
        assert!(log.contains("maquette: the graphics device was lost repeatedly"), "{log}");
    }
}
