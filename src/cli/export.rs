//! `maquette export`: the posed model, written by the exporter that the file's name asks for.

use maquette::export::{EXPORTERS, ExportContent, ExportError, ExportOptions, Exporter, exporter_for};
use maquette::material::Depth;
use maquette::output::{ExportedMotion, export_scene};

use super::args::{ExportArguments, MomentArguments, TexturesArgument};
use super::{Failure, scene};

/// The moment in which the model is written, or from which its animations start.
fn moment(arguments: &ExportArguments, exporter: &Exporter) -> Result<MomentArguments, Failure> {
    let is_still = exporter.content == ExportContent::Pose || arguments.frame.is_some();
    if is_still && arguments.animation.len() > 1 {
        return Err(Failure::Usage("--animation: one moment is written; name one clip".to_owned()));
    }
    let animation = arguments.animation.first().filter(|_| is_still).cloned();
    Ok(MomentArguments { animation, frame: arguments.frame })
}

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let Some(exporter) = exporter_for(&arguments.output) else {
        let known: Vec<String> = EXPORTERS.iter().map(|exporter| format!(".{}", exporter.extension)).collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!("-o {}: models are written as {known}", arguments.output.display())));
    };
    let depth = match arguments.textures {
        TexturesArgument::None => Depth::Found,
        _ if exporter.content == ExportContent::Scene || exporter.extension == "md2" => Depth::Decoded,
        _ => Depth::Found,
    };
    let moment = moment(arguments, exporter)?;
    let mut scene = scene::scene(&arguments.model, &arguments.figure, &moment, depth)?;
    let lods = scene.entities().iter().map(|entity| entity.model().lod_count()).max().unwrap_or(1);
    if arguments.lod >= lods {
        let span = if lods == 1 { "one level of detail, 0".to_owned() } else { format!("levels 0 to {}", lods - 1) };
        return Err(Failure::Usage(format!("--lod {}: the model has {span}", arguments.lod)));
    }
    for entity in scene.entities_mut() {
        entity.lod = arguments.lod.min(entity.model().lod_count() - 1);
    }
    scene.refresh();
    let motion = if arguments.frame.is_some() {
        ExportedMotion::Still
    } else if arguments.animation.is_empty() {
        ExportedMotion::All
    } else {
        ExportedMotion::Named(arguments.animation.clone())
    };
    let options = ExportOptions {
        scale: arguments.scale,
        quantized: arguments.quantize,
        unlit: arguments.unlit,
        textures: arguments.textures.placement(),
        ..ExportOptions::default()
    };
    match export_scene(&scene, exporter, &motion, &options, &arguments.output) {
        Ok(report) => {
            for loss in report.losses {
                eprintln!("{loss}");
            }
            Ok(())
        }
        Err(ExportError::Write(error)) => Err(Failure::output(&arguments.output, error)),
        Err(ExportError::Unfit(why)) => Err(Failure::Usage(format!("{}: {why}", arguments.model.display()))),
    }
}
