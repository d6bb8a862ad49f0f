//! The committed samples equal those in the program and those that the converter produces. The maker in `assets/maker`
//! has its own test.

use std::fs;
use std::path::Path;

use maquette_assets::engines::{ENGINES, Engine, PROFILES};
use maquette_assets::lint::Profile;
use maquette_assets::open::{sample_bytes, sample_conversions};
use maquette_core::model::Format;

#[test]
fn committed_samples_match_their_conversions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        let name = entry.file_name();
        let committed = fs::read(entry.path()).unwrap();
        assert!(sample_bytes(Path::new(&name)) == Some(&committed), "the program has another {}", name.display());
    }
    for (name, bytes) in sample_conversions() {
        let committed = fs::read(folder.join(&name)).unwrap_or_default();
        assert!(committed == bytes, "{name} differs; run the maker of the samples and look at the changes");
    }
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
