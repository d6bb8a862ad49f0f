//! The row of lists and panels: an icon, a name, what is said of it, and room for buttons at both ends.

use std::borrow::Cow;

use egui::{AsIdSalt, Color32, FontId, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, dot, focus_ring};
use super::{access, copy, fonts, icons, list, paint, theme};

/// Height of each line of a row of two lines.
const LINE: f32 = 18.0;
/// Side of an icon.
const ICON: f32 = 14.0;
/// From an icon to the name.
const GAP: f32 = 8.0;
/// Widest share of a row that the name takes from what follows it.
const NAME_SHARE: f32 = 0.6;

/// What a row is to the user and to screen readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One of a list, which a click chooses.
    Item,
    /// Does something.
    Button,
    /// Unfolds what is below it, and whether it is unfolded.
    Unfolds(bool),
    /// Leads elsewhere.
    Link,
    /// Does something.
    Acts(Role),
    /// Text.
    Text(Role),
}

/// A text of a row, with its typeface and colour.
#[derive(Clone, Debug)]
struct Text<'a> {
    text: Cow<'a, str>,
    font: FontId,
    colour: Option<Color32>,
    /// Width of its column; as wide as the text if 0.
    width: f32,
}

/// What stands before the name.
#[derive(Clone, Debug)]
enum Sign<'a> {
    Icon(&'a str, Option<Color32>),
    Letter(&'a str),
    Dot(Color32),
}

/// A row to be shown.
#[derive(Clone, Debug)]
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
    sign: Option<Sign<'a>>,
    badge: Option<Cow<'a, str>>,
    aside: Option<Text<'a>>,
    second: Option<Text<'a>>,
    values: Vec<Text<'a>>,
    keys: Vec<String>,
    values_below: bool,
    /// The text that a click copies, and the tooltip.
    copies: Option<(Cow<'a, str>, Cow<'a, str>)>,
    warning: bool,
    selected: bool,
    keyboard: bool,
    ring: bool,
    loses_end: bool,
    wraps: bool,
    rounded: bool,
}

/// A row that is shown, and the room at its ends.
pub struct Shown {
    /// The row as a whole.
    pub response: Response,
    /// Room before the name, see [`Row::start`].
    pub start: Rect,
    /// Chevron of [`Row::fold`].
    pub fold: Rect,
    /// Room after everything else, see [`Row::end`].
    pub end: Rect,
    /// Whether the name has more letters than there is room for.
    pub is_cut: bool,
}

impl<'a> Row<'a> {
    /// A row that a click chooses, 12 points from both edges.
    #[must_use]
    pub fn new(name: impl Into<Cow<'a, str>>) -> Self {
        Self {
            kind: Kind::Item,
            name: Text::new(name, fonts::body()),
            spoken: None,
            marks: &[],
            height: list::ROW,
            left: list::EDGE,
            right: list::EDGE,
            start: 0.0,
            end: 0.0,
            fold: None,
            sign: None,
            badge: None,
            aside: None,
            second: None,
            values: Vec::new(),
            keys: Vec::new(),
            values_below: false,
            copies: None,
            warning: false,
            selected: false,
            keyboard: true,
            ring: false,
            loses_end: false,
            wraps: false,
            rounded: false,
        }
    }

    /// A row of text, which screen readers know as a label.
    #[must_use]
    pub fn label(text: impl Into<Cow<'a, str>>) -> Self {
        Self { kind: Kind::Text(Role::Label), ..Self::new(text) }
    }

    /// A heading of rows.
    #[must_use]
    pub fn heading(text: impl Into<Cow<'a, str>>) -> Self {
        Self { kind: Kind::Text(Role::Heading), ..Self::new(text) }.font(fonts::strong())
    }

    /// A row of text with a role of its own.
    #[must_use]
    pub fn role(mut self, role: Role) -> Self {
        self.kind = Kind::Text(role);
        self
    }

    /// A row that is a button to screen readers.
    #[must_use]
    pub fn button(mut self) -> Self {
        self.kind = Kind::Button;
        self
    }

