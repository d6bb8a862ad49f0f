//! Resource limits: files that claim or cost far more than their size. Each case ends in a message.

use std::io::Cursor;

use maquette_assets::limits::MAX_PATH_NAMES;
use maquette_assets::material::{CancelToken, Image, ImageLoading, Limits};
use maquette_assets::open::{OpenOptions, Opener, open};
use maquette_assets::vfs::Archive;
use maquette_core::limits::MAX_PATH_BYTES;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use maquette_testing::archives::{folder, zip};
use maquette_testing::files::{Md2, Md3};
use maquette_testing::memory::peak_of;
use maquette_testing::skeletal_files::MD5_MESH;

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let image = image::GrayImage::from_pixel(width, height, image::Luma([128]));
    image.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

/// Returns a PNG whose header states a different size.
fn png_that_claims(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32fast::hash(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

// ---------------------------------------------------------------- names

#[test]
fn archive_entries_with_excessive_paths_are_skipped() {
    let model = Md3::typical().build();
    let deepest = "a/".repeat(MAX_PATH_NAMES - 1) + "m.md3";
    let deeper = "a/".repeat(MAX_PATH_NAMES) + "m.md3";
    let longer = "b".repeat(MAX_PATH_BYTES + 1 - 4) + ".md3";
    let root = folder(&[("deep.pk3", &zip(&[(&deepest, &model), (&deeper, &model), (&longer, &model)]))]);
    let archive = Archive::open(&root.path().join("deep.pk3")).unwrap();
    assert_eq!(archive.files().collect::<Vec<_>>(), [deepest]);
    let warnings = archive.warnings().join("\n");
    assert!(warnings.starts_with("2 entries skipped: path longer than 1024 bytes or 64 folders"), "{warnings}");
}

#[test]
fn megabyte_long_shader_name_is_not_searched() {
    let name = "x/y".repeat(350_000);
    let mesh = MD5_MESH.replacen("shader \"", &format!("shader \"{name}"), 1);
    assert!(mesh.len() > name.len(), "the name is in the file");
    let root = folder(&[("g/models/a/b/c/d/e/f/one.md5mesh", mesh.as_bytes())]);
    let (opened, peak) = peak_of(|| open(&root.path().join("g/models/a/b/c/d/e/f/one.md5mesh")).unwrap());
    assert!(peak <= 16 * mesh.len() + (4 << 20), "{peak} bytes for a file of {}", mesh.len());
    let warnings: Vec<String> = opened.warnings.iter().map(ToString::to_string).collect();
    let wanted = "bytes; names longer than 1024 bytes are skipped";
    assert!(
        warnings.iter().any(|warning| warning.contains(wanted) && warning.len() < 300),
        "{:.300}",
        warnings.join("\n")
    );
}

// ---------------------------------------------------------------- work and memory

#[test]
fn expensive_image_programs_are_stopped() {
    let program = "smoothnormals(".repeat(30) + "textures/n" + &")".repeat(30);
    let script = format!("models/a/skin\n{{\ndiffusemap textures/small\nbumpmap {program}\n}}\n");
    let mesh = MD5_MESH.replacen("shader \"", "shader \"models/a/skin\" // \"", 1);
    let root = folder(&[
        ("materials/a.mtr", script.as_bytes()),
        ("textures/n.png", &png(8192, 8192)),
        ("textures/small.png", &png(2, 2)),
        ("models/a/a.md5mesh", mesh.as_bytes()),
    ]);
    let asset = open(&root.path().join("models/a/a.md5mesh")).unwrap();
    let warnings: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
    assert!(warnings.iter().any(|warning| warning.contains("exceed the memory limit")), "{warnings:?}");
}

#[test]
fn cancelled_load_ends_early_without_error() {
    let root = folder(&[("models/a.md3", &Md3::typical().build()), ("textures/box.png", &png(4, 4))]);
    let limits = Limits { stop: CancelToken::when(|| true), ..Limits::default() };
    let opener = Opener::new(Vec::new(), ImageLoading::Decode).with(OpenOptions { limits, ..OpenOptions::default() });
    // The load ends early with a partial result.
    assert!(opener.model(&root.path().join("models/a.md3")).is_ok());
}

#[test]
fn image_above_limit_is_rejected_by_header() {
    let large = png_that_claims(16_384, 16_384);
    let (result, peak) = peak_of(|| Image::decode(&large, "large.png"));
    let error = result.unwrap_err().to_string();
    assert_eq!(
        error,
        "large.png: 16384 × 16384 pixels need 1024 MB of memory, more than the limit of 256 MB; raise it with --max-memory or in Settings"
    );
    assert!(peak < 1 << 20, "{peak} bytes");
    // 4 MB of texels are within a limit of 4 MB.
    assert!(Image::decode_within(&png(1024, 1024), "fits.png", 4 << 20).is_ok());
    assert!(Image::decode_within(&png(1024, 1025), "does not.png", 4 << 20).is_err());
    assert_eq!(Limits::default().image_bytes(), 8192 * 8192 * 4);
}

#[test]
fn untextured_md2_tries_at_most_32_images() {
    let model = Md2 { skins: Vec::new(), ..Md2::typical() }.build();
    let names: Vec<String> = (0..100).map(|number| format!("p{number:02}.tga")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), b"".as_slice())).collect();
    files.push(("m.md2", &model));
    let broken = folder(&files);
    let asset = open(&broken.path().join("m.md2")).unwrap();
    let tried: usize = asset.skins[0].materials[0].search_log.iter().map(|step| step.tried.len()).sum();
    assert_eq!(tried, 32, "as many as an MD2 may have skins");
    let is_reported = asset.warnings.iter().any(|warning| warning.to_string().contains("68 more images"));
    assert!(is_reported, "{:?}", asset.warnings);
    // An image named after the model is always found.
    let image = png(2, 2);
    files.extend([("M.PNG", image.as_slice())]);
    let whole = folder(&files);
    let asset = open(&whole.path().join("m.md2")).unwrap();
    assert_eq!(asset.skins[0].materials[0].path, "M.PNG");
}

