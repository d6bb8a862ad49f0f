//! Image programs of Doom 3 materials, for example `addnormals(a, heightmap(b, 4))`. Source: Doom 3 `Image_program.cpp`
//! (`R_ParseImageProgram_r`), also for the names of built-in images.

use std::sync::{Mutex, PoisonError};

use super::Image;
use crate::limits::MAX_PROGRAM_WORK;
use maquette_core::budget::Budget;

pub(in crate::material) struct TexelBudget<'a> {
    pub texels: &'a Mutex<Budget>,
    pub stop: &'a dyn Fn() -> bool,
}

impl TexelBudget<'_> {
    /// Takes the texels of an image from the budget, `times` times. `None` if the budget is exhausted or the work was
    /// stopped.
    fn take(&self, image: &Image, times: u64) -> Option<()> {
        let texels = u64::from(image.width) * u64::from(image.height);
        let mut left = self.texels.lock().unwrap_or_else(PoisonError::into_inner);
        if left.take(texels.saturating_mul(times)).is_err() {
            left.exhaust();
            return None;
        }
        (!(self.stop)()).then_some(())
    }
}

/// An image: a file, a built-in image, or one computed from others.
#[derive(Clone, Debug, PartialEq)]
pub enum ImageProgram {
    /// A file, by its name in scripts.
    Named(String),
    /// A white image.
    White,
    /// A black image.
    Black,
    /// A flat normal map.
    Flat,
    /// A normal map from heights, with the factor for slopes.
    Heightmap(Box<ImageProgram>, f32),
    /// Sum of the slopes of two normal maps.
    AddNormals(Box<[ImageProgram; 2]>),
    /// A normal map, slightly blurred.
    SmoothNormals(Box<ImageProgram>),
    /// Sum of two images.
    Add(Box<[ImageProgram; 2]>),
    /// Each channel times a factor.
    Scale(Box<ImageProgram>, [f32; 4]),
    /// Inverted alpha.
    InvertAlpha(Box<ImageProgram>),
    /// Inverted colours.
    InvertColour(Box<ImageProgram>),
    /// The red channel in all channels.
    MakeIntensity(Box<ImageProgram>),
    /// White, with the mean of the colours as alpha.
    MakeAlpha(Box<ImageProgram>),
}

impl ImageProgram {
    /// Parses a word of a script: a built-in image or the name of a file.
    #[must_use]
    pub fn named(word: &str) -> Self {
        match word.to_ascii_lowercase().as_str() {
            "$whiteimage" | "*white" | "$lightmap" | "_white" => Self::White,
            "_black" => Self::Black,
            "_flat" => Self::Flat,
            _ => Self::Named(word.to_owned()),
        }
    }

    /// Returns whether the program uses a file, not only built-in images.
    pub fn is_file(&self) -> bool {
        let mut names = Vec::new();
        self.names(&mut names);
        !names.is_empty()
    }

    /// Appends to `into` the names of the files that the program uses.
    pub fn names<'a>(&'a self, into: &mut Vec<&'a str>) {
        match self {
            Self::Named(name) => into.push(name),
            Self::White | Self::Black | Self::Flat => {}
            Self::AddNormals(both) | Self::Add(both) => both.iter().for_each(|one| one.names(into)),
            Self::Heightmap(one, _)
            | Self::SmoothNormals(one)
            | Self::Scale(one, _)
            | Self::InvertAlpha(one)
            | Self::InvertColour(one)
            | Self::MakeIntensity(one)
            | Self::MakeAlpha(one) => one.names(into),
        }
    }

    /// Runs the program; `load` returns the image of a file. `None` if a file is missing or the program processes more
    /// than [`MAX_PROGRAM_WORK`].
    pub fn run(&self, load: &mut dyn FnMut(&str) -> Option<Image>) -> Option<Image> {
        let texels = Mutex::new(Budget::new(MAX_PROGRAM_WORK));
        self.run_within(load, &TexelBudget { texels: &texels, stop: &|| false })
    }

    pub(in crate::material) fn run_within(
        &self,
        load: &mut dyn FnMut(&str) -> Option<Image>,
        work: &TexelBudget,
    ) -> Option<Image> {
        let mut changed = |one: &ImageProgram, change: &dyn Fn([u8; 4]) -> [u8; 4]| {
            let image = one.run_within(load, work)?;
            work.take(&image, 1)?;
            Some(each(image, change))
        };
        Some(match self {
            Self::Named(name) => load(name)?,
            Self::White => Image::of_colour([255; 4]),
            Self::Black => Image::of_colour([0, 0, 0, 255]),
            Self::Flat => Image::of_colour([128, 128, 255, 255]),
            Self::Heightmap(one, slope) => {
                let image = one.run_within(load, work)?;
                work.take(&image, 3)?;
                heights_to_normals(&image, *slope, work)?
            }
            Self::AddNormals(both) => {
                let (first, second) = two(both, load, work)?;
                joined(first, &second, |a, b| {
                    let (a, b) = (normal_of(a), normal_of(b));
                    // Slopes are added; the height is that of the first map.
                    texel_of([a[0] + b[0], a[1] + b[1], a[2]])
                })
            }
            Self::SmoothNormals(one) => {
                let image = one.run_within(load, work)?;
                work.take(&image, 9)?;
                smoothed(&image, work)?
            }
            Self::Add(both) => {
                let (first, second) = two(both, load, work)?;
                joined(first, &second, |a, b| std::array::from_fn(|i| a[i].saturating_add(b[i])))
            }
            Self::Scale(one, times) => {
                changed(one, &|texel| std::array::from_fn(|i| (f32::from(texel[i]) * times[i]) as u8))?
            }
            Self::InvertAlpha(one) => changed(one, &|[red, green, blue, alpha]| [red, green, blue, 255 - alpha])?,
            Self::InvertColour(one) => {
                changed(one, &|[red, green, blue, alpha]| [255 - red, 255 - green, 255 - blue, alpha])?
            }
            Self::MakeIntensity(one) => changed(one, &|[red, ..]| [red; 4])?,
            Self::MakeAlpha(one) => changed(one, &|[red, green, blue, _]| {
                let mean = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
                [255, 255, 255, u8::try_from(mean).unwrap_or(255)]
            })?,
        })
    }
}

