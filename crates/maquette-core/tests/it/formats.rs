//! Loaders on valid, unusual and broken files, and their messages.

mod ase;
mod darkplaces;
mod dxf;
mod glm;
mod glm_writer;
mod gltf;
mod gltf_clips;
mod iqm;
mod lwo;
mod md2;
mod md3_mdc;
mod md5;
mod mdl;
mod mdr;
mod obj;
mod psk;
mod quake2_relatives;
mod sprites;
mod static_writers;
mod tag_file;
mod three_ds;
mod wolfenstein;
mod wolfenstein_writers;

use maquette_core::export::EXPORTERS;
use maquette_core::model::{Format, Model};
use maquette_core::{convert, formats};
use maquette_testing::files::typical;

/// Loads a file that must load. Returns the model and its warnings, one per line.
#[track_caller]
fn load(bytes: &[u8]) -> (Model, String) {
    match formats::load(bytes) {
        Ok((model, warnings)) => (model, warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
        Err(error) => panic!("refused: {error}"),
    }
}

/// Returns the error message of a file that must be rejected.
#[track_caller]
fn refusal(bytes: &[u8]) -> String {
    formats::load(bytes).expect_err("this must be refused").to_string()
}

#[test]
fn loader_is_chosen_by_content() {
    assert_eq!(refusal(b""), "the file is empty");
    assert_eq!(refusal(b"RAPO\x32\0\0\0"), "this is a Hexen II model (MDL), which is not supported");
    assert_eq!(refusal(b"\x7fELF and more"), "not a known model file (it begins with “\\x7fELF”)");
}

#[test]
fn signature_and_extension_of_a_supported_format_belong_to_it() {
    for format in Format::ALL {
        if !format.traits().signature.is_empty() {
            let signature = [format.traits().signature.as_bytes(), b"\0"].concat();
            assert_eq!(formats::detect(&signature), Some(format));
        }
        for extension in format.traits().extensions {
            assert_eq!(formats::unread_kind(extension), None, "{extension}");
        }
    }
}

#[test]
fn files_that_are_something_else_are_named() {
    let cases: [(&[u8], &str); 7] = [
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "Git LFS pointer"),
        (b"\n<!DOCTYPE HTML>\n<title>404</title>", "web page (HTML)"),
        (b"\x1f\x8b\x08\0\0\0\0\0", "gzip file"),
        (b"PK\x03\x04\x14\0", "zip archive"),
        (b"\x89PNG\r\n\x1a\n", "PNG image"),
        (b"ANIMHEAD\0\0", "an Unreal animation (PSA) without its mesh"),
        (b"IDP2\x0f\0\0\0\x40\0\0\0", "an Anachronox model (MD2 version 15)"),
    ];
    for (bytes, what) in cases {
        let message = refusal(bytes);
        assert!(message.contains(what), "{message}");
        assert!(formats::salvage(bytes).is_err(), "{what}: another layout has no intact part");
    }
}

#[test]
fn binary_formats_reject_other_versions() {
    for (ident, supported) in [
        ("IDPO", "6"),
        ("IDP2", "8"),
        ("IDP3", "15"),
        ("IDPC", "2"),
        ("RDM5", "2"),
        ("MDSW", "4"),
        ("MDMW", "3"),
        ("2LGM", "6"),
        ("IDPX", "4"),
        ("DKMD", "1 or 2"),
        ("IDS2", "2"),
    ] {
        let file = [ident.as_bytes(), &7_i32.to_le_bytes()].concat();
        let message = refusal(&file);
        let end = format!("version at byte 0x4: version 7 is not supported; expected version {supported}");
        assert!(message.ends_with(&end), "{message}");
    }
}

#[test]
fn written_formats_are_targets_and_exporters() {
    for format in Format::ALL {
        // A format supports writing, conversion and export, or none of them.
        let is_written = format.is_written();
        assert_eq!(convert::targets().any(|target| target == format), is_written, "{format}");
        let exporters = EXPORTERS.iter().filter(|exporter| exporter.extension == format.extension());
        // A glTF is written for other programs.
        let is_exported = is_written || format.traits().is_sampled;
        assert_eq!(exporters.count(), usize::from(is_exported), "{format}");
        assert_eq!(Format::by_name(format.name()), Some(format), "another format has this name");
    }
}

#[test]
fn message_about_a_truncated_file_starts_with_its_sizes() {
    for format in Format::ALL {
        let Some(at) = format.traits().size_at else { continue };
        for file in typical(format) {
            let (size, title) = (file.len(), format.title());
            let stated = u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
            assert_eq!(stated as usize, size, "{title}");
            let start =
                format!("{title}: the file is truncated: it should have {size} bytes, but ends after {}; ", at + 4);
            assert!(refusal(&file[..at + 4]).starts_with(&start), "{}", refusal(&file[..at + 4]));
            let start = format!("{title}: the file is truncated: its header ends after {} bytes; ", at - 1);
            assert!(refusal(&file[..at - 1]).starts_with(&start), "{}", refusal(&file[..at - 1]));
        }
    }
}

#[test]
fn models_of_other_programs_are_refused_with_the_way_to_a_gltf() {
    let message = "this is an FBX model; open it in Blender and export it as glTF (.glb)";
    assert_eq!(refusal(b"Kaydara FBX Binary  \0\x1a\0"), message);
}
