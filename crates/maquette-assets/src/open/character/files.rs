//! Files of characters, by the conventions of the games.
//!
//! - Quake III, Elite Force, Return to Castle Wolfenstein: `lower`, `upper`, `head` (perhaps in `heads/<name>/`) and a
//!   weapon, joined by `tag_torso`, `tag_head` and `tag_weapon` (ioquake3 cg_players.c, `CG_RegisterClientModelname`,
//!   `CG_Player`). A weapon's `_barrel` and `_flash` are attached to its `tag_barrel` and `tag_flash` (cg_weapons.c).
//! - Return to Castle Wolfenstein: `body.mds` with `wolfanim.cfg`, and `head.mdc` on its `tag_head` (iortcw cg_players.c,
//!   `CG_RegisterClientModelname`, `CG_Player`).
//! - Enemy Territory: body, head and their skins are named in a `.char` (ET: Legacy bg_character.c, cg_character.c).
//! - Quake II: `tris.md2`; `weapon.md2` or `w_*.md2` share its transform and frame (cl_parse.c, `CL_LoadClientinfo`).
//! - Jedi Academy: `model.glm`; a `*_w.glm` is attached to its tag `*r_hand` (OpenJK cg_players.c, bg_misc.c).

use std::path::Path;

use crate::engines::{CharacterFiles, ENGINES};
use crate::open::is_model_file;
use crate::vfs::{Vfs, folder_of, join, name_of, split_extension};
use maquette_core::model::PLAYER_PARTS;

/// Extensions of parts in order of preference: Elite Force prefers `.mdr`.
const EXTENSIONS: [&str; 4] = ["mdr", "md3", "mdc", "iqm"];
const WEAPON_FOLDERS: [&str; 3] = ["models/weapons2", "models/weapons", "models/multiplayer"];
/// Tags to which weapons are attached: that of Quake III and related games, and that of Ghoul2 games.
pub const HAND_TAGS: [&str; 2] = ["tag_weapon", "*r_hand"];
/// Preferred weapons: those that players hold at the start of a game.
const FIRST_WEAPONS: [&str; 3] = ["machinegun", "phaser", "mp40"];

impl CharacterFiles {
    /// Returns the available weapons, the preferred one first. This may search the whole game.
    pub fn weapons(&self, vfs: &Vfs) -> Vec<String> {
        match self {
            Self::ThreeParts { .. } | Self::OneBody { .. } => weapons_of(vfs),
            Self::Quake2 { weapons, .. } => weapons.clone(),
            Self::Ghoul2 { .. } => ghoul2_weapons(vfs),
        }
    }
}

/// Returns the character in a folder. Parts with the extension `preferred` have priority.
pub fn plan_of_folder(vfs: &Vfs, folder: &str, preferred: &str) -> Option<CharacterFiles> {
    let extensions = || std::iter::once(preferred).chain(EXTENSIONS).filter(|extension| EXTENSIONS.contains(extension));
    let part = |folder: &str, stem: &str| {
        extensions().find_map(|extension| vfs.find(&join(folder, &format!("{stem}.{extension}"))))
    };
    if let (Some(lower), Some(upper)) = (part(folder, "lower"), part(folder, "upper")) {
        let name = name_of(folder);
        let heads = join(folder_of(folder), &format!("heads/{name}"));
        let head = part(folder, "head").or_else(|| part(&heads, name)).or_else(|| part(&heads, "head"));
        return Some(CharacterFiles::ThreeParts { lower, upper, head });
    }
    if let Some(body) = vfs.find(&join(folder, "model.glm")) {
        return Some(CharacterFiles::Ghoul2 { body });
    }
    if let Some(body) = vfs.find(&join(folder, "body.mds"))
        && vfs.find(&join(folder, "wolfanim.cfg")).is_some()
    {
        let head = ["mdc", "md3"].iter().find_map(|extension| vfs.find(&join(folder, &format!("head.{extension}"))));
        return Some(CharacterFiles::OneBody { body, head, skin: String::new(), head_skin: String::new() });
    }
    let files = vfs.files_in(folder);
    let models = files.iter().filter(|name| is_model_file(Path::new(name)));
    if let Some(defined) = models.map(|name| join(folder, name)).find_map(|model| defined_character(vfs, &model)) {
        return Some(defined);
    }
    let body = vfs.find(&join(folder, "tris.md2"))?;
    let mut weapons: Vec<String> =
        vfs.files_in(folder).iter().filter(|name| is_quake2_weapon(name)).map(|name| join(folder, name)).collect();
    weapons.sort_by_key(|path| (!name_of(path).eq_ignore_ascii_case("weapon.md2"), path.to_lowercase()));
    (!weapons.is_empty()).then_some(CharacterFiles::Quake2 { body, weapons })
}

