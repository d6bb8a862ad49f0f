//! A page of rendered shader effects: one small script per tile, in game lighting, and the last rows in studio
//! lighting. Every tile was checked by eye before the page was committed (`tests/effects/page.png`). The rendering must
//! not change.
//!
//! `MAQUETTE_WRITE_PAGE=1` rewrites the page for a new check. A page that differs is written below `target/`.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::Vec3;
use image::{ImageFormat, Rgba, RgbaImage};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{
    Image, ImageLoading, MaterialResolver, Origin, ResolveContext, SurfaceMaterial, TextureWrap,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::Format;
use maquette_scene::scene::{Background, Display, GameEffect, LightingMode, Overlays, Shading};

use crate::rendering::Stage;
use maquette_testing::shapes::{Shape, ball, square};

/// Pixels per side of a tile, and between tiles.
const TILE: u32 = 64;
const GAP: u32 = 4;
const COLUMNS: u32 = 10;
/// Tolerance per channel, and number of pixels per tile that may exceed it. Adapters round differently.
const TOLERANCE: u8 = 12;
const OUTLIERS: usize = (TILE * TILE / 50) as usize;

/// Returns the images of the scripts: a tile with distinct corners, a spot with transparent surroundings, a sky, a
/// normal map of four bumps, and the height map of those bumps.
fn files() -> Vec<(String, &'static [u8])> {
    let share = |at: u32| (f64::from(at) + 0.5) / 64.0;
    let png = |texel: &dyn Fn(u32, u32) -> [u8; 4]| -> &'static [u8] {
        let mut bytes = Cursor::new(Vec::new());
        let image = RgbaImage::from_fn(64, 64, |x, y| Rgba(texel(x, y)));
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner().leak()
    };
    let tile = png(&|x, y| match (x / 8 + y / 8) % 2 {
        0 if x < 16 && y < 16 => [255, 230, 0, 255],
        0 => [220, (x * 3) as u8, (y * 3) as u8, 255],
        _ => [40, 60, 90, 255],
    });
    let spot = png(&|x, y| {
        let away = ((share(x) - 0.5).hypot(share(y) - 0.5) * 2.0).min(1.0);
        [255, 160, 60, (255.0 * (1.0 - away)) as u8]
    });
    let sky = png(&|x, y| if y < 32 { [40, (y * 6) as u8, 255, 255] } else { [(x * 4) as u8, 120, 30, 255] });
    // Four bumps in each direction with cos² profile.
    let wave = |at: f64| (at * 4.0 * std::f64::consts::PI).sin();
    let height = |x: u32, y: u32| wave(share(x)).powi(2) * wave(share(y)).powi(2);
    let heights = png(&|x, y| {
        let level = (255.0 * height(x, y)) as u8;
        [level, level, level, 255]
    });
    let bumps = png(&|x, y| {
        let slope = |of: &dyn Fn(i32) -> f64| (of(-1) - of(1)) * 6.0;
        let near = |at: u32, by: i32| (at as i32 + by).rem_euclid(64) as u32;
        let normal = [slope(&|by| height(near(x, by), y)), slope(&|by| height(x, near(y, by))), 1.0];
        let length = normal.iter().map(|value| value * value).sum::<f64>().sqrt();
        let [red, green, blue] = normal.map(|value| ((value / length + 1.0) * 127.5) as u8);
        [red, green, blue, 255]
    });
    let images = [("tile", tile), ("spot", spot), ("sky", sky), ("heights", heights), ("bumps", bumps)];
    let mut files: Vec<(String, &'static [u8])> = images.map(|(name, bytes)| (format!("{name}.png"), bytes)).to_vec();
    files.push(("scripts/effects.shader".to_owned(), include_bytes!("../effects/effects.shader")));
    files.push(("materials/effects.mtr".to_owned(), include_bytes!("../effects/effects.mtr")));
    files
}

/// Model in a tile.
#[derive(Clone, Copy)]
enum On {
    Ball,
    /// A square that faces the camera.
    Square,
    /// A plain square, and a second square in the same plane.
    Coplanar,
    /// A square of `late` in front of a square of `early`, in file order. The later `sort` is drawn over the earlier
    /// one.
    Sorted,
    Turned,
    /// A horizontal strip in q3map's order.
    Strip,
}

/// Script names in page order, with their model and time in seconds.
const IN_GAME: [(&str, On, f64); 44] = [
    ("plain", On::Ball, 0.0),
    ("lit", On::Ball, 0.0),
    ("add", On::Ball, 0.0),
    ("filter", On::Ball, 0.0),
    ("blend", On::Ball, 0.0),
    ("double", On::Ball, 0.0),
    ("screen", On::Ball, 0.0),
    ("glass", On::Ball, 0.0),
    ("holes0", On::Square, 0.0),
    ("holes1", On::Square, 0.0),
    ("holes2", On::Square, 0.0),
    ("inside", On::Ball, 0.0),
    ("tinted", On::Ball, 0.0),
    ("pulse", On::Ball, 0.1),
    ("fade", On::Ball, 0.6),
    ("shine", On::Ball, 0.0),
    ("distance", On::Ball, 0.0),
    ("chrome", On::Ball, 0.0),
    ("oil", On::Ball, 0.3),
    ("projected", On::Ball, 0.0),
    ("scale", On::Square, 0.0),
    ("scroll", On::Square, 0.25),
    ("rotate", On::Square, 0.25),
    ("stretch", On::Square, 0.25),
    ("transform", On::Square, 0.0),
    ("turb", On::Square, 0.0),
    ("order", On::Square, 0.5),
    ("clamp", On::Square, 0.0),
    ("film", On::Square, 0.6),
    ("wave", On::Ball, 0.2),
    ("bulge", On::Ball, 0.5),
    ("move", On::Ball, 0.2),
    ("sprite", On::Turned, 0.0),
    ("strip", On::Strip, 0.0),
    ("decal", On::Coplanar, 0.0),
    ("late", On::Sorted, 0.0),
    ("implicit", On::Ball, 0.0),
    ("implicitGlass", On::Ball, 0.0),
    ("implicitHoles", On::Square, 0.0),
    ("hidden", On::Ball, 0.0),
    ("lacking", On::Ball, 0.0),
    ("nowhere", On::Ball, 0.0),
    ("lost", On::Ball, 0.0),
    ("relief", On::Ball, 0.0),
];

const DOOM: [(&str, On, f64); 24] = [
    ("doom/diffuse", On::Ball, 0.0),
    ("doom/bump", On::Ball, 0.0),
    ("doom/heights", On::Ball, 0.0),
    ("doom/both", On::Ball, 0.0),
    ("doom/smooth", On::Ball, 0.0),
    ("doom/specular", On::Ball, 0.0),
    ("doom/glow", On::Ball, 0.0),
    ("doom/blend", On::Ball, 0.0),
    ("doom/filter", On::Ball, 0.0),
    ("doom/holes", On::Square, 0.0),
    ("doom/glass", On::Square, 0.0),
    ("doom/tinted", On::Ball, 0.0),
    ("doom/pulse", On::Ball, 0.25),
    ("doom/blink", On::Ball, 0.3),
    ("doom/scroll", On::Square, 0.25),
    ("doom/rotate", On::Square, 0.5),
    ("doom/centre", On::Square, 1.0),
    ("doom/shear", On::Square, 0.0),
    ("doom/sometimes", On::Ball, 2.0),
    ("doom/inverted", On::Square, 0.0),
    ("doom/intensity", On::Square, 0.0),
    ("doom/alpha", On::Square, 0.0),
    ("doom/sum", On::Square, 0.0),
    ("doom/scaled", On::Square, 0.0),
];

/// Additional tiles: lit, glow, mirror, holes, missing image and normal maps in studio lighting, and one tile in plain
/// lighting.
const IN_STUDIO: [(&str, LightingMode); 11] = [
    ("lit", LightingMode::Studio),
    ("add", LightingMode::Studio),
    ("chrome", LightingMode::Studio),
    ("holes2", LightingMode::Studio),
    ("lacking", LightingMode::Studio),
    ("nowhere", LightingMode::Studio),
    ("lost", LightingMode::Studio),
    ("doom/bump", LightingMode::Studio),
    ("doom/specular", LightingMode::Studio),
    ("add", LightingMode::Plain),
    ("doom/specular", LightingMode::Plain),
];

fn shapes(on: On) -> Vec<Shape> {
    let moved = |mut shape: Shape, turn: &dyn Fn(Vec3) -> Vec3| {
        shape.positions.iter_mut().for_each(|position| *position = turn(*position));
        shape.normals.iter_mut().for_each(|normal| *normal = turn(*normal).normalize_or(Vec3::Z));
        shape
    };
    match on {
        On::Ball => vec![ball(1.4)],
        On::Square => vec![moved(square(Vec3::ZERO), &|p| p * 1.3)],
        On::Coplanar => vec![square(Vec3::ZERO), square(Vec3::ZERO)],
        On::Sorted => vec![moved(square(Vec3::X), &|p| p * 0.8), square(Vec3::ZERO)],
        On::Turned => vec![moved(square(Vec3::ZERO), &|p| Vec3::new(-p.y * 0.9, p.x, p.z))],
        On::Strip => {
            // Horizontal, long from left to right, seen edge-on.
            let mut strip = moved(square(Vec3::ZERO), &|p| Vec3::new(p.z * 0.3, p.y * 1.4, 0.0));
            strip.triangles = vec![[3, 0, 2], [2, 0, 1]];
            vec![strip]
        }
    }
}

fn materials(names: &[&str], format: Format) -> Vec<SurfaceMaterial> {
    let vfs = Vfs::in_memory(files());
    let search = ResolveContext::new(ImageLoading::Decode);
    let mut finder = MaterialResolver::new(&vfs, "model", format, None, &search);
    let mut warnings = Warnings::default();
    let materials = names.iter().map(|name| finder.material(name, Origin::Model, &mut warnings)).collect();
    assert_eq!(warnings.into_vec(), []);
    materials
}

/// Renders one tile; `None` without a GPU.
fn tile(name: &str, on: On, seconds: f64, lighting: LightingMode) -> Option<RgbaImage> {
    let names: &[&str] = match on {
        On::Coplanar => &["plain", name],
        On::Sorted => &["late", "early"],
        _ => &[name],
    };
    let format = if name.starts_with("doom/") { Format::Md5 } else { Format::Md3 };
    let mut materials = materials(names, format);
    let is_hidden: Vec<bool> = materials.iter().map(|material| !material.hidden).collect();
    (0..).zip(&mut materials).for_each(|(rank, material)| material.sort_tiebreak = rank);
    let mut stage = Stage::new(&shapes(on), materials);
    stage.visible = is_hidden;
    stage.seconds = seconds;
    stage.camera.yaw = 20.0;
    stage.camera.pitch = if matches!(on, On::Strip) { 0.0 } else { 15.0 };
    stage.display = Display {
        overlays: Overlays::default(),
        lighting,
        shading: Shading::Textured,
        background: Background::Colour([64, 64, 72]),
        ..Display::default()
    };
    stage.draw()
}

fn page() -> Option<RgbaImage> {
    let game = IN_GAME.iter().chain(&DOOM).map(|(name, on, seconds)| (*name, *on, *seconds, LightingMode::Game));
    let on =
        |name: &str| IN_GAME.iter().chain(&DOOM).find(|(other, ..)| *other == name).map_or(On::Ball, |(_, on, _)| *on);
    let studio = IN_STUDIO.iter().map(|(name, lighting)| (*name, on(name), 0.0, *lighting));
    let tiles: Option<Vec<RgbaImage>> =
        game.chain(studio).map(|(name, on, seconds, lighting)| tile(name, on, seconds, lighting)).collect();
    let tiles = tiles?;
    let rows = u32::try_from(tiles.len()).unwrap().div_ceil(COLUMNS);
    let mut page =
        RgbaImage::from_pixel(COLUMNS * (TILE + GAP) + GAP, rows * (TILE + GAP) + GAP, Rgba([24, 24, 26, 255]));
    for (number, tile) in (0..).zip(&tiles) {
        let (column, row) = (number % COLUMNS, number / COLUMNS);
        let offset = |at: u32| i64::from(at * (TILE + GAP) + GAP);
        image::imageops::replace(&mut page, tile, offset(column), offset(row));
    }
    Some(page)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/effects")
}

#[test]
fn effects_page_matches_stored_image() {
    let Some(actual) = page() else { return };
    let path = folder().join("page.png");
    if std::env::var_os("MAQUETTE_WRITE_PAGE").is_some() {
        actual.save(&path).unwrap();
        return;
    }
    let expected = image::open(&path).unwrap().into_rgba8();
    assert_eq!(actual.dimensions(), expected.dimensions(), "another page: look at it and write it anew");
    let count = IN_GAME.len() + DOOM.len() + IN_STUDIO.len();
    let names: Vec<&str> =
        IN_GAME.iter().chain(&DOOM).map(|(name, ..)| *name).chain(IN_STUDIO.iter().map(|(name, _)| *name)).collect();
    let mut wrong = Vec::new();
    for number in 0..u32::try_from(count).unwrap() {
        let corner = [number % COLUMNS, number / COLUMNS].map(|at| at * (TILE + GAP) + GAP);
        let pixels = (0..TILE).flat_map(|y| (0..TILE).map(move |x| (corner[0] + x, corner[1] + y)));
        let differs = |(x, y): &(u32, u32)| {
            let (a, b) = (actual.get_pixel(*x, *y).0, expected.get_pixel(*x, *y).0);
            a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > TOLERANCE)
        };
        let off = pixels.filter(differs).count();
        if off > OUTLIERS {
            wrong.push(format!("{} ({number}): {off} pixels", names[number as usize]));
        }
    }
    if !wrong.is_empty() {
        let seen = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/effects.png");
        actual.save(&seen).unwrap();
        panic!("{}; drawn: {}", wrong.join(", "), seen.display());
    }
}

