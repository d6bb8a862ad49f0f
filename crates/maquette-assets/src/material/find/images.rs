//! Images of a model: search for the file of a name, and loading.
//!
//! An image is searched for in this order, ignoring case and kind of slashes. Each path is tried with other extensions
//! too, and with the suffixes `_d` and `_diffuse` of Doom 3 and Unvanquished.
//!
//! 1. a name without a folder: in the game's folders for such images ([`crate::engines`]);
//! 2. the path, from the game root, then from each folder down to the model's;
//! 3. the compressed twin in the folder `dds` (Doom 3, Daemon, DarkPlaces);
//! 4. a path on the author's disk (`P:/Doom/base/models/…`): the part after the last game folder;
//! 5. the file name, in the model's folder.

use std::collections::HashMap;
use std::sync::Arc;

use super::ResolveContext;
use super::candidate_paths::{CandidatePaths, CandidateStep, spellings, stem};
use crate::engines::{Engine, LMP};
use crate::limits::{MAX_LISTED_NAMES, MAX_LOGGED_BYTES, MAX_SEARCHED_BYTES};
use crate::material::image::{
    Palette, decode_lmp, decode_mip_texture, decode_pixels, palette_near, quake_palette, quake2_palette,
};
use crate::material::{
    DecodeError, Image, ImageCache, ImageLoading, ImageQueue, Limits, SearchStep, Suggestion, UnreadableImage,
};
use crate::vfs::{ReadLimit, Vfs, name_of, outside_root, resolved, split_extension};
use maquette_core::budget::Budget;
use maquette_core::error::{WarningKind, Warnings, counted};
use maquette_core::limits::MAX_PATH_BYTES;
use maquette_core::model::{EmbeddedImage, Format, Pixels};

/// Bytes that an image inside a model's file counts at least. A small file may contain many images of one texel.
const MIN_EMBEDDED_BYTES: usize = 1 << 10;

/// Bytes of an image file that are read if it is not decoded.
const IMAGE_HEAD: u64 = 4 << 10;

/// Extensions of images that games or editors read and Maquette does not, for messages.
const UNSUPPORTED_IMAGES: [&str; 15] =
    ["ktx", "ktx2", "crn", "pvr", "astc", "basis", "gif", "tif", "tiff", "ftx", "swl", "hdr", "exr", "psd", "avif"];

/// Extension of textures whose colours may be in another file.
const WAL: &str = "wal";

/// Subject of warnings about image files.
pub(in crate::material) const BROKEN: &str = "image";

/// Name of an image inside the model's file, for messages.
pub(in crate::material) const INSIDE: &str = "image inside the file";

/// An image that was found for a name.
#[derive(Clone, Debug)]
pub(in crate::material) struct FoundImage {
    pub path: String,
    pub image: Arc<Image>,
    /// Whether the game does not look at the path.
    pub is_guess: bool,
}

/// Finder of the images of one model. Each image file is decoded once.
pub(in crate::material) struct ImageFinder<'a> {
    pub vfs: &'a Vfs,
    pub loading: ImageLoading,
    pub limits: Limits,
    pub queue: Option<Arc<ImageQueue>>,
    pub candidates: CandidatePaths<'a>,
    /// Images by game path, and by the address of their contents in the model's file.
    pub decoded: HashMap<String, Option<Arc<Image>>>,
    /// Bytes of the decoded images.
    pub bytes: usize,
    /// Extensions of images that only the model's engine reads.
    extensions: &'static [&'static str],
    /// Folders of the base game of the model's engine.
    base_folders: &'static [&'static str],
    without_suggestions: bool,
    cache: Arc<ImageCache>,
    by_name: HashMap<String, Result<FoundImage, Option<UnreadableImage>>>,
    /// Reasons by the path of the image.
    unreadable: HashMap<String, String>,
    loggable: Budget,
    searchable: Budget,
    comparable: Budget,
}

