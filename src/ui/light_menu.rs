//! The menu of light and background.

use egui::{Color32, Rect, Role, Sense, Ui, WidgetInfo, vec2};

use super::{button, fonts, format, menu, paint, slider, theme};
use maquette_scene::scene::{BRIGHTNESS, Background, OverlayKind};
use maquette_scene::session::{Action, DisplayAction, Session};

/// Backgrounds of one colour that are offered by name.
pub const COLOURS: [(&str, [u8; 3]); 5] = [
    ("Black", [0; 3]),
    ("Dark grey", [0x30; 3]),
    ("Medium grey", [0x77; 3]),
    ("Light grey", [0xc8; 3]),
    ("White", [0xff; 3]),
];
/// Side of a square of colour.
const SQUARE: f32 = 26.0;

/// Shows its rows.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let light = &session.view.display.light;
    menu::heading(ui, if session.view.display.is_lit() { "Ctrl+drag rotates the light" } else { why_not(session) });
    let brightness = f64::from(light.brightness);
    let scale = slider::Scale {
        name: "Brightness",
        range: f64::from(BRIGHTNESS.0)..=f64::from(BRIGHTNESS.1),
        logarithmic: true,
        shown: format!("{} %", format::fixed(brightness * 100.0, 0)),
        note: "Of the studio light",
        keys: "",
    };
    actions.extend(
        scale
            .menu_row(ui, brightness)
            .map(|brightness| Action::Display(DisplayAction::SetBrightness(brightness as f32))),
    );
    let follow = Action::Display(DisplayAction::LightFollows(!light.follows_camera));
    let row = menu::Row::of("Lock light to camera", &follow).on(light.follows_camera);
    actions.extend(row.show(ui).clicked().then_some(follow));
    let reset = menu::Row {
        disabled: light.is_home(),
        ..menu::Row::of("Reset lighting", &Action::Display(DisplayAction::ResetLight))
    };
    actions.extend(reset.show(ui).clicked().then_some(Action::Display(DisplayAction::ResetLight)));
    let shadow = Action::Display(DisplayAction::Toggle(OverlayKind::Shadow));
    if menu::Row::of("Ground shadow", &shadow).on(session.view.display.shows(OverlayKind::Shadow)).show(ui).clicked() {
        actions.push(shadow);
    }
    menu::separator(ui);
    menu::heading(ui, "Background");
    backgrounds(ui, session, actions);
}

/// Why the light cannot be turned.
#[must_use]
pub fn why_not(session: &Session) -> &'static str {
    use maquette_scene::scene::Shading;
    match session.view.display.shading {
        Shading::Unlit | Shading::Normals => "This shading mode is unlit",
        _ => "In-game lighting is fixed",
    }
}

/// What stands behind the model.
pub fn backgrounds(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let current = session.view.display.background;
    let studio = !matches!(current, Background::Colour(_));
    let choose = Action::Display(DisplayAction::SetBackground(Background::Studio));
    let is_clicked = menu::Row::of("Studio", &choose).on(studio).show(ui).clicked();
    actions.extend((is_clicked && !studio).then_some(choose));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(30.0);
        colours(ui, current, actions);
    });
    ui.add_space(4.0);
}

/// The colours that are offered, and any other.
pub fn colours(ui: &mut Ui, current: Background, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    for (name, colour) in COLOURS {
        let (rect, response) = ui.allocate_exact_size(vec2(SQUARE, SQUARE), Sense::click());
        let on = current == Background::Colour(colour);
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, name));
        let [red, green, blue] = colour;
        let square = rect.shrink(2.0);
        paint::fill(ui.painter(), square, 4, Color32::from_rgb(red, green, blue));
        paint::outline(ui.painter(), square, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
        button::focus_ring(ui, on || response.has_focus(), rect, 0.0);
        if response.clicked() {
            actions.push(Action::Display(DisplayAction::SetBackground(Background::Colour(colour))));
        }
        response.on_hover_ui(|ui| button::tip(ui, name, ""));
    }
    custom(ui, current, actions);
}

/// Any colour.
fn custom(ui: &mut Ui, current: Background, actions: &mut Vec<Action>) {
    let mut colour = match current {
        Background::Colour(colour) => colour,
        Background::Studio | Background::Transparent => [0x77; 3],
    };
    ui.spacing_mut().interact_size = vec2(SQUARE, SQUARE - 4.0);
    let response = ui.color_edit_button_srgb(&mut colour);
    let rect: Rect = response.rect;
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Custom colour"));
    button::focus_ring(ui, response.has_focus(), rect.expand(2.0), 0.0);
    if response.changed() {
        actions.push(Action::Display(DisplayAction::SetBackground(Background::Colour(colour))));
    }
    response.on_hover_ui(|ui| button::tip(ui, "Custom colour", ""));
    let width = paint::width_of(ui, "Custom…", fonts::body()).ceil() + 8.0;
    let (place, _) = ui.allocate_exact_size(vec2(width, rect.height()), Sense::hover());
    paint::text_in(ui.painter(), place, "Custom…", fonts::body(), theme::tokens(ui).text2);
}
