//! Dependencies: crates from crates.io with allowed licences, no unlisted duplicates, no Rust version newer than
//! declared, and unsafe code only in listed files.
//!
//! The lists are in `deny.toml`; `cargo deny check` also checks advisories.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use maquette_testing::optional::files_below;

const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

fn own(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// Whether a package belongs to this repository.
fn is_own(name: &str) -> bool {
    name == "maquette"
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("crates").join(name).is_dir()
        || ["maquette-fuzz", "maquette-maker"].contains(&name)
}

/// Returns the first quoted word of each line of a list in `deny.toml`.
fn listed(section: &str, key: &str) -> BTreeSet<String> {
    let text = own("deny.toml");
    let (_, rest) = text.split_once(&format!("\n[{section}]\n")).unwrap();
    let (_, rest) = rest.split_once(&format!("\n{key} = [\n")).unwrap();
    let (list, _) = rest.split_once("\n]").unwrap();
    list.lines().filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

/// Returns name, version and source of each crate in a lock file.
fn locked(lock: &str) -> Vec<(String, String, Option<String>)> {
    let field = |entry: &str, key: &str| {
        let line = entry.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
        line.map(|value| value.trim_matches('"').to_owned())
    };
    let entries = lock.split("[[package]]\n").skip(1);
    entries
        .map(|entry| (field(entry, "name").unwrap(), field(entry, "version").unwrap(), field(entry, "source")))
        .collect()
}

/// Returns the manifests of all crates, and whether they cover all systems or only this one.
fn metadata() -> (Vec<Value>, bool) {
    let cargo = |further: &[&str]| {
        let mut command = Command::new(env!("CARGO"));
        command.args(["metadata", "--format-version", "1", "--locked", "--offline"]).args(further);
        let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        output.status.success().then(|| serde_json::from_slice::<Value>(&output.stdout).unwrap())
    };
    let host = || {
        let version = Command::new("rustc").arg("-vV").output().unwrap().stdout;
        let version = String::from_utf8(version).unwrap();
        version.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
    };
    let all = cargo(&[]);
    let complete = all.is_some();
    let found = all.or_else(|| cargo(&["--filter-platform", &host()])).unwrap();
    (found["packages"].as_array().unwrap().clone(), complete)
}

/// Whether the allowed licences satisfy an SPDX expression.
fn met(expression: &str, allowed: &BTreeSet<String>) -> bool {
    fn any<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<String>) -> bool {
        let mut met = all(words, allowed);
        while words.next_if_eq(&"OR").is_some() {
            met |= all(words, allowed);
        }
        met
    }
    fn all<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<String>) -> bool {
        let mut met = one(words, allowed);
        while words.next_if_eq(&"AND").is_some() {
            met &= one(words, allowed);
        }
        met
    }
    fn one<'a>(words: &mut std::iter::Peekable<impl Iterator<Item = &'a str>>, allowed: &BTreeSet<String>) -> bool {
        if words.next_if_eq(&"(").is_some() {
            let met = any(words, allowed);
            assert_eq!(words.next(), Some(")"));
            return met;
        }
        let name = words.next().unwrap();
        // A licence with an exception is a different licence.
        if words.next_if_eq(&"WITH").is_some() {
            return allowed.contains(&format!("{name} WITH {}", words.next().unwrap()));
        }
        allowed.contains(name)
    }
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let met = any(&mut words, allowed);
    assert_eq!(words.next(), None, "{expression}");
    met
}

#[test]
fn licence_expressions_are_evaluated() {
    let allowed = ["MIT", "Zlib"].map(str::to_owned).into();
    for yes in ["MIT", "GPL-2.0-only OR MIT", "Apache-2.0/MIT", "(GPL-2.0-only OR Zlib) AND MIT", "X AND Y OR MIT"] {
        assert!(met(yes, &allowed), "{yes}");
    }
    for no in ["Apache-2.0", "MIT AND X", "MIT WITH an-exception", "(MIT OR X) AND Y"] {
        assert!(!met(no, &allowed), "{no}");
    }
}

#[test]
fn every_crate_comes_from_crates_io() {
    for lock in ["Cargo.lock", "fuzz/Cargo.lock", "assets/maker/Cargo.lock"] {
        for (name, version, source) in locked(&own(lock)) {
            match source {
                Some(source) => assert_eq!(source, CRATES_IO, "{name} {version} in {lock}"),
                None => assert!(is_own(&name), "{name} {version} in {lock} comes from nowhere"),
            }
        }
    }
    assert!(!own("Cargo.toml").contains("= \"*\""), "a dependency takes any version");
}

