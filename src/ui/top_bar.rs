//! Top bar: menus of the commands, model name, panel buttons and theme.

use egui::containers::menu::{MenuBar, MenuState};
use egui::{Color32, Key, Modifiers, Popup, Pos2, Rect, Response, Role, Stroke, Ui, pos2, vec2};

use super::layout::WindowLayout;
use super::{
    Button, access, arrange, display_menus, fonts, format, header, icons, inspector, light_menu, menu, paint, palette,
    text, theme,
};
use maquette_assets::open::sample_formats;
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{
    Action, COMMANDS, Dialog, DisplayAction, FileAction, Group, Session, SidePanel, THEME, WindowAction,
};

/// Shows the bar. Its end gets the width of the last frame, so that Tab goes from left to right.
pub fn show(ui: &mut Ui, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
    let bar = ui.max_rect();
    let id = ui.scope_id().with("end");
    let known: f32 = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let (start, end) = bar.split_left_right_at_x((bar.right() - known).max(bar.left()));
    arrange::within(ui, start, "start", |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(if layout.folded { 6.0 } else { 7.0 });
        if layout.folded {
            folded_menus(ui, session, actions);
            dialog_button(ui, "Search commands and models", icons::SEARCH, Dialog::Palette, actions);
            let count = if layout.status { 0.0 } else { 64.0 };
            model_name(ui, session, ui.available_width() - count);
            if !layout.status {
                issues(ui, session, actions);
            }
        } else {
            menus(ui, session, actions);
            find_field(ui, session, layout, bar.center(), actions);
        }
    });
    let width = arrange::within(ui, end, "end", |ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(4.0);
        if layout.folded && session.asset().is_some() {
            header::folded(ui, session, bar.width(), actions);
            menu::divider(ui);
        }
        if !layout.status && !layout.folded {
            issues(ui, session, actions);
        }
        panels(ui, session, layout, actions);
        if !layout.folded {
            menu::divider(ui);
            theme_button(ui, actions);
            dialog_button(ui, "Settings", icons::SETTINGS, Dialog::Settings, actions);
        }
        ui.add_space(4.0);
        ui.min_rect().width()
    });
    if (width - known).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, width));
        ui.ctx().request_discard("width of the top bar");
    }
}

fn dialog_button(ui: &mut Ui, name: &str, icon: &str, dialog: Dialog, actions: &mut Vec<Action>) {
    let action = Action::Window(WindowAction::ToggleDialog(dialog));
    Button::new(name).icon(icon).push(ui, action, actions);
}

/// Shows the palette button, centred if there is room. While the inspector is closed, the button shows the model's
/// name.
fn find_field(ui: &Ui, session: &Session, layout: &WindowLayout, middle: Pos2, actions: &mut Vec<Action>) {
    let bar_rect = ui.available_rect_before_wrap().shrink2(vec2(12.0, 0.0));
    let width = 300.0_f32.min(bar_rect.width());
    if width < 120.0 {
        return;
    }
    let left = (middle.x - width / 2.0).clamp(bar_rect.left(), bar_rect.right() - width).round();
    let button_rect = Rect::from_min_size(pos2(left, middle.y - 14.0), vec2(width, 28.0));
    let name = session.starred_name().filter(|_| !layout.inspector);
    palette::search_button(ui, button_rect, name.as_deref(), actions);
}

fn menus(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let style = |style: &mut egui::Style| {
        style.spacing.button_padding = vec2(10.0, 5.0);
        style.spacing.item_spacing.x = 0.0;
        style.visuals.widgets.inactive.weak_bg_fill = Color32::TRANSPARENT;
        style.visuals.widgets.inactive.bg_stroke = Stroke::NONE;
    };
    ui.scope(|ui| {
        // Limit the width, because the menu bar would fill the available width.
        let words = Group::ALL.iter().map(|group| paint::width_of(ui, group.label(), fonts::body()) + 20.0);
        ui.set_max_width(words.sum());
        MenuBar::new().style(style).ui(ui, |ui| {
            access::region(ui, Role::MenuBar, "Menus");
            let buttons = Group::ALL.iter().map(|group| {
                let button = ui.button(group.label());
                let popup = Popup::menu(&button).style(menu::style);
                let open = popup.show(|ui| menu::frame(ui, |ui| rows(ui, *group, None, session, actions)));
                access::opens_menu(&button, open.is_some());
                button
            });
            let buttons: Vec<Response> = buttons.collect();
            if !session.has_dialog() {
                open_by_key(ui, &buttons);
            }
            step_menus(ui, &buttons);
        });
    });
}

/// Opens the menu whose name starts with the letter that is pressed with Alt. In a text field, Alt types letters.
fn open_by_key(ui: &Ui, buttons: &[Response]) {
    for (group, button) in Group::ALL.iter().zip(buttons) {
        let key = group.label().get(..1).and_then(Key::from_name);
        if key.is_some_and(|key| takes_alt(ui, key)) {
            open_menu(ui, button);
        }
    }
}

