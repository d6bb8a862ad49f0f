//! Table of format properties. The loaders are in [`formats::FORMATS`](crate::formats::FORMATS).

use std::fmt;

/// Supported model format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Quake, `IDPO` version 6.
    Mdl,
    /// Quake II, `IDP2` version 8.
    Md2,
    /// Quake III Arena, `IDP3` version 15.
    Md3,
    /// Return to Castle Wolfenstein, `IDPC` version 2.
    Mdc,
    /// Star Trek Voyager: Elite Force, `RDM5` version 2.
    Mdr,
    /// Return to Castle Wolfenstein, `MDSW` version 4.
    Mds,
    /// Enemy Territory, `MDMW` version 3.
    Mdm,
    /// Doom 3, text, version 10.
    Md5,
    /// Jedi Outcast, Jedi Academy and Soldier of Fortune II, `2LGM` version 6.
    Glm,
    /// Inter-Quake Model of DarkPlaces, ioquake3, FTE and the Cube engines, `INTERQUAKEMODEL` version 2 or 1.
    Iqm,
    /// glTF of Khronos, version 2: models of Blender and other programs, for conversion.
    Gltf,
}

/// Properties of a format. Code queries these properties instead of comparing formats.
#[derive(Clone, Copy, Debug)]
pub struct FormatTraits {
    /// Format that has these properties.
    pub format: Format,
    /// Short name, as on the command line and in settings.
    pub name: &'static str,
    /// Usual extension of a model file, without the dot.
    pub extension: &'static str,
    /// Second extension of model files, if there is one.
    pub other_extension: Option<&'static str>,
    /// Media type for desktop environments.
    pub media_type: &'static str,
    /// First bytes of a file. Text files of some exporters lack them.
    pub signature: &'static str,
    /// Name of the game that the format was made for, in the table of games.
    pub game: &'static str,
    /// Version that converted models get.
    pub version: i32,
    /// Frames per second of clips for which no file states a rate.
    pub usual_rate: f32,
    /// File name of the sample model. `None` if there is none.
    pub sample: Option<&'static str>,
    /// Whether the file is text with quoted names. Other formats have fields of fixed length.
    pub is_text: bool,
    /// Division of the mesh into surfaces.
    pub surfaces: SurfaceStorage,
    /// Materials of a surface.
    pub materials: MaterialStorage,
    /// Location of the coarser LODs.
    pub lods: LodStorage,
    /// Storage of tags.
    pub tags: TagStorage,
    /// Storage of joints.
    pub joints: JointStorage,
    /// Precision of positions.
    pub precision: Precision,
    /// Whether vertices store a normal; if not, games compute it from the triangles.
    pub stores_normals: bool,
    /// Whether texture coordinates count whole texels of a skin, whose size is in the header.
    pub whole_texels: bool,
    /// Whether frames have names.
    pub names_frames: bool,
    /// Whether frames store a box, and a sphere with its centre.
    pub bounds_frames: bool,
    /// Maximum lengths of names.
    pub name_limits: NameLimits,
    /// Companion files of a model.
    pub companions: Companions,
    /// Search order of the scripts that define the materials.
    pub scripts: ScriptOrder,
    /// Whether alpha makes images without a script transparent. If not, they are opaque, as in Quake III.
    pub alpha_without_script: bool,
}

/// Division of a mesh into surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SurfaceStorage {
    /// Single surface without a name, whose tables are those of the file.
    One,
    /// Surfaces with names.
    Named,
    /// Surfaces with names; the file states which are drawn. Reports leave out the others.
    Switched,
    /// Surfaces named after their materials.
    Unnamed,
}

/// Materials of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaterialStorage {
    /// All skins whose images the file names; the user selects one.
    Skins,
    /// All skins whose images are inside the file; the user selects one.
    Inside,
    /// Single material.
    One,
    /// Material for each skin number.
    Several,
}

/// Location of the coarser LODs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LodStorage {
    /// No LODs.
    None,
    /// LODs in separate files, `NAME_1` and `NAME_2`.
    Files,
    /// LODs in the model's file.
    Inside,
}

/// Storage of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagStorage {
    /// No tags.
    None,
    /// Transform in each frame.
    Frames,
    /// Names of bones, which move the tags.
    Bones,
    /// Surfaces whose first three vertices determine the tag's transform.
    Triangles,
}

/// Storage of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointStorage {
    /// No joints; vertices are stored for each frame.
    None,
    /// Bones without names and parents. Games blend the rows of their matrices.
    Bones,
    /// Skeleton of named joints.
    Skeleton,
}

