//! Which module may use which: data goes one way, and loaders know nothing of windows.
//!
//! Reads the `use crate::…` lines of `src/` and compares them with the table below.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::support::optional::files_below;

/// Modules that every other may use: words for what goes wrong, and threads.
const EVERYWHERE: [&str; 2] = ["error", "threads"];

/// Each module, and what it may use besides [`EVERYWHERE`] and itself.
const TABLE: [(&str, &[&str]); 28] = [
    ("error", &[]),
    ("threads", &[]),
    ("bytes", &[]),
    ("text", &["bytes"]),
    ("model", &[]),
    ("vfs", &["bytes", "text"]),
    ("formats", &["bytes", "text", "model"]),
    ("pose", &["model"]),
    ("anatomy", &["bytes", "text", "model", "vfs", "formats", "material"]),
    ("compare", &["model", "pose"]),
    ("info", &["model", "pose", "material", "scene"]),
    ("inspect", &["model", "pose"]),
    ("convert", &["formats", "model", "pose"]),
    ("export", &["convert", "model", "pose"]),
    ("mend", &["bytes", "formats", "model", "pose"]),
    ("game", &["model", "vfs", "formats"]),
    ("material", &["bytes", "text", "model", "vfs", "game"]),
    ("scene", &["inspect", "mend", "bytes", "text", "model", "vfs", "formats", "pose", "material", "game"]),
    ("lint", &["model", "pose", "material", "scene"]),
    ("session", &["anatomy", "compare", "lint", "mend", "model", "export", "vfs", "pose", "material", "scene"]),
    ("loader", &["anatomy", "vfs", "compare", "formats", "lint", "material", "scene", "session"]),
    ("render", &["model", "pose", "material", "scene"]),
    (
        "ui",
        &[
            "anatomy", "compare", "lint", "mend", "export", "info", "inspect", "model", "pose", "material", "scene",
            "session", "vfs",
        ],
    ),
    (
        "output",
        &[
            "convert", "inspect", "lint", "vfs", "model", "export", "pose", "material", "scene", "session", "render",
            "ui",
        ],
    ),
    ("app", &["vfs", "model", "material", "scene", "session", "loader", "render", "ui", "output"]),
    (
        "cli",
        &[
            "anatomy", "compare", "convert", "lint", "mend", "vfs", "formats", "model", "pose", "info", "export",
            "material", "scene", "session", "render", "output", "app",
        ],
    ),
    ("main", &["cli", "app"]),
    ("lib", &[]),
];

/// Crates that only some modules may name.
const CRATES: [(&str, &[&str]); 5] = [
    ("fearless_simd", &["pose"]),
    ("wgpu", &["render", "output", "app"]),
    ("winit", &["app"]),
    ("egui", &["ui", "output", "app"]),
    ("rfd", &["app"]),
];

/// The module a source file belongs to: the first part of its path below `src`.
fn module_of(path: &Path) -> String {
    let below = path.strip_prefix(source_folder()).unwrap();
    let first = below.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

fn source_folder() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Every line of source with its file and number, comments left out.
fn lines() -> Vec<(std::path::PathBuf, usize, String)> {
    let mut lines = Vec::new();
    for path in files_below(&source_folder()) {
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
            lines.extend(code.map(|(index, line)| (path.clone(), index + 1, line.to_owned())));
        }
    }
    assert!(!lines.is_empty());
    lines
}

#[test]
fn modules_use_only_what_lies_before_them() {
    let mut broken = Vec::new();
    for (path, number, line) in lines() {
        let own = module_of(&path);
        let Some((_, allowed)) = TABLE.iter().find(|(module, _)| *module == own) else {
            broken.push(format!("{}: module “{own}” is not in the table", path.display()));
            continue;
        };
        for used in line.split("crate::").skip(1) {
            let module: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let fine = module == own || EVERYWHERE.contains(&module.as_str()) || allowed.contains(&module.as_str());
            // `crate::{a, b}` would hide what is used from this test, and from readers.
            if !fine || used.starts_with('{') {
                broken.push(format!("{}:{number}: {own} may not use “{}”", path.display(), used.trim_end()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn the_gpu_and_the_window_stay_in_their_modules() {
    let mut broken = Vec::new();
    for (path, number, line) in lines() {
        let own = module_of(&path);
        for (name, allowed) in CRATES {
            let named = line.contains(&format!("use {name}::")) || line.contains(&format!(" {name}::"));
            if named && !allowed.contains(&own.as_str()) && own != "main" && own != "cli" {
                broken.push(format!("{}:{number}: {own} may not use {name}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// A module's path by its file: `scene/open/mod.rs` is `scene::open`.
fn module_path(file: &Path) -> Vec<String> {
    let below = file.strip_prefix(source_folder()).unwrap().with_extension("");
    let mut parts: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if parts.last().is_some_and(|last| last == "mod") {
        parts.pop();
    }
    parts
}

/// The module with a file of its own that a path begins with, as it is named in module `from`.
fn used_module(from: &[String], path: &str, modules: &BTreeSet<Vec<String>>) -> Option<Vec<String>> {
    let mut at: Vec<String> = from.to_vec();
    for part in path.split("::") {
        match part {
            "crate" => at.clear(),
            "super" => drop(at.pop()),
            "self" => {}
            name => {
                at.push(name.to_owned());
                if !modules.contains(&at) {
                    at.pop();
                    break;
                }
            }
        }
    }
    (modules.contains(&at) && at != from).then_some(at)
}

/// Files that name each other cannot be understood one after the other. A folder's `mod.rs` is left out: it gathers what
/// its files make, and they name what it gathers.
#[test]
fn no_file_names_one_that_names_it_back() {
    let files: BTreeSet<_> = lines().into_iter().map(|(file, _, _)| file).collect();
    let modules: BTreeSet<Vec<String>> = files.iter().map(|file| module_path(file)).collect();
    let mut uses: BTreeMap<Vec<String>, BTreeSet<Vec<String>>> = BTreeMap::new();
    for (file, _, line) in lines().into_iter().filter(|(file, _, _)| !file.ends_with("mod.rs")) {
        let own = module_path(&file);
        for (start, _) in line.match_indices("super::").chain(line.match_indices("crate::")) {
            // The first word of a path only.
            if line[..start].ends_with("::") {
                continue;
            }
            let path: String =
                line[start..].chars().take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':').collect();
            // `use super::{one, two::Three}` names several.
            let rest = &line[start + path.len()..];
            let named = rest.strip_prefix('{').map_or(vec![""], |rest| rest.split([',', '}']).collect());
            let used = uses.entry(own.clone()).or_default();
            for name in named {
                let path = format!("{path}{}", name.trim());
                used.extend(used_module(&own, path.trim_end_matches([':', ';']), &modules));
            }
        }
    }
    // Whoever is used by nobody that is left cannot be part of a circle.
    let mut left: BTreeSet<Vec<String>> = uses.keys().cloned().collect();
    loop {
        let is_leaf = |module: &Vec<String>| uses[module].iter().all(|used| !left.contains(used));
        let leaves: Vec<Vec<String>> = left.iter().filter(|module| is_leaf(module)).cloned().collect();
        if leaves.is_empty() {
            break;
        }
        left.retain(|module| !leaves.contains(module));
    }
    let circle: Vec<String> = left.iter().map(|module| module.join("::")).collect();
    assert!(circle.is_empty(), "in a circle, or between two: {}", circle.join(", "));
}
