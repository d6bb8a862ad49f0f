//! Clips of a contact sheet.

use std::collections::HashSet;

use crate::scene::{ClipChoice, Entity, EntityId};
use crate::session::Document;
use maquette_assets::open::Role;
use maquette_core::model::{Clip, ClipSource};

/// A clip on a contact sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetClip {
    /// Entity of the clip.
    pub entity: EntityId,
    /// The clip.
    pub choice: ClipChoice,
    /// Clip that the other half of a character plays at the same time.
    pub other: Option<(EntityId, ClipChoice)>,
    /// Name of the clip.
    pub name: String,
    /// Number of frames.
    pub frames: usize,
}

impl Document {
    /// Returns the clips of the leading part, and those that only the other half of the character has. A model without
    /// clips gets one entry with all frames.
    pub fn sheet_clips(&self) -> Vec<SheetClip> {
        let Some(track) = self.track() else { return Vec::new() };
        let other = match track.role {
            Role::Legs => self.scene.with_role(Role::Torso),
            Role::Torso => self.scene.with_role(Role::Legs),
            _ => None,
        };
        let mut clips = clips_of(track);
        if let Some(other) = other {
            let known: HashSet<String> = clips.iter().map(|clip| clip.name.to_lowercase()).collect();
            let meanwhile = (track.id, track.playback.choice);
            let more = clips_of(other).into_iter().filter(|clip| !known.contains(&clip.name.to_lowercase()));
            clips.extend(more.map(|clip| SheetClip { other: Some(meanwhile), ..clip }));
        }
        if clips.is_empty() {
            let name = self.scene.name().unwrap_or_default().to_owned();
            let (choice, frames) = (ClipChoice::AllFrames, track.model().frames().len());
            clips.push(SheetClip { entity: track.id, choice, other: None, name, frames });
        }
        clips
    }
}

/// Returns the clips of a part. The bind pose is included only if it is the only clip.
fn clips_of(entity: &Entity) -> Vec<SheetClip> {
    let clips = entity.playback.clips(entity.model());
    let moves = |clip: &&Clip| clip.source != ClipSource::BindPose;
    let any = clips.iter().any(|clip| moves(&clip));
    let chosen = clips.iter().enumerate().filter(|(_, clip)| !any || moves(clip));
    let sheet_clip = |(index, clip): (usize, &Clip)| SheetClip {
        entity: entity.id,
        choice: ClipChoice::Clip(index),
        other: None,
        name: clip.name.clone(),
        frames: clip.count as usize,
    };
    chosen.map(sheet_clip).collect()
}
