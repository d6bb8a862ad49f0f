//! Index of lines in a text file, for warnings about lines.

use super::{Content, Field, Span, add};
use maquette_core::error::{FilePosition, Warning};

/// The bytes of a file, with lines counted as in [`maquette_core::text::Lexer`].
pub(super) struct LineIndex<'a> {
    bytes: &'a [u8],
    start: usize,
}

impl<'a> LineIndex<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, start: if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 } }
    }

    /// Returns the offset of a position; `None` for the file as a whole.
    pub fn offset_of(&self, position: FilePosition) -> Option<u64> {
        let size = self.bytes.len() as u64;
        match position {
            FilePosition::Byte(offset) => Some(offset.min(size)),
            FilePosition::Line { line, column } => {
                Some((self.start_of(line) + u64::from(column.saturating_sub(1))).min(size))
            }
            FilePosition::Whole => None,
        }
    }

    fn start_of(&self, line: u32) -> u64 {
        let mut line = line.saturating_sub(1);
        let mut at = self.start;
        while line > 0 {
            let Some(byte) = self.bytes.get(at) else { break };
            at += 1;
            let is_end = *byte == b'\n' || *byte == b'\r' && self.bytes.get(at) != Some(&b'\n');
            line -= u32::from(is_end);
        }
        at as u64
    }

    /// Adds a warning about `line 12` to a statement on that line, preferably one that begins there. Returns whether it
    /// did.
    pub fn mark(&self, fields: &mut [Field], warning: &Warning) -> bool {
        let number = warning.about.trim().strip_prefix("line ").and_then(|number| number.parse::<u32>().ok());
        let Some(line) = number else { return false };
        let (start, end) = (self.start_of(line), self.start_of(line.saturating_add(1)));
        let mut found = None;
        self.find(fields, start..end, &mut found);
        let Some((_, field)) = found else { return false };
        add(&mut field.issue, &warning.message);
        true
    }

    /// Finds a leaf whose first word is in the range, else one that overlaps the range.
    fn find<'f>(
        &self,
        fields: &'f mut [Field],
        within: std::ops::Range<u64>,
        found: &mut Option<(Option<u64>, &'f mut Field)>,
    ) {
        for field in fields {
            if field.span.end() <= within.start || field.span.offset >= within.end {
                continue;
            }
            if matches!(field.content, Content::Group(_)) {
                let Content::Group(own) = &mut field.content else { continue };
                self.find(own, within.clone(), found);
                continue;
            }
            if field.name == "comment" {
                continue;
            }
            let word = Some(self.first_word(field.span)).filter(|word| within.contains(word));
            if found.as_ref().is_none_or(|(known, _)| known.is_none() && word.is_some()) {
                *found = Some((word, field));
            }
        }
    }

    fn first_word(&self, span: Span) -> u64 {
        let start = usize::try_from(span.offset).unwrap_or(usize::MAX);
        let end = usize::try_from(span.end()).unwrap_or(usize::MAX);
        let bytes = self.bytes.get(start..end).unwrap_or_default();
        span.offset + bytes.iter().position(|byte| *byte > b' ').unwrap_or(0) as u64
    }
}
