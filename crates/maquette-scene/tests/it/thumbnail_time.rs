//! Time of a thumbnail of a model with animated materials.

use std::io::Cursor;

use image::{ImageFormat, RgbaImage};
use maquette_assets::material::{ImageLoading, ResolveContext};
use maquette_assets::open::{Assembly, open_in};
use maquette_assets::vfs::Vfs;
use maquette_scene::scene::{Playback, Scene};

use maquette_testing::files::Md3;

#[test]
fn thumbnail_time_is_chosen_where_stages_are_visible() {
    let thumbnail_time = |script: &str| {
        let mut image = Cursor::new(Vec::new());
        RgbaImage::new(2, 2).write_to(&mut image, ImageFormat::Png).unwrap();
        let files = [("scripts/a.shader", script.as_bytes().to_vec()), ("a.tga", image.into_inner())];
        let vfs = Vfs::in_memory(files.map(|(path, bytes)| (path.to_owned(), bytes)).into());
        let model = Md3 { shaders: vec!["a"], ..Md3::typical() }.build();
        let asset = open_in(&vfs, "m/a.md3", &model, &ResolveContext::new(ImageLoading::Decode)).unwrap();
        let scene = Scene::from_assembly(Assembly::from(asset), &Playback::default(), &Scene::default());
        scene.material_time_of_image()
    };
    // 1/0 at 0 s; at 0.4 s the sawtooth is at 1.6 periods.
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sawtooth 0 1 0 4 } }"), 0.4);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 0 1 0 0.5 } }"), 0.4);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 1 0.5 0 4 } }"), 0.0);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod scroll 1 0 } }"), 0.0);
    // The triangle wave is 0 at 0 s, 0.4 at 0.4 s and 0.8 at 0.3 s (1 at a quarter, back to 0 at a half).
    assert_eq!(thumbnail_time("a { { map a.tga\n blendfunc add\n rgbGen wave triangle 0 1 0 1 } }"), 0.3);
    // An opaque stage is visible at any brightness.
    assert_eq!(thumbnail_time("a { { map a.tga\n rgbGen wave triangle 0 1 0 1 } }"), 0.0);
    // A stage that is never visible uses 0 s.
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 0 0 0 1 } }"), 0.0);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod scale 0 0 } }"), 0.0);
}
