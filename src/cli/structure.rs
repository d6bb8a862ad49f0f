//! `maquette structure`: every structure and field of a file. If the file does not load, up to the error.

use std::io::Write as _;

use maquette_assets::structure::{Structure, to_json, to_text};
use maquette_assets::vfs::{FileSystem, ReadLimit};

use super::args::StructureArguments;
use super::{Failure, output};

pub fn run(arguments: &StructureArguments) -> Result<(), Failure> {
    let path = &arguments.file;
    let bytes = FileSystem::new(Vec::new())
        .read(path, ReadLimit::Whole)
        .map_err(|error| Failure::File(format!("{}: {}", path.display(), error.reason())))?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let structure = Structure::of_file(&name, &bytes);
    let levels = arguments.depth.map(|levels| levels.max(1));
    let mut output = output::output_as(arguments.json);
    if arguments.json {
        to_json(&structure, &bytes, &name, levels, &mut output)?;
        writeln!(output)?;
    } else {
        to_text(&structure, &bytes, &name, levels, &mut output)?;
    }
    output.flush()?;
    // The output already contains the reason.
    if structure.error.is_some() { Err(Failure::Reported) } else { Ok(()) }
}