#[test]
fn duplicate_crates_are_listed_in_deny_toml() {
    let mut versions = BTreeMap::<String, Vec<String>>::new();
    for (name, version, _) in locked(&own("Cargo.lock")) {
        versions.entry(name).or_default().push(version);
    }
    let skipped = listed("bans", "skip");
    let all = |name: &str, versions: &[String]| versions.iter().map(|version| format!("{name}@{version}")).collect();
    for (name, versions) in versions.iter().filter(|(_, versions)| versions.len() > 1) {
        let left: Vec<String> = all(name, versions);
        let left: Vec<_> = left.into_iter().filter(|one| !skipped.contains(one)).collect();
        assert_eq!(left.len(), 1, "of these, deny.toml leaves one out too few or too many: {versions:?} of {name}");
    }
    for one in &skipped {
        let (name, version) = one.split_once('@').unwrap();
        let is_duplicate =
            versions.get(name).is_some_and(|versions| versions.len() > 1 && versions.iter().any(|v| v == version));
        assert!(is_duplicate, "{one} is not there, or not twice: take it out of deny.toml");
    }
}

#[test]
fn every_licence_is_allowed() {
    let allowed = listed("licenses", "allow");
    let (crates, complete) = metadata();
    let licence = |of: &Value| of["license"].as_str().unwrap_or("none").to_owned();
    for one in &crates {
        assert!(met(&licence(one), &allowed), "{} is under {}", one["name"], licence(one));
    }
    if complete {
        for name in &allowed {
            let mut fewer = allowed.clone();
            fewer.remove(name);
            assert!(crates.iter().any(|one| !met(&licence(one), &fewer)), "no crate needs {name}");
        }
    }
}

#[test]
fn no_crate_needs_newer_rust_than_declared() {
    let number = |version: &str| -> Vec<u32> { version.split('.').map(|part| part.parse().unwrap()).collect() };
    let (crates, _) = metadata();
    let needed = |of: &Value| of["rust_version"].as_str().map(number);
    let ours = crates.iter().find(|one| one["name"] == "maquette").and_then(needed).unwrap();
    for one in &crates {
        assert!(needed(one).is_none_or(|version| version <= ours), "{} needs {}", one["name"], one["rust_version"]);
    }
    let declared =
        own("Cargo.toml").lines().find_map(|line| line.strip_prefix("rust-version = ").map(str::to_owned)).unwrap();
    assert!(own("README.md").contains(&format!("({} or later)", declared.trim_matches('"'))));
}

/// Returns the crates and features that cargo prints for a selection of packages.
fn tree(selection: &[&str]) -> BTreeSet<String> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["tree", "--locked", "--offline", "--prefix", "none", "--format", "{p} {f}"]).args(selection);
    let output = command.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| line.trim_end_matches(" (*)").trim_end().to_owned()).collect()
}

/// The features of a crate are the union of what all built packages need. If a library alone gets the features that it
/// gets in the workspace, the build of the workspace proves that it builds alone.
#[test]
fn libraries_get_equal_features_alone_and_in_the_workspace() {
    let workspace = tree(&["--workspace", "--edges", "normal,build,dev"]);
    for library in ["maquette-core", "maquette-assets", "maquette-scene"] {
        for found in tree(&["--package", library, "--edges", "normal", "--depth", "1"]) {
            assert!(workspace.contains(&found), "{library} alone builds this crate with other features: {found}");
        }
    }
}

#[test]
fn unsafe_code_exists_in_two_files_only() {
    const FORBIDDEN: &str = "\n#![forbid(unsafe_code)]\n";
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let called: Vec<String> = ["src", "crates"]
        .into_iter()
        .flat_map(|folder| files_below(&root.join(folder)))
        .filter(|path| std::fs::read_to_string(path).is_ok_and(|text| text.contains("unsafe {")))
        .map(|path| path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/"))
        .collect();
    assert_eq!(called, ["src/app/wayland/listener.rs", "crates/maquette-testing/src/memory.rs"]);
    for library in ["maquette-core", "maquette-assets", "maquette-scene"] {
        assert!(own(&format!("crates/{library}/src/lib.rs")).contains(FORBIDDEN), "{library} does not forbid it");
    }
    for module in ["render", "ui", "output"] {
        assert!(own(&format!("src/{module}/mod.rs")).contains(FORBIDDEN), "{module} does not forbid it");
    }
    let mut below = files_below(&root.join("src/app"));
    below.retain(|path| path.parent() == Some(&root.join("src/app")) && !path.ends_with("mod.rs"));
    below.extend(["src/main.rs", "src/app/window/mod.rs", "assets/maker/main.rs"].map(|name| root.join(name)));
    below.extend(["examples", "benches"].into_iter().flat_map(|folder| files_below(&root.join(folder))));
    for path in below {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(FORBIDDEN), "{} does not forbid it", path.display());
    }
}
