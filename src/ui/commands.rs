//! What a command is just now: on or off, of use or not, and where in its menu a line stands before it.

use crate::scene::{Actor, Sides, StandardView};
use crate::session::{Action, Command, Group, Panel, Purpose, Session, Switch};

/// Whether a line stands before a command in its menu.
#[must_use]
pub fn begins_group(action: &Action) -> bool {
    matches!(
        action,
        Action::Close
            | Action::NextModel
            | Action::SavePicture
            | Action::Quit
            | Action::NextSkin
            | Action::TogglePanel(Panel::Palette | Panel::Inspector | Panel::Help)
            | Action::LookFrom(StandardView::Front)
            | Action::ToggleProjection
            | Action::Toggle(Switch::Grid | Switch::VertexNormals | Switch::Tags)
            | Action::CycleSides
            | Action::Step(-1)
            | Action::PreviousClip
            | Action::Slower
            | Action::CycleRepeat
    )
}

/// Whether what a command turns on is on.
#[must_use]
pub fn is_on(session: &Session, action: &Action) -> Option<bool> {
    match action {
        Action::Toggle(switch) => Some(session.is_on(*switch)),
        Action::TogglePanel(Panel::Inspector) => Some(session.panels.inspector),
        Action::TogglePanel(Panel::Files) => Some(session.panels.files),
        Action::ToggleAllPanels => Some(session.panels.hidden),
        Action::ToggleTurntable => Some(session.moves.turntable),
        Action::CycleSides => Some(session.display.sides != Sides::Front),
        Action::ToggleInterpolation => Some(session.playback().interpolate),
        _ => None,
    }
}

/// Whether a command does anything now.
#[must_use]
pub fn is_of_use(session: &Session, command: &Command) -> bool {
    let Some(part) = session.part() else {
        let anywhere = matches!(
            command.action,
            Action::Ask(Purpose::Open)
                | Action::Ask(Purpose::OpenFolder)
                | Action::Ask(Purpose::AddRoot)
                | Action::Quit
                | Action::ToggleFullScreen
                | Action::TogglePanel(Panel::Palette | Panel::Settings)
        );
        let restores = command.action == Action::RestoreLast && session.last_session.is_some();
        return anywhere || restores || command.group == Group::Help;
    };
    match &command.action {
        Action::NextModel | Action::PreviousModel => session.siblings.len() > 1,
        Action::Reload => part.file.is_some(),
        Action::RestoreLast => session.last_session.is_some(),
        Action::Undo => session.history.undoable().is_some(),
        Action::Redo => session.history.redoable().is_some(),
        Action::NextSkin => part.skins.len() > 1,
        Action::ToggleChosenSurface | Action::ShowOnlyChosen => {
            matches!(session.selection, crate::session::Selection::Surface(_))
        }
        Action::ShowAllSurfaces => session.actor().is_some_and(|actor| actor.visible.contains(&false)),
        Action::ShowAllActors => session.stage.actors().len() > 1,
        Action::NextClip | Action::PreviousClip => {
            session.track().is_some_and(|track| track.playback.clips(track.model()).len() > 1)
        }
        Action::SetSpeed(_) | Action::ToggleInterpolation | Action::CycleRepeat => {
            session.track().is_some_and(Actor::has_track)
        }
        Action::ToggleEffects => session.has_effects(),
        _ => command.group != Group::Animation || session.track().is_some_and(|track| track.clip().count > 1),
    }
}

/// What a command is called now: undoing says what.
#[must_use]
pub fn label(session: &Session, command: &Command) -> String {
    let what = match command.action {
        Action::Undo => session.history.undoable(),
        Action::Redo => session.history.redoable(),
        _ => None,
    };
    what.map_or_else(|| command.label.to_owned(), |what| format!("{}: {}", command.label, lower(what)))
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