#[test]
fn every_page_script_has_a_tile() {
    let scripts = [include_str!("../effects/effects.shader"), include_str!("../effects/effects.mtr")].concat();
    let named = |line: &&str| line.starts_with(|c: char| c.is_alphabetic()) && !line.starts_with("table");
    let shown = |name: &str| IN_GAME.iter().chain(&DOOM).any(|(other, ..)| *other == name);
    for line in scripts.lines().filter(named) {
        let name = line.split_whitespace().next().unwrap();
        assert!(shown(name) || name == "early", "{name} has no tile");
    }
}

#[test]
fn bump_map_is_lit_from_light_direction() {
    // A white dome on a square that faces the camera at +X. The light comes from above and from the right (+Y), so its
    // upper right is lighter than its lower left.
    let dome = image::GrayImage::from_fn(64, 64, |x, y| {
        let away = (f64::from(x) - 31.5).hypot(f64::from(y) - 31.5) / 28.0;
        image::Luma([(255.0 * (1.0 - away.min(1.0).powi(2)).sqrt()) as u8])
    });
    let mut bytes = Cursor::new(Vec::new());
    dome.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let material = b"dome { diffusemap scale(_white, 0.5, 0.5, 0.5, 1) bumpmap heightmap(dome.png, 12) }";
    let files =
        vec![("dome.png".to_owned(), &*bytes.into_inner().leak()), ("materials/a.mtr".to_owned(), material.as_slice())];
    let vfs = Vfs::in_memory(files);
    let search = ResolveContext::new(ImageLoading::Decode);
    let material = MaterialResolver::new(&vfs, "m", Format::Md5, None, &search).material(
        "dome",
        Origin::Model,
        &mut Warnings::default(),
    );
    for look_at in [LightingMode::Game, LightingMode::Studio] {
        let mut stage = Stage::new(&shapes(On::Square), vec![material.clone()]);
        stage.display.lighting = look_at;
        stage.display.shading = Shading::Textured;
        let Some(image) = stage.draw() else { return };
        let brightness = |x: u32, y: u32| {
            let near = (0..5).flat_map(|right| (0..5).map(move |down| (x + right, y + down)));
            near.map(|(x, y)| u32::from(image.get_pixel(x, y).0[1])).sum::<u32>()
        };
        // The square fills the middle. Sample points are at a third of the distance to its edge.
        let (high, low) = (brightness(30, 22), brightness(30, 38));
        assert!(high > low + 25, "{look_at:?}: above {high}, below {low}");
    }
}

