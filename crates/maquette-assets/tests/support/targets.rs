//! Fuzz targets: each kind of file that is read, from its bytes to what a user sees. The fuzzer (`fuzz/`) and the tests
//! (`tests/it/corpus.rs`) run the same targets.
//!
//! A target guarantees: no panic, no non-finite number in the output, and no more memory than [`max_memory`].

// The fuzzer includes this file by its path.
#[path = "targets/words.rs"]
mod words;

use std::io::Write as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::LazyLock;

use maquette_assets::engines::{cube, darkplaces, doom3, enemy_territory, ufoai};
use maquette_assets::info::Report;
use maquette_assets::lint::{self, Findings, LintInput, PROFILES, RulesFile};
use maquette_assets::material::{
    Image, ImageLoading, MaterialResolver, ResolveContext, SkinFile, SurfaceMaterial, WARPS, warps,
};
use maquette_assets::open::{Opener, scan};
use maquette_assets::structure::link;
use maquette_assets::structure::{Outline, Structure, to_json};
use maquette_assets::vfs::{Archive, ReadLimit, Vfs};
use maquette_core::bytes::{Forward, LoadOptions};
use maquette_core::compare::{Side, compare};
use maquette_core::convert::{ConvertError, ConvertOptions, to_files};
use maquette_core::edit::{Call, apply, save};
use maquette_core::error::Warnings;
use maquette_core::export::{self, ExportOptions, ExportPart, gltf, obj};
use maquette_core::formats::animation_cfg::{self, AnimationConfig, BodyPart};
use maquette_core::formats::{self, clip_list};
use maquette_core::inspect::{self, Point, Track};
use maquette_core::model::{Clip, Format, Model};
use maquette_core::pose::{BoneBlend, FrameBlend, Pose, Repeat, Sampling, blend_at_seconds, sample};

use maquette_testing::archives::{pak, zip};
use maquette_testing::files::{Md2, Md3, typical};
use maquette_testing::ghoul2_files::{Gla, Glm};
use maquette_testing::gltf_file::MainFile;
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};
use maquette_testing::unreal_files::{psa, psk};
use maquette_testing::wolfenstein_files::Wolf;

use words::*;

/// One kind of file.
pub struct Target {
    /// Name of the target and of its corpus folder.
    pub name: &'static str,
    /// Runs the target on bytes.
    pub run: fn(&[u8]),
    /// Valid files that start the fuzzing.
    pub seeds: Vec<Vec<u8>>,
    /// Words of the grammar, as in libFuzzer's dictionaries.
    pub words: &'static [&'static str],
}

/// Targets of all formats, by extension, and of other files.
pub static TARGETS: LazyLock<Vec<Target>> =
    LazyLock::new(|| Format::ALL.into_iter().map(target_of).chain(other_targets()).collect());

fn target_of(format: Format) -> Target {
    let words = match format {
        Format::Md5 => MESH_WORDS,
        Format::Glm => &["2LGM", "_off"],
        Format::Gltf => GLTF_WORDS,
        _ => std::slice::from_ref(&format.traits().signature),
    };
    let run = if format == Format::Gltf { gltf } else { model };
    Target { name: format.extension(), run, seeds: typical(format), words }
}

fn other_targets() -> Vec<Target> {
    vec![
        Target { name: "mdx", run: mdx_skeleton, seeds: vec![Wolf::typical().mdx()], words: &["MDXW"] },
        Target { name: "et_anim", run: animation_group, seeds: group_seeds(), words: GROUP_WORDS },
        Target { name: "md5anim", run: animation, seeds: vec![MD5_ANIM.into()], words: ANIMATION_WORDS },
        Target { name: "iqm_animation", run: index_animation, seeds: vec![Iqm::animation().build()], words: &[] },
        Target { name: "psa", run: unreal_animation, seeds: vec![psa()], words: &["ANIMKEYS"] },
        Target { name: "gla", run: skeleton, seeds: vec![Gla::typical().build()], words: &["2LGA"] },
        Target { name: "animation_cfg", run: animation_config, seeds: config_seeds(), words: CONFIG_WORDS },
        Target { name: "clip_lists", run: clip_lists, seeds: clip_list_seeds(), words: &["rate", "//", "\\x09"] },
        Target { name: "et_tag", run: server_tags, seeds: server_tag_seeds(), words: &["TAG1"] },
        Target { name: "ufoai_tag", run: tag_file, seeds: tag_seeds(), words: &["JDP2"] },
        Target { name: "doom_def", run: definitions, seeds: definition_seeds(), words: DEFINITION_WORDS },
        Target { name: "cube_cfg", run: cube_script, seeds: cube_seeds(), words: CUBE_WORDS },
        Target {
            name: "model_def",
            run: model_definitions,
            seeds: model_definition_seeds(),
            words: MODEL_DEFINITION_WORDS,
        },
        Target { name: "lint_rules", run: lint_rules, seeds: lint_rules_seeds(), words: LINT_WORDS },
        Target {
            name: "skin",
            run: skin_file,
            seeds: vec![
                b"body,models/box/skin.tga\n\"tag_a\",\n".to_vec(),
                b"prefs { models { 1 \"box\" } } material { name \"a\" group { texture1 \"b\" } }".to_vec(),
            ],
            words: &["tag_", ",", "surfOff", "surfOn"],
        },
        Target { name: "shader", run: quake3_script, seeds: shader_seeds(), words: SHADER_WORDS },
        Target { name: "mtr", run: doom_material, seeds: material_seeds(), words: MATERIAL_WORDS },
        Target {
            name: "archive",
            run: archive,
            seeds: archive_seeds(),
            words: &["PK\\x03\\x04", "PK\\x01\\x02", "PK\\x05\\x06", "PACK"],
        },
        Target { name: "image", run: image, seeds: image_seeds(), words: &["DDS ", "DXT1", "DXT5", "IHDR", "IDAT"] },
    ]
}

