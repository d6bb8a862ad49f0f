//! The top bar: menus made of the table of commands, the model's name, panels and tone.

use egui::containers::menu::{MenuBar, MenuState};
use egui::{Align, Color32, Key, Layout, Popup, Rect, Response, Role, Stroke, Ui, pos2, vec2};

use super::button::{Button, Emphasis};
use super::layout::{RequestedPanel, WindowLayout};
use super::{
    access, display_menus, fonts, format, header, icons, inspector, light_menu, list, menu, paint, palette, theme,
    toggle_side,
};
use maquette_assets::open::sample_formats;
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{
    Action, COMMANDS, Command, Dialog, DisplayAction, FileAction, Group, Session, SidePanel, WindowAction,
};

/// Shows the bar.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    form: &WindowLayout,
    wanted: &mut RequestedPanel,
    inspector: &mut inspector::State,
    actions: &mut Vec<Action>,
) {
    let bar = ui.max_rect();
    ui.spacing_mut().item_spacing.x = 4.0;
    let right = ui
        .scope_builder(egui::UiBuilder::new().max_rect(bar).layout(Layout::right_to_left(Align::Center)), |ui| {
            ui.add_space(8.0);
            if !form.folded {
                let settings = Action::Window(WindowAction::ToggleDialog(Dialog::Settings));
                if Button::of("Settings", &settings).icon(icons::SETTINGS).show(ui).clicked() {
                    actions.push(settings);
                }
                tone_button(ui, session, actions);
                menu::divider(ui);
            }
            panels(ui, session, form, wanted, actions);
            if !form.status && !form.folded {
                issues(ui, session, form, wanted, inspector, actions);
            }
            if form.folded && session.asset().is_some() {
                menu::divider(ui);
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
                let find = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
                if Button::of("Search commands and models", &find).icon(icons::SEARCH).show(ui).clicked() {
                    actions.push(find);
                }
                model_name(ui, session, beside.right() - 46.0 - 34.0 - count);
                if !form.status {
                    issues(ui, session, form, wanted, inspector, actions);
                }
            } else {
                ui.spacing_mut().item_spacing.x = 0.0;
                menus(ui, session, actions);
            }
        })
        .response
        .rect
        .left();
    // The bar of menus takes all the room there is; the words themselves end sooner.
    let words: f32 = Group::ALL.iter().map(|group| paint::width_of(ui, group.label(), fonts::body()) + 20.0).sum();
    let left = left + 7.0 + words;
    let room = Rect::from_min_max(pos2(left + 16.0, bar.top()), pos2(right - 16.0, bar.bottom()));
    if !form.folded {
        find_field(ui, session, form, bar, room, actions);
    }
}

/// The field that opens the palette, in the middle of the bar if there is room; it tells what stands there where nothing
/// else does.
fn find_field(ui: &Ui, session: &Session, form: &WindowLayout, bar: Rect, room: Rect, actions: &mut Vec<Action>) {
    let width = 300.0_f32.min(room.width());
    if width < 120.0 {
        return;
    }
    let left = (bar.center().x - width / 2.0).clamp(room.left(), room.right() - width).round();
    let place = Rect::from_min_size(pos2(left, bar.center().y - 14.0), vec2(width, 28.0));
    let name = session.starred_name().filter(|_| !form.inspector);
    palette::door(ui, place, name.as_deref().unwrap_or("Search commands and models"), actions);
}

fn menus(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let style = |style: &mut egui::Style| {
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.item_spacing.x = 0.0;
        style.visuals.widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        style.visuals.widgets.inactive.bg_stroke = Stroke::NONE;
    };
    MenuBar::new().style(style).ui(ui, |ui| {
        access::region(ui, Role::MenuBar, "Menus");
        let buttons = Group::ALL.map(|group| {
            let button = ui.button(group.label());
            let popup = Popup::menu(&button).style(menu::style);
            let open = popup.show(|ui| menu::frame(ui, |ui| rows(ui, group, session, actions)));
            access::opens_menu(&button, open.is_some());
            button
        });
        step_menus(ui, &buttons);
    });
}

