//! `maquette snapshot`: an image of a model, drawn as in the window.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use maquette::output::{self, OffscreenRenderer};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;

use super::args::SnapshotArguments;
use super::batch::{self, BatchOutcome};
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
    studio.draw_model(arguments, super::single(&arguments.models)?, output).map(drop)
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
        session.frame_pose();
        if let Some((eye, _)) = &seen.camera {
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
        Ok(BatchOutcome::default())
    }
}
