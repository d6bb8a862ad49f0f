//! Operations that take frames of other models.

use glam::Vec3;

use super::surfaces::{self, has_one};
use crate::edit::mesh::remove;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::edit::repairs;
use crate::edit::vertices::{NewFrame, NewTag, decoded, encode, encode_tags, tags};
use crate::model::{Bounds, Clip, ClipSource, FrameInfo, Model, ModelParts, Motion, u32_or_max};
use crate::pose::{FrameBlend, PosedSurface};

pub(super) const FILES: Parameter = Parameter::new("files", "Files", ParameterKind::Models);

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation {
        parameters: &[FILES],
        refuses: |model| {
            let why = "Frames of models with joints come from animation files";
            matches!(model.motion(), Motion::Skeletal(_)).then(|| why.to_owned())
        },
        apply: |model, call, notes| joined(model, call, false, 0, notes),
        ..Operation::plain("Frames", Reach::Clips, [name, title, help])
    }
}

pub(super) const INSERT: Operation = Operation {
    parameters: &[
        FILES,
        Parameter::new("before", "Before frame", ParameterKind::Whole { min: 0, max: 1_000_000 }).or(""),
    ],
    apply: |model, call, notes| {
        let count = model.frames().len();
        let before = call.whole("before").map_or(count, |before| before.unsigned_abs() as usize);
        if before > count {
            return Err(format!("before={before}: expected a frame from 0 to {count}"));
        }
        joined(model, call, true, before, notes)
    },
    ..row("insert-frames", "Insert frames of models", "Inserts the frames of models with the same vertices")
};

pub(super) const SEQUENCE: Operation = row(
    "animate",
    "Animate from files",
    "Replaces the frames by those of models with the same vertices, such as walk_*.md3 in the order of their numbers",
);

/// Returns an error if another model has other vertices. Notes other triangles.
fn check(model: &Model, other: &Model, notes: &mut Notes) -> Result<(), String> {
    let sizes = |model: &Model| -> Vec<usize> {
        (0..model.surfaces().len()).map(|surface| model.stored_vertices(surface)).collect()
    };
    let triangles =
        |model: &Model| -> Vec<usize> { model.surfaces().iter().map(|surface| surface.triangles.len()).collect() };
    if sizes(model) == sizes(other) && triangles(model) == triangles(other) {
        let pairs = || model.surfaces().iter().zip(other.surfaces());
        if let Some((own, _)) = pairs().find(|(own, other)| own.triangles != other.triangles) {
            notes.losses.push(format!("a file has other triangles in surface “{}”", own.script_name()));
        }
        return Ok(());
    }
    let total = |counts: Vec<usize>| counts.into_iter().sum::<usize>();
    Err(format!(
        "the models differ: {} surfaces with {} vertices, and {} with {}",
        model.surfaces().len(),
        total(sizes(model)),
        other.surfaces().len(),
        total(sizes(other))
    ))
}

/// Returns the model without LODs of other files.
fn finest(model: &Model, notes: &mut Notes) -> Result<Model, String> {
    let coarser: Vec<usize> =
        model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod > 0).map(|(index, _)| index).collect();
    let mut parts = model.clone().into_parts();
    if !coarser.is_empty() {
        notes.losses.push("the coarser LODs were left out, because they have no such frames".to_owned());
        remove(&mut parts, &coarser);
    }
    Model::new(parts).map_err(|error| error.to_string())
}

