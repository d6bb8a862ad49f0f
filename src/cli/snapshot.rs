//! `maquette snapshot`: a picture of a model, drawn as the window draws it.

use maquette::material::Depth;
use maquette::output;

use super::args::SnapshotArguments;
use super::{Failure, picture, scene};

pub fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    if arguments.output.extension().is_some() && !picture::is_png(&arguments.output) {
        return Err(Failure::Usage(format!("-o {}: images are written as .png", arguments.output.display())));
    }
    let SnapshotArguments { size, figure, moment, picture: seen, .. } = arguments;
    let opener = scene::opener(figure, Depth::Decoded)?;
    let mut session = picture::session(&opener, &arguments.model, *size, figure, moment, seen)?;
    picture::turn(&mut session, seen);
    session.frame_moment();
    if let Some(eye) = &seen.camera {
        session.view.camera = picture::camera(eye, &session)?;
    }
    let image = output::snapshot(session.shown(), (size.width, size.height), seen.scale)
        .map_err(|error| Failure::File(format!("no image was made: {error}")))?;
    output::save_png(&image, &arguments.output).map_err(|error| Failure::output(&arguments.output, error))
}
