//! `maquette info`: everything a model file says, for people or as JSON.

use std::io::{self, BufWriter, Write as _};

use maquette::info::Report;
use maquette::pose::{Pose, Sampling, sample};
use maquette::scene;

use super::args::InfoArguments;
use super::{Failure, moment};

/// Rows of a table shown to people; the JSON has all.
const LISTED: usize = 24;

pub fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let part = scene::open_without_pictures(&arguments.model)?;
    let blend = moment::blend(&part.model, &arguments.moment)?;
    let mut pose = Pose::default();
    sample(&part.model, &Sampling::at(blend), &mut pose);
    let report = Report::new(&part.model, &pose, &part.warnings, &part.name);
    let mut output = BufWriter::new(io::stdout().lock());
    if arguments.json {
        writeln!(output, "{}", report.to_json())?;
    } else {
        write!(output, "{}", report.to_text(LISTED))?;
    }
    Ok(output.flush()?)
}
