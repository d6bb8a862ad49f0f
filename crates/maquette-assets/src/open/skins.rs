//! Choice of the skins of a model.

use std::sync::Arc;

use super::{Skin, SkinSource, model_setup};
use crate::engines::ModelSetup;
use crate::material::{InGame, MaterialResolver, SurfaceMaterial};
use crate::vfs::{Vfs, name_of, split_extension};
use maquette_core::error::Warnings;
use maquette_core::model::{MaterialStorage, Model, PLAYER_PARTS};

/// Finds the skins of a model. Skins of `setups` have priority.
pub(super) fn find_skins(
    vfs: &Vfs,
    resolver: &mut MaterialResolver,
    game_path: &str,
    model: &Model,
    setups: &[ModelSetup],
    warnings: &mut Warnings,
) -> Vec<Skin> {
    if model.format().traits().materials == MaterialStorage::Inside {
        return embedded_skins(resolver, model, warnings);
    }
    if model.format().traits().materials == MaterialStorage::Frames {
        return vec![Skin::plain("default", resolver.materials(model, warnings).into())];
    }
    if !model.data().variants.is_empty() {
        return variants(resolver, model, warnings);
    }
    let mut by_names = Warnings::default();
    // The list is long for a model with thousands of surfaces, so that it is passed on instead of copied.
    let materials = resolver.materials(model, &mut by_names);
    let setup_skins = model_setup::skins(vfs, setups, resolver, model, &materials, warnings);
    if let Some(first) = setup_skins.first() {
        MaterialResolver::warn_missing(model, &first.materials, warnings);
        return setup_skins;
    }
    if model.format().traits().materials == MaterialStorage::Skins {
        if let Ok(by_pattern) = resolver.skins_by_pattern(model, materials.clone(), warnings) {
            return pattern_skins(by_pattern);
        }
        warnings.append(by_names.into_vec());
        return md2_skins(resolver, model, &materials.into(), warnings);
    }
    let files =
        if resolver.reads_skin_files(model) { resolver.skin_files(model, &materials, warnings) } else { Vec::new() };
    let mut skins: Vec<Skin> = files
        .into_iter()
        .map(|found| Skin {
            accessories: found.file.accessories.clone(),
            placement: found.file.placement(),
            is_generic: found.is_generic,
            source: SkinSource::SkinFile(found.path),
            ..Skin::plain(&found.name, found.materials.into())
        })
        .collect();
    let declared = resolver.declared_skins(model, &materials, warnings);
    skins.extend(declared.into_iter().map(|(skin, materials)| Skin {
        source: SkinSource::GameFile(skin.path),
        is_generic: !skin.is_chosen,
        ..Skin::plain(&skin.name, materials.into())
    }));
    let by_pattern =
        if skins.is_empty() { resolver.skins_by_pattern(model, materials, warnings) } else { Err(materials) };
    let materials = match by_pattern {
        Ok(by_pattern) => {
            skins = pattern_skins(by_pattern);
            if let Some(first) = skins.first() {
                MaterialResolver::warn_missing(model, &first.materials, warnings);
            }
            return skins;
        }
        Err(materials) => materials,
    };
    let leads_anywhere = materials.iter().any(|material| !material.is_missing());
    let Some(first) = skins.first() else {
        warnings.append(by_names.into_vec());
        return vec![Skin::plain("default", MaterialResolver::without_skin(materials).into())];
    };
    // The body of a Wolfenstein character always has a skin.
    if model.has_torso() || is_assigned_by_default(game_path, &skins, leads_anywhere) {
        MaterialResolver::warn_missing(model, &first.materials, warnings);
        if leads_anywhere {
            skins.push(Skin::plain(Skin::OWN_NAMES, materials.into()));
        }
    } else {
        warnings.append(by_names.into_vec());
        skins.insert(0, Skin::plain(Skin::OWN_NAMES, materials.into()));
    }
    skins
}

