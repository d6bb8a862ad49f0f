//! Watcher of the scene's files, and of models in their folders. It has a thread, because network drives are slow.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::{Duration, SystemTime};

use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use maquette_assets::material::{IMAGE_EXTENSIONS, SurfaceMaterial};
use maquette_assets::open::{ModelAsset, is_animation_of_models, is_model_file};
use maquette_assets::vfs::{FileSystem, Lookups, is_archive_name};
use maquette_scene::scene::{EntityId, Scene};
use maquette_scene::session::ModelFileChange;

/// Time without events after which a change is handled, because programs write files in several steps.
const QUIET_TIME: Duration = Duration::from_millis(300);
/// Maximum number of watched folders. Further folders are not watched.
const MAX_WATCHED_FOLDERS: usize = 64;

enum Message {
    /// Models to watch, the start of their load, whether the load read all files, and the number of the load.
    Follow(Vec<ModelAsset>, SystemTime, bool, u64),
    /// Paths of file system events.
    Events(Vec<PathBuf>),
    Stop,
}

#[derive(Debug)]
pub enum WatchEvent {
    /// A file of the scene was written after it was read. The number is that of the load that read it.
    Changed(WrittenFile, u64),
    /// Models in the folders of the scene were added or removed.
    Models(Vec<ModelFileChange>),
}

/// A file that Maquette or another program wrote.
#[derive(Debug)]
pub struct WrittenFile {
    path: PathBuf,
    /// Modification time; `None` if the file was deleted.
    written: Option<SystemTime>,
}

impl WrittenFile {
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn from_path(path: &Path) -> Self {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        Self { written: written_at(&path), path }
    }
}

pub struct Watcher {
    messages: Sender<Message>,
    followed: Vec<(EntityId, u64)>,
    load: u64,
    own: BTreeMap<PathBuf, Option<SystemTime>>,
}

impl Drop for Watcher {
    fn drop(&mut self) {
        // The thread owns a sender, so the channel does not disconnect.
        self.messages.send(Message::Stop).ok();
    }
}

impl Watcher {
    pub fn start(report: impl Fn(WatchEvent) + Send + 'static) -> Self {
        let (messages, received) = channel();
        let events = messages.clone();
        let run = move || {
            let mut watched = Watched::new(events);
            let mut load = 0;
            while let Ok(message) = received.recv() {
                let changed = match message {
                    Message::Follow(assets, began, is_complete, number) => {
                        load = number;
                        watched.follow(&assets, began, is_complete)
                    }
                    Message::Events(paths) => {
                        let models = watched.changed_models(&paths);
                        if !models.is_empty() {
                            report(WatchEvent::Models(models));
                        }
                        watched.first_relevant_change(&paths).map(Path::to_path_buf)
                    }
                    Message::Stop => return,
                };
                if let Some(path) = changed {
                    report(WatchEvent::Changed(WrittenFile { written: written_at(&path), path }, load));
                }
            }
        };
        thread::Builder::new()
            .name("watcher".to_owned())
            .spawn(run)
            .map_err(|error| log::warn!("could not watch files for changes: {error}"))
            .ok();
        Self { messages, followed: Vec::new(), load: 0, own: BTreeMap::new() }
    }

    /// Watches the files of `scene` only. `began` is the start of the load, and `is_complete` is whether the load read all
    /// files.
    pub fn follow(&mut self, scene: &Scene, began: SystemTime, is_complete: bool) {
        self.followed = numbers(scene).collect();
        self.load += u64::from(is_complete);
        let assets = scene.entities().iter().map(|entity| entity.asset.clone()).collect();
        // Without the thread, nothing is watched.
        self.messages.send(Message::Follow(assets, began, is_complete, self.load)).ok();
    }

    pub fn wrote(&mut self, file: WrittenFile) {
        self.own.insert(file.path, file.written);
    }

    /// Returns the path, and whether Maquette wrote the file. `None` if the scene was read again after `load`.
    pub fn is_new(&self, file: WrittenFile, load: u64) -> Option<(PathBuf, bool)> {
        let WrittenFile { path, written } = file;
        let is_own = written.is_some() && self.own.get(&path) == Some(&written);
        (load == self.load).then_some((path, is_own))
    }

    /// Updates the watched files if entities were removed or restored.
    pub fn follow_changed_scene(&mut self, scene: &Scene) {
        if !numbers(scene).eq(self.followed.iter().copied()) {
            self.follow(scene, SystemTime::now(), false);
        }
    }
}

