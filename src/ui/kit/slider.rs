//! Slider with a thin rail that is filled up to the handle.

use std::ops::RangeInclusive;

use egui::{Rect, Response, Slider, Ui, WidgetInfo, vec2};

use super::{arrange, button, fonts, list, paint, theme};

#[derive(Clone, Debug)]
pub struct Scale<'a> {
    pub name: &'a str,
    pub range: RangeInclusive<f64>,
    /// Whether equal distances on the rail are equal factors.
    pub logarithmic: bool,
    pub shown: String,
    /// Text of the tooltip. If empty, the slider has no tooltip.
    pub note: &'a str,
    pub keys: &'a str,
}

impl<'a> Scale<'a> {
    pub fn new(name: &'a str, range: RangeInclusive<f64>, shown: String, note: &'a str) -> Self {
        Self { name, range, logarithmic: false, shown, note, keys: "" }
    }

    pub fn logarithmic(self) -> Self {
        Self { logarithmic: true, ..self }
    }

    /// Shows the rail in `room`. Returns the value if the user changed it.
    pub fn rail(&self, ui: &mut Ui, room: Rect, value: f64) -> Option<f64> {
        let tokens = theme::tokens(ui);
        let (min, max) = (*self.range.start(), *self.range.end());
        let mut chosen = value.clamp(min, max);
        let builder = egui::UiBuilder::new().max_rect(room).id_salt(("slider", self.name));
        let response = ui.scope_builder(builder, |ui| {
            // egui draws the fill of the rail in the selection colour, and the handle in the button colour.
            ui.visuals_mut().selection.bg_fill = tokens.accent_fill;
            ui.visuals_mut().widgets.inactive.bg_fill = tokens.line;
            ui.visuals_mut().handle_shape = egui::style::HandleShape::Circle;
            ui.spacing_mut().slider_width = room.width();
            ui.spacing_mut().interact_size.y = room.height();
            let slider = Slider::new(&mut chosen, self.range.clone());
            ui.add(slider.logarithmic(self.logarithmic).show_value(false).trailing_fill(true))
        });
        let response: Response = response.inner;
        response.widget_info(|| WidgetInfo::slider(true, value, self.name));
        button::focus_ring(ui, response.has_focus(), arrange::inside(room, -4.0, -4.0), 0.0);
        let changed = response.changed();
        if !self.note.is_empty() {
            response.on_hover_ui(|ui| button::tip(ui, self.note, self.keys));
        }
        changed.then_some(chosen)
    }

    /// Shows the rail over the available width. Returns the value if the user changed it.
    pub fn show(&self, ui: &mut Ui, value: f64) -> Option<f64> {
        let (_, room) = ui.allocate_space(vec2(ui.available_width(), 18.0));
        self.rail(ui, arrange::inside(room, 4.0, 4.0), value)
    }

    /// Shows name, rail and value as a row of a section. Returns the value if the user changed it.
    pub fn row(&self, ui: &mut Ui, value: f64) -> Option<f64> {
        let (_, row) = ui.allocate_space(vec2(ui.available_width(), 28.0));
        self.in_row(ui, arrange::inside(row, list::INSET, 12.0), 96.0, value)
    }

    pub fn menu_row(&self, ui: &mut Ui, value: f64) -> Option<f64> {
        const WIDTH: f32 = 264.0;
        let room = if ui.is_sizing_pass() { 0.0 } else { ui.available_width() };
        let (_, row) = ui.allocate_space(vec2(WIDTH.max(room), 30.0));
        self.in_row(ui, arrange::inside(row, 30.0, 10.0), 88.0, value)
    }

    fn in_row(&self, ui: &mut Ui, row: Rect, named: f32, value: f64) -> Option<f64> {
        let tokens = theme::tokens(ui);
        let name = row.with_max_x(row.left() + named - 4.0);
        paint::name_in(ui.painter(), name, self.name, fonts::body(), tokens.text2);
        paint::text_right(ui.painter(), row, &self.shown, fonts::body(), tokens.text);
        let rail = arrange::inside(row, named, 52.0);
        self.rail(ui, rail.shrink2(vec2(0.0, (rail.height() - 18.0) / 2.0)), value)
    }
}
