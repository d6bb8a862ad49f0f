//! What is followed from frame to frame: the selection and what was pinned, with its way through the clip as a line.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::{Entity, EntityId, Scene, Selection};
use maquette_core::inspect::{Point, Track};
use maquette_core::model::FrameNumbering;

/// Colours of what is followed, stored red, green, blue: the selection's first, then those of what was pinned, again and
/// again. Each is told from the others by its lightness, too.
pub const TRACK_COLOURS: [[u8; 3]; 6] =
    [[240, 147, 90], [79, 211, 217], [166, 224, 90], [195, 155, 255], [255, 122, 158], [242, 239, 230]];

/// Something that is followed.
#[derive(Clone, Debug)]
pub struct TrackedPoint {
    /// Whose.
    pub entity: EntityId,
    /// What of it.
    pub selection: Selection,
    /// Where it is in every frame of its model.
    pub track: Arc<Track>,
    /// Its colour.
    pub colour: [u8; 3],
}

impl TrackedPoint {
    /// Its way through the clip that plays, in the world, as its part stands now: the first frame, and a place per frame.
    pub fn way<'a>(&'a self, entity: &Entity) -> (usize, impl Iterator<Item = Vec3> + use<'a>) {
        let clip = entity.clip();
        let (first, end) = (clip.first as usize, clip.end() as usize);
        let places = self.track.places.get(first..end.min(self.track.places.len())).unwrap_or_default();
        let place: Affine3A = entity.world_from_model;
        (first, places.iter().map(move |at| place.transform_point3(*at)))
    }
}

/// The tracks of what is followed, each worked out once.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    known: HashMap<(u64, Point), Option<Arc<Track>>>,
}

/// The frame of the clip that plays, as people count it, in which the selected tag, joint or vertex is furthest from its
/// place in the first one, and by how many units. None if nothing of the kind is selected.
#[must_use]
pub fn furthest_frame(entity: &Entity, selection: Selection) -> Option<(f64, f32)> {
    let track = Track::of(entity.model(), selection.point()?)?;
    let clip = entity.clip();
    let furthest = track.summary(clip.first as usize, clip.end() as usize, clip.frames_per_second).furthest;
    // Where it stays, that is the first.
    let frame = furthest.frame.max(clip.first as usize);
    let zero = if entity.model().frame_numbering() == FrameNumbering::PerClip { clip.first } else { 0 };
    Some((frame as f64 - f64::from(zero), furthest.distance))
}

/// Tracks that are kept.
const TRACKS_KEPT: usize = 64;

impl Tracks {
    /// What is followed: the selection, if it can be, and what was pinned.
    pub fn followed(
        &mut self,
        scene: &Scene,
        selection: Option<(EntityId, Selection)>,
        pinned: &[(EntityId, Selection)],
    ) -> Vec<TrackedPoint> {
        let selected = selection.filter(|selection| !pinned.contains(selection));
        let all = selected.into_iter().map(|one| (0, one)).chain((1..).zip(pinned.iter().copied()));
        let followed = all.filter_map(|(number, (id, selection))| {
            let entity = scene.entity(id)?;
            let track = self.of(entity, selection.point()?)?;
            // The first colour is the selection's.
            let colour = if number == 0 { 0 } else { 1 + (number - 1) % (TRACK_COLOURS.len() - 1) };
            Some(TrackedPoint { entity: id, selection, track, colour: TRACK_COLOURS[colour] })
        });
        followed.collect()
    }

    fn of(&mut self, entity: &Entity, point: Point) -> Option<Arc<Track>> {
        if self.known.len() >= TRACKS_KEPT {
            self.known.clear();
        }
        let work_out = || Track::of(entity.model(), point).map(Arc::new);
        self.known.entry((entity.number, point)).or_insert_with(work_out).clone()
    }
}
