//! `maquette convert --player`: the models of a Quake III or Elite Force player from one model.

use std::collections::{BTreeMap, HashMap};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use maquette::output::{is_taken, write_together};
use maquette_assets::engines::player_format;
use maquette_assets::lint::{self, Profile};
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::convert::{ConvertOptions, ConvertedFiles, Player, player, to_files};
use maquette_core::error::counted;
use maquette_core::export::skin_file;
use maquette_core::model::{Motion, PLAYER_PARTS};
use serde_json::json;

use super::args::ConvertArguments;
use super::convert::{finest_surfaces, limits, opener, rate_note, scale_note, unfit};
use super::output::Kept;
use super::{Failure, output, textures};

pub fn run(arguments: &ConvertArguments) -> Result<(), Failure> {
    let Some(folder) = &arguments.output else { return Ok(()) };
    let input = super::single(&arguments.models)?;
    let main = player_format("lower", arguments.mdr);
    let opener = opener(arguments, main)?;
    let loaded = opener.load(input)?;
    let mut notes: Vec<String> = scale_note(&loaded.warnings()).into_iter().collect();
    let model = loaded.model;
    if arguments.mdr && matches!(model.motion(), Motion::Morph(_)) {
        return Err(Failure::File(format!(
            "{}: --mdr needs a model with joints; this one has none, or morph targets that move",
            input.display()
        )));
    }
    let profile = arguments.profile.unwrap_or_else(|| Profile::for_format(main));
    let divided = player(&model).map_err(|error| unfit(input, error))?;
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    notes.extend(divided.losses.iter().cloned());
    let (mut lines, mut renamed) = (Vec::new(), HashMap::new());
    for (name, part) in PLAYER_PARTS.iter().zip(&divided.parts) {
        let format = player_format(name, arguments.mdr);
        let options = ConvertOptions {
            limits: limits(arguments, format, profile),
            writes_textures: arguments.textures,
            ..ConvertOptions::to(format)
        };
        let path = folder.join(name).with_extension(format.extension());
        let converted = to_files(part, &options).map_err(|error| unfit(input, error))?;
        add_new(&mut notes, converted.losses.iter().cloned());
        lines.extend(lines_of(&path, &converted, profile));
        renamed.extend(converted.renamed_materials.clone());
        files.push((path, converted.main(name).into_owned()));
        // Split surfaces have their own lines, so the names are those of the converted model.
        let skin = skin_file(&converted.model, &[]);
        files.push((folder.join(format!("{name}_default.skin")), skin.into_bytes()));
    }
    let config = folder.join("animation.cfg");
    let text = with_header_of(&known_list(&config)?, &divided.animation_config);
    files.push((config, text.into_bytes()));
    let (mut textures, mut kept) = (BTreeMap::new(), Vec::new());
    for part in &divided.parts {
        let own = textures::of(arguments, &opener, input, part, &folder.join("lower.md3"), &renamed)?;
        add_new(&mut notes, own.notes);
        textures.extend(own.files);
    }
    for (path, bytes) in textures {
        if is_taken(&path) && !arguments.overwrite {
            kept.push(Kept::existing(path));
        } else {
            lines.push(output::written(&path, !arguments.dry_run));
            files.push((path, Rc::unwrap_or_clone(bytes)));
        }
    }
    lines.extend(kept.iter().map(Kept::line));
    notes.extend(rate_note(&model, arguments));
    notes.extend(clip_note(&divided));
    write(&files, folder, arguments)?;
    let mut out = output::output_as(arguments.json);
    let paths = files.iter().map(|(path, _)| path.display().to_string());
    if arguments.json {
        let report = json!({
            "source": input.display().to_string(),
            "files": paths.collect::<Vec<_>>(),
            "kept": kept.iter().map(|kept| kept.path.display().to_string()).collect::<Vec<_>>(),
            "losses": notes,
            "engine": profile.name,
            "missing_clips": divided.missing_clips,
        });
        writeln!(out, "{report}")?;
    } else {
        notes.iter().for_each(output::error_line);
        for line in lines {
            writeln!(out, "{line}")?;
        }
        write!(out, "{}", output::dry_run_note(arguments.dry_run))?;
    }
    Ok(out.flush()?)
}

/// Adds the notes that are not in the list. The parts share materials, so their losses are often equal.
fn add_new(notes: &mut Vec<String>, more: impl IntoIterator<Item = String>) {
    for note in more {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}

/// Returns the line about a part of the player, and those about what the engine rejects.
fn lines_of(path: &Path, converted: &ConvertedFiles, profile: &Profile) -> Vec<String> {
    let model = &converted.model;
    let mut line = format!(
        "{}: {}, {}",
        output::path(path),
        counted(model.frames().len(), "frame", "frames"),
        counted(finest_surfaces(model), "surface", "surfaces"),
    );
    if let Some(measured) = converted.measured {
        line += &format!(", {}", measured.summary());
    }
    let mut findings = Vec::new();
    // Writing to memory cannot fail.
    let _ = lint::to_text(&lint::rejections(model, profile), &mut findings);
    let findings = String::from_utf8_lossy(&findings);
    std::iter::once(line).chain(findings.lines().map(str::to_owned)).collect()
}

fn clip_note(player: &Player) -> Option<String> {
    if player.has_no_clip() {
        let note = "no clip has a name of the game, such as LEGS_RUN or TORSO_STAND; the player does not move";
        return Some(note.to_owned());
    }
    let missing = player.missing_clips.join(", ");
    (!missing.is_empty()).then(|| format!("other clips are shown for the missing ones: {missing}"))
}

/// Reads the list of clips of an existing player; empty if there is none.
fn known_list(config: &Path) -> Result<String, Failure> {
    match FileSystem::new(Vec::new()).read(config, ReadLimit::TEXT) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(_) if !config.exists() => Ok(String::new()),
        Err(error) => Err(Failure::File(format!("{}: {error}", config.display()))),
    }
}

/// Returns a list of clips with the lines before the first clip of a known list: `sex`, `footsteps` and others.
fn with_header_of(known: &str, list: &str) -> String {
    let is_header = |line: &&str| !line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let header: Vec<&str> = known.lines().take_while(is_header).collect();
    if header.is_empty() {
        return list.to_owned();
    }
    let rows = list.lines().skip_while(is_header);
    header.into_iter().chain(rows).map(|line| format!("{line}\n")).collect()
}

fn write(files: &[(PathBuf, Vec<u8>)], folder: &Path, arguments: &ConvertArguments) -> Result<(), Failure> {
    if arguments.dry_run {
        return Ok(());
    }
    let existing = files.iter().map(|(path, _)| path).find(|path| is_taken(path));
    if let Some(path) = existing.filter(|_| !arguments.overwrite) {
        let path = path.display();
        return Err(Failure::File(format!("{path}: file already exists; pass --overwrite to replace it")));
    }
    if folder.is_file() {
        return Err(Failure::File(format!("{}: this is a file; --player writes to a folder", folder.display())));
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::File(format!("{}: {error}", folder.display())))?;
    textures::create_folders(files)?;
    let files = files.iter().map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
    write_together(files).map_err(|(path, error)| Failure::output(path, error))
}
