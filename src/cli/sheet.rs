//! `maquette sheet`: a picture of every clip, on one.

use std::io::Write as _;
use std::path::Path;

use maquette::material::Depth;
use maquette::output::{self, ContactSheetOptions, OffscreenRenderer, OutputError};

use super::args::{MomentArguments, SheetArguments};
use super::{Failure, picture, scene};

/// Most pixels of a tile: as 1024x1024.
const MOST_PIXELS: u64 = 1 << 20;

pub fn run(arguments: &SheetArguments) -> Result<(), Failure> {
    if !picture::is_png(&arguments.output) && arguments.output != Path::new("-") {
        return Err(Failure::Usage(format!("-o {}: contact sheets are written as .png", arguments.output.display())));
    }
    let SheetArguments { size, figure, picture: seen, .. } = arguments;
    if u64::from(size.width) * u64::from(size.height) > MOST_PIXELS {
        return Err(Failure::Usage(format!("--size: tiles have at most {MOST_PIXELS} pixels, as 1024x1024")));
    }
    let opener = scene::opener(figure, Depth::Decoded)?;
    let moment = MomentArguments { animation: None, frame: None };
    let mut session = picture::session(&opener, &arguments.model, *size, figure, &moment, seen)?;
    picture::turn(&mut session, seen);
    let order = ContactSheetOptions {
        tile: (size.width, size.height),
        moments: arguments.moments,
        scale: seen.scale,
        names: true,
    };
    let failed = |error: OutputError| Failure::output(&arguments.output, error);
    let mut studio = OffscreenRenderer::open().map_err(|error| failed(error.into()))?;
    let made = output::contact_sheet(&mut studio, &mut session, &order, &mut picture::progress("Tile"));
    let (image, all, shown) = made.map_err(failed)?;
    output::save_png(&image, &arguments.output).map_err(|error| failed(error.into()))?;
    if shown < all {
        writeln!(std::io::stderr(), "maquette: the sheet has the first {shown} of {all} clips")?;
    }
    Ok(())
}