/// Precision of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// 1/255 of the box of a frame (MD2) or of the model (MDL).
    Bytes,
    /// 1/64 unit.
    Shorts,
    /// 1/64 unit in key frames, 1/20 unit in offsets from them.
    KeyDeltas,
    /// 32-bit floats.
    Floats,
    /// Decimal text.
    Decimals,
}

/// Maximum lengths of names in characters. `None` if unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameLimits {
    /// Names of surfaces and paths of materials.
    pub surface: Option<usize>,
    /// Names of tags.
    pub tag: Option<usize>,
    /// Names of frames.
    pub frame: Option<usize>,
}

/// Companion files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Companions {
    /// Separate animation files.
    pub animations: AnimationFiles,
    /// Whether clip lists like `animation.cfg` exist.
    pub clip_lists: bool,
    /// Whether `.skin` files assign materials.
    pub skins: bool,
    /// Name of the Cube engines' script for this format. `None` if they do not load it.
    pub cube_script: Option<&'static str>,
}

/// Separate animation files of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnimationFiles {
    /// No separate files.
    None,
    /// Files with this extension in the model's folder and below, which name the joints.
    Below(&'static str),
    /// Files with this extension and without meshes, in the nearest folder that has any: the model's, or one of the two
    /// above. They number the joints.
    Above(&'static str),
    /// Skeletons with this extension and with all frames, without which the model has no joints.
    Skeleton(&'static str),
}

impl AnimationFiles {
    /// Returns the extension of the files, without the dot; `None` without separate files.
    #[must_use]
    pub fn extension(self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::Below(extension) | Self::Above(extension) | Self::Skeleton(extension) => Some(extension),
        }
    }
}

/// Search order of the games' scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptOrder {
    /// No scripts; names refer to images.
    None,
    /// Quake III, then Doom 3.
    Quake3First,
    /// Doom 3, then Quake III.
    Doom3First,
}

