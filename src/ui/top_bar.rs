//! The top bar: menus made of the table of commands, the model's name, panels and tone.

use egui::containers::menu::{MenuBar, MenuButton, MenuConfig};
use egui::{Align, Color32, Layout, Rect, Response, Stroke, Ui, pos2, vec2};

use super::button::{Button, Rank};
use super::layout::{Form, Side, Wanted};
use super::{fonts, header, icons, inspector, list, menu, paint, theme, toggle_side, words};
use crate::model::Format;
use crate::scene::{Look, Projection, Shading, Tone};
use crate::session::{Action, COMMANDS, Command, Group, Panel, Session};

/// The five formats of the built-in figure.
pub const SAMPLES: [Format; 5] = [Format::Md2, Format::Md3, Format::Mdc, Format::Mdr, Format::Md5];

/// Shows the bar.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    form: &Form,
    wanted: &mut Wanted,
    inspector: &mut inspector::Memory,
    actions: &mut Vec<Action>,
) {
    let bar = ui.max_rect();
    ui.spacing_mut().item_spacing.x = 4.0;
    let right = ui
        .scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::right_to_left(Align::Center)), |ui| {
            ui.add_space(8.0);
            if !form.folded {
                tone_button(ui, session, actions);
                divider(ui);
            }
            panels(ui, session, form, wanted, actions);
            if !form.status && !form.folded {
                issues(ui, session, form, wanted, inspector, actions);
            }
            if form.folded && session.part().is_some() {
                divider(ui);
                header::folded(ui, session, bar.width(), actions);
            }
            ui.min_rect().left()
        })
        .inner;
    let beside = Rect::from_min_max(bar.min, pos2(right - 8.0, bar.bottom()));
    let left = ui
        .scope_builder(egui::UiBuilder::new().max_rect(beside).layout(Layout::left_to_right(Align::Center)), |ui| {
            ui.add_space(if form.folded { 6.0 } else { 7.0 });
            if form.folded {
                folded_menus(ui, session, actions);
                let count = if form.status { 0.0 } else { 64.0 };
                model_name(ui, session, beside.right() - 46.0 - count);
                if !form.status {
                    issues(ui, session, form, wanted, inspector, actions);
                }
            } else {
                ui.spacing_mut().item_spacing.x = 0.0;
                menus(ui, session, actions);
            }
            ui.min_rect().right()
        })
        .inner;
    let title = Rect::from_min_max(pos2(left + 16.0, bar.top()), pos2(right - 16.0, bar.bottom()));
    if !form.folded && !form.inspector {
        centred_name(ui, session, bar.center().x, title);
    }
}

/// A thin upright line between groups.
pub fn divider(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 20.0), egui::Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), (1.0, theme::tokens(ui).line));
}

fn menus(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let style = |style: &mut egui::Style| {
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.item_spacing.x = 0.0;
        style.visuals.widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        style.visuals.widgets.inactive.bg_stroke = Stroke::NONE;
    };
    let config = MenuConfig::new().style(menu::style);
    MenuBar::new().config(config).style(style).ui(ui, |ui| {
        for group in Group::ALL {
            let (_, _) = MenuButton::new(group.label()).ui(ui, |ui| {
                menu::frame(ui, |ui| commands(ui, group, session, actions));
            });
        }
    });
}

fn folded_menus(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let button = Button::new("Menu").icon(icons::MENU).show(ui);
    menu::below(&button, |ui| {
        for group in Group::ALL {
            menu::leading_on(ui, group.label(), |ui| commands(ui, group, session, actions));
        }
    });
}

fn commands(ui: &mut Ui, group: Group, session: &Session, actions: &mut Vec<Action>) {
    let mut first = true;
    for command in COMMANDS.iter().filter(|command| command.group == group) {
        if command.action == Action::Reload {
            menu::leading_on(ui, "Samples", |ui| samples(ui, actions));
        }
        if !first && begins_group(&command.action) {
            menu::separator(ui);
        }
        first = false;
        if command.action == Action::CycleShading {
            menu::leading_on(ui, "Shading", |ui| shadings(ui, session, actions));
        }
        let row = menu::Row {
            on: is_on(session, &command.action),
            disabled: !is_of_use(session, command),
            ..menu::Row::command(command)
        };
        if row.show(ui).clicked() {
            actions.push(command.action.clone());
        }
    }
    if group == Group::View {
        menu::separator(ui);
        menu::leading_on(ui, "Appearance", |ui| tones(ui, session, actions));
    }
}