/// Returns the memory limit for a file of `bytes`: sixteen times the file, and 96 MB. Decoded images have a separate
/// limit.
pub fn max_memory(bytes: usize) -> usize {
    16 * bytes + (96 << 20)
}

// ---------------------------------------------------------------- models

/// Maximum number of clips played per model; the clips of one file are similar.
const MAX_CLIPS: usize = 6;
/// Maximum bytes of texels per image, small so that many images are tried.
const MAX_IMAGE_BYTES: u64 = 16 << 20;

fn model(bytes: &[u8]) {
    describe("", bytes);
    match formats::load(bytes) {
        Ok((model, warnings)) => {
            use_model(&model, &warnings);
            compare_model(&model, &warnings);
            edit_model(bytes, &model);
        }
        Err(error) => {
            if let Ok(salvaged) = formats::salvage(bytes) {
                assert!(salvaged.warnings[0].message.starts_with(&error.to_string()), "{:?}", salvaged.warnings[0]);
                use_model(&salvaged.model, &salvaged.warnings);
            }
        }
    }
}

/// Runs a `.glb` or `.gltf`, whose buffer outside the file is a number of bytes.
fn gltf(bytes: &[u8]) {
    model(bytes);
    let data = Rc::new(vec![0x3e; 1 << 10]);
    let read = |path: &str| if path.ends_with(".bin") { Ok(Rc::clone(&data)) } else { Err("missing".to_owned()) };
    for forward in [Forward::PlusZ, Forward::MinusX] {
        let options = LoadOptions { rate: Some(7.5), scale: 1.0, forward, ..LoadOptions::default() };
        if let Ok((model, warnings)) = formats::load_with(bytes, options, Some(&read)) {
            use_model(&model, &warnings);
        }
    }
}

/// Saves an edited model or gets a reason why not. A saved model must load.
fn edit_model(bytes: &[u8], model: &Model) {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count() + 1).sum();
    if model.frames().len().saturating_mul(vertices + model.joints().len() + model.tags().len()) > MAX_VERTICES {
        return;
    }
    for text in [
        "set-material surfaces=#0 path=mended",
        "rename-surface surfaces=#0 name=mended",
        "rename-tag tag=#0 name=mended",
        "add-tag name=mended at=1,1,1",
        "recompute-normals",
        "recompute-bounds",
        "remove-degenerate-triangles",
    ] {
        let edit = Call::parse(text).expect("the operation is known");
        let Ok(after) = apply(model, std::slice::from_ref(&edit)) else { continue };
        let Ok((saved, _)) = save(bytes, model, &after) else { continue };
        let again = formats::load(&saved).map(|(again, _)| again);
        // Without its last triangle, an MD2 may be empty.
        let is_empty = after.surfaces().iter().all(|surface| surface.triangles.is_empty());
        assert!(again.is_ok() || is_empty, "{edit:?}: {:?}", again.err());
    }
}

/// Maximum vertices in all frames of a compared model; more take too long.
const MAX_VERTICES: usize = 50_000;

/// Compares a model with itself and with another one of its format, as text and JSON.
fn compare_model(model: &Model, warnings: &[maquette_core::error::Warning]) {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count() + 1).sum();
    let frames = model.frames().len().saturating_mul(model.lod_count() as usize);
    if frames.saturating_mul(vertices + model.joints().len() + model.tags().len()) > MAX_VERTICES {
        return;
    }
    let side = Side { name: "fuzzed", model, warnings };
    let itself = compare(side, side, None);
    assert!(itself.same, "{itself:?}");
    let (typical, own) = formats::load(&typical(model.format())[0]).expect("our own model");
    let other = Side { name: "typical", model: &typical, warnings: &own };
    for (a, b) in [(side, other), (other, side)] {
        let difference = compare(a, b, None);
        let _ = difference.to_text(5).len();
        serde_json::from_str::<serde_json::Value>(&difference.to_json()).expect("a difference is JSON");
    }
}

