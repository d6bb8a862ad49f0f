//! Model on the GPU. Static data is uploaded once, positions and normals for each pose.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use bytemuck::Zeroable;
use glam::{Affine3A, Mat4, Vec2, Vec3};

use maquette_assets::material::{
    AlphaTest, Deform, Image, InGame, Origin, SPRITE_COORDINATES, SPRITE_TRIANGLES, SurfaceMaterial, TextureWrap,
    Transparency, Viewpoint,
};
use maquette_core::model::{Bounds, Model, Surface, u32_or_max};
use maquette_core::pose::{self, Pose, PosedSurface, Sampling};
use maquette_scene::scene::{Camera, Display, EntityId, Shading};

use super::default_textures::DefaultTextures;
use super::edges::PartEdges;
use super::frame::PartUniform;
use super::gpu::Gpu;
use super::layouts::Layouts;
use super::overdraw::{DENSE_LAYERS, DRAWN_LAYERS, drawn_triangles};
use super::resources::{bind_group, empty_buffer, filled, write_converted};
use super::stages::{self, GpuMaterial, MaterialDevice, STRIDE, StageGroups};
use super::static_geometry_upload::StaticGeometryUpload;
use super::tangents::{self, Duplicate};
use super::texture::UploadBudget;
use super::texture_cache::TextureCache;
use super::{PartDraw, RenderRequest, colormap};

const VECTOR: usize = size_of::<Vec3>();

#[derive(Debug)]
pub(super) struct GpuSurface {
    pub lod: u32,
    vertices: Range<usize>,
    /// Indices of the triangles that are drawn.
    pub indices: Range<u32>,
    pub texture: wgpu::BindGroup,
    pub has_alpha: bool,
    pub transparency: Transparency,
    /// Whether the texture has holes that let light through.
    pub has_holes: bool,
    /// Mean luminance of the texture in linear light; `None` without a texture.
    pub luminance: Option<f32>,
    pub material: usize,
    written: Option<Written>,
    bounds: Option<(u64, Bounds)>,
    pub sprite: Option<Sprite>,
    /// Vertices with equal positions in the bind pose, once normals are derived.
    duplicates: Option<Vec<Duplicate>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Written {
    pose: u64,
    has_tangents: bool,
    /// Whether the normals keep their stored lengths instead of unit length.
    has_lengths: bool,
    /// Time and, if relevant, viewpoint for which the material deformed the vertices.
    deformed: Option<(f64, Option<Viewpoint>)>,
}

#[derive(Debug)]
pub(super) struct Sprite {
    uvs: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
}

#[derive(Debug)]
pub(super) struct GpuPart {
    pub surfaces: Vec<GpuSurface>,
    pub materials: Vec<GpuMaterial>,
    /// Addresses of the images that the part's materials use, so that they stay uploaded.
    images: HashSet<usize>,
    /// Positions of all surfaces in all LODs. shaders/lines.wgsl reads three numbers for each vertex.
    pub positions: wgpu::Buffer,
    pub normals: wgpu::Buffer,
    /// Tangents of all surfaces, once an interaction needs them.
    tangents: Option<wgpu::Buffer>,
    pub uvs: wgpu::Buffer,
    values: Option<wgpu::Buffer>,
    /// Colours of the vertices, if any surface has them.
    colours: Option<wgpu::Buffer>,
    /// Whether colours of vertices multiply the textures.
    tints: bool,
    /// Whether many triangles cover each other.
    pub is_dense: bool,
    pub indices: wgpu::Buffer,
    pub uniform: wgpu::Buffer,
    pub bind_group: wgpu::BindGroup,
    static_data: StaticGeometryUpload,
    pub edges: PartEdges,
    placement: Option<PartUniform>,
    vertex_count: usize,
    unwritten: Vec<usize>,
    numbers: wgpu::Buffer,
    number_scratch: Vec<u8>,
    evaluated: Option<(f64, u32)>,
    deformed: PosedSurface,
}

impl GpuPart {
    pub fn new(gpu: &Gpu, layouts: &Layouts, textures: &DefaultTextures, model: &Model) -> Self {
        let (mut vertex_count, mut index_count) = (0, 0);
        let mut surfaces = Vec::with_capacity(model.surfaces().len());
        for surface in model.surfaces() {
            let (first_vertex, first_index) = (vertex_count, u32_or_max(index_count));
            vertex_count += surface.uvs.len();
            index_count += surface.triangles.len() * 3;
            surfaces.push(GpuSurface {
                lod: surface.lod,
                vertices: first_vertex..vertex_count,
                indices: first_index..u32_or_max(index_count),
                texture: textures.placeholder.clone(),
                has_alpha: false,
                transparency: Transparency::Opaque,
                has_holes: false,
                luminance: None,
                material: 0,
                written: None,
                bounds: None,
                sprite: None,
                duplicates: None,
            });
        }
        let vertex_usage = wgpu::BufferUsages::VERTEX | gpu.vertex_storage_usage();
        let uniform = filled(gpu, "part", bytemuck::bytes_of(&PartUniform::zeroed()), wgpu::BufferUsages::UNIFORM);
        let bind_group = bind_group(gpu, "part", &layouts.part, &[uniform.as_entire_binding()]);
        let vertex_bytes = vertex_count * VECTOR;
        Self {
            surfaces,
            materials: Vec::new(),
            images: HashSet::new(),
            positions: empty_buffer(gpu, "positions", vertex_bytes, vertex_usage),
            normals: empty_buffer(gpu, "normals", vertex_bytes, wgpu::BufferUsages::VERTEX),
            uvs: empty_buffer(gpu, "uvs", vertex_count * size_of::<Vec2>(), wgpu::BufferUsages::VERTEX),
            tangents: None,
            values: None,
            colours: colours_of(gpu, model),
            tints: model.format().traits().colours_tint,
            is_dense: false,
            indices: empty_buffer(gpu, "indices", index_count * size_of::<u32>(), wgpu::BufferUsages::INDEX),
            static_data: StaticGeometryUpload::default(),
            uniform,
            bind_group,
            edges: PartEdges::None,
            placement: None,
            vertex_count,
            unwritten: Vec::new(),
            numbers: filled(gpu, "stages", &[], wgpu::BufferUsages::UNIFORM),
            number_scratch: Vec::new(),
            evaluated: None,
            deformed: PosedSurface::default(),
        }
    }

