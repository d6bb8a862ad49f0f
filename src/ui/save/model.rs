//! Model export dialog.

use egui::{Frame, Margin, RichText, Ui};

use super::{preview, rows};
use crate::ui::inspector::IMPORT_UNITS;
use crate::ui::{dialog, fonts, theme};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::counted;
use maquette_core::export::{EXPORTERS, ExportContent, ExportOptions, Exporter, TexturePlacement};
use maquette_scene::scene::Choices as _;
use maquette_scene::session::{Action, FileAction, ModelMotion, ModelOptions, SaveAction, Session};

const PLACEMENTS: [(TexturePlacement, &str); 3] = [
    (TexturePlacement::Embedded, "In the file"),
    (TexturePlacement::External, "External"),
    (TexturePlacement::Omitted, "None"),
];
/// Metres per unit, in the order of the dialog.
const SCALES: [(f32, &str); 2] = [(ExportOptions::USUAL_SCALE, "Metres (× 0.0254)"), (1.0, "Game units")];

/// Shows the rows of the dialog. If the model cannot be exported, returns the reason as an error.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    preview: &preview::State,
    actions: &mut Vec<Action>,
) -> Result<String, String> {
    let before = session.jobs.saving.model;
    let mut model = before;
    let exchange = |exporter: &Exporter| exporter.format().is_none();
    for (word, is_shown) in [("Format", true), ("Game format", false)] {
        let own = || EXPORTERS.iter().enumerate().filter(|(_, exporter)| exchange(exporter) == is_shown);
        let formats: Vec<(usize, &str)> = own().map(|(format, exporter)| (format, exporter.label)).collect();
        rows::choice(ui, word, &formats, &mut model.format);
    }
    let exporter = before.exporter();
    if exporter.content == ExportContent::Scene {
        let motions = ModelMotion::labelled();
        rows::choice(ui, "Content", &motions, &mut model.motion);
        let options = &mut model.options;
        rows::choice(ui, "Textures", &PLACEMENTS, &mut options.textures);
        rows::choice(ui, "Units", &SCALES, &mut options.scale);
        let mut ticks =
            [("Quantize positions", &mut options.quantized, None), ("Unlit materials", &mut options.unlit, None)];
        rows::ticks(ui, "Options", &mut ticks);
    } else {
        if exporter.format().is_some() {
            let mut is_still = model.motion == ModelMotion::CurrentFrame;
            let contents = [(false, "All frames"), (true, ModelMotion::CurrentFrame.label())];
            rows::choice(ui, "Content", &contents, &mut is_still);
            if is_still != (model.motion == ModelMotion::CurrentFrame) {
                model.motion = if is_still { ModelMotion::CurrentFrame } else { ModelMotion::AllClips };
            }
        } else {
            rows::fact(ui, "Content", ModelMotion::CurrentFrame.label());
        }
        let has_textures = session.entity().is_some_and(|entity| entity.model().format().traits().has_textures);
        if exporter.format().is_some() && has_textures {
            let mut is_written = model.options.textures == TexturePlacement::External;
            rows::choice(ui, "Textures", &[(false, "None"), (true, "TGA at shader paths")], &mut is_written);
            if is_written != (model.options.textures == TexturePlacement::External) {
                model.options.textures =
                    if is_written { TexturePlacement::External } else { TexturePlacement::Embedded };
            }
        } else {
            rows::fact(ui, "Textures", "None");
        }
        match session.entity().filter(|entity| entity.model().format().traits().is_sampled) {
            // Game formats limit positions, so a wrong unit may be the reason of a refusal.
            Some(_) => {
                let mut scale = session.import.scale;
                rows::choice(ui, "1 game unit is", &IMPORT_UNITS, &mut scale);
                let has_larger = IMPORT_UNITS.last().is_some_and(|(largest, _)| *largest > scale);
                let is_too_large = preview.refused().is_some() && has_larger;
                let why =
                    if is_too_large { "A larger unit makes the model smaller" } else { "Changes the open model, too" };
                rows::fact(ui, "", why);
                let options = LoadOptions { scale, ..session.import };
                actions.extend((options != session.import).then_some(Action::File(FileAction::Import(options))));
            }
            None => rows::fact(ui, "Units", "Game units"),
        }
    }
    if preview.refused().is_none() {
        losses(ui, preview);
    }
    if model != before {
        actions.push(Action::Save(SaveAction::SetModel(model)));
    }
    preview.refused().map_or_else(|| Ok(summary(session, &before)), |why| Err(why.to_owned()))
}

/// Returns the format and the content: `glTF (.glb), clip run`.
fn summary(session: &Session, model: &ModelOptions) -> String {
    let exporter = model.exporter();
    let is_pose = exporter.content == ExportContent::Pose;
    let frame = || session.document.track().map_or(0.0, |track| track.playback.shown_frame(track.model()));
    let content = match model.motion {
        ModelMotion::Clip if exporter.content == ExportContent::Scene => {
            session.document.clip_names().map(|names| format!("clip {names}"))
        }
        ModelMotion::CurrentFrame => Some(format!("frame {:.0}", frame())),
        _ if is_pose => Some(format!("frame {:.0}", frame())),
        _ if exporter.format().is_some() => Some("all frames".to_owned()),
        _ => Some("all clips".to_owned()),
    };
    let scene = &session.document.scene;
    let models = scene.entities().iter().filter(|entity| scene.shows(entity)).count();
    let models = (exporter.format().is_some() && models > 1).then(|| format!("{models} models"));
    std::iter::once(exporter.label.to_owned()).chain(models).chain(content).collect::<Vec<_>>().join(", ")
}

fn losses(ui: &mut Ui, preview: &preview::State) {
    match preview.losses() {
        None => rows::fact(ui, "Losses", if preview.is_pending() { "Measuring…" } else { "Unknown" }),
        Some([]) => rows::fact(ui, "Losses", "None"),
        Some(losses) => {
            rows::fact(ui, "Losses", &counted(losses.len(), "loss", "losses"));
            let margin = Margin { left: (dialog::EDGE + rows::KEY) as i8, right: dialog::EDGE as i8, ..Margin::ZERO };
            Frame::new().inner_margin(margin).show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 8.0;
                for loss in losses {
                    let text = RichText::new(loss).font(fonts::small()).color(theme::tokens(ui).text2);
                    ui.add(egui::Label::new(text).wrap());
                }
            });
        }
    }
}
