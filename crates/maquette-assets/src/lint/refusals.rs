//! Rules for faults for which an engine refuses a file.

use super::clips::own_animations;
use super::finding::{Location, Severity, Sink};
use super::input::Context;
use maquette_core::error::{Fault, Warning};
use maquette_core::model::{ClipSource, Model, VertexArray};

/// Faults that the rule for missing lines reports.
const LINES: [Fault; 3] = [Fault::MissingVersion, Fault::MissingCommandLine, Fault::MissingShader];

pub(super) fn missing_lines(context: &Context, sink: &mut Sink) {
    report(context, sink, |fault| LINES.contains(&fault));
}

pub(super) fn others(context: &Context, sink: &mut Sink) {
    report(context, sink, |fault| !LINES.contains(&fault));
}

/// Returns whether the engine refuses the file that a warning is about. A rule of this module reports these warnings.
pub(super) fn is_refused(context: &Context, warning: &Warning) -> bool {
    warning.fault.is_some_and(|fault| context.profile.refuses(context.model().format(), fault))
}

fn report(context: &Context, sink: &mut Sink, is_wanted: impl Fn(Fault) -> bool) {
    let title = context.profile.title;
    for warning in context.subject.warnings.iter().filter(|warning| is_refused(context, warning)) {
        if warning.fault.is_some_and(&is_wanted) {
            let what = if warning.file.is_some() { "animation" } else { "file" };
            let message = format!("{title} rejects the {what}: {warning}");
            sink.add(Severity::Error, Location::default(), message);
        }
    }
    for Unwarned { fault, location, why } in unwarned(context) {
        if is_wanted(fault) && context.profile.refuses(context.model().format(), fault) {
            sink.add(Severity::Error, location, format!("{why}; {title} rejects the file"));
        }
    }
}

/// Fault without a warning, because the file is valid for other engines.
struct Unwarned {
    fault: Fault,
    location: Location,
    why: String,
}

impl Unwarned {
    fn whole(fault: Fault, why: impl Into<String>) -> Self {
        Self { fault, location: Location::default(), why: why.into() }
    }
}

fn unwarned(context: &Context) -> Vec<Unwarned> {
    let model = context.model();
    let mut found = surfaces(model);
    let roots = model.joints().iter().filter(|joint| joint.parent.is_none()).count();
    if roots > 1 {
        found.push(Unwarned::whole(Fault::SeveralRoots, format!("{roots} joints have no parent")));
    }
    if let Some([width, _]) = model.data().skin_size
        && width % 4 != 0
    {
        found.push(Unwarned::whole(Fault::SkinWidth, format!("the skin width {width} is not a multiple of 4")));
    }
    if model.version() == Some(1) {
        found.push(Unwarned::whole(Fault::OldVersion, "version 1"));
    }
    found.extend(arrays(context));
    // The path of a converted model is unknown.
    if !context.subject.game_path.is_empty() && own_animations(context).next().is_none() {
        found.push(Unwarned::whole(Fault::MissingAnimation, "no animation of the mesh’s name"));
    }
    found
}

fn arrays(context: &Context) -> Vec<Unwarned> {
    let model = context.model();
    let arrays = &model.data().arrays;
    let is_unusual = |array: &&VertexArray| {
        let read = context.profile.vertex_arrays;
        let usual = read.iter().find(|(attribute, ..)| *attribute == array.attribute);
        !read.is_empty()
            && usual.is_none_or(|(_, numbers, size)| !numbers.contains(&array.number) || *size != array.size)
    };
    let unusual = |array: &VertexArray| {
        let VertexArray { attribute, number, size } = array;
        Unwarned::whole(Fault::ArrayFormat, format!("the array “{attribute}” has {size} {number} for each vertex"))
    };
    let mut found: Vec<Unwarned> = arrays.iter().filter(is_unusual).map(unusual).collect();
    let is_wide =
        |array: &&VertexArray| array.attribute.starts_with("blend") && !(array.number == "u8" && array.size == 4);
    found.extend(arrays.iter().filter(is_wide).map(|array| Unwarned { fault: Fault::WideWeights, ..unusual(array) }));
    let is_animated = model.clips().iter().any(|clip| clip.source != ClipSource::BindPose);
    let in_bytes = |attribute| arrays.contains(&VertexArray { attribute, number: "u8", size: 4 });
    if !arrays.is_empty() && is_animated && !["blendindexes", "blendweights"].iter().all(|it| in_bytes(it)) {
        let why = "an animation, but no joints and weights of four bytes for each vertex";
        found.push(Unwarned::whole(Fault::WeightFormat, why));
    }
    found
}

fn surfaces(model: &Model) -> Vec<Unwarned> {
    let mut found = Vec::new();
    for (index, surface) in model.surfaces().iter().enumerate() {
        let location = || Location::surface(index, &surface.name);
        if !surface.name.is_empty() {
            found.push(Unwarned { fault: Fault::NamedMesh, location: location(), why: "a name line".to_owned() });
        }
        if surface.triangles.is_empty() {
            found.push(Unwarned { fault: Fault::EmptySurface, location: location(), why: "no triangles".to_owned() });
        }
    }
    found
}
