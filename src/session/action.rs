//! Everything a user can want, as data: panels, keys, menus and the command line all end in an [`Action`].

use std::path::PathBuf;

use glam::Vec2;

use super::{ContactOptions, FilmOptions, FrameWindow, Navigation, PictureOptions, Product, Purpose, Selection};
use crate::model::Format;
use crate::pose::{BoneBlend, Repeat};
use crate::scene::{
    ActorId, Alpha, Attachment, Background, ClipChoice, FrameRange, Look, Onion, Shading, Sides, StandardView, Tone,
    Wireframe,
};

/// What a user wants.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Ask for a path, and do with it what it is asked for.
    Ask(Purpose),
    /// Open these files or folders; the first model among them is shown, the others are next.
    Open(Vec<PathBuf>),
    /// What was dropped on the window: models are opened or hung on what stands there, pictures and skins are tried on,
    /// animations are added.
    Drop(Vec<PathBuf>),
    /// Show one of the models to go through, with the figure it is a part of.
    Show(PathBuf),
    /// Show this part by itself; the others stay as they are.
    ShowAlone(ActorId),
    /// Show everybody again; or the whole figure that the model is a part of.
    ShowFigure,
    /// Show the built-in figure in one of its five formats.
    OpenSample(Format),
    /// Search this folder or archive before the models' own games.
    AddRoot(PathBuf),
    /// Read the model and everything beside it again, keeping the camera.
    Reload,
    /// Go to the next model of the folder.
    NextModel,
    /// Go to the previous model of the folder.
    PreviousModel,
    /// Open the sheet that saves pictures.
    SavePicture,
    /// Open the sheet that saves films.
    SaveFilm,
    /// Open the sheet that saves contact sheets.
    SaveContactSheet,
    /// Open the sheet that saves pictures, set to nothing behind the model.
    SaveTransparent,
    /// Put the sheet that saves away.
    CloseSaving,
    /// How pictures are saved.
    SetPicture(PictureOptions),
    /// How films are saved.
    SetFilm(FilmOptions),
    /// How contact sheets are saved.
    SetContactSheet(ContactOptions),
    /// Save what the sheet tells of.
    SaveTo {
        /// What.
        product: Product,
        /// Where.
        path: PathBuf,
        /// A file of this name may be replaced: the user was told of it.
        replace: bool,
    },
    /// Put the picture on the clipboard.
    CopyPicture,
    /// Stop what is being made.
    CancelWork,
    /// Put the error away.
    CloseError,
    /// Give up what is being opened; what stands there stays.
    CancelLoading,
    /// Take everything off the stage.
    Close,
    /// Open what was open when the last session ended.
    RestoreLast,
    /// Forget what was opened before.
    ForgetRecent,
    /// Show the user guide.
    OpenGuide,
    /// Put the field for a path away.
    ClosePathField,
    /// End the program.
    Quit,

    /// Play or pause.
    TogglePlay,
    /// Go so many whole frames on, or back.
    Step(i32),
    /// Go to the clip's first frame.
    ClipStart,
    /// Go to the clip's last frame.
    ClipEnd,
    /// Choose the next clip.
    NextClip,
    /// Choose the previous clip.
    PreviousClip,
    /// Choose a clip and play it from its start.
    ChooseClip(ClipChoice),
    /// Choose a clip of one of the figure's parts.
    ChooseClipOf(ActorId, ClipChoice),
    /// Go to a frame, counted as people see it, and stop there.
    Seek(f64),
    /// Go to a frame of one of the figure's parts.
    SeekIn(ActorId, f64),
    /// Whether legs and torso go together as in the game.
    SetPaired(bool),
    /// Play faster or slower, as a factor.
    SetSpeed(f64),
    /// The next speed offered.
    Faster,
    /// The previous speed offered.
    Slower,
    /// Frames per second in place of the clip's own; `None`: its own.
    SetRate(Option<f32>),
    /// What happens at the clip's end.
    SetRepeat(Repeat),
    /// The next of loop, once, to and fro.
    CycleRepeat,
    /// Blend between frames, or not.
    ToggleInterpolation,
    /// Group frames by the Quake II player table, or by their names.
    SetPlayerTable(bool),

    /// Play these frames, counted as people see them, in place of the clip's; `None`: the clip's again.
    SetLoopRange(Option<FrameRange>),
    /// The loop range begins at the frame shown.
    LoopFromHere,
    /// The loop range ends at the frame shown.
    LoopToHere,
    /// Which neighbours of the frame shown are seen as ghosts.
    SetOnion(Onion),
    /// Show these frames on the timeline.
    ShowFrames(FrameWindow),
    /// Show so many times as many frames on the timeline, about one that stays where it is.
    ZoomFrames(f64, f64),
    /// Show fewer frames on the timeline, each wider, about the playhead.
    FewerFrames,
    /// Show more frames on the timeline.
    MoreFrames,
    /// Show the loop range, or else the clip, over the width of the timeline.
    ShowClipFrames,
    /// Show all frames on the timeline.
    ShowAllFrames,

    /// Let materials that move run or stand still, apart from the clips.
    ToggleEffects,
    /// Put the clock of moving materials at so many seconds, and stop it there.
    SeekEffects(f64),
    /// In whose light the model is seen.
    SetLook(Look),
    /// The next of studio, game, plain.
    CycleLook,
    /// Put the picture that is called much like the missing one on a surface, and on all that lack the same.
    UseNearest(usize),

    /// Turn a switch of the picture.
    Toggle(Switch),
    /// How surfaces are shaded.
    SetShading(Shading),
    /// The next way of shading.
    CycleShading,
    /// Edges of triangles.
    SetWireframe(Wireframe),
    /// The next of none, over, alone.
    CycleWireframe,
    /// What becomes of alpha.
    SetAlpha(Alpha),
    /// Length of normals as a share of the model's radius.
    SetNormalLength(f32),
    /// Dark or light; `None` follows the system.
    SetTone(Option<Tone>),
    /// Lengthen or shorten normals by a factor.
    ScaleNormals(f32),
    /// Show or hide a surface.
    ShowSurface(usize, bool),
    /// Hide the chosen surface, or show it again.
    ToggleChosenSurface,
    /// Show the chosen surface alone.
    ShowOnlyChosen,
    /// Show this surface alone.
    ShowOnly(usize),
    /// Show all surfaces.
    ShowAllSurfaces,
    /// Choose what is looked at closely.
    Select(Selection),
    /// Choose what is looked at closely, of this part.
    SelectIn(ActorId, Selection),
    /// Show or hide a part.
    ShowActor(ActorId, bool),
    /// Show all parts.
    ShowAllActors,
    /// Hang a model here; a weapon brings its barrel and its flash.
    Attach(PathBuf, Attachment),
    /// Hang a part elsewhere.
    Hang(ActorId, Attachment),
    /// Take a part and all it carries away.
    Detach(ActorId),
    /// Put this weapon into the figure's hand, or none.
    ChooseWeapon(Option<PathBuf>),
    /// Bring back what stood there before a model was dropped, and hang the model here.
    AttachInstead(Attachment),
    /// Open the model that was hung on what stands there.
    OpenInstead,
    /// Put the offer away.
    CloseOffer,
    /// Choose a skin.
    ChooseSkin(usize),
    /// Choose the skin of this name for every part that has it.
    ChooseSkinOfAll(String),
    /// Put on one surface what it wears with another skin.
    WearFrom(usize, usize),
    /// Take off what was tried on a surface.
    TakeOff(usize),
    /// Try a picture on the chosen surface, or on all of the part.
    TryPicture(PathBuf),
    /// The next skin.
    NextSkin,
    /// Choose a level of detail.
    SetLod(u32),
    /// How MDR bones are blended.
    SetBoneBlend(BoneBlend),

    /// Turn the camera by degrees of yaw and pitch.
    Orbit(f32, f32),
    /// Drag the model by points of a picture of the given height.
    Pan(Vec2, f32),
    /// Nearer (< 1) or farther, about a place in half heights from the middle, y up.
    Zoom(f32, Vec2),
    /// Put the model in the middle, as large as fits.
    FrameModel,
    /// The first view again.
    ResetView,
    /// A standard view.
    LookFrom(StandardView),
    /// Perspective or orthographic.
    ToggleProjection,
    /// Full vertical opening of the perspective in degrees, 10 to 90; the model keeps its size.
    SetFieldOfView(f32),
    /// Choose what is seen at a place of the picture, in half heights from the middle, y up; nothing, if nothing is.
    PickAt(Vec2),
    /// Put what is seen at such a place into the middle; where nothing is, the whole model.
    CentreOn(Vec2),
    /// Put what is chosen into the middle, as large as fits.
    FocusSelection,
    /// Let the camera go round the model, or stop it.
    ToggleTurntable,
    /// Seconds that it takes to go round.
    SetTurnPeriod(f32),
    /// What the hand does to the picture.
    SetNavigation(Navigation),
    /// Turn the studio's light by degrees to the viewer's right and up.
    TurnLight(f32, f32),
    /// Whether the light turns with the camera or stays in the world.
    LightFollows(bool),
    /// The light as it was at first.
    ResetLight,
    /// All of the studio's light, as a factor.
    SetBrightness(f32),
    /// What stands behind the model.
    SetBackground(Background),
    /// What is seen of triangles from behind.
    SetSides(Sides),
    /// The next of nothing, the same, tinted.
    CycleSides,

    /// Undo what was last done to the stage.
    Undo,
    /// Do again what was undone.
    Redo,

    /// Give the command of this label these keys.
    SetKeys(&'static str, String),
    /// Give all commands their usual keys.
    ResetKeys,
    /// Something that is remembered from start to start.
    Prefer(Preference),

    /// Show or hide a panel.
    TogglePanel(Panel),
    /// A side panel was made so many points wide.
    SetPanelWidth(Panel, f32),
    /// Side panels where and as wide as they are at first.
    ResetLayout,
    /// Hide all panels, or show them again.
    ToggleAllPanels,
    /// The whole screen, or a window.
    ToggleFullScreen,
}

