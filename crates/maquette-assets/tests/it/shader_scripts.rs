//! Quake III shader scripts: name lookup, directives, and animation over time.
//!
//! Expected numbers are calculated by hand from the games' formulas. Times are in seconds, angles in degrees.

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

/// The engine multiplies by 255 and cuts the fraction: 0.5 · 255 = 127.5, 0.25 · 255 = 63.75, 0.999 · 255 = 254.7, 0.1 · 255 = 25.5.
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

/// Returns the moved texture coordinate of a vertex at `position`.
#[track_caller]
fn moved(lines: &str, seconds: f64, uv: [f32; 2], position: [f32; 3]) -> [f32; 2] {
    let mut uv = Vec2::from(uv);
    let [x, y, z] = position;
    for warp in warps(&stage(lines).moves, seconds) {
        uv = warp.matrix.transform_point2(uv);
        let swing = |coordinate: f32| warp.amplitude * (TAU * (coordinate / 1024.0 + warp.phase)).sin();
        uv += Vec2::new(swing(x + z), swing(y));
    }
    uv.to_array()
}

#[test]
fn tcmod_scales_scrolls_stretches_and_transforms() {
    let at = |lines: &str, seconds, uv| moved(lines, seconds, uv, [0.0; 3]);
    near(at("", 9.0, [0.3, 0.7]), [0.3, 0.7]);
    near(at("tcMod scale 2 -3", 9.0, [0.5, 0.25]), [1.0, -0.75]);
    near(at("tcMod scroll 0.5 2.25", 3.0, [0.25, 0.0]), [0.75, 0.75]); // 1.5 and 6.75 modulo 1
    near(at("tcMod scroll 1 0.5", 1_000_000.25, [0.0, 0.0]), [0.25, 0.125]);
    near(at("tcMod transform 1 2 3 4 5 6", 9.0, [1.0, 10.0]), [36.0, 48.0]);
    // The wave is 2 for half a second, p = ½; then 4, p = ¼.
    near(at("tcMod stretch square 3 -1 0 1", 0.0, [1.0, 0.0]), [0.75, 0.25]);
    near(at("tcMod stretch square 3 -1 0 1", 0.5, [1.0, 0.0]), [0.625, 0.375]);
    near(at("tcMod entityTranslate", 9.0, [0.3, 0.7]), [0.3, 0.7]);
}

/// At 45 degrees per second the texture has turned by 90 degrees after two seconds: s' = t and t' = 1 − s.
#[test]
fn tcmod_rotate_turns_about_the_centre() {
    let at = |seconds, uv| moved("tcMod rotate 45", seconds, uv, [0.0; 3]);
    near(at(2.0, [1.0, 0.0]), [0.0, 0.0]);
    near(at(2.0, [0.0, 0.0]), [0.0, 1.0]);
    near(at(2.0, [0.5, 0.5]), [0.5, 0.5]);
    let half = FRAC_1_SQRT_2 / 2.0;
    near(at(1.0, [1.0, 0.5]), [0.5 + half, 0.5 - half]);
    near(at(8.0, [1.0, 0.0]), [1.0, 0.0]);
    near(moved("tcMod rotate -45", 2.0, [0.0, 0.0], [0.0; 3]), [1.0, 0.0]);
}

#[test]
fn tcmod_turb_depends_on_vertex_position() {
    let at = |position| moved("tcMod turb 9 0.1 0.25 1", 0.5, [0.5, 0.5], position);
    near(at([0.0; 3]), [0.4, 0.4]); // ¾ of a period
    near(at([256.0, 512.0, 0.0]), [0.5, 0.6]); // 1 and 1¼ periods
    near(at([128.0, 0.0, 384.0]), [0.6, 0.4]);
}

#[test]
fn tcmods_apply_in_script_order() {
    let at = |lines: &str| moved(lines, 1.0, [0.5, 0.5], [0.0; 3]);
    near(at("tcMod scale 2 2\ntcMod scroll 0.25 0"), [1.25, 1.0]);
    near(at("tcMod scroll 0.25 0\ntcMod scale 2 2"), [1.5, 1.0]);
    let turb = "tcMod turb 0 0.1 0.25 0";
    near(at(&format!("tcMod scale 2 2\n{turb}\ntcMod scale 3 3")), [3.3, 3.3]);
    near(at(&format!("{turb}\ntcMod scale 2 2\ntcMod scale 3 3")), [3.6, 3.6]);
    near(at(&format!("tcMod scale 2 2\ntcMod scale 3 3\n{turb}\n{turb}")), [3.2, 3.2]);
}

