//! Image search and image decoding.

use std::io::Cursor;
use std::sync::Arc;

use image::{ImageFormat, RgbaImage};
use maquette_assets::material::{
    Image, ImageLoading, MaterialResolver, Origin, ResolveContext, SkinFile, SurfaceMaterial, TextureWrap,
    Transparency, hides, skin_name,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::Format;

/// Encodes an image of one colour.
fn file(format: ImageFormat, colour: [u8; 4]) -> &'static [u8] {
    let image = RgbaImage::from_pixel(2, 2, image::Rgba(colour));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner().leak()
}

fn vfs_of(paths: &[&str]) -> Vfs {
    let red = file(ImageFormat::Png, [255, 0, 0, 255]);
    // The content decides the format, so one PNG serves for every extension.
    Vfs::in_memory(paths.iter().map(|path| ((*path).to_owned(), red)).collect())
}

fn found(paths: &[&str], model: &str, name: &str) -> Option<String> {
    let vfs = vfs_of(paths);
    let material = MaterialResolver::new(&vfs, model, Format::Md3, None, &ResolveContext::new(ImageLoading::Decode))
        .material(name, Origin::Model, &mut Warnings::default());
    material.image.map(|_| material.path)
}

#[test]
fn image_path_ignores_case_and_slashes() {
    let path = found(&["Models/Gun/Skin.PNG"], "models/gun/gun.md3", "MODELS\\gun\\skin.png");
    assert_eq!(path.as_deref(), Some("Models/Gun/Skin.PNG"));
}

#[test]
fn other_extension_is_used_if_named_one_is_missing() {
    let path = found(&["models/gun/skin.jpg"], "models/gun/gun.md3", "models/gun/skin.tga");
    assert_eq!(path.as_deref(), Some("models/gun/skin.jpg"));
}

#[test]
fn named_extension_is_preferred() {
    let both = ["models/gun/skin.tga", "models/gun/skin.jpg"];
    assert_eq!(found(&both, "models/gun/gun.md3", "models/gun/skin.jpg").as_deref(), Some("models/gun/skin.jpg"));
}

#[test]
fn name_without_extension_tries_all_extensions() {
    assert_eq!(
        found(&["models/gun/skin.webp"], "models/gun/gun.md3", "models/gun/skin").as_deref(),
        Some("models/gun/skin.webp")
    );
}

#[test]
fn only_the_last_extension_is_replaced() {
    assert_eq!(
        found(&["models/glass.tga.tga"], "models/a.md3", "models/glass.tga.tga").as_deref(),
        Some("models/glass.tga.tga")
    );
    assert_eq!(
        found(&["models/glass.tga.jpg"], "models/a.md3", "models/glass.tga.tga").as_deref(),
        Some("models/glass.tga.jpg")
    );
}

#[test]
fn file_name_is_searched_in_model_folder() {
    assert_eq!(
        found(&["models/gun/skin.tga"], "models/gun/gun.md3", "textures/other/skin.tga").as_deref(),
        Some("models/gun/skin.tga")
    );
}

#[test]
fn folders_between_root_and_model_are_searched() {
    assert_eq!(
        found(&["game/models/gun/skin.tga"], "game/models/gun/gun.md3", "models/gun/skin.tga").as_deref(),
        Some("game/models/gun/skin.tga")
    );
}

#[test]
fn absolute_path_is_cut_at_game_folder() {
    assert_eq!(
        found(&["models/md5/body.tga"], "models/md5/x/x.md5mesh", "P:/Doom/base/models/md5/body.tga").as_deref(),
        Some("models/md5/body.tga")
    );
}

#[test]
fn diffuse_suffix_is_tried() {
    assert_eq!(found(&["models/gun_d.tga"], "models/gun.md5mesh", "models/gun").as_deref(), Some("models/gun_d.tga"));
}

#[test]
fn path_above_root_finds_nothing() {
    assert_eq!(found(&["secret.tga"], "models/gun.md3", "../../secret.tga").as_deref(), None);
}

