//! Report of the properties of materials that a conversion loses.

use std::collections::HashSet;

use crate::error::counted;
use crate::model::{AlphaMode, EmbeddedImage, EmbeddedMaterial, Format, Model, ScriptOrder};

/// Returns the materials that the model's file defines (glTF), with their names.
fn embedded_materials(model: &Model) -> Vec<(&str, &EmbeddedMaterial)> {
    let (mut materials, mut seen) = (Vec::new(), HashSet::new());
    for surface in model.surfaces() {
        let name = surface.materials.first().filter(|name| !name.is_empty()).unwrap_or(&surface.name);
        if let Some(material) = surface.data.embedded_material.as_ref().filter(|_| seen.insert(name)) {
            materials.push((name.as_str(), &**material));
        }
    }
    materials
}

/// Returns the number of surfaces of which any colour of a vertex is meant.
pub(crate) fn coloured_surfaces(model: &Model, is_meant: fn(&i32) -> bool) -> usize {
    let colours = model.surfaces().iter().filter_map(|surface| surface.data.colours.as_deref());
    colours.filter(|colours| colours.iter().any(is_meant)).count()
}

/// Describes the loss of the colours, or their alpha, of this many surfaces.
pub(crate) fn lost_colours(title: &str, what: &str, surfaces: usize) -> String {
    let surfaces = counted(surfaces, "surface has", "surfaces have");
    format!("{title} stores no {what} of vertices, which {surfaces}; dropped")
}

/// Reports colours of vertices that the written model does not have.
pub(super) fn report_colours(original: &Model, written: &Model, losses: &mut Vec<String>) {
    let (what, is_meant): (_, fn(&i32) -> bool) = if coloured_surfaces(written, |_| true) > 0 {
        ("alpha", |colour| colour.to_le_bytes()[3] < u8::MAX)
    } else {
        ("colours", |_| true)
    };
    let surfaces = coloured_surfaces(original, is_meant);
    if surfaces > 0 && coloured_surfaces(written, is_meant) == 0 {
        losses.push(lost_colours(written.format().title(), what, surfaces));
    }
}

/// Reports properties of materials (glTF) that no game format stores.
pub(super) fn report_materials(model: &Model, target: Format, has_textures: bool, losses: &mut Vec<String>) {
    let materials = embedded_materials(model);
    let without = match target.traits().scripts {
        ScriptOrder::None => "",
        ScriptOrder::Quake3First | ScriptOrder::Doom3First => "without a shader script, ",
    };
    let mut report = |what: &str, hint: &str, is_lost: fn(&EmbeddedMaterial) -> bool| {
        let names = materials.iter().filter(|(_, material)| is_lost(material)).map(|(name, _)| *name);
        let names: Vec<&str> = names.collect();
        if !names.is_empty() {
            losses.push(format!("{what}: {}{hint}", names.join(", ")));
        }
    };
    if !has_textures {
        let hint = " (--textures writes them)";
        report("textures inside the file were not written", hint, |material| {
            matches!(material.image, Some(EmbeddedImage::Encoded(_) | EmbeddedImage::Pixels(_)))
        });
    }
    report(&format!("{without}games show these materials from one side only"), "", |material| {
        material.double_sided && material.script.is_none()
    });
    report(&format!("{without}games show these materials without transparency"), "", |material| {
        material.alpha != AlphaMode::Opaque && material.script.is_none()
    });
}
