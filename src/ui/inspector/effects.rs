//! The section Effects: the clock of materials that move.

use egui::{Rect, Ui, pos2, vec2};

use super::State;
use crate::ui::button::Button;
use crate::ui::{field, format, icons, list, slider, theme};
use maquette_scene::session::{Action, ClockAction, Session};

/// The rail holds so many seconds; most scripts repeat far sooner. The field takes any.
const SHOWN: f64 = 20.0;

/// Shows the section, if any material moves as it is shown now.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    if !session.has_effects() {
        return;
    }
    if !memory.section(ui, "Shader effects", "", true) {
        return;
    }
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 36.0));
    let inner = list::inside(row, list::INSET, 12.0);
    let (name, icon) = if session.view.material_clock.playing {
        ("Pause shader effects", icons::PAUSE)
    } else {
        ("Play shader effects", icons::PLAY)
    };
    let place = Rect::from_min_size(pos2(inner.left() - 6.0, row.top() + 4.0), vec2(28.0, 28.0));
    let button =
        Button::of(name, &Action::Clock(ClockAction::ToggleEffects)).icon(icon).note("Independent of the animation");
    actions.extend(button.show_at(ui, place, "effects").clicked().then_some(Action::Clock(ClockAction::ToggleEffects)));
    let start = Rect::from_min_size(place.right_top() + vec2(2.0, 0.0), vec2(28.0, 28.0));
    let button = Button::new("Restart shader effects").icon(icons::FIRST);
    if button.show_at(ui, start, "effects start").clicked() {
        actions.push(Action::Clock(ClockAction::SeekEffects(0.0)));
    }
    let field = Rect::from_min_size(pos2(inner.right() - 60.0, row.top() + 4.0), vec2(60.0, 28.0));
    let number = field::Number {
        name: "Seconds",
        shown: format::fixed(session.view.material_clock.seconds, 2),
        note: "Click to enter a time",
        framed: true,
        colour: theme::tokens(ui).text,
    };
    if let Some(seconds) = field::number(ui, ui.scope_id().with("effects seconds"), field, &number) {
        actions.push(Action::Clock(ClockAction::SeekEffects(seconds)));
    }
    let room = Rect::from_min_max(
        pos2(start.right() + 10.0, row.center().y - 9.0),
        pos2(field.left() - 12.0, row.center().y + 9.0),
    );
    scrub(ui, session, room, actions);
    list::end_section(ui);
}

fn scrub(ui: &mut Ui, session: &Session, room: Rect, actions: &mut Vec<Action>) {
    let scale = slider::Scale {
        name: "Time of shader effects",
        range: 0.0..=SHOWN,
        logarithmic: false,
        shown: String::new(),
        note: "Drag to scrub; pauses the effects",
        keys: "",
    };
    let wanted = scale.rail(ui, room, session.view.material_clock.seconds);
    actions.extend(wanted.map(|seconds| Action::Clock(ClockAction::SeekEffects(seconds))));
}