#[test]
fn missing_image_lists_tried_paths() {
    let vfs = vfs_of(&[]);
    let mut warnings = Warnings::default();
    let search = ResolveContext::new(ImageLoading::Decode);
    let mut finder = MaterialResolver::new(&vfs, "models/gun/gun.md3", Format::Md3, None, &search);
    let material = finder.material("models/gun/skin.tga", Origin::Model, &mut warnings);
    assert!(material.image.is_none());
    assert!(material.search_log.iter().any(|step| step.tried.contains(&"models/gun/skin.tga".to_owned())));
    let warning = material.problem().unwrap();
    assert!(warning.contains("models/gun/skin.tga") && warning.contains("paths tried"), "{warning}");
    let unnamed = finder.material("", Origin::Model, &mut warnings);
    assert_eq!(unnamed.problem().as_deref(), Some("the file names no texture"));
}

#[test]
fn image_format_is_detected_by_content() {
    let png = file(ImageFormat::Png, [10, 20, 30, 255]);
    let image = Image::decode(png, "lies.jpg").unwrap();
    assert_eq!((image.width, image.height, &image.rgba[..4], image.has_alpha), (2, 2, &[10, 20, 30, 255][..], false));
}

#[test]
fn tga_without_signature_is_decoded() {
    let tga = file(ImageFormat::Tga, [10, 20, 30, 128]);
    let image = Image::decode(tga, "skin.tga").unwrap();
    assert_eq!((&image.rgba[..4], image.has_alpha), (&[10, 20, 30, 128][..], true));
}

/// Returns a PCX of 3 × 1 texels with padded rows, as Quake II skins have: header, run-length data, palette.
fn pcx() -> Vec<u8> {
    let mut bytes = vec![0x0A, 5, 1, 8];
    for value in [0_u16, 0, 2, 0, 72, 72] {
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 48]); // palette of 16 colours, unused
    bytes.extend([0, 1]); // reserved, planes
    bytes.extend(4_u16.to_le_bytes()); // bytes per line: padded to even
    bytes.extend([0; 60]); // palette type, filler
    assert_eq!(bytes.len(), 128);
    bytes.extend([0xC2, 7, 0xC1, 0xC8, 0]); // 7 7 200 and a byte of padding
    bytes.push(0x0C);
    for index in 0..=255_u8 {
        bytes.extend([index, 255 - index, 1]);
    }
    bytes
}

#[test]
fn pcx_uses_its_own_palette() {
    let image = Image::decode(&pcx(), "skin.pcx").unwrap();
    assert_eq!((image.width, image.height), (3, 1));
    assert_eq!(image.rgba, [7, 248, 1, 255, 7, 248, 1, 255, 200, 55, 1, 255]);
}

#[test]
fn pcx_without_palette_marker_is_decoded() {
    let mut bytes = pcx();
    bytes.remove(bytes.len() - 769);
    assert_eq!(Image::decode(&bytes, "skin.pcx").unwrap().rgba[..4], [7, 248, 1, 255]);
}

#[test]
fn broken_image_error_names_the_file() {
    for broken in [&b""[..], b"\x89PNG\r\n\x1a\n", b"rubbish that is nothing at all"] {
        let error = Image::decode(broken, "skin.tga").unwrap_err().to_string();
        assert!(error.starts_with("skin.tga: "), "{error}");
    }
}

#[test]
fn skin_file_assigns_paths_and_skips_tags() {
    let skin = SkinFile::parse(
        b"tag_torso,\nU_Torso,models/players/x/red.tga // the coat\n\"u_arms\", \"models/arms\"\nu_hat,\n",
    );
    assert_eq!(skin.path_of("u_torso"), Some("models/players/x/red.tga"));
    assert_eq!(skin.path_of("U_ARMS"), Some("models/arms"));
    assert_eq!(skin.path_of("u_torso_1"), Some("models/players/x/red.tga"), "a level of detail's ending is cut");
    assert_eq!(skin.path_of("tag_torso"), None);
    assert!(hides(skin.path_of("u_hat").unwrap()) && hides("textures/common/nodraw") && !hides("models/arms"));
}

#[test]
fn skin_name_is_the_suffix_of_the_model_name() {
    assert_eq!(skin_name("lower_default.skin", "lower.md3"), Some("default"));
    assert_eq!(skin_name("LOWER_Red.SKIN", "lower.md3"), Some("Red"));
    assert_eq!(skin_name("lower_red.skin", "lower_1.md3"), Some("red"));
    assert_eq!(skin_name("flags.md3_0.skin", "flags.md3"), Some("0"));
    assert_eq!(skin_name("upper_red.skin", "lower.md3"), None);
    assert_eq!(skin_name("lower_red.tga", "lower.md3"), None);
}

