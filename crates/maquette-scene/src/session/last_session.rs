//! State of the last session, to be restored on request.

use std::path::{Path, PathBuf};

use super::drop::anchors_of;
use super::{Document, Session};
use crate::scene::{Attachment, Camera, ClipChoice, Entity, EntityId, GameLight, OVERLAYS, Projection, Shading, Track};
use maquette_assets::open::Role;
use maquette_core::pose::Repeat;

/// State at the end of a session.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LastSession {
    /// File of the first model.
    pub file: PathBuf,
    /// Target of the camera, in world space.
    pub target: [f32; 3],
    /// Camera angles in degrees: round Z, and above the horizon.
    pub angles: [f32; 2],
    /// Distance from the eye to the target, in units.
    pub distance: f32,
    /// Whether the projection is orthographic.
    #[serde(default)]
    pub orthographic: bool,
    /// Name of the chosen skin.
    #[serde(default)]
    pub skin: Option<String>,
    /// Part, clip and position of each playback.
    #[serde(default)]
    pub clips: Vec<(String, String, f64)>,
    /// Repeat mode. `None` if an older version did not save it.
    #[serde(default)]
    pub repeat: Option<String>,
    /// Command ids of shown overlays, except ground overlays, which are saved as settings.
    #[serde(default)]
    pub overlays: Option<Vec<String>>,
    /// Shading. `None` if an older version did not save it.
    #[serde(default)]
    pub shading: Option<String>,
    /// Speed factor.
    #[serde(default)]
    pub speed: Option<f64>,
    /// Lights of the in-game look ([`GameLight::texts`]); empty for the usual ones.
    #[serde(default)]
    pub lights: String,
    /// Weapons and models attached by the user; `None` if an older version did not save them.
    #[serde(default)]
    pub attached: Option<Vec<AttachedModel>>,
}

/// A model that was attached to another one.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct AttachedModel {
    /// File of the model.
    pub file: PathBuf,
    /// Name of the parent.
    #[serde(rename = "carrier")]
    pub parent: String,
    /// Tag or joint of the parent.
    pub anchor: String,
}

const SHADINGS: [(&str, Shading); 9] = [
    ("textured", Shading::Textured),
    ("clay", Shading::Clay),
    ("unlit", Shading::Unlit),
    ("normals", Shading::Normals),
    ("checker", Shading::Checker),
    ("weights", Shading::Weights),
    ("texel-density", Shading::TexelDensity),
    ("difference", Shading::Difference),
    ("vertex-colours", Shading::VertexColours),
];

const REPEATS: [(&str, Repeat); 4] =
    [("clip", Repeat::Loop), ("loop", Repeat::Whole), ("once", Repeat::Once), ("ping-pong", Repeat::PingPong)];

/// Whether a path can be saved. The file format requires UTF-8.
fn is_writable(path: &Path) -> bool {
    path.to_str().is_some()
}

impl Document {
    fn attached_models(&self) -> Vec<(EntityId, AttachedModel)> {
        let scene = &self.scene;
        let attached = scene.entities().iter().filter(|entity| matches!(entity.role, Role::Weapon | Role::Attached));
        let attached_model = |entity: &Entity| {
            let to = entity.attachment.as_ref()?;
            let parent = scene.entity(to.to)?.asset.name.clone();
            let file = entity.asset.file.clone().filter(|file| is_writable(file))?;
            let anchor = to.anchor.name().to_owned();
            Some((entity.id, AttachedModel { file, parent, anchor }))
        };
        attached.filter_map(attached_model).collect()
    }
}

