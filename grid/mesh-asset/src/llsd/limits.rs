//! How the notation begins, and where reading it ends.

/// The line that may precede a value, without its end.
pub const HEADER_LINE: &str = "<? LLSD/Binary ?>";

/// How deep arrays and maps may nest. A mesh asset needs four levels.
pub const MAX_DEPTH: usize = 64;

/// How many values may be read unless the caller says otherwise: 2¹⁶, at most 16 MiB of memory: 256 bytes for each.
///
/// The skin of a mesh with 110 joints has 3800.
pub const MAX_VALUES: usize = 1 << 16;
