//! Loading of a model with its companion files: levels of detail, animations, clips and tags.

use std::sync::Arc;

use glam::Affine3A;

use super::model_search::triangle_count;
use super::named_files::NamedFiles;
use super::{LoadedModel, OutlineCache, model_setup};
use crate::companions::{add_animations, add_clips};
use crate::engines::{DeclaredPart, Engine, KnownEngine, declared_parts};
use crate::vfs::{Lookups, ReadLimit, Vfs, name_of, split_extension};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::{LoadError, Warning, WarningKind, Warnings};
use maquette_core::formats;
use maquette_core::model::{AnimationFiles, Model};

/// Loads the model at `game_path`, whose file has `bytes`, with its companion files.
pub(super) fn load_in(
    vfs: &Vfs,
    game_path: &str,
    bytes: &[u8],
    options: LoadOptions,
) -> Result<LoadedModel, LoadError> {
    let lookups = Arc::default();
    let vfs = &vfs.recording(&lookups);
    let (known, options) = known_engine(vfs, game_path, bytes, options);
    let loaded = NamedFiles::new(vfs, game_path).load(bytes, options)?;
    Ok(add_companions(vfs, game_path, loaded, known, lookups))
}

/// Like [`load_in`], but loads the intact part of a damaged model. Its first warning is the damage.
pub(super) fn salvage_in(
    vfs: &Vfs,
    game_path: &str,
    bytes: &[u8],
    options: LoadOptions,
) -> Result<LoadedModel, LoadError> {
    let lookups = Arc::default();
    let vfs = &vfs.recording(&lookups);
    let (known, options) = known_engine(vfs, game_path, bytes, options);
    let formats::Salvaged { model, warnings, is_damaged } = NamedFiles::new(vfs, game_path).salvage(bytes, options)?;
    let why = warnings.first().filter(|_| is_damaged).cloned();
    let mut loaded = add_companions(vfs, game_path, (model, warnings), known, lookups);
    if let Some(why) = why {
        let others = std::mem::take(&mut loaded.warnings).into_vec().into_iter().filter(|warning| *warning != why);
        let others = others.collect();
        loaded.warnings.append(vec![why]);
        loaded.warnings.append(others);
    }
    loaded.salvaged = is_damaged;
    Ok(loaded)
}

/// Returns the engine that the model belongs to, and the interpretation of the file in this engine, unless it is
/// chosen.
fn known_engine(vfs: &Vfs, game_path: &str, bytes: &[u8], options: LoadOptions) -> (Option<KnownEngine>, LoadOptions) {
    let Some(format) = formats::detect(bytes) else { return (None, options) };
    let known = KnownEngine::for_model(vfs, game_path, format);
    let is_mirrored = known.as_ref().map(|known| known.engine.mirrors.contains(&format));
    (known, LoadOptions { mirrored: options.mirrored.or(is_mirrored), ..options })
}

fn add_companions(
    vfs: &Vfs,
    game_path: &str,
    (mut model, own_warnings): (Model, Vec<Warning>),
    known: Option<KnownEngine>,
    lookups: Arc<Lookups>,
) -> LoadedModel {
    let mut warnings = Warnings::default();
    let (_, extension) = split_extension(game_path);
    let traits = model.format().traits();
    if !model.format().has_extension(extension) {
        let called = if extension.is_empty() {
            "the file has no extension".to_owned()
        } else {
            format!("the extension is .{extension}")
        };
        warnings.add(
            WarningKind::Companion,
            name_of(game_path),
            format!("{called}, but the format is {}", model.format().title()),
        );
    }
    warnings.append(own_warnings);
    // If the names of several models differ only in case, companion files belong to the one that the game finds.
    let is_found = !vfs.is_shadowed(game_path);
    if !is_found {
        warnings.add(
            WarningKind::Companion,
            name_of(game_path),
            "games ignore case and load another file of this name; LODs, clips and skins of this name are used for that \
             file only",
        );
    }
    let engine = known.as_ref().map(|known| known.engine);
    let own_engine = Engine::for_format(model.format());
    if is_found {
        let levels = (engine.unwrap_or(own_engine).level_files)(model.format());
        add_lods(vfs, game_path, levels, &mut model, &mut warnings);
    }
    let setups = engine.map_or_else(Vec::new, |engine| (engine.setups)(vfs, game_path, &model, &mut warnings));
    match traits.companions.animations {
        AnimationFiles::None => {}
        AnimationFiles::Below(_) | AnimationFiles::Above(_) => {
            let engines = engine.into_iter().chain([own_engine]);
            let declared =
                engines.into_iter().find_map(|engine| (engine.animations)(vfs, game_path, model.format(), &setups));
            let (declared, source) = declared.unwrap_or_default();
            add_animations(vfs, game_path, declared, source, &mut model, &mut warnings);
        }
        AnimationFiles::Skeleton(_) | AnimationFiles::NamedSkeleton(_) => {
            (own_engine.add_skeleton)(vfs, game_path, &mut model, &mut warnings);
        }
    }
    if traits.companions.clip_lists && !traits.companions.animations.are_skeletons() {
        add_clips(vfs, game_path, engine.unwrap_or(own_engine).clip_file, &mut model, &mut warnings);
    }
    for part in declared_parts(vfs) {
        add_tag(&mut model, &part, &mut warnings);
    }
    model_setup::add_clips(&setups, &mut model, &mut warnings);
    model_setup::add_tags(&setups, &mut model, &mut warnings);
    if let Some(engine) = engine.filter(|_| is_found) {
        (engine.add_companions)(vfs, game_path, &mut model, &mut warnings);
    }
    let archive_warnings = archive_warnings(vfs, game_path);
    let (model, outlines) = (Arc::new(model), OutlineCache::default());
    LoadedModel { model, outlines, warnings, archive_warnings, setups, engine: known, lookups, salvaged: false }
}