impl<'a> ImageFinder<'a> {
    pub(super) fn new(
        vfs: &'a Vfs,
        model_path: &str,
        format: Format,
        engine: Option<&'static Engine>,
        search: &ResolveContext,
    ) -> Self {
        let own_engine = engine.unwrap_or_else(|| Engine::for_format(format));
        Self {
            vfs,
            loading: search.depth,
            limits: search.limits.clone(),
            queue: search.queue.clone(),
            candidates: CandidatePaths::new(vfs, model_path, format, engine),
            decoded: HashMap::new(),
            bytes: 0,
            extensions: own_engine.textures.image_extensions,
            base_folders: own_engine.base_folders,
            without_suggestions: search.without_suggestions,
            cache: Arc::clone(&search.images),
            by_name: HashMap::new(),
            unreadable: HashMap::new(),
            loggable: Budget::new(MAX_LOGGED_BYTES),
            searchable: Budget::new(MAX_SEARCHED_BYTES),
            comparable: Budget::new(MAX_LISTED_NAMES as u64),
        }
    }

    /// Returns whether the image of a name was searched for and not found.
    pub(super) fn is_missing(&self, name: &str) -> bool {
        self.by_name.get(name).is_some_and(Result::is_err)
    }

    /// Returns the file that was found for a name but cannot be decoded.
    pub(in crate::material) fn unreadable(&self, name: &str) -> Option<Box<UnreadableImage>> {
        self.by_name.get(name)?.as_ref().err()?.clone().map(Box::new)
    }

    /// Returns whether the paths that were tried for the model exceed the limit.
    pub(super) fn is_exhausted(&self) -> bool {
        self.searchable.left() < MAX_PATH_BYTES as u64
    }