/// Reads the structure of a file with this name. Fields and gaps stay within the file, and the JSON is valid.
fn describe(name: &str, bytes: &[u8]) {
    let structure = Structure::of_file(name, bytes);
    let size = bytes.len() as u64;
    for gap in &structure.gaps {
        assert!(gap.size > 0 && gap.end() <= size, "{gap:?} of {size}");
    }
    for field in &structure.fields {
        assert!(field.span.end() <= size, "{} {:?} of {size}", field.name, field.span);
    }
    let mut written = Vec::new();
    to_json(&structure, bytes, "fuzzed", None, &mut written).expect("memory takes everything");
    serde_json::from_slice::<serde_json::Value>(&written).expect("an anatomy is JSON");
    let mut outline = Outline::new(&structure, bytes);
    for offset in [0, size / 2, size.saturating_sub(1)] {
        let Some(path) = Outline::at_offset(&structure, bytes, offset) else { continue };
        outline.reveal(&path, &structure, bytes);
        let line = outline.position(&path).and_then(|index| outline.lines().get(index)).expect("it is revealed");
        assert!(line.span.offset <= offset && line.value(bytes).len() <= 1 << 20, "{line:?}");
    }
    if bytes.len() < MAX_SEARCHED_BYTES {
        let _ = Outline::find(
            &structure,
            bytes,
            &maquette_assets::structure::Search::Text("no such thing".to_owned()),
            None,
        );
    }
}

/// Longer files are not searched.
const MAX_SEARCHED_BYTES: usize = 4096;

/// Inspects the first element of every kind, and maps it to its field and back.
fn inspect_model(model: &Model) {
    let mut pose = Pose::default();
    sample(model, &Sampling::default(), &mut pose);
    for (number, (surface, posed)) in model.surfaces().iter().zip(&pose.surfaces).enumerate().take(4) {
        let last = surface.vertex_count().saturating_sub(1);
        let _ = inspect::vertex(model, number, posed, last, model.frames().len());
        let _ = inspect::triangle(surface, posed, surface.triangles.len().saturating_sub(1));
        let _ = inspect::triangle_at(surface, maquette_core::glam::Vec2::splat(0.5));
        if surface.triangles.len() < 4 {
            let facts = inspect::UvInfo::from_surface(surface);
            assert!((0.0..=1.0).contains(&facts.covered), "{facts:?}");
        }
        for target in
            [inspect::Selection::Surface(number), inspect::Selection::Vertex { surface: number, vertex: last }]
        {
            if let Some(parts) = link::parts(model, target, 0) {
                let _ = link::target(model, &parts);
            }
        }
    }
    let _ = inspect::joint(model, &pose, 0, 0);
    if model.frames().len() < 64 {
        for point in [Point::Tag(0), Point::Joint(0)] {
            let track = Track::compute(model, point).unwrap_or_default();
            let summary = track.summary(0, track.positions.len(), 15.0);
            assert!(summary.length >= 0.0, "{summary:?}");
        }
    }
}

fn use_model(model: &Model, warnings: &[maquette_core::error::Warning]) {
    let last = f64::from(u32::try_from(model.frames().len()).unwrap_or(u32::MAX)) - 1.0;
    let mut blends: Vec<FrameBlend> = [0.0, last / 2.0, last, last + 7.5].map(FrameBlend::at_frame).into();
    for clip in model.clips().iter().chain(model.alternative_clips()).take(MAX_CLIPS) {
        blends.extend(moments_of(clip));
    }
    let mut pose = Pose::default();
    for blend in blends {
        for (lod, bones) in [(0, BoneBlend::Slerp), (0, BoneBlend::Engine), (1, BoneBlend::Slerp)] {
            sample(model, &Sampling { blend, torso: Some(FrameBlend::single(0)), lod, bones }, &mut pose);
            check_pose(&pose);
        }
    }
    sample(model, &Sampling::default(), &mut pose);
    inspect_model(model);
    lint_model(model, warnings);
    let report = Report::new(model, &pose, warnings, "fuzzed");
    let _ = report.to_text(5).len();
    let json: serde_json::Value = serde_json::to_value(&report).expect("a report is JSON");
    for key in ["tags", "joints", "bounds", "animations"] {
        assert!(key == "bounds" && json[key].is_null() || !has_null_number(&json[key]), "{key} {json:.300}");
    }
    export_gltf(model, &pose);
    convert_model(model);
    let mut written = Vec::new();
    obj::write(&[ExportPart::alone(model, &pose)], &mut written).expect("memory takes everything");
    let text = String::from_utf8_lossy(&written);
    for line in text.lines().filter(|line| line.starts_with('v')) {
        let is_number = |word: &str| word.parse::<f32>().is_ok_and(f32::is_finite);
        assert!(line.split_whitespace().skip(1).all(is_number), "{line} in an OBJ");
    }
}

