//! Reasons why a model cannot be converted.

use std::fmt;

use crate::error::{LoadError, WriteError};
use crate::model::Format;

/// Reason why a model cannot be converted. Texts are sentences without full stop.
#[derive(Clone, Debug, PartialEq)]
pub enum ConvertError {
    /// The options do not fit the model: an unknown frame, or a skin of another size.
    Options(String),
    /// The format cannot be written.
    NotWritten(Format),
    /// The format needs joints that the model does not have.
    NeedsSkeleton(String),
    /// The model has no surfaces or triangles, but the format needs some.
    Empty(String),
    /// A position is beyond the range of the format.
    OutOfRange(String),
    /// The result would be too large, or take too long.
    TooLarge(String),
    /// The model does not have the parts of a player.
    Player(String),
    /// The converted model is inconsistent, which is a bug in the conversion.
    Invalid(LoadError),
    /// The converted model does not fit the format.
    Write(WriteError),
    /// The written files do not load, which is a bug in the writer.
    Unreadable(LoadError),
}

impl fmt::Display for ConvertError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Options(why)
            | Self::NeedsSkeleton(why)
            | Self::Empty(why)
            | Self::OutOfRange(why)
            | Self::TooLarge(why)
            | Self::Player(why) => f.write_str(why),
            Self::NotWritten(format) => write!(f, "{} files cannot be written", format.title()),
            Self::Invalid(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
            Self::Unreadable(error) => write!(f, "the converted file does not load: {error}"),
        }
    }
}

impl std::error::Error for ConvertError {}