    /// A row that unfolds what is below it: the chevron before its name says whether it is `open`.
    #[must_use]
    pub fn unfolds(mut self, open: bool) -> Self {
        self.kind = Kind::Unfolds(open);
        self.fold(Some(open))
    }

    /// A row that leads elsewhere, its name in the accent's colour.
    #[must_use]
    pub fn link(mut self) -> Self {
        self.kind = Kind::Link;
        self
    }

    /// A row that does something, with a role of its own.
    #[must_use]
    pub fn acts(mut self, role: Role) -> Self {
        self.kind = Kind::Acts(role);
        self
    }

    /// A row whose text a click copies.
    #[must_use]
    pub fn copied(self) -> Self {
        let text = self.name.text.clone();
        Self { kind: Kind::Text(Role::Label), ..self.copies(text.clone(), text) }
    }

    /// A row of text of which a click copies `text`; the tooltip shows `about`.
    #[must_use]
    pub fn copies(mut self, text: impl Into<Cow<'a, str>>, about: impl Into<Cow<'a, str>>) -> Self {
        self.copies = Some((text.into(), about.into()));
        self
    }

    /// Name for screen readers, where it is not the text.
    #[must_use]
    pub fn spoken(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.spoken = Some(text.into());
        self
    }

    /// Height in points; [`list::ROW`] at first.
    #[must_use]
    pub fn height(mut self, height: f32) -> Self {
        self.height = height;
        self
    }

    /// Points before everything else.
    #[must_use]
    pub fn inset(mut self, left: f32) -> Self {
        self.left = left;
        self
    }

    /// Points after everything else.
    #[must_use]
    pub fn margin(mut self, right: f32) -> Self {
        self.right = right;
        self
    }

    /// Room of this width before the name, for an eye or an image.
    #[must_use]
    pub fn start(mut self, width: f32) -> Self {
        self.start = width;
        self
    }

    /// Room of this width after everything else, for buttons.
    #[must_use]
    pub fn end(mut self, width: f32) -> Self {
        self.end = width;
        self
    }

    /// A chevron before the name, or room for one: whether what is below is open, if there is something.
    #[must_use]
    pub fn fold(mut self, open: Option<bool>) -> Self {
        self.fold = open;
        self.start += ICON + 4.0;
        self
    }

    /// An icon before the name, in the accent's colour while the row is selected.
    #[must_use]
    pub fn icon(mut self, icon: &'a str) -> Self {
        self.sign = Some(Sign::Icon(icon, None));
        self
    }

    /// An icon of this colour before the name.
    #[must_use]
    pub fn icon_in(mut self, icon: &'a str, colour: Color32) -> Self {
        self.sign = Some(Sign::Icon(icon, Some(colour)));
        self
    }

    /// A letter in place of the icon.
    #[must_use]
    pub fn letter(mut self, letter: &'a str) -> Self {
        self.sign = Some(Sign::Letter(letter));
        self
    }

    /// A square of this colour before the name.
    #[must_use]
    pub fn dot(mut self, colour: Color32) -> Self {
        self.sign = Some(Sign::Dot(colour));
        self
    }

    /// A badge after the name.
    #[must_use]
    pub fn badge(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.badge = Some(text.into());
        self
    }

    /// Typeface of the name; medium at first while the row is selected, else that of text.
    #[must_use]
    pub fn font(mut self, font: FontId) -> Self {
        self.name.font = font;
        self
    }

    /// Colour of the name.
    #[must_use]
    pub fn colour(mut self, colour: Color32) -> Self {
        self.name.colour = Some(colour);
        self
    }

    /// Letters of the name in the accent's colour, counted as characters.
    #[must_use]
    pub fn marks(mut self, marks: &'a [u32]) -> Self {
        self.marks = marks;
        self
    }

    /// A name that is too long loses its end instead of its middle.
    #[must_use]
    pub fn loses_end(mut self) -> Self {
        self.loses_end = true;
        self
    }

    /// Small text after the name, where there is room.
    #[must_use]
    pub fn aside(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.aside = Some(Text::new(text, fonts::small()));
        self
    }

    /// Text after the name, as large as the name.
    #[must_use]
    pub fn then(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.aside = Some(Text::new(text, fonts::body()));
        self
    }

