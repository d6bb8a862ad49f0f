//! Legend for values per vertex that are shown as colours.

use egui::{Align2, Color32, Direction, Rect, Role, Sense, Shape, Ui, WidgetInfo, vec2};

use crate::ui::{fonts, format, paint, theme};
use maquette_scene::scene::{DENSITY_REACH, Selection, Shading, VALUE_COLOURS};
use maquette_scene::session::Session;

const WIDTH: f32 = 260.0;
const HEIGHT: f32 = 46.0;
const MARGIN: f32 = 12.0;
/// Minimum width of the legend, and minimum height of a view with a legend.
const NEEDED_WIDTH: f32 = 120.0;
const NEEDED_HEIGHT: f32 = 72.0;

/// Returns the title and the numbers at the left, middle and right of the scale.
fn words(session: &Session) -> Option<(String, [String; 3])> {
    let entity = session.entity()?;
    match session.view.display.shading {
        Shading::Weights => {
            let joints = entity.model().joints();
            let title = match session.document.selection {
                _ if joints.is_empty() => "Joint weights: this model has no joints".to_owned(),
                Selection::Joint(joint) => format!("Weight of {}", joints.get(joint)?.name),
                _ => "Joint weights: select a joint".to_owned(),
            };
            Some((title, ["0".to_owned(), "0.5".to_owned(), "1".to_owned()]))
        }
        Shading::TexelDensity => {
            let ends = [format!("1/{DENSITY_REACH}"), "median".to_owned(), format!("{DENSITY_REACH}×")];
            Some(("Texels per unit".to_owned(), ends))
        }
        Shading::Difference => {
            let reach = session.document.comparison.as_ref().map(|comparison| comparison.reach());
            let without = |why: &str| Some((format!("Difference: {why}"), [const { String::new() }; 3]));
            match reach {
                Some(Some(reach)) => {
                    let [middle, end] = [0.5, 1.0].map(|share| format::short(f64::from(share * reach), 3));
                    Some(("Distance in units".to_owned(), ["0".to_owned(), middle, end]))
                }
                Some(None) => without("no surface is in both models"),
                None => without("no model to compare with"),
            }
        }
        _ => None,
    }
}

/// Returns the rectangle of the legend if it is active and fits.
pub fn shown(session: &Session, viewport: Rect) -> Option<Rect> {
    words(session)?;
    // The model is in the middle of the view.
    let width = WIDTH.min((viewport.width() / 3.0).max(NEEDED_WIDTH));
    if viewport.width() < NEEDED_WIDTH + 2.0 * MARGIN || viewport.height() < NEEDED_HEIGHT {
        return None;
    }
    let inner = viewport.shrink2(vec2(MARGIN, 0.0)).with_max_y(viewport.bottom() - MARGIN);
    Some(Align2::LEFT_BOTTOM.align_size_within_rect(vec2(width, HEIGHT), inner))
}

pub fn show(ui: &Ui, session: &Session, viewport: Rect) {
    let Some(((title, ends), plate)) = words(session).zip(shown(session, viewport)) else { return };
    let tokens = theme::tokens(ui);
    let painter = ui.painter_at(viewport);
    let response = ui.interact(plate, ui.scope_id().with("legend"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{title}: {}", ends.join(", "))));
    paint::fill(&painter, plate, theme::CORNER, tokens.plate);
    let inner = plate.shrink2(vec2(10.0, 6.0));
    let shown = paint::shortened(&painter, &title, &fonts::small_medium(), inner.width());
    paint::text(&painter, inner.center_top(), Align2::CENTER_TOP, &shown, fonts::small_medium(), tokens.text);
    let bar = Rect::from_min_size(inner.min + vec2(0.0, 16.0), vec2(inner.width(), 6.0));
    let step = bar.width() / (VALUE_COLOURS.len() - 1) as f32;
    for (index, ends) in VALUE_COLOURS.windows(2).enumerate() {
        let left = bar.left() + index as f32 * step;
        let colour = |end: usize| ends.get(end).map_or(Color32::BLACK, |[r, g, b]| Color32::from_rgb(*r, *g, *b));
        let part = bar.with_min_x(left).with_max_x(left + step);
        painter.add(Shape::gradient_rect(part, Direction::LeftToRight, [colour(0), colour(1)]));
    }
    let below = bar.translate(vec2(0.0, 8.0));
    for (align, end) in [Align2::LEFT_TOP, Align2::CENTER_TOP, Align2::RIGHT_TOP].into_iter().zip(&ends) {
        paint::text(&painter, align.pos_in_rect(&below), align, end, fonts::small(), tokens.text2);
    }
    if shown != title {
        response.on_hover_text(title);
    }
}
