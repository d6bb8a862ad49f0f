//! Rows and sections of panels.

use std::ops::Range;

use egui::style::ScrollAnimation;
use egui::{Align, Color32, Context, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::focus_ring;
use super::{access, arrange, fonts, icons, paint, text, theme};

pub const ROW: f32 = 26.0;
/// Left edge of the text in sections, in points.
pub const INSET: f32 = 28.0;
pub const EDGE: f32 = 12.0;
/// Distance in points from the name of a fact or a control to its value.
pub const NAMED: f32 = 96.0;
pub const HEADING: f32 = 33.0;
/// Height in points of a filter that sticks below a heading.
const STICKY: f32 = 32.0;
/// Maximum depth for indentation in a tree. Deeper rows are not indented further, to leave room for names.
pub const INDENTED_LEVELS: usize = 12;
/// Number of rows created above and below the visible ones, so that Tab can reach them.
const BESIDE: usize = 2;

fn offer_id() -> Id {
    Id::unique("offered focus")
}

/// Offers the keyboard focus to the next row that is shown; `false` withdraws the offer. Returns the previous state.
pub fn offer_focus(ctx: &Context, stands: bool) -> bool {
    ctx.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(offer_id()), stands))
}

fn is_focus_offered(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(offer_id()).unwrap_or_default())
}

pub fn accept_focus(response: &Response) {
    if offer_focus(&response.ctx, false) {
        response.request_focus();
        response.ctx.request_repaint();
    }
}

/// Shows a virtual list, which creates only the visible rows and a few more on each side. Scrolls to the row `scroll_to`.
pub fn rows(
    ui: &mut Ui,
    salt: &str,
    rows: Range<usize>,
    height: f32,
    scroll_to: Option<usize>,
    mut show: impl FnMut(&mut Ui, usize),
) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let count = rows.len();
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), height * count as f32));
    let sight = ui.clip_rect();
    let before = ((sight.top() - area.top()) / height).floor().max(0.0) as usize;
    let end = (((sight.bottom() - area.top()) / height).ceil().max(0.0) as usize + BESIDE).min(count);
    let first = before.saturating_sub(BESIDE).min(end);
    let place = |row: usize| Rect::from_min_size(area.min + vec2(0.0, row as f32 * height), vec2(area.width(), height));
    // The first row takes the offered keyboard focus, even if it is scrolled out of view.
    if first > 0 && is_focus_offered(ui.ctx()) {
        show(&mut ui.new_child(egui::UiBuilder::new().id_salt(salt).max_rect(place(0))), rows.start);
    }
    let made = Rect::from_min_max(place(first).min, area.max);
    let mut inner = ui.new_child(egui::UiBuilder::new().id_salt(salt).max_rect(made));
    (first..end).for_each(|row| show(&mut inner, rows.start + row));
    let wanted = scroll_to.and_then(|row| row.checked_sub(rows.start)).filter(|row| *row < count).map(place);
    if let Some(wanted) = wanted {
        scroll_into_view(ui, wanted);
    }
}

/// Shows a virtual list of rows with different heights. `tops` has the top of each row and the bottom of the last.
pub fn varied_rows(ui: &mut Ui, tops: &[f32], mut show: impl FnMut(&mut Ui, usize)) {
    let (_, area) = ui.allocate_space(vec2(ui.available_width(), tops.last().copied().unwrap_or(0.0)));
    let sight = ui.clip_rect().translate(-area.min.to_vec2());
    let first = tops.partition_point(|top| *top <= sight.top()).saturating_sub(1);
    for (row, ends) in tops.windows(2).enumerate().skip(first).take_while(|(_, ends)| ends[0] < sight.bottom()) {
        let place = area.with_min_y(area.top() + ends[0]).with_max_y(area.top() + ends[1]);
        show(&mut ui.new_child(egui::UiBuilder::new().id_salt("row").max_rect(place)), row);
    }
}

/// Returns the indentation of a tree row in points.
pub fn indent(depth: usize) -> f32 {
    depth.min(INDENTED_LEVELS) as f32 * 10.0
}

/// Shows `count` suggestions for the field above, of which `shown` are visible. Returns the value of the clicked row.
pub fn suggestions<T>(ui: &mut Ui, shown: usize, count: usize, row: impl Fn(&mut Ui, usize) -> Option<T>) -> Option<T> {
    let mut chosen = None;
    let height = shown as f32 * ROW;
    egui::ScrollArea::vertical().max_height(height).min_scrolled_height(height).auto_shrink([false, false]).show(
        ui,
        |ui| {
            rows(ui, "names", 0..count, ROW, None, |ui, index| chosen = row(ui, index).or(chosen.take()));
            follow_focus(ui);
        },
    );
    chosen
}

