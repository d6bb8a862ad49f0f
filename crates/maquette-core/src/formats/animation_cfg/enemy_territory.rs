//! Parser of `.anim` and `.aninc` (Enemy Territory), which list the clips of MDX files.
//!
//! Source: ET: Legacy `bg_animgroup.c` (`BG_RAG_ParseAnimFile`, `BG_RAG_ParseAnims`). An `.anim` is
//! `animgroup { animfile "x.mdx" { rows } … }`, a row `name first length looping fps movespeed transition reversed` with
//! an optional priority. `#include "x.aninc"` may appear anywhere and inserts the text of another file.

use super::row::Row;
use super::tokens::{Words, name_of, number};
use super::{Entry, clips};
use crate::error::{WarningKind, Warnings};
use crate::limits::{MAX_CLIPS, MAX_NESTING, MAX_TEXT_BYTES};
use crate::model::Clip;
use crate::text::readable;

/// Numbers of a row without its priority.
const NUMBERS: usize = 7;

/// Clips of one MDX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnimationFile {
    /// Game path of the MDX file.
    pub path: String,
    /// Clips in file order, with names in lower case.
    pub entries: Vec<Entry>,
}

impl AnimationFile {
    /// Returns the clips of a file with this number of frames. Frames beyond the last are cut off, with a warning per
    /// clip.
    pub fn clips(&self, frames: u32, warnings: &mut Warnings) -> Vec<Clip> {
        if frames == 0 {
            return Vec::new();
        }
        self.entries.iter().map(|entry| clips::clip(entry, 0, frames, warnings)).collect()
    }
}

/// Parses an `.anim`. `read` returns the contents of an included file, by its game path. Parsing never fails: unknown
/// text is skipped with a warning.
pub fn parse(
    bytes: &[u8],
    read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    warnings: &mut Warnings,
) -> Vec<AnimationFile> {
    let mut group = Group {
        files: Vec::new(),
        is_open: false,
        awaits_path: false,
        rows: 0,
        included: 0,
        bytes_left: MAX_TEXT_BYTES,
    };
    group.add(bytes, 0, read, warnings);
    group.files
}

struct Group {
    files: Vec<AnimationFile>,
    /// Whether the last file's block is open.
    is_open: bool,
    awaits_path: bool,
    rows: usize,
    included: usize,
    /// Bytes that included files may still have.
    bytes_left: usize,
}

impl Group {
    fn add(
        &mut self,
        bytes: &[u8],
        depth: usize,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
        warnings: &mut Warnings,
    ) {
        let mut words = Words::with_braces(readable(bytes, MAX_TEXT_BYTES, warnings));
        while let Some(word) = words.next() {
            if self.awaits_path {
                self.awaits_path = false;
                if self.files.len() < MAX_CLIPS {
                    self.files.push(AnimationFile { path: word.text(), entries: Vec::new() });
                }
            } else if word.is("{") {
                self.is_open = !self.files.is_empty();
            } else if word.is("}") {
                self.is_open = false;
            } else if word.is("animfile") {
                self.awaits_path = true;
            } else if word.is("#include") {
                let Some(path) = words.next() else { break };
                if let Err(problem) = self.include(&path.text(), depth + 1, read, warnings) {
                    let message = format!("{}: {problem}; skipped", path.text());
                    warnings.add_line(WarningKind::LeftOut, path.line, message);
                }
            } else if number(&word).is_some() || !self.is_open {
                if !word.is("animgroup") {
                    words.count_unknown(&word);
                }
            } else {
                self.read_row(&name_of(&word), word.line, &mut words, warnings);
            }
        }
        words.finish(warnings);
    }

    fn include(
        &mut self,
        path: &str,
        depth: usize,
        read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
        warnings: &mut Warnings,
    ) -> Result<(), &'static str> {
        if depth > MAX_NESTING {
            return Err("included files are nested too deeply");
        }
        self.included += 1;
        if self.included > MAX_CLIPS || self.bytes_left == 0 {
            return Err("too many included files");
        }
        let included = read(path).ok_or("the included file was not found")?;
        self.bytes_left = self.bytes_left.saturating_sub(included.len());
        self.add(&included, depth, read, warnings);
        Ok(())
    }

    fn read_row(&mut self, name: &str, line: u32, words: &mut Words, warnings: &mut Warnings) {
        let mut numbers = [0.0; NUMBERS];
        let mut count = 0;
        for slot in &mut numbers {
            let Some((_, number)) = words.next_number() else { break };
            *slot = number;
            count += 1;
        }
        if count == NUMBERS {
            // The priority.
            words.next_number();
        }
        let [first, length, looping, rate, _, _, reversed] = numbers;
        if count < 4 {
            let message = format!("“{name}” has {count} numbers, but an animation needs 7; skipped");
            warnings.add_line(WarningKind::LeftOut, line, message);
        } else if self.rows >= MAX_CLIPS {
            if self.rows == MAX_CLIPS {
                let message = format!("more than {MAX_CLIPS} animations; the rest are skipped");
                warnings.add_line(WarningKind::LeftOut, line, message);
                self.rows += 1;
            }
        } else if let Some(file) = self.files.last_mut() {
            self.rows += 1;
            let row = Row::new(name.to_lowercase(), line, [first, length, looping, rate]);
            let entry = row.quake_three(warnings);
            file.entries.push(Entry { reversed: entry.reversed || reversed != 0.0, ..entry });
        }
    }
}
