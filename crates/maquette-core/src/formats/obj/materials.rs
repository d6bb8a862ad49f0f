//! Materials of an MTL: colours and images for names that the game does not define.

use std::collections::HashMap;
use std::sync::Arc;

use super::lines::{Line, lines};
use crate::bytes::Source;
use crate::error::{Reason, WarningKind, Warnings};
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
        for line in lines(bytes) {
            if line.word == b"newmtl" {
                self.finish(current.replace((line.rest(), plain())));
            } else if let Some((_, material)) = &mut current {
                apply(material, &line, folder);
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

fn apply(material: &mut EmbeddedMaterial, line: &Line, folder: &str) {
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

/// Returns the path of an image, which may contain spaces, without the options before it: `-s 1 1 1 lid skin.png`.
fn image_path(text: &str) -> &str {
    let mut rest = text;
    while let Some(option) = rest.strip_prefix('-') {
        rest = option.split_once(char::is_whitespace).map_or("", |(_, rest)| rest).trim_start();
        while let Some((value, after)) = rest.split_once(char::is_whitespace) {
            if value.parse::<f32>().is_err() && !matches!(value, "on" | "off") {
                break;
            }
            rest = after.trim_start();
        }
    }
    rest
}
