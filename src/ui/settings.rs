//! The sheet of settings: what is remembered from start to start. Everything takes effect at once.

use egui::{Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{checkbox, dialog, field, fonts, format, icons, light_menu, list, paint, segmented_control, theme};
use maquette_core::model::Format;
use maquette_scene::scene::{Background, ColourTheme};
use maquette_scene::session::{
    Action, CameraAction, Dialog, DisplayAction, FileAction, FilePrompt, IMAGE_MEMORY, IMAGE_MEMORY_RANGE, Navigation,
    Preference, SCALES, Session, THUMBNAILS_LOADED, THUMBNAILS_ON_DISK, UNDO_HISTORY, WindowAction,
};

/// Where the controls of rows begin.
const CONTROLS: f32 = 160.0;

/// Shows the sheet. `thumbnails` is how many bytes of them are loaded.
pub fn show(root: &Ui, session: &Session, thumbnails: u64, actions: &mut Vec<Action>) {
    let close = dialog::show(root, "Settings", 520.0, |ui| {
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().item_spacing.y = 0.0;
            appearance(ui, session, actions);
            view(ui, session, actions);
            files(ui, session, actions);
            search_folders(ui, session, actions);
            rates(ui, session, actions);
            caches(ui, session, thumbnails, actions);
            more(ui, session, actions);
            ui.add_space(12.0);
            list::follow_focus(ui);
        });
    });
    if close {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Settings)));
    }
}

fn heading(ui: &mut Ui, text: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 36.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top() + 8.0), rect.max);
    paint::text_in(ui.painter(), room, text, fonts::strong(), theme::tokens(ui).text);
}

/// A row with a name; gives the room for its controls.
fn row(ui: &mut Ui, name: &str) -> Rect {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 36.0));
    paint::text_in(ui.painter(), list::inside(rect, 16.0, 16.0), name, fonts::body(), theme::tokens(ui).text2);
    Rect::from_min_max(pos2(rect.left() + CONTROLS, rect.top() + 4.0), pos2(rect.right() - 16.0, rect.top() + 32.0))
}

/// A choice of few. Gives what was chosen anew.
fn choice<T: Copy + PartialEq>(ui: &mut Ui, name: &str, values: &[(T, impl AsRef<str>)], current: T) -> Option<T> {
    let room = row(ui, name);
    let width = segmented_control::width(ui, values).min(room.width());
    let field = Rect::from_min_size(room.min, vec2(width, segmented_control::HEIGHT));
    segmented_control::show(ui, field, name, Role::RadioButton, values, current)
}

fn switch(ui: &mut Ui, name: &str, on: bool, what: fn(bool) -> Preference, actions: &mut Vec<Action>) {
    let action = Action::Window(WindowAction::Prefer(what(!on)));
    if checkbox::show(ui, name, on, &action, 16.0) {
        actions.push(action);
    }
}

fn appearance(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "Window");
    let tones = [(None, "System"), (Some(ColourTheme::Dark), "Dark"), (Some(ColourTheme::Light), "Light")];
    let chosen = choice(ui, "Theme", &tones, session.interface.tone);
    actions.extend(chosen.map(|tone| Action::Window(WindowAction::SetTone(tone))));
    let preferences = &session.preferences;
    let scales = SCALES.map(|scale| (scale, format!("{:.0} %", scale * 100.0)));
    let nearest = SCALES.into_iter().find(|scale| (scale - preferences.scale).abs() < 1e-3);
    let chosen = choice(ui, "Interface scale", &scales, nearest.unwrap_or(f32::NAN));
    actions.extend(chosen.map(|scale| Action::Window(WindowAction::Prefer(Preference::Scale(scale)))));
    let chosen = choice(ui, "Inspector", &[(false, "Right"), (true, "Left")], preferences.panels.swapped);
    actions.extend(chosen.map(|swapped| Action::Window(WindowAction::Prefer(Preference::SwapPanels(swapped)))));
    switch(ui, "Reduce motion", preferences.reduced_motion, Preference::ReducedMotion, actions);
}

