//! About dialog with the data for bug reports: version, graphics adapter, system and model.

use egui::{Frame, Margin, RichText, Ui, vec2};

use super::{Button, Emphasis, copy, dialog, icons, list, text, theme};
use maquette_scene::session::Session;

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, session: &Session) -> bool {
    let facts = facts(session);
    dialog::show_sized(root, "About Maquette", vec2(460.0, 250.0), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        Frame::new().inner_margin(Margin::symmetric(28, 4)).show(ui, |ui| {
            let about = "Viewer for id Tech models. Free software under the MIT or Apache 2.0 licence.";
            ui.add(egui::Label::new(RichText::new(about).color(theme::tokens(ui).text2)).wrap());
        });
        ui.add_space(8.0);
        facts.iter().for_each(|(name, value)| text::fact(ui, name, value));
        ui.add_space(16.0);
        ui.horizontal(|ui| {
            ui.add_space(list::INSET);
            let button = Button::new("Copy for a bug report").word("Copy for a bug report").icon(icons::COPY);
            if button.rank(Emphasis::Raised).show(ui).clicked() {
                let lines: Vec<String> = facts.iter().map(|(name, value)| format!("{name}: {value}")).collect();
                copy::put(ui.ctx(), lines.join("\n"));
            }
        });
    })
}

fn facts(session: &Session) -> Vec<(&'static str, String)> {
    let desktop = std::env::var("XDG_SESSION_TYPE").map_or(String::new(), |kind| format!(", {kind}"));
    let mut facts = vec![
        ("Version", concat!("Maquette ", env!("CARGO_PKG_VERSION")).to_owned()),
        ("Graphics", session.interface.graphics.clone()),
        ("System", format!("{} {}{desktop}", std::env::consts::OS, std::env::consts::ARCH)),
    ];
    if let Some(entity) = session.entity() {
        let model = entity.model();
        let version = model.version().map_or(String::new(), |version| format!(" version {version}"));
        facts.push(("Model", format!("{}, {}{version}", entity.asset.name, model.format().title())));
    }
    facts
}
