//! `maquette check`: loads every model and prints failures, and missing images or findings of rules.

mod lint;
mod missing_textures;

use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maquette_assets::material::ImageLoading;
use maquette_assets::open::{OpenError, Opener, count_unread};
use maquette_core::error::{Warning, counted};
use maquette_core::model::u32_or_max;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::args::CheckArguments;
use super::batch::inputs::collect;
use super::{Failure, batch, open, output};
use missing_textures::MissingTextures;

pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    if arguments.list_rules {
        return Ok(lint::list(&mut io::stdout().lock())?);
    }
    let has_rules = arguments.profile.is_some() || arguments.rules.is_some();
    if arguments.json && !has_rules {
        return Err(Failure::Usage("--json requires --profile or --rules".to_owned()));
    }
    let requirements = arguments.rules.as_deref().map(lint::read_rules).transpose()?;
    let opener = open::opener_with(&arguments.root, ImageLoading::LocateOnly)?.in_order(arguments.search_order);
    let opener = if arguments.textures { opener } else { opener.without_suggestions() };
    let mut inputs = collect(opener.files(), &arguments.paths)?;
    inputs.models.retain(|model| arguments.shard.is_none_or(|shard| shard.has(&model.below)));
    if has_rules {
        return lint::run(arguments, requirements.as_ref(), &opener, &inputs);
    }
    let mut output = output::output();
    for (archive, error) in &inputs.unread {
        output::line(&mut output, &format!("{}: {error}", archive.display()))?;
    }
    let damaged_archives: BTreeSet<&PathBuf> = inputs.remarks.iter().map(|(archive, _)| archive).collect();
    for (archive, remark) in inputs.remarks.iter().filter(|_| arguments.warnings) {
        output::line(&mut output, &format!("{}: warning: {remark}", archive.display()))?;
    }
    let (mut failed, mut warned) = (inputs.unread.len(), damaged_archives.len());
    let mut missing = MissingTextures::default();
    batch::process(
        &inputs.models,
        arguments.jobs,
        &mut output,
        |model| check_model(&opener, &model.path, arguments.textures),
        |output, model, checked| {
            match checked {
                Ok((warnings, own)) => {
                    warned += usize::from(!warnings.is_empty() || !own.is_empty());
                    missing.append(own);
                    for warning in warnings.iter().filter(|_| arguments.warnings) {
                        output::line(output, &format!("{}: warning: {warning}", model.path.display()))?;
                    }
                }
                Err(error) => {
                    failed += 1;
                    output::line(output, &error.to_string())?;
                }
            }
            Ok(true)
        },
    )?;
    missing.write(&mut output, arguments.verbose)?;
    output.flush()?;
    let models = counted(inputs.models.len(), "model", "models");
    let textures = if arguments.textures {
        format!(", missing: {}, guessed: {}", missing.unresolved(), missing.guessed())
    } else {
        String::new()
    };
    let left = if inputs.left_out.is_empty() { String::new() } else { format!("; {}", count_unread(&inputs.left_out)) };
    let hint = if warned > 0 && !arguments.warnings { " (--warnings prints them)" } else { "" };
    let _ = writeln!(io::stderr(), "{models} checked, {failed} failed, {warned} with warnings{hint}{textures}{left}");
    if failed > 0 || !missing.is_empty() { Err(Failure::Reported) } else { Ok(()) }
}

/// Opens a model and poses its last frame, so that the check covers posing, too.
fn check_model(opener: &Opener, path: &Path, textures: bool) -> Result<(Vec<Warning>, MissingTextures), OpenError> {
    let mut missing = MissingTextures::default();
    let (model, warnings) = if textures {
        let asset = opener.model(path)?;
        missing.add(path, &asset);
        (asset.model, asset.warnings)
    } else {
        let loaded = opener.load(path)?;
        (Arc::clone(&loaded.model), loaded.warnings())
    };
    let last = u32_or_max(model.frames().len()).saturating_sub(1);
    sample(&model, &Sampling::at(FrameBlend::single(last)), &mut Pose::default());
    Ok((warnings, missing))
}
