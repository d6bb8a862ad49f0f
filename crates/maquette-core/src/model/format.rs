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

/// Everything that the rest of the program knows of a format. Code asks for one of these properties, and never whether a
/// model is, say, an MD5.
#[derive(Clone, Copy, Debug)]
pub struct FormatTraits {
    /// The format.
    pub format: Format,
    /// Short name, as on the command line and in settings.
    pub name: &'static str,
    /// Usual extension of a model file, without the dot.
    pub extension: &'static str,
    /// Media type by which desktops know such files.
    pub media_type: &'static str,
    /// First bytes of a file. Text files of some exporters lack them.
    pub signature: &'static str,
    /// Name of the game that the format was made for, in the table of games.
    pub game: &'static str,
    /// Version that converted models get.
    pub version: i32,
    /// Frames per second of clips where no file names a rate.
    pub usual_rate: f32,
    /// File name of the sample model in this format. `None` if there is none.
    pub sample: Option<&'static str>,
    /// Whether the file is text, with names in quotation marks; else they have fields of fixed length.
    pub is_text: bool,
    /// How the file divides the mesh.
    pub surfaces: SurfaceStorage,
    /// Which materials a surface has.
    pub materials: MaterialStorage,
    /// Where coarser levels of detail are stored.
    pub lods: LodStorage,
    /// How tags are stored.
    pub tags: TagStorage,
    /// How joints are stored.
    pub joints: JointStorage,
    /// How exactly positions are stored.
    pub precision: Precision,
    /// Whether vertices have a stored normal; else games compute it from the triangles.
    pub stores_normals: bool,
    /// Whether texture coordinates count whole texels of a skin, whose size is in the header.
    pub whole_texels: bool,
    /// Whether frames have names.
    pub names_frames: bool,
    /// Whether frames store a box, and a sphere with its centre.
    pub bounds_frames: bool,
    /// The longest names that the file has room for.
    pub name_limits: NameLimits,
    /// Files next to a model that belong to it.
    pub companions: Companions,
    /// Whose scripts say what its surfaces look like.
    pub scripts: ScriptOrder,
    /// Whether a picture that no script speaks of is seen through where its alpha says so; else it is opaque, as Quake III
    /// and its kin draw it.
    pub alpha_without_script: bool,
}

/// How a file divides the mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceStorage {
    /// Into one surface without a name, whose tables are those of the file.
    One,
    /// Into surfaces with names.
    Named,
    /// Into surfaces that are called after their materials.
    Unnamed,
}

/// Which materials a surface has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialStorage {
    /// All skins that the file lists; the user chooses one.
    Skins,
    /// One material.
    One,
    /// One material for each skin number.
    Several,
}

/// Where coarser levels of detail are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodStorage {
    /// Nowhere: there are none.
    None,
    /// In files of their own, `NAME_1`, `NAME_2`.
    Files,
    /// In the model's file.
    Inside,
}

/// How tags are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStorage {
    /// Not at all.
    None,
    /// With a transform in each frame.
    Frames,
    /// As names of bones, which move them.
    Bones,
}

/// How joints are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointStorage {
    /// Not at all: vertices are stored for each frame.
    None,
    /// As bones without names and parents. Games blend the rows of their matrices.
    Bones,
    /// As a skeleton of named joints.
    Skeleton,
}

/// How exactly positions are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// In 255ths of the frame's box.
    Bytes,
    /// In 64ths of a unit.
    Shorts,
    /// In 64ths of a unit in key frames, in 20ths of a unit from there.
    KeyDeltas,
    /// As numbers of single precision.
    Floats,
    /// As decimals.
    Decimals,
}

/// The longest names that a file has room for, in characters. `None` if the file has room for any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLimits {
    /// Names of surfaces and paths of materials.
    pub surface: Option<usize>,
    /// Names of tags.
    pub tag: Option<usize>,
    /// Names of frames.
    pub frame: Option<usize>,
}

/// Files next to a model that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companions {
    /// Animations of its skeleton, `.md5anim`.
    pub animations: bool,
    /// Lists that name ranges of its frames, `animation.cfg`.
    pub clip_lists: bool,
    /// Files that assign materials to its surfaces, `.skin`.
    pub skins: bool,
    /// Script of the Cube engines for models of this format. `None` if these engines do not load them.
    pub cube_script: Option<&'static str>,
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

