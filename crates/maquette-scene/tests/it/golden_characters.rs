//! Real characters and archives. Transforms are compared with an independent program, lists with the archives'
//! contents.
//!
//! As in `golden.rs`, the files are not part of this repository.

use std::path::Path;

use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Anchor, Opener, Role};
use maquette_assets::vfs::{Archive, ReadLimit};
use maquette_scene::scene::{Attachment, ClipChoice, Playback, Scene};
use serde_json::Value;

use maquette_testing::optional::shared_folder;

fn golden(kind: &str) -> Vec<Value> {
    let Some(folder) = shared_folder("golden", "MAQUETTE_GOLDEN") else { return Vec::new() };
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let wanted = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with(kind);
    let read = |path: &std::path::PathBuf| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    paths.iter().filter(|path| wanted(path)).map(read).collect()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        value => vec![value.as_f64().unwrap()],
    }
}

fn near(what: &str, got: &[f32], want: &Value, limit: f64) {
    let want = numbers(want);
    assert_eq!(got.len(), want.len(), "{what}");
    for (got, want) in got.iter().zip(want) {
        let off = (f64::from(*got) - want).abs();
        assert!(off <= limit + 1e-5 * want.abs(), "{what}: {got}, expected {want}");
    }
}

#[test]
fn shared_characters_match_their_golden_data() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let mut poses = 0;
    for character in golden("character__") {
        let name = character["character"].as_str().unwrap();
        let assembly = opener.character(&models.join(name)).unwrap();
        let mut scene = Scene::from_assembly(assembly, &Playback::default(), &Scene::default());
        if let Some(weapon) = character["weapon"].as_str() {
            let torso = scene.with_role(Role::Torso).unwrap().id;
            let to = Attachment { to: torso, anchor: Anchor::Tag("tag_weapon".to_owned()) };
            scene.attach_parts(opener.attachment(&models.join(weapon)).unwrap(), &to, &Playback::default());
        }
        for pose in character["poses"].as_array().unwrap() {
            for (role, part) in [(Role::Legs, "legs"), (Role::Torso, "torso")] {
                let id = scene.with_role(role).unwrap().id;
                let entity = scene.entity_mut(id).unwrap();
                let wanted = pose[part]["clip"].as_str().unwrap();
                let clip = entity.model().clips().iter().position(|clip| clip.name == wanted).unwrap();
                entity.playback.playing = false;
                entity.playback.choice = ClipChoice::Clip(clip);
                entity.playback.position = pose[part]["step"].as_f64().unwrap();
                let shown = entity.playback.shown_frame(entity.model());
                assert!((shown - pose[part]["frame"].as_f64().unwrap()).abs() < 1e-6, "{name}: {wanted}: {shown}");
            }
            scene.refresh();
            for (part, want) in pose["parts"].as_object().unwrap() {
                let Some(entity) = scene.entities().iter().find(|entity| entity.role.key() == part) else {
                    assert!(want.get("bounds").is_none(), "{name}: {part} is missing");
                    continue;
                };
                let transform = entity.world_from_model;
                near(&format!("{name}: {part}: origin"), &transform.translation.to_array(), &want["origin"], 1e-3);
                let axes = transform.matrix3.to_cols_array();
                near(&format!("{name}: {part}: axis"), &axes, &want["axis"], 2e-3);
                if let Some(bounds) = want.get("bounds") {
                    let own = entity.bounds();
                    near(&format!("{name}: {part}: min"), &own.min.to_array(), &bounds["min"], 5e-3);
                    near(&format!("{name}: {part}: max"), &own.max.to_array(), &bounds["max"], 5e-3);
                }
            }
            poses += 1;
        }
    }
    eprintln!("{poses} figures agree");
    assert!(poses >= 16 || golden("character__").is_empty(), "the golden folder is not complete");
}

#[test]
fn shared_archives_match_their_golden_data() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    for golden in golden("archive__") {
        let path = models.join(golden["archive"].as_str().unwrap());
        let archive = Archive::open(&path).unwrap();
        assert_eq!(archive.file_count() as u64, golden["files"].as_u64().unwrap(), "{}", path.display());
        for model in golden["models"].as_array().unwrap() {
            let inside = model["path"].as_str().unwrap();
            let (loaded, _) = maquette_core::formats::load(&archive.read(inside, ReadLimit::Whole).unwrap()).unwrap();
            assert_eq!(loaded.format().name(), model["format"].as_str().unwrap(), "{inside}");
            assert_eq!(loaded.frames().len() as u64, model["frames"].as_u64().unwrap(), "{inside}");
            let triangles: usize = loaded.surfaces().iter().map(|surface| surface.triangles.len()).sum();
            assert_eq!(triangles as u64, model["triangles"].as_u64().unwrap(), "{inside}");
        }
    }
}