    /// Uploads static data within the budget. Returns whether all of it is uploaded.
    pub fn upload(&mut self, gpu: &Gpu, model: &Model, budget: &mut UploadBudget) -> bool {
        let Self { static_data, uvs, indices, surfaces, .. } = self;
        let starts = |number: usize| {
            let surface = surfaces.get(number)?;
            Some((surface.vertices.start, surface.indices.start as usize))
        };
        static_data.continue_upload(gpu, model, starts, uvs, indices, budget)
    }

    /// Assigns materials to the surfaces of `model`. Surfaces without a material get the placeholder. Surfaces whose
    /// images are still being decoded or, if `uploaded_only`, uploaded are drawn plain.
    #[allow(clippy::mutable_key_type, reason = "wgpu hashes and compares handles by identity")]
    pub fn set_materials(
        &mut self,
        device: &MaterialDevice<'_>,
        images: &mut TextureCache,
        model: &Model,
        materials: &[SurfaceMaterial],
        uploaded_only: bool,
    ) {
        let MaterialDevice { gpu, layouts, textures } = *device;
        let is_ready = |material: &&SurfaceMaterial, images: &TextureCache| {
            !material.is_pending() && (!uploaded_only || material.images().all(|image| images.is_uploaded(image)))
        };
        let ready: Vec<bool> = materials.iter().map(|material| is_ready(&material, images)).collect();
        let mut used = HashSet::new();
        let mut view = |image: &Arc<Image>| {
            used.insert(Arc::as_ptr(image).addr());
            images.view(gpu, image)
        };
        let mut slots = 0;
        let mut numbers: HashMap<MaterialKey, usize> = HashMap::new();
        let mut distinct: Vec<(&SurfaceMaterial, usize)> = Vec::new();
        let nothing = SurfaceMaterial::missing("", Origin::Model);
        let mut groups: HashMap<TextureKey, wgpu::BindGroup> = HashMap::new();
        for ((number, surface), shape) in self.surfaces.iter_mut().enumerate().zip(model.surfaces()) {
            // Show the material only when all its images are ready. Do not draw loading images as missing.
            let material = match (materials.get(number), ready.get(number)) {
                (Some(material), Some(true)) => material,
                (Some(_), _) => &textures.pending,
                (None, _) => &nothing,
            };
            let image = material.image.as_ref();
            // Another material may deform the vertices differently at the same time.
            surface.written = surface.written.filter(|written| written.deformed.is_none());
            let group = groups.entry(TextureKey::from_material(material)).or_insert_with(|| {
                let own = image.map(&mut view).or_else(|| material.is_undrawn().then(|| textures.undrawn.clone()));
                textures.bind_group(gpu, layouts, own.as_ref(), material.wrap)
            });
            surface.texture = group.clone();
            surface.transparency = material.transparency();
            let colours = shape.data.colours.as_deref().filter(|_| self.tints).unwrap_or_default();
            let is_sheer = colours.iter().any(|colour| colour.to_le_bytes()[3] < u8::MAX);
            surface.has_alpha = is_sheer || image.is_some_and(|image| image.has_alpha);
            let tests = material.definition.stages.iter().any(|stage| stage.alpha_test != AlphaTest::None);
            surface.has_holes = surface.has_alpha && tests;
            let shown = image.or_else(|| material.images().next());
            surface.luminance = shown.map(|image| image.luminance());
            surface.sprite = Sprite::for_deforms(gpu, &material.definition.deforms, shape);
            surface.material = *numbers.entry(MaterialKey::from_material(material)).or_insert_with(|| {
                distinct.push((material, slots));
                slots += stages::slots(material);
                distinct.len() - 1
            });
        }
        self.number_scratch.clear();
        self.number_scratch.resize(slots * STRIDE, 0);
        self.numbers = filled(gpu, "stages", &self.number_scratch, wgpu::BufferUsages::UNIFORM);
        let (buffer, numbers) = (&self.numbers, &mut self.number_scratch);
        let mut stage_groups = StageGroups::new();
        self.materials = distinct
            .into_iter()
            .map(|(material, slot)| device.material(buffer, material, slot, numbers, &mut stage_groups, &mut view))
            .collect();
        self.images = used;
        self.evaluated = None;
    }