/// Every format, in the order of the enum.
static TABLE: [FormatTraits; Format::ALL.len()] = [
    FormatTraits {
        format: Format::Md2,
        name: "md2",
        extension: "md2",
        media_type: "model/x-quake2-md2",
        signature: "IDP2",
        game: "Quake II",
        version: 8,
        usual_rate: 10.0,
        sample: Some("umber.md2"),
        is_text: false,
        surfaces: SurfaceStorage::One,
        materials: MaterialStorage::Skins,
        lods: LodStorage::None,
        tags: TagStorage::None,
        joints: JointStorage::None,
        precision: Precision::Bytes,
        stores_normals: true,
        whole_texels: true,
        names_frames: true,
        bounds_frames: false,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: Some(15) },
        companions: Companions { animations: false, clip_lists: false, skins: false, cube_script: Some("md2.cfg") },
        scripts: ScriptOrder::None,
        alpha_without_script: true,
    },
    FormatTraits {
        format: Format::Md3,
        name: "md3",
        extension: "md3",
        media_type: "model/x-quake3-md3",
        signature: "IDP3",
        game: "Quake III",
        version: 15,
        usual_rate: 10.0,
        sample: Some("umber.md3"),
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::Several,
        lods: LodStorage::Files,
        tags: TagStorage::Frames,
        joints: JointStorage::None,
        precision: Precision::Shorts,
        stores_normals: true,
        whole_texels: false,
        names_frames: true,
        bounds_frames: true,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: Some(15) },
        companions: Companions { animations: false, clip_lists: true, skins: true, cube_script: Some("md3.cfg") },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdc,
        name: "mdc",
        extension: "mdc",
        media_type: "model/x-wolfenstein-mdc",
        signature: "IDPC",
        game: "Return to Castle Wolfenstein",
        version: 2,
        usual_rate: 10.0,
        sample: Some("umber.mdc"),
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::Several,
        lods: LodStorage::Files,
        tags: TagStorage::Frames,
        joints: JointStorage::None,
        precision: Precision::KeyDeltas,
        stores_normals: true,
        whole_texels: false,
        names_frames: true,
        bounds_frames: true,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: Some(15) },
        companions: Companions { animations: false, clip_lists: true, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdr,
        name: "mdr",
        extension: "mdr",
        media_type: "model/x-eliteforce-mdr",
        signature: "RDM5",
        game: "Elite Force",
        version: 2,
        usual_rate: 10.0,
        sample: Some("umber.mdr"),
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::One,
        lods: LodStorage::Inside,
        tags: TagStorage::Bones,
        joints: JointStorage::Bones,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: true,
        bounds_frames: true,
        name_limits: NameLimits { surface: Some(63), tag: Some(31), frame: Some(15) },
        companions: Companions { animations: false, clip_lists: true, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Md5,
        name: "md5",
        extension: "md5mesh",
        media_type: "model/x-doom3-md5mesh",
        signature: "MD5Version 10",
        game: "Doom 3",
        version: 10,
        usual_rate: 24.0,
        sample: Some("umber.md5mesh"),
        is_text: true,
        surfaces: SurfaceStorage::Unnamed,
        materials: MaterialStorage::One,
        lods: LodStorage::None,
        tags: TagStorage::None,
        joints: JointStorage::Skeleton,
        precision: Precision::Decimals,
        stores_normals: false,
        whole_texels: false,
        names_frames: false,
        bounds_frames: false,
        name_limits: NameLimits { surface: None, tag: None, frame: None },
        companions: Companions { animations: true, clip_lists: false, skins: false, cube_script: Some("md5.cfg") },
        scripts: ScriptOrder::Doom3First,
        alpha_without_script: true,
    },
];

impl Format {
    /// All of them, from the oldest game to the newest.
    pub const ALL: [Self; 5] = [Self::Md2, Self::Md3, Self::Mdc, Self::Mdr, Self::Md5];

    /// Returns the format of this short name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the format whose model files usually have this extension, in any case.
    #[must_use]
    pub fn by_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// Everything that is known of the format.
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