/// Returns the model with the frames of the other models before a frame, or with only these.
fn joined(model: &Model, call: &Call, keeps_own: bool, before: usize, notes: &mut Notes) -> Result<ModelParts, String> {
    let model = &finest(model, notes)?;
    let others = call.models();
    others.iter().try_for_each(|other| check(model, other, notes))?;
    let mut parts = model.clone().into_parts();
    // Each frame, as a model and the number of its frame.
    let frames = |model| (0..u32_or_max(Model::frames(model).len())).map(move |frame| (model, frame));
    let own: Vec<(&Model, u32)> = if keeps_own { frames(model).collect() } else { Vec::new() };
    let new: Vec<(&Model, u32)> = others.iter().flat_map(|other| frames(other)).collect();
    let (start, end) = own.split_at(before.min(own.len()));
    let list: Vec<(&Model, u32)> = [start, &new, end].concat();
    if list.is_empty() {
        return Err("no frame would be left".to_owned());
    }
    repairs::check_frames(model, list.len())?;
    let is_own = |other: &Model| std::ptr::eq(other, model);
    let has_one_box = parts.data.seams.is_some();
    let info = |(model, frame): &(&Model, u32)| model.frames().get(*frame as usize).cloned().unwrap_or_default();
    let has_bounds = parts.format.traits().bounds_frames;
    let with_box = |info: FrameInfo| FrameInfo {
        bounds: info.bounds.or(has_bounds.then_some(Bounds { min: Vec3::ZERO, max: Vec3::ZERO })),
        ..info
    };
    parts.frames = list.iter().map(info).map(with_box).collect();
    if let Motion::Morph(motion) = &mut parts.motion {
        for (index, track) in motion.surfaces.iter_mut().enumerate() {
            let posed = list.iter().filter_map(|(model, frame)| {
                if is_own(model) {
                    return Some(NewFrame::at(track, FrameBlend::single(*frame)));
                }
                let Motion::Morph(motion) = model.motion() else { return None };
                motion.surfaces.get(index).map(|track| NewFrame::Made(decoded(track, *frame)))
            });
            let posed: Vec<_> = posed.collect();
            if posed.len() != list.len() {
                return Err("a model with joints has no frames of vertices".to_owned());
            }
            encode(track, has_one_box, posed, notes)?;
        }
        let of_frame = |(other, frame): &(&Model, u32)| tags_of(model, other, *frame, is_own(other));
        let all = list.iter().flat_map(of_frame).collect();
        encode_tags(&mut motion.tags, all)?;
    }
    let shift = |clip: &Clip| {
        let moved = if clip.first as usize >= before { new.len() } else { 0 };
        Clip { first: clip.first + u32_or_max(moved), ..clip.clone() }
    };
    let is_lost = |clip: &&Clip| clip.source != ClipSource::AllFrames && (!keeps_own || splits(clip, before));
    let lost: Vec<&str> = model.clips().iter().filter(is_lost).map(|clip| clip.name.as_str()).collect();
    if !lost.is_empty() {
        notes.losses.push(format!("clips whose frames are no longer together were removed: {}", lost.join(", ")));
    }
    let is_whole = |clip: &&Clip| clip.source == ClipSource::AllFrames;
    parts.clips = match (keeps_own, model.clips().iter().find(is_whole)) {
        (true, None) => model.clips().iter().filter(|clip| !splits(clip, before)).map(shift).collect(),
        (_, whole) => {
            let rate =
                whole.or(model.clips().first()).map_or(model.format().usual_rate(), |clip| clip.frames_per_second);
            vec![Clip::new("all frames", 0, u32_or_max(list.len()), rate, ClipSource::AllFrames)]
        }
    };
    parts.alternative_clips = Vec::new();
    repairs::with_new_bounds(parts)
}

pub(super) const ADD_SURFACES: Operation = Operation {
    parameters: &[FILES],
    refuses: |model| {
        let why = "Surfaces of models with joints cannot be added";
        has_one(model).or_else(|| matches!(model.motion(), Motion::Skeletal(_)).then(|| why.to_owned()))
    },
    apply: add_surfaces,
    ..surfaces::row(
        "add-surfaces",
        "Add surfaces of models",
        "Adds the surfaces of models with a single frame, or with as many frames",
    )
};

fn add_surfaces(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let mut parts = model.clone().into_parts();
    let count = u32_or_max(model.frames().len());
    let all: Vec<&Model> = call.models().iter().map(AsRef::as_ref).chain([model]).collect();
    repairs::check_frames_of(&all, model.frames().len())?;
    if call.models().iter().any(|other| !other.tags().is_empty()) {
        notes.losses.push("tags of other models are not added".to_owned());
    }
    for other in call.models() {
        let Motion::Morph(from) = other.motion() else {
            return Err("a model with joints has no frames of vertices".to_owned());
        };
        if other.frames().len() != 1 && other.frames().len() != model.frames().len() {
            return Err(format!("the models have {count} and {} frames", other.frames().len()));
        }
        let finest = other.surfaces().iter().zip(&from.surfaces).filter(|(surface, _)| surface.lod == 0);
        for (surface, track) in finest {
            let posed = (0..count).map(|frame| {
                let own = decoded(track, frame);
                let Some(remap) = &track.remap else { return own };
                let chosen = |all: &[Vec3]| remap.iter().filter_map(|at| all.get(*at as usize).copied()).collect();
                PosedSurface { positions: chosen(&own.positions), normals: chosen(&own.normals), ..own }
            });
            let Motion::Morph(motion) = &mut parts.motion else { return Ok(parts) };
            let Some(mut new) = motion.surfaces.first().cloned() else {
                return Err("the model has no surfaces".to_owned());
            };
            encode(&mut new, false, posed.map(NewFrame::Made).collect(), notes)?;
            // Coarser LODs follow all surfaces of the finest.
            let at = parts.surfaces.iter().take_while(|surface| surface.lod == 0).count();
            motion.surfaces.insert(at, new);
            parts.surfaces.insert(at, surface.clone());
            surfaces::name(&mut parts, at, "");
        }
    }
    surfaces::note_skins(model, notes);
    repairs::with_new_bounds(parts)
}

fn splits(clip: &Clip, before: usize) -> bool {
    (clip.first as usize) < before && before < clip.end() as usize
}

/// Returns the tags of a frame of `other` that `model` has; a missing one has the transform of the first frame.
fn tags_of(model: &Model, other: &Model, frame: u32, is_own: bool) -> Vec<NewTag> {
    let of = |model: &Model, frame| match model.motion() {
        Motion::Morph(motion) => tags(motion, model.tags().len(), FrameBlend::single(frame)),
        Motion::Skeletal(_) => Vec::new(),
    };
    let (own, others) = (of(model, 0), of(other, frame));
    let of_name = |(name, own): (&String, NewTag)| {
        let index = other.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name));
        let (tag, source) = index.and_then(|index| others.get(index)).copied().unwrap_or(own);
        (tag, source.filter(|_| is_own))
    };
    model.tags().iter().zip(own).map(of_name).collect()
}
