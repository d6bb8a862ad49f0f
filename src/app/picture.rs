//! The picture of the session's model: drawn for the window when something changed, or once for a file.

use std::collections::HashMap;
use std::sync::Arc;

use egui_wgpu::{RendererOptions, ScreenDescriptor};
use glam::Affine3A;
use image::RgbaImage;

use super::graphics::Graphics;
use crate::material::SurfaceLook;
use crate::model::{Bounds, Model};
use crate::pose::{BoneBlend, FrameBlend};
use crate::render::{GhostShot, Gpu, GpuError, PartId, PartShot, Renderer, Shot, Target};
use crate::scene::{Actor, ActorId, Camera, Display, LabelKind, Onion, Overlay, OverlayPart, OverlayView, ghosts};
use crate::session::{Selection, Session};
use crate::ui;

/// What the window shows of the stage, and what it was drawn from.
#[derive(Default)]
pub(super) struct Picture {
    uploaded: HashMap<ActorId, (u64, u64)>,
    drawn: Option<Drawn>,
    overlay: Overlay,
    labels: Vec<ui::Label>,
}

/// Everything a picture hangs on: while it is the same, nothing is drawn.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    actors: Vec<DrawnActor>,
    bones: BoneBlend,
    camera: Camera,
    display: Display,
    onion: Onion,
    focus: Option<ActorId>,
    selection: Selection,
    /// The clock of moving materials; none while nothing moves by it.
    seconds: Option<f64>,
    size: [u32; 2],
    pixels_per_point: f32,
    samples: u32,
}

/// What of an actor a picture hangs on.
#[derive(Clone, Debug, PartialEq)]
struct DrawnActor {
    number: u64,
    dressed: u64,
    blend: FrameBlend,
    lod: u32,
    shown: bool,
    visible: Vec<bool>,
    place: Affine3A,
    /// The frames of its ghosts.
    around: Vec<Option<u32>>,
}

impl DrawnActor {
    fn of(session: &Session, actor: &Actor) -> Self {
        Self {
            number: actor.number,
            dressed: actor.dressed(),
            blend: actor.playback.blend(actor.model()),
            lod: actor.lod,
            shown: session.stage.shows(actor),
            visible: actor.visible.clone(),
            place: actor.world_from_model,
            around: {
                let steps = session.onion.steps().into_iter();
                steps.map(|(steps, _)| actor.playback.neighbour(actor.model(), steps)).collect()
            },
        }
    }
}

impl Picture {
    /// The device is another one: everything is uploaded and drawn again.
    pub(super) fn forget(&mut self) {
        self.uploaded.clear();
        self.drawn = None;
    }

    /// Names in the picture.
    pub(super) fn labels(&self) -> &[ui::Label] {
        &self.labels
    }

    /// Finds the names for the session as it stands, for a picture as high as the last.
    pub(super) fn name(&mut self, session: &Session) {
        if let Some(drawn) = &self.drawn {
            let height = drawn.size[1] as f32 / drawn.pixels_per_point;
            self.lay_over(session, height);
        }
    }

    /// Draws the session's stage into the window's picture, if anything changed since it was drawn.
    pub(super) fn draw(
        &mut self,
        graphics: &mut Graphics,
        session: &Session,
        [width, height]: [u32; 2],
        pixels_per_point: f32,
        calm: bool,
    ) {
        if session.stage.actors().is_empty() || width == 0 || height == 0 {
            return;
        }
        let samples = graphics.gpu.samples(calm);
        let now = Drawn {
            actors: session.stage.actors().iter().map(|actor| DrawnActor::of(session, actor)).collect(),
            bones: session.stage.bones,
            camera: session.camera.clone(),
            display: session.display.clone(),
            onion: session.onion,
            focus: session.focus,
            selection: session.selection,
            seconds: session.has_effects().then_some(session.effects.seconds),
            size: [width, height],
            pixels_per_point,
            samples,
        };
        if self.drawn.as_ref() == Some(&now) {
            return;
        }
        graphics.resize_picture(width, height, samples);
        self.upload(&graphics.gpu, &mut graphics.renderer, session);
        self.lay_over(session, height as f32 / pixels_per_point);
        with_shot(session, &self.overlay, pixels_per_point, |shot| {
            graphics.renderer.draw(&graphics.gpu, shot, &graphics.target);
        });
        self.drawn = Some(now);
    }

