//! Whether the game takes this very file, and a switch between what it wears there and with its own archive first.

use egui::{Rect, Role, Ui, vec2};

use super::State;
use crate::ui::{list, segmented_control, theme};
use maquette_assets::vfs::SearchOrder;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, FileAction, Session};

/// Shows a section of its own for a model that the game takes from elsewhere.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    if entity.asset.replaced_by.is_some() && memory.section(ui, "In the game", "", true) {
        rows(ui, session, entity, actions);
        list::end_section(ui);
    }
}

/// What takes the file's place, and the switch; nothing for a model of which there is but one view.
pub fn rows(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    if let Some(by) = &entity.asset.replaced_by {
        list::note(ui, &format!("The game takes the file of {by}"), theme::tokens(ui).warn);
    }
    if entity.asset.order_matters {
        switch(ui, session, actions);
    }
}

/// In this archive, or in the game.
fn switch(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), segmented_control::HEIGHT + 6.0));
    let field = list::inside(rect, list::INSET, 12.0);
    let field = Rect::from_center_size(field.center(), vec2(field.width(), segmented_control::HEIGHT));
    let orders = SearchOrder::ALL.map(|order| (order, order.label()));
    let chosen = segmented_control::show(ui, field, "Materials", Role::RadioButton, &orders, session.search_order);
    actions.extend(chosen.map(|order| Action::File(FileAction::SearchIn(order))));
}
