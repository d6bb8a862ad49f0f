//! Images that are guessed, unreadable or unsupported.

use std::io::Cursor;

use image::{ImageFormat, Rgba, RgbaImage};
use maquette_assets::material::{
    Image, ImageLoading, InGame, MaterialResolver, Origin, ResolveContext, SurfaceMaterial, UnreadableImage,
};
use maquette_assets::open::open_in;
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::formats;
use maquette_core::model::Format;
use maquette_testing::files::{Md2, Md3};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

const MODEL: &str = "models/t/h.md3";
const POINTER: &[u8] = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";

fn png() -> &'static [u8] {
    let mut png = Cursor::new(Vec::new());
    RgbaImage::from_pixel(2, 2, Rgba([255, 0, 0, 255])).write_to(&mut png, ImageFormat::Png).unwrap();
    png.into_inner().leak()
}

/// Resolves `name` for [`MODEL`], with and without decoding, which must agree.
fn look(files: &[(&str, &'static [u8])], name: &str, origin: Origin) -> SurfaceMaterial {
    let find = |loading| {
        let vfs = Vfs::in_memory(files.iter().map(|(path, bytes)| ((*path).to_owned(), *bytes)).collect());
        let search = ResolveContext::new(loading);
        let mut finder = MaterialResolver::new(&vfs, MODEL, Format::Md3, None, &search);
        finder.material(name, origin, &mut Warnings::default())
    };
    let (found, located) = (find(ImageLoading::Decode), find(ImageLoading::LocateOnly));
    assert_eq!((&found.path, found.is_guess, found.in_game), (&located.path, located.is_guess, located.in_game));
    let reads = |material: &SurfaceMaterial| material.unreadable.as_ref().map(|image| image.path.clone());
    assert_eq!((reads(&found), &found.suggestion), (reads(&located), &located.suggestion));
    located
}

/// Quake III `tr_image.c`, `R_FindImageFile`: the path alone is tried.
#[test]
fn image_in_the_models_folder_is_a_guess() {
    let files = [("models/t/hands.tga", png()), ("textures/skin.tga", png())];
    for name in ["C:\\work\\gun\\hands.tga", "old/place/hands", "hands.tga"] {
        let found = look(&files, name, Origin::Model);
        assert_eq!((found.path.as_str(), found.is_guess), ("models/t/hands.tga", true), "{name}");
        assert_eq!((found.in_game, found.problem()), (InGame::DefaultTexture, None), "{name}");
    }
    assert_eq!(look(&files, "hands.tga", Origin::Skin).in_game, InGame::Stages(0));
    for name in ["models/t/hands.tga", "models/t/hands.jpg", "textures/skin"] {
        let found = look(&files, name, Origin::Model);
        assert_eq!((found.is_guess, found.in_game), (false, InGame::Whole), "{name}");
    }
    let script = b"m\n{\n{\nmap old/hands.tga\n}\n}\n".as_slice();
    let scripted = look(&[("scripts/a.shader", script), files[0]], "m", Origin::Model);
    assert_eq!((scripted.is_guess, scripted.in_game), (true, InGame::DefaultTexture));
}

#[test]
fn file_that_cannot_be_decoded_is_named_with_its_reason() {
    let rubbish = b"\x89PNG\r\n\x1a\nxxxxxxxxxxxxxx".as_slice();
    let page = b"<!DOCTYPE html><html></html>".as_slice();
    let cut = &png()[..50];
    for (bytes, reason) in [
        (cut, ""),
        (POINTER, "Git LFS pointer"),
        (rubbish, "PNG"),
        (page, "web page"),
        (b"", "empty"),
        (b"an image, as text", "not an image"),
    ] {
        let found = look(&[("models/t/a.png", bytes)], "models/t/a.png", Origin::Model);
        let UnreadableImage { path, reason: why } = *found.unreadable.clone().unwrap();
        assert!(path == "models/t/a.png" && why.contains(reason), "{path}: {why}");
        assert_eq!(found.problem(), Some(format!("{path}: {why}")));
        // The same file is no help, and another one is.
        assert_eq!((found.is_missing(), found.suggestion), (true, None));
        let other = look(&[("models/t/a.png", bytes), ("models/t/a2.png", png())], "models/t/a.png", Origin::Model);
        assert_eq!(other.suggestion.unwrap().path, "models/t/a2.png");
    }
    let sound = b"RIFF\x24\x08\0\0WAVEfmt ".as_slice();
    for extension in ["pcx", "bmp", "dds", "webp"] {
        let path = format!("models/t/a.{extension}");
        assert!(look(&[(&path, sound)], &path, Origin::Model).unreadable.is_some(), "{extension}");
    }
    let script = b"m\n{\n{\nmap models/t/a.png\n}\n}\n".as_slice();
    let found = look(&[("scripts/a.shader", script), ("models/t/a.png", POINTER)], "m", Origin::Model);
    assert!(found.problem().unwrap().starts_with("scripts/a.shader line 1: models/t/a.png: this is a Git LFS pointer"));
}

/// qfusion `r_image.c`, `R_LoadKTX`.
#[test]
fn image_of_an_unsupported_format_is_named() {
    for extension in ["ktx", "ktx2", "pvr", "astc", "basis", "tif", "tiff", "exr", "avif"] {
        let path = format!("models/t/box.{extension}");
        let found = look(&[(&path, b"\xabKTX 11")], "models/t/box.tga", Origin::Model);
        let problem = format!("{path}: {} images are not supported", extension.to_uppercase());
        assert_eq!(found.problem(), Some(problem));
    }
    let script = b"m\n{\n{\nmap models/t/box.tga\n}\n}\n".as_slice();
    let files = [("scripts/a.shader", script), ("models/t/box.ktx", b"\xabKTX 11".as_slice())];
    let problem = "scripts/a.shader line 1: models/t/box.ktx: KTX images are not supported";
    assert_eq!(look(&files, "m", Origin::Model).problem().as_deref(), Some(problem));
}

/// Reads a model with files next to it, of which some are pointers of Git LFS.
#[test]
fn pointers_are_named_in_every_kind_of_file() {
    let mut gltf = GltfFile::triangle();
    gltf.push("images", json!({ "uri": "a.png" }));
    gltf.push("textures", json!({ "source": 0 }));
    gltf.push("materials", json!({ "pbrMetallicRoughness": { "baseColorTexture": { "index": 0 } } }));
    gltf.json["meshes"][0]["primitives"][0]["material"] = json!(0);
    let (gltf, md2, md3) = (gltf.gltf_with_data(), Md2::typical().build(), Md3::typical().build());
    for (path, model, file) in [
        ("m/tris.md2", &md2, "models/box/skin.pcx"),
        ("m/x.gltf", &gltf, "m/a.png"),
        ("m/x.md3", &md3, "m/x_default.skin"),
        ("m/x.md3", &md3, "scripts/a.shader"),
        ("m/x.md3", &md3, "m/animation.cfg"),
    ] {
        let files: [(&str, &[u8]); 2] = [(path, model), (file, POINTER)];
        let vfs = Vfs::in_memory(files.map(|(path, bytes)| (path.to_owned(), &*bytes.to_vec().leak())).into());
        let asset = open_in(&vfs, path, model, &ResolveContext::new(ImageLoading::Decode)).unwrap();
        let name = file.rsplit('/').next().unwrap();
        let told = |warning: &String| warning.contains(name) && warning.contains("this is a Git LFS pointer");
        assert!(asset.warnings.iter().map(ToString::to_string).any(|warning| told(&warning)), "{:?}", asset.warnings);
        let unreadable = asset.skins[0].materials[0].unreadable.as_ref().map(|image| image.path.as_str());
        assert_eq!(unreadable, (!path.ends_with("md3")).then_some(file), "{file}");
    }
    let named = GltfFile::triangle().gltf("x.bin");
    let stored: &'static [u8] = named.clone().leak();
    let vfs = Vfs::in_memory(vec![("m/x.gltf".to_owned(), stored), ("m/x.bin".to_owned(), POINTER)]);
    let error = open_in(&vfs, "m/x.gltf", &named, &ResolveContext::default()).unwrap_err().to_string();
    assert!(error.contains("buffer 0: “x.bin”: this is a Git LFS pointer"), "{error}");
}

/// ioquake3 `tr_shader.c`, `FinishShader`: a stage without an image is left out, with a warning.
#[test]
fn stages_without_images_are_a_problem() {
    let look = |script: &'static str| {
        let files = [("scripts/a.shader", script.as_bytes()), ("models/t/a.tga", png())];
        look(&files, "m", Origin::Model)
    };
    let found = look("m\n{\nnosuch models/t/a\n{\nrgbGen identity\n}\n}\n");
    assert_eq!((found.path.as_str(), found.has_problem()), ("models/t/a.tga", true));
    let found = look("m\n{\n{\nrgbGen identity\n}\n}\n");
    assert_eq!(found.problem().as_deref(), Some("scripts/a.shader line 1: no stage of the shader names an image"));
    for script in
        ["m\n{\nsurfaceparm trans\n}\n", "m\n{\n{\nmap $whiteimage\n}\n}\n", "m\n{\n{\nvideomap a.roq\n}\n}\n"]
    {
        assert_eq!(look(script).problem(), None, "{script}");
    }
}

/// Returns a file with numbers at positions, and bytes at the end.
fn texture(header: usize, numbers: &[(usize, u32)], end: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0; header];
    for (at, number) in numbers {
        bytes[*at..*at + 4].copy_from_slice(&number.to_le_bytes());
    }
    [&bytes, end].concat()
}

