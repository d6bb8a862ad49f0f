//! `maquette convert`: conversion to another model format.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maquette::output::{GameTextures, game_path, is_taken, write_together};
use maquette_assets::lint::{self, Findings, Profile};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{OpenOptions, Opener};
use maquette_assets::vfs::SearchOrder;
use maquette_core::convert::{
    BonePacking, CompanionKind, ConvertError, ConvertOptions, ConvertedFiles, MaxError, Measured, SurfaceLimits,
    sampling_rate, targets, to_files,
};
use maquette_core::edit::Notes;
use maquette_core::error::{Warning, WarningKind, counted, printable};
use maquette_core::export::exporter_for;
use maquette_core::model::{ClipSource, Format, JointStorage, Model};
use serde_json::{Value, json};

use super::args::{ConvertArguments, FrameArguments};
use super::batch::{self, BatchOutcome, Reserved, Target};
use super::open::opener_with;
use super::output::Kept;
use super::textures;
use super::{Failure, edits, frame_args, open, output, player};

pub fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    if arguments.player {
        return player::run(arguments);
    }
    let Some(output) = &arguments.output else {
        let Some(to) = &arguments.to else {
            let known: Vec<String> = targets().map(|format| format.extension().to_owned()).collect();
            let known = known.join(", ");
            return Err(Failure::Usage(format!("--output-dir needs the format as --to EXTENSION; available: {known}")));
        };
        let format = target(Path::new(&format!("model.{to}")), &format!("--to {to}"))?;
        let opener = opener(arguments, format)?;
        return batch::run(&arguments.models, &arguments.batch, format.extension(), arguments.json, |model, target| {
            convert_model(arguments, &opener, model, target)
        });
    };
    let opener = opener(arguments, target_of(output)?)?;
    let done = convert_model(arguments, &opener, super::single(&arguments.models)?, Target::only(output))?;
    let mut out = output::output_as(arguments.json);
    match done.value {
        Some((_, mut report)) if arguments.json => {
            report["notes"] = json!(done.notes);
            writeln!(out, "{report}")?;
        }
        _ => {
            done.notes.iter().for_each(output::error_line);
            write!(out, "{}", done.text)?;
        }
    }
    Ok(out.flush()?)
}

pub(super) fn opener(arguments: &ConvertArguments, format: Format) -> Result<Opener, Failure> {
    let mut load = arguments.import.options(Some(arguments.scale));
    load.usual_rate = Some(sampling_rate(format));
    load.keeps_joints = format.traits().joints != JointStorage::None;
    let opener = opener_with(&arguments.root, ImageLoading::Decode)?;
    // Prefer companion files in the model's own archive, even if the game overrides them.
    let options = OpenOptions { order: SearchOrder::OwnArchive, load, ..OpenOptions::default() };
    Ok(opener.with(options).without_suggestions())
}

fn convert_model(
    arguments: &ConvertArguments,
    opener: &Opener,
    input: &Path,
    at: Target<'_>,
) -> Result<BatchOutcome, Failure> {
    let output = at.path;
    let format = target_of(output)?;
    let mut loaded = opener.load(input)?;
    if !arguments.overwrite && open::is_file_of(input, output) {
        let path = output.display();
        return Err(Failure::Usage(format!("-o {path}: output is the input file; pass --overwrite to replace it")));
    }
    if edits::replaces_input(arguments, &loaded.model, format) {
        drop(loaded);
        return edits::edit_model(arguments, opener, input, output);
    }
    let mut edit_notes = Notes::default();
    let rate_note = rate_note(&loaded.model, arguments);
    let mut clip_list = None;
    if let Cow::Owned(edited) = edits::edited(input, &loaded.model, &arguments.edits, opener, &mut edit_notes)? {
        if edited.format() == format {
            clip_list = edits::clip_list(arguments, opener, input, &loaded.model, &edited, &mut edit_notes.losses);
        }
        loaded.model = Arc::new(edited);
    }
    let model = &*loaded.model;
    let profile = arguments.profile.unwrap_or_else(|| Profile::for_format(format));
    let (skin, skin_images) = opener.converted_skins(input, &loaded, format, arguments.skin_size)?;
    let path = game_path(output);
    let options = options(arguments, format, profile, model)?;
    let options = ConvertOptions { skin, skin_images: &skin_images, path: Some(&path), ..options };
    let mut files = to_files(model, &options).map_err(|error| unfit(input, error))?;
    if let Some(bytes) = clip_list.filter(|_| files.model.frames().len() == model.frames().len()) {
        files.set_clip_list(bytes);
    }
    let textures = textures::of(arguments, opener, input, model, output, &files.renamed_materials)?;
    let changes_animations = arguments.edits.change_other_files(model);
    let (paths, kept) = write(at, arguments, &files, &textures, changes_animations)?;
    let report = ConversionReport {
        input,
        output,
        from: model.format(),
        files: &files,
        refused: lint::rejections(&files.model, profile),
        paths,
        kept,
        profile,
        is_written: !arguments.dry_run,
    };
    let mut notes = damage(&loaded.warnings());
    notes.extend(edit_notes.into_all());
    notes.extend(scale_note(&loaded.warnings()));
    notes.extend(files.losses.iter().cloned());
    notes.extend(textures.notes);
    notes.extend(rate_note);
    Ok(BatchOutcome { text: report.text(), value: Some(("convert", report.json())), notes })
}

