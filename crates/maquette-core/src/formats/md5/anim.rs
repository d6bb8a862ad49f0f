//! Parser of `.md5anim`: joints relative to their parents; each frame stores only the numbers that change.
//!
//! ```text
//! MD5Version 10
//! commandline "text"
//! numFrames F   numJoints J   frameRate R   numAnimatedComponents C
//! hierarchy { J × [ "name" parent flags firstComponent ] }
//! bounds { F × [ ( min ) ( max ) ] }
//! baseframe { J × [ ( x y z ) ( qx qy qz ) ] }
//! F × frame i { C numbers }
//! ```
//!
//! Each joint starts from its base frame. For each set bit of `flags` (Tx Ty Tz Qx Qy Qz, from bit 0) the next number
//! of the frame, from `firstComponent`, replaces one of its six numbers.

use std::collections::HashMap;

use glam::Vec3;

use super::{Count, DEFAULT_RATE, UnusableNumbers, finite, limits, read_parent, read_vec3, read_version};
use crate::bytes::Source;
use crate::error::{Fault, FilePosition, LoadError, Reason, Warning, WarningKind, Warnings, counted};
use crate::formats::track::{frames_played, no_room, warn_cut};
use crate::model::{Bounds, ChannelJoint, Clip, ClipSource, FrameInfo, JointChannels, JointFrames, Model, u32_or_max};
use crate::text::{Lexer, Statements, Token};

#[derive(Default)]
struct File {
    version: Option<i32>,
    has_command_line: bool,
    frame_count: Option<Count>,
    joint_count: Option<Count>,
    rate: Option<f32>,
    has_whole_rate: bool,
    component_count: Option<Count>,
    names: Vec<String>,
    joints: Vec<ChannelJoint>,
    base: Option<Vec<(Vec3, Vec3)>>,
    bounds: Vec<Bounds>,
    order: Vec<i64>,
    components: Vec<f32>,
    surplus: usize,
    not_finite: UnusableNumbers,
}

/// Loads the `.md5anim` called `name` for `model`, whose joints are matched by name, ignoring case. Pass the result to
/// [`Model::add_track`]. Fails if the file is invalid, no joint matches, or the model has no room for more frames.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<(Clip, JointFrames, Vec<FrameInfo>), LoadError> {
    let (mut file, counts) = File::read(&Source::new("md5", bytes), warnings)?;
    file.fit_flags(counts.stride, warnings);
    let joint_of_mesh = file.match_joints(model, counts.joints.position, warnings)?;
    let (rate, mut frames, mut components) = file.movement(&counts, warnings)?;
    let played = frames_played(bytes.len(), frames.len(), file.joints.len(), Some(model));
    if played == 0 {
        return Err(LoadError::new("md5", "numFrames", counts.frames.position, Reason::Broken(no_room(model))));
    }
    if played < frames.len() {
        warn_cut("numFrames", [played, frames.len(), file.joints.len(), bytes.len()], warnings);
        frames.truncate(played);
        frames.shrink_to_fit();
        components.truncate(played * counts.stride as usize);
        components.shrink_to_fit();
    }
    let count = u32_or_max(played);
    let clip = Clip::new(name, 0, count, rate, ClipSource::AnimationFile);
    let channels = JointChannels { joints: file.joints, stride: counts.stride, components, joint_of_mesh };
    Ok((clip, JointFrames::Channels(channels), frames))
}

/// Checks the grammar and counts of a `.md5anim` without a model.
pub fn check_animation(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    let (mut file, counts) = File::read(source, warnings)?;
    file.fit_flags(counts.stride, warnings);
    file.movement(&counts, warnings).map(drop)
}

struct Counts {
    frames: Count,
    joints: Count,
    stride: u32,
}