    /// The window's picture in memory, as fine as it can be drawn and with its names.
    pub(super) fn take(
        &mut self,
        graphics: &mut Graphics,
        session: &Session,
        pixels_per_point: f32,
    ) -> Result<RgbaImage, GpuError> {
        let (width, height) = graphics.target.size();
        self.drawn = None;
        self.draw(graphics, session, [width, height], pixels_per_point, true);
        // The names are drawn into the window's own picture, which is then drawn anew without them.
        self.drawn = None;
        finish(&graphics.gpu, &graphics.target, session, &self.labels, pixels_per_point)
    }

    /// Brings the device's models up to date with the stage: those who left are forgotten, newcomers uploaded, those
    /// who changed clothes dressed.
    fn upload(&mut self, gpu: &Gpu, renderer: &mut Renderer, session: &Session) {
        let stage = &session.stage;
        self.uploaded.retain(|id, _| {
            let stays = stage.actor(*id).is_some();
            if !stays {
                renderer.remove(PartId(id.0));
            }
            stays
        });
        for actor in stage.actors() {
            let wanted = (actor.number, actor.dressed());
            match self.uploaded.insert(actor.id, wanted) {
                Some(known) if known == wanted => {}
                Some((number, _)) if number == actor.number => {
                    renderer.dress(gpu, PartId(actor.id.0), actor.model(), actor.looks())
                }
                _ => renderer.upload(gpu, PartId(actor.id.0), actor.model(), actor.looks()),
            }
        }
    }

    /// Lines and names over the models, for a picture of `height` points.
    fn lay_over(&mut self, session: &Session, height: f32) {
        self.overlay.clear();
        self.labels.clear();
        let view = OverlayView { camera: &session.camera, display: &session.display, height };
        let actors = session.stage.actors();
        for (number, actor) in actors.iter().enumerate().filter(|(_, actor)| session.stage.shows(actor)) {
            let drawn = drawn_surfaces(actor);
            let part = OverlayPart {
                number,
                model: actor.model(),
                pose: &actor.pose,
                lod: actor.lod,
                visible: &drawn,
                selection: overlay_selection(session, actor),
                world_from_model: actor.world_from_model,
            };
            self.overlay.add(&part, &view);
        }
        self.labels.extend(self.overlay.labels().iter().filter_map(|label| {
            Some(ui::Label {
                text: label.text.clone(),
                at: label.at,
                actor: actors.get(label.part)?.id,
                what: match label.kind {
                    LabelKind::Tag(index) => Selection::Tag(index),
                    LabelKind::Joint(index) => Selection::Joint(index),
                    LabelKind::Axis(_) => Selection::None,
                },
            })
        }));
    }
}

/// Per surface, whether it is drawn.
fn drawn_surfaces(actor: &Actor) -> Vec<bool> {
    (0..actor.part.model.surfaces.len()).map(|index| actor.draws(index)).collect()
}

fn overlay_selection(session: &Session, actor: &Actor) -> crate::scene::Selection {
    let mut chosen = crate::scene::Selection::default();
    match session.selection {
        _ if session.focus != Some(actor.id) => {}
        Selection::None => {}
        Selection::Surface(index) => chosen.surface = Some(index),
        Selection::Tag(index) => chosen.tag = Some(index),
        Selection::Joint(index) => chosen.joint = Some(index),
    }
    chosen
}

