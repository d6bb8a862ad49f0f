//! Quake III shader scripts: name lookup, directives, and animation over time.
//!
//! Expected numbers are calculated by hand from the games' formulas. Times are in seconds, angles in degrees.

mod images;
mod motion;
mod survival;

use motion::{PLAIN, TURNED, deformed, deformed_by};

use std::f32::consts::{FRAC_1_SQRT_2, TAU};
use std::io::Cursor;

use glam::{Vec2, Vec3};
use image::{ImageFormat, RgbaImage};
use maquette_assets::material::{
    AlphaSource, AlphaTest, Blend, ColourSource, Coordinates, Deform, DrawnFaces, Factor, ImageLoading, ImageProgram,
    InGame, Kind, Material, MaterialResolver, Origin, ResolveContext, Scripts, Stage, SurfaceMaterial, TextureWrap,
    Viewpoint, Wave, Waveform, warps,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::{Format, Surface};
use proptest::prelude::*;
use proptest::sample::Index;

use maquette_testing::memory::peak_of;

fn vfs_of(files: &[(&str, &str)]) -> Vfs {
    let leaked = |text: &str| -> &'static [u8] { text.as_bytes().to_vec().leak() };
    Vfs::in_memory(files.iter().map(|(path, text)| ((*path).to_owned(), leaked(text))).collect())
}

/// Returns the definition of `name`, and the warnings.
fn read(files: &[(&str, &str)], name: &str) -> (Option<Material>, Vec<String>) {
    let mut warnings = Warnings::default();
    let found = Scripts::from_vfs(&vfs_of(files)).find(name, Kind::Quake3, &mut warnings);
    (found.map(|found| found.material), warnings.into_vec().iter().map(ToString::to_string).collect())
}

/// Parses a definition whose body starts in line 3 of `scripts/x.shader`.
fn parsed(body: &str) -> (Material, Vec<String>) {
    let (material, warnings) = read(&[("scripts/x.shader", &format!("m\n{{\n{body}\n}}\n"))], "m");
    (material.unwrap(), warnings)
}

#[track_caller]
fn material(body: &str) -> Material {
    let (material, warnings) = parsed(body);
    assert!(warnings.is_empty(), "{body}: {warnings:?}");
    material
}

/// Returns a stage with an image and these directives.
#[track_caller]
fn stage(lines: &str) -> Stage {
    let stages = material(&format!("{{\nmap a.tga\n{lines}\n}}")).stages;
    assert_eq!(stages.len(), 1);
    stages.into_iter().next().unwrap()
}

fn asked_for(stage: &Stage) -> Vec<String> {
    stage.maps.iter().map(|map| map.program.words()).collect()
}

#[track_caller]
fn near(a: impl AsRef<[f32]>, b: impl AsRef<[f32]>) {
    let (a, b) = (a.as_ref(), b.as_ref());
    assert!(a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-4), "{a:?} is not {b:?}");
}

/// Returns the number of stages, which identifies a definition here.
fn stages_of(files: &[(&str, &str)], name: &str) -> Option<usize> {
    read(files, name).0.map(|material| material.stages.len())
}

#[test]
fn conditional_map_is_chosen_as_by_a_modern_card() {
    let stages = |lines: &str| -> Vec<String> {
        material(&format!("{{\n{lines}\n}}")).stages.iter().flat_map(asked_for).collect()
    };
    assert_eq!(stages("map16 a.tga\nmap32 b.tga"), ["b.tga"]);
    assert_eq!(stages("map32 b.tga\nmap16 a.tga"), ["b.tga"]);
    assert_eq!(stages("mapComp a.tga\nmapNoComp b.tga"), ["b.tga"]);
    assert_eq!(stages("mapNoComp b.tga\nmapComp a.tga"), ["b.tga"]);
    assert_eq!(stages("mapComp a.tga"), ["a.tga"]);
    assert_eq!(stages("map c.tga\nmapComp a.tga"), ["c.tga"]);
    assert_eq!(stages("animMapComp 2 a.tga\nanimMapNoComp 4 b.tga c.tga"), ["b.tga", "c.tga"]);
    // A stage with a map for 16 bits alone has no image.
    assert!(stages("map16 a.tga").is_empty());
}

