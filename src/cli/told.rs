//! What commands tell: nothing in it that a terminal would obey, as names in files and of files may be anything.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};
use std::path::Path;

use maquette::error::{is_obeyed, printable};

/// The standard output, through which no character comes that a terminal would obey but the ends of lines and tabs. What is told
/// of one thing in one line is made so with [`line`].
pub type Output = Shown<BufWriter<StdoutLock<'static>>>;

/// The standard output for people.
pub fn output() -> Output {
    Shown { inner: BufWriter::new(io::stdout().lock()), json: false, held: Vec::new() }
}

/// The standard output for people or as JSON.
pub fn output_as(json: bool) -> Output {
    Shown { json, ..output() }
}

/// Writes one line.
pub fn line(output: &mut impl Write, text: &str) -> io::Result<()> {
    writeln!(output, "{}", printable(text))
}

/// Tells something in a line on the standard error. Nobody may be left to read it.
pub fn aside(text: impl Display) {
    let _ = writeln!(io::stderr(), "{}", printable(&text.to_string()));
}

/// A path in a line.
pub fn path(path: &Path) -> String {
    printable(&path.display().to_string())
}

/// Passes text on with what a terminal would obey written out.
pub struct Shown<Inner: Write> {
    inner: Inner,
    /// Whether it is JSON, in which such characters stand in texts alone.
    json: bool,
    /// The beginning of a character that is not all here.
    held: Vec<u8>,
}

impl<Inner: Write> Write for Shown<Inner> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // JSON comes in many small pieces.
        let is_plain = |byte: &u8| matches!(byte, b'\n' | b'\t' | b' '..=b'~');
        if self.held.is_empty() && bytes.iter().all(is_plain) {
            self.inner.write_all(bytes)?;
            return Ok(bytes.len());
        }
        let mut all = std::mem::take(&mut self.held);
        all.extend_from_slice(bytes);
        for chunk in all.utf8_chunks() {
            let mut rest = chunk.valid();
            while let Some((at, odd)) = rest.char_indices().find(|(_, c)| is_obeyed(*c) && !matches!(c, '\n' | '\t')) {
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
        let mut output = Shown { inner: Vec::new(), json, held: Vec::new() };
        parts.iter().for_each(|part| output.write_all(part).unwrap());
        String::from_utf8(output.inner).unwrap()
    }

    #[test]
    fn nothing_that_a_terminal_would_obey_comes_through() {
        assert_eq!(shown(false, &["a\n\tb “ö”".as_bytes()]), "a\n\tb “ö”");
        assert_eq!(shown(false, &[b"a\x1b[31m\x07\rb\x7f"]), "a\\u{1b}[31m\\u{7}\\rb\\u{7f}");
        assert_eq!(shown(true, &["\u{9b}31m\u{202e}".as_bytes()]), "\\u009b31m\\u202e");
        // In pieces of a byte, as writers may give it.
        let pieces: Vec<&[u8]> = "ö\u{202e}”".as_bytes().chunks(1).collect();
        assert_eq!(shown(false, &pieces), "ö\\u{202e}”");
    }
}