    pub fn material_of(&self, surface: &GpuSurface) -> Option<&GpuMaterial> {
        self.materials.get(surface.material)
    }

    pub fn shows(&self, image: &Arc<Image>) -> bool {
        self.images.contains(&Arc::as_ptr(image).addr())
    }

    /// Evaluates the stages of all materials for a time and a frame of the model, if these changed.
    pub fn evaluate(&mut self, gpu: &Gpu, seconds: f64, frame: u32) {
        let first = self.evaluated.is_none();
        if self.evaluated == Some((seconds, frame)) {
            return;
        }
        self.evaluated = Some((seconds, frame));
        let mut changed = first;
        for material in &mut self.materials {
            changed |= material.evaluate(seconds, frame, first, &mut self.number_scratch);
        }
        if changed && !self.number_scratch.is_empty() {
            gpu.queue.write_buffer(&self.numbers, 0, &self.number_scratch);
        }
    }

    /// Uploads the value of each vertex as a position on the colour scale, 0 to 1. `None` releases the memory.
    pub fn set_values(&mut self, gpu: &Gpu, scalars: Option<&[f32]>) {
        let coordinates = |scalars: &[f32]| -> Vec<[f32; 2]> {
            let all = scalars.iter().copied().chain(std::iter::repeat(0.0));
            // Map to texel centres.
            let along = |value: f32| value * (1.0 - 1.0 / colormap::LENGTH as f32) + 0.5 / colormap::LENGTH as f32;
            all.take(self.vertex_count).map(|value| [along(value), 0.5]).collect()
        };
        self.values = scalars.map(|scalars| {
            filled(gpu, "values", bytemuck::cast_slice(&coordinates(scalars)), wgpu::BufferUsages::VERTEX)
        });
    }

