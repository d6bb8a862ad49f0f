//! Work of the window thread with large models: `cargo bench --bench window`. Compare only results of one run, because
//! machines differ. The benchmarks wait for the GPU outside the measured time.

#![forbid(unsafe_code)]
#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a benchmark may panic")]

use std::sync::Arc;

use divan::Bencher;
use glam::{Vec2, Vec3};
use maquette::output::{SceneRenderer, UploadStatus};
use maquette::render::{Gpu, Renderer, Target, UploadBudget};
use maquette_assets::material::{Image, Origin, SurfaceMaterial, TextureWrap};
use maquette_assets::open::{Assembly, ModelAsset, OutlineCache, Skin};
use maquette_core::model::{
    Clip, Format, FrameInfo, Model, ModelParts, MorphMotion, MorphTrack, Motion, PackedVertices, ShortVertex, Surface,
    TagTrack,
};
use maquette_scene::scene::{OverlayKind, Playback, Scene, Wireframe};
use maquette_scene::session::Session;

fn main() {
    divan::main();
}

/// Vertices per side of the large model: a million vertices and two million triangles.
const SIDE: u32 = 1000;
const FRAMES: u32 = 12;
/// Bytes that the window uploads per frame.
const SLICE: usize = 8 << 20;

/// Returns a waving cloth of `side` × `side` vertices.
fn cloth(side: u32) -> Model {
    let cells = (0..side * side).map(|number| [number % side, number / side]);
    let vertices = (0..FRAMES).flat_map(|frame| {
        cells.clone().map(move |[x, y]| {
            let wave = (f64::from(x) * 0.02 + f64::from(frame) * 0.5).sin() * 500.0;
            let position = [x * 4, y * 4].map(|at| i16::try_from(at).unwrap());
            ShortVertex { position: [position[0], position[1], wave as i16], normal: u16::try_from(x % 256).unwrap() }
        })
    });
    let corner = |x: u32, y: u32| y * side + x;
    let squares = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| (x, y)));
    let triangles = squares.flat_map(|(x, y)| {
        let (a, b, c, d) = (corner(x, y), corner(x + 1, y), corner(x, y + 1), corner(x + 1, y + 1));
        [[a, b, c], [b, d, c]]
    });
    let uvs = cells.clone().map(|at| Vec2::from_array(at.map(|at| at as f32 / side as f32)));
    let track = MorphTrack {
        stored: side * side,
        frame_count: FRAMES,
        remap: None,
        vertices: PackedVertices::Shorts(vertices.collect()),
    };
    let surface = Surface { triangles: triangles.collect(), uvs: uvs.collect(), ..Surface::default() };
    Model::new(ModelParts {
        format: Format::Md3,
        version: Some(15),
        name: "cloth".to_owned(),
        surfaces: vec![surface],
        frames: vec![FrameInfo::default(); FRAMES as usize],
        tags: vec![],
        clips: Vec::<Clip>::new(),
        alternative_clips: vec![],
        skins: vec![],
        motion: Motion::Morph(MorphMotion { surfaces: vec![track], tags: TagTrack::Axes(vec![]) }),
        data: Default::default(),
        details: Vec::new(),
    })
    .expect("the cloth is sound")
}

fn asset(model: &Arc<Model>, materials: Vec<SurfaceMaterial>) -> ModelAsset {
    ModelAsset {
        name: "cloth".to_owned(),
        game_path: "cloth".to_owned(),
        file: None,
        overridden_by: None,
        order_matters: false,
        edited: None,
        salvaged: false,
        of_character: false,
        engine: None,
        outlines: OutlineCache::default(),
        pending_images: None,
        model: Arc::clone(model),
        added: vec![],
        first_skin: String::new(),
        skins: vec![Skin::plain("test", materials.into())],
        lookups: Arc::default(),
        warnings: vec![],
    }
}

fn bare() -> Vec<SurfaceMaterial> {
    vec![SurfaceMaterial::missing("test", Origin::Model)]
}

