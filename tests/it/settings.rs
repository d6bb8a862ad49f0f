//! Settings across starts, broken files, and process kills.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use egui::{Role, vec2};
use egui_kittest::kittest::Queryable;
use maquette::app::Settings;
use maquette_assets::open::open_sample;
use maquette_core::model::Format;
use maquette_core::pose::Repeat;
use maquette_scene::scene::OverlayKind;
use maquette_scene::scene::{ColourTheme, LightingMode, TextureFilter};
use maquette_scene::session::{
    Action, COMMANDS, CameraAction, ClockAction, Dialog, DisplayAction, Effect, FileAction, Preference, Preferences,
    Session, SidePanel, WindowAction,
};

use crate::support::loading::act;
use crate::support::panels::{bench, click};
use maquette_testing::files::Md3;
use maquette_testing::waiting::{MAX_WAIT, wait_until};

/// Environment variable with the file that the child process writes.
const LOOP: &str = "MAQUETTE_TEST_SETTINGS_LOOP";

fn file(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("maquette/settings.json")
}

fn written(path: &Path, text: &str) -> (Settings, Vec<String>) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    Settings::in_file(path)
}

#[test]
fn user_settings_are_restored_at_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let (mut settings, errors) = Settings::in_file(&file(&folder));
    assert!(errors.is_empty());
    let mut session = Session::default();
    session.apply_preferences(settings.preferences().clone());
    for action in [
        Action::Window(WindowAction::SetTheme(Some(ColourTheme::Light))),
        Action::Window(WindowAction::TogglePanel(SidePanel::Files)),
        Action::Window(WindowAction::SetPanelWidth(SidePanel::Inspector, 333.0)),
        Action::Window(WindowAction::Prefer(Preference::SwapPanels(true))),
        Action::Window(WindowAction::Prefer(Preference::Rate(Format::Md2, Some(12.5)))),
        Action::Window(WindowAction::SetKeys("display.joints", "J".to_owned())),
    ] {
        session.apply(action);
    }
    session.preferences.lighting.insert("Quake III".to_owned(), LightingMode::Game);
    session.preferences.texture_filters.insert("Quake".to_owned(), TextureFilter::Nearest);
    session.preferences.add_recent(Path::new("/a.md3"));
    session.preferences.add_recent(Path::new("/b.md3"));
    session.preferences.add_recent(Path::new("/a.md3"));
    assert_eq!(settings.keep(&session.current_preferences()), None);
    drop(settings);
    let (settings, errors) = Settings::in_file(&file(&folder));
    assert!(errors.is_empty());
    let mut next = Session::default();
    next.apply_preferences(settings.preferences().clone());
    assert_eq!(next.current_preferences(), session.current_preferences());
    assert_eq!((next.interface.theme, next.interface.panels.files), (Some(ColourTheme::Light), true));
    assert_eq!(next.preferences.recent, ["/a.md3", "/b.md3"].map(PathBuf::from));
    assert_eq!(next.preferences.rate_of(Format::Md2), Some(12.5));
    // No temporary files remain.
    assert_eq!(std::fs::read_dir(file(&folder).parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn keys_saved_by_label_are_migrated_to_ids() {
    let folder = tempfile::tempdir().unwrap();
    let saved = r#"{ "keys": { "Joints": "J", "display.bounds": "Shift+J", "Of a newer version": "Q" } }"#;
    let (settings, errors) = written(&file(&folder), saved);
    assert!(errors.is_empty(), "{errors:?}");
    let keys = &settings.preferences().keys;
    let keys_of = |id: &str| keys.keys_of(COMMANDS.iter().find(|command| command.id == id).unwrap());
    assert_eq!((keys_of("display.joints"), keys_of("display.bounds"), keys_of("display.grid")), ("J", "Shift+J", "G"));
    let again = serde_json::to_value(keys).unwrap();
    assert_eq!(again["display.joints"], "J");
    assert_eq!(again["Of a newer version"], "Q", "what is not known stays");
}

#[test]
fn command_ids_are_plain_and_unique() {
    let mut ids: Vec<&str> = COMMANDS.iter().map(|command| command.id).collect();
    assert!(ids.iter().all(|id| id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || "-.".contains(c))));
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), COMMANDS.len());
}

#[test]
fn corrupt_settings_file_is_reported_and_moved_aside() {
    let folder = tempfile::tempdir().unwrap();
    for text in ["{ \"looks\": 7", "", "[1, 2]", "\u{0}\u{1}", "nonsense"] {
        let (settings, errors) = written(&file(&folder), text);
        assert_eq!(*settings.preferences(), Preferences::default(), "{text}");
        assert!(errors.len() == 1 && errors[0].contains("settings.json could not be read"), "{errors:?}");
        let aside = file(&folder).with_extension("json.broken");
        assert_eq!(std::fs::read_to_string(aside).unwrap(), text);
    }
    // A folder in place of the file is reported.
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(file(&folder)).unwrap();
    assert_eq!(Settings::in_file(&file(&folder)).1.len(), 1);
}

