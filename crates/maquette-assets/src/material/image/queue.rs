//! Queue of images that are decoded after the search for materials.
//!
//! With a queue, the search assumes that every image can be decoded. It must run again without a queue if this
//! assumption is wrong in a way that changes the result ([`ImageQueue::needs_search`]).

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::program::{ImageProgram, TexelBudget};
use super::{Image, ImageCache};
use crate::limits::MAX_PROGRAM_WORK;
use crate::material::{Limits, Transparency};
use maquette_core::budget::Budget;

/// Images of one request that are decoded later.
#[derive(Debug)]
pub struct ImageQueue {
    state: Mutex<State>,
    program_bytes: Mutex<Budget>,
    program_texels: Mutex<Budget>,
}

#[derive(Debug, Default)]
struct State {
    files: HashMap<PathBuf, Arc<Image>>,
    waiting: VecDeque<Job>,
    finished: usize,
    total: usize,
    bytes: usize,
    /// Bytes of texels beyond which the search would offer fewer skins.
    skin_bytes: Option<usize>,
    alpha_counts: bool,
    needs_search: bool,
}

#[derive(Debug)]
enum Job {
    File { image: Arc<Image>, path: PathBuf, name: String },
    Contents { image: Arc<Image>, bytes: Arc<[u8]>, name: &'static str },
    Program { image: Arc<Image>, program: ImageProgram, inputs: Vec<(String, Arc<Image>)> },
    Tinted { image: Arc<Image>, input: Arc<Image>, colour: [f32; 4] },
}

impl Default for ImageQueue {
    fn default() -> Self {
        Self {
            state: Mutex::default(),
            program_bytes: Mutex::new(Budget::new(MAX_PROGRAM_WORK)),
            program_texels: Mutex::new(Budget::new(MAX_PROGRAM_WORK)),
        }
    }
}

impl ImageQueue {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the image of a file, and queues the image if it is new. `name` is the file's name in messages.
    pub fn file(&self, path: PathBuf, name: &str) -> Arc<Image> {
        let mut state = self.state();
        if let Some(known) = state.files.get(&path) {
            return Arc::clone(known);
        }
        let image = Arc::new(Image::pending());
        state.files.insert(path.clone(), Arc::clone(&image));
        state.push(Job::File { image: Arc::clone(&image), path, name: name.to_owned() });
        image
    }

    /// Returns the image with these contents, and queues it. `name` stands for the file in messages.
    pub(in crate::material) fn contents(&self, bytes: Arc<[u8]>, name: &'static str) -> Arc<Image> {
        let image = Arc::new(Image::pending());
        self.state().push(Job::Contents { image: Arc::clone(&image), bytes, name });
        image
    }

    /// Returns an image times a linear colour, and queues it.
    pub(in crate::material) fn tinted(&self, input: Arc<Image>, colour: [f32; 4]) -> Arc<Image> {
        let image = Arc::new(Image::pending());
        self.state().push(Job::Tinted { image: Arc::clone(&image), input, colour });
        image
    }

    pub(in crate::material) fn program(&self, program: ImageProgram, inputs: Vec<(String, Arc<Image>)>) -> Arc<Image> {
        let image = Arc::new(Image::pending());
        self.state().push(Job::Program { image: Arc::clone(&image), program, inputs });
        image
    }

    pub(in crate::material) fn count_bytes(&self, bytes: usize) {
        let mut state = self.state();
        state.bytes = state.bytes.saturating_add(bytes);
    }

    pub(in crate::material) fn limit_skins(&self, bytes: usize) {
        self.state().skin_bytes = Some(bytes);
    }

    pub(crate) fn count_alpha(&self) {
        self.state().alpha_counts = true;
    }

    /// Returns the numbers of finished images and of all images.
    pub fn progress(&self) -> (usize, usize) {
        let state = self.state();
        (state.finished, state.total)
    }

    /// Returns whether all images are finished.
    pub fn is_complete(&self) -> bool {
        let (finished, total) = self.progress();
        finished == total
    }