/// Adds the tag of an attached model to its joint (dhewm3 `Actor.cpp`, `SetupHead`, `Attach`).
fn add_tag(model: &mut Model, part: &DeclaredPart, warnings: &mut Warnings) {
    let found = (0..).zip(model.joints()).find(|(_, own)| own.name.eq_ignore_ascii_case(&part.joint));
    match found.map(|(index, own)| (index, own.bind.rotation.conjugate())) {
        Some((index, upright)) => {
            let place = Affine3A::from_rotation_translation(part.turn.unwrap_or(upright), upright * part.origin);
            let _ = model.add_offset_tag(part.tag(), index, place);
        }
        None => {
            let what = if part.is_head { "head" } else { "model" };
            let message = if part.joint.is_empty() {
                format!("not declared, or without a joint; {what} skipped")
            } else {
                format!("unknown joint “{}”; {what} skipped", part.joint)
            };
            warnings.add(WarningKind::Companion, part.tag(), message);
        }
    }
}

pub(super) fn archive_warnings(vfs: &Vfs, game_path: &str) -> Vec<Warning> {
    let own = vfs.warnings().into_iter().filter(|remark| remark.contains(game_path));
    own.map(|remark| Warning::companion("", remark)).collect()
}

fn add_lods(vfs: &Vfs, game_path: &str, levels: u32, model: &mut Model, warnings: &mut Warnings) {
    let (stem, extension) = split_extension(game_path);
    let mut finer = triangle_count(model);
    for lod in 1..=levels {
        // Without `_1`, `_2` is a separate model.
        let Some(path) = vfs.look_up(&format!("{stem}_{lod}.{extension}")) else { return };
        let about = |warning: &Warning| Warning::companion(name_of(&path), warning.to_string());
        let bytes = match vfs.read(&path, ReadLimit::MODEL) {
            Ok(bytes) => bytes,
            Err(error) => {
                warnings.add(WarningKind::Companion, name_of(&path), format!("LOD skipped: {error}"));
                continue;
            }
        };
        match formats::load(&bytes) {
            Ok((coarser, own)) if coarser.format() == model.format() => {
                let triangles = triangle_count(&coarser);
                if triangles > finer {
                    let message = format!("not used as a LOD: it has {triangles} triangles, the finer model {finer}");
                    warnings.add(WarningKind::Companion, name_of(&path), message);
                    return;
                }
                finer = triangles;
                warnings.append(own.iter().map(about).collect());
                let (own, other) = (model.frames().len(), coarser.frames().len());
                if own != other {
                    warnings.add(
                        WarningKind::Companion,
                        name_of(&path),
                        format!("the LOD has {other} frames, but the model has {own}"),
                    );
                }
                let level = model.lod_count();
                if !model.add_lod(coarser, level) {
                    warnings.add(WarningKind::Companion, name_of(&path), "the LOD has other joints; skipped");
                }
            }
            Ok(_) => warnings.add(WarningKind::Companion, name_of(&path), "the LOD has a different format; skipped"),
            Err(error) => warnings.add(WarningKind::Companion, name_of(&path), format!("LOD skipped: {error}")),
        }
    }
}
