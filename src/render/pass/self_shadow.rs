//! Depth maps of the scene, seen from lights, for shadows that the scene casts on itself.

use glam::{Mat3, Mat4, Vec3};

use super::{
    DEPTH, Gpu, GpuSurface, Layouts, POSITIONS, PassContext, PipelineDescription, RenderRequest, Renderer, UVS,
    begin_pass, bind_group, casting_surfaces, depth, linear_sampler, runs, shader, uploaded,
};
use crate::render::samples::DOMES;
use maquette_core::model::Bounds;
use maquette_scene::scene::{OverlayKind, Shading, Wireframe};

/// Depth bias of surfaces, against shadows of a surface on itself.
const BIAS: wgpu::DepthBiasState = wgpu::DepthBiasState { constant: 4, slope_scale: 2.0, clamp: 0.0 };

/// Maps: from the key light, and from directions of the studio around the model.
pub const MAPS: usize = 1 + DOMES;

/// Use of the depth maps by the studio light.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShadowDetail {
    /// No maps are drawn.
    #[default]
    None,
    /// Key light: in motion on slow software adapters.
    Key,
    /// Key light and the light from all sides.
    All,
}

impl ShadowDetail {
    /// Returns the use for an image. One that must be `quick` has the shadows of the key light only.
    pub fn for_sample(request: &RenderRequest<'_>, quick: bool) -> Self {
        let display = request.display;
        let is_shaded = display.shows(OverlayKind::Shadow) && display.is_lit();
        match (is_shaded && display.wireframe != Wireframe::Alone, quick) {
            (false, _) => Self::None,
            (true, true) => Self::Key,
            (true, false) => Self::All,
        }
    }
}

/// Depth maps, and the bind group of the frame with them.
#[derive(Debug)]
pub struct SelfShadow {
    /// Side of the key light's map in texels. The maps of the studio have half the side, and share a layer.
    pub size: u32,
    layers: [wgpu::TextureView; 2],
    /// Frame with the maps, for all passes that read them.
    pub frame_group: wgpu::BindGroup,
    /// Frame with an empty map, for the passes that draw the maps.
    casting_group: wgpu::BindGroup,
}

impl SelfShadow {
    pub fn new(gpu: &Gpu, layouts: &Layouts, frame: &wgpu::Buffer) -> Self {
        let size = if gpu.is_software() { 1024 } else { 2048 };
        let texture = |size| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: Some("self-shadow"),
                size: wgpu::Extent3d { width: size, height: size, depth_or_array_layers: 2 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: DEPTH,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
                view_formats: &[],
            })
        };
        let (maps, empty) = (texture(size), texture(1));
        let array = |texture: &wgpu::Texture| {
            texture.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2Array),
                ..Default::default()
            })
        };
        let sampler = linear_sampler(gpu, Some(wgpu::CompareFunction::LessEqual));
        let group = |texture: &wgpu::Texture| {
            let (maps, sampler) = (array(texture), wgpu::BindingResource::Sampler(&sampler));
            let maps = wgpu::BindingResource::TextureView(&maps);
            bind_group(gpu, "frame", &layouts.frame, &[frame.as_entire_binding(), maps, sampler])
        };
        let layers = [0, 1].map(|layer| {
            maps.create_view(&wgpu::TextureViewDescriptor {
                dimension: Some(wgpu::TextureViewDimension::D2),
                base_array_layer: layer,
                array_layer_count: Some(1),
                ..Default::default()
            })
        });
        Self { size, layers, frame_group: group(&maps), casting_group: group(&empty) }
    }
}