#[test]
fn game_lighting_matches_engine_formula() {
    // White, facing +X: 182 + 150 · 0.428571 is 246.28, which is truncated to 246.
    let files = [("scripts/a.shader".to_owned(), b"a { { map $whiteimage\n rgbGen lightingDiffuse } }".as_slice())];
    let vfs = Vfs::in_memory(files.to_vec());
    let search = ResolveContext::new(ImageLoading::Decode);
    let material = MaterialResolver::new(&vfs, "m", Format::Md3, None, &search).material(
        "a",
        Origin::Model,
        &mut Warnings::default(),
    );
    let mut stage = Stage::new(&shapes(On::Square), vec![material]);
    stage.display.lighting = LightingMode::Game;
    stage.display.shading = Shading::Textured;
    let Some(image) = stage.draw() else { return };
    assert_eq!(image.get_pixel(32, 32).0, [246, 246, 246, 255]);
}

#[test]
fn game_lighting_follows_rule_of_engine() {
    let grey = || Arc::new(Image::of_colour([100, 100, 100, 255]));
    // Grey 100, facing +X. Quake III: 246/255. Quake: 0.96 · (1 + √½), above 1. Quake II: 1, because 1 + √½ is cut, and
    // twice that with its default intensity.
    let [quake3, quake, quake2] = [&LightRule::QUAKE_3, &LightRule::QUAKE, &LightRule::QUAKE_2];
    for (light, expected) in [(quake3, 96), (quake, 164), (quake2, 100), (&LightRule::QUAKE_2_BRIGHT, 200)] {
        let material = SurfaceMaterial::of_image("a", "a", grey(), TextureWrap::Repeat);
        let mut stage = Stage::new(&shapes(On::Square), vec![material]);
        (stage.display.lighting, stage.display.shading) = (LightingMode::Game, Shading::Textured);
        stage.light = light;
        let Some(image) = stage.draw() else { return };
        assert_eq!(image.get_pixel(32, 32).0, [expected, expected, expected, 255], "{}", light.name);
    }
}