    /// Returns the image of a name. Each name is searched for once.
    pub(in crate::material) fn find(
        &mut self,
        name: &str,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<FoundImage> {
        if let Some(known) = self.by_name.get(name) {
            let found = known.as_ref().ok().map(|found| found.path.clone());
            let note = if found.is_some() { "" } else { "not found in an earlier search" };
            log.push(SearchStep { what: what.to_owned(), tried: Vec::new(), found, note: note.to_owned() });
            return known.as_ref().ok().cloned();
        }
        let found = self.search(name, what, log, warnings);
        self.by_name.insert(name.to_owned(), found.clone());
        found.ok()
    }

    fn search(
        &mut self,
        name: &str,
        what: &str,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Result<FoundImage, Option<UnreadableImage>> {
        if name.len() > MAX_PATH_BYTES {
            let note = too_long(name);
            log.push(SearchStep { what: what.to_owned(), note, ..SearchStep::default() });
            return Err(None);
        }
        let steps = self.candidates.for_name(name);
        let mut unreadable = None;
        for CandidateStep { what: step, paths, first_guess } in &steps {
            match self.try_paths(&format!("{what}{step}"), paths, *first_guess, log, warnings) {
                Ok(found) => return Ok(found),
                Err(why) => unreadable = unreadable.or(why),
            }
        }
        let paths = steps.iter().flat_map(|step| &step.paths);
        Err(unreadable.or_else(|| self.unsupported(paths)))
    }

    /// Returns the first file at `paths` that is an image of an unsupported format.
    fn unsupported<'p>(&self, paths: impl Iterator<Item = &'p String>) -> Option<UnreadableImage> {
        let stems = paths.map(|path| spellings(path).first).filter(|stem| self.vfs.may_contain_prefix(stem));
        let mut files = stems.flat_map(|stem| UNSUPPORTED_IMAGES.map(|extension| (stem, extension)));
        files.find_map(|(stem, extension)| {
            let path = self.vfs.find(&format!("{stem}.{extension}"))?;
            let reason = format!("{} images are not supported", extension.to_ascii_uppercase());
            Some(UnreadableImage { path, reason })
        })
    }

    /// Returns the first image at `paths`, with the extensions and suffixes of [`spellings`].
    pub(in crate::material) fn find_in(
        &mut self,
        what: &str,
        paths: &[String],
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Option<FoundImage> {
        self.try_paths(what, paths, usize::MAX, log, warnings).ok()
    }

    /// Like [`Self::find_in`]; an image of the paths from index `first_guess` on is a guess. Fails with the file if it
    /// exists but cannot be decoded.
    fn try_paths(
        &mut self,
        what: &str,
        paths: &[String],
        first_guess: usize,
        log: &mut Vec<SearchStep>,
        warnings: &mut Warnings,
    ) -> Result<FoundImage, Option<UnreadableImage>> {
        let mut tried = Vec::new();
        let mut stored = None;
        let mut of_other_game: Option<(String, String)> = None;
        let mut note = String::new();
        let extensions = self.extensions;
        let mut is_guess = false;
        let spelled = paths.iter().enumerate().flat_map(|(index, path)| {
            let may_be_there = self.vfs.may_contain_prefix(stem(path));
            let spelled = spellings(path);
            let first = spelled.first;
            let more = extensions.iter().map(move |extension| format!("{first}.{extension}"));
            spelled.chain(more).map(move |path| (path, index >= first_guess, may_be_there))
        });
        for (path, guesses, may_be_there) in spelled {
            is_guess = guesses;
            if self.searchable.take(path.len() as u64).is_err() {
                break;
            }
            stored = if may_be_there { self.vfs.find(&path) } else { None };
            match self.loggable.take(path.len() as u64) {
                Ok(()) => tried.push(path),
                Err(_) => "not found".clone_into(&mut note),
            }
            let other = stored.as_ref().and_then(|path| self.vfs.other_game_with(path, self.base_folders));
            of_other_game = of_other_game.or_else(|| Some((stored.clone()?, other.clone()?)));
            stored = stored.filter(|_| other.is_none());
            if stored.is_some() {
                break;
            }
        }
        if let Some((path, game)) = of_other_game.filter(|_| stored.is_none()) {
            (stored, is_guess) = (Some(path), true);
            note = format!("in {game}, where the game of the model does not look");
        }
        let Some(path) = stored else {
            log.push(SearchStep { what: what.to_owned(), tried, found: None, note });
            return Err(None);
        };
        let Some(image) = self.load(&path, warnings) else {
            let reason = self.unreadable.get(&path).cloned();
            let note = reason.as_ref().map_or(String::new(), |reason| format!("{path}: {reason}"));
            log.push(SearchStep { what: what.to_owned(), tried: Vec::new(), found: None, note });
            return Err(reason.map(|reason| UnreadableImage { path, reason }));
        };
        log.push(SearchStep { what: what.to_owned(), tried, found: Some(path.clone()), note });
        Ok(FoundImage { path, image, is_guess })
    }

    pub(in crate::material) fn suggestion(&mut self, name: &str) -> Option<Box<Suggestion>> {
        if self.without_suggestions {
            return None;
        }
        let (vfs, unreadable) = (self.vfs, &self.unreadable);
        let is_usable = |path: &str| !unreadable.contains_key(path) && problem_of_head(vfs, path).is_none();
        self.candidates.suggestion(name, &mut self.comparable, is_usable).map(Box::new)
    }

    /// Returns the image at `path`, which is decoded or queued on first use. `None` if decoding fails or the search is
    /// cancelled.
    pub(in crate::material) fn load(&mut self, path: &str, warnings: &mut Warnings) -> Option<Arc<Image>> {
        if let Some(known) = self.decoded.get(path) {
            return known.clone();
        }
        if self.limits.stop.is_set() {
            return None;
        }
        let image = if self.loading == ImageLoading::LocateOnly {
            let problem = problem_of_head(self.vfs, path);
            let image = problem.is_none().then(|| Arc::new(Image::of_colour([128, 128, 128, 255])));
            problem.into_iter().for_each(|problem| self.report(path, problem, warnings));
            image
        } else {
            let location = self.vfs.location_of(path);
            let known = location.as_ref().and_then(|location| self.cache.known(location, self.limits.image_bytes()));
            let decoded = match (known, self.queue.as_ref().zip(location.as_ref())) {
                (Some(known), _) => Ok(known),
                _ if is_one_of(path, &[LMP, WAL]) => self.decode_indices(path),
                (None, Some((queue, location))) => Ok(queue.file(location.clone(), name_of(path))),
                (None, None) => self.read(path).and_then(|bytes| self.decode(path, &bytes)),
            };
            let decoded = decoded.and_then(|image| {
                let has_room = image.rgba.len() <= self.room();
                has_room.then_some(image).ok_or_else(|| too_large_together(path))
            });
            if let (Ok(image), Some(location)) = (&decoded, location)
                && !image.is_pending()
            {
                self.cache.keep(&location, image);
                self.queue.iter().for_each(|queue| queue.count_bytes(image.rgba.len()));
            }
            decoded.map_err(|message| self.report(path, message, warnings)).ok()
        };
        self.bytes += image.as_ref().map_or(0, |image| image.rgba.len());
        self.decoded.insert(path.to_owned(), image.clone());
        image
    }

    /// Returns the PCX image at `path` with its colour 255 transparent, as in the sprites of Quake II. `None` for other
    /// images, and if it cannot be decoded.
    pub(in crate::material) fn cut_out(&mut self, path: &str, warnings: &mut Warnings) -> Option<Arc<Image>> {
        if !split_extension(path).1.eq_ignore_ascii_case("pcx") || self.loading == ImageLoading::LocateOnly {
            return None;
        }
        let key = format!("{path} without colour 255");
        if let Some(known) = self.decoded.get(&key) {
            return known.clone();
        }
        let bytes = self.vfs.read(path, ReadLimit::Start(self.limits.image_file_bytes())).ok()?;
        // An image of one plane of bytes ends with 12 and its palette.
        let has_palette =
            bytes.get(3) == Some(&8) && bytes.get(65) == Some(&1) && bytes.iter().nth_back(768) == Some(&12);
        let colour = bytes.last_chunk::<3>().copied().filter(|_| has_palette)?;
        let image = match self.decoded.get(path) {
            Some(Some(known)) if !known.is_pending() => Some(Arc::clone(known)),
            _ => self.decode(path, &bytes).map_err(|message| self.report(path, message, warnings)).ok(),
        };
        let [red, green, blue] = colour;
        let image = image.map(|image| {
            let cut = |texel: &[u8; 4]| if *texel == [red, green, blue, 255] { [0; 4] } else { *texel };
            let texels: Vec<[u8; 4]> = image.rgba.as_chunks::<4>().0.iter().map(cut).collect();
            Arc::new(Image::new(image.width, image.height, texels.into_flattened()))
        });
        self.bytes += image.as_ref().map_or(0, |image| image.rgba.len());
        self.decoded.insert(key, image.clone());
        image
    }

    /// Returns an image that the model's file contains or names. `palette` has the colours of the game. `about` is the
    /// subject of warnings, and `name` stands for the image. `None` if decoding fails or the images of the model exceed
    /// the memory limit.
    pub(in crate::material) fn embedded(
        &mut self,
        image: &EmbeddedImage,
        palette: &Palette,
        [about, name]: [&str; 2],
        warnings: &mut Warnings,
    ) -> Option<Arc<Image>> {
        let decoded = match image {
            EmbeddedImage::External(path) => match self.external(path) {
                SearchStep { found: Some(found), .. } => return self.load(&found, warnings),
                SearchStep { note, .. } if !note.is_empty() => Err(format!("{name}: {note}")),
                _ => Err(format!("{name}: “{path}” was not found next to the model")),
            },
            _ if self.loading == ImageLoading::LocateOnly => {
                return Some(Arc::new(Image::of_colour([128, 128, 128, 255])));
            }
            EmbeddedImage::Encoded(bytes) => {
                let key = format!("{INSIDE} {:p}", Arc::as_ptr(bytes));
                if let Some(known) = self.decoded.get(&key) {
                    return known.clone();
                }
                let decoded = self.encoded(bytes, name);
                self.bytes += decoded.as_ref().map_or(0, |image| image.rgba.len());
                self.decoded.insert(key, decoded.as_ref().ok().cloned());
                decoded
            }
            EmbeddedImage::Pixels(pixels) => self.pixels(pixels, name, palette),
        };
        decoded.map_err(|message| warnings.add(WarningKind::Companion, about, message)).ok()
    }

    /// Returns why the file at `path` was not decoded.
    pub(in crate::material) fn reason(&self, path: &str) -> Option<UnreadableImage> {
        Some(UnreadableImage { path: path.to_owned(), reason: self.unreadable.get(path)?.clone() })
    }

    /// Looks for an image that the model's file names relative to its folder.
    pub(in crate::material) fn external(&self, path: &str) -> SearchStep {
        let own = resolved(&self.candidates.folder, path);
        let note = if own.is_none() { outside_root(path) } else { String::new() };
        let found = own.as_ref().and_then(|own| self.vfs.find(own));
        let tried = vec![own.unwrap_or_else(|| path.to_owned())];
        SearchStep { what: "Image named in the file".to_owned(), tried, found, note }
    }

    fn encoded(&mut self, bytes: &Arc<[u8]>, name: &str) -> Result<Arc<Image>, String> {
        if let Some(queue) = &self.queue {
            return Ok(queue.contents(Arc::clone(bytes), INSIDE));
        }
        let max = self.limits.image_bytes().min(self.room() as u64);
        let decoded = Image::decode_within(bytes, name, max);
        decoded.map(Arc::new).map_err(|error| {
            let message = self.failed(&error);
            if error.lacks_room(&self.limits) { too_large_together(name) } else { message }
        })
    }

    fn pixels(&mut self, pixels: &Pixels, name: &str, palette: &Palette) -> Result<Arc<Image>, String> {
        let bytes = (pixels.width as usize * pixels.height as usize * 4).max(MIN_EMBEDDED_BYTES);
        if bytes as u64 > self.limits.image_bytes().min(self.room() as u64) {
            return Err(too_large_together(name));
        }
        self.bytes += bytes;
        Ok(Arc::new(decode_pixels(pixels, palette)))
    }

    /// Returns an image times a linear colour, which is computed or queued on first use. `key` identifies the image.
    /// `None` if the images of the model exceed the memory limit.
    pub(in crate::material) fn tinted(&mut self, key: &str, image: Arc<Image>, colour: [f32; 4]) -> Option<Arc<Image>> {
        if colour == [1.0; 4] || self.loading == ImageLoading::LocateOnly {
            return Some(image);
        }
        let key = format!("{key} × {colour:?}");
        if let Some(known) = self.decoded.get(&key) {
            return known.clone();
        }
        let made = match &self.queue {
            Some(queue) => Some(queue.tinted(image, colour)),
            None => (image.rgba.len() <= self.room()).then(|| Arc::new(image.tinted(colour))),
        };
        self.bytes += made.as_ref().map_or(0, |image| image.rgba.len());
        self.decoded.insert(key, made.clone());
        made
    }

    /// Reports that the file at `path` cannot be decoded. `message` begins with the name of the file or is the reason.
    fn report(&mut self, path: &str, message: String, warnings: &mut Warnings) {
        let start = format!("{}: ", name_of(path));
        let reason = message.strip_prefix(&start).unwrap_or(&message).to_owned();
        warnings.add(WarningKind::Companion, BROKEN, format!("{start}{reason}"));
        self.unreadable.insert(path.to_owned(), reason);
    }

    pub(in crate::material) fn room(&self) -> usize {
        self.limits.decoded().saturating_sub(self.bytes)
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if self.room() == 0 {
            return Err(too_large_together(path));
        }
        self.vfs.read(path, ReadLimit::Start(self.limits.image_file_bytes())).map_err(|error| error.to_string())
    }

    fn decode(&mut self, path: &str, bytes: &[u8]) -> Result<Arc<Image>, String> {
        let room = self.room();
        if room == 0 {
            return Err(too_large_together(path));
        }
        let max = self.limits.image_bytes().min(room as u64);
        let decoded = Image::decode_within(bytes, name_of(path), max);
        // Bytes after the image are read too, so they count.
        self.bytes += decoded.as_ref().map_or(0, |image| bytes.len().saturating_sub(image.rgba.len()));
        decoded.map(Arc::new).map_err(|error| {
            let message = self.failed(&error);
            if error.lacks_room(&self.limits) { too_large_together(path) } else { message }
        })
    }

    /// Counts the bytes of an image that failed to decode, because decoding many such images would take hours.
    pub(in crate::material) fn failed(&mut self, error: &DecodeError) -> String {
        self.bytes = self.bytes.saturating_add(error.wasted());
        error.to_string()
    }

    /// Decodes the LMP or WAL image at `path` with the palette of the game.
    fn decode_indices(&self, path: &str) -> Result<Arc<Image>, String> {
        let limit = ReadLimit::Start(self.limits.image_file_bytes());
        let bytes = self.vfs.read(path, limit).map_err(|error| error.to_string())?;
        if bytes.len() as u64 * 4 > self.limits.image_bytes().min(self.room() as u64) {
            return Err(too_large_together(path));
        }
        if is_one_of(path, &[WAL]) {
            let palette = quake2_palette(self.vfs);
            let decode = |palette: Option<&Palette>| {
                decode_mip_texture(&bytes, path, palette, self.limits.image_bytes()).map(Arc::new)
            };
            return decode(palette.as_ref()).ok_or_else(|| match decode(Some(&quake_palette())) {
                None => format!("{}: the texture is not whole", name_of(path)),
                Some(_) => format!("{}: the colours are in pics/colormap.pcx, which was not found", name_of(path)),
            });
        }
        let (palette, _) = palette_near(self.vfs, &self.candidates.folder);
        let image = decode_lmp(&bytes, palette).map(Arc::new);
        image.ok_or_else(|| format!("{}: width × height differs from the number of texels", name_of(path)))
    }
}

fn is_one_of(path: &str, extensions: &[&str]) -> bool {
    extensions.iter().any(|extension| split_extension(path).1.eq_ignore_ascii_case(extension))
}

/// Returns why an image cannot be decoded, as far as the first bytes of the file show. `None` if they show nothing.
fn problem_of_head(vfs: &Vfs, path: &str) -> Option<String> {
    let start = vfs.read(path, ReadLimit::Start(IMAGE_HEAD)).ok()?;
    Image::problem_of_head(name_of(path), &start, start.len() as u64 == IMAGE_HEAD)
}

pub(in crate::material) fn too_large_together(path: &str) -> String {
    format!("{}: skipped, because the images of this model exceed the memory limit", name_of(path))
}

fn too_long(name: &str) -> String {
    format!("the name has {} bytes; names longer than {MAX_PATH_BYTES} bytes are skipped", name.len())
}

pub(in crate::material) fn missing_message<'a>(name: &str, log: impl Iterator<Item = &'a SearchStep>) -> String {
    let tried: usize = log.map(|step| step.tried.len()).sum();
    match tried {
        _ if name.trim().is_empty() => "the file names no texture".to_owned(),
        _ if name.len() > MAX_PATH_BYTES => too_long(name),
        1.. => format!("no image for “{name}” ({} tried)", counted(tried, "path", "paths")),
        0 => format!("no image for “{name}”"),
    }
}
