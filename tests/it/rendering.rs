//! Renderings of simple shapes at small size.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use glam::{Affine3A, Vec3};
use image::RgbaImage;
use maquette::output::SceneRenderer;
use maquette::render::{Gpu, PartDraw, RenderRequest, Renderer, Target, snapshot};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{DrawnFaces, Image, InGame, Origin, SurfaceMaterial, TextureWrap, mip_levels};
use maquette_assets::open::open_sample;
use maquette_core::model::{Format, Model};
use maquette_core::pose::Pose;
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, Camera, Choices as _, ColourTheme, Display, EntityId, Layer, LightingMode,
    Overlay, OverlayKind, Overlays, Projection, Shading, TextureFilter, Wireframe,
};
use maquette_scene::session::Session;

use maquette_testing::shapes::{Shape, ball, model, square};

const SIZE: u32 = 64;

/// Returns the shared GPU. Without one the test prints a message and passes, unless `MAQUETTE_REQUIRE_GPU` is 1.
fn device() -> Option<MutexGuard<'static, (Gpu, Renderer)>> {
    static DEVICE: OnceLock<Option<Mutex<(Gpu, Renderer)>>> = OnceLock::new();
    let device = DEVICE.get_or_init(|| match Gpu::headless() {
        Ok(gpu) => {
            let renderer = Renderer::new(&gpu);
            Some(Mutex::new((gpu, renderer)))
        }
        Err(error) => {
            assert!(std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none_or(|value| value != "1"), "{error}");
            None
        }
    });
    if device.is_none() {
        eprintln!("skipped: no adapter");
    }
    device.as_ref().map(|device| device.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Scene with one model, seen from the front on a black background.
pub struct Stage {
    model: Model,
    pose: Pose,
    materials: Vec<SurfaceMaterial>,
    pub camera: Camera,
    pub display: Display,
    pub visible: Vec<bool>,
    pub seconds: f64,
    pub light: &'static LightRule,
    outlined: Vec<bool>,
    overlay: Overlay,
    floor: f32,
}

impl Stage {
    pub fn new(shapes: &[Shape], materials: Vec<SurfaceMaterial>) -> Self {
        let (model, pose) = model(shapes, &[]);
        let display = Display {
            overlays: Overlays::default(),
            background: Background::Colour([0, 0, 0]),
            shading: Shading::Unlit,
            ..Display::default()
        };
        let camera = Camera { yaw: 0.0, pitch: 0.0, distance: 8.0, ..Camera::default() };
        let (visible, outlined) = (vec![], vec![]);
        Self {
            model,
            pose,
            materials,
            camera,
            display,
            visible,
            outlined,
            seconds: 0.0,
            light: &LightRule::QUAKE_3,
            overlay: Overlay::default(),
            floor: -1.0,
        }
    }

    pub fn draw(&self) -> Option<RgbaImage> {
        let mut device = device()?;
        let (gpu, renderer) = &mut *device;
        renderer.upload(gpu, EntityId(1), &self.model, &self.materials);
        let image = self.shoot(gpu, renderer);
        renderer.remove(EntityId(1));
        Some(image)
    }

    /// Draws an image without uploading.
    fn shoot(&self, gpu: &Gpu, renderer: &mut Renderer) -> RgbaImage {
        let part = PartDraw {
            id: EntityId(1),
            model: &self.model,
            pose: &self.pose,
            lod: 0,
            visible: &self.visible,
            outlined: &self.outlined,
            world_from_model: Affine3A::IDENTITY,
            light: self.light,
        };
        let shot = RenderRequest {
            camera: &self.camera,
            parts: &[part],
            ghosts: &[],
            lines: &self.overlay,
            display: &self.display,
            pixels_per_point: 1.0,
            seconds: self.seconds,
            floor: self.floor,
            radius: self.pose.bounds.radius().max(1.0),
            centre: self.pose.bounds.centre(),
        };
        snapshot(gpu, renderer, &shot, SIZE, SIZE).expect("the picture is drawn")
    }
}

fn look(image: Option<Image>) -> SurfaceMaterial {
    match image {
        Some(image) => SurfaceMaterial::of_image("test", "test", Arc::new(image), TextureWrap::Repeat),
        None => SurfaceMaterial::missing("test", Origin::Model),
    }
}

fn textured(width: u32, height: u32, texels: &[[u8; 4]]) -> SurfaceMaterial {
    look(Some(Image::new(width, height, texels.concat())))
}

fn plain(colour: [u8; 4]) -> Vec<SurfaceMaterial> {
    vec![textured(1, 1, &[colour])]
}

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const WHITE: [u8; 4] = [255; 4];
const BLACK: [u8; 4] = [0, 0, 0, 255];

fn at(image: &RgbaImage, x: u32, y: u32) -> [u8; 4] {
    image.get_pixel(x, y).0
}

fn middle(image: &RgbaImage) -> [u8; 4] {
    at(image, SIZE / 2, SIZE / 2)
}

fn brightness([red, green, blue, _]: [u8; 4]) -> u32 {
    u32::from(red) + u32::from(green) + u32::from(blue)
}

#[test]
fn clockwise_faces_are_drawn_and_backfaces_culled() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(RED));
    let Some(front) = stage.draw() else { return };
    assert_eq!(middle(&front), RED);
    assert_eq!(at(&front, 1, 1), BLACK);
    stage.camera.yaw = 180.0;
    assert_eq!(stage.draw().map(|back| middle(&back)), Some(BLACK));
    stage.display.sides = BackfaceDisplay::Both;
    assert_eq!(stage.draw().map(|back| middle(&back)), Some(RED));
}