/// Does the work of the loader before a model is shown.
fn prepare(asset: &ModelAsset) {
    Scene::from_assembly(Assembly::from(asset.clone()), &Playback::default(), &Scene::default()).prepare();
}

/// Measures the work of the loader: bounds and first pose on all cores.
#[divan::bench(sample_count = 5)]
fn prepare_a_million_vertices(bencher: Bencher) {
    let model = Arc::new(cloth(SIDE));
    bencher.with_inputs(|| asset(&model, bare())).bench_local_values(|asset| {
        prepare(&asset);
        asset
    });
}

/// Measures the work of the window when a model opens: scene, camera and first pose.
#[divan::bench(sample_count = 10)]
fn show_a_million_vertices(bencher: Bencher) {
    let model = Arc::new(cloth(SIDE));
    let mut session = Session::default();
    let input = || {
        let asset = asset(&model, bare());
        prepare(&asset);
        asset
    };
    bencher.with_inputs(input).bench_local_values(|asset| session.show(asset));
}

/// A session, and the device that draws it.
struct Stage {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    drawing: SceneRenderer,
    session: Session,
}

impl Stage {
    fn new(asset: ModelAsset) -> Self {
        let gpu = Gpu::headless().expect("there is an adapter, if only a software one");
        let (renderer, target) = (Renderer::new(&gpu), Target::new(&gpu, 64, 64, 1));
        let mut session = Session::default();
        session.show(asset);
        session.document.scene.entities_mut().iter_mut().for_each(|entity| entity.playback.playing = false);
        session.refresh();
        Self { gpu, renderer, target, drawing: SceneRenderer::default(), session }
    }

    /// Draws a frame as the window does.
    fn draw(&mut self) -> UploadStatus {
        let brought = self.drawing.upload(
            &self.gpu,
            &mut self.renderer,
            self.session.document_view(),
            &mut UploadBudget::new(SLICE),
        );
        if brought.is_drawable {
            let Self { gpu, renderer, target, drawing, session } = self;
            drawing.draw_present(gpu, renderer, target, session.document_view(), 1.0, 0..0);
        }
        brought
    }

    fn settle(&mut self) {
        while self.draw().more {}
        self.gpu.wait().expect("the device draws");
    }
}

/// Measures frames of two million triangles. Each frame is drawn after `step`.
fn frame(bencher: Bencher, overlay: Option<OverlayKind>, step: impl Fn(&mut Session)) {
    let model = Arc::new(cloth(SIDE));
    let mut stage = Stage::new(asset(&model, bare()));
    if let Some(overlay) = overlay {
        stage.session.view.display.overlays.set(overlay, true);
    }
    stage.settle();
    let stage = std::cell::RefCell::new(stage);
    let calm = || stage.borrow().gpu.wait().expect("the device draws");
    bencher.with_inputs(calm).bench_local_values(|()| {
        let mut stage = stage.borrow_mut();
        step(&mut stage.session);
        stage.draw()
    });
}

#[divan::bench(sample_count = 10)]
fn frame_where_the_camera_turns(bencher: Bencher) {
    frame(bencher, None, |session| session.view.camera.yaw += 0.01);
}

#[divan::bench(sample_count = 10)]
fn frame_where_the_camera_turns_over_normals(bencher: Bencher) {
    frame(bencher, Some(OverlayKind::VertexNormals), |session| session.view.camera.yaw += 0.01);
}

#[divan::bench(sample_count = 10)]
fn frame_that_plays(bencher: Bencher) {
    frame(bencher, None, |session| {
        session.document.scene.play_all();
        session.advance(0.03);
        session.refresh();
    });
}

/// Measures the first frame with the wireframe of two million triangles.
#[divan::bench(sample_count = 5)]
fn first_frame_of_a_wireframe(bencher: Bencher) {
    let model = Arc::new(cloth(SIDE));
    let settled = || {
        let mut stage = Stage::new(asset(&model, bare()));
        stage.settle();
        stage.session.view.display.wireframe = Wireframe::Over;
        stage
    };
    bencher.with_inputs(settled).bench_local_refs(Stage::draw);
}