fn numbers(scene: &Scene) -> impl Iterator<Item = (EntityId, u64)> {
    scene.entities().iter().map(|entity| (entity.id, entity.number))
}

struct Watched {
    debouncer: Option<Debouncer<RecommendedWatcher>>,
    folders: BTreeSet<PathBuf>,
    files: BTreeMap<PathBuf, Option<SystemTime>>,
    /// Companion files that the models looked up, and the root of their game paths.
    companions: Vec<(PathBuf, Arc<Lookups>)>,
    /// Lower-case stems of image paths that were searched. A new file with this stem may supply a missing image or
    /// override another.
    searched_stems: BTreeSet<String>,
    models: BTreeMap<PathBuf, bool>,
    /// Start of the last load of the whole scene. Unknown files that were written later are new.
    since: SystemTime,
}

impl Watched {
    fn new(messages: Sender<Message>) -> Self {
        let report = move |events: DebounceEventResult| match events {
            Ok(events) => {
                let paths = events.into_iter().map(|event| event.path).collect();
                messages.send(Message::Events(paths)).ok();
            }
            Err(error) => log::debug!("watching: {error}"),
        };
        let debouncer = new_debouncer(QUIET_TIME, report);
        let debouncer = debouncer.map_err(|error| log::warn!("could not watch files for changes: {error}")).ok();
        Self {
            debouncer,
            folders: BTreeSet::new(),
            files: BTreeMap::new(),
            companions: Vec::new(),
            searched_stems: BTreeSet::new(),
            models: BTreeMap::new(),
            since: SystemTime::now(),
        }
    }

    /// Implements [`Watcher::follow`]. Returns a file that was written during the load, if any.
    fn follow(&mut self, assets: &[ModelAsset], began: SystemTime, is_complete: bool) -> Option<PathBuf> {
        let files: BTreeSet<PathBuf> = assets.iter().flat_map(files_of).collect();
        // Start watching before reading modification times, so that no write is missed.
        self.watch_folders(&files);
        let known = std::mem::take(&mut self.files);
        let state =
            |file: &PathBuf| known.get(file).filter(|_| !is_complete).copied().unwrap_or_else(|| written_at(file));
        self.files = files.into_iter().map(|file| (file.clone(), state(&file))).collect();
        let companions = |asset: &ModelAsset| {
            let root = root_of(asset.file.as_ref()?, &asset.game_path)?;
            Some((root, Arc::clone(&asset.lookups)))
        };
        self.companions = assets.iter().filter_map(companions).collect();
        let materials = assets.iter().flat_map(|asset| &asset.skins).flat_map(|skin| skin.materials.iter());
        let paths = materials.flat_map(|material| material.search_log.iter()).flat_map(|step| &step.tried);
        self.searched_stems = paths.map(|path| stem_of(Path::new(path))).collect();
        if is_complete {
            self.since = began;
        }
        let now = SystemTime::now();
        // Ignore times in the future, because a wrong clock must not cause endless reloads.
        let is_late = |time: &Option<SystemTime>| time.is_some_and(|time| time > began && time <= now);
        self.files.iter().find(|(_, time)| is_late(time)).map(|(file, _)| file.clone())
    }

    fn watch_folders(&mut self, files: &BTreeSet<PathBuf>) {
        let parents = files.iter().filter_map(|file| file.parent());
        let wanted: BTreeSet<PathBuf> = parents.map(Path::to_path_buf).collect();
        let wanted: BTreeSet<PathBuf> =
            wanted.into_iter().filter(|folder| folder.is_dir()).take(MAX_WATCHED_FOLDERS).collect();
        let Some(debouncer) = &mut self.debouncer else { return };
        for folder in self.folders.difference(&wanted) {
            // Ignore errors, because a deleted folder is no longer watched.
            drop(debouncer.watcher().unwatch(folder));
        }
        for folder in wanted.difference(&self.folders) {
            if let Err(error) = debouncer.watcher().watch(folder, RecursiveMode::NonRecursive) {
                log::info!("could not watch {}: {error}", folder.display());
            }
        }
        self.folders = wanted;
        // Forget the models of folders that are no longer watched, because changes there are unknown.
        let folders = &self.folders;
        self.models.retain(|path, _| path.parent().is_some_and(|folder| folders.contains(folder)));
    }