/// While a menu of the bar is open, the pointer opens those it moves over, and Left and Right open the menus next to it
/// unless they lead into or out of a submenu.
fn step_menus(ui: &Ui, buttons: &[Response]) {
    let id = ui.scope_id().with("menu to focus");
    let entered = ui.data_mut(|data| data.remove_temp::<usize>(id)).and_then(|index| buttons.get(index));
    entered.into_iter().for_each(Response::request_focus);
    let popup = |button: &Response| Popup::default_response_id(button);
    let Some(open) = buttons.iter().position(|button| Popup::is_id_open(ui.ctx(), popup(button))) else { return };
    let (steps, has_moved) = ui.input(|input| {
        let pressed = |key| usize::from(input.key_pressed(key));
        let steps = pressed(Key::ArrowRight) + pressed(Key::ArrowLeft) * (buttons.len() - 1);
        (steps, input.pointer.delta() != egui::Vec2::ZERO)
    });
    let leads_on = |button| MenuState::from_id(ui.ctx(), popup(button), |state| state.open_item.is_some());
    // A pointer that rests on a button leaves the menus to the keys.
    let mut next = buttons.iter().position(|button| has_moved && button.hovered()).unwrap_or(open);
    if steps > 0 && !buttons.get(open).is_some_and(leads_on) {
        next = (open + steps) % buttons.len();
        // Left moves the focus to the button of the menu that was open, in the next frame.
        ui.data_mut(|data| data.insert_temp(id, next));
    }
    if let Some(button) = buttons.get(next).filter(|_| next != open) {
        Popup::open_id(ui.ctx(), popup(button));
        ui.request_repaint();
    }
}

fn folded_menus(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let button = Button::new("Menu").icon(icons::MENU).show(ui);
    menu::below(&button, |ui| {
        for group in Group::ALL {
            menu::leading_on(ui, group.label(), |ui| rows(ui, group, session, actions));
        }
    });
}

fn rows(ui: &mut Ui, group: Group, session: &Session, actions: &mut Vec<Action>) {
    let mut first = true;
    let mut submenu = None;
    for command in COMMANDS.iter().filter(|command| command.group == group) {
        if let Some(word) = command.submenu {
            // It stands where the first of its rows would.
            if submenu.replace(word) != Some(word) {
                menu::leading_on(ui, word, |ui| rows_within(ui, word, session, actions));
            }
            continue;
        }
        if command.action == Action::File(FileAction::RestoreLast) {
            menu::leading_on(ui, "Sample models", |ui| samples(ui, actions));
            menu::leading_on(ui, "Open recent", |ui| recent(ui, session, actions));
        }
        if !first && command.after_line {
            menu::separator(ui);
        }
        first = false;
        if command.action == Action::Display(DisplayAction::CycleShading) {
            menu::leading_on(ui, "Shading", |ui| display_menus::shadings(ui, session, actions));
        }
        command_row(ui, command, session, actions);
    }
    if group == Group::Display {
        menu::separator(ui);
        menu::settings_leading_on(ui, "Background", |ui| light_menu::backgrounds(ui, session, actions));
    }
    if group == Group::View {
        menu::separator(ui);
        menu::leading_on(ui, "Theme", |ui| tones(ui, session, actions));
    }
}

/// The rows of a menu within one of the bar's.
fn rows_within(ui: &mut Ui, submenu: &str, session: &Session, actions: &mut Vec<Action>) {
    for (index, command) in COMMANDS.iter().filter(|command| command.submenu == Some(submenu)).enumerate() {
        if index > 0 && command.after_line {
            menu::separator(ui);
        }
        command_row(ui, command, session, actions);
    }
}

fn command_row(ui: &mut Ui, command: &'static Command, session: &Session, actions: &mut Vec<Action>) {
    let word = command.label_now(session);
    let row = menu::Row {
        word: &word,
        on: command.is_checked(session),
        disabled: !command.is_enabled(session),
        ..menu::Row::command(command)
    };
    let response = row.show(ui);
    actions.extend(response.clicked().then(|| command.action.clone()));
    if let Some(why) = command.why_not(session) {
        response.on_disabled_hover_text(why);
    }
}

/// What was opened before, the newest first.
fn recent(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let recent = &session.preferences.recent;
    if recent.is_empty() {
        menu::Row { word: "No recent files", disabled: true, ..menu::Row::default() }.show(ui);
        return;
    }
    for path in recent {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(|folder| folder.file_name()).unwrap_or_default().to_string_lossy();
        let row = menu::Row { word: &name, value: folder.into_owned(), ..menu::Row::default() }.show(ui);
        actions.extend(row.clicked().then(|| Action::File(FileAction::Open(vec![path.clone()]))));
        row.on_hover_text(path.display().to_string());
    }
    menu::separator(ui);
    actions.extend(menu::Row::new("Clear list").show(ui).clicked().then_some(Action::File(FileAction::ForgetRecent)));
}

