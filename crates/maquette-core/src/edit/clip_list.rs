//! Changes of an `animation.cfg` that keep its keywords, comments and layout.

use crate::convert::{listed_numbers, named_clips, words_of};
use crate::error::Warnings;
use crate::formats::animation_cfg::{AnimationConfig, BodyPart, Dialect, Entry};
use crate::model::{Clip, ClipSource, Model, u32_or_max};

/// Words of a line that lists a clip: its name and four numbers.
type Words = [Option<String>; 5];

/// Returns the `animation.cfg` of the edited model `after`. `text` is the present file, with which `before` was read;
/// empty if there is none. Fails if the file cannot list the clips of a single model by name, if the clips of `before`
/// are not those of the file, or if `before` lacks frames of the file.
pub fn edited_clip_list(text: &[u8], before: &Model, after: &Model) -> Result<Vec<u8>, String> {
    let config = AnimationConfig::parse(text, &mut Warnings::default());
    if !matches!(config.dialect, Dialect::EliteForce | Dialect::Named) {
        return Err("it has the animations of a player in a fixed order; edit it with a text editor".to_owned());
    }
    let frames = |model: &Model| u32_or_max(model.frames().len());
    let old = config.clips(BodyPart::Whole, frames(before), &mut Warnings::default());
    let is_shown = |clip: &Clip| clip.source == ClipSource::AnimationConfig && before.clips().contains(clip);
    if !old.iter().all(is_shown) {
        return Err("its clips are not those of this model; move the model to its own folder".to_owned());
    }
    // A model that shares the list may have these frames.
    let is_cut = |entry: &&Entry| entry.first.saturating_add(entry.count) > frames(before);
    if let Some(Entry { name, .. }) = config.entries.iter().find(is_cut) {
        return Err(format!("“{name}” has frames that this model lacks; edit it with a text editor"));
    }
    let lines = Lines::new(text, &config).ok_or("it has clips in several lines; edit it with a text editor")?;
    // The dialect may follow from a changed line.
    for (counts, is_complete) in [(config.dialect == Dialect::Named, false), (false, true)] {
        let edited = lines.edited(&old, after.clips(), counts, is_complete);
        let again = AnimationConfig::parse(&edited, &mut Warnings::default());
        let read = again.clips(BodyPart::Whole, frames(after), &mut Warnings::default());
        if are_listed(after.clips(), read) {
            return Ok(edited);
        }
    }
    Err("games would read other clips from it; edit it with a text editor".to_owned())
}

/// Returns whether `read` are the clips of a model, in any order. A name may be replaced by the word for it.
fn are_listed(clips: &[Clip], mut read: Vec<Clip>) -> bool {
    let words = words_of(named_clips(clips).map(|clip| clip.name.as_str()));
    let has_all = named_clips(clips).zip(words).all(|(clip, word)| {
        let is_equal = |read: &Clip| {
            (read.name == clip.name || read.name == word) && listed_numbers(read, false) == listed_numbers(clip, false)
        };
        read.iter().position(is_equal).map(|at| read.swap_remove(at)).is_some()
    });
    has_all && read.is_empty()
}

/// Lines of a file, each with whether it lists a clip.
struct Lines<'a>(Vec<(&'a [u8], bool)>);