pub(super) fn unfit(input: &Path, error: ConvertError) -> Failure {
    Failure::File(format!("{}: {error}", input.display()))
}

/// Returns the warnings about parts of a file that were skipped or replaced.
pub(super) fn damage(warnings: &[Warning]) -> Vec<String> {
    let is_damage = |kind: WarningKind| kind.loses_data() || kind == WarningKind::Substituted;
    warnings.iter().filter(|warning| is_damage(warning.kind)).map(ToString::to_string).collect()
}

/// Returns the hint at the unit of a glTF.
pub(super) fn scale_note(warnings: &[Warning]) -> Option<String> {
    warnings.iter().find(|warning| warning.kind == WarningKind::Unit).map(ToString::to_string)
}

/// Returns the rates at which the animations of a glTF were sampled, unless the user chose the rate.
pub(super) fn rate_note(model: &Model, arguments: &ConvertArguments) -> Option<String> {
    let clips = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    let mut rates: Vec<f32> = clips.map(|clip| clip.frames_per_second).collect();
    rates.sort_by(f32::total_cmp);
    rates.dedup();
    let rates: Vec<String> = rates.iter().map(f32::to_string).collect();
    let is_sampled = model.format().traits().is_sampled && !rates.is_empty() && arguments.import.fps.is_none();
    let rates = rates.join(", ");
    is_sampled.then(|| format!("animations were sampled at {rates} frames per second; --fps chooses another rate"))
}

fn target_of(output: &Path) -> Result<Format, Failure> {
    target(output, &format!("-o {}", output.display()))
}

/// Returns the format of a file; `option` is the option that names it.
fn target(file: &Path, option: &str) -> Result<Format, Failure> {
    let extension = file.extension().unwrap_or_default();
    let known = targets().find(|format| extension.eq_ignore_ascii_case(format.extension()));
    known.ok_or_else(|| {
        if file == Path::new("-") {
            return Failure::Usage(format!("{option}: convert writes files, not to standard output; name a file"));
        }
        let known = || targets().map(|format| format!(".{}", format.extension()));
        match exporter_for(file).filter(|_| !extension.is_empty()) {
            Some(exporter) => {
                let failure = Failure::unknown(option, "format", known());
                Failure::Usage(format!("{failure}; maquette export writes .{}", exporter.extension))
            }
            None => Failure::unwritten(file, option, known()),
        }
    })
}

fn options<'a>(
    arguments: &'a ConvertArguments,
    format: Format,
    profile: &Profile,
    model: &Model,
) -> Result<ConvertOptions<'a>, Failure> {
    let names = arguments.animation.as_slice();
    let (frame, clips) = match (arguments.frame, names) {
        (Some(_), [_, _, ..]) => {
            return Err(Failure::Usage("--frame is counted within one clip; pass --animation once".to_owned()));
        }
        (Some(frame), names) => {
            let frame_args = FrameArguments { animation: names.first().cloned(), frame: Some(frame.into()) };
            (Some(frame_args::blend(model, &frame_args)?.from), None)
        }
        (None, []) => (None, None),
        (None, names) => {
            names.iter().try_for_each(|name| frame_args::find_clip(model, name).map(|_| ()))?;
            (None, Some(names))
        }
    };
    let packing = match (arguments.uncompressed, arguments.compressed) {
        (true, _) => Some(BonePacking::Plain),
        (_, true) => Some(BonePacking::Compressed),
        _ => None,
    };
    Ok(ConvertOptions {
        frame,
        clips,
        packing,
        limits: limits(arguments, format, profile),
        writes_textures: arguments.textures,
        ..ConvertOptions::to(format)
    })
}

