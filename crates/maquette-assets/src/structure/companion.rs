//! Table of companion files and archives for the structure view.

use crate::engines::ufoai;
use crate::material::{self, SkinFile};
use crate::vfs::{archive_format, read_directory, split_extension};
use maquette_core::bytes::Source;
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::formats::animation_cfg::AnimationConfig;
use maquette_core::formats::{glm, iqm, md5, mdm, psk, tag_file};

pub(super) struct Companion {
    pub name: &'static str,
    pub is_text: bool,
    /// Function that returns whether a file has this kind, given its name in lower case without folder, and its first
    /// bytes.
    is_one: fn(&str, &[u8]) -> bool,
    pub read: fn(&Source, &mut Warnings) -> Result<(), LoadError>,
}

/// Kinds recognised by their first bytes precede those recognised only by name.
const COMPANIONS: &[Companion] = &[
    Companion { name: "zip", is_text: false, is_one: |_, start| archive_format(start) == Some("zip"), read: directory },
    Companion { name: "pak", is_text: false, is_one: |_, start| archive_format(start) == Some("pak"), read: directory },
    Companion {
        name: "tag1",
        is_text: false,
        is_one: |_, start| tag_file::is_tag_file(start),
        read: |source, warnings| tag_file::load_from(source, warnings).map(drop),
    },
    Companion {
        name: "tag",
        is_text: false,
        is_one: |name, start| start.starts_with(b"JDP2") || has_extension(name, "tag"),
        read: |source, warnings| ufoai::load_tags_from(source, warnings).map(drop),
    },
    Companion {
        name: "md5anim",
        is_text: true,
        is_one: |name, start| md5::looks_like_animation(start) || has_extension(name, "md5anim"),
        read: md5::check_animation,
    },
    Companion { name: "iqm", is_text: false, is_one: |_, start| iqm::is_animation(start), read: iqm::check_animation },
    Companion { name: "mdx", is_text: false, is_one: |_, start| mdm::is_animation(start), read: mdm::check_animation },
    Companion {
        name: "psa",
        is_text: false,
        is_one: |_, start| start.starts_with(psk::psa::MAGIC),
        read: psk::psa::check_animation,
    },
    Companion {
        name: "gla",
        is_text: false,
        is_one: |name, start| start.starts_with(glm::gla::MAGIC) || has_extension(name, "gla"),
        read: |source, warnings| glm::gla::load(source, warnings).map(drop),
    },
    Companion {
        name: "skin",
        is_text: true,
        is_one: |name, _| has_extension(name, "skin"),
        read: |source, warnings| {
            let _ = SkinFile::parse_from(source, warnings);
            Ok(())
        },
    },
    Companion {
        name: "g2skin",
        is_text: true,
        is_one: |name, _| has_extension(name, "g2skin"),
        read: |source, warnings| {
            let _ = SkinFile::parse_groups(source, warnings);
            Ok(())
        },
    },
    Companion {
        name: "shader",
        is_text: true,
        is_one: |name, _| has_extension(name, "shader"),
        read: |source, warnings| material::read_script(material::Kind::Quake3, source, warnings),
    },
    Companion {
        name: "mtr",
        is_text: true,
        is_one: |name, _| has_extension(name, "mtr"),
        read: |source, warnings| material::read_script(material::Kind::Doom3, source, warnings),
    },
    Companion {
        name: "cfg",
        is_text: true,
        is_one: |name, _| name.ends_with("animation.cfg") || name.ends_with("anim.cfg"),
        read: |source, warnings| AnimationConfig::parse_from(source, warnings).1.map_or(Ok(()), Err),
    },
];

pub(super) fn kind_of(name: &str, start: &[u8]) -> Option<&'static Companion> {
    let name = name.to_lowercase();
    COMPANIONS.iter().find(|kind| (kind.is_one)(&name, start))
}

pub(super) fn by_name(name: &str) -> Option<&'static Companion> {
    COMPANIONS.iter().find(|kind| kind.name == name)
}

fn has_extension(name: &str, extension: &str) -> bool {
    split_extension(name).1 == extension
}

fn directory(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    for remark in read_directory(source)? {
        warnings.add(WarningKind::LeftOut, "", remark);
    }
    Ok(())
}
