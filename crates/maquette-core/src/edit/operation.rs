//! Operations on models, with typed parameters.

use std::ops::RangeInclusive;
use std::sync::Arc;

use glam::Vec3;

use super::operations::OPERATIONS;
use super::repairs::check_frames;
use crate::model::{
    AnimationFiles, Clip, ClipSource, EmbeddedImage, JointFrames, LodStorage, Model, ModelParts, Motion, Pixels,
};

/// Operation that changes a model. [`OPERATIONS`] lists all.
#[derive(Debug)]
pub struct Operation {
    /// Name on the command line, such as `delete-frames`.
    pub name: &'static str,
    /// Label in the window, such as `Delete frames`.
    pub title: &'static str,
    /// Submenu of the window, and heading of the help.
    pub group: &'static str,
    /// Description, one sentence without full stop.
    pub help: &'static str,
    /// Parameters, in the order of the dialog.
    pub parameters: &'static [Parameter],
    /// Names of parameters of which exactly one must have a value; empty if there are none.
    pub(super) one_of: &'static [&'static str],
    /// Companion files that the change affects.
    pub reach: Reach,
    /// Returns why the model cannot be changed, as a sentence without full stop.
    pub(super) refuses: fn(&Model) -> Option<String>,
    /// Returns why the format of the model does not store the result, which a conversion may store.
    pub(super) why_not_stored: fn(&Model) -> Option<String>,
    /// Returns the parts of the changed model. Adds sentences about the result and lost data.
    pub(super) apply: fn(&Model, &Call, &mut Notes) -> Result<ModelParts, String>,
}

impl Operation {
    /// Creates a row that changes nothing, for the name, title and help of an operation.
    pub(super) const fn plain(group: &'static str, reach: Reach, [name, title, help]: [&'static str; 3]) -> Self {
        let apply = |model: &Model, _: &Call, _: &mut Notes| Ok(model.clone().into_parts());
        let (refuses, why_not_stored) = (|_: &Model| None, |_: &Model| None);
        Self { name, title, group, help, parameters: &[], one_of: &[], reach, refuses, why_not_stored, apply }
    }

    /// Returns why the format of the model does not store the result.
    pub fn why_not_stored(&self, model: &Model) -> Option<String> {
        if matches!(self.reach, Reach::Space | Reach::Clips) && model.has_skeleton_file() {
            return Some("Joints and frames are in the file of the skeleton; convert the model first".to_owned());
        }
        if matches!(self.reach, Reach::Space | Reach::Clips) && has_angles(model) {
            return Some("Joints and frames of this format stay as they are; convert the model first".to_owned());
        }
        (self.why_not_stored)(model)
    }

    /// Returns why the model's own file cannot be changed in this way, as a sentence without full stop.
    pub fn why_not(&self, model: &Model) -> Option<String> {
        let format = model.format();
        if !format.is_written() {
            return Some(format!(
                "{} files cannot be written; export the model in a game format first",
                format.title()
            ));
        }
        let has_animation_files = || model.clips().iter().any(|clip| clip.source == ClipSource::AnimationFile);
        match self.reach {
            Reach::List if !stores_clips(model) && !lists_clips(model) => {
                Some("The clips are in another file; maquette convert --edit writes a new list".to_owned())
            }
            Reach::Clips if has_animation_files() && !model.has_skeleton_file() => {
                Some("Frames are in animation files; maquette convert --edit changes them".to_owned())
            }
            _ => self.why_not_stored(model).or_else(|| (self.refuses)(model)),
        }
    }
}

/// Sentences about a successful edit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notes {
    /// Results of the edit.
    pub results: Vec<String>,
    /// Data that is lost, and what the user must check.
    pub losses: Vec<String>,
}

impl Notes {
    /// Returns all sentences, the results first.
    pub fn into_all(self) -> Vec<String> {
        [self.results, self.losses].concat()
    }
}

