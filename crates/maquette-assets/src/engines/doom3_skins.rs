//! Skins of Doom 3: `skin NAME { model PATH FROM TO … }` in `skins/*.skin`.
//!
//! Source: dhewm3 `DeclSkin.cpp` (`idDeclSkin::Parse`, `RemapShaderBySkin`).

use std::collections::HashSet;
use std::sync::Arc;

use super::doom3_declarations::{Part, canonical, read_folder, scan};
use crate::limits::{MAX_DECLARATIONS, MAX_SKIN_ENTRIES};
use crate::material::SkinFile;
use crate::vfs::Vfs;
use maquette_core::error::{LoadError, Warnings};
use maquette_core::limits::MAX_TEXT_BYTES;
use maquette_core::model::Model;
use maquette_core::text::{Lexer, readable};

/// Skin that a game declares for models by the materials that the models name.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredSkin {
    pub name: String,
    /// Game path of the file.
    pub path: String,
    /// Paths of the models that the skin was made for, as [`canonical`] returns them.
    models: Vec<String>,
    pub entries: Arc<SkinFile>,
    /// Whether the declaration by which the model is opened chooses the skin.
    pub is_chosen: bool,
}

/// Returns the skins for a model: first the one called `first`, then those that name the model, then those that replace
/// one of its materials.
pub(super) fn skins(vfs: &Vfs, path: &str, model: &Model, first: Option<&str>, is_chosen: bool) -> Vec<DeclaredSkin> {
    let all = vfs.memo_of_folders(&["skins"], |vfs| read_folder(vfs, "skins", "skin", read));
    let path = canonical(path);
    let materials = model.surfaces().iter().flat_map(|surface| &surface.materials);
    let materials: HashSet<String> = materials.flat_map(|name| SkinFile::keys_of_material(name)).collect();
    let rank = |skin: &DeclaredSkin| {
        let is_first = first.is_some_and(|name| key(name) == key(&skin.name));
        let replaces = || skin.entries.names().any(|name| materials.contains(name));
        let ranks = [is_first, skin.models.contains(&path), replaces()];
        ranks.into_iter().position(|applies| applies)
    };
    let mut seen = HashSet::new();
    let own = all.iter().filter(|skin| seen.insert(key(&skin.name)));
    let mut ranked: Vec<(usize, &DeclaredSkin)> = own.filter_map(|skin| Some((rank(skin)?, skin))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let chosen = |rank| is_chosen && rank == 0;
    ranked.into_iter().map(|(rank, skin)| DeclaredSkin { is_chosen: chosen(rank), ..skin.clone() }).collect()
}

/// Returns the key of a skin's name, which does not end with an extension (dhewm3 `DeclManager.cpp`,
/// `MakeNameCanonical`).
fn key(name: &str) -> String {
    let name = canonical(name);
    name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem).to_owned()
}

/// Reads the skins of a file, and returns the number of their entries. An error ends the file.
fn read(path: &str, bytes: &[u8], skins: &mut Vec<DeclaredSkin>) -> usize {
    let mut count = 0;
    let mut lexer = Lexer::new("skin", readable(bytes, MAX_TEXT_BYTES, &mut Warnings::default()));
    let _ = scan(&mut lexer, |lexer, part| {
        let name = match part {
            Part::Block(_) if count >= MAX_DECLARATIONS => return lexer.skip_block(""),
            Part::Block([name]) => name,
            Part::Block([what, name]) if what.is("skin") => name,
            Part::Block(_) => return lexer.skip_block(""),
            Part::Skipped(_) => return Ok(()),
        };
        let (skin, entries) = skin(path, name.text(), lexer)?;
        count += 1 + entries;
        skins.push(skin);
        Ok(())
    });
    count
}

fn skin(path: &str, name: String, lexer: &mut Lexer) -> Result<(DeclaredSkin, usize), LoadError> {
    let (mut models, mut entries) = (Vec::new(), Vec::new());
    while let Some(from) = lexer.next()?.filter(|word| !word.is("}")) {
        let Some(to) = lexer.next()?.filter(|word| !word.is("}")) else { break };
        if models.len() + entries.len() >= MAX_SKIN_ENTRIES {
            continue;
        } else if from.bytes.eq_ignore_ascii_case(b"model") {
            models.push(canonical(&to.text()));
        } else {
            entries.push((from.text(), to.text()));
        }
    }
    let count = models.len() + entries.len();
    let entries = Arc::new(SkinFile::for_materials(entries));
    Ok((DeclaredSkin { name, path: path.to_owned(), models, entries, is_chosen: false }, count))
}
