//! Comparison of headers and of stored frame data.

use super::Side;
use super::frames::FramePair;
use super::precision::ComparePrecision;
use super::report::{Change, Value};
use crate::error::{Warning, WarningKind};
use crate::model::{Detail, DetailValue, FrameInfo, FrameNumbering, Model};

/// Fields that store offsets, which change whenever earlier data grows.
const LAYOUT: [&str; 1] = ["ofsHeader"];
/// Summaries of data that is compared itself.
const SUMMARIES: [&str; 1] = ["skins"];

pub(super) fn compare(a: Side, b: Side, pairs: &[FramePair], resolution: &ComparePrecision) -> Vec<Change> {
    let mut changes = Vec::new();
    let is_same_format = a.model.format() == b.model.format();
    let version = |model: &Model| model.version().map_or(Value::None, |version| Value::Integer(version.into()));
    if is_same_format && a.model.version() != b.model.version() {
        changes.push(Change::new("version", version(a.model), version(b.model)));
    }
    // Converters choose model names freely.
    if is_same_format && a.model.name() != b.model.name() {
        changes.push(Change::new("name", Value::text(Some(a.model.name())), Value::text(Some(b.model.name()))));
    }
    let frames = |model: &Model| Value::Integer(i64::try_from(model.frames().len()).unwrap_or(i64::MAX));
    let is_shared = |model: &Model| model.frame_numbering() == FrameNumbering::Shared;
    if is_shared(a.model) && is_shared(b.model) && a.model.frames().len() != b.model.frames().len() {
        changes.push(Change::new("frames", frames(a.model), frames(b.model)));
    }
    changes.extend(details(a.model.details(), b.model.details(), is_same_format));
    if is_same_format {
        let [a, b] = [a, b].map(|side| side.model.embedded_skins());
        changes.extend(table("skins", a, b, |skin| Value::Text(skin.summary())));
    }
    frame_fields(a.model, b.model, pairs, resolution, &mut changes);
    // Invalid values are absent from the model and appear only as warnings.
    if is_same_format {
        warnings(a.warnings, b.warnings, &mut changes);
    }
    changes
}

pub(super) fn details(a: &[Detail], b: &[Detail], is_same_format: bool) -> Vec<Change> {
    let find = |list: &[Detail], label: &str| list.iter().find(|detail| detail.label == label).map(|d| d.value.clone());
    let only_b = b.iter().filter(|detail| !a.iter().any(|own| own.label == detail.label));
    let labels = a
        .iter()
        .chain(only_b)
        .map(|detail| detail.label)
        .filter(|label| !LAYOUT.contains(label) && !SUMMARIES.contains(label));
    let mut changes = Vec::new();
    for label in labels {
        match (find(a, label), find(b, label)) {
            (Some(DetailValue::Integers(a)), Some(DetailValue::Integers(b))) => {
                changes.extend(table(label, &a, &b, |number| Value::Integer((*number).into())));
            }
            (a, b) if a != b && (is_same_format || a.is_some() && b.is_some()) => {
                changes.push(Change::new(label, value(a), value(b)));
            }
            _ => {}
        }
    }
    changes
}

fn value(value: Option<DetailValue>) -> Value {
    match value {
        None => Value::None,
        Some(DetailValue::Text(text)) => Value::Text(text),
        Some(DetailValue::Integers(numbers)) => Value::Text(format!("{} numbers", numbers.len())),
        Some(DetailValue::Texts(texts)) => Value::Text(texts.join("; ")),
    }
}

/// Returns the first index at which two tables differ, with the number of differing or missing entries.
fn table<T: PartialEq>(label: &str, a: &[T], b: &[T], value: impl Fn(&T) -> Value) -> Option<Change> {
    let length = a.len().max(b.len());
    let mut differing = (0..length).filter(|index| a.get(*index) != b.get(*index));
    let first = differing.next()?;
    let count = 1 + differing.count();
    let at = |table: &[T]| table.get(first).map_or(Value::None, &value);
    Some(Change { index: Some(first), differing: Some(count), ..Change::new(label, at(a), at(b)) })
}

fn frame_fields(a: &Model, b: &Model, pairs: &[FramePair], resolution: &ComparePrecision, changes: &mut Vec<Change>) {
    let near = |p: glam::Vec3, q: glam::Vec3| p == q || p.distance(q) <= resolution.distance;
    let is_same_format = a.format() == b.format();
    // MD2 boxes follow from the packing, and MD5 boxes from the exporter, so boxes are compared within these formats
    // only.
    let has_both = a.format().traits().bounds_frames && b.format().traits().bounds_frames;
    let same_box = |p: &FrameInfo, q: &FrameInfo| match (p.bounds, q.bounds) {
        (Some(p), Some(q)) => near(p.min, q.min) && near(p.max, q.max),
        (p, q) => p.is_none() && q.is_none(),
    };
    let same_radius =
        |p: &FrameInfo, q: &FrameInfo| p.radius == q.radius || (p.radius - q.radius).abs() <= resolution.distance;
    let mut field = |name: &str, same: &dyn Fn(&FrameInfo, &FrameInfo) -> bool, value: &dyn Fn(&FrameInfo) -> Value| {
        let frames = pairs.iter().filter_map(|pair| {
            let infos = a.frames().get(pair.a as usize).zip(b.frames().get(pair.b as usize))?;
            Some((pair.a as usize, infos))
        });
        let mut differing = frames.filter(|(_, (p, q))| !same(p, q));
        if let Some((index, (p, q))) = differing.next() {
            let count = 1 + differing.count();
            let change = Change::new(name, value(p), value(q));
            changes.push(Change { index: Some(index), differing: Some(count), ..change });
        }
    };
    // Frame names are comparable only between equal packings: some formats truncate them, and some converters invent
    // them.
    if resolution.alike {
        field("frame name", &|p, q| p.name == q.name, &|frame| Value::text(Some(&frame.name)));
    }
    if is_same_format || has_both {
        field("frame bounds", &same_box, &|frame| Value::bounds(frame.bounds));
    }
    if has_both {
        field("frame origin", &|p, q| near(p.origin, q.origin), &|frame| Value::Position(frame.origin.into()));
        field("frame radius", &same_radius, &|frame| Value::Number(frame.radius));
    }
}

fn warnings(a: &[Warning], b: &[Warning], changes: &mut Vec<Change>) {
    let is_of_file = |warning: &&Warning| warning.kind != WarningKind::Companion;
    let others = |list: &[Warning], others: &[Warning]| -> Vec<String> {
        // Compare the message, not its position in the file.
        let others: Vec<String> = others.iter().map(ToString::to_string).collect();
        let own = list.iter().filter(is_of_file).map(ToString::to_string);
        own.filter(|warning| !others.contains(warning)).collect()
    };
    changes.extend(others(a, b).into_iter().map(|text| Change::new("warning", Value::Text(text), Value::None)));
    changes.extend(others(b, a).into_iter().map(|text| Change::new("warning", Value::None, Value::Text(text))));
}