#[test]
fn shader_name_ignores_case_slashes_and_extension() {
    let files = [("scripts/x.shader", "Models/Gun.v2/Skin\n{\n{\nmap a.tga\n}\n}\n")];
    for name in ["models/gun.v2/skin", "models/gun.v2/skin.tga", "MODELS\\GUN.V2\\SKIN.JPG", "models/gun.v2\\Skin.x"] {
        assert_eq!(stages_of(&files, name), Some(1), "{name}");
    }
    for name in ["models/gun", "models/gun.v2", "skin.tga", "models/gun.v2/skin.tga.tga", ""] {
        assert_eq!(stages_of(&files, name), None, "{name}");
    }
}

/// The searched name loses its last extension; the name in the script does not.
#[test]
fn dot_in_definition_name_is_kept() {
    let files = [("scripts/x.shader", "models/skin.a\n{\n{\nmap a.tga\n}\n}\n")];
    assert_eq!(stages_of(&files, "models/skin.a.tga"), Some(1));
    assert_eq!(stages_of(&files, "models/skin.tga"), None);
    assert_eq!(stages_of(&files, "models/skin"), None);
}

#[test]
fn last_file_and_first_definition_in_file_win() {
    let one = "m\n{\n{\nmap a.tga\n}\n}\n";
    let two = "m\n{\n{\nmap a.tga\n}\n{\nmap b.tga\n}\n}\n";
    assert_eq!(stages_of(&[("scripts/a.shader", one), ("scripts/b.shader", two)], "m"), Some(2));
    assert_eq!(stages_of(&[("scripts/b.shader", one), ("scripts/a.shader", two)], "m"), Some(1));
    assert_eq!(stages_of(&[("scripts/a.shader", &format!("{one}{two}"))], "m"), Some(1));
    assert_eq!(stages_of(&[("scripts/a.shader", &format!("{two}M\n{{\n}}\n"))], "m"), Some(2));
    // Wolfcam `tr_shader.c`, `ScanAndLoadShaderFiles`: `shaderoverride` before `scripts`.
    assert_eq!(stages_of(&[("shaderoverride/a.shader", two), ("scripts/b.shader", one)], "m"), Some(2));
    assert_eq!(stages_of(&[("Scripts/A.SHADER", one), ("scripts/b.txt", two), ("b.shader", two)], "m"), Some(1));
}

#[test]
fn overlong_definition_is_skipped_with_warning() {
    let script = format!("long\n{{\n{}}}\nshort\n{{\ncull none\n}}\n", "cull none\n".repeat(14_000));
    let files = [("scripts/a.shader", script.as_str())];
    let (found, warnings) = read(&files, "long");
    assert!(
        found.is_none() && warnings.iter().any(|line| line.contains("is longer than 131072 bytes")),
        "{warnings:?}"
    );
    let (found, warnings) = read(&files, "short");
    assert!(found.is_some() && warnings.is_empty(), "{warnings:?}");
}

#[test]
fn brackets_need_no_spaces_and_any_line_end_works() {
    let lines = ["m", "{", "cull none", "{", "map a.tga", "blendFunc add", "}", "}", "n", "{", "sort 7", "}"];
    let glued = "m{cull none\n{map a.tga\nblendFunc add}}n{sort 7}".to_owned();
    for text in [lines.join("\n"), lines.join("\r\n"), lines.join("\r"), glued] {
        let files = [("scripts/x.shader", text.as_str())];
        let (first, second) = (read(&files, "m").0.unwrap(), read(&files, "n").0.unwrap());
        assert_eq!((first.sides, first.stages.len(), second.sort), (DrawnFaces::Both, 1, 7.0), "{text:?}");
        assert_eq!((asked_for(&first.stages[0]), first.stages[0].blend), (vec!["a.tga".to_owned()], Some(Blend::ADD)));
    }
}

#[test]
fn comments_hide_directives_and_brackets() {
    let material = material(
        "// } cull none\n/* sort 7 }\n} */ sort 8 // 9\n{ // {\nmap a.tga /* b.tga */\n// blendFunc add\n}\n{\nmap /* c.tga */ d.tga\n}",
    );
    assert_eq!((material.sides, material.sort, material.stages.len()), (DrawnFaces::Front, 8.0, 2));
    assert_eq!(material.stages.iter().flat_map(asked_for).collect::<Vec<_>>(), ["a.tga", "d.tga"]);
    assert_eq!(material.stages[0].blend, None);
}

