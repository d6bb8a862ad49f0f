//! Layout of the guide's blocks: text, tables, code and images.

use egui::text::{LayoutJob, TextFormat};
use egui::{Align, Color32, Frame, Label, Margin, Role, Sense, Ui, Vec2, WidgetInfo, vec2};

use super::document::{Block, Row, Span, Text, plain};
use super::images::{self, Images};
use crate::ui::{fonts, paint, theme};

const LINE: f32 = 20.0;
const STEP: f32 = 18.0;
const GAP: f32 = 16.0;

pub type Link = String;

/// Shows a block, with the search words highlighted. Returns the link that was clicked.
pub fn block(ui: &mut Ui, block: &Block, wanted: &[String], pictures: &mut Images) -> Option<Link> {
    let mut link = None;
    match block {
        Block::Heading(text, _) => {
            ui.add_space(8.0);
            heading(ui, &plain(text), wanted, false);
        }
        Block::Paragraph(text) => {
            words(ui, text, wanted, &mut link);
            ui.add_space(8.0);
        }
        Block::Item(text, depth) => item(ui, text, *depth, wanted, &mut link),
        Block::Table(rows) => {
            ui.add_space(4.0);
            table(ui, rows, wanted, &mut link);
            ui.add_space(12.0);
        }
        Block::Code(lines) => {
            let tokens = theme::tokens(ui);
            let frame =
                Frame::new().fill(code_ground(tokens)).corner_radius(theme::CORNER).inner_margin(Margin::same(10));
            frame.show(ui, |ui| {
                ui.set_width(ui.available_width());
                let text = egui::RichText::new(lines).font(fonts::mono()).color(tokens.text);
                ui.add(Label::new(text).wrap());
            });
            ui.add_space(12.0);
        }
        Block::Picture { alt, file } => picture(ui, alt, file, pictures),
    }
    link
}

pub fn heading(ui: &mut Ui, title: &str, wanted: &[String], chapter: bool) {
    let tokens = theme::tokens(ui);
    let mut job = LayoutJob::default();
    let font = if chapter { fonts::title() } else { fonts::heading() };
    append(&mut job, title, wanted, tokens.selected, &TextFormat::simple(font, tokens.text));
    let response = ui.add(Label::new(job).wrap());
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, title));
    ui.add_space(8.0);
}

fn item(ui: &mut Ui, text: &Text, depth: usize, wanted: &[String], link: &mut Option<Link>) {
    let left = STEP * (depth as f32 + 1.0);
    let frame = Frame::new().inner_margin(Margin { left: left as i8, ..Margin::ZERO });
    let place = frame.show(ui, |ui| words(ui, text, wanted, link)).response.rect;
    let bullet = place.left_top() + vec2(left - 10.0, LINE / 2.0);
    ui.painter().circle_filled(bullet, 2.0, theme::tokens(ui).text2);
    ui.add_space(6.0);
}

/// Shows text that wraps. Links are separate widgets, so that the keyboard focus reaches them.
fn words(ui: &mut Ui, text: &[Span], wanted: &[String], link: &mut Option<Link>) {
    let is_link = |span: &Span| span.link.as_deref().is_some_and(leads_somewhere);
    if !text.iter().any(is_link) {
        ui.add(Label::new(job(ui, text, wanted)).wrap());
        return;
    }
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing = Vec2::ZERO;
        ui.spacing_mut().interact_size = Vec2::ZERO;
        ui.horizontal_wrapped(|ui| {
            for run in text.chunk_by(|a, b| !is_link(a) && !is_link(b)) {
                match run {
                    [span] if is_link(span) => {
                        let words = egui::RichText::new(&span.text).font(fonts::body()).line_height(Some(LINE));
                        if ui.link(words.color(theme::tokens(ui).link)).clicked() {
                            link.clone_from(&span.link);
                        }
                    }
                    run => drop(ui.add(Label::new(job(ui, run, wanted)).wrap())),
                }
            }
        });
    });
}

/// Whether a link leads to a chapter or to a web address. Other files of the project are not available in the window.
fn leads_somewhere(link: &str) -> bool {
    link.starts_with('#') || link.contains("://")
}

/// Returns a background for code that contrasts with its text in both themes.
fn code_ground(tokens: &theme::Tokens) -> Color32 {
    theme::mix(tokens.panel, tokens.text, 0.08)
}

fn job(ui: &Ui, text: &[Span], wanted: &[String]) -> LayoutJob {
    let tokens = theme::tokens(ui);
    let mut job = LayoutJob::default();
    for span in text {
        let font = match (span.code, span.strong) {
            (true, _) => fonts::mono(),
            (false, true) => fonts::strong(),
            (false, false) => fonts::body(),
        };
        let mut format = TextFormat::simple(font, tokens.text);
        (format.line_height, format.valign) = (Some(LINE), Align::Center);
        if span.code {
            format.background = code_ground(tokens);
        }
        append(&mut job, &span.text, wanted, tokens.selected, &format);
    }
    job
}

