//! Doom 3 `model` declarations: the animations of a mesh.

use maquette_assets::engines::doom3::{Declarations, ModelDeclaration, NamedAnimation, parse};
use maquette_core::error::Warnings;
use proptest::prelude::*;

use maquette_testing::memory::peak_of;

const FILE: &str = r#"
// the one everybody inherits from
export models { options -sourcedir {no} mesh models/mapobjects/x.lwo }
model imp_base {
    mesh    models/md5/imp/imp.md5mesh
    offset  ( 0 0 -2 )
    channel torso ( *waist -mesh anim )
    anim    idle models/md5/imp/idle.md5anim { frame 1 sound_body snd_breath frame 20 { nested } }
    anim    walk models/md5/imp/walk1.md5anim, models/md5/imp/walk2.md5anim
    /* anim gone models/md5/imp/gone.md5anim */
    anim    "pain" "models/md5/imp/pain.md5anim" {
        frame 4 melee bite
    }
}
entityDef imp {
    "model" "imp_old"
    "def_drop" "model nothing { mesh x }"
}
camera imp_cinematic { anim idle other.md5camera }
MODEL imp_old { inherit IMP_BASE skin skins/imp/old anim walk models\md5\imp\limp.md5anim anim crawl crawl.md5anim }
model imp_other{inherit imp_old mesh "Models/MD5/Imp\Other.md5mesh"}
"#;

fn animations_of(models: &[ModelDeclaration], mesh: &str) -> Option<Vec<NamedAnimation>> {
    Declarations::new(models.to_vec()).animations_of(mesh)
}

fn sound(text: &str) -> Vec<ModelDeclaration> {
    let mut warnings = Warnings::default();
    let models = parse(text.as_bytes(), &mut warnings);
    let warnings = warnings.into_vec();
    assert!(warnings.is_empty(), "{warnings:?}");
    models
}

fn odd(text: &str) -> (Vec<ModelDeclaration>, Vec<String>) {
    let mut warnings = Warnings::default();
    let models = parse(text.as_bytes(), &mut warnings);
    (models, warnings.into_vec().iter().map(ToString::to_string).collect())
}

fn list(animations: &[NamedAnimation]) -> Vec<(&str, Vec<&str>)> {
    animations.iter().map(|(name, paths)| (name.as_str(), paths.iter().map(String::as_str).collect())).collect()
}

#[test]
fn model_declarations_are_read_and_rest_skipped() {
    let models = sound(FILE);
    assert_eq!(
        models.iter().map(|model| model.name.as_str()).collect::<Vec<_>>(),
        ["imp_base", "imp_old", "imp_other"]
    );
    let [base, old, other] = &models[..] else { unreachable!() };
    assert_eq!((base.mesh.as_deref(), &base.inherit, &base.skin), (Some("models/md5/imp/imp.md5mesh"), &None, &None));
    let expected = [
        ("idle", vec!["models/md5/imp/idle.md5anim"]),
        ("walk", vec!["models/md5/imp/walk1.md5anim", "models/md5/imp/walk2.md5anim"]),
        ("pain", vec!["models/md5/imp/pain.md5anim"]),
    ];
    assert_eq!(list(&base.animations), expected);
    assert_eq!((old.inherit.as_deref(), old.skin.as_deref()), (Some("IMP_BASE"), Some("skins/imp/old")));
    assert_eq!(old.mesh, None);
    assert_eq!(other.mesh.as_deref(), Some("Models/MD5/Imp\\Other.md5mesh"));
}

#[test]
fn mesh_gets_own_and_inherited_animations() {
    let models = sound(FILE);
    let animations = animations_of(&models, "MODELS\\md5/imp//imp.md5mesh").unwrap();
    assert_eq!(animations.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["idle", "walk", "pain"]);
    let animations = animations_of(&models, "models/md5/imp/other.md5mesh").unwrap();
    let expected = [
        ("idle", vec!["models/md5/imp/idle.md5anim"]),
        ("walk", vec!["models\\md5\\imp\\limp.md5anim"]),
        ("pain", vec!["models/md5/imp/pain.md5anim"]),
        ("crawl", vec!["crawl.md5anim"]),
    ];
    assert_eq!(list(&animations), expected);
    assert_eq!(animations_of(&models, "models/md5/imp/imp"), None);
    assert_eq!(animations_of(&[], "a.md5mesh"), None);
}

