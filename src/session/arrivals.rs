//! What was read comes on stage: casts, newer states, what hangs on others, what is tried on; or it is told why not.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Effects, Failure, History, NoteKind, Offer, Selection, Session};
use crate::error::Warnings;
use crate::material::{Finder, SurfaceLook};
use crate::scene::{ActorId, Attachment, Camera, Cast, ClipChoice, Member, OpenError, OverlayKind, Part, Stage};

impl Session {
    /// Puts a cast on stage: its first view, its calm clips playing.
    pub fn show(&mut self, cast: impl Into<Cast>) {
        self.show_in_place(cast.into(), None, None);
    }

    /// The same; this file comes into focus, and a dropped one could be attached to what was shown, with the list as it
    /// was then.
    pub(super) fn show_in_place(
        &mut self,
        cast: Cast,
        focus: Option<PathBuf>,
        attachable: Option<(PathBuf, Arc<[PathBuf]>)>,
    ) {
        self.put(cast, focus, attachable);
        // A file without surfaces shows what it has; the next file finds the switches as they were.
        let display = &mut self.display;
        if let Some(overlays) = self.switched.take() {
            display.overlays = overlays;
        }
        let mut surfaces = self.stage.actors().iter().flat_map(|actor| &actor.part.model.surfaces);
        if surfaces.all(|surface| surface.triangles.is_empty()) {
            self.switched = Some(display.overlays);
            for actor in self.stage.actors() {
                if !actor.model().tags.is_empty() {
                    display.overlays.set(OverlayKind::Tags, true);
                }
                if !actor.model().joints().is_empty() {
                    display.overlays.set(OverlayKind::Joints, true);
                }
            }
        }
        self.use_usual_rates();
        self.find_floor();
        let Camera { projection, field_of_view, .. } = self.camera;
        self.camera = Camera { projection, field_of_view, ..Camera::default() };
        self.refresh();
        self.frame_model();
        self.fit_when_sized = true;
    }

    fn put(&mut self, cast: Cast, focus: Option<PathBuf>, attachable: Option<(PathBuf, Arc<[PathBuf]>)>) {
        if let Some(track) = self.track() {
            self.clock = track.playback.clone();
        }
        let last = Stage::of(cast, &self.clock, &self.stage);
        let offer = attachable.and_then(|(file, siblings)| self.leave(&last, file, siblings));
        self.stage = last;
        self.history = History::default();
        let actors = self.stage.actors();
        let wanted = actors.iter().find(|actor| focus.is_some() && actor.part.file == focus);
        self.focus = wanted.or(actors.first()).map(|actor| actor.id);
        // A folder or another spelling may have been asked for; what is there counts.
        self.asked_for = self.part().and_then(|part| part.file.clone()).or(focus);
        self.selection = Selection::None;
        self.offer = offer;
        self.effects = Effects::default();
        self.open_timeline();
        self.display.look = self.game().and_then(|game| self.looks_by_game.get(game)).copied().unwrap_or_default();
        self.settled();
    }

    /// What was waited for has come.
    pub(super) fn settled(&mut self) {
        self.failure = None;
        self.find_issues();
    }

    /// Puts newer states of the same files on stage, keeping camera, place and choices as far as they still exist.
    pub fn replace(&mut self, parts: Vec<(ActorId, Part)>) {
        let chosen = self.chosen_name();
        self.stage.replace(parts);
        self.renew_history();
        self.select_named(chosen);
        self.settled();
        self.find_floor();
        self.refresh();
    }

    /// Hangs opened models on what stands there. A weapon takes the place of the one that hangs there.
    pub fn attach(&mut self, members: Vec<Member>, to: &Attachment, dropped: bool) {
        let name = members.first().map(|member| member.part.name.clone()).unwrap_or_default();
        let Some(carrier) = self.stage.actor(to.to).map(|actor| actor.part.name.clone()) else { return self.gone() };
        let before = self.moment("Attach a model");
        let clock = self.playback().clone();
        let file = members.first().and_then(|member| member.part.file.clone());
        self.stage.hang(members, to, &clock);
        if self.actor().is_none() {
            self.focus = Some(to.to);
            self.selection = Selection::None;
        }
        self.offer = file.filter(|_| dropped).map(Offer::attached);
        self.settled();
        self.note(NoteKind::Done, format!("{name} hangs on {} of {carrier}", to.anchor.name()));
        self.remember_if_changed(before);
        self.use_usual_rates();
        self.find_floor();
        self.refresh();
    }

