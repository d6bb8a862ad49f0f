//! Row of lists and panels: icon, name, details, and reserved room for buttons.

use std::borrow::Cow;

use egui::{AsIdSalt, Color32, FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, dot, focus_ring};
use super::{access, arrange, copy, fonts, icons, list, paint, text, theme};

const LINE: f32 = 18.0;
const ICON: f32 = 14.0;
const GAP: f32 = 8.0;
/// Maximum share of the row that a value may take away from the name.
const NAME_SHARE: f32 = 0.6;

/// Behaviour of a row, for clicks and for screen readers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Kind {
    /// Item of a list, selected by a click.
    #[default]
    Item,
    Button,
    /// Expands the content below it; `true` while expanded.
    Unfolds(bool),
    Link,
    /// Button with a different role.
    Acts(Role),
    /// Text, which reacts to clicks only if it can be copied.
    Text(Role),
}

#[derive(Clone, Debug, Default)]
struct Text<'a> {
    text: Cow<'a, str>,
    font: FontId,
    colour: Option<Color32>,
    /// Width of the column; 0 uses the width of the text.
    width: f32,
}

#[derive(Clone, Debug)]
enum Glyph<'a> {
    Icon(&'a str, Option<Color32>),
    Letter(&'a str),
    Dot(Color32),
}

#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Row<'a> {
    kind: Kind,
    name: Text<'a>,
    spoken: Option<Cow<'a, str>>,
    marks: &'a [u32],
    height: f32,
    left: f32,
    right: f32,
    start: f32,
    end: f32,
    fold: Option<bool>,
    glyph: Option<Glyph<'a>>,
    badge: Option<Cow<'a, str>>,
    aside: Option<Text<'a>>,
    second: Option<Text<'a>>,
    third: Option<Text<'a>>,
    values: Vec<Text<'a>>,
    keys: Vec<String>,
    values_below: bool,
    /// Text that a click copies, and the text of the tooltip.
    copies: Option<(Cow<'a, str>, Cow<'a, str>)>,
    warning: bool,
    selected: bool,
    keyboard: bool,
    ring: bool,
    loses_end: bool,
    keeps: usize,
    wraps: bool,
    rounded: bool,
}

pub struct Shown {
    pub response: Response,
    /// Reserved room before the name; see [`Row::start`].
    pub start: Rect,
    pub fold: Rect,
    /// Reserved room after everything else; see [`Row::end`].
    pub end: Rect,
    pub is_cut: bool,
}