#[test]
fn cull_sets_drawn_faces() {
    for (sides, words) in [
        (DrawnFaces::Both, &["none", "twosided", "disable", "NONE"][..]),
        (DrawnFaces::Back, &["back", "backside", "backsided"]),
        (DrawnFaces::Front, &["front", "frontside", "frontsided"]),
    ] {
        words.iter().for_each(|word| assert_eq!(parsed(&format!("cull {word}")).0.sides, sides, "{word}"));
    }
    assert_eq!(material("").sides, DrawnFaces::Front);
    let (odd, warnings) = parsed("cull none\ncull sideways");
    assert_eq!((odd.sides, warnings.len()), (DrawnFaces::Front, 1));
}

#[test]
fn sort_accepts_names_and_numbers_else_default() {
    let words = [("portal", 1.0), ("sky", 2.0), ("opaque", 3.0), ("decal", 4.0), ("seeThrough", 5.0), ("banner", 6.0)];
    let more = [("underwater", 8.0), ("additive", 10.0), ("nearest", 16.0), ("7", 7.0), ("12.5", 12.5)];
    let unknown = [("blend", 9.0), ("fog", 9.0), ("whatever", 9.0), ("0", 9.0)];
    for (word, number) in words.into_iter().chain(more).chain(unknown) {
        let blended = parsed(&format!("sort {word}\n{{\nmap a.tga\nblendFunc blend\n}}")).0;
        assert_eq!(blended.sort, number, "{word}");
    }
}

#[test]
fn first_stage_decides_default_sort() {
    let sorted = |head: &str, lines: &str| {
        material(&format!("{head}\n{{\nmap a.tga\n{lines}\n}}\n{{\nmap b.tga\nblendFunc add\n}}")).sort
    };
    assert_eq!(sorted("", ""), 3.0);
    assert_eq!(sorted("", "blendFunc GL_ONE GL_ZERO"), 3.0);
    assert_eq!(sorted("", "blendFunc add"), 9.0);
    assert_eq!(sorted("", "blendFunc add\ndepthWrite"), 5.0);
    assert_eq!(sorted("polygonOffset", ""), 4.0);
    assert_eq!(sorted("polygonOffset", "blendFunc add"), 4.0);
    assert_eq!(sorted("polygonOffset\nsort additive", ""), 10.0);
    assert!(material("polygonOffset").is_decal && !material("").is_decal);
}

#[test]
fn general_directives_are_parsed() {
    let stops = material("clampTime 2.5");
    assert_eq!((stops.time(1.0), stops.time(2.5), stops.time(1e6)), (1.0, 2.5, 2.5));
    assert_eq!(material("").time(1e6), 1e6);
    assert!(stage("").mipmaps);
    assert!(material("nomipmaps\n{\nmap a.tga\n}\n{\nmap b.tga\n}").stages.iter().all(|stage| !stage.mipmaps));
    assert!(material("nopicmip\n{\nmap a.tga\n}").stages[0].mipmaps);
    assert!(material("surfaceparm nodraw").no_draw && !material("surfaceparm trans").no_draw);
    assert_eq!(material("qer_editorimage textures/e.tga").editor_image.as_deref(), Some("textures/e.tga"));
    material(
        "qer_trans 0.5\nq3map_lightimage a.tga\ntessSize 64\nlight 1\nfogparms ( 1 1 1 ) 5\nskyparms - 512 -\nportal\nentityMergable",
    );
}

#[test]
fn implicit_map_applies_without_stages() {
    let map = material("implicitMap models/tree.tga");
    assert_eq!(asked_for(&map.stages[0]), ["models/tree.tga"]);
    assert_eq!((map.stages[0].blend, map.stages[0].writes_depth, map.sides), (None, true, DrawnFaces::Front));
    let blend = material("implicitBlend models/tree.tga");
    assert_eq!((blend.stages[0].blend, blend.stages[0].writes_depth), (Some(Blend::ALPHA), true));
    assert_eq!((blend.sides, blend.sort), (DrawnFaces::Both, 5.0));
    let mask = material("implicitMask -");
    assert_eq!((&mask.stages[0].alpha_test, mask.stages[0].blend), (&AlphaTest::Half, None));
    assert_eq!((mask.sides, mask.sort, asked_for(&mask.stages[0])), (DrawnFaces::Both, 3.0, vec!["m".to_owned()]));
    assert_eq!(asked_for(&material("implicitMap").stages[0]), ["m"]);
    let given = material("implicitMap b.tga\n{\nmap a.tga\n}");
    assert_eq!((given.stages.len(), asked_for(&given.stages[0])), (1, vec!["a.tga".to_owned()]));
}

