//! Coordinates along the upright grid of an orthographic front, back or side view.

use egui::{Align2, Rect, Ui, pos2};
use glam::Vec3;

use super::gizmo;
use crate::ui::{fonts, paint, save};
use maquette_scene::scene::{Background, OverlayKind};
use maquette_scene::session::Session;

/// Minimum distance of numbers in points.
const APART: f32 = 44.0;
/// Factor between the spacings of grid lines, in units.
const STEP: f32 = 8.0;
const MARGIN: f32 = 8.0;
const NUMBERS_SHOWN: u8 = 64;

/// Shows the coordinates at the left and at the bottom, if the grid is upright.
pub fn show(ui: &Ui, session: &Session, viewport: Rect) {
    let (camera, display) = (&session.view.camera, &session.view.display);
    let has_grid = display.shows(OverlayKind::Grid) && display.background != Background::Transparent;
    let Some(across) = camera.along_floor().filter(|_| has_grid && session.asset().is_some()) else { return };
    let units = camera.units_per_point(viewport.height());
    if !units.is_finite() || units <= 0.0 {
        return;
    }
    let step = STEP.powf((units * APART).log(STEP).ceil());
    let tokens = save::tokens(display.line_theme());
    let painter = ui.painter_at(viewport);
    let write = |at, align, value: f32| {
        let text = format!("{value}").replace('-', "\u{2212}");
        paint::text(&painter, at, align, &text, fonts::small(), tokens.text2);
    };
    // Skip the corner that both rows share.
    let middle = camera.target.dot(Vec3::Z);
    let corner = viewport.bottom() - 3.0 * MARGIN;
    for value in multiples(middle, viewport.height() / 2.0 * units, step) {
        let y = viewport.center().y - (value - middle) / units;
        if y > viewport.top() + MARGIN && y < corner {
            write(pos2(viewport.left() + MARGIN, y), Align2::LEFT_CENTER, value);
        }
    }
    let (right, _) = camera.right_up();
    let (middle, turned) = (camera.target.dot(across), right.dot(across).signum());
    let gizmo = gizmo::place(viewport);
    for value in multiples(middle, viewport.width() / 2.0 * units, step) {
        let x = viewport.center().x + (value - middle) / units * turned;
        let at = pos2(x, viewport.bottom() - MARGIN);
        if x > viewport.left() + 5.0 * MARGIN && x < viewport.right() - 2.0 * MARGIN && !gizmo.contains(at) {
            write(at, Align2::CENTER_BOTTOM, value);
        }
    }
}

fn multiples(middle: f32, reach: f32, step: f32) -> impl Iterator<Item = f32> {
    let first = ((middle - reach) / step).ceil();
    (0..NUMBERS_SHOWN)
        .map(move |number| (first + f32::from(number)) * step)
        .take_while(move |value| *value <= middle + reach)
}