    pub fn bind_values(&self, pass: &mut wgpu::RenderPass<'_>) {
        if let Some(values) = &self.values {
            pass.set_vertex_buffer(2, values.slice(..));
        }
    }

    /// Returns whether an image shows the colours of the vertices.
    pub fn shows_colours(&self, display: &Display) -> bool {
        let is_game = display.is_in_game();
        self.colours.is_some()
            && match display.shading {
                Shading::VertexColours => true,
                Shading::Textured | Shading::Unlit => self.tints && !is_game,
                _ => false,
            }
    }

    /// Leaves out triangles beyond the limit of overdraw.
    pub fn limit_overdraw(&mut self, part: &PartDraw<'_>, clip_from_world: &[[f32; 4]; 4]) {
        let clip_from_model = Mat4::from_cols_array_2d(clip_from_world) * Mat4::from(part.world_from_model);
        let diagonal = (part.pose.bounds.max - part.pose.bounds.min).length();
        let mut layers = DRAWN_LAYERS;
        let shapes = self.surfaces.iter_mut().zip(part.model.surfaces()).zip(&part.pose.surfaces).enumerate();
        for (number, ((surface, shape), posed)) in shapes {
            if surface.lod == part.lod && part.visible.get(number).copied().unwrap_or(true) {
                let count =
                    drawn_triangles(&shape.triangles, &posed.positions, &clip_from_model, diagonal, &mut layers);
                surface.indices.end = surface.indices.start.saturating_add(count.saturating_mul(3));
            }
        }
        self.is_dense = layers < DRAWN_LAYERS - DENSE_LAYERS;
    }