#[test]
fn effects_of_quake_2_change_light_opacity_and_outline() {
    // Grey 100, facing +X, on black, and a pixel outside of the square, which a shell of 4 units covers.
    let shell = GameEffect::Shell([255, 0, 0]);
    let effects = [
        (GameEffect::None, [100; 3], [0; 3]),
        (GameEffect::Translucent, [70; 3], [0; 3]),
        (shell, [147, 70, 70], [77, 0, 0]),
    ];
    for (effect, inside, outside) in effects {
        let grey = Arc::new(Image::of_colour([100, 100, 100, 255]));
        let material = SurfaceMaterial::of_image("a", "a", grey, TextureWrap::Repeat);
        let mut stage = Stage::new(&shapes(On::Square), vec![material]);
        (stage.display.lighting, stage.display.shading) = (LightingMode::Game, Shading::Textured);
        stage.display.background = Background::Colour([0; 3]);
        (stage.display.game_effect, stage.light) = (effect, &LightRule::QUAKE_2);
        let Some(image) = stage.draw() else { return };
        for (x, y, expected) in [(32, 32, inside), (1, 1, outside)] {
            let [red, green, blue, _] = image.get_pixel(x, y).0;
            let off = [red, green, blue].into_iter().zip(expected).map(|(own, wanted): (u8, u8)| own.abs_diff(wanted));
            assert!(off.max() <= Some(1), "{effect:?} at {x}: {red} {green} {blue}, not {expected:?}");
        }
    }
}

