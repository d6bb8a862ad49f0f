//! Undo and redo of what is tedious to do again: what hangs where, what is worn, what is shown.
//!
//! What is kept is the stage as it stood, without its poses, which are worked out anew; clocks run on.

use super::{NoteKind, Selection, Session};
use crate::scene::{ActorId, Stage};

/// The stage as it stood before something was done to it.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// What was done then.
    what: &'static str,
    stage: Stage,
    focus: Option<ActorId>,
}

/// What can be undone and what can be done again.
#[derive(Clone, Debug, Default)]
pub struct History {
    past: Vec<Moment>,
    future: Vec<Moment>,
}

/// Steps that can be undone.
const MOST: usize = 100;

impl History {
    /// What would be undone.
    #[must_use]
    pub fn undoable(&self) -> Option<&'static str> {
        self.past.last().map(|moment| moment.what)
    }

    /// What would be done again.
    #[must_use]
    pub fn redoable(&self) -> Option<&'static str> {
        self.future.last().map(|moment| moment.what)
    }
}

impl Session {
    /// The stage as it stands, before `what` is done to it.
    pub(super) fn moment(&self, what: &'static str) -> Moment {
        Moment { what, stage: self.stage.at_rest(), focus: self.focus }
    }

    /// Remembers a moment, if the stage is arranged in another way since; what was undone cannot be done again then.
    pub(super) fn remember_if_changed(&mut self, before: Moment) {
        if before.stage.is_arranged_as(&self.stage) {
            return;
        }
        self.history.past.push(before);
        if self.history.past.len() > MOST {
            self.history.past.remove(0);
        }
        self.history.future.clear();
    }

    /// Files were read again: what is remembered of them is what was read, or old states would pile up.
    pub(super) fn renew_history(&mut self) {
        let stage = &self.stage;
        for moment in self.history.past.iter_mut().chain(&mut self.history.future) {
            moment.stage = std::mem::take(&mut moment.stage).with_clocks_of(stage);
        }
    }

    pub(super) fn undo(&mut self) {
        match self.history.past.pop() {
            Some(moment) => {
                let what = moment.what;
                let now = self.put_back(moment);
                self.history.future.push(now);
                self.log(NoteKind::Done, format!("Undone: {what}"));
            }
            None => self.log(NoteKind::Done, "Nothing to undo"),
        }
    }

    pub(super) fn redo(&mut self) {
        match self.history.future.pop() {
            Some(moment) => {
                let what = moment.what;
                let now = self.put_back(moment);
                self.history.past.push(now);
                self.log(NoteKind::Done, format!("Done again: {what}"));
            }
            None => self.log(NoteKind::Done, "Nothing to do again"),
        }
    }

    /// Puts the stage back as it stood; gives it as it stands now.
    fn put_back(&mut self, moment: Moment) -> Moment {
        let now = self.moment(moment.what);
        self.stage = moment.stage.with_clocks_of(&self.stage);
        if self.focus != moment.focus || self.actor().is_none() {
            self.focus = moment.focus;
            self.selection = Selection::None;
        }
        self.offer = None;
        self.find_issues();
        self.find_floor();
        self.refresh();
        now
    }
}