#[test]
fn non_image_file_reports_unsupported_format() {
    let error = Image::decode(&Md3::typical().build(), "box.md3").unwrap_err().to_string();
    assert_eq!(error, "box.md3: unsupported image format");
}

#[test]
fn archive_bomb_is_not_decompressed() {
    let zeros = vec![0; 64 << 20];
    let mut model = Md3::typical().build();
    let length = model.len();
    model.resize(64 << 20, 0);
    let root = folder(&[("bomb.pk3", &zip(&[("models/none.md3", &zeros), ("models/tail.md3", &model)]))]);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    for (name, why) in [
        ("none.md3", "not a known model file"),
        ("tail.md3", "the entry unpacks to more than 16 times its compressed size"),
    ] {
        let path = root.path().join("bomb.pk3/models").join(name);
        let (result, peak) = peak_of(|| opener.model(&path).map(drop));
        let error = result.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(peak < 34 << 20, "{name}: {peak} bytes");
    }
    // Companion files are decompressed only as far as needed.
    model.truncate(length);
    let root = folder(&[(
        "beside.pk3",
        &zip(&[("p/x.md3", &model), ("p/animation.cfg", &zeros), ("p/x_default.skin", &zeros), ("p/x_1.md3", &zeros)]),
    )]);
    let (result, peak) = peak_of(|| opener.model(&root.path().join("beside.pk3/p/x.md3")).map(drop));
    assert!(result.is_ok());
    assert!(peak < 40 << 20, "{peak} bytes");
}

#[test]
fn overflowing_scales_are_replaced_by_zero() {
    let mut md2 = Md2::typical();
    md2.frames[1].scale = [3.0e38, 1.0, 1.0];
    md2.frames[0].translate = [0.0, -2.0e9, 0.0];
    let (model, warnings) = maquette_core::formats::load(&md2.build()).unwrap();
    let mut pose = Pose::default();
    for frame in [0.0, 0.5, 1.0] {
        sample(&model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
        assert!(pose.surfaces.iter().flat_map(|surface| &surface.positions).all(|position| position.is_finite()));
    }
    let warnings = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(
        warnings.contains("2 scales or translations are not finite or beyond a billion; replaced by 0"),
        "{warnings}"
    );
}

/// Opens a model of 16 meshes, each with its own image, with a memory limit for images.
fn opened_with(image: &[u8], extension: &str, memory: u64) -> maquette_assets::open::ModelAsset {
    let mesh =
        |number: usize| format!("mesh{{\nshader \"models/p{number}\"\nnumverts 0\nnumtris 0\nnumweights 0\n}}\n");
    let meshes: String = (0..16).map(mesh).collect();
    let model = format!("MD5Version 10\nnumJoints 1\nnumMeshes 16\njoints{{\n\"j\" -1 (0 0 0)(0 0 0)\n}}\n{meshes}");
    let names: Vec<String> = (0..16).map(|number| format!("models/p{number}.{extension}")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), image)).collect();
    files.push(("models/a.md5mesh", model.as_bytes()));
    let root = folder(&[("a.pk4", &zip(&files))]);
    let limits = Limits { memory, ..Limits::default() };
    let opener = Opener::new(Vec::new(), ImageLoading::Decode).with(OpenOptions { limits, ..OpenOptions::default() });
    opener.model(&root.path().join("a.pk4/models/a.md5mesh")).unwrap()
}

