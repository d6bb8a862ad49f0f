//! Which keys do what: those of the table of commands, and what the user has put in their place.

use std::collections::BTreeMap;

use super::{COMMANDS, Command};

/// The user's own keys, by the id of the command. What is not in it has the table's.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(from = "BTreeMap<String, String>", into = "BTreeMap<String, String>")]
pub struct Keymap {
    own: BTreeMap<String, String>,
}

impl From<BTreeMap<String, String>> for Keymap {
    /// Version 0.1 kept keys by the command's label.
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
    /// The keys of a command as the table writes them, `Ctrl+Shift+O`; several separated by a blank, empty for none.
    #[must_use]
    pub fn keys_of<'a>(&'a self, command: &'a Command) -> &'a str {
        self.own.get(command.id).map_or(command.keys, String::as_str)
    }

    /// Whether a command has other keys than the table gives it.
    #[must_use]
    pub fn is_own(&self, command: &Command) -> bool {
        self.keys_of(command) != command.keys
    }

    /// Whether any command has other keys than the table gives it.
    #[must_use]
    pub fn has_own(&self) -> bool {
        COMMANDS.iter().any(|command| self.is_own(command))
    }

    /// Gives a command these keys.
    pub fn set(&mut self, command: &Command, keys: &str) {
        if keys == command.keys {
            self.own.remove(command.id);
        } else {
            self.own.insert(command.id.to_owned(), keys.to_owned());
        }
    }

    /// Gives all commands the table's keys.
    pub fn reset(&mut self) {
        self.own.clear();
    }
}
