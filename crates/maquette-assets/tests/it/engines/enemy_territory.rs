//! Tests of Enemy Territory.

use super::*;
use maquette_assets::engines::enemy_territory::{CharacterDefinition, parse_character};

#[test]
fn character_definitions_name_their_files() {
    let text = "characterDef {\n skin \"s\"\n mesh \"m.mdm\"\n animationgroup \"a.anim\"\n animationscript \"x\"\n \
                undressedCorpseModel \"u.mdm\"\n hudhead \"h.md3\"\n hudheadskin \"hs\"\n hudheadanims \"ha\"\n}";
    let mut warnings = Warnings::default();
    let own = |text: &str| text.to_owned();
    let expected = CharacterDefinition {
        mesh: own("m.mdm"),
        skin: own("s"),
        animation_group: own("a.anim"),
        head: own("h.md3"),
        head_skin: own("hs"),
    };
    assert_eq!(parse_character(text.as_bytes(), &mut warnings), expected);
    assert!(warnings.into_vec().is_empty());
    let mut warnings = Warnings::default();
    assert_eq!(parse_character(b"mesh \"m.mdm\" skin \"", &mut warnings).mesh, "m.mdm");
    assert_eq!(warnings.into_vec().len(), 1);
}
