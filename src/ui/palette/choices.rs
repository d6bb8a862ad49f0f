//! What the palette finds besides commands: the choices of drop-downs and the settings, each of which Enter applies.

use std::fmt::Display;

use crate::ui::light_menu::COLOURS;
use crate::ui::timeline::RATES;
use crate::ui::{format, icons, inspector};
use maquette_assets::open::sample_formats;
use maquette_core::model::JointStorage;
use maquette_core::pose::{BoneBlend, Repeat};
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, ColourTheme, LightingMode, Onion, Projection, SPEEDS, SPEEDS_BACKWARDS,
    SelectionLevel, Shading, Wireframe,
};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, FileAction, FilmKind, FilmOptions, Navigation,
    Preference, SCALES, SaveAction, SceneAction, Session, TimelineAction, WindowAction,
};

/// Fields of view that are offered, in degrees.
const FIELDS_OF_VIEW: [f32; 5] = [15.0, 30.0, 45.0, 60.0, 90.0];

/// A choice of a drop-down, or a setting.
pub struct Choice {
    /// The setting and what it is set to, as `Theme: Dark`.
    pub name: String,
    /// Where it stands.
    pub place: &'static str,
    /// Other words for it, separated by blanks.
    pub keywords: &'static str,
    /// Its icon.
    pub icon: &'static str,
    /// Whether it is chosen now.
    pub on: bool,
    /// What Enter does.
    pub actions: Vec<Action>,
}

/// Adds what a setting can be set to: each value, whether it is chosen now, and what chooses it.
fn add<V: Display>(
    all: &mut Vec<Choice>,
    setting: &str,
    place: &'static str,
    keywords: &'static str,
    icon: &'static str,
    values: impl IntoIterator<Item = (V, bool, Action)>,
) {
    all.extend(values.into_iter().map(|(value, on, action)| {
        let name = format!("{setting}: {value}");
        Choice { name, place, keywords, icon, on, actions: vec![action] }
    }));
}

/// Something that opens a dialog, or is done at once.
fn add_command(all: &mut Vec<Choice>, name: &str, place: &'static str, keywords: &'static str, actions: Vec<Action>) {
    all.push(Choice { name: name.to_owned(), place, keywords, icon: icons::ENTER, on: false, actions });
}

