//! What stands in the scene, how it is shown, and from where it is looked at.

#![forbid(unsafe_code)]

mod camera;
mod character_report;
mod display;
mod entities;
mod entity;
mod extent;
mod frame_plan;
mod frame_range;
mod held;
mod light;
mod loop_range;
mod measure;
mod onion;
mod overlay;
mod overlay_kind;
mod pick;
mod playback;
mod selection;
mod texture_use;
mod trails;
mod vertex_values;

pub use camera::{Camera, FIELD_OF_VIEW, FIELD_OF_VIEW_RANGE, FIRST_VIEW, Projection, Ray, StandardView};
pub use display::{Alpha, BackfaceDisplay, Background, Display, LightingMode, Shading, Tone, Wireframe};
pub use entities::Scene;
pub use entity::{Attachment, Entity, EntityId};
pub use extent::Extent;
pub use frame_plan::{FramePlan, FramePlanError, MAX_FILM_FRAMES, Motion, Pace, RATE_RANGE, Span, TURN_RANGE};
pub use frame_range::FrameRange;
pub use held::Held;
pub use light::{BRIGHTNESS, KEY_ELEVATION, KEY_HOME, Light};
pub use maquette_core::inspect::Selection;
pub use measure::{Measure, place_of};
pub use onion::{Ghost, Onion, Placed, update_ghosts};
pub use overlay::{Label, LabelKind, Layer, Line, Overlay, OverlayPart, OverlayView};
pub use overlay_kind::{OVERLAYS, OverlayKind, OverlayRow, Overlays};
pub use pick::{Handle, Hit, pick, pick_handle};
pub use playback::{ClipChoice, Playback, SPEED_RANGE, SPEEDS, SPEEDS_BACKWARDS};
pub use selection::SelectionLevel;
pub use texture_use::{
    EXCESS_DENSITY, LITTLE_USED, TextureKey, WornTexture, worn_textures, worn_textures_key, worn_textures_of_all,
};
pub use trails::{Followed, TRACK_COLOURS, Tracks, furthest_frame};
pub use vertex_values::{DENSITY_REACH, Places, VALUE_COLOURS, ValueSource};
