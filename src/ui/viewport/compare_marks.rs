//! Labels A and B of compared models.

use egui::{Align2, Color32, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::{gizmo, labels, legend, selection_modes};
use crate::ui::{fonts, paint, theme};
use maquette_scene::scene::{ColourTheme, Entity, OverlayKind, Scene};
use maquette_scene::session::{CompareMode, Session};

const HEIGHT: f32 = 22.0;
const MARGIN: f32 = 10.0;
/// Room for labels of tags and joints between a model and its letter.
const TAGS: f32 = 26.0;
/// Gap between a letter and its name, and around the label.
const GAP: f32 = 6.0;

/// Letter of a compared model, and the letter's colour.
type Mark<'a> = (&'static str, &'a Entity, Color32);

/// Shows the labels while two models are compared: one for each model, or one for both in an overlay.
pub fn show(ui: &Ui, session: &Session, viewport: Rect) {
    let scene = &session.document.scene;
    let Some(comparison) = &session.document.comparison else { return };
    let (Some(a), Some(b)) = (scene.entity(comparison.a), scene.entity(comparison.b)) else { return };
    let tokens = theme::tokens(ui);
    let [first, second] = [("A", a, tokens.text), ("B", b, tokens.text)];
    let legend = legend::shown(session, viewport).unwrap_or(Rect::NOTHING);
    let mut taken = [gizmo::place(viewport), selection_modes::place(ui, viewport), legend, Rect::NOTHING];
    let overlaid = ("B", b, ghost(session.view.display.theme, tokens));
    let labels = match comparison.mode {
        CompareMode::SideBySide => vec![(vec![first], a), (vec![second], b)],
        CompareMode::Overlay => vec![(vec![first, overlaid], a)],
        CompareMode::First => vec![(vec![first], a)],
        CompareMode::Second => vec![(vec![second], b)],
    };
    let has_tags = [OverlayKind::Tags, OverlayKind::Joints].into_iter().any(|kind| session.view.display.shows(kind));
    for (marks, model) in labels {
        let bounds = bounds_on_screen(session, model, viewport).unwrap_or(Rect::from_pos(viewport.center_top()));
        let bounds = if has_tags { bounds.with_min_y(bounds.top() - TAGS) } else { bounds };
        taken[3] = plate(ui, scene, viewport, &marks, bounds, &taken);
    }
}

/// Returns the colour of the overlaid model. `render::ghosts` uses it for later frames.
fn ghost(theme: ColourTheme, tokens: &theme::Tokens) -> Color32 {
    let [_, y, _] = tokens.axes;
    if theme == ColourTheme::Dark { y } else { Color32::from_rgb(0x3f, 0x7d, 0x08) }
}

fn bounds_on_screen(session: &Session, entity: &Entity, viewport: Rect) -> Option<Rect> {
    let bounds = entity.bounds();
    if bounds.is_empty() {
        return None;
    }
    let corners =
        bounds.corners().into_iter().filter_map(|corner| labels::project(session.document_view(), viewport, corner));
    let seen = corners.fold(Rect::NOTHING, |seen, corner| seen.union(Rect::from_pos(corner)));
    seen.is_positive().then_some(seen)
}

/// Shows a label above `model`, or below it if there is no room. The label is inside the view and avoids `taken`.
/// Returns its rectangle.
fn plate(ui: &Ui, scene: &Scene, viewport: Rect, marks: &[Mark<'_>], model: Rect, taken: &[Rect; 4]) -> Rect {
    let painter = ui.painter_at(viewport);
    let tokens = theme::tokens(ui);
    // Both names share the width of the view.
    let max = (viewport.width() - 2.0 * MARGIN).max(0.0) / 2.0 - 3.0 * GAP - 12.0;
    let short = |entity: &Entity| paint::shortened(&painter, &scene.distinct_label(entity), &fonts::body(), max);
    let names: Vec<String> = marks.iter().map(|(_, entity, _)| short(entity)).collect();
    let letter_width = |letter: &str| paint::width_of(ui, letter, fonts::strong()).ceil() + GAP;
    let word = |name: &String| paint::width_of(ui, name, fonts::body()).ceil();
    let wide: f32 = marks.iter().zip(&names).map(|((letter, ..), name)| letter_width(letter) + word(name)).sum();
    let size = vec2(wide + 2.0 * GAP + (marks.len() - 1) as f32 * 2.0 * GAP, HEIGHT);
    let inner = viewport.shrink(MARGIN);
    let over = Align2::CENTER_BOTTOM.anchor_size(model.center_top() - vec2(0.0, 4.0), size);
    let under = Align2::CENTER_TOP.anchor_size(model.center_bottom() + vec2(0.0, 4.0), size);
    let fits_under = model.is_positive() && under.bottom() <= inner.bottom();
    let mut rect = if over.top() < inner.top() && fits_under { under } else { over };
    rect = Rect::from_min_size(rect.min.min(inner.max - size).max(inner.min), size);
    // If the label overlaps other content, move it next to or below that content.
    let free = |place: &Rect| inner.contains_rect(*place) && !taken.iter().any(|other| other.intersects(*place));
    for other in taken.iter().filter(|other| other.is_positive()) {
        if rect.intersects(*other) {
            let right = rect.translate(vec2(other.right() + 4.0 - rect.left(), 0.0));
            let left = rect.translate(vec2(other.left() - 4.0 - rect.right(), 0.0));
            let below = rect.translate(vec2(0.0, other.bottom() + 4.0 - rect.top()));
            let above = rect.translate(vec2(0.0, other.top() - 4.0 - rect.bottom()));
            let is_left = rect.center().x < other.center().x;
            let order = if is_left { [left, right, below, above] } else { [right, left, below, above] };
            rect = order.into_iter().find(free).unwrap_or(below);
        }
    }
    let listed = |text: &dyn Fn(&Entity) -> String, between: &str| {
        let all: Vec<String> = marks.iter().map(|(letter, entity, _)| format!("{letter}: {}", text(entity))).collect();
        all.join(between)
    };
    let response = ui.interact(rect, ui.scope_id().with(("compared", marks[0].0)), Sense::hover());
    let spoken = listed(&|entity| scene.distinct_label(entity).into_owned(), ", ");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &spoken));
    paint::fill(&painter, rect, theme::CORNER, tokens.plate);
    let mut at = rect.left_center();
    for ((letter, _, ink), name) in marks.iter().zip(&names) {
        at.x += GAP;
        paint::text(&painter, at, Align2::LEFT_CENTER, letter, fonts::strong(), *ink);
        at.x += letter_width(letter);
        paint::text(&painter, at, Align2::LEFT_CENTER, name, fonts::body(), tokens.text);
        at.x += word(name) + GAP;
    }
    // The tooltip shows paths, because both models may have the same name.
    let path = |entity: &Entity| entity.asset.file.as_ref().map(|file| file.display().to_string());
    response.on_hover_text(listed(&|entity| path(entity).unwrap_or_else(|| entity.asset.game_path.clone()), "\n"));
    rect
}
