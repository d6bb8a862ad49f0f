//! Button with an icon, a word or both.

use egui::{Color32, CornerRadius, Rect, Response, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::theme::{self, CORNER, Tokens};
use super::{access, fonts, icons, paint};
use crate::ui::keys;
use maquette_scene::session::{Action, Command, command_for};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Emphasis {
    /// Button without a background at rest, for bars.
    #[default]
    Flat,
    Raised,
    /// Button in the accent colour, for the most likely action of a dialog.
    Main,
}

#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Button<'a> {
    name: &'a str,
    command: Option<&'static Command>,
    icon: Option<&'a str>,
    icon_colour: Option<Color32>,
    turn: f32,
    word: Option<&'a str>,
    why_not: Option<&'a str>,
    note: Option<&'a str>,
    dot: Option<Color32>,
    rank: Emphasis,
    on: Option<bool>,
    menu: bool,
    quiet: bool,
    tight: bool,
    small: bool,
    reading: bool,
    open: Option<bool>,
    warning: bool,
    enabled: bool,
    height: f32,
    wide: f32,
}

impl<'a> Button<'a> {
    /// Creates a flat button. Tooltips and screen readers use `name`.
    pub fn new(name: &'a str) -> Self {
        Self { name, enabled: true, height: 28.0, ..Self::default() }
    }

    /// Creates a button whose tooltip shows the keys of the command that applies `action`.
    pub fn of(name: &'a str, action: &Action) -> Self {
        Self { command: command_for(action), ..Self::new(name) }
    }

    pub fn icon(self, icon: &'a str) -> Self {
        Self { icon: Some(icon), ..self }
    }

    pub fn icon_in(mut self, icon: &'a str, colour: Color32) -> Self {
        self.icon_colour = Some(colour);
        self.icon(icon)
    }

    /// Turns the icon by 180°, for example to reverse an arrow.
    pub fn turned(self) -> Self {
        Self { turn: std::f32::consts::PI, ..self }
    }

    pub fn quarter_turned(self) -> Self {
        Self { turn: std::f32::consts::FRAC_PI_2, ..self }
    }

    /// Sets the visible text, which is shown next to the icon or alone.
    pub fn word(self, word: &'a str) -> Self {
        Self { word: Some(word), ..self }
    }

    pub fn dot(self, colour: Color32) -> Self {
        Self { dot: Some(colour), ..self }
    }

    pub fn rank(self, rank: Emphasis) -> Self {
        Self { rank, ..self }
    }

    pub fn on(self, on: bool) -> Self {
        Self { on: Some(on), ..self }
    }

    pub fn menu(self) -> Self {
        Self { menu: true, ..self }
    }

    /// Draws word and icon in the secondary text colour.
    pub fn quiet(self) -> Self {
        Self { quiet: true, ..self }
    }

    /// Uses a smaller icon and less padding, for crowded bars.
    pub fn tight(self) -> Self {
        Self { tight: true, ..self }
    }

    pub fn small(self) -> Self {
        Self { small: true, ..self }
    }

    /// Dims the icon, for buttons that show a value identified by the icon.
    pub fn reading(self) -> Self {
        Self { reading: true, ..self }
    }

    /// Makes the button a panel toggle, which shows its state by the strength of the icon instead of a background.
    pub fn open(self, open: bool) -> Self {
        Self { open: Some(open), ..self }
    }

    pub fn warning(mut self) -> Self {
        self.icon = Some(icons::WARNING);
        self.warning = true;
        self
    }

    pub fn note(self, note: &'a str) -> Self {
        Self { note: Some(note), ..self }
    }

    /// Disables the button unless `enabled`. In that case `why_not` replaces the second line of the tooltip.
    pub fn enabled(mut self, enabled: bool, why_not: &'a str) -> Self {
        self.enabled = enabled;
        self.why_not = Some(why_not);
        self
    }

    pub fn height(self, height: f32) -> Self {
        Self { height, ..self }
    }

    pub fn wide(self, width: f32) -> Self {
        Self { wide: width, ..self }
    }

    fn icon_size(&self) -> f32 {
        if self.height < 28.0 || (self.tight && self.word.is_some()) { 14.0 } else { 16.0 }
    }

    fn padding(&self) -> f32 {
        match (self.rank, self.tight) {
            (Emphasis::Main, _) => 16.0,
            (_, true) => 7.0,
            (_, false) => 8.0,
        }
    }

