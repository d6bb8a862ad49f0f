//! Chunks of a `.glb`, and the bytes of the buffers.

use std::collections::HashSet;
use std::rc::Rc;

use serde_json::Value;

use super::json::{Document, Versions, attribute, label};
use super::{because, broken, broken_at};
use crate::bytes::Source;
use crate::error::{FilePosition, LoadError, Reason, WarningKind, Warnings};

/// First bytes of a `.glb`.
pub(super) const MAGIC: &[u8] = b"glTF";

/// Types of chunks.
const JSON: &str = "JSON";
const BINARY: &str = "BIN";
const CHUNK_HEADER: u64 = 8;

/// Sentence about meshes that only a decoder of Draco could read.
const DRACO: &str = "the mesh is compressed with Draco; export it again without compression (Blender: untick \
                                Compression in the glTF export)";
/// Sentence about data that only a decoder of meshopt could read.
pub(super) const MESHOPT: &str = "the data is compressed with meshopt; export it again without compression";

/// Extensions that a file may require. Their geometry is read; images in other formats count as missing.
#[rustfmt::skip]
const KNOWN: &[&str] = &[
    "KHR_mesh_quantization", "KHR_texture_transform", "KHR_lights_punctual", "KHR_node_visibility", "KHR_xmp_json_ld",
    "KHR_texture_basisu", "EXT_texture_webp",
];

/// Bytes of a buffer.
pub(super) enum BufferBytes<'a> {
    /// Chunk of the `.glb`.
    Chunk(&'a [u8]),
    /// Decoded data URI, or a file, which several buffers may share.
    Shared(Rc<Vec<u8>>),
}

impl BufferBytes<'_> {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Chunk(bytes) => bytes,
            Self::Shared(bytes) => bytes,
        }
    }
}

/// Returns the number of bytes of the buffers outside the chunks. A file that several buffers share counts once.
pub(super) fn len_outside(buffers: &[BufferBytes]) -> usize {
    let mut seen = HashSet::new();
    let outside = buffers.iter().filter_map(|buffer| match buffer {
        BufferBytes::Shared(bytes) => seen.insert(Rc::as_ptr(bytes)).then(|| bytes.len()),
        BufferBytes::Chunk(_) => None,
    });
    outside.sum()
}

/// Returns the text of a `.gltf` without its byte order mark, and its offset.
fn text_of(bytes: &[u8]) -> (usize, &[u8]) {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    (bytes.len() - text.len(), text)
}

/// Reads the chunks, parses the document, and finds the bytes of each of its buffers. A buffer that no file stores has no
/// bytes.
pub(super) fn read<'a>(
    source: &'a Source<'a>,
    warnings: &mut Warnings,
) -> Result<(Document, Vec<BufferBytes<'a>>), LoadError> {
    let (text, binary) = if source.bytes().starts_with(MAGIC) {
        chunks(source, warnings)?
    } else {
        let (start, text) = text_of(source.bytes());
        note_properties(source, start, text);
        (text, None)
    };
    check_version(text)?;
    let document: Document = serde_json::from_slice(text).map_err(|error| syntax_error(&error))?;
    check_extensions(&document)?;
    let mut buffers = Vec::new();
    for (index, buffer) in document.buffers.iter().enumerate() {
        let name = format!("buffer {index}");
        let bytes = match (&buffer.uri, binary) {
            (Some(uri), _) => BufferBytes::Shared(bytes_at(source, uri).map_err(|reason| because(&name, reason))?),
            (None, Some(binary)) if index == 0 => BufferBytes::Chunk(binary),
            // Compressed views may refer to a buffer that no file stores.
            (None, _) => BufferBytes::Chunk(&[]),
        };
        let len = bytes.bytes().len();
        if (len as u64) < buffer.byte_length && (buffer.uri.is_some() || index == 0 && binary.is_some()) {
            let why = format!("the buffer has {len} bytes, but byteLength is {}", buffer.byte_length);
            return Err(broken(&name, why));
        }
        buffers.push(bytes);
    }
    Ok((document, buffers))
}

type Chunks<'a> = (&'a [u8], Option<&'a [u8]>);

