//! Motion trails: paths of the selection and of pinned points through the clip.

use std::collections::HashMap;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::{Entity, EntityId, Scene, Selection};
use maquette_core::inspect::{Point, Track};
use maquette_core::limits::MAX_CACHED;
use maquette_core::model::FrameNumbering;

/// Track colours in sRGB: the first for the selection, the others for pinned points in turn.
pub const TRACK_COLOURS: [[u8; 3]; 6] =
    [[240, 147, 90], [79, 211, 217], [166, 224, 90], [195, 155, 255], [255, 122, 158], [242, 239, 230]];

/// A point that is tracked.
#[derive(Clone, Debug)]
pub struct TrackedPoint {
    /// The entity.
    pub entity: EntityId,
    /// The tracked tag, joint or vertex.
    pub selection: Selection,
    /// Positions in every frame of the model.
    pub track: Arc<Track>,
    /// Colour of the trail.
    pub colour: [u8; 3],
}

impl TrackedPoint {
    /// Returns the world-space path through the chosen clip: the index of the first frame, and a position per frame.
    pub fn way<'a>(&'a self, entity: &Entity) -> (usize, impl Iterator<Item = Vec3> + use<'a>) {
        let clip = entity.clip();
        let (first, end) = (clip.first as usize, clip.end() as usize);
        let positions = self.track.positions.get(first..end.min(self.track.positions.len())).unwrap_or_default();
        let world_from_model: Affine3A = entity.world_from_model;
        (first, positions.iter().map(move |at| world_from_model.transform_point3(*at)))
    }
}

/// Cache of tracks by entity number and point.
#[derive(Clone, Debug, Default)]
pub struct Tracks {
    known: HashMap<(u64, Point), Option<Arc<Track>>>,
}

/// Returns the displayed frame in which the selected point is furthest from its first position, and the distance.
pub fn furthest_frame(entity: &Entity, selection: Selection) -> Option<(f64, f32)> {
    let track = Track::compute(entity.model(), selection.point()?)?;
    let clip = entity.clip();
    let furthest = track.summary(clip.first as usize, clip.end() as usize, clip.frames_per_second).furthest;
    // If the point does not move, return the first frame of the clip.
    let frame = furthest.frame.max(clip.first as usize);
    let zero = if entity.model().frame_numbering() == FrameNumbering::PerClip { clip.first } else { 0 };
    Some((frame as f64 - f64::from(zero), furthest.distance))
}

impl Tracks {
    /// Returns the tracked points: the selection, if it is a point, and the pinned points.
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
            let track = self.get_or_compute(entity, selection.point()?)?;
            let colour = if number == 0 { 0 } else { 1 + (number - 1) % (TRACK_COLOURS.len() - 1) };
            Some(TrackedPoint { entity: id, selection, track, colour: TRACK_COLOURS[colour] })
        });
        followed.collect()
    }

    fn get_or_compute(&mut self, entity: &Entity, point: Point) -> Option<Arc<Track>> {
        if self.known.len() >= MAX_CACHED {
            self.known.clear();
        }
        let work_out = || Track::compute(entity.model(), point).map(Arc::new);
        self.known.entry((entity.number, point)).or_insert_with(work_out).clone()
    }
}
