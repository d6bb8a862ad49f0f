//! Palette entries other than commands: values of settings and menus.

use std::fmt::Display;

use super::find::Entry;
use crate::ui::display_menus::{PROJECTIONS, THEMES};
use crate::ui::inspector::pairing_label;
use crate::ui::light_menu::COLOURS;
use crate::ui::{icons, inspector, timeline};
use maquette_assets::open::sample_formats;
use maquette_core::model::JointStorage;
use maquette_core::pose::BoneBlend;
use maquette_scene::scene::{
    Alpha, BackfaceDisplay, Background, LightingMode, SPEEDS, SPEEDS_BACKWARDS, SelectionLevel, Shading, TextureFilter,
    Wireframe,
};
use maquette_scene::session::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, FileAction, FilmKind, FilmOptions, Navigation,
    Preference, SCALES, SaveAction, SceneAction, Session, WindowAction,
};

const FIELDS_OF_VIEW: [f32; 5] = [15.0, 30.0, 45.0, 60.0, 90.0];

/// Value of a setting or menu, or a command, and its search terms, separated by spaces.
pub type Choice = (Entry, &'static str);

/// Adds the values of a setting, each with its state (current or not) and its action. `heading` has the setting's name,
/// menu, search terms and icon.
fn add<V: Display>(
    all: &mut Vec<Choice>,
    heading: [&'static str; 4],
    values: impl IntoIterator<Item = (V, bool, Action)>,
) {
    let [setting, place, keywords, icon] = heading;
    for (value, on, action) in values {
        let icon = if on { icons::CHECK } else { icon };
        add_command(all, format!("{setting}: {value}"), [place, keywords, icon], vec![action]);
    }
}

fn add_command(all: &mut Vec<Choice>, name: impl Into<String>, heading: [&'static str; 3], actions: Vec<Action>) {
    let [place, keywords, icon] = heading;
    let entry = Entry { name: name.into(), what: place.to_owned(), icon, actions, usable: true, ..Entry::default() };
    all.push((entry, keywords));
}

/// Returns text, state and action of each value.
fn each<V: Copy + PartialEq, W>(
    values: impl IntoIterator<Item = (V, W)>,
    now: V,
    choose: impl Fn(V) -> Action,
) -> impl Iterator<Item = (W, bool, Action)> {
    values.into_iter().map(move |(value, word)| (word, value == now, choose(value)))
}

fn switch(on: bool, action: impl Fn(bool) -> Action) -> impl Iterator<Item = (&'static str, bool, Action)> {
    each([(true, "on"), (false, "off")], on, action)
}

/// Returns all entries that currently apply. `number` is a frame number from the query.
pub fn choices(session: &Session, number: Option<f64>) -> Vec<Choice> {
    let mut all = Vec::new();
    files(session, &mut all);
    settings(session, &mut all);
    if let Some(failure) = session.interface.failure.as_ref().filter(|failure| failure.is_damaged) {
        let open = Action::File(FileAction::Salvage(failure.file.clone()));
        let keywords = "damaged broken salvage repair recover";
        add_command(&mut all, "Open recoverable part", ["File", keywords, icons::ENTER], vec![open]);
    }
    if session.asset().is_some() {
        for (title, keywords) in inspector::sections(session) {
            let show = Action::Window(WindowAction::ShowSection(title));
            add_command(&mut all, title, ["Inspector", keywords, icons::ENTER], vec![show]);
        }
        exports(session, &mut all);
        display(session, &mut all);
        camera(session, &mut all);
        scene(session, &mut all);
        skins_and_weapons(session, &mut all);
        if let Some(frame) = number {
            let seek = Action::Clock(ClockAction::Seek(frame));
            let heading = ["Animation", "jump seek", icons::FORWARD];
            add_command(&mut all, format!("Go to frame {frame}"), heading, vec![seek]);
        }
    }
    if session.track().is_some() {
        animation(session, &mut all);
    }
    all
}

fn files(session: &Session, all: &mut Vec<Choice>) {
    let samples = sample_formats().map(|format| {
        let name = format!("{} — {}", format.title(), format.game());
        (name, false, Action::File(FileAction::OpenSample(format)))
    });
    add(all, ["Sample model", "File", "example demo open test", icons::PERSON], samples);
    if !session.preferences.recent.is_empty() {
        let keywords = "history forget delete list";
        let clear = Action::File(FileAction::ForgetRecent);
        add_command(all, "Clear recent files", ["File", keywords, icons::ENTER], vec![clear]);
    }
}

fn settings(session: &Session, all: &mut Vec<Choice>) {
    let tones = each(THEMES, session.interface.theme, |tone| Action::Window(WindowAction::SetTheme(tone)));
    let keywords = "appearance mode colours colors window night day";
    add(all, ["Theme", "Settings", keywords, icons::SUN_MOON], tones);
    let now = &session.preferences;
    let prefer = |preference| Action::Window(WindowAction::Prefer(preference));
    let sides = [(false, "Right"), (true, "Left")];
    let sides = each(sides, now.panels.swapped, |swapped| prefer(Preference::SwapPanels(swapped)));
    add(all, ["Inspector", "Settings", "panel side swap dock", icons::PANEL_RIGHT], sides);
    let motion_keywords = "animations accessibility transitions glide";
    let reload = "Reload files when they change on disk";
    let reduce: fn(bool) -> Preference = Preference::ReducedMotion;
    for (setting, keywords, on, preference) in [
        ("Reduce motion", motion_keywords, now.reduced_motion, reduce),
        (reload, "watch auto hot refresh", now.watch, Preference::Watch),
        ("Reopen last session at startup", "restore remember resume start", now.restore, Preference::Restore),
    ] {
        add(all, [setting, "Settings", keywords, icons::SETTINGS], switch(on, |on| prefer(preference(on))));
    }
    for (name, keywords) in [
        ("Default frame rate…", "fps frames per second speed"),
        ("Image memory…", "texture limit megabytes large size"),
        ("Caches…", "cache size memory budget thumbnails undo"),
    ] {
        let open = Action::Window(WindowAction::ToggleDialog(Dialog::Settings));
        add_command(all, name, ["Settings", keywords, icons::ENTER], vec![open]);
    }
    let clear = Action::File(FileAction::ClearThumbnails);
    let keywords = "delete remove caches disk previews";
    add_command(all, "Clear thumbnail cache", ["Settings", keywords, icons::ENTER], vec![clear]);
    let scales = SCALES.into_iter().map(|scale| {
        let on = (now.scale - scale).abs() < 1e-3;
        (format!("{:.0} %", scale * 100.0), on, prefer(Preference::Scale(scale)))
    });
    add(all, ["Interface scale", "Settings", "zoom dpi text size larger smaller", icons::SETTINGS], scales);
}

fn exports(session: &Session, all: &mut Vec<Choice>) {
    let now = session.jobs.saving.film;
    let mut export = |name: String, keywords, options: FilmOptions| {
        let actions = vec![Action::Save(SaveAction::SetFilm(options)), Action::Save(SaveAction::SaveFilm)];
        add_command(all, name, ["File", keywords, icons::ENTER], actions);
    };
    for kind in FilmKind::ALL {
        let keywords = "video movie film apng sequence save record";
        let name = format!("Export animation as {}…", kind.label());
        export(name, keywords, FilmOptions { kind, turns: false, ..now });
    }
    let keywords = "gif video movie film spin rotate save";
    export("Export turntable…".to_owned(), keywords, FilmOptions { turns: true, ..now });
}

fn display(session: &Session, all: &mut Vec<Choice>) {
    let now = &session.view.display;
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
        let choose = |shading| Action::Display(DisplayAction::SetShading(shading));
        let value = each([(shading, shading.label())], now.shading, choose);
        add(all, ["Shading", "Display", keywords, icons::PALETTE], value);
    }
    for lighting in LightingMode::ALL {
        let keywords = match lighting {
            LightingMode::Studio => "look light lamp environment",
            LightingMode::Soft => "look light studio environment overcast ambient occlusion",
            LightingMode::Hard => "look light studio environment spotlight contrast dramatic",
            LightingMode::Game => "look engine shader players",
            LightingMode::Plain => "look plain without scripts no",
        };
        let choose = |lighting| Action::Display(DisplayAction::SetLighting(lighting));
        let value = each([(lighting, lighting.label())], now.lighting, choose);
        add(all, ["Lighting", "Display", keywords, icons::LIGHT], value);
    }
    let wireframes = Wireframe::ALL.map(|wireframe| (wireframe, wireframe.label()));
    let values = each(wireframes, now.wireframe, |wireframe| Action::Display(DisplayAction::SetWireframe(wireframe)));
    add(all, ["Wireframe", "Display", "edges triangles polygons topology mesh", icons::TRIANGLE], values);
    let sides = BackfaceDisplay::ALL.map(|sides| (sides, sides.label()));
    let values = each(sides, now.sides, |sides| Action::Display(DisplayAction::SetSides(sides)));
    add(all, ["Backfaces", "Display", "culling two-sided double-sided inside winding", icons::LAYERS], values);
    let alphas = Alpha::ALL.map(|alpha| (alpha, alpha.label()));
    let values = each(alphas, now.alpha, |alpha| Action::Display(DisplayAction::SetAlpha(alpha)));
    add(all, ["Alpha", "Display", "transparency opacity cutout", icons::LAYERS], values);
    let filters = TextureFilter::ALL.map(|filter| (filter, filter.label()));
    let choose = |filter| Action::Display(DisplayAction::SetTextureFilter(filter));
    let values = each(filters, now.texture_filter, choose);
    add(all, ["Texture filter", "Display", "magnification pixelated bilinear interpolation", icons::LAYERS], values);
    let colours = COLOURS.map(|(name, colour)| (Background::Colour(colour), name));
    let values = std::iter::once((Background::Studio, "Studio")).chain(colours);
    let values = each(values, now.background, |background| Action::Display(DisplayAction::SetBackground(background)));
    add(all, ["Background", "Display", "backdrop colour color", icons::PALETTE], values);
    let follow = switch(now.light.follows_camera, |on| Action::Display(DisplayAction::LightFollows(on)));
    add(all, ["Lock light to camera", "Display", "follow headlight", icons::LIGHT], follow);
    let brightnesses = [50_u8, 100, 200].map(|percent| {
        let brightness = f32::from(percent) / 100.0;
        let on = (now.light.brightness - brightness).abs() < 1e-3;
        (format!("{percent} %"), on, Action::Display(DisplayAction::SetBrightness(brightness)))
    });
    add(all, ["Brightness", "Display", "light exposure intensity", icons::LIGHT], brightnesses);
}

fn camera(session: &Session, all: &mut Vec<Choice>) {
    let camera = &session.view.camera;
    for (projection, word) in PROJECTIONS {
        let on = projection == camera.projection;
        // The current projection has no action, because the only action toggles the projection.
        let toggle = (!on).then_some(Action::Camera(CameraAction::ToggleProjection));
        let icon = if on { icons::CHECK } else { icons::CAMERA };
        let heading = ["View", "camera ortho parallel", icon];
        add_command(all, format!("Projection: {word}"), heading, toggle.into_iter().collect());
    }
    let fields = FIELDS_OF_VIEW.map(|degrees| {
        let on = (camera.field_of_view.to_degrees() - degrees).abs() < 0.5;
        (format!("{degrees}°"), on, Action::Camera(CameraAction::SetFieldOfView(degrees)))
    });
    add(all, ["Field of view", "View", "fov camera lens", icons::CAMERA], fields);
    let navigations = Navigation::ALL.map(|navigation| (navigation, navigation.label()));
    let choose = |navigation| Action::Camera(CameraAction::SetNavigation(navigation));
    let keywords = "mouse scheme controls";
    add(all, ["Navigation", "View", keywords, icons::CAMERA], each(navigations, session.view.navigation, choose));
}

fn scene(session: &Session, all: &mut Vec<Choice>) {
    let Some(entity) = session.entity() else { return };
    for level in SelectionLevel::ALL {
        let choose = |level| Action::Scene(SceneAction::SetSelectionLevel(level));
        let value = each([(level, level.label())], session.view.selection_level, choose);
        let keywords = "pick click choose face polygon vertex point element";
        add(all, ["Selection mode", "Edit", keywords, icons::of_level(level)], value);
    }
    let count = entity.model().lod_count();
    let levels = (0..count).filter(|_| count > 1).map(|lod| (lod, lod));
    let levels = each(levels, entity.lod, |lod| Action::Scene(SceneAction::SetLod(lod)));
    add(all, ["LOD", "Model", "level of detail", icons::LAYERS], levels);
    if entity.model().format().traits().joints == JointStorage::Bones {
        let bones = [(BoneBlend::Slerp, "Slerp"), (BoneBlend::Engine, "In-game")];
        let choose = |bones| Action::Scene(SceneAction::SetBoneBlend(bones));
        let keywords = "interpolation joints skeleton";
        add(all, ["Bones", "Model", keywords, icons::BONE], each(bones, session.document.scene.bones, choose));
    }
}

fn skins_and_weapons(session: &Session, all: &mut Vec<Choice>) {
    let mut names = session.skin_names();
    let own = session.entity().map(|entity| &entity.asset.skins).filter(|skins| names.is_empty() && skins.len() > 1);
    names.extend(own.into_iter().flatten().map(|skin| skin.name.clone()));
    for name in names {
        let choose = Action::Scene(SceneAction::ChooseSkinOfAll(name.clone()));
        add_command(all, name, ["Skin", "texture", icons::PALETTE], vec![choose]);
    }
    let weapons = session.document.scene.character.as_ref().map_or(&[][..], |figure| &figure.weapons);
    for weapon in weapons.iter().map(Some).chain((!weapons.is_empty()).then_some(None)) {
        let stem = weapon.map_or("none".into(), |path| path.file_stem().unwrap_or_default().to_string_lossy());
        let choose = Action::Scene(SceneAction::ChooseWeapon(weapon.cloned()));
        add_command(all, format!("Weapon: {stem}"), ["Character", "gun hand", icons::PERSON], vec![choose]);
    }
}

fn animation(session: &Session, all: &mut Vec<Choice>) {
    let [forwards, backwards] = ["playback slow fast", "playback slow fast reverse backwards"];
    for (speeds, keywords) in [(&SPEEDS_BACKWARDS[..], backwards), (&SPEEDS[..], forwards)] {
        add(all, ["Speed", "Animation", keywords, icons::GAUGE], timeline::speeds(session, speeds));
    }
    let own = [("From clip", session.playback().rate.is_none(), Action::Clock(ClockAction::SetRate(None)))];
    add(all, ["Frame rate", "Animation", "fps default", icons::GAUGE], own);
    add(all, ["Frame rate", "Animation", "frames per second", icons::GAUGE], timeline::rates(session));
    let keywords = "repeat play pingpong back and forth";
    add(all, ["Loop mode", "Animation", keywords, icons::LOOP], timeline::repeats(session));
    for (setting, _, values) in timeline::onion_settings(session).into_iter().take(2) {
        // While the onion skin is off, no value counts as current.
        let values = values.into_iter().map(|(word, on, action)| (word, on && session.view.onion.on, action));
        add(all, [setting, "Animation", "onion skin", icons::LAYERS], values);
    }
    let model = session.track().map(maquette_scene::scene::Entity::model);
    if model.is_some_and(|model| !model.alternative_clips().is_empty()) {
        let table = switch(session.playback().player_table, |on| Action::Clock(ClockAction::SetPlayerTable(on)));
        let keywords = "player table stand run attack";
        add(all, ["Use standard player clips", "Animation", keywords, icons::LIST], table);
    }
    if let Some(setting) = pairing_label(session).filter(|_| session.tracks().len() > 1) {
        let paired = switch(session.document.paired, |on| Action::Clock(ClockAction::SetPaired(on)));
        add(all, [setting, "Animation", "character together", icons::PERSON], paired);
    }
}
