//! The structures and fields of the file, in file order.

use egui::{Rect, ScrollArea, Ui, pos2, vec2};

use super::{State, said};
use crate::ui::{copy, fonts, icons, list, menu, paint, theme};
use maquette_assets::structure::{Line, LineKind};
use maquette_scene::session::FileStructure;

/// Height of a line.
const ROW: f32 = 22.0;
/// A heading's depth to the right.
const STEP: f32 = 14.0;
/// Deeper lines stand no further to the right.
const INDENTED_LEVELS: usize = 8;
/// Width of the column of offsets.
const OFFSET: f32 = 88.0;

/// Shows the lines.
pub fn show(ui: &mut Ui, file: &FileStructure, brings: bool, memory: &mut State) {
    let mut clicked = None;
    let mut toggled = None;
    ScrollArea::both().id_salt("lines").auto_shrink([false, false]).show(ui, |ui| {
        let lines = memory.outline.lines();
        let selected = memory.selected.as_ref().and_then(|path| memory.outline.position(path));
        let bring = selected.filter(|_| brings);
        list::rows(ui, "fields", 0..lines.len(), ROW, bring, |ui, row| {
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
        memory.toggle(file, &path);
    }
    if let Some(path) = clicked {
        memory.selected = Some(path);
        memory.brings = true;
    }
}

/// Whether it was clicked, and whether what is under it is to be opened or closed.
fn show_line(ui: &mut Ui, file: &FileStructure, line: &Line, selected: bool) -> (bool, bool) {
    let tokens = theme::tokens(ui);
    let value = said(line, file);
    let told = format!("{} at {:#x}: {value}", line.name, line.span.offset);
    let (rect, response) = list::row(ui, ui.scope_id().with(("field", &line.path)), &told, ROW, selected);
    let left = rect.left() + 8.0 + line.depth.min(INDENTED_LEVELS) as f32 * STEP;
    let chevron = Rect::from_min_size(pos2(left, rect.top()), vec2(14.0, ROW));
    let painter = ui.painter();
    if let Some(open) = line.open {
        let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
        paint::icon(painter, chevron, icon, 14.0, tokens.text2);
    }
    let at = Rect::from_min_max(rect.min, pos2(rect.right() - 10.0, rect.bottom()));
    let offset = paint::text_right(painter, at, &format!("{:#x}", line.span.offset), fonts::mono(), tokens.text3);
    let size = Rect::from_min_max(rect.min, pos2(offset.right() - OFFSET, rect.bottom()));
    let mut right = size.right() + 8.0;
    if !line.issue.is_empty() {
        let place = Rect::from_min_size(pos2(right - 16.0, rect.top()), vec2(14.0, ROW));
        paint::icon(painter, place, icons::WARNING, 14.0, tokens.warn);
        right -= 20.0;
    }
    let is_quiet = matches!(line.kind, LineKind::Gap | LineKind::Range);
    let colour = if is_quiet { tokens.text2 } else { tokens.text };
    let font = if selected { fonts::medium() } else { fonts::body() };
    let most = (rect.width() * 0.45).max(80.0);
    let room =
        Rect::from_min_max(pos2(chevron.right() + 4.0, rect.top()), pos2((left + most).min(right), rect.bottom()));
    let name = paint::name_in(painter, room, &line.name, font, colour);
    let room = Rect::from_min_max(pos2(name.right() + 12.0, rect.top()), pos2(right, rect.bottom()));
    if room.width() > 16.0 {
        paint::name_in(painter, room, &value, fonts::body(), tokens.text2);
    }
    let on_chevron = response.interact_pointer_pos().is_some_and(|at| at.x < chevron.right() && at.x > left - 4.0);
    let is_toggled = line.open.is_some()
        && (response.clicked() && (on_chevron || response.has_focus() && response.interact_pointer_pos().is_none())
            || response.double_clicked());
    let is_clicked = response.clicked() && !on_chevron;
    menu::context(&response, |ui| copies(ui, line, &value, file));
    response.on_hover_ui(|ui| tooltip(ui, line, &value));
    (is_clicked, is_toggled)
}

fn copies(ui: &mut Ui, line: &Line, value: &str, file: &FileStructure) {
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

fn tooltip(ui: &mut Ui, line: &Line, value: &str) {
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
