//! Text form of reports: headings and aligned tables.

use std::collections::HashSet;
use std::fmt::{self, Write};

use super::{BoundsReport, ClipReport, Report, SurfaceReport};
use crate::material::{Stage, SurfaceMaterial};
use maquette_core::error::{counted, printable};
use maquette_core::model::DetailValue;

/// Default number of rows of a table; further rows are counted.
pub const ROWS: usize = 32;

impl Report<'_> {
    /// Formats tables of at most `rows` rows each; further rows are counted.
    pub fn to_text(&self, rows: usize) -> String {
        let mut text = String::new();
        let _ = self.write(&mut text, rows);
        text
    }

    fn write(&self, out: &mut String, rows: usize) -> fmt::Result {
        writeln!(out, "{}", printable(self.name))?;
        let version = self.version.map_or_else(|| "no version".to_owned(), |version| format!("version {version}"));
        field(out, "format", &format!("{} ({}), {version}", self.format, self.game))?;
        if let Some(by) = self.replaced_by {
            field(out, "in the game", &format!("overridden by {}", printable(by)))?;
        }
        if !self.stored_name.is_empty() {
            field(out, "stored name", &printable(self.stored_name))?;
        }
        field(out, "frames", &self.frames.to_string())?;
        field(out, "LODs", &self.lods.to_string())?;
        let count =
            |of: fn(&super::SurfaceReport) -> usize| self.surfaces.iter().filter(|s| s.lod == 0).map(of).sum::<usize>();
        let (vertices, triangles) = (count(|surface| surface.vertices), count(|surface| surface.triangles));
        field(
            out,
            "in LOD 0",
            &format!("{}, {}", counted(vertices, "vertex", "vertices"), counted(triangles, "triangle", "triangles")),
        )?;
        field(out, "bounds", &self.bounds.map_or_else(|| "none (no vertices)".to_owned(), box_and_size))?;
        self.write_details(out)?;

        self.write_surfaces(out, rows)?;
        self.write_materials(out, rows)?;
        self.write_skins(out, rows)?;
        self.write_tags_and_joints(out, rows)?;
        clips(out, "Clips", &self.animations, rows)?;
        clips(out, "Clips of the Quake II player table", &self.alternative_animations, rows)?;
        self.write_frames(out, rows)?;
        let warnings = self.warnings.iter().map(|warning| vec![printable(warning)]);
        table(out, "Warnings", &[("", Left)], warnings, rows.max(ROWS))
    }

    fn write_details(&self, out: &mut String) -> fmt::Result {
        for detail in self.details {
            field(out, detail.label, &value(&detail.value))?;
        }
        Ok(())
    }

    fn write_materials(&self, out: &mut String, rows: usize) -> fmt::Result {
        let mut printed: HashSet<&str> = HashSet::new();
        let named = |material: &&SurfaceMaterial| !material.name.is_empty();
        let materials = self.materials.materials().filter(named).filter(|material| printed.insert(&material.name));
        let materials: Vec<&SurfaceMaterial> = materials.collect();
        let lines = materials.iter().map(|material| {
            let found = match (material.problem(), &material.script) {
                _ if material.hidden => "hidden".to_owned(),
                (Some(missing), _) => match &material.suggestion {
                    Some(nearest) => format!("{missing}; nearest: {}", nearest.path),
                    None => missing,
                },
                (None, Some((path, line))) => format!("{path} line {line}"),
                (None, None) if material.is_guess => format!("{} (guessed)", material.path),
                (None, None) if material.image.is_some() => material.path.clone(),
                (None, None) => String::new(),
            };
            let replaced = material.overridden_script.as_deref().map(printable).unwrap_or_default();
            vec![printable(&material.name), printable(&found), replaced]
        });
        table(out, "Materials", &[("name", Left), ("found", Left), ("in its archive", Left)], lines, rows)?;
        let scripted = materials.iter().filter(|material| material.script.is_some());
        let stages =
            scripted.flat_map(|material| material.definition.stages.iter().map(|stage| (&material.name, stage)));
        let stages: Vec<(&String, &Stage)> = stages.collect();
        let stages = stages.iter().map(|(name, stage)| {
            let images: Vec<String> = stage.maps.iter().map(|map| map.program.words()).collect();
            vec![printable(name), printable(&images.join(" ")), stage.words()]
        });
        let columns = [("of", Left), ("image", Left), ("", Left)];
        table(out, "Stages of scripts", &columns, stages, rows)
    }

    fn write_skins(&self, out: &mut String, rows: usize) -> fmt::Result {
        let from_model = self.skins.iter().take(self.skins.len().saturating_sub(self.skin_files.len()));
        let from_model = from_model.enumerate().map(|(index, path)| vec![index.to_string(), printable(path)]);
        table(out, "Skins named in the model", &[("#", Right), ("path", Left)], from_model, rows)?;
        if self.available_skins.len() == 1 && self.available_skins.iter().all(|skin| skin.source == "model") {
            return Ok(());
        }
        let available = self.available_skins.iter().enumerate().map(|(index, skin)| {
            let file = skin.file.map(printable).unwrap_or_default();
            vec![index.to_string(), printable(skin.name), skin.source.to_owned(), file]
        });
        let columns = [("#", Right), ("name", Left), ("source", Left), ("file", Left)];
        table(out, "Skins", &columns, available, rows)
    }

    fn write_surfaces(&self, out: &mut String, rows: usize) -> fmt::Result {
        let columns = [
            ("#", Right),
            ("lod", Right),
            ("vertices", Right),
            ("triangles", Right),
            ("name", Left),
            ("materials", Left),
            ("details", Left),
        ];
        let surfaces = self.surfaces.iter().enumerate().map(|(index, surface)| {
            let hidden = if surface.hidden { " (hidden)" } else { "" };
            vec![
                index.to_string(),
                surface.lod.to_string(),
                surface.vertices.to_string(),
                surface.triangles.to_string(),
                printable(surface.name) + hidden,
                surface.materials.iter().map(|name| printable(name)).collect::<Vec<_>>().join(", "),
                in_a_line(surface),
            ]
        });
        table(out, "Surfaces", &columns, surfaces, rows)
    }

    fn write_tags_and_joints(&self, out: &mut String, rows: usize) -> fmt::Result {
        let columns = [("#", Right), ("name", Left), ("origin", Left), ("forward", Left), ("left", Left), ("up", Left)];
        let all: Vec<_> = self.tags.iter().chain(&self.companion_tags).collect();
        let tags = all.iter().enumerate().map(|(index, tag)| {
            let [forward, left, up] = tag.axis.map(|axis| numbers(&axis));
            vec![index.to_string(), printable(tag.name), numbers(&tag.origin), forward, left, up]
        });
        table(out, "Tags", &columns, tags, rows)?;
        let columns = [("#", Right), ("parent", Right), ("name", Left), ("position", Left), ("rotation x y z w", Left)];
        let joints = self.joints.iter().enumerate().map(|(index, joint)| {
            let parent = if joint.parent < 0 { "–".to_owned() } else { joint.parent.to_string() };
            let cells = (numbers(&joint.position), numbers(&joint.rotation));
            let added = if joint.added { " (not in the file)" } else { "" };
            vec![index.to_string(), parent, format!("{}{added}", printable(joint.name)), cells.0, cells.1]
        });
        table(out, "Joints", &columns, joints, rows)
    }

    fn write_frames(&self, out: &mut String, rows: usize) -> fmt::Result {
        let columns = [("#", Right), ("name", Left), ("bounds", Left), ("origin", Left), ("radius", Right)];
        // Leave these cells empty for formats without a culling sphere, where zeros would be misleading.
        let spheres = self.frame_list.iter().any(|frame| frame.radius != 0.0 || frame.origin != [0.0; 3]);
        let frames = self.frame_list.iter().enumerate().map(|(index, frame)| {
            let bounds = frame.bounds.map_or_else(String::new, corners);
            let (origin, radius) =
                if spheres { (numbers(&frame.origin), format!("{:.3}", frame.radius)) } else { Default::default() };
            vec![index.to_string(), printable(frame.name), bounds, origin, radius]
        });
        table(out, "Frames", &columns, frames, rows)
    }
}

