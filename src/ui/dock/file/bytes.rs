//! Hex view of a binary file, or numbered lines of a text file. Fields are tinted.

use egui::{Align2, Color32, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::State;
use crate::ui::{fonts, list, paint, theme};
use maquette_assets::structure::Span;
use maquette_scene::session::FileStructure;

const ROW: f32 = 18.0;
const INSET: f32 = 10.0;
/// Maximum number of characters to show of a line. Longer lines are cut.
const COLUMNS_SHOWN: usize = 400;
const TAB: usize = 4;

pub fn show(ui: &mut Ui, file: &FileStructure, scrolls_to_selection: bool, state: &mut State) {
    let selected = state.selected_line().map(|line| line.span);
    let character = paint::width_of(ui, "0", fonts::mono());
    let (is_text, each) = (!file.lines.is_empty(), per_row(ui.available_width(), character));
    let index = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let rows = if is_text { file.lines.len() } else { index((file.bytes.len() as u64).div_ceil(each)) };
    let scroll_to = selected.filter(|_| scrolls_to_selection).and_then(|span| match is_text {
        true => file.line_of(first_word(file, span)),
        false => Some(index(span.offset / each)),
    });
    let mut clicked = None;
    let area = ScrollArea::vertical().id_salt(("bytes", is_text)).auto_shrink([false, false]).min_scrolled_height(0.0);
    area.show(ui, |ui| {
        list::rows(ui, "rows", 0..rows, ROW, scroll_to, |ui, row| {
            clicked = clicked.or(match is_text {
                true => text_row(ui, file, row, character, selected, state),
                false => binary_row(ui, file, row as u64 * each, each, character, selected, state),
            });
        });
    });
    if let Some(offset) = clicked {
        state.go_to_offset(file, offset);
    }
}

fn tint(state: &State, selected: Option<Span>, offset: u64, tokens: &theme::Tokens) -> Option<Color32> {
    if selected.is_some_and(|span| span.offset <= offset && offset < span.end()) {
        return Some(theme::mix(tokens.panel, tokens.accent, 0.38));
    }
    let before = state.leaves.partition_point(|(from, ..)| *from <= offset);
    let leaf = before.checked_sub(1).and_then(|index| Some((index, state.leaves.get(index)?)));
    let (index, (_, _, line)) = leaf.filter(|(_, (_, to, _))| offset < *to)?;
    let line = state.outline.lines().get(*line)?;
    if !line.issue.is_empty() {
        return Some(theme::mix(tokens.panel, tokens.warn, 0.28));
    }
    if line.kind == maquette_assets::structure::LineKind::Gap {
        return None;
    }
    // Alternate the tint, so that neighbouring fields differ.
    Some(if index % 2 == 0 {
        theme::mix(tokens.panel, tokens.text, 0.05)
    } else {
        theme::mix(tokens.panel, tokens.text, 0.11)
    })
}

/// Returns the number of bytes per row that fits `width` points: 16 or 8.
fn per_row(width: f32, character: f32) -> u64 {
    let columns = |bytes: f32| 8.0 + 2.0 + bytes * 3.0 + 1.0 + bytes;
    if (columns(16.0) * character) + 2.0 * INSET <= width { 16 } else { 8 }
}

fn binary_row(
    ui: &mut Ui,
    file: &FileStructure,
    start: u64,
    each: u64,
    character: f32,
    selected: Option<Span>,
    state: &State,
) -> Option<u64> {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let from = usize::try_from(start).ok()?;
    let end = from.saturating_add(usize::try_from(each).ok()?).min(file.bytes.len());
    let bytes = file.bytes.get(from..end)?;
    let hexadecimal = rect.left() + INSET + 10.0 * character;
    let letters = hexadecimal + (each as f32 * 3.0 + 1.0) * character;
    let painter = ui.painter();
    for (index, at) in (start..).zip(0..bytes.len()).map(|(offset, index)| (index, offset)) {
        let Some(colour) = tint(state, selected, at, tokens) else { continue };
        let joined = index + 1 < bytes.len() && tint(state, selected, at + 1, tokens) == Some(colour);
        let width = if joined { 3.0 } else { 2.0 };
        let cell = |left: f32, width: f32| {
            Rect::from_min_size(pos2(left, rect.top() + 1.0), vec2(width * character, ROW - 2.0))
        };
        painter.rect_filled(cell(hexadecimal + index as f32 * 3.0 * character, width), 0.0, colour);
        painter.rect_filled(cell(letters + index as f32 * character, 1.0), 0.0, colour);
    }
    let words: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let plain: String =
        bytes.iter().map(|byte| if (0x20..0x7f).contains(byte) { char::from(*byte) } else { '·' }).collect();
    let write = |left: f32, text: &str, colour| {
        paint::text(painter, pos2(left, rect.center().y), Align2::LEFT_CENTER, text, fonts::mono(), colour);
    };
    write(rect.left() + INSET, &format!("0x{start:06x}"), tokens.text3);
    write(hexadecimal, &words.join(" "), tokens.text);
    write(letters, &plain, tokens.text2);
    let response = ui.interact(rect, ui.scope_id().with(("row", start)), Sense::click());
    let text = format!("{start:#x}: {}", words.join(" "));
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, &text));
    let at = response.interact_pointer_pos().filter(|_| response.clicked())?;
    let column = if at.x >= letters { (at.x - letters) / character } else { (at.x - hexadecimal) / (3.0 * character) };
    let index = (column.max(0.0) as u64).min(bytes.len() as u64 - 1);
    Some(start + index)
}

