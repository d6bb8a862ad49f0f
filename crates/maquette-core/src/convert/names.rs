//! Names where the other format needs one, or holds fewer characters.

use std::collections::HashMap;

use super::UniqueNames;
use crate::model::{Model, Surface};

/// What a surface is called in a format that has names: its own name, else that in the exporter's comment, else the last part
/// of its material's path; each once.
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

/// A name in at most `most` characters, as every character of the formats is a byte; tells if it has to be cut.
pub(super) fn fitted(kind: &str, name: &str, most: usize, losses: &mut Vec<String>) -> String {
    let narrow: String = name.chars().map(|c| if u32::from(c) < 256 { c } else { '?' }).collect();
    let cut: String = narrow.chars().take(most).collect();
    if cut != name {
        losses.push(format!("{kind} “{name}” becomes “{cut}”: the format holds {most} characters of Latin-1"));
    }
    cut
}
