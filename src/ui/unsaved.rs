//! Unsaved changes: strip above the view, and the dialog that asks before they, or a running export, would be lost.

use egui::{Frame, Label, Margin, Panel, RichText, Role, Ui, vec2};

use super::{Button, Emphasis, Row, dialog, fonts, icons, theme};
use maquette_assets::open::EditedFile;
use maquette_scene::session::{Action, EditAction, Session, UnsavedAnswer};

pub fn strip(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    if !session.document.has_unsaved() {
        return;
    }
    let tokens = theme::tokens(ui);
    let fill = theme::mix(tokens.panel, tokens.accent, 0.10);
    let frame = Frame::new().fill(fill).inner_margin(Margin::symmetric(12, 0));
    Panel::top("unsaved").exact_size(36.0).resizable(false).frame(frame).show(ui, |ui| {
        let text = text(session);
        let [save, discard] = [EditAction::Save, EditAction::Discard].map(Action::Edit);
        let buttons = [
            Button::of("Save model", &save).word("Save").rank(Emphasis::Raised),
            Button::of("Discard changes", &discard)
                .word("Discard")
                .rank(Emphasis::Raised)
                .note("Read the file on disk again; can be undone"),
        ];
        let row = Row::label(&text).role(Role::Status).icon_in(icons::PENCIL, tokens.accent).font(fonts::medium());
        let (shown, clicked) = row.inset(0.0).margin(0.0).height(36.0).show_with(ui, "unsaved", &buttons);
        shown.response.on_hover_text(&text);
        actions.extend(clicked.map(|index| if index == 0 { save } else { discard }));
    });
}

/// Returns the text of the strip. The text lists the files if there are several parts, and warns if another program
/// changed a file.
fn text(session: &Session) -> String {
    let has_several = session.document.scene.entities().len() > 1;
    let is_other = session.document.unsaved().any(|part| part.asset.unsaved_name() != part.asset.name);
    let of = if has_several || is_other { format!(": {}", names(session).join(", ")) } else { String::new() };
    let is_outdated =
        session.document.unsaved().any(|part| part.asset.edited.as_ref().is_some_and(EditedFile::is_outdated));
    let disk = if is_outdated { "; the file changed on disk" } else { "" };
    format!("Unsaved changes{of}{disk}")
}

fn names(session: &Session) -> Vec<String> {
    session.document.unsaved().map(|part| part.asset.unsaved_name()).collect()
}

pub fn ask(root: &Ui, session: &Session, actions: &mut Vec<Action>) {
    if session.interface.unsaved_prompt.is_none() || session.interface.path_field.is_some() {
        return;
    }
    if let Some(work) = session.jobs.work.as_ref().filter(|_| names(session).is_empty()) {
        let texts = [work.text(), "Quit cancels the export. No file is written.".to_owned()];
        let buttons = [dialog::confirm("Keep exporting", "Keep exporting"), dialog::other("Quit")];
        let answers = [UnsavedAnswer::Cancel, UnsavedAnswer::Discard];
        return ask_with(root, "Export is running", &texts, &buttons, &answers, actions);
    }
    let text = match names(session).as_slice() {
        [] => "Changes are being applied.".to_owned(),
        [one] => format!("{one} has unsaved changes."),
        several => format!("{} have unsaved changes.", several.join(", ")),
    };
    let texts = [text, "Discarded changes cannot be restored.".to_owned()];
    let buttons = [dialog::confirm("Save", "Save…"), dialog::other("Discard"), dialog::other("Cancel")];
    let answers = [UnsavedAnswer::Save, UnsavedAnswer::Discard, UnsavedAnswer::Cancel];
    ask_with(root, "Unsaved changes", &texts, &buttons, &answers, actions);
}

/// Shows a dialog with one answer per button. Enter gives the first one, Escape cancels.
fn ask_with(
    root: &Ui,
    title: &str,
    [question, consequence]: &[String; 2],
    buttons: &[Button<'_>],
    answers: &[UnsavedAnswer],
    actions: &mut Vec<Action>,
) {
    let answer = |answer| Action::Edit(EditAction::Answer(answer));
    let close = dialog::show_sized(root, title, vec2(440.0, 156.0), |ui| {
        let tokens = theme::tokens(ui);
        Frame::new().inner_margin(Margin::symmetric(16, 4)).show(ui, |ui| {
            ui.add(Label::new(RichText::new(question).color(tokens.text)).wrap());
            ui.add(Label::new(RichText::new(consequence).color(tokens.text2)).wrap());
        });
        let entered = dialog::is_entered(ui).then_some(0);
        let clicked = dialog::footer(ui, RichText::default(), buttons).or(entered);
        actions.extend(clicked.and_then(|index| answers.get(index).copied()).map(answer));
    });
    actions.extend(close.then(|| answer(UnsavedAnswer::Cancel)));
}
