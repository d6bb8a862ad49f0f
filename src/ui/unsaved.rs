//! Changes that are not saved: a strip between header and picture, and what is asked before they would be lost.

use egui::{Frame, Key, Margin, Modifiers, Panel, Rect, RichText, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{dialog, fonts, icons, paint, theme};
use maquette_assets::open::EditedFile;
use maquette_scene::session::{Action, EditAction, Session, UnsavedAnswer};

/// Shows the strip, if something is not saved.
pub fn strip(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    if !session.has_unsaved() {
        return;
    }
    let tokens = theme::tokens(ui);
    let fill = theme::mix(tokens.panel, tokens.accent, 0.10);
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(12, 0));
    Panel::top("unsaved").exact_size(36.0).resizable(false).frame(frame).show(ui, |ui| {
        let strip = ui.max_rect();
        let icon = Rect::from_min_size(strip.min, vec2(16.0, strip.height()));
        paint::icon(ui.painter(), icon, icons::PENCIL, 16.0, tokens.accent);
        let save = Action::Edit(EditAction::SaveAs);
        let button = Button::of("Save model as", &save).word("Save…").rank(Emphasis::Raised);
        let width = button.width(ui);
        let place = Rect::from_min_size(pos2(strip.right() - width, strip.top() + 4.0), vec2(width, 28.0));
        actions.extend(button.show_at(ui, place, "save").clicked().then_some(save));
        let discard = Action::Edit(EditAction::Discard);
        let button = Button::of("Discard changes", &discard).word("Discard").rank(Emphasis::Raised);
        let button = button.note("Reads the file on disk again; can be undone");
        let width = button.width(ui);
        let place = Rect::from_min_size(pos2(place.left() - 6.0 - width, place.top()), vec2(width, 28.0));
        actions.extend(button.show_at(ui, place, "discard").clicked().then_some(discard));
        let text = text(session);
        let room = Rect::from_min_max(pos2(icon.right() + 8.0, strip.top()), pos2(place.left() - 8.0, strip.bottom()));
        let response = ui.interact(room, ui.scope_id().with("unsaved text"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
        paint::name_in(ui.painter(), room, &text, fonts::medium(), tokens.text);
        response.on_hover_text(&text);
    });
}

/// Which files, where that is not clear, and whether another program has changed one.
fn text(session: &Session) -> String {
    let names: Vec<&str> = session.unsaved().map(|part| part.asset.name.as_str()).collect();
    let of =
        if session.document.scene.entities().len() > 1 { format!(": {}", names.join(", ")) } else { String::new() };
    let is_outdated = session.unsaved().any(|part| part.asset.edited.as_ref().is_some_and(EditedFile::is_outdated));
    let disk = if is_outdated { "; the file changed on disk" } else { "" };
    format!("Unsaved changes{of}{disk}")
}

/// Asks what is to be done with unsaved changes.
pub fn ask(root: &Ui, session: &Session, actions: &mut Vec<Action>) {
    if session.interface.unsaved_prompt.is_none() || session.interface.path_field.is_some() {
        return;
    }
    let names: Vec<&str> = session.unsaved().map(|part| part.asset.name.as_str()).collect();
    let answer = |answer| Action::Edit(EditAction::Answer(answer));
    let close = dialog::show_sized(root, "Unsaved changes", vec2(440.0, 156.0), |ui| {
        let tokens = theme::tokens(ui);
        Frame::new().inner_margin(Margin::symmetric(16, 4)).show(ui, |ui| {
            let text = match names.as_slice() {
                [] => "Changes are being made.".to_owned(),
                [one] => format!("{one} has unsaved changes."),
                several => format!("{} have unsaved changes.", several.join(", ")),
            };
            ui.add(egui::Label::new(RichText::new(text).color(tokens.text)).wrap());
            ui.add(egui::Label::new(RichText::new("Discarded changes cannot be restored.").color(tokens.text2)).wrap());
            ui.add_space(16.0);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                let free = ui.memory(|memory| memory.focused()).is_none();
                let entered = free && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter));
                if Button::new("Save").word("Save…").rank(Emphasis::Main).show(ui).clicked() || entered {
                    actions.push(answer(UnsavedAnswer::Save));
                }
                if Button::new("Discard").word("Discard").rank(Emphasis::Raised).show(ui).clicked() {
                    actions.push(answer(UnsavedAnswer::Discard));
                }
                if Button::new("Cancel").word("Cancel").rank(Emphasis::Raised).show(ui).clicked() {
                    actions.push(answer(UnsavedAnswer::Cancel));
                }
            });
        });
    });
    if close {
        actions.push(answer(UnsavedAnswer::Cancel));
    }
}
