//! `maquette export`: the posed triangles as Wavefront OBJ.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use maquette::export::obj;
use maquette::pose::{Pose, Sampling, sample};
use maquette::scene;

use super::args::ExportArguments;
use super::{Failure, moment};

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let part = scene::open_without_pictures(&arguments.model)?;
    let model = &part.model;
    let lods = model.lod_count();
    if arguments.lod >= lods {
        let span = if lods == 1 { "one level of detail, 0".to_owned() } else { format!("levels 0 to {}", lods - 1) };
        return Err(Failure::Usage(format!("--lod {}: the model has {span}", arguments.lod)));
    }
    let blend = moment::blend(model, &arguments.moment)?;
    let mut pose = Pose::default();
    sample(model, &Sampling { blend, lod: arguments.lod, ..Sampling::default() }, &mut pose);
    let mut output: Box<dyn Write> = if arguments.output == Path::new("-") {
        Box::new(BufWriter::new(io::stdout().lock()))
    } else {
        let named = |error: io::Error| Failure::File(format!("{}: {error}", arguments.output.display()));
        Box::new(BufWriter::new(File::create(&arguments.output).map_err(named)?))
    };
    obj::write(model, &pose, &mut output)?;
    Ok(output.flush()?)
}
