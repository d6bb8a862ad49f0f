//! The menu of the camera: views, projection, field of view, turntable, and what the hand does.

use egui::Ui;

use super::{display_menus, format, menu, slider};
use maquette_scene::scene::{FIELD_OF_VIEW_RANGE, Projection};
use maquette_scene::session::{Action, CameraAction, Navigation, Session, TURN_PERIODS};

/// Shows its rows.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    display_menus::views(ui, actions);
    menu::separator(ui);
    display_menus::projections(ui, session, actions);
    if session.view.camera.projection == Projection::Perspective {
        let degrees = f64::from(session.view.camera.field_of_view.to_degrees());
        let (least, most) = FIELD_OF_VIEW_RANGE;
        let scale = slider::Scale {
            name: "Field of view",
            range: f64::from(least.to_degrees().round())..=f64::from(most.to_degrees().round()),
            logarithmic: false,
            shown: format!("{}°", format::fixed(degrees, 0)),
            note: "Vertical; the model keeps its size",
            keys: "",
        };
        actions.extend(
            scale
                .menu_row(ui, degrees)
                .map(|degrees| Action::Camera(CameraAction::SetFieldOfView(degrees.round() as f32))),
        );
    }
    menu::separator(ui);
    let turn = Action::Camera(CameraAction::ToggleTurntable);
    let row = menu::Row::of("Turntable", &turn).on(session.view.moves.turntable);
    actions.extend(row.show(ui).clicked().then_some(turn));
    let seconds = f64::from(session.view.moves.period);
    let scale = slider::Scale {
        name: "Period",
        range: f64::from(TURN_PERIODS.0)..=f64::from(TURN_PERIODS.1),
        logarithmic: true,
        shown: format!("{} s", format::fixed(seconds, 0)),
        note: "Seconds per revolution",
        keys: "",
    };
    actions.extend(
        scale.menu_row(ui, seconds).map(|seconds| Action::Camera(CameraAction::SetTurnPeriod(seconds.round() as f32))),
    );
    menu::separator(ui);
    menu::heading(ui, "Navigation");
    for navigation in Navigation::ALL {
        let on = session.view.navigation == navigation;
        let row = menu::Row::new(navigation.label()).on(on);
        if row.show(ui).clicked() && !on {
            actions.push(Action::Camera(CameraAction::SetNavigation(navigation)));
        }
    }
}
