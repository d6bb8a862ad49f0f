//! Images and materials that scripts give to names of a model.

use super::*;

/// Resolves `name` with this script and these images.
fn look(script: &str, images: &[&str], name: &str, origin: Origin) -> SurfaceMaterial {
    let mut png = Cursor::new(Vec::new());
    RgbaImage::from_pixel(2, 2, image::Rgba([255, 0, 0, 255])).write_to(&mut png, ImageFormat::Png).unwrap();
    let png: &'static [u8] = png.into_inner().leak();
    let mut files = vec![("scripts/x.shader".to_owned(), script.as_bytes().to_vec().leak() as &'static [u8])];
    files.extend(images.iter().map(|path| ((*path).to_owned(), png)));
    let vfs = Vfs::in_memory(files);
    let search = ResolveContext::new(ImageLoading::Decode);
    MaterialResolver::new(&vfs, "models/gun/gun.md3", Format::Md3, None, &search).material(
        name,
        origin,
        &mut Warnings::default(),
    )
}

const TWO_STAGES: &str = "models/gun\n{\n{\nmap models/there.tga\n}\n{\nmap models/gone.tga\nblendFunc add\n}\n}\n";

#[test]
fn script_is_preferred_to_image_of_same_name() {
    let found =
        look(TWO_STAGES, &["models/there.tga", "models/gone.jpg", "models/gun.tga"], "models/gun.tga", Origin::Model);
    assert_eq!((found.in_game, found.stages_in_game(), found.problem()), (InGame::Whole, 2, None));
    assert_eq!((found.script, found.path.as_str()), (Some(("scripts/x.shader".to_owned(), 1)), "models/there.tga"));
    assert!(
        found
            .search_log
            .iter()
            .any(|step| step.found.as_deref().is_some_and(|found| found.contains("scripts/x.shader")))
    );
    assert_eq!(found.definition.stages[1].maps[0].path, "models/gone.jpg");
}

#[test]
fn image_without_script_is_opaque_lit_and_repeating() {
    let found = look(TWO_STAGES, &["models/gun_2.tga"], "models/gun_2", Origin::Skin);
    assert_eq!((found.in_game, found.script.clone(), found.problem()), (InGame::Whole, None, None));
    let [stage] = &found.definition.stages[..] else { panic!("{:?}", found.definition) };
    assert!(stage.is_lit() && stage.mipmaps && stage.writes_depth && stage.blend.is_none());
    assert_eq!(
        (stage.wrap, found.definition.sides, found.definition.sort),
        (TextureWrap::Repeat, DrawnFaces::Front, 3.0)
    );
}

#[test]
fn missing_stage_image_hides_all_or_later_stages() {
    let of = |script: &str, origin| look(script, &["models/there.tga"], "models/gun", origin);
    assert_eq!(of(TWO_STAGES, Origin::Model).in_game, InGame::DefaultTexture);
    assert_eq!(of(TWO_STAGES, Origin::Skin).in_game, InGame::Stages(1));
    let first = "models/gun{\n{\nmap models/gone.tga\n}\n{\nmap models/there.tga\n}\n}";
    assert_eq!((of(first, Origin::Skin).in_game, of(first, Origin::Skin).stages_in_game()), (InGame::Stages(0), 0));
    let one_of_many = "models/gun{\n{\nmap $whiteimage\n}\n{\nanimMap 2 models/there.tga models/gone.tga\n}\n}";
    assert_eq!(of(one_of_many, Origin::Skin).in_game, InGame::Stages(1));
    for origin in [Origin::Model, Origin::Skin] {
        let warning = of(TWO_STAGES, origin).problem().unwrap();
        assert!(warning.contains("scripts/x.shader line 1") && warning.contains("models/gone.tga"), "{warning}");
    }
}

#[test]
fn glow_alone_does_not_stand_for_a_missing_map() {
    let of =
        |body: &str| look(&format!("models/gun\n{{\n{body}\n}}"), &["models/there.tga"], "models/gun", Origin::Model);
    let (glow, base) = ("{\nmap models/there.tga\nblendFunc add\n}", "{\nmap models/gone.tga\n}");
    let lit = "{\ndiffuseMap models/gone\nnormalMap models/gone_n\nglowMap models/there\n}";
    let equal = "{\nmap models/there.tga\ndepthFunc equal\n}";
    for body in [format!("{base}\n{glow}"), format!("{glow}\n{base}"), lit.to_owned(), format!("{base}\n{equal}")] {
        let found = of(&body);
        assert!(found.is_missing() && found.is_plain() && found.image.is_none(), "{body}");
        assert_eq!(found.in_game, InGame::DefaultTexture, "{body}");
    }
    let found = of(glow);
    assert!(!found.is_missing() && !found.is_plain() && found.image.is_some(), "nothing is missing");
    let found = of("{\nmap models/there.tga\n}\n{\nmap models/gone.tga\nblendFunc add\n}");
    assert!(!found.is_missing() && !found.is_plain() && found.image.is_some(), "the base is there");
}

/// `tr_shader.c`: `ParseShader` fails, and `R_FindShader` takes the default shader.
#[test]
fn unknown_directive_shows_default_image_in_game() {
    let of = |word: &str| {
        let script = format!("models/gun\n{{\n{word}\n{{\nmap models/there.tga\n}}\n}}");
        look(&script, &["models/there.tga"], "models/gun", Origin::Model)
    };
    assert_eq!(of("foobar 3").in_game, InGame::DefaultTexture);
    assert!(of("foobar 3").image.is_some(), "studio light shows the known stages");
    assert_eq!(of("surfaceparm trans").in_game, InGame::Whole);
    // A name in a skin keeps the stages before the fault.
    let script = "models/gun\n{\n{\nmap models/there.tga\n}\nfoobar 3\n{\nmap models/there.tga\n}\n}";
    assert_eq!(look(script, &["models/there.tga"], "models/gun", Origin::Skin).in_game, InGame::Stages(1));
}

#[test]
fn unresolved_name_draws_default_or_nothing_by_origin() {
    for (origin, drawn) in [(Origin::Model, InGame::DefaultTexture), (Origin::Skin, InGame::Stages(0))] {
        let found = look(TWO_STAGES, &["models/there.tga"], "models/none", origin);
        assert_eq!((found.in_game, found.stages_in_game(), found.is_missing()), (drawn, 0, true));
        assert!(found.problem().unwrap().contains("models/none"));
    }
}

#[test]
fn nodraw_hides_only_materials_without_stages() {
    let hidden = |script: &str| look(script, &["models/there.tga"], "models/gun", Origin::Model).hidden;
    assert!(hidden("models/gun\n{\nsurfaceparm nodraw\n}"));
    assert!(!hidden("models/gun\n{\nsurfaceparm nodraw\n{\nmap models/there.tga\n}\n}"));
    assert!(!hidden("models/gun\n{\nsurfaceparm trans\n}"));
}

#[test]
fn editor_image_is_used_if_no_stage_has_one() {
    let script = "models/gun\n{\nqer_editorimage models/there.tga\n{\nmap models/gone.tga\n}\n}";
    let found = look(script, &["models/there.tga"], "models/gun", Origin::Model);
    assert_eq!((found.path.as_str(), found.in_game), ("models/there.tga", InGame::DefaultTexture));
}

#[test]
fn missing_anim_map_image_keeps_frame_timing() {
    let film = "models/gun { { animMap 1 models/a.tga models/gone.tga models/b.tga } }";
    let found = look(film, &["models/a.tga", "models/b.tga"], "models/gun", Origin::Skin);
    let [stage] = &found.definition.stages[..] else { panic!("{:?}", found.definition) };
    let paths: Vec<&str> = stage.maps.iter().map(|map| map.path.as_str()).collect();
    assert_eq!(paths, ["models/a.tga", "", "models/b.tga"]);
    assert_eq!([0.5, 1.5, 2.5].map(|seconds| stage.map_at(seconds)), [0, 1, 2]);
}

#[test]
fn nearest_image_is_suggested_for_scripts() {
    let found = look("models/gun { { map models/skinn.tga } }", &["models/skin.tga"], "models/gun", Origin::Model);
    assert_eq!(found.suggestion.unwrap().path, "models/skin.tga");
}