/// Maximum vertices in all frames of an exported model; more take too long.
const MAX_EXPORTED_VERTICES: usize = 100_000;

/// Exports a `.glb`. The file must be complete, its numbers finite, and every accessor within the file.
fn export_gltf(model: &Model, pose: &Pose) {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count() + 1).sum();
    if model.frames().len().saturating_mul(vertices + model.joints().len() + model.tags().len()) > MAX_EXPORTED_VERTICES
    {
        return;
    }
    let animation = |clip: &Clip| {
        let rate = if clip.frames_per_second > 0.0 { clip.frames_per_second } else { 10.0 };
        export::Animation::new(clip, rate, vec![export::Track::new(0, clip, rate)])
    };
    let subject = export::ExportScene {
        parts: vec![ExportPart::alone(model, pose)],
        animations: model.clips().iter().take(MAX_CLIPS).map(animation).collect(),
        ..export::ExportScene::default()
    };
    for quantized in [false, true] {
        let mut files = MainFile::default();
        let options = ExportOptions { quantized, ..ExportOptions::default() };
        // The model may exceed the limits of the format.
        let Ok(losses) = gltf::write_glb(&subject, &options, &mut files) else { continue };
        // Names may contain these letters.
        let is_name = |word: &str| model.tags().iter().any(|tag| tag.contains(word));
        let is_number = |word: &str| matches!(word, "NaN" | "inf" | "-inf") && !is_name(word);
        let has_none = |loss: &String| !loss.split(|c: char| c.is_whitespace() || ",;:°()".contains(c)).any(is_number);
        assert!(losses.iter().all(has_none), "{losses:?}");
        let word = |at: usize| {
            files.0.get(at..at + 4).map_or(0, |word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        };
        let json = word(12) as usize;
        assert_eq!(word(8) as usize, files.0.len());
        let json: serde_json::Value = serde_json::from_slice(&files.0[20..20 + json]).expect("the first chunk is JSON");
        // A model without surfaces and joints has no accessors.
        let has_null = |list: &str| json.get(list).is_some_and(has_null_number);
        assert!(!has_null("nodes") && !has_null("accessors"), "{json:.300}");
    }
}

/// Maximum vertices in all frames of a converted model; each is converted ten times.
const MAX_CONVERTED_VERTICES: usize = 10_000;

/// Converts a model or gets a reason why not. The result must load with the expected parts.
fn convert_model(model: &Model) {
    let vertices: usize = model.surfaces().iter().map(|surface| surface.vertex_count() + 1).sum();
    if model.frames().len().saturating_mul(vertices + model.joints().len() + model.tags().len())
        > MAX_CONVERTED_VERTICES
    {
        return;
    }
    for format in maquette_core::convert::targets() {
        for frame in [None, Some(0)] {
            let options = ConvertOptions { frame, ..ConvertOptions::to(format) };
            let files = match to_files(model, &options) {
                Ok(files) => files,
                Err(ConvertError::Unreadable(error)) => panic!("a converted {format} does not load: {error}"),
                Err(_) => continue,
            };
            assert!(files.measured.is_some(), "a converted {format} has other parts");
            let _ = files.companions("fuzzed", format.extension()).len();
        }
    }
}

/// Runs every rule on the model for an engine that loads its format.
fn lint_model(model: &Model, warnings: &[maquette_core::error::Warning]) {
    let profile = PROFILES.iter().copied().rev().find(|profile| profile.formats.contains(&model.format()));
    check_findings(&lint::check(LintInput::alone(model, warnings), profile, None));
}

/// Checks that findings are limited in number and valid as text and JSON.
fn check_findings(findings: &Findings) {
    for finding in &findings.list {
        let same = findings.list.iter().filter(|other| other.rule == finding.rule).count();
        assert!(same <= Findings::PER_RULE && finding.more.len() < Findings::PER_RULE, "{finding:?}");
        assert!(finding.count > finding.more.len() as u64, "{finding:?}");
    }
    let mut written = Vec::new();
    lint::to_text(findings, &mut written).expect("memory takes everything");
    let lines = String::from_utf8(written).expect("text").lines().count();
    assert_eq!(lines, findings.list.len() + findings.left_out.len(), "a finding is a line");
    let _ = serde_json::Value::Object(lint::to_json(findings)).to_string();
}