impl super::CharacterReport<'_> {
    /// Formats a table of the parts.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let _ = self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "{}", printable(&self.name))?;
        field(out, "bounds", &self.bounds.map_or_else(|| "none (no vertices)".to_owned(), box_and_size))?;
        let columns = [
            ("part", Left),
            ("on", Left),
            ("at", Left),
            ("clip", Left),
            ("frame", Right),
            ("skin", Left),
            ("origin", Left),
            ("model", Left),
            ("overridden by", Left),
        ];
        let parts = self.parts.iter().map(|part| {
            let hidden = if part.shown { "" } else { " (hidden)" };
            vec![
                format!("{}{hidden}", part.name),
                part.on.unwrap_or_default().to_owned(),
                part.at.as_deref().map(printable).unwrap_or_default(),
                printable(&part.clip),
                format!("{:.2}", part.frame),
                printable(&part.skin),
                numbers(&part.origin),
                printable(&part.model),
                part.replaced_by.as_deref().map(printable).unwrap_or_default(),
            ]
        });
        table(out, "Parts", &columns, parts, usize::MAX)?;
        let weapons = self.weapons.iter().map(|weapon| vec![printable(weapon)]);
        table(out, "Weapons", &[("", Left)], weapons, ROWS)?;
        let warnings = self.warnings.iter().map(|warning| vec![printable(warning)]);
        table(out, "Warnings", &[("", Left)], warnings, ROWS)
    }
}

