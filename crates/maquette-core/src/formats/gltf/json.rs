//! The part of glTF 2.0 JSON that the reader uses (Khronos, *glTF 2.0 Specification*, section 5).
//!
//! The types are our own, because a file must not fail on properties that are not used. Lists are limited, because a
//! small text could claim much memory with them.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::{DeserializeOwned, Error as _, IgnoredAny, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::limits::MAX_GLTF_OBJECTS;

/// Whole document.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Document {
    pub asset: Asset,
    pub extensions_used: Vec<String>,
    pub extensions_required: Vec<String>,
    pub scene: Option<u32>,
    pub scenes: List<SceneJson>,
    pub nodes: List<Node>,
    pub meshes: List<Mesh>,
    pub skins: List<SkinJson>,
    pub animations: List<AnimationJson>,
    pub materials: List<Material>,
    pub textures: List<Texture>,
    pub images: List<Image>,
    pub accessors: List<Accessor>,
    pub buffer_views: List<BufferView>,
    pub buffers: List<Buffer>,
    pub extensions: Option<Box<Extensions>>,
}

/// Extension for variants: their list in the document, or the materials of a primitive.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Variants {
    pub variants: List<Variant>,
    pub mappings: List<Variant>,
}

/// Name of a variant, or the material of a primitive in some variants.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Variant {
    pub name: Box<str>,
    pub material: Option<u32>,
    pub variants: Box<[u32]>,
}

/// Object of a list of the document.
pub(super) trait Listed: DeserializeOwned {
    /// Name of one object, for messages.
    const NAME: &'static str;
    /// Maximum number of objects. Objects with required properties need no limit, because their text limits them.
    const MAX: usize = MAX_GLTF_OBJECTS;

    /// Returns the name in the file, which may be empty.
    fn name(&self) -> &str {
        ""
    }
}

/// Maximum bytes of an object's name in a message. Longer names are cut, because each surface may name one.
const MAX_LABEL_BYTES: usize = 63;

/// Names an object in a message: by its index, and by its name, which several objects may have.
pub(super) fn label<T: Listed>(list: &[T], index: u32) -> String {
    let name = list.get(index as usize).map_or("", Listed::name);
    match name.get(..name.floor_char_boundary(MAX_LABEL_BYTES)).unwrap_or_default() {
        "" => format!("{} {index}", T::NAME),
        name => format!("{} {index} “{name}”", T::NAME),
    }
}

/// List of the document, whose errors name the object.
pub(super) struct List<T>(Vec<T>);

impl<T> Default for List<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'de, T: Listed> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items<T>(PhantomData<T>);
        impl<'de, T: Listed> Visitor<'de> for Items<T> {
            type Value = List<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a list of objects (“{}”)", T::NAME)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<List<T>, A::Error> {
                let mut list = Vec::new();
                loop {
                    let name = || format!("{} {}", T::NAME, list.len());
                    // serde_json finds line and column at the end of the message again.
                    match items.next_element().map_err(|error| A::Error::custom(format!("{}: {error}", name())))? {
                        Some(_) if list.len() >= T::MAX => {
                            return Err(A::Error::custom(format!("{}: more objects than the limit", name())));
                        }
                        Some(item) => list.push(item),
                        None => return Ok(List(list)),
                    }
                }
            }
        }
        deserializer.deserialize_seq(Items(PhantomData))
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct SceneJson {
    pub nodes: Vec<u32>,
}

/// Node. Properties are boxed, because a file may have 65,535 nodes without them.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Node {
    pub name: Box<str>,
    pub children: Box<[u32]>,
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
    pub mesh: Option<u32>,
    pub skin: Option<u32>,
    pub weights: Box<[f32]>,
    pub extensions: Option<Box<Extensions>>,
    /// Mark of a tag and fields of the model; `None` if there are none.
    #[serde(deserialize_with = "node_extras")]
    pub extras: Option<Box<Extras>>,
}

fn node_extras<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Extras>>, D::Error> {
    let extras = extras(deserializer)?;
    let has_fields = extras.model_flags.is_some() || extras.sync_type.is_some() || extras.eye_position.is_some();
    Ok((extras.tag || has_fields).then(|| Box::new(extras)))
}

