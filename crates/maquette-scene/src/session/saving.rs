//! Options and progress of saving images, animations, contact sheets and models.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{Quat, Vec3};

use super::document::history::SkinSave;
use super::{
    CameraAnimation, Document, Effect, FilePrompt, History, Jobs, NotificationKind, NotificationOffer, PathField,
    Selection, Session,
};
use crate::scene::{
    Background, Camera, Choice, Choices, EntityId, FramePlan, FrameTiming, Motion, Onion, OverlayKind, SAMPLES,
    Wireframe,
};
use maquette_assets::material::Image;
use maquette_assets::open::EditedBytes;
use maquette_core::edit::Call;
use maquette_core::export::{EXPORTERS, ExportOptions, Exporter};
use maquette_core::model::{Extremes, u32_or_max};

/// Maximum number of pixels of an image. Drawing takes 40 bytes per pixel.
pub const MAX_IMAGE_PIXELS: u64 = 1 << 26;
/// Maximum number of tiles of a contact sheet.
pub const MAX_TILES: u32 = 400;
/// Offered tile sizes, in pixels.
pub const TILES: [u32; 4] = [128, 192, 256, 384];
/// Maximum frames per second of a GIF. Players ignore delays shorter than 2/100 s.
const GIF_RATE: f64 = 50.0;

/// Kinds of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// Single image.
    Image,
    /// Animation.
    Film,
    /// Contact sheet: images of every clip.
    ContactSheet,
    /// Texture of the model, without scaling.
    Texture,
    /// Exported model for other programs.
    Model,
    /// Exported models of the list, one file each, in a folder.
    Models,
    /// The model's own file with its edits.
    File,
    /// A `.skin` file with a changed line.
    SkinFile,
    /// The named clips as `animation.cfg`.
    ClipList,
}

impl OutputKind {
    /// Returns the title of the dialogs for this output.
    pub fn title(self) -> &'static str {
        match self {
            Self::Image => "Save image",
            Self::Film => "Export animation",
            Self::ContactSheet => "Export contact sheet",
            Self::Texture => "Save texture",
            Self::Model => "Export model",
            Self::Models => "Export models to a folder",
            Self::File => "Save model as",
            Self::SkinFile => "Save skin file",
            Self::ClipList => "Save clip list",
        }
    }

    /// Returns the label of the button that saves the output.
    pub fn verb(self) -> &'static str {
        match self {
            Self::Image | Self::Texture | Self::File | Self::SkinFile | Self::ClipList => "Save",
            Self::Film | Self::ContactSheet | Self::Model | Self::Models => "Export",
        }
    }

    /// Returns whether the output has a dialog with options and a preview.
    pub fn has_options(self) -> bool {
        matches!(self, Self::Image | Self::Film | Self::ContactSheet | Self::Model)
    }

    /// Returns the name of the output within a sentence.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Image => "image",
            Self::Film => "animation",
            Self::ContactSheet => "contact sheet",
            Self::Texture => "texture",
            Self::Model | Self::File => "model",
            Self::Models => "models",
            Self::SkinFile => "skin file",
            Self::ClipList => "clip list",
        }
    }
}

/// Size of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageSize {
    /// Size of the viewport.
    #[default]
    Window,
    /// Width and height in pixels.
    Pixels(u32, u32),
}

/// Contents of an image in addition to the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImageExtras {
    /// Background; `None` is that of the view.
    pub background: Option<Background>,
    /// Whether the ground grid is drawn.
    pub grid: bool,
    /// Whether the shadows on the ground and on the model are drawn.
    pub shadow: bool,
    /// Whether normals, tags, joints, bounds and edges are drawn, if the display options show them.
    pub overlays: bool,
    /// Whether names of tags and joints are drawn.
    pub names: bool,
    /// Whether the outline of the selection is drawn.
    pub selection: bool,
    /// Number of images that are averaged; see [`Display::samples`](crate::scene::Display::samples).
    pub samples: u32,
}

