//! Soft shadow on the floor: two small textures for projection and blur.

use bytemuck::{Pod, Zeroable};
use glam::{Vec2, Vec3};

use super::{
    CLEAR, COLOUR, Gpu, Layouts, POSITIONS, PassContext, PipelineDescription, RenderRequest, Renderer, attachment,
    begin_pass, bind_group, casting_surfaces, colour_attachment, linear_sampler, runs, shader, uploaded,
};
use crate::render::blend_states::MAX;
use crate::render::frame::seen_from_above;
use maquette_core::model::Bounds;
use maquette_scene::scene::{EntityId, OverlayKind, Wireframe};

/// Minimum elevation of the shadow light in degrees. A lower light would cast the shadow out of the image.
const FLATTEST: f32 = 38.0;

/// Part of `Frame` in shaders/common.wgsl: the area of the floor that the shadow texture covers, a square whose v axis
/// has the direction of the light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct ShadowUniform {
    u: [f32; 4],
    v: [f32; 4],
    light: [f32; 4],
    shadow: [f32; 4],
}

impl ShadowUniform {
    /// `key` is the direction towards the key light, and `strength` the maximum darkening. `texels` is the side of the
    /// texture.
    pub fn new(request: &RenderRequest<'_>, bounds: &Bounds, key: Vec3, strength: f32, texels: f32) -> Self {
        let light = raised(key);
        if !casts_shadow(request) || bounds.is_empty() {
            return Self { light: light.extend(0.0).into(), shadow: [0.0, 0.5, 0.5, texels], ..Self::default() };
        }
        let along = Vec2::new(light.x, light.y).normalize_or(Vec2::X);
        let across = along.perp();
        let slope = Vec2::new(light.x, light.y) / light.z.max(0.1);
        let mut low = Vec2::INFINITY;
        let mut high = Vec2::NEG_INFINITY;
        for corner in bounds.corners() {
            let height = (corner.z - request.floor).max(0.0);
            let under = Vec2::new(corner.x, corner.y);
            for point in [under, under - slope * height] {
                let turned = Vec2::new(point.dot(across), point.dot(along));
                low = low.min(turned);
                high = high.max(turned);
            }
        }
        let height = (bounds.max.z - request.floor).max((high - low).max_element() * 0.25).max(1e-3);
        // Margin for the blur.
        let side = (high - low).max_element() + height * 0.34;
        let corner = (low + high) / 2.0 - side / 2.0;
        // Blur steps in texels. The smallest step is half a texel, so that the blur always has an effect.
        let blur_step = |share: f32| (share * height * texels / side * 0.6).max(0.5);
        Self {
            u: (across / side).extend(-corner.x / side).extend(0.0).into(),
            v: (along / side).extend(-corner.y / side).extend(0.0).into(),
            light: light.extend(0.0).into(),
            shadow: [strength, blur_step(0.055), blur_step(0.022), texels],
        }
    }
}

/// Returns the direction towards the shadow light: the key light, raised to at least [`FLATTEST`].
fn raised(key: Vec3) -> Vec3 {
    let (sin, cos) = FLATTEST.to_radians().sin_cos();
    if key.z >= sin {
        return key;
    }
    (Vec2::new(key.x, key.y).normalize_or(Vec2::X) * cos).extend(sin)
}

/// Returns whether the floor shows a shadow. It does not if the camera is below the floor.
fn casts_shadow(request: &RenderRequest<'_>) -> bool {
    let display = request.display;
    display.shows(OverlayKind::Shadow) && display.wireframe != Wireframe::Alone && seen_from_above(request)
}

/// Uniforms and surfaces that a shadow depends on.
type ShadowInputs = (ShadowUniform, [f32; 4], Vec<(EntityId, usize)>);

#[derive(Debug)]
pub struct ShadowMaps {
    pub size: u32,
    /// Projected shadow, and after the second blur the finished shadow.
    first: (wgpu::TextureView, wgpu::BindGroup),
    second: (wgpu::TextureView, wgpu::BindGroup),
    /// Whether a part moved since the shadow was drawn.
    pub moved: bool,
    /// Uniforms and surfaces of the drawn shadow. Zoom, panning and colours do not affect them.
    inputs: Option<ShadowInputs>,
}