static TABLE: [FormatTraits; Format::ALL.len()] = [
    FormatTraits {
        format: Format::Mdl,
        name: "mdl",
        extension: "mdl",
        other_extension: None,
        media_type: "model/x-quake-mdl",
        signature: "IDPO",
        game: "Quake",
        version: 6,
        usual_rate: 10.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::One,
        materials: MaterialStorage::Inside,
        lods: LodStorage::None,
        tags: TagStorage::None,
        joints: JointStorage::None,
        precision: Precision::Bytes,
        stores_normals: true,
        whole_texels: true,
        names_frames: true,
        bounds_frames: false,
        name_limits: NameLimits { surface: None, tag: None, frame: Some(15) },
        companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: false, cube_script: None },
        scripts: ScriptOrder::None,
        alpha_without_script: true,
    },
    FormatTraits {
        format: Format::Md2,
        name: "md2",
        extension: "md2",
        other_extension: None,
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
        companions: Companions {
            animations: AnimationFiles::None,
            clip_lists: false,
            skins: false,
            cube_script: Some("md2.cfg"),
        },
        scripts: ScriptOrder::None,
        alpha_without_script: true,
    },
    FormatTraits {
        format: Format::Md3,
        name: "md3",
        extension: "md3",
        other_extension: None,
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
        companions: Companions {
            animations: AnimationFiles::None,
            clip_lists: true,
            skins: true,
            cube_script: Some("md3.cfg"),
        },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdc,
        name: "mdc",
        extension: "mdc",
        other_extension: None,
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
        companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdr,
        name: "mdr",
        extension: "mdr",
        other_extension: None,
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
        companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mds,
        name: "mds",
        extension: "mds",
        other_extension: None,
        media_type: "model/x-wolfenstein-mds",
        signature: "MDSW",
        game: "Return to Castle Wolfenstein",
        version: 4,
        usual_rate: 15.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::One,
        lods: LodStorage::None,
        tags: TagStorage::Bones,
        joints: JointStorage::Skeleton,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: false,
        bounds_frames: true,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
        companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Mdm,
        name: "mdm",
        extension: "mdm",
        other_extension: None,
        media_type: "model/x-wolfenstein-mdm",
        signature: "MDMW",
        game: "Enemy Territory",
        version: 3,
        usual_rate: 15.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::One,
        lods: LodStorage::None,
        tags: TagStorage::Bones,
        joints: JointStorage::Skeleton,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: false,
        bounds_frames: true,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
        companions: Companions {
            animations: AnimationFiles::Skeleton("mdx"),
            clip_lists: false,
            skins: true,
            cube_script: None,
        },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Md5,
        name: "md5",
        extension: "md5mesh",
        other_extension: None,
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
        companions: Companions {
            animations: AnimationFiles::Below("md5anim"),
            clip_lists: false,
            skins: false,
            cube_script: Some("md5.cfg"),
        },
        scripts: ScriptOrder::Doom3First,
        alpha_without_script: true,
    },
    FormatTraits {
        format: Format::Glm,
        name: "glm",
        extension: "glm",
        other_extension: None,
        media_type: "model/x-ghoul2-glm",
        signature: "2LGM",
        game: "Jedi Academy",
        version: 6,
        usual_rate: 20.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::Switched,
        materials: MaterialStorage::One,
        lods: LodStorage::Inside,
        tags: TagStorage::Triangles,
        joints: JointStorage::Skeleton,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: false,
        bounds_frames: false,
        name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
        companions: Companions {
            animations: AnimationFiles::Skeleton("gla"),
            clip_lists: true,
            skins: true,
            cube_script: None,
        },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Iqm,
        name: "iqm",
        extension: "iqm",
        other_extension: None,
        media_type: "model/x-interquake-iqm",
        signature: "INTERQUAKEMODEL",
        game: "DarkPlaces (Nexuiz, Xonotic)",
        version: 2,
        usual_rate: 10.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::One,
        lods: LodStorage::None,
        tags: TagStorage::Bones,
        joints: JointStorage::Skeleton,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: false,
        bounds_frames: true,
        name_limits: NameLimits { surface: None, tag: None, frame: None },
        companions: Companions {
            animations: AnimationFiles::Above("iqm"),
            clip_lists: true,
            skins: true,
            cube_script: Some("iqm.cfg"),
        },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
    FormatTraits {
        format: Format::Gltf,
        name: "gltf",
        extension: "glb",
        other_extension: Some("gltf"),
        media_type: "model/gltf-binary",
        signature: "glTF",
        game: "glTF",
        version: 2,
        // Blender's own rate, so that frames fall on keys.
        usual_rate: 24.0,
        sample: None,
        is_text: false,
        surfaces: SurfaceStorage::Named,
        materials: MaterialStorage::One,
        lods: LodStorage::None,
        tags: TagStorage::Bones,
        joints: JointStorage::Skeleton,
        precision: Precision::Floats,
        stores_normals: true,
        whole_texels: false,
        names_frames: false,
        bounds_frames: false,
        name_limits: NameLimits { surface: None, tag: None, frame: None },
        companions: Companions { animations: AnimationFiles::None, clip_lists: false, skins: true, cube_script: None },
        scripts: ScriptOrder::Quake3First,
        alpha_without_script: false,
    },
];

impl Format {
    /// All formats, from the oldest game to the newest; formats without a game last.
    pub const ALL: [Self; 11] = [
        Self::Mdl,
        Self::Md2,
        Self::Md3,
        Self::Mdc,
        Self::Mdr,
        Self::Mds,
        Self::Mdm,
        Self::Md5,
        Self::Glm,
        Self::Iqm,
        Self::Gltf,
    ];

    /// Returns the format with this short name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Returns the format whose model files usually have this extension, in any case.
    #[must_use]
    pub fn by_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.has_extension(extension))
    }

    /// Returns whether model files of the format have this extension, in any case.
    #[must_use]
    pub fn has_extension(self, extension: &str) -> bool {
        let FormatTraits { extension: usual, other_extension, .. } = self.traits();
        [Some(*usual), *other_extension].into_iter().flatten().any(|known| extension.eq_ignore_ascii_case(known))
    }

    /// Returns the properties of the format.
    #[must_use]
    pub const fn traits(self) -> &'static FormatTraits {
        &TABLE[self as usize]
    }

    /// Returns the short name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.traits().name
    }

    /// Returns the name as written in texts: `MD3`, `glTF`.
    #[must_use]
    pub fn title(self) -> String {
        if self == Self::Gltf { "glTF".to_owned() } else { self.name().to_uppercase() }
    }

    /// Returns the usual extension of a model file, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        self.traits().extension
    }

    /// Returns the game that the format was made for.
    #[must_use]
    pub fn game(self) -> &'static str {
        self.traits().game
    }

    /// Returns the default frames per second of clips.
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

// Each row must be at the index of its format.
const _: () = {
    let mut index = 0;
    while index < Format::ALL.len() {
        assert!(TABLE[index].format as usize == index && Format::ALL[index] as usize == index);
        index += 1;
    }
};