    /// A second line of small text.
    #[must_use]
    pub fn second(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.second = Some(Text::new(text, fonts::small()));
        self
    }

    /// A second line of this colour.
    #[must_use]
    pub fn second_in(mut self, text: impl Into<Cow<'a, str>>, colour: Color32) -> Self {
        self.second = Some(Text { colour: Some(colour), ..Text::new(text, fonts::small()) });
        self
    }

    /// The second line, as large as the name, goes on in further lines; the row is as high as they need.
    #[must_use]
    pub fn wraps(mut self) -> Self {
        self.wraps = true;
        if let Some(second) = &mut self.second {
            second.font = fonts::body();
        }
        self
    }

    /// A text at the right.
    #[must_use]
    pub fn value(self, text: impl Into<Cow<'a, str>>) -> Self {
        self.cell(text, 0.0)
    }

    /// A small text at the right.
    #[must_use]
    pub fn small_value(mut self, text: impl Into<Cow<'a, str>>) -> Self {
        self.values.push(Text::new(text, fonts::small()));
        self
    }

    /// A text at the right of a column of this width, before those that come after it.
    #[must_use]
    pub fn cell(mut self, text: impl Into<Cow<'a, str>>, width: f32) -> Self {
        self.values.push(Text { width, ..Text::new(text, fonts::body()) });
        self
    }

    /// The last value in this colour.
    #[must_use]
    pub fn value_colour(mut self, colour: Color32) -> Self {
        if let Some(value) = self.values.last_mut() {
            value.colour = Some(colour);
        }
        self
    }

    /// The values are in the second line, even if it has no other text.
    #[must_use]
    pub fn values_below(mut self) -> Self {
        self.values_below = true;
        self
    }

    /// Typeface of the values so far.
    #[must_use]
    pub fn value_font(mut self, font: &FontId) -> Self {
        self.values.iter_mut().for_each(|value| value.font = font.clone());
        self
    }

    /// Keys at the right, in a cap, after those given before; none if empty.
    #[must_use]
    pub fn keys(mut self, keys: String) -> Self {
        self.keys.extend(Some(keys).filter(|keys| !keys.is_empty()));
        self
    }

    /// Round corners and the hover colour of menus, for rows in a popup.
    #[must_use]
    pub fn rounded(mut self) -> Self {
        self.rounded = true;
        self
    }

    /// With a warning sign at the right.
    #[must_use]
    pub fn warning(mut self, warns: bool) -> Self {
        self.warning = warns;
        self
    }

    /// Whether it is what is selected.
    #[must_use]
    pub fn selected(mut self, selected: bool) -> Self {
        self.selected = selected;
        self
    }

    /// With the ring of what has the keyboard.
    #[must_use]
    pub fn ring(mut self, ring: bool) -> Self {
        self.ring = ring;
        self
    }

    /// The list as a whole has the keyboard: the row takes clicks alone.
    #[must_use]
    pub fn without_keyboard(mut self) -> Self {
        self.keyboard = false;
        self
    }

    /// Shows it over the whole width. `salt` tells it from its neighbours.
    pub fn show(self, ui: &mut Ui, salt: impl AsIdSalt) -> Response {
        self.show_parts(ui, salt).response
    }