impl Default for ImageExtras {
    fn default() -> Self {
        Self {
            background: None,
            grid: true,
            shadow: true,
            overlays: true,
            names: true,
            selection: false,
            samples: SAMPLES,
        }
    }
}

/// Options of images.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImageOptions {
    /// Size.
    pub size: ImageSize,
    /// Contents in addition to the model.
    pub extras: ImageExtras,
}

/// File formats of exported animations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FilmKind {
    /// GIF.
    #[default]
    Gif,
    /// Animated PNG.
    AnimatedPng,
    /// A PNG file for each frame.
    Frames,
}

impl Choices for FilmKind {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Gif, "GIF"),
        Choice::new(Self::AnimatedPng, "Animated PNG"),
        Choice::new(Self::Frames, "PNG frames"),
    ];
}

impl FilmKind {
    /// Returns the file extension.
    pub fn extension(self) -> &'static str {
        if self == Self::Gif { "gif" } else { "png" }
    }

    /// Returns the highest frame rate of the format.
    pub fn max_rate(self) -> f64 {
        if self == Self::Gif { GIF_RATE } else { crate::scene::RATE_RANGE.1 }
    }
}

/// Options of exported animations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FilmOptions {
    /// File format.
    pub kind: FilmKind,
    /// Whether the camera orbits the model. Otherwise only the clip plays.
    pub turns: bool,
    /// Duration of one turn, in seconds.
    pub turn_seconds: f64,
    /// Whether the clips play while the camera orbits.
    pub turn_plays: bool,
    /// Frames per second; `None` shows each frame of the clip once.
    pub rate: Option<f64>,
    /// Whether players repeat the animation.
    pub repeats: bool,
    /// Size.
    pub size: ImageSize,
    /// Contents in addition to the model.
    pub extras: ImageExtras,
}

impl Default for FilmOptions {
    fn default() -> Self {
        Self {
            kind: FilmKind::default(),
            turns: false,
            turn_seconds: 4.0,
            turn_plays: true,
            rate: Some(30.0),
            repeats: true,
            size: ImageSize::Pixels(512, 512),
            extras: ImageExtras { grid: false, ..ImageExtras::default() },
        }
    }
}

/// Options of contact sheets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// Width and height of a tile, in pixels.
    pub tile: u32,
    /// Number of frames per clip, shown in a row.
    pub frames_per_clip: u32,
    /// Contents in addition to the model.
    pub extras: ImageExtras,
}

impl ContactOptions {
    /// Maximum number of frames per clip.
    pub const MAX_FRAMES_PER_CLIP: u32 = 24;
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            tile: 192,
            frames_per_clip: 1,
            extras: ImageExtras { grid: false, overlays: false, names: false, ..ImageExtras::default() },
        }
    }
}

/// Frames that a model export includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelMotion {
    /// Every clip.
    #[default]
    AllClips,
    /// The chosen clip.
    Clip,
    /// The shown frame, as a static model.
    CurrentFrame,
}

impl Choices for ModelMotion {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::AllClips, "All clips"),
        Choice::new(Self::Clip, "Current clip"),
        Choice::new(Self::CurrentFrame, "Current frame"),
    ];
}

/// Options of exports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModelOptions {
    /// Index into [`EXPORTERS`].
    pub format: usize,
    /// Exported motion.
    pub motion: ModelMotion,
    /// Options of the exporter.
    pub options: ExportOptions,
}

impl Default for ModelOptions {
    fn default() -> Self {
        // GLB stores everything in a single file.
        let format = EXPORTERS.iter().position(|exporter| exporter.extension == "glb").unwrap_or(0);
        Self { format, motion: ModelMotion::default(), options: ExportOptions::default() }
    }
}

impl ModelOptions {
    /// Returns the exporter; the first one if the index is invalid.
    pub fn exporter(&self) -> &'static Exporter {
        EXPORTERS.get(self.format).unwrap_or(&EXPORTERS[0])
    }

    /// Returns the options with the format that the extension of `path` names, if it names one.
    #[must_use]
    pub fn for_path(self, path: &Path) -> Self {
        let named = path.extension().and_then(|extension| {
            EXPORTERS.iter().position(|exporter| extension.eq_ignore_ascii_case(exporter.extension))
        });
        Self { format: named.unwrap_or(self.format), ..self }
    }
}

