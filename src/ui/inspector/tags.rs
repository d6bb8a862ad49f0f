//! The section Tags: where other models attach; the chosen one tells its place and axes.

use egui::{Rect, Ui, vec2};

use super::{Memory, axes_rows, place_row};
use crate::scene::Entity;
use crate::session::{Action, SceneAction, Selection, Session};
use crate::ui::{fonts, format, icons, list, paint, theme};

/// Shows the section, if the model has tags.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut Memory, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let tags = part.model.tags();
    let chosen_here = matches!(session.document.selection, Selection::Tag(_));
    if tags.is_empty() || !memory.section(ui, "Tags", &format::count(tags.len()), chosen_here || tags.len() <= 8) {
        return;
    }
    let just_chosen = memory.selection != session.document.selection;
    for (index, name) in tags.iter().enumerate() {
        let chosen = session.document.selection == Selection::Tag(index);
        let frame = entity.pose.tags.get(index);
        let mirrored = frame.is_some_and(|frame| frame.matrix3.determinant() < 0.0);
        if tag(ui, index, name, chosen, mirrored) {
            actions.push(Action::Scene(SceneAction::Select(if chosen {
                Selection::None
            } else {
                Selection::Tag(index)
            })));
        }
        let Some(frame) = frame.filter(|_| chosen) else { continue };
        let top = ui.next_widget_position();
        place_row(ui, frame.translation.into());
        axes_rows(ui, frame);
        if mirrored {
            let tokens = theme::tokens(ui);
            let row = ui.next_widget_position();
            let place = Rect::from_min_size(row + vec2(list::INSET, 0.0), vec2(14.0, 20.0));
            paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
            ui.scope(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), egui::Sense::hover());
                let text = "Mirrored axes: attached models turn inside out";
                paint::text_in(
                    ui.painter(),
                    list::inside(rect, list::INSET + 19.0, 8.0),
                    text,
                    fonts::small(),
                    tokens.warn,
                );
            });
        }
        ui.add_space(6.0);
        if just_chosen {
            // The row itself and all that it tells.
            let block = Rect::from_min_max(top - vec2(0.0, list::ROW), ui.next_widget_position());
            ui.scroll_to_rect(block, None);
        }
    }
    list::end_section(ui);
}

fn tag(ui: &mut Ui, index: usize, name: &str, chosen: bool, mirrored: bool) -> bool {
    let tokens = theme::tokens(ui);
    let (rect, response) = list::row(ui, ui.scope_id().with(("tag", index)), name, list::ROW, chosen);
    let inner = list::inside(rect, list::INSET, 12.0);
    let colour = if chosen { tokens.accent } else { tokens.text2 };
    paint::icon(ui.painter(), Rect::from_min_size(inner.min, vec2(14.0, inner.height())), icons::TAG, 14.0, colour);
    let mut room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), inner.max);
    if mirrored {
        let place = Rect::from_min_max(egui::pos2(inner.right() - 14.0, inner.top()), inner.max);
        paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
        room.max.x -= 20.0;
    }
    let font = if chosen { fonts::medium() } else { fonts::body() };
    paint::name_in(ui.painter(), room, name, font, tokens.text);
    let clicked = response.clicked();
    response.on_hover_text(name);
    clicked
}
