//! One fuzzer for all kinds of files: `MAQUETTE_TARGET` selects a target of
//! `crates/maquette-assets/tests/support/targets.rs`. Start it with `./fuzz/run`, which builds it with coverage
//! instrumentation.
//!
//! Half of the inputs get structured changes: a 32-bit number or a word of the grammar is replaced by a critical value.
//! libFuzzer mutates the other half.

#![no_main]

#[path = "../../crates/maquette-assets/tests/support/targets.rs"]
mod targets;

use std::path::PathBuf;
use std::sync::OnceLock;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

use maquette_testing::memory::peak_of;
use maquette_testing::mutation::mutate;
use targets::{TARGETS, Target, max_memory};

static CHOSEN: OnceLock<&'static Target> = OnceLock::new();

/// Returns the selected target. The first use writes its seeds and words to the folder `MAQUETTE_SEEDS`, if set.
fn target() -> &'static Target {
    CHOSEN.get_or_init(|| {
        let name = std::env::var("MAQUETTE_TARGET").unwrap_or_default();
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        let Some(target) = TARGETS.iter().find(|target| target.name == name) else {
            panic!("MAQUETTE_TARGET is one of {}", names.join(", "));
        };
        target
    })
}

/// Writes the seeds and dictionaries of all targets, then exits.
fn write_seeds(folder: PathBuf) -> ! {
    for target in TARGETS.iter() {
        let seeds = folder.join(target.name);
        std::fs::create_dir_all(&seeds).expect("the folder of the seeds");
        for (number, seed) in target.seeds.iter().enumerate() {
            std::fs::write(seeds.join(format!("seed-{number}")), seed).expect("a seed");
        }
        // Words with a backslash are already in libFuzzer's notation.
        let escaped = |word: &&str| format!("\"{word}\"\n");
        let words: String = target.words.iter().map(escaped).collect();
        std::fs::write(folder.join(format!("{}.dict", target.name)), words).expect("a dictionary");
        println!("{}", target.name);
    }
    std::process::exit(0);
}

fuzz_target!(
    init: {
        if let Some(folder) = std::env::var_os("MAQUETTE_SEEDS") {
            write_seeds(folder.into());
        }
        target();
    },
    |bytes: &[u8]| {
        let ((), peak) = peak_of(|| (target().run)(bytes));
        assert!(peak <= max_memory(bytes.len()), "{peak} bytes for {}", bytes.len());
    }
);

fuzz_mutator!(|bytes: &mut [u8], size: usize, most: usize, seed: u32| {
    if seed.is_multiple_of(2) {
        fuzzer_mutate(bytes, size, most)
    } else {
        let mut content = bytes[..size].to_vec();
        mutate(&mut content, seed, target().words);
        content.truncate(most);
        bytes[..content.len()].copy_from_slice(&content);
        content.len()
    }
});
