//! Dialog for typing a path if no system file dialog is available.

use egui::{EventFilter, Frame, Id, Key, Label, Margin, Modifiers, RichText, Ui, vec2};

use super::{Row, dialog, field, fonts, list, theme};
use maquette_assets::vfs::split_extension;
use maquette_scene::session::{
    Action, FileAction, FilePrompt, FolderListing, OutputKind, PathField, Session, WindowAction, path_from_root,
    split_typed, typed_path,
};

const SHOWN: usize = 5;

#[derive(Debug, Default)]
pub struct State {
    text: String,
    open: bool,
    reason: String,
    asked: Option<String>,
    is_listed: bool,
    to_end: bool,
    /// Reason why the confirmed path is invalid. It is shown until the path changes.
    problem: Option<&'static str>,
}

pub fn show(root: &Ui, session: &Session, wanted: &PathField, state: &mut State, actions: &mut Vec<Action>) {
    let verb = match &wanted.purpose {
        FilePrompt::Open | FilePrompt::OpenFolder => "Open",
        FilePrompt::Attach(_) => "Attach",
        FilePrompt::Compare => "Compare",
        FilePrompt::TryTexture => "Apply",
        FilePrompt::AddRoot => "Add",
        FilePrompt::Save(OutputKind::Models) if session.jobs.saving.batch_edit.is_some() => "Save",
        FilePrompt::Save(product) => product.verb(),
    };
    let heading = match &wanted.purpose {
        FilePrompt::Open | FilePrompt::OpenFolder => "Open path".to_owned(),
        purpose => session.title_of(purpose),
    };
    // A different path does not replace the file.
    let replaces = wanted.replaces && (!state.open || state.reason != wanted.reason || state.text == wanted.text);
    let verb = if replaces { "Replace" } else { verb };
    if !state.open {
        state.text.clone_from(&wanted.text);
    } else if state.reason != wanted.reason {
        // Enter answers a new question, so focus the field.
        root.ctx().memory_mut(|memory| memory.request_focus(field_id()));
    }
    state.reason.clone_from(&wanted.reason);
    let mut confirmed = false;
    let (folder, _) = split_typed(&state.text);
    // The listing is missing if the session shows the dialog again.
    let is_gone = std::mem::replace(&mut state.is_listed, wanted.listing.is_some()) && wanted.listing.is_none();
    if is_gone || state.asked.as_deref() != Some(folder) {
        state.asked = Some(folder.to_owned());
        actions.push(Action::File(FileAction::ReadFolder(folder.to_owned())));
    }
    let listing = wanted.listing.as_ref();
    let close = dialog::show_sized(root, &heading, vec2(560.0, 156.0 + SHOWN as f32 * list::ROW + 8.0), |ui| {
        let tokens = theme::tokens(ui);
        let reason = if wanted.reason.is_empty() {
            "Enter a path".to_owned()
        } else if wanted.replaces {
            wanted.reason.clone()
        } else {
            format!("{}. Enter a path", wanted.reason)
        };
        Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
            let colour = if replaces || state.problem.is_some() { tokens.warn } else { tokens.text2 };
            ui.add(Label::new(RichText::new(state.problem.unwrap_or(&reason)).color(colour)).truncate());
            ui.add_space(4.0);
            confirmed = edit(ui, wanted, state) && ui.input(|input| input.key_pressed(Key::Enter));
            ui.add_space(4.0);
            suggestions(ui, listing, state);
            list::offer_focus(ui.ctx(), false);
        });
        let usable = !state.text.trim().is_empty();
        let confirm = dialog::confirm(verb, verb).enabled(usable, "Enter a path first");
        let clicked = dialog::footer(ui, RichText::default(), &[confirm, dialog::other("Cancel")]);
        confirmed |= clicked == Some(0);
        actions.extend((clicked == Some(1)).then_some(Action::Window(WindowAction::ClosePathField)));
    });
    let is_saved = matches!(wanted.purpose, FilePrompt::Save(_));
    let trouble_of = |path: &str| listing.and_then(|listing| listing.problem(path)).filter(|_| !is_saved);
    // The start of a name suffices if a single file matches.
    if confirmed
        && trouble_of(state.text.trim()).is_some()
        && let Some(file) = listing.and_then(|listing| listing.only_file(state.text.trim()))
    {
        state.text = file;
    }
    let typed = state.text.trim();
    // Only the stem is selected at first, so a name that is typed with its extension gets the extension twice.
    let (_, extension) = split_extension(&wanted.text);
    let end = format!(".{extension}");
    let path = typed.strip_suffix(&end).filter(|rest| is_saved && !extension.is_empty() && rest.ends_with(&end));
    let path = path.unwrap_or(typed);
    let trouble = trouble_of(path);
    state.problem = if confirmed { trouble } else { state.problem.filter(|_| trouble.is_some()) };
    if confirmed && state.problem.is_some() {
        // Focus the field, so that the text can be corrected.
        root.ctx().memory_mut(|memory| memory.request_focus(field_id()));
    } else if confirmed && !path.is_empty() {
        actions.extend(wanted.purpose.clone().action(vec![typed_path(path)], false));
    } else if close {
        actions.push(Action::Window(WindowAction::ClosePathField));
    }
}