/// Measures the first upload slice of two million triangles.
#[divan::bench(sample_count = 10)]
fn first_slice_of_a_million_vertices(bencher: Bencher) {
    let model = Arc::new(cloth(SIDE));
    bencher.with_inputs(|| Stage::new(asset(&model, bare()))).bench_local_refs(Stage::draw);
}

/// Returns decoded textures of 2048 × 2048 texels with their mip levels.
fn materials(count: usize) -> Vec<SurfaceMaterial> {
    let texel = |number: usize| [u8::try_from(number).unwrap(), 100, 200, 255];
    let image = |number| {
        let image = Image::new(2048, 2048, texel(number).repeat(2048 * 2048));
        image.mip_levels();
        SurfaceMaterial::of_image("test", "test.tga", Arc::new(image), TextureWrap::Repeat)
    };
    (0..count).map(image).collect()
}

/// Returns a model of `count` small surfaces.
fn patches(count: usize) -> Model {
    let corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
    let track = || MorphTrack {
        stored: 3,
        frame_count: 1,
        remap: None,
        vertices: PackedVertices::Shorts(
            corners
                .map(|[x, y]| ShortVertex { position: [0, (x * 64.0) as i16, (y * 64.0) as i16], normal: 0 })
                .to_vec(),
        ),
    };
    let surface =
        || Surface { triangles: vec![[0, 1, 2]], uvs: corners.map(Vec2::from_array).to_vec(), ..Surface::default() };
    Model::new(ModelParts {
        format: Format::Md3,
        version: Some(15),
        name: "patches".to_owned(),
        surfaces: (0..count).map(|_| surface()).collect(),
        frames: vec![FrameInfo::default()],
        tags: vec![],
        clips: vec![],
        alternative_clips: vec![],
        skins: vec![],
        motion: Motion::Morph(MorphMotion {
            surfaces: (0..count).map(|_| track()).collect(),
            tags: TagTrack::Axes(vec![]),
        }),
        data: Default::default(),
        details: Vec::new(),
    })
    .expect("the patches are sound")
}

/// Measures the work of the loader for a decoded texture of 2048 × 2048 texels: mip levels.
#[divan::bench(sample_count = 10)]
fn mip_levels_of_2048(bencher: Bencher) {
    let input = || Image::new(2048, 2048, vec![100; 2048 * 2048 * 4]);
    bencher.with_inputs(input).bench_local_refs(|image| image.mip_levels());
}

/// Measures the upload of four textures of 2048 × 2048 texels at once, as in off-screen rendering.
#[divan::bench(sample_count = 5)]
fn upload_4_of_2048(bencher: Bencher) {
    let model = Arc::new(patches(4));
    bencher.with_inputs(|| Stage::new(asset(&model, materials(4)))).bench_local_refs(|stage| {
        let Stage { gpu, renderer, drawing, session, .. } = stage;
        drawing.upload(gpu, renderer, session.document_view(), &mut UploadBudget::whole())
    });
}

/// Measures the upload of one slice, which is the longest frame in the window.
#[divan::bench(sample_count = 10)]
fn a_slice_of_4_of_2048(bencher: Bencher) {
    let model = Arc::new(patches(4));
    bencher.with_inputs(|| Stage::new(asset(&model, materials(4)))).bench_local_refs(Stage::draw);
}

/// Baseline: measures a copy of the positions and normals of a million vertices.
#[divan::bench(sample_count = 10)]
fn copy_of_a_million_vertices(bencher: Bencher) {
    let from = vec![[Vec3::ONE; 2]; (SIDE * SIDE) as usize];
    let mut to = from.clone();
    bencher.bench_local(|| to.copy_from_slice(&from));
}
