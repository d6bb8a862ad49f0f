//! `maquette info`: report on a model file, a character or an archive, as text or JSON.

use std::io::{self, Write};
use std::path::Path;

use maquette_assets::info::{ArchiveReport, Report};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{NamedFiles, OpenCause, OpenError, Opener, is_model_file};
use maquette_assets::vfs::{FileLocation, ReadLimit};
use serde::Serialize;

use super::args::{BatchArguments, InfoArguments};
use super::batch::inputs::is_pattern;
use super::batch::{self, BatchOutcome};
use super::{Failure, open, output, scene};

/// Maximum number of rows per table in the text. JSON output has all.
const LISTED: usize = 24;

pub fn run(arguments: &InfoArguments) -> Result<(), Failure> {
    let opener =
        open::opener(&arguments.character, arguments.import.options(Some(arguments.scale)), ImageLoading::LocateOnly)?;
    let [model] = arguments.models.as_slice() else { return write_reports(arguments, &opener) };
    let is_list = model == Path::new("-") || is_pattern(opener.files(), model);
    if arguments.recursive || arguments.shard.is_some() || is_list {
        return write_reports(arguments, &opener);
    }
    let mut output = output::output_as(arguments.json);
    match opener.files().locate(model) {
        Ok(FileLocation::Archive(_)) => {
            let report = archive_report(&opener, model)?;
            write(arguments, &mut output, &report, || report.to_text(usize::MAX))?;
        }
        _ => write_report(arguments, &opener, model, &mut output)?,
    }
    Ok(output.flush()?)
}

fn write_reports(arguments: &InfoArguments, opener: &Opener) -> Result<(), Failure> {
    let batch = BatchArguments {
        output_dir: None,
        jobs: arguments.jobs,
        // Report failures in the line of the model.
        keep_going: true,
        skip_up_to_date: false,
        shard: arguments.shard,
    };
    batch::run(&arguments.models, &batch, "", arguments.json, |model, _| {
        let mut text = Vec::new();
        write_report(arguments, opener, model, &mut text)?;
        if !arguments.json {
            let text = String::from_utf8_lossy(&text).into_owned();
            return Ok(BatchOutcome { text, ..BatchOutcome::default() });
        }
        let value = serde_json::from_slice(&text).map_err(|error| Failure::File(error.to_string()))?;
        Ok(BatchOutcome { value: Some(("info", value)), ..BatchOutcome::default() })
    })
}

fn write_report(
    arguments: &InfoArguments,
    opener: &Opener,
    model: &Path,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let scene = scene::scene(opener, model, &arguments.character, &arguments.frame)?;
    let Some(first) = scene.entities().first() else { return Ok(()) };
    if scene.entities().len() > 1 || scene.character.is_some() {
        let report = scene.report(&first.asset.name);
        write(arguments, output, &report, || report.to_text())
    } else {
        let warnings = scene.warnings_of(first);
        let report = Report::new(first.model(), &first.pose, &warnings, &first.asset.name);
        let report = report.with_engine(first.asset.engine()).with_replacement(first.asset.overridden_by.as_deref());
        let report = report.with_skins(&first.asset.skins).with_materials(first.materials());
        write(arguments, output, &report, || report.to_text(LISTED))
    }
}

/// Writes a report as JSON or text. JSON is streamed, because it can be many times as large as the model.
fn write(
    arguments: &InfoArguments,
    output: &mut impl Write,
    report: &impl Serialize,
    text: impl FnOnce() -> String,
) -> Result<(), Failure> {
    if arguments.json {
        serde_json::to_writer_pretty(&mut *output, report).map_err(io::Error::from)?;
        writeln!(output)?;
    } else {
        output.write_all(text().as_bytes())?;
    }
    Ok(())
}

fn archive_report(opener: &Opener, path: &Path) -> Result<ArchiveReport, Failure> {
    let failed = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) };
    let archive = opener.files().archive(path).map_err(failed)?;
    let (vfs, _) = opener.files().for_file(path).map_err(failed)?;
    let mut report = ArchiveReport {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        files: archive.file_count(),
        models: Vec::new(),
        failed: Vec::new(),
        warnings: Vec::new(),
    };
    let paths: Vec<_> = archive.files().map(|file| archive.path().join(file)).collect();
    let mut replaced = opener.files().overridden(&paths);
    for model in archive.files().filter(|file| is_model_file(Path::new(file))) {
        match archive.read(model, ReadLimit::MODEL) {
            Ok(bytes) => {
                let loaded = NamedFiles::new(&vfs, model).load(&bytes, Default::default());
                let replaced_by = replaced.remove(&archive.path().join(model));
                report.add(model, replaced_by, loaded.as_ref().map(|(model, _)| model));
            }
            Err(error) => report.warnings.push(format!("{model}: {error}")),
        }
    }
    report.warnings.extend(archive.warnings());
    Ok(report)
}