/// State and options of saving.
#[derive(Clone, Debug, PartialEq)]
pub struct Saving {
    /// The open dialog.
    pub open: Option<OutputKind>,
    /// Options of images.
    pub image: ImageOptions,
    /// Whether the user changed the options of images.
    pub is_image_chosen: bool,
    /// Background and shadows of images before *Save image (transparent)* set them.
    pub own_background: Option<(Option<Background>, bool)>,
    /// Options of exported animations.
    pub film: FilmOptions,
    /// Options of contact sheets.
    pub contact: ContactOptions,
    /// Options of exports.
    pub model: ModelOptions,
    /// Models of the list to export together.
    pub batch: Vec<PathBuf>,
    /// Options of their export.
    pub batch_options: ModelOptions,
    /// Edit of these models, which then keep their format.
    pub batch_edit: Option<Call>,
    /// The texture to save, with its game path.
    pub texture: Option<(String, Arc<Image>)>,
    /// Part whose list of clips *Save* writes; `None` for the focused part.
    pub clip_list_of: Option<EntityId>,
    /// Change of the `.skin` file to save.
    pub(crate) skin: Option<SkinSave>,
    /// Width and height of the viewport in pixels, set by the window.
    pub viewport_size: [u32; 2],
    /// Pixels per point, set by the window.
    pub viewport_scale: f32,
    /// Maximum side of an image that the device can draw, in pixels, set by the window.
    pub max_image_side: u32,
    /// Folder of the last output, by the folder of the model that was open.
    pub folders: BTreeMap<PathBuf, PathBuf>,
    /// Existing file that the user was asked about. The same path may be saved again.
    pub replace: Option<PathBuf>,
}

impl Default for Saving {
    fn default() -> Self {
        Self {
            open: None,
            image: ImageOptions::default(),
            is_image_chosen: false,
            own_background: None,
            film: FilmOptions::default(),
            contact: ContactOptions::default(),
            model: ModelOptions::default(),
            batch: Vec::new(),
            batch_options: ModelOptions::default(),
            batch_edit: None,
            texture: None,
            clip_list_of: None,
            skin: None,
            viewport_size: [1024, 768],
            viewport_scale: 1.0,
            max_image_side: 8192,
            folders: BTreeMap::new(),
            replace: None,
        }
    }
}

impl Saving {
    /// Returns the bytes of the `.skin` file to save, before and after the edit.
    pub fn skin_bytes(&self) -> Option<[&Arc<Vec<u8>>; 2]> {
        self.skin.as_ref().map(|skin| [&skin.edit.before, &skin.edit.after])
    }

    /// Returns width and height of a size in pixels, within the limits of the device.
    pub fn pixels(&self, size: ImageSize) -> (u32, u32) {
        let (width, height) = match size {
            ImageSize::Window => (self.viewport_size[0], self.viewport_size[1]),
            ImageSize::Pixels(width, height) => (width, height),
        };
        let width = width.clamp(1, self.max_image_side.max(1));
        let max = u32_or_max(MAX_IMAGE_PIXELS / u64::from(width));
        (width, height.clamp(1, self.max_image_side.min(max).max(1)))
    }

    /// Returns the number of pixels per point for an image of this height, so that lines keep their relative width.
    pub fn scale_for(&self, height: u32) -> f32 {
        let viewport_height = self.viewport_size[1].max(1) as f32;
        (self.viewport_scale * height as f32 / viewport_height).clamp(0.25, 16.0)
    }
}

/// A running export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportJob {
    /// Kind of output.
    pub product: OutputKind,
    /// Display name: `Animation` or `Contact sheet`.
    pub name: String,
    /// Counted unit: `frame`.
    pub unit: &'static str,
    /// Finished units.
    pub done: u32,
    /// Total units; 0 while unknown.
    pub of: u32,
    /// Whether the user cancelled the export, which has not yet stopped.
    pub is_cancelled: bool,
}

