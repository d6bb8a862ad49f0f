//! Assembly of a character from its parts.

use std::path::Path;
use std::sync::Arc;

use super::files::{HAND_TAGS, extras_of};
use super::{Anchor, Assembly, AssemblyPart, Character, Role};
use crate::engines::CharacterFiles;
use crate::limits::MAX_MODEL_FILES;
use crate::material::{MaterialResolver, ResolveContext, SkinFile};
use crate::open::OpenCause;
use crate::open::model::{open_accessory, open_there};
use crate::open::{ModelAsset, Skin, SkinSource};
use crate::vfs::{ReadError, ReadLimit, Vfs, folder_of, is_archive_name, name_of, split_extension};
use maquette_core::error::{Warning, Warnings};

pub(in crate::open) fn assemble(
    vfs: &Vfs,
    plan: &CharacterFiles,
    search: &ResolveContext,
) -> Result<Assembly, (String, OpenCause)> {
    let open = |path: &String| open_there(vfs, path, search).map_err(|cause| (path.clone(), cause));
    let mut members = match plan {
        CharacterFiles::ThreeParts { lower, upper, .. } => vec![
            AssemblyPart::new(open(lower)?, Role::Legs),
            AssemblyPart::new(open(upper)?, Role::Torso).on(0, Anchor::Tag("tag_torso".to_owned())),
        ],
        CharacterFiles::OneBody { body, skin, .. } => {
            let mut body = open(body)?;
            put_skin_first(vfs, &mut body, skin, search);
            vec![AssemblyPart::new(body, Role::Body)]
        }
        CharacterFiles::Quake2 { body, .. } | CharacterFiles::Ghoul2 { body } => {
            vec![AssemblyPart::new(open(body)?, Role::Body)]
        }
    };
    // The part with the tags of head and weapon.
    let (first, head, trunk) = match plan {
        CharacterFiles::ThreeParts { head, lower, .. } => (lower, head.as_ref(), 1),
        CharacterFiles::OneBody { body, head, .. } => (body, head.as_ref(), 0),
        CharacterFiles::Quake2 { body, .. } | CharacterFiles::Ghoul2 { body } => (body, None, 0),
    };
    match head.map(open) {
        Some(Ok(mut head)) => {
            if let CharacterFiles::OneBody { head_skin, .. } = plan {
                let of_body = members.first().and_then(|body| body.asset.skins.first());
                let of_body = of_body.map_or_else(String::new, |skin| skin.name.clone());
                put_skin_first(vfs, &mut head, if head_skin.is_empty() { &of_body } else { head_skin }, search);
            }
            members.push(AssemblyPart::new(head, Role::Head).on(trunk, Anchor::Tag("tag_head".to_owned())));
        }
        Some(Err((path, cause))) => warn(&mut members, &path, &cause),
        None => {}
    }
    let weapons = plan.weapons(vfs);
    if let Some(weapon) = weapons.first() {
        match open_accessory(vfs, weapon, search).as_ref() {
            Ok(part) => {
                let mut parts = vec![held(part.clone(), plan)];
                add_extras(vfs, weapon, search, &mut parts);
                let count = members.len();
                parts
                    .iter_mut()
                    .skip(1)
                    .filter_map(|part| part.parent.as_mut())
                    .for_each(|(parent, _)| *parent += count);
                members.extend(parts);
            }
            Err(cause) => warn(&mut members, weapon, cause),
        }
    }
    add_accessories(vfs, search, &mut members);
    let folder = folder_of(first);
    let weapons = weapons.iter().filter_map(|weapon| vfs.location_of(weapon)).collect();
    let location = if folder.is_empty() { vfs.root().map(Path::to_path_buf) } else { vfs.location_of(folder) };
    let name = character_name(folder, location.as_deref());
    let character = Character { name, location, weapons };
    Ok(Assembly { character: Some(character), members })
}

/// Returns the weapon as a part at the hand of a character.
fn held(weapon: ModelAsset, plan: &CharacterFiles) -> AssemblyPart {
    let part = AssemblyPart::new(weapon, Role::Weapon);
    let [hand, ghoul2_hand] = HAND_TAGS.map(|tag| Anchor::Tag(tag.to_owned()));
    match plan {
        CharacterFiles::ThreeParts { .. } => part.on(1, hand),
        CharacterFiles::OneBody { .. } => part.on(0, hand),
        CharacterFiles::Quake2 { .. } => AssemblyPart { follows_parent: true, ..part.on(0, Anchor::Origin) },
        CharacterFiles::Ghoul2 { .. } => part.on(0, ghoul2_hand),
    }
}

/// Returns the name of the folder of a character. Parts in the root are named after the folder or archive itself.
fn character_name(folder: &str, location: Option<&Path>) -> String {
    let own = location.filter(|_| folder.is_empty()).and_then(Path::file_name);
    let name = own.map_or_else(
        || name_of(folder).to_owned(),
        |name| {
            let name = name.to_string_lossy();
            match split_extension(&name) {
                (stem, extension) if is_archive_name(&name) && !extension.is_empty() => stem.to_owned(),
                _ => name.into_owned(),
            }
        },
    );
    if name.is_empty() { "character".to_owned() } else { name }
}