/// Returns the sizes beyond which surfaces are split.
pub(super) fn limits(arguments: &ConvertArguments, format: Format, profile: &Profile) -> SurfaceLimits {
    if arguments.no_split { SurfaceLimits::NONE } else { profile.surface_limits(format) }
}

/// Writes all files or none. Existing shared files, such as clip lists and textures, are kept and reported.
fn write(
    at: Target<'_>,
    arguments: &ConvertArguments,
    files: &ConvertedFiles,
    textures: &GameTextures,
    changes_animations: bool,
) -> Result<(Vec<PathBuf>, Vec<Kept>), Failure> {
    let output = at.path;
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let extension = output.extension().unwrap_or_default().to_string_lossy();
    let companions = files.companions(&stem, &extension);
    let main = files.main(&stem);
    let mut written: Vec<(PathBuf, &[u8])> = vec![(output.to_path_buf(), &main)];
    let mut kept = Vec::new();
    // LODs and materials next to an existing output belong to it, or this run writes them.
    let replaces = output.exists();
    for file in &companions {
        let path = output.with_file_name(&file.name);
        let is_level = file.kind == CompanionKind::Own;
        let is_own = is_level && (replaces || at.is_of_run(&path));
        match at.reserve(&path, &file.bytes) {
            Reserved::Same | Reserved::Different if file.kind == CompanionKind::Animation => {
                let path = path.display();
                return Err(Failure::File(format!(
                    "{path}: another model of this run has written this file; convert each model to its own folder"
                )));
            }
            Reserved::Same if !is_level => {}
            Reserved::Different if !is_level => kept.push(Kept::of_run(path)),
            _ if arguments.overwrite || is_own || !is_taken(&path) => written.push((path, &file.bytes)),
            _ if file.kind == CompanionKind::ClipList => kept.push(Kept::existing_clips(path)),
            _ if file.kind == CompanionKind::Animation && changes_animations => {
                kept.push(Kept::existing_animation(path));
            }
            // The file belongs to another model.
            _ if is_level => {
                let path = path.display();
                return Err(Failure::File(format!("{path}: file already exists; pass --overwrite to replace it")));
            }
            _ => kept.push(Kept::existing(path)),
        }
    }
    for (path, bytes) in &textures.files {
        match at.reserve(path, bytes) {
            Reserved::Same => {}
            Reserved::Different => kept.push(Kept::of_run(path.clone())),
            Reserved::New if arguments.overwrite || !is_taken(path) => written.push((path.clone(), bytes)),
            Reserved::New => kept.push(Kept::existing(path.clone())),
        }
    }
    let paths = || written.iter().map(|(path, _)| path.clone()).collect();
    if arguments.dry_run {
        return Ok((paths(), kept));
    }
    let folder = output.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir());
    if let Some(folder) = folder {
        return Err(Failure::File(format!("{}: the folder does not exist", folder.display())));
    }
    textures::create_folders(&textures.files)?;
    let contents = written.iter().map(|(path, bytes)| (path.as_path(), *bytes));
    write_together(contents).map_err(|(path, error)| Failure::output(path, error))?;
    Ok((paths(), kept))
}

/// Returns the number of surfaces of the finest LOD.
pub(super) fn finest_surfaces(model: &Model) -> usize {
    model.surfaces().iter().filter(|surface| surface.lod == 0).count()
}

struct ConversionReport<'a> {
    input: &'a Path,
    output: &'a Path,
    from: Format,
    files: &'a ConvertedFiles,
    refused: Findings,
    paths: Vec<PathBuf>,
    kept: Vec<Kept>,
    profile: &'a Profile,
    is_written: bool,
}

