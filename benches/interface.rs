//! CPU time of the interface per frame: layout and tessellation of the whole window without a GPU. The window has a
//! long file list, both panels, and a hundred clips over a thousand frames. Run `cargo bench --bench interface`.

#![forbid(unsafe_code)]
#![allow(clippy::unwrap_used, reason = "a benchmark may panic")]

use std::path::PathBuf;
use std::sync::Arc;

use divan::Bencher;
use egui::{Context, Event, FullOutput, Modifiers, MouseWheelUnit, Pos2, RawInput, Rect, TouchPhase, Vec2, pos2, vec2};
use maquette::ui::{self, Thumbnail, Ui, ViewportImage};
use maquette_assets::open::open_sample;
use maquette_core::model::{Clip, ClipSource, Format, Model};
use maquette_scene::scene::ColourTheme;
use maquette_scene::session::{Action, ClockAction, Session};

fn main() {
    divan::main();
}

const MODELS: usize = 1000;
const CLIPS: u32 = 100;
const FRAMES: usize = 1007;
const SIZES: [&str; 2] = ["1280x800", "2560x1440"];

fn size(name: &str) -> Vec2 {
    let (width, height) = name.split_once('x').unwrap();
    vec2(width.parse().unwrap(), height.parse().unwrap())
}

/// Opens the sample of a format with a thousand frames, a hundred clips and a list of a thousand models.
fn session(format: Format) -> Session {
    let mut part = open_sample(format).unwrap();
    if format == Format::Md2 {
        // Frames beyond the stored ones repeat the last stored frame.
        let mut model = Model::clone(&part.model).into_parts();
        model.frames = model.frames.iter().cycle().take(FRAMES).cloned().collect();
        let clip = |number: u32| Clip::new(format!("clip_{number:03}"), number * 10, 10, 10.0, ClipSource::FrameNames);
        model.clips = (0..CLIPS).map(clip).collect();
        part.model = Arc::new(Model::new(model).unwrap());
    }
    let mut session = Session::default();
    session.interface.theme = Some(ColourTheme::Dark);
    session.show(part);
    session.apply(Action::Clock(ClockAction::TogglePlay));
    session.interface.panels.files = true;
    session.model_list = models().into();
    session.refresh();
    session
}

/// Returns ten folders of a hundred models each, with names too long for the panel.
fn models() -> Vec<PathBuf> {
    let name =
        |number: usize| format!("/games/models/folder_{}/a_rather_long_name_of_a_model_{number:04}.md3", number / 100);
    (0..MODELS).map(|number| PathBuf::from(name(number))).collect()
}

/// Window with its last input.
struct Window {
    context: Context,
    ui: Ui,
    session: Session,
    size: Vec2,
    seconds: f64,
}

impl Window {
    fn new(format: Format, size: Vec2) -> Self {
        let context = Context::default();
        ui::install(&context);
        let mut window = Self { context, ui: Ui::default(), session: session(format), size, seconds: 0.0 };
        window.frame(Vec::new());
        let image = image::RgbaImage::from_pixel(96, 96, image::Rgba([90, 120, 150, 255]));
        let thumbnail = Thumbnail { image, format: Format::Md3, frames: 12, damaged: false };
        for path in models().into_iter().take(100) {
            window.ui.add_thumbnail(&window.context, path, Ok(&thumbnail));
        }
        (0..5).for_each(|_| drop(window.frame(Vec::new())));
        window
    }

    fn frame(&mut self, events: Vec<Event>) -> FullOutput {
        self.seconds += 1.0 / 60.0;
        let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, self.size));
        let input = RawInput { screen_rect, time: Some(self.seconds), events, ..RawInput::default() };
        let (ui, session) = (&mut self.ui, &self.session);
        let mut actions = Vec::new();
        let mut room = 0.0;
        let output = self.context.run_ui(input, |root| {
            actions.clear();
            room = ui.show(root, session, &ViewportImage::default(), &mut actions).timeline;
        });
        self.session.interface.timeline.room = room;
        output
    }
}

/// Measures all panels without input, as during playback.
#[divan::bench(args = SIZES)]
fn layout(bencher: Bencher, name: &str) {
    let mut window = Window::new(Format::Md2, size(name));
    bencher.bench_local(|| window.frame(Vec::new()));
}

/// Measures all panels with a model that has few clips and many joints.
#[divan::bench(args = SIZES)]
fn layout_of_the_sample(bencher: Bencher, name: &str) {
    let mut window = Window::new(Format::Md5, size(name));
    bencher.bench_local(|| window.frame(Vec::new()));
}

/// Measures all panels while the list scrolls under the pointer, so that new rows become visible.
#[divan::bench(args = SIZES)]
fn layout_while_the_list_scrolls(bencher: Bencher, name: &str) {
    let mut window = Window::new(Format::Md2, size(name));
    let mut frames = 0;
    bencher.bench_local(|| {
        frames += 1;
        let way = if frames % 400 < 200 { -60.0 } else { 60.0 };
        let wheel = Event::MouseWheel {
            unit: MouseWheelUnit::Point,
            delta: vec2(0.0, way),
            phase: TouchPhase::Move,
            modifiers: Modifiers::NONE,
            source: egui::MouseWheelSource::Unknown,
        };
        window.frame(vec![Event::PointerMoved(pos2(100.0, 300.0)), wheel])
    });
}

/// Measures the tessellation of all panels.
#[divan::bench(args = SIZES)]
fn tessellation(bencher: Bencher, name: &str) {
    let mut window = Window::new(Format::Md2, size(name));
    let output = window.frame(Vec::new());
    let context = window.context;
    bencher
        .with_inputs(|| output.shapes.clone())
        .bench_local_values(|shapes| context.tessellate(shapes, output.pixels_per_point));
}
