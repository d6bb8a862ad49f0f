//! Frame times with plain textures and with shader scripts: `cargo bench --bench frames`. Compare only results of one
//! run, because machines differ.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark may panic")]

use std::io::Cursor;

use divan::Bencher;
use glam::{Affine3A, Vec3};
use maquette::render::{Gpu, PartDraw, RenderRequest, Renderer, Target};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{ImageLoading, MaterialResolver, Origin, ResolveContext, SurfaceMaterial};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::{Format, Model};
use maquette_core::pose::Pose;
use maquette_scene::scene::{Camera, Display, EntityId, LightingMode, Overlay};
use maquette_testing::shapes;

fn main() {
    divan::main();
}

/// Number of surfaces, which are drawn in rows of ten.
const SURFACES: usize = 50;

/// Effects of real game scripts: shine, environment map under a texture, grate, scrolling glow, waving cloth.
const SCRIPTS: &str = "
shine { { map a.png
 rgbGen lightingDiffuse } { map a.png
 blendFunc GL_SRC_ALPHA GL_ONE
 rgbGen lightingDiffuse
 alphaGen lightingSpecular } }
mirror { { map b.png
 tcGen environment
 rgbGen lightingDiffuse } { map a.png
 blendFunc blend
 rgbGen lightingDiffuse } }
grate { cull none
 { map b.png
 alphaFunc GE128
 rgbGen lightingDiffuse
 depthWrite } }
glow { { map a.png
 rgbGen lightingDiffuse } { map b.png
 blendFunc add
 rgbGen wave sin 0.5 0.5 0 1
 tcMod scroll 0.2 1
 tcMod turb 0 0.1 0 0.5 } }
cloth { cull none
 deformVertexes wave 100 sin 0 0.2 0 1
 { map a.png
 rgbGen lightingDiffuse } }
";

const NAMES: [&str; 5] = ["shine", "mirror", "grate", "glow", "cloth"];

fn image_bytes(alpha: bool) -> &'static [u8] {
    let texel = |x: u32, y: u32| {
        let [x, y] = [x, y].map(|at| u8::try_from(at * 2).unwrap());
        image::Rgba([x, y, 255 - x, if alpha { x ^ y } else { 255 }])
    };
    let mut bytes = Cursor::new(Vec::new());
    image::RgbaImage::from_fn(128, 128, texel).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner().leak()
}

fn materials(names: &[&str]) -> Vec<SurfaceMaterial> {
    let files = [("scripts/a.shader", SCRIPTS.as_bytes()), ("a.png", image_bytes(false)), ("b.png", image_bytes(true))];
    let vfs = Vfs::in_memory(files.map(|(path, bytes)| (path.to_owned(), bytes)).to_vec());
    let search = ResolveContext::new(ImageLoading::Decode);
    let mut finder = MaterialResolver::new(&vfs, "model.md3", Format::Md3, None, &search);
    let mut material = |name: &&str| finder.material(name, Origin::Model, &mut Warnings::default());
    let materials: Vec<SurfaceMaterial> = names.iter().cycle().take(SURFACES).map(&mut material).collect();
    assert!(materials.iter().all(|material| material.problem().is_none()));
    materials
}

/// Returns balls arranged in a grid.
fn balls() -> (Model, Pose) {
    let mut shapes = Vec::new();
    for number in 0..SURFACES {
        let position = Vec3::new(0.0, (number % 10) as f32 * 2.2 - 10.0, (number / 10) as f32 * 2.2 - 4.4);
        let mut ball = shapes::ball(1.0);
        ball.positions.iter_mut().for_each(|vertex| *vertex += position);
        shapes.push(ball);
    }
    shapes::model(&shapes, &[])
}

/// Draws a frame of 50 surfaces at 1024 × 768 pixels and waits for the GPU, as during an animation.
fn frame(bencher: Bencher, names: &[&str], lighting: LightingMode) {
    frame_of(bencher, names, lighting, &[]);
}

/// Like [`frame`], but draws only the `visible` surfaces.
fn frame_of(bencher: Bencher, names: &[&str], lighting: LightingMode, visible: &[bool]) {
    let gpu = Gpu::headless().expect("there is an adapter, if only a software one");
    let mut renderer = Renderer::new(&gpu);
    let target = Target::new(&gpu, 1024, 768, gpu.samples(false));
    let (model, pose) = balls();
    renderer.upload(&gpu, EntityId(1), &model, &materials(names));
    let display = Display { lighting, ..Display::default() };
    let mut camera = Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() };
    camera.frame(pose.surfaces.iter().flat_map(|surface| surface.positions.iter().copied()), 1024.0 / 768.0);
    let overlay = Overlay::default();
    let part = PartDraw {
        id: EntityId(1),
        model: &model,
        pose: &pose,
        lod: 0,
        visible,
        outlined: &[],
        world_from_model: Affine3A::IDENTITY,
        light: &LightRule::QUAKE_3,
    };
    let mut seconds = 0.0;
    bencher.bench_local(|| {
        seconds += 0.01;
        let shot = RenderRequest {
            camera: &camera,
            parts: &[part],
            ghosts: &[],
            lines: &overlay,
            display: &display,
            pixels_per_point: 1.0,
            seconds,
            floor: pose.bounds.min.z,
            radius: pose.bounds.radius(),
            centre: pose.bounds.centre(),
        };
        renderer.draw(&gpu, &shot, &target);
        gpu.wait().expect("the device draws");
    });
}

/// Baseline: measures one texture per surface.
#[divan::bench]
fn plain(bencher: Bencher) {
    frame(bencher, &["a.png"], LightingMode::Studio);
}

/// Measures one texture per surface in game lighting.
#[divan::bench]
fn plain_in_game(bencher: Bencher) {
    frame(bencher, &["a.png"], LightingMode::Game);
}

/// Measures five scripts of different kinds, ten times each.
#[divan::bench]
fn scripted(bencher: Bencher) {
    frame(bencher, &NAMES, LightingMode::Studio);
}

/// Measures five scripts of different kinds in game lighting.
#[divan::bench]
fn scripted_in_game(bencher: Bencher) {
    frame(bencher, &NAMES, LightingMode::Game);
}

/// Measures each kind of script separately.
#[divan::bench(args = NAMES)]
fn scripted_with(bencher: Bencher, name: &str) {
    frame(bencher, &[name], LightingMode::Studio);
}

/// Measures the cost of a frame without surfaces.
#[divan::bench]
fn empty(bencher: Bencher) {
    frame_of(bencher, &["a.png"], LightingMode::Studio, &[false; SURFACES]);
}
