//! Q2PRO and the remaster of Quake II, whose MD5 models replace other models.
//!
//! `X/md5/Y.md5mesh` with `Y.md5anim` replaces `X/Y.md2` or `X/Y.md3`. Frame *i* of the animation is frame *i* of the
//! replaced model, whose skins are used with `md5/` before the file name (q2pro `src/refresh/models.c`, `MOD_LoadMD5`,
//! `MD5_LoadSkins`).

use super::Quantity::{
    Frames, Joints, Materials, NameLength, SkinHeight, SkinWidth, Skins, StoredWeights, Surfaces, Triangles, Vertices,
};
use super::profile::{NO_ENGINE, nominal, refused};
use super::{Engine, LightRule, ModelSetup, PLAIN, Profile, SkeletonCheck, SurfaceChoice, SurfaceSetup};
use crate::companions::add_warnings;
use crate::limits::{MAX_SETUP_LINES, MAX_SKINS};
use crate::vfs::{ReadLimit, Vfs, folder_of, join, name_of, resolved, split_extension};
use maquette_core::error::{Fault, WarningKind, Warnings};
use maquette_core::formats;
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::model::Format::{Md2, Md3, Md5, Sp2};
use maquette_core::model::{ClipSource, MaterialStorage, Model};

pub(super) static ENGINE: Engine = Engine {
    name: "Quake II remaster (Q2PRO)",
    short_name: "Q2PRO",
    profile: Some(&PROFILE),
    formats: &[Md5],
    light: &LightRule::QUAKE_2,
    sign: |vfs, path, _| replaced_model(vfs, path),
    setups,
    ..PLAIN
};

/// `src/refresh/models.c` (`MOD_ValidateMD2`, `MOD_ValidateMD3`, `MOD_ValidateMD3Mesh`, `MD5_ParseMesh`, `MD5_ParseAnim`)
/// and `gl.h`. A surface must fit the buffer of triangles. `R_RegisterModel`: an MD5 in `md5/` is loaded in place of an
/// MD2 or MD3 (`MOD_LoadMD5`). `images.c` (`find_or_load_image`): a name without an extension is not looked up.
pub(super) static PROFILE: Profile = Profile {
    name: "q2pro",
    title: "Q2PRO",
    formats: &[Md2, Sp2, Md3, Md5],
    limits: &[&[
        refused(Md2, Vertices, 2048),
        refused(Md2, Triangles, 6144),
        refused(Md2, Skins, 32),
        refused(Md2, Frames, 1024),
        refused(Md2, SkinHeight, 8192),
        refused(Md2, SkinWidth, 8192),
        nominal(Md2, NameLength, 63),
        refused(Md3, Vertices, 6144),
        refused(Md3, Triangles, 6144),
        refused(Md3, Surfaces, 32),
        refused(Md3, Frames, 1024),
        refused(Md3, Materials, 256),
        nominal(Md3, NameLength, 63),
        refused(Md5, Vertices, 6144),
        refused(Md5, Triangles, 6144),
        refused(Md5, StoredWeights, 8192),
        refused(Md5, Joints, 256),
        refused(Md5, Surfaces, 32),
        refused(Md5, Frames, 1024),
    ]],
    max_path_bytes: Some(63),
    skeleton: SkeletonCheck::Count,
    needs_extensions: true,
    image_formats: &["pcx", "wal", "tga", "jpg", "png"],
    required_folder: Some((Md5, REPLACEMENT_FOLDER)),
    refuses: &[
        (Md2, &[Fault::NoTriangles, Fault::SkinSize]),
        (Md3, &[Fault::NoSurfaces, Fault::EmptySurface, Fault::UnknownVertex]),
        (
            Md5,
            &[
                Fault::MissingVersion,
                Fault::MissingCommandLine,
                Fault::MissingShader,
                Fault::MissingRate,
                Fault::NamedMesh,
                Fault::SurplusEntries,
                Fault::UnknownWeight,
                Fault::UnknownJoint,
                Fault::UnknownVertex,
                Fault::InvalidAnimationParent,
                Fault::UnknownComponent,
                Fault::BoundsCount,
                Fault::BrokenAnimation,
                Fault::MissingAnimation,
            ],
        ),
    ],
    ..NO_ENGINE
};