    /// Shows it over the whole width. Gives the room at its ends as well.
    pub fn show_parts(self, ui: &mut Ui, salt: impl AsIdSalt) -> Shown {
        let tokens = theme::tokens(ui);
        let width = ui.available_width();
        let sign = match self.sign {
            None => 0.0,
            Some(Sign::Icon(..) | Sign::Letter(_)) => ICON + GAP,
            Some(Sign::Dot(_)) => 10.0 + GAP,
        };
        let inner_left = self.left + self.start + sign;
        let wrapped = self.second.as_ref().filter(|_| self.wraps).map(|second| {
            let room = (width - inner_left - self.right - self.end).max(40.0);
            let colour = second.colour.unwrap_or(tokens.text2);
            ui.painter().layout(second.text.to_string(), second.font.clone(), colour, room)
        });
        let named = if self.name.text.is_empty() && wrapped.is_some() { 0.0 } else { LINE };
        let height = wrapped.as_ref().map_or(self.height, |lines| named + lines.size().y.max(LINE) + 6.0);
        let (_, rect) = ui.allocate_space(vec2(width, height));
        let response = self.interact(ui, rect, salt);
        // Its buttons belong to it.
        let is_over = response.hovered() || (self.end > 0.0 && response.contains_pointer());
        let hovered = is_over && !matches!(self.kind, Kind::Text(_));
        if self.selected || hovered {
            let (corner, hover) = if self.rounded { (theme::CORNER, tokens.hover) } else { (0, tokens.raised) };
            paint::fill(ui.painter(), rect, corner, if self.selected { tokens.selected } else { hover });
        }
        focus_ring(ui, self.ring || response.has_focus(), rect.shrink(1.0), 0.0);

        let is_one_line = self.second.is_none() && !self.values_below;
        let first = if is_one_line {
            rect
        } else {
            let top = if wrapped.is_some() { 2.0 } else { (height - 2.0 * LINE) / 2.0 };
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
        self.paint_sign(ui, column(start.right(), sign - GAP, beside_lines));

        // What stands at the right of the first line.
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
            let room = line.with_max_x(*right);
            let colour = value.colour.unwrap_or(tokens.text2);
            let most = (width - inner_left) * NAME_SHARE;
            let text =
                paint::shortened(painter, &value.text, &value.font, if value.width > 0.0 { value.width } else { most });
            let shown = paint::text_right(painter, room, &text, value.font.clone(), colour);
            *right = if value.width > 0.0 { *right - value.width } else { shown.left() - GAP };
        }
        let left = rect.left() + inner_left;
        let room = first.with_min_x(left).with_max_x(right);
        let is_cut = self.paint_name(ui, room);
        if is_cut && matches!(self.kind, Kind::Text(_)) && self.copies.is_none() {
            response.clone().on_hover_text(self.name.text.as_ref());
        }
        if let Some(lines) = wrapped {
            ui.painter().galley(pos2(left, rect.top() + 3.0 + named), lines, tokens.text2);
        } else if let Some(second) = &self.second {
            let line = column(left, below - left, second_line);
            let colour = second.colour.unwrap_or(tokens.text2);
            paint::name_in(ui.painter(), line, &second.text, second.font.clone(), colour);
        }
        Shown { response, start, fold, end, is_cut }
    }

    /// Shows it over the whole width with buttons at its end, the first at the right. Gives the one that was clicked.
    pub fn show_with(self, ui: &mut Ui, salt: &str, buttons: &[Button<'_>]) -> (Shown, Option<usize>) {
        const BETWEEN: f32 = 4.0;
        let width: f32 = buttons.iter().map(|button| button.width(ui) + BETWEEN).sum();
        let shown = self.end(width - BETWEEN).show_parts(ui, salt);
        let clicked = list::within(ui, shown.end, salt, |ui| {
            list::at_end(ui, |ui| {
                ui.spacing_mut().item_spacing.x = BETWEEN;
                list::buttons(ui, buttons)
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

    fn paint_sign(&self, ui: &Ui, place: Rect) {
        let tokens = theme::tokens(ui);
        let usual = if self.selected { tokens.accent } else { tokens.text2 };
        match &self.sign {
            Some(Sign::Icon(icon, colour)) => paint::icon(ui.painter(), place, icon, ICON, colour.unwrap_or(usual)),
            Some(Sign::Letter(letter)) => {
                let centre = egui::Align2::CENTER_CENTER;
                paint::text(ui.painter(), place.center(), centre, letter, fonts::strong(), usual);
            }
            Some(Sign::Dot(colour)) => dot(ui, place.center(), *colour),
            None => {}
        }
    }

    /// Gives whether the name was cut.
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
            paint::name_in(painter, own, &self.name.text, font, colour)
        };
        let mut left = shown.right() + GAP;
        if let Some(badge) = &self.badge {
            left = list::badge(ui, pos2(left, room.center().y), badge).right() + GAP;
        }
        let rest = room.with_min_x(left);
        // A few letters of it say nothing.
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
