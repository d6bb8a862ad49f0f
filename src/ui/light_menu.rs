//! Menu of light and background.

use egui::{Color32, Role, Sense, Ui, Vec2, WidgetInfo};

use super::{button, format, game_light_menu, menu, paint, setting_rows, slider, theme};
use maquette_scene::scene::{BRIGHTNESS, Background, GameLight, OverlayKind};
use maquette_scene::session::{Action, DisplayAction, Panel, Session};

const SQUARE: f32 = 26.0;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let display = &session.view.display;
    let light = &display.light;
    menu::heading(ui, if display.is_lit() { "Ctrl+drag rotates the light" } else { why_not(session) });
    let brightness = f64::from(light.brightness);
    let range = f64::from(BRIGHTNESS.0)..=f64::from(BRIGHTNESS.1);
    let shown = format!("{} %", format::fixed(brightness * 100.0, 0));
    let scale = slider::Scale::new("Brightness", range, shown, "Brightness of the studio light").logarithmic();
    let set = |brightness| Action::Display(DisplayAction::SetBrightness(brightness as f32));
    actions.extend(scale.menu_row(ui, brightness).map(set));
    if let Some(rules) = game_rules(session) {
        menu::heading(ui, &rules);
    }
    setting_rows::show(ui, session, Panel::Light, actions);
    if session.has_game_lights() {
        game_light_menu::lights(ui, session, actions);
    }
    let is_home = light.is_home() && display.game_lights == GameLight::usual();
    let reset = Action::Display(DisplayAction::ResetLight);
    menu::Row::new("Reset lighting").disabled(is_home).push(ui, reset, actions);
    let shadow = Action::Display(DisplayAction::Toggle(OverlayKind::Shadow));
    menu::toggle(ui, "Shadows", display.shows(OverlayKind::Shadow), shadow, actions);
    menu::separator(ui);
    menu::heading(ui, "Background");
    backgrounds(ui, session, actions);
}

/// Returns the reason why the light cannot be turned, if any.
pub fn why_not(session: &Session) -> &'static str {
    use maquette_scene::scene::Shading;
    match session.view.display.shading {
        Shading::Unlit | Shading::Normals | Shading::VertexColours => "This shading mode is unlit",
        _ if session.has_game_lights() => {
            let has_point = session.view.display.game_lights.iter().any(|light| light.position().is_some());
            if has_point { "Lights can be dragged" } else { "Add a light to drag it" }
        }
        _ => "In-game lighting is fixed",
    }
}

/// Returns the engine whose light the in-game look shows, and why.
fn game_rules(session: &Session) -> Option<String> {
    let display = &session.view.display;
    let asset = &session.entity()?.asset;
    let chosen = display.light_rule;
    let light = display.light_on(asset).name;
    let why = match &asset.engine {
        _ if chosen.is_some() => ", set below".to_owned(),
        Some(known) if known.engine.name == light => format!(", found by {}", known.by),
        Some(known) => format!(" for {}, found by {}", known.engine.name, known.by),
        None => format!(" for {} models", asset.model.format().title()),
    };
    display.is_in_game().then(|| format!("Light of {light}{why}"))
}

pub fn backgrounds(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let current = session.view.display.background;
    let is_studio = !matches!(current, Background::Colour(_));
    menu::choice(ui, "Studio", is_studio, Action::Display(DisplayAction::SetBackground(Background::Studio)), actions);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.add_space(30.0);
        colours(ui, current, actions);
    });
    ui.add_space(4.0);
    let [red, green, blue] = colour_or_grey(current);
    let mut picked = Color32::from_rgb(red, green, blue);
    let row = menu::Row { dot: Some(picked), ..menu::Row::new("Custom colour") };
    menu::settings_leading_on(ui, row, |ui| {
        if game_light_menu::picker(ui, &mut picked) {
            let [red, green, blue, _] = picked.to_array();
            actions.push(set([red, green, blue]));
        }
    });
}

fn set(colour: [u8; 3]) -> Action {
    Action::Display(DisplayAction::SetBackground(Background::Colour(colour)))
}

/// Returns the colour of a background, or grey if it has none.
pub fn colour_or_grey(background: Background) -> [u8; 3] {
    match background {
        Background::Colour(colour) => colour,
        Background::Studio | Background::Transparent => [0x77; 3],
    }
}

/// Shows a square for each of the usual colours.
pub fn colours(ui: &mut Ui, current: Background, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    for (name, colour) in Background::COLOURS {
        let (rect, response) = ui.allocate_exact_size(Vec2::splat(SQUARE), Sense::click());
        let on = current == Background::Colour(colour);
        response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, name));
        let [red, green, blue] = colour;
        let square = rect.shrink(2.0);
        paint::fill(ui.painter(), square, 4, Color32::from_rgb(red, green, blue));
        paint::outline(ui.painter(), square, 4, 1.0, if response.hovered() { tokens.text } else { tokens.text3 });
        button::focus_ring(ui, on || response.has_focus(), rect, 0.0);
        actions.extend(response.clicked().then(|| set(colour)));
        response.on_hover_ui(|ui| button::tip(ui, name, ""));
    }
}
