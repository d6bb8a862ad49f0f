//! Opening of characters, and of models that a game draws together.

use std::path::{Path, PathBuf};

use super::{Anchor, Assembly, AssemblyPart, Role, add_extras, assemble, missing_part, plan_of_folder, plan_of_part};
use crate::engines::{declared_mesh, declared_parts};
use crate::limits::MAX_MODEL_FILES;
use crate::open::model::open_there;
use crate::open::{OpenCause, OpenError, Opener};
use crate::vfs::{FileLocation, folder_of, name_of};
use maquette_core::error::Warning;

impl Opener {
    /// Opens the character if `path` is its folder or one of its main parts, else the single model.
    pub fn assembly(&self, path: &Path) -> Result<Assembly, OpenError> {
        match self.planned_character(path) {
            Err(OpenError { cause: OpenCause::NoCharacter(_), .. }) => self.with_joined_models(path),
            // If another part is broken, the requested one is shown alone.
            Err(error) if error.path != path => {
                let Ok(asset) = self.model(path) else { return Err(error) };
                let mut assembly = Assembly::from(asset);
                let warning = Warning::companion("character", error.to_string());
                assembly.members.iter_mut().for_each(|member| member.warnings.push(warning.clone()));
                Ok(assembly)
            }
            result => result,
        }
    }

    /// Opens a single model with the models that its game draws together with it.
    fn with_joined_models(&self, path: &Path) -> Result<Assembly, OpenError> {
        let mut assembly = Assembly::from(self.model(path)?);
        let Some(first) = assembly.members.first_mut() else { return Ok(assembly) };
        let asset = &first.asset;
        let (vfs, game_path) = self.vfs_for(path)?;
        let (mut parts, mut attached) = (declared_parts(&vfs), Vec::new());
        parts.retain(|part| asset.model.tags().iter().any(|tag| tag == part.tag()));
        for part in &parts {
            let opened = declared_mesh(&vfs, &part.name).map(|mesh| {
                open_there(&vfs.for_declaration(&part.name), &mesh, &self.search).map_err(|cause| cause.sentence())
            });
            let (role, what) = if part.is_head { (Role::Head, "head") } else { (Role::Attached, "attached model") };
            match opened.unwrap_or_else(|| Err("its declaration names no mesh that exists".to_owned())) {
                Ok(part_asset) => {
                    attached.push(AssemblyPart::new(part_asset, role).on(0, Anchor::Tag(part.tag().to_owned())));
                }
                Err(why) => {
                    first.warnings.push(Warning::companion(&part.name, format!("the {what} was not opened: {why}")));
                }
            }
        }
        if !parts.is_empty() {
            assembly.members.extend(attached);
            return Ok(assembly);
        }
        let known = asset.engine.as_ref();
        let joined = known.and_then(|known| (known.engine.joined_models)(&vfs, &game_path));
        let Some((actor, paths)) = joined else { return Ok(assembly) };
        let mut members = Vec::new();
        for path in paths.iter().take(MAX_MODEL_FILES) {
            match open_there(&vfs, path, &self.search) {
                Ok(mut part) => {
                    // Put the actor's skin first, because a part starts with its first skin.
                    part.skins.sort_by_key(|skin| !skin.is_called(&actor));
                    let member = AssemblyPart::new(part, Role::Attached).on(0, Anchor::Origin);
                    let follows_parent = member.asset.model.frames().len() == asset.model.frames().len();
                    members.push(AssemblyPart { follows_parent, ..member });
                }
                Err(cause) => first.warnings.push(Warning::companion(
                    name_of(path),
                    format!("the joined model was not opened: {}", cause.sentence()),
                )),
            }
        }
        assembly.members.extend(members);
        Ok(assembly)
    }

    /// Opens the character if `path` is its folder or one of its main parts, else the models that a game draws
    /// together.
    pub fn character(&self, path: &Path) -> Result<Assembly, OpenError> {
        let planned = self.planned_character(path);
        if matches!(&planned, Err(OpenError { cause: OpenCause::NoCharacter(_), .. }))
            && let Ok(joined) = self.with_joined_models(path)
            && joined.members.len() > 1
        {
            return Ok(joined);
        }
        planned
    }

    fn planned_character(&self, path: &Path) -> Result<Assembly, OpenError> {
        let fail = |cause| OpenError { path: path.to_path_buf(), cause };
        let read = |error| fail(OpenCause::Read(error));
        let location = self.files.locate(path).map_err(read)?;
        let (vfs, game_path) = self.files.for_located(path, &location).map_err(read)?;
        let plan = match &location {
            FileLocation::File(_) | FileLocation::FileInArchive { .. } => plan_of_part(&vfs, &game_path),
            FileLocation::Folder(_) | FileLocation::FolderInArchive { .. } => plan_of_folder(&vfs, &game_path, ""),
            FileLocation::Archive(_) => None,
        };
        let plan = plan.ok_or_else(|| {
            let is_file = matches!(location, FileLocation::File(_) | FileLocation::FileInArchive { .. });
            let folder = if is_file { folder_of(&game_path) } else { &game_path };
            fail(OpenCause::NoCharacter(missing_part(&vfs, folder)))
        })?;
        let assembly = assemble(&vfs, &plan, &self.search).map_err(|(broken, cause)| OpenError {
            path: vfs.location_of(&broken).unwrap_or_else(|| PathBuf::from(broken)),
            cause,
        });
        let mut assembly = assembly?;
        // The requested file keeps its path. It is used even if a root or a later archive of the game overrides it.
        for member in
            assembly.members.iter_mut().filter(|member| member.asset.game_path.eq_ignore_ascii_case(&game_path))
        {
            if !vfs.entry(&game_path).is_some_and(|entry| entry.is_own()) {
                member.asset = self.model(path)?;
            }
            member.asset.file = Some(path.to_path_buf());
        }
        Ok(assembly)
    }

    /// Opens a model for attaching, with a weapon's barrel and flash.
    pub fn attachment(&self, path: &Path) -> Result<Vec<AssemblyPart>, OpenError> {
        let asset = self.model(path)?;
        let read = |error| OpenError { path: path.to_path_buf(), cause: OpenCause::Read(error) };
        let (vfs, game_path) = self.files.for_file(path).map_err(read)?;
        let mut members = vec![AssemblyPart::new(asset, Role::Attached)];
        add_extras(&vfs, &game_path, &self.search, &mut members);
        Ok(members)
    }
}