fn chunks<'a>(source: &'a Source<'a>, warnings: &mut Warnings) -> Result<Chunks<'a>, LoadError> {
    let mut reader = source.start();
    {
        let _group = source.group(|| "header".to_owned());
        reader.name("magic", 4)?;
        let at = reader;
        let version = reader.u32("version")?;
        if version != 2 {
            return Err(
                at.error("version", Reason::UnsupportedVersion { found: version.into(), supported: "2".to_owned() })
            );
        }
        let at = reader;
        let length = u64::from(reader.u32("length")?);
        if length > source.len() {
            let why = format!("the file should have {length} bytes, but it ends after {}", source.len());
            return Err(at.error("length", Reason::Broken(why)));
        }
        if length < source.len() {
            let message = format!("{} bytes follow the end of the file; ignored", source.len() - length);
            warnings.add_at(WarningKind::Inconsistent, "length", message, FilePosition::Byte(8));
        }
    }
    let (mut text, mut binary) = (None, None);
    let mut index = 0;
    while reader.position() + CHUNK_HEADER <= source.len() {
        let _group = source.group(|| format!("chunk {index}"));
        let at = reader;
        let length = u64::from(reader.u32("chunkLength")?);
        let kind = reader.name("chunkType", 4)?;
        if length > source.len() - reader.position() {
            let why = format!("the chunk of {length} bytes ends after the file");
            return Err(at.error("chunkLength", Reason::Broken(why)));
        }
        let start = usize::try_from(reader.position()).unwrap_or(usize::MAX);
        let bytes = source.bytes().get(start..start.saturating_add(length as usize)).unwrap_or_default();
        match (index, kind.as_str()) {
            (0, JSON) => {
                text = Some(bytes);
                note_properties(source, start, bytes);
            }
            (0, _) => return Err(at.error("chunkType", Reason::Broken("the first chunk is not JSON".to_owned()))),
            (1, BINARY) => {
                binary = Some(bytes);
                reader.skip("binary data", length)?;
                index += 1;
                continue;
            }
            _ => {}
        }
        if kind == JSON && index == 0 {
            reader = source.at(reader.position() + length);
        } else {
            reader.skip("unknown data", length)?;
        }
        index += 1;
    }
    let text = text.ok_or_else(|| broken("", "the file has no JSON chunk"))?;
    Ok((text, binary))
}

/// Records the properties of the document, with the number of objects in their lists.
fn note_properties(source: &Source, start: usize, text: &[u8]) {
    if !source.is_recorded() {
        return;
    }
    let _group = source.group(|| "JSON".to_owned());
    let mut last = start;
    for property in properties(text) {
        let name = || match property.objects {
            Some(1) => format!("{} (1 object)", property.name),
            Some(count) => format!("{} ({count} objects)", property.name),
            None => property.name.clone(),
        };
        let end = start + property.end;
        source.note_statement(None, name, last as u64, end as u64);
        last = end;
    }
}

struct Property {
    name: String,
    objects: Option<usize>,
    end: usize,
}

/// Finds the properties of the outermost object. Nothing is validated, because the text may not be JSON at all.
fn properties(text: &[u8]) -> Vec<Property> {
    let (mut found, mut depth, mut at) = (Vec::new(), 0_usize, 0);
    let mut name: Option<String> = None;
    let (mut is_list, mut objects, mut is_key) = (false, 0, true);
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => {
                let start = at + 1;
                at = start;
                while let Some(byte) = text.get(at).filter(|byte| **byte != b'"') {
                    at += if *byte == b'\\' { 2 } else { 1 };
                }
                if depth == 1 && is_key {
                    name = text.get(start..at).map(|name| String::from_utf8_lossy(name).into_owned());
                    is_key = false;
                }
            }
            b'{' | b'[' => {
                if depth == 1 {
                    (is_list, objects) = (*byte == b'[', 0);
                }
                if depth == 2 && is_list && *byte == b'{' {
                    objects += 1;
                }
                depth += 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += 1;
        let ends = depth == 1 && matches!(byte, b',') || depth == 0;
        if ends && let Some(name) = name.take() {
            found.push(Property { name, objects: is_list.then_some(objects), end: at.min(text.len()) });
            (is_list, is_key) = (false, true);
        }
        if depth == 0 && *byte == b'}' {
            break;
        }
    }
    found
}

