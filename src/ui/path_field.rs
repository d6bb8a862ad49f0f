//! A path typed by hand, where no service shows a dialog.

use egui::text::{CCursor, CCursorRange};
use egui::{Align2, Frame, Id, Key, Margin, Modifiers, Rect, RichText, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Emphasis};
use super::{dialog, field, fonts, list, paint, theme};
use maquette_scene::session::{
    Action, FileAction, FilePrompt, FolderListing, PathField, Session, WindowAction, path_from_root, split_typed,
    typed_path,
};

/// Names that are shown under the field.
const SHOWN: usize = 5;

/// What the sheet remembers for itself.
#[derive(Debug, Default)]
pub struct State {
    text: String,
    open: bool,
    /// Why it is shown, as it was told last.
    reason: String,
    /// The folder whose content was asked for last.
    asked: Option<String>,
    /// What lies in a folder was known in the last frame.
    is_listed: bool,
    /// The end of the text is to be edited: it was completed.
    to_end: bool,
    /// Why what was confirmed cannot be meant, until it is changed.
    told: Option<&'static str>,
}

impl State {
    /// The sheet is not shown.
    pub fn closed(&mut self) {
        *self = Self::default();
    }
}

/// Shows the sheet.
pub fn show(root: &Ui, session: &Session, wanted: &PathField, memory: &mut State, actions: &mut Vec<Action>) {
    let verb = match &wanted.purpose {
        FilePrompt::Open | FilePrompt::OpenFolder => "Open",
        FilePrompt::Attach(_) => "Attach",
        FilePrompt::Compare => "Compare",
        FilePrompt::TryPicture => "Apply",
        FilePrompt::AddRoot => "Add",
        FilePrompt::Save(product) => product.verb(),
    };
    let heading = match &wanted.purpose {
        FilePrompt::Open | FilePrompt::OpenFolder => "Open path".to_owned(),
        purpose => session.title_of(purpose),
    };
    // Another path replaces nothing.
    let replaces = wanted.replaces && (!memory.open || memory.reason != wanted.reason || memory.text == wanted.text);
    let verb = if replaces { "Replace" } else { verb };
    if !memory.open {
        memory.text.clone_from(&wanted.text);
    } else if memory.reason != wanted.reason {
        // It asks once more: Enter answers.
        root.ctx().memory_mut(|memory| memory.request_focus(Id::unique("path field")));
    }
    memory.reason.clone_from(&wanted.reason);
    let mut confirmed = false;
    let (folder, _) = split_typed(&memory.text);
    // What was told of the folder is gone where the path is asked for anew.
    let is_gone = std::mem::replace(&mut memory.is_listed, wanted.listing.is_some()) && wanted.listing.is_none();
    if is_gone || memory.asked.as_deref() != Some(folder) {
        memory.asked = Some(folder.to_owned());
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
            match memory.told {
                Some(told) => ui.add(egui::Label::new(RichText::new(told).color(tokens.warn))),
                None => {
                    let colour = if replaces { tokens.warn } else { tokens.text2 };
                    ui.add(egui::Label::new(RichText::new(reason).color(colour)).truncate())
                }
            };
            ui.add_space(4.0);
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 28.0));
            let focused = edit(ui, rect, wanted, memory);
            confirmed = focused && ui.input(|input| input.key_pressed(Key::Enter));
            ui.add_space(4.0);
            suggestions(ui, listing, memory);
            list::offer_focus(ui.ctx(), false);
            ui.add_space(12.0);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                let usable = !memory.text.trim().is_empty();
                let button = Button::new(verb).word(verb).rank(Emphasis::Main).enabled(usable, "Enter a path first");
                confirmed |= button.show(ui).clicked();
                if Button::new("Cancel").word("Cancel").rank(Emphasis::Raised).show(ui).clicked() {
                    actions.push(Action::Window(WindowAction::ClosePathField));
                }
            });
        });
    });
    let is_saved = matches!(wanted.purpose, FilePrompt::Save(_));
    let trouble_of = |path: &str| listing.and_then(|listing| listing.trouble(path)).filter(|_| !is_saved);
    // The start of a name is enough where only one file begins so.
    if confirmed
        && trouble_of(memory.text.trim()).is_some()
        && let Some(file) = listing.and_then(|listing| listing.only_file(memory.text.trim()))
    {
        memory.text = file;
    }
    let path = memory.text.trim();
    let trouble = trouble_of(path);
    memory.told = if confirmed { trouble } else { memory.told.filter(|_| trouble.is_some()) };
    if confirmed && memory.told.is_some() {
        // What was typed is not lost.
        root.ctx().memory_mut(|memory| memory.request_focus(Id::unique("path field")));
    } else if confirmed && !path.is_empty() {
        actions.extend(wanted.purpose.clone().action(vec![typed_path(path)], false));
    } else if close {
        actions.push(Action::Window(WindowAction::ClosePathField));
    }
}