#[test]
fn vertex_colours_tint_the_textures_of_a_gltf_only() {
    // 188 is the linear half; half of it is a linear quarter, which sRGB stores as 137.
    let half = [188, 188, 188, 255];
    let draw = |format: Format, shading: Shading, both_sides: bool| {
        let mut material = plain(half);
        if both_sides {
            Arc::make_mut(&mut material[0].definition).sides = DrawnFaces::Both;
        }
        let mut stage = Stage::new(&[square(Vec3::ZERO)], material);
        let mut parts = stage.model.clone().into_parts();
        parts.format = format;
        Arc::make_mut(&mut parts.surfaces[0].data).colours = Some([i32::from_le_bytes(half); 4].into());
        stage.model = Model::new(parts).expect("colours fit");
        stage.display.shading = shading;
        stage.draw().map(|image| middle(&image))
    };
    let Some(unlit) = draw(Format::Gltf, Shading::Unlit, false) else { return };
    assert!(unlit[..3].iter().all(|part| part.abs_diff(137) <= 1), "{unlit:?}");
    assert_eq!(draw(Format::Iqm, Shading::Unlit, false), Some(half));
    for format in [Format::Gltf, Format::Iqm] {
        let shown = draw(format, Shading::VertexColours, false).unwrap_or_default();
        assert!(shown.iter().zip(half).all(|(got, want)| got.abs_diff(want) <= 1), "{shown:?}");
    }
    for both_sides in [false, true] {
        let [gltf, iqm] =
            [Format::Gltf, Format::Iqm].map(|format| draw(format, Shading::Textured, both_sides).unwrap_or_default());
        assert!(brightness(gltf) + 60 < brightness(iqm), "{gltf:?} {iqm:?}");
    }
}

#[test]
fn thousands_of_two_sided_surfaces_are_drawn() {
    let mut shapes: Vec<Shape> = (0..9000).map(|_| square(Vec3::new(0.0, 30.0, 0.0))).collect();
    shapes.push(square(Vec3::ZERO));
    let mut material = plain(RED).remove(0);
    Arc::make_mut(&mut material.definition).sides = DrawnFaces::Both;
    let mut stage = Stage::new(&shapes, vec![material; 9001]);
    stage.display.shading = Shading::Textured;
    let Some(image) = stage.draw() else { return };
    let [red, green, blue, _] = middle(&image);
    assert!(red > 80 && red > 2 * green.max(blue), "{:?}", middle(&image));
}

#[test]
fn textures_are_upright_and_not_mirrored() {
    let materials = vec![textured(2, 2, &[RED, GREEN, BLUE, WHITE])];
    for projection in [Projection::Perspective, Projection::Orthographic] {
        let mut stage = Stage::new(&[square(Vec3::ZERO)], materials.clone());
        stage.camera.projection = projection;
        let Some(image) = stage.draw() else { return };
        // The square fills the middle half of the image. Near its corners, pixels have the pure colour of a texel.
        let corners = [(22, 22), (41, 22), (22, 41), (41, 41)].map(|(x, y)| at(&image, x, y));
        for (got, want) in corners.into_iter().zip([RED, GREEN, BLUE, WHITE]) {
            let away = got.iter().zip(want).map(|(got, want)| got.abs_diff(want)).max();
            assert!(away < Some(90), "{projection:?}: {got:?} should be near {want:?}");
        }
    }
}

#[test]
fn texture_filter_decides_how_texels_blend() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], vec![textured(2, 2, &[RED, GREEN, BLUE, WHITE])]);
    // A texel is 16 pixels wide. Linear interpolation of a repeating texture has pure colours only at texel centres;
    // `Sharp` blends over one pixel.
    for (filter, blended) in
        [(TextureFilter::Linear, 26..=28), (TextureFilter::Sharp, 0..=2), (TextureFilter::Nearest, 0..=0)]
    {
        stage.display.texture_filter = filter;
        let Some(image) = stage.draw() else { return };
        let row = (18..SIZE - 18).map(|x| at(&image, x, 20));
        let count = row.filter(|pixel| ![RED, GREEN].contains(pixel)).count();
        assert!(blended.contains(&count), "{filter:?}: {count} blended pixels");
    }
}

