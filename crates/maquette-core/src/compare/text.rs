//! Plain-text report of a comparison.

use super::report::{
    Change, ClipChange, Compared, Difference, FramePosition, JointChange, ModelSide, Pair, SurfaceChange, TagChange,
    TransformDelta, Value,
};
use crate::error::{counted, printable};

impl Difference {
    /// Formats the report. Each list has at most `rows` lines, followed by the number of omitted lines.
    pub fn to_text(&self, rows: usize) -> String {
        let mut lines = vec![if self.same { "identical" } else { "different" }.to_owned()];
        lines.push(field("A", &compared(&self.a)));
        lines.push(field("B", &compared(&self.b)));
        lines.push(field("frames compared", &self.frames.to_string()));
        lines.push(field("tolerance", &format!("{} units", number(self.tolerance))));
        list(&mut lines, "Header", &self.header, rows, change);
        list(&mut lines, "Surfaces", &self.surfaces, rows, surface);
        list(&mut lines, "Tags", &self.tags, rows, tag);
        list(&mut lines, "Clips", &self.clips, rows, clip);
        list(&mut lines, "Joints", &self.joints, rows, joint);
        list(&mut lines, "Not compared", &self.notes, rows, |note| printable(note));
        lines.join("\n") + "\n"
    }
}

fn compared(model: &Compared) -> String {
    format!(
        "{} ({}, {})",
        printable(&model.name),
        model.format.to_uppercase(),
        counted(model.frames, "frame", "frames")
    )
}

fn field(label: &str, value: &str) -> String {
    format!("  {label:<21} {value}")
}

fn list<T>(lines: &mut Vec<String>, title: &str, items: &[T], rows: usize, line: impl Fn(&T) -> String) {
    if items.is_empty() {
        return;
    }
    lines.push(format!("\n{title} ({})", items.len()));
    lines.extend(items.iter().take(rows).map(|item| format!("  {}", line(item))));
    if items.len() > rows {
        lines.push(format!("  … and {} more", items.len() - rows));
    }
}

fn number(number: f32) -> String {
    if number == 0.0 || number.abs() >= 0.001 {
        let text = format!("{number:.3}");
        let text = text.trim_end_matches('0').trim_end_matches('.');
        text.to_owned()
    } else {
        format!("{number:.1e}")
    }
}

