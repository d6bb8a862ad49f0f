//! Rules for formats and limits of an engine.

use super::clips::own_animations;
use super::finding::{Location, Severity, Sink};
use super::input::Context;
use crate::engines::{Profile, Quantity};
use crate::open::SkinSource;
use crate::vfs::{folder_of, name_of};
use maquette_core::error::{Fault, counted};
use maquette_core::model::{AnimationFiles, Model, Motion, Surface, SurfaceStorage};

pub(super) fn format(context: &Context, sink: &mut Sink) {
    let (format, profile) = (context.model().format(), context.profile);
    if !profile.formats.contains(&format) {
        let message = format!("{} does not load {}", profile.title, format.title());
        sink.add(Severity::Error, Location::default(), message);
    } else if let Some((_, required)) = profile.required_folder.filter(|(own, _)| *own == format) {
        let folder = context.subject.game_path.rsplit('/').nth(1).unwrap_or_default();
        if !folder.eq_ignore_ascii_case(required) {
            let (title, own) = (profile.title, format.title());
            let message = format!("{title} loads an {own} only in a folder “{required}” next to an MD2 or MD3");
            sink.add(Severity::Error, Location::default(), message);
        }
    }
}

pub(super) fn no_surfaces(context: &Context, sink: &mut Sink) {
    let model = context.model();
    let is_md2 = model.format().traits().surfaces == SurfaceStorage::One;
    if is_md2 || model.surfaces().iter().any(|surface| !surface.triangles.is_empty()) {
        return;
    }
    if model.surfaces().is_empty() && context.profile.refuses(model.format(), Fault::NoSurfaces) {
        sink.add(
            Severity::Error,
            Location::default(),
            format!("no surfaces; {} rejects the file", context.profile.title),
        );
    } else if model.tags().is_empty() && model.joints().is_empty() {
        sink.add(Severity::Warning, Location::default(), "no triangles, tags or joints");
    }
}

pub(super) fn empty_md2(context: &Context, sink: &mut Sink) {
    let model = context.model();
    let is_empty = model.surfaces().iter().all(|surface| surface.triangles.is_empty());
    if model.format().traits().surfaces != SurfaceStorage::One || !is_empty {
        return;
    }
    if context.profile.refuses(model.format(), Fault::NoTriangles) {
        sink.add(
            Severity::Error,
            Location::default(),
            format!("no triangles; {} rejects the file", context.profile.title),
        );
    } else {
        sink.add(Severity::Warning, Location::default(), "no triangles");
    }
}

const MAP_OBJECTS: [&str; 2] = ["models/mapobjects/", "models/map/"];

/// Returns whether the model is usually compiled into a map.
fn is_map_object(context: &Context) -> bool {
    let path = context.subject.game_path.to_lowercase();
    context.profile.compiles_map_objects && MAP_OBJECTS.iter().any(|folder| path.starts_with(folder))
}

/// Reports the path of the model and of its `.skin` files.
pub(super) fn paths(context: &Context, sink: &mut Sink) {
    let Some(max) = context.profile.max_path_bytes else { return };
    let (own, title) = (context.subject.game_path, context.profile.title);
    if !context.profile.formats.contains(&context.model().format()) {
        return;
    }
    if own.len() > max {
        let (severity, unless) = if is_map_object(context) {
            (Severity::Warning, " unless the model is compiled into a map")
        } else {
            (Severity::Error, "")
        };
        let message = format!("the path has {} bytes; {title} supports at most {max}{unless}", own.len());
        sink.add(severity, Location::default(), message);
    }
    for skin in context.subject.skins {
        // Skins from other folders were added by the user; their paths are not game paths.
        if let SkinSource::SkinFile(path) = &skin.source
            && path.len() > max
            && folder_of(path) == folder_of(own)
        {
            let (file, length) = (name_of(path), path.len());
            let message = format!("the path of {file} has {length} bytes; {title} supports at most {max}");
            sink.add(Severity::Warning, Location::default(), message);
        }
    }
}

pub(super) fn number(context: &Context, sink: &mut Sink, quantity: Quantity) {
    let format = context.model().format();
    // Only the most severe exceeded limit is reported.
    let mut limits: Vec<_> = context.profile.limits_of(format, quantity).collect();
    limits.sort_by_key(|limit| !limit.is_enforced);
    if limits.is_empty() {
        return;
    }
    let is_map_object = is_map_object(context);
    each(context, quantity, &mut |value, location, named| {
        let Some(limit) = limits.iter().find(|limit| value > limit.max) else { return };
        let (one, many) = words(quantity);
        let (what, title, max) = (counted(value as u64, one, many), context.profile.title, limit.max);
        let of = if named.is_empty() { String::new() } else { format!(" in the name “{named}”") };
        let (severity, message) = match (limit.is_enforced, is_map_object) {
            (true, true) => {
                let message =
                    format!("{what}{of}; {title} supports at most {max} unless the model is compiled into a map");
                (Severity::Warning, message)
            }
            (true, false) => (Severity::Error, format!("{what}{of}; {title} supports at most {max}")),
            (false, _) => {
                (Severity::Warning, format!("{what}{of}; the headers and tools of {title} allow at most {max}"))
            }
        };
        sink.add(severity, location(), message);
    });
}

