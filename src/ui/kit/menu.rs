//! Menus: popups, submenus and their rows.

use egui::containers::menu::{MenuConfig, SubMenu};
use egui::{
    Color32, Context, Key, Margin, Order, Popup, PopupCloseBehavior, Rect, RectAlign, Response, Role, Sense, Style, Ui,
    WidgetInfo, pos2, vec2,
};

use super::button::dot;
use super::theme::{self, CORNER};
use super::{access, field, fonts, icons, paint, type_ahead};
use crate::ui::keys;
use maquette_scene::session::{Action, Command, Session, Value, command_for};

const FILTERED_WIDTH: f32 = 300.0;
pub const ROW: f32 = 26.0;

#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Row<'a> {
    pub word: &'a str,
    /// Command whose keys are shown at the right.
    pub command: Option<&'static Command>,
    /// Value at the right, shown without a key cap.
    pub value: String,
    pub on: Option<bool>,
    /// Colour of a square before the word.
    pub dot: Option<Color32>,
    pub warning: bool,
    /// Whether the row opens a submenu.
    pub leads_on: bool,
    pub disabled: bool,
    /// Width in points reserved at the right for a button.
    pub end: f32,
}

impl<'a> From<&'a str> for Row<'a> {
    fn from(word: &'a str) -> Self {
        Self::new(word)
    }
}

impl<'a> Row<'a> {
    pub fn new(word: &'a str) -> Self {
        Self { word, ..Self::default() }
    }

    pub fn command(command: &'static Command) -> Self {
        Self { word: command.label, command: Some(command), ..Self::default() }
    }

    pub fn on(mut self, on: bool) -> Self {
        self.on = Some(on);
        self
    }

    pub fn disabled(mut self, disabled: bool) -> Self {
        self.disabled = disabled;
        self
    }

    /// Shows the row with the keys of `action`. A click pushes `action`.
    pub fn push(mut self, ui: &mut Ui, action: Action, actions: &mut Vec<Action>) -> Response {
        self.command = self.command.or_else(|| command_for(&action));
        let response = self.show(ui);
        actions.extend(response.clicked().then_some(action));
        response
    }

    pub fn show(&self, ui: &mut Ui) -> Response {
        let text = paint::width_of(ui, self.word, fonts::body());
        let shown = self.command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
        let keys = if shown.is_empty() { 0.0 } else { paint::width_of(ui, &shown, fonts::small()) + 40.0 };
        let value = if self.value.is_empty() { 0.0 } else { paint::width_of(ui, &self.value, fonts::body()) + 28.0 };
        let value = if self.warning { 28.0 } else { value };
        let signs = if self.dot.is_some() { 18.0 } else { 0.0 } + if self.leads_on { 12.0 } else { 0.0 };
        let width = (30.0 + signs + text + keys.max(value) + self.end + 20.0).ceil().max(160.0);
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_enabled_ui(!self.disabled, |ui| {
            // While egui measures, the available width is unbounded. Afterwards it is the width of the widest row.
            let room = if ui.is_sizing_pass() { 0.0 } else { ui.available_width() };
            let size = vec2(width.max(room), ROW);
            let (rect, response) = ui.allocate_exact_size(size, Sense::click());
            response.widget_info(|| match self.on {
                Some(on) => WidgetInfo::selected(Role::MenuItemCheckBox, !self.disabled, on, self.word),
                None => WidgetInfo::labeled(Role::MenuItem, !self.disabled, self.word),
            });
            if self.leads_on {
                access::opens_menu(&response, self.is_open(ui, &response));
            } else if !self.value.is_empty() {
                access::shows(&response, &self.value);
            }
            if !self.disabled && !ui.is_sizing_pass() {
                type_ahead::offer(&response, self.word);
            }
            self.paint(ui, rect, &response, &shown);
            response
        })
        .inner
    }

    fn is_open(&self, ui: &Ui, response: &Response) -> bool {
        self.leads_on
            && egui::containers::menu::MenuState::from_ui(ui, |state, _| {
                state.open_item == Some(SubMenu::id_from_widget_id(response.id))
            })
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response, keys: &str) {
        let tokens = theme::tokens(ui);
        let painter = ui.painter();
        let open = self.is_open(ui, response);
        if response.hovered() || response.has_focus() || open {
            paint::fill(painter, rect, CORNER, tokens.hover);
        }
        let mut x = rect.left() + 30.0;
        if self.on == Some(true) {
            let check_rect = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(14.0, rect.height()));
            paint::icon(painter, check_rect, icons::CHECK, 14.0, tokens.accent);
        }
        if let Some(colour) = self.dot {
            dot(ui, pos2(x + 5.0, rect.center().y), colour);
            x += 18.0;
        }
        let mut right = rect.right() - self.end - 8.0;
        if self.leads_on || self.warning {
            let icon_rect = Rect::from_center_size(pos2(right - 7.0, rect.center().y), vec2(14.0, 14.0));
            let chevron = (icons::CHEVRON_RIGHT, tokens.text2);
            let (icon, colour) = if self.leads_on { chevron } else { (icons::WARNING, tokens.warn) };
            paint::icon(painter, icon_rect, icon, 14.0, colour);
            right -= 20.0;
        } else if !keys.is_empty() {
            right = paint::key_cap(ui, pos2(right, rect.center().y), keys).left() - 8.0;
        } else if !self.value.is_empty() {
            let value_rect = Rect::from_min_max(rect.min, pos2(right, rect.bottom()));
            right = paint::text_right(painter, value_rect, &self.value, fonts::body(), tokens.text2).left() - 8.0;
        }
        let name_rect = Rect::from_min_max(pos2(x, rect.top()), pos2(right, rect.bottom()));
        paint::name_in(painter, name_rect, self.word, fonts::body(), tokens.text);
    }
}