/// Like [`rows`], but with content below the row `open`. With `scroll_to`, scrolls to that row and its content.
pub fn rows_around(
    ui: &mut Ui,
    salt: &str,
    count: usize,
    open: Option<usize>,
    scroll_to: bool,
    mut show: impl FnMut(&mut Ui, usize),
    under: impl FnOnce(&mut Ui),
) {
    let height = ROW;
    let Some(open) = open.filter(|open| *open < count) else {
        rows(ui, salt, 0..count, height, None, show);
        return;
    };
    rows(ui, salt, 0..open + 1, height, None, &mut show);
    let top = ui.cursor().top() - height;
    under(ui);
    if scroll_to {
        scroll_to_top(ui, ui.max_rect().with_min_y(top).with_max_y(ui.cursor().top()));
    }
    rows(ui, salt, open + 1..count, height, None, show);
}

/// Scrolls to `place` if a part of it is hidden.
pub fn scroll_into_view(ui: &Ui, place: Rect) {
    let sight = ui.clip_rect();
    if place.top() < sight.top() || place.bottom() > sight.bottom() {
        ui.scroll_to_rect_animation(place, Some(Align::Center), ScrollAnimation::none());
    }
}

/// Scrolls to a row and the content below it if a part is hidden. The row is placed at the top, below the sticky
/// heading and the sticky filter or the previous row.
fn scroll_to_top(ui: &Ui, place: Rect) {
    let sight = ui.clip_rect();
    if place.top() < sight.top() || place.bottom() > sight.bottom() {
        let place = place.with_min_y(place.top() - HEADING - STICKY);
        ui.scroll_to_rect_animation(place, Some(Align::TOP), ScrollAnimation::none());
    }
}

/// Scrolls to a widget that has just received the keyboard focus. Call it at the end of a scroll area.
pub fn follow_focus(ui: &Ui) {
    follow_focus_under(ui, 0.0);
}

/// Like [`follow_focus`], but for a scroll area whose top `covered` points are behind a heading.
pub fn follow_focus_under(ui: &Ui, covered: f32) {
    let focused = newly_focused(ui).and_then(|id| ui.ctx().read_response(id));
    // Ignore widgets outside this scroll area, or in a nested one that scrolls them itself.
    let scrolls = |response: &Response| {
        let seen = response.interact_rect;
        ui.min_rect().contains(response.rect.center())
            && (!seen.is_positive() || ui.clip_rect().contains(seen.center()))
    };
    if let Some(response) = focused.filter(scrolls) {
        let place = response.rect.expand(4.0);
        ui.scroll_to_rect(place.with_min_y(place.top() - covered), None);
    }
}

/// Returns the widget that received the keyboard focus since the last frame. egui reports only focus by Tab and clicks,
/// not by arrow keys.
pub fn newly_focused(ui: &Ui) -> Option<Id> {
    let focused = ui.memory(|memory| memory.focused());
    let known = ui.scope_id().with("known focus");
    let before = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default::<Option<Id>>(known), focused));
    focused.filter(|focused| before != Some(*focused))
}

/// Shows the eye button of a row. `shown` is the state of the switch. `why_not` is the reason, if any, why the item is
/// hidden regardless of the switch. Returns whether the eye was clicked.
pub fn eye(
    ui: &Ui,
    place: Rect,
    salt: impl std::hash::Hash + std::fmt::Debug,
    name: &str,
    shown: bool,
    why_not: Option<&str>,
) -> bool {
    let tokens = theme::tokens(ui);
    let visible = shown && why_not.is_none();
    let sense = if why_not.is_some() { Sense::hover() } else { Sense::click() };
    let response = ui.interact(place, ui.scope_id().with(salt), sense);
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, why_not.is_none(), visible, format!("Show {name}")));
    focus_ring(ui, response.has_focus(), place.shrink2(vec2(0.0, 1.0)), 0.0);
    let colour = match (why_not.is_none() && (response.hovered() || response.has_focus()), visible) {
        (true, _) => tokens.text,
        (false, true) => tokens.text2,
        (false, false) => tokens.text3,
    };
    paint::icon(ui.painter(), place, if visible { icons::EYE } else { icons::EYE_OFF }, 14.0, colour);
    let clicked = why_not.is_none() && response.clicked();
    let word = if visible { "Hide" } else { "Show" };
    response.on_hover_text(why_not.map_or_else(|| format!("{word} {name}"), str::to_owned));
    clicked
}

