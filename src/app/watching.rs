//! Tells when a file that is on stage has been saved by another program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use notify_debouncer_mini::notify::{RecommendedWatcher, RecursiveMode};
use notify_debouncer_mini::{DebounceEventResult, Debouncer, new_debouncer};

use crate::material::{IMAGE_EXTENSIONS, SurfaceLook};
use crate::scene::{Part, Stage};
use crate::vfs::is_archive_name;

/// Programs write in several steps; one who has been quiet for so long has finished.
const QUIET: Duration = Duration::from_millis(300);
/// Folders watched at most.
const MOST_FOLDERS: usize = 64;
/// Files beside a model that change how it looks or moves, whether or not they were there when it was read.
const COMPANIONS: [&str; 6] = ["skin", "cfg", "shader", "mtr", "md5anim", "def"];

/// Watches the folders of what is on stage.
pub struct Watcher {
    debouncer: Option<Debouncer<RecommendedWatcher>>,
    folders: BTreeSet<PathBuf>,
    /// Files that were read, and when they were last written.
    files: BTreeMap<PathBuf, Option<SystemTime>>,
    /// What is written later in these folders is new.
    since: SystemTime,
}

impl Watcher {
    /// A watcher of nothing yet; `changed` is called on another thread.
    pub fn start(changed: impl Fn(Vec<PathBuf>) + Send + 'static) -> Self {
        let tell = move |events: DebounceEventResult| match events {
            Ok(events) => changed(events.into_iter().map(|event| event.path).collect()),
            Err(error) => log::debug!("watching: {error}"),
        };
        let debouncer = new_debouncer(QUIET, tell);
        let debouncer = debouncer.map_err(|error| log::warn!("files are not watched: {error}")).ok();
        Self { debouncer, folders: BTreeSet::new(), files: BTreeMap::new(), since: SystemTime::now() }
    }

    /// Watches what is on `stage`, and nothing else.
    pub fn follow(&mut self, stage: &Stage) {
        let files = stage.actors().iter().flat_map(|actor| files_of(&actor.part));
        self.files = files.map(|file| (file.clone(), written_at(&file))).collect();
        self.since = SystemTime::now();
        let parents = self.files.keys().filter_map(|file| file.parent());
        let wanted: BTreeSet<PathBuf> = parents.map(Path::to_path_buf).collect();
        let wanted: BTreeSet<PathBuf> =
            wanted.into_iter().filter(|folder| folder.is_dir()).take(MOST_FOLDERS).collect();
        let Some(debouncer) = &mut self.debouncer else { return };
        for folder in self.folders.difference(&wanted) {
            // A folder that has gone is not watched any more either.
            drop(debouncer.watcher().unwatch(folder));
        }
        for folder in wanted.difference(&self.folders) {
            if let Err(error) = debouncer.watcher().watch(folder, RecursiveMode::NonRecursive) {
                log::info!("{} is not watched: {error}", folder.display());
            }
        }
        self.folders = wanted;
    }

    /// The first of these files that matters to what is on stage and was written since it was read: that a file is read
    /// is told here, too.
    pub fn first_that_matters<'p>(&mut self, told: &'p [PathBuf]) -> Option<&'p Path> {
        let is_companion = |path: &Path| {
            let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
            let is_beside = path.parent().is_some_and(|folder| self.folders.contains(folder));
            extension.is_some_and(|extension| {
                is_beside && (COMPANIONS.contains(&&*extension) || IMAGE_EXTENSIONS.contains(&&*extension))
            })
        };
        let has_changed = |path: &Path| match self.files.get(path) {
            Some(known) => written_at(path) != *known,
            None => is_companion(path) && written_at(path).is_some_and(|time| time > self.since),
        };
        let first = told.iter().map(PathBuf::as_path).find(|path| has_changed(path));
        // Told once.
        for path in told {
            if let Some(known) = self.files.get_mut(path) {
                *known = written_at(path);
            }
        }
        self.since = SystemTime::now();
        first
    }
}

/// When a file was last written; none if it is not there.
fn written_at(path: &Path) -> Option<SystemTime> {
    std::fs::metadata(path).and_then(|metadata| metadata.modified()).ok()
}

/// The files on disk that a part was made of. Of one in an archive that is the archive.
fn files_of(part: &Part) -> BTreeSet<PathBuf> {
    let mut files: BTreeSet<PathBuf> = part.added.iter().map(|file| on_disk(file)).collect();
    let Some(file) = &part.file else { return files };
    files.insert(on_disk(file));
    let Some(root) = root_of(file, &part.game_path) else { return files };
    let own = |look: &SurfaceLook| {
        let maps = look.material.stages.iter().flat_map(|stage| &stage.maps).map(|map| map.path.clone());
        let script = look.script.as_ref().map(|(script, _)| script.clone());
        maps.chain(script).chain([look.path.clone()]).collect::<Vec<String>>()
    };
    let looks = part.skins.iter().flat_map(|skin| skin.looks.iter());
    // A skin's twin in another skin is the same file.
    let paths: BTreeMap<String, ()> =
        looks.flat_map(own).filter(|path| !path.is_empty()).map(|path| (path, ())).collect();
    files.extend(paths.into_keys().map(|path| root.join(path)).filter(|path| path.is_file()));
    files
}

/// The folder that paths in the game are relative to; none for what lies in an archive.
fn root_of(file: &Path, game_path: &str) -> Option<PathBuf> {
    let depth = game_path.split('/').filter(|part| !part.is_empty()).count();
    let root = file.ancestors().nth(depth)?;
    root.is_dir().then(|| root.to_path_buf())
}

/// The archive that a path leads into, else the path itself.
fn on_disk(path: &Path) -> PathBuf {
    let is_archive = |place: &&Path| {
        place.file_name().is_some_and(|name| is_archive_name(&name.to_string_lossy())) && place.is_file()
    };
    path.ancestors().find(is_archive).unwrap_or(path).to_path_buf()
}