    /// Writes the part's transform, positions and normals, deformed by materials if these are shown. Returns whether
    /// anything moved. On software devices, deformation does not count, because redrawing the shadow would take a third
    /// of the frame time.
    pub fn pose(&mut self, gpu: &Gpu, part: &PartDraw<'_>, request: &RenderRequest<'_>) -> bool {
        let placement = PartUniform::new(&part.world_from_model, request.camera);
        let mut moved = false;
        if self.placement != Some(placement) {
            moved = self.placement.is_none_or(|before| !before.is_at(&placement));
            gpu.queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&placement));
            self.placement = Some(placement);
        }
        let shows_materials = request.display.shows_materials();
        let is_game = request.display.is_in_game();
        let eye = viewpoint(&part.world_from_model, request.camera);
        let derives_normals = tangents::derives_normals(part.model);
        let mut bind_pose = None;
        self.unwritten.clear();
        let shapes = self.surfaces.iter_mut().zip(part.model.surfaces()).zip(&part.pose.surfaces).enumerate();
        for (number, ((surface, shape), posed)) in shapes {
            if surface.lod != part.lod || !part.visible.get(number).copied().unwrap_or(true) {
                continue;
            }
            let material = self.materials.get(surface.material);
            let has_tangents = is_game && material.is_some_and(|material| material.has_interactions(part.light));
            let material = material.filter(|material| shows_materials && !material.deforms(is_game).is_empty());
            let lengths: &[f32] = if is_game { &posed.normal_lengths } else { &[] };
            let now = Written {
                pose: part.pose.revision(),
                has_tangents,
                has_lengths: !lengths.is_empty(),
                deformed: material.map(|material| {
                    let faces_eye = material.deforms(is_game).iter().any(Deform::follows_the_eye);
                    (material.time(request.seconds), faces_eye.then_some(eye))
                }),
            };
            let before = surface.written.replace(now);
            if before == Some(now) {
                continue;
            }
            let is_new_pose = before.is_none_or(|before| before.pose != now.pose);
            moved |= material.is_none() || is_new_pose || !gpu.is_software();
            let is_whole = [posed.positions.len(), posed.normals.len()] == [surface.vertices.len(); 2];
            if material.is_none() && lengths.is_empty() && is_whole && !has_tangents {
                self.unwritten.push(number);
                continue;
            }
            let deformed = &mut self.deformed;
            deformed.positions.clone_from(&posed.positions);
            deformed.normals.clone_from(&posed.normals);
            if let Some(material) = material {
                let seconds = material.time(request.seconds);
                for deform in material.deforms(is_game) {
                    if let Some(sprite) = &surface.sprite
                        && let Some(uvs) = deform.coordinates(seconds, shape, &deformed.positions)
                    {
                        write_converted(gpu, &sprite.uvs, 0, std::iter::once(uvs.as_slice()), Vec2::to_array);
                    }
                    deform.apply(seconds, &eye, shape, &mut deformed.positions, &mut deformed.normals);
                }
            }
            let start = surface.vertices.start * VECTOR;
            if has_tangents {
                let deforms = material.map_or(&[][..], |material| material.deforms(true));
                if derives_normals && surface.duplicates.is_none() {
                    let bind = bind_pose.get_or_insert_with(|| first_pose(part));
                    surface.duplicates = bind.surfaces.get(number).map(|bind| tangents::duplicates(&bind.positions));
                }
                let mut tangents = tangents::derive(shape, deformed, deforms, surface.duplicates.as_deref());
                tangents.resize(surface.vertices.len(), [Vec3::ZERO; 2]);
                write_tangents(gpu, &mut self.tangents, self.vertex_count, start * 2, &tangents);
            }
            deformed.normals.iter_mut().zip(lengths).for_each(|(normal, length)| *normal *= *length);
            for (buffer, vectors) in
                [(&self.positions, &mut deformed.positions), (&self.normals, &mut deformed.normals)]
            {
                vectors.resize(surface.vertices.len(), Vec3::ZERO);
                write_converted(gpu, buffer, start, std::iter::once(vectors.as_slice()), Vec3::to_array);
            }
        }
        self.write_undeformed(gpu, part.pose);
        moved
    }

    /// Writes adjacent surfaces in one run, directly from the pose.
    fn write_undeformed(&self, gpu: &Gpu, pose: &Pose) {
        let (surfaces, posed) = (&self.surfaces, &pose.surfaces);
        let is_adjacent = |one: &usize, next: &usize| surfaces[*one].vertices.end == surfaces[*next].vertices.start;
        for run in self.unwritten.chunk_by(is_adjacent) {
            let start = run.first().map_or(0, |first| surfaces[*first].vertices.start * VECTOR);
            let run = run.iter().map(|number| &posed[*number]);
            let positions = run.clone().map(|surface| surface.positions.as_slice());
            write_converted(gpu, &self.positions, start, positions, Vec3::to_array);
            let normals = run.map(|surface| surface.normals.as_slice());
            write_converted(gpu, &self.normals, start, normals, Vec3::to_array);
        }
    }

    pub fn bounds(&mut self, number: usize, pose: &Pose) -> Bounds {
        let (Some(surface), Some(posed)) = (self.surfaces.get_mut(number), pose.surfaces.get(number)) else {
            return Bounds::EMPTY;
        };
        match surface.bounds {
            Some((revision, bounds)) if revision == pose.revision() => bounds,
            _ => {
                let bounds = Bounds::from_points(posed.positions.iter().copied());
                surface.bounds = Some((pose.revision(), bounds));
                bounds
            }
        }
    }

    pub fn draw_run(&self, pass: &mut wgpu::RenderPass<'_>, ((_, surface), indices): Run<'_>, as_material: bool) {
        let Some(sprite) = surface.sprite.as_ref().filter(|_| as_material) else {
            pass.draw_indexed(indices, 0, 0..1);
            return;
        };
        let start = (surface.vertices.start * VECTOR) as u64;
        pass.set_vertex_buffer(0, self.positions.slice(start..));
        pass.set_vertex_buffer(1, self.normals.slice(start..));
        pass.set_vertex_buffer(2, sprite.uvs.slice(..));
        self.tangents.iter().for_each(|tangents| pass.set_vertex_buffer(4, tangents.slice(start * 2..)));
        // A colour has four bytes.
        let first_colour = (surface.vertices.start * 4) as u64;
        self.colours.iter().for_each(|colours| pass.set_vertex_buffer(3, colours.slice(first_colour..)));
        pass.set_index_buffer(sprite.indices.slice(..), wgpu::IndexFormat::Uint32);
        pass.draw_indexed(0..sprite.count.min(indices.end - indices.start), 0, 0..1);
        self.bind(pass);
    }

    pub fn bind(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_bind_group(1, &self.bind_group, &[]);
        pass.set_vertex_buffer(0, self.positions.slice(..));
        pass.set_vertex_buffer(1, self.normals.slice(..));
        pass.set_vertex_buffer(2, self.uvs.slice(..));
        if let Some(colours) = &self.colours {
            pass.set_vertex_buffer(3, colours.slice(..));
        }
        self.tangents.iter().for_each(|tangents| pass.set_vertex_buffer(4, tangents.slice(..)));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
    }
}

