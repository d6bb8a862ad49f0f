//! Parser of `.md5mesh`: joints in their bind pose, and meshes of vertices, triangles and weights.
//!
//! ```text
//! MD5Version 10
//! commandline "text"
//! numJoints J   numMeshes M
//! joints { J × [ "name" parent ( x y z ) ( qx qy qz ) ] }
//! M × mesh { [ // meshes: text ]  [ name "text" ]  shader "material"
//!            numverts V    V × [ vert index ( s t ) firstWeight weightCount ]
//!            numtris T     T × [ tri index a b c ]
//!            numweights W  W × [ weight index joint bias ( x y z ) ] }
//! ```
//!
//! Blocks may come in any order. The numbers after `vert`, `tri` and `weight` are ignored: the file order applies, as
//! in the engine.

use glam::{Vec2, Vec3};

use super::{Count, DEFAULT_RATE, MAX_SQUARE, UnusableNumbers, finite, limits, read_parent, read_vec3, read_version};
use crate::budget::Budget;
use crate::bytes::{PartKind, Source, utf8_or_latin1};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings, counted};
use crate::model::{
    Clip, ClipSource, Detail, Format, FormatData, FrameInfo, Joint, JointFrames, JointTrack, JointTransform,
    ModelParts, Motion, SkeletalMotion, quaternion_of_xyz,
};
use crate::text::{Lexer, Statements, Token};

mod binding;

#[derive(Default)]
struct MeshBlock {
    name: String,
    exported_name: String,
    shader: Option<String>,
    vertices: Vec<RawVertex>,
    /// Vertex indices; [`NONE`] for invalid ones.
    triangles: Vec<[u32; 3]>,
    weights: Vec<RawWeight>,
    misnumbered: usize,
}

/// Vertex in the file: texture coordinates, first weight and number of weights, the last two clamped to 32 bits.
struct RawVertex {
    uv: Vec2,
    first: i32,
    count: i32,
}

struct RawWeight {
    joint: u32,
    bias: f32,
    offset: Vec3,
}

/// Invalid index, larger than any count in a file.
const NONE: u32 = u32::MAX;

fn index(number: i64) -> u32 {
    u32::try_from(number).unwrap_or(NONE)
}

fn clamped(number: i64) -> i32 {
    i32::try_from(number).unwrap_or(if number < 0 { i32::MIN } else { i32::MAX })
}

/// Minimum sizes of lines in bytes, which limit how many a file can contain.
mod shortest {
    pub const VERTEX: usize = "vert 0(0 0)0 0".len();
    pub const TRIANGLE: usize = "tri 0 0 0 0".len();
    pub const WEIGHT: usize = "weight 0 0 0(0 0 0)".len();
}

fn reserve<T>(list: &mut Vec<T>, announced: Count, lexer: &Lexer, shortest: usize) {
    let room = lexer.rest().0.len() / shortest;
    list.reserve_exact(room.min(announced.value as usize).saturating_sub(list.len()));
}

#[derive(Default)]
struct File {
    version: Option<i32>,
    command_line: Option<String>,
    joint_count: Option<Count>,
    mesh_count: Option<Count>,
    joints: Option<Vec<Joint>>,
    meshes: Vec<MeshBlock>,
    not_finite: UnusableNumbers,
}

