//! *File* panel: structure tree at the left, bytes or text at the right.

mod bytes;
mod file_picker;
mod selection_sync;
mod tree;

use std::path::PathBuf;
use std::sync::Arc;

use egui::{Id, Key, Panel, Ui};

use crate::ui::button::Button;
use crate::ui::{arrange, field, fonts, format, icons, list, paint, text, theme};
use maquette_assets::structure::{LineKind, Outline, OutlineRow, Search};
use maquette_core::error::FilePosition;
use maquette_scene::session::{Action, FileAction, FileStructure, Selection, Session};

const TREE_SHARE: f32 = 0.5;
const BYTES_WIDTH: f32 = 640.0;

#[derive(Default)]
pub struct State {
    file: Option<Arc<FileStructure>>,
    outline: Outline,
    /// Fields to tint in the bytes, sorted by offset: start, end, and index of the tree row.
    leaves: Vec<(u64, u64, usize)>,
    selected: Option<Vec<u32>>,
    search: String,
    is_not_found: bool,
    /// Whether to scroll to the selected row in the tree and in the bytes.
    scrolls_to_selection: bool,
    seen: Option<(Selection, usize)>,
}

fn asked_id() -> Id {
    Id::unique("requested position in a file")
}

/// Requests a position in a file, for the panel's next frame.
pub fn ask(ctx: &egui::Context, file: PathBuf, place: FilePosition) {
    ctx.data_mut(|data| data.insert_temp(asked_id(), (file, place)));
    ctx.request_repaint();
}

impl State {
    fn go_to_asked(&mut self, ui: &Ui, file: &FileStructure) {
        let asked = ui.data(|data| data.get_temp::<(PathBuf, FilePosition)>(asked_id()));
        let Some((_, place)) = asked.filter(|(asked, _)| *asked == file.path) else { return };
        ui.data_mut(|data| data.remove::<(PathBuf, FilePosition)>(asked_id()));
        let offset = match place {
            FilePosition::Byte(offset) => Some(offset),
            FilePosition::Line { line, column } => {
                let start = file.lines.get((line as usize).saturating_sub(1));
                start.map(|start| start + u64::from(column.saturating_sub(1)))
            }
            FilePosition::Whole => None,
        };
        if let Some(offset) = offset {
            self.go_to_offset(file, offset.min((file.bytes.len() as u64).saturating_sub(1)));
        }
    }

    fn take(&mut self, file: &Arc<FileStructure>) {
        if self.file.as_ref().is_some_and(|known| Arc::ptr_eq(known, file)) {
            return;
        }
        *self = Self { search: std::mem::take(&mut self.search), ..Self::default() };
        self.outline = Outline::new(&file.structure, &file.bytes);
        self.file = Some(Arc::clone(file));
        self.find_leaves();
        // If the file failed to load, start at the faulty byte.
        if let Some(offset) = file.structure.error.as_ref().and_then(|fault| fault.offset) {
            self.go_to_offset(file, offset.min((file.bytes.len() as u64).saturating_sub(1)));
        }
    }

    fn find_leaves(&mut self) {
        let lines = self.outline.lines().iter().enumerate();
        let leaves = lines.filter(|(_, line)| line.open != Some(true) && line.span.size > 0);
        self.leaves.clear();
        self.leaves.extend(leaves.map(|(index, line)| (line.span.offset, line.span.end(), index)));
        self.leaves.sort_unstable();
    }

    fn selected_line(&self) -> Option<&OutlineRow> {
        self.outline.lines().get(self.outline.position(self.selected.as_ref()?)?)
    }

    fn go_to(&mut self, file: &FileStructure, path: Vec<u32>) {
        self.outline.reveal(&path, &file.structure, &file.bytes);
        self.find_leaves();
        self.selected = Some(path);
        self.scrolls_to_selection = true;
    }

    fn go_to_offset(&mut self, file: &FileStructure, offset: u64) {
        if let Some(path) = Outline::at_offset(&file.structure, &file.bytes, offset) {
            self.go_to(file, path);
        }
    }

    fn toggle(&mut self, file: &FileStructure, path: &[u32]) {
        self.outline.toggle(path, &file.structure, &file.bytes);
        self.find_leaves();
    }

    fn search(&mut self, file: &FileStructure, search: &Search) {
        let found = Outline::find(&file.structure, &file.bytes, search, self.selected.as_deref());
        self.is_not_found = found.is_none();
        if let Some(path) = found {
            self.go_to(file, path);
        }
    }
}

