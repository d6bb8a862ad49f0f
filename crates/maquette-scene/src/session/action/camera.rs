//! Camera actions, and picking in the viewport.

use std::path::Path;
use std::sync::Arc;

use glam::Vec2;

use crate::scene::{CameraText, GameLight, Hit, StandardView, parse_view};
use crate::session::{Effect, Navigation, NotificationKind, Selection, SelectionLevel, Session, TURN_PERIODS, View};

/// Camera action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum CameraAction {
    /// Orbit by degrees of yaw and pitch.
    Orbit(f32, f32),
    /// Drag the model by points in a viewport of the given height.
    Pan(Vec2, f32),
    /// Zoom in (factor < 1) or out around a position: an offset from the centre of the viewport in half viewport
    /// heights (x right, y up).
    Zoom(f32, Vec2),
    /// Centre the model and fill the viewport.
    FrameModel,
    /// Show the model as small as a game does when it changes to the current LOD.
    ViewFromLodDistance,
    /// Return to the first view.
    ResetView,
    /// Turn to a standard view.
    LookFrom(StandardView),
    /// Switch between perspective and orthographic.
    ToggleProjection,
    /// Set the vertical field of view in degrees, 10 to 90. The model keeps its size.
    SetFieldOfView(f32),
    /// Select the element at a position, given as in [`Self::Zoom`]. Clear the selection if there is none.
    PickAt(Vec2),
    /// Add the surface at a position to the selection, or remove it.
    PickMore(Vec2),
    /// Centre the view on the point at a position, or frame the model if there is none.
    CentreOn(Vec2),
    /// Centre the selection and fill the viewport.
    FocusSelection,
    /// Start or stop the turntable.
    ToggleTurntable,
    /// Set the duration of a turn, in seconds.
    SetTurnPeriod(f32),
    /// Set the mapping of mouse buttons.
    SetNavigation(Navigation),
    /// Copy the camera and the lights to the clipboard.
    CopyView,
    /// Apply the view on the clipboard.
    PasteView,
    /// Apply a view: camera, and lights after semicolons, if any.
    LookAs(String),
    /// Save the camera and the lights under a name, replacing a view of that name.
    SaveView(String),
    /// Remove the view of this name.
    RemoveView(String),
    /// Save the current view direction for models of the folder, or remove the saved one.
    ToggleFolderView,
}

impl View {
    /// Returns the text of the camera and of all lights.
    fn text(&self) -> String {
        let camera = CameraText::from_camera(self.goal(), self.aspect);
        let (studio, game) = (self.display.light.text(self.goal().yaw), GameLight::texts(&self.display.game_lights));
        format!("{camera}; {studio}; {game}")
    }

    fn hold(&mut self) {
        self.moves.stop();
        self.moves.turntable = false;
    }
}

impl Session {
    pub(super) fn apply_to_camera(&mut self, action: CameraAction) -> Option<Effect> {
        match action {
            CameraAction::Orbit(yaw, pitch) => {
                self.view.hold();
                self.view.camera.orbit(yaw, pitch);
            }
            CameraAction::Pan(points, height) => {
                self.view.hold();
                self.view.camera.pan(points, height);
            }
            CameraAction::Zoom(factor, cursor) => {
                self.view.moves.stop();
                self.view.camera.zoom(factor, cursor);
            }
            CameraAction::FrameModel => self.go(Self::frame_model),
            CameraAction::ViewFromLodDistance => {
                if let Ok(half_height) = self.half_height_of_lod() {
                    self.go(|session| {
                        let camera = &mut session.view.camera;
                        camera.distance *= half_height / camera.half_height();
                    });
                }
            }
            CameraAction::ResetView => {
                self.view.moves.turntable = false;
                self.go(|session| {
                    session.view.camera = session.first_camera();
                    session.frame_model();
                });
            }
            CameraAction::LookFrom(view) => {
                self.view.moves.turntable = false;
                self.go(|session| session.view.camera.look_from(view));
            }
            CameraAction::ToggleProjection => self.go(|session| session.view.camera.projection.toggle()),
            CameraAction::SetFieldOfView(degrees) => {
                if degrees.is_finite() {
                    self.view.moves.stop();
                    self.view.camera.set_field_of_view(degrees.to_radians());
                }
            }
            CameraAction::PickAt(point) => match self.pick(point) {
                Some(hit) => self.select_hit(&hit),
                None => self.select(Selection::None),
            },
            CameraAction::PickMore(point) => self.pick_more(point),
            CameraAction::CentreOn(point) => match self.pick(point) {
                Some(hit) => self.go(|session| session.view.camera.target = hit.point),
                None => self.go(Self::frame_model),
            },
            CameraAction::FocusSelection => {
                let points = self.selected_points();
                self.go(|session| match points.is_empty() {
                    true => session.frame_model(),
                    false => session.view.frame(&points),
                });
            }
            CameraAction::ToggleTurntable => self.view.moves.turntable = !self.view.moves.turntable,
            CameraAction::SetTurnPeriod(seconds) => {
                if seconds.is_finite() {
                    self.view.moves.period = seconds.clamp(TURN_PERIODS.0, TURN_PERIODS.1);
                }
            }
            CameraAction::SetNavigation(navigation) => self.view.navigation = navigation,
            CameraAction::CopyView => return Some(Effect::CopyText(self.view.text())),
            CameraAction::PasteView => return Some(Effect::Paste),
            CameraAction::LookAs(text) => return self.look_as(&text),
            CameraAction::SaveView(name) => {
                let text = self.view.text();
                self.preferences.save_view(&name, text);
                self.notify(
                    NotificationKind::Done,
                    format!("Saved view “{}”", name.trim()),
                    "Named views in the menu above the view shows it",
                );
            }
            CameraAction::RemoveView(name) => drop(self.preferences.views.remove(&name)),
            CameraAction::ToggleFolderView => self.toggle_folder_view(),
        }
        None
    }