#[test]
fn tcgen_sets_coordinate_source() {
    for line in ["", "tcGen base", "texGen texture", "tcGen lightmap"] {
        assert_eq!(stage(line).coordinates, Coordinates::Model, "{line}");
    }
    assert_eq!(stage("tcGen environment").coordinates, Coordinates::Environment);
    let vectors = Coordinates::Vectors(Vec3::new(1.0, 0.0, -2.0), Vec3::new(0.0, 0.5, 0.0));
    assert_eq!(stage("tcGen vector ( 1 0 -2 ) ( 0 .5 0 )").coordinates, vectors);
}

/// Looks along +Y; left in the view is −X.
const EYE: Viewpoint = Viewpoint { forward: Vec3::Y, left: Vec3::NEG_X, up: Vec3::Z };

/// Applies deforms to four vertices. Returns positions and normals. The normals point along X; s is 0, ½, ½, 0.
fn deformed_by(deforms: &[Deform], seconds: f64, corners: Corners, triangles: [[u32; 3]; 2]) -> ([Vec3; 4], [Vec3; 4]) {
    let uvs = [[0.0, 0.0], [0.5, 0.0], [0.5, 1.0], [0.0, 1.0]].map(Vec2::from).to_vec();
    let surface = Surface { triangles: triangles.to_vec(), uvs, ..Surface::default() };
    let (mut positions, mut normals) = (corners.map(Vec3::from), [Vec3::X; 4]);
    deforms.iter().for_each(|deform| deform.apply(seconds, &EYE, &surface, &mut positions, &mut normals));
    (positions, normals)
}

fn deformed(body: &str, seconds: f64, corners: Corners, triangles: [[u32; 3]; 2]) -> ([Vec3; 4], [Vec3; 4]) {
    deformed_by(&material(body).deforms, seconds, corners, triangles)
}

type Corners = [[f32; 3]; 4];
const PLAIN: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
/// Triangle order of q3map.
const TURNED: [[u32; 3]; 2] = [[3, 0, 2], [2, 0, 1]];

#[test]
fn deform_wave_moves_along_normals_by_position() {
    let corners = [[0.0, 0.0, 0.0], [10.0, 5.0, 10.0], [20.0, 30.0, 0.0], [0.0, 0.0, 75.0]];
    let heights = |body: &str, seconds: f64| {
        let (positions, normals) = deformed(body, seconds, corners, PLAIN);
        assert_eq!(normals, [Vec3::X; 4]);
        assert!(positions.iter().zip(corners).all(|(now, then)| now.y == then[1] && now.z == then[2]));
        [0, 1, 2, 3].map(|index| positions[index].x - corners[index][0])
    };
    // Sums of 0, 25, 50 and 75 are quarters of a div of 100.
    near(heights("deformVertexes wave 100 sin 0 3 0 1", 0.0), [0.0, 3.0, 0.0, -3.0]);
    near(heights("deformVertexes wave 100 sin 1 3 0 1", 0.25), [4.0, 1.0, -2.0, 1.0]);
    near(heights("deformVertexes wave 100 sin 0 3 0.25 0", 7.0), [3.0; 4]);
    // A div of 0 becomes a factor of 100, which gives whole periods here.
    near(heights("deformVertexes wave 0 sin 0 3 0.25 1", 0.0), [3.0; 4]);
}

#[test]
fn deform_bulge_and_move_displace_vertices() {
    let corners = [[0.0; 3], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]];
    // s is 0 or ½: sin(½ · 2) and, a second later, sin(1 + 0.5) and sin(0.5).
    let bulge =
        |seconds| deformed("deformVertexes bulge 2 4 0.5", seconds, corners, PLAIN).0.map(|position| position.x);
    let close = |a: [f32; 4], b: [f32; 4]| assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 0.03), "{a:?} {b:?}");
    close(bulge(0.0), [0.0, 1.0 + 4.0 * 1_f32.sin(), 1.0 + 4.0 * 1_f32.sin(), 0.0]);
    let (near_edge, far_edge) = (4.0 * 0.5_f32.sin(), 1.0 + 4.0 * 1.5_f32.sin());
    close(bulge(1.0), [near_edge, far_edge, far_edge, near_edge]);
    let (moved, _) = deformed("deformVertexes move 1 2 -3 square 0.5 1.5 0 1", 0.25, corners, PLAIN);
    moved.iter().zip(corners).for_each(|(now, then)| near((*now - Vec3::from(then)).to_array(), [2.0, 4.0, -6.0]));
    // The deforms apply in order: up by 1, then along the normal by the wave at the new position.
    let two = "deformVertexes move 0 0 25 sin 1 0 0 0\ndeformVertexes wave 100 sin 0 3 0 1";
    near(deformed(two, 0.0, corners, PLAIN).0[0].to_array(), [3.0, 0.0, 25.0]);
}

