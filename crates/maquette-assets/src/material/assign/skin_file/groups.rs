//! Parser for `.g2skin` files of Soldier of Fortune II, whose entries are for the materials that a GLM names.
//!
//! ```text
//! prefs    { models { 1 "snow" } surfaces_on { name1 "hood_off" } surfaces_off { name1 "ear_l" } }
//! material { name "face" group { name "white" texture1 "models/characters/face/f_1" } group { … } }
//! ```
//!
//! The first group of a material applies, and its `shader1` before its `texture1`. Source: SoF2 SDK `ui_main.c`
//! (`UI_RegisterIdentity`), and Raven's ModView `skins.cpp` (`Skins_Parse`, `Skins_ApplySkinFile`).

use super::{OFF_SUFFIX, SkinFile};
use crate::limits::{MAX_SKIN_ENTRIES, MAX_SKINS};
use maquette_core::bytes::Source;
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::limits::{MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::text::{Lexer, Statements, readable};

/// Groups inside groups. Deeper ones are skipped; the games have no such groups.
const DEPTH: usize = 4;

impl SkinFile {
    /// Parses a `.g2skin` file, and records its entries in the recorder of `source`.
    #[must_use]
    pub fn parse_groups(source: &Source, warnings: &mut Warnings) -> Self {
        let mut skin = Self { names_materials: true, ..Self::default() };
        let bytes = readable(source.bytes(), MAX_TEXT_BYTES, warnings);
        if let Err(error) = skin.read_groups(&mut Lexer::new("g2skin", bytes), &Statements::new(source), warnings) {
            warnings.add_error(WarningKind::Companion, "", format!("the rest was skipped: {error}"), &error);
        }
        skin.number_materials();
        skin
    }

    fn read_groups(
        &mut self,
        lexer: &mut Lexer,
        statements: &Statements,
        warnings: &mut Warnings,
    ) -> Result<(), LoadError> {
        let mut groups = Vec::new();
        let (mut name, mut shader, mut texture, mut is_first) = (String::new(), String::new(), String::new(), true);
        while let Some(word) = lexer.next()? {
            let key = word.text().to_lowercase();
            if word.is("}") {
                statements.end(lexer, &word);
                groups.pop();
                if groups.is_empty() {
                    let path = [std::mem::take(&mut shader), std::mem::take(&mut texture)];
                    let path = path.into_iter().find(|path| !path.is_empty());
                    let name = std::mem::take(&mut name).to_lowercase();
                    if let Some(path) = path.filter(|_| !name.is_empty()) {
                        self.add(name, path, word.line, warnings);
                    }
                }
                is_first = groups.is_empty();
                continue;
            }
            if lexer.check("{")? {
                statements.end(lexer, &word);
                if groups.len() < DEPTH {
                    groups.push((key.clone(), statements.group(|| key)));
                } else {
                    lexer.skip_block("group")?;
                }
                continue;
            }
            let value = lexer.parse_text("value")?;
            statements.end(lexer, &word);
            if value.len() > MAX_PATH_BYTES {
                continue;
            }
            let path: Vec<&str> = groups.iter().map(|(group, _)| group.as_str()).collect();
            match (path.as_slice(), key.as_str()) {
                (["prefs", "models"], _) if self.models.len() < MAX_SKINS => self.models.push(value.to_lowercase()),
                (["prefs", list], _) if list.starts_with("surfaces_o") && self.switched.len() < MAX_SKIN_ENTRIES => {
                    let surface = value.to_lowercase();
                    let surface = surface.strip_suffix(OFF_SUFFIX).unwrap_or(&surface);
                    self.switched.insert(surface.into(), *list == "surfaces_on");
                }
                (["material"], "name") => name = value,
                (["material", "group"], "shader1") if is_first => shader = value,
                (["material", "group"], "texture1") if is_first => texture = value,
                _ => {}
            }
        }
        Ok(())
    }
}
