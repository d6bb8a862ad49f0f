//! Encoders of animation files. Incomplete output is removed.

use std::cell::RefCell;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, RgbaImage};

use super::atomic_file::{AtomicFile, PendingFile};
use super::film::FilmFile;
use super::png::hold_png;
use maquette_scene::scene::FramePlan;
use maquette_scene::session::FilmKind;

/// Speed of GIF colour quantisation: 1 is slow and fine, 30 is fast and coarse.
const GIF_HASTE: i32 = 10;
/// Time units per second in a GIF and in an animated PNG.
const GIF_TICKS: f64 = 100.0;
const PNG_TICKS: f64 = 1000.0;

/// File names of an animation with one PNG per frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FrameNames {
    folder: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl FrameNames {
    /// Parses a pattern such as `frames/%04d.png`. Returns `None` if the file name does not contain exactly one
    /// placeholder.
    #[must_use]
    pub fn of_pattern(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?;
        let (before, rest) = name.split_once('%')?;
        let (digits, after) = rest.split_once('d')?;
        let digits =
            if digits.is_empty() { 1 } else { digits.parse().ok().filter(|digits| (1..=9).contains(digits))? };
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        let plain = !before.contains('%') && !after.contains('%');
        plain.then(|| Self { folder, before: before.to_owned(), digits, after: after.to_owned() })
    }

    /// Returns the names `name-0000.png`, `name-0001.png` … for the path `name.png`.
    #[must_use]
    pub fn numbered(path: &Path) -> Self {
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
        Self { folder, before: format!("{stem}-"), digits: 4, after: ".png".to_owned() }
    }

    /// Returns the names for a pattern or for a path without one.
    #[must_use]
    pub fn from_path(path: &Path) -> Self {
        Self::of_pattern(path).unwrap_or_else(|| Self::numbered(path))
    }

    /// Returns the file of a frame.
    pub fn path(&self, frame: u32) -> PathBuf {
        let digits = self.digits;
        self.folder.join(format!("{}{frame:0digits$}{}", self.before, self.after))
    }
}

pub(super) enum FilmEncoder {
    Gif(GifWriter),
    AnimatedPng(Box<PngWriter>),
    Frames { names: FrameNames, written: Vec<PendingFile> },
}

impl FilmEncoder {
    pub(super) fn new(options: &FilmFile, transparent: bool) -> io::Result<Self> {
        Ok(match options.kind {
            FilmKind::Gif => Self::Gif(GifWriter::new(options, transparent)?),
            FilmKind::AnimatedPng => Self::AnimatedPng(Box::new(PngWriter::new(options)?)),
            FilmKind::Frames => {
                let names = FrameNames::from_path(&options.path);
                if !names.folder.as_os_str().is_empty() {
                    fs::create_dir_all(&names.folder)?;
                }
                Self::Frames { names, written: Vec::new() }
            }
        })
    }

    pub(super) fn add(&mut self, image: RgbaImage, film: &FramePlan, frame: u32) -> io::Result<()> {
        match self {
            Self::Gif(gif) => gif.add(image, film.ticks(frame, GIF_TICKS)),
            Self::AnimatedPng(png) => png.add(&image, film.ticks(frame, PNG_TICKS)),
            Self::Frames { names, written } => {
                written.push(hold_png(&image, &names.path(frame))?);
                Ok(())
            }
        }
    }

    pub(super) fn finish(self) -> io::Result<()> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::AnimatedPng(png) => png.finish(),
            Self::Frames { written, .. } => written.into_iter().try_for_each(PendingFile::finish),
        }
    }
}

struct Shared<W>(Rc<RefCell<W>>);

impl<W> Shared<W> {
    fn new(sink: W) -> Self {
        Self(Rc::new(RefCell::new(sink)))
    }

    fn share(&self) -> Self {
        Self(Rc::clone(&self.0))
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.borrow_mut().flush()
    }
}

/// GIF that is being written. The encoder writes to a buffer, where the disposal method of each frame is patched.
pub(super) struct GifWriter {
    file: AtomicFile,
    buffer: Shared<Vec<u8>>,
    encoder: GifEncoder<Shared<Vec<u8>>>,
    transparent: bool,
}

impl GifWriter {
    fn new(options: &FilmFile, transparent: bool) -> io::Result<Self> {
        let file = AtomicFile::create(&options.path)?;
        let buffer = Shared::new(Vec::new());
        let mut encoder = GifEncoder::new_with_speed(buffer.share(), GIF_HASTE);
        if options.repeats {
            encoder.set_repeat(Repeat::Infinite).map_err(io::Error::other)?;
        }
        Ok(Self { file, buffer, encoder, transparent })
    }