#[test]
fn blend_func_accepts_names_and_pairs_else_warns() {
    use Factor::*;
    let of = |source, destination| Some(Blend { source, destination });
    let pairs = [
        ("add", of(One, One)),
        ("filter", of(DestinationColour, Zero)),
        ("BLEND", of(SourceAlpha, OneMinusSourceAlpha)),
        ("GL_ONE GL_ZERO", None),
        ("gl_zero gl_one", of(Zero, One)),
        ("GL_DST_COLOR GL_SRC_COLOR", of(DestinationColour, SourceColour)),
        ("GL_ONE_MINUS_DST_COLOR GL_ONE_MINUS_SRC_COLOR", of(OneMinusDestinationColour, OneMinusSourceColour)),
        ("GL_SRC_ALPHA GL_SRC_ALPHA", of(SourceAlpha, SourceAlpha)),
        ("GL_ONE_MINUS_SRC_ALPHA GL_ONE_MINUS_SRC_ALPHA", of(OneMinusSourceAlpha, OneMinusSourceAlpha)),
        ("GL_SRC_ALPHA_SATURATE GL_ONE", of(SourceAlphaSaturate, One)),
        ("GL_DST_ALPHA GL_DST_ALPHA", of(One, One)),
        ("GL_SRC_ALPHA GL_ONE_MINUS_DST_ALPHA", of(SourceAlpha, Zero)),
        ("GL_ONE_MINUS_DST_ALPHA GL_SRC_ALPHA", of(Zero, SourceAlpha)),
    ];
    for (words, blend) in pairs {
        assert_eq!(stage(&format!("blendFunc {words}")).blend, blend, "{words}");
    }
    for words in ["screen", "GL_SRC_COLOR GL_ONE", "GL_ONE GL_DST_COLOR", "GL_ONE GL_SRC_ALPHA_SATURATE", "GL_ONE", ""]
    {
        let (odd, warnings) = parsed(&format!("{{\nmap a.tga\nblendFunc {words}\n}}"));
        assert_eq!((odd.stages.len(), warnings.len()), (1, 1), "{words}");
    }
}

#[test]
fn blended_stage_writes_depth_only_on_request() {
    assert!(stage("").writes_depth && stage("blendFunc GL_ONE GL_ZERO").writes_depth);
    assert!(!stage("blendFunc add").writes_depth && !stage("blendFunc GL_ZERO GL_ONE").writes_depth);
    assert!(stage("blendFunc add\ndepthWrite").writes_depth && stage("depthWrite\nblendFunc add").writes_depth);
    assert!(!stage("").at_equal_depth && !stage("depthFunc lequal").at_equal_depth);
    assert!(stage("depthFunc EQUAL").at_equal_depth);
}

#[test]
fn alpha_func_has_three_tests() {
    for (word, test) in [("GT0", AlphaTest::Some), ("lt128", AlphaTest::Less), ("GE128", AlphaTest::Half)] {
        assert_eq!(stage(&format!("alphaFunc {word}")).alpha_test, test);
    }
    assert_eq!(stage("").alpha_test, AlphaTest::None);
}

#[test]
fn anim_map_shows_images_at_its_rate() {
    let three = material("{\nanimMap 4 a.tga b.tga c.tga\n}").stages.remove(0);
    assert_eq!(asked_for(&three), ["a.tga", "b.tga", "c.tga"]);
    // ⌊4t⌋ mod 3.
    let shown = [0.0, 0.24, 0.25, 0.5, 0.75, 1.0, 1.49, 100.0].map(|seconds| three.map_at(seconds));
    assert_eq!(shown, [0, 0, 1, 2, 0, 1, 2, 1]);
    assert_eq!(stage("").map_at(100.0), 0);
    let eight = material("{\nanimMap 1 0 1 2 3 4 5 6 7\n}").stages.remove(0);
    assert_eq!((eight.maps.len(), eight.map_at(7.5), eight.map_at(8.5)), (8, 7, 0));
}

