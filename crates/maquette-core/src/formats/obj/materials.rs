//! Materials of an MTL: colours and images for names that the game does not define.

use std::collections::HashMap;
use std::sync::Arc;

use crate::bytes::Source;
use crate::error::{Reason, WarningKind, Warnings};
use crate::formats::line::Line;
use crate::model::{AlphaMode, EmbeddedImage, EmbeddedMaterial, is_usable};

/// Number of material files that are read. Exporters write one.
const FILES_READ: usize = 16;

/// Materials by name.
#[derive(Default)]
pub(super) struct Materials {
    files: Vec<String>,
    known: HashMap<String, Arc<EmbeddedMaterial>>,
}

impl Materials {
    /// Returns the material of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<EmbeddedMaterial>> {
        self.known.get(name)
    }

    /// Reads the materials of a file next to the model. Without the file, games still find images by the names.
    pub fn read(&mut self, file: &str, source: &Source, warnings: &mut Warnings) {
        if self.files.iter().any(|known| known == file) || self.files.len() >= FILES_READ {
            return;
        }
        self.files.push(file.to_owned());
        match source.read_companion(file) {
            Ok(bytes) => self.add(&bytes, file),
            // Nothing can read files next to the model.
            Err(Reason::Unread { .. }) => {}
            Err(reason) => warnings.add(WarningKind::Inconsistent, "mtllib", format!("{file}: {reason}")),
        }
    }

    fn add(&mut self, bytes: &[u8], file: &str) {
        let folder = file.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
        let mut current: Option<(String, EmbeddedMaterial)> = None;
        let mut line = Line::before(bytes);
        while line.advance() {
            if line.word == b"newmtl" {
                self.finish(current.replace((line.rest(), plain())));
            } else if let Some((_, material)) = &mut current {
                apply(material, &mut line, folder);
            }
        }
        self.finish(current);
    }

    fn finish(&mut self, material: Option<(String, EmbeddedMaterial)>) {
        if let Some((name, mut material)) = material {
            if material.colour[3] < 1.0 {
                material.alpha = AlphaMode::Blend;
            }
            if material.image.is_some() {
                // Games draw the image alone; the colour of most exporters is a grey.
                material.colour = [1.0, 1.0, 1.0, material.colour[3]];
            }
            self.known.entry(name).or_insert_with(|| Arc::new(material));
        }
    }
}

fn plain() -> EmbeddedMaterial {
    // Games draw the triangles of an OBJ from one side.
    EmbeddedMaterial { colour: [1.0; 4], ..EmbeddedMaterial::default() }
}

fn apply(material: &mut EmbeddedMaterial, line: &mut Line, folder: &str) {
    let number = |numbers: Option<[f32; 1]>| numbers.map(|[number]| number).filter(|number| is_usable(*number));
    match line.word {
        b"Kd" => {
            let Ok(colour) = line.numbers::<3>(3) else { return };
            for (part, stored) in material.colour.iter_mut().zip(colour) {
                *part = if is_usable(stored) { stored.clamp(0.0, 1.0) } else { 1.0 };
            }
        }
        b"d" => material.colour[3] = number(line.numbers::<1>(1).ok()).map_or(1.0, |alpha| alpha.clamp(0.0, 1.0)),
        b"Tr" => material.colour[3] = number(line.numbers::<1>(1).ok()).map_or(1.0, |part| 1.0 - part.clamp(0.0, 1.0)),
        b"map_Kd" => {
            let path = image_path(&line.rest()).replace('\\', "/");
            let path = if folder.is_empty() { path } else { format!("{folder}/{path}") };
            material.image = Some(EmbeddedImage::External(path));
        }
        _ => {}
    }
}

/// Options before the path of an image, with their maximum number of numbers, or 0 for one word (Wavefront, *MTL material
/// format*, “Options for texture map statements”).
#[rustfmt::skip]
const IMAGE_OPTIONS: [(&str, usize); 13] = [
    ("blendu", 0), ("blendv", 0), ("bm", 1), ("boost", 1), ("cc", 0), ("clamp", 0), ("imfchan", 0), ("mm", 2), ("o", 3),
    ("s", 3), ("t", 3), ("texres", 1), ("type", 0),
];

/// Returns the path of an image after its options. A path may contain blanks, and begin with a number.
fn image_path(text: &str) -> &str {
    let mut rest = text;
    while let Some((option, after)) = rest.strip_prefix('-').and_then(|rest| rest.split_once(char::is_whitespace)) {
        rest = after.trim_start();
        let known = IMAGE_OPTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(option));
        let (max, is_value): (usize, fn(&str) -> bool) = match known {
            Some((_, 0)) => (1, |_| true),
            Some((_, numbers)) => (*numbers, |word| word.parse::<f32>().is_ok()),
            None => (usize::MAX, |word| word.parse::<f32>().is_ok() || matches!(word, "on" | "off")),
        };
        for _ in 0..max {
            let value = rest.split_once(char::is_whitespace).filter(|(word, _)| is_value(word));
            let Some((_, after)) = value else { break };
            rest = after.trim_start();
        }
    }
    rest
}
