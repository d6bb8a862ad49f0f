//! What the palette finds besides commands: the choices of drop-downs and the settings, each of which Enter applies.

use crate::ui::light_menu::COLOURS;
use crate::ui::timeline::RATES;
use crate::ui::{format, icons, inspector};
use maquette_assets::open::sample_formats;
use maquette_core::model::JointStorage;
use maquette_core::pose::{BoneBlend, Repeat};
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, LightingMode, Onion, Projection, SPEEDS, SPEEDS_BACKWARDS, SelectionLevel,
    Shading, Tone, Wireframe,
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

/// Collects choices.
struct Choices {
    all: Vec<Choice>,
}

impl Choices {
    fn add(
        &mut self,
        (setting, value): (&str, &str),
        (place, keywords): (&'static str, &'static str),
        icon: &'static str,
        on: bool,
        action: Action,
    ) {
        let name = format!("{setting}: {value}");
        self.all.push(Choice { name, place, keywords, icon, on, actions: vec![action] });
    }

    /// Something that opens a dialog, or is done at once.
    fn add_command(&mut self, name: &str, place: &'static str, keywords: &'static str, actions: Vec<Action>) {
        self.all.push(Choice { name: name.to_owned(), place, keywords, icon: icons::ENTER, on: false, actions });
    }

    /// A switch: both ways.
    fn add_switch(
        &mut self,
        name: &str,
        place: (&'static str, &'static str),
        icon: &'static str,
        on: bool,
        action: impl Fn(bool) -> Action,
    ) {
        self.add((name, "on"), place, icon, on, action(true));
        self.add((name, "off"), place, icon, !on, action(false));
    }
}

/// All of them, as far as they mean anything now.
pub fn choices(session: &Session) -> Vec<Choice> {
    let mut choices = Choices { all: Vec::new() };
    files(session, &mut choices);
    settings(session, &mut choices);
    if let Some(failure) = session.interface.failure.as_ref().filter(|failure| failure.is_damaged) {
        let open = Action::File(FileAction::Salvage(failure.file.clone()));
        choices.add_command("Open intact part", "File", "damaged broken salvage repair recover", vec![open]);
    }
    if session.asset().is_some() {
        for (title, keywords) in inspector::sections(session) {
            let show = vec![Action::Window(WindowAction::ShowSection(title))];
            choices.add_command(title, "Inspector", keywords, show);
        }
        exports(session, &mut choices);
        display(session, &mut choices);
        camera(session, &mut choices);
        scene(session, &mut choices);
    }
    if session.track().is_some() {
        animation(session, &mut choices);
    }
    choices.all
}

fn files(session: &Session, choices: &mut Choices) {
    for format in sample_formats() {
        let name = format!("{} — {}", format.name().to_uppercase(), format.game());
        let action = Action::File(FileAction::OpenSample(format));
        choices.add(("Sample model", &name), ("File", "example demo open test"), icons::PERSON, false, action);
    }
    if !session.preferences.recent.is_empty() {
        let clear = vec![Action::File(FileAction::ForgetRecent)];
        let keywords = "history forget delete list";
        choices.add_command("Clear recent files", "File", keywords, clear);
    }
}

fn settings(session: &Session, choices: &mut Choices) {
    for (tone, word) in [(None, "System"), (Some(Tone::Dark), "Dark"), (Some(Tone::Light), "Light")] {
        let keywords = "appearance mode colours colors window night day";
        let action = Action::Window(WindowAction::SetTone(tone));
        choices.add(("Theme", word), ("Settings", keywords), icons::SUN_MOON, session.interface.tone == tone, action);
    }
    let preferences = &session.preferences;
    for (swapped, word) in [(false, "Right"), (true, "Left")] {
        let action = Action::Window(WindowAction::Prefer(Preference::SwapPanels(swapped)));
        let on = preferences.panels.swapped == swapped;
        choices.add(("Inspector", word), ("Settings", "panel side swap dock"), icons::PANEL_RIGHT, on, action);
    }
    for (name, keywords, on, what) in [
        (
            "Reduce motion",
            "animations accessibility transitions glide",
            preferences.reduced_motion,
            Preference::ReducedMotion as fn(bool) -> Preference,
        ),
        (
            "Reload files when they change on disk",
            "watch auto hot refresh",
            preferences.watch,
            Preference::Watch as fn(bool) -> Preference,
        ),
        (
            "Reopen last session at startup",
            "restore remember resume start",
            preferences.restore,
            Preference::Restore as fn(bool) -> Preference,
        ),
    ] {
        let action = |on| Action::Window(WindowAction::Prefer(what(on)));
        choices.add_switch(name, ("Settings", keywords), icons::SETTINGS, on, action);
    }
    let open = vec![Action::Window(WindowAction::ToggleDialog(Dialog::Settings))];
    choices.add_command("Default frame rate…", "Settings", "fps frames per second speed", open.clone());
    choices.add_command("Image memory…", "Settings", "texture limit megabytes large size", open.clone());
    choices.add_command("Caches…", "Settings", "cache size memory budget thumbnails undo", open);
    let clear = vec![Action::File(FileAction::ClearThumbnails)];
    choices.add_command("Clear thumbnail cache", "Settings", "delete remove caches disk previews", clear);
    for scale in SCALES {
        let action = Action::Window(WindowAction::Prefer(Preference::Scale(scale)));
        let on = (preferences.scale - scale).abs() < 1e-3;
        let word = format!("{:.0} %", scale * 100.0);
        choices.add(
            ("Interface scale", &word),
            ("Settings", "zoom dpi text size larger smaller"),
            icons::SETTINGS,
            on,
            action,
        );
    }
}