/// Puts the skin with this name, or in the `.skin` file at this game path, first, because a part starts with its first
/// skin. Reads the file if it is not among the skins of the model. A reload does this again.
pub(in crate::open) fn put_skin_first(vfs: &Vfs, asset: &mut ModelAsset, wanted: &str, search: &ResolveContext) {
    if wanted.is_empty() {
        return;
    }
    wanted.clone_into(&mut asset.first_skin);
    let is_wanted = |skin: &Skin| {
        let is_file = matches!(&skin.source, SkinSource::SkinFile(path) if path.eq_ignore_ascii_case(wanted));
        is_file || skin.is_called(wanted)
    };
    if asset.skins.iter().any(is_wanted) {
        asset.skins.sort_by_key(|skin| !is_wanted(skin));
        return;
    }
    let Some(path) = vfs.find(wanted) else { return };
    let Ok(bytes) = vfs.read(&path, ReadLimit::TEXT) else { return };
    let (file, mut warnings) = (SkinFile::parse(&bytes), Warnings::default());
    let (format, engine) = (asset.model.format(), asset.engine.clone());
    let mut resolver = MaterialResolver::new(vfs, &asset.game_path, format, engine, search);
    let plain = resolver.materials(&asset.model, &mut Warnings::default());
    let materials = resolver.materials_with(&asset.model, &plain, &file, name_of(&path), &mut warnings);
    asset.warnings.extend(warnings.into_vec());
    let skin = Skin {
        placement: file.placement(),
        accessories: file.accessories,
        ..Skin::plain(split_extension(name_of(&path)).0, materials.into())
    };
    let skin = Skin { source: SkinSource::SkinFile(path), ..skin };
    asset.skins.insert(0, skin);
}

fn warn(members: &mut [AssemblyPart], path: &str, cause: &OpenCause) {
    if let Some(first) = members.first_mut() {
        let message = format!("skipped: {}", cause.sentence());
        first.warnings.push(Warning::companion(name_of(path), message));
    }
}

pub(in crate::open) fn add_extras(vfs: &Vfs, weapon: &str, search: &ResolveContext, members: &mut Vec<AssemblyPart>) {
    let extras = extras_of(vfs, weapon).into_iter().zip([(Role::Barrel, "tag_barrel"), (Role::Flash, "tag_flash")]);
    for (path, (role, tag)) in extras {
        let Some(path) = path else { continue };
        match open_accessory(vfs, &path, search).as_ref() {
            Ok(part) => members.push(AssemblyPart {
                // The flash is only visible when the weapon fires.
                hidden: role == Role::Flash,
                ..AssemblyPart::new(part.clone(), role).on(0, Anchor::Tag(tag.to_owned()))
            }),
            Err(cause) => warn(members, &path, cause),
        }
    }
}

/// Tags for accessories (iortcw and ET: Legacy, cg_players.c `CG_Player`).
/// Other accessories use the tag that has their name.
#[rustfmt::skip]
const ACCESSORY_TAGS: [(&str, &str); 9] = [
    ("hat", "tag_mouth"), ("hat2", "tag_mouth"), ("hat3", "tag_mouth"), ("rank", "tag_mouth"), ("belt", "tag_ubelt"),
    ("beltl", "tag_bleft"), ("beltr", "tag_bright"), ("back", "tag_back"), ("weapon2", "tag_weapon2"),
];

fn add_accessories(vfs: &Vfs, search: &ResolveContext, members: &mut Vec<AssemblyPart>) {
    let mut added = 0;
    for owner in 0..members.len() {
        let Some(member) = members.get(owner) else { continue };
        let mut wanted: Vec<(String, String, String)> = Vec::new();
        let mut given = 0;
        for skin in &member.asset.skins {
            wanted.extend(skin.accessories.iter().map(|(slot, path)| (skin.name.clone(), slot.clone(), path.clone())));
            given += skin.accessories.len();
        }
        wanted.truncate(MAX_MODEL_FILES - added);
        added += wanted.len();
        if wanted.len() < given
            && let Some(owner) = members.get_mut(owner)
        {
            let message = format!(
                "the skins add {given} models; only {} are opened (at most {MAX_MODEL_FILES} per character)",
                wanted.len()
            );
            owner.warnings.push(Warning::companion("skins", message));
        }
        for (skin, slot, path) in wanted {
            let known = ACCESSORY_TAGS.iter().find(|(name, _)| *name == slot).map(|(_, tag)| (*tag).to_owned());
            let names = [format!("tag_{slot}"), known.unwrap_or_default()];
            let tags = |member: &AssemblyPart| {
                let has = |name: &&String| member.asset.model.tags().iter().any(|tag| tag.eq_ignore_ascii_case(name));
                names.iter().find(has).cloned()
            };
            // The part with the skin has priority over other parts with the tag.
            let on = members.get(owner).and_then(&tags).map(|tag| (owner, tag));
            let on = on.or_else(|| {
                let mut others = members.iter().enumerate();
                others.find_map(|(index, member)| Some((index, tags(member)?)))
            });
            // The game accepts .mdc for .md3 and vice versa.
            let stem = split_extension(&path).0;
            let found = std::iter::once(path.clone())
                .chain(["mdc", "md3", "mdr", "iqm"].map(|kind| format!("{stem}.{kind}")))
                .find_map(|path| vfs.find(&path));
            // Several slots may use the same model.
            let same = |found: &String| {
                let mut accessories = members.iter().filter(|member| member.role == Role::Accessory);
                accessories.find(|member| member.asset.game_path == *found).map(|member| member.asset.clone())
            };
            let opened = match &found {
                Some(found) => {
                    same(found).map_or_else(|| open_accessory(vfs, found, search), |known| Arc::new(Ok(known)))
                }
                None => Arc::new(Err(OpenCause::Read(ReadError::NotFound(path.clone())))),
            };
            match opened.as_ref() {
                Ok(part) => {
                    let (parent, anchor) = on.map_or((owner, Anchor::Origin), |(to, tag)| (to, Anchor::Tag(tag)));
                    let member = AssemblyPart::new(part.clone(), Role::Accessory).on(parent, anchor);
                    members.push(AssemblyPart { required_skin: Some((owner, skin)), ..member });
                }
                Err(cause) => warn(members, &path, cause),
            }
        }
    }
}