fn lint_rules(bytes: &[u8]) {
    let Ok(rules) = RulesFile::parse(bytes) else { return };
    for file in [Md2::typical().build(), Md3::typical().build(), MD5_MESH.into()] {
        let (model, warnings) = formats::load(&file).expect("our own model");
        let subject = LintInput { game_path: "models/players/box/upper.md3", ..LintInput::alone(&model, &warnings) };
        check_findings(&lint::check(subject, None, Some(&rules)));
    }
}

fn lint_rules_seeds() -> Vec<Vec<u8>> {
    vec![b"# a mod\nno surface over 1 vertices\nwarn: at most 1 tags\nat least 2 frames\ntag_weapon present for */upper.md3\nclip \"a b\" present\nevery material under models/players\n".to_vec()]
}

fn moments_of(clip: &Clip) -> impl Iterator<Item = FrameBlend> + '_ {
    [0.0, 0.03, 0.77, 1e4].into_iter().map(|seconds| blend_at_seconds(clip, seconds, Repeat::default()))
}

fn check_pose(pose: &Pose) {
    for surface in &pose.surfaces {
        let broken = surface.positions.iter().position(|position| !position.is_finite());
        assert_eq!(broken, None, "a position is not finite");
        assert!(surface.normals.iter().all(|normal| normal.is_finite()), "a normal is not finite");
    }
    assert!(pose.tags.iter().all(|tag| tag.is_finite()), "a tag is not finite");
    assert!(pose.joints.iter().all(|joint| joint.is_finite()), "a joint is not finite");
}

/// Whether a number is null, as serde_json writes non-finite numbers. Absent parents and rates are null too.
fn has_null_number(value: &serde_json::Value) -> bool {
    match value {
        serde_json::Value::Null => true,
        serde_json::Value::Array(list) => list.iter().any(has_null_number),
        serde_json::Value::Object(map) => map.iter().any(|(key, value)| key != "script_fps" && has_null_number(value)),
        _ => false,
    }
}

fn mesh() -> Model {
    formats::load(MD5_MESH.as_bytes()).expect("our own mesh").0
}

/// Adds an MDX to an MDM, plays it, and lists its structure.
fn mdx_skeleton(bytes: &[u8]) {
    describe("x.mdx", bytes);
    let (mut model, _) = formats::load(&Wolf::typical().mdm()).expect("the mesh is sound");
    if let Ok(warnings) = model.add_animation("x", bytes) {
        use_model(&model, &warnings);
    }
}

fn group_seeds() -> Vec<Vec<u8>> {
    let group = "animgroup { animfile \"a.mdx\" { idle 0 2 2 15 0 100 0 die 0 2 0 15 0 100 1 99 } }";
    vec![group.into(), b"#include \"b.aninc\"".to_vec(), b"characterDef { skin \"a\" mesh \"b.mdm\" }".to_vec()]
}

/// Parses a list of animations that includes itself, and a definition of a character.
fn animation_group(bytes: &[u8]) {
    let mut left = 4;
    let mut read = |_: &str| {
        left -= 1;
        (left > 0).then(|| bytes.to_vec())
    };
    let mut warnings = Warnings::default();
    for file in animation_cfg::enemy_territory::parse(bytes, &mut read, &mut warnings) {
        for clip in file.clips(10, &mut warnings) {
            assert!(clip.count > 0 && clip.end() <= 10, "{clip:?}");
        }
    }
    drop(enemy_territory::parse_character(bytes, &mut warnings));
}

fn animation(bytes: &[u8]) {
    describe("a.md5anim", bytes);
    animate(mesh(), bytes);
}

fn index_animation(bytes: &[u8]) {
    let (model, _) = formats::load(&Iqm::typical().build()).expect("our own model");
    animate(model, bytes);
}

fn unreal_animation(bytes: &[u8]) {
    describe("a.psa", bytes);
    animate(formats::load(&psk()).expect("our own model").0, bytes);
}

fn animate(mut model: Model, bytes: &[u8]) {
    let mut warnings = Warnings::default();
    if let Ok(animation) = formats::load_animation(bytes, "wave", &model, &mut warnings) {
        model.add_loaded(animation).expect("what the loader gives fits the model");
        use_model(&model, &warnings.into_vec());
    }
}

fn skeleton(bytes: &[u8]) {
    describe("a.gla", bytes);
    let (mut model, _) = formats::load(&Glm::typical().build()).expect("our own mesh");
    if let Ok(warnings) = model.add_animation("all", bytes) {
        use_model(&model, &warnings);
    }
}

fn animation_config(bytes: &[u8]) {
    describe("animation.cfg", bytes);
    let mut warnings = Warnings::default();
    let config = AnimationConfig::parse(bytes, &mut warnings);
    for part in [BodyPart::Legs, BodyPart::Torso, BodyPart::Head, BodyPart::Whole] {
        for frames in [1, 2, 190, u32::MAX] {
            for clip in config.clips(part, frames, &mut warnings) {
                assert!(clip.count > 0 && clip.end() <= frames && clip.frames_per_second.is_finite(), "{clip:?}");
                let _ = moments_of(&clip).count();
            }
        }
    }
}