/// Heretic II `qfiles.h` (`miptex_t`, `miptex32_t`), Quake II `qfiles.h` (`miptex_t`), QuArK `QkDaikatana.pas`.
#[test]
fn textures_of_quake_2_and_its_relatives_are_decoded() {
    let colours =
        |bytes: &mut Vec<u8>, palette: usize| bytes[palette + 21..palette + 24].copy_from_slice(&[10, 20, 30]);
    let mut m8 = texture(1040, &[(0, 2), (36, 2), (100, 1), (164, 1040)], &[7, 0]);
    colours(&mut m8, 260);
    let m32 = texture(968, &[(0, 4), (516, 1), (580, 2), (644, 968)], &[1, 2, 3, 4, 5, 6, 7, 8]);
    let mut daikatana = texture(892, &[(0, 3), (36, 1), (40, 2), (44, 892)], &[0, 7]);
    colours(&mut daikatana, 120);
    let colour = [10, 20, 30, 255];
    for (name, bytes, size, texels) in [
        ("a.m8", &m8, (2, 1), [colour, [0, 0, 0, 255]]),
        ("a.m32", &m32, (1, 2), [[1, 2, 3, 4], [5, 6, 7, 8]]),
        ("a.wal", &daikatana, (1, 2), [[0, 0, 0, 255], colour]),
    ] {
        let image = Image::decode(bytes, name).unwrap();
        assert_eq!(((image.width, image.height), &image.rgba), (size, &texels.concat()), "{name}");
        assert!(Image::decode(&bytes[..bytes.len() - 1], name).is_err(), "{name}");
    }
    let wal = texture(100, &[(32, 1), (36, 1), (40, 100)], &[7]);
    let mut colormap = vec![0; 1000];
    colours(&mut colormap, 1000 - 768);
    let find = |files: Vec<(String, Vec<u8>)>| {
        let (vfs, search) = (Vfs::in_memory(files), ResolveContext::new(ImageLoading::Decode));
        let mut finder = MaterialResolver::new(&vfs, "models/t/h.md2", Format::Md2, None, &search);
        finder.material("models/t/a.wal", Origin::Model, &mut Warnings::default())
    };
    let files = vec![("models/t/a.wal".to_owned(), wal), ("pics/colormap.pcx".to_owned(), colormap)];
    assert_eq!(find(files.clone()).image.unwrap().rgba, colour);
    let problem = find(files[..1].to_vec()).problem().unwrap();
    assert!(problem.contains("pics/colormap.pcx, which was not found"), "{problem}");
}

#[test]
fn missing_image_of_a_surface_without_a_name_is_reported_for_its_display_name() {
    for (bytes, about) in [(Md2::typical().build(), "Mesh"), (Md3::typical().build(), "u_torso")] {
        let (model, _) = formats::load(&bytes).unwrap();
        let mut warnings = Warnings::default();
        MaterialResolver::warn_missing(&model, &[SurfaceMaterial::missing("a/b", Origin::Model)], &mut warnings);
        let reported: Vec<String> = warnings.into_vec().into_iter().map(|warning| warning.about).collect();
        assert_eq!((reported, model.display_name_of_surface(0)), (vec![about.to_owned()], about.to_owned()));
    }
}
