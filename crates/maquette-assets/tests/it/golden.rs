//! Real models compared with reference poses that an independent program computed in double precision.
//!
//! The data is not part of this repository. The test reads `../shared/models` and `../shared/golden`, or the folders
//! named by `MAQUETTE_MODELS` and `MAQUETTE_GOLDEN`, and is skipped if they are missing. The golden data defines the
//! limits.

use std::collections::BTreeMap;
use std::path::Path;

use glam::{Mat3A, Quat, Vec3, Vec3A};
use maquette_assets::info::Report;
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::error::Warnings;
use maquette_core::formats::{self, iqm, md5};
use maquette_core::model::{AnimationFiles, Format, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use serde_json::Value;

use maquette_testing::optional::shared_folder;

/// Relative tolerance added to every limit.
const RELATIVE: f64 = 1e-5;

#[test]
fn shared_models_match_their_golden_data() {
    let (Some(models), Some(golden)) =
        (shared_folder("models", "MAQUETTE_MODELS"), shared_folder("golden", "MAQUETTE_GOLDEN"))
    else {
        return;
    };
    let mut totals: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut failures = Vec::new();
    // The folder `family` holds further formats, of which only some are read.
    let folders = [golden.clone(), golden.join("family"), golden.join("gltf")];
    let entries = folders.iter().filter_map(|folder| std::fs::read_dir(folder).ok()).flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    names.sort();
    for path in names {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".json") || name.starts_with("archive__") || name.starts_with("character__") {
            continue;
        }
        let golden: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        if Format::by_name(golden["format"].as_str().unwrap()).is_none() {
            continue;
        }
        let total = totals.entry(golden["format"].as_str().unwrap().to_owned()).or_default();
        let (good, all, problems) = compare_model(&models, &golden);
        total[0] += good;
        total[1] += all;
        total[2] += usize::from(problems.is_empty());
        total[3] += 1;
        failures.extend(problems.iter().map(|problem| format!("{}: {problem}", golden["model"])));
    }
    for (format, [good, all, sound, models]) in &totals {
        eprintln!("{format}: {good}/{all} poses, {sound}/{models} models agree");
    }
    let report = failures.iter().take(40).map(String::as_str).collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} disagreements:\n{report}", failures.len());
    assert!(totals.values().map(|total| total[3]).sum::<usize>() >= 100, "the golden folder is not complete");
}

/// Returns the number of matching poses, the number of poses, and the mismatches.
fn compare_model(models: &Path, golden: &Value) -> (usize, usize, Vec<String>) {
    let path = models.join(golden["model"].as_str().unwrap());
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let poses = golden["poses"].as_array().unwrap();
    let expect = golden["expect"].as_str().unwrap();
    let loaded = match golden["format"].as_str() {
        // Buffers are in files next to the model.
        Some("gltf") => match Opener::new(Vec::new(), ImageLoading::LocateOnly).load(&path) {
            Ok(opened) => Ok((Model::clone(&opened.model), opened.warnings())),
            Err(error) => Err(error.to_string()),
        },
        _ => formats::load(&bytes).map_err(|error| error.to_string()),
    };
    let (mut model, mut warnings) = match (loaded, expect) {
        (Err(error), "error") => {
            assert!(!error.is_empty());
            return (poses.len(), poses.len(), Vec::new());
        }
        (Ok(_), "error") => return (0, poses.len(), vec!["was loaded, an error was expected".to_owned()]),
        (Err(error), _) => return (0, poses.len(), vec![error]),
        (Ok(loaded), _) => loaded,
    };
    if matches!(golden["format"].as_str(), Some("mds" | "mdm")) {
        let opened = Opener::new(Vec::new(), ImageLoading::LocateOnly).load(&path).unwrap();
        (model, warnings) = (Model::clone(&opened.model), opened.warnings());
    }
    let mut problems = Vec::new();
    // A missing skeleton is reported when the model is opened with its companion files.
    if expect == "loads-with-warnings" && warnings.is_empty() && golden["reason"] != "no .gla" {
        problems.push("loads without a warning".to_owned());
    }
    if matches!(model.format().traits().companions.animations, AnimationFiles::Below(_) | AnimationFiles::Above(_)) {
        problems.extend(add_animations(models, golden, &mut model));
    }
    for skeleton in golden["animations"].as_array().unwrap().iter().filter(|clip| clip["source"] == "gla") {
        let bytes = std::fs::read(models.join(skeleton["path"].as_str().unwrap())).unwrap();
        model.add_animation(skeleton["name"].as_str().unwrap(), &bytes).unwrap();
    }
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    let report = serde_json::to_value(Report::new(&model, &pose, &warnings, "x")).unwrap();
    problems.extend(compare_counts(golden, &report));
    let mut good = 0;
    for want in poses {
        sample(&model, &sampling_of(&model, want), &mut pose);
        let at = format!("frame {} of {} {}", want["frame"], want["anim"], want["torso"]);
        match compare_surfaces(golden, want, &model, &pose).or_else(|| compare_transforms(want, &model, &pose)) {
            Some(problem) => problems.push(format!("{at}: {problem}")),
            None => good += 1,
        }
    }
    (good, poses.len(), problems)
}

