//! Menus of the transport: speeds, rates, loop modes and onion skin.

use egui::{Id, Ui};

use super::View;
use crate::ui::{field, format, menu};
use maquette_scene::scene::{Onion, SPEEDS_BACKWARDS};
use maquette_scene::session::{Action, ClockAction, FRAME_RATE, LOOP_MODE, ONION, SPEED, Session, TimelineAction};

/// Formats a frame rate: `24 fps`.
pub fn fps(rate: f32) -> String {
    format!("{} fps", format::short(f64::from(rate), 2))
}

/// Shows the speeds. The last row makes the number field `typing` editable.
pub fn speed_rows(ui: &mut Ui, session: &Session, typing: Id, actions: &mut Vec<Action>) {
    let mut backwards = (SPEED.values)(session);
    let forwards = backwards.split_off(SPEEDS_BACKWARDS.len());
    menu::values(ui, backwards, actions);
    menu::separator(ui);
    menu::values(ui, forwards, actions);
    custom(ui, typing, format::short(session.playback().speed, 2));
}

/// Shows the loop modes and the rows of the loop range.
pub fn repeat_rows(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::values(ui, (LOOP_MODE.values)(session), actions);
    menu::separator(ui);
    loop_rows(ui, session, actions);
}

pub fn loop_rows(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (word, action, disabled) in [
        ("Set loop start", ClockAction::LoopFromHere, false),
        ("Set loop end", ClockAction::LoopToHere, false),
        ("Clear loop range", ClockAction::SetLoopRange(None), session.playback().range.is_none()),
    ] {
        menu::Row { word, disabled, ..menu::Row::default() }.push(ui, Action::Clock(action), actions);
    }
}

/// Shows the frame rates. The last row makes the number field `typing` editable.
pub fn rate_rows(ui: &mut Ui, session: &Session, view: &View<'_>, typing: Id, actions: &mut Vec<Action>) {
    let own = view.current_clip().or(view.entity.model().clips().first());
    let value = fps(own.map_or(10.0, |clip| clip.frames_per_second));
    let mut rates = (FRAME_RATE.values)(session).into_iter();
    if let Some(of_clip) = rates.next() {
        let row = menu::Row { value, ..menu::Row::new(&of_clip.label) };
        row.on(of_clip.is_current).push(ui, of_clip.action, actions);
    }
    menu::separator(ui);
    menu::values(ui, rates, actions);
    custom(ui, typing, fps(view.clip.frames_per_second));
}

fn custom(ui: &mut Ui, typing: Id, shown: String) {
    menu::separator(ui);
    if menu::Row::new("Custom…").show(ui).clicked() {
        field::edit(ui.ctx(), typing, shown);
    }
}

pub fn onion_rows(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let toggle = Action::Timeline(TimelineAction::ToggleOnion);
    menu::Row::new("Onion skin").on(session.view.onion.on).push(ui, toggle, actions);
    menu::separator(ui);
    let Onion { before, after, step, .. } = session.view.onion;
    let ghosts = |number: u32| if number == 0 { "none".to_owned() } else { number.to_string() };
    let current = [ghosts(before), ghosts(after), format::plural(step as usize, "frame")];
    for (setting, current) in ONION.iter().zip(current) {
        let label = format!("{}: {current}", setting.label);
        menu::leading_on(ui, &label, |ui| menu::values(ui, (setting.values)(session), actions));
    }
}
