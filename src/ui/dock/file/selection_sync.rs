//! Synchronises the model's selection with the selected field of the file.

use super::State;
use maquette_assets::structure::Outline;
use maquette_assets::structure::link;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, ClockAction, FileStructure, SceneAction, Selection, Session};

/// Returns the focused part if the file is its own and loads without an error.
fn part<'s>(session: &'s Session, file: &FileStructure) -> Option<&'s Entity> {
    let entity = session.entity()?;
    let own = entity.asset.file.as_deref();
    let is_own = own.map_or(file.path.to_str() == Some(&entity.asset.name), |own| own == file.path);
    (is_own && file.structure.error.is_none()).then_some(entity)
}

/// Selects the field of a newly selected element.
pub fn selection(session: &Session, file: &FileStructure, state: &mut State) {
    let Some(entity) = part(session, file) else { return };
    let now = session.document.selection;
    if state.seen.is_some_and(|(seen, _)| seen == now) {
        return;
    }
    let frame = entity.nearest_frame();
    state.seen = Some((now, frame));
    if now == Selection::None {
        return;
    }
    let parts = link::parts(entity.model(), now, frame);
    let path = parts.and_then(|parts| Outline::at_parts(&file.structure, &file.bytes, &parts));
    if let Some(path) = path {
        state.go_to(file, path);
    }
}

/// Selects the element that the selected field describes.
pub fn field(session: &Session, file: &FileStructure, state: &mut State, actions: &mut Vec<Action>) {
    let (Some(entity), Some(path)) = (part(session, file), state.selected.as_ref()) else { return };
    let parts = state.outline.parts(path);
    let Some(found) = link::target(entity.model(), &parts) else { return };
    if let Some(frame) = found.frame.filter(|frame| *frame != entity.nearest_frame()) {
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id.into(), frame as f64)));
    }
    let selection = found.target;
    if selection == Selection::None {
        return;
    }
    // Mark the selection as known, so that it does not move the field.
    state.seen = Some((selection, found.frame.unwrap_or(0)));
    actions.push(Action::Scene(SceneAction::SelectIn(entity.id, selection)));
}
