//! Export to game formats; see [`crate::convert`].

use std::collections::HashSet;

use super::scene::{ExportPart, ExportScene};
use super::{ExportError, ExportFiles, ExportOptions, Exporter, Losses, TexturePlacement};
use crate::convert::{CompanionKind, ConvertOptions, ConvertedFiles, UniqueNames, to_files};
use crate::file_names::clean_unique;
use crate::model::{Format, JointStorage, Model};

/// Writes each part of a scene in a game format. Without animations, only the frame of the pose is written. Clip lists
/// are written for single models only.
pub(super) fn write(
    exporter: &Exporter,
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<Losses, ExportError> {
    let not_written = || ExportError::Unfit(format!("unknown format .{}", exporter.extension));
    let format = exporter.format().ok_or_else(not_written)?;
    let (mut losses, mut names, mut has_list) = (Vec::new(), HashSet::new(), false);
    let stem = files.companion_name("");
    let mut stems = UniqueNames::default();
    stems.claim(stem.clone(), str::to_lowercase, "_");
    for (index, part) in subject.parts.iter().enumerate() {
        let stem = if index == 0 { stem.clone() } else { clean_unique(part.name, &mut stems) };
        let path = files.game_path();
        let path = match path.rsplit_once('/') {
            Some((folder, _)) if index > 0 => format!("{folder}/{stem}"),
            _ if index > 0 => stem.clone(),
            _ => path,
        };
        let mut written = converted(format, part, subject, options, &path)?;
        let about = |loss: String| if subject.parts.len() > 1 { format!("{}: {loss}", part.name) } else { loss };
        losses.extend(std::mem::take(&mut written.losses).into_iter().map(about));
        files.materials_renamed(index, std::mem::take(&mut written.renamed_materials));
        if index == 0 {
            files.main().write_all(&written.main(&stem))?;
        } else {
            files.write_companion(&format!("{stem}.{}", format.extension()), &written.main(&stem))?;
        }
        for file in written.companions(&stem, format.extension()) {
            if file.kind == CompanionKind::ClipList && subject.parts.len() > 1 {
                // A clip list belongs to a whole character, not to one of its models.
                has_list = true;
                continue;
            }
            if file.kind == CompanionKind::ClipList && files.is_there(&file.name) {
                losses.push(format!(
                    "{} already exists and was not replaced, so the new model’s clips are not stored",
                    file.name
                ));
            } else if !names.insert(file.name.to_lowercase()) {
                losses.push(about(format!("{} was not written: another part has a file of this name", file.name)));
            } else {
                files.write_companion(&file.name, &file.bytes)?;
            }
        }
    }
    if has_list {
        losses.push("no animation.cfg is written for several models; copy that of the original".to_owned());
    }
    Ok(losses)
}

/// Whether the caller writes the images inside the model's file.
fn writes_textures(model: &Model, options: &ExportOptions) -> bool {
    options.textures == TexturePlacement::External && model.format().traits().has_textures
}

fn converted(
    format: Format,
    part: &ExportPart<'_>,
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    path: &str,
) -> Result<ConvertedFiles, ExportError> {
    let is_static = subject.animations.is_empty() && part.model.frames().len() > 1;
    let options = ConvertOptions {
        frame: is_static.then_some(part.blend.from),
        limits: options.limits,
        path: Some(path),
        skin: part.skin.unwrap_or(ConvertOptions::USUAL_SKIN),
        skin_images: &part.skin_images,
        writes_textures: writes_textures(part.model, options),
        ..ConvertOptions::to(format)
    };
    let has_joints = format.traits().joints != JointStorage::None && !is_static;
    let with_joints = part.model.data().with_joints.as_deref().filter(|_| has_joints);
    let mut converted =
        to_files(with_joints.map_or(part.model, |version| &version.model), &options).map_err(|error| match subject
            .parts
            .len()
        {
            1 => ExportError::Unfit(error.to_string()),
            _ => ExportError::Unfit(format!("{}: {error}", part.name)),
        })?;
    converted.losses.extend(with_joints.iter().flat_map(|version| &version.warnings).map(ToString::to_string));
    if let Some(measured) = converted.measured.filter(|measured| measured.position.value > 0.0) {
        converted.losses.push(measured.summary());
    }
    Ok(converted)
}