fn defined_character(vfs: &Vfs, game_path: &str) -> Option<CharacterFiles> {
    ENGINES.iter().find_map(|engine| (engine.character)(vfs, game_path))
}

/// Returns the part, `lower` or `upper`, that is missing in a folder with the other one.
pub(in crate::open) fn missing_part(vfs: &Vfs, folder: &str) -> Option<&'static str> {
    let has = |stem: &str| {
        EXTENSIONS.iter().any(|extension| vfs.find(&join(folder, &format!("{stem}.{extension}"))).is_some())
    };
    match (has("lower"), has("upper")) {
        (true, false) => Some("upper"),
        (false, true) => Some("lower"),
        _ => None,
    }
}

/// Returns the character that a model represents: `lower`, `upper`, `head` or a body. A `.char` also represents one.
pub fn plan_of_part(vfs: &Vfs, game_path: &str) -> Option<CharacterFiles> {
    let (stem, extension) = split_extension(name_of(game_path));
    let stem = stem.to_lowercase();
    if let Some(defined) = defined_character(vfs, game_path) {
        return Some(defined);
    }
    let stands_for_all = match extension.to_lowercase().as_str() {
        "md2" => stem == "tris",
        "glm" => stem == "model",
        "mds" => stem == "body",
        extension => EXTENSIONS.contains(&extension) && PLAYER_PARTS.contains(&stem.as_str()),
    };
    let plan = (stands_for_all && !vfs.is_shadowed(game_path))
        .then(|| plan_of_folder(vfs, folder_of(game_path), &extension.to_lowercase()))
        .flatten()?;
    // A `head.md3` belongs to the character of a `lower.mdr`; a `head.mdc` does not if the character uses another head.
    let own = |path: &String| path.eq_ignore_ascii_case(game_path);
    let holds = match &plan {
        CharacterFiles::ThreeParts { lower, upper, head } => own(lower) || own(upper) || head.as_ref().is_some_and(own),
        CharacterFiles::OneBody { body, head, .. } => own(body) || head.as_ref().is_some_and(own),
        CharacterFiles::Quake2 { body, .. } | CharacterFiles::Ghoul2 { body } => own(body),
    };
    holds.then_some(plan)
}

fn is_quake2_weapon(name: &str) -> bool {
    let name = name.to_lowercase();
    name == "weapon.md2" || (name.starts_with("w_") && name.ends_with(".md2"))
}

/// Returns whether a model is a weapon, by its path.
pub fn is_weapon(game_path: &str) -> bool {
    let path = game_path.to_lowercase();
    let in_weapons = WEAPON_FOLDERS.iter().any(|folder| path.starts_with(&format!("{folder}/")))
        || path.split('/').any(|part| part == "weapons2" || part == "weapons");
    in_weapons || is_quake2_weapon(name_of(&path))
}

fn weapons_of(vfs: &Vfs) -> Vec<String> {
    let Some(parent) = WEAPON_FOLDERS.iter().find(|folder| !vfs.folders_in(folder).is_empty()) else {
        return Vec::new();
    };
    let mut weapons: Vec<String> = vfs
        .folders_in(parent)
        .iter()
        .filter_map(|name| EXTENSIONS.iter().find_map(|kind| vfs.find(&format!("{parent}/{name}/{name}.{kind}"))))
        .collect();
    let rank = |path: &String| {
        let stem = split_extension(name_of(path)).0.to_lowercase();
        FIRST_WEAPONS.iter().position(|first| *first == stem).unwrap_or(FIRST_WEAPONS.len())
    };
    weapons.sort_by_key(|path| (rank(path), path.to_lowercase()));
    weapons
}

fn ghoul2_weapons(vfs: &Vfs) -> Vec<String> {
    let [folder, ..] = WEAPON_FOLDERS;
    let below = |name: &str| {
        let own = join(folder, name);
        let files = vfs.files_in(&own);
        let is_held = |file: &&str| file.to_lowercase().ends_with("_w.glm");
        files.iter().filter(is_held).map(|file| join(&own, file)).collect::<Vec<_>>()
    };
    let mut weapons: Vec<String> = vfs.folders_in(folder).iter().flat_map(below).collect();
    // Players hold a lightsaber at the start of the game.
    weapons.sort_by_key(|path| (!name_of(path).eq_ignore_ascii_case("saber_w.glm"), path.to_lowercase()));
    weapons
}

/// Returns barrel and flash of a weapon, if these files exist.
pub fn extras_of(vfs: &Vfs, weapon: &str) -> [Option<String>; 2] {
    let (stem, extension) = split_extension(weapon);
    ["barrel", "flash"].map(|extra| {
        let kinds = std::iter::once(extension).chain(EXTENSIONS);
        kinds.into_iter().find_map(|kind| vfs.find(&format!("{stem}_{extra}.{kind}")))
    })
}
