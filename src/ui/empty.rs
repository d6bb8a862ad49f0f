//! The window before the first model: one place to drop on, one main button, a sample, the keys.

use egui::{Align2, Rect, Sense, Shape, Stroke, Ui, pos2, vec2};

use super::button::{Button, Rank};
use super::{ViewportFeedback, error, fonts, icons, paint, theme, top_bar, viewport};
use crate::session::{Action, Panel, Session};

/// Shows it; the picture has no place.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) -> ViewportFeedback {
    error::show(ui, session, actions);
    let tokens = theme::tokens(ui);
    let area = ui.available_rect_before_wrap();
    let _ = ui.allocate_rect(area, Sense::hover());
    viewport::studio(ui.painter(), area, tokens);

    let size = vec2(560.0_f32.min(area.width() - 32.0), 230.0_f32.min(area.height() - 56.0));
    let top = (area.height() * 0.13).min((area.height() - size.y - 48.0) / 2.0).max(8.0);
    let card = Rect::from_min_size(pos2(area.center().x - size.x / 2.0, area.top() + top), size).round();
    dashed(ui, card);
    let compact = size.y < 210.0;
    let at = |y: f32| pos2(card.center().x, card.top() + if compact { y - 24.0 } else { y });
    if !compact {
        let place = Rect::from_center_size(at(56.0), vec2(40.0, 40.0));
        paint::icon(ui.painter(), place, icons::BOX, 40.0, tokens.accent);
    }
    let painter = ui.painter();
    let loading = session.loading.as_ref().map(|name| format!("Opening {name}…"));
    let title = loading.unwrap_or_else(|| "Drop a model here".to_owned());
    let title = paint::shortened(painter, &title, &fonts::title(), card.width() - 32.0);
    paint::text(painter, at(108.0), Align2::CENTER_CENTER, &title, fonts::title(), tokens.text);
    let what = "MD2, MD3, MDC, MDR, MD5, or a folder or archive full of them";
    paint::text(painter, at(136.0), Align2::CENTER_CENTER, what, fonts::body(), tokens.text2);

    let open =
        Button::of("Open a file", &Action::PickFiles).icon(icons::FOLDER_OPEN).word("Open file…").rank(Rank::Main);
    let folder =
        Button::of("Open a folder", &Action::PickFolder).icon(icons::PACKAGE).word("Open folder…").rank(Rank::Raised);
    let (open, folder) = (open.height(32.0), folder.height(32.0));
    let (first, second) = (open.width(ui), folder.width(ui));
    let left = at(0.0).x - (first + 8.0 + second) / 2.0;
    let rect = |x: f32, width: f32| Rect::from_min_size(pos2(x.round(), at(165.0).y.round()), vec2(width, 32.0));
    if open.show_at(ui, rect(left, first), "open").clicked() {
        actions.push(Action::PickFiles);
    }
    if folder.show_at(ui, rect(left + first + 8.0, second), "folder").clicked() {
        actions.push(Action::PickFolder);
    }
    let below = Rect::from_min_size(pos2(card.left(), card.bottom() + 12.0), vec2(card.width(), 32.0));
    links(ui, below, actions);
    viewport::feedback(ui, Rect::from_min_size(area.min, egui::Vec2::ZERO))
}

fn links(ui: &mut Ui, room: Rect, actions: &mut Vec<Action>) {
    let keys = Button::of("Keys and mouse", &Action::TogglePanel(Panel::Help))
        .icon(icons::KEYBOARD)
        .word("Keys and mouse")
        .quiet();
    let sample_width = paint::width_of(ui, "Open a sample", fonts::body()) + 16.0 + 22.0 + 20.0;
    let width = sample_width + 12.0 + keys.width(ui);
    let place = Rect::from_center_size(room.center(), vec2(width, 28.0)).round();
    let builder = egui::UiBuilder::new().max_rect(place).layout(egui::Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        top_bar::samples_menu(ui, actions);
        if keys.show(ui).clicked() {
            actions.push(Action::TogglePanel(Panel::Help));
        }
    });
}

/// A dashed line round a card.
fn dashed(ui: &Ui, card: Rect) {
    let tokens = theme::tokens(ui);
    let rect = card.shrink(0.5);
    let corner = 10.0;
    let mut points = Vec::new();
    for (centre, from) in [
        (pos2(rect.right() - corner, rect.top() + corner), -90.0_f32),
        (pos2(rect.right() - corner, rect.bottom() - corner), 0.0),
        (pos2(rect.left() + corner, rect.bottom() - corner), 90.0),
        (pos2(rect.left() + corner, rect.top() + corner), 180.0),
    ] {
        for step in 0..=6_u8 {
            let angle = (from + f32::from(step) * 15.0).to_radians();
            points.push(centre + vec2(angle.cos(), angle.sin()) * corner);
        }
    }
    points.extend(points.first().copied());
    ui.painter().extend(Shape::dashed_line(&points, Stroke::new(1.0, tokens.text3), 4.0, 3.0));
}
