//! Search for frames of a clip in which parts of surfaces cross, in short loads between those of the scene.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use glam::{Affine3A, Vec3};

use crate::scene::{Entity, EntityId, FramePlan, FrameTiming, Motion, Scene};
use crate::session::loads::{QueuedLoad, on_loader, then_update};
use crate::session::{Effect, NotificationKind, Session};
use maquette_core::error::counted;
use maquette_core::inspect::{CrossedPair, Crossing, PosedPart, connected_parts, crossed_pairs, crossings};
use maquette_core::model::u32_or_max;

/// Maximum number of connected parts of a surface. A surface with more parts, such as leaves, counts as one part.
const MAX_PARTS: usize = 64;

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

/// Connected parts of the searched surfaces, numbered together. A hand and the body may be parts of one surface.
struct SearchedParts {
    surfaces: Vec<SearchedSurface>,
    /// Part of each triangle, for each surface.
    of_triangles: Vec<Vec<usize>>,
    /// Index of the surface of each part.
    surface_of: Vec<usize>,
}

impl SearchedParts {
    fn new(scene: &Scene, surfaces: Vec<SearchedSurface>) -> Self {
        let (mut of_triangles, mut surface_of) = (Vec::new(), Vec::new());
        for (index, searched) in surfaces.iter().enumerate() {
            let posed = scene.entity(searched.entity).and_then(|entity| entity.pose.surfaces.get(searched.surface));
            let positions = posed.map_or(&[][..], |posed| &posed.positions);
            let first = surface_of.len();
            let own: Vec<usize> = connected_parts((positions, triangles_of(scene, searched)))
                .into_iter()
                .map(|part| first + part)
                .collect();
            let own = if own.iter().any(|part| *part >= first + MAX_PARTS) { vec![first; own.len()] } else { own };
            let end = own.iter().max().map_or(first, |last| last + 1);
            surface_of.resize(end, index);
            of_triangles.push(own);
        }
        Self { surfaces, of_triangles, surface_of }
    }

    fn surfaces_of(&self, parts: [usize; 2]) -> [usize; 2] {
        parts.map(|part| self.surface_of.get(part).copied().unwrap_or_default())
    }

    /// Returns the numbers of parts in their surfaces, from 1.
    fn numbers(&self, parts: [usize; 2]) -> [usize; 2] {
        let first = |surface| self.surface_of.iter().position(|of| *of == surface).unwrap_or_default();
        let [first_a, first_b] = self.surfaces_of(parts).map(first);
        [parts[0] + 1 - first_a, parts[1] + 1 - first_b]
    }
}

/// Successive frames in which two parts of surfaces cross.
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
    /// Numbers of the two parts in their surfaces, from 1; `None` if the surfaces cross as a whole.
    pub numbers: Option<[usize; 2]>,
    /// Numbers of the parts among all, in pairs.
    parts: BTreeSet<[usize; 2]>,
    /// Frame of the plan with the longest crossing.
    frame: u32,
    /// Whether the surfaces cross in all frames, probably because they are modelled so.
    pub is_always: bool,
}