fn value(value: &Value) -> String {
    let position = |numbers: &[f32; 3]| numbers.map(number).join(" ");
    match value {
        Value::None => "none".to_owned(),
        Value::Integer(number) => number.to_string(),
        Value::Number(value) => number(*value),
        Value::Position(numbers) => position(numbers),
        Value::Box { min, max } => format!("{} to {}", position(min), position(max)),
        Value::Text(text) => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    format!("“{}”", printable(text))
}

fn change(change: &Change) -> String {
    let field = match (change.frame_field(), change.index) {
        (Some((frame, field)), _) => format!("frame {frame} {field}"),
        (None, Some(index)) => format!("{} {index}", change.field),
        (None, None) => change.field.clone(),
    };
    let more = change.differing.filter(|count| *count > 1).map(|count| format!(" ({count} differ)"));
    format!("{field}: {} → {}{}", value(&change.a), value(&change.b), more.unwrap_or_default())
}

fn frame(frame: &FramePosition) -> String {
    match &frame.clip {
        Some(clip) => format!("frame {} of {}", frame.frame, quoted(clip)),
        None => format!("frame {}", frame.frame),
    }
}

fn only(which: ModelSide) -> String {
    format!("only in {}", if which == ModelSide::A { "A" } else { "B" })
}

fn order(order: &Pair<usize>) -> String {
    format!("order changed: {} → {}", order.a, order.b)
}

fn line(index: usize, name: &str, parts: &[String]) -> String {
    format!("{index} {}: {}", quoted(name), parts.join("; "))
}

fn surface(surface: &SurfaceChange) -> String {
    let mut parts: Vec<String> = Vec::new();
    if surface.lod > 0 {
        parts.push(format!("LOD {}", surface.lod));
    }
    parts.extend(surface.only.map(only));
    parts.extend(surface.renamed.as_ref().map(|name| format!("named {} in B", quoted(name))));
    parts.extend(surface.order.as_ref().map(order));
    parts.extend(surface.vertices.map(|Pair { a, b }| format!("{a} → {b} vertices, compared by nearest vertex")));
    if surface.reordered {
        parts.push("vertices in another order".to_owned());
    }
    if surface.moved > 0 {
        let moved = format!(
            "{} moved in {}",
            counted(surface.moved, "vertex", "vertices"),
            counted(surface.frames, "frame", "frames")
        );
        let furthest = surface.furthest.as_ref().map(|furthest| {
            format!(
                ", furthest vertex {} by {} in {}",
                furthest.vertex,
                number(furthest.distance),
                frame(&furthest.frame)
            )
        });
        parts.push(moved + &furthest.unwrap_or_default());
    }
    let added = surface.added.filter(|count| *count > 0);
    parts.extend(added.map(|count| format!("{} only in B", counted(count, "vertex", "vertices"))));
    parts.extend(surface.materials.as_ref().map(|Pair { a, b }| {
        let names = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            if names.is_empty() { "none".to_owned() } else { names.join(", ") }
        };
        format!("materials {} → {}", names(a), names(b))
    }));
    parts.extend(surface.triangles.map(|triangles| match triangles.differing {
        Some(differing) if triangles.a == triangles.b => {
            format!("{} of {}", counted(differing, "triangle", "triangles"), triangles.a)
        }
        _ => format!("{} → {} triangles", triangles.a, triangles.b),
    }));
    parts.extend(surface.uvs.map(|uvs| {
        let count = counted(uvs.differing, "texture coordinate", "texture coordinates");
        format!("{count} differ, most at vertex {} by {}", uvs.vertex, number(uvs.distance))
    }));
    parts.extend(surface.normals.as_ref().map(|normals| {
        let count = counted(normals.differing, "normal", "normals");
        format!(
            "{count} differ, most at vertex {} by {}° in {}",
            normals.vertex,
            number(normals.degrees),
            frame(&normals.frame)
        )
    }));
    parts.extend(surface.weights.map(|count| format!("weights of {} differ", counted(count, "vertex", "vertices"))));
    parts.extend(surface.details.iter().map(change));
    line(surface.index, &surface.name, &parts)
}

fn moves(frames: usize, furthest: Option<&TransformDelta>) -> Option<String> {
    let TransformDelta { frame: frame_position, distance, degrees } = furthest?;
    let off = format!("by {} and {}° in {}", number(*distance), number(*degrees), frame(frame_position));
    Some(format!("moved in {}, furthest {off}", counted(frames, "frame", "frames")))
}

fn tag(tag: &TagChange) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(tag.only.map(only));
    parts.extend(tag.order.as_ref().map(order));
    parts.extend(moves(tag.frames, tag.furthest.as_ref()));
    parts.extend(tag.scaled.map(|count| format!("axis length changed in {}", counted(count, "frame", "frames"))));
    line(tag.index, &tag.name, &parts)
}

fn clip(clip: &ClipChange) -> String {
    let parts: Vec<String> = clip.only.map(only).into_iter().chain(clip.changes.iter().map(change)).collect();
    format!("{}: {}", quoted(&clip.name), parts.join("; "))
}

fn joint(joint: &JointChange) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(joint.only.map(only));
    parts.extend(joint.renamed.as_ref().map(|name| format!("named {} in B", quoted(name))));
    parts.extend(joint.order.as_ref().map(order));
    parts.extend(joint.parent.as_ref().map(|Pair { a, b }| {
        let name = |name: &Option<String>| name.as_ref().map_or_else(|| "none".to_owned(), |name| quoted(name));
        format!("parent {} → {}", name(a), name(b))
    }));
    parts.extend(
        joint.bind.map(|bind| format!("bind pose differs by {} and {}°", number(bind.distance), number(bind.degrees))),
    );
    parts.extend(moves(joint.frames, joint.furthest.as_ref()));
    line(joint.index, &joint.name, &parts)
}
