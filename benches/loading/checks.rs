//! Cost of `maquette check` on an archive and on folders of many models.

#![forbid(unsafe_code)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use maquette_core::model::Format;

use maquette_testing::archives::zip;
use maquette_testing::files::Md3;

/// Number of models in the archive, and in each folder.
const IN_ARCHIVE: usize = 5000;
const IN_FOLDERS: [usize; 3] = [2000, 8000, 20_000];

/// Returns the CPU seconds of all child processes that have ended and were waited for.
fn children() -> f64 {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |index: usize| fields.get(index).and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0);
    // The kernel counts hundredths of a second.
    (ticks(13) + ticks(14)) / 100.0
}

fn seconds_of(command: &mut Command) -> Option<f64> {
    let before = children();
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
    Some(children() - before)
}

fn check(path: &Path) -> f64 {
    seconds_of(Command::new(env!("CARGO_BIN_EXE_maquette")).arg("check").arg(path)).expect("the program starts")
}

/// Returns a model of 5 KB, a typical size in the games; `number` varies its contents.
fn model(number: usize) -> Vec<u8> {
    let vertices = |frame: usize| {
        (0..40).map(move |index| ([(index * 64 + number % 50) as i16, frame as i16, 3], [index as u8, 9]))
    };
    Md3 {
        tags: Vec::new(),
        shaders: vec!["models/many/skin.tga"],
        triangles: (0..38).map(|index| [index, index + 1, index + 2]).collect(),
        uvs: (0..40).map(|index| [index as f32 / 40.0, 0.5]).collect(),
        frames: (0..12).map(|frame| vertices(frame).collect()).collect(),
        ..Md3::typical()
    }
    .build()
}

pub fn print() {
    let extension = Format::Md3.extension();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("many.pk3");
    let models: Vec<(String, Vec<u8>)> =
        (0..IN_ARCHIVE).map(|number| (format!("models/many/m{number:05}.{extension}"), model(number))).collect();
    let entries: Vec<(&str, &[u8])> = models.iter().map(|(name, bytes)| (name.as_str(), bytes.as_slice())).collect();
    fs::write(&path, zip(&entries)).unwrap();
    println!("| `check` of | processor seconds | against |");
    println!("|---|---|---|");
    let ours = (0..5).map(|_| check(&path)).collect();
    let theirs: Option<Vec<f64>> = (0..5).map(|_| seconds_of(Command::new("unzip").arg("-t").arg(&path))).collect();
    let ours = crate::table::median(ours);
    let against = theirs.map(crate::table::median).map_or_else(
        || "`unzip` not found".to_owned(),
        |theirs| format!("`unzip -t` {theirs:.2} s: {:.2}", ours / theirs),
    );
    println!("| an archive of {IN_ARCHIVE} models | {ours:.2} | {against} |");
    for with_skins in [false, true] {
        for count in IN_FOLDERS {
            let folder = tempfile::tempdir().unwrap();
            for number in 0..count {
                fs::write(folder.path().join(format!("m{number:05}.{extension}")), model(number)).unwrap();
                if with_skins {
                    fs::write(folder.path().join(format!("m{number:05}_default.skin")), "u_torso,skin.tga\n").unwrap();
                }
            }
            let what = if with_skins { "models, a `.skin` beside each" } else { "models" };
            let seconds = check(folder.path());
            println!("| a folder of {count} {what} | {seconds:.2} | {:.3} ms a model |", seconds * 1e3 / count as f64);
        }
    }
}