/// Successive frames in which two parts cross.
type Run = Vec<(u32, CrossedPair)>;

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
    searched: Arc<SearchedParts>,
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
        let mut counts: BTreeMap<[usize; 2], usize> = BTreeMap::new();
        self.found.iter().flatten().for_each(|pair| *counts.entry(pair.parts).or_default() += 1);
        // All parts of two surfaces that always cross are one result.
        let group = |parts: [usize; 2]| match counts.get(&parts) == Some(&self.found.len()) {
            true => (true, self.searched.surfaces_of(parts)),
            false => (false, parts),
        };
        let mut of_group: BTreeMap<_, BTreeSet<[usize; 2]>> = BTreeMap::new();
        for parts in counts.keys() {
            of_group.entry(group(*parts)).or_default().insert(*parts);
        }
        let mut runs: BTreeMap<(bool, [usize; 2]), Vec<Run>> = BTreeMap::new();
        for (frame, found) in (0..).zip(&self.found) {
            for pair in found {
                let runs = runs.entry(group(pair.parts)).or_default();
                match runs.last_mut().and_then(|run| Some((run.last()?.0, run))) {
                    Some((last, run)) if last == frame => run.iter_mut().rev().take(1).for_each(|(_, all)| {
                        all.triangles += pair.triangles;
                        all.length += pair.length;
                    }),
                    Some((last, run)) if last + 1 == frame => run.push((frame, *pair)),
                    _ => runs.push(vec![(frame, *pair)]),
                }
            }
        }
        let span = |run: Run| {
            let (first, last) = (run.first()?.0, run.last()?.0);
            let (frame, most) = *run.iter().max_by(|a, b| a.1.length.total_cmp(&b.1.length))?;
            let own = group(most.parts);
            let [a, b] = self.searched.surfaces_of(most.parts).map(|index| self.searched.surfaces.get(index).copied());
            Some(CrossingSpan {
                surfaces: [a?, b?],
                frames: [displayed(first), displayed(last)],
                most: displayed(frame),
                triangles: most.triangles,
                length: most.length,
                numbers: (!own.0).then(|| self.searched.numbers(most.parts)),
                parts: of_group.get(&own)?.clone(),
                frame,
                is_always: own.0,
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
        self.interface.crossings.take_if(|search| !search.searched.surfaces.iter().all(is_same));
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
            searched: Arc::new(SearchedParts::new(scene, searched)),
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
        let (plan, searched, span) = (search.plan.clone(), Arc::clone(&search.searched), span.clone());
        for entity in self.document.scene.entities_mut() {
            let searched = search.scene.entity(entity.id).filter(|searched| searched.number == entity.number);
            let Some(searched) = searched else { continue };
            (entity.playback, entity.torso) = (searched.playback.clone(), searched.torso.clone());
            for (track, _) in searched.playbacks() {
                let playback = entity.playback_mut(track, false);
                playback.playing = false;
                playback.position = plan.steps(track, span.frame).unwrap_or(playback.position);
            }
        }
        self.refresh();
        let scene = &self.document.scene;
        let crossings = crossings_in(scene, &searched, |surface| span.surfaces.contains(surface)).into_iter();
        let crossings = crossings.filter(|crossing| span.parts.contains(&crossing.parts));
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

    fn crossings_found(&mut self, from: usize, by: &Arc<SearchedParts>, found: Vec<Vec<CrossedPair>>) {
        let Some(search) = &mut self.interface.crossings else { return };
        if !search.is_running || search.found.len() != from || !Arc::ptr_eq(&search.searched, by) {
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
        let (from, plan, searched) = (search.found.len(), search.plan.clone(), Arc::clone(&search.searched));
        let mut scene = search.scene.clone();
        on_loader(move |context| {
            let found = context.slice((u32_or_max(from)..plan.frames).map(|frame| {
                plan.pose(&mut scene, frame);
                crossed_pairs(&crossings_in(&scene, &searched, |_| true))
            }));
            then_update(move |session| session.crossings_found(from, &searched, found))
        })
    });
    load.in_background()
}

/// Returns the revisions of all poses, and the transforms of the entities.
fn poses(scene: &Scene) -> impl Iterator<Item = (u64, Affine3A)> {
    scene.entities().iter().map(|entity| (entity.pose.revision(), entity.world_from_model))
}

fn triangles_of<'a>(scene: &'a Scene, searched: &SearchedSurface) -> &'a [[u32; 3]] {
    let surface = scene.entity(searched.entity).and_then(|entity| entity.model().surfaces().get(searched.surface));
    surface.map_or(&[], |surface| surface.triangles.as_slice())
}

/// Returns the crossings of the parts of the surfaces that `is_wanted` accepts.
fn crossings_in(
    scene: &Scene,
    searched: &SearchedParts,
    is_wanted: impl Fn(&SearchedSurface) -> bool,
) -> Vec<Crossing> {
    let positions = |searched: &SearchedSurface| {
        let entity = scene.entity(searched.entity);
        let posed = entity.and_then(|entity| Some((entity, entity.pose.surfaces.get(searched.surface)?)));
        posed.filter(|_| is_wanted(searched)).map_or_else(Vec::new, |(entity, surface)| {
            surface.positions.iter().map(|position| entity.world_from_model.transform_point3(*position)).collect()
        })
    };
    let positions: Vec<Vec<Vec3>> = searched.surfaces.iter().map(positions).collect();
    let triangles = searched.surfaces.iter().map(|searched| triangles_of(scene, searched));
    let surfaces: Vec<PosedPart<'_>> = positions.iter().map(Vec::as_slice).zip(triangles).collect();
    let mut crossings = crossings(&surfaces);
    for Crossing { parts, triangles, .. } in &mut crossings {
        for (part, triangle) in parts.iter_mut().zip(&*triangles) {
            *part = searched.of_triangles.get(*part).and_then(|of| of.get(*triangle)).copied().unwrap_or_default();
        }
        if parts[0] > parts[1] {
            parts.reverse();
            triangles.reverse();
        }
    }
    crossings
}