impl PartialEq for Operation {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Operation {}

/// Companion files that an operation affects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// None.
    Mesh,
    /// Coarser LODs.
    Surfaces,
    /// Numbers of frames in lists of clips, and coarser LODs.
    Clips,
    /// List of clips.
    List,
    /// Animation files and coarser LODs.
    Space,
}

/// Parameter of an operation.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name on the command line.
    pub name: &'static str,
    /// Label in the window.
    pub label: &'static str,
    /// Kind of the value.
    pub kind: ParameterKind,
    /// Value if none is given, as text. `None` if a value must be given; empty if none is needed.
    pub default: Option<&'static str>,
    /// Returns why a value other than the default does not fit a model, as a sentence without full stop.
    pub why_not: fn(&Model) -> Option<String>,
}

impl Parameter {
    /// Creates a parameter that needs a value.
    pub(super) const fn new(name: &'static str, label: &'static str, kind: ParameterKind) -> Self {
        Self { name, label, kind, default: None, why_not: |_| None }
    }

    /// Adds a value for calls that give none; empty if none is needed.
    pub(super) const fn or(self, default: &'static str) -> Self {
        Self { default: Some(default), ..self }
    }

    /// Adds a function that returns why the value does not fit a model, as a sentence without full stop.
    pub(super) const fn unless(self, why_not: fn(&Model) -> Option<String>) -> Self {
        Self { why_not, ..self }
    }

    /// Returns the value of a text, or the expected form.
    fn value(&self, text: &str) -> Result<Option<Value>, String> {
        match if text.is_empty() { self.default } else { Some(text) } {
            Some("") => Ok(None),
            text => text.and_then(|text| parsed(text, self.kind)).map(Some).ok_or_else(|| self.kind.form()),
        }
    }
}

/// Kind of the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParameterKind {
    /// Number in a range.
    Number {
        /// Smallest number.
        min: f32,
        /// Largest number.
        max: f32,
        /// Unit for display; empty if there is none.
        unit: &'static str,
    },
    /// Whole number in a range.
    Whole {
        /// Smallest number.
        min: i32,
        /// Largest number.
        max: i32,
    },
    /// Three numbers.
    Vector {
        /// Unit for display; empty if there is none.
        unit: &'static str,
    },
    /// Text.
    Text,
    /// Surfaces by name or index, or `all`.
    Surfaces,
    /// Name of a tag.
    Tag,
    /// Name of a clip.
    Clip,
    /// Frames as ranges or clips, such as `0-9,12,run`, or `all`.
    Frames,
    /// Vertex of a surface, such as `head:12`.
    Vertex,
    /// Vertices of a surface as ranges, such as `0-9,12`, or `all`.
    Vertices,
    /// Triangles of a surface, like vertices.
    Triangles,
    /// Skins, like vertices.
    Skins,
    /// Durations in seconds, separated by commas.
    Durations,
    /// Word of a list.
    Choice(&'static [&'static str]),
    /// `yes` or `no`.
    Switch,
    /// Paths of model files, separated by commas, or a pattern with `*`.
    Models,
    /// Path of an image file.
    Image,
    /// Path of a shader or texture in the game.
    Material,
}

impl ParameterKind {
    /// Returns the unit for display; empty if there is none.
    pub fn unit(&self) -> &'static str {
        match self {
            Self::Number { unit, .. } | Self::Vector { unit } => unit,
            _ => "",
        }
    }

    /// Returns the expected form of the value, for messages and help.
    pub fn form(&self) -> String {
        match self {
            Self::Number { min, max, unit } => {
                let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
                format!("a number from {min} to {max}{unit}")
            }
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Vector { .. } => "three numbers X,Y,Z".to_owned(),
            Self::Text => "a text".to_owned(),
            Self::Surfaces => "names or indices of surfaces, or all".to_owned(),
            Self::Tag => "the name of a tag".to_owned(),
            Self::Clip => "the name of a clip".to_owned(),
            Self::Vertex => "a surface and a vertex, such as head:12".to_owned(),
            Self::Frames => "frames such as 0-9,12, names of clips, or all".to_owned(),
            Self::Vertices | Self::Triangles | Self::Skins => "numbers such as 0-9,12, or all".to_owned(),
            Self::Durations => "seconds from 0.001 to 1000, such as 0.1,0.2".to_owned(),
            Self::Choice(words) => words.join(", "),
            Self::Switch => "yes or no".to_owned(),
            Self::Models => "paths of model files, or a pattern with *".to_owned(),
            Self::Image => "the path of an image".to_owned(),
            Self::Material => "the path of a shader or texture".to_owned(),
        }
    }
}