fn exports(session: &Session, choices: &mut Choices) {
    let now = session.jobs.saving.film;
    let export =
        |options: FilmOptions| vec![Action::Save(SaveAction::SetFilm(options)), Action::Save(SaveAction::SaveFilm)];
    for kind in FilmKind::ALL {
        let name = format!("Export animation as {}…", kind.label());
        let keywords = "video movie film apng sequence save record";
        choices.add_command(&name, "File", keywords, export(FilmOptions { kind, turns: false, ..now }));
    }
    let turntable = export(FilmOptions { turns: true, ..now });
    let keywords = "gif video movie film spin rotate save";
    choices.add_command("Export turntable…", "File", keywords, turntable);
}

fn display(session: &Session, choices: &mut Choices) {
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
        let on = display.shading == shading;
        choices.add(("Shading", shading.label()), ("Display", keywords), icons::PALETTE, on, action);
    }
    for lighting in LightingMode::ALL {
        let keywords = match lighting {
            LightingMode::Studio => "look light lamp",
            LightingMode::Game => "look engine shader players",
            LightingMode::Plain => "look plain without scripts no",
        };
        let action = Action::Display(DisplayAction::SetLighting(lighting));
        let on = display.lighting == lighting;
        choices.add(("Lighting", lighting.label()), ("Display", keywords), icons::LIGHT, on, action);
    }
    for wireframe in Wireframe::ALL {
        let action = Action::Display(DisplayAction::SetWireframe(wireframe));
        let on = display.wireframe == wireframe;
        let place = ("Display", "edges triangles polygons topology mesh");
        choices.add(("Wireframe", wireframe.label()), place, icons::TRIANGLE, on, action);
    }
    for sides in BackfaceDisplay::ALL {
        let action = Action::Display(DisplayAction::SetSides(sides));
        let on = display.sides == sides;
        let place = ("Display", "culling two-sided double-sided inside winding");
        choices.add(("Backfaces", sides.label()), place, icons::LAYERS, on, action);
    }
    for alpha in Alpha::ALL {
        let action = Action::Display(DisplayAction::SetAlpha(alpha));
        let on = display.alpha == alpha;
        choices.add(("Alpha", alpha.label()), ("Display", "transparency opacity cutout"), icons::LAYERS, on, action);
    }
    let colours = COLOURS.map(|(name, colour)| (name, Background::Colour(colour)));
    for (name, background) in std::iter::once(("Studio", Background::Studio)).chain(colours) {
        let action = Action::Display(DisplayAction::SetBackground(background));
        let on = display.background == background;
        choices.add(("Background", name), ("Display", "backdrop colour color"), icons::PALETTE, on, action);
    }
    let follows = display.light.follows_camera;
    let follow = |on| Action::Display(DisplayAction::LightFollows(on));
    choices.add_switch("Lock light to camera", ("Display", "follow headlight"), icons::LIGHT, follows, follow);
    for percent in [50_u8, 100, 200] {
        let brightness = f32::from(percent) / 100.0;
        let action = Action::Display(DisplayAction::SetBrightness(brightness));
        let on = (display.light.brightness - brightness).abs() < 1e-3;
        let place = ("Display", "light exposure intensity");
        choices.add(("Brightness", &format!("{percent} %")), place, icons::LIGHT, on, action);
    }
}