impl Session {
    /// Returns the state to save; `None` if the scene is empty, a sample, or has a path that cannot be saved.
    pub fn last(&self) -> Option<LastSession> {
        let first = self.document.scene.entities().first()?;
        let clip = |track: &Track| (track.entity.asset.name.clone(), track.clip().name, track.playback.position);
        // If the camera is moving, save its goal.
        let camera = self.view.goal();
        Some(LastSession {
            file: first.asset.file.clone().filter(|file| is_writable(file))?,
            target: camera.target.to_array(),
            angles: [camera.yaw, camera.pitch],
            distance: camera.distance,
            orthographic: camera.projection == Projection::Orthographic,
            skin: self.document.common_skin().or_else(|| Some(first.skin_name().to_owned())),
            // A separate torso follows the legs again.
            clips: self.document.tracks().iter().filter(|track| !track.id.is_torso).map(clip).collect(),
            repeat: REPEATS
                .iter()
                .find(|(_, repeat)| *repeat == self.playback().repeat)
                .map(|(name, _)| (*name).to_owned()),
            shading: SHADINGS
                .iter()
                .find(|(_, shading)| *shading == self.view.display.shading)
                .map(|(name, _)| (*name).to_owned()),
            speed: Some(self.playback().speed),
            lights: self.view.display.lights_text(),
            attached: Some(self.document.attached_models().into_iter().map(|(_, attached)| attached).collect()),
            overlays: Some(
                OVERLAYS
                    .iter()
                    .filter(|row| !row.is_ground && self.view.display.shows(row.kind))
                    .map(|row| row.id.to_owned())
                    .collect(),
            ),
        })
    }

    fn attach_again(&mut self, wanted: &[AttachedModel]) {
        let now = self.document.attached_models();
        for (id, _) in now.iter().filter(|(_, attached)| !wanted.contains(attached)) {
            self.document.scene.remove(*id);
        }
        for attached in wanted.iter().filter(|wanted| !now.iter().any(|(_, here)| here == *wanted)) {
            let mut entities = self.document.scene.entities().iter();
            let Some(parent) = entities.find(|entity| entity.asset.name == attached.parent) else { continue };
            let Some(anchor) = anchors_of(parent).find(|anchor| anchor.name() == attached.anchor) else { continue };
            let to = Attachment { to: parent.id, anchor };
            // The load waits until the load that restores the session ends.
            self.load_attachment(attached.file.clone(), to, false);
        }
    }

    /// Restores a saved state as far as it applies; does nothing if the first file differs.
    pub(super) fn restore(&mut self, last: &LastSession) {
        if self.document.scene.entities().first().and_then(|first| first.asset.file.as_ref()) != Some(&last.file) {
            return;
        }
        self.view.fit_when_sized = false;
        if let Some(skin) = &last.skin {
            self.choose_skin_of_all(skin);
        }
        let repeat = REPEATS.iter().find(|(name, _)| last.repeat.as_deref() == Some(name));
        if let Some((_, repeat)) = repeat {
            for entity in self.document.scene.entities_mut() {
                let model = std::sync::Arc::clone(&entity.asset.model);
                entity.playback.set_repeat(&model, *repeat);
            }
        }
        let shading = SHADINGS.iter().find(|(name, _)| last.shading.as_deref() == Some(name));
        self.view.display.shading = shading.map_or(self.view.display.shading, |(_, shading)| *shading);
        if let Some(speed) = last.speed {
            self.document.scene.entities_mut().iter_mut().for_each(|entity| entity.playback.set_speed(speed));
        }
        // A load waits until the load that restores the session ends.
        self.restore_game_lights(GameLight::from_texts(&last.lights));
        if let Some(overlays) = &last.overlays {
            for row in OVERLAYS.iter().filter(|row| !row.is_ground) {
                self.view.display.overlays.set(row.kind, overlays.iter().any(|id| id == row.id));
            }
        }
        for (part, clip, step) in &last.clips {
            let entity = self.document.scene.entities_mut().iter_mut().find(|entity| entity.asset.name == *part);
            let Some(entity) = entity else { continue };
            let (model, playback) = (std::sync::Arc::clone(&entity.asset.model), &mut entity.playback);
            if let Some(index) = playback.clips(&model).iter().position(|known| known.name == *clip) {
                playback.choose(&model, ClipChoice::Clip(index));
                playback.position = if step.is_finite() { step.clamp(0.0, playback.length(&model)) } else { 0.0 };
                playback.pause();
            }
        }
        self.document.update_extent();
        self.refresh();
        let numbers = last.target.iter().chain(&last.angles).chain([&last.distance]);
        if numbers.into_iter().all(|number| number.is_finite()) && last.distance > 0.0 {
            self.view.camera = Camera {
                target: last.target.into(),
                yaw: last.angles[0],
                pitch: last.angles[1].clamp(-90.0, 90.0),
                distance: last.distance,
                projection: if last.orthographic { Projection::Orthographic } else { Projection::Perspective },
                ..self.view.camera.clone()
            };
        }
        if let Some(attached) = &last.attached {
            self.attach_again(attached);
        }
    }
}
