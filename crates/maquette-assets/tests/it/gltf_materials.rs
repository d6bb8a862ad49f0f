//! Materials of a glTF: base colours, specular-glossiness and the paths of images.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use maquette_assets::material::{
    Image, ImageLoading, ImageQueue, Limits, ResolveContext, SurfaceMaterial, Transparency,
};
use maquette_assets::open::{Opener, open, open_in};
use maquette_assets::vfs::{ReadLimit, Vfs};
use maquette_testing::gltf::GltfFile;
use serde_json::{Value, json};

/// A PNG with a white texel above a texel of sRGB 188, which is half of white in linear light.
fn png() -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let texels = image::RgbaImage::from_raw(1, 2, vec![255, 255, 255, 255, 188, 188, 188, 255]).unwrap();
    texels.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// A factor of half red, full green, no blue and half alpha, applied to the texels of [`png`] (glTF 2.0, 3.9.2).
const FACTOR: [f32; 4] = [0.5, 1.0, 0.0, 0.5];
const TINTED: [u8; 8] = [188, 255, 0, 128, 137, 188, 0, 128];

/// Returns a triangle with this material. Texture 0 shows the image that `image` describes.
fn with_material(image: Value, material: Value) -> GltfFile {
    let mut file = GltfFile::triangle();
    file.push("images", image);
    file.push("textures", json!({ "source": 0 }));
    file.push("materials", material);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    file
}

fn embedded() -> Value {
    json!({ "uri": format!("data:image/png;base64,{}", maquette_testing::gltf::base64(&png())) })
}

fn tinted_material(name: &str) -> Value {
    json!({ "name": name, "pbrMetallicRoughness": {
        "baseColorTexture": { "index": 0 }, "baseColorFactor": FACTOR,
    } })
}

/// Writes files into a folder, and returns it with the path of the model `m/x.gltf`.
fn folder_with(file: &GltfFile, images: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for name in images {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, png()).unwrap();
    }
    let path = folder.path().join("m/x.gltf");
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, file.gltf_with_data()).unwrap();
    (folder, path)
}

fn first_material(path: &std::path::Path) -> SurfaceMaterial {
    open(path).unwrap().skins[0].materials[0].clone()
}

fn texels(material: &SurfaceMaterial) -> Vec<u8> {
    material.image.as_ref().map(|image| image.rgba.clone()).unwrap_or_default()
}

#[test]
fn base_colour_multiplies_the_image() {
    // With a name that no game knows, and without a name, so that the search finds the image itself.
    for (image, name) in
        [(embedded(), "a/b"), (json!({ "uri": "maps/b.png" }), "a/b"), (json!({ "uri": "maps/b.png" }), "")]
    {
        let (_folder, path) = folder_with(&with_material(image, tinted_material(name)), &["m/maps/b.png"]);
        assert_eq!(texels(&first_material(&path)), TINTED, "{name}");
        let opener = Opener::new(Vec::new(), ImageLoading::Decode);
        let loaded = opener.load(&path).unwrap();
        let (textures, missing) = opener
            .stored_textures(&path, &loaded.model, "tga", &HashMap::new(), |image| Ok(image.rgba.clone()))
            .unwrap();
        assert!(missing.is_empty(), "{missing:?}");
        assert_eq!(*textures[0].1, TINTED, "{name}");
    }
}

#[test]
fn base_colour_multiplies_images_that_are_decoded_later() {
    let file = with_material(embedded(), tinted_material("a/b"));
    let vfs = Vfs::in_memory(vec![("m/x.gltf".to_owned(), file.gltf_with_data())]);
    let bytes = vfs.read("m/x.gltf", ReadLimit::Whole).unwrap();
    let queue = Arc::new(ImageQueue::default());
    let mut search = ResolveContext::new(ImageLoading::Decode);
    search.queue = Some(Arc::clone(&queue));
    let asset = open_in(&vfs, "m/x.gltf", &bytes, &search).unwrap();
    let material = &asset.skins[0].materials[0];
    assert!(material.is_pending());
    queue.decode(&Limits::default(), &maquette_assets::material::ImageCache::default(), |_, _| Err(()), || false);
    assert_eq!(texels(material), TINTED);
}