#[test]
fn map_repeats_clamps_or_is_white() {
    let map = |line: &str| material(&format!("{{\n{line}\n}}")).stages.remove(0);
    assert_eq!((map("map a.tga").wrap, map("clampmap a.tga").wrap), (TextureWrap::Repeat, TextureWrap::Clamp));
    for line in ["map $whiteimage", "map $lightmap", "clampMap $WhiteImage", "videoMap intro.roq"] {
        assert_eq!(map(line).maps[0].program, ImageProgram::White, "{line}");
    }
    assert_eq!(map("MAP Models/A.tga").maps[0].program, ImageProgram::Named("Models/A.tga".to_owned()));
}

#[test]
fn rgbgen_sets_stage_colour() {
    for word in ["identity", "identityLighting", "entity", "vertex", "exactVertex"] {
        let stage = stage(&format!("rgbGen {word}"));
        near(stage.shade(1.0), [1.0; 4]);
        assert!(word.contains("ertex") || !stage.is_lit(), "{word}");
    }
    assert!(!stage("").is_lit() && stage("rgbGen lightingDiffuse").is_lit());
    near(stage("").shade(0.0), [1.0; 4]);
    near(stage("rgbGen oneMinusEntity").shade(0.0), [0.0, 0.0, 0.0, 1.0]);
    assert_eq!(stage("rgbGen oneMinusEntity").colour, ColourSource::Black);
}

#[test]
fn alphagen_sets_stage_alpha() {
    for word in ["identity", "entity", "vertex"] {
        near(stage(&format!("alphaGen {word}")).shade(1.0), [1.0; 4]);
    }
    near(stage("alphaGen oneMinusEntity").shade(0.0), [1.0, 1.0, 1.0, 0.0]);
    assert_eq!(stage("alphaGen lightingSpecular").alpha, AlphaSource::Specular);
    assert_eq!(stage("alphaGen portal 512").alpha, AlphaSource::Distance(512.0));
    // Other colour sources leave alpha unchanged.
    near(stage("rgbGen wave square 0 0 0 1").shade(0.0), [0.0, 0.0, 0.0, 1.0]);
}

/// The engine multiplies by 255 and cuts the fraction: 0.5 · 255 = 127.5, 0.25 · 255 = 63.75, 0.999 · 255 = 254.7,
/// 0.1 · 255 = 25.5.
#[test]
fn constant_colours_truncate_to_bytes() {
    let shade = stage("rgbGen const ( 0.5 0.25 0.999 )\nalphaGen const 0.1").shade(5.0);
    near(shade, [127.0 / 255.0, 63.0 / 255.0, 254.0 / 255.0, 25.0 / 255.0]);
    near(stage("rgbGen const ( 1 0 7 )\nalphaGen const -1").shade(5.0), [1.0, 0.0, 1.0, 0.0]);
}

#[test]
fn colour_and_alpha_waves_are_clamped() {
    let stage = stage("rgbGen wave sin 0.5 1 0 1\nalphaGen wave sawtooth 0 1 0 0.5");
    near(stage.shade(0.0), [127.0 / 255.0, 127.0 / 255.0, 127.0 / 255.0, 0.0]);
    near(stage.shade(0.25), [1.0, 1.0, 1.0, 31.0 / 255.0]); // 0.5 + 1; 0.125 · 255 = 31.9
    near(stage.shade(0.75), [0.0, 0.0, 0.0, 95.0 / 255.0]); // 0.5 − 1; 0.375 · 255 = 95.6
    near(stage.shade(1.5), [127.0 / 255.0, 127.0 / 255.0, 127.0 / 255.0, 191.0 / 255.0]);
}

#[test]
fn waveforms_match_the_game_tables() {
    let at = |form: Waveform| [0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 0.875, 1.0, 3.25, -0.25].map(|x| form.at(x));
    let r = FRAC_1_SQRT_2;
    near(at(Waveform::Sine), [0.0, r, 1.0, r, 0.0, -1.0, -r, 0.0, 1.0, -1.0]);
    near(at(Waveform::Triangle), [0.0, 0.5, 1.0, 0.5, 0.0, -1.0, -0.5, 0.0, 1.0, -1.0]);
    near(at(Waveform::Square), [1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0]);
    near(at(Waveform::Sawtooth), [0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 0.875, 0.0, 0.25, 0.75]);
    near(at(Waveform::InverseSawtooth), [1.0, 0.875, 0.75, 0.625, 0.5, 0.25, 0.125, 1.0, 0.75, 0.25]);
    // The games use a table of 1024 steps without interpolation.
    near([Waveform::Sawtooth.at(0.9 / 1024.0), Waveform::Sawtooth.at(1.1 / 1024.0)], [0.0, 1.0 / 1024.0]);
    assert_eq!(
        (Waveform::named("SIN"), Waveform::named("inverseSawtooth")),
        (Some(Waveform::Sine), Some(Waveform::InverseSawtooth))
    );
}