    /// Returns whether a search without a queue could find other materials: an image is broken, transparent or too
    /// large.
    pub fn needs_search(&self) -> bool {
        let state = self.state();
        state.needs_search || state.skin_bytes.is_some_and(|max| state.bytes > max)
    }

    /// Decodes queued images and mip levels until no job is ready or `stop` returns true. Several threads may call this
    /// at once. `read` returns at most the given number of bytes of a file. Decoded files are added to the cache
    /// `image_cache`.
    pub fn decode<E>(
        &self,
        limits: &Limits,
        image_cache: &ImageCache,
        read: impl Fn(&Path, u64) -> Result<Vec<u8>, E>,
        stop: impl Fn() -> bool,
    ) {
        while !stop() {
            let Some((job, room)) = self.begin(limits) else { return };
            match job {
                Job::File { image, path, name } => {
                    let bytes = if room > 0 { read(&path, limits.image_file_bytes()).ok() } else { None };
                    let max = limits.image_bytes().min(room as u64);
                    let decoded = bytes.map(|bytes| (bytes.len(), Image::decode_within(&bytes, &name, max)));
                    match decoded {
                        Some((read, Ok(decoded))) => self.finish(&image, Some(decoded), read),
                        Some((_, Err(error))) => self.finish(&image, None, error.wasted()),
                        None => self.finish(&image, None, 0),
                    }
                    if !image.is_broken() {
                        image_cache.keep(&path, &image);
                    }
                }
                Job::Contents { image, bytes, name } => {
                    let max = limits.image_bytes().min(room as u64);
                    match Image::decode_within(&bytes, name, max) {
                        Ok(decoded) => self.finish(&image, Some(decoded), 0),
                        Err(error) => self.finish(&image, None, error.wasted()),
                    }
                }
                Job::Program { image, program, inputs } => {
                    let made = if room > 0 { self.run(&program, &inputs) } else { None };
                    self.finish(&image, made, 0);
                }
                Job::Tinted { image, input, colour } => {
                    let has_room = !input.is_broken() && input.rgba.len() <= room;
                    self.finish(&image, has_room.then(|| input.tinted(colour)), 0);
                }
            }
        }
    }

    fn run(&self, program: &ImageProgram, inputs: &[(String, Arc<Image>)]) -> Option<Image> {
        let mut load = |name: &str| {
            let (_, input) = inputs.iter().find(|(known, input)| known == name && !input.is_broken())?;
            let mut left = self.program_bytes.lock().unwrap_or_else(PoisonError::into_inner);
            left.take(input.rgba.len() as u64).ok()?;
            Some(Image::clone(input))
        };
        program.run_within(&mut load, &TexelBudget { texels: &self.program_texels, stop: &|| false })
    }

    /// Takes the first job whose inputs are finished. Also returns the bytes of texels that may still be decoded.
    fn begin(&self, limits: &Limits) -> Option<(Job, usize)> {
        let mut state = self.state();
        let ready = state.waiting.iter().position(Job::is_ready)?;
        let job = state.waiting.remove(ready)?;
        Some((job, limits.decoded().saturating_sub(state.bytes)))
    }

    fn finish(&self, image: &Image, decoded: Option<Image>, bytes: usize) {
        if let Some(decoded) = &decoded {
            decoded.mip_levels();
        }
        image.finish(decoded);
        let mut state = self.state();
        let is_transparent = state.alpha_counts && image.transparency() != Transparency::Opaque;
        state.needs_search |= image.is_broken() || is_transparent;
        state.bytes = state.bytes.saturating_add(image.rgba.len().max(bytes));
        state.finished += 1;
    }
}

impl State {
    fn push(&mut self, job: Job) {
        self.total += 1;
        self.waiting.push_back(job);
    }
}

impl Job {
    fn is_ready(&self) -> bool {
        match self {
            Self::File { .. } | Self::Contents { .. } => true,
            Self::Tinted { input, .. } => !input.is_pending(),
            Self::Program { inputs, .. } => inputs.iter().all(|(_, input)| !input.is_pending()),
        }
    }
}