impl ShadowMaps {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        // The blur is wide, so a smaller texture suffices on software devices.
        let size = if gpu.is_software() { 128 } else { 384 };
        let sampler = linear_sampler(gpu, None);
        let map = || {
            let texture = attachment(gpu, "shadow", (size, size), 1, COLOUR, wgpu::TextureUsages::TEXTURE_BINDING);
            let view = texture.create_view(&Default::default());
            let resources = [wgpu::BindingResource::TextureView(&view), wgpu::BindingResource::Sampler(&sampler)];
            let group = bind_group(gpu, "shadow", &layouts.texture, &resources);
            (view, group)
        };
        Self { size, first: map(), second: map(), moved: true, inputs: None }
    }

    /// Returns whether the shadow of these surfaces must be drawn again, and remembers its inputs.
    fn is_outdated(&mut self, context: &PassContext<'_>, surfaces: impl Iterator<Item = (EntityId, usize)>) -> bool {
        let inputs = Some((context.frame.shadow, context.frame.floor, surfaces.collect()));
        let is_outdated = std::mem::take(&mut self.moved) || inputs != self.inputs;
        self.inputs = inputs;
        is_outdated
    }
}

/// Draws the surfaces into the shadow texture and blurs it, if the shadow is out of date.
pub(super) fn draw_map(renderer: &mut Renderer, context: &PassContext<'_>, encoder: &mut wgpu::CommandEncoder) {
    let PassContext { gpu, request, .. } = *context;
    let Renderer { parts, layouts, pipelines, shadow: maps, self_shadow, .. } = renderer;
    let surfaces = uploaded(parts, request)
        .flat_map(|(gpu_part, part)| casting_surfaces(gpu_part, part, request).map(|(number, _)| (part.id, number)));
    if !casts_shadow(request) || !maps.is_outdated(context, surfaces) {
        return;
    }
    let flatten = [["vs_cast", "fs_cast"], ["vs_above", "fs_above"]].map(|entries| {
        let pipeline = PipelineDescription {
            buffers: vec![Some(POSITIONS)],
            blend: Some(MAX),
            depth: None,
            ..PipelineDescription::new(entries, &[Some(&layouts.part)], 1)
        };
        pipelines.get(gpu, shader!("shadow.wgsl"), pipeline)
    });
    let mut pass = begin_pass(encoder, "shadow", Some(colour_attachment(&maps.first.0, CLEAR)), None);
    pass.set_bind_group(0, &self_shadow.frame_group, &[]);
    for (gpu_part, part) in uploaded(parts, request) {
        gpu_part.bind(&mut pass);
        for pipeline in &flatten {
            pass.set_pipeline(pipeline);
            for run in runs(casting_surfaces(gpu_part, part, request), |_, _| true) {
                gpu_part.draw_run(&mut pass, run, request.display.shows_materials());
            }
        }
    }
    drop(pass);
    for (vertical, (_, from), (into, _)) in [(0.0, &maps.first, &maps.second), (1.0, &maps.second, &maps.first)] {
        let pipeline = PipelineDescription {
            constants: vec![("vertical", vertical)],
            depth: None,
            ..PipelineDescription::new(["vs_blur", "fs_blur"], &[Some(&layouts.texture)], 1)
        };
        let mut pass = begin_pass(encoder, "blur", Some(colour_attachment(into, CLEAR)), None);
        pass.set_bind_group(0, &self_shadow.frame_group, &[]);
        pass.set_bind_group(1, from, &[]);
        pass.set_pipeline(&pipelines.get(gpu, shader!("blur.wgsl"), pipeline));
        pass.draw(0..3, 0..1);
    }
}

/// Draws the shadow texture on the floor.
pub(super) fn draw(renderer: &mut Renderer, context: &PassContext<'_>, pass: &mut wgpu::RenderPass<'_>) {
    if casts_shadow(context.request) {
        let pipeline = PipelineDescription {
            topology: wgpu::PrimitiveTopology::TriangleStrip,
            blend: Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING),
            ..context.pipeline(["vs_shade", "fs_shade"], &[Some(&renderer.layouts.texture)])
        };
        pass.set_pipeline(&renderer.pipelines.get(context.gpu, shader!("shade.wgsl"), pipeline));
        pass.set_bind_group(1, &renderer.shadow.first.1, &[]);
        pass.draw(0..4, 0..1);
    }
}
