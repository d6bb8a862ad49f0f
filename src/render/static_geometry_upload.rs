//! Upload of a model's texture coordinates and triangles in slices.

use super::gpu::Gpu;
use super::texture::UploadBudget;
use maquette_core::model::{Model, u32_or_max};

const BLOCK: usize = 512;

#[derive(Debug, Default)]
pub(super) struct StaticGeometryUpload {
    surface: usize,
    vertex: usize,
    triangle: usize,
}

impl StaticGeometryUpload {
    /// Writes as much as the budget permits. Returns whether everything is written. `starts` returns a surface's first
    /// vertex and first index.
    pub fn continue_upload(
        &mut self,
        gpu: &Gpu,
        model: &Model,
        starts: impl Fn(usize) -> Option<(usize, usize)>,
        uvs: &wgpu::Buffer,
        indices: &wgpu::Buffer,
        budget: &mut UploadBudget,
    ) -> bool {
        while let Some(((first_vertex, first_corner), geometry)) =
            starts(self.surface).zip(model.surfaces().get(self.surface))
        {
            let base = u32_or_max(first_vertex);
            let coordinates = geometry.uvs.get(self.vertex..).unwrap_or_default();
            let start = (first_vertex + self.vertex) * 8;
            self.vertex += write(gpu, uvs, start, coordinates, |uv| uv.to_array(), budget);
            let triangles = geometry.triangles.get(self.triangle..).unwrap_or_default();
            let start = (first_corner + self.triangle * 3) * 4;
            let corners = |triangle: &[u32; 3]| triangle.map(|corner| base.saturating_add(corner));
            self.triangle += write(gpu, indices, start, triangles, corners, budget);
            if self.vertex < geometry.uvs.len() || self.triangle < geometry.triangles.len() {
                return false;
            }
            *self = Self { surface: self.surface + 1, ..Self::default() };
        }
        true
    }
}

fn write<T, N: bytemuck::Pod + Default>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    start: usize,
    items: &[T],
    numbers: impl Fn(&T) -> N,
    budget: &mut UploadBudget,
) -> usize {
    let count = budget.count(size_of::<N>()).min(items.len());
    let Some(size) = wgpu::BufferSize::new((count * size_of::<N>()) as u64) else { return 0 };
    budget.take(count * size_of::<N>());
    // A lost device returns no view of the buffer. Report success, so that the upload is not repeated.
    let Some(mut view) = gpu.queue.write_buffer_with(buffer, start as u64, size) else { return count };
    let (mut at, mut block) = (0, [N::default(); BLOCK]);
    for items in items.get(..count).unwrap_or_default().chunks(BLOCK) {
        block.iter_mut().zip(items).for_each(|(to, from)| *to = numbers(from));
        let length = items.len() * size_of::<N>();
        let bytes: &[u8] = bytemuck::cast_slice(&block);
        if let Some(bytes) = bytes.get(..length) {
            view.slice(at..at + length).copy_from_slice(bytes);
        }
        at += length;
    }
    count
}
