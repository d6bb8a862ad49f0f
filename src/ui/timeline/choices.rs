//! Menus of the transport: speeds, rates, loop modes and onion skin.

use egui::{Id, Ui};

use super::View;
use crate::ui::{field, format, menu};
use maquette_core::pose::Repeat;
use maquette_scene::scene::{Onion, SPEEDS, SPEEDS_BACKWARDS};
use maquette_scene::session::{Action, ClockAction, Session, TimelineAction};

const RATES: [f32; 8] = [5.0, 10.0, 12.0, 15.0, 20.0, 24.0, 30.0, 60.0];

/// Text of a choice, whether it is chosen, and its action.
type Value = (String, bool, Action);

pub fn speeds(session: &Session, speeds: &[f64]) -> impl Iterator<Item = Value> {
    let now = session.playback().speed;
    speeds.iter().map(move |speed| {
        (format::factor(*speed), (now - speed).abs() < 1e-6, Action::Clock(ClockAction::SetSpeed(*speed)))
    })
}

pub fn rates(session: &Session) -> impl Iterator<Item = Value> {
    let now = session.playback().rate;
    RATES.into_iter().map(move |rate| {
        let on = now.is_some_and(|chosen| (chosen - rate).abs() < 1e-4);
        (fps(rate), on, Action::Clock(ClockAction::SetRate(Some(rate))))
    })
}

pub fn repeats(session: &Session) -> impl Iterator<Item = Value> {
    let now = session.playback().repeat;
    Repeat::ALL
        .into_iter()
        .map(move |repeat| (repeat.label().to_owned(), repeat == now, Action::Clock(ClockAction::SetRepeat(repeat))))
}

/// Returns the settings of the onion skin: name, current value and choices. Each choice turns the onion skin on.
pub fn onion_settings(session: &Session) -> [(&'static str, String, Vec<Value>); 3] {
    let now = session.view.onion;
    let ghosts = |number: u32| if number == 0 { "none".to_owned() } else { number.to_string() };
    let steps = |number: u32| format::plural(number as usize, "frame");
    let values = |first: u32, last: u32, word: fn(u32) -> String, current: u32, with: &dyn Fn(u32) -> Onion| {
        let value = |number: u32| {
            let onion = Onion { on: true, ..with(number) };
            (word(number), number == current, Action::Timeline(TimelineAction::SetOnion(onion)))
        };
        (first..=last).map(value).collect()
    };
    let side = Onion::PER_SIDE;
    let before = values(0, side, ghosts, now.before, &|before| Onion { before, ..now });
    let after = values(0, side, ghosts, now.after, &|after| Onion { after, ..now });
    let step = values(1, Onion::WIDEST, steps, now.step, &|step| Onion { step, ..now });
    [
        ("Ghosts before", ghosts(now.before), before),
        ("Ghosts after", ghosts(now.after), after),
        ("Spacing", steps(now.step), step),
    ]
}

/// Formats a frame rate: `24 fps`.
pub fn fps(rate: f32) -> String {
    format!("{} fps", format::short(f64::from(rate), 2))
}

fn rows(ui: &mut Ui, values: impl IntoIterator<Item = Value>, actions: &mut Vec<Action>) {
    for (word, on, action) in values {
        menu::Row::new(&word).on(on).push(ui, action, actions);
    }
}

/// Shows the speeds. The last row makes the number field `typing` editable.
pub fn speed_rows(ui: &mut Ui, session: &Session, typing: Id, actions: &mut Vec<Action>) {
    rows(ui, speeds(session, &SPEEDS_BACKWARDS), actions);
    menu::separator(ui);
    rows(ui, speeds(session, &SPEEDS), actions);
    custom(ui, typing, format::short(session.playback().speed, 2));
}

/// Shows the loop modes and the rows of the loop range.
pub fn repeat_rows(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    rows(ui, repeats(session), actions);
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
    let row = menu::Row { value, ..menu::Row::new("From clip") }.on(session.playback().rate.is_none());
    row.push(ui, Action::Clock(ClockAction::SetRate(None)), actions);
    menu::separator(ui);
    rows(ui, rates(session), actions);
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
    for (setting, now, values) in onion_settings(session) {
        menu::leading_on(ui, &format!("{setting}: {now}"), |ui| rows(ui, values, actions));
    }
}