fn two(
    both: &[ImageProgram; 2],
    load: &mut dyn FnMut(&str) -> Option<Image>,
    work: &TexelBudget,
) -> Option<(Image, Image)> {
    let (first, second) = (both[0].run_within(load, work)?, both[1].run_within(load, work)?);
    work.take(&first, 2)?;
    Some((first, second))
}

fn each(image: Image, change: impl Fn([u8; 4]) -> [u8; 4]) -> Image {
    let rgba = image.rgba.as_chunks::<4>().0.iter().flat_map(|texel| change(*texel)).collect();
    Image::new(image.width, image.height, rgba)
}

fn joined(first: Image, second: &Image, join: impl Fn([u8; 4], [u8; 4]) -> [u8; 4]) -> Image {
    let (width, height) = (first.width, first.height);
    let mut rgba = Vec::with_capacity(first.rgba.len());
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    for (texel, (x, y)) in first.rgba.as_chunks::<4>().0.iter().zip(cells) {
        let scaled = |at: u32, from: u32, to: u32| (u64::from(at) * u64::from(from) / u64::from(to.max(1))) as i64;
        rgba.extend(join(*texel, second.texel(scaled(x, second.width, width), scaled(y, second.height, height))));
    }
    Image::new(width, height, rgba)
}

fn normal_of([red, green, blue, _]: [u8; 4]) -> [f32; 3] {
    [red, green, blue].map(|value| f32::from(value) / 127.5 - 1.0)
}

fn texel_of(normal: [f32; 3]) -> [u8; 4] {
    let length = normal.iter().map(|value| value * value).sum::<f32>().sqrt().max(1e-6);
    let [red, green, blue] = normal.map(|value| ((value / length + 1.0) * 127.5 + 0.5) as u8);
    [red, green, blue, 255]
}

/// Computes a normal map from the differences in height to the texels on the right and below. The image wraps around.
fn heights_to_normals(image: &Image, slope: f32, work: &TexelBudget) -> Option<Image> {
    let height = |x: i64, y: i64| {
        let [red, green, blue, _] = image.texel(x, y);
        (f32::from(red) + f32::from(green) + f32::from(blue)) / 3.0 / 255.0
    };
    made(image, work, |x, y| {
        let here = height(x, y);
        let (right, below) = (height(x + 1, y) - here, height(x, y + 1) - here);
        texel_of([-right * slope, -below * slope, 1.0])
    })
}

fn smoothed(image: &Image, work: &TexelBudget) -> Option<Image> {
    made(image, work, |x, y| {
        let mut sum = [0.0; 3];
        for (right, down) in (-1..=1).flat_map(|right| (-1..=1).map(move |down| (right, down))) {
            let normal = normal_of(image.texel(x + right, y + down));
            sum.iter_mut().zip(normal).for_each(|(sum, value)| *sum += value);
        }
        texel_of(sum)
    })
}

fn made(like: &Image, work: &TexelBudget, texel: impl Fn(i64, i64) -> [u8; 4]) -> Option<Image> {
    let mut rgba = Vec::with_capacity(like.rgba.len());
    for y in 0..i64::from(like.height) {
        if (work.stop)() {
            return None;
        }
        rgba.extend((0..i64::from(like.width)).flat_map(|x| texel(x, y)));
    }
    Some(Image::new(like.width, like.height, rgba))
}
