//! A path typed by hand, where no service shows a dialog.

use std::path::PathBuf;

use egui::{Align2, Frame, Id, Key, Margin, Rect, RichText, TextEdit, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, Rank};
use super::{dialog, field, fonts, paint, theme};
use crate::session::{Action, PathField, Purpose, WindowAction};

/// What the sheet remembers for itself.
#[derive(Debug, Default)]
pub struct Memory {
    text: String,
    open: bool,
}

impl Memory {
    /// The sheet is not shown.
    pub fn closed(&mut self) {
        self.open = false;
        self.text.clear();
    }
}

/// Shows the sheet.
pub fn show(root: &Ui, wanted: &PathField, memory: &mut Memory, actions: &mut Vec<Action>) {
    let (heading, verb) = match &wanted.purpose {
        Purpose::Open | Purpose::OpenFolder => ("Open path", "Open"),
        Purpose::Attach(_) => ("Attach model", "Attach"),
        Purpose::TryPicture => ("Choose image", "Apply"),
        Purpose::AddRoot => ("Add search folder", "Add"),
        Purpose::Save(product) => (product.title(), product.verb()),
    };
    if !memory.open {
        memory.text.clone_from(&wanted.text);
    }
    let mut confirmed = false;
    let close = dialog::show_sized(root, heading, vec2(560.0, 156.0), |ui| {
        let tokens = theme::tokens(ui);
        let reason = if wanted.reason.is_empty() {
            "Enter a path".to_owned()
        } else {
            format!("{}. Enter a path", wanted.reason)
        };
        Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
            ui.add(egui::Label::new(RichText::new(reason).color(tokens.text2)).truncate());
            ui.add_space(4.0);
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 28.0));
            let focused = edit(ui, rect, memory);
            confirmed = focused && ui.input(|input| input.key_pressed(Key::Enter));
            ui.add_space(12.0);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Min), |ui| {
                let usable = !memory.text.trim().is_empty();
                let button = Button::new(verb).word(verb).rank(Rank::Main).enabled(usable, "Enter a path first");
                confirmed |= button.show(ui).clicked();
                if Button::new("Cancel").word("Cancel").rank(Rank::Raised).show(ui).clicked() {
                    actions.push(Action::Window(WindowAction::ClosePathField));
                }
            });
        });
    });
    let path = memory.text.trim();
    if confirmed && !path.is_empty() {
        actions.extend(wanted.purpose.clone().action(vec![PathBuf::from(path)], false));
    } else if close {
        actions.push(Action::Window(WindowAction::ClosePathField));
    }
}

/// The field. Gives whether what was typed in it counts.
fn edit(ui: &mut Ui, rect: Rect, memory: &mut Memory) -> bool {
    let id = Id::unique("path field");
    let inner = Rect::from_min_max(rect.min + vec2(8.0, 0.0), pos2(rect.right() - 8.0, rect.bottom()));
    paint::fill(ui.painter(), rect, theme::CORNER, theme::tokens(ui).field);
    let edit = TextEdit::singleline(&mut memory.text)
        .id(id)
        .frame(Frame::NONE)
        .margin(Margin::ZERO)
        .font(fonts::mono())
        .align(Align2::LEFT_CENTER)
        .min_size(inner.size())
        .desired_width(inner.width());
    let response = ui.scope_builder(egui::UiBuilder::new().max_rect(inner).id_salt("edit"), |ui| ui.add(edit)).inner;
    if !memory.open {
        memory.open = true;
        response.request_focus();
    }
    field::frame(ui, rect, response.has_focus());
    let text = memory.text.clone();
    response
        .widget_info(|| WidgetInfo { label: Some("Path".to_owned()), ..WidgetInfo::text_edit(true, &text, &text, "") });
    response.has_focus() || response.lost_focus()
}