/// Why texts of a dialog are not the arguments of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DialogFault {
    /// The fault, with the labels of the parameters.
    pub text: String,
    /// Whether nothing is wrong yet, but a value is missing.
    pub is_missing: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Value {
    Number(f32),
    Whole(i32),
    Vector(Vec3),
    Text(String),
    Switch(bool),
}

/// Operation with its arguments.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operation.
    pub operation: &'static Operation,
    values: Vec<Option<Value>>,
    models: Vec<Arc<Model>>,
    images: Vec<EmbeddedImage>,
    /// Why the arguments are invalid.
    invalid: Option<String>,
}

impl PartialEq for Call {
    fn eq(&self, other: &Self) -> bool {
        self.operation == other.operation && self.values == other.values
    }
}

impl Call {
    /// Parses the name of an operation and its arguments: `scale factor=2 surfaces="l arm"`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words = words(text)?.into_iter();
        let name = words.next().ok_or("expected the name of an operation")?;
        let operation = OPERATIONS.iter().find(|operation| operation.name.eq_ignore_ascii_case(&name));
        let operation = operation.ok_or_else(|| {
            let known: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
            format!("unknown operation “{name}”; expected {}", known.join(", "))
        })?;
        let pairs = words.map(|word| match word.split_once('=') {
            Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
            None => Err(format!("expected NAME=VALUE, not “{word}”")),
        });
        Self::new(operation, &pairs.collect::<Result<Vec<_>, _>>()?)
    }

    /// Creates a call from names and values as text.
    pub fn new(operation: &'static Operation, pairs: &[(String, String)]) -> Result<Self, String> {
        let is_known = |name: &str| operation.parameters.iter().any(|parameter| parameter.name == name);
        if let Some((unknown, _)) = pairs.iter().find(|(name, _)| !is_known(name)) {
            let known: Vec<&str> = operation.parameters.iter().map(|parameter| parameter.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(format!("{} has no parameter “{unknown}”; available: {known}", operation.name));
        }
        let value = |parameter: &Parameter| {
            let given = pairs.iter().rfind(|(name, _)| name == parameter.name).map_or("", |(_, value)| value.trim());
            parameter.value(given).map_err(|form| match given {
                "" => format!("{} needs {}: {form}", operation.name, parameter.name),
                text => format!("{}={text}: expected {form}", parameter.name),
            })
        };
        let values = operation.parameters.iter().map(value).collect::<Result<_, _>>()?;
        Ok(Self { operation, values, models: Vec::new(), images: Vec::new(), invalid: None })
    }

    /// Creates a call from the texts of a dialog, one for each parameter. Messages contain the labels of the parameters.
    /// Wrong values precede missing ones.
    pub fn from_dialog(operation: &'static Operation, texts: &[String]) -> Result<Self, DialogFault> {
        let (mut values, mut faults) = (Vec::new(), Vec::new());
        for (parameter, text) in operation.parameters.iter().zip(texts) {
            let (text, label) = (text.trim(), parameter.label);
            let fault = |form| DialogFault { text: format!("{label}: expected {form}"), is_missing: text.is_empty() };
            match parameter.value(text) {
                Ok(value) => values.push(value),
                Err(form) => faults.push(fault(form)),
            }
        }
        if let Some(fault) = faults.into_iter().min_by_key(|fault| fault.is_missing) {
            return Err(fault);
        }
        let call = Self { operation, values, models: Vec::new(), images: Vec::new(), invalid: None };
        call.check_one_of(|parameter| parameter.label).map(|()| call)
    }

    /// Fails unless exactly one of the parameters in [`Operation::one_of`] has a value. `name` names them.
    fn check_one_of(&self, name: fn(&Parameter) -> &'static str) -> Result<(), DialogFault> {
        let all = self.operation.parameters.iter().zip(&self.values);
        let all = all.filter(|(parameter, _)| self.operation.one_of.contains(&parameter.name));
        let given = all.clone().filter(|(_, value)| value.is_some()).count();
        let names: Vec<&str> = all.map(|(parameter, _)| name(parameter)).collect();
        match names.split_last() {
            Some((last, others)) if given != 1 => {
                let text = format!("expected one of {} and {last}", others.join(", "));
                Err(DialogFault { text, is_missing: given == 0 })
            }
            _ => Ok(()),
        }
    }

    /// Creates a call from values in the order of the parameters. The last parameters may have their defaults. A call
    /// with an invalid value fails when it is applied.
    #[must_use]
    pub fn with(operation: &'static Operation, values: &[&str]) -> Self {
        let given = values.iter().map(Some).chain(std::iter::repeat(None));
        let mut invalid = None;
        let value = |(parameter, text): (&Parameter, Option<&&str>)| {
            let is_given = |text: &&str| !text.is_empty() || parameter.default != Some("");
            let text = text.copied().filter(is_given).or(parameter.default.filter(|text| !text.is_empty()))?;
            let value = parsed(text, parameter.kind);
            if value.is_none() {
                invalid = Some(format!("{}={text}: expected {}", parameter.name, parameter.kind.form()));
            }
            value
        };
        let values = operation.parameters.iter().zip(given).map(value).collect();
        Self { operation, values, models: Vec::new(), images: Vec::new(), invalid }
    }

    /// Returns whether other files of the model change, too: its animations, coarser LODs or list of clips.
    pub fn changes_companions(&self, model: &Model) -> bool {
        self.changes_clip_list(model) || self.changes_other_files(model)
    }

    /// Returns whether the `animation.cfg` of the model changes, too.
    pub fn changes_clip_list(&self, model: &Model) -> bool {
        match self.operation.reach {
            Reach::List => !stores_clips(model),
            Reach::Clips => model.clips().iter().any(|clip| clip.source == ClipSource::AnimationConfig),
            Reach::Mesh | Reach::Surfaces | Reach::Space => false,
        }
    }

    /// Returns whether animations, coarser LODs, or lists of clips other than an `animation.cfg` change, too.
    pub fn changes_other_files(&self, model: &Model) -> bool {
        let has_clips_from = |sources: &[ClipSource]| model.clips().iter().any(|clip| sources.contains(&clip.source));
        let has_lods = model.format().traits().lods == LodStorage::Files && model.lod_count() > 1;
        match self.operation.reach {
            Reach::Mesh | Reach::List => false,
            Reach::Surfaces => has_lods,
            Reach::Clips => has_lods || has_clips_from(&[ClipSource::ClipList, ClipSource::AnimationFile]),
            Reach::Space => has_lods || has_clips_from(&[ClipSource::AnimationFile]),
        }
    }

    /// Reads the models that the arguments name. `read` returns those of a path or a pattern.
    pub fn load_models(&mut self, mut read: impl FnMut(&str) -> Result<Vec<Arc<Model>>, String>) -> Result<(), String> {
        for (parameter, value) in self.operation.parameters.iter().zip(&self.values) {
            if let (ParameterKind::Models, Some(Value::Text(paths))) = (parameter.kind, value) {
                for path in paths.split(',') {
                    self.models.extend(read(path.trim())?);
                }
            }
        }
        Ok(())
    }

    /// Returns why the operation does not fit the model.
    pub fn check(&self, model: &Model) -> Result<(), String> {
        let not_one = || self.check_one_of(|parameter| parameter.name).err().map(|fault| fault.text);
        let why = self.invalid.clone().or_else(not_one).or_else(|| (self.operation.refuses)(model));
        why.map_or(Ok(()), Err)
    }

    /// Returns why the operation does not fit the model, or its result.
    pub(super) fn apply(&self, model: &Model, notes: &mut Notes) -> Result<Model, String> {
        self.check(model)?;
        Model::new((self.operation.apply)(model, self, notes)?).map_err(|error| error.to_string())
    }

    /// Replaces the paths of shaders and textures among the values.
    pub fn replace_materials<E>(&mut self, mut new: impl FnMut(&str) -> Result<String, E>) -> Result<(), E> {
        for (parameter, value) in self.operation.parameters.iter().zip(&mut self.values) {
            if let (ParameterKind::Material, Some(Value::Text(path))) = (parameter.kind, value) {
                *path = new(path)?;
            }
        }
        Ok(())
    }

    /// Reads the images that the arguments name. `read` returns the pixels of a path.
    pub fn load_images(&mut self, mut read: impl FnMut(&str) -> Result<Pixels, String>) -> Result<(), String> {
        for (parameter, value) in self.operation.parameters.iter().zip(&self.values) {
            if let (ParameterKind::Image, Some(Value::Text(path))) = (parameter.kind, value) {
                self.images.push(EmbeddedImage::Pixels(Arc::new(read(path)?)));
            }
        }
        Ok(())
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let index = self.operation.parameters.iter().position(|parameter| parameter.name == name)?;
        self.values.get(index)?.as_ref()
    }

    pub(super) fn number(&self, name: &str) -> Option<f32> {
        if let Some(Value::Number(number)) = self.value(name) { Some(*number) } else { None }
    }

    pub(super) fn whole(&self, name: &str) -> Option<i32> {
        if let Some(Value::Whole(number)) = self.value(name) { Some(*number) } else { None }
    }

    pub(super) fn vector(&self, name: &str) -> Option<Vec3> {
        if let Some(Value::Vector(vector)) = self.value(name) { Some(*vector) } else { None }
    }

    /// Returns the text of a parameter; empty without a value.
    pub fn text(&self, name: &str) -> &str {
        if let Some(Value::Text(text)) = self.value(name) { text } else { "" }
    }

    /// Returns whether a parameter is `yes`.
    pub fn switch(&self, name: &str) -> bool {
        self.value(name) == Some(&Value::Switch(true))
    }

    pub(super) fn models(&self) -> &[Arc<Model>] {
        &self.models
    }

    pub(super) fn images(&self) -> &[EmbeddedImage] {
        &self.images
    }

    /// Returns the indices of the chosen surfaces in ascending order. `=all` is a name, and not a word or a list.
    pub fn surfaces(&self, model: &Model) -> Result<Vec<usize>, String> {
        let text = self.text("surfaces");
        if let Some(name) = text.strip_prefix('=') {
            return surfaces_named(model, name);
        }
        match surfaces_named(model, text) {
            _ if text.is_empty() => return Ok((0..model.surfaces().len()).collect()),
            // A name may contain a comma.
            Ok(named) => return Ok(named),
            Err(_) if text == "all" => return Ok((0..model.surfaces().len()).collect()),
            Err(_) => {}
        }
        let mut chosen = Vec::new();
        for name in text.split(',').map(str::trim) {
            chosen.extend(surfaces_named(model, name)?);
        }
        chosen.sort_unstable();
        chosen.dedup();
        Ok(chosen)
    }

    /// Returns the index of the tag of a parameter; `None` without a value.
    pub fn tag(&self, model: &Model, name: &str) -> Result<Option<usize>, String> {
        let text = self.text(name);
        if text.is_empty() {
            return Ok(None);
        }
        tag_named(model, text).map(Some)
    }

    /// Returns the chosen frames in the order of the text.
    pub fn frames(&self, model: &Model, name: &str) -> Result<Vec<u32>, String> {
        let count = u32::try_from(model.frames().len()).unwrap_or(u32::MAX);
        let mut frames = Vec::new();
        for part in self.parts(name) {
            let range = range(part, count).or_else(|| model.clip(part).map(|clip| clip.first..=clip.end() - 1));
            let range = range.ok_or_else(|| {
                let clips: Vec<&str> = model.clips().iter().map(|clip| clip.name.as_str()).collect();
                format!("“{part}” is neither a range of frames nor a clip; clips: {}", clips.join(", "))
            })?;
            if range.is_empty() || *range.end() >= count {
                return Err(format!("frames {part} do not exist; the model has frames 0 to {}", count - 1));
            }
            check_frames(model, frames.len().saturating_add(range.clone().count()))?;
            frames.extend(range);
        }
        Ok(frames)
    }

    fn parts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.text(name).split(',').map(str::trim).filter(|part| !part.is_empty())
    }

    /// Returns whether each of `count` elements is chosen, such as those of the parameter `vertices`; `None` if all are.
    pub(super) fn indices(&self, name: &str, count: usize) -> Result<Option<Vec<bool>>, String> {
        if matches!(self.text(name), "" | "all") {
            return Ok(None);
        }
        let (mut chosen, known) = (vec![false; count], u32::try_from(count).unwrap_or(u32::MAX));
        for part in self.parts(name) {
            let range = range(part, known).ok_or_else(|| format!("{name}: “{part}” is not a range of numbers"))?;
            let own = chosen.get_mut(*range.start() as usize..(*range.end() as usize).saturating_add(1));
            let own = own.filter(|own| !own.is_empty());
            own.ok_or_else(|| format!("{name} {part} do not exist; there are {count}, counted from 0"))?.fill(true);
        }
        Ok(Some(chosen))
    }

    /// Returns the single surface of the finest LOD that the call chooses.
    pub(super) fn one_surface(&self, model: &Model) -> Result<usize, String> {
        let is_finest = |index: &usize| model.surfaces().get(*index).is_some_and(|surface| surface.lod == 0);
        match self.surfaces(model)?.into_iter().filter(is_finest).collect::<Vec<_>>()[..] {
            [only] => Ok(only),
            _ => Err("the numbers belong to one surface; set surfaces to its name or index".to_owned()),
        }
    }

    /// Returns the times at which `count` elements end that last as long as a parameter says; empty without a value.
    pub(super) fn end_times(&self, name: &str, count: usize) -> Result<Vec<f32>, String> {
        let (mut end, durations) = (0.0, self.parts(name).filter_map(|part| part.parse::<f32>().ok()));
        let add = |seconds| {
            end += seconds;
            end
        };
        let times: Vec<f32> = durations.map(add).collect();
        let is_whole = times.is_empty() || times.len() == count;
        is_whole.then_some(times).ok_or_else(|| format!("{name}: expected {count} durations, separated by commas"))
    }
}