/// Uploads the colours of the vertices. `None` if no surface has any.
fn colours_of(gpu: &Gpu, model: &Model) -> Option<wgpu::Buffer> {
    let surfaces = model.surfaces().iter();
    surfaces.clone().find(|surface| surface.data.colours.is_some())?;
    let mut all: Vec<i32> = Vec::new();
    for surface in surfaces {
        let start = all.len();
        all.extend_from_slice(surface.data.colours.as_deref().unwrap_or_default());
        // White.
        all.resize(start + surface.vertex_count(), -1);
    }
    Some(filled(gpu, "colours", bytemuck::cast_slice(&all), wgpu::BufferUsages::VERTEX))
}

/// Returns the pose of a part in frame 0, the bind pose of models with joints.
fn first_pose(part: &PartDraw<'_>) -> Pose {
    let mut pose = Pose::default();
    pose::sample(part.model, &Sampling { lod: part.lod, ..Sampling::default() }, &mut pose);
    pose
}

/// Writes tangents from byte `start` on into `buffer`, which is created for `count` vertices.
fn write_tangents(gpu: &Gpu, buffer: &mut Option<wgpu::Buffer>, count: usize, start: usize, tangents: &[[Vec3; 2]]) {
    let new = || empty_buffer(gpu, "tangents", count * VECTOR * 2, wgpu::BufferUsages::VERTEX);
    let pair = |[s, t]: &[Vec3; 2]| [s.to_array(), t.to_array()];
    write_converted(gpu, buffer.get_or_insert_with(new), start, std::iter::once(tangents), pair);
}

impl Sprite {
    fn for_deforms(gpu: &Gpu, deforms: &[Deform], shape: &Surface) -> Option<Self> {
        if deforms.contains(&Deform::Sprite) {
            return Some(Self::of_squares(gpu, shape));
        }
        let shakes = deforms.iter().any(|deform| matches!(deform, Deform::Turbulent(..)));
        shakes.then(|| Self::new(gpu, &shape.uvs, shape.triangles.as_flattened()))
    }

    fn of_squares(gpu: &Gpu, shape: &Surface) -> Self {
        let squares = shape.vertex_count() / 4;
        let uvs: Vec<Vec2> = (0..shape.vertex_count())
            .map(|vertex| SPRITE_COORDINATES.get(vertex % 4).copied().unwrap_or_default())
            .collect();
        let corners = |square: u32| SPRITE_TRIANGLES.into_iter().flatten().map(move |corner| square * 4 + corner);
        let indices: Vec<u32> = (0..u32_or_max(squares)).flat_map(corners).collect();
        Self::new(gpu, &uvs, &indices)
    }

    fn new(gpu: &Gpu, uvs: &[Vec2], indices: &[u32]) -> Self {
        let uvs: Vec<[f32; 2]> = uvs.iter().map(Vec2::to_array).collect();
        Self {
            uvs: filled(gpu, "sprite", bytemuck::cast_slice(&uvs), wgpu::BufferUsages::VERTEX),
            indices: filled(gpu, "sprite", bytemuck::cast_slice(indices), wgpu::BufferUsages::INDEX),
            count: u32_or_max(indices.len()),
        }
    }
}

impl GpuSurface {
    pub fn vertex_range(&self) -> Range<u32> {
        u32_or_max(self.vertices.start)..u32_or_max(self.vertices.end)
    }
}

/// First surface of a run, its number, and the indices of the run.
pub(super) type Run<'a> = ((usize, &'a GpuSurface), Range<u32>);