/// The image of a game, which `convert --textures` may have written, has its colour already.
#[test]
fn base_colour_does_not_apply_to_images_of_the_game() {
    let (_folder, path) = folder_with(&with_material(embedded(), tinted_material("tex/own")), &["m/tex/own.png"]);
    assert_eq!(texels(&first_material(&path)), Image::decode(&png(), "x.png").unwrap().rgba);
}

#[test]
fn specular_glossiness_states_the_base_colour() {
    let extension =
        |value: Value| json!({ "name": "a/b", "extensions": { "KHR_materials_pbrSpecularGlossiness": value } });
    let textured = extension(json!({ "diffuseTexture": { "index": 0, "texCoord": 1 }, "diffuseFactor": FACTOR }));
    let mut file = with_material(embedded(), textured);
    let uvs = file.floats("VEC2", &[0.25, 0.25, 0.5, 0.5, 0.75, 0.75]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["TEXCOORD_1"] = json!(uvs);
    let (_folder, path) = folder_with(&file, &[]);
    let asset = open(&path).unwrap();
    assert_eq!(texels(&asset.skins[0].materials[0]), TINTED);
    assert_eq!(asset.model.surfaces()[0].uvs[1].x, 0.5);
    let (_folder, path) = folder_with(&with_material(embedded(), extension(json!({ "diffuseFactor": FACTOR }))), &[]);
    assert_eq!(texels(&first_material(&path)), [188, 255, 0, 128]);
}

#[test]
fn black_material_that_emits_light_has_its_colour() {
    let black = |light: Value| {
        let pbr = json!({ "baseColorFactor": [0, 0, 0, 1] });
        json!({ "name": "a/b", "pbrMetallicRoughness": pbr, "emissiveFactor": light, "emissiveTexture": { "index": 0 } })
    };
    let (_folder, path) = folder_with(&with_material(embedded(), black(json!([1, 1, 1]))), &[]);
    assert_eq!(texels(&first_material(&path)), Image::decode(&png(), "x.png").unwrap().rgba);
    // The factor of a material without one is 0.
    let (_folder, path) = folder_with(&with_material(embedded(), black(json!([0, 0, 0]))), &[]);
    assert_eq!(texels(&first_material(&path)), [0, 0, 0, 255]);
}

/// RFC 3986, 5.2.4: `..` stays in the folder of the model, or in its game.
#[test]
fn dots_in_paths_are_resolved_inside_the_root() {
    for (uri, image, name) in
        [("./maps/../maps/b.png", "m/maps/b.png", "maps/b"), ("maps/x/..//b.png", "m/maps/b.png", "maps/b")]
    {
        let material = json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
        let (_folder, path) = folder_with(&with_material(json!({ "uri": uri }), material), &[image]);
        let found = first_material(&path);
        assert_eq!((found.name.as_str(), texels(&found).len()), (name, 8), "{uri}");
    }
    // In an archive, the whole archive is the root.
    let material = json!({ "name": "a/b", "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let file = with_material(json!({ "uri": "../textures/a.png" }), material);
    let zip = maquette_testing::archives::zip(&[("m/x.gltf", &file.gltf_with_data()), ("textures/a.png", &png())]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.zip"), zip).unwrap();
    assert_eq!(texels(&first_material(&folder.path().join("a.zip/m/x.gltf"))).len(), 8);
}

#[test]
fn paths_out_of_the_folder_are_refused_with_the_reason() {
    let material = json!({ "name": "a/b", "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } });
    let file = with_material(json!({ "uri": "../pictures/a.png" }), material);
    let (folder, path) = folder_with(&file, &["pictures/a.png"]);
    let found = first_material(&path);
    assert!(found.is_missing());
    let notes: Vec<&str> = found.search_log.iter().map(|step| step.note.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("“../pictures/a.png” is outside the folder")), "{notes:?}");
    assert!(
        found.problem().unwrap().starts_with("../pictures/a.png: the path is outside the folder"),
        "{:?}",
        found.problem()
    );
    std::fs::create_dir_all(folder.path().join("bin")).unwrap();
    std::fs::write(folder.path().join("bin/x.bin"), &file.bytes).unwrap();
    std::fs::write(&path, file.gltf("../bin/x.bin")).unwrap();
    let error = open(&path).unwrap_err().to_string();
    assert!(error.contains("“../bin/x.bin” is outside the folder") && error.contains("put the file into"), "{error}");
}

/// A file may have 65,535 surfaces, so that an image and a texture for each of them would need gigabytes.
#[test]
fn surfaces_of_one_plain_colour_share_image_and_definition() {
    let mut file = GltfFile::triangle();
    for factor in [[1.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]] {
        let index = file.push("materials", json!({ "pbrMetallicRoughness": { "baseColorFactor": factor } }));
        let mut primitive = file.json["meshes"][0]["primitives"][0].clone();
        primitive["material"] = json!(index);
        file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(primitive);
    }
    let plain = file.json["meshes"][0]["primitives"][0].clone();
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().push(plain);
    let (_folder, path) = folder_with(&file, &[]);
    let materials = open(&path).unwrap().skins[0].materials.to_vec();
    let [white, red, also_red, green, also_white] = &materials[..] else { panic!("{}", materials.len()) };
    assert_eq!([white, red, green].map(texels), [[255; 4].to_vec(), vec![255, 0, 0, 255], vec![0, 255, 0, 255]]);
    for [one, other] in [[white, also_white], [red, also_red]] {
        assert!(Arc::ptr_eq(one.image.as_ref().unwrap(), other.image.as_ref().unwrap()));
        assert!(Arc::ptr_eq(&one.definition, &other.definition));
    }
}

/// Shadings without stages discard texels by this value.
#[test]
fn alpha_mode_decides_the_transparency() {
    for (mode, expected) in
        [("OPAQUE", Transparency::Opaque), ("MASK", Transparency::Cutout), ("BLEND", Transparency::Blend)]
    {
        let base = json!({ "baseColorTexture": { "index": 0 } });
        let material = json!({ "name": "a/b", "alphaMode": mode, "pbrMetallicRoughness": base });
        let (_folder, path) = folder_with(&with_material(embedded(), material), &[]);
        assert_eq!(first_material(&path).transparency(), expected, "{mode}");
    }
}

/// Khronos, `KHR_materials_variants`: a primitive without a mapping for a variant keeps its own material.
#[test]
fn variants_of_materials_are_skins() {
    let mut file = with_material(embedded(), tinted_material("own"));
    file.push("materials", json!({ "name": "red", "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } }));
    let mappings = json!([{ "material": 1, "variants": [1] }]);
    file.json["meshes"][0]["primitives"][0]["extensions"] =
        json!({ "KHR_materials_variants": { "mappings": mappings } });
    let names = json!({ "variants": [{ "name": "day" }, { "name": "night" }] });
    file.json["extensions"] = json!({ "KHR_materials_variants": names });
    let (_folder, path) = folder_with(&file, &[]);
    let asset = open(&path).unwrap();
    let found: Vec<(&str, &str)> =
        asset.skins.iter().map(|skin| (skin.name.as_str(), skin.materials[0].name.as_str())).collect();
    assert_eq!(found, [("day", "own"), ("night", "red")]);
    let texel = |skin: usize| asset.skins[skin].materials[0].image.as_ref().unwrap().rgba[..4].to_vec();
    assert_eq!((texel(0), texel(1)), (TINTED[..4].to_vec(), vec![255, 0, 0, 255]));
}