/// The values of a switch: both ways.
fn switch(on: bool, action: impl Fn(bool) -> Action) -> [(&'static str, bool, Action); 2] {
    [("on", on, action(true)), ("off", !on, action(false))]
}

/// All of them, as far as they mean anything now.
pub fn choices(session: &Session) -> Vec<Choice> {
    let mut all = Vec::new();
    files(session, &mut all);
    settings(session, &mut all);
    if let Some(failure) = session.interface.failure.as_ref().filter(|failure| failure.is_damaged) {
        let open = Action::File(FileAction::Salvage(failure.file.clone()));
        add_command(&mut all, "Open intact part", "File", "damaged broken salvage repair recover", vec![open]);
    }
    if session.asset().is_some() {
        for (title, keywords) in inspector::sections(session) {
            let show = vec![Action::Window(WindowAction::ShowSection(title))];
            add_command(&mut all, title, "Inspector", keywords, show);
        }
        exports(session, &mut all);
        display(session, &mut all);
        camera(session, &mut all);
        scene(session, &mut all);
    }
    if session.track().is_some() {
        animation(session, &mut all);
    }
    all
}

fn files(session: &Session, all: &mut Vec<Choice>) {
    let samples = sample_formats().map(|format| {
        let name = format!("{} — {}", format.name().to_uppercase(), format.game());
        (name, false, Action::File(FileAction::OpenSample(format)))
    });
    add(all, "Sample model", "File", "example demo open test", icons::PERSON, samples);
    if !session.preferences.recent.is_empty() {
        let clear = vec![Action::File(FileAction::ForgetRecent)];
        let keywords = "history forget delete list";
        add_command(all, "Clear recent files", "File", keywords, clear);
    }
}

fn settings(session: &Session, all: &mut Vec<Choice>) {
    let tones = [(None, "System"), (Some(ColourTheme::Dark), "Dark"), (Some(ColourTheme::Light), "Light")];
    let tones =
        tones.map(|(tone, word)| (word, session.interface.tone == tone, Action::Window(WindowAction::SetTone(tone))));
    add(all, "Theme", "Settings", "appearance mode colours colors window night day", icons::SUN_MOON, tones);
    let preferences = &session.preferences;
    let prefer = |preference| Action::Window(WindowAction::Prefer(preference));
    let sides = [(false, "Right"), (true, "Left")]
        .map(|(swapped, word)| (word, preferences.panels.swapped == swapped, prefer(Preference::SwapPanels(swapped))));
    add(all, "Inspector", "Settings", "panel side swap dock", icons::PANEL_RIGHT, sides);
    let reduced = switch(preferences.reduced_motion, |on| prefer(Preference::ReducedMotion(on)));
    let keywords = "animations accessibility transitions glide";
    add(all, "Reduce motion", "Settings", keywords, icons::SETTINGS, reduced);
    let watch = switch(preferences.watch, |on| prefer(Preference::Watch(on)));
    let setting = "Reload files when they change on disk";
    add(all, setting, "Settings", "watch auto hot refresh", icons::SETTINGS, watch);
    let restore = switch(preferences.restore, |on| prefer(Preference::Restore(on)));
    let keywords = "restore remember resume start";
    add(all, "Reopen last session at startup", "Settings", keywords, icons::SETTINGS, restore);
    let open = vec![Action::Window(WindowAction::ToggleDialog(Dialog::Settings))];
    add_command(all, "Default frame rate…", "Settings", "fps frames per second speed", open.clone());
    add_command(all, "Image memory…", "Settings", "texture limit megabytes large size", open.clone());
    add_command(all, "Caches…", "Settings", "cache size memory budget thumbnails undo", open);
    let clear = vec![Action::File(FileAction::ClearThumbnails)];
    add_command(all, "Clear thumbnail cache", "Settings", "delete remove caches disk previews", clear);
    let scales = SCALES.into_iter().map(|scale| {
        let on = (preferences.scale - scale).abs() < 1e-3;
        (format!("{:.0} %", scale * 100.0), on, prefer(Preference::Scale(scale)))
    });
    add(all, "Interface scale", "Settings", "zoom dpi text size larger smaller", icons::SETTINGS, scales);
}

fn exports(session: &Session, all: &mut Vec<Choice>) {
    let now = session.jobs.saving.film;
    let export =
        |options: FilmOptions| vec![Action::Save(SaveAction::SetFilm(options)), Action::Save(SaveAction::SaveFilm)];
    for kind in FilmKind::ALL {
        let name = format!("Export animation as {}…", kind.label());
        let keywords = "video movie film apng sequence save record";
        add_command(all, &name, "File", keywords, export(FilmOptions { kind, turns: false, ..now }));
    }
    let turntable = export(FilmOptions { turns: true, ..now });
    let keywords = "gif video movie film spin rotate save";
    add_command(all, "Export turntable…", "File", keywords, turntable);
}

fn display(session: &Session, all: &mut Vec<Choice>) {
    let display = &session.view.display;
    for shading in Shading::ALL {
        let keywords = match shading {
            Shading::Textured => "texture skin mode",
            Shading::Unlit => "fullbright flat texture mode",
            Shading::Clay => "matcap grey gray solid form mode",
            Shading::Normals => "colours colors direction mode",
            Shading::Checker => "UV layout texture coordinates mapping stretch mode",
            Shading::Weights => "skinning influence bone vertex heat map paint mode",
            Shading::Difference => "compare diff distance heat map mode",
            Shading::TexelDensity => "UV stretch resolution heat map texture size mode",
        };
        let action = Action::Display(DisplayAction::SetShading(shading));
        let value = [(shading.label(), display.shading == shading, action)];
        add(all, "Shading", "Display", keywords, icons::PALETTE, value);
    }
    for lighting in LightingMode::ALL {
        let keywords = match lighting {
            LightingMode::Studio => "look light lamp",
            LightingMode::Game => "look engine shader players",
            LightingMode::Plain => "look plain without scripts no",
        };
        let action = Action::Display(DisplayAction::SetLighting(lighting));
        let value = [(lighting.label(), display.lighting == lighting, action)];
        add(all, "Lighting", "Display", keywords, icons::LIGHT, value);
    }
    let wireframes = Wireframe::ALL.into_iter().map(|wireframe| {
        let action = Action::Display(DisplayAction::SetWireframe(wireframe));
        (wireframe.label(), display.wireframe == wireframe, action)
    });
    let keywords = "edges triangles polygons topology mesh";
    add(all, "Wireframe", "Display", keywords, icons::TRIANGLE, wireframes);
    let sides = BackfaceDisplay::ALL
        .into_iter()
        .map(|sides| (sides.label(), display.sides == sides, Action::Display(DisplayAction::SetSides(sides))));
    let keywords = "culling two-sided double-sided inside winding";
    add(all, "Backfaces", "Display", keywords, icons::LAYERS, sides);
    let alphas = Alpha::ALL
        .into_iter()
        .map(|alpha| (alpha.label(), display.alpha == alpha, Action::Display(DisplayAction::SetAlpha(alpha))));
    add(all, "Alpha", "Display", "transparency opacity cutout", icons::LAYERS, alphas);
    let colours = COLOURS.map(|(name, colour)| (name, Background::Colour(colour)));
    let backgrounds = std::iter::once(("Studio", Background::Studio)).chain(colours);
    let backgrounds = backgrounds.map(|(name, background)| {
        (name, display.background == background, Action::Display(DisplayAction::SetBackground(background)))
    });
    add(all, "Background", "Display", "backdrop colour color", icons::PALETTE, backgrounds);
    let follow = switch(display.light.follows_camera, |on| Action::Display(DisplayAction::LightFollows(on)));
    add(all, "Lock light to camera", "Display", "follow headlight", icons::LIGHT, follow);
    let brightnesses = [50_u8, 100, 200].map(|percent| {
        let brightness = f32::from(percent) / 100.0;
        let on = (display.light.brightness - brightness).abs() < 1e-3;
        (format!("{percent} %"), on, Action::Display(DisplayAction::SetBrightness(brightness)))
    });
    add(all, "Brightness", "Display", "light exposure intensity", icons::LIGHT, brightnesses);
}

fn camera(session: &Session, all: &mut Vec<Choice>) {
    let camera = &session.view.camera;
    for (projection, word) in [(Projection::Perspective, "Perspective"), (Projection::Orthographic, "Orthographic")] {
        let on = camera.projection == projection;
        let value = [(word, on, Action::Camera(CameraAction::ToggleProjection))];
        add(all, "Projection", "View", "camera ortho parallel", icons::CAMERA, value);
        // There is only a switch: what is chosen already needs none.
        if let Some(choice) = all.last_mut().filter(|_| on) {
            choice.actions.clear();
        }
    }
    let fields = FIELDS_OF_VIEW.map(|degrees| {
        let on = (camera.field_of_view.to_degrees() - degrees).abs() < 0.5;
        (format!("{degrees}°"), on, Action::Camera(CameraAction::SetFieldOfView(degrees)))
    });
    add(all, "Field of view", "View", "fov camera lens", icons::CAMERA, fields);
    let navigations = Navigation::ALL.into_iter().map(|navigation| {
        let action = Action::Camera(CameraAction::SetNavigation(navigation));
        (navigation.label(), session.view.navigation == navigation, action)
    });
    add(all, "Navigation", "View", "mouse scheme controls", icons::CAMERA, navigations);
}

fn scene(session: &Session, all: &mut Vec<Choice>) {
    let Some(entity) = session.entity() else { return };
    for level in SelectionLevel::ALL {
        let action = Action::Scene(SceneAction::SetSelectionLevel(level));
        let value = [(level.label(), session.view.selection_level == level, action)];
        let keywords = "pick click choose face polygon vertex point element";
        add(all, "Selection mode", "Edit", keywords, icons::of_level(level), value);
    }
    let levels = entity.model().lod_count();
    let levels = (0..levels).filter(|_| levels > 1);
    let levels = levels.map(|lod| (lod, entity.lod == lod, Action::Scene(SceneAction::SetLod(lod))));
    add(all, "LOD", "Model", "level of detail", icons::LAYERS, levels);
    if entity.model().format().traits().joints == JointStorage::Bones {
        let now = session.document.scene.bones;
        let bones = [(BoneBlend::Slerp, "Slerp"), (BoneBlend::Engine, "In-game")];
        let bones = bones.map(|(bones, word)| (word, now == bones, Action::Scene(SceneAction::SetBoneBlend(bones))));
        add(all, "Bones", "Model", "interpolation joints skeleton", icons::BONE, bones);
    }
}

fn animation(session: &Session, all: &mut Vec<Choice>) {
    let playback = session.playback();
    for speed in SPEEDS_BACKWARDS.into_iter().chain(SPEEDS) {
        let keywords = if speed < 0.0 { "playback slow fast reverse backwards" } else { "playback slow fast" };
        let on = (playback.speed - speed).abs() < 1e-6;
        let value = [(format::factor(speed), on, Action::Clock(ClockAction::SetSpeed(speed)))];
        add(all, "Speed", "Animation", keywords, icons::GAUGE, value);
    }
    let own = [("From clip", playback.rate.is_none(), Action::Clock(ClockAction::SetRate(None)))];
    add(all, "Frame rate", "Animation", "fps default", icons::GAUGE, own);
    let rates = RATES.into_iter().map(|rate| {
        let on = playback.rate.is_some_and(|chosen| (chosen - rate).abs() < 1e-4);
        (format!("{rate} fps"), on, Action::Clock(ClockAction::SetRate(Some(rate))))
    });
    add(all, "Frame rate", "Animation", "frames per second", icons::GAUGE, rates);
    let repeats = Repeat::ALL
        .into_iter()
        .map(|repeat| (repeat.label(), playback.repeat == repeat, Action::Clock(ClockAction::SetRepeat(repeat))));
    add(all, "Loop mode", "Animation", "repeat play pingpong back and forth", icons::LOOP, repeats);
    let onion = session.view.onion;
    for number in 0..=Onion::PER_SIDE {
        let word = if number == 0 { "none".to_owned() } else { number.to_string() };
        for (setting, on, wanted) in [
            ("Ghosts before", onion.before == number, Onion { on: true, before: number, ..onion }),
            ("Ghosts after", onion.after == number, Onion { on: true, after: number, ..onion }),
        ] {
            let value = [(&word, on && onion.on, Action::Timeline(TimelineAction::SetOnion(wanted)))];
            add(all, setting, "Animation", "onion skin", icons::LAYERS, value);
        }
    }
    let model = session.track().map(maquette_scene::scene::Entity::model);
    if model.is_some_and(|model| !model.alternative_clips().is_empty()) {
        let table = switch(playback.player_table, |on| Action::Clock(ClockAction::SetPlayerTable(on)));
        let keywords = "player table stand run attack";
        add(all, "Use standard Quake II clips", "Animation", keywords, icons::LIST, table);
    }
    if session.tracks().len() > 1 {
        let paired = switch(session.document.paired, |on| Action::Clock(ClockAction::SetPaired(on)));
        let setting = "Pair torso and legs as in Quake III";
        add(all, setting, "Animation", "character together", icons::PERSON, paired);
    }
}