    fn add(&mut self, mut image: RgbaImage, hundredths: u32) -> io::Result<()> {
        threshold_alpha(&mut image);
        let delay = Delay::from_numer_denom_ms(hundredths.min(65_535) * 10, 1);
        self.encoder.encode_frame(Frame::from_parts(image, 0, 0, delay)).map_err(io::Error::other)?;
        let mut bytes = self.buffer.0.borrow_mut();
        if self.transparent
            && let Some(flags) = graphic_control(&bytes).and_then(|at| bytes.get_mut(at))
        {
            // Disposal method, bits 2 to 4: 2 clears the frame's area before the next frame.
            *flags = *flags & !0b0001_1100 | 2 << 2;
        }
        self.file.write_all(&bytes)?;
        bytes.clear();
        Ok(())
    }

    fn finish(self) -> io::Result<()> {
        let Self { mut file, buffer, encoder, .. } = self;
        // The encoder writes its last byte on drop.
        drop(encoder);
        file.write_all(&buffer.0.borrow())?;
        file.finish()
    }
}

/// Makes pixels fully transparent or opaque, because GIF has no partial transparency.
fn threshold_alpha(image: &mut RgbaImage) {
    for pixel in image.pixels_mut() {
        pixel.0 = if pixel.0[3] < 128 { [0; 4] } else { [pixel.0[0], pixel.0[1], pixel.0[2], 255] };
    }
}

/// Returns the encoded size of a frame in bytes. Frames are encoded independently of each other.
pub(super) fn encoded_bytes(kind: FilmKind, mut image: RgbaImage) -> io::Result<u64> {
    let mut bytes = Vec::new();
    match kind {
        FilmKind::Gif => {
            threshold_alpha(&mut image);
            let mut encoder = GifEncoder::new_with_speed(&mut bytes, GIF_HASTE);
            encoder.encode_frame(Frame::new(image)).map_err(io::Error::other)?;
        }
        FilmKind::AnimatedPng => {
            let mut encoder = png::Encoder::new(&mut bytes, image.width(), image.height());
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_depth(png::BitDepth::Eight);
            let mut writer = encoder.write_header().map_err(io::Error::other)?;
            writer.write_image_data(&image).map_err(io::Error::other)?;
        }
        FilmKind::Frames => {
            image.write_with_encoder(image::codecs::png::PngEncoder::new(&mut bytes)).map_err(io::Error::other)?;
        }
    }
    Ok(bytes.len() as u64)
}

/// Returns the offset of the graphic control extension, which may follow the file header and other extensions.
fn graphic_control(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    if bytes.starts_with(b"GIF") {
        let flags = *bytes.get(10)?;
        let palette = if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
        at = 13 + palette;
    }
    while *bytes.get(at)? == 0x21 {
        if *bytes.get(at + 1)? == 0xf9 {
            return Some(at + 3);
        }
        at += 2;
        loop {
            let length = usize::from(*bytes.get(at)?);
            at += 1 + length;
            if length == 0 {
                break;
            }
        }
    }
    None
}

pub(super) struct PngWriter {
    file: Shared<AtomicFile>,
    writer: png::Writer<Shared<AtomicFile>>,
}

/// Returns the file error in an error of the encoder, to keep its kind.
fn png_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(error) => error,
        other => io::Error::other(other),
    }
}

impl PngWriter {
    fn new(options: &FilmFile) -> io::Result<Self> {
        let file = Shared::new(AtomicFile::create(&options.path)?);
        let mut encoder = png::Encoder::new(file.share(), options.size.0, options.size.1);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        // The number of plays; 0 means infinite.
        encoder.set_animated(options.film.frames, u32::from(!options.repeats)).map_err(png_error)?;
        encoder.set_blend_op(png::BlendOp::Source).map_err(png_error)?;
        let writer = encoder.write_header().map_err(png_error)?;
        Ok(Self { file, writer })
    }

    fn add(&mut self, image: &RgbaImage, milliseconds: u32) -> io::Result<()> {
        // Store delays over 65.5 s in whole seconds, because they exceed 16 bits in milliseconds.
        let (number, of) = match u16::try_from(milliseconds) {
            Ok(number) => (number, 1000),
            Err(_) => (u16::try_from(milliseconds / 1000).unwrap_or(u16::MAX), 1),
        };
        self.writer.set_frame_delay(number, of).map_err(png_error)?;
        self.writer.write_image_data(image).map_err(png_error)
    }

    fn finish(self) -> io::Result<()> {
        self.writer.finish().map_err(png_error)?;
        // The encoder has dropped its reference to the file.
        Rc::into_inner(self.file.0).map_or(Ok(()), |file| file.into_inner().finish())
    }
}
