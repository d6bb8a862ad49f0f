//! Names that are invented or shortened for the target format.

use std::collections::HashMap;

use super::UniqueNames;
use crate::model::{Model, Surface};

/// Returns a name for each surface. Unnamed surfaces take the name in the exporter's comment, or the last part of the
/// material's path.
pub(super) fn surface_names(model: &Model) -> Vec<String> {
    let mut of_lod: HashMap<u32, UniqueNames> = HashMap::new();
    let name = |(index, surface): (usize, &Surface)| {
        if !surface.name.is_empty() {
            return surface.name.clone();
        }
        let material = surface.materials.first().map(|material| {
            let last = material.rsplit(['/', '\\']).next().unwrap_or_default();
            last.rsplit_once('.').map_or(last, |(stem, _)| stem)
        });
        let given = [surface.script_name(), material.unwrap_or_default()];
        let given = given.into_iter().find(|name| !name.is_empty());
        let name = given.map_or_else(|| format!("surface{index}"), str::to_owned);
        of_lod.entry(surface.lod).or_default().claim(name, str::to_owned, "")
    };
    model.surfaces().iter().enumerate().map(name).collect()
}

/// Maximum characters of a name in a 64-byte field, without the final NUL.
pub(super) const NAME: usize = 63;

/// Maximum characters of a frame's name in a 16-byte field, without the final NUL.
const FRAME_NAME: usize = 15;

/// Fits frame names into their field. One loss counts all names that change.
pub(super) fn fitted_frames<'a>(names: impl Iterator<Item = &'a str>, losses: &mut Vec<String>) -> Vec<String> {
    let mut changes = Vec::new();
    let names = names.map(|name| fitted("frame", name, FRAME_NAME, &mut changes)).collect();
    match changes.as_slice() {
        [first, _, ..] => losses.push(format!("the names of {} frames changed; the first: {first}", changes.len())),
        _ => losses.append(&mut changes),
    }
    names
}

/// Reports that names of frames are lost; nothing if no frame has one.
pub(super) fn report_lost_frame_names<'a>(names: impl Iterator<Item = &'a str>, why: &str, losses: &mut Vec<String>) {
    match names.filter(|name| !name.is_empty()).count() {
        0 => {}
        1 => losses.push(format!("the name of 1 frame was dropped: {why}")),
        count => losses.push(format!("the names of {count} frames were dropped: {why}")),
    }
}

pub(super) fn fitted(kind: &str, name: &str, max: usize, losses: &mut Vec<String>) -> String {
    let narrow: String = name.chars().map(|c| if u32::from(c) < 256 { c } else { '?' }).collect();
    let cut: String = narrow.chars().take(max).collect();
    if cut != name {
        losses.push(format!(
            "{kind} “{name}” was changed to “{cut}”: the format stores at most {max} characters in Latin-1"
        ));
    }
    cut
}
