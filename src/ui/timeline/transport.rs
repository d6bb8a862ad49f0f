//! Transport: clip, playback buttons, speed and frame.

use egui::{Id, Rect, Ui};

use super::{View, choices, clip_colour, clip_menu};
use crate::ui::{Button, Emphasis, arrange, field, fonts, format, icons, menu, paint, text, theme};
use maquette_core::pose::Repeat;
use maquette_scene::scene::{Choices as _, FrameRange};
use maquette_scene::session::{Action, ClockAction, Session, TimelineAction};

const GAP: f32 = 4.0;
const BUTTON: f32 = 28.0;
const PLAY: f32 = 44.0;
/// Minimum width of a row with a button for reverse playback. In narrower rows, only the key and the speed menu reverse
/// playback.
const WITH_REVERSE: f32 = 700.0;
/// Minimum width of a row with a description of the clip, and with a frame name.
const WITH_WORDS: f32 = 980.0;
const CHEVRON: f32 = 16.0;
const NOTHING: &str = "Static (1 frame)";
const LOOP_RANGE: &str = "loop range";

pub fn show(ui: &mut Ui, session: &Session, view: &View<'_>, row: Rect, actions: &mut Vec<Action>) {
    let with_reverse = row.width() >= WITH_REVERSE;
    let with_words = row.width() >= WITH_WORDS;
    let half = (BUTTON * 5.0 + PLAY + GAP * 5.0) / 2.0;
    let centre = row.center().x.round();
    // Extend the group to the left, where there is more room.
    let start = centre - half - if with_reverse { BUTTON + GAP } else { 0.0 };
    arrange::within(ui, row.with_max_x(start - 12.0), "clip", |ui| clip(ui, session, view, with_words, actions));
    arrange::within(ui, row.with_min_x(start), "buttons", |ui| buttons(ui, session, view, with_reverse, actions));
    let numbers_room = row.with_min_x(centre + half + 12.0);
    arrange::within(ui, numbers_room, "numbers", |ui| numbers(ui, session, view, with_words, actions));
}

/// Formats the length of a loop range: `(26 frames)`.
fn range_length(range: FrameRange) -> String {
    format!("({})", format::plural(range.count() as usize, "frame"))
}

fn description(session: &Session, view: &View<'_>) -> String {
    let frames = format::plural(view.clip.count as usize, "frame");
    if !view.playable && view.clip.count <= 1 {
        return if session.has_effects() { "Static (1 frame); shader effects play" } else { NOTHING }.to_owned();
    }
    if let Some(range) = view.playback.range {
        return format!("{LOOP_RANGE} {}–{} {}", range.first, range.last, range_length(range));
    }
    if view.clip.count <= 1 {
        return frames;
    }
    if view.clips.is_empty() {
        return format!("{frames}; no clips defined");
    }
    let manner = match session.playback().repeat {
        Repeat::Whole => "loop".to_owned(),
        Repeat::Once => "once".to_owned(),
        Repeat::PingPong => "ping-pong".to_owned(),
        Repeat::Loop => super::loop_description(&view.clip),
    };
    format!("{frames} · {manner}")
}

fn number<'a>(ui: &Ui, name: &'a str, shown: String, note: &'a str) -> field::Number<'a> {
    field::Number { name, shown, note, framed: true, colour: theme::tokens(ui).text }
}