/// A square of side 2 about (5, 6, 7), seen edge-on: half its side becomes 0.707 · √2 = 0.99985.
#[test]
fn autosprite_faces_the_camera() {
    let corners = [[5.0, 5.0, 8.0], [5.0, 7.0, 8.0], [5.0, 7.0, 6.0], [5.0, 5.0, 6.0]];
    let (positions, normals) = deformed("deformVertexes autosprite", 9.0, corners, PLAIN);
    let half = 0.707 * 2_f32.sqrt();
    let uvs = maquette_assets::material::SPRITE_COORDINATES;
    for (position, uv) in positions.iter().zip(uvs) {
        // The image's upper left is (0, 0); left is −X.
        let (right, down) = (uv.x * 2.0 - 1.0, uv.y * 2.0 - 1.0);
        near(position.to_array(), [5.0 + right * half, 6.0, 7.0 - down * half]);
    }
    let has = |s, t| uvs.contains(&Vec2::new(s, t));
    assert!(has(0.0, 0.0) && has(1.0, 0.0) && has(1.0, 1.0) && has(0.0, 1.0));
    normals.iter().for_each(|normal| near(normal.to_array(), [0.0, -1.0, 0.0]));
}

/// A strip of 2 × 20, seen edge-on: its short edges turn to X.
#[test]
fn autosprite2_rotates_about_its_long_axis() {
    let corners = [[0.0, -1.0, 10.0], [0.0, 1.0, 10.0], [0.0, 1.0, -10.0], [0.0, -1.0, -10.0]];
    let turned = |triangles| deformed("deformVertexes autosprite2", 9.0, corners, triangles).0;
    let [a, b, c, d] = turned(TURNED);
    near([a.x.abs(), b.x.abs(), c.x.abs(), d.x.abs()], [1.0; 4]);
    near([a.x + b.x, c.x + d.x, a.x - d.x, b.x - c.x], [0.0; 4]);
    near([a.y, b.y, c.y, d.y], [0.0; 4]);
    near([a.z, b.z, c.z, d.z], [10.0, 10.0, -10.0, -10.0]);
    let [a, b, c, d] = turned(PLAIN);
    near([a.x + b.x, c.x + d.x, a.x - c.x, b.x - d.x], [0.0; 4]); // twisted, as in the game
    near([a.z, b.z, c.z, d.z], [10.0, 10.0, -10.0, -10.0]);
}

#[test]
fn static_stages_and_deforms_are_not_animated() {
    let static_lines =
        "tcMod scale 2 2\ntcMod transform 1 0 0 1 0 0\ntcMod scroll 0 0\ntcMod rotate 0\nrgbGen const ( 1 0 0 )";
    assert!(!stage(static_lines).moves());
    for lines in ["", "rgbGen lightingDiffuse\nalphaGen lightingSpecular\ntcGen environment", "rgbGen wave sin 1 1 0 0"]
    {
        assert!(!stage(lines).moves(), "{lines}");
    }
    let one = material("deformVertexes autosprite\n{\nanimMap 5 a.tga\n}");
    assert!(!one.moves(1));
    assert!(!material("deformVertexes wave 100 sin 0 1 0 0\ndeformVertexes bulge 1 1 0").moves(8));
}