/// Folder of models that replace those in the folder above.
const REPLACEMENT_FOLDER: &str = "md5";

/// Returns the path of the MD2 or MD3 that an MD5 in the folder `md5` replaces (q2pro `src/refresh/models.c`,
/// `MOD_LoadMD5`). The engine requires an animation of the MD5's name.
fn replaced_model(vfs: &Vfs, game_path: &str) -> Option<String> {
    let (folder, stem) = (folder_of(game_path), split_extension(name_of(game_path)).0);
    if !name_of(folder).eq_ignore_ascii_case(REPLACEMENT_FOLDER) {
        return None;
    }
    vfs.look_up(&join(folder, &format!("{stem}.md5anim")))?;
    let outer = folder_of(folder);
    ["md2", "md3"].iter().find_map(|extension| vfs.look_up(&join(outer, &format!("{stem}.{extension}"))))
}

/// Returns a setup for each skin of the replaced model. The first setup has the clips of that model.
fn setups(vfs: &Vfs, game_path: &str, _: &Model, warnings: &mut Warnings) -> Vec<ModelSetup> {
    let Some(path) = replaced_model(vfs, game_path) else { return Vec::new() };
    let mut own = Warnings::default();
    let replaced = match vfs.read(&path, ReadLimit::MODEL).map_err(|error| error.to_string()) {
        Ok(bytes) => formats::load(&bytes).map(|(model, _)| model).map_err(|error| error.to_string()),
        Err(error) => Err(error),
    };
    let replaced = match replaced {
        Ok(replaced) => replaced,
        Err(error) => {
            own.add(WarningKind::Companion, "", format!("the model that it replaces was not read: {error}"));
            add_warnings(vfs, &path, own, warnings);
            return Vec::new();
        }
    };
    let stem = split_extension(game_path).0;
    if let Some(scales) = vfs.look_up(&format!("{stem}.md5scale")) {
        own.add(WarningKind::LeftOut, "", "Maquette does not apply the scales of joints");
        add_warnings(vfs, &scales, std::mem::take(&mut own), warnings);
    }
    let mut setups: Vec<ModelSetup> = skin_names(&replaced)
        .iter()
        .take(MAX_SKINS)
        .filter_map(|skin| {
            let skin = skin.replace('\\', "/");
            let image = resolved(folder_of(&skin), &join(REPLACEMENT_FOLDER, name_of(&skin)))?;
            let image = SurfaceSetup { image: Some(vec![image]), ..SurfaceSetup::new(SurfaceChoice::All) };
            Some(ModelSetup {
                name: split_extension(name_of(&skin)).0.to_owned(),
                source: path.clone(),
                textures: vec![image],
                ..ModelSetup::default()
            })
        })
        .collect();
    if setups.is_empty() {
        setups.push(ModelSetup { source: path.clone(), ..ModelSetup::default() });
    }
    if let Some(first) = setups.first_mut() {
        first.clips = clips(&replaced);
        first.clips_within = Some(name_of(stem).to_owned());
    }
    setups
}

/// Returns the names of the skins: those of an MD2, or the materials of the first surface of an MD3.
fn skin_names(replaced: &Model) -> Vec<String> {
    match replaced.format().traits().materials {
        MaterialStorage::Skins => replaced.skins().to_vec(),
        _ => replaced.surfaces().first().map(|surface| surface.materials.clone()).unwrap_or_default(),
    }
}

/// Returns the named clips of the replaced model, as ranges of its frames.
fn clips(replaced: &Model) -> Vec<NamedRange> {
    let named = replaced.clips().iter().filter(|clip| clip.source != ClipSource::AllFrames);
    let ranges = named.map(|clip| NamedRange {
        name: clip.name.clone(),
        first: clip.first,
        count: clip.count,
        frames_per_second: Some(clip.frames_per_second),
        loops: clip.loops(),
    });
    ranges.take(MAX_SETUP_LINES).collect()
}