/// Calls `draw` with the session as one picture.
fn with_shot(session: &Session, overlay: &Overlay, pixels_per_point: f32, draw: impl FnOnce(&Shot<'_>)) {
    let bounds = if session.extent.is_empty() { Bounds::of(session.points()) } else { session.extent };
    let shown: Vec<&Actor> = session.stage.actors().iter().filter(|actor| session.stage.shows(actor)).collect();
    let surfaces: Vec<(Vec<bool>, Vec<bool>)> = shown
        .iter()
        .map(|actor| {
            let count = actor.part.model.surfaces.len();
            let is_outlined = |index| session.focus == Some(actor.id) && session.selection == Selection::Surface(index);
            (drawn_surfaces(actor), (0..count).map(is_outlined).collect())
        })
        .collect();
    let parts: Vec<PartShot<'_>> = shown
        .iter()
        .zip(&surfaces)
        .map(|(actor, (visible, outlined))| PartShot {
            id: PartId(actor.id.0),
            model: actor.model(),
            pose: &actor.pose,
            lod: actor.lod,
            visible,
            outlined,
            world_from_model: actor.world_from_model,
        })
        .collect();
    let around = ghosts(&session.stage, &session.onion);
    let ghosts: Vec<GhostShot<'_>> = around
        .iter()
        .flat_map(|ghost| ghost.actors().map(move |actor| (ghost, actor)))
        .filter_map(|(ghost, actor)| {
            let part = parts.iter().find(|part| part.id == PartId(actor.id.0))?;
            let part = PartShot { pose: &actor.pose, world_from_model: actor.world_from_model, ..*part };
            Some(GhostShot { part, steps: ghost.steps, strength: ghost.strength })
        })
        .collect();
    draw(&Shot {
        camera: &session.camera,
        parts: &parts,
        ghosts: &ghosts,
        lines: overlay,
        display: &session.display,
        pixels_per_point,
        seconds: session.effects.seconds,
        floor: session.floor,
        radius: bounds.radius().max(1.0),
        centre: bounds.centre(),
    });
}

/// Draws the session's model once, without a window: the same picture, and the same names on it.
pub fn snapshot(session: &Session, size: (u32, u32), pixels_per_point: f32) -> Result<RgbaImage, GpuError> {
    Studio::open()?.draw(session, size, pixels_per_point, true)
}

/// Draws sessions without a window, one after another: device, models and target stay for the next one.
pub struct Studio {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    picture: Picture,
    lettering: Lettering,
    /// Whose models and looks were uploaded: another session may call others by the same number.
    known: Vec<(Arc<Model>, Arc<[SurfaceLook]>)>,
}

impl Studio {
    /// A studio with a device of its own.
    pub fn open() -> Result<Self, GpuError> {
        Ok(Self::new(Gpu::headless()?))
    }

    /// A studio that draws with `gpu`.
    #[must_use]
    pub fn new(gpu: Gpu) -> Self {
        let renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, 1, 1, gpu.samples(true));
        let lettering = Lettering::new(&gpu);
        Self { gpu, renderer, target, picture: Picture::default(), lettering, known: Vec::new() }
    }

    /// The session's stage as a picture of so many pixels, with the names that belong in it, or without.
    pub fn draw(
        &mut self,
        session: &Session,
        (width, height): (u32, u32),
        pixels_per_point: f32,
        names: bool,
    ) -> Result<RgbaImage, GpuError> {
        self.fit(width, height)?;
        self.recognise(session);
        self.picture.upload(&self.gpu, &mut self.renderer, session);
        self.picture.lay_over(session, height as f32 / pixels_per_point);
        with_shot(session, &self.picture.overlay, pixels_per_point, |shot| {
            self.renderer.draw(&self.gpu, shot, &self.target);
        });
        let labels = self.picture.labels.as_slice();
        if names && !labels.is_empty() {
            self.lettering.write(&self.gpu, &self.target, pixels_per_point, wgpu::LoadOp::Load, |root, place| {
                ui::names(root, session, labels, place);
            });
        }
        read(&self.gpu, &self.target)
    }

    /// What egui shows, on nothing, as a picture of so many pixels.
    pub(super) fn write(
        &mut self,
        (width, height): (u32, u32),
        pixels_per_point: f32,
        content: impl FnMut(&mut egui::Ui, egui::Rect),
    ) -> Result<RgbaImage, GpuError> {
        self.fit(width, height)?;
        let clear = wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT);
        self.lettering.write(&self.gpu, &self.target, pixels_per_point, clear, content);
        read(&self.gpu, &self.target)
    }

    /// Forgets what was uploaded, if the session's models or what they wear are others.
    fn recognise(&mut self, session: &Session) {
        let actors = session.stage.actors();
        let same = actors.len() == self.known.len()
            && actors.iter().zip(&self.known).all(|(actor, (model, looks))| {
                Arc::ptr_eq(&actor.part.model, model) && Arc::ptr_eq(actor.looks(), looks)
            });
        if !same {
            self.picture.uploaded.drain().for_each(|(id, _)| self.renderer.remove(PartId(id.0)));
            self.known =
                actors.iter().map(|actor| (Arc::clone(&actor.part.model), Arc::clone(actor.looks()))).collect();
        }
    }

    fn fit(&mut self, width: u32, height: u32) -> Result<(), GpuError> {
        let longest = self.gpu.longest_side();
        if width > longest || height > longest {
            return Err(GpuError(format!("this graphics driver draws at most {longest} pixels a side")));
        }
        self.target.resize(&self.gpu, width, height, self.gpu.samples(true));
        Ok(())
    }
}