/// Loads a `.md5mesh`. Frame 0 of the model is the bind pose; [`crate::model::Model::add_track`] adds animations.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let mut lexer = Lexer::new("md5", source.bytes());
    let mut file = File::default();
    let statements = Statements::new(source);
    while let Some(word) = next_word(source, &mut lexer)? {
        let _group = word.is("joints").then(|| source.group(|| "joints".to_owned()));
        let mesh = file.meshes.len();
        let _group = word.is("mesh").then(|| source.group_of(PartKind::Surface.at(mesh), || format!("mesh {mesh}")));
        if let Err(error) = file.read_block(&mut lexer, &word, &statements, warnings) {
            // While salvaging, only these blocks may be skipped.
            if !word.is_any(&["mesh", "numJoints", "numMeshes", "MD5Version", "commandline"]) {
                return Err(error);
            }
            source.forgive(error, || "the blocks after it are read".to_owned())?;
            skip_to_block(&mut lexer);
        }
        statements.end(&lexer, &word);
    }
    statements.finish();
    let missing = |field: &str| lexer.unexpected(None, field, &format!("“{field}”"));
    let joints = file.joints.take().ok_or_else(|| missing("joints"))?;
    let counted = |count: Option<Count>, field: &str, found: usize| match count {
        Some(count) => Ok(count),
        None => source.forgive(missing(field), || format!("{found} are used")).map(|()| Count::for_count(found)),
    };
    let joint_count = counted(file.joint_count, "numJoints", joints.len())?;
    let mesh_count = counted(file.mesh_count, "numMeshes", file.meshes.len())?;
    if let Err(error) = joint_count.check("numJoints", joints.len(), "joints", warnings) {
        source.forgive(error, || "those are used".to_owned())?;
    }
    file.warn_missing_lines(mesh_count, warnings);
    warn_about_joints(&joints, warnings);

    let mut details = vec![Detail::text("numJoints", joint_count.value), Detail::text("numMeshes", mesh_count.value)];
    if let Some(text) = &file.command_line {
        details.insert(0, Detail::text("commandline", text));
    }
    let mut budget = Budget::for_file(source.len());
    let (mut surfaces, mut bindings) = (Vec::new(), Vec::new());
    for (index, block) in file.meshes.into_iter().enumerate() {
        match binding::build(block, index, &joints, &mut budget, warnings) {
            Ok((surface, binding)) => {
                surfaces.push(surface);
                bindings.push(binding);
            }
            Err(reason) => {
                let error = lexer.error(&format!("mesh {index}: numweights"), reason);
                source.forgive(error, || "the mesh is skipped".to_owned())?;
            }
        }
    }
    Ok(ModelParts {
        version: file.version,
        surfaces,
        frames: vec![FrameInfo::default()],
        clips: vec![Clip::new("bind pose", 0, 1, DEFAULT_RATE, ClipSource::BindPose)],
        motion: Motion::Skeletal(SkeletalMotion {
            joints,
            bindings,
            tracks: vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind }],
            tags: Vec::new(),
        }),
        data: FormatData { command_line: file.command_line, ..FormatData::default() },
        details,
        ..ModelParts::empty(Format::Md5)
    })
}

impl File {
    fn read_block(
        &mut self,
        lexer: &mut Lexer,
        word: &Token,
        statements: &Statements,
        warnings: &mut Warnings,
    ) -> Result<(), LoadError> {
        let refuse = |why: &str| Err(lexer.error_at(word, "", Reason::Broken(why.to_owned())));
        if word.is("MD5Version") {
            self.version = Some(read_version(lexer)?);
        } else if word.is("commandline") {
            self.command_line = Some(lexer.parse_text("commandline")?);
        } else if word.is("numJoints") {
            self.joint_count = Some(Count::read(lexer, "numJoints", limits::JOINTS)?);
        } else if word.is("numMeshes") {
            self.mesh_count = Some(Count::read(lexer, "numMeshes", limits::MESHES)?);
        } else if word.is("joints") {
            self.joints = Some(self.read_joints(lexer, word, statements, warnings)?);
        } else if word.is("mesh") {
            let index = self.meshes.len();
            let within = |error: LoadError| error.within(&format!("mesh {index}"));
            let mut block = MeshBlock::default();
            let read = read_mesh(lexer, word, statements, &mut block, &mut self.not_finite, index, warnings);
            if read.is_err() {
                block.keep_what_is_whole();
            }
            // A mesh with an error is kept only while salvaging.
            if read.is_ok() || !block.triangles.is_empty() {
                self.meshes.push(block);
            }
            read.map_err(within)?;
        } else if word.is_any(&["numFrames", "hierarchy", "baseframe", "numAnimatedComponents"]) {
            return refuse("this is an MD5 animation or camera, not a mesh; open the .md5mesh instead");
        } else if word.is_any(&["numCuts", "cuts", "camera"]) {
            return refuse("this is an MD5 camera, which is not supported");
        } else if word.is_any(&["numbones", "bone"]) {
            return refuse("this is an MD5 of version 6 (the Doom 3 alpha), which is not supported");
        } else {
            return Err(lexer.unexpected(Some(*word), "", "“joints” or “mesh”"));
        }
        Ok(())
    }

    fn read_joints(
        &mut self,
        lexer: &mut Lexer,
        word: &Token,
        statements: &Statements,
        warnings: &mut Warnings,
    ) -> Result<Vec<Joint>, LoadError> {
        lexer.expect("{", "joints")?;
        statements.end(lexer, word);
        let mut joints = Vec::new();
        let mut too_long = 0;
        while !lexer.check("}")? {
            let index = joints.len();
            let first = *lexer;
            let mut read = || {
                let name = lexer.parse_text("name")?;
                let parent = read_parent(lexer, index, &name, Fault::InvalidParent, warnings)?;
                let translation = read_vec3(lexer, "position", &mut self.not_finite)?;
                let xyz = read_vec3(lexer, "orientation", &mut self.not_finite)?;
                too_long += usize::from(xyz.length_squared() > MAX_SQUARE);
                let bind = JointTransform { rotation: quaternion_of_xyz(xyz), translation };
                Ok(Joint { name, parent, bind, is_added: false })
            };
            joints.push(read().map_err(|error: LoadError| error.within(&format!("joint {index}")))?);
            if let Ok(Some(name)) = first.peek() {
                self.not_finite.locate(name.position(), || format!("joint {index}"));
                statements.end_of(Some(PartKind::Joint.at(index)), lexer, || name.text());
            }
        }
        if too_long > 0 {
            let subject = crate::error::counted(too_long, "orientation is", "orientations are");
            let message = format!("{subject} longer than 1; normalised");
            warnings.add(WarningKind::Substituted, "joints", message);
        }
        Ok(joints)
    }

