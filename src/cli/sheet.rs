//! `maquette sheet`: a picture of every clip, on one.

use std::path::Path;

use maquette::output::{ContactSheetOptions, OffscreenRenderer, OutputError, Progress, contact_sheet, save_png};
use maquette_assets::material::Depth;
use maquette_assets::open::Opener;

use super::args::{MomentArguments, SheetArguments};
use super::batch::{self, Done};
use super::{Failure, picture, scene, told};

/// Most pixels of a tile: as 1024x1024.
const MAX_TILE_PIXELS: u64 = 1 << 20;

pub fn run(arguments: &SheetArguments) -> Result<(), Failure> {
    let size = arguments.size;
    if u64::from(size.0) * u64::from(size.1) > MAX_TILE_PIXELS {
        return Err(Failure::Usage(format!("--size: tiles have at most {MAX_TILE_PIXELS} pixels, as 1024x1024")));
    }
    let opener = scene::opener(&arguments.figure, Depth::Decoded)?;
    let Some(output) = &arguments.output else {
        return batch::run(&arguments.models, &arguments.batch, "png", arguments.json, |model, target| {
            one(arguments, &opener, model, target.path, &mut |_, _| true)
        });
    };
    if !picture::is_png(output) && output != Path::new("-") {
        return Err(Failure::Usage(format!("-o {}: contact sheets are written as .png", output.display())));
    }
    let model = super::single(&arguments.models)?;
    let done = one(arguments, &opener, model, output, &mut picture::progress("Tile"))?;
    done.notes.iter().for_each(|note| told::error_line(format_args!("maquette: {note}")));
    Ok(())
}

/// The sheet of one model.
fn one(
    arguments: &SheetArguments,
    opener: &Opener,
    model: &Path,
    output: &Path,
    progress: &mut Progress<'_>,
) -> Result<Done, Failure> {
    scene::refuse_model_itself(model, output)?;
    let SheetArguments { size, figure, picture: seen, .. } = arguments;
    let moment = MomentArguments { animation: None, frame: None };
    let mut session = picture::session(opener, model, *size, figure, &moment, seen)?;
    picture::turn(&mut session, seen);
    let order = ContactSheetOptions { tile: *size, moments: arguments.moments, scale: seen.scale, names: true };
    let failed = |error: OutputError| Failure::output(output, error);
    let mut studio = OffscreenRenderer::open().map_err(|error| failed(error.into()))?;
    let made = contact_sheet(&mut studio, &mut session, &order, progress);
    let (image, all, shown) = made.map_err(failed)?;
    save_png(&image, output).map_err(|error| failed(error.into()))?;
    let note = (shown < all).then(|| format!("the sheet has the first {shown} of {all} clips"));
    Ok(Done { notes: note.into_iter().collect(), ..Done::default() })
}
