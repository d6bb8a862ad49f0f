//! A sheet over the window: a card in its middle, closed by its cross, by Escape or by a click beside it.

use egui::{Align2, Area, Frame, Id, Margin, Order, Rect, Role, Sense, Ui, pos2, vec2};

use super::button::Button;
use super::{access, fonts, icons, paint, theme};

/// Shows a sheet with a heading. Gives whether it is to be closed.
pub fn show(root: &Ui, name: &str, widest: f32, content: impl FnOnce(&mut Ui)) -> bool {
    show_sized(root, name, vec2(widest, 600.0), content)
}

/// Shows a sheet of a size, smaller where the window is.
pub fn show_sized(root: &Ui, name: &str, size: egui::Vec2, content: impl FnOnce(&mut Ui)) -> bool {
    let screen = root.ctx().content_rect();
    let size = size.min(screen.size() - vec2(32.0, 32.0)).max(egui::Vec2::ZERO);
    let mut close = draw_backdrop(root, name);
    let place = Align2::CENTER_CENTER.align_size_within_rect(size, screen);
    Area::new(Id::unique(("sheet", name)))
        .order(Order::Foreground)
        .role(Role::Dialog)
        .accessible_name(name)
        .fixed_pos(place.min.round())
        .show(root.ctx(), |ui| {
            access::modal(ui, place);
            // Tab stays within the sheet.
            ui.ctx().memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
            let tokens = theme::tokens(ui);
            let frame = Frame::new()
                .fill(tokens.panel)
                .stroke((1.0, tokens.line))
                .corner_radius(theme::CARD_CORNER)
                .shadow(ui.visuals().popup_shadow)
                .inner_margin(Margin::same(0));
            frame.show(ui, |ui| {
                ui.set_min_size(size);
                ui.set_max_size(size);
                let card = Rect::from_min_size(ui.max_rect().min, size);
                let heading =
                    Rect::from_min_max(card.min + vec2(16.0, 8.0), pos2(card.right() - 52.0, card.top() + 40.0));
                paint::text_in(ui.painter(), heading, name, fonts::heading(), tokens.text);
                let cross = Rect::from_min_size(pos2(card.right() - 40.0, card.top() + 10.0), vec2(28.0, 28.0));
                close |= Button::new("Close").icon(icons::CLOSE).note("Escape").show_at(ui, cross, "close").clicked();
                let inner = Rect::from_min_max(card.min + vec2(0.0, 44.0), card.max - vec2(0.0, 4.0));
                ui.scope_builder(egui::UiBuilder::new().max_rect(inner), content);
            });
        });
    close
}

/// Dims the window under a sheet. Gives whether it was clicked, beside the sheet.
pub fn draw_backdrop(root: &Ui, name: &str) -> bool {
    let screen = root.ctx().content_rect();
    let area = Area::new(Id::unique(("veil", name))).order(Order::Middle).fixed_pos(screen.min);
    area.show(root.ctx(), |ui| {
        let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::CLICK);
        ui.painter().rect_filled(rect, 0.0, theme::tokens(ui).bar.gamma_multiply(0.5));
        response.clicked()
    })
    .inner
}