pub(super) fn draw_maps(renderer: &mut Renderer, context: &PassContext<'_>, encoder: &mut wgpu::CommandEncoder) {
    let PassContext { gpu, request, .. } = *context;
    let Renderer { parts, layouts, pipelines, self_shadow, .. } = renderer;
    let maps = match context.shadow_detail {
        ShadowDetail::None => 0,
        ShadowDetail::Key => 1,
        ShadowDetail::All => MAPS,
    };
    let [key, studio] = &self_shadow.layers;
    for map in 0..maps {
        let mut pipeline = |fragment, groups: &[_], cull| {
            let pipeline = PipelineDescription {
                buffers: vec![Some(POSITIONS), None, Some(UVS)],
                constants: vec![("map", map as f64)],
                front_face: context.front_face(),
                cull,
                format: None,
                depth: Some(wgpu::DepthStencilState { bias: BIAS, ..depth(wgpu::CompareFunction::LessEqual, true) }),
                ..PipelineDescription::new(["vs_light", fragment], groups, 1)
            };
            pipelines.get(gpu, shader!("self_shadow.wgsl"), pipeline)
        };
        // Walls that are not drawn, because they are seen from behind, cast no shadow into the room.
        let solid = pipeline("fs_solid", &[Some(&layouts.part)], Some(wgpu::Face::Back));
        let cutout = pipeline("fs_holes", &[Some(&layouts.part), Some(&layouts.surface)], None);
        let depth = wgpu::RenderPassDepthStencilAttachment {
            view: if map == 0 { key } else { studio },
            depth_ops: Some(wgpu::Operations {
                load: if map < 2 { wgpu::LoadOp::Clear(1.0) } else { wgpu::LoadOp::Load },
                store: wgpu::StoreOp::Store,
            }),
            stencil_ops: None,
        };
        let mut pass = begin_pass(encoder, "self-shadow", None, Some(depth));
        pass.set_bind_group(0, &self_shadow.casting_group, &[]);
        if let Some(quarter) = map.checked_sub(1) {
            let half = self_shadow.size as f32 / 2.0;
            pass.set_viewport((quarter % 2) as f32 * half, (quarter / 2) as f32 * half, half, half, 0.0, 1.0);
        }
        for (gpu_part, part) in uploaded(parts, request) {
            gpu_part.bind(&mut pass);
            let is_cutout = |surface: &GpuSurface| surface.has_holes && request.display.shading == Shading::Textured;
            let is_same = |one: &GpuSurface, next: &GpuSurface| {
                is_cutout(one) == is_cutout(next) && (!is_cutout(one) || one.texture == next.texture)
            };
            for run in runs(casting_surfaces(gpu_part, part, request), is_same) {
                let (_, first) = run.0;
                if is_cutout(first) {
                    pass.set_pipeline(&cutout);
                    pass.set_bind_group(2, &first.texture, &[]);
                } else {
                    pass.set_pipeline(&solid);
                }
                gpu_part.draw_run(&mut pass, run, request.display.shows_materials());
            }
        }
    }
}

/// Returns the transform from world space to the clip space of a map: everything in `bounds`, seen from `light`.
pub fn clip_from_world(bounds: &Bounds, light: Vec3) -> Mat4 {
    let (right, up) = light.any_orthonormal_pair();
    let axes = [right, up, light];
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for corner in bounds.corners() {
        let turned = Vec3::from(axes.map(|axis| axis.dot(corner)));
        (low, high) = (low.min(turned), high.max(turned));
    }
    // Keeps the outermost texels empty, so that points outside of the map are lit.
    let margin = (high - low).max_element() * 0.02 + 1e-4;
    (low, high) = (low - margin, high + margin);
    let view = Mat4::from_mat3(Mat3::from_cols(right, up, light).transpose());
    // The light looks against its own axis: the nearest depth is the largest coordinate.
    let scale = Vec3::new(2.0, 2.0, -1.0) / (high - low);
    let shift = Vec3::new(-(low.x + high.x), -(low.y + high.y), high.z) / (high - low);
    Mat4::from_translation(shift) * Mat4::from_scale(scale) * view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_point_to_the_light_has_the_least_depth() {
        let bounds = Bounds::from_points([Vec3::new(-1.0, -2.0, 0.0), Vec3::new(3.0, 2.0, 8.0)]);
        let clip = clip_from_world(&bounds, Vec3::Z);
        let [top, bottom] = [8.0, 0.0].map(|z| clip.project_point3(Vec3::new(1.0, 0.0, z)));
        assert!(top.z < bottom.z && top.z >= 0.0 && bottom.z <= 1.0, "{top} {bottom}");
        assert!(top.truncate().length() < 1e-5, "the centre stays in the centre: {top}");
        for corner in bounds.corners() {
            let point = clip.project_point3(corner);
            assert!(point.truncate().abs().max_element() < 1.0, "{point}");
        }
    }
}
