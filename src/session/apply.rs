//! What each [`Action`] does.

use super::{Action, ClipChoice, Panel, Request, SPEED_RANGE, SPEEDS, Selection, Session, Switch};
use crate::pose::Repeat;
use crate::scene::{Camera, Projection, Shading, Wireframe};

impl Session {
    /// Does what the user wants; what it cannot do itself comes back as a [`Request`].
    pub fn apply(&mut self, action: Action) -> Option<Request> {
        match action {
            Action::PickFiles => return Some(Request::PickFiles),
            Action::PickFolder => return Some(Request::PickFolder),
            Action::Open(paths) => {
                self.path_field = None;
                return Some(Request::Open(paths));
            }
            Action::Show(path) => {
                self.asked_for = Some(path.clone());
                return Some(Request::Show(path));
            }
            Action::OpenSample(format) => return Some(Request::OpenSample(format)),
            Action::Reload => return self.part.as_ref().and_then(|part| part.file.clone()).map(Request::Reload),
            Action::NextModel => return self.sibling(1),
            Action::PreviousModel => return self.sibling(-1),
            Action::SavePicture => return Some(Request::SavePicture),
            Action::ToggleFullScreen => return Some(Request::ToggleFullScreen),
            Action::Quit => return Some(Request::Quit),
            Action::SavePictureTo(path) => {
                self.path_field = None;
                return Some(Request::SavePictureTo(path));
            }
            Action::CloseError => self.failure = None,
            Action::ClosePathField => self.path_field = None,
            Action::TogglePanel(panel) => {
                let panels = &mut self.panels;
                panels.hidden = false;
                let open = match panel {
                    Panel::Inspector => &mut panels.inspector,
                    Panel::Files => &mut panels.files,
                    Panel::Help => &mut panels.help,
                    Panel::Log => &mut panels.log,
                };
                *open = !*open;
            }
            Action::ToggleAllPanels => self.panels.hidden = !self.panels.hidden,
            Action::Toggle(switch) => self.toggle(switch),
            Action::SetShading(shading) => self.display.shading = shading,
            Action::CycleShading => self.display.shading = after(&Shading::ALL, self.display.shading),
            Action::SetWireframe(wireframe) => self.display.wireframe = wireframe,
            Action::CycleWireframe => {
                let all = [Wireframe::Off, Wireframe::Over, Wireframe::Alone];
                self.display.wireframe = after(&all, self.display.wireframe);
            }
            Action::SetAlpha(alpha) => self.display.alpha = alpha,
            Action::SetNormalLength(length) => self.display.normal_length = length.clamp(0.001, 1.0),
            Action::SetTone(tone) => self.tone = tone,
            Action::ShowSurface(index, shown) => {
                if let Some(visible) = self.visible.get_mut(index) {
                    *visible = shown;
                }
            }
            Action::ShowOnly(index) => self.visible.iter_mut().enumerate().for_each(|(i, v)| *v = i == index),
            Action::ShowAllSurfaces => self.visible.fill(true),
            Action::Select(selection) => self.select(selection),
            Action::ChooseSkin(skin) => self.choose_skin(skin),
            Action::NextSkin => {
                let count = self.part.as_ref().map_or(1, |part| part.skins.len());
                self.choose_skin((self.skin + 1) % count.max(1));
            }
            Action::SetLod(lod) => {
                let last = self.part.as_ref().map_or(0, |part| part.model.lod_count() - 1);
                self.lod = lod.min(last);
            }
            Action::SetBoneBlend(bones) => self.bones = bones,
            Action::Orbit(yaw, pitch) => self.camera.orbit(yaw, pitch),
            Action::Pan(points, height) => self.camera.pan(points, height),
            Action::Zoom(factor, cursor) => self.camera.zoom(factor, cursor),
            Action::FrameModel => self.frame_model(),
            Action::ResetView => {
                self.camera = Camera::default();
                self.frame_model();
            }
            Action::LookFrom(view) => self.camera.look_from(view),
            Action::ToggleProjection => {
                self.camera.projection = match self.camera.projection {
                    Projection::Perspective => Projection::Orthographic,
                    Projection::Orthographic => Projection::Perspective,
                };
            }
            time => self.apply_to_clock(time),
        }
        None
    }