fn begins_group(action: &Action) -> bool {
    use crate::session::Switch;
    matches!(
        action,
        Action::Reload
            | Action::NextModel
            | Action::SavePicture
            | Action::Quit
            | Action::LookFrom(crate::scene::StandardView::Front)
            | Action::ToggleProjection
            | Action::TogglePanel(Panel::Inspector)
            | Action::Toggle(Switch::Grid | Switch::VertexNormals)
            | Action::CycleSides
            | Action::NextSkin
            | Action::Step(-1)
            | Action::PreviousClip
            | Action::Slower
            | Action::CycleRepeat
    )
}

/// Whether what a command turns on is on.
fn is_on(session: &Session, action: &Action) -> Option<bool> {
    match action {
        Action::Toggle(switch) => Some(session.is_on(*switch)),
        Action::TogglePanel(Panel::Inspector) => Some(session.panels.inspector),
        Action::TogglePanel(Panel::Files) => Some(session.panels.files),
        Action::ToggleAllPanels => Some(session.panels.hidden),
        Action::ToggleTurntable => Some(session.moves.turntable),
        Action::CycleSides => Some(session.display.sides != crate::scene::Sides::Front),
        Action::ToggleInterpolation => Some(session.playback().interpolate),
        _ => None,
    }
}

/// Whether a command does anything now.
fn is_of_use(session: &Session, command: &Command) -> bool {
    let Some(part) = session.part() else {
        return matches!(command.group, Group::Help)
            || matches!(
                command.action,
                Action::PickFiles | Action::PickFolder | Action::PickRoot | Action::Quit | Action::ToggleFullScreen
            );
    };
    match &command.action {
        Action::NextModel | Action::PreviousModel => session.siblings.len() > 1,
        Action::Reload => part.file.is_some(),
        Action::NextSkin => part.skins.len() > 1,
        Action::ShowAllSurfaces => session.actor().is_some_and(|actor| actor.visible.contains(&false)),
        Action::NextClip | Action::PreviousClip => {
            session.track().is_some_and(|track| track.playback.clips(track.model()).len() > 1)
        }
        Action::SetSpeed(_) | Action::ToggleInterpolation | Action::CycleRepeat => {
            session.track().is_some_and(crate::scene::Actor::has_track)
        }
        _ => command.group != Group::Animation || session.track().is_some_and(|track| track.clip().count > 1),
    }
}

fn samples(ui: &mut Ui, actions: &mut Vec<Action>) {
    for format in SAMPLES {
        let name = format.name().to_uppercase();
        let row = menu::Row { value: format.game().to_owned(), word: &name, ..menu::Row::default() };
        if row.show(ui).clicked() {
            actions.push(Action::OpenSample(format));
        }
    }
}

/// The five shadings as rows of a menu.
pub fn shadings(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let display = &session.display;
    let looks = [
        (Look::Studio, "Textured, in the studio"),
        (Look::Game, "Textured, as in the game"),
        (Look::Plain, "Plain pictures, without scripts"),
    ];
    for (look, word) in looks {
        let on = display.shading == Shading::Textured && display.look == look;
        if (menu::Row { word, on: Some(on), ..menu::Row::default() }).show(ui).clicked() {
            actions.push(Action::SetLook(look));
        }
    }
    menu::separator(ui);
    for shading in Shading::ALL.into_iter().filter(|shading| *shading != Shading::Textured) {
        if menu::Row::of(shading.label(), &Action::SetShading(shading))
            .on(session.display.shading == shading)
            .show(ui)
            .clicked()
        {
            actions.push(Action::SetShading(shading));
        }
    }
}

/// How the model is shaded, in a word; `says_game` where it must tell that it is seen as in the game.
pub fn shading_label(session: &Session, says_game: bool) -> &'static str {
    match (session.display.shading, session.display.look) {
        (Shading::Textured, Look::Plain) => "Plain",
        (Shading::Textured, Look::Game) if says_game => "As in the game",
        (shading, _) => shading.label(),
    }
}

/// Both projections as rows of a menu.
pub fn projections(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (projection, word) in [(Projection::Perspective, "Perspective"), (Projection::Orthographic, "Orthographic")] {
        let on = session.camera.projection == projection;
        let row = menu::Row { word, on: Some(on), ..menu::Row::default() };
        if row.show(ui).clicked() && !on {
            actions.push(Action::ToggleProjection);
        }
    }
}

