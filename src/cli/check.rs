//! `maquette check`: loads every model below the paths, one line per failure.

use std::io::{self, Write as _};
use std::path::Path;

use maquette::material::{Depth, Step};
use maquette::pose::{FrameBlend, Pose, Sampling, sample};
use maquette::scene::{ModelAsset, walk};

use super::Failure;
use super::args::CheckArguments;

pub fn run(arguments: &CheckArguments) -> Result<(), Failure> {
    let mut output = io::stdout().lock();
    let (mut models, mut failed, mut warned, mut unresolved) = (0_u32, 0_u32, 0_u32, 0_u32);
    let mut pose = Pose::default();
    let opener = super::scene::opener_with(&arguments.root, Depth::Found)?;
    let mut paths = Vec::new();
    for path in &arguments.paths {
        let found = walk(opener.files(), path, &|| false);
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
        match opener.model(&path) {
            Ok(part) => {
                // Its last frame too: a model that cannot be posed is of no use.
                let last = u32::try_from(part.model.frames().len()).unwrap_or(u32::MAX).saturating_sub(1);
                sample(&part.model, &Sampling::at(FrameBlend::still(last)), &mut pose);
                warned += u32::from(!part.warnings.is_empty());
                if arguments.textures {
                    unresolved += tell_unresolved(&mut output, &path, &part)?;
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
    let plural = if models == 1 { "model" } else { "models" };
    let textures = if arguments.textures { format!(", not resolved: {unresolved}") } else { String::new() };
    let _ = writeln!(io::stderr(), "{models} {plural} checked, {failed} failed, {warned} with warnings{textures}");
    if failed > 0 || unresolved > 0 { Err(Failure::Told) } else { Ok(()) }
}

/// Paths told of one step; `info --json` has all.
const MOST_PATHS: usize = 8;

/// Lists what the skins of a part ask for and what is not there, each name once; gives how many.
fn tell_unresolved(output: &mut impl io::Write, path: &Path, part: &ModelAsset) -> io::Result<u32> {
    let mut told: Vec<(&str, &str)> = Vec::new();
    for skin in part.skins.iter().filter(|skin| part.skins.len() == 1 || !skin.is_own_names()) {
        let surfaces = part.model.surfaces().iter().zip(skin.materials.iter());
        for (surface, material) in surfaces.filter(|(surface, _)| !surface.triangles.is_empty()) {
            let Some(trouble) = material.trouble() else { continue };
            let absent = material.absent.as_deref().unwrap_or_default();
            if told.contains(&(material.name.as_str(), absent)) {
                continue;
            }
            told.push((&material.name, absent));
            let skin = if part.skins.len() > 1 { format!(" (skin {})", skin.name) } else { String::new() };
            let nearest =
                material.nearest.as_ref().map_or(String::new(), |nearest| format!("; nearest: {}", nearest.path));
            writeln!(output, "{}: {}{skin}: {trouble}{nearest}", path.display(), called(&surface.name))?;
            for step in material.trail.iter() {
                writeln!(output, "    {}", told_step(step))?;
            }
        }
    }
    Ok(u32::try_from(told.len()).unwrap_or(u32::MAX))
}

fn called(surface: &str) -> &str {
    if surface.is_empty() { "material" } else { surface }
}

/// `Image path: not found: models/a.tga, models/a.jpg, …`
fn told_step(step: &Step) -> String {
    let Step { what, tried, found, note } = step;
    match (found, tried.as_slice()) {
        (Some(found), _) => format!("{what}: {found}"),
        (None, []) => format!("{what}: {note}"),
        (None, tried) => {
            let first: Vec<&str> = tried.iter().take(MOST_PATHS).map(String::as_str).collect();
            let more = tried.len().saturating_sub(MOST_PATHS);
            let more = if more > 0 { format!(", and {more} more") } else { String::new() };
            format!("{what}: not found: {}{more}", first.join(", "))
        }
    }
}
