//! Tabs of the dock: names and commands.

use crate::session::commands::{command, has_track};
use crate::session::{Action, Command, Group, WindowAction};

/// Tab of the dock, the panel next to the view. At most one tab is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DockTab {
    /// Structure of the model's file.
    File,
    /// A texture with the triangles of the selected surface.
    Texture,
    /// Motion of tracked points.
    Motion,
    /// Lint findings for an engine.
    Lint,
    /// Differences from another model.
    Compare,
}

impl DockTab {
    /// Tabs in display order.
    pub const ALL: &[Self] = &[Self::File, Self::Texture, Self::Motion, Self::Lint, Self::Compare];

    /// Returns the stable id under which settings are saved.
    pub fn id(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Texture => "UV",
            Self::Motion => "Motion",
            Self::Lint => "Lint",
            Self::Compare => "Compare",
        }
    }

    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::Texture => "UV",
            Self::Motion => "Motion",
            Self::Lint => "Check",
            Self::Compare => "Compare",
        }
    }
}

/// Returns the commands that open the tabs, in display order.
#[rustfmt::skip]
pub(crate) fn commands() -> [Command; DockTab::ALL.len()] {
    let opens = |tab, id, label, keys| command(id, Group::View, label, keys, Action::Window(WindowAction::ToggleDock(tab)));
    [
        opens(DockTab::File, "view.file-structure", "File structure", "F6").found_by("anatomy hex show bytes in file offset binary dump format header inspect raw source failing error").when(|session| session.structure_file().is_some()),
        opens(DockTab::Texture, "view.uv-and-texture", "UV and texture", "F7").found_by("uv layout map unwrap texture coordinates image picture channels alpha texel islands overlap"),
        opens(DockTab::Motion, "view.motion", "Motion", "F8").found_by("curves graph speed angles position path foot sliding trajectory chart").when(|session| session.asset().is_some() && has_track(session)),
        opens(DockTab::Lint, "view.lint", "Engine check", "F10").found_by("lint validate problems errors warnings engine limits profile quake3 doom3 rules"),
        opens(DockTab::Compare, "view.compare", "Compare", "F2").found_by("diff difference two models versus side by side overlay"),
    ]
}
