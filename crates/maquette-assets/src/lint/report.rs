//! Findings as JSON and as text.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::finding::{Finding, Findings, Location, NamedIndex, Omitted};
use maquette_core::error::printable;

/// Converts the findings in one file to JSON, with the keys `findings` and `left_out`.
pub fn to_json(findings: &Findings) -> Map<String, Value> {
    let left = |left: &Omitted| json!({"rule": left.rule, "severity": left.severity.label(), "count": left.count});
    let mut object = Map::new();
    object.insert("findings".to_owned(), findings.list.iter().map(finding_json).collect());
    object.insert("left_out".to_owned(), findings.left_out.iter().map(left).collect());
    object
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "rule": finding.rule,
        "severity": finding.severity.label(),
        "message": finding.message,
        "count": finding.count,
        "place": location_json(&finding.location),
        "more": finding.more.iter().map(location_json).collect::<Value>(),
    })
}

fn location_json(location: &Location) -> Value {
    let spot = |spot: &NamedIndex| json!({"index": spot.index, "name": spot.name});
    let Location { surface, lod, triangle, vertex, frame, tag, joint, clip, skin } = location;
    let spots = [("surface", surface), ("tag", tag), ("joint", joint), ("clip", clip), ("skin", skin)];
    let numbers = [("triangle", triangle), ("vertex", vertex), ("frame", frame)];
    let spots = spots.into_iter().filter_map(|(name, at)| Some((name.to_owned(), spot(at.as_ref()?))));
    let numbers = numbers.into_iter().filter_map(|(name, at)| Some((name.to_owned(), json!(at.as_ref()?))));
    let lod = lod.map(|lod| ("lod".to_owned(), json!(lod)));
    Value::Object(spots.chain(lod).chain(numbers).collect())
}

/// Writes a line for each finding, indented, and one for each rule with omitted findings.
pub fn to_text(findings: &Findings, out: &mut impl Write) -> io::Result<()> {
    for finding in &findings.list {
        let location = location_text(finding);
        let between = if location.is_empty() { "" } else { ": " };
        let line = format!("{}: {location}{between}{}", finding.severity.label(), finding.message);
        writeln!(out, "  {} [{}]", printable(&line), finding.rule)?;
    }
    for left in &findings.left_out {
        writeln!(out, "  {}: and {} more [{}]", left.severity.label(), left.count, left.rule)?;
    }
    Ok(())
}

fn location_text(finding: &Finding) -> String {
    let Location { surface, lod, triangle, vertex, frame, tag, joint, clip, skin: _ } = &finding.location;
    let named = |word: &str, spot: &Option<NamedIndex>| {
        let spot = spot.as_ref()?;
        Some(if spot.name.is_empty() { format!("{word} {}", spot.index) } else { format!("{word} {}", spot.name) })
    };
    let first = if finding.count > 1 { "first " } else { "" };
    let numbered = |word: &str, at: &Option<usize>| at.map(|at| format!("{first}{word} {at}"));
    let surfaces = finding.more.iter().filter(|location| location.surface != finding.location.surface).count();
    let others = (surfaces > 0).then(|| format!("and {} more", finding.count.saturating_sub(1)));
    let parts = [
        lod.map(|lod| format!("LOD {lod}")),
        named("surface", surface),
        named("tag", tag),
        named("joint", joint),
        named("clip", clip),
        numbered("triangle", triangle),
        numbered("vertex", vertex),
        numbered("frame", frame),
        others,
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