fn clip(ui: &mut Ui, session: &Session, view: &View<'_>, with_words: bool, actions: &mut Vec<Action>) {
    let full = if view.current.is_some() { view.clip.name.as_str() } else { "all frames" };
    let widest = (ui.available_width() - 52.0).min(220.0);
    let name = paint::shortened(ui.painter(), full, &fonts::medium(), widest);
    let description = description(session, view);
    let button = Button::new("Clip").word(&name).dot(clip_colour(ui, view.current)).rank(Emphasis::Raised).menu();
    clip_menu::above(&button.note(&description).show(ui), session, view, actions);
    if !with_words {
        return;
    }
    let room = ui.available_width();
    let faint = theme::tokens(ui).text2;
    let words = |ui: &mut Ui, text: &str| text::line(ui, text, fonts::body(), faint);
    let width_of = |text: &str| paint::width_of(ui, text, fonts::body());
    if let Some(range) = view.playback.range.filter(|_| view.playable) {
        let width = (width_of(&view.frames.saturating_sub(1).to_string()) + 18.0).max(40.0);
        let needed = width_of(LOOP_RANGE) + width_of("–") + 2.0 * width + 3.0 * GAP;
        let length = range_length(range);
        let with_length = needed + width_of(&length) + 2.0 * GAP <= room;
        if needed <= room {
            ui.spacing_mut().item_spacing.x = GAP;
            for (before, name, frame, other) in
                [(LOOP_RANGE, "Loop start", range.first, range.last), ("–", "Loop end", range.last, range.first)]
            {
                words(ui, before);
                let number = number(ui, name, frame.to_string(), "Click to enter a frame, counted from 0");
                let typed = field::number_of(ui, ui.scope_id().with(name), width, &number);
                // `as` saturates, and `FrameRange::new` limits the frame to the file.
                let wanted = typed.map(|typed| FrameRange::new(typed.round().max(0.0) as u32, other, view.frames));
                actions.extend(wanted.map(|range| Action::Clock(ClockAction::SetLoopRange(range))));
            }
            if with_length {
                words(ui, &length);
            }
            return;
        }
    }
    let manner = description.split_once(" · ").map(|(_, manner)| manner);
    let placed = manner.zip(view.place_in_clip()).map(|(manner, place)| format!("{manner} · {place}"));
    let placed = placed.filter(|placed| width_of(placed) <= room - 8.0);
    if room > 60.0 {
        words(ui, &placed.unwrap_or(description));
    }
}

fn buttons(ui: &mut Ui, session: &Session, view: &View<'_>, with_reverse: bool, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = GAP;
    let playback = session.playback();
    // A model without clips may still have animated materials.
    let effects = session.document.tracks().is_empty() && session.has_effects();
    let playing = session.is_playing() || effects && session.effects_run();
    // Other parts of the character may have animations.
    let can =
        view.clip.count > 1 || (view.shared && session.document.tracks().iter().any(|track| track.clip().count > 1));
    let (play, play_icon) = if playing { ("Pause", icons::PAUSE) } else { ("Play", icons::PLAY) };
    for (name, icon, action) in [
        ("First frame", icons::FIRST, ClockAction::ClipStart),
        ("Previous frame", icons::BACK, ClockAction::Step(-1)),
        ("Reverse playback", icons::PLAY, ClockAction::Reverse),
        (play, play_icon, ClockAction::TogglePlay),
        ("Next frame", icons::FORWARD, ClockAction::Step(1)),
        ("Last frame", icons::LAST, ClockAction::ClipEnd),
    ] {
        let button = Button::new(name).icon(icon).enabled(can, NOTHING);
        let button = match action {
            ClockAction::Reverse if !with_reverse => continue,
            ClockAction::Reverse => button.turned().on(playback.speed < 0.0),
            ClockAction::TogglePlay => button.rank(Emphasis::Main).wide(PLAY).enabled(can || effects, NOTHING),
            _ => button,
        };
        button.push(ui, Action::Clock(action), actions);
    }
    let icon = match playback.repeat {
        Repeat::Loop => icons::LOOP,
        Repeat::Whole => icons::RELOAD,
        Repeat::Once => icons::ONCE,
        Repeat::PingPong => icons::TO_AND_FRO,
    };
    let name = format!("Loop mode: {}", playback.repeat.label().to_lowercase());
    let repeat = Button::of(&name, &Action::Clock(ClockAction::CycleRepeat))
        .icon(icon)
        .on(playback.repeat != Repeat::Once)
        .note("Click to choose a mode; the shortcut cycles the modes")
        .enabled(can, NOTHING);
    menu::above(&repeat.show(ui), |ui| choices::repeat_rows(ui, session, actions));
}