fn samples(ui: &mut Ui, actions: &mut Vec<Action>) {
    for format in sample_formats() {
        let name = format!("{} — {}", format.name().to_uppercase(), format.game());
        if menu::Row::new(&name).show(ui).clicked() {
            actions.push(Action::File(FileAction::OpenSample(format)));
        }
    }
}

fn tones(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (tone, word) in [(None, "System"), (Some(ColourTheme::Dark), "Dark"), (Some(ColourTheme::Light), "Light")] {
        let row = menu::Row::new(word).on(session.interface.tone == tone);
        actions.extend(row.show(ui).clicked().then_some(Action::Window(WindowAction::SetTone(tone))));
    }
}

fn tone_button(ui: &mut Ui, _session: &Session, actions: &mut Vec<Action>) {
    let dark = ui.visuals().dark_mode;
    let (name, icon, other) = if dark {
        ("Light theme", icons::MOON, ColourTheme::Light)
    } else {
        ("Dark theme", icons::SUN, ColourTheme::Dark)
    };
    if Button::new(name).icon(icon).show(ui).clicked() {
        actions.push(Action::Window(WindowAction::SetTone(Some(other))));
    }
}

fn panels(ui: &mut Ui, session: &Session, form: &WindowLayout, wanted: &mut RequestedPanel, actions: &mut Vec<Action>) {
    let usable = session.asset().is_some();
    for (name, icon, panel) in
        [("Inspector", icons::PANEL_RIGHT, SidePanel::Inspector), ("Files", icons::PANEL_LEFT, SidePanel::Files)]
    {
        let button =
            Button::of(name, &Action::Window(WindowAction::TogglePanel(panel))).icon(icon).open(form.shows(panel));
        if button.enabled(usable, "Open a model first").show(ui).clicked() {
            toggle_side(panel, session, form, wanted, actions);
        }
    }
}

/// The count of what was odd, for windows without status bar; a click shows the list.
pub fn issues(
    ui: &mut Ui,
    session: &Session,
    form: &WindowLayout,
    wanted: &mut RequestedPanel,
    inspector: &mut inspector::State,
    actions: &mut Vec<Action>,
) {
    let counts = inspector::issue_counts(session);
    if counts == [0, 0] {
        return;
    }
    let name = inspector::issue_summary(counts);
    let number = format::count(counts.iter().sum());
    let response = Button::new(&name).warning().word(&number).show(ui);
    show_issues(&response, session, form, wanted, inspector, actions);
}

/// A click on `response` opens the list of issues.
pub fn show_issues(
    response: &Response,
    session: &Session,
    form: &WindowLayout,
    wanted: &mut RequestedPanel,
    inspector: &mut inspector::State,
    actions: &mut Vec<Action>,
) {
    if response.clicked() {
        inspector.show_issues();
        if !form.inspector {
            toggle_side(SidePanel::Inspector, session, form, wanted, actions);
        }
    }
}

fn model_name(ui: &mut Ui, session: &Session, most: f32) {
    let Some(part) = session.asset() else { return };
    let whole = session.starred_name().unwrap_or_default();
    let tokens = theme::tokens(ui);
    let format = part.model.format().name().to_uppercase();
    let badge = paint::width_of(ui, &format, fonts::small_medium()) + 12.0 + 8.0;
    let badge = if most < badge + 80.0 { 0.0 } else { badge };
    let width = paint::width_of(ui, &whole, fonts::medium()).min(most - badge - 8.0).max(0.0);
    let (rect, response) = ui.allocate_exact_size(vec2(width + badge + 8.0, 28.0), egui::Sense::hover());
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &whole));
    let room = Rect::from_min_size(rect.min, vec2(width + 1.0, rect.height()));
    let painter = ui.painter();
    let name = paint::name_in(painter, room, &whole, fonts::medium(), tokens.text);
    if badge > 0.0 {
        list::badge(ui, pos2(name.right() + 8.0, rect.center().y), &format);
    }
    response.on_hover_text(&part.game_path);
}

/// The button that opens the menu of Samples, for the empty window.
pub fn samples_menu(ui: &mut Ui, actions: &mut Vec<Action>) {
    let button = Button::new("Sample models")
        .icon(icons::PERSON)
        .word("Sample models")
        .rank(Emphasis::Flat)
        .quiet()
        .menu()
        .show(ui);
    menu::below(&button, |ui| samples(ui, actions));
}