impl ExportJob {
    /// Returns the progress: `Animation: frame 12 of 40`.
    pub fn text(&self) -> String {
        if self.is_cancelled {
            return format!("Cancelling {}…", self.name.to_lowercase());
        }
        if self.of == 0 || self.unit.is_empty() {
            return format!("{}…", self.name);
        }
        format!("{}: {} {} of {}", self.name, self.unit, (self.done + 1).min(self.of), self.of)
    }
}

impl Document {
    /// Returns the frame plan of an animation with these options.
    pub fn plan_film(&self, options: &FilmOptions) -> Result<FramePlan, String> {
        let motion = if options.turns {
            Motion::Turn { seconds: options.turn_seconds, plays: options.turn_plays }
        } else {
            Motion::Clip
        };
        let pace = options.rate.map_or(FrameTiming::EachFrame, FrameTiming::Smooth);
        let leader = self.track().map(|track| track.id);
        FramePlan::plan(&self.scene, leader, motion, pace, options.kind.max_rate())
    }
}

impl Jobs {
    /// Starts an export.
    pub fn begin_work(&mut self, product: OutputKind, name: &str, unit: &'static str) {
        self.saving.replace = None;
        self.work = Some(ExportJob { product, name: name.to_owned(), unit, done: 0, of: 0, is_cancelled: false });
    }

    /// Sets the progress of the export.
    pub fn report_progress(&mut self, done: u32, of: u32) {
        if let Some(work) = &mut self.work {
            (work.done, work.of) = (done, of);
        }
    }
}

impl Session {
    /// Asks for another path because the file exists. If the user confirms the same path, the file is replaced.
    pub fn ask_to_replace(&mut self, product: OutputKind, file: PathBuf, typed: String) {
        let name = file.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let mut entities = self.document.scene.entities().iter();
        let is_outdated = entities.any(|entity| entity.asset.edited_at(&file).is_some_and(EditedBytes::is_outdated));
        let why = if is_outdated { "was changed on disk" } else { "already exists" };
        let reason = format!("{name} {why}. Replace it or enter another path");
        self.jobs.saving.replace = Some(file);
        let (purpose, replaces) = (FilePrompt::Save(product), true);
        self.interface.path_field = Some(PathField { purpose, reason, text: typed, listing: None, replaces });
    }

    /// Ends the export with a notification. `file` is the written file.
    pub fn end_work(&mut self, kind: NotificationKind, text: String, file: Option<PathBuf>) {
        let product = self.jobs.work.take().map(|work| work.product);
        if let (NotificationKind::Done, Some(file), Some(OutputKind::ClipList)) = (kind, &file, product)
            && !self.jobs.saves_changes()
        {
            // A copy may replace the list of another part.
            self.document.outdate(file);
        }
        let offer = match (kind, file, product) {
            (NotificationKind::Done, Some(file), _) => NotificationOffer::File(file),
            (NotificationKind::Failed, _, Some(OutputKind::SkinFile)) => {
                self.jobs.saving.skin = None;
                return self.note(kind, text);
            }
            (NotificationKind::Failed, _, Some(product)) => NotificationOffer::SaveElsewhere(product),
            _ => return self.note(kind, text),
        };
        self.notify_offering(kind, text, offer);
        if (kind, product) == (NotificationKind::Done, Some(OutputKind::SkinFile)) {
            self.skin_saved();
        }
    }

    /// Opens a save dialog. Until the user changes the image options, they follow the view.
    pub(super) fn open_saving(&mut self, product: OutputKind) {
        if self.document.scene.entities().is_empty() {
            return;
        }
        if product == OutputKind::Image && !self.jobs.saving.is_image_chosen {
            let extras = &mut self.jobs.saving.image.extras;
            extras.grid = self.view.display.shows(OverlayKind::Grid);
            let background = extras.background.unwrap_or(self.view.display.background);
            extras.shadow = self.view.display.shows(OverlayKind::Shadow) && background != Background::Transparent;
        }
        self.jobs.saving.open = Some(product);
    }

