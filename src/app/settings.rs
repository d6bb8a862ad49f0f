//! What is remembered from one start to the next: a small JSON file in the system's place for settings, or in the folder
//! that the environment variable `MAQUETTE_CONFIG` names.
//!
//! A file that cannot be read costs a note in the log and nothing else; what is unknown in it is left out.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy as _;

use super::whole_file::write_whole;
use crate::model::Format;
use crate::scene::Look;

/// Longest file read, in bytes; ours has a few hundred.
const LONGEST: u64 = 1 << 20;

/// What the file holds.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
struct Stored {
    /// In whose light each game's models are looked at: `studio`, `game`, `plain`.
    looks: BTreeMap<String, String>,
}

/// The settings, and where they are kept.
#[derive(Debug)]
pub struct Settings {
    path: Option<PathBuf>,
    looks: BTreeMap<&'static str, Look>,
}

impl Settings {
    /// The user's; and what was wrong with the file, if anything was.
    #[must_use]
    pub fn of_user() -> (Self, Option<String>) {
        let folder = match std::env::var_os("MAQUETTE_CONFIG").filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(PathBuf::from(folder)),
            None => etcetera::base_strategy::choose_native_strategy()
                .map_err(|error| log::debug!("settings are not kept: {error}"))
                .ok()
                .map(|places| places.config_dir().join("maquette")),
        };
        match folder {
            Some(folder) => Self::in_file(&folder.join("settings.json")),
            None => (Self::of(None, &Stored::default()), None),
        }
    }

    /// Those in the file at `path`; and what was wrong with it, if anything was.
    #[must_use]
    pub fn in_file(path: &Path) -> (Self, Option<String>) {
        let (stored, trouble) = match read(path) {
            Ok(stored) => (stored, None),
            Err(why) => (Stored::default(), Some(format!("settings.json was not read: {why} ({})", path.display()))),
        };
        (Self::of(Some(path.to_path_buf()), &stored), trouble)
    }

    fn of(path: Option<PathBuf>, stored: &Stored) -> Self {
        let look = |format: Format| {
            let word = stored.looks.get(format.game())?;
            Some((format.game(), Look::ALL.into_iter().find(|look| look.label().eq_ignore_ascii_case(word))?))
        };
        let formats = [Format::Md2, Format::Md3, Format::Mdc, Format::Mdr, Format::Md5];
        Self { path, looks: formats.into_iter().filter_map(look).collect() }
    }

    /// In whose light each game's models were last looked at.
    #[must_use]
    pub fn looks(&self) -> &BTreeMap<&'static str, Look> {
        &self.looks
    }

    /// Keeps `looks`; writes the file if they are others than it has. Gives why it could not be written.
    pub fn keep_looks(&mut self, looks: &BTreeMap<&'static str, Look>) -> Option<String> {
        // Asked every frame.
        if self.looks == *looks {
            return None;
        }
        let words = looks.iter().map(|(game, look)| ((*game).to_owned(), look.label().to_lowercase()));
        let stored = Stored { looks: words.collect() };
        self.looks.clone_from(looks);
        let path = self.path.as_ref()?;
        let text = serde_json::to_string_pretty(&stored).unwrap_or_default() + "\n";
        let failed = |error| format!("settings.json was not written: {error} ({})", path.display());
        write_whole(path, text.as_bytes()).map_err(failed).err()
    }
}

fn read(path: &Path) -> Result<Stored, String> {
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err("it is no file".to_owned()),
        Ok(metadata) if metadata.len() > LONGEST => return Err("it is too long".to_owned()),
        Ok(_) => {}
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Stored::default()),
        Err(error) => return Err(error.to_string()),
    }
    let bytes = fs::read(path).map_err(|error| error.to_string())?;
    serde_json::from_slice(&bytes).map_err(|error| error.to_string())
}