/// Draws the session's stage into `target`; `renderer` keeps nothing of it. Gives the names that belong in the picture.
pub(super) fn draw_once(
    gpu: &Gpu,
    renderer: &mut Renderer,
    target: &Target,
    session: &Session,
    pixels_per_point: f32,
) -> Vec<ui::Label> {
    let mut picture = Picture::default();
    picture.upload(gpu, renderer, session);
    picture.lay_over(session, target.size().1 as f32 / pixels_per_point);
    with_shot(session, &picture.overlay, pixels_per_point, |shot| renderer.draw(gpu, shot, target));
    picture.uploaded.keys().for_each(|id| renderer.remove(PartId(id.0)));
    picture.labels
}

/// Puts the names over a drawn picture and brings it into memory.
fn finish(
    gpu: &Gpu,
    target: &Target,
    session: &Session,
    labels: &[ui::Label],
    pixels_per_point: f32,
) -> Result<RgbaImage, GpuError> {
    if !labels.is_empty() {
        Lettering::new(gpu).write(gpu, target, pixels_per_point, wgpu::LoadOp::Load, |root, place| {
            ui::names(root, session, labels, place);
        });
    }
    read(gpu, target)
}

fn read(gpu: &Gpu, target: &Target) -> Result<RgbaImage, GpuError> {
    let image = target.read_back(gpu)?;
    gpu.take_trouble().map_or(Ok(image), |trouble| Err(GpuError(trouble)))
}

/// Lets egui write on finished pictures, as it does in the window.
struct Lettering {
    context: egui::Context,
    painter: egui_wgpu::Renderer,
    /// For how many pixels per point the typefaces are there; 0 at first.
    scale: f32,
}

impl Lettering {
    fn new(gpu: &Gpu) -> Self {
        let context = egui::Context::default();
        ui::install(&context);
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let painter = egui_wgpu::Renderer::new(&gpu.device, wgpu::TextureFormat::Rgba8Unorm, options);
        Self { context, painter, scale: 0.0 }
    }

    /// Shows `content`, told its place in points, over what is in `target` or over what `load` makes of it.
    fn write(
        &mut self,
        gpu: &Gpu,
        target: &Target,
        pixels_per_point: f32,
        load: wgpu::LoadOp<wgpu::Color>,
        mut content: impl FnMut(&mut egui::Ui, egui::Rect),
    ) {
        let (width, height) = target.size();
        let size = egui::vec2(width as f32, height as f32) / pixels_per_point;
        let place = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
        let input = || {
            let mut input = egui::RawInput { screen_rect: Some(place), ..egui::RawInput::default() };
            input.viewports.entry(egui::ViewportId::ROOT).or_default().native_pixels_per_point = Some(pixels_per_point);
            input
        };
        let mut textures = egui::TexturesDelta::default();
        #[allow(clippy::float_cmp, reason = "asks whether it is another one")]
        if self.scale != pixels_per_point {
            // The first pass only learns the scale and the typefaces.
            self.scale = pixels_per_point;
            self.context.set_pixels_per_point(pixels_per_point);
            textures = self.context.run_ui(input(), |_| {}).textures_delta;
        }
        let output = self.context.run_ui(input(), |root| content(root, place));
        textures.append(output.textures_delta);
        let shapes = self.context.tessellate(output.shapes, output.pixels_per_point);
        for (id, deltas) in &textures.set {
            for delta in deltas {
                self.painter.update_texture(&gpu.device, &gpu.queue, *id, delta);
            }
        }
        let screen = ScreenDescriptor { size_in_pixels: [width, height], pixels_per_point: output.pixels_per_point };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("names") });
        let mut commands = self.painter.update_buffers(&gpu.device, &gpu.queue, &mut encoder, &shapes, &screen);
        {
            let colour = wgpu::RenderPassColorAttachment {
                view: target.view(),
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load, store: wgpu::StoreOp::Store },
            };
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("names"),
                color_attachments: &[Some(colour)],
                ..wgpu::RenderPassDescriptor::default()
            });
            self.painter.render(&mut pass.forget_lifetime(), &shapes, &screen);
        }
        commands.push(encoder.finish());
        gpu.queue.submit(commands);
        for id in &textures.free {
            self.painter.free_texture(id);
        }
        textures.clear();
    }
}
