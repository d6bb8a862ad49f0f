//! Selection mode buttons at the top left of the view.

use egui::{Align, Layout, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, vec2};

use crate::ui::header::WORDS_FROM;
use crate::ui::{Button, icons, paint, theme};
use maquette_scene::scene::{Choices as _, SelectionLevel};
use maquette_scene::session::{Action, SceneAction, Session};

const SIDE: f32 = 26.0;
const MARGIN: f32 = 10.0;
/// Minimum size of a view with mode buttons. In smaller views, the modes are only in menus.
const NEEDED_SIZE: egui::Vec2 = vec2(240.0, 80.0);

/// Returns the rectangle of the buttons, which other overlays avoid; empty in a small view.
pub fn place(ui: &Ui, viewport: Rect) -> Rect {
    let is_small = viewport.width() < NEEDED_SIZE.x || viewport.height() < NEEDED_SIZE.y;
    let width: f32 = SelectionLevel::all().map(|level| button("", level, viewport).width(ui)).sum();
    let size = if is_small { egui::Vec2::ZERO } else { vec2(width, SIDE) };
    Rect::from_min_size(viewport.min + egui::Vec2::splat(MARGIN), size)
}

/// Creates the button of a mode. It has a word if the view's header has words.
fn button(name: &str, level: SelectionLevel, viewport: Rect) -> Button<'_> {
    let button = Button::new(name).icon(icons::of_level(level)).height(SIDE);
    if viewport.width() < WORDS_FROM { button } else { button.word(level.label()).tight() }
}

pub fn show(ui: &mut Ui, session: &Session, viewport: Rect, actions: &mut Vec<Action>) {
    let rect = place(ui, viewport);
    if rect.width() <= 0.0 {
        return;
    }
    let tokens = theme::tokens(ui);
    let group = ui.interact(rect, ui.scope_id().with("selection modes"), Sense::hover());
    group.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Selection mode"));
    paint::fill(&ui.painter_at(viewport), rect, theme::CORNER, tokens.plate);
    ui.scope_builder(UiBuilder::new().max_rect(rect).layout(Layout::left_to_right(Align::Min)), |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for level in SelectionLevel::all() {
            let name = format!("Select {}", level.label().to_lowercase());
            let button = button(&name, level, viewport).on(session.view.selection_level == level);
            let note = "S: next mode. Ctrl+click measures from the selection";
            let button = if level == SelectionLevel::Surface { button } else { button.note(note) };
            button.push(ui, Action::Scene(SceneAction::SetSelectionLevel(level)), actions);
        }
    });
}
