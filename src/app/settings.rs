//! Settings file: `settings.json` in the system's folder for settings, or in the folder named by the environment
//! variable `MAQUETTE_CONFIG`. `last-session.json` is in the same folder.
//!
//! Files are written atomically. A file that cannot be read is reported and renamed. An invalid value is reported and
//! replaced by its default. Unknown values stay in the file.

#![forbid(unsafe_code)]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use etcetera::BaseStrategy as _;
use serde_json::{Map, Value};

use super::MAX_INPUT_BYTES;
use crate::output::atomic_file::{clear_leftovers, write_durably};
use maquette_core::error::system_reason;
use maquette_scene::session::{LastSession, Preferences};

/// The settings and their file.
#[derive(Debug)]
pub struct Settings {
    /// `None` if settings are not saved.
    path: Option<PathBuf>,
    preferences: Preferences,
    last: Option<LastSession>,
    /// Unknown values, for example of a newer version.
    unknown: Map<String, Value>,
    writer: Option<Writer>,
}

#[derive(Debug)]
struct Writer {
    jobs: Option<Sender<(PathBuf, Change)>>,
    thread: Option<JoinHandle<()>>,
    save_error: Arc<Mutex<Option<(String, PathBuf)>>>,
}

impl Settings {
    /// Reads the user's settings. Returns the settings and the problems with the files.
    #[must_use]
    pub fn of_user() -> (Self, Vec<String>) {
        let folder = match std::env::var_os("MAQUETTE_CONFIG").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(PathBuf::from(folder)),
            None => etcetera::base_strategy::choose_native_strategy()
                .map_err(|error| log::debug!("could not find the settings folder: {error}"))
                .ok()
                .map(|folders| folders.config_dir().join("maquette")),
        };
        match folder {
            Some(folder) => Self::in_file(&folder.join("settings.json")),
            None => (Self::usual(None), Vec::new()),
        }
    }

    fn usual(path: Option<PathBuf>) -> Self {
        Self { path, preferences: Preferences::default(), last: None, unknown: Map::new(), writer: None }
    }

    /// Reads the settings in the file at `path`. Returns the settings and the problems with the file.
    #[must_use]
    pub fn in_file(path: &Path) -> (Self, Vec<String>) {
        let mut settings = Self::usual(Some(path.to_path_buf()));
        let mut problems = Vec::new();
        clear_leftovers(path);
        clear_leftovers(&last_path(path));
        match read(path) {
            Ok(Some(object)) => settings.apply(object, &mut problems),
            Ok(None) => {}
            Err(why) => {
                // Keep the file, because the user may want to repair it.
                let aside = path.with_extension("json.broken");
                let outcome = match fs::rename(path, &aside) {
                    Ok(()) => format!("the file was renamed to {}", aside.display()),
                    Err(_) => format!("the file stays at {}", path.display()),
                };
                problems.push(format!("settings.json could not be read: {why}; {outcome}"));
            }
        }
        match read(&last_path(path)) {
            Ok(object) => settings.last = object.and_then(|object| serde_json::from_value(Value::Object(object)).ok()),
            Err(why) => problems.push(format!("last-session.json could not be read: {why}")),
        }
        (settings, problems)
    }

    fn apply(&mut self, object: Map<String, Value>, problems: &mut Vec<String>) {
        let Ok(Value::Object(mut whole)) = serde_json::to_value(&self.preferences) else { return };
        for (name, value) in object {
            let Some(usual) = whole.get(&name).cloned() else {
                self.unknown.insert(name, value);
                continue;
            };
            whole.insert(name.clone(), value);
            if let Err(error) = serde_json::from_value::<Preferences>(Value::Object(whole.clone())) {
                problems.push(format!("settings.json: invalid “{name}” replaced by the default: {error}"));
                whole.insert(name, usual);
            }
        }
        if let Ok(preferences) = serde_json::from_value::<Preferences>(Value::Object(whole)) {
            self.preferences = preferences.within_limits();
        }
    }

    /// Returns the settings that were read, or set last.
    pub fn preferences(&self) -> &Preferences {
        &self.preferences
    }

    /// Returns the state of the last session.
    pub fn last(&self) -> Option<&LastSession> {
        self.last.as_ref()
    }

    /// Sets the preferences and writes them in the background. If an earlier write failed, returns the reason and the
    /// file.
    pub fn keep(&mut self, preferences: &Preferences) -> Option<(String, PathBuf)> {
        if self.preferences != *preferences {
            let before = std::mem::replace(&mut self.preferences, preferences.clone());
            let objects = (serde_json::to_value(before), serde_json::to_value(preferences));
            if let (Some(path), (Ok(Value::Object(before)), Ok(Value::Object(mut whole)))) = (&self.path, objects) {
                let is_changed = |(name, value): &(&String, &Value)| before.get(*name) != Some(value);
                let owned = |(name, value): (&String, &Value)| (name.clone(), value.clone());
                let changed = whole.iter().filter(is_changed).map(owned).collect();
                whole.extend(self.unknown.clone());
                let path = path.clone();
                self.write(path, Change { changed, whole });
            }
        }
        let writer = self.writer.as_ref()?;
        writer.save_error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Saves the state of the session.
    pub fn keep_last(&mut self, last: &LastSession) {
        if self.last.as_ref() != Some(last) {
            self.last = Some(last.clone());
            if let (Some(path), Ok(Value::Object(whole))) = (&self.path, serde_json::to_value(last)) {
                self.write(last_path(path), Change { changed: whole.clone(), whole });
            }
        }
    }

    fn write(&mut self, path: PathBuf, change: Change) {
        let writer = self.writer.get_or_insert_with(Writer::start);
        if let Some(jobs) = &writer.jobs {
            drop(jobs.send((path, change)));
        }
    }
}

