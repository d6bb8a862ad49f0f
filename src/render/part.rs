//! A model on the device: what never moves is uploaded once, positions and normals are rewritten for every pose.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};
use glam::Affine3A;

use crate::material::{Picture, PictureWrap, SurfaceLook};
use crate::model::Model;
use crate::pose::Pose;

use super::frame::{PartUniform, SurfaceUniform};
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::lines::Edges;
use super::texture;

/// What moves of a vertex. Read by shaders/model.wgsl as attributes and by shaders/lines.wgsl as six numbers.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Vertex {
    position: [f32; 3],
    normal: [f32; 3],
}

/// One surface on the device.
#[derive(Debug)]
pub(super) struct GpuSurface {
    pub lod: u32,
    /// Its vertices among those of the part.
    vertices: Range<usize>,
    /// Its corners in the index buffer.
    pub indices: Range<u32>,
    /// Its picture, or the placeholder.
    pub picture: wgpu::BindGroup,
    /// Whether its picture has texels that are not opaque.
    pub has_alpha: bool,
}

/// One model on the device.
#[derive(Debug)]
pub(super) struct GpuPart {
    pub surfaces: Vec<GpuSurface>,
    /// Pictures on the device, by where they are in memory; held, so that no other can come to lie there.
    views: HashMap<usize, (Arc<Picture>, wgpu::TextureView)>,
    /// Positions and normals of all surfaces of all levels of detail.
    pub vertices: wgpu::Buffer,
    pub uvs: wgpu::Buffer,
    pub indices: wgpu::Buffer,
    pub uniform: wgpu::Buffer,
    pub bind_group: wgpu::BindGroup,
    /// Once a wireframe was asked for.
    pub edges: Option<Edges>,
    /// Where it was last put.
    stands: Option<Affine3A>,
    scratch: Vec<Vertex>,
}

/// What all surfaces may wear.
#[derive(Debug)]
pub(super) struct Wardrobe {
    repeat: wgpu::Sampler,
    clamp: wgpu::Sampler,
    pictured: wgpu::Buffer,
    /// What a surface without a picture wears.
    placeholder: wgpu::BindGroup,
}

impl Wardrobe {
    pub fn new(gpu: &Gpu, layouts: &Layouts) -> Self {
        let look = |has_picture| {
            let contents = SurfaceUniform::new(has_picture);
            filled(gpu, "surface", bytemuck::bytes_of(&contents), wgpu::BufferUsages::UNIFORM)
        };
        let repeat = texture::sampler(gpu, wgpu::AddressMode::Repeat);
        let blank = texture::upload_rgba(gpu, 1, 1, &[255; 4]);
        let missing = look(false);
        let placeholder = group(gpu, layouts, &blank, &repeat, &missing);
        let clamp = texture::sampler(gpu, wgpu::AddressMode::ClampToEdge);
        Self { repeat, clamp, pictured: look(true), placeholder }
    }

    /// The bind group of a surface that wears `view`, or the placeholder.
    pub fn dress(
        &self,
        gpu: &Gpu,
        layouts: &Layouts,
        view: Option<&wgpu::TextureView>,
        wrap: PictureWrap,
    ) -> wgpu::BindGroup {
        let sampler = match wrap {
            PictureWrap::Repeat => &self.repeat,
            PictureWrap::Clamp => &self.clamp,
        };
        view.map_or_else(|| self.placeholder.clone(), |view| group(gpu, layouts, view, sampler, &self.pictured))
    }
}

fn group(
    gpu: &Gpu,
    layouts: &Layouts,
    view: &wgpu::TextureView,
    sampler: &wgpu::Sampler,
    look: &wgpu::Buffer,
) -> wgpu::BindGroup {
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: Some("surface"),
        layout: &layouts.surface,
        entries: &[
            bound(0, wgpu::BindingResource::TextureView(view)),
            bound(1, wgpu::BindingResource::Sampler(sampler)),
            bound(2, look.as_entire_binding()),
        ],
    })
}