/// Returns a skin for each variant of the materials (glTF).
fn variants(resolver: &mut MaterialResolver, model: &Model, warnings: &mut Warnings) -> Vec<Skin> {
    let names = &model.data().variants;
    let name = |variant: Option<u32>| names.get(variant? as usize).filter(|name| !name.is_empty());
    let all = model.material_variants().into_iter();
    let skin = |variant| {
        let materials = resolver.materials_in(model, variant, warnings).into();
        Skin::plain(name(variant).map_or("default", String::as_str), materials)
    };
    all.map(skin).collect()
}

fn pattern_skins(skins: Vec<Vec<SurfaceMaterial>>) -> Vec<Skin> {
    let named = |(number, materials): (usize, Vec<_>)| Skin {
        source: SkinSource::ImageNames,
        ..Skin::plain(&number.to_string(), materials.into())
    };
    skins.into_iter().enumerate().map(named).collect()
}

/// Returns whether the first skin is assigned by default: for a player's part, or if it is the only file, is called
/// `default` or `0`, or the game's files choose it, or if all skins are generic and the model's names lead nowhere.
/// Otherwise the game's code chooses a skin.
fn is_assigned_by_default(game_path: &str, skins: &[Skin], leads_anywhere: bool) -> bool {
    let (stem, _) = split_extension(name_of(game_path));
    let stem = stem.to_lowercase();
    let is_level = |rest: &str| matches!(rest, "" | "_1" | "_2");
    let is_part = PLAYER_PARTS.iter().any(|part| stem.strip_prefix(part).is_some_and(is_level));
    let has_default_name = |skin: &Skin| matches!(skin.name.to_lowercase().as_str(), "default" | "0");
    is_part
        || matches!(skins, [Skin { source: SkinSource::SkinFile(_), .. }])
        || matches!(skins, [Skin { source: SkinSource::GameFile(_), is_generic: false, .. }, ..])
        || skins.first().is_some_and(has_default_name)
        || !leads_anywhere && skins.iter().all(|skin| skin.is_generic)
}

fn embedded_skins(resolver: &mut MaterialResolver, model: &Model, warnings: &mut Warnings) -> Vec<Skin> {
    let skin = |material: SurfaceMaterial| Skin::plain(&material.name, on_all_surfaces(model, &material));
    let skins: Vec<Skin> = resolver.embedded_skins(model, warnings).into_iter().map(skin).collect();
    if skins.is_empty() { vec![Skin::plain("default", resolver.materials(model, warnings).into())] } else { skins }
}

fn on_all_surfaces(model: &Model, material: &SurfaceMaterial) -> Arc<[SurfaceMaterial]> {
    model.surfaces().iter().map(|_| material.clone()).collect()
}

/// Returns the skins of an MD2. Those that the file names but that were not found come last, without an image.
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
    let listed = resolver.listed_skins(model);
    let others = resolver.skins(&listed, warnings).into_iter().filter(|(path, ..)| *path != chosen).map(
        |(path, image, is_guess)| {
            let in_game = if is_guess { InGame::DefaultTexture } else { InGame::Whole };
            let with_image = |material: &SurfaceMaterial| material.with_image(&path, Arc::clone(&image));
            let assign = |material: &SurfaceMaterial| SurfaceMaterial { is_guess, in_game, ..with_image(material) };
            Skin::plain(name_of(&path), materials.iter().map(assign).collect())
        },
    );
    let mut skins: Vec<Skin> = std::iter::once(first).chain(others).collect();
    let is_first = |missing: &SurfaceMaterial| {
        materials.first().is_some_and(|first| first.is_missing() && first.name == missing.name)
    };
    let missing = resolver.missing_skins(&listed).into_iter().filter(|missing| !is_first(missing));
    skins.extend(missing.map(|missing| Skin::plain(name_of(&missing.name), on_all_surfaces(model, &missing))));
    for skin in &mut skins {
        let path = skin.materials.first().map_or("", |material| &material.path);
        let is_own = |own: &&SurfaceMaterial| own.image.is_some() && own.path == path;
        skin.listed_names = listed.iter().filter(is_own).map(|own| own.name.clone()).collect();
    }
    skins
}