/// Joins surfaces whose triangles follow each other in the buffer, if `is_drawn_alike` returns true. Sprites stay
/// alone. One call draws each run: a model may have 65,535 surfaces.
pub(super) fn runs<'a>(
    surfaces: impl Iterator<Item = (usize, &'a GpuSurface)>,
    is_drawn_alike: impl Fn(&GpuSurface, &GpuSurface) -> bool,
) -> impl Iterator<Item = Run<'a>> {
    let mut surfaces = surfaces.peekable();
    std::iter::from_fn(move || {
        let (number, first) = surfaces.next()?;
        let mut indices = first.indices.clone();
        let is_next = |(_, next): &(usize, &GpuSurface), end: u32| {
            next.indices.start == end && first.sprite.is_none() && next.sprite.is_none() && is_drawn_alike(first, next)
        };
        while let Some((_, next)) = surfaces.next_if(|next| is_next(next, indices.end)) {
            indices.end = next.indices.end;
        }
        Some(((number, first), indices))
    })
}

/// Joins adjacent ranges.
pub(super) fn joined(ranges: impl Iterator<Item = Range<u32>>) -> impl Iterator<Item = Range<u32>> {
    let mut ranges = ranges.peekable();
    std::iter::from_fn(move || {
        let mut range = ranges.next()?;
        while let Some(next) = ranges.next_if(|next| next.start == range.end) {
            range.end = next.end;
        }
        Some(range)
    })
}

/// Properties of a material that decide the texture of a surface without stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct TextureKey {
    image: usize,
    is_undrawn: bool,
    is_repeated: bool,
}

impl TextureKey {
    fn from_material(material: &SurfaceMaterial) -> Self {
        Self {
            image: material.image.as_ref().map_or(0, |image| Arc::as_ptr(image).addr()),
            is_undrawn: material.is_undrawn(),
            is_repeated: material.wrap == TextureWrap::Repeat,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct MaterialKey {
    material: usize,
    in_game: usize,
    rank: u32,
    is_plain: bool,
    is_undrawn: bool,
}

impl MaterialKey {
    fn from_material(material: &SurfaceMaterial) -> Self {
        let is_empty = material.definition.stages.is_empty();
        let is_default = material.in_game == InGame::DefaultTexture;
        Self {
            material: if is_empty { 0 } else { Arc::as_ptr(&material.definition).addr() },
            in_game: if is_default { usize::MAX } else { material.stages_in_game() },
            rank: material.sort_tiebreak,
            is_plain: material.is_plain(),
            is_undrawn: material.is_undrawn(),
        }
    }
}

fn viewpoint(world_from_model: &Affine3A, camera: &Camera) -> Viewpoint {
    let model_from_world = world_from_model.inverse();
    let in_model =
        |direction: Vec3, fallback: Vec3| model_from_world.transform_vector3(direction).normalize_or(fallback);
    let (right, up) = camera.right_up();
    Viewpoint {
        forward: in_model(-camera.towards_eye(), Vec3::X),
        left: in_model(-right, Vec3::Y),
        up: in_model(up, Vec3::Z),
        position: model_from_world.transform_point3(camera.eye()),
    }
}

/// Returns the parts of a request that are uploaded.
pub(super) fn uploaded<'a>(
    parts: &'a HashMap<EntityId, GpuPart>,
    request: &'a RenderRequest<'a>,
) -> impl Iterator<Item = (&'a GpuPart, &'a PartDraw<'a>)> {
    request.parts.iter().filter_map(|part| Some((parts.get(&part.id)?, part)))
}

pub(super) fn drawn_surfaces<'a>(
    gpu_part: &'a GpuPart,
    part: &'a PartDraw<'_>,
) -> impl Iterator<Item = (usize, &'a GpuSurface)> {
    let has_same_surfaces = gpu_part.surfaces.len() == part.model.surfaces().len();
    let surfaces = if has_same_surfaces { gpu_part.surfaces.as_slice() } else { &[] };
    surfaces.iter().enumerate().filter_map(|(number, surface)| {
        let visible = part.visible.get(number).copied().unwrap_or(true);
        (visible && surface.lod == part.lod && !surface.indices.is_empty()).then_some((number, surface))
    })
}