fn takes_alt(ui: &Ui, key: Key) -> bool {
    !ui.ctx().text_edit_focused()
        && ui.input_mut(|input| !input.modifiers.shift && input.consume_key(Modifiers::ALT, key))
}

fn open_menu(ui: &Ui, button: &Response) {
    Popup::open_id(ui.ctx(), Popup::default_response_id(button));
    button.request_focus();
    ui.request_repaint();
}

/// Steps between open menus. The pointer opens the menus that it enters. Left and Right open the neighbours, unless
/// these keys open or close a submenu.
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
    // While the pointer rests, only the keys change menus.
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
    if !session.has_dialog() && takes_alt(ui, Key::F) {
        open_menu(ui, &button);
    }
    menu::below(&button, |ui| {
        for group in Group::ALL {
            menu::leading_on(ui, group.label(), |ui| rows(ui, *group, None, session, actions));
        }
    });
}

/// Shows the rows of a menu, or of the submenu `within`.
fn rows(ui: &mut Ui, group: Group, within: Option<&str>, session: &Session, actions: &mut Vec<Action>) {
    let mut first = true;
    let mut submenu = None;
    for command in COMMANDS.iter().filter(|command| command.group == group) {
        if within.is_some() && command.submenu != within {
            continue;
        }
        if let Some(word) = command.submenu.filter(|_| within.is_none()) {
            // The submenu replaces the first of its rows.
            if submenu.replace(word) != Some(word) {
                menu::leading_on(ui, word, |ui| rows(ui, group, Some(word), session, actions));
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
        menu::command(ui, session, &command.action, actions);
    }
    if group == Group::Display && within.is_none() {
        menu::separator(ui);
        menu::settings_leading_on(ui, "Background", |ui| light_menu::backgrounds(ui, session, actions));
    }
    if group == Group::View && within.is_none() {
        menu::separator(ui);
        menu::leading_on(ui, THEME.label, |ui| menu::values(ui, (THEME.values)(session), actions));
    }
}

fn recent(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let recent = &session.preferences.recent;
    if recent.is_empty() {
        menu::Row::new("No recent files").disabled(true).show(ui);
        return;
    }
    for path in recent {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let folder = path.parent().and_then(|folder| folder.file_name()).unwrap_or_default().to_string_lossy();
        let row = menu::Row { value: folder.into_owned(), ..menu::Row::new(&name) };
        let open = Action::File(FileAction::Open(vec![path.clone()]));
        row.push(ui, open, actions).on_hover_text(path.display().to_string());
    }
    menu::separator(ui);
    menu::Row::new("Clear list").push(ui, Action::File(FileAction::ForgetRecent), actions);
}

pub fn samples(ui: &mut Ui, actions: &mut Vec<Action>) {
    for format in sample_formats() {
        let name = format!("{} — {}", format.title(), format.game());
        menu::item(ui, &name, Action::File(FileAction::OpenSample(format)), actions);
    }
}

fn theme_button(ui: &mut Ui, actions: &mut Vec<Action>) {
    let (name, icon, other) = if ui.visuals().dark_mode {
        ("Light theme", icons::MOON, ColourTheme::Light)
    } else {
        ("Dark theme", icons::SUN, ColourTheme::Dark)
    };
    Button::new(name).icon(icon).push(ui, Action::Window(WindowAction::SetTheme(Some(other))), actions);
}

fn panels(ui: &mut Ui, session: &Session, layout: &WindowLayout, actions: &mut Vec<Action>) {
    for (name, icon, panel) in
        [("Files", icons::PANEL_LEFT, SidePanel::Files), ("Inspector", icons::PANEL_RIGHT, SidePanel::Inspector)]
    {
        let action = Action::Window(WindowAction::TogglePanel(panel));
        let button = Button::new(name).icon(icon).open(layout.shows(panel));
        button.enabled(session.asset().is_some(), "Open a model first").push(ui, action, actions);
    }
}

/// Shows the number of issues, for windows without a status bar. A click opens the *Issues* section.
fn issues(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let counts = inspector::issue_counts(session);
    if counts[..2] != [0, 0] {
        let name = inspector::issue_summary(session);
        let number = format::count(counts[..2].iter().sum());
        let show = Action::Window(WindowAction::ShowSection("Issues"));
        Button::new(&name).warning().word(&number).push(ui, show, actions);
    }
}

fn model_name(ui: &mut Ui, session: &Session, max: f32) {
    let Some(part) = session.asset() else { return };
    let whole = session.starred_name().unwrap_or_default();
    let format = part.model.format().title();
    let badge = paint::width_of(ui, format, fonts::small()) + 20.0;
    let has_badge = max >= badge + 80.0;
    ui.scope(|ui| {
        ui.set_max_width(if has_badge { max - badge } else { max.max(0.0) });
        text::line(ui, &whole, fonts::medium(), theme::tokens(ui).text).on_hover_text(&part.game_path);
    });
    if has_badge {
        ui.add_space(4.0);
        text::chip(ui, format);
    }
}