#[test]
fn invalid_setting_becomes_default_and_unknown_keys_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{ "tone": "purple", "watch": false, "from_the_future": [1], "recent": ["/x.md2"],
        "panels": { "files_width": 1e9, "new": 1 }, "rates": { "md2": -3, "md3": 1e12 } }"#;
    let (mut settings, errors) = written(&file(&folder), text);
    assert!(errors.len() == 1 && errors[0].contains("invalid “tone”"), "{errors:?}");
    let known = settings.preferences().clone();
    assert!(known.theme.is_none() && !known.watch && known.recent == [PathBuf::from("/x.md2")]);
    assert_eq!(known.panels.files_width, Some(2000.0));
    assert_eq!((known.rate_of(Format::Md2), known.rate_of(Format::Md3)), (None, Some(1000.0)));
    settings.keep(&Preferences { watch: true, ..known });
    drop(settings);
    let text = std::fs::read_to_string(file(&folder)).unwrap();
    assert!(text.contains("from_the_future") && text.contains("\"watch\": true"), "{text}");
}

/// Writes settings in an endless loop in a child process, which the next test kills during a write.
#[test]
#[ignore = "writes without end; started by the test that kills it"]
fn child_that_writes_settings_forever() {
    let Some(path) = std::env::var_os(LOOP) else { return };
    let (mut settings, _) = Settings::in_file(Path::new(&path));
    let end = Instant::now() + MAX_WAIT;
    let mut number = 0;
    while Instant::now() < end {
        number += 1;
        // Lengths alternate, so that a partially written long file would be noticed.
        let count = if number % 2 == 0 { 1 } else { Preferences::MAX_RECENT };
        let name = |index: usize| PathBuf::from(format!("/{}/{number}/{index}.md3", "x".repeat(400)));
        let recent: Vec<PathBuf> = (0..count).map(name).collect();
        assert_eq!(settings.keep(&Preferences { recent, ..Preferences::default() }), None);
        std::thread::sleep(Duration::from_micros(200));
    }
}

#[test]
fn settings_survive_process_kill_during_write() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    // Returns the number of the last write.
    let written = || -> Option<u64> {
        let settings: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).ok()?).ok()?;
        settings["recent"][0].as_str()?.split('/').nth(2)?.parse().ok()
    };
    let mut seen = std::collections::BTreeSet::new();
    for round in 0..40_u64 {
        std::fs::remove_file(&path).ok();
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--ignored", "--exact", "settings::child_that_writes_settings_forever"])
            .env(LOOP, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_until("the child writes", || written().is_some_and(|number| number > round % 8));
        std::thread::sleep(Duration::from_micros(round * 1237 % 30_000));
        // On Unix this is signal 9.
        child.kill().unwrap();
        child.wait().unwrap();
        let (settings, errors) = Settings::in_file(&path);
        assert_eq!(errors, [] as [String; 0], "round {round}");
        let recent = &settings.preferences().recent;
        assert!(recent.len() == 1 || recent.len() == Preferences::MAX_RECENT, "round {round}: {}", recent.len());
        seen.extend(recent.first().cloned());
    }
    assert!(seen.len() > 5, "it was ended at different moments");
}

#[test]
#[cfg(unix)]
fn non_utf8_path_does_not_block_saving_preferences() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().unwrap();
    let odd = folder.path().join(std::ffi::OsStr::from_bytes(b"odd\xff.md3"));
    std::fs::write(&odd, Md3::typical().build()).unwrap();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![odd])));
    assert!(session.asset().is_some(), "it opens");
    assert_eq!(session.last(), None);
    assert!(serde_json::to_string(&session.preferences).is_ok());
    assert!(session.preferences.recent.is_empty());
}