fn field_id() -> Id {
    Id::unique("path field")
}

/// Shows the field. Returns whether it had the keyboard focus in this frame, so that Enter confirms the path.
fn edit(ui: &mut Ui, wanted: &PathField, state: &mut State) -> bool {
    let listing = wanted.listing.as_ref();
    let is_saved = matches!(wanted.purpose, FilePrompt::Save(_));
    let (offered, _) = split_typed(&wanted.text);
    let id = field_id();
    // Without a completion, Tab moves on to the buttons.
    let completed = listing.and_then(|listing| listing.completed(&state.text));
    let completes = completed.is_some();
    if let Some(completed) = completed
        && ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
    {
        state.text = completed;
        state.to_end = true;
    }
    // Arrow down moves the keyboard focus to the first of the names below.
    field::offer_focus_below(ui, id);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), field::HEIGHT));
    let output = field::line(ui, id, rect, &mut state.text, "Path", true);
    let filter = EventFilter { tab: completes, horizontal_arrows: true, vertical_arrows: true, escape: false };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
    let cursor = output.state.cursor.char_range().map_or(usize::MAX, |range| range.primary.index.0);
    let typed: String = state.text.chars().take(cursor).collect();
    if let Some(whole) = path_from_root(&typed, offered).map(str::to_owned) {
        state.text = whole;
        state.to_end = true;
    }
    // An Enter from before the field was shown must not confirm the offered path.
    let was_open = std::mem::replace(&mut state.open, true);
    let response = &output.response.response;
    if !was_open {
        response.request_focus();
    }
    if !was_open || state.to_end {
        let end = state.text.chars().count();
        // Select the stem of a file name that is offered for saving. Otherwise continue after the folder; a typed
        // absolute path replaces the text.
        let (_, name) = split_typed(&state.text);
        let stem = name.rfind('.').and_then(|dot| name.get(..dot)).unwrap_or(name).chars().count();
        let start = end - name.chars().count();
        let offers_name = !std::mem::take(&mut state.to_end) && is_saved;
        field::select(ui, &output, if offers_name { start..start + stem } else { end..end });
    }
    was_open && (response.has_focus() || response.lost_focus())
}

/// Shows names that begin with the typed text. A click enters the name into the field.
fn suggestions(ui: &mut Ui, listing: Option<&FolderListing>, state: &mut State) {
    let fitting = listing.map_or_else(Vec::new, |listing| listing.fitting(&state.text));
    let colour = theme::tokens(ui).text2;
    let chosen = list::suggestions(ui, SHOWN, fitting.len(), |ui, index| {
        let name = *fitting.get(index)?;
        let row = Row::new(name).inset(8.0).margin(8.0).font(fonts::mono()).colour(colour);
        row.show(ui, ("name", index)).clicked().then_some(name)
    });
    if let Some(name) = chosen {
        let (folder, _) = split_typed(&state.text);
        state.text = format!("{folder}{name}");
        state.to_end = true;
        ui.memory_mut(|memory| memory.request_focus(field_id()));
    }
}