/// Returns the numbers of `3`, `0-9`, `20-` or `all`, of `count` elements.
fn range(text: &str, count: u32) -> Option<RangeInclusive<u32>> {
    let number = |text: &str| text.trim().parse::<u32>().ok();
    match (text.split_once('-'), number(text)) {
        (_, Some(only)) => Some(only..=only),
        (Some((first, "")), _) => number(first).map(|first| first..=count.saturating_sub(1)),
        (Some((first, last)), _) => number(first).zip(number(last)).map(|(first, last)| first..=last),
        _ => (text == "all").then(|| 0..=count.saturating_sub(1)),
    }
}

/// Returns whether the joints are stored as angles (MDS, MDM), which no operation changes.
fn has_angles(model: &Model) -> bool {
    let Motion::Skeletal(motion) = model.motion() else { return false };
    motion.tracks.iter().any(|track| matches!(track.frames, JointFrames::Angles(_)))
}

/// Returns whether the model's file lists its clips: an IQM, or an MDL with groups of frames.
pub fn stores_clips(model: &Model) -> bool {
    let traits = model.format().traits();
    model.data().seams.is_some() || matches!(traits.companions.animations, AnimationFiles::Above(_))
}

/// Returns whether an `animation.cfg` next to the model lists its clips, or may do so.
pub fn lists_clips(model: &Model) -> bool {
    let companions = model.format().traits().companions;
    let is_elsewhere = |clip: &Clip| matches!(clip.source, ClipSource::AnimationFile | ClipSource::ClipList);
    companions.clip_lists
        && matches!(companions.animations, AnimationFiles::None)
        && !model.clips().iter().any(is_elsewhere)
}

