//! First steps dialog, shown at the first start and from Help.

use egui::{Frame, Margin, Role, Ui, WidgetInfo, vec2};
use maquette_scene::scene::OverlayKind;

use super::button::{Button, Emphasis};
use super::{card, dialog, fonts, icons, keys, theme};
use maquette_scene::session::{Action, ClockAction, Dialog, DisplayAction, WindowAction};

/// Icon, title and text. Each `{}` stands for the keys of the next action.
const STEPS: [(&str, &str, &str, &[Action]); 6] = [
    (icons::DOWNLOAD, "Drop a model, folder, .pk3/.pk4 or .pak", "Weapons attach to the open character", &[]),
    (icons::BOX, "Navigate", "Drag to orbit, scroll to zoom, middle-drag to pan, double-click to centre", &[]),
    (
        icons::PLAY,
        "Play",
        "{} plays, {} and {} step, {} selects the next clip; click a clip on the track, drag the ruler to scrub",
        &[
            Action::Clock(ClockAction::TogglePlay),
            Action::Clock(ClockAction::Step(-1)),
            Action::Clock(ClockAction::Step(1)),
            Action::Clock(ClockAction::NextClip),
        ],
    ),
    (
        icons::TAG,
        "Inspect",
        "{} tags, {} joints, {} normals, {} bounds, {} wireframe; click a surface for details",
        &[
            Action::Display(DisplayAction::Toggle(OverlayKind::Tags)),
            Action::Display(DisplayAction::Toggle(OverlayKind::Joints)),
            Action::Display(DisplayAction::Toggle(OverlayKind::VertexNormals)),
            Action::Display(DisplayAction::Toggle(OverlayKind::Bounds)),
            Action::Display(DisplayAction::CycleWireframe),
        ],
    ),
    (
        icons::WARNING,
        "Missing textures",
        "Shown as a purple checker. Select the surface to see which paths were tried",
        &[],
    ),
    (
        icons::SEARCH,
        "Command palette",
        "{} finds every command, setting, model, clip and tag; {} lists and changes shortcuts",
        &[
            Action::Window(WindowAction::ToggleDialog(Dialog::Palette)),
            Action::Window(WindowAction::ToggleDialog(Dialog::Help)),
        ],
    ),
];

fn with_keys(ui: &Ui, how: &str, actions: &[Action]) -> String {
    let mut text = String::new();
    let mut parts = how.split("{}");
    text.push_str(parts.next().unwrap_or_default());
    for (part, action) in parts.zip(actions) {
        let keys = keys::of(ui.ctx(), action);
        text.push_str(if keys.is_empty() { "(no shortcut)" } else { &keys });
        text.push_str(part);
    }
    text
}

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, actions: &mut Vec<Action>) -> bool {
    let dialog = |dialog| Action::Window(WindowAction::ToggleDialog(dialog));
    dialog::show_sized(root, "First steps", vec2(560.0, 470.0), |ui| {
        let tokens = theme::tokens(ui);
        ui.spacing_mut().item_spacing.y = 0.0;
        let height = (ui.available_height() - 56.0).max(60.0);
        egui::ScrollArea::vertical().max_height(height).auto_shrink([false, false]).show(ui, |ui| {
            ui.spacing_mut().icon_width = 20.0;
            for (icon, what, how, actions) in &STEPS {
                let how = with_keys(ui, how, actions);
                Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
                    ui.set_min_height(60.0);
                    let step = card::message(
                        ui,
                        icon,
                        tokens.text2,
                        |_| {},
                        |ui| {
                            card::lines(ui, what, fonts::medium(), tokens.text, 1);
                            card::lines(ui, &how, fonts::body(), tokens.text2, usize::MAX);
                        },
                    );
                    step.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{what}: {how}")));
                });
            }
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            ui.add_space(16.0);
            ui.spacing_mut().item_spacing.x = 8.0;
            let begin = Button::new("Get started").word("Get started").rank(Emphasis::Main);
            begin.push(ui, dialog(Dialog::Hints), actions);
            for (word, icon, shown) in
                [("Keyboard shortcuts", icons::KEYBOARD, Dialog::Help), ("User guide", icons::LOG, Dialog::Guide)]
            {
                let button = Button::new(word).icon(icon).word(word).rank(Emphasis::Raised);
                button.push(ui, dialog(shown), actions);
            }
        });
    })
}
