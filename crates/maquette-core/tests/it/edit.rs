//! Edits change only the expected bytes.

use glam::Vec3;
use maquette_core::edit::{Call, SET_MATERIAL, apply, save};
use maquette_core::formats;
use maquette_core::model::{Format, Model};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use maquette_testing::files::{Md2, Md3, Mdc};
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

fn every_format() -> Vec<Vec<u8>> {
    vec![
        Md2::typical().build(),
        Md3::typical().build(),
        Mdc::typical().build(),
        Mdr::typical().build(),
        MD5_MESH.into(),
    ]
}

fn call(text: &str) -> Call {
    Call::parse(text).unwrap()
}

fn load(bytes: &[u8]) -> Model {
    formats::load(bytes).unwrap().0
}

/// Applies edits to a file. Returns the new bytes, and whether the whole file was rewritten.
fn edited(bytes: &[u8], edits: &[Call]) -> (Vec<u8>, bool) {
    let before = load(bytes);
    let after = apply(&before, edits).unwrap();
    save(bytes, &before, &after).unwrap()
}

/// Returns the offsets at which two files of equal length differ.
fn differing(a: &[u8], b: &[u8]) -> Vec<usize> {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b).map(|(index, _)| index).collect()
}

/// Returns the offsets of `text` in a file.
fn offsets_of(bytes: &[u8], text: &str) -> Vec<usize> {
    bytes.windows(text.len()).enumerate().filter(|(_, window)| *window == text.as_bytes()).map(|(at, _)| at).collect()
}

#[test]
fn changed_md3_path_differs_only_in_its_field() {
    let bytes = Md3::typical().build();
    let old = load(&bytes).surfaces()[0].materials[0].clone();
    let name = "models/mended/skin.tga";
    let (again, is_rewritten) = edited(&bytes, &[call(&format!("set-material surfaces=#0 path={name}"))]);
    assert!(!is_rewritten);
    let field = offsets_of(&bytes, &old)[0]..offsets_of(&bytes, &old)[0] + 64;
    assert!(differing(&bytes, &again).iter().all(|at| field.contains(at)));
    assert_eq!(load(&again).surfaces()[0].materials[0], name);
}

#[test]
fn changed_md5_path_differs_only_in_its_word() {
    let (again, is_rewritten) = edited(MD5_MESH.as_bytes(), &[call("set-material surfaces=#0 path=models/mended")]);
    assert!(!is_rewritten);
    assert_eq!(String::from_utf8(again).unwrap(), MD5_MESH.replace("models/box/skin", "models/mended"));
}

#[test]
fn renaming_changes_only_name_fields() {
    for bytes in every_format() {
        let model = load(&bytes);
        let format = model.format();
        let mut edits = Vec::new();
        if !model.surfaces()[0].name.is_empty() {
            edits.push(call("rename-surface surfaces=#0 name=mended"));
        }
        edits.push(call("set-material surfaces=#0 path=models/mended"));
        if !model.tags().is_empty() {
            edits.push(call("rename-tag tag=#0 name=tag_mended"));
        }
        if matches!(format, Format::Md2 | Format::Md3 | Format::Mdc) {
            edits.push(call("rename-frames frames=1 name=mended"));
        }
        for edit in &edits {
            let (again, is_rewritten) = edited(&bytes, std::slice::from_ref(edit));
            assert!(!is_rewritten, "{format}: {edit:?}");
            let meant = apply(&model, std::slice::from_ref(edit)).unwrap();
            let again = load(&again);
            assert_eq!(again.surfaces(), meant.surfaces(), "{format}: {edit:?}");
            assert_eq!((again.tags(), again.frames(), again.skins()), (meant.tags(), meant.frames(), meant.skins()));
        }
        let (again, is_rewritten) = edited(&bytes, &edits);
        assert!(!is_rewritten);
        assert_eq!(load(&again).surfaces(), apply(&model, &edits).unwrap().surfaces());
    }
}

#[test]
fn name_longer_than_its_field_is_rejected() {
    let bytes = Md3::typical().build();
    let before = load(&bytes);
    let edit = call(&format!("rename-surface surfaces=#0 name={}", "x".repeat(64)));
    let after = apply(&before, &[edit]).unwrap();
    let why = save(&bytes, &before, &after).unwrap_err().to_string();
    assert!(why.ends_with("has 64 bytes; the field holds at most 63"), "{why}");
}

#[test]
fn tags_can_be_moved_added_and_removed() {
    for bytes in [Md3::typical().build(), Mdc::typical().build()] {
        let model = load(&bytes);
        let positions = |model: &Model| {
            let mut pose = Pose::default();
            sample(model, &Sampling::at(FrameBlend::single(1)), &mut pose);
            pose.tags.iter().map(|tag| Vec3::from(tag.translation)).collect::<Vec<_>>()
        };
        let before = positions(&model);
        let by = Vec3::new(1.0, -2.0, 0.5);
        let (moved, is_rewritten) = edited(&bytes, &[call("move-tag tag=#0 by=1,-2,0.5")]);
        assert!(!is_rewritten);
        assert!((positions(&load(&moved))[0] - before[0] - by).length() < 1e-6);
        let (more, is_rewritten) = edited(&bytes, &[call("add-tag name=tag_new at=1,-2,0.5")]);
        assert!(is_rewritten);
        assert_eq!(positions(&load(&more)), [before.clone(), vec![by]].concat());
        let (fewer, _) = edited(&more, &[call("remove-tag tag=#0")]);
        assert_eq!(positions(&load(&fewer)), [before[1..].to_vec(), vec![by]].concat());
    }
}