fn view(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "View");
    let navigations = Navigation::ALL.map(|navigation| (navigation, navigation.label()));
    let chosen = choice(ui, "Navigation", &navigations, session.view.navigation);
    actions.extend(chosen.map(|navigation| Action::Camera(CameraAction::SetNavigation(navigation))));
    let room = row(ui, "Background");
    let background = session.view.display.background;
    let studio = Button::new("Studio").word("Studio").on(!matches!(background, Background::Colour(_)));
    let place = Rect::from_min_size(room.min, vec2(studio.width(ui), 28.0));
    if studio.show_at(ui, place, "studio").clicked() {
        actions.push(Action::Display(DisplayAction::SetBackground(Background::Studio)));
    }
    let rest = Rect::from_min_max(pos2(place.right() + 8.0, room.top()), room.max);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    ui.scope_builder(egui::UiBuilder::new().max_rect(rest).layout(layout).id_salt("colours"), |ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        light_menu::colours(ui, background, actions);
    });
    let room = row(ui, "Antialiasing");
    let words = "4×; off while moving on software renderers";
    paint::text_in(ui.painter(), room, words, fonts::body(), theme::tokens(ui).text2);
}

fn files(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "Files");
    let preferences = &session.preferences;
    switch(ui, "Reload files when they change on disk", preferences.watch, Preference::Watch, actions);
    switch(ui, "Reopen last session at startup", preferences.restore, Preference::Restore, actions);
    let tokens = theme::tokens(ui);
    let room = row(ui, "Image memory");
    let number = field::Number {
        name: "Image memory",
        shown: preferences.image_memory.to_string(),
        note: "For the images of a model; one image may take a quarter of it",
        framed: true,
        colour: if preferences.image_memory == IMAGE_MEMORY { tokens.text2 } else { tokens.text },
    };
    let place = Rect::from_min_size(room.min, vec2(72.0, 28.0));
    if let Some(memory) = field::number(ui, ui.scope_id().with("image memory"), place, &number) {
        let (least, most) = IMAGE_MEMORY_RANGE;
        let memory = memory.clamp(f64::from(least), f64::from(most)).round();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
        actions.push(Action::Window(WindowAction::Prefer(Preference::ImageMemory(memory as u32))));
    }
    let rest = Rect::from_min_max(pos2(place.right() + 10.0, room.top()), room.max);
    paint::text_in(ui.painter(), rest, "MB", fonts::body(), tokens.text2);
}

fn search_folders(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "Search folders");
    let tokens = theme::tokens(ui);
    for root in session.search_folders.iter().rev() {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 32.0));
        let place = Rect::from_min_size(pos2(rect.right() - 44.0, rect.top() + 2.0), vec2(28.0, 28.0));
        let path = root.display().to_string();
        let word = format!("Remove {path}");
        if Button::new(&word).icon(icons::CLOSE).show_at(ui, place, ("remove", root)).clicked() {
            actions.push(Action::File(FileAction::RemoveRoot(root.clone())));
        }
        let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top()), pos2(place.left() - 8.0, rect.bottom()));
        paint::name_in(ui.painter(), room, &path, fonts::mono(), tokens.text2);
    }
    let add = Action::File(FileAction::Ask(FilePrompt::AddRoot));
    ui.horizontal(|ui| {
        ui.add_space(16.0);
        let button = Button::of("Add search folder…", &add).icon(icons::FOLDER_OPEN).word("Add search folder…");
        actions.extend(button.rank(Emphasis::Raised).show(ui).clicked().then_some(add));
    });
}

