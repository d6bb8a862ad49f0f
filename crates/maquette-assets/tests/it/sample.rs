//! The built-in figure is what its maker makes.

use std::fs;
use std::path::Path;

use maquette_assets::open::sample_bytes;

#[path = "../../../../assets/maker/mod.rs"]
#[allow(dead_code, reason = "the maker's writers can do more than the figure needs")]
mod maker;

#[test]
fn the_committed_files_are_what_the_maker_makes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let made = maker::make();
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
