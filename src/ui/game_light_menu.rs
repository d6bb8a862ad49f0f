//! Menu rows of the lights of the in-game look, for engines that light models in interactions.

use egui::color_picker::{Alpha, color_picker_color32};
use egui::{Color32, Ui, vec2};
use glam::Vec3;

use super::{arrange, field, fonts, format, menu, paint, slider, theme};
use maquette_scene::scene::{GameLight, LightShape, MAX_GAME_LIGHTS};
use maquette_scene::session::{Action, DisplayAction, Session};

/// Width in points of the names before values.
const NAMED: f32 = 60.0;
/// Width in points of a row with values, with its margins.
const WIDTH: f32 = 372.0;
/// Width in points of the picker of colours, which is that of its numbers.
const PICKER: f32 = 190.0;
/// Longer lists of materials have a filter.
const UNFILTERED_MATERIALS: usize = 20;

/// Commands that add a light.
pub const ADDITIONS: [(&str, DisplayAction); 2] =
    [("Add point light", DisplayAction::AddPointLight), ("Add projected light", DisplayAction::AddProjectedLight)];

/// Shows a row for each light, which leads to its values, and rows that add lights.
pub fn lights(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let lights = &session.view.display.game_lights;
    for (number, light) in lights.iter().enumerate() {
        let name = name(number, light);
        let row = menu::Row { dot: Some(colour(light)), ..menu::Row::new(&name) };
        menu::settings_leading_on(ui, row, |ui| values(ui, session, number, actions));
    }
    for (word, add) in ADDITIONS {
        let is_full = lights.len() >= MAX_GAME_LIGHTS;
        menu::Row::new(word).disabled(is_full).push(ui, Action::Display(add), actions);
    }
}

/// Returns the name of a light with its number.
pub fn name(number: usize, light: &GameLight) -> String {
    let kind = match light.shape {
        LightShape::Ambient => "Ambient light",
        LightShape::Even => "Even light",
        LightShape::Parallel(_) => "Parallel light",
        LightShape::Point { .. } => "Point light",
        LightShape::Projected { .. } => "Projected light",
    };
    format!("{kind} {}", number + 1)
}

/// Returns the colour that a light gives to white surfaces.
pub fn colour(light: &GameLight) -> Color32 {
    let [red, green, blue] = light.colour.to_array().map(|channel| (channel * 510.0) as u8);
    Color32::from_rgb(red, green, blue)
}

/// Shows the values of a light, and a row that removes it.
pub fn values(ui: &mut Ui, session: &Session, number: usize, actions: &mut Vec<Action>) {
    let lights = &session.view.display.game_lights;
    let Some(light) = lights.get(number) else { return };
    let mut new = light.clone();
    let dot = menu::Row { dot: Some(colour(light)), ..menu::Row::new("Colour") };
    menu::settings_leading_on(ui, dot, |ui| colour_picker(ui, &mut new.colour));
    let scene = f64::from(session.document.scene.bounds().radius().max(1.0));
    size(ui, &mut new.shape, scene);
    match &mut new.shape {
        LightShape::Ambient | LightShape::Even => {}
        LightShape::Parallel(towards) => vector(ui, "Direction", towards),
        LightShape::Point { origin, radius } => {
            vector(ui, "Origin", origin);
            vector(ui, "Radius", radius);
        }
        LightShape::Projected { origin, target, ends } => {
            let names = ["Origin", "Target", "Right", "Up", "Start", "End"];
            let vectors = std::iter::once(origin).chain(target).chain(ends);
            names.into_iter().zip(vectors).for_each(|(name, value)| vector(ui, name, value));
        }
    }
    if light.position().is_some() {
        let word = if light.material.is_empty() { "none" } else { &light.material };
        menu::settings_leading_on(ui, &*format!("Material: {word}"), |ui| {
            materials(ui, &session.interface.light_materials, &mut new.material);
        });
    }
    if new != *light {
        actions.push(Action::Display(DisplayAction::SetGameLight(number, new)));
    }
    // Without a light with a position, the usual lights return.
    let is_usual = lights.iter().all(|light| light.position().is_none());
    let remove = Action::Display(DisplayAction::RemoveGameLight(number));
    if menu::Row::new("Remove light").disabled(is_usual).show(ui).clicked() {
        actions.push(remove);
        // The next light takes its number, so that its values would follow.
        ui.close();
    }
}

