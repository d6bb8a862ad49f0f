//! Upload of a model's texture coordinates and triangles in slices.

use super::gpu::Gpu;
use super::resources::write_converted;
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
    budget.take(count * size_of::<N>());
    // Report success even if the device is lost, so that the upload is not repeated.
    write_converted(gpu, buffer, start, items.get(..count).into_iter(), numbers);
    count
}