fn numbers(ui: &mut Ui, session: &Session, view: &View<'_>, with_words: bool, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 0.0;
    let tokens = theme::tokens(ui);
    let playable = view.playable;
    let faint = if playable { tokens.text2 } else { tokens.text2.gamma_multiply(0.45) };
    let width_of = |text: &str| paint::width_of(ui, text, fonts::body());
    let last = view.frames.saturating_sub(1);
    let of = format!("/ {}", format::count(last as usize));
    let speed_word = format::factor(session.playback().speed);
    let speed = Button::new("Speed").icon(icons::GAUGE).word(&speed_word).reading().enabled(playable, NOTHING);
    let [speed_width, rate_width] = [speed.width(ui), width_of("1000 fps") + 16.0];
    let frame_width = (width_of(&format::fixed(f64::from(last), 1)) + 22.0).max(56.0);
    let name_width = if with_words && frames_have_names(view) { 92.0 } else { 0.0 };
    let word_width = width_of("Frame") + 25.0;
    // In a narrow row, the last items are dropped first. All of them are also available elsewhere.
    let widths = [speed_width + GAP, BUTTON + GAP, BUTTON, rate_width, word_width, name_width, CHEVRON + GAP, CHEVRON];
    let room = ui.available_width();
    let mut needed = frame_width + 6.0 + width_of(&of).ceil();
    let mut spare = room - needed;
    let [has_speed, has_blend, has_onion, has_rate, has_word, has_name, has_rates, has_ghosts] = widths.map(|width| {
        needed += width;
        let fits = needed <= room;
        spare -= if fits { width } else { 0.0 };
        fits
    });
    ui.add_space(spare.max(0.0));
    if has_speed {
        let typing = ui.scope_id().with("typed speed");
        if field::is_edited(ui.ctx(), typing) {
            let number = number(ui, "Speed", format::short(session.playback().speed, 2), "");
            let typed = field::number_of(ui, typing, speed_width, &number);
            actions.extend(typed.map(|typed| Action::Clock(ClockAction::SetSpeed(typed))));
        } else {
            menu::above(&speed.show(ui), |ui| choices::speed_rows(ui, session, typing, actions));
        }
        ui.add_space(GAP);
    }
    let arrow =
        |name| Button::new(name).icon(icons::CHEVRON_DOWN).height(24.0).wide(CHEVRON).enabled(playable, NOTHING);
    let typing = ui.scope_id().with("rate");
    if has_rate {
        let note = "Click to change the rate; selecting a clip resets it";
        let shown = choices::fps(view.clip.frames_per_second);
        let number = field::Number { framed: false, ..number(ui, "Frames per second", shown, note) };
        let typed = ui.add_enabled_ui(playable, |ui| field::number_of(ui, typing, rate_width, &number)).inner;
        actions.extend(typed.map(|typed| Action::Clock(ClockAction::SetRate(Some(typed as f32)))));
    }
    if has_rates {
        menu::above(&arrow("Common rates").show(ui), |ui| choices::rate_rows(ui, session, view, typing, actions));
        ui.add_space(GAP);
    }
    if has_blend {
        let blend = Action::Clock(ClockAction::ToggleInterpolation);
        let button = Button::new("Interpolate frames").icon(icons::SPLINE).on(session.playback().interpolate);
        button.enabled(playable, NOTHING).push(ui, blend, actions);
        ui.add_space(GAP);
    }
    if has_onion {
        let toggle = Action::Timeline(TimelineAction::ToggleOnion);
        let note = "Earlier frames in blue, later frames in green; right-click for options";
        let button = Button::new("Onion skin").icon(icons::LAYERS).on(session.view.onion.on).note(note);
        let response = button.enabled(playable, NOTHING).push(ui, toggle, actions);
        menu::context(&response, |ui| choices::onion_rows(ui, session, actions));
    }
    if has_ghosts {
        menu::above(&arrow("Onion skin options").show(ui), |ui| choices::onion_rows(ui, session, actions));
    }
    if has_word {
        menu::divider(ui);
        ui.add_space(4.0);
        text::line(ui, "Frame", fonts::body(), faint);
        ui.add_space(12.0);
    }
    frame_field(ui, session, view, frame_width, actions);
    ui.add_space(6.0);
    text::line(ui, &of, fonts::body(), faint);
    if has_name {
        ui.add_space(10.0);
        text::line(ui, view.frame_name(view.whole_frame()), fonts::mono(), tokens.text2);
    }
}

/// Whether frame names differ. Some exporters give every frame the same name.
fn frames_have_names(view: &View<'_>) -> bool {
    let mut names = view.entity.model().frames().iter().map(|frame| frame.name.as_str());
    names.next().is_some_and(|first| names.any(|name| name != first))
}

fn frame_field(ui: &mut Ui, session: &Session, view: &View<'_>, width: f32, actions: &mut Vec<Action>) {
    let shown = if view.playable { format::short(view.frame_number(), 1) } else { "0".to_owned() };
    let number = number(ui, "Frame", shown, "Click to enter a frame of the file, counted from 0");
    let id = ui.scope_id().with("frame");
    let entries = session.interface.timeline.entries;
    let known_id = Id::unique("frame entries");
    let known: u32 = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(known_id), entries));
    if known != entries && view.playable {
        field::edit(ui.ctx(), id, number.shown.clone());
    }
    let typed = ui.add_enabled_ui(view.playable, |ui| field::number_of(ui, id, width, &number)).inner;
    actions.extend(typed.map(|typed| Action::Clock(ClockAction::Seek(typed))));
}