    fn look_as(&mut self, text: &str) -> Option<Effect> {
        let view = parse_view(text).and_then(|(camera, lights)| {
            let camera = camera.camera(self.view.camera.target, self.view.aspect);
            Ok((camera.ok_or("forward and up must not be parallel")?, lights))
        });
        match view {
            Ok((camera, lights)) => {
                let yaw = camera.yaw;
                self.go(|session| session.view.camera = camera);
                let lights = lights.map(|lights| {
                    lights.studio.iter().for_each(|light| self.view.display.light.set_as_seen(light, yaw));
                    lights.game
                });
                self.restore_game_lights(lights)
            }
            Err(why) => {
                let is_saved = self.preferences.views.values().any(|saved| saved == text);
                let what = if is_saved { "The saved view is invalid" } else { "The clipboard holds no view" };
                self.notify(NotificationKind::Warning, what, why);
                None
            }
        }
    }

    /// Sets the lights of the in-game look, if there are any. Reports an error.
    pub(in crate::session) fn restore_game_lights(
        &mut self,
        lights: Result<Option<Arc<[GameLight]>>, String>,
    ) -> Option<Effect> {
        match lights {
            Ok(lights) => self.set_game_lights(lights?),
            Err(why) => {
                self.notify(NotificationKind::Warning, "The lights of the view are invalid; they were skipped", why);
                None
            }
        }
    }

    /// Returns the folder of the focused model, and whether a first view of its models is saved.
    pub fn folder_view(&self) -> Option<(&Path, bool)> {
        let folder = self.asset()?.file.as_deref()?.parent()?;
        Some((folder, self.preferences.folder_view(folder).is_some()))
    }

    fn toggle_folder_view(&mut self) {
        let Some((folder, is_saved)) = self.folder_view().map(|(folder, is_saved)| (folder.to_path_buf(), is_saved))
        else {
            return;
        };
        if is_saved {
            self.preferences.folder_views.retain(|saved, _| !folder.starts_with(saved));
        } else {
            let (yaw, pitch) = (self.view.goal().yaw, self.view.goal().pitch);
            self.preferences.folder_views.insert(folder, [yaw, pitch]);
        }
    }

    fn pick_more(&mut self, point: Vec2) {
        let Some(hit) = self.pick(point) else { return };
        // Only surfaces of one part can be selected together.
        let is_surface = self.view.selection_level == SelectionLevel::Surface;
        if is_surface && self.document.focus == Some(hit.entity) {
            return self.toggle_selected(hit.surface);
        }
        if !is_surface {
            // Single triangles or vertices cannot be added to the selection, so measure from the previous selection.
            self.document.measured_from = self.document.selected().or(self.document.measured_from);
        }
        self.select_hit(&hit);
    }

    fn select_hit(&mut self, hit: &Hit) {
        let Hit { entity, surface, triangle, vertex, .. } = *hit;
        self.document.focus = Some(entity);
        self.select(match self.view.selection_level {
            SelectionLevel::Surface => Selection::Surface(surface),
            SelectionLevel::Triangle => Selection::Triangle { surface, triangle },
            SelectionLevel::Vertex => Selection::Vertex { surface, vertex },
        });
    }
}