#[test]
fn wave_is_base_plus_scaled_waveform() {
    let wave = Wave { form: Waveform::Sine, base: 1.0, amplitude: 2.0, phase: 0.25, frequency: 2.0 };
    near([0.0, 0.125, 0.25, 0.5, 100.0].map(|seconds| wave.at(seconds)), [3.0, 1.0, -1.0, 3.0, 3.0]);
    near([wave.at_phase(0.125, 0.25), wave.at_phase(0.0, -0.25)], [-1.0, 1.0]);
}

#[test]
fn stage_without_map_ends_the_stage_list() {
    let cut = parsed("{\nmap a.tga\n}\n{\nblendFunc add\n}\n{\nmap b.tga\n}").0;
    assert_eq!(cut.stages.iter().flat_map(asked_for).collect::<Vec<_>>(), ["a.tga"]);
    assert!(parsed("{\nrgbGen identity\n}\n{\nmap b.tga\n}").0.stages.is_empty());
}

#[test]
fn unknown_directive_is_reported_and_rest_is_parsed() {
    let (odd, warnings) =
        parsed("frobnicate 1 2 3\ncull none\n{\nmap a.tga\nwobble { }\nblendFunc add\n}\n{\nmap b.tga\n}");
    assert_eq!((odd.sides, odd.stages.len()), (DrawnFaces::Both, 2));
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("scripts/x.shader line 3: ") && warnings[0].contains("frobnicate"), "{warnings:?}");
    assert!(warnings[1].starts_with("scripts/x.shader line 7: ") && warnings[1].contains("wobble"), "{warnings:?}");
    assert_eq!((asked_for(&odd.stages[0]), odd.stages[0].blend), (vec!["a.tga".to_owned()], Some(Blend::ADD)));
    // Directives of other games without a visible effect.
    material("{\nmap a.tga\ndetail\nglow\nsurfaceSprites vertical 1 2 3 4\n}");
}

#[test]
fn template_is_continued_with_its_values() {
    // Two lines of Warsow's scripts. `Shader_Template`: the body of the other definition takes the place of the rest.
    let weapons = "flat\n{\n{\nmap $whiteImage\nrgbGen const $1 $2 $3\n}\n}\n\
        gun { template flat 0.25 0.5 1 }\n";
    let (gun, warnings) = read(&[("scripts/a.shader", weapons)], "gun");
    let gun = gun.unwrap();
    assert!(warnings.is_empty() && gun.stages.len() == 1, "{warnings:?}");
    assert_eq!(gun.stages[0].colour, ColourSource::Constant([0.25, 0.5, 1.0]));
    let hits = "hit\n{\ncull none\n{\nmap first.tga\n}\ntemplate Hit_Template bullet\n{\nmap never.tga\n}\n}\n";
    let other = "hit_template\n{\n{\nmap hits/$1/$1$2.tga\nblendFunc add\n}\nfog $9\n}\n";
    let (hit, warnings) = read(&[("scripts/b.shader", hits), ("scripts/c.shader", other)], "hit");
    let hit = hit.unwrap();
    assert_eq!(hit.stages.iter().flat_map(asked_for).collect::<Vec<_>>(), ["first.tga", "hits/bullet/bullet$2.tga"]);
    assert_eq!((hit.sides, hit.stages[1].blend), (DrawnFaces::Both, Some(Blend::ADD)));
    // An unknown word of the template has the directive's line, and the engine skips the word.
    assert_eq!((warnings.len(), &hit.rejected_for), (1, &None), "{warnings:?}");
    assert!(warnings[0].starts_with("scripts/b.shader line 7: "), "{warnings:?}");
}