/// Extensions of all kinds of objects.
#[derive(Deserialize)]
pub(super) struct Extensions {
    #[serde(rename = "KHR_node_visibility")]
    pub visibility: Option<Visibility>,
    #[serde(rename = "KHR_draco_mesh_compression")]
    pub draco: Option<IgnoredAny>,
    /// Archived by Khronos, as in many downloads.
    #[serde(rename = "KHR_materials_pbrSpecularGlossiness")]
    pub specular_glossiness: Option<Pbr>,
    #[serde(rename = "KHR_materials_variants")]
    pub variants: Option<Variants>,
    #[serde(rename = "KHR_texture_transform")]
    pub transform: Option<TextureTransform>,
    #[serde(rename = "EXT_meshopt_compression", alias = "KHR_meshopt_compression")]
    pub meshopt: Option<IgnoredAny>,
}

#[derive(Deserialize)]
pub(super) struct Visibility {
    pub visible: Option<bool>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub name: Box<str>,
    pub primitives: Box<[Primitive]>,
    #[serde(default)]
    pub weights: Box<[f32]>,
}

/// Accessor of each attribute, by its name. A map would take ten times as much memory for one attribute.
pub(super) type Attributes = Box<[(Box<str>, u32)]>;

/// Returns the accessor of an attribute.
pub(super) fn attribute(attributes: &Attributes, name: &str) -> Option<u32> {
    attributes.iter().find(|(own, _)| &**own == name).map(|(_, accessor)| *accessor)
}

fn attributes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Attributes, D::Error> {
    BTreeMap::deserialize(deserializer).map(|map: BTreeMap<Box<str>, u32>| map.into_iter().collect())
}