#[test]
fn minified_texture_is_averaged_with_every_filter() {
    let texels: Vec<[u8; 4]> = (0..128 * 128).map(|i| if (i + i / 128) % 2 == 0 { WHITE } else { BLACK }).collect();
    let mut stage = Stage::new(&[square(Vec3::ZERO)], vec![textured(128, 128, &texels)]);
    for filter in TextureFilter::all() {
        stage.display.texture_filter = filter;
        let Some(image) = stage.draw() else { return };
        let value = middle(&image)[0];
        assert!(value.abs_diff(127) < 12, "{filter:?}: {value}");
    }
}

#[test]
fn hard_light_has_more_contrast_than_soft_light() {
    let mut stage = Stage::new(&[ball(1.0)], plain([150, 150, 150, 255]));
    stage.display.shading = Shading::Textured;
    let mut contrasts = Vec::new();
    for lighting in [LightingMode::Soft, LightingMode::Studio, LightingMode::Hard] {
        stage.display.lighting = lighting;
        let Some(image) = stage.draw() else { return };
        contrasts.push(contrast(at(&image, 26, 25), at(&image, 40, 42)));
    }
    assert!(contrasts.is_sorted_by(|a, b| a * 1.2 < *b), "{contrasts:?}");
}

#[test]
fn light_shines_through_cutouts_only() {
    let clear = [0, 0, 255, 0];
    let leaf = textured(2, 1, &[[90, 90, 90, 255], clear]).with_image_transparency();
    let card = textured(2, 1, &[[90, 90, 90, 255], clear]);
    let behind = |material: SurfaceMaterial| {
        let mut stage = Stage::new(&[square(Vec3::ZERO)], vec![material]);
        stage.display.shading = Shading::Textured;
        // The key light is behind the square.
        stage.display.light.azimuth = 180.0;
        stage.draw().map(|image| brightness(at(&image, SIZE / 2 - 6, SIZE / 2)))
    };
    let (Some(leaf), Some(card)) = (behind(leaf), behind(card)) else { return };
    assert!(leaf > card + 60, "leaf {leaf}, opaque card {card}");
}

#[test]
fn missing_texture_shows_checkerboard() {
    let stage = Stage::new(&[square(Vec3::ZERO)], vec![look(None)]);
    let Some(image) = stage.draw() else { return };
    // There are 16 squares across about 30 pixels, so pixels have both colours and mixtures of them only.
    let pixels: Vec<_> = (20..44).flat_map(|x| (20..44).map(move |y| (x, y))).map(|(x, y)| at(&image, x, y)).collect();
    assert!(pixels.iter().any(|[_, green, _, _]| *green < 125), "no purple");
    assert!(pixels.iter().any(|[_, green, _, _]| *green > 165), "no grey");
    assert!(pixels.iter().all(|[red, green, blue, _]| *red >= 160 && *green >= 90 && *blue >= 189));
}

#[test]
fn undrawn_surface_is_a_ghost_in_studio_only() {
    let script = Some(("scripts/x.shader".to_owned(), 1));
    let undrawn = SurfaceMaterial { script, in_game: InGame::Stages(0), ..look(None) };
    assert!(undrawn.is_undrawn() && !undrawn.is_missing() && undrawn.problem().is_none());
    let mut stage = Stage::new(&[square(Vec3::X), square(Vec3::ZERO)], vec![undrawn, textured(1, 1, &[GREEN])]);
    stage.display.shading = Shading::Textured;
    let Some(ghost) = stage.draw() else { return };
    stage.visible = vec![false, true];
    let Some(without) = stage.draw() else { return };
    let (ghost, without) = (middle(&ghost), middle(&without));
    assert_ne!(ghost, without, "it is seen");
    let away = ghost.iter().zip(without).map(|(one, other)| one.abs_diff(other)).max();
    assert!(away < Some(64), "but faintly: {ghost:?} over {without:?}");
    stage.visible = vec![true, true];
    stage.display.lighting = LightingMode::Game;
    let Some(game) = stage.draw() else { return };
    stage.visible = vec![false, true];
    assert_eq!(stage.draw().map(|image| middle(&image)), Some(middle(&game)), "nothing in the game");
}

