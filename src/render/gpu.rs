//! Graphics device, with or without a window, and its errors.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use wgpu::rwh::HasDisplayHandle;

/// Colour format of all targets: sRGB values in a format without conversion, as egui expects.
pub(super) const COLOUR: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;
pub(super) const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Error of the graphics device, as a sentence for the user. Texts are the reasons that the driver states.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GpuError {
    /// No driver can draw to the window.
    #[error("no graphics driver can draw to the window: {0}")]
    NoSurface(String),
    /// The chosen driver cannot draw to the window.
    #[error("the graphics driver cannot draw to this window")]
    OtherWindow,
    /// The system has no driver.
    #[error("no graphics driver found: {0}")]
    NoDriver(String),
    /// The device with this name could not be opened.
    #[error("could not open {0}: {1}")]
    NotOpened(String, String),
    /// A side of the image is 0 or longer than the driver supports: width, height and the longest side.
    #[error("cannot draw {0} × {1} pixels: expected 1 to {2} pixels per side")]
    Size(u32, u32, u32),
    /// The device has too little memory.
    #[error("not enough memory on the graphics device")]
    OutOfMemory,
    /// The driver rejected a command.
    #[error("the graphics driver rejected a command: {0}")]
    Rejected(String),
    /// Drawing panicked.
    #[error("the graphics device failed while drawing")]
    Panicked,
    /// The device is lost.
    #[error("the graphics device was lost")]
    Lost,
    /// The device is lost for a reason.
    #[error("the graphics device was lost: {0}")]
    LostBecause(String),
    /// The device did not finish its work.
    #[error("the graphics device did not finish its work: {0}")]
    Unfinished(String),
    /// The image could not be copied from the device.
    #[error("could not read the image back from the graphics device: {0}")]
    ReadBack(String),
}

#[derive(Debug, Default)]
struct DeviceErrors {
    lost: AtomicBool,
    first: Mutex<Option<GpuError>>,
}

impl DeviceErrors {
    fn record(&self, error: GpuError) {
        log::error!(target: "maquette::render", "{error}");
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        // Keep the first error, because later errors follow from it.
        first.get_or_insert(error);
    }
}

/// Graphics device with its properties and errors. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Instance that created the device, for further surfaces.
    pub instance: wgpu::Instance,
    /// Adapter of the device.
    pub adapter: wgpu::Adapter,
    /// Logical device.
    pub device: wgpu::Device,
    /// Command queue.
    pub queue: wgpu::Queue,
    info: wgpu::AdapterInfo,
    multisampling: bool,
    vertex_storage: bool,
    texture_side: u32,
    errors: Arc<DeviceErrors>,
}