    /// Actions on the clock; they need a model.
    fn apply_to_clock(&mut self, action: Action) {
        let Some(part) = &self.part else { return };
        let model = &part.model;
        let playback = &mut self.playback;
        match action {
            Action::TogglePlay => {
                let length = playback.length(model);
                // Played to its end, a clip starts again.
                if !playback.playing && playback.repeat == Repeat::Once && playback.position >= length {
                    playback.position = 0.0;
                }
                playback.playing = !playback.playing && length > 0.0;
            }
            Action::Step(steps) => playback.step(model, steps),
            Action::ClipStart => playback.position = 0.0,
            Action::ClipEnd => playback.position = f64::from(playback.clip(model).count.saturating_sub(1)),
            Action::NextClip => playback.next_clip(model, 1),
            Action::PreviousClip => playback.next_clip(model, -1),
            Action::ChooseClip(choice) => playback.choose(model, choice),
            Action::Seek(frame) => {
                playback.playing = false;
                playback.seek(model, frame);
            }
            Action::SetSpeed(speed) => playback.speed = speed.clamp(SPEED_RANGE.0, SPEED_RANGE.1),
            Action::Faster => {
                playback.speed = SPEEDS.into_iter().find(|speed| *speed > playback.speed + 1e-6).unwrap_or(SPEEDS[6]);
            }
            Action::Slower => {
                let slower = SPEEDS.into_iter().rev().find(|speed| *speed < playback.speed - 1e-6);
                playback.speed = slower.unwrap_or(SPEEDS[0]);
            }
            Action::SetRate(rate) => playback.rate = rate.map(|rate| rate.clamp(0.1, 1000.0)),
            Action::SetRepeat(repeat) => playback.set_repeat(model, repeat),
            Action::CycleRepeat => {
                let repeat = after(&[Repeat::Loop, Repeat::Once, Repeat::PingPong], playback.repeat);
                playback.set_repeat(model, repeat);
            }
            Action::ToggleInterpolation => playback.interpolate = !playback.interpolate,
            Action::SetPlayerTable(table) => {
                let frame = playback.shown_frame(model);
                playback.player_table = table;
                playback.choice = ClipChoice::AllFrames;
                playback.seek(model, frame);
                playback.choose_at(model, frame);
            }
            _ => {}
        }
    }

    fn toggle(&mut self, switch: Switch) {
        let display = &mut self.display;
        let on = match switch {
            Switch::Grid => &mut display.grid,
            Switch::Shadow => &mut display.shadow,
            Switch::TwoSided => &mut display.two_sided,
            Switch::VertexNormals => &mut display.vertex_normals,
            Switch::FaceNormals => &mut display.face_normals,
            Switch::Tags => &mut display.tags,
            Switch::Joints => &mut display.joints,
            Switch::JointNames => &mut display.joint_names,
            Switch::Bounds => &mut display.bounds,
            Switch::OverlaysOnTop => &mut display.overlays_on_top,
        };
        *on = !*on;
    }

    /// Whether a switch is on.
    #[must_use]
    pub fn is_on(&self, switch: Switch) -> bool {
        let display = &self.display;
        match switch {
            Switch::Grid => display.grid,
            Switch::Shadow => display.shadow,
            Switch::TwoSided => display.two_sided,
            Switch::VertexNormals => display.vertex_normals,
            Switch::FaceNormals => display.face_normals,
            Switch::Tags => display.tags,
            Switch::Joints => display.joints,
            Switch::JointNames => display.joint_names,
            Switch::Bounds => display.bounds,
            Switch::OverlaysOnTop => display.overlays_on_top,
        }
    }

    /// Choosing a tag or a joint also shows them.
    fn select(&mut self, selection: Selection) {
        self.selection = selection;
        match selection {
            Selection::Tag(_) => self.display.tags = true,
            Selection::Joint(_) => self.display.joints = true,
            Selection::None | Selection::Surface(_) => {}
        }
    }

    fn choose_skin(&mut self, skin: usize) {
        if self.part.as_ref().is_some_and(|part| skin < part.skins.len()) {
            self.skin = skin;
            self.find_issues();
        }
    }

    /// The model `steps` further in the list, round its ends, from the one asked for last: a broken one does not bar
    /// the way.
    fn sibling(&mut self, steps: isize) -> Option<Request> {
        let count = isize::try_from(self.siblings.len()).ok().filter(|count| *count > 0)?;
        let last = self.asked_for.as_ref();
        let own = last.and_then(|file| self.siblings.iter().position(|sibling| sibling == file));
        let next = match own.and_then(|own| isize::try_from(own).ok()) {
            Some(own) => (own + steps).rem_euclid(count),
            None => 0,
        };
        let path = self.siblings.get(usize::try_from(next).ok()?)?.clone();
        self.asked_for = Some(path.clone());
        Some(Request::Show(path))
    }
}

/// The element after `current`, round the end.
fn after<T: Copy + PartialEq>(all: &[T], current: T) -> T {
    let next = all.iter().position(|one| *one == current).map_or(0, |index| (index + 1) % all.len());
    all.get(next).copied().unwrap_or(current)
}