/// Returns the surfaces with a name, ignoring case, or the surface with an index. `#3` is always an index.
pub(super) fn surfaces_named(model: &Model, name: &str) -> Result<Vec<usize>, String> {
    let all = model.surfaces();
    let is_named = |(_, surface): &(usize, &crate::model::Surface)| {
        !name.starts_with('#') && surface.script_name().eq_ignore_ascii_case(name)
    };
    let named: Vec<usize> = all.iter().enumerate().filter(is_named).map(|(index, _)| index).collect();
    match name.strip_prefix('#').unwrap_or(name).parse::<usize>() {
        _ if !named.is_empty() => Ok(named),
        Ok(index) if index < all.len() => Ok(vec![index]),
        _ => Err(unknown("surface", name, all.iter().map(|surface| surface.script_name()).collect())),
    }
}

/// Returns the tag with a name, ignoring case. `#3` is the tag with this index.
pub(super) fn tag_named(model: &Model, name: &str) -> Result<usize, String> {
    let index = name.strip_prefix('#').and_then(|index| index.parse().ok()).filter(|at| *at < model.tags().len());
    let named = || model.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name));
    index.or_else(named).ok_or_else(|| match model.tags() {
        [] if !model.joints().is_empty() => "the model has no tags, only joints".to_owned(),
        tags => unknown("tag", name, tags.iter().map(String::as_str).collect()),
    })
}

