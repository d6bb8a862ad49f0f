//! The committed samples equal those that the generator and the converter produce.

use std::fs;
use std::path::Path;

use maquette_assets::engines::{ENGINES, Engine, PROFILES};
use maquette_assets::lint::Profile;
use maquette_assets::open::{sample_bytes, sample_conversions};
use maquette_core::model::Format;

#[path = "../../../../assets/maker/mod.rs"]
mod maker;

#[test]
fn committed_samples_match_generated_ones() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let mut made = maker::make();
    made.extend(sample_conversions());
    for (name, bytes) in &made {
        let committed = fs::read(folder.join(name)).unwrap_or_default();
        assert!(committed == *bytes, "{name} differs; run cargo run --example make-sample and look at what changed");
    }
    for (name, bytes) in &made {
        assert!(sample_bytes(Path::new(name)) == Some(bytes), "the program has another {name}");
    }
    let mut names: Vec<String> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    let mut made_names: Vec<String> = made.into_iter().map(|(name, _)| name).collect();
    names.sort();
    made_names.sort();
    assert_eq!(names, made_names, "nothing else lies beside them");
}

#[test]
fn every_format_has_its_game_profile_and_sample() {
    for format in Format::ALL {
        if let Some(name) = format.traits().sample {
            assert!(sample_bytes(Path::new(name)).is_some(), "{format}: sample");
        }
        assert_eq!(Engine::for_format(format).name, format.game(), "{format}: ENGINES");
        assert!(Profile::for_format(format).formats.contains(&format), "{format}: PROFILES");
    }
    for profile in ENGINES.iter().filter_map(|engine| engine.profile) {
        assert!(PROFILES.iter().any(|known| known.name == profile.name), "PROFILES lacks {}", profile.name);
    }
}
