//! Helpers for buffers and bind groups.

use super::gpu::Gpu;

/// Creates a buffer with `contents`. The size is at least 16 bytes, because wgpu rejects empty buffers. The queue
/// writes the contents, because mapping a buffer that could not be created would panic.
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

pub(super) fn bound(binding: u32, resource: wgpu::BindingResource<'_>) -> wgpu::BindGroupEntry<'_> {
    wgpu::BindGroupEntry { binding, resource }
}
