//! Buffers, textures, samplers and bind groups.

use super::gpu::Gpu;

/// Creates a buffer of at least 16 bytes, because wgpu rejects empty buffers.
pub(super) fn empty_buffer(gpu: &Gpu, label: &str, bytes: usize, usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let size = (bytes as u64).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT).max(16);
    let usage = usage | wgpu::BufferUsages::COPY_DST;
    gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
}

/// Creates a buffer with `contents`. The queue writes them, because mapping a buffer that could not be created would
/// panic.
pub(super) fn filled(gpu: &Gpu, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
    let buffer = empty_buffer(gpu, label, contents.len(), usage);
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

/// Number of values to convert together, so that they fit in the first-level cache.
const BLOCK: usize = 512;

/// Converts the values of all `slices`, and writes them into a buffer from byte `start` on.
pub(super) fn write_converted<'a, T: 'a, N: bytemuck::Pod + Default>(
    gpu: &Gpu,
    buffer: &wgpu::Buffer,
    start: usize,
    slices: impl Iterator<Item = &'a [T]> + Clone,
    convert: impl Fn(&T) -> N,
) {
    let count: usize = slices.clone().map(<[T]>::len).sum();
    let Some(size) = wgpu::BufferSize::new((count * size_of::<N>()) as u64) else { return };
    // A lost device returns no view of the buffer.
    let Some(mut view) = gpu.queue.write_buffer_with(buffer, start as u64, size) else { return };
    let (mut at, mut block) = (0, [N::default(); BLOCK]);
    for values in slices.flat_map(|slice| slice.chunks(BLOCK)) {
        block.iter_mut().zip(values).for_each(|(to, from)| *to = convert(from));
        let length = size_of::<N>() * values.len();
        let bytes: &[u8] = bytemuck::cast_slice(&block);
        if let Some(bytes) = bytes.get(..length) {
            view.slice(at..at + length).copy_from_slice(bytes);
        }
        at += length;
    }
}

/// Creates a texture with one level and one layer, for use as an attachment.
pub(super) fn attachment(
    gpu: &Gpu,
    label: &str,
    (width, height): (u32, u32),
    samples: u32,
    format: wgpu::TextureFormat,
    other_usage: wgpu::TextureUsages,
) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: samples,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | other_usage,
        view_formats: &[],
    })
}

pub(super) fn linear_sampler(gpu: &Gpu, compare: Option<wgpu::CompareFunction>) -> wgpu::Sampler {
    gpu.device.create_sampler(&wgpu::SamplerDescriptor {
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        compare,
        ..Default::default()
    })
}

/// Creates a bind group. The bindings are numbered from 0.
pub(super) fn bind_group(
    gpu: &Gpu,
    label: &str,
    layout: &wgpu::BindGroupLayout,
    resources: &[wgpu::BindingResource<'_>],
) -> wgpu::BindGroup {
    let bindings = (0..).zip(resources);
    let entries: Vec<_> =
        bindings.map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource: resource.clone() }).collect();
    gpu.device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(label), layout, entries: &entries })
}
