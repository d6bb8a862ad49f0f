//! Materials and textures.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::buffer::{BufferTarget, Builder, number};
use super::json::{Image, Material, Pbr, Primitive, Texture, TextureInfo, TextureSampler};
use super::{TexturePlacement, uri};
use crate::export::scene::{ExportMaterial, ExportPart, ExportScene};
use crate::export::{ExportError, ExportFiles, ExportOptions};
use crate::model::AlphaMode;

const VARIANTS: &str = "KHR_materials_variants";
const UNLIT: &str = "KHR_materials_unlit";
const SPECULAR: &str = "KHR_materials_specular";
/// Roughness of materials without a specular map. Surfaces of these games are matt.
const ROUGHNESS: f32 = 0.9;
const SHINING_ROUGHNESS: f32 = 0.5;

const LINEAR: u32 = 9729;
const LINEAR_MIPMAP_LINEAR: u32 = 9987;
const REPEAT: u32 = 10497;
const CLAMP: u32 = 33071;

pub(super) fn add(
    builder: &mut Builder,
    subject: &ExportScene<'_>,
    options: &ExportOptions,
    files: &mut dyn ExportFiles,
) -> Result<(), ExportError> {
    if options.textures != TexturePlacement::Omitted {
        for image in &subject.images {
            let mut written = Image { name: image.name.clone(), uri: None, buffer_view: None, mime_type: None };
            if options.textures == TexturePlacement::External {
                let name = files.companion_name(&format!("_{}.png", image.name));
                files.write_companion(&name, &image.png)?;
                written.uri = Some(uri(&name));
            } else {
                written.buffer_view = Some(builder.view(&image.png, BufferTarget::Other)?);
                written.mime_type = Some("image/png");
            }
            builder.document.images.push(written);
        }
    }
    for own in &subject.materials {
        let material = material(builder, own, options);
        builder.document.materials.push(material);
    }
    Ok(())
}

fn material(builder: &mut Builder, own: &ExportMaterial, options: &ExportOptions) -> Material {
    let base = texture(builder, own.base, own.clamped);
    let specular = texture(builder, own.specular.filter(|_| !options.unlit), own.clamped);
    let mut extensions = BTreeMap::new();
    if options.unlit {
        builder.uses(UNLIT);
        extensions.insert(UNLIT, json!({}));
    } else if let Some(texture) = specular {
        builder.uses(SPECULAR);
        extensions.insert(SPECULAR, json!({ "specularColorTexture": texture }));
    }
    let emissive = texture(builder, own.emissive.filter(|_| !options.unlit), own.clamped);
    Material {
        name: own.name.clone(),
        pbr_metallic_roughness: Pbr {
            base_color_texture: base,
            metallic_factor: 0.0,
            roughness_factor: if specular.is_some() { SHINING_ROUGHNESS } else { ROUGHNESS },
        },
        normal_texture: texture(builder, own.normal.filter(|_| !options.unlit), own.clamped),
        emissive_texture: emissive,
        emissive_factor: emissive.map(|_| [1.0; 3]),
        alpha_mode: match own.alpha {
            AlphaMode::Opaque => None,
            AlphaMode::Mask(_) => Some("MASK"),
            AlphaMode::Blend => Some("BLEND"),
        },
        alpha_cutoff: match own.alpha {
            AlphaMode::Mask(cutoff) => Some(cutoff),
            _ => None,
        },
        double_sided: own.double_sided,
        extensions,
        extras: extras(own),
    }
}

fn extras(own: &ExportMaterial) -> Option<Value> {
    // Blender keeps text in custom properties, but not lists.
    let stored = own.stored.join("\n");
    let entries = [
        ("name", Some(&own.name)),
        ("stored", Some(&stored)),
        ("skin", own.skin.as_ref()),
        ("script", own.script.as_ref()),
    ];
    let extras: Map<String, Value> =
        entries.into_iter().filter_map(|(key, value)| Some((key.to_owned(), json!(value?)))).collect();
    Some(Value::Object(extras))
}

impl Builder {
    /// Sets the material of a surface, and those of its variants.
    pub fn set_material(&mut self, primitive: &mut Primitive, part: &ExportPart<'_>, surface: usize) {
        primitive.material = part.materials.get(surface).copied().flatten().map(number);
        let mut mappings = Vec::new();
        for (name, materials) in &part.variants {
            let known = self.variants.iter().position(|known| known == name);
            let variant = known.unwrap_or_else(|| {
                self.variants.push(name.clone());
                self.variants.len() - 1
            });
            let material = materials.get(surface);
            mappings.extend(material.map(|material| json!({ "material": material, "variants": [variant] })));
        }
        if !mappings.is_empty() {
            self.uses(VARIANTS);
            primitive.extensions = Some(json!({ VARIANTS: { "mappings": mappings } }));
            let names: Vec<Value> = self.variants.iter().map(|name| json!({ "name": name })).collect();
            self.document.extensions = Some(json!({ VARIANTS: { "variants": names } }));
        }
    }
}

fn texture(builder: &mut Builder, image: Option<usize>, clamped: bool) -> Option<TextureInfo> {
    let source = number(image?);
    let document = &mut builder.document;
    if source as usize >= document.images.len() {
        return None;
    }
    let wrap = if clamped { CLAMP } else { REPEAT };
    let wanted = TextureSampler { mag_filter: LINEAR, min_filter: LINEAR_MIPMAP_LINEAR, wrap_s: wrap, wrap_t: wrap };
    let sampler = document.samplers.iter().position(|sampler| *sampler == wanted).unwrap_or_else(|| {
        document.samplers.push(wanted);
        document.samplers.len() - 1
    });
    let sampler = number(sampler);
    let known = document.textures.iter().position(|texture| (texture.source, texture.sampler) == (source, sampler));
    let index = known.unwrap_or_else(|| {
        document.textures.push(Texture { sampler, source });
        document.textures.len() - 1
    });
    Some(TextureInfo { index: number(index) })
}