    fn changed_models(&mut self, event_paths: &[PathBuf]) -> Vec<ModelFileChange> {
        let is_in_folder = |path: &Path| path.parent().is_some_and(|folder| self.folders.contains(folder));
        let paths = event_paths.iter().filter(|path| is_model_file(path) && is_in_folder(path));
        let models: Vec<ModelFileChange> =
            paths.map(|path| ModelFileChange::read(path.clone(), path.is_file())).collect();
        // Read access causes events, too, so report each state once. Only the content distinguishes an animation from a
        // model.
        let files = FileSystem::new(Vec::new());
        models
            .into_iter()
            .filter(|model| self.models.insert(model.path.clone(), model.exists) != Some(model.exists))
            .filter(|model| !(model.exists && is_animation_of_models(&files, &model.path)))
            .collect()
    }

    /// Returns the first path with a relevant change. Read access also causes events, so modification times are
    /// compared.
    fn first_relevant_change<'p>(&mut self, event_paths: &'p [PathBuf]) -> Option<&'p Path> {
        let is_companion = |path: &Path| {
            let is_in_folder = path.parent().is_some_and(|folder| self.folders.contains(folder));
            let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
            let is_image = extension.is_some_and(|extension| IMAGE_EXTENSIONS.contains(&&*extension));
            is_in_folder
                && (is_image && self.searched_stems.contains(&stem_of(path))
                    || self.companions.iter().any(|(root, lookups)| {
                        path.strip_prefix(root).is_ok_and(|path| lookups.include(&game_path_of(path)))
                    }))
        };
        // Ignore files that no model uses, and the folder itself.
        let relevant: Vec<&Path> = event_paths
            .iter()
            .map(PathBuf::as_path)
            .filter(|path| self.files.contains_key(*path) || is_companion(path))
            .collect();
        let has_changed = |path: &&&Path| match self.files.get(**path) {
            Some(known) => written_at(path) != *known,
            None => written_at(path).is_some_and(|time| time > self.since),
        };
        let changed = || relevant.iter().filter(has_changed);
        // Prefer a file that exists; report a deleted file only if none exists.
        let first = changed().find(|path| path.exists()).or_else(|| changed().next()).copied();
        for path in relevant {
            self.files.insert(path.to_path_buf(), written_at(path));
        }
        // A deleted folder is no longer watched, even if it is created again.
        for folder in event_paths.iter().filter_map(|path| path.parent()).filter(|folder| !folder.is_dir()) {
            self.folders.remove(folder);
        }
        first
    }
}

fn stem_of(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().to_lowercase()).unwrap_or_default()
}

fn written_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// Returns the files on disk that a part was read from. A file in an archive counts as the archive.
fn files_of(part: &ModelAsset) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = part.added.iter().map(|file| file_on_disk(file)).collect();
    let Some(file) = &part.file else { return files };
    files.insert(file_on_disk(file));
    let Some(root) = root_of(file, &part.game_path) else { return files };
    let paths_of = |material: &SurfaceMaterial| {
        let maps = material.definition.stages.iter().flat_map(|stage| &stage.maps).map(|map| map.path.clone());
        let script = material.script.as_ref().map(|(script, _)| script.clone());
        maps.chain(script).chain([material.path.clone()]).collect::<Vec<String>>()
    };
    let materials = part.skins.iter().flat_map(|skin| skin.materials.iter());
    // Use a set, because skins may share files.
    let paths: BTreeMap<String, ()> =
        materials.flat_map(paths_of).filter(|path| !path.is_empty()).map(|path| (path, ())).collect();
    files.extend(paths.into_keys().map(|path| root.join(path)).filter(|path| path.is_file()));
    files
}

/// Returns the folder to which game paths are relative; `None` in an archive.
fn root_of(file: &Path, game_path: &str) -> Option<PathBuf> {
    let depth = game_path.split('/').filter(|part| !part.is_empty()).count();
    let root = file.ancestors().nth(depth)?;
    root.is_dir().then(|| root.to_path_buf())
}

fn game_path_of(path: &Path) -> String {
    let names: Vec<_> = path.iter().map(|name| name.to_string_lossy()).collect();
    names.join("/")
}

