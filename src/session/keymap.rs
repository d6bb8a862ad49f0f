//! Which keys do what: those of the table of commands, and what the user has put in their place.

use std::collections::BTreeMap;

use super::{COMMANDS, Command};

/// The user's own keys, by the label of the command. What is not in it has the table's.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Keymap {
    own: BTreeMap<String, String>,
}

impl Keymap {
    /// The keys of a command as the table writes them, `Ctrl+Shift+O`; several separated by a blank, empty for none.
    #[must_use]
    pub fn keys_of<'a>(&'a self, command: &'a Command) -> &'a str {
        self.own.get(command.label).map_or(command.keys, String::as_str)
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
            self.own.remove(command.label);
        } else {
            self.own.insert(command.label.to_owned(), keys.to_owned());
        }
    }

    /// Gives all commands the table's keys.
    pub fn reset(&mut self) {
        self.own.clear();
    }
}
