//! `maquette snapshot`: an image of a model, drawn as in the window.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use maquette::output::{self, OffscreenRenderer};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_scene::scene::GameLight;

use super::args::SnapshotArguments;
use super::batch::{self, BatchOutcome};
use super::output::error_line;
use super::{Failure, image_args, open};

pub fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    let opener = open::opener(&arguments.character, arguments.import.options(None), ImageLoading::Decode)?;
    let studio = Studio { opener, idle: Mutex::default() };
    let Some(output) = &arguments.output else {
        return batch::run(&arguments.models, &arguments.batch, "png", arguments.json, |model, target| {
            studio.draw_model(arguments, model, target.path)
        });
    };
    if !image_args::is_png(output) && output != Path::new("-") {
        return Err(Failure::Usage(format!("-o {}: unknown format; available: .png", output.display())));
    }
    let done = studio.draw_model(arguments, super::single(&arguments.models)?, output)?;
    done.notes.iter().for_each(error_line);
    Ok(())
}

struct Studio {
    opener: Opener,
    /// Idle renderers. A renderer is created when an image needs one, because a model that fails needs no device.
    idle: Mutex<Vec<OffscreenRenderer>>,
}

impl Studio {
    fn draw_model(&self, arguments: &SnapshotArguments, model: &Path, output: &Path) -> Result<BatchOutcome, Failure> {
        open::refuse_model_itself(model, output)?;
        let SnapshotArguments { size, character, frame, image: seen, .. } = arguments;
        let mut session = image_args::session(&self.opener, model, *size, character, frame, seen)?;
        image_args::turn(&mut session, seen);
        let mut notes = Vec::new();
        if !arguments.game_light.is_empty() {
            let mut lights: Vec<GameLight> = arguments.game_light.iter().flatten().cloned().collect();
            let format = session.entity().map(|entity| entity.model().format());
            for light in lights.iter_mut().filter(|light| !light.material.is_empty()) {
                let Some(format) = format else { continue };
                [light.projection, light.falloff] = self.opener.light_images(model, format, &light.material);
                if light.projection.is_none() && light.falloff.is_none() {
                    notes.push(format!(
                        "--game-light: no images found for the material “{}”; the light is plain",
                        light.material
                    ));
                }
            }
            session.view.display.game_lights = lights.into();
        }
        session.frame_pose();
        if let Some(eye) = &seen.camera {
            session.view.camera = image_args::camera(eye, &session)?;
        }
        let failed = |error| Failure::File(format!("could not draw the image: {error}"));
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let renderer = idle().pop();
        let mut renderer = renderer.map_or_else(OffscreenRenderer::open, Ok).map_err(failed)?;
        let image = renderer.draw(session.document_view(), *size, seen.scale, true);
        idle().push(renderer);
        let image = image.map_err(failed)?;
        output::save_png(&image, output).map_err(|error| Failure::output(output, error))?;
        Ok(BatchOutcome { notes, ..BatchOutcome::default() })
    }
}
