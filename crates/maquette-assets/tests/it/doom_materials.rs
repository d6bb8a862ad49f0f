//! Doom 3 materials: `.mtr` files compared with hand calculations, and malformed files.

use std::io::Cursor;

use glam::Vec2;
use image::{ImageFormat, RgbaImage};
use maquette_assets::material::{
    AlphaTest, Blend, ColourSource, Deform, DrawnFaces, Expression, Factor, Image, ImageLoading, ImageProgram, InGame,
    Kind, Map, Material, MaterialResolver, Origin, ResolveContext, Scripts, Stage, TextureWrap, warps,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::Format;
use proptest::prelude::*;

use maquette_testing::memory::peak_of;
use maquette_testing::waiting::MAX_WAIT;

const FILE: &str = "materials/x.mtr";
const TABLES: &str = "table ramp { { 0, 1, 2, 3 } }\n table steps { snap { 0, 1, 2, 3 } }\n\
    table ends { clamp { 0, 1, 2, 3 } }\n table both { snap clamp { 10, -20.5, .5 } }\n";

fn game(files: &[(&str, &[u8])]) -> Vfs {
    Vfs::in_memory(files.iter().map(|(path, bytes)| ((*path).to_owned(), &*bytes.to_vec().leak())).collect())
}

fn found(scripts: &Scripts, name: &str) -> Option<String> {
    let found = scripts.find(name, Kind::Doom3, &mut Warnings::default())?;
    Some(names(&found.material).concat())
}

/// Parses a definition whose body starts in line 2. Returns the material, and the location and message of each warning.
fn parsed(inside: &str) -> (Material, Vec<(String, String)>) {
    let text = format!("material m {{\n{inside}\n}}\n{TABLES}");
    let mut warnings = Warnings::default();
    let found = Scripts::from_vfs(&game(&[(FILE, text.as_bytes())])).find("m", Kind::Doom3, &mut warnings);
    let warnings = warnings.into_vec().into_iter().map(|warning| (warning.about, warning.message)).collect();
    (found.unwrap_or_else(|| panic!("{inside} is nothing")).material, warnings)
}

#[track_caller]
fn material(inside: &str) -> Material {
    let (material, warnings) = parsed(inside);
    assert!(warnings.is_empty(), "{inside}: {warnings:?}");
    material
}

/// Returns an unlit stage with these directives.
#[track_caller]
fn stage(directives: &str) -> Stage {
    material(&format!("{{\nmap a\n{directives}\n}}")).stages.remove(0)
}

fn name(map: &Map) -> String {
    match &map.program {
        ImageProgram::Named(name) => name.clone(),
        other => format!("{other:?}"),
    }
}

/// Returns the first image of every stage.
fn names(material: &Material) -> Vec<String> {
    material.stages.iter().map(|stage| name(&stage.maps[0])).collect()
}

fn relief(stage: &Stage) -> (Option<String>, Option<String>) {
    let relief = stage.relief.as_ref().unwrap();
    (relief.bump.as_ref().map(name), relief.specular.as_ref().map(name))
}

#[track_caller]
fn near<const N: usize>(found: [f32; N], wanted: [f32; N], tolerance: f32, what: &str) {
    let is_near = found.iter().zip(wanted).all(|(found, wanted)| (found - wanted).abs() <= tolerance);
    assert!(is_near, "{what}: {found:?} is not {wanted:?}");
}

/// Splits cases written as `input -> numbers; input -> numbers`.
fn cases<const N: usize>(text: &str) -> impl Iterator<Item = (&str, [f32; N])> {
    text.split(';').map(|case| {
        let (what, wanted) = case.split_once("->").unwrap();
        let numbers: Vec<f32> = wanted.split_whitespace().map(|number| number.parse().unwrap()).collect();
        (what.trim(), numbers.try_into().unwrap())
    })
}

/// Checks expressions and their values at `seconds`.
#[track_caller]
fn evaluates(text: &str, seconds: f64) {
    for (expression, wanted) in cases(text) {
        let condition = stage(&format!("if {expression}")).condition.unwrap();
        near([condition.at(seconds)], wanted, 1e-5, expression);
    }
}

/// Whether any stage writes depth.
fn hides(material: &Material) -> bool {
    material.stages.iter().any(|stage| stage.writes_depth)
}

#[test]
fn xreal_directives_are_read_like_quake_3() {
    let lit = material("cull none\nedgeClamp\ndiffuseMap a\nnormalMap b\nspecularMap c\nglowMap d");
    assert_eq!((lit.sides, names(&lit)), (DrawnFaces::Both, vec!["a".to_owned(), "d".to_owned()]));
    assert_eq!(relief(&lit.stages[0]), (Some("b".to_owned()), Some("c".to_owned())));
    assert_eq!((lit.stages[0].wrap, lit.stages[1].blend), (TextureWrap::Clamp, Some(Blend::ADD)));
    assert!(lit.stages[0].is_lit() && !lit.stages[1].is_lit());

    let clamped = stage("edgeClamp\nblendFunc GL_SRC_ALPHA GL_ONE\nrgbGen const ( 0.5 0.25 1 )\nalphaGen const 0.5");
    assert_eq!(clamped.wrap, TextureWrap::Clamp);
    assert_eq!(clamped.blend, Some(Blend { source: Factor::SourceAlpha, destination: Factor::One }));
    near(clamped.shade(0.0), [127.0 / 255.0, 63.0 / 255.0, 1.0, 127.0 / 255.0], 1e-5, "const");
    assert_eq!(stage("alphaFunc GE128").alpha_test, AlphaTest::Half);
    assert!(stage("depthFunc equal").at_equal_depth);
    assert!(stage("blendFunc add\ndepthWrite").writes_depth);
    assert!(stage("rgbGen lightingDiffuse").is_lit());

    let stages = material(
        "deformVertexes autosprite\n{\nclampMap a\n}\n{\nstage normalMap\nmap n\n}\n{\nstage diffuseMap\nmap b\n}",
    );
    assert_eq!((names(&stages), stages.deforms.len()), (vec!["b".to_owned(), "a".to_owned()], 1));
    assert_eq!(relief(&stages.stages[0]).0.as_deref(), Some("n"));
    assert_eq!(stages.stages[1].wrap, TextureWrap::Clamp);
}

#[test]
fn material_names_ignore_case_slashes_and_extension() {
    let text = "table waves { { 0, 1 } }\nskin skins/one { from to }\n\
        material Textures\\Base/Wall.01 {\ndiffusemap one\n}\n\
        particle smoke { { material fire } }\n\"lone\"{ diffusemap two }textures/floor\n{ diffusemap three }";
    let scripts = Scripts::from_vfs(&game(&[(FILE, text.as_bytes())]));
    for spelling in ["textures/base/wall", "TEXTURES\\BASE\\WALL.tga", "textures/base/wall.01"] {
        assert_eq!(found(&scripts, spelling).as_deref(), Some("one"), "{spelling}");
    }
    assert_eq!(found(&scripts, "lone.folder/wall").as_deref(), Some("two"), "the last dot may stand in a folder");
    assert_eq!(found(&scripts, "textures/floor").as_deref(), Some("three"));
    assert_eq!(scripts.location_of("textures/base/wall", Kind::Doom3), Some((FILE, 3)));
    for other in ["waves", "skins/one", "smoke", "fire", "wall", "textures/base/wall.01.tga"] {
        assert_eq!(found(&scripts, other), None, "{other}");
    }
    assert_eq!(scripts.names(Kind::Doom3).count(), 3);
}

#[test]
fn first_file_and_first_definition_win() {
    let files: [(&str, &[u8]); 3] = [
        ("materials/b.mtr", b"m { diffusemap second } n { diffusemap n }"),
        ("materials/A.mtr", b"m { diffusemap first } m { diffusemap again }"),
        ("materials/sub/0.mtr", b"m { diffusemap deeper }"),
    ];
    let scripts = Scripts::from_vfs(&game(&files));
    assert_eq!((found(&scripts, "m"), found(&scripts, "n")), (Some("first".to_owned()), Some("n".to_owned())));
}

#[test]
fn diffuse_bump_and_specular_form_one_lit_stage() {
    let [d, b, s] = ["diffusemap d", "bumpmap b", "specularmap s"];
    for order in [[d, b, s], [d, s, b], [b, d, s], [b, s, d], [s, d, b], [s, b, d]] {
        let material = material(&order.join("\n"));
        assert_eq!(names(&material), ["d"], "{order:?}");
        let stage = &material.stages[0];
        assert_eq!(relief(stage), (Some("b".to_owned()), Some("s".to_owned())), "{order:?}");
        assert!(stage.is_lit() && stage.blend.is_none() && stage.writes_depth && hides(&material));
    }
}

#[test]
fn long_and_short_map_forms_are_equal() {
    let long = "{ blend diffusemap\nmap d }\n{ blend BumpMap\nmap heightmap(b, 2) }\n{ map s\nblend specularmap }";
    assert_eq!(material(long), material("diffuseMap d\nbumpmap heightmap( b , 2.0 )\nSPECULARMAP s"));
}

#[test]
fn second_diffuse_map_starts_additive_lit_stage() {
    let material = material("bumpmap b\ndiffusemap d\nspecularmap s\ndiffusemap e");
    // The first one left a black specular map behind, so the specular map begins a third one (`RB_SubmittInteraction`).
    assert_eq!(names(&material), ["d", "e", "e"]);
    assert!(material.stages.iter().all(|stage| stage.is_lit() && stage.relief.is_some()));
    assert_eq!((material.stages[0].blend, material.stages[1].blend), (None, Some(Blend::ADD)));
    assert!(material.stages[0].writes_depth && !material.stages[1].writes_depth);
}

#[test]
fn missing_diffuse_map_is_black_or_white() {
    let drawn = |inside: &str| {
        let stages = material(inside).stages;
        assert!(stages.len() == 1 && stages[0].is_lit(), "{stages:?}");
        stages[0].maps[0].program.clone()
    };
    assert_eq!([drawn("specularmap s"), drawn("bumpmap b\nspecularmap s")], [ImageProgram::Black, ImageProgram::Black]);
    assert_eq!(drawn("bumpmap b"), ImageProgram::White);
}

#[test]
fn each_map_of_lit_stage_has_own_coordinates_and_colour() {
    let lit = material(
        "{ blend bumpmap\nmap b\nscale 2, 3 }\n{ blend diffusemap\nmap d\ntranslate 0.25, 0 }\n\
         { blend specularmap\nmap s\nrgb 0.5\nif time - 1 }",
    );
    let [stage] = lit.stages.as_slice() else { panic!("{:?}", lit.stages) };
    let [bump, specular] = stage.relief.as_ref().unwrap().own.as_deref().unwrap();
    let moved = |stage: &Stage| warps(&stage.moves, 0.0)[0].matrix.transform_point2(Vec2::ONE);
    let [bump_at, diffuse_at] = [bump, stage].map(moved);
    assert_eq!((bump_at, diffuse_at), (Vec2::new(2.0, 3.0), Vec2::new(1.25, 1.0)));
    assert_eq!((specular.shade(0.0)[0], specular.is_shown(0.0), specular.is_shown(1.0)), (127.0 / 255.0, true, false));
}

#[test]
fn alpha_tests_and_masks_draw_depth_before_other_stages() {
    // Only the alpha test of an invisible stage makes holes, so the depth is drawn first, in black.
    let holes = material("{ blend none\nmap h\nalphaTest 0.5 }\n{ blend diffusemap\nmap d }\n{ blend add\nmap a }");
    assert_eq!(names(&holes), ["h", "d", "a"]);
    let drawn = |stage: &Stage| (stage.blend, stage.writes_depth, stage.at_equal_depth);
    let wanted = [(None, true, false), (None, false, true), (Some(Blend::ADD), false, true)];
    assert_eq!(holes.stages.iter().map(drawn).collect::<Vec<_>>(), wanted);
    assert!(holes.stages[0].colour == ColourSource::Black && holes.stages[0].alpha_test != AlphaTest::None);
    // The diffuse map draws its own holes.
    let own = material("{ blend diffusemap\nmap d\nalphaTest 0.5 }\n{ blend add\nmap a\nmaskRed }");
    assert_eq!(own.stages.iter().map(drawn).collect::<Vec<_>>(), [wanted[0], wanted[2]]);
    assert_eq!(own.stages[1].masked, [true, false, false, false]);
    assert_eq!(material("{ map a\nmaskColor }").stages[1].masked, [true, true, true, false]);
}

#[test]
fn deforms_share_lines_with_other_words() {
    let moved = material("deform move 2 + 1 diffusemap a");
    assert_eq!((names(&moved), moved.deforms), (vec!["a".to_owned()], vec![Deform::Shift(Expression::Number(3.0))]));
    // A material has one deform (dhewm3 `Material.cpp`, `ParseDeform`).
    let material = material("deform move 2 + 1 diffusemap a\ndeform sprite bumpmap b");
    assert_eq!((names(&material), material.sides), (vec!["a".to_owned()], DrawnFaces::Both));
    assert_eq!(material.deforms, [Deform::Sprite]);
}

#[test]
fn blend_accepts_names_and_factor_pairs() {
    let blend = |words: &str| stage(&format!("blend {words}")).blend;
    let pair = |source, destination| Some(Blend { source, destination });
    assert_eq!([blend("add"), blend("GL_ONE, GL_ONE")], [Some(Blend::ADD); 2]);
    assert_eq!([blend("blend"), blend("gl_src_alpha,gl_one_minus_src_alpha")], [Some(Blend::ALPHA); 2]);
    assert_eq!([blend("filter"), blend("modulate"), blend("gl_dst_color, gl_zero")], [Some(Blend::FILTER); 3]);
    assert_eq!(blend("gl_one, gl_zero"), None);
    assert_eq!(blend("gl_zero, gl_one_minus_src_color"), pair(Factor::Zero, Factor::OneMinusSourceColour));
    assert_eq!(blend("gl_one_minus_dst_color, gl_one"), pair(Factor::OneMinusDestinationColour, Factor::One));
    assert_eq!(names(&material("{ blend none\nmap a }\n{ blend add\nmap b }")), ["b"], "none shows nothing");
}

#[test]
fn unlit_stages_follow_lit_ones_in_order() {
    let material =
        material("{ blend add\nmap glow }\ndiffusemap d\n{ blend filter\nmap dirt }\n{ map plain }\nbumpmap b");
    assert_eq!(names(&material), ["d", "glow", "dirt", "plain"]);
    let flags: Vec<_> = material.stages.iter().map(|stage| (stage.is_lit(), stage.writes_depth)).collect();
    assert_eq!(flags, [(true, true), (false, false), (false, false), (false, false)]);
    assert!(stage("").writes_depth && !stage("").is_lit(), "alone it hides what is behind it");
    assert!(!stage("blend add").writes_depth);
}

#[test]
fn alpha_test_threshold_is_an_expression() {
    let diffuse = material("{ blend diffusemap\nmap d\nalphaTest 0.25 + time }").stages.remove(0);
    for stage in [stage("alphatest 0.25 + time"), diffuse] {
        let AlphaTest::Above(number) = &stage.alpha_test else { panic!("{:?}", stage.alpha_test) };
        near([number.at(0.0), number.at(0.5)], [0.25, 0.75], 1e-6, "alphaTest");
    }
}

#[test]
fn sides_translucency_and_sort_are_parsed() {
    assert_eq!(material("twoSided\ndiffusemap d").sides, DrawnFaces::Both);
    assert_eq!(material("BACKSIDED\ndiffusemap d").sides, DrawnFaces::Back);
    assert_eq!(material("diffusemap d").sides, DrawnFaces::Front);
    assert!(!hides(&material("translucent\ndiffusemap d\n{ map a }")));
    let sort = |inside: &str| material(&format!("{inside}\ndiffusemap d")).sort;
    let words = "subview gui opaque portalSky decal far medium close almostNearest NEAREST postProcess";
    let sorts: Vec<f32> = words.split(' ').map(|word| sort(&format!("sort {word}"))).collect();
    assert!(sorts.is_sorted_by(|a, b| a < b), "{sorts:?}");
    near([sort("sort 2.5"), sort("sort 40")], [2.5, 40.0], 0.0, "numbers");
    assert!(sort("") < sort("polygonOffset 1") && sort("polygonOffset") < sort("translucent"));
    assert!(material("polygonOffset\ndiffusemap d").is_decal && !material("diffusemap d").is_decal);
}

#[test]
fn non_finite_sort_values_are_rejected() {
    for word in ["nan", "inf", "1e99", "infinity"] {
        assert!(parsed(&format!("sort {word}\ndiffusemap d")).0.sort.is_finite(), "{word}");
    }
}

/// The macro stands for `polygonOffset 1`, `discrete`, `sort decal` and `noShadows`.
#[test]
fn decal_macro_sets_polygon_offset_and_sort() {
    assert_eq!(material("DECAL_MACRO\ndiffusemap d"), material("polygonOffset 1\nsort decal\ndiffusemap d"));
}

#[test]
fn colour_expressions_multiply_stage_colour() {
    let words = "noclamp -> 1 1 1 1; rgb 0.5 -> 0.5 0.5 0.5 1; red 0.25 -> 0.25 1 1 1; rgba 0.5 -> 0.5 0.5 0.5 0.5; \
        green 0.25\nblue 1 / 2\nalpha 0.75 -> 1 0.25 0.5 0.75; color 0.2, 0.4, 0.6 , 0.2 * 4 -> 0.2 0.4 0.6 0.8; \
        colored -> 1 1 1 1; rgb time * 2\nred 1 - time -> 0.75 0.5 0.5 1";
    cases(words).for_each(|(words, colour)| near::<4>(stage(words).shade(0.25), colour, 1.0 / 255.0, words));
    let lit = material("{ blend diffusemap\nmap d\nrgb 0.5 }").stages.remove(0);
    assert!(lit.is_lit());
    near(lit.shade(0.0), [0.5, 0.5, 0.5, 1.0], 1.0 / 255.0, "lit");
}

#[test]
fn texture_matrices_apply_in_game_order() {
    // Texture coordinates s, t before and after.
    let words = "scroll time * 0.1, 0.25 -> 0.5 0.5 0.7 0.75; translate 0.1, -0.25 -> 0.5 0.5 0.6 0.25; \
        scale 2, time * 2 -> 0.5 0.25 1 1; centerScale 2, 4 -> 0.5 0.5 0.5 0.5; centerScale 2, 4 -> 0.75 0.25 1 -0.5; \
        rotate 0.25 -> 1 0.5 0.5 1; rotate time / 4 -> 1 1 0 0; rotate 1 -> 0.3 0.9 0.3 0.9; \
        shear 0.5, 0 -> 0.5 1 0.75 1; shear 0, 0.5 -> 1 0.5 1 0.75";
    // Each matrix multiplies from the right, so the last directive applies first.
    let order = "scroll 0.5, 0\nscale 2, 2 -> 0.25 0.25 1 0.5; scale 2, 2\nscroll 0.5, 0 -> 0.25 0.25 1.5 0.5";
    for (words, [s, t, new_s, new_t]) in cases(words).chain(cases(order)) {
        let warp = warps(&stage(words).moves, 2.0)[0];
        near(warp.matrix.transform_point2(Vec2::new(s, t)).into(), [new_s, new_t], 1e-5, words);
    }
}

#[test]
fn stage_condition_controls_visibility() {
    let shown = |words: &str| [0.0, 1.0, 2.0].map(|seconds| stage(words).is_shown(seconds));
    assert_eq!(shown(""), [true; 3]);
    assert_eq!(shown("if time - 1"), [true, false, true]);
    assert_eq!(shown("if ( parm7 == 0 ) && time > 0"), [false, true, true]);
    assert_eq!(shown("if (parm7)"), [false; 3]);
}

#[test]
fn clamp_words_set_texture_wrap() {
    for word in ["", "noclamp", "nearest", "linear"] {
        assert_eq!(stage(word).wrap, TextureWrap::Repeat, "{word}");
    }
    let clamps = [TextureWrap::Clamp, TextureWrap::Black, TextureWrap::Transparent];
    for (word, wrap) in ["clamp", "zeroClamp", "alphaZeroClamp"].into_iter().zip(clamps) {
        assert_eq!(stage(word).wrap, wrap, "{word}");
    }
}

fn is_left_out(words: &str) {
    for inside in [format!("{words}\nmap a"), format!("map a\n{words}")] {
        let (material, warnings) = parsed(&format!("diffusemap d\n{{\nblend add\n{inside} }}\n{{ blend add\nmap b }}"));
        assert_eq!(names(&material), ["d", "b"], "{inside}");
        assert_eq!(warnings.len(), 1, "{inside}: {warnings:?}");
        assert!(warnings[0].0.starts_with("materials/x.mtr line "), "{warnings:?}");
    }
}

#[test]
fn unsupported_stages_are_skipped_with_warning() {
    let skips = "cubeMap env/a,cameraCubeMap env/a,videoMap loop a.roq,program heat.vfp,fragmentProgram heat.vfp,\
        vertexProgram heat.vfp,texGen reflect,texGen skybox,texGen wobblesky 1 2 3,texGen normal";
    skips.split(',').for_each(is_left_out);
}

#[test]
fn operators_follow_arithmetic_precedence() {
    evaluates(
        "1 + 2 * 3 -> 7; (1 + 2) * 3 -> 9; 2*3+1 -> 7; 1-.5 -> 0.5; 8 / 4 + 1 -> 3; -2 * 3 -> -6; 4 - -3 -> 7; \
         -(1 + 2) -> -3; 1 + 2 > 2 -> 1; 2 > 1 + 2 -> 0; 1 < 2 && 2 < 1 -> 0; 2 < 1 || 1 < 2 -> 1; \
         (1 >= 1) + (1 <= 1) + (1 == 1) -> 3; (1 < 1) + (1 > 1) + (1 != 1) -> 0; \
         (1 && 0) + (0 || 0) -> 0; (1 && 2) + (0 || 2) -> 2; time * 2 + 1 -> 4",
        1.5,
    );
}

#[test]
fn modulo_uses_integers_and_division_by_zero_is_zero() {
    evaluates("7.9 % 3 -> 1; (0 - 7.9) % 3 -> -1; 5 % 0 -> 0; 5 % 0.5 -> 0; 5 / 0 -> 0; 0 / (1 - 1) -> 0", 0.0);
    evaluates("5 / (time - 1.5) -> 0; 5 % (time - 1.5) -> 0", 1.5);
}

#[test]
fn entity_colour_parameters_are_one_and_rest_zero() {
    evaluates("parm0 + parm1 + parm2 + PARM3 -> 4; parm4 + parm11 + global0 + global7 + sound -> 0", 1.0);
}

#[test]
fn table_lookup_wraps_and_interpolates() {
    evaluates("ramp[0] -> 0; RAMP[0.125] -> 0.5; ramp[0.75] -> 3; ramp[0.875] -> 1.5; ramp[1.25] -> 1", 0.0);
    evaluates("ramp[0 - 0.125] -> 1.5; 2 * ramp[time / 4] + 1 -> 3; ramp[ramp[0.25] / 2] -> 2", 1.0);
}

#[test]
fn snap_and_clamp_tables_step_and_clamp() {
    evaluates("steps[0.2] -> 0; steps[0.3] -> 1; steps[0.99] -> 3; steps[1.3] -> 1", 0.0);
    evaluates("ends[0.5] -> 1.5; ends[0.9] -> 2.7; ends[1] -> 3; ends[2] + ends[-1] -> 3", 0.0);
    evaluates("both[0.4] -> 10; both[0.9] -> -20.5; both[9] -> 0.5", 0.0);
}

#[test]
fn tables_from_other_files_are_found() {
    let files: [(&str, &[u8]); 2] =
        [("materials/a.mtr", b"m {\n{ map a\nif t[0.25] }\n}"), ("materials/z.mtr", b"table t { { 0, 8 } }")];
    let found = Scripts::from_vfs(&game(&files)).find("m", Kind::Doom3, &mut Warnings::default()).unwrap();
    near([found.material.stages[0].condition.as_ref().unwrap().at(0.0)], [4.0], 1e-5, "half way");
}

#[test]
fn unknown_table_is_reported_and_only_its_line_skipped() {
    let (material, warnings) = parsed("diffusemap d\n{ map a\nrgb nothing[time]\nred 0.5 }");
    assert_eq!(names(&material), ["d", "a"]);
    near([material.stages[1].shade(0.0)[0]], [0.5], 1.0 / 255.0, "the line after it");
    let [(about, message)] = &warnings[..] else { panic!("{warnings:?}") };
    assert!(about == "materials/x.mtr line 4" && message.contains("nothing"), "{warnings:?}");
}

#[test]
fn unknown_keyword_is_reported_and_rest_is_parsed() {
    let (material, warnings) =
        parsed("twoSided\nwobble 1 ( 2\ndiffusemap d\n{\nblend add\nflicker on\nmap a\n}\nbumpmap b");
    assert_eq!((names(&material), material.sides), (vec!["d".to_owned(), "a".to_owned()], DrawnFaces::Both));
    assert_eq!(relief(&material.stages[0]).0.as_deref(), Some("b"));
    let locations: Vec<&str> = warnings.iter().map(|(about, _)| about.as_str()).collect();
    assert_eq!(locations, ["materials/x.mtr line 3", "materials/x.mtr line 7"]);
    assert!(warnings[0].1.contains("wobble") && warnings[1].1.contains("flicker"), "{warnings:?}");
}

#[test]
fn irrelevant_keywords_are_skipped_without_warning() {
    let lines = "noShadows\nnoSelfShadow\nforceOpaque\nnonsolid\nqer_editorimage textures/e.tga\n\
        renderbump -size 1024 1024 -trace 0.1 models/a_local.tga models/a.lwo\ndescription \"any { thing\"\n\
        deform expand 2\ndecalInfo 10 2 ( 1 1 1 1 ) ( 0 0 0 0 )\nguiSurf guis/a.gui\nspectrum 1\n\
        unsmoothedTangents\nmetal";
    for line in lines.lines() {
        assert_eq!(names(&material(&format!("{line}\ndiffusemap d"))), ["d"], "{line}");
    }
}

/// Returns an image of these texels, `width` per row.
fn rows(width: u32, texels: &[[u8; 4]]) -> Image {
    Image::new(width, u32::try_from(texels.len()).unwrap() / width, texels.concat())
}

/// Runs an image program on the images `a` and `b`.
#[track_caller]
fn run(program: &str, a: &Image, b: &Image) -> Image {
    let image = material(&format!("{{ map {program} }}")).stages.remove(0).maps.remove(0).program;
    image
        .run(&mut |name| [("a", a), ("b.tga", b)].into_iter().find(|own| own.0 == name).map(|own| own.1.clone()))
        .unwrap()
}

#[track_caller]
fn texel(image: &Image, at: [i64; 2], wanted: [f32; 4], tolerance: f32) {
    near(image.texel(at[0], at[1]).map(f32::from), wanted, tolerance, &format!("{image:?} {at:?}"));
}

#[test]
fn image_programs_compute_texel_colours() {
    let (a, b) = (rows(1, &[[200, 100, 30, 155]]), rows(1, &[[100, 100, 0, 155]]));
    let programs = "add(a, b.tga) -> 255 200 30 255; scale( a, 2, 0.5, 1, 0 ) -> 255 50 30 0; \
        invertAlpha(a) -> 200 100 30 100; invertColor(a) -> 55 155 225 155; makeIntensity(a) -> 200 200 200 200; \
        MAKEALPHA(a) -> 255 255 255 110; invertColor(makeIntensity(add(b.tga, makeAlpha(a)))) -> 0 0 0 255";
    cases(programs).for_each(|(program, wanted)| texel(&run(program, &a, &b), [0, 0], wanted, 0.0));
}

#[test]
fn heightmap_normals_lean_against_the_slope() {
    let flat = run("heightmap(a, 8)", &rows(2, &[[90; 4]; 4]), &rows(1, &[[0; 4]]));
    (0..4).for_each(|at| texel(&flat, [at % 2, at / 2], [128.0, 128.0, 255.0, 255.0], 1.0));
    // A slope of a quarter per texel, doubled: (−½, 0, 1) / 1.118 = (−0.447, 0, 0.894).
    let ramp: [[u8; 4]; 4] = [[0, 0, 0, 255], [64, 64, 64, 255], [128, 128, 128, 255], [192, 192, 192, 255]];
    let right = rows(4, &[ramp; 4].concat());
    let down = rows(4, &ramp.map(|texel| [texel; 4]).concat());
    let none = rows(1, &[[0; 4]]);
    texel(&run("heightmap(a, 2)", &right, &none), [1, 1], [71.0, 128.0, 242.0, 255.0], 2.0);
    texel(&run("heightmap(a, 2)", &down, &none), [1, 1], [128.0, 71.0, 242.0, 255.0], 2.0);
}

#[test]
fn addnormals_adds_slopes() {
    let a = rows(1, &[[160, 100, 248, 255]]);
    texel(&run("addnormals(a, _flat)", &a, &a), [0, 0], [160.0, 100.0, 248.0, 255.0], 2.0);
    texel(&run("addnormals(_flat, heightmap(_white, 4))", &a, &a), [0, 0], [128.0, 128.0, 255.0, 255.0], 1.0);
    // (0.255, −0.216, 0.945) twice: (0.51, −0.431, 0.945) / 1.157 = (0.441, −0.373, 0.817).
    texel(&run("addnormals(a, b.tga)", &a, &a), [0, 0], [184.0, 80.0, 232.0, 255.0], 2.0);
}

#[test]
fn smoothnormals_averages_neighbouring_normals() {
    let (lone, flat) = ([200, 60, 207, 255], [128, 128, 255, 255]);
    let even = run("smoothnormals(a)", &rows(2, &[[160, 100, 248, 255]; 4]), &rows(1, &[flat]));
    texel(&even, [1, 0], [160.0, 100.0, 248.0, 255.0], 2.0);
    let image = rows(5, &[[flat; 12].as_slice(), &[lone], &[flat; 12]].concat());
    let [red, green, ..] = run("smoothnormals(a)", &image, &image).texel(2, 2);
    assert!((129..200).contains(&red) && (61..127).contains(&green), "{red} {green}");
}

#[test]
fn second_operand_is_resized_to_the_first() {
    let first = rows(4, &[[10, 20, 30, 40]; 8]);
    for second in [rows(1, &[[1; 4]]), rows(2, &[[1; 4]; 4]), rows(8, &[[1; 4]; 32])] {
        let sum = run("add(a, b.tga)", &first, &second);
        assert_eq!((sum.width, sum.height, sum.rgba.clone()), (4, 2, [[11, 21, 31, 41]; 8].concat()));
        assert_eq!(run("addnormals(b.tga, a)", &first, &second).width, second.width);
    }
}

#[test]
fn built_in_images_need_no_file() {
    for (word, colour) in cases("_white -> 255 255 255 255; _BLACK -> 0 0 0 255; _flat -> 128 128 255 255") {
        let image = material(&format!("{{ map {word} }}")).stages.remove(0).maps.remove(0).program;
        let image = image.run(&mut |name| panic!("{name} is no file")).unwrap();
        texel(&image, [0, 0], colour, 1.0);
    }
    assert!(stage("").maps[0].program.run(&mut |_| None).is_none(), "a file that is not there");
}

fn png() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    RgbaImage::from_pixel(2, 2, image::Rgba([9, 8, 7, 255])).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
fn material_finds_images_with_and_without_definition() {
    let png = png();
    let paths = ["models/gun_d.png", "models/gun_local.png", "models/gun_s.png", "models/gun_h.png"];
    let mut files: Vec<(&str, &[u8])> = paths.map(|path| (path, &*png)).into();
    let text = "\nmodels/gun { diffusemap models/gun_d.tga\n\
        bumpmap addnormals(models/gun_local, heightmap(models/gun_h, 2))\n\
        specularmap models/gun_s.tga }";
    for is_defined in [false, true] {
        if is_defined {
            files.push((FILE, text.as_bytes()));
        }
        let (vfs, search) = (game(&files), ResolveContext::new(ImageLoading::Decode));
        let mut finder = MaterialResolver::new(&vfs, "models/gun.md5mesh", Format::Md5, None, &search);
        let material = finder.material("models/gun", Origin::Model, &mut Warnings::default());
        assert_eq!(material.script, is_defined.then(|| (FILE.to_owned(), 2)));
        let [stage] = &material.definition.stages[..] else { panic!("{:?}", material.definition) };
        assert!(stage.is_lit() && stage.maps[0].path == "models/gun_d.png" && stage.maps[0].image.is_some());
        let relief = stage.relief.as_ref().unwrap();
        let (bump, specular) = (relief.bump.as_ref().unwrap(), relief.specular.as_ref().unwrap());
        assert!(bump.image.is_some() && bump.path == "models/gun_local.png", "{bump:?}");
        assert!(specular.image.is_some() && specular.path == "models/gun_s.png", "{specular:?}");
    }
}

#[test]
fn missing_map_becomes_default_image_and_keeps_name() {
    let png = png();
    let of = |text: &str, images: &[&str]| {
        let mut files: Vec<(&str, &[u8])> = images.iter().map(|path| (*path, &*png)).collect();
        files.push((FILE, text.as_bytes()));
        let (vfs, search) = (game(&files), ResolveContext::new(ImageLoading::Decode));
        let mut finder = MaterialResolver::new(&vfs, "models/gun.md5mesh", Format::Md5, None, &search);
        finder.material("m", Origin::Model, &mut Warnings::default())
    };
    let glow = "material m { diffusemap gone\n { blend add\n map glow } }";
    let found = of(glow, &["glow.png"]);
    assert_eq!((found.in_game, found.stages_in_game()), (InGame::DefaultMaps, 2));
    assert!(found.is_missing() && found.problem().unwrap().contains("“gone”"));
    assert_eq!(of(glow, &[]).in_game, InGame::DefaultTexture);
    assert_eq!(of(glow, &["glow.png", "gone.png"]).in_game, InGame::Whole);

    let program = "material m { diffusemap a\n bumpmap addnormals(n, heightmap(h, 4)) }";
    for (images, missing) in [(["a.png", "n.png"], "h"), (["a.png", "h.png"], "n"), (["n.png", "h.png"], "a")] {
        assert_eq!(of(program, &images).missing_image.as_deref(), Some(missing));
    }
    assert_eq!(of(program, &["a.png", "h.png"]).in_game, InGame::Whole, "the surface is drawn flat");
}

#[test]
fn compressed_twins_are_found_for_every_map() {
    let png = png();
    let text = "material m { diffusemap models/a/b/c/d/e.tga\n\
        bumpmap addnormals(models/n.x, heightmap(models/h, 0.5))\n specularmap models\\s.tga }";
    let twins =
        ["dds/models/a/b/c/d e.dds", "dds/addnormals/models/n_x heightmap/models/h 0_5.dds", "dds/models/s.dds"];
    let mut files: Vec<(&str, &[u8])> = twins.map(|path| (path, &*png)).into();
    files.push((FILE, text.as_bytes()));
    let (vfs, search) = (game(&files), ResolveContext::new(ImageLoading::Decode));
    let mut finder = MaterialResolver::new(&vfs, "models/gun.md5mesh", Format::Md5, None, &search);
    let material = finder.material("m", Origin::Model, &mut Warnings::default());
    let [stage] = &material.definition.stages[..] else { panic!("{:?}", material.definition) };
    let relief = stage.relief.as_ref().unwrap();
    let found = [&stage.maps[0], relief.bump.as_ref().unwrap(), relief.specular.as_ref().unwrap()];
    assert_eq!(found.map(|map| map.path.as_str()), twins);
    assert_eq!((material.problem(), material.in_game), (None, InGame::Whole));
    assert!(material.search_log.iter().any(|step| step.what.ends_with("compressed twin")));
}

/// Parses and evaluates all materials of a file: numbers are finite, images are whole, and memory is bounded by the ///
/// file size.
#[track_caller]
fn survives(text: impl AsRef<[u8]>) {
    let text = text.as_ref();
    let vfs = game(&[(FILE, text)]);
    let ((), peak) = peak_of(|| {
        let scripts = Scripts::from_vfs(&vfs);
        for name in scripts.names(Kind::Doom3) {
            let found = scripts.find(name, Kind::Doom3, &mut Warnings::default());
            found.iter().for_each(|found| use_material(&found.material));
        }
    });
    assert!(peak <= 64 * text.len() + (1 << 20), "{peak} bytes for a file of {}", text.len());
}

fn use_material(material: &Material) {
    for (stage, seconds) in material.stages.iter().flat_map(|stage| [0.0, 1e-3, 1e6].map(|seconds| (stage, seconds))) {
        let tested = if let AlphaTest::Above(number) = &stage.alpha_test { number.at(seconds) } else { 0.0 };
        let shown = stage.condition.as_ref().map_or(0.0, |condition| condition.at(seconds));
        let numbers = stage.shade(seconds).into_iter().chain([tested, shown]);
        assert!(numbers.into_iter().all(f32::is_finite), "{stage:?}");
        assert!(warps(&stage.moves, seconds).iter().all(|warp| warp.matrix.is_finite()), "{stage:?}");
    }
    for map in material.stages.iter().flat_map(|stage| &stage.maps) {
        let made = map.program.run(&mut |_| Some(rows(2, &[[1, 2, 3, 4]; 4])));
        assert!(made.is_some_and(|made| made.rgba.len() == 4 * (made.width * made.height) as usize), "{map:?}");
    }
}

const SOUND: &str = r#"table t { snap clamp { 0, -1, 2.5 } } table u { { 0, 3e38 } }
material m {
    twoSided
    sort decal
    qer_editorimage a
    diffusemap add( a , scale( b , 2 , 0.5 , 3e38 , -1 ) )
    bumpmap addnormals( _flat , heightmap( a , -3e38 ) )
    specularmap makeIntensity( invertColor( smoothnormals( a ) ) )
    { blend gl_one , gl_zero
        map a
        alphaTest t [ time * 3e38 ]
        rgb u [ - time / ( parm4 - 1e-38 ) ]
        scroll time * 3e38 , u [ time ]
        rotate 3e38 * time
        shear time , 1 / time
        if time % 2 >= 1 || t [ 0.5 ] == 2
    }
    { blend blend
        map makeAlpha( invertAlpha( "b" ) )
        color time , 1 - time , t [ t [ u [ time ] ] ] , 3e38 * 3e38
        scale 3e38 , 3e38
        centerScale 3e38 , 3e38
    }
}
"#;

#[test]
fn material_parser_survives_every_truncation() {
    let mut warnings = Warnings::default();
    let whole = Scripts::from_vfs(&game(&[(FILE, SOUND.as_bytes())])).find("m", Kind::Doom3, &mut warnings).unwrap();
    // The alpha test of the third stage draws the depth first.
    assert!(whole.material.stages.len() == 4 && warnings.into_vec().is_empty(), "the whole is sound");
    (0..=SOUND.len()).for_each(|end| survives(&SOUND[..end]));
}

#[test]
fn material_parser_limits_nesting_depth() {
    for depth in [8, 31, 33, 1000, 100_000] {
        for brackets in "( )|- |-( )|u[ ]|heightmap( ,2)|add(a, )|add( ,a)|{ }".split('|') {
            let (open, close) = brackets.split_once(' ').unwrap();
            let nest = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            survives(format!("table u {{ {{ 0, 1 }} }} m {{\n{{ map {nest}\nif {nest}\nmap a }}\n{nest}\n}}"));
            survives(nest);
        }
    }
}

#[test]
fn long_material_lists_use_linear_memory_and_time() {
    let start = std::time::Instant::now();
    let long = format!("if time{}\n", " + 1".repeat(4000));
    for inside in ["{ map a }\n", "{ map a\nrgb 1\nscroll time, 1 }\n", "unknown\n", "diffusemap add(a, b)\n", &long] {
        survives(format!("m {{\n{}}}", inside.repeat(400_000 / inside.len())));
        survives(format!("m {{\n{{ map a\n{}}}\n}}", inside.repeat(400_000 / inside.len())));
    }
    survives("m{}table t{{1}}".repeat(10_000));
    assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
}

#[test]
fn repeated_table_lookups_share_one_table() {
    let (numbers, lookups) = ("1,".repeat(20_000), "+t[time]".repeat(200));
    survives(format!("table t {{ {{ {numbers} }} }}\nm {{\n{{ map a\nif 1{lookups}\n}}\n}}"));
}

fn indices() -> impl Strategy<Value = prop::sample::Index> {
    any::<prop::sample::Index>()
}

fn words() -> Vec<&'static str> {
    SOUND.split_inclusive(char::is_whitespace).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn material_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
        survives([b"m {\n{ map ", &bytes[..], b" }\n}\n"].concat());
        survives([b"m {\n{ map a\nif ", &bytes[..], b" }\n}\n"].concat());
    }

    #[test]
    fn material_parser_survives_shuffled_words(words in Just(words()).prop_shuffle()) {
        survives(words.concat());
        survives(format!("m {{ {{ map a\n{}", words.concat()));
    }

    #[test]
    fn material_parser_survives_random_corruption(changes in proptest::collection::vec((indices(), indices(), 0..4), 1..12)) {
        let odd: Vec<&str> = "\"|{|}|(|)|[|]|-|,|/*|*/|//|1e999|9999999999999999|nan|\u{e9}|\0".split('|').collect();
        let mut words = words();
        for (index, other, change) in changes {
            let (index, any) = (index.index(words.len()), other.index(words.len()));
            match change {
                0 => drop(words.remove(index)),
                1 => words.insert(index, words[any]),
                2 => words[index] = odd[other.index(odd.len())],
                _ => words.swap(index, any),
            }
        }
        survives(words.concat());
    }
}