impl File {
    fn read(source: &Source, warnings: &mut Warnings) -> Result<(Self, Counts), LoadError> {
        let mut lexer = Lexer::new("md5", source.bytes());
        let mut file = Self::default();
        let statements = Statements::new(source);
        while let Some(word) = lexer.next()? {
            // Doom 3 stops after the last frame. Some exporters write over a longer file.
            let is_name = word.bytes.first().is_some_and(u8::is_ascii_alphabetic);
            if !is_name && file.frame_count.is_some_and(|count| file.order.len() >= count.value as usize) {
                let message = format!("the text after the last frame is skipped, from line {}", word.line);
                warnings.add(WarningKind::LeftOut, "frame", message);
                break;
            }
            let is_block = word.is_any(&["hierarchy", "bounds", "baseframe", "frame"]);
            let _group = is_block.then(|| statements.group(|| block_name(&lexer, &word)));
            file.read_block(&mut lexer, &word, &statements, warnings)?;
            statements.end(&lexer, &word);
        }
        statements.finish();
        let missing = |field: &str| lexer.unexpected(None, field, &format!("“{field}”"));
        let frame_count = file.frame_count.ok_or_else(|| missing("numFrames"))?;
        let joint_count = file.joint_count.ok_or_else(|| missing("numJoints"))?;
        let stride = file.component_count.ok_or_else(|| missing("numAnimatedComponents"))?.value;
        for (field, count) in [("numFrames", frame_count), ("numJoints", joint_count)] {
            if count.value == 0 {
                let why = Reason::Broken("the count is 0; an animation needs at least 1".to_owned());
                return Err(LoadError::new("md5", field, count.position, why));
            }
        }
        let base = file.base.take().ok_or_else(|| missing("baseframe"))?;
        joint_count.check("numJoints", file.joints.len(), "hierarchy", warnings)?;
        if base.len() < file.joints.len() {
            let why = format!("{} joints need a base frame, but the file has only {}", file.joints.len(), base.len());
            return Err(LoadError::new("md5", "baseframe", joint_count.position, Reason::Broken(why)));
        }
        file.warn_missing_lines(warnings);
        for (joint, (translation, xyz)) in file.joints.iter_mut().zip(base) {
            (joint.translation, joint.rotation_xyz) = (translation, xyz);
        }
        Ok((file, Counts { frames: frame_count, joints: joint_count, stride }))
    }

    fn warn_missing_lines(&self, warnings: &mut Warnings) {
        if self.version.is_none() {
            let message = "the line is missing; the file is read as version 10";
            warnings.add_fault(Fault::MissingVersion, WarningKind::Substituted, "MD5Version", message);
        }
        if !self.has_command_line {
            let message = "the line is missing";
            warnings.add_fault(Fault::MissingCommandLine, WarningKind::Inconsistent, "commandline", message);
        }
    }

