//! `maquette contact-sheet`: an image with a tile for every clip.

use std::path::Path;

use maquette::output::{ContactSheetOptions, OffscreenRenderer, OutputError, Progress, contact_sheet, save_png};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;

use super::args::{FrameArguments, SheetArguments};
use super::batch::{self, BatchOutcome};
use super::{Failure, image_args, open, output};

/// Maximum number of pixels of a tile: 1024 × 1024.
const MAX_TILE_PIXELS: u64 = 1 << 20;

pub fn run(arguments: &SheetArguments) -> Result<(), Failure> {
    let size = arguments.size;
    if u64::from(size.0) * u64::from(size.1) > MAX_TILE_PIXELS {
        return Err(Failure::Usage(format!(
            "--size: expected at most {MAX_TILE_PIXELS} pixels per tile, for example 1024x1024"
        )));
    }
    let opener = open::opener(&arguments.character, Default::default(), ImageLoading::Decode)?;
    let Some(output) = &arguments.output else {
        return batch::run(&arguments.models, &arguments.batch, "png", arguments.json, |model, target| {
            draw_sheet(arguments, &opener, model, target.path, &mut |_, _| true)
        });
    };
    if !image_args::is_png(output) && output != Path::new("-") {
        return Err(Failure::Usage(format!("-o {}: unknown format; available: .png", output.display())));
    }
    let model = super::single(&arguments.models)?;
    let done = draw_sheet(arguments, &opener, model, output, &mut image_args::progress("Tile"))?;
    done.notes.iter().for_each(|note| output::error_line(format_args!("maquette: {note}")));
    Ok(())
}

fn draw_sheet(
    arguments: &SheetArguments,
    opener: &Opener,
    model: &Path,
    output: &Path,
    progress: &mut Progress<'_>,
) -> Result<BatchOutcome, Failure> {
    open::refuse_model_itself(model, output)?;
    let SheetArguments { size, character, image: seen, .. } = arguments;
    let frame = FrameArguments { animation: None, frame: None };
    let mut session = image_args::session(opener, model, *size, character, &frame, seen)?;
    image_args::turn(&mut session, seen);
    let order =
        ContactSheetOptions { tile: *size, frames_per_clip: arguments.frames_per_clip, scale: seen.scale, names: true };
    let failed = |error: OutputError| Failure::output(output, error);
    let mut studio = OffscreenRenderer::open().map_err(|error| failed(error.into()))?;
    let made = contact_sheet(&mut studio, &mut session, &order, progress);
    let (image, all, shown) = made.map_err(failed)?;
    save_png(&image, output).map_err(|error| failed(error.into()))?;
    let note = (shown < all).then(|| format!("the contact sheet shows only the first {shown} of {all} clips"));
    Ok(BatchOutcome { notes: note.into_iter().collect(), ..BatchOutcome::default() })
}
