//! Writes the sample character's files: `cargo run --example make-sample [FOLDER]`, by default into `assets/sample`.
//!
//! The program converts the MDR that it was built with. After a change to the MDR, run the maker twice.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::print_stdout, clippy::unwrap_used, reason = "a development tool may panic")]

#[path = "mod.rs"]
mod maker;

use std::path::PathBuf;

use maquette_assets::open::sample_conversions;

fn main() -> std::io::Result<()> {
    let default = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/sample"));
    let folder = std::env::args_os().nth(1).map_or_else(default, PathBuf::from);
    std::fs::create_dir_all(&folder)?;
    for (name, bytes) in maker::make().into_iter().chain(sample_conversions()) {
        println!("{name}: {} bytes", bytes.len());
        std::fs::write(folder.join(name), bytes)?;
    }
    Ok(())
}
