//! Render target: colour and depth. egui shows it, or it is read back.

use std::time::Duration;

use image::RgbaImage;

use super::gpu::{COLOUR, DEPTH, Gpu, GpuError};
use super::resources::attachment;

/// Time limit for reading an image back, which normally takes far less.
const DEVICE_WAIT: Duration = Duration::from_secs(10);

/// Render target: premultiplied colour in stored (sRGB) values, and depth.
#[derive(Debug)]
pub struct Target {
    size: (u32, u32),
    samples: u32,
    resolved: wgpu::Texture,
    resolved_view: wgpu::TextureView,
    multisampled_view: Option<wgpu::TextureView>,
    depth_view: wgpu::TextureView,
}

impl Target {
    /// Creates a target with `samples` per pixel (see [`Gpu::samples`]). The size is clamped to the device's limits.
    #[must_use]
    pub fn new(gpu: &Gpu, width: u32, height: u32, samples: u32) -> Self {
        let longest = gpu.longest_side();
        let size = (width.clamp(1, longest), height.clamp(1, longest));
        let samples = if samples > 1 { gpu.samples(true) } else { 1 };
        let read = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_SRC;
        let resolved = attachment(gpu, "image", size, 1, COLOUR, read);
        let unread = |label, format| {
            let texture = attachment(gpu, label, size, samples, format, wgpu::TextureUsages::empty());
            texture.create_view(&Default::default())
        };
        let multisampled_view = (samples > 1).then(|| unread("image, samples", COLOUR));
        let depth_view = unread("depth", DEPTH);
        let resolved_view = resolved.create_view(&Default::default());
        Self { size, samples, resolved, resolved_view, multisampled_view, depth_view }
    }

    /// Resizes the target. A side of zero (minimized window) changes nothing. Returns whether [`Self::view`] must be
    /// bound again.
    pub fn resize(&mut self, gpu: &Gpu, width: u32, height: u32, samples: u32) -> bool {
        let longest = gpu.longest_side();
        let samples = if samples > 1 { gpu.samples(true) } else { 1 };
        let same = self.size == (width.min(longest), height.min(longest)) && self.samples == samples;
        if width == 0 || height == 0 || same {
            return false;
        }
        *self = Self::new(gpu, width, height, samples);
        true
    }

    /// Returns width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Returns the number of samples per pixel, 1 or 4.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Returns the finished image, for egui.
    pub fn view(&self) -> &wgpu::TextureView {
        &self.resolved_view
    }

    pub(super) fn colour(&self, clear: wgpu::Color) -> wgpu::RenderPassColorAttachment<'_> {
        let (view, resolve_target, store) = match &self.multisampled_view {
            Some(view) => (view, Some(&self.resolved_view), wgpu::StoreOp::Discard),
            None => (&self.resolved_view, None, wgpu::StoreOp::Store),
        };
        wgpu::RenderPassColorAttachment {
            view,
            depth_slice: None,
            resolve_target,
            ops: wgpu::Operations { load: wgpu::LoadOp::Clear(clear), store },
        }
    }

    pub(super) fn depth(&self) -> wgpu::RenderPassDepthStencilAttachment<'_> {
        wgpu::RenderPassDepthStencilAttachment {
            view: &self.depth_view,
            depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(1.0), store: wgpu::StoreOp::Discard }),
            stencil_ops: None,
        }
    }

    /// Waits for the device and reads the finished image back, with straight alpha for files.
    pub fn read_back(&self, gpu: &Gpu) -> Result<RgbaImage, GpuError> {
        let (width, height) = self.size;
        let row = width * 4;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("read back"),
            size: u64::from(padded_row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.copy_texture_to_buffer(
            self.resolved.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row),
                    rows_per_image: None,
                },
            },
            self.resolved.size(),
        );
        gpu.queue.submit([encoder.finish()]);
        let (sender, receiver) = std::sync::mpsc::channel();
        buffer.slice(..).map_async(wgpu::MapMode::Read, move |outcome| drop(sender.send(outcome)));
        gpu.wait()?;
        let unread = |why: &dyn std::fmt::Display| GpuError::ReadBack(why.to_string());
        // The callback may run on another thread that polls the device.
        match receiver.recv_timeout(DEVICE_WAIT) {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return Err(unread(&error)),
            Err(error) => return Err(unread(&error)),
        }
        let bytes = buffer.slice(..).get_mapped_range().map_err(|error| unread(&error))?;
        let mut pixels = Vec::new();
        // The image may exceed the available memory.
        pixels.try_reserve_exact(row as usize * height as usize).map_err(|error| unread(&error))?;
        for padded in bytes.chunks_exact(padded_row as usize) {
            pixels.extend(padded.get(..row as usize).unwrap_or(padded));
        }
        for pixel in pixels.as_chunks_mut::<4>().0 {
            *pixel = straight_alpha(*pixel);
        }
        RgbaImage::from_raw(width, height, pixels).ok_or_else(|| unread(&"too few bytes"))
    }
}

/// Converts a pixel from premultiplied to straight alpha, rounded to nearest.
fn straight_alpha([red, green, blue, alpha]: [u8; 4]) -> [u8; 4] {
    if alpha == 0 || alpha == 255 {
        return [red, green, blue, alpha];
    }
    let divided = |value: u8| {
        let value = (u32::from(value) * 255 + u32::from(alpha) / 2) / u32::from(alpha);
        u8::try_from(value).unwrap_or(255)
    };
    [divided(red), divided(green), divided(blue), alpha]
}