fn rates(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "Default frame rate");
    let tokens = theme::tokens(ui);
    // An animation file names its rate.
    for format in Format::ALL.into_iter().filter(|format| !format.traits().companions.animations) {
        let name = format.name().to_uppercase();
        let room = row(ui, &name);
        let own = session.preferences.rate_of(format);
        let usual = format.usual_rate();
        let number = field::Number {
            name: &format!("Default frame rate for {name}"),
            shown: format::short(f64::from(own.unwrap_or(usual)), 2),
            note: "For clips whose file defines no rate",
            framed: true,
            colour: if own.is_some() { tokens.text } else { tokens.text2 },
        };
        let place = Rect::from_min_size(room.min, vec2(72.0, 28.0));
        if let Some(rate) = field::number(ui, ui.scope_id().with(("rate", format)), place, &number) {
            actions.push(Action::Window(WindowAction::Prefer(Preference::Rate(format, Some(rate as f32)))));
        }
        if own.is_some() {
            let word = format!("Reset to {}", format::short(f64::from(usual), 2));
            let button = Button::new(&word).icon(icons::RESET).word(&word);
            let place = Rect::from_min_size(pos2(place.right() + 8.0, room.top()), vec2(button.width(ui), 28.0));
            if button.show_at(ui, place, ("usual", format)).clicked() {
                actions.push(Action::Window(WindowAction::Prefer(Preference::Rate(format, None))));
            }
        } else {
            let rest = Rect::from_min_max(pos2(place.right() + 10.0, room.top()), room.max);
            paint::text_in(ui.painter(), rest, format.game(), fonts::body(), tokens.text2);
        }
    }
}

/// How much is kept, of how much at most.
fn caches(ui: &mut Ui, session: &Session, thumbnails: u64, actions: &mut Vec<Action>) {
    heading(ui, "Caches");
    let document = &session.document;
    let on_disk = session.interface.thumbnails_on_disk;
    let rows = [
        ("Thumbnails on disk", on_disk, THUMBNAILS_ON_DISK),
        ("Thumbnails loaded", Some(thumbnails), THUMBNAILS_LOADED),
        ("Undo history", Some(document.history.bytes(&document.scene)), UNDO_HISTORY),
    ];
    for (index, (name, bytes, budget)) in rows.into_iter().enumerate() {
        let room = row(ui, name);
        let shown = bytes.map_or_else(|| "–".to_owned(), format::bytes);
        let words = format!("{shown} of {}", format::bytes(budget));
        paint::text_in(ui.painter(), room, &words, fonts::body(), theme::tokens(ui).text2);
        let told = ui.interact(room.with_max_x(room.left() + 128.0), ui.scope_id().with(name), Sense::hover());
        told.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {words}")));
        if index == 0 {
            let clear = Action::File(FileAction::ClearThumbnails);
            let usable = on_disk.is_none_or(|bytes| bytes > 0);
            let button = Button::of("Clear thumbnail cache", &clear).word("Clear").rank(Emphasis::Raised);
            let button = button.enabled(usable, "No thumbnails on disk");
            let place = Rect::from_min_size(pos2(room.left() + 136.0, room.top()), vec2(button.width(ui), 28.0));
            actions.extend(button.show_at(ui, place, "clear thumbnails").clicked().then_some(clear));
        }
    }
}

fn more(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    heading(ui, "More");
    let recent = session.preferences.recent.len();
    let rows = [
        ("Keyboard shortcuts…", icons::KEYBOARD, Action::Window(WindowAction::ToggleDialog(Dialog::Help)), true, ""),
        ("Reset layout", icons::RESET, Action::Window(WindowAction::ResetLayout), true, ""),
        ("Clear recent files", icons::HISTORY, Action::File(FileAction::ForgetRecent), recent > 0, "No recent files"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(16.0);
        for (word, icon, action, usable, why_not) in rows {
            let button =
                Button::of(word, &action).icon(icon).word(word).rank(Emphasis::Raised).enabled(usable, why_not);
            actions.extend(button.show(ui).clicked().then_some(action));
        }
    });
}