fn config_seeds() -> Vec<Vec<u8>> {
    let plain = "sex m\nheadoffset 0 0 0\nfootsteps normal\n0 30 30 25 // BOTH_DEATH1\n29 1 0 25 // BOTH_DEAD1\n90 40 0 20 // TORSO_GESTURE\n";
    let wolf = "VERSION 3\nSKELETAL\nSTARTANIMS\nmodels/x\nstand 0 10 10 15 0 0 0\nENDANIMS\n";
    vec![plain.into(), wolf.into()]
}

fn clip_lists(bytes: &[u8]) {
    let mut warnings = Warnings::default();
    for parse in [darkplaces::parse_frame_groups, ufoai::parse_clips] {
        let ranges = parse(bytes, &mut warnings);
        for frames in [1, 40, u32::MAX] {
            for clip in clip_list::clips(&ranges, frames, 10.0, &mut warnings) {
                assert!(clip.count > 0 && clip.end() <= frames && clip.frames_per_second.is_finite(), "{clip:?}");
            }
        }
    }
}

fn clip_list_seeds() -> Vec<Vec<u8>> {
    vec![b"// groups\n0 10 30 1 walk\n10 1 10 0\n".to_vec(), b"// clips\nstand0 0 9 20\ndeath1 10 12 25.5\n".to_vec()]
}

fn tag_file(bytes: &[u8]) {
    describe("a.tag", bytes);
    let mut warnings = Warnings::default();
    let Ok(file) = ufoai::load_tags(bytes, &mut warnings) else { return };
    let (mut model, own) = formats::load(&Md2::typical().build()).expect("our own model");
    if let Some(tags) = file.for_frames(model.frames().len(), &mut warnings) {
        let _ = model.add_tags(file.names, &tags);
        use_model(&model, &own);
    }
}

fn server_tags(bytes: &[u8]) {
    describe("a.tag", bytes);
    let mut warnings = Warnings::default();
    let Ok(model) = formats::tag_file::load(bytes, &mut warnings) else { return };
    use_model(&model, &warnings.into_vec());
}

fn server_tag_seeds() -> Vec<Vec<u8>> {
    vec![maquette_testing::files::tag_file(&[("tag_a", [1.0, 2.0, 3.0]), ("tag_b", [-1.0, 0.5, 0.0])])]
}

fn tag_seeds() -> Vec<Vec<u8>> {
    let mut bytes = b"JDP2".to_vec();
    let header: [i32; 7] = [1, 2, 2, 32, 32 + 128, 32 + 128 + 4 * 48, 0];
    header.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    for name in ["tag_head", "tag_rweapon"] {
        let mut padded = name.as_bytes().to_vec();
        padded.resize(64, 0);
        bytes.extend(padded);
    }
    for tag in 0..4_u8 {
        let axes = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, f32::from(tag), 0.0, 5.0_f32];
        axes.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
    }
    vec![bytes]
}

fn definitions(bytes: &[u8]) {
    let declarations = doom3::Declarations::new(doom3::parse(bytes, &mut Warnings::default()));
    for mesh in ["models/a/a.md5mesh", "", "models/md5/monsters/imp/imp.md5mesh"] {
        let _ = declarations.animations_of(mesh);
    }
}

fn definition_seeds() -> Vec<Vec<u8>> {
    vec![b"model a { inherit b mesh models/a/a.md5mesh anim idle models/a/idle.md5anim, models/a/idle2.md5anim { frame 1 sound_body x } channel torso ( *waist ) }\nmodel b { anim af_pose models/a/pose.md5anim }\n".to_vec()]
}

fn cube_script(bytes: &[u8]) {
    for format in [Format::Md2, Format::Md3, Format::Md5, Format::Iqm] {
        drop(cube::script::parse(bytes, format, &mut |_| None, &mut Warnings::default()));
    }
    // Reads these bytes also as companion files of a model.
    let opened = Vfs::in_memory(vec![
        ("m/tris.md2".to_owned(), Md2::typical().build()),
        ("m/md2.cfg".to_owned(), bytes.to_vec()),
    ]);
    open_in(&opened, "m/tris.md2");
}

/// Opens a model next to `modeldef.txt` and `textures.txt` with these bytes.
fn model_definitions(bytes: &[u8]) {
    let opened = Vfs::in_memory(vec![
        ("m/tris.md2".to_owned(), Md2::typical().build()),
        ("modeldef.txt".to_owned(), bytes.to_vec()),
        ("modeldef.2".to_owned(), b"Model A { Model 0 \"m/tris.md2\" Skin 0 \"a\" }".to_vec()),
        ("textures.txt".to_owned(), bytes.to_vec()),
    ]);
    open_in(&opened, "m/tris.md2");
}