pub fn show(ui: &mut Ui, head: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    // Request the file that the panel shows.
    let wanted = session.structure_file();
    let view = session.interface.structure.as_ref();
    if let Some(wanted) = wanted.filter(|wanted| view.is_none_or(|view| view.wanted.as_ref() != Some(wanted))) {
        actions.push(Action::File(FileAction::ShowStructure(wanted)));
    }
    let is_wanted = session.structure_file().is_some();
    let Some(file) = view.filter(|_| is_wanted).and_then(|view| view.contents.as_ref()) else {
        let text = match view.and_then(|view| view.error.as_ref()) {
            Some(error) if is_wanted => format::sentence(error),
            _ if !is_wanted => "No file is open".to_owned(),
            _ => "Reading…".to_owned(),
        };
        state.file = None;
        list::nothing(ui, &text);
        return;
    };
    let file = Arc::clone(file);
    state.take(&file);
    selection_sync::selection(session, &file, state);
    state.go_to_asked(ui, &file);
    self::head(head, &file, state, actions);
    let scrolls_to_selection = std::mem::take(&mut state.scrolls_to_selection);
    let before = state.selected.clone();
    let bytes_width = (ui.available_width() * (1.0 - TREE_SHARE)).min(BYTES_WIDTH).round();
    let side = Panel::right("bytes").exact_size(bytes_width).resizable(false).frame(egui::Frame::NONE);
    side.show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        bytes::show(ui, &file, scrolls_to_selection, state);
    });
    tree::show(ui, &file, scrolls_to_selection, state);
    if before != state.selected {
        selection_sync::field(session, &file, state, actions);
        ui.ctx().request_repaint();
    }
}

fn head(ui: &mut Ui, file: &FileStructure, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let tokens = theme::tokens(ui);
    let width = (ui.available_width() * 0.4).clamp(120.0, 260.0);
    arrange::at_end(ui, |ui| {
        ui.scope(|ui| {
            ui.set_max_width(width);
            search(ui, file, state);
        });
        let odd =
            Button::new("Next issue").icon(icons::WARNING).note("Go to the next field with an error or a warning");
        let has_issues = has_issue(&file.structure.fields);
        if odd.enabled(has_issues, "No field of this file has an issue").show(ui).clicked() {
            state.search(file, &Search::Issue);
        }
        let mut left = arrange::rest(ui);
        if !file.others.is_empty() {
            file_picker::show(&mut left, file, actions);
        }
        let name = file.path.file_name().unwrap_or_default().to_string_lossy();
        let error = file.structure.error.as_ref().map(|fault| format!(" — {}", fault.message)).unwrap_or_default();
        let kind = if file.structure.format.is_empty() { "unknown format" } else { file.structure.format };
        let text = format!("{name} · {} · {}{error}", kind.to_uppercase(), format::bytes(file.structure.size));
        let colour = if error.is_empty() { tokens.text2 } else { tokens.error };
        text::line(&mut left, &text, fonts::body(), colour);
    });
}

fn has_issue(fields: &[maquette_assets::structure::Field]) -> bool {
    fields.iter().any(|field| {
        let own =
            if let maquette_assets::structure::Content::Group(own) = &field.content { own.as_slice() } else { &[] };
        !field.issue.is_empty() || has_issue(own)
    })
}

fn search(ui: &mut Ui, file: &FileStructure, state: &mut State) {
    let id = Id::unique("search a file");
    let pressed = ui.memory(|memory| memory.has_focus(id)) && ui.input(|input| input.key_pressed(Key::Enter));
    let mut text = std::mem::take(&mut state.search);
    let changed = field::filter(ui, id, &mut text, "Find name, value, 0x…", 0.0);
    // The field takes the focus when a key opens the panel.
    if list::offer_focus(ui.ctx(), false) {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    state.search = text;
    let Some(search) = Search::parse(&state.search) else {
        state.is_not_found = false;
        return;
    };
    if changed {
        state.is_not_found = false;
    }
    if pressed {
        state.search(file, &search);
        // Keep the focus, so that Enter finds the next match.
        ui.memory_mut(|memory| memory.request_focus(id));
    }
    if state.is_not_found {
        // Paint the text inside the field, left of its clear button.
        let room = arrange::inside(ui.min_rect(), 0.0, 28.0);
        paint::text_right(ui.painter(), room, "Not found", fonts::small(), theme::tokens(ui).error);
    }
}

/// Returns the text of a tree row, for the tree and the clipboard.
fn row_text(line: &OutlineRow, file: &FileStructure) -> String {
    match line.kind {
        LineKind::Table(count) => format::plural(usize::try_from(count).unwrap_or(usize::MAX), "record"),
        _ => line.value(&file.bytes),
    }
}
