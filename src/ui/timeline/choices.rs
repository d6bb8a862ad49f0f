//! Menus of the transport: speeds, rates, and what the onion skin shows.

use egui::{Context, Id, Popup, RectAlign, Response, Ui};

use super::View;
use crate::ui::{field, format, menu};
use maquette_core::pose::Repeat;
use maquette_scene::scene::{Onion, SPEEDS, SPEEDS_BACKWARDS};
use maquette_scene::session::{Action, ClockAction, Session, TimelineAction};

/// Rates that games and films use.
pub const RATES: [f32; 8] = [5.0, 10.0, 12.0, 15.0, 20.0, 24.0, 30.0, 60.0];

/// The menu of speeds; what `typing` names is the field for another one.
pub fn speeds(response: &Response, session: &Session, typing: Id, actions: &mut Vec<Action>) {
    let now = session.playback().speed;
    menu::above(response, |ui| {
        for speed in SPEEDS_BACKWARDS.into_iter().chain(SPEEDS) {
            if speed == SPEEDS[0] {
                menu::separator(ui);
            }
            let word = format::factor(speed);
            let on = (now - speed).abs() < 1e-6;
            if menu::Row::of(&word, &Action::Clock(ClockAction::SetSpeed(speed))).on(on).show(ui).clicked() {
                actions.push(Action::Clock(ClockAction::SetSpeed(speed)));
            }
        }
        menu::separator(ui);
        another(ui, "Custom…", typing, format::short(now, 2));
    });
}

/// The menu of loop modes, and of the loop range.
pub fn repeats(response: &Response, session: &Session, actions: &mut Vec<Action>) {
    menu::above(response, |ui| {
        for repeat in Repeat::ALL {
            let action = Action::Clock(ClockAction::SetRepeat(repeat));
            let on = session.playback().repeat == repeat;
            actions.extend(menu::Row::of(repeat.label(), &action).on(on).show(ui).clicked().then_some(action));
        }
        menu::separator(ui);
        let has_range = session.playback().range.is_some();
        for (word, action, usable) in [
            ("Set loop start", ClockAction::LoopFromHere, true),
            ("Set loop end", ClockAction::LoopToHere, true),
            ("Clear loop range", ClockAction::SetLoopRange(None), has_range),
        ] {
            let action = Action::Clock(action);
            if (menu::Row { disabled: !usable, ..menu::Row::of(word, &action) }).show(ui).clicked() {
                actions.push(action);
            }
        }
    });
}

/// The menu of rates, which the field itself shows with the right button.
pub fn rates(response: &Response, session: &Session, view: &View<'_>, typing: Id, actions: &mut Vec<Action>) {
    menu::above(response, |ui| rate_rows(ui, session, view, typing, actions));
}

fn rate_rows(ui: &mut Ui, session: &Session, view: &View<'_>, typing: Id, actions: &mut Vec<Action>) {
    let fps = |rate: f32| format!("{} fps", format::short(f64::from(rate), 2));
    let own = view.current.and_then(|index| view.clips.get(index)).or(view.model.clips().first());
    let own = own.map_or(10.0, |clip| clip.frames_per_second);
    let chosen = session.playback().rate;
    let row = menu::Row { value: fps(own), ..menu::Row::of("From clip", &Action::Clock(ClockAction::SetRate(None))) };
    actions.extend(row.on(chosen.is_none()).show(ui).clicked().then_some(Action::Clock(ClockAction::SetRate(None))));
    menu::separator(ui);
    for rate in RATES {
        let on = chosen.is_some_and(|chosen| (chosen - rate).abs() < 1e-4);
        let word = fps(rate);
        if menu::Row::of(&word, &Action::Clock(ClockAction::SetRate(Some(rate)))).on(on).show(ui).clicked() {
            actions.push(Action::Clock(ClockAction::SetRate(Some(rate))));
        }
    }
    menu::separator(ui);
    another(ui, "Custom…", typing, fps(view.clip.frames_per_second));
}

/// A row after which the number is typed where it stands.
fn another(ui: &mut Ui, word: &str, typing: Id, shown: String) {
    if menu::Row::new(word).show(ui).clicked() {
        let context: &Context = ui.ctx();
        field::edit(context, typing, shown);
    }
}

/// The menu of the onion skin, under its own button and under the right button on the switch.
pub fn onion(response: &Response, session: &Session, by_right_button: bool, actions: &mut Vec<Action>) {
    let now = session.view.onion;
    if by_right_button {
        let popup = Popup::context_menu(response).style(menu::style);
        popup.show(|ui| menu::frame(ui, |ui| onion_rows(ui, now, actions)));
    } else {
        let popup = Popup::menu(response).style(menu::style).align(RectAlign::TOP_END).gap(4.0);
        popup.show(|ui| menu::frame(ui, |ui| onion_rows(ui, now, actions)));
    }
}

fn onion_rows(ui: &mut Ui, now: Onion, actions: &mut Vec<Action>) {
    let toggle = Action::Timeline(TimelineAction::ToggleOnion);
    actions.extend(menu::Row::of("Onion skin", &toggle).on(now.on).show(ui).clicked().then_some(toggle));
    menu::separator(ui);
    let mut rows =
        |ui: &mut Ui, from: u32, to: u32, chosen: u32, word: &dyn Fn(u32) -> String, of: &dyn Fn(u32) -> Onion| {
            for number in from..=to {
                let word = word(number);
                let row = menu::Row::new(&word).on(number == chosen);
                if row.show(ui).clicked() {
                    // A chosen overlay is switched on.
                    actions.push(Action::Timeline(TimelineAction::SetOnion(Onion { on: true, ..of(number) })));
                }
            }
        };
    let ghosts = |number: u32| if number == 0 { "none".to_owned() } else { number.to_string() };
    menu::leading_on(ui, &format!("Ghosts before: {}", ghosts(now.before)), |ui| {
        rows(ui, 0, Onion::PER_SIDE, now.before, &ghosts, &|before| Onion { before, ..now });
    });
    menu::leading_on(ui, &format!("Ghosts after: {}", ghosts(now.after)), |ui| {
        rows(ui, 0, Onion::PER_SIDE, now.after, &ghosts, &|after| Onion { after, ..now });
    });
    let step = |step: u32| format::plural(step as usize, "frame");
    menu::leading_on(ui, &format!("Spacing: {}", step(now.step)), |ui| {
        rows(ui, 1, Onion::WIDEST, now.step, &step, &|step| Onion { step, ..now });
    });
}
