//! Files of a character.

/// Files of a character, as game paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CharacterFiles {
    ThreeParts {
        /// Legs.
        lower: String,
        /// Torso, attached to the legs.
        upper: String,
        /// Head, attached to the torso; some characters have none.
        head: Option<String>,
    },
    /// A player with one body, whose head is a separate model.
    OneBody {
        /// Body.
        body: String,
        /// Head, attached to the body; some characters have none.
        head: Option<String>,
        /// Name of the body's skin; empty if the user chooses one.
        skin: String,
        /// Name or path of the head's skin; empty if the skin is named like the body's.
        head_skin: String,
    },
    /// A Quake II player.
    Quake2 {
        /// Body.
        body: String,
        /// Available weapons, `weapon.md2` first.
        weapons: Vec<String>,
    },
    /// A player of Jedi Academy.
    Ghoul2 {
        /// Body.
        body: String,
    },
}
