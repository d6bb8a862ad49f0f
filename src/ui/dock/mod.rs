//! What stands under the picture, one thing at a time: the model's file, byte by byte.

mod file;

use egui::{Align, Layout, Rect, Ui, Vec2, pos2, vec2};

use super::button::Button;
use super::{fonts, icons, paint, theme};
use crate::session::{Action, DockTab, Session, WindowAction};

/// Height of the bar at the top.
const BAR: f32 = 32.0;

/// What it remembers for itself.
#[derive(Default)]
pub struct Memory {
    file: file::Memory,
    /// How high it was shown, in a window how large.
    pub shown: Option<(f32, Vec2)>,
}

impl Memory {
    /// It was closed: what it made of the file is given back.
    pub fn closed(&mut self) {
        self.file = file::Memory::default();
    }
}

/// Shows it.
pub fn show(ui: &mut Ui, session: &Session, tab: DockTab, memory: &mut Memory, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    // As high as it was dragged, whatever it holds.
    ui.set_min_size(ui.available_size());
    let tokens = theme::tokens(ui);
    let (_, bar) = ui.allocate_space(vec2(ui.available_width(), BAR));
    ui.painter().hline(bar.x_range(), bar.bottom() - 0.5, (1.0, tokens.line));
    let title = paint::text_in(
        ui.painter(),
        Rect::from_min_max(bar.min + vec2(12.0, 0.0), bar.max),
        tab.label(),
        fonts::strong(),
        tokens.text,
    );
    let rest = Rect::from_min_max(pos2(title.right() + 12.0, bar.top()), pos2(bar.right() - 4.0, bar.bottom()));
    let right = egui::UiBuilder::new().max_rect(rest).layout(Layout::right_to_left(Align::Center)).id_salt("bar");
    let room = ui
        .scope_builder(right, |ui| {
            let close = Action::Window(WindowAction::ToggleDock(tab));
            if Button::new("Close panel").icon(icons::CLOSE).show(ui).clicked() {
                actions.push(close);
            }
            ui.available_rect_before_wrap()
        })
        .inner;
    match tab {
        DockTab::File => file::show(ui, session, room, &mut memory.file, actions),
    }
}
