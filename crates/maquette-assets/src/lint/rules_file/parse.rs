//! Parser for rules files.

use std::fmt;

use super::{Counted, Demand, Named, Requirement};
use crate::limits::{MAX_QUOTED_LENGTH, MAX_SHORT_TEXT_BYTES};
use crate::lint::finding::Severity;

/// An error in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Expected and found words.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for SyntaxError {}

pub(super) fn parse(bytes: &[u8]) -> Result<Vec<Requirement>, SyntaxError> {
    let whole = |message: &str| SyntaxError { line: 1, column: 1, message: message.to_owned() };
    if bytes.len() > MAX_SHORT_TEXT_BYTES {
        return Err(whole(&format!("the file is longer than {MAX_SHORT_TEXT_BYTES} bytes")));
    }
    let text = String::from_utf8_lossy(bytes);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut words =
            Words { line: index + 1, words: split(line, index + 1)?.into_iter(), end: line.chars().count() + 1 };
        if words.words.as_slice().is_empty() {
            continue;
        }
        list.push(words.requirement()?);
    }
    Ok(list)
}

#[derive(Clone, Debug)]
struct Word {
    text: String,
    column: usize,
    quoted: bool,
}

fn split(line: &str, number: usize) -> Result<Vec<Word>, SyntaxError> {
    let error = |column, message: String| SyntaxError { line: number, column, message };
    let mut words: Vec<Word> = Vec::new();
    let mut letters = line.chars().enumerate().peekable();
    while let Some((index, letter)) = letters.next() {
        let column = index + 1;
        if letter.is_whitespace() {
            continue;
        }
        if letter == '#' {
            break;
        }
        let mut text = String::new();
        let quoted = letter == '"';
        if quoted {
            loop {
                match letters.next() {
                    Some((_, '"')) => break,
                    Some((_, inner)) => text.push(inner),
                    None => return Err(error(column, "the quote is not closed".to_owned())),
                }
            }
        } else {
            text.push(letter);
            while let Some((_, inner)) = letters.next_if(|(_, inner)| !inner.is_whitespace() && *inner != '#') {
                text.push(inner);
            }
        }
        words.push(Word { text, column, quoted });
    }
    Ok(words)
}

struct Words {
    line: usize,
    words: std::vec::IntoIter<Word>,
    end: usize,
}

impl Words {
    fn requirement(&mut self) -> Result<Requirement, SyntaxError> {
        let line = self.line;
        let severity = self.severity();
        let what = self.demand()?;
        let paths = if self.takes("for") { Some(self.name("a path, for example */upper.md3")?) } else { None };
        match self.words.next() {
            Some(word) => Err(self.unexpected("the end of the line", Some(&word))),
            None => Ok(Requirement { line, severity, what, paths }),
        }
    }

    fn severity(&mut self) -> Severity {
        let severity = self.peek().and_then(|word| match word {
            "error:" => Some(Severity::Error),
            "warn:" | "warning:" => Some(Severity::Warning),
            "note:" => Some(Severity::Note),
            _ => None,
        });
        if severity.is_some() {
            self.words.next();
        }
        severity.unwrap_or(Severity::Error)
    }

    fn demand(&mut self) -> Result<Demand, SyntaxError> {
        let expected = "“no”, “at most”, “at least”, “every material under” or “… present”";
        match self.peek() {
            Some("no") => {
                self.words.next();
                let of_surface = self.one_of(&[("surface", true), ("model", false)])?;
                self.word("over")?;
                let max = self.number()?;
                if of_surface {
                    use Counted::{Materials, Triangles, Vertices};
                    let what = self.counted(&[Vertices, Triangles, Materials])?;
                    return Ok(Demand::Surface { what, max });
                }
                let what = self.counted(&[])?;
                Ok(Demand::Model { what, number: max, is_max: true })
            }
            Some("at") => {
                self.words.next();
                let is_max = self.one_of(&[("most", true), ("least", false)])?;
                let number = self.number()?;
                let what = self.counted(&[])?;
                Ok(Demand::Model { what, number, is_max })
            }
            Some("every") => {
                self.words.next();
                self.word("material")?;
                self.word("under")?;
                Ok(Demand::Materials { under: self.name("a folder")? })
            }
            Some(word) => {
                let named = Named::ALL.into_iter().find(|(_, name)| *name == word).map(|(kind, _)| kind);
                let (kind, name) = match named {
                    Some(kind) => {
                        self.words.next();
                        (kind, self.name(&format!("the name of a {}", kind.word()))?)
                    }
                    None if word.starts_with("tag_") => (Named::Tag, self.name("the name of a tag")?),
                    None => {
                        let word = self.words.next();
                        return Err(self.unexpected(expected, word.as_ref()));
                    }
                };
                self.word("present")?;
                Ok(Demand::Present { kind, name })
            }
            None => {
                let word = self.words.next();
                Err(self.unexpected(expected, word.as_ref()))
            }
        }
    }

    fn peek(&self) -> Option<&str> {
        self.words.as_slice().first().filter(|word| !word.quoted).map(|word| word.text.as_str())
    }

    fn takes(&mut self, wanted: &str) -> bool {
        let is_it = self.peek() == Some(wanted);
        if is_it {
            self.words.next();
        }
        is_it
    }

    fn word(&mut self, wanted: &str) -> Result<(), SyntaxError> {
        self.one_of(&[(wanted, ())])
    }

    fn one_of<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, SyntaxError> {
        let word = self.words.next();
        let found = word.as_ref().and_then(|word| choices.iter().find(|(name, _)| !word.quoted && *name == word.text));
        let names = || choices.iter().map(|(name, _)| format!("“{name}”")).collect::<Vec<_>>().join(" or ");
        found.map(|(_, value)| *value).ok_or_else(|| self.unexpected(&names(), word.as_ref()))
    }

    fn number(&mut self) -> Result<u64, SyntaxError> {
        let word = self.words.next();
        let number = word.as_ref().filter(|word| !word.quoted).and_then(|word| word.text.parse().ok());
        number.ok_or_else(|| self.unexpected("a whole number", word.as_ref()))
    }

    fn counted(&mut self, only: &[Counted]) -> Result<Counted, SyntaxError> {
        let word = self.words.next();
        let allowed = || Counted::ALL.into_iter().filter(|(what, _, _)| only.is_empty() || only.contains(what));
        let found =
            word.as_ref().and_then(|word| allowed().find(|(_, one, many)| [*one, *many].contains(&word.text.as_str())));
        let names = || allowed().map(|(_, _, many)| many).collect::<Vec<_>>().join(", ");
        found.map(|(what, _, _)| what).ok_or_else(|| self.unexpected(&format!("one of {}", names()), word.as_ref()))
    }

    fn name(&mut self, wanted: &str) -> Result<String, SyntaxError> {
        let word = self.words.next();
        match word.as_ref().filter(|word| !word.text.is_empty()) {
            Some(word) => Ok(word.text.clone()),
            None => Err(self.unexpected(wanted, word.as_ref())),
        }
    }

    fn unexpected(&self, wanted: &str, found: Option<&Word>) -> SyntaxError {
        let actual = found.map_or_else(
            || "the line ends".to_owned(),
            |word| format!("found “{}”", word.text.chars().take(MAX_QUOTED_LENGTH).collect::<String>()),
        );
        let column = found.map_or(self.end, |word| word.column);
        SyntaxError { line: self.line, column, message: format!("expected {wanted}, {actual}") }
    }
}