#[test]
fn last_session_is_restored_as_left() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("box.md3");
    std::fs::write(&model, maquette_testing::files::Md3::typical().build()).unwrap();
    let show = |session: &mut Session| session.show(maquette_assets::open::open(&model).unwrap());
    let mut session = Session::default();
    show(&mut session);
    session.apply(Action::Camera(CameraAction::Orbit(40.0, 5.0)));
    session.apply(Action::Camera(CameraAction::ToggleProjection));
    session.apply(Action::Clock(ClockAction::Seek(1.0)));
    session.apply(Action::Clock(ClockAction::SetRepeat(Repeat::PingPong)));
    for overlay in [OverlayKind::Bounds, OverlayKind::FaceNormals] {
        session.apply(Action::Display(DisplayAction::Toggle(overlay)));
    }
    let (mut settings, _) = Settings::in_file(&file(&folder));
    settings.keep_last(&session.last().unwrap());
    drop(settings);
    let (settings, _) = Settings::in_file(&file(&folder));
    let mut next = Session::default();
    next.last_session = settings.last().cloned();
    act(&mut next, Action::File(FileAction::RestoreLast));
    assert_eq!(next.view.camera, session.view.camera);
    assert_eq!(next.playback().position, session.playback().position);
    assert_eq!(next.playback().repeat, Repeat::PingPong);
    assert_eq!(next.view.display.overlays, session.view.display.overlays);
    assert!(next.view.display.shows(OverlayKind::Bounds) && next.view.display.shows(OverlayKind::FaceNormals));
    // The restored camera does not apply to another model.
    let mut other = Session::default();
    other.last_session = settings.last().cloned();
    other.apply(Action::File(FileAction::RestoreLast));
    act(&mut other, Action::File(FileAction::OpenSample(Format::Md2)));
    assert_ne!(other.view.camera.yaw, session.view.camera.yaw);
}

#[test]
fn preferred_rates_apply_to_clips_without_own_rate() {
    let mut session = Session::default();
    session.show(open_sample(Format::Md2).unwrap());
    let rate = |session: &Session| session.document.track().unwrap().clip().frames_per_second;
    assert_eq!(rate(&session), 10.0, "Quake II's ten ticks");
    session.apply(Action::Window(WindowAction::Prefer(Preference::Rate(Format::Md2, Some(20.0)))));
    assert_eq!(rate(&session), 20.0);
    session.show(open_sample(Format::Md2).unwrap());
    assert_eq!(rate(&session), 20.0, "also of the next model");
    session.apply(Action::Window(WindowAction::Prefer(Preference::Rate(Format::Md5, Some(1.0)))));
    session.show(open_sample(Format::Md5).unwrap());
    assert_eq!(rate(&session), 24.0, "an .md5anim names its rate");
}

#[test]
fn concurrent_windows_merge_their_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder);
    let ((mut one, _), (mut other, _)) = (Settings::in_file(&path), Settings::in_file(&path));
    let usual = Preferences::default();
    one.keep(&Preferences { grid: false, ..usual.clone() });
    drop(one);
    other.keep(&Preferences { shadow: false, ..usual });
    drop(other);
    let (settings, _) = Settings::in_file(&path);
    assert_eq!((settings.preferences().grid, settings.preferences().shadow), (false, false));
}

#[test]
fn image_memory_is_clamped_and_passed_to_loads() {
    let mut session = Session::default();
    assert_eq!(session.preferences.image_memory, 1024);
    for (wanted, expected) in [(2048, 2048), (0, 64), (u32::MAX, 65_536)] {
        session.apply(Action::Window(WindowAction::Prefer(Preference::ImageMemory(wanted))));
        assert_eq!(session.preferences.image_memory, expected);
    }
    let effect = session.apply(Action::File(FileAction::Open(vec!["a.md3".into()])));
    assert!(matches!(effect, Some(Effect::Load(job)) if job.options.limits.memory == 65_536 << 20));
}

#[test]
fn search_folders_are_passed_to_loads_and_removable() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().to_path_buf();
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::AddRoot(root.clone())));
    assert_eq!(session.search_folders, std::slice::from_ref(&root));
    // A missing folder is not added.
    act(&mut session, Action::File(FileAction::AddRoot(root.join("gone"))));
    assert_eq!(session.search_folders, std::slice::from_ref(&root));
    let effect = session.apply(Action::File(FileAction::Open(vec!["a.md3".into()])));
    assert!(matches!(effect, Some(Effect::Load(job)) if job.search_folders == std::slice::from_ref(&root)));
    session.apply(Action::Window(WindowAction::ToggleDialog(Dialog::Settings)));
    let mut harness = bench(session, vec2(1280.0, 1200.0));
    harness.run();
    let done = click(&mut harness, Role::Button, &format!("Remove {}", root.display()));
    assert_eq!(done, [Action::File(FileAction::RemoveRoot(root))]);
    assert!(harness.state().session.search_folders.is_empty());
}

#[test]
fn settings_dialog_shows_cache_sizes_and_budgets() {
    let mut session = Session::default();
    let effect = session.apply(Action::Window(WindowAction::ToggleDialog(Dialog::Settings)));
    assert!(matches!(effect, Some(Effect::MeasureThumbnails)));
    session.interface.thumbnails_on_disk = Some(3_200_000);
    let harness = bench(session, vec2(1280.0, 1400.0));
    for line in [
        "Thumbnails on disk: 3.2 MB of 64 MB",
        "Thumbnails loaded: 0 bytes of 10 MB",
        "Undo history: 0 bytes of 256 MB",
    ] {
        harness.get_by_label(line);
    }
}
