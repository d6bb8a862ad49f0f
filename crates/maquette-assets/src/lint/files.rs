//! Rules for warnings of loaders, names of textures and missing textures.

use std::collections::{HashMap, HashSet};

use super::finding::{Location, NamedIndex, Occurrences, Severity, Sink};
use super::input::Context;
use super::refusals::is_refused;
use crate::material::{IMAGE_IN_MODEL_FOLDER, SearchStep, Stage, SurfaceMaterial};
use crate::open::Skin;
use crate::vfs::{name_of, split_extension};
use maquette_core::error::{Fault, Warning, WarningKind};
use maquette_core::model::Format;

pub(super) fn truncated(context: &Context, sink: &mut Sink) {
    for warning in context.subject.warnings.iter().filter(|warning| warning.kind == WarningKind::Truncated) {
        sink.add(Severity::Error, Location::default(), warning.to_string());
    }
}

pub(super) fn oddities(context: &Context, sink: &mut Sink) {
    let elsewhere = [WarningKind::Companion, WarningKind::Truncated];
    let is_own = |warning: &&Warning| !elsewhere.contains(&warning.kind) && !is_refused(context, warning);
    for warning in context.subject.warnings.iter().filter(is_own) {
        sink.add(Severity::Warning, Location::default(), warning.to_string());
    }
}

pub(super) fn companions(context: &Context, sink: &mut Sink) {
    // A separate rule reports missing textures.
    let mut reported = HashSet::new();
    each_material(context, |material, _, _| reported.extend(material.problem()));
    let is_reported = |warning: &Warning| {
        let is_harmless = warning.fault.is_some_and(Fault::is_harmless);
        is_harmless || is_refused(context, warning) || reported.contains(&warning.message)
    };
    let is_new = |warning: &&Warning| warning.kind == WarningKind::Companion && !is_reported(warning);
    for warning in context.subject.warnings.iter().filter(is_new) {
        sink.add(Severity::Note, Location::default(), warning.to_string());
    }
}

/// Reports shaders and materials that the engine rejects for a directive.
pub(super) fn directives(context: &Context, sink: &mut Sink) {
    let (profile, title) = (context.profile, context.profile.title);
    let mut found = ByMessage::default();
    each_material(context, |material, place, with| {
        let objections = &material.definition.objections;
        if is_doom3_material(material) {
            if let Some(objection) = objections.first().filter(|_| profile.rejects_materials) {
                found.add(format!("{}; {title} rejects the material{with}", objection.why), place);
            }
        } else if let Some((why, _)) = profile.script.and_then(|rules| rules.rejection(objections)) {
            found.add(format!("{why}; {title} rejects the shader{with}"), place);
        }
    });
    found.report(Severity::Warning, sink);
}

fn is_doom3_material(material: &SurfaceMaterial) -> bool {
    material.script.as_ref().is_some_and(|(file, _)| split_extension(file).1.eq_ignore_ascii_case("mtr"))
}

/// Reports surfaces with the same name and different materials. Engines compare only the names (ioquake3 tr_mesh.c,
/// `R_AddMD3Surfaces`), and ignore their case.
pub(super) fn repeated_surfaces(context: &Context, sink: &mut Sink) {
    let format = context.model().format();
    // An object of an OBJ becomes a surface for each of its materials.
    if !format.traits().companions.skins || format == Format::Obj {
        return;
    }
    let mut first = HashMap::new();
    for (index, surface) in context.model().surfaces().iter().enumerate().filter(|(_, one)| !one.name.is_empty()) {
        let known = *first.entry((surface.lod, surface.name.to_lowercase())).or_insert((index, &surface.materials));
        if known.0 != index {
            let is_same = *known.1 == surface.materials;
            let severity = if is_same { Severity::Note } else { Severity::Warning };
            let message = format!("repeated name; a .skin file gives surface {} the same material", known.0);
            sink.add(severity, Location::surface(index, &surface.name), message);
        }
    }
}

