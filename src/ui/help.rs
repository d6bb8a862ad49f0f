//! The sheet of keys: every command with its key, and what the mouse does.

use egui::{Id, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo, pos2, vec2};

use super::theme::CORNER;
use super::{field, fonts, paint, sheet, theme};
use crate::session::{Action, COMMANDS, Group, Panel, Session};

/// What the mouse does over the picture, and keys that depend on what is chosen.
const MOUSE: [(&str, &str); 15] = [
    ("Turn the model", "Drag"),
    ("Move it", "Shift+drag, or middle button"),
    ("Nearer, farther", "Wheel, or right button"),
    ("Frame it", "Double-click"),
    ("Standard views", "Discs of the axes"),
    ("Go to a frame", "Drag on the ruler; with Shift whole frames"),
    ("Play a clip", "Double-click on the track"),
    ("Make or move a loop range", "Ctrl+drag on the ruler"),
    ("Clear the loop range", "Double-click on it"),
    ("Zoom into frames", "Ctrl+wheel over the timeline"),
    ("Move along the frames", "Wheel, or middle button"),
    ("Shorter normals", "["),
    ("Longer normals", "]"),
    ("Hide or show the chosen surface", "H"),
    ("Put away what lies on top", "Esc"),
];

/// What the sheet remembers for itself.
#[derive(Debug, Default)]
pub struct Memory {
    filter: String,
    open: bool,
}

impl Memory {
    /// The sheet is not shown.
    pub fn closed(&mut self) {
        self.open = false;
        self.filter.clear();
    }
}

/// Shows the sheet.
pub fn show(root: &Ui, _session: &Session, memory: &mut Memory, actions: &mut Vec<Action>) {
    let close = sheet::show(root, "Keys and mouse", 560.0, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        let id = Id::unique("help filter");
        field::filter(ui, id, &mut memory.filter, "Find an action or a key", 16.0);
        if !memory.open {
            memory.open = true;
            ui.ctx().memory_mut(|memory| memory.request_focus(id));
        }
        ui.add_space(8.0);
        let wanted = memory.filter.to_lowercase();
        ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
            let mut found = 0;
            for group in Group::ALL {
                let rows: Vec<_> = COMMANDS
                    .iter()
                    .filter(|command| {
                        command.group == group && fits(&wanted, group.label(), command.label, command.keys)
                    })
                    .collect();
                if rows.is_empty() {
                    continue;
                }
                found += rows.len();
                heading(ui, group.label());
                for command in rows {
                    let keys: Vec<String> =
                        command.keys.split(' ').filter(|key| !key.is_empty()).map(paint::first_keys).collect();
                    if row(ui, command.label, &keys, true) {
                        actions.push(command.action.clone());
                    }
                }
            }
            let mouse: Vec<_> = MOUSE.iter().filter(|(what, how)| fits(&wanted, "Mouse", what, how)).collect();
            if !mouse.is_empty() {
                found += mouse.len();
                heading(ui, "Mouse and more");
                for (what, how) in mouse {
                    gesture(ui, what, how);
                }
            }
            if found == 0 {
                row(ui, "No action or key has this in its name", &[], false);
            }
            ui.add_space(12.0);
        });
    });
    if close {
        actions.push(Action::TogglePanel(Panel::Help));
    }
}

fn fits(wanted: &str, group: &str, label: &str, keys: &str) -> bool {
    wanted.is_empty() || [group, label, keys].iter().any(|text| text.to_lowercase().contains(wanted))
}

fn heading(ui: &mut Ui, text: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 32.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, text));
    let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top() + 6.0), rect.max);
    paint::text_in(ui.painter(), room, text, fonts::strong(), theme::tokens(ui).text);
}

/// What can be done with the mouse or with a key that has no command.
fn gesture(ui: &mut Ui, what: &str, how: &str) {
    if how.chars().count() <= 3 {
        row(ui, what, &[how.to_owned()], false);
        return;
    }
    let tokens = theme::tokens(ui);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{what}: {how}")));
    let inner = rect.shrink2(vec2(16.0, 0.0));
    let right = paint::text_right(ui.painter(), inner, how, fonts::body(), tokens.text2).left();
    let room = Rect::from_min_max(inner.min, pos2(right - 8.0, inner.bottom()));
    paint::text_in(ui.painter(), room, what, fonts::body(), tokens.text);
}

/// What can be done, and its keys. Gives whether it was clicked.
fn row(ui: &mut Ui, label: &str, keys: &[String], clickable: bool) -> bool {
    let tokens = theme::tokens(ui);
    let sense = if clickable { Sense::click() } else { Sense::hover() };
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 26.0), sense);
    let role = if clickable { Role::MenuItem } else { Role::Label };
    response.widget_info(|| WidgetInfo::labeled(role, true, label));
    if clickable && (response.hovered() || response.has_focus()) {
        paint::fill(ui.painter(), rect.shrink2(vec2(8.0, 0.0)), CORNER, tokens.raised);
    }
    let mut right = rect.right() - 16.0;
    for key in keys.iter().rev() {
        right = paint::key_cap(ui, pos2(right, rect.center().y), key).left() - 6.0;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 16.0, rect.top()), pos2(right - 8.0, rect.bottom()));
    paint::text_in(ui.painter(), room, label, fonts::body(), tokens.text);
    response.clicked()
}
