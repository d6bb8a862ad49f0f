//! What is looked at closely.

/// What is chosen of an entity, by index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A surface.
    Surface(usize),
    /// A tag.
    Tag(usize),
    /// A joint.
    Joint(usize),
}
