//! Opening of one model: companion files, skins and materials.

use std::sync::Arc;

use super::model_search::triangle_count;
use super::model_setup;
use super::named_files::NamedFiles;
use super::{LoadedModel, OpenCause};
use crate::companions::{add_animations, add_clips};
use crate::engines::{Engine, KnownEngine, ModelSetup};
use crate::material::{ImageLoading, MaterialResolver, ResolveContext, SearchStep, SurfaceMaterial};
use crate::open::character::plan_of_part;
use crate::open::{ModelAsset, OutlineCache, Skin, SkinSource};
use crate::vfs::{Lookups, ReadLimit, Vfs, name_of, name_of_location, split_extension};
use maquette_core::bytes::LoadOptions;
use maquette_core::error::{LoadError, Warning, WarningKind, Warnings};
use maquette_core::formats;
use maquette_core::model::{AnimationFiles, LodStorage, MaterialStorage, Model, PLAYER_PARTS};

/// Opens a model by its game path.
pub(super) fn open_there(vfs: &Vfs, game_path: &str, search: &ResolveContext) -> Result<ModelAsset, OpenCause> {
    let bytes = vfs.read(game_path, ReadLimit::MODEL).map_err(OpenCause::Read)?;
    let mut part = open_in(vfs, game_path, &bytes, search).map_err(|error| OpenCause::refused(&bytes, error))?;
    part.file = vfs.location_of(game_path);
    if vfs.entry(game_path).is_some_and(|entry| entry.is_own()) {
        set_overridden_by(vfs, &mut part);
    }
    Ok(part)
}

/// Opens an accessory or a weapon. The result is cached if images are not decoded, because many characters may use the
/// model.
pub(super) fn open_accessory(
    vfs: &Vfs,
    game_path: &str,
    search: &ResolveContext,
) -> Arc<Result<ModelAsset, OpenCause>> {
    match search.depth {
        ImageLoading::LocateOnly => vfs.memo(game_path, |vfs| open_there(vfs, game_path, search)),
        ImageLoading::Decode => Arc::new(open_there(vfs, game_path, search)),
    }
}

/// Records the override if the game uses another file instead of a model in the home mount.
pub(super) fn set_overridden_by(vfs: &Vfs, asset: &mut ModelAsset) {
    let Some(by) = vfs.overridden_by(&asset.game_path).map(name_of_location) else { return };
    let own = vfs.root().map(name_of_location).unwrap_or_default();
    let note = format!("overridden by {by} in the game; this is the file from {own}");
    let first: Arc<[SearchStep]> = [SearchStep { what: "Model".to_owned(), note, ..SearchStep::default() }].into();
    for skin in &mut asset.skins {
        let with_step = |material: &SurfaceMaterial| SurfaceMaterial {
            search_log: material.search_log.after(Arc::clone(&first)),
            ..material.clone()
        };
        skin.materials = skin.materials.iter().map(with_step).collect();
    }
    asset.overridden_by = Some(by);
}

/// Opens `bytes` as the model at `game_path`, with its companion files in `vfs`.
pub fn open_in(vfs: &Vfs, game_path: &str, bytes: &[u8], search: &ResolveContext) -> Result<ModelAsset, LoadError> {
    Ok(resolve(vfs, game_path, &load_in(vfs, game_path, bytes, LoadOptions::default())?, search))
}

pub(super) fn load_in(
    vfs: &Vfs,
    game_path: &str,
    bytes: &[u8],
    options: LoadOptions,
) -> Result<LoadedModel, LoadError> {
    let lookups = Arc::default();
    let vfs = &vfs.recording(&lookups);
    let loaded = NamedFiles::new(vfs, game_path).load(bytes, options)?;
    Ok(add_companions(vfs, game_path, loaded, lookups))
}

pub(super) fn salvage_in(
    vfs: &Vfs,
    game_path: &str,
    bytes: &[u8],
    options: LoadOptions,
    search: &ResolveContext,
) -> Result<ModelAsset, LoadError> {
    let lookups = Arc::default();
    let vfs = &vfs.recording(&lookups);
    let formats::Salvaged { model, warnings, is_damaged } = NamedFiles::new(vfs, game_path).salvage(bytes, options)?;
    let why = warnings.first().filter(|_| is_damaged).cloned();
    let loaded = add_companions(vfs, game_path, (model, warnings), lookups);
    let mut asset = resolve(vfs, game_path, &loaded, search);
    // The damage is the first warning.
    if let Some(why) = why {
        asset.warnings.retain(|warning| *warning != why);
        asset.warnings.insert(0, why);
    }
    asset.salvaged = is_damaged;
    Ok(asset)
}

