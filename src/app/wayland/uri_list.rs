//! `text/uri-list` (RFC 2483): what a drag brings, one address a line; file addresses as RFC 8089 has them.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use percent_encoding::percent_decode;

/// Bytes read of a list at most: some ten thousand files with long paths.
pub const MAX_LIST_BYTES: usize = 4 << 20;

/// The files of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// Files and folders of this computer, in the list's order.
    pub paths: Vec<PathBuf>,
    /// Addresses that name no file of this computer, as they were written.
    pub others: Vec<String>,
}

impl FileList {
    /// Reads a list. `host` is this computer's name: addresses may carry it.
    ///
    /// Lines end with CR LF or LF, those that begin with `#` are comments. Percent escapes stand for bytes, which need not
    /// be UTF-8; a `%` without two hexadecimal digits stands for itself, as do characters that should have been escaped.
    #[must_use]
    pub fn parse(list: &[u8], host: &str) -> Self {
        let mut files = Self::default();
        // Some programs end the list with NUL, as C ends its strings.
        for line in list.split(|byte| matches!(byte, b'\n' | b'\r' | 0)) {
            if line.is_empty() || line.starts_with(b"#") {
                continue;
            }
            match file_path(line, host) {
                Some(path) => files.paths.push(path),
                None => files.others.push(String::from_utf8_lossy(line).into_owned()),
            }
        }
        files
    }
}

/// `file:///path`, `file://host/path` or `file:/path`, decoded.
fn file_path(address: &[u8], host: &str) -> Option<PathBuf> {
    let (scheme, rest) = address.split_at_checked(5)?;
    if !scheme.eq_ignore_ascii_case(b"file:") {
        return None;
    }
    let path = match rest.strip_prefix(b"//") {
        None => rest,
        Some(rest) => {
            let (named, path) = rest.split_at(rest.iter().position(|byte| *byte == b'/')?);
            let is_here = named.is_empty()
                || named.eq_ignore_ascii_case(b"localhost")
                || (!host.is_empty() && named.eq_ignore_ascii_case(host.as_bytes()));
            if !is_here {
                return None;
            }
            path
        }
    };
    if !path.starts_with(b"/") {
        return None;
    }
    let decoded: Vec<u8> = percent_decode(path).collect();
    // No file has such a name, and the system would cut it there.
    if decoded.contains(&0) { None } else { path_of(decoded) }
}

#[cfg(unix)]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    use std::os::unix::ffi::OsStringExt as _;
    Some(PathBuf::from(std::ffi::OsString::from_vec(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: Vec<u8>) -> Option<PathBuf> {
    String::from_utf8(bytes).ok().map(PathBuf::from)
}