/// Change of a settings file. Only changed values are written, because another window may have changed the others.
#[derive(Debug)]
struct Change {
    changed: Map<String, Value>,
    /// All values. They are written where the file lacks them.
    whole: Map<String, Value>,
}

impl Change {
    fn and(mut self, next: Self) -> Self {
        self.changed.extend(next.changed);
        Self { whole: next.whole, ..self }
    }

    fn write(self, path: &Path) -> std::io::Result<()> {
        let mut object = self.whole;
        // Replace a file that cannot be read.
        object.extend(read(path).ok().flatten().unwrap_or_default());
        object.extend(self.changed);
        let text = serde_json::to_string_pretty(&object).unwrap_or_default() + "\n";
        write_durably(path, text.as_bytes())
    }
}

impl Writer {
    fn start() -> Self {
        let (jobs, waiting) = channel::<(PathBuf, Change)>();
        let save_error = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&save_error);
        let work = move || {
            while let Ok(first) = waiting.recv() {
                // Merge several changes of a file into one write.
                let mut files: BTreeMap<PathBuf, Change> = BTreeMap::new();
                for (path, change) in std::iter::once(first).chain(waiting.try_iter()) {
                    let change = match files.remove(&path) {
                        Some(before) => before.and(change),
                        None => change,
                    };
                    files.insert(path, change);
                }
                for (path, change) in files {
                    if let Err(error) = change.write(&path) {
                        let name = path.file_name().unwrap_or_default().to_string_lossy();
                        let save_error = (format!("{name} not saved: {}", system_reason(&error)), path);
                        *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(save_error);
                    }
                }
            }
        };
        let thread = std::thread::Builder::new().name("settings".to_owned()).spawn(work);
        let thread = thread.map_err(|error| log::error!("could not start the settings thread: {error}")).ok();
        Self { jobs: Some(jobs), thread, save_error }
    }
}

impl Drop for Writer {
    /// Waits until all changes are written.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn last_path(settings: &Path) -> PathBuf {
    settings.with_file_name("last-session.json")
}

fn read(path: &Path) -> Result<Option<Map<String, Value>>, String> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err("not a regular file".to_owned()),
        Ok(metadata) if metadata.len() > MAX_INPUT_BYTES as u64 => return Err("the file is too large".to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map(Some).map_err(|error| error.to_string())
}
