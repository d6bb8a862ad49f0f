//! Rules of each engine: recognition, companion files, textures.

mod cube;
mod daemon;
mod darkplaces;
mod doom3;
mod enemy_territory;
mod fte;
mod gzdoom;
mod jedi_academy;
mod q2pro;
mod qfusion;
mod quake;
mod quake2;
mod quake3;
mod srb2;
mod ufoai;

use std::fs;
use std::io::Cursor;

use glam::Vec3;
use image::{ImageFormat, RgbaImage};
use maquette_assets::engines::KnownEngine;
use maquette_assets::engines::cube::script::{self, CubeFrames, CubePart};
use maquette_assets::engines::darkplaces::parse_frame_groups;
use maquette_assets::engines::ufoai::{TagFile, load_tags, parse_clips};
use maquette_assets::material::{
    AlphaTest, Blend, DrawnFaces, ImageLoading, InGame, Material, ResolveContext, SurfaceMaterial,
};
use maquette_assets::open::{Anchor, ModelAsset, Opener, Skin, open as open_file, open_in};
use maquette_assets::vfs::{ReadLimit, Vfs};
use maquette_core::error::{LoadError, Warnings};
use maquette_core::formats;
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::model::{Clip, ClipSource, Format, Model, TagFrame};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use proptest::prelude::*;

use maquette_testing::bytes::{ByteWriter, with_i32};
use maquette_testing::files::{Md2, Md2Frame, Md3, Mdc};
use maquette_testing::memory::peak_of;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};
use maquette_testing::unreal_files;

/// Returns an encoded image of one colour.
fn image_bytes() -> &'static [u8] {
    let mut bytes = Cursor::new(Vec::new());
    let image = RgbaImage::from_pixel(2, 2, image::Rgba([200, 100, 50, 255]));
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner().leak()
}

/// Returns a virtual file system with these files. Files without bytes become images.
fn vfs_of(files: &[(&str, &[u8])]) -> Vfs {
    let of = |bytes: &[u8]| if bytes.is_empty() { image_bytes() } else { bytes.to_vec().leak() };
    Vfs::in_memory(files.iter().map(|(path, bytes)| ((*path).to_owned(), of(bytes))).collect())
}

fn open(vfs: &Vfs, path: &str) -> ModelAsset {
    let bytes = vfs.read(path, ReadLimit::Whole).unwrap();
    open_in(vfs, path, &bytes, &ResolveContext::new(ImageLoading::Decode)).unwrap()
}

fn paths(part: &ModelAsset, skin: usize) -> Vec<&str> {
    part.skins[skin].materials.iter().map(|material| material.path.as_str()).collect()
}

fn warnings_of(part: &ModelAsset) -> String {
    part.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the name, first frame, frame count and rate of each clip, and whether the clip repeats.
fn rows(clips: &[Clip]) -> Vec<(&str, u32, u32, f32, bool)> {
    let row = |clip: &Clip| (clip.first, clip.count, clip.frames_per_second, clip.loops());
    clips.iter().map(|clip| (clip.name.as_str(), row(clip))).map(|(n, (a, b, c, d))| (n, a, b, c, d)).collect()
}

fn ranges(list: &[NamedRange]) -> Vec<(&str, u32, u32)> {
    list.iter().map(|range| (range.name.as_str(), range.first, range.count)).collect()
}

fn messages(warnings: Warnings) -> Vec<String> {
    warnings.into_vec().iter().map(ToString::to_string).collect()
}

fn md2(frames: usize) -> Vec<u8> {
    let frame = |_| Md2Frame {
        scale: [1.0; 3],
        translate: [0.0; 3],
        name: "FRAME 000......".to_owned(),
        vertices: vec![[0, 0, 0, 5], [2, 0, 0, 5], [0, 2, 0, 5], [2, 3, 4, 52]],
    };
    Md2 { frames: (0..frames).map(frame).collect(), ..Md2::typical() }.build()
}

/// Returns an MD3 with one surface that uses `shader`.
fn md3(shader: &'static str) -> Vec<u8> {
    Md3 { shaders: vec![shader], ..Md3::typical() }.build()
}

fn first(part: &ModelAsset) -> &SurfaceMaterial {
    &part.skins[0].materials[0]
}

fn skin_paths(part: &ModelAsset) -> Vec<(&str, &str)> {
    part.skins.iter().map(|skin| (skin.name.as_str(), skin.materials[0].path.as_str())).collect()
}

const SOUP: [&str; 34] = [
    "md2skin",
    "md3load",
    "md3skin",
    "md5anim",
    "md5tag",
    "md3dir",
    "md3anim",
    "walk",
    "0",
    "1",
    "-1",
    "99999999999",
    "20",
    "1e30",
    "nan",
    "../",
    "../a.png",
    "<dds>a.png",
    "<",
    ">",
    "*",
    "\"",
    "//",
    "/*",
    "*/",
    "\n",
    ";",
    "{",
    "[",
    "tris.md3",
    "walk = [",
    "]",
    "$arg1",
    "$walk",
];

fn survive(bytes: &[u8]) {
    for parse in [parse_clips, parse_frame_groups] {
        let list = parse(bytes, &mut Warnings::default());
        for frames in [0, 1, 9, u32::MAX] {
            for clip in clip_list::clips(&list, frames, 10.0, &mut Warnings::default()) {
                assert!(clip.count >= 1 && clip.end() <= frames && clip.loop_frames <= clip.count, "{clip:?}");
                assert!((0.1..=1000.0).contains(&clip.frames_per_second), "{clip:?}");
            }
        }
    }
    for format in Format::ALL {
        drop(script::parse(bytes, format, &mut |_| None, &mut Warnings::default()));
    }
    let _ = load_tags(bytes, &mut Warnings::default());
}

proptest! {
    #[test]
    fn clip_list_parsers_survive_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survive(&bytes);
    }

    #[test]
    fn clip_list_parsers_survive_arbitrary_words(words in proptest::collection::vec(0..SOUP.len(), 0..200)) {
        let text: Vec<&str> = words.iter().map(|word| SOUP[*word]).collect();
        survive(text.join(" ").as_bytes());
        // The text also serves as a companion file of a model.
        let text = text.join(" ");
        let files: [(&str, &[u8]); 4] = [
            ("a/b/tris.md3", &md3("x")), ("a/b/md3.cfg", text.as_bytes()),
            ("a/b/tris.md3.framegroups", text.as_bytes()), ("a/b/c/md3.cfg", text.as_bytes()),
        ];
        let _ = open(&vfs_of(&files), "a/b/tris.md3");
    }
}
