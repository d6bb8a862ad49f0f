//! The transport: which clip, play and step, how fast, where.

use egui::{Id, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{View, choices, clip_colour, clip_menu, range_fields};
use crate::ui::button::{Button, Emphasis};
use crate::ui::{field, fonts, format, icons, paint, theme};
use maquette_core::pose::Repeat;
use maquette_scene::scene::FrameRange;
use maquette_scene::session::{Action, ClockAction, Session, TimelineAction};

const GAP: f32 = 4.0;
const BUTTON: f32 = 28.0;
const PLAY: f32 = 44.0;
/// Narrower rows leave the button that plays backwards to its key and to the menu of speeds.
const WITH_REVERSE: f32 = 700.0;
/// Small arrows that open a menu.
const CHEVRON: f32 = 16.0;
const NOTHING: &str = "Static (1 frame)";
const LOOP_RANGE: &str = "loop range";

/// Shows the row.
pub fn show(ui: &mut Ui, session: &Session, view: &View<'_>, row: Rect, actions: &mut Vec<Action>) {
    let with_reverse = row.width() >= WITH_REVERSE;
    let middle_width = BUTTON * 5.0 + PLAY + GAP * 5.0;
    let mut middle = Rect::from_center_size(row.center().round(), vec2(middle_width, BUTTON));
    if with_reverse {
        // At the left there is more to spare.
        middle.min.x -= BUTTON + GAP;
    }
    let left = Rect::from_min_max(pos2(row.left(), middle.top()), pos2(middle.left() - 12.0, middle.bottom()));
    let right = Rect::from_min_max(pos2(middle.right() + 12.0, middle.top()), pos2(row.right(), middle.bottom()));
    clip(ui, session, view, left, row.width() >= 980.0, actions);
    buttons(ui, session, view, middle, with_reverse, actions);
    numbers(ui, session, view, right, row.width() >= 980.0, actions);
}

/// Returns the length of a loop range: `(26 frames)`.
fn range_length(range: FrameRange) -> String {
    format!("({})", format::plural((range.last - range.first) as usize + 1, "frame"))
}

/// What the current clip is, in words.
fn description(session: &Session, view: &View<'_>) -> String {
    let frames = format::plural(view.clip.count as usize, "frame");
    if !view.playable && view.clip.count <= 1 {
        return if session.has_effects() { "Static (1 frame); shader effects play" } else { NOTHING }.to_owned();
    }
    if let Some(range) = view.loop_range {
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
        Repeat::Loop => super::manner_of(&view.clip),
    };
    format!("{frames} · {manner}")
}

fn clip(ui: &mut Ui, session: &Session, view: &View<'_>, room: Rect, words_too: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let full = if view.current.is_some() { view.clip.name.as_str() } else { "all frames" };
    let name = paint::shortened(ui.painter(), full, &fonts::medium(), (room.width() - 52.0).min(220.0));
    let description = description(session, view);
    let button = Button::new("Clip")
        .word(&name)
        .dot(clip_colour(ui, view.current))
        .rank(Emphasis::Raised)
        .menu()
        .note(&description);
    let width = button.width(ui).min(room.width());
    let rect = Rect::from_min_size(room.min, vec2(width, room.height()));
    let response = button.show_at(ui, rect, "clip");
    clip_menu::above(&response, session, view, actions);
    let text = Rect::from_min_max(pos2(rect.right() + 8.0, room.top()), room.max);
    if let Some(range) = view.loop_range.filter(|_| view.playable && words_too) {
        let needed = paint::width_of(ui, LOOP_RANGE, fonts::body()) + 8.0;
        let fields = range_fields::width(ui, view);
        if needed + fields <= text.width() {
            paint::text_in(ui.painter(), text, LOOP_RANGE, fonts::body(), tokens.text2);
            range_fields::show(ui, view, range, text.left() + needed, room, actions);
            let length = range_length(range);
            let rest = Rect::from_min_max(pos2(text.left() + needed + fields + 8.0, text.top()), text.max);
            if paint::width_of(ui, &length, fonts::body()) <= rest.width() {
                paint::text_in(ui.painter(), rest, &length, fonts::body(), tokens.text2);
            }
            return;
        }
    }
    let manner = description.split_once(" · ").map_or("", |(_, manner)| manner);
    let placed = view.place_in_clip().map(|place| format!("{manner} · {place}"));
    let placed = placed.filter(|placed| paint::width_of(ui, placed, fonts::body()) <= text.width() - 8.0);
    if let Some(placed) = placed.filter(|_| words_too && !manner.is_empty()) {
        let response = ui.interact(text, ui.scope_id().with("place in clip"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &placed));
        paint::text_in(ui.painter(), text, &placed, fonts::body(), tokens.text2);
    } else if words_too && text.width() > 60.0 {
        paint::text_in(ui.painter(), text, &description, fonts::body(), tokens.text2);
    }
}

fn buttons(ui: &mut Ui, session: &Session, view: &View<'_>, room: Rect, with_reverse: bool, actions: &mut Vec<Action>) {
    // What has no clip may have materials that move.
    let effects = session.tracks().is_empty() && session.has_effects();
    let playing = session.is_playing() || effects && session.effects_run();
    // The other parts of a figure may have something to play.
    let can = view.clip.count > 1 || (view.shared && session.tracks().iter().any(|track| track.clip().count > 1));
    let mut x = room.left();
    let mut place = |width: f32| {
        let rect = Rect::from_min_size(pos2(x, room.top()), vec2(width, room.height()));
        x += width + GAP;
        rect
    };
    let step = |ui: &mut Ui, rect, name: &str, icon, action: Action| {
        let button = Button::of(name, &action).icon(icon).enabled(can, NOTHING);
        button.show_at(ui, rect, name).clicked().then_some(action)
    };
    actions.extend(step(ui, place(BUTTON), "First frame", icons::FIRST, Action::Clock(ClockAction::ClipStart)));
    actions.extend(step(ui, place(BUTTON), "Previous frame", icons::BACK, Action::Clock(ClockAction::Step(-1))));
    if with_reverse {
        let reverse = Action::Clock(ClockAction::Reverse);
        let button = Button::of("Reverse playback", &reverse).icon(icons::PLAY).turned();
        let button = button.on(session.playback().speed < 0.0).enabled(can, NOTHING);
        actions.extend(button.show_at(ui, place(BUTTON), "reverse").clicked().then_some(reverse));
    }
    let (name, icon) = if playing { ("Pause", icons::PAUSE) } else { ("Play", icons::PLAY) };
    let play = Button::of(name, &Action::Clock(ClockAction::TogglePlay))
        .icon(icon)
        .rank(Emphasis::Main)
        .enabled(can || effects, NOTHING);
    actions.extend(play.show_at(ui, place(PLAY), "play").clicked().then_some(Action::Clock(ClockAction::TogglePlay)));
    actions.extend(step(ui, place(BUTTON), "Next frame", icons::FORWARD, Action::Clock(ClockAction::Step(1))));
    actions.extend(step(ui, place(BUTTON), "Last frame", icons::LAST, Action::Clock(ClockAction::ClipEnd)));
    let icon = match session.playback().repeat {
        Repeat::Loop => icons::LOOP,
        Repeat::Whole => icons::RELOAD,
        Repeat::Once => icons::ONCE,
        Repeat::PingPong => icons::TO_AND_FRO,
    };
    let name = format!("Loop mode: {}", session.playback().repeat.label().to_lowercase());
    let repeat = Button::of(&name, &Action::Clock(ClockAction::CycleRepeat))
        .icon(icon)
        .on(session.playback().repeat != Repeat::Once)
        .note("Click to choose; the key cycles")
        .enabled(can, NOTHING);
    choices::repeats(&repeat.show_at(ui, place(BUTTON), "repeat"), session, actions);
}

/// What of the numbers there is room for, from all to little.
struct Widths {
    speed: f32,
    rate: f32,
    rates: f32,
    blend: f32,
    onion: f32,
    ghosts: f32,
    word: f32,
    field: f32,
    of: f32,
    name: f32,
}

fn numbers(ui: &mut Ui, session: &Session, view: &View<'_>, room: Rect, wide: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let last = view.frames.saturating_sub(1);
    // Both are counted from 0.
    let of = format!("/ {}", format::count(last as usize));
    let speed_word = format::factor(session.playback().speed);
    let speed = Button::new("Speed").icon(icons::GAUGE).word(&speed_word).reading().enabled(view.playable, NOTHING);
    let widest = format::fixed(f64::from(last), 1);
    let mut widths = Widths {
        speed: speed.width(ui) + GAP,
        rate: paint::width_of(ui, "1000 fps", fonts::body()) + 16.0,
        rates: CHEVRON + GAP,
        blend: BUTTON + GAP,
        onion: BUTTON,
        ghosts: CHEVRON,
        word: paint::width_of(ui, "Frame", fonts::body()) + 17.0 + 8.0,
        field: (paint::width_of(ui, &widest, fonts::body()) + 22.0).max(56.0),
        of: paint::width_of(ui, &of, fonts::body()) + 6.0,
        name: if wide && frames_have_names(view) { 92.0 } else { 0.0 },
    };
    let needed = |widths: &Widths| {
        let choices = widths.speed + widths.rate + widths.rates + widths.blend + widths.onion + widths.ghosts;
        choices + widths.word + widths.field + widths.of + widths.name
    };
    // Given up in this order, each of them elsewhere too: the menus of the small arrows, name, word, rate, onion, blending.
    for give_up in [
        |widths: &mut Widths| widths.ghosts = 0.0,
        |widths: &mut Widths| widths.rates = 0.0,
        |widths: &mut Widths| widths.name = 0.0,
        |widths: &mut Widths| widths.word = 0.0,
        |widths: &mut Widths| widths.rate = 0.0,
        |widths: &mut Widths| widths.onion = 0.0,
        |widths: &mut Widths| widths.blend = 0.0,
        |widths: &mut Widths| widths.speed = 0.0,
    ] {
        if needed(&widths) > room.width() {
            give_up(&mut widths);
        }
    }
    let mut x = room.right() - needed(&widths);
    let mut place = |width: f32, gap: f32| {
        let rect = Rect::from_min_size(pos2(x, room.top()), vec2((width - gap).max(0.0), room.height()));
        x += width;
        rect
    };
    if widths.speed > 0.0 {
        let rect = place(widths.speed, GAP);
        let typing = ui.scope_id().with("typed speed");
        if field::is_edited(ui.ctx(), typing) {
            let now = format::short(session.playback().speed, 2);
            let number = field::Number { name: "Speed", shown: now, note: "", framed: true, colour: tokens.text };
            if let Some(typed) = field::number(ui, typing, rect, &number) {
                actions.push(Action::Clock(ClockAction::SetSpeed(typed)));
            }
        } else {
            choices::speeds(&speed.show_at(ui, rect, "speed"), session, typing, actions);
        }
    }
    let colour = |colour: egui::Color32| if view.playable { colour } else { colour.gamma_multiply(0.45) };
    if widths.rate > 0.0 {
        let rate = f64::from(view.clip.frames_per_second);
        let number = field::Number {
            name: "Frames per second",
            shown: format!("{} fps", format::short(rate, 2)),
            note: "Click to change; selecting a clip resets it",
            framed: false,
            colour: colour(tokens.text),
        };
        let rect = place(widths.rate, 0.0);
        let typing = ui.scope_id().with("rate");
        let typed = ui.add_enabled_ui(view.playable, |ui| field::number(ui, typing, rect, &number));
        if let Some(typed) = typed.inner {
            actions.push(Action::Clock(ClockAction::SetRate(Some(typed as f32))));
        }
        if widths.rates > 0.0 {
            let button = Button::new("Common rates").icon(icons::CHEVRON_DOWN).height(24.0);
            let response = button.enabled(view.playable, NOTHING).show_at(ui, place(widths.rates, GAP), "rates");
            choices::rates(&response, session, view, typing, actions);
        }
    }
    if widths.blend > 0.0 {
        let blend = Button::of("Interpolate frames", &Action::Clock(ClockAction::ToggleInterpolation))
            .icon(icons::SPLINE)
            .on(session.playback().interpolate)
            .enabled(view.playable, NOTHING);
        if blend.show_at(ui, place(widths.blend, GAP), "blend").clicked() {
            actions.push(Action::Clock(ClockAction::ToggleInterpolation));
        }
    }
    let (switch, arrow) = (place(widths.onion, 0.0), place(widths.ghosts, 0.0));
    onion(ui, session, view, switch, arrow, actions);
    if widths.word > 0.0 {
        let rect = place(widths.word, 0.0);
        ui.painter().vline(rect.left() + 4.5, rect.center().y - 10.0..=rect.center().y + 10.0, (1.0, tokens.line));
        let text = Rect::from_min_max(pos2(rect.left() + 13.0, rect.top()), rect.max);
        paint::text_in(ui.painter(), text, "Frame", fonts::body(), colour(tokens.text2));
    }
    frame_field(ui, session, view, place(widths.field, 0.0), actions);
    let rect = place(widths.of, 0.0);
    let text = Rect::from_min_max(pos2(rect.left() + 6.0, rect.top()), pos2(rect.right() + 1.0, rect.bottom()));
    paint::text_in(ui.painter(), text, &of, fonts::body(), colour(tokens.text2));
    if widths.name > 0.0 {
        frame_name(ui, view, place(widths.name, 0.0));
    }
}

/// The switch of the onion skin, and its menu.
fn onion(ui: &mut Ui, session: &Session, view: &View<'_>, switch: Rect, arrow: Rect, actions: &mut Vec<Action>) {
    let toggle = Action::Timeline(TimelineAction::ToggleOnion);
    if switch.width() > 0.0 {
        let response = Button::of("Onion skin", &toggle)
            .icon(icons::LAYERS)
            .on(session.view.onion.on)
            .note("Earlier frames in blue, later in green; right-click for options")
            .enabled(view.playable, NOTHING)
            .show_at(ui, switch, "onion");
        actions.extend(response.clicked().then_some(toggle));
        choices::onion(&response, session, true, actions);
    }
    if arrow.width() > 0.0 {
        let button = Button::new("Onion skin options").icon(icons::CHEVRON_DOWN).height(24.0);
        let response = button.enabled(view.playable, NOTHING).show_at(ui, arrow, "ghosts");
        choices::onion(&response, session, false, actions);
    }
}

/// Some exporters give every frame the same name, which says nothing.
fn frames_have_names(view: &View<'_>) -> bool {
    let mut names = view.model.frames().iter().map(|frame| frame.name.as_str());
    names.next().is_some_and(|first| names.any(|name| name != first))
}

fn frame_field(ui: &mut Ui, session: &Session, view: &View<'_>, rect: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let number = field::Number {
        name: "Frame",
        shown: if view.playable { format::short(view.frame_number(), 1) } else { "0".to_owned() },
        note: "Click to enter a frame of the file, counted from 0",
        framed: true,
        colour: if view.playable { tokens.text } else { tokens.text.gamma_multiply(0.45) },
    };
    let entries = session.interface.timeline.entries;
    let known = ui.data_mut(|data| {
        let known: u32 = data.get_temp(Id::unique("frame entries")).unwrap_or(0);
        data.insert_temp(Id::unique("frame entries"), entries);
        known
    });
    let typed = ui.add_enabled_ui(view.playable, |ui| {
        let id = ui.scope_id().with("frame");
        if known != entries && view.playable {
            field::edit(ui.ctx(), id, number.shown.clone());
        }
        field::number(ui, id, rect, &number)
    });
    if let Some(typed) = typed.inner {
        actions.push(Action::Clock(ClockAction::Seek(typed)));
    }
}

fn frame_name(ui: &Ui, view: &View<'_>, rect: Rect) {
    let name = view.frame_name(view.whole_frame());
    let text = Rect::from_min_max(pos2(rect.left() + 10.0, rect.top()), rect.max);
    let tokens = theme::tokens(ui);
    paint::name_in(ui.painter(), text, name, fonts::mono(), tokens.text2);
}
