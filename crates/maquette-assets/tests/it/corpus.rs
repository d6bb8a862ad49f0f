//! Runs each fuzz target on the corpus and on changed seeds.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use maquette_core::threads::{processors, with_others};

use crate::support::targets::{TARGETS, Target, max_memory};
use maquette_core::formats;
use maquette_core::model::Format;
use maquette_testing::files::typical;
use maquette_testing::memory::peak_of;
use maquette_testing::mutation::mutate;

#[track_caller]
fn keeps_its_promise(target: &Target, bytes: &[u8]) {
    let ((), peak) = peak_of(|| (target.run)(bytes));
    assert!(peak <= max_memory(bytes.len()), "{}: {peak} bytes for {}", target.name, bytes.len());
}

#[test]
fn every_fuzz_target_accepts_changed_seeds() {
    for target in TARGETS.iter() {
        for seed in &target.seeds {
            for end in (0..=seed.len()).rev().step_by(seed.len().div_ceil(23)) {
                keeps_its_promise(target, &seed[..end]);
            }
            for word in target.words {
                let half = seed.len() / 2;
                keeps_its_promise(target, &[&seed[..half], b" ", word.as_bytes(), b" ", &seed[half..]].concat());
            }
        }
    }
}

/// Number of changed files that each target is run on. They are the same in every run; `fuzz/run` searches further.
const CHANGED_FILES: u32 = 2000;
/// Maximum size of a changed file. Larger files are slow, and have no other fields.
const MAX_CHANGED_BYTES: usize = 1 << 14;

#[test]
fn every_fuzz_target_survives_changed_numbers_and_words() {
    let next = AtomicUsize::new(0);
    with_others(processors() - 1, || {
        while let Some(target) = TARGETS.get(next.fetch_add(1, Ordering::Relaxed)) {
            let seeds = &target.seeds;
            let mut bytes = Vec::new();
            for number in 0..CHANGED_FILES {
                // Every fourth file starts from a seed again.
                if number % 4 == 0 {
                    bytes.clone_from(&seeds[number as usize / 4 % seeds.len()]);
                }
                mutate(&mut bytes, number, target.words);
                bytes.truncate(MAX_CHANGED_BYTES);
                let run = AssertUnwindSafe(|| keeps_its_promise(target, &bytes));
                if let Err(panic) = catch_unwind(run) {
                    eprintln!("{}: changed file {number}: {}", target.name, bytes.escape_ascii());
                    resume_unwind(panic);
                }
            }
        }
    });
}

#[test]
fn fuzz_corpus_cases_pass() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for folder in std::fs::read_dir(&corpus).unwrap().flatten().filter(|entry| entry.path().is_dir()) {
        let name = folder.file_name().to_string_lossy().into_owned();
        let target = TARGETS.iter().find(|target| target.name == name).expect("each folder is that of a target");
        for file in std::fs::read_dir(folder.path()).unwrap().flatten() {
            let bytes = std::fs::read(file.path()).unwrap();
            eprintln!("{}", file.path().display());
            keeps_its_promise(target, &bytes);
        }
    }
}

#[test]
fn every_format_has_a_typical_file_that_loads() {
    for format in Format::ALL {
        let files = typical(format);
        let loaded = files.iter().filter_map(|file| formats::load(file).ok());
        let formats: Vec<Format> = loaded.map(|(model, _)| model.format()).collect();
        assert!(!formats.is_empty() && formats.iter().all(|own| *own == format), "{format}: {formats:?}");
    }
}
