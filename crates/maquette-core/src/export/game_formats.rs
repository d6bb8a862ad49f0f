//! Export to game formats; see [`crate::convert`].

use super::scene::{ExportPart, ExportScene};
use super::{ExportError, ExportFiles, ExportOptions, ExportReport, Exporter};
use crate::convert::{ConvertOptions, ConvertedFiles, convert, measure};
use crate::model::Format;

/// Writes each part of a scene in a game format. Without animations, only the frame of the pose is written. Clip lists
/// are written for single models only.
pub(super) fn write(
    exporter: &Exporter,
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<ExportReport, ExportError> {
    let not_written = || ExportError::Unfit(format!("unknown format .{}", exporter.extension));
    let format = exporter.format.ok_or_else(not_written)?;
    let mut losses = Vec::new();
    let stem = files.companion_name("");
    for (index, part) in subject.parts.iter().enumerate() {
        let (written, own) = converted(format, part, subject, options)?;
        let about = |loss: String| if subject.parts.len() > 1 { format!("{}: {loss}", part.name) } else { loss };
        losses.extend(own.into_iter().map(about));
        let stem = if index == 0 { stem.as_str() } else { part.name };
        if index == 0 {
            files.main().write_all(written.main())?;
        } else {
            files.write_companion(&format!("{stem}.{}", format.extension()), written.main())?;
        }
        for file in written.companions(stem, format.extension()) {
            if file.is_shared && subject.parts.len() > 1 {
                // A clip list belongs to a whole character, not to one of its models.
                continue;
            }
            if file.is_shared && files.is_there(&file.name) {
                losses.push(format!("{} already exists and was not replaced", file.name));
            } else {
                files.write_companion(&file.name, &file.bytes)?;
            }
        }
    }
    Ok(ExportReport { losses })
}

fn converted(
    format: Format,
    part: &ExportPart<'_>,
    subject: &ExportScene<'_>,
    options: &ExportOptions,
) -> Result<(ConvertedFiles, Vec<String>), ExportError> {
    let is_static = subject.animations.is_empty() && part.model.frames().len() > 1;
    let converted = ConvertOptions {
        frame: is_static.then_some(part.blend.from),
        limits: options.limits,
        skin: part.skin.unwrap_or(ConvertOptions::USUAL_SKIN),
        skin_image: part.skin_image.as_ref(),
        ..ConvertOptions::to(format)
    };
    let unfit = |why: &dyn std::fmt::Display| match subject.parts.len() {
        1 => ExportError::Unfit(why.to_string()),
        _ => ExportError::Unfit(format!("{}: {why}", part.name)),
    };
    let conversion = convert(part.model, &converted).map_err(|error| unfit(&error))?;
    let written = ConvertedFiles::from_model(&conversion.model).map_err(|error| unfit(&error))?;
    let mut losses = conversion.losses;
    let measured = written.read_again().ok().and_then(|again| measure(part.model, &again, &conversion.origin));
    if let Some(measured) = measured.filter(|measured| measured.position.value > 0.0) {
        let (distance, degrees) = (measured.position.value, measured.normal.value);
        losses.push(format!("vertices are off by up to {distance:.4} units, normals by up to {degrees:.2} degrees"));
    }
    Ok((written, losses))
}