fn words(quantity: Quantity) -> (&'static str, &'static str) {
    match quantity {
        Quantity::Vertices => ("vertex", "vertices"),
        Quantity::Triangles => ("triangle", "triangles"),
        Quantity::Surfaces => ("surface", "surfaces"),
        Quantity::Frames => ("frame", "frames"),
        Quantity::Tags => ("tag", "tags"),
        Quantity::Joints => ("joint", "joints"),
        Quantity::StoredWeights => ("weight", "weights"),
        Quantity::Weights => ("weight on a vertex", "weights on a vertex"),
        Quantity::Skins => ("skin", "skins"),
        Quantity::Materials => ("material", "materials"),
        Quantity::NameLength => ("character", "characters"),
        Quantity::Levels => ("LOD", "LODs"),
        Quantity::SkinWidth => ("texel of skin width", "texels of skin width"),
        Quantity::SkinHeight => ("texel of skin height", "texels of skin height"),
    }
}

/// Returns the engine's limit on `triangles` or `vertices` of a surface if the model exceeds one of these limits.
pub fn size_limit(model: &Model, profile: &Profile, name: &str) -> Option<usize> {
    let quantities = [Quantity::Triangles, Quantity::Vertices];
    let limit = |quantity| profile.limits_of(model.format(), quantity).map(|limit| limit.max).min();
    let sizes = |quantity| {
        let surfaces = model.surfaces().iter().enumerate();
        surfaces.map(move |(index, surface)| match quantity {
            Quantity::Vertices => model.stored_vertices(index),
            _ => surface.triangles.len(),
        })
    };
    let is_exceeded = |quantity| limit(quantity).is_some_and(|max| sizes(quantity).any(|size| size > max));
    let named = quantities.into_iter().find(|quantity| words(*quantity).1 == name)?;
    quantities.into_iter().any(is_exceeded).then(|| limit(named)).flatten()
}

type ExceededLimits<'a> = &'a mut dyn FnMut(usize, &dyn Fn() -> Location, &str);

fn each(context: &Context, quantity: Quantity, report: ExceededLimits) {
    let model = context.model();
    let surfaces = || model.surfaces().iter().enumerate();
    let mut of_surfaces = |number: &dyn Fn(usize, &Surface) -> usize| {
        for (index, surface) in surfaces() {
            report(number(index, surface), &|| Location::surface(index, &surface.name), "");
        }
    };
    let of_model = match quantity {
        Quantity::Vertices => return of_surfaces(&|index, _| model.stored_vertices(index)),
        Quantity::Triangles => return of_surfaces(&|_, surface| surface.triangles.len()),
        Quantity::Materials => return of_surfaces(&|_, surface| surface.materials.len()),
        Quantity::StoredWeights => return of_surfaces(&|_, surface| surface.data.stored_weights),
        Quantity::Weights => return weights(model, report),
        Quantity::NameLength => return names(model, report),
        Quantity::Surfaces => {
            // Engines load each level of detail separately.
            let mut of_level = vec![0_usize; model.lod_count() as usize];
            for (_, surface) in surfaces() {
                of_level.iter_mut().skip(surface.lod as usize).take(1).for_each(|count| *count += 1);
            }
            of_level.into_iter().max().unwrap_or(0)
        }
        Quantity::Frames if matches!(model.format().traits().companions.animations, AnimationFiles::Below(_)) => {
            // Each animation file has its own frames.
            return own_animations(context).for_each(|(at, clip)| report(clip.count as usize, &|| at.clone(), ""));
        }
        Quantity::Frames => model.frames().len(),
        Quantity::Tags => model.own_tag_count(),
        Quantity::Joints => model.joints().len(),
        Quantity::Levels => model.lod_count() as usize,
        Quantity::Skins => model.skins().len(),
        Quantity::SkinWidth => skin_side(model, 0),
        Quantity::SkinHeight => skin_side(model, 1),
    };
    report(of_model, &Location::default, "");
}

fn weights(model: &Model, report: ExceededLimits) {
    let Motion::Skeletal(skeletal) = model.motion() else { return };
    for (index, (surface, binding)) in model.surfaces().iter().zip(&skeletal.bindings).enumerate() {
        let heaviest = binding.vertices.iter().enumerate().max_by_key(|(_, (_, count))| *count);
        if let Some((vertex, (_, count))) = heaviest {
            let location = || Location { vertex: Some(vertex), ..Location::surface(index, &surface.name) };
            report(*count as usize, &location, "");
        }
    }
}

fn names(model: &Model, report: ExceededLimits) {
    let length = |name: &str| name.chars().count();
    for (index, surface) in model.surfaces().iter().enumerate() {
        let location = || Location::surface(index, &surface.name);
        for name in surface.materials.iter().chain([&surface.name]) {
            report(length(name), &location, name);
        }
    }
    for (index, tag) in model.tags().iter().enumerate().take(model.own_tag_count()) {
        report(length(tag), &|| Location::tag(index, tag), tag);
    }
    for skin in model.skins() {
        report(length(skin), &Location::default, skin);
    }
}

fn skin_side(model: &Model, axis: usize) -> usize {
    let size = model.data().skin_size.unwrap_or_default();
    size.get(axis).and_then(|side| usize::try_from(*side).ok()).unwrap_or(0)
}