fn file_on_disk(path: &Path) -> PathBuf {
    let is_archive = |ancestor: &&Path| {
        ancestor.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy())) && ancestor.is_file()
    };
    path.ancestors().find(is_archive).unwrap_or(path).to_path_buf()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use std::fs;

    use super::*;
    use maquette_assets::open::{Anchor, Assembly, open, open_sample, sample_bytes};
    use maquette_core::model::Format;
    use maquette_scene::scene::{Attachment, Playback};
    use maquette_testing::iqm::Iqm;
    use maquette_testing::waiting::MAX_WAIT;

    fn watched() -> (tempfile::TempDir, Watched, PathBuf) {
        watched_as(Format::Md3)
    }

    fn watched_as(format: Format) -> (tempfile::TempDir, Watched, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let name = format!("umber.{}", format.extension());
        let file = folder.path().join("models").join(&name);
        fs::create_dir_all(folder.path().join("models")).unwrap();
        fs::write(&file, sample_bytes(Path::new(&name)).unwrap()).unwrap();
        fs::write(file.with_file_name("head.md3"), b"").unwrap();
        let part = open(&file).unwrap();
        let mut watcher = Watched::new(channel().0);
        let now = SystemTime::now();
        assert_eq!(watcher.follow(&[part], now + Duration::from_secs(1), true), None);
        watcher.since = now - Duration::from_secs(5);
        (folder, watcher, file)
    }

    fn touch(path: &Path, seconds: u64) {
        let file = fs::File::options().create(true).append(true).open(path).unwrap();
        file.set_modified(SystemTime::now() + Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn read_file_is_ignored_and_written_file_triggers_once() {
        let (_folder, mut watcher, file) = watched();
        let changed = [file.clone()];
        assert_eq!(watcher.first_relevant_change(&changed), None);
        touch(&file, 10);
        assert_eq!(watcher.first_relevant_change(&changed), Some(file.as_path()));
        assert_eq!(watcher.first_relevant_change(&changed), None);
        fs::remove_file(&file).unwrap();
        assert_eq!(watcher.first_relevant_change(&changed), Some(file.as_path()), "gone is a change too");
    }

    #[test]
    fn only_companion_files_of_the_model_trigger_reload() {
        let cases: [(Format, &[(&str, bool)]); 3] = [
            (
                Format::Md3,
                &[
                    ("umber_blue.skin", true),
                    ("umber.skin", false),
                    ("umber.md3_0.skin", true),
                    ("team.skin", true),
                    ("head_blue.skin", false),
                    ("animation.cfg", true),
                    ("md3.cfg", true),
                    ("umber.md3.framegroups", true),
                    ("umber_1.md3", true),
                    ("head.md3.framegroups", false),
                    ("server.cfg", false),
                    ("umber.anm", false),
                    ("walk.md5anim", false),
                    ("umber.shader", false),
                    ("UMBER_RED.tga", true),
                    ("export-001.png", false),
                    ("notes.txt", false),
                    ("other.md3", false),
                ],
            ),
            (
                Format::Md2,
                &[
                    ("umber.anm", true),
                    ("umber.TAG", true),
                    ("head.anm", false),
                    ("umber.skin", false),
                    ("animation.cfg", false),
                ],
            ),
            (
                Format::Md5,
                &[("walk.md5anim", true), ("md5.cfg", true), ("animation.cfg", false), ("umber.skin", false)],
            ),
        ];
        for (format, files) in cases {
            let (folder, mut watcher, _) = watched_as(format);
            watcher.searched_stems.insert("umber_red".to_owned());
            let models = folder.path().join("models");
            for (name, matters) in files {
                let path = models.join(name);
                fs::write(&path, b"").unwrap();
                assert_eq!(watcher.first_relevant_change(&[path]).is_some(), *matters, "{name} beside a {format:?}");
            }
            // A file of the same name in another folder does not matter.
            let elsewhere = folder.path().join("umber.skin");
            fs::write(&elsewhere, b"").unwrap();
            assert_eq!(watcher.first_relevant_change(&[elsewhere]), None);
        }
    }

    #[test]
    fn unrelated_file_never_triggers_reload() {
        let (folder, mut watcher, _) = watched();
        let models = folder.path().join("models");
        let notes = models.join("notes.txt");
        fs::write(&notes, b"").unwrap();
        // Adding a file changes its folder, so events may include the folder.
        for round in 0..3 {
            touch(&notes, 10 + round);
            let changed = [models.clone(), notes.clone()];
            assert_eq!(watcher.first_relevant_change(&changed), None);
        }
    }

    #[test]
    fn scripts_trigger_reload_in_game_script_folders() {
        for (format, game_path, matters) in [
            (Format::Md3, "scripts/new.shader", true),
            (Format::Md3, "materials/new.mtr", true),
            (Format::Md2, "scripts/new.shader", false),
            (Format::Md3, "art/new.shader", false),
            (Format::Md5, "materials/new.mtr", true),
            (Format::Md5, "def/umber.def", true),
            (Format::Md3, "def/umber.def", false),
        ] {
            let (folder, mut watcher, _) = watched_as(format);
            let path = folder.path().join(game_path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, b"").unwrap();
            watcher.folders.insert(path.parent().unwrap().to_path_buf());
            assert_eq!(watcher.first_relevant_change(&[path]).is_some(), matters, "{game_path} for a {format:?}");
        }
    }

    #[test]
    fn added_and_removed_models_are_reported_once() {
        let (folder, mut watcher, file) = watched();
        let other = folder.path().join("models/other.md3");
        fs::write(&other, b"").unwrap();
        let found = |exists| vec![ModelFileChange::read(other.clone(), exists)];
        assert_eq!(watcher.changed_models(std::slice::from_ref(&other)), found(true));
        assert_eq!(watcher.changed_models(std::slice::from_ref(&other)), [], "it was only read");
        fs::remove_file(&other).unwrap();
        assert_eq!(watcher.changed_models(std::slice::from_ref(&other)), found(false));
        let animation = folder.path().join("models/walk.iqm");
        fs::write(&animation, Iqm::animation().build()).unwrap();
        assert_eq!(watcher.changed_models(&[animation]), [], "it belongs to a model");
        let elsewhere = folder.path().join("stray.md3");
        assert_eq!(watcher.changed_models(&[elsewhere, file.with_extension("txt")]), []);
    }

    #[test]
    fn own_write_is_recognised_until_file_changes_again() {
        let (_folder, _, file) = watched();
        let mut watcher = Watcher::start(|_| ());
        watcher.wrote(WrittenFile::from_path(&file));
        assert_eq!(watcher.is_new(WrittenFile::from_path(&file), 0), Some((file.clone(), true)));
        touch(&file, 10);
        assert_eq!(watcher.is_new(WrittenFile::from_path(&file), 0), Some((file.clone(), false)));
    }

    #[test]
    fn watcher_reports_writes_but_not_reads() {
        let (_folder, _, file) = watched();
        let (_other_folder, _, other) = watched();
        let part = |file: &Path| {
            let mut asset = open_sample(Format::Md3).unwrap();
            (asset.file, asset.game_path) = (Some(file.to_path_buf()), "models/umber.md3".to_owned());
            Assembly::from(asset)
        };
        let mut scene = Scene::from_assembly(part(&other), &Playback::default(), &Scene::default());
        let to = Attachment { to: scene.entities()[0].id, anchor: Anchor::Origin };
        let attached = scene.attach_parts(part(&file).members, &to, &Playback::default()).unwrap();
        let (changed, changes) = channel();
        let mut watcher = Watcher::start(move |noticed| {
            if let WatchEvent::Changed(file, _) = noticed {
                drop(changed.send(file.path));
            }
        });
        let next = || changes.recv_timeout(MAX_WAIT).unwrap();
        // A write during the load is reported as soon as the files are watched.
        watcher.follow(&scene, SystemTime::now() - Duration::from_secs(60), true);
        assert!([&file, &other].contains(&&next()));
        // Events arrive in order, so a reported read would come before the write.
        for seconds in [5, 15, 25] {
            fs::read(&file).unwrap();
            touch(&other, seconds);
            assert_eq!(next(), other, "the first file was only read");
        }
        touch(&file, 5);
        assert_eq!(next(), file);
        // Files of a removed entity are not watched.
        scene.remove(attached);
        watcher.follow_changed_scene(&scene);
        for seconds in [35, 45, 55] {
            touch(&file, seconds);
            touch(&other, seconds);
            assert_eq!(next(), other, "the first file is not in the scene");
        }
    }

    #[test]
    fn file_written_during_load_is_reported() {
        let (folder, mut watcher, file) = watched();
        let mut part = open_sample(Format::Md3).unwrap();
        (part.file, part.game_path) = (Some(file.clone()), "models/umber.md3".to_owned());
        let began = SystemTime::now() - Duration::from_secs(60);
        assert_eq!(watcher.follow(std::slice::from_ref(&part), began, true), Some(file.clone()));
        // A file with a time in the future must not cause endless reloads.
        touch(&file, 3600);
        assert_eq!(watcher.follow(std::slice::from_ref(&part), began, true), None);
        drop(folder);
    }
}
