//! `maquette snapshot`: a picture of a model, drawn as the window draws it.

use std::path::Path;

use maquette::material::Depth;
use maquette::open::Opener;
use maquette::output::{self, OffscreenRenderer};

use super::args::SnapshotArguments;
use super::batch::{self, Done};
use super::{Failure, picture, scene};

pub fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    let opener = scene::opener(&arguments.figure, Depth::Decoded)?;
    let Some(output) = &arguments.output else {
        let format = ("png", arguments.json);
        let studio = || Ok(Studio { opener: &opener, renderer: None });
        return batch::run(&arguments.models, &arguments.batch, format, studio, |studio, model, target| {
            studio.one(arguments, model, target.path)
        });
    };
    if output.extension().is_some() && !picture::is_png(output) {
        return Err(Failure::Usage(format!("-o {}: images are written as .png", output.display())));
    }
    let mut studio = Studio { opener: &opener, renderer: None };
    studio.one(arguments, super::single(&arguments.models)?, output).map(drop)
}

/// What opens models and draws them.
struct Studio<'a> {
    opener: &'a Opener,
    /// Opened for the first picture: what cannot be opened needs no device.
    renderer: Option<OffscreenRenderer>,
}

impl Studio<'_> {
    fn one(&mut self, arguments: &SnapshotArguments, model: &Path, output: &Path) -> Result<Done, Failure> {
        scene::refuse_model_itself(model, output)?;
        let SnapshotArguments { size, figure, moment, picture: seen, .. } = arguments;
        let mut session = picture::session(self.opener, model, *size, figure, moment, seen)?;
        picture::turn(&mut session, seen);
        session.frame_moment();
        if let Some(eye) = &seen.camera {
            session.view.camera = picture::camera(eye, &session)?;
        }
        let failed = |error| Failure::File(format!("no image was made: {error}"));
        let renderer = match &mut self.renderer {
            Some(renderer) => renderer,
            none => none.insert(OffscreenRenderer::open().map_err(failed)?),
        };
        let image = renderer.draw(session.shown(), (size.width, size.height), seen.scale, true).map_err(failed)?;
        output::save_png(&image, output).map_err(|error| Failure::output(output, error))?;
        Ok(Done::default())
    }
}