/// Returns the stem of an animation's path.
fn stem(path: &str) -> &str {
    let file = path.rsplit('/').next().unwrap_or(path);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

fn add_animations(models: &Path, golden: &Value, model: &mut Model) -> Vec<String> {
    let mut problems = Vec::new();
    let folder = Path::new(golden["model"].as_str().unwrap()).parent().unwrap().to_owned();
    let mut files: Vec<_> =
        std::fs::read_dir(models.join(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.retain(|path| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("md5anim")));
    for path in files {
        let bytes = std::fs::read(&path).unwrap();
        assert!(md5::looks_like_animation(&bytes) && !md5::looks_like_mesh(&bytes), "{}", path.display());
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        match md5::load_animation(&bytes, &name, model, &mut Warnings::default()) {
            Ok((clip, channels, frames)) => model.add_track(clip, channels, frames).unwrap(),
            Err(error) => {
                let expected = golden["animations"].as_array().unwrap().iter().any(|clip| clip["name"] == *name);
                problems.extend(expected.then(|| format!("animation {name}: {error}")));
            }
        }
    }
    for clip in golden["animations"].as_array().unwrap().iter().filter(|clip| clip["source"] == "iqm file") {
        let bytes = std::fs::read(models.join(clip["path"].as_str().unwrap())).unwrap();
        assert!(iqm::is_animation_for(iqm::stored_joints(model), &bytes), "{clip}");
        let added = model.add_animation(clip["name"].as_str().unwrap(), &bytes);
        problems.extend(added.err().map(|error| format!("animation {}: {error}", clip["name"])));
    }
    problems
}

fn sampling_of(model: &Model, want: &Value) -> Sampling {
    let half = |half: &Value| {
        let clip = model.clip(half["clip"].as_str()?).expect("the clip is listed");
        Some(FrameBlend::at_frame(f64::from(clip.first) + half["step"].as_f64().unwrap()))
    };
    match half(&want["legs"]) {
        Some(legs) => Sampling { torso: half(&want["torso"]), ..Sampling::at(legs) },
        None => Sampling::at(blend_of(model, want)),
    }
}

fn blend_of(model: &Model, want: &Value) -> FrameBlend {
    let frame = want["frame"].as_f64().unwrap();
    let Some(anim) = want["anim"].as_str() else { return FrameBlend::at_frame(frame) };
    // Names of clips of a glTF may contain dots.
    let name = want["clip"].as_str().unwrap_or_else(|| stem(anim));
    let clip = model.clips().iter().find(|clip| clip.name == name).expect("the animation was added");
    FrameBlend::at_frame(f64::from(clip.first) + frame)
}

fn fold(text: &Value) -> String {
    text.as_str().unwrap_or_default().replace('\\', "/").to_lowercase()
}

fn compare_counts(golden: &Value, report: &Value) -> Vec<String> {
    let (counts, mut problems) = (&golden["counts"], Vec::new());
    let mut check = |what: &str, got: &Value, want: &Value| {
        if got != want {
            problems.push(format!("{what}: {got}, expected {want}"));
        }
    };
    check("format", &report["format"], &golden["format"]);
    let is_gltf = golden["format"] == "gltf";
    if !is_gltf {
        check("version", &report["version"], &golden["version"]);
    }
    if !counts["frames"].is_null() {
        check("frames", &report["frames"], &counts["frames"]);
    }
    let (got, want) = (report["surfaces"].as_array().unwrap(), counts["surfaces"].as_array().unwrap());
    check("surfaces", &got.len().into(), &want.len().into());
    for (index, (got, want)) in got.iter().zip(want).enumerate() {
        check(&format!("surface {index} lod"), &got["lod"], &want["lod"]);
        check(&format!("surface {index} triangles"), &got["triangles"], &want["triangles"]);
        check(&format!("surface {index} name"), &fold(&got["name"]).into(), &fold(&want["name"]).into());
        // Flat triangles of a glTF have vertices of their own.
        if golden["format"] != "md2" && golden["format"] != "mdl" && !is_gltf {
            check(&format!("surface {index} vertices"), &got["vertices"], &want["vertices"]);
        }
        let materials = |surface: &Value| -> Value {
            surface["materials"].as_array().unwrap().iter().map(fold).filter(|name| !name.is_empty()).collect()
        };
        check(&format!("surface {index} materials"), &materials(got), &materials(want));
    }
    let names: Value = report["tags"].as_array().unwrap().iter().map(|tag| tag["name"].clone()).collect();
    check("tags", &names, &counts["tags"]);
    let joints = report["joints"].as_array().unwrap();
    let want = counts["joints"].as_array().unwrap();
    // Joints of nodes that move rigid surfaces may follow.
    if !is_gltf || joints.len() < want.len() {
        check("joints", &joints.len().into(), counts.get("bones").unwrap_or(&want.len().into()));
    }
    for (index, (got, want)) in joints.iter().zip(want).enumerate() {
        check(&format!("joint {index} name"), &got["name"], &want["name"]);
        let root = Value::from(-1);
        let parent = if is_gltf && got["parent"].is_null() { &root } else { &got["parent"] };
        check(&format!("joint {index} parent"), parent, &want["parent"]);
    }
    for want in golden["animations"].as_array().unwrap() {
        if want["source"] == "animation.cfg" {
            continue;
        }
        let have = report["animations"].as_array().unwrap();
        let Some(got) = have.iter().find(|clip| fold(&clip["name"]) == fold(&want["name"])) else {
            check(&format!("animation {}", want["name"]), &Value::Null, want);
            continue;
        };
        let label = format!("animation {}", want["name"]);
        check(&label, &got["frames"], want.get("count").unwrap_or(&want["frames"]));
        if let Some(first) = want.get("first") {
            check(&label, &got["first"], first);
        }
        if let Some(rate) = want["fps"].as_f64() {
            check(&label, &((got["fps"].as_f64().unwrap() - rate).abs() < 1e-3).into(), &true.into());
        }
    }
    problems
}

fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .map(|list| list.iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect())
        .unwrap_or_default()
}

fn vec(v: Vec3) -> [f64; 3] {
    v.to_array().map(f64::from)
}

fn close(got: &[f64], want: &[f64], limit: f64) -> bool {
    got.iter().zip(want).all(|(got, want)| (got - want).abs() <= limit + RELATIVE * want.abs())
}

fn position_limit(want: &Value) -> f64 {
    let (min, max) = (numbers(&want["bounds"]["min"]), numbers(&want["bounds"]["max"]));
    let size = min.iter().zip(&max).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    let size = if min.is_empty() { 10.0 } else { size };
    let own = want["position_tolerance"].as_f64().unwrap_or(0.0);
    (2e-4 * size).clamp(2e-6, 2e-3).max(own)
}

fn angle(got: Vec3, want: &[f64]) -> f64 {
    let want = glam::DVec3::from_slice(want);
    got.as_dvec3().angle_between(want).to_degrees()
}

fn compare_surfaces(golden: &Value, want: &Value, model: &Model, pose: &Pose) -> Option<String> {
    let limit = position_limit(want);
    let degrees = if golden["format"] == "md5" { 3.02 } else { 1.02 };
    let finest: Vec<usize> = (0..model.surfaces().len()).filter(|index| model.surfaces()[*index].lod == 0).collect();
    for want in want["surfaces"].as_array().unwrap() {
        let index = finest[usize::try_from(want["index"].as_u64().unwrap()).unwrap()];
        let (surface, posed) = (&model.surfaces()[index], &pose.surfaces[index]);
        let at = |corner: u32| posed.positions[corner as usize];
        let corners = || surface.triangles.iter().flatten().copied();
        let label = format!("surface {index} “{}”", surface.name);
        let uv_limit = want["uv_tolerance"].as_f64().unwrap_or(0.0);
        for (number, triangle) in want["sampled"].as_array().unwrap().iter().enumerate() {
            let mut triangle = surface.triangles[usize::try_from(triangle.as_u64().unwrap()).unwrap()];
            if golden["format"] == "gltf" {
                // The corners of the data are counter-clockwise, as in the file.
                triangle.swap(1, 2);
            }
            let positions = numbers(&want["corners"][number]);
            let normals = numbers(&want["normals"][number]);
            let uvs = numbers(&want["uvs"][number]);
            for (corner, index) in triangle.iter().enumerate() {
                let (got, expected) = (vec(at(*index)), &positions[corner * 3..corner * 3 + 3]);
                if !close(&got, expected, limit) {
                    return Some(format!("{label} triangle {number}: position {got:?}, expected {expected:?}"));
                }
                let normal = &normals[corner * 3..corner * 3 + 3];
                let turned = angle(posed.normals[*index as usize], normal);
                if normal.iter().all(|number| number.is_finite()) && turned > degrees {
                    return Some(format!("{label} triangle {number}: normal off by {turned:.2} degrees"));
                }
                if let Some(expected) = uvs.get(corner * 2..corner * 2 + 2) {
                    let got = surface.uvs[*index as usize].as_dvec2().to_array();
                    if !close(&got, expected, uv_limit) {
                        return Some(format!("{label} triangle {number}: uv {got:?}, expected {expected:?}"));
                    }
                }
            }
        }
        let count = corners().count() as f64;
        let mean = corners().map(|corner| at(corner).as_dvec3()).sum::<glam::DVec3>() / count;
        if !close(&mean.to_array(), &numbers(&want["mean_corner"]), limit) {
            return Some(format!("{label}: mean corner {mean}, expected {}", want["mean_corner"]));
        }
        let low = vec(corners().map(at).reduce(Vec3::min).unwrap_or_default());
        let high = vec(corners().map(at).reduce(Vec3::max).unwrap_or_default());
        let (min, max) = (numbers(&want["bounds"]["min"]), numbers(&want["bounds"]["max"]));
        if !close(&low, &min, limit) || !close(&high, &max, limit) {
            return Some(format!("{label}: bounds {low:?} {high:?}, expected {}", want["bounds"]));
        }
        if let Some(expected) = want.get("mean_normal").filter(|normal| !normal.is_null()) {
            let normals = corners().map(|corner| posed.normals[corner as usize].as_dvec3());
            let off = (normals.sum::<glam::DVec3>() / count).distance(glam::DVec3::from_slice(&numbers(expected)));
            if off > degrees.to_radians() {
                return Some(format!("{label}: mean normal off by {off:.4}"));
            }
        }
        if let Some(expected) = want.get("mean_uv") {
            let sum = corners().map(|corner| surface.uvs[corner as usize].as_dvec2()).sum::<glam::DVec2>();
            let expected = numbers(expected);
            let near = |got: f64, want: f64| (got - want).abs() <= uv_limit + RELATIVE * want.abs().max(100.0);
            if !near(sum.x / count, expected[0]) || !near(sum.y / count, expected[1]) {
                return Some(format!("{label}: mean uv {}, expected {expected:?}", sum / count));
            }
        }
    }
    None
}

/// Compares tags and joints; of a repeated name only the first.
fn compare_transforms(want: &Value, model: &Model, pose: &Pose) -> Option<String> {
    let extra = want["position_tolerance"].as_f64().unwrap_or(0.0);
    for (name, want) in want["tags"].as_object().into_iter().flatten() {
        let Some(index) = model.tags().iter().position(|tag| tag == name) else {
            return Some(format!("tag {name} missing"));
        };
        let tag = pose.tags[index];
        let origin = vec(tag.translation.into());
        if !close(&origin, &numbers(&want["origin"]), extra.max(1e-3)) {
            return Some(format!("tag {name}: origin {origin:?}, expected {}", want["origin"]));
        }
        let axes = [tag.matrix3.x_axis, tag.matrix3.y_axis, tag.matrix3.z_axis];
        for (axis, want) in axes.iter().zip(want["axis"].as_array().into_iter().flatten()) {
            let off = vec((*axis).into()).iter().zip(numbers(want)).any(|(got, want)| (got - want).abs() > 2e-3);
            if off {
                return Some(format!("tag {name}: axis {axis}, expected {want}"));
            }
        }
    }
    let limit = position_limit(want);
    let degrees = want["rotation_tolerance_degrees"].as_f64().unwrap_or(0.0).max(0.1);
    for (name, want) in want["joints"].as_object().into_iter().flatten() {
        let Some(index) = model.joints().iter().position(|joint| joint.name == *name) else {
            return Some(format!("joint {name} missing"));
        };
        let joint = pose.joints[index];
        let position = vec(joint.translation.into());
        if !close(&position, &numbers(&want["position"]), limit) {
            return Some(format!("joint {name}: position {position:?}, expected {}", want["position"]));
        }
        // The data has no rotation for sheared joints.
        let Ok([x, y, z, w]) = <[f64; 4]>::try_from(numbers(&want["rotation_xyzw"])) else { continue };
        let columns = [joint.matrix3.x_axis, joint.matrix3.y_axis, joint.matrix3.z_axis].map(Vec3A::normalize);
        let got = Quat::from_mat3a(&Mat3A::from_cols(columns[0], columns[1], columns[2])).as_dquat();
        let want = glam::DQuat::from_xyzw(x, y, z, w).normalize();
        let apart = (got - want).length().min((got + want).length());
        let off = 4.0 * (apart / 2.0).min(1.0).asin().to_degrees();
        if off > degrees {
            return Some(format!("joint {name}: rotation off by {off:.3} degrees"));
        }
    }
    None
}
