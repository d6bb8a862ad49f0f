//! Words of shader scripts: comments, several directives in a line, and the words of each engine.

use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};
use maquette_assets::engines::KnownEngine;
use maquette_assets::material::{
    AlphaSource, Blend, ColourSource, DrawnFaces, ImageLoading, InGame, Kind, Material, MaterialResolver, Origin,
    ResolveContext, Scripts, SurfaceMaterial, TextureWrap,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::Format;

/// Parses the definition `m` of a script.
fn parsed(script: &str) -> (Material, Vec<String>) {
    let vfs = Vfs::in_memory([("scripts/x.shader".to_owned(), script.as_bytes().to_vec().leak() as &[u8])].into());
    let mut warnings = Warnings::default();
    let found = Scripts::from_vfs(&vfs).find("m", Kind::Quake3, &mut warnings).unwrap();
    (found.material, warnings.into_vec().iter().map(ToString::to_string).collect())
}

fn body(text: &str) -> (Material, Vec<String>) {
    parsed(&format!("m\n{{\n{text}\n}}\n"))
}

fn images(material: &Material) -> Vec<String> {
    material.stages.iter().flat_map(|stage| &stage.maps).map(|map| map.program.words()).collect()
}

/// Resolves `m` for the model `path`, with these files and the images `a.tga` and `b.tga`.
fn look(script: &str, path: &str, format: Format, files: &[&str]) -> (SurfaceMaterial, Vec<String>) {
    let mut png = Cursor::new(Vec::new());
    RgbaImage::from_pixel(2, 2, Rgba([255, 0, 0, 255])).write_to(&mut png, ImageFormat::Png).unwrap();
    let image: &'static [u8] = png.into_inner().leak();
    let mut all = vec![("scripts/x.shader".to_owned(), script.as_bytes().to_vec().leak() as &[u8])];
    all.extend(["a.tga", "b.tga"].map(|name| (name.to_owned(), image)));
    all.extend(files.iter().map(|name| ((*name).to_owned(), b"".as_slice())));
    let vfs = Vfs::in_memory(all);
    let search = ResolveContext::new(ImageLoading::Decode);
    let mut warnings = Warnings::default();
    let engine = KnownEngine::for_model(&vfs, path, format);
    let found = MaterialResolver::new(&vfs, path, format, engine, &search).material("m", Origin::Model, &mut warnings);
    (found, warnings.into_vec().iter().map(ToString::to_string).collect())
}

/// ioquake3 `q_shared.c`, `COM_Compress`: comments are removed wherever they stand.
#[test]
fn comment_ends_the_word_before_it() {
    let (material, warnings) = parsed(
        "m//name\n{\ncull none//both\n{\nmap a.tga// image\nblendFunc add/*x*/\n}\n{/*second*/map b.tga/*y*/\n}//end\n}",
    );
    assert_eq!((warnings, images(&material)), (vec![], vec!["a.tga".to_owned(), "b.tga".to_owned()]));
    assert_eq!((material.sides, material.stages[0].blend), (DrawnFaces::Both, Some(Blend::ADD)));
    // Quoted text has no comments.
    assert_eq!(images(&body("{\nmap \"a//b.tga\"\n}").0), ["a//b.tga"]);
}

/// ioquake3 `tr_shader.c`, `ParseStage`: a directive reads its arguments only, and the next word begins another.
#[test]
fn line_may_hold_several_directives() {
    let (material, warnings) =
        body("cull none nomipmaps { clampMap a.tga blendFunc gl_one gl_one rgbGen const ( 0.5 1 0 ) depthWrite }");
    let stage = &material.stages[0];
    assert_eq!((warnings, material.sides, stage.mipmaps), (vec![], DrawnFaces::Both, false));
    assert_eq!((stage.blend, stage.wrap, stage.writes_depth), (Some(Blend::ADD), TextureWrap::Clamp, true));
    assert_eq!(stage.colour, ColourSource::Constant([0.5, 1.0, 0.0]));
    let (extra, warnings) = body("{\nmap a.tga b.tga\n}");
    assert_eq!(warnings, ["scripts/x.shader line 4: unknown directive “b.tga” skipped"]);
    assert_eq!(extra.rejected_for, Some(("unknown directive “b.tga”".to_owned(), 0)));
    // The words after invalid arguments are directives in the game, too.
    let (invalid, warnings) = body("{\nmap a.tga\nrgbGen nonsense 2 3\n}");
    assert_eq!(warnings, ["scripts/x.shader line 5: unknown “rgbGen nonsense” skipped"]);
    assert_eq!(invalid.rejected_for, Some(("unknown directive “2”".to_owned(), 0)));
    // These take the rest of the line.
    let (rest, warnings) = body("q3map_surfacelight 5 6\ntessSize 64 8\n{\nmap a.tga\ntcMod scroll 1 1 2\n}");
    assert_eq!((warnings, rest.rejected_for), (vec![], None));
}

/// Daemon `tr_shader.cpp`, `ParseStage`: `stage`; unknown words are skipped with a warning.
#[test]
fn daemon_skips_unknown_words_and_draws_the_rest() {
    let path = "res.dpkdir/models/m.iqm";
    let script = "m\n{\nparallaxMap x.tga\n{\nstage diffuseMap\nmap a.tga\nlinear\ncolor 1, 0.5, 0, 1\nwobble 3\n}\n\
        {\nstage specularMap\nmap b.tga\n}\n}\n";
    let (found, warnings) = look(script, path, Format::Iqm, &[]);
    assert_eq!((found.in_game, found.path.as_str()), (InGame::Whole, "a.tga"));
    assert_eq!(warnings, ["scripts/x.shader line 9: unknown directive “wobble” skipped"]);
    assert_eq!(found.definition.stages.len(), 1);
    let relief = found.definition.stages[0].relief.as_ref().unwrap();
    assert_eq!(relief.specular.as_ref().unwrap().path, "b.tga");
    let (reflection, _) = body("{\nstage reflectionMap\nmap env/x\n}\n{\nblend diffuseMap\nmap a.tga\n}");
    assert_eq!((images(&reflection), reflection.rejected_for), (vec!["a.tga".to_owned()], None));
}

/// DarkPlaces `model_shared.c`, `Mod_LoadQ3Shaders`: `dp…`, `animclampmap`; other words are ignored.
#[test]
fn word_of_darkplaces_identifies_its_shader() {
    let script = "m\n{\ndpglossintensitymod 2\ndp_offsetmapping none\nwobble\n{\nmap a.tga\n}\n}\n";
    let (found, warnings) = look(script, "models/m.md3", Format::Md3, &[]);
    assert_eq!((found.in_game, found.path.as_str()), (InGame::Whole, "a.tga"));
    assert_eq!(warnings, ["scripts/x.shader line 5: unknown directive “wobble” skipped"]);
    let (moving, warnings) =
        look("m\n{\n{\nanimClampMap 4 a.tga b.tga\n}\n}\n", "models/m.md3", Format::Md3, &["progs.dat"]);
    let stage = &moving.definition.stages[0];
    assert_eq!((warnings.len(), moving.in_game, stage.maps.len()), (0, InGame::Whole, 2));
    assert_eq!((stage.wrap, stage.rate), (TextureWrap::Clamp, 4.0));
}

/// qfusion `r_shader.c`, `Shaderpass_Celshade`: base, cube, diffuse, decal; base and diffuse are multiplied.
#[test]
fn cel_shaded_stage_draws_its_base() {
    let (found, warnings) = look("m\n{\n{\ncelshade a.tga env/cell - b.tga\n}\n}\n", "models/m.md3", Format::Md3, &[]);
    let stages = &found.definition.stages;
    assert_eq!((warnings.len(), found.in_game, found.path.as_str()), (0, InGame::Whole, "a.tga"));
    assert_eq!((stages[0].blend, stages[0].colour.clone()), (None, ColourSource::Light));
    assert_eq!(stages[1].blend, Some(Blend::ADD), "the decal has no alpha");
    let tinted = body("{\ncelshade a.tga env/cell b.tga\n}").0;
    assert_eq!((images(&tinted), tinted.stages[1].blend), (vec!["a.tga".into(), "b.tga".into()], Some(Blend::FILTER)));
    assert_eq!(images(&body("{\ncelshade $whiteImage env/cell b.tga\n}").0), ["b.tga"]);
}

/// qfusion `r_program.c` (`RB_BindCelshadeTexture`, `RB_RenderMeshGLSL_Material`): images without alpha are added, others
/// are mixed by their alpha.
#[test]
fn decal_with_alpha_is_mixed_by_alpha() {
    let encoded = |alpha| {
        let mut png = Cursor::new(Vec::new());
        RgbaImage::from_pixel(2, 2, Rgba([255, 0, 0, alpha])).write_to(&mut png, ImageFormat::Png).unwrap();
        png.into_inner()
    };
    for (alpha, expected) in [(128, Blend::ALPHA), (255, Blend::ADD)] {
        for line in ["celshade a.tga env/cell - b.tga", "material a.tga - - b.tga"] {
            let script = format!("m\n{{\n{{\n{line}\n}}\n}}\n");
            let files = [("scripts/x.shader", script.into_bytes()), ("a.tga", encoded(255)), ("b.tga", encoded(alpha))];
            let files = files.map(|(name, bytes)| (name.to_owned(), bytes.leak() as &[u8]));
            let vfs = Vfs::in_memory(files.to_vec());
            let search = ResolveContext::new(ImageLoading::Decode);
            let mut resolver = MaterialResolver::new(&vfs, "models/m.md3", Format::Md3, None, &search);
            let found = resolver.material("m", Origin::Model, &mut Warnings::default());
            assert_eq!(found.definition.stages.last().unwrap().blend, Some(expected), "{line} {alpha}");
        }
    }
}

/// RTCW `tr_shader.c`, OpenJK `tr_shader.cpp`: words of their own; an unknown word rejects the shader.
#[test]
fn quake3_engines_reject_words_of_other_engines() {
    let whole =
        ["{\nmap32 a.tga\nfog off\n}", "{\nmap a.tga\nglow\n}\nnotc\nlightColor ( 1 1 1 )", "{\nmap a.tga\n}\nnofog"];
    for text in whole {
        let (material, warnings) = body(text);
        assert_eq!((warnings, material.rejected_for), (vec![], None), "{text}");
    }
    let mixed = body("{\nmap32 a.tga\nglow\n}").0;
    assert_eq!(mixed.rejected_for, Some(("unknown directive “glow”".to_owned(), 0)));
}

/// ET: Legacy `tr_shader.c`, `ParseStage`: alpha, then the range of the normal's upward part, by default −1 to 1.
#[test]
fn normalzfade_has_an_alpha_and_a_range() {
    let of = |text: &str| {
        let (material, warnings) = body(&format!("{{\nmap a.tga\nalphaGen normalzfade {text}\n}}"));
        assert_eq!((warnings, material.rejected_for), (vec![], None), "{text}");
        material.stages[0].alpha.clone()
    };
    assert_eq!(of("0.5"), AlphaSource::NormalFade { alpha: 0.5, range: [-1.0, 1.0] });
    assert_eq!(of("1.0 -1.3 1.2"), AlphaSource::NormalFade { alpha: 1.0, range: [-1.3, 1.2] });
    assert_eq!(of("1.0 -1000 1"), AlphaSource::Constant(1.0));
}

/// Values of qfusion (`Shaderpass_RGBGen`), DarkPlaces and Enemy Territory.
#[test]
fn values_of_other_engines_are_known() {
    for text in [
        "rgbGen teamcolor 2",
        "rgbGen teamColorWave 2 sin 2.5 0 0 0",
        "tcMod swap",
        "blendFunc addalpha",
        "tcGen reflection",
    ] {
        let (material, warnings) = body(&format!("{{\nmap a.tga\n{text}\n}}"));
        assert_eq!((warnings, material.rejected_for), (vec![], None), "{text}");
    }
}

/// RTCW and qfusion `tr_shader.c`, `r_shader.c`: an engine skips the values of others. In Quake III's relatives, the
/// word after such a value then rejects the shader.
#[test]
fn value_of_other_engines_is_skipped_with_a_warning() {
    let of = |text: &str, folder: &str| {
        let script = format!("m\n{{\n{{\nmap a.tga\n{text}\n}}\n}}\n");
        look(&script, &format!("{folder}models/m.md3"), Format::Md3, &[])
    };
    let (found, warnings) = of("alphaGen normalzfade 0.5", "basewsw/");
    assert_eq!(warnings, ["scripts/x.shader line 5: unknown “alphagen normalzfade” skipped"]);
    assert_eq!((found.in_game, found.definition.stages[0].alpha.clone()), (InGame::Whole, AlphaSource::Constant(1.0)));
    let (found, warnings) = of("rgbGen teamColor 2", "basewsw/");
    assert_eq!((found.in_game, warnings), (InGame::Whole, vec![]));
}

/// Daemon `tr_shader.cpp` (`ParseStage`): `map` without an image rejects the shader. qfusion goes on.
#[test]
fn word_without_argument_rejects_shaders_of_some_engines() {
    let script = "m\n{\n{\nmap\n}\n{\nmap a.tga\n}\n}\n";
    let (found, _) = look(script, "res.dpkdir/models/m.iqm", Format::Iqm, &[]);
    assert_eq!(found.in_game, InGame::DefaultTexture);
    let (found, _) = look(script, "basewsw/models/m.iqm", Format::Iqm, &[]);
    assert_eq!(found.definition.rejected_for, None);
}

/// The surface is listed, and shows the image that the author means.
#[test]
fn script_without_a_drawn_stage_shows_its_first_image() {
    // Quake III `tr_shader.c`, `ParseShader`: the unknown word rejects the shader.
    let (found, _) = look("m\n{\n{\nfancyMap a.tga b.tga\n}\n}\n", "models/m.md3", Format::Md3, &[]);
    assert_eq!((found.path.as_str(), found.in_game, found.lacks_stages), ("a.tga", InGame::DefaultTexture, true));
    assert!(found.image.is_some() && !found.is_undrawn() && !found.is_missing());
    let problem = "scripts/x.shader line 1: no stage of the shader is drawn; it names the image a.tga";
    assert_eq!(found.problem().as_deref(), Some(problem));
    // `FinishShader`: a first stage without an image ends the list, so the game draws nothing.
    let (found, _) = look("m\n{\n{\nrgbGen vertex\n}\n{\nmap b.tga\n}\n}\n", "models/m.md3", Format::Md3, &[]);
    assert_eq!((found.path.as_str(), found.in_game), ("b.tga", InGame::Stages(0)));
    // DarkPlaces skips the word, and draws nothing.
    let (found, _) = look("m\n{\ndpwater 1\n{\nfancyMap none.tga\n}\n}\n", "models/m.md3", Format::Md3, &[]);
    assert_eq!((found.missing_image.as_deref(), found.in_game), (Some("none.tga"), InGame::Stages(0)));
    assert!(found.is_missing() && found.problem().is_some());
    // Nothing is wrong with these: no stage, no image of the surface, or a surface that is not drawn.
    for text in
        ["cull none", "qer_editorimage a.tga", "q3map_lightimage a.tga", "surfaceparm nodraw\n{\nfancyMap a.tga\n}"]
    {
        let (found, _) = look(&format!("m\n{{\n{text}\n}}\n"), "models/m.md3", Format::Md3, &[]);
        assert_eq!((found.lacks_stages, found.problem()), (false, None), "{text}");
    }
}
