//! Settings dialog. All changes take effect immediately.

use egui::{Role, ScrollArea, Ui, WidgetInfo, vec2};

use super::{
    Button, Emphasis, Row, arrange, button, dialog, field, fonts, format, icons, light_menu, list, setting_rows, text,
    theme,
};
use maquette_core::formats::FormatDef;
use maquette_core::model::{AnimationFiles, Format};
use maquette_scene::scene::Background;
use maquette_scene::session::{
    Action, Dialog, DisplayAction, FileAction, FilePrompt, IMAGE_MEMORY, IMAGE_MEMORY_RANGE, Panel, Preference,
    Session, THUMBNAILS_LOADED, THUMBNAILS_ON_DISK, UNDO_HISTORY, WindowAction,
};

/// Shows the dialog. `thumbnails` is the memory of the loaded thumbnails, in bytes. Returns whether it should close.
pub fn show(root: &Ui, session: &Session, thumbnails: u64, actions: &mut Vec<Action>) -> bool {
    dialog::show(root, "Settings", 520.0, |ui| {
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
    })
}

fn row<R>(ui: &mut Ui, name: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    arrange::form_row(ui, dialog::EDGE, setting_rows::DIALOG_NAMED, name, controls)
}

fn text(ui: &mut Ui, text: &str) -> egui::Response {
    text::line(ui, text, fonts::body(), theme::tokens(ui).text2)
}

fn number(ui: &mut Ui, name: &str, shown: String, note: &str, usual: bool) -> Option<f64> {
    let tokens = theme::tokens(ui);
    let colour = if usual { tokens.text2 } else { tokens.text };
    let id = ui.scope_id().with(name);
    field::number_of(ui, id, 72.0, &field::Number { name, shown, note, framed: true, colour })
}

fn prefer(preference: Preference) -> Action {
    Action::Window(WindowAction::Prefer(preference))
}

fn appearance(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "Window");
    setting_rows::show(ui, session, Panel::Window, actions);
}

fn view(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "View");
    setting_rows::show(ui, session, Panel::View, actions);
    let background = session.view.display.background;
    row(ui, "Background", |ui| {
        let studio = Button::new("Studio").word("Studio").on(!matches!(background, Background::Colour(_)));
        studio.push(ui, Action::Display(DisplayAction::SetBackground(Background::Studio)), actions);
        ui.spacing_mut().item_spacing.x = 6.0;
        light_menu::colours(ui, background, actions);
        ui.spacing_mut().interact_size = vec2(26.0, 22.0);
        let mut colour = light_menu::colour_or_grey(background);
        let response = ui.color_edit_button_srgb(&mut colour);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Custom colour"));
        button::focus_ring(ui, response.has_focus(), response.rect.expand(2.0), 0.0);
        let set = Action::Display(DisplayAction::SetBackground(Background::Colour(colour)));
        actions.extend(response.changed().then_some(set));
        response.on_hover_ui(|ui| button::tip(ui, "Custom colour", ""));
        ui.weak("Custom…");
    });
    row(ui, "Antialiasing", |ui| text(ui, "4×; off during movement on software renderers"));
}

fn files(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "Files");
    let preferences = &session.preferences;
    setting_rows::show(ui, session, Panel::Files, actions);
    row(ui, "Image memory", |ui| {
        let note = "For the images of a model; one image may take a quarter of the limit";
        let (shown, usual) = (preferences.image_memory.to_string(), preferences.image_memory == IMAGE_MEMORY);
        if let Some(memory) = number(ui, "Image memory", shown, note, usual) {
            let (min, max) = IMAGE_MEMORY_RANGE;
            let memory = memory.clamp(f64::from(min), f64::from(max)).round();
            actions.push(prefer(Preference::ImageMemory(memory as u32)));
        }
        text(ui, "MB");
    });
}