    pub(super) fn ask_where(&mut self, product: OutputKind) -> Option<Effect> {
        if self.document.scene.entities().is_empty() && product != OutputKind::Models {
            return None;
        }
        if let Some(work) = &self.jobs.work {
            let text = format!("An export is already running ({}); cancel it or wait", work.text());
            self.note(NotificationKind::Warning, text);
            return None;
        }
        self.jobs.saving.open = None;
        self.jobs.saving.replace = None;
        Some(Effect::Ask(FilePrompt::Save(product)))
    }

    /// Returns a copy of the session with the contents for an image of width / height `aspect`.
    pub fn copy_for_image(&self, extras: &ImageExtras, aspect: f32) -> Session {
        let mut copy = Session { document: self.document.clone(), view: self.view.clone(), ..Session::default() };
        copy.document.history = History::default();
        copy.view.moves = CameraAnimation::default();
        copy.view.aspect = aspect;
        copy.interface.theme = self.interface.theme;
        if !extras.overlays {
            copy.view.onion = Onion::default();
        }
        let display = &mut copy.view.display;
        display.background = extras.background.unwrap_or(display.background);
        display.samples = extras.samples;
        display.overlays.set(OverlayKind::Grid, extras.grid);
        display.overlays.set(OverlayKind::Shadow, extras.shadow);
        if !extras.overlays {
            display.overlays = display.overlays.ground();
            if display.wireframe == Wireframe::Over {
                display.wireframe = Wireframe::Off;
            }
        }
        if !extras.selection {
            copy.document.selection = Selection::None;
            copy.document.measured_from = None;
        }
        let window = self.jobs.saving.viewport_size;
        copy.widen(window[0] as f32 / window[1].max(1) as f32);
        copy
    }

    /// Widens the field of view so that a narrower image shows everything that the aspect `before` shows.
    fn widen(&mut self, before: f32) {
        if self.view.aspect >= before || !before.is_finite() {
            return;
        }
        let mut wanted = 1.0_f32;
        for point in self.points() {
            // Offset from the centre, in half image heights.
            let Some(projected) = self.view.camera.project(point, 2.0 * before, 2.0) else { continue };
            let (x, y) = ((projected.x - before).abs(), (projected.y - 1.0).abs());
            if x <= before && y <= 1.0 {
                wanted = wanted.max(x / (self.view.aspect * 0.92));
            }
        }
        let half = (self.view.camera.field_of_view / 2.0).tan() * wanted;
        self.view.camera.field_of_view = 2.0 * half.atan();
    }

    /// Moves the camera away until all poses of an exported animation are in the image, from all sides if the camera
    /// orbits.
    pub fn frame_film(&mut self, film: &FramePlan) {
        const MAX_SAMPLED_FRAMES: u32 = 16;
        let mut points = Vec::new();
        let sampled = film.frames.min(MAX_SAMPLED_FRAMES);
        for step in 0..sampled {
            film.pose(&mut self.document.scene, step * film.frames / sampled);
            // The outermost points suffice for framing.
            let mut outermost = Extremes::default();
            self.points().into_iter().for_each(|point| outermost.add(point));
            points.extend(outermost.points());
        }
        if film.turns {
            let bounds = maquette_core::model::Bounds::from_points(points.iter().copied());
            let axis = bounds.centre() * Vec3::new(1.0, 1.0, 0.0);
            let round = |point: Vec3| {
                (0_u8..12).map(move |step| {
                    Quat::from_rotation_z(f32::from(step) * 30_f32.to_radians()) * (point - axis) + axis
                })
            };
            points = points.into_iter().flat_map(round).collect();
        }
        self.view.frame(&points);
    }

    /// Returns the camera of a frame. `first` is the camera of the first frame.
    pub fn camera_of(&self, first: &Camera, film: &FramePlan, frame: u32) -> Camera {
        let mut camera = first.clone();
        let degrees = film.degrees(frame) as f32;
        if degrees != 0.0 {
            camera.orbit(degrees, 0.0);
        }
        camera
    }
}
