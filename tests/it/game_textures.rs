//! `maquette convert --textures` and *Export model*: images of a glTF become files at the shader paths.

use std::path::Path;

use maquette::output::OutputJob;
use maquette_assets::material::Image;
use maquette_core::export::{EXPORTERS, TexturePlacement};
use maquette_scene::session::{Action, FileAction, OutputKind, Session};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

use crate::support::command::maquette;
use crate::support::loading::act;

/// A red texel above a blue one.
const PNG: &str =
    concat!("iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAIAAAAW4yFwAAAADUlEQVR42mP4zwAC/wEIAAH/Bs6pJQAA", "AABJRU5ErkJggg==");

/// Writes a triangle with an image inside the file, whose material has this name.
fn write_model(path: &Path, material: &str) {
    let mut file = GltfFile::triangle();
    file.json["images"] = json!([{ "uri": format!("data:image/png;base64,{PNG}") }]);
    file.json["textures"] = json!([{ "source": 0 }]);
    file.json["materials"] =
        json!([{ "name": material, "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    std::fs::write(path, file.glb()).unwrap();
}

/// Converts a model with this material to a file, and returns the messages of the command.
fn converted(folder: &Path, material: &str, output: &str, extra: &[&str]) -> String {
    let (model, output) = (folder.join("a.glb"), folder.join(output));
    std::fs::create_dir_all(output.parent().unwrap()).unwrap();
    write_model(&model, material);
    let done = maquette(
        &[&["convert", model.to_str().unwrap(), "--textures", "-o", output.to_str().unwrap()], extra].concat(),
    );
    let text = [done.stdout, done.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    assert!(done.status.success(), "{text}");
    text
}

#[test]
fn images_are_written_to_shader_paths_below_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let text = converted(folder.path(), "models/map/crate.tga", "baseq3/models/props/a.md3", &[]);
    let file = folder.path().join("baseq3/models/map/crate.tga");
    let image = Image::decode(&std::fs::read(&file).unwrap(), "crate.tga").unwrap();
    assert_eq!((image.width, image.height), (1, 2));
    assert_eq!(image.rgba, [255, 0, 0, 255, 0, 0, 255, 255]);
    assert!(text.contains("crate.tga: written") && !text.contains("textures inside"), "{text}");

    std::fs::write(&file, "another").unwrap();
    let text = converted(folder.path(), "models/map/crate", "baseq3/models/props/a.md3", &[]);
    assert_eq!(std::fs::read(&file).unwrap(), b"another", "existing textures are kept");
    assert!(text.contains("crate.tga: already exists and was not replaced"), "{text}");
    converted(folder.path(), "models/map/crate", "baseq3/models/props/a.md3", &["--overwrite"]);
    assert_ne!(std::fs::read(&file).unwrap(), b"another");

    let text = converted(folder.path(), "metal", "b/a.md3", &["--dry-run"]);
    assert!(text.contains("metal.tga: would be written") && !folder.path().join("b/metal.tga").exists(), "{text}");
}

#[test]
fn window_writes_images_to_shader_paths_and_keeps_files() {
    let folder = tempfile::tempdir().unwrap();
    write_model(&folder.path().join("a.glb"), "models/map/crate.tga");
    let mut session = Session::default();
    act(&mut session, Action::File(FileAction::Open(vec![folder.path().join("a.glb")])));
    let format = EXPORTERS.iter().position(|exporter| exporter.extension == "md3").unwrap();
    let model = folder.path().join("baseq3/models/props/a.md3");
    std::fs::create_dir_all(model.parent().unwrap()).unwrap();
    let texture = folder.path().join("baseq3/models/map/crate.tga");
    let mut export = |textures: TexturePlacement| {
        session.jobs.saving.model.format = format;
        session.jobs.saving.model.options.textures = textures;
        OutputJob::new(&session, OutputKind::Model, &model).unwrap().make(&mut |_, _| true).unwrap()
    };
    export(TexturePlacement::Embedded);
    assert!(!texture.exists());
    let text = export(TexturePlacement::External);
    assert!(text.contains("and 1 more file"), "{text}");
    let image = Image::decode(&std::fs::read(&texture).unwrap(), "crate.tga").unwrap();
    assert_eq!(image.rgba, [255, 0, 0, 255, 0, 0, 255, 255]);
    std::fs::write(&texture, "another").unwrap();
    let text = export(TexturePlacement::External);
    assert!(text.contains("crate.tga already exists and was not replaced"), "{text}");
    assert_eq!(std::fs::read(&texture).unwrap(), b"another");
}

#[test]
fn textures_follow_an_output_path_that_leads_up() {
    let folder = tempfile::tempdir().unwrap();
    converted(folder.path(), "tex/a", "game/models/../out/x.md3", &[]);
    assert!(folder.path().join("game/out/tex/a.tga").is_file());
    assert!(!folder.path().join("game/tex").exists());
}

#[test]
fn unusable_file_names_are_reported_and_the_model_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let long = "a".repeat(300);
    for (name, output) in
        [("a\nb", "a.md3"), ("nul", "a.md3"), ("Com1.x", "a.md3"), ("a*b", "a.md3"), (&long, "a.md5mesh")]
    {
        let text = converted(folder.path(), name, &format!("game/{output}"), &[]);
        assert!(text.contains("no texture was written: material"), "{name}: {text}");
    }
    let names = || std::fs::read_dir(folder.path().join("game")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names().all(|name| name == "a.md3" || name == "a.md5mesh"));
    // An MD3 stores 63 bytes of the name, and the texture has the name that is stored.
    converted(folder.path(), &long, "game/a.md3", &[]);
    assert!(names().any(|name| name.to_str() == Some(&format!("{}.tga", &long[..63]))));
}

#[test]
fn materials_never_lead_out_of_the_game() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["../../evil", "C:/evil", ""] {
        let text = converted(folder.path(), name, "game/models/a.md3", &[]);
        assert!(text.contains("no texture was written"), "{name}: {text}");
    }
    let names = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.count(), 2, "the model and the game");
}