fn add_companions(
    vfs: &Vfs,
    game_path: &str,
    (mut model, own_warnings): (Model, Vec<Warning>),
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
    if traits.lods == LodStorage::Files && is_found {
        add_lods(vfs, game_path, &mut model, &mut warnings);
    }
    let known = KnownEngine::for_model(vfs, game_path, model.format());
    let engine = known.as_ref().map(|known| known.engine);
    let own_engine = Engine::for_format(model.format());
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
        AnimationFiles::Skeleton(_) => (own_engine.add_skeleton)(vfs, game_path, &mut model, &mut warnings),
    }
    let has_skeleton_file = matches!(traits.companions.animations, AnimationFiles::Skeleton(_));
    if traits.companions.clip_lists && !has_skeleton_file {
        add_clips(vfs, game_path, &mut model, &mut warnings);
    }
    model_setup::add_clips(&setups, &mut model, &mut warnings);
    model_setup::add_tags(&setups, &mut model, &mut warnings);
    if let Some(engine) = engine.filter(|_| is_found) {
        (engine.add_companions)(vfs, game_path, &mut model, &mut warnings);
    }
    let archive_warnings = archive_warnings(vfs, game_path);
    let (model, outlines) = (Arc::new(model), OutlineCache::default());
    LoadedModel { model, outlines, warnings, archive_warnings, setups, engine: known, lookups }
}

fn archive_warnings(vfs: &Vfs, game_path: &str) -> Vec<Warning> {
    let own = vfs.warnings().into_iter().filter(|remark| remark.contains(game_path));
    own.map(|remark| Warning::companion("", remark)).collect()
}

pub(super) fn resolve(vfs: &Vfs, game_path: &str, loaded: &LoadedModel, search: &ResolveContext) -> ModelAsset {
    let LoadedModel { model, setups, engine, lookups, .. } = loaded;
    let vfs = &vfs.recording(lookups);
    let (mut warnings, traits) = (loaded.warnings.clone(), model.format().traits());
    let mut resolver = MaterialResolver::new(vfs, game_path, model.format(), engine.clone(), search);
    let (mut skins, missing_skins) = find_skins(vfs, &mut resolver, game_path, model, setups, &mut warnings);
    if traits.alpha_without_script || engine.as_ref().is_some_and(|known| known.engine.textures.alpha_without_script) {
        search.queue.iter().for_each(|queue| queue.count_alpha());
        let seen = |material: &SurfaceMaterial| material.clone().with_image_transparency();
        skins.iter_mut().for_each(|skin| skin.materials = skin.materials.iter().map(seen).collect());
    }
    // The search may have opened more archives.
    warnings.append(archive_warnings(vfs, game_path));
    ModelAsset {
        name: name_of(game_path).to_owned(),
        game_path: game_path.to_owned(),
        file: None,
        added: Vec::new(),
        overridden_by: None,
        order_matters: vfs.order_matters(),
        edited: None,
        salvaged: false,
        of_character: plan_of_part(vfs, game_path).is_some(),
        outlines: loaded.outlines.clone(),
        pending_images: None,
        model: Arc::clone(model),
        engine: engine.clone(),
        skins,
        missing_skins: missing_skins.into(),
        lookups: Arc::clone(lookups),
        warnings: warnings.into_vec(),
    }
}

fn add_lods(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    let (stem, extension) = split_extension(game_path);
    let mut finer = triangle_count(model);
    for lod in 1..=2_u32 {
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
                model.add_lod(coarser, level);
            }
            Ok(_) => warnings.add(WarningKind::Companion, name_of(&path), "the LOD has a different format; skipped"),
            Err(error) => warnings.add(WarningKind::Companion, name_of(&path), format!("LOD skipped: {error}")),
        }
    }
}