impl Gpu {
    /// Opens a device for `window`, and creates the window's surface. `display` is the event loop's display handle.
    pub fn for_window(
        display: impl HasDisplayHandle + std::fmt::Debug + Send + Sync + 'static,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<(Self, wgpu::Surface<'static>), GpuError> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.display = Some(Box::new(display));
        let instance = wgpu::Instance::new(descriptor);
        let surface = instance.create_surface(window).map_err(|error| {
            // Without any driver, the list of reasons is empty.
            let why = error.to_string();
            GpuError::NoSurface(why.trim_end_matches(": {}").to_owned())
        })?;
        let gpu = pollster::block_on(Self::open(instance, Some(&surface)))?;
        Ok((gpu, surface))
    }

    /// Opens a device without a window, for images and tests. Software devices are accepted.
    pub fn headless() -> Result<Self, GpuError> {
        let open_without = |backends: wgpu::Backends| {
            let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
            descriptor.backends -= backends;
            pollster::block_on(Self::open(wgpu::Instance::new(descriptor), None))
        };
        // Without a login session, OpenGL libraries print errors to stderr, so try other drivers first.
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
        let adapter =
            instance.request_adapter(&options).await.map_err(|error| GpuError::NoDriver(error.to_string()))?;
        let info = adapter.get_info();
        // Request minimal limits except for sizes. If the adapter lacks even these, use its own limits.
        let largest = 1 << 30;
        let least = wgpu::Limits::downlevel_defaults();
        let limits = wgpu::Limits { max_buffer_size: largest, max_storage_buffer_binding_size: largest, ..least }
            .using_resolution(adapter.limits())
            .or_worse_values_from(&adapter.limits());
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("maquette"),
            required_limits: limits,
            // A model needs little memory, so allocate growing blocks from 8 MB instead of the 256 MB that suit games.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        };
        let (device, queue) = adapter
            .request_device(&descriptor)
            .await
            .map_err(|error| GpuError::NotOpened(info.name.clone(), error.to_string()))?;
        let errors = Arc::new(DeviceErrors::default());
        let on_error = Arc::clone(&errors);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            on_error.record(match error {
                wgpu::Error::OutOfMemory { .. } => GpuError::OutOfMemory,
                error => GpuError::Rejected(error.to_string()),
            });
        }));
        let on_loss = Arc::clone(&errors);
        device.set_device_lost_callback(move |reason, detail| {
            on_loss.lost.store(true, Ordering::Release);
            on_loss.record(match reason {
                wgpu::DeviceLostReason::Destroyed => GpuError::Lost,
                wgpu::DeviceLostReason::Unknown => GpuError::LostBecause(detail),
            });
        });
        let sampled_4x =
            |format: wgpu::TextureFormat| adapter.get_texture_format_features(format).flags.sample_count_supported(4);
        let multisampling = sampled_4x(COLOUR) && sampled_4x(DEPTH) && sampled_4x(wgpu::TextureFormat::R8Unorm);
        let vertex_storage = adapter.get_downlevel_capabilities().flags.contains(wgpu::DownlevelFlags::VERTEX_STORAGE);
        let texture_side = device.limits().max_texture_dimension_2d;
        Ok(Self { instance, adapter, device, queue, info, multisampling, vertex_storage, texture_side, errors })
    }

    /// Returns the device without storage buffers in vertex shaders, as in OpenGL ES 3.0.
    #[must_use]
    pub fn without_vertex_storage(self) -> Self {
        Self { vertex_storage: false, ..self }
    }

    pub(super) fn has_vertex_storage(&self) -> bool {
        self.vertex_storage
    }

    pub(super) fn vertex_storage_usage(&self) -> wgpu::BufferUsages {
        if self.vertex_storage { wgpu::BufferUsages::STORAGE } else { wgpu::BufferUsages::empty() }
    }

    /// Returns the adapter's name, type and graphics API, for example “llvmpipe (LLVM 15.0.6, 256 bits), software,
    /// Vulkan”.
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

    /// Returns wgpu's information about the adapter and its driver.
    pub fn info(&self) -> &wgpu::AdapterInfo {
        &self.info
    }

    /// Returns whether the CPU renders. If so, less should be drawn while the image moves.
    pub fn is_software(&self) -> bool {
        // OpenGL does not always report the device type.
        self.info.device_type == wgpu::DeviceType::Cpu || self.info.name.to_ascii_lowercase().contains("llvmpipe")
    }

    /// Returns the number of samples per pixel: 4 if supported. On a software device, images in motion have
    /// 1.
    pub fn samples(&self, at_rest: bool) -> u32 {
        if self.multisampling && (at_rest || !self.is_software()) { 4 } else { 1 }
    }

    /// Returns the maximum side of a target in pixels.
    pub fn longest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// Limits the side of uploaded textures, for small images. Larger images are uploaded from a smaller mip level.
    #[must_use]
    pub fn with_textures_up_to(self, side: u32) -> Self {
        Self { texture_side: self.texture_side.min(side), ..self }
    }

    pub(super) fn texture_side(&self) -> u32 {
        self.texture_side
    }

    /// Returns whether the device is lost. If so, open a new [`Gpu`].
    pub fn is_lost(&self) -> bool {
        self.errors.lost.load(Ordering::Acquire)
    }

    /// Polls the device and returns whether it is lost.
    pub fn is_gone(&self) -> bool {
        drop(self.guard(|| self.device.poll(wgpu::PollType::Poll)));
        self.is_lost()
    }

    /// Runs `work`, which may panic if the device is lost or out of memory. After a panic, the device counts as lost.
    pub(crate) fn guard<T>(&self, work: impl FnOnce() -> T) -> Result<T, GpuError> {
        catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
            self.errors.lost.store(true, Ordering::Release);
            self.errors.record(GpuError::Panicked);
            GpuError::Panicked
        })
    }

    /// Returns the first error since the last call, and clears it.
    pub fn take_error(&self) -> Option<GpuError> {
        self.errors.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Returns the reason why the device is unusable.
    pub fn error(&self) -> GpuError {
        self.take_error().unwrap_or(GpuError::Lost)
    }

    /// Waits until all submitted work is done.
    pub fn wait(&self) -> Result<(), GpuError> {
        let outcome = self.guard(|| self.device.poll(wgpu::PollType::wait_indefinitely()))?;
        outcome.map(drop).map_err(|error| GpuError::Unfinished(error.to_string()))
    }
}
