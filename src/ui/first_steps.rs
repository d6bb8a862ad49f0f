//! First steps dialog, shown at the first start and from Help.

use egui::{Frame, Margin, Role, Ui, WidgetInfo, vec2};

use super::{Button, Emphasis, card, dialog, fonts, icons, keys, theme};
use maquette_scene::session::{Action, COMMANDS, Dialog, WindowAction};

/// Icon, title and text. A command's id in braces is replaced by its keys.
const STEPS: [(&str, &str, &str); 6] = [
    (icons::DOWNLOAD, "Drop a model, folder, .pk3/.pk4 or .pak", "Weapons attach to the open character"),
    (icons::BOX, "Navigate", "Drag to orbit, scroll to zoom, middle-drag to pan, double-click to centre"),
    (
        icons::PLAY,
        "Play",
        "{animation.play-or-pause} plays, {animation.one-frame-back} and {animation.one-frame-on} step, \
         {animation.next-clip} selects the next clip; drag the ruler to scrub",
    ),
    (
        icons::TAG,
        "Inspect",
        "{display.tags} tags, {display.joints} joints, {display.vertex-normals} normals, {display.bounds} bounds, \
         {display.wireframe} wireframe; click a surface for details",
    ),
    (
        icons::WARNING,
        "Missing textures",
        "Shown as a purple checkerboard. Select the surface to see which paths were tried",
    ),
    (
        icons::SEARCH,
        "Command palette",
        "{edit.find-an-action} finds every command, setting, model, clip and tag; {help.keys} lists and changes shortcuts",
    ),
];

fn with_keys(ui: &Ui, how: &str) -> String {
    let mut text = how.to_owned();
    for command in COMMANDS.iter().filter(|command| how.contains(command.id)) {
        let keys = keys::shown(ui.ctx(), command);
        let keys = if keys.is_empty() { "(no shortcut)" } else { &keys };
        text = text.replace(&format!("{{{}}}", command.id), keys);
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
            for (icon, what, how) in &STEPS {
                let how = with_keys(ui, how);
                Frame::new().inner_margin(Margin::symmetric(16, 0)).show(ui, |ui| {
                    ui.set_min_height(60.0);
                    let text = |ui: &mut Ui| {
                        card::lines(ui, what, fonts::medium(), tokens.text, 1);
                        card::lines(ui, &how, fonts::body(), tokens.text2, usize::MAX);
                    };
                    let step = card::message(ui, icon, tokens.text2, |_| {}, text);
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
            for (word, icon, action) in [
                ("Keyboard shortcuts", icons::KEYBOARD, dialog(Dialog::Help)),
                ("User guide", icons::OUTSIDE, Action::Window(WindowAction::OpenGuideInBrowser)),
            ] {
                let button = Button::new(word).icon(icon).word(word).rank(Emphasis::Raised);
                button.push(ui, action, actions);
            }
        });
    })
}