fn check_version(text: &[u8]) -> Result<(), LoadError> {
    let versions: Versions = serde_json::from_slice(text).map_err(|error| syntax_error(&error))?;
    let asset = versions.asset.ok_or_else(|| broken("asset", "the file does not state its version"))?;
    // Some files of glTF 1.0 store the version as a number.
    let version = match asset.min_version.or(asset.version) {
        Some(Value::String(version)) => version,
        Some(other) => other.to_string(),
        None => String::new(),
    };
    if version.split('.').next() == Some("2") {
        return Ok(());
    }
    Err(broken("asset", format!("this is glTF {version}, which is not supported; expected version 2.0")))
}

fn check_extensions(document: &Document) -> Result<(), LoadError> {
    for name in &document.extensions_required {
        let why = match name.as_str() {
            "KHR_draco_mesh_compression" => DRACO.to_owned(),
            "EXT_meshopt_compression" | "KHR_meshopt_compression" => MESHOPT.to_owned(),
            name if KNOWN.contains(&name) || name.starts_with("KHR_materials_") => continue,
            name => format!("the file requires the extension {name}, which is not supported"),
        };
        return Err(broken("extensionsRequired", why));
    }
    for (index, mesh) in (0..).zip(&*document.meshes) {
        for primitive in &mesh.primitives {
            let is_draco = primitive.extensions.as_ref().is_some_and(|extensions| extensions.draco.is_some());
            let position = attribute(&primitive.attributes, "POSITION");
            let positions = position.and_then(|accessor| document.accessors.get(accessor as usize));
            if is_draco && positions.is_some_and(|accessor| accessor.buffer_view.is_none()) {
                return Err(broken(&label(&document.meshes, index), DRACO));
            }
        }
    }
    Ok(())
}

fn syntax_error(error: &serde_json::Error) -> LoadError {
    let number = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let position = FilePosition::Line { line: number(error.line()), column: number(error.column()) };
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    broken_at("JSON", position, text.replace(&place, ""))
}

/// Returns the bytes at the URI of a buffer.
fn bytes_at(source: &Source, uri: &str) -> Result<Rc<Vec<u8>>, Reason> {
    match Uri::parse(uri).map_err(Reason::Broken)? {
        Uri::Data(data) => decode_base64(data).map(Rc::new).map_err(Reason::Broken),
        Uri::File(path) => source.read_companion(&path),
    }
}

/// Location of data outside the JSON.
pub(super) enum Uri<'a> {
    /// Data in base 64.
    Data(&'a str),
    /// Path relative to the file, decoded.
    File(String),
}

impl<'a> Uri<'a> {
    /// Parses a URI. Nothing is fetched, so addresses and absolute paths are refused.
    pub fn parse(uri: &'a str) -> Result<Self, String> {
        if uri.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:")) {
            let data = uri.split_once(";base64,").map(|(_, data)| data);
            return data.map(Self::Data).ok_or_else(|| "the data URI is not in base 64".to_owned());
        }
        let path = percent_decoded(uri);
        let scheme = uri.split_once(':').map(|(scheme, _)| scheme);
        let has_scheme = scheme.is_some_and(|scheme| {
            !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        });
        if has_scheme || path.starts_with(['/', '\\']) || path.get(1..2) == Some(":") {
            return Err(format!("“{uri}” is not a file next to the model; only those are read"));
        }
        Ok(Self::File(path))
    }
}

fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| uri.to_owned())
}

/// Decodes base 64 (RFC 4648) with either alphabet. White space is skipped, and padding is optional.
pub(super) fn decode_base64(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    let (mut bits, mut count) = (0_u32, 0);
    for (at, byte) in text.bytes().enumerate() {
        let digit = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            byte if byte.is_ascii_whitespace() => continue,
            _ => return Err(format!("character {at} of the data URI is not base 64")),
        };
        bits = bits << 6 | u32::from(digit);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Ok(bytes)
}