    fn gap(&self) -> f32 {
        if self.tight { 5.0 } else { 6.0 }
    }

    /// Returns the width that the button will take, in points.
    pub fn width(&self, ui: &Ui) -> f32 {
        if self.wide > 0.0 {
            return self.wide;
        }
        let word = self.word.map_or(0.0, |word| paint::width_of(ui, word, self.font()));
        let width = match (self.icon, self.word) {
            (Some(_), None) if !self.menu => self.height,
            (None, None) => self.height,
            (icon, word_or_none) => {
                let icon = if icon.is_some() || self.dot.is_some() {
                    let size = if icon.is_some() { self.icon_size() } else { 10.0 };
                    size + if word_or_none.is_some() { self.gap() } else { 0.0 }
                } else {
                    0.0
                };
                self.padding() * 2.0 + icon + word + if self.menu { 20.0 } else { 0.0 }
            }
        };
        width.ceil()
    }

    fn font(&self) -> egui::FontId {
        if self.small {
            fonts::small()
        } else if self.dot.is_some() || self.rank == Emphasis::Main {
            fonts::medium()
        } else {
            fonts::body()
        }
    }

    /// Shows the button with the keys of `action`. A click pushes `action`.
    pub fn push(&self, ui: &mut Ui, action: Action, actions: &mut Vec<Action>) -> Response {
        let command = self.command.or_else(|| command_for(&action));
        let response = Button { command, ..self.clone() }.show(ui);
        actions.extend(response.clicked().then_some(action));
        response
    }

    pub fn show(&self, ui: &mut Ui) -> Response {
        let size = vec2(self.width(ui), self.height);
        ui.add_enabled_ui(self.enabled, |ui| {
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            self.finish(ui, rect, response)
        })
        .inner
    }