fn model_definition_seeds() -> Vec<Vec<u8>> {
    vec![
        b"Model A { Path \"m\" Model 0 \"tris.md2\" Skin 0 \"a.png\" Scale -1 1 1 FrameIndex ABCD AB 0 1 }".to_vec(),
        b"texture optional a, 8, 8 { patch b, 0, 0 { flipx } }\nsprite b, 8, 8 { graphic a, 0, 0 }".to_vec(),
        b"#include \"modeldef.txt\"\nModel A { Model 1 \"m\\tris.md2\" SurfaceSkin 1 0 \"b\" Frame ABCD A 1 \"stand01\" }".to_vec(),
    ]
}

fn cube_seeds() -> Vec<Vec<u8>> {
    vec![
        b"md5load gun.md5mesh\nmd5tag arm tag_muzzle\nmd5skin * skin.png mask.png\nmd5bumpmap * n.jpg\nmd5anim \"idle|shoot\" a.md5anim 8\n".to_vec(),
        b"md2pitch 1 0 -10 10\nmd2anim \"idle\" 0 2 5\nloopi 3 [ md2skin \"a\" (concat $i) ]\n".to_vec(),
    ]
}

/// Opens a model with its companion files in this virtual file system.
fn open_in(vfs: &Vfs, path: &str) {
    let bytes = vfs.read(path, ReadLimit::Whole).expect("it is there");
    if let Ok(asset) = maquette_assets::open::open_in(vfs, path, &bytes, &search()) {
        use_model(&asset.model, &asset.warnings);
        asset.skins.iter().flat_map(|skin| skin.materials.iter()).for_each(use_material);
    }
}

fn search() -> ResolveContext {
    let mut search = ResolveContext::new(ImageLoading::Decode);
    search.limits.memory = MAX_IMAGE_BYTES * 4;
    search
}

fn use_material(material: &SurfaceMaterial) {
    let _ = material.problem();
    let definition = &material.definition;
    for seconds in [0.0, 0.31, 12.5, 86_399.0] {
        let _ = definition.is_flattened(seconds);
        for stage in &definition.stages {
            let _ = (stage.map_at(seconds), stage.is_shown(seconds));
            assert!(stage.shade(seconds).iter().all(|channel| channel.is_finite()), "a colour is not finite");
            let moved: [_; WARPS] = warps(&stage.moves, seconds);
            let _ = moved.len();
        }
    }
}

/// Resolves the names that the seed scripts define.
fn resolve_materials(script: &str, bytes: &[u8], format: Format) {
    let vfs = Vfs::in_memory(vec![
        (script.to_owned(), bytes.to_vec()),
        ("textures/a.png".to_owned(), png(4, 4)),
        ("models/box/skin.tga".to_owned(), png(2, 2)),
    ]);
    let search = search();
    let mut finder = MaterialResolver::new(&vfs, "models/box/box.md3", format, None, &search);
    for name in ["models/box/skin", "textures/a", "a"] {
        use_material(&finder.material(name, maquette_assets::material::Origin::Model, &mut Warnings::default()));
    }
}

fn quake3_script(bytes: &[u8]) {
    describe("a.shader", bytes);
    resolve_materials("scripts/a.shader", bytes, Format::Md3);
}

fn shader_seeds() -> Vec<Vec<u8>> {
    vec![
        b"models/box/skin\n{\ncull none\ndeformVertexes wave 100 sin 1 .5 0 1\nsurfaceparm nomarks\n{\nmap textures/a.png\nblendFunc GL_ONE GL_ONE\nrgbGen wave sin .5 .5 0 1\ntcMod scroll 1 .5\ntcMod turb 0 1 0 1\nalphaFunc GE128\n}\n{\nanimMap 4 textures/a.png textures/a.png\ntcGen environment\nalphaGen portal 512\n}\n}\n".to_vec(),
        b"textures/a { { map $lightmap } { clampmap textures/a tcMod stretch sin 1 0 0 0 tcMod rotate 30 tcMod scale 2 2 tcMod transform 1 0 0 1 0 0 rgbGen const ( 1 0 0 ) blendfunc add depthwrite } }\na { skyparms - - - }".to_vec(),
    ]
}

fn doom_material(bytes: &[u8]) {
    describe("a.mtr", bytes);
    resolve_materials("materials/a.mtr", bytes, Format::Md5);
}

fn material_seeds() -> Vec<Vec<u8>> {
    vec![b"table glow { snap { 0, 1, .5 } }\nmodels/box/skin\n{\nnoselfshadow\nqer_editorimage textures/a.tga\ndiffusemap textures/a\nbumpmap addnormals(textures/a, heightmap(textures/a, 4))\nspecularmap makeintensity(scale(textures/a, 2, 1, 1, 1))\n{\nif ( time * 2 > 1 && parm0 == 0 )\nblend gl_src_alpha, gl_one_minus_src_alpha\nmap textures/a\nrgb glow[ time * .5 ]\nscroll time * .1 , 0\nrotate time\nalphatest .5\n}\n}\n".to_vec()]
}