proptest::proptest! {
    #[test]
    fn skin_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300), name in ".{0,20}") {
        let _ = SkinFile::parse(&bytes).path_of(&name);
        let _ = skin_name(&name, &name);
    }
}

/// Returns the texture of an MD5 triangle with the material `name` in a folder with these images.
fn texture_of(name: &str, images: &[&str]) -> Option<String> {
    let mesh = format!(
        "MD5Version 10 commandline \"\" numJoints 1 numMeshes 1 joints {{ \"a\" -1 ( 0 0 0 ) ( 0 0 0 ) }} mesh {{ shader \"{name}\" \
         numverts 3 vert 0 ( 0 0 ) 0 1 vert 1 ( 1 0 ) 1 1 vert 2 ( 0 1 ) 2 1 numtris 1 tri 0 0 1 2 \
         numweights 3 weight 0 0 1 ( 0 0 0 ) weight 1 0 1 ( 1 0 0 ) weight 2 0 1 ( 0 1 0 ) }}"
    );
    let (model, _) = maquette_core::formats::load(mesh.as_bytes()).unwrap();
    let vfs = vfs_of(images);
    let search = ResolveContext::new(ImageLoading::Decode);
    let materials = MaterialResolver::new(&vfs, "x/mesh.md5mesh", Format::Md5, None, &search)
        .materials(&model, &mut Warnings::default());
    materials[0].image.as_ref().map(|_| materials[0].path.clone())
}

#[test]
fn unresolved_model_uses_only_plausible_folder_image() {
    let skin = Some("x/skin.jpg".to_owned());
    assert_eq!(texture_of("", &["x/skin.jpg", "x/mask.jpg", "x/normals.png"]), skin);
    assert_eq!(texture_of("C:\\me\\bake.tga", &["x/skin.jpg", "x/other.png"]), skin, "called skin");
    assert_eq!(
        texture_of("01 - Default", &["x/flag_cc.png", "x/flag_norm.png"]),
        Some("x/flag_cc.png".to_owned()),
        "the only one"
    );
    assert_eq!(texture_of("flash", &["x/gun.png"]), None, "a name that means something else");
    assert_eq!(texture_of("", &["x/a.png", "x/b.png"]), None, "either could be it");
}

#[test]
fn image_alpha_decides_transparency_mode() {
    let texels = |solid: usize, soft: usize, clear: usize| {
        let alpha = [vec![255; solid], vec![128; soft], vec![0; clear]].concat();
        let rgba: Vec<u8> = alpha.into_iter().flat_map(|alpha| [9, 9, 9, alpha]).collect();
        Image::new(u32::try_from(rgba.len() / 4).unwrap(), 1, rgba).transparency()
    };
    assert_eq!(texels(1000, 0, 0), Transparency::Opaque);
    assert_eq!(texels(997, 0, 3), Transparency::Opaque, "a few texels are an accident");
    assert_eq!(texels(600, 50, 350), Transparency::Cutout, "leaves with soft edges");
    assert_eq!(texels(500, 400, 100), Transparency::Blend, "glass");
    assert_eq!(texels(0, 1000, 0), Transparency::Opaque, "gloss");
}

#[test]
fn alpha_without_script_follows_the_game_of_the_format() {
    let leaf: Vec<u8> = [[0, 255, 0, 255], [0, 0, 0, 0], [0, 255, 0, 255], [0, 0, 0, 0]].concat();
    let leaf = SurfaceMaterial::of_image("leaf", "leaf.tga", Arc::new(Image::new(2, 2, leaf)), TextureWrap::Repeat);
    assert_eq!(leaf.transparency(), Transparency::Opaque);
    for (format, seen) in [
        (Format::Md2, Transparency::Cutout),
        (Format::Md5, Transparency::Cutout),
        // Quake III draws an image without a script opaque (formats.md 2.13: implicit stage).
        (Format::Md3, Transparency::Opaque),
        (Format::Mdc, Transparency::Opaque),
        (Format::Mdr, Transparency::Opaque),
    ] {
        let asset = maquette_assets::open::open_sample(format).unwrap();
        assert_eq!(asset.seen_through(vec![leaf.clone()])[0].transparency(), seen, "{format}");
    }
}
