//! What stands in the scene, how it is shown, and from where it is looked at.

#![forbid(unsafe_code)]

mod assembly;
mod camera;
mod catalogue;
mod companion_names;
mod display;
mod edited_file;
mod entities;
mod entity;
mod extent;
mod figure;
mod frame_plan;
mod frame_range;
mod held;
mod light;
mod loop_range;
mod measure;
mod model_asset;
mod onion;
mod open;
mod order;
mod overlay;
mod overlay_kind;
mod pick;
mod playback;
mod sample;
mod selection;
mod source;
mod texture_use;
mod trails;
mod tree;
mod vertex_values;

pub use assembly::{Anchor, Assembly, AssemblyPart, Figure, Role};
pub use camera::{Camera, FIELD_OF_VIEW, FIELD_OF_VIEW_RANGE, FIRST_VIEW, Projection, Ray, StandardView};
pub use catalogue::{
    Found, format_by_name, is_model_file, models_below, models_below_until, models_beside, only_legs, walk,
    without_levels,
};
pub use companion_names::CompanionNames;
pub use display::{Alpha, BackfaceDisplay, Background, Display, LightingMode, Shading, Tone, Wireframe};
pub use edited_file::EditedFile;
pub use entities::Scene;
pub use entity::{Attachment, Entity, EntityId};
pub use extent::{Extent, Outlines};
pub use figure::is_weapon;
pub use frame_plan::{FramePlan, FramePlanError, MOST_FRAMES, Motion, Pace, RATE_RANGE, Span, TURN_RANGE};
pub use frame_range::FrameRange;
pub use held::Held;
pub use light::{BRIGHTNESS, KEY_ELEVATION, KEY_HOME, Light};
pub use measure::{Measure, place_of};
pub use model_asset::{Dressing, ModelAsset, Skin};
pub use onion::{Ghost, Onion, Placed, update_ghosts};
pub use open::{
    EditedPart, MaterialName, MaterialNames, OpenCause, OpenError, Opener, Staging, open, open_in,
    open_without_pictures,
};
pub use order::sort_models;
pub use overlay::{Label, LabelKind, Layer, Line, Overlay, OverlayPart, OverlayView};
pub use overlay_kind::{OVERLAYS, OverlayKind, OverlayRow, Overlays};
pub use pick::{Handle, Hit, pick, pick_handle};
pub use playback::{ClipChoice, Playback, SPEED_RANGE, SPEEDS, SPEEDS_BACKWARDS};
pub use sample::{open_sample, sample_bytes, sample_formats, sample_name};
pub use selection::{Selection, SelectionLevel};
pub use source::Source;
pub use texture_use::{
    LEAST_USED, MOST_DENSITY, TextureKey, WornTexture, worn_textures, worn_textures_key, worn_textures_of_all,
};
pub use trails::{Followed, TRACK_COLOURS, Tracks, furthest_frame};
pub use tree::{Folder, ModelTree, Node};
pub use vertex_values::{DENSITY_REACH, Places, VALUE_COLOURS, ValueSource};
