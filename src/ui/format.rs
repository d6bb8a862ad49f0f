//! Formatting of numbers and messages for display.

use std::time::{Instant, SystemTime, UNIX_EPOCH};

use maquette_assets::material::Image;
use maquette_core::model::Format;

/// Formats a number with thousands separators: `1,120`.
pub fn count(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// Formats a count with its noun: `1 surface`, `14 surfaces`, `2 vertices`.
pub fn plural(number: usize, one: &str) -> String {
    let many = if number == 1 {
        one.to_owned()
    } else if let Some(stem) = one.strip_suffix("ex") {
        format!("{stem}ices")
    } else {
        format!("{one}s")
    };
    format!("{} {many}", count(number))
}

/// Formats a number with fixed decimals and a minus sign (U+2212), never as “−0”.
pub fn fixed(number: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", number.abs());
    let zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    if number < 0.0 && !zero { format!("−{text}") } else { text }
}

/// Formats a number with at most `decimals` decimals: `24`, `12.5`.
pub fn short(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// Formats a speed as a factor: `1.00×`.
pub fn factor(speed: f64) -> String {
    format!("{}×", fixed(speed, 2))
}

/// Parses a typed number. Accepts both minus signs, both decimal marks, and a unit after the number.
pub fn parse(text: &str) -> Option<f64> {
    let plain = text.trim().replace('−', "-").replace(',', ".");
    let end = plain.find(|c: char| !(c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))).unwrap_or(plain.len());
    plain.get(..end)?.parse().ok().filter(|number: &f64| number.is_finite())
}

/// Removes the names of command-line options in parentheses from a message: `choose a single frame (--frame F)`.
pub fn without_options(message: &str) -> String {
    let mut text = message.to_owned();
    while let Some(start) = text.find(" (--")
        && let Some(length) = text.get(start..).and_then(|rest| rest.find(')'))
    {
        text.replace_range(start..=start + length, "");
    }
    text
}

/// Capitalises a message, unless it begins with a path, a file or a field name. Removes names of options.
pub fn sentence(message: &str) -> String {
    let message = without_options(message);
    // Paths and file names keep their spelling, for example `animation.cfg:`.
    let is_file = |word: &str| word.contains('/') || word.trim_end_matches([':', '.']).contains('.');
    if message.split_whitespace().next().is_some_and(is_file) {
        return message;
    }
    // Formats are written in upper case.
    let first = message.split(|letter: char| !letter.is_ascii_alphanumeric()).next().unwrap_or_default();
    if let Some(format) = Format::by_name(first) {
        return message.replacen(first, format.title(), 1);
    }
    // Field names keep their spelling.
    let word = message.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap_or_default();
    if word.contains('_') || word.chars().skip(1).any(char::is_uppercase) {
        return message;
    }
    let mut letters = message.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Formats a size with two or three digits: `9.4 MB`.
pub fn bytes(bytes: u64) -> String {
    let mut number = bytes as f64;
    let mut unit = "bytes";
    for larger in ["kB", "MB", "GB"] {
        if number < 999.5 {
            break;
        }
        number /= 1000.0;
        unit = larger;
    }
    let decimals = usize::from(unit != "bytes" && number < 9.95);
    format!("{number:.decimals$} {unit}")
}

/// Formats the time since an event: `5 min ago`.
pub fn ago(time: Instant) -> String {
    match time.elapsed().as_secs() {
        seconds @ 0..60 => format!("{seconds} s ago"),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds => format!("{} h {} min ago", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Formats the date of a time in UTC: `2024-02-29`.
pub fn date(time: SystemTime) -> String {
    // Days since 1600-03-01, so that leap days end the years.
    let mut days = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs() / 86_400) + 135_080;
    let cycles = days / 146_097;
    days %= 146_097;
    let years = (days - days / 1_460 + days / 36_524 - days / 146_096) / 365;
    days -= years * 365 + years / 4 - years / 100;
    let month = (5 * days + 2) / 153;
    let day = days - (153 * month + 2) / 5 + 1;
    let (year, month) = (1600 + 400 * cycles + years + month / 10, (month + 2) % 12 + 1);
    format!("{year}-{month:02}-{day:02}")
}

/// Formats the size of a texture in texels, or that it is loading.
pub fn texture_size(image: &Image) -> String {
    if image.is_pending() { "Loading…".to_owned() } else { format!("{} × {}", image.width, image.height) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected dates: `date -u -d @SECONDS +%F`.
    #[test]
    fn dates_include_leap_days() {
        let date = |seconds| date(UNIX_EPOCH + std::time::Duration::from_secs(seconds));
        let dates = [0, 951_782_400, 951_868_800, 1_709_164_800, 1_735_603_200, 4_107_542_399].map(date);
        assert_eq!(dates, ["1970-01-01", "2000-02-29", "2000-03-01", "2024-02-29", "2024-12-31", "2100-02-28"]);
    }

    #[test]
    fn capital_leaves_identifiers_unchanged() {
        for own in ["animation.cfg: line 5: it", "ofsFrames: the table", "models/a.md3 is", "tag_head turns"] {
            assert_eq!(sentence(own), own);
        }
        assert_eq!(sentence("the table ends."), "The table ends.");
        assert_eq!(sentence("md3: it has none"), "MD3: it has none");
        assert_eq!(sentence("too large; choose a frame (--frame F), or wait"), "Too large; choose a frame, or wait");
    }
}
