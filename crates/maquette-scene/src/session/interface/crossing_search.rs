//! Search for frames of a clip in which surfaces cross, in short loads between those of the scene.

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::{Affine3A, Vec3};

use crate::scene::{Entity, EntityId, FramePlan, FrameTiming, Motion, Scene};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, NotificationKind, Session};
use maquette_core::error::counted;
use maquette_core::inspect::{CrossedPair, Crossing, PosedPart, crossed_pairs, crossings};
use maquette_core::model::u32_or_max;

/// Rate that does not limit the frames of a plan.
const ANY_RATE: f64 = 1e6;

/// Surface of an entity, with the number of the entity's asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SearchedSurface {
    /// The entity.
    pub entity: EntityId,
    number: u64,
    /// Index of the surface.
    pub surface: usize,
}

/// Successive frames in which two surfaces cross.
#[derive(Clone, Debug, PartialEq)]
pub struct CrossingSpan {
    /// The surfaces. They are equal if a surface crosses itself.
    pub surfaces: [SearchedSurface; 2],
    /// First and last frame, as displayed.
    pub frames: [f64; 2],
    /// Frame with the longest crossing, as displayed.
    pub most: f64,
    /// Number of triangles of both surfaces that cross in that frame.
    pub triangles: usize,
    /// Length of the crossing in that frame, in units.
    pub length: f32,
    /// Frame of the plan with the longest crossing.
    frame: u32,
    /// Whether the surfaces cross in all frames, probably because they are modelled so.
    pub is_always: bool,
}

/// Revisions of all poses, and the transforms of the entities.
type Poses = Vec<(u64, Affine3A)>;

/// Search in a clip, and its results.
pub struct CrossingSearch {
    /// Display name of the clip.
    pub clip: String,
    /// Copy of the scene in which the clip is chosen.
    scene: Scene,
    plan: FramePlan,
    leader: EntityId,
    searched: Vec<SearchedSurface>,
    found: Vec<Vec<CrossedPair>>,
    /// Whether the search runs.
    pub is_running: bool,
    /// Results, the surfaces that do not always cross first, then the longest crossings.
    pub spans: Vec<CrossingSpan>,
    /// Lines of the chosen crossing, and the poses for which they were computed.
    shown: Option<(Poses, Vec<[Vec3; 2]>)>,
}

impl CrossingSearch {
    /// Returns the numbers of searched frames and of all frames.
    pub fn progress(&self) -> (usize, usize) {
        (self.found.len(), self.plan.frames as usize)
    }

    /// Returns the lines of the chosen crossing, while its frame is shown.
    pub fn lines(&self, scene: &Scene) -> &[[Vec3; 2]] {
        let shown = self.shown.as_ref().filter(|(posed, _)| posed.iter().copied().eq(poses(scene)));
        shown.map_or(&[], |(_, lines)| lines.as_slice())
    }

    fn spans(&self) -> Vec<CrossingSpan> {
        let Some(leader) = self.scene.entity(self.leader) else { return Vec::new() };
        let mut playback = leader.playback.clone();
        let mut displayed = |frame: u32| {
            playback.position = self.plan.steps(self.leader, frame).unwrap_or(playback.position);
            playback.shown_frame(leader.model()).round()
        };
        let mut runs: BTreeMap<[usize; 2], Vec<Vec<(u32, CrossedPair)>>> = BTreeMap::new();
        for (frame, found) in (0..).zip(&self.found) {
            for pair in found {
                let runs = runs.entry(pair.parts).or_default();
                match runs.last_mut().filter(|run| run.last().is_some_and(|(last, _)| last + 1 == frame)) {
                    Some(run) => run.push((frame, *pair)),
                    None => runs.push(vec![(frame, *pair)]),
                }
            }
        }
        let span = |run: Vec<(u32, CrossedPair)>| {
            let (first, last) = (run.first()?.0, run.last()?.0);
            let (frame, most) = *run.iter().max_by(|a, b| a.1.length.total_cmp(&b.1.length))?;
            let [a, b] = most.parts.map(|part| self.searched.get(part).copied());
            Some(CrossingSpan {
                surfaces: [a?, b?],
                frames: [displayed(first), displayed(last)],
                most: displayed(frame),
                triangles: most.triangles,
                length: most.length,
                frame,
                is_always: run.len() == self.found.len(),
            })
        };
        let mut spans: Vec<CrossingSpan> = runs.into_values().flatten().filter_map(span).collect();
        spans.sort_by(|a, b| a.is_always.cmp(&b.is_always).then(b.length.total_cmp(&a.length)));
        spans
    }
}

impl Session {
    /// Drops the search if one of its models is no longer in the scene.
    pub(crate) fn drop_other_crossings(&mut self) {
        let scene = &self.document.scene;
        let is_same = |searched: &SearchedSurface| {
            scene.entity(searched.entity).is_some_and(|entity| entity.number == searched.number)
        };
        self.interface.crossings.take_if(|search| !search.searched.iter().all(is_same));
    }