impl super::ArchiveReport {
    /// Formats tables of at most `rows` rows each.
    pub fn to_text(&self, rows: usize) -> String {
        let mut text = String::new();
        let _ = self.write(&mut text, rows);
        text
    }

    fn write(&self, out: &mut String, rows: usize) -> fmt::Result {
        writeln!(out, "{}", printable(&self.name))?;
        field(out, "files", &self.files.to_string())?;
        let columns = [
            ("format", Left),
            ("frames", Right),
            ("surfaces", Right),
            ("triangles", Right),
            ("tags", Right),
            ("path", Left),
            ("overridden by", Left),
        ];
        let models = self.models.iter().map(|model| {
            let numbers = [model.frames, model.surfaces, model.triangles, model.tags.len()];
            let mut row = vec![model.format.to_owned()];
            row.extend(numbers.map(|number| number.to_string()));
            row.push(printable(&model.path));
            row.push(model.replaced_by.as_deref().map(printable).unwrap_or_default());
            row
        });
        table(out, "Models", &columns, models, rows)?;
        let failed = self.failed.iter().map(|failed| vec![printable(&failed.path), printable(&failed.reason)]);
        table(out, "Not read", &[("path", Left), ("reason", Left)], failed, rows)?;
        let warnings = self.warnings.iter().map(|warning| vec![printable(warning)]);
        table(out, "Warnings", &[("", Left)], warnings, rows)
    }
}

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_text(ROWS))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Align {
    Left,
    Right,
}
use Align::{Left, Right};

const CELL_CHARACTERS: usize = 120;
const LAST_CELL_CHARACTERS: usize = 1000;

fn field(out: &mut String, label: &str, value: &str) -> fmt::Result {
    writeln!(out, "  {label:<21} {value}")
}

fn clips(out: &mut String, title: &str, clips: &[ClipReport], rows: usize) -> fmt::Result {
    let columns = [
        ("#", Right),
        ("first", Right),
        ("frames", Right),
        ("fps", Right),
        ("script fps", Right),
        ("frames end (s)", Left),
        ("loops", Left),
        ("name", Left),
    ];
    let list = clips.iter().enumerate().map(|(index, clip)| {
        let loops = match clip.loop_frames {
            0 => "no".to_owned(),
            frames if frames == clip.frames => "yes".to_owned(),
            frames => format!("last {frames}"),
        };
        let name = printable(clip.name) + if clip.reversed { " (backwards)" } else { "" };
        let numbers = [clip.first, clip.frames].map(|number| number.to_string());
        let [first, frames] = numbers;
        let script = clip.script_fps.map_or_else(String::new, |rate| rate.to_string());
        let fps = clip.fps.to_string();
        vec![index.to_string(), first, frames, fps, script, first_of(clip.end_times), loops, name]
    });
    table(out, title, &columns, list, rows)
}