#[test]
fn second_tag_of_a_name_is_rejected() {
    let model = load(&Md3::typical().build());
    let second = "tag_new";
    let model = apply(&model, &[call("add-tag name=tag_new at=0,0,0")]).unwrap();
    let first = model.tags()[0].to_uppercase();
    let refused = |edit: Call| apply(&model, &[edit]).unwrap_err().to_string();
    let message = refused(call(&format!("add-tag name={first} at=0,0,0")));
    assert_eq!(message, format!("the model already has a tag “{first}”"));
    let message = refused(call("rename-tag tag=#0 name=tag_new"));
    assert_eq!(message, format!("the model already has a tag “{second}”"));
    apply(&model, &[call(&format!("rename-tag tag=#0 name={first}"))]).unwrap();
}

#[test]
fn tag_beyond_supported_range_is_rejected() {
    let model = load(&Md3::typical().build());
    for text in ["add-tag name=tag_new at=1e38,0,0", "move-tag tag=#0 by=1e38,0,0"] {
        let message = apply(&model, &[call(text)]).unwrap_err().to_string();
        assert!(message.contains("within 1000000000 units"), "{message}");
    }
}

#[test]
fn recomputed_bounds_match_the_vertices() {
    let bytes = Md3::typical().build();
    let (again, is_rewritten) = edited(&bytes, &[call("recompute-bounds")]);
    assert!(!is_rewritten);
    let model = load(&again);
    let mut pose = Pose::default();
    for (index, frame) in model.frames().iter().enumerate() {
        sample(&model, &Sampling::at(FrameBlend::single(u32::try_from(index).unwrap())), &mut pose);
        assert_eq!(frame.bounds, Some(pose.bounds));
        let furthest = pose.surfaces.iter().flat_map(|surface| &surface.positions);
        let furthest = furthest.map(|position| position.distance(frame.origin)).fold(0.0, f32::max);
        assert!((frame.radius - furthest).abs() < 1e-5);
    }
    // Only frame data changed.
    assert_eq!(load(&again).surfaces(), load(&bytes).surfaces());
}

#[test]
fn recomputed_normals_keep_hard_edges() {
    for bytes in [Md2::typical().build(), Md3::typical().build(), Mdc::typical().build()] {
        let (again, is_rewritten) = edited(&bytes, &[call("recompute-normals")]);
        assert!(!is_rewritten);
        let model = load(&again);
        let mut pose = Pose::default();
        sample(&model, &Sampling::default(), &mut pose);
        // For a single triangle, the normal of clockwise corners points outward.
        let (surface, posed) = (&model.surfaces()[0], &pose.surfaces[0]);
        let uses = |vertex: u32| surface.triangles.iter().flatten().filter(|corner| **corner == vertex).count();
        for triangle in &surface.triangles {
            let [a, b, c] = triangle.map(|corner| posed.positions[corner as usize]);
            let meant = (c - a).cross(b - a).normalize();
            for corner in triangle.iter().filter(|corner| uses(**corner) == 1) {
                let shared =
                    posed.positions.iter().filter(|position| **position == posed.positions[*corner as usize]).count();
                let off = posed.normals[*corner as usize].angle_between(meant).to_degrees();
                assert!(shared > 1 || off < 12.0, "{}: {off}", model.format());
            }
        }
        assert_eq!(model.surfaces(), load(&bytes).surfaces());
    }
}

#[test]
fn skins_reorder_and_degenerate_triangles_are_dropped() {
    let bytes = Md2::typical().build();
    let skins = load(&bytes).skins().to_vec();
    let (again, is_rewritten) = edited(&bytes, &[call("order-skins order=1,0")]);
    assert!(!is_rewritten);
    assert_eq!(load(&again).skins(), [skins[1].clone(), skins[0].clone()]);
    assert!(apply(&load(&bytes), &[call("order-skins order=0,0")]).is_err());

    let mut file = Md2::typical();
    file.triangles.push([0, 0, 1, 0, 0, 1]);
    let bytes = file.build();
    let (again, is_rewritten) = edited(&bytes, &[call("remove-degenerate-triangles")]);
    assert!(is_rewritten);
    assert_eq!(load(&again).surfaces()[0].triangles.len(), load(&bytes).surfaces()[0].triangles.len() - 1);
}

#[test]
fn shared_models_are_edited_in_place() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let mut patched = 0;
    for path in files_below(&folder) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok((model, _)) = formats::load(&bytes) else { continue };
        if SET_MATERIAL.why_not(&model).is_some() {
            continue;
        }
        let Some(surface) = model.surfaces().iter().position(|surface| !surface.materials.is_empty()) else { continue };
        let name = "models/mended/skin";
        let edit = call(&format!("set-material surfaces=#{surface} path={name}"));
        let (again, is_rewritten) = edited(&bytes, &[edit]);
        assert_eq!(load(&again).surfaces()[surface].materials[0], name, "{}", path.display());
        patched += usize::from(!is_rewritten);
        if !is_rewritten && model.format() != Format::Md5 {
            let offsets = differing(&bytes, &again);
            assert!(offsets.len() <= 64 && offsets.last().unwrap() - offsets[0] < 64, "{}", path.display());
        }
    }
    assert!(patched > 100, "{patched}");
}