fn skipped_images(asset: &maquette_assets::open::ModelAsset) -> usize {
    let warnings = asset.warnings.iter().map(ToString::to_string);
    warnings.filter(|warning| warning.contains("exceed the memory limit")).count()
}

#[test]
fn truncated_images_charge_the_decode_budget() {
    let mut broken = png(2048, 2048);
    broken.truncate(broken.len() - 6);
    // At most 48 MB of texels are decoded: three broken images of 16 MB.
    assert_eq!(skipped_images(&opened_with(&broken, "png", 64 << 20)), 13);
    // Of intact images with 9 MB, five fit, and the remaining memory is too small for another one.
    assert_eq!(skipped_images(&opened_with(&png(1500, 1500), "png", 64 << 20)), 11);
    let mut padded = png(2, 2);
    padded.resize(16 << 20, 0);
    assert_eq!(skipped_images(&opened_with(&padded, "png", 64 << 20)), 13);
}

#[test]
fn large_colour_profile_is_not_decompressed() {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::set_icc_profile(&mut encoder, vec![0; 100 << 20]).unwrap();
    image::ImageEncoder::write_image(encoder, &[128; 16], 4, 4, image::ExtendedColorType::L8).unwrap();
    assert!(bytes.len() < 1 << 20);
    let (decoded, peak) = peak_of(|| Image::decode(&bytes, "profile.png"));
    assert_eq!(decoded.map(|image| image.width), Ok(4), "the picture is there without it");
    assert!(peak < 32 << 20, "{peak} bytes");
}

#[test]
fn decompression_of_blank_text_files_is_limited() {
    let blanks = vec![b' '; 8 << 20];
    let model = Md3::typical().build();
    let names: Vec<String> = (0..24).map(|number| format!("scripts/s{number}.shader")).collect();
    let skins: Vec<String> = (0..24).map(|number| format!("p/x_{number}.skin")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().chain(&skins).map(|name| (name.as_str(), &*blanks)).collect();
    files.push(("p/x.md3", &model));
    let root = folder(&[("a.pk3", &zip(&files))]);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let (asset, peak) = peak_of(|| opener.model(&root.path().join("a.pk3/p/x.md3")));
    let warnings: Vec<String> = asset.unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|warning| warning.contains("the files unpack to more than 8 times their size together")),
        "{warnings:?}"
    );
    assert!(peak < 96 << 20, "{peak} bytes");
}

#[test]
fn million_script_definitions_use_bounded_memory() {
    let definitions =
        |letter: char| (0..1_000_000).map(|number| format!("{letter}{number:06}{{}}")).collect::<String>();
    let (used, replaced) = (definitions('u'), definitions('r'));
    let model = Md3 { shaders: vec!["u000007"], ..Md3::typical() }.build();
    let own = [
        ("scripts/used.shader", used.as_bytes()),
        ("scripts/replaced.shader", replaced.as_bytes()),
        ("models/box/a.md3", &model),
    ];
    let root = folder(&[
        ("baseq3/pak0.pk3", &zip(&own)),
        ("baseq3/pak1.pk3", &zip(&[("scripts/replaced.shader", b"u000007{}")])),
    ]);
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    let (asset, peak) = peak_of(|| opener.model(&root.path().join("baseq3/pak0.pk3/models/box/a.md3")));
    let warnings: Vec<String> = asset.unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|warning| {
            warning.starts_with("scripts/used.shader") && warning.contains("define more than 262144 names")
        }),
        "{warnings:?}"
    );
    assert!(peak < 64 << 20, "{peak} bytes");
}

#[test]
fn entries_sharing_bytes_too_often_are_skipped() {
    let model = Md2::typical().build();
    let mut pak = Vec::new();
    let count = 1000_u32;
    let offset = 12;
    let start = u32::try_from(offset + model.len()).unwrap();
    pak.extend(b"PACK");
    pak.extend(start.to_le_bytes());
    pak.extend((count * 64).to_le_bytes());
    pak.extend(&model);
    for number in 0..count {
        let mut name = format!("models/m{number}.md2").into_bytes();
        name.resize(56, 0);
        pak.extend(name);
        pak.extend(u32::try_from(offset).unwrap().to_le_bytes());
        pak.extend(u32::try_from(model.len()).unwrap().to_le_bytes());
    }
    let root = folder(&[("a.pak", &pak)]);
    let archive = Archive::open(&root.path().join("a.pak")).unwrap();
    let listed = archive.files().count();
    assert_eq!(listed, pak.len() * 4 / model.len(), "as many as come to four times the archive");
    let warnings = archive.warnings().join("\n");
    assert!(
        warnings.contains(&format!(
            "{} entries skipped: they share their bytes with too many others",
            count as usize - listed
        )),
        "{warnings}"
    );
}
