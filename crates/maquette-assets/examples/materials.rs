//! Finds the material of each surface of a model in a folder or archive and prints the search steps.
//!
//! `cargo run -p maquette-assets --example materials -- baseq3/pak0.pk3/models/…/upper.md3`

#![forbid(unsafe_code)]
#![allow(clippy::print_stdout, reason = "the example prints its result")]

use std::error::Error;
use std::path::Path;

use maquette_assets::engines::KnownEngine;
use maquette_assets::material::{ImageLoading, MaterialResolver, ResolveContext};
use maquette_assets::vfs::{FileSystem, ReadLimit};
use maquette_core::error::Warnings;
use maquette_core::formats;

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: materials MODEL")?;
    let path = Path::new(&file);

    // The path may lead through an archive. The virtual file system contains the game around the model, with its
    // archives.
    let library = FileSystem::new(Vec::new());
    let (model, _) = formats::load(&library.read(path, ReadLimit::Whole)?)?;
    let (vfs, game_path) = library.for_file(path)?;

    let search = ResolveContext::new(ImageLoading::Decode);
    let mut warnings = Warnings::default();
    let engine = KnownEngine::for_model(&vfs, &game_path, model.format());
    let mut finder = MaterialResolver::new(&vfs, &game_path, model.format(), engine, &search);
    for (surface, material) in model.surfaces().iter().zip(finder.materials(&model, &mut warnings)) {
        match &material.image {
            Some(image) => println!("{}: {} × {}", surface.name, image.width, image.height),
            None => println!("{}: no picture", surface.name),
        }
        for step in material.search_log.iter() {
            let found = step.found.as_deref().unwrap_or("nothing");
            println!("    {}: {} names tried, {found}", step.what, step.tried.len());
        }
    }
    for warning in warnings.into_vec() {
        eprintln!("{warning}");
    }
    Ok(())
}
