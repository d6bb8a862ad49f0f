//! `.skin` file of Quake III: a material for each surface, and the names of the tags.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Write as _;

use crate::model::Model;

/// Returns the content of a `.skin` file: a line for each name of a surface, and for each tag. `paths` has the path of
/// each surface's material; without one, the surface keeps its first.
pub fn skin_file(model: &Model, paths: &[String]) -> String {
    let (mut text, mut known) = (String::new(), HashSet::new());
    for (index, surface) in model.surfaces().iter().enumerate() {
        // Games read the first of several lines with one name.
        if surface.name.is_empty() || !known.insert(surface.name.to_lowercase()) {
            continue;
        }
        let path = paths.get(index).filter(|path| !path.is_empty()).or(surface.materials.first());
        let path = path.map_or("", String::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{},{}", word(&surface.name), word(path));
    }
    for tag in model.tags() {
        let _ = writeln!(text, "{},", word(tag));
    }
    text
}

/// Returns a word in quotation marks if it would otherwise end within.
fn word(text: &str) -> Cow<'_, str> {
    if text.contains([',', ' ', '\t']) { format!("\"{text}\"").into() } else { text.into() }
}
