//! What actions do to the camera and to the light, and what the pointer means in the picture.

use glam::{Vec2, Vec3};

use super::apply::after;
use super::moves::TURN_PERIODS;
use super::{Action, Selection, Session};
use crate::model::Bounds;
use crate::scene::{BRIGHTNESS, Camera, Hit, Projection, Sides, pick};

/// What the hand does to the picture, as people know it from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Navigation {
    /// Left turns, middle or Shift and left moves, right zooms.
    #[default]
    Maquette,
    /// Middle turns, Shift and middle moves, Ctrl and middle zooms; left only chooses.
    Blender,
}

impl Navigation {
    /// All of them, in the order of menus.
    pub const ALL: [Self; 2] = [Self::Maquette, Self::Blender];

    /// Name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Maquette => "Left drag turns",
            Self::Blender => "As in Blender",
        }
    }
}

/// Half the side of what is looked at about a tag, as a share of the model's radius.
const TAG_SHARE: f32 = 1.0 / 6.0;
/// The same about a joint without children.
const JOINT_SHARE: f32 = 1.0 / 10.0;

impl Session {
    /// Actions on camera and light.
    pub(super) fn apply_to_view(&mut self, action: Action) {
        match action {
            Action::Orbit(yaw, pitch) => {
                self.hold();
                self.camera.orbit(yaw, pitch);
            }
            Action::Pan(points, height) => {
                self.hold();
                self.camera.pan(points, height);
            }
            Action::Zoom(factor, cursor) => {
                self.moves.stop();
                self.camera.zoom(factor, cursor);
            }
            Action::FrameModel => self.go(Self::frame_model),
            Action::ResetView => {
                self.moves.turntable = false;
                self.go(|session| {
                    session.camera = Camera::default();
                    session.frame_model();
                });
            }
            Action::LookFrom(view) => {
                self.moves.turntable = false;
                self.go(|session| session.camera.look_from(view));
            }
            Action::ToggleProjection => self.go(|session| {
                session.camera.projection = match session.camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
            }),
            Action::SetFieldOfView(degrees) if degrees.is_finite() => {
                self.moves.stop();
                self.camera.set_field_of_view(degrees.to_radians());
            }
            Action::PickAt(place) => match self.pick(place) {
                Some(hit) => {
                    self.focus = Some(hit.actor);
                    self.select(Selection::Surface(hit.surface));
                }
                None => self.select(Selection::None),
            },
            Action::CentreOn(place) => match self.pick(place) {
                Some(hit) => self.go(|session| session.camera.target = hit.point),
                None => self.go(Self::frame_model),
            },
            Action::FocusSelection => {
                let points = self.selected_points();
                self.go(|session| match points.is_empty() {
                    true => session.frame_model(),
                    false => session.camera.frame(points.iter().copied(), session.aspect),
                });
            }
            Action::ToggleTurntable => self.moves.turntable = !self.moves.turntable,
            Action::SetTurnPeriod(seconds) if seconds.is_finite() => {
                self.moves.period = seconds.clamp(TURN_PERIODS.0, TURN_PERIODS.1);
            }
            Action::SetNavigation(navigation) => self.navigation = navigation,
            Action::TurnLight(azimuth, elevation) if azimuth.is_finite() && elevation.is_finite() => {
                self.display.light.turn(azimuth, elevation);
            }
            Action::LightFollows(follows) => self.display.light.follow(follows, self.camera.yaw),
            Action::ResetLight => self.display.light.reset(self.camera.yaw),
            Action::SetBrightness(brightness) if brightness.is_finite() => {
                self.display.light.brightness = brightness.clamp(BRIGHTNESS.0, BRIGHTNESS.1);
            }
            Action::SetBackground(background) => self.display.background = background,
            Action::SetSides(sides) => self.display.sides = sides,
            Action::CycleSides => self.display.sides = after(&Sides::ALL, self.display.sides),
            _ => {}
        }
    }

    /// The hand takes the camera: it goes nowhere by itself any more.
    fn hold(&mut self) {
        self.moves.stop();
        self.moves.turntable = false;
    }

    /// What is drawn at a place of the picture, counted from its middle in half heights, x right, y up.
    #[must_use]
    pub fn pick(&self, place: Vec2) -> Option<Hit> {
        pick(&self.stage, &self.display, &self.camera.ray(place))
    }

    /// What a view of the selection must hold, in the world; empty if nothing is selected.
    fn selected_points(&self) -> Vec<Vec3> {
        let Some(actor) = self.actor() else { return Vec::new() };
        let place = actor.world_from_model;
        let radius = Bounds::of(self.points()).radius().max(1.0);
        let around = |middle: Vec3, reach: f32| {
            let reach = Vec3::splat(reach);
            Bounds { min: middle - reach, max: middle + reach }.corners().to_vec()
        };
        let joint = |index: usize| {
            let joint = actor.pose.joints.get(index)?;
            Some(place.transform_point3(joint.translation.into()))
        };
        match self.selection {
            Selection::None => Vec::new(),
            Selection::Surface(index) => {
                let posed = actor.pose.surfaces.get(index).map(|surface| surface.positions.as_slice());
                posed.unwrap_or_default().iter().map(|point| place.transform_point3(*point)).collect()
            }
            Selection::Tag(index) => {
                let tag = actor.pose.tags.get(index);
                let origin = tag.map(|tag| place.transform_point3(tag.translation.into()));
                origin.map_or(Vec::new(), |origin| around(origin, radius * TAG_SHARE))
            }
            Selection::Joint(index) => {
                let Some(middle) = joint(index) else { return Vec::new() };
                let children = actor.model().joints().iter().enumerate();
                let children =
                    children.filter(|(_, child)| child.parent.is_some_and(|parent| parent as usize == index));
                let lengths = children.filter_map(|(child, _)| Some(joint(child)?.distance(middle)));
                around(middle, lengths.fold(radius * JOINT_SHARE, f32::max))
            }
        }
    }
}
