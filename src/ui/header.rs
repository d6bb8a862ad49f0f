//! Bar above the view: shading, overlays, projection, framing and saving.

use egui::Ui;

use super::{Button, Emphasis, arrange, display_menus, icons, light_menu, menu, view_menu};
use maquette_scene::scene::{LightingMode, OVERLAYS, Projection, StandardView, Wireframe};
use maquette_scene::session::{Action, CameraAction, DisplayAction, SELECTION_MODE, SaveAction, SceneAction, Session};

/// Steps in which the bar drops one word each: in-game, the whole projection, then the switches from the last to
/// the first. The last step has room for the whole projection again.
const WITHOUT_GAME: usize = 1;
const WITHOUT_PROJECTION: usize = 2;
const WITHOUT_LAST: usize = 3;
const LAST_STEP: usize = usize::MAX;

/// Minimum width in points of a view whose bar has words.
pub const WORDS_FROM: f32 = 700.0;

struct Overlay {
    name: &'static str,
    word: &'static str,
    icon: &'static str,
    action: Action,
    on: bool,
    /// Reason why the switch is unavailable; empty if it is available.
    why_not: &'static str,
    note: &'static str,
    /// Whether the switch remains in a narrow bar.
    stays: bool,
    /// First step in which the switch has no word.
    wordless_from: usize,
}

fn overlays(session: &Session) -> Vec<Overlay> {
    let shown = OVERLAYS.iter().filter_map(|row| Some((row, row.button.as_ref()?)));
    let mut all: Vec<Overlay> = shown
        .map(|(row, button)| {
            let why_not = session.overlay_unavailable(row.kind);
            Overlay {
                name: row.label,
                word: button.word,
                icon: icons::of_overlay(row.kind),
                action: Action::Display(DisplayAction::Toggle(row.kind)),
                // An overlay that does not apply is shown as off.
                on: why_not.is_none() && session.view.display.shows(row.kind),
                why_not: why_not.unwrap_or_default(),
                note: button.note,
                stays: button.stays,
                wordless_from: 0,
            }
        })
        .collect();
    let note = match session.view.display.wireframe {
        Wireframe::Off => "Next: wireframe overlay",
        Wireframe::Over => "Wireframe overlay; next: wireframe only",
        Wireframe::Alone => "Wireframe only; next: off",
    };
    let action = Action::Display(DisplayAction::CycleWireframe);
    let on = session.view.display.wireframe != Wireframe::Off;
    // The word is the same in all modes, because a longer word could remove other words.
    let (name, word, icon) = ("Wireframe", "Wire", icons::TRIANGLE);
    let wireframe = Overlay { name, word, icon, action, on, why_not: "", note, stays: false, wordless_from: 0 };
    // Place wireframe after the grid, which is drawn below everything.
    all.insert(1.min(all.len()), wireframe);
    let count = all.len();
    for (index, overlay) in all.iter_mut().enumerate() {
        overlay.wordless_from = WITHOUT_LAST + (count - 1 - index);
    }
    all
}

fn overlay_button(overlay: &Overlay, step: usize) -> Button<'_> {
    let button = Button::new(overlay.name).icon(overlay.icon).on(overlay.on).note(overlay.note);
    let button = if step < overlay.wordless_from { button.word(overlay.word).tight() } else { button };
    button.enabled(overlay.why_not.is_empty(), overlay.why_not)
}

/// Creates the button of the shading menu. With `alone`, its name includes in-game lighting, for a bar without that
/// button.
fn shading_button(session: &Session, word: bool, alone: bool) -> Button<'_> {
    let button = Button::of("Shading", &Action::Display(DisplayAction::CycleShading))
        .icon(icons::PALETTE)
        .rank(Emphasis::Raised)
        .menu();
    if word { button.word(display_menus::shading_label(session, alone)) } else { button }
}

fn game_button(session: &Session, step: usize) -> (Button<'static>, Action) {
    let is_game = session.view.display.is_in_game();
    let other = if is_game { LightingMode::Studio } else { LightingMode::Game };
    let button = Button::new("In-game").icon(icons::GAME).on(is_game).note("The lighting and colours of the game");
    let button = if step < WITHOUT_GAME { button.word("In-game").tight() } else { button };
    (button, Action::Display(DisplayAction::SetLighting(other)))
}

fn selection_levels(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    menu::values(ui, (SELECTION_MODE.values)(session), actions);
    menu::separator(ui);
    menu::command(ui, session, &Action::Scene(SceneAction::MeasureFromSelection), actions);
}

fn light_button() -> Button<'static> {
    Button::new("Lighting and background").icon(icons::LIGHT).menu().tight()
}