impl ConversionReport<'_> {
    fn text(&self) -> String {
        let model = &self.files.model;
        let mut lines = Vec::new();
        let mut parts = vec![
            counted(model.frames().len(), "frame", "frames"),
            counted(finest_surfaces(model), "surface", "surfaces"),
        ];
        if !model.tags().is_empty() {
            parts.push(counted(model.tags().len(), "tag", "tags"));
        }
        if !model.joints().is_empty() {
            parts.push(counted(model.joints().len(), "joint", "joints"));
        }
        lines.push(format!("{}: {}", output::path(self.output), parts.join(", ")));
        for path in self.paths.iter().skip(1) {
            lines.push(output::written(path, self.is_written));
        }
        lines.extend(self.kept.iter().map(Kept::line));
        match &self.files.measured {
            Some(measured) => lines.extend(self.measured_lines(measured)),
            None => lines.push("the written file does not match the model; differences were not measured".to_owned()),
        }
        let mut text = lines.join("\n") + "\n";
        if !self.refused.list.is_empty() {
            let _ = writeln!(text, "{} rejects the file:", self.profile.title);
        }
        let mut findings = Vec::new();
        // Writing to memory cannot fail.
        let _ = lint::to_text(&self.refused, &mut findings);
        text + &String::from_utf8_lossy(&findings) + output::dry_run_note(!self.is_written)
    }

    fn measured_lines(&self, measured: &Measured) -> Vec<String> {
        let model = &self.files.model;
        let surface = |furthest: &MaxError| {
            let name = model.surfaces().get(furthest.part).map_or("", |surface| surface.script_name());
            let name = &printable(name);
            let name =
                if name.is_empty() { format!("surface {}", furthest.part) } else { format!("surface “{name}”") };
            format!("{name}, vertex {}, frame {}", furthest.vertex, furthest.frame)
        };
        let tag = |furthest: &MaxError| {
            let name = model.tags().get(furthest.part).map_or("", String::as_str);
            format!("{}, frame {}", printable(name), furthest.frame)
        };
        let report = |what: &str, furthest: &MaxError, unit: &str, frame_name: String| {
            let words = furthest.words(unit);
            if furthest.value == 0.0 { format!("{what}: {words}") } else { format!("{what}: {words} ({frame_name})") }
        };
        let mut lines = vec![
            report("positions", &measured.position, "units", surface(&measured.position)),
            report("normals", &measured.normal, "degrees", surface(&measured.normal)),
            report("texture coordinates", &measured.uv, "textures", surface(&measured.uv)),
        ];
        if !model.tags().is_empty() {
            lines.push(report("tags", &measured.tag, "units", tag(&measured.tag)));
            lines.push(report("tag axes", &measured.tag_axes, "degrees", tag(&measured.tag_axes)));
        }
        if measured.frame_step > 1 {
            lines.push(format!("measured in one of every {} frames", measured.frame_step));
        }
        lines
    }

    fn json(&self) -> Value {
        let to = &self.files.model;
        json!({
            "source": { "file": self.input.display().to_string(), "format": self.from.name() },
            "target": {
                "file": self.output.display().to_string(),
                "format": to.format().name(),
                "frames": to.frames().len(),
                "surfaces": finest_surfaces(to),
                "tags": to.tags().len(),
                "joints": to.joints().len(),
            },
            "files": self.paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>(),
            "kept": self.kept.iter().map(|kept| kept.path.display().to_string()).collect::<Vec<_>>(),
            "losses": self.files.losses,
            "measured": self.files.measured.as_ref().map(|measured| self.measured_json(measured)),
            "engine": self.profile.name,
            "refused": lint::to_json(&self.refused)["findings"],
        })
    }

    fn measured_json(&self, measured: &Measured) -> Value {
        let model = &self.files.model;
        let of_surface = |furthest: &MaxError, unit: &str| {
            let name = model.surfaces().get(furthest.part).map_or("", |surface| surface.script_name());
            json!({ unit: furthest.value, "surface": name, "vertex": furthest.vertex, "frame": furthest.frame })
        };
        let of_tag = |furthest: &MaxError, unit: &str| {
            let name = model.tags().get(furthest.part);
            json!({ unit: furthest.value, "tag": name, "frame": furthest.frame })
        };
        let mut report = json!({
            "positions": of_surface(&measured.position, "distance"),
            "normals": of_surface(&measured.normal, "degrees"),
            "uvs": of_surface(&measured.uv, "distance"),
        });
        if !model.tags().is_empty() {
            report["tags"] = of_tag(&measured.tag, "distance");
            report["tag_axes"] = of_tag(&measured.tag_axes, "degrees");
        }
        report
    }
}
