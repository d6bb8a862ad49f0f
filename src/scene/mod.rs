//! What stands on the stage, how it is shown, and from where it is looked at.

mod camera;
mod display;
mod overlay;

pub use camera::{Camera, FIELD_OF_VIEW, FIRST_VIEW, Projection, StandardView};
pub use display::{Alpha, Background, Display, Shading, Tone, Wireframe};
pub use overlay::{Label, LabelKind, Layer, Line, Overlay, OverlayPart, OverlayView, Selection};