fn camera(session: &Session, choices: &mut Choices) {
    let camera = &session.view.camera;
    for (projection, word) in [(Projection::Perspective, "Perspective"), (Projection::Orthographic, "Orthographic")] {
        let on = camera.projection == projection;
        choices.add(
            ("Projection", word),
            ("View", "camera ortho parallel"),
            icons::CAMERA,
            on,
            Action::Camera(CameraAction::ToggleProjection),
        );
        // There is only a switch: what is chosen already needs none.
        if let Some(choice) = choices.all.last_mut().filter(|_| on) {
            choice.actions.clear();
        }
    }
    for degrees in FIELDS_OF_VIEW {
        let action = Action::Camera(CameraAction::SetFieldOfView(degrees));
        let on = (camera.field_of_view.to_degrees() - degrees).abs() < 0.5;
        choices.add(("Field of view", &format!("{degrees}°")), ("View", "fov camera lens"), icons::CAMERA, on, action);
    }
    for navigation in Navigation::ALL {
        let action = Action::Camera(CameraAction::SetNavigation(navigation));
        let on = session.view.navigation == navigation;
        choices.add(("Navigation", navigation.label()), ("View", "mouse scheme controls"), icons::CAMERA, on, action);
    }
}

fn scene(session: &Session, choices: &mut Choices) {
    let Some(entity) = session.entity() else { return };
    for level in SelectionLevel::ALL {
        let action = Action::Scene(SceneAction::SetSelectionLevel(level));
        let place = ("Edit", "pick click choose face polygon vertex point element");
        let on = session.view.selection_level == level;
        choices.add(("Selection mode", level.label()), place, icons::of_level(level), on, action);
    }
    let levels = entity.model().lod_count();
    for lod in (0..levels).filter(|_| levels > 1) {
        let action = Action::Scene(SceneAction::SetLod(lod));
        let place = ("Model", "level of detail");
        choices.add(("LOD", &lod.to_string()), place, icons::LAYERS, entity.lod == lod, action);
    }
    if entity.model().format().traits().joints == JointStorage::Bones {
        let now = session.document.scene.bones;
        for (bones, word) in [(BoneBlend::Slerp, "Slerp"), (BoneBlend::Engine, "In-game")] {
            let action = Action::Scene(SceneAction::SetBoneBlend(bones));
            let place = ("Model", "interpolation joints skeleton");
            choices.add(("Bones", word), place, icons::BONE, now == bones, action);
        }
    }
}

fn animation(session: &Session, choices: &mut Choices) {
    let playback = session.playback();
    for speed in SPEEDS_BACKWARDS.into_iter().chain(SPEEDS) {
        let action = Action::Clock(ClockAction::SetSpeed(speed));
        let on = (playback.speed - speed).abs() < 1e-6;
        let backwards = if speed < 0.0 { "playback slow fast reverse backwards" } else { "playback slow fast" };
        let place = ("Animation", backwards);
        choices.add(("Speed", &format::factor(speed)), place, icons::GAUGE, on, action);
    }
    let keywords = "frames per second";
    let own = Action::Clock(ClockAction::SetRate(None));
    choices.add(("Frame rate", "From clip"), ("Animation", "fps default"), icons::GAUGE, playback.rate.is_none(), own);
    for rate in RATES {
        let action = Action::Clock(ClockAction::SetRate(Some(rate)));
        let on = playback.rate.is_some_and(|chosen| (chosen - rate).abs() < 1e-4);
        choices.add(("Frame rate", &format!("{rate} fps")), ("Animation", keywords), icons::GAUGE, on, action);
    }
    for repeat in Repeat::ALL {
        let action = Action::Clock(ClockAction::SetRepeat(repeat));
        let place = ("Animation", "repeat play pingpong back and forth");
        choices.add(("Loop mode", repeat.label()), place, icons::LOOP, playback.repeat == repeat, action);
    }
    let onion = session.view.onion;
    for number in 0..=Onion::MOST {
        let word = if number == 0 { "none".to_owned() } else { number.to_string() };
        for (setting, on, wanted) in [
            ("Ghosts before", onion.before == number, Onion { on: true, before: number, ..onion }),
            ("Ghosts after", onion.after == number, Onion { on: true, after: number, ..onion }),
        ] {
            let action = Action::Timeline(TimelineAction::SetOnion(wanted));
            choices.add((setting, &word), ("Animation", "onion skin"), icons::LAYERS, on && onion.on, action);
        }
    }
    let model = session.track().map(maquette_scene::scene::Entity::model);
    if model.is_some_and(|model| !model.alternative_clips().is_empty()) {
        let place = ("Animation", "player table stand run attack");
        let action = |on| Action::Clock(ClockAction::SetPlayerTable(on));
        choices.add_switch("Use standard Quake II clips", place, icons::LIST, playback.player_table, action);
    }
    if session.tracks().len() > 1 {
        let action = |on| Action::Clock(ClockAction::SetPaired(on));
        let place = ("Animation", "character together");
        choices.add_switch(
            "Pair torso and legs as in Quake III",
            place,
            icons::PERSON,
            session.document.paired,
            action,
        );
    }
}