#[test]
fn glow_of_quake_2_pulses_where_light_is_not_full() {
    // Grey 100. Averted: 255 · (1 − 13/44 · √½) = 201.7, times 1 + 0.1 · sin(7 · time), cut to 201, 221 and 181. The
    // light is at most 255, so a face towards it is never brighter.
    let quarter = std::f64::consts::PI / 14.0;
    for (normal, seconds, expected) in
        [(-Vec3::X, 0.0, 79), (-Vec3::X, quarter, 87), (-Vec3::X, 3.0 * quarter, 71), (Vec3::X, quarter, 100)]
    {
        let grey = Arc::new(Image::of_colour([100, 100, 100, 255]));
        let material = SurfaceMaterial::of_image("a", "a", grey, TextureWrap::Repeat);
        let mut shapes = shapes(On::Square);
        shapes[0].normals.fill(normal);
        let mut stage = Stage::new(&shapes, vec![material]);
        (stage.display.lighting, stage.display.shading) = (LightingMode::Game, Shading::Textured);
        (stage.display.game_effect, stage.light) = (GameEffect::Glow, &LightRule::QUAKE_2);
        stage.seconds = seconds;
        let Some(image) = stage.draw() else { return };
        assert_eq!(image.get_pixel(32, 32).0, [expected, expected, expected, 255], "{normal} at {seconds}");
    }
}