fn unknown(kind: &str, name: &str, known: Vec<&str>) -> String {
    match known.as_slice() {
        [] => format!("the model has no {kind}s"),
        _ => format!("unknown {kind} “{name}”; available: {}", known.join(", ")),
    }
}

fn parsed(text: &str, kind: ParameterKind) -> Option<Value> {
    let number = |text: &str| text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
    Some(match kind {
        ParameterKind::Number { min, max, .. } => {
            Value::Number(number(text).filter(|number| (min..=max).contains(number))?)
        }
        ParameterKind::Whole { min, max } => {
            Value::Whole(text.parse().ok().filter(|number| (min..=max).contains(number))?)
        }
        ParameterKind::Vector { .. } => {
            let numbers: Vec<f32> = text.split(',').map(number).collect::<Option<_>>()?;
            Value::Vector(Vec3::from_array(numbers.try_into().ok()?))
        }
        ParameterKind::Choice(words) => {
            Value::Text((*words.iter().find(|word| word.eq_ignore_ascii_case(text))?).to_owned())
        }
        ParameterKind::Switch => Value::Switch(match text.to_ascii_lowercase().as_str() {
            "yes" | "on" | "true" | "1" => true,
            "no" | "off" | "false" | "0" => false,
            _ => return None,
        }),
        ParameterKind::Durations => {
            let is_usable = |part: &str| number(part).is_some_and(|seconds| (0.001..=1000.0).contains(&seconds));
            text.split(',').all(is_usable).then(|| Value::Text(text.to_owned()))?
        }
        ParameterKind::Text
        | ParameterKind::Surfaces
        | ParameterKind::Tag
        | ParameterKind::Clip
        | ParameterKind::Vertex
        | ParameterKind::Frames
        | ParameterKind::Vertices
        | ParameterKind::Triangles
        | ParameterKind::Skins
        | ParameterKind::Models
        | ParameterKind::Image
        | ParameterKind::Material => Value::Text(text.to_owned()),
    })
}

/// Splits text at spaces outside quotation marks.
fn words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for letter in text.chars() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            None if matches!(letter, '"' | '\'') => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    if quote.is_some() { Err("a quotation mark is missing".to_owned()) } else { Ok(words) }
}
