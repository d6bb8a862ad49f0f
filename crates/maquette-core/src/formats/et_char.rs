//! Parser of `.char` files, which define the characters of Enemy Territory.
//!
//! Source: ET: Legacy `bg_character.c` (`BG_ParseCharacterFile`). The file is `characterDef { keyword "value" … }`.

use crate::error::Warnings;
use crate::limits::{MAX_PATH_BYTES, MAX_TEXT_BYTES};
use crate::text::{Lexer, readable};

/// Files of a character, as game paths. Empty if the file does not name them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CharacterDefinition {
    /// Body, an MDM.
    pub mesh: String,
    /// Name of the body's skin: `<mesh>_<skin>.skin`.
    pub skin: String,
    /// List of animations, an `.anim`.
    pub animation_group: String,
    /// Head.
    pub head: String,
    /// Name of the head's skin.
    pub head_skin: String,
}

/// Parses a `.char`. Unknown keywords are skipped. A syntax error ends parsing with a warning.
#[must_use]
pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> CharacterDefinition {
    let mut definition = CharacterDefinition::default();
    let mut lexer = Lexer::new("char", readable(bytes, MAX_TEXT_BYTES, warnings));
    loop {
        let word = match lexer.next() {
            Ok(Some(word)) => word,
            Ok(None) => return definition,
            Err(error) => {
                warnings.add_rest(&error);
                return definition;
            }
        };
        let value = match word {
            word if word.is("mesh") => &mut definition.mesh,
            word if word.is("skin") => &mut definition.skin,
            word if word.is("animationgroup") => &mut definition.animation_group,
            word if word.is("hudhead") => &mut definition.head,
            word if word.is("hudheadskin") => &mut definition.head_skin,
            _ => continue,
        };
        match lexer.next() {
            Ok(Some(text)) if text.bytes.len() <= MAX_PATH_BYTES => *value = text.text(),
            Ok(_) => {}
            Err(error) => {
                warnings.add_rest(&error);
                return definition;
            }
        }
    }
}
