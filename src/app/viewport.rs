//! Viewport of the window. It is drawn only after changes.

#![forbid(unsafe_code)]

use image::RgbaImage;

use super::graphics::Graphics;
use crate::output::{SceneRenderer, finish};
use crate::render::{GpuError, UploadBudget};
use maquette_scene::scene::{Camera, Display, Label, Onion};
use maquette_scene::session::{DocumentView, View};

/// Bytes to upload per frame, which takes a few milliseconds.
const UPLOAD_BYTES_PER_FRAME: usize = 8 << 20;

/// Samples drawn per frame while the view is at rest, so that input is answered at once.
const SAMPLES_PER_FRAME: u32 = 8;
const SAMPLES_ON_SOFTWARE: u32 = 2;

#[derive(Default)]
pub(super) struct ViewportRenderer {
    scene: SceneRenderer,
    drawn: Option<ImageInputs>,
    /// Number of samples in the shown average; 0 in motion.
    samples: u32,
}

/// Inputs of the viewport's image. If all are unchanged, nothing is drawn. The fields of the view are compared, not its
/// revision: panels change other fields, which the image does not show.
#[derive(Clone, Debug, PartialEq)]
struct ImageInputs {
    document: u64,
    camera: Camera,
    display: Display,
    onion: Onion,
    seconds: f64,
    size: [u32; 2],
    pixels_per_point: f32,
}

impl ImageInputs {
    fn new(shown: DocumentView<'_>, size: [u32; 2], pixels_per_point: f32) -> Self {
        let View { camera, display, onion, material_clock, .. } = &**shown.view;
        Self {
            document: shown.document.revision(),
            camera: camera.clone(),
            display: display.clone(),
            onion: *onion,
            seconds: material_clock.seconds,
            size,
            pixels_per_point,
        }
    }
}

impl ViewportRenderer {
    pub(super) fn forget(&mut self) {
        self.scene.forget();
        self.drawn = None;
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.drawn.is_some()
    }

    pub(super) fn labels(&self) -> &[Label] {
        self.scene.labels()
    }

    pub(super) fn lay_out_labels(&mut self, shown: DocumentView<'_>) {
        if let Some(drawn) = &self.drawn {
            self.scene.update_overlay(shown, drawn.size[1] as f32 / drawn.pixels_per_point);
        }
    }

    /// Uploads new data in slices, and keeps the old image until enough is uploaded. Returns whether more must be
    /// uploaded.
    pub(super) fn draw(
        &mut self,
        graphics: &mut Graphics,
        shown: DocumentView<'_>,
        size: [u32; 2],
        pixels_per_point: f32,
        is_at_rest: bool,
    ) -> bool {
        self.draw_within(
            &mut UploadBudget::new(UPLOAD_BYTES_PER_FRAME),
            graphics,
            shown,
            size,
            pixels_per_point,
            is_at_rest,
        )
    }

    fn draw_within(
        &mut self,
        budget: &mut UploadBudget,
        graphics: &mut Graphics,
        shown: DocumentView<'_>,
        [width, height]: [u32; 2],
        pixels_per_point: f32,
        is_at_rest: bool,
    ) -> bool {
        if shown.document.scene.entities().is_empty() {
            self.release(graphics);
            return false;
        }
        if width == 0 || height == 0 {
            return false;
        }
        let samples = graphics.gpu.samples(is_at_rest);
        let now = ImageInputs::new(shown, [width, height], pixels_per_point);
        let uploaded = self.scene.upload(&graphics.gpu, &mut graphics.renderer, shown, budget);
        let is_same = !uploaded.is_new && self.drawn.as_ref() == Some(&now);
        let all = shown.view.display.samples_at_rest();
        // An image that is not refined is drawn again at rest if it was drawn coarsely in motion.
        let is_coarse = all == 1 && is_at_rest && graphics.target.samples() < samples;
        if is_same && !is_coarse {
            return is_at_rest && self.refine(graphics, shown, pixels_per_point) || uploaded.more;
        }
        if !uploaded.is_drawable {
            return uploaded.more;
        }
        graphics.resize_viewport(width, height, samples);
        let Graphics { gpu, renderer, target, .. } = graphics;
        self.scene.draw_present(gpu, renderer, target, shown, pixels_per_point, 0..0);
        self.drawn = Some(now);
        self.samples = 0;
        uploaded.more || is_at_rest && all > 1
    }

