//! `maquette export`: the posed model or scene, written by the exporter for the output's extension.

use std::io::Write as _;
use std::path::Path;

use maquette::output::{ExportedMotion, export_scene};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::export::{
    EXPORTERS, ExportContent, ExportError, ExportOptions, Exporter, TexturePlacement, exporter_for,
};
use serde_json::json;

use super::args::{ExportArguments, FrameArguments};
use super::batch::{self, BatchOutcome, Target};
use super::convert::damage;
use super::{Failure, open, output, scene};

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let Some(output) = &arguments.output else {
        let to = &arguments.to;
        let exporter = exporter(Path::new(&format!("model.{to}")), &format!("--to {to}"))?;
        let opener = opener(arguments, exporter)?;
        return batch::run(&arguments.models, &arguments.batch, exporter.extension, arguments.json, |model, target| {
            export_model(arguments, &opener, exporter, model, target)
        });
    };
    let exporter = exporter(output, &format!("-o {}", output.display()))?;
    let done = export_model(
        arguments,
        &opener(arguments, exporter)?,
        exporter,
        super::single(&arguments.models)?,
        Target::only(output),
    )?;
    if arguments.json {
        let mut value = output::output_as(true);
        writeln!(value, "{}", json!({"output": output.display().to_string(), "losses": done.notes}))?;
        value.flush()?;
    } else {
        done.notes.iter().for_each(output::error_line);
    }
    Ok(())
}

/// Returns the exporter of a file; `option` is the option that names its format.
fn exporter(file: &Path, option: &str) -> Result<&'static Exporter, Failure> {
    let known = EXPORTERS.iter().map(|exporter| format!(".{}", exporter.extension));
    exporter_for(file).ok_or_else(|| Failure::unwritten(file, option, known))
}

fn opener(arguments: &ExportArguments, exporter: &Exporter) -> Result<Opener, Failure> {
    let depth = match exporter.content {
        // The skin size in the file comes from the image.
        ExportContent::Model(format) if format.traits().whole_texels => ImageLoading::Decode,
        ExportContent::Scene if arguments.textures != TexturePlacement::Omitted => ImageLoading::Decode,
        _ => ImageLoading::LocateOnly,
    };
    open::opener(&arguments.character, arguments.import.options(Some(arguments.scale)), depth)
}

/// Returns the frame to export, or the frame from which animations start.
fn frame_arguments(arguments: &ExportArguments, exporter: &Exporter) -> Result<FrameArguments, Failure> {
    let is_static = exporter.content == ExportContent::Pose || arguments.frame.is_some();
    if is_static && arguments.animation.len() > 1 {
        return Err(Failure::Usage("--animation: the output has a single frame; name only one clip".to_owned()));
    }
    let animation = arguments.animation.first().filter(|_| is_static).cloned();
    Ok(FrameArguments { animation, frame: arguments.frame })
}

fn export_model(
    arguments: &ExportArguments,
    opener: &Opener,
    exporter: &Exporter,
    model: &Path,
    target: Target<'_>,
) -> Result<BatchOutcome, Failure> {
    let output = target.path;
    open::refuse_model_itself(model, output)?;
    let frame_arguments = frame_arguments(arguments, exporter)?;
    let mut scene = scene::scene(opener, model, &arguments.character, &frame_arguments)?;
    let lods = scene.entities().iter().map(|entity| entity.model().lod_count()).max().unwrap_or(1);
    if arguments.lod >= lods {
        let span = if lods == 1 { "only LOD 0".to_owned() } else { format!("LODs 0 to {}", lods - 1) };
        return Err(Failure::Usage(format!("--lod {}: the model has {span}", arguments.lod)));
    }
    for entity in scene.entities_mut() {
        entity.lod = arguments.lod.min(entity.model().lod_count() - 1);
    }
    scene.refresh();
    let motion = if arguments.frame.is_some() {
        ExportedMotion::CurrentFrame
    } else if arguments.animation.is_empty() {
        ExportedMotion::All
    } else {
        ExportedMotion::Named(arguments.animation.clone())
    };
    let options = ExportOptions {
        scale: arguments.scale,
        quantized: arguments.quantize,
        unlit: arguments.unlit,
        textures: arguments.textures,
        ..ExportOptions::default()
    };
    match export_scene(&scene, exporter, &motion, &options, output, &|path| target.is_of_run(path)) {
        Ok((losses, _)) => {
            let mut notes: Vec<String> =
                scene.entities().iter().flat_map(|entity| damage(&entity.asset.warnings)).collect();
            notes.extend(losses);
            Ok(BatchOutcome { notes, ..BatchOutcome::default() })
        }
        Err(ExportError::Write(error)) => Err(Failure::output(output, error)),
        Err(ExportError::Unfit(why)) => Err(Failure::Usage(format!("{}: {why}", model.display()))),
    }
}
