//! Tree of the file's structures and fields, in file order.

use egui::{ScrollArea, Ui};

use super::{State, row_text};
use crate::ui::kit::row::{Row, Shown};
use crate::ui::{copy, fonts, list, menu, theme};
use maquette_assets::structure::{LineKind, OutlineRow};
use maquette_scene::session::FileStructure;

const ROW: f32 = 22.0;
const STEP: f32 = 14.0;
const OFFSET: f32 = 88.0;

pub fn show(ui: &mut Ui, file: &FileStructure, scrolls_to_selection: bool, state: &mut State) {
    let mut clicked = None;
    let mut toggled = None;
    ScrollArea::both().id_salt("lines").auto_shrink([false, false]).show(ui, |ui| {
        let lines = state.outline.lines();
        let selected = state.selected.as_ref().and_then(|path| state.outline.position(path));
        let scroll_to = selected.filter(|_| scrolls_to_selection);
        list::rows(ui, "fields", 0..lines.len(), ROW, scroll_to, |ui, row| {
            let Some(line) = lines.get(row) else { return };
            let (click, toggle) = show_line(ui, file, line, selected == Some(row));
            if click {
                clicked = Some(line.path.clone());
            }
            if toggle {
                toggled = Some(line.path.clone());
            }
        });
        list::follow_focus(ui);
    });
    if let Some(path) = toggled {
        state.toggle(file, &path);
    }
    if let Some(path) = clicked {
        state.selected = Some(path);
        state.scrolls_to_selection = true;
    }
}

/// Shows a row. Returns whether the row was clicked, and whether it was folded or unfolded.
fn show_line(ui: &mut Ui, file: &FileStructure, line: &OutlineRow, selected: bool) -> (bool, bool) {
    let tokens = theme::tokens(ui);
    let value = row_text(line, file);
    let offset = format!("{:#x}", line.span.offset);
    let is_quiet = matches!(line.kind, LineKind::Gap | LineKind::Range);
    let row = Row::new(line.name.as_str()).then(value.as_str()).fold(line.open).height(ROW).selected(selected);
    let row = row.inset(8.0 + line.depth.min(list::INDENTED_LEVELS) as f32 * STEP).margin(10.0);
    let row = row.colour(if is_quiet { tokens.text2 } else { tokens.text }).warning(!line.issue.is_empty());
    let row = row.cell(offset.as_str(), OFFSET).value_font(&fonts::mono()).value_colour(tokens.text3);
    let row = row.spoken(format!("{} at {offset}: {value}", line.name));
    let Shown { response, fold, .. } = row.show_parts(ui, ("field", &line.path));
    let on_chevron = response.interact_pointer_pos().is_some_and(|at| fold.expand(4.0).x_range().contains(at.x));
    let is_toggled = line.open.is_some()
        && (response.clicked() && (on_chevron || response.has_focus() && response.interact_pointer_pos().is_none())
            || response.double_clicked());
    let is_clicked = response.clicked() && !on_chevron;
    menu::context(&response, |ui| copies(ui, line, &value, file));
    response.on_hover_ui(|ui| tooltip(ui, line, &value));
    (is_clicked, is_toggled)
}

fn copies(ui: &mut Ui, line: &OutlineRow, value: &str, file: &FileStructure) {
    let start = usize::try_from(line.span.offset).unwrap_or(usize::MAX);
    let end = usize::try_from(line.span.end()).unwrap_or(usize::MAX);
    let bytes = file.bytes.get(start..end).filter(|bytes| bytes.len() <= 1 << 16).unwrap_or_default();
    let texts = [
        ("Copy value", value.to_owned()),
        ("Copy name", line.name.clone()),
        ("Copy offset", format!("{:#x}", line.span.offset)),
        ("Copy bytes", bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")),
    ];
    for (word, text) in texts {
        if (menu::Row { word, disabled: text.is_empty(), ..menu::Row::default() }).show(ui).clicked() {
            copy::put(ui.ctx(), text);
        }
    }
}

fn tooltip(ui: &mut Ui, line: &OutlineRow, value: &str) {
    ui.label(egui::RichText::new(&line.name).font(fonts::medium()));
    let (offset, size) = (line.span.offset, line.span.size);
    ui.label(format!("Offset {offset:#x} ({offset}), {size} bytes"));
    if !value.is_empty() {
        let short: String = value.chars().take(400).collect();
        ui.label(short);
    }
    if !line.issue.is_empty() {
        ui.label(egui::RichText::new(&line.issue).color(theme::tokens(ui).warn));
    }
}
