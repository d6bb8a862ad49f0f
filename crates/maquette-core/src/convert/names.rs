//! Names that are invented or shortened for the target format.

use std::collections::HashMap;

use super::UniqueNames;
use crate::model::{Model, Surface};

/// Falls back to the name in the exporter's comment, then to the last part of the material's path.
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