    /// Shows the button over the available width. A word that is too long is cut in its middle.
    pub fn show_wide(&self, ui: &mut Ui) -> Response {
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), self.height));
        let taken = self.width(ui) - self.word.map_or(0.0, |word| paint::width_of(ui, word, self.font()));
        let word = self.word.map(|word| paint::shortened(ui.painter(), word, &self.font(), rect.width() - taken));
        let button = Button { word: word.as_deref(), ..self.clone() };
        button.show_at(ui, rect, ("wide", self.name))
    }

    /// Shows the button at `rect`, outside the layout.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect, salt: impl egui::AsIdSalt) -> Response {
        // A child does not advance the layout of `ui`.
        let builder = egui::UiBuilder::new().max_rect(rect).id_salt(salt);
        let ui = ui.new_child(if self.enabled { builder } else { builder.disabled() });
        let response = ui.interact(rect, ui.scope_id().with("button"), Sense::click());
        self.finish(&ui, rect, response)
    }

    fn finish(&self, ui: &Ui, rect: Rect, response: Response) -> Response {
        response.widget_info(|| match self.on.or(self.open) {
            Some(on) => WidgetInfo::selected(Role::Button, self.enabled, on, self.name),
            None => WidgetInfo::labeled(Role::Button, self.enabled, self.name),
        });
        let shown = self.word.filter(|word| *word != self.name);
        shown.into_iter().for_each(|word| access::shows(&response, word));
        if self.menu {
            access::opens_menu(&response, self.is_menu_open(ui, &response));
        }
        if ui.is_rect_visible(rect) {
            self.paint(ui, rect, &response);
        }
        let keys = || self.command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
        let tip = |ui: &mut Ui| {
            tip(ui, self.name, &keys());
            let second = if self.enabled { self.note } else { self.why_not.filter(|why| !why.is_empty()) };
            if let Some(second) = second {
                ui.label(egui::RichText::new(second).small().weak());
            }
        };
        // A tooltip that only repeats the word is useless, unless it can show a key.
        let says_all = self.word == Some(self.name) && self.note.is_none() && self.enabled && keys().is_empty();
        if says_all { response } else { response.on_hover_ui(tip).on_disabled_hover_ui(tip) }
    }

    fn fill(&self, tokens: &Tokens, response: &Response, open: bool) -> Option<Color32> {
        let pressed = response.is_pointer_button_down_on();
        let hovered = response.hovered() || open;
        if self.rank == Emphasis::Main {
            return Some(if pressed {
                theme::mix(tokens.accent_fill, tokens.on_accent, 0.12)
            } else if hovered {
                theme::mix(tokens.accent_fill, tokens.text, 0.12)
            } else {
                tokens.accent_fill
            });
        }
        if pressed {
            Some(tokens.line)
        } else if hovered || self.on == Some(true) {
            Some(tokens.hover)
        } else if self.rank == Emphasis::Raised {
            Some(tokens.raised)
        } else {
            None
        }
    }

    fn is_menu_open(&self, ui: &Ui, response: &Response) -> bool {
        self.menu && egui::Popup::is_id_open(ui.ctx(), egui::Popup::default_response_id(response))
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response) {
        let tokens = theme::tokens(ui);
        let painter = ui.painter();
        let open = self.is_menu_open(ui, response);
        if let Some(fill) = self.fill(tokens, response, open) {
            paint::fill(painter, rect, CORNER, fill);
        }
        focus_ring(ui, response.has_focus(), rect, if self.rank == Emphasis::Main { 3.0 } else { 0.0 });
        let (word_colour, icon_colour) = match (self.rank, self.on) {
            (Emphasis::Main, _) => (tokens.on_accent, tokens.on_accent),
            // Without an icon, only the word can show that the switch is on.
            (_, Some(true)) => (if self.icon.is_none() { tokens.accent } else { tokens.text }, tokens.accent),
            (_, Some(false)) => (tokens.text, tokens.text2),
            _ if self.reading => (tokens.text, tokens.text2),
            _ if self.warning => (tokens.text, tokens.warn),
            _ if self.open == Some(true) => (tokens.text, tokens.text),
            _ if self.open == Some(false) => (tokens.text3, tokens.text3),
            _ if self.quiet => (tokens.text2, tokens.text2),
            _ => (tokens.text, if self.word.is_some() { tokens.text } else { tokens.text2 }),
        };
        let icon_colour = self.icon_colour.unwrap_or(icon_colour);
        let size = self.icon_size();
        if let (Some(icon), None, false) = (self.icon, self.word, self.menu) {
            paint::turned_icon(painter, rect, icon, size, self.turn, icon_colour);
            return;
        }
        let mut x = rect.left() + self.padding();
        if let Some(icon) = self.icon {
            let icon_rect = Rect::from_min_size(pos2(x, rect.top()), vec2(size, rect.height()));
            paint::icon(painter, icon_rect, icon, size, icon_colour);
            x += size + self.gap();
        } else if let Some(colour) = self.dot {
            dot(ui, pos2(x + 5.0, rect.center().y), colour);
            x += 16.0;
        }
        let right = rect.right() - self.padding() - if self.menu { 18.0 } else { 0.0 };
        if let Some(word) = self.word {
            let word_rect = Rect::from_min_max(pos2(x, rect.top()), pos2(right.max(x) + 1.0, rect.bottom()));
            paint::text_in(painter, word_rect, word, self.font(), word_colour);
        }
        if self.menu {
            let chevron_rect = Rect::from_center_size(pos2(rect.right() - 15.0, rect.center().y), vec2(14.0, 14.0));
            paint::icon(painter, chevron_rect, icons::CHEVRON_DOWN, 14.0, tokens.text2);
        }
    }
}

pub fn dot(ui: &Ui, centre: egui::Pos2, colour: Color32) {
    let rect = Rect::from_center_size(paint::snapped(ui.painter(), centre), vec2(10.0, 10.0));
    paint::fill(ui.painter(), rect, 3, colour);
    paint::outline(ui.painter(), rect, 3, 1.0, theme::tokens(ui).line);
}

/// Paints the focus ring if `focused`, `gap` points outside `rect`.
pub fn focus_ring(ui: &Ui, focused: bool, rect: Rect, gap: f32) {
    if !focused {
        return;
    }
    let corner = CornerRadius::same(CORNER + gap as u8);
    let stroke = Stroke::new(2.0, theme::tokens(ui).accent);
    ui.painter().rect_stroke(rect.expand(gap), corner, stroke, StrokeKind::Inside);
}

pub fn tip(ui: &mut Ui, name: &str, keys: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().interact_size.y = 18.0;
        ui.label(name);
        if !keys.is_empty() {
            let width = (paint::width_of(ui, keys, fonts::small()) + 10.0).max(18.0);
            let (rect, _) = ui.allocate_exact_size(vec2(width, 18.0), Sense::hover());
            paint::key_cap(ui, rect.right_center(), keys);
        }
    });
}
