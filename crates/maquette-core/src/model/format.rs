//! The formats: one row for each, of all that the rest of the program knows of it. Its loader is a row of
//! [`formats::FORMATS`](crate::formats::FORMATS).

use std::fmt;

/// The five formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Quake II, `IDP2` version 8.
    Md2,
    /// Quake III Arena, `IDP3` version 15.
    Md3,
    /// Return to Castle Wolfenstein, `IDPC` version 2.
    Mdc,
    /// Star Trek Voyager: Elite Force, `RDM5` version 2.
    Mdr,
    /// Doom 3, text, version 10.
    Md5,
}

/// What is known of a format.
#[derive(Clone, Copy, Debug)]
pub struct FormatTraits {
    /// Which.
    pub format: Format,
    /// Short name, as on the command line and in settings.
    pub name: &'static str,
    /// Usual extension of a model file, without the dot.
    pub extension: &'static str,
    /// The game it was made for.
    pub game: &'static str,
    /// Frames per second of clips where no file names a rate.
    pub usual_rate: f32,
    /// Files beside a model that belong to it.
    pub companions: Companions,
    /// Whose scripts say what its surfaces look like.
    pub scripts: ScriptOrder,
    /// Whether a picture that no script speaks of is seen through where its alpha says so; else it is opaque, as Quake III
    /// and its kin draw it.
    pub alpha_without_script: bool,
}

/// Files beside a model that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companions {
    /// Coarser levels of detail, `NAME_1`, `NAME_2`.
    pub lods: bool,
    /// Animations of its skeleton, `.md5anim`.
    pub animations: bool,
    /// Lists that name ranges of its frames, `animation.cfg`.
    pub clip_lists: bool,
}

/// Whose scripts are searched, and whose first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptOrder {
    /// None: its names are pictures.
    None,
    /// Quake III's, then Doom 3's.
    Quake3First,
    /// Doom 3's, then Quake III's.
    Doom3First,
}

const NOTHING: Companions = Companions { lods: false, animations: false, clip_lists: false };

/// Every format, in the order of the enum.
static TABLE: [FormatTraits; 5] = [
    FormatTraits {
        format: Format::Md2,
        name: "md2",
        extension: "md2",
        game: "Quake II",
        usual_rate: 10.0,
        companions: NOTHING,
        scripts: ScriptOrder::None,
        alpha_without_script: true,
    },
    FormatTraits {
        format: Format::Md3,
        name: "md3",
        extension: "md3",
        game: "Quake III",
        usual_rate: 10.0,
        companions: Companions { lods: true, clip_lists: true, ..NOTHING },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdc,
        name: "mdc",
        extension: "mdc",
        game: "Return to Castle Wolfenstein",
        usual_rate: 10.0,
        companions: Companions { lods: true, clip_lists: true, ..NOTHING },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdr,
        name: "mdr",
        extension: "mdr",
        game: "Elite Force",
        usual_rate: 10.0,
        companions: Companions { clip_lists: true, ..NOTHING },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Md5,
        name: "md5",
        extension: "md5mesh",
        game: "Doom 3",
        usual_rate: 24.0,
        companions: Companions { animations: true, ..NOTHING },
        scripts: ScriptOrder::Doom3First,
        alpha_without_script: true,
    },
];

impl Format {
    /// All of them, from the oldest game to the newest.
    pub const ALL: [Self; 5] = [Self::Md2, Self::Md3, Self::Mdc, Self::Mdr, Self::Md5];

    /// What is known of it.
    #[must_use]
    pub const fn traits(self) -> &'static FormatTraits {
        &TABLE[self as usize]
    }

    /// Short name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// Usual extension of a model file, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.traits().extension
    }

    /// The game the format was made for.
    #[must_use]
    pub fn game(self) -> &'static str {
        self.traits().game
    }

    /// Frames per second of clips where no file names a rate.
    #[must_use]
    pub const fn usual_rate(self) -> f32 {
        self.traits().usual_rate
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

// A row stands where its format is looked for.
const _: () = {
    let mut index = 0;
    while index < Format::ALL.len() {
        assert!(TABLE[index].format as usize == index && Format::ALL[index] as usize == index);
        index += 1;
    }
};
