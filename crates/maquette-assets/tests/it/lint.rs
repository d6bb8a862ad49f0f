//! Lint rules: a failing case for each rule, its messages, and what rules ignore.

use std::path::Path;

use glam::Vec3;
use maquette_assets::lint::{
    Finding, Findings, LintInput, Location, NamedIndex, PROFILES, Profile, REQUIREMENT, RULES, RulesFile, Severity,
    broken, check, to_json, to_text,
};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::edit::{Call, REMOVE_DEGENERATE, apply};
use maquette_core::error::Warning;
use maquette_core::formats;
use maquette_core::model::{Bounds, Clip, ClipSource, Format, Model, ModelParts};

use maquette_testing::archives::folder;
use maquette_testing::files::{Md2, Md3, Mdc, Mdl, Short, TGA};
use maquette_testing::player::{straight, turned};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, bone};
use maquette_testing::waiting::MAX_WAIT;

/// A tag at the origin with a reversed second axis.
const MIRRORED: [f32; 12] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0];

fn profile(name: &str) -> &'static Profile {
    Profile::named(name).expect("a profile")
}

/// Lints a file for an engine.
fn found(bytes: &[u8], engine: &str) -> Findings {
    found_at("", bytes, engine)
}

fn found_at(game_path: &str, bytes: &[u8], engine: &str) -> Findings {
    let (model, warnings) = formats::load(bytes).unwrap();
    let subject = LintInput { game_path, ..LintInput::alone(&model, &warnings) };
    check(subject, Some(profile(engine)), None)
}

/// Like [`found`], after `change` edited the model.
fn found_in(bytes: &[u8], engine: &str, change: impl FnOnce(&mut ModelParts)) -> Findings {
    let mut parts = formats::load(bytes).unwrap().0.into_parts();
    change(&mut parts);
    let model = Model::new(parts).unwrap();
    check(LintInput::alone(&model, &[]), Some(profile(engine)), None)
}

/// Like [`found`], for a model with these clips.
fn found_with_clips(bytes: &[u8], clips: &[(&str, u32, u32)]) -> Findings {
    let mut model = formats::load(bytes).unwrap().0;
    let listed = |(name, first, count): &(&str, u32, u32)| Clip::new(*name, *first, *count, 10.0, ClipSource::ClipList);
    model.set_clips(clips.iter().map(listed).collect());
    check(LintInput::alone(&model, &[]), Some(profile("any")), None)
}

/// Lints a model in a game folder.
fn found_in_game(files: &[(&str, &[u8])], model: &str, engine: &str) -> Findings {
    let root = folder(files);
    let asset = Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&root.path().join(model)).unwrap();
    check(LintInput::new(&asset), Some(profile(engine)), None)
}

/// Lints the MD5 mesh with an animation named like the mesh.
fn animated(animation: &str, engine: &str) -> Findings {
    let mut model = formats::load(MD5_MESH.as_bytes()).unwrap().0;
    model.add_animation("box", animation.as_bytes()).unwrap();
    let subject = LintInput { game_path: "models/box/box.md5mesh", ..LintInput::alone(&model, &[]) };
    check(subject, Some(profile(engine)), None)
}

fn asked(rules: &str, bytes: &[u8], game_path: &str) -> Findings {
    let (model, _) = formats::load(bytes).unwrap();
    let requirements = RulesFile::parse(rules.as_bytes()).unwrap();
    check(LintInput { game_path, ..LintInput::alone(&model, &[]) }, None, Some(&requirements))
}

fn of_rule<'a>(findings: &'a Findings, rule: &str) -> Vec<&'a Finding> {
    findings.list.iter().filter(|finding| finding.rule == rule).collect()
}

#[track_caller]
fn one<'a>(findings: &'a Findings, rule: &str) -> &'a Finding {
    let found = of_rule(findings, rule);
    assert_eq!(found.len(), 1, "{rule}: {findings:?}");
    found[0]
}

/// Returns a corner at whole units.
const fn at(x: i16, y: i16, z: i16) -> Short {
    ([x * 64, y * 64, z * 64], [0, 0])
}