impl<'a> Lines<'a> {
    /// Returns the lines of a file, or `None` if a clip has several lines.
    fn new(text: &'a [u8], config: &AnimationConfig) -> Option<Self> {
        let mut names = config.entries.iter().map(|entry| &entry.name);
        let mut lines = Vec::new();
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let listed = AnimationConfig::parse(line, &mut Warnings::default()).entries;
            if !listed.is_empty() && names.next() != listed.first().map(|entry| &entry.name) {
                return None;
            }
            lines.push((line, !listed.is_empty()));
        }
        names.next().is_none().then_some(Self(lines))
    }

    /// Returns the file with the clips `new` instead of `old`, which are those of its lines. Without `is_complete`, only
    /// changed words are replaced. With `counts`, loops are numbers of frames.
    fn edited(&self, old: &[Clip], new: &[Clip], counts: bool, is_complete: bool) -> Vec<u8> {
        let words: Vec<String> = words_of(named_clips(new).map(|clip| clip.name.as_str()));
        let mut new: Vec<(&Clip, String)> = named_clips(new).zip(words).collect();
        let mut take =
            |is_meant: &dyn Fn(&Clip) -> bool| new.iter().position(|(clip, _)| is_meant(clip)).map(|at| new.remove(at));
        let mut kept: Vec<_> = old.iter().map(|old| take(&|clip| clip.name.eq_ignore_ascii_case(&old.name))).collect();
        for (kept, old) in kept.iter_mut().zip(old).filter(|(kept, _)| kept.is_none()) {
            *kept = take(&|clip| (clip.first, clip.count) == (old.first, old.count));
        }
        let numbers = |clip| listed_numbers(clip, counts);
        let mut rows = old.iter().zip(kept);
        let mut edited: Vec<Vec<u8>> = Vec::new();
        let mut end = if self.0.iter().any(|(_, lists)| *lists) { 0 } else { self.0.len() };
        for (line, lists) in &self.0 {
            let row = if *lists { rows.next() } else { None };
            let Some((old, kept)) = row else {
                edited.push(line.to_vec());
                continue;
            };
            if let Some((clip, word)) = kept {
                let changed = |(new, old): (String, String)| (is_complete || new != old).then_some(new);
                let mut words = Words::default();
                let pairs = numbers(clip).into_iter().zip(numbers(old));
                words.iter_mut().skip(1).zip(pairs).for_each(|(word, pair)| *word = changed(pair));
                words[0] = (clip.name != old.name).then_some(word);
                edited.push(with_words(line, words));
            }
            end = edited.len();
        }
        let template = self.0.iter().rev().find(|(_, lists)| *lists).map(|(line, _)| without_comment(line));
        let template = template.unwrap_or(b"NAME 0 0 0 0");
        let ends_in_return = self.0.iter().any(|(line, _)| line.ends_with(b"\r\n"));
        let line_end: &[u8] = if ends_in_return { b"\r\n" } else { b"\n" };
        if let Some(last) = end.checked_sub(1).and_then(|last| edited.get_mut(last)).filter(|_| !new.is_empty())
            && !last.ends_with(b"\n")
        {
            last.extend_from_slice(line_end);
        }
        if self.0.is_empty() {
            edited.push(b"// NAME first count loop fps\n".to_vec());
            end = 1;
        }
        let rows = new.into_iter().map(|(clip, word)| {
            let [first, count, looping, rate] = numbers(clip);
            [&with_words(template, [word, first, count, looping, rate].map(Some)), line_end].concat()
        });
        edited.splice(end..end, rows.collect::<Vec<_>>());
        edited.concat()
    }
}

fn without_comment(line: &[u8]) -> &[u8] {
    let comment = line.windows(2).position(|pair| pair == b"//").unwrap_or(line.len());
    line.get(..comment).unwrap_or(line).trim_ascii_end()
}

/// Replaces words of a line. Its spaces, punctuation and comment stay.
fn with_words(line: &[u8], words: Words) -> Vec<u8> {
    let is_space = |byte: &u8| byte.is_ascii_whitespace() || b"(){},;\"".contains(byte);
    let (mut rest, mut edited) = (line, Vec::new());
    for word in words {
        let start = rest.iter().position(|byte| !is_space(byte)).unwrap_or(rest.len());
        let (space, after) = rest.split_at(start);
        let end = after.iter().position(is_space).unwrap_or(after.len());
        let (known, after) = after.split_at(end);
        edited.extend_from_slice(space);
        edited.extend_from_slice(word.as_ref().map_or(known, |word| word.as_bytes()));
        rest = after;
    }
    edited.extend_from_slice(rest);
    edited
}