    /// Starts to search the clip. Searches among the selected surfaces if there are several, or else the visible ones.
    pub(crate) fn find_crossings(&mut self) -> Option<Effect> {
        let scene = &self.document.scene;
        let leader = self.document.track()?;
        let plan = match FramePlan::plan(scene, Some(leader.id), Motion::Clip, FrameTiming::EachFrame, ANY_RATE) {
            Ok(plan) => plan,
            Err(_) => {
                let text = "Nothing moves in this clip, or it has too many frames to search".to_owned();
                self.notify_of_model(NotificationKind::Warning, text, "");
                return None;
            }
        };
        let selected = Some(self.document.selected_surfaces()).filter(|selected| selected.len() > 1);
        let is_searched = |entity: &Entity, surface: usize| match &selected {
            Some(selected) => self.document.focus == Some(entity.id) && selected.contains(&surface),
            None => scene.shows(entity) && entity.draws(surface),
        };
        let mut searched = Vec::new();
        for entity in scene.entities() {
            let of_lod = entity.model().surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
            let own = of_lod.map(|(surface, _)| surface).filter(|surface| is_searched(entity, *surface));
            searched.extend(own.map(|surface| SearchedSurface { entity: entity.id, number: entity.number, surface }));
        }
        self.interface.crossings = Some(CrossingSearch {
            clip: leader.clip().name,
            scene: scene.without_poses(),
            plan,
            leader: leader.id,
            searched,
            found: Vec::new(),
            is_running: true,
            spans: Vec::new(),
            shown: None,
        });
        self.load(next_slice())
    }

    pub(crate) fn stop_finding_crossings(&mut self) {
        if self.interface.crossings.as_ref().is_some_and(|search| search.is_running) {
            self.interface.crossings = None;
        }
    }

    /// Goes to the frame of a result, marks the crossing and frames it.
    pub(crate) fn show_crossing(&mut self, index: usize) {
        let Some(search) = &self.interface.crossings else { return };
        let Some(span) = search.spans.get(index) else { return };
        let (plan, frame, mut surfaces) = (search.plan.clone(), span.frame, span.surfaces.to_vec());
        surfaces.dedup();
        for entity in self.document.scene.entities_mut() {
            let searched = search.scene.entity(entity.id).filter(|searched| searched.number == entity.number);
            let Some(searched) = searched else { continue };
            (entity.playback, entity.torso) = (searched.playback.clone(), searched.torso.clone());
            for (track, _) in searched.playbacks() {
                let playback = entity.playback_mut(track, false);
                playback.playing = false;
                playback.position = plan.steps(track, frame).unwrap_or(playback.position);
            }
        }
        self.refresh();
        let scene = &self.document.scene;
        let pair = [0, surfaces.len() - 1];
        let crossings = crossings_in(scene, &surfaces).into_iter().filter(|crossing| crossing.parts == pair);
        let lines: Vec<[Vec3; 2]> = crossings.map(|crossing| crossing.line).collect();
        let shown = Some((poses(scene).collect(), lines.clone()));
        self.interface.crossings.iter_mut().for_each(|search| search.shown.clone_from(&shown));
        if !lines.is_empty() {
            // The surroundings show where on the model the crossing is.
            let around = self.document.extent.radius() / 8.0;
            let points = lines.iter().flatten().flat_map(|end| [*end - around, *end + around]).collect::<Vec<_>>();
            self.go(|session| session.view.frame(&points));
        }
    }

    fn crossings_found(&mut self, from: usize, by: (&FramePlan, &[SearchedSurface]), found: Vec<Vec<CrossedPair>>) {
        let Some(search) = &mut self.interface.crossings else { return };
        if !search.is_running || search.found.len() != from || (&search.plan, &*search.searched) != by {
            return;
        }
        search.found.extend(found);
        let (done, all) = search.progress();
        search.is_running = done < all;
        search.spans = search.spans();
        let pairs = search.spans.len();
        if search.is_running {
            self.load(next_slice());
        } else {
            let text =
                format!("Searched {}, {}", counted(all, "frame", "frames"), counted(pairs, "crossing", "crossings"));
            self.note(NotificationKind::Done, text);
        }
    }
}

/// Returns a load that searches further frames until its time is over.
fn next_slice() -> QueuedLoad {
    let load = QueuedLoad::new(PathBuf::new(), |session| {
        let search = session.interface.crossings.as_ref().filter(|search| search.is_running)?;
        let (from, plan, searched) = (search.found.len(), search.plan.clone(), search.searched.clone());
        let mut scene = search.scene.clone();
        on_loader(move |context| {
            let found = context.slice((u32_or_max(from)..plan.frames).map(|frame| {
                plan.pose(&mut scene, frame);
                crossed_pairs(&crossings_in(&scene, &searched))
            }));
            then_update(move |session| session.crossings_found(from, (&plan, &searched), found))
        })
    });
    load.in_background()
}

/// Returns the revisions of all poses, and the transforms of the entities.
fn poses(scene: &Scene) -> impl Iterator<Item = (u64, Affine3A)> {
    scene.entities().iter().map(|entity| (entity.pose.revision(), entity.world_from_model))
}

fn crossings_in(scene: &Scene, searched: &[SearchedSurface]) -> Vec<Crossing> {
    let positions = |searched: &SearchedSurface| {
        let entity = scene.entity(searched.entity);
        let posed = entity.and_then(|entity| Some((entity, entity.pose.surfaces.get(searched.surface)?)));
        posed.map_or_else(Vec::new, |(entity, surface)| {
            surface.positions.iter().map(|position| entity.world_from_model.transform_point3(*position)).collect()
        })
    };
    let positions: Vec<Vec<Vec3>> = searched.iter().map(positions).collect();
    let triangles = |searched: &SearchedSurface| {
        let surface = scene.entity(searched.entity)?.model().surfaces().get(searched.surface)?;
        Some(surface.triangles.as_slice())
    };
    let triangles = searched.iter().map(|searched| triangles(searched).unwrap_or_default());
    let parts: Vec<PosedPart<'_>> = positions.iter().map(Vec::as_slice).zip(triangles).collect();
    crossings(&parts)
}