/// Shows the heading of a section: the title, and `count` at its end. A click opens or closes the section. A `held`
/// heading sticks to the top and covers the rows below it.
pub fn section(ui: &Ui, rect: Rect, held: bool, title: &str, count: &str, open: &mut bool) -> Response {
    let tokens = theme::tokens(ui);
    let response = ui.interact(rect, ui.scope_id().with(("section", title)), Sense::click());
    if response.clicked() {
        *open = !*open;
    }
    let now_open = *open;
    access::unfolds(&response, now_open, title);
    let painter = ui.painter();
    if held {
        painter.rect_filled(rect, 0.0, tokens.panel);
        painter.hline(rect.x_range(), rect.bottom() - 0.5, (1.0, tokens.line));
    }
    painter.hline(rect.x_range(), rect.top() + 0.5, (1.0, tokens.line));
    let body = Rect::from_min_max(rect.min + vec2(0.0, 1.0), rect.max);
    if response.hovered() {
        painter.rect_filled(body, 0.0, theme::mix(tokens.panel, tokens.raised, 0.6));
    }
    focus_ring(ui, response.has_focus(), body.shrink(1.0), 0.0);
    let chevron = Rect::from_min_size(body.min + vec2(8.0, 0.0), vec2(14.0, body.height()));
    let icon = if *open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
    paint::icon(painter, chevron, icon, 14.0, tokens.text2);
    let right = paint::text_right(painter, arrange::inside(body, 0.0, 12.0), count, fonts::body(), tokens.text2).left();
    let title_rect = Rect::from_min_max(pos2(body.left() + INSET, body.top()), pos2(right - 8.0, body.bottom()));
    paint::text_in(painter, title_rect, title, fonts::strong(), tokens.text);
    response
}

/// Shows rows in a scroll area that follows the keyboard focus.
pub fn scroll(ui: &mut Ui, salt: impl egui::AsIdSalt, rows: impl FnOnce(&mut Ui)) {
    let area = egui::ScrollArea::vertical().id_salt(salt).auto_shrink([false, false]).min_scrolled_height(0.0);
    area.show(ui, |ui| {
        rows(ui);
        follow_focus(ui);
    });
}

/// Shows a row that explains an empty list.
pub fn nothing(ui: &mut Ui, text: &str) -> Response {
    super::row::Row::label(text).colour(theme::tokens(ui).text2).show(ui, ("nothing", text))
}

/// Shows the reason why a panel is empty, in the panel's middle: an icon, text and a smaller line below.
pub fn empty(ui: &mut Ui, (sign, colour): (&str, Color32), text: &str, line: &str) {
    ui.add_space(((ui.available_height() - 72.0) / 2.0).max(6.0));
    ui.vertical_centered(|ui| {
        text::icon(ui, sign, 20.0, colour);
        ui.add_space(6.0);
        ui.label(egui::RichText::new(text).font(fonts::medium()));
        ui.label(egui::RichText::new(line).font(fonts::small()).color(theme::tokens(ui).text2));
    });
}

/// Shows a tile of a grid: room for an image, with a name and small lines below it. Returns the rectangle for the
/// image.
pub fn tile(
    ui: &mut Ui,
    salt: impl egui::AsIdSalt,
    size: egui::Vec2,
    (name, keeps): (&str, usize),
    lines: &[&str],
    selected: bool,
) -> (Rect, Response) {
    let tokens = theme::tokens(ui);
    let (_, cell) = ui.allocate_space(size);
    let response = ui.interact(cell, ui.scope_id().with(salt), Sense::CLICK);
    let spoken = std::iter::once(&name).chain(lines).filter(|text| !text.is_empty()).copied().collect::<Vec<_>>();
    access::choosable(&response, Role::ListItem, true, selected, &spoken.join(", "));
    let plate = cell.shrink(3.0);
    if selected || response.hovered() {
        let fill = if selected { tokens.selected } else { tokens.raised };
        paint::fill(ui.painter(), plate, theme::CORNER, fill);
    }
    let inner = plate.shrink(5.0);
    let image = Rect::from_min_size(inner.min, egui::Vec2::splat(inner.width()));
    let text = |top: f32| Rect::from_min_size(image.left_bottom() + vec2(0.0, top), vec2(inner.width(), 18.0));
    paint::name_keeping(ui.painter(), text(4.0), (name, keeps), fonts::body(), tokens.text);
    for (number, line) in lines.iter().enumerate() {
        paint::text_in(ui.painter(), text(21.0 + 17.0 * number as f32), line, fonts::small(), tokens.text2);
    }
    (image, response)
}
