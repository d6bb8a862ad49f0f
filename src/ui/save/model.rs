//! The sheet that exports models.

use egui::{RichText, Ui};

use super::{preview, rows};
use crate::ui::{fonts, theme};
use maquette_core::error::counted;
use maquette_core::export::{EXPORTERS, ExportContent, ExportOptions, Exporter, TexturePlacement};
use maquette_scene::session::{Action, ModelMotion, SaveAction, Session};

/// Where textures go, in the order of the dialog.
const PLACEMENTS: [(TexturePlacement, &str); 3] = [
    (TexturePlacement::Embedded, "In the file"),
    (TexturePlacement::Beside, "Beside it"),
    (TexturePlacement::Omitted, "None"),
];
/// Metres for each unit, in the order of the dialog.
const SCALES: [(f32, &str); 2] = [(ExportOptions::USUAL_SCALE, "Metres (× 0.0254)"), (1.0, "Game units")];

/// Shows its rows. Gives what is told beside the buttons, or why there is nothing to be exported.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    preview: &preview::State,
    actions: &mut Vec<Action>,
) -> Result<String, String> {
    let before = session.jobs.saving.model;
    let mut model = before;
    let exchange = |exporter: &Exporter| exporter.content != ExportContent::Model;
    for (word, is_shown) in [("Format", true), ("Game format", false)] {
        let own = || EXPORTERS.iter().enumerate().filter(|(_, exporter)| exchange(exporter) == is_shown);
        let formats: Vec<(usize, &str)> = own().map(|(format, exporter)| (format, exporter.label)).collect();
        model.format = rows::choice(ui, word, &formats, model.format).unwrap_or(model.format);
    }
    let exporter = before.exporter();
    if exporter.content == ExportContent::Scene {
        let motions = ModelMotion::ALL.map(|motion| (motion, motion.label()));
        model.motion = rows::choice(ui, "Content", &motions, model.motion).unwrap_or(model.motion);
        let options = &mut model.options;
        options.textures = rows::choice(ui, "Textures", &PLACEMENTS, options.textures).unwrap_or(options.textures);
        options.scale = rows::choice(ui, "Units", &SCALES, options.scale).unwrap_or(options.scale);
        rows::ticks(
            ui,
            "Options",
            &["Quantize positions", "Unlit materials"],
            &mut [&mut options.quantized, &mut options.unlit],
        );
    } else {
        if exporter.content == ExportContent::Model {
            let is_still = model.motion == ModelMotion::Still;
            let contents = [(false, "All frames"), (true, ModelMotion::Still.label())];
            if let Some(is_still) = rows::choice(ui, "Content", &contents, is_still) {
                model.motion = if is_still { ModelMotion::Still } else { ModelMotion::AllClips };
            }
        } else {
            rows::told(ui, "Content", ModelMotion::Still.label());
        }
        rows::told(ui, "Textures", "None");
        rows::told(ui, "Units", "Game units");
    }
    if preview.refused().is_none() {
        losses(ui, preview);
    }
    if model != before {
        actions.push(Action::Save(SaveAction::SetModel(model)));
    }
    preview.refused().map_or_else(|| Ok(String::new()), |why| Err(why.to_owned()))
}

/// What cannot be kept.
fn losses(ui: &mut Ui, preview: &preview::State) {
    match preview.losses() {
        None => rows::told(ui, "Losses", "Measuring…"),
        Some([]) => rows::told(ui, "Losses", "None"),
        Some(losses) => {
            rows::told(ui, "Losses", &counted(losses.len(), "loss", "losses"));
            let tokens = theme::tokens(ui);
            let (room, before) = (ui.available_rect_before_wrap(), ui.spacing().item_spacing.y);
            let room = room.with_min_x(room.left() + rows::INDENT).with_max_x(room.right() - rows::EDGE);
            // The line above belongs to them.
            let room = room.translate(egui::vec2(0.0, -before));
            ui.scope_builder(egui::UiBuilder::new().max_rect(room).id_salt("losses"), |ui| {
                for loss in losses {
                    ui.add(egui::Label::new(RichText::new(loss).font(fonts::small()).color(tokens.text2)).wrap());
                }
            });
        }
    }
}