#[test]
fn hidden_surfaces_are_not_drawn() {
    let shapes = [square(Vec3::ZERO), square(Vec3::X)];
    let mut stage = Stage::new(&shapes, vec![textured(1, 1, &[RED]), textured(1, 1, &[GREEN])]);
    let Some(image) = stage.draw() else { return };
    assert_eq!(middle(&image), GREEN);
    stage.visible = vec![true, false];
    assert_eq!(stage.draw().map(|image| middle(&image)), Some(RED));
    stage.visible = vec![false, false];
    assert_eq!(stage.draw().map(|image| middle(&image)), Some(BLACK));
}

#[test]
fn nearer_surface_hides_farther_in_any_order() {
    let shapes = [square(Vec3::X), square(Vec3::ZERO)];
    let stage = Stage::new(&shapes, vec![textured(1, 1, &[GREEN]), textured(1, 1, &[RED])]);
    let Some(image) = stage.draw() else { return };
    assert_eq!(middle(&image), GREEN);
}

#[test]
fn alpha_mode_ignores_tests_or_blends() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain([200, 100, 0, 102]));
    let Some(image) = stage.draw() else { return };
    assert_eq!(middle(&image), [200, 100, 0, 255]);
    stage.display.alpha = Alpha::Test;
    assert_eq!(stage.draw().map(|image| middle(&image)), Some(BLACK));
    stage.display.alpha = Alpha::Blend;
    assert_eq!(stage.draw().map(|image| middle(&image)), Some([80, 40, 0, 255]));
    // The saved image has straight alpha, so its colour is the texel's own.
    stage.display.background = Background::Transparent;
    let Some([red, green, blue, alpha]) = stage.draw().map(|image| middle(&image)) else { return };
    assert_eq!(alpha, 102);
    assert!(red.abs_diff(200) <= 2 && green.abs_diff(100) <= 2 && blue == 0, "{red} {green} {blue}");
}

#[test]
fn transparent_background_has_zero_alpha() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(RED));
    stage.display.background = Background::Transparent;
    stage.display.overlays.set(OverlayKind::Grid, true);
    let Some(image) = stage.draw() else { return };
    assert_eq!(at(&image, 0, 0), [0; 4]);
    assert_eq!(at(&image, SIZE - 1, SIZE - 1), [0; 4]);
    assert_eq!(middle(&image), RED);
}

#[test]
fn studio_light_shades_and_follows_camera() {
    let mut stage = Stage::new(&[ball(1.0)], plain([150, 150, 150, 255]));
    stage.display.shading = Shading::Textured;
    let Some(image) = stage.draw() else { return };
    // The light comes from the upper left, but the far side stays readable.
    let (key, away) = (brightness(at(&image, 26, 25)), brightness(at(&image, 40, 42)));
    assert!(key > away + 120, "key side {key}, far side {away}");
    assert!(away > 90, "the far side is black: {away}");
    // The light turns with the camera.
    stage.camera.yaw = 140.0;
    let Some(turned) = stage.draw() else { return };
    assert!(brightness(at(&turned, 26, 25)).abs_diff(key) < 12);
    stage.display.shading = Shading::Unlit;
    let Some(flat) = stage.draw() else { return };
    assert_eq!(at(&flat, 26, 25), at(&flat, 40, 42));
}

#[test]
fn black_texture_mirrors_the_studio_softly() {
    let mut stage = Stage::new(&[ball(1.0)], plain(BLACK));
    stage.display.shading = Shading::Textured;
    let Some(image) = stage.draw() else { return };
    // The key light is at the upper left, and its soft box reflects there.
    let (shine, away) = (brightness(at(&image, 26, 24)), brightness(at(&image, 36, 38)));
    assert!(shine > away + 90 && away < 90, "highlight {shine}, away from it {away}");
    // No line along the outline: towards the edge the light changes little from pixel to pixel.
    let row: Vec<u32> = (0..SIZE).map(|x| brightness(at(&image, x, SIZE / 2))).collect();
    let inside: Vec<u32> = row.iter().copied().skip_while(|one| *one == row[0]).take(8).collect();
    let steepest = inside.windows(2).skip(2).map(|pair| pair[0].abs_diff(pair[1])).max().unwrap();
    assert!(steepest <= 36, "{inside:?}");
    stage.display.shading = Shading::Clay;
    let Some(clay) = stage.draw() else { return };
    assert!(brightness(at(&clay, 26, 24)) > brightness(at(&clay, 38, 24)) + 60);
}

#[test]
fn dark_studio_has_a_lit_floor_below_the_horizon() {
    let mut stage = Stage::new(&[ball(1.0)], plain(BLACK));
    stage.display.background = Background::Studio;
    stage.camera.pitch = 20.0;
    let Some(image) = stage.draw() else { return };
    // The floor is one radius below the middle of the ball, which is eight radii away.
    let (floor, edge) = (brightness(at(&image, SIZE / 2, SIZE - 6)), brightness(at(&image, 1, SIZE / 2)));
    assert!(floor > edge + 30, "under the ball {floor}, at the edge {edge}");
    stage.camera.pitch = -20.0;
    let Some(below) = stage.draw() else { return };
    let seen = brightness(at(&below, SIZE / 2, SIZE - 6));
    assert!(seen < floor, "the floor must not hide a model that is seen from below: {seen}");
}

