//! Shortcuts: defaults of the command table, and changes by the user.

use std::collections::BTreeMap;

use super::{COMMANDS, Command};

/// Shortcuts that the user changed, by the id of the command.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Keymap {
    own: BTreeMap<String, String>,
}

impl From<BTreeMap<String, String>> for Keymap {
    /// Converts saved shortcuts. Version 0.1 saved them by the command's label.
    fn from(saved: BTreeMap<String, String>) -> Self {
        let id = |name: String| match COMMANDS.iter().find(|command| command.label == name) {
            Some(command) => command.id.to_owned(),
            None => name,
        };
        Self { own: saved.into_iter().map(|(name, keys)| (id(name), keys)).collect() }
    }
}

impl From<Keymap> for BTreeMap<String, String> {
    fn from(keymap: Keymap) -> Self {
        keymap.own
    }
}

impl Keymap {
    /// Returns the shortcuts of a command in the notation of the table (`Ctrl+Shift+O`), separated by spaces; empty if
    /// there are none.
    pub fn keys_of<'a>(&'a self, command: &'a Command) -> &'a str {
        self.own.get(command.id).map_or(command.keys, String::as_str)
    }

    /// Whether the shortcuts of a command differ from those in the table.
    pub fn is_own(&self, command: &Command) -> bool {
        self.keys_of(command) != command.keys
    }

    /// Whether any command has shortcuts that differ from those in the table.
    pub fn has_own(&self) -> bool {
        COMMANDS.iter().any(|command| self.is_own(command))
    }

    /// Sets the shortcuts of a command, in the notation of the table.
    pub fn set(&mut self, command: &Command, keys: &str) {
        if keys == command.keys {
            self.own.remove(command.id);
        } else {
            self.own.insert(command.id.to_owned(), keys.to_owned());
        }
    }

    /// Resets all shortcuts to those of the table.
    pub fn reset(&mut self) {
        self.own.clear();
    }
}
