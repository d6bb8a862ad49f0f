//! What stands on the stage, how it is shown, and from where it is looked at.

mod camera;
mod display;
mod open;
mod overlay;
mod part;
mod sample;

pub use camera::{Camera, FIELD_OF_VIEW, FIRST_VIEW, Projection, StandardView};
pub use display::{Alpha, Background, Display, Shading, Tone, Wireframe};
pub use open::{
    OpenCause, OpenError, is_model_file, models_below, models_below_until, open, open_in, open_without_pictures,
};
pub use overlay::{Label, LabelKind, Layer, Line, Overlay, OverlayPart, OverlayView, Selection};
pub use part::{Part, Skin};
pub use sample::{open_sample, sample_name};
