//! `maquette check`: loads every model below the paths, one line per failure.

use std::io::{self, Write as _};

use maquette::material::Depth;
use maquette::pose::{FrameBlend, Pose, Sampling, sample};
use maquette::scene::walk;

use super::Failure;
use super::args::CheckArguments;

pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let (mut models, mut failed, mut warned) = (0_u32, 0_u32, 0_u32);
    let mut pose = Pose::default();
    let opener = super::stage::opener_with(&arguments.root, Depth::Found)?;
    let mut paths = Vec::new();
    for path in &arguments.paths {
        let found = walk(opener.library(), path, &|| false);
        for (archive, error) in found.failed {
            failed += 1;
            writeln!(output, "{}: {error}", archive.display())?;
        }
        for (archive, remark) in found.remarks.iter().filter(|_| arguments.warnings) {
            writeln!(output, "{}: warning: {remark}", archive.display())?;
        }
        paths.extend(found.models);
    }
    for path in paths {
        models += 1;
        match opener.part(&path) {
            Ok(part) => {
                // Its last frame too: a model that cannot be posed is of no use.
                let last = u32::try_from(part.model.frames.len()).unwrap_or(u32::MAX).saturating_sub(1);
                sample(&part.model, &Sampling::at(FrameBlend::still(last)), &mut pose);
                warned += u32::from(!part.warnings.is_empty());
                if arguments.warnings {
                    for warning in &part.warnings {
                        writeln!(output, "{}: warning: {warning}", path.display())?;
                    }
                }
            }
            Err(error) => {
                failed += 1;
                writeln!(output, "{error}")?;
            }
        }
    }
    let plural = if models == 1 { "model" } else { "models" };
    let _ = writeln!(io::stderr(), "{models} {plural} checked, {failed} failed, {warned} with warnings");
    if failed > 0 { Err(Failure::Told) } else { Ok(()) }
}