#[test]
fn unknown_and_endless_templates_are_reported_or_end() {
    let (gone, warnings) = parsed("cull none\ntemplate nothing 1");
    assert_eq!((gone.sides, gone.stages.len()), (DrawnFaces::Both, 0));
    assert_eq!(warnings, ["scripts/x.shader line 4: unknown template “nothing” skipped"]);
    assert!(parsed("template").1.is_empty());
    // A template that contains itself ends.
    assert!(parsed("{\nmap a.tga\n}\ntemplate m $1 $1").0.stages.len() < 8);
    let text = format!("m {{ template t {} }}\nt {{ {} }}", "x".repeat(60_000), "$1 ".repeat(40_000));
    let (_, warnings) = read(&[("scripts/x.shader", &text)], "m");
    assert!(warnings[0].contains("template “t” skipped; it has more than"), "{warnings:?}");
}

#[test]
fn false_conditions_skip_their_stages() {
    let maps = |condition: &str| -> Vec<String> {
        let body = format!("if {condition}\n{{\nmap a.tga\n}}\nif false\ncull none\nendif\nendif\n{{\nmap b.tga\n}}");
        material(&body).stages.iter().flat_map(asked_for).collect()
    };
    for condition in ["deluxe", "GLSL && maxTextureSize >= 512", "! false", "false || textureCubeMap == 1", "1"] {
        assert_eq!(maps(condition), ["a.tga", "b.tga"], "{condition}");
    }
    for condition in ["! deluxe", "GLSL && maxTextureUnits < 2", "nonsense", "0", "true && false"] {
        assert_eq!(maps(condition), ["b.tga"], "{condition}");
    }
    // Without `endif`, the rest is skipped.
    assert!(material("if false\n{\nmap a.tga\n}").stages.is_empty());
}

#[test]
fn material_directive_names_maps_for_lighting_and_glow() {
    // qfusion, `Shaderpass_Material`: base, normal, gloss, decal; a number before a map makes it a height map.
    let lit = material("{\nrgbGen vertex\nmaterial a.tga 2 a_norm.tga a_gloss.tga a_glow.tga b.tga\nrgbGen entity\n}");
    let relief = lit.stages[0].relief.as_ref().unwrap();
    let names = [&relief.bump, &relief.specular].map(|map| map.as_ref().unwrap().program.words());
    assert_eq!((names, asked_for(&lit.stages[0])), (["a_norm.tga".into(), "a_gloss.tga".into()], vec!["a.tga".into()]));
    assert_eq!(lit.stages[0].colour, ColourSource::Light);
    let glow = Blend::ADD;
    assert_eq!((asked_for(&lit.stages[1]), lit.stages[1].blend), (vec!["a_glow.tga".to_owned()], Some(glow)));
    let plain = material("{\nmaterial a.tga - $blankBumpImage a_glow.tga\n}");
    let relief = plain.stages[0].relief.as_ref().unwrap();
    assert!(relief.bump.is_none() && relief.specular.is_none() && plain.stages.len() == 2);
    // A map outside a stage is no directive of qfusion; there, `material` describes steps in Return to Castle Wolfenstein.
    assert!(material("material metal").stages.is_empty());
}

#[test]
fn bracket_on_the_line_of_tcmod_is_reported() {
    // ioquake3 `tr_shader.c`, `ParseStage`: a `tcMod` takes all words of its line, so the stage stays open.
    let (odd, warnings) = parsed("{\nmap a.tga\ntcMod scroll 1 0 }\n{\nmap b.tga\nblendFunc add }");
    assert_eq!(warnings, ["scripts/x.shader line 5: the game reads the “}” after “tcMod” as part of the directive"]);
    // Maquette shows what the author means; in the game, the next word is unknown and the shader is rejected.
    assert_eq!((odd.stages.len(), odd.rejected_for), (2, Some(("unknown directive “}”".to_owned(), 0))));
}

#[test]
fn map_without_image_rejects_the_shader() {
    // Quake III `tr_shader.c`, `ParseStage`: “missing parameter for 'map' keyword”.
    let (material, warnings) = parsed("{\nmap a.tga\n}\n{\nmap\nblendFunc add\n}");
    assert_eq!(material.rejected_for, Some(("“map” names no image".to_owned(), 1)));
    assert_eq!(warnings, ["scripts/x.shader line 7: “map” names no image"]);
}