#[test]
fn mesh_itself_can_be_inherited() {
    let models = sound("model a { mesh m.md5mesh } model b { inherit a anim idle i.md5anim }");
    assert_eq!(list(&animations_of(&models, "m.md5mesh").unwrap()), [("idle", vec!["i.md5anim"])]);
    let models = sound("model a { mesh m.md5mesh } model b { inherit a mesh n.md5mesh anim idle i.md5anim }");
    assert_eq!(animations_of(&models, "m.md5mesh"), None, "the heir has another mesh");
}

/// dhewm3 `Anim_Blend.cpp` (`idDeclModelDef::Parse`).
#[test]
fn removed_animations_are_not_inherited() {
    let models = sound(
        "model a { mesh m.md5mesh anim idle i.md5anim anim walk w.md5anim } \
         model b { inherit a mesh n.md5mesh remove idle anim run r.md5anim } \
         model c { inherit b mesh o.md5mesh anim idle other.md5anim }",
    );
    let names =
        |mesh: &str| animations_of(&models, mesh).unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
    assert_eq!(names("m.md5mesh"), ["idle", "walk"]);
    assert_eq!(names("n.md5mesh"), ["walk", "run"]);
    assert_eq!(names("o.md5mesh"), ["walk", "run", "idle"]);
}

#[test]
fn inheritance_cycles_and_long_chains_are_limited() {
    let models = sound(
        "model a { inherit b mesh m anim x 1 } model b { inherit a anim y 2 } model c { inherit c mesh n anim z 3 }",
    );
    assert_eq!(list(&animations_of(&models, "m").unwrap()), [("y", vec!["2"]), ("x", vec!["1"])]);
    assert_eq!(animations_of(&models, "n").unwrap().len(), 1);
    let long: String =
        (0..4000).map(|index| format!("model m{index} {{ inherit m{} mesh s anim a{index} p }} ", index + 1)).collect();
    let animations = animations_of(&sound(&long), "s").unwrap();
    assert!((2..=65).contains(&animations.len()), "{}", animations.len());
    assert!(animations.iter().any(|(name, _)| name == "a0"));
}

#[test]
fn broken_declarations_are_reported_with_line_number() {
    let (models, warnings) = odd("model a { mesh m\n anim idle i.md5anim\n anim walk w.md5anim { frame 1");
    assert_eq!(models[0].animations.len(), 2);
    assert_eq!(warnings, ["line 3: unclosed block; the rest of the file is skipped"]);
    let (models, warnings) = odd("model a {\n mesh\n anim idle\n anim walk w.md5anim\n}\n}\nmodel b { mesh \"m\n}");
    assert_eq!(list(&models[0].animations), [("walk", vec!["w.md5anim"])]);
    // The bracket makes the game skip the word “model”, so that the next declaration is not one of a model.
    assert_eq!((models[0].mesh.as_deref(), models.len()), (None, 1));
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[0].starts_with("line 3: ") && warnings[1].starts_with("line 6: "), "{warnings:?}");
    assert!(warnings[2].starts_with("line 7: unclosed quoted text"), "{warnings:?}");
}

#[test]
fn declaration_memory_is_bounded_by_file_size() {
    for entry in ["model a{}", "model a{anim a b}", "model a{anim a b,b,b,b,b}", "model a {", "a{", "}"] {
        let text = entry.repeat(100_000);
        let (models, peak) = peak_of(|| odd(&text).0);
        assert!(peak <= 4 * text.len() + (8 << 20), "{peak} bytes for a file of {}", text.len());
        let _ = animations_of(&models, "a");
    }
    let one = format!("model a{{mesh m {}}}", "anim a b,b,b ".repeat(100_000));
    let (animations, peak) = peak_of(|| Declarations::new(odd(&one).0).animations_of("m"));
    assert_eq!(animations.unwrap().len(), 1);
    assert!(peak <= 4 * one.len() + (8 << 20), "{peak} bytes for a file of {}", one.len());
}

const SOUP: &str = "model entityDef a b { } { } inherit mesh skin anim offset ( ) , m.md5mesh \" // /* */ \n";

proptest! {
    #[test]
    fn def_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = animations_of(&parse(&bytes, &mut Warnings::default()), "m");
    }

    #[test]
    fn def_parser_survives_arbitrary_words(
        text in proptest::collection::vec(proptest::sample::select(SOUP.split(' ').collect::<Vec<_>>()), 0..200),
    ) {
        let models = parse(text.join(" ").as_bytes(), &mut Warnings::default());
        let _ = animations_of(&models, "m.md5mesh");
    }
}