fn search_folders(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "Search folders");
    for root in session.search_folders.iter().rev() {
        let path = root.display().to_string();
        let row = Row::label(&path).font(fonts::mono()).colour(theme::tokens(ui).text2);
        let word = format!("Remove {path}");
        let remove = [Button::new(&word).icon(icons::CLOSE)];
        if let (_, Some(_)) = row.inset(dialog::EDGE).margin(dialog::EDGE).height(32.0).show_with(ui, &path, &remove) {
            actions.push(Action::File(FileAction::RemoveRoot(root.clone())));
        }
    }
    ui.horizontal(|ui| {
        ui.add_space(dialog::EDGE);
        let button = Button::new("Add search folder…").icon(icons::FOLDER_OPEN).word("Add search folder…");
        button.rank(Emphasis::Raised).push(ui, Action::File(FileAction::Ask(FilePrompt::AddRoot)), actions);
    });
}

fn rates(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "Default frame rate");
    // Formats with animation files store the rate there, and static formats have no clips.
    let has_rate = |format: &FormatDef| {
        let has_clips = format.names_frames || format.companions.clip_lists;
        has_clips && format.companions.animations == AnimationFiles::None && !format.is_sampled
    };
    for format in Format::ALL.into_iter().filter(|format| has_rate(format.traits())) {
        let name = format.title();
        row(ui, name, |ui| {
            let own = session.preferences.rate_of(format);
            let shown = |rate: f32| format::short(f64::from(rate), 2);
            let (word, usual) = (format!("Default frame rate for {name}"), format.usual_rate());
            let note = "For clips whose file defines no rate";
            let rate = number(ui, &word, shown(own.unwrap_or(usual)), note, own.is_none());
            actions.extend(rate.map(|rate| prefer(Preference::Rate(format, Some(rate as f32)))));
            if own.is_none() {
                text(ui, format.game());
                return;
            }
            let word = format!("Reset to {}", shown(usual));
            let reset = Button::new(&word).icon(icons::RESET).word(&word);
            reset.push(ui, prefer(Preference::Rate(format, None)), actions);
        });
    }
}

fn caches(ui: &mut Ui, session: &Session, thumbnails: u64, actions: &mut Vec<Action>) {
    dialog::heading(ui, "Caches");
    let document = &session.document;
    let on_disk = session.interface.thumbnails_on_disk;
    let rows = [
        ("Thumbnails on disk", on_disk, THUMBNAILS_ON_DISK),
        ("Thumbnails loaded", Some(thumbnails), THUMBNAILS_LOADED),
        ("Undo history", Some(document.history.bytes(&document.scene)), UNDO_HISTORY),
    ];
    for (index, (name, bytes, budget)) in rows.into_iter().enumerate() {
        row(ui, name, |ui| {
            let shown = bytes.map_or_else(|| "–".to_owned(), format::bytes);
            let words = format!("{shown} of {}", format::bytes(budget));
            text(ui, &words).widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {words}")));
            if index == 0 {
                let clear = Button::new("Clear thumbnail cache").word("Clear").rank(Emphasis::Raised);
                let clear = clear.enabled(on_disk.is_none_or(|bytes| bytes > 0), "No thumbnails on disk");
                clear.push(ui, Action::File(FileAction::ClearThumbnails), actions);
            }
        });
    }
}

fn more(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    dialog::heading(ui, "More");
    let recent = session.preferences.recent.len();
    let rows = [
        ("Keyboard shortcuts…", icons::KEYBOARD, Action::Window(WindowAction::ToggleDialog(Dialog::Help)), true, ""),
        ("Reset layout", icons::RESET, Action::Window(WindowAction::ResetLayout), true, ""),
        ("Clear recent files", icons::HISTORY, Action::File(FileAction::ForgetRecent), recent > 0, "No recent files"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.add_space(dialog::EDGE);
        for (word, icon, action, usable, why_not) in rows {
            let button = Button::new(word).icon(icon).word(word).rank(Emphasis::Raised);
            button.enabled(usable, why_not).push(ui, action, actions);
        }
    });
}
