//! The graphics device: found for a window or for none, and honest about its troubles.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use wgpu::rwh::HasDisplayHandle;

/// Colour format of every picture: stored values, as egui wants its textures.
pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
/// Depth format of every picture.
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Why there is no device, or no picture; a sentence for people.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct GpuError(pub String);

/// What went wrong since the last look.
#[derive(Debug, Default)]
struct Troubles {
    lost: AtomicBool,
    last: Mutex<Option<String>>,
}

impl Troubles {
    fn note(&self, what: String) {
        log::error!(target: "maquette::render", "{what}");
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        // The first is the cause, what follows are consequences.
        last.get_or_insert(what);
    }
}

/// A device and what is known of it. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Kept for further surfaces.
    pub instance: wgpu::Instance,
    /// What the device was made from.
    pub adapter: wgpu::Adapter,
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes work.
    pub queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    multisampling: bool,
    vertex_storage: bool,
    texture_side: u32,
    troubles: Arc<Troubles>,
}

impl Gpu {
    /// A device that can draw into `window`, and the window's surface. `display` is the event loop's display handle.
    pub fn for_window(
        display: impl HasDisplayHandle + std::fmt::Debug + Send + Sync + 'static,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.display = Some(Box::new(display));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window).map_err(|error| {
            // Of no driver at all there are no reasons to list.
            let why = error.to_string();
            GpuError(format!("No graphics driver can draw into the window: {}", why.trim_end_matches(": {}")))
        })?;
        let gpu = pollster::block_on(Self::open(instance, Some(&surface)))?;
        Ok((gpu, surface))
    }

    /// A device without a window, for pictures and tests. A software device will do.
    pub fn headless() -> Result<Self, GpuError> {
        let open_without = |backends: wgpu::Backends| {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
            descriptor.backends -= backends;
            pollster::block_on(Self::open(wgpu::Instance::new(descriptor), None))
        };
        // Where nobody is logged in, OpenGL's libraries complain on stderr of what they do not find.
        if cfg!(target_os = "linux") && std::env::var_os("XDG_RUNTIME_DIR").is_none() {
            return open_without(wgpu::Backends::GL).or_else(|_| open_without(wgpu::Backends::empty()));
        }
        open_without(wgpu::Backends::empty())
    }

    async fn open(instance: wgpu::Instance, surface: Option<&wgpu::Surface<'static>>) -> Result<Self, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::from_env().unwrap_or_default(),
            compatible_surface: surface,
            ..Default::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|error| GpuError(format!("No graphics driver was found: {error}")))?;
        let info = adapter.get_info();
        // Ask for no more than the oldest devices have, except for size; and for less where even that is lacking.
        let largest = 1 << 30;
        let least = wgpu::Limits::downlevel_defaults();
        let limits = wgpu::Limits { max_buffer_size: largest, max_storage_buffer_binding_size: largest, ..least }
            .using_resolution(adapter.limits())
            .or_worse_values_from(&adapter.limits());
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("maquette"),
            required_limits: limits,
            // A model needs little: blocks of 8 MB that grow with it, where games would take 256 MB at once.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| GpuError(format!("{} gave no device: {error}", info.name)))?;
        let troubles = Arc::new(Troubles::default());
        let on_error = Arc::clone(&troubles);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.note(match error {
                wgpu::Error::OutOfMemory { .. } => "The graphics device has not enough memory for this".to_owned(),
                error => format!("The graphics driver refused a command: {error}"),
            });
        }));
        let on_loss = Arc::clone(&troubles);
        device.set_device_lost_callback(move |reason, message| {
            on_loss.lost.store(true, Ordering::Release);
            on_loss.note(match reason {
                wgpu::DeviceLostReason::Destroyed => "The graphics device was lost".to_owned(),
                wgpu::DeviceLostReason::Unknown => format!("The graphics device was lost: {message}"),
            });
        });
        let sampled_4x =
            |format: wgpu::TextureFormat| adapter.get_texture_format_features(format).flags.sample_count_supported(4);
        let multisampling = sampled_4x(COLOUR) && sampled_4x(DEPTH) && sampled_4x(wgpu::TextureFormat::R8Unorm);
        let vertex_storage = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE);
        let texture_side = device.limits().max_texture_dimension_2d;
        Ok(Self { instance, adapter, device, queue, info, multisampling, vertex_storage, texture_side, troubles })
    }

    /// The same device, used as one whose vertex shaders read no storage buffers, as those of OpenGL ES 3.0.
    #[must_use]
    pub fn without_vertex_storage(self) -> Self {
        Self { vertex_storage: false, ..self }
    }

    /// Whether vertex shaders may read storage buffers.
    pub(super) fn has_vertex_storage(&self) -> bool {
        self.vertex_storage
    }

    /// What a buffer that vertex shaders read as storage is made for, beside its other uses.
    pub(super) fn vertex_storage_usage(&self) -> wgpu::BufferUsages {
        if self.vertex_storage { wgpu::BufferUsages::STORAGE } else { wgpu::BufferUsages::empty() }
    }

    /// The adapter's name, type and interface: "llvmpipe (LLVM 15.0.6, 256 bits), software, Vulkan".
    #[must_use]
    pub fn description(&self) -> String {
        let kind = match self.info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        let backend = match self.info.backend {
            wgpu::Backend::Vulkan => "Vulkan",
            wgpu::Backend::Metal => "Metal",
            wgpu::Backend::Dx12 => "Direct3D 12",
            wgpu::Backend::Gl => "OpenGL",
            _ => "other",
        };
        format!("{}, {kind}, {backend}", self.info.name)
    }

    /// Everything the driver says of itself.
    #[must_use]
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Whether pictures are computed on the processor: spare it while something moves.
    #[must_use]
    pub fn is_software(&self) -> bool {
        // OpenGL does not always say so itself.
        self.info.device_type == wgpu::DeviceType::Cpu || self.info.name.to_ascii_lowercase().contains("llvmpipe")
    }

    /// Samples per pixel for `calm` pictures and for those that change: 4 where the adapter can, but 1 on software
    /// while something moves.
    #[must_use]
    pub fn samples(&self, calm: bool) -> u32 {
        if self.multisampling && (calm || !self.is_software()) { 4 } else { 1 }
    }

    /// Longest side of a picture, in pixels.
    #[must_use]
    pub fn longest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// For small pictures: brings no textures onto the device that are longer than this, but their smaller forms.
    #[must_use]
    pub fn with_textures_up_to(self, side: u32) -> Self {
        Self { texture_side: self.texture_side.min(side), ..self }
    }

    /// Longest side of a texture of a surface, in texels.
    pub(super) fn texture_side(&self) -> u32 {
        self.texture_side
    }

    /// Whether the device is gone for good; a new [`Gpu`] may be opened.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.troubles.lost.load(Ordering::Acquire)
    }

    /// Asks the device itself whether it is gone: what is given to it now may not come to anything.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        drop(self.guard(|| self.device.poll(wgpu::PollType::Poll)));
        self.is_lost()
    }

    /// Does `work` with libraries that panic where a device that is lost, or has no memory left, gives them nothing. Such a
    /// panic is the loss of the device.
    pub(crate) fn guard<T>(&self, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
            let what = "The graphics device failed in the middle of a picture".to_owned();
            self.troubles.lost.store(true, Ordering::Release);
            self.troubles.note(what.clone());
            GpuError(what)
        })
    }

    /// The first trouble since the last call, a sentence for people.
    #[must_use]
    pub fn take_trouble(&self) -> Option<String> {
        self.troubles.last.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Why the device is of no use any more, for people.
    #[must_use]
    pub fn trouble(&self) -> GpuError {
        GpuError(self.take_trouble().unwrap_or_else(|| "The graphics device was lost".to_owned()))
    }

    /// Waits until everything submitted is drawn.
    pub fn wait(&self) -> Result<(), GpuError> {
        let outcome = self.guard(|| self.device.poll(wgpu::PollType::wait_indefinitely()))?;
        outcome.map(drop).map_err(|error| GpuError(format!("The graphics device did not finish: {error}")))
    }
}
