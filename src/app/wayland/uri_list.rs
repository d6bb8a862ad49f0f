//! Parser of `text/uri-list` (RFC 2483): one address per line, file addresses as in RFC 8089.

#![forbid(unsafe_code)]

use std::path::PathBuf;

use percent_encoding::percent_decode;

/// Files of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileList {
    /// Files and folders on this computer, in the order of the list.
    pub paths: Vec<PathBuf>,
    /// Addresses that are not files on this computer, unchanged.
    pub others: Vec<String>,
}

impl FileList {
    /// Parses a list. `host` is this computer's name, which addresses may contain.
    ///
    /// Lines end in CR LF or LF. Lines that begin with `#` are comments. Percent escapes encode bytes, which need not
    /// be UTF-8. A `%` without two hexadecimal digits is taken literally, like characters that should have been
    /// escaped.
    #[must_use]
    pub fn parse(list: &[u8], host: &str) -> Self {
        let mut files = Self::default();
        // Some programs end the list with NUL.
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

/// Decodes `file:///path`, `file://host/path` or `file:/path`. Returns `None` for other addresses and other hosts.
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
    // File names cannot contain NUL, at which the system would cut them.
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