#[test]
fn time_dependent_stages_and_deforms_are_animated() {
    let coordinates = ["tcMod scroll 0 1", "tcMod rotate 1", "tcMod stretch sin 1 1 0 1", "tcMod turb 0 1 0 1"];
    let others = ["rgbGen wave sin 0 1 0 1", "alphaGen wave square 0 1 0 1", "animMap 5 a.tga b.tga"];
    for lines in coordinates.into_iter().chain(others) {
        assert!(stage(lines).moves(), "{lines}");
    }
    for form in ["wave 100 sin 0 1 0 1", "bulge 1 1 1", "move 1 0 0 sin 0 1 0 1", "normal 1 1"] {
        let deformed = material(&format!("deformVertexes {form}"));
        assert!(deformed.moves(1), "{form}");
        assert!(!deformed.moves(0), "{form}: nothing is drawn");
    }
    let second = material("{\nmap a.tga\n}\n{\nmap b.tga\ntcMod scroll 1 1\n}");
    assert!(!second.moves(1) && second.moves(2));
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

/// The numbers exceed the integer range of the noise table.
#[test]
fn noise_of_huge_numbers_is_finite() {
    for numbers in ["0 1 0 1e30", "0 1 1e30 1", "0 1 0 3e38", "0 1 3e38 -3e38"] {
        let stage = stage(&format!("rgbGen wave noise {numbers}"));
        for seconds in [0.0, 1.0, 1e6] {
            assert!(stage.shade(seconds).iter().all(|value| value.is_finite()), "{numbers}");
        }
    }
    let corners = [[1.0, 2.0, 3.0]; 4];
    let (_, normals) = deformed("deformVertexes normal 1 1e30", 1.0, corners, PLAIN);
    assert!(normals.iter().all(|normal| normal.is_finite()));
}

/// Memory limit of parsing per byte of the file, plus a constant.
const PEAK_FACTOR: usize = 64;
const PEAK_FLOOR: usize = 1 << 20;

/// Reads, parses and evaluates all definitions in `bytes`.
#[track_caller]
fn survives(bytes: &[u8]) {
    let vfs = Vfs::in_memory(vec![("scripts/x.shader".to_owned(), bytes.to_vec())]);
    let most = PEAK_FACTOR * bytes.len() + PEAK_FLOOR;
    let (scripts, peak) = peak_of(|| Scripts::from_vfs(&vfs));
    assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
    let mut names: Vec<_> = scripts.names(Kind::Quake3).take(20).map(str::to_owned).collect();
    names.extend(["m".to_owned(), String::new()]);
    let search = ResolveContext::new(ImageLoading::LocateOnly);
    let mut finder = MaterialResolver::new(&vfs, "models/a.md3", Format::Md3, None, &search);
    for name in names {
        let (found, peak) = peak_of(|| scripts.find(&name, Kind::Quake3, &mut Warnings::default()));
        assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
        if let Some(found) = found {
            is_finite(&found.material);
        }
        for origin in [Origin::Model, Origin::Skin] {
            let material = finder.material(&name, origin, &mut Warnings::default());
            assert!(material.stages_in_game() <= material.definition.stages.len());
            let _ = material.problem();
        }
    }
}

#[track_caller]
fn is_finite(material: &Material) {
    assert!(material.sort.is_finite());
    for seconds in [0.0, 1e-3, 1e6] {
        for stage in &material.stages {
            let shade = stage.shade(seconds);
            assert!(shade.iter().all(|value| (0.0..=1.0).contains(value)), "{shade:?}: {stage:?}");
            let sound = warps(&stage.moves, material.time(seconds))
                .iter()
                .all(|warp| warp.matrix.is_finite() && warp.amplitude.is_finite() && warp.phase.is_finite());
            assert!(sound, "{:?}", stage.moves);
            assert!(stage.map_at(seconds) < stage.maps.len(), "{stage:?}");
        }
        deformed_by(&material.deforms, seconds, [[1.0, -2.0, 3e4]; 4], TURNED);
    }
}

#[test]
fn shader_parser_memory_is_bounded_by_file_size() {
    let many = |count: usize, text: &str| text.repeat(count);
    survives((0..200_000).map(|index| format!("{index:x}{{}}")).collect::<String>().as_bytes());
    survives(format!("m{{{}}}", many(60_000, "{map a}")).as_bytes());
    survives(format!("m{{{{animMap 1{}}}}}", many(200_000, " a")).as_bytes());
    survives(format!("m{{{{map a\n{}}}}}", many(30_000, "tcMod scale 1 1\n")).as_bytes());
    survives(format!("m{{{}}}", many(30_000, "deformVertexes autosprite\n")).as_bytes());
    survives(format!("m{{{}}}", many(100_000, "x\n")).as_bytes());
    survives(format!("m{{sort {}}}", many(200_000, "9")).as_bytes());
    for text in ["{", "}", "m{", "{}", "\"", "/*", "//", "\r", "a ", "\u{0}"] {
        survives(many(200_000, text).as_bytes());
    }
}

/// A valid script, and the base of damaged ones.
const SOUND: &str = "
m
{
 cull none
 sort additive
 polygonOffset
 nomipmaps
 clampTime 12
 surfaceparm nodraw
 deformVertexes wave 100 sin 0 3 0 0.5
 deformVertexes bulge 3 4 1
 deformVertexes move 0 0 1 triangle 0 2 0.5 1
 {
  map models/a.tga
  rgbGen wave noise 0.5 0.5 0 10
  alphaGen wave sawtooth 0 1 0 1
  tcMod scale 2 2
  tcMod rotate 30
  tcMod stretch sin 1 0.5 0 1
  tcMod turb 0 0.25 0 0.5
 }
 {
  animMap 8 a.tga b.tga c.tga // three
  blendFunc GL_SRC_ALPHA GL_ONE
  rgbGen const ( 1 0.5 0.25 )
  alphaGen portal 256
  tcGen vector ( 1 0 0 ) ( 0 1 0 )
  tcMod scroll 0.5 -0.5
  tcMod transform 1 0 0 1 0.5 0.5
  alphaFunc GE128
  depthWrite
 }
}
models/other { implicitMask - }
third
{
 deformVertexes normal 0.5 2
 deformVertexes autosprite
 deformVertexes autosprite2
 { clampmap $whiteimage
  tcGen environment
  alphaGen lightingSpecular }
}
";
const SOUP: &str = "{|}|\n|\r|\"|//|/*|*/|(|)|0|-1|3e38|-3e38|1e-40|1e999|nan|inf|1e30|noise|sin|map|animMap|-|rgbGen wave|\
                    tcMod turb|tcMod stretch square|deformVertexes|blendFunc|implicitMap|\u{e9}\u{0}";

/// Removes, moves, swaps or replaces words of [`SOUND`].
fn shuffled(changes: &[(u8, Index, Index, Index)]) -> String {
    let mut words: Vec<&str> = SOUND.split_inclusive(char::is_whitespace).collect();
    let soup: &[&str] = &SOUP.split('|').collect::<Vec<_>>();
    for (how, first, second, other) in changes {
        if words.is_empty() {
            break;
        }
        let (first, second) = (first.index(words.len()), second.index(words.len()));
        match how % 5 {
            0 => drop(words.remove(first)),
            1 => words.insert(second, words[first]),
            2 => words.swap(first, second),
            3 => words[first] = *other.get(soup),
            _ => words.splice(first..first, [" ", *other.get(soup), " "]).for_each(drop),
        }
    }
    words.concat()
}

#[test]
fn sample_script_parses_without_warnings() {
    for (name, stages) in [("m", 2), ("models/other", 1), ("third", 1)] {
        let (found, warnings) = read(&[("scripts/x.shader", SOUND)], name);
        assert_eq!((found.unwrap().stages.len(), warnings), (stages, Vec::<String>::new()), "{name}");
    }
    survives(SOUND.as_bytes());
}

#[test]
fn shader_parser_survives_every_truncation() {
    (0..SOUND.len()).for_each(|length| survives(&SOUND.as_bytes()[..length]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shader_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
        survives(&[b"m{", &bytes[..]].concat());
        survives(&[b"m{{map a\n", &bytes[..]].concat());
    }

    #[test]
    fn shader_parser_survives_random_corruption(flips in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..20)) {
        let mut bytes = SOUND.as_bytes().to_vec();
        for (index, value) in flips {
            let offset = index.index(bytes.len());
            bytes[offset] = value;
        }
        survives(&bytes);
    }

    #[test]
    fn shader_parser_survives_shuffled_words(
        changes in proptest::collection::vec((any::<u8>(), any::<Index>(), any::<Index>(), any::<Index>()), 1..30)
    ) {
        survives(shuffled(&changes).as_bytes());
    }

    #[test]
    fn waves_of_arbitrary_numbers_stay_in_range(
        form in 0..6_usize, numbers in proptest::array::uniform4(-1e6_f32..1e6), seconds in 0.0..1e6_f64
    ) {
        let word = ["sin", "triangle", "square", "sawtooth", "inverseSawtooth", "noise"][form];
        let [base, amplitude, phase, frequency] = numbers;
        let wave = Wave { form: Waveform::named(word).unwrap(), base, amplitude, phase, frequency };
        let value = wave.at(seconds);
        prop_assert!((value - base).abs() <= amplitude.abs() * 1.001 + 1.0, "{value} of {wave:?}");
    }
}

#[test]
fn broken_script_is_reported_by_file_and_line() {
    for (script, expected) in [
        (&b"models/other\n{\n{\nmap a.tga\n"[..], "line 2"),
        (b"models/other { }\n/* never closed", "line 2"),
        (b"\x7f\0\x01\x02 rubbish", "not a text file"),
    ] {
        let vfs = Vfs::in_memory(vec![("scripts/x.shader".to_owned(), script)]);
        let warnings = Scripts::from_vfs(&vfs).warnings().clone().into_vec();
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        let warning = warning.to_string();
        assert!(warning.contains("scripts/x.shader") && warning.contains(expected), "{warning}");
    }
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
