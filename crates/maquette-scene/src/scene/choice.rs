//! Values of settings with their names.

use super::{Projection, SelectionLevel};
use maquette_core::pose::{BoneBlend, Repeat};

/// Value of a setting with its names.
#[derive(Debug)]
pub struct Choice<T> {
    /// The value.
    pub value: T,
    /// Display name.
    pub label: &'static str,
    /// Names on the command line, in lower case. Help texts list only the first.
    pub names: &'static [&'static str],
    /// Search words of the command palette, separated by spaces.
    pub keywords: &'static str,
}

impl<T: Copy> Choice<T> {
    /// Creates a value without names on the command line and without search words.
    #[must_use]
    pub const fn new(value: T, label: &'static str) -> Self {
        Self { value, label, names: &[], keywords: "" }
    }

    pub(crate) const fn named(mut self, names: &'static [&'static str]) -> Self {
        self.names = names;
        self
    }

    pub(crate) const fn found_by(mut self, keywords: &'static str) -> Self {
        self.keywords = keywords;
        self
    }
}

/// Type of a setting whose values are listed in one table.
pub trait Choices: Copy + PartialEq + 'static {
    /// Values in the order of menus.
    const CHOICES: &'static [Choice<Self>];

    /// Returns all values in the order of menus.
    fn all() -> impl Iterator<Item = Self> {
        Self::CHOICES.iter().map(|choice| choice.value)
    }

    /// Returns all values with their display names, in the order of menus.
    #[must_use]
    fn labelled() -> Vec<(Self, &'static str)> {
        Self::CHOICES.iter().map(|choice| (choice.value, choice.label)).collect()
    }

    /// Returns the display name.
    #[must_use]
    fn label(self) -> &'static str {
        Self::CHOICES.iter().find(|choice| choice.value == self).map_or("", |choice| choice.label)
    }
}

impl Choices for Projection {
    const CHOICES: &'static [Choice<Self>] =
        &[Choice::new(Self::Perspective, "Perspective"), Choice::new(Self::Orthographic, "Orthographic")];
}

impl Choices for SelectionLevel {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Surface, "Surfaces"),
        Choice::new(Self::Triangle, "Triangles"),
        Choice::new(Self::Vertex, "Vertices"),
    ];
}

impl Choices for BoneBlend {
    const CHOICES: &'static [Choice<Self>] = &[Choice::new(Self::Slerp, "Slerp"), Choice::new(Self::Engine, "In-game")];
}

impl Choices for Repeat {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Loop, "From clip").named(&["loop", "from-clip"]),
        Choice::new(Self::Whole, "Loop").named(&["whole"]),
        Choice::new(Self::Once, "Once").named(&["once"]),
        Choice::new(Self::PingPong, "Ping-pong").named(&["ping-pong", "pingpong"]),
    ];
}
