//! What happened: lines for the status bar and the log, some of them shown over the picture for a while.

use std::path::PathBuf;

use super::{OutputKind, Session};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Counts all notes of the session from 1.
    pub number: u64,
    /// What kind of event.
    pub kind: NotificationKind,
    /// One line.
    pub text: String,
    /// A second line: what it means, or what to do; may be empty.
    pub detail: String,
    /// Buttons; `None` if there are none.
    pub offer: Option<NotificationOffer>,
    /// Whether it is shown over the picture for a while.
    pub is_toast: bool,
}

/// Kinds of [`Notification`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationKind {
    /// It worked.
    Done,
    /// It worked, with something to check.
    Warning,
    /// It did not work.
    Failed,
}

/// Buttons of a [`Notification`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotificationOffer {
    /// Copy this text.
    Copy(String),
    /// Show this file in its folder, or copy its path.
    File(PathBuf),
    /// Save this elsewhere.
    AnotherPlace(OutputKind),
    /// Undo the last step.
    Undo,
}

impl Session {
    /// Notes kept in the log.
    const NOTES_KEPT: usize = 500;

    /// Adds a line to the log. What is odd or did not work is also shown over the picture.
    pub fn note(&mut self, kind: NotificationKind, text: impl Into<String>) {
        self.add_note(kind, text.into(), String::new(), None, kind != NotificationKind::Done);
    }

    /// Adds a line to the log with a second line, and shows both over the picture for a while.
    pub fn notify(&mut self, kind: NotificationKind, text: impl Into<String>, detail: impl Into<String>) {
        self.add_note(kind, text.into(), detail.into(), None, true);
    }

    /// The same with a second line that can be copied: a path, or an address.
    pub fn tell_place(&mut self, kind: NotificationKind, text: impl Into<String>, place: impl Into<String>) {
        let place = place.into();
        self.add_note(kind, text.into(), place.clone(), Some(NotificationOffer::Copy(place)), true);
    }

    /// Adds a line to the log and shows it over the view for a while, with the buttons of `offer`.
    pub fn notify_offering(&mut self, kind: NotificationKind, text: impl Into<String>, offer: NotificationOffer) {
        self.add_note(kind, text.into(), String::new(), Some(offer), true);
    }

    /// Adds a line to the log that is shown elsewhere already.
    pub(super) fn log(&mut self, kind: NotificationKind, text: impl Into<String>) {
        self.add_note(kind, text.into(), String::new(), None, false);
    }

    fn add_note(
        &mut self,
        kind: NotificationKind,
        text: String,
        detail: String,
        offer: Option<NotificationOffer>,
        is_toast: bool,
    ) {
        if self.interface.notes.len() >= Self::NOTES_KEPT {
            self.interface.notes.remove(0);
        }
        // What is told again takes the place of what is still over the picture.
        if is_toast {
            let same = |note: &&mut Notification| note.kind == kind && note.text == text && note.detail == detail;
            self.interface.notes.iter_mut().filter(same).for_each(|note| note.is_toast = false);
        }
        let number = self.interface.notes.last().map_or(0, |last| last.number) + 1;
        self.interface.notes.push(Notification { number, kind, text, detail, offer, is_toast });
    }
}