#[test]
fn interactions_add_lights_without_cutting_them_before_the_texture() {
    // Grey 100, facing +X. The colour of a light is doubled; 127 of 127.5 are left of unit vectors. A point light fades by
    // the square of the distance across and along it: the square is half its radius away.
    let lights: [(&[&str], u8); 4] = [
        (&["parallel towards=1,0,0 color=0.75,0.75,0.75"], 149),
        (&["parallel towards=-1,0,0", "parallel towards=0.6,0.8,0 color=0.5,0.5,0.5"], 60),
        (&["ambient color=0.5,0.5,0.5", "ambient color=0.25,0.25,0.25"], 117),
        (&["point origin=1,0,0 radius=2,2,2"], 149),
    ];
    for (texts, expected) in lights {
        let grey = Arc::new(Image::of_colour([100, 100, 100, 255]));
        let material = SurfaceMaterial::of_image("a", "a", grey, TextureWrap::Repeat);
        let mut stage = Stage::new(&shapes(On::Square), vec![material]);
        (stage.display.lighting, stage.display.shading) = (LightingMode::Game, Shading::Textured);
        stage.display.game_lights = texts.iter().map(|text| text.parse().unwrap()).collect();
        stage.light = &LightRule::DOOM_3;
        let Some(image) = stage.draw() else { return };
        let [red, green, blue, _] = image.get_pixel(32, 32).0;
        assert!(red.abs_diff(expected) <= 2 && red == green && green == blue, "{texts:?}: {red}, not {expected}");
    }
}

#[test]
fn additive_glow_sets_alpha_by_brightness() {
    let files = [(
        "scripts/a.shader".to_owned(),
        b"a { { map $whiteimage\n blendFunc add\n rgbGen const ( 1 0.5 0 ) } }".as_slice(),
    )];
    let vfs = Vfs::in_memory(files.to_vec());
    let search = ResolveContext::new(ImageLoading::Decode);
    let material = MaterialResolver::new(&vfs, "m", Format::Md3, None, &search).material(
        "a",
        Origin::Model,
        &mut Warnings::default(),
    );
    let mut stage = Stage::new(&shapes(On::Square), vec![material]);
    stage.display = Display {
        overlays: Overlays::default(),
        lighting: LightingMode::Game,
        shading: Shading::Textured,
        ..Display::default()
    };
    stage.display.background = Background::Transparent;
    let Some(image) = stage.draw() else { return };
    assert_eq!(image.get_pixel(32, 32).0, [255, 127, 0, 255]);
    assert_eq!(image.get_pixel(0, 0).0, [0; 4]);
}

#[test]
fn editor_image_replaces_script_without_images_in_studio() {
    let mut files = files();
    files.push(("scripts/b.shader".to_owned(), b"gone { qer_editorimage sky.png\n { map nowhere.png } }"));
    let vfs = Vfs::in_memory(files);
    let search = ResolveContext::new(ImageLoading::Decode);
    let material = MaterialResolver::new(&vfs, "m", Format::Md3, None, &search).material(
        "gone",
        Origin::Model,
        &mut Warnings::default(),
    );
    let mut stage = Stage::new(&shapes(On::Square), vec![material]);
    stage.display.lighting = LightingMode::Studio;
    stage.display.shading = Shading::Textured;
    let Some(image) = stage.draw() else { return };
    // The upper half of the sky is blue.
    let [red, _, blue, _] = image.get_pixel(32, 24).0;
    assert!(blue > red + 60, "{red} {blue}");
}