#[test]
fn clay_is_darker_on_downward_faces() {
    let looking = |normal: Vec3| {
        let mut shape = square(Vec3::ZERO);
        shape.normals = vec![normal.normalize(); 4];
        let mut stage = Stage::new(&[shape], plain(WHITE));
        stage.display.shading = Shading::Clay;
        // Key and fill light come from behind.
        stage.display.light.azimuth = 180.0;
        stage.draw().map(|image| brightness(middle(&image)))
    };
    // Only ambient light distinguishes them.
    let (Some(level), Some(down)) = (looking(Vec3::new(1.0, 0.0, -0.3)), looking(Vec3::new(1.0, 0.0, -1.5))) else {
        return;
    };
    assert!(down + 40 < level, "{down} looking down, {level} level");
}

#[test]
fn downward_silhouette_has_no_white_edge() {
    let mut shape = square(Vec3::ZERO);
    // A normal at the silhouette of a coarse model, which only ambient light reaches.
    shape.normals = vec![Vec3::new(-0.7, 0.3, -0.6).normalize(); 4];
    let mut stage = Stage::new(&[shape], plain(WHITE));
    stage.display.shading = Shading::Textured;
    stage.display.light.is_automatic = false;
    let Some(image) = stage.draw() else { return };
    // In the dark studio, ambient light a fifth of the way from ground to sky is 0.104. The fill light is at a cosine of
    // −0.19 and adds ((1 − 0.19)/2)² × 0.4 × 0.7 × 0.9 = 0.041. The floor reduces the sum by 1 %, and the gain of 12 %
    // makes it 0.161: 0.157 after tone compression, stored as 110. The rim light would add 0.34.
    let [red, green, blue, _] = middle(&image);
    assert!([red, green, blue].iter().all(|value| value.abs_diff(110) <= 6), "{red} {green} {blue}");
}

/// Returns the contrast ratio of WCAG 2.
fn contrast(a: [u8; 4], b: [u8; 4]) -> f32 {
    let linear = |value: u8| match f32::from(value) / 255.0 {
        low if low <= 0.040_45 => low / 12.92,
        high => ((high + 0.055) / 1.055).powf(2.4),
    };
    let luminance =
        |[red, green, blue, _]: [u8; 4]| 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue) + 0.05;
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

#[test]
fn dimmed_tag_lines_contrast_with_any_texture() {
    let axes = [
        (ColourTheme::Dark, [[0xff, 0x5c, 0x6e], [0xa6, 0xe0, 0x5a], [0x58, 0xa6, 0xff]]),
        (ColourTheme::Light, [[0x8c, 0x10, 0x34], [0x4a, 0x8a, 0x0c], [0x0b, 0x5f, 0xc4]]),
    ];
    for (tone, colours) in axes {
        for grey in [0, 90, 128, 200, 255] {
            for colour in colours {
                let mut stage = Stage::new(&[square(Vec3::ZERO)], plain([grey, grey, grey, 255]));
                stage.display.theme = tone;
                stage.display.background = Background::Studio;
                let behind = Vec3::new(-1.0, 0.0, 0.0);
                stage.overlay.add_line(Layer::Dimmed, [behind - Vec3::Z, behind + Vec3::Z], 4.0, colour);
                let Some(image) = stage.draw() else { return };
                // The line runs up the middle. Its casing is a point aside, and the texture further out.
                let (line, texture) = (middle(&image), at(&image, SIZE / 2 + 8, SIZE / 2));
                let casing = at(&image, SIZE / 2 + 2, SIZE / 2);
                let best = contrast(line, texture).max(contrast(line, casing));
                assert!(best >= 3.0, "{tone:?}, {colour:?} on {grey}: {best}, {line:?} {casing:?} {texture:?}");
            }
        }
    }
}

