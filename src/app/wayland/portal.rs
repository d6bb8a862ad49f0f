//! Drags from sandboxed programs: the desktop's portal returns the paths for the key of a drag.

#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::time::Duration;

/// MIME type of a drag that provides a key instead of addresses (xdg-desktop-portal, FileTransfer).
pub const MIME_TYPE: &str = "application/vnd.portal.filetransfer";

const ANSWER_WAIT: Duration = Duration::from_secs(3);

/// Returns the files for a key. This call waits for D-Bus, so it must not run on the window's thread.
pub fn retrieve_files(key: &[u8]) -> Result<Vec<PathBuf>, String> {
    let key = String::from_utf8_lossy(key);
    let key = key.trim_matches(|c: char| c == '\0' || c.is_whitespace());
    let ask = async {
        let bus = zbus::connection::Builder::session()?.method_timeout(ANSWER_WAIT).build().await?;
        let options = std::collections::HashMap::<&str, zbus::zvariant::Value<'_>>::new();
        let answer = bus
            .call_method(
                Some("org.freedesktop.portal.Documents"),
                "/org/freedesktop/portal/documents",
                Some("org.freedesktop.portal.FileTransfer"),
                "RetrieveFiles",
                &(key, options),
            )
            .await?;
        answer.body().deserialize::<Vec<String>>()
    };
    let paths = pollster::block_on(ask).map_err(|error: zbus::Error| error.to_string())?;
    Ok(paths.into_iter().map(PathBuf::from).collect())
}
