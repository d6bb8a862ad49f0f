//! The sheet that exports models.

use egui::{RichText, Ui};

use super::{preview, rows};
use crate::export::{EXPORTERS, ExportOptions, TexturePlacement};
use crate::session::{Action, ModelMotion, SaveAction, Session};
use crate::ui::{fonts, theme};

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
    preview: &preview::Memory,
    actions: &mut Vec<Action>,
) -> Result<String, String> {
    let before = session.jobs.saving.model;
    let mut model = before;
    let labels: Vec<&str> = EXPORTERS.iter().map(|exporter| exporter.label).collect();
    if let Some(format) = rows::choice(ui, "Format", &labels, model.format) {
        model.format = format;
    }
    let exporter = before.exporter();
    if exporter.animates {
        let motions = ModelMotion::ALL.map(ModelMotion::label);
        let motion = ModelMotion::ALL.iter().position(|motion| *motion == model.motion).unwrap_or(0);
        if let Some(motion) =
            rows::choice(ui, "Content", &motions, motion).and_then(|index| ModelMotion::ALL.get(index))
        {
            model.motion = *motion;
        }
        let words = PLACEMENTS.map(|(_, word)| word);
        let current = PLACEMENTS.iter().position(|(placement, _)| *placement == model.options.textures).unwrap_or(0);
        if let Some((placement, _)) =
            rows::choice(ui, "Textures", &words, current).and_then(|index| PLACEMENTS.get(index))
        {
            model.options.textures = *placement;
        }
        let words = SCALES.map(|(_, word)| word);
        let current = SCALES.iter().position(|(scale, _)| *scale == model.options.scale).unwrap_or(usize::MAX);
        if let Some((scale, _)) = rows::choice(ui, "Units", &words, current).and_then(|index| SCALES.get(index)) {
            model.options.scale = *scale;
        }
        let options = &mut model.options;
        rows::ticks(
            ui,
            "Options",
            &["Quantize positions", "Unlit materials"],
            &mut [&mut options.quantized, &mut options.unlit],
        );
    } else {
        rows::told(ui, "Content", ModelMotion::Still.label());
        rows::told(ui, "Textures", "None");
        rows::told(ui, "Units", "Game units");
    }
    losses(ui, preview);
    if model != before {
        actions.push(Action::Save(SaveAction::SetModel(model)));
    }
    Ok(String::new())
}

/// What cannot be kept.
fn losses(ui: &mut Ui, preview: &preview::Memory) {
    match preview.losses() {
        None => rows::told(ui, "Losses", "Measuring…"),
        Some([]) => rows::told(ui, "Losses", "None"),
        Some(losses) => {
            let plural = if losses.len() == 1 { "1 loss".to_owned() } else { format!("{} losses", losses.len()) };
            rows::told(ui, "Losses", &plural);
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
