//! Scene, its display options and its camera.

mod animated_bounds;
mod camera;
mod camera_text;
mod character_report;
mod choice;
mod display;
mod entities;
mod entity;
mod frame_plan;
mod frame_range;
mod game_light;
mod light;
mod loop_range;
mod measure;
mod memory_usage;
mod onion;
mod overlay;
mod overlay_kind;
mod pick;
mod playback;
mod selection;
mod texture_use;
mod trails;
mod vertex_values;

pub use animated_bounds::AnimatedBounds;
pub use camera::{Camera, FIELD_OF_VIEW, FIELD_OF_VIEW_RANGE, FIRST_VIEW, Projection, Ray, StandardView};
pub use camera_text::{CameraText, ViewLights, ViewText, parse_view};
pub use choice::{Choice, Choices};
pub use display::{
    Alpha, BackfaceDisplay, Background, ColourTheme, Display, GameEffect, LightingMode, MAX_SAMPLES, SAMPLES, Shading,
    TextureFilter, Wireframe,
};
pub use entities::Scene;
pub use entity::{Attachment, Entity, EntityId, Track, TrackId};
pub use frame_plan::{ClipRange, FramePlan, FrameTiming, MAX_FILM_FRAMES, Motion, RATE_RANGE, TURN_RANGE};
pub use frame_range::FrameRange;
pub use game_light::{GameLight, LightShape, MAX_GAME_LIGHTS};
pub use light::{BRIGHTNESS, KEY_ELEVATION, KEY_HOME, Light};
pub use maquette_core::inspect::Selection;
pub use measure::{Measure, position_in, position_of};
pub use memory_usage::MemoryUsage;
pub use onion::{Ghost, GhostInstance, Onion, update_ghosts};
pub use overlay::{Label, LabelKind, Layer, Line, Overlay, OverlayPart, OverlayView};
pub use overlay_kind::{OVERLAYS, OverlayKind, OverlayRow, Overlays};
pub use pick::{Hit, PickedAnchor, pick, pick_handle};
pub use playback::{ClipChoice, Playback, SPEED_RANGE, SPEEDS, SPEEDS_BACKWARDS};
pub use selection::SelectionLevel;
pub use texture_use::{
    EXCESS_DENSITY, LITTLE_USED, TextureKey, TextureUsage, used_textures, used_textures_key, used_textures_of_all,
};
pub use trails::{TRACK_COLOURS, TrackedPoint, Tracks, furthest_frame};
pub(crate) use vertex_values::counterpart_vertex;
pub use vertex_values::{DENSITY_REACH, ScalarField, VALUE_COLOURS, ValueSource};