fn tones(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (tone, word) in [(None, "As the system"), (Some(Tone::Dark), "Dark"), (Some(Tone::Light), "Light")] {
        let row = menu::Row { word, on: Some(session.tone == tone), ..menu::Row::default() };
        if row.show(ui).clicked() {
            actions.push(Action::SetTone(tone));
        }
    }
}

fn tone_button(ui: &mut Ui, _session: &Session, actions: &mut Vec<Action>) {
    let dark = ui.visuals().dark_mode;
    let (name, icon, other) =
        if dark { ("Light window", icons::MOON, Tone::Light) } else { ("Dark window", icons::SUN, Tone::Dark) };
    if Button::new(name).icon(icon).show(ui).clicked() {
        actions.push(Action::SetTone(Some(other)));
    }
}

fn panels(ui: &mut Ui, session: &Session, form: &Form, wanted: &mut Wanted, actions: &mut Vec<Action>) {
    let usable = session.part().is_some();
    for (side, name, icon, panel) in [
        (Side::Inspector, "Inspector", icons::PANEL_RIGHT, Panel::Inspector),
        (Side::Files, "Files", icons::PANEL_LEFT, Panel::Files),
    ] {
        let button = Button::of(name, &Action::TogglePanel(panel)).icon(icon).open(form.shows(side));
        if button.enabled(usable, "Open a model first").show(ui).clicked() {
            toggle_side(side, session, form, wanted, actions);
        }
    }
}

/// The count of what was odd, for windows without status bar; a click shows the list.
pub fn issues(
    ui: &mut Ui,
    session: &Session,
    form: &Form,
    wanted: &mut Wanted,
    inspector: &mut inspector::Memory,
    actions: &mut Vec<Action>,
) {
    let count = session.issues.len();
    if count == 0 {
        return;
    }
    let name = words::plural(count, "issue");
    let number = words::count(count);
    let response = Button::new(&name).warning().word(&number).show(ui);
    show_issues(&response, session, form, wanted, inspector, actions);
}

/// A click on `response` opens the list of issues.
pub fn show_issues(
    response: &Response,
    session: &Session,
    form: &Form,
    wanted: &mut Wanted,
    inspector: &mut inspector::Memory,
    actions: &mut Vec<Action>,
) {
    if response.clicked() {
        inspector.show_issues();
        if !form.inspector {
            toggle_side(Side::Inspector, session, form, wanted, actions);
        }
    }
}

fn model_name(ui: &mut Ui, session: &Session, most: f32) {
    let Some(part) = session.part() else { return };
    let whole = session.name().unwrap_or_default();
    let tokens = theme::tokens(ui);
    let format = part.model.format.name().to_uppercase();
    let badge = paint::width_of(ui, &format, fonts::small_medium()) + 12.0 + 8.0;
    let badge = if most < badge + 80.0 { 0.0 } else { badge };
    let width = paint::width_of(ui, whole, fonts::medium()).min(most - badge - 8.0).max(0.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width + badge + 8.0, 28.0), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, whole));
    let room = Rect::from_min_size(rect.min, vec2(width + 1.0, rect.height()));
    let painter = ui.painter();
    let name = paint::name_in(painter, room, whole, fonts::medium(), tokens.text);
    if badge > 0.0 {
        list::badge(ui, pos2(name.right() + 8.0, rect.center().y), &format);
    }
    response.on_hover_text(&part.game_path);
}

fn centred_name(ui: &Ui, session: &Session, middle: f32, room: Rect) {
    let Some(name) = session.name() else { return };
    let tokens = theme::tokens(ui);
    let width = paint::width_of(ui, name, fonts::body()).min(room.width());
    let left = (middle - width / 2.0).clamp(room.left(), (room.right() - width).max(room.left()));
    if room.width() > 80.0 {
        let place = Rect::from_min_size(pos2(left, room.top()), vec2(width + 1.0, room.height()));
        paint::name_in(ui.painter(), place, name, fonts::body(), tokens.text2);
    }
}

/// The button that opens the menu of Samples, for the empty window.
pub fn samples_menu(ui: &mut Ui, actions: &mut Vec<Action>) {
    let button =
        Button::new("Open a sample").icon(icons::PERSON).word("Open a sample").rank(Rank::Flat).quiet().menu().show(ui);
    menu::below(&button, |ui| samples(ui, actions));
}