#[test]
fn tapered_line_narrows_at_its_end() {
    let mut stage = Stage::new(&[], vec![]);
    let ends = [Vec3::new(0.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
    stage.overlay.add_taper(Layer::OnTop, ends, [12.0, 2.0], [255, 255, 255]);
    let Some(image) = stage.draw() else { return };
    let thick = |x: u32| (0..SIZE).filter(|y| at(&image, x, *y)[0] > 128).count();
    // Two units at a distance of eight are 30 pixels, from 17 to 47. The model's left is on the right.
    let (near, far) = (thick(20), thick(44));
    assert!((10..=12).contains(&near) && (2..=4).contains(&far), "{near} pixels, then {far}");
}

#[test]
fn grid_stands_upright_in_orthographic_side_views() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(RED));
    stage.visible = vec![false];
    stage.display.overlays.set(OverlayKind::Grid, true);
    let lit = |image: &RgbaImage, x: u32, y: u32| brightness(at(image, x, y));
    let rows = |stage: &Stage| {
        let image = stage.draw()?;
        // Samples next to the vertical line through the origin.
        Some((0..SIZE).map(|y| lit(&image, SIZE / 2 + 5, y)).collect::<Vec<_>>())
    };
    // Above the floor, only the z line can be visible.
    let up = |stage: &Stage| stage.draw().map(|image| lit(&image, SIZE / 2, 20).max(lit(&image, SIZE / 2 - 1, 20)));
    let Some(before) = up(&stage) else { return };
    assert!(before < 30, "with perspective the floor lies: {before}");
    stage.camera.projection = Projection::Orthographic;
    let Some(front) = rows(&stage) else { return };
    // At eight units, 30 degrees are 4.287 units high, so a unit has 14.93 pixels. The floor is one unit below the
    // middle.
    let brightest = (40..SIZE).max_by_key(|row| front[*row as usize]).unwrap();
    assert!((46..=47).contains(&brightest) && front[brightest as usize] > 60, "{front:?}");
    assert!(up(&stage) > Some(60), "the line z: {:?}", up(&stage));
    stage.camera.yaw = 10.0;
    assert!(up(&stage) < Some(30), "not from between: {:?}", up(&stage));
}

#[test]
fn normal_shading_maps_normals_to_colours() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(RED));
    stage.display.shading = Shading::Normals;
    let Some(image) = stage.draw() else { return };
    let [red, green, blue, _] = middle(&image);
    assert!(red == 255 && green.abs_diff(128) <= 1 && blue.abs_diff(128) <= 1, "{red} {green} {blue}");
}

#[test]
fn grid_fades_with_distance_and_is_invisible_from_below() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(RED));
    stage.display.overlays.set(OverlayKind::Grid, true);
    stage.camera.pitch = 90.0;
    stage.camera.distance = 14.0;
    let Some(image) = stage.draw() else { return };
    // From above, the line y = 0 runs up the middle of the image and x = 0 across it.
    let along = |x: u32| (0..SIZE).map(|y| brightness(at(&image, x, y))).collect::<Vec<_>>();
    let line: Vec<u32> = along(SIZE / 2).iter().zip(along(SIZE / 2 - 1)).map(|(a, b)| a.max(&b).to_owned()).collect();
    assert!(line[26] > 60, "no line near the model: {line:?}");
    assert!(line[1] < line[20] && line[20] < line[26], "no fading: {line:?}");
    stage.camera.pitch = -20.0;
    stage.camera.distance = 8.0;
    let with = stage.draw();
    stage.display.overlays.set(OverlayKind::Grid, false);
    assert_eq!(with.map(|image| middle(&image)), stage.draw().map(|image| middle(&image)));
}

#[test]
fn shadow_darkens_only_the_floor() {
    let mut stage = Stage::new(&[ball(1.0)], plain(WHITE));
    stage.display.background = Background::Colour([200, 200, 200]);
    stage.camera.pitch = 40.0;
    stage.camera.distance = 12.0;
    let Some(without) = stage.draw() else { return };
    stage.display.overlays.set(OverlayKind::Shadow, true);
    let Some(with) = stage.draw() else { return };
    let darker: Vec<(u32, u32)> = (0..SIZE)
        .flat_map(|x| (0..SIZE).map(move |y| (x, y)))
        .filter(|&(x, y)| brightness(at(&with, x, y)) + 40 < brightness(at(&without, x, y)))
        .collect();
    assert!(darker.len() > 60, "{} pixels of shadow", darker.len());
    // The key light comes from the left, so the shadow is on the right. The ball itself is white.
    let mean = darker.iter().map(|(x, _)| x).sum::<u32>() / darker.len() as u32;
    assert!(mean > SIZE / 2 + 4, "its middle is at {mean}");
    assert!(darker.iter().all(|&(x, y)| at(&without, x, y) != WHITE), "the ball is darkened");
}