/// Shows the field. Returns whether it had the keyboard in this frame, so that Enter confirms the path.
fn edit(ui: &mut Ui, rect: Rect, wanted: &PathField, memory: &mut State) -> bool {
    let listing = wanted.listing.as_ref();
    let is_saved = matches!(wanted.purpose, FilePrompt::Save(_));
    let (offered, _) = split_typed(&wanted.text);
    let id = Id::unique("path field");
    // Where there is nothing to complete Tab goes on to the buttons.
    let completed = listing.and_then(|listing| listing.completed(&memory.text));
    if let Some(completed) = &completed
        && ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Tab))
    {
        memory.text.clone_from(completed);
        memory.to_end = true;
    }
    // The first of the names below takes the keyboard.
    let goes_down = ui.memory(|memory| memory.has_focus(id))
        && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::ArrowDown));
    list::offer_focus(ui.ctx(), goes_down);
    let inner = Rect::from_min_max(rect.min + vec2(8.0, 0.0), pos2(rect.right() - 8.0, rect.bottom()));
    paint::fill(ui.painter(), rect, theme::CORNER, theme::tokens(ui).field);
    let edit = field::bare(&mut memory.text, id, fonts::mono(), Align2::LEFT_CENTER, inner);
    let edit = edit.lock_focus(completed.is_some());
    let output = ui.scope_builder(egui::UiBuilder::new().max_rect(inner).id_salt("edit"), |ui| edit.show(ui)).inner;
    let mut state = output.state;
    let response = output.response.response;
    let cursor = state.cursor.char_range().map_or(usize::MAX, |range| range.primary.index.0);
    let typed: String = memory.text.chars().take(cursor).collect();
    if let Some(whole) = path_from_root(&typed, offered).map(str::to_owned) {
        memory.text = whole;
        memory.to_end = true;
    }
    if !memory.open || memory.to_end {
        let end = CCursor::new(memory.text.chars().count());
        // A name that is offered to save as is what one changes, up to its ending.
        let (_, name) = split_typed(&memory.text);
        let stem = name.rfind('.').unwrap_or(name.len());
        let (from, to) = (memory.text.len() - name.len(), memory.text.len() - name.len() + stem);
        let at = |byte: usize| CCursor::new(memory.text.get(..byte).map_or(0, |text| text.chars().count()));
        let range = match (memory.to_end, is_saved) {
            (false, true) => CCursorRange::two(at(from), at(to)),
            // One goes on from the end of the folder; a path from the root takes its place.
            _ => CCursorRange::one(end),
        };
        state.cursor.set_char_range(Some(range));
        state.store(ui.ctx(), id);
        memory.to_end = false;
    }
    // An Enter from before the field was seen does not confirm the offered path.
    let was_open = std::mem::replace(&mut memory.open, true);
    if !was_open {
        response.request_focus();
    }
    field::frame(ui, rect, response.has_focus());
    let text = memory.text.clone();
    response
        .widget_info(|| WidgetInfo { label: Some("Path".to_owned()), ..WidgetInfo::text_edit(true, &text, &text, "") });
    was_open && (response.has_focus() || response.lost_focus())
}

/// Names that what is typed begins; a click takes one.
fn suggestions(ui: &mut Ui, listing: Option<&FolderListing>, memory: &mut State) {
    let tokens = theme::tokens(ui);
    let fitting = listing.map_or_else(Vec::new, |listing| listing.fitting(&memory.text));
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), SHOWN as f32 * list::ROW));
    let mut chosen = None;
    ui.scope_builder(egui::UiBuilder::new().max_rect(area).id_salt("names"), |ui| {
        egui::ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            list::rows(ui, "names", 0..fitting.len(), list::ROW, None, |ui, index| {
                let Some(name) = fitting.get(index) else { return };
                let id = ui.scope_id().with(("name", index));
                let (rect, response) = list::row(ui, id, name, list::ROW, false);
                let room = list::inside(rect, 8.0, 8.0);
                paint::name_in(ui.painter(), room, name, fonts::mono(), tokens.text2);
                if response.clicked() {
                    chosen = Some((*name).to_owned());
                }
            });
            list::follow_focus(ui);
        });
    });
    if let Some(name) = chosen {
        let (folder, _) = split_typed(&memory.text);
        memory.text = format!("{folder}{name}");
        memory.to_end = true;
        ui.ctx().memory_mut(|memory| memory.request_focus(Id::unique("path field")));
    }
}
