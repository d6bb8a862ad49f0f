//! `maquette diff`: differences of two models. Exit status 0: identical; 1: different; 2: usage error or failed file.

use std::io::Write as _;
use std::path::Path;

use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_assets::vfs::SearchOrder;
use maquette_core::compare::{Side, compare};

use super::args::DiffArguments;
use super::{Failure, output};

/// Maximum number of lines per list in the text. JSON output has all.
const LISTED: usize = 24;

pub fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    // Prefer companion files in the model's own archive, even if the game overrides them.
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly).in_order(SearchOrder::OwnArchive);
    let load = |path: &Path| opener.load(path).map_err(|error| Failure::Error(error.to_string()));
    let (a, b) = (load(&arguments.a)?, load(&arguments.b)?);
    let names = [&arguments.a, &arguments.b].map(|path| path.display().to_string());
    let (a_warnings, b_warnings) = (a.warnings(), b.warnings());
    let difference = compare(
        Side { name: &names[0], model: &a.model, warnings: &a_warnings },
        Side { name: &names[1], model: &b.model, warnings: &b_warnings },
        arguments.tolerance,
    );
    let mut output = output::output_as(arguments.json);
    let text = if arguments.json { difference.to_json() + "\n" } else { difference.to_text(LISTED) };
    write!(output, "{text}")?;
    output.flush()?;
    if difference.same { Ok(()) } else { Err(Failure::Different) }
}
