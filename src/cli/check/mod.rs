//! `maquette check`: loads every model below the paths, one line per failure, and one per picture that is not found; with
//! a profile or a rules file what breaks their rules.

mod findings;
mod lint;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write as _};
use std::path::PathBuf;

use maquette::material::Depth;
use maquette::pose::{FrameBlend, Pose, Sampling, sample};
use maquette::scene::walk;

use super::Failure;
use super::args::CheckArguments;
use findings::Findings;

pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    if arguments.list_rules {
        return Ok(lint::list(&mut io::stdout().lock())?);
    }
    if arguments.profile.is_some() || arguments.rules.is_some() {
        return lint::run(arguments);
    }
    if arguments.json {
        return Err(Failure::Usage("--json is for --profile and --rules".to_owned()));
    }
    let mut output = io::stdout().lock();
    let (mut models, mut failed, mut warned) = (0_u32, 0_u32, 0_u32);
    let mut findings = Findings::default();
    let mut left_out: BTreeMap<String, usize> = BTreeMap::new();
    let mut pose = Pose::default();
    let opener = super::scene::opener_with(&arguments.root, Depth::Found)?.in_order(arguments.order);
    let mut paths = Vec::new();
    for path in &arguments.paths {
        let found = walk(opener.files(), path, &|| false);
        for (archive, error) in found.failed {
            failed += 1;
            writeln!(output, "{}: {error}", archive.display())?;
        }
        let odd: BTreeSet<&PathBuf> = found.remarks.iter().map(|(archive, _)| archive).collect();
        warned += u32::try_from(odd.len()).unwrap_or(u32::MAX);
        for (archive, remark) in found.remarks.iter().filter(|_| arguments.warnings) {
            writeln!(output, "{}: warning: {remark}", archive.display())?;
        }
        paths.extend(found.models);
        for (kind, count) in found.left_out {
            *left_out.entry(kind).or_default() += count;
        }
    }
    for path in paths {
        models += 1;
        match opener.model(&path) {
            Ok(part) => {
                // Its last frame too: a model that cannot be posed is of no use.
                let last = u32::try_from(part.model.frames().len()).unwrap_or(u32::MAX).saturating_sub(1);
                sample(&part.model, &Sampling::at(FrameBlend::still(last)), &mut pose);
                warned += u32::from(!part.warnings.is_empty());
                if arguments.textures {
                    findings.add(&path, &part);
                }
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
    findings.write(&mut output, arguments.verbose)?;
    let plural = if models == 1 { "model" } else { "models" };
    let textures = if arguments.textures {
        format!(", not resolved: {}, guessed: {}", findings.unresolved(), findings.guessed())
    } else {
        String::new()
    };
    let left: Vec<String> = left_out.iter().map(|(kind, count)| format!("{count} {}", kind.to_uppercase())).collect();
    let left = if left.is_empty() { String::new() } else { format!(", left out: {}", left.join(", ")) };
    let _ =
        writeln!(io::stderr(), "{models} {plural} checked, {failed} failed, {warned} with warnings{textures}{left}");
    if failed > 0 || !findings.is_empty() { Err(Failure::Told) } else { Ok(()) }
}
