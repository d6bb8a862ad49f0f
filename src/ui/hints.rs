//! The first steps: six things that one wants to know at the first start. Seen once, found again in Help.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Rank};
use super::{fonts, icons, paint, sheet, theme};
use crate::session::{Action, Panel};

const STEPS: [(&str, &str, &str); 6] = [
    (
        icons::DOWNLOAD,
        "Drop anything",
        "A model, a folder, a pk3, pk4 or pak; a weapon goes into the hand that is open",
    ),
    (icons::BOX, "Turn it", "Drag turns, the wheel comes nearer, the middle button moves, a double-click centres"),
    (icons::PLAY, "Play it", "Space plays, Left and Right step, Up and Down change the clip; drag on the track"),
    (icons::TAG, "See inside", "A tags, B joints, N normals, X bounds, W wireframe; click a surface to know it"),
    (icons::WARNING, "Grey surfaces", "Choose one: the inspector says what was looked for, where, and what would do"),
    (icons::SEARCH, "Find the rest", "Ctrl K finds every action, model, clip and tag by its name; F1 has all keys"),
];

/// Shows the sheet.
pub fn show(root: &Ui, actions: &mut Vec<Action>) {
    let close = sheet::show_sized(root, "First steps", vec2(560.0, 470.0), |ui| {
        let tokens = theme::tokens(ui);
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = (ui.available_height() - 56.0).max(60.0);
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for (icon, what, how) in STEPS {
                let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 60.0), Sense::hover());
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{what}: {how}")));
                let painter = ui.painter();
                let place = Rect::from_min_size(pos2(rect.left() + 16.0, rect.top()), vec2(20.0, 40.0));
                paint::icon(painter, place, icon, 20.0, tokens.text2);
                let line = |top: f32| {
                    let corner = pos2(rect.left() + 52.0, rect.top() + top);
                    Rect::from_min_max(corner, pos2(rect.right() - 16.0, rect.top() + top + 20.0))
                };
                paint::text_in(painter, line(2.0), what, fonts::medium(), tokens.text);
                let lines = painter.layout(how.to_owned(), fonts::body(), tokens.text2, line(0.0).width());
                painter.galley(paint::snapped(painter, line(21.0).min), lines, tokens.text2);
            }
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.add_space(16.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            let begin = Button::new("Begin").word("Begin").rank(Rank::Main);
            if begin.show(ui).clicked() {
                actions.push(Action::TogglePanel(Panel::Hints));
            }
            let keys = Button::of("All keys", &Action::TogglePanel(Panel::Help)).icon(icons::KEYBOARD).word("All keys");
            if keys.rank(Rank::Raised).show(ui).clicked() {
                actions.push(Action::TogglePanel(Panel::Help));
            }
            let guide = Button::of("User guide", &Action::OpenGuide).icon(icons::LOG).word("User guide");
            if guide.rank(Rank::Raised).show(ui).clicked() {
                actions.push(Action::OpenGuide);
            }
        });
    });
    if close {
        actions.push(Action::TogglePanel(Panel::Hints));
    }
}
