//! `maquette check`: loads every model below the paths, one line per failure, and one per picture that is not found; with
//! a profile or a rules file what breaks their rules.

mod findings;
mod lint;

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maquette::error::{Warning, counted};
use maquette::material::Depth;
use maquette::model::u32_or_max;
use maquette::open::{OpenError, Opener};
use maquette::pose::{FrameBlend, Pose, Sampling, sample};

use super::args::CheckArguments;
use super::batch::inputs::{Input, collect};
use super::batch::{progress, workers};
use super::{Failure, told};
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
    let mut output = told::output();
    let (mut models, mut failed) = (0_u32, 0_u32);
    let mut findings = Findings::default();
    let opener =
        super::scene::opener_with(&arguments.root, Depth::Found)?.in_order(arguments.order).without_suggestions();
    let mut inputs = collect(opener.files(), &arguments.paths)?;
    for (archive, error) in &inputs.unread {
        failed += 1;
        told::line(&mut output, &format!("{}: {error}", archive.display()))?;
    }
    let odd: BTreeSet<&PathBuf> = inputs.remarks.iter().map(|(archive, _)| archive).collect();
    let mut warned = u32_or_max(odd.len());
    for (archive, remark) in inputs.remarks.iter().filter(|_| arguments.warnings) {
        told::line(&mut output, &format!("{}: warning: {remark}", archive.display()))?;
    }
    inputs.models.retain(|input| arguments.shard.is_none_or(|shard| shard.has(&input.below)));
    let threads = workers::threads_for(arguments.jobs);
    let mut written = Ok(());
    let progress = progress(inputs.models.len());
    workers::each(
        &inputs.models,
        threads,
        Pose::default,
        |pose, Input { path, .. }| look_at(&opener, path, arguments.textures, pose),
        |Input { path, .. }, looked| {
            models += 1;
            match looked {
                Ok(Looked { warnings, findings: own }) => {
                    warned += u32::from(!warnings.is_empty());
                    findings.append(own);
                    let mut warnings = warnings.iter().filter(|_| arguments.warnings).peekable();
                    if warnings.peek().is_some() {
                        let file = path.display();
                        let mut write = |warning| told::line(&mut output, &format!("{file}: warning: {warning}"));
                        written = progress.suspend(|| warnings.try_for_each(&mut write)).and_then(|()| output.flush());
                    }
                }
                Err(error) => {
                    failed += 1;
                    let error = error.to_string();
                    written = progress.suspend(|| told::line(&mut output, &error).and_then(|()| output.flush()));
                }
            }
            progress.inc(1);
            written.is_ok()
        },
    );
    progress.finish_and_clear();
    written?;
    findings.write(&mut output, arguments.verbose)?;
    output.flush()?;
    let models = counted(models, "model", "models");
    let textures = if arguments.textures {
        format!(", not resolved: {}, guessed: {}", findings.unresolved(), findings.guessed())
    } else {
        String::new()
    };
    let left: Vec<String> =
        inputs.left_out.iter().map(|(kind, count)| format!("{count} {}", kind.to_uppercase())).collect();
    let left = if left.is_empty() { String::new() } else { format!(", left out: {}", left.join(", ")) };
    let _ = writeln!(io::stderr(), "{models} checked, {failed} failed, {warned} with warnings{textures}{left}");
    if failed > 0 || !findings.is_empty() { Err(Failure::Told) } else { Ok(()) }
}

/// What is told of a model; the model itself is given back at once.
struct Looked {
    warnings: Vec<Warning>,
    findings: Findings,
}

/// Opens a model and poses it in its last frame too: one that cannot be posed is of no use.
fn look_at(opener: &Opener, path: &Path, textures: bool, pose: &mut Pose) -> Result<Looked, OpenError> {
    let mut findings = Findings::default();
    let (model, warnings) = if textures {
        let asset = opener.model(path)?;
        findings.add(path, &asset);
        (asset.model, asset.warnings)
    } else {
        let loaded = opener.load(path)?;
        (Arc::clone(&loaded.model), loaded.warnings())
    };
    let last = u32_or_max(model.frames().len()).saturating_sub(1);
    sample(&model, &Sampling::at(FrameBlend::still(last)), pose);
    Ok(Looked { warnings, findings })
}
