//! What several topics need: building files byte by byte, and counting memory.

pub mod optional;