/// Shows a row that pushes `action`. The row shows the keys of the command.
pub fn item(ui: &mut Ui, word: &str, action: Action, actions: &mut Vec<Action>) {
    Row::new(word).push(ui, action, actions);
}

/// Shows a switch that pushes `action`. The row shows the keys of the command.
pub fn toggle(ui: &mut Ui, word: &str, on: bool, action: Action, actions: &mut Vec<Action>) {
    Row::new(word).on(on).push(ui, action, actions);
}

/// Shows a choice that pushes `action` unless it is already `chosen`.
pub fn choice(ui: &mut Ui, word: &str, chosen: bool, action: Action, actions: &mut Vec<Action>) {
    let clicked = Row::new(word).on(chosen).show(ui).clicked();
    actions.extend((clicked && !chosen).then_some(action));
}

/// Shows the values of a setting. A click sets another value.
pub fn values(ui: &mut Ui, values: impl IntoIterator<Item = Value>, actions: &mut Vec<Action>) {
    for value in values {
        let row = Row { command: command_for(&value.action), ..Row::new(&value.label) };
        let clicked = row.on(value.is_current).show(ui).clicked();
        actions.extend((clicked && !value.is_current).then_some(value.action));
    }
}

/// Shows the command that applies `action`, as a switch if it has a state. If the command is disabled, the tooltip has
/// the reason.
pub fn command(ui: &mut Ui, session: &Session, action: &Action, actions: &mut Vec<Action>) {
    let Some(command) = command_for(action) else { return };
    let word = command.label_now(session);
    let row = Row { word: &word, on: command.is_checked(session), ..Row::command(command) };
    let response = row.disabled(!command.is_enabled(session)).push(ui, action.clone(), actions);
    if let Some(why) = command.reason(session) {
        response.on_disabled_hover_text(why);
    }
}

pub fn separator(ui: &mut Ui) {
    let width = if ui.is_sizing_pass() { 0.0 } else { ui.available_width() };
    let (rect, _) = ui.allocate_exact_size(vec2(width, 9.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, (1.0, theme::tokens(ui).line));
}

/// Applies the style of menus, which have narrower margins than tooltips.
pub fn style(style: &mut Style) {
    egui::containers::menu::menu_style(style);
    style.spacing.menu_margin = Margin::same(4);
}

pub fn below(button: &Response, content: impl FnOnce(&mut Ui)) {
    Popup::menu(button).style(style).gap(4.0).show(|ui| frame(ui, content));
}

/// Shows a menu of values below a button. Returns the clicked value.
pub fn choose_below<T: PartialEq + Copy>(
    button: &Response,
    values: impl IntoIterator<Item = (T, impl AsRef<str>)>,
    current: T,
) -> Option<T> {
    let mut chosen = None;
    below(button, |ui| {
        for (value, word) in values {
            if Row::new(word.as_ref()).on(value == current).show(ui).clicked() {
                chosen = Some(value);
            }
        }
    });
    chosen
}

/// Shows the menu that a right-click opens at the pointer. A right-drag does not open it.
pub fn context(response: &Response, content: impl FnOnce(&mut Ui)) {
    Popup::context_menu(response).style(style).show(|ui| frame(ui, content));
}

/// Like [`context`], but for changing several settings: only Escape or a click outside closes the menu.
pub fn settings_context(response: &Response, content: impl FnOnce(&mut Ui)) {
    let behaviour = PopupCloseBehavior::CloseOnClickOutside;
    Popup::context_menu(response).style(style).close_behavior(behaviour).show(|ui| frame(ui, content));
}

/// Like [`below`], but for changing several settings: only Escape or a click outside closes the popup.
pub fn settings_below(button: &Response, content: impl FnOnce(&mut Ui)) {
    let behaviour = PopupCloseBehavior::CloseOnClickOutside;
    Popup::menu(button).style(style).gap(4.0).close_behavior(behaviour).show(|ui| frame(ui, content));
}

/// Shows a submenu that only Escape or a click outside closes.
pub fn settings_leading_on<'a>(ui: &mut Ui, row: impl Into<Row<'a>>, content: impl FnOnce(&mut Ui)) {
    submenu(ui, row.into(), MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside), content);
}

