//! `maquette diff`: how two models differ. Exit status 0: alike; 1: different; 2: wrong use, or a file that failed.

use std::io::Write as _;
use std::path::Path;

use maquette::compare::{Side, compare};
use maquette::material::Depth;
use maquette::open::{ModelAsset, Opener};
use maquette::vfs::SearchOrder;

use super::args::DiffArguments;
use super::{Failure, told};

/// Lines of a list shown to people; the JSON has all.
const LISTED: usize = 24;

pub fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    // What stands beside a model in its own archive belongs to it, not what a game would take in its place.
    let opener = Opener::new(Vec::new(), Depth::Found).in_order(SearchOrder::OwnArchive);
    let open = |path: &Path| opener.model(path).map_err(|error| Failure::Trouble(error.to_string()));
    let (a, b) = (open(&arguments.a)?, open(&arguments.b)?);
    let names = [&arguments.a, &arguments.b].map(|path| path.display().to_string());
    let difference = compare(side(&a, &names[0]), side(&b, &names[1]), arguments.tolerance);
    let mut output = told::output_as(arguments.json);
    let text = if arguments.json { difference.to_json() + "\n" } else { difference.to_text(LISTED) };
    write!(output, "{text}")?;
    output.flush()?;
    if difference.same { Ok(()) } else { Err(Failure::Different) }
}

fn side<'a>(asset: &'a ModelAsset, name: &'a str) -> Side<'a> {
    Side { name, model: &asset.model, warnings: &asset.warnings }
}
