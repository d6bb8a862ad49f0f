//! Jedi Academy: shader scripts in `shaders`, with the words of OpenJK's `tr_shader.cpp`.

use maquette_assets::engines::KnownEngine;
use maquette_assets::lint::{LintInput, Profile, check};
use maquette_assets::material::{ImageLoading, InGame};
use maquette_assets::open::Opener;
use maquette_core::model::Format;
use maquette_testing::archives::folder;
use maquette_testing::files::{Md3, TGA};

/// Words of `ParseShader` and `ParseStage`.
const SHADER: &[u8] = b"models/box/skin
{
	qer_editorimage models/box/skin.tga
	q3map_material SolidMetal
	material SolidMetal
	hitLocation models/box/hit.tga
	hitMaterial models/box/hit.tga
	q3map_sunExt 1 1 1 100 0 90
	sun 1 1 1 100 0 90
	surfacelight 100
	lightColor ( 1 1 1 )
	noTC
	noglfog
	deform wave 10 sin 0 0 0 1
	{
		map models/box/skin.tga
		rgbGen lightingDiffuseEntity
		alphaGen oneMinusDot
		glow
		surfaceSprites vertical 20 10 30 100
		ssVariance 1 2
		ssAnyThing 4
	}
	{
		clampanimMap 4 models/box/skin.tga models/box/b.tga
		alphaGen dot
		blendFunc GL_ONE GL_ONE
	}
	{
		oneshotanimMap 4 models/box/skin.tga models/box/b.tga
		blendFunc GL_ONE GL_ONE
	}
}
";

/// `ScanAndLoadShaderFiles` lists the folder `shaders`.
#[test]
fn scripts_are_read_from_shaders_with_all_words() {
    let root = folder(&[
        ("base/shaders/t.shader", SHADER),
        ("base/models/box/box.md3", &Md3::typical().build()),
        ("base/models/box/skin.tga", TGA),
        ("base/models/box/b.tga", TGA),
    ]);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let path = root.path().join("base/models/box/box.md3");
    let asset = opener.model(&path).unwrap();
    let material = &asset.skins[0].materials[0];
    assert_eq!(material.script, Some(("shaders/t.shader".to_owned(), 1)), "{:?}", material.search_log);
    assert_eq!((material.in_game, material.definition.stages.len()), (InGame::Whole, 3));
    assert_eq!(material.path, "models/box/skin.tga");
    let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().all(|warning| !warning.contains("t.shader")), "{warnings:?}");
    let findings = check(LintInput::new(&asset), Profile::named("jka"), None);
    assert!(findings.list.iter().all(|finding| finding.rule != "unknown-directive"), "{findings:?}");

    let (vfs, _) = opener.files().for_file(&path).unwrap();
    let known = KnownEngine::for_model(&vfs, "models/box/box.md3", Format::Md3).unwrap();
    assert_eq!((known.engine.name, known.by.as_str()), ("Jedi Academy", "the scripts in shaders"));
}

#[test]
fn unknown_word_gives_default_image() {
    let shader = String::from_utf8(SHADER.to_vec()).unwrap().replace("\tglow", "\tflicker");
    let root = folder(&[
        ("base/shaders/t.shader", shader.as_bytes()),
        ("base/models/box/box.md3", &Md3::typical().build()),
        ("base/models/box/skin.tga", TGA),
    ]);
    let asset =
        Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&root.path().join("base/models/box/box.md3")).unwrap();
    assert_eq!(asset.skins[0].materials[0].in_game, InGame::DefaultTexture);
}