fn targets<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Box<[Attributes]>, D::Error> {
    let targets = Vec::<BTreeMap<Box<str>, u32>>::deserialize(deserializer)?;
    Ok(targets.into_iter().map(|target| target.into_iter().collect()).collect())
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    #[serde(deserialize_with = "attributes")]
    pub attributes: Attributes,
    pub indices: Option<u32>,
    pub material: Option<u32>,
    pub mode: Option<u32>,
    #[serde(default, deserialize_with = "targets")]
    pub targets: Box<[Attributes]>,
    pub extensions: Option<Box<Extensions>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SkinJson {
    pub inverse_bind_matrices: Option<u32>,
    pub joints: Vec<u32>,
}

#[derive(Deserialize)]
pub(super) struct AnimationJson {
    #[serde(default)]
    pub name: String,
    pub channels: Vec<Channel>,
    pub samplers: Vec<SamplerJson>,
    #[serde(default)]
    #[serde(deserialize_with = "extras")]
    pub extras: Extras,
}

#[derive(Deserialize)]
pub(super) struct Channel {
    pub sampler: u32,
    pub target: Target,
}

#[derive(Deserialize)]
pub(super) struct Target {
    pub node: Option<u32>,
    pub path: String,
}

#[derive(Deserialize)]
pub(super) struct SamplerJson {
    pub input: u32,
    pub output: u32,
    pub interpolation: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Material {
    pub name: String,
    pub pbr_metallic_roughness: Option<Pbr>,
    pub emissive_texture: Option<TextureInfo>,
    pub emissive_factor: Option<[f32; 3]>,
    pub alpha_mode: Option<String>,
    pub alpha_cutoff: Option<f32>,
    pub double_sided: bool,
    pub extensions: Option<Box<Extensions>>,
    #[serde(deserialize_with = "extras")]
    pub extras: Extras,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Pbr {
    #[serde(alias = "diffuseTexture")]
    pub base_color_texture: Option<TextureInfo>,
    #[serde(alias = "diffuseFactor")]
    pub base_color_factor: Option<[f32; 4]>,
}

impl Material {
    /// Returns the texture and the factor of the base colour. The extension states the material completely, and the
    /// properties next to it are for programs that do not know the extension. A black material that only emits light
    /// has the colour of its light.
    pub fn base_colour(&self) -> (Option<&TextureInfo>, Option<[f32; 4]>) {
        let extension = self.extensions.as_ref().and_then(|extensions| extensions.specular_glossiness.as_ref());
        let stated = extension.filter(|pbr| pbr.base_color_texture.is_some() || pbr.base_color_factor.is_some());
        let pbr = stated.or(self.pbr_metallic_roughness.as_ref());
        let (texture, factor) =
            pbr.map_or((None, None), |pbr| (pbr.base_color_texture.as_ref(), pbr.base_color_factor));
        let light = self.emissive_factor.filter(|light| texture.is_none() && *light != [0.0; 3]);
        match (factor, light) {
            (Some([0.0, 0.0, 0.0, alpha]), Some([r, g, b])) => (self.emissive_texture.as_ref(), Some([r, g, b, alpha])),
            _ => (texture, factor),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureInfo {
    pub index: u32,
    #[serde(default)]
    pub tex_coord: u32,
    pub extensions: Option<Box<Extensions>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TextureTransform {
    pub offset: Option<[f32; 2]>,
    pub rotation: Option<f32>,
    pub scale: Option<[f32; 2]>,
    pub tex_coord: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Texture {
    pub source: Option<u32>,
    /// Extensions for further formats of images, which state the image themselves, for example `EXT_texture_webp` and
    /// `KHR_texture_basisu`.
    pub extensions: BTreeMap<String, Texture>,
}

impl Texture {
    /// Returns the index of the image: the one that every program reads, else the one of an extension.
    pub fn image(&self) -> Option<u32> {
        self.source.or_else(|| self.extensions.values().find_map(|extension| extension.source))
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Image {
    pub name: String,
    pub uri: Option<String>,
    pub buffer_view: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<u32>,
    #[serde(default)]
    pub byte_offset: u64,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: u64,
    #[serde(rename = "type")]
    pub shape: String,
    pub sparse: Option<Box<Sparse>>,
}

#[derive(Deserialize)]
pub(super) struct Sparse {
    pub count: u64,
    pub indices: SparseView,
    pub values: SparseView,
}

/// Indices or values of a sparse accessor.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SparseView {
    pub buffer_view: u32,
    #[serde(default)]
    pub byte_offset: u64,
    /// Type of indices. Values have that of the accessor.
    #[serde(default)]
    pub component_type: u32,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub buffer: u32,
    #[serde(default)]
    pub byte_offset: u64,
    pub byte_length: u64,
    pub byte_stride: Option<u64>,
    pub extensions: Option<Box<Extensions>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: u64,
}

macro_rules! listed {
    ($($kind:ty: $name:literal $($field:ident)?),* $(,)?) => {
        $(impl Listed for $kind {
            const NAME: &'static str = $name;
            $(fn name(&self) -> &str { &self.$field })?
        })*
    };
}
listed!(
    SceneJson: "scene", Node: "node" name, Mesh: "mesh" name, SkinJson: "skin", AnimationJson: "animation" name,
    Material: "material" name, Texture: "texture", Variant: "variant", Image: "image" name, Buffer: "buffer",
);

impl Listed for Accessor {
    const NAME: &'static str = "accessor";
    const MAX: usize = usize::MAX;
}

impl Listed for BufferView {
    const NAME: &'static str = "bufferView";
    const MAX: usize = usize::MAX;
}

/// Declares properties that are absent if their type is wrong.
macro_rules! lenient {
    ($(#[$about:meta])* $type:ident { $($(#[$doc:meta])* $name:ident: $value:ty,)* }) => {
        $(#[$about])*
        #[derive(Clone, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(super) struct $type {
            $($(#[$doc])* #[serde(deserialize_with = "lenient")] pub $name: $value,)*
        }
    };
}

lenient! {
    /// Properties that [`export::gltf`](crate::export::gltf) writes into `extras`. Other programs may write anything there.
    Extras {
        script: Option<String>,
        name: Option<String>,
        stored: Option<String>,
        skin: Option<String>,
        first_frame: Option<f64>,
        frame_count: Option<f64>,
        frames_per_second: Option<f64>,
        loop_frames: Option<f64>,
        reversed: bool,
        unlisted: bool,
        frame_group: bool,
        /// Whether the node is a tag although its name does not say so.
        tag: bool,
        model_flags: Option<f64>,
        model_format: Option<String>,
        sync_type: Option<f64>,
        eye_position: Option<[f64; 3]>,
    }
}

/// Reads `extras`. A value that is not an object is skipped.
fn extras<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Extras, D::Error> {
    let text = <&RawValue>::deserialize(deserializer)?.get();
    Ok(if text.starts_with('{') { serde_json::from_str(text).unwrap_or_default() } else { Extras::default() })
}

/// Reads a value, or skips one of another type.
fn lenient<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(serde_json::from_str(<&RawValue>::deserialize(deserializer)?.get()).unwrap_or_default())
}

/// Version and minimum version of a file, of glTF 1.0 too.
#[derive(Deserialize)]
pub(super) struct Versions {
    pub asset: Option<Asset>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct Asset {
    pub version: Option<Value>,
    pub min_version: Option<Value>,
    pub generator: Option<String>,
}
