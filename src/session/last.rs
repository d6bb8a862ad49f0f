//! Where the last session ended: what stood there and how it was looked at, to be restored when asked for.

use std::path::PathBuf;

use super::Session;
use crate::pose::Repeat;
use crate::scene::{Camera, ClipChoice, OVERLAYS, Projection};

/// Where a session ended.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct LastSession {
    /// The first model's file.
    pub file: PathBuf,
    /// Where the camera looked, in world space.
    pub target: [f32; 3],
    /// Degrees round Z and above the horizon.
    pub angles: [f32; 2],
    /// From the eye to the target, in units.
    pub distance: f32,
    /// Without perspective.
    #[serde(default)]
    pub orthographic: bool,
    /// The skin that was worn, by name.
    #[serde(default)]
    pub skin: Option<String>,
    /// Part, clip and step of every clock.
    #[serde(default)]
    pub clips: Vec<(String, String, f64)>,
    /// What happened at the end of clips; none: what a newer version calls otherwise, or an older one did not keep.
    #[serde(default)]
    pub repeat: Option<String>,
    /// The overlays over the model by their commands' ids; those of the ground are remembered by themselves.
    #[serde(default)]
    pub overlays: Option<Vec<String>>,
}

/// What the ways to go on at a clip's end are called where they are kept.
const REPEATS: [(&str, Repeat); 4] =
    [("clip", Repeat::Loop), ("loop", Repeat::Whole), ("once", Repeat::Once), ("ping-pong", Repeat::PingPong)];

impl Session {
    /// Where the session stands now; none with an empty scene or with a sample.
    #[must_use]
    pub fn last(&self) -> Option<LastSession> {
        let first = self.document.scene.entities().first()?;
        let clip =
            |entity: &&crate::scene::Entity| (entity.asset.name.clone(), entity.clip().name, entity.playback.position);
        // A view on its way is the one that was asked for.
        let camera = self.goal();
        Some(LastSession {
            file: first.asset.file.clone()?,
            target: camera.target.to_array(),
            angles: [camera.yaw, camera.pitch],
            distance: camera.distance,
            orthographic: camera.projection == Projection::Orthographic,
            skin: self.worn().or_else(|| Some(first.skin_name().to_owned())),
            clips: self.tracks().iter().map(clip).collect(),
            repeat: REPEATS
                .iter()
                .find(|(_, repeat)| *repeat == self.playback().repeat)
                .map(|(name, _)| (*name).to_owned()),
            overlays: Some(
                OVERLAYS
                    .iter()
                    .filter(|row| !row.is_ground && self.view.display.shows(row.kind))
                    .map(|row| row.id.to_owned())
                    .collect(),
            ),
        })
    }

    /// Restores how a session ended, as far as what was opened still has it; nothing if it is another file.
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
        self.update_extent();
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
    }
}