#[test]
fn shadow_follows_visibility_and_pose() {
    let mut stage =
        Stage::new(&[ball(1.0), square(Vec3::ZERO)], vec![textured(1, 1, &[WHITE]), textured(1, 1, &[RED])]);
    stage.display.background = Background::Colour([200, 200, 200]);
    stage.display.overlays.set(OverlayKind::Shadow, true);
    (stage.camera.pitch, stage.camera.distance) = (60.0, 12.0);
    let Some(mut device) = device() else { return };
    let (gpu, renderer) = &mut *device;
    renderer.upload(gpu, EntityId(1), &stage.model, &stage.materials);
    let mut dark_pixels = |stage: &Stage| {
        let image = stage.shoot(gpu, renderer);
        image.pixels().filter(|pixel| brightness(pixel.0) < 500 && pixel.0[0] == pixel.0[1]).count()
    };
    let first = dark_pixels(&stage);
    assert!(first > 50, "{first} pixels of shadow");
    // Without a change, the shadow is reused.
    assert_eq!(dark_pixels(&stage), first);
    stage.visible = vec![false, true];
    let thinner = dark_pixels(&stage);
    assert!(thinner < first, "the hidden ball still throws its shadow: {thinner} of {first}");
    stage.display.overlays.set(OverlayKind::Shadow, false);
    assert_eq!(dark_pixels(&stage), 0);
    // The model moves while the shadow is off.
    stage.pose.surfaces[1].positions.iter_mut().for_each(|position| position.z -= 30.0);
    stage.pose.touch();
    dark_pixels(&stage);
    stage.display.overlays.set(OverlayKind::Shadow, true);
    assert!(dark_pixels(&stage) < thinner, "the shadow of the old pose");
    renderer.remove(EntityId(1));
}

#[test]
fn wireframe_draws_edges_with_or_without_surfaces() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(WHITE));
    stage.display.wireframe = Wireframe::Over;
    let Some(over) = stage.draw() else { return };
    // The diagonal runs from top left to bottom right.
    assert!(brightness(middle(&over)) < 500, "no edge in the middle");
    assert_eq!(at(&over, 38, 27), WHITE);
    stage.display.wireframe = Wireframe::Alone;
    let Some(alone) = stage.draw() else { return };
    assert!(brightness(middle(&alone)) > 200, "no edge in the middle");
    assert_eq!(at(&alone, 38, 27), BLACK);
}

#[test]
fn line_layers_are_hidden_faint_or_on_top() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(BLUE));
    let behind = [Vec3::new(-1.0, -3.0, 0.0), Vec3::new(-1.0, 3.0, 0.0)];
    let mut green_at = |layer: Layer| {
        stage.overlay.clear();
        stage.overlay.add_line(layer, behind, 4.0, [0, 255, 0]);
        let image = stage.draw()?;
        let column = |x: u32| (24..40).map(|y| at(&image, x, y)[1]).max();
        column(SIZE / 2).zip(column(3))
    };
    let Some((covered, free)) = green_at(Layer::Hidden) else { return };
    assert!(covered == 0 && free > 240, "{covered} {free}");
    let (covered, free) = green_at(Layer::Faint).expect("there was a device");
    assert!((70..120).contains(&covered) && free > 240, "{covered} {free}");
    let (covered, free) = green_at(Layer::OnTop).expect("there was a device");
    assert!(covered > 240 && free > 240, "{covered} {free}");
}

#[test]
fn selected_surface_gets_an_outline() {
    let mut stage = Stage::new(&[square(Vec3::ZERO)], plain(BLUE));
    stage.outlined = vec![true];
    let Some(image) = stage.draw() else { return };
    let orange = |x: u32, y: u32| at(&image, x, y)[0] > 120;
    assert!((0..SIZE / 2).any(|x| orange(x, SIZE / 2)), "nothing at the left");
    assert!((SIZE / 2..SIZE).any(|x| orange(x, SIZE / 2)), "nothing at the right");
    assert_eq!(middle(&image), BLUE);
    assert_eq!(at(&image, 2, 2), BLACK);
}

#[test]
fn target_resizes_and_ignores_zero_size() {
    let Some(device) = device() else { return };
    let gpu = &device.0;
    let mut target = Target::new(gpu, 0, 0, 1);
    assert_eq!(target.size(), (1, 1));
    assert!(target.resize(gpu, 33, 20, 1));
    assert!(!target.resize(gpu, 33, 20, 1));
    assert!(!target.resize(gpu, 0, 20, 1));
    assert_eq!(target.size(), (33, 20));
    // The GPU pads rows of 33 pixels; the image has no padding.
    assert_eq!(target.read_back(gpu).map(|image| image.dimensions()), Ok((33, 20)));
}

#[test]
fn oversized_snapshot_is_rejected_with_message() {
    let Some(mut device) = device() else { return };
    let (gpu, renderer) = &mut *device;
    let stage = Stage::new(&[], vec![]);
    let shot = RenderRequest {
        camera: &stage.camera,
        parts: &[],
        ghosts: &[],
        lines: &stage.overlay,
        display: &stage.display,
        pixels_per_point: 1.0,
        seconds: 0.0,
        floor: 0.0,
        radius: 1.0,
        centre: Vec3::ZERO,
    };
    let refused = snapshot(gpu, renderer, &shot, gpu.longest_side() + 1, 10).expect_err("that is too wide");
    assert!(refused.to_string().contains("expected 1 to"), "{refused}");
    assert!(snapshot(gpu, renderer, &shot, 10, 10).is_ok());
    assert_eq!(gpu.take_error(), None);
}

