//! Writes the sample character's files: `cargo run --manifest-path assets/maker/Cargo.toml [FOLDER]`, by default into
//! `assets/sample`.
//!
//! The maker converts the MDR that it was built with. After a change to the MDR, run the maker twice.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used, reason = "a development tool may panic")]

#[path = "mod.rs"]
mod maker;

use std::path::PathBuf;

use maquette_assets::open::sample_conversions;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../sample"));
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in maker::make().into_iter().chain(sample_conversions()) {
        println!("{name}: {} bytes", bytes.len());
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn committed_files_match_made_ones() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sample");
        for (name, bytes) in super::maker::make() {
            let committed = std::fs::read(folder.join(&name)).unwrap_or_default();
            assert!(committed == bytes, "{name} differs; run the maker and look at the changes");
        }
    }
}