pub fn heading(ui: &mut Ui, word: &str) {
    let width = if ui.is_sizing_pass() { 0.0 } else { ui.available_width() };
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, word));
    let word_rect = Rect::from_min_max(rect.min + vec2(30.0, 2.0), rect.max - vec2(8.0, 0.0));
    paint::text_in(ui.painter(), word_rect, word, fonts::small(), theme::tokens(ui).text2);
}

/// Shows the menu of `button` above the button, for bars at the bottom.
pub fn above(button: &Response, content: impl FnOnce(&mut Ui)) {
    Popup::menu(button).style(style).align(RectAlign::TOP_START).gap(4.0).show(|ui| frame(ui, content));
}

/// Like [`above`], but for long lists with a filter. `content` receives the typed text, and whether Enter was pressed,
/// which should choose the first row. `content` closes the menu after a choice.
pub fn filtered_above(button: &Response, hint: &str, content: impl FnOnce(&mut Ui, &str, bool)) {
    let id = button.id.with("filter");
    let popup = Popup::menu(button).style(style).align(RectAlign::TOP_START).gap(4.0);
    let shown = popup.close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        let typed: Option<String> = ui.data(|data| data.get_temp(id));
        // The sizing pass has no field that could take the focus, so wait for the next pass.
        let is_new = typed.is_none() && !ui.is_sizing_pass();
        let mut text = typed.unwrap_or_default();
        ui.spacing_mut().item_spacing.y = 0.0;
        raise(ui);
        ui.set_max_height(highest(ui.ctx()));
        ui.set_width(FILTERED_WIDTH);
        let is_entered = ui.memory(|memory| memory.has_focus(id)) && ui.input(|input| input.key_pressed(Key::Enter));
        field::filter(ui, id, &mut text, hint, 0.0);
        if is_new {
            ui.memory_mut(|memory| memory.request_focus(id));
        }
        ui.add_space(4.0);
        content(ui, &text, is_entered);
        if !ui.is_sizing_pass() {
            ui.data_mut(|data| data.insert_temp(id, text));
        }
    });
    if shown.is_none() {
        button.ctx.data_mut(|data| data.remove_temp::<String>(id));
    }
}

/// Shows a submenu.
pub fn leading_on(ui: &mut Ui, word: &str, content: impl FnOnce(&mut Ui)) {
    submenu(ui, word.into(), MenuConfig::new(), content);
}

fn submenu(ui: &mut Ui, row: Row<'_>, config: MenuConfig, content: impl FnOnce(&mut Ui)) {
    let response = Row { leads_on: true, ..row }.show(ui);
    SubMenu::new().config(config.style(style)).show(ui, &response, |ui| frame(ui, content));
}

/// Shows the rows of a filtered list, of which only the visible ones are created. The height is limited, so that the
/// model stays visible.
pub fn filtered_rows<T>(ui: &mut Ui, found: &[T], mut row: impl FnMut(&mut Ui, &T)) {
    let max = (highest(ui.ctx()) - 100.0).min(ROW * 14.0);
    let scroll = egui::ScrollArea::vertical().max_height(max).auto_shrink([true, false]);
    scroll.show_rows(ui, ROW, found.len(), |ui, shown| {
        found.get(shown).into_iter().flatten().for_each(|found| row(ui, found));
    });
}

/// Shows rows without gaps, in a scroll area if they exceed the window.
pub fn frame(ui: &mut Ui, content: impl FnOnce(&mut Ui)) {
    ui.spacing_mut().item_spacing.y = 0.0;
    raise(ui);
    type_ahead::read(ui.ctx());
    let highest = highest(ui.ctx());
    // Set the height, because egui limits a new area to 400 points until it knows the content.
    ui.set_max_height(highest);
    egui::ScrollArea::vertical().max_height(highest).show(ui, content);
}

/// Moves a menu above the dialog of its button, which a press on the dialog moves to the top.
fn raise(ui: &Ui) {
    let is_covered = |memory: &egui::Memory| {
        let top = memory.areas().top_layer_id(Order::Foreground);
        top.is_some() && top == memory.top_modal_layer()
    };
    if ui.memory(is_covered) {
        ui.ctx().move_to_top(ui.layer_id());
        ui.ctx().request_repaint();
    }
}

pub fn highest(context: &Context) -> f32 {
    (context.content_rect().height() - 80.0).max(120.0)
}

/// Shows a vertical line between groups of a bar.
pub fn divider(ui: &mut Ui) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 20.0), egui::Sense::hover());
    ui.painter().vline(rect.center().x, rect.y_range(), (1.0, theme::tokens(ui).line));
}