fn skin_file(bytes: &[u8]) {
    describe("a.skin", bytes);
    describe("a.g2skin", bytes);
    let mut skin = SkinFile::parse_with(bytes, &mut Warnings::default());
    skin.switch_surfaces(bytes);
    let (model, _) = formats::load(&Md3::typical().build()).expect("our own model");
    let _ = model.surfaces().iter().filter_map(|surface| skin.path_of(&surface.name)).count();
    let vfs = Vfs::in_memory(vec![
        ("models/box/box.md3".to_owned(), Md3::typical().build()),
        ("models/box/box_default.skin".to_owned(), bytes.to_vec()),
    ]);
    open_in(&vfs, "models/box/box.md3");
}

// ---------------------------------------------------------------- containers and images

/// Maximum number of files read per archive.
const MAX_FILES: usize = 32;

fn archive(bytes: &[u8]) {
    describe("a.pk3", bytes);
    let mut file = tempfile::Builder::new().suffix(".pk3").tempfile_in(temporary()).expect("a temporary file");
    file.write_all(bytes).expect("it can be written");
    let Ok(archive) = Archive::open(file.path()) else { return };
    for name in archive.files().take(MAX_FILES) {
        assert!(!name.contains("..") || !name.split('/').any(|part| part == ".."), "{name} leads out");
        let _ =
            (archive.read(name, ReadLimit::Start(100)), archive.read(name, ReadLimit::Whole), archive.size_of(name));
        let _ = (archive.find(&name.to_uppercase()), archive.listing(name));
    }
    let _ = (archive.files_in(""), archive.folders_in(""), archive.warnings());
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    for model in scan(opener.files(), file.path(), &|| false).models.into_iter().take(4) {
        let _ = opener.model(&model);
    }
}

/// Returns a memory file system if there is one, else the temporary folder.
fn temporary() -> &'static Path {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { memory } else { Path::new("/tmp") }
}

fn archive_seeds() -> Vec<Vec<u8>> {
    let model = Md2::typical().build();
    let files: [(&str, &[u8]); 3] = [("models/a.md2", &model), ("scripts/a.shader", b"a { }"), ("b/c/d.txt", b"text")];
    vec![zip(&files), pak(&files)]
}

fn image(bytes: &[u8]) {
    for name in ["a.tga", "a.png", "a.pcx"] {
        if let Ok(picture) = Image::decode_within(bytes, name, MAX_IMAGE_BYTES) {
            assert_eq!(picture.rgba.len() as u64, u64::from(picture.width) * u64::from(picture.height) * 4);
            let _ = picture.mip_levels().len();
            let _ = picture.texel(-5, 7);
        }
    }
}

fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(width, height, image::ImageFormat::Png)
}

fn encoded(width: u32, height: u32, format: image::ImageFormat) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let texel = |x: u32, y: u32| image::Rgb([x, y, 77].map(|value| u8::try_from(value * 9 % 256).unwrap_or(0)));
    image::RgbImage::from_fn(width, height, texel).write_to(&mut bytes, format).expect("it can be encoded");
    bytes.into_inner()
}

fn image_seeds() -> Vec<Vec<u8>> {
    use image::ImageFormat::{Bmp, Jpeg, Png, Tga, WebP};
    let mut seeds: Vec<Vec<u8>> = [Bmp, Jpeg, Png, Tga, WebP].into_iter().map(|format| encoded(9, 5, format)).collect();
    // Handmade files of a few texels: a PCX with its palette, and a DDS of one block.
    let mut pcx = vec![0x0A, 5, 1, 8, 0, 0, 0, 0, 1, 0, 0, 0];
    pcx.resize(65, 0);
    pcx.extend([1, 2, 0, 1, 0]);
    pcx.resize(128, 0);
    pcx.extend([3, 4, 0x0C]);
    pcx.extend((0..=255_u8).flat_map(|value| [value, value, value]));
    let mut dds = b"DDS ".to_vec();
    let mut header = [0_u32; 31];
    (header[0], header[1], header[2], header[3]) = (124, 0x1007, 4, 4);
    (header[18], header[19], header[20], header[26]) = (32, 4, u32::from_le_bytes(*b"DXT1"), 0x1000);
    header.iter().for_each(|number| dds.extend(number.to_le_bytes()));
    dds.extend([0xFF, 0xFF, 0, 0, 0x1B, 0x1B, 0x1B, 0x1B]);
    seeds.extend([pcx, dds]);
    seeds
}