    fn movement(
        &mut self,
        counts: &Counts,
        warnings: &mut Warnings,
    ) -> Result<(f32, Vec<FrameInfo>, Vec<f32>), LoadError> {
        let rate = self.rate(warnings);
        let frames = self.frame_infos(counts.frames.value, warnings);
        self.not_finite.warn(warnings);
        Ok((rate, frames, self.components_in_order(counts.frames, counts.stride, warnings)?))
    }

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
            lexer.parse_text("commandline")?;
            self.has_command_line = true;
        } else if word.is("numFrames") {
            self.frame_count = Some(Count::read(lexer, "numFrames", limits::FRAMES)?);
        } else if word.is("numJoints") {
            self.joint_count = Some(Count::read(lexer, "numJoints", limits::JOINTS)?);
        } else if word.is("frameRate") {
            self.has_whole_rate = lexer.peek()?.is_some_and(|token| token.integer().is_some());
            self.rate = Some(lexer.parse_number("frameRate")?);
        } else if word.is("numAnimatedComponents") {
            self.component_count = Some(Count::read(lexer, "numAnimatedComponents", 6 * limits::JOINTS)?);
        } else if word.is("hierarchy") {
            self.read_hierarchy(lexer, word, statements, warnings)?;
        } else if word.is("bounds") {
            self.read_bounds(lexer, word, statements)?;
        } else if word.is("baseframe") {
            self.read_base_frame(lexer, word, statements)?;
        } else if word.is("frame") {
            self.read_frame(lexer, word, statements)?;
        } else if word.is_any(&["numMeshes", "joints", "mesh"]) {
            return refuse("this is an MD5 mesh, not an animation");
        } else if word.is_any(&["numCuts", "cuts", "camera"]) {
            return refuse("this is an MD5 camera, which is not supported");
        } else if word.is_any(&["numchannels", "channel"]) {
            return refuse("this is an MD5 of version 6 (the Doom 3 alpha), which is not supported");
        } else {
            return Err(lexer.unexpected(Some(*word), "", "“hierarchy”, “bounds”, “baseframe” or “frame”"));
        }
        Ok(())
    }

    fn read_hierarchy(
        &mut self,
        lexer: &mut Lexer,
        word: &Token,
        statements: &Statements,
        warnings: &mut Warnings,
    ) -> Result<(), LoadError> {
        lexer.expect("{", "hierarchy")?;
        statements.end(lexer, word);
        let mut masked = 0;
        while !lexer.check("}")? {
            let index = self.joints.len();
            let mut read = || {
                let name = lexer.parse_text("name")?;
                let parent = read_parent(lexer, index, &name, Fault::InvalidAnimationParent, warnings)?;
                let flags = lexer.parse_integer("flags")?;
                let first = lexer.parse_integer("firstComponent")?;
                masked += usize::from(!(0..64).contains(&flags));
                let joint = ChannelJoint {
                    parent,
                    flags: u8::try_from(flags & 63).unwrap_or(0),
                    // An index that is too large lies beyond every frame, so the joint keeps its base frame.
                    first: u32_or_max(first),
                    translation: Vec3::ZERO,
                    rotation_xyz: Vec3::ZERO,
                };
                Ok((name, joint))
            };
            let (name, joint) =
                read().map_err(|error: LoadError| error.within(&format!("hierarchy: joint {index}")))?;
            statements.end_called(lexer, || name.clone());
            self.names.push(name);
            self.joints.push(joint);
        }
        let roots = self.joints.iter().filter(|joint| joint.parent.is_none()).count();
        if roots > 1 {
            let message = format!("{roots} joints have no parent; Doom 3 allows only one");
            warnings.add_fault(Fault::SeveralAnimationRoots, WarningKind::Inconsistent, "hierarchy", message);
        }
        if masked > 0 {
            warnings.add_fault(
                Fault::UnknownFlags,
                WarningKind::LeftOut,
                "hierarchy",
                counted(
                    masked,
                    "joint has unknown flags, which are ignored",
                    "joints have unknown flags, which are ignored",
                ),
            );
        }
        Ok(())
    }

    fn read_bounds(&mut self, lexer: &mut Lexer, word: &Token, statements: &Statements) -> Result<(), LoadError> {
        lexer.expect("{", "bounds")?;
        statements.end(lexer, word);
        while !lexer.check("}")? {
            let min = read_vec3(lexer, "bounds", &mut self.not_finite)?;
            let max = read_vec3(lexer, "bounds", &mut self.not_finite)?;
            self.not_finite.locate(lexer.position(), || format!("bounds {}", self.bounds.len()));
            statements.end_called(lexer, || format!("bounds {}", self.bounds.len()));
            self.bounds.push(Bounds { min, max });
        }
        Ok(())
    }

    fn read_base_frame(&mut self, lexer: &mut Lexer, word: &Token, statements: &Statements) -> Result<(), LoadError> {
        lexer.expect("{", "baseframe")?;
        statements.end(lexer, word);
        let mut base = Vec::new();
        while !lexer.check("}")? {
            let translation = read_vec3(lexer, "baseframe", &mut self.not_finite)?;
            let xyz = read_vec3(lexer, "baseframe", &mut self.not_finite)?;
            self.not_finite.locate(lexer.position(), || format!("baseframe: joint {}", base.len()));
            statements.end_called(lexer, || format!("joint {}", base.len()));
            base.push((translation, xyz));
        }
        self.base = Some(base);
        Ok(())
    }

    fn read_frame(&mut self, lexer: &mut Lexer, word: &Token, statements: &Statements) -> Result<(), LoadError> {
        let number = lexer.parse_integer("frame")?;
        let within = |error: LoadError| error.within(&format!("frame {number}"));
        let Some(Count { value: count, .. }) = self.component_count else {
            return Err(lexer.unexpected(None, "numAnimatedComponents", "the line before the first frame"));
        };
        lexer.expect("{", "").map_err(within)?;
        statements.end(lexer, word);
        if self.components.is_empty() {
            let announced = self.frame_count.map_or(0, |frames| frames.value as usize) * count as usize;
            // Every number takes at least one byte and a separator.
            self.components.reserve_exact(announced.min(lexer.rest().0.len() / 2));
        }
        let mut read = 0;
        let is_noted = statements.are_noted();
        // End of the last number; the numbers of a line are recorded together.
        let mut last: Option<Lexer> = None;
        while !lexer.check("}").map_err(within)? {
            if is_noted {
                let line = lexer.peek().ok().flatten().map(|number| number.line);
                if let Some(last) = last.filter(|last| line.is_some_and(|line| line != last.rest().1)) {
                    statements.end_called(&last, || "components".to_owned());
                }
            }
            let value = finite(lexer.parse_number("").map_err(within)?, &mut self.not_finite);
            self.not_finite.locate(lexer.position(), || format!("frame {number}: number {read}"));
            if is_noted {
                last = Some(*lexer);
            }
            if read < count {
                self.components.push(value);
                read += 1;
            } else {
                self.surplus += 1;
            }
        }
        if let Some(last) = last {
            statements.end_called(&last, || "components".to_owned());
        }
        if read < count {
            let why = format!("expected {count} numbers, found only {read}");
            return Err(within(lexer.error("", Reason::Broken(why))));
        }
        self.order.push(number);
        Ok(())
    }

    fn fit_flags(&mut self, stride: u32, warnings: &mut Warnings) {
        let (mut short, mut unused) = (0, 0);
        for joint in &mut self.joints {
            let stored = joint.flags;
            unused += usize::from(stored == 0 && stride > 0 && joint.first >= stride);
            let room = stride.saturating_sub(joint.first);
            while joint.flags.count_ones() > room {
                // The highest flag refers to the number beyond the frame.
                joint.flags &= !(1 << joint.flags.ilog2());
            }
            joint.first = if joint.flags == 0 { 0 } else { joint.first };
            short += usize::from(joint.flags != stored);
        }
        warnings.add_counted_fault(
            Fault::UnusedComponent,
            WarningKind::Inconsistent,
            "hierarchy",
            unused,
            [
                "joint without flags names numbers beyond the end of a frame, which are not used",
                "joints without flags name numbers beyond the end of a frame, which are not used",
            ],
        );
        if short > 0 {
            warnings.add_fault(
                Fault::UnknownComponent,
                WarningKind::Substituted,
                "hierarchy",
                counted(
                    short,
                    "joint uses numbers beyond the end of a frame; its base frame is used",
                    "joints use numbers beyond the end of a frame; their base frame is used",
                ),
            );
        }
    }

    fn match_joints(
        &self,
        model: &Model,
        position: FilePosition,
        warnings: &mut Warnings,
    ) -> Result<Vec<Option<u32>>, LoadError> {
        let mut by_name: HashMap<String, u32> = HashMap::with_capacity(self.names.len());
        for (index, name) in (0..).zip(&self.names) {
            by_name.entry(name.to_ascii_lowercase()).or_insert(index);
        }
        let joints = model.joints();
        let matched: Vec<Option<u32>> =
            joints.iter().map(|joint| by_name.get(&joint.name.to_ascii_lowercase()).copied()).collect();
        if matched.iter().all(Option::is_none) {
            return Err(LoadError::new("md5", "hierarchy", position, Reason::OtherModel));
        }
        let missing: Vec<&str> = joints
            .iter()
            .zip(&matched)
            .filter(|(_, own)| own.is_none())
            .map(|(joint, _)| joint.name.as_str())
            .collect();
        if !missing.is_empty() {
            let message = format!("the animation has no {}; those joints keep the bind pose", listed(&missing));
            warnings.add(WarningKind::Substituted, "hierarchy", message);
        }
        let used: std::collections::HashSet<u32> = matched.iter().flatten().copied().collect();
        let extra: Vec<&str> =
            (0..).zip(&self.names).filter(|(index, _)| !used.contains(index)).map(|(_, name)| name.as_str()).collect();
        if !extra.is_empty() {
            warnings.add(
                WarningKind::LeftOut,
                "hierarchy",
                format!("the animation moves {}, which the mesh does not have; skipped", listed(&extra)),
            );
        }
        Ok(matched)
    }

    fn rate(&self, warnings: &mut Warnings) -> f32 {
        match self.rate {
            Some(rate) if rate.is_finite() && rate > 0.0 => {
                if !self.has_whole_rate {
                    let message = format!("the rate {rate} is not written as a whole number, which Doom 3 requires");
                    warnings.add_fault(Fault::FractionalRate, WarningKind::Inconsistent, "frameRate", message);
                }
                rate
            }
            Some(rate) => {
                let message = format!("the rate is {rate}; {DEFAULT_RATE} is used");
                warnings.add_fault(Fault::UnusableRate, WarningKind::Substituted, "frameRate", message);
                DEFAULT_RATE
            }
            None => {
                let message = format!("the line is missing; {DEFAULT_RATE} is used");
                warnings.add_fault(Fault::MissingRate, WarningKind::Substituted, "frameRate", message);
                DEFAULT_RATE
            }
        }
    }

    fn frame_infos(&self, frame_count: u32, warnings: &mut Warnings) -> Vec<FrameInfo> {
        if self.bounds.len() != frame_count as usize {
            let found = self.bounds.len();
            let message = format!("found {found} bounds for {frame_count} frames; they are used in order");
            warnings.add_fault(Fault::BoundsCount, WarningKind::Inconsistent, "bounds", message);
        }
        // Limited to the frames present, so that a claimed count alone allocates no memory.
        let count = (frame_count as usize).min(self.order.len());
        let info = |index| FrameInfo { bounds: self.bounds.get(index).copied(), ..FrameInfo::default() };
        (0..count).map(info).collect()
    }

    fn components_in_order(
        &mut self,
        frame_count: Count,
        stride: u32,
        warnings: &mut Warnings,
    ) -> Result<Vec<f32>, LoadError> {
        let Count { value: frame_count, position } = frame_count;
        if self.surplus > 0 {
            let numbers = counted(self.surplus, "more number", "more numbers");
            let message = format!("the frames have {numbers} than announced; skipped");
            warnings.add_fault(Fault::SurplusEntries, WarningKind::LeftOut, "frames", message);
        }
        let components = std::mem::take(&mut self.components);
        if self.order.len() == frame_count as usize
            && self.order.iter().zip(0..).all(|(number, position)| *number == position)
        {
            return Ok(components);
        }
        let mut block_of: HashMap<i64, usize> = HashMap::with_capacity(self.order.len());
        for (block, number) in self.order.iter().enumerate() {
            block_of.insert(*number, block);
        }
        let stride = stride as usize;
        let mut ordered = Vec::new();
        for frame in 0..i64::from(frame_count) {
            let Some(block) = block_of.get(&frame) else {
                let why = format!("{frame_count} frames are announced, but frame {frame} is missing");
                return Err(LoadError::new("md5", "numFrames", position, Reason::Broken(why)));
            };
            ordered.extend_from_slice(components.get(block * stride..(block + 1) * stride).unwrap_or_default());
        }
        let beyond = self.order.len() - frame_count as usize;
        let message = match beyond {
            0 => "the frames are not in order; their numbers are used".to_owned(),
            _ => counted(
                beyond,
                "frame is repeated or beyond numFrames; the last frame of each number is used",
                "frames are repeated or beyond numFrames; the last frame of each number is used",
            ),
        };
        let kind = if beyond > 0 { WarningKind::LeftOut } else { WarningKind::Inconsistent };
        // Engines that require the order stop after the last frame.
        let is_ordered = self.order.iter().take(frame_count as usize).copied().eq(0..i64::from(frame_count));
        let fault = (!is_ordered).then_some(Fault::FrameOrder);
        warnings.push(Warning { fault, ..Warning::new(kind, "frames", message) });
        Ok(ordered)
    }
}

fn block_name(lexer: &Lexer, word: &Token) -> String {
    match lexer.peek() {
        Ok(Some(number)) if number.integer().is_some() => format!("{} {}", word.text(), number.text()),
        _ => word.text(),
    }
}

fn listed(names: &[&str]) -> String {
    let shown: Vec<String> = names.iter().take(4).map(|name| format!("“{name}”")).collect();
    let more = names.len() - shown.len();
    let noun = if names.len() == 1 { "joint" } else { "joints" };
    if more == 0 {
        format!("{noun} {}", shown.join(", "))
    } else {
        format!("{noun} {} and {more} more", shown.join(", "))
    }
}