impl<'a> Row<'a> {
    /// Creates a row that a click selects, 12 points from both edges.
    pub fn new(name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            name: Text::new(name, fonts::body()),
            height: list::ROW,
            left: list::EDGE,
            right: list::EDGE,
            keyboard: true,
            ..Self::default()
        }
    }

    pub fn label(text: impl Into<Cow<'a, str>>) -> Self {
        Self { kind: Kind::Text(Role::Label), ..Self::new(text) }
    }

    pub fn heading(text: impl Into<Cow<'a, str>>) -> Self {
        Self { kind: Kind::Text(Role::Heading), ..Self::new(text) }.font(fonts::strong())
    }

    pub fn role(self, role: Role) -> Self {
        Self { kind: Kind::Text(role), ..self }
    }

    pub fn button(self) -> Self {
        Self { kind: Kind::Button, ..self }
    }

    /// Makes the row expand the content below it, with a chevron before the name.
    pub fn unfolds(mut self, open: bool) -> Self {
        self.kind = Kind::Unfolds(open);
        self.fold(Some(open))
    }

    pub fn link(self) -> Self {
        Self { kind: Kind::Link, ..self }
    }

    /// Makes the row clickable with a different role.
    pub fn acts(self, role: Role) -> Self {
        Self { kind: Kind::Acts(role), ..self }
    }

    /// Makes the row a label whose name a click copies.
    pub fn copied(self) -> Self {
        let text = self.name.text.clone();
        Self { kind: Kind::Text(Role::Label), ..self.copies(text.clone(), text) }
    }

    /// Makes a click copy `text`. The tooltip shows `about`. Only rows of text can be copied.
    pub fn copies(self, text: impl Into<Cow<'a, str>>, about: impl Into<Cow<'a, str>>) -> Self {
        Self { copies: Some((text.into(), about.into())), ..self }
    }

    /// Sets the name for screen readers if it differs from the text.
    pub fn spoken(self, text: impl Into<Cow<'a, str>>) -> Self {
        Self { spoken: Some(text.into()), ..self }
    }

    pub fn height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    /// Sets the left margin in points.
    pub fn inset(self, left: f32) -> Self {
        Self { left, ..self }
    }

    /// Sets the right margin in points.
    pub fn margin(self, right: f32) -> Self {
        Self { right, ..self }
    }

    /// Reserves room before the name, for an eye or an image.
    pub fn start(self, width: f32) -> Self {
        Self { start: width, ..self }
    }

    /// Reserves room after everything else, for buttons.
    pub fn end(self, width: f32) -> Self {
        Self { end: width, ..self }
    }

    /// Shows a chevron before the name. `None` leaves its room empty, for rows without children.
    pub fn fold(mut self, open: Option<bool>) -> Self {
        self.fold = open;
        self.start += ICON + 4.0;
        self
    }

    /// Shows an icon before the name. While the row is selected, the icon has the accent colour.
    pub fn icon(self, icon: &'a str) -> Self {
        Self { glyph: Some(Glyph::Icon(icon, None)), ..self }
    }

    pub fn icon_in(self, icon: &'a str, colour: Color32) -> Self {
        Self { glyph: Some(Glyph::Icon(icon, Some(colour))), ..self }
    }

    /// Shows a letter instead of an icon.
    pub fn letter(self, letter: &'a str) -> Self {
        Self { glyph: Some(Glyph::Letter(letter)), ..self }
    }

    pub fn dot(self, colour: Color32) -> Self {
        Self { glyph: Some(Glyph::Dot(colour)), ..self }
    }

    pub fn badge(self, text: impl Into<Cow<'a, str>>) -> Self {
        Self { badge: Some(text.into()), ..self }
    }

    /// Sets the font of the name. The default is body, or medium while the row is selected.
    pub fn font(mut self, font: FontId) -> Self {
        self.name.font = font;
        self
    }

    pub fn colour(mut self, colour: Color32) -> Self {
        self.name.colour = Some(colour);
        self
    }

    /// Highlights the characters of the name at these indices.
    pub fn marks(self, marks: &'a [u32]) -> Self {
        Self { marks, ..self }
    }

    /// Makes a name that is too long lose its end instead of its middle.
    pub fn loses_end(self) -> Self {
        Self { loses_end: true, ..self }
    }

    /// Keeps the character of the name at the index if the name is too long.
    pub fn keeps(self, index: usize) -> Self {
        Self { keeps: index, ..self }
    }

    /// Adds small text after the name if it fits.
    pub fn aside(self, text: impl Into<Cow<'a, str>>) -> Self {
        Self { aside: Some(Text::new(text, fonts::small())), ..self }
    }

    /// Adds text in the name's font size after the name.
    pub fn then(self, text: impl Into<Cow<'a, str>>) -> Self {
        Self { aside: Some(Text::new(text, fonts::body())), ..self }
    }

    /// Adds a second line of small text.
    pub fn second(self, text: impl Into<Cow<'a, str>>) -> Self {
        Self { second: Some(Text::new(text, fonts::small())), ..self }
    }

    pub fn second_in(self, text: impl Into<Cow<'a, str>>, colour: Color32) -> Self {
        Self { second: Some(Text { colour: Some(colour), ..Text::new(text, fonts::small()) }), ..self }
    }

    pub fn third_in(self, text: impl Into<Cow<'a, str>>, colour: Color32) -> Self {
        Self { third: Some(Text { colour: Some(colour), ..Text::new(text, fonts::small()) }), ..self }
    }

    /// Wraps the second line in the name's font size, and adapts the height of the row to it.
    pub fn wraps(mut self) -> Self {
        self.wraps = true;
        if let Some(second) = &mut self.second {
            second.font = fonts::body();
        }
        self
    }

    /// Adds text at the right.
    pub fn value(self, text: impl Into<Cow<'a, str>>) -> Self {
        self.cell(text, 0.0)
    }

    pub fn small_value(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.values.push(Text::new(text, fonts::small()));
        self
    }

    /// Adds right-aligned text in a column of this width. Columns are added from left to right.
    pub fn cell(mut self, text: impl Into<Cow<'a, str>>, width: f32) -> Self {
        self.values.push(Text { width, ..Text::new(text, fonts::body()) });
        self
    }

    pub fn value_colour(mut self, colour: Color32) -> Self {
        if let Some(value) = self.values.last_mut() {
            value.colour = Some(colour);
        }
        self
    }

    /// Moves the values to the second line, even if it has no other text.
    pub fn values_below(self) -> Self {
        Self { values_below: true, ..self }
    }

    /// Sets the font of the values added so far.
    pub fn value_font(mut self, font: &FontId) -> Self {
        self.values.iter_mut().for_each(|value| value.font = font.clone());
        self
    }

    /// Adds a key cap at the right, unless `keys` is empty.
    pub fn keys(mut self, keys: String) -> Self {
        self.keys.extend(Some(keys).filter(|keys| !keys.is_empty()));
        self
    }

    /// Uses rounded corners and the hover colour of menus, for rows in a popup.
    pub fn rounded(self) -> Self {
        Self { rounded: true, ..self }
    }

    pub fn warning(self, warns: bool) -> Self {
        Self { warning: warns, ..self }
    }

    pub fn selected(self, selected: bool) -> Self {
        Self { selected, ..self }
    }

    pub fn ring(self, ring: bool) -> Self {
        Self { ring, ..self }
    }

    /// Makes the row react to clicks but not take the focus, because the list as a whole has the keyboard focus.
    pub fn without_keyboard(self) -> Self {
        Self { keyboard: false, ..self }
    }

    /// Shows the row over the whole width. `salt` distinguishes it from its neighbours.
    pub fn show(self, ui: &mut Ui, salt: impl AsIdSalt) -> Response {
        self.show_parts(ui, salt).response
    }

    /// Like [`Self::show`], but also returns the rectangles of reserved room.
    pub fn show_parts(self, ui: &mut Ui, salt: impl AsIdSalt) -> Shown {
        let tokens = theme::tokens(ui);
        let width = ui.available_width();
        let glyph = match self.glyph {
            None => 0.0,
            Some(Glyph::Icon(..) | Glyph::Letter(_)) => ICON + GAP,
            Some(Glyph::Dot(_)) => 10.0 + GAP,
        };
        let inner_left = self.left + self.start + glyph;
        let wrapped = self.second.as_ref().filter(|_| self.wraps).map(|second| {
            let room = (width - inner_left - self.right - self.end).max(40.0);
            let colour = second.colour.unwrap_or(tokens.text2);
            ui.painter().layout(second.text.to_string(), second.font.clone(), colour, room)
        });
        let named = if self.name.text.is_empty() && wrapped.is_some() { 0.0 } else { LINE };
        let height = wrapped.as_ref().map_or(self.height, |lines| named + lines.size().y.max(LINE) + 6.0);
        let (_, rect) = ui.allocate_space(vec2(width, height));
        let response = self.interact(ui, rect, salt);
        // While the pointer is over a button of the row, it is also over the row.
        let is_over = response.hovered() || (self.end > 0.0 && response.contains_pointer());
        let hovered = is_over && !matches!(self.kind, Kind::Text(_));
        self.paint_background(ui, rect, hovered, response.has_focus());
        let is_one_line = self.second.is_none() && !self.values_below;
        let first = if is_one_line {
            rect
        } else {
            let top = if wrapped.is_some() {
                2.0
            } else {
                (height - if self.third.is_some() { 3.0 } else { 2.0 } * LINE) / 2.0
            };
            Rect::from_min_size(rect.min + vec2(0.0, top), vec2(width, LINE))
        };
        let column = |left: f32, width: f32, line: Rect| {
            Rect::from_min_max(pos2(left, line.top()), pos2(left + width, line.bottom()))
        };
        let start = column(rect.left() + self.left, self.start, rect);
        let end = column(rect.right() - self.right - self.end, self.end, rect);
        let fold = column(rect.left() + self.left, ICON, rect);
        if let Some(open) = self.fold {
            let icon = if open { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
            paint::icon(ui.painter(), fold, icon, ICON, tokens.text2);
        }
        let beside_lines = if wrapped.is_some() { first.translate(vec2(0.0, 1.0)) } else { rect };
        self.paint_glyph(ui, column(start.right(), glyph - GAP, beside_lines));

        // Place the values at the right first, so that the name gets the remaining room.
        let mut right = if self.end > 0.0 { end.left() - GAP } else { end.left() };
        let painter = ui.painter();
        if self.warning {
            paint::icon(painter, column(right - ICON, ICON, first), icons::WARNING, ICON, tokens.warn);
            right -= ICON + 6.0;
        }
        for keys in self.keys.iter().rev() {
            right = paint::key_cap(ui, pos2(right, first.center().y), keys).left() - GAP;
        }
        let second_line = first.translate(vec2(0.0, LINE));
        let mut below = end.left();
        for value in self.values.iter().rev() {
            let (line, right) = if self.values_below { (second_line, &mut below) } else { (first, &mut right) };
            let value_rect = line.with_max_x(*right);
            let colour = value.colour.unwrap_or(tokens.text2);
            let max = if value.width > 0.0 { value.width - GAP } else { (width - inner_left) * NAME_SHARE };
            let text = paint::shortened(painter, &value.text, &value.font, max);
            let shown = paint::text_right(painter, value_rect, &text, value.font.clone(), colour);
            *right = if value.width > 0.0 { *right - value.width } else { shown.left() - GAP };
        }
        let left = rect.left() + inner_left;
        let name_rect = first.with_min_x(left).with_max_x(right);
        let is_cut = self.paint_name(ui, name_rect);
        if is_cut && matches!(self.kind, Kind::Text(_)) && self.copies.is_none() {
            response.clone().on_hover_text(self.name.text.as_ref());
        }
        if let Some(lines) = wrapped {
            ui.painter().galley(pos2(left, rect.top() + 3.0 + named), lines, tokens.text2);
        } else {
            let third_line = column(left, end.left() - left, second_line.translate(vec2(0.0, LINE)));
            self.paint_more(ui, column(left, below - left, second_line), third_line);
        }
        Shown { response, start, fold, end, is_cut }
    }

    fn paint_background(&self, ui: &Ui, rect: Rect, hovered: bool, focused: bool) {
        let tokens = theme::tokens(ui);
        if self.selected || hovered {
            let (corner, hover) = if self.rounded { (theme::CORNER, tokens.hover) } else { (0, tokens.raised) };
            paint::fill(ui.painter(), rect, corner, if self.selected { tokens.selected } else { hover });
        }
        focus_ring(ui, self.ring || focused, rect.shrink(1.0), 0.0);
    }

    /// Paints the lines below the name.
    fn paint_more(&self, ui: &Ui, second_line: Rect, third_line: Rect) {
        let usual = theme::tokens(ui).text2;
        if let Some(Text { text, font, colour, .. }) = &self.second {
            // A sentence loses its end, a name its middle.
            let paint = if text.contains(' ') { paint::text_in } else { paint::name_in };
            paint(ui.painter(), second_line, text, font.clone(), colour.unwrap_or(usual));
        }
        if let Some(Text { text, font, colour, .. }) = &self.third {
            paint::text_in(ui.painter(), third_line, text, font.clone(), colour.unwrap_or(usual));
        }
    }

    /// Shows the row with buttons at its end, the first one at the right. Returns the index of the clicked button.
    pub fn show_with(self, ui: &mut Ui, salt: &str, buttons: &[Button<'_>]) -> (Shown, Option<usize>) {
        const BETWEEN: f32 = 4.0;
        let width: f32 = buttons.iter().map(|button| button.width(ui) + BETWEEN).sum();
        let shown = self.end(width - BETWEEN).show_parts(ui, salt);
        let clicked = arrange::within(ui, shown.end, salt, |ui| {
            arrange::at_end(ui, |ui| {
                ui.spacing_mut().item_spacing.x = BETWEEN;
                arrange::buttons(ui, buttons)
            })
        });
        (shown, clicked)
    }

    fn interact(&self, ui: &Ui, rect: Rect, salt: impl AsIdSalt) -> Response {
        let id = ui.scope_id().with(salt);
        let sense = match self.kind {
            Kind::Text(_) if self.copies.is_none() => Sense::hover(),
            _ if !self.keyboard => Sense::CLICK,
            _ => Sense::click(),
        };
        let response = ui.interact(rect, id, sense);
        let name = self.spoken.as_ref().unwrap_or(&self.name.text);
        match self.kind {
            Kind::Item => {
                access::choosable(&response, Role::ListItem, ui.is_enabled(), self.selected, name);
                if self.keyboard {
                    list::accept_focus(&response);
                }
            }
            Kind::Button => response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name.as_ref())),
            Kind::Unfolds(open) => access::unfolds(&response, open, name),
            Kind::Link => response.widget_info(|| WidgetInfo::labeled(Role::Link, true, name.as_ref())),
            Kind::Text(role) | Kind::Acts(role) => {
                response.widget_info(|| WidgetInfo::labeled(role, true, name.as_ref()));
            }
        }
        if let Some((text, about)) = &self.copies
            && !copy::on_click(&response, || text.to_string())
        {
            response.clone().on_hover_ui(|ui| {
                if !about.is_empty() {
                    ui.label(about.as_ref());
                }
                copy::hint(ui);
            });
        }
        response
    }

    fn paint_glyph(&self, ui: &Ui, place: Rect) {
        let tokens = theme::tokens(ui);
        let usual = if self.selected { tokens.accent } else { tokens.text2 };
        match &self.glyph {
            Some(Glyph::Icon(icon, colour)) => paint::icon(ui.painter(), place, icon, ICON, colour.unwrap_or(usual)),
            Some(Glyph::Letter(letter)) => {
                let centre = egui::Align2::CENTER_CENTER;
                paint::text(ui.painter(), place.center(), centre, letter, fonts::strong(), usual);
            }
            Some(Glyph::Dot(colour)) => dot(ui, place.center(), *colour),
            None => {}
        }
    }

    /// Paints the name. Returns whether it was cut.
    fn paint_name(&self, ui: &Ui, room: Rect) -> bool {
        let tokens = theme::tokens(ui);
        let painter = ui.painter();
        let is_plain = self.name.font == fonts::body();
        let font = if self.selected && is_plain { fonts::medium() } else { self.name.font.clone() };
        let usual = if self.kind == Kind::Link { tokens.accent } else { tokens.text };
        let colour = self.name.colour.unwrap_or(usual);
        let badge = self.badge.as_ref().map_or(0.0, |text| paint::width_of(ui, text, fonts::small_medium()) + 20.0);
        let own = room.with_max_x(room.right() - badge);
        let is_cut = paint::width_of(ui, &self.name.text, font.clone()) > own.width() + 0.5;
        let shown = if !self.marks.is_empty() {
            paint::marked_in(painter, own, &self.name.text, self.marks, colour, tokens.accent)
        } else if self.loses_end {
            paint::text_in(painter, own, &self.name.text, font, colour)
        } else {
            paint::name_keeping(painter, own, (&self.name.text, self.keeps), font, colour)
        };
        let mut left = shown.right() + GAP;
        if let Some(badge) = &self.badge {
            left = text::badge(ui, pos2(left, room.center().y), badge).right() + GAP;
        }
        let rest = room.with_min_x(left);
        // Omit an aside that would be cut to a few letters.
        let fits = |aside: &&Text<'_>| {
            rest.width() > 48.0 || paint::width_of(ui, &aside.text, aside.font.clone()) <= rest.width()
        };
        if let Some(aside) = self.aside.as_ref().filter(fits) {
            let colour = aside.colour.unwrap_or(tokens.text2);
            paint::name_in(painter, rest, &aside.text, aside.font.clone(), colour);
        }
        is_cut
    }
}

impl<'a> Text<'a> {
    fn new(text: impl Into<Cow<'a, str>>, font: FontId) -> Self {
        Self { text: text.into(), font, colour: None, width: 0.0 }
    }
}