#[test]
fn mip_levels_average_stored_values() {
    let levels = mip_levels(2, 2, &[RED, GREEN, BLUE, BLACK].concat());
    assert_eq!(levels, [(1, 1, vec![64, 64, 64, 255])]);
    // Three texels become one, a third each.
    let levels = mip_levels(3, 1, &[[90, 0, 0, 255], [0, 90, 0, 255], [0, 0, 90, 255]].concat());
    assert_eq!(levels, [(1, 1, vec![30, 30, 30, 255])]);
    // Five texels become two, of two and a half each.
    let levels =
        mip_levels(5, 1, &[[100, 0, 0, 0], [0, 0, 0, 0], [50, 0, 0, 0], [0, 0, 0, 0], [200, 0, 0, 0]].concat());
    assert_eq!(levels[0], (2, 1, vec![50, 0, 0, 0, 90, 0, 0, 0]));
    let sizes: Vec<_> = mip_levels(220, 193, &vec![7; 220 * 193 * 4]).iter().map(|level| (level.0, level.1)).collect();
    assert_eq!(sizes, [(110, 96), (55, 48), (27, 24), (13, 12), (6, 6), (3, 3), (1, 1)]);
}

#[test]
fn lines_are_drawn_without_vertex_storage_buffers() {
    let Some(mut device) = device() else { return };
    let gpu = device.0.clone().without_vertex_storage();
    let mut stage = Stage::new(&[square(Vec3::ZERO)], vec![]);
    stage.display.wireframe = Wireframe::Alone;
    stage.display.overlays.set(OverlayKind::Vertices, true);
    let mut renderer = Renderer::new(&gpu);
    renderer.upload(&gpu, EntityId(1), &stage.model, &stage.materials);
    let plain = stage.shoot(&gpu, &mut renderer);
    let (gpu, renderer) = &mut *device;
    renderer.upload(gpu, EntityId(1), &stage.model, &stage.materials);
    let smooth = stage.shoot(gpu, renderer);
    renderer.remove(EntityId(1));
    let lit = |image: &RgbaImage| image.pixels().filter(|pixel| pixel.0[..3].iter().any(|value| *value > 60)).count();
    let (plain, smooth) = (lit(&plain), lit(&smooth));
    assert!(smooth > 100 && plain > smooth / 2 && plain < smooth * 2, "{plain} pixels, {smooth} with storage buffers");
}

#[test]
fn cutout_texture_is_transparent_in_every_lighting_mode() {
    let clear = [0, 0, 255, 0];
    let leaf = textured(2, 1, &[RED, clear]).with_image_transparency();
    for lighting in LightingMode::all() {
        let mut stage = Stage::new(&[square(Vec3::ZERO)], vec![leaf.clone()]);
        (stage.display.shading, stage.display.lighting) = (Shading::Textured, lighting);
        let Some(image) = stage.draw() else { return };
        let (left, right) = (image.get_pixel(SIZE / 2 - 6, SIZE / 2).0, image.get_pixel(SIZE / 2 + 6, SIZE / 2).0);
        assert!(left[0] > 100, "{lighting:?}: {left:?}");
        assert_eq!(right, BLACK, "{lighting:?}");
        // The alpha switch takes precedence.
        stage.display.alpha = Alpha::Opaque;
        let opaque = stage.draw().unwrap().get_pixel(SIZE / 2 + 6, SIZE / 2).0;
        assert!(opaque[2] > 100, "{lighting:?}: {opaque:?}");
    }
}

#[test]
fn closed_model_is_removed_from_the_gpu() {
    let Some(device) = device() else { return };
    let gpu = device.0.clone();
    let (mut renderer, target) = (Renderer::new(&gpu), Target::new(&gpu, SIZE, SIZE, 1));
    let mut session = Session::default();
    session.show(open_sample(Format::Md3).unwrap());
    let mut drawing = SceneRenderer::default();
    drawing.draw(&gpu, &mut renderer, &target, session.document_view(), 1.0);
    assert_eq!(renderer.part_count(), 1);
    let image = target.read_back(&gpu).unwrap();
    drawing.remove_all(&mut renderer);
    renderer.clear(&gpu);
    assert_eq!(renderer.part_count(), 0);
    // Drawing uploads it again.
    drawing.draw(&gpu, &mut renderer, &target, session.document_view(), 1.0);
    assert_eq!(renderer.part_count(), 1);
    assert!(target.read_back(&gpu).unwrap() == image);
}