fn with_tags(tags: &[(&'static str, [f32; 12])]) -> Vec<u8> {
    let tags = tags.iter().map(|(name, transform)| (*name, vec![*transform; 2])).collect();
    Md3 { tags, ..Md3::typical() }.build()
}

/// Returns a model that moves one unit per frame. A loop of all frames jumps back nine units.
fn walk() -> Vec<u8> {
    let corners = |x: i16| vec![at(x, 0, 0), at(x, 4, 0), at(x, 0, 8)];
    Md3 { tags: vec![], frames: (0..10).map(corners).collect(), ..Md3::typical() }.build()
}

fn heavy_vertex() -> String {
    let more = "\tweight 4 0 0 ( 0 0 0 )\n\tweight 5 0 0 ( 0 0 0 )\n\tweight 6 0 0 ( 0 0 0 )\n}";
    let mesh = MD5_MESH.replace("2 2\n\tnumtris", "2 5\n\tnumtris").replace("numweights 4", "numweights 7");
    let end = mesh.rfind('}').unwrap();
    format!("{}{more}\n", &mesh[..end])
}

/// A rule, and a case that breaks the rule.
type Trip = (&'static str, fn() -> Findings);

/// One case per rule.
const TRIPS: &[Trip] = &[
    ("broken-file", || broken(&formats::load(b"IDP3").unwrap_err().to_string())),
    ("format-not-loaded", || found(&Md2::typical().build(), "doom3")),
    ("empty-md2", || {
        let mut empty = Md2 { triangles: vec![], coordinates: vec![], commands: vec![0], ..Md2::typical() };
        empty.frames.truncate(1);
        empty.frames[0].vertices.clear();
        found(&empty.build(), "quake2")
    }),
    ("no-surfaces", || found(&Md3 { surfaces: 0, ..Md3::typical() }.build(), "ironwail")),
    ("missing-line", || found(MD5_MESH.replace("commandline \"mesh box\"", "").as_bytes(), "doom3")),
    ("refused", || found(MD5_MESH.replace("weight 0 0", "weight 0 7").as_bytes(), "doom3")),
    ("too-many-vertices", || found(&Md3::grid(1001, 10).build(), "quake3")),
    ("too-many-triangles", || found(&Md3::grid(30, 2001).build(), "quake3")),
    ("too-many-surfaces", || found(&Md3 { surfaces: 33, ..Md3::typical() }.build(), "vkquake")),
    ("too-many-frames", || {
        let frame = || Md3::typical().frames.remove(0);
        found(&Md3 { tags: vec![], frames: (0..1025).map(|_| frame()).collect(), ..Md3::typical() }.build(), "quake3")
    }),
    ("too-many-tags", || found(&with_tags(&[("tag_x", straight([0.0; 3])); 17]), "quake3")),
    ("too-many-joints", || {
        found(&Mdr { frames: vec![vec![bone(0.0, [0.0; 3]); 129]], ..Mdr::typical() }.build(), "elite-force")
    }),
    ("too-many-weights", || found(heavy_vertex().as_bytes(), "cube2")),
    ("too-many-skins", || found(&Md2 { skins: vec!["a.pcx"; 33], ..Md2::typical() }.build(), "quake2")),
    ("too-many-materials", || found(&Md3 { shaders: vec!["a.tga"; 257], ..Md3::typical() }.build(), "q2pro")),
    ("too-many-levels", || found(&Mdr { lods: 4, ..Mdr::typical() }.build(), "elite-force")),
    ("name-too-long", || found_in(&Md3::typical().build(), "quake3", |parts| parts.surfaces[0].name = "x".repeat(64))),
    ("path-too-long", || found_at(&format!("models/{}.md3", "x".repeat(53)), &Md3::typical().build(), "quake3")),
    ("skin-too-tall", || found(&Md2 { skin_size: [64, 481], ..Md2::typical() }.build(), "quake2")),
    ("skin-too-wide", || found(&Md2 { skin_size: [641, 64], ..Md2::typical() }.build(), "quake2")),
    ("missing-tag", || found_at("models/players/box/lower.md3", &Md3::typical().build(), "quake3")),
    ("misnamed-tag", || found(&with_tags(&[("Tag_Head", straight([0.0; 3]))]), "any")),
    ("repeated-tag", || found(&with_tags(&[("tag_a", straight([0.0; 3])); 2]), "any")),
    ("repeated-surface", || {
        found_in(&Md3 { surfaces: 2, ..Md3::typical() }.build(), "any", |parts| {
            parts.surfaces[1].name = parts.surfaces[0].name.to_uppercase();
            parts.surfaces[1].materials = vec!["other".to_owned()];
        })
    }),
    ("tag-axes-length", || {
        let long = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
        found(&with_tags(&[("tag_a", long)]), "any")
    }),
    ("tag-axes-skewed", || {
        let skewed = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.6, 0.8, 0.0, 0.0, 0.0, 1.0];
        found(&with_tags(&[("tag_a", skewed)]), "any")
    }),
    ("tag-axes-mirrored", || found(&with_tags(&[("tag_a", MIRRORED)]), "any")),
    // The boxes are two to six units large, the spheres are far away, and the model moves by ten.
    ("wrong-bounds", || found(&Md3::typical().build(), "any")),
    ("wrong-radius", || found(&Md3::typical().build(), "any")),
    ("weight-sum", || found(MD5_MESH.replace("weight 3 1 0.5", "weight 3 1 0.7").as_bytes(), "any")),
    ("no-weights", || found(MD5_MESH.replace("2 2\n\tnumtris", "2 0\n\tnumtris").as_bytes(), "any")),
    ("other-skeleton", || animated(&MD5_ANIM.replace("origin", "pelvis"), "ironwail")),
    ("unknown-directive", || {
        let shader = b"models/box/skin\n{\n\tfoobar 3\n\t{\n\t\tmap models/a.tga\n\t}\n}\n";
        let files: [(&str, &[u8]); 2] = [("scripts/a.shader", shader), ("models/a.md3", &Md3::typical().build())];
        found_in_game(&files, "models/a.md3", "quake3")
    }),
    ("no-extension", || found(&Md3 { shaders: vec!["models/box/skin"], ..Md3::typical() }.build(), "q2pro")),
    ("missing-texture", || found_in_game(&[("models/a.md3", &Md3::typical().build())], "models/a.md3", "any")),
    ("unreadable-image", || {
        let files: [(&str, &[u8]); 2] = [("models/box/box.md2", &Md2::typical().build()), ("models/box/skin.png", TGA)];
        found_in_game(&files, "models/box/box.md2", "quake2")
    }),
    ("guessed-texture", || {
        let files: [(&str, &[u8]); 2] =
            [("models/box/box.md2", &Md2::typical().build()), ("models/box/other.png", TGA)];
        found_in_game(&files, "models/box/box.md2", "any")
    }),
    // The triangle is clockwise seen from −X, but the normals point to +X.
    ("inside-out", || found(&Md3::typical().build(), "any")),
    ("degenerate-triangle", || found(&Md3 { triangles: vec![[0, 0, 1]], ..Md3::typical() }.build(), "any")),
    ("repeated-triangle", || found(&Md3 { triangles: vec![[0, 1, 2], [1, 2, 0]], ..Md3::typical() }.build(), "any")),
    ("gl-commands", || {
        found(&Md2 { commands: vec![3, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0], ..Md2::typical() }.build(), "any")
    }),
    ("unused-vertex", || found(&Md3::grid(30, 2).build(), "any")),
    ("crease", || found(&creased(), "any")),
    ("loop-jump", || found_with_clips(&walk(), &[("run", 0, 10)])),
    ("unlisted-clips", || found_at("models/players/box/lower.md3", &Md3::typical().build(), "quake3")),
    ("clip-overlap", || found_with_clips(&walk(), &[("run", 0, 5), ("stand", 3, 5)])),
    ("truncated", || {
        let whole = Md3::typical().build();
        found(&whole[..whole.len() - 8], "any")
    }),
    ("oddity", || found(&Md3 { triangles: vec![[0, 1, 2], [0, 1, 9]], ..Md3::typical() }.build(), "any")),
    (REQUIREMENT, || asked("at most 0 tags", &Md3::typical().build(), "")),
    ("companion", || {
        let (model, _) = formats::load(&Md3::typical().build()).unwrap();
        let warnings = [Warning::companion("a_1.md3", "skipped")];
        check(LintInput::alone(&model, &warnings), Some(profile("any")), None)
    }),
];

/// Returns two triangles that meet at a right angle and share no vertices.
fn creased() -> Vec<u8> {
    let (up, aside) = ([0, 0], [64, 0]);
    let corner = |(place, _): Short, normal: [u8; 2]| (place, normal);
    let (a, b) = (at(0, 0, 0), at(0, 4, 0));
    let frame = vec![
        corner(a, up),
        corner(b, up),
        corner(at(4, 0, 0), up),
        corner(a, aside),
        corner(b, aside),
        corner(at(0, 0, 4), aside),
    ];
    Md3 {
        tags: vec![],
        triangles: vec![[0, 1, 2], [3, 5, 4]],
        uvs: vec![[0.0, 0.0]; 6],
        frames: vec![frame],
        ..Md3::typical()
    }
    .build()
}

/// The strip lacks the second triangle. The first one has all corners at (0, 0), its coordinates are (0, 0), (63, 127)
/// and (31, 63).
#[test]
fn gl_commands_are_compared_with_triangles() {
    let model = Md2 { commands: vec![3, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0], ..Md2::typical() };
    assert_eq!(
        one(&found(&model.build(), "any"), "gl-commands").message,
        "the GL commands differ from the triangles: 1 missing, 1 moved on the skin"
    );
    // Corners at s and t that are a texel off at most.
    let [s, t] = [63.5_f32 / 64.0, 127.5 / 128.0].map(|number| number.to_bits().cast_signed());
    let [u, v] = [31.0_f32 / 64.0, 63.0 / 128.0].map(|number| number.to_bits().cast_signed());
    let commands = vec![3, 0, 0, 0, s, t, 2, u, v, 1, 0];
    let model = Md2 { commands, triangles: vec![[0, 2, 1, 0, 2, 1]], ..Md2::typical() };
    assert_eq!(of_rule(&found(&model.build(), "any"), "gl-commands"), [] as [&Finding; 0]);
}

#[test]
fn every_lint_rule_has_a_failing_case() {
    for rule in RULES {
        let trip = TRIPS.iter().find(|(id, _)| *id == rule.id).unwrap_or_else(|| panic!("nothing trips {}", rule.id));
        let findings = trip.1();
        let tripped = of_rule(&findings, rule.id);
        assert!(!tripped.is_empty(), "{}: {findings:?}", rule.id);
        assert!(tripped.iter().all(|finding| finding.severity <= rule.severity), "{}: {tripped:?}", rule.id);
    }
    for (id, _) in TRIPS {
        assert!(RULES.iter().any(|rule| rule.id == *id), "{id} is no rule");
    }
}

#[test]
fn rule_ids_are_unique_and_documented() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/lint.md")).unwrap();
    for (index, rule) in RULES.iter().enumerate() {
        assert!(rule.id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", rule.id);
        assert!(RULES.iter().skip(index + 1).all(|other| other.id != rule.id), "{} is there twice", rule.id);
        let row = format!("| `{}` | {} | {} |", rule.id, rule.severity.label(), rule.reason);
        assert!(page.contains(&row), "docs/lint.md lacks: {row}");
    }
    for profile in PROFILES {
        let formats: Vec<String> = profile.formats.iter().map(|format| format.title().to_owned()).collect();
        let has_all = formats.len() == Format::ALL.len();
        let formats = if has_all { "all".to_owned() } else { formats.join(", ") };
        let row = format!("| `{}` | {} | {formats} |", profile.name, profile.title);
        assert!(page.contains(&row), "docs/lint.md lacks: {row}");
    }
}

#[test]
fn typical_models_have_no_errors_in_their_games() {
    let made = [
        (Mdl::typical().build(), "quake"),
        (Mdl::typical().build(), "quakespasm"),
        (Md2::typical().build(), "quake2"),
        (Md3::typical().build(), "quake3"),
        (Md3::typical().build(), "darkplaces"),
        (Mdc::typical().build(), "rtcw"),
        (Mdc::typical().build(), "et"),
        (Mdr::typical().build(), "elite-force"),
        (MD5_MESH.as_bytes().to_vec(), "doom3"),
    ];
    for (bytes, engine) in made {
        let findings = found(&bytes, engine);
        assert_eq!(findings.count(Severity::Error), 0, "{engine}: {findings:?}");
        assert_eq!(found(&bytes, "any").count(Severity::Error), 0);
    }
}

/// Returns an MD5 of one mesh with these numbers of vertices, triangles and weights.
fn md5_mesh([vertices, triangles, weights]: [usize; 3]) -> String {
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<String>();
    let head = MD5_MESH.split("\tnumverts").next().unwrap();
    let vertices_text = lines(vertices, |index| format!("\tvert {index} ( 0 0 ) 0 1\n"));
    let triangles_text = lines(triangles, |index| format!("\ttri {index} 0 1 2\n"));
    let weights_text = lines(weights, |index| format!("\tweight {index} 0 1 ( {index} 0 {} )\n", index % 7));
    format!(
        "{head}\tnumverts {vertices}\n{vertices_text}\tnumtris {triangles}\n{triangles_text}\tnumweights {weights}\n\
         {weights_text}}}\n"
    )
}

/// Returns an animation of [`MD5_MESH`] with this number of frames.
fn md5_animation(frames: usize) -> String {
    let (head, rest) = MD5_ANIM.split_once("bounds {").unwrap();
    let base = rest.split_once("baseframe").unwrap().1.split_once("frame 0").unwrap().0;
    let boxes = "\t( -1 -1 -1 ) ( 1 1 1 )\n".repeat(frames);
    let poses: String = (0..frames).map(|frame| format!("frame {frame} {{\n\t0 0\n}}\n")).collect();
    let head = head.replace("numFrames 3", &format!("numFrames {frames}"));
    format!("{head}bounds {{\n{boxes}}}\n\nbaseframe{base}{poses}")
}

/// The limits of `MD5_ParseMesh` and `MD5_ParseAnim` in Q2PRO: `TESS_MAX_VERTICES`, `MD5_MAX_WEIGHTS`,
/// `MD5_MAX_FRAMES`.
#[test]
fn q2pro_limits_md5_meshes_and_animations() {
    let refusals = |mesh: &str, animation: &str| -> Vec<&str> {
        let files: [(&str, &[u8]); 3] = [
            ("models/box/tris.md2", &Md2::typical().build()),
            ("models/box/md5/tris.md5mesh", mesh.as_bytes()),
            ("models/box/md5/tris.md5anim", animation.as_bytes()),
        ];
        let findings = found_in_game(&files, "models/box/md5/tris.md5mesh", "q2pro");
        let errors = findings.list.iter().filter(|finding| finding.severity == Severity::Error);
        errors.map(|finding| finding.rule).collect()
    };
    let none: [&str; 0] = [];
    assert_eq!(refusals(&md5_mesh([6144, 6144, 8192]), &md5_animation(1024)), none);
    assert_eq!(refusals(&md5_mesh([6145, 1, 1]), MD5_ANIM), ["too-many-vertices"]);
    assert_eq!(refusals(&md5_mesh([3, 6145, 1]), MD5_ANIM), ["too-many-triangles"]);
    assert_eq!(refusals(&md5_mesh([3, 1, 8193]), MD5_ANIM), ["too-many-weights"]);
    assert_eq!(refusals(MD5_MESH, &md5_animation(1025)), ["too-many-frames"]);
    assert_eq!(refusals(&MD5_MESH.replace("commandline \"mesh box\"", ""), MD5_ANIM), ["missing-line"]);
    assert_eq!(refusals(&MD5_MESH.replace("MD5Version 10", ""), MD5_ANIM), ["missing-line"]);
    let third = "\t\"third\"\t1 0 0\n}\n\nbounds";
    let longer = MD5_ANIM.replace("numJoints 2", "numJoints 3").replace("}\n\nbounds", third);
    let longer = longer.replace("\t( 10 0 0 ) ( 0 0 0 )\n", "\t( 10 0 0 ) ( 0 0 0 )\n\t( 1 0 0 ) ( 0 0 0 )\n");
    assert_eq!(refusals(MD5_MESH, &longer), ["other-skeleton"]);
}

/// The limits of `SHADER_MAX_VERTEXES` and `SHADER_MAX_INDEXES` in Doom 3's `Model_md3.h`.
#[test]
fn doom_3_loads_md3_of_quake_3_size() {
    let fits = found(&Md3::grid(1000, 2000).build(), "doom3");
    assert_eq!(fits.count(Severity::Error), 0, "{fits:?}");
    assert_eq!(one(&found(&Md3::grid(1001, 10).build(), "doom3"), "too-many-vertices").severity, Severity::Error);
    assert_eq!(one(&found(&Md3::grid(30, 2001).build(), "doom3"), "too-many-triangles").severity, Severity::Error);
}

/// Doom 3 and Ironwail compare number, names and parents of joints. Q2PRO compares only the number, and vkQuake
/// nothing.
#[test]
fn other_skeleton_is_error_where_engine_compares_joints() {
    let renamed = MD5_ANIM.replace("origin", "pelvis");
    let unparented = MD5_ANIM.replace("\"Arm\"\t0", "\"Arm\"\t-1");
    for (engine, renamed_is_rejected) in
        [("doom3", true), ("ironwail", true), ("fte", true), ("q2pro", false), ("vkquake", false)]
    {
        let rejected = |animation: &str| !of_rule(&animated(animation, engine), "other-skeleton").is_empty();
        assert!(!rejected(MD5_ANIM), "{engine}");
        assert_eq!(rejected(&renamed), renamed_is_rejected, "{engine}");
        assert_eq!(rejected(&unparented), renamed_is_rejected, "{engine}");
    }
    let findings = animated(&renamed, "doom3");
    let place = &one(&findings, "other-skeleton").location;
    assert_eq!(place.joint.as_ref().map(|joint| joint.name.as_str()), Some("origin"));
}

#[test]
fn q2pro_loads_md5_only_from_md5_folder() {
    let found = |path: &str| found_at(path, MD5_MESH.as_bytes(), "q2pro");
    assert!(of_rule(&found("models/box/MD5/tris.md5mesh"), "format-not-loaded").is_empty());
    assert_eq!(one(&found("models/box/tris.md5mesh"), "format-not-loaded").severity, Severity::Error);
}

#[test]
fn model_without_surfaces_is_rejected_where_engine_does() {
    let model = Md3 { surfaces: 0, ..Md3::typical() }.build();
    assert!(of_rule(&found(&model, "quake3"), "no-surfaces").is_empty());
    assert_eq!(one(&found(&model, "vkquake"), "no-surfaces").severity, Severity::Error);
    let empty = Md3 { surfaces: 0, tags: vec![], ..Md3::typical() }.build();
    assert_eq!(one(&found(&empty, "any"), "no-surfaces").severity, Severity::Warning);
}

/// Reduces a model to the triangle of [`Md3::typical`] in one frame, which faces along its normals and has correct
/// bounds and radius.
fn clean(parts: &mut ModelParts) {
    parts.surfaces[0].triangles = vec![[0, 2, 1]];
    let frame = &mut parts.frames[0];
    frame.bounds = Some(Bounds { min: Vec3::ZERO, max: Vec3::new(0.0, 1.0, 2.0) });
    frame.origin = Vec3::new(0.0, 0.5, 1.0);
    frame.radius = 1.2;
}

fn clean_file() -> Vec<u8> {
    let one = || Md3::typical().frames.remove(0);
    Md3 { tags: vec![("tag_head", vec![turned([0.0; 3])])], frames: vec![one()], ..Md3::typical() }.build()
}

#[test]
fn clean_model_has_no_findings() {
    for engine in ["any", "quake3", "ioquake3", "rtcw", "et", "elite-force", "darkplaces", "cube2"] {
        assert_eq!(found_in(&clean_file(), engine, clean), Findings::default(), "{engine}");
    }
}

#[test]
fn engine_limits_accept_their_maximum_value() {
    let vertices = |count: usize, engine: &str| {
        let findings = found(&Md3::grid(count, 10).build(), engine);
        of_rule(&findings, "too-many-vertices").first().map(|finding| finding.severity)
    };
    use Severity::{Error, Warning};
    // Quake III loads 1000 vertices, but cannot draw them. ioquake3 does not load them.
    assert_eq!((vertices(999, "quake3"), vertices(1000, "quake3")), (None, Some(Error)));
    assert_eq!((vertices(999, "ioquake3"), vertices(1000, "ioquake3")), (None, Some(Error)));
    // Return to Castle Wolfenstein allows 1000 vertices in multiplayer and 4000 in single player.
    assert_eq!((vertices(1000, "rtcw"), vertices(1001, "rtcw")), (None, Some(Warning)));
    assert_eq!((vertices(4000, "rtcw"), vertices(4001, "rtcw")), (Some(Warning), Some(Error)));
    assert_eq!(
        (vertices(1025, "et"), vertices(1026, "et"), vertices(10_001, "et")),
        (None, Some(Warning), Some(Error))
    );
    assert_eq!((vertices(4001, "darkplaces"), vertices(4001, "any")), (None, None));
    let tall = |height: i32| found(&Md2 { skin_size: [64, height], ..Md2::typical() }.build(), "quake2");
    assert_eq!(of_rule(&tall(480), "skin-too-tall").len(), 0);
    assert_eq!(one(&tall(481), "skin-too-tall").message, "481 texels of skin height; Quake II supports at most 480");
}

#[test]
fn limit_of_map_objects_is_only_a_warning() {
    let large = Md3::grid(1200, 10).build();
    for folder in ["models/mapobjects/x", "models/map"] {
        let findings = found_at(&format!("{folder}/gargoyle.md3"), &large, "ioquake3");
        assert_eq!(one(&findings, "too-many-vertices").severity, Severity::Warning);
    }
    let findings = found_at("models/players/x/upper.md3", &large, "ioquake3");
    assert_eq!(one(&findings, "too-many-vertices").severity, Severity::Error);
}

/// The lists of the engines' image loaders.
#[test]
fn image_formats_that_engine_does_not_read_are_reported() {
    let unread = |model: (&str, &[u8]), image: &str, engine: &str| {
        let findings = found_in_game(&[model, (image, TGA)], model.0, engine);
        of_rule(&findings, "unreadable-image").iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    let md2 = Md2 { skins: vec!["models/box/skin.pcx"], ..Md2::typical() };
    let (md2, md3) = (md2.build(), Md3::typical().build());
    let (md2, md3, md5) = (
        ("models/box/box.md2", md2.as_slice()),
        ("models/box/box.md3", md3.as_slice()),
        ("models/box/box.md5mesh", MD5_MESH.as_bytes()),
    );
    let none: [&str; 0] = [];
    for (model, engine, read, unreadable) in [
        (md2, "quake2", "pcx tga", "png jpg bmp webp"),
        (md2, "yquake2", "pcx tga jpg png", "bmp webp jpeg"),
        (md2, "q2pro", "pcx tga jpg png", "bmp webp jpeg"),
        (md3, "quake3", "tga jpg pcx bmp", "png jpeg webp dds"),
        (md3, "rtcw", "tga jpg pcx bmp", "png jpeg webp dds"),
        (md3, "ioquake3", "tga jpg jpeg png pcx bmp dds", "webp"),
        (md3, "et", "tga jpg jpeg png pcx bmp", "webp dds"),
        (md5, "doom3", "tga jpg pcx bmp", "png jpeg webp"),
        (md3, "darkplaces", "tga png webp", ""),
    ] {
        for extension in read.split_whitespace() {
            assert_eq!(unread(model, &format!("models/box/skin.{extension}"), engine), none, "{engine}, {extension}");
        }
        for extension in unreadable.split_whitespace() {
            let path = format!("models/box/skin.{extension}");
            let title = profile(engine).title;
            assert_eq!(unread(model, &path, engine), [format!("{title} does not read {path}")], "{extension}");
        }
    }
    assert_eq!(unread(md5, "dds/models/box/skin.dds", "doom3"), none);
}

/// `MAX_QPATH` is 64, with the terminating zero.
#[test]
fn game_paths_have_at_most_63_bytes() {
    let path = |length: usize| format!("models/weapons2/{}.md3", "x".repeat(length - 20));
    let model = Md3::typical().build();
    let engines = ["quake3", "ioquake3", "rtcw", "et", "elite-force", "q2pro"].map(|engine| (engine, &model));
    let md2 = Md2::typical().build();
    for (engine, model) in engines.into_iter().chain([("quake2", &md2), ("yquake2", &md2)]) {
        assert!(of_rule(&found_at(&path(63), model, engine), "path-too-long").is_empty(), "{engine}");
        assert_eq!(one(&found_at(&path(64), model, engine), "path-too-long").severity, Severity::Error, "{engine}");
    }
    // The limit of DarkPlaces is 127 (`qdefs.h`), and Quake II does not load MD3.
    for engine in ["darkplaces", "quake2"] {
        assert!(of_rule(&found_at(&path(64), &model, engine), "path-too-long").is_empty(), "{engine}");
    }
    let map_object = format!("models/mapobjects/{}.md3", "x".repeat(60));
    assert_eq!(one(&found_at(&map_object, &model, "et"), "path-too-long").severity, Severity::Warning);
    // The path of the model has 63 bytes.
    let name = "x".repeat(43);
    let (file, skin) = (format!("models/weapons2/{name}.md3"), format!("models/weapons2/{name}_red.skin"));
    let findings = found_in_game(&[(&file, &model), (&skin, b"u_torso,a.tga\n")], &file, "et");
    let long = one(&findings, "path-too-long");
    let message = format!("the path of {name}_red.skin has 68 bytes; Enemy Territory supports at most 63");
    assert_eq!((long.severity, &long.message), (Severity::Warning, &message));
}

#[test]
fn findings_point_at_their_location() {
    let triangles = (0..20).map(|_| [0, 0, 1]).chain([[0, 1, 2]]).collect();
    let findings = found(&Md3 { surfaces: 2, triangles, ..Md3::typical() }.build(), "any");
    let flat = of_rule(&findings, "degenerate-triangle");
    assert_eq!(flat.len(), 2, "one for each surface");
    assert_eq!((flat[1].count, flat[1].more.len(), flat[1].message.as_str()), (20, 15, "20 triangles without area"));
    let surface = Some(NamedIndex { index: 1, name: "u_torso".to_owned() });
    assert_eq!(flat[1].location, Location { surface: surface.clone(), triangle: Some(0), ..Location::default() });
    assert_eq!(flat[1].more[14], Location { surface, triangle: Some(15), ..Location::default() });

    let mut off = turned([0.0; 3]);
    off[3] = 3.0;
    let tags = vec![("tag_head", vec![turned([0.0; 3]), off])];
    let findings = found(&Md3 { tags, ..Md3::typical() }.build(), "any");
    let long = one(&findings, "tag-axes-length");
    let tag = Some(NamedIndex { index: 0, name: "tag_head".to_owned() });
    assert_eq!((&long.location.tag, long.location.frame, long.count), (&tag, Some(1), 1));

    // Weights that sum to 0 leave a vertex at the origin, like no weights.
    let unweighted = MD5_MESH.replace("weight 2 0 0.5", "weight 2 0 0").replace("weight 3 1 0.5", "weight 3 1 0");
    let findings = found(unweighted.as_bytes(), "any");
    assert_eq!(one(&findings, "no-weights").location.vertex, Some(2));
    assert_eq!(of_rule(&findings, "weight-sum").len(), 0);
    let findings = found(MD5_MESH.replace("weight 3 1 0.5", "weight 3 1 0.7").as_bytes(), "any");
    assert_eq!(one(&findings, "weight-sum").location.vertex, Some(2));
    let findings = found_with_clips(&walk(), &[("run", 0, 5), ("stand", 3, 5)]);
    let overlap = one(&findings, "clip-overlap");
    assert_eq!(overlap.location.clip, Some(NamedIndex { index: 1, name: "stand".to_owned() }));
    assert_eq!(overlap.message, "the clip shares 2 of its 5 frames with clip run");
}

#[test]
fn flat_triangles_are_those_that_the_operation_removes() {
    let (flat, open) = (vec![at(0, 0, 0), at(1, 0, 0), at(2, 0, 0)], vec![at(0, 0, 0), at(1, 0, 0), at(2, 2, 0)]);
    let frames = |second: &Vec<Short>| [&flat, second, &flat, &flat, &flat].map(Clone::clone).to_vec();
    for (second, count) in [(&flat, 1), (&open, 0)] {
        let file = Md3 { tags: vec![], frames: frames(second), ..Md3::typical() }.build();
        assert_eq!(of_rule(&found(&file, "any"), "degenerate-triangle").len(), count);
        let call = Call::with(&REMOVE_DEGENERATE, &[]);
        let rest = apply(&formats::load(&file).unwrap().0, &[call]).unwrap();
        assert_eq!(rest.surfaces()[0].triangles.len(), 1 - count);
        assert!(
            of_rule(&check(LintInput::alone(&rest, &[]), Some(profile("any")), None), "degenerate-triangle").is_empty()
        );
    }
}

#[test]
fn findings_name_the_level_of_detail() {
    let coarse = Md3 { triangles: vec![[0, 0, 1]], ..Md3::typical() }.build();
    let files: [(&str, &[u8]); 2] = [("box.md3", &Md3::typical().build()), ("box_1.md3", &coarse)];
    let findings = found_in_game(&files, "box.md3", "any");
    let flat = one(&findings, "degenerate-triangle");
    assert_eq!((flat.location.lod, flat.location.triangle), (Some(1), Some(0)));
    let mut text = Vec::new();
    to_text(&findings, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("LOD 1, surface u_torso, triangle 0: 1 triangle without area"), "{text}");
    let json = to_json(&findings);
    let lods = json["findings"].as_array().unwrap().iter().filter(|finding| finding["place"]["lod"] == 1).count();
    assert_eq!(lods, text.matches("LOD 1, ").count(), "{text}");
}

#[test]
fn findings_per_rule_are_capped_and_counted() {
    let file = Md3 { surfaces: 40, triangles: vec![[0, 0, 1]], ..Md3::typical() }.build();
    let findings = found(&file, "any");
    assert_eq!(of_rule(&findings, "degenerate-triangle").len(), Findings::PER_RULE);
    let left = findings.left_out.iter().find(|left| left.rule == "degenerate-triangle").unwrap();
    assert_eq!((left.count, left.severity), (24, Severity::Warning));
    assert_eq!(
        findings.list.iter().filter(|finding| finding.rule == "degenerate-triangle").count() as u64 + left.count,
        40
    );
}

#[test]
fn habits_of_game_models_are_not_reported() {
    // “dead” is the last frame of “death”, and the back of a leaf is its reversed front.
    let clips = [("death", 0, 10), ("dead", 9, 1)];
    let mut there_and_back = Md3 { tags: vec![], ..Md3::typical() };
    let x = [0, 1, 2, 3, 4, 4, 3, 2, 1, 0];
    there_and_back.frames = x.iter().map(|x| vec![at(*x, 0, 0), at(*x, 4, 0), at(*x, 0, 8)]).collect();
    let findings = found_with_clips(&there_and_back.build(), &clips);
    assert_eq!(
        (of_rule(&findings, "clip-overlap").len(), of_rule(&findings, "loop-jump").len()),
        (0, 0),
        "{findings:?}"
    );
    let leaf = Md3 { triangles: vec![[0, 1, 2], [0, 2, 1]], ..Md3::typical() }.build();
    assert_eq!(of_rule(&found(&leaf, "any"), "repeated-triangle").len(), 0);
    let tags = ["tag_weapon2", "tag_back", "tag_ubelt", "tag_torso", "tag_head"].map(|name| (name, straight([0.0; 3])));
    assert_eq!(of_rule(&found(&with_tags(&tags), "any"), "misnamed-tag").len(), 0);
    for wrong in ["tag_hed", "TAG_HEAD", "tag-head", "taghead", "tag_heads", "head", "tag_head.001"] {
        let name: &'static str = wrong;
        let findings = found(&with_tags(&[(name, straight([0.0; 3]))]), "any");
        assert!(one(&findings, "misnamed-tag").message.contains("tag_head"), "{wrong}");
    }
}

#[test]
fn values_recomputed_by_engine_are_only_notes() {
    let severity = |engine| one(&found(&Md3::typical().build(), engine), "wrong-radius").severity;
    assert_eq!((severity("quake3"), severity("darkplaces")), (Severity::Warning, Severity::Note));
    let mut long = straight([0.0; 3]);
    long[3] = 20.0;
    let severity = |engine| one(&found(&with_tags(&[("tag_a", long)]), engine), "tag-axes-length").severity;
    assert_eq!((severity("quake3"), severity("darkplaces")), (Severity::Note, Severity::Warning));
}

#[test]
fn coincident_geometry_is_linted_in_linear_time() {
    // Comparing all pairs would take 160 billion steps.
    let count = 400_000;
    let corners = |index: i32| [index, (index + 1) % count, (index + 2) % count];
    let file = Md3 {
        tags: vec![],
        triangles: (0..count).map(corners).collect(),
        uvs: vec![[0.0, 0.0]; count as usize],
        frames: vec![
            (0..count)
                .map(|index| at(i16::try_from(index % 3).unwrap(), i16::try_from(index % 2).unwrap(), 0))
                .collect(),
        ],
        ..Md3::typical()
    };
    let bytes = file.build();
    let start = std::time::Instant::now();
    let findings = found(&bytes, "any");
    assert!(one(&findings, "repeated-triangle").count > 360_000, "{findings:?}");
    assert!(start.elapsed() < MAX_WAIT, "{:?}", start.elapsed());
}

// ---------------------------------------------------------------- rules files

#[test]
fn rules_file_checks_each_line() {
    let file = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let messages = |rules: &str| {
        let findings = asked(rules, &file, "models/players/box/upper.md3");
        findings.list.iter().map(|finding| finding.message.clone()).collect::<Vec<_>>()
    };
    // The model has two surfaces, each with three vertices and a triangle, two frames, one tag and no joints.
    for holds in [
        "",
        "# nothing\n\n   # at all",
        "no surface over 3 vertices",
        "no model over 6 vertices # of both",
        "at most 2 surfaces",
        "at least 2 frames",
        "at most 0 joints",
        "tag_head present",
        "tag tag_head present",
        "surface U_TORSO present",
        "surface \"u_torso\" present",
        "every material under models/box",
        "every material under Models/",
        "tag_weapon present for */lower.md3",
        "tag_weapon present for models/weapons2/*",
    ] {
        assert_eq!(messages(holds), Vec::<String>::new(), "{holds}");
    }
    assert_eq!(messages("\nno surface over 2 vertices"), ["3 vertices; at most 2 (line 2 of the rules file)"; 2]);
    assert_eq!(messages("no model over 1 triangle"), ["2 triangles; at most 1 (line 1 of the rules file)"]);
    assert_eq!(messages("at least 3 frames"), ["2 frames; at least 3 (line 1 of the rules file)"]);
    assert_eq!(messages("tag_weapon present for */UPPER.md3"), ["no tag tag_weapon (line 1 of the rules file)"]);
    assert_eq!(messages("clip \"two words\" present"), ["no clip two words (line 1 of the rules file)"]);
    assert_eq!(messages("every material under models/bo").len(), 2);
    assert_eq!(messages("tag_weapon present for models/*/box/*.md3").len(), 1);
    assert_eq!(messages("tag_weapon present for *x*x*x*").len(), 0);
    let graveness = |rules: &str| asked(rules, &file, "").list[0].severity;
    assert_eq!(graveness("at most 0 tags"), Severity::Error);
    assert_eq!(graveness("warn: at most 0 tags"), Severity::Warning);
    assert_eq!(graveness("note: at most 0 tags"), Severity::Note);
    let findings = asked("no surface over 2 vertices", &file, "");
    assert_eq!(findings.list[1].location, Location::surface(1, "u_torso"));
}

#[test]
fn invalid_rules_file_reports_position_and_reason() {
    for (rules, position, message) in [
        ("no surface over many vertices", (1, 17), "expected a whole number, found “many”"),
        ("no surface over 3", (1, 18), "expected one of vertices, triangles, materials, the line ends"),
        ("no surface over 3 tags", (1, 19), "expected one of vertices, triangles, materials, found “tags”"),
        ("\n\n  at moost 3 tags", (3, 6), "expected “most” or “least”, found “moost”"),
        ("tag_head", (1, 9), "expected “present”, the line ends"),
        ("tag_head present now", (1, 18), "expected the end of the line, found “now”"),
        ("tag \"open present", (1, 5), "the quote is not closed"),
        ("no texture over 3 texels", (1, 4), "expected “surface” or “model”, found “texture”"),
        ("every material under", (1, 21), "expected a folder, the line ends"),
        ("warn:", (1, 6), "expected “no”, “at most”"),
        ("at most -3 tags", (1, 9), "expected a whole number, found “-3”"),
    ] {
        let error = RulesFile::parse(rules.as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), position, "{rules}: {error}");
        assert!(error.message.starts_with(message), "{rules}: {error}");
    }
    let many = "at most 1 tag\n".repeat(10_000);
    assert!(RulesFile::parse(many.as_bytes()).unwrap_err().message.contains("longer than 131072 bytes"));
    assert!(RulesFile::parse(&[0xFF, 0xFE, 0, 7]).is_err());
}

// ---------------------------------------------------------------- profiles and messages

#[test]
fn every_profile_loads_at_least_one_format() {
    for profile in PROFILES {
        assert!(!profile.formats.is_empty() && Profile::named(profile.name).is_some(), "{}", profile.name);
        let limited = profile.limits.iter().copied().flatten().all(|limit| profile.formats.contains(&limit.format));
        assert!(limited, "{} has a limit for a format that it does not load", profile.name);
    }
    assert_eq!(PROFILES[0].formats.len(), Format::ALL.len());
}

#[test]
fn missing_texture_is_reported_once_for_all_surfaces() {
    let file = Md3 { surfaces: 3, ..Md3::typical() }.build();
    let findings = found_in_game(&[("models/a.md3", &file)], "models/a.md3", "any");
    let missing = one(&findings, "missing-texture");
    assert_eq!((missing.count, missing.more.len(), missing.location.clone()), (3, 2, Location::surface(0, "u_torso")));
    assert!(of_rule(&findings, "companion").is_empty(), "it is not told a second time: {findings:?}");
}

#[test]
fn mirrored_tag_message_counts_frames_before_effect() {
    let findings = found(&with_tags(&[("tag_a", MIRRORED)]), "any");
    let message = &one(&findings, "tag-axes-mirrored").message;
    assert!(message.starts_with("mirrored axes in "), "{message}");
    assert!(message.ends_with(" frames; attached models are drawn inside out"), "{message}");
}

#[test]
fn profiles_follow_the_age_of_games_and_engines_their_game() {
    let position = |name: &str| PROFILES.iter().position(|profile| profile.name == name).unwrap();
    for family in [
        &["any", "quake", "quakespasm", "ironwail", "vkquake", "fte", "darkplaces"][..],
        &["quake2", "yquake2", "q2pro", "quake2-remaster"],
        &["quake3", "ioquake3", "elite-force", "rtcw", "et", "jka"],
        &["doom3"],
    ]
    .concat()
    .windows(2)
    {
        assert!(position(family[0]) < position(family[1]), "{family:?}");
    }
}