/// Writes a triangle whose material has this colour and no image.
fn write_green_model(path: &Path) {
    let mut file = GltfFile::triangle();
    file.json["materials"] =
        json!([{ "name": "crate", "pbrMetallicRoughness": { "baseColorFactor": [0.0, 1.0, 0.0, 1.0] } }]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    std::fs::write(path, file.glb()).unwrap();
}

#[test]
fn colour_without_image_is_a_texel() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write_green_model(&folder.path().join("a.glb"));
    let done = maquette(&["convert", &at("a.glb"), "--textures", "-o", &at("a.md3")]);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let image = Image::decode(&std::fs::read(at("crate.tga")).unwrap(), "crate.tga").unwrap();
    assert_eq!(image.rgba, [0, 255, 0, 255]);
}

#[test]
fn spellings_of_one_shader_path_give_one_file() {
    let folder = tempfile::tempdir().unwrap();
    let mut file = GltfFile::triangle();
    let material = |name: &str, green: f32| json!({ "name": name, "pbrMetallicRoughness": { "baseColorFactor": [0.0, green, 0.0, 1.0] } });
    file.json["materials"] = json!([material("a/b", 1.0), material("./a//b", 0.5)]);
    let mut primitives = [0, 1].map(|_| file.json["meshes"][0]["primitives"][0].clone());
    (0..).zip(&mut primitives).for_each(|(index, primitive)| primitive["material"] = json!(index));
    file.json["meshes"][0]["primitives"] = json!(primitives);
    std::fs::write(folder.path().join("a.glb"), file.glb()).unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let done = maquette(&["convert", &at("a.glb"), "--textures", "-o", &at("a.md3")]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(
        done.status.success() && message.contains("another material with the path a/b has its own image"),
        "{message}"
    );
    let image = Image::decode(&std::fs::read(at("a/b.tga")).unwrap(), "b.tga").unwrap();
    assert_eq!(image.rgba, [0, 255, 0, 255]);
}

#[test]
fn models_of_a_run_never_share_different_images_silently() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    write_model(&folder.path().join("a.glb"), "crate");
    write_green_model(&folder.path().join("b.glb"));
    let arguments = ["convert", &at("a.glb"), &at("b.glb"), "--textures", "--to", "md3", "--output-dir", &at("models")];
    let printed = String::from_utf8_lossy(&maquette(&arguments).stdout).into_owned();
    assert!(printed.contains("crate.tga: another model of this run has a different file"), "{printed}");
}
