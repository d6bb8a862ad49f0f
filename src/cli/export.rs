//! `maquette export`: the posed model, written by the exporter that the file's name asks for.

use maquette::export::{EXPORTERS, Placed, exporter_for};
use maquette::material::Depth;
use maquette::output::WholeFile;

use super::args::ExportArguments;
use super::{Failure, scene};

pub fn run(arguments: &ExportArguments) -> Result<(), Failure> {
    let Some(exporter) = exporter_for(&arguments.output) else {
        let known: Vec<String> = EXPORTERS.iter().map(|exporter| format!(".{}", exporter.extension)).collect();
        let known = known.join(", ");
        return Err(Failure::Usage(format!("-o {}: models are written as {known}", arguments.output.display())));
    };
    let mut scene = scene::scene(&arguments.model, &arguments.figure, &arguments.moment, Depth::Found)?;
    let lods = scene.entities().iter().map(|entity| entity.model().lod_count()).max().unwrap_or(1);
    if arguments.lod >= lods {
        let span = if lods == 1 { "one level of detail, 0".to_owned() } else { format!("levels 0 to {}", lods - 1) };
        return Err(Failure::Usage(format!("--lod {}: the model has {span}", arguments.lod)));
    }
    for entity in scene.entities_mut() {
        entity.lod = arguments.lod.min(entity.model().lod_count() - 1);
    }
    scene.refresh();
    let whole = scene.entities().len() > 1;
    let placed = scene.entities().iter().filter(|entity| scene.shows(entity)).map(|entity| Placed {
        model: entity.model(),
        pose: &entity.pose,
        world_from_model: entity.world_from_model,
        // A skin's hidden surfaces belong to the whole figure, not to a look into one file.
        drawn: (0..entity.model().surfaces().len()).map(|surface| !whole || entity.draws(surface)).collect(),
        group: whole.then(|| entity.role.key()),
    });
    let placed: Vec<Placed<'_>> = placed.collect();
    let written = WholeFile::create(&arguments.output).and_then(|mut output| {
        (exporter.write)(&placed, &mut output)?;
        output.finish()
    });
    written.map_err(|error| Failure::output(&arguments.output, error))
}
