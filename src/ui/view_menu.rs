//! Camera menu: views, projection, field of view, turntable and navigation.

use egui::{Key, Ui};

use super::{Button, Emphasis, arrange, display_menus, field, format, icons, menu, slider};
use maquette_scene::scene::{FIELD_OF_VIEW_RANGE, Projection};
use maquette_scene::session::{Action, CameraAction, NAVIGATION, PROJECTION, Session, TURN_PERIODS};

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let (camera, moves) = (&session.view.camera, &session.view.moves);
    display_menus::views(ui, actions);
    menu::settings_leading_on(ui, "Named views", |ui| named_views(ui, session, actions));
    menu::separator(ui);
    menu::values(ui, (PROJECTION.values)(session), actions);
    if camera.projection == Projection::Perspective {
        let degrees = f64::from(camera.field_of_view.to_degrees());
        let (min, max) = FIELD_OF_VIEW_RANGE;
        let range = f64::from(min.to_degrees().round())..=f64::from(max.to_degrees().round());
        let shown = format!("{}°", format::fixed(degrees, 0));
        let scale =
            slider::Scale::new("Field of view", range, shown, "Vertical field of view; the model keeps its size");
        let set = |degrees: f64| Action::Camera(CameraAction::SetFieldOfView(degrees.round() as f32));
        actions.extend(scale.menu_row(ui, degrees).map(set));
    }
    menu::separator(ui);
    menu::toggle(ui, "Turntable", moves.turntable, Action::Camera(CameraAction::ToggleTurntable), actions);
    let seconds = f64::from(moves.period);
    let range = f64::from(TURN_PERIODS.0)..=f64::from(TURN_PERIODS.1);
    let shown = format!("{} s", format::fixed(seconds, 0));
    let scale = slider::Scale::new("Period", range, shown, "Seconds per revolution").logarithmic();
    let set = |seconds: f64| Action::Camera(CameraAction::SetTurnPeriod(seconds.round() as f32));
    actions.extend(scale.menu_row(ui, seconds).map(set));
    menu::separator(ui);
    menu::heading(ui, "Navigation");
    menu::values(ui, (NAVIGATION.values)(session), actions);
}

/// Shows the user's saved views with remove buttons, and a field that saves the current one.
fn named_views(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    for (name, text) in &session.preferences.views {
        let row = menu::Row { word: name, end: 28.0, ..menu::Row::default() };
        let response = row.push(ui, Action::Camera(CameraAction::LookAs(text.clone())), actions);
        arrange::within(ui, response.rect, name, |ui| {
            let remove = Action::Camera(CameraAction::RemoveView(name.clone()));
            let label = format!("Remove {name}");
            arrange::at_end(ui, |ui| Button::new(&label).icon(icons::CLOSE).height(24.0).push(ui, remove, actions));
        });
    }
    if !session.preferences.views.is_empty() {
        menu::separator(ui);
    }
    let id = ui.scope_id().with("name of the view");
    let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let field = field::line_of(ui, id, 180.0, &mut name, "Name of this view").response.response;
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        let save = Button::new("Save view").word("Save view").rank(Emphasis::Raised);
        let clicked = save.enabled(!name.trim().is_empty(), "Type a name first").show(ui).clicked();
        if (clicked || entered) && !name.trim().is_empty() {
            actions.push(Action::Camera(CameraAction::SaveView(std::mem::take(&mut name))));
            ui.ctx().request_repaint();
        }
    });
    ui.data_mut(|data| data.insert_temp(id, name));
}