/// Returns the offset of a statement's first character after white space.
fn first_word(file: &FileStructure, span: Span) -> u64 {
    let from = usize::try_from(span.offset).unwrap_or(usize::MAX);
    let space = file.bytes.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_whitespace());
    span.offset + (space.count() as u64).min(span.size.saturating_sub(1))
}

fn text_row(
    ui: &mut Ui,
    file: &FileStructure,
    row: usize,
    character: f32,
    selected: Option<Span>,
    state: &State,
) -> Option<u64> {
    let tokens = theme::tokens(ui);
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let start = *file.lines.get(row)?;
    let end = file.lines.get(row + 1).copied().unwrap_or(file.bytes.len() as u64);
    let bytes = file.bytes.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
    let digits = file.lines.len().to_string().len().max(3);
    let left = rect.left() + INSET + (digits as f32 + 2.0) * character;
    let painter = ui.painter();
    // Character in each column, and its byte offset.
    let mut columns: Vec<(char, u64)> = Vec::new();
    for (byte, at) in bytes.iter().zip(start..) {
        match byte {
            b'\t' => columns.extend(std::iter::repeat_n((' ', at), TAB - columns.len() % TAB)),
            b'\n' | b'\r' => {}
            _ => columns.push((char::from(*byte), at)),
        }
        if columns.len() >= COLUMNS_SHOWN {
            break;
        }
    }
    let mut begun: Option<(usize, Color32)> = None;
    for (column, at) in columns.iter().map(|(_, at)| Some(*at)).chain([None]).enumerate() {
        let colour = at.and_then(|at| tint(state, selected, at, tokens));
        if begun.map(|(_, colour)| colour) != colour {
            if let Some((from, colour)) = begun {
                let width = (column - from) as f32 * character;
                let corner = pos2(left + from as f32 * character, rect.top());
                painter.rect_filled(Rect::from_min_size(corner, vec2(width, ROW)), 0.0, colour);
            }
            begun = colour.map(|colour| (column, colour));
        }
    }
    let line: String = columns.iter().map(|(letter, _)| if letter.is_control() { '·' } else { *letter }).collect();
    let number = Rect::from_min_max(rect.min, pos2(left - 2.0 * character, rect.bottom()));
    paint::text_right(painter, number, &(row + 1).to_string(), fonts::mono(), tokens.text3);
    paint::text(painter, pos2(left, rect.center().y), Align2::LEFT_CENTER, &line, fonts::mono(), tokens.text);
    let response = ui.interact(rect, ui.scope_id().with(("row", row)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Row, true, format!("{}: {line}", row + 1)));
    let at = response.interact_pointer_pos().filter(|_| response.clicked())?;
    let column = ((at.x - left) / character).max(0.0) as usize;
    columns.get(column.min(columns.len().saturating_sub(1))).map(|(_, at)| *at)
}
