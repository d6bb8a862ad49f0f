//! The section Effects: the clock of materials that move.

use egui::{Rect, Slider, Ui, WidgetInfo, pos2, vec2};

use super::Memory;
use crate::session::{Action, Session};
use crate::ui::button::Button;
use crate::ui::{field, icons, list, theme, words};

/// The rail holds so many seconds; most scripts repeat far sooner. The field takes any.
const SHOWN: f64 = 20.0;

/// Shows the section, if any material moves as it is shown now.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut Memory, actions: &mut Vec<Action>) {
    if !session.has_effects() {
        return;
    }
    if !memory.section(ui, "Effects", "", true) {
        return;
    }
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 36.0));
    let inner = list::inside(row, list::INSET, 12.0);
    let (name, icon) =
        if session.effects.playing { ("Pause the effects", icons::PAUSE) } else { ("Run the effects", icons::PLAY) };
    let place = Rect::from_min_size(pos2(inner.left() - 6.0, row.top() + 4.0), vec2(28.0, 28.0));
    let button = Button::of(name, &Action::ToggleEffects).icon(icon).note("Apart from the animation");
    if button.show_at(ui, place, "effects").clicked() {
        actions.push(Action::ToggleEffects);
    }
    let start = Rect::from_min_size(place.right_top() + vec2(2.0, 0.0), vec2(28.0, 28.0));
    let button = Button::new("Effects at 0 seconds").icon(icons::FIRST);
    if button.show_at(ui, start, "effects start").clicked() {
        actions.push(Action::SeekEffects(0.0));
    }
    let field = Rect::from_min_size(pos2(inner.right() - 60.0, row.top() + 4.0), vec2(60.0, 28.0));
    let number = field::Number {
        name: "Seconds",
        shown: words::fixed(session.effects.seconds, 2),
        note: "Click to put the effects at any second",
        framed: true,
        colour: theme::tokens(ui).text,
    };
    if let Some(seconds) = field::number(ui, ui.scope_id().with("effects seconds"), field, &number) {
        actions.push(Action::SeekEffects(seconds));
    }
    let room = Rect::from_min_max(
        pos2(start.right() + 10.0, row.center().y - 9.0),
        pos2(field.left() - 12.0, row.center().y + 9.0),
    );
    scrub(ui, session, room, actions);
    list::end_section(ui);
}

fn scrub(ui: &mut Ui, session: &Session, room: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let mut seconds = session.effects.seconds;
    seconds = seconds.min(SHOWN);
    ui.scope_builder(egui::UiBuilder::new().max_rect(room).id_salt("effects time"), |ui| {
        ui.visuals_mut().selection.bg_fill = tokens.accent_fill;
        ui.visuals_mut().widgets.inactive.bg_fill = tokens.line;
        ui.visuals_mut().handle_shape = egui::style::HandleShape::Circle;
        ui.spacing_mut().slider_width = room.width();
        ui.spacing_mut().interact_size.y = room.height();
        let slider = Slider::new(&mut seconds, 0.0..=SHOWN).show_value(false).trailing_fill(true);
        let response = ui.add(slider);
        response.widget_info(|| WidgetInfo::slider(true, session.effects.seconds, "Seconds of the effects"));
        if response.changed() {
            actions.push(Action::SeekEffects(seconds));
        }
        response.on_hover_text("Drag to any moment; it stays there");
    });
}