/// Switches of the picture that are on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Switch {
    /// Ground grid.
    Grid,
    /// Ground shadow.
    Shadow,
    /// Dots on vertices.
    Vertices,
    /// Vertex normals.
    VertexNormals,
    /// Face normals.
    FaceNormals,
    /// Tags.
    Tags,
    /// Joints and bones.
    Joints,
    /// Names of joints.
    JointNames,
    /// Box of the pose.
    Bounds,
    /// Overlays over the model.
    OverlaysOnTop,
    /// Neighbours of the frame shown as ghosts.
    OnionSkin,
}

/// Panels that can be hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// What the model is made of, at the right.
    Inspector,
    /// Models of the folder, at the left.
    Files,
    /// The sheet of keys.
    Help,
    /// What happened.
    Log,
    /// Every action by its name.
    Palette,
    /// What is remembered from start to start.
    Settings,
    /// The first steps.
    Hints,
}

/// Something that is remembered from start to start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preference {
    /// Read files again by itself when another program has saved them.
    Watch(bool),
    /// Begin where the last session ended.
    Restore(bool),
    /// The camera jumps instead of gliding, and nothing fades.
    ReducedMotion(bool),
    /// Files at the right, inspector at the left.
    SwapPanels(bool),
    /// Frames per second of a format's clips whose file names no rate; `None`: as usual.
    Rate(Format, Option<f32>),
}