    fn warn_missing_lines(&self, mesh_count: Count, warnings: &mut Warnings) {
        if self.version.is_none() {
            let message = "the line is missing; the file is read as version 10";
            warnings.add_fault(Fault::MissingVersion, WarningKind::Substituted, "MD5Version", message);
        }
        if self.command_line.is_none() {
            let message = "the line is missing";
            warnings.add_fault(Fault::MissingCommandLine, WarningKind::Inconsistent, "commandline", message);
        }
        let (announced, found) = (mesh_count.value, self.meshes.len());
        if announced as usize != found {
            // The writer announced more meshes, so some are lost.
            let is_lost = announced as usize > found;
            let kind = if is_lost { WarningKind::LeftOut } else { WarningKind::Inconsistent };
            let message = format!("the count is {announced}, but the file has {found}; the meshes found are used");
            warnings.add_at(kind, "numMeshes", message, mesh_count.position);
        }
        self.not_finite.warn(warnings);
    }
}

fn warn_about_joints(joints: &[Joint], warnings: &mut Warnings) {
    let mut names = std::collections::HashSet::with_capacity(joints.len());
    let repeated = joints.iter().filter(|joint| !names.insert(joint.name.to_ascii_lowercase())).count();
    if repeated > 0 {
        warnings.add(
            WarningKind::Inconsistent,
            "joints",
            counted(
                repeated,
                "joint has the name of an earlier joint; animations move only the first joint of each name",
                "joints have the name of an earlier joint; animations move only the first joint of each name",
            ),
        );
    }
}

fn read_mesh(
    lexer: &mut Lexer,
    mesh_word: &Token,
    statements: &Statements,
    mesh: &mut MeshBlock,
    not_finite: &mut UnusableNumbers,
    index: usize,
    warnings: &mut Warnings,
) -> Result<(), LoadError> {
    lexer.expect("{", "")?;
    statements.end(lexer, mesh_word);
    mesh.exported_name = name_in_comment(lexer);
    let (mut vertices, mut triangles, mut weights) = (None, None, None);
    loop {
        let before = *lexer;
        let word = match lexer.next()? {
            Some(word) if word.is("}") => break,
            Some(word) => word,
            None => return Err(before.unexpected(None, "", "“}”")),
        };
        let mut part = None;
        if word.is("vert") {
            part = Some(PartKind::Vertex.at(mesh.vertices.len()));
            mesh.read_vertex(lexer, not_finite)?;
        } else if word.is("tri") {
            part = Some(PartKind::Triangle.at(mesh.triangles.len()));
            mesh.read_triangle(lexer)?;
        } else if word.is("weight") {
            part = Some(PartKind::Weight.at(mesh.weights.len()));
            mesh.read_weight(lexer, not_finite)?;
        } else if word.is("shader") {
            part = Some(PartKind::Shader.at(0));
            mesh.shader = Some(lexer.parse_text("shader")?);
        } else if word.is("name") {
            part = Some(PartKind::SurfaceName.at(0));
            mesh.name = lexer.parse_text("name")?;
        } else if word.is("numverts") {
            let count = Count::read(lexer, "numverts", limits::VERTICES)?;
            reserve(&mut mesh.vertices, count, lexer, shortest::VERTEX);
            vertices = Some(count);
        } else if word.is("numtris") {
            let count = Count::read(lexer, "numtris", limits::TRIANGLES)?;
            reserve(&mut mesh.triangles, count, lexer, shortest::TRIANGLE);
            triangles = Some(count);
        } else if word.is("numweights") {
            let count = Count::read(lexer, "numweights", limits::VERTICES)?;
            reserve(&mut mesh.weights, count, lexer, shortest::WEIGHT);
            weights = Some(count);
        } else {
            return Err(before.unexpected(Some(word), "", "“vert”, “tri”, “weight” or “}”"));
        }
        let element = || match word.text().as_str() {
            "vert" => format!("mesh {index}: vert {}", mesh.vertices.len().saturating_sub(1)),
            text => format!("mesh {index}: {text} {}", mesh.weights.len().saturating_sub(1)),
        };
        not_finite.locate(word.position(), element);
        statements.end_of(part, lexer, || word.text());
    }
    let about = format!("mesh {index}");
    let mut check = |field: &str, declared: Option<Count>, found: usize| {
        let declared = declared.ok_or_else(|| lexer.unexpected(None, field, &format!("“{field}”")))?;
        declared.check(field, found, &about, warnings)
    };
    check("numverts", vertices, mesh.vertices.len())?;
    check("numtris", triangles, mesh.triangles.len())?;
    check("numweights", weights, mesh.weights.len())
}

