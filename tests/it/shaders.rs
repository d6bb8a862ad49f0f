//! Shaders are valid, and the layouts of uniforms match. The tests need no GPU.

use std::path::{Path, PathBuf};

use naga::valid::{Capabilities, ValidationFlags, Validator};

use maquette_testing::optional::files_below;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("shaders")
}

/// Returns name and parsed source of every shader, including the common part.
fn modules() -> Vec<(String, naga::Module)> {
    let common = std::fs::read_to_string(folder().join("common.wgsl")).unwrap();
    let mut modules = Vec::new();
    for path in files_below(&folder()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "wgsl") && name != "common.wgsl" {
            let source = common.clone() + &std::fs::read_to_string(&path).unwrap();
            let module = naga::front::wgsl::parse_str(&source)
                .unwrap_or_else(|error| panic!("{name}: {}", error.emit_to_string(&source)));
            modules.push((name, module));
        }
    }
    modules
}

#[test]
fn every_shader_validates() {
    let modules = modules();
    assert!(modules.len() >= 7);
    for (name, module) in &modules {
        let outcome = Validator::new(ValidationFlags::all(), Capabilities::empty()).validate(module);
        assert!(outcome.is_ok(), "{name}: {:?}", outcome.err());
        assert!(!module.entry_points.is_empty(), "{name} draws nothing");
    }
}

/// Returns the size in bytes of the struct `wanted` in every shader that has it.
fn sizes(wanted: &str) -> Vec<(String, u32)> {
    let mut sizes = Vec::new();
    for (name, module) in modules() {
        for (_, kind) in module.types.iter() {
            if let (Some(own), naga::TypeInner::Struct { span, .. }) = (&kind.name, &kind.inner)
                && own == wanted
            {
                sizes.push((name.clone(), *span));
            }
        }
    }
    assert!(!sizes.is_empty(), "no shader has a struct {wanted}");
    sizes
}

#[test]
fn uniform_structs_have_equal_size_in_rust_and_wgsl() {
    use maquette::render::{Frame, GameLightUniform, GhostUniform, PartUniform, SurfaceUniform};

    let twins = [
        ("Frame", size_of::<Frame>()),
        ("Part", size_of::<PartUniform>()),
        ("Ghost", size_of::<GhostUniform>()),
        ("GameLight", size_of::<GameLightUniform>()),
        ("Surface", size_of::<SurfaceUniform>()),
    ];
    for (name, bytes) in twins {
        for (shader, span) in sizes(name) {
            assert_eq!(span as usize, bytes, "{name} in {shader}");
        }
    }
}

#[test]
fn every_shader_is_documented_in_readme() {
    let readme = std::fs::read_to_string(folder().join("README.md")).unwrap();
    for (name, _) in modules() {
        assert!(readme.contains(&format!("`{name}`")), "shaders/README.md does not mention {name}");
    }
}
