//! Output of commands. Unprintable characters in names are escaped, so that they cannot control a terminal.

use std::fmt::Display;
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use maquette_core::error::{is_unprintable, printable};

/// Standard output that escapes unprintable characters except line feeds and tabs. [`line`] also escapes those.
pub type Output = EscapingWriter<BufWriter<Stdout>>;

pub fn output() -> Output {
    EscapingWriter { inner: BufWriter::new(io::stdout()), json: false, held: Vec::new() }
}

pub fn output_as(json: bool) -> Output {
    EscapingWriter { json, ..output() }
}

pub fn line(output: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(output, "{}", printable(text))
}

/// Writes one line to standard error. Ignores failures, because they cannot be reported anywhere.
pub fn error_line(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

pub fn path(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Returns the line about a file that the run writes.
pub fn written(file: &Path, is_written: bool) -> String {
    format!("{}: {}", path(file), if is_written { "written" } else { "would be written" })
}

/// Returns the line that ends the report of a run without output, or nothing.
pub fn dry_run_note(is_dry: bool) -> &'static str {
    if is_dry { "nothing was written, because of --dry-run\n" } else { "" }
}

/// File that exists and is not written.
pub struct Kept {
    pub path: PathBuf,
    why: &'static str,
}

impl Kept {
    /// The file existed before the run.
    pub fn existing(path: PathBuf) -> Self {
        Self { path, why: "already exists and was not replaced; --overwrite replaces it" }
    }

    /// A list of clips existed before the run.
    pub fn existing_clips(path: PathBuf) -> Self {
        let why =
            "already exists and was not replaced, so the new model’s clips are not stored; --overwrite replaces it";
        Self { path, why }
    }

    /// An animation of the model existed before the run, which edits the animation.
    pub fn existing_animation(path: PathBuf) -> Self {
        let why =
            "already exists and was not replaced, so the edited model plays the old animation; --overwrite replaces it";
        Self { path, why }
    }

    /// The run has written the file for another model.
    pub fn of_run(path: PathBuf) -> Self {
        Self { path, why: "another model of this run has a different file of this name, which was not replaced" }
    }

    pub fn line(&self) -> String {
        format!("{}: {}", path(&self.path), self.why)
    }
}

pub struct EscapingWriter<Inner: Write> {
    inner: Inner,
    /// Whether the output is JSON, in which unprintable characters occur only in strings.
    json: bool,
    /// Start of an incomplete UTF-8 character.
    held: Vec<u8>,
}

impl<Inner: Write> Write for EscapingWriter<Inner> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // Write plain pieces directly, because JSON arrives in many small pieces.
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if self.held.is_empty() && bytes.iter().all(is_plain) {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        for chunk in all.utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some((at, odd)) =
                rest.char_indices().find(|(_, c)| is_unprintable(*c) && !matches!(c, '\n' | '\t'))
            {
                let (before, after) = rest.split_at(at);
                self.inner.write_all(before.as_bytes())?;
                if self.json {
                    write!(self.inner, "\\u{:04x}", u32::from(odd))?;
                } else {
                    write!(self.inner, "{}", odd.escape_default())?;
                }
                rest = after.get(odd.len_utf8()..).unwrap_or_default();
            }
            self.inner.write_all(rest.as_bytes())?;
            self.held = chunk.invalid().to_vec();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(json: bool, parts: &[&[u8]]) -> String {
        let mut output = EscapingWriter { inner: Vec::new(), json, held: Vec::new() };
        parts.iter().for_each(|part| output.write_all(part).unwrap());
        String::from_utf8(output.inner).unwrap()
    }

    #[test]
    fn unprintable_characters_are_escaped() {
        assert_eq!(shown(false, &["a\n\tb “ö”".as_bytes()]), "a\n\tb “ö”");
        assert_eq!(shown(false, &[b"a\x1b[31m\x07\rb\x7f"]), "a\\u{1b}[31m\\u{7}\\rb\\u{7f}");
        assert_eq!(shown(true, &["\u{9b}31m\u{202e}".as_bytes()]), "\\u009b31m\\u202e");
        // Writers may pass single bytes of a character.
        let pieces: Vec<&[u8]> = "ö\u{202e}”".as_bytes().chunks(1).collect();
        assert_eq!(shown(false, &pieces), "ö\\u{202e}”");
    }
}