fn next_word<'a>(source: &Source, lexer: &mut Lexer<'a>) -> Result<Option<Token<'a>>, LoadError> {
    match lexer.next() {
        Err(error) => source.forgive(error, || "the rest of the text is skipped".to_owned()).map(|()| None),
        word => word,
    }
}

fn skip_to_block(lexer: &mut Lexer) {
    loop {
        let before = *lexer;
        match lexer.next() {
            Ok(Some(word)) if word.is_any(&["mesh", "joints"]) && lexer.check("{").unwrap_or(false) => {
                *lexer = before;
                return;
            }
            Ok(Some(_)) => {}
            Ok(None) | Err(_) => return,
        }
    }
}

/// Reads the comment `// meshes: NAME` of exporters, which the Cube engines use.
fn name_in_comment(lexer: &Lexer) -> String {
    let (rest, _) = lexer.rest();
    let comment = rest.trim_ascii_start().strip_prefix(b"// meshes:").unwrap_or_default();
    let line = comment.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
    line.and_then(|end| comment.get(..end)).map(|name| utf8_or_latin1(name.trim_ascii())).unwrap_or_default()
}

impl MeshBlock {
    fn keep_what_is_whole(&mut self) {
        let weights = i64::try_from(self.weights.len()).unwrap_or(i64::MAX);
        let is_whole =
            |vertex: &RawVertex| vertex.first >= 0 && i64::from(vertex.first) + i64::from(vertex.count) <= weights;
        let vertices = &self.vertices;
        let vertex = |index: u32| vertices.get(index as usize);
        self.triangles.retain(|corners| corners.iter().all(|index| vertex(*index).is_some_and(is_whole)));
    }

    fn read_vertex(&mut self, lexer: &mut Lexer, not_finite: &mut UnusableNumbers) -> Result<(), LoadError> {
        let own = self.vertices.len();
        let within = |error: LoadError| error.within(&format!("vert {own}"));
        self.check_number(lexer, own).map_err(within)?;
        let uv = lexer.parse_vector::<2>("st").map_err(within)?.map(|number| finite(number, not_finite));
        let first = clamped(lexer.parse_integer("firstWeight").map_err(within)?);
        let count = clamped(lexer.parse_integer("weightCount").map_err(within)?);
        self.vertices.push(RawVertex { uv: Vec2::from_array(uv), first, count });
        Ok(())
    }

    fn read_triangle(&mut self, lexer: &mut Lexer) -> Result<(), LoadError> {
        let own = self.triangles.len();
        let within = |error: LoadError| error.within(&format!("tri {own}"));
        self.check_number(lexer, own).map_err(within)?;
        let mut corners = [0; 3];
        for corner in &mut corners {
            *corner = index(lexer.parse_integer("vertex").map_err(within)?);
        }
        self.triangles.push(corners);
        Ok(())
    }

    fn read_weight(&mut self, lexer: &mut Lexer, not_finite: &mut UnusableNumbers) -> Result<(), LoadError> {
        let own = self.weights.len();
        let within = |error: LoadError| error.within(&format!("weight {own}"));
        self.check_number(lexer, own).map_err(within)?;
        let joint = index(lexer.parse_integer("joint").map_err(within)?);
        let bias = finite(lexer.parse_number("bias").map_err(within)?, not_finite);
        let offset = read_vec3(lexer, "position", not_finite).map_err(within)?;
        self.weights.push(RawWeight { joint, bias, offset });
        Ok(())
    }

    /// Reads the number after `vert`, `tri` or `weight`, which may exceed any integer.
    fn check_number(&mut self, lexer: &mut Lexer, own: usize) -> Result<(), LoadError> {
        if let Some(number) = lexer.take_integer() {
            self.misnumbered += usize::from(usize::try_from(number) != Ok(own));
            return Ok(());
        }
        let before = *lexer;
        let token = lexer.next()?;
        if token.and_then(|token| token.number()).is_none() {
            return Err(before.unexpected(token, "index", "a whole number"));
        }
        let number = token.and_then(|token| token.integer()).and_then(|number| usize::try_from(number).ok());
        self.misnumbered += usize::from(number != Some(own));
        Ok(())
    }
}