    /// Something was read for a part that has gone meanwhile.
    pub(super) fn gone(&mut self) {
        self.settled();
        self.note(NoteKind::Warning, "The part it was for has gone");
    }

    /// Puts a look on a surface of an actor, or on all of them. What repairs a name that leads nowhere repairs it on every
    /// surface.
    /// Whether there was such an actor.
    pub fn try_on(&mut self, actor: ActorId, surface: Option<usize>, look: &SurfaceLook) -> bool {
        let before = self.moment("Try a picture on");
        let Some(actor) = self.stage.actor_mut(actor) else {
            self.gone();
            return false;
        };
        let broken = surface.and_then(|surface| actor.looks().get(surface)).filter(|look| look.is_missing());
        let broken = broken.map(|look| look.name.clone()).filter(|name| !name.is_empty());
        let is_meant = |index: usize, own: &SurfaceLook| {
            let is_same = broken.as_ref().is_some_and(|name| own.is_missing() && own.name == *name);
            surface.is_none_or(|surface| surface == index) || is_same
        };
        let looks = actor.looks().iter().enumerate();
        let meant: Vec<usize> = looks.filter(|(index, own)| is_meant(*index, own)).map(|(index, _)| index).collect();
        for index in meant {
            actor.try_on(index, look);
        }
        self.remember_if_changed(before);
        self.settled();
        true
    }

    /// Puts on the last skin of parts that were read for actors.
    pub fn wear_new(&mut self, parts: Vec<(ActorId, Part)>) {
        let actors: Vec<(ActorId, usize)> =
            parts.iter().map(|(id, part)| (*id, part.skins.len().saturating_sub(1))).collect();
        self.replace(parts);
        let before = self.moment("Wear a skin");
        let mut worn = Vec::new();
        for (id, last) in actors {
            if let Some(actor) = self.stage.actor_mut(id) {
                actor.wear(last);
                worn.push(format!("{} wears {}", actor.part.name, actor.skin_name()));
            }
        }
        self.remember_if_changed(before);
        self.note(NoteKind::Done, worn.join(", "));
        self.find_issues();
    }

    /// Plays the first of the animations that were added to a part; `refused` tells of those that were not.
    pub fn play_new(&mut self, id: ActorId, part: Part, refused: &[OpenError]) {
        let Some(known) = self.stage.actor(id).map(|actor| actor.model().clips.len()) else { return self.gone() };
        let added = part.model.clips.get(known).map(|clip| clip.name.clone());
        let before = self.issues.len();
        self.replace(vec![(id, part)]);
        let odd = self.issues.len().saturating_sub(before);
        if let Some(name) = added {
            self.stage.choose(id, ClipChoice::Clip(known), false);
            self.note(NoteKind::Done, format!("{name} was added"));
        }
        if odd > 0 {
            self.note(NoteKind::Warning, format!("{odd} things about it are odd; see Issues"));
        }
        for error in refused {
            self.note(NoteKind::Failed, format!("{} was not added: {}", error.name(), error.reason()));
        }
    }

    /// What the files said, and what the skins that are worn did not find: a part's own warnings are about its first
    /// skin.
    pub(super) fn find_issues(&mut self) {
        let mut issues = Warnings::default();
        let actors = self.stage.actors();
        for actor in actors {
            let mut own = Warnings::default();
            own.append(actor.part.warnings.clone());
            if actor.skin > 0 || !actor.overrides.is_empty() {
                Finder::tell_missing(&actor.part.model, actor.looks(), &mut own);
            }
            for warning in own.into_vec() {
                let about = match (actors.len(), warning.about.as_str()) {
                    (1, _) => warning.about,
                    (_, "") => actor.part.name.clone(),
                    (_, about) if about == actor.part.name => warning.about,
                    (_, about) => format!("{}: {about}", actor.part.name),
                };
                issues.add(about, warning.message);
            }
        }
        self.issues = issues.into_vec();
    }

    /// Says that a file was not opened; what is on stage stays.
    pub fn fail(&mut self, error: &OpenError) {
        let advice = self.name().map_or(String::new(), |name| format!("{name} stays open"));
        let title = format!("{} was not opened", error.name());
        self.log(NoteKind::Failed, format!("{title}: {}", error.reason()));
        self.failure = Some(Failure { title, message: error.reason(), advice });
    }
}