/// Finds the skins of a model, and the missing skins of an MD2. Skins of `setups` have priority.
fn find_skins(
    vfs: &Vfs,
    resolver: &mut MaterialResolver,
    game_path: &str,
    model: &Model,
    setups: &[ModelSetup],
    warnings: &mut Warnings,
) -> (Vec<Skin>, Vec<SurfaceMaterial>) {
    if model.format().traits().materials == MaterialStorage::Inside {
        return (embedded_skins(resolver, model, warnings), Vec::new());
    }
    let mut by_names = Warnings::default();
    let materials: Arc<[SurfaceMaterial]> = resolver.materials(model, &mut by_names).into();
    let setup_skins = model_setup::skins(vfs, setups, resolver, model, &materials, warnings);
    if let Some(first) = setup_skins.first() {
        MaterialResolver::warn_missing(model, &first.materials, warnings);
        return (setup_skins, Vec::new());
    }
    if model.format().traits().materials == MaterialStorage::Skins {
        if let Ok(by_pattern) = resolver.skins_by_pattern(model, &materials, warnings) {
            return (pattern_skins(by_pattern), Vec::new());
        }
        warnings.append(by_names.into_vec());
        return (md2_skins(resolver, model, &materials, warnings), resolver.missing_skins(model));
    }
    let files =
        if resolver.reads_skin_files(model) { resolver.skin_files(model, &materials, warnings) } else { Vec::new() };
    let mut skins: Vec<Skin> = files
        .into_iter()
        .map(|found| Skin {
            name: found.name,
            materials: found.materials.into(),
            accessories: found.file.accessories.clone(),
            placement: found.file.placement(),
            is_generic: found.is_generic,
            source: SkinSource::SkinFile(found.path),
        })
        .collect();
    let by_pattern =
        if skins.is_empty() { resolver.skins_by_pattern(model, &materials, warnings) } else { Err(Vec::new()) };
    let materials = match by_pattern {
        Ok(by_pattern) => {
            skins = pattern_skins(by_pattern);
            if let Some(first) = skins.first() {
                MaterialResolver::warn_missing(model, &first.materials, warnings);
            }
            return (skins, Vec::new());
        }
        Err(tried) if skins.is_empty() => tried.into(),
        Err(_) => materials,
    };
    let leads_anywhere = materials.iter().any(|material| !material.is_missing());
    let Some(first) = skins.first() else {
        warnings.append(by_names.into_vec());
        return (vec![Skin::plain("default", MaterialResolver::without_skin(&materials).into())], Vec::new());
    };
    // The body of a Wolfenstein character always has a skin.
    if model.has_torso() || is_assigned_by_default(game_path, &skins, leads_anywhere) {
        MaterialResolver::warn_missing(model, &first.materials, warnings);
        if leads_anywhere {
            skins.push(Skin::plain(Skin::OWN_NAMES, materials));
        }
    } else {
        warnings.append(by_names.into_vec());
        skins.insert(0, Skin::plain(Skin::OWN_NAMES, materials));
    }
    (skins, Vec::new())
}

fn pattern_skins(skins: Vec<Vec<SurfaceMaterial>>) -> Vec<Skin> {
    let named = |(number, materials): (usize, Vec<_>)| Skin {
        source: SkinSource::ImageNames,
        ..Skin::plain(&number.to_string(), materials.into())
    };
    skins.into_iter().enumerate().map(named).collect()
}

/// Returns whether the first skin is assigned by default: for a player's part, or if it is the only skin, is called
/// `default` or `0`, or if all skins are generic and the model's names lead nowhere. Otherwise the game's code chooses
/// a skin.
fn is_assigned_by_default(game_path: &str, skins: &[Skin], leads_anywhere: bool) -> bool {
    let (stem, _) = split_extension(name_of(game_path));
    let stem = stem.to_lowercase();
    let is_level = |rest: &str| matches!(rest, "" | "_1" | "_2");
    let is_part = PLAYER_PARTS.iter().any(|part| stem.strip_prefix(part).is_some_and(is_level));
    let has_default_name = |skin: &Skin| matches!(skin.name.to_lowercase().as_str(), "default" | "0");
    is_part
        || skins.len() == 1
        || skins.first().is_some_and(has_default_name)
        || !leads_anywhere && skins.iter().all(|skin| skin.is_generic)
}

fn embedded_skins(resolver: &mut MaterialResolver, model: &Model, warnings: &mut Warnings) -> Vec<Skin> {
    let skin = |material: SurfaceMaterial| {
        let materials = model.surfaces().iter().map(|_| material.clone()).collect();
        Skin::plain(&material.name, materials)
    };
    let skins: Vec<Skin> = resolver.embedded_skins(model, warnings).into_iter().map(skin).collect();
    if skins.is_empty() { vec![Skin::plain("default", resolver.materials(model, warnings).into())] } else { skins }
}

fn md2_skins(
    resolver: &mut MaterialResolver,
    model: &Model,
    materials: &Arc<[SurfaceMaterial]>,
    warnings: &mut Warnings,
) -> Vec<Skin> {
    let chosen = materials.first().map_or("", |material| &material.path).to_owned();
    let named = materials.first().map_or("", |material| name_of(&material.name));
    let name = match (name_of(&chosen), named) {
        ("", "") => "default",
        ("", missing) => missing,
        (found, _) => found,
    };
    let first = Skin::plain(name, Arc::clone(materials));
    let others =
        resolver.skins(model, warnings).into_iter().filter(|(path, _)| *path != chosen).map(|(path, image)| {
            let assign = |material: &SurfaceMaterial| material.with_image(&path, Arc::clone(&image));
            Skin::plain(name_of(&path), materials.iter().map(assign).collect())
        });
    std::iter::once(first).chain(others).collect()
}