/// Writes a heading with the number of rows, and at most `limit` rows. Empty tables and columns are omitted.
fn table(
    out: &mut String,
    title: &str,
    columns: &[(&str, Align)],
    rows: impl ExactSizeIterator<Item = Vec<String>>,
    limit: usize,
) -> fmt::Result {
    let total = rows.len();
    if total == 0 {
        return Ok(());
    }
    // Omitting a single row would save nothing, because a line has to report the omission.
    let shown = if total <= limit.saturating_add(1) { total } else { limit };
    let last = columns.len().saturating_sub(1);
    let rows: Vec<Vec<String>> = rows
        .take(shown)
        .map(|row| {
            let cells = row.into_iter().enumerate();
            cells
                .map(|(index, cell)| {
                    shortened(cell, if index == last { LAST_CELL_CHARACTERS } else { CELL_CHARACTERS })
                })
                .collect()
        })
        .collect();
    let width = |index: usize, head: &str| {
        let cells = rows.iter().filter_map(|row| row.get(index)).map(|cell| cell.chars().count());
        let widest = cells.max().unwrap_or(0);
        if widest == 0 { 0 } else { widest.max(head.chars().count()) }
    };
    let widths: Vec<usize> = columns.iter().enumerate().map(|(index, (head, _))| width(index, head)).collect();
    writeln!(out, "\n{title} ({total})")?;
    if columns.iter().any(|(head, _)| !head.is_empty()) {
        line(out, columns.iter().map(|(head, _)| *head), columns, &widths)?;
    }
    for row in &rows {
        line(out, row.iter().map(String::as_str), columns, &widths)?;
    }
    if shown < total {
        writeln!(out, "  … and {} more", total - shown)?;
    }
    Ok(())
}

fn shortened(mut cell: String, max: usize) -> String {
    if let Some((end, _)) = cell.char_indices().nth(max) {
        cell.truncate(end);
        cell.push('…');
    }
    cell
}

fn line<'a>(
    out: &mut String,
    cells: impl Iterator<Item = &'a str>,
    columns: &[(&str, Align)],
    widths: &[usize],
) -> fmt::Result {
    let mut line = String::from(" ");
    for ((cell, (_, align)), width) in cells.zip(columns).zip(widths).filter(|(_, width)| **width > 0) {
        match align {
            Left => write!(line, " {cell:<width$} ")?,
            Right => write!(line, " {cell:>width$} ")?,
        }
    }
    writeln!(out, "{}", line.trim_end())
}

fn in_a_line(surface: &SurfaceReport) -> String {
    let material = surface.defines_material.then(|| "material in the file".to_owned());
    let parts = surface.details.iter().map(|detail| format!("{} {}", detail.label, value(&detail.value)));
    let colours = surface.colours.map(|count| counted(count, "vertex colour", "vertex colours"));
    material.into_iter().chain(colours).chain(parts).collect::<Vec<_>>().join("; ")
}

/// Formats the first numbers of a list.
fn first_of(values: &[impl ToString]) -> String {
    let first = values.iter().take(8).map(ToString::to_string).collect::<Vec<_>>().join(" ");
    let more = values.len().saturating_sub(8);
    if more == 0 { first } else { format!("{first} … and {more} more") }
}

fn value(value: &DetailValue) -> String {
    match value {
        DetailValue::Text(text) => printable(text),
        DetailValue::Integers(values) if values.is_empty() => "none".to_owned(),
        DetailValue::Integers(values) => first_of(values),
        DetailValue::Texts(texts) => texts.join("; "),
    }
}

fn numbers(values: &[f32]) -> String {
    // Avoids −0.000.
    let plain = |number: f32| if number.abs() < 0.0005 { 0.0 } else { number };
    values.iter().map(|number| format!("{:>9.3}", plain(*number))).collect::<Vec<_>>().join(" ")
}

fn corners(bounds: BoundsReport) -> String {
    format!("{} to {}", numbers(&bounds.min), numbers(&bounds.max))
}

fn box_and_size(bounds: BoundsReport) -> String {
    let text = |values: &[f32]| values.iter().map(|number| format!("{number:.3}")).collect::<Vec<_>>();
    let size: Vec<f32> = bounds.max.iter().zip(bounds.min).map(|(max, min)| max - min).collect();
    let (min, max) = (text(&bounds.min).join(" "), text(&bounds.max).join(" "));
    format!("{min} to {max}, {} units", text(&size).join(" × "))
}