fn row(ui: &mut Ui, name: &str, controls: impl FnOnce(&mut Ui)) {
    let room = if ui.is_sizing_pass() { 0.0 } else { ui.available_width() };
    let (_, row) = ui.allocate_space(vec2(WIDTH.max(room), field::HEIGHT + 4.0));
    let row = arrange::inside(row, 30.0, 10.0);
    paint::name_in(ui.painter(), row.with_max_x(row.left() + NAMED), name, fonts::body(), theme::tokens(ui).text2);
    arrange::within(ui, row.with_min_x(row.left() + NAMED), name, controls);
}

fn vector(ui: &mut Ui, name: &str, value: &mut Vec3) {
    row(ui, name, |ui| {
        let id = ui.scope_id().with(name);
        *value = field::vector(ui, id, name, "In units of the model", *value).unwrap_or(*value);
    });
}

/// Shows a picker that is a part of its menu, because a separate popup would close the menu. Returns whether the colour
/// changed.
pub fn picker(ui: &mut Ui, colour: &mut Color32) -> bool {
    ui.spacing_mut().slider_width = PICKER;
    color_picker_color32(ui, colour, Alpha::Opaque)
}

/// Shows a picker for the colour that a light gives to white surfaces, which is twice the colour of the light.
fn colour_picker(ui: &mut Ui, colour: &mut Vec3) {
    let [red, green, blue] = colour.to_array().map(|channel| (channel * 510.0).round() as u8);
    let mut picked = Color32::from_rgb(red, green, blue);
    if picker(ui, &mut picked) {
        let [red, green, blue, _] = picked.to_array();
        *colour = Vec3::from([red, green, blue].map(|byte| f32::from(byte) / 510.0));
    }
}

/// Shows a slider of the largest radius of a point light, or of half the width that a projected light has at its target.
fn size(ui: &mut Ui, shape: &mut LightShape, scene: f64) {
    let (size, note, vectors) = match shape {
        LightShape::Point { radius, .. } => {
            (radius.max_element(), "Largest radius of the light", std::slice::from_mut(radius))
        }
        LightShape::Projected { target: [_, sides @ ..], .. } => {
            (sides[0].length(), "Half the width of the light at its target", &mut sides[..])
        }
        LightShape::Ambient | LightShape::Even | LightShape::Parallel(_) => return,
    };
    let shown = format::short(size.into(), 1);
    let scale = slider::Scale::new("Size", scene * 0.1..=scene * 20.0, shown, note).logarithmic();
    if let Some(chosen) = scale.menu_row(ui, size.into()) {
        vectors.iter_mut().for_each(|vector| *vector *= chosen as f32 / size);
    }
}

/// Shows the names of light materials, with a filter if there are many.
fn materials(ui: &mut Ui, names: &[String], material: &mut String) {
    // The names of another game have their own filter.
    let id = ui.scope_id().with(("filter of materials", names.len(), names.first()));
    let mut filter: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    if names.len() > UNFILTERED_MATERIALS {
        ui.set_width(WIDTH);
        let hint = format!("Filter {}", format::plural(names.len(), "material"));
        field::filter(ui, id, &mut filter, &hint, 0.0);
    }
    let wanted = filter.to_lowercase();
    let fits = |name: &&str| name.to_lowercase().contains(&wanted);
    let found: Vec<&str> = std::iter::once("").chain(names.iter().map(String::as_str)).filter(fits).collect();
    let mut row = |ui: &mut Ui, name: &&str| {
        let word = if name.is_empty() { "None" } else { *name };
        if menu::Row::new(word).on(*material == **name).show(ui).clicked() {
            (*name).clone_into(material);
        }
    };
    match names.len() > UNFILTERED_MATERIALS {
        true => menu::filtered_rows(ui, &found, row),
        false => found.iter().for_each(|name| row(ui, name)),
    }
    ui.data_mut(|data| data.insert_temp(id, filter));
}