fn append(job: &mut LayoutJob, text: &str, wanted: &[String], mark: Color32, format: &TextFormat) {
    for (part, is_marked) in split(text, wanted) {
        let background = if is_marked { mark } else { format.background };
        job.append(part, 0.0, TextFormat { background, ..format.clone() });
    }
}

/// Splits text into parts, each with the information whether it is a search word. Search words are in lower case.
fn split<'a>(text: &'a str, wanted: &[String]) -> Vec<(&'a str, bool)> {
    // Lower-casing ASCII letters keeps the length of the text.
    let lower = text.to_ascii_lowercase();
    let mut parts = Vec::new();
    let (mut from, mut at) = (0, 0);
    while at < text.len() {
        let rest = lower.get(at..).unwrap_or_default();
        let found = wanted.iter().filter(|word| !word.is_empty() && rest.starts_with(*word)).map(String::len).max();
        if let Some(length) = found {
            parts.extend([(text.get(from..at), false), (text.get(at..at + length), true)]);
            from = at + length;
        }
        at += found.unwrap_or(1);
    }
    parts.push((text.get(from..), false));
    let filled = |(part, is_marked): (Option<&'a str>, bool)| Some((part.filter(|part| !part.is_empty())?, is_marked));
    parts.into_iter().filter_map(filled).collect()
}

fn table(ui: &mut Ui, rows: &[Row], wanted: &[String], link: &mut Option<Link>) {
    let widths = columns(ui, rows);
    for (index, row) in rows.iter().enumerate() {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.y = LINE;
            ui.spacing_mut().item_spacing.x = GAP;
            ui.horizontal_top(|ui| {
                for (cell, width) in row.iter().zip(&widths) {
                    ui.vertical(|ui| {
                        ui.set_width(*width);
                        if index == 0 {
                            let head: Text = cell.iter().map(|span| Span { strong: true, ..span.clone() }).collect();
                            words(ui, &head, &[], link);
                        } else {
                            words(ui, cell, wanted, link);
                        }
                    });
                }
            });
        });
        ui.add_space(4.0);
        ui.painter().hline(ui.max_rect().x_range(), ui.cursor().top() + 0.5, (1.0, theme::tokens(ui).line));
        ui.add_space(5.0);
    }
}

/// Returns the widths of columns. If the content does not fit, wide columns share the remaining width.
fn columns(ui: &Ui, rows: &[Row]) -> Vec<f32> {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let wish = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let width = |cell: &Text| ui.painter().layout_job(job(ui, cell, &[])).size().x;
        cells.map(width).fold(0.0, f32::max).ceil() + 4.0
    };
    let wishes: Vec<f32> = (0..count).map(wish).collect();
    let room = (ui.available_width() - GAP * (count as f32 - 1.0)).max(40.0);
    let fair = room / count as f32;
    let small: f32 = wishes.iter().filter(|wish| **wish <= fair).sum();
    let large: f32 = wishes.iter().filter(|wish| **wish > fair).sum();
    if small + large <= room {
        return wishes;
    }
    wishes.iter().map(|wish| if *wish <= fair { *wish } else { (room - small) * wish / large.max(1.0) }).collect()
}

fn picture(ui: &mut Ui, alt: &str, file: &str, pictures: &mut Images) {
    let Some([width, height]) = images::size_of(file) else { return };
    let whole = vec2(width as f32, height as f32);
    let size = (whole * (ui.available_width() / whole.x).min(1.0)).round();
    let (rect, response) = ui.allocate_exact_size(size, Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, alt));
    let painter = ui.painter();
    paint::fill(painter, rect, 4, theme::tokens(ui).field);
    if ui.is_rect_visible(rect)
        && let Some(texture) = images::get(pictures, ui, file, size)
    {
        egui::Image::new(texture).corner_radius(4).paint_at(ui, rect);
    }
    paint::outline(painter, rect, 4, 1.0, theme::tokens(ui).line);
    ui.add_space(4.0);
    let caption = egui::RichText::new(alt).font(fonts::small()).color(theme::tokens(ui).text2);
    ui.add(Label::new(caption).wrap());
    ui.add_space(12.0);
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn search_words_are_marked_in_any_case() {
        let words = ["tag".to_owned(), "weapon".to_owned()];
        let parts = split("Tags: the Weapon’s tag", &words);
        let marked: Vec<&str> = parts.iter().filter(|(_, marked)| *marked).map(|(part, _)| *part).collect();
        assert_eq!(marked, ["Tag", "Weapon", "tag"]);
        assert_eq!(parts.iter().map(|(part, _)| *part).collect::<String>(), "Tags: the Weapon’s tag");
        assert_eq!(split("nothing", &[]), [("nothing", false)]);
    }
}
