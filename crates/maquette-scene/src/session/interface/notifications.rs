//! Notifications: lines for the status bar and the log, some of them shown over the view for a while.

use std::path::PathBuf;
use std::time::Instant;

use crate::session::{OutputKind, Session};

/// An event that the user is notified about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notification {
    /// Number of the notification in the session, from 1.
    pub number: u64,
    /// Outcome of the event.
    pub kind: NotificationKind,
    /// First line.
    pub text: String,
    /// Second line: consequence or advice; may be empty.
    pub detail: String,
    /// Buttons; `None` if there are none.
    pub offer: Option<NotificationOffer>,
    /// Whether the notification is shown over the view for a while.
    pub is_toast: bool,
    /// Time of the event.
    pub time: Instant,
    /// Whether the notification is about the open model, so that its display ends with the model or the undo step.
    is_of_model: bool,
}

/// Kinds of [`Notification`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotificationKind {
    /// Success.
    Done,
    /// Success, but something needs a check.
    Warning,
    /// Failure.
    Failed,
}

/// Buttons of a [`Notification`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotificationOffer {
    /// Copy this text.
    Copy(String),
    /// Show this file in its folder, or copy its path.
    File(PathBuf),
    /// Save this output at another path.
    SaveElsewhere(OutputKind),
    /// Undo the last step.
    Undo,
}

impl Session {
    /// Maximum number of stored notifications. Beyond the limit, the oldest are dropped.
    const MAX_NOTIFICATIONS: usize = 500;

    /// Adds a line to the log. Warnings and failures are also shown over the view.
    pub fn note(&mut self, kind: NotificationKind, text: impl Into<String>) {
        self.add_note(kind, text.into(), String::new(), None, kind != NotificationKind::Done);
    }

    /// Adds two lines to the log and shows them over the view for a while.
    pub fn notify(&mut self, kind: NotificationKind, text: impl Into<String>, detail: impl Into<String>) {
        self.add_note(kind, text.into(), detail.into(), None, true);
    }

    /// Like [`Self::notify`], for an event that loses its meaning when the model is closed or the step is undone.
    pub fn notify_of_model(&mut self, kind: NotificationKind, text: impl Into<String>, detail: impl Into<String>) {
        self.notify(kind, text, detail);
        self.interface.notes.last_mut().into_iter().for_each(|note| note.is_of_model = true);
    }

    /// Like [`Self::notify`], with a button that copies the second line: a path or an address.
    pub fn notify_path(&mut self, kind: NotificationKind, text: impl Into<String>, path: impl Into<String>) {
        let path = path.into();
        self.add_note(kind, text.into(), path.clone(), Some(NotificationOffer::Copy(path)), true);
    }

    /// Adds a line to the log and shows it over the view for a while, with the buttons of `offer`.
    pub fn notify_offering(&mut self, kind: NotificationKind, text: impl Into<String>, offer: NotificationOffer) {
        self.add_note(kind, text.into(), String::new(), Some(offer), true);
    }

    /// Adds a line to the log only, because the event is already visible elsewhere.
    pub(crate) fn log(&mut self, kind: NotificationKind, text: impl Into<String>) {
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
        if self.interface.notes.len() >= Self::MAX_NOTIFICATIONS {
            self.interface.notes.remove(0);
        }
        // A repeated notification replaces the one over the view.
        if is_toast {
            let same = |note: &&mut Notification| note.kind == kind && note.text == text && note.detail == detail;
            self.interface.notes.iter_mut().filter(same).for_each(|note| note.is_toast = false);
        }
        let number = self.interface.notes.last().map_or(0, |last| last.number) + 1;
        self.document.last_note = number;
        let is_of_model = offer == Some(NotificationOffer::Undo);
        let time = Instant::now();
        self.interface.notes.push(Notification { number, kind, text, detail, offer, is_toast, time, is_of_model });
    }

    /// Ends the display over the view of notifications about the model with a number above this one.
    pub(crate) fn hide_toasts_after(&mut self, number: u64) {
        for note in self.interface.notes.iter_mut().filter(|note| note.is_of_model && note.number > number) {
            note.is_toast = false;
        }
    }
}