    /// Draws the next samples of a view at rest. Returns whether there are more.
    fn refine(&mut self, graphics: &mut Graphics, shown: DocumentView<'_>, pixels_per_point: f32) -> bool {
        let all = shown.view.display.samples_at_rest();
        if all == 1 || self.samples >= all {
            return false;
        }
        let Graphics { gpu, renderer, target, .. } = graphics;
        let count = if gpu.is_software() { SAMPLES_ON_SOFTWARE } else { SAMPLES_PER_FRAME };
        let samples = self.samples..(self.samples + count).min(all);
        self.samples = samples.end;
        self.scene.draw_present(gpu, renderer, target, shown, pixels_per_point, samples);
        self.samples < all
    }

    fn release(&mut self, graphics: &mut Graphics) {
        if self.drawn.take().is_some() {
            self.scene.remove_all(&mut graphics.renderer);
            graphics.renderer.clear(&graphics.gpu);
            graphics.resize_viewport(1, 1, 1);
        }
    }

    pub(super) fn capture(
        &mut self,
        graphics: &mut Graphics,
        shown: DocumentView<'_>,
        pixels_per_point: f32,
    ) -> Result<RgbaImage, GpuError> {
        let (width, height) = graphics.target.size();
        self.drawn = None;
        for _ in 0..=shown.view.display.samples_at_rest() {
            let mut budget = UploadBudget::whole();
            if !self.draw_within(&mut budget, graphics, shown, [width, height], pixels_per_point, true) {
                break;
            }
        }
        // The labels are drawn into the viewport's texture, so draw it again without them later.
        self.drawn = None;
        finish(&graphics.gpu, &graphics.target, shown, self.scene.labels(), pixels_per_point)
    }
}

#[cfg(test)]
mod tests {
    use maquette_assets::material::ImageLoading;
    use maquette_assets::open::{FIRST_SAMPLE, Opener};
    use maquette_scene::loader::LoaderContext;
    use maquette_scene::scene::ColourTheme;
    use maquette_scene::session::{Action, COMMANDS, Effect, FileAction, Session, WindowState};

    use super::*;

    fn with_sample() -> Session {
        let mut session = Session::default();
        let mut effect = session.apply(Action::File(FileAction::OpenSample(FIRST_SAMPLE)));
        while let Some(Effect::Load(job)) = effect {
            let opener = Opener::new(Vec::new(), ImageLoading::Decode).with(job.options.clone());
            effect = session.loaded(job.run(&mut LoaderContext::new(&opener, &|| false)));
        }
        assert!(!session.document.scene.entities().is_empty());
        session
    }

    #[test]
    fn panels_and_dialogs_alone_do_not_draw_the_image_again() {
        let mut session = with_sample();
        let state = WindowState {
            viewport: [640, 480],
            pixels_per_point: 1.0,
            aspect: 640.0 / 480.0,
            timeline: 400.0,
            longest_side: 8192,
            theme: ColourTheme::Dark,
            is_used: true,
        };
        session.update_window_state(state);
        let before = ImageInputs::new(session.document_view(), [640, 480], 1.0);
        let actions = COMMANDS.iter().map(|command| command.action.clone());
        for action in actions.filter(|action| matches!(action, Action::Window(_))) {
            let name = format!("{action:?}");
            session.apply(action);
            // A dock may take several frames until the viewport has its final shape.
            for _ in 0..4 {
                session.update_window_state(state);
            }
            let after = ImageInputs::new(session.document_view(), [640, 480], 1.0);
            assert_eq!(before, after, "{name}");
        }
    }
}