fn projection_button(session: &Session, step: usize) -> Button<'_> {
    let whole = step < WITHOUT_PROJECTION || step == LAST_STEP;
    let word = match (session.view.camera.projection, whole) {
        (Projection::Perspective, true) => "Perspective",
        (Projection::Perspective, false) => "Persp",
        // The button shows the view direction, because an orthographic image does not reveal it.
        (Projection::Orthographic, _) => match session.view.camera.standard_view() {
            Some(StandardView::Front) => "Ortho front",
            Some(StandardView::Back) => "Ortho back",
            Some(StandardView::Left) => "Ortho left",
            Some(StandardView::Right) => "Ortho right",
            Some(StandardView::Top) => "Ortho top",
            Some(StandardView::Bottom) => "Ortho bottom",
            Some(StandardView::Isometric) => "Isometric",
            None if whole => "Orthographic",
            None => "Ortho",
        },
    };
    Button::of("Projection", &Action::Camera(CameraAction::ToggleProjection)).word(word).menu().tight()
}

const GAP: f32 = 2.0;

fn needed(ui: &Ui, session: &Session, step: usize) -> f32 {
    let overlays = overlays(session);
    let toggles: f32 = overlays.iter().map(|overlay| overlay_button(overlay, step).width(ui) + GAP).sum();
    let right = projection_button(session, step).width(ui) + 2.0 * (28.0 + GAP);
    let shading = shading_button(session, true, false).width(ui);
    let materials = shading + GAP + game_button(session, step).0.width(ui);
    materials + light_button().width(ui) + 2.0 * GAP + 9.0 + GAP + toggles + right
}

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let width = ui.available_width();
    ui.spacing_mut().item_spacing.x = GAP;
    // In a narrow view, small changes of the width would show and hide words.
    let has_words = width + 16.0 >= WORDS_FROM;
    let fits = |step: &usize| (has_words || *step == LAST_STEP) && needed(ui, session, *step) <= width;
    // `None`: show some switches, and the rest in a menu.
    let step = (0..WITHOUT_LAST + OVERLAYS.len()).chain([LAST_STEP]).find(fits);
    ui.horizontal_centered(|ui| {
        shading(ui, session, step.is_some() || width > 300.0, step.is_none(), actions);
        if let Some(step) = step {
            let (game, switch) = game_button(session, step);
            game.push(ui, switch, actions);
            let button = light_button().show(ui);
            menu::settings_below(&button, |ui| light_menu::show(ui, session, actions));
            menu::divider(ui);
        }
        for overlay in overlays(session).iter().filter(|overlay| step.is_some() || overlay.stays) {
            overlay_button(overlay, step.unwrap_or(LAST_STEP)).push(ui, overlay.action.clone(), actions);
        }
        arrange::at_end(ui, |ui| {
            for (name, icon, action) in [
                ("Save image", icons::CAMERA, Action::Save(SaveAction::SaveImage)),
                ("Frame all", icons::MAXIMIZE, Action::Camera(CameraAction::FrameModel)),
            ] {
                Button::new(name).icon(icon).push(ui, action, actions);
            }
            match step {
                Some(step) => {
                    let button = projection_button(session, step).show(ui);
                    menu::settings_below(&button, |ui| view_menu::show(ui, session, actions));
                }
                None => more(ui, session, false, actions),
            }
        });
    });
}

fn shading(ui: &mut Ui, session: &Session, word: bool, alone: bool, actions: &mut Vec<Action>) {
    let button = shading_button(session, word, alone).show(ui);
    menu::below(&button, |ui| display_menus::shadings(ui, session, actions));
}

/// Shows the part of the bar that the top bar of a small window contains.
pub fn folded(ui: &mut Ui, session: &Session, width: f32, actions: &mut Vec<Action>) {
    shading(ui, session, width >= 560.0, true, actions);
    for overlay in overlays(session).iter().filter(|overlay| overlay.stays) {
        overlay_button(overlay, LAST_STEP).push(ui, overlay.action.clone(), actions);
    }
    more(ui, session, true, actions);
}

/// Shows the menu of everything that does not fit in the bar.
fn more(ui: &mut Ui, session: &Session, with_picture: bool, actions: &mut Vec<Action>) {
    let button = Button::new("More view options").icon(icons::MORE).show(ui);
    menu::below(&button, |ui| {
        for overlay in overlays(session).iter().filter(|overlay| !overlay.stays) {
            let row = menu::Row::new(overlay.name).disabled(!overlay.why_not.is_empty());
            row.on(overlay.on).push(ui, overlay.action.clone(), actions);
        }
        menu::separator(ui);
        menu::leading_on(ui, SELECTION_MODE.label, |ui| selection_levels(ui, session, actions));
        menu::settings_leading_on(ui, "Lighting and background", |ui| light_menu::show(ui, session, actions));
        menu::settings_leading_on(ui, "Camera and navigation", |ui| view_menu::show(ui, session, actions));
        if with_picture {
            menu::separator(ui);
            menu::item(ui, "Frame all", Action::Camera(CameraAction::FrameModel), actions);
            menu::item(ui, "Save image…", Action::Save(SaveAction::SaveImage), actions);
        }
    });
}
