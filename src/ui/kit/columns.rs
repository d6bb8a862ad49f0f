//! Column headings that sort a list.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::focus_ring;
use super::{access, fonts, list, paint, theme};

const HEIGHT: f32 = 22.0;

#[derive(Clone, Copy, Debug)]
pub struct Column<'a> {
    pub word: &'a str,
    /// Property by which the column sorts, for the accessible name, for example `Sort by triangles`.
    pub what: &'a str,
    /// Tooltip. If `None`, the tooltip is the accessible name.
    pub about: Option<&'a str>,
    /// Width as for [`super::row::Row::cell`]. The first column takes the remaining width. Other columns with width 0
    /// are hidden.
    pub width: f32,
}

/// Index of the column that sorts the list, and whether the order is descending; `None` if the list is not sorted.
pub type Sorting = Option<(usize, bool)>;

/// Shows headings: the first `left` points from the edge, the others above the cells of the rows. Returns the index of
/// the clicked heading.
pub fn headings(ui: &mut Ui, left: f32, columns: &[Column<'_>], sorting: Sorting) -> Option<usize> {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), HEIGHT));
    let others: f32 = columns.iter().skip(1).map(|column| column.width).sum();
    let mut clicked = None;
    let (mut from, mut to) = (row.left() + left, row.right() - list::EDGE - others);
    for (index, column) in columns.iter().enumerate() {
        if index > 0 {
            (from, to) = (to, to + column.width);
        }
        let rect = row.with_min_x(from).with_max_x(if index == 0 { to - 8.0 } else { to });
        let falls = sorting.and_then(|(by, falls)| (by == index).then_some(falls));
        if to > from && heading(ui, rect, column, falls, index == 0) {
            clicked = Some(index);
        }
    }
    clicked
}

/// Applies a click on a column. Repeated clicks sort in the default direction, sort in the other direction, and restore
/// the original order.
pub fn sort(sorting: &mut Sorting, column: usize, falls_first: bool) {
    *sorting = match *sorting {
        Some((known, falls)) if known == column => (falls == falls_first).then_some((column, !falls)),
        _ => Some((column, falls_first)),
    };
}

/// Shows a heading, with a mark if the list is sorted by its column. Returns whether it was clicked.
fn heading(ui: &Ui, rect: Rect, column: &Column<'_>, falls: Option<bool>, at_left: bool) -> bool {
    let name = format!("Sort by {}", column.what);
    let response = ui.interact(rect, ui.scope_id().with(("sort", column.what)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    if let Some(falls) = falls {
        access::shows(&response, if falls { "descending" } else { "ascending" });
    }
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let tokens = theme::tokens(ui);
    let colour = if response.hovered() || falls.is_some() { tokens.text } else { tokens.text2 };
    let painter = ui.painter();
    let mark = if at_left {
        paint::text_in(painter, rect, column.word, fonts::small(), colour).right() + 7.0
    } else {
        paint::text_right(painter, rect, column.word, fonts::small(), colour).left() - 7.0
    };
    if let Some(falls) = falls {
        paint::sorting_mark(painter, pos2(mark, rect.center().y), falls, colour);
    }
    let clicked = response.clicked();
    response.on_hover_text(column.about.unwrap_or(&name));
    clicked
}