impl GpuPart {
    /// Uploads what never moves. Surfaces beyond the end of `looks` wear the placeholder.
    pub fn new(gpu: &Gpu, layouts: &Layouts, wardrobe: &Wardrobe, model: &Model, looks: &[SurfaceLook]) -> Self {
        let mut uvs: Vec<[f32; 2]> = Vec::new();
        let mut indices: Vec<u32> = Vec::new();
        let mut surfaces = Vec::with_capacity(model.surfaces.len());
        for surface in &model.surfaces {
            let first_vertex = uvs.len();
            let first_index = count(indices.len());
            let base = count(first_vertex);
            uvs.extend(surface.uvs.iter().map(|uv| uv.to_array()));
            indices.extend(surface.triangles.as_flattened().iter().map(|corner| base.saturating_add(*corner)));
            surfaces.push(GpuSurface {
                lod: surface.lod,
                vertices: first_vertex..uvs.len(),
                indices: first_index..count(indices.len()),
                picture: wardrobe.placeholder.clone(),
                has_alpha: false,
            });
        }
        let scratch = vec![Vertex::zeroed(); uvs.len()];
        let vertex_usage = wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_DST;
        let uniform_usage = wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST;
        let uniform = filled(gpu, "part", bytemuck::bytes_of(&PartUniform::new(&Affine3A::IDENTITY)), uniform_usage);
        let bind_group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("part"),
            layout: &layouts.part,
            entries: &[bound(0, uniform.as_entire_binding())],
        });
        let mut part = Self {
            surfaces,
            views: HashMap::new(),
            vertices: filled(gpu, "vertices", bytemuck::cast_slice(&scratch), vertex_usage),
            uvs: filled(gpu, "uvs", bytemuck::cast_slice(&uvs), wgpu::BufferUsages::VERTEX),
            indices: filled(gpu, "indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            uniform,
            bind_group,
            edges: None,
            stands: None,
            scratch,
        };
        part.dress(gpu, layouts, wardrobe, looks);
        part
    }

    /// Puts pictures on the surfaces; those that are on the device already are not uploaded again, and those that nobody
    /// wears any more are forgotten. Surfaces beyond the end of `looks` wear the placeholder.
    pub fn dress(&mut self, gpu: &Gpu, layouts: &Layouts, wardrobe: &Wardrobe, looks: &[SurfaceLook]) {
        let mut before = std::mem::take(&mut self.views);
        for (number, surface) in self.surfaces.iter_mut().enumerate() {
            let look = looks.get(number);
            let picture = look.and_then(|look| look.picture.as_ref());
            let view = picture.map(|picture| {
                let key = Arc::as_ptr(picture).addr();
                let (_, view) = self.views.entry(key).or_insert_with(|| {
                    before.remove(&key).unwrap_or_else(|| (Arc::clone(picture), texture::upload(gpu, picture)))
                });
                &*view
            });
            surface.picture = wardrobe.dress(gpu, layouts, view, look.map_or(PictureWrap::Repeat, |look| look.wrap));
            surface.has_alpha = picture.is_some_and(|picture| picture.has_alpha);
        }
    }

    /// Makes the edges of `model` if they are not there; returns how many there are.
    pub fn make_edges(&mut self, gpu: &Gpu, layouts: &Layouts, model: &Model) -> u32 {
        if self.edges.is_none() {
            self.edges = Some(Edges::new(gpu, layouts, self, model));
        }
        self.edges.as_ref().map_or(0, Edges::count)
    }

    /// Writes the pose's positions and normals of the surfaces of `lod`, and where the part stands. False if all of that
    /// is as it was.
    pub fn pose(&mut self, gpu: &Gpu, pose: &Pose, lod: u32, world_from_model: &Affine3A) -> bool {
        let moved = self.stands != Some(*world_from_model);
        if moved {
            gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&PartUniform::new(world_from_model)));
            self.stands = Some(*world_from_model);
        }
        let mut changed: Option<Range<usize>> = None;
        for (surface, posed) in self.surfaces.iter().zip(&pose.surfaces).filter(|(surface, _)| surface.lod == lod) {
            let Some(vertices) = self.scratch.get_mut(surface.vertices.clone()) else { continue };
            let mut same = true;
            for ((vertex, position), normal) in vertices.iter_mut().zip(&posed.positions).zip(&posed.normals) {
                let now = Vertex { position: position.to_array(), normal: normal.to_array() };
                same &= *vertex == now;
                *vertex = now;
            }
            if !same {
                let Range { start, end } = surface.vertices;
                changed = Some(changed.map_or(start..end, |range| range.start.min(start)..range.end.max(end)));
            }
        }
        let Some(range) = changed else { return moved };
        let offset = range.start as u64 * size_of::<Vertex>() as u64;
        if let Some(vertices) = self.scratch.get(range) {
            gpu.queue.write_buffer(&self.vertices, offset, bytemuck::cast_slice(vertices));
        }
        true
    }
}

/// A count as the device has it. No model comes near its end.
fn count(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A buffer that holds `contents`; never empty, for the device refuses that. Filled through the queue: a buffer that the
/// device could not make is then a trouble to be told, where mapping it would be a panic.
pub(super) fn filled(gpu: &Gpu, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = (contents.len() as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(16);
    let usage = usage | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
    let buffer = gpu.device.create_buffer(&descriptor);
    let (whole, rest) = contents.split_at(contents.len() - contents.len() % 4);
    if !whole.is_empty() {
        gpu.queue.write_buffer(&buffer, 0, whole);
    }
    if !rest.is_empty() {
        let mut last = [0; 4];
        last.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        gpu.queue.write_buffer(&buffer, whole.len() as u64, &last);
    }
    buffer
}

/// An entry of a bind group.
pub(super) fn bound(binding: u32, resource: wgpu::BindingResource<'_>) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource }
}