/// Reports names of images without an extension, which some engines do not look up. Empty names are ignored.
pub(super) fn extensions(context: &Context, sink: &mut Sink) {
    let model = context.model();
    // The names in a model that replaces another one are not used.
    let is_unused = context.profile.required_folder.is_some_and(|(format, _)| format == model.format());
    if !context.profile.needs_extensions || is_unused {
        return;
    }
    let lacks = |name: &&String| !name.is_empty() && split_extension(name_of(name)).1.is_empty();
    let mut found = ByMessage::default();
    for (index, surface) in model.surfaces().iter().enumerate() {
        for name in surface.materials.iter().filter(lacks) {
            found.add(message(context, name), Location::surface(index, &surface.name));
        }
    }
    for name in model.skins().iter().filter(lacks) {
        found.add(message(context, name), Location::default());
    }
    found.report(Severity::Warning, sink);
}

fn message(context: &Context, name: &str) -> String {
    format!("“{name}” has no extension; {} draws no texture", context.profile.title)
}

pub(super) fn missing_textures(context: &Context, sink: &mut Sink) {
    let mut found = ByMessage::default();
    each_material(context, |material, location, with| {
        if let Some(problem) = material.problem().filter(|_| !material.is_guess) {
            found.add(format!("{problem}{with}"), location);
        }
    });
    found.report(Severity::Warning, sink);
}

/// Reports images of formats that the engine does not read. Another rule reports guessed images.
pub(super) fn unreadable_images(context: &Context, sink: &mut Sink) {
    let profile = context.profile;
    if !profile.formats.contains(&context.model().format()) {
        return;
    }
    let mut found = ByMessage::default();
    each_material(context, |material, location, with| {
        let mut paths: Vec<&str> = material.definition.stages.iter().flat_map(stage_images).collect();
        paths.push(&material.path);
        paths.sort_unstable();
        paths.dedup();
        for path in paths.into_iter().filter(|path| !material.is_guess && !profile.reads_image(path)) {
            found.add(format!("{} does not read {path}{with}", profile.title), location.clone());
        }
    });
    found.report(Severity::Warning, sink);
}

fn stage_images(stage: &Stage) -> impl Iterator<Item = &str> {
    let relief = stage.relief.iter().flat_map(|relief| relief.bump.iter().chain(&relief.specular));
    stage.maps.iter().chain(relief).map(|map| map.path.as_str())
}

pub(super) fn guessed_textures(context: &Context, sink: &mut Sink) {
    let mut found = ByMessage::default();
    each_material(context, |material, location, with| {
        if is_elsewhere(material) {
            found.add(
                format!("{} was found, but the game looks for “{}”{with}", material.path, material.name),
                location,
            );
        } else if material.is_guess {
            found.add(format!("{} is a guess; none of the named images exist{with}", material.path), location);
        }
    });
    found.report(Severity::Note, sink);
}

/// Returns whether a guessed image was found by its file name in the model's folder.
fn is_elsewhere(material: &SurfaceMaterial) -> bool {
    let by_name = |step: &SearchStep| step.what == IMAGE_IN_MODEL_FOLDER && step.found.as_ref() == Some(&material.path);
    material.is_guess && material.script.is_none() && material.search_log.iter().any(by_name)
}

#[derive(Default)]
struct ByMessage {
    list: Vec<(String, Occurrences)>,
    known: HashMap<String, usize>,
}

impl ByMessage {
    fn add(&mut self, message: String, location: Location) {
        let index = *self.known.entry(message.clone()).or_insert(self.list.len());
        if index == self.list.len() {
            self.list.push((message, Occurrences::default()));
        }
        if let Some((_, found)) = self.list.get_mut(index) {
            found.add(|| location);
        }
    }

    fn report(self, severity: Severity, sink: &mut Sink) {
        for (message, found) in self.list {
            sink.add_all(severity, found, message);
        }
    }
}

/// Calls `visit` for each surface that is drawn in a game, and each skin whose names are checked.
fn each_material(context: &Context, mut visit: impl FnMut(&SurfaceMaterial, Location, &str)) {
    let skins = context.subject.skins;
    for (number, skin) in Skin::checked(skins) {
        let with = if skins.len() > 1 { format!(" (skin {})", skin.name) } else { String::new() };
        let of_skin = || (skins.len() > 1).then(|| NamedIndex { index: number, name: skin.name.clone() });
        let surfaces = context.model().surfaces().iter().zip(skin.materials.iter()).enumerate();
        for (index, (surface, material)) in
            surfaces.filter(|(_, (surface, _))| !surface.triangles.is_empty() && !context.model().is_helper(surface))
        {
            visit(material, Location { skin: of_skin(), ..Location::surface(index, &surface.name) }, &with);
        }
    }
}
