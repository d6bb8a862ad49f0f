//! Upload of a model's texture coordinates and triangles in slices.

use super::gpu::Gpu;
use super::texture::UploadBudget;
use maquette_core::model::{Model, u32_or_max};

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
        let (mut uv_batch, mut triangle_batch) = (Batch::default(), Batch::default());
        let mut is_complete = true;
        while let Some(((first_vertex, first_corner), geometry)) =
            starts(self.surface).zip(model.surfaces().get(self.surface))
        {
            let base = u32_or_max(first_vertex);
            let coordinates = geometry.uvs.get(self.vertex..).unwrap_or_default();
            let start = (first_vertex + self.vertex) * 8;
            self.vertex += uv_batch.add(gpu, uvs, start, coordinates, |uv| uv.to_array(), budget);
            let triangles = geometry.triangles.get(self.triangle..).unwrap_or_default();
            let start = (first_corner + self.triangle * 3) * 4;
            let corners = |triangle: &[u32; 3]| triangle.map(|corner| base.saturating_add(corner));
            self.triangle += triangle_batch.add(gpu, indices, start, triangles, corners, budget);
            if self.vertex < geometry.uvs.len() || self.triangle < geometry.triangles.len() {
                is_complete = false;
                break;
            }
            *self = Self { surface: self.surface + 1, ..Self::default() };
        }
        uv_batch.write(gpu, uvs);
        triangle_batch.write(gpu, indices);
        is_complete
    }
}

/// Number of values to write together. Each write takes a buffer of its own, and a model may have 65,535 surfaces.
const BATCH: usize = 1 << 16;

/// Adjacent values of a buffer that are not written yet.
#[derive(Default)]
struct Batch<N> {
    /// Position of the first value in bytes.
    start: usize,
    values: Vec<N>,
}

impl<N: bytemuck::NoUninit> Batch<N> {
    /// Adds as many items as the budget permits, for the buffer from byte `start` on. Returns their number.
    fn add<T>(
        &mut self,
        gpu: &Gpu,
        buffer: &wgpu::Buffer,
        start: usize,
        items: &[T],
        numbers: impl Fn(&T) -> N,
        budget: &mut UploadBudget,
    ) -> usize {
        let mut added = 0;
        loop {
            let at = start + added * size_of::<N>();
            if self.values.len() >= BATCH || at != self.start + size_of_val(self.values.as_slice()) {
                self.write(gpu, buffer);
                self.start = at;
            }
            let left = items.get(added..).unwrap_or_default();
            let count = budget.count(size_of::<N>()).min(left.len()).min(BATCH - self.values.len());
            if count == 0 {
                return added;
            }
            self.values.extend(left.iter().take(count).map(&numbers));
            budget.take(count * size_of::<N>());
            added += count;
        }
    }

    fn write(&mut self, gpu: &Gpu, buffer: &wgpu::Buffer) {
        if !self.values.is_empty() {
            gpu.queue.write_buffer(buffer, self.start as u64, bytemuck::cast_slice(&self.values));
            self.values.clear();
        }
    }
}
